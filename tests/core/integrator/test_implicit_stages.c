// SPDX-License-Identifier: GPL-3.0-or-later
// Stiff circuits by the implicit method: their steps follow what moves, however fast the mode is that does not,
// and whatever the rounding of the states times its eigenvalue. Touches of what rests.
#include "tests/fixture.h"

/** A coil of 1 nH, R and C behind 5 V, for one time constant R C. The eigenvalue R/L of the coil is R^2 C/L times
 *  that of the capacitor, from 7e8 to 7e26. */
static run start_coil(double r, double c, const char *method) {
  sb_graph *graph;
  assert_int_equal(sb_graph_create("coil", &graph, NULL), SB_OK);
  (void)add_kind(graph, "Se", "s", "effort", 5);
  (void)add_kind(graph, "J1", "j", NULL, 0);
  (void)add_kind(graph, "R", "r", "r", r);
  (void)add_kind(graph, "C", "c", "c", c);
  (void)add_kind(graph, "I", "l", "l", 1e-9);
  add_bond(graph, "s", "j");
  add_bond(graph, "j", "r");
  add_bond(graph, "j", "l");
  add_bond(graph, "j", "c");
  return start_graph(graph, options_of(method, 1e-8));
}

/** u'' + p u' + q u = 5 q from rest, with eigenvalues a < b < 0 so far apart that exp(a t) is zero:
 *  u = 5 (a (1 - exp(b t)) - b)/(a - b). */
static double voltage(double p, double q, double t) {
  double a = -p / 2 * (1 + sqrt(1 - 4 * q / (p * p))), b = q / a;
  return 5 / (a - b) * (a * -expm1(b * t) - b);
}

static void steps_follow_what_moves(void **state) {
  (void)state;
  static const double r[] = {0.83, 31, 100, 1e3, 1e3, 1e6, 0.83e9, 0.83},
                      c[] = {1.07, 1.07, 1.07, 1.07, 1e3, 1.07, 1.07, 1e6}; // [ohm], [F]
  const char *const methods[] = {"kvaerno-5", "auto"};
  for (int i = 0; i < 16; i++) {
    double ri = r[i / 2], ci = c[i / 2], end = ri * ci;
    double u = voltage(ri / 1e-9, 1 / (1e-9 * ci), end);
    run circuit = start_coil(ri, ci, methods[i % 2]);
    advance(&circuit, end);
    assert_near_relative(value(&circuit, "c.e"), u, 100 * 1e-8);
    assert_near_relative(value(&circuit, "l.f"), (5 - u) / ri, 100 * 1e-8);
    assert_true(ledger_of(&circuit)->work.steps < 300);
    assert_balanced(&circuit);
    stop(&circuit);
  }
}

/** Behind r the capacitor of 1 F takes the difference of two voltages over r, of which rounding leaves three digits or
 *  none. The powers are those of the slopes that are deduced, and the balance is met. */
static void powers_that_are_rounded_are_met(void **state) {
  (void)state;
  static const double r[] = {1e-6, 1e-9, 1e-12, 1e-15}; // [ohm]
  for (int i = 0; i < 4; i++) {
    char text[600];
    (void)snprintf(
        text, sizeof text,
        "<screwbond version='1' id='m'><network domain='electric'><Se id='s' effort='5'/>"
        "<J1 id='a'/><R id='r' r='%.17g'/><J0 id='b'/><C id='c' c='1'/><J1 id='k'/>"
        "<R id='R' r='1'/><C id='C' c='1'/><bond from='s' to='a'/><bond from='a' to='r'/>"
        "<bond from='a' to='b'/><bond from='b' to='c'/><bond from='b' to='k'/>"
        "<bond from='k' to='R'/><bond from='k' to='C'/></network>"
        "<run t-end='2 s' method='kvaerno-5' rtol='1e-8'/></screwbond>",
        r[i]);
    run circuit = start_netlist(text);
    advance(&circuit, 2);
    double u = voltage(1 / r[i] + 2, 1 / r[i], 2); // r c = r, R C = 1
    assert_near_relative(value(&circuit, "C.e"), u, 100 * 1e-8);
    assert_true(ledger_of(&circuit)->residual_relative < ledger_of(&circuit)->limit);
    assert_true(ledger_of(&circuit)->work.steps < 200);
    stop(&circuit);
  }
}

/** A capacitor of 1 F that all but a wire joins to 5 V sin w t, with w r C below the rounding of a number: u = 5 sin w t,
 *  and C u^2/2 was supplied. What a quadrature of stage order 2 takes to be known to rtol decides the steps, not r. Who reads
 *  the flow of the wire is told that it has no digits. */
static void wires_are_no_obstacle(void **state) {
  (void)state;
  static const double r[] = {1e-9, 1e-12, 1e-13, 1e-15, 1e-18}; // [ohm]
  static const char *const methods[] = {"kvaerno-5", "auto"};
  for (int i = 0; i < 10; i++) {
    char text[600];
    (void)snprintf(text, sizeof text,
                   "<screwbond version='1' id='m'><network domain='electric'>"
                   "<Se id='s' effort='5[V]*sin(3[rad/s]*t)'/><J1 id='j'/><R id='r' r='%.17g'/><C "
                   "id='c' c='1'/>"
                   "<bond from='s' to='j'/><bond from='j' to='r'/><bond from='j' to='c'/></network>"
                   "<run t-end='2 s' method='%s' rtol='1e-8'/></screwbond>",
                   r[i / 2], methods[i % 2]);
    run circuit = start_netlist(text);
    advance(&circuit, 1);
    sb_simulation_audit(circuit.sim);
    advance(&circuit, 2);
    const double u = 5 * sin(6);
    const sb_ledger *ledger = ledger_of(&circuit);
    assert_near_relative(value(&circuit, "c.e"), u, 100 * 1e-8);
    assert_near(ledger->total.supplied, u * u / 2, 12.5 * 100 * 1e-8);
    assert_true(ledger->residual_relative < ledger->limit);
    assert_true(ledger->work.steps < 1100);
    if (r[i / 2] <= 1e-12) {
      assert_string_equal(ledger->parts[0].blurring_element, "r");
    }
    stop(&circuit);
  }
}

/** 1.3 F with 2.6 C and an empty 0.7 F, joined by all but a wire, with 3 ohm beside the latter: they share 1.3 V, of 2.6 J
 *  the wire takes 0.91 J whatever it has, and u = 1.3 exp(-t/6 s) is left of both, to r/3 ohm. The conductance of the wire
 *  leaves the matrix of a stage no digits of the 3 ohm. */
static void wires_between_storages_leave_the_slow_mode(void **state) {
  (void)state;
  static const double r[] = {1e-12, 1e-14, 1e-15, 1e-18}; // [ohm]
  static const int steps[] = {300, 500, 700, 6000};
  static const char *const methods[] = {"kvaerno-5", "auto"};
  for (int i = 0; i < 8; i++) {
    char text[700];
    (void)snprintf(text, sizeof text,
                   "<screwbond version='1' id='m'><network domain='electric'>"
                   "<C id='a' c='1.3 F' q0='2.6 C'/><R id='w' r='%.17g'/><C id='b' c='0.7 F'/>"
                   "<R id='r' r='3 ohm'/><J1 id='j'/><J0 id='o'/>"
                   "<bond from='a' to='j'/><bond from='j' to='w'/><bond from='j' to='o'/>"
                   "<bond from='o' to='b'/><bond from='o' to='r'/></network>"
                   "<run t-end='3 s' method='%s' rtol='1e-8'/></screwbond>",
                   r[i / 2], methods[i % 2]);
    run circuit = start_netlist(text);
    advance(&circuit, 3);
    const double u = 1.3 * exp(-0.5);
    const sb_ledger *ledger = ledger_of(&circuit);
    assert_near_relative(value(&circuit, "a.e"), u, 100 * 1e-8);
    assert_near_relative(value(&circuit, "b.e"), u, 100 * 1e-8);
    assert_near(ledger->total.dissipated, 2.6 - u * u, 2.6 * 100 * 1e-8);
    assert_true(ledger->residual_relative < 0.1 * ledger->limit);
    assert_true(ledger->work.steps < steps[i / 2]);
    stop(&circuit);
  }
}

/** 50 g at 1 m/s on 80 g at rest, by f = k z^(3/2) (1 + a v): at the touch neither has a force nor a slope, and one of them has
 *  never moved. */
static run strike_at_rest(const char *at, const char *shape, const char *method, const char *how) {
  char text[1000];
  (void)snprintf(
      text, sizeof text,
      "<screwbond version='1' id='m'><laws><contact-law id='h' normal='hunt-crossley' "
      "stiffness='1e7 "
      "N/m^(3/2)' exponent='3/2' damping-factor='0.3 s/m' friction='none'/></laws><mechanism "
      "gravity='0 0 0 m/s^2'><body id='a' mass='50 g' position='-0.05 0 0 m' velocity='1 0 0 m/s'>"
      "<shape kind='sphere' radius='20 mm'/></body><body id='b' mass='80 g' position='%s'>"
      "<shape %s/></body><contact id='c' a='a' b='b' law='h'/></mechanism>"
      "<run t-end='0.1 s' method='%s' %s/></screwbond>",
      at, shape, method, how);
  run strike = start_netlist(text);
  advance(&strike, 0.1);
  return strike;
}

/** The speed of parting u of a central impact of speed v: m w dw/(1 + a w) = -k z^(3/2) dz has the same right-hand side over way in and
 *  way out, and so G(v) = G(-u) with G(w) = a w - ln(1 + a w), whatever k and the masses are. */
static double parting(double v, double a) {
  const double in = a * v - log1p(a * v);
  double u = v;
  for (int i = 0; i < 50; i++) {
    const double g = -a * u - log1p(-a * u), slope = a * a * u / (1 - a * u);
    u -= (g - in) / slope;
  }
  return u;
}

static void what_rests_may_be_struck(void **state) {
  (void)state;
  static const struct {
    const char *method, *how;
    double tolerance; // of the speeds [m/s]
  } cases[] = {{"kvaerno-5", "rtol='1e-5'", 1e-3},  {"kvaerno-5", "rtol='1e-6'", 1e-4},
               {"kvaerno-5", "rtol='1e-7'", 1e-5},  {"kvaerno-5", "rtol='1e-8'", 1e-6},
               {"kvaerno-5", "rtol='1e-10'", 1e-8}, {"implicit-midpoint", "step='10 us'", 1e-4}};
  const double u = parting(1, 0.3), b = 0.05 * (1 + u) / 0.13, a = b - u;
  for (int i = 0; i < 6; i++) {
    run strike =
        strike_at_rest("0.05 0 0 m", "kind='sphere' radius='30 mm'", cases[i].method, cases[i].how);
    const double va = component(&strike, "a.velocity", 0), vb = component(&strike, "b.velocity", 0);
    assert_near(va, a, cases[i].tolerance);
    assert_near(vb, b, cases[i].tolerance);
    assert_near(0.05 * va + 0.08 * vb, 0.05, 1e-14);
    assert_int_equal(events_of(&strike, "release", "c"), 1);
    stop(&strike);
  }
}

/** Beside the middle: what is struck turns, and its ends are those of an explicit method. */
static void what_rests_may_be_struck_aside(void **state) {
  (void)state;
  static const char *const shape = "kind='ellipsoid' semi-axes='0.03 0.02 0.025 m'",
                           *const at = "0.05 0.008 0 m";
  static const char *const rtol[] = {"rtol='1e-6'", "rtol='1e-7'", "rtol='1e-8'"};
  run explicit = strike_at_rest(at, shape, "fehlberg-8", "rtol='1e-11'");
  for (int i = 0; i < 3; i++) {
    run strike = strike_at_rest(at, shape, "kvaerno-5", rtol[i]);
    const double close = 100 * pow(10, -6 - i),
                 turning = component(&explicit, "b.angular-velocity", 2);
    for (int k = 0; k < 3; k++) {
      assert_near(component(&strike, "a.velocity", k), component(&explicit, "a.velocity", k),
                  close);
      assert_near(component(&strike, "b.velocity", k), component(&explicit, "b.velocity", k),
                  close);
      assert_near(component(&strike, "b.angular-velocity", k),
                  component(&explicit, "b.angular-velocity", k), close * fabs(turning));
    }
    assert_true(ledger_of(&strike)->residual_relative < close / 100);
    stop(&strike);
  }
  stop(&explicit);
}

/** Settled to rounding at sinh(q/10) = 10, at tolerances that are less than the rounding of a state. */
static void tolerances_below_rounding(void **state) {
  (void)state;
  const double steps[] = {0.2, 0.45, 1};
  for (int k = 0; k < 3; k++) {
    sb_options options = options_of("implicit-midpoint", 1e-14);
    options.step = steps[k];
    run r = prepare_inside(
        "<network domain='electric'><Se id='s' effort='10 V'/><J1 id='j'/><R id='R' r='1 ohm'/>"
        "<C id='C' energy='10*(cosh(q/10[A*s])-1)[V*A*s]'/><bond from='s' to='j'/>"
        "<bond from='j' to='R'/><bond from='j' to='C'/></network>");
    start_by(&r, &options);
    advance(&r, 60);
    assert_near(value(&r, "C.q"), 10 * asinh(10), 1e-13);
    stop(&r);
  }
}

/** 1 kg that sinks from z = 0 at the speed v for the time t, z'' = g - k z^1.5 - b z^p z', by Runge and Kutta's method of order 4 in z and
 *  w = z' + b z^(p+1)/(p+1), w' = g - k z^1.5, whose rates have slopes at z = 0. */
static void sink(double k, double b, double p, double t, double *z, double *v) {
  const int steps = 3000;
  const double h = t / steps, share[] = {0, 0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
  double w = *v, dz = 0, dw = 0;
  *z = 0;
  for (int i = 0; i < steps; i++) {
    double sum_z = 0, sum_w = 0;
    for (int n = 0; n < 4; n++) {
      const double at = *z + share[n] * h * dz, own = w + share[n] * h * dw;
      dz = own - b * pow(at, p + 1) / (p + 1);
      dw = 9.81 - k * pow(at, 1.5);
      sum_z += weight[n] * dz / 6;
      sum_w += weight[n] * dw / 6;
    }
    *z += h * sum_z;
    w += h * sum_w;
  }
  *v = w - b * pow(*z, p + 1) / (p + 1);
}

/** A ball falls onto a floor of the damping b z^p v, p < 1, whose slope is infinite at the touch, where a step begins. Steps of a given length
 *  are not shortened. */
static void given_steps_from_a_touch(void **state) {
  (void)state;
  static const struct {
    const char *law;
    double k, b, p;
  } rows[] = {{"normal='azad-featherstone' stiffness='1e5 N/m^(3/2)' damping='3e3 N.s/m^(3/2)'",
               1e5, 3e3, 0.5},
              {"normal='power' stiffness='1e5 N/m^(3/2)' damping='100 N.s/m^(5/4)' "
               "damping-exponent='0.25'",
               1e5, 100, 0.25}};
  static const double steps[] = {2e-4, 5e-5};
  for (int i = 0; i < 4; i++) {
    const double k = rows[i / 2].k, b = rows[i / 2].b, p = rows[i / 2].p, h = steps[i % 2];
    char text[1000];
    (void)snprintf(text, sizeof text,
                   "<screwbond version='1' id='m'><laws><contact-law id='l' %s friction='none'/>"
                   "</laws><mechanism gravity='0 0 -9.81 m/s^2'><ground id='f'><shape kind='plane' "
                   "normal='0 0 1'/></ground><body id='b' mass='1 kg' position='0 0 0.12 m'><shape "
                   "kind='sphere' radius='0.08 m'/></body><contact id='c' a='f' b='b' law='l'/>"
                   "</mechanism><run t-end='1 s' method='implicit-midpoint' step='%.17g s'/>"
                   "</screwbond>",
                   rows[i / 2].law, h);
    run r = start_netlist(text);
    const double touch = sqrt(2 * 0.04 / 9.81);
    advance(&r, touch + 3e-3);
    assert_near(event_time(&r, "touch", 0), touch, 1e-9);
    const double order = pow(h / 2e-4, 1.5); // by the step from the touch
    double z, v = 9.81 * touch;
    sink(k, b, p, 3e-3, &z, &v);
    assert_near(0.08 - component(&r, "b.position", 2), z, 2e-6 * order);
    assert_near(-component(&r, "b.velocity", 2), v, 4e-4 * order);
    stop(&r);
  }
}

/** A coil that a source determines, L.p = sin t - K g, whose signal g is the integral of L.p:
 *  L.f = (K cos t + sin t - K exp(-K t))/(K^2 + 1). The projection after a step brings K times what Newton's iteration leaves of g
 *  into L.p, of which a step that was shorter by 1.4 % by the same matrix was 22 % off. */
static void forced_coil(const char *gain, double K, int max_steps) {
  char text[600];
  (void)snprintf(text, sizeof text,
                 "<screwbond version='1' id='m'><network domain='electric'>"
                 "<signal id='p' of='L.p'/><signal id='g' rate='p/1[V.s^2]'/>"
                 "<Sf id='S' flow='1[A]*sin(t/1[s]) - %s*g*1[A]'/><I id='L' l='1 H'/>"
                 "<J1 id='j'/><bond from='S' to='j'/><bond from='j' to='L'/></network>"
                 "<run t-end='3 s' max-steps='%d'/></screwbond>",
                 gain, max_steps);
  run r = start_netlist(text);
  advance(&r, 3);
  assert_near_relative(value(&r, "L.f"), (K * cos(3) + sin(3)) / (K * K + 1), 1e-6);
  assert_closes(&r);
  stop(&r);
}

static void first_corrections_by_another_gamma(void **state) {
  (void)state;
  forced_coil("1e6", 1e6, 10000);
}

/** The projection leaves the rounding of sin t, 1e-16, in L.p: as an explicit first stage that is a slope of K 1e-16, beside one of
 *  sin t/K. */
static void first_stages_behind_a_projection(void **state) {
  (void)state;
  forced_coil("1e7", 1e7, 3000);
}

/** Steps of a given length are as exact as the method: what the iterations of 10,000 steps leave does not add up. Of q'' = -q - q^3
 *  the energy is that of the start, to h^2 and h^5. */
static void short_steps_of_a_given_length(void **state) {
  (void)state;
  static const struct {
    const char *method;
    double step, off;
  } rows[] = {{"kvaerno-5", 1e-3, 1e-13},
              {"kvaerno-5", 1e-4, 1e-12},
              {"implicit-midpoint", 1e-3, 3e-7},
              {"implicit-midpoint", 1e-4, 3e-9}};
  for (int k = 0; k < 4; k++) {
    char text[800];
    (void)snprintf(text, sizeof text,
                   "<screwbond version='1' id='m'><run t-end='1 s' step='%g s' "
                   "method='%s'/><network domain='translation'><C id='c' energy='1[N/m]*q^2/2 + "
                   "1[N/m^3]*q^4/4' q0='1'/><I id='m' mass='1'/><J1 id='j'/><bond from='j' "
                   "to='c'/><bond from='j' to='m'/></network></screwbond>",
                   rows[k].step, rows[k].method);
    run r = start_netlist(text);
    advance(&r, 1);
    const double q = value(&r, "c.q"), v = value(&r, "m.f");
    assert_near(q * q / 2 + q * q * q * q / 4 + v * v / 2, 0.75, rows[k].off);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_follow_what_moves),
      cmocka_unit_test(short_steps_of_a_given_length),
      cmocka_unit_test(powers_that_are_rounded_are_met),
      cmocka_unit_test(wires_are_no_obstacle),
      cmocka_unit_test(wires_between_storages_leave_the_slow_mode),
      cmocka_unit_test(what_rests_may_be_struck),
      cmocka_unit_test(what_rests_may_be_struck_aside),
      cmocka_unit_test(tolerances_below_rounding),
      cmocka_unit_test(given_steps_from_a_touch),
      cmocka_unit_test(first_corrections_by_another_gamma),
      cmocka_unit_test(first_stages_behind_a_projection),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
