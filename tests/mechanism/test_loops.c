// SPDX-License-Identifier: GPL-3.0-or-later
// Mechanisms with loops against closed forms and against equations in one coordinate.
#include "tests/mechanism/linkages.h"

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

/** Off the closed positions by e, 1e-3 from the horizontal: by the rows there, velocities are off by e / 1e-3 times the
 *  speed, and would carry positions farther away; read in the closed position beside, they are not. */
static void errors_near_singular_positions_do_not_feed_themselves(void **state) {
  (void)state;
  const double distance = 1e-3, rate = 1.3, e = 1e-9;
  loops l;
  double off[LOOPS_MAX], v[LOOPS_MAX], gap[10];
  four_bars(&l, 2);
  set_four_bars(&l, 2, pi / 2 + distance, rate);
  memcpy(off, l.q, sizeof off);
  off[1] += e;
  sb_tree_place(l.tree, off, l.tree_scratch);
  sb_closures_residual(l.closures, off, l.tree_scratch, gap);
  assert_int_equal(sb_tree_solve(l.tree, l.p, l.tree_scratch, v), 0);
  assert_int_equal(sb_closures_factor(l.closures, l.m, l.tree_scratch, l.scratch), 4);
  sb_closures_project(l.closures, l.scratch, v, NULL, NULL);
  assert_true(fabs(v[1] - v[0]) > 0.1 * e / distance * rate);
  assert_int_equal(
      sb_closures_follow(l.closures, l.m, off, l.p, origin, v, l.tree_scratch, l.scratch), 0);
  for (int k = 0; k < 3; k++) {
    assert_near(v[k], -rate, 2e-9);
    assert_near(v[k], v[0], 2e-9); // rounding by the square of the distance
  }
  const sb_twist twist = sb_tree_twist(l.tree, l.tree_scratch, 1);
  assert_near(sb_vec3_norm(twist.angular), rate, 2e-9); // the twists go with v
  // the state itself is as far off as it was
  assert_true(sb_closures_gap(l.closures, gap) > 0.5 * e);
  assert_near(sb_closures_open(l.closures, l.scratch), sb_closures_gap(l.closures, gap), 1e-15);
  loops_finish(&l);
}

/** What a stage's momenta have that no allowed motion has does not move anything. */
static void momenta_off_the_loops_are_not_followed(void **state) {
  (void)state;
  loops l;
  double v[LOOPS_MAX], J[5 * 10];
  four_bars(&l, 2);
  set_four_bars(&l, 2, 0.4, 1.3);
  sb_closures_jacobian(l.closures, l.tree_scratch, J);
  for (int i = 0; i < 10; i++) {
    for (int k = 0; k < 5; k++) {
      l.p[k] += 0.1 * (i + 1) * J[i * 5 + k];
    }
  }
  assert_int_equal(
      sb_closures_follow(l.closures, l.m, l.q, l.p, origin, v, l.tree_scratch, l.scratch), 0);
  for (int k = 0; k < 5; k++) {
    assert_near(v[k], k < 3 ? -1.3 : 1.3, 1e-13);
  }
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

/** Off the closed positions, as the stages of a step are, its five rows say five things: with that the linkage could not move. */
static void rows_that_only_errors_make_are_kept_out(void **state) {
  (void)state;
  loops l;
  double qdot[LOOPS_MAX], pdot[LOOPS_MAX], vdot[5];
  bricard(&l);
  l.most = 4;
  (void)loops_run(&l, 0.7, 700);
  assert_int_equal(loops_rates(&l, l.q, l.p, qdot, pdot), 4);
  memcpy(vdot, l.vdot, sizeof vdot);
  for (int i = 0; i < 5; i++) {
    l.q[i] += 1e-6 * sin(2.385 * i + 1);
  }
  assert_int_equal(loops_rates(&l, l.q, l.p, qdot, pdot), 4);
  for (int i = 0; i < 5; i++) {
    assert_near(l.vdot[i], vdot[i], 1e-4);
  }
  l.most = l.m;
  assert_int_equal(loops_rates(&l, l.q, l.p, qdot, pdot), 5);
  assert_true(fabs(l.vdot[0] - vdot[0]) > 0.1);
  loops_finish(&l);
}

/** From 60 to 120 degrees, 40 rows of the 80 vanishing on the way: rate^2 = 1 + 2 kappa (1 - cos theta) and all uprights alike. */
static void eighty_rods_pass_their_singular_position(void **state) {
  (void)state;
  const int N = 40;
  const double kappa = g * ((N + 1) / 2. + N) / ((N + 1) / 3. + N), start = pi / 3;
  loops l;
  four_bars(&l, N);
  set_four_bars(&l, N, start, sqrt(1 + 2 * kappa * (1 - cos(start))));
  assert_true(loops_run(&l, 0.24, PLAIN ? 200 : 40) < 1e-12);
  const double theta = -l.q[0], rate = sqrt(1 + 2 * kappa * (1 - cos(theta)));
  assert_true(theta > 2 * pi / 3);
  for (int k = 0; k <= N; k++) {
    assert_near(l.q[k], -theta, 1e-10);
    assert_near(l.v[k], -rate, PLAIN ? 1e-8 : 1e-4);
  }
  loops_finish(&l);
}

/** One coordinate, by Lagrange; the same to 1e-13 in 80 bits. */
static void a_slider_crank_on_a_spring(void **state) {
  (void)state;
  static const double angle[3] = {1.42465900431143, 2.42297155613185, 5.31060618672364};
  static const double until[3] = {0.1, 0.2, 0.5};
  loops l;
  slider_crank(&l, 200);
  const double a = pi / 3, b = asin(sin(a) / 3);
  l.q[0] = a, l.q[1] = -b - a, l.q[2] = 0.1 * cos(a) + 0.3 * cos(b);
  const double before = loops_energy(&l);
  const double height = -sb_vec3_dot(tilted_gravity(0, -g, 0), tilted().position); // of the pivot
  assert_near(before - 2.3 * height, 1.525488535925, 1e-11);
  for (int i = 0; i < 3; i++) {
    const double time = until[i] - (i == 0 ? 0 : until[i - 1]);
    assert_true(loops_run(&l, time, (int)(20000 * time)) < 1e-14);
    assert_near(l.q[0], angle[i], 1e-9);
  }
  assert_near(l.v[0], -13.171400128953, 1e-8);
  assert_near(loops_energy(&l), before, 1e-10);
  loops_finish(&l);
}

/** The spring of Andrews' mechanism, from the world to the third body. */
static void andrews_spring(const loops *l, sb_wrench wrenches[]) {
  const sb_vec3 from = sb_pose_point(tilted(), (sb_vec3){0.014, 0.072, 0}),
                to = sb_pose_point(sb_tree_pose(l->tree, l->tree_scratch, 2),
                                   (sb_vec3){0.02, -0.018, 0}),
                arm = sb_vec3_sub(to, from);
  const double length = sb_vec3_norm(arm);
  const sb_vec3 force = sb_vec3_scale(arm, -4530 * (length - 0.07785) / length);
  wrenches[2] = (sb_wrench){sb_vec3_cross(to, force), force};
}

/** Seven planar bodies of some grams; (x, y) of the centre of mass, mass and moment of inertia. */
static void andrews(loops *l) {
  static const struct {
    int parent;
    double at[2], centre[2], mass, J, start;
  } parts[7] = {{-1, {0, 0}, {0.00092, 0}, .04325, 2.194e-6, -.0617138900142764496},
                {0, {.007, 0}, {-.0115, 0}, .00365, 4.41e-7, 0},
                {-1, {-.03635, .03273}, {.01043, -.01874}, .02373, 5.255e-6, .455279819163070380},
                {-1, {-.06934, -.00227}, {.02308, .00916}, .0705, 1.169e-5, .487364979543842550},
                {3, {.04, 0}, {0, -.00579}, .00706, 5.667e-7, .222668390165885884},
                {-1, {-.06934, -.00227}, {-.00449, -.01228}, .05498, 1.912e-5, 1.23054744454982119},
                {5, {0, -.04}, {.00579, 0}, .00706, 5.667e-7, -.222668390165885884}};
  const sb_vec3 z = {0, 0, 1};
  const sb_pose end = shifted(-.028, 0, 0); // of the second body, where all three loops meet
  const sb_closure_joint joints[3] = {pin("K3", 1, end, 2, shifted(0, -.035, 0), z),
                                      pin("K4", 1, end, 4, shifted(0, -.02, 0), z),
                                      pin("K6", 1, end, 6, shifted(.02, 0, 0), z)};
  sb_tree_body bodies[7];
  for (int i = 0; i < 7; i++) {
    const sb_pose at = shifted(parts[i].at[0], parts[i].at[1], 0);
    const double J = parts[i].J;
    bodies[i] =
        link(parts[i].parent, parts[i].parent < 0 ? sb_pose_compose(tilted(), at) : at, 1, none, z);
    bodies[i].inertia =
        sb_inertia_make(parts[i].mass, (sb_vec3){parts[i].centre[0], parts[i].centre[1], 0},
                        sb_mat3_diag((sb_vec3){J / 2, J / 2, J}));
  }
  loops_make(l, bodies, 7, none, joints, 3, NULL, 0);
  for (int i = 0; i < 7; i++) {
    l->q[i] = parts[i].start;
  }
  l->load = andrews_spring;
  l->tau[0] = 0.033;
}

/** Against one coordinate and against multipliers in 80 bits, which agree to 1e-12. */
static void andrews_mechanism_squeezes(void **state) {
  (void)state;
  double qdot[LOOPS_MAX], pdot[LOOPS_MAX];
  loops l;
  andrews(&l);
  assert_int_equal(loops_rates(&l, l.q, l.p, qdot, pdot), 6);
  assert_near(l.vdot[0], 14222.44391995, 1e-6);
  assert_near(l.vdot[1], -10666.83293997, 1e-6);
  assert_near(fabs(l.vdot[2]) + fabs(l.vdot[3]) + fabs(l.vdot[4]) + fabs(l.vdot[5]) +
                  fabs(l.vdot[6]),
              0, 1e-6);
  assert_true(loops_run(&l, 0.01, 5000) < 1e-14);
  assert_near(l.q[0], 2.1601131315315, 1e-9);
  assert_near(l.q[1], -1.883364231107, 1e-9);
  assert_near(l.q[6], 0.32864107517466, 1e-9);
  assert_near(l.v[0], 711.923152831, 1e-6);
  if (THOROUGH) {
    assert_true(loops_run(&l, 0.02, 20000) < 1e-14);
    assert_near(l.q[0], 15.810771195154, 1e-9);
    assert_near(l.q[1], -15.756371058412, 1e-9);
  }
  loops_finish(&l);
}

/** Rotors on the world about three axes, and a rack. */
static void rotors(loops *l, const sb_coupling couplings[], int count) {
  const sb_vec3 z = {0, 0, 1};
  static const double J[3] = {0.02, 0.05, 0.3};
  sb_tree_body bodies[4];
  for (int i = 0; i < 4; i++) {
    bodies[i] = link(SB_TREE_WORLD, tilted(), 1, none, z);
    bodies[i].in_parent.position.x += i;
    bodies[i].inertia = sb_inertia_make(2.385, none, sb_mat3_diag((sb_vec3){0.3, 0.3, J[i % 3]}));
  }
  bodies[3].joint = sb_joint_find("prismatic");
  loops_make(l, bodies, 4, none, NULL, 0, couplings, count);
}

static void gears_racks_and_differentials(void **state) {
  (void)state;
  const sb_coupling_term gear[2] = {{0, 3}, {1, 7}}, rack[2] = {{1, 0.08}, {3, -1}},
                         differential[3] = {{0, 1}, {1, 1}, {2, -2}};
  double qdot[LOOPS_MAX], pdot[LOOPS_MAX];
  loops l;
  // a gear, and a rack at its second wheel: w1 = -3/7 w0, v = 0.08 w1
  const sb_coupling train[2] = {{"gear", gear, 2, 0}, {"rack", rack, 2, 0}};
  rotors(&l, train, 2);
  l.tau[0] = 1.3;
  assert_int_equal(loops_rates(&l, l.q, l.p, qdot, pdot), 2);
  const double ratio = -3. / 7, all = 0.02 + ratio * ratio * (0.05 + 2.385 * 0.08 * 0.08);
  assert_near(l.vdot[0], 1.3 / all, 1e-12 / all);
  assert_near(l.vdot[1], ratio * 1.3 / all, 1e-12 / all);
  assert_near(l.vdot[3], 0.08 * ratio * 1.3 / all, 1e-12 / all);
  assert_near(l.lambda[1], -2.385 * l.vdot[3], 1e-11); // the rack is pushed by -lambda
  loops_finish(&l);
  // the cage of a differential goes with the mean of its shafts: J0 a = t + l, J1 b = l, J2 (a + b)/2 = -2 l
  const sb_coupling one = {"differential", differential, 3, 0};
  rotors(&l, &one, 1);
  l.tau[0] = 1.3;
  assert_int_equal(loops_rates(&l, l.q, l.p, qdot, pdot), 1);
  const double lambda = -1.3 / 0.02 / (1 / 0.02 + 1 / 0.05 + 4 / 0.3);
  assert_near(l.lambda[0], lambda, 1e-13);
  assert_near(l.vdot[0], (1.3 + lambda) / 0.02, 1e-11);
  assert_near(l.vdot[1], lambda / 0.05, 1e-11);
  assert_near(l.vdot[2], -2 * lambda / 0.3, 1e-11);
  loops_finish(&l);
}

/** Whatever the unit that factors are in, and told twice: half of the multiplier each, in units of its own. */
static void couplings_may_be_in_any_unit(void **state) {
  (void)state;
  const sb_coupling_term gear[2] = {{0, 3}, {1, 7}}, scaled[2] = {{0, 3e9}, {1, 7e9}};
  const sb_coupling twice[2] = {{"one", gear, 2, 0}, {"two", scaled, 2, 0}};
  double qdot[LOOPS_MAX], pdot[LOOPS_MAX];
  loops l;
  rotors(&l, twice, 1);
  l.tau[0] = 1.3;
  assert_int_equal(loops_rates(&l, l.q, l.p, qdot, pdot), 1);
  const double lambda = l.lambda[0], rate = l.vdot[0];
  loops_finish(&l);
  rotors(&l, twice, 2);
  l.tau[0] = 1.3;
  assert_int_equal(loops_rates(&l, l.q, l.p, qdot, pdot), 1);
  assert_near_relative(l.vdot[0], rate, 1e-13);
  assert_near_relative(l.lambda[0], lambda / 2, 1e-13);
  assert_near_relative(l.lambda[1], lambda / 2e9, 1e-13);
  loops_finish(&l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(four_bars_accelerate_as_in_one_coordinate),
      cmocka_unit_test(singular_positions_are_neared_without_loss_of_the_rank),
      cmocka_unit_test(errors_near_singular_positions_do_not_feed_themselves),
      cmocka_unit_test(momenta_off_the_loops_are_not_followed),
      cmocka_unit_test(four_bars_pass_their_singular_position),
      cmocka_unit_test(bricard_moves_though_counting_forbids_it),
      cmocka_unit_test(rows_that_only_errors_make_are_kept_out),
      cmocka_unit_test(eighty_rods_pass_their_singular_position),
      cmocka_unit_test(a_slider_crank_on_a_spring),
      cmocka_unit_test(andrews_mechanism_squeezes),
      cmocka_unit_test(gears_racks_and_differentials),
      cmocka_unit_test(couplings_may_be_in_any_unit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
