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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(corners_pass),
      cmocka_unit_test(inverses_have_no_unit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
