// SPDX-License-Identifier: GPL-3.0-or-later
// Branches that times alone decide on, located to rounding: duty cycles, phases, jumps at the ends of steps.
#include "tests/fixture.h"

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

int main(void) {
  const struct CMUnitTest tests[] = {
      repeating_test(square_wave),
      repeating_test(square_wave_of_a_signal),
      repeating_test(jumps_at_the_ends_of_steps_are_met),
      cmocka_unit_test(jumps_in_time_are_listed),
      cmocka_unit_test(phases_commutate_together),
      repeating_test(duty_cycles_are_exact_at_late_times),
      repeating_test(moving_duty_cycles_are_exact_at_late_times),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
