// SPDX-License-Identifier: GPL-3.0-or-later
// Impulses of what is no contact where rigid contacts touch, as of a clutch that closes or a source that jumps. With the contacts let go the
// state is projected onto the other constraints; the impulses of the contacts, by their response beside these, are then those of an impact
// without restitution: p_n >= 0, u_n >= 0, |p_t| <= mu p_n. Both together are the impulses of one problem, as none of a contact violates
// the other constraints. A constraint of either sign in the place of a contact would pull, and its friction hold what nothing presses.
#include <stdlib.h>

#include "core/causality/constraint.h"
#include "core/model/constraints.h"
#include "core/simulation/impacts_private.h"
#include "core/simulation/switching_private.h"

/** What is off by less than this fraction of the largest energy of its part is rounding: a billionth of its speeds. */
static const double rounding = 1e-18;

/** What does not approach before has nothing to give back. */
static void find_resting(sb_touches *all) {
  for (int c = 0; c < all->count; c++) {
    sb_touch *touch = &all->touches[c];
    touch->rests = !(all->v[3 * c] < -touch->slow);
  }
}

/** Projects the state with contacts and stops let go. @param owner  out: an instance whose constraint was violated */
static sb_status project_freely(sb_simulation *sim, const sb_touches *all, int *owner,
                                sb_error *err) {
  int violated;
  for (int c = 0; c < all->count; c++) {
    const sb_touch *touch = &all->touches[c];
    sb_touch_set_mode(sim, touch, sb_touch_is_element(touch) ? touch->free : SB_APART);
  }
  if (!sb_modes_compile(sim)) {
    return sb_touch_refuse(sim, &all->touches[0],
                           "the impulse of what it is joined to has no solution",
                           "a contact with a stiffness", err);
  }
  SB_TRY(sb_project(sim, sim->x, &violated, err));
  if (violated >= 0) {
    *owner =
        sb_owner_of(sim->network, sb_constraint_state(&sim->work->program->causality, violated));
  }
  sb_energies_follow(sim);
  sb_workspace_changed(sim->work);
  return SB_OK;
}

static sb_status project(sb_simulation *sim, sb_touches *all, sb_changed more[], int *count,
                         int *owner, sb_error *err) {
  SB_TRY(sb_touches_hold(sim, all, err));
  find_resting(all);
  SB_TRY(project_freely(sim, all, owner, err));
  SB_TRY(sb_touches_hold(sim, all, err));
  SB_TRY(sb_touches_strike(sim, all, err));
  SB_TRY(sb_touches_hold_again(sim, all, err));
  SB_TRY(sb_touches_go_on(sim, all, -1, -1, err));
  for (int c = 0; c < all->count; c++) {
    const char *kind = sb_touch_event(&all->touches[c]);
    if (kind != NULL) {
      more[(*count)++] = (sb_changed){all->touches[c].index, kind};
    }
  }
  sim->audit.source_in_impact = true; // its loss has other reasons than a constraint
  return SB_OK;
}

/** The energy of the impulse that would meet a constraint alone. */
static double energy_of(const sb_constraint_row *row) {
  double response = 0;
  for (int k = 0; k < row->count; k++) {
    response += row->gradient[row->states[k]] * row->impulse[row->states[k]];
  }
  return response > 0 ? row->residual * row->residual / (2 * response) : 0;
}

/** Whether a constraint of a part that is none of a contact is not met. What contacts hold may hide it from a projection, as they may
 *  contradict it. */
static bool is_unmet(const sb_simulation *sim, const sb_touches *all, int part) {
  const sb_causality *causality = &sim->work->program->causality;
  sb_constraint_groups *groups = sb_constraint_groups_of(sim->work);
  const double least = rounding * sb_largest_energy(sim, part);
  bool any = false;
  for (int i = 0; groups != NULL && i < causality->constraint_count && !any; i++) {
    const int state = sb_constraint_state(causality, i);
    double factor;
    if (sim->network->part_of[sb_owner_of(sim->network, state)] == part &&
        sb_touch_component(sim, all, i, &factor, NULL) < 0) {
      const sb_constraint_row *row = sb_constraint_row_at(groups, sim->work, i, sim->x, true);
      any = !row->failed && energy_of(row) > least;
    }
  }
  return any;
}

bool sb_impact_is_beside(sb_simulation *sim, int instance) {
  sb_touches all = {0};
  sb_error none;
  if (!sb_touches_beside(sim, instance)) {
    return false;
  }
  const bool unmet = sb_touches_list(sim, -1, -1, &all, &none) == SB_OK &&
                     is_unmet(sim, &all, sim->network->part_of[instance]);
  free(all.touches);
  return unmet;
}

sb_status sb_impact_beside(sb_simulation *sim, sb_changed more[], int *count, int *owner,
                           sb_error *err) {
  sb_touches all = {0};
  sb_status status = sb_touches_list(sim, -1, -1, &all, err);
  if (status == SB_OK) {
    status = project(sim, &all, more, count, owner, err);
  }
  free(all.touches);
  free(all.numbers);
  return status;
}
