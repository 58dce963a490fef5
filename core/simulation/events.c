// SPDX-License-Identifier: GPL-3.0-or-later
// What an event does: the element takes its new mode, structures commutate, and events that follow from
// it at the same time are taken too.
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

static void disarm(sb_simulation *sim, sb_switch *element) {
  element->since = sim->t;
  element->still = false;
  for (int k = 0; k < SB_INDICATORS_MAX; k++) {
    element->indicators[k].armed = false;
  }
}

sb_status sb_event_enter(sb_simulation *sim, const sb_changed more[], int count, sb_error *err) {
  for (int i = 0; i < count; i++) {
    sb_switch *element = &sim->switches[more[i].index];
    disarm(sim, element);
    SB_TRY(sb_audit_event(&sim->audit, sim->t, sim->x, more[i].kind, element->instance, err));
  }
  return SB_OK;
}

/** The constraints of a structure's new mode are met by an impact; with restitution the structure takes its rebound mode at once.
 *  @param more, count  contacts beside it that change by that are added  @param struck  out: whether there was one */
static sb_status strike(sb_simulation *sim, int index, const sb_transition *next, sb_changed more[],
                        int *count, bool *struck, sb_error *err) {
  int owner = sim->switches[index].instance;
  if (next->restitution == 0 && sb_impact_is_beside(sim, owner)) {
    *struck = true;
    SB_TRY(sb_impact_beside(sim, more, count, &owner, err));
    return sb_evaluate_resting(sim, err);
  }
  SB_TRY(sb_throw_back(sim, index, next->restitution, struck, err));
  if (*struck && next->restitution > 0) {
    int none = 0;
    sb_audit_strike(&sim->audit, next->restitution);
    sim->work->modes[sim->network->instances[sim->switches[index].instance].mode] = next->rebound;
    SB_TRY(sb_commutate(sim, index, NULL, &none, err));
  }
  return sb_evaluate_resting(sim, err);
}

/** The program for the new mode; what cannot stick, as others at the same place do, is held by these. */
static sb_status change_mode(sb_simulation *sim, int index, const sb_transition *next,
                             sb_changed more[], int *count, sb_error *err) {
  const sb_instance *instance = &sim->network->instances[sim->switches[index].instance];
  bool sticks = sb_instance_sticks(instance, sim->work->modes);
  sb_status status = sb_commutate(sim, index, more, count, err);
  if (status == SB_ERR_SOLVER && sticks) {
    sim->work->modes[instance->mode] = next->held;
    status = sb_commutate(sim, index, more, count, err);
  }
  return status;
}

/** What is left of the argument of what sticks, by the time at which it was at its jump, would slip on from the wrong side and stick again at
 *  once. */
static sb_status project(sb_simulation *sim, sb_error *err) {
  if (sb_workspace_project_closely(sim->work, sim->t, sim->x) != SB_OK) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  sb_workspace_changed(sim->work);
  return sb_evaluate_resting(sim, err);
}

/** The state in the new mode: what has come to stick and cannot slips on; what others need is met by an impact.
 *  @param before  the mode before  @param struck  out: whether there was one */
static sb_status meet(sb_simulation *sim, int index, int before, sb_transition *next,
                      sb_changed more[], int *count, bool *struck, sb_error *err) {
  const sb_instance *instance = &sim->network->instances[sim->switches[index].instance];
  sb_status status = sb_evaluate_resting(sim, err);
  if (sb_instance_sticks(instance, sim->work->modes) && !sb_stick_holds(sim, index)) {
    status = sb_slip_on(sim, index, before, next, more, count, err);
  }
  SB_TRY(status);
  SB_TRY(strike(sim, index, next, more, count, struck, err));
  return sb_instance_sticks(instance, sim->work->modes) ? project(sim, err) : SB_OK;
}

/** Whether a diode or stop holds its flow at zero. */
static bool holds(const sb_simulation *sim, const sb_instance *instance) {
  sb_complementary kind;
  return sb_instance_is_complementary(instance, sim->work->modes, &kind) &&
         sim->work->modes[instance->mode] == kind.held;
}

/** An event of a law that jumps, whose mode follows from those of others. @param found  out: whether it is taken  @param again  as below */
static sb_status change_jumps(sb_simulation *sim, int index, bool *found, bool *again,
                              sb_error *err) {
  const sb_transition none = {0};
  sb_changed *more = sim->changed;
  int count = 0;
  bool struck = false;
  SB_TRY(sb_jumps_change(sim, index, more, &count, found, err));
  if (*found) {
    disarm(sim, &sim->switches[index]);
  }
  if (count == 0) {
    return SB_OK;
  }
  SB_TRY(sb_evaluate_resting(sim, err));
  SB_TRY(strike(sim, index, &none, more, &count, &struck, err));
  SB_TRY(project(sim, err));
  SB_TRY(sb_loops_check(sim, err));
  for (int i = 0; i < count; i++) {
    const sb_switch *changed = &sim->switches[more[i].index];
    *again = *again || (struck && sb_instance_is_flat(&sim->network->instances[changed->instance],
                                                      sim->work->modes));
  }
  sim->restart = true;
  return sb_event_enter(sim, more, count, err);
}

/** An event. @param again  out: an impact has followed, and what holds its impulse may let go at once by the forces behind it, and what has
 *  given way to it at its strength, a spring at the preload that friction bears, may be driven to the other side; what is free has a flow
 *  against it by rounding alone */
static sb_status fire_one(sb_simulation *sim, int index, int indicator, bool *again,
                          sb_error *err) {
  sb_switch *element = &sim->switches[index];
  bool found;
  if (sb_is_branch(sim, index)) {
    disarm(sim, element);
    return sb_branch_fire(sim, index, err);
  }
  if (sb_is_unilateral(sim, index) || sb_friction_touches(sim, index) ||
      sb_stop_touches(sim, index)) {
    return sb_impact_fire(sim, index, indicator, err);
  }
  sb_audit_before(&sim->audit, sim->t, sim->x);
  SB_TRY(change_jumps(sim, index, &found, again, err));
  if (found) {
    return SB_OK;
  }
  const sb_instance *instance = &sim->network->instances[element->instance];
  const double still[2] = {0, 0};
  const bool stands = sb_stop_is_still(sim, index);
  sb_at at = sb_at_event(sim, element, sim->t, sim->x);
  sb_error why = {0};
  sb_transition next = {.mode = at.mode, .err = &why};
  at.in = stands ? still : at.in;
  if (instance->type->switching->fire(instance->self, &at, indicator,
                                      sim->work->discrete + instance->discrete, &next) != SB_OK) {
    return sb_refusal_place(instance, sim->t, &why, err);
  }
  bool changed = next.mode != at.mode;
  sb_changed *more = sim->changed;
  int count = 0;
  bool together = false, struck = false;
  const bool stuck = instance->hooked && sb_instance_sticks(instance, sim->work->modes),
             held = sb_instance_is_held(instance, sim->work->modes);
  if (stuck && changed) {
    SB_TRY(sb_motion_wait(sim, index, &next, err));
  }
  sim->work->modes[instance->mode] = next.mode;
  sb_workspace_changed(sim->work);
  if (changed && sb_instance_commutates(instance)) {
    if (instance->type->switching->times.next_time != NULL) {
      SB_TRY(sb_fire_together(sim, index, more, &count, err));
    }
    if (next.restitution == 0) {
      SB_TRY(sb_change_together(sim, index, indicator, more, &count, &together, err));
    }
    SB_TRY(change_mode(sim, index, &next, more, &count, err));
  }
  if (sb_is_sampler(instance)) {
    SB_TRY(sb_sample_together(sim, index, more, &count, err));
  }
  if (!next.continues) {
    sb_workspace_reset_listeners(sim->work, element->instance, sim->t, sim->x);
  }
  SB_TRY(changed && sb_instance_commutates(instance)
             ? meet(sim, index, at.mode, &next, more, &count, &struck, err)
             : sb_evaluate_resting(sim, err));
  bool rests = instance->hooked && sb_instance_sticks(instance, sim->work->modes);
  next.kind = rests && next.kind != NULL ? "stick" : next.kind;
  next.kind =
      held && !rests && !sb_instance_is_held(instance, sim->work->modes) ? "slip" : next.kind;
  if (rests && changed) {
    SB_TRY(sb_motion_ends(sim, index, more, &count, err));
  }
  SB_TRY(sb_loops_check(sim, err));
  disarm(sim, element);
  *again =
      struck && (together ? holds(sim, instance) : sb_instance_is_flat(instance, sim->work->modes));
  sim->restart = true;
  const bool back =
      sim->work->modes[instance->mode] == at.mode; // others have changed for it, or none
  if (changed && back && (count > 0 || together)) {
    return sb_event_enter(sim, more, count, err);
  }
  SB_TRY(sb_audit_event(&sim->audit, sim->t, sim->x, next.kind, element->instance, err));
  return sb_event_enter(sim, more, count, err);
}

/** Whether an event indicator fires now: it is below zero and armed; of the element that has just had an event it must be falling, as the
 *  room is that of what sticks beyond its strength. That may be so of one that had its event before, at the same instant. */
static bool fires_now(const sb_simulation *sim, const sb_switch *element, const sb_indicator *g,
                      bool just) {
  const bool falls = g->gdot[0] < 0, now = element->since == sim->t;
  return g->g[0] < 0 && (just ? falls : g->armed || (now && falls));
}

/** The first indicator that fires after an event of `fired`, of what slips or of what does not. Returns the element's index, -1: none. */
static int find_first(const sb_simulation *sim, int fired, bool slips, int *indicator) {
  for (int i = 0; i < sim->all_switch_count; i++) {
    const sb_switch *element = &sim->switches[i];
    const bool own =
        !sb_is_branch(sim, i) &&
        sb_instance_slips(&sim->network->instances[element->instance], sim->work->modes);
    for (int k = 0; own == slips && k < element->count; k++) {
      if (fires_now(sim, element, &element->indicators[k], i == fired)) {
        *indicator = k;
        return i;
      }
    }
  }
  return -1;
}

/** The next event. What an impulse has thrown to the other side slips there before others follow: these may bring it to rest. */
static int find_next(const sb_simulation *sim, int fired, int *indicator) {
  const int thrown = find_first(sim, fired, true, indicator);
  return thrown >= 0 ? thrown : find_first(sim, fired, false, indicator);
}

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

static sb_status word_chatter(const sb_simulation *sim, int index, sb_error *err) {
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
          : "what closes it must not open it at once: add hysteresis, a gap between "
            "the two, as in closes=\"4[V] - u\" opens=\"u - 5[V]\"");
  return SB_ERR_CHATTER;
}

sb_status sb_event_explain(const sb_simulation *sim, sb_status status, sb_error *err) {
  bool stopped = sim->burst >= STOPPED_BY && sim->t - sim->burst_t <= burst_gap(sim);
  return status == SB_ERR_SOLVER && stopped ? word_chatter(sim, sim->burst_index, err) : status;
}

/** Counts an event of a burst.  @return those of this element in it: a hundred bodies may touch at once, but none for ever */
static int count_event(sb_simulation *sim, int index) {
  sb_switch *s = &sim->switches[index];
  s->at_once = s->burst == sim->burst_number ? s->at_once + 1 : 1;
  s->burst = sim->burst_number;
  sim->burst++;
  return s->at_once;
}

/** Whether an event may take an indicator of another element from zero: a sample the condition duty - saw of a switch at the start of a
 *  run, where both are zero until the duty is sampled, and the voltage of a diode; a diode that closes that of one which nothing has driven
 *  before. */
static bool may_drive(const sb_simulation *sim, int index, int other) {
  const sb_instance *instance = &sim->network->instances[sim->switches[other].instance];
  const sb_instance *own = &sim->network->instances[sim->switches[index].instance];
  if (sb_is_branch(sim, index)) {
    return false;
  }
  return instance->type->switching->modes.complementary != NULL
             ? sb_is_sampler(own) || sb_instance_commutates(own)
             : sb_is_sampler(own) && sb_instance_has_condition(instance);
}

/** What an event takes from zero below it has fallen, though it has not been above zero before.
 *  @param taken  whether the event has been taken */
static void arm_zeros(sb_simulation *sim, int index, bool taken) {
  for (int i = 0; i < sim->switch_count; i++) {
    const bool driven = may_drive(sim, index, i);
    for (int k = 0; driven && k < sim->switches[i].count; k++) {
      sb_indicator *g = &sim->switches[i].indicators[k];
      g->armed = g->armed || (taken && g->at_zero && g->g[0] < 0);
      g->at_zero = !taken && g->g[0] == 0;
    }
  }
}

/** An event and what follows from it in the signals and constraints, with the event indicators behind it. */
static sb_status fire_and_read(sb_simulation *sim, int index, int indicator, bool *again,
                               sb_error *err) {
  *again = false;
  arm_zeros(sim, index, false);
  SB_TRY(fire_one(sim, index, indicator, again, err));
  if (sim->begun) { // a source that follows what has jumped forces storages
    SB_TRY(sb_consistency_project(sim, err));
  }
  SB_TRY(sb_indicators_read(sim, sim->t, sim->x, 0, err));
  arm_zeros(sim, index, true);
  for (int k = 0; *again && k < sim->switches[index].count; k++) {
    sb_indicator *g = &sim->switches[index].indicators[k];
    g->armed = g->armed || g->g[0] < 0;
  }
  return SB_OK;
}

/** Where contacts hold one thing several times, and one of them is at the bound of its friction, the others take what it cannot, and
 *  its force is at the bound again. As the friction of all comes to its bound, the time from one shift to the next falls by some
 *  percents each.
 *  @param before  events of the run until this one */
static sb_status count_shifts(sb_simulation *sim, int index, int before, sb_error *err) {
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
    return word_chatter(sim, index, err);
  }
  sim->shifts = 1;
  sim->shifting_t = sim->t;
  sim->shifting_span = span;
  return SB_OK;
}

/** A jump may lead through all pieces of a law, there and back. */
static int pieces_of(const sb_simulation *sim, int index) {
  const sb_instance *instance = &sim->network->instances[sim->switches[index].instance];
  return sb_is_branch(sim, index) ? 0 : 2 * instance->layout.pieces;
}

/** The next event of this instant, after one of `fired`. Where no indicator has fallen, what begins to slip and what holds are asked. */
static sb_status go_on(sb_simulation *sim, int fired, int *index, int *indicator, sb_error *err) {
  bool changed = true;
  *index = find_next(sim, fired, indicator);
  for (int round = 0; *index < 0 && changed; round++) {
    if (round > sim->options.max_events_at_once) {
      return word_chatter(sim, sim->burst_index, err);
    }
    *indicator = 0;
    SB_TRY(sb_slip_turned(sim, index, err));
    changed = false;
    if (*index < 0) {
      SB_TRY(sb_motion_settle(sim, &changed, err));
      *index = changed ? find_next(sim, -1, indicator) : -1;
    }
  }
  return SB_OK;
}

sb_status sb_event_fire(sb_simulation *sim, int index, int indicator, sb_error *err) {
  double gap = burst_gap(sim);
  int most = sim->options.max_events_at_once * (gap > sb_quiet_time(sim) ? MORE_LATE : 1);
  if (sim->t - sim->burst_t > gap && !sb_branch_chatters(sim, index)) {
    sim->burst = 0;
    sim->burst_number++;
  }
  sim->burst_t = sim->t;
  while (index >= 0) {
    sim->burst_index = index;
    const int at_once = indicator >= 0 ? count_event(sim, index) : 0;
    if (at_once > most + pieces_of(sim, index)) { // those of known times come to an end
      if (!sb_branch_free(sim, index)) {
        return word_chatter(sim, sim->burst_index, err);
      }
      SB_TRY(sb_evaluate(sim, sim->t, sim->x, err));
      SB_TRY(sb_indicators_read(sim, sim->t, sim->x, 0, err));
      sim->restart = true;
      index = find_next(sim, -1, &indicator);
      continue;
    }
    const int before = sim->audit.ledger.event_count;
    bool again;
    SB_TRY(fire_and_read(sim, index, indicator, &again, err));
    SB_TRY(count_shifts(sim, index, before, err));
    SB_TRY(go_on(sim, again ? -1 : index, &index, &indicator, err));
  }
  return SB_OK;
}

sb_status sb_event_due(sb_simulation *sim, bool hooked, sb_error *err) {
  int index;
  if (!hooked) { // samples first: switches see all that they change
    SB_TRY(sb_event_due(sim, true, err));
  }
  while (sb_event_next_time(sim, hooked, &index) <= sim->t + sb_time_rounding(sim->t) &&
         index >= 0) {
    SB_TRY(sb_evaluate(sim, sim->t, sim->x, err));
    SB_TRY(sb_event_fire(sim, index, -1, err));
  }
  return SB_OK;
}

sb_status sb_event_jumped(sb_simulation *sim, sb_error *err) {
  int indicator = 0;
  if (sim->switch_count == 0) {
    return SB_OK;
  }
  SB_TRY(sb_indicators_read(sim, sim->t, sim->x, 0, err));
  int index = find_next(sim, -1, &indicator);
  return index < 0 ? SB_OK : sb_event_fire(sim, index, indicator, err);
}

sb_status sb_event_settle(sb_simulation *sim, bool commutates, sb_error *err) {
  SB_TRY(sb_indicators_read(sim, sim->t, sim->x, 0, err));
  for (int i = 0; i < sim->switch_count; i++) {
    for (int k = 0; k < sim->switches[i].count; k++) { // they happen together
      sb_indicator *indicator = &sim->switches[i].indicators[k];
      indicator->armed = indicator->armed || indicator->g[0] < 0;
    }
  }
  for (int i = 0; i < sim->switch_count; i++) {
    const sb_instance *instance = &sim->network->instances[sim->switches[i].instance];
    if (sb_instance_commutates(instance) != commutates) {
      continue;
    }
    for (int k = 0; k < sim->switches[i].count; k++) {
      const sb_indicator *indicator = &sim->switches[i].indicators[k];
      if (indicator->g[0] < 0 || (indicator->g[0] == 0 && indicator->gdot[0] <= 0)) {
        SB_TRY(sb_event_fire(sim, i, k, err));
        break;
      }
    }
  }
  return SB_OK;
}
