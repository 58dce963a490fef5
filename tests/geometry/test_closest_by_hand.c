// SPDX-License-Identifier: GPL-3.0-or-later
// Closest points known by hand, of every kind of surface on a plane, and the cases without an answer.
#include "tests/geometry/pairs.h"

static body still(sb_surface surface) {
  return (body){surface, sb_pose_identity()};
}

static void spheres_by_hand(void **state) {
  (void)state;
  const body b[2] = {still(sb_surface_sphere(0.5, (sb_vec3){0, 0, 0})),
                     still(sb_surface_sphere(0.25, (sb_vec3){0, 2.385, 0}))};
  const sb_closest c = solve(b, NULL);
  assert_near(c.gap, 1.635, 1e-15);
  assert_near(c.normal.y, 1, 0);
  assert_near(c.p1.y, 0.5, 0);
  assert_near(c.p2.y, 2.135, 1e-15);
  assert_near(c.shape1.m[0][0], 2, 1e-15);
  assert_near(c.shape2.m[2][2], 4, 1e-15);
}

/** A ball is pushed through a thin plate. While the branch lives the gap follows the motion; where
 *  it has ended the status says so; beyond the plate the bodies are apart again. */
static void ball_through_a_plate(void **state) {
  (void)state;
  body b[2] = {still(sb_surface_ellipsoid((sb_vec3){1, 0.9, 0.05}, sb_pose_identity())),
               still(sb_surface_sphere(0.3, (sb_vec3){0.13, 0.07, 0}))};
  const double step = 1e-3; // [m]
  sb_vec3 warm = {0, 0, 1};
  double last = NAN;
  int ended = 0;
  for (double z = 0.5; z > -0.5; z -= step) {
    b[1].pose.position.z = z;
    const sb_closest c = solve(b, &warm);
    if (c.status == SB_CLOSEST_AMBIGUOUS) {
      ended++;
      last = NAN;
      continue;
    }
    assert_true(isnan(last) || fabs(c.gap - last) <= step);
    assert_true(c.gap < 0 || c.status == SB_CLOSEST_OK);
    last = c.gap;
    warm = c.normal;
  }
  assert_true(ended > 0 && last > 0 && warm.z < 0);
}

/** Concentric, coincident: some answer, marked as one of many. */
static void no_unique_answer(void **state) {
  (void)state;
  const sb_vec3 o = {0, 0, 0};
  const body bodies[] = {still(sb_surface_sphere(0.5, o)),
                         still(sb_surface_ellipsoid((sb_vec3){0.3, 0.2, 0.1}, sb_pose_identity())),
                         still(sb_surface_ellipsoid((sb_vec3){1, 1, 1}, sb_pose_identity()))};
  for (int i = 0; i < 9; i++) {
    const sb_closest c = solve((body[]){bodies[i % 3], bodies[i / 3]}, NULL);
    assert_int_equal(c.status, SB_CLOSEST_AMBIGUOUS);
    assert_true(isfinite(c.gap) && c.gap < 0);
  }
}

static void no_answer(void **state) {
  (void)state;
  for (int i = 0; i < 27; i++) {
    body b[2] = {random_body(i % 3), random_body(i / 3 % 3)};
    if (i / 9 == 0) {
      b[1].pose.position.y = NAN;
    } else if (i / 9 == 1) {
      b[1].pose.rotation.m[1][2] = NAN;
    } else {
      b[1].pose.position.x = INFINITY;
    }
    const sb_closest c = solve(b, NULL);
    assert_int_equal(c.status, SB_CLOSEST_FAILED);
    assert_true(isnan(c.gap) && isnan(c.p1.x) && isnan(c.normal.z));
  }
}

static void useless_warm_start_is_none(void **state) {
  (void)state;
  const body b[2] = {random_ellipsoid(1, 5), random_ellipsoid(0.2, 5)};
  const double gap = solve(b, NULL).gap;
  assert_near(solve(b, &(sb_vec3){0, 0, 0}).gap, gap, 0);
  assert_near(solve(b, &(sb_vec3){NAN, 0, 1}).gap, gap, 0);
}

/** Of order three, a start that is off by 0.01 is off by 1e-6 and then by rounding: at the third evaluation it is seen. */
static void a_warm_start_needs_three_evaluations(void **state) {
  enum { PAIRS = 500 };
  int evaluations = 0;
  (void)state;
  for (int i = 0; i < PAIRS; i++) {
    body b[2] = {random_ellipsoid(1, 2), random_ellipsoid(1, 2)};
    frame f[2] = {world_frame(&b[0]), world_frame(&b[1])};
    const sb_vec3 n = random_direction(), warm = sb_vec3_axpy(n, 0.01, random_direction());
    (void)place(b, f, n, between(-0.05, 0.5));
    evaluations += solve(b, &warm).iterations;
  }
  assert_true(evaluations < 3.2 * PAIRS);
}

/** Edges of two boxes along each other, at angles of 45 and 30 degrees: any pair of their points is as near, and the depth is
 *  counted by r1 + r2, the radius across the edges. */
static void edges_along_each_other(void **state) {
  (void)state;
  const sb_surface a = {.size = {0.2, 0.3, 0.16}, .edge_radius = 0.011},
                   b = {.size = {0.12, 0.2, 0.3}, .edge_radius = 0.007};
  const sb_surface s[] = {sb_surface_make(&sb_box, &a, sb_pose_identity()),
                          sb_surface_make(&sb_box, &b, sb_pose_identity())};
  const sb_vec3 axis = {0, 1, 0}, up = {0.28, 0, 0.96};
  const double depth = 1e-4, angles[] = {45, 30};
  for (int i = 0; i < 2; i++) {
    sb_pose H[2];
    sb_vec3 p[2];
    for (int k = 0; k < 2; k++) {
      const sb_quat q = sb_quat_from_axis_angle(axis, (k ? -1 : 1) * angles[i] * SB_PI / 180);
      H[k] = (sb_pose){sb_quat_rotation(q), {0, 0, 0}};
      (void)sb_surface_support(&s[k], &H[k], k ? sb_vec3_neg(up) : up, &p[k]);
    }
    H[1].position = sb_vec3_axpy(sb_vec3_sub(p[0], p[1]), -depth, up);
    sb_closest c;
    sb_closest_points(&s[0], &H[0], &s[1], &H[1], &up, &c);
    assert_int_equal(c.status, SB_CLOSEST_AMBIGUOUS);
    assert_near(c.gap, -depth, 1e-15);
    assert_near(c.depth_ratio, depth / 0.018, 1e-12);
  }
}

static void planes_are_refused(void **state) {
  (void)state;
  const sb_surface plane = sb_surface_plane((sb_vec3){0, 0, 1}, 0);
  const sb_surface sphere = sb_surface_sphere(1, (sb_vec3){0, 0, 0});
  sb_error err;
  assert_int_equal(sb_closest_supported(&plane, &plane, &err), SB_ERR_CONTACT);
  assert_string_equal(err.text, "a contact between the shapes plane and plane is not supported");
  assert_int_equal(sb_closest_supported(&sphere, &plane, &err), SB_OK);
}

/** A point at the origin of its body, on the plane and at rounding beside it: no size to compare with, and nothing to find. */
static void point_on_a_plane(void **state) {
  (void)state;
  const sb_surface plane = sb_surface_plane((sb_vec3){0, 0, 1}, 0), none = {0},
                   point = sb_surface_make(&sb_point, &none, sb_pose_identity());
  for (int k = -1; k < 2; k++) {
    const double gap = k * 1e-17;
    const sb_pose here = sb_pose_identity(), at = {here.rotation, {2.385, 0.71, gap}};
    sb_closest c;
    sb_closest_points(&plane, &here, &point, &at, NULL, &c);
    assert_int_equal(c.status, SB_CLOSEST_OK);
    assert_near(c.gap, gap, 0);
    assert_near(c.p1.x, 2.385, 0);
    assert_near(c.normal.z, 1, 0);
  }
}

/** The closest points of a shape, raised by 0.3 m and turned about x by an angle, to the plane z = 0. */
static sb_closest above_plane(const sb_surface_type *type, const sb_surface *attributes,
                              double angle, sb_pose *pose) {
  const sb_surface plane = sb_surface_plane((sb_vec3){0, 0, 1}, 0),
                   s = sb_surface_make(type, attributes, sb_pose_identity());
  const sb_pose here = sb_pose_identity();
  sb_closest c;
  assert_int_equal(sb_surface_check(&s, NULL), SB_OK);
  *pose = (sb_pose){sb_quat_rotation(sb_quat_from_axis_angle((sb_vec3){1, 0, 0}, angle)),
                    {0.71, -0.4, 0.3}};
  sb_closest_points(&plane, &here, &s, pose, NULL, &c);
  return c;
}

/** A torus flat on a plane has a circle of closest points, R from its axis; on its edge it has one. */
static void torus_on_a_plane(void **state) {
  (void)state;
  const sb_surface torus = {.radius = 0.1, .tube_radius = 0.02};
  sb_pose H;
  const sb_closest flat = above_plane(&sb_torus, &torus, 0, &H);
  assert_int_equal(flat.status, SB_CLOSEST_AMBIGUOUS);
  assert_near(flat.gap, 0.28, 1e-16);
  assert_near(hypot(flat.p2.x - 0.71, flat.p2.y + 0.4), 0.1, 1e-15);
  assert_near(flat.shape2.m[0][0] + flat.shape2.m[1][1], 50, 1e-12); // 1/r and 0
  assert_near(flat.shape2.m[0][0] * flat.shape2.m[1][1], 0, 1e-12);
  const sb_closest edge = above_plane(&sb_torus, &torus, SB_PI / 2, &H);
  assert_int_equal(edge.status, SB_CLOSEST_OK);
  assert_near(edge.gap, 0.18, 1e-15);
}

/** Strictly convex, though a curvature vanishes where a coordinate of the shape is zero: h(n) is known, and with the body turning
 *  about x at w the point goes along y by w/L, that of its own motion. */
static void superellipsoid_on_a_plane(void **state) {
  (void)state;
  const double exponents[] = {2.01, 4, 20}, angle = 0.35, a = 0.1, b = 0.12, c = 0.08;
  for (int i = 0; i < 3; i++) {
    const double p = exponents[i], q = p / (p - 1);
    const sb_surface s = {.semi_axes = {a, b, c}, .exponent = p};
    const double h = pow(pow(b * sin(angle), q) + pow(c * cos(angle), q), 1 / q);
    sb_pose H;
    const sb_closest at = above_plane(&sb_superellipsoid, &s, angle, &H);
    assert_int_equal(at.status, SB_CLOSEST_OK);
    const double rounded = p > 5 ? 1e-16 : 1e-11; // its sides, within 1e-10 of its size
    assert_near(at.gap, 0.3 - h, 10 * rounded);
    assert_near(at.p2.x, 0.71, 1e-15);
    assert_near(at.shape2.m[0][0] * a, 0, p > 5 ? 0 : p > 3 ? 1e-3 : 1);
    // of h as a function of the angle t, n = (0, -sin t, -cos t): R = h + h''
    const double step = 1e-3, up = angle + step, down = angle - step;
    const double above = pow(pow(b * sin(up), q) + pow(c * cos(up), q), 1 / q);
    const double below = pow(pow(b * sin(down), q) + pow(c * cos(down), q), 1 / q);
    const double R = h + (above - 2 * h + below) / (step * step), w = 2.385;
    const sb_twist still = {{0, 0, 0}, {0, 0, 0}}, turns = {{w, 0, 0}, {0, 0, 0}};
    const sb_closest_motion motion = sb_closest_derivative(&at, still, turns);
    const double own = -w * at.p2.z; // the velocity of the body's point along y
    assert_near(motion.u2.x, 0, 1e-15);
    assert_near(fabs(motion.u1.y - own), w * R, 1e-4 * w * R);
    assert_near(motion.u2.y, motion.u1.y - own, 1e-12);
    const sb_closest upright = above_plane(&sb_superellipsoid, &s, 0, &H);
    assert_int_equal(upright.status, SB_CLOSEST_OK);
    assert_near(upright.gap, 0.3 - c, rounded);
    assert_near(sb_vec3_norm(sb_closest_derivative(&upright, still, still).u1), 0, 0);
  }
}

/** Cylinders whose flats have gone are a capsule and a disc with a half circle as its rim, in whatever unit the edge is stated. */
static void cylinders_without_flats(void **state) {
  (void)state;
  const double edges[] = {0.07, nextafter(0.07, 1), nextafter(0.07, 0)};
  for (int i = 0; i < 3; i++) {
    const sb_surface capsule = {.radius = 0.07, .length = 0.4, .edge_radius = edges[i]},
                     disc = {.radius = 0.2, .length = 0.14, .edge_radius = edges[i]},
                     box = {.size = {0.14, 0.14, 0.4}, .edge_radius = edges[i]};
    sb_pose H;
    const sb_closest c[] = {above_plane(&sb_cylinder, &capsule, 0, &H),
                            above_plane(&sb_box, &box, 0, &H),
                            above_plane(&sb_cylinder, &disc, SB_PI / 2, &H)};
    const double kx[] = {1 / 0.07, 1 / 0.07, 1 / 0.2}, gap[] = {0.1, 0.1, 0.1};
    for (int k = 0; k < 3; k++) {
      assert_int_equal(c[k].status, SB_CLOSEST_OK);
      assert_near(c[k].gap, gap[k], 1e-15);
      assert_near(c[k].shape2.m[0][0], kx[k], 1e-12);
      assert_near(c[k].shape2.m[1][1], 1 / 0.07, 1e-12);
    }
    assert_int_equal(above_plane(&sb_cylinder, &disc, 0, &H).status, SB_CLOSEST_AMBIGUOUS);
    assert_int_equal(above_plane(&sb_cylinder, &capsule, SB_PI / 2, &H).status,
                     SB_CLOSEST_AMBIGUOUS);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(spheres_by_hand),
      cmocka_unit_test(ball_through_a_plate),
      cmocka_unit_test(no_unique_answer),
      cmocka_unit_test(no_answer),
      cmocka_unit_test(useless_warm_start_is_none),
      cmocka_unit_test(a_warm_start_needs_three_evaluations),
      cmocka_unit_test(edges_along_each_other),
      cmocka_unit_test(planes_are_refused),
      cmocka_unit_test(point_on_a_plane),
      cmocka_unit_test(torus_on_a_plane),
      cmocka_unit_test(superellipsoid_on_a_plane),
      cmocka_unit_test(cylinders_without_flats),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
