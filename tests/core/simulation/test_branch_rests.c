// SPDX-License-Identifier: GPL-3.0-or-later
// What decides on branches of expressions and rests at zero, or is known to rounding there.
#include "core/simulation/simulation_private.h"
#include "tests/fixture.h"

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
      repeating_test(rounding_has_no_side), repeating_test(arguments_rest_at_zero),
      cmocka_unit_test(sums_rest_at_zero),  cmocka_unit_test(times_rest_at_zero),
      cmocka_unit_test(pads_let_go),        repeating_test(crossings_known_to_rounding_are_single),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
