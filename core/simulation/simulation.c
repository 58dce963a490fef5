// SPDX-License-Identifier: GPL-3.0-or-later
// A simulation from its start to its end; its steps are in step.c.
#include "core/simulation/simulation.h"
#include "core/simulation/switching_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#include "core/base/uneven.h"
#include "core/loop/loop.h"
#include "core/model/constraints.h"
#include "core/model/rhs.h"
#include "core/network/roles.h"
#include "core/simulation/simulation_private.h"

/** A relative tolerance beyond this does not even promise two digits. */
static const double loose_rtol = 1e-2;

sb_status sb_rtol_check(double rtol, sb_error *err) {
  if (!(rtol > 0) || !(rtol < 1)) {
    return sb_fail(err, SB_ERR_RANGE, "rtol must be between 0 and 1");
  }
  if (rtol < 1e-15) {
    return sb_fail(err, SB_ERR_RANGE, "rtol is below 1e-15, the rounding of a number");
  }
  return SB_OK;
}

bool sb_rtol_is_loose(double rtol, sb_error *warning) {
  if (!(rtol > loose_rtol)) {
    return false;
  }
  sb_warn(warning, SB_ERR_RANGE, "at an rtol of %s a step may be wrong by %s %%",
          sb_number_word(rtol).text, sb_number_word(100 * rtol).text);
  return true;
}

static sb_status check_options(const sb_options *o, sb_error *err) {
  if (o->method == NULL) {
    return sb_fail(err, SB_ERR_USAGE, "no integration method is chosen");
  }
  if (!o->method->adaptive && !(o->step > 0)) {
    return sb_fail(err, SB_ERR_USAGE, "%s has no step control: give a step", o->method->name);
  }
  SB_TRY(sb_rtol_check(o->rtol, err));
  if (!(o->atol >= 0) || !isfinite(o->atol)) {
    return sb_fail(err, SB_ERR_RANGE, "atol must not be negative");
  }
  if (!(o->step >= 0) || !(o->max_step >= 0) || !(o->first_step >= 0) || !isfinite(o->t_start) ||
      !isfinite(o->step)) {
    return sb_fail(err, SB_ERR_RANGE, "steps must not be negative and the start must be finite");
  }
  return SB_OK;
}

void sb_switches_find(sb_simulation *sim) {
  const sb_program *program = sim->model->program;
  sim->evaluates_ends = sim->network->monitor_count > 0 ||
                        program->causality.constraint_count > 0 || program->loop_count > 0;
  for (int i = 0; i < sim->network->instance_count; i++) {
    const sb_instance *instance = &sim->network->instances[i];
    if (instance->mode >= 0 && !instance->type->switching->follows) {
      sim->switches[sim->switch_count++] =
          (sb_switch){.instance = i, .hooks = instance->type->switching, .since = sim->t};
      sim->has_timed = sim->has_timed || instance->type->switching->times.next_time != NULL;
    }
    if (sb_instance_commutates(instance)) {
      const sb_switching_hooks *hooks = instance->type->switching;
      sim->indicators_read_ports = sim->indicators_read_ports || hooks->sees_ports;
    }
    sim->modulated_count += instance->type->structure != NULL && instance->hooked;
    sim->evaluates_ends = sim->evaluates_ends || instance->mode >= 0 ||
                          (instance->hooked && sb_roles[instance->type->role].inward);
  }
}

sb_status sb_simulation_allocate(sb_simulation *sim, sb_error *err) {
  int n = sb_vector_count(sim->network), components = 0, given = 0;
  for (int i = 0; i < sim->network->instance_count; i++) {
    int own = sim->network->instances[i].components;
    components = own > components ? own : components;
    int all = 2 * own + sim->network->instances[i].layout.states +
              2 * sim->network->instances[i].signal_count; // of at most two hooks
    given = all > given ? all : given;
  }
  sim->x = sb_arena_zeroed(&sim->memory, n, sizeof(double));
  sim->x0 = sb_arena_zeroed(&sim->memory, n, sizeof(double));
  sim->rates0 = sb_arena_zeroed(&sim->memory, n, sizeof(double));
  sim->course = sb_arena_zeroed(&sim->memory, sim->network->state_count, sizeof(double));
  sim->behind = sb_arena_zeroed(&sim->memory, n, sizeof(double));
  sim->xp = sb_arena_zeroed(&sim->memory, n, sizeof(double));
  sim->view_x = sb_arena_zeroed(&sim->memory, n, sizeof(double));
  sim->port_values = sb_arena_zeroed(&sim->memory, 2 * components, sizeof(double));
  sim->switches = sb_arena_zeroed(
      &sim->memory, sim->network->mode_count + sim->network->branch_count, sizeof(sb_switch));
  sim->changed = sb_arena_zeroed(&sim->memory, 2 * sim->network->mode_count + SB_COMMUTATION_MAX,
                                 sizeof *sim->changed);
  sim->hook_values = sb_arena_zeroed(&sim->memory, 3 * given, sizeof(double));
  sim->port_sizes = sb_arena_zeroed(
      &sim->memory, sb_value_var(sim->network, sim->network->value_count), sizeof(double));
  sim->value_sizes = sb_arena_zeroed(&sim->memory, sim->network->value_count, sizeof(double));
  sim->state_sizes = sb_arena_zeroed(&sim->memory, sim->network->state_count, sizeof(double));
  sim->held_energies = sb_arena_zeroed(&sim->memory, sim->network->part_count, sizeof(double));
  sim->uneven = sb_arena_zeroed(&sim->memory, components, sizeof(double));
  sim->acceleration_terms = sb_arena_zeroed(&sim->memory, components, sizeof(double));
  for (int k = 0; sim->uneven != NULL && k < components; k++) {
    sim->uneven[k] = sb_uneven(k);
  }
  sim->passages =
      sb_arena_zeroed(&sim->memory, sim->network->drifting_count, sizeof *sim->passages);
  sim->later = sb_arena_zeroed(&sim->memory, n, sizeof(double));
  sim->modes_kept = sb_arena_zeroed(&sim->memory, sim->network->mode_count, sizeof(int));
  sim->monitored = sb_arena_zeroed(&sim->memory, sim->network->monitored_count, sizeof(double));
  if (sim->memory.failed) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  return sb_workspace_create(sim->model, &sim->work, err);
}

static sb_status start(sb_simulation *sim, sb_error *err) {
  sb_model_start(sim->model, sim->work, sim->x);
  sb_inputs_start(sim);
  sb_step_boundary(sim);
  SB_TRY(sb_audit_init(&sim->audit, sim->network, sim->work, &sim->options, &sim->nominal, err));
  sb_blocks_start(sim);
  SB_TRY(sb_evaluate_resting(sim, err));
  SB_TRY(sb_delays_start(sim, err));
  SB_TRY(sb_branches_choose(sim, err));
  (void)sb_event_accept(sim);
  SB_TRY(sb_event_settle(sim, false, err));
  SB_TRY(sb_evaluate(sim, sim->t, sim->x, err));
  sb_audit_start(&sim->audit, sim->t, sim->x);
  sim->begun = true;
  SB_TRY(sb_consistency_find_stuck(sim, err));
  if (sim->options.inconsistent == SB_INCONSISTENT_REFUSE) {
    SB_TRY(sb_consistency_refuse(sim, err));
  }
  SB_TRY(sb_consistency_project(sim, err));
  sb_audit_before_events(&sim->audit, sim->t, sim->x);
  SB_TRY(sb_impacts_start(sim, err));
  SB_TRY(sb_event_settle(sim, true, err));
  SB_TRY(sb_event_jumped(sim, err)); // modes that were those of the state before the impulse
  SB_TRY(sb_evaluate(sim, sim->t, sim->x, err));
  SB_TRY(sb_blocks_sample(sim, err));
  SB_TRY(sb_loops_check(sim, err));
  SB_TRY(sb_delays_start(sim, err));
  sb_nominal_start(&sim->nominal, sim->t, sim->x);
  SB_TRY(sb_event_due(sim, true, err));
  SB_TRY(sb_temperatures_check(sim, err));
  if (sim->options.inconsistent == SB_INCONSISTENT_REFUSE) {
    SB_TRY(sb_start_refuse_losses(sim, err));
  }
  sim->restart = true;
  sb_step_view(sim, sim->t, sim->x);
  sb_audit_close(&sim->audit, sim->t, sim->x);
  return SB_OK;
}

static sb_status prepare(sb_simulation *sim, sb_error *err) {
  SB_TRY(sb_samples_create(&sim->samples, err));
  SB_TRY(sb_simulation_allocate(sim, err));
  SB_TRY(sb_nominal_init(&sim->nominal, &sim->options, sim->work, err));
  sb_switches_find(sim);
  sb_branches_list(sim);
  SB_TRY(sb_step_checks_find(sim, err));
  SB_TRY(sb_features_list(sim, err));
  SB_TRY(sb_turns_find(sim, err));
  sb_automatic_start(sim);
  SB_TRY(sb_steppers_renew(sim, err));
  SB_TRY(sb_delays_create(sim, err));
  SB_TRY(sb_blurred_create(sim, err));
  return start(sim, err);
}

sb_status sb_simulation_create(const sb_model *model, const sb_options *options,
                               sb_simulation **result, sb_error *err) {
  *result = NULL;
  SB_TRY(check_options(options, err));
  if (sb_vector_count(&model->network) == 0) {
    (void)sb_fail(err, SB_ERR_MISSING, "the model '%s' has nothing to simulate",
                  model->network.name);
    sb_place_into(&model->network.place, err);
    return SB_ERR_MISSING;
  }
  sb_simulation *sim = calloc(1, sizeof *sim);
  if (sim == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  *sim = (sb_simulation){.first = model,
                         .model = model,
                         .network = &model->network,
                         .options = *options,
                         .t = options->t_start,
                         .room = 1,
                         .room_t = options->t_start,
                         .burst_t = -HUGE_VAL};
  sb_status status = prepare(sim, err);
  if (status != SB_OK) {
    sb_simulation_destroy(sim);
    return status;
  }
  *result = sim;
  return SB_OK;
}

void sb_simulation_destroy(sb_simulation *sim) {
  if (sim == NULL) {
    return;
  }
  sb_audit_finish(&sim->audit);
  sb_stepper_destroy(sim->main);
  sb_stepper_destroy(sim->locating);
  sb_stepper_destroy(sim->sampling);
  sb_crossing_destroy(sim->crossing);
  sb_nominal_finish(&sim->nominal);
  sb_workspace_destroy(sim->work);
  sb_samples_destroy(sim->samples);
  sb_features_finish(sim);
  sb_arena_finish(&sim->memory);
  sb_arena_finish(&sim->lasting);
  sb_model_destroy(sim->own);
  free(sim->kept);
  free(sim);
}

unsigned sb_run_enter(sb_simulation *sim) {
  sim->work->stop = &sim->interrupted;
#if defined(__SSE2__)
  unsigned mode = _mm_getcsr();
  _mm_setcsr(mode | 0x8040U);
  return mode;
#else
  return 0;
#endif
}

void sb_run_leave(sb_simulation *sim, unsigned mode) {
  sim->work->stop = NULL;
#if defined(__SSE2__)
  _mm_setcsr(mode);
#else
  (void)mode;
#endif
}

void sb_run_count(sb_simulation *sim) {
  sb_stepper_counts counts = sb_stepper_count(sim->main);
  sb_ledger *ledger = &sim->audit.ledger;
  ledger->work.steps = sim->accepted;
  ledger->work.rejected = sim->rejected_before + counts.rejected + sim->unbalanced;
  ledger->work.jacobians = sim->jacobians_before + counts.jacobians;
  ledger->work.rhs = sim->work->rhs_count;
}

/** Where a run that is interrupted was, and what its steps are held to: one that crawls tells what it follows. */
sb_status sb_interrupt_fail(const sb_simulation *sim, sb_error *err) {
  const int binding = sim->accepted > 0 ? sb_stepper_binding(sim->main) : -1;
  char name[300];
  (void)sb_fail(err, SB_INTERRUPTED, "interrupted at t = %s s", sb_number_word(sim->t).text);
  if (sim->accepted > 0 && binding < 0) {
    sb_error_hint(err, "it was at t = %s s, after %ld steps, the last of %s s",
                  sb_number_word(sim->t).text, sim->accepted, sb_number_word(sim->last_step).text);
  } else if (sim->accepted > 0) {
    const bool state = binding < sim->network->state_count;
    sb_error_hint(err,
                  "it was at t = %s s, after %ld steps, the last of %s s; no longer one would have "
                  "kept the error of %s%s%s within rtol",
                  sb_number_word(sim->t).text, sim->accepted, sb_number_word(sim->last_step).text,
                  state ? "'" : "",
                  state ? sb_vector_name(sim->network, binding, name) : "the energy accounts",
                  state ? "'" : "");
  }
  return SB_INTERRUPTED;
}

sb_status sb_run_advance(sb_simulation *sim, double t_end, sb_error *err) {
  sb_status status = SB_OK;
  sim->t_end = t_end;
  sb_features_foresee(sim, t_end);
  if (sim->inputs_changed) {
    sim->inputs_changed = false;
    SB_TRY(sb_evaluate(sim, sim->t, sim->x, err));
    SB_TRY(sb_branches_choose(sim, err));
    SB_TRY(sb_consistency_project(sim, err));
    SB_TRY(sb_loops_check(sim, err));
    SB_TRY(sb_event_jumped(sim, err));
  }
  while (status == SB_OK && sim->t < t_end && !sim->interrupted) {
    status = sb_step_take(sim, t_end, err);
  }
  if (status == SB_OK && sim->evaluates_ends) {
    status = sb_evaluate(sim, sim->t, sim->x, err);
  }
  if (sim->interrupted) { // whatever has failed because of it
    sim->work->stop = NULL;
    (void)sb_workspace_evaluate(sim->work, sim->t, sim->x);
    status = sb_interrupt_fail(sim, err);
  }
  sb_step_view(sim, sim->t, sim->x);
  sb_audit_close(&sim->audit, sim->t, sim->x);
  sb_run_count(sim);
  return status;
}

sb_status sb_run_check(const sb_simulation *sim, double t, sb_error *err) {
  if (!isfinite(t) || t < sim->t) {
    return sb_fail(err, SB_ERR_USAGE, "cannot go from t = %s s to %s s",
                   sb_number_word(sim->t).text, sb_number_word(t).text);
  }
  SB_TRY(sb_turns_check_run(sim, t, err));
  return sim->has_timed ? sb_clocks_check_run(sim, t, err) : SB_OK;
}

sb_status sb_simulation_advance(sb_simulation *sim, double t, sb_error *err) {
  SB_TRY(sb_run_check(sim, t, err));
  unsigned mode = sb_run_enter(sim);
  sb_status status = sb_run_advance(sim, t, err);
  sb_run_leave(sim, mode);
  return status;
}

void sb_simulation_interrupt(sb_simulation *sim) {
  sim->interrupted = 1;
}
