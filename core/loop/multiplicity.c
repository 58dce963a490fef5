// SPDX-License-Identifier: GPL-3.0-or-later
// How many solutions a loop y = hooks(b + A y) has. Laws that rise meet a passive network once; a law that
// falls somewhere, such as a tunnel diode's, or a signal that is fed back, may meet it more than once. Which
// of these holds then depends on what the model leaves out, and so none is chosen.
//
// Hooks that are affine have one solution, or leave it undetermined. Else, where one output lets all hooks be run
// one after the other, the solutions are found along it (tearing.c). Where one is not enough, Newton's method starts
// from a fixed set of places. What is found is solved to rounding before it counts.
#include <math.h>
#include <string.h>

#include "core/loop/loop.h"
#include "core/loop/multiplicity_private.h"

/** Decades above the scale; starts of Newton's method. */
enum { DECADES_ABOVE = 6, STARTS = 48 };
/** Solutions that differ by less than this fraction are one. */
static const double same = 1e-6;
/** What is left of a row of a solution, as a fraction of its terms. */
static const double satisfied = 1e-11;

/** Whether some hook reads what differs between two solutions, by more than rounding of the scale and of what the outputs that it reads
 *  are computed from: at an event of a law f = (e - F)/b, e = F, f is the rounding of F/b. */
static bool differ(const sb_solution_search *s, const double a[], const double b[]) {
  const sb_newton *n = s->n;
  bool any = false;
  for (int i = 0; i < n->loop->input_count; i++) {
    double size_a, size_b, scale, noise, off = sb_newton_input(n, i, a, &size_a);
    off -= sb_newton_input(n, i, b, &size_b);
    (void)sb_newton_input(n, i, s->scale, &scale);
    (void)sb_newton_input(n, i, s->noise, &noise);
    any = any || fabs(off) > same * fmax(size_a, size_b) + sb_affine_rounding * (scale + noise);
  }
  return any;
}

/** Newton's next step from a solution. @param step  (m) out: zero where there is none */
static void find_step(const sb_newton *n, const double from[], double step[]) {
  sb_newton own = *n;
  sb_newton_point p = sb_newton_point_take(&own);
  double *y = sb_newton_vector(&own);
  memcpy(y, from, (size_t)n->m * sizeof *y);
  memset(step, 0, (size_t)n->m * sizeof *step);
  if (sb_newton_at(&own, y, &p) == 0 && sb_newton_factor(&own, &p, NULL)) {
    sb_newton_correct(&own, &p, y, p.r, step);
  }
}

/** Whether two solutions are no farther apart than Newton's next steps from them lead: they are known no better than that. Where all is at
 *  rest any number is found in place of zero, whose residual is as large as itself. */
static bool meet(const sb_newton *n, const double a[], const double b[]) {
  sb_newton own = *n;
  double *from_a = sb_newton_vector(&own), *from_b = sb_newton_vector(&own);
  bool all = true;
  find_step(&own, a, from_a);
  find_step(&own, b, from_b);
  for (int k = 0; k < n->m && all; k++) {
    all = fabs(a[k] - b[k]) <= 2 * (fabs(from_a[k]) + fabs(from_b[k]));
  }
  return all;
}

/** Whether a further solution y satisfies all rows by their own terms: what Newton's method leaves as the rounding of others is no solution far away, where a
 *  small one of 1e-3 is lost in numbers of 1e170. */
static bool satisfies(const sb_newton *n, double y[]) {
  sb_newton own = *n;
  double *r = sb_newton_vector(&own), *size = sb_newton_vector(&own);
  bool all = sb_newton_residual(&own, y, r, size) == 0;
  for (int k = 0; k < n->m && all; k++) {
    all = isfinite(size[k]) && fabs(r[k]) <= satisfied * size[k];
  }
  return all;
}

void sb_solution_note(sb_solution_search *s, const double y[]) {
  double *next = s->y[s->known];
  memcpy(next, y, (size_t)s->n->m * sizeof *next);
  bool other = s->known < SB_SOLUTIONS_MAX - 1 && sb_newton_solve(s->n, next, false) &&
               (s->known == 0 || satisfies(s->n, next));
  for (int i = 0; i < s->known && other; i++) {
    other = differ(s, next, s->y[i]) && !meet(s->n, next, s->y[i]) &&
            (!s->laws || sb_newton_falls(s->n, next, s->y[i]));
  }
  s->known += other;
}

/** A number from -1 to 1, evenly spread over i for every k of m (additive recurrence). */
static double spread(int i, int k, int m) {
  double fraction = (i + 1) * pow(2, (k + 1.0) / (m + 1));
  return 2 * (fraction - floor(fraction)) - 1;
}

/** Newton's method from places around zero and around the start, up to some hundred times the scale; some
 *  of them brought nearer to solutions that attract, such as those of a latch. */
static void start_all_over(sb_solution_search *s) {
  const sb_newton *n = s->n;
  for (int i = 0; i < STARTS && s->known < 3; i++) {
    double *y = s->here;
    bool finite = true;
    for (int k = 0; k < n->m; k++) {
      double fraction = spread(i, k, n->m),
             far = s->scale[k] * (pow(10, 3 * fabs(fraction)) - 1) / 9;
      y[k] = (i % 2 == 0 ? 0 : s->start[k]) + copysign(far, fraction);
    }
    for (int round = 0; round < i % 4 && finite; round++) {
      for (int h = 0; h < n->loop->count && finite; h++) {
        finite = sb_newton_is_condition(&n->hooks[h]) || sb_newton_hook(n, h, y);
      }
    }
    if (finite) {
      sb_solution_note(s, y);
    }
  }
}

/** Of accelerations, which are differences of large terms, what these are: slopes times inputs. Without
 *  conditions none. @param terms  (m) out */
static void find_inner_terms(const sb_newton *n, const double start[], double terms[]) {
  sb_newton own = *n;
  sb_newton_point p = sb_newton_point_take(&own);
  double *y = sb_newton_vector(&own);
  memcpy(y, start, (size_t)n->m * sizeof *y);
  memset(terms, 0, (size_t)n->m * sizeof *terms);
  if (sb_newton_has_conditions(n) && sb_newton_at(&own, y, &p) == 0) {
    (void)sb_newton_factor(&own, &p, NULL);
    memcpy(terms, p.noise, (size_t)n->m * sizeof *terms);
  }
}

/** What the outputs have of the sizes of inputs, by the slopes at the start, and what passes on to others. @param noise  (m) out */
static void find_noise(const sb_newton *n, const double start[], double noise[]) {
  sb_newton own = *n;
  sb_newton_point p = sb_newton_point_take(&own);
  double *y = sb_newton_vector(&own), *given = sb_newton_vector(&own),
         *one = sb_newton_vector(&own), *moved = sb_newton_vector(&own);
  memcpy(y, start, (size_t)n->m * sizeof *y);
  memset(noise, 0, (size_t)n->m * sizeof *noise);
  if (sb_newton_at(&own, y, &p) != 0 || !sb_newton_factor(&own, &p, NULL)) {
    return;
  }
  memcpy(given, p.noise, (size_t)n->m * sizeof *given);
  memset(one, 0, (size_t)n->m * sizeof *one);
  for (int q = 0; q < n->m; q++) {
    one[q] = given[q];
    sb_newton_correct(&own, &p, y, one, moved);
    one[q] = 0;
    for (int k = 0; k < n->m; k++) {
      noise[k] += fabs(moved[k]);
    }
  }
}

/** Whether the residual r is affine, r(y + d) - r(y) = (r(y) - r(y - 2 d))/2, around the start over
 *  decades. One step is twice the other, as odd functions would pass for affine. */
static bool is_affine(const sb_solution_search *s) {
  sb_newton own = *s->n;
  const sb_newton *n = &own;
  double *r[3], *size[3], *y = sb_newton_vector(&own), *inner = sb_newton_vector(&own);
  for (int p = 0; p < 3; p++) {
    r[p] = sb_newton_vector(&own);
    size[p] = sb_newton_vector(&own);
  }
  int decades = s->rests ? SB_DECADES_MOST : DECADES_ABOVE;
  find_inner_terms(n, s->start, inner);
  for (int i = -decades; i <= decades; i++) {
    for (int p = 0; p < 3; p++) {
      static const double times[] = {0, 1, -2};
      for (int k = 0; k < n->m; k++) {
        double side = spread(i + decades, k, n->m) < 0 ? -1 : 1;
        y[k] = s->start[k] + times[p] * side * s->scale[k] * pow(10, i);
      }
      if (sb_newton_residual(n, y, r[p], size[p]) != 0) {
        return false;
      }
    }
    for (int k = 0; k < n->m; k++) {
      double terms = 3 * size[0][k] + 2 * size[1][k] + size[2][k] + inner[k] * fmax(1, pow(10, i));
      if (fabs(3 * r[0][k] - 2 * r[1][k] - r[2][k]) > sb_affine_rounding * terms) {
        return false;
      }
    }
  }
  return true;
}

/** The scales of the outputs: their values, or what the hooks give where nothing is fed back; at rest neither tells
 *  them, and any number will do, from which far is looked. */
static void find_scales(sb_solution_search *s) {
  sb_newton own = *s->n;
  const sb_newton *n = &own;
  double *zero = sb_newton_vector(&own), *one = sb_newton_vector(&own);
  double *r = sb_newton_vector(&own), *size = sb_newton_vector(&own);
  for (int k = 0; k < n->m; k++) {
    zero[k] = 0;
    one[k] = 1;
    s->scale[k] = fabs(s->start[k]);
  }
  if (sb_newton_residual(n, zero, r, size) == 0) {
    for (int k = 0; k < n->m; k++) {
      s->scale[k] = fmax(s->scale[k], fabs(r[k]));
    }
  }
  bool finite = sb_newton_residual(n, one, r, size) == 0;
  for (int k = 0; k < n->m; k++) {
    double came = finite ? fabs(1 - r[k]) : 0;
    s->rests = s->rests || !(s->scale[k] > 0);
    s->scale[k] = s->scale[k] > 0 ? s->scale[k] : came > 0 ? fmin(came, 1) : 1;
  }
}

/** Leaves all solutions that can be found in s->y. @param own  of which the search takes its room
 *  @param solved  whether y is one */
static void look(sb_solution_search *s, sb_newton *own, const double y[], bool solved) {
  const sb_newton *n = own;
  *s = (sb_solution_search){.n = n, .known = solved, .laws = sb_newton_of_laws(n)};
  for (int i = 0; i < SB_SOLUTIONS_MAX; i++) {
    s->y[i] = sb_newton_vector(own);
  }
  double **vectors[] = {&s->start, &s->scale, &s->noise, &s->here, &s->sample, &s->narrowed};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
    *vectors[i] = sb_newton_vector(own);
  }
  memcpy(s->start, y, (size_t)n->m * sizeof *y);
  memcpy(s->y[0], y, (size_t)n->m * sizeof *y);
  find_scales(s);
  if (solved && is_affine(s)) {
    return;
  }
  find_noise(n, s->start, s->noise);
  sb_tearing_choose(s);
  if (s->cut >= 0) {
    sb_tearing_scan(s);
  } else {
    start_all_over(s);
  }
}

/** The hook whose output tells solutions apart: a signal if there is one, else the tearing variable. */
static const sb_loop_hook *telling(const sb_solution_search *s, int *output) {
  const sb_newton *n = s->n;
  const sb_loop_hook *best = n->hooks;
  double rank = -1;
  for (int h = 0; h < n->loop->count; h++) {
    const sb_loop_hook *hook = &n->hooks[h];
    for (int k = hook->first_output; k < hook->first_output + hook->output_count; k++) {
      double a = s->y[0][k], b = s->y[1][k], off = fabs(a - b) / (fabs(a) + fabs(b));
      double own = hook->op.kind == SB_OP_SIGNAL ? 4 : k == s->cut ? 2 : off;
      if (off > same && own > rank) {
        rank = own;
        best = hook;
        *output = k;
      }
    }
  }
  return best;
}

/** Of a law that reads one number this tells the solutions apart, else an output. */
static bool refuse(const sb_solution_search *s) {
  const sb_newton *n = s->n;
  int k = 0;
  const sb_loop_hook *hook = telling(s, &k);
  bool law = hook->op.kind == SB_OP_LAW && hook->input_count == 1;
  sb_loop_failure failure = {.kind = SB_LOOP_SEVERAL,
                             .instance = hook->op.instance,
                             .output = law ? 0 : n->outputs[k] + 1,
                             .count = s->known};
  for (int i = 0; i < s->known && i < 3; i++) {
    int place = i;
    double terms, value = law ? sb_newton_input(n, hook->first_input, s->y[i], &terms) : s->y[i][k];
    for (; place > 0 && failure.at[place - 1] > value; place--) {
      failure.at[place] = failure.at[place - 1];
    }
    failure.at[place] = value;
  }
  return sb_newton_fail(n, failure);
}

bool sb_multiplicity_find(const sb_newton *n, double y[]) {
  sb_newton own = *n;
  sb_solution_search s;
  look(&s, &own, y, false);
  if (s.known > 1) {
    return refuse(&s);
  }
  if (s.known == 1) {
    memcpy(y, s.y[0], (size_t)n->m * sizeof *y);
  }
  return s.known == 1;
}

/** Whether y solves the loop. On branches that are held beyond the kinks of others, which are about to follow, it need not. */
static bool solves(const sb_newton *n, const double from[]) {
  sb_newton own = *n;
  sb_newton_point p = sb_newton_point_take(&own);
  double *y = sb_newton_vector(&own);
  memcpy(y, from, (size_t)n->m * sizeof *y);
  bool all = sb_newton_at(&own, y, &p) == 0;
  if (all) {
    sb_newton_fill(&own, &p);
    all = sb_newton_below(sb_newton_solved, &p, n->m);
  }
  return all;
}

bool sb_multiplicity_single(const sb_newton *n, const double y[]) {
  bool laws = true, shared;
  for (int h = 0; h < n->loop->count; h++) {
    laws = laws && n->hooks[h].op.kind == SB_OP_LAW;
  }
  bool regular = sb_newton_regular(n, y, &shared);
  if (!regular && !laws) { // a gain of 1; a law may be as steep as it wants
    return sb_newton_fail(
        n, (sb_loop_failure){.kind = SB_LOOP_UNDETERMINED, .instance = n->hooks[0].op.instance});
  }
  sb_newton own = *n;
  sb_solution_search s;
  bool one = shared || sb_newton_affine(n) || sb_newton_rises(n);
  if (!one) {
    look(&s, &own, y, solves(n, y));
  }
  return one || s.known <= 1 || refuse(&s);
}

bool sb_loop_single(sb_workspace *work, double t, const double x[]) {
  bool single = true;
  for (int i = 0; i < work->program->loop_count && single; i++) {
    sb_newton n = sb_newton_begin(work, i, t, x);
    double *y = sb_newton_vector(&n);
    for (int k = 0; k < n.m; k++) {
      y[k] = work->values[n.outputs[k]];
    }
    single = sb_multiplicity_single(&n, y);
    sb_newton_leave(&n, y);
  }
  return single;
}
