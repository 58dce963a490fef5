// SPDX-License-Identifier: GPL-3.0-or-later
// What is judged has sizes of its own: the same networks with efforts, flows and times of any size.
#include "tests/fixture.h"

static const double sizes[] = {1e-12, 1, 1e12};
enum { SIZES = sizeof sizes / sizeof *sizes };

static const char *const corners[] = {
    "%.17g[N]*(f/%.17g[m/s]*abs(f/%.17g[m/s]) + 0.1*f/%.17g[m/s])",
    "%.17g[N]*(2*max(f/%.17g[m/s], 0) + 0.3*min(f/%.17g[m/s], 0) + 0.2*f/%.17g[m/s])",
    "%.17g[N]*if(f/%.17g[m/s] &gt; 0, 2.1*f/%.17g[m/s], 0.7*f/%.17g[m/s])"};
enum { CORNERS = sizeof corners / sizeof *corners };

static void write_law(char text[], size_t size, int k, double e, double f) {
  assert_true(snprintf(text, size, corners[k], e, f, f, f) < (int)size);
}

/** Until its event is located a law keeps the branch of before, a little beyond its corner, which the inverse that
 *  the audit compares it with does not: f |f| + f/10 is off by 20 f there. */
static void corners_pass(void **state) {
  (void)state;
  for (int k = 0; k < CORNERS * SIZES; k++) {
    char law[400], text[1200];
    double e = sizes[k % SIZES], f = 1 / e;
    write_law(law, sizeof law, k / SIZES, e, f);
    (void)snprintf(text, sizeof text,
                   "<network domain='translation'><J1 id='j'/><R id='R' law='%s'/>"
                   "<C id='C' c='%.17g' q0='%.17g'/><I id='I' l='%.17g'/>"
                   "<Se id='U' effort='%.17g' waveform='sine' frequency='2.3 Hz'/>"
                   "<bond from='j' to='R'/><bond from='j' to='C'/><bond from='j' to='I'/>"
                   "<bond from='U' to='j'/></network>",
                   law, 0.02 * f / e, 0.03 * f, 0.04 * e / f, e);
    run r = start(text, 1e-9, 0);
    sb_error err = {0};
    ok(sb_simulation_run(r.sim, 6, 0, NULL, NULL, &err), &err);
    assert_true(ledger_of(&r)->structure.residual_relative < 1e-14);
    stop(&r);
  }
}

/** Given the effort, the flow is found by the inverse of the law, at arguments of any size. */
static void inverses_have_no_unit(void **state) {
  (void)state;
  for (int k = 0; k < CORNERS * SIZES; k++) {
    for (int power = -40; power <= 40; power += 8) {
      char law[400], text[800];
      double e = sizes[k % SIZES], f = 1 / e, u = pow(10, power), used[1];
      const double want[] = {u * u + 0.1 * u, 2.2 * u, 2.1 * u};
      write_law(law, sizeof law, k / SIZES, e, f);
      (void)snprintf(text, sizeof text,
                     "<network domain='translation'><Se id='U' effort='%.17g'/><R id='R' law='%s'/>"
                     "<bond from='U' to='R'/></network>",
                     want[k / SIZES] * e, law);
      run r = start(text, 1e-9, 0);
      read_all(&r, "R.f", used);
      assert_near_relative(used[0], u * f, 1e-14);
      stop(&r);
    }
  }
}

/** Two resistances e = r |f|^n sgn f share a current i: f1 = i/(1 + (r1/r2)^(1/n)), an algebraic loop, whose solution
 *  passes zero. With currents scaled by powers of two the
 *  evaluations are the same but for the rounding of pow(). */
static void loops_have_no_unit(void **state) {
  (void)state;
  static const double exponents[] = {1.25, 0.8, 2.5};
  for (int k = 0; k < 3; k++) {
    double n = exponents[k], share = 1 / (1 + pow(2.3 / 4.1, 1 / n));
    long right_hand_sides = 0;
    for (int power = -40; power <= 40; power += 20) {
      char text[1500];
      double i = ldexp(1, power), r = pow(ldexp(1, power), -n);
      (void)snprintf(
          text, sizeof text,
          "<network domain='electric'><C id='C' c='%.17g'/><J1 id='s'/><J0 id='j'/>"
          "<Sf id='U' flow='%.17g' waveform='sine' frequency='0.5 Hz'/>"
          "<I id='L' l='%.17g'/><J1 id='a'/><Se id='V' effort='1 V'/>"
          "<R id='R1' r='%.17g' exponent='%.17g'/><R id='R2' r='%.17g' exponent='%.17g'/>"
          "<bond from='U' to='s'/><bond from='s' to='C'/><bond from='s' to='j'/>"
          "<bond from='j' to='R1'/><bond from='j' to='R2'/><bond from='V' to='a'/>"
          "<bond from='a' to='L'/></network>",
          0.5 * i, i, 0.7 / i, 2.3 * r, n, 4.1 * r, n);
      run r1 = start(text, 1e-9, 0);
      for (double t = 0.05; t < 3; t += 0.1) {
        advance(&r1, t);
        double f = i * sin(pi * t) * share;
        assert_near(value(&r1, "R1.f"), f, 1e-12 * i);
        assert_near(value(&r1, "R1.e"), 2.3 * r * copysign(pow(fabs(f), n), f), 1e-12);
      }
      assert_balanced(&r1);
      long used = ledger_of(&r1)->work.rhs;
      right_hand_sides = right_hand_sides > 0 ? right_hand_sides : used;
      assert_near_relative((double)used, (double)right_hand_sides, 0.1);
      stop(&r1);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(corners_pass),
      cmocka_unit_test(inverses_have_no_unit),
      cmocka_unit_test(loops_have_no_unit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
