// SPDX-License-Identifier: GPL-3.0-or-later
// The length of one step: it is tried again, shorter, where the solver fails, where its end has no answer or would pass over
// something, as bodies that a long step has put deep into each other, and while its energy balance is not met. The error
// estimates of some pairs do not see integrals of a given function (above all Fehlberg's of order 8), and so
// not the ledger, where a force sets in that is not smooth.
#include <math.h>
#include <string.h>

#include "core/model/rhs.h"
#include "core/simulation/formulas_private.h"
#include "core/simulation/switching_private.h"

/** A step that fails is tried again at a quarter of its length, this often. */
enum { RETRIES_MAX = 30 };
/** A step that adds too much to the energy-balance error is repeated at a quarter of its length, this often at the most. */
enum { BALANCE_RETRIES_MAX = 4 };
/** An energy-balance error that grows with time, whatever the length of the step, is not caused by the step,
 *  and one whose rate is only proportional to the length (a quarter of it remains) by no method of order two
 *  or more: energies and powers do not belong together. A repetition that leaves more than this fraction of
 *  the rate was futile, and after as many in a row no step is repeated any more. */
static const double futile_fraction = 0.2;
enum { FUTILE_RETRIES_MAX = 8 };

typedef struct trial {
  double stop, wish;    // [s] where it ends at the latest, and how long it is to be at first
  double meant;         // [s] how long it is to be where nothing bounds it
  double length;        // [s] that the integrator chose
  int index, indicator; // the event that ends it; index -1: none
  int refused, cold;    // attempts without an answer at their end, and below 0 K
  double rate; // [1/s] of the energy-balance error of the attempt before, below zero at first
} trial;

void sb_step_back(sb_simulation *sim) {
  sim->t = sim->t0;
  memcpy(sim->x, sim->x0, (size_t)sb_vector_count(sim->network) * sizeof *sim->x);
  sim->restart = true;
}

/** One accepted step. A failing right-hand side is met with shorter steps: ARKODE's explicit methods
 *  do not recover by themselves. */
static sb_status integrate(sb_simulation *sim, double stop, double wish, sb_error *err) {
  sb_error why, failure; // large: only what is read before they are worded is set
  why.status = SB_OK;
  sim->work->refused = -1;
  for (int attempt = 0;; attempt++) {
    sb_status status = SB_OK;
    failure.status = SB_OK;
    if (sim->restart) {
      status = sb_stepper_reset(sim->main, sim->t0, sim->x0, fmin(wish, stop - sim->t0), err);
    }
    if (status == SB_OK) {
      status = sb_stepper_step(sim->main, stop, &sim->t, sim->x, &failure);
    }
    if (status == SB_OK) {
      break;
    }
    why = failure;
    sb_step_back(sim);
    stop = sim->t0 + 0.25 * (stop - sim->t0);
    wish = 0.25 * (stop - sim->t0);
    bool shorter =
        status == SB_ERR_NOT_FINITE || status == SB_ERR_UNSOLVED || status == SB_ERR_CONTACT;
    if (!shorter || attempt == RETRIES_MAX || stop - sim->t0 <= sb_time_rounding(sim->t0)) {
      if (err != NULL && why.status != SB_OK) {
        *err = why;
      }
      return status;
    }
  }
  sim->restart = false;
  return sb_refusals_check(sim, &why, err);
}

/** Counts the futile repetitions: where the energy of an element does not match the power at its port, the
 *  balance is met at no step size.  @param rate  [1/s] of the attempt before, below zero at first */
static void count_futile(sb_simulation *sim, double excess, double *rate) {
  double now = excess / (sim->t - sim->t0);
  if (*rate >= 0) {
    sim->futile_retries = now > futile_fraction * *rate ? sim->futile_retries + 1 : 0;
  }
  *rate = now;
}

/** Whether a first step was as long as it was to be, and an event cut it at once, as where several bodies touch together
 *  but by rounding: that tells nothing of the steps that the next ones may have. */
static bool was_cut(const sb_simulation *sim, int event, double length) {
  return sim->step_restarted && event >= 0 && 2 * length > sim->first_step && sim->last_step > 0;
}

/** The start of a step, with what is evaluated there anyway. */
static void keep_start(sb_simulation *sim) {
  const size_t size = (size_t)sb_vector_count(sim->network) * sizeof *sim->x;
  sim->length_before = sim->t - sim->t0;
  sim->t0 = sim->t;
  memcpy(sim->x0, sim->x, size);
  sim->start_known = sim->evaluates_ends && sb_workspace_evaluate(sim->work, sim->t0, sim->x0) == 0;
  if (sim->start_known) {
    memcpy(sim->rates0, sim->work->evaluation.xdot, size);
    sb_formulas_begin(sim);
    sb_turnings_begin(sim);
  }
}

/** Whether no step is so much shorter that it would be another. */
static bool is_shortest(const sb_simulation *sim) {
  return 0.25 * (sim->t - sim->t0) <= sb_time_rounding(sim->t0);
}

/** Back to the start of the step, whose end is not to be used, for a shorter one.
 *  @return whether time is left for one */
static bool shorten(sb_simulation *sim, trial *a) {
  a->stop = sim->t0 + 0.25 * (sim->t - sim->t0);
  a->wish = a->stop - sim->t0;
  sb_step_back(sim);
  return a->wish > sb_time_rounding(sim->t0);
}

/** The end of a step, evaluated and on the constraints. */
static sb_status read_end(sb_simulation *sim, sb_error *err) {
  SB_TRY(sb_evaluate(sim, sim->t, sim->x, err));
  SB_TRY(sb_enforce(sim, sim->t, sim->x, err));
  sb_formulas_end(sim);
  return SB_OK;
}

/** Whether a step fails by what is at its end, or within it where events are looked for, and not by itself: a shorter one may end
 *  before. Such are bodies deep in each other, forces that there are none of, as of contacts in line that hold too much, and partial
 *  steps, where what is held has no value. */
static bool may_be_shorter(sb_simulation *sim, sb_status status, trial *a) {
  const bool at_end = status == SB_ERR_CONTACT || status == SB_ERR_UNSOLVED,
             partial = status == SB_ERR_SOLVER;
  return (at_end || partial) && sim->options.step <= 0 && a->refused < RETRIES_MAX &&
         (a->refused++ > 0 || partial || sb_refusals_go_on(sim));
}

/** Whether a law strays in the step, as the friction of a slip that turns; an implicit method may follow it in longer steps. */
static bool strays(sb_simulation *sim) {
  const bool any = sim->options.step <= 0 && !is_shortest(sim) && sb_event_strays(sim);
  sim->automatic.strayed = sim->automatic.strayed || any;
  return any;
}

/** Whether an event may have been missed in the step, up to the one that ends it. */
static bool misses(sb_simulation *sim) {
  return sim->options.step <= 0 && !is_shortest(sim) && sb_event_overdue(sim);
}

/** The same as may_be_shorter() where the end has a temperature below 0 K. */
static bool keep_warm(sb_simulation *sim, trial *a) {
  double length;
  if (sim->check_count == 0 || sim->options.step > 0 || a->cold == RETRIES_MAX ||
      !sb_temperatures_overdue(sim, a->cold, &length)) {
    return false;
  }
  a->cold++;
  a->stop = sim->t0 + length;
  a->wish = length;
  sb_step_back(sim);
  return true;
}

/** The end of a step as event indicators, laws and sources see it, with its event.
 *  @param again  out: it is not to be used, and a shorter step may be tried */
static sb_status look_at_end(sb_simulation *sim, trial *a, bool *again, sb_error *err) {
  sb_status found = read_end(sim, err);
  *again =
      found == SB_OK && (sb_turnings_overdue(sim) || sb_pulses_overdue(sim)) && shorten(sim, a);
  if (*again) {
    return SB_OK;
  }
  found = found == SB_OK ? sb_event_find(sim, &a->index, &a->indicator, err) : found;
  *again = (found == SB_OK ? misses(sim) || strays(sim) : may_be_shorter(sim, found, a)) &&
           shorten(sim, a);
  return *again ? SB_OK : found;
}

/** A step of at most the length wished, as far as its end may be used.  @param again  out: as of look_at_end() */
static sb_status try_once(sb_simulation *sim, trial *a, bool *again, sb_error *err) {
  SB_TRY(integrate(sim, a->stop, a->wish, err));
  if (sb_nominal_awakes(&sim->nominal, sim->t, sim->x0, sim->x)) {
    a->wish = sim->t - sim->t0;
    sb_step_back(sim);
    SB_TRY(integrate(sim, a->stop, a->wish, err));
  }
  a->length = sb_stepper_last(sim->main);
  a->index = -1;
  *again = false;
  if (sim->evaluates_ends) {
    SB_TRY(look_at_end(sim, a, again, err));
  }
  *again = *again || keep_warm(sim, a);
  if (!*again && sb_renewal_overdue(sim)) {
    *again = shorten(sim, a);
    if (!*again) {
      return sb_fail(err, SB_ERR_SOLVER,
                     "at t = %s s bodies move so fast that no step is short enough to tell which "
                     "of them come near each other",
                     sb_number_word(sim->t0).text);
    }
  }
  return SB_OK;
}

/** Whether the energy balance of the step is met, or a shorter step would not meet it better.
 *  @param repeated  how often it has been repeated for that */
static bool is_balanced(sb_simulation *sim, trial *a, int repeated) {
  sb_audit_balance(&sim->audit, sim->t, sim->x);
  const double excess = sb_audit_excess(&sim->audit, sim->nominal.stake);
  if (sim->futile_retries < FUTILE_RETRIES_MAX) {
    count_futile(sim, excess, &a->rate);
  }
  return sim->options.step > 0 || sim->futile_retries >= FUTILE_RETRIES_MAX ||
         repeated == BALANCE_RETRIES_MAX || is_shortest(sim) || excess <= SB_EXCESS_ALLOWED ||
         !isfinite(excess);
}

/** The length of a step, by which those behind an event are chosen; where only the room of the neighbours bounded it, what it was
 *  to be without. */
static double length_of(const sb_simulation *sim, const trial *a) {
  const double room = sb_renewal_horizon(sim) - sb_time_rounding(sim->t0);
  return a->length >= room ? fmax(a->length, a->meant) : a->length;
}

static void accept(sb_simulation *sim, const trial *a) {
  sim->last_step = was_cut(sim, a->index, a->length) ? sim->last_step : length_of(sim, a);
  sim->next_step = a->index < 0 && sim->t >= a->stop ? sb_stepper_next(sim->main) : 0;
  sim->longest_step = fmax(sim->longest_step, a->length);
  sb_turnings_accept(sim);
  sim->audit.ledger.work.steps = ++sim->accepted;
  sim->audit.ledger.work.implicit_steps += sim->options.method->implicit;
  sim->audit.ledger.work.smooth_steps += sim->automatic.smooth && !sim->options.method->implicit;
}

sb_status sb_step_try(sb_simulation *sim, double stop, int *index, int *indicator, sb_error *err) {
  const double meant = sim->restart ? sim->first_step : sb_stepper_next(sim->main);
  trial a = {.stop = stop, .wish = sim->first_step, .meant = meant, .rate = -1};
  int repeated = 0;
  bool again = true;
  keep_start(sim);
  while (again) {
    SB_TRY(try_once(sim, &a, &again, err));
    if (!again && !is_balanced(sim, &a, repeated)) {
      (void)shorten(sim, &a);
      sim->unbalanced++;
      repeated++;
      again = true;
    }
  }
  *index = a.index;
  *indicator = a.indicator;
  accept(sim, &a);
  return SB_OK;
}
