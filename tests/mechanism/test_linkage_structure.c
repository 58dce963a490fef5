// SPDX-License-Identifier: GPL-3.0-or-later
// Trees of bodies by discrete gradient methods: they keep the energy balance to rounding at any step, converge to an
// independent solution with order 2, and never lengthen a quaternion.
#include "tests/fixture.h"

static const char *const methods[] = {"discrete-gradient", "mean-value-gradient"};

/** Two rods of 1 m and 1 kg, from rest at 120 and -30 degrees. */
static const char rods[] =
    "<screwbond version='1' id='m'><mechanism gravity='0 -9.81 0'>"
    "<body id='a' mass='1 kg' com='0 -0.5 0' inertia='0.083333333333333333 0.001 "
    "0.083333333333333333 kg.m^2'/>"
    "<body id='b' mass='1 kg' com='0 -0.5 0' inertia='0.083333333333333333 0.001 "
    "0.083333333333333333 kg.m^2'/>"
    "<joint id='j1' kind='revolute' parent='world' child='a' q0='120 deg'/>"
    "<joint id='j2' kind='revolute' parent='a' child='b' at='0 -1 0' q0='-30 deg'/></mechanism>"
    "<run t-end='1 s' method='%s' step='%g s'/></screwbond>";

static run run_for(const char *text, const char *method, double step, double t) {
  char netlist[4000];
  (void)snprintf(netlist, sizeof netlist, text, method, step);
  run r = start_netlist(netlist);
  advance(&r, t);
  sb_simulation_audit(r.sim);
  return r;
}

/** Against Lagrange's equations by an extrapolation method in 80 bits, at 2 s. */
static void a_double_pendulum(void **state) {
  (void)state;
  const double q1 = 0.234107270281054, q2 = -2.06618588824229;
  for (int m = 0; m < 2; m++) {
    double before[2] = {0, 0};
    for (int k = 0; k < 3; k++) {
      run r = run_for(rods, methods[m], 0.01 / (1 << k), 2);
      const double error[2] = {value(&r, "j1.q") - q1, value(&r, "j2.q") - q2};
      for (int i = 0; k > 0 && i < 2; i++) {
        assert_near(before[i] / error[i], 4, 0.2);
      }
      memcpy(before, error, sizeof before);
      assert_near(value(&r, "tree(a).energy"), 7.3575, 1e-12);
      stop(&r);
    }
    assert_near(before[0], 0, 1e-3);
  }
}

/** Energy is kept where the motion is not followed at all: links that turn over at 8 rad/s. */
static void any_step_keeps_the_energy(void **state) {
  (void)state;
  for (int m = 0; m < 2; m++) {
    run r = run_for(rods, methods[m], 0.03, 20);
    assert_near(value(&r, "tree(a).energy"), 7.3575, 1e-11);
    assert_true(ledger_of(&r)->residual_relative < 1e-13);
    stop(&r);
  }
}

/** A body on a spherical joint, with another that a damped hinge holds on it, and a free one; a torque drives the hinge
 *  and a wrench the free body. */
static const char turning[] =
    "<screwbond version='1' id='m'><mechanism gravity='0 0 -9.81'>"
    "<body id='top' mass='0.5 kg' com='0 0 0.1' inertia='0.002 0.002 0.001 kg.m^2'/>"
    "<body id='arm' mass='0.2 kg' com='0.02 0 0.1' inertia='0.002 0.001 0.001 kg.m^2'/>"
    "<joint id='s' kind='spherical' parent='world' child='top' rotation0='30 deg about 1 0 0' "
    "w0='1 2 20 rad/s'/>"
    "<joint id='h' kind='revolute' parent='top' child='arm' at='0 0 0.2' axis='1 0 0' q0='30 deg' "
    "stiffness='0.3 N.m' damping='0.001 N.m.s'/></mechanism>"
    "<network domain='rotation'><Se id='M' effort='0.02 N.m' waveform='sine' frequency='2 Hz'/>"
    "<bond from='M' to='h'/></network>"
    "<run t-end='1 s' method='%s' step='%g s'/></screwbond>";

static void turns_shift_power_and_nothing_else(void **state) {
  (void)state;
  for (int m = 0; m < 2; m++) {
    for (int k = 0; k < 2; k++) {
      run r = run_for(turning, methods[m], k == 0 ? 0.02 : 0.002, 2);
      double q[4];
      read_all(&r, "s.q", q);
      assert_near(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, 1e-13);
      assert_true(ledger_of(&r)->residual_relative < 1e-13);
      assert_int_equal(ledger_of(&r)->passivity.violations, 0);
      stop(&r);
    }
  }
}

/** The error against a tight run falls with the square of the step. */
static void turns_converge(void **state) {
  (void)state;
  double exact[4], before = 0;
  char netlist[4000];
  (void)snprintf(netlist, sizeof netlist, turning, "fehlberg-8", 1.0);
  char *step = strstr(netlist, " step=");
  (void)snprintf(step, 40, " rtol='1e-11'/></screwbond>");
  run reference = start_netlist(netlist);
  advance(&reference, 0.5);
  read_all(&reference, "s.q", exact);
  stop(&reference);
  for (int k = 0; k < 3; k++) {
    run r = run_for(turning, methods[0], 1e-3 / (1 << k), 0.5);
    double q[4], error = 0;
    read_all(&r, "s.q", q);
    for (int i = 0; i < 4; i++) {
      error = fmax(error, fabs(q[i] - exact[i]));
    }
    if (k > 0) {
      assert_near(before / error, 4, 0.1);
    }
    before = error;
    stop(&r);
  }
  assert_near(before, 0, 1e-3);
}

static void refuse(const char *text, const char *words) {
  char netlist[4000];
  (void)snprintf(netlist, sizeof netlist, text, methods[0], 0.01);
  run r = prepare(netlist);
  sb_error err = {0};
  assert_int_equal(sb_simulation_create(r.model, &r.netlist->options, &r.sim, &err), SB_ERR_USAGE);
  assert_contains(err.text, words);
  stop(&r);
}

static void what_is_not_supported_is_refused(void **state) {
  (void)state;
  refuse("<screwbond version='1' id='m'><mechanism gravity='0 -9.81 0'>"
         "<body id='a' mass='1 kg' com='0 -0.5 0' inertia='0.08 0.08 0.08 kg.m^2'/>"
         "<joint id='j1' kind='revolute' parent='world' child='a'/></mechanism>"
         "<network domain='rotation'><I id='J' inertia='0.1 kg.m^2'/><bond from='j1' to='J'/>"
         "</network><run t-end='1 s' method='%s' step='%g s'/></screwbond>",
         "discrete-gradient is not for 'tree(a)' (mechanism) in a constraint");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_double_pendulum),
      cmocka_unit_test(any_step_keeps_the_energy),
      cmocka_unit_test(turns_shift_power_and_nothing_else),
      cmocka_unit_test(turns_converge),
      cmocka_unit_test(what_is_not_supported_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
