// SPDX-License-Identifier: GPL-3.0-or-later
// Pulses of a signal that moves evenly, in a force on a block that sticks: no state moves before it, and no step passes over it. And pulses in
// space, of a force, a coil and a pickup that masses pass which nothing else moves; and of energies and laws of what an element itself has.
#include "core/simulation/simulation_private.h"
#include "tests/core/simulation/by_method.h"

static const double width = 0.01; // [s]

/** How far the block slips in 10 s under a force [N] of x, 1/s times the time. */
static double slipped(const char *signals, const char *force, int *events) {
  char text[1500];
  (void)snprintf(text, sizeof text,
                 "<network domain='translation'><signal id='x' rate='1[1/s]'/>%s"
                 "<Se id='F' effort='%s'/><I id='m' mass='1 kg'/>"
                 "<Friction id='mu' coulomb='3 N' static='5 N'/><J1 id='j'/>"
                 "<bond from='F' to='j'/><bond from='j' to='m'/><bond from='j' to='mu'/>"
                 "<signal id='v' of='m.f'/><signal id='d' rate='abs(v)'/></network>",
                 signals, force);
  run r = go(text, 10);
  const double d = value(&r, "d");
  *events = (int)ledger_of(&r)->work.events;
  assert_true(ledger_of(&r)->structure.residual_relative < 1e-12);
  stop(&r);
  return d;
}

/** Under 6 N/(1 + s^2), s = (x - 5)/width, from s = -sqrt(1/5): the velocity is 6 atan(s) - 3 s, times the width and less that at the
 *  start, and the path its integral. */
static double velocity(double s) {
  return width * (6 * atan(s) - 3 * s);
}

static double path(double s) {
  return width * width * (6 * (s * atan(s) - 0.5 * log(1 + s * s)) - 1.5 * s * s);
}

static void pulse_breaks_loose(void **state) {
  (void)state;
  const double from = -sqrt(0.2);
  double low = 1, high = 100;
  for (int i = 0; i < 100; i++) {
    const double middle = 0.5 * (low + high);
    *(velocity(middle) > velocity(from) ? &low : &high) = middle;
  }
  const double expected = path(low) - path(from) - width * velocity(from) * (low - from);
  static const char *const rows[][2] = {
      {"", "6[N]/(1 + ((x - 5)/0.01)^2)"},
      {"<signal id='p' value='1/(1 + ((x - 5)/0.01)^2)'/>", "6[N]*p"},
      {"<TransferFunction id='p' of='2/(1 + ((x - 5)/0.01)^2)' num='1' den='2'/>", "6[N]*p"},
      {"", "if(x &gt; -1, 6[N], 0[N])/(1 + ((x - 5)/0.01)^2)"}};
  for (int i = 0; i < 4; i++) {
    int events;
    const double d = slipped(rows[i][0], rows[i][1], &events);
    if (!(fabs(d - expected) <= 1e-5 * expected)) {
      print_error("%s %s\n", rows[i][0], rows[i][1]);
    }
    assert_near_relative(d, expected, 1e-5);
    assert_int_equal(events, 3); // sticks at the start, slips, sticks
  }
}

/** A peak that is only just above what holds the block is between the ends of a step that sees the pulse. */
static void peaks_within_a_step(void **state) {
  (void)state;
  for (int k = 0; k < 8; k++) {
    char force[100];
    int events;
    (void)snprintf(force, sizeof force, "5.002[N]/(1 + ((x - 5.%d)/0.0%d)^2)", k, k + 1);
    assert_true(slipped("", force, &events) > 0);
    assert_int_equal(events, 3);
  }
}

/** What is smaller than it need be moves nothing, and costs few steps: a ripple, and a bend of what is monotone. */
static void pulses_that_are_too_small(void **state) {
  (void)state;
  static const char *const rows[] = {"4[N]*exp(-((x - 5)/0.01)^2)", "4[N]*tanh(x - 5)"};
  for (int i = 0; i < 2; i++) {
    int events;
    assert_near(slipped("", rows[i], &events), 0, 0);
    assert_int_equal(events, 1);
  }
}

/** The tails of a narrow pulse change e-fold within less than the differences that check its rate are over, which is no wrong rate: those
 *  over shorter times tell. */
static void tails_change_e_fold(void **state) {
  (void)state;
  int events;
  assert_true(slipped("", "6[N]*exp(-((x - 5)/1e-4)^2)", &events) > 0);
  assert_int_equal(events, 3);
}

/** A mass at 1 m/s passes at x = 0.5 m what is as narrow as w: a force F exp(-2 (x - 0.5)^2/w^2) takes F w sqrt(pi/2) of its energy, and a magnet in a
 *  coil K exp(-(x - 0.5)^2/w^2) on 1 ohm loses K^2 w sqrt(pi/2) of its speed, as does one that a resistance K exp(-(x - 0.5)^2/w^2) brakes
 *  K w sqrt(pi). */
static void pulses_in_space(void **state) {
  (void)state;
  const double area = sqrt(pi / 2);
  for (int i = 0; i < 30; i++) {
    const double w = 0.02 * pow(0.1, i / 6), rtol = pow(10, -5 - i % 6);
    char text[3][1200];
    (void)snprintf(
        text[0], sizeof text[0],
        "<screwbond version='1' id='m'><run t-end='1 s' rtol='%g'/><network "
        "domain='translation'><signal id='v' of='m.f'/><signal id='x' rate='v'/>"
        "<Se id='F' effort='-%.17g[N]*exp(-2*((x-0.5[m])/%.17g[m])^2)'/>"
        "<I id='m' mass='1 kg' p0='1 N.s'/><bond from='F' to='m'/></network></screwbond>",
        rtol, 0.2 / (w * area), w);
    (void)snprintf(
        text[1], sizeof text[1],
        "<screwbond version='1' id='m'><run t-end='1 s' rtol='%g'/><network "
        "domain='translation'><signal id='v' of='m.f'/><signal id='x' rate='v'/><J1 id='j'/>"
        "<MGY id='coil' ratio='%.17g[V.s/m]*exp(-((x-0.5[m])/%.17g[m])^2)'/>"
        "<R id='R' domain='electric' r='1 ohm'/><I id='m' mass='1 kg' p0='1 N.s'/>"
        "<bond from='j' to='m'/><bond from='j' to='coil'/><bond from='coil' to='R'/>"
        "</network></screwbond>",
        rtol, sqrt(0.2 / (w * area)), w);
    (void)snprintf(
        text[2], sizeof text[2],
        "<screwbond version='1' id='m'><run t-end='1 s' rtol='%g'/><network "
        "domain='translation'><signal id='v' of='m.f'/><signal id='x' rate='v'/><J1 id='j'/>"
        "<signal id='p' value='exp(-((x-0.5[m])/%.17g[m])^2)'/><R id='R' law='%.17g[N.s/m]*f*p'/>"
        "<I id='m' mass='1 kg' p0='1 N.s'/><bond from='j' to='m'/><bond from='j' to='R'/>"
        "</network></screwbond>",
        rtol, w, 0.2 / (w * sqrt(pi)));
    for (int k = 0; k < 3; k++) {
      run r = start_netlist(text[k]);
      advance(&r, 1);
      assert_near(value(&r, "m.f"), k == 0 ? sqrt(0.6) : 0.8, 10 * rtol);
      stop(&r);
    }
  }
}

/** A magnet that turns at w passes a pickup K exp(-(sin(th)/s)^2) on r once in each half turn, which loses
 *  K^2 w/r times the integral of exp(-2 (sin(th)/s)^2) over the angle. */
static void pickup_of_a_rotor(void **state) {
  (void)state;
  static const double widths[] = {0.3, 0.1, 0.05, 0.01};
  enum { PLACES = 20000 };
  for (int i = 0; i < 4; i++) {
    const double s = widths[i], turns = 5 * pi, w = 100;
    double integral = 0;
    for (int k = 0; k < PLACES; k++) { // the trapezoidal rule over a period
      const double sine = sin(pi * k / PLACES);
      integral += pi / PLACES * exp(-2 * sine * sine / (s * s));
    }
    char text[1200];
    (void)snprintf(text, sizeof text,
                   "<screwbond version='1' id='m'><run t-end='1 s' rtol='1e-8'/><network "
                   "domain='rotation'><Sf id='drive' flow='100 rad/s'/><J1 id='shaft'/>"
                   "<signal id='w' of='shaft.f'/><signal id='th' rate='w' start='-pi/2'/>"
                   "<MGY id='pickup' ratio='0.1[V.s/rad]*exp(-(sin(th)/%.17g)^2)'/>"
                   "<R id='load' domain='electric' r='1 ohm'/><bond from='drive' to='shaft'/>"
                   "<bond from='shaft' to='pickup'/><bond from='pickup' to='load'/>"
                   "</network></screwbond>",
                   s);
    run r = start_netlist(text);
    advance(&r, turns / w);
    assert_near_relative(value(&r, "load.lost"), 5 * 0.01 * w * integral, 1e-6);
    stop(&r);
  }
}

/** A mass of 0.5 J runs at a barrier of E [J] that is w [m] wide: it is thrown back, or passes. */
static void run_at(const char *element, double E, double w, const char *method, double rtol) {
  char barrier[300], text[900];
  (void)snprintf(barrier, sizeof barrier, element, E, w);
  (void)snprintf(text, sizeof text,
                 "<network domain='translation'><J1 id='j'/><I id='m' mass='1 kg' p0='1 N.s'/>"
                 "<bond from='j' to='m'/>%s</network>",
                 barrier);
  run r = start_by_method(text, method, rtol);
  advance(&r, 2);
  assert_near(value(&r, "m.p"), E > 0.5 ? -1 : 1, 100 * rtol);
  assert_closes(&r);
  stop(&r);
}

static void barriers(void **state) {
  (void)state;
  static const char *const methods[] = {"auto", "verner-6", "fehlberg-8", "kvaerno-5"};
  static const char *const elements[] = {
      "<C id='b' energy='%g[J]*exp(-((q - 0.5[m])/%.17g[m])^2)'/><bond from='j' to='b'/>",
      "<CField id='b' energy='%g[J]*exp(-((q1 - 0.5[m])/%.17g[m])^2) + 1[N/m]*q2^2'/>"
      "<Se id='s' effort='1 N'/><bond from='j' to='b.1'/><bond from='s' to='b.2'/>"};
  for (int i = 0; i < 24; i++) {
    const double w = 0.02 * pow(0.1, i % 4), E = i / 4 % 2 == 0 ? 1 : 1. / 6;
    const double rtol = pow(10, -5 - 3 * (i / 8));
    for (int k = 0; k < 4; k++) {
      run_at(elements[0], E, w, methods[k], rtol);
    }
    if (i / 8 == 1) {
      run_at(elements[1], E, w, "auto", rtol);
    }
  }
}

/** A law that goes in proportion to u - u0, and more so near a. */
typedef struct peaked {
  const char *text; // with a width
  const char *quantity;
  double from, to, u0, a;
} peaked;

static double rate_of(const peaked *p, double u, double w) {
  return (u - p->u0) * (0.3 + 2 * exp(-((u - p->a) / w) * ((u - p->a) / w)));
}

/** The time from one value to the other is the integral of du/rate(u), by Simpson's rule. */
static double time_of(const peaked *p, double w) {
  enum { PARTS = 200000 };
  const double h = (p->from - p->to) / PARTS;
  double T = 0;
  for (int k = 0; k <= PARTS; k++) {
    const double weight = k == 0 || k == PARTS ? 1 : k % 2 == 1 ? 4 : 2;
    T += weight * h / 3 / rate_of(p, p->to + h * k, w);
  }
  return T;
}

/** A mass of 1 kg that a law brakes, and a heat capacity of 1 J/K that cools down through one. */
static void peaks_of_laws(void **state) {
  (void)state;
  static const peaked laws[] = {
      {"<network domain='translation'><J1 id='j'/><I id='m' mass='1 kg' p0='1.2 N.s'/>"
       "<R id='b' law='f*(0.3[N.s/m] + 2[N.s/m]*exp(-((f - 0.8[m/s])/%.17g[m/s])^2))'/>"
       "<bond from='j' to='m'/><bond from='j' to='b'/></network>",
       "m.f", 1.2, 0.5, 0, 0.8},
      {"<network domain='thermal'><C id='c' energy='400[J]*exp(q/1[J/K])'/><Se id='s' "
       "effort='273 K'/><HeatR id='h' heat='(T1 - T2)*(0.3[W/K] + 2[W/K]*exp(-((T1 - 340[K])/"
       "%.17g[K])^2))'/><bond from='c' to='h'/><bond from='h' to='s'/></network>",
       "c.e", 400, 320, 273, 340}};
  for (int i = 0; i < 18; i++) {
    const peaked *p = &laws[i % 2];
    const double w = 0.02 * p->a * pow(0.1, i / 2 % 3), rtol = pow(10, -5 - 3 * (i / 6));
    char text[900];
    (void)snprintf(text, sizeof text, p->text, w);
    run r = start_by_method(text, "auto", rtol);
    advance(&r, time_of(p, w));
    assert_near_relative(value(&r, p->quantity), p->to, 100 * rtol);
    assert_closes(&r);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pulse_breaks_loose),
      cmocka_unit_test(peaks_within_a_step),
      cmocka_unit_test(pulses_that_are_too_small),
      cmocka_unit_test(tails_change_e_fold),
      cmocka_unit_test(pulses_in_space),
      cmocka_unit_test(pickup_of_a_rotor),
      cmocka_unit_test(barriers),
      cmocka_unit_test(peaks_of_laws),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
