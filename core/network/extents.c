// SPDX-License-Identifier: GPL-3.0-or-later
// What the gaps of rigid contacts are small against: the extent of what moves together. Bodies belong together where bonds join
// them, but not through a source: what it imposes, as the ground its rest, it imposes on each by itself, and a body far away
// tells nothing about the gaps of others on the same ground.
#include <math.h>
#include <stdlib.h>

#include "core/base/array.h"
#include "core/base/sets.h"
#include "core/network/network.h"

typedef struct extent {
  double mean[3], radius; // [m] of the places at the start
  int count;
} extent;

void sb_movers_join(const sb_network *network, int set[]) {
  for (int i = 0; i < network->instance_count; i++) {
    set[i] = i;
  }
  for (int i = 0; i < network->bond_count; i++) {
    const int from = network->bonds[i].from, to = network->bonds[i].to;
    if (network->instances[from].type->role != SB_SOURCE &&
        network->instances[to].type->role != SB_SOURCE) {
      sb_sets_join(set, from, to);
    }
  }
  for (int i = 0; i < network->monitor_count; i++) {
    for (int k = 1; k < network->monitors[i].count; k++) {
      sb_sets_join(set, network->monitors[i].instances[0], network->monitors[i].instances[k]);
    }
  }
}

/** The radius of each set about the mean of its places at the start, or the extent of its largest element: unlike half the edges
 *  of a box along the world's axes it is frame-indifferent. */
static void measure(const sb_network *network, int set[], extent extents[]) {
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < network->instance_count; i++) {
      const sb_place_hooks *place = network->instances[i].type->place;
      extent *e = &extents[sb_set_of(set, i)];
      double at[3];
      if (place == NULL || place->start == NULL) {
        continue;
      }
      const double own = place->start(network->instances[i].self, at);
      e->count += pass == 0;
      for (int k = 0; k < 3 && pass == 0; k++) {
        e->mean[k] += (at[k] - e->mean[k]) / e->count;
      }
      const double x = at[0] - e->mean[0], y = at[1] - e->mean[1], z = at[2] - e->mean[2];
      e->radius = fmax(e->radius, pass == 0 ? own : sqrt(x * x + y * y + z * z));
    }
  }
}

sb_status sb_extents_tell(sb_network *network) {
  int *set = sb_zeroed(network->instance_count, sizeof *set);
  extent *extents = sb_zeroed(network->instance_count, sizeof *extents);
  const bool known = set != NULL && extents != NULL;
  if (known) {
    sb_movers_join(network, set);
    measure(network, set, extents);
  }
  for (int i = 0; known && i < network->instance_count; i++) {
    const sb_place_hooks *place = network->instances[i].type->place;
    if (place != NULL && place->extend != NULL) {
      place->extend(network->instances[i].self, extents[sb_set_of(set, i)].radius);
    }
  }
  free(set);
  free(extents);
  return known ? SB_OK : SB_ERR_MEMORY;
}
