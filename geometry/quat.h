// SPDX-License-Identifier: GPL-3.0-or-later
// Rotations as quaternions (Hamilton's product, scalar first).
#ifndef SB_GEOMETRY_QUAT_H
#define SB_GEOMETRY_QUAT_H

#include "core/base/export.h"
#include "geometry/vec3.h"

typedef struct sb_quat {
  double w, x, y, z;
} sb_quat;

static inline sb_quat sb_quat_mul(sb_quat a, sb_quat b) {
  return SB_LITERAL(sb_quat){
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

static inline sb_quat sb_quat_load(const double q[4]) {
  return SB_LITERAL(sb_quat){q[0], q[1], q[2], q[3]};
}

/** The rotation of q, in the homogeneous form that is orthogonal for every q != 0: an integrator
 *  may let |q| stray from 1 without deforming the body. */
static inline sb_mat3 sb_quat_rotation(sb_quat q) {
  const double s = 2.0 / (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  const double x = s * q.x, y = s * q.y, z = s * q.z;
  const double wx = x * q.w, wy = y * q.w, wz = z * q.w;
  const double xx = x * q.x, xy = x * q.y, xz = x * q.z;
  const double yy = y * q.y, yz = y * q.z, zz = z * q.z;
  return SB_LITERAL(sb_mat3){{{1.0 - (yy + zz), xy - wz, xz + wy},
                              {xy + wz, 1.0 - (xx + zz), yz - wx},
                              {xz - wy, yz + wx, 1.0 - (xx + yy)}}};
}

/** The rate of a quaternion by the angular velocity w in the turned axes: q o (0, w)/2 + |w| (1 - |q|^2) q/16. R(q) is
 *  homogeneous of degree zero, so that the second term keeps |q| = 1 without touching the motion, as fast as it turns. */
static inline sb_quat sb_quat_rate(sb_quat q, sb_vec3 w) {
  const sb_quat spin = sb_quat_mul(q, SB_LITERAL(sb_quat){0, 0.5 * w.x, 0.5 * w.y, 0.5 * w.z});
  const double norm = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
  const double pull = sb_vec3_norm(w) * (1 - norm) / 16;
  return SB_LITERAL(sb_quat){spin.w + pull * q.w, spin.x + pull * q.x, spin.y + pull * q.y,
                             spin.z + pull * q.z};
}

/** The unit quaternion of a rotation by `angle` [rad] about `axis`, of any length; the identity
 *  for a zero axis. */
SB_API sb_quat sb_quat_from_axis_angle(sb_vec3 axis, double angle);

/** The unit quaternion, w >= 0, of a rotation matrix: the largest of its four components is found
 *  first and divides the others, so no digit is lost at any angle (Shepperd 1978). */
SB_API sb_quat sb_quat_from_rotation(sb_mat3 r);

#endif
