// SPDX-License-Identifier: GPL-3.0-or-later
// The order of bodies and joints in the file: which joint closes a loop follows from whose coordinates are asked for, and the
// motion is the same whichever does.
#include "tests/fixture.h"

static const char *const bodies[] = {
    "<body id='crank' mass='1 kg' com='0.2 0 0 m' inertia='0.01 0.02 0.02 kg.m^2'/>",
    "<body id='rod' mass='2 kg' com='0.5 0 0 m' inertia='0.01 0.2 0.2 kg.m^2'/>",
    "<body id='rocker' mass='1 kg' com='0.4 0 0 m' inertia='0.01 0.1 0.1 kg.m^2'/>"};
/** A four-bar whose joints are on the crank, between, on the rocker, and at the end of the rod; `s` has springs there. */
static const char *const joints[] = {
    "<joint id='a' kind='revolute' parent='world' child='crank' q0='70 deg' w0='2 rad/s'/>",
    "<joint id='b' kind='revolute' parent='crank' child='rod' at='0.4 0 0 m'/>",
    "<joint id='c' kind='revolute' parent='world' child='rocker' at='1 0 0 m' damping='0.1 "
    "N.m.s'/>",
    "<joint id='d' kind='revolute' parent='rocker' child='rod' at='0.8 0 0 m' child-at='1 0 0 "
    "m'/>"};

/** The crank's angle and the rod's place after 1.5 s. @param more  further attributes of b or d  @param last  to be read */
static void move(const int order[4], bool backwards, const char *output, double out[4]) {
  char text[3000] = "<mechanism gravity='0 -9.81 0 m/s^2'>";
  for (int k = 0; k < 3; k++) {
    strcat(text, bodies[backwards ? 2 - k : k]);
  }
  for (int k = 0; k < 4; k++) {
    strcat(text, joints[order[k]]);
  }
  (void)snprintf(text + strlen(text), 300, "</mechanism><output of='%s'/>", output);
  run r = start(text, 1e-11, 0);
  advance(&r, 1.5);
  out[0] = value(&r, "a.q");
  out[1] = component(&r, "rod.position", 0);
  out[2] = component(&r, "rod.position", 1);
  out[3] = output[0] == 'a' ? 0 : value(&r, output);
  assert_balanced(&r);
  stop(&r);
}

/** All orders of the joints and two of the bodies; b.q, d.q or neither is asked for. */
static void any_order(void **state) {
  static const char *const outputs[] = {"a.q", "b.q", "d.q"};
  (void)state;
  for (int o = 0; o < 3; o++) {
    double first[4];
    for (int n = 0, runs = 0; n < 256; n++) {
      const int order[4] = {n & 3, n >> 2 & 3, n >> 4 & 3, n >> 6 & 3};
      double other[4];
      if ((1 << order[0] | 1 << order[1] | 1 << order[2] | 1 << order[3]) != 15 ||
          runs++ % 5 != o) {
        continue;
      }
      move(order, runs % 2 == 0, outputs[o], runs == o + 1 ? first : other);
      for (int i = 0; i < 4 && runs > o + 1; i++) {
        assert_near(other[i], first[i], 1e-9);
      }
    }
  }
}

/** Where two bodies carry each other and the world one of them, that one is not carried by the other. */
static void no_circle(void **state) {
  static const char *const orders[] = {
      "<joint id='k' kind='revolute' parent='y' child='x'/>"
      "<joint id='l' kind='revolute' parent='x' child='y'/>"
      "<joint id='m' kind='revolute' parent='world' child='x' w0='1 rad/s'/>",
      "<joint id='m' kind='revolute' parent='world' child='x' w0='1 rad/s'/>"
      "<joint id='l' kind='revolute' parent='x' child='y'/>"
      "<joint id='k' kind='revolute' parent='y' child='x'/>"};
  (void)state;
  for (int i = 0; i < 2; i++) {
    char text[1000];
    (void)snprintf(text, sizeof text,
                   "<mechanism><body id='x' mass='1' inertia='1 1 1'/><body id='y' mass='1' "
                   "inertia='1 1 1'/>%s</mechanism>",
                   orders[i]);
    run r = go(text, 0.5);
    assert_near(value(&r, "m.q"), 0.5, 1e-9);
    stop(&r);
  }
}

/** Any joint of a loop may be cut whose child another carries, though its coordinate is not asked for; it has none then. */
static void cut_by_name(void **state) {
  static const char *const marks[][2] = {{"", " cut='yes'"}, {" cut='yes'", ""}, {" cut='no'", ""}};
  double first[2] = {0}, x[3];
  (void)state;
  for (int i = 0; i < 3; i++) {
    char text[3000] = "<mechanism gravity='0 -9.81 0 m/s^2'>";
    for (int k = 0; k < 3; k++) {
      strcat(text, bodies[k]);
    }
    for (int k = 0; k < 4; k++) {
      strncat(text, joints[k], strlen(joints[k]) - 2);
      strcat(text, k == 1 ? marks[i][0] : k == 3 ? marks[i][1] : "");
      strcat(text, "/>");
    }
    strcat(text, "</mechanism>");
    run r = start(text, 1e-11, 0);
    advance(&r, 1.5);
    read_all(&r, "rod.position", x);
    first[0] = i == 0 ? x[0] : first[0];
    first[1] = i == 0 ? x[1] : first[1];
    assert_near(x[0], first[0], 1e-9);
    assert_near(x[1], first[1], 1e-9);
    sb_quantity unused;
    assert_int_equal(sb_model_find(r.model, "b.q", &unused, NULL) == SB_OK, i != 1);
    assert_int_equal(sb_model_find(r.model, "d.q", &unused, NULL) == SB_OK, i == 1);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(any_order), cmocka_unit_test(no_circle),
                                     cmocka_unit_test(cut_by_name)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
