// SPDX-License-Identifier: GPL-3.0-or-later
// Rigid contacts at an event, all that touch at once. The program is compiled in which they are held (touches.c) and asked
// twice, for the impulses where a gap closes (impact_laws.c) and for the forces that tell how they go on (touch_modes.c);
// what happened to each is reported with its own loss.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/causality/constraint.h"
#include "core/simulation/impacts_private.h"
#include "core/simulation/switching_private.h"

static const double force_rounding = 1e-13;
enum { DRAGS_MAX = 100 };

const char *sb_touch_event(const sb_touch *touch) {
  bool apart = touch->mode == SB_APART, leaves = touch->next == SB_APART;
  return touch->struck                ? "impact"
         : apart && leaves            ? NULL
         : apart                      ? "touch"
         : leaves                     ? "release"
         : touch->next == touch->mode ? NULL
         : touch->next == SB_STICKS   ? "stick"
                                      : "slip";
}

/** An event of every contact to which something happened. Together they lose what the storages lost and sources supplied; each loses
 *  its own, and what is rounding of them all is with the largest, as is what was supplied. */
static sb_status report(sb_simulation *sim, const sb_touches *all, int index, sb_error *err) {
  sb_ledger *ledger = &sim->audit.ledger;
  int first = ledger->event_count, largest = first;
  double most = -1, sum = 0;
  for (int i = 0; i < 2 * all->count;
       i++) { // the first that is reported is given what the storages lost
    const sb_touch *touch = &all->touches[i % all->count];
    const char *kind = sb_touch_event(touch);
    const bool shifts = touch->index == index && touch->mode != SB_APART && all->count > 1;
    kind = kind == NULL && shifts ? SB_EVENT_SHIFT : kind;
    if ((kind != NULL) != (i < all->count)) {
      continue;
    }
    sim->audit.source_in_impact = true; // its loss has other reasons than a constraint
    SB_TRY(sb_audit_event(&sim->audit, sim->t, sim->x, kind, touch->instance, err));
    if (kind == NULL) {
      continue;
    }
    sb_event *event = &ledger->events[ledger->event_count - 1];
    const double own = fmax(touch->loss, 0); // of slips that end it may be less by rounding
    sum += event->loss - own;
    event->loss = own;
    largest = own > most ? ledger->event_count - 1 : largest;
    most = fmax(most, own);
  }
  if (first < ledger->event_count) {
    ledger->events[largest].loss = fmax(most + sum, 0);
  }
  for (int i = first; i < ledger->event_count; i++) {
    sb_event *event = &ledger->events[i];
    event->stored_before = i > first ? event[-1].stored_after : event->stored_before;
    event->stored_after = event->stored_before - event->loss + (i == largest ? all->supplied : 0);
  }
  return SB_OK;
}

static void disarm(sb_simulation *sim, int index) {
  sim->switches[index].since = sim->t;
  for (int k = 0; k < SB_INDICATORS_MAX; k++) {
    sim->switches[index].indicators[k].armed = false;
  }
}

/** Contacts that hold one thing twice go on with the forces that were found: their multipliers, the efforts on body 1, differ from
 *  these as little as they can. */
static void refer_multipliers(sb_simulation *sim, const sb_touches *all) {
  const sb_program *program = sim->work->program;
  const sb_causality *causality = &program->causality;
  for (int i = 0; i < causality->constraint_count; i++) {
    double factor;
    double multiplier;
    int own = sb_touch_component(sim, all, i, &factor, &multiplier);
    int value = sb_multiplier_value(sim->network, causality, i);
    for (int k = 0; own >= 0 && k < program->loop_output_count; k++) {
      if (program->loop_outputs[k] == value) {
        const sb_touch *touch = &all->touches[own / 3];
        sim->work->loops.reference[k] = touch->force[own % 3] * multiplier;
        const double most =
            own % 3 > 0 ? touch->terms.mu : all->touches[all->count - 1].strength > 0;
        sim->work->loops.strength[k] = most * touch->force[0] * fabs(multiplier);
      }
    }
  }
}

/** What is held is at rest to the rounding of the forces f that hold it: over a length l that is a work of rounding f l, and an
 *  energy of rounding^2 f l, below which nothing is followed. As gaps are known to a tenth of rounding l, l is found by that. */
static void note_noise(sb_simulation *sim, const sb_touches *all) {
  for (int c = 0; c < all->count; c++) {
    const sb_touch *touch = &all->touches[c];
    double force = 0;
    for (int k = 0; k < 3 && touch->next != SB_APART; k++) {
      force += fabs(touch->held[k]);
    }
    int part = sim->network->part_of[touch->instance];
    double work = 10 * force * touch->terms.known;
    sim->nominal.idle[part] = fmax(sim->nominal.idle[part], work);
    sim->nominal.noise[part] = fmax(sim->nominal.noise[part], force_rounding * work);
  }
}

/** Whether all frictions that take part answer to a force: one that imposes its flow on what contacts hold, as behind a gear, has no constraint
 *  of its own. */
static bool all_answer(const sb_touches *all) {
  const int m = 3 * all->count;
  bool any = false;
  for (int c = 0; c < all->count; c++) {
    const int i = 3 * c + 1;
    any = any || (all->touches[c].strength > 0 && !(all->W[i * m + i] > 0));
  }
  return !any;
}

/** How contacts go on; an impact without collision ends slips, and the rest begins anew. */
static sb_status choose(sb_simulation *sim, sb_touches *all, int index, int indicator,
                        sb_error *err) {
  bool impact = true;
  if (sb_touches_join(sim, all)) {
    SB_TRY(sb_touches_hold(sim, all, err));
    if (all_answer(all)) {
      SB_TRY(sb_touches_choose(sim, all, index, indicator, &impact, err));
      sb_touches_settle_loose(all);
      sb_touches_give_way(all, index);
    }
    if (impact) { // friction bears none
      sb_touches_part(sim, all);
      SB_TRY(sb_touches_hold(sim, all, err));
    }
  }
  for (int i = 0; impact && i < DRAGS_MAX; i++) {
    SB_TRY(i > 0 ? sb_touches_hold_again(sim, all, err) : SB_OK);
    SB_TRY(sb_touches_choose(sim, all, index, indicator, &impact, err));
  }
  return !impact ? SB_OK
                 : sb_touch_refuse(sim, &all->touches[0], "impacts without collision do not end",
                                   "a smaller mu, or a contact with a stiffness", err);
}

/** What has stuck before an impact. */
typedef struct stuck {
  int *modes;       // (modes) all of them
  double *discrete; // (discrete states)
  bool *released;   // (switches)
} stuck;

/** Whether a contact of a part may close, and has struck. @param struck  out */
static bool may_close(const sb_simulation *sim, const sb_touches *all, int part, bool *struck) {
  bool any = false;
  *struck = false;
  for (int c = 0; c < all->count; c++) {
    const sb_touch *touch = &all->touches[c];
    const bool own = sim->network->part_of[touch->instance] == part;
    any = any || (own && touch->mode == SB_APART);
    *struck = *struck || (own && touch->struck);
  }
  return any;
}

/** Whether dry friction is at rest: it sticks, others hold it, or it slips at no speed, as one that bears its strength beside another one of
 *  its motion, and may be thrown to the other side. */
static bool rests(const sb_simulation *sim, const sb_switch *element) {
  const sb_instance *instance = &sim->network->instances[element->instance];
  const int *modes = sim->work->modes;
  return sb_instance_sticks(instance, modes) || sb_instance_is_held(instance, modes) ||
         (sb_instance_slips(instance, modes) &&
          sb_at_event(sim, element, sim->t, sim->x).in[instance->components] == 0);
}

/** Dry friction bears no impulse: in the parts where contacts may close what is at rest is released.  @return whether there is some */
static bool release(sb_simulation *sim, const sb_touches *all, const stuck *before) {
  const sb_network *network = sim->network;
  bool any = false, struck;
  sb_trace(sim->work, sim->x);
  memcpy(before->modes, sim->work->modes, (size_t)network->mode_count * sizeof *before->modes);
  memcpy(before->discrete, sim->work->discrete,
         (size_t)network->discrete_count * sizeof *before->discrete);
  for (int i = 0; i < sim->switch_count; i++) {
    const int own = sim->switches[i].instance;
    const sb_instance *instance = &network->instances[own];
    before->released[i] =
        may_close(sim, all, network->part_of[own], &struck) && rests(sim, &sim->switches[i]);
    if (before->released[i]) {
      const sb_at at = sb_at_switch(sim, &sim->switches[i], sim->t, sim->x);
      sim->work->modes[instance->mode] = instance->type->switching->initial_mode(
          instance->self, &at, sim->work->discrete + instance->discrete);
      any = true;
    }
  }
  return any;
}

/** What no impulse has moved goes on sticking; the rest by the flow that it has.  @return whether there is any of the former */
static bool restore(sb_simulation *sim, const sb_touches *all, const stuck *before) {
  bool any = false, struck;
  sb_trace(sim->work, sim->x);
  for (int i = 0; i < sim->switch_count; i++) {
    const int own = sim->switches[i].instance;
    const sb_instance *instance = &sim->network->instances[own];
    if (!before->released[i]) {
      continue;
    }
    (void)may_close(sim, all, sim->network->part_of[own], &struck);
    const sb_at at = sb_at_event(sim, &sim->switches[i], sim->t, sim->x);
    if (!struck || at.in[instance->components] == 0) {
      sim->work->modes[instance->mode] = before->modes[instance->mode];
      memcpy(sim->work->discrete + instance->discrete, before->discrete + instance->discrete,
             (size_t)instance->type->switching->discrete_states * sizeof *before->discrete);
      any = true;
    } else {
      sim->switches[i].indicators[0].armed = true;
    }
  }
  sb_workspace_changed(sim->work);
  return any;
}

/** Impulses, and what holds behind them. @param before  scratch */
static sb_status strike(sb_simulation *sim, sb_touches *all, const stuck *before, sb_error *err) {
  const bool released = release(sim, all, before);
  SB_TRY(sb_touches_hold(sim, all, err));
  SB_TRY(sb_touches_strike(sim, all, err));
  bool struck = false;
  for (int c = 0; c < all->count; c++) {
    struck = struck || all->touches[c].struck;
  }
  if (struck) {
    SB_TRY(sb_touches_hold_again(sim, all, err));
  }
  return released && restore(sim, all, before) ? sb_touches_hold(sim, all, err) : SB_OK;
}

static sb_status strike_released(sb_simulation *sim, sb_touches *all, sb_error *err) {
  const sb_network *network = sim->network;
  const stuck before = {.modes = sb_zeroed(network->mode_count + 1, sizeof *before.modes),
                        .discrete = sb_zeroed(network->discrete_count + 1, sizeof *before.discrete),
                        .released = sb_zeroed(sim->switch_count + 1, sizeof *before.released)};
  const bool known = before.modes != NULL && before.discrete != NULL && before.released != NULL;
  const sb_status status =
      known ? strike(sim, all, &before, err) : sb_fail(err, SB_ERR_MEMORY, "out of memory");
  free(before.modes);
  free(before.discrete);
  free(before.released);
  return status;
}

sb_status sb_touches_go_on(sb_simulation *sim, sb_touches *all, int index, int indicator,
                           sb_error *err) {
  sb_changed none[SB_COMMUTATION_MAX];
  int more = 0;
  SB_TRY(choose(sim, all, index, indicator, err));
  for (int c = 0; c < all->count; c++) {
    const sb_touch *touch = &all->touches[c];
    const sb_instance *instance = &sim->network->instances[touch->instance];
    if (touch->strength > 0) {
      sb_touch_enter_friction(sim, touch);
      disarm(sim, touch->index);
      continue;
    }
    if (touch->side != 0) {
      sb_touch_enter_stop(sim, touch);
      disarm(sim, touch->index);
      continue;
    }
    sb_at at = sb_touch_at(sim, touch);
    sb_touch_hooks(sim, touch->index)
        ->enter(instance->self, &at, touch->next, touch->terms.slip, touch->turning, touch->still,
                sim->work->discrete + instance->discrete);
    sb_touch_set_mode(sim, touch, touch->next);
    disarm(sim, touch->index);
  }
  SB_TRY(sb_commutate(sim, sim->switch_count > 0 ? all->touches[0].index : -1, none, &more, err));
  refer_multipliers(sim, all);
  sb_workspace_changed(sim->work);
  SB_TRY(sb_evaluate_resting(sim, err));
  // what has come to rest is at rest to the rounding of the speeds before
  SB_TRY(sb_enforce(sim, sim->t, sim->x, err));
  sb_workspace_changed(sim->work);
  SB_TRY(sb_evaluate_resting(sim, err));
  SB_TRY(sb_loops_check(sim, err));
  note_noise(sim, all);
  sim->restart = true;
  return SB_OK;
}

static sb_status take(sb_simulation *sim, sb_touches *all, int index, int indicator,
                      sb_error *err) {
  sb_audit_before(&sim->audit, sim->t, sim->x);
  SB_TRY(strike_released(sim, all, err));
  SB_TRY(sb_touches_go_on(sim, all, index, indicator, err));
  return report(sim, all, index, err);
}

static sb_status take_and_free(sb_simulation *sim, int index, int indicator, sb_error *err) {
  sb_touches all = {0};
  sb_status status = sb_touches_list(sim, index, indicator, &all, err);
  if (status == SB_OK && all.count > 0) {
    status = take(sim, &all, index, indicator, err);
  }
  free(all.touches);
  free(all.numbers);
  return status;
}

bool sb_is_unilateral(const sb_simulation *sim, int index) {
  return sb_touch_hooks(sim, index) != NULL;
}

sb_status sb_impact_fire(sb_simulation *sim, int index, int indicator, sb_error *err) {
  return take_and_free(sim, index, indicator, err);
}

sb_status sb_impacts_start(sb_simulation *sim, sb_error *err) {
  return take_and_free(sim, -1, -1, err);
}
