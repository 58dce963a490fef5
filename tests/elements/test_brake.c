// SPDX-License-Identifier: GPL-3.0-or-later
// Dry friction whose strength follows the time and signals, as a brake: on what has a mass, and on what has none, which
// it then holds at its strength; against closed forms.
#include "tests/fixture.h"

#define LEVELS "if(t &lt; 1[s], 4[N], if(t &lt; 2[s], 1[N], 6[N]))"
static const char *const levels[] = {
    "<Friction id='d' coulomb='" LEVELS "'/>",
    "<signal id='level' value='" LEVELS "'/><Friction id='d' coulomb='level'/>",
    "<signal id='level' value='" LEVELS "'/><R id='d' law='level*sign(f)'/>",
    "<signal id='level' value='" LEVELS "'/>"
    "<R id='d' law='if(f &gt; 0[m/s], level, -level)'/>"};
enum { LEVEL_FORMS = sizeof levels / sizeof *levels };

/** A momentum of 10 N s falls by 4 N for 1 s, by 1 N for 1 s, and by 6 N for the 5/6 s that are left. */
static void brakes_in_steps(void **state) {
  (void)state;
  for (int form = 0; form < LEVEL_FORMS; form++) {
    run r = go_with("<network domain='translation'><J1 id='v'/>%s<I id='m' mass='1.7 kg' "
                    "p0='10 N.s'/><bond from='v' to='d'/><bond from='v' to='m'/></network>",
                    levels[form], 1.5);
    assert_near(value(&r, "m.p"), 5.5, 1e-9);
    assert_near(value(&r, "d.e"), 1, 1e-12);
    advance(&r, 2.5);
    assert_near(value(&r, "m.p"), 2, 1e-9);
    advance(&r, 4);
    assert_near(event_time(&r, "stick", 0), 2 + 5. / 6, 1e-9);
    assert_near(value(&r, "m.p"), 0, 0);
    assert_near_relative(ledger_of(&r)->total.dissipated, 0.5 * 10 * 10 / 1.7, 1e-9);
    assert_balanced(&r);
    stop(&r);
  }
}

/** The impulse of max(0, P (1 + 1.5 sin(w t))) up to t: it is zero where sin(w t) < -2/3. */
static double impulse_of_brake(double P, double w, double t) {
  const double turn = 2 * acos(-1), a = asin(2. / 3), off = turn / 2 + a, on = turn - a;
  double sum = 0;
  for (double begin = 0, end = w * t; begin < end; begin += turn) {
    const double parts[][2] = {{0, off}, {on, turn}};
    for (int i = 0; i < 2; i++) {
      const double from = parts[i][0], to = fmin(parts[i][1], end - begin);
      sum += to > from ? to - from + 1.5 * (cos(from) - cos(to)) : 0;
    }
  }
  return P / w * sum;
}

/** A brake whose pressure swings through zero brakes with none below: where it comes there is a kink, as any other. Without an event there a
 *  run at rtol 1e-8 was 500 rtol off. */
static void pressure_swings_through_zero(void **state) {
  (void)state;
  static const double P = 7, w = 20, p0 = 79;
  static const char *const forms[] = {
      "<Friction id='b' coulomb='7[N]*(1 + 1.5*sin(20[rad/s]*t))'/>",
      "<signal id='u' value='7[N]*(1 + 1.5*sin(20[rad/s]*t))'/><Friction id='b' coulomb='u'/>",
      "<Friction id='b' coulomb='max(0[N], 7[N]*(1 + 1.5*sin(20[rad/s]*t)))'/>"};
  for (size_t form = 0; form < sizeof forms / sizeof *forms; form++) {
    char inside[1000];
    (void)snprintf(inside, sizeof inside,
                   "<network domain='translation'><J1 id='v'/>%s<I id='m' mass='1.2 kg' "
                   "p0='%g N.s'/><bond from='v' to='b'/><bond from='v' to='m'/></network>",
                   forms[form], p0);
    run r = start(inside, 1e-8, 0);
    for (int i = 1; i <= 40; i++) {
      advance(&r, 0.2 * i);
      assert_near(value(&r, "m.p"), p0 - impulse_of_brake(P, w, 0.2 * i), 100e-8 * p0);
    }
    assert_closes(&r);
    stop(&r);
  }
}

/** A block between a force that swings and a spring sticks and slips. In other units of force and time, by powers of two, it takes the same
 *  steps to the last bit: forces of 1e-12 N are located as those of 1 N are. */
static void powers_of_two_change_no_step(void **state) {
  (void)state;
  static const int of_force[] = {0, -40, 40, 0, 0, -33}, of_time[] = {0, 0, 0, -20, 20, 14};
  double first[2] = {0};
  for (int i = 0; i < 6; i++) {
    const double F = ldexp(1, of_force[i]), T = ldexp(1, of_time[i]);
    char inside[1000];
    (void)snprintf(
        inside, sizeof inside,
        "<network domain='translation'><Se id='F' effort='%.17g[N]*sin(%.17g[rad/s]*t)'/>"
        "<J1 id='j'/><I id='m' mass='%.17g'/><Friction id='c' coulomb='%.17g'/><C id='k' "
        "c='%.17g'/><R id='d' r='%.17g'/><bond from='F' to='j'/><bond from='j' to='m'/>"
        "<bond from='j' to='c'/><bond from='j' to='k'/><bond from='j' to='d'/></network>",
        F, 1 / T, F * T * T, 0.2 * F, 1 / F, 0.1 * F * T);
    run r = start(inside, 1e-8, 0);
    advance(&r, 6 * T);
    const double slip = event_time(&r, "slip", 0) / T, steps = (double)ledger_of(&r)->work.steps;
    assert_near(slip, asin(0.2), 1e-12);
    assert_near(slip, i == 0 ? slip : first[0], 0);
    assert_near(steps, i == 0 ? steps : first[1], 0);
    first[0] = slip;
    first[1] = steps;
    stop(&r);
  }
}

/** A spring of 100 N/m without a mass is held at 4 N, moved at 1 m/s. At 1 s the strength falls to 1 N: the spring snaps
 *  back and loses (16 - 1)/(2 100) J. At 2 s it rises to 6 N: the spring sticks, until it is 5 N further. */
static void level_jumps(void **state) {
  (void)state;
  for (int form = 0; form < LEVEL_FORMS; form++) {
    run r = go_with("<network domain='translation'><Sf id='V' flow='1 m/s'/><J0 id='n'/>%s"
                    "<C id='k' c='0.01 m/N'/><bond from='V' to='n'/><bond from='n' to='d'/>"
                    "<bond from='n' to='k'/></network>",
                    levels[form], 0.9);
    assert_near(value(&r, "k.e"), 4, 1e-9);
    advance(&r, 1.5);
    assert_near(value(&r, "k.e"), 1, 1e-9);
    assert_near(value(&r, "d.f"), 1, 1e-9);
    advance(&r, 2.03);
    assert_near(value(&r, "k.e"), 4, 1e-9);
    assert_near(value(&r, "d.f"), 0, 0);
    advance(&r, 3);
    assert_near(value(&r, "k.e"), 6, 1e-9);
    assert_near(event_time(&r, "slip", 0), 0.04, 1e-9);
    assert_near(event_time(&r, "slip", 1), 1, 0);
    assert_near(event_time(&r, "slip", 2), 2.05, 1e-9);
    assert_near_relative(ledger_of(&r)->total.event_loss, 0.075, 1e-9);
    assert_near_relative(ledger_of(&r)->total.dissipated, 4 * 0.96 + 1 + 6 * 0.95, 1e-9);
    assert_int_equal(events_of(&r, "impact", "k"), 0);
    assert_balanced(&r);
    stop(&r);
  }
}

/** 4 + 3 sin(w t) [N], which rises by up to 120 N/s where the spring can only by 100. */
static const double wave = 40;
static double strength(double t) {
  return 4 + 3 * sin(wave * t);
}

/** Where the spring, which sticks at `from` with e, comes to its strength again. */
static double meets_again(double from, double e) {
  double low = from + 1e-3, high = from + pi / wave;
  for (int i = 0; i < 200; i++) {
    double t = 0.5 * (low + high);
    *(e + 100 * (t - from) > strength(t) ? &high : &low) = t;
  }
  return low;
}

#define WAVE "4[N] + 3[N]*sin(40[rad/s]*t)"
static const char *const waves[] = {
    "<Friction id='d' coulomb='" WAVE "'/>",
    "<signal id='level' value='" WAVE "'/><Friction id='d' coulomb='level'/>",
    "<signal id='level' value='" WAVE "'/><R id='d' law='level*sign(f)'/>"};

/** Moved at 1 m/s, the slider sticks where its strength rises by more than 100 N/s, in each period, and else is at it. What it
 *  dissipates from a to b is F f with f = 1 - F'/k: the integral of F, less (F(b)^2 - F(a)^2)/(2 k). */
static void rises_faster_than_the_spring(void **state) {
  (void)state;
  const double begin = -acos(100. / 120) / wave, period = 2 * pi / wave;
  for (int form = 0; form < 3; form++) {
    run r = go_with("<network domain='translation'><Sf id='V' flow='1 m/s'/><J0 id='n'/>%s"
                    "<C id='k' c='0.01 m/N'/><bond from='V' to='n'/><bond from='n' to='d'/>"
                    "<bond from='n' to='k'/></network>",
                    waves[form], 0);
    double dissipated = 0, from = meets_again(0, 0);
    for (int n = 1; n <= 4; n++) {
      double to = begin + n * period, e = strength(to), again = meets_again(to, e);
      dissipated += 4 * (to - from) - 3 / wave * (cos(wave * to) - cos(wave * from)) -
                    (e * e - strength(from) * strength(from)) / 200;
      advance(&r, 0.5 * (from + to));
      assert_near(value(&r, "k.e"), strength(0.5 * (from + to)), 1e-9);
      advance(&r, 0.5 * (to + again));
      assert_near(value(&r, "k.e"), e + 50 * (again - to), 1e-7);
      assert_near(event_time(&r, "stick", n), to,
                  1e-6); // the flow passes zero with the slope k^-1 F''
      assert_near_relative(ledger_of(&r)->total.dissipated, dissipated, 1e-7);
      from = again;
    }
    assert_near(ledger_of(&r)->total.event_loss, 0, 1e-9);
    assert_balanced(&r);
    stop(&r);
  }
}

/** The normal force is that of a mass on a spring, k x = m g + (k x0 - m g) cos(w t) + p0 w sin(w t); the slider beside is
 *  held at 0.3 of it, also by methods that keep the energy to rounding. */
static void normal_force_of_a_spring(void **state) {
  (void)state;
  static const char text[] =
      "<screwbond version='1' id='m'><network domain='translation'><Sf id='V' flow='0.5 m/s'/><J0 "
      "id='n'/><C id='k' c='0.01 m/N'/><Friction id='d' coulomb='0.3*N1'/><signal id='N1' "
      "of='kn.e'/><J1 id='b'/><I id='M' mass='1 kg' p0='0.1 N.s'/><C id='kn' c='0.01 m/N' "
      "q0='0.1 m'/><Se id='G' effort='9.81 N'/><bond from='G' to='b'/><bond from='b' to='M'/><bond "
      "from='b' to='kn'/><bond from='V' to='n'/><bond from='n' to='k'/><bond from='n' to='d'/>"
      "</network><run t-end='2 s' %s/></screwbond>";
  static const struct {
    const char *run;
    double balance, tolerance;
  } rows[] = {{"rtol='1e-10'", 1e-9, 1e-8},
              {"method='kvaerno-5' rtol='1e-9'", 1e-8, 1e-7},
              {"method='discrete-gradient' step='0.1 ms'", 1e-13, 1e-4},
              {"method='mean-value-gradient' step='0.1 ms'", 1e-13, 1e-4}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char all[2000];
    (void)snprintf(all, sizeof all, text, rows[i].run);
    run r = start_netlist(all);
    for (double t = 0.2; t < (THOROUGH ? 2 : 0.6); t += 0.3) {
      double normal = 9.81 + 0.19 * cos(10 * t) + sin(10 * t);
      advance(&r, t);
      assert_near(value(&r, "k.e"), 0.3 * normal, rows[i].tolerance);
    }
    sb_simulation_audit(r.sim);
    assert_true(ledger_of(&r)->residual_relative < rows[i].balance);
    assert_true(ledger_of(&r)->structure.residual_relative < 1e-12);
    assert_int_equal(ledger_of(&r)->passivity.violations, 0);
    stop(&r);
  }
}

/** The dual: an inertia whose flow a valve, sign(e) times a signal, holds. p = l f, with f = 2 + sin t. */
static void flow_follows_a_signal(void **state) {
  (void)state;
  run r = go("<network domain='hydraulic'><Se id='P' effort='100 Pa'/><J1 id='n'/>"
             "<signal id='most' value='(2 + sin(t*1[rad/s]))*1[m^3/s]'/>"
             "<R id='d' law='most*sign(e)'/><I id='l' l='3 Pa.s^2/m^3'/><bond from='P' to='n'/>"
             "<bond from='n' to='d'/><bond from='n' to='l'/></network>",
             5);
  assert_near(value(&r, "l.f"), 2 + sin(5), 1e-9);
  assert_near(value(&r, "d.e"), 100 - 3 * cos(5), 1e-8);
  assert_balanced(&r);
  stop(&r);
}

/** A signal that reads a force which follows from nothing that has a rate: the run ends where the slider would slip. */
static void rate_unknown(void **state) {
  (void)state;
  double t;
  sb_error err;
  sb_status status = try_run(
      "<screwbond version='1' id='m'><network domain='translation'><Sf id='V' flow='1 m/s'/>"
      "<J0 id='n'/><C id='k' c='1 m/N'/><Friction id='d' coulomb='0.1*p' static='5 N'/>"
      "<signal id='p' of='r.e'/><Sf id='W' flow='2 m/s'/><J1 id='j'/>"
      "<R id='r' law='2[N.s/m]*f + 1[N.s^3/m^3]*f^3'/><C id='c' c='1 m/N'/>"
      "<bond from='W' to='j'/><bond from='j' to='r'/><bond from='j' to='c'/>"
      "<bond from='V' to='n'/><bond from='n' to='k'/><bond from='n' to='d'/></network>"
      "<run t-end='9 s'/></screwbond>",
      9, &t, &err);
  assert_int_equal(status, SB_ERR_SOLVER);
  assert_near(t, 5, 1e-9);
  assert_non_null(strstr(err.text, "'d' cannot switch at t = "));
  assert_non_null(strstr(err.text, "'k' and 'd' both determine the same variable at 'n': a storage "
                                   "there depends on the others"));
  assert_string_equal(
      err.hint,
      "a constraint is enforced by the rates of what it relates, and that of what 'p' gives is not "
      "known: let it follow from states and the time (of a mechanism that of a joint's q is), or "
      "put an R between them");
}

/** A brake that is not applied yet, on a load behind a shaft: driven by 1 N m from rest, load and drive turn with t/2 on the average, and
 *  against each other with sqrt(2 k/J). Where it is released again it leaves the load to a drive that comes later. */
static void released_brake(void **state) {
  (void)state;
  static const char *const forms[] = {
      "<Friction id='d' coulomb='B'/>", "<Friction id='d' coulomb='B' static='1.2*B'/>",
      "<R id='d' law='B*sign(f)'/>", "<Friction id='d' coulomb='B' stribeck='0.1' static='2*B'/>"};
  static const double rtol[] = {1e-6, 1e-10}, w = 40; // sqrt(2 k/J)
  for (int i = 0; i < 16; i++) {
    const bool pressed = i >= 8;
    char text[1000];
    (void)snprintf(
        text, sizeof text,
        "<network domain='rotation'><Se id='T' effort='%s'/><signal id='B' value='%s'/><J1 "
        "id='a'/><I id='J1' l='1'/><J0 id='n'/><C id='k' c='%.17g'/><J1 id='b'/><I id='J2' "
        "l='1'/>%s<bond from='T' to='a'/><bond from='a' to='J1'/><bond from='a' to='n'/><bond "
        "from='n' to='k'/><bond from='n' to='b'/><bond from='b' to='J2'/><bond from='b' "
        "to='d'/></network>",
        pressed ? "if(t &lt; 0.5[s], 0[N.m], 1[N.m])" : "1[N.m]",
        pressed ? "max(0[N.m], 2[N.m]*(1 - t/0.3[s]))" : "if(t &gt; 0.8[s], 5[N.m], 0[N.m])",
        2 / (w * w), forms[i % 4]);
    run r = start(text, rtol[i / 4 % 2], 0);
    const double t = 0.77;
    advance(&r, pressed ? 0.5 + t : t);
    assert_near(value(&r, "J2.f"), 0.5 * (t - sin(w * t) / w), 100 * rtol[i / 4 % 2]);
    assert_int_equal(events_of(&r, "stick", "d"), pressed);
    assert_closes(&r);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(brakes_in_steps),
      cmocka_unit_test(released_brake),
      cmocka_unit_test(pressure_swings_through_zero),
      cmocka_unit_test(powers_of_two_change_no_step),
      cmocka_unit_test(level_jumps),
      cmocka_unit_test(rises_faster_than_the_spring),
      cmocka_unit_test(normal_force_of_a_spring),
      cmocka_unit_test(flow_follows_a_signal),
      cmocka_unit_test(rate_unknown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
