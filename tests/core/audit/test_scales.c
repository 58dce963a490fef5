// SPDX-License-Identifier: GPL-3.0-or-later
// What is judged has sizes of its own: the same networks with efforts, flows and times of any size.
#include <float.h>

#include "tests/fixture.h"

static const double sizes[] = {1e-12, 1, 1e12};
enum { SIZES = sizeof sizes / sizeof *sizes };

static const char *const corners[] = {
    "%.17g[N]*(f/%.17g[m/s]*abs(f/%.17g[m/s]) + 0.1*f/%.17g[m/s])",
    "%.17g[N]*(2*max(f/%.17g[m/s], 0) + 0.3*min(f/%.17g[m/s], 0) + 0.2*f/%.17g[m/s])",
    "%.17g[N]*if(f/%.17g[m/s] &gt; 0, 2.1*f/%.17g[m/s], 0.7*f/%.17g[m/s])",
    "%.17g[N]*(2*max(f/%.17g[m/s] - 0.5, 0) + 0.3*min(f/%.17g[m/s] + 0.4, 0) + 0*f/%.17g[m/s])"};
enum { CORNERS = sizeof corners / sizeof *corners, INVERTIBLE = CORNERS - 1 };

static void write_law(char text[], size_t size, int k, double e, double f) {
  assert_true(snprintf(text, size, corners[k], e, f, f, f) < (int)size);
}

/** Until its event is located a law keeps the branch of before, a little beyond its corner, which the inverse that
 *  the audit compares it with does not: f |f| + f/10 is off by 20 f there. What comes to zero in a corner is less than
 *  zero beyond it, and no violation of passivity. */
static void corners_pass(void **state) {
  (void)state;
  for (int k = 0; k < CORNERS * SIZES; k++) {
    char law[400], text[1200];
    double e = sizes[k % SIZES], f = 1 / e;
    write_law(law, sizeof law, k / SIZES, e, f);
    (void)snprintf(text, sizeof text,
                   "<network domain='translation'><J1 id='j'/><R id='R' law='%s'/>"
                   "<C id='C' c='%.17g' q0='%.17g'/><I id='I' l='%.17g' p0='%.17g'/>"
                   "<Se id='U' effort='%.17g' waveform='sine' frequency='2.3 Hz'/>"
                   "<bond from='j' to='R'/><bond from='j' to='C'/><bond from='j' to='I'/>"
                   "<bond from='U' to='j'/></network>",
                   law, 0.02 * f / e, 0.03 * f, 0.04 * e / f, 0.0200004 * e, e);
    run r = start(text, 1e-9, 0);
    sb_error err = {0};
    ok(sb_simulation_run(r.sim, 6, 0, NULL, NULL, &err), &err);
    assert_true(ledger_of(&r)->structure.residual_relative < 1e-14);
    assert_int_equal(ledger_of(&r)->passivity.violations, 0);
    stop(&r);
  }
}

/** Given the effort, the flow is found by the inverse of the law, at arguments of any size. */
static void inverses_have_no_unit(void **state) {
  (void)state;
  for (int k = 0; k < INVERTIBLE * SIZES; k++) {
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

/** A storage whose flow is a steep function of its momentum, 1e24 and more in SI, follows a belt on which it sticks:
 *  the loop of its rate and its reaction is solved to the rounding of its inputs, where the rate passes zero too. */
static void steep_storages_stick(void **state) {
  (void)state;
  static const double spans[] = {1e-6, 1, 1e6};
  for (int k = 0; k < SIZES * 3; k++) {
    char text[1500];
    double e = sizes[k % SIZES], f = 1 / e, t = spans[k / SIZES], p = 0.3 * e * t;
    (void)snprintf(
        text, sizeof text,
        "<network domain='translation'><J1 id='v'/><J0 id='on'/>"
        "<Friction id='F' coulomb='%.17g'/><I id='I' energy='%.17g[J]*((p/%.17g[N.s])^2/2 "
        "+ (p/%.17g[N.s])^4/7)'/><C id='C' c='%.17g' q0='%.17g'/>"
        "<Sf id='B' flow='%.17g' waveform='sine' frequency='%.17g Hz'/>"
        "<bond from='v' to='I'/><bond from='v' to='C'/><bond from='B' to='on'/>"
        "<bond from='on' to='F'/><bond from='on' to='v'/></network>",
        9 * e, p * f, p, p, 3 * f * t / e, 2 * f * t, 7e-6 * f, 0.4 / t);
    run r = start(text, 1e-9, 0);
    for (double at = 0.1; at < 6; at += 0.1) {
      advance(&r, at * t);
      assert_near(value(&r, "I.f"), 7e-6 * f * sin(2 * pi * 0.4 * at), 1e-13 * f);
    }
    assert_balanced(&r);
    stop(&r);
  }
}

static int nothing(void *context, const sb_simulation *sim, double t) {
  (void)context, (void)sim, (void)t;
  return 0;
}

/** The current of a resistor is 1e-43 A at first, beside which any voltage up to 1e30 V does a work that is rounding. It has its digits all
 *  the same: it takes int R f^2 dt = R f0^2 s sqrt(pi/2) of f = f0 exp(-(t - t0)^2/s^2). */
static void what_begins_by_nothing_keeps_its_digits(void **state) {
  (void)state;
  run r = start("<network domain='electric'><Sf id='s' flow='2[A]*exp(-((t-1[s])/0.1[s])^2)'/>"
                "<J1 id='j'/><R id='r' r='0.3 ohm'/><J0 id='o'/><C id='c' c='1 F' q0='5 C'/>"
                "<R id='d' r='0.9 ohm'/><bond from='s' to='j'/><bond from='j' to='r'/>"
                "<bond from='j' to='o'/><bond from='o' to='c'/><bond from='o' to='d'/></network>",
                1e-8, 0);
  sb_error err = {0};
  ok(sb_simulation_run(r.sim, 2, 2, nothing, NULL, &err), &err);
  const double energy = 0.3 * 4 * 0.1 * sqrt(3.14159265358979323846 / 2);
  for (int i = 0; i < ledger_of(&r)->element_count; i++) {
    const sb_account *account = &ledger_of(&r)->elements[i];
    assert_true(strcmp(account->id, "r") != 0 || fabs(account->dissipated - energy) < 1e-6);
  }
  assert_null(ledger_of(&r)->parts[0].blurring_element);
  stop(&r);
}

/** Two branches of one time constant L/R: i - 3 j is zero but for rounding, which no step follows; i - 2.999 j is
 *  0.001 (1 - exp(-t/0.3 s))/3 A, and its integral known to the tolerance. */
static void integrals_of_rounding_are_not_followed(void **state) {
  (void)state;
  static const char *const factors[] = {"3", "2.999"};
  for (int k = 0; k < 2; k++) {
    char text[1200];
    (void)snprintf(text, sizeof text,
                   "<screwbond version='1' id='m'><network domain='electric'><Se id='E' effort='1 "
                   "V'/><J0 id='n'/>"
                   "<bond from='E' to='n'/><J1 id='a'/><R id='A' r='1 ohm'/><I id='L' l='0.3 H'/>"
                   "<bond from='n' to='a'/><bond from='a' to='A'/><bond from='a' to='L'/>"
                   "<J1 id='b'/><R id='B' r='3 ohm'/><I id='M' l='0.9 H'/><bond from='n' to='b'/>"
                   "<bond from='b' to='B'/><bond from='b' to='M'/><signal id='i' of='L.f'/>"
                   "<signal id='j' of='M.f'/><signal id='d' rate='i - %s*j'/></network>"
                   "<run t-end='1 s' max-steps='3000'/></screwbond>",
                   factors[k]);
    run r = start_netlist(text);
    const double d = k == 0 ? 0 : 0.001 / 3 * (1 - 0.3 * (1 - exp(-1 / 0.3)));
    advance(&r, 1);
    assert_near(value(&r, "d"), d, 1e-6 * d + 1e-15);
    assert_true(ledger_of(&r)->work.steps < 200);
    stop(&r);
  }
}

/** A source in a loop of gain k/r: e = c + k e/r = c/(1 - k/r), of which f = e/r is known, and p = e t. With k/r = 1.4e6 the effort is a
 *  small difference of c and k f, and known to their rounding; the sizes of what signals read stay finite. */
static void sources_in_loops_are_differences(void **state) {
  (void)state;
  static const double gains[] = {3.5, -3.5, 1e-6};
  for (int k = 0; k < 3; k++) {
    char text[900];
    const double c = 5.9e-7, r = 2.5e-6, e = c / (1 - gains[k] / r);
    (void)snprintf(
        text, sizeof text,
        "<network domain='electric'><signal id='s' of='R.f'/><J0 id='j'/><R id='R' "
        "r='%.17g'/><I id='I' l='0.7'/><Se id='E' effort='%.17g[V] + %.17g[ohm]*s'/>"
        "<bond from='E' to='j'/><bond from='j' to='R'/><bond from='j' to='I'/></network>",
        r, c, gains[k]);
    run m = start(text, 1e-8, 0);
    advance(&m, 1);
    assert_near_relative(value(&m, "R.f"), e / r, 1e-9);
    assert_near_relative(value(&m, "I.p"), e, 1e-8);
    assert_balanced(&m);
    // rounding of the power of R, by the terms of its effort c + |k e/r|
    const double terms = c + 2 * fabs(gains[k] * e / r);
    assert_true(ledger_of(&m)->parts[0].blurred <= 4 * DBL_EPSILON * terms * terms / r);
    stop(&m);
  }
}

/** A source of flow u + k f in a loop of the flow f: f = u/(1 - k), and an inductor has the effort l u'/(1 - k), k times smaller
 *  than the two terms that its constraint f = u + k f is checked by. */
static void sources_in_constraints_are_differences(void **state) {
  (void)state;
  run m = start_netlist(
      "<screwbond version='1' id='m'><network domain='electric'><signal id='s' of='I.f'/><J1 "
      "id='a'/><J1 id='b'/><J1 id='c'/>"
      "<TF id='T' ratio='0.0233858'/><R id='R' r='3.95061'/><C id='C' c='80.0716'/>"
      "<Sf id='F' flow='19662.3*s + 1[A]*(t/1[s])^3'/><I id='I' l='0.000112548'/>"
      "<bond from='a' to='b'/><bond from='b' to='T'/><bond from='T' to='c'/><bond from='b' to='R'/>"
      "<bond from='c' to='C'/><bond from='F' to='b'/><bond from='a' to='I'/></network>"
      "<run t-end='1 s'/></screwbond>");
  for (int k = 1; k <= 300; k++) {
    advance(&m, k / 300.);
    sb_simulation_audit(m.sim);
  }
  assert_near_relative(value(&m, "I.e"), 0.000112548 * 3 / (1 - 19662.3), 1e-8);
  assert_true(ledger_of(&m)->structure.residual_relative <= 1e-12);
  stop(&m);
}

/** A capacitor at a source that follows what it feeds, u - k f, beside an inductor of 7e-6 H behind a ratio of 3e-5, which holds 1e14 J: its
 *  current is a difference of 4e14 A and its charge nothing but rounding, which is said. */
static void what_is_lost_in_rounding_is_said(void **state) {
  (void)state;
  run m =
      start("<network domain='electric'><signal id='s' of='M.f'/><J0 id='a'/><J1 id='b'/>"
            "<TF id='T' ratio='2.84931e-5'/><I id='L' l='7.04383e-6'/><R id='R' r='4.32373e-4'/>"
            "<C id='C' c='2.2231e-4'/><I id='K' l='0.0691277'/><I id='M' l='9958.71'/>"
            "<Se id='S' effort='-1981.35[ohm]*s + 1[V]*(t/15[s])^3'/>"
            "<bond from='a' to='T'/><bond from='T' to='b'/><bond from='b' to='L'/>"
            "<bond from='a' to='R'/><bond from='a' to='C'/><bond from='a' to='K'/>"
            "<bond from='a' to='M'/><bond from='S' to='a'/></network>",
            1e-8, 0);
  advance(&m, 15);
  sb_simulation_audit(m.sim);
  assert_true(ledger_of(&m)->parts[0].unresolved);
  stop(&m);
}

/** A mass that sets out towards a bump whose energy where it starts is 1e-46 J, or nothing but denormals: v^2 = v0^2 - 2 V/m on the bump
 *  and v0 behind it. */
static void energies_that_begin_in_a_tail(void **state) {
  (void)state;
  static const char *const bumps[] = {"0.01[J]*exp(-((q-1[m])/0.1[m])^2)",
                                      "0.01[J]/cosh((q-1[m])/10[mm])"};
  for (int k = 0; k < 2; k++) {
    char text[600];
    (void)snprintf(
        text, sizeof text,
        "<network domain='translation'><I id='m' mass='1 kg' p0='1 kg.m/s'/><C id='k' "
        "energy='%s'/><J1 id='j'/><bond from='j' to='m'/><bond from='j' to='k'/></network>",
        bumps[k]);
    run r = start(text, 1e-10, 0);
    for (int i = 1; i <= 20; i++) {
      advance(&r, 0.1 * i);
      sb_simulation_audit(r.sim);
      const double q = value(&r, "k.q") - 1,
                   V = 0.01 * (k == 0 ? exp(-q * q / 0.01) : 1 / cosh(q / 0.01));
      assert_near(value(&r, "m.f"), sqrt(1 - 2 * V), 1e-9);
    }
    assert_balanced(&r);
    assert_true(ledger_of(&r)->structure.residual_relative <= 1e-12);
    stop(&r);
  }
}

/** A mass of energy p^2/2 + p^4/8 whose flow has to be p/2, by a gyrator and a source that reads p: p + p^3/2 = p/2 has no solution but p = 0.
 *  It is stopped at the start, and what is left is the rounding of the flow that it was stopped from. */
static void what_an_impulse_stops_is_rounding(void **state) {
  (void)state;
  for (int k = 0; k < SIZES; k++) {
    char text[900];
    const double p = -2 * sizes[k];
    (void)snprintf(
        text, sizeof text,
        "<network domain='translation'><J0 id='a'/><J0 id='b'/><GY id='T' ratio='2'/>"
        "<bond from='b' to='T'/><bond from='T' to='a'/>"
        "<I id='m' energy='%.17g[J]*((p/%.17g[N.s])^2/2 + (p/%.17g[N.s])^4/8)' p0='%.17g'/>"
        "<bond from='b' to='m'/><R id='R' r='2'/><bond from='a' to='R'/><signal id='s' of='m.p'/>"
        "<Se id='E' effort='s/1[s]'/><bond from='E' to='a'/></network>",
        sizes[k] * sizes[k], sizes[k], sizes[k], p);
    run r = go(text, 1);
    assert_balanced(&r);
    assert_near_relative(ledger_of(&r)->total.event_loss, 4 * sizes[k] * sizes[k], 1e-12);
    assert_near(value(&r, "m.p"), 0, 1e-20 * sizes[k]);
    stop(&r);
  }
}

/** A mass on a hardening spring, integrated in steps that are too long: the error of the balance is that of the method, whatever constant
 *  is told with the energy, by a number or a parameter, and the constant is in the energies that are reported. */
static void constants_in_an_energy_change_nothing(void **state) {
  (void)state;
  static const struct {
    const char *energy;
    double constant;
  } forms[] = {{"2[N/m]*q^2 + 3[N/m^3]*q^4", 0},
               {"1e14[J] + (2[N/m]*q^2 + 3[N/m^3]*q^4)", 1e14},
               {"2[N/m]*q^2 - (-3[N/m^3]*q^4 + H0) + 5[J]", -2e12 + 5},
               {"-(2*H0 - 3[N/m^3]*q^4) + 2[N/m]*q^2", -4e12}};
  double error = 0, reported = 0;
  for (int k = 0; k < 4; k++) {
    char text[900];
    (void)snprintf(
        text, sizeof text,
        "<screwbond version='1' id='m'><parameters><param id='H0' value='2e12 J'/></parameters>"
        "<network domain='translation'><J1 id='v'/><I id='m' mass='1.3 kg'/>"
        "<C id='k' energy='%s' q0='0.7 m'/><bond from='v' to='m'/><bond from='v' to='k'/></network>"
        "<run t-end='5 s' method='bogacki-shampine-3' step='0.1 s'/></screwbond>",
        forms[k].energy);
    run r = start_netlist(text);
    advance(&r, 5);
    sb_simulation_audit(r.sim);
    const sb_ledger *ledger = ledger_of(&r);
    assert_true(ledger->residual_relative > 1e-4 && !ledger->parts[0].unresolved);
    if (k == 0) {
      error = ledger->residual_relative;
      reported = value(&r, "k.energy");
    }
    assert_near_relative(ledger->residual_relative, error, 1e-9);
    assert_near(value(&r, "k.energy"), reported + forms[k].constant,
                1e-12 + 1e-15 * fabs(forms[k].constant));
    assert_near(ledger->total.stored_start + ledger->total.level,
                2 * 0.49 + 3 * 0.2401 + forms[k].constant, 1e-12 + 1e-15 * fabs(forms[k].constant));
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(energies_that_begin_in_a_tail),
      cmocka_unit_test(sources_in_loops_are_differences),
      repeating_test(sources_in_constraints_are_differences),
      cmocka_unit_test(what_is_lost_in_rounding_is_said),
      cmocka_unit_test(what_begins_by_nothing_keeps_its_digits),
      cmocka_unit_test(integrals_of_rounding_are_not_followed),
      cmocka_unit_test(what_an_impulse_stops_is_rounding),
      cmocka_unit_test(constants_in_an_energy_change_nothing),
      repeating_test(corners_pass),
      repeating_test(inverses_have_no_unit),
      repeating_test(loops_have_no_unit),
      repeating_test(steep_storages_stick),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
