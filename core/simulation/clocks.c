// SPDX-License-Identifier: GPL-3.0-or-later
// Clocks: elements whose events come again and again. One that is so fast that the run would not come to its end, or whose
// times could not be told apart, is refused as samples of the run are.
#include "core/graph/graph_data.h"
#include "core/simulation/samples_private.h"
#include "core/simulation/simulation_private.h"

static sb_status check(const sb_element_type *type, const void *self, double t_start, double t_end,
                       sb_error *err) {
  const sb_switching_hooks *hooks = type->switching;
  if (hooks == NULL || hooks->times.interval == NULL) {
    return SB_OK;
  }
  const double interval = hooks->times.interval(self);
  const sb_status status = sb_intervals_check(hooks->times.event, t_start, t_end, interval, err);
  if (status != SB_OK) {
    err->param = "period";
  }
  return status;
}

sb_status sb_clocks_check(const sb_graph *graph, double t_start, double t_end, sb_errors *errors) {
  sb_status status = SB_OK;
  for (int i = 0; i < graph->element_count && t_end > t_start; i++) {
    const sb_element *element = graph->elements[i];
    sb_error err = {0};
    if (check(element->type, element->self, t_start, t_end, &err) != SB_OK) {
      status = sb_element_word(element, err.status, &err);
      sb_param_place_into(element, &err);
      sb_place_into(&element->place, &err);
      sb_errors_add(errors, &err);
    }
  }
  return status;
}

sb_status sb_clocks_check_run(const sb_simulation *sim, double t_end, sb_error *err) {
  for (int i = 0; i < sim->switch_count; i++) {
    const sb_instance *instance = &sim->network->instances[sim->switches[i].instance];
    sb_error why = {0};
    sb_status status = check(instance->type, instance->self, sim->options.t_start, t_end, &why);
    if (status != SB_OK) {
      (void)sb_fail(err, status, "%s '%.80s': %.380s", instance->type->name, instance->id,
                    why.text);
      sb_place_into(&instance->place, err);
      return status;
    }
  }
  return SB_OK;
}
