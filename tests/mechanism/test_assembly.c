// SPDX-License-Identifier: GPL-3.0-or-later
// Loops closed from approximate starts, against the law of cosines; what cannot close; ranks and freedoms.
#include "geometry/quat.h"
#include "mechanism/assembly.h"
#include "tests/mechanism/linkages.h"

static sb_error err;

/** Links a, b, c on a base d: q[0] is the angle of a from the base, and q[1] that of b against a. */
static void linkage_at(loops *l, sb_pose world, double a, double b, double c, double d) {
  const sb_vec3 z = {0, 0, 1};
  const sb_tree_body bodies[3] = {
      link(SB_TREE_WORLD, world, 1, (sb_vec3){a, 0, 0}, z),
      link(0, shifted(a, 0, 0), 1, (sb_vec3){b, 0, 0}, z),
      link(SB_TREE_WORLD, sb_pose_compose(world, shifted(d, 0, 0)), 1, (sb_vec3){c, 0, 0}, z)};
  const sb_closure_joint joint = pin("knee", 1, shifted(b, 0, 0), 2, shifted(c, 0, 0), z);
  loops_make(l, bodies, 3, none, &joint, 1, NULL, 0);
}
static void linkage(loops *l, double a, double b, double c, double d) {
  linkage_at(l, tilted(), a, b, c, d);
}

/** With x the distance from the end of a to the far pivot: cos of the angle of c at it by the sides x, c, b. */
static void a_four_bar_closes_by_the_law_of_cosines(void **state) {
  (void)state;
  const double a = 0.4, b = 1.1, c = 0.9, d = 1.3;
  const bool fixed[3] = {true, false, false};
  for (int i = 0; i < 40; i++) {
    loops l;
    const double q = 0.157 * i, off = 0.6 * sin(1.7 * i);
    linkage(&l, a, b, c, d);
    const double dx = a * cos(q) - d, dy = a * sin(q), x = hypot(dx, dy);
    const double rocker = atan2(dy, dx) - acos((x * x + c * c - b * b) / (2 * x * c));
    l.q[0] = q, l.q[1] = 0.7 - q + off, l.q[2] = rocker - off;
    ok(sb_closures_assemble(l.closures, fixed, l.q, origin, NULL, &err), &err);
    assert_true(l.q[0] == q);
    assert_near(remainder(l.q[2] - rocker, 2 * pi), 0, 1e-12);
    const double end_x = d + c * cos(rocker), end_y = c * sin(rocker);
    assert_near(a * cos(q) + b * cos(q + l.q[1]), end_x, 1e-12);
    assert_near(a * sin(q) + b * sin(q + l.q[1]), end_y, 1e-12);
    loops_finish(&l);
  }
}

/** The angle of the rocker by that of the crank, and d(rocker)/d(crank) by the velocities across the coupler. */
static double rocker_of(double crank, double a, double b, double c, double d, double *slope) {
  const double dx = a * cos(crank) - d, dy = a * sin(crank), x = hypot(dx, dy);
  const double rocker = atan2(dy, dx) - acos((x * x + c * c - b * b) / (2 * x * c));
  const double ux = d + c * cos(rocker) - a * cos(crank), uy = c * sin(rocker) - a * sin(crank);
  *slope = a * (uy * cos(crank) - ux * sin(crank)) / (c * (uy * cos(rocker) - ux * sin(rocker)));
  return rocker;
}

/** Crank and rocker stated as they do not fit: (q - s)^2 + (r(q) - s_r)^2 is least where its derivative is zero, by bisection, in any frame. */
static void what_is_stated_too_often_is_met_as_closely_as_can_be(void **state) {
  (void)state;
  const double a = 0.4, b = 1.1, c = 0.9, d = 1.3, stated[3] = {0.8, -0.9, 1.9};
  const bool given[3] = {true, false, true};
  double low = 0.4, high = 1.2, slope;
  for (int i = 0; i < 100; i++) {
    const double q = 0.5 * (low + high), r = rocker_of(q, a, b, c, d, &slope);
    *(q - stated[0] + (r - stated[2]) * slope < 0 ? &low : &high) = q;
  }
  const double rocker = rocker_of(low, a, b, c, d, &slope);
  assert_true(fabs(low - stated[0]) > 0.01 && fabs(rocker - stated[2]) > 0.01);
  for (int i = 0; i < 24; i++) {
    loops l;
    sb_pose world = {sb_quat_rotation(sb_quat_from_axis_angle(
                         sb_vec3_direction((sb_vec3){sin(1. + i), cos(3. * i), 0.4}), 0.26 * i)),
                     {0, 0, 0}};
    linkage_at(&l, world, a, b, c, d);
    memcpy(l.q, stated, sizeof stated);
    assert_int_equal(sb_closures_assemble(l.closures, given, l.q, origin, NULL, &err),
                     SB_ERR_UNSOLVED);
    ok(sb_closures_assemble(l.closures, NULL, l.q, origin, NULL, &err), &err);
    ok(sb_closures_approach(l.closures, given, stated, l.q, origin, &err), &err);
    assert_near(l.q[0], low, 1e-14);
    assert_near(l.q[2], rocker, 1e-14);
    loops_finish(&l);
  }
}

static void links_in_line_are_bent(void **state) {
  (void)state;
  const bool fixed[3] = {false, false, true};
  loops l;
  linkage(&l, 1, 1, 0.5, 1.1); // q = 0: in line, and the end is 0.4 m off along it
  ok(sb_closures_assemble(l.closures, fixed, l.q, origin, NULL, &err), &err);
  assert_near(fabs(l.q[1]), 2 * acos(0.8), 1e-12);
  assert_true(l.q[2] == 0);
  loops_finish(&l);
}

/** As accurate as the places are that far away, and no error for that. */
static void a_linkage_closes_far_from_the_origin(void **state) {
  (void)state;
  const bool fixed[3] = {true, false, false};
  sb_pose world = tilted();
  world.position = (sb_vec3){7e4, -2e4, 3e4};
  loops l;
  double qdot[LOOPS_MAX], pdot[LOOPS_MAX], v[3] = {1, 0, 0}, vdot[3], q[3];
  linkage(&l, 0.4, 1.1, 0.9, 1.3);
  for (int i = 0; i < 2; i++) {
    l.q[0] = 0.7, l.q[1] = 0.4, l.q[2] = 1.9;
    ok(sb_closures_assemble(l.closures, fixed, l.q, origin, NULL, &err), &err);
    ok(sb_closures_assemble_velocities(l.closures, fixed, l.q, origin, v, NULL, &err), &err);
    loops_move(&l, v);
    assert_true(sb_closures_close(l.closures, l.m, l.q, l.p, origin, l.v, l.tree_scratch,
                                  l.scratch) < 1e-10);
    assert_int_equal(loops_rates(&l, l.q, l.p, qdot, pdot), 2);
    for (int k = 0; k < 3 && i == 1; k++) {
      assert_near(l.q[k], q[k], 1e-10);
      assert_near(l.vdot[k], vdot[k], 1e-9);
    }
    memcpy(q, l.q, sizeof q);
    memcpy(vdot, l.vdot, sizeof vdot);
    loops_finish(&l);
    linkage_at(&l, world, 0.4, 1.1, 0.9, 1.3);
  }
  loops_finish(&l);
}

static void what_cannot_close_is_named_with_its_gap(void **state) {
  (void)state;
  const bool fixed[3] = {true, true, true};
  int worst = -1;
  loops l;
  linkage(&l, 1, 1, 0.5, 2.9); // 2 m of links for 2.4 m at the least
  l.q[0] = 0.3;
  assert_int_equal(sb_closures_assemble(l.closures, NULL, l.q, origin, &worst, &err),
                   SB_ERR_UNSOLVED);
  assert_int_equal(worst, 0);
  assert_contains(err.text, "the joint 'knee' does not close: its frames stay 0.4 m apart");
  assert_null(strstr(err.text, "turned"));
  loops_finish(&l);
  linkage(&l, 1, 1, 0.5, 2.2);
  assert_int_equal(sb_closures_assemble(l.closures, fixed, l.q, origin, &worst, &err),
                   SB_ERR_UNSOLVED);
  assert_contains(err.text, "its frames stay 0.7 m apart");
  loops_finish(&l);
}

/** A body that a fixed joint would hold as it stands, turned by its only joint. */
static void turned_frames_are_told(void **state) {
  (void)state;
  const sb_vec3 z = {0, 0, 1};
  const sb_tree_body body = link(SB_TREE_WORLD, tilted(), 1, (sb_vec3){1, 0, 0}, z);
  sb_closure_joint joint = pin("weld", SB_TREE_WORLD, tilted(), 0, sb_pose_identity(), z);
  const bool fixed[1] = {true};
  joint.joint = sb_joint_find("fixed");
  loops l;
  loops_make(&l, &body, 1, none, &joint, 1, NULL, 0);
  l.q[0] = 0.3;
  assert_int_equal(sb_closures_assemble(l.closures, fixed, l.q, origin, NULL, &err),
                   SB_ERR_UNSOLVED);
  assert_contains(err.text,
                  "'weld' does not close: its frames stay 0.3 rad turned against each other");
  ok(sb_closures_assemble(l.closures, NULL, l.q, origin, NULL, &err), &err);
  assert_near(l.q[0], 0, 1e-14);
  loops_finish(&l);
}

static void couplings_that_cannot_be_met_are_named(void **state) {
  (void)state;
  const sb_vec3 z = {0, 0, 1};
  const sb_coupling_term terms[2] = {{0, 2}, {1, 5}};
  const sb_coupling gear = {"gear", terms, 2, 0.3};
  const bool fixed[2] = {true, true}, first[2] = {true, false};
  const sb_tree_body bodies[2] = {link(SB_TREE_WORLD, tilted(), 1, (sb_vec3){1, 0, 0}, z),
                                  link(SB_TREE_WORLD, tilted(), 1, (sb_vec3){1, 0, 0}, z)};
  loops l;
  int worst;
  loops_make(&l, bodies, 2, none, NULL, 0, &gear, 1);
  l.q[0] = 0.4;
  assert_int_equal(sb_closures_assemble(l.closures, fixed, l.q, origin, &worst, &err),
                   SB_ERR_UNSOLVED);
  assert_contains(err.text, "the coupling 'gear' is not met: its sum stays off by 0.5");
  ok(sb_closures_assemble(l.closures, first, l.q, origin, &worst, &err), &err);
  assert_near(l.q[1], -0.1, 1e-15);
  l.v[0] = 1;
  assert_int_equal(
      sb_closures_assemble_velocities(l.closures, fixed, l.q, origin, l.v, &worst, &err),
      SB_ERR_UNSOLVED);
  assert_contains(err.text,
                  "the coupling 'gear' forbids these velocities: its sum changes by 2 each second");
  ok(sb_closures_assemble_velocities(l.closures, first, l.q, origin, l.v, &worst, &err), &err);
  assert_near(l.v[1], -0.4, 1e-15);
  loops_finish(&l);
}

static void bricard_closes_from_nearby(void **state) {
  (void)state;
  for (int i = 0; i < 12; i++) {
    loops l;
    double before[5];
    const bool fixed[5] = {true, false, false, false, false};
    bricard(&l);
    for (int k = 0; k < 5; k++) {
      l.q[k] = 0.25 * sin(2.385 * (k + 1) * (i + 1));
      before[k] = l.q[k];
    }
    ok(sb_closures_assemble(l.closures, fixed, l.q, origin, NULL, &err), &err);
    assert_true(l.q[0] == before[0]);
    sb_tree_place(l.tree, l.q, l.tree_scratch);
    double gap[5];
    sb_closures_residual(l.closures, l.q, l.tree_scratch, gap);
    for (int k = 0; k < 5; k++) {
      assert_near(gap[k], 0, 1e-12);
    }
    loops_finish(&l);
  }
}

/** The crank's speed is given, all others follow: dx/dt = -r w (sin a + cos a sin b / (3 cos b) ...) in closed form. */
static void velocities_follow_from_the_fixed_ones(void **state) {
  (void)state;
  const bool fixed[3] = {true, false, false}, slider[3] = {true, false, true};
  int worst;
  loops l;
  slider_crank(&l, 0);
  const double a = pi / 3, b = asin(sin(a) / 3), rate = 100 * cos(a) / (3 * cos(b));
  l.q[0] = a, l.q[1] = -1, l.q[2] = 0.3;
  ok(sb_closures_assemble(l.closures, fixed, l.q, origin, &worst, &err), &err);
  assert_near(l.q[1], -b - a, 1e-13);
  assert_near(l.q[2], 0.1 * cos(a) + 0.3 * cos(b), 1e-13);
  l.v[0] = 100;
  ok(sb_closures_assemble_velocities(l.closures, fixed, l.q, origin, l.v, &worst, &err), &err);
  assert_true(l.v[0] == 100);
  assert_near(l.v[1], -rate - 100, 1e-11);
  assert_near(l.v[2], -10 * sin(a) - 0.3 * sin(b) * rate, 1e-11);
  l.v[2] += 3;
  assert_int_equal(
      sb_closures_assemble_velocities(l.closures, slider, l.q, origin, l.v, &worst, &err),
      SB_ERR_UNSOLVED);
  assert_contains(err.text,
                  "the joint 'pin' forbids these velocities: its frames part at 2.87228132 m/s");
  loops_finish(&l);
}

static void ranks_and_what_is_implied(void **state) {
  (void)state;
  sb_mobility found;
  int implied[2];
  loops l;
  four_bars(&l, 2);
  set_four_bars(&l, 2, 0.4, 0);
  ok(sb_closures_analyse(l.closures, l.q, origin, &found, implied, &err), &err);
  assert_int_equal(found.rank, 4);
  assert_int_equal(found.most, 4);
  assert_int_equal(implied[0], 3);
  assert_int_equal(implied[1], 3);
  set_four_bars(&l, 2, pi / 2, 0); // all in line: two freedoms more, there alone
  ok(sb_closures_analyse(l.closures, l.q, origin, &found, implied, &err), &err);
  assert_int_equal(found.rank, 2);
  assert_int_equal(found.most, 4);
  assert_int_equal(implied[0], 3);
  loops_finish(&l);
  bricard(&l);
  ok(sb_closures_analyse(l.closures, l.q, origin, &found, implied, &err), &err);
  assert_int_equal(found.rank, 4);
  assert_int_equal(found.most, 4);
  assert_int_equal(implied[0], 1);
  loops_finish(&l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_four_bar_closes_by_the_law_of_cosines),
      cmocka_unit_test(what_is_stated_too_often_is_met_as_closely_as_can_be),
      cmocka_unit_test(links_in_line_are_bent),
      cmocka_unit_test(a_linkage_closes_far_from_the_origin),
      cmocka_unit_test(what_cannot_close_is_named_with_its_gap),
      cmocka_unit_test(turned_frames_are_told),
      cmocka_unit_test(couplings_that_cannot_be_met_are_named),
      cmocka_unit_test(bricard_closes_from_nearby),
      cmocka_unit_test(velocities_follow_from_the_fixed_ones),
      cmocka_unit_test(ranks_and_what_is_implied),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
