// SPDX-License-Identifier: GPL-3.0-or-later
// The contact's own screws: se(3) projected on se(2) x T, the motions that a contact patch feels.
// Order (v_x, v_y, v_z, w_z) in the contact frame c, whose z axis is the contact normal.
// Stramigioli & Duindam, equations (8)-(12).
#ifndef SB_GEOMETRY_SE2T_H
#define SB_GEOMETRY_SE2T_H

#include "geometry/screw.h"

typedef struct sb_twist4 {
  double x, y, z, theta; // [m/s], [m/s], [m/s], [rad/s]
} sb_twist4;

typedef struct sb_wrench4 {
  double x, y, z, theta; // [N], [N], [N], [N m]
} sb_wrench4;

/** [W] */
static inline double sb_power4(sb_wrench4 w, sb_twist4 t) {
  return w.x * t.x + w.y * t.y + w.z * t.z + w.theta * t.theta;
}

/** P Ad_{H_0^c} T^0 for a twist in frame 0 and the pose H_c^0 of the contact frame, eq (8). */
static inline sb_twist4 sb_se2t_project(sb_pose h_c_0, sb_twist t0) {
  const sb_vec3 v = sb_mat3_apply_transposed(h_c_0.rotation, sb_twist_at(t0, h_c_0.position));
  const sb_vec3 w = sb_mat3_apply_transposed(h_c_0.rotation, t0.angular);
  return SB_LITERAL(sb_twist4){v.x, v.y, v.z, w.z};
}

/** The adjoint of the projection, Ad_{H_0^c}^T P^T w, eq (9): the wrench in frame 0 that makes the same
 *  power with every twist as w makes with its projection. */
static inline sb_wrench sb_se2t_embed(sb_pose h_c_0, sb_wrench4 w) {
  const sb_vec3 force = sb_mat3_apply(h_c_0.rotation, SB_LITERAL(sb_vec3){w.x, w.y, w.z});
  const sb_vec3 moment = sb_mat3_apply(h_c_0.rotation, SB_LITERAL(sb_vec3){0, 0, w.theta});
  return SB_LITERAL(sb_wrench){sb_vec3_add(moment, sb_vec3_cross(h_c_0.position, force)), force};
}

#endif
