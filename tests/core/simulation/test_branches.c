// SPDX-License-Identifier: GPL-3.0-or-later
// Branches of expressions as events: jumps and kinks of signals, sources and laws are located, on both sides with
// one-sided values, and what would switch without end is refused by name.
#include "core/simulation/simulation_private.h"
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

/** A comparator of a sine: a square wave into R C, whose value at the end of half waves is a geometric sum. */
static void square_wave(void **state) {
  (void)state;
  static const char *const forms[] = {
      "5[V]*sign(sin(2*pi*50[Hz]*t + 0.1))", "if(sin(2*pi*50[Hz]*t + 0.1) &gt; 0, 5[V], -5[V])",
      "5[V]*(2*(sin(2*pi*50[Hz]*t + 0.1) &gt;= 0) - 1)",
      "if(floor(100[Hz]*t + 0.1/pi) == 2*floor(50[Hz]*t + 0.05/pi), 5[V], -5[V])"};
  for (int form = 0; form < 4; form++) {
    char text[900];
    (void)snprintf(text, sizeof text,
                   "<network domain='electric'><Se id='u' effort='%s'/><J1 id='j'/><R id='R1' r='7 "
                   "ohm'/><C id='C1' c='1 mF'/><bond from='u' to='j'/><bond from='j' to='R1'/>"
                   "<bond from='j' to='C1'/></network>",
                   forms[form]);
    run r = go(text, 0.1);
    double y = 0, at = 0;
    for (int n = 1; n <= 11; n++) {
      double next = n < 11 ? (n - 0.1 / pi) / 100 : 0.1, u = n % 2 == 1 ? 5 : -5;
      y = u + (y - u) * exp(-(next - at) / 7e-3);
      at = next;
    }
    assert_near_relative(value(&r, "C1.e"), y, 1e-9);
    stop(&r);
  }
}

/** A comparator of a fast sine that is a signal of its own: no half wave is stepped over, also where a slow filter hardly
 *  takes notice of one. */
static void square_wave_of_a_signal(void **state) {
  (void)state;
  run r = go("<network domain='electric'><signal id='s' value='sin(1000[1/s]*t)'/>"
             "<Se id='u' effort='1[V]*(1 + 0.1*sign(s))'/><J1 id='j'/><R id='R1' r='1 ohm'/>"
             "<C id='C1' c='1 F'/><bond from='u' to='j'/><bond from='j' to='R1'/>"
             "<bond from='j' to='C1'/></network>",
             1);
  double y = 0, at = 0;
  for (int n = 1; n <= 319; n++) {
    double next = fmin(n * pi / 1000, 1), u = n % 2 == 1 ? 1.1 : 0.9;
    y = u + (y - u) * exp(-(next - at));
    at = next;
  }
  assert_near_relative(value(&r, "C1.e"), y, 1e-9);
  stop(&r);
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
    assert_true(evaluations[k] <= evaluations[0] + 10);
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

/** How long x = a cos(t) is above 1/2 in 12 s, for a = 1 and -1, told by what rests at exactly zero while it is not: max(0, x - 1/2)
 *  becomes zero, stays there, and leaves it. */
static void arguments_rest_at_zero(void **state) {
  static const struct {
    const char *o, *rate;
  } forms[] = {{"max(0[m], x - 0.5[m])", "o &gt; 0[m]"},
               {"max(0[m], x - 0.5[m])", "o != 0[m]"},
               {"max(0[m], x - 0.5[m])", "1 - (o == 0[m])"},
               {"max(0[m], x - 0.5[m])", "1 - (o &lt;= 0[m])"},
               {"min(0[m], 0.5[m] - x)", "-sign(o)"},
               {"x - min(x, 0.5[m])", "o &gt; 0[m]"},
               {"max(0[m], x - 0.5[m])", "ceil(o/2[m])"},
               {"min(0[m], 0.5[m] - x)", "-floor(o/2[m])"},
               {"max(0[m], x - 0.5[m])", "mod(-o, 2[m]) &gt; 0[m]"}};
  static const char *const methods[] = {"auto", "kvaerno-5", "fehlberg-8"};
  const double above[] = {pi / 3 + 12 - (4 * pi - pi / 3) + 2 * pi / 3, 4 * pi / 3};
  (void)state;
  for (size_t i = 0; i < sizeof forms / sizeof *forms * 2; i++) {
    char text[700];
    (void)snprintf(text, sizeof text,
                   "<network domain='translation'><signal id='x' of='k.q'/>"
                   "<signal id='o' value='%s'/><signal id='T' rate='(%s)*1[1/s]'/><J1 id='j'/>"
                   "<I id='m' mass='1 kg'/><C id='k' c='1 m/N' q0='%d m'/>"
                   "<bond from='j' to='m'/><bond from='j' to='k'/></network>",
                   forms[i / 2].o, forms[i / 2].rate, i % 2 == 0 ? 1 : -1);
    run r = prepare_inside(text);
    const sb_options options = options_of(methods[i % 3], 1e-9);
    start_by(&r, &options);
    advance(&r, 12);
    assert_near(value(&r, "T"), above[i % 2], 1e-7);
    assert_int_equal(events_of(&r, "jump", "T"), 4);
    stop(&r);
  }
}

/** What is zero on the branches that hold, but for rounding of either sign: x = cos t and x = -cos t are above 0.3 for so long in 12 s. */
static void sums_rest_at_zero(void **state) {
  static const char *const forms[] = {"abs(x - 0.3[m]) + x - 0.3[m] &gt; 0[m]",
                                      "2*x - 2*0.3[m] + abs(2*(x - 0.3[m])) &gt; 0[m]",
                                      "abs(x - 0.3[m]) + x &gt; 0.3[m]",
                                      "sign(abs(x - 0.3[m]) + x - 0.3[m]) &gt; 0.5",
                                      "x - 0.3[m] &gt; if(x &gt; 0.3[m], 0[m], x - 0.3[m])",
                                      "max(x, 0.3[m]) - 0.3[m] &gt; 0[m]",
                                      "0.3[m]*2 - min(0.6[m] - x, 0.3[m]) &gt; 0.3[m]"};
  static const char *const methods[] = {"auto", "kvaerno-5", "fehlberg-8"};
  const double above[] = {4 * acos(0.3) + 12 - 4 * pi, 4 * acos(0.3)};
  (void)state;
  for (size_t i = 0; i < 2 * sizeof forms / sizeof *forms; i++) {
    char text[700];
    (void)snprintf(
        text, sizeof text,
        "<network domain='translation'><signal id='x' of='k.q'/>"
        "<signal id='T' rate='if(%s, 1[1/s], 0[1/s])'/><J1 id='j'/><I id='m' mass='1 kg'/>"
        "<C id='k' c='1 m/N' q0='%d m'/><bond from='j' to='m'/><bond from='j' to='k'/>"
        "</network>",
        forms[i / 2], i % 2 == 0 ? 1 : -1);
    run r = prepare_inside(text);
    const sb_options options = options_of(methods[i % 3], 1e-9);
    start_by(&r, &options);
    advance(&r, 12);
    assert_near(value(&r, "T"), above[i % 2], 1e-7);
    stop(&r);
  }
}

/** The same over the time: cos t is positive for 3 pi/2 s out of 9. Where it is not, both sides of the comparison are one, on their branches, which
 *  bounds no steps. */
static void times_rest_at_zero(void **state) {
  static const char *const forms[] = {"max(0, x) &gt; 0",
                                      "sign(max(0, x))",
                                      "ceil(max(0, x)/4)",
                                      "x - min(x, 0) != 0",
                                      "x + abs(x) &gt; 0",
                                      "x - if(x &lt; 0, x, 0) &gt; 0",
                                      "1 - (-max(-x, -2) == min(0, x))"};
  (void)state;
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    char text[500];
    (void)snprintf(text, sizeof text,
                   "<network domain='electric'><signal id='x' value='cos(t/1[s])'/>"
                   "<signal id='z' rate='(%s)*1[1/s]'/><Se id='S' effort='1 V'/>"
                   "<R id='R' r='1 ohm'/><bond from='S' to='R'/></network>",
                   forms[i]);
    run r = go(text, 9);
    assert_near(value(&r, "z"), 1.5 * pi, 1e-9);
    assert_true(ledger_of(&r)->work.steps < 200);
    stop(&r);
  }
}

/** A pad of 5 N s/m that damps a mass of 1 kg on a spring of 1 N/m only where it is penetrated: by matrix exponentials between its
 *  passages, whose times are roots. */
static void pads_let_go(void **state) {
  (void)state;
  run r = start("<network domain='translation'><signal id='x' of='k.q'/>"
                "<signal id='pen' value='max(0[m], x - 0.5[m])'/>"
                "<R id='pad' law='if(pen &gt; 0[m], 5[N.s/m]*f, 0[N])'/><J1 id='j'/>"
                "<I id='m' mass='1 kg'/><C id='k' c='1 m/N' q0='1 m'/><bond from='j' to='m'/>"
                "<bond from='j' to='k'/><bond from='j' to='pad'/></network>",
                1e-9, 1e-12);
  advance(&r, 12);
  assert_balanced(&r);
  assert_near(value(&r, "k.q"), -0.36710998, 1e-7);
  assert_near(value(&r, "m.f"), -0.34488551, 1e-7);
  stop(&r);
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

/** How often a branch was changed, at different times. */
typedef struct changes {
  int count;
  double last; // [s]
} changes;

static int note_changes(void *context, const sb_simulation *sim, double t) {
  changes *seen = context;
  const double since = sim->switches[sim->switch_count].since;
  seen->count += t > 0 && since > 0 && since != seen->last;
  seen->last = since;
  return 0;
}

/** floor(n exp(-((t - a)/w)^2)) is at least k for 2 w sqrt(log(n/k)). Steps end behind each jump that is foreseen, where rounding may put what
 *  decides exactly on the end of its branch, or before it: the next step began there, left the branch and came back, unseen. */
static void jumps_at_the_ends_of_steps_are_met(void **state) {
  (void)state;
  static const struct {
    double n, a, w, t_end; // [1], [s], [s], [s]
  } rows[] = {{5.0712373, 47.230613, 12.954216, 139.56659},
              {2.9, 0.767208161525e-6, 0.520338e-6, 5.826e-6},
              {3.75, 700.3, 12.6, 2000},
              {6.2, 0.031, 0.0042, 0.06}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    for (int k = 0; k < 10; k++) {
      const double n = rows[i].n * (1 + 0.01 * k), a = rows[i].a, w = rows[i].w * (1 + 0.003 * k);
      double impulse = 0; // [N s]
      char text[600];
      for (int level = 1; level < n; level++) {
        impulse += 2 * w * sqrt(log(n / level));
      }
      (void)snprintf(
          text, sizeof text,
          "<network domain='translation'><Se id='s' "
          "effort='1[N]*floor(%.17g*exp(-((t-%.17g[s])/%.17g[s])^2))'/><I id='m' mass='1 kg'/>"
          "<bond from='s' to='m'/></network>",
          n, a, w);
      run r = start(text, 1e-8, 0);
      advance(&r, rows[i].t_end);
      assert_near(value(&r, "m.p"), impulse, 1e-9 * rows[i].t_end);
      stop(&r);
    }
  }
}

/** What decides may be the rounding of sums and products: one crossing is one event all the same, and the steps do not
 *  follow the rounding. The force of each row acts on a mass with a damper; crossings within the run are counted by hand,
 *  y = cos(2 pi t/1 s) is a state. Only what jumps is an event that is listed. */
static void crossings_known_to_rounding_are_single(void **state) {
  (void)state;
  static const struct {
    const char *force;
    double t_end; // [s]
    int crossings, jumps;
    long steps;
  } rows[] = {
      {"9[N]*max(0, sin(2*pi*t/1[s]) - 0.999999)^2*1e12", 0.5, 2, 0, 180},
      {"5[N]*max(0, sin(2*pi*t/1[s]) - 0.9999)*1e4", 0.5, 2, 0, 140},
      {"2[N]*abs(sin(2*pi*t/1[s]) - 0.9999999)*1e6", 0.5, 2, 0, 90},
      {"3[N]*max(0, sin(2*pi*t/1[s])*cos(0.01*t/1[s]) - 0.999995)*1e6", 0.5, 2, 0, 150},
      {"4[N]*abs(1e9 + sin(2*pi*t/1[s]) - 1e9 - 0.5)", 0.5, 2, 0, 130},
      {"2[N]*if(sin(2*pi*t/1[s]) &gt; 0.9999999999, 1, 0)", 0.5, 2, 2, 110},
      {"2[N]*sign(1e10 + sin(2*pi*t/1[s]) - 10000000000.5)", 0.5, 2, 2, 95},
      {"9[N]*max(0, y - 0.999999[m])/1e-6[m]", 2.2, 5, 0, 380},
      {"4[N]*abs(1e9[m] + y - 1e9[m] - 0.5[m])/1[m]", 2.2, 5, 0, 310},
      {"2[N]*sign(1e10[m] + y - 10000000000.5[m])", 2.2, 5, 5, 260},
      {"3[N]*max(0, y*cos(0.001*t/1[s]) - 0.9999[m])/1[m]", 2.2, 5, 0, 380},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[1200];
    (void)snprintf(
        text, sizeof text,
        "<network domain='translation'><C id='k' compliance='0.025330295910584444 m/N' q0='1 m'/>"
        "<I id='w' mass='1 kg'/><J1 id='jw'/><bond from='jw' to='w'/><bond from='jw' to='k'/>"
        "<signal id='y' of='k.q'/><Se id='s' effort='%s'/><I id='m' mass='1 kg'/>"
        "<R id='r' r='1 N.s/m'/><J1 id='j'/><bond from='s' to='j'/><bond from='j' to='m'/>"
        "<bond from='j' to='r'/></network>",
        rows[i].force);
    run r = start(text, 1e-8, 0);
    changes seen = {0};
    sb_error err = {0};
    ok(sb_simulation_run(r.sim, rows[i].t_end, 0, note_changes, &seen, &err), &err);
    if (seen.count != rows[i].crossings || ledger_of(&r)->event_count != rows[i].jumps ||
        ledger_of(&r)->work.steps > rows[i].steps) {
      fail_msg("%s: %d changes, %d jumps, %ld steps", rows[i].force, seen.count,
               ledger_of(&r)->event_count, ledger_of(&r)->work.steps);
    }
    assert_true(ledger_of(&r)->residual_relative < 1e-6); // 100 rtol
    stop(&r);
  }
}

/** Every jump is listed, also those that bounds of an expression of the time have found before: of sign(sin(w t)) 19 in
 *  9.5 periods of two, with that at the start. */
static void jumps_in_time_are_listed(void **state) {
  (void)state;
  static const char *const rows[][2] = {
      {"<Se id='s' effort='1[N]*sign(sin(2*pi*t/0.1[s]))'/>", "s"},
      {"<signal id='w' value='sin(2*pi*t/0.1[s])'/><signal id='k' value='sign(w)'/>"
       "<Se id='s' effort='1[N]*k'/>",
       "k"},
      {"<signal id='w' value='2*pi*t/0.1[s]'/><Se id='s' effort='1[N]*sign(sin(w))'/>", "s"},
      {"<Se id='s' effort='1[N]*sign(sin(2*pi*t/0.1[s] + 0.01*t*t/1[s^2]))'/>", "s"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[600];
    (void)snprintf(text, sizeof text,
                   "<network domain='translation'>%s<I id='m' mass='1 kg'/><bond from='s' to='m'/>"
                   "</network>",
                   rows[i][0]);
    run r = prepare_inside(text);
    start_by(&r, &r.netlist->options);
    advance(&r, 0.951);
    assert_in_range(events_of(&r, "jump", rows[i][1]), 19, 20);
    stop(&r);
  }
}

/** The charge of 1 A while `on` holds, over some periods from a time t [s] on. */
static double charge_of(const char *saw, const char *on, double t, double length,
                        const char *method, long *steps) {
  char text[700];
  (void)snprintf(text, sizeof text,
                 "<network domain='electric'><signal id='saw' value='%s'/><signal id='on' "
                 "value='if(%s, 1, 0)'/><Sf id='s' flow='on*1[A]'/><C id='C' c='1 F'/>"
                 "<bond from='s' to='C'/></network>",
                 saw, on);
  run r = prepare_inside(text);
  sb_options options = sb_options_defaults();
  options.method = sb_method_find(method);
  options.t_start = t;
  options.step = options.method->adaptive ? 0 : 0.3e-3;
  start_by(&r, &options);
  advance(&r, t + length);
  assert_closes(&r);
  *steps = ledger_of(&r)->work.steps;
  const double charge = value(&r, "C.q");
  stop(&r);
  return charge;
}

/** A duty cycle by a saw tooth that is a signal of its own, also far from t = 0: every edge is where it is to rounding of the time,
 *  and so the charge of n periods is n D T to 2 n of these, and no step approaches an edge. Where on and off are compared the other way
 *  round, or at times that are exact numbers, it is the same. */
static void duty_cycles_are_exact_at_late_times(void **state) {
  (void)state;
  enum { PERIODS = 20 };
  static const char *const saws[] = {"t/1[ms] - floor(t/1[ms])", "mod(t, 1[ms])/1[ms]",
                                     "mod(1024[1/s]*t, 1)"};
  static const char *const methods[] = {"dormand-prince-5", "kvaerno-5", "fehlberg-8",
                                        "implicit-midpoint"};
  static const double starts[] = {0, 1e3, 2e4, 1e5, 1e6}, duties[] = {0, 0.25, 1. / 3, 0.5, 1};
  for (int i = 0; i < 60; i++) {
    const double t = starts[i % 5], D = duties[(i / 5) % 5], T = i % 3 == 2 ? 1. / 1024 : 1e-3;
    char on[80];
    long steps;
    (void)snprintf(on, sizeof on, i % 2 == 0 ? "saw &lt; %.17g" : "1 - saw &gt; 1 - %.17g", D);
    const double charge = charge_of(saws[i % 3], on, t, PERIODS * T, methods[i % 4], &steps);
    const double known = 2 * PERIODS * (nextafter(t + 1, HUGE_VAL) - (t + 1));
    assert_near(charge, PERIODS * D * T, known + 1e-14);
    assert_true(steps < 9 * PERIODS);
  }
}

/** The same of a duty that moves: D(t) = 1/2 + sin(2 pi t/20 ms)/4, where D(t) T is the time from the start of the period. */
static void moving_duty_cycles_are_exact_at_late_times(void **state) {
  (void)state;
  static const char *const methods[] = {"dormand-prince-5", "kvaerno-5", "fehlberg-8"};
  static const double starts[] = {0, 1e3, 2e4, 1e6};
  double on = 0; // periods
  for (int k = 0; k < 20; k++) {
    double D = 0.5;
    for (int i = 0; i < 60; i++) {
      D = 0.5 + 0.25 * sin(2 * pi * (k + D) / 20);
    }
    on += D;
  }
  for (int i = 0; i < 12; i++) {
    const double t = starts[i % 4], known = 40 * (nextafter(t + 1, HUGE_VAL) - (t + 1));
    long steps;
    assert_near(charge_of("t/1[ms] - floor(t/1[ms])", "saw &lt; 0.5 + 0.25*sin(2*pi*t/20[ms])", t,
                          0.02, methods[i % 3], &steps),
                on * 1e-3, known + 1e-14);
    assert_true(steps < 9 * 20);
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

/** The phases of a switched reluctance machine commutate at one instant, by two expressions: what jumps second is located at the start of the
 *  step behind the first, where the state is the one there. The speed by a method of order 8 from jump to jump, at a tolerance of 1e-13. */
static void phases_commutate_together(void **state) {
  (void)state;
  static const double tolerances[] = {1e-7, 1e-9, 1e-10};
  for (size_t i = 0; i < 2 * sizeof tolerances / sizeof *tolerances; i += THOROUGH ? 1 : 5) {
    run r = prepare_inside(
        "<network><signal id='th' of='a.q1'/><J1 id='o' domain='rotation'/><I id='J' l='0.008393'/>"
        "<R id='B' r='0.00688'/><Se id='sa' domain='electric' effort='if(sin(8*th)&lt;0,85.95[V],"
        "0[V])'/><J1 id='ja' domain='electric'/><R id='ra' r='0.7636'/><ICField id='a' x0='0.1 0' "
        "energy='p2^2/(2*(0.002915[H]+0.0015528204999999998[H]*cos(8*q1)))'/><Se id='sb' "
        "domain='electric' effort='if(sin(8*th+pi)&lt;0,85.95[V],0[V])'/><J1 id='jb' "
        "domain='electric'/><R id='rb' r='0.7636'/><ICField id='b' x0='0.1 0' "
        "energy='p2^2/(2*(0.002915[H]+0.0015528204999999998[H]*cos(8*q1+pi)))'/>"
        "<bond from='sa' to='ja'/><bond from='ja' to='ra'/><bond from='ja' to='a.2'/>"
        "<bond from='o' to='a.1'/><bond from='sb' to='jb'/><bond from='jb' to='rb'/>"
        "<bond from='jb' to='b.2'/><bond from='o' to='b.1'/><bond from='o' to='J'/>"
        "<bond from='o' to='B'/></network>");
    const double rtol = tolerances[i / 2];
    const sb_options options = options_of(i % 2 == 0 ? "kvaerno-5" : "fehlberg-8", rtol);
    start_by(&r, &options);
    advance(&r, 0.3);
    assert_near(value(&r, "J.f"), 74.8982864655, 75 * 10 * rtol);
    stop(&r);
  }
}

/** The speed at which a ball that rubs along a plane leaves it is the rounding of how fast it moves, with a side at every step of its own: y stays there, and
 *  no side is an event. */
static void rounding_has_no_side(void **state) {
  (void)state;
  run r = prepare(
      "<screwbond version='1' id='c'><run t-end='0.2 s'/><laws><contact-law id='L' normal='rigid' "
      "restitution='0' friction='coulomb' mu='0.5'/></laws><mechanism gravity='0 0 -9.81 m/s^2'>"
      "<body id='b' mass='1 kg' position='0 0 0.1 m'><shape kind='sphere' radius='0.1 m'/></body>"
      "<ground id='g'><shape kind='plane' normal='0 0 1'/></ground><contact id='c' a='g' b='b' "
      "law='L'/><Wrench id='W' on='b' force-x='3.76[N]*sin(299[1/s]*t)'/></mechanism><network>"
      "<signal id='v' of='b.velocity.z'/><signal id='y' rate='abs(v)'/></network></screwbond>");
  sb_options options = options_of("auto", 1e-6);
  options.max_steps = 1000;
  start_by(&r, &options);
  advance(&r, 0.2);
  assert_near(value(&r, "y"), 0, 1e-17);           // eps of 0.02 m/s, for 0.2 s
  assert_int_equal(ledger_of(&r)->event_count, 1); // the touch at the start
  stop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(square_wave),
      cmocka_unit_test(rounding_has_no_side),
      cmocka_unit_test(square_wave_of_a_signal),
      cmocka_unit_test(bang_bang),
      cmocka_unit_test(stiff_walls),
      cmocka_unit_test(stairs),
      cmocka_unit_test(kinks_cost_few_steps),
      cmocka_unit_test(jumps_of_curved_arguments_are_exact),
      cmocka_unit_test(choices_of_laws_are_events),
      cmocka_unit_test(chatter_is_refused),
      cmocka_unit_test(sources_jump),
      cmocka_unit_test(zero_is_passed),
      cmocka_unit_test(arguments_rest_at_zero),
      cmocka_unit_test(sums_rest_at_zero),
      cmocka_unit_test(times_rest_at_zero),
      cmocka_unit_test(pads_let_go),
      cmocka_unit_test(forced_storages_jump),
      cmocka_unit_test(short_visits_are_seen),
      cmocka_unit_test(branches_far_away_are_free),
      cmocka_unit_test(crossings_known_to_rounding_are_single),
      cmocka_unit_test(jumps_at_the_ends_of_steps_are_met),
      cmocka_unit_test(jumps_in_time_are_listed),
      cmocka_unit_test(phases_commutate_together),
      cmocka_unit_test(kinks_at_a_start_are_no_jumps),
      cmocka_unit_test(turns_bound_where_they_lead),
      cmocka_unit_test(duty_cycles_are_exact_at_late_times),
      cmocka_unit_test(moving_duty_cycles_are_exact_at_late_times),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
