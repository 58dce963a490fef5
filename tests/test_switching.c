// SPDX-License-Identifier: GPL-3.0-or-later
// Switch, clutch and diode: structures whose kernel changes with their mode, and causality with it.
#include "run_network.h"

static const double pi = 3.14159265358979323846;

/** A diode lets an LC circuit swing for one half cycle: the capacitor ends with the opposite charge,
 *  without loss, and keeps it. */
static void diode_stops_after_half_a_cycle(void **state) {
  (void)state;
  run r = go("<network domain=\"electric\"><J1 id=\"j\"/><C id=\"C1\" c=\"0.6 F\" q0=\"-1.3 C\"/>"
             "<I id=\"L1\" l=\"0.4 H\"/><Diode id=\"D\"/><bond from=\"j\" to=\"C1\"/>"
             "<bond from=\"j\" to=\"L1\"/><bond from=\"j\" to=\"D\"/></network>",
             5);
  const sb_ledger *ledger = sb_simulation_ledger(r.sim);
  assert_int_equal(ledger->event_count, 2);
  assert_near(ledger->events[0].t, 0, 1e-8);
  assert_near(ledger->events[1].t, pi * sqrt(0.4 * 0.6), 1e-8);
  assert_near(ledger->total.event_loss, 0, 1e-12);
  assert_near(value(&r, "C1.q"), 1.3, 1e-8);
  assert_near(value(&r, "L1.f"), 0, 1e-14);
  assert_near(value(&r, "D.e"), -1.3 / 0.6, 1e-8);
  assert_near(value(&r, "D.f"), 0, 1e-14);
  stop(&r);
}

/** Half-wave rectifier into a resistor: half the energy of the full wave, switching at zeros. */
static void diode_rectifies(void **state) {
  (void)state;
  run r = go("<network domain=\"electric\"><Se id=\"U\" effort=\"10 V\" waveform=\"sine\" "
             "frequency=\"0.5 Hz\"/><J1 id=\"j\"/><R id=\"R1\" r=\"2.385\"/><Diode id=\"D\"/>"
             "<bond from=\"U\" to=\"j\"/><bond from=\"j\" to=\"R1\"/><bond from=\"j\" to=\"D\"/>"
             "</network>",
             4);
  const sb_ledger *ledger = sb_simulation_ledger(r.sim);
  assert_near_relative(ledger->total.dissipated, 2 * 100 / 2.385 / 2, 1e-7); // 2 of 4 half waves
  for (int i = 1; i < ledger->event_count; i++) {
    assert_near(ledger->events[i].t, i, 1e-6);
  }
  assert_true(ledger->event_count == 4 || ledger->event_count == 5); // the last is at the end
  stop(&r);
}

/** Zero volts: nothing to conduct, nothing to block, no chatter. */
static void diode_is_quiet_at_zero(void **state) {
  (void)state;
  run r = go("<network domain=\"electric\"><Se id=\"U\" effort=\"0 V\"/><J1 id=\"j\"/>"
             "<R id=\"R1\" r=\"2\"/><I id=\"L\" l=\"1\"/><Diode id=\"D\"/><bond from=\"U\" "
             "to=\"j\"/><bond from=\"j\" to=\"R1\"/><bond from=\"j\" to=\"L\"/><bond from=\"j\" "
             "to=\"D\"/></network>",
             4);
  assert_int_equal(sb_simulation_ledger(r.sim)->event_count, 0);
  stop(&r);
}

/** The clutch as an element: 1 and 3 kg m^2 at 10 rad/s and 0 lose 37.5 J, and part again. */
static void clutch_joins_and_parts(void **state) {
  (void)state;
  run r = go("<network domain=\"rotation\"><J1 id=\"a\"/><J1 id=\"b\"/><I id=\"A\" l=\"1\" "
             "p0=\"10\"/><I id=\"B\" l=\"3\"/><R id=\"r\" r=\"0.9\"/><Clutch id=\"K\" "
             "times=\"0.5 1.5 s\"/><bond from=\"a\" to=\"A\"/><bond from=\"a\" to=\"K\"/>"
             "<bond from=\"K\" to=\"b\"/><bond from=\"b\" to=\"B\"/><bond from=\"b\" to=\"r\"/>"
             "</network>",
             2);
  const sb_ledger *ledger = sb_simulation_ledger(r.sim);
  assert_int_equal(ledger->event_count, 2);
  assert_near(ledger->events[0].loss, 37.5, 1e-12);
  assert_near(ledger->events[1].loss, 0, 1e-12);
  double together = 2.5 * exp(-0.9 / 4 * 1.0);
  assert_near_relative(value(&r, "A.f"), together, 1e-9);
  assert_near_relative(value(&r, "B.f"), together * exp(-0.9 / 3 * 0.5), 1e-9);
  stop(&r);
}

/** A switch that opens an inductor's current lets it no way: its energy is lost at once. */
static void switch_breaks_a_current(void **state) {
  (void)state;
  run r = go("<network domain=\"electric\"><J1 id=\"j\"/><I id=\"L\" l=\"0.5 H\" p0=\"1 Wb\"/>"
             "<R id=\"R1\" r=\"0.7\"/><Switch id=\"S\" state=\"closed\" times=\"0.3 s\"/>"
             "<bond from=\"j\" to=\"L\"/><bond from=\"j\" to=\"R1\"/><bond from=\"j\" "
             "to=\"S\"/></network>",
             1);
  const sb_ledger *ledger = sb_simulation_ledger(r.sim);
  double p = exp(-0.7 / 0.5 * 0.3);
  assert_int_equal(ledger->event_count, 1);
  assert_near_relative(ledger->events[0].loss, p * p / (2 * 0.5), 1e-9);
  assert_near(value(&r, "L.f"), 0, 1e-14);
  stop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(diode_stops_after_half_a_cycle), cmocka_unit_test(diode_rectifies),
      cmocka_unit_test(diode_is_quiet_at_zero),         cmocka_unit_test(clutch_joins_and_parts),
      cmocka_unit_test(switch_breaks_a_current),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
