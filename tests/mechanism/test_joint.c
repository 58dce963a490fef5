// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/near.h"

#include "mechanism/joint.h"

/** Degrees of freedom as in every textbook; a free turn has one coordinate more. */
static void kinds_have_their_freedoms(void **state) {
  (void)state;
  static const struct {
    const char *name;
    int velocities, coordinates;
  } rows[] = {{"revolute", 1, 1},      {"prismatic", 1, 1}, {"helical", 1, 1},
              {"cylindrical", 2, 2},   {"universal", 2, 2}, {"spherical", 3, 4},
              {"translational", 3, 3}, {"planar", 3, 3},    {"free", 6, 7},
              {"fixed", 0, 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const sb_joint *joint = sb_joint_find(rows[i].name);
    assert_non_null(joint);
    assert_int_equal(sb_joint_velocities(joint), rows[i].velocities);
    assert_int_equal(sb_joint_coordinates(joint), rows[i].coordinates);
    assert_true(sb_joint_velocities(joint) <= SB_JOINT_VELOCITIES);
    assert_true(sb_joint_coordinates(joint) <= SB_JOINT_COORDINATES);
  }
  int count = 0;
  while (sb_joints[count].name != NULL) {
    assert_ptr_equal(sb_joint_find(sb_joints[count].name), &sb_joints[count]);
    assert_non_null(sb_joints[count++].help);
  }
  assert_int_equal(count, sizeof rows / sizeof *rows);
  assert_null(sb_joint_find("hinge"));
}

static void rest_is_no_motion(void **state) {
  (void)state;
  double q[SB_JOINT_COORDINATES];
  sb_joint_rest(sb_joint_find("free"), q);
  const double free_rest[7] = {0, 0, 0, 1, 0, 0, 0};
  assert_memory_equal(q, free_rest, sizeof free_rest);
  sb_joint_rest(sb_joint_find("planar"), q);
  assert_memory_equal(q, free_rest, 3 * sizeof *q);
}

/** The rate turns the frame with w, and takes the length of the quaternion to one. */
static void quaternion_rate_turns(void **state) {
  (void)state;
  const sb_quat q = {0.5, -0.7, 0.4, 0.6};
  const sb_vec3 w = {0.3, -1.1, 0.7};
  const double h = 1e-6, norm = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
  const sb_quat rate = sb_quat_rate(q, w);
  const sb_mat3 before = sb_quat_rotation((sb_quat){q.w - h * rate.w, q.x - h * rate.x,
                                                    q.y - h * rate.y, q.z - h * rate.z}),
                after = sb_quat_rotation((sb_quat){q.w + h * rate.w, q.x + h * rate.x,
                                                   q.y + h * rate.y, q.z + h * rate.z});
  const sb_mat3 expected = sb_mat3_mul(sb_quat_rotation(q), sb_mat3_hat(w)); // R w^
  for (int k = 0; k < 9; k++) {
    assert_near((after.m[k / 3][k % 3] - before.m[k / 3][k % 3]) / (2 * h),
                expected.m[k / 3][k % 3], 1e-9);
  }
  const double lengthened = q.w * rate.w + q.x * rate.x + q.y * rate.y + q.z * rate.z;
  assert_near(lengthened, sb_vec3_norm(w) * (1 - norm) * norm / 16, 1e-15);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kinds_have_their_freedoms),
      cmocka_unit_test(rest_is_no_motion),
      cmocka_unit_test(quaternion_rate_turns),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
