// SPDX-License-Identifier: GPL-3.0-or-later
// Closed loops by discrete gradient methods: the energy balance and the closures are met to rounding at any step, and the error
// falls with the square of the step, against closed forms and an independent program.
#include "tests/fixture.h"

static const char *const methods[] = {"discrete-gradient", "mean-value-gradient"};

#define ROD "mass='1 kg' com='0 0.5 0' inertia='0.083333333333333333 0 0.083333333333333333 kg.m^2'"
#define COUPLER                                                                                    \
  "mass='1 kg' com='0.5 0 0' inertia='0 0.083333333333333333 0.083333333333333333 kg.m^2'"

/** A parallelogram of rods of 1 m and 1 kg, from rest at 120 degrees from the upward vertical. */
static const char four_bar[] =
    "<screwbond version='1' id='m'><defaults><joint kind='revolute'/></defaults>"
    "<mechanism gravity='0 -9.81 0'><body id='a' " ROD "/><body id='b' " ROD
    "/><body id='c' " COUPLER "/>"
    "<joint id='p' parent='world' child='a' q0='-120 deg'/>"
    "<joint id='q' parent='world' child='b' at='1 0 0' q0='-120 deg'/>"
    "<joint id='r' parent='a' child='c' at='0 1 0' q0='120 deg'/>"
    "<joint id='s' parent='c' child='b' at='1 0 0' child-at='0 1 0'/></mechanism>"
    "<run t-end='1 s' method='%s' step='%g s'/></screwbond>";

/** Bricard's linkage of six rods, from rest: of five rows of its closure four are independent. */
static const char bricard[] =
    "<screwbond version='1' id='m'><defaults><body mass='1 kg'/><joint kind='revolute'/></defaults>"
    "<mechanism gravity='0 -9.81 0'>"
    "<body id='b1' com='0.5 0 0' inertia='0 0.083333333333333333 0.083333333333333333 kg.m^2'/>"
    "<body id='b2' com='0 -0.5 0' inertia='0.083333333333333333 0 0.083333333333333333 kg.m^2'/>"
    "<body id='b3' com='0 0 0.5' inertia='0.083333333333333333 0.083333333333333333 0 kg.m^2'/>"
    "<body id='b4' com='-0.5 0 0' inertia='0 0.083333333333333333 0.083333333333333333 kg.m^2'/>"
    "<body id='b5' com='0 0.5 0' inertia='0.083333333333333333 0 0.083333333333333333 kg.m^2'/>"
    "<joint id='p' axis='0 1 0' parent='world' child='b1'/>"
    "<joint id='j2' axis='0 0 1' parent='b1' child='b2' at='1 0 0'/>"
    "<joint id='j3' axis='1 0 0' parent='b2' child='b3' at='0 -1 0'/>"
    "<joint id='j4' axis='0 1 0' parent='b3' child='b4' at='0 0 1'/>"
    "<joint id='j5' axis='0 0 1' parent='b4' child='b5' at='-1 0 0'/>"
    "<joint id='j6' axis='1 0 0' parent='world' child='b5' at='0 0 1' child-at='0 1 "
    "0'/></mechanism>"
    "<run t-end='1 s' method='%s' step='%g s'/></screwbond>";

/** A crank, a rod between two balls and a rocker in another plane, with springs, damping and a drive: the rod is free to
 *  turn about itself. */
static const char spatial[] =
    "<screwbond version='1' id='m'><mechanism gravity='0 -9.81 0'>"
    "<body id='crank' mass='1 kg' com='0.1 0 0' inertia='0.01 0.02 0.02 kg.m^2'/>"
    "<body id='rod' mass='0.5 kg' com='0 0 0.5' inertia='0.05 0.05 0.001 kg.m^2'/>"
    "<body id='rocker' mass='1 kg' com='0 -0.2 0' inertia='0.03 0.02 0.03 kg.m^2'/>"
    "<joint id='p' kind='revolute' axis='0 0 1' parent='world' child='crank' w0='5 rad/s'/>"
    "<joint id='ball' kind='spherical' parent='crank' child='rod' at='0.2 0 0'/>"
    "<joint id='k' kind='revolute' axis='1 0 0' parent='world' child='rocker' at='0.2 0.5 1' "
    "stiffness='2 N.m' "
    "damping='0.05 N.m.s'/>"
    "<joint id='end' kind='spherical' parent='rod' child='rocker' at='0 0 1' child-at='0 -0.5 "
    "0'/></mechanism>"
    "<network domain='rotation'><Se id='M' effort='0.3 N.m' waveform='sine' frequency='1 Hz'/>"
    "<bond from='M' to='p'/></network>"
    "<run t-end='1 s' method='%s' step='%g s'/></screwbond>";

static run run_for(const char *text, const char *method, double step, double t) {
  char netlist[4000];
  (void)snprintf(netlist, sizeof netlist, text, method, step);
  run r = start_netlist(netlist);
  advance(&r, t);
  sb_simulation_audit(r.sim);
  return r;
}

static void check_balance(const run *r) {
  assert_true(ledger_of(r)->residual_relative < 1e-13);
  assert_true(ledger_of(r)->structure.residual_relative < 1e-12);
  assert_int_equal(ledger_of(r)->passivity.violations, 0);
}

/** Errors of an angle for three steps: the square of the step, and the last below a limit. */
static void converges(const char *text, const char *joint, double step, double t, double exact,
                      double limit) {
  for (int m = 0; m < 2; m++) {
    double before = 0;
    for (int k = 0; k < 3; k++) {
      run r = run_for(text, methods[m], step / (1 << k), t);
      double error = value(&r, joint) - exact;
      check_balance(&r);
      if (k > 0) {
        assert_near(before / error, 4, 0.2);
      }
      before = error;
      stop(&r);
    }
    assert_near(before, 0, limit);
  }
}

/** theta'' = 11.772 sin(theta), theta the angle from the upward vertical: -4.18725569968310704 at 1 s by elliptic functions. */
static void a_four_bar_follows_its_closed_form(void **state) {
  (void)state;
  converges(four_bar, "p.q", 0.02, 1, -4.18725569968310704, 5e-6);
}

/** Against an independent program (examples/bricard.xml). */
static void a_redundant_loop_follows_an_independent_program(void **state) {
  (void)state;
  converges(bricard, "p.q", 0.02, 1, 1.0371631130597, 3e-5);
}

/** Where the motion is not followed at all: 30 steps a period, for a hundred of them. */
static void any_step_keeps_energy_and_closures(void **state) {
  (void)state;
  for (int m = 0; m < 2; m++) {
    run r = run_for(four_bar, methods[m], 0.065, THOROUGH ? 200 : 20);
    const double height = -0.5 * (0.5 + 0.5 + 1); // of the centres, at 120 degrees [m kg]
    double point[3];
    assert_near(value(&r, "tree(a).energy"), 9.81 * height, 1e-11);
    assert_true(ledger_of(&r)->residual_relative < 1e-12);
    read_all(&r, "b.position", point); // the other upright's centre is as high, one metre behind
    double other[3];
    read_all(&r, "a.position", other);
    assert_near(point[0] - other[0], 1, 1e-12);
    assert_near(point[1], other[1], 1e-12);
    assert_near(point[2], other[2], 1e-12);
    stop(&r);
  }
}

/** Against a tight run of a method of another kind, whose constraints are solved otherwise. */
static void balls_springs_dampers_and_drives(void **state) {
  (void)state;
  char netlist[4000];
  (void)snprintf(netlist, sizeof netlist, spatial, "fehlberg-8", 1.0);
  char *step = strstr(netlist, " step=");
  (void)snprintf(step, 40, " rtol='1e-11'/></screwbond>");
  run reference = start_netlist(netlist);
  const double t = THOROUGH ? 0.7 : 0.2;
  advance(&reference, t);
  double exact = value(&reference, "k.q");
  stop(&reference);
  converges(spatial, "k.q", 0.004, t, exact, 1e-4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      repeating_test(a_four_bar_follows_its_closed_form),
      repeating_test(a_redundant_loop_follows_an_independent_program),
      repeating_test(any_step_keeps_energy_and_closures),
      cmocka_unit_test(balls_springs_dampers_and_drives),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
