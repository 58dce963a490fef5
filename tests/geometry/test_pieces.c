// SPDX-License-Identifier: GPL-3.0-or-later
// Surfaces that are put together of pieces: on a piece that is held they are what they are without, and behind its end it goes on, as the
// same piece of a body of which there is more of it, or as what its curvature is the change of its normal of.
#include "tests/geometry/pairs.h"

enum { SPECIMENS = 6, POINTS = 300 };

static sb_surface specimens[SPECIMENS];

static int setup(void **state) {
  (void)state;
  const sb_surface attributes[SPECIMENS] = {
      {.size = {0.9, 0.7, 0.5}, .edge_radius = 0.11},
      {.size = {0.9, 0.7, 0.22}, .edge_radius = 0.11}, // rounded all along z
      {.radius = 0.21, .length = 0.83},
      {.radius = 0.37, .length = 0.61, .edge_radius = 0.09},
      {.radius = 0.37, .length = 0.18, .edge_radius = 0.09},
      {.radius = 0.41, .length = 0.35, .edge_radius = 0.05},
  };
  const sb_surface_type *const types[SPECIMENS] = {&sb_box,      &sb_box,      &sb_capsule,
                                                   &sb_cylinder, &sb_cylinder, &sb_lens};
  for (int i = 0; i < SPECIMENS; i++) {
    specimens[i] = sb_surface_make(types[i], &attributes[i], sb_pose_identity());
  }
  return 0;
}

static sb_vec3 random_outside(const sb_surface *s) {
  return sb_vec3_scale(random_direction(), between(1.05, 1.4) * s->reach);
}

static double norm_of(sb_mat3 m) {
  return sqrt(sb_mat3_contract(m, m));
}

static double off(sb_mat3 a, sb_mat3 b) {
  return norm_of(sb_mat3_add(a, sb_mat3_scale(b, -1)));
}

static void every_kind_of_pieces_is_here(void **state) {
  (void)state;
  for (int k = 0; sb_surface_types[k] != NULL; k++) {
    bool here = sb_surface_types[k]->piece == NULL;
    for (int i = 0; i < SPECIMENS; i++) {
      here = here || specimens[i].type == sb_surface_types[k];
    }
    assert_true(here);
    assert_true(sb_surface_types[k]->piece == NULL || !sb_surface_types[k]->smooth);
  }
}

static void a_piece_is_the_surface(void **state) {
  (void)state;
  for (int i = 0; i < SPECIMENS * POINTS; i++) {
    sb_surface s = specimens[i % SPECIMENS];
    const sb_vec3 y = random_outside(&s);
    sb_surface_spot whole, held;
    sb_vec3 gradient;
    s.type->nearest(&s, y, &whole);
    s.piece = s.type->piece(&s, whole.x);
    s.type->nearest(&s, y, &held);
    assert_true(s.type->within(&s, held.x, &gradient) > 0);
    assert_near(sb_vec3_norm(sb_vec3_sub(held.x, whole.x)), 0, 1e-15);
    assert_near(sb_vec3_norm(sb_vec3_sub(held.n, whole.n)), 0, 2e-15);
    assert_near(off(held.shape, whole.shape), 0, 1e-13);
    assert_near(held.distance, whole.distance, 1e-15);
  }
}

/** Points of one piece nearest to places whose nearest point is on another: the normal is that of the way there, and L how it changes. */
static void a_piece_goes_on(void **state) {
  (void)state;
  static const double h = 1e-5;
  int beyond = 0;
  for (int i = 0; i < SPECIMENS * POINTS; i++) {
    sb_surface s = specimens[i % SPECIMENS];
    const sb_vec3 from = random_outside(&s),
                  y = sb_vec3_axpy(from, 0.1 * s.reach, random_direction());
    sb_surface_spot spot, on, ahead, back;
    sb_vec3 e[2], gradient, unused;
    s.type->nearest(&s, from, &spot);
    s.piece = s.type->piece(&s, spot.x);
    s.type->nearest(&s, y, &on);
    const double way = s.type->within(&s, on.x, &gradient);
    beyond += way < 0;
    assert_near(sb_vec3_norm(sb_vec3_sub(sb_vec3_axpy(on.x, on.distance, on.n), y)), 0, 1e-15);
    sb_tangent_basis(on.n, &e[0], &e[1]);
    for (int k = 0; k < 2; k++) {
      s.type->nearest(&s, sb_vec3_axpy(on.x, h, e[k]), &ahead);
      s.type->nearest(&s, sb_vec3_axpy(on.x, -h, e[k]), &back);
      const sb_vec3 change = sb_vec3_scale(sb_vec3_sub(ahead.n, back.n), 0.5 / h);
      assert_near(sb_vec3_norm(sb_vec3_sub(change, sb_mat3_apply(on.shape, e[k]))), 0,
                  1e-6 * (1 + norm_of(on.shape)));
      const double rate =
          (s.type->within(&s, ahead.x, &unused) - s.type->within(&s, back.x, &unused)) / (2 * h);
      const double sharp = fabs(way) < 2 * h ? 2 : 0; // other ends may be as near
      assert_near(rate, sb_vec3_dot(gradient, e[k]), 1e-6 + sharp);
    }
  }
  assert_true(beyond > SPECIMENS * POINTS / 20);
}

/** The point nearest to a place in a direction, and its piece. */
static int piece_in(const sb_surface *s, sb_vec3 direction, sb_vec3 *x) {
  sb_surface_spot spot;
  s->type->nearest(s, sb_vec3_scale(direction, 2 * s->reach / sb_vec3_norm(direction)), &spot);
  *x = spot.x;
  return s->type->piece(s, spot.x);
}

/** From one piece to the next the way to the end changes its sign, and is continuous. */
static void pieces_end_where_others_begin(void **state) {
  (void)state;
  int count = 0;
  for (int i = 0; i < SPECIMENS * POINTS; i++) {
    const sb_surface *s = &specimens[i % SPECIMENS];
    const sb_vec3 from = random_direction(), way = sb_vec3_sub(random_direction(), from);
    double low = 0, high = 1;
    sb_vec3 x, unused;
    sb_surface held = *s;
    held.piece = piece_in(s, from, &x);
    for (int k = 0; k < 50; k++) {
      const double middle = 0.5 * (low + high);
      *(piece_in(s, sb_vec3_axpy(from, middle, way), &x) == held.piece ? &low : &high) = middle;
    }
    if (high < 1) {
      count++;
      assert_near(s->type->within(&held, x, &unused), 0, 1e-12);
      held.piece = piece_in(s, sb_vec3_axpy(from, high, way), &x);
      assert_near(s->type->within(&held, x, &unused), 0, 1e-12);
    }
  }
  assert_true(count > SPECIMENS * POINTS / 3);
}

/** The side of a capsule goes on as that of a longer one, a face and an edge of a box as those of a larger box. */
static void points_go_on_as_on_a_larger_body(void **state) {
  (void)state;
  static const double more = 0.4; // [m]
  const sb_surface ellipsoid = sb_surface_ellipsoid((sb_vec3){0.3, 0.2, 0.17}, sb_pose_identity());
  const sb_surface ball = sb_surface_sphere(0.2, (sb_vec3){0, 0, 0});
  int beyond = 0;
  for (int i = 0; i < POINTS; i++) {
    const sb_surface *other = i % 2 ? &ball : &ellipsoid;
    sb_surface s = specimens[i % 4 < 2 ? 0 : 2], larger = s;
    larger.size = (sb_vec3){s.size.x + 2 * more, s.size.y, s.size.z};
    larger.length = s.length + 2 * more;
    larger = sb_surface_make(s.type, &larger, sb_pose_identity());
    const sb_pose H1 = random_pose(0), moved = {random_pose(0).rotation, random_vector(0.3)};
    const sb_pose H2 = {
        moved.rotation,
        sb_vec3_axpy(moved.position, 1, sb_mat3_apply(H1.rotation, (sb_vec3){0, 0.9, 0}))};
    sb_closest all, large, on, exchanged;
    sb_closest_points(&larger, &H1, other, &H2, NULL, &large);
    const int piece = sb_surface_piece(&larger, &H1, large.p1);
    sb_closest_points(&s, &H1, other, &H2, NULL, &all);
    const sb_vec3 x = sb_mat3_apply_transposed(H1.rotation, large.p1);
    const double straight = s.type == &sb_box ? x.x : x.z;
    if (fabs(straight) > more || large.status != SB_CLOSEST_OK) {
      continue;
    }
    s.piece = piece;
    sb_closest_go_on(&s, &H1, other, &H2, &all, &on);
    beyond += sb_surface_piece(&s, &H1, on.p1) != piece;
    assert_int_equal(on.status, large.status);
    assert_near(on.gap, large.gap, 1e-14);
    assert_near(sb_vec3_norm(sb_vec3_sub(on.p1, large.p1)), 0, 1e-13);
    assert_near(sb_vec3_norm(sb_vec3_sub(on.p2, large.p2)), 0, 1e-13);
    assert_near(off(on.shape1, large.shape1), 0, 1e-11);
    assert_near(off(on.shape2, large.shape2), 0, 1e-11);
    sb_closest_points(other, &H2, &s, &H1, NULL, &all);
    sb_closest_go_on(other, &H2, &s, &H1, &all, &exchanged);
    assert_int_equal(exchanged.status, on.status);
    assert_near(exchanged.gap, on.gap, 1e-14);
    assert_near(sb_vec3_norm(sb_vec3_sub(exchanged.p1, on.p2)), 0, 1e-13);
    assert_near(sb_vec3_norm(sb_vec3_sub(exchanged.p2, on.p1)), 0, 1e-13);
    assert_near(sb_vec3_norm(sb_vec3_add(exchanged.normal, on.normal)), 0, 1e-13);
  }
  assert_true(beyond > POINTS / 50);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kind_of_pieces_is_here), cmocka_unit_test(a_piece_is_the_surface),
      cmocka_unit_test(a_piece_goes_on), cmocka_unit_test(pieces_end_where_others_begin),
      cmocka_unit_test(points_go_on_as_on_a_larger_body)};
  return cmocka_run_group_tests(tests, setup, NULL);
}
