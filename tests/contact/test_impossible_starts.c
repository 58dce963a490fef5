// SPDX-License-Identifier: GPL-3.0-or-later
// Starts of bodies that have no unique closest points are refused, with the contact, its depths and what can be done.
#include "tests/contact/balls_into_each_other.h"

/** From the first step on: concentric balls, and balls that overlap too deeply. */
static void refuses_such_a_start(void **state) {
  (void)state;
  const double depths[] = {0.17, 0.165};
  for (int i = 0; i < 2; i++) {
    char text[2000], position[80];
    const char *from = balls(1, "dormand-prince-5"), *at = strstr(from, "position='0 0 ");
    (void)snprintf(position, sizeof position, "position='0 0 %.17g m'", reach - depths[i]);
    const char *rest = strstr(at, " m' velocity") + 3;
    (void)snprintf(text, sizeof text, "%.*s%s%s", (int)(at - from), from, position, rest);
    sb_error err = {0};
    double t;
    assert_int_equal(try_run(text, 1, &t, &err), SB_ERR_CONTACT);
    assert_non_null(
        strstr(err.text, "'contact(b,c)' at t = 0 s: the closest points of the bodies"));
  }
}

/** Bodies that start where they cannot be: in or behind another one, or in a hollow of their own size. */
static const struct {
  const char *other, *shape, *position, *text;
} impossible[] = {
    {"<shape kind='plane' normal='0 0 1' offset='0 m'/>",
     "kind='ellipsoid' semi-axes='0.1 0.08 0.06 m'", "0 0 -0.07",
     "where the contact begins the bodies overlap by 0.13 m, and the thinner one is 0.12 m thick"},
    {"<shape kind='plane' normal='0 0 1e30' offset='1e30 m'/>",
     "kind='ellipsoid' semi-axes='0.1 0.08 0.06 m'", "0 0 0.3",
     "where the contact begins the bodies overlap by 1e+30 m, and the thinner one is 0.12 m "
     "thick"},
    {"<shape kind='ellipsoid' semi-axes='0.1 0.08 0.06 m'/>",
     "kind='ellipsoid' semi-axes='0.1 0.08 0.06 m'", "0 0 0",
     "where the contact begins the bodies overlap by 0.12 m, and the thinner one is 0.12 m thick"},
    {"<shape kind='plane' normal='0 0 1' offset='0 m'/>", "kind='sphere' radius='0.06 m'",
     "0 0 -0.06",
     "where the contact begins the bodies overlap by 0.12 m, and the thinner one is 0.12 m thick"},
    {"<shape kind='ellipsoid' semi-axes='0.1 0.08 0.06 m'/>",
     "kind='ellipsoid' semi-axes='0.1 0.08 0.06 m'", "0 0 0.06",
     "where the contact begins the bodies overlap by 0.06 m, and the thinner one is 0.12 m thick"},
    {"<shape kind='bowl' semi-axes='0.5 0.5 0.5 m'/>", "kind='sphere' radius='0.1 m'", "0 0 -0.6",
     "where the contact begins the bodies overlap by 0.2 m, and the thinner one is 0.2 m thick"},
    {"<shape kind='plane' normal='0 0 1' offset='0 m'/>", "kind='sphere' radius='0.06 m'", "0 0 0",
     "where the contact begins the bodies overlap by 0.06 m, and the thinner one is 0.12 m thick"},
    {"<shape kind='bowl' semi-axes='0.5 0.5 0.5 m'/>", "kind='sphere' radius='0.1 m'", "0 0 -0.51",
     "where the contact begins the bodies overlap by 0.11 m, and the thinner one is 0.2 m thick"},
    {"<shape kind='plane' normal='0 0 1' offset='0 m'/>",
     "kind='capsule' radius='0.05 m' length='0.3 m'", "0 0 0.09",
     "where the contact begins the bodies overlap by 0.06 m, and the thinner one is 0.1 m thick"},
    {"<shape kind='plane' normal='0 0 1' offset='0 m'/>",
     "kind='box' size='0.4 0.3 0.2 m' edge-radius='0.02 m'", "0 0 -0.02",
     "where the contact begins the bodies overlap by 0.12 m, and the thinner one is 0.2 m thick"},
    {"<shape kind='plane' normal='0 0 1' offset='0 m'/>",
     "kind='cylinder' radius='0.3 m' length='0.2 m' edge-radius='0.02 m'", "0 0 -0.02",
     "where the contact begins the bodies overlap by 0.12 m, and the thinner one is 0.2 m thick"},
    {"<shape kind='plane' normal='0 0 1' offset='0 m'/>",
     "kind='lens' radius='0.3 m' length='0.2 m' edge-radius='0.02 m'", "0 0 -0.02",
     "where the contact begins the bodies overlap by 0.12 m, and the thinner one is 0.2 m thick"},
    {"<shape kind='plane' normal='0 0 1' offset='0 m'/>",
     "kind='superellipsoid' semi-axes='0.3 0.2 0.1 m' exponent='4'", "0 0 -0.02",
     "where the contact begins the bodies overlap by 0.12 m, and the thinner one is 0.2 m thick"},
    {"<shape kind='plane' normal='0 0 1' offset='0 m'/>",
     "kind='torus' radius='0.3 m' tube-radius='0.1 m'", "0 0 -0.02",
     "where the contact begins the bodies overlap by 0.12 m, and the thinner one is 0.2 m thick"},
    {"<shape kind='box' size='1 1 0.2 m' edge-radius='0.02 m' at='0 0 -0.1 m'/>",
     "kind='sphere' radius='0.2 m'", "0 0 0.05",
     "where the contact begins the bodies overlap by 0.15 m, and the thinner one is 0.2 m thick"},
    {"<shape kind='sphere' radius='0.1 m'/>",
     "kind='capsule' radius='0.05 m' length='0.3 m' rotation='90 deg about 0 1 0'", "0 0 0.08",
     "where the contact begins the bodies overlap by 0.07 m, and the thinner one is 0.1 m thick"},
    {"<shape kind='bowl' semi-axes='0.1 0.1 0.1 m'/>", "kind='sphere' radius='0.1 m'", "0 0 0",
     "the closest points of the bodies cease to be unique: one conforms to the other, with the "
     "same radius"},
    // eps/1e-9 = 2.2e-7 of the radius is what the points need to be told
    {"<shape kind='bowl' semi-axes='0.1 0.1 0.1 m'/>", "kind='sphere' radius='0.099999999 m'",
     "0 0 -1.2e-9",
     "the closest points of the bodies cease to be unique: one conforms to the other, with the "
     "same radius but for 1e-08 of it, and rounding tells its points no more"},
    {"<shape kind='tube' radius='0.1 m'/>", "kind='sphere' radius='0.099999985 m'", "0 -1.7e-8 0",
     "the closest points of the bodies cease to be unique: one conforms to the other, with the "
     "same radius but for 1.5e-07 of it, and rounding tells its points no more"},
    // on its axis at z^2 = (c^2 - a^2)(1 - R^2/a^2) a ball of R touches a long bowl along a ring; at the end the radius of that is a^2/c
    {"<shape kind='bowl' semi-axes='0.12 0.12 0.4 m'/>", "kind='sphere' radius='0.1 m'",
     "0 0 -0.21092389359408498",
     "the closest points of the bodies cease to be unique: one, with a radius of curvature of 0.1 "
     "m, touches along a curve, as it does not fit into the hollow of the other, whose radius of "
     "curvature is 0.036 m where that is narrowest"},
    {"<shape kind='tube' radius='0.1 m'/>", "kind='sphere' radius='0.1 m'", "0 0 0",
     "the closest points of the bodies cease to be unique: one conforms to the other, with the "
     "same radius"},
    // as high as its bowl, or a hair higher, it touches the bottom and the top
    {"<shape kind='bowl' semi-axes='0.15 0.15 0.1 m'/>", "kind='sphere' radius='0.1 m'", "0 0 0",
     "the closest points of the bodies cease to be unique: another pair of them has the same gap, "
     "0 "
     "m"},
    {"<shape kind='bowl' semi-axes='0.15 0.15 0.1 m'/>", "kind='sphere' radius='0.1001 m'", "0 0 0",
     "the closest points of the bodies cease to be unique: another pair of them has the same gap, "
     "-0.0001 m"},
    {"<shape kind='tube' radius='0.1 m'/>", "kind='sphere' radius='0.12 m'", "0 0 0",
     "the closest points of the bodies cease to be unique: one is bent less than the hollow of the "
     "other, does not fit into it, and overlaps by 0.02 m"},
};

static void refuses_impossible_starts(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof impossible / sizeof *impossible; i++) {
    char text[1500], want[400];
    (void)snprintf(text, sizeof text,
                   "<screwbond version='1' id='start'><materials><material id='m' "
                   "stiffness='0 0 2000 N/m'/></materials><mechanism>\n<ground id='f'>%s</ground>"
                   "<body id='b' mass='1 kg' material='m' position='%s m'><shape %s/></body>\n"
                   "<contact a='f' b='b'/></mechanism><run t-end='1 s'/></screwbond>",
                   impossible[i].other, impossible[i].position, impossible[i].shape);
    (void)snprintf(want, sizeof want, "'contact(f,b)' at t = 0 s: %s", impossible[i].text);
    sb_error err = {0};
    double t;
    assert_int_equal(try_run(text, 1, &t, &err), SB_ERR_CONTACT);
    assert_string_equal(err.text, want);
    assert_int_equal(err.line, 3);
    assert_true(err.hint[0] != '\0');
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(refuses_such_a_start),
      cmocka_unit_test(refuses_impossible_starts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
