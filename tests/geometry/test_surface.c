// SPDX-License-Identifier: GPL-3.0-or-later
// The laws of a convex surface, for every curved kind: the support point is the gradient of the
// support function and the radius matrix its Hessian, the normal at the support point is the
// direction asked for, and L R = 1 - n n^T. Then the parameters and their errors.
#include <float.h>
#include <string.h>

#include "tests/geometry/near_vec3.h"

#include "geometry/surface.h"
#include <float.h>

static sb_surface curved[4];
enum { CURVED = sizeof curved / sizeof curved[0] };

/** One of every kind that a netlist may name. */
static sb_surface others[32];
static int other_count;

static sb_surface one_of(const sb_surface_type *type) {
  int i = 0;
  while (others[i].type != type) {
    i++;
  }
  return others[i];
}

static int setup(void **state) {
  (void)state;
  curved[0] = sb_surface_sphere(0.2385, (sb_vec3){0.1, -0.2, 0.3});
  curved[1] = sb_surface_ellipsoid((sb_vec3){0.3, 0.2, 0.5}, pose(0.6));
  curved[2] = sb_surface_ellipsoid((sb_vec3){1.0, 0.01, 0.1}, pose(2.1));
  curved[3] = sb_surface_ellipsoid((sb_vec3){0.4, 0.4, 0.4}, sb_pose_identity());
  const sb_surface sizes = {.radius = 0.21,
                            .tube_radius = 0.12,
                            .edge_radius = 0.03,
                            .length = 0.47,
                            .exponent = 3.5,
                            .size = {0.5, 0.3, 0.2},
                            .semi_axes = {0.6, 0.5, 0.4},
                            .normal = {0.3, -2, 1},
                            .offset = 0.3};
  sb_surface flat = sizes;
  flat.length = 0.17;
  for (int i = 0; sb_surface_types[i] != NULL; i++) {
    assert_true((size_t)other_count < sizeof others / sizeof *others);
    others[other_count] = sb_surface_make(sb_surface_types[i], &sizes, pose(0.3 * i));
    if (sb_surface_check(&others[other_count], NULL) != SB_OK) {
      others[other_count] = sb_surface_make(sb_surface_types[i], &flat, pose(0.3 * i));
    }
    other_count++;
  }
  return 0;
}

static sb_vec3 direction(int i) {
  const double z = cos(0.1 + 0.3 * i), r = sqrt(1 - z * z);
  return (sb_vec3){r * cos(2.4 * i), r * sin(2.4 * i), z};
}
enum { DIRECTIONS = 10 };

/** h(n) is 1-homogeneous: differences across the sphere are differences of |n| h(n/|n|). */
static sb_vec3 point_at(const sb_surface *s, const sb_pose *body, sb_vec3 n) {
  sb_vec3 x;
  sb_surface_support(s, body, sb_vec3_normalize(n), &x);
  return x;
}
static double height_at(const sb_surface *s, const sb_pose *body, sb_vec3 n) {
  return sb_vec3_norm(n) * sb_surface_support(s, body, sb_vec3_normalize(n), NULL);
}

static const sb_vec3 basis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static void support_point_is_gradient_of_support(void **state) {
  (void)state;
  const sb_pose body = pose(1.3);
  const double step = 1e-6;
  for (int k = 0; k < CURVED * DIRECTIONS; k++) {
    const sb_surface *s = &curved[k / DIRECTIONS];
    const sb_vec3 n = direction(k % DIRECTIONS), x = point_at(s, &body, n);
    double gradient[3];
    for (int i = 0; i < 3; i++) {
      gradient[i] = (height_at(s, &body, sb_vec3_axpy(n, step, basis[i])) -
                     height_at(s, &body, sb_vec3_axpy(n, -step, basis[i]))) /
                    (2 * step);
    }
    assert_vec3(x, sb_vec3_load(gradient), 3e-9);
    assert_near(sb_vec3_dot(n, x), height_at(s, &body, n), 2e-15);
  }
}

static void radius_matrix_is_hessian_of_support(void **state) {
  (void)state;
  const sb_pose body = pose(1.3);
  const double step = 1e-6;
  for (int k = 0; k < CURVED * DIRECTIONS; k++) {
    const sb_surface *s = &curved[k / DIRECTIONS];
    const sb_vec3 n = direction(k % DIRECTIONS);
    const sb_mat3 R = sb_surface_radius_matrix(s, &body, n);
    assert_vec3(sb_mat3_apply(R, n), (sb_vec3){0, 0, 0}, 1e-14);
    for (int i = 0; i < 3; i++) {
      const sb_vec3 difference = sb_vec3_sub(point_at(s, &body, sb_vec3_axpy(n, step, basis[i])),
                                             point_at(s, &body, sb_vec3_axpy(n, -step, basis[i])));
      assert_vec3(sb_vec3_scale(difference, 0.5 / step), sb_mat3_apply(R, basis[i]), 3e-7);
    }
  }
}

static void normal_at_the_support_point(void **state) {
  (void)state;
  const sb_pose body = pose(1.3);
  for (int k = 0; k < CURVED * DIRECTIONS; k++) {
    const sb_vec3 n = direction(k % DIRECTIONS);
    const sb_surface *s = &curved[k / DIRECTIONS];
    // the rounding of a point at 1 m, times the largest curvature, 1e4 1/m
    assert_vec3(sb_surface_normal(s, &body, point_at(s, &body, n)), n, 5e-12);
  }
}

/** Kinds that are told by their points: the support point of a direction has it as its normal. */
static void support_point_of_others(void **state) {
  (void)state;
  const sb_pose body = pose(1.3);
  for (int k = 0; k < other_count * DIRECTIONS; k++) {
    const sb_surface *s = &others[k / DIRECTIONS];
    const sb_vec3 n = direction(k % DIRECTIONS);
    sb_vec3 x;
    if (!s->type->convex || s->type == &sb_point) {
      continue;
    }
    const double h = sb_surface_support(s, &body, n, &x);
    assert_near(sb_vec3_dot(n, x), h, 1e-14);
    assert_vec3(sb_surface_normal(s, &body, x), n, 1e-12);
  }
}

static void shape_inverts_the_radius_matrix(void **state) {
  (void)state;
  const sb_pose body = pose(1.3);
  for (int k = 0; k < CURVED * DIRECTIONS; k++) {
    const sb_vec3 n = direction(k % DIRECTIONS);
    const sb_surface *s = &curved[k / DIRECTIONS];
    const sb_mat3 L = sb_surface_shape(s, &body, point_at(s, &body, n));
    const sb_mat3 LR = sb_mat3_mul(L, sb_surface_radius_matrix(s, &body, n));
    double size = 0; // the product cannot be better than the rounding of L's largest entry
    for (int i = 0; i < 9; i++) {
      size = fmax(size, fabs(L.m[i / 3][i % 3]));
    }
    for (int i = 0; i < 3; i++) {
      const sb_vec3 projected = sb_vec3_axpy(basis[i], -sb_vec3_dot(n, basis[i]), n);
      assert_vec3(sb_mat3_apply(LR, basis[i]), projected, 1e-14 * (1 + size));
    }
    assert_vec3(sb_mat3_apply(L, n), (sb_vec3){0, 0, 0}, 5e-12 * (1 + size));
  }
}

/** The closed form of a kind against the default by differences. */
static void check_shape_gradient(const sb_surface *s, sb_vec3 n, sb_vec3 p) {
  const sb_pose body = pose(1.3);
  sb_surface numeric = *s;
  sb_surface_type without = *s->type;
  without.shape_gradient = NULL;
  numeric.type = &without;
  sb_vec3 e1, e2;
  sb_tangent_basis(n, &e1, &e2);
  const sb_vec3 u = sb_vec3_axpy(sb_vec3_scale(e1, 1.3), -0.7, e2);
  const sb_vec3 v = sb_vec3_axpy(sb_vec3_scale(e1, -0.7), 0.37, e2);
  const sb_mat3 G = sb_mat3_add(sb_mat3_outer(u, e1), sb_mat3_outer(v, e2));
  const sb_mat3 L = sb_surface_shape(s, &body, p);
  assert_vec3(sb_surface_shape_gradient(s, &body, p, G),
              sb_surface_shape_gradient(&numeric, &body, p, G),
              1e-8 * sb_mat3_contract(L, L)); // a point at 1 m, curvatures of 1e4 1/m
}

static void shape_gradient_is_difference(void **state) {
  (void)state;
  const sb_pose body = pose(1.3);
  for (int k = 0; k < CURVED * DIRECTIONS; k++) {
    const sb_vec3 n = direction(k % DIRECTIONS);
    check_shape_gradient(&curved[k / DIRECTIONS], n, point_at(&curved[k / DIRECTIONS], &body, n));
  }
  for (int k = 0; k < other_count * DIRECTIONS; k++) { // without those that are curved[] above
    const sb_surface *s = &others[k / DIRECTIONS];
    if (!s->type->smooth || s->type->curved || !s->type->nearest || !s->type->shape_gradient) {
      continue;
    }
    const sb_pose world = sb_pose_compose(body, s->local);
    sb_surface_spot spot;
    s->type->nearest(s, sb_vec3_scale(direction(k % DIRECTIONS), 0.33), &spot);
    check_shape_gradient(s, sb_mat3_apply(world.rotation, spot.n), sb_pose_point(world, spot.x));
  }
  const sb_surface plane = sb_surface_plane((sb_vec3){0, 0, 1}, 0.3);
  check_shape_gradient(&plane, sb_surface_normal(&plane, &body, body.position), body.position);
}

/** Its sides up to p = 5 are rounded within 1e-10 of its size: the point with a normal has that normal, it is the gradient of the support function, and
 *  the curvatures are finite and positive everywhere. */
static void sides_of_a_superellipsoid_are_rounded(void **state) {
  (void)state;
  static const double exponents[] = {2.2, 3, 4, 5};
  const sb_pose id = sb_pose_identity();
  const sb_vec3 axes = {0.6, 0.5, 0.4};
  for (int i = 0; i < 4; i++) {
    const double p = exponents[i];
    const sb_surface s =
        sb_surface_make(&sb_superellipsoid, &(sb_surface){.semi_axes = axes, .exponent = p}, id);
    for (double slope = 1e-2; slope > 1e-13; slope *= 0.1) {
      const sb_vec3 n = sb_vec3_normalize((sb_vec3){slope, 0.3 * slope, 1});
      sb_vec3 x, ahead, behind;
      const double h = s.type->support(&s, n, &x), step = 1e-3 * slope;
      const double exact =
          pow(fabs(x.x / axes.x), p) + pow(fabs(x.y / axes.y), p) + pow(fabs(x.z / axes.z), p);
      assert_near(exact, 1, 1e-9);
      assert_near(h, sb_vec3_dot(n, x), 1e-16);
      assert_near_relative(sb_surface_normal(&s, &id, x).x, n.x, 1e-9);
      const double change = s.type->support(&s, (sb_vec3){n.x + step, n.y, n.z}, &ahead) -
                            s.type->support(&s, (sb_vec3){n.x - step, n.y, n.z}, &behind);
      assert_near(change / (2 * step), x.x, 1e-6 * x.x + 1e-16 / step);
      const double L = sb_surface_shape(&s, &id, x).m[0][0];
      assert_near((ahead.x - behind.x) / (2 * step) * L, 1, 1e-2); // L R = 1 but for n across
    }
  }
}

/** The gradient of a superellipsoid against differences over a thousandth of the distance from the planes of symmetry, where
 *  none is larger in the terms of third derivatives; with p = 2 it is that of an ellipsoid. */
static void gradient_of_a_superellipsoid(void **state) {
  (void)state;
  static const double exponents[] = {3.2, 3.5, 5, 9}, near[] = {1e-1, 1e-3, 1e-6, 3e-3, 2e-4};
  const sb_pose id = sb_pose_identity();
  const sb_vec3 axes = {0.6, 0.5, 0.4};
  for (int i = 0; i < 4 * 5; i++) {
    const double p = exponents[i / 5], x = near[i % 5], y = 0.31, h = 1e-3 * x;
    const sb_surface s =
        sb_surface_make(&sb_superellipsoid, &(sb_surface){.semi_axes = axes, .exponent = p}, id);
    // the point above (x, y), and the change of its normal curvature along x by that of x
    double L[2];
    for (int side = 0; side < 2; side++) {
      const double to = x + (side ? h : -h);
      const double z = pow(1 - pow(to / axes.x, p) - pow(y / axes.y, p), 1 / p) * axes.z;
      L[side] = sb_surface_shape(&s, &id, (sb_vec3){to, y, z}).m[0][0];
    }
    const double z = pow(1 - pow(x / axes.x, p) - pow(y / axes.y, p), 1 / p) * axes.z;
    const sb_vec3 at = {x, y, z}, n = sb_surface_normal(&s, &id, at);
    const sb_vec3 ahead = {1, 0, -n.x / n.z}; // along the surface, x by 1
    // e_x e_x less its parts across: those change with n, by L, as L n = 0 and n' = L ahead
    const sb_vec3 turned = sb_mat3_apply(sb_surface_shape(&s, &id, at), ahead);
    const sb_vec3 Lx = sb_mat3_apply(sb_surface_shape(&s, &id, at), basis[0]);
    const double across = 2 * n.x * sb_vec3_dot(turned, Lx);
    const sb_vec3 g = sb_surface_shape_gradient(&s, &id, at, sb_mat3_outer(basis[0], basis[0]));
    const double change = (L[1] - L[0]) / (2 * h);
    assert_near(sb_vec3_dot(g, ahead) - across, change, 1e-4 * fabs(change) + 1e-12);
  }
  sb_surface two =
      sb_surface_make(&sb_superellipsoid, &(sb_surface){.semi_axes = axes, .exponent = 2}, id);
  const sb_surface ellipsoid = sb_surface_ellipsoid(axes, id);
  const sb_vec3 top = {0, 0, 0.4}, side = point_at(&ellipsoid, &id, (sb_vec3){0.3, -0.7, 0.2});
  const sb_mat3 G = sb_mat3_diag((sb_vec3){1.3, 0.7, 0});
  assert_vec3(sb_surface_shape_gradient(&two, &id, top, G), (sb_vec3){0, 0, 0}, 1e-15);
  sb_vec3 e1, e2;
  sb_tangent_basis(sb_surface_normal(&two, &id, side), &e1, &e2);
  const sb_mat3 across = sb_mat3_outer(e1, e1);
  assert_vec3(sb_surface_shape_gradient(&two, &id, side, across),
              sb_surface_shape_gradient(&ellipsoid, &id, side, across), 1e-12);
}

/** The vertices of an ellipsoid: radii of curvature b^2/a and c^2/a at the end of a. */
static void ellipsoid_by_hand(void **state) {
  (void)state;
  const sb_surface s = sb_surface_ellipsoid((sb_vec3){0.5, 0.2, 0.3}, sb_pose_identity());
  const sb_pose body = sb_pose_identity();
  sb_vec3 x;
  assert_near(sb_surface_support(&s, &body, basis[0], &x), 0.5, 1e-16);
  assert_vec3(x, (sb_vec3){0.5, 0, 0}, 1e-16);
  const sb_mat3 R = sb_surface_radius_matrix(&s, &body, basis[0]);
  assert_near(R.m[1][1], 0.04 / 0.5, 1e-16);
  assert_near(R.m[2][2], 0.09 / 0.5, 1e-16);
  const sb_mat3 L = sb_surface_shape(&s, &body, x);
  assert_near(L.m[1][1], 0.5 / 0.04, 1e-14);
  assert_near(L.m[2][2], 0.5 / 0.09, 1e-14);
}

static void plane_is_a_half_space(void **state) {
  (void)state;
  const sb_surface s = sb_surface_plane((sb_vec3){0, 3, 4}, 0.7);
  const sb_pose body = {sb_mat3_identity(), {0, 1, 2}};
  const sb_vec3 n = {0, 0.6, 0.8};
  sb_vec3 x;
  assert_near(sb_surface_support(&s, &body, n, &x), 0.7 + 0.6 + 1.6, 1e-15);
  assert_near(sb_vec3_dot(n, x), 2.9, 1e-15);
  assert_true(isinf(sb_surface_support(&s, &body, basis[0], NULL)));
  assert_vec3(sb_surface_normal(&s, &body, x), n, 2e-16);
  assert_near(sb_surface_shape(&s, &body, x).m[0][0], 0, 0);
  assert_true(isnan(sb_surface_radius_matrix(&s, &body, n).m[0][0]));
}

static void sizes(void **state) {
  (void)state;
  const sb_surface plane = sb_surface_plane(basis[2], 0);
  assert_near(sb_surface_width(&curved[0]), 0.477, 1e-16);
  assert_near(sb_surface_width(&curved[1]), 0.4, 1e-16);
  assert_near(sb_surface_bounding_radius(&curved[0]), 0.2385 + sqrt(0.14), 1e-15);
  assert_true(isinf(sb_surface_width(&plane)) && isinf(sb_surface_bounding_radius(&plane)));
}

/** 2/5 m r^2, and m/5 (b^2 + c^2) with its cyclic permutations. */
static void inertia_of_the_uniform_solid(void **state) {
  (void)state;
  const sb_surface plane = sb_surface_plane(basis[2], 0);
  const double ball = 0.4 * 1.7 * 0.2385 * 0.2385;
  assert_vec3(sb_surface_inertia(&curved[0], 1.7), (sb_vec3){ball, ball, ball}, 1e-16);
  assert_vec3(sb_surface_inertia(&curved[1], 2.5), (sb_vec3){0.145, 0.17, 0.065}, 1e-16);
  assert_near(sb_surface_volume(&curved[0]), 4 * SB_PI / 3 * pow(curved[0].radius, 3), 1e-15);
  assert_true(isnan(sb_surface_inertia(&plane, 1).x) && isnan(sb_surface_volume(&plane)));
}

/** Two caps of the height h of a ball R, pi h^2 (3 R - h)/3 each, if the rim is sharp; a ball if it is as thick as wide, whatever
 *  its rim; nearly two cones' worth, pi p^2 h, of a thin one. */
static void lens_by_hand(void **state) {
  (void)state;
  const sb_pose id = sb_pose_identity();
  const double p = 0.4, h = 0.1, R = 0.5 * (p * p / h + h), r = 0.25;
  const sb_surface sharp =
      sb_surface_make(&sb_lens, &(sb_surface){.radius = p, .length = 2 * h}, id);
  assert_near(sb_surface_volume(&sharp), 2 * SB_PI / 3 * h * h * (3 * R - h), 1e-16);
  const sb_surface thin = sb_surface_make(&sb_lens, &(sb_surface){.radius = p, .length = 2e-4}, id);
  assert_near_relative(sb_surface_volume(&thin), SB_PI * p * p * 1e-4, 1e-7);
  for (int i = 0; i < 2; i++) {
    const sb_surface ball = sb_surface_make(
        &sb_lens, &(sb_surface){.radius = r, .length = 2 * r, .edge_radius = 0.1 * i}, id);
    assert_near(sb_surface_volume(&ball), 4 * SB_PI / 3 * r * r * r, 1e-16);
    assert_vec3(sb_surface_inertia(&ball, 2.385),
                (sb_vec3){0.954 * r * r, 0.954 * r * r, 0.954 * r * r}, 1e-16);
  }
}

/** By differences, away from where patches of the surface meet: the distance of the nearest spot has
 *  the outward normal as its gradient, and L/(1 + s L) as its Hessian. */
static void nearest_spot_of_a_field(void **state) {
  (void)state;
  const double step = 1e-5;
  int tested = 0;
  for (int k = 0; k < (other_count + CURVED) * 40; k++) {
    const sb_surface *s = k < CURVED * 40 ? &curved[k / 40] : &others[k / 40 - CURVED];
    if (!s->type->nearest) {
      continue;
    }
    const sb_vec3 y = sb_vec3_scale(direction(k % 40), 0.1 + 0.013 * (k % 40));
    sb_surface_spot spot, on, beside[6];
    s->type->nearest(s, y, &spot);
    if (!spot.unique || fabs(spot.distance) < 1e-3) {
      continue;
    }
    s->type->at(s, spot.x, &on);
    assert_vec3(sb_vec3_axpy(spot.x, spot.distance, spot.n), y, 1e-14);
    bool smooth = true;
    for (int i = 0; i < 6; i++) {
      s->type->nearest(s, sb_vec3_axpy(y, i % 2 ? step : -step, basis[i / 2]), &beside[i]);
      const double change = sb_vec3_norm(
          sb_mat3_apply(sb_mat3_add(beside[i].shape, sb_mat3_scale(spot.shape, -1)), direction(3)));
      smooth =
          smooth && change < 1e-2 * (1 + sb_vec3_norm(sb_mat3_apply(spot.shape, direction(3))));
    }
    if (!smooth || s->type == &sb_point) {
      continue;
    }
    tested++;
    assert_vec3(on.n, spot.n, 1e-12);
    for (int i = 0; i < 3; i++) {
      const double rate = (beside[2 * i + 1].distance - beside[2 * i].distance) / (2 * step);
      assert_near(rate, sb_vec3_dot(spot.n, basis[i]), 1e-6);
      // dn = L dx, and dx = dy - d(s) n - s dn along the surface: (1 + s L) dn = L dy
      const sb_vec3 dn =
          sb_vec3_scale(sb_vec3_sub(beside[2 * i + 1].n, beside[2 * i].n), 0.5 / step);
      const sb_vec3 left = sb_vec3_axpy(dn, spot.distance, sb_mat3_apply(spot.shape, dn));
      assert_vec3(left, sb_mat3_apply(spot.shape, basis[i]),
                  1e-4 * (1 + 0.01 * sb_vec3_norm(left)));
    }
  }
  assert_true(tested > 150);
}

/** Against sums over 120^3 cells of a box around the shape; a ball of one is checked above. */
static void inertia_by_counting(void **state) {
  (void)state;
  for (int k = 0; k < other_count; k++) {
    const sb_surface *s = &others[k];
    const int CELLS = THOROUGH ? 120 : 40;
    const double tolerance = 1e-3 * pow(120. / CELLS, 2);
    double inside = 0, xx = 0, yy = 0, zz = 0;
    if (!s->type->volume) {
      continue;
    }
    for (int i = 0; i < CELLS * CELLS * CELLS; i++) {
      const int at[3] = {i % CELLS, i / CELLS % CELLS, i / (CELLS * CELLS)};
      const double h = 2 * s->reach / CELLS;
      const sb_vec3 y = {(at[0] + 0.5) * h - s->reach, (at[1] + 0.5) * h - s->reach,
                         (at[2] + 0.5) * h - s->reach};
      sb_surface_spot spot;
      (s->type->nearest ? s->type->nearest : s->type->at)(s, y, &spot);
      const double share =
          fmax(0, fmin(1, 0.5 - spot.distance / h)); // of a cell across the surface
      inside += share;
      xx += share * y.x * y.x, yy += share * y.y * y.y, zz += share * y.z * y.z;
    }
    const sb_vec3 J = sb_surface_inertia(s, 2.385);
    const double scale = 2.385 / inside;
    assert_vec3(J, (sb_vec3){scale * (yy + zz), scale * (xx + zz), scale * (xx + yy)},
                tolerance * J.z);
    const double cell = 2 * s->reach / CELLS, volume = sb_surface_volume(s);
    assert_near(inside * cell * cell * cell, volume, tolerance * volume);
  }
}

static void refused(sb_surface s, const char *text) {
  sb_error err;
  assert_int_equal(sb_surface_check(&s, &err), SB_ERR_RANGE);
  assert_string_equal(err.text, text);
}

/** |x|^2 - 1/4 with a sign, and the gradient with another. */
static double ball_of_signs(const void *data, sb_vec3 x, sb_vec3 *gradient, sb_mat3 *hessian) {
  const double *sign = data;
  *gradient = sb_vec3_scale(x, 2 * sign[1]);
  *hessian = sb_mat3_scale(sb_mat3_identity(), 2 * sign[1]);
  return sign[0] * (sb_vec3_dot(x, x) - 0.25);
}

static void functions_of_other_signs_are_refused(void **state) {
  (void)state;
  static const double signs[3][2] = {{1, 1}, {-1, -1}, {1, -1}};
  for (int i = 0; i < 3; i++) {
    const sb_custom custom = {.data = signs[i], .value = ball_of_signs};
    const sb_surface s = sb_surface_custom(&sb_implicit, &custom, 1, 0.5, sb_pose_identity());
    if (i == 0) {
      assert_int_equal(sb_surface_check(&s, NULL), SB_OK);
    } else if (i == 1) {
      refused(s, "the function of an implicit-surface must be negative inside, and is 0.25 at the "
                 "origin of the shape");
    } else {
      refused(s, "the function of an implicit-surface must not be negative at its reach of 0.5 m, "
                 "where it grows outwards, and is 0 there with a slope of -1 1/m");
    }
  }
}

static void bad_parameters_are_refused(void **state) {
  (void)state;
  const sb_pose id = sb_pose_identity();
  sb_pose bent = id;
  bent.rotation.m[0][1] = 1e-3;
  const char *none = "the normal of a plane is zero or no number, and tells no direction";
  refused(sb_surface_plane((sb_vec3){0, 0, 0}, 0), none);
  refused(sb_surface_plane((sb_vec3){INFINITY, 0, 0}, 0), none);
  refused(sb_surface_plane((sb_vec3){NAN, 1, 0}, 0), none);
  for (int i = 0; i < 3; i++) { // any other length is one
    const double length = (double[]){5e-324, 3e-200, DBL_MAX}[i];
    const sb_surface plane = sb_surface_plane((sb_vec3){0, -length, 0}, 0.3);
    assert_int_equal(sb_surface_check(&plane, &(sb_error){0}), SB_OK);
    assert_true(plane.normal.x == 0 && plane.normal.y == -1 && plane.normal.z == 0);
  }
  refused(sb_surface_plane(basis[0], INFINITY),
          "the offset of a plane must be from -1e+30 to 1e+30 m, not inf m");
  refused(sb_surface_sphere(-0.5, basis[0]),
          "the radius of a sphere must be positive and finite, not -0.5 m");
  refused(sb_surface_sphere(1e200, basis[0]),
          "the radius of a sphere must be from 1e-30 to 1e+30 m, not 1e+200 m");
  refused(sb_surface_ellipsoid((sb_vec3){1e-31, 1e-30, 1e-30}, id),
          "the semi-axes of an ellipsoid must be from 1e-30 to 1e+30 m, not 1e-31 m");
  refused(sb_surface_ellipsoid((sb_vec3){1e29, 1e30, 2e30}, id),
          "the semi-axes of an ellipsoid must be from 1e-30 to 1e+30 m, not 2e+30 m");
  refused(sb_surface_sphere(0.5, (sb_vec3){0, NAN, 0}),
          "the local pose of a sphere must be finite and a rotation");
  refused(sb_surface_sphere(0.5, (sb_vec3){0, -1e200, 0}),
          "the place of a sphere in its body must be from -1e+30 to 1e+30 m, not 1e+200 m away");
  refused(sb_surface_ellipsoid((sb_vec3){1, 0, 2}, id),
          "the semi-axes of an ellipsoid must be positive and finite, not 1, 0, 2 m");
  refused(sb_surface_ellipsoid((sb_vec3){1, INFINITY, 2}, id),
          "the semi-axes of an ellipsoid must be positive and finite, not 1, inf, 2 m");
  refused(sb_surface_ellipsoid((sb_vec3){1, 1e-5, 2}, id),
          "the semi-axes of an ellipsoid span a ratio of 200000; at most 10000 is supported");
  refused(sb_surface_ellipsoid((sb_vec3){1, 1, 2}, bent),
          "the local pose of an ellipsoid must be finite and a rotation");
  sb_surface bad = one_of(&sb_box);
  bad.size.y = -0.3;
  refused(bad, "the size of a box must be positive and finite, not -0.3 m");
  bad = one_of(&sb_box);
  bad.edge_radius = 0.2;
  refused(bad, "the edge-radius of this box must be from 2.90192237e-05 to 0.1 m, not 0.2 m");
  bad.edge_radius = 0;
  sb_error err;
  assert_int_equal(sb_surface_check(&bad, &err), SB_OK);
  assert_int_equal(sb_surface_check_edges(&bad, &err), SB_ERR_MISSING);
  assert_string_equal(err.text,
                      "a box without an edge-radius has sharp edges, and can be in no contact");
  bad = one_of(&sb_cylinder);
  bad.length = 0;
  refused(bad, "the length of a cylinder must be positive and finite, not 0 m");
  bad = one_of(&sb_bowl);
  bad.semi_axes.z = 1e-7;
  refused(bad, "the semi-axes of a bowl span a ratio of 6000000; at most 10000 is supported");
  bad = one_of(&sb_capsule);
  bad.length = 0.315;
  refused(bad, "the length of a capsule must be from 2 to 10000 times its radius, not 1.5 times");
  bad = one_of(&sb_lens);
  bad.length = 0.84;
  refused(bad, "half the length of a lens must be from 0.0001 to 1 times its radius, not 2 times");
  bad = one_of(&sb_superellipsoid);
  bad.exponent = 1.5;
  refused(bad, "the exponent of a superellipsoid must be from 2 to 20, not 1.5");
  bad = one_of(&sb_torus);
  bad.tube_radius = 0.4;
  refused(bad, "the tube-radius of a torus must be less than its radius, not 0.4 against 0.21 m");
}

static void good_parameters_are_accepted(void **state) {
  (void)state;
  const sb_surface plane = sb_surface_plane((sb_vec3){0, -2, 1}, 0.3);
  assert_int_equal(sb_surface_check(&plane, NULL), SB_OK);
  for (int i = 0; i < CURVED; i++) {
    assert_int_equal(sb_surface_check(&curved[i], NULL), SB_OK);
  }
}

static void every_kind_has_a_name_and_sizes(void **state) {
  (void)state;
  sb_error err;
  for (int i = 0; i < other_count; i++) {
    assert_true(strlen(others[i].type->name) > 0 && strlen(others[i].type->help) > 0);
    ok(sb_surface_check(&others[i], &err), &err);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(support_point_is_gradient_of_support),
      cmocka_unit_test(radius_matrix_is_hessian_of_support),
      cmocka_unit_test(normal_at_the_support_point),
      cmocka_unit_test(support_point_of_others),
      cmocka_unit_test(shape_inverts_the_radius_matrix),
      cmocka_unit_test(shape_gradient_is_difference),
      cmocka_unit_test(gradient_of_a_superellipsoid),
      cmocka_unit_test(sides_of_a_superellipsoid_are_rounded),
      cmocka_unit_test(ellipsoid_by_hand),
      cmocka_unit_test(lens_by_hand),
      cmocka_unit_test(plane_is_a_half_space),
      cmocka_unit_test(sizes),
      cmocka_unit_test(inertia_of_the_uniform_solid),
      cmocka_unit_test(nearest_spot_of_a_field),
      cmocka_unit_test(inertia_by_counting),
      cmocka_unit_test(functions_of_other_signs_are_refused),
      cmocka_unit_test(bad_parameters_are_refused),
      cmocka_unit_test(good_parameters_are_accepted),
      cmocka_unit_test(every_kind_has_a_name_and_sizes),
  };
  return cmocka_run_group_tests(tests, setup, NULL);
}
