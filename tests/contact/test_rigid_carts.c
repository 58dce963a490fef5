// SPDX-License-Identifier: GPL-3.0-or-later
// A cart on four rigid wheels drives straight over a bar across its way. Nothing in the scene tells left from right: it stays in its plane, in
// whatever order its wheels are listed. Two of its wheels on the bar and two on the floor say of its yaw next to nothing, d^2 of what they
// say of its height, and what they contradict each other by is no impulse.
#include "tests/fixture.h"

enum { TEXT = 6000, WHEELS = 4 };

/** Appends to a text of TEXT characters. */
#define ADD(text, ...)                                                                             \
  assert_true(snprintf((text) + strlen(text), TEXT - strlen(text), __VA_ARGS__) <                  \
              (int)(TEXT - strlen(text)))

/** @param start  of the cart at a bar 0.45 m ahead, down a slope of 0.072 rad  @param w0  (WHEELS) [rad/s] */
static run start_cart(const int order[], const char *law, const char *start, const double w0[]) {
  char text[TEXT] = "";
  ADD(text,
      "<screwbond version='1' id='m'><laws><contact-law id='l' normal='rigid' impact='%s' "
      "friction='coulomb' mu='0.4354789575298983'/></laws><mechanism gravity='%.17g 0 %.17g'>"
      "<ground id='floor'><shape kind='plane' normal='0 0 1' offset='0 m'/></ground>"
      "<ground id='bar'><shape kind='capsule' radius='6.3 mm' length='2 m' at='0.45 0 0 m' "
      "rotation='90 deg about 1 0 0'/></ground><body id='cart' mass='3 kg' com='0 0 0.02 m' "
      "inertia='0.05 0.08 0.1 kg.m^2'/><joint id='free' kind='free' parent='world' child='cart' "
      "%s/>",
      law, 9.81 * sin(0.07196280477588655), -9.81 * cos(0.07196280477588655), start);
  for (int k = 0; k < WHEELS; k++) {
    const int i = order[k];
    ADD(text,
        "<body id='w%d' mass='0.3 kg' inertia='0.001 0.0015 0.001 kg.m^2'><shape kind='sphere' "
        "radius='82.5 mm'/></body><joint id='j%d' kind='revolute' parent='cart' child='w%d' "
        "axis='0 1 0' at='%s %s 0 m' w0='%.17g' damping='0.01'/>",
        i, i, i, i < 2 ? "0.2" : "-0.2", i % 2 == 0 ? "0.15" : "-0.15", w0[i]);
  }
  for (int k = 0; k < 2 * WHEELS; k++) {
    const int i = order[k % WHEELS];
    ADD(text, "<contact a='%s' b='w%d' id='%s%d' law='l'/>", k < WHEELS ? "floor" : "bar", i,
        k < WHEELS ? "f" : "b", i);
  }
  ADD(text, "</mechanism><run t-end='1 s' rtol='1e-6'/></screwbond>");
  return start_netlist(text);
}

static const char *const laws[] = {"newton", "poisson", "stronge"};

/** It reaches the bar at 0.28 s. Impacts in turn rock it from one pair of wheels to the other, and each pair is struck as one. */
static void drives_over_a_bar(void **state) {
  (void)state;
  static const int orders[][WHEELS] = {{0, 1, 2, 3}, {3, 1, 0, 2}};
  const double w = 0.8175 / 0.0825, w0[WHEELS] = {w, w, w, w};
  for (int i = 0; i < 6; i++) {
    run r = start_cart(orders[i % 2], laws[i / 2], "at='0 0 82.5 mm' v0='0.8175 0 0'", w0);
    advance(&r, 0.6);
    assert_near(component(&r, "cart.position", 1), 0, 1e-12);
    assert_near(component(&r, "cart.angular-velocity", 2), 0, 1e-12);
    assert_true(component(&r, "cart.position", 0) > 0.4);
    assert_closes(&r);
    stop(&r);
  }
}

/** It comes onto the bar with two wheels, its yaw some 1e-7 rad, and one of these two slower by a fifth: that slips, and the others hold the
 *  cart. What approaches at 1e-6 m/s loses no more than 5 kg have at that speed, beside 4e-8 J of a wheel that its spin drives. */
static void stands_on_a_bar(void **state) {
  (void)state;
  static const int order[WHEELS] = {0, 1, 2, 3};
  static const double w0[WHEELS] = {6.454534620496966, 8.068063300944686, 8.068063247068492,
                                    8.068063247068489};
  for (int i = 0; i < 3; i++) {
    run r = start_cart(order, laws[i],
                       "at='0.2500248178123644 4.119647160385673e-08 0.08564999999999068 m' "
                       "rotation='0.01575065123778881 rad about 9.206626560929452e-08 "
                       "-0.9999999999318488 1.1690230297446437e-05' v0='0.6656152783091053 "
                       "1.2256143655948218e-07 -1.4108224558745386e-07' "
                       "w0='-1.3008884483092414e-13 7.05498737506541e-07 9.36953079339368e-15'",
                       w0);
    advance(&r, 0.01);
    assert_near(component(&r, "cart.angular-velocity", 2), 0, 1e-5);
    assert_near(ledger_of(&r)->total.event_loss, 0, 1e-6);
    assert_closes(&r);
    stop(&r);
  }
}

/** A cart with sprung wheels runs up a bar, one wheel of which a brake holds. The wheels behind it say their ways along the axle but for d, so that they
 *  contradict each other by d of what others accelerate, while the other wheel on the bar begins to slip. */
static run start_braked(void) {
  static const double q0[WHEELS] = {0.002768073799404937, -0.002188971312630751,
                                    0.002706348236694358, -0.0022425880400550975};
  static const double v0[WHEELS] = {-0.32603884445089215, 0.01381898945336212, -0.32720656605980236,
                                    0.013818787875010369};
  static const double w0[WHEELS] = {4.440892098500626e-16, 13.921349352538478, 13.95022820773687,
                                    13.92165309985705};
  char text[TEXT] = "";
  ADD(text,
      "<screwbond version='1' id='m'><laws><contact-law id='l' normal='rigid' friction='coulomb' "
      "mu='0.9544448844578941' restitution='0.2'/></laws><mechanism gravity='0 0 -9.81'>"
      "<ground id='floor'><shape kind='plane' normal='0.07888260618000309 0 0.9968839122195977'/>"
      "</ground><ground id='bar'><shape kind='capsule' radius='0.01' length='3' "
      "at='0.6978187385537183 0 -0.05721782432600216' rotation='90 deg about 1 0 0'/></ground>"
      "<body id='cart' mass='5' inertia='0.05 0.1 0.12' position='0.5233451009267006 "
      "5.6294271081989286e-06 0.1627651600851435' rotation='0.07232912658996002 rad about "
      "-0.0022826862761642624 0.9999874470182137 0.004460397892511352' "
      "velocity='1.280773044383047 0.00042018496995013186 -0.0019414310121125267' "
      "angular-velocity='0.00018598520016996895 -0.5665034471759298 8.68442621600299e-05'/>");
  for (int i = 0; i < WHEELS; i++) {
    ADD(text,
        "<body id='k%d' mass='0.2' inertia='1e-3 1e-3 1e-3'/><joint id='s%d' kind='prismatic' "
        "axis='0 0 1' parent='cart' child='k%d' at='%s %s -0.1' stiffness='2000' "
        "rest='-0.006112144486796409' damping='40' q0='%.17g' w0='%.17g'/>",
        i, i, i, i % 2 == 0 ? "0.2" : "-0.2", i < 2 ? "0.15" : "-0.15", q0[i], v0[i]);
    ADD(text,
        "<body id='w%d' mass='0.4'><shape kind='ellipsoid' semi-axes='0.1 0.02 0.1'/></body>"
        "<joint id='a%d' kind='revolute' axis='0 1 0' parent='k%d' child='w%d' w0='%.17g'/>"
        "<contact id='f%d' a='floor' b='w%d' law='l'/><contact id='b%d' a='bar' b='w%d' law='l'/>",
        i, i, i, i, w0[i], i, i, i, i);
  }
  ADD(text, "</mechanism><network domain='rotation'><Friction id='br' coulomb='2.5079521615811124 "
            "N.m'/><bond from='a0' to='br'/><Se id='mo' effort='0.12945975313181757 N.m'/>"
            "<bond from='mo' to='a1'/></network><run t-end='1 s' rtol='1e-8'/></screwbond>");
  return start_netlist(text);
}

/** Of all states of the contacts in turn, with directions by bisection, one holds then: the brake and a wheel behind stick, and the normal forces
 *  are these. */
static void brakes_on_a_bar(void **state) {
  (void)state;
  run r = start_braked();
  advance(&r, 1.141e-4); // when the wheel on the bar has just begun to slip
  const double b0 = value(&r, "b0.normal-force"), b2 = value(&r, "b2.normal-force"),
               f1 = value(&r, "f1.normal-force"), f3 = value(&r, "f3.normal-force");
  assert_near(b0 + b2, 1.0353, 4e-4);
  assert_near(f1 + f3, 28.469, 4e-4);
  // each by itself follows from rows that say nearly the same
  assert_near(b0, 0.5922, 4e-4);
  assert_near(b2, 0.4431, 4e-4);
  assert_near(f1, 14.290, 2e-3);
  assert_near(f3, 14.179, 2e-3);
  assert_near(value(&r, "b2.sticks"), 0, 0);
  assert_near(value(&r, "a0.w"), 0, 1e-12);
  assert_closes(&r);
  stop(&r);
}

/** Both wheels behind stick then. What they contradict each other by along the axle no force takes: the rates are those of the forces all the same. */
static void contradicts_itself(void **state) {
  (void)state;
  run r = start_braked();
  for (int i = 1; i <= 20; i++) {
    advance(&r, 5e-4 * i);
    assert_closes(&r);
  }
  assert_near(value(&r, "f1.sticks"), 1, 0);
  assert_near(value(&r, "f3.sticks"), 1, 0);
  stop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      repeating_test(drives_over_a_bar), cmocka_unit_test(stands_on_a_bar),
      cmocka_unit_test(brakes_on_a_bar), cmocka_unit_test(contradicts_itself)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
