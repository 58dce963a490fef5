// SPDX-License-Identifier: GPL-3.0-or-later
// States that contradict each other, as dependent storages at the start or after a source has jumped: they
// are projected onto the constraints by an impulse that loses energy, or refused.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/causality/constraint.h"
#include "core/model/constraints.h"
#include "core/simulation/simulation_private.h"
#include "core/simulation/switching_private.h"

enum { MOVES_NAMED = 4 };
/** A state that an impulse changes by less than this fraction of it has not moved. */
static const double moved_tol = 1e-12;
/** A constraint that is off by less than this fraction of its terms is met but for rounding. */
static const double stuck_tol = 1e-9;
/** One that is off by more than this behind a projection has not been met: the audit would find a law that does not hold. */
static const double unmet_tol = 1e-6;

sb_status sb_project(const sb_simulation *sim, double x[], int *violated, sb_error *err) {
  const bool freed = sb_energies_exchange(sim, true);
  const sb_status status = sb_workspace_project(sim->work, sim->t, x, violated);
  if (freed) {
    (void)sb_energies_exchange(sim, false);
  }
  return status == SB_OK ? SB_OK : sb_fail(err, SB_ERR_MEMORY, "out of memory");
}

/** "A.q is 3 C and would be 1 C", for every state that would move. */
static void list_moves(const sb_simulation *sim, const double after[], char text[], size_t size) {
  const sb_network *network = sim->network;
  int listed = 0;
  for (int i = 0; i < network->state_count; i++) {
    double have = sim->x[i], want = after[i];
    if (fabs(want - have) <= moved_tol * (fabs(have) + fabs(want))) {
      continue;
    }
    char name[300];
    sb_quantity quantity = {0};
    sb_error err;
    (void)sb_network_find(network, sb_network_state_name(network, i, name), &quantity, &err);
    const char *gap = quantity.unit[0] == '\0' ? "" : " ";
    size_t used = strlen(text);
    if (listed++ == MOVES_NAMED) {
      (void)snprintf(text + used, size - used, ", and others");
      return;
    }
    (void)snprintf(text + used, size - used, "%s%.80s is %s%s%s and would be %s%s%s",
                   listed > 1 ? ", " : "", name, sb_number_word(have).text, gap, quantity.unit,
                   sb_number_word(want).text, gap, quantity.unit);
  }
}

/** Whether a constraint is off by more than rounding, a fraction of its terms. */
static bool is_off(const sb_constraint_row *row, double fraction) {
  return !row->failed && fabs(row->residual) > fraction * (row->size + row->terms);
}

/** Whether a constraint is off and no impulse can meet it: its gradient is zero in all states that its multiplier would move, as
 *  where a storage has d2H/dx2 = 0. */
static bool is_stuck(const sb_constraint_row *row, int algebraics) {
  double response = 0, impulse = 0;
  for (int k = 0; k < algebraics; k++) {
    if (row->on[k]) {
      return false; // an algebraic variable meets it
    }
  }
  for (int k = 0; k < row->count; k++) {
    response = fmax(response, fabs(row->gradient[row->states[k]]));
    impulse = fmax(impulse, fabs(row->impulse[row->states[k]]));
  }
  return response == 0 && impulse > 0 && is_off(row, stuck_tol);
}

/** Words what cannot be met, by the first state that the multiplier moves.
 *  @param why  about the second derivative of its energy there */
static sb_status refuse_stuck(const sb_simulation *sim, const sb_constraint_row *row,
                              const char *why, sb_error *err) {
  const sb_network *network = sim->network;
  int k = 0;
  while (row->impulse[row->states[k]] == 0) {
    k++;
  }
  char name[300];
  sb_quantity quantity = {0};
  const int state = row->states[k];
  const sb_instance *instance = &network->instances[sb_owner_of(network, state)];
  (void)sb_network_find(network, sb_network_state_name(network, state, name), &quantity, err);
  sb_status status = sb_fail(
      err, SB_ERR_RANGE,
      "the initial values contradict each other, and no impulse makes them meet: at %.80s = %s%s%s "
      "the second derivative of its energy is %s",
      name, sb_number_word(sim->x[state]).text, quantity.unit[0] == '\0' ? "" : " ", quantity.unit,
      why);
  sb_error_hint(err,
                "start %.80s at another value: from there the one that the sources and the other "
                "storages ask for is found",
                name);
  sb_place_into(&instance->place, err);
  return status;
}

/** The largest derivative of a constraint by a state that its multiplier moves; 0: it moves none. */
static double slope_of(const sb_constraint_row *row) {
  double slope = 0;
  for (int k = 0; k < row->count; k++) {
    const int state = row->states[k];
    slope = row->impulse[state] != 0 ? fmax(slope, fabs(row->gradient[state])) : slope;
  }
  return slope;
}

/** Newton's method goes far astray from a start next to d2H/dx2 = 0, and may end before it is back. Other constraints that are not met,
 *  as of what sticks and is to be released, are left to whoever releases them.
 *  @param x  where it has ended */
static sb_status refuse_unmet(sb_simulation *sim, const double x[], sb_error *err) {
  const int count = sim->work->program->causality.constraint_count;
  sb_constraint_groups *groups = count > 0 ? sb_constraint_groups_of(sim->work) : NULL;
  for (int i = 0; groups != NULL && i < count; i++) {
    const double slope = slope_of(sb_constraint_row_at(groups, sim->work, i, sim->x, true));
    const sb_constraint_row *row = sb_constraint_row_at(groups, sim->work, i, x, true);
    if (is_off(row, unmet_tol) && slope < unmet_tol * slope_of(row)) {
      return refuse_stuck(sim, row, "too small", err);
    }
  }
  return SB_OK;
}

sb_status sb_consistency_refuse(sb_simulation *sim, sb_error *err) {
  int violated;
  memcpy(sim->xp, sim->x, (size_t)sb_vector_count(sim->network) * sizeof *sim->x);
  SB_TRY(sb_project(sim, sim->xp, &violated, err));
  if (violated < 0) {
    return SB_OK;
  }
  SB_TRY(refuse_unmet(sim, sim->xp, err));
  char text[400] = "";
  double loss = 0;
  list_moves(sim, sim->xp, text, sizeof text);
  for (int i = 0; i < sim->network->instance_count; i++) {
    loss += sb_instance_energy(sim->work, i, sim->t, sim->x) -
            sb_instance_energy(sim->work, i, sim->t, sim->xp);
  }
  for (int i = sim->network->state_count; i < sb_vector_count(sim->network); i++) {
    loss += sim->xp[i] - sim->x[i]; // what sources would supply
  }
  sb_status status =
      sb_fail(err, SB_ERR_RANGE, "the initial values contradict each other: %s", text);
  sb_error_hint(err,
                "start with these, or let them meet by inconsistent=\"jump\", which loses %s J",
                sb_number_word(loss).text);
  int state = sb_constraint_state(&sim->work->program->causality, violated);
  if (err != NULL) {
    sb_place_into(&sim->network->instances[sb_owner_of(sim->network, state)].place, err);
  }
  return status;
}

sb_status sb_consistency_find_stuck(sb_simulation *sim, sb_error *err) {
  const int count = sim->work->program->causality.constraint_count;
  sb_constraint_groups *groups = count > 0 ? sb_constraint_groups_of(sim->work) : NULL;
  for (int i = 0; groups != NULL && i < count; i++) {
    const sb_constraint_row *row = sb_constraint_row_at(groups, sim->work, i, sim->x, true);
    if (is_stuck(row, sim->work->program->causality.algebraic_count)) {
      return refuse_stuck(sim, row, "zero", err);
    }
  }
  return SB_OK;
}

bool sb_consistency_moves(const sb_simulation *sim, const double after[], double fraction) {
  bool moved = false;
  for (int i = 0; i < sim->network->state_count && !moved; i++) {
    moved = !(fabs(after[i] - sim->x[i]) <= fraction * sim->nominal.used[i]);
  }
  return moved;
}

/** The owner of a state that a constraint is about. */
static int owner_of(const sb_simulation *sim, int constraint) {
  return sb_owner_of(sim->network, sb_constraint_state(&sim->work->program->causality, constraint));
}

/** Moves the state onto the constraints.
 *  @param beside  contacts that touch take part, and may change  @param owner  out: of a constraint that was not met; -1: all were */
static sb_status meet(sb_simulation *sim, bool beside, sb_changed more[], int *count, int *owner,
                      sb_error *err) {
  int violated;
  *owner = -1;
  if (beside) {
    return sb_impact_beside(sim, more, count, owner, err);
  }
  SB_TRY(sb_project(sim, sim->x, &violated, err));
  *owner = violated < 0 ? -1 : owner_of(sim, violated);
  return SB_OK;
}

sb_status sb_consistency_project(sb_simulation *sim, sb_error *err) {
  sb_changed *more = sim->changed;
  int violated, count = 0;
  memcpy(sim->xp, sim->x, (size_t)sb_vector_count(sim->network) * sizeof *sim->x);
  SB_TRY(sb_project(sim, sim->xp, &violated, err));
  if (violated < 0) {
    return SB_OK;
  }
  sim->restart = true;
  const bool moves = sb_consistency_moves(sim, sim->xp, DBL_EPSILON);
  int owner = owner_of(sim, violated);
  const bool beside = sb_impact_is_beside(sim, owner);
  if (!moves && !beside) { // bodies at rest contradict each other by rounding of nothing
    memcpy(sim->x, sim->xp, (size_t)sb_vector_count(sim->network) * sizeof *sim->x);
    return sb_evaluate(sim, sim->t, sim->x, err);
  }
  if (sim->accepted == 0) {
    SB_TRY(refuse_unmet(sim, sim->xp, err));
  }
  sb_audit_before(&sim->audit, sim->t, sim->x);
  SB_TRY(sb_commutate(sim, -1, more, &count, err));
  SB_TRY(sb_evaluate_resting(sim, err));
  if (count > 0 && sb_state_goes_on(sim)) {
    return sb_event_enter(sim, more, count, err);
  }
  SB_TRY(meet(sim, beside, more, &count, &owner, err));
  if (owner < 0) { // what stuck has been released
    SB_TRY(beside ? sb_event_enter(sim, more, count, err) : SB_OK);
    return sb_event_settle(sim, true, err);
  }
  sb_energies_follow(sim);
  SB_TRY(sb_evaluate(sim, sim->t, sim->x, err));
  SB_TRY(sb_audit_event(&sim->audit, sim->t, sim->x, "impact", owner, err));
  SB_TRY(sb_event_enter(sim, more, count, err));
  return sb_event_settle(sim, true, err);
}
