// SPDX-License-Identifier: GPL-3.0-or-later
// Switch, clutch and diode: structures whose kernel changes with their mode, and causality with it.
#include "tests/fixture.h"

/** A diode lets an LC circuit swing for one half cycle: the capacitor ends with the opposite charge,
 *  without loss, and keeps it. */
static void diode_stops_after_half_a_cycle(void **state) {
  (void)state;
  run r = go("<network domain='electric'><J1 id='j'/><C id='C1' c='0.6 F' q0='-1.3 C'/>"
             "<I id='L1' l='0.4 H'/><Diode id='D'/><bond from='j' to='C1'/>"
             "<bond from='j' to='L1'/><bond from='j' to='D'/></network>",
             5);
  const sb_ledger *ledger = ledger_of(&r);
  assert_int_equal(ledger->event_count, 2);
  assert_near(ledger->events[0].t, 0, 1e-8);
  assert_near(ledger->events[1].t, pi * sqrt(0.4 * 0.6), 1e-8);
  assert_near(ledger->total.event_loss, 0, 1e-12);
  assert_near(value(&r, "C1.q"), 1.3, 1e-8);
  assert_near(value(&r, "L1.f"), 0, 1e-14);
  assert_near(value(&r, "D.e"), -1.3 / 0.6, 1e-8);
  assert_near(value(&r, "D.f"), 0, 1e-14);
  stop(&r);
}

/** Half-wave rectifier into a resistor: half the energy of the full wave, switching at zeros. */
static void diode_rectifies(void **state) {
  (void)state;
  run r = go("<network domain='electric'>"
             "<Se id='U' effort='10 V' waveform='sine' frequency='0.5 Hz'/><J1 id='j'/>"
             "<R id='R1' r='2.385'/><Diode id='D'/><bond from='U' to='j'/>"
             "<bond from='j' to='R1'/><bond from='j' to='D'/></network>",
             4);
  const sb_ledger *ledger = ledger_of(&r);
  assert_near_relative(ledger->total.dissipated, 2 * 100 / 2.385 / 2, 1e-7); // 2 of 4 half waves
  for (int i = 1; i < ledger->event_count; i++) {
    assert_near(ledger->events[i].t, i, 1e-6);
  }
  assert_true(ledger->event_count == 4 || ledger->event_count == 5); // the last is at the end
  stop(&r);
}

/** Zero volts: nothing to conduct, nothing to block, no chatter. */
static void diode_is_quiet_at_zero(void **state) {
  (void)state;
  run r = go("<network domain='electric'><Se id='U' effort='0 V'/><J1 id='j'/><R id='R1' r='2'/>"
             "<I id='L' l='1'/><Diode id='D'/><bond from='U' to='j'/><bond from='j' to='R1'/>"
             "<bond from='j' to='L'/><bond from='j' to='D'/></network>",
             4);
  assert_int_equal(ledger_of(&r)->event_count, 0);
  stop(&r);
}

/** The clutch as an element: 1 and 3 kg m^2 at 10 rad/s and 0 lose 37.5 J, and part again. */
static void clutch_joins_and_parts(void **state) {
  (void)state;
  run r = go("<network domain='rotation'><J1 id='a'/><J1 id='b'/><I id='A' l='1' p0='10'/>"
             "<I id='B' l='3'/><R id='r' r='0.9'/><Clutch id='K' times='0.5 1.5 s'/>"
             "<bond from='a' to='A'/><bond from='a' to='K'/><bond from='K' to='b'/>"
             "<bond from='b' to='B'/><bond from='b' to='r'/></network>",
             2);
  const sb_ledger *ledger = ledger_of(&r);
  assert_int_equal(ledger->event_count, 2);
  assert_near(ledger->events[0].loss, 37.5, 1e-12);
  assert_near(ledger->events[1].loss, 0, 1e-12);
  double together = 2.5 * exp(-0.9 / 4 * 1.0);
  assert_near_relative(value(&r, "A.f"), together, 1e-9);
  assert_near_relative(value(&r, "B.f"), together * exp(-0.9 / 3 * 0.5), 1e-9);
  stop(&r);
}

/** A switch that opens an inductor's current lets it no way: its energy is lost at once. */
static void switch_breaks_a_current(void **state) {
  (void)state;
  run r = go("<network domain='electric'><J1 id='j'/><I id='L' l='0.5 H' p0='1 Wb'/>"
             "<R id='R1' r='0.7'/><Switch id='S' state='closed' times='0.3 s'/>"
             "<bond from='j' to='L'/><bond from='j' to='R1'/><bond from='j' to='S'/></network>",
             1);
  const sb_ledger *ledger = ledger_of(&r);
  double p = exp(-0.7 / 0.5 * 0.3);
  assert_int_equal(ledger->event_count, 1);
  assert_near_relative(ledger->events[0].loss, p * p / (2 * 0.5), 1e-9);
  assert_near(value(&r, "L.f"), 0, 1e-14);
  stop(&r);
}

/** When the switch opens, the diode carries the coil's current on in the same instant; when it closes
 *  again, the diode lets go. u = U or 0 at R and L in series. */
static const char freewheel[] =
    "<network domain='electric'><Se id='U' effort='7.3 V'/><J1 id='in'/><J0 id='h'/>"
    "<Switch id='S' state='closed' times='0.5 0.9 s'/><J1 id='g'/>%s<J1 id='j'/>"
    "<I id='L' l='0.4 H'/><R id='R1' r='0.9 ohm'/><bond from='U' to='in'/>"
    "<bond from='in' to='S'/><bond from='in' to='h'/><bond from='g' to='h'/>"
    "<bond from='h' to='j'/><bond from='j' to='L'/><bond from='j' to='R1'/></network>";

static double freewheeling(double t) {
  const double end = 7.3 / 0.9, rate = 0.9 / 0.4;
  double top = end * (1 - exp(-rate * 0.5)), low = top * exp(-rate * 0.4);
  return t < 0.5   ? end * (1 - exp(-rate * t))
         : t < 0.9 ? top * exp(-rate * (t - 0.5))
                   : end + (low - end) * exp(-rate * (t - 0.9));
}

static void check_freewheel(const char *diodes, int events) {
  char text[2000];
  (void)snprintf(text, sizeof text, freewheel, diodes);
  run r = go(text, 0.7);
  assert_near_relative(value(&r, "L.f"), freewheeling(0.7), 1e-9);
  assert_near_relative(value(&r, "D.f"), freewheeling(0.7), 1e-9);
  assert_near(value(&r, "S.f"), 0, 0);
  stop(&r);
  r = go(text, 1.3);
  const sb_ledger *ledger = ledger_of(&r);
  assert_near_relative(value(&r, "L.f"), freewheeling(1.3), 1e-9);
  assert_near(value(&r, "D.f"), 0, 0);
  assert_int_equal(ledger->event_count, events);
  assert_near(ledger->total.event_loss, 0, 1e-13);
  stop(&r);
}

static void diode_takes_over_a_current(void **state) {
  (void)state;
  check_freewheel("<Diode id='D'/><bond from='g' to='D'/>", 4);
}

/** The coil of an asymmetric half bridge gives its energy back to the supply through two diodes. */
static void two_diodes_take_over_a_current(void **state) {
  (void)state;
  run r = go("<network domain='electric'><Se id='U' effort='7.3 V'/><J0 id='plus'/><J1 id='s'/>"
             "<Switch id='S' state='closed' times='0.5 s'/><J0 id='a'/><J1 id='d'/>"
             "<Diode id='D'/><J1 id='j'/><I id='L' l='0.4 H'/><R id='R1' r='0.9'/><J0 id='b'/>"
             "<Switch id='T' state='closed' times='0.5 s'/><J1 id='e'/><Diode id='E'/>"
             "<bond from='U' to='plus'/><bond from='plus' to='s'/><bond from='s' to='S'/>"
             "<bond from='s' to='a'/><bond from='d' to='D'/><bond from='d' to='a'/>"
             "<bond from='a' to='j'/><bond from='j' to='L'/><bond from='j' to='R1'/>"
             "<bond from='j' to='b'/><bond from='b' to='T'/><bond from='b' to='e'/>"
             "<bond from='e' to='E'/><bond from='e' to='plus'/></network>",
             0.6);
  const double end = 7.3 / 0.9, rate = 0.9 / 0.4, top = end * (1 - exp(-rate * 0.5));
  assert_near_relative(value(&r, "L.f"), (top + end) * exp(-rate * 0.1) - end, 1e-9);
  assert_near_relative(value(&r, "U.f"), end - (top + end) * exp(-rate * 0.1), 1e-9);
  assert_int_equal(ledger_of(&r)->event_count, 4);
  assert_near(ledger_of(&r)->total.event_loss, 0, 1e-13);
  stop(&r);
}

/** Two switches that change over together leave no moment at which both are open. */
static void switches_change_over_together(void **state) {
  (void)state;
  check_freewheel("<Switch id='D' state='open' times='0.5 0.9 s'/><bond from='g' to='D'/>", 4);
}

/** Any number of them: the currents of 40 coils go from one switch to another, I(t) = I(0) exp(-R t/L), and lose nothing. */
static void many_switches_change_over_together(void **state) {
  (void)state;
  static const char netlist[] =
      "<network domain='electric'>"
      "<repeat index='k' count='40'><J1 id='j[k]'/><J0 id='n[k]'/><I id='L[k]' l='0.4 H' "
      "p0='1 Wb'/>"
      "<R id='R[k]' r='0.9'/><bond from='j[k]' to='L[k]'/><bond from='j[k]' to='R[k]'/>"
      "<bond from='j[k]' to='n[k]'/></repeat>"
      "<repeat index='k' count='40'><Switch id='S[k]' state='closed' times='0.5 s'/>"
      "<bond from='n[k]' to='S[k]'/></repeat>"
      "<repeat index='k' count='40'><Switch id='D[k]' state='open' times='0.5 s'/>"
      "<bond from='n[k]' to='D[k]'/></repeat></network>";
  run r = go(netlist, 1);
  assert_near_relative(value(&r, "L[1].f"), 2.5 * exp(-0.9 / 0.4), 1e-9);
  assert_near_relative(value(&r, "L[40].f"), 2.5 * exp(-0.9 / 0.4), 1e-9);
  assert_int_equal(ledger_of(&r)->event_count, 80);
  assert_near(ledger_of(&r)->total.event_loss, 0, 0);
  stop(&r);
}

/** The switches of a leg change over by conditions that come true together, 48 V or 0 on a coil by halves of a period T = 2 ms: in the
 *  steady state I = (48/R)/(1 + exp(-R T/(2 L))) at the end of the upper half. What stands first in the file does not matter. */
static void a_leg_changes_over_by_conditions(void **state) {
  (void)state;
  static const char *const upper = "<Switch id='U' closes='s'/>",
                           *const lower = "<Switch id='D' state='closed' closes='-s'/>";
  for (int first = 0; first < 2; first++) {
    char text[2000];
    (void)snprintf(
        text, sizeof text,
        "<network domain='electric'>%s%s<signal id='s' value='sin(pi*(1[kHz]*t))'/>"
        "<Se id='B' effort='48 V'/><J1 id='u'/><J0 id='n'/><J1 id='l'/><I id='L' l='2 mH'/>"
        "<R id='R1' r='3 ohm'/><bond from='B' to='u'/><bond from='u' to='U'/>"
        "<bond from='u' to='n'/><bond from='n' to='D'/><bond from='n' to='l'/>"
        "<bond from='l' to='L'/><bond from='l' to='R1'/></network>",
        first == 0 ? upper : lower, first == 0 ? lower : upper);
    run r = go(text, 0.041);
    assert_near_relative(value(&r, "L.f"), 16 / (1 + exp(-1.5)), 1e-9);
    assert_int_equal(events_of(&r, "switch", "U"), events_of(&r, "switch", "D"));
    assert_near(ledger_of(&r)->total.event_loss, 0, 1e-15);
    stop(&r);
  }
}

/** A current at the start finds its diode; one against it ends at once. */
static void diode_carries_a_first_current(void **state) {
  (void)state;
  const char *const coil =
      "<network domain='electric'><J1 id='j'/><Diode id='D'/><I id='L' l='0.4 H' p0='%s'/>"
      "<R id='R1' r='0.9'/><bond from='j' to='D'/><bond from='j' to='L'/>"
      "<bond from='j' to='R1'/></network>";
  char text[1000];
  (void)snprintf(text, sizeof text, coil, "1 Wb");
  run r = go(text, 1);
  assert_near_relative(value(&r, "D.f"), 2.5 * exp(-0.9 / 0.4), 1e-9);
  assert_near(ledger_of(&r)->total.event_loss, 0, 0);
  stop(&r);
  (void)snprintf(text, sizeof text, coil, "-1 Wb");
  r = go(text, 1);
  assert_near(value(&r, "D.f"), 0, 0);
  assert_near(ledger_of(&r)->total.event_loss, 1.25, 1e-15);
  stop(&r);
}

/** A capacitor behind a diode keeps its voltage when the source falls. */
static void diode_holds_a_peak(void **state) {
  (void)state;
  run r = go("<network domain='electric'>"
             "<Se id='U' effort='-4 V' offset='10 V' waveform='step' start='0.3 s'/><J1 id='j'/>"
             "<Diode id='D'/><C id='C1' c='0.6 F' q0='6 C'/><bond from='U' to='j'/>"
             "<bond from='j' to='D'/><bond from='j' to='C1'/></network>",
             1);
  assert_near(value(&r, "C1.e"), 10, 1e-14);
  assert_near(value(&r, "D.e"), -4, 1e-13);
  assert_near(ledger_of(&r)->total.event_loss, 0, 0);
  stop(&r);
}

/** Times that come again: closed from 0.1 to 0.4 of every 0.7 s. */
static void switch_repeats_its_times(void **state) {
  (void)state;
  run r = go("<network domain='electric'><Se id='U' effort='7.3 V'/><J1 id='j'/>"
             "<R id='R1' r='1.9'/><Switch id='S' times='0.1 0.4 s' period='0.7 s'/>"
             "<bond from='U' to='j'/><bond from='j' to='R1'/><bond from='j' to='S'/></network>",
             7);
  const sb_ledger *ledger = ledger_of(&r);
  assert_int_equal(ledger->event_count, 20);
  for (int i = 0; i < 20; i++) {
    assert_near(ledger->events[i].t, 0.7 * (i / 2) + (i % 2 == 0 ? 0.1 : 0.4), 1e-14);
  }
  assert_near_relative(ledger->total.dissipated, 10 * 0.3 * 7.3 * 7.3 / 1.9, 1e-10);
  stop(&r);
}

static void faults_of_switches_are_worded(void **state) {
  (void)state;
  static const struct {
    double times[2];
    int count;
    const char *text;
  } faults[] = {{{0}, 0, "a period repeats times, and there are none"},
                {{0.1, 0.8}, 2, "the times from 0.1 s to 0.8 s do not fit into a period of 0.7 s"}};
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    sb_graph *graph;
    assert_int_equal(sb_graph_create("m", &graph, NULL), SB_OK);
    sb_element *element = add_kind(graph, "Switch", "S", "period", 0.7);
    sb_model *model = NULL;
    sb_errors errors = {0};
    if (faults[i].count > 0) {
      set_values(element, "times", faults[i].times, faults[i].count);
    }
    assert_int_equal(sb_model_compile(graph, &model, &errors), SB_ERR_RANGE);
    assert_contains(errors.items[0].text, faults[i].text);
    sb_errors_finish(&errors);
    sb_graph_destroy(graph);
  }
}

/** A capacitor of c farad that a switch charges below 2 V, and leaves above 2 V + gap.
 *  @return the last status; t: where it ended, in units of c ohm */
static sb_status relay(double c, double gap, const char *method, double *t, sb_error *err) {
  char text[1500];
  (void)snprintf(text, sizeof text,
                 "<screwbond version='1' id='m'><network domain='electric'>"
                 "<signal id='v' of='c.e'/><Se id='s' effort='5 V'/><J1 id='j'/>"
                 "<R id='r' r='1 ohm'/><J0 id='n'/><C id='c' c='%.17g F'/>"
                 "<Switch id='sw' closes='2[V] - v' opens='v - %.17g[V]'/>"
                 "<R id='load' r='2 ohm'/><bond from='s' to='j'/><bond from='j' to='r'/>"
                 "<bond from='j' to='sw'/><bond from='j' to='n'/><bond from='n' to='c'/>"
                 "<bond from='n' to='load'/></network>"
                 "<run t-end='%.17g s' step='%.17g s' method='%s'/></screwbond>",
                 c, 2 + gap, 2 * c, 1e-2 * c, method);
  sb_status status = try_run(text, 2 * c, t, err);
  *t /= c;
  return status;
}

/** Without hysteresis it ends where 5 V/1.5 (1 - exp(-1.5 t)) reaches 2 V, whatever the scale of time; a
 *  gap of 1 mV is enough, and makes thousands of legitimate events. */
/** A coil of 1 mH at 10 V is switched on by a clock, for 0.2 ms each ms, and off at 1 A after 0.1 ms: it stays off for the rest of the pulse,
 *  while a diode leads the current to 20 V, down to zero in another 0.1 ms. */
static void peak_current_control(void **state) {
  (void)state;
  static const char *const clocks[] = {"if(mod(t, 1[ms]) &lt; 0.2[ms], 1, 0)", "sin(2*pi*t/1[ms])"};
  for (int i = 0; i < 4; i++) {
    char text[1200];
    (void)snprintf(text, sizeof text,
                   "<network domain='electric'><Se id='s' effort='10 V'/><J1 id='a'/><I id='L' "
                   "l='1 mH'/><J0 id='x'/><Switch id='S' closes='clock - 0.5' opens='i - 1[A]'/>"
                   "<signal id='i' of='S.f'/><signal id='clock' value='%s'/><J1 id='d'/><Diode "
                   "id='D'/><Se id='o' effort='-20 V'/><bond from='s' to='a'/><bond from='a' "
                   "to='L'/><bond from='a' to='x'/><bond from='x' to='S'/><bond from='x' to='d'/>"
                   "<bond from='d' to='D'/><bond from='o' to='d'/></network>",
                   clocks[i % 2]);
    run r = start(text, i < 2 ? 1e-8 : 1e-5, 0);
    advance(&r, 4.6e-3);
    const double on = i % 2 == 0 ? 0 : 1e-3 / 12; // sin = 1/2
    int count = 0;
    for (int k = 0; k < ledger_of(&r)->event_count; k++) {
      const sb_event *event = &ledger_of(&r)->events[k];
      if (strcmp(event->element, "S") == 0) {
        assert_near(event->t, 1e-3 * (count / 2) + on + (count % 2 == 0 ? 0 : 0.1e-3), 1e-11);
        count++;
      }
    }
    assert_int_equal(count, 10);
    assert_closes(&r);
    stop(&r);
  }
}

static void relay_without_hysteresis(void **state) {
  (void)state;
  static const char *const methods[] = {"dormand-prince-5", "kvaerno-5", "implicit-midpoint",
                                        "discrete-gradient"};
  static const double scales[] = {1e-8, 1e-4, 1, 1e3, 1e5, 1e6, 1e8};
  for (int m = 0; m < 4; m++) {
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i += THOROUGH ? 1 : 3) {
      sb_error err = {0};
      double t;
      assert_int_equal(relay(scales[i], 0, methods[m], &t, &err), SB_ERR_CHATTER);
      assert_contains(err.text, "'sw' switches without end at t = ");
      assert_contains(err.hint, "add hysteresis");
      assert_near(t, -log(1 - 2 * 1.5 / 5) / 1.5, 0.02);
      if (m == 0 && scales[i] > 1e-6) { // beyond the nanosecond that events may follow in
        assert_int_equal(relay(scales[i], 1e-3, methods[m], &t, &err), SB_OK);
      }
    }
  }
}

/** A battery is charged by the tops of a sine alone: 10 cos(a) - 9.995 at |a| < acos(0.9995), at the ends of steps or between
 *  them. */
static void diode_conducts_at_each_top(void **state) {
  (void)state;
  static const double phases[] = {0, 0.2, 0.385, 0.77};
  for (int i = 0; i < 4; i++) {
    char text[700];
    (void)snprintf(text, sizeof text,
                   "<network domain='electric'><Se id='u' effort='10[V]*sin(2*pi*t/20[ms] + %g)'/>"
                   "<Diode id='D'/><R id='r' r='0.1 ohm'/><Se id='b' effort='-9.995 V'/>"
                   "<J1 id='j'/><bond from='u' to='j'/><bond from='j' to='D'/>"
                   "<bond from='j' to='r'/><bond from='b' to='j'/></network>",
                   phases[i]);
    run r = start(text, 1e-7, 1e-9);
    advance(&r, 0.4);
    const double a = acos(0.9995), speed = 2 * pi / 0.02;
    const double top =
        2 / (0.1 * speed) * (50 * (a + sin(a) * cos(a)) - 199.9 * sin(a) + 99.900025 * a);
    assert_int_equal(ledger_of(&r)->work.events, 40);
    assert_near_relative(ledger_of(&r)->total.dissipated, 20 * top, 1e-5);
    stop(&r);
  }
}

/** Dry friction that a sine exceeds by 2e-4 gives way in each half wave. */
static void friction_gives_way_at_each_top(void **state) {
  (void)state;
  run r = go("<network domain='translation'>"
             "<Se id='F' effort='5.001 N' waveform='sine' frequency='1 Hz'/><I id='m' mass='1 kg'/>"
             "<Friction id='mu' coulomb='3 N' static='5 N'/><J1 id='j'/><bond from='F' to='j'/>"
             "<bond from='j' to='m'/><bond from='j' to='mu'/></network>",
             6);
  for (int n = 0; n < 12; n++) {
    assert_near(event_time(&r, "slip", n), 0.5 * n + asin(5 / 5.001) / (2 * pi), 1e-9);
  }
  assert_int_equal(events_of(&r, "slip", "mu"), 12);
  stop(&r);
}

/** Masses that may move forward alone, pulled from rest: all do, as without the diodes. Far down flows are rounding at first, of no sign. */
static void far_down_a_chain(void **state) {
  (void)state;
  static const char *const diodes[] = {"", "<Diode id='f[i]'/><bond from='v[i]' to='f[i]'/>"};
  double last[2];
  for (int form = 0; form < 2; form++) {
    char text[1500];
    assert_true(snprintf(text, sizeof text,
                         "<network domain='translation'><Se id='F' effort='1e5 N'/><J1 id='v[0]'/>"
                         "<I id='m[0]' mass='1234.5 kg'/><bond from='F' to='v[0]'/><bond "
                         "from='v[0]' to='m[0]'/><repeat index='i' count='6'><J0 id='j[i]'/><J1 "
                         "id='c[i]'/><C id='k[i]' energy='1e6[N/m]*max(0[m],q)^2/2'/><R id='d[i]' "
                         "r='1e4' exponent='2'/><J1 id='v[i]'/><I id='m[i]' mass='1234.5 "
                         "kg'/><bond from='v[i-1]' to='j[i]'/><bond from='j[i]' to='c[i]'/><bond "
                         "from='c[i]' to='k[i]'/><bond from='c[i]' to='d[i]'/><bond from='j[i]' "
                         "to='v[i]'/><bond from='v[i]' to='m[i]'/>%s</repeat></network>",
                         diodes[form]) < (int)sizeof text);
    run r = start(text, 1e-8, 0);
    advance(&r, 0.5);
    last[form] = value(&r, "m[6].f");
    assert_closes(&r);
    stop(&r);
  }
  assert_near_relative(last[0], last[1], 1e-6);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      repeating_test(far_down_a_chain),
      cmocka_unit_test(diode_stops_after_half_a_cycle),
      cmocka_unit_test(diode_rectifies),
      cmocka_unit_test(diode_is_quiet_at_zero),
      cmocka_unit_test(clutch_joins_and_parts),
      cmocka_unit_test(switch_breaks_a_current),
      cmocka_unit_test(diode_takes_over_a_current),
      cmocka_unit_test(two_diodes_take_over_a_current),
      cmocka_unit_test(switches_change_over_together),
      cmocka_unit_test(many_switches_change_over_together),
      cmocka_unit_test(a_leg_changes_over_by_conditions),
      cmocka_unit_test(diode_carries_a_first_current),
      cmocka_unit_test(diode_holds_a_peak),
      cmocka_unit_test(switch_repeats_its_times),
      cmocka_unit_test(faults_of_switches_are_worded),
      cmocka_unit_test(peak_current_control),
      repeating_test(relay_without_hysteresis),
      repeating_test(diode_conducts_at_each_top),
      cmocka_unit_test(friction_gives_way_at_each_top),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
