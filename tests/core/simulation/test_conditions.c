// SPDX-License-Identifier: GPL-3.0-or-later
// Events of expressions where all states move evenly, so that one step passes all of them: what is closed in a while is the energy
// of 1 V at 1 ohm.
#include "core/simulation/simulation_private.h"
#include "tests/fixture.h"

/** The energy up to t_end [s] through a switch. @param events  how many there are; -1: any */
static void check(const char *switching, double t_end, double energy, double tolerance,
                  int events) {
  char text[9000];
  (void)snprintf(text, sizeof text,
                 "<network domain='electric'><signal id='time' value='t'/>"
                 "<signal id='x' rate='1[1/s]'/>"
                 "<Se id='u' effort='1 V'/><R id='r' r='1 ohm'/>%s<J1 id='j'/>"
                 "<bond from='u' to='j'/><bond from='j' to='r'/><bond from='j' to='S'/></network>",
                 switching);
  run r = go(text, t_end);
  if (!(fabs(ledger_of(&r)->total.dissipated - energy) <= tolerance)) {
    print_error("%s\n", switching);
  }
  assert_near(ledger_of(&r)->total.dissipated, energy, tolerance);
  assert_true(events < 0 || ledger_of(&r)->work.events == events);
  stop(&r);
}

/** abs, min, if and mod in a condition change their branches at events of their own. */
static void kinks_of_conditions(void **state) {
  (void)state;
  static const char *const windows[] = {
      "1 - abs(x - 5)", "if(abs(time-5[s]) &lt; 1[s], 1, -1)", "min(x - 4, 6 - x)",
      "0.5 - abs(mod(x + 1, 10) - 6) + 0.5*sign(1)", "if((x &gt; 4)*(x &lt; 6), 2.385, -1)"};
  for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
    char text[200];
    (void)snprintf(text, sizeof text, "<Switch id='S' closes='%s'/>", windows[i]);
    check(text, 10, 2, 1e-9, 2);
    (void)snprintf(text, sizeof text, "<Switch id='S' state='closed' opens='-(%s)'/>", windows[i]);
    check(text, 10, 2, 1e-9, -1);
  }
  check("<Hysteresis id='h' of='0.5 - mod(x, 1)' rising='0' falling='-0.001'/>"
        "<Switch id='S' closes='h - 0.5'/>",
        9.7, 10 * 0.501, 1e-8, -1);
}

/** Polynomials and pulses of what moves evenly, in a condition or in a signal that it reads. */
static void dips_of_conditions(void **state) {
  (void)state;
  const double pulse = 2 * 0.01 * sqrt(log(2));
  check("<Switch id='S' closes='(time-2[s])*(time-4[s])*(6[s]-time)'/>", 10, 4, 1e-9, -1);
  check("<Switch id='S' closes='(x - 2)*(x - 4)*(6 - x)'/>", 10, 4, 1e-9, -1);
  check("<signal id='y' value='(x - 4)*(6 - x)'/><Switch id='S' closes='y*(x - 2)'/>", 10, 4, 1e-9,
        -1);
  check("<Switch id='S' closes='(x - 4)*(6 - x)'/>", 10, 2, 1e-9, 2);
  check("<Switch id='S' closes='exp(-((x - 5)/0.01)^2) - 0.5'/>", 10, pulse, 1e-9, 2);
  check("<signal id='y' value='exp(-((x - 5)/0.01)^2)'/><Switch id='S' closes='y - 0.5'/>", 10,
        pulse, 1e-9, 2);
  // beside a number that rests where a comparison changes, and wrapped by a small unit: 0.7 + 0.6 g passes 1 where g does 0.5
  check("<signal id='m' rate='0[1/s]' start='1'/>"
        "<Switch id='S' closes='if(m &gt;= 1, exp(-((x - 5)/0.01)^2) - 0.5, -1)'/>",
        10, pulse, 1e-9, 2);
  check("<Switch id='S' closes='if(mod(1e-9*(0.7 + 0.6*exp(-((x - 5)/0.01)^2)), 1e-9) &lt; 0.5e-9, "
        "1, -1)'/>",
        10, pulse, 1e-9, 2);
  // one that only just does not
  check("<Switch id='S' closes='exp(-((x - 5)/0.01)^2) - 1.0001'/>", 10, 0, 0, 0);
}

/** Behind a transfer function that passes its input on, at once and in part, and behind an angle on the left, with y above zero:
 *  atan2(y, -1) < 2 where y > -tan(2). */
static void dips_behind_blocks(void **state) {
  (void)state;
  check("<TransferFunction id='g' of='(x - 4)*(6 - x)' num='-2.385' den='-1'/>"
        "<Switch id='S' closes='g'/>",
        10, 2, 1e-9, 2);
  // (2 s + 1)/(s + 1) u = 2 u - z with z' = u - z, which is 1e-9 at most
  check("<TransferFunction id='g' of='1e-9*exp(-((x - 5)/0.01)^2)' num='2 1' den='1 1'/>"
        "<Switch id='S' closes='1e9*g - 1'/>",
        10, 2 * 0.01 * sqrt(log(2)), 2e-4, 2);
  const double width = sqrt(log(5 / (-tan(2) - 1)));
  check("<signal id='y' value='1 + 5*exp(-((x - 5)/0.01)^2)'/>"
        "<Switch id='S' closes='2 - atan2(y, -1)'/>",
        10, 2 * 0.01 * width, 1e-9, 2);
}

/** Signals that read each other twice: one that is enclosed is not enclosed anew for each that reads it. */
static void nested_signals(void **state) {
  (void)state;
  enum { LEVELS = 30, SIZE = 8000 };
  char *text = calloc(SIZE, 1);
  int used = snprintf(text, SIZE, "<signal id='a0' value='x - 5'/><signal id='b0' value='x'/>");
  for (int k = 1; k <= LEVELS; k++) {
    used += snprintf(text + used, (size_t)(SIZE - used),
                     "<signal id='a%d' value='0.5*a%d - 0.5*(a%d - b%d)'/>"
                     "<signal id='b%d' value='b%d + a%d - a%d'/>",
                     k, k - 1, k - 1, k - 1, k, k - 1, k - 1, k - 1);
  }
  (void)snprintf(text + used, (size_t)(SIZE - used), "<Switch id='S' closes='1 - abs(2*a%d - 5)'/>",
                 LEVELS); // a = b/2 = x/2: 4 to 6 s
  check(text, 10, 2, 1e-9, 2);
  free(text);
}

/** The same where a branch of a source decides. */
static void dips_of_branches(void **state) {
  (void)state;
  static const struct {
    const char *condition;
    double energy;
  } rows[] = {{"(x - 2)*(x - 4)*(6 - x)", 4},
              {"exp(-((x - 5)/0.01)^2) - 0.5", 0.01665109222315395}, // 0.02 sqrt(log(2))
              {"1 - floor(1 + 0.3*(x - 4)*(6 - x))", 8}};
  for (int i = 0; i < 3; i++) {
    char text[600];
    (void)snprintf(text, sizeof text,
                   "<network domain='electric'><signal id='x' rate='1[1/s]'/>"
                   "<Se id='u' effort='1[V]*if(%s &gt; 0, 1, 0)'/><R id='r' r='1 ohm'/>"
                   "<bond from='u' to='r'/></network>",
                   rows[i].condition);
    run r = go(text, 10);
    if (!(fabs(ledger_of(&r)->total.dissipated - rows[i].energy) <= 1e-8)) {
      print_error("%s\n", rows[i].condition);
    }
    assert_near(ledger_of(&r)->total.dissipated, rows[i].energy, 1e-8);
    stop(&r);
  }
}

/** The top of a sine, cos(s) > 1 - h for |s| < acos(1 - h). */
static void tops_of_sines(void **state) {
  (void)state;
  for (int i = 4; i <= 6; i++) {
    char text[200];
    (void)snprintf(text, sizeof text,
                   "<signal id='s' value='sin(t/1[s])'/><Switch id='S' closes='s - 1 + 1e-%d'/>",
                   i);
    check(text, 60, 20 * acos(1 - pow(10, -i)), 1e-8, 20);
  }
}

/** A sawtooth of 20 us jumps at n 20 us but for the rounding of the time, and a step that begins there may begin with the old tooth: the
 *  condition is below zero at its start alone. A boost converter in discontinuous mode; its voltages are from the closed forms of its
 *  three circuits, by series, with the end of the current by bisection. */
static void the_end_of_a_tooth_is_no_dip(void **state) {
  (void)state;
  static const struct {
    double rtol, t_end, voltage;
  } cases[] = {{1e-3, 1.5e-3, 20.489911035569}, {1e-7, 2.4e-3, 20.466796834008}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[1200];
    (void)snprintf(text, sizeof text,
                   "<screwbond version='1' id='m'><network domain='electric'>"
                   "<signal id='saw' value='mod(t, 20[us])/20[us]'/><Se id='src' effort='20 V'/>"
                   "<J1 id='l'/><I id='L' l='33 uH'/><R id='rl' r='40 mohm'/><J0 id='sw'/>"
                   "<Switch id='S' state='closed' closes='0.02 - saw'/><J1 id='dj'/>"
                   "<Diode id='D'/><J0 id='o'/><C id='Co' c='100 uF' q0='2 mC'/>"
                   "<R id='load' r='200 ohm'/><bond from='src' to='l'/><bond from='l' to='L'/>"
                   "<bond from='l' to='rl'/><bond from='l' to='sw'/><bond from='sw' to='S'/>"
                   "<bond from='sw' to='dj'/><bond from='dj' to='D'/><bond from='dj' to='o'/>"
                   "<bond from='o' to='Co'/><bond from='o' to='load'/></network>"
                   "<run t-end='9 ms' method='kvaerno-5' rtol='%g'/></screwbond>",
                   cases[i].rtol);
    run r = start_netlist(text);
    advance(&r, cases[i].t_end);
    assert_near_relative(value(&r, "Co.e"), cases[i].voltage, 10 * cases[i].rtol);
    stop(&r);
  }
}

/** The wrap of a sawtooth, at n T for all n below 60 by a number of methods. */
typedef struct wrap {
  double period;
  const char *unit, *method;
} wrap;
static const char *const saws[] = {"mod(t, T)/T", "t/T - floor(t/T)"};
static const wrap wraps[] = {
    {2e-5, "20 us", "dormand-prince-5"},  {2e-5, "20 us", "kvaerno-5"},
    {2e-5, "20 us", "fehlberg-8"},        {2e-5, "20 us", "implicit-midpoint"},
    {1e-5, "10 us", "dormand-prince-5"},  {1e-5, "10 us", "kvaerno-5"},
    {1e-5, "10 us", "fehlberg-8"},        {1e-5, "10 us", "implicit-midpoint"},
    {1e-4, "0.1 ms", "dormand-prince-5"}, {1e-4, "0.1 ms", "kvaerno-5"},
    {1e-4, "0.1 ms", "fehlberg-8"},       {1e-4, "0.1 ms", "implicit-midpoint"},
    {1 / 48e3, "1/48[kHz]", "fehlberg-8"}};
enum { WRAPS = sizeof wraps / sizeof *wraps, SAWS = 2 };

/** Goes through `periods` of them. @param network  which reads the signal `saw` and the parameter T */
static run go_round(const wrap *w, int saw, const char *network, double periods) {
  char text[2000];
  const bool fixed = strcmp(w->method, "implicit-midpoint") == 0;
  (void)snprintf(text, sizeof text,
                 "<parameters><param id='T' value='%s'/></parameters>"
                 "<network domain='electric'><signal id='saw' value='%s'/>%s</network>",
                 w->unit, saws[saw], network);
  run r = prepare_inside(text);
  sb_options options = options_of(w->method, 1e-8);
  options.step = fixed ? w->period / 2 : 0;
  start_by(&r, &options);
  advance(&r, periods * w->period);
  assert_closes(&r);
  return r;
}

/** 0 <= saw <= 1 on both sides of every wrap, by whatever decides on it. Of t/T - floor(t/T) the end of a tooth may be 1 and a rounding, as
 *  there need not be a time that gives n. */
static void a_sawtooth_stays_between_its_ends(void **state) {
  (void)state;
  static const struct {
    const char *beyond;
    int saw;
  } ends[] = {{"0 - saw", 0}, {"saw - 1", 0}, {"0 - saw", 1}};
  for (int i = 0; i < 3 * WRAPS; i += PLAIN ? 1 : 5) {
    char text[700];
    (void)snprintf(text, sizeof text,
                   "<signal id='y' value='%s'/><J0 id='n'/><C id='C1' c='1 uF' q0='1 uC'/>"
                   "<Switch id='S' closes='y'/><bond from='n' to='C1'/><bond from='n' to='S'/>"
                   "<Hysteresis id='h' of='y' rising='0' falling='-0.25'/>"
                   "<Se id='e' effort='1[V]*h'/><R id='r' r='1 ohm'/><bond from='e' to='r'/>",
                   ends[i % 3].beyond);
    run r = go_round(&wraps[i / 3], ends[i % 3].saw, text, 59.5);
    assert_int_equal(ledger_of(&r)->work.events, 0);
    assert_near(value(&r, "C1.e"), 1, 1e-14);
    assert_near(ledger_of(&r)->total.dissipated, 0, 0);
    stop(&r);
  }
}

/** What is defined between the ends alone: e^2/r = saw + 1 - saw at 1 ohm. */
static void roots_of_a_sawtooth(void **state) {
  (void)state;
  for (int i = 0; i < WRAPS; i += PLAIN ? 1 : 3) {
    const wrap *w = &wraps[i];
    run r = go_round(w, i % SAWS,
                     "<Se id='e' effort='1[V]*sqrt(saw)'/><R id='r' r='1 ohm'/>"
                     "<Se id='d' effort='1[V]*sqrt(1 - saw)'/><R id='s' r='1 ohm'/>"
                     "<bond from='e' to='r'/><bond from='d' to='s'/>",
                     59.5);
    assert_near_relative(ledger_of(&r)->total.dissipated, 59.5 * w->period, 1e-7);
    stop(&r);
  }
}

/** A digital pulse width modulator: the duty, 0.3 and 0 in turn, is sampled as the saw wraps. It closes at 0, 2 T, 4 T, ... for 0.3 T,
 *  and at no other time, and a source of 1 A charges the capacitor that it has emptied: each loses (i 1.7 T)^2/(2 C). */
static void a_digital_modulator_samples_as_it_wraps(void **state) {
  (void)state;
  for (int i = 0; i < SAWS * WRAPS; i += PLAIN ? 1 : 5) {
    const wrap *w = &wraps[i / SAWS];
    run r = go_round(w, i % SAWS,
                     "<SampleHold id='duty' of='if(mod(floor(t/T + 0.5), 2) &lt; 0.5, 0.3, 0)' "
                     "period='T'/>"
                     "<J0 id='n'/><C id='C1' c='1 uF'/><Sf id='i' flow='1 A'/>"
                     "<Switch id='S' closes='duty - saw'/>"
                     "<bond from='n' to='C1'/><bond from='n' to='S'/><bond from='i' to='n'/>",
                     59.5);
    assert_int_equal(events_of(&r, "switch", "S"), 60);
    assert_near(event_time(&r, "switch", 0), 0, 0);
    assert_near_relative(value(&r, "C1.e"), 1.2 * w->period / 1e-6, 1e-9);
    for (int k = 1; k < 30; k++) {
      const sb_event *closes = &ledger_of(&r)->events[2 * (size_t)k];
      assert_near_relative(closes->t, 2 * k * w->period, 1e-14);
      assert_near_relative(closes->loss, 0.5 * pow(1.7 * w->period, 2) / 1e-6, 1e-8);
    }
    stop(&r);
  }
}

/** What jumps at one instant by samplers, sources, kinks and delays does so at once: no difference of them shows in between. */
static void what_jumps_together_shows_nothing_in_between(void **state) {
  (void)state;
  static const char *const same[][2] = {
      {"<SampleHold id='a' of='t/T' period='T'/><SampleHold id='b' of='t/T' period='T'/>", "a - b"},
      {"<SampleHold id='a' of='floor(t/T + 0.5)' period='T'/>", "a - floor(t/T)"},
      {"<SampleHold id='a' of='floor(t/T + 0.5)' period='T'/>", "floor(t*(1/T)) - a"},
      {"<Delay id='a' of='floor(t/T)' delay='T' before='-1'/>", "a + 1 - floor(t/T)"},
      {"<Delay id='a' of='floor(t/T)' delay='T' before='-1'/>", "floor(t/T) - 1 - a"},
      {"<Se id='s' waveform='step' start='33*T' effort='1 V'/><R id='r' r='1 ohm'/>"
       "<bond from='s' to='r'/><signal id='a' of='r.e'/>",
       "min(1, floor(t/T/33)) - a/1[V]"}};
  for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
    char text[900];
    (void)snprintf(text, sizeof text,
                   "%s<signal id='y' value='%s'/><J0 id='n'/><C id='C1' c='1 uF' q0='1 uC'/>"
                   "<Switch id='S' closes='y - 0.5'/>"
                   "<bond from='n' to='C1'/><bond from='n' to='S'/>",
                   same[i][0], same[i][1]);
    for (int k = 1; k < WRAPS; k += 4) { // of every period
      run r = go_round(&wraps[k], 0, text, 59.5);
      assert_int_equal(events_of(&r, "switch", "S"), 0);
      stop(&r);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kinks_of_conditions),
      cmocka_unit_test(dips_of_conditions),
      cmocka_unit_test(dips_behind_blocks),
      cmocka_unit_test(nested_signals),
      cmocka_unit_test(dips_of_branches),
      cmocka_unit_test(tops_of_sines),
      repeating_test(the_end_of_a_tooth_is_no_dip),
      cmocka_unit_test(a_sawtooth_stays_between_its_ends),
      repeating_test(roots_of_a_sawtooth),
      repeating_test(a_digital_modulator_samples_as_it_wraps),
      repeating_test(what_jumps_together_shows_nothing_in_between),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
