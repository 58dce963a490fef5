// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/integrator/norm_private.h"

#include "core/base/wide.h"

static const double not_finite = 1e30;

/** The largest of w_i |e_i|. */
SB_INLINE double largest_of(const double *restrict e, const double *restrict w, int n) {
  double largest[4] = {0, 0, 0, 0}, poison[4] = {0, 0, 0, 0};
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    SB_LANES
    for (int k = 0; k < 4; k++) {
      double size = fabs(e[i + k] * w[i + k]);
      largest[k] = size > largest[k] ? size : largest[k];
      poison[k] += 0 * size;
    }
  }
  for (; i < n; i++) {
    double size = fabs(e[i] * w[i]);
    largest[0] = size > largest[0] ? size : largest[0];
    poison[0] += 0 * size;
  }
  if (!(poison[0] + poison[1] + (poison[2] + poison[3]) == 0)) {
    return not_finite;
  }
  return sb_larger(sb_larger(largest[0], largest[1]), sb_larger(largest[2], largest[3]));
}

/** The longest vector is that of the largest square, so that one root is taken. */
SB_WIDE static double norm_of(const double e[], const double w[], int n,
                              const sb_state_vector vectors[], int vector_count) {
  double largest = 0, square = 0, poison = 0;
  int done = 0;
  for (int v = 0; v < vector_count; v++) {
    const int first = vectors[v].first, count = vectors[v].count;
    if (first > done) {
      largest = sb_larger(largest, largest_of(e + done, w + done, first - done));
    }
    const double own = sb_weighted_square(e + first, w + first, count);
    square = sb_larger(square, own);
    poison += 0 * own;
    done = first + count;
  }
  largest = sb_larger(largest, poison == 0 ? sqrt(square) : not_finite);
  return sb_larger(largest, largest_of(e + done, w + done, n - done));
}

double sb_norm(const double e[], const double w[], int n, const sb_state_vectors *vectors) {
  return norm_of(e, w, n, vectors == NULL ? NULL : vectors->items,
                 vectors == NULL ? 0 : vectors->count);
}
