// SPDX-License-Identifier: GPL-3.0-or-later
// exp, log and dexp of SE(3) over angles from 1e-9 to pi, against the exponential series of the
// 4 x 4 matrix summed in long double, against each other, and against differences.
#include "tests/geometry/near_vec3.h"

#include "geometry/se3.h"

typedef long double wide;

static const double angles[] = {0,    1e-12, 1e-9, 1.1e-8, 1e-6, 0.99e-4, 1.01e-4,
                                1e-3, 1e-2,  0.1,  0.5,    1.19, 1.21,    1.99,
                                2.01, 2.5,   3.0,  3.1,    3.14, 3.1415,  SB_PI};
enum { ANGLES = sizeof angles / sizeof angles[0] };

/** A twist of the given angle; three axes, so that each branch of the quaternion is met. */
static sb_twist twist(double angle, int axis) {
  const sb_vec3 axes[] = {{0.8, -0.3, 0.5}, {-0.2, 0.9, 0.3}, {0.1, 0.35, -0.9}};
  const sb_vec3 w = sb_vec3_scale(sb_vec3_normalize(axes[axis]), angle);
  return (sb_twist){w, {2.385, -0.74, 1.13}};
}

/** The upper three rows of exp of [w^ v; 0 0], by its power series. */
static void series_exp(sb_twist t, wide result[4][4]) {
  const sb_mat3 hat = sb_mat3_hat(t.angular);
  const double v[3] = {t.linear.x, t.linear.y, t.linear.z};
  wide m[4][4] = {{0}}, term[4][4] = {{0}}, next[4][4];
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      m[i][j] = hat.m[i][j];
    }
    m[i][3] = v[i];
  }
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 4; j++) {
      result[i][j] = term[i][j] = i == j;
    }
  }
  for (int k = 1; k < 50; k++) {
    for (int i = 0; i < 4; i++) {
      for (int j = 0; j < 4; j++) {
        next[i][j] = 0;
        for (int l = 0; l < 4; l++) {
          next[i][j] += term[i][l] * m[l][j] / k;
        }
      }
    }
    for (int i = 0; i < 16; i++) {
      term[i / 4][i % 4] = next[i / 4][i % 4];
      result[i / 4][i % 4] += term[i / 4][i % 4];
    }
  }
}

static void exp_is_the_series(void **state) {
  (void)state;
  for (int k = 0; k < 3 * ANGLES; k++) {
    const sb_twist t = twist(angles[k / 3], k % 3);
    const sb_pose h = sb_se3_exp(t);
    wide e[4][4];
    series_exp(t, e);
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3; j++) {
        assert_near(h.rotation.m[i][j], (double)e[i][j], 1e-15);
      }
    }
    assert_vec3(h.position, (sb_vec3){(double)e[0][3], (double)e[1][3], (double)e[2][3]}, 2e-15);
  }
}

static void log_inverts_exp(void **state) {
  (void)state;
  for (int k = 0; k < 3 * (ANGLES - 1); k++) {
    const sb_twist t = twist(angles[k / 3], k % 3);
    const sb_twist back = sb_se3_log(sb_se3_exp(t));
    assert_vec3(back.angular, t.angular, 3e-15);
    assert_vec3(back.linear, t.linear, 1e-14);
  }
}

/** Small angles keep their relative accuracy. */
static void log_of_a_small_rotation(void **state) {
  (void)state;
  const sb_twist t = twist(1e-9, 0), back = sb_se3_log(sb_se3_exp(t));
  assert_near(back.angular.x, t.angular.x, 1e-23);
}

/** At half a turn the axis may come back reversed, but the pose is the same. */
static void log_of_half_a_turn(void **state) {
  (void)state;
  for (int axis = 0; axis < 3; axis++) {
    const sb_pose h = sb_se3_exp(twist(SB_PI, axis)), back = sb_se3_exp(sb_se3_log(h));
    assert_near(sb_vec3_norm(sb_se3_log(h).angular), SB_PI, 1e-15);
    for (int i = 0; i < 9; i++) {
      assert_near(back.rotation.m[i / 3][i % 3], h.rotation.m[i / 3][i % 3], 2e-15);
    }
    assert_vec3(back.position, h.position, 1e-14);
  }
}

static sb_twist apply(double d[6][6], sb_twist t) {
  const double in[6] = {t.angular.x, t.angular.y, t.angular.z, t.linear.x, t.linear.y, t.linear.z};
  double out[6] = {0};
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 6; j++) {
      out[i] += d[i][j] * in[j];
    }
  }
  return (sb_twist){sb_vec3_load(out), sb_vec3_load(out + 3)};
}

/** With H = exp(T + s dT): the spatial twist log(H(s) H(-s)^-1) / 2 s is dexp(T) dT, the body twist
 *  log(H(-s)^-1 H(s)) / 2 s is dexp(-T) dT. */
static void dexp_is_the_difference_of_exp(void **state) {
  (void)state;
  const double s = 1e-5;
  const sb_twist dT = {{0.41, 0.87, -0.66}, {-1.31, 0.29, 0.52}};
  for (int k = 0; k < 3 * ANGLES; k++) {
    const sb_twist t = twist(angles[k / 3], k % 3);
    const sb_pose later = sb_se3_exp(sb_twist_add(t, sb_twist_scale(dT, s)));
    const sb_pose back = sb_pose_inverse(sb_se3_exp(sb_twist_add(t, sb_twist_scale(dT, -s))));
    double d[6][6];
    sb_se3_dexp(t, d);
    const sb_twist spatial = sb_twist_scale(sb_se3_log(sb_pose_compose(later, back)), 0.5 / s);
    assert_vec3(apply(d, dT).angular, spatial.angular, 1e-9);
    assert_vec3(apply(d, dT).linear, spatial.linear, 1e-9);
    sb_se3_dexp(sb_twist_scale(t, -1), d);
    const sb_twist body = sb_twist_scale(sb_se3_log(sb_pose_compose(back, later)), 0.5 / s);
    assert_vec3(apply(d, dT).linear, body.linear, 1e-9);
  }
}

/** Ad_exp(T) dexp(-T) = dexp(T), exact to rounding at every angle, unlike differences. */
static void dexp_and_the_adjoint(void **state) {
  (void)state;
  const sb_twist dT = {{0.41, 0.87, -0.66}, {-1.31, 0.29, 0.52}};
  for (int k = 0; k < 3 * ANGLES; k++) {
    const sb_twist t = twist(angles[k / 3], k % 3);
    double plus[6][6], minus[6][6];
    sb_se3_dexp(t, plus);
    sb_se3_dexp(sb_twist_scale(t, -1), minus);
    const sb_twist body = sb_twist_transform(sb_se3_exp(t), apply(minus, dT));
    assert_vec3(apply(plus, dT).angular, body.angular, 2e-15);
    assert_vec3(apply(plus, dT).linear, body.linear, 5e-15);
  }
}

static void dexp_inverse_is_the_inverse(void **state) {
  (void)state;
  for (int k = 0; k < 3 * ANGLES; k++) {
    const sb_twist t = twist(angles[k / 3], k % 3), dT = twist(0.83, (k + 1) % 3);
    double d[6][6], inverse[6][6];
    sb_se3_dexp(t, d);
    sb_se3_dexp_inverse(t, inverse);
    const sb_twist back = apply(inverse, apply(d, dT));
    assert_vec3(back.angular, dT.angular, 2e-15);
    assert_vec3(back.linear, dT.linear, 1e-14);
  }
}

static void quaternion_rotates_like_rodrigues(void **state) {
  (void)state;
  for (int k = 0; k < 3 * ANGLES; k++) {
    const sb_vec3 w = twist(angles[k / 3], k % 3).angular;
    const sb_quat q = sb_quat_from_axis_angle(w, sb_vec3_norm(w));
    const sb_quat doubled = {1.7 * q.w, 1.7 * q.x, 1.7 * q.y, 1.7 * q.z};
    const sb_mat3 r = sb_quat_rotation(doubled), e = sb_se3_exp((sb_twist){w, {0, 0, 0}}).rotation;
    const sb_quat back = sb_quat_from_rotation(r);
    const double sign = back.w * q.w + back.x * q.x + back.y * q.y + back.z * q.z;
    for (int i = 0; i < 9; i++) {
      assert_near(r.m[i / 3][i % 3], e.m[i / 3][i % 3], 2e-15);
    }
    assert_near(fabs(sign), 1, 1e-15);
    assert_near(back.y * copysign(1, sign), q.y, 1e-15);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exp_is_the_series),
      cmocka_unit_test(log_inverts_exp),
      cmocka_unit_test(log_of_a_small_rotation),
      cmocka_unit_test(log_of_half_a_turn),
      cmocka_unit_test(dexp_is_the_difference_of_exp),
      cmocka_unit_test(dexp_and_the_adjoint),
      cmocka_unit_test(dexp_inverse_is_the_inverse),
      cmocka_unit_test(quaternion_rotates_like_rodrigues),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
