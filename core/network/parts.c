// SPDX-License-Identifier: GPL-3.0-or-later
// The connected parts of a network: elements that bonds join, whatever the modes. Power crosses no
// signal, so that every part has an energy balance of its own. Those that are monitored for neighbours may be joined
// at any time, and are one part.
#include "core/base/sets.h"
#include "core/network/network.h"

sb_status sb_parts_find(sb_network *network) {
  int *part = sb_arena_zeroed(&network->memory, network->instance_count, sizeof(int));
  network->part_of = part;
  if (part == NULL) {
    return SB_ERR_MEMORY;
  }
  for (int i = 0; i < network->instance_count; i++) {
    part[i] = i;
  }
  for (int i = 0; i < network->bond_count; i++) {
    sb_sets_join(part, network->bonds[i].from, network->bonds[i].to);
  }
  for (int i = 0; i < network->monitor_count; i++) {
    for (int k = 1; k < network->monitors[i].count; k++) {
      sb_sets_join(part, network->monitors[i].instances[0], network->monitors[i].instances[k]);
    }
  }
  for (int i = 0; i < network->instance_count; i++) {
    part[i] = sb_set_of(part, i); // no later than i: numbered already, if it is not i
  }
  for (int i = 0; i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    bool has_power = instance->layout.port_count > 0 || instance->type->storage != NULL;
    part[i] = part[i] < i ? part[part[i]] : has_power ? network->part_count++ : -1;
  }
  return SB_OK;
}
