// SPDX-License-Identifier: GPL-3.0-or-later
// How often supports are asked for: of bodies that are near but apart once at every accepted point, whatever asks for
// their distance there. The body is a ball by its support function, which counts.
#include "tests/fixture.h"

static const double radius = 0.2385; // [m]

static double counting_support(const void *data, sb_vec3 n, sb_vec3 *point) {
  ++**(long *const *)data;
  *point = sb_vec3_scale(n, radius);
  return radius;
}

static sb_mat3 ball_radius(const void *data, sb_vec3 n) {
  (void)data;
  sb_mat3 R = sb_mat3_outer(n, n);
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) {
      R.m[i][k] = radius * ((i == k) - R.m[i][k]);
    }
  }
  return R;
}

static sb_surface counting_ball(long *const *calls) {
  const sb_custom custom = {.data = calls, .support = counting_support, .radius = ball_radius};
  return sb_surface_custom(&sb_convex_body, &custom, 2 * radius, radius, sb_pose_identity());
}

/** Calls of the support function for one pair of closest points. */
static long calls_of_query(const sb_surface *plane, const sb_surface *ball, const long *calls) {
  const sb_pose floor = sb_pose_identity(), body = {floor.rotation, {0, 0, 1.3 * radius}};
  const sb_vec3 warm = {0, 0, 1};
  const long before = *calls;
  sb_closest points;
  sb_closest_points(plane, &floor, ball, &body, &warm, &points);
  assert_near(points.gap, 0.3 * radius, 1e-14);
  return *calls - before;
}

static sb_graph *falling_ball(const sb_surface *plane, const sb_surface *ball) {
  sb_graph *graph;
  sb_error err = {0};
  assert_int_equal(sb_graph_create("queries", &graph, NULL), SB_OK);
  add_kind(graph, "ground", "floor", NULL, 0);
  sb_element *body = add_kind(graph, "body", "ball", "mass", 1.7);
  set_values(body, "inertia", (double[]){0.02, 0.02, 0.02}, 3);
  set_values(body, "position", (double[]){0.1, 0.2, 1.9 * radius}, 3);
  set_values(body, "velocity", (double[]){0.3, 0, -0.2}, 3);
  sb_contact_law law = sb_contact_law_defaults();
  law.stiffness = 2385;
  sb_contact_spec spec = {.id = "c",
                          .body = {"floor", "ball"},
                          .surface = {*plane, *ball},
                          .material = {sb_material_rigid(), sb_material_rigid()},
                          .law = law};
  ok(sb_contact_add(graph, &spec, &err), &err);
  return graph;
}

static void once_at_a_point(void **state) {
  (void)state;
  long calls = 0, *const counter = &calls;
  const sb_surface plane = sb_surface_plane((sb_vec3){0, 0, 1}, 0), ball = counting_ball(&counter);
  const long each = calls_of_query(&plane, &ball, &calls);
  sb_options options = sb_options_defaults();
  options.max_step = 5e-3;
  run r = start_graph(falling_ball(&plane, &ball), options);
  advance(&r, 0.1);
  const long steps = ledger_of(&r)->work.steps, before = calls;
  assert_int_equal(ledger_of(&r)->event_count, 0);
  advance(&r, 0.5);
  const long more = ledger_of(&r)->work.steps - steps;
  assert_true(each > 0 && more >= 80);
  // one for the bound at each point, and two more where the gap has fallen to half of the last that was solved for
  assert_true(calls - before >= each * more && calls - before <= each * (more + 4));
  stop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(once_at_a_point)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
