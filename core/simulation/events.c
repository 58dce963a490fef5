// SPDX-License-Identifier: GPL-3.0-or-later
// The events of an instant: one after the other, until no event indicator is below zero.
#include "core/simulation/simulation_private.h"
#include "core/simulation/switching_private.h"

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

/** Whether a stop that is exactly at a limit has closed and would pull, as one that starts there and is drawn away: it lets go before others see that. */
static bool lets_go(const sb_simulation *sim, int index, bool at_limit) {
  sb_complementary kind;
  return at_limit && !sb_is_branch(sim, index) && sim->switches[index].count > 0 &&
         sb_instance_is_complementary(&sim->network->instances[sim->switches[index].instance],
                                      sim->work->modes, &kind) &&
         sim->switches[index].indicators[0].g[0] < 0;
}

/** An event and what follows from it in the signals and constraints, with the event indicators behind it.
 *  @param again  out: whether the element itself may have another one  @param at_once  out: whether that is the next */
static sb_status fire_and_read(sb_simulation *sim, int index, int indicator, bool *again,
                               bool *at_once, sb_error *err) {
  const bool at_limit = indicator >= 0 && sim->switches[index].indicators[indicator].g[0] == 0;
  *again = false;
  arm_zeros(sim, index, false);
  SB_TRY(sb_event_take(sim, index, indicator, again, err));
  if (sim->begun) { // a source that follows what has jumped forces storages
    SB_TRY(sb_consistency_project(sim, err));
  }
  SB_TRY(sb_indicators_read(sim, sim->t, sim->x, 0, err));
  *at_once = lets_go(sim, index, at_limit);
  arm_zeros(sim, index, true);
  for (int k = 0; *again && k < sim->switches[index].count; k++) {
    sb_indicator *g = &sim->switches[index].indicators[k];
    g->armed = g->armed || g->g[0] < 0;
  }
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
      return sb_chatter_word(sim, sim->burst_index, err);
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
  const int most = sb_chatter_limit(sim);
  const int first = index;
  sb_chatter_begin(sim, index);
  sb_sides_keep(sim);
  while (index >= 0) {
    sim->burst_index = index;
    const int at_once = indicator >= 0 ? sb_chatter_count(sim, index) : 0;
    if (at_once > most + pieces_of(sim, index)) { // those of known times come to an end
      if (!sb_branch_free(sim, index)) {
        return sb_chatter_word(sim, sim->burst_index, err);
      }
      SB_TRY(sb_evaluate(sim, sim->t, sim->x, err));
      SB_TRY(sb_indicators_read(sim, sim->t, sim->x, 0, err));
      sim->restart = true;
      index = find_next(sim, -1, &indicator);
      continue;
    }
    const int before = sim->audit.ledger.event_count;
    bool again, next;
    SB_TRY(fire_and_read(sim, index, indicator, &again, &next, err));
    SB_TRY(sb_chatter_shifts(sim, index, before, err));
    if (next) {
      indicator = 0;
      continue;
    }
    SB_TRY(go_on(sim, again ? -1 : index, &index, &indicator, err));
  }
  return sb_sliding_begin(sim, first, err);
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
