// SPDX-License-Identifier: GPL-3.0-or-later
// What the residuals of a loop of contact forces are judged by: what each is the difference of, and what that is made of in turn, from hook
// to hook. At rest all are rounding of cancelled terms.
#include <math.h>
#include <string.h>

#include "core/loop/newton_private.h"

/** Rounding is followed through the loop until it grows by less than this fraction. */
static const double followed = 0.01;

/** What a hook gives is rounding of the largest that it gives: it computes all from the same vectors. */
static void size_hooks(const sb_newton *n, const sb_newton_point *p, double size[]) {
  for (int h = 0; h < n->loop->count; h++) {
    const sb_loop_hook *hook = &n->hooks[h];
    double largest = 0;
    for (int k = hook->first_output; k < hook->first_output + hook->output_count; k++) {
      largest = fmax(largest, p->size[k]);
    }
    for (int k = hook->first_output; k < hook->first_output + hook->output_count; k++) {
      size[k] = largest;
    }
  }
}

/** A size, and those of what the output reads. */
static double spread_of(const sb_newton_rows *rows, int output, const double size[],
                        const double spread[]) {
  double sum = size[output];
  for (int e = rows->first[output]; e < rows->end[output]; e++) {
    const int column = rows->columns[e];
    sum += column == output ? 0 : fabs(rows->entries[e]) * spread[column];
  }
  return sum;
}

// A multiplier is what it is given as: what it is made of is none of the rounding of what reads it. Followed through it, sizes of one unit would count
// in another, round and round the loop.
void sb_newton_spread(const sb_newton *n, const sb_newton_point *p, double spread[]) {
  sb_newton own = *n;
  double *size = sb_newton_vector(&own);
  bool grows = true;
  size_hooks(n, p, size);
  memset(spread, 0, (size_t)n->m * sizeof *spread);
  for (int pass = 0; grows && pass <= n->loop->count; pass++) {
    grows = false;
    for (int h = 0; h < n->loop->count; h++) {
      const sb_loop_hook *hook = &n->hooks[h];
      for (int k = hook->first_output;
           k < hook->first_output + hook->output_count && !sb_newton_is_condition(hook); k++) {
        const double sum = spread_of(&p->rows, k, size, spread);
        grows = grows || sum > (1 + followed) * spread[k];
        spread[k] = sum;
      }
    }
  }
  for (int h = 0; h < n->loop->count; h++) {
    const int k = n->hooks[h].first_output;
    if (sb_newton_is_condition(&n->hooks[h])) {
      size[k] = spread_of(&p->rows, k, size, spread);
    }
  }
  for (int h = 0; h < n->loop->count; h++) {
    const int k = n->hooks[h].first_output;
    spread[k] = sb_newton_is_condition(&n->hooks[h]) ? size[k] : spread[k];
  }
}
