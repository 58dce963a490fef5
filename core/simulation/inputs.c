// SPDX-License-Identifier: GPL-3.0-or-later
// Sources that are set from outside.
#include <string.h>

#include "core/simulation/simulation_private.h"

/** Sources that are set from outside start at their parameter. */
void sb_inputs_start(sb_simulation *sim) {
  for (int i = 0; i < sim->network->instance_count; i++) {
    const sb_instance *instance = &sim->network->instances[i];
    for (const sb_param *p = instance->type->params; instance->input_count > 0 && p->name != NULL;
         p++) {
      const sb_list *list =
          (const sb_list *)(const void *)((const char *)instance->self + p->offset);
      if (p->kind == SB_PARAM_LIST && list->count == instance->input_count) {
        memcpy(sim->work->inputs + instance->input, list->values,
               (size_t)list->count * sizeof(double));
        break;
      }
    }
  }
}

sb_status sb_simulation_find_input(const sb_simulation *sim, const char *source, int *input,
                                   sb_error *err) {
  *input = -1;
  int index = sb_names_find(&sim->network->names, source, strlen(source));
  if (index < 0) {
    return sb_fail(err, SB_ERR_REFERENCE, "there is no element '%s'", source);
  }
  if (sim->network->instances[index].input_count == 0) {
    (void)sb_fail(err, SB_ERR_USAGE, "'%s' is not set from outside", source);
    sb_error_hint(err, "give the source waveform=\"input\"");
    return SB_ERR_USAGE;
  }
  *input = index;
  return SB_OK;
}

void sb_simulation_set(sb_simulation *sim, int input, const double values[]) {
  const sb_instance *instance = &sim->network->instances[input];
  memcpy(sim->work->inputs + instance->input, values,
         (size_t)instance->input_count * sizeof(double));
  sim->inputs_changed = true;
  sb_delay_ways_unknown(sim);
  sb_workspace_changed(sim->work);
  sim->restart = true; // the integrator's next step must not reuse the old right-hand side
}
