// SPDX-License-Identifier: GPL-3.0-or-later
// Resistance to rolling and spinning, against closed forms: how a ball spins down and rolls to rest, with the share of the speeds
// below which the moment is smoothed, and what is booked for it.
#include "tests/fixture.h"

#include <complex.h>

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
    assert_near(component(&r, "ball.angular-velocity", 2), 2, 1e-11); // by steps at rtol 1e-10
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

static void moment_of(const sb_turning *t, double f_n, const double w[3], const double held[3],
                      double M[3], double rate[3]) {
  const sb_turning_state x = {
      .f_n = f_n, .w = {w[0], w[1], w[2]}, .held = {held[0], held[1], held[2]}};
  double guard[SB_TURNING_KINKS];
  sb_turning_moment(t, &x, NULL, M, rate, guard);
}

/** The moment by springs, from its equation: below and at its limit, in both parts; turned, it turns. */
static void springs_that_yield(void **state) {
  (void)state;
  const sb_turning t = {.rolling_friction = 2e-3,
                        .spin_friction = 5e-4,
                        .spin_viscous = 0.01,
                        .stiffness = 3,
                        .damping = 0.02};
  const double held[] = {3 * 0.01, 3 * -0.02, 3 * 0.004}, w[] = {0.2, 0.1, -0.3};
  double M[3], rate[3];
  moment_of(&t, 1e3, w, held, M, rate); // limits 2 and 0.5 N m: it sticks
  assert_near(M[0], 0.03 + 0.06 * 0.2, 1e-16);
  assert_near(M[1], -0.06 + 0.06 * 0.1, 1e-16);
  assert_near(M[2], 0.012 - 0.06 * 0.3 - 0.01 * 0.3, 1e-16);
  assert_near(rate[0], 0.2, 0);
  assert_near(rate[2], -0.3, 0);
  moment_of(&t, 10, w, held, M, rate); // limits 0.02 and 0.005 N m: both yield
  const double size = hypot(0.042, -0.054);
  assert_near(M[0], 0.02 * 0.042 / size, 1e-16);
  assert_near(M[1], 0.02 * -0.054 / size, 1e-16);
  assert_near(M[2], -0.005 - 0.003, 1e-16);
  assert_near(rate[0], (M[0] - 0.03) / 0.06, 1e-15);
  assert_near(rate[2], (-0.005 - 0.012) / 0.06, 1e-15);
  moment_of(&t, 0, w, held, M, rate); // without load they relax by B theta' = -K theta
  assert_near(M[0], 0, 0);
  assert_near(rate[1], 0.06 / 0.06, 1e-15);
}

/** By springs a ball rests on a slope below mu_r/R: for 100 s (10 s by the sanitizers) it does not move, whatever holds it from
 *  sliding. */
static void holds_on_a_slope(void **state) {
  (void)state;
  static const char *const laws[] = {
      "friction='none' rolling-friction='2 mm' turning-stiffness='40 N.m/rad' turning-damping='20 "
      "ms'",
      "friction='coulomb' mu='0.3' rolling-friction='2 mm' turning-stiffness='40 N.m/rad' "
      "turning-damping='20 ms'",
      "friction='coulomb' mu='0.3' rolling-friction='2 mm' spin-friction='1 mm' "
      "turning-stiffness='900 N.m/rad'"};
  for (int i = 0; i < 4;
       i += PLAIN
                ? 1
                : 3) { // up to what it swings beyond, it yields once if that is above mu_r/R = 0.02
    const double slope = i == 3 ? 0.0199 : 0.015;
    run r = standing(laws[i % 3], "", slope);
    double at[2][3];
    for (int end = 0; end < 2; end++) {
      advance(&r, end == 0 ? 20 : PLAIN ? 120 : 30);
      read_all(&r, "ball.position", at[end]);
    }
    const double M = m * g * sin(slope) * R, K = i == 2 ? 900 : 40;
    for (int c = 0; c < 3; c++) {
      assert_near(at[1][c], at[0][c], 1e-11);
    }
    if (i < 3) {
      assert_near(at[1][0], M / K * R, 1e-6); // and what the skin yields
    }
    assert_near(component(&r, "contact(floor,ball)/turning.moment", 1), M, 1e-9);
    assert_near(value(&r, "contact(floor,ball)/turning-springs.energy"), M * M / (2 * K), 1e-9);
    assert_balanced(&r);
    stop(&r);
  }
}

/** Above mu_r/R it rolls, by (5/7) (g sin - mu_r g cos/R). */
static void rolls_down_a_slope(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    const double slope = i == 0 ? 0.03 : 0.2, c = cos(slope);
    run r = standing(
        i == 0
            ? "friction='none' rolling-friction='2 mm' turning-stiffness='40 N.m/rad'"
            : "friction='coulomb' mu='0.3' rolling-friction='2 mm' turning-stiffness='7 N.m/rad'",
        "", slope);
    const double a = 5.0 / 7 * (g * sin(slope) - 2e-3 * g * c / R);
    double v[2];
    for (int end = 0; end < 2; end++) {
      advance(&r, 1 + end);
      v[end] = component(&r, "ball.velocity", 0);
    }
    assert_near(v[1] - v[0], a, 1e-7);
    assert_near(component(&r, "contact(floor,ball)/turning.moment", 1), 2e-3 * m * g * c, 1e-9);
    assert_balanced(&r);
    stop(&r);
  }
}

/** It spins down by M/J, is thrown back a little by the springs and then rests. What is lost is what it had. */
static void spins_down_and_rests(void **state) {
  (void)state;
  run r = standing(
      "friction='viscous' sigma2='0 N.s/m' spin-friction='2 mm' turning-stiffness='5 N.m/rad'",
      "angular-velocity='0 0 7 rad/s'", 0);
  const double M = 2e-3 * m * g, stops = J * 7 / M;
  double w[2];
  for (int end = 0; end < 2; end++) {
    advance(&r, (0.2 + 0.7 * end) * stops);
    w[end] = component(&r, "ball.angular-velocity", 2);
  }
  assert_near(w[1] - w[0], -0.7 * 7, 1e-8);
  advance(&r, stops + 10);
  assert_near(component(&r, "ball.angular-velocity", 2), 0, 1e-9);
  assert_near(value(&r, "contact(floor,ball)/turning.lost"), 0.5 * J * 49, 1e-9);
  assert_balanced(&r);
  stop(&r);
}

/** The springs turn with both bodies: on a plate that turns by W about the normal, and the ball with it, the rates of rolling
 *  w = w_x + i w_y and the springs theta obey J w' = -(K theta + B w), theta' = w + i W theta. */
static void carried_along(void **state) {
  (void)state;
  const double W = 3, K = 5, B = 0.05; // [rad/s], [N m/rad], [N m s/rad]
  run r = start(
      "<laws><contact-law id='l' normal='linear' stiffness='200 kN/m' friction='viscous' sigma2='0 "
      "N.s/m' "
      "rolling-friction='1 m' spin-friction='1 m' turning-stiffness='5 N.m/rad' "
      "turning-damping='10 ms'/></laws>"
      "<mechanism><body id='plate' mass='1e12 kg' inertia='1e12 1e12 1e12' angular-velocity='0 0 3 "
      "rad/s'>"
      "<shape kind='plane' normal='0 0 1'/></body><body id='ball' mass='1.3 kg' inertia='5.2e-3 "
      "5.2e-3 5.2e-3' "
      "gravity='0 0 -9.81 m/s^2' position='0 0 0.099936235 m' angular-velocity='0.7 -0.4 3 rad/s'>"
      "<shape kind='sphere' radius='0.1 m'/></body><contact a='plate' b='ball' "
      "law='l'/></mechanism>",
      1e-10, 1e-13);
  const double complex p = B / J - W * I, q = K / J - W * B / J * I, root = csqrt(p * p / 4 - q);
  const double complex l1 = -p / 2 + root, l2 = -p / 2 - root, w0 = 0.7 - 0.4 * I;
  const double complex theta = w0 / (l1 - l2); // theta = theta (exp(l1 t) - exp(l2 t))
  for (double t = 0.05; t < 0.5; t += 0.05) {
    const double complex w =
        theta * ((l1 - W * I) * cexp(l1 * t) - (l2 - W * I) * cexp(l2 * t)); // theta' - i W theta
    advance(&r, t);
    assert_near(component(&r, "ball.angular-velocity", 0), creal(w), 1e-8);
    assert_near(component(&r, "ball.angular-velocity", 1), cimag(w), 1e-8);
  }
  assert_balanced(&r);
  stop(&r);
}

/** Turning all vectors about the normal turns the answer. */
static void frame_of_the_springs(void **state) {
  (void)state;
  const double theta[] = {0.01, -0.02, 0.005};
  const sb_turning t = {.rolling_friction = 1, .stiffness = 3, .damping = 0.02};
  double M[3], turned[3], rate[3], rate_turned[3], held[3], held_turned[3];
  const double c = cos(0.7), s = sin(0.7), w[] = {0.3, 0.1, 0.2};
  const double w_turned[] = {c * w[0] - s * w[1], s * w[0] + c * w[1], w[2]};
  for (int i = 0; i < 3; i++) {
    held[i] = 3 * theta[i];
  }
  held_turned[0] = c * held[0] - s * held[1];
  held_turned[1] = s * held[0] + c * held[1];
  held_turned[2] = held[2];
  for (double f_n = 0.01; f_n < 1; f_n *= 3) {
    moment_of(&t, f_n, w, held, M, rate);
    moment_of(&t, f_n, w_turned, held_turned, turned, rate_turned);
    assert_near(turned[0], c * M[0] - s * M[1], 1e-16);
    assert_near(turned[1], s * M[0] + c * M[1], 1e-16);
    assert_near(rate_turned[0], c * rate[0] - s * rate[1], 1e-15);
    assert_near(turned[2], M[2], 0);
  }
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
          "contact-law 'l': the rolling-friction of the law 'linear' must not be negative");
  refused("normal='linear' spin-viscous='-1 N.m.s/rad'", SB_ERR_RANGE,
          "contact-law 'l': the spin-viscous of the law 'linear' must not be negative");
  refused("normal='linear' rolling-friction='0.01 N'", SB_ERR_DIMENSION,
          "contact-law 'l': the rolling-friction of the law 'linear': the unit 'N' does not fit: "
          "expected a unit like m");
  refused("normal='linear' spin-friction='1 mm' turning-speed='0 rad/s'", SB_ERR_RANGE,
          "contact-law 'l': the turning-speed of the law 'linear' must be positive");
  refused("normal='linear' spin-friction='1 mm' turning-speed='1e-308 rad/s'", SB_ERR_RANGE,
          "contact-law 'l': the turning-speed of the law 'linear' must be from 1e-100 to 1e+100 in "
          "SI units, not 1e-308");
  refused(
      "normal='linear' rolling-friction='1e-308 m'", SB_ERR_RANGE,
      "contact-law 'l': the rolling-friction of the law 'linear' must be zero or from 1e-100 to "
      "1e+100 in SI units, not 1e-308");
  refused(
      "normal='linear' rolling-viscous='1 N.m.s/rad' turning-speed='1 rad/s'", SB_ERR_ATTRIBUTE,
      "contact-law 'l': turning-speed is without effect without rolling-friction or spin-friction");
  refused("normal='linear' rolling-friction='1 mm' turning-stiffness='0 N.m/rad'", SB_ERR_RANGE,
          "contact-law 'l': the turning-stiffness of the law 'linear' must be positive");
  refused("normal='linear' rolling-friction='1 mm' turning-stiffness='2 N/m'", SB_ERR_DIMENSION,
          "contact-law 'l': the turning-stiffness of the law 'linear': the unit 'N/m' does not "
          "fit: expected a unit like J or N.m");
  refused("normal='linear' spin-viscous='1 N.m.s/rad' turning-stiffness='2 N.m/rad'",
          SB_ERR_ATTRIBUTE,
          "contact-law 'l': turning-stiffness is without effect without rolling-friction or "
          "spin-friction");
  refused(
      "normal='linear' spin-friction='1 mm' turning-stiffness='2 N.m/rad' turning-speed='1 rad/s'",
      SB_ERR_ATTRIBUTE, "contact-law 'l': turning-speed is without effect with turning-stiffness");
  refused("normal='linear' spin-friction='1 mm' turning-damping='2 ms'", SB_ERR_ATTRIBUTE,
          "contact-law 'l': turning-damping is without effect without turning-stiffness");
  const sb_turning wrong = {.spin_friction = NAN, .speed = 1};
  const char *about = NULL;
  sb_error err = {0};
  assert_int_equal(sb_turning_check(&wrong, "linear", &about, &err), SB_ERR_RANGE);
  assert_string_equal(about, "spin-friction");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(spins_down),
      cmocka_unit_test(rolls_down_on_the_spot),
      cmocka_unit_test(viscous_parts),
      repeating_test(rolls_to_rest),
      cmocka_unit_test(rests_on_a_slope),
      cmocka_unit_test(springs_that_yield),
      repeating_test(holds_on_a_slope),
      repeating_test(rolls_down_a_slope),
      cmocka_unit_test(spins_down_and_rests),
      cmocka_unit_test(carried_along),
      cmocka_unit_test(frame_of_the_springs),
      repeating_test(goes_with_every_friction),
      cmocka_unit_test(faults),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
