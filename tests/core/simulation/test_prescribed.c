// SPDX-License-Identifier: GPL-3.0-or-later
// Motions and forces that are polynomials of a phase, which is a state: a method integrates them without error, so that no error test
// of the states holds a step, and what the ledger integrates, which is of a higher degree, decides.
#include "tests/core/simulation/by_method.h"

/** A servo makes the move 30 z^2 (1 - z)^2 of 1 m/s, z from 0 to 1 in the time W within a run of 1 s: it goes W m, and a damper r takes
 *  r W 10/7, as the integral of (30 z^2 (1 - z)^2)^2 is 10/7. The sizes that the motion will have are looked for where the phase is fastest, and that for W
 *  alone: followed for an eighth of the run z would come to 1/(8 W), and the energy to the eighth power of that. */
static void quintic_profiles(void **state) {
  (void)state;
  static const char *const loads[] = {"<I id='m' mass='1 kg'/><bond from='j' to='m'/>",
                                      "<I id='m' mass='1 kg'/><C id='c' c='0.01 m/N'/><bond "
                                      "from='j' to='m'/><bond from='j' to='c'/>",
                                      "<C id='c' c='0.01 m/N'/><bond from='j' to='c'/>", ""};
  static const double tolerances[] = {1e-5, 1e-8, 1e-11}, times[] = {0.4, 0.04, 0.02, 0.002};
  for (int i = 0; i < 48; i++) {
    const double W = times[i % 4], rtol = tolerances[i / 16];
    char text[1500];
    (void)snprintf(text, sizeof text,
                   "<network domain='translation'>"
                   "<signal id='z' rate='if(abs(t - 0.5[s]) &lt; %.17g[s], %.17g[1/s], 0[1/s])'/>"
                   "<Sf id='servo' flow='1[m/s]*30*z^2*(1 - z)^2'/><J1 id='j'/>"
                   "<R id='r' r='2 N.s/m'/><bond from='servo' to='j'/>"
                   "<bond from='j' to='r'/>%s</network>",
                   W / 2, 1 / W, loads[i / 4 % 4]);
    run r = start_by_method(text, "auto", rtol);
    advance(&r, 1);
    assert_near_relative(ledger_of(&r)->total.dissipated, 2 * W * 10 / 7, 100 * rtol);
    assert_closes(&r);
    stop(&r);
  }
}

/** A mass at rest is pushed by F (1 - s^2) from s = -1 to 1 of a signal x = a + w s that moves at 1 m/s: p = 4 F w/3. The force begins with its
 *  own event; beyond its end the branch of max() that is held there would make it -F s^2. */
static void pushed_from_rest(void **state) {
  (void)state;
  static const double tolerances[] = {1e-5, 1e-8, 1e-11}, widths[] = {0.1, 1e-3, 1e-5};
  for (int i = 0; i < 9; i++) {
    const double w = widths[i % 3], rtol = tolerances[i / 3];
    char text[700];
    (void)snprintf(text, sizeof text,
                   "<network domain='translation'><signal id='x' rate='1[m/s]'/>"
                   "<Se id='F' effort='%.17g[N]*max(0, 1 - ((x - 0.5[m])/%.17g[m])^2)'/><I id='m' "
                   "mass='1 kg'/>"
                   "<bond from='F' to='m'/></network>",
                   1 / w, w);
    run r = start_by_method(text, "auto", rtol);
    advance(&r, 1);
    assert_near(value(&r, "m.p"), 4. / 3, 100 * rtol);
    assert_closes(&r);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      repeating_test(quintic_profiles),
      cmocka_unit_test(pushed_from_rest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
