// SPDX-License-Identifier: GPL-3.0-or-later
// Right-hand sides that have no answer, as where the branch of the closest points of a contact ends. A step
// that meets one is repeated, shorter. Where the answers end at a time t*, steps that end before it are each
// shorter than the last, by a factor at the least: a run would crawl towards t* without end. So it ends after
// so many steps, or when they have become so short.
#include <math.h>
#include <string.h>

#include "core/expression/enclosure.h"
#include "core/model/rhs.h"
#include "core/network/in_time.h"
#include "core/network/instant.h"
#include "core/simulation/simulation_private.h"

enum { REFUSED_STEPS_MAX = 30 };
static const double shortest = 1e-3;
/** Steps of so few roundings of the time do not lead away from there. */
static const double roundings = 1e3;
/** Steps towards a pole are a fraction of the way to it: they end within so many roundings of the time before it. */
static const double near_pole = 1e5;
/** Products of two efforts or flows above it may be beyond all numbers. */
static const double too_large = 1e100; // SI

sb_status sb_refusal_place(const sb_instance *instance, double t, const sb_error *why,
                           sb_error *err) {
  (void)sb_fail(err, why->status, "'%.100s' at t = %s s: %.340s", instance->id,
                sb_number_word(t).text, why->text);
  sb_error_hint(err, "%s", why->hint);
  sb_place_into(&instance->place, err);
  return why->status;
}

/** @return why an element has no answer, if it knows; else SB_OK */
static sb_status explain_one(const sb_simulation *sim, int index, double t, const double x[],
                             sb_error *err) {
  const sb_instance *instance = &sim->network->instances[index];
  const sb_structure_hooks *hooks = instance->type->structure;
  if (hooks == NULL || hooks->explain == NULL) {
    return SB_OK;
  }
  sb_at at = sb_at_instance(sim->work, instance, t, x);
  sb_error why = {0};
  const sb_status status = hooks->explain(instance->self, &at, &why);
  return status == SB_OK ? SB_OK : sb_refusal_place(instance, t, &why, err);
}

/** What has no answer may have none as another element of its part has none. */
static sb_status explain_part(const sb_simulation *sim, int index, double t, const double x[],
                              sb_error *err) {
  const int *part = sim->network->part_of;
  sb_status status = explain_one(sim, index, t, x, err);
  for (int i = 0; i < sim->network->instance_count && status == SB_OK; i++) {
    status = part[i] == part[index] ? explain_one(sim, i, t, x, err) : SB_OK;
  }
  return status;
}

/** A law that rises to a bound has no answer for what is beyond it: a limiter 1[A]*tanh(e/1[V]) that is to take 3 A.
 *  @return SB_ERR_UNSOLVED; SB_OK: that is not why */
static sb_status explain_law(const sb_simulation *sim, int index, double t, const double x[],
                             sb_error *err) {
  const sb_instance *instance = &sim->network->instances[index];
  sb_at at = sb_at_instance(sim->work, instance, t, x);
  double y;
  if (!instance->layout.rises || instance->components != 1) {
    return SB_OK;
  }
  sb_trace(sim->work, x); // the evaluation has read it where others give it
  const double *values = sim->work->bond_values;
  const double in = at.assigned == SB_FLOW ? values[sb_flow_var(instance, 0)] * instance->signs[0]
                                           : values[sb_effort_var(instance, 0)];
  at.in = &in;
  if (!isfinite(in) ||
      instance->type->dissipation->law(instance->self, &at, at.assigned, &y) == 0) {
    return SB_OK;
  }
  const char *given = at.assigned == SB_FLOW ? "f" : "e",
             *other = at.assigned == SB_FLOW ? "e" : "f";
  (void)sb_fail(err, SB_ERR_UNSOLVED,
                "the law of '%s' has no solution at t = %s s: no %s gives %s = %s", instance->id,
                sb_number_word(t).text, other, given, sb_number_word(in).text);
  sb_error_hint(err, "what '%s' can take does not reach what the others demand", instance->id);
  sb_place_into(&instance->place, err);
  return SB_ERR_UNSOLVED;
}

sb_status sb_refusal_word(sb_simulation *sim, int index, double t, const double x[],
                          sb_error *err) {
  const sb_instance *instance = &sim->network->instances[index];
  SB_TRY(explain_part(sim, index, t, x, err));
  SB_TRY(explain_law(sim, index, t, x, err));
  const double output = sb_workspace_output(sim->work, index, x);
  if (output > too_large && isfinite(output)) {
    (void)sb_fail(err, SB_ERR_NOT_FINITE,
                  "'%s' gives %s in SI units at t = %s s, and no power of that size is a number",
                  instance->id, sb_number_word(output).text, sb_number_word(t).text);
  } else {
    (void)sb_fail(err, SB_ERR_NOT_FINITE, "'%s' gives no finite number at t = %s s", instance->id,
                  sb_number_word(t).text);
    sb_instance_no_number(instance, t > sim->options.t_start, err);
    return SB_ERR_NOT_FINITE;
  }
  sb_place_into(&instance->place, err);
  return SB_ERR_NOT_FINITE;
}

/** At the point that was refused last, which alone tells why: the present one is short of it, and has an answer. */
sb_status sb_refusal_at(sb_simulation *sim, int index, sb_error *err) {
  sb_workspace *work = sim->work;
  double t = work->refused_t;
  memcpy(sim->later, work->refused_x, (size_t)sim->network->state_count * sizeof *sim->later);
  bool again = sb_workspace_evaluate(work, t, sim->later) != 0 && work->failed == index;
  if (again) {
    sb_status status = sb_refusal_word(sim, index, t, sim->later, err);
    (void)sb_workspace_evaluate(work, sim->t, sim->x); // what is read after the run
    return status;
  }
  SB_TRY(sb_evaluate(sim, sim->t, sim->x, err));
  return sb_refusal_word(sim, index, sim->t, sim->x, err);
}

/** Whether an expression of the time alone grows beyond all numbers at a time, as 1/(1 - t) at 1. */
static bool has_pole(const sb_expression *expression, double t, sb_arena *memory) {
  for (int slot = 1; slot < SB_EXPRESSION_VARIABLES_MAX; slot++) {
    if (sb_expression_uses(expression, slot)) {
      return false;
    }
  }
  const sb_enclosing *enclosing = sb_enclosing_create(expression, memory);
  const double half = near_pole * sb_time_rounding(t);
  const sb_motion time = {{{t - half, t + half}, {1, 1}}, t};
  return enclosing != NULL && !isfinite(sb_enclosing_move(enclosing, &time, half).all.value.low -
                                        sb_enclosing_last(enclosing).all.value.high);
}

/** Names the element with such an expression.  @return else `status` */
static sb_status explain_pole(const sb_simulation *sim, sb_status status, sb_error *err) {
  sb_arena memory = {0};
  sb_in_time *list;
  int pole = 0;
  const int count = sb_in_time_list(sim->network, &memory, &list);
  while (pole < count && !has_pole(list[pole].expression, sim->t, &memory)) {
    pole++;
  }
  if (pole < count) {
    const sb_instance *instance = &sim->network->instances[list[pole].instance];
    const double ahead[SB_EXPRESSION_VARIABLES_MAX] = {sim->t +
                                                       near_pole * sb_time_rounding(sim->t)};
    const bool ends = isnan(sb_expression_value(list[pole].expression, ahead)); // as a root does
    status = sb_fail(err, SB_ERR_NOT_FINITE,
                     ends ? "'%s' gives no finite number behind t = %s s"
                          : "'%s' grows beyond all numbers near t = %s s",
                     instance->id, sb_number_word(sim->t).text);
    sb_instance_no_number(instance, true, err);
  }
  sb_arena_finish(&memory);
  return status;
}

sb_status sb_unbounded_explain(sb_simulation *sim, sb_status status, sb_error *err) {
  if (status != SB_ERR_SOLVER || sb_workspace_evaluate(sim->work, sim->t, sim->x) != 0) {
    return status;
  }
  for (int i = 0; i < sim->network->instance_count; i++) {
    const sb_instance *instance = &sim->network->instances[i];
    const sb_structure_hooks *hooks = instance->type->structure;
    if (hooks != NULL && hooks->unbounded != NULL) {
      const sb_at at = sb_at_instance(sim->work, instance, sim->t, sim->x);
      sb_error why = {0};
      if (hooks->unbounded(instance->self, &at, &why) != SB_OK) {
        return sb_refusal_place(instance, sim->t, &why, err);
      }
    }
  }
  return explain_pole(sim, status, err);
}

bool sb_refusals_go_on(sb_simulation *sim) {
  if (sim->refused_steps++ == 0) {
    sim->refused_length = sim->t - sim->t0;
  }
  return sim->refused_steps <= REFUSED_STEPS_MAX;
}

sb_status sb_refusals_check(sb_simulation *sim, const sb_error *why, sb_error *err) {
  double length = sim->t - sim->t0;
  int refused = sim->work->refused;
  if ((refused < 0 && why->status != SB_ERR_NOT_FINITE) || sim->options.step > 0) {
    const bool away = length > sim->refused_length && length > roundings * sb_time_rounding(sim->t);
    sim->refused_steps = away ? 0 : sim->refused_steps;
    return SB_OK;
  }
  if (sim->refused_steps++ <=
      1) { // the first of all may have been a guess, which error control cuts to a part of it
    sim->refused_length = length;
  }
  if (sim->refused_steps <= REFUSED_STEPS_MAX && length > shortest * sim->refused_length) {
    return SB_OK;
  }
  if (refused < 0 && err != NULL) {
    *err = *why;
  }
  return refused < 0 ? why->status : sb_refusal_at(sim, refused, err);
}
