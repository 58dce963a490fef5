// SPDX-License-Identifier: GPL-3.0-or-later
// Runge-Kutta methods by ARKODE: what it calls in a step, and its steps.
#include "core/integrator/arkode_private.h"

#include <arkode/arkode_arkstep.h>
#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/linalg/numbers.h"
#include "core/model/constraints.h"
#include "core/model/rhs.h"

/** The rate of the error monitor: one more number of the vector, of weight 1, through which ARKODE's error
 *  test and step-size control take account of the ledger. The error of its rate over the stages is made
 *  to be the largest relative error of a quadrature or, of a pair that is blind to it, of a state; before the first step, where ARKODE estimates a
 *  time scale, the rate is the largest relative rate of a quadrature. */
static double error_monitor(arkode *s, double t, const double power[]) {
  sb_quadrature *q = &s->ledger;
  const double *size = s->nominal->used + s->network->state_count, rtol = s->nominal->rtol;
  if (s->starting) {
    return sb_quadrature_rate(q, power, size, rtol);
  }
  double h = q->time[q->last] > 0 ? (t - s->now) / q->time[q->last] : 0;
  double error = sb_quadrature_close(q, h, size, rtol);
  if (s->blind.on) {
    error = fmax(error, sb_blind_error(&s->blind, h, &s->measure));
  }
  return error == 0 ? 0 : error / (h * q->error_weight[q->last]);
}

/** Rates and powers at a stage. If the caller evaluates the model at the end of each step, the rates at the
 *  first stage of the next step are known then; and of a pair whose last stage is the next first, the
 *  last stage is that evaluation (sb_workspace_evaluate). A chart reads what the elements leave in the workspace: rates that are known
 *  from before a step that was repeated are found again with that. */
static int rates_at(arkode *s, double t, const double y[], double rate[], double power[]) {
  sb_evaluation *known = &s->work->evaluation;
  known->known = known->known && (known->current || s->chart.count == 0);
  bool last = s->pending && s->ledger.stage == s->ledger.stages - 1;
  if (last && s->reuses && sb_workspace_evaluate(s->work, t, y) != 0) {
    return -1;
  }
  return sb_workspace_rates(s->work, t, y, rate, power);
}

/** The first three stages, and the last two at the end of the step, tell how fast the fastest mode is. */
static void gauge(arkode *s, const double y[], const double rate[]) {
  const int stage = s->ledger.stage, last = s->ledger.stages - 1;
  const double *time = s->ledger.time;
  const bool ends = stage > 2 && stage < last && time[stage] == time[last];
  if (!s->base.gauged || !s->pending || s->method->implicit) {
    return;
  }
  double fastest = stage == 1 ? 0 : s->base.fastest;
  if (stage == 1 || stage == last) {
    fastest = fmax(fastest, sb_stiffness_of_stages(&s->stiffness, s->nominal, y, rate));
  } else if (stage == 2) {
    fastest =
        fmax(fastest, sb_stiffness_of_bend(&s->stiffness, s->nominal, time[2] / time[1], y, rate));
  }
  s->base.fastest = fastest;
  if (stage == 0 || ends) {
    sb_stiffness_keep(&s->stiffness, y, rate);
  } else if (stage == 1) {
    sb_stiffness_keep_second(&s->stiffness, y, rate);
  }
}

int sb_arkode_rhs(double t, N_Vector y, N_Vector ydot, void *data) {
  arkode *s = data;
  double *rate = NV_DATA_S(ydot), *power = NULL;
  if (s->ledger.count == 0) { // the vector is all there is
    power = rate + s->network->state_count;
  } else if (s->pending) {
    power = sb_quadrature_power(&s->ledger);
  } else if (s->starting) {
    power = s->ledger.powers;
  }
  const double *x = sb_chart_leave(&s->chart, t, NV_DATA_S(y));
  int status = rates_at(s, t, x, rate, power);
  status = status == 0 ? sb_chart_rates(&s->chart, t, x, rate) : status;
  if (status != 0) {
    const char *element = sb_workspace_failure(s->work);
    s->failed = element == NULL ? s->network->name : element;
    s->failure = s->work->failure;
    // an implicit step may recover by itself
    return s->method->implicit && !sb_workspace_stopped(s->work) ? 1 : -1;
  }
  gauge(s, NV_DATA_S(y), rate);
  if (s->ledger.count > 0) {
    if (s->method->implicit && s->pending && power != NULL) {
      sb_stage_powers_find(s, t, ydot, power);
    }
    if (s->blind.on && s->pending) {
      if (s->ledger.stage == 0) {
        sb_blind_start(&s->blind, s->nominal, NV_DATA_S(y));
      }
      sb_blind_add(&s->blind, s->ledger.stage, rate);
    }
    bool tells = s->starting || (power != NULL && s->ledger.stage == s->ledger.last);
    double own = tells ? error_monitor(s, t, power) : 0;
    if (s->length > s->n) {
      rate[s->n] = own;
    }
  }
  s->pending = false;
  return 0;
}

/** Called when the state of a stage is found, before the stage's right-hand side. */
int sb_arkode_begin_stage(double t, N_Vector y, void *data) {
  (void)y;
  arkode *s = data;
  if (!s->implicit.solved) {
    sb_quadrature_begin(&s->ledger, t == s->now);
    s->pending = true;
    s->starting = false;
  }
  s->implicit.solved = false;
  return 0;
}

static void leave_chart(arkode *s, double t, double z[]) {
  const double *x = sb_chart_leave(&s->chart, t, z);
  if (x != z) {
    memcpy(z, x, (size_t)s->n * sizeof *z);
  }
}

/** Called when a step is accepted: constraints that are enforced by their rates drift. */
static int end_step(double t, N_Vector y, void *data) {
  arkode *s = data;
  double *z = NV_DATA_S(y), *quadratures = s->ledger.count > 0 ? s->ledger.sum : z + s->n;
  leave_chart(s, t, z);
  return sb_workspace_evaluate(s->work, t, z) == 0 &&
                 s->project(s->work, t, z, quadratures) == SB_OK &&
                 sb_chart_enter(&s->chart, t, z) == 0
             ? 0
             : -1;
}

int sb_arkode_error_weights(N_Vector y, N_Vector w, void *data) {
  const arkode *s = data;
  sb_nominal_weights(s->nominal, NV_DATA_S(y), s->n, NV_DATA_S(w));
  sb_chart_weights(&s->chart, s->nominal->rtol, NV_DATA_S(y), NV_DATA_S(w));
  if (s->length > s->n) {
    NV_DATA_S(w)[s->n] = 1;
  }
  return 0;
}

static sb_stepper_counts count(const sb_stepper *stepper) {
  const arkode *s = (const arkode *)(const void *)stepper;
  long steps = 0, failures = 0, jacobians = 0, newton = 0;
  (void)ARKStepGetNumSteps(s->ark, &steps);
  (void)ARKStepGetNumErrTestFails(s->ark, &failures);
  if (s->method->implicit) {
    (void)ARKStepGetNumJacEvals(s->ark, &jacobians);
    (void)ARKStepGetNumNonlinSolvConvFails(s->ark, &newton);
  }
  return (sb_stepper_counts){steps, failures + newton, jacobians};
}

static sb_status reset(sb_stepper *stepper, double t, const double x[], double first_step,
                       sb_error *err) {
  arkode *s = sb_arkode_of(stepper);
  assert(s->newton.jacobian == NULL || s->newton.jacobian->generation == s->work->generation);
  N_VConst(0, s->y);
  memcpy(NV_DATA_S(s->y), x, (size_t)s->n * sizeof *x);
  if (sb_chart_start(&s->chart, s->nominal->rtol, t, NV_DATA_S(s->y)) != 0) {
    return sb_fail(err, SB_ERR_NOT_FINITE, "the integrator could not be restarted");
  }
  sb_quadrature_reset(&s->ledger, x + s->n);
  s->starting = s->length > s->n;
  s->pending = false;
  bool drifts = sb_workspace_drifts(s->work);
  sb_implicit_stages_reset(&s->implicit);
  bool ok = ARKStepReset(s->ark, t, s->y) == 0 &&
            (s->fixed || ARKStepSetInitStep(s->ark, first_step) == 0) &&
            ARKStepSetPostprocessStepFn(s->ark, drifts ? end_step : NULL) == 0;
  return ok ? SB_OK : sb_fail(err, SB_ERR_SOLVER, "the integrator could not be restarted");
}

static sb_status set_end(arkode *s, double t_stop, sb_error *err) {
  if (s->fixed && ARKStepSetFixedStep(s->ark, t_stop - s->now) != 0) {
    return sb_fail(err, SB_ERR_SOLVER, "a step of %s s is not possible",
                   sb_number_word(t_stop - s->now).text);
  }
  if (!s->fixed && ARKStepSetStopTime(s->ark, t_stop) != 0) {
    return sb_fail(err, SB_ERR_SOLVER, "the integrator cannot stop at t = %s s",
                   sb_number_word(t_stop).text);
  }
  return SB_OK;
}

static sb_status step(sb_stepper *stepper, double t_stop, double *t, double x[], sb_error *err) {
  arkode *s = sb_arkode_of(stepper);
  int all = sb_vector_count(s->network);
  double reached;
  (void)ARKStepGetCurrentTime(s->ark, &s->now);
  s->failed = NULL;
  SB_TRY(set_end(s, t_stop, err));
  int flag = ARKStepEvolve(s->ark, t_stop, s->y, &reached, ARK_ONE_STEP);
  if (flag < 0) {
    return sb_arkode_failure(s, flag, s->now, err);
  }
  if (!s->fixed && !(reached > s->now)) { // an implicit method shortens its steps without end
    return sb_arkode_failure(s, ARK_REPTD_RHSFUNC_ERR, s->now, err);
  }
  (void)ARKStepGetLastStep(s->ark, &s->base.last);
  sb_implicit_stages_accept(&s->implicit);
  sb_stage_powers_accept(&s->powers);
  memcpy(x, sb_chart_leave(&s->chart, reached, NV_DATA_S(s->y)), (size_t)s->n * sizeof(double));
  if (s->ledger.count > 0) {
    sb_quadrature_accept(&s->ledger, s->base.last);
    memcpy(x + s->n, s->ledger.sum, (size_t)s->ledger.count * sizeof(double));
  }
  if (!sb_all_finite(x, all)) {
    return sb_overflow_fail(s->network, sb_first_infinite(x, all), s->now, err);
  }
  *t = s->fixed ? t_stop : reached;
  return SB_OK;
}

const sb_stepper_type sb_arkode = {sb_arkode_create, sb_arkode_destroy, reset, step, count,
                                   sb_arkode_binding};
