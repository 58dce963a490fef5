// SPDX-License-Identifier: GPL-3.0-or-later
// The start of Perram & Wertheim: the common normal where ellipsoids touch, and the sign of their gap.
#include "tests/near.h"

#include "geometry/closest_private.h"
#include "geometry/quat.h"

/** Support of an ellipsoid about its centre, sqrt(sum (a_i n_i)^2), in its own axes. */
static double support(sb_vec3 axes, sb_vec3 n) {
  return sb_vec3_norm(sb_vec3_times(axes, n));
}

/** The point of an ellipsoid with the outward normal n: a_i^2 n_i / h. */
static sb_vec3 point(sb_vec3 axes, sb_vec3 n) {
  return sb_vec3_scale(sb_vec3_times(sb_vec3_times(axes, axes), n), 1 / support(axes, n));
}

static double gap(const ellipsoid_pair *p, sb_vec3 n) {
  return sb_vec3_dot(n, p->d) - support(p->a1, n) -
         support(p->a2, sb_mat3_apply_transposed(p->turn, n));
}

/** Pairs put together at a common normal n, `apart` from each other. */
static ellipsoid_pair pair_at(sb_vec3 n, double apart) {
  const sb_quat q = sb_quat_from_axis_angle((sb_vec3){0.3, -1.2, 0.8}, 1.31);
  ellipsoid_pair p = {.a1 = {0.9, 0.4, 0.6}, .a2 = {0.2, 1.1, 0.5}, .turn = sb_quat_rotation(q)};
  sb_vec3 own = sb_mat3_apply_transposed(p.turn, n), far = sb_mat3_apply(p.turn, point(p.a2, own));
  p.d = sb_vec3_add(sb_vec3_add(point(p.a1, n), far), sb_vec3_scale(n, apart));
  return p;
}

static void touching_it_is_the_normal(void **state) {
  (void)state;
  const sb_vec3 normals[] = {{0, 0, 1}, {0.6, 0, -0.8}, {0.48, -0.6, 0.64}, {-0.28, 0.96, 0}};
  for (int k = 0; k < 4; k++) {
    const ellipsoid_pair p = pair_at(normals[k], 0);
    const sb_vec3 n = perram_wertheim_direction(&p);
    assert_near(sb_vec3_norm(sb_vec3_sub(n, normals[k])), 0, 1e-9);
    assert_near(gap(&p, n), 0, 1e-14);
  }
}

static void sign_tells_whether_they_are_apart(void **state) {
  (void)state;
  const sb_vec3 normals[] = {{0, 0, 1}, {0.6, 0, -0.8}, {0.48, -0.6, 0.64}, {-0.28, 0.96, 0}};
  const double apart[] = {3, 0.1, 1e-3, -1e-3, -0.05};
  for (int k = 0; k < 20; k++) {
    const ellipsoid_pair p = pair_at(normals[k / 5], apart[k % 5]);
    const sb_vec3 n = perram_wertheim_direction(&p);
    assert_near(sb_vec3_norm(n), 1, 1e-15);
    assert_int_equal(gap(&p, n) > 0, apart[k % 5] > 0);
    assert_true(gap(&p, n) <= apart[k % 5] + 1e-15); // the gap is the largest over all directions
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(touching_it_is_the_normal),
      cmocka_unit_test(sign_tells_whether_they_are_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
