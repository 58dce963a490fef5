// SPDX-License-Identifier: GPL-3.0-or-later
// A loop along one output z, the tearing variable (Kron, "Diakoptics", 1963), that lets all hooks be run one after
// the other: z - g(z), the residual equation of what comes back, is sampled, and its sign changes are bisected.
// What lies between the samples stays unseen.
#include <math.h>
#include <string.h>

#include "core/loop/multiplicity_private.h"

/** Samples of a decade; decades below the scale; half the samples between the bounds of g. */
enum { PER_DECADE = 6, DECADES_BELOW = 9, EVEN = 100 };
enum { BISECTIONS = 60 }; // of an interval, to rounding
/** g(z) below this fraction of z is far below: g has a bound there. */
static const double far_below = 0.1;

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
static bool put_in_order(sb_solution_search *s, int cut) {
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

void sb_tearing_choose(sb_solution_search *s) {
  s->cut = sb_newton_has_conditions(s->n) ? -1 : s->n->m - 1;
  while (s->cut >= 0 && !put_in_order(s, s->cut)) {
    s->cut--;
  }
}

/** z - g(z), with g what comes back for z; not-a-number where it has no value. @param y  out */
static double gap(const sb_solution_search *s, double z, double y[]) {
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

/** The sign change between two samples, if it is not a jump or a pole. */
static void close_in(sb_solution_search *s, double low, double high, double gap_low,
                     double gap_high) {
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
  if (fabs(gap_low) + fabs(gap_high) <= sb_affine_rounding * around) {
    (void)gap(s, low, y);
    sb_solution_note(s, y);
  }
}

static void visit(sb_solution_search *s, double z) {
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
static void visit_decades(sb_solution_search *s, double middle, double size, int above) {
  int below = s->rests ? SB_DECADES_MOST : DECADES_BELOW;
  s->last_gap = NAN;
  for (int i = above * PER_DECADE; i >= -below * PER_DECADE; i--) {
    visit(s, middle - size * pow(10, (double)i / PER_DECADE));
  }
  for (int i = -below * PER_DECADE; i <= above * PER_DECADE; i++) {
    visit(s, middle + size * pow(10, (double)i / PER_DECADE));
  }
}

void sb_tearing_scan(sb_solution_search *s) {
  double z = s->start[s->cut], scale = s->scale[s->cut];
  if (gap(s, 0, s->here) == 0) {
    sb_solution_note(s, s->here);
  }
  visit_decades(s, 0, scale, SB_DECADES_MOST); // a loop may rest at next to nothing
  bool bounded = s->range < far_below * scale * pow(10, SB_DECADES_MOST - 1);
  double range = bounded ? fmax(s->range, 2 * fabs(z)) : scale / far_below;
  s->last_gap = NAN;
  for (int i = -EVEN; i <= EVEN; i++) {
    visit(s, range * i / EVEN);
  }
  visit_decades(s, z, fmax(scale, 0.5 * range), 0);
}
