// SPDX-License-Identifier: GPL-3.0-or-later
// Multipliers of conditions that may state one thing twice, as feet of one body: J is singular in their multipliers l, and
// only what these do together is determined. The other outputs are eliminated first,
//   (J_ee J_el; J_ce J_cl),   S = J_cl - J_ce J_ee^-1 J_el,
// and of all l that solve S l = h that is taken which differs least from the reference of the loop, with S scaled to a
// diagonal of 1, so that units do not matter.
#include <math.h>

#include "core/linalg/dense.h"
#include "core/loop/newton_private.h"

/** What others leave of a row of S below this fraction, as slopes by differences tell it, is implied by them. */
static const double implied = 1e-8;
static const double small = 1e-3;
/** Rounding is followed through the loop until it grows by less than this fraction. */
static const double followed = 0.01;

/** The outputs of a loop, those of conditions last. @return how many are of none */
static int list_conditions_last(const sb_newton *n, int place[]) {
  int next = 0, own = 0;
  for (int pass = 0; pass < 2; pass++) {
    for (int h = 0; h < n->loop->count; h++) {
      const sb_loop_hook *hook = &n->hooks[h];
      for (int k = 0; sb_newton_is_condition(hook) == (pass == 1) && k < hook->output_count; k++) {
        place[next++] = hook->first_output + k;
      }
    }
    own = pass == 0 ? next : own;
  }
  return own;
}

static void swap_rows(double a[], double b[], int m, int i, int k) {
  double swap = b[i];
  b[i] = b[k];
  b[k] = swap;
  for (int j = 0; j < m; j++) {
    swap = a[i * m + j];
    a[i * m + j] = a[k * m + j];
    a[k * m + j] = swap;
  }
}

/** Eliminates the first `own` unknowns of a (m x m) and b by pivots in the first `own` rows: those on the diagonal, which are 1
 *  where no hook feeds itself through others, unless they are small. */
static void eliminate(double a[], double b[], int m, int own) {
  for (int p = 0; p < own; p++) {
    int best = p;
    for (int i = p + 1; i < own; i++) {
      best = fabs(a[i * m + p]) > fabs(a[best * m + p]) ? i : best;
    }
    if (!(fabs(a[p * m + p]) >= small * fabs(a[best * m + p]))) {
      swap_rows(a, b, m, p, best);
    }
    for (int i = p + 1; i < m; i++) {
      double factor = a[i * m + p] / a[p * m + p];
      for (int k = p; factor != 0 && k < m; k++) {
        a[i * m + k] -= factor * a[p * m + k];
      }
      b[i] -= factor != 0 ? factor * b[p] : 0;
    }
  }
}

/** S l = h for the l next to the reference. @param a  (m x m) S in its last rows and columns  @param h  out: l
 *  @param scale, room  (m) scratch */
static void share(const double a[], int m, int own, const double reference[], double h[],
                  double scratch[], double scale[], double room[]) {
  int count = m - own, order[SB_LOOP_MAX];
  for (int i = 0; i < count; i++) {
    double diagonal = fabs(a[(own + i) * m + own + i]);
    scale[i] = diagonal > 0 ? 1 / sqrt(diagonal) : 1;
    for (int k = 0; k < count; k++) {
      h[i] -= a[(own + i) * m + own + k] * reference[k];
    }
  }
  for (int i = 0; i < count; i++) {
    h[i] *= scale[i];
    for (int k = 0; k < count; k++) {
      scratch[i * count + k] = scale[i] * a[(own + i) * m + own + k] * scale[k];
    }
  }
  (void)sb_solve_least_norm(scratch, h, count, count, implied, order, room);
  for (int i = 0; i < count; i++) {
    h[i] = reference[i] + scale[i] * h[i];
  }
}

void sb_newton_share(const sb_newton *n, const sb_newton_point *p, const double y[],
                     double next[]) {
  int m = n->m, place[SB_LOOP_MAX], own = list_conditions_last(n, place);
  sb_newton inner = *n;
  double *b = sb_newton_vector(&inner), *reference = sb_newton_vector(&inner), *a = n->lu;
  for (int i = 0; i < m; i++) { // J next = J y - r
    const double *row = n->matrix + place[i] * m;
    b[i] = -p->r[place[i]];
    for (int k = 0; k < m; k++) {
      a[i * m + k] = row[place[k]];
      b[i] += row[place[k]] * y[place[k]];
    }
  }
  for (int i = own; i < m; i++) {
    reference[i - own] = n->reference[place[i]];
  }
  eliminate(a, b, m, own);
  share(a, m, own, reference, b + own, n->lu + m * m, sb_newton_vector(&inner),
        sb_newton_vector(&inner));
  for (int i = own - 1; i >= 0; i--) {
    for (int k = i + 1; k < m; k++) {
      b[i] -= a[i * m + k] * b[k];
    }
    b[i] /= a[i * m + i];
  }
  for (int i = 0; i < m; i++) {
    next[place[i]] = b[i];
  }
}

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

void sb_newton_spread(const sb_newton *n, const sb_newton_point *p, double spread[]) {
  int m = n->m;
  sb_newton own = *n;
  double *size = sb_newton_vector(&own);
  bool grows = true;
  size_hooks(n, p, size);
  for (int k = 0; k < m; k++) {
    spread[k] = size[k];
  }
  for (int pass = 0; grows && pass < n->loop->count; pass++) {
    grows = false;
    for (int i = 0; i < m; i++) {
      const double *row = n->matrix + i * m;
      double sum = size[i];
      for (int k = 0; k < m; k++) {
        sum += fabs(row[k]) * spread[k];
      }
      sum -= fabs(row[i]) * spread[i];
      grows = grows || sum > (1 + followed) * spread[i];
      spread[i] = fmax(spread[i], sum);
    }
  }
}
