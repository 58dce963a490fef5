// SPDX-License-Identifier: GPL-3.0-or-later
// Events that follow each other without end at one instant, or nearly so: they are counted, and the run ends with the words that help.
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/simulation/simulation_private.h"
#include "core/simulation/switching_private.h"

/** Late in a run times closer than this fraction of the time are one instant, by rounding; MORE_LATE times
 *  more events may then happen in it, since impacts that come to rest end in it as well. */
static const double instant = 64 * DBL_EPSILON;
enum { MORE_LATE = 16 };
/** A run that cannot go on after as many events at one instant has been stopped by them. */
enum { STOPPED_BY = 8 };
/** Forces that shift between contacts, so many times in a row at one of them, at whose pace the rest of the run would take more than
 *  the latter, shift without end; unless the next row takes less than half of the time, and so on, until they slip. */
enum { SHIFTS_IN_ROW = 100, SHIFTS_CRAWL = 100000 };

/** How far apart events of one burst may be [s]. */
static double burst_gap(const sb_simulation *sim) {
  return fmax(sb_quiet_time(sim), instant * fabs(sim->t));
}

/** Among its first modes an element that sticks has one in which it does. */
enum { MODES_MAX = 16 };

/** What comes to rest and has no program in which it sticks slips on, and comes back at once.
 *  @return whether that is so; the hint then says why */
static bool word_why_not(const sb_simulation *sim, const sb_instance *instance, sb_error *err) {
  const sb_dissipation_hooks *law = instance->type->dissipation;
  if (law == NULL || law->jumps.sticks == NULL || instance->mode < 0) {
    return false;
  }
  int *mode = &sim->work->modes[instance->mode];
  const int now = *mode;
  sb_program *program = NULL;
  sb_errors errors = {0};
  for (*mode = 0; *mode < MODES_MAX && !law->jumps.sticks(instance->self, *mode); ++*mode) {
  }
  (void)sb_program_create(sim->network, sim->work->modes, &program, &errors);
  *mode = now;
  const bool refused = program == NULL && errors.count > 0;
  if (refused) {
    sb_error_hint(err, "it cannot stick here: %s; %s", errors.items[0].text, errors.items[0].hint);
  }
  sb_program_destroy(program);
  sb_errors_finish(&errors);
  return refused;
}

sb_status sb_chatter_word(const sb_simulation *sim, int index, sb_error *err) {
  const sb_instance *instance = &sim->network->instances[sim->switches[index].instance];
  (void)sb_fail(err, SB_ERR_CHATTER, "'%s' switches without end at t = %s s", instance->id,
                sb_number_word(sim->t).text);
  sb_place_into(&instance->place, err);
  if (!sb_is_branch(sim, index) && word_why_not(sim, instance, err)) {
    return SB_ERR_CHATTER;
  }
  sb_error_hint(
      err,
      sb_is_branch(sim, index) && instance->type->storage != NULL
          ? "the effort of its energy jumps there and drives it back: round the kink, as by "
            "sqrt(q^2 + a^2) in place of abs(q), with a small a"
      : sb_is_branch(sim, index)
          ? "what its expression switches drives it back at once: add hysteresis; "
            "dry friction is a Friction, or an R with a law such as 6[N]*sign(f)"
      : sb_is_unilateral(sim, index)
          ? "contacts that hold one thing several times, or friction at its bound, take turns by "
            "rounding: a contact with a stiffness, fewer feet, or another mu"
      : instance->type->dissipation != NULL && instance->type->dissipation->jumps.sticks != NULL
          ? "dry frictions that hold one thing may take turns by rounding: one friction in their "
            "place, or one with a steep slope, as 6[N]*tanh(f/a) with a small a"
      : instance->type->switching->modes.complementary != NULL
          ? "with its effort and its flow both at zero rounding decides: a small resistance in "
            "series, or a leak beside it, does so in its place"
          : "what closes it must not open it at once: add hysteresis, a gap between "
            "the two, as in closes=\"4[V] - u\" opens=\"u - 5[V]\"");
  return SB_ERR_CHATTER;
}

sb_status sb_chatter_explain(const sb_simulation *sim, sb_status status, sb_error *err) {
  bool stopped = sim->burst >= STOPPED_BY && sim->t - sim->burst_t <= burst_gap(sim);
  return status == SB_ERR_SOLVER && stopped ? sb_chatter_word(sim, sim->burst_index, err) : status;
}

int sb_chatter_limit(const sb_simulation *sim) {
  const bool late = burst_gap(sim) > sb_quiet_time(sim);
  return sim->options.max_events_at_once * (late ? MORE_LATE : 1);
}

void sb_chatter_begin(sb_simulation *sim, int index) {
  if (sim->t - sim->burst_t > burst_gap(sim) && !sb_branch_chatters(sim, index)) {
    sim->burst = 0;
    sim->burst_number++;
  }
  sim->burst_t = sim->t;
}

int sb_chatter_count(sb_simulation *sim, int index) {
  sb_switch *s = &sim->switches[index];
  const bool goes_on = s->burst == sim->burst_number;
  s->at_once = goes_on ? s->at_once + 1 : 1;
  s->jumps = goes_on ? s->jumps : 0;
  s->burst = sim->burst_number;
  sim->burst++;
  return s->at_once;
}

sb_status sb_chatter_shifts(sb_simulation *sim, int index, int before, sb_error *err) {
  const sb_ledger *ledger = &sim->audit.ledger;
  const bool one =
      ledger->event_count == before + 1 && strcmp(ledger->events[before].kind, SB_EVENT_SHIFT) == 0;
  const bool apart = sim->shifts > 0 && sim->t - sim->shifted_t > instant * fabs(sim->t);
  sim->switches[index].at_once -= one && apart && sim->switches[index].at_once > 0;
  sim->shifted_t = sim->t;
  if (!one || sim->shifts == 0 || sim->shifting != index) {
    sim->shifts = one;
    sim->shifting = index;
    sim->shifting_t = sim->t;
    sim->shifting_span = HUGE_VAL;
    return SB_OK;
  }
  if (++sim->shifts <= SHIFTS_IN_ROW) {
    return SB_OK;
  }
  const double span = sim->t - sim->shifting_t;
  if (!(span < 0.5 * sim->shifting_span) &&
      span * SHIFTS_CRAWL < (sim->t_end - sim->t) * SHIFTS_IN_ROW) {
    return sb_chatter_word(sim, index, err);
  }
  sim->shifts = 1;
  sim->shifting_t = sim->t;
  sim->shifting_span = span;
  return SB_OK;
}
