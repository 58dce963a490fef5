// SPDX-License-Identifier: GPL-3.0-or-later
// How many solutions a nonlinear loop has. With laws that rise there is one (newton.c). A law that falls
// somewhere, such as a tunnel diode's, may meet the network more than once; which of these holds then
// depends on what the model leaves out, and so none is chosen.
//
// One law: in = b + a law(in) with a <= 0, as the network is passive, and in law(in) >= 0. All solutions
// lie between 0 and b, where they are found by samples and bisection. Several laws: a search from many
// starts, which finds further solutions where it leads to them, and proves nothing where it does not.
// Loops through other hooks, or through laws that change: searches.c.
#include <math.h>
#include <string.h>

#include "core/loop/newton_private.h"

/** Samples of a law that tell whether it rises; of the range of a scalar loop; starts for each law. */
enum { EVEN_SAMPLES = 400, DECADE_SAMPLES = 24, DECADES = 6, SCALAR_SAMPLES = 400, STARTS = 9 };
enum { BISECTIONS = 2100 };
/** A fall by less than this part of the largest output is rounding. */
static const double fall_tol = 1e-12;
/** A fall that is this part as steep as what allows several solutions does not: it is sampled. */
static const double steep_part = 0.9;
/** Solutions of several laws that differ by less than this part are one. */
static const double same_tol = 1e-6;
/** The shortest part of b by which a solution is followed. */
static const double shortest = 1e-9;
/** How far around the inputs of several laws one looks for other solutions, as a multiple. */
static const double reach = 4;

static sb_law_bounds *seen_of(const sb_newton *n, int k) {
  return &n->work->seen[n->loop->first + k];
}

/** Looks at a law from `from` to `to` > from, in the direction of `sign`: where it falls. */
static void look(const sb_newton *n, int k, double from, double to, double sign) {
  sb_law_bounds *seen = seen_of(n, k);
  double last = sign * sb_newton_law(n, k, sign * from), most = fabs(last), before = from;
  int decades = from == 0 ? DECADE_SAMPLES * DECADES : 0;
  for (int i = 0; i < decades + EVEN_SAMPLES; i++) {
    double fraction = i < decades ? pow(10, (double)(i - decades) / DECADE_SAMPLES) / EVEN_SAMPLES
                                  : (double)(i - decades + 1) / EVEN_SAMPLES;
    double u = from + fraction * (to - from), y = sign * sb_newton_law(n, k, sign * u);
    if (!isfinite(y)) {
      return; // beyond its range
    }
    if (y < last - fall_tol * most) {
      seen->falls = fmin(seen->falls, u);
      seen->steep = fmax(seen->steep, (last - y) / (u - before));
    }
    last = y;
    before = u;
    most = fmax(most, fabs(y));
  }
}

/** Whether the loop is one of laws that change with nothing but their input. */
static bool is_of_laws(const sb_newton *n) {
  bool fixed = n->scalar;
  for (int k = 0; k < n->m && fixed; k++) {
    const sb_instance *instance = &n->network->instances[n->hooks[k].op.instance];
    fixed = instance->wire_count == 0 && instance->mode < 0;
  }
  return fixed;
}

/** Whether a law falls somewhere up to |in| = range; what has been looked at is kept. */
static bool falls(const sb_newton *n, int k, double range) {
  sb_law_bounds *seen = seen_of(n, k);
  if (range > seen->to) {
    look(n, k, seen->to, 2 * range, 1);
    look(n, k, seen->to, 2 * range, -1);
    seen->to = 2 * range;
  }
  return seen->falls <= range;
}

/** in - b - a law(in) in the direction of b; a law without a value stands for an infinite one. */
static double gap(const sb_newton *n, double in) {
  double sign = n->b[0] < 0 ? -1 : 1, y = sb_newton_law(n, 0, in);
  double g = sign * (in - n->b[0] - n->a[0] * y);
  return isfinite(g) ? g : HUGE_VAL;
}

static double bisect(const sb_newton *n, double low, double high) {
  bool rises = gap(n, low) < 0;
  for (int i = 0; i < BISECTIONS; i++) {
    double middle = 0.5 * (low + high);
    if (middle == low || middle == high) {
      break;
    }
    *((gap(n, middle) < 0) == rises ? &low : &high) = middle;
  }
  return low;
}

/** Inputs that solve a loop of one law, the first three; returns how many there are. */
static int scalar_solutions(const sb_newton *n, double at[3]) {
  double before = 0, last = gap(n, 0);
  int count = 0;
  for (int i = 1; i <= SCALAR_SAMPLES; i++) {
    double in = n->b[0] * i / SCALAR_SAMPLES, now = gap(n, in);
    if ((last < 0) != (now < 0)) {
      if (count < 3) {
        at[count] = bisect(n, before, in);
      }
      count++;
    }
    before = in;
    last = now;
  }
  return count;
}

static bool fail(const sb_newton *n, sb_loop_failure failure) {
  failure.loop = n->index;
  failure.t = n->t;
  n->work->failure = failure;
  return false;
}

static bool refuse_several(const sb_newton *n, int k, int count, const double at[]) {
  sb_loop_failure failure = {
      .kind = SB_LOOP_SEVERAL, .instance = n->hooks[k].op.instance, .count = count};
  memcpy(failure.at, at, (size_t)(count < 3 ? count : 3) * sizeof *at);
  return fail(n, failure);
}

int sb_newton_hook_of(const sb_newton *n, int output) {
  int hook = n->loop->count - 1;
  while (n->hooks[hook].first_output > output) {
    hook--;
  }
  return hook;
}

/** What keeps the hooks from meeting: one without a value, or the one that is most off. */
static bool refuse_none(const sb_newton *n, const double y[]) {
  sb_loop_failure failure = {.kind = SB_LOOP_NO_SOLUTION};
  int worst = sb_newton_worst(n, y, &failure.at[2]);
  double in = n->scalar ? n->b[worst] : NAN;
  for (int j = 0; n->scalar && j < n->m; j++) {
    in += n->a[worst * n->m + j] * y[j];
  }
  failure.instance = n->hooks[sb_newton_hook_of(n, worst)].op.instance;
  failure.at[0] = in;
  failure.at[1] = y[worst];
  return fail(n, failure);
}

/** Newton's method from the outputs that belong to one input of law j, and zero for the others. */
static bool solve_from(const sb_newton *n, int j, double in_j, double y[], double in[]) {
  for (int k = 0; k < n->m; k++) {
    double out = sb_newton_law(n, k, k == j ? in_j : 0);
    y[k] = isfinite(out) ? out : 0;
  }
  return sb_newton_solve(n, y, in);
}

/** Follows the solution from b = 0, where all is zero, as far towards the whole of b as it exists.
 *  @param y  out: the solution there @return whether that is the whole */
static bool follow(const sb_newton *n, double y[]) {
  double done = 0, step = 0.25, next[SB_LOOP_MAX], in[SB_LOOP_INPUTS_MAX];
  while (done < 1 && step > shortest) {
    sb_newton scaled = *n;
    double to = fmin(done + step, 1);
    for (int k = 0; k < n->loop->input_count; k++) {
      scaled.b[k] = to * n->b[k];
    }
    memcpy(next, y, (size_t)n->m * sizeof *y);
    if (sb_newton_solve(&scaled, next, in)) {
      memcpy(y, next, (size_t)n->m * sizeof *y);
      done = to;
      step *= 2;
    } else {
      step *= 0.25;
    }
  }
  return done == 1;
}

bool sb_branches_find(const sb_newton *n, double y[], double in[]) {
  double best[SB_LOOP_MAX] = {0};
  if (n->scalar && n->m == 1) {
    double at[3];
    if (n->b[0] != 0 && scalar_solutions(n, at) > 0) {
      y[0] = n->a[0] == 0 ? sb_newton_law(n, 0, at[0]) : (at[0] - n->b[0]) / n->a[0];
      best[0] = y[0];
      return sb_newton_solve(n, y, in) || refuse_none(n, best);
    }
    return refuse_none(n, best);
  }
  n->work->search_cache[n->index].lost = true;
  bool found = follow(n, best);
  memcpy(y, best, (size_t)n->m * sizeof *y);
  if (found && sb_newton_solve(n, y, in)) {
    return true;
  }
  if (!is_of_laws(n) && sb_search_find(n, y, in)) {
    return true;
  }
  return n->work->failure.kind == SB_LOOP_SEVERAL ? false : refuse_none(n, best);
}

static bool differ(const double a[], const double b[], int m, int *where) {
  double most = same_tol;
  *where = -1;
  for (int k = 0; k < m; k++) {
    double off = fabs(a[k] - b[k]) / (fabs(a[k]) + fabs(b[k]) + 1e-300);
    if (off > most) {
      most = off;
      *where = k;
    }
  }
  return *where >= 0;
}

/** Looks for another solution of several laws from starts all over the range of those that fall. */
static bool search(const sb_newton *n, const double in[], const bool falling[]) {
  for (int j = 0; j < n->m; j++) {
    double range = reach * fmax(fabs(n->b[j]), fabs(in[j]));
    for (int i = -STARTS; falling[j] && i <= STARTS; i++) {
      double y[SB_LOOP_MAX], other[SB_LOOP_INPUTS_MAX];
      int where;
      if (solve_from(n, j, range * i / STARTS, y, other) && differ(in, other, n->m, &where)) {
        const double at[] = {in[where], other[where]};
        return refuse_several(n, where, 2, at);
      }
    }
  }
  return true;
}

/** A loop through other hooks than laws: at its first solution it must not go round with a gain of 1. */
static bool is_determined(const sb_newton *n, const double y[], double u[]) {
  sb_law_bounds *seen = seen_of(n, 0);
  if (seen->to > 0) {
    return true;
  }
  seen->to = 1;
  return sb_newton_regular(n, y, u) ||
         fail(n,
              (sb_loop_failure){.kind = SB_LOOP_UNDETERMINED, .instance = n->hooks[0].op.instance});
}

bool sb_branches_single(const sb_newton *n, const double y[], double in[]) {
  bool falling[SB_LOOP_MAX], any = false;
  if (!is_of_laws(n)) {
    return (n->scalar || is_determined(n, y, in)) && sb_search_single(n, y);
  }
  if (n->m == 1) {
    double at[3];
    bool rises = !falls(n, 0, fabs(n->b[0])) || fabs(n->a[0]) * seen_of(n, 0)->steep < steep_part;
    int count = rises ? 1 : scalar_solutions(n, at); // rises: in - a law(in) does
    return count <= 1 || refuse_several(n, 0, count, at);
  }
  for (int k = 0; k < n->m; k++) {
    falling[k] = falls(n, k, reach * fmax(fabs(n->b[k]), fabs(in[k])));
    any = any || falling[k];
  }
  return !any || search(n, in, falling);
}
