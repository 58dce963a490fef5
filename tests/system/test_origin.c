// SPDX-License-Identifier: GPL-3.0-or-later
// A scene far from the world's origin counts from a point near by, and tells nobody: what is read of it is that of the
// same scene near the origin, moved. Expected: of a wrench (m, f) about the world's origin (m + s x f, f), of a twist
// (w, v + s x w), of angular momentum L + s x p, of the energy -m g.s more, with s the shift.
#include "core/model/model_data.h"
#include "geometry/screw.h"
#include "tests/fixture.h"

enum { TEXT_SIZE = 2000 };
static const double mass = 1.3, fall = 9.81; // [kg], [m/s^2]

/** Two balls of 0.1 and 0.08 m on a floor, the second one on the first. */
static run start_at(sb_vec3 s, double t, bool sensed) {
  char text[TEXT_SIZE];
  (void)snprintf(text, sizeof text,
                 "<screwbond version='1' id='m'>"
                 "<materials><material id='rubber' stiffness='1500 1500 2000 N/m' "
                 "spin-stiffness='2 N.m/rad'/></materials>"
                 "<laws><contact-law id='l' normal='linear' friction='coulomb' mu='0.3' "
                 "friction-radius='1 cm' "
                 "friction-damping='1 ms'/></laws><mechanism gravity='0 0 -9.81 m/s^2'>"
                 "<ground id='floor' material='rubber'><shape kind='plane' normal='0 0 1' "
                 "offset='%.17g m'/></ground>"
                 "<body id='a' mass='1.3 kg' material='rubber' position='%.17g %.17g %.17g m' "
                 "velocity='0.3 0.1 0 m/s' "
                 "angular-velocity='1 2 3 rad/s'><shape kind='sphere' radius='0.1 m'/></body>"
                 "<body id='b' mass='0.7 kg' material='rubber' position='%.17g %.17g %.17g m'>"
                 "<shape kind='sphere' radius='8 cm'/></body>"
                 "<contacts law='l' among='floor a b'/></mechanism>"
                 "%s<run t-end='1 s' method='dormand-prince-5' rtol='1e-9'/></screwbond>",
                 s.z, s.x, s.y, s.z + 0.0998, s.x + 0.03, s.y, s.z + 0.2755,
                 sensed ? "<network><signal id='height' of='b.x.z'/></network>" : "");
  run r = start_netlist(text);
  advance(&r, t);
  return r;
}

static void read_vector(const run *r, const char *name, sb_vec3 out[2]) {
  double v[6] = {0};
  read_all(r, name, v);
  out[0] = sb_vec3_load(v);
  out[1] = sb_vec3_load(v + 3);
}

static void assert_moved(sb_vec3 have, sb_vec3 want, double tol) {
  assert_near(sb_vec3_norm(sb_vec3_sub(have, want)), 0, tol);
}

static void what_is_read_is_about_the_worlds_origin(void **state) {
  static const sb_vec3 shifts[] = {{612.3, -871.1, 377.7}, {0, 0, -5000.125}, {1e5, 3, 20}};
  run near = start_at((sb_vec3){0, 0, 0}, 0.05, false);
  (void)state;
  for (int k = 0; k < 3; k++) {
    const sb_vec3 s = shifts[k];
    const double far = sb_vec3_norm(s),
                 tol = 1e-9 + 1e-13 * far; // places are rounded as they are stated
    run r = start_at(s, 0.05, false);
    sb_vec3 a[2], b[2];
    read_vector(&near, "b.position", a), read_vector(&r, "b.position", b);
    assert_moved(b[0], sb_vec3_add(a[0], s), tol);
    assert_near(component(&r, "b.x.y", 0), a[0].y + s.y, tol);
    assert_near(component(&r, "b.x.z", 0), a[0].z + s.z, tol);
    read_vector(&near, "contact(a,b).point", a), read_vector(&r, "contact(a,b).point", b);
    assert_moved(b[0], sb_vec3_add(a[0], s), tol);
    read_vector(&near, "a.angular-momentum", a), read_vector(&r, "a.angular-momentum", b);
    sb_vec3 p[2];
    read_vector(&near, "a.momentum", p);
    assert_moved(b[0], sb_vec3_add(a[0], sb_vec3_cross(s, p[0])), tol * far);
    static const char *const wrenches[] = {"a.e", "floor.e", "contact(floor,a).wrench",
                                           "contact(floor,a).body1.e"};
    for (int i = 0; i < 4; i++) {
      read_vector(&near, wrenches[i], a), read_vector(&r, wrenches[i], b);
      assert_true(sb_vec3_norm(a[1]) > 1);
      assert_moved(b[1], a[1], 1e4 * tol); // stiffnesses of some 1000 N/m
      assert_moved(b[0], sb_vec3_add(a[0], sb_vec3_cross(s, a[1])), 1e4 * tol * far);
    }
    static const char *const twists[] = {"a.f", "contact(a,b).body1.f"};
    for (int i = 0; i < 2; i++) {
      read_vector(&near, twists[i], a), read_vector(&r, twists[i], b);
      assert_moved(b[0], a[0], 1e3 * tol);
      assert_moved(b[1], sb_vec3_add(a[1], sb_vec3_cross(s, a[0])), 1e3 * tol * far);
    }
    assert_near(component(&r, "a.energy", 0), component(&near, "a.energy", 0) + mass * fall * s.z,
                1e2 * tol);
    const sb_account *total = &ledger_of(&r)->total;
    assert_near(total->stored_start + total->level,
                ledger_of(&near)->total.stored_start + 2.0 * fall * s.z, 1e2 * tol);
    assert_near(total->stored_end,
                ledger_of(&near)->total.stored_end + fall * 2.0 * s.z - total->level, 1e2 * tol);
    assert_int_equal(ledger_of(&r)->work.steps, ledger_of(&near)->work.steps);
    stop(&r);
  }
  stop(&near);
}

/** Whether the first state of `b` is its place in the world. */
static bool counts_from_the_world(const run *r) {
  return fabs(sb_simulation_state(r->sim)[0] - component(r, "a.x.x", 0)) == 0;
}

static void near_by_it_is_the_worlds_origin(void **state) {
  (void)state;
  run near = start_at((sb_vec3){0.3, -0.2, 0.25}, 0.01, false),
      far = start_at((sb_vec3){40, 0, 0}, 0.01, false);
  assert_true(counts_from_the_world(&near));
  assert_false(counts_from_the_world(&far));
  stop(&near), stop(&far);
}

/** A signal takes the state as it is, so that places count from the world's origin. */
static void what_is_sensed_is_in_the_world(void **state) {
  (void)state;
  run r = start_at((sb_vec3){612.3, -871.1, 377.7}, 0.01, true);
  assert_true(counts_from_the_world(&r));
  assert_near(component(&r, "height", 0), component(&r, "b.position", 2), 1e-12);
  stop(&r);
}

/** So does a source of wrenches: a force f through x about the world's origin turns nothing. */
static void sources_act_about_the_worlds_origin(void **state) {
  const double position[3] = {612.25, -871.5, 377.75}, J[3] = {0.1, 0.2, 0.3}, t = 1e-3;
  const sb_vec3 f = {3, -5, 7}, m = sb_vec3_cross(sb_vec3_load(position), f);
  const double effort[6] = {m.x, m.y, m.z, f.x, f.y, f.z};
  sb_graph *graph;
  (void)state;
  assert_int_equal(sb_graph_create("g", &graph, NULL), SB_OK);
  sb_element *body = add_kind(graph, "body", "a", "mass", 2);
  set_values(body, "inertia", J, 3);
  set_values(body, "position", position, 3);
  set_values(add_kind(graph, "Se", "push", NULL, 0), "effort", effort, 6);
  add_bond(graph, "push", "a");
  run r = start_graph(graph, options_of("dormand-prince-5", 1e-10));
  advance(&r, t);
  sb_vec3 w[2], v[2];
  read_vector(&r, "a.angular-velocity", w), read_vector(&r, "a.velocity", v);
  assert_moved(v[0], sb_vec3_scale(f, t / 2), 1e-9);
  assert_near(sb_vec3_norm(w[0]), 0, 1e-6); // the lever that the body moves away from
  stop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_read_is_about_the_worlds_origin),
      cmocka_unit_test(near_by_it_is_the_worlds_origin),
      cmocka_unit_test(what_is_sensed_is_in_the_world),
      cmocka_unit_test(sources_act_about_the_worlds_origin),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
