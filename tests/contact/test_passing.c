// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies that are at rest, or nearly, and meet a small one on their way: they move by polynomials of the time, which an integrator follows
// without an error in a step of any length, and they touch at the times of these. And bodies that fly past each other, which takes no steps.
#include <math.h>

#include "tests/fixture.h"

enum { TEXT = 2000 };
static const char *const laws[] = {"normal='linear' stiffness='3e5 N/m' damping='600 N.s/m'",
                                   "normal='rigid' restitution='0.5'"};

/** A ball of 10 mm, and one of 15 mm that is fixed at a distance along x.  @param push  forces on it, and where it is let go */
static run start_pair(const char *law, double distance, double rtol, const char *push) {
  char text[TEXT];
  (void)snprintf(
      text, sizeof text,
      "<screwbond version='1' id='m'><run t-end='1 s' rtol='%g'/><laws><contact-law id='l' "
      "%s/></laws><mechanism gravity='0 0 0 m/s^2'>"
      "<ground id='g'><shape kind='sphere' radius='15 mm' at='%.17g 0 0 m'/></ground>"
      "<body id='k' mass='1 kg' inertia='1e-3 1e-3 1e-3 kg.m^2'>"
      "<shape kind='sphere' radius='10 mm'/></body>%s"
      "<contact id='c' a='g' b='k' law='l'/></mechanism></screwbond>",
      rtol, law, distance, push);
  return start_netlist(text);
}

/** x = a t^n. */
typedef struct motion {
  const char *push;
  double a, n;
} motion;

static const motion motions[] = {
    {"<Wrench id='w' on='k' force-x='5 N'/>", 2.5, 2},
    {"<Wrench id='w' on='k' force-x='20[N/s]*t'/>", 20. / 6, 3},
    {"<Wrench id='w' on='k' force-x='90[N/s^2]*t^2'/>", 90. / 12, 4},
    {"<joint id='j' kind='prismatic' axis='1 0 0' parent='world' child='k'/>"
     "<Wrench id='w' on='k' force-x='20[N/s]*t'/>",
     20. / 6, 3}};

static void what_starts_at_rest_meets(void **state) {
  (void)state;
  for (size_t m = 0; m < sizeof motions / sizeof *motions; m++) {
    for (int i = 0; i < 60; i += THOROUGH ? 1 : 5) {
      const double gap = 2e-3 * pow(1.3, i / 6.), end = i % 3 + 1, rtol = pow(10, -3 - i % 7);
      run r = start_pair(laws[i % 2], 0.025 + gap, rtol, motions[m].push);
      const double t = pow(gap / motions[m].a, 1 / motions[m].n);
      assert_true(t < end);
      advance(&r, end);
      assert_near(event_time(&r, i % 2 == 0 ? "touch" : "impact", 0), t, rtol * t + 1e-12);
      stop(&r);
    }
  }
}

/** The first step behind a touch is a guess by those before it, a hundred times too long for the spring: that it is refused says nothing of the bodies. */
static void first_step_behind_a_touch_is_a_guess(void **state) {
  (void)state;
  for (int i = 2; i < 17; i += 14) {
    run r = start_pair("normal='linear' stiffness='3e5 N/m'", 0.025 + 2e-3 * pow(1.3, i / 6.), 1e-5,
                       motions[1].push);
    advance(&r, i % 3 + 1);
    assert_true(ledger_of(&r)->event_count > 1);
    stop(&r);
  }
}

/** From rest to rest through a small body and beyond it, within one step: the speeds at both ends tell nothing. Steps are long, as nothing has happened for
 *  99 s; at 100 s F = 6 - 12 t, so that x = 3 t^2 - 2 t^3. */
static void what_comes_to_rest_meets(void **state) {
  (void)state;
  for (int i = 0; i < 10; i++) {
    run r =
        start_pair(laws[i % 2], 0.5, 1e-4 * pow(10, -i), // x = 0.475 at the touch
                   "<Wrench id='w' on='k' "
                   "force-x='if(abs(t - 100.5[s]) &lt; 0.5[s], 6[N] - 12[N/s]*(t - 100[s]), 0[N])' "
                   "force-y='if(t &lt; 1[s], 6[N] - 12[N/s]*t, if(t &lt; 2[s], 12[N/s]*(t - 1[s]) "
                   "- 6[N], 0[N]))'/>");
    double t = 0.5;
    for (int k = 0; k < 20; k++) {
      t -= (3 * t * t - 2 * t * t * t - 0.475) / (6 * t - 6 * t * t);
    }
    advance(&r, 101.5);
    assert_near(event_time(&r, i % 2 == 0 ? "touch" : "impact", 0), 100 + t,
                1e-4 * pow(10, -i) + 1e-11);
    stop(&r);
  }
}

/** What flies past a body does so in few steps: by no more than the gaps at both ends in each. */
static void what_flies_past_takes_few_steps(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    run r = start_pair(laws[i], 0.5, 1e-8, "<Wrench id='w' on='k' force-x='2 N' force-y='1 N'/>");
    advance(&r, 10); // by 0.22 m
    assert_int_equal(ledger_of(&r)->event_count, 0);
    assert_in_range(ledger_of(&r)->work.steps, 1, 40);
    assert_near(component(&r, "k.position", 0), 100, 1e-9);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_starts_at_rest_meets),
                                     cmocka_unit_test(first_step_behind_a_touch_is_a_guess),
                                     cmocka_unit_test(what_comes_to_rest_meets),
                                     cmocka_unit_test(what_flies_past_takes_few_steps)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
