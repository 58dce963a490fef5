// SPDX-License-Identifier: GPL-3.0-or-later
// Clocks: elements whose events come again and again, each at the end of a step, and delays, than which no step is longer. One that
// is so fast that the run would not come to its end within `max_steps`, or whose times could not be told apart, is refused. So are
// sines of the time that drive something, as no step that misses whole periods follows them, and kinks that come again and again.
#include <math.h>

#include "core/graph/graph_data.h"
#include "core/network/turns.h"
#include "core/simulation/samples_private.h"
#include "core/simulation/simulation_private.h"

/** Steps that are longer than a delay by this share are so by rounding. */
static const double rounding = 1e-9;

sb_status sb_steps_check(const sb_options *options, double t_end, double interval, sb_error *err) {
  return sb_intervals_check("step", options->t_start, t_end, interval, options->max_steps, err);
}

static sb_status check(const sb_element_type *type, const void *self, const sb_options *options,
                       double t_end, sb_error *err) {
  const sb_switching_hooks *hooks = type->switching;
  const bool lags = type->signal != NULL && type->signal->delay != NULL;
  sb_status status = SB_OK;
  if (hooks != NULL && hooks->times.interval != NULL) {
    status = sb_intervals_check(hooks->times.event, options->t_start, t_end,
                                hooks->times.interval(self), options->max_steps, err);
    err->param = "period";
  } else if (lags) {
    status = sb_steps_check(options, t_end, type->signal->delay->lag(self), err);
    err->param = "delay";
  }
  if (status != SB_OK) {
    sb_error_hint(err, "%s, and max-steps allows no more than %d",
                  lags ? "no step is longer than a delay" : "a step ends at each",
                  options->max_steps);
  }
  return status;
}

sb_status sb_clocks_check(const sb_graph *graph, const sb_options *options, double t_end,
                          sb_errors *errors) {
  sb_status status = SB_OK;
  for (int i = 0; i < graph->element_count && t_end > options->t_start; i++) {
    const sb_element *element = graph->elements[i];
    sb_error err = {0};
    if (check(element->type, element->self, options, t_end, &err) != SB_OK) {
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
    sb_status status = check(instance->type, instance->self, &sim->options, t_end, &why);
    if (status != SB_OK) {
      (void)sb_fail(err, status, "%s '%.80s': %.380s", instance->type->name, instance->id,
                    why.text);
      sb_place_into(&instance->place, err);
      return status;
    }
  }
  return SB_OK;
}

/** No step is longer than the shortest delay, so that fixed ones are cut to it, and no two of them tell what the network does in between. */
bool sb_lags_foresee(const sb_simulation *sim, double t_end, sb_errors *warnings) {
  const sb_instance *shortest = NULL;
  double lag =
      fmin(sim->options.step, t_end - sim->t); // in a run that is shorter nothing comes back
  for (int i = 0; sim->options.step > 0 && i < sim->network->instance_count; i++) {
    const sb_instance *instance = &sim->network->instances[i];
    const double own =
        instance->delay >= 0 ? instance->type->signal->delay->lag(instance->self) : HUGE_VAL;
    if (own < (1 - rounding) * lag) {
      shortest = instance;
      lag = own;
    }
  }
  if (shortest == NULL) {
    return true;
  }
  sb_error err = {0};
  const int before = warnings->count;
  sb_warn(&err, SB_ERR_LIMIT,
          "the step of the run, %s s, is longer than the delay of '%.80s', %s s: what goes round "
          "through "
          "that is not resolved",
          sb_number_word(sim->options.step).text, shortest->id, sb_number_word(lag).text);
  sb_error_hint(
      &err,
      "give <run> a step that is a fraction of the delay, or a method that chooses its steps");
  sb_place_into(&shortest->place, &err);
  sb_errors_add(warnings, &err);
  return warnings->count > before;
}

/** Sources and what moves, with all that they depend on. A signal that is only read costs no step.  @return false: out of memory */
static bool find_driving(const sb_network *network, bool driving[], sb_arena *memory) {
  for (int i = 0; i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    driving[i] = instance->type->signal == NULL || instance->layout.states > 0;
  }
  return sb_network_feeding(network, driving, memory);
}

/** Whether what repeats in an element does so no more often than steps may be taken: steps end at all kinks. */
static sb_status check_repeating(const sb_simulation *sim, const sb_instance *instance, bool drives,
                                 double t_end, sb_error *err) {
  const sb_options *options = &sim->options;
  const double turns = sb_instance_turns(sim->network, instance),
               interval = sb_instance_interval(sim->network, instance);
  if (drives && turns < HUGE_VAL) {
    SB_TRY(
        sb_intervals_check("period", options->t_start, t_end, 8 * turns, options->max_steps, err));
  }
  return interval < HUGE_VAL ? sb_intervals_check("kink", options->t_start, t_end, interval,
                                                  options->max_steps, err)
                             : SB_OK;
}

static sb_status refuse(const sb_simulation *sim, double t_end, sb_error *err) {
  const sb_network *network = sim->network;
  sb_arena memory = {0};
  bool *driving = sb_arena_zeroed(&memory, network->instance_count, sizeof *driving);
  sb_status status = SB_OK;
  if (driving == NULL || !find_driving(network, driving, &memory)) {
    status = sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  for (int i = 0; i < network->instance_count && status == SB_OK; i++) {
    const sb_instance *instance = &network->instances[i];
    sb_error why = {0};
    status = check_repeating(sim, instance, driving[i], t_end, &why);
    if (status != SB_OK) {
      (void)sb_fail(err, status, "%s '%.80s': %.380s", instance->type->name, instance->id,
                    why.text);
      sb_error_hint(err, "each takes a step or several, and max-steps allows no more than %d",
                    sim->options.max_steps);
      sb_place_into(&instance->place, err);
    }
  }
  sb_arena_finish(&memory);
  return status;
}

sb_status sb_turns_check_run(const sb_simulation *sim, double t_end, sb_error *err) {
  const sb_options *options = &sim->options;
  const bool fast =
      sim->repeats < HUGE_VAL && sb_intervals_check("period", options->t_start, t_end, sim->repeats,
                                                    options->max_steps, NULL) != SB_OK;
  return fast ? refuse(sim, t_end, err) : SB_OK;
}
