// SPDX-License-Identifier: GPL-3.0-or-later
// Poses, twists and wrenches. A twist and a wrench are distinct types: only a pair of them makes
// power. Angular part first. Murray, Li & Sastry, A Mathematical Introduction to Robotic
// Manipulation, chapter 2; sign and order as in Stramigioli & Duindam.
#ifndef SB_GEOMETRY_SCREW_H
#define SB_GEOMETRY_SCREW_H

#include "core/base/export.h"
#include "geometry/vec3.h"

typedef struct sb_twist {
  sb_vec3 angular, linear; // [rad/s], [m/s]: the velocity of the point at the frame's origin
} sb_twist;

typedef struct sb_wrench {
  sb_vec3 moment, force; // [N m] about the frame's origin, [N]
} sb_wrench;

/** H_a^b: maps the coordinates of a point in frame a to those in frame b. */
typedef struct sb_pose {
  sb_mat3 rotation;
  sb_vec3 position; // [m] origin of a, in b
} sb_pose;

static inline sb_twist sb_twist_load(const double a[6]) {
  return SB_LITERAL(sb_twist){sb_vec3_load(a), sb_vec3_load(a + 3)};
}
static inline void sb_twist_store(double a[6], sb_twist t) {
  sb_vec3_store(a, t.angular);
  sb_vec3_store(a + 3, t.linear);
}
static inline sb_wrench sb_wrench_load(const double a[6]) {
  return SB_LITERAL(sb_wrench){sb_vec3_load(a), sb_vec3_load(a + 3)};
}
static inline void sb_wrench_store(double a[6], sb_wrench w) {
  sb_vec3_store(a, w.moment);
  sb_vec3_store(a + 3, w.force);
}

/** [W]; both expressed in the same frame. */
static inline double sb_power(sb_wrench w, sb_twist t) {
  return sb_vec3_dot(w.moment, t.angular) + sb_vec3_dot(w.force, t.linear);
}

static inline sb_twist sb_twist_add(sb_twist a, sb_twist b) {
  return SB_LITERAL(sb_twist){sb_vec3_add(a.angular, b.angular), sb_vec3_add(a.linear, b.linear)};
}
static inline sb_twist sb_twist_sub(sb_twist a, sb_twist b) {
  return SB_LITERAL(sb_twist){sb_vec3_sub(a.angular, b.angular), sb_vec3_sub(a.linear, b.linear)};
}
static inline sb_twist sb_twist_scale(sb_twist t, double s) {
  return SB_LITERAL(sb_twist){sb_vec3_scale(t.angular, s), sb_vec3_scale(t.linear, s)};
}
static inline sb_wrench sb_wrench_add(sb_wrench a, sb_wrench b) {
  return SB_LITERAL(sb_wrench){sb_vec3_add(a.moment, b.moment), sb_vec3_add(a.force, b.force)};
}
static inline sb_wrench sb_wrench_scale(sb_wrench w, double s) {
  return SB_LITERAL(sb_wrench){sb_vec3_scale(w.moment, s), sb_vec3_scale(w.force, s)};
}

/** The velocity of the body's material that passes through p: v + w x p. */
static inline sb_vec3 sb_twist_at(sb_twist t, sb_vec3 p) {
  return sb_vec3_add(t.linear, sb_vec3_cross(t.angular, p));
}

/** The same wrench about a point o before the frame's origin, -o away: that of a frame at o about the world's. */
static inline sb_wrench sb_wrench_from(sb_vec3 o, sb_wrench w) {
  return SB_LITERAL(sb_wrench){sb_vec3_add(w.moment, sb_vec3_cross(o, w.force)), w.force};
}
/** The same twist, with the velocity of the point there. */
static inline sb_twist sb_twist_from(sb_vec3 o, sb_twist t) {
  return SB_LITERAL(sb_twist){t.angular, sb_vec3_add(t.linear, sb_vec3_cross(o, t.angular))};
}

static inline sb_pose sb_pose_identity(void) {
  return SB_LITERAL(sb_pose){sb_mat3_identity(), {0, 0, 0}};
}

/** Of a vector in world axes to those of a frame.
 *  @param pose    (12) an sb_pose of the frame  @param vector  (3) in and out */
static inline void sb_pose_turn_back(const double pose[], double vector[]) {
  const sb_pose *frame = (const sb_pose *)(const void *)pose;
  sb_vec3_store(vector, sb_mat3_apply_transposed(frame->rotation, sb_vec3_load(vector)));
}

static inline sb_vec3 sb_pose_point(sb_pose h, sb_vec3 p) {
  return sb_vec3_add(h.position, sb_mat3_apply(h.rotation, p));
}
/** H_a^c from H_b^c and H_a^b. */
static inline sb_pose sb_pose_compose(sb_pose h_bc, sb_pose h_ab) {
  return SB_LITERAL(sb_pose){sb_mat3_mul(h_bc.rotation, h_ab.rotation),
                             sb_pose_point(h_bc, h_ab.position)};
}
static inline sb_pose sb_pose_inverse(sb_pose h) {
  return SB_LITERAL(sb_pose){sb_mat3_transpose(h.rotation),
                             sb_vec3_neg(sb_mat3_apply_transposed(h.rotation, h.position))};
}

/** T^b = Ad_{H_a^b} T^a */
static inline sb_twist sb_twist_transform(sb_pose h, sb_twist t) {
  const sb_vec3 w = sb_mat3_apply(h.rotation, t.angular);
  const sb_vec3 v = sb_mat3_apply(h.rotation, t.linear);
  return SB_LITERAL(sb_twist){w, sb_vec3_add(v, sb_vec3_cross(h.position, w))};
}
/** W^a = Ad_{H_a^b}^T W^b: wrenches go the other way than twists. */
static inline sb_wrench sb_wrench_transform_dual(sb_pose h, sb_wrench w) {
  const sb_vec3 m = sb_vec3_sub(w.moment, sb_vec3_cross(h.position, w.force));
  return SB_LITERAL(sb_wrench){sb_mat3_apply_transposed(h.rotation, m),
                               sb_mat3_apply_transposed(h.rotation, w.force)};
}

/** The bracket ad_a b = [a, b]. */
static inline sb_twist sb_twist_bracket(sb_twist a, sb_twist b) {
  return SB_LITERAL(sb_twist){
      sb_vec3_cross(a.angular, b.angular),
      sb_vec3_add(sb_vec3_cross(a.linear, b.angular), sb_vec3_cross(a.angular, b.linear))};
}
/** ad_T^T W, for a body's momentum W the gyroscopic wrench: it makes no power with T. */
static inline sb_wrench sb_wrench_coadjoint(sb_twist t, sb_wrench w) {
  return SB_LITERAL(sb_wrench){
      sb_vec3_add(sb_vec3_cross(w.moment, t.angular), sb_vec3_cross(w.force, t.linear)),
      sb_vec3_cross(w.force, t.angular)};
}

/** Ad_H as a matrix: [R 0; p^R R], acting on (angular; linear). */
SB_API void sb_adjoint_matrix(sb_pose h, double a[6][6]);

#endif
