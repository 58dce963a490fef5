// SPDX-License-Identifier: GPL-3.0-or-later
// Where a branch of an expression has been left (branches.c) the next one is taken, and those that it decides on: whether the values
// of the element jump there, or go on behind a kink, and what that is an event of.
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/model/rhs.h"
#include "core/simulation/simulation_private.h"
#include "core/simulation/switching_private.h"

/** Where nothing jumps and what decides has twice left its kink by less than this fraction of the farthest, that
 *  is rounding, and the branch goes on beyond the kink by SLACK times as much. */
static const double rounding = 1e-10;
enum { SLACK = 4 };
/** A change of an output by less than this fraction of the largest so far is no jump. */
static const double no_jump = 1e-6;
/** Nor is one by less than this fraction of what the output changes by in the step of differences behind it. */
static const double still = 1e-2;
/** A branch changes at once if that is after this fraction of the longest step, and if what decides has gone
 *  as little from its kink in between. */
static const double at_once = 1e-4;
double sb_short_time(const sb_simulation *sim) {
  const double located = sb_time_rounding(sim->t) + sim->options.event_tol;
  return fmax(sb_branches_span(sim), fmax(sb_quiet_time(sim), located / still));
}

/** Of the values of an element before a change of branches in the second third of sim->hook_values, and the present ones in
 *  the third, those are made equal that differ by no more than a kink does: by what its argument is beyond it, if only by
 *  rounding. That is far less than what they do a little later, also where they have been zero so far.
 *  @param from  what they are by the branches that are held  @return whether some still differ */
static bool differ(sb_simulation *sim, int index, int given, const double from[]) {
  const double least = no_jump * sim->switches[index].largest, h = sb_short_time(sim);
  const double *later = sim->hook_values, *before = later + given;
  double *now = sim->hook_values + 2 * (size_t)given;
  bool any = false, known = h > 0 && sb_branches_later(sim, sim->t, sim->x, index, h);
  for (int k = 0; k < given; k++) {
    const double jump = fabs(now[k] - before[k]);
    now[k] = known && jump <= still * fabs(later[k] - from[k]) ? before[k] : now[k];
    any = any || !(fabs(now[k] - before[k]) <= least);
  }
  return any;
}

void sb_branches_exchange(sb_simulation *sim, const sb_instance *instance, double other[]) {
  double *held = sim->work->branches.held;
  for (int k = instance->branch; k < instance->branch + instance->branch_count; k++) {
    const double own = held[k];
    held[k] = other[k];
    other[k] = own;
  }
}

int sb_branches_read_side(sb_simulation *sim, int index, int third) {
  const int given = sb_branches_ask(sim, sim->switches[index].instance, sim->t, sim->x);
  memcpy(sim->hook_values + (size_t)(third * given), sim->hook_values,
         (size_t)given * sizeof *sim->hook_values);
  return given;
}

/** Whether the values that have been read on both sides are not the same but for a fraction of the largest. */
static bool are_apart(const sb_simulation *sim, int index, int given) {
  const double *before = sim->hook_values + given, *now = before + given;
  bool any = false;
  for (int k = 0; k < given; k++) {
    any = any || !(fabs(now[k] - before[k]) <= no_jump * sim->switches[index].largest);
  }
  return any;
}

/** Whether what the network gives a law, and this it, jumps: from the branches that were held before to those by the arguments. At one current
 *  the voltages of 1 S and of 1 uS differ by a million times what a diode is beyond its kink by rounding, as another may be that is in series with it.
 *  If there is no solution on one side, it does.  @param old  (branches) that were held before */
static bool jumps_in_network(sb_simulation *sim, int index, double old[]) {
  const sb_instance *instance = &sim->network->instances[sim->switches[index].instance];
  const size_t size = (size_t)sim->network->branch_count * sizeof(double);
  double *held = sim->work->branches.held;
  memcpy(sim->energies_kept, held, size);
  sb_workspace_free_branches(sim->work);
  bool solved = sb_workspace_evaluate(sim->work, sim->t, sim->x) == 0;
  const int given = sb_branches_read_side(sim, index, 2);
  memcpy(held, sim->energies_kept, size);
  sb_branches_exchange(sim, instance, old);
  sb_workspace_changed(sim->work);
  solved = solved && sb_workspace_evaluate(sim->work, sim->t, sim->x) == 0;
  (void)sb_branches_read_side(sim, index, 1);
  bool any = are_apart(sim, index, given) && differ(sim, index, given, sim->hook_values + given);
  sb_branches_exchange(sim, instance, old);
  sb_workspace_free_branches(sim->work);
  any = any && differ(sim, index, given, sim->hook_values + 2 * (size_t)given);
  memcpy(held, sim->energies_kept, size);
  sb_workspace_changed(sim->work);
  (void)sb_workspace_evaluate(sim->work, sim->t, sim->x);
  return any || !solved;
}

/** Whether the values of an element that has taken new branches jump: those of a law that is continuous do not, far as it may be beyond a kink behind
 *  the jump of another. On one side of a kink nothing may move, so that both are asked.
 *  @param old  (branches) that were held before */
static bool has_jumped(sb_simulation *sim, int index, double old[]) {
  const sb_instance *instance = &sim->network->instances[sim->switches[index].instance];
  if (instance->layout.continuous) {
    return false;
  }
  sb_branches_exchange(sim, instance, old);
  const int given = sb_branches_read_side(sim, index, 1);
  double *before = sim->hook_values + given, *now = before + given;
  sb_branches_exchange(sim, instance, old);
  (void)sb_branches_read_side(sim, index, 2);
  if (!are_apart(sim, index, given) || sb_branch_is_rounding(sim, index, given) ||
      !differ(sim, index, given, now)) {
    return false;
  }
  sb_branches_exchange(sim, instance, old);
  sb_workspace_changed(sim->work);
  const bool any = differ(sim, index, given, before);
  sb_branches_exchange(sim, instance, old);
  sb_workspace_changed(sim->work);
  (void)sb_workspace_evaluate(sim->work, sim->t, sim->x);
  return any && (instance->type->dissipation == NULL || jumps_in_network(sim, index, old));
}

/** Those that have been left at (t, x), and `first`, follow their arguments. @param first  -1: none  @return whether any changed */
static bool follow(sb_simulation *sim, int index, int first) {
  const sb_switch *switched = &sim->switches[index];
  const sb_instance *instance = &sim->network->instances[switched->instance];
  sb_branches *b = &sim->work->branches;
  bool any = false;
  (void)sb_branches_ask(sim, switched->instance, sim->t, sim->x);
  for (int k = instance->branch; k < instance->branch + instance->branch_count; k++) {
    if (b->gap[k] <= 0 || k == first) {
      any = any || b->held[k] != b->now[k];
      b->held[k] = b->now[k];
      sb_sliding_follow(sim, k);
    }
  }
  return any;
}

bool sb_energies_exchange(const sb_simulation *sim, bool free) {
  double *held = sim->work->branches.held;
  bool any = false;
  for (int i = sim->switch_count; i < sim->all_switch_count; i++) {
    const int k = sim->switches[i].branch;
    if (sim->network->instances[sim->switches[i].instance].type->storage != NULL) {
      sim->energies_kept[k] = free ? held[k] : sim->energies_kept[k];
      held[k] = free ? NAN : sim->energies_kept[k];
      any = true;
    }
  }
  if (any) {
    sb_workspace_changed(sim->work);
  }
  return any;
}

void sb_energies_follow(sb_simulation *sim) {
  if (!sb_energies_exchange(sim, true)) {
    return;
  }
  for (int i = sim->switch_count; i < sim->all_switch_count; i++) {
    const sb_instance *instance = &sim->network->instances[sim->switches[i].instance];
    if (instance->type->storage != NULL && sim->switches[i].branch == instance->branch) {
      const size_t size = (size_t)instance->branch_count * sizeof(double);
      (void)sb_branches_ask(sim, sim->switches[i].instance, sim->t, sim->x);
      memcpy(sim->work->branches.held + instance->branch,
             sim->work->branches.now + instance->branch, size);
    }
  }
}

/** Whether the values of an element jump where it takes new branches. What a branch decides on may depend on another: that of the
 *  abs in abs(mod(x, a) - a/2) on the one of the mod. */
static bool take_branches(sb_simulation *sim, int index) {
  const sb_switch *switched = &sim->switches[index];
  const sb_instance *instance = &sim->network->instances[switched->instance];
  memcpy(sim->branches_kept, sim->work->branches.held,
         (size_t)sim->network->branch_count * sizeof *sim->branches_kept);
  bool changed = follow(sim, index, switched->branch);
  for (int i = 1; changed && i < instance->branch_count; i++) {
    changed = follow(sim, index, -1);
  }
  return has_jumped(sim, index, sim->branches_kept);
}

sb_status sb_branches_pass(sb_simulation *sim, sb_error *err) {
  const double *held = sim->work->branches.held;
  double *old = sim->branches_kept;
  memcpy(old, held, (size_t)sim->network->branch_count * sizeof *old);
  SB_TRY(sb_branches_choose(sim, err));
  for (int i = sim->switch_count; i < sim->all_switch_count; i++) {
    const sb_instance *instance = &sim->network->instances[sim->switches[i].instance];
    const int first = instance->branch;
    if (sim->switches[i].branch == first &&
        memcmp(old + first, held + first, (size_t)instance->branch_count * sizeof *old) != 0 &&
        has_jumped(sim, i, old)) {
      sb_audit_before(&sim->audit, sim->t, sim->x);
      SB_TRY(sb_audit_event(&sim->audit, sim->t, sim->x, "jump", sim->switches[i].instance, err));
    }
  }
  return SB_OK;
}

bool sb_branch_chatters(const sb_simulation *sim, int index) {
  const sb_switch *switched = &sim->switches[index];
  return sb_is_branch(sim, index) && sim->t - switched->since < at_once * sim->longest_step &&
         switched->excursion < at_once * switched->farthest;
}

/** Whether what a branch decides on jumps there and back in the present burst. Some of its changes may be none, as from v < u to v > u of `v != u`. */
static bool jumps_to_and_fro(const sb_switch *s) {
  return s->jumps > 0 && s->jumps >= s->at_once / 2;
}

/** Whether another branch does wherever this one is passed, as of `if(v != u, 0, e)` beside u = min(v, 1): what slides there passes the kink with it. */
static bool follows_a_jump(sb_simulation *sim, const sb_switch *own) {
  for (int i = sim->switch_count; i < sim->all_switch_count; i++) {
    const sb_switch *other = &sim->switches[i];
    if (jumps_to_and_fro(other) && other->burst == own->burst &&
        2 * other->at_once > own->at_once) {
      sim->burst_index = i;
      return true;
    }
  }
  return false;
}

bool sb_branch_free(sb_simulation *sim, int index) {
  sb_switch *switched = &sim->switches[index];
  if (!sb_is_branch(sim, index) || follows_a_jump(sim, switched) ||
      sim->network->instances[switched->instance].type->storage != NULL) {
    return false;
  }
  switched->free = true;
  sim->work->branches.held[switched->branch] = NAN;
  sb_workspace_changed(sim->work);
  return true;
}

sb_status sb_branch_fire(sb_simulation *sim, int index, sb_error *err) {
  sb_switch *switched = &sim->switches[index];
  sb_audit_before(&sim->audit, sim->t, sim->x);
  const bool slid = sb_sliding_end(sim, index),
             jumped = switched->jumped = !slid && take_branches(sim, index);
  switched->jumps += jumped;
  double *band = &sim->work->branches.band[switched->branch];
  double left = fmax(switched->excursion, switched->excursion_before);
  left = left < rounding * switched->farthest ? SLACK * left : 0;
  *band = jumped ? 0 : fmax(*band, fmax(left, sb_branch_known_to(sim, index)));
  switched->excursion_before = switched->excursion;
  switched->excursion = 0;
  sb_workspace_changed(sim->work);
  SB_TRY(sb_evaluate(sim, sim->t, sim->x, err));
  SB_TRY(slid ? SB_OK : sb_energy_check(sim, index, sb_short_time(sim), sim->branches_kept, err));
  SB_TRY(sb_loops_check(sim, err));
  sim->restart = true;
  if (sim->network->instances[switched->instance].type->storage == NULL) {
    SB_TRY(sb_quickening_check(sim, index, err));
  }
  return sb_audit_event(&sim->audit, sim->t, sim->x, jumped ? "jump" : NULL, switched->instance,
                        err);
}
