// SPDX-License-Identifier: GPL-3.0-or-later
// Mechanisms with loops against closed forms and against equations in one coordinate.
#include "tests/mechanism/loops.h"

static const double g = 9.81;
static const sb_vec3 none = {0, 0, 0};

/** A world that is turned, so that no axis is special and no entry zero by chance. */
static sb_pose tilted(void) {
  return (sb_pose){sb_quat_rotation(sb_quat_from_axis_angle((sb_vec3){0.3, -0.5, 0.9}, 0.83)),
                   {0.71, -1.13, 0.42}};
}
static sb_vec3 tilted_gravity(double x, double y, double z) {
  return sb_mat3_apply(tilted().rotation, (sb_vec3){x, y, z});
}

/** A thin uniform rod from the origin to `end`. */
static sb_inertia rod(double mass, sb_vec3 end) {
  const sb_mat3 central =
      sb_mat3_scale(sb_mat3_add(sb_mat3_scale(sb_mat3_identity(), sb_vec3_dot(end, end)),
                                sb_mat3_scale(sb_mat3_outer(end, end), -1)),
                    mass / 12);
  return sb_inertia_make(mass, sb_vec3_scale(end, 0.5), central);
}

static sb_pose shifted(double x, double y, double z) {
  return (sb_pose){sb_mat3_identity(), {x, y, z}};
}

/** A rod on a revolute joint; the joint's axis is z. */
static sb_tree_body link(int parent, sb_pose at, double mass, sb_vec3 end, sb_vec3 axis) {
  return (sb_tree_body){.name = "link",
                        .parent = parent,
                        .joint = sb_joint_find("revolute"),
                        .in_parent = at,
                        .in_body = sb_pose_identity(),
                        .axis = axis,
                        .inertia = rod(mass, end)};
}

/** N + 1 uprights, N couplers to the right of each; uprights point up at rest. */
static void four_bars(loops *l, int N) {
  static sb_tree_body bodies[2 * 40 + 1];
  static sb_closure_joint joints[40];
  const sb_vec3 z = {0, 0, 1}, up = {0, 1, 0}, right = {1, 0, 0};
  for (int k = 0; k <= N; k++) {
    bodies[k] = link(SB_TREE_WORLD, sb_pose_compose(tilted(), shifted(k, 0, 0)), 1, up, z);
  }
  for (int k = 0; k < N; k++) {
    bodies[N + 1 + k] = link(k, shifted(0, 1, 0), 1, right, z);
    joints[k] = (sb_closure_joint){.name = "loop",
                                   .joint = sb_joint_find("revolute"),
                                   .parent = N + 1 + k,
                                   .child = k + 1,
                                   .in_parent = shifted(1, 0, 0),
                                   .in_child = shifted(0, 1, 0),
                                   .axis = z};
  }
  loops_make(l, bodies, 2 * N + 1, tilted_gravity(0, -g, 0), joints, N, NULL, 0);
}

/** Uprights at the angle theta from up towards +x, with a rate, couplers level. */
static void set_four_bars(loops *l, int N, double theta, double rate) {
  double v[LOOPS_MAX];
  for (int i = 0; i < 2 * N + 1; i++) {
    l->q[i] = i <= N ? -theta : theta;
    v[i] = i <= N ? -rate : rate;
  }
  loops_move(l, v);
}

/** theta'' = g sin(theta) ((N+1)/2 + N) / ((N+1)/3 + N), at any angle but the horizontal. */
static void four_bars_accelerate_as_in_one_coordinate(void **state) {
  (void)state;
  for (int N = 1; N <= 5; N += 2) {
    loops l;
    double qdot[LOOPS_MAX], pdot[LOOPS_MAX];
    four_bars(&l, N);
    for (int i = 0; i < 40; i++) {
      const double theta = 0.05 + 0.17 * i, rate = 1.3;
      set_four_bars(&l, N, theta, rate);
      assert_int_equal(loops_rates(&l, l.q, l.p, qdot, pdot), 2 * N);
      const double expected = g * sin(theta) * ((N + 1) / 2. + N) / ((N + 1) / 3. + N);
      for (int k = 0; k <= N; k++) {
        assert_near(l.vdot[k], -expected, 1e-11);
      }
      for (int k = N + 1; k <= 2 * N; k++) {
        assert_near(l.vdot[k], expected, 1e-11);
      }
    }
    loops_finish(&l);
  }
}

/** From a distance of 1e-9 from the horizontal on, where the square of that would be lost. */
static void singular_positions_are_neared_without_loss_of_the_rank(void **state) {
  (void)state;
  loops l;
  double qdot[LOOPS_MAX], pdot[LOOPS_MAX];
  const double kappa = g * 3.5 / 3;
  four_bars(&l, 2);
  for (double distance = 1e-2; distance > 5e-10; distance /= 10) {
    set_four_bars(&l, 2, pi / 2 + distance, 1.3);
    assert_int_equal(loops_rates(&l, l.q, l.p, qdot, pdot), 4);
    assert_near(l.vdot[0], -kappa * cos(distance), 1e-13 / distance);
  }
  set_four_bars(&l, 2, pi / 2, 1.3); // N of the rows are lost
  assert_int_equal(loops_rates(&l, l.q, l.p, qdot, pdot), 2);
  loops_finish(&l);
}

/** Through the horizontal four times and on; sn gives theta (two independent computations). */
static void four_bars_pass_their_singular_position(void **state) {
  (void)state;
  loops l;
  four_bars(&l, 2);
  set_four_bars(&l, 2, 0, 1);
  const double before = loops_energy(&l);
  assert_true(loops_run(&l, 1, 4000) < 1e-13);
  assert_near(-l.q[0], 3.33787080310509773, 1e-9);
  assert_true(loops_run(&l, 1, 4000) < 1e-13);
  assert_near(-l.q[2], 6.34103336131233161, 1e-9);
  assert_near(loops_energy(&l), before, 1e-8);
  loops_finish(&l);
}

/** Five rods between the corners of a cube's edges, a revolute joint at each, and the sixth edge is the world. */
static void bricard(loops *l) {
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
  const sb_closure_joint joint = {.name = "sixth",
                                  .joint = sb_joint_find("revolute"),
                                  .parent = SB_TREE_WORLD,
                                  .child = 4,
                                  .in_parent = sb_pose_compose(tilted(), shifted(0, 0, 1)),
                                  .in_child = shifted(0, 1, 0),
                                  .axis = axis[5]};
  loops_make(l, bodies, 5, tilted_gravity(0, -g, 0), &joint, 1, NULL, 0);
}

/** Of five rows on five velocities four say something, in every closed position; and nothing is lost. */
static void bricard_moves_though_counting_forbids_it(void **state) {
  (void)state;
  loops l;
  double qdot[LOOPS_MAX], pdot[LOOPS_MAX], speed = 0;
  bricard(&l);
  l.most = 4;
  const double before = loops_energy(&l);
  for (int i = 0; i < 100; i++) {
    assert_true(loops_run(&l, 0.05, 100) < 1e-13);
    l.most = l.m;
    assert_int_equal(loops_rates(&l, l.q, l.p, qdot, pdot), 4);
    l.most = 4;
    speed = fmax(speed, fabs(l.v[0]));
  }
  assert_true(speed > 1);
  assert_near(loops_energy(&l), before, 1e-8);
  loops_finish(&l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(four_bars_accelerate_as_in_one_coordinate),
      cmocka_unit_test(singular_positions_are_neared_without_loss_of_the_rank),
      cmocka_unit_test(four_bars_pass_their_singular_position),
      cmocka_unit_test(bricard_moves_though_counting_forbids_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
