// SPDX-License-Identifier: GPL-3.0-or-later
// Further solutions of a loop y = hooks(b + A y) that goes through signals, modulated structures or laws
// that change: whether some other y solves it than the one found. Hooks that are affine at the time have
// one. Else the loop is torn (tears.c): where one number z, once guessed, lets all hooks be run one after
// the other, what comes back for it is g(z), and all sign changes of z - g(z) are looked at: over decades
// around zero, over what g reaches, and over decades around the solution. Where one number is not enough,
// Newton's method starts from many places. What is found is solved to rounding before it counts; what lies
// between the samples stays unseen.
//
// A search costs as much as many solutions. It is made where the loop has moved, as long as searches have
// cost a given number of evaluations and a small part of all others.
#include <math.h>
#include <string.h>

#include "core/loop/tears_private.h"

/** Samples of a decade; decades below the scale and above it, in any case up to a power of ten; half the
 *  samples of the even fraction; decades around the solution, below the scale. After the first search there
 *  are fewer samples, each time at other places. */
enum {
  PER_DECADE = 6,
  DECADES_BELOW = 9,
  DECADES_ABOVE = 6,
  POWER_LEAST = 6,
  DECADES_MOST = 24,
  EVEN = 100,
  DECADES_NEAR = 6,
  FEWER = 3
};
enum { BISECTIONS = 60, STARTS = 48, ROUNDS = 4, AFFINE_DECADES = 6, SOLUTIONS_MAX = 8 };
/** Evaluations that searches may take anyhow; solutions of the loop for one more; solutions after which one
 *  is due where nothing moved. A search takes some 150. */
enum { ALLOWANCE = 45000, PER_EVALUATION = 10, IDLE = 64 };
/** Evaluations that a solution by Newton's method counts as. */
enum { NEWTON_COST = 20 };
/** Searches whose starts differ. */
enum { NUMBERS = 10000 };
/** A loop has moved if something in it did by this part of its largest value. */
static const double moved_part = 0.01;
/** Hooks are affine if second differences are below this part of what they are taken of. */
static const double affine_tol = 1e-9;
/** Solutions that differ by less than this part are one; and by less than this part of the scale. */
static const double same_tol = 1e-6, same_part = 1e-9;
/** A sign change with residuals left above this part of those around it is a jump. */
static const double jump_part = 1e-9;
/** g(z) below this part of z is far below. */
static const double near_part = 0.1;
/** How far the even samples go, as a multiple of the scale, where g has no bound. */
static const double reach = 8;

typedef struct search {
  const sb_newton *n;
  sb_tearing tearing;
  double scale[SB_LOOP_MAX];            // of the outputs
  double start[SB_LOOP_MAX];            // the solution that is known, or where to start
  double z, z_scale;                    // of it
  double last_z, last_gap;              // the sample before
  double range;                         // up to where g(z) is not far below z
  int number;                           // of the search
  int step;                             // of so many samples one is taken,
  double shift;                         // this part of a step off
  double y[SOLUTIONS_MAX][SB_LOOP_MAX]; // the solution that is known, and others
  int known;
  long cost;
} search;

/** hooks(b + A y) */
static bool image(search *s, const double y[], double out[]) {
  bool finite = true;
  s->cost++;
  for (int h = 0; h < s->n->loop->count && finite; h++) {
    finite = sb_tearing_run(&s->tearing, h, y, -1, 0, out);
  }
  return finite;
}

/** z - g(z) */
static double gap(search *s, double z) {
  double y[SB_LOOP_MAX];
  s->cost++;
  return z - sb_tearing_return(&s->tearing, z, y);
}

static bool apart(double a, double b, double scale) {
  return fabs(a - b) > same_tol * fmax(fabs(a), fabs(b)) + same_part * scale;
}

/** Whether what is guessed differs between two solutions. */
static bool torn_apart(const search *s, const double a[], const double b[]) {
  if (s->tearing.hook >= 0) {
    return apart(sb_tearing_value(&s->tearing, a), sb_tearing_value(&s->tearing, b), s->z_scale);
  }
  bool any = false;
  for (int k = 0; k < s->n->m; k++) {
    any = any || (sb_tearing_guesses(&s->tearing, k) && apart(a[k], b[k], s->scale[k]));
  }
  return any;
}

/** Whether some hook reads what differs, by more than a part of what it is summed up from. */
static bool read_apart(const search *s, const double a[], const double b[]) {
  const sb_newton *n = s->n;
  for (int i = 0; i < n->loop->input_count; i++) {
    double off = 0, terms = fabs(n->b[i]);
    for (int k = 0; k < n->m; k++) {
      double factor = n->a[i * n->m + k];
      off += factor * (a[k] - b[k]);
      terms += fabs(factor) * fmax(fabs(a[k]), fabs(b[k]));
    }
    if (fabs(off) > same_tol * terms) {
      return true;
    }
  }
  return false;
}

/** Notes what Newton's method finds from y, if it is another solution than those known. */
static void note(search *s, const double y[]) {
  double u[SB_LOOP_INPUTS_MAX], *next = s->y[s->known];
  s->cost += NEWTON_COST;
  memcpy(next, y, (size_t)s->n->m * sizeof *next);
  bool other = s->known < SOLUTIONS_MAX - 1 && sb_newton_solve(s->n, next, u);
  for (int i = 0; i < s->known && other; i++) {
    other = torn_apart(s, next, s->y[i]) && read_apart(s, next, s->y[i]);
  }
  s->known += other;
}

/** The sign change between two samples, if it is not known and not a jump. */
static void close_in(search *s, double low, double high, double gap_low, double gap_high) {
  double y[SB_LOOP_MAX], around = fabs(gap_low) + fabs(gap_high);
  bool known = false;
  for (int i = 0; i < BISECTIONS; i++) {
    double middle = 0.5 * (low + high), g = gap(s, middle);
    if (!isfinite(g)) {
      return; // it has a pole
    }
    bool left = (g < 0) == (gap_low < 0);
    *(left ? &low : &high) = middle;
    *(left ? &gap_low : &gap_high) = g;
  }
  for (int i = 0; i < s->known; i++) {
    known = known || !apart(low, sb_tearing_value(&s->tearing, s->y[i]), s->z_scale);
  }
  if (!known && fabs(gap_low) + fabs(gap_high) <= jump_part * around) {
    (void)sb_tearing_return(&s->tearing, low, y);
    note(s, y);
  }
}

static void visit(search *s, double z) {
  double g = gap(s, z), came = fabs(z - g);
  if (isfinite(g) && isfinite(s->last_gap) && (g < 0) != (s->last_gap < 0)) {
    close_in(s, s->last_z, z, s->last_gap, g);
  }
  if (isfinite(g) && came >= near_part * fabs(z)) {
    s->range = fmax(s->range, fmin(came, fabs(z) / near_part));
  }
  s->last_z = z;
  s->last_gap = g;
}

/** Samples on both sides of a middle, over decades below `size` and above it. */
static void visit_decades(search *s, double middle, double size, int below, int above) {
  int first = -below * PER_DECADE, last = above * PER_DECADE;
  s->last_gap = NAN;
  for (int side = -1; side <= 1; side += 2) {
    for (int i = first; i <= last; i += s->step) {
      double place = side < 0 ? last - (i - first) : i;
      double far = pow(10, (place + s->shift * s->step) / PER_DECADE);
      visit(s, middle + side * size * far);
    }
  }
}

/** The scale of z: its value, or what comes back for zero; if both are zero, for one. */
static void find_scale(search *s) {
  double y[SB_LOOP_MAX], zero = fabs(sb_tearing_return(&s->tearing, 0, y)),
                         one = fabs(sb_tearing_return(&s->tearing, 1, y));
  s->z_scale = fmax(fabs(s->z), isfinite(zero) ? zero : 0);
  if (!(s->z_scale > 0)) {
    s->z_scale = isfinite(one) && one > 0 ? fmin(one, 1) : 1;
  }
}

/** Samples over decades; then evenly, as far as g reaches, for z = g(z) is no larger; then around what is
 *  known. */
static void scan(search *s) {
  find_scale(s);
  int above = POWER_LEAST - (int)floor(log10(s->z_scale)); // a loop may rest at next to nothing
  above = above < DECADES_ABOVE ? DECADES_ABOVE : above > DECADES_MOST ? DECADES_MOST : above;
  visit_decades(s, 0, s->z_scale, DECADES_BELOW, above);
  bool bounded = s->range < near_part * s->z_scale * pow(10, above - 1);
  double range = bounded ? fmax(s->range, 2 * fabs(s->z)) : reach * s->z_scale;
  s->last_gap = NAN;
  for (int i = -EVEN; i <= EVEN; i += s->step) {
    visit(s, range * (i + s->shift * s->step) / EVEN);
  }
  visit_decades(s, s->z, fmax(s->z_scale, 0.5 * range), DECADES_NEAR, 0);
}

/** Multiples of it, without their whole parts, are spread evenly. */
static const double golden = 0.6180339887498949;

/** A number from -1 to 1, evenly spread over i for every k (additive recurrence by roots of primes). */
static double spread(int i, int k) {
  static const double roots[] = {0.41421356237309515, 0.7320508075688772,  0.2360679774997898,
                                 0.6457513110645907,  0.31662479035539981, 0.6055512754639891,
                                 0.12310562561766059, 0.35889894354067355};
  int count = sizeof roots / sizeof *roots;
  double fraction = (i + 1) * roots[k % count] + 0.37 * k;
  return 2 * (fraction - floor(fraction)) - 1;
}

/** Newton's method from guesses around zero and around the solution, up to some hundred times the scale. */
static void start_all_over(search *s) {
  const sb_newton *n = s->n;
  for (int i = 0; i < STARTS / s->step && s->known < 3; i++) {
    double y[SB_LOOP_MAX];
    for (int k = 0; k < n->m; k++) {
      double fraction = spread(STARTS * s->number + i, k),
             far = s->scale[k] * (pow(10, 3 * fabs(fraction)) - 1) / 9;
      y[k] = (i % 2 == 0 ? 0 : s->start[k]) + (fraction < 0 ? -far : far);
    }
    s->cost++;
    bool finite = sb_tearing_propagate(&s->tearing, y);
    for (int round = 0; round < i % ROUNDS && finite; round++) {
      finite = image(s, y, y); // towards solutions that attract, such as those of a latch
    }
    if (finite) {
      note(s, y);
    }
  }
}

/** Whether the hooks are affine, g(y + d) - g(y) = (g(y) - g(y - 2 d))/2, around the solution over decades.
 *  One step is twice the other, as odd functions would pass for affine. */
static bool are_affine(search *s) {
  const sb_newton *n = s->n;
  double up[SB_LOOP_MAX] = {0}, down[SB_LOOP_MAX] = {0}, at[SB_LOOP_MAX];
  double middle[SB_LOOP_MAX] = {0};
  if (!image(s, s->start, middle)) {
    return false;
  }
  for (int i = -AFFINE_DECADES; i <= AFFINE_DECADES; i++) {
    for (int times = -2; times <= 1; times += 3) {
      for (int k = 0; k < n->m; k++) {
        double step = s->scale[k] * pow(10, i) * (spread(i + AFFINE_DECADES, k) < 0 ? -1 : 1);
        at[k] = s->start[k] + (s->tearing.feeds[k] ? times * step : 0);
      }
      if (!image(s, at, times < 0 ? down : up)) {
        return false;
      }
    }
    for (int k = 0; k < n->m; k++) {
      double size = 2 * fabs(up[k]) + fabs(down[k]) + 3 * fabs(middle[k]);
      if (s->tearing.feeds[k] && fabs(2 * up[k] + down[k] - 3 * middle[k]) > affine_tol * size) {
        return false;
      }
    }
  }
  return true;
}

/** The scales of the outputs: their values, or what the hooks give where nothing is fed back. */
static void find_scales(search *s) {
  double zero[SB_LOOP_MAX] = {0}, out[SB_LOOP_MAX] = {0};
  bool finite = image(s, zero, out);
  for (int k = 0; k < s->n->m; k++) {
    s->scale[k] = fmax(fabs(s->start[k]), finite ? fabs(out[k]) : 0);
    s->scale[k] = s->scale[k] > 0 ? s->scale[k] : 1;
  }
}

/** Leaves all solutions that can be found in s->y.
 *  @param solved  whether y is one  @param before  how many searches there were */
static void look(search *s, const sb_newton *n, const double y[], bool solved, long before) {
  double fraction = (double)before * golden;
  *s = (search){.n = n,
                .known = solved,
                .number = (int)(before % NUMBERS),
                .step = before > 0 ? FEWER : 1,
                .shift = fraction - floor(fraction)};
  memcpy(s->start, y, (size_t)n->m * sizeof *y);
  memcpy(s->y[0], y, (size_t)n->m * sizeof *y);
  sb_tearing_find(&s->tearing, n);
  find_scales(s);
  if (solved && are_affine(s)) {
    return;
  }
  if (s->tearing.hook >= 0) {
    s->z = sb_tearing_value(&s->tearing, y);
    scan(s);
  } else {
    start_all_over(s);
  }
}

/** Whether a search is due: at the first solution and where one was lost, then where the loop has moved,
 *  within what searches may cost. `met`: what came from outside, and the outputs, at the last search; then
 *  the largest so far. */
static bool is_due(const sb_newton *n, sb_search_cache *seen, const double y[]) {
  int inputs = n->loop->input_count, count = inputs + n->m;
  double *met = n->work->met + 2 * (n->loop->first_input + n->loop->first_output);
  bool first = seen->solved == 0 || seen->lost;
  bool moved = first || seen->solved - seen->last >= IDLE;
  seen->solved++;
  for (int i = 0; i < count; i++) {
    double now = i < inputs ? n->b[i] : y[i - inputs], *most = &met[count + i];
    *most = fmax(*most, fabs(now));
    moved = moved || fabs(now - met[i]) > moved_part * *most;
  }
  if (!moved || (!first && seen->spent > ALLOWANCE + seen->solved / PER_EVALUATION)) {
    return false;
  }
  memcpy(met, n->b, (size_t)inputs * sizeof *met);
  memcpy(met + inputs, y, (size_t)n->m * sizeof *met);
  seen->last = seen->solved;
  return true;
}

/** The output that tells solutions apart: a signal if there is one, else that which was guessed. */
static int telling_output(const search *s) {
  const sb_newton *n = s->n;
  int best = -1, rank = 0;
  for (int h = 0; h < n->loop->count; h++) {
    const sb_loop_hook *hook = &n->hooks[h];
    for (int k = hook->first_output; k < hook->first_output + hook->output_count; k++) {
      int own = hook->op.kind == SB_OP_SIGNAL ? 3 : k == s->tearing.output ? 2 : 1;
      if (own > rank && apart(s->y[0][k], s->y[1][k], 0)) {
        best = k;
        rank = own;
      }
    }
  }
  return best < 0 ? 0 : best;
}

static bool refuse(const search *s) {
  const sb_newton *n = s->n;
  int k = telling_output(s);
  sb_loop_failure failure = {.kind = SB_LOOP_SEVERAL,
                             .instance = n->hooks[sb_newton_hook_of(n, k)].op.instance,
                             .output = n->outputs[k] + 1,
                             .loop = n->index,
                             .t = n->t,
                             .count = s->known};
  for (int i = 0; i < s->known && i < 3; i++) {
    int place = i;
    for (; place > 0 && failure.at[place - 1] > s->y[i][k]; place--) {
      failure.at[place] = failure.at[place - 1];
    }
    failure.at[place] = s->y[i][k];
  }
  n->work->failure = failure;
  return false;
}

/** Whether a loop is of ties and of what their forces pass through, which is linear in these; with a law
 *  or a function of the forces it need not be. */
static bool is_of_constraints(const sb_newton *n) {
  bool constraints = false;
  for (int h = 0; h < n->loop->count; h++) {
    sb_operation_kind kind = n->hooks[h].op.kind;
    constraints = constraints || kind == SB_OP_MULTIPLIER;
    if (kind == SB_OP_LAW || kind == SB_OP_SIGNAL || kind == SB_OP_VALUE) {
      return false;
    }
  }
  return constraints;
}

bool sb_search_single(const sb_newton *n, const double y[]) {
  sb_search_cache *seen = &n->work->search_cache[n->index];
  if (is_of_constraints(n) || !is_due(n, seen, y)) {
    return true;
  }
  search s;
  look(&s, n, y, true, seen->lost ? 0 : seen->searches);
  seen->searches++;
  seen->spent += s.cost;
  seen->lost = s.known > 1; // it is refused again until the others are gone
  return s.known == 1 || refuse(&s);
}

bool sb_search_find(const sb_newton *n, double y[], double u[]) {
  search s;
  look(&s, n, y, false, 0);
  if (s.known > 1) {
    return refuse(&s);
  }
  memcpy(y, s.y[0], (size_t)n->m * sizeof *y);
  return s.known == 1 && sb_newton_solve(n, y, u);
}
