// SPDX-License-Identifier: GPL-3.0-or-later
// The connected parts of a network: elements that bonds join, whatever the modes. Power crosses no
// signal, so that every part has an energy balance of its own. Those that are monitored for neighbours may be joined
// at any time, and are one part.
#include "core/network/network.h"

/** The first instance of the set that an instance is in, by union-find; the way there is halved. */
static int find_first(int first[], int i) {
  while (first[i] != i) {
    first[i] = first[first[i]];
    i = first[i];
  }
  return i;
}

static void join(int part[], int a, int b) {
  int from = find_first(part, a), to = find_first(part, b);
  part[from > to ? from : to] = from < to ? from : to;
}

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
    join(part, network->bonds[i].from, network->bonds[i].to);
  }
  for (int i = 0; i < network->monitor_count; i++) {
    for (int k = 1; k < network->monitors[i].count; k++) {
      join(part, network->monitors[i].instances[0], network->monitors[i].instances[k]);
    }
  }
  for (int i = 0; i < network->instance_count; i++) {
    part[i] = find_first(part, i); // no later than i: numbered already, if it is not i
  }
  for (int i = 0; i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    bool has_power = instance->layout.port_count > 0 || instance->type->storage != NULL;
    part[i] = part[i] < i ? part[part[i]] : has_power ? network->part_count++ : -1;
  }
  return SB_OK;
}
