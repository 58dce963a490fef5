// SPDX-License-Identifier: GPL-3.0-or-later
// libccd: the depth of overlapping bodies by portal refinement (MPR) and by GJK with an expanding
// polytope (EPA), at its own tolerances; of bodies apart it tells only that they are.
#include <ccd/ccd.h>
#include <ccd/quat.h>
#include <math.h>
#include <stdlib.h>

#include "bench/pairs.h"

enum { ITERATIONS = 1000 }; // its default is no limit
static const double plane_half =
    10; // [m] a half-space is a box as large as the scene, as its users do
static const double direction_least = 1e-300;

static double towards(double a, double n) {
  return n > 0 ? a : n < 0 ? -a : 0;
}

/** The point of the core that is furthest along n, in the body's axes. */
static void core_support(const pairs_body *b, const double n[3], double x[3]) {
  const double *a = b->a;
  double length;
  x[0] = x[1] = x[2] = 0;
  switch (b->kind) {
  case PAIRS_ELLIPSOID:
    length =
        sqrt(a[0] * a[0] * n[0] * n[0] + a[1] * a[1] * n[1] * n[1] + a[2] * a[2] * n[2] * n[2]);
    for (int i = 0; i < 3; i++) {
      x[i] = a[i] * a[i] * n[i] / fmax(length, direction_least);
    }
    break;
  case PAIRS_PLANE:
    x[0] = towards(plane_half, n[0]);
    x[1] = towards(plane_half, n[1]);
    x[2] = n[2] > 0 ? 0 : -plane_half;
    break;
  case PAIRS_CYLINDER:
    length = fmax(hypot(n[0], n[1]), direction_least);
    x[0] = a[0] * n[0] / length;
    x[1] = a[0] * n[1] / length;
    x[2] = towards(a[2], n[2]);
    break;
  default: // boxes, some half lengths of which may be zero
    for (int i = 0; i < 3; i++) {
      x[i] = towards(a[i], n[i]);
    }
  }
}

static void support(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *point) {
  const pairs_body *b = object;
  const double *d = direction->v;
  const double length = fmax(sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), direction_least);
  double n[3], x[3];
  for (int i = 0; i < 3; i++) {
    n[i] = b->R[0][i] * d[0] + b->R[1][i] * d[1] + b->R[2][i] * d[2];
  }
  core_support(b, n, x);
  for (int i = 0; i < 3; i++) {
    point->v[i] = b->R[i][0] * x[0] + b->R[i][1] * x[1] + b->R[i][2] * x[2] + b->p[i] +
                  b->sweep * d[i] / length;
  }
}
/** A point inside: the middle of the box that stands for a half-space. */
static void center(const void *object, ccd_vec3_t *point) {
  const pairs_body *b = object;
  const double below = b->kind == PAIRS_PLANE ? 0.5 * plane_half : 0;
  for (int i = 0; i < 3; i++) {
    point->v[i] = b->p[i] - below * b->R[i][2];
  }
}

static void *make(const pairs_body body[2]) {
  pairs_body *copy = malloc(2 * sizeof *copy);
  if (copy != NULL) {
    copy[0] = body[0];
    copy[1] = body[1];
  }
  return copy;
}

typedef int depth_function(const void *, const void *, const ccd_t *, ccd_real_t *, ccd_vec3_t *,
                           ccd_vec3_t *);

static double gap_by(depth_function *penetration, const void *context) {
  const pairs_body *body = context;
  ccd_t ccd;
  ccd_real_t depth;
  ccd_vec3_t direction, point;
  CCD_INIT(&ccd);
  ccd.support1 = ccd.support2 = support;
  ccd.center1 = ccd.center2 = center;
  ccd.max_iterations = ITERATIONS;
  return penetration(&body[0], &body[1], &ccd, &depth, &direction, &point) == 0 ? -depth : NAN;
}
static double gap_mpr(const void *context) {
  return gap_by(ccdMPRPenetration, context);
}
static double gap_epa(const void *context) {
  return gap_by(ccdGJKPenetration, context);
}

const pairs_library pairs_ccd_mpr = {"libccd MPR", false, true, make, gap_mpr, free};
const pairs_library pairs_ccd_epa = {"libccd EPA", false, true, make, gap_epa, free};
