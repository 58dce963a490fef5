// SPDX-License-Identifier: GPL-3.0-or-later
// Pulses of sources at default tolerances: a mass of 1 kg takes the impulse of a force, a closed form in each
// row, and with it the energy p^2/2, wherever in the run the pulse is and however narrow.
#include "tests/fixture.h"

#include <math.h>

#include "core/simulation/simulation.h"

#define ROOT_PI 1.7724538509055160273

static const struct {
  const char *force; // [N]
  double impulse;    // [N s]
} pulses[] = {
    {"1e4[N]*exp(-((t-0.5037[s])/1e-5[s])^2)", 0.1 * ROOT_PI},
    {"1e6[N]*exp(-((t-0.123456[s])/1e-6[s])^2)", ROOT_PI},
    {"1e6[N]*exp(-((t-0.98765[s])/1e-6[s])^2)", ROOT_PI},
    {"1e4[N]*exp(-((t-0.31[s])/0.3[ms])^2)", 3 * ROOT_PI},
    {"1e6[N]*if((t &gt; 0.3[s])*(t &lt; 0.300001[s]), 1, 0)", 1},
    {"2e6[N]*if(abs(t-0.7[s]) &lt; 1[us], 1, 0)", 4},
    {"2e5[N]*if((t-0.7123[s])^2 &lt; 1e-10[s^2], 1, 0)", 4},
    {"3e6[N]*max(0, min(min((t-0.6[s])/1[us], 1), (0.600004[s]-t)/1[us]))", 9},
    {"3e6[N]*max(0, 1 - abs(t-0.41[s])/2[us])", 6},
    {"3e6[N]*max(0, 1 - ((t-0.41[s])/2[us])^2)", 8},
    // what is cut off is 4e11 times as large
    {"max(0[N], 3e6[N] - 3e6[N]*((t-0.41[s])/2[us])^2)", 8},
    {"3e6[N] - min(3e6[N], 3e6[N]*((t-0.41[s])/2[us])^2)", 8},
    {"max(0[N], 3e6[N] - min(1e20[N], 3e6[N]*((t-0.41[s])/2[us])^2))", 8},
    {"5e4[N]*exp(-((mod(t,0.1[s])-0.037[s])/10[us])^2)", 5 * ROOT_PI},
    {"5e4[N]*if(mod(t,10[ms]) &lt; 1[us], 1, 0)", 5},
    {"5e4[N]*exp(-((t/0.05[s]-floor(t/0.05[s])-0.5)/1e-4)^2)", 5 * ROOT_PI},
    {"1e4[N]*exp(-((t-0.2345[s])/0.1[ms])^2)*sin(1e5*t/1[s])^2", 0.5 * ROOT_PI},
    {"7e6[N]/(1+((t-0.66[s])/1[us])^2)", 7 * (3.14159265358979324 - 1e-6 / 0.34 - 1e-6 / 0.66)},
    {"4e5[N]/cosh((t-0.25[s])/10[us])^2", 8},
    {"2e5[N]*(tanh((t-0.5[s])/1[us]) - tanh((t-0.50001[s])/1[us]))", 4},
    {"1e4[N]*exp(-((t-0.2[s])/10[us])^2) + 30[N]*exp(-((t-0.8[s])/10[us])^2)", 0.1003 * ROOT_PI},
    {"if(t &lt; 0.5[s], 1[N], 2[N])*1e6*exp(-((t-0.25[s])/1[us])^2)", ROOT_PI},
    {"(t/10[us])*exp(1-t/10[us])*1e5[N]", 2.7182818284590452354},
    {"1e6[N]*exp(-abs(t-0.3[s])/1[us])", 2},
    {"1e5[N]*((t-0.5[s])/10[us])^2*exp(-((t-0.5[s])/10[us])^2)", 0.5 * ROOT_PI},
    {"1[N] + 1e5[N]*exp(-((t-0.77[s])/1[us])^2)", 1 + 0.1 * ROOT_PI},
    // small beside what the same expression is at other times
    {"if(t &lt; 0.1[s], 1e4[N]*t/1[s], 1[N] + 10[N]*exp(-((t-0.513[s])/1[ms])^2))",
     50.9 + 0.01 * ROOT_PI},
    {"max(1e3[N] - 1e4[N]*t/1[s], 1[N] + 10[N]*exp(-((t-0.513[s])/1[ms])^2))",
     50.90005 + 0.01 * ROOT_PI},
    {"1e3[N]*(1 + exp(-((t-0.6[s])/1[ms])^2))/(1 + t/1[ms])",
     6.9087547793152206 + ROOT_PI / 601}, // log(1001)
    {"abs(1e3[N]*exp(-t/10[ms]) + 1[N] + 10[N]*exp(-((t-0.513[s])/1[ms])^2))", 11 + 0.01 * ROOT_PI},
    // what the audit cannot resolve over a step is no fault of the source
    {"1[N]*tanh((t-0.3[s])/1[ns])", 0.4},
    {"1e6[N]*exp(-((sin(2*pi*t/1[s])-0.5)/1e-5)^2)", 20 * ROOT_PI / (2 * pi * 0.86602540378443865)},
    {"1[N]*exp(t/1[s]) + 30[N]*exp(-((t-0.4321[s])/100[us])^2)",
     1.7182818284590452 + 3e-3 * ROOT_PI},
    {"1e3[N]*exp(1e6*(cos(2*pi*t/1[s])-1))", ROOT_PI * 1.4142135623730950 / (2 * pi)},
};

/** A pulse of the time in one function with a state, x = t/2, where neither part shows it: z = (t - a)/w. It may come by signals. */
static void pulses_beside_a_state_are_met(void **state) {
  (void)state;
  const double x = 0.5 * 0.3712;
  const struct {
    const char *force;
    double impulse; // [w]
  } rows[] = {
      {"<signal id='y' value='exp(x - ((t - 0.3712[s])/%g[s])^2)'/>", exp(x) * ROOT_PI},
      {"<signal id='y' value='max(0, 1 + x - ((t - 0.3712[s])/%g[s])^2)'/>",
       4. / 3 * pow(1 + x, 1.5)},
      {"<signal id='z' value='((t - 0.3712[s])/%g[s])^2'/><signal id='y' value='exp(x - z)'/>",
       exp(x) * ROOT_PI},
      {"<signal id='c' value='t'/><signal id='z' value='(c - 0.3712[s])/%g[s]'/>"
       "<signal id='u' value='x - z^2'/><signal id='y' value='exp(u)'/>",
       exp(x) * ROOT_PI}};
  static const double widths[] = {1e-4, 1e-6};
  for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
    const double w = widths[i % 2];
    char force[300], text[700];
    (void)snprintf(force, sizeof force, rows[i / 2].force, w);
    (void)snprintf(text, sizeof text,
                   "<network domain='translation'><signal id='x' rate='0.5[1/s]'/>%s"
                   "<Se id='s' effort='1[N]*y'/><I id='m' mass='1 kg'/>"
                   "<bond from='s' to='m'/></network>",
                   force);
    run r = go(text, 1);
    assert_near_relative(value(&r, "m.p"), rows[i / 2].impulse * w, 2e-5);
    assert_balanced(&r);
    stop(&r);
  }
}

/** A signal that overflows where it no longer counts bounds no step: F = 1/(1 + exp((t - a)/T)) gives a + T log(1 + exp(-a/T)). */
static void overflow_bounds_no_step(void **state) {
  (void)state;
  run r = go("<network domain='translation'><signal id='u' value='exp((t - 0.37[s])/50[us])'/>"
             "<Se id='s' effort='1[N]/(1 + min(u, 1e100))'/><I id='m' mass='1 kg'/>"
             "<bond from='s' to='m'/></network>",
             1);
  assert_near_relative(value(&r, "m.p"), 0.37, 1e-8);
  assert_true(ledger_of(&r)->work.steps < 50000);
  stop(&r);
}

static void pulses_are_met(void **state) {
  (void)state;
  static const char *const methods[] = {"dormand-prince-5", "fehlberg-8", "kvaerno-5"};
  for (size_t i = 0; i < sizeof pulses / sizeof *pulses; i++) {
    for (size_t k = 0; k < (i % 5 == 0 ? 3 : 1); k++) {
      char text[600];
      assert_true(snprintf(text, sizeof text,
                           "<network domain='translation'><Se id='s' effort='%s'/>"
                           "<I id='m' mass='1 kg'/><bond from='s' to='m'/></network>",
                           pulses[i].force) < (int)sizeof text);
      run r = prepare_inside(text);
      sb_options options = sb_options_defaults();
      options.method = sb_method_find(methods[k]);
      start_by(&r, &options);
      advance(&r, 1);
      double p = value(&r, "m.p"), supplied = ledger_of(&r)->total.supplied;
      if (!(fabs(p / pulses[i].impulse - 1) < 2e-5)) {
        print_error("%s by %s: %.17g\n", pulses[i].force, methods[k], p);
      }
      assert_near(p / pulses[i].impulse, 1, 2e-5);
      assert_near(supplied / (0.5 * p * p), 1, 2e-5);
      assert_true(ledger_of(&r)->work.steps < 1500);
      assert_true(ledger_of(&r)->structure.residual_relative < 1e-12);
      stop(&r);
    }
  }
}

/** K max(0, sin(2 pi t) - c)^n: a pulse whose kink is located by what is rounding there, cos(2 pi s) - c in the
 *  time s from its peak; its integral by the midpoint rule. Held at the start of the run is the branch 0: sizes have to be
 *  foreseen by the other one. */
static void pulses_behind_kinks_are_cheap(void **state) {
  (void)state;
  static const struct {
    const char *force; // [N]
    double K, c, n;
  } rows[] = {
      {"9[N]*max(0, sin(2*pi*t/1[s]) - 0.999999)^2*1e12", 9e12, 0.999999, 2},
      {"5[N]*max(0, sin(2*pi*t/1[s]) - 0.9999)*1e4", 5e4, 0.9999, 1},
      {"7[N]*max(sin(2*pi*t/1[s]) - 0.99999999, 0)^3*1e24", 7e24, 0.99999999, 3},
      {"3[N]*if(sin(2*pi*t/1[s]) &gt; 0.999, sin(2*pi*t/1[s]) - 0.999, 0)*1e3", 3e3, 0.999, 1},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[700];
    (void)snprintf(text, sizeof text,
                   "<network domain='translation'><Se id='s' effort='%s'/><I id='m' mass='1 kg'/>"
                   "<R id='r' r='1 N.s/m'/><J1 id='j'/><bond from='s' to='j'/>"
                   "<bond from='j' to='m'/><bond from='j' to='r'/></network>",
                   rows[i].force);
    run r = prepare_inside(text);
    start_by(&r, &r.netlist->options);
    advance(&r, 0.5);
    enum { COUNT = 20000 };
    double half = acos(rows[i].c) / (2 * pi), impulse = 0, rise = 1 - rows[i].c;
    for (int k = 0; k < COUNT; k++) { // midpoints; 1 - cos(2 pi s) = 2 sin(pi s)^2
      double s = half * (2 * (k + 0.5) / COUNT - 1);
      double g = rise - 2 * pow(sin(pi * s), 2);
      impulse += rows[i].K * pow(g, rows[i].n) * exp(s - 0.25) * 2 * half / COUNT;
    }
    assert_near(value(&r, "m.p") / impulse, 1, 1e-6);
    assert_balanced(&r);
    if (ledger_of(&r)->work.rhs > 7000) {
      print_error("%s: %ld steps, %ld evaluations\n", rows[i].force, ledger_of(&r)->work.steps,
                  ledger_of(&r)->work.rhs);
    }
    assert_true(ledger_of(&r)->work.rhs <= 7000);
    stop(&r);
  }
}

/** What a source computes behind the kink that ends its branch, where the event is, is known to the rounding of the
 *  terms of that branch: no fault of the source. */
static void sources_at_their_kinks_are_sound(void **state) {
  (void)state;
  static const char *const forces[] = {
      "7[N]*max(sin(2*pi*t/1[s]) - 0.99999999, 0)^3*1e24",
      "3[N]*max(sin(2*pi*t/1[s]) - 0.9999999, 0)^2*1e14",
      "2[N]*(0.9999999 - min(0.9999999, sin(2*pi*t/1[s])))^4*1e28",
      "5[N]*abs(min(0, 0.9999999 - cos(2*pi*(t/1[s] - 0.25))))^3*1e21"};
  static const struct {
    double mass, r, rtol; // [kg], [N s/m]
  } rows[] = {{1, 1, 1e-9}, {0.3, 7, 1e-8}, {1000, 1, 1e-7}, {1000, 1, 1e-8}};
  for (size_t i = 0; i < sizeof forces / sizeof *forces; i++) {
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
      char text[700];
      (void)snprintf(text, sizeof text,
                     "<network domain='translation'><Se id='s' effort='%s'/><J1 id='j'/>"
                     "<I id='m' mass='%g kg'/><R id='r' r='%g N.s/m'/><bond from='s' to='j'/>"
                     "<bond from='j' to='m'/><bond from='j' to='r'/></network>",
                     forces[i], rows[k].mass, rows[k].r);
      run r = prepare_inside(text);
      sb_options options = sb_options_defaults();
      options.rtol = rows[k].rtol;
      start_by(&r, &options);
      advance(&r, 0.5);
      const double structure = ledger_of(&r)->structure.residual_relative;
      if (!(structure < 1e-12)) {
        print_error("%s, row %zu: structure %g\n", forces[i], k, structure);
      }
      assert_true(structure < 1e-12);
      stop(&r);
    }
  }
}

/** The unit of time makes no difference: a run of 1 us and one of an hour. */
static void pulses_have_no_unit(void **state) {
  (void)state;
  static const double span[] = {1e-6, 3600};
  for (int i = 0; i < 2; i++) {
    char text[600];
    double T = span[i];
    (void)snprintf(text, sizeof text,
                   "<network domain='translation'><Se id='s' effort='%.17g[N]*exp(-((t-%.17g[s])/"
                   "%.17g[s])^2)'/><I id='m' mass='1 kg'/><bond from='s' to='m'/></network>",
                   1e6 / T, 0.4321 * T, 1e-6 * T);
    run r = prepare_inside(text);
    start_by(&r, &r.netlist->options);
    advance(&r, T);
    assert_near(value(&r, "m.p") / ROOT_PI, 1, 2e-5);
    stop(&r);
  }
}

/** A pulse of a signal that multiplies another one, and one that is integrated. */
static void pulses_of_signals_are_met(void **state) {
  (void)state;
  run r = prepare_inside(
      "<network domain='translation'><signal id='gain' value='2 + 0*v/1[m/s]'/>"
      "<signal id='v' of='m.f'/><signal id='pulse' value='exp(-((t-0.31[s])/1[us])^2)'/>"
      "<signal id='area' rate='1e6*pulse'/><Se id='s' effort='1e6[N]*gain*pulse'/>"
      "<I id='m' mass='1 kg'/><bond from='s' to='m'/></network>");
  start_by(&r, &r.netlist->options);
  advance(&r, 1);
  assert_near(value(&r, "m.p"), 2 * ROOT_PI, 1e-4);
  assert_near(value(&r, "area"), ROOT_PI, 1e-4);
  stop(&r);
}

/** Signals of the time in an expression make a pulse together, that none of them shows alone. */
static void pulses_of_chained_signals_are_met(void **state) {
  (void)state;
#define TIME "<signal id='b' value='t/1[s]'/>"
#define FORCED(force)                                                                              \
  "<Se id='s' effort='" force "'/><I id='m' mass='1 kg'/><bond from='s' to='m'/>"
#define SLOWED(by)                                                                                 \
  by "<J1 id='j'/><I id='m' mass='1 kg' p0='5 N.s'/><bond from='j' to='m'/><bond from='j' "        \
     "to='r'/>"
  static const struct {
    const char *inside;
    double p; // [N s]
  } rows[] = {
      {"<signal id='b' value='(t/1[s])^2'/><signal id='a' "
       "value='exp(-((b-0.0625)/1e-6)^2)'/>" FORCED("1e6[N]*a"),
       2 * ROOT_PI},
      {TIME
       "<signal id='c' value='b-0.3'/><signal id='d' value='c/1e-6'/>" FORCED("1e6[N]*exp(-d*d)"),
       ROOT_PI},
      {TIME FORCED("if(abs(b-0.5037) &lt; 1e-7, 1e7[N], 0[N])"), 2},
      {TIME FORCED("1e6[N]*max(0, 1 - abs(b-0.5037)/1e-6)"), 1},
      {"<signal id='b' value='sin(2*pi*t/1[s])'/>" FORCED("1e5[N]*exp(-((b-0.5)/1e-5)^2)"),
       2 * ROOT_PI / (2 * pi * 0.86602540378443865)},
      {"<signal id='a' value='max(0, 1 - ((t - 0.37[s])/1[us])^2)'/>" FORCED("1.5e6[N]*a"), 2},
      {"<signal id='a' value='1 - min(1, ((t - 0.37[s])/1[us])^2)'/><signal id='c' "
       "rate='1e6[1/s]*a' "
       "start='0'/>" FORCED("if(t &gt; 0.5[s], 1[N]*c, 0[N])"),
       2. / 3},
      {"<signal id='a' value='max(0, 1 - ((t - 0.37[s])/1[us])^2)'/>" SLOWED(
           "<Friction id='r' coulomb='1.5e6[N]*a'/>"),
       3},
      {TIME SLOWED("<R id='r' law='1e6[N.s/m]*exp(-((b-0.37)/1e-6)^2)*f'/>"),
       5 * 0.16991552946752622}, // exp(-sqrt(pi))
      {TIME SLOWED("<Friction id='r' coulomb='1e6[N]*exp(-((b-0.37)/1e-6)^2)'/>"), 5 - ROOT_PI},
      {TIME
       "<Delay id='y' of='1e6*exp(-((b-0.3)/1e-6)^2)' delay='0.2 s' before='0'/>" FORCED("1[N]*y"),
       ROOT_PI},
      {TIME
       "<Delay id='y' of='exp(-((b-0.3)/1e-8)^2)' delay='0.1 s' before='0'/>" // the time is known to 5e-9 of it
       "<Delay id='z' of='2*y' delay='0.05 s' before='0'/>" FORCED("1e8[N]*z"),
       2 * ROOT_PI},
      {TIME "<TransferFunction id='y' of='exp(-((b-0.3)/1e-8)^2)' num='1' den='0.01 1'/>"
            "<Delay id='z' of='y' delay='0.5 s' before='0'/>" FORCED("1e8[N]*z"),
       ROOT_PI}, // but for exp(-20)
      {TIME "<Hysteresis id='d' of='exp(-((b-0.3)/1e-7)^2)' rising='0.5' falling='-1' above='1' "
            "below='0'/>" FORCED("1[N]*d"),
       0.7},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[900];
    assert_true(snprintf(text, sizeof text, "<network domain='translation'>%s</network>",
                         rows[i].inside) < (int)sizeof text);
    run r = prepare_inside(text);
    start_by(&r, &r.netlist->options);
    advance(&r, 1);
    if (!(fabs(value(&r, "m.p") / rows[i].p - 1) < 1e-5)) {
      print_error("row %zu: %.17g for %.17g\n", i, value(&r, "m.p"), rows[i].p);
    }
    assert_near(value(&r, "m.p") / rows[i].p, 1, 1e-5);
    assert_true(ledger_of(&r)->work.steps < 600);
    stop(&r);
  }
}

/** Far from t = 0 kinks may be a few hundred roundings of the time apart: each is met, and none leaves a branch behind that is not its own.
 *  What changes faster than the time can be resolved is not called sound. */
static void kinks_are_met_far_from_zero(void **state) {
  (void)state;
  static const struct {
    const char *force; // [N]
    double impulse;    // [N s]
  } rows[] = {
      {"1[N]*if(t &gt; 1000[s], 1, 0)*if(t &lt; 1000.0000000001[s], 1, 0)", 1000.0000000001 - 1000},
      {"1[N]*max(0, 1-abs(t-1000.3[s])/1e-9[s])", 1e-9},
      {"1[N]*max(0, 1-abs(t-1000.3[s])/1e-10[s])", 1e-10},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[600];
    sb_error err = {0};
    (void)snprintf(text, sizeof text,
                   "<network domain='translation'><Se id='s' effort='%s'/>"
                   "<I id='m' mass='1 kg'/><bond from='s' to='m'/></network>",
                   rows[i].force);
    run r = prepare_inside(text);
    const sb_options options = sb_options_defaults();
    start_by(&r, &options);
    if (sb_simulation_advance(r.sim, 2000, &err) == SB_OK) {
      assert_near_relative(value(&r, "m.p"), rows[i].impulse, 1e-6);
    } else {
      assert_int_not_equal(i, 0);
      assert_non_null(
          strstr(err.text, "the steps have become too short to advance at t = 1000.3 s"));
    }
    stop(&r);
  }
}

/** What is too short to be found is told, with its place. */
static void what_may_be_missed_is_told(void **state) {
  (void)state;
  run r = prepare("<screwbond version='1' id='m'>\n<network domain='translation'>\n"
                  "  <Se id='s' effort='1e4[N]*exp(-((t-0.5037[s])/1e-15[s])^2)'/>\n"
                  "  <Se id='w' effort='1[N]*sin(t/1[s])'/><J1 id='j'/><bond from='s' to='j'/>"
                  "<bond from='w' to='j'/><I id='m' mass='1 kg'/><bond from='j' to='m'/></network>"
                  "<run t-end='1 s'/></screwbond>");
  sb_errors warnings = {0};
  assert_int_equal(sb_model_unseen(r.model, 0, 1, &warnings), SB_OK);
  assert_int_equal(warnings.count, 1);
  assert_string_equal(
      warnings.items[0].text,
      "the expression of 's' may have features that are too short to be found: steps "
      "may miss them");
  assert_string_equal(warnings.items[0].hint,
                      "give <run> a max-step below the width of the shortest one");
  assert_int_equal(warnings.items[0].line, 3);
  assert_int_equal(warnings.items[0].column, 3);
  sb_errors_finish(&warnings);
  assert_int_equal(sb_model_unseen(r.model, 0.6, 1, &warnings), SB_OK);
  assert_int_equal(warnings.count, 0);
  sb_errors_finish(&warnings);
  stop(&r);
}

/** A jump at the very start is none that may be missed. */
static void a_jump_at_the_start_is_met(void **state) {
  (void)state;
  run r = prepare_inside("<network domain='translation'><Se id='s' effort='1[N]*sign(t/1[s])'/>"
                         "<I id='m' mass='1 kg'/><bond from='s' to='m'/></network>");
  sb_errors warnings = {0};
  assert_int_equal(sb_model_unseen(r.model, 0, 3, &warnings), SB_OK);
  assert_int_equal(warnings.count, 0);
  start_by(&r, &r.netlist->options);
  advance(&r, 3);
  assert_near(value(&r, "m.p"), 3, 1e-7);
  sb_errors_finish(&warnings);
  stop(&r);
}

/** u - u is zero at all times, though its enclosure never is: it bounds no steps, and the comparison is told. */
static void what_is_the_same_bounds_no_steps(void **state) {
  (void)state;
  static const struct {
    const char *value;
    double result;
    int told;
  } rows[] = {
      {"u == u", 1, 1},
      {"u >= w", 1, 1},
      {"if(u != u, 3, 5)", 5, 1},
      {"2*u &lt; u + w", 0, 1},
      {"if(3[V] - u == -w + 3[V], 1, 2)", 1, 1},
      {"sign(u*u - w*u) + 7", 7, 0},
      {"floor((u - u)/1[V]) + 2", 2, 0},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[900];
    assert_true(
        snprintf(text, sizeof text,
                 "<network domain='electric'><signal id='u' value='2.385[V]*cos(3[1/s]*t)'/>"
                 "<signal id='w' value='u'/><signal id='y' value='%s'/><Se id='s' effort='u'/>"
                 "<R id='r' r='1.7 ohm'/><bond from='s' to='r'/></network>",
                 rows[i].value) < (int)sizeof text);
    run r = prepare_inside(text);
    sb_errors warnings = {0};
    assert_int_equal(sb_model_unseen(r.model, 0, 1, &warnings), SB_OK);
    assert_int_equal(warnings.count, rows[i].told);
    if (warnings.count > 0) {
      assert_string_equal(warnings.items[0].text,
                          "the expression of 'y' compares what is the same on both sides: that "
                          "gives the same at all times");
    }
    sb_errors_finish(&warnings);
    start_by(&r, &r.netlist->options);
    advance(&r, 1);
    assert_near(value(&r, "y"), rows[i].result, 0);
    assert_in_range(ledger_of(&r)->work.steps, 1, 200);
    stop(&r);
  }
}

/** What has never moved has no size to test errors by: a pulse that comes late by a delay, to a body at rest and to an
 *  integral that nothing else holds. */
static void pulses_awake_what_rests(void **state) {
  (void)state;
  static const char *const methods[] = {"auto", "dormand-prince-5", "fehlberg-8", "kvaerno-5"};
  for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
    run r = prepare_inside(
        "<network domain='translation'><Delay id='h' of='1e4[N]*exp(-((t - 1[s])/10[us])^2)' "
        "delay='0.5 s'/><signal id='i' rate='h'/><Se id='s' effort='h'/><I id='m' mass='1 kg'/>"
        "<bond from='s' to='m'/></network>");
    sb_options options = sb_options_defaults();
    options.method = sb_method_find(methods[k]);
    start_by(&r, &options);
    advance(&r, 2);
    assert_near_relative(value(&r, "m.p"), 0.1 * ROOT_PI, 1e-6);
    assert_near_relative(value(&r, "i"), 0.1 * ROOT_PI, 1e-6);
    assert_near_relative(ledger_of(&r)->total.supplied, 0.005 * ROOT_PI * ROOT_PI, 1e-5);
    assert_closes(&r);
    if (options.method->implicit) { // the foot of the pulse, of 1e-100 J, makes few steps tight
      assert_in_range(ledger_of(&r)->work.steps, 1, 400);
    } else {
      assert_true(ledger_of(&r)->residual_relative < options.rtol);
    }
    stop(&r);
  }
}

/** A program that steps has pulses looked for over times that double: each call costs its steps. */
static void short_calls_search_seldom(void **state) {
  (void)state;
  run r = start_netlist(
      "<screwbond version='1' id='m'><run t-end='2 s'/><network domain='translation'><signal "
      "id='u' "
      "value='min(t/2[s], 1)'/><Se id='F' effort='1[N]*(10*u^3 - 15*u^4 + 6*u^5)'/><I id='m' "
      "mass='1 kg'/><bond from='F' to='m'/></network></screwbond>");
  for (int k = 1; k <= 2000; k++) {
    advance(&r, k == 2000 ? 2 : 1e-3 * k);
  }
  assert_near(value(&r, "m.f"), 1, 1e-7);
  assert_true(ledger_of(&r)->work.rhs < 8 * ledger_of(&r)->work.steps);
  assert_balanced(&r);
  stop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      repeating_test(pulses_are_met),
      repeating_test(pulses_beside_a_state_are_met),
      repeating_test(overflow_bounds_no_step),
      cmocka_unit_test(pulses_behind_kinks_are_cheap),
      repeating_test(sources_at_their_kinks_are_sound),
      cmocka_unit_test(pulses_have_no_unit),
      cmocka_unit_test(pulses_of_signals_are_met),
      repeating_test(pulses_of_chained_signals_are_met),
      cmocka_unit_test(kinks_are_met_far_from_zero),
      cmocka_unit_test(what_may_be_missed_is_told),
      cmocka_unit_test(a_jump_at_the_start_is_met),
      cmocka_unit_test(what_is_the_same_bounds_no_steps),
      cmocka_unit_test(pulses_awake_what_rests),
      cmocka_unit_test(short_calls_search_seldom),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
