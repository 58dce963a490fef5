// SPDX-License-Identifier: GPL-3.0-or-later
// One step of a run: choose where it must end, step, look for events, keep the books, take samples,
// fire the events.
#include <math.h>
#include <string.h>

#include "core/loop/loop.h"
#include "core/model/rhs.h"
#include "core/network/roles.h"
#include "core/simulation/simulation_private.h"

/** A step that fails is tried again at a quarter of its length, this often. */
enum { RETRIES_MAX = 30 };
/** The first step after an event, as a part of the last one. */
static const double restart_fraction = 0.2;
/** Largest residual that one step may add, as a part of atol + rtol * the energy at stake; a step
 *  that adds more is taken again at a quarter of its length, this often at the most. */
static const double balance_fraction = 0.1;
enum { BALANCE_RETRIES_MAX = 4 };
/** A residual that grows with time and not with the step is no step's: a shorter one that leaves this
 *  part of its rate was in vain, and after as many in a row no step is taken again. */
static const double vain_fraction = 0.5;
enum { VAIN_MAX = 8 };

void sb_step_boundary(sb_simulation *sim) {
  double next = HUGE_VAL;
  for (int i = 0; i < sim->network->instance_count; i++) {
    next = fmin(next, sb_instance_next_break(&sim->network->instances[i], sim->t));
  }
  sim->boundary = next;
  sb_workspace_changed(sim->work);
  sim->work->inside = isinf(next) ? nextafter(sim->t, HUGE_VAL) : sim->t + 0.5 * (next - sim->t);
}

void sb_step_view(sb_simulation *sim, double t, const double x[]) {
  sim->view_t = t;
  memcpy(sim->view_x, x, (size_t)sb_vector_count(sim->network) * sizeof(double));
}

/** Times that differ by less than rounding are the same. */
static double rounding(double t) {
  return 8 * 2.220446049250313e-16 * fabs(t);
}

/** The longest step in which no source or signal turns unseen. Error control knows only of what a source moves:
 *  behind an open diode that is nothing. */
static double source_horizon(const sb_simulation *sim) {
  double horizon = HUGE_VAL;
  for (int i = 0; i < sim->network->instance_count; i++) {
    horizon = fmin(horizon, sb_instance_horizon(&sim->network->instances[i]));
  }
  return horizon;
}

/** Where the next step must end at the latest. */
static double stop_time(sb_simulation *sim, double limit) {
  const sb_options *o = &sim->options;
  int switching;
  double stop = fmin(fmin(limit, sim->boundary), sb_event_next_time(sim, &switching));
  double longest = sb_event_horizon(sim);
  longest = sim->has_indicators ? fmin(longest, source_horizon(sim)) : longest;
  longest = o->max_step > 0 ? fmin(longest, o->max_step) : longest;
  longest = o->step > 0 ? fmin(longest, o->step) : longest;
  if (sim->t + longest < stop - 1e-9 * longest) {
    stop = sim->t + longest;
  }
  return stop;
}

static void back_to_start(sb_simulation *sim) {
  sim->t = sim->t0;
  memcpy(sim->x, sim->x0, (size_t)sb_vector_count(sim->network) * sizeof *sim->x);
  sim->restart = true;
}

/** One accepted step. A failing right-hand side is met with shorter steps: ARKODE's explicit methods
 *  do not recover by themselves. */
static sb_status try_step(sb_simulation *sim, double stop, double wish, sb_error *err) {
  for (int attempt = 0;; attempt++) {
    sb_status status = SB_OK;
    if (sim->restart) {
      status = sb_stepper_reset(sim->main, sim->t0, sim->x0, fmin(wish, stop - sim->t0), err);
    }
    if (status == SB_OK) {
      status = sb_stepper_step(sim->main, stop, &sim->t, sim->x, err);
    }
    if (status == SB_OK) {
      break;
    }
    back_to_start(sim);
    stop = sim->t0 + 0.25 * (stop - sim->t0);
    wish = 0.25 * (stop - sim->t0);
    bool shorter = status == SB_ERR_NOT_FINITE || status == SB_ERR_UNSOLVED;
    if (!shorter || attempt == RETRIES_MAX || stop - sim->t0 <= rounding(sim->t0)) {
      return status;
    }
  }
  sim->restart = false;
  return SB_OK;
}

static double added_by(const sb_simulation *sim, const sb_balance *balance) {
  return fabs(balance->residual - sim->audit.residual);
}

/** Counts the steps that were taken again in vain: where an element's energy does not belong to its
 *  port, no step closes the books. `rate` is that of the attempt before, below zero at first. */
static void count_vain(sb_simulation *sim, const sb_balance *balance, double *rate) {
  double now = added_by(sim, balance) / (sim->t - sim->t0);
  if (*rate >= 0) {
    sim->vain = now > vain_fraction * *rate ? sim->vain + 1 : 0;
  }
  *rate = now;
}

/** What a step may add to the residual of the books. The error estimates of some pairs are blind to
 *  integrals of a given function (of all Fehlberg's of order 8), and so to the ledger, where a force
 *  sets in that is not smooth. */
static bool balance_met(const sb_simulation *sim, const sb_balance *balance) {
  double added = added_by(sim, balance);
  double scale = fmax(sb_audit_scale(&sim->audit), balance->magnitude);
  double tolerance = sim->options.rtol * scale + sim->options.atol;
  return added <= balance_fraction * tolerance || !isfinite(added);
}

/** A step with its event, if there is one; taken again, shorter, while its books do not close. */
static sb_status take_step(sb_simulation *sim, double stop, int *switching, int *indicator,
                           sb_balance *balance, sb_error *err) {
  double wish = sim->last_step > 0 ? restart_fraction * sim->last_step : sim->options.first_step;
  double rate = -1; // [W]
  sim->t0 = sim->t;
  memcpy(sim->x0, sim->x, (size_t)sb_vector_count(sim->network) * sizeof *sim->x);
  for (int attempt = 0;; attempt++) {
    SB_TRY(try_step(sim, stop, wish, err));
    double length = sb_stepper_last(sim->main);
    *switching = -1;
    if (sim->hooks) {
      SB_TRY(sb_evaluate(sim, sim->t, sim->x, err));
      SB_TRY(sb_enforce(sim, sim->t, sim->x, err));
      SB_TRY(sb_event_find(sim, switching, indicator, err));
    }
    *balance = sb_audit_balance(&sim->audit, sim->t, sim->x);
    if (sim->vain < VAIN_MAX) {
      count_vain(sim, balance, &rate);
    }
    if (sim->options.step > 0 || sim->vain >= VAIN_MAX || attempt == BALANCE_RETRIES_MAX ||
        balance_met(sim, balance)) {
      sim->last_step = length;
      sim->accepted++;
      return SB_OK;
    }
    stop = sim->t0 + 0.25 * (sim->t - sim->t0);
    wish = stop - sim->t0;
    back_to_start(sim);
    sim->unbalanced++;
  }
}

sb_status sb_step_emit(sb_simulation *sim, double t, const double x[]) {
  sb_audit_sample(&sim->audit, t, x, fmax(sim->t - sim->t0, 0));
  (void)sb_workspace_evaluate(sim->work, t, x); // the audit has looked around
  sb_step_view(sim, t, x);
  sb_audit_close(&sim->audit, t, x);
  return sim->sampler != NULL && sim->sampler(sim->sampler_context, sim, t) != 0 ? SB_INTERRUPTED
                                                                                 : SB_OK;
}

/** The samples that the last step has passed. */
static sb_status take_samples(sb_simulation *sim, sb_error *err) {
  if (sim->sampler == NULL) {
    return SB_OK;
  }
  if (sim->sample == 0) {
    return sb_step_emit(sim, sim->t, sim->x);
  }
  for (;;) {
    double t = sim->options.t_start + (double)sim->sample_count * sim->sample;
    if (t > sim->t + rounding(sim->t)) {
      return SB_OK;
    }
    sim->sample_count++;
    if (t >= sim->t - rounding(sim->t)) {
      SB_TRY(sb_step_emit(sim, sim->t, sim->x));
    } else if (t > sim->t0) {
      SB_TRY(sb_probe(sim, t, err));
      SB_TRY(sb_step_emit(sim, t, sim->xp));
    }
  }
}

/** The present is a kink of a source or the time of an event. */
static sb_status pass_boundary(sb_simulation *sim, sb_error *err) {
  int switching;
  if (sim->t >= sim->boundary - rounding(sim->t)) {
    sim->t = fmax(sim->t, sim->boundary);
    sb_step_boundary(sim);
    sim->restart = true;
    SB_TRY(sb_evaluate(sim, sim->t, sim->x, err));
    SB_TRY(sb_event_project(sim, err));
    SB_TRY(sb_loops_check(sim, err));
  }
  while (sb_event_next_time(sim, &switching) <= sim->t + rounding(sim->t) && switching >= 0) {
    SB_TRY(sb_evaluate(sim, sim->t, sim->x, err));
    SB_TRY(sb_event_fire(sim, switching, -1, err));
  }
  return SB_OK;
}

sb_status sb_step_take(sb_simulation *sim, double limit, sb_error *err) {
  int switching = -1, indicator = 0;
  sb_balance balance;
  SB_TRY(pass_boundary(sim, err));
  double stop = stop_time(sim, limit);
  if (stop - sim->t <= rounding(stop)) {
    sim->t = stop;
    return SB_OK;
  }
  if (sim->accepted >= sim->options.max_steps) {
    return sb_fail(err, SB_ERR_LIMIT, "more than %d steps; stopped at t = %s s",
                   sim->options.max_steps, sb_number_word(sim->t).text);
  }
  sim->work->loops.continues = true; // until the step is accepted
  SB_TRY(sb_event_blame(sim, take_step(sim, stop, &switching, &indicator, &balance, err), err));
  SB_TRY(sb_limits_check(sim, err));
  sb_audit_step(&sim->audit, sim->t, &balance, sim->x,
                sim->hooks ? sim->work->evaluation.xdot : NULL);
  SB_TRY(take_samples(sim, err));
  if (sim->sampler != NULL && sim->hooks) { // samples have left their own values behind
    SB_TRY(sb_evaluate(sim, sim->t, sim->x, err));
  }
  sb_loop_accept(sim->work);
  sim->work->loops.continues = false;
  sb_event_accept(sim);
  for (int i = 0; i < sim->switching_count; i++) {
    for (int k = 0; k < sim->switchings[i].count; k++) {
      sim->switchings[i].indicators[k].g[0] = sim->switchings[i].indicators[k].g[1];
      sim->switchings[i].indicators[k].gdot[0] = sim->switchings[i].indicators[k].gdot[1];
    }
  }
  return switching < 0 ? SB_OK : sb_event_fire(sim, switching, indicator, err);
}
