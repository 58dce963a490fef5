// SPDX-License-Identifier: GPL-3.0-or-later
// Delays against closed forms: of given functions, in differential equations by the method of steps, in echoes
// of jumps, in a power network.
#include "tests/fixture.h"

#include <math.h>

#include "core/analysis/linearize.h"

static const char *const methods[] = {"dormand-prince-5", "fehlberg-8", "kvaerno-5"};
enum { METHODS = sizeof methods / sizeof *methods };

static run go_by(const char *inside, const char *method, double rtol, double t) {
  run r = prepare_inside(inside);
  sb_options options = options_of(method, rtol);
  start_by(&r, &options);
  advance(&r, t);
  return r;
}

/** A mass hits the ends of its play four times a second; beside it is a step that comes late by five delays. These break by what
 *  their input depends on alone: here on none of the kinks, with `more` on the mass, whose momentum is smooth but for its second rate. */
static long steps_beside_play(const char *more) {
  char text[3000];
  int length =
      snprintf(text, sizeof text,
               "<network domain='translation'><J1 id='a'/><I id='m' mass='1 kg' p0='1 N.s'/>"
               "<C id='k' energy='50[N/m]*max(0[m],abs(q)-1[cm])^2'/><bond from='a' to='m'/>"
               "<bond from='a' to='k'/><signal id='u' value='if(t&gt;1[s],1,0)'/>%s",
               more);
  for (int i = 0; i < 5 && more[0] == '\0'; i++) {
    length += snprintf(text + length, sizeof text - (size_t)length,
                       "<Delay id='d%d' of='u' delay='%g s'/><Sf id='s%d' flow='d%d*1[m/s]'/><R "
                       "id='r%d' r='1'/><bond from='s%d' to='r%d'/>",
                       i, 0.1 + 0.037 * i, i, i, i, i, i);
  }
  assert_true(snprintf(text + length, sizeof text - (size_t)length, "</network>") > 0);
  run r = go_by(text, "dormand-prince-5", 1e-6, 4);
  const long steps = ledger_of(&r)->work.steps;
  stop(&r);
  return steps;
}

static void breaks_come_where_they_lead(void **state) {
  (void)state;
  const long alone = steps_beside_play("<Se id='s' effort='0[N]*u'/><bond from='s' to='a'/>"),
             beside = steps_beside_play(""),
             behind = steps_beside_play("<signal id='v' of='m.f'/><Delay id='d' of='v' delay='0.1 "
                                        "s'/><Sf id='s' flow='d'/><R id='r' r='1'/>"
                                        "<bond from='s' to='r'/>");
  assert_true(beside < alone + 60);
  assert_true(behind > alone + 16); // it ends steps at each of their echoes
}

/** The delay is ten periods long, and so are the first steps; the charge is the integral of the output. */
static void a_sine_is_delayed(void **state) {
  (void)state;
  for (int m = 0; m < METHODS; m++) {
    run r =
        go_by("<network domain='electric'><Delay id='d' of='2[A]*sin(2*pi*t/1[s])' delay='10 s'/>"
              "<Sf id='s' flow='d'/><C id='C' c='1 F'/><bond from='s' to='C'/></network>",
              methods[m], 1e-10, 9.5);
    assert_near(value(&r, "C.q"), 0, 0);
    for (double t = 10.03; t < 12; t += 0.31) {
      advance(&r, t);
      assert_near(value(&r, "d.value"), 2 * sin(2 * pi * t), 1e-10);
      assert_near(value(&r, "C.q"), (1 - cos(2 * pi * t)) / pi, 1e-9);
    }
    stop(&r);
  }
}

/** A jump of the input at 0.3 s is one of the output at 0.7 s, exactly, and so is that of another delay behind
 *  it at 1.8 s; before the start a value that is stated. */
static void a_step_is_delayed(void **state) {
  (void)state;
  for (int m = 0; m < METHODS; m++) {
    run r =
        go_by("<network domain='electric'><Delay id='d' of='if(t &lt; 0.3[s], 2[A], 5[A])' "
              "delay='0.4 s' before='-1 A'/><Delay id='dd' of='d' delay='1.1 s'/>"
              "<Sf id='s' flow='d + 10*dd'/><C id='C' c='1 F'/><bond from='s' to='C'/></network>",
              methods[m], 1e-8, 2);
    // d: -1 A, from 0.4 s on 2 A, from 0.7 s on 5 A; dd: -1 A, from 1.5 s on 2 A, from 1.8 s on 5 A
    double charge = -0.4 + 0.6 + 1.3 * 5 + 10 * (-1.5 + 0.6 + 1);
    assert_near(value(&r, "C.q"), charge, 1e-12);
    assert_true(ledger_of(&r)->work.steps < 120);
    stop(&r);
  }
}

/** x' = -x(t - 1), x = 1 before 0: x = sum_k (-1)^k (t - k + 1)^k/k! over k <= t + 1 (method of steps). */
static double steps_of(double t) {
  double x = 0, factorial = 1;
  for (int k = 0; k <= (int)floor(t) + 1; k++) {
    factorial *= k > 0 ? k : 1;
    x += (k % 2 == 0 ? 1 : -1) * pow(t - k + 1, k) / factorial;
  }
  return x;
}

static void the_method_of_steps_is_met(void **state) {
  (void)state;
  for (int m = 0; m < METHODS; m++) {
    for (double rtol = 1e-5; rtol > 1e-12; rtol *= 1e-3) {
      run r = go_by(
          "<network domain='electric'><signal id='q' of='C.q'/><Delay id='d' of='q' delay='1 s'/>"
          "<Sf id='s' flow='-d/1[s]'/><C id='C' c='1 F' q0='1 C'/><bond from='s' to='C'/>"
          "</network>",
          methods[m], rtol, 2.7);
      assert_near(value(&r, "C.q"), steps_of(2.7), 30 * rtol);
      advance(&r, 9.3);
      assert_near(value(&r, "C.q"), steps_of(9.3), 100 * rtol);
      assert_near(value(&r, "d.value"), steps_of(8.3), 100 * rtol);
      stop(&r);
    }
  }
}

/** x' = cos t - x(t - 1) x(t) + sin(t - 1) sin t, x = 0 before 0, has the solution sin t: with steps of equal
 *  length the error falls by 2^order where these are halved. */
static double error_of(const char *method, double step) {
  run r = prepare_inside("<network domain='electric'><signal id='c' of='C.q'/><signal id='q' "
                         "value='c/1[C]'/><Delay id='d' of='q' delay='1 s'/>"
                         "<Sf id='s' flow='1[A]*(cos(t/1[s]) - d*q + if(t &lt; 1[s], 0, sin(t/1[s] "
                         "- 1)*sin(t/1[s])))'/>"
                         "<C id='C' c='1 F'/><bond from='s' to='C'/></network>");
  sb_options options = options_of(method, 1e-12);
  options.step = step;
  start_by(&r, &options);
  advance(&r, 4);
  double error = fabs(value(&r, "C.q") - sin(4)) + fabs(value(&r, "d.value") - sin(3));
  stop(&r);
  return error;
}

static void the_order_of_the_method_is_kept(void **state) {
  (void)state;
  static const double longest[METHODS] = {0.25, 0.5, 0.25};
  for (int m = 0; m < METHODS; m++) {
    double order = sb_method_find(methods[m])->order;
    double coarse = error_of(methods[m], longest[m]), fine = error_of(methods[m], longest[m] / 2);
    if (!(log2(coarse / fine) > order - 0.6)) {
      print_error("%s: %g, %g\n", methods[m], coarse, fine);
    }
    assert_true(log2(coarse / fine) > order - 0.6);
  }
}

/** Also by fixed steps, of which the delay is four, or 5.48, and so on. */
static void the_order_of_fixed_steps_is_kept(void **state) {
  (void)state;
  static const char *const fixed[] = {"implicit-midpoint", "discrete-gradient"};
  for (int m = 0; m < 4; m++) {
    const double step = m / 2 == 0 ? 1. / 16 : 0.73 / 16;
    const double coarse = error_of(fixed[m % 2], step), fine = error_of(fixed[m % 2], step / 2);
    assert_true(coarse < 1e-3);
    assert_true(log2(coarse / fine) > 1.7);
  }
}

/** Steps from half the delay to all of it: what the output at their end is, is remembered anew by them. It is that of the input of
 *  exp(-t/RC), one delay before, to the order of the method, and the audit sees what the next step begins with. */
static void delays_of_one_or_two_fixed_steps_are_audited(void **state) {
  (void)state;
  static const double steps[] = {0.25e-3, 0.99e-3, 1e-3, 1.01e-3, 1.5e-3, 1.9e-3, 2e-3};
  static const char *const fixed[] = {"implicit-midpoint", "discrete-gradient",
                                      "mean-value-gradient"};
  for (int i = 0; i < 21; i++) {
    const double step = steps[i / 3];
    run r = prepare_inside("<network domain='electric'><signal id='u' of='C.e'/><Delay id='y' "
                           "of='u' delay='2 ms'/><J0 id='n'/><C id='C' c='1 mF' q0='1 mC'/>"
                           "<R id='R' r='10 ohm'/><bond from='n' to='C'/><bond from='n' to='R'/>"
                           "</network>");
    sb_options options = options_of(fixed[i % 3], 1e-6);
    options.step = step;
    start_by(&r, &options);
    for (double t = 2.3e-3; t < 0.03; t += 2.1e-3) {
      advance(&r, t);
      assert_near(value(&r, "y.value"), exp(-(t - 2e-3) / 10e-3), 2 * pow(step / 10e-3, 2));
      sb_simulation_audit(r.sim);
      assert_true(ledger_of(&r)->structure.residual_relative < 1e-12);
    }
    stop(&r);
  }
}

/** A source of 10 V behind 10 ohm, a line of 50 ohm and 1 us, and 100 ohm beside 5 pF, whose 0.17 ns are far below the steps. Echoes
 *  are (2/3)(1/3) of the one before, and it settles at 10 V 100/110, but for the swings from step to step that the method hardly
 *  damps: these must not grow. */
static void a_line_with_a_stiff_end_settles(void **state) {
  (void)state;
  static const char *const fixed[] = {"implicit-midpoint", "discrete-gradient"};
  static const double steps[] = {10e-9, 10.7e-9, 31e-9}, swing[] = {0.01, 0.02, 1};
  for (int m = THOROUGH ? 0 : PLAIN ? 1 : 5; m < 6; m += THOROUGH ? 1 : 4) {
    run r = prepare_inside(
        "<network domain='electric'><signal id='v1' of='in.e'/><signal id='i1' of='g1.f'/>"
        "<signal id='v2' of='out.e'/><signal id='i2' of='g2.f'/>"
        "<Delay id='a' of='v2 - 50[ohm]*i2' delay='1 us' before='0 V'/>"
        "<Delay id='b' of='v1 + 50[ohm]*i1' delay='1 us' before='0 V'/>"
        "<Se id='s' effort='if(t &lt; 0.2[us],0[V],10[V])'/><J1 id='j1'/><R id='rs' r='10 ohm'/>"
        "<J0 id='in'/><J1 id='g1'/><R id='z1' r='50 ohm'/><Se id='e1' effort='0[V]-a'/>"
        "<bond from='s' to='j1'/><bond from='j1' to='rs'/><bond from='j1' to='in'/>"
        "<bond from='in' to='g1'/><bond from='g1' to='z1'/><bond from='e1' to='g1'/>"
        "<J0 id='out'/><J1 id='g2'/><R id='z2' r='50 ohm'/><Se id='e2' effort='b'/>"
        "<R id='load' r='100 ohm'/><C id='c' c='5 pF'/><bond from='e2' to='g2'/>"
        "<bond from='g2' to='z2'/><bond from='g2' to='out'/><bond from='out' to='load'/>"
        "<bond from='out' to='c'/></network>");
    sb_options options = options_of(fixed[m % 2], 1e-8);
    options.step = steps[m / 2];
    start_by(&r, &options);
    advance(&r, 20e-6);
    assert_near(value(&r, "load.e"), 1000. / 110, swing[m / 2]);
    assert_true(ledger_of(&r)->residual_relative < 1e-12);
    stop(&r);
  }
}

/** A mass that a spring would pull, pushed by a signal of that 0.8 s late: x'' = -w^2 x(t - T), x = x0 before 0,
 *  x = x0 sum_k (-1)^k (w (t - (k - 1) T))^(2k)/(2k)! over k <= t/T + 1. It is given energy: the balance is met. */
static void a_late_force_makes_energy(void **state) {
  (void)state;
  const double lag = 0.8, w = sqrt(3.0 / 2), t = 5.9;
  double x = 0, factorial = 1, last = 1;
  for (int k = 0; k <= (int)floor(t / lag) + 1; k++) {
    factorial *= k > 0 ? (2 * k - 1) * (2 * k) : 1;
    x += (k % 2 == 0 ? 1 : -1) * pow(w * (t - (k - 1) * lag), 2 * k) / factorial;
  }
  for (double rtol = 1e-5; rtol > 1e-12; rtol *= 1e-2) {
    run r = go_by("<network domain='translation'><signal id='v' of='m.f'/>"
                  "<signal id='x' rate='v' start='0.2 m'/><Delay id='late' of='x' delay='0.8 s'/>"
                  "<Se id='push' effort='-3[N/m]*late'/><I id='m' mass='2 kg'/>"
                  "<bond from='push' to='m'/></network>",
                  "dormand-prince-5", rtol, t);
    assert_near(value(&r, "x.value") / (0.2 * x), 1, 100 * rtol);
    double balance = ledger_of(&r)->residual_relative;
    assert_true(balance <= 10 * rtol);
    assert_true(balance <= fmax(last, 1e-12));
    last = balance;
    stop(&r);
  }
}

/** y = u + y(t - 1 s)/2 leads through no state: the jump of u comes back for ever. */
static void jumps_have_echoes(void **state) {
  (void)state;
  run r = start("<network domain='electric'><signal id='u' value='if(t &lt; 0.25[s], 0, 1)'/>"
                "<signal id='y' value='u + 0.5*d'/><Delay id='d' of='y' delay='1 s' before='0'/>"
                "<Sf id='s' flow='1[A]*y'/><C id='C' c='1 F'/><bond from='s' to='C'/></network>",
                1e-8, 1e-10);
  double charge = 0;
  for (int n = 0; n < 20; n++) {
    charge += 2 * (1 - pow(0.5, n));
    advance(&r, n + 0.25);
    assert_near(value(&r, "C.q"), charge, 1e-12 * (n + 1));
    advance(&r, n + 0.5);
    assert_near(value(&r, "y.value"), 2 * (1 - pow(0.5, n + 1)), 1e-13);
  }
  stop(&r);
}

/** A pulse of 1 ms, 3 s late, where nothing else moves: steps there are as short as the pulse needs. */
static void a_pulse_is_not_missed(void **state) {
  (void)state;
  for (int m = 0; m < METHODS; m++) {
    run r = go_by("<network domain='electric'><Delay id='d' of='exp(-((t - 0.5[s])/1[ms])^2)' "
                  "delay='3 s'/><Sf id='s' flow='1[A]*d'/><C id='C' c='1 F'/>"
                  "<bond from='s' to='C'/></network>",
                  methods[m], 1e-7, 6);
    assert_near(value(&r, "C.q") / (1e-3 * sqrt(pi)), 1, 1e-5);
    stop(&r);
  }
}

/** Nor one of 5 % of what the output swings by: its impulse beside that of a ramp, 10 N (0.6)^2/2. */
static void a_small_pulse_is_not_missed(void **state) {
  (void)state;
  run r = start("<network domain='translation'>"
                "<signal id='u' value='10[N]*t/1[s] + 0.3[N]*exp(-((t-0.3[s])/1[ms])^2)'/>"
                "<Delay id='late' of='u' delay='0.4 s'/><Se id='s' effort='late'/>"
                "<I id='m' mass='1 kg'/><bond from='s' to='m'/></network>",
                1e-8, 0);
  advance(&r, 1);
  assert_near_relative(value(&r, "m.p"), 1.8 + 0.3e-3 * 1.7724538509055160, 1e-7);
  stop(&r);
}

/** Two relays that see each other late: each switches 0.5 s behind the other, for ever. */
static void events_are_delayed(void **state) {
  (void)state;
  run r = go("<network domain='electric'><signal id='q' of='C.q'/>"
             "<Hysteresis id='h' of='late' rising='1 C' falling='-1 C' above='-1 A' below='1 A'/>"
             "<Delay id='late' of='q' delay='0.5 s'/><Sf id='s' flow='h'/><C id='C' c='1 F'/>"
             "<bond from='s' to='C'/></network>",
             40);
  // up at 1 A to 1.5 C, down to -1.5 C and so on: turns at 1.5 s + 3 s n
  assert_int_equal(ledger_of(&r)->event_count, 13);
  for (int i = 0; i < 13; i++) {
    assert_near(ledger_of(&r)->events[i].t, 1.5 + 3 * i, 1e-9);
  }
  assert_true(ledger_of(&r)->work.steps < 13 * 25);
  stop(&r);
}

/** Samples change nothing, and show the delayed signal within steps. */
static int look(void *context, const sb_simulation *sim, double t) {
  const run *r = context;
  double x;
  sb_quantity quantity;
  sb_error err = {0};
  ok(sb_model_find(r->model, "d.value", &quantity, &err), &err);
  sb_simulation_read(sim, &quantity, &x);
  assert_near(x, t < 1 ? 1 : steps_of(t - 1), 1e-8);
  return 0;
}

static void samples_are_delayed(void **state) {
  (void)state;
  static const char *const text =
      "<network domain='electric'><signal id='q' of='C.q'/><Delay id='d' of='q' delay='1 s'/>"
      "<Sf id='s' flow='-d/1[s]'/><C id='C' c='1 F' q0='1 C'/><bond from='s' to='C'/></network>";
  for (int m = 0; m < METHODS; m++) {
    run r = prepare_inside(text), without = go_by(text, methods[m], 1e-9, 6);
    sb_options options = options_of(methods[m], 1e-9);
    sb_error err = {0};
    start_by(&r, &options);
    ok(sb_simulation_run(r.sim, 6, 0.01, look, &r, &err), &err);
    assert_near(value(&r, "C.q"), value(&without, "C.q"), 0);
    assert_int_equal(ledger_of(&r)->work.steps, ledger_of(&without)->work.steps);
    stop(&r);
    stop(&without);
  }
}

static void faults_are_named(void **state) {
  (void)state;
  run r = prepare_inside("<network domain='electric'><Delay id='d' of='1 - 0.5*d' delay='1 s'/>"
                         "<Sf id='s' flow='1[A]*d'/><C id='C' c='1 F'/><bond from='s' to='C'/>"
                         "</network>");
  sb_error err = {0};
  assert_int_equal(sb_simulation_create(r.model, &r.netlist->options, &r.sim, &err),
                   SB_ERR_MISSING);
  assert_string_equal(err.text, "'d' needs the attribute 'before'");
  stop(&r);
  r = prepare_inside("<network domain='electric'><signal id='q' of='C.e'/>"
                     "\n<Delay id='late' of='q' delay='1 s'/><Sf id='s' flow='-1[S]*late'/>"
                     "<C id='C' c='1 F'/><bond from='s' to='C'/></network>");
  start_by(&r, &r.netlist->options);
  static const char *const input = "s", *const output = "C.e";
  const sb_linear_request request = {
      .inputs = &input, .input_count = 1, .outputs = &output, .output_count = 1};
  sb_linear *linear = NULL;
  assert_int_equal(sb_linearize(r.sim, &request, &linear, &err), SB_ERR_USAGE);
  assert_string_equal(err.text, "the delay 'late' cannot be linearised");
  assert_int_equal(err.line, 2);
  assert_null(linear);
  stop(&r);
}

/** What feeds a line through a delay begins behind it from nothing, by every method; and is what a source that begins so
 *  late feeds: u = max(0, U sin(w (t - lag))), of which u_C of the line is the same at t. */
static void a_line_begins_behind_the_lag(void **state) {
  (void)state;
  static const char *const lines[] = {
      "<R id='R' r='1 ohm'/><I id='L' l='5 mH'/><C id='C' c='1 uF'/><J1 id='a'/>"
      "<bond from='V' to='a'/><bond from='a' to='R'/><bond from='a' to='L'/><bond from='a' "
      "to='C'/>",
      "<R id='R' r='3 ohm'/><I id='L' l='2 mH'/><C id='C' c='4 uF'/><J1 id='a'/><J0 id='b'/>"
      "<R id='S' r='50 ohm'/><bond from='V' to='a'/><bond from='a' to='R'/><bond from='a' to='L'/>"
      "<bond from='a' to='b'/><bond from='b' to='C'/><bond from='b' to='S'/>",
      "<R id='R' r='2 ohm'/><I id='L' l='1 mH'/><I id='M' l='3 mH'/><C id='C' c='2 uF'/><C id='D' "
      "c='1 uF'/>"
      "<J1 id='a'/><J0 id='b'/><J1 id='c'/><bond from='V' to='a'/><bond from='a' to='R'/>"
      "<bond from='a' to='L'/><bond from='a' to='b'/><bond from='b' to='D'/><bond from='b' to='c'/>"
      "<bond from='c' to='M'/><bond from='c' to='C'/>"};
  static const char *const by[] = {"bogacki-shampine-3", "zonneveld-4", "kvaerno-5", "auto",
                                   "fehlberg-8"};
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 5; k++) {
      char late[1500], direct[1500];
      (void)snprintf(late, sizeof late,
                     "<network domain='electric'><Se id='U' effort='5[V]*sin(314[1/s]*t)'/>"
                     "<R id='Q' r='2 ohm'/><bond from='U' to='Q'/><signal id='u' of='U.e'/>"
                     "<Delay id='late' of='u' delay='3 ms'/><Se id='V' effort='late'/>%s</network>",
                     lines[i]);
      (void)snprintf(direct, sizeof direct,
                     "<network domain='electric'>"
                     "<Se id='V' effort='5[V]*max(0, sin(314[1/s]*(t - 3[ms])))'/>%s</network>",
                     lines[i]);
      run a = go_by(late, by[k], 1e-7, 3.7e-3), b = go_by(direct, "fehlberg-8", 1e-11, 3.7e-3);
      assert_near(value(&a, "C.e"), value(&b, "C.e"), 5e-6);
      assert_true(fabs(value(&b, "C.e")) > 0.1);
      stop(&a);
      stop(&b);
    }
  }
}

/** y' = (d - 285 V - y)/40 s rests at zero, exactly, until the ramp x = 285 V + t 1 A/54 F comes after 30 s; from then on
 *  y = (T - 40 s (1 - exp(-T/40 s)))/54 F 1 A, T = t - 30 s. What it counts as is not known before. */
static void what_has_rested_is_moved(void **state) {
  (void)state;
  const double expected = (70 + 40 * expm1(-70. / 40)) / 54;
  for (int m = 0; m < METHODS; m++) {
    for (double rtol = 1e-4; rtol > 1e-9; rtol *= 1e-2) {
      run r = prepare_inside("<network domain='electric'><signal id='x' of='C.e'/>"
                             "<Delay id='d' of='x' delay='30 s'/>"
                             "<signal id='y' rate='(d - 285[V] - y)/40[s]' start='0 V'/>"
                             "<Sf id='s' flow='1 A'/><C id='C' c='54 F' q0='15390 C'/>"
                             "<bond from='s' to='C'/></network>");
      sb_options options = options_of(methods[m], rtol);
      options.atol = 0;
      start_by(&r, &options);
      advance(&r, 100);
      assert_near_relative(value(&r, "y"), expected, 10 * rtol);
      stop(&r);
    }
  }
}

/** The rounding of an input that does not move bounds no step but by the lag. */
static void a_constant_bounds_no_step(void **state) {
  (void)state;
  static const struct {
    const char *lag;
    double t;
  } rows[] = {{"1 us", 0.1e-3}, {"3 us", 0.2e-3}, {"17 us", 1e-3}};
  for (int i = 0; i < 3; i++) {
    char text[1000];
    (void)snprintf(text, sizeof text,
                   "<network domain='electric'><Se id='U' effort='5 V'/><R id='Q' r='2 ohm'/>"
                   "<bond from='U' to='Q'/><signal id='u' of='U.e'/>"
                   "<Delay id='late' of='u' delay='%s'/><Se id='V' effort='late'/><J1 id='a'/>"
                   "<R id='R' r='1 ohm'/><I id='L' l='5 mH'/><bond from='V' to='a'/>"
                   "<bond from='a' to='R'/><bond from='a' to='L'/></network>",
                   rows[i].lag);
    run r = go_by(text, "bogacki-shampine-3", 1e-8, rows[i].t);
    assert_near(value(&r, "L.f"), -5 * expm1(-rows[i].t / 5e-3), 1e-7);
    assert_true(ledger_of(&r)->work.steps < 5000);
    stop(&r);
  }
}

/** Beside constraints with multipliers the audit compares the rate of a delay with differences of its output: at a
 *  late time short differences are known to the rounding of that only. */
static const char pendulum[] =
    "<network domain='rotation'><J1 id='swing'/><signal id='w' of='swing.f'/>"
    "<signal id='th' rate='w' start='1.1 rad'/></network><network domain='translation'>"
    "<MTF id='Tx' ratio='0.7[m]*cos(th)'/><MTF id='Ty' ratio='0.7[m]*sin(th)'/><J1 id='x'/>"
    "<J1 id='y'/><I id='Ix' mass='1.3 kg'/><I id='Iy' mass='1.3 kg'/><Se id='G' effort='-9 N'/>"
    "<bond from='swing' to='Tx'/><bond from='Tx' to='x'/><bond from='x' to='Ix'/>"
    "<bond from='swing' to='Ty'/><bond from='Ty' to='y'/><bond from='y' to='Iy'/>"
    "<bond from='G' to='y'/></network>";
static const char held[] =
    "<network domain='hydraulic'><J1 id='j'/><I id='I' l='1 Pa.s^2/m^3' p0='1 Pa.s'/>"
    "<C id='C' c='1e-4 m^3/Pa'/><signal id='f' of='I.f'/><Delay id='late' of='f' delay='%s'/>"
    "<Se id='M' effort='-0.3[Pa]*(late/1[m^3/s])'/><bond from='M' to='j'/><bond from='j' to='I'/>"
    "<bond from='j' to='C'/></network><network domain='electric'><Se id='U' effort='1 V'/>"
    "<Switch id='S' times='13.5 13.50001 13.50003 13.50006 13.5001 13.50015'/><J1 id='s'/>"
    "<R id='R' r='1 ohm'/><bond from='U' to='s'/><bond from='s' to='S'/><bond from='s' to='R'/>"
    "</network>";

static void rates_at_late_times(void **state) {
  (void)state;
  static const char *const lags[] = {"0.02 s", "0.11 s", "0.9 s"};
  for (int k = 0; k < (THOROUGH ? 3 : 1); k++) {
    char text[2000], inside[1000];
    (void)snprintf(inside, sizeof inside, held, lags[k]);
    (void)snprintf(text, sizeof text, "%s%s", pendulum, inside);
    sb_error err = {0};
    run r = go_by(text, "dormand-prince-5", 1e-6, 0);
    ok(sb_simulation_run(r.sim, PLAIN ? 14 : 4, 0, NULL, NULL, &err), &err);
    assert_true(ledger_of(&r)->structure.residual_relative < 1e-12);
    stop(&r);
  }
}

/** 5 V (1 - exp(-(t - 9 s)/tau)), and its cube 0.7 s later. Where steps are so short beside the time that its rounding shows in
 *  the cube no halving helps: what is remembered costs a few evaluations a step all the same. */
static void a_late_transient_is_remembered_cheaply(void **state) {
  (void)state;
  static const double tau[] = {2e-3, 2e-5, 2e-8}; // [s]
  for (int i = 0; i < 3; i++) {
    char text[1000];
    (void)snprintf(text, sizeof text,
                   "<network domain='electric'><Se id='U' effort='if(t &lt; 9[s], 0[V], 5[V])'/>"
                   "<J1 id='a'/><R id='R' r='1 ohm'/><C id='C' c='%g F'/><bond from='U' to='a'/>"
                   "<bond from='a' to='R'/><bond from='a' to='C'/><signal id='u' of='C.e'/>"
                   "<Delay id='late' of='u^3/1[V^2]' delay='0.7 s'/></network>",
                   tau[i]);
    run r = go_by(text, "dormand-prince-5", 1e-8, 9);
    const long rhs = ledger_of(&r)->work.rhs, steps = ledger_of(&r)->work.steps;
    advance(&r, 9 + 5 * tau[i]);
    assert_true(ledger_of(&r)->work.rhs - rhs < 30 * (ledger_of(&r)->work.steps - steps));
    if (tau[i] > 1e-5) { // the others are stiff until then
      const double then = -5 * expm1(-3);
      advance(&r, 9.7 + 3 * tau[i]);
      assert_near(value(&r, "late.value"), then * then * then, 1e-6);
    }
    stop(&r);
  }
}

/** A fixed step that is longer than a delay is told, with the shortest of them, where the run lasts longer than that. */
static void steps_beyond_a_delay_are_told(void **state) {
  (void)state;
  static const struct {
    const char *run, *text;
  } rows[] = {{"method='implicit-midpoint' step='1.7 us'",
               "the step of the run, 1.7e-06 s, is longer than the delay of 'b', 4e-07 s: "},
              {"method='discrete-gradient' step='0.4000000001 us'", NULL},
              {"method='dormand-prince-5' step='0.5 us'", "'b', 4e-07 s"},
              {"method='implicit-midpoint' step='0.1 us'", NULL},
              {"method='kvaerno-5' max-step='1.7 us'", NULL},
              {"method='auto'", NULL}};
  for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
    const bool brief = i % 2 != 0;
    char text[900];
    sb_errors warnings = {0};
    (void)snprintf(
        text, sizeof text,
        "<screwbond version='1' id='m'><network domain='electric'>"
        "<signal id='u' of='C.e'/><Delay id='a' of='u' delay='1 us'/>\n<Delay id='b' of='a' "
        "delay='0.4 us'/>"
        "<Sf id='s' flow='b*0.01[1/ohm]'/><C id='C' c='1 nF' q0='1 nC'/><bond from='s' to='C'/>"
        "</network><run t-end='20 us' %s/></screwbond>",
        rows[i / 2].run);
    run r = start_netlist(text);
    assert_int_equal(sb_simulation_foresee(r.sim, brief ? 0.3e-6 : 20e-6, &warnings), SB_OK);
    assert_int_equal(warnings.count, !brief && rows[i / 2].text != NULL);
    if (warnings.count > 0) {
      assert_contains(warnings.items[0].text, rows[i / 2].text);
      assert_contains(warnings.items[0].hint, "a step that is a fraction of the delay");
      assert_int_equal(warnings.items[0].line, 2);
    }
    sb_errors_finish(&warnings);
    stop(&r);
  }
}

/** A drive that is at rest and slips, behind a gear with backlash: the delayed speed begins as a small rest of the terms of a long piece, and just
 *  behind a place where pieces are shorter than rounding. */
static void a_speed_that_slips_is_delayed(void **state) {
  (void)state;
  static const struct {
    double volts, frequency, strength, delay;
  } drives[] = {{2, 30, 0.015, 0.00324},
                {1.974071050837348, 45.15462926522092, 0.02553055539608203, 0.0009101228599464957},
                {3, 20, 0.02, 0.0055}};
  for (int k = 0; k < 3; k++) {
    char text[2000];
    (void)snprintf(
        text, sizeof text,
        "<network><Se id='v' domain='electric' effort='%.17g[V]*sin(%.17g[1/s]*t)'/><J1 "
        "id='coil'/><R "
        "id='Rm' r='0.5'/><I id='L' l='3.7e-3'/><GY id='emf' ratio='0.1'/><bond from='v' "
        "to='coil'/><bond from='coil' to='Rm'/><bond from='coil' to='L'/><bond from='coil' "
        "to='emf'/><I id='J' inertia='2e-4'/><J1 id='a' domain='rotation'/><Friction id='f' "
        "coulomb='%.17g'/><bond from='emf' to='a'/><bond from='a' to='J'/><bond from='a' "
        "to='f'/><I id='Ja' inertia='8e-4'/><TF id='g' ratio='0.166'/><bond from='a' "
        "to='g'/><J1 id='b' domain='rotation'/><bond from='g' to='b'/><bond from='b' to='Ja'/><J0 "
        "id='s'/><C id='c' energy='300[N.m]*max(0,abs(q)-0.03)^2/2'/><J1 id='d' "
        "domain='rotation'/><I id='JL' inertia='3e-3'/><bond from='b' to='s'/><bond from='s' "
        "to='c'/><bond from='s' to='d'/><bond from='d' to='JL'/><signal id='w' of='J.f'/><Delay "
        "id='wd' of='w' delay='%.17g'/></network>",
        drives[k].volts, drives[k].frequency, drives[k].strength, drives[k].delay);
    for (double rtol = 1e-6; rtol > 1e-9; rtol *= 1e-2) {
      run r = start(text, rtol, 0);
      sb_error err = {0};
      ok(sb_simulation_run(r.sim, 0.04, 0, NULL, NULL, &err), &err);
      assert_true(fabs(value(&r, "wd")) > 0.1);
      assert_true(ledger_of(&r)->structure.residual_relative < 1e-12);
      stop(&r);
    }
  }
}

/** What gives 10 V only once the start is under way: kinks, jumps, diodes and comparisons behind it are on the side of 10 V in the first
 *  row, where 5 V are left for the last resistor of 1 ohm. */
static void branches_begin_by_what_is_remembered(void **state) {
  (void)state;
  static const char *const givers[] = {
      "<Delay id='d' of='10[V]*cos(t/1[s])' delay='0.2 s' before='10 V'/>",
      "<Delay id='c' of='10[V]' delay='0.2 s' before='10 V'/><Delay id='d' of='c' delay='0.1 s'/>",
      "<SampleHold id='d' of='10[V]' period='0.2 s'/>",
      "<SampleHold id='d' of='10[V]' period='0.2 s' start='10 V' offset='0.1 s'/>",
      "<Hysteresis id='d' of='1-t/1[s]' rising='0.5' falling='0.2' above='10 V' below='0 V'/>"};
  static const char *const users[] = {
      "<Se id='s' effort='d'/><R id='r' r='1 ohm'/><R id='y' law='1[S]*max(0[V],e)'/>",
      "<Se id='s' effort='d'/><R id='r' law='1[V]*sign(f)+0.8[ohm]*f'/><R id='y' r='1 ohm'/>",
      "<Se id='s' effort='d'/><R id='r' r='1 ohm'/><R id='y' r='1 ohm'/><Diode id='x'/>"
      "<bond from='a' to='x'/>",
      "<signal id='u' value='if(d&gt;5[V],5[V],0[V])'/><Se id='s' effort='u'/><R id='r' r='0 ohm'/>"
      "<R id='y' r='1 ohm'/>",
      "<signal id='u' value='max(d-5[V],0[V])'/><Se id='s' effort='u'/><R id='r' r='0 ohm'/>"
      "<R id='y' r='1 ohm'/>"};
  enum { GIVERS = sizeof givers / sizeof *givers, USERS = sizeof users / sizeof *users };
  for (int i = 0; i < GIVERS * USERS; i++) {
    char text[1200];
    assert_true(snprintf(text, sizeof text,
                         "<screwbond version='1' id='m'><network domain='electric'>%s%s<J1 id='a'/>"
                         "<bond from='s' to='a'/><bond from='a' to='r'/><bond from='a' to='y'/>"
                         "</network><run t-end='0.1 s'/></screwbond>",
                         givers[i / USERS], users[i % USERS]) < (int)sizeof text);
    run r = start_netlist(text);
    assert_near(value(&r, "y.f"), 5, 1e-12);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_sine_is_delayed),
      cmocka_unit_test(a_step_is_delayed),
      repeating_test(the_method_of_steps_is_met),
      cmocka_unit_test(the_order_of_the_method_is_kept),
      cmocka_unit_test(the_order_of_fixed_steps_is_kept),
      cmocka_unit_test(delays_of_one_or_two_fixed_steps_are_audited),
      cmocka_unit_test(a_line_with_a_stiff_end_settles),
      cmocka_unit_test(a_late_force_makes_energy),
      cmocka_unit_test(jumps_have_echoes),
      cmocka_unit_test(a_pulse_is_not_missed),
      cmocka_unit_test(a_small_pulse_is_not_missed),
      cmocka_unit_test(events_are_delayed),
      cmocka_unit_test(samples_are_delayed),
      repeating_test(a_line_begins_behind_the_lag),
      cmocka_unit_test(what_has_rested_is_moved),
      repeating_test(a_constant_bounds_no_step),
      repeating_test(rates_at_late_times),
      repeating_test(a_late_transient_is_remembered_cheaply),
      cmocka_unit_test(steps_beyond_a_delay_are_told),
      cmocka_unit_test(a_speed_that_slips_is_delayed),
      cmocka_unit_test(branches_begin_by_what_is_remembered),
      cmocka_unit_test(breaks_come_where_they_lead),
      cmocka_unit_test(faults_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
