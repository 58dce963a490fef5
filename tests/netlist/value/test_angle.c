// SPDX-License-Identifier: GPL-3.0-or-later
// A turn is an angle: 1 rad/s is 1/(2 pi) Hz and 60 rpm are 1 Hz where a frequency is meant, and Hz is
// no angular velocity. Expected are the numbers by hand.
#include "tests/fixture.h"

#include <math.h>

#include "netlist/value/unit.h"
#include "netlist/value/value.h"

/** The frequency of a source, as the file states it, by the phase that it reaches: sin(2 pi f t + 0.3). */
static double frequency_of(const char *parameters, const char *frequency) {
  char text[1000];
  const double t = 0.0137;
  assert_true(
      snprintf(text, sizeof text,
               "<parameters>%s</parameters><network domain='electric'><Se id='V' effort='1 V' "
               "waveform='sine' phase='0.3 rad' frequency='%s'/>"
               "<bond from='V' to='R'/><R id='R' r='1 ohm'/></network>",
               parameters, frequency) < (int)sizeof text);
  run r = start(text, 1e-9, 1e-12);
  advance(&r, t);
  double f = (asin(value(&r, "V.e")) - 0.3) / (2 * pi * t);
  stop(&r);
  return f;
}

static void frequencies_are_told_from_angular_velocities(void **state) {
  (void)state;
  static const char p[] =
      "<param id='w' value='12.5 rad/s'/><param id='n' value='90 rpm'/>"
      "<param id='f' value='2.385 Hz'/><param id='g' unit='Hz' value='150 rpm'/>"
      "<param id='k' value='1.5'/><param id='s' value='3 1/s'/>";
  static const struct {
    const char *text;
    double hertz;
  } rows[] = {
      {"2.385 Hz", 2.385},
      {"0.004 kHz", 4},
      {"3 1/s", 3},
      {"180 1/min", 3},
      {"2.5", 2.5},
      {"1 rad/s", 1 / (2 * 3.14159265358979323846)},
      {"15 rad/s", 15 / (2 * 3.14159265358979323846)},
      {"0.02 krad/s", 20 / (2 * 3.14159265358979323846)},
      {"60 rpm", 1},
      {"150 rpm", 2.5},
      {"720 deg/s", 2},
      {"2.25 rev/s", 2.25},
      {"150 rev/min", 2.5},
      {"w", 12.5 / (2 * 3.14159265358979323846)},
      {"n", 1.5},
      {"f", 2.385},
      {"g", 2.5},
      {"s", 3},
      {"2*n", 3},
      {"n*k", 2.25},
      {"f*k", 3.5775},
      {"w/(2*pi)", 12.5 / (2 * 3.14159265358979323846)},
      {"w/(2*pi*1[rad])", 12.5 / (2 * 3.14159265358979323846)},
      {"f*1[rad]/2[rad]", 1.1925},
      {"1/(360[deg]/n)", 1.5},
      {"n/(2*pi)", 1.5},
      {"n/1[rev]", 1.5},
      {"1/0.4[s]", 2.5},
      {"sqrt(400[N/m]/1[kg])/(2*pi)", 20 / (2 * 3.14159265358979323846)},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    double f = frequency_of(p, rows[i].text);
    if (!(fabs(f - rows[i].hertz) <= 1e-10 * rows[i].hertz)) {
      print_error("%s is %.17g Hz\n", rows[i].text, f);
    }
    assert_near(f, rows[i].hertz, 1e-10);
  }
}

/** The first error of a netlist, with its place. */
static void refuse(const char *inside, const char *wanted, const char *hint) {
  char text[2000], got[800];
  sb_netlist *netlist = NULL;
  sb_errors errors = {0};
  assert_true(snprintf(text, sizeof text,
                       "<screwbond version='1' id='m'><network domain='rotation'>\n%s\n"
                       "</network><run t-end='1 s'/></screwbond>",
                       inside) < (int)sizeof text);
  assert_int_equal(sb_netlist_parse("test.xml", text, strlen(text), NULL, 0, &netlist, &errors),
                   SB_ERR_DIMENSION);
  assert_int_equal(errors.count, 1);
  (void)snprintf(got, sizeof got, "%d:%d: %s", errors.items[0].line, errors.items[0].column,
                 errors.items[0].text);
  assert_string_equal(got, wanted);
  assert_string_equal(errors.items[0].hint, hint);
  sb_errors_finish(&errors);
  sb_netlist_destroy(netlist);
}

static void what_is_ambiguous_is_refused(void **state) {
  (void)state;
  static const char cycles[] =
      "state it in rad/s, deg/s, rev/s or rpm; of a frequency f it is 2*pi*f";
  refuse("<Sf id='a' flow='50 Hz'/><R id='r' r='1 N.m.s'/><bond from='a' to='r'/>",
         "2:21: Sf 'a': the unit 'Hz' counts cycles (Hz), and an angular velocity is meant",
         cycles);
  refuse("<Sf id='a' flow='3[Hz]*exp(-t/1[s])'/><R id='r' r='1 N.m.s'/><bond from='a' to='r'/>",
         "2:18: Sf 'a': the expression '3[Hz]*exp(-t/1[s])' counts cycles (Hz), and an angular "
         "velocity is meant",
         cycles);
  refuse("<Sf id='a' flow='1 rad/s'/><R id='r' r='3 N.m/Hz'/><bond from='a' to='r'/>",
         "2:43: R 'r': the unit 'N.m/Hz' counts cycles (Hz), and an angular velocity is meant",
         cycles);
  refuse(
      "<Se id='a' effort='1 N.m' waveform='sine' frequency='2*pi*3[rad/s]'/>"
      "<R id='r' r='1 N.m.s'/><bond from='a' to='r'/>",
      "2:54: Se 'a': the expression '2*pi*3[rad/s]' is an angular velocity with a factor of pi, "
      "and a frequency is meant",
      "a frequency is stated in Hz, or by an angular velocity alone: a turn is an angle, so that "
      "1 rev/s, 60 rpm and 6.283 rad/s are 1 Hz");
  refuse(
      "<Se id='a' effort='1 N.m' waveform='sine' frequency='2*pi*50[Hz]'/>"
      "<R id='r' r='1 N.m.s'/><bond from='a' to='r'/>",
      "2:54: Se 'a': the expression '2*pi*50[Hz]' is an angular velocity with a factor of pi, and "
      "a frequency is meant",
      "a frequency is stated in Hz, or by an angular velocity alone: a turn is an angle, so that "
      "1 rev/s, 60 rpm and 6.283 rad/s are 1 Hz");
}

/** 2 pi/T is an angular velocity as 2 pi f is, and w times an angle none of either. */
static void products_with_angles_are_refused(void **state) {
  (void)state;
  static const char source[] = "<Se id='a' effort='1 N.m' waveform='sine' frequency='%s'/>"
                               "<R id='r' r='1 N.m.s'/><bond from='a' to='r'/>";
  static const char *const refused[] = {"2*pi/10[ms]", "3[rad/s]*1[rad]", "9[rad^2/s^2]/2[Hz]"};
  for (int i = 0; i < 3; i++) {
    char text[300], wanted[300];
    (void)snprintf(text, sizeof text, source, refused[i]);
    (void)snprintf(wanted, sizeof wanted,
                   i == 0
                       ? "2:54: Se 'a': the expression '%s' is an angular velocity with a factor "
                         "of pi, and a frequency is meant"
                       : "2:54: Se 'a': the expression '%s' has more than one angle in it, and a "
                         "frequency is meant",
                   refused[i]);
    refuse(text, wanted,
           i == 0 ? "a frequency is stated in Hz, or by an angular velocity alone: a turn is an "
                    "angle, so that 1 rev/s, 60 rpm and 6.283 rad/s are 1 Hz"
                  : "state an angular velocity w as it is, or the frequency w/(2*pi)");
  }
}

/** Unless the angle is a turn, w/1[rad] is no frequency in Hz, nor is 1/T of the time T of a radian; where a cycle or pi tells, angles may cancel. */
static void angles_that_cancel_are_refused(void **state) {
  (void)state;
  static const char *const refused[] = {"1[rad/s]/1[rad]", "1/(1[rad]/3[rad/s])",
                                        "4[rad/s^2]*2[rad]/1[rad/s]/1[rad]"};
  for (int i = 0; i < 3; i++) {
    char text[300], wanted[300];
    (void)snprintf(text, sizeof text,
                   "<Se id='a' effort='1 N.m' waveform='sine' frequency='%s'/>"
                   "<R id='r' r='1 N.m.s'/><bond from='a' to='r'/>",
                   refused[i]);
    (void)snprintf(wanted, sizeof wanted,
                   "2:54: Se 'a': an angle is divided out of the expression '%s', which may count "
                   "radians or cycles, and a frequency is meant",
                   refused[i]);
    refuse(text, wanted, "state an angular velocity w as it is, or the frequency w/(2*pi)");
  }
}

/** In sums, comparisons and choices the two are not mixed: 1 Hz is 6.28 rad/s. */
static void sums_and_comparisons_are_of_one_kind(void **state) {
  (void)state;
  static const char hint[] =
      "the angular velocity of a frequency f is 2*pi*f, and the frequency of an "
      "angular velocity w is w/(2*pi)";
#define REST "<R id='r' r='1 N.m.s'/><bond from='a' to='r'/>"
  refuse("<Sf id='a' flow='2[rad/s] + 1[Hz]'/>" REST,
         "2:27: Sf 'a': '2[rad/s]' counts radians (rad/s), but '1[Hz]' counts cycles (Hz)", hint);
  refuse(
      "<Sf id='a' flow='2[rad/s]*cos(t/1[s]) - 0.5*1[Hz]'/>" REST,
      "2:39: Sf 'a': '2[rad/s]*cos(t/1[s])' counts radians (rad/s), but '0.5*1[Hz]' counts cycles "
      "(Hz)",
      hint);
  refuse("<Se id='a' effort='1 N.m' waveform='sine' frequency='1[Hz] + 90[rpm]'/>" REST,
         "2:60: Se 'a': '1[Hz]' counts cycles (Hz), but '90[rpm]' counts radians (rad/s)", hint);
  refuse("<Sf id='a' flow='2 rad/s'/><signal id='w' of='r.f'/>"
         "<signal id='s' value='if(w &gt; 1[Hz], 1, 0)'/>" REST,
         "2:80: signal 's': 'w' counts radians (rad/s), but '1[Hz]' counts cycles (Hz)", hint);
  refuse("<Sf id='a' flow='max((3[1/s] + 2[deg/s])^2, 4[Hz^2])/1[1/s]'/>" REST,
         "2:45: Sf 'a': '(3[1/s] + 2[deg/s])^2' counts radians (rad/s), but '4[Hz^2]' counts "
         "cycles (Hz)",
         hint);
  refuse("<Sf id='a' flow='if(t &lt; 1[s], 1[Hz], 2[rad/s])'/>" REST,
         "2:41: Sf 'a': '1[Hz]' counts cycles (Hz), but '2[rad/s]' counts radians (rad/s)", hint);
  refuse("<Sf id='a' flow='1 rad/s'/><I id='J' inertia='2 kg.m^2' p0='1 kg.m^2.Hz'/>" REST,
         "2:63: I 'J': the unit 'kg.m^2.Hz' counts cycles (Hz), and an angular velocity is meant",
         "state it in rad/s, deg/s, rev/s or rpm; of a frequency f it is 2*pi*f");
}

/** Sums and comparisons of one kind, and those in which nothing tells that they are not. */
static void sums_of_one_kind_are_taken(void **state) {
  (void)state;
  static const double turn = 6.283185307179586477, f = 2.385, w = 12.5;
  const struct {
    const char *text;
    double flow;
  } rows[] = {
      {"w + 2*pi*f", w + turn * f},
      {"2*pi*(f + w/(2*pi))", turn * f + w},
      {"w + f*1[rev]", w + turn * f},
      {"w + 3[1/s]", w + 3},
      {"2*pi*(f + 3[1/s])", turn * (f + 3)},
      {"sqrt(w^2 + (2*pi*f)^2)", sqrt(w * w + turn * f * turn * f)},
      {"max(w, 2*pi*f)", turn * f},
      {"w*if(f &gt; 2[1/s], 3, 1)", 3 * w},
      {"w*(0.1[s]*w + f*0.2[s])", w * (0.1 * w + f * 0.2)},     // of pure numbers nothing is known
      {"w*(1/w + 1/f)*1[Hz]*2*pi", w * (1 / w + 1 / f) * turn}, // a time constant and a period
      {"(3[N.m.s]*w + 5[N.m.s]*f)/1[N.m.s]",
       3 * w + 5 * f}, // torques: a damper, and impulses as often as f
      {"b + 3[rad/s]", 4.5},
      {"2*pi*(b + 3[Hz])", turn * 4.5},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[700];
    (void)snprintf(text, sizeof text,
                   "<parameters><param id='f' value='2.385 Hz'/><param id='w' value='12.5 rad/s'/>"
                   "<param id='b' value='1.5'/></parameters><network domain='rotation'><Sf id='a' "
                   "flow='%s'/><R id='r' r='1 N.m.s'/><bond from='a' to='r'/></network>",
                   rows[i].text);
    run r = start(text, 1e-9, 1e-12);
    assert_near(value(&r, "a.f"), rows[i].flow, 1e-12 * rows[i].flow);
    stop(&r);
  }
}

/** Momenta of rotation in all units that fit: p0 = 2.385 N m s. */
static void momenta_take_angular_velocities(void **state) {
  (void)state;
  static const char *const given[] = {"2.385 N.m.s", "2.385 kg.m^2.rad/s", "2.385 kg.m^2/s",
                                      "2.385", "2[kg.m^2]*1.1925[rad/s]"};
  for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
    char text[500];
    (void)snprintf(text, sizeof text,
                   "<network domain='rotation'><I id='J' inertia='0.5 kg.m^2' p0='%s'/><R id='r' "
                   "r='1 N.m.s'/><bond from='J' to='r'/></network>",
                   given[i]);
    run r = start(text, 1e-9, 1e-12);
    assert_near(value(&r, "J.f"), 4.77, 1e-14);
    stop(&r);
  }
}

/** Angular velocities by their own units, and by 2 pi f [rad/s]. */
static void angular_velocities_take_two_pi_f(void **state) {
  (void)state;
  static const struct {
    const char *text;
    double flow;
  } rows[] = {{"90 rpm", 9.42477796076938},
              {"2 rev/s", 12.566370614359172},
              {"3 1/s", 3},
              {"2*pi*f", 14.985396957623312},
              {"f*2*pi*cos(0*t/1[s])", 14.985396957623312}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[500];
    (void)snprintf(text, sizeof text,
                   "<parameters><param id='f' value='2.385 Hz'/></parameters><network "
                   "domain='rotation'><Sf id='a' flow='%s'/><R id='r' r='1 N.m.s'/>"
                   "<bond from='a' to='r'/></network>",
                   rows[i].text);
    run r = start(text, 1e-9, 1e-12);
    assert_near(value(&r, "a.f"), rows[i].flow, 1e-12);
    stop(&r);
  }
}

/** The units of a rule made of others: a damping per Hz, and one that nothing converts. */
static void powers_are_converted(void **state) {
  (void)state;
  static const char *const wanted[] = {"V/Hz", "Hz^2", "N.m.s/rad", "kg"};
  static const char *const given[] = {"V.s/rad", "rad^2/s^2", "N.m.s", "kg"};
  const double expected[] = {2 * pi, 1 / (4 * pi * pi), 1, 1};
  for (int i = 0; i < 4; i++) {
    sb_dimension dimension;
    double scale, number;
    int count;
    char text[40];
    sb_error err = {0};
    ok(sb_unit_parse(wanted[i], strlen(wanted[i]), &dimension, &scale, &err), &err);
    (void)snprintf(text, sizeof text, "2 %s", given[i]);
    ok(sb_value_parse(text, &dimension, NULL, &number, 1, &count, NULL, &err), &err);
    assert_near(number, 2 * expected[i], 1e-14);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(frequencies_are_told_from_angular_velocities),
      cmocka_unit_test(products_with_angles_are_refused),
      cmocka_unit_test(angles_that_cancel_are_refused),
      cmocka_unit_test(what_is_ambiguous_is_refused),
      cmocka_unit_test(sums_and_comparisons_are_of_one_kind),
      cmocka_unit_test(sums_of_one_kind_are_taken),
      cmocka_unit_test(momenta_take_angular_velocities),
      cmocka_unit_test(angular_velocities_take_two_pi_f),
      cmocka_unit_test(powers_are_converted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
