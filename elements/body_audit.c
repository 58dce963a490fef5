// SPDX-License-Identifier: GPL-3.0-or-later
// What the audit asks of a rigid body beyond its energy: the sizes that this is judged by, and its motion.
#include <float.h>
#include <math.h>

#include "elements/body_private.h"
#include "geometry/screw.h"

static const double least = DBL_MIN / DBL_EPSILON;

/** The potential counts by its terms along the axes, which may cancel each other. */
double sb_body_terms(const void *self, const sb_at *at) {
  const sb_body *s = self;
  double sum = sb_body_energy(self, at);
  for (int i = 0; i < 3; i++) {
    const double term = s->mass * s->gravity[i] * at->x[X + i];
    sum += term + fabs(term);
  }
  return sum;
}

/** |a . (b - c)| */
static double work_of(sb_vec3 a, sb_vec3 b, sb_vec3 c) {
  return fabs(sb_vec3_dot(a, sb_vec3_sub(b, c)));
}

/** With dH/dp = v, dH/dL = w and dH/dx = -m g. */
double sb_body_exchanged(const void *self, const sb_at *at, const double x0[]) {
  const sb_body *s = self;
  sb_vec3 p = sb_vec3_load(at->x + P), l = sb_vec3_load(at->x + L);
  return work_of(sb_vec3_scale(p, 1 / s->mass), p, sb_vec3_load(x0 + P)) +
         work_of(sb_mat3_apply(s->J_inverse, l), l, sb_vec3_load(x0 + L)) +
         s->mass * work_of(sb_vec3_load(s->gravity), sb_vec3_load(at->x + X), sb_vec3_load(x0 + X));
}

static double size_of(sb_quat q) {
  return sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
}

/** |a - b| relative to the size of the terms that they are computed from, if these are no denormals. */
static double apart(sb_vec3 a, sb_vec3 b, double terms) {
  double off = sb_vec3_norm(sb_vec3_sub(a, b));
  return off > least ? off / terms : 0;
}

/** What no energy tells: the pose moves with the twist, with w = 2 vec(q* qdot)/|q|^2, and the
 *  momentum p and, in world axes, R L change by the wrench and the weight alone. */
double sb_body_motion(const void *self, const sb_at *at, const double y[], const double xdot[]) {
  const sb_body *s = self;
  sb_quat q = sb_quat_load(at->x + Q), qdot = sb_quat_load(xdot + Q);
  sb_quat turn = sb_quat_mul((sb_quat){q.w, -q.x, -q.y, -q.z}, qdot);
  sb_vec3 w = sb_vec3_scale((sb_vec3){turn.x, turn.y, turn.z}, 2 / (size_of(q) * size_of(q)));
  sb_mat3 R = sb_quat_rotation(q);
  sb_vec3 x = sb_vec3_load(at->x + X), v = sb_vec3_load(xdot + X), l = sb_vec3_load(at->x + L);
  sb_vec3 moment = sb_vec3_load(at->in), force = sb_vec3_load(at->in + 3);
  sb_vec3 weight = sb_vec3_scale(sb_vec3_load(s->gravity), s->mass), world = sb_mat3_apply(R, w);
  sb_vec3 lever = sb_vec3_cross(x, world), arm = sb_vec3_cross(x, force);
  sb_vec3 ldot = sb_vec3_load(xdot + L), carried = sb_vec3_cross(w, l);
  double spin = 2 * size_of(qdot) / size_of(q); // the rounding of w is a fraction of this, not of w
  double turning = apart(sb_vec3_load(y), world, spin);
  double moving =
      apart(sb_vec3_load(y + 3), sb_vec3_add(v, lever), sb_vec3_norm(v) + sb_vec3_norm(x) * spin);
  double pushed = apart(sb_vec3_load(xdot + P), sb_vec3_add(force, weight),
                        sb_vec3_norm(force) + sb_vec3_norm(weight));
  double twisted =
      apart(sb_mat3_apply(R, sb_vec3_add(ldot, carried)), sb_vec3_sub(moment, arm),
            sb_vec3_norm(moment) + sb_vec3_norm(x) * sb_vec3_norm(force) + spin * sb_vec3_norm(l));
  return fmax(fmax(turning, moving), fmax(pushed, twisted));
}
