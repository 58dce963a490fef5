// SPDX-License-Identifier: GPL-3.0-or-later
// Whom a network watches for neighbours (core/graph/neighbours.h): where their signals stand, at a state of a
// simulation or at the start.
#include <string.h>

#include "core/network/roles.h"

sb_status sb_watches_build(const sb_graph *graph, sb_network *network) {
  sb_arena *memory = &network->memory;
  network->watches = sb_arena_zeroed(memory, graph->neighbour_count, sizeof(sb_watch));
  for (int i = 0; i < graph->neighbour_count && !memory->failed; i++) {
    const sb_neighbours *list = &graph->neighbours[i];
    sb_watch *watch = &network->watches[network->watch_count++];
    *watch = (sb_watch){list->hooks, list->self, .count = list->count, .width = list->width};
    watch->instances = sb_arena_zeroed(memory, list->count, sizeof(int));
    watch->values = sb_arena_zeroed(memory, list->count, sizeof(int));
    network->watched_count += list->count * list->width;
    for (int k = 0; k < list->count && !memory->failed; k++) {
      const sb_instance *instance = &network->instances[list->elements[k]];
      watch->instances[k] = list->elements[k];
      watch->values[k] = instance->signal + sb_signal_offset(instance->type, list->rows[k]);
    }
  }
  return memory->failed ? SB_ERR_MEMORY : SB_OK;
}

void sb_watches_read(const sb_network *network, const double values[], double out[]) {
  for (int i = 0; i < network->watch_count; i++) {
    const sb_watch *watch = &network->watches[i];
    for (int k = 0; k < watch->count; k++, out += watch->width) {
      memcpy(out, values + watch->values[k], (size_t)watch->width * sizeof *out);
    }
  }
}

/** The signals of an instance at its start, if it has states that tell them or gives constants.
 *  @param own  (signals) out */
static bool start_signals(sb_arena *scratch, const sb_instance *instance, double own[]) {
  double *x = sb_arena_zeroed(scratch, instance->layout.states, sizeof(double));
  double *y =
      sb_arena_zeroed(scratch, instance->components + instance->signal_count, sizeof(double));
  if (scratch->failed || instance->wire_count > 0) {
    return false;
  }
  sb_instance_start(instance, x);
  sb_at at = {.x = x, .own = own, .dim = instance->components, .first = instance->first};
  return sb_instance_output(instance, &at, y) == 0;
}

sb_status sb_watches_start(const sb_network *network, double out[], sb_error *err) {
  sb_arena scratch = {0};
  double *values = sb_arena_zeroed(&scratch, network->value_count, sizeof(double));
  sb_status status = SB_OK;
  for (int i = 0; i < network->watch_count && !scratch.failed; i++) {
    const sb_watch *watch = &network->watches[i];
    for (int k = 0; k < watch->count && status == SB_OK && !scratch.failed; k++) {
      const sb_instance *instance = &network->instances[watch->instances[k]];
      if (!start_signals(&scratch, instance, values + instance->signal) && !scratch.failed) {
        status = sb_fail(err, SB_ERR_USAGE,
                         "where '%s' is at the start does not follow from its "
                         "states",
                         instance->id);
        sb_place_into(&instance->place, err);
      }
    }
  }
  if (scratch.failed) {
    status = sb_fail(err, SB_ERR_MEMORY, "out of memory");
  } else if (status == SB_OK) {
    sb_watches_read(network, values, out);
  }
  sb_arena_finish(&scratch);
  return status;
}
