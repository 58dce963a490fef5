// SPDX-License-Identifier: GPL-3.0-or-later
// One step of a run: choose where it must end, step (step_trials.c), enter the energy balance, take
// samples, fire the events.
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/loop/loop.h"
#include "core/model/constraints.h"
#include "core/model/rhs.h"
#include "core/network/roles.h"
#include "core/simulation/formulas_private.h"
#include "core/simulation/switching_private.h"

/** The first step after an event, as a fraction of the last one. */
static const double restart_fraction = 0.2;
/** Where no kink is to come, branches are those of this fraction of the time later, beyond what rounding tells of the last one. */
static const double no_more = 1e-3;

double sb_next_kink(const sb_simulation *sim, double t) {
  return sb_time_first(sb_network_next_break(sim->network, t), sb_features_next_kink(sim, t));
}

void sb_step_boundary(sb_simulation *sim) {
  const double next = sb_time_first(sb_next_kink(sim, sim->t), sb_delays_break(sim));
  sim->boundary = sim->foreseen = next;
  sb_workspace_changed(sim->work);
  const double behind = sb_expression_behind(sim->t), from = next > behind ? behind : sim->t;
  sim->work->inside = isinf(next) ? behind + no_more * fabs(sim->t) : from + 0.5 * (next - from);
}

/** Where the next step must end at the latest. */
static double stop_time(sb_simulation *sim, double limit) {
  const sb_options *o = &sim->options;
  int index;
  sim->boundary =
      sim->foreseen; // a jump that bounded the step before may have been the event that ended it
  double stop = fmin(fmin(limit, sim->boundary), sb_event_next_time(sim, false, &index));
  // error control sees only what a source moves: behind an open diode or a sign() that is nothing
  double longest = fmin(sb_event_horizon(sim), fmin(sim->turns, sb_turnings_horizon(sim)));
  longest = fmin(longest, sb_renewal_horizon(sim));
  longest = o->max_step > 0 ? fmin(longest, o->max_step) : longest;
  longest = o->step > 0 ? fmin(longest, o->step) : longest;
  longest =
      fmax(longest,
           4 * sb_time_rounding(sim->t)); // else no step is taken that could tell of another bound
  if (sim->t + longest < stop - 1e-9 * longest) {
    stop = sim->t + longest;
  }
  return sb_delays_bound(sim, sb_features_bound(sim, stop));
}

/** The present is a kink of a source or the time of an event. */
static sb_status pass_boundary(sb_simulation *sim, sb_error *err) {
  if (sim->t >= sim->boundary - sb_time_rounding(sim->t)) {
    sim->t = fmax(sim->t, sim->boundary);
    if (sim->boundary < sim->foreseen) { // a jump that features tell of
      sb_delay_ways_unknown(sim);
    }
    sb_step_boundary(sim);
    sim->restart = true;
    SB_TRY(sb_evaluate(sim, sim->t, sim->x, err));
    SB_TRY(sb_branches_pass(sim, err));
    SB_TRY(sb_event_due(sim, true, err)); // what meets the constraints is behind the samples
    SB_TRY(sb_consistency_project(sim, err));
    SB_TRY(sb_loops_check(sim, err));
    SB_TRY(sb_event_due(sim, false, err));
    return sb_event_jumped(sim, err);
  }
  return sb_event_due(sim, false, err);
}

/** Elements learn that steps begin anew, where the workspace is. */
static void begin_laws(sb_simulation *sim) {
  for (int i = 0; i < sim->switch_count; i++) {
    const sb_switch *element = &sim->switches[i];
    if (element->hooks->begin != NULL) {
      const sb_instance *instance = &sim->network->instances[element->instance];
      const sb_at at = sb_at_switch(sim, element, sim->t, sim->x);
      element->hooks->begin(instance->self, &at, sim->work->discrete + instance->discrete);
    }
  }
}

/** The length of a first step after a start, a kink or an event, and its sizes. Where nothing has moved yet, or
 *  far less than it will, the motion is tried: from a time in which it changes little the error of a step
 *  falls with the order of the method.  @param stop  [s] where the step ends at the latest */
/** The time in which what moves from here hardly changes, with the sizes behind it. Energy that comes of branches held beyond their ends
 *  is none that will be there.  @return [s]; 0: there is none */
static double try_motion(sb_simulation *sim, double span) {
  const sb_nominal *n = &sim->nominal;
  double tried = sb_nominal_try(&sim->nominal, sim->t, sim->x, span), shorter = tried;
  while (!n->fixed && shorter > 0 && sb_nominal_promises(n) &&
         sb_branches_end(sim, sim->t + shorter, n->x)) {
    shorter = sb_nominal_try(&sim->nominal, sim->t, sim->x, shorter);
    tried = shorter > 0 ? shorter : tried;
  }
  return tried;
}

static sb_status prepare_restart(sb_simulation *sim, double stop, sb_error *err) {
  const sb_options *o = &sim->options;
  SB_TRY(sb_evaluate(sim, sim->t, sim->x, err));
  begin_laws(sim);
  sb_rest_jumps_find(sim);
  if (sim->audited) {
    sb_audit_restart(&sim->audit, sim->t, sim->x);
  }
  sb_stops_measure(sim);
  sb_blurred_restart(sim);
  sim->nominal.trial_end = sim->t; // what was tried before the event does not go on behind it
  sb_nominal_accept(&sim->nominal, sim->t, sim->x);
  sb_rest_slopes_find(sim);
  const double length = fmax(sim->last_step, sim->next_step);
  if (sim->renewed) {
    sim->renewed = false;
    sim->first_step = length;
    return SB_OK;
  }
  sim->first_step = length > 0 ? restart_fraction * length : o->first_step;
  if (!sb_nominal_reaches(&sim->nominal, sim->first_step, sim->work->evaluation.xdot)) {
    double span = fmin(stop - sim->t, sim->all_turns);
    double tried = try_motion(sim, span);
    double step = tried * pow(o->rtol, 1. / (o->method->order + 1));
    sim->first_step = sim->first_step > 0 && !(sim->first_step > step) ? sim->first_step : step;
    sim->rest_next = 0;
    sb_rest_slopes_follow(sim);
  }
  return SB_OK;
}

static sb_status begin_step(sb_simulation *sim, double stop, int *index, int *indicator,
                            sb_error *err) {
  sim->step_restarted = sim->restart;
  if (sim->restart) {
    sb_delays_mark(sim);
    SB_TRY(sb_singular_start(sim, stop, err));
    SB_TRY(sb_branches_leave_kinks(sim, fmin(stop - sim->t, sim->all_turns), err));
    SB_TRY(prepare_restart(sim, stop, err));
  }
  sim->work->loops.continues = true; // until the step is accepted
  return sb_step_try(sim, stop, index, indicator, err);
}

sb_status sb_simulation_check_start(sb_simulation *sim, double t_end, sb_error *err) {
  SB_TRY(sb_turns_check_run(sim, t_end, err));
  return sb_has_multipliers(&sim->work->program->causality)
             ? sb_singular_start(sim, stop_time(sim, t_end), err)
             : SB_OK;
}

/** An element that has no answer within an accepted step, where a sample or the input of a delay is, says why. */
static sb_status explain_within(sb_simulation *sim, sb_status status, sb_error *err) {
  int refused = status == SB_ERR_NOT_FINITE ? sim->work->refused : -1;
  return refused < 0 ? status : sb_refusal_at(sim, refused, err);
}

/** A step, and what follows from it: see begin_step(). */
typedef struct step_attempt {
  double stop;
  int *index, *indicator;
} step_attempt;

static bool attempt_step(sb_simulation *sim, void *context) {
  const step_attempt *a = context;
  if (begin_step(sim, a->stop, a->index, a->indicator, NULL) == SB_OK) {
    return true;
  }
  sb_step_back(sim);
  return false;
}

/** The iteration of an implicit stage fails where a contact has no answer, as no stage of explicit methods does: the contact says why.
 *  @return whether that is the cause */
static bool explain_contact(sb_simulation *sim, sb_error *err) {
  sb_error why = {0};
  if (sim->work->refused < 0 || sb_refusal_at(sim, sim->work->refused, &why) != SB_ERR_CONTACT) {
    return false;
  }
  if (err != NULL) {
    *err = why;
  }
  return true;
}

/** A step by the present method, or by the explicit one of a pair where the implicit one fails; the error names the cause. */
static sb_status begin_step_or_explain(sb_simulation *sim, double stop, int *index, int *indicator,
                                       sb_error *err) {
  sb_status status = begin_step(sim, stop, index, indicator, err);
  if (status != SB_OK && sb_automatic_falls_back(sim)) {
    sb_step_back(sim);
    SB_TRY(sb_automatic_fall_back(sim, err));
    status = begin_step(sim, stop, index, indicator, err);
  }
  if (status == SB_OK) {
    return SB_OK;
  }
  int refused = status == SB_ERR_NOT_FINITE ? sim->work->refused : -1;
  sb_step_back(sim);
  const bool iterated = status == SB_ERR_SOLVER || status == SB_ERR_UNSOLVED;
  if (status == SB_ERR_SOLVER && explain_contact(sim, err)) {
    return SB_ERR_CONTACT;
  }
  status = refused < 0 ? sb_chatter_explain(sim, status, err) : sb_refusal_at(sim, refused, err);
  status = sb_singular_explain(sim, sb_unbounded_explain(sim, status, err), err);
  step_attempt again = {stop, index, indicator};
  return iterated && !sim->interrupted && sb_idle_sticks_wait(sim, attempt_step, &again) ? SB_OK
                                                                                         : status;
}

/** The end of the accepted step is the start of the next one. */
static void shift_indicators(sb_simulation *sim) {
  for (int i = 0; i < sim->all_switch_count; i++) {
    sb_switch *element = &sim->switches[i];
    for (int k = 0; !element->still && k < element->count; k++) {
      sb_indicator *g = &element->indicators[k];
      element->farthest =
          sb_is_branch(sim, i) ? element->farthest : fmax(element->farthest, g->g[1]);
      g->before = g->g[0];
      g->g[0] = g->g[1];
      g->gdot[0] = g->gdot[1];
    }
  }
}

/** Forces have jumped as the step was accepted, and may be those of bodies that part: not for a moment do they act. */
static sb_status follow_jump(sb_simulation *sim, sb_error *err) {
  sb_workspace_changed(sim->work);
  SB_TRY(sb_evaluate(sim, sim->t, sim->x, err));
  return sb_event_jumped(sim, err);
}

/** A step that an event ends, where a dissipation seems to give power: it may be that its input jumps there, as the normal force of a contact
 *  over an edge. It is judged shortly before, on the way back to the start of the step, farther than the time of the jump is uncertain; not
 *  at all where the step is one within a burst of events.  @param before  the step */
static void judge_before_event(sb_simulation *sim, const sb_passivity *before) {
  static const double shortly = 1e-2; // of the step
  const double h = sim->t - sim->t0;
  if (sim->audit.ledger.passivity.violations == before->violations) {
    return;
  }
  for (int i = 0; i < sb_vector_count(sim->network); i++) {
    sim->later[i] = sim->x[i] - shortly * (sim->x[i] - sim->x0[i]);
  }
  const bool lasts = h > fmax(sb_quiet_time(sim), 100 * sb_time_rounding(sim->t));
  sb_audit_before_event(&sim->audit, before, sim->t - shortly * h, lasts ? sim->later : NULL);
  (void)sb_workspace_evaluate(sim->work, sim->t, sim->x);
}

sb_status sb_step_take(sb_simulation *sim, double limit, sb_error *err) {
  int index = -1, indicator = 0;
  SB_TRY(sb_automatic_choose(sim, err));
  SB_TRY(pass_boundary(sim, err));
  SB_TRY(sb_renewal_check(sim, err));
  double stop = stop_time(sim, limit);
  if (stop - sim->t <= sb_time_rounding(stop)) {
    sim->t = stop;
    return SB_OK;
  }
  if (sim->accepted >= sim->options.max_steps) {
    return sb_steps_exceeded(sim, err);
  }
  const sb_passivity passivity = sim->audit.ledger.passivity;
  SB_TRY(begin_step_or_explain(sim, stop, &index, &indicator, err));
  SB_TRY(sb_step_checks_run(sim, err));
  sb_audit_step(&sim->audit, sim->t, sim->x,
                sim->evaluates_ends ? sim->work->evaluation.xdot : NULL);
  SB_TRY(sb_singular_check(sim, err));
  SB_TRY(sb_turnings_check(sim, err));
  SB_TRY(sb_rest_jumps_check(sim, err));
  sb_blurred_follow(sim);
  sb_nominal_accept(&sim->nominal, sim->t, sim->x);
  sb_rest_slopes_follow(sim);
  sb_stops_follow(sim);
  // A run that is interrupted may go on from here.
  sb_status sampled = explain_within(sim, sb_samples_take(sim, err), err);
  SB_TRY(explain_within(sim, sb_delays_accept(sim, err), err));
  bool event = index >= 0 || sim->audit.ledger.work.events > sim->audited_events;
  sb_step_audit(sim, event ? SB_AUDIT_EVENT : SB_AUDIT_STEP);
  sb_loop_accept(sim->work);
  sim->work->loops.continues = false;
  const bool jumps = sb_event_accept(sim);
  sb_delay_ways_keep(sim, jumps);
  shift_indicators(sim);
  if (index >= 0 && !sim->interrupted) {
    judge_before_event(sim, &passivity);
    SB_TRY(sb_event_fire(sim, index, indicator, err));
  } else if (jumps && !sim->interrupted) {
    SB_TRY(follow_jump(sim, err));
  }
  return sampled;
}
