// SPDX-License-Identifier: GPL-3.0-or-later
// Resistance to rolling and spinning, against closed forms: how a ball spins down and rolls to rest, with the share of the speeds
// below which the moment is smoothed, and what is booked for it.
#include "tests/fixture.h"

#include "contact/turning.h"

enum { SIZE = 3000 };
static const double m = 1.3, R = 0.1, J = 0.0052, g = 9.81, k = 2e5;

/** A ball that stands on a plane, pressed in by its weight, without friction unless the law has one. */
static run standing(const char *law, const char *ball, double slope) {
  char inside[SIZE];
  (void)snprintf(
      inside, sizeof inside,
      "<materials><material id='soft' stiffness='1 1 1 MN/m' damping='500 500 0 "
      "N.s/m'/></materials>"
      "<laws><contact-law id='l' normal='linear' stiffness='200 kN/m' %s/></laws>"
      "<mechanism gravity='%.17g 0 %.17g m/s^2'>"
      "<ground id='floor' material='soft'><shape kind='plane' normal='0 0 1'/></ground>"
      "<body id='ball' mass='1.3 kg' inertia='5.2e-3 5.2e-3 5.2e-3' position='0 0 %.17g m' %s>"
      "<shape kind='sphere' radius='0.1 m'/></body><contact a='floor' b='ball' "
      "law='l'/></mechanism>",
      law, g * sin(slope), -g * cos(slope), R - m * g * cos(slope) / k, ball);
  return start(inside, 1e-10, 1e-13);
}

/** J w' = -M dir(w): w0 - (M/J) t down to w_e, and then u = w/w_e by u^2 = 3/(1 + 2 exp(3 (M/J) (t - t_e)/w_e)). */
static double spun_down(double w0, double M, double w_e, double t) {
  const double fall = M / J, t_e = (w0 - w_e) / fall;
  return t < t_e ? w0 - fall * t : w_e * sqrt(3 / (1 + 2 * exp(3 * fall * (t - t_e) / w_e)));
}

static void spins_down(void **state) {
  (void)state;
  run r =
      standing("friction='viscous' sigma2='0 N.s/m' spin-friction='2 mm' turning-speed='0.2 rad/s'",
               "angular-velocity='0 0 7 rad/s'", 0);
  const double M = 2e-3 * m * g, stop_at = J * 7 / M;
  for (double t = 0.1 * stop_at; t < 1.1 * stop_at; t += 0.1 * stop_at) {
    advance(&r, t);
    assert_near(component(&r, "ball.angular-velocity", 2), spun_down(7, M, 0.2, t), 1e-8);
  }
  const double u = component(&r, "ball.angular-velocity", 2) / 0.2;
  assert_near(component(&r, "contact(floor,ball)/turning.moment", 2),
              M * (1.5 * u - 0.5 * u * u * u), 1e-11);
  assert_near(value(&r, "contact(floor,ball)/turning.lost"),
              0.5 * J * (49 - pow(component(&r, "ball.angular-velocity", 2), 2)), 1e-9);
  assert_balanced(&r);
  stop(&r);
}

/** Without friction the ball turns on the spot, about any axis in the plane, and does not spin down. */
static void rolls_down_on_the_spot(void **state) {
  (void)state;
  run r = standing(
      "friction='viscous' sigma2='0 N.s/m' rolling-friction='3 mm' turning-speed='0.1 rad/s'",
      "angular-velocity='3 -4 2 rad/s'", 0);
  const double M = 3e-3 * m * g;
  for (double t = 0.1; t < 0.9; t += 0.1) {
    const double w = spun_down(5, M, 0.1, t);
    advance(&r, t);
    assert_near(component(&r, "ball.angular-velocity", 0), 0.6 * w, 1e-8);
    assert_near(component(&r, "ball.angular-velocity", 1), -0.8 * w, 1e-8);
    assert_near(component(&r, "ball.angular-velocity", 2), 2, 1e-12);
    assert_near(component(&r, "ball.position", 0), 0, 1e-15);
  }
  assert_balanced(&r);
  stop(&r);
}

static void viscous_parts(void **state) {
  (void)state;
  run r = standing("friction='viscous' sigma2='0 N.s/m' rolling-viscous='0.01 N.m.s/rad' "
                   "spin-viscous='0.004 N.m.s/rad'",
                   "angular-velocity='0 6 9 rad/s'", 0);
  advance(&r, 0.7);
  assert_near(component(&r, "ball.angular-velocity", 1), 6 * exp(-0.01 * 0.7 / J), 1e-8);
  assert_near(component(&r, "ball.angular-velocity", 2), 9 * exp(-0.004 * 0.7 / J), 1e-8);
  assert_near(value(&r, "contact(floor,ball)/turning.rolling-power"),
              0.01 * pow(6 * exp(-0.01 * 0.7 / J), 2), 1e-9);
  assert_near(value(&r, "contact(floor,ball)/turning.spin-power"),
              0.004 * pow(9 * exp(-0.004 * 0.7 / J), 2), 1e-9);
  assert_balanced(&r);
  stop(&r);
}

/** A solid ball that rolls by springs that never slip: w' = -a dir(w) with a = mu_r m g/(7/5 m R^2), so that it comes to
 *  rest after R (w0^2 - w_e^2)/(2 a) + R (w_e^2/a) (2/sqrt 3) artanh(1/sqrt 3). */
static void rolls_to_rest(void **state) {
  (void)state;
  const double mu = 1e-3, w_e = 0.3, a = mu * g / (1.4 * R * R), w0 = 12;
  run r = standing("friction='none' rolling-friction='1 mm' turning-speed='0.3 rad/s'",
                   "velocity='1.2 0 0 m/s' angular-velocity='0 12 0 rad/s'", 0);
  advance(&r, w0 / a + 4);
  const double way =
      R * (w0 * w0 - w_e * w_e) / (2 * a) + R * w_e * w_e / a * 2 / sqrt(3) * atanh(1 / sqrt(3));
  assert_near(component(&r, "ball.position", 0), way,
              3e-6); // the springs yield by M/(R k_t) = 1.3e-7 m
  assert_near(component(&r, "ball.velocity", 0), 0, 1e-6);
  assert_near(value(&r, "contact(floor,ball)/turning.lost"), 0.7 * m * 1.44, 1e-6);
  assert_balanced(&r);
  stop(&r);
}

/** On a slope below mu_r/R it rests, but for the creep that dir(u) = R tan(slope)/mu_r asks for, with u = w/w_e. */
static void rests_on_a_slope(void **state) {
  (void)state;
  const double slope = 0.01, share = R * tan(slope) / 2e-3;
  double u = 0.3;
  for (int i = 0; i < 60; i++) { // (3/2) u - u^3/2 = share
    u -= (1.5 * u - 0.5 * u * u * u - share) / (1.5 - 1.5 * u * u);
  }
  run r = standing("friction='none' rolling-friction='2 mm' turning-speed='0.02 rad/s'", "", slope);
  advance(&r, 3);
  assert_near(component(&r, "ball.angular-velocity", 1), 0.02 * u, 1e-7);
  assert_near(component(&r, "ball.velocity", 0), 0.02 * u * R, 1e-7);
  assert_balanced(&r);
  stop(&r);
}

/** With every friction, a stiffness that changes and the torsional springs: it takes what it is asked for, of both bodies. */
static void goes_with_every_friction(void **state) {
  (void)state;
  static const char *const laws[] = {
      "normal='hertz' tangential='mindlin' damping-factor='0.1 s/m'",
      "normal='hertz' friction='coulomb' mu='0.3' friction-radius='2 mm'",
      "normal='gonthier' stiffness='1e6 N/m^(3/2)' restitution='0.7' friction='stribeck' "
      "mu-kinetic='0.3' v-stribeck='0.1 m/s'",
      "normal='azad-featherstone' stiffness='1e6 N/m^(3/2)' damping='200 N.s/m^(3/2)' "
      "friction='bristle-dwell' mu-kinetic='0.3' "
      "sigma0='1e4 N/m' sigma1='1e3 N.s/m' v-stribeck='0.1 m/s' tau-dwell='10 ms'",
      "normal='expression' energy='3e5[N/m^(3/2)]*z^2.5' "
      "damping-force='90[N.s/m^(3/2)]*sqrt(z)*zd' friction='viscous' sigma2='2 N.s/m'"};
  for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
    char inside[SIZE];
    (void)snprintf(
        inside, sizeof inside,
        "<materials><material id='m' stiffness='20 20 20 kN/m' spin-stiffness='3 N.m/rad' "
        "normal-stiffness='1e6 %s' "
        "youngs-modulus='10 MPa' poisson-ratio='0.3'/></materials><laws><contact-law id='l' %s "
        "rolling-friction='2 mm' "
        "rolling-viscous='1e-3 N.m.s/rad' spin-friction='1 mm' spin-viscous='2e-3 "
        "N.m.s/rad'/></laws>"
        "<mechanism gravity='0 0 0 m/s^2'><body id='a' mass='1 kg' inertia='4e-3 5e-3 6e-3' "
        "material='m' "
        "position='0 0 0 m' angular-velocity='5 -4 3 rad/s'><shape kind='ellipsoid' semi-axes='0.1 "
        "0.11 0.12 m'/></body>"
        "<body id='b' mass='2 kg' inertia='7e-3 8e-3 9e-3' material='m' position='0.01 0.02 0.25 "
        "m' "
        "velocity='0.3 0.2 -1 m/s'><shape kind='ellipsoid' semi-axes='0.12 0.1 0.11 m'/></body>"
        "<contact a='a' b='b' law='l'/></mechanism>",
        i == 4 ? "N/m" : "N/m^(3/2)", laws[i]);
    run r = start(inside, 1e-9, 1e-12);
    advance(&r, 0.1);
    assert_int_equal(ledger_of(&r)->event_count >= 2, 1);
    assert_true(value(&r, "contact(a,b)/turning.lost") > 1e-5);
    assert_balanced(&r);
    stop(&r);
  }
}

static void refused(const char *law, sb_status status, const char *text) {
  char whole[SIZE];
  sb_netlist *netlist = NULL;
  sb_errors errors = {0};
  (void)snprintf(whole, sizeof whole,
                 "<screwbond version='1' id='m'><laws>\n<contact-law id='l' %s/></laws>"
                 "<run t-end='1 s'/></screwbond>",
                 law);
  (void)sb_netlist_parse("m.xml", whole, strlen(whole), NULL, 0, &netlist, &errors);
  if (errors.count != 1 || strcmp(errors.items[0].text, text) != 0) {
    show_errors(&errors);
    print_error("of %s\n", law);
  }
  assert_int_equal(errors.count, 1);
  assert_string_equal(errors.items[0].text, text);
  assert_int_equal(errors.items[0].status, status);
  assert_int_equal(errors.items[0].line, 2);
  sb_errors_finish(&errors);
  sb_netlist_destroy(netlist);
}

static void faults(void **state) {
  (void)state;
  refused("normal='linear' rolling-friction='-1 mm'", SB_ERR_RANGE,
          "the rolling-friction must not be negative: it is -0.001");
  refused("normal='linear' spin-viscous='-1 N.m.s/rad'", SB_ERR_RANGE,
          "the spin-viscous must not be negative: it is -1");
  refused("normal='linear' rolling-friction='0.01 N'", SB_ERR_DIMENSION,
          "the unit 'N' does not fit: expected a unit like m");
  refused("normal='linear' spin-friction='1 mm' turning-speed='0 rad/s'", SB_ERR_RANGE,
          "the turning-speed must be positive: it is 0");
  refused("normal='linear' rolling-viscous='1 N.m.s/rad' turning-speed='1 rad/s'", SB_ERR_ATTRIBUTE,
          "turning-speed is without effect without rolling-friction or spin-friction");
  refused("normal='potential' energy='1[N/m]*z^2' rolling-friction='1 mm'", SB_ERR_ATTRIBUTE,
          "rolling-friction is without effect with normal=\"potential\"");
  const sb_turning wrong = {.spin_friction = NAN, .speed = 1};
  const char *about = NULL;
  sb_error err = {0};
  assert_int_equal(sb_turning_check(&wrong, &about, &err), SB_ERR_RANGE);
  assert_string_equal(about, "spin-friction");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(spins_down),       cmocka_unit_test(rolls_down_on_the_spot),
      cmocka_unit_test(viscous_parts),    cmocka_unit_test(rolls_to_rest),
      cmocka_unit_test(rests_on_a_slope), cmocka_unit_test(goes_with_every_friction),
      cmocka_unit_test(faults),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
