// SPDX-License-Identifier: GPL-3.0-or-later
// Rotations as quaternions: products, rotation matrices and back, at every angle.
#include "tests/near.h"

#include "geometry/quat.h"

static void quaternion_product_is_composition(void **state) {
  (void)state;
  const sb_quat a = sb_quat_from_axis_angle((sb_vec3){0.3, -0.8, 0.1}, 1.37);
  const sb_quat b = sb_quat_from_axis_angle((sb_vec3){-0.6, 0.2, 0.7}, 2.21);
  const sb_mat3 product = sb_quat_rotation(sb_quat_mul(a, b));
  const sb_mat3 composed = sb_mat3_mul(sb_quat_rotation(a), sb_quat_rotation(b));
  for (int i = 0; i < 9; i++) {
    assert_near(product.m[i / 3][i % 3], composed.m[i / 3][i % 3], 1e-15);
  }
}

static void quaternion_of_no_axis_is_the_identity(void **state) {
  (void)state;
  const sb_quat q = sb_quat_from_axis_angle((sb_vec3){0, 0, 0}, 1.2);
  assert_near(q.w, 1, 0);
  assert_near(q.x * q.x + q.y * q.y + q.z * q.z, 0, 0);
}

/** An axis of any length but zero: pi/2 about z. */
static void axes_of_quaternions_are_directions(void **state) {
  (void)state;
  const double lengths[] = {1e200, 1e-200, 1e-310};
  for (int i = 0; i < 3; i++) {
    const sb_quat q = sb_quat_from_axis_angle((sb_vec3){0, 0, lengths[i]}, pi / 2);
    assert_near(q.w, sqrt(0.5), 1e-15);
    assert_near(q.z, sqrt(0.5), 1e-15);
  }
}

/** From the matrix and back at every angle, also where one of the four components is the only large one;
 *  the matrix by Rodrigues' formula 1 + sin a [e] + (1 - cos a) [e]^2. */
static void matrix_gives_the_quaternion_back(void **state) {
  (void)state;
  const sb_vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.48, -0.6, 0.64}, {-0.8, 0.36, 0.48}};
  const double angles[] = {0, 1e-9, 0.31, 1.57, 2.385, 3.1415, pi};
  for (int k = 0; k < 35; k++) {
    const sb_vec3 e = axes[k / 7];
    const double angle = angles[k % 7];
    const sb_mat3 hat = sb_mat3_hat(e);
    const sb_mat3 r = sb_mat3_add(
        sb_mat3_identity(), sb_mat3_add(sb_mat3_scale(hat, sin(angle)),
                                        sb_mat3_scale(sb_mat3_mul(hat, hat), 1 - cos(angle))));
    const sb_quat q = sb_quat_from_rotation(r);
    const double side = e.x * q.x + e.y * q.y + e.z * q.z < 0 ? -1 : 1; // at half a turn: either
    assert_near(q.w, cos(angle / 2), 3e-16);
    assert_near(side * q.x, e.x * sin(angle / 2), 3e-16);
    assert_near(side * q.y, e.y * sin(angle / 2), 3e-16);
    assert_near(side * q.z, e.z * sin(angle / 2), 3e-16);
    assert_true(q.w >= 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(quaternion_product_is_composition),
      cmocka_unit_test(quaternion_of_no_axis_is_the_identity),
      cmocka_unit_test(axes_of_quaternions_are_directions),
      cmocka_unit_test(matrix_gives_the_quaternion_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
