// SPDX-License-Identifier: GPL-3.0-or-later
// How many solutions a loop y = hooks(b + A y) has. Laws that rise meet a passive network once; a law that
// falls somewhere, such as a tunnel diode's, or a signal that is fed back, may meet it more than once. Which
// of these holds then depends on what the model leaves out, and so none is chosen.
//
// Hooks that are affine have one solution, or leave it undetermined. Else, where one output z, the tearing
// variable (Kron, "Diakoptics", 1963), lets all hooks be run one after the other, z - g(z), the residual
// equation of what comes back, is sampled, and its sign changes are bisected. Where one is not enough,
// Newton's method starts from a fixed set of places. What is found is solved to rounding before it counts;
// what lies between the samples stays unseen.
#include <math.h>
#include <string.h>

#include "core/loop/loop.h"
#include "core/loop/newton_private.h"

/** Samples of a decade; decades below the scale, and above it, and those where nothing tells the scale; half the
 *  samples between the bounds of g. */
enum { PER_DECADE = 6, DECADES_BELOW = 9, DECADES_ABOVE = 6, DECADES_MOST = 24, EVEN = 100 };
/** Starts of Newton's method; halvings of an interval, to rounding; solutions that are told apart. */
enum { STARTS = 48, BISECTIONS = 60, SOLUTIONS_MAX = 8 };
/** Hooks are affine if second differences are below this fraction of their terms; and a sign change whose
 *  residuals stay above this fraction of those around it is a jump. */
static const double linear = 1e-9;
/** Solutions that differ by less than this fraction are one. */
static const double same = 1e-6;
/** g(z) below this fraction of z is far below: g has a bound there. */
static const double far_below = 0.1;

typedef struct search {
  const sb_newton *n;
  double *y[SOLUTIONS_MAX]; // (m) the solutions known
  int known;
  double *start, *scale;            // (m) around which is searched, of the outputs
  double *here, *sample, *narrowed; // (m) scratch of a scan, of a sample, and of a bisection
  int cut;                          // the tearing variable; -1: none is enough
  int order[SB_LOOP_MAX];           // of the hooks, the one that gives it at last
  bool rests;                       // nothing tells the scale
  double range;                     // up to where g(z) is not far below z
  double last_z, last_gap;          // the sample before
} search;

/** Whether a hook reads an output of another, or of itself, but the one that is cut. A hook that gives back
 *  what comes from a modulated structure follows the one that leads there, whose signals it may read. */
static bool reads(const sb_newton *n, int reader, int maker, int cut) {
  const sb_loop_hook *to = &n->hooks[reader], *from = &n->hooks[maker];
  bool any = to->op.kind == SB_OP_ADJOINT && from->op.kind == SB_OP_FORWARD &&
             to->op.instance == from->op.instance;
  for (int i = to->first_input; i < to->first_input + to->input_count && !any; i++) {
    const sb_loop_term *terms = n->terms + n->rows[i].first;
    for (int j = 0; j < n->rows[i].count; j++) {
      const int own = terms[j].column - from->first_output;
      any = any || (own >= 0 && own < from->output_count && terms[j].column != cut);
    }
  }
  return any;
}

/** Whether one output, once known, lets all hooks be run one after the other. */
static bool put_in_order(search *s, int cut) {
  const sb_newton *n = s->n;
  bool done[SB_LOOP_MAX] = {false};
  int count = 0, all = n->loop->count;
  for (int before = -1; before < count;) {
    before = count;
    for (int h = 0; h < all; h++) {
      bool ready = !done[h];
      for (int g = 0; g < all && ready; g++) {
        ready = done[g] || !reads(n, h, g, cut);
      }
      if (ready) {
        done[h] = true;
        s->order[count++] = h;
      }
    }
  }
  return count == all;
}

static bool has_conditions(const sb_newton *n) { // by which multipliers are found
  bool any = false;
  for (int h = 0; h < n->loop->count; h++) {
    any = any || sb_newton_is_condition(&n->hooks[h]);
  }
  return any;
}

static void choose_tearing_variable(search *s) {
  s->cut = has_conditions(s->n) ? -1 : s->n->m - 1;
  while (s->cut >= 0 && !put_in_order(s, s->cut)) {
    s->cut--;
  }
}

/** z - g(z), with g what comes back for z; not-a-number where it has no value. @param y  out */
static double gap(const search *s, double z, double y[]) {
  const sb_newton *n = s->n;
  double g = NAN;
  memset(y, 0, (size_t)n->m * sizeof *y);
  y[s->cut] = z;
  for (int i = 0; i < n->loop->count; i++) {
    const sb_loop_hook *hook = &n->hooks[s->order[i]];
    if (!sb_newton_hook(n, s->order[i], y)) {
      return NAN;
    }
    if (hook->first_output <= s->cut && s->cut < hook->first_output + hook->output_count) {
      g = y[s->cut];
      y[s->cut] = z;
    }
  }
  return z - g;
}

/** Whether some hook reads what differs between two solutions, by more than rounding of the scale. */
static bool differ(const search *s, const double a[], const double b[]) {
  const sb_newton *n = s->n;
  bool any = false;
  for (int i = 0; i < n->loop->input_count; i++) {
    double size_a, size_b, scale, off = sb_newton_input(n, i, a, &size_a);
    off -= sb_newton_input(n, i, b, &size_b);
    (void)sb_newton_input(n, i, s->scale, &scale);
    any = any || fabs(off) > same * fmax(size_a, size_b) + linear * scale;
  }
  return any;
}

/** Notes what Newton's method finds from y, if it is another solution than those known. */
static void note(search *s, const double y[]) {
  double *next = s->y[s->known];
  memcpy(next, y, (size_t)s->n->m * sizeof *next);
  bool other = s->known < SOLUTIONS_MAX - 1 && sb_newton_solve(s->n, next, false);
  for (int i = 0; i < s->known && other; i++) {
    other = differ(s, next, s->y[i]);
  }
  s->known += other;
}

/** The sign change between two samples, if it is not a jump or a pole. */
static void close_in(search *s, double low, double high, double gap_low, double gap_high) {
  double *y = s->narrowed, around = fabs(gap_low) + fabs(gap_high);
  for (int i = 0; i < BISECTIONS; i++) {
    double middle = 0.5 * (low + high), g = gap(s, middle, y);
    if (!isfinite(g)) {
      return;
    }
    bool left = (g < 0) == (gap_low < 0);
    *(left ? &low : &high) = middle;
    *(left ? &gap_low : &gap_high) = g;
  }
  if (fabs(gap_low) + fabs(gap_high) <= linear * around) {
    (void)gap(s, low, y);
    note(s, y);
  }
}

static void visit(search *s, double z) {
  double g = gap(s, z, s->sample), came = fabs(z - g);
  if (isfinite(g) && isfinite(s->last_gap) && (g < 0) != (s->last_gap < 0)) {
    close_in(s, s->last_z, z, s->last_gap, g);
  }
  if (isfinite(g) && came >= far_below * fabs(z)) {
    s->range = fmax(s->range, fmin(came, fabs(z) / far_below));
  }
  s->last_z = z;
  s->last_gap = g;
}

/** Samples on both sides of a middle, over decades below `size` and above it. */
static void visit_decades(search *s, double middle, double size, int above) {
  int below = s->rests ? DECADES_MOST : DECADES_BELOW;
  s->last_gap = NAN;
  for (int i = above * PER_DECADE; i >= -below * PER_DECADE; i--) {
    visit(s, middle - size * pow(10, (double)i / PER_DECADE));
  }
  for (int i = -below * PER_DECADE; i <= above * PER_DECADE; i++) {
    visit(s, middle + size * pow(10, (double)i / PER_DECADE));
  }
}

/** Samples over decades; then evenly, as far as g reaches, for z = g(z) is no larger; then around what is
 *  known. */
static void scan(search *s) {
  double z = s->start[s->cut], scale = s->scale[s->cut];
  if (gap(s, 0, s->here) == 0) {
    note(s, s->here);
  }
  visit_decades(s, 0, scale, DECADES_MOST); // a loop may rest at next to nothing
  bool bounded = s->range < far_below * scale * pow(10, DECADES_MOST - 1);
  double range = bounded ? fmax(s->range, 2 * fabs(z)) : scale / far_below;
  s->last_gap = NAN;
  for (int i = -EVEN; i <= EVEN; i++) {
    visit(s, range * i / EVEN);
  }
  visit_decades(s, z, fmax(scale, 0.5 * range), 0);
}

/** A number from -1 to 1, evenly spread over i for every k of m (additive recurrence). */
static double spread(int i, int k, int m) {
  double fraction = (i + 1) * pow(2, (k + 1.0) / (m + 1));
  return 2 * (fraction - floor(fraction)) - 1;
}

/** Newton's method from places around zero and around the start, up to some hundred times the scale; some
 *  of them brought nearer to solutions that attract, such as those of a latch. */
static void start_all_over(search *s) {
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
      note(s, y);
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
  if (has_conditions(n) && sb_newton_at(&own, y, &p) == 0) {
    (void)sb_newton_factor(&own, &p, NULL);
    memcpy(terms, p.noise, (size_t)n->m * sizeof *terms);
  }
}

/** Whether the residual r is affine, r(y + d) - r(y) = (r(y) - r(y - 2 d))/2, around the start over
 *  decades. One step is twice the other, as odd functions would pass for affine. */
static bool is_affine(const search *s) {
  sb_newton own = *s->n;
  const sb_newton *n = &own;
  double *r[3], *size[3], *y = sb_newton_vector(&own), *inner = sb_newton_vector(&own);
  for (int p = 0; p < 3; p++) {
    r[p] = sb_newton_vector(&own);
    size[p] = sb_newton_vector(&own);
  }
  int decades = s->rests ? DECADES_MOST : DECADES_ABOVE;
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
      if (fabs(3 * r[0][k] - 2 * r[1][k] - r[2][k]) > linear * terms) {
        return false;
      }
    }
  }
  return true;
}

/** The scales of the outputs: their values, or what the hooks give where nothing is fed back; at rest neither tells
 *  them, and any number will do, from which far is looked. */
static void find_scales(search *s) {
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
static void look(search *s, sb_newton *own, const double y[], bool solved) {
  const sb_newton *n = own;
  *s = (search){.n = n, .known = solved};
  for (int i = 0; i < SOLUTIONS_MAX; i++) {
    s->y[i] = sb_newton_vector(own);
  }
  double **vectors[] = {&s->start, &s->scale, &s->here, &s->sample, &s->narrowed};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
    *vectors[i] = sb_newton_vector(own);
  }
  memcpy(s->start, y, (size_t)n->m * sizeof *y);
  memcpy(s->y[0], y, (size_t)n->m * sizeof *y);
  find_scales(s);
  if (solved && is_affine(s)) {
    return;
  }
  choose_tearing_variable(s);
  if (s->cut >= 0) {
    scan(s);
  } else {
    start_all_over(s);
  }
}

/** The hook whose output tells solutions apart: a signal if there is one, else the tearing variable. */
static const sb_loop_hook *telling(const search *s, int *output) {
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
static bool refuse(const search *s) {
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
  search s;
  look(&s, &own, y, false);
  if (s.known > 1) {
    return refuse(&s);
  }
  if (s.known == 1) {
    memcpy(y, s.y[0], (size_t)n->m * sizeof *y);
  }
  return s.known == 1;
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
  search s;
  bool one = shared || sb_newton_affine(n); // linear
  if (!one) {
    look(&s, &own, y, true);
  }
  return one || s.known == 1 || refuse(&s);
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
