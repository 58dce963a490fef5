// SPDX-License-Identifier: GPL-3.0-or-later
// The choice between an explicit and an implicit method while a run lasts, by what they cost; between explicit ones: smooth_motion.c.
//
// An explicit method is stable while h |lambda| of every mode stays within a region: that of dormand-prince-5 ends
// between 2.3 and 3.4 along every direction of the left half plane but the imaginary axis itself. A mode that counts is
// followed with steps of h |lambda| < 1, and where stability bounds them, step control keeps them below the end of the region, at 1.8
// where a slow source drives a fast mode. So where steps have h |lambda| of 1.5 and more, one after another, stability bounds them and not
// accuracy (Hairer & Wanner, Solving Ordinary Differential Equations II, IV.2).
//
// What an implicit method gains there is not known before: its steps are longer, and an evaluation of its stages by
// Newton's iteration costs more. It is tried for a few steps, and kept while the work for a second of the
// model, in right-hand sides, is less than the explicit one's would be (as LSODA compares the lengths of steps: Petzold,
// SIAM J. Sci. Stat. Comput. 4, 1983). That is what it was, times how much faster the fastest mode has been since, on average; but no
// less than one explicit step for an implicit one. A trial that does not pay makes the next wait four times longer; but how long one at
// rest waits is told by those at rest alone, as what did not pay in motion does where nothing moves.
#include <math.h>

#include "core/simulation/simulation_private.h"

/** h |lambda| from which steps are taken to be bounded by stability. */
static const double stiff = 1.5;
/** So many such steps, or a tenth as many that had to be shortened as their friction strayed from a slow slip, with fewer than
 *  CALM others in a row in between, make a trial; the first ones with the implicit method, which restart it, are not judged, and then so
 *  many at a time are, SOUGHT times more while it seeks its length.
 *  Steps that stability bounds grow beyond the bound and shrink in cycles: more than six in a row are calm. */
enum {
  PATIENCE = 50,
  STRAYED = 10,
  CALM = 36,
  SETTLING = 2,
  JUDGED = 8,
  SOUGHT = 6,
  IMPATIENCE = 4,
  PATIENCE_MAX = 1 << 20
};
/** Every so many steps are looked at, and all while there may be a reason to. */
enum { LOOKED_AT = 16 };
/** Where modes are stiff an implicit method integrates the powers of the ledger to a lower order than the states, and
 *  the errors of its steps add up with one sign. So they aim at what those of explicit methods do; and when they have used
 *  up this share of the energy-balance error that is left, at less by a factor, some times. */
static const double first_bias = 6, tighter = 8, tightest = 6 * 8 * 8 * 8 * 8, share = 0.25;
/** What a right-hand side of an implicit method costs with its share of the algebra, in those of an explicit one. */
static const double algebra = 1.5;
/** Steps that have changed by this factor within those that are judged have not found their length. */
static const double changed = 4;
/** A mode without damping stays within what dormand-prince-5 is stable for up to h |lambda| = 1, where its estimate of the error is
 *  1/1200 of the amplitude, and aims at 1/6 of the tolerance: at rest it leaves an oscillation of so many tolerances at the most. */
static const double leftover = 200;
/** Of a step of the explicit method. */
static const double evaluations = 7;

void sb_automatic_start(sb_simulation *sim) {
  const sb_method *method = sim->options.method;
  if (method->implicit_partner != NULL && sim->options.step == 0 && sim->network->state_count > 0) {
    sim->automatic = (sb_automatic){.on = true,
                                    .methods = {method, sb_method_find(method->implicit_partner),
                                                sb_method_find(method->smooth_partner)},
                                    .patience = PATIENCE,
                                    .rest_patience = PATIENCE,
                                    .loosest = first_bias};
  } else if (method->implicit && method->adaptive && sim->options.step == 0) {
    sim->automatic = (sb_automatic){.alone = true, .bias = 1, .loosest = 1};
  }
}

double sb_automatic_work(const sb_simulation *sim) {
  return (double)(sim->work->rhs_count - sim->beside);
}

static void begin_window(sb_simulation *sim, double t) {
  sim->automatic.window_t = t;
  sim->automatic.window_work = sb_automatic_work(sim);
  sim->automatic.window_step = sb_stepper_last(sim->main);
  sim->automatic.window_stiff = 0;
}

sb_status sb_automatic_change(sb_simulation *sim, sb_choice choice, sb_error *err) {
  sb_automatic *a = &sim->automatic;
  sim->options.method = a->methods[choice];
  sim->nominal.implicit = choice == SB_IMPLICIT;
  a->strayed = false;
  a->votes = a->calm = a->rested = a->steps = a->paid = a->sought = 0;
  a->goes_on = true;
  a->fastest = 0;
  a->residual = sb_audit_residual(&sim->audit);
  a->repeated = sim->unbalanced;
  sim->audit.ledger.work.changes++;
  sim->restart = true;
  sim->next_step = 0; // that was the other method's
  SB_TRY(sb_steppers_renew(sim, err));
  return sb_samples_renew(sim, err);
}

/** The wait behind a trial in vain. */
static int longer(int patience) {
  return patience < PATIENCE_MAX ? IMPATIENCE * patience : PATIENCE_MAX;
}

/** What was not worth its work is tried later. */
static sb_status leave_implicit(sb_simulation *sim, sb_error *err) {
  sb_automatic *a = &sim->automatic;
  a->patience = a->paid > 0 ? PATIENCE : longer(a->patience);
  a->rest_patience = a->paid > 0  ? PATIENCE
                     : a->at_rest ? longer(a->rest_patience)
                                  : a->rest_patience;
  sim->last_step = fmin(sim->last_step, a->step); // what was stable before
  sb_smooth_interrupt(sim);
  return sb_automatic_change(sim, a->smooth ? SB_SMOOTH : SB_EXPLICIT, err);
}

/** Whether the last step has moved a state by more than an oscillation does that the explicit method leaves at rest: twice its amplitude. */
static bool moves(const sb_simulation *sim) {
  bool any = false;
  for (int i = 0; i < sim->network->state_count && !any; i++) {
    const double tolerance = sb_nominal_tolerance(&sim->nominal, i, sim->x[i]);
    any = fabs(sim->x[i] - sim->x0[i]) > 2 * leftover * tolerance;
  }
  return any;
}

/** Whether it has led a state off the line of the step before by as much, 2 A for each of the two courses. What follows a slow source goes straight on,
 *  whatever its speed. */
static bool bends(sb_simulation *sim) {
  const double h = sim->t - sim->t0, most = 2 * leftover * (1 + h / sim->automatic.course_h);
  bool any = false;
  for (int i = 0; i < sim->network->state_count; i++) {
    const double tolerance = sb_nominal_tolerance(&sim->nominal, i, sim->x[i]);
    const double course = (sim->x[i] - sim->x0[i]) / h;
    any = any || fabs(course - sim->course[i]) * h > most * tolerance;
    sim->course[i] = course;
  }
  sim->automatic.course_h = h;
  return any;
}

/** Notes what no rest goes on from, and no straight course.  @param anew  steps before were not looked at  @return whether it bends */
static bool note_motion(sb_simulation *sim, bool anew) {
  sb_automatic *a = &sim->automatic;
  const bool bent = bends(sim) || anew;
  if (anew || moves(sim)) {
    a->moved_t = sim->t;
    a->moved_work = sb_automatic_work(sim);
    a->rested = 0;
  }
  a->bent_work = bent ? sb_automatic_work(sim) : a->bent_work;
  return bent;
}

static sb_status judge_explicit(sb_simulation *sim, double fastest, double h, sb_error *err) {
  sb_automatic *a = &sim->automatic;
  const bool strayed = a->strayed;
  a->strayed = false;
  (void)note_motion(sim, a->votes == 0 && !a->goes_on);
  if (!(strayed || h * fastest > stiff)) {
    if (++a->calm >= CALM) {
      a->votes = 0;
      a->goes_on = false;
    }
    return SB_OK;
  }
  a->calm = 0;
  if (a->votes == 0) {
    begin_window(sim, sim->t);
  }
  a->votes += strayed ? STRAYED : 1;
  a->rested += strayed ? STRAYED : 1;
  a->at_rest = a->rested > a->rest_patience;
  const double since = a->at_rest ? fmax(a->window_t, a->moved_t) : a->window_t;
  if ((a->votes <= a->patience && !a->at_rest) || !(sim->t > since)) {
    return SB_OK;
  }
  const double before = a->at_rest ? fmax(a->window_work, a->moved_work) : a->window_work;
  a->cost = (sb_automatic_work(sim) - before) / (sim->t - since);
  a->step = h;
  a->bias = fmax(a->bias, a->loosest);
  a->until = sb_automatic_work(sim) + (sb_automatic_work(sim) - a->bent_work) / algebra;
  return sb_automatic_change(sim, SB_IMPLICIT, err);
}

/** What may be used of the energy-balance error that is left. */
static double usable(double left) {
  return share * fmax(left, 0);
}

/** Whether the energy balance has suffered from the implicit steps. */
static bool unbalances(const sb_simulation *sim) {
  double before = sim->automatic.residual;
  return sb_audit_residual(&sim->audit) - before > usable(sim->audit.ledger.limit - before);
}

/** Whether steps may be looser again. At a start little energy is at stake, of which any error is much; once it has become
 *  as small as this, looser steps have half of what they may use before them. */
static bool overdoes(const sb_simulation *sim) {
  const sb_automatic *a = &sim->automatic;
  return a->bias > a->loosest &&
         2 * sb_audit_residual(&sim->audit) < usable(sim->audit.ledger.limit);
}

/** Whether the explicit method comes to the end within the steps that a run may take. */
static bool ends_explicitly(const sb_simulation *sim) {
  return sim->t_end - sim->t < sim->automatic.step * (double)sim->options.max_steps;
}

/** Steps of another bias from here on. */
static sb_status aim(sb_simulation *sim, double bias, sb_error *err) {
  sb_automatic *a = &sim->automatic;
  a->bias = bias;
  a->residual = sb_audit_residual(&sim->audit);
  a->repeated = sim->unbalanced;
  a->steps = 0;
  sim->restart = true;
  return sb_steppers_renew(sim, err);
}

/** Tighter steps from here on, as long as there are any. Those before do not come back if the balance has made some of
 *  them be repeated at a quarter of their length, which costs more than it saves. */
static sb_status tighten(sb_simulation *sim, sb_error *err) {
  sb_automatic *a = &sim->automatic;
  if (a->bias >= tightest) {
    a->paid = 0;
    a->residual = sb_audit_residual(&sim->audit);
    return ends_explicitly(sim) ? leave_implicit(sim, err) : SB_OK;
  }
  a->loosest = sim->unbalanced > a->repeated ? a->bias * tighter : a->loosest;
  return aim(sim, a->bias * tighter, err);
}

/** Whether a trial has not found the length of its steps yet: where a law is sharper than the tolerance, they shrink below the
 *  explicit ones until the state is within it, and grow from there. */
static bool seeks(sb_automatic *a, double h) {
  const double before = a->window_step;
  const bool shrinks = changed * h < fmin(before, a->step);
  const bool grows = a->sought > 0 && h > changed * before;
  const bool has_shrunk = a->sought < SOUGHT / 2 && changed * a->least < a->step;
  a->sought++;
  return a->paid == 0 && a->sought <= SOUGHT && (shrinks || grows || has_shrunk);
}

/** Whether a trial goes on as it may end what else lasts for ever: where nothing moves, or all goes straight on, implicit steps grow as soon
 *  as the oscillation is damped that the explicit method has left. It may cost what that course has cost so far. */
static bool settles(const sb_simulation *sim) {
  const sb_automatic *a = &sim->automatic;
  return a->paid == 0 && sb_automatic_work(sim) < a->until;
}

static sb_status judge_implicit(sb_simulation *sim, double fastest, sb_error *err) {
  sb_automatic *a = &sim->automatic;
  a->fastest = a->fastest > 0 ? a->fastest : fastest;
  a->steps++;
  a->least = a->steps == 1 ? HUGE_VAL : fmin(a->least, sb_stepper_last(sim->main));
  a->window_stiff += fastest * (sim->t - sim->t0);
  a->until = note_motion(sim, false) ? 0 : a->until;
  if (a->steps == SETTLING) {
    begin_window(sim, sim->t);
  }
  if (a->steps < SETTLING + JUDGED) {
    return SB_OK;
  }
  double span = sim->t - a->window_t, cost = algebra * (sb_automatic_work(sim) - a->window_work);
  double slower = a->fastest > 0 ? a->window_stiff / span / a->fastest : 1;
  if (unbalances(sim)) {
    return tighten(sim, err);
  }
  if (overdoes(sim)) {
    return aim(sim, a->bias / tighter, err);
  }
  if (cost > fmax(a->cost * slower * span, evaluations * JUDGED)) {
    if (!seeks(a, sb_stepper_last(sim->main)) && !settles(sim)) {
      return leave_implicit(sim, err);
    }
  } else {
    a->paid++;
  }
  a->steps = SETTLING;
  begin_window(sim, sim->t);
  return SB_OK;
}

/** An implicit method without a partner: all that can be done for its energy balance. */
static sb_status judge_alone(sb_simulation *sim, sb_error *err) {
  sb_automatic *a = &sim->automatic;
  if (++a->steps < JUDGED) {
    return SB_OK;
  }
  if (a->bias < tightest && unbalances(sim)) {
    return tighten(sim, err);
  }
  return overdoes(sim) ? aim(sim, a->bias / tighter, err) : SB_OK;
}

sb_status sb_automatic_choose(sb_simulation *sim, sb_error *err) {
  sb_automatic *a = &sim->automatic;
  if (!(a->on || a->alone) || sim->accepted == a->accepted) {
    return SB_OK;
  }
  a->accepted = sim->accepted;
  if (a->alone) {
    return judge_alone(sim, err);
  }
  double fastest = sb_stepper_fastest(sim->main);
  if (sim->options.method->implicit) {
    SB_TRY(judge_implicit(sim, fastest, err));
  } else if (a->looked || a->strayed) {
    SB_TRY(judge_explicit(sim, fastest, sb_stepper_last(sim->main), err));
  }
  if (!sim->options.method->implicit) {
    SB_TRY(sb_smooth_choose(sim, err));
  }
  a->looked = sim->options.method->implicit || a->votes > 0 || sim->accepted % LOOKED_AT == 0;
  sb_stepper_gauge(sim->main, a->looked);
  return SB_OK;
}

bool sb_automatic_falls_back(const sb_simulation *sim) {
  return sim->automatic.on && sim->options.method->implicit && !sim->interrupted;
}

sb_status sb_automatic_fall_back(sb_simulation *sim, sb_error *err) {
  return leave_implicit(sim, err);
}
