// SPDX-License-Identifier: GPL-3.0-or-later
// The rates of closest points against differences of re-solved pairs, their adjoints, and bounds of the gap.
#include "tests/geometry/pairs.h"

/** The pair after both bodies have moved for a time with constant spatial twists. */
static sb_closest solve_moved(const body b[2], const sb_twist T[2], double time, sb_vec3 warm) {
  body moved[2] = {b[0], b[1]};
  for (int i = 0; i < 2; i++) {
    moved[i].pose = sb_pose_compose(sb_se3_exp(sb_twist_scale(T[i], time)), b[i].pose);
  }
  return solve(moved, &warm);
}

static void assert_difference(sb_vec3 a, sb_vec3 b, double step, sb_vec3 rate) {
  const sb_vec3 difference = sb_vec3_scale(sb_vec3_sub(b, a), 0.5 / step);
  assert_near(sb_vec3_norm(sb_vec3_sub(difference, rate)), 0, 1e-6 * (1 + sb_vec3_norm(rate)));
}

static sb_twist random_twist(void) {
  return (sb_twist){random_vector(1), random_vector(1)};
}

/** Number i of random pairs. @return whether it has an answer; two planes have none, nor has what is too deep */
static bool solve_random(int i, body b[2], sb_closest *c) {
  b[0] = random_body(i % 3);
  b[1] = random_body(i / 3 % 3);
  *c = solve(b, NULL);
  return c->status == SB_CLOSEST_OK;
}

static void derivative_is_difference(void **state) {
  (void)state;
  const double step = 3e-6; // [s]
  int tested = 0;
  for (int i = 0; tested < 3000; i++) {
    body b[2];
    sb_closest c;
    if (!solve_random(i, b, &c)) {
      continue;
    }
    tested++;
    const sb_twist T[2] = {random_twist(), random_twist()};
    const sb_closest_motion m = sb_closest_derivative(&c, T[0], T[1]);
    const sb_closest before = solve_moved(b, T, -step, c.normal);
    const sb_closest after = solve_moved(b, T, step, c.normal);
    assert_difference(before.normal, after.normal, step, m.ndot);
    assert_difference(before.p1, after.p1, step, sb_vec3_add(sb_twist_at(T[0], c.p1), m.u1));
    assert_difference(before.p2, after.p2, step, sb_vec3_add(sb_twist_at(T[1], c.p2), m.u2));
    assert_near((after.gap - before.gap) / (2 * step), m.gap_rate, 1e-8);
  }
}

/** The turn of the normal alone, of every pair, with a plane on either side too. */
static void turn_is_that_of_the_motion(void **state) {
  (void)state;
  for (int i = 0; i < 2000; i++) {
    body b[2];
    sb_closest c;
    if (!solve_random(i, b, &c)) {
      continue;
    }
    const sb_twist T[2] = {random_twist(), random_twist()};
    const sb_vec3 ndot = sb_closest_derivative(&c, T[0], T[1]).ndot;
    const sb_vec3 turn = sb_closest_turn(&c, T[0], T[1]);
    assert_near(sb_vec3_norm(sb_vec3_sub(turn, ndot)), 0, 1e-9 * (1 + sb_vec3_norm(ndot)));
  }
}

/** What is told of bodies far apart: less than the gap, further than their size, and its rate. */
static void far_is_a_lower_bound(void **state) {
  (void)state;
  const double step = 1e-5; // [s]
  int far = 0;
  for (int i = 0; i < 20000; i++) {
    body b[2] = {random_body(i % 3), random_body(i / 3 % 3)};
    if (sb_closest_supported(&b[0].surface, &b[1].surface, NULL) != SB_OK) {
      continue;
    }
    b[1].pose.position = sb_vec3_scale(b[1].pose.position, between(0, 10));
    double least, near[2];
    sb_vec3 n, place[2], none[2], unused;
    if (!sb_closest_far(&b[0].surface, &b[0].pose, &b[1].surface, &b[1].pose, &least, &n, place)) {
      continue;
    }
    far++;
    const sb_closest c = solve(b, NULL);
    assert_int_equal(c.status, SB_CLOSEST_OK);
    assert_true(least > 0 && least <= c.gap * (1 + 1e-12));
    assert_near(sb_vec3_norm(n), 1, 1e-12);
    const sb_twist T[2] = {random_twist(), random_twist()};
    const double rate =
        sb_vec3_dot(n, sb_vec3_sub(sb_twist_at(T[1], place[1]), sb_twist_at(T[0], place[0])));
    for (int k = 0; k < 2; k++) {
      const double h = k == 0 ? -step : step;
      const sb_pose H1 = sb_pose_compose(sb_se3_exp(sb_twist_scale(T[0], h)), b[0].pose);
      const sb_pose H2 = sb_pose_compose(sb_se3_exp(sb_twist_scale(T[1], h)), b[1].pose);
      (void)sb_closest_far(&b[0].surface, &H1, &b[1].surface, &H2, &near[k], &unused, none);
    }
    assert_near((near[1] - near[0]) / (2 * step), rate, 1e-6 * (1 + fabs(rate)));
  }
  assert_true(far > 1000);
}

/** The bound by planes across a normal: the gap where that is the answer's, never more, and its rate that of fixed normals;
 *  across a plane always the gap. */
static void least_is_a_bound(void **state) {
  (void)state;
  const double step = 1e-6;
  for (int i = 0; i < 6000; i++) {
    body b[2] = {random_body(i % 3), random_body(i / 3 % 3)};
    const bool plane = i % 3 == 0 || i / 3 % 3 == 0;
    const sb_closest c = solve(b, NULL);
    if (c.status != SB_CLOSEST_OK) {
      continue;
    }
    sb_vec3 n = c.normal, place[2], none[2];
    const double size = 1 + sb_vec3_norm(c.p1) + sb_vec3_norm(c.p2);
    assert_near(sb_closest_least(&b[0].surface, &b[0].pose, &b[1].surface, &b[1].pose, &n, place),
                c.gap, 1e-12 * size);
    assert_near(sb_vec3_norm(sb_vec3_sub(n, c.normal)), 0, 1e-12);
    n = sb_vec3_normalize(sb_vec3_add(c.normal, random_vector(0.1)));
    const double least =
        sb_closest_least(&b[0].surface, &b[0].pose, &b[1].surface, &b[1].pose, &n, place);
    assert_true(least <= c.gap + 1e-12 * size);
    const sb_twist T[2] = {random_twist(), random_twist()};
    const double rate =
        sb_vec3_dot(n, sb_vec3_sub(sb_twist_at(T[1], place[1]), sb_twist_at(T[0], place[0])));
    double near[2];
    for (int k = 0; k < 2; k++) {
      const double h = k == 0 ? -step : step;
      sb_vec3 fixed = n;
      const sb_pose H1 = sb_pose_compose(sb_se3_exp(sb_twist_scale(T[0], h)), b[0].pose);
      const sb_pose H2 = sb_pose_compose(sb_se3_exp(sb_twist_scale(T[1], h)), b[1].pose);
      near[k] = sb_closest_least(&b[0].surface, &H1, &b[1].surface, &H2, &fixed, none);
      assert_true(plane || sb_vec3_norm(sb_vec3_sub(fixed, n)) == 0);
    }
    assert_near((near[1] - near[0]) / (2 * step), rate, 1e-6 * (size + fabs(rate)));
  }
  const sb_surface bowl =
      sb_surface_make(&sb_bowl, &(sb_surface){.semi_axes = {1, 2, 3}}, sb_pose_identity());
  const body ball = random_body(1);
  sb_vec3 n = {0, 0, 1}, place[2];
  const sb_pose here = sb_pose_identity();
  assert_true(isnan(sb_closest_least(&bowl, &here, &ball.surface, &ball.pose, &n, place)));
}

static sb_vec3 tangent(sb_vec3 n, double size) {
  const sb_vec3 v = random_vector(size);
  return sb_vec3_axpy(v, -sb_vec3_dot(v, n), n);
}

/** sb_closest_gradient makes the power g1.u1 + g2.u2 + turn n.(w2 - w1) with every twist. */
static void gradient_is_adjoint(void **state) {
  (void)state;
  for (int i = 0; i < 2000; i++) {
    body b[2];
    sb_closest c;
    if (!solve_random(i, b, &c)) {
      continue;
    }
    const sb_vec3 g1 = tangent(c.normal, 1), g2 = tangent(c.normal, 1);
    const sb_wrench K = sb_closest_gradient(&c, g1, g2, 0.713);
    const sb_twist T[2] = {random_twist(), random_twist()};
    const sb_closest_motion m = sb_closest_derivative(&c, T[0], T[1]);
    const double about = sb_vec3_dot(c.normal, sb_vec3_sub(T[1].angular, T[0].angular));
    const double want = sb_vec3_dot(g1, m.u1) + sb_vec3_dot(g2, m.u2) + 0.713 * about;
    const double size = 1 + sb_vec3_norm(m.u1) + sb_vec3_norm(m.u2);
    assert_near(sb_power(K, sb_twist_sub(T[1], T[0])), want, 1e-12 * size);
  }
}

/** Trace and determinant of L1 + L2 on the tangent plane. */
static void curvature_invariants(const sb_closest *c, double out[2]) {
  const sb_mat3 M = sb_mat3_add(c->shape1, c->shape2);
  const double trace = M.m[0][0] + M.m[1][1] + M.m[2][2];
  out[0] = trace;
  out[1] = 0.5 * (trace * trace - sb_mat3_contract(M, M));
}

/** The rate of G : (L1 + L2) where bodies that have radii of curvature are told by nothing else. */
static double rate_by_normals(const sb_closest *c, const body b[2], const sb_twist T[2],
                              sb_mat3 G) {
  sb_surface bare[2];
  sb_surface_type types[2];
  for (int i = 0; i < 2; i++) {
    bare[i] = b[i].surface;
    types[i] = *bare[i].type;
    if (types[i].radius != NULL) {
      types[i].at = NULL;
      types[i].shape_gradient = NULL;
    }
    bare[i].type = &types[i];
  }
  return sb_power(sb_closest_curvature_gradient(c, &bare[0], &b[0].pose, &bare[1], &b[1].pose, G),
                  sb_twist_sub(T[1], T[0]));
}

/** Their differential, against differences over the points of moved bodies: G is 1 - n n^T for the trace
 *  and trace (1 - n n^T) - (L1 + L2) for the determinant. */
static void curvature_gradient_is_difference(void **state) {
  (void)state;
  const double step = 1e-3; // [s]
  int tested = 0;
  for (int i = 0; tested < 1500; i++) {
    body b[2];
    sb_closest c;
    if (!solve_random(i, b, &c) || c.depth_ratio > 0.2) {
      continue;
    }
    tested++;
    const sb_twist T[2] = {random_twist(), random_twist()};
    double at[2], side[4][2];
    curvature_invariants(&c, at);
    for (int k = 0; k < 4; k++) {
      const double time = step * (k - (k < 2 ? 2 : 1)); // -2, -1, 1, 2
      const sb_closest moved = solve_moved(b, T, time, c.normal);
      curvature_invariants(&moved, side[k]);
    }
    const sb_mat3 M = sb_mat3_add(c.shape1, c.shape2);
    const sb_mat3 one =
        sb_mat3_add(sb_mat3_identity(), sb_mat3_scale(sb_mat3_outer(c.normal, c.normal), -1));
    const sb_mat3 G[2] = {one, sb_mat3_add(sb_mat3_scale(one, at[0]), sb_mat3_scale(M, -1))};
    for (int k = 0; k < 2; k++) {
      const sb_wrench K = sb_closest_curvature_gradient(&c, &b[0].surface, &b[0].pose,
                                                        &b[1].surface, &b[1].pose, G[k]);
      const double rate = sb_power(K, sb_twist_sub(T[1], T[0]));
      assert_near(rate_by_normals(&c, b, T, G[k]), rate, 1e-8 * (at[k] + fabs(rate)));
      const double difference =
          (8 * (side[2][k] - side[1][k]) - (side[3][k] - side[0][k])) / (12 * step);
      assert_near(difference, rate, 1e-8 * (at[k] + fabs(rate)));
    }
  }
}

/** The law that the energy balance rests on: the gap is the integral of n.(v2 - v1), to rounding. */
static void gap_is_integral_of_its_rate(void **state) {
  (void)state;
  int tested = 0;
  const double node = sqrt(0.6); // Gauss-Legendre with three points
  for (int i = 0; i < 50; i++) {
    const body b[2] = {random_ellipsoid(1, 3),
                       i % 2 ? random_ellipsoid(1, 3) : random_sphere(1, 1)};
    const sb_twist T[2] = {random_twist(), random_twist()};
    const sb_closest start = solve(b, NULL);
    if (start.status != SB_CLOSEST_OK) {
      continue;
    }
    enum { PANELS = 64 };
    const double time = 0.05, h = time / PANELS; // [s]
    double sum = 0;
    for (int k = 0; k < 3 * PANELS; k++) {
      const double at = (k / 3 + 0.5) * h + (k % 3 - 1) * node * 0.5 * h;
      const sb_closest c = solve_moved(b, T, at, start.normal);
      sum +=
          h * (k % 3 == 1 ? 8.0 / 18 : 5.0 / 18) * sb_closest_derivative(&c, T[0], T[1]).gap_rate;
    }
    const sb_closest end = solve_moved(b, T, time, start.normal);
    if (end.status == SB_CLOSEST_OK) {
      assert_near(end.gap - start.gap, sum, 2e-14);
      tested++;
    }
  }
  assert_true(tested > 20);
}

static void bodies_can_be_exchanged(void **state) {
  (void)state;
  for (int i = 0; i < 1000; i++) {
    const body b[2] = {random_ellipsoid(1, 10), random_ellipsoid(1, 10)};
    const sb_closest c = solve(b, NULL), back = solve((body[]){b[1], b[0]}, NULL);
    if (c.status == SB_CLOSEST_OK) {
      assert_near(back.gap, c.gap, 5e-15);
      assert_near(sb_vec3_norm(sb_vec3_add(back.normal, c.normal)), 0, 1e-12);
      assert_near(sb_vec3_norm(sb_vec3_sub(back.p1, c.p2)), 0, 1e-12);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(derivative_is_difference),
      cmocka_unit_test(turn_is_that_of_the_motion),
      cmocka_unit_test(far_is_a_lower_bound),
      cmocka_unit_test(gradient_is_adjoint),
      cmocka_unit_test(curvature_gradient_is_difference),
      cmocka_unit_test(gap_is_integral_of_its_rate),
      cmocka_unit_test(bodies_can_be_exchanged),
      cmocka_unit_test(least_is_a_bound),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
