// SPDX-License-Identifier: GPL-3.0-or-later
// Branches of expressions (sign, comparisons, floor, min, max, abs) as events. Between events all branches are
// held, so that a step, and Newton's method in it, see smooth functions only; where what decides on a branch
// leaves it, the next one is taken: one-sided values on both sides.
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/model/rhs.h"
#include "core/program/operation.h"
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
/** A branch that is positive at both ends of a step has not been below zero in between if it is farther from zero
 *  than this times what it would move in the step, at its rate in this step and in the one before. Of a parabola
 *  with its minimum in the middle that is eight times its depth. */
static const double far = 2;
/** Step of differences, as a fraction of the step. */
static const double difference_step = 1e-4;

bool sb_is_branch(const sb_simulation *sim, int index) {
  return index >= sim->switch_count;
}

void sb_branches_list(sb_simulation *sim) {
  sim->all_switch_count = sim->switch_count;
  for (int i = 0; i < sim->network->instance_count; i++) {
    const sb_instance *instance = &sim->network->instances[i];
    for (int k = instance->branch; k < instance->branch + instance->branch_count; k++) {
      sim->switches[sim->all_switch_count++] =
          (sb_switch){.instance = i, .count = 1, .since = sim->t, .branch = k};
      sim->evaluates_ends = true;
    }
  }
}

/** Asks the hooks of an element again: what their expressions decide on goes to the branches, not-a-number for those that are not
 *  evaluated, as of a contact of bodies apart; their values go to sim->hook_values. @return how many */
static int ask(const sb_simulation *sim, int index, double t, const double x[]) {
  const sb_instance *instance = &sim->network->instances[index];
  sb_workspace *work = sim->work;
  sb_operation_kind kinds[4];
  int given = 0, count = sb_operations_of(instance, false, kinds);
  for (int k = instance->branch; k < instance->branch + instance->branch_count; k++) {
    work->branches.gap[k] = HUGE_VAL;
    work->branches.now[k] = NAN;
    work->branches.ended[k] = false;
  }
  sb_at at = sb_at_instance(work, instance, t, x);
  work->branches.notes = true;
  for (int k = 0; k < count; k++) {
    const sb_operation *operation = &sb_operations[kinds[k]];
    int own = operation->gives_xdot                    ? instance->layout.states
              : operation->gives == SB_COMPONENTS_NONE ? instance->signal_count
                                                       : instance->components;
    (void)operation->hook(instance, &at, sim->hook_values + given);
    given += own;
  }
  if (sb_instance_has_condition(instance)) { // nothing of the model reads a condition
    double g[SB_INDICATORS_MAX], gdot[SB_INDICATORS_MAX];
    (void)instance->type->switching->indicators(instance->self, &at, g, gdot);
  }
  work->branches.notes = false;
  return given;
}

static void read_all(sb_simulation *sim, double t, const double x[]) {
  for (int i = sim->switch_count; i < sim->all_switch_count; i++) {
    if (i == sim->switch_count || sim->switches[i].instance != sim->switches[i - 1].instance) {
      (void)ask(sim, sim->switches[i].instance, t, x);
    }
  }
}

/** What has begun to be evaluated takes the branch of its arguments, and what is evaluated no longer has none.
 *  @return whether any changed */
static bool adopt(sb_simulation *sim) {
  sb_branches *b = &sim->work->branches;
  bool any = false;
  for (int i = sim->switch_count; i < sim->all_switch_count; i++) {
    const int k = sim->switches[i].branch;
    if (isnan(b->held[k]) != isnan(b->now[k]) && !sim->switches[i].free) {
      b->held[k] = b->now[k];
      any = true;
    }
  }
  return any;
}

/** The indicators a short time later, along the rates at (t, x), where the workspace must be and is again.
 *  @param index  one of them; -1: all  @return false: unknown */
static bool read_later(sb_simulation *sim, double t, const double x[], int index, double h) {
  const double *xdot = sim->work->evaluation.xdot;
  for (int i = 0; i < sim->network->state_count; i++) {
    sim->later[i] = x[i] + h * xdot[i];
  }
  bool ok = sb_workspace_evaluate(sim->work, t + h, sim->later) == 0;
  if (ok && index < 0) {
    read_all(sim, t + h, sim->later);
  } else if (ok) {
    (void)ask(sim, sim->switches[index].instance, t + h, sim->later);
  }
  return sb_workspace_evaluate(sim->work, t, x) == 0 && ok;
}

/** [s] */
static double later_by(const sb_simulation *sim) {
  double length = sim->t > sim->t0 ? sim->t - sim->t0 : sim->last_step;
  return length * difference_step > sb_time_rounding(sim->t) ? length * difference_step : 0;
}

void sb_branch_indicator(sb_simulation *sim, int index, double t, const double x[], double *g,
                         double *gdot) {
  const sb_switch *switched = &sim->switches[index];
  const double *gap = &sim->work->branches.gap[switched->branch];
  double h = later_by(sim);
  (void)ask(sim, switched->instance, t, x);
  *g = *gap;
  *gdot = h > 0 && read_later(sim, t, x, index, h) ? (*gap - *g) / h : NAN;
}

/** Where o = max(0, x) has become zero it stays there, and so does the indicator of o > 0: it has no root, as it never falls below zero. A branch
 *  that is exactly at an end which does not belong to it, both at (t, x) and a short time later, has been left. */
static void leave_ended(sb_simulation *sim, double t, const double x[]) {
  const double h = sb_short_time(sim);
  bool any = false;
  for (int i = sim->switch_count; i < sim->all_switch_count; i++) {
    any = any || sim->switches[i].indicators[0].ended;
  }
  if (!any || !(h > 0) || !read_later(sim, t, x, -1, h)) {
    return;
  }
  for (int i = sim->switch_count; i < sim->all_switch_count; i++) {
    sb_indicator *g = &sim->switches[i].indicators[0];
    if (g->ended && sim->work->branches.ended[sim->switches[i].branch]) {
      g->g[0] = -DBL_MIN;
      g->armed = true;
    }
  }
}

/** The gaps of all branches, as they have been read at (t, x), into the start (0) or the end (1) of the step. One that is exactly at its
 *  end counts as just inside, so that the step which goes on beyond the end begins above zero, and its root is found. */
static void enter_gaps(sb_simulation *sim, int end) {
  const sb_branches *b = &sim->work->branches;
  for (int i = sim->switch_count; i < sim->all_switch_count; i++) {
    sb_indicator *indicator = &sim->switches[i].indicators[0];
    indicator->ended = b->ended[sim->switches[i].branch];
    indicator->g[end] = indicator->ended ? DBL_MIN : b->gap[sim->switches[i].branch];
    indicator->gdot[end] = NAN;
    indicator->armed = indicator->armed || indicator->g[end] > 0;
  }
}

void sb_branch_indicators(sb_simulation *sim, double t, const double x[], int end) {
  double h = later_by(sim);
  if (sim->all_switch_count == sim->switch_count) {
    return;
  }
  read_all(sim, t, x);
  if (end == 0 && adopt(sim)) {
    sb_workspace_changed(sim->work);
    (void)sb_workspace_evaluate(sim->work, t, x);
    read_all(sim, t, x);
  }
  enter_gaps(sim, end);
  bool known = end == 0 && h > 0 && read_later(sim, t, x, -1, h);
  for (int i = sim->switch_count; known && i < sim->all_switch_count; i++) {
    sb_indicator *indicator = &sim->switches[i].indicators[0];
    double later = sim->work->branches.gap[sim->switches[i].branch];
    indicator->gdot[end] = (later - indicator->g[end]) / h;
  }
  if (end == 0) {
    leave_ended(sim, t, x);
  }
}

/** Whether a branch cannot have been below zero within the last step, by the derivative at its start if that is
 *  known. */
static bool is_clear(const sb_simulation *sim, const sb_indicator *g) {
  double length = sim->t - sim->t0, least = fmin(g->g[0], g->g[1]);
  if (!(least > 0) || isinf(least)) {
    return true; // or it is at an end
  }
  if (!isnan(g->gdot[0])) {
    return g->g[0] + g->gdot[0] * length > 0;
  }
  double drift = fabs(g->g[0] - g->before) / sim->length_before; // [1/s]
  return !sim->step_restarted && least > far * fabs(g->g[1] - g->g[0]) &&
         least > far * drift * length;
}

sb_status sb_branch_slopes(sb_simulation *sim, int index, sb_error *err) {
  sb_indicator *g = &sim->switches[index].indicators[0];
  double same;
  if (is_clear(sim, g)) {
    return SB_OK;
  }
  if (isnan(g->gdot[0])) {
    SB_TRY(sb_evaluate(sim, sim->t0, sim->x0, err));
    sb_branch_indicator(sim, index, sim->t0, sim->x0, &same, &g->gdot[0]);
  }
  SB_TRY(sb_evaluate(sim, sim->t, sim->x, err));
  if (g->gdot[0] < 0) {
    sb_branch_indicator(sim, index, sim->t, sim->x, &same, &g->gdot[1]);
  }
  return SB_OK;
}

/** What decides may be zero but for rounding on the branches of others, which are known only once these are held: it takes that of zero.
 *  @return whether any did */
static bool take_zeros(sb_simulation *sim) {
  sb_branches *b = &sim->work->branches;
  bool any = false;
  read_all(sim, sim->t, sim->x);
  for (int i = sim->switch_count; i < sim->all_switch_count; i++) {
    const int k = sim->switches[i].branch;
    if (b->ended[k] && !isnan(b->held[k])) {
      b->held[k] = b->now[k];
      any = true;
    }
  }
  return any;
}

sb_status sb_branches_choose(sb_simulation *sim, sb_error *err) {
  if (sim->all_switch_count == sim->switch_count) {
    return SB_OK;
  }
  sb_workspace_free_branches(sim->work);
  SB_TRY(sb_evaluate(sim, sim->t, sim->x, err));
  read_all(sim, sim->t, sim->x);
  memcpy(sim->work->branches.held, sim->work->branches.now,
         (size_t)sim->network->branch_count * sizeof(double));
  sb_features_hold(sim);
  for (int i = sim->switch_count; i < sim->all_switch_count; i++) {
    double *held = &sim->work->branches.held[sim->switches[i].branch];
    *held = sim->switches[i].free ? NAN : *held;
  }
  sb_workspace_changed(sim->work);
  SB_TRY(sb_evaluate(sim, sim->t, sim->x, err));
  if (take_zeros(sim)) {
    sb_workspace_changed(sim->work);
    SB_TRY(sb_evaluate(sim, sim->t, sim->x, err));
  }
  sb_branch_indicators(sim, sim->t, sim->x, 0);
  return SB_OK;
}

void sb_branches_accept(sb_simulation *sim) {
  for (int i = sim->switch_count; i < sim->all_switch_count; i++) {
    sb_switch *switched = &sim->switches[i];
    int given = ask(sim, switched->instance, sim->t, sim->x);
    for (int k = 0; k < given; k++) {
      switched->largest = fmax(switched->largest, fabs(sim->hook_values[k]));
    }
    double gap = fabs(sim->work->branches.gap[switched->branch]);
    gap = isfinite(gap) ? gap : 0;
    switched->farthest = fmax(switched->farthest, gap);
    switched->excursion = fmax(switched->excursion, gap);
  }
}

double sb_short_time(const sb_simulation *sim) {
  const double located = sb_time_rounding(sim->t) + sim->options.event_tol;
  return fmax(later_by(sim), fmax(sb_quiet_time(sim), located / still));
}

/** Of the values of an element before a change of branches in the second third of sim->hook_values, and the present ones in
 *  the third, those are made equal that differ by no more than a kink does: by what its argument is beyond it, if only by
 *  rounding. That is far less than what they do a little later, also where they have been zero so far.
 *  @param from  what they are by the branches that are held  @return whether some still differ */
static bool differ(sb_simulation *sim, int index, int given, const double from[]) {
  const double least = no_jump * sim->switches[index].largest, h = sb_short_time(sim);
  const double *later = sim->hook_values, *before = later + given;
  double *now = sim->hook_values + 2 * (size_t)given;
  bool any = false, known = h > 0 && read_later(sim, sim->t, sim->x, index, h);
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

/** Whether the values of an element that has taken new branches jump. On one side of a kink nothing may move, so that both
 *  are asked. @param old  (branches) that were held before */
static bool has_jumped(sb_simulation *sim, int index, double old[]) {
  const sb_instance *instance = &sim->network->instances[sim->switches[index].instance];
  const double largest = sim->switches[index].largest;
  sb_branches_exchange(sim, instance, old);
  const int given = ask(sim, sim->switches[index].instance, sim->t, sim->x);
  double *before = sim->hook_values + given, *now = before + given;
  memcpy(before, sim->hook_values, (size_t)given * sizeof *before);
  sb_branches_exchange(sim, instance, old);
  (void)ask(sim, sim->switches[index].instance, sim->t, sim->x);
  memcpy(now, sim->hook_values, (size_t)given * sizeof *now);
  bool any = false;
  for (int k = 0; k < given; k++) {
    any = any || !(fabs(now[k] - before[k]) <= no_jump * largest);
  }
  if (!any || !differ(sim, index, given, now)) {
    return false;
  }
  sb_branches_exchange(sim, instance, old);
  sb_workspace_changed(sim->work);
  any = differ(sim, index, given, before);
  sb_branches_exchange(sim, instance, old);
  sb_workspace_changed(sim->work);
  (void)sb_workspace_evaluate(sim->work, sim->t, sim->x);
  return any;
}

/** Those that have been left at (t, x), and `first`, follow their arguments. @param first  -1: none  @return whether any changed */
static bool follow(sb_simulation *sim, int index, int first) {
  const sb_switch *switched = &sim->switches[index];
  const sb_instance *instance = &sim->network->instances[switched->instance];
  sb_branches *b = &sim->work->branches;
  bool any = false;
  (void)ask(sim, switched->instance, sim->t, sim->x);
  for (int k = instance->branch; k < instance->branch + instance->branch_count; k++) {
    if (b->gap[k] <= 0 || k == first) {
      any = any || b->held[k] != b->now[k];
      b->held[k] = b->now[k];
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
      (void)ask(sim, sim->switches[i].instance, sim->t, sim->x);
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

bool sb_branch_free(sb_simulation *sim, int index) {
  sb_switch *switched = &sim->switches[index];
  if (!sb_is_branch(sim, index) || switched->jumped ||
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
  const bool jumped = switched->jumped = take_branches(sim, index);
  double *band = &sim->work->branches.band[switched->branch];
  double left = fmax(switched->excursion, switched->excursion_before);
  *band = jumped ? 0 : left < rounding * switched->farthest ? fmax(*band, SLACK * left) : *band;
  switched->excursion_before = switched->excursion;
  switched->excursion = 0;
  sb_workspace_changed(sim->work);
  SB_TRY(sb_evaluate(sim, sim->t, sim->x, err));
  SB_TRY(sb_energy_check(sim, index, sb_short_time(sim), sim->branches_kept, err));
  SB_TRY(sb_loops_check(sim, err));
  sim->restart = true;
  return sb_audit_event(&sim->audit, sim->t, sim->x, jumped ? "jump" : NULL, switched->instance,
                        err);
}
