// SPDX-License-Identifier: GPL-3.0-or-later
// One event: the element takes its new mode, with what changes along with it; structures commutate, and constraints that begin to hold
// are met by impacts.
#include "core/simulation/simulation_private.h"
#include "core/simulation/switching_private.h"

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

/** An event while it is taken. */
typedef struct event {
  int index;                   // of the element, in the list of those that switch
  const sb_instance *instance; // the same
  int before;                  // its mode until now
  bool stuck, held;   // friction in that mode: it sticks; what it does is decided by others
  sb_transition next; // what the element names
  bool changed;       // it names another mode
  sb_changed *more;   // what changes along with it
  int count;
  bool together; // diodes and stops of its part take their modes together
  bool struck;   // an impact has followed
} event;

/** The element names its next mode. */
static sb_status name_mode(sb_simulation *sim, event *e, int indicator, sb_error *err) {
  const sb_instance *instance = e->instance;
  const double still[2] = {0, 0};
  const bool stands = sb_stop_is_still(sim, e->index);
  sb_at at = sb_at_event(sim, &sim->switches[e->index], sim->t, sim->x);
  sb_error why = {0};
  e->before = at.mode;
  e->next = (sb_transition){.mode = at.mode, .err = &why};
  at.in = stands ? still : at.in;
  if (instance->type->switching->fire(instance->self, &at, indicator,
                                      sim->work->discrete + instance->discrete,
                                      &e->next) != SB_OK) {
    return sb_refusal_place(instance, sim->t, &why, err);
  }
  e->next.err = NULL;
  e->changed = e->next.mode != e->before;
  e->stuck = instance->hooked && sb_instance_sticks(instance, sim->work->modes);
  e->held = sb_instance_is_held(instance, sim->work->modes);
  return SB_OK;
}

/** The modes of what changes at this instant, with a program for them, and the state in it. */
static sb_status take_modes(sb_simulation *sim, event *e, int indicator, sb_error *err) {
  const sb_instance *instance = e->instance;
  const bool commutates = e->changed && sb_instance_commutates(instance);
  if (e->stuck && e->changed) {
    SB_TRY(sb_motion_wait(sim, e->index, &e->next, err));
  }
  sim->work->modes[instance->mode] = e->next.mode;
  sb_workspace_changed(sim->work);
  if (commutates) {
    if (instance->type->switching->times.next_time != NULL) {
      SB_TRY(sb_fire_together(sim, e->index, e->more, &e->count, err));
    }
    if (e->next.restitution == 0) {
      SB_TRY(sb_change_together(sim, e->index, indicator, e->more, &e->count, &e->together, err));
    }
    SB_TRY(change_mode(sim, e->index, &e->next, e->more, &e->count, err));
  }
  if (sb_is_sampler(instance)) {
    SB_TRY(sb_sample_together(sim, e->index, e->more, &e->count, err));
  }
  if (!e->next.continues) {
    sb_workspace_reset_listeners(sim->work, sim->switches[e->index].instance, sim->t, sim->x);
  }
  return commutates ? meet(sim, e->index, e->before, &e->next, e->more, &e->count, &e->struck, err)
                    : sb_evaluate_resting(sim, err);
}

/** What friction that has come to rest, or that others have released, is called; one motion that it ends is ended for all that hold it. */
static sb_status name_rest(sb_simulation *sim, event *e, sb_error *err) {
  const sb_instance *instance = e->instance;
  const bool rests = instance->hooked && sb_instance_sticks(instance, sim->work->modes);
  const bool released = e->held && !rests && !sb_instance_is_held(instance, sim->work->modes);
  e->next.kind = rests && e->next.kind != NULL ? "stick" : released ? "slip" : e->next.kind;
  return rests && e->changed ? sb_motion_ends(sim, e->index, e->more, &e->count, err) : SB_OK;
}

/** The event and those of others go into the ledger; not that of an element for which others have changed, or none. */
static sb_status enter(sb_simulation *sim, const event *e, sb_error *err) {
  const bool thrown = e->struck && e->next.restitution > 0,
             back = !thrown && sim->work->modes[e->instance->mode] == e->before;
  if (!(e->changed && back && (e->count > 0 || e->together))) {
    SB_TRY(sb_audit_event(&sim->audit, sim->t, sim->x, e->next.kind,
                          sim->switches[e->index].instance, err));
  }
  return sb_event_enter(sim, e->more, e->count, err);
}

/** An event of an element that decides by itself.  @param again  out: as below */
static sb_status change_element(sb_simulation *sim, int index, int indicator, bool *again,
                                sb_error *err) {
  const sb_instance *instance = &sim->network->instances[sim->switches[index].instance];
  event e = {.index = index, .instance = instance, .more = sim->changed};
  SB_TRY(name_mode(sim, &e, indicator, err));
  SB_TRY(take_modes(sim, &e, indicator, err));
  SB_TRY(name_rest(sim, &e, err));
  SB_TRY(sb_loops_check(sim, err));
  if (e.changed && indicator >= 0 && sb_instance_has_condition(instance)) {
    SB_TRY(sb_quickening_check(sim, index, err));
  }
  disarm(sim, &sim->switches[index]);
  *again = e.struck &&
           (e.together ? holds(sim, instance) : sb_instance_is_flat(instance, sim->work->modes));
  sim->restart = true;
  return enter(sim, &e, err);
}

/** @param passed  out: whether the event is a kink within the mode */
static sb_status pass_kink(sb_simulation *sim, int index, int indicator, bool *passed,
                           sb_error *err) {
  const sb_switch *element = &sim->switches[index];
  const sb_instance *instance = &sim->network->instances[element->instance];
  const sb_at at = sb_at_switch(sim, element, sim->t, sim->x);
  *passed = indicator >= 0 && element->hooks->pass_kink != NULL &&
            element->hooks->pass_kink(instance->self, &at, indicator,
                                      sim->work->discrete + instance->discrete);
  if (!*passed) {
    return SB_OK;
  }
  sb_workspace_changed(sim->work);
  sim->restart = true;
  return sb_evaluate_resting(sim, err);
}

sb_status sb_event_take(sb_simulation *sim, int index, int indicator, bool *again, sb_error *err) {
  bool found;
  if (sb_is_branch(sim, index)) {
    disarm(sim, &sim->switches[index]);
    return sb_branch_fire(sim, index, err);
  }
  SB_TRY(pass_kink(sim, index, indicator, &found, err));
  if (found) {
    return SB_OK;
  }
  if (sb_is_unilateral(sim, index) || sb_friction_touches(sim, index) ||
      sb_stop_touches(sim, index)) {
    return sb_impact_fire(sim, index, indicator, err);
  }
  sb_audit_before(&sim->audit, sim->t, sim->x);
  SB_TRY(change_jumps(sim, index, &found, again, err));
  return found ? SB_OK : change_element(sim, index, indicator, again, err);
}
