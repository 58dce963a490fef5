// SPDX-License-Identifier: GPL-3.0-or-later
// Branches of expressions (sign, comparisons, floor, min, max, abs) as events. Between events all branches are
// held, so that a step, and Newton's method in it, see smooth functions only; where what decides on a branch
// leaves it, the next one is taken (branch_changes.c): one-sided values on both sides.
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/model/rhs.h"
#include "core/model/slide.h"
#include "core/program/operation.h"
#include "core/simulation/simulation_private.h"
#include "core/simulation/switching_private.h"

/** A branch that is positive at both ends of a step has not been below zero in between if it is farther from zero
 *  than this times what it would move in the step, at its rate in this step and in the one before. Of a parabola
 *  with its minimum in the middle that is eight times its depth. */
static const double far = 2;
/** Step of differences, as a fraction of the step. */
static const double difference_step = 1e-4;
/** What is zero at a restart is looked at behind it, first at this fraction of the time that the step may have, and then so many times farther each. */
static const double first_look = 1e-9, farther = 1e3;
enum { LOOKS = 3 };

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

int sb_branches_ask(sb_simulation *sim, int index, double t, const double x[]) {
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
  sb_sliding_note(sim, instance);
  return given;
}

static void read_all(sb_simulation *sim, double t, const double x[]) {
  for (int i = sim->switch_count; i < sim->all_switch_count; i++) {
    if (i == sim->switch_count || sim->switches[i].instance != sim->switches[i - 1].instance) {
      (void)sb_branches_ask(sim, sim->switches[i].instance, t, x);
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
      sb_sliding_follow(sim, k);
      any = true;
    }
  }
  return any;
}

bool sb_branches_later(sb_simulation *sim, double t, const double x[], int index, double h) {
  const double *xdot = sim->work->evaluation.xdot;
  for (int i = 0; i < sim->network->state_count; i++) {
    sim->later[i] = x[i] + h * xdot[i];
  }
  bool ok = sb_workspace_evaluate(sim->work, t + h, sim->later) == 0;
  if (ok && index < 0) {
    read_all(sim, t + h, sim->later);
  } else if (ok) {
    (void)sb_branches_ask(sim, sim->switches[index].instance, t + h, sim->later);
  }
  return sb_workspace_evaluate(sim->work, t, x) == 0 && ok;
}

bool sb_branches_end(sb_simulation *sim, double t, const double x[]) {
  const sb_branches *b = &sim->work->branches;
  bool end = false;
  read_all(sim, t, x);
  for (int i = sim->switch_count; i < sim->all_switch_count; i++) {
    const int k = sim->switches[i].branch;
    end = end || (!isnan(b->held[k]) && !isnan(b->now[k]) && b->now[k] != b->held[k]);
  }
  return end;
}

double sb_branches_span(const sb_simulation *sim) {
  double length = sim->t > sim->t0 ? sim->t - sim->t0 : sim->last_step;
  return length * difference_step > sb_time_rounding(sim->t) ? length * difference_step : 0;
}

void sb_branch_indicator(sb_simulation *sim, int index, double t, const double x[], double *g,
                         double *gdot) {
  const sb_switch *switched = &sim->switches[index];
  const double *gap = &sim->work->branches.gap[switched->branch];
  double h = sb_branches_span(sim);
  (void)sb_branches_ask(sim, switched->instance, t, x);
  *g = *gap;
  *gdot = h > 0 && sb_branches_later(sim, t, x, index, h) ? (*gap - *g) / h : NAN;
}

/** Where o = max(0, x) has become zero it stays there, and so does the indicator of o > 0: it has no root, as it never falls below zero. A branch
 *  that is exactly at an end which does not belong to it, both at (t, x) and a short time later, has been left. */
static void leave_ended(sb_simulation *sim, double t, const double x[]) {
  const double h = sb_short_time(sim);
  bool any = false;
  for (int i = sim->switch_count; i < sim->all_switch_count; i++) {
    any = any || sim->switches[i].indicators[0].ended;
  }
  if (!any || !(h > 0) || !sb_branches_later(sim, t, x, -1, h)) {
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
  double h = sb_branches_span(sim);
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
  bool known = end == 0 && h > 0 && sb_branches_later(sim, t, x, -1, h);
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
  sim->work->slide.on = false;
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

/** Whether what decides is exactly at its kink, and on both sides of it belongs to a branch. */
static bool is_on_kink(const sb_simulation *sim, int index) {
  return sim->switches[index].indicators[0].g[0] == 0;
}

static int count_on_kinks(const sb_simulation *sim) {
  int count = 0;
  for (int i = sim->switch_count; i < sim->all_switch_count; i++) {
    count += is_on_kink(sim, i);
  }
  return count;
}

/** Of those that are at their kinks, and have been read a short time later, what is beyond its kink goes to that side. Others may depend on it: only where
 *  none goes, those that are not at theirs are known to be on the right one.  @return whether any did */
static bool leave_kinks(sb_simulation *sim) {
  sb_branches *b = &sim->work->branches;
  bool turned = false;
  for (int i = sim->switch_count; i < sim->all_switch_count; i++) {
    const int k = sim->switches[i].branch;
    if (is_on_kink(sim, i) && b->gap[k] < 0) {
      b->held[k] = b->now[k];
      turned = true;
    }
  }
  for (int i = sim->switch_count; i < sim->all_switch_count && !turned; i++) {
    double *g = &sim->switches[i].indicators[0].g[0];
    *g = is_on_kink(sim, i) && b->gap[sim->switches[i].branch] > 0 ? DBL_MIN : *g;
  }
  return turned;
}

/** The sides at (t, sim->later).  @param turns  how often any may still be changed  @return whether all is known there */
static bool find_sides(sb_simulation *sim, double t, int *turns) {
  bool known, turned;
  do {
    known = sb_workspace_evaluate(sim->work, t, sim->later) == 0;
    if (known) {
      read_all(sim, t, sim->later);
    }
    turned = known && *turns > 0 && leave_kinks(sim);
    if (turned) {
      sb_workspace_changed(sim->work);
      --*turns;
    }
  } while (turned);
  return known;
}

sb_status sb_branches_leave_kinks(sb_simulation *sim, double span, sb_error *err) {
  const int count = sim->work->slide.on ? 0 : count_on_kinks(sim);
  double t = sim->t, h = fmax(first_look * span, sb_time_rounding(t));
  int turns = count;
  if (count == 0) {
    return SB_OK;
  }
  SB_TRY(sb_evaluate(sim, sim->t, sim->x, err));
  memcpy(sim->later, sim->x, (size_t)sim->network->state_count * sizeof *sim->later);
  bool known = true;
  for (int look = 0; look < LOOKS && known && count_on_kinks(sim) > 0; look++, h *= farther) {
    for (int i = 0; i < sim->network->state_count; i++) {
      sim->later[i] += h * sim->work->evaluation.xdot[i];
    }
    t += h;
    known = find_sides(sim, t, &turns);
  }
  SB_TRY(sb_evaluate(sim, sim->t, sim->x, err));
  if (turns < count) {
    sb_branch_indicators(sim, sim->t, sim->x, 0);
  }
  return SB_OK;
}

void sb_branches_accept(sb_simulation *sim) {
  sb_sliding_span(sim);
  for (int i = sim->switch_count; i < sim->all_switch_count; i++) {
    sb_switch *switched = &sim->switches[i];
    int given = sb_branches_ask(sim, switched->instance, sim->t, sim->x);
    for (int k = 0; k < given; k++) {
      switched->largest = fmax(switched->largest, fabs(sim->hook_values[k]));
    }
    const double own = sim->work->branches.gap[switched->branch],
                 gap = isfinite(own) && !sb_slide_has(sim->work, switched->branch) ? own : 0;
    switched->farthest = fmax(switched->farthest, gap); // behind a pole it is below zero, and far
    switched->excursion = fmax(switched->excursion, fabs(gap));
  }
}
