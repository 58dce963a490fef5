// SPDX-License-Identifier: GPL-3.0-or-later
// The laws of twists and wrenches: power does not depend on the frame, the adjoint is a
// homomorphism whose derivative is the bracket, and the projections on se(2) x T are adjoint.
#include "tests/geometry/near_vec3.h"

#include "geometry/screw.h"
#include "geometry/se2t.h"

static const sb_twist T1 = {{0.31, -1.27, 0.45}, {2.385, 0.62, -0.88}};
static const sb_twist T2 = {{-0.74, 0.19, 1.63}, {0.27, -1.41, 0.53}};
static const sb_wrench W = {{1.17, -0.36, 2.04}, {-0.59, 3.21, 0.83}};

static void assert_twist(sb_twist a, sb_twist b, double tolerance) {
  assert_vec3(a.angular, b.angular, tolerance);
  assert_vec3(a.linear, b.linear, tolerance);
}

static void power_by_hand(void **state) {
  (void)state;
  const sb_wrench w = {{1, 2, 3}, {4, 5, 6}};
  const sb_twist t = {{0.5, 0.25, 2}, {1, -1, 0.5}};
  assert_near(sb_power(w, t), 0.5 + 0.5 + 6 + 4 - 5 + 3, 0);
}

static void power_does_not_depend_on_the_frame(void **state) {
  (void)state;
  const sb_pose h = pose(1.9);
  assert_near(sb_power(W, sb_twist_transform(h, T1)), sb_power(sb_wrench_transform_dual(h, W), T1),
              1e-14);
}

static void pose_composition_and_inverse(void **state) {
  (void)state;
  const sb_pose a = pose(0.4), b = pose(2.2);
  const sb_vec3 p = {0.3, 1.4, -0.6};
  assert_vec3(sb_pose_point(sb_pose_compose(a, b), p), sb_pose_point(a, sb_pose_point(b, p)),
              1e-14);
  assert_vec3(sb_pose_point(sb_pose_inverse(a), sb_pose_point(a, p)), p, 1e-14);
  assert_vec3(sb_pose_point(sb_pose_identity(), p), p, 0);
}

static void adjoint_is_a_homomorphism(void **state) {
  (void)state;
  const sb_pose a = pose(0.4), b = pose(2.2);
  assert_twist(sb_twist_transform(sb_pose_compose(a, b), T1),
               sb_twist_transform(a, sb_twist_transform(b, T1)), 1e-14);
  assert_twist(sb_twist_transform(sb_pose_inverse(a), sb_twist_transform(a, T1)), T1, 1e-14);
}

/** The velocity field of a rigid body is the same seen from any frame. */
static void adjoint_moves_the_velocity_field(void **state) {
  (void)state;
  const sb_pose h = pose(1.1);
  const sb_vec3 p = {-0.2, 0.9, 1.7};
  const sb_vec3 there = sb_twist_at(sb_twist_transform(h, T1), sb_pose_point(h, p));
  assert_vec3(there, sb_mat3_apply(h.rotation, sb_twist_at(T1, p)), 1e-14);
}

static void adjoint_matrix_is_the_transform(void **state) {
  (void)state;
  const sb_pose h = pose(1.1);
  const double t[6] = {T1.angular.x, T1.angular.y, T1.angular.z,
                       T1.linear.x,  T1.linear.y,  T1.linear.z};
  double a[6][6], image[6] = {0};
  sb_adjoint_matrix(h, a);
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 6; j++) {
      image[i] += a[i][j] * t[j];
    }
  }
  assert_twist((sb_twist){sb_vec3_load(image), sb_vec3_load(image + 3)}, sb_twist_transform(h, T1),
               1e-15);
}

/** The pose reached from h after the time s with the constant body twist T2, to second order. */
static sb_pose moved(sb_pose h, double s) {
  const sb_quat q = sb_quat_from_axis_angle(T2.angular, s * sb_vec3_norm(T2.angular));
  const sb_vec3 bend = sb_vec3_cross(T2.angular, T2.linear);
  const sb_vec3 p = sb_vec3_axpy(sb_vec3_scale(T2.linear, s), 0.5 * s * s, bend);
  return sb_pose_compose(h, (sb_pose){sb_quat_rotation(q), p});
}

/** d/dt Ad = Ad ad_T for the body twist T. */
static void derivative_of_adjoint_is_bracket(void **state) {
  (void)state;
  const double s = 1e-5;
  const sb_pose h = pose(0.8);
  const sb_twist later = sb_twist_transform(moved(h, s), T1);
  const sb_twist earlier = sb_twist_transform(moved(h, -s), T1);
  const sb_twist rate = sb_twist_scale(sb_twist_sub(later, earlier), 0.5 / s);
  assert_twist(rate, sb_twist_transform(h, sb_twist_bracket(T2, T1)), 1e-9);
}

static void bracket_is_a_lie_bracket(void **state) {
  (void)state;
  const sb_twist T3 = {{0.9, 0.4, -1.1}, {0.33, 0.77, 1.29}};
  assert_twist(sb_twist_bracket(T1, T2), sb_twist_scale(sb_twist_bracket(T2, T1), -1), 1e-15);
  const sb_twist jacobi =
      sb_twist_add(sb_twist_bracket(T1, sb_twist_bracket(T2, T3)),
                   sb_twist_add(sb_twist_bracket(T2, sb_twist_bracket(T3, T1)),
                                sb_twist_bracket(T3, sb_twist_bracket(T1, T2))));
  assert_twist(jacobi, (sb_twist){{0, 0, 0}, {0, 0, 0}}, 1e-14);
}

static void coadjoint_is_dual_to_bracket(void **state) {
  (void)state;
  assert_near(sb_power(sb_wrench_coadjoint(T1, W), T2), sb_power(W, sb_twist_bracket(T1, T2)),
              1e-14);
  assert_near(sb_power(sb_wrench_coadjoint(T1, W), T1), 0, 1e-14);
}

static void se2t_projection_and_embedding_are_adjoint(void **state) {
  (void)state;
  const sb_pose h = pose(2.7);
  const sb_wrench4 w = {0.83, -1.21, 2.385, 0.47};
  assert_near(sb_power4(w, sb_se2t_project(h, T1)), sb_power(sb_se2t_embed(h, w), T1), 1e-14);
}

/** P Ad_{H_0^c} with rows 4, 5, 6 and 3 of the adjoint matrix. */
static void se2t_projection_is_four_rows_of_the_adjoint(void **state) {
  (void)state;
  const sb_pose h = pose(2.7);
  const sb_twist c = sb_twist_transform(sb_pose_inverse(h), T1);
  const sb_twist4 t = sb_se2t_project(h, T1);
  assert_vec3((sb_vec3){t.x, t.y, t.z}, c.linear, 1e-14);
  assert_near(t.theta, c.angular.z, 1e-15);
}

static void tangent_basis_is_right_handed_and_orthonormal(void **state) {
  (void)state;
  for (int i = 0; i < 200; i++) {
    const double z = i < 2 ? 1 - 2 * i : cos(0.0157 * i), r = sqrt(1 - z * z);
    const sb_vec3 n = {r * cos(2.4 * i), r * sin(2.4 * i), z};
    sb_vec3 e1, e2;
    sb_tangent_basis(n, &e1, &e2);
    assert_vec3(sb_vec3_cross(e1, e2), n, 1e-15);
    assert_vec3(sb_vec3_cross(e2, n), e1, 1e-15);
    assert_near(sb_vec3_norm(e2), 1, 1e-15);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(power_by_hand),
      cmocka_unit_test(power_does_not_depend_on_the_frame),
      cmocka_unit_test(pose_composition_and_inverse),
      cmocka_unit_test(adjoint_is_a_homomorphism),
      cmocka_unit_test(adjoint_moves_the_velocity_field),
      cmocka_unit_test(adjoint_matrix_is_the_transform),
      cmocka_unit_test(derivative_of_adjoint_is_bracket),
      cmocka_unit_test(bracket_is_a_lie_bracket),
      cmocka_unit_test(coadjoint_is_dual_to_bracket),
      cmocka_unit_test(se2t_projection_and_embedding_are_adjoint),
      cmocka_unit_test(se2t_projection_is_four_rows_of_the_adjoint),
      cmocka_unit_test(tangent_basis_is_right_handed_and_orthonormal),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
