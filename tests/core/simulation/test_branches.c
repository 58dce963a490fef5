// SPDX-License-Identifier: GPL-3.0-or-later
// Branches of expressions as events: jumps and kinks of signals, sources and laws are located, on both sides with
// one-sided values, and what would switch without end is refused by name.
#include "tests/fixture.h"

static double jump_time(const run *r, int n) {
  for (int i = 0; i < ledger_of(r)->event_count; i++) {
    if (strcmp(ledger_of(r)->events[i].kind, "jump") == 0 && n-- == 0) {
      return ledger_of(r)->events[i].t;
    }
  }
  fail_msg("no such jump");
  return NAN;
}

/** Bang-bang: J a'' = -M sign(a) swings with the period 4 sqrt(2 J a0/M), and keeps its amplitude. */
static void bang_bang(void **state) {
  (void)state;
  run r = start("<network domain='rotation'><signal id='a' rate='w' start='0.5'/>"
                "<signal id='w' of='J.f'/><J1 id='v'/><I id='J' inertia='2 kg.m^2'/>"
                "<Se id='M' effort='-3[N.m]*sign(a)'/><bond from='M' to='v'/>"
                "<bond from='v' to='J'/></network>",
                1e-10, 1e-12);
  double period = 4 * sqrt(2 * 2 * 0.5 / 3);
  advance(&r, 10 * period);
  assert_balanced(&r);
  for (int n = 0; n < 20; n++) {
    assert_near(jump_time(&r, n), (n + 0.5) * period / 2, 1e-8);
  }
  assert_near(value(&r, "a"), 0.5, 1e-8);
  assert_true(ledger_of(&r)->work.steps < 20 * 6);
  stop(&r);
}

/** A ball between two stiff walls: a method of high order in free flight must not pass one within a step. Flights take
 *  gap/v, contacts pi sqrt(m/k). */
static void stiff_walls(void **state) {
  (void)state;
  static const char *const forms[] = {
      "if(x &gt; 0.3[m], -1e6[N/m]*(x - 0.3[m]), if(x &lt; 0[m], -1e5[N/m]*x, 0[N]))",
      "-1e6[N/m]*max(x - 0.3[m], 0[m]) - 1e5[N/m]*min(x, 0[m])",
      "-1e6[N/m]*(abs(x - 0.3[m]) + x - 0.3[m])/2 + 1e5[N/m]*(abs(x) - x)/2"};
  static const char *const methods[] = {"dormand-prince-5", "fehlberg-8", "kvaerno-5"};
  const double period = 2 * 0.3 / 3 + pi * (sqrt(1e-6) + sqrt(1e-5));
  for (int form = 0; form < 3; form++) {
    for (int i = 0; i < 3; i++) {
      char text[900];
      (void)snprintf(text, sizeof text,
                     "<network domain='translation'><signal id='x' rate='v' start='0'/>"
                     "<signal id='v' of='m.f'/><J1 id='j'/><I id='m' mass='1 kg' p0='3 kg.m/s'/>"
                     "<Se id='wall' effort='%s'/><bond from='wall' to='j'/><bond from='j' to='m'/>"
                     "</network>",
                     forms[form]);
      run r = prepare_inside(text);
      sb_options options = options_of(methods[i], 1e-9);
      start_by(&r, &options);
      advance(&r, 5 * period + 0.05);
      assert_near(value(&r, "x"), 0.15, 1e-6);
      assert_near(value(&r, "m.f"), 3, 1e-6);
      assert_true(ledger_of(&r)->residual_relative < 1e-8);
      stop(&r);
    }
  }
}

/** x' = 1 + floor(x): each whole number takes 1/(1 + n). y' = 1 + mod(y, 1) takes log(2) for each, and z' = ceil(z)
 *  is as x from 0.5 on. */
static void stairs(void **state) {
  (void)state;
  run r = go("<network domain='electric'><signal id='x' rate='(1 + floor(x))*1[1/s]'/>"
             "<signal id='y' rate='(1 + mod(y, 1))*1[1/s]'/>"
             "<signal id='z' rate='ceil(z)*1[1/s]' start='0.5'/></network>",
             0);
  const double to_four = 1 + 1. / 2 + 1. / 3 + 1. / 4;
  advance(&r, to_four + 0.1);
  assert_near(value(&r, "x"), 4 + 0.1 * 5, 1e-9);
  double z = 1, t = 0.5;
  for (; t + 1 / (1 + z) < to_four + 0.1; z++) {
    t += 1 / (1 + z);
  }
  assert_near(value(&r, "z"), z + (to_four + 0.1 - t) * (1 + z), 1e-9);
  advance(&r, 4 * log(2) + 0.3);
  assert_balanced(&r);
  assert_near(value(&r, "y"), 4 + exp(0.3) - 1, 1e-8);
  stop(&r);
}

/** Kinks cost at most five steps each, and none where rounding alone crosses them. */
static void kinks_cost_few_steps(void **state) {
  (void)state;
  static const char format[] =
      "<network domain='rotation'><signal id='a' of='k.q'/><J1 id='v'/><I id='J' inertia='2 "
      "kg.m^2'/><C id='k' c='1 rad/(N.m)' q0='0.5 rad'/><R id='r' r='0.2 N.m.s/rad'/>"
      "<signal id='s' rate='%s'/><bond from='v' to='J'/><bond from='v' to='k'/>"
      "<bond from='v' to='r'/></network>";
  static const char *const rates[] = {"a*1[1/s]", "abs(a)*1[1/s]", "max(a, 0[rad])*1[1/s]",
                                      "if(a &gt; 0[rad], a, -2*a)*1[1/s]"};
  const double d = 0.05, w = sqrt(0.5 - d * d), p = atan(d / w), first = (pi / 2 + p) / w;
  long steps[4];
  for (int i = 0; i < 4; i++) {
    char text[900];
    (void)snprintf(text, sizeof text, format, rates[i]);
    run r = go(text, first + 8 * pi / w);
    steps[i] = ledger_of(&r)->work.steps;
    if (i == 1) { // the integral of |a|, a = A exp(-d t) cos(w t - p), half wave by half wave
      double half = exp(-d * pi / w), A = 0.5 / cos(p), D = d * d + w * w;
      double lobe = A * w / D * exp(-d * first) * (1 + half);
      double before = A / D * (w * exp(-d * first) + w * sin(p) + d * cos(p));
      assert_near(value(&r, "s"), before + lobe * (1 - pow(half, 8)) / (1 - half), 1e-8);
    }
    stop(&r);
  }
  for (int i = 1; i < 4; i++) {
    assert_true(steps[i] <= steps[0] + 5 * 9);
  }
}

/** u = 3 V cos(w t) of a circuit of L and C is above 2.997 V for 1.4 % of each period, within steps that are three
 *  times as long. */
static void short_visits_are_seen(void **state) {
  (void)state;
  const double w = 1 / sqrt(10e-3 * 4e-6), turn = acos(2.997 / 3), rtol = 1e-7;
  run r = start("<network domain='electric'><C id='C1' c='4 uF' q0='12 uC'/><I id='L1' l='10 mH'/>"
                "<J1 id='j'/><bond from='C1' to='j'/><bond from='j' to='L1'/>"
                "<signal id='u' of='C1.e'/>"
                "<Se id='s' effort='if(u &gt; 2.997[V], 1[V], 0[V])'/><R id='R1' r='5 ohm'/>"
                "<bond from='s' to='R1'/></network>",
                rtol, 0);
  advance(&r, 10.5 * 2 * pi / w);
  for (int n = 0; n < 21; n++) {
    double phase = 2 * pi * ((n + 1) / 2) + (n % 2 == 0 ? turn : -turn);
    assert_near(jump_time(&r, n), phase / w, 1e3 * rtol / w); // sin is 1/22 there
  }
  stop(&r);
}

/** What decides stays away from its kink: nothing is evaluated for it. */
static void branches_far_away_are_free(void **state) {
  (void)state;
  static const char *const laws[] = {"4[ohm]*f", "4[ohm]*min(f, 50[A])",
                                     "4[ohm]*f*if(f &gt; -30[A], 1, 2)"};
  long evaluations[3], steps[3];
  for (int k = 0; k < 3; k++) {
    char text[700];
    (void)snprintf(text, sizeof text,
                   "<network domain='electric'><Se id='u' effort='3[V]*sin(2*pi*70[Hz]*t)'/>"
                   "<R id='R1' law='%s'/><I id='L1' l='3 mH'/><C id='C1' c='2 mF'/><J1 id='j'/>"
                   "<bond from='u' to='j'/><bond from='j' to='R1'/><bond from='j' to='L1'/>"
                   "<bond from='j' to='C1'/></network>",
                   laws[k]);
    run r = go(text, 0.2);
    steps[k] = ledger_of(&r)->work.steps;
    evaluations[k] = ledger_of(&r)->work.rhs;
    stop(&r);
  }
  for (int k = 1; k < 3; k++) {
    assert_int_equal(steps[k], steps[0]);
    assert_true(evaluations[k] <= evaluations[0] + 20);
  }
}

/** Of z^2 < 1, z = (t - a)/w, a straight line from afar is steeper than z^2 where it is 1, as any difference over more than w is: the
 *  jumps are at a - w and a + w, to the rounding of the time. */
static void jumps_of_curved_arguments_are_exact(void **state) {
  (void)state;
  static const double widths[] = {1e-5, 1e-7, 1e-8, 1e-9};
  for (int i = 0; i < 4; i++) {
    const double w = widths[i];
    char text[400];
    (void)snprintf(
        text, sizeof text,
        "<network domain='translation'><Se id='s' effort='1[N]*(((t - 0.5123[s])/%g[s])^2 "
        "&lt; 1)'/><I id='m' mass='1 kg'/><bond from='s' to='m'/></network>",
        w);
    run r = go(text, 1);
    assert_int_equal(events_of(&r, "jump", "s"), 2);
    assert_near(jump_time(&r, 0), 0.5123 - w, 3e-16);
    assert_near(jump_time(&r, 1), 0.5123 + w, 3e-16);
    assert_near(value(&r, "m.p"), 2 * w, 6e-16);
    stop(&r);
  }
}

/** A law with an `if` of its own variable is on the side of its event: v' = -2 v/s from 2 m/s to 1/2 m/s, until t = log(2) s, and
 *  -0.3 v/s from then on. A capacitor the same, by the flow over the effort. */
static void choices_of_laws_are_events(void **state) {
  (void)state;
  static const char *const forms[] = {
      "<J1 id='j'/><I id='s' l='1 H' p0='2 Wb'/>"
      "<R id='r' law='if(f &gt; 0.5[A], 2[ohm]*f, 0.3[ohm]*f)'/>",
      "<J1 id='j'/><I id='s' l='1 H' p0='2 Wb'/>"
      "<R id='r' law='0.3[ohm]*f + if(f &lt; 0.5[A], 0[V], 1.7[ohm]*f)'/>",
      "<J0 id='j'/><C id='s' c='1 F' q0='2 C'/>"
      "<R id='r' law='if(e &gt; 0.5[V], 2[S]*e, 0.3[S]*e)'/>"};
  for (int i = 0; i < 3; i++) {
    char text[500];
    (void)snprintf(text, sizeof text,
                   "<network domain='electric'>%s<bond from='j' to='s'/><bond from='j' to='r'/>"
                   "</network>",
                   forms[i]);
    run r = go(text, 2);
    assert_int_equal(events_of(&r, "slip", "r"), 1); // it does not stick at its jump
    assert_near(event_time(&r, "slip", 0), log(2), 1e-8);
    assert_near_relative(value(&r, i < 2 ? "s.f" : "s.e"), 0.5 * exp(-0.3 * (2 - log(2))), 1e-8);
    stop(&r);
  }
}

static void refuse_run(const char *text, const char *message) {
  char all[2000];
  sb_error err;
  double t;
  (void)snprintf(all, sizeof all,
                 "<screwbond version='1' id='m'>%s<run t-end='1 h' sample='60 s'/></screwbond>",
                 text);
  assert_int_equal(try_run(all, 3600, &t, &err), SB_ERR_CHATTER);
  assert_contains(err.text, message);
  assert_contains(err.hint, "what its expression switches drives it back at once");
}

/** What holds its own argument at a jump switches without end: the run ends, and names it. */
static void chatter_is_refused(void **state) {
  (void)state;
  refuse_run("<network domain='thermal'><signal id='T' of='room.e'/><J0 id='n'/><C id='room' "
             "energy='1e4[J/K]*290[K]*(exp(q/1e4[J/K])-1)'/><HeatR id='wall' g='50 W/K'/>"
             "<Se id='out' effort='275 K'/><J0 id='o'/><bond from='out' to='o'/>"
             "<bond from='n' to='room'/><bond from='n' to='wall'/><bond from='wall' to='o'/>"
             "<Sf id='heater' flow='on*2000[W]/T'/><bond from='heater' to='n'/>"
             "<signal id='on' value='if(T&lt;293[K],1,0)'/></network>",
             "'on' switches without end at t = 25.56667");
  // the one side is a million times as fast as the other: it does not hide behind the time it takes
  refuse_run("<network domain='electric'><signal id='y' of='C1.e'/><J0 id='n'/><C id='C1' c='1 F'/>"
             "<Sf id='u' flow='if(y &lt; 2[V], 1000[A], -1e-3[A])'/><bond from='u' to='n'/>"
             "<R id='r' r='1e6 ohm'/><bond from='n' to='C1'/><bond from='n' to='r'/></network>",
             "'u' switches without end at t = 0.002");
  refuse_run("<network domain='rotation'><signal id='a' rate='w' start='0.5'/>"
             "<signal id='w' of='J.f'/><J1 id='v'/><I id='J' inertia='2 kg.m^2'/>"
             "<Se id='M' effort='-3[N.m]*sign(a + 0.5[s]*w)'/><bond from='M' to='v'/>"
             "<bond from='v' to='J'/></network>",
             "'M' switches without end at t = 0.457427");
}

/** A jump of a source in time, seen by a branch: it is taken at once. */
static void sources_jump(void **state) {
  (void)state;
  run r = go("<network domain='electric'><signal id='u' value='if(t &lt; 1[s], -1[V], 2[V])'/>"
             "<signal id='s' rate='if(u &gt; 0[V], 3, 0.5)*1[1/s]'/><Se id='e' effort='abs(u)'/>"
             "<J1 id='j'/><R id='r' r='2 ohm'/><I id='l' l='1 H'/><bond from='e' to='j'/>"
             "<bond from='j' to='r'/><bond from='j' to='l'/></network>",
             3);
  assert_near(value(&r, "s"), 0.5 + 6, 1e-12);
  assert_near_relative(value(&r, "l.f"), 1 + (0.5 * (1 - exp(-2)) - 1) * exp(-4), 1e-9);
  stop(&r);
}

/** A root that is met to the last bit: the argument is zero there, and yet a sign changes once, from one side to the
 *  other. a = v t - 1. */
static void zero_is_passed(void **state) {
  static const char *const laws[] = {"3[N.m]*sign(a)", "-3[N.m]*sign(-a)",
                                     "if(a &lt; 0[rad], -3[N.m], 3[N.m])"};
  static const double speeds[] = {1, 2, 0.25, 0.8};
  (void)state;
  for (size_t i = 0; i < sizeof speeds / sizeof *speeds * 3; i++) {
    char text[500];
    double v = speeds[i / 3];
    (void)snprintf(text, sizeof text,
                   "<network domain='rotation'><signal id='a' rate='%g[rad/s]' start='-1[rad]'/>"
                   "<I id='J' inertia='2 kg.m^2'/><Se id='M' effort='%s'/>"
                   "<bond from='M' to='J'/></network>",
                   v, laws[i % 3]);
    run r = start(text, 1e-9, 1e-12);
    advance(&r, 2 / v);
    assert_int_equal(ledger_of(&r)->event_count, 1);
    assert_near(jump_time(&r, 0), 1 / v, 1e-11);
    assert_near(value(&r, "J.p"), 0, 1e-10);
    stop(&r);
  }
}

/** A flow source that follows a signal jumps at the event of that signal, while something holds a mass to it: the
 *  mass follows by an impulse, or dry friction, which bears none, slips. */
static void forced_storages_jump(void **state) {
  (void)state;
  // The belt takes the mass along after 0.4/1.5 s, and again 0.7/1.5 s behind its jump.
  static const char *const belts[] = {"<Friction id='mu' coulomb='3 N'/>",
                                      "<R id='mu' law='3[N]*sign(f)'/>"};
  for (int i = 0; i < 2; i++) {
    char text[600];
    (void)snprintf(text, sizeof text,
                   "<network domain='translation'><signal id='x' rate='1'/>"
                   "<Sf id='S' flow='if(x &lt; 0.37[s], 0.4[m/s], -0.3[m/s])'/><J0 id='b'/>%s"
                   "<I id='m' mass='2 kg'/><bond from='S' to='b'/><bond from='b' to='mu'/>"
                   "<bond from='b' to='m'/></network>",
                   belts[i]);
    run r = go(text, 2);
    assert_near(value(&r, "m.f"), -0.3, 1e-10);
    assert_near(ledger_of(&r)->total.dissipated, 3 * (0.4 * 0.4 + 0.7 * 0.7) / (2 * 1.5), 1e-9);
    assert_near(ledger_of(&r)->total.event_loss, 0, 1e-9);
    stop(&r);
  }
  const struct {
    const char *signals, *flow;
    double end;
  } rows[] = {
      {"<signal id='x' rate='1'/>", "if(x &lt; 0.37[s], 0.4[m/s], -0.3[m/s])", -0.3},
      {"<SampleHold id='v' of='0.4[m/s]*cos(9*t/1[s])' period='0.13 s'/>", "v",
       0.4 * cos(9 * 15 * 0.13)},
      {"<Hysteresis id='v' of='cos(3*t/1[s])' rising='0.3' falling='-0.2' below='-0.5[m/s]' "
       "above='0.4[m/s]'/>",
       "v", 0.4},
      {"<signal id='x' rate='1'/><signal id='w' value='sign(sin(2.9*x/1[s]))'/>", "0.6[m/s]*w",
       -0.6},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[600];
    (void)snprintf(text, sizeof text,
                   "<network domain='translation'>%s<Sf id='S' flow='%s'/><J1 id='k'/>"
                   "<I id='m' mass='2 kg'/><R id='r' r='1 N.s/m'/><bond from='S' to='k'/>"
                   "<bond from='k' to='m'/><bond from='k' to='r'/></network>",
                   rows[i].signals, rows[i].flow);
    run r = go(text, 2);
    assert_near(value(&r, "m.f"), rows[i].end, 1e-10);
    assert_near(component(&r, "m.p", 0), 2 * rows[i].end, 1e-10);
    stop(&r);
  }
}

/** A kink at the start, or at that of the first step behind an event, is none of a jump: what its argument is beyond it,
 *  is rounding. A jump there is one. */
static void kinks_at_a_start_are_no_jumps(void **state) {
  (void)state;
  static const struct {
    const char *force;
    double start;
    int jumps;
  } rows[] = {{"max(0, sin(7[1/s]*t))", 0, 0},
              {"max(0, sin(7[1/s]*(t - 1000[s])))", 1000, 0},
              {"min(0, 3e-9*sin(7e3[1/s]*t))", 0, 0},
              {"min(0, sin(7[1/s]*t))", 0, 0},
              {"abs(sin(7[1/s]*t))", 0, 0},
              {"if(sin(7[1/s]*t) > 0, 1, 0)", 0, 3}}; // at 0, pi/7 and 2 pi/7
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[600];
    (void)snprintf(text, sizeof text,
                   "<network domain='translation'><Se id='s' effort='1[N]*%s'/>"
                   "<I id='m' mass='1 kg'/><bond from='s' to='m'/></network>",
                   rows[i].force);
    run r = prepare_inside(text);
    r.netlist->options.t_start = rows[i].start;
    start_by(&r, &r.netlist->options);
    advance(&r, rows[i].start + 1);
    assert_int_equal(events_of(&r, "jump", "s"), rows[i].jumps);
    stop(&r);
  }
}

/** A fast sine that nothing with a sign depends on bounds no step; through bonds and signals it does. */
static void turns_bound_where_they_lead(void **state) {
  (void)state;
  static const char *const driven[] = {"1[N]*sign(v - 0.5[m/s])", "1[N]*sign(v - 0.5[m/s] + u)"};
  for (int i = 0; i < 2; i++) {
    char text[700];
    (void)snprintf(
        text, sizeof text,
        "<network domain='translation'><signal id='u' value='1e-9[m/s]*sin(2*pi*t/1[ms])'/>"
        "<signal id='v' of='m.f'/><Se id='s' effort='0.01*%s'/><J1 id='j'/>"
        "<I id='m' mass='1 kg' p0='1 N.s'/><R id='r' r='1 N.s/m'/><bond from='s' to='j'/>"
        "<bond from='j' to='m'/><bond from='j' to='r'/></network>",
        driven[i]);
    run r = prepare_inside(text);
    start_by(&r, &r.netlist->options);
    advance(&r, 1);
    assert_true(i == 0 ? ledger_of(&r)->work.steps < 60 : ledger_of(&r)->work.steps >= 8000);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bang_bang),
      repeating_test(stiff_walls),
      cmocka_unit_test(stairs),
      cmocka_unit_test(kinks_cost_few_steps),
      cmocka_unit_test(jumps_of_curved_arguments_are_exact),
      cmocka_unit_test(choices_of_laws_are_events),
      cmocka_unit_test(chatter_is_refused),
      cmocka_unit_test(sources_jump),
      cmocka_unit_test(zero_is_passed),
      cmocka_unit_test(forced_storages_jump),
      cmocka_unit_test(short_visits_are_seen),
      repeating_test(branches_far_away_are_free),
      repeating_test(kinks_at_a_start_are_no_jumps),
      repeating_test(turns_bound_where_they_lead),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
