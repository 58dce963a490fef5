// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks of signals against closed forms: relays with hysteresis, samplers, transfer functions.
#include "tests/fixture.h"

#include <complex.h>
#include <math.h>

#include "core/analysis/linearize.h"

/** C v' = i - v/R with i = 1 A or 0 A, between 2 V and 3 V: v = 10 V (1 - exp(-t/10 s)) until 3 V, then
 *  down by exp(-t/10 s) in 10 ln(3/2) s, and up again in 10 ln(8/7) s. */
static void a_relay_switches_at_its_thresholds(void **state) {
  (void)state;
  run r = go("<network domain='electric'><signal id='v' of='C1.e'/>"
             "<Hysteresis id='relay' of='v' rising='3 V' falling='2 V' above='0 A' below='1 A'/>"
             "<Sf id='src' flow='relay'/><C id='C1' c='1 F'/><R id='R1' r='10 ohm'/><J0 id='j'/>"
             "<bond from='src' to='j'/><bond from='j' to='C1'/><bond from='j' to='R1'/></network>",
             20);
  double t = 10 * log(10.0 / 7);
  assert_int_equal(ledger_of(&r)->event_count, 7);
  for (int i = 0; i < 7; i++) {
    const sb_event *event = &ledger_of(&r)->events[i];
    assert_near(event->t, t, 1e-8);
    assert_near(event->loss, 0, 0);
    t += 10 * log(i % 2 == 0 ? 1.5 : 8.0 / 7);
  }
  stop(&r);
}

/** Between its thresholds a relay starts as it is told, beyond them on that side. */
static void a_relay_starts_on_its_side(void **state) {
  (void)state;
  static const struct {
    const char *attributes;
    double value;
  } rows[] = {{"of='0.5 + 0*t/1[s]'", 0},
              {"of='0.5 + 0*t/1[s]' initial='above'", 1},
              {"of='1.5 + 0*t/1[s]'", 1},
              {"of='-1.5 + 0*t/1[s]' initial='above'", 0},
              {"of='0.5'", 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[600];
    (void)snprintf(text, sizeof text,
                   "<network domain='electric'><Hysteresis id='h' %s rising='1' falling='-1'/>"
                   "<Sf id='s' flow='1[A]*h'/><C id='C' c='1 F'/><bond from='s' to='C'/></network>",
                   rows[i].attributes);
    run r = go(text, 1);
    assert_near(value(&r, "h.value"), rows[i].value, 0);
    assert_near(value(&r, "C.q"), rows[i].value, 1e-12);
    stop(&r);
  }
}

/** Many relays of one input, each at its own threshold: a staircase without chatter. */
static void relays_make_no_chatter(void **state) {
  (void)state;
  run r = go("<network domain='electric'><repeat index='k' count='12'>"
             "<Hysteresis id='h[k]' of='sin(2*pi*t/1[s])' rising='0.05*k' falling='0.05*k - 0.02'/>"
             "</repeat><Sf id='s' flow='1[A]*(h[1] + h[12])'/><C id='C' c='1 F'/>"
             "<bond from='s' to='C'/></network>",
             2);
  assert_int_equal(ledger_of(&r)->event_count, 48);
  // above from asin(a) to pi - asin(b), of 2 pi: each h[k] in each of two periods
  double on = 0;
  for (int k = 1; k <= 12; k += 11) {
    on += 2 * (3.14159265358979324 - asin(0.05 * k - 0.02) - asin(0.05 * k)) / 6.283185307179586;
  }
  assert_near(value(&r, "C.q"), on, 1e-9);
  assert_true(ledger_of(&r)->work.steps < 48 * 12);
  stop(&r);
}

/** y[k] = a y[k-1] + b at the times k T: b (1 - a^k)/(1 - a); and one that follows it, one behind. */
static void samplers_make_recursions(void **state) {
  (void)state;
  run r = start("<network domain='electric'><SampleHold id='late' of='y' period='0.1 s'/>"
                "<SampleHold id='y' of='0.8*y + 3' period='0.1 s'/>"
                "<SampleHold id='half' of='y' period='0.1 s' offset='0.05 s' start='-1'/>"
                "<Sf id='s' flow='1[A]*late'/><C id='C' c='1 F'/><bond from='s' to='C'/></network>",
                1e-9, 1e-12);
  assert_near(value(&r, "half.value"), -1, 0);
  double charge = 0;
  for (int k = 0; k < 40; k++) {
    double y = 15 * (1 - pow(0.8, k + 1)), before = 15 * (1 - pow(0.8, k));
    advance(&r, 0.1 * k + 0.02);
    assert_near(value(&r, "y.value"), y, 1e-13);
    assert_near(value(&r, "late.value"), before, 1e-13);
    assert_near(value(&r, "half.value"), k == 0 ? -1 : before, 1e-13);
    assert_near(value(&r, "C.q"), charge + 0.02 * before, 1e-9);
    advance(&r, 0.1 * k + 0.07);
    assert_near(value(&r, "half.value"), y, 1e-13);
    charge += 0.1 * before;
  }
  stop(&r);
}

/** The clock is offset + k period, whenever a run begins: until the first of its times a sampler holds its start. What
 *  samples the time holds the time of its last sample. */
static void the_clock_is_not_moved_by_the_start(void **state) {
  (void)state;
  run r = start_netlist(
      "<screwbond version='1' id='m'><network domain='electric'>"
      "<SampleHold id='a' of='t' period='0.1 s' offset='0.013 s' start='-1 s'/>"
      "<SampleHold id='b' of='t' period='0.07 s' offset='0.02 s' start='-2 s'/>"
      "<SampleHold id='now' of='t' period='0.1 s' start='-3 s'/>"
      "<SampleHold id='late' of='t' period='0.1 s' offset='0.63 s' start='-4 s'/>"
      "<Sf id='s' flow='1[A/s]*a'/><C id='C' c='1 F'/><bond from='s' to='C'/></network>"
      "<run t-start='0.7 s' t-end='2 s'/></screwbond>");
  const struct {
    double t, a, b, now, late;
  } rows[] = {{0.7, -1, -2, 0.7, -4},          {0.712, -1, -2, 0.7, -4},
              {0.714, 0.713, -2, 0.7, -4},     {0.725, 0.713, 0.72, 0.7, -4},
              {0.735, 0.713, 0.72, 0.7, 0.73}, {1.32, 1.313, 1.28, 1.3, 1.23}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    advance(&r, rows[i].t);
    assert_near(value(&r, "a.value"), rows[i].a, 1e-12);
    assert_near(value(&r, "b.value"), rows[i].b, 1e-12);
    assert_near(value(&r, "now.value"), rows[i].now, 1e-12);
    assert_near(value(&r, "late.value"), rows[i].late, 1e-12);
  }
  stop(&r);
}

/** An integrator under a digital controller: x[k+1] = x[k] - K T x[k]; and what it costs: no event shows. */
static void a_digital_controller_is_a_recursion(void **state) {
  (void)state;
  run r = go("<network domain='translation'><signal id='v' of='m.f'/>"
             "<SampleHold id='measured' of='v' period='20 ms'/>"
             "<Se id='drive' effort='-30[N.s/m]*measured'/><I id='m' mass='2 kg' p0='4 N.s'/>"
             "<bond from='drive' to='m'/></network>",
             1.01);
  // 51 samples; the last holds for half a period
  double v = 2 * pow(1 - 15 * 0.02, 50);
  assert_near(value(&r, "measured.value"), v, 1e-12);
  assert_near(value(&r, "m.f"), v * (1 - 15 * 0.01), 1e-12);
  assert_int_equal(ledger_of(&r)->event_count, 0);
  stop(&r);
}

/** Step responses by partial fractions. */
static void transfer_functions_follow_their_step_responses(void **state) {
  (void)state;
  const double t = 0.7;
  const double w = sqrt(1 - 0.01), decay = exp(-0.1 * t);
  const struct {
    const char *num, *den;
    double value;
  } rows[] = {
      {"1", "1 2", 0.5 * (1 - exp(-2 * t))},
      {"1 1", "1 10", 0.1 + 0.9 * exp(-10 * t)},
      {"3", "2", 1.5},
      {"1", "1 0 0", 0.5 * t * t},
      {"2 0", "1 0", 2},
      {"1", "1 0.2 1", 1 - decay * (cos(w * t) + 0.1 / w * sin(w * t))},
      {"1", "1 3 3 1", 1 - exp(-t) * (1 + t + 0.5 * t * t)},
      {"1 0 0", "1 3 2", -exp(-t) + 2 * exp(-2 * t)},
      {"1e12", "1 2e6 1e12", 1},
      {"1e-12", "1 2e-6 1e-12", 0.5e-12 * t * t * (1 - 2e-6 * t / 3)},
      {"0 0 3", "1 2", 1.5 * (1 - exp(-2 * t))}, // zeros that lead
      {"0 2 0", "0 0 1 0", 2},
      {"0 0 6", "0.5 0.5 3",
       2 * (1 - exp(-t / 2) * (cos(sqrt(5.75) * t) + 0.5 / sqrt(5.75) * sin(sqrt(5.75) * t)))},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[700];
    (void)snprintf(text, sizeof text,
                   "<network domain='electric'><TransferFunction id='f' of='2[V] + 0[V]*t/1[s]' "
                   "num='%s' den='%s' gain='5 A/V'/><Sf id='s' flow='f'/><C id='C' c='1 F'/>"
                   "<bond from='s' to='C'/></network>",
                   rows[i].num, rows[i].den);
    run r = prepare_inside(text);
    sb_options options = options_of("kvaerno-5", 1e-10);
    options.atol = 1e-24;
    start_by(&r, &options);
    advance(&r, t);
    assert_near(value(&r, "f.value") / rows[i].value / 10, 1, 1e-7);
    stop(&r);
  }
}

/** In a loop: y = (1/(s + 1)) (1 - y) is 1/(s + 2). */
static void transfer_functions_close_loops(void **state) {
  (void)state;
  run r = go("<network domain='electric'><TransferFunction id='y' of='1 - y' num='1' den='1 1'/>"
             "<Sf id='s' flow='1[A]*y'/><C id='C' c='1 F'/><bond from='s' to='C'/></network>",
             1.3);
  assert_near(value(&r, "y.value"), 0.5 * (1 - exp(-2.6)), 1e-9);
  stop(&r);
}

/** Behind an RC low-pass of 0.5 s: (s + 4)/((0.5 s + 1)(s^2 + 0.6 s + 25)) at 3 rad/s. */
static void transfer_functions_are_linearised(void **state) {
  (void)state;
  run r = prepare_inside(
      "<network domain='electric'><Se id='u' effort='1 V'/><J1 id='j'/><R id='R' r='2 ohm'/>"
      "<C id='C' c='0.25 F'/><bond from='u' to='j'/><bond from='j' to='R'/><bond from='j' to='C'/>"
      "<signal id='v' of='C.e'/><TransferFunction id='f' of='v' num='1 4' den='1 0.6 25'/>"
      "<Se id='w' effort='f'/><R id='R2' r='1 ohm'/><bond from='w' to='R2'/></network>");
  start_by(&r, &r.netlist->options);
  static const char *const input = "u", *const output = "R2.e";
  const sb_linear_request request = {
      .inputs = &input, .input_count = 1, .outputs = &output, .output_count = 1};
  sb_linear *linear = NULL;
  sb_error err = {0};
  double re, im;
  ok(sb_linearize(r.sim, &request, &linear, &err), &err);
  assert_int_equal(linear->states, 3);
  ok(sb_linear_response(linear, 3, &re, &im, NULL, &err), &err);
  const double complex s = 3 * I, h = (s + 4) / ((0.5 * s + 1) * (s * s + 0.6 * s + 25));
  assert_near(re, creal(h), 1e-9);
  assert_near(im, cimag(h), 1e-9);
  sb_linear_destroy(linear);
  stop(&r);
}

/** The first error of a netlist. */
static void refuse(const char *inside, sb_status status, const char *wanted) {
  char text[2000], got[800];
  sb_netlist *netlist = NULL;
  sb_model *model = NULL;
  sb_errors errors = {0};
  assert_true(snprintf(text, sizeof text,
                       "<screwbond version='1' id='m'><network domain='electric'>\n%s\n"
                       "<Sf id='s' flow='1 A'/><C id='C' c='1 F'/><bond from='s' to='C'/></network>"
                       "<run t-end='1 s'/></screwbond>",
                       inside) < (int)sizeof text);
  sb_status have = sb_netlist_parse("test.xml", text, strlen(text), NULL, 0, &netlist, &errors);
  if (have == SB_OK) {
    have = sb_model_compile(netlist->graph, &model, &errors);
  }
  assert_true(errors.count >= 1);
  (void)snprintf(got, sizeof got, "%d:%d: %s", errors.items[0].line, errors.items[0].column,
                 errors.items[0].text);
  assert_string_equal(got, wanted);
  assert_int_equal(have, status);
  sb_errors_finish(&errors);
  sb_model_destroy(model);
  sb_netlist_destroy(netlist);
}

static void faults_are_placed(void **state) {
  (void)state;
  refuse("<Hysteresis id='h' of='t/1[s]' rising='1' falling='1'/>", SB_ERR_RANGE,
         "2:40: Hysteresis 'h': rising must be above falling: 1 is not above 1");
  refuse("<Hysteresis id='h' of='t' rising='1 V' falling='0 s'/>", SB_ERR_DIMENSION,
         "2:37: Hysteresis 'h': the unit 'V' does not fit: expected a unit like s");
  refuse("<Hysteresis id='h' of='t' rising='1 s' falling='0 s' above='1 V' below='2 A'/>",
         SB_ERR_DIMENSION,
         "2:75: Hysteresis 'h': the unit 'A' does not fit: expected a unit like V");
  refuse("<Hysteresis id='h' rising='1 s' falling='0 s'/>", SB_ERR_MISSING,
         "2:1: <Hysteresis> needs the attribute 'of'");
  refuse("<SampleHold id='h' of='t'/>", SB_ERR_MISSING,
         "2:1: <SampleHold> needs the attribute 'period'");
  refuse("<SampleHold id='h' of='x' period='1 s'/>", SB_ERR_REFERENCE,
         "2:24: SampleHold 'h': unknown parameter 'x'");
  refuse("<SampleHold id='h' of='t' period='0 s'/>", SB_ERR_RANGE,
         "2:35: SampleHold 'h': period must be positive");
  refuse("<TransferFunction id='y' of='1 - y' num='1 3' den='1 1'/>", SB_ERR_REFERENCE,
         "2:1: circular reference among the signals: y -> y");
  refuse("<TransferFunction id='f' of='t' num='1 0 0' den='1 1'/>", SB_ERR_DIMENSION,
         "2:38: TransferFunction 'f': the transfer function is not proper: num is of order 2, den "
         "of 1");
  refuse("<TransferFunction id='f' of='t' num='0 0 2 0 0' den='0 1 1'/>", SB_ERR_DIMENSION,
         "2:38: TransferFunction 'f': the transfer function is not proper: num is of order 2, den "
         "of 1");
  refuse("<TransferFunction id='f' of='t' num='1' den='0 0'/>", SB_ERR_RANGE,
         "2:46: TransferFunction 'f': num and den need coefficients, and those of den must not all "
         "be zero");
  refuse("<TransferFunction id='f' of='t' num='1' den='-1e-101 1'/>", SB_ERR_RANGE,
         "2:46: TransferFunction 'f': the leading coefficient of den must be from 1e-100 to 1e+100 "
         "in SI "
         "units, or minus that, not -1e-101");
  refuse("<TransferFunction id='f' of='t' num='1' den='1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1'/>",
         SB_ERR_LIMIT, "2:46: TransferFunction 'f': the order is 17, at most 16");
}

/** A loop that is closed by samples has no linear equation in continuous time: it would look open. */
static void samplers_are_not_linearised(void **state) {
  (void)state;
  static const char *const loops[] = {
      "<SampleHold id='u' of='x' period='0.1 s'/><Sf id='s' flow='-1[S]*u'/>",
      "<SampleHold id='u' of='u + 0.1*x' period='0.1 s'/><Sf id='s' flow='-1[S]*u'/>",
      "<SampleHold id='u' of='x' period='0.1 s'/><TransferFunction id='y' of='u' num='1' den='1 "
      "1'/>"
      "<Sf id='s' flow='-1[S]*y'/>"};
  for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
    char text[500];
    sb_error err = {0};
    sb_linear *linear = NULL;
    static const char *const output = "C.e";
    const sb_linear_request request = {.outputs = &output, .output_count = 1};
    (void)snprintf(text, sizeof text,
                   "<network domain='electric'><signal id='x' of='C.e'/>%s<C id='C' c='1 F'/>"
                   "<bond from='s' to='C'/></network>",
                   loops[i]);
    run r = prepare_inside(text);
    start_by(&r, &r.netlist->options);
    assert_int_equal(sb_linearize(r.sim, &request, &linear, &err), SB_ERR_USAGE);
    assert_string_equal(err.text, "the sampler 'u' cannot be linearised");
    stop(&r);
  }
}

/** Samples that are closer than the steps of what they move cost a step each, not two: u' = -(what was u at the last sample), u[k] = (1 - T)^k. */
static void a_sample_costs_a_step(void **state) {
  (void)state;
  run r = prepare_inside("<network domain='electric'><signal id='x' of='C.e'/>"
                         "<SampleHold id='u' of='x' period='1 ms'/><Sf id='s' flow='-1[S]*u'/>"
                         "<C id='C' c='1 F' q0='1'/><bond from='s' to='C'/></network>");
  start_by(&r, &r.netlist->options);
  advance(&r, 1);
  assert_near(value(&r, "C.e"), pow(1 - 1e-3, 1000), 1e-12);
  assert_true(ledger_of(&r)->work.steps < 1100);
  assert_balanced(&r);
  stop(&r);
}

/** What blocks remember is there before anything is evaluated by it: a load of constant power, a lever of as many to one, a table and a brake. */
static void what_reads_a_block_at_the_start(void **state) {
  (void)state;
  static const char *const blocks[] = {
      "<SampleHold id='d' of='%s' period='1 ms'/>", "<Delay id='d' of='%s' delay='10 ms'/>",
      "<signal id='u' value='%s'/><Hysteresis id='d' of='u' rising='2 V' falling='1 V' above='8 V' "
      "below='0 V'/>",
      "<SampleHold id='h' of='%s' period='1 ms'/><Delay id='d' of='h' delay='10 ms'/>",
      "<signal id='u' value='%s'/><Hysteresis id='p' of='u' rising='2 V' falling='1 V' above='5 V' "
      "below='0 V'/><Hysteresis id='q' of='p' rising='4 V' falling='3 V' above='8 V' below='0 V'/>"
      "<SampleHold id='d' of='q' period='1 ms'/>"};
  enum { BLOCKS = sizeof blocks / sizeof blocks[0] };
  static const struct {
    const char *network, *name, *input;
    double value;
  } models[] = {
      {"<C id='C' c='1 mF' q0='8 mC'/><Sf id='l' flow='-16[W]/d'/><J0 id='n'/><R id='r' r='1'/>"
       "<bond from='l' to='n'/><bond from='n' to='C'/><bond from='n' to='r'/><signal id='v' "
       "of='C.e'/>",
       "l.f", "v", -2},
      {"<Se id='s' effort='4 V'/><MTF id='t' ratio='d/1[V]'/><R id='r' r='1 ohm'/><bond from='s' "
       "to='t'/><bond from='t' to='r'/>",
       "r.e", "8[V]*cos(t/1[s])", 0.5},
      {"<Se id='s' effort='d'/><J1 id='a'/><R id='r' r='1'/><R id='x' flows='-1 0 10 A' "
       "efforts='-100 0 10 V'/><bond from='s' to='a'/><bond from='a' to='r'/><bond from='a' "
       "to='x'/>",
       "x.f", "8[V]*cos(t/1[s])", 4},
      {"<J1 id='m'/><I id='J' l='1'/><Friction id='F' coulomb='d'/><Se id='T' effort='7 V'/><bond "
       "from='T' to='m'/><bond from='m' to='J'/><bond from='m' to='F'/>",
       "F.e", "8[V]*cos(t/1[s])", 7}};
  for (int i = 0; i < 4 * BLOCKS; i++) {
    char block[400], text[1500];
    (void)snprintf(block, sizeof block, blocks[i % BLOCKS], models[i / BLOCKS].input);
    (void)snprintf(text, sizeof text, "<network domain='electric'>%s%s</network>",
                   models[i / BLOCKS].network, block);
    run r = start(text, 1e-8, 0);
    assert_near(value(&r, models[i / BLOCKS].name), models[i / BLOCKS].value, 1e-12);
    advance(&r, 0.5e-3);
    assert_near(value(&r, models[i / BLOCKS].name), models[i / BLOCKS].value, 1e-5);
    stop(&r);
  }
}

/** What is sampled at the start is by the modes in which it begins: the current through a diode or a switch that is closed, the force that a stop bears, or
 *  friction, and the voltage behind a diode that a relay reads. */
static void samples_of_the_modes_of_the_start(void **state) {
  (void)state;
  static const struct {
    const char *network, *input;
    double value;
  } models[] = {
      {"<Se id='a' effort='5 V'/><J1 id='j'/><Diode id='D'/><R id='r' r='1 ohm'/><bond from='a' "
       "to='j'/><bond from='j' to='D'/><bond from='j' to='r'/>",
       "r.f", 5},
      {"<Se id='a' effort='5 V'/><J1 id='j'/><Switch id='S' closes='v - 1[V]' opens='0.5[V] - "
       "v'/><R id='r' r='1 "
       "ohm'/><bond from='a' to='j'/><bond from='j' to='S'/><bond from='j' to='r'/><signal id='v' "
       "of='a.e'/>",
       "r.f", 5},
      {"<Se id='a' effort='-5 V'/><J1 id='j'/><I id='m' l='1'/><Stop id='s' lower='0'/><bond "
       "from='a' to='j'/><bond from='j' to='m'/><bond from='j' to='s'/>",
       "s.e", -5},
      {"<Se id='a' effort='3 V'/><J1 id='j'/><I id='m' l='1'/><Friction id='s' coulomb='4 "
       "V'/><bond "
       "from='a' to='j'/><bond from='j' to='m'/><bond from='j' to='s'/>",
       "s.e", 3},
      {"<Se id='a' effort='6 V'/><J1 id='j'/><Diode id='D'/><R id='r' r='1 ohm'/><bond from='a' "
       "to='j'/><bond from='j' to='D'/><bond from='j' to='r'/><signal id='u' of='r.e'/><Hysteresis "
       "id='p' of='u' rising='2 V' falling='1 V' above='7 V' below='0 V'/><signal id='twice' "
       "value='2*p'/><SampleHold id='d' of='twice' period='0.3 s'/>",
       NULL, 14}};
  for (int i = 0; i < 5; i++) {
    char text[1500], own[200] = "";
    if (models[i].input != NULL) {
      (void)snprintf(own, sizeof own,
                     "<signal id='x' of='%s'/><SampleHold id='d' of='x' period='0.3 s'/>",
                     models[i].input);
    }
    (void)snprintf(text, sizeof text, "<network domain='electric'>%s%s</network>",
                   models[i].network, own);
    run r = start(text, 1e-8, 0);
    assert_near(value(&r, "d"), models[i].value, 1e-12);
    advance(&r, 0.2);
    assert_near(value(&r, "d"), models[i].value, 1e-12);
    advance(&r, 0.4);
    assert_near(value(&r, "d"), models[i].value, 1e-12);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(samplers_are_not_linearised),
      cmocka_unit_test(what_reads_a_block_at_the_start),
      cmocka_unit_test(samples_of_the_modes_of_the_start),
      cmocka_unit_test(a_sample_costs_a_step),
      cmocka_unit_test(a_relay_switches_at_its_thresholds),
      cmocka_unit_test(a_relay_starts_on_its_side),
      cmocka_unit_test(relays_make_no_chatter),
      cmocka_unit_test(samplers_make_recursions),
      cmocka_unit_test(the_clock_is_not_moved_by_the_start),
      cmocka_unit_test(a_digital_controller_is_a_recursion),
      cmocka_unit_test(transfer_functions_follow_their_step_responses),
      cmocka_unit_test(transfer_functions_close_loops),
      cmocka_unit_test(transfer_functions_are_linearised),
      cmocka_unit_test(faults_are_placed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
