// SPDX-License-Identifier: GPL-3.0-or-later
// What tests of the geometry share: comparisons of vectors, and a pose that is parallel to nothing.
#ifndef SB_TESTS_GEOMETRY_NEAR_VEC3_H
#define SB_TESTS_GEOMETRY_NEAR_VEC3_H

#include "tests/near.h"

#include "geometry/quat.h"
#include "geometry/screw.h"

/** Fails unless |a - b| <= tolerance, component by component. */
static inline void assert_vec3(sb_vec3 a, sb_vec3 b, double tolerance) {
  assert_near(a.x, b.x, tolerance);
  assert_near(a.y, b.y, tolerance);
  assert_near(a.z, b.z, tolerance);
}

/** Turned by an angle [rad]. */
static inline sb_pose pose(double angle) {
  const sb_quat q = sb_quat_from_axis_angle((sb_vec3){0.3, -0.5, 0.9}, angle);
  return (sb_pose){sb_quat_rotation(q), {0.71, -1.13, 0.42}};
}

#endif
