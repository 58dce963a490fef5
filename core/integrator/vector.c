// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/integrator/vector.h"

#include <math.h>
#include <string.h>

#include "core/base/wide.h"
#include "core/integrator/norm_private.h"

static double *data(N_Vector v) {
  return NV_DATA_S(v);
}
static int length(N_Vector v) {
  return (int)NV_LENGTH_S(v);
}

SB_WIDE static void linear_sum(double a, N_Vector x, double b, N_Vector y, N_Vector z) {
  const double *px = data(x), *py = data(y);
  double *pz = data(z);
  for (int i = 0, n = length(z); i < n; i++) {
    pz[i] = a * px[i] + b * py[i];
  }
}

SB_WIDE static void scale(double c, N_Vector x, N_Vector z) {
  const double *px = data(x);
  double *pz = data(z);
  for (int i = 0, n = length(z); i < n; i++) {
    pz[i] = c * px[i];
  }
}

static void constant(double c, N_Vector z) {
  double *pz = data(z);
  for (int i = 0, n = length(z); i < n; i++) {
    pz[i] = c;
  }
}

/** Behind the numbers of a vector stands the address of what it is made of. It has to be found there, as a failure of
 *  our own memory in a clone would be one of SUNDIALS, which goes on with NULL. */
enum { BEHIND = 1 };
_Static_assert(sizeof(void *) <= BEHIND * sizeof(double), "an address is no longer than a double");

static double weighted_norm(N_Vector x, N_Vector w) {
  const sb_error_measure *m;
  memcpy(&m, data(x) + length(x), sizeof m);
  if (m == NULL) {
    return sb_norm(data(x), data(w), length(x), NULL);
  }
  const double *error = m->counted == NULL ? data(x) : m->counted(m->self, data(x), length(x));
  return sb_norm(error, data(w), length(x), m->vectors);
}

static double max_norm(N_Vector x) {
  const double *px = data(x);
  double largest = 0;
  for (int i = 0, n = length(x); i < n; i++) {
    largest = fabs(px[i]) > largest ? fabs(px[i]) : largest;
  }
  return largest;
}

/** z (+)= sum of up to four vectors, from `first` on, z from `from` on; z may be one of them. */
__attribute__((always_inline)) static inline void add_four(int count, const double c[],
                                                           N_Vector x[], double *z, int first,
                                                           int last, int from_z, int from) {
  const double *a = data(x[0]);
  const double *b = count > 1 ? data(x[1]) : a, *d = count > 2 ? data(x[2]) : a;
  const double *e = count > 3 ? data(x[3]) : a;
  double ca = c[0], cb = count > 1 ? c[1] : 0, cd = count > 2 ? c[2] : 0, ce = count > 3 ? c[3] : 0;
  if (count == 4) {
    for (int i = first; i < last; i++) {
      z[i - from] =
          (from_z ? z[i - from] : 0) + ((ca * a[i] + cb * b[i]) + (cd * d[i] + ce * e[i]));
    }
  } else if (count == 3) {
    for (int i = first; i < last; i++) {
      z[i - from] = (from_z ? z[i - from] : 0) + (ca * a[i] + cb * b[i] + cd * d[i]);
    }
  } else if (count == 2) {
    for (int i = first; i < last; i++) {
      z[i - from] = (from_z ? z[i - from] : 0) + (ca * a[i] + cb * b[i]);
    }
  } else {
    for (int i = first; i < last; i++) {
      z[i - from] = (from_z ? z[i - from] : 0) + ca * a[i];
    }
  }
}

enum { BLOCK = 1024 };

/** z = sum c[k] x[k], block by block so that z stays in the cache. ARKODE may pass z as x[0]. */
SB_WIDE static int linear_combination(int count, double *c, N_Vector *x, N_Vector z) {
  double *pz = data(z);
  int n = length(z);
  for (int first = 0; first < n; first += BLOCK) {
    int last = first + BLOCK < n ? first + BLOCK : n;
    for (int k = 0; k < count; k += 4) {
      add_four(count - k < 4 ? count - k : 4, c + k, x + k, pz, first, last, k > 0, 0);
    }
  }
  return 0;
}

/** z = x[0] + (sum c[k] x[k], k > 0), the increments first. So a solution that is the sum of a state and
 *  its increments is, to the bit, the state of the last stage of a pair whose last stage is the next
 *  first, of which ARKODE adds the increments first too. */
SB_WIDE static int combine_increments(int count, double *c, N_Vector *x, N_Vector z) {
  while (count > 2 && c[count - 1] == 0) {
    count--;
  }
  if (count < 2 || c[0] != 1) {
    return linear_combination(count, c, x, z);
  }
  double *pz = data(z), sum[BLOCK];
  const double *start = data(x[0]);
  int n = length(z);
  for (int first = 0; first < n; first += BLOCK) {
    int last = first + BLOCK < n ? first + BLOCK : n;
    for (int k = 1; k < count; k += 4) {
      add_four(count - k < 4 ? count - k : 4, c + k, x + k, sum, first, last, k > 1, first);
    }
    for (int i = first; i < last; i++) {
      pz[i] = start[i] + sum[i - first];
    }
  }
  return 0;
}

static N_Vector clone(N_Vector v) {
  NV_LENGTH_S(v) += BEHIND;
  N_Vector result = N_VClone_Serial(v);
  NV_LENGTH_S(v) -= BEHIND;
  if (result != NULL) {
    NV_LENGTH_S(result) -= BEHIND;
    memcpy(data(result) + length(result), data(v) + length(v), BEHIND * sizeof(double));
  }
  return result;
}

/** Nothing stands behind the data that others give, as columns of a matrix. */
static double norm_of_numbers(N_Vector x, N_Vector w) {
  return sb_norm(data(x), data(w), length(x), NULL);
}

static N_Vector clone_empty(N_Vector v) {
  N_Vector result = N_VCloneEmpty_Serial(v);
  if (result != NULL) {
    result->ops->nvclone = N_VClone_Serial;
    result->ops->nvcloneempty = N_VCloneEmpty_Serial;
    result->ops->nvwrmsnorm = norm_of_numbers;
  }
  return result;
}

N_Vector sb_vector_create(int length, const sb_error_measure *measure, bool increments_first,
                          SUNContext context) {
  N_Vector v = N_VNew_Serial(length + BEHIND, context);
  if (v == NULL) {
    return NULL;
  }
  NV_LENGTH_S(v) = length;
  memcpy(data(v) + length, &measure, sizeof measure);
  v->ops->nvclone = clone;
  v->ops->nvcloneempty = clone_empty;
  v->ops->nvlinearsum = linear_sum;
  v->ops->nvscale = scale;
  v->ops->nvconst = constant;
  v->ops->nvwrmsnorm = weighted_norm;
  v->ops->nvmaxnorm = max_norm;
  v->ops->nvlinearcombination = increments_first ? combine_increments : linear_combination;
  constant(0, v);
  return v;
}
