// SPDX-License-Identifier: GPL-3.0-or-later
// Which elements a network monitors for neighbours (core/graph/neighbours.h), and the values of their signals during a simulation or
// at the start.
#include <string.h>

#include "core/network/roles.h"

sb_status sb_monitors_build(const sb_graph *graph, sb_network *network) {
  sb_arena *memory = &network->memory;
  network->monitors = sb_arena_zeroed(memory, graph->neighbour_count, sizeof(sb_monitor));
  for (int i = 0; i < graph->neighbour_count && !memory->failed; i++) {
    const sb_neighbours *list = &graph->neighbours[i];
    sb_monitor *monitor = &network->monitors[network->monitor_count++];
    *monitor = (sb_monitor){list->hooks, list->self, .count = list->count, .width = list->width};
    monitor->instances = sb_arena_zeroed(memory, list->count, sizeof(int));
    monitor->values = sb_arena_zeroed(memory, list->count, sizeof(int));
    network->monitored_count += list->count * list->width;
    for (int k = 0; k < list->count && !memory->failed; k++) {
      const sb_instance *instance = &network->instances[list->elements[k]];
      monitor->instances[k] = list->elements[k];
      monitor->values[k] = instance->signal + sb_signal_offset(instance->type, list->rows[k]);
    }
  }
  return memory->failed ? SB_ERR_MEMORY : SB_OK;
}

void sb_monitors_read(const sb_network *network, const double values[], double out[]) {
  for (int i = 0; i < network->monitor_count; i++) {
    const sb_monitor *monitor = &network->monitors[i];
    for (int k = 0; k < monitor->count; k++, out += monitor->width) {
      memcpy(out, values + monitor->values[k], (size_t)monitor->width * sizeof *out);
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

sb_status sb_monitors_start(const sb_network *network, double out[], sb_error *err) {
  sb_arena scratch = {0};
  double *values = sb_arena_zeroed(&scratch, network->value_count, sizeof(double));
  sb_status status = SB_OK;
  for (int i = 0; i < network->monitor_count && !scratch.failed; i++) {
    const sb_monitor *monitor = &network->monitors[i];
    for (int k = 0; k < monitor->count && status == SB_OK && !scratch.failed; k++) {
      const sb_instance *instance = &network->instances[monitor->instances[k]];
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
    sb_monitors_read(network, values, out);
  }
  sb_arena_finish(&scratch);
  return status;
}
