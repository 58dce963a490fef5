// SPDX-License-Identifier: GPL-3.0-or-later
// Laws that jump upwards at places other than zero, and stick there, against closed forms and against sources with friction.
#include "tests/fixture.h"

/** A law that jumps at x = u0 = 0.4 from 0 to Y = 0.7 holds what comes there by y = 0.5 + 0.1 t until that is Y, at t = 2 s:
 *  m u' = y before, u = u0, m u' = y - Y behind, on a mass as on a capacitor. */
static void holds_where_it_jumps(void **state) {
  (void)state;
  static const char mass[] =
      "<network domain='translation'><J1 id='n'/><Se id='s' effort='0.5[N] + 0.1[N/s]*t'/>"
      "<I id='x' mass='1.3 kg'/>%s<bond from='s' to='n'/><bond from='n' to='x'/>"
      "<bond from='n' to='R'/></network>";
  static const char capacitor[] =
      "<network domain='electric'><J0 id='n'/><Sf id='s' flow='0.5[A] + 0.1[A/s]*t'/>"
      "<C id='x' c='1.3 F'/>%s<bond from='s' to='n'/><bond from='n' to='x'/>"
      "<bond from='n' to='R'/></network>";
  static const struct {
    const char *network, *law;
  } forms[] = {
      {mass, "<R id='R' law='0.35[N]*(sign(f - 0.4[m/s]) + 1)'/>"},
      {mass, "<R id='R' law='if(f/0.1[m/s] &gt; 4, 0.7[N], 0[N])'/>"},
      {mass, "<R id='R' law='0.7[N]*(0.8[m/s] - 2*f &lt;= 0[m/s])'/>"},
      {mass, "<R id='R' law='0.35[N]*(sign(f^3 - 0.064[m^3/s^3]) + 1)'/>"},
      {mass, "<R id='R' law='0.7[N]*(exp(f/1[m/s]) &gt; exp(0.4))'/>"},
      {mass, "<R id='R' law='0.35[N]*(sign(1 - 0.4[m/s]/max(f, 1[mm/s])) + 1)'/>"},
      {capacitor, "<R id='R' law='0.7[A]*(e &gt; 0.4[V])'/>"},
      {capacitor, "<R id='R' law='if(e^2 &gt;= 0.16[V^2], if(e &gt; 0[V], 0.7[A], 0[A]), 0[A])'/>"},
  };
  const double m = 1.3, u0 = 0.4, t1 = 10 * (sqrt(0.25 + 0.2 * m * u0) - 0.5);
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    run r = go_with(forms[i].network, forms[i].law, 1.5);
    const char *u = forms[i].network == mass ? "R.f" : "R.e",
               *y = forms[i].network == mass ? "R.e" : "R.f";
    assert_near(event_time(&r, "stick", 0), t1, 1e-9);
    assert_near(value(&r, u), u0, 1e-15);
    assert_near(value(&r, y), 0.65, 1e-14);
    advance(&r, 3);
    assert_near(event_time(&r, "slip", 0), 2, 1e-9);
    assert_near(value(&r, u), u0 + 0.05 / m, 1e-9);
    const double stuck = u0 * (0.5 * (2 - t1) + 0.05 * (4 - t1 * t1)),
                 slipped = 0.7 * (u0 + 0.05 / m / 3);
    assert_near_relative(ledger_of(&r)->total.dissipated, stuck + slipped, 1e-8);
    assert_int_equal(ledger_of(&r)->passivity.violations, 0);
    assert_balanced(&r);
    stop(&r);
  }
}

/** A block on a spring that rubs on a belt of 0.3 m/s, and a constant force, are one law of the block alone, which heats as well. */
static void law_of_a_belt(void **state) {
  (void)state;
  static const char block[] = "<network><J1 id='n' domain='translation'/><I id='m' mass='1 kg'/>"
                              "<C id='k' c='1 m/N' q0='2 m'/>%s<bond from='n' to='m'/>"
                              "<bond from='n' to='k'/></network>";
  static const char *const forms[] = {
      "<R id='b' r='0.02 N.s/m'/><Se id='F' effort='-0.5 N'/><J0 id='on'/>"
      "<Sf id='belt' flow='-0.3 m/s'/><R id='R' law='0.5[N]*sign(f)'/><bond from='n' to='b'/>"
      "<bond from='F' to='n'/><bond from='n' to='on'/><bond from='belt' to='on'/>"
      "<bond from='on' to='R'/>",
      "<R id='R' law='0.5[N]*sign(f - 0.3[m/s]) + 0.5[N] + 0.02[N.s/m]*f'/>"
      "<bond from='n' to='R'/>",
      "<R id='R' law='0.5[N]*sign(f - 0.3[m/s]) + 0.5[N] + 0.02[N.s/m]*f'/>"
      "<Se id='T' domain='thermal' effort='300 K'/><bond from='n' to='R.p'/>"
      "<bond from='R.heat' to='T'/>"};
  double found[3][3];
  for (int form = 0; form < 3; form++) {
    run r = go_with(block, forms[form], 6);
    found[form][0] = value(&r, "k.q");
    assert_near(value(&r, "m.f"), 0.3, 1e-14); // it sticks
    advance(&r, 15);
    found[form][1] = value(&r, "k.q");
    found[form][2] = event_time(&r, "slip", 1);
    assert_int_equal(events_of(&r, "stick", "R"), 2);
    assert_balanced(&r);
    for (int k = 0; k < 3; k++) {
      assert_near(found[form][k], found[0][k], 1e-8);
    }
    stop(&r);
  }
}

/** What comes to the place of a jump by more than it can hold slips on; where that excess w falls by s t, it is back behind 2 w/s, within
 *  one step, and sticks: m u' = w - s t. */
static void slips_on_and_comes_back(void **state) {
  (void)state;
  const double m = 2, u0 = 0.4, Y = 0.7, w = 0.02, s = 1.5, before = 0.1;
  const double reached = Y + w + s * before; // by the force at the start, which falls, too
  run r = go_with("<network domain='translation'><J1 id='n'/>"
                  "<Se id='s' effort='0.87[N] - 1.5[N/s]*t'/><I id='x' mass='2 kg' p0='%s'/>"
                  "<R id='R' law='0.7[N]*(f &gt; 0.4[m/s])'/><bond from='s' to='n'/>"
                  "<bond from='n' to='x'/><bond from='n' to='R'/></network>",
                  "0.7205 kg.m/s", 0.12);
  assert_near(reached, 0.87, 1e-15);
  assert_near(m * u0 - (0.87 * before - 0.5 * s * before * before), 0.7205, 1e-15);
  assert_near(value(&r, "R.f"), u0 + (w * 0.02 - 0.5 * s * 0.02 * 0.02) / m, 1e-9);
  advance(&r, 0.3);
  assert_near(event_time(&r, "stick", events_of(&r, "stick", "R") - 1), before + 2 * w / s, 1e-7);
  assert_near(value(&r, "R.f"), u0, 1e-15);
  assert_near(value(&r, "R.e"), 0.87 - s * 0.3, 1e-12);
  assert_int_equal(ledger_of(&r)->passivity.violations, 0);
  assert_balanced(&r);
  stop(&r);
}

/** Two on one inductor, whose jumps end at zero: what sticks lets go where its voltage is zero, but for the rounding of the time. */
static void lets_go_at_zero(void **state) {
  (void)state;
  static const char *const methods[] = {"auto", "dormand-prince-5", "kvaerno-5"};
  for (int i = 0; i < 3; i++) {
    char text[1000];
    (void)snprintf(text, sizeof text,
                   "<screwbond version='1' id='m'><network domain='electric'><J1 id='j'/>"
                   "<I id='s' l='2.939 H' p0='-1.7758878085143541 V.s'/>"
                   "<Se id='F' effort='-0.906[V] + 1.17[V]*sin(3.388[rad/s]*t)'/>"
                   "<R id='r' law='1.98[V]*(f &gt; 0.489[A])'/>"
                   "<R id='q' law='0.683[V]*sign(f + 0.64[A]) - 0.683[V]'/><bond from='F' to='j'/>"
                   "<bond from='j' to='s'/><bond from='j' to='r'/><bond from='j' to='q'/></network>"
                   "<run t-end='20 s' rtol='1e-10' method='%s'/></screwbond>",
                   methods[i]);
    run r = start_netlist(text);
    advance(&r, 20);
    assert_true(events_of(&r, "slip", "q") > 5);
    assert_int_equal(ledger_of(&r)->passivity.violations, 0);
    assert_balanced(&r);
    stop(&r);
  }
}

/** A mass that rubs on the ground, and another one on it: where one comes to a jump, whether it sticks there decides on the other as well.
 *  Sources of flow with sign(f) and of effort say the same. */
static void two_decide_together(void **state) {
  (void)state;
  static const char masses[] =
      "<network domain='translation'><J1 id='j0'/><J1 id='j1'/><J0 id='z'/>"
      "<I id='m0' mass='1.4085662824272662 kg' p0='0.6907565536895552 N.s'/>"
      "<I id='m1' mass='0.5246335775216913 kg' p0='0.4154765371306539 N.s'/>"
      "<Se id='F0' effort='-0.15707698785453628[N] + "
      "2.3976534511695107[N]*sin(2.193880979769009[rad/s]*t)'/>"
      "<Se id='F1' effort='0.09627599924013386[N] + "
      "2.457288466233618[N]*sin(2.5777029890950134[rad/s]*t)'/>"
      "<bond from='F0' to='j0'/><bond from='j0' to='m0'/><bond from='F1' to='j1'/>"
      "<bond from='j1' to='m1'/><bond from='j0' to='z'/><bond from='z' to='j1'/>%s</network>";
  static const char laws[] =
      "<R id='L0' law='1.36[N]*sign(f - 0.385[m/s]) + 1.36[N]'/><bond from='j0' to='L0'/>"
      "<R id='L1' law='0.542[N]*sign(f + 0.766[m/s]) - 0.542[N]'/><bond from='z' to='L1'/>";
  static const char belts[] =
      "<Se id='E0' effort='-1.36 N'/><bond from='E0' to='j0'/><J0 id='g'/><bond from='j0' to='g'/>"
      "<Sf id='B0' flow='-0.385 m/s'/><bond from='B0' to='g'/>"
      "<Friction id='L0' coulomb='1.36 N'/><bond from='g' to='L0'/><J1 id='y'/>"
      "<bond from='z' to='y'/><Se id='E1' effort='0.542 N'/><bond from='E1' to='y'/><J0 id='h'/>"
      "<bond from='y' to='h'/><Sf id='B1' flow='0.766 m/s'/><bond from='B1' to='h'/>"
      "<Friction id='L1' coulomb='0.542 N'/><bond from='h' to='L1'/>";
  run r = go_with(masses, laws, 0), same = go_with(masses, belts, 0);
  for (int k = 1; k <= 10; k++) {
    advance(&r, 2 * k);
    advance(&same, 2 * k);
    assert_near(value(&r, "m0.f"), value(&same, "m0.f"), 1e-7);
    assert_near(value(&r, "m1.f"), value(&same, "m1.f"), 1e-7);
  }
  assert_int_equal(ledger_of(&r)->passivity.violations, 0);
  assert_balanced(&r);
  stop(&r);
  stop(&same);
}

/** A law with several jumps sticks at each, as elements in series do that share its flow and have one each; and the dual. */
static void several_places(void **state) {
  (void)state;
  static const struct {
    const char *network, *law, *sum;
  } rows[] = {
      {"<network domain='translation'><J1 id='n'/><Se id='s' effort='1.9[N]*sin(3[rad/s]*t)'/>"
       "<I id='x' mass='0.7 kg'/><bond from='s' to='n'/><bond from='n' to='x'/>%s</network>",
       "<R id='R' law='0.5[N]*sign(f) + 0.4[N]*(f &gt; 0.3[m/s]) + 0.6[N]*(f &gt; 0.45[m/s]) - "
       "0.7[N]*(f &lt; -0.2[m/s])'/><bond from='n' to='R'/>",
       "<R id='A' law='0.5[N]*sign(f)'/><R id='B' law='0.4[N]*(f &gt; 0.3[m/s])'/>"
       "<R id='C' law='0.6[N]*(f &gt; 0.45[m/s])'/><R id='D' law='-0.7[N]*(f &lt; -0.2[m/s])'/>"
       "<bond from='n' to='A'/><bond from='n' to='B'/><bond from='n' to='C'/>"
       "<bond from='n' to='D'/>"},
      {"<network domain='electric'><J0 id='n'/><Sf id='s' flow='1.9[A]*sin(3[rad/s]*t)'/>"
       "<C id='x' c='0.7 F'/><bond from='s' to='n'/><bond from='n' to='x'/>%s</network>",
       "<R id='R' law='0.2[S]*e + 0.8[A]*(e &gt; 0.3[V]) + 0.9[A]*(e &gt; 0.45[V]) - "
       "0.7[A]*(e &lt; -0.2[V])'/><bond from='n' to='R'/>",
       "<R id='A' law='0.2[S]*e + 0.8[A]*(e &gt; 0.3[V])'/>"
       "<R id='B' law='0.9[A]*(e &gt; 0.45[V])'/><R id='C' law='-0.7[A]*(e &lt; -0.2[V])'/>"
       "<bond from='n' to='A'/><bond from='n' to='B'/><bond from='n' to='C'/>"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    run one = go_with(rows[i].network, rows[i].law, 0),
        sum = go_with(rows[i].network, rows[i].sum, 0);
    for (int k = 1; k <= 60; k++) {
      advance(&one, 0.1 * k);
      advance(&sum, 0.1 * k);
      const char *u = i == 0 ? "x.f" : "x.e";
      assert_near(value(&one, u), value(&sum, u), 1e-8);
    }
    assert_true(events_of(&one, "stick", "R") > 10);
    assert_near(ledger_of(&one)->total.dissipated, ledger_of(&sum)->total.dissipated, 1e-7);
    assert_int_equal(ledger_of(&one)->passivity.violations, 0);
    assert_balanced(&one);
    stop(&one);
    stop(&sum);
  }
}

/** A node without a storage rests at its jump from the start, also behind one that slips, in either order: with c = 1 F, r = 1 ohm
 *  c v' = -1 A - (v - u0)/r, v = 1 V at first. */
static void rests_behind_one_that_slips(void **state) {
  (void)state;
  static const char network[] =
      "<network domain='electric'><J0 id='n'/><C id='c' c='1 F' q0='1 C'/><bond from='n' to='c'/>"
      "<J1 id='s'/><R id='r' r='1 ohm'/><J0 id='k'/><bond from='n' to='s'/><bond from='s' to='r'/>"
      "<bond from='s' to='k'/>%s<bond from='n' to='A'/><bond from='k' to='B'/></network>";
  static const struct {
    const char *laws;
    double place;
  } rows[] = {
      {"<R id='A' law='1[A]*(e &gt; 0.25[V])'/><R id='B' law='1[A]*(e &gt; 0.5[V])'/>", 0.5},
      {"<R id='B' law='1[A]*(e &gt; 0.5[V])'/><R id='A' law='1[A]*(e &gt; 0.25[V])'/>", 0.5},
      {"<R id='A' law='1[A]*sign(e)'/><R id='B' law='2[A]*sign(e)'/>", 0},
      {"<R id='B' law='2[A]*sign(e)'/><R id='A' law='1[A]*sign(e)'/>", 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const double u0 = rows[i].place;
    run r = go_with(network, rows[i].laws, 0.3);
    assert_near(value(&r, "B.e"), u0, 1e-15);
    assert_near(value(&r, "c.e"), u0 - 1 + (2 - u0) * exp(-0.3), 1e-8);
    assert_near(value(&r, "B.f"), value(&r, "c.e") - u0, 1e-14);
    assert_balanced(&r);
    stop(&r);
  }
}

/** Three that hold one node at zero volts, between jumps of a source: as long as that gives less than all of them take, 2.53 A. The search for
 *  a solution of the loop comes to the jump of one by ever shorter steps. */
static void three_hold_one_node(void **state) {
  (void)state;
  static const double levels[] = {0, 2.426, -2.480, 1.182, -2.967, -0.830, 2.622};
  run r = go("<network domain='electric'><Se id='V' effort='if(t &lt; 0.05[s], 0[V], 2.426[V]) + "
             "if(t &lt; 1.05[s], 0[V], -2.480[V]) + if(t &lt; 2.05[s], 0[V], 1.182[V]) + "
             "if(t &lt; 3.05[s], 0[V], -2.967[V]) + if(t &lt; 4.05[s], 0[V], -0.830[V]) + "
             "if(t &lt; 5.05[s], 0[V], 2.622[V])'/><J1 id='s'/><R id='rs' r='1.693 ohm'/>"
             "<J0 id='n'/><bond from='V' to='s'/><bond from='s' to='rs'/><bond from='s' to='n'/>"
             "<R id='A' law='0.705[A]*sign(e)'/><bond from='n' to='A'/>"
             "<R id='B' law='0.873[A]*sign(e)'/><bond from='n' to='B'/>"
             "<R id='C' law='0.952[A]*sign(e) + 0.086[S]*e'/><bond from='n' to='C'/></network>",
             0);
  double sum = 0;
  for (int k = 0; k < 7; k++) {
    advance(&r, k + 0.02);
    sum += levels[k];
    assert_near(value(&r, "rs.f"), sum / 1.693, 1e-13);
    assert_near(value(&r, "A.e"), 0, 1e-15);
  }
  assert_int_equal(ledger_of(&r)->passivity.violations, 0);
  stop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(holds_where_it_jumps),    cmocka_unit_test(law_of_a_belt),
      cmocka_unit_test(slips_on_and_comes_back), repeating_test(lets_go_at_zero),
      cmocka_unit_test(two_decide_together),     repeating_test(rests_behind_one_that_slips),
      cmocka_unit_test(three_hold_one_node),     cmocka_unit_test(several_places),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
