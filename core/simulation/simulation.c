// SPDX-License-Identifier: GPL-3.0-or-later
// A simulation from its start to its end; its steps are in step.c.
#include "core/simulation/simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#include "core/base/array.h"
#include "core/loop/loop.h"
#include "core/model/constraints.h"
#include "core/model/rhs.h"
#include "core/simulation/simulation_private.h"

static sb_status check_options(const sb_options *o, sb_error *err) {
  if (o->method == NULL) {
    return sb_fail(err, SB_ERR_USAGE, "no integration method is chosen");
  }
  if (!o->method->adaptive && !(o->step > 0)) {
    return sb_fail(err, SB_ERR_USAGE, "%s has no step control: give a step", o->method->name);
  }
  if (!(o->rtol > 0) || !(o->rtol < 1) || !(o->atol > 0) || !isfinite(o->atol)) {
    return sb_fail(err, SB_ERR_RANGE, "rtol must be between 0 and 1, and atol positive");
  }
  if (o->rtol < 1e-15) {
    return sb_fail(err, SB_ERR_RANGE, "rtol is below 1e-15, the rounding of a number");
  }
  if (!(o->step >= 0) || !(o->max_step >= 0) || !(o->first_step >= 0) || !isfinite(o->t_start) ||
      !isfinite(o->step)) {
    return sb_fail(err, SB_ERR_RANGE, "steps must not be negative and the start must be finite");
  }
  return SB_OK;
}

static sb_status find_switchings(sb_simulation *sim, sb_error *err) {
  sim->switchings = sb_zeroed(sim->network->mode_count, sizeof(sb_switching));
  if (sim->switchings == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  int components = 0;
  for (int i = 0; i < sim->network->instance_count; i++) {
    const sb_instance *instance = &sim->network->instances[i];
    components = instance->components > components ? instance->components : components;
    const sb_switching_hooks *switching = instance->mode >= 0 && !instance->hooked
                                              ? instance->type->switching
                                              : &(sb_switching_hooks){0};
    sim->indicators_read_ports = sim->indicators_read_ports || switching->sees_ports;
    sim->has_indicators = sim->has_indicators || switching->indicators != NULL;
    sb_role role = sim->network->instances[i].type->role;
    sim->hooks =
        sim->hooks || sim->network->instances[i].mode >= 0 ||
        (sim->network->instances[i].hooked && (role == SB_STORAGE || role == SB_DISSIPATION));
    if (sim->network->instances[i].mode >= 0) {
      sim->switchings[sim->switching_count++] = (sb_switching){.instance = i, .since = sim->t};
    }
  }
  sim->port_values = sb_zeroed(2 * components, sizeof(double));
  if (sim->port_values == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  return SB_OK;
}

/** Sources that are set from outside start at their parameter. */
static void start_inputs(sb_simulation *sim) {
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

static sb_status allocate(sb_simulation *sim, sb_error *err) {
  int n = sb_vector_count(sim->network);
  sim->x = sb_zeroed(n, sizeof(double));
  sim->x0 = sb_zeroed(n, sizeof(double));
  sim->xp = sb_zeroed(n, sizeof(double));
  sim->view_x = sb_zeroed(n, sizeof(double));
  if (sim->x == NULL || sim->x0 == NULL || sim->xp == NULL || sim->view_x == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  sim->work = sb_workspace_create(sim->model, err);
  sim->hooks = sim->model->program->causality.constraint_count > 0;
  return sim->work == NULL ? SB_ERR_MEMORY : SB_OK;
}

static sb_status start(sb_simulation *sim, sb_error *err) {
  const sb_ledger settings = {.limit = sim->options.residual_limit};
  sb_model_start(sim->model, sim->work, sim->x);
  start_inputs(sim);
  sb_step_boundary(sim);
  SB_TRY(sb_audit_init(&sim->audit, sim->network, sim->work, &settings, err));
  SB_TRY(sb_evaluate(sim, sim->t, sim->x, err));
  sb_event_accept(sim);
  SB_TRY(sb_event_settle(sim, true, err));
  SB_TRY(sb_evaluate(sim, sim->t, sim->x, err));
  for (int i = 0; i < sim->audit.ledger.event_count; i++) { // modes at the start lose nothing
    sb_event *event = &sim->audit.ledger.events[i];
    event->loss = 0;
    event->stored_before = event->stored_after;
  }
  for (int i = 0; i < sim->network->instance_count; i++) {
    sim->audit.ledger.elements[i].event_loss = 0;
  }
  sim->audit.ledger.total.event_loss = 0;
  sb_audit_start(&sim->audit, sim->t, sim->x);
  if (sim->options.inconsistent == SB_INCONSISTENT_REFUSE) {
    SB_TRY(sb_event_refuse(sim, err));
  }
  SB_TRY(sb_event_project(sim, err));
  SB_TRY(sb_event_settle(sim, false, err));
  SB_TRY(sb_evaluate(sim, sim->t, sim->x, err));
  sim->restart = true;
  sb_step_view(sim, sim->t, sim->x);
  sb_audit_close(&sim->audit, sim->t, sim->x);
  return SB_OK;
}

sb_status sb_simulation_create(const sb_model *model, const sb_options *options,
                               sb_simulation **result, sb_error *err) {
  *result = NULL;
  SB_TRY(check_options(options, err));
  if (sb_vector_count(&model->network) == 0) {
    return sb_fail(err, SB_ERR_USAGE, "the model '%s' has nothing to simulate",
                   model->network.name);
  }
  sb_simulation *sim = calloc(1, sizeof *sim);
  if (sim == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  *sim = (sb_simulation){.model = model,
                         .network = &model->network,
                         .options = *options,
                         .t = options->t_start,
                         .burst_t = -HUGE_VAL};
  sb_status status = allocate(sim, err);
  if (status == SB_OK) {
    status = find_switchings(sim, err);
  }
  if (status == SB_OK) {
    status = sb_limits_find(sim, err);
  }
  if (status == SB_OK) {
    status = sb_steppers_renew(sim, err);
  }
  if (status == SB_OK) {
    status = start(sim, err);
  }
  if (status != SB_OK) {
    sb_simulation_destroy(sim);
    return status;
  }
  *result = sim;
  return SB_OK;
}

/** In the place of the one before, whose counts are kept. @param fixed  steps of given length */
static sb_status renew(sb_simulation *sim, sb_stepper **stepper, bool fixed, sb_error *err) {
  sb_stepper *made;
  sb_stepper_setup setup = {.work = sim->work,
                            .options = &sim->options,
                            .fixed = fixed,
                            .shared = sim->hooks,
                            .project = sb_workspace_enforce};
  SB_TRY(sb_stepper_create(&setup, &made, err));
  if (stepper == &sim->main && *stepper != NULL) {
    sb_stepper_counts counts = sb_stepper_count(*stepper);
    sim->audit.ledger.work.rejected += counts.rejected;
    sim->audit.ledger.work.jacobians += counts.jacobians;
  }
  sb_stepper_destroy(*stepper);
  *stepper = made;
  return SB_OK;
}

sb_status sb_steppers_renew(sb_simulation *sim, sb_error *err) {
  SB_TRY(renew(sim, &sim->main, sim->options.step > 0, err));
  if (sim->switching_count > 0) {
    SB_TRY(renew(sim, &sim->locating, true, err));
  }
  return sim->sample > 0 ? renew(sim, &sim->sampling, true, err) : SB_OK;
}

void sb_simulation_destroy(sb_simulation *sim) {
  if (sim == NULL) {
    return;
  }
  sb_audit_finish(&sim->audit);
  sb_stepper_destroy(sim->main);
  sb_stepper_destroy(sim->locating);
  sb_stepper_destroy(sim->sampling);
  sb_workspace_destroy(sim->work);
  free(sim->switchings);
  free(sim->limits);
  free(sim->port_values);
  free(sim->x);
  free(sim->x0);
  free(sim->xp);
  free(sim->view_x);
  free(sim->kept);
  free(sim);
}

sb_status sb_enforce(sb_simulation *sim, double t, double x[], sb_error *err) {
  return sb_workspace_enforce(sim->work, t, x, x + sim->network->state_count) == SB_OK
             ? SB_OK
             : sb_fail(err, SB_ERR_MEMORY, "out of memory");
}

sb_status sb_evaluate(sb_simulation *sim, double t, const double x[], sb_error *err) {
  if (sb_workspace_evaluate(sim->work, t, x) != 0) {
    if (sim->work->failure.kind != SB_LOOP_SOLVED) {
      return sb_loop_failure_word(sim->work, &sim->work->failure, err);
    }
    const char *element = sb_workspace_failure(sim->work);
    return sb_fail(err, SB_ERR_NOT_FINITE, "'%s' gives no finite number at t = %s s",
                   element == NULL ? sim->network->name : element, sb_number_word(t).text);
  }
  return SB_OK;
}

/** An implicit partial step starts without the history that helped Newton's iteration through the step
 *  itself; where it fails it is made in halves, quarters and so on, down to this. */
enum { PROBE_PARTS_MAX = 1024 };

/** From the start of the step to t in so many steps of equal length. */
static sb_status probe_in(sb_simulation *sim, sb_stepper *stepper, double t, int instances,
                          sb_error *err) {
  double reached;
  SB_TRY(sb_stepper_reset(stepper, sim->t0, sim->x0, 0, err));
  for (int k = 1; k <= instances; k++) {
    double end = k == instances ? t : sim->t0 + (t - sim->t0) * k / instances;
    SB_TRY(sb_stepper_step(stepper, end, &reached, sim->xp, err));
  }
  return SB_OK;
}

sb_status sb_probe(sb_simulation *sim, sb_stepper *stepper, double t, sb_error *err) {
  sim->probed = true;
  sb_status status = probe_in(sim, stepper, t, 1, err);
  for (int instances = 2; status != SB_OK && instances <= PROBE_PARTS_MAX; instances *= 2) {
    status = probe_in(sim, stepper, t, instances, err);
  }
  SB_TRY(status);
  SB_TRY(sb_evaluate(sim, t, sim->xp, err));
  return sb_enforce(sim, t, sim->xp, err);
}

/** Denormals in long stiff networks cost a factor of four: they are flushed while a run lasts, and
 *  the caller's mode is put back. */
static unsigned enter_run(void) {
#if defined(__SSE2__)
  unsigned mode = _mm_getcsr();
  _mm_setcsr(mode | 0x8040U);
  return mode;
#else
  return 0;
#endif
}

static void leave_run(unsigned mode) {
#if defined(__SSE2__)
  _mm_setcsr(mode);
#else
  (void)mode;
#endif
}

static void finish_counts(sb_simulation *sim) {
  sb_stepper_counts counts = sb_stepper_count(sim->main);
  sb_ledger *ledger = &sim->audit.ledger;
  ledger->work.steps = sim->accepted;
  ledger->work.rejected = counts.rejected + sim->unbalanced;
  ledger->work.jacobians = counts.jacobians;
  ledger->work.rhs = sim->work->rhs_count;
}

static sb_status advance(sb_simulation *sim, double t_end, sb_error *err) {
  sb_status status = SB_OK;
  if (sim->inputs_changed) {
    sim->inputs_changed = false;
    SB_TRY(sb_evaluate(sim, sim->t, sim->x, err));
    SB_TRY(sb_event_project(sim, err));
  }
  while (status == SB_OK && sim->t < t_end) {
    status = sim->interrupted ? sb_fail(err, SB_INTERRUPTED, "interrupted at t = %s s",
                                        sb_number_word(sim->t).text)
                              : sb_step_take(sim, t_end, err);
  }
  if (status == SB_OK && sim->hooks) {
    status = sb_evaluate(sim, sim->t, sim->x, err);
  }
  sb_step_view(sim, sim->t, sim->x);
  sb_audit_close(&sim->audit, sim->t, sim->x);
  finish_counts(sim);
  return status;
}

static sb_status check_time(const sb_simulation *sim, double t, sb_error *err) {
  return isfinite(t) && t >= sim->t ? SB_OK
                                    : sb_fail(err, SB_ERR_USAGE, "cannot go from t = %s s to %s s",
                                              sb_number_word(sim->t).text, sb_number_word(t).text);
}

sb_status sb_simulation_advance(sb_simulation *sim, double t, sb_error *err) {
  SB_TRY(check_time(sim, t, err));
  unsigned mode = enter_run();
  sb_status status = advance(sim, t, err);
  leave_run(mode);
  return status;
}

sb_status sb_simulation_run(sb_simulation *sim, double t_end, double sample, sb_sampler sampler,
                            void *context, sb_error *err) {
  SB_TRY(check_time(sim, t_end, err));
  unsigned mode = enter_run();
  sim->sampler = sampler;
  sim->sampler_context = context;
  sim->sample = sample;
  sb_status status = SB_OK;
  if (sample > 0 && sampler != NULL && sim->sampling == NULL) {
    status = renew(sim, &sim->sampling, true, err);
  }
  if (status == SB_OK && sim->sample_count == 0 && sampler != NULL) {
    sim->sample_count = 1;
    status = sb_sample(sim, sim->t, err);
  }
  if (status == SB_OK) {
    status = advance(sim, t_end, err);
  }
  bool sampled = sim->audit.sampled_t == sim->t;
  if (status == SB_OK && sampler != NULL && !sampled) {
    status = sb_sample(sim, sim->t, err);
  }
  if (status == SB_INTERRUPTED && err != NULL && err->status != SB_INTERRUPTED) {
    (void)sb_fail(err, SB_INTERRUPTED, "interrupted at t = %s s", sb_number_word(sim->t).text);
  }
  sim->sampler = NULL;
  finish_counts(sim);
  leave_run(mode);
  return status;
}

void sb_simulation_interrupt(sb_simulation *sim) {
  sim->interrupted = 1;
}
double sb_simulation_time(const sb_simulation *sim) {
  return sim->view_t;
}
const double *sb_simulation_state(const sb_simulation *sim) {
  return sim->view_x;
}
const sb_ledger *sb_simulation_ledger(const sb_simulation *sim) {
  return &sim->audit.ledger;
}

void sb_simulation_read(const sb_simulation *sim, const sb_quantity *quantity, double out[]) {
  sb_quantity_read(sim->work, quantity, sim->view_t, sim->view_x, out);
}

int sb_simulation_find_input(const sb_simulation *sim, const char *source, sb_error *err) {
  int index = sb_names_find(&sim->network->names, source, strlen(source));
  if (index < 0) {
    (void)sb_fail(err, SB_ERR_REFERENCE, "there is no element '%s'", source);
    return -1;
  }
  if (sim->network->instances[index].input_count == 0) {
    (void)sb_fail(err, SB_ERR_USAGE, "'%s' is not set from outside", source);
    sb_error_hint(err, "give the source waveform=\"input\"");
    return -1;
  }
  return index;
}

void sb_simulation_set(sb_simulation *sim, int input, const double values[]) {
  const sb_instance *instance = &sim->network->instances[input];
  memcpy(sim->work->inputs + instance->input, values,
         (size_t)instance->input_count * sizeof(double));
  sim->inputs_changed = true;
  sb_workspace_changed(sim->work);
  sim->restart = true; // the integrator's next step must not reuse the old right-hand side
}

sb_status sb_simulation_set_input(sb_simulation *sim, const char *source, const double values[],
                                  int count, sb_error *err) {
  int input = sb_simulation_find_input(sim, source, err);
  if (input < 0) {
    return SB_ERR_REFERENCE;
  }
  if (count != sim->network->instances[input].input_count) {
    return sb_fail(err, SB_ERR_DIMENSION, "'%s' takes %d numbers, got %d", source,
                   sim->network->instances[input].input_count, count);
  }
  sb_simulation_set(sim, input, values);
  return SB_OK;
}
