// SPDX-License-Identifier: GPL-3.0-or-later
// Vectors and matrices of space: the identities that hold of them, and products multiplied by hand.
#include "tests/near.h"

#include "geometry/vec3.h"

static const sb_vec3 a = {2.385, -0.7, 1.9}, b = {-1.1, 0.4, 3.2}, c = {0.6, 2.1, -0.3};
static const sb_mat3 M = {{{1, 2, 3}, {4, 5, 6}, {7, 8, 10}}};

static void assert_same(sb_vec3 have, sb_vec3 want) {
  assert_near(sb_vec3_norm(sb_vec3_sub(have, want)), 0, 1e-14 * (1 + sb_vec3_norm(want)));
}

/** Lagrange: a x (b x c) = b (a.c) - c (a.b), and (a x b).c = (b x c).a. */
static void cross_products(void **state) {
  (void)state;
  assert_same(sb_vec3_cross((sb_vec3){1, 0, 0}, (sb_vec3){0, 1, 0}), (sb_vec3){0, 0, 1});
  assert_same(
      sb_vec3_cross(a, sb_vec3_cross(b, c)),
      sb_vec3_sub(sb_vec3_scale(b, sb_vec3_dot(a, c)), sb_vec3_scale(c, sb_vec3_dot(a, b))));
  assert_near(sb_vec3_dot(sb_vec3_cross(a, b), c), sb_vec3_dot(sb_vec3_cross(b, c), a), 1e-14);
  assert_same(sb_mat3_apply(sb_mat3_hat(a), b), sb_vec3_cross(a, b));
}

static void lengths_and_directions(void **state) {
  (void)state;
  assert_near(sb_vec3_norm((sb_vec3){3, -4, 12}), 13, 0);
  assert_near(sb_vec3_norm(sb_vec3_normalize(a)), 1, 2e-16);
  assert_same(sb_vec3_scale(sb_vec3_normalize(a), sb_vec3_norm(a)), a);
  assert_true(isnan(sb_vec3_normalize((sb_vec3){0, 0, 0}).x));
  assert_same(sb_vec3_axpy(a, 2.5, b), (sb_vec3){2.385 - 2.75, 0.3, 9.9});
  assert_same(sb_mat3_apply(sb_mat3_diag(a), b), sb_vec3_times(a, b));
}

/** (3, 4, 0) c has the direction (0.6, 0.8, 0), also where its squares overflow or vanish. */
static void directions_of_any_length(void **state) {
  (void)state;
  const double sizes[] = {1, 2.385, -1e200, 1e-200, 4e307, 1e-310, 5e-324};
  for (int i = 0; i < 7; i++) {
    const sb_vec3 d = sb_vec3_direction((sb_vec3){3 * sizes[i], 4 * sizes[i], 0});
    const double sign = copysign(1, sizes[i]);
    assert_near(d.x, 0.6 * sign, 1e-15);
    assert_near(d.y, 0.8 * sign, 1e-15);
    assert_near(d.z, 0, 0);
  }
}

static void matrix_products(void **state) {
  (void)state;
  assert_same(sb_mat3_apply(M, (sb_vec3){1, -1, 2}), (sb_vec3){5, 11, 19});
  assert_same(sb_mat3_apply_transposed(M, b), sb_mat3_apply(sb_mat3_transpose(M), b));
  const sb_mat3 square = sb_mat3_mul(M, M);
  static const double by_hand[9] = {30, 36, 45, 66, 81, 102, 109, 134, 169};
  for (int i = 0; i < 9; i++) {
    assert_near(square.m[i / 3][i % 3], by_hand[i], 0);
  }
  assert_same(sb_mat3_apply(sb_mat3_outer(a, b), c), sb_vec3_scale(a, sb_vec3_dot(b, c)));
  assert_same(sb_mat3_apply(sb_mat3_add(M, sb_mat3_scale(sb_mat3_identity(), 2.385)), a),
              sb_vec3_axpy(sb_mat3_apply(M, a), 2.385, a));
}

/** Right-handed and orthonormal for every direction, the poles and both sides of the jump included. */
static void tangents(void **state) {
  (void)state;
  const sb_vec3 directions[] = {{0, 0, 1},
                                {0, 0, -1},
                                {1, 0, 0},
                                {0.6, 0.8, -0.0},
                                {0.48, -0.6, 0.64},
                                {0.6, -0.7, sqrt(0.15)},
                                {-0.6, 0.7, -sqrt(0.15)},
                                {0.8, -0.48, -0.36}};
  for (size_t k = 0; k < sizeof directions / sizeof *directions; k++) {

    const sb_vec3 n = directions[k];
    sb_vec3 e1, e2;
    sb_tangent_basis(n, &e1, &e2);
    assert_same(sb_vec3_cross(e1, e2), n);
    assert_near(sb_vec3_dot(e1, e2), 0, 1e-15);
    assert_near(sb_vec3_norm(e1), 1, 1e-15);
    assert_near(sb_vec3_norm(e2), 1, 1e-15);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cross_products),
      cmocka_unit_test(lengths_and_directions),
      cmocka_unit_test(directions_of_any_length),
      cmocka_unit_test(matrix_products),
      cmocka_unit_test(tangents),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
