// SPDX-License-Identifier: GPL-3.0-or-later
// Inertias against sums over point masses.
#include "tests/mechanism/specimen.h"

enum { POINTS = 7 };

/** m (x.x 1 - x x^T) of a cloud, about the origin, point by point. */
static sb_inertia of_points(const double m[], const sb_vec3 x[]) {
  sb_inertia sum = {0};
  for (int i = 0; i < POINTS; i++) {
    sum.mass += m[i];
    sum.first = sb_vec3_axpy(sum.first, m[i], x[i]);
    sum.second.m[0][0] += m[i] * (x[i].y * x[i].y + x[i].z * x[i].z);
    sum.second.m[1][1] += m[i] * (x[i].x * x[i].x + x[i].z * x[i].z);
    sum.second.m[2][2] += m[i] * (x[i].x * x[i].x + x[i].y * x[i].y);
    sum.second.m[0][1] = sum.second.m[1][0] -= m[i] * x[i].x * x[i].y;
    sum.second.m[0][2] = sum.second.m[2][0] -= m[i] * x[i].x * x[i].z;
    sum.second.m[1][2] = sum.second.m[2][1] -= m[i] * x[i].y * x[i].z;
  }
  return sum;
}

static void assert_same(sb_inertia a, sb_inertia b, double tolerance) {
  assert_near(a.mass, b.mass, tolerance);
  assert_near(sb_vec3_norm(sb_vec3_sub(a.first, b.first)), 0, tolerance);
  for (int k = 0; k < 9; k++) {
    assert_near(a.second.m[k / 3][k % 3], b.second.m[k / 3][k % 3], tolerance);
  }
}

static void frames_and_sums_are_those_of_points(void **state) {
  (void)state;
  double m[POINTS];
  sb_vec3 x[POINTS], there[POINTS];
  sb_inertia sum = {0};
  const sb_pose pose = uniform_pose();
  for (int i = 0; i < POINTS; i++) {
    m[i] = uniform(0.1, 2);
    x[i] = uniform_vec3(1);
    there[i] = sb_pose_point(pose, x[i]);
    sum = sb_inertia_add(sum, sb_inertia_make(m[i], x[i], (sb_mat3){{{0}}}));
  }
  const sb_inertia a = of_points(m, x);
  sb_error err;
  assert_same(sum, a, 1e-14);
  assert_same(sb_inertia_transform(pose, a), of_points(m, there), 1e-13);
  ok(sb_inertia_check(&a, &err), &err);
  const sb_twist t = {uniform_vec3(2), uniform_vec3(2)};
  sb_wrench h = sb_inertia_momentum(&a, t);
  for (int i = 0; i < POINTS; i++) {
    const sb_vec3 p = sb_vec3_scale(sb_twist_at(t, x[i]), m[i]);
    h.force = sb_vec3_sub(h.force, p);
    h.moment = sb_vec3_sub(h.moment, sb_vec3_cross(x[i], p));
  }
  assert_near(sb_vec3_norm(h.force), 0, 1e-13);
  assert_near(sb_vec3_norm(h.moment), 0, 1e-13);
}

static void refused(sb_inertia a, const char *text) {
  sb_error err = {0};
  assert_int_equal(sb_inertia_check(&a, &err), SB_ERR_RANGE);
  assert_string_equal(err.text, text);
}

static void what_no_body_has_is_refused(void **state) {
  (void)state;
  const sb_vec3 far = {10, -20, 30}, none = {0, 0, 0};
  const char *const triangle = "no rigid body has this inertia: a principal moment exceeds "
                               "the sum of the other two";
  sb_error err;
  refused(sb_inertia_make(2, far, sb_mat3_diag((sb_vec3){1, 2, 3.3})), triangle);
  refused(sb_inertia_make(2, none, sb_mat3_diag((sb_vec3){1, 1, -0.1})), triangle);
  refused(sb_inertia_make(-1, none, sb_mat3_identity()),
          "the mass and the inertia must be finite, and not negative");
  refused(sb_inertia_make(1, (sb_vec3){NAN, 0, 0}, sb_mat3_identity()),
          "the mass and the inertia must be finite, and not negative");
  refused(sb_inertia_make(0, none, sb_mat3_identity()), "a body without mass has no inertia");
  // a thin rod and a point mass, wherever they are, and nothing at all
  const sb_inertia rod = sb_inertia_transform(
                       uniform_pose(), sb_inertia_make(2, far, sb_mat3_diag((sb_vec3){0, 1, 1}))),
                   point = sb_inertia_make(2, far, (sb_mat3){{{0}}}), nothing = {0};
  ok(sb_inertia_check(&rod, &err), &err);
  ok(sb_inertia_check(&point, &err), &err);
  ok(sb_inertia_check(&nothing, &err), &err);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(frames_and_sums_are_those_of_points),
      cmocka_unit_test(what_no_body_has_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
