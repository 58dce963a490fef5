// SPDX-License-Identifier: GPL-3.0-or-later
// The point of an ellipsoid nearest to a given point y, in the axes of the ellipsoid, by its secular
// equation: with a_k the smallest semi-axis and u = t + a_k^2, the nearest point is x_i = a_i z_i,
//   z_i(u) = a_i y_i / (a_i^2 - a_k^2 + u),   |z(u)| = 1.
// Eberly, Distance from a Point to an Ellipse, an Ellipsoid, or a Hyperellipsoid, 2013.
#include "geometry/surface_private.h"

/** ||z| - 1| below which the secular equation is solved: rounding of |z|. */
static const double secular_tolerance = 4e-16;
/** Bisection alone needs this many steps for the whole range of doubles; Newton about five. */
enum { SECULAR_STEPS_MAX = 200 };

typedef struct secular {
  sb_vec3 ay; // a_i y_i, y folded into the first octant
  sb_vec3 w;  // a_i^2 - a_k^2
} secular;

/** z(u), its length, and the sum of z_i^2 / w_i, which gives the slope. */
static sb_vec3 secular_z(const secular *s, double u, double *length, double *slope) {
  const sb_vec3 w = {s->w.x + u, s->w.y + u, s->w.z + u};
  const sb_vec3 z = {s->ay.x / w.x, s->ay.y / w.y, s->ay.z / w.z};
  *length = sb_vec3_norm(z);
  *slope = z.x * z.x / w.x + z.y * z.y / w.y + z.z * z.z / w.z;
  return z;
}

/** Newton on 1/|z| - 1, nearly linear in u, kept in a bracket that shrinks by bisection. */
static sb_vec3 secular_solve(const secular *s, double low, int *steps) {
  double high = sb_vec3_norm(s->ay), u = low > 0.0 ? low : high;
  sb_vec3 z;
  for (*steps = 1;; ++*steps) {
    double length, slope;
    z = secular_z(s, u, &length, &slope);
    if (fabs(length - 1.0) <= secular_tolerance || *steps >= SECULAR_STEPS_MAX) {
      break;
    }
    *(length > 1.0 ? &low : &high) = u;
    const double step = (length - 1.0) * length * length / slope;
    double next = u + step;
    if (!(next > low && next < high)) {
      next = low > 0.0 ? sqrt(low) * sqrt(high) : 0.5 * high;
    }
    if (next == u || !(low < high)) {
      break;
    }
    u = next;
  }
  return z;
}

sb_vec3 ellipsoid_nearest(sb_vec3 a, sb_vec3 y, bool *ambiguous, int *steps) {
  const double least = fmin(a.x, fmin(a.y, a.z));
  const sb_vec3 w = {(a.x - least) * (a.x + least), (a.y - least) * (a.y + least),
                     (a.z - least) * (a.z + least)};
  const sb_vec3 ay = {fabs(a.x * y.x), fabs(a.y * y.y), fabs(a.z * y.z)};
  const secular s = {ay, w};
  // Each |z_i| alone is 1 at u = ay_i - w_i, so the root lies above all three.
  const double low = fmax(ay.x - w.x, fmax(ay.y - w.y, ay.z - w.z));
  *steps = 0;
  *ambiguous = false;
  sb_vec3 z;
  const sb_vec3 inner = {w.x > 0 ? ay.x / w.x : 0, w.y > 0 ? ay.y / w.y : 0,
                         w.z > 0 ? ay.z / w.z : 0};
  const bool flat = (w.x > 0 || ay.x == 0) && (w.y > 0 || ay.y == 0) && (w.z > 0 || ay.z == 0);
  const double rest = 1.0 - sb_vec3_dot(inner, inner);
  if (flat && rest > 0.0) {
    // y lies in the plane of symmetry, so near the middle that the shortest way is out of it.
    *ambiguous = true;
    z = inner;
    *(w.x == 0 ? &z.x : w.y == 0 ? &z.y : &z.z) = sqrt(rest);
  } else {
    z = secular_solve(&s, fmax(low, 0.0), steps);
  }
  return (sb_vec3){copysign(z.x, y.x), copysign(z.y, y.y), copysign(z.z, y.z)};
}
