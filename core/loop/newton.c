// SPDX-License-Identifier: GPL-3.0-or-later
// Algebraic loops of hooks that feed each other, y = hooks(b + A y), by Newton's method with a line
// search. For dissipations alone a power-free network makes A the negative of a positive semi-definite
// matrix in matching causality, and laws that rise make the equation strictly monotone: one solution,
// which the damped method reaches from anywhere. Linear hooks (a transformer modulated from outside,
// a gain) are solved in one step. Outputs may be of any units, 1e7 Pa beside 1e-6 m^3/s, and so each is
// judged by its own size.
//
// The start is the accepted solution, of the last step's end, and so an evaluation is a function of the
// state. Within a step only a solution that continues the accepted one counts. Where Newton's method
// contracts from the start on, the two are one branch (Deuflhard, "Newton Methods for Nonlinear Problems",
// 2011, section 2.1); else the Jacobian must keep the sign of its determinant on the way, and the way must
// not be long for its slopes, as it is to another branch from before a fold. If there is none, the step is
// to be shorter. At the start of a run and at events any solution counts that is the only one
// (multiplicity.c).
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/loop/newton_private.h"

enum { ITERATIONS_MAX = 100, HALVINGS_MAX = 40, FOLLOWED_MAX = 200, SWEEPS_MAX = 20 };
/** Of a step that is taken to this fraction only, and others like it in a row, nothing comes. */
static const double crawl = 1e-5;
enum { CRAWLS_MAX = 5 };
/** After so many damped steps in a row laws are inverted. */
enum { DAMPED_MAX = 3 };
/** What is the rounding of other outputs counts as that up to this fraction of what they are computed from, a tenth of what the audit
 *  allows: a force of a tree of bodies loses some ten roundings of the largest. */
static const double inherited = 1e-13;
/** Newton's method contracts if what its first step misses is below this fraction of it, by the slopes at
 *  its start and at its end. */
static const double contraction = 1.0 / 3;
/** The way to a solution is no longer than so many times what the slopes at its ends would have it, at
 *  least at one of them; the Jacobian is looked at at the ends of so many parts of it. */
static const double longest = 4;
enum { PARTS = 4 };
/** Solutions that differ by less than this fraction are one. */
static const double same = 1e-6;
/** The shortest fraction of b by which a solution is followed from b = 0; and within a step, which can be
 *  shorter itself. */
static const double shortest = 1e-9, shortest_in_step = 1e-4;

/** Whether every residual is at most this fraction of what it is the difference of. */
bool sb_newton_below(double fraction, const sb_newton_point *p, int m) {
  for (int k = 0; k < m; k++) {
    if (!(fabs(p->r[k]) <= fraction * (p->size[k] + p->noise[k]))) {
      return false;
    }
  }
  return true;
}

/** Whether no residual is of a size whose square is a number of the computer, its power with one of the same size: there
 *  f = (e/r)^(1/p) jumps from zero to the root of the least e, and nothing between is given by any e. */
static bool all_vanish(const sb_newton_point *p, int m) {
  for (int k = 0; k < m; k++) {
    if (!(fabs(p->r[k]) * fabs(p->r[k]) < DBL_MIN)) {
      return false;
    }
  }
  return true;
}

/** What residuals are compared by: their own size, but no less than what would matter to an input that
 *  the output feeds, for a law that is flat at zero leaves residuals of the size of its output. */
void sb_newton_weigh(const sb_newton *n, sb_newton_point *p, double weight[]) {
  for (int k = 0; k < n->m; k++) {
    p->matter[k] = HUGE_VAL;
  }
  for (int i = 0; i < n->loop->input_count; i++) {
    const sb_loop_term *terms = n->terms + n->rows[i].first;
    for (int j = 0; p->terms[i] > 0 && j < n->rows[i].count; j++) {
      double *matters = &p->matter[terms[j].column];
      *matters = fmin(*matters, p->terms[i] / fabs(terms[j].factor));
    }
  }
  for (int k = 0; k < n->m; k++) {
    p->matter[k] = isfinite(p->matter[k]) ? p->matter[k] : 0;
    weight[k] = fmax(p->size[k], p->matter[k]);
  }
  for (int h = 0; h < n->loop->count; h++) { // of another unit than the output
    int k = n->hooks[h].first_output;
    weight[k] = sb_newton_is_condition(&n->hooks[h]) ? p->size[k] + p->noise[k] : weight[k];
  }
}

/** A residual without what of it is rounding. */
static double beyond_rounding(double r, double size) {
  return fmax(0, fabs(r) - sb_newton_rounding * size);
}

/** The sum of squares of the residuals at `now`, as a fraction of that before. The rounding of a large one does not count, beside which
 *  a small one would never fall.
 *  @param before  without rounding  @param noise  what else rounding is a fraction of */
static double reduction(const sb_newton_point *now, const double before[], const double noise[],
                        const double weight[], int m) {
  double sum_now = 0, sum_before = 0;
  for (int k = 0; k < m; k++) {
    const double w = fmax(now->size[k], weight[k]),
                 left = beyond_rounding(now->r[k], now->size[k] + noise[k]);
    if (w > 0) {
      sum_now += left / w * (left / w);
      sum_before += before[k] / w * (before[k] / w);
    }
  }
  return sum_before > 0 ? sum_now / sum_before : 1;
}

/** One damped step; returns which fraction of the whole it is, 0 if none makes the residual smaller.
 *  Where it becomes hardly smaller, as at a kink, half of it may do better.
 *  @param d  the whole */
static double improve(const sb_newton *n, double y[], sb_newton_point *p, const double d[]) {
  int m = n->m, inputs = n->loop->input_count;
  sb_newton own = *n;
  n = &own;
  double *next = sb_newton_vector(&own), *weight = sb_newton_vector(&own);
  double *from = sb_newton_vector(&own), *before = sb_newton_vector(&own);
  double factor = 1, taken = 0, least = 1;
  sb_newton_point trial = sb_newton_point_take(&own);
  for (int k = 0; k < m; k++) {
    before[k] = beyond_rounding(p->r[k], p->size[k] + p->noise[k]);
  }
  memcpy(from, y, (size_t)m * sizeof *from);
  sb_newton_weigh(n, p, weight);
  for (int halving = 0; halving < HALVINGS_MAX && least > 0.25; halving++, factor *= 0.5) {
    for (int k = 0; k < m; k++) {
      next[k] = from[k] - factor * d[k];
    }
    double left = sb_newton_at(n, next, &trial) == 0
                      ? reduction(&trial, before, p->noise, weight, m)
                      : HUGE_VAL;
    if (taken > 0 && !(left < least)) {
      break;
    }
    if (left < least) {
      least = left;
      taken = factor;
      memcpy(y, next, (size_t)m * sizeof *y);
      memcpy(p->u, trial.u, (size_t)inputs * sizeof *p->u);
      memcpy(p->terms, trial.terms, (size_t)inputs * sizeof *p->terms);
      memcpy(p->r, trial.r, (size_t)m * sizeof *p->r);
      memcpy(p->size, trial.size, (size_t)m * sizeof *p->size);
    }
  }
  return taken;
}

/** The largest difference of what two steps change. That of an output which is nothing but rounding of its inputs, as the rate of a
 *  joint that is locked, is none. */
static double distance(const sb_newton *n, const sb_newton_point *p, const double y[],
                       const double a[], const double b[]) {
  double most = 0;
  for (int k = 0; k < n->m; k++) {
    double size = fmax(fabs(y[k]), p->matter[k]);
    bool counts = fabs(a[k] - b[k]) > sb_newton_rounding * (p->size[k] + p->noise[k]);
    most = p->matter[k] > 0 && counts ? fmax(most, fabs(a[k] - b[k]) / size) : most;
  }
  return most;
}

/** Whether a solution y continues a start. @param first_r  residual there, and Newton's first step */
static bool continues(const sb_newton *n, const double start[], const double y[],
                      const double first_r[], const double first[]) {
  static const double none[SB_LOOP_MAX] = {0};
  sb_newton own = *n;
  n = &own;
  double *at = sb_newton_vector(&own), *last = sb_newton_vector(&own);
  double *weight = sb_newton_vector(&own);
  int sign = 0;
  sb_newton_point p = sb_newton_point_take(&own);
  for (int i = 0; i <= PARTS; i++) {
    for (int k = 0; k < n->m; k++) {
      at[k] = i == PARTS ? y[k] : start[k] + (y[k] - start[k]) * i / PARTS;
    }
    if (sb_newton_at(n, at, &p) != 0 || !sb_newton_factor(n, &p, NULL)) {
      return false;
    }
    int now = p.shared ? 1 : sb_newton_orientation(n, &p);
    if (i > 0 && now != sign) {
      return false;
    }
    sign = now;
  }
  sb_newton_correct(n, &p, y, first_r, last);
  sb_newton_weigh(n, &p, weight);
  return distance(n, &p, y, y, start) <=
         longest * fmax(distance(n, &p, y, first, none), distance(n, &p, y, last, none));
}

/** Lets the noise of each output be what the rounding of all outputs makes of it, |J^-1| (size + noise): where a law has a kink, as |N| of a
 *  force N that is a small difference of large ones, no step comes nearer, and what it gives is known no better than its input.
 *  Where the residuals are no more than that, |r| <= |J| |J^-1| (size + noise), the outputs are what hooks have given, but for those that miss it by no more
 *  than their own inputs' rounding: at next to no flow an orifice f = c sqrt|e| gives any that the rounding of e makes, and others feel all of it.
 *  @return whether they are */
static bool is_rounding_of_all(const sb_newton *n, double y[], sb_newton_point *p) {
  sb_newton own = *n;
  const int m = n->m;
  double *one = sb_newton_vector(&own), *moved = sb_newton_vector(&own),
         *noise = sb_newton_vector(&own);
  bool all = sb_newton_factor(&own, p, NULL) && !p->shared;
  memset(one, 0, (size_t)m * sizeof *one);
  memset(noise, 0, (size_t)m * sizeof *noise);
  for (int q = 0; all && q < m; q++) {
    one[q] = p->size[q] + p->noise[q];
    sb_newton_correct(&own, p, y, one, moved);
    one[q] = 0;
    for (int k = 0; k < m; k++) {
      noise[k] += fabs(moved[k]);
    }
  }
  for (int i = 0; i < m && all; i++) {
    double sum = 0;
    for (int k = 0; k < m; k++) {
      sum += fabs(p->row[i] * n->matrix[i * m + k] * p->column[k]) * noise[k];
    }
    all = fabs(p->r[i]) <= inherited * sum;
  }
  for (int h = 0; all && h < n->loop->count; h++) {
    const sb_loop_hook *hook = &n->hooks[h];
    for (int k = hook->first_output; k < hook->first_output + hook->output_count; k++) {
      const bool known = fabs(p->r[k]) <= sb_newton_rounding * (p->size[k] + p->noise[k]);
      y[k] -= known || sb_newton_is_condition(hook) ? 0 : p->r[k];
      p->noise[k] = noise[k];
    }
  }
  return all;
}

/** Runs the hooks one after the other, again and again: where a law gives nothing beyond a kink, as mu max(0, N), all of what a step towards it
 *  leaves is its residual, so that no step makes that smaller, but a loop of small gain comes to its solution so.
 *  @return whether it has; else y and p are as before */
static bool sweep(const sb_newton *n, double y[], sb_newton_point *p) {
  sb_newton own = *n;
  double *next = sb_newton_vector(&own);
  sb_newton_point there = sb_newton_point_take(&own);
  bool found = false, finite = !sb_newton_has_conditions(n);
  memcpy(next, y, (size_t)n->m * sizeof *y);
  for (int pass = 0; pass < SWEEPS_MAX && finite && !found; pass++) {
    for (int h = 0; h < n->loop->count && finite; h++) {
      finite = sb_newton_hook(&own, h, next);
    }
    finite = finite && sb_newton_at(&own, next, &there) == 0;
    if (finite) {
      sb_newton_fill(&own, &there);
      found = sb_newton_below(sb_newton_rounding, &there, n->m);
    }
  }
  if (found) {
    memcpy(y, next, (size_t)n->m * sizeof *y);
    found = sb_newton_at(&own, y, p) == 0;
    sb_newton_fill(&own, p);
  }
  return found;
}

/** Whether a loop has a solution where Newton's method found none. If the law has a value where its bounds meet, y is left there. */
static bool is_bracketed(const sb_newton *n, double y[], sb_newton_point *p) {
  sb_newton own = *n;
  double *found = sb_newton_vector(&own);
  memcpy(found, y, (size_t)n->m * sizeof *y);
  if (!sb_newton_bracket(&own, found, p)) {
    return false;
  }
  memcpy(y, found, (size_t)n->m * sizeof *y);
  sb_newton_fill(&own, p);
  return sb_newton_below(sb_newton_solved, p, n->m);
}

/** Goes on from y by inverse laws. If that finds no solution, y and p are as before.  @return whether it does */
static bool go_on_by_inverses(const sb_newton *n, double y[], sb_newton_point *p) {
  sb_newton own = *n;
  double *next = sb_newton_vector(&own);
  memcpy(next, y, (size_t)n->m * sizeof *next);
  const bool found = sb_newton_by_inverses(&own, next, p);
  if (found) {
    memcpy(y, next, (size_t)n->m * sizeof *y);
  }
  return sb_newton_at(n, y, p) == 0 && found;
}

/** Solves a loop of laws alone from its start, where the line search ends in front of a kink or at rest. If it has no solution y and p are as
 *  before. */
static bool solve_laws(const sb_newton *n, const double start[], double y[], sb_newton_point *p) {
  bool (*const ways[])(const sb_newton *, double[], sb_newton_point *) = {
      sb_newton_by_inverses, sb_newton_by_chords, sb_newton_go_straight};
  sb_newton own = *n;
  double *next = sb_newton_vector(&own), *last = sb_newton_vector(&own);
  bool found = false;
  memcpy(last, y, (size_t)n->m * sizeof *last);
  for (int i = 0; i < 3 && !found; i++) {
    memcpy(next, start, (size_t)n->m * sizeof *next);
    found = ways[i](&own, next, p);
  }
  memcpy(y, found ? next : last, (size_t)n->m * sizeof *y);
  (void)sb_newton_at(n, y, p);
  return found;
}

/** Whether all residuals are rounding. That of inputs is known by the slopes where the last step began: where it counts it is asked for anew, as
 *  behind a step from 1 V to 1e-15 V it would be far more than what is left. */
static bool is_solved(const sb_newton *n, sb_newton_point *p, bool laws) {
  if (!sb_newton_below(sb_newton_rounding, p, n->m)) {
    return false;
  }
  bool plain = true;
  for (int k = 0; k < n->m; k++) {
    plain = plain && fabs(p->r[k]) <= sb_newton_rounding * p->size[k];
  }
  if (!plain && laws) {
    sb_newton_fill(n, p);
  }
  return plain || !laws || sb_newton_below(sb_newton_rounding, p, n->m);
}

static bool solve_by_newton(const sb_newton *n, double y[], bool follow, bool linear) {
  static const double none[SB_LOOP_MAX] = {0};
  sb_newton own = *n;
  n = &own;
  double *start = sb_newton_vector(&own), *first_r = sb_newton_vector(&own);
  double *first = sb_newton_vector(&own), *again = sb_newton_vector(&own);
  double *d = sb_newton_vector(&own);
  sb_newton_point p = sb_newton_point_take(&own);
  int crawls = 0, damped = 0;
  bool certain = true;
  const bool laws = sb_newton_of_laws(n);
  if (sb_newton_at(n, y, &p) != 0) {
    return is_bracketed(n, y, &p) && !follow;
  }
  memcpy(start, y, (size_t)n->m * sizeof *start);
  memcpy(first_r, p.r, (size_t)n->m * sizeof *first_r);
  for (int i = 0; i < ITERATIONS_MAX && !is_solved(n, &p, laws); i++) {
    if (!sb_newton_factor(n, &p, NULL) || (laws && sb_newton_below(sb_newton_rounding, &p, n->m))) {
      break; // the first has found to what the residuals are known here
    }
    sb_newton_correct(n, &p, y, p.r, d);
    if (i == 0) {
      memcpy(first, d, (size_t)n->m * sizeof *first);
    } else if (i == 1 && follow && certain) {
      sb_newton_correct(n, &p, start, first_r, again);
      double most = contraction * distance(n, &p, y, first, none);
      certain = distance(n, &p, y, again, first) <= most && distance(n, &p, y, d, none) <= most;
    }
    double fraction = improve(n, y, &p, d);
    certain = certain && (i > 0 || fraction == 1);
    crawls = fraction < crawl ? crawls + 1 : 0;
    damped = fraction < 1 ? damped + 1 : 0;
    if (laws && damped == DAMPED_MAX && go_on_by_inverses(n, y, &p)) {
      certain = false;
      sb_newton_weigh(n, &p, d);
      break;
    }
    if (laws && fraction < 1 && sb_newton_is_steep(n, y) &&
        sb_newton_below(sb_newton_solved, &p, n->m) && is_rounding_of_all(n, y, &p)) {
      break; // each step moves by the rounding of other outputs what a steep law makes of these
    }
    if (fraction == 0 || crawls == CRAWLS_MAX) {
      break; // the residual is at rounding, or there is no solution: the test below tells
    }
  }
  if (!sb_newton_below(sb_newton_solved, &p, n->m) && !is_rounding_of_all(n, y, &p) &&
      (laws || !sweep(n, y, &p))) {
    if (!(laws && solve_laws(n, start, y, &p)) && !(laws && sweep(n, y, &p)) &&
        !is_bracketed(n, y, &p)) {
      return sb_newton_at(n, y, &p) == 0 && all_vanish(&p, n->m);
    }
    certain = false;
    sb_newton_weigh(n, &p, d);
  }
  if (linear) {
    sb_newton_give(n, &p, y);
  }
  return (!follow || certain || distance(n, &p, y, y, start) <= same ||
          (laws && !sb_newton_falls(n, start, y)) || continues(n, start, y, first_r, first));
}

/** Multipliers alone are solved for as nonlinear loops are, to rounding of the residuals; where these are nothing but that from
 *  the start on, as of a linkage at rest, they are judged as those of linear loops. */
bool sb_newton_solve(const sb_newton *n, double y[], bool follow) {
  const bool affine = sb_newton_affine(n), cancels = affine && sb_newton_cancels(n);
  return (!cancels && solve_by_newton(n, y, follow, affine)) ||
         (affine && sb_newton_solve_affine(n, y));
}

bool sb_newton_follow(const sb_newton *n, double y[]) {
  sb_newton scaled = *n;
  double *b = sb_newton_take(&scaled, n->loop->input_count), *next = sb_newton_vector(&scaled);
  double done = 0, step = 0.25;
  scaled.b = b;
  double least = n->work->loops.continues ? shortest_in_step : shortest;
  memset(y, 0, (size_t)n->m * sizeof *y);
  for (int k = 0; done < 1 && step > least && k < FOLLOWED_MAX;
       k++) { // it may come close to a jump by ever shorter ones
    double to = fmin(done + step, 1);
    for (int i = 0; i < n->loop->input_count; i++) {
      b[i] = to * n->b[i];
    }
    memcpy(next, y, (size_t)n->m * sizeof *y);
    bool ok = sb_newton_solve(&scaled, next, false);
    if (ok) {
      memcpy(y, next, (size_t)n->m * sizeof *y);
      done = to;
    }
    step *= ok ? 2 : 0.25;
  }
  return done == 1;
}
