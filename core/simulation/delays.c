// SPDX-License-Identifier: GPL-3.0-or-later
// Delays: the inputs of the last lag [s] are remembered, after every accepted step, by polynomials through
// its dense output. A step may be long beside what an input does in it, where no state needs it shorter:
// it is halved until the polynomials, of degree 4 or else 8, are right at places between their nodes. Times are rounded: what
// that makes of an input cannot be halved away. Where the input breaks at t
// the output does at t + lag, one derivative higher where the way back to the input leads through a state:
// steps end there until no method sees it (Bellen & Zennaro, "Numerical Methods for Delay Differential
// Equations", 2003, 2.2 and 4.1).
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/expression/features.h"
#include "core/model/rhs.h"
#include "core/simulation/delays_private.h"
#include "core/simulation/samples_private.h"

/** A polynomial is right if it is off by less than this fraction of rtol times the largest value, and of
 *  that itself at the least. Halvings end where the time does, as long as there are no more than DEEP_MAX spans below
 *  2^-DEPTH_MAX of the step: what is not smooth anywhere ends there. */
static const double right = 0.03, least = 1e-14;
enum { DEPTH_MAX = 14, DEEP_MAX = 1000, NODES = SB_HISTORY_TERMS, CHECKS = SB_DELAY_CHECKS };
/** Of the polynomials that are tried, by every second one of the nodes and by all. */
enum { LOW = (NODES - 1) / 2, HIGH = NODES - 1 };
/** An input jumps if its values on both sides differ by more than this times its inaccuracy. */
static const double jump_factor = 100;
/** Where polynomials are tested, -1 to 1: about the worst places between nodes, of both degrees. */
static const double check_places[CHECKS] = {-0.56, 0.2};
static const double half_turn = 3.14159265358979323846;

static const sb_instance *instance_of(const sb_simulation *sim, int k) {
  return &sim->network->instances[sim->delays->instance[k]];
}

static double lag_of(const sb_simulation *sim, int k) {
  const sb_instance *instance = instance_of(sim, k);
  return instance->type->signal->delay->lag(instance->self);
}

void sb_delays_read(const sb_simulation *sim, double t, const double x[], double out[]) {
  for (int k = 0; k < sim->delays->count; k++) {
    const sb_instance *instance = instance_of(sim, k);
    sb_at at = sb_at_instance(sim->work, instance, t, x);
    out[k] = instance->type->signal->delay->input(instance->self, &at);
  }
}

sb_status sb_delays_create(sb_simulation *sim, sb_error *err) {
  int count = sim->network->delay_count, next = 0;
  if (count == 0) {
    return SB_OK;
  }
  sb_delays *d = sim->delays = sb_arena_zeroed(&sim->lasting, 1, sizeof *d);
  double *numbers = sb_arena_zeroed(&sim->lasting, (NODES + CHECKS + 6) * count, sizeof(double));
  int *instance = sb_arena_zeroed(&sim->lasting, 3 * count, sizeof(int));
  if (d == NULL || numbers == NULL || instance == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  *d = (sb_delays){.count = count, .instance = instance};
  d->node = numbers;
  d->check = d->node + NODES * count;
  d->next = d->check + CHECKS * count;
  d->last = d->next + count;
  d->size = d->last + count;
  d->low = d->size + count;
  d->high = d->low + count;
  d->known = d->high + count;
  d->head_level = instance + count;
  d->level = d->head_level + count;
  d->by_middles = !sim->options.method->adaptive;
  for (int i = 0; i < sim->network->instance_count; i++) {
    if (sim->network->instances[i].delay >= 0) {
      instance[next++] = i;
    }
  }
  SB_TRY(sb_delay_ways_create(sim, err));
  SB_TRY(sb_middles_create(sim, err));
  SB_TRY(sb_dense_create(sim, &sim->samples->dense, err));
  return sb_stepper_renew_partial(sim, &sim->sampling, err);
}

/** Takes the constant before the start of a delay, which is stated or its input there.  @return whether it changes */
static bool take_constant(sb_simulation *sim, int k, double input) {
  sb_delays *d = sim->delays;
  const sb_instance *instance = instance_of(sim, k);
  sb_history *past = &sim->work->past[k];
  const double before = instance->type->signal->delay->before(instance->self),
               constant = isnan(before) ? input : before;
  const bool changed = constant != past->constant;
  past->constant = constant;
  past->start = sim->t;
  d->last[k] = d->low[k] = d->high[k] = constant;
  d->size[k] = fabs(constant);
  return changed;
}

void sb_delays_try(sb_simulation *sim) {
  sb_delays *d = sim->delays;
  bool changed = d != NULL;
  sb_workspace_try(sim->work, sim->t, sim->x);
  for (int round = 0; changed && round <= d->count; round++) { // one may be behind another
    changed = false;
    sb_delays_read(sim, sim->t, sim->x, d->next);
    for (int k = 0; k < d->count; k++) {
      changed = (isfinite(d->next[k]) && take_constant(sim, k, d->next[k])) || changed;
    }
    sb_workspace_try(sim->work, sim->t, sim->x);
  }
}

/** The constants before the start: as stated, or what the inputs are at the start, which may depend on
 *  other delays, but not on their own output. */
sb_status sb_delays_start(sb_simulation *sim, sb_error *err) {
  sb_delays *d = sim->delays;
  bool changed = d != NULL;
  for (int round = 0; changed; round++) {
    changed = false;
    SB_TRY(sb_evaluate(sim, sim->t, sim->x, err));
    sb_delays_read(sim, sim->t, sim->x, d->next);
    for (int k = 0; k < d->count; k++) {
      const bool changes = take_constant(sim, k, d->next[k]);
      if (changes && round > d->count) {
        const sb_instance *instance = instance_of(sim, k);
        sb_status status =
            sb_fail(err, SB_ERR_MISSING, "'%s' needs the attribute 'before'", instance->id);
        sb_error_hint(err, "its input at the start depends on its own output, which is its input "
                           "before the start");
        sb_place_into(&instance->place, err);
        return status;
      }
      changed = changed || changes;
    }
    sb_workspace_changed(sim->work);
    SB_TRY(sb_evaluate(sim, sim->t, sim->x, err));
  }
  return SB_OK;
}

/** Lets each delay give the largest that its input is known to become. */
static void give_largest(sb_simulation *sim) {
  sb_delays *d = sim->delays;
  for (int k = 0; k < d->count; k++) {
    double *constant = &sim->work->past[k].constant;
    if (isfinite(d->next[k])) {
      *constant = fabs(d->next[k]) > fabs(*constant) ? d->next[k] : *constant;
      d->size[k] = fmax(d->size[k], fabs(d->next[k]));
      d->low[k] = fmin(d->low[k], d->next[k]);
      d->high[k] = fmax(d->high[k], d->next[k]);
    }
  }
  sb_workspace_changed(sim->work);
}

void sb_delays_foresee(sb_simulation *sim, double peak, double span) {
  sb_delays *d = sim->delays;
  sb_error unused;
  bool begun = d == NULL || sim->work->past[0].count > 0;
  for (int round = 0; !begun && round <= d->count; round++) { // one may be behind another
    if (sb_evaluate(sim, peak, sim->x, &unused) != SB_OK) {
      break;
    }
    sb_delays_read(sim, peak, sim->x, d->next);
    give_largest(sim);
    if (sb_nominal_foresee(&sim->nominal, peak, sim->x, span)) {
      sb_delays_read(sim, sim->work->evaluation.t, sim->work->evaluation.x, d->next);
      give_largest(sim);
    }
  }
  for (int k = 0; !begun && k < d->count; k++) {
    sim->work->past[k].constant = d->last[k];
  }
}

double sb_delays_break(const sb_simulation *sim) {
  double next = HUGE_VAL, after = sim->t + sb_time_rounding(sim->t);
  for (int k = 0; sim->delays != NULL && k < sim->delays->count; k++) {
    double lag = lag_of(sim, k);
    next = sb_time_first(next, sb_history_break(&sim->work->past[k], after - lag, NULL) + lag);
  }
  return next;
}

/** Of the polynomials. */
static double inaccuracy(const sb_simulation *sim, int k) {
  const sb_delays *d = sim->delays;
  return fmax(fmax(right * sim->options.rtol, least) * d->size[k], d->known[k]);
}

/** Behind an open diode no error control sees an output. */
double sb_delays_bound(const sb_simulation *sim, double stop) {
  for (int k = 0; sim->delays != NULL && k < sim->delays->count; k++) {
    double lag = lag_of(sim, k), after = sim->t + sb_time_rounding(sim->t);
    double swing = fmax(sim->delays->high[k] - sim->delays->low[k], inaccuracy(sim, k));
    double reach =
        sb_history_reach(&sim->work->past[k], after - lag, SB_FEATURE_FLAT * swing) + lag;
    stop = reach > after ? fmin(stop, reach) : stop;
  }
  return stop;
}

int sb_delay_break_now(const sb_simulation *sim, int k) {
  const double lag = lag_of(sim, k), rounding = 2 * sb_time_rounding(fabs(sim->t) + lag);
  int level;
  const double t = sb_history_break(&sim->work->past[k], sim->t - lag - rounding, &level);
  return t <= sim->t - lag + rounding ? level : SB_HISTORY_SMOOTH;
}

/** The inputs at a time within the last step. */
static sb_status take(sb_simulation *sim, double t, double out[], sb_error *err) {
  if (sim->delays->by_middles) {
    return sb_middles_take(sim, t, out, err);
  }
  if (t > sim->t0) {
    SB_TRY(sb_step_state(sim, t, err));
    sb_delays_read(sim, t, sim->view_x, out);
    return SB_OK;
  }
  SB_TRY(sb_evaluate(sim, sim->t0, sim->x0, err));
  sb_delays_read(sim, sim->t0, sim->x0, out);
  return SB_OK;
}

/** Values at every `stride`th node of a span from `first` on. */
static sb_status take_nodes(sb_simulation *sim, double start, double end, int first, int stride,
                            sb_error *err) {
  sb_delays *d = sim->delays;
  for (int j = first; j <= HIGH; j += stride) {
    double t = 0.5 * (start + end) + 0.5 * (end - start) * cos(half_turn * j / HIGH);
    t = j == 0 ? end : j == HIGH ? start : t;
    SB_TRY(take(sim, t, d->node + j * d->count, err));
    for (int k = 0; k < d->count; k++) {
      double value = d->node[j * d->count + k];
      d->size[k] = fmax(d->size[k], fabs(value));
      d->low[k] = fmin(d->low[k], value);
      d->high[k] = fmax(d->high[k], value);
    }
  }
  return SB_OK;
}

/** What the rounding of times makes of an input between two neighbouring nodes of a span. */
static double rounding_of_times(const sb_delays *d, int k, double start, double end, int stride) {
  double rounding = 0;
  for (int j = 0; j < HIGH; j += stride) {
    const double change = fabs(d->node[(j + stride) * d->count + k] - d->node[j * d->count + k]),
                 apart = cos(half_turn * j / HIGH) - cos(half_turn * (j + stride) / HIGH);
    rounding = fmax(rounding, change / (0.5 * (end - start) * apart) * sb_time_rounding(end));
  }
  return rounding;
}

/** Whether the polynomials through every `stride`th node are right, but for the rounding of times. */
static bool is_right(const sb_simulation *sim, double start, double end, int stride) {
  const sb_delays *d = sim->delays;
  sb_history_piece piece = {.start = start, .end = end};
  for (int k = 0; k < d->count; k++) {
    const double known = inaccuracy(sim, k) + rounding_of_times(d, k, start, end, stride);
    sb_history_fit(&piece, HIGH / stride, d->node + k, stride * d->count);
    for (int i = 0; i < CHECKS; i++) {
      double t = 0.5 * (start + end) + 0.5 * (end - start) * check_places[i];
      if (fabs(sb_history_value(&piece, t) - d->check[i * d->count + k]) > known) {
        return false;
      }
    }
  }
  return true;
}

/** The inputs over a span: values at the nodes of the low degree, and at those between them where that is not right.
 *  @param stride  out: of the nodes that are known   @param good  out: whether the polynomials are right */
static sb_status measure(sb_simulation *sim, double start, double end, int *stride, bool *good,
                         sb_error *err) {
  sb_delays *d = sim->delays;
  *stride = HIGH / LOW;
  SB_TRY(take_nodes(sim, start, end, 0, *stride, err));
  for (int i = 0; i < CHECKS; i++) {
    double t = 0.5 * (start + end) + 0.5 * (end - start) * check_places[i];
    SB_TRY(take(sim, t, d->check + i * d->count, err));
  }
  *good = is_right(sim, start, end, *stride);
  if (!*good) {
    SB_TRY(take_nodes(sim, start, end, 1, *stride, err));
    *stride = 1;
    *good = is_right(sim, start, end, *stride);
  }
  return SB_OK;
}

int sb_delays_level(const sb_simulation *sim, int k, double first) {
  const sb_delays *d = sim->delays;
  return fabs(first - d->last[k]) > jump_factor * inaccuracy(sim, k) ? 0 : d->level[k];
}

/** What was measured, as the next piece of every history. */
static sb_status append(sb_simulation *sim, double start, double end, int stride, sb_error *err) {
  sb_delays *d = sim->delays;
  for (int k = 0; k < d->count; k++) {
    sb_history_piece piece = {.start = start, .end = end, .level = SB_HISTORY_SMOOTH};
    if (d->by_middles && start == d->head) {
      piece.level = d->head_level[k];
    } else if (start == sim->t0 && sim->step_restarted) {
      piece.level = sb_delays_level(sim, k, d->node[HIGH * d->count + k]);
    }
    sb_history_fit(&piece, HIGH / stride, d->node + k, stride * d->count);
    d->last[k] = d->by_middles ? d->last[k] : d->node[k];
    if (!sb_history_append(&sim->work->past[k], &piece)) {
      return sb_fail(err, SB_ERR_MEMORY, "out of memory");
    }
  }
  return SB_OK;
}

sb_status sb_delays_record(sb_simulation *sim, double start, double stop, sb_error *err) {
  double h = stop - start, span = h;
  const double deep = ldexp(h, -DEPTH_MAX), known = 4 * sb_time_rounding(stop);
  int deep_count = 0;
  while (start < stop) {
    const double shortest = deep_count < DEEP_MAX ? known : fmax(deep, known);
    int stride;
    bool good, last = start + span >= stop - 0.5 * shortest;
    double end = last ? stop : start + span;
    SB_TRY(measure(sim, start, end, &stride, &good, err));
    if (!good && span > shortest) {
      span *= 0.5;
      continue;
    }
    SB_TRY(append(sim, start, end, stride, err));
    deep_count += end - start < deep;
    start = end;
    span = fmin(2 * span, h);
  }
  return SB_OK;
}

/** A break that has just been remembered may come back before what ends the present piece otherwise. */
static void renew_boundary(sb_simulation *sim) {
  double next = HUGE_VAL;
  for (int k = 0; k < sim->delays->count; k++) {
    next = fmin(next, sb_history_break(&sim->work->past[k], sim->t0, NULL) + lag_of(sim, k));
  }
  sim->foreseen = fmin(sim->foreseen, next);
  if (next < sim->boundary) {
    sim->boundary = next;
    sim->work->inside = fmax(sim->t, sim->t + 0.5 * (next - sim->t));
    sb_workspace_changed(sim->work);
  }
}

/** Whether an output now is of what has just been remembered: of a step as long as the lag, or anew, of a lag below two steps, of which
 *  the line was not known. */
static bool has_changed(const sb_simulation *sim) {
  const sb_delays *d = sim->delays;
  const double from = d->by_middles ? d->anew : sim->t0;
  bool any = false;
  for (int k = 0; k < d->count; k++) {
    any = any || sim->t - lag_of(sim, k) > from - sb_time_rounding(sim->t);
  }
  return any;
}

sb_status sb_delays_accept(sb_simulation *sim, sb_error *err) {
  sb_delays *d = sim->delays;
  sb_evaluation evaluation;
  if (d == NULL) {
    return SB_OK;
  }
  long before = sim->work->rhs_count;
  if (!sb_workspace_keep(sim, &evaluation)) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  if (!d->by_middles) {
    (void)sb_dense_make(sim, sim->samples->dense);
  }
  sb_status status =
      d->by_middles ? sb_middles_record(sim, err) : sb_delays_record(sim, sim->t0, sim->t, err);
  sb_workspace_put_back(sim, &evaluation);
  sim->beside += sim->work->rhs_count - before;
  SB_TRY(status);
  renew_boundary(sim);
  const double from = !d->by_middles ? sim->t : d->begins ? d->head : d->middle;
  for (int k = 0; k < d->count; k++) {
    sb_history_forget(&sim->work->past[k], from - lag_of(sim, k) - sb_time_rounding(sim->t));
  }
  if (has_changed(sim)) {
    sb_workspace_changed(sim->work);
    return sb_evaluate(sim, sim->t, sim->x, err);
  }
  return SB_OK;
}
