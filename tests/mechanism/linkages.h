// SPDX-License-Identifier: GPL-3.0-or-later
// Linkages of thin rods, in a world that is turned so that no axis is special and no entry zero by chance.
#ifndef SB_TESTS_MECHANISM_LINKAGES_H
#define SB_TESTS_MECHANISM_LINKAGES_H

#include "tests/mechanism/loops.h"

#include "geometry/quat.h"

static const double g = 9.81;
static const sb_vec3 none = {0, 0, 0};

static inline sb_pose tilted(void) {
  return (sb_pose){sb_quat_rotation(sb_quat_from_axis_angle((sb_vec3){0.3, -0.5, 0.9}, 0.83)),
                   {0.71, -1.13, 0.42}};
}
static inline sb_vec3 tilted_gravity(double x, double y, double z) {
  return sb_mat3_apply(tilted().rotation, (sb_vec3){x, y, z});
}

/** A thin uniform rod from the origin to `end`. */
static inline sb_inertia rod(double mass, sb_vec3 end) {
  const sb_mat3 central =
      sb_mat3_scale(sb_mat3_add(sb_mat3_scale(sb_mat3_identity(), sb_vec3_dot(end, end)),
                                sb_mat3_scale(sb_mat3_outer(end, end), -1)),
                    mass / 12);
  return sb_inertia_make(mass, sb_vec3_scale(end, 0.5), central);
}

static inline sb_pose shifted(double x, double y, double z) {
  return (sb_pose){sb_mat3_identity(), {x, y, z}};
}

/** A rod on a revolute joint. */
static inline sb_tree_body link(int parent, sb_pose at, double mass, sb_vec3 end, sb_vec3 axis) {
  return (sb_tree_body){.name = "link",
                        .parent = parent,
                        .joint = sb_joint_find("revolute"),
                        .in_parent = at,
                        .in_body = sb_pose_identity(),
                        .axis = axis,
                        .inertia = rod(mass, end)};
}

static inline sb_closure_joint pin(const char *name, int parent, sb_pose in_parent, int child,
                                   sb_pose in_child, sb_vec3 axis) {
  return (sb_closure_joint){.name = name,
                            .joint = sb_joint_find("revolute"),
                            .parent = parent,
                            .child = child,
                            .in_parent = in_parent,
                            .in_child = in_child,
                            .axis = axis};
}

/** N + 1 uprights, N couplers to the right of each; uprights point up at rest. */
static inline void four_bars(loops *l, int N) {
  static sb_tree_body bodies[2 * 40 + 1];
  static sb_closure_joint joints[40];
  const sb_vec3 z = {0, 0, 1}, up = {0, 1, 0}, right = {1, 0, 0};
  for (int k = 0; k <= N; k++) {
    bodies[k] = link(SB_TREE_WORLD, sb_pose_compose(tilted(), shifted(k, 0, 0)), 1, up, z);
  }
  for (int k = 0; k < N; k++) {
    bodies[N + 1 + k] = link(k, shifted(0, 1, 0), 1, right, z);
    joints[k] = pin("loop", N + 1 + k, shifted(1, 0, 0), k + 1, shifted(0, 1, 0), z);
  }
  loops_make(l, bodies, 2 * N + 1, tilted_gravity(0, -g, 0), joints, N, NULL, 0);
}

/** Uprights at the angle theta from up towards +x, with a rate, couplers level. */
static inline void set_four_bars(loops *l, int N, double theta, double rate) {
  double v[LOOPS_MAX];
  for (int i = 0; i < 2 * N + 1; i++) {
    l->q[i] = i <= N ? -theta : theta;
    v[i] = i <= N ? -rate : rate;
  }
  loops_move(l, v);
}

/** Five rods along edges of a cube, a revolute joint at each end, and the sixth edge is the world. */
static inline void bricard(loops *l) {
  static const sb_vec3 corner[6] = {{0, 0, 0},  {1, 0, 0},  {1, -1, 0},
                                    {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
  static const sb_vec3 axis[6] = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
  sb_tree_body bodies[5];
  for (int i = 0; i < 5; i++) {
    const sb_vec3 at = i == 0 ? none : sb_vec3_sub(corner[i], corner[i - 1]);
    const sb_pose place = {sb_mat3_identity(), at};
    bodies[i] =
        link(i - 1, i == 0 ? tilted() : place, 1, sb_vec3_sub(corner[i + 1], corner[i]), axis[i]);
  }
  const sb_closure_joint joint =
      pin("sixth", SB_TREE_WORLD, sb_pose_compose(tilted(), shifted(0, 0, 1)), 4, shifted(0, 1, 0),
          axis[5]);
  loops_make(l, bodies, 5, tilted_gravity(0, -g, 0), &joint, 1, NULL, 0);
}

/** Crank of 0.1 m on the world, rod of 0.3 m, and a slider on the line through the crank's pivot. */
static inline void slider_crank(loops *l, double spring) {
  const sb_vec3 x = {1, 0, 0}, z = {0, 0, 1};
  sb_tree_body bodies[3] = {link(SB_TREE_WORLD, tilted(), 1, (sb_vec3){0.1, 0, 0}, z),
                            link(0, shifted(0.1, 0, 0), 0.8, (sb_vec3){0.3, 0, 0}, z),
                            link(SB_TREE_WORLD, tilted(), 0.5, none, x)};
  bodies[2].joint = sb_joint_find("prismatic");
  bodies[2].stiffness[0] = spring;
  bodies[2].rest[0] = 0.25;
  const sb_closure_joint joint = pin("pin", 1, shifted(0.3, 0, 0), 2, sb_pose_identity(), z);
  loops_make(l, bodies, 3, tilted_gravity(0, -g, 0), &joint, 1, NULL, 0);
}

#endif
