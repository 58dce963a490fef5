// SPDX-License-Identifier: GPL-3.0-or-later
// Mass, centre and inertia of bodies that are made of parts, against closed forms: what a body weighs is read from its
// momentum, its place and its spin as it starts.
#include "tests/fixture.h"

typedef struct weight {
  double mass, centre[3], J[3][3];
} weight;

/** @param attributes, children  of the <body> */
static weight weigh(const char *attributes, const char *children) {
  weight w;
  for (int k = 0; k < 3; k++) {
    char text[3000];
    (void)snprintf(text, sizeof text,
                   "<mechanism><body id='b' %s velocity='1 0 0 m/s' "
                   "angular-velocity='%d %d %d rad/s'>%s</body></mechanism>",
                   attributes, k == 0, k == 1, k == 2, children);
    run r = start(text, 1e-9, 0);
    double spin[3], v = component(&r, "b.velocity", 0);
    read_all(&r, "b.spin", spin);
    read_all(&r, "b.position", w.centre);
    w.mass = component(&r, "b.momentum", 0) / v;
    for (int i = 0; i < 3; i++) {
      w.J[i][k] = spin[i];
    }
    stop(&r);
  }
  return w;
}

static void assert_weight(weight a, double mass, const double centre[3], const double J[6],
                          double tolerance) {
  const double all[3][3] = {{J[0], J[3], J[4]}, {J[3], J[1], J[5]}, {J[4], J[5], J[2]}};
  assert_near(a.mass, mass, tolerance * mass);
  for (int i = 0; i < 3; i++) {
    assert_near(a.centre[i], centre[i], tolerance);
    for (int k = 0; k < 3; k++) {
      assert_near(a.J[i][k], all[i][k], tolerance * (J[0] + J[1] + J[2]));
    }
  }
}

static void assert_same(weight a, weight b, double tolerance) {
  assert_weight(a, b.mass, b.centre,
                (double[]){b.J[0][0], b.J[1][1], b.J[2][2], b.J[0][1], b.J[0][2], b.J[1][2]},
                tolerance);
}

#define BOX(size, at, more) "<shape kind='box' size='" size " m' at='" at " m' " more "/>"

/** Three masses on the axes: m_i (x.x 1 - x x^T) about their centre, by hand; one of them alone has none. */
static void points(void **state) {
  (void)state;
  const weight w = weigh("", "<mass m='1 kg' at='0.6 0 0 m'/><mass m='2 kg' at='0 0.3 0 m'/>"
                             "<mass m='3 kg' at='0 0 0.4 m'/>");
  // c = (0.1, 0.1, 0.2); about the origin xx = 2 0.09 + 3 0.16, yy = 0.36 + 3 0.16, zz = 0.36 + 2 0.09, no products
  assert_weight(
      w, 6, (double[]){0.1, 0.1, 0.2},
      (double[]){0.66 - 6 * 0.05, 0.84 - 6 * 0.05, 0.54 - 6 * 0.02, 6 * 0.01, 6 * 0.02, 6 * 0.02},
      1e-14);
  assert_same(weigh("mass='6 kg'",
                    "<mass m='1000 g' at='60 0 0 cm'/><mass m='2 kg' at='0 0.3 0 m'/>"
                    "<shape kind='point' mass='3 kg' at='0 0 0.4 m'/>"),
              w, 1e-14);
}

/** A dumbbell: two balls on a rod, each by its own mass or density. */
static void dumbbell(void **state) {
  (void)state;
  const double ball = 4.0 / 3 * SB_PI * 0.008 * 2000, far = 2 * 2 * 0.25 * ball,
               own = 2.0 / 5 * ball * 0.04, J = 2 * own + far + 1.5 * 1.0 / 12;
  const weight w =
      weigh("", "<shape kind='sphere' radius='0.2 m' at='0.5 0 0 m' density='2 g/cm^3'/>"
                "<shape kind='sphere' radius='0.2 m' at='-0.5 0 0 m' density='2000 "
                "kg/m^3'/><shape kind='box' size='1 0.1 0.2 m' mass='1.5 kg'/>");
  assert_weight(w, 2 * ball + 1.5, (double[]){0, 0, 0},
                (double[]){2 * own + 1.5 * 0.05 / 12, J - far / 2 + 1.5 * 0.04 / 12,
                           J - far / 2 + 1.5 * 0.01 / 12, 0, 0, 0},
                1e-14);
}

/** A box of the density rho, of 2.4 x 1 x 0.6 m, turned, off the origin; cut in two, whatever is stated of the halves. */
static void halves(void **state) {
  (void)state;
  const double m = 1.44 * 700, xx = m * (1 + 0.36) / 12, yy = m * (2.4 * 2.4 + 0.36) / 12,
               zz = m * (2.4 * 2.4 + 1) / 12;
  const double J[] = {xx, yy, zz, 0, 0, 0}, at[] = {0.3, -0.2, 0.7};
  assert_weight(weigh("", BOX("2.4 1 0.6", "0.3 -0.2 0.7", "density='700 kg/m^3'")), m, at, J,
                1e-14);
  static const char two[] =
      BOX("1.2 1 0.6", "-0.3 -0.2 0.7", "") BOX("1.2 1 0.6", "0.9 -0.2 0.7", "");
  assert_weight(weigh("mass='1008 kg'", two), m, at, J, 2e-14);
  assert_weight(weigh("mass='1008 kg'", BOX("1.2 1 0.6", "-0.3 -0.2 0.7", "mass='504 kg'")
                                            BOX("1.2 1 0.6", "0.9 -0.2 0.7", "")),
                m, at, J, 2e-14);
  // turned by a quarter about z, y is along -x: the same body
  assert_weight(
      weigh("mass='1008 kg'", BOX("1 2.4 0.6", "0.3 -0.2 0.7", "rotation='90 deg about 0 0 1'")), m,
      at, J, 1e-14);
}

/** A hollow box of six plates is the difference of two solid ones, m_a (b^2 + c^2)/12 - ...; its lid has twice the density. */
static void hollow(void **state) {
  (void)state;
  const double outer = 1 * 0.8 * 0.6 * 500, inner = 0.96 * 0.76 * 0.56 * 500;
  const double xx = (outer * (0.64 + 0.36) - inner * (0.76 * 0.76 + 0.56 * 0.56)) / 12,
               yy = (outer * (1 + 0.36) - inner * (0.96 * 0.96 + 0.56 * 0.56)) / 12,
               zz = (outer * (1 + 0.64) - inner * (0.96 * 0.96 + 0.76 * 0.76)) / 12;
#define PLATES(lid)                                                                                \
  BOX("1 0.8 0.02", "0 0 0.29", lid)                                                               \
  BOX("1 0.8 0.02", "0 0 -0.29", "density='500 kg/m^3'")                                           \
  BOX("1 0.02 0.56", "0 0.39 0", "density='500 kg/m^3'")                                           \
  BOX("1 0.02 0.56", "0 -0.39 0", "density='500 kg/m^3'")                                          \
  BOX("0.02 0.76 0.56", "0.49 0 0", "density='500 kg/m^3'")                                        \
  BOX("0.02 0.76 0.56", "-0.49 0 0", "density='500 kg/m^3'")
  assert_weight(weigh("", PLATES("density='500 kg/m^3'")), outer - inner, (double[]){0, 0, 0},
                (double[]){xx, yy, zz, 0, 0, 0}, 1e-13);
  const double lid = 8, m = outer - inner + lid, c = lid * 0.29 / m,
               moved = lid * 0.29 * 0.29 - m * c * c;
  assert_weight(weigh("", PLATES("density='1000 kg/m^3'")), m, (double[]){0, 0, c},
                (double[]){xx + lid * (0.64 + 0.0004) / 12 + moved,
                           yy + lid * (1 + 0.0004) / 12 + moved, zz + lid * 1.64 / 12, 0, 0, 0},
                1e-13);
}

/** What is stated takes the place of what follows; shapes with the mass 0 have none. */
static void stated(void **state) {
  (void)state;
  const double J[] = {0.3, 0.4, 0.5, 0.01, -0.02, 0.03}, at[] = {0.1, 0.2, 0.3};
  const char parts[] = "<mass m='2 kg' at='1 0 0 m'/><shape kind='sphere' radius='1 m'/>";
  assert_weight(
      weigh("mass='5 kg' com='0.1 0.2 0.3 m' inertia='0.3 0.4 0.5 0.01 -0.02 0.03'", parts), 5, at,
      J, 1e-15);
  assert_weight(weigh("com='0.1 0.2 0.3 m' inertia='0.3 0.4 0.5 0.01 -0.02 0.03'", parts), 2, at, J,
                1e-15);
  assert_weight(weigh("inertia='0.3 0.4 0.5 0.01 -0.02 0.03'", parts), 2, (double[]){1, 0, 0}, J,
                1e-15);
  assert_weight(weigh("mass='3 kg'", "<shape kind='sphere' radius='1 m' mass='0 kg' at='1 1 1 m'/>"
                                     "<shape kind='sphere' radius='0.5 m' at='0.2 0 0 m'/>"),
                3, (double[]){0.2, 0, 0}, (double[]){0.3, 0.3, 0.3, 0, 0, 0}, 1e-15);
  // what has no mass leaves that of the body as it is stated
  const double origin[] = {0, 0, 0}, own[] = {0.3, 0.4, 0.5, 0, 0, 0};
  assert_weight(weigh("mass='5 kg' inertia='0.3 0.4 0.5'",
                      "<shape kind='sphere' radius='1 m' mass='0 kg' at='1 1 1 m'/>"),
                5, origin, own, 1e-14);
  // a free body about its centre of mass, and the same as a part of a tree
  assert_same(weigh("mass='3 kg'", "<shape kind='box' size='1 2 3 m'/>"),
              weigh("mass='3 kg' com='0 0 0 m'", "<shape kind='box' size='1 2 3 m'/>"), 1e-15);
}

/** A pendulum of two masses and a rod swings as one of their sum: J a = -m g c sin(q), from rest at 90 degrees. */
static void pendulum(void **state) {
  (void)state;
  const double M = 2 + 1 + 0.6, first = 2 * 1.5 + 1 * 0.5 + 0.6 * 0.75,
               J = 2 * 2.25 + 0.25 + 0.6 * 1.5 * 1.5 / 3 + 0.6 * 0.01 / 12;
  run r = go("<mechanism gravity='0 -9.81 0 m/s^2'><body id='b'><mass m='2' at='0 -1.5 0'/>"
             "<mass m='1' at='0 -0.5 0'/><shape kind='box' size='0.1 1.5 0.1' at='0 -0.75 0' "
             "mass='0.6'/></body><joint id='j' kind='revolute' parent='world' child='b' q0='90 "
             "deg'/></mechanism>",
             0.4);
  const double q = value(&r, "j.q"), w = value(&r, "j.w");
  assert_near(J * w * w / 2, 9.81 * first * cos(q), 1e-9);
  assert_near(value(&r, "tree(b).kinetic-energy"), 9.81 * first * cos(q), 1e-9);
  assert_near(component(&r, "b.position", 0), first / M * sin(q), 1e-12);
  stop(&r);
}

static void assert_fault(const char *inside, sb_status status, const char *message,
                         const char *hint) {
  char text[3000];
  sb_errors errors = {0};
  sb_netlist *netlist = NULL;
  (void)snprintf(
      text, sizeof text,
      "<screwbond version='1' id='m'><mechanism>%s</mechanism><run t-end='1'/></screwbond>",
      inside);
  (void)sb_netlist_parse("test.xml", text, strlen(text), NULL, 0, &netlist, &errors);
  if (errors.count != 1) {
    show_errors(&errors);
  }
  assert_int_equal(errors.count, 1);
  assert_string_equal(errors.items[0].text, message);
  assert_int_equal(errors.items[0].status, status);
  assert_string_equal(errors.items[0].hint, hint);
  sb_errors_finish(&errors);
  sb_netlist_destroy(netlist);
}

static void faults(void **state) {
  (void)state;
  assert_fault("<body id='b' mass='2 kg'><mass m='3 kg' at='1 0 0'/></body>", SB_ERR_RANGE,
               "the parts of 'b' have 3 kg together, not 2 kg",
               "mass is that of the whole body, and may be left out");
  assert_fault("<body id='b' mass='2 kg'><mass m='3 kg' at='1 0 0'/><shape kind='sphere' "
               "radius='1'/></body>",
               SB_ERR_RANGE, "the parts of 'b' have 3 kg together, not 2 kg",
               "mass is that of the whole body, and may be left out");
  assert_fault("<body id='b'><shape kind='sphere' radius='1'/></body>", SB_ERR_MISSING,
               "<body> needs the attribute 'mass'",
               "mass: of the body, unless its shapes and masses have theirs");
  assert_fault("<body id='b' com='0 0 0'><shape kind='sphere' radius='1'/></body>", SB_ERR_MISSING,
               "<body> needs the attribute 'mass'",
               "mass: of the body, unless its shapes and masses have theirs");
  assert_fault("<body id='b' mass='1' point-mass='yes' inertia='1 1 1'/>", SB_ERR_ATTRIBUTE,
               "a point mass has no inertia", "leave out point-mass=\"yes\", or the inertia");
  assert_fault("<body id='b'><mass m='0 kg'/></body>", SB_ERR_RANGE,
               "mass of body 'b': m must be positive", "");
  assert_fault("<body id='b'><mass at='1 0 0'/></body>", SB_ERR_MISSING,
               "<mass> needs the attribute 'm'", "m: mass of a point");
  assert_fault("<body id='b'><shape kind='sphere' radius='1' mass='1' density='2'/></body>",
               SB_ERR_ATTRIBUTE, "mass and density are two ways to say one thing", "");
  assert_fault("<ground id='g'><shape kind='sphere' radius='1' mass='1'/></ground>",
               SB_ERR_ATTRIBUTE, "the shape of a ground has no mass", "a ground does not move");
  assert_fault("<ground id='g'><shape kind='plane' normal='0 0 1' density='1'/></ground>",
               SB_ERR_ATTRIBUTE, "a shape of kind 'plane' has no attribute 'density'",
               "one of: normal, offset, at, rotation");
  assert_fault("<body id='b'><shape kind='box' size='1 1 1' radius='0.1' mass='1'/></body>",
               SB_ERR_ATTRIBUTE, "a shape of kind 'box' has no attribute 'radius'",
               "one of: size, edge-radius, at, rotation, mass, density");
  assert_fault("<body id='b' mass='1' com='0 0 0' inertia='1 1 3'/>", SB_ERR_RANGE,
               "body 'b': no rigid body has this inertia: a principal moment exceeds the sum of "
               "the other two",
               "");
  assert_fault("<body id='b' mass='-1 kg' com='0 0 0' inertia='1 1 1'/>", SB_ERR_RANGE,
               "body 'b': mass must not be negative", "");
  assert_fault("<body id='b' mass='0 kg' com='0 0 0' inertia='1 1 1'/>", SB_ERR_RANGE,
               "body 'b': a body without mass has no inertia", "");
  assert_fault("<body id='b'><mass m='1' at='1 0 0'/><mass m='1' at='-1 0 0'/></body>",
               SB_ERR_SINGULAR,
               "body 'b' moves freely, and has no inertia against a turn about one of its axes",
               "its mass stands on a line or in a point: give it an inertia, or a joint that does "
               "not turn it there");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(points), cmocka_unit_test(dumbbell), cmocka_unit_test(halves),
      cmocka_unit_test(hollow), cmocka_unit_test(stated),   cmocka_unit_test(pendulum),
      cmocka_unit_test(faults),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
