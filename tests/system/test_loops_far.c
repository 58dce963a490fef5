// SPDX-License-Identifier: GPL-3.0-or-later
// A mechanism with closed loops that is a kilometre away counts from a point near by, and moves as it does at the world's origin.
// Expected: closed forms of linkages, and what a displacement s leaves as it is: angles, forces, moments about a joint's place;
// places are s further off, angular momentum about the world's origin has s x p more, and the energy -m g.s.
#include "core/model/model_data.h"
#include "geometry/screw.h"
#include "tests/fixture.h"

enum { TEXT_SIZE = 4000 };
static const double fall = 9.81; // [m/s^2]
static const sb_vec3 here = {0, 0, 0};
static const sb_vec3 shifts[] = {{612.3, -471.1, 377.7}, {-1000, 0.1, 3}, {60, 50, -62.7}};
enum { SHIFTS = sizeof shifts / sizeof *shifts };

#define BODY(id_, mass_, inertia_, l_)                                                             \
  "<body id='" id_ "' mass='" mass_ " kg' com='" l_ "/2 0 0' inertia='1e-6 " inertia_ " " inertia_ \
  " kg.m^2'"
#define PIN(id_, more_) "<joint id='" id_ "' kind='revolute' axis='0 -1 0' " more_

static run start_text(const char *format, ...) {
  char text[TEXT_SIZE];
  va_list list;
  va_start(list, format);
  (void)vsnprintf(text, sizeof text, format, list);
  va_end(list);
  return start_netlist(text);
}

static sb_vec3 vector_of(const run *r, const char *name) {
  double v[6] = {0};
  read_all(r, name, v);
  return sb_vec3_load(v);
}

static void assert_same(sb_vec3 have, sb_vec3 want, double tol) {
  assert_near(sb_vec3_norm(sb_vec3_sub(have, want)), 0, tol);
}

static void assert_as_many(const run *far, const run *near) {
  const double steps = (double)ledger_of(near)->work.steps;
  assert_near((double)ledger_of(far)->work.steps, steps, fmax(1, 0.01 * steps));
}

/** Crank 4 cm, rod 12 cm, slider on a rail along x through the crank's pivot. */
static run start_slider_crank(sb_vec3 s, const char *start, const char *network, double t) {
  run r = start_text(
      "<screwbond version='1' id='m'><mechanism gravity='0 0 -9.81 m/s^2'>" //
      BODY("crank", "0.3", "4e-5", "0.04[m]") "/>" BODY(
          "rod", "0.2", "24e-5",
          "0.12[m]") "/>"
                     "<body id='slider' mass='0.25 kg' inertia='1e-4 1e-4 1e-4 kg.m^2'/>" //
      PIN("main", "parent='world' child='crank' at='%.17g %.17g %.17g m' %s/>") PIN(
          "big", "parent='crank' child='rod' at='0.04 0 0 m'/>") "<joint id='guide' "
                                                                 "kind='prismatic' axis='1 "
                                                                 "0 0' parent='world' "
                                                                 "child='slider' "
                                                                 "at='%.17g %.17g %.17g "
                                                                 "m'/>" PIN("pin", "parent='rod' "
                                                                                   "child='slider' "
                                                                                   "at='0.12 0 0 "
                                                                                   "m'/>") "</"
                                                                                           "mechani"
                                                                                           "sm>%s"
                                                                                           "<run "
                                                                                           "t-end='"
                                                                                           "1 s' "
                                                                                           "method="
                                                                                           "'dorman"
                                                                                           "d-"
                                                                                           "prince-"
                                                                                           "5' "
                                                                                           "rtol='"
                                                                                           "1e-9'/"
                                                                                           "></"
                                                                                           "screwbo"
                                                                                           "nd>",
      s.x, s.y, s.z, start, s.x, s.y, s.z, network);
  advance(&r, t);
  return r;
}

static double slider_at(double angle) {
  const double r = 0.04, l = 0.12, across = r * sin(angle);
  return r * cos(angle) + sqrt(l * l - across * across);
}

/** The slider is where the law of cosines says, and no law is off by what moments about the world's origin would be rounded by. */
static void a_driven_crank_moves_its_slider(void **state) {
  const char *drive = "<network><Sf id='d' flow='20 rad/s' domain='rotation'/>"
                      "<bond from='d' to='main'/></network>",
             *start = "q0='1.1 rad' w0='20 rad/s'";
  const double t = 0.5;
  (void)state;
  run near = start_slider_crank(here, start, drive, t);
  for (int i = 0; i < SHIFTS; i++) {
    run far = start_slider_crank(shifts[i], start, drive, t);
    assert_as_many(&far, &near);
    assert_true(ledger_of(&far)->structure.residual_relative <
                1e-12); // 3e-7 about the world's origin
    assert_near(component(&far, "guide.q", 0), component(&near, "guide.q", 0), 1e-11);
    assert_near(component(&far, "guide.q", 0), slider_at(1.1 + 20 * t), 1e-9);
    assert_near(component(&far, "d.e", 0), component(&near, "d.e", 0), 1e-10);
    stop(&far);
  }
  stop(&near);
}

/** Loops close by the angle that is given to their own rounding, and not to that of places in the world: 1e-12 of 4 cm would be 2e-11. */
static void loops_close_to_their_own_rounding(void **state) {
  (void)state;
  for (int i = 0; i < SHIFTS; i++) {
    run far = start_slider_crank(shifts[i], "q0='1.1 rad'", "", 0);
    assert_near(component(&far, "main.q", 0), 1.1, 0);
    assert_near(component(&far, "guide.q", 0), slider_at(1.1), 1e-15);
    assert_near(component(&far, "big.q", 0), -1.1 - asin(sin(1.1) / 3), 1e-14);
    stop(&far);
  }
}

/** A rod on the one before it. @param at  its place there, or in the world */
static void add_rod(char links[], int k, const char *axis, const char *at) {
  const size_t used = strlen(links);
  char parent[16] = "world";
  if (k > 0) {
    (void)snprintf(parent, sizeof parent, "r%d", k - 1);
  }
  (void)snprintf(links + used, TEXT_SIZE - used,
                 "<body id='r%d' mass='0.1 kg' inertia='1e-4 1e-4 1e-4 kg.m^2'/>"
                 "<joint id='j%d' kind='revolute' axis='%s' parent='%s' child='r%d' at='%s m'/>",
                 k, k, axis, parent, k, at);
}

/** Bricard's linkage of rods of 0.1 m, closed where no joint is turned: places a kilometre away are stated to 1e-13 m, so that its
 *  redundant row cannot be met there, and next to nothing is what a turn would change of that. */
static void what_cannot_close_by_rounding_stays_as_stated(void **state) {
  static const char *const rods[] = {"0.1 0 0", "0 -0.1 0", "0 0 0.1", "-0.1 0 0", "0 0.1 0"};
  static const char *const axes[] = {"0 1 0", "0 0 1", "1 0 0", "0 1 0", "0 0 1"};
  static const sb_vec3 places[] = {{-234.4, 936.3, 261.4}, {-414.8, -50.1, -430.6}};
  (void)state;
  for (int i = 0; i < 2; i++) {
    const sb_vec3 s = places[i];
    char links[TEXT_SIZE] = "", at[100];
    (void)snprintf(at, sizeof at, "%.17g %.17g %.17g", s.x, s.y, s.z);
    for (int k = 0; k < 5; k++) {
      add_rod(links, k, axes[k], k == 0 ? at : rods[k - 1]);
    }
    run far = start_text("<screwbond version='1' id='m'><mechanism gravity='0 -9.81 0 m/s^2'>%s"
                         "<joint id='j5' kind='revolute' axis='1 0 0' parent='world' child='r4' "
                         "at='%.17g %.17g %.17g m' child-at='%s m'/></mechanism>"
                         "<run t-end='1 s'/></screwbond>",
                         links, s.x, s.y, s.z + 0.1, rods[4]);
    for (int k = 0; k < 5; k++) {
      char name[20];
      (void)snprintf(name, sizeof name, "j%d.q", k);
      assert_near(component(&far, name, 0), 0, 1e-12); // 2.3e-11
    }
    stop(&far);
  }
}

static void what_is_read_is_in_the_world(void **state) {
  static const char *const same[] = {"pin.force",   "pin.moment",   "main.force",
                                     "main.moment", "rod.velocity", "rod.momentum"};
  const double t = 0.3, mass = 0.3 + 0.2 + 0.25;
  (void)state;
  run near = start_slider_crank(here, "q0='1.1 rad' w0='5 rad/s'", "", t);
  for (int i = 0; i < SHIFTS; i++) {
    const sb_vec3 s = shifts[i];
    run far = start_slider_crank(s, "q0='1.1 rad' w0='5 rad/s'", "", t);
    assert_as_many(&far, &near);
    for (size_t k = 0; k < sizeof same / sizeof *same; k++) {
      assert_same(vector_of(&far, same[k]), vector_of(&near, same[k]), 1e-10);
    }
    assert_same(vector_of(&far, "rod.position"), sb_vec3_add(vector_of(&near, "rod.position"), s),
                1e-11);
    const sb_vec3 turned = sb_vec3_cross(s, vector_of(&near, "rod.momentum"));
    assert_same(vector_of(&far, "rod.angular-momentum"),
                sb_vec3_add(vector_of(&near, "rod.angular-momentum"), turned), 1e-8);
    assert_near(component(&far, "tree(crank).energy", 0),
                component(&near, "tree(crank).energy", 0) + mass * fall * s.z, 1e-9);
    stop(&far);
  }
  stop(&near);
}

/** A signal that reads an angle or a momentum of a joint reads the same from any point. */
static void signals_of_joints_count_from_no_point(void **state) {
  const char *brake = "<network><signal id='p' of='main.p'/>"
                      "<Se id='b' effort='-3[1/s]*p' domain='rotation'/>"
                      "<bond from='b' to='main'/></network>",
             *start = "q0='1.1 rad' w0='20 rad/s'";
  (void)state;
  run near = start_slider_crank(here, start, brake, 0.5);
  for (int i = 0; i < SHIFTS; i++) {
    run far = start_slider_crank(shifts[i], start, brake, 0.5);
    assert_as_many(&far, &near);
    assert_near(component(&far, "main.q", 0), component(&near, "main.q", 0), 1e-11);
    stop(&far);
  }
  stop(&near);
}

/** A four-bar linkage whose coupler comes to lie on the floor, by a ball below it. */
static run start_on_floor(sb_vec3 s, double t) {
  run r = start_text(
      "<screwbond version='1' id='m'><laws><contact-law id='hard' normal='rigid'/></laws>"
      "<mechanism gravity='0 0 -9.81 m/s^2'><ground id='floor'><shape kind='plane' "
      "normal='0 0 1' "
      "offset='%.17g m'/></ground>" //
      BODY("a", "0.2", "5e-5", "0.05[m]") "/>" BODY(
          "b", "0.3", "56e-5", "0.15[m]") ">"
                                          "<shape id='tip' kind='sphere' radius='0.01 "
                                          "m' at='0.08 0 -0.06 m'/></body>" //
      BODY("c", "0.25", "3e-4", "0.12[m]") "/>" PIN(
          "j1", "parent='world' child='a' at='%.17g %.17g %.17g m' q0='2.5 rad'/>")
          PIN("j2", "parent='a' child='b' at='0.05 0 0 m' q0='-2 rad'/>")
              PIN("j3", "parent='world' child='c' at='%.17g %.17g %.17g m' q0='1.9 rad'/>")
                  PIN("j4", "parent='b' child='c' at='0.15 0 0 m' child-at='0.12 0 0 "
                            "m'/>") "<contact id='k' a='floor' b='tip' "
                                    "law='hard'/></mechanism>"
                                    "<run t-end='1 s' method='dormand-prince-5' "
                                    "rtol='1e-9'/></screwbond>",
      s.z - 0.03125, s.x, s.y, s.z, s.x + 0.171875, s.y, s.z);
  advance(&r, t);
  return r;
}

/** What it bears once it rests is no rounding of its places, and takes no steps. */
static void a_linkage_rests_on_the_floor(void **state) {
  (void)state;
  run near = start_on_floor(here, 1);
  assert_true(component(&near, "k.normal-force", 0) > 0.1);
  assert_near(component(&near, "j1.w", 0), 0, 1e-12);
  for (int i = 0; i < SHIFTS; i++) {
    run far = start_on_floor(shifts[i], 1);
    assert_as_many(&far, &near);
    assert_int_equal(ledger_of(&far)->event_count, ledger_of(&near)->event_count);
    assert_near(component(&far, "k.normal-force", 0), component(&near, "k.normal-force", 0), 1e-10);
    assert_near(component(&far, "j1.q", 0), component(&near, "j1.q", 0), 1e-11);
    stop(&far);
  }
  stop(&near);
}

/** A body that floats, held in a point by a joint to the world. */
static run start_held(sb_vec3 s, double t) {
  run r = start_text(
      "<screwbond version='1' id='m'><mechanism gravity='0 0 -9.81 m/s^2'>"
      "<body id='b' mass='0.4 kg' com='0.05 0 0 m' inertia='1e-5 3e-4 3e-4 kg.m^2' "
      "position='%.17g %.17g %.17g m' angular-velocity='0 1 1 rad/s'/>"
      "<joint id='e' kind='spherical' parent='b' child='world' child-at='%.17g %.17g %.17g m'/>"
      "</mechanism><run t-end='1 s' method='dormand-prince-5' rtol='1e-9'/></screwbond>",
      s.x, s.y, s.z, s.x, s.y, s.z);
  advance(&r, t);
  return r;
}

/** Nothing of it follows how far it is from where its coordinates would be zero. */
static void what_floats_in_a_loop_has_no_place_at_rest(void **state) {
  (void)state;
  run near = start_held(here, 1);
  double want[4], have[4];
  read_all(&near, "b.rotation", want);
  for (int i = 0; i < SHIFTS; i++) {
    run far = start_held(shifts[i], 1);
    assert_as_many(&far, &near);
    read_all(&far, "b.rotation", have);
    for (int k = 0; k < 4; k++) {
      assert_near(have[k], want[k], 1e-11);
    }
    assert_same(vector_of(&far, "b.origin"), shifts[i], 1e-12);
    assert_same(vector_of(&far, "e.force"), vector_of(&near, "e.force"), 1e-10);
    char *text;
    assert_int_equal(sb_model_describe(far.model, false, &text, NULL), SB_OK);
    assert_contains(text, "tree(b): 1 body, 3 degrees of freedom;");
    assert_contains(text, "loops: 3 rows, of rank 3\n");
    free(text);
    stop(&far);
  }
  stop(&near);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_driven_crank_moves_its_slider),
      cmocka_unit_test(loops_close_to_their_own_rounding),
      cmocka_unit_test(what_cannot_close_by_rounding_stays_as_stated),
      cmocka_unit_test(what_is_read_is_in_the_world),
      cmocka_unit_test(signals_of_joints_count_from_no_point),
      cmocka_unit_test(a_linkage_rests_on_the_floor),
      cmocka_unit_test(what_floats_in_a_loop_has_no_place_at_rest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
