// SPDX-License-Identifier: GPL-3.0-or-later
// Normal laws by expression: a law that no row has against closed forms, the laws of the table written as expressions
// against themselves with every friction and with shapes of all kinds, and what is refused.
#include "tests/fixture.h"

enum { SIZE = 3000 };

/** A ball of 1 kg that meets a floor at a speed v [m/s], without gravity. */
static run impact(const char *law, double v, double rtol) {
  char inside[SIZE];
  (void)snprintf(inside, sizeof inside,
                 "<laws><contact-law id='l' %s/></laws><mechanism gravity='0 0 0 m/s^2'>"
                 "<ground id='floor'><shape kind='plane' normal='0 0 1'/></ground>"
                 "<body id='ball' mass='1 kg' position='0 0 0.101 m' velocity='0 0 -%.17g m/s'>"
                 "<shape kind='sphere' radius='0.1 m'/></body>"
                 "<contact a='floor' b='ball' law='l'/></mechanism>",
                 law, v);
  return start(inside, rtol, 1e-3 * rtol);
}

/** f = V'(z) (1 + c zd |zd|) with V = A (cosh(z/L) - 1): from m u du/dz = -V'(z) (1 + c u |u|) follows
 *  1 - c v1^2 = 1/(1 + c v0^2), so e = 1/sqrt(1 + c v^2) whatever V is, and V(z_max) = m ln(1 + c v^2)/(2 c). */
static void stiffening_buffer(void **state) {
  (void)state;
  const double A = 0.7, L = 0.008, c = 1.3;
  for (double v = 0.3; v < 4; v *= 3.1) {
    run r = impact("normal='expression' energy='0.7[J]*(cosh(z/8[mm]) - 1)' "
                   "damping-force='0.7[J]/8[mm]*sinh(z/8[mm])*1.3[s^2/m^2]*zd*abs(zd)'",
                   v, 1e-11);
    double deepest = 0;
    for (double t = 0; t < 0.15; t += 1e-4 / v) {
      advance(&r, t);
      deepest = fmax(deepest, value(&r, "contact(floor,ball).penetration"));
    }
    const double V = log(1 + c * v * v) / (2 * c);
    assert_near(deepest, L * acosh(1 + V / A), 3e-7); // by samples
    assert_near(component(&r, "ball.velocity", 2), v / sqrt(1 + c * v * v), 1e-10 * v);
    assert_balanced(&r);
    stop(&r);
  }
}

/** The same motion as by the row of the table, to the accuracy of both. */
static void same_as_the_rows(void **state) {
  (void)state;
  static const char *const pairs[][2] = {
      {"normal='kelvin-voigt' stiffness='3 kN/m' damping='37 N.s/m'",
       "normal='expression' energy='1.5[kN/m]*z^2' damping-force='37[N.s/m]*zd'"},
      {"normal='hunt-crossley' exponent='1.5' stiffness='1e5 N/m^(3/2)' damping-factor='0.4 s/m'",
       "normal='expression' energy='4e4[N/m^(3/2)]*z^2.5' "
       "damping-force='4e4[N.s/m^(5/2)]*z^1.5*zd'"},
      {"normal='azad-featherstone' stiffness='1e5 N/m^(3/2)' damping='300 N.s/m^(3/2)'",
       "normal='expression' energy='4e4[N/m^(3/2)]*z^2.5' "
       "damping-force='300[N.s/m^(3/2)]*sqrt(z)*zd'"},
      {"normal='kelvin-voigt' stiffness='3 kN/m' damping='37 N.s/m' clamp='no'",
       "normal='expression' energy='1.5[kN/m]*z^2' damping-force='37[N.s/m]*zd' clamp='no'"}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    double speed[2];
    for (int k = 0; k < 2; k++) {
      run r = impact(pairs[i][k], 0.8, 1e-10);
      advance(&r, 0.2);
      assert_int_equal(value(&r, "contact(floor,ball).touches"), 0);
      speed[k] = component(&r, "ball.velocity", 2);
      assert_balanced(&r);
      stop(&r);
    }
    assert_true(speed[0] > 0.1);
    assert_near(speed[1], speed[0], 1e-8);
  }
}

/** A body that is thrown on a ground: Hunt and Crossley's law by its row and by expression, with every friction. */
static void goes_with_every_friction_and_shape(void **state) {
  (void)state;
  static const char *const frictions[] = {
      "friction='none'", "friction='coulomb' mu='0.3' friction-radius='2 mm'",
      "friction='viscous' sigma2='3 N.s/m'",
      "friction='stribeck' mu-kinetic='0.3' mu-static='0.4' v-stribeck='0.1 m/s'",
      ("friction='bristle-dwell' mu-kinetic='0.3' sigma0='1e4 N/m' sigma1='1e3 N.s/m' "
       "v-stribeck='0.1 m/s' tau-dwell='10 ms'")};
  static const char *const shapes[][2] = {
      {"kind='plane' normal='0 0 1'", "kind='sphere' radius='0.1 m'"},
      {"kind='plane' normal='0 0 1'", "kind='ellipsoid' semi-axes='0.12 0.1 0.1 m'"},
      {"kind='sphere' radius='1 m' at='0 0 -1 m'",
       "kind='capsule' rotation='90 deg about 1 0 0' radius='0.1 m' length='0.3 m'"},
      {"kind='tube' radius='0.7 m' at='0 0 0.7 m' rotation='90 deg about 1 0 0'",
       "kind='sphere' radius='0.1 m'"}};
  static const char *const laws[] = {
      "normal='hunt-crossley' exponent='1.5' stiffness='1e6 N/m^(3/2)' damping='2e5 N.s/m^(5/2)'",
      "normal='expression' energy='4e5[N/m^(3/2)]*z^2.5' "
      "damping-force='2e5[N.s/m^(5/2)]*z^1.5*zd'"};
  for (int i = 0; i < 20; i++) {
    double position[2][3], turning[2][3];
    for (int k = 0; k < 2; k++) {
      char inside[SIZE];
      (void)snprintf(
          inside, sizeof inside,
          "<materials><material id='m' stiffness='2e4 2e4 2e4 N/m' spin-stiffness='1 N.m/rad' "
          "normal-stiffness='1 MN/m^%s'/></materials>"
          "<laws><contact-law id='l' %s %s/></laws><mechanism gravity='0 0 -9.81 m/s^2'>"
          "<ground id='floor'><shape %s/></ground>"
          "<body id='ball' mass='1 kg' inertia='4e-3 5e-3 6e-3' material='m' "
          "position='0 0 0.11 m' velocity='0.4 0.3 -0.5 m/s' angular-velocity='1 2 3 rad/s'>"
          "<shape %s/></body><contact a='floor' b='ball' law='l'/></mechanism>",
          k == 0 ? "(3/2)" : "1", laws[k], frictions[i % 5], shapes[i / 5][0], shapes[i / 5][1]);
      run r = start(inside, 1e-9, 1e-12);
      advance(&r, 0.05);
      assert_true(ledger_of(&r)->event_count > 0);
      assert_balanced(&r);
      read_all(&r, "ball.position", position[k]);
      read_all(&r, "ball.angular-velocity", turning[k]);
      stop(&r);
    }
    for (int c = 0; c < 3; c++) {
      assert_near(position[1][c], position[0][c], 1e-8);
      assert_near(turning[1][c], turning[0][c], 1e-6);
    }
  }
}

/** A viscous force that gives power is reported by the name of the part. */
static void negative_power_is_named(void **state) {
  (void)state;
  run r = impact("normal='expression' energy='1.5[kN/m]*z^2' "
                 "damping-force='if(zd &gt; 0, 9, -4)[N.s/m]*zd'",
                 0.8, 1e-8);
  advance(&r, 0.2);
  sb_simulation_audit(r.sim);
  assert_true(ledger_of(&r)->passivity.violations > 0);
  assert_string_equal(ledger_of(&r)->passivity.element, "contact(floor,ball)/damper");
  assert_true(ledger_of(&r)->residual_relative < 1e-8);
  stop(&r);
}

static void refused(const char *law, sb_status status, int column, const char *text) {
  char whole[SIZE];
  sb_netlist *netlist = NULL;
  sb_errors errors = {0};
  (void)snprintf(
      whole, sizeof whole,
      "<screwbond version='1' id='m'><laws>\n<contact-law id='l' normal='expression' %s/></laws>"
      "<run t-end='1 s'/></screwbond>",
      law);
  (void)sb_netlist_parse("m.xml", whole, strlen(whole), NULL, 0, &netlist, &errors);
  assert_int_equal(errors.count, 1);
  if (strcmp(errors.items[0].text, text) != 0 || errors.items[0].column != column) {
    show_errors(&errors);
  }
  assert_string_equal(errors.items[0].text, text);
  assert_int_equal(errors.items[0].status, status);
  assert_int_equal(errors.items[0].column, column);
  sb_errors_finish(&errors);
  sb_netlist_destroy(netlist);
}

/** Lengths of any size are meant: a law of picometres is judged as one of metres is. */
static void small_lengths(void **state) {
  (void)state;
  static const char *const laws[] = {
      ("normal='expression' energy='6e-24[J]*(cosh(z/1e-15[m]) - 1)' "
       "damping-force='6e-24[J]/1e-15[m]*sinh(z/1e-15[m])*2e3[s/m]*zd*(1 + 1e3[s/m]*abs(zd))'"),
      "normal='expression' energy='3[N]*(sqrt(z^2 + 1[pm^2]) - 1[pm])'",
      "normal='potential' energy='1[N/m]*z^2 + 3[N]*(sqrt(r^2 + 1[pm^2]) - 1[pm])'",
      "normal='potential' energy='1[N/m]*z^2 + 3[kN/m^0.1]*abs(r)^1.1'"};
  for (int i = 0; i < 4; i++) {
    char text[600];
    (void)snprintf(text, sizeof text,
                   "<screwbond version='1' id='m'><laws><contact-law id='l' %s/></laws>"
                   "<run t-end='1 s'/></screwbond>",
                   laws[i]);
    sb_netlist_destroy(read_netlist(text, NULL, 0));
  }
  refused("energy='1[N/m]*z^2 + 1[uN]*(sqrt(z^2 + 1[am^2]*0) - 0[m])'", SB_ERR_RANGE, 49,
          "contact-law 'l': the derivative of the energy of the law 'expression' by z jumps where "
          "the bodies touch, x = y = z = theta = 0");
}

static void faults(void **state) {
  (void)state;
  refused("", SB_ERR_MISSING, 1, "energy is missing: normal=\"expression\" needs it");
  refused("energy='1[N]*z^2'", SB_ERR_DIMENSION, 49,
          "contact-law 'l': the energy of the law 'expression': the expression is in kg.m^3/s^2, "
          "expected is a unit like J or N.m");
  refused("energy='1[N/m]*z^2' damping-force='3[N.s]*zd'", SB_ERR_DIMENSION, 76,
          "contact-law 'l': the damping-force of the law 'expression': the expression is in J or "
          "N.m, expected is a unit like N");
  refused("energy='1[N/m]*(z^2 + x^2)'", SB_ERR_CHOICE, 49,
          "contact-law 'l': the energy of the law 'expression' depends on z alone, not on x");
  refused("energy='1[N/m]*(z^2 + r*z)'", SB_ERR_CHOICE, 49,
          "contact-law 'l': the energy of the law 'expression' depends on z alone, not on r");
  refused("energy='1[N]*z'", SB_ERR_RANGE, 49,
          "contact-law 'l': the derivative of the energy of the law 'expression' by z must be 0 "
          "where the bodies touch, x = y = z = theta = 0: it is 1 N");
  refused("energy='1[N/m]*z^2' damping-force='0.2[N/m]*z + 3[N.s/m]*zd'", SB_ERR_RANGE, 76,
          "contact-law 'l': the damping-force of the law 'expression' must be 0 where zd = 0: at z "
          "= 1 m it is 0.2 N");
  refused("energy='1[N/m]*z^2' damping-force='0[N]*z/zd*1[1/s]'", SB_ERR_RANGE, 76,
          "contact-law 'l': the damping-force of the law 'expression' must be 0 where zd = 0: at z "
          "= 1 m it is nan N");
  refused("energy='-4[N/m]*z^2 + 900[N/m^2]*z^3'", SB_ERR_RANGE, 49,
          "contact-law 'l': the energy of the law 'expression' must not be negative: it falls with "
          "z from where the bodies touch");
  refused("energy='4[N/m]*z^2' damping-force='-3[N.s/m^2]*z*zd'", SB_ERR_RANGE, 76,
          "contact-law 'l': the damping-force of the law 'expression' must have the sign of zd: at "
          "z = 1 m and zd = 1 m/s it is -3 N");
  refused("energy='1[N/m]*z^2' damping-force='3[N/m]*y'", SB_ERR_REFERENCE, 83,
          "contact-law 'l': the damping-force of the law 'expression': unknown name 'y'");
  refused("energy='1[N/m]*z^2' damping='3 N.s/m'", SB_ERR_ATTRIBUTE, 70,
          "contact-law 'l': damping is without effect with normal=\"expression\"");
  refused("energy='1[N/m]*z^2' stiffness='3 N/m'", SB_ERR_ATTRIBUTE, 72,
          "contact-law 'l': stiffness is without effect with normal=\"expression\"");
  refused("energy='1[N/m]*z^2' exponent='1'", SB_ERR_ATTRIBUTE, 71,
          "contact-law 'l': exponent is without effect with normal=\"expression\"");
  refused("energy='1[N/m]*z^2' axis='1 0 0'", SB_ERR_ATTRIBUTE, 67,
          "contact-law 'l': axis is without effect with normal=\"expression\"");
  refused("energy='1[N/m]*z^2' restitution='0.7'", SB_ERR_ATTRIBUTE, 74,
          "contact-law 'l': the law 'expression' takes no restitution, but a damping-force");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stiffening_buffer),
      cmocka_unit_test(same_as_the_rows),
      repeating_test(goes_with_every_friction_and_shape),
      cmocka_unit_test(negative_power_is_named),
      cmocka_unit_test(small_lengths),
      cmocka_unit_test(faults),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
