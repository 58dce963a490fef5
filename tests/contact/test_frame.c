// SPDX-License-Identifier: GPL-3.0-or-later
// A contact knows no frame: two ellipsoids that fall on a floor and on each other, stick and slip, do so too where
// all is turned, moved by a kilometre, and told in another order; with skins that have directions as well.
#include "tests/fixture.h"

#include "geometry/quat.h"

/** What is done to the scene. */
typedef struct frame {
  sb_quat turn;
  sb_vec3 shift; // [m]
  bool exchanged;
} frame;

static const char *const isotropic = "stiffness='1500 1500 2000 N/m'";
static const char *const directed =
    "axes='body' stiffness='1500 2100 2700 N/m' stiffness-coupling='130 -210 170 N/m'";

enum { BODY_SIZE = 900, TEXT_SIZE = 6000 };
static const char *const names[] = {"grey", "black"};

static sb_vec3 turned(const frame *f, sb_vec3 v) {
  return sb_mat3_apply(sb_quat_rotation(f->turn), v);
}

static void put_body(char text[BODY_SIZE], const frame *f, int i) {
  static const char *const semi_axes[] = {"0.15 0.12 0.08", "0.24 0.16 0.14"};
  static const double mass[] = {1.0, 0.8}, tilt[] = {6, 30}, lean[] = {0, 0.2};
  static const sb_vec3 velocity[] = {{0.1, 0.05, 0}, {-0.06, 0.11, 0}},
                       spin[] = {{0.3, -0.5, 0.8}, {-0.7, 0.2, 0.4}};
  sb_quat q =
      sb_quat_mul(f->turn, sb_quat_from_axis_angle((sb_vec3){lean[i], 1, 0}, tilt[i] * pi / 180));
  sb_vec3 x = sb_vec3_add(turned(f, (sb_vec3){0, 0, i == 0 ? 0.16 : 0.45}), f->shift);
  sb_vec3 v = turned(f, velocity[i]), w = turned(f, spin[i]), axis = {q.x, q.y, q.z};
  int size = snprintf(text, BODY_SIZE,
                      "<body id='%s' mass='%.17g kg' material='m' position='%.17g %.17g %.17g m' "
                      "rotation='%.17g rad about %.17g %.17g %.17g' "
                      "velocity='%.17g %.17g %.17g m/s' "
                      "angular-velocity='%.17g %.17g %.17g rad/s'>"
                      "<shape kind='ellipsoid' semi-axes='%s m'/></body>",
                      names[i], mass[i], x.x, x.y, x.z, 2 * atan2(sb_vec3_norm(axis), q.w), q.x,
                      q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z, semi_axes[i]);
  assert_in_range(size, 1, BODY_SIZE - 1);
}

static run fall(const frame *f, const char *material, bool slips) {
  char text[TEXT_SIZE], body[2][BODY_SIZE];
  int first = f->exchanged ? 1 : 0;
  sb_vec3 g = turned(f, (sb_vec3){0, 0, -9.81}), n = turned(f, (sb_vec3){0, 0, 1});
  for (int i = 0; i < 2; i++) {
    put_body(body[i], f, i);
  }
  int size = snprintf(
      text, TEXT_SIZE,
      "<screwbond version='1' id='m'><materials><material id='m' %s spin-stiffness='2 N.m/rad'/>"
      "<material id='g' stiffness='3000 3000 4000 N/m' spin-stiffness='3 N.m/rad'/></materials>"
      "<laws><contact-law id='l' normal='hunt-crossley' exponent='1' damping-factor='4 s/m' "
      "friction='%s'/></laws><mechanism gravity='%.17g %.17g %.17g m/s^2'>%s%s<ground id='floor' "
      "material='g'><shape kind='plane' normal='%.17g %.17g %.17g' offset='%.17g m'/></ground>"
      "<contact a='%s' b='%s' law='l'/><contact a='%s' b='%s' law='l'/>"
      "<contact a='%s' b='%s' law='l'/></mechanism><run t-end='0.7 s' rtol='1e-9'/></screwbond>",
      material,
      slips ? "coulomb' mu='0.4' friction-radius='20 mm' friction-damping='10 ms" : "none", g.x,
      g.y, g.z, body[first], body[1 - first], n.x, n.y, n.z, sb_vec3_dot(n, f->shift),
      f->exchanged ? "grey" : "floor", f->exchanged ? "floor" : "grey", names[first],
      names[1 - first], f->exchanged ? "black" : "floor", f->exchanged ? "floor" : "black");
  assert_in_range(size, 1, TEXT_SIZE - 1);
  run r = start_netlist(text);
  advance(&r, 0.7);
  return r;
}

/** Where body i is, in the frame of the scene. */
static sb_vec3 place_of(const run *r, const frame *f, int i) {
  char name[32];
  double x[3];
  (void)snprintf(name, sizeof name, "%s.position", names[i]);
  read_all(r, name, x);
  return sb_mat3_apply_transposed(sb_quat_rotation(f->turn),
                                  sb_vec3_sub(sb_vec3_load(x), f->shift));
}

/** Places to 1e-10 m, the same events to 1e-10 s.  @param steps  how far their number may be off, as a fraction */
static void check(const run *plain, const frame *at_rest, const frame *f, const char *material,
                  bool slips, double steps) {
  run r = fall(f, material, slips);
  const sb_ledger *want = ledger_of(plain), *have = ledger_of(&r);
  for (int i = 0; i < 2; i++) {
    sb_vec3 x = place_of(plain, at_rest, i), y = place_of(&r, f, i);
    assert_near(sb_vec3_norm(sb_vec3_sub(x, y)), 0, 1e-10);
  }
  assert_int_equal(have->event_count, want->event_count);
  for (int k = 0; k < want->event_count; k++) {
    assert_string_equal(have->events[k].kind, want->events[k].kind);
    assert_near(have->events[k].t, want->events[k].t, 1e-10);
  }
  assert_near_relative((double)have->work.steps, (double)want->work.steps, steps);
  stop(&r);
}

static void no_frame_is_special(void **state) {
  (void)state;
  const sb_quat none = {1, 0, 0, 0}, a = sb_quat_from_axis_angle((sb_vec3){0.3, -0.8, 0.5}, 2.385),
                b = sb_quat_from_axis_angle((sb_vec3){1, 0.7, 0.1}, pi - 0.2);
  const sb_vec3 here = {0, 0, 0}, far = {600, -700, 380};
  const frame plain = {none, here, false},
              others[] = {{none, here, true}, {none, far, false}, {a, here, false}, {b, far, true}};
  const double steps[] = {0.005, 0.01, 0.01, 0.01};
  for (int scene = 0; scene < 4; scene++) {
    const char *material = scene % 2 == 0 ? isotropic : directed;
    bool slips = scene < 2;
    run r = fall(&plain, material, slips);
    assert_true(ledger_of(&r)->event_count >= (slips ? 12 : 4));
    for (int k = PLAIN ? 0 : 3; k < 4; k++) {
      check(&r, &plain, &others[k], material, slips, steps[k]);
    }
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(no_frame_is_special)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
