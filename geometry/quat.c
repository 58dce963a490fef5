// SPDX-License-Identifier: GPL-3.0-or-later
// Quaternions from an axis and an angle, and from a rotation matrix.
#include "geometry/quat.h"

sb_quat sb_quat_from_axis_angle(sb_vec3 axis, double angle) {
  if (sb_vec3_largest(axis) == 0.0) {
    return (sb_quat){1, 0, 0, 0};
  }
  const sb_vec3 v = sb_vec3_scale(sb_vec3_direction(axis), sin(0.5 * angle));
  return (sb_quat){cos(0.5 * angle), v.x, v.y, v.z};
}

sb_quat sb_quat_from_rotation(sb_mat3 r) {
  // Each row is 4 q_k (w, x, y, z); the row of the largest |q_k| is normalised.
  const double tr = r.m[0][0] + r.m[1][1] + r.m[2][2];
  const double yz = r.m[2][1] - r.m[1][2], zx = r.m[0][2] - r.m[2][0], xy = r.m[1][0] - r.m[0][1];
  const double sxy = r.m[0][1] + r.m[1][0], sxz = r.m[0][2] + r.m[2][0],
               syz = r.m[1][2] + r.m[2][1];
  const sb_quat rows[4] = {{1.0 + tr, yz, zx, xy},
                           {yz, 1.0 + 2.0 * r.m[0][0] - tr, sxy, sxz},
                           {zx, sxy, 1.0 + 2.0 * r.m[1][1] - tr, syz},
                           {xy, sxz, syz, 1.0 + 2.0 * r.m[2][2] - tr}};
  const double pivot[4] = {rows[0].w, rows[1].x, rows[2].y, rows[3].z};
  int best = 0;
  for (int k = 1; k < 4; k++) {
    if (pivot[k] > pivot[best]) {
      best = k;
    }
  }
  const sb_quat q = rows[best];
  const double s = copysign(1.0 / sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z), q.w);
  return (sb_quat){q.w * s, q.x * s, q.y * s, q.z * s};
}
