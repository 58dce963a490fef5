// SPDX-License-Identifier: GPL-3.0-or-later
// A higher order for motions that are smooth for long, against closed forms.
#include "tests/core/simulation/by_method.h"

#define OSCILLATOR                                                                                 \
  "<network domain='electric'><J1 id='j'/><I id='L' l='1 H'/><C id='C' c='1 F' q0='1 C'/>"         \
  "<bond from='j' to='L'/><bond from='j' to='C'/></network>"

/** 600 periods of q = cos t, which no loss makes forget an error: by dormand-prince-5 alone 1.7e-6, 170 tolerances, are lost. */
static void lossless_oscillation(void **state) {
  (void)state;
  run r = start_by_method(OSCILLATOR, "auto", 1e-8);
  run alone = start_by_method(OSCILLATOR, "dormand-prince-5", 1e-8);
  advance(&r, 1200 * pi);
  advance(&alone, 1200 * pi);
  assert_near(value(&r, "C.q"), 1, 2e-7);
  assert_near(value(&r, "L.p"), 0, 2e-7);
  assert_int_equal(implicit_steps(&r), 0);
  assert_int_equal(ledger_of(&r)->work.changes, 1);
  assert_in_range(ledger_of(&r)->work.smooth_steps, 1, ledger_of(&r)->work.steps - 1);
  assert_int_equal(ledger_of(&alone)->work.smooth_steps, 0);
  assert_true(ledger_of(&r)->work.rhs < ledger_of(&alone)->work.rhs);
  assert_closes(&r);
  stop(&r);
  stop(&alone);
}

/** A mass between two springs with play. The period depends on the energy, so that the phase gathers what each step has lost of that: it is off by 1.1e-4 of the
 *  amplitude, 0.15 m, after 250 periods by dormand-prince-5 alone. */
static void phase_of_play(void **state) {
  (void)state;
  static const char inside[] =
      "<network domain='translation'><J1 id='a'/><I id='m' mass='1 kg' p0='1 N.s'/>"
      "<C id='k' energy='50[N/m]*max(0, abs(q) - 0.05[m])^2'/><bond from='a' to='m'/>"
      "<bond from='a' to='k'/></network>";
  const double w = 10, play = 2 * 0.05; // [rad/s], [m]
  run r = start_by_method(inside, "auto", 1e-8);
  advance(&r, 500 * (play / 1 + pi / w));
  assert_near(value(&r, "m.p"), 1, 1e-7);
  assert_near(value(&r, "k.q"), 0, 2e-6);
  assert_int_equal(ledger_of(&r)->work.changes, 1);
  assert_closes(&r);
  stop(&r);
}

/** Where something else bounds the steps, as samples of a controller do, a higher order costs more: it is left, and not tried again soon. m v' = -v_k, where v_k is
 *  sampled each T: v_k+1 = (1 - T) v_k. */
static void steps_bounded_otherwise(void **state) {
  (void)state;
  run r =
      start_by_method("<network domain='translation'><signal id='v' of='m.f'/>"
                      "<SampleHold id='u' of='v' period='1 ms'/><Se id='F' effort='-1[N.s/m]*u'/>"
                      "<I id='m' mass='1 kg' p0='1 N.s'/><bond from='F' to='m'/></network>",
                      "auto", 1e-8);
  advance(&r, 3);
  assert_in_range(ledger_of(&r)->work.steps, 3000, 3100);
  assert_int_equal(ledger_of(&r)->work.changes, 2);
  assert_near(value(&r, "m.p"), pow(1 - 1e-3, 3000), 1e-10);
  stop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lossless_oscillation),
      cmocka_unit_test(phase_of_play),
      cmocka_unit_test(steps_bounded_otherwise),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
