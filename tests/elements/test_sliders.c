// SPDX-License-Identifier: GPL-3.0-or-later
// Friction and thresholds in series with storages and with each other, whose effort decides: what they hold, and where they give way.
#include "tests/fixture.h"

/** A law of the effort jumps at effort zero: a pump that runs at 0.2 m^3/s either way, and stands between. */
static void law_of_the_effort(void **state) {
  (void)state;
  run r = go("<network domain='hydraulic'><J0 id='n'/><C id='tank' c='0.5 m^3/Pa' q0='1 m^3'/>"
             "<R id='pump' law='0.2[m^3/s]*sign(e)'/><bond from='n' to='tank'/>"
             "<bond from='n' to='pump'/><Sf id='in' flow='0.05[m^3/s^2]*max(t-6[s],0[s])'/>"
             "<bond from='in' to='n'/></network>",
             4);
  assert_near(value(&r, "tank.q"), 0.2, 1e-10);
  advance(&r, 8);
  assert_near(event_time(&r, "stick", 0), 5, 1e-9);
  assert_near(value(&r, "tank.q"), 0, 0);
  assert_near(value(&r, "pump.f"), 0.1, 1e-12);
  advance(&r, 11);
  assert_balanced(&r);
  assert_near(event_time(&r, "slip", 0), 10, 1e-9);
  assert_near(value(&r, "tank.q"), 0.025, 1e-9);
  stop(&r);
}

/** In series with a law that no range says to rise, friction cannot stick, and the run says of which; within a range it rests, and slips
 *  where the effort is beyond its strength: u = E - 1 then, v = tanh(u). */
static void limiters_in_series(void **state) {
  (void)state;
  static const char network[] =
      "<network domain='translation'><J1 id='n'/><R id='limit' law='1[m/s]*tanh(e/1[N])'%s/>"
      "<Friction id='mu' coulomb='1 N'/><Se id='E' effort='1[N/s]*t'/><bond from='E' to='n'/>"
      "<bond from='n' to='limit'/><bond from='n' to='mu'/></network>";
  run r = go_with(network, " effort-limit='10 N'", 2);
  assert_near(event_time(&r, "slip", 0), 1, 1e-9);
  assert_near(value(&r, "limit.f"), tanh(1), 1e-9);
  assert_near_relative(value(&r, "mu.lost"), log(cosh(1)), 1e-7);
  assert_balanced(&r);
  stop(&r);
  char text[800];
  sb_error err;
  double t;
  assert_true(snprintf(text, sizeof text,
                       "<screwbond version='1' id='m'><network domain='translation'><J0 id='n'/>"
                       "<J1 id='on'/><R id='limit' law='1[m/s]*tanh(e/1[N])'/><C id='k' c='1 m/N'/>"
                       "<I id='m' mass='1 kg' p0='1 N.s'/><Friction id='mu' coulomb='1 N'/>"
                       "<bond from='on' to='n'/><bond from='on' to='limit'/>"
                       "<bond from='on' to='mu'/><bond from='n' to='m'/><bond from='n' to='k'/>"
                       "</network><run t-end='1 s'/></screwbond>") < (int)sizeof text);
  assert_int_equal(try_run(text, 1, &t, &err), SB_ERR_CHATTER);
  assert_contains(err.text, "'mu' switches without end");
  assert_string_equal(
      err.hint,
      "it cannot stick here: 'limit' prescribes a variable that 'on' forces to be zero; a law that "
      "rises everywhere can be inverted (its range is stated by effort-limit or flow-limit); or an "
      "R, C or I beside 'limit' takes up what it gives; or check the junction's kind and the bonds "
      "around 'on'");
}

static const char *const ohmic_forms[] = {
    "<Friction id='d' coulomb='2 V' viscous='1 ohm'/>", "<R id='d' law='1[ohm]*f + 2[V]*sign(f)'/>",
    "<R id='d' law='if(f &gt; 0[A], 1[ohm]*f + 2[V], 1[ohm]*f - 2[V])'/>"};

/** A source of 5 V charges 0.5 F through a threshold of 2 V and 1 ohm: q' = 3 - 2 q. */
static void threshold_charges(void **state) {
  (void)state;
  for (int form = 0; form < 3; form++) {
    run r = go_with("<network domain='electric'><Se id='U' effort='5 V'/><J1 id='j'/>%s"
                    "<C id='c' c='0.5 F'/><bond from='U' to='j'/><bond from='j' to='d'/>"
                    "<bond from='j' to='c'/></network>",
                    ohmic_forms[form], 0.7);
    assert_near_relative(value(&r, "c.q"), -1.5 * expm1(-1.4), 1e-8);
    assert_near_relative(value(&r, "d.e"), 2 + 3 * exp(-1.4), 1e-8);
    advance(&r, 100);
    assert_near(value(&r, "c.q"), 1.5, 1e-8);
    assert_true(events_of(&r, "stick", "d") <= 1 && events_of(&r, "slip", "d") == 0);
    assert_balanced(&r);
    stop(&r);
  }
}

/** The charge of 1 F at 5 V sin t while it slips from a time on: q' + q = 5 sin t - 2 s has the solution
 *  2.5 (sin t - cos t) - 2 s + K exp(-t). */
static double slip_charge(double t, double from, double q, double s) {
  double start = q - 2.5 * (sin(from) - cos(from)) + 2 * s;
  return 2.5 * (sin(t) - cos(t)) - 2 * s + start * exp(from - t);
}

/** The end of a piece: where |5 sin t - q| grows beyond 2 with the charge q at rest, s = 0, or s (5 sin t - q(t))
 *  falls to 2 while it slips; by steps of 1 ms, then by bisection. */
static double next_change(double from, double q, int s) {
  double low = from + 1e-6, high = low;
  for (int i = 0; i < 2; i++) {
    bool sought = i == 1;
    double t = low, step = sought ? 0 : 1e-3;
    for (int k = 0; k < 100000; k++) {
      t = sought ? 0.5 * (low + high) : t + step;
      double e = 5 * sin(t) - (s != 0 ? slip_charge(t, from, q, s) : q);
      bool changed = s != 0 ? s * e < 2 : fabs(e) > 2;
      *(changed ? &high : &low) = t;
      if (sought ? high - low < 1e-14 : changed) {
        break;
      }
    }
  }
  return high;
}

/** With 5 V sin t it sticks from the start on, and slips and sticks in turn, as the closed form of each piece says. */
static void threshold_with_a_sine(void **state) {
  (void)state;
  for (int form = 0; form < 3; form++) {
    run r = go_with("<network domain='electric'><Se id='U' effort='5[V]*sin(t*1[rad/s])'/>"
                    "<J1 id='j'/>%s<C id='c' c='1 F'/><bond from='U' to='j'/>"
                    "<bond from='j' to='d'/><bond from='j' to='c'/></network>",
                    ohmic_forms[form], 0);
    double t = 0, q = 0;
    for (int piece = 0; piece < 8; piece++) {
      int s = piece % 2 == 0 ? 0 : 5 * sin(t) > q ? 1 : -1;
      double end = next_change(t, q, s), middle = 0.5 * (t + end);
      advance(&r, middle);
      assert_near(value(&r, "c.q"), s != 0 ? slip_charge(middle, t, q, s) : q, 1e-7);
      q = s != 0 ? slip_charge(end, t, q, s) : q;
      t = end;
    }
    assert_int_equal(events_of(&r, "slip", "d"), 4);
    assert_int_equal(events_of(&r, "stick", "d"), 4); // the first at the start
    assert_near(event_time(&r, "slip", 0), asin(0.4), 1e-9);
    assert_balanced(&r);
    stop(&r);
  }
}

static const char *const slider_forms[] = {"<Friction id='d' coulomb='2 N'/>",
                                           "<R id='d' law='2[N]*sign(f)'/>"};

/** Prandtl's element, a spring of k = 1 N/m in series with 2 N of dry friction, moved by X sin t: it dissipates
 *  4 Fc (X - Fc/k) in each cycle after the first quarter, in which it is Fc (X - Fc/k). */
static void spring_and_slider(void **state) {
  (void)state;
  for (int form = 0; form < 2; form++) {
    run r = go_with("<network domain='translation'><Sf id='U' flow='5[m/s]*cos(t*1[rad/s])'/>"
                    "<J0 id='j'/>%s<C id='c' c='1 m/N'/><bond from='U' to='j'/>"
                    "<bond from='j' to='d'/><bond from='j' to='c'/></network>",
                    slider_forms[form], pi / 2);
    assert_near(value(&r, "c.e"), 2, 1e-9);
    assert_near_relative(ledger_of(&r)->total.dissipated, 6., 1e-7);
    advance(&r, pi / 2 + 1);
    assert_near(value(&r, "c.e"), 2 - 5 * (1 - cos(1)), 1e-7); // it sticks
    assert_near(value(&r, "d.f"), 0, 0);
    advance(&r, pi);
    assert_near(value(&r, "d.f"), -5, 1e-9);
    assert_near(value(&r, "c.e"), -2, 1e-9);
    advance(&r, pi / 2 + 6 * pi);
    assert_near_relative(ledger_of(&r)->total.dissipated, 6 + 3 * 4 * 2 * 3., 1e-7);
    assert_int_equal(events_of(&r, "slip", "d"), 7);
    assert_near(ledger_of(&r)->total.event_loss, 0, 1e-9);
    assert_balanced(&r);
    stop(&r);
  }
}

/** At 1 m/s it slips from t = 2 s on, with e = 2 N + b (1 - exp(-(t - 2)/(b c))) m/s, c = 1 m/N; and a spring that
 *  starts beyond what is held, at 3 N, comes back at once and loses (9 - 4)/2 J. */
static void slider_slips_evenly(void **state) {
  (void)state;
  static const char text[] = "<network domain='translation'><Sf id='U' flow='1 m/s'/><J0 id='j'/>%s"
                             "<bond from='U' to='j'/><bond from='j' to='d'/><bond from='j' to='c'/>"
                             "</network>";
  run r =
      go_with(text, "<Friction id='d' coulomb='2 N' viscous='0.5 N.s/m'/><C id='c' c='1 m/N'/>", 3);
  assert_near(event_time(&r, "slip", 0), 2, 1e-9);
  assert_near_relative(value(&r, "d.e"), 2 - 0.5 * expm1(-2), 1e-8);
  stop(&r);
  r = go_with(text, "<Friction id='d' coulomb='2 N'/><C id='c' c='1 m/N'/>", 5);
  assert_near_relative(ledger_of(&r)->total.dissipated, 6., 1e-9);
  assert_balanced(&r);
  stop(&r);
  r = go_with(text, "<Friction id='d' coulomb='2 N'/><C id='c' c='1 m/N' q0='3 m'/>", 5);
  assert_near_relative(ledger_of(&r)->total.event_loss, 2.5, 1e-9);
  assert_near_relative(ledger_of(&r)->total.dissipated, 10., 1e-9);
  assert_balanced(&r);
  stop(&r);
}

/** A spring that starts beyond what is held, against the flow that will move it, comes back to -2 N at once, is moved on by the flow while the
 *  slider sticks, and slips at 2 N. So does a momentum beyond what a flow of no more than 0.3 m/s allows. */
static void what_gives_way_to_a_jump_may_go_back(void **state) {
  (void)state;
  for (int form = 0; form < 2; form++) {
    run r = go_with("<network domain='translation'><Sf id='U' flow='1 m/s'/><J0 id='j'/>%s"
                    "<C id='c' c='1 m/N' q0='-3 m'/><bond from='U' to='j'/>"
                    "<bond from='j' to='d'/><bond from='j' to='c'/></network>",
                    slider_forms[form], 3);
    assert_near_relative(ledger_of(&r)->total.event_loss, 2.5, 1e-9);
    assert_near(ledger_of(&r)->total.dissipated, 0, 1e-9);
    assert_near(value(&r, "c.e"), 1, 1e-9);
    advance(&r, 5);
    assert_near_relative(ledger_of(&r)->total.dissipated, 2., 1e-9);
    assert_near(value(&r, "c.e"), 2, 1e-9);
    assert_balanced(&r);
    stop(&r);
  }
  run r = go("<network domain='translation'><J1 id='j'/><R id='d' law='0.3[m/s]*sign(e)'/>"
             "<I id='m' mass='2 kg' p0='-2 N.s'/><Se id='F' effort='1 N'/><bond from='F' to='j'/>"
             "<bond from='j' to='m'/><bond from='j' to='d'/></network>",
             1);
  assert_near_relative(ledger_of(&r)->total.event_loss, 0.5 * (4 - 0.36) / 2, 1e-9);
  assert_near(value(&r, "m.p"), -0.6 + 1, 1e-9);
  assert_balanced(&r);
  stop(&r);
}

/** With Stribeck's term a slider beside a storage cannot be given the effort: the refusal says what to do. */
static void sliders_refused(void **state) {
  (void)state;
  sb_graph *graph;
  sb_model *model = NULL;
  sb_error err = {0};
  sb_errors errors = {0};
  ok(sb_graph_create("m", &graph, &err), &err);
  sb_element *d = add_kind(graph, "Friction", "d", "coulomb", 2);
  set_value(d, "stribeck", 0.3);
  add_kind(graph, "Sf", "U", "flow", 1);
  add_kind(graph, "C", "c", "c", 1);
  add_kind(graph, "J0", "j", NULL, 0);
  add_bond(graph, "U", "j");
  add_bond(graph, "j", "d");
  add_bond(graph, "j", "c");
  assert_int_equal(sb_model_compile(graph, &model, &errors), SB_ERR_CAUSALITY);
  assert_int_equal(errors.count, 1);
  assert_non_null(strstr(errors.items[0].text, "both determine the same variable at 'j': a storage "
                                               "there depends on the others"));
  assert_string_equal(
      errors.items[0].hint,
      "'d' sticks: without a small I between them, its friction must not depend on the flow, and "
      "on signals of known rates alone, or rise with the flow (viscous above zero, no stribeck)");
  sb_errors_finish(&errors);
  sb_graph_destroy(graph);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(law_of_the_effort),
      cmocka_unit_test(limiters_in_series),
      cmocka_unit_test(threshold_charges),
      cmocka_unit_test(threshold_with_a_sine),
      cmocka_unit_test(spring_and_slider),
      cmocka_unit_test(slider_slips_evenly),
      cmocka_unit_test(what_gives_way_to_a_jump_may_go_back),
      cmocka_unit_test(sliders_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
