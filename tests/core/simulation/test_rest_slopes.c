// SPDX-License-Identifier: GPL-3.0-or-later
// Laws with an infinite slope at rest, against closed forms: what they bring to rest is there at a finite time.
#include "tests/fixture.h"

static run start_rests(const char *inside, const char *method, double rtol) {
  run r = prepare_inside(inside);
  sb_options options = options_of(method, rtol);
  options.atol = 0;
  options.max_steps = 2500;
  start_by(&r, &options);
  return r;
}

static const char *const methods[] = {"auto", "kvaerno-5"};
static const double tolerances[] = {1e-4, 1e-6, 1e-8, 1e-11};
enum { METHODS = 2, TOLERANCES = 4 };

/** m v' = -r v^n: v^(1-n) = v0^(1-n) - (1-n) r t/m until it is zero. */
static void masses_come_to_rest(void **state) {
  (void)state;
  const double m = 1.3, r = 0.7, v0 = 2.1, exponents[] = {0.02, 0.1, 0.3, 0.5, 0.8};
  for (size_t i = 0; i < sizeof exponents / sizeof *exponents * METHODS * TOLERANCES; i++) {
    const double n = exponents[i / (METHODS * TOLERANCES)],
                 rtol = tolerances[i / METHODS % TOLERANCES];
    const double end = m * pow(v0, 1 - n) / (r * (1 - n));
    char text[600];
    (void)snprintf(text, sizeof text,
                   "<network domain='translation'><I id='m' mass='%g kg' p0='%.17g N.s'/><R id='r' "
                   "r='%g' exponent='%g'/><J1 id='j'/><bond from='j' to='m'/><bond from='j' "
                   "to='r'/></network>",
                   m, m * v0, r, n);
    run here = start_rests(text, methods[i % METHODS], rtol);
    advance(&here, 0.7 * end);
    assert_near(value(&here, "m.f"), v0 * pow(0.3, 1 / (1 - n)), 100 * rtol * v0);
    advance(&here, 100 * end);
    assert_near(value(&here, "m.f"), 0, rtol * v0);
    assert_near(ledger_of(&here)->total.dissipated, m * v0 * v0 / 2, 100 * rtol * m * v0 * v0 / 2);
    assert_closes(&here);
    stop(&here);
  }
}

/** c p' = -sqrt(p/k) of a tank that is filled again every 5 s, by an inflow of 0.8 m^3/s for 1 s from s = 0: s = sqrt(V) then follows
 *  -2 (s + 0.8 ln(1 - s/0.8)) = t, and empties in the time 2 s behind. */
static void tanks_empty(void **state) {
  (void)state;
  static const char *const laws[] = {"1[Pa.s^2/m^6]*f*abs(f)",
                                     "1[m^3/s]*sqrt(abs(e)/1[Pa])*sign(e)"};
  for (int i = 0; i < 2 * METHODS * TOLERANCES; i++) {
    const double rtol = tolerances[i / METHODS % TOLERANCES];
    char text[600];
    (void)snprintf(
        text, sizeof text,
        "<network domain='hydraulic'><C id='c' c='1 m^3/Pa' q0='1 m^3'/><R id='r' law='%s'/><Sf "
        "id='s' "
        "flow='if(mod(t, 5[s]) &lt; 1[s], if(t &gt; 4[s], 0.8[m^3/s], 0[m^3/s]), 0[m^3/s])'/><J0 "
        "id='j'/>"
        "<bond from='j' to='c'/><bond from='j' to='r'/><bond from='s' to='j'/></network>",
        laws[i / (METHODS * TOLERANCES)]);
    run here = start_rests(text, methods[i % METHODS], rtol);
    advance(&here, 1.3);
    assert_near(value(&here, "c.q"), 0.35 * 0.35, 100 * rtol);
    double s = 0.5; // sqrt of the volume after an inflow of 1 s
    for (int k = 0; k < 60; k++) {
      s -= (-2 * (s + 0.8 * log1p(-s / 0.8)) - 1) / (2 * s / (0.8 - s));
    }
    for (int k = 1; k <= 4; k++) {
      advance(&here, 5 * k);
      assert_near(value(&here, "c.q"), 0, rtol);
      advance(&here, 5 * k + 1);
      assert_near(value(&here, "c.q"), s * s, 100 * rtol);
      advance(&here, 5 * k + 1 + s);
      assert_near(value(&here, "c.q"), s * s / 4, 100 * rtol);
    }
    assert_closes(&here);
    stop(&here);
  }
}

/** Two masses that slip on each other go on together, v = p/(m1 + m2): the difference of their speeds is at rest while they are not, and known
 *  to the rounding of these. */
static void masses_go_on_together(void **state) {
  (void)state;
  for (int i = 0; i < METHODS * TOLERANCES; i++) {
    const double rtol = tolerances[i / METHODS];
    run here = start_rests(
        "<network domain='translation'><I id='a' mass='1 kg' p0='1 N.s'/><I id='b' mass='2.3 "
        "kg'/><R id='r' "
        "r='1.7' exponent='0.1'/><J1 id='v'/><J1 id='w'/><J0 id='j'/><bond from='v' to='a'/><bond "
        "from='w' "
        "to='b'/><bond from='v' to='j'/><bond from='j' to='w'/><bond from='j' to='r'/></network>",
        methods[i % METHODS], rtol);
    advance(&here, 50);
    assert_near(value(&here, "a.f"), 1 / 3.3, rtol);
    assert_near(value(&here, "b.f"), 1 / 3.3, rtol);
    assert_closes(&here);
    stop(&here);
  }
}

/** A force below the law at any speed that counts lets it creep at (F/r)^(1/n); a source that alone decides on the speed is exact, however
 *  small. */
static void creeps(void **state) {
  (void)state;
  run here = start_rests(
      "<network domain='translation'><I id='m' mass='1 kg'/><R id='r' r='1' exponent='0.1'/><Se "
      "id='s' effort='0.5 N'/><J1 id='j'/><bond from='j' to='m'/><bond from='j' to='r'/>"
      "<bond from='s' to='j'/></network>",
      "auto", 1e-8);
  advance(&here, 20);
  assert_near_relative(value(&here, "m.f"), pow(0.5, 10), 1e-8);
  stop(&here);
  here = start_rests(
      "<network domain='translation'><R id='r' r='0.7' exponent='0.1'/><Sf id='s' "
      "flow='10[m/s]*exp(-t/1[s])'/><J1 id='j'/><I id='m' mass='1 kg'/><bond from='j' to='r'/>"
      "<bond from='s' to='j'/><bond from='j' to='m'/></network>",
      "auto", 1e-8);
  advance(&here, 40);
  assert_near_relative(value(&here, "r.e"), 0.7 * pow(10 * exp(-40), 0.1), 1e-12);
  stop(&here);
}

/** Two pipes with inertias and two tanks behind them, e = r f^3 everywhere, from rest: what the jet that sets in leaves in the tanks is far below what their
 *  states may be wrong by, and there the outflow has an infinite slope (no end at t = 2e-6 s). By scipy's Radau at rtol 1e-12. */
static void jets_set_in(void **state) {
  (void)state;
  for (int i = 0; i < METHODS; i++) {
    run here = start_rests(
        "<network domain='hydraulic'><Se id='p' effort='1e5[Pa]*cos(9*t/1[s]) + "
        "2e5[Pa]*sin(20*t/1[s])'/><J0 id='n0'/><J0 id='n1'/><C id='T0' c='9e-9'/><C id='T1' "
        "c='2e-9'/><J1 id='j0'/><J1 id='j1'/><R id='o0' r='8.4e15' exponent='3'/><R id='o1' "
        "r='1.4e15' exponent='3'/><R id='o2' r='1.5e15' exponent='3'/><I id='L0' l='8e6'/><I "
        "id='L1' l='16e6'/><bond from='p' to='j0'/><bond from='j0' to='o0'/><bond from='j0' "
        "to='L0'/><bond from='j0' to='n0'/><bond from='n0' to='T0'/><bond from='n0' to='j1'/>"
        "<bond from='j1' to='o1'/><bond from='j1' to='L1'/><bond from='j1' to='n1'/><bond "
        "from='n1' to='T1'/><bond from='n1' to='o2'/></network>",
        methods[i], 1e-8);
    advance(&here, 0.1);
    assert_near(value(&here, "L0.f"), 3.0909e-4, 1e-8);
    advance(&here, 1);
    assert_near(value(&here, "T0.e"), -2544.772, 3e-3); // of 3000 Pa
    assert_near(value(&here, "T1.e"), 0.3884333, 1e-3); // of 120 Pa
    assert_closes(&here);
    stop(&here);
  }
}

/** A tank behind a pipe e = r f^3 to a pressure that falls by a: from where both fall together on e = r (c a)^3, 0.01 Pa of 28,000, with a time constant of
 *  5 us. What the source will have at the end of a step is 6,900 Pa/s below what the tank has now (no end in 140,000 steps). */
static void pressures_fall_together(void **state) {
  (void)state;
  const double c = 1.3e-12, r = 1.4e22, p0 = 28120, a = 6900;
  for (int i = 0; i < METHODS * TOLERANCES; i++) {
    const double rtol = tolerances[i / METHODS];
    char text[500];
    (void)snprintf(text, sizeof text,
                   "<network domain='hydraulic'><Se id='p' effort='%g[Pa] - %g[Pa/s]*t'/><C id='c' "
                   "c='%g' q0='%g'/><R id='r' r='%g' exponent='3'/><J1 id='j'/><bond from='p' "
                   "to='j'/><bond from='j' to='c'/><bond from='j' to='r'/></network>",
                   p0, a, c, 0.98 * c * p0, r);
    run here = start_rests(text, methods[i % METHODS], rtol);
    for (int t = 1; t < 8; t += 3) {
      advance(&here, t);
      assert_near(value(&here, "c.e"), p0 - a * t + r * pow(c * a, 3), rtol * p0);
    }
    assert_closes(&here);
    stop(&here);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(masses_come_to_rest),   cmocka_unit_test(tanks_empty),
      cmocka_unit_test(masses_go_on_together), cmocka_unit_test(creeps),
      cmocka_unit_test(jets_set_in),           cmocka_unit_test(pressures_fall_together),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
