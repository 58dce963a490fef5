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

// ---- constraints of the network

#define ROD(id) "<body id='" id "' mass='1 kg' com='0 -0.5 0' inertia='0.08 0.08 0.08 kg.m^2'/>"
#define TWO_RODS(elbow)                                                                            \
  "<mechanism gravity='0 -9.81 0'>" ROD("a") ROD(                                                  \
      "b") "<joint id='j1' kind='revolute' parent='world' child='a' q0='120 deg'/>"                \
           "<joint id='j2' kind='revolute' parent='a' child='b' at='0 -1 0' q0='-30 deg' " elbow   \
           "/>"
#define NETLIST(inside)                                                                            \
  "<screwbond version='1' id='m'>" inside "<run t-end='1 s' method='%s' step='%g s'/></screwbond>"
#define CRANK                                                                                      \
  "<mechanism gravity='0 -9.81 0'><body id='a' mass='1 kg' com='0.5 0 0' inertia='0.01 0.08 "      \
  "0.08'/><body id='b' mass='2 kg' com='1 0 0' inertia='0.01 0.3 0.3'/>"                           \
  "<body id='c' mass='1.5 kg' com='0.75 0 0' inertia='0.01 0.2 0.2'/>"                             \
  "<joint id='j1' kind='revolute' axis='0 0 1' parent='world' child='a' q0='80 deg' w0='5'/>"      \
  "<joint id='j2' kind='revolute' axis='0 0 1' parent='a' child='b' at='1 0 0 m'/>"                \
  "<joint id='j3' kind='revolute' axis='0 0 1' parent='world' child='c' at='2 0 0 m'/>"            \
  "<joint id='j4' kind='revolute' axis='0 0 1' parent='b' child='c' at='2 0 0' child-at='1.5 0 "   \
  "0'/></mechanism>"

/** All that may depend on a mechanism: a rotor behind a gear, joints geared to each other, a cam, a mass at a line, a prescribed
 *  speed, and two rods and a closed loop. */
static const char *const constrained[] = {
    NETLIST(TWO_RODS("") "</mechanism><network domain='rotation'><TF id='g' ratio='5'/>"
                         "<I id='J' inertia='0.01'/><bond from='j1' to='g'/><bond from='g' to='J'/>"
                         "</network>"),
    NETLIST(TWO_RODS("") "</mechanism><network domain='rotation'><TF id='g' ratio='-2'/>"
                         "<bond from='j1' to='g'/><bond from='g' to='j2'/></network>"),
    NETLIST(TWO_RODS("") "</mechanism><network domain='rotation'><signal id='q' of='j1.q'/>"
                         "<MTF id='cam' ratio='2 + sin(q)'/><I id='J' inertia='0.05'/>"
                         "<bond from='j1' to='cam'/><bond from='cam' to='J'/></network>"),
    NETLIST(TWO_RODS("") "<Line id='L' from='world' to='b' from-at='3 0 0' to-at='0 -1 0'/>"
                         "</mechanism><network domain='translation'><I id='M' mass='0.4 kg'/>"
                         "<bond from='L' to='M'/></network>"),
    NETLIST(TWO_RODS("") "</mechanism><network domain='rotation'>"
                         "<Sf id='drive' flow='2[rad/s]*sin(3[1/s]*t)'/>"
                         "<bond from='drive' to='j1'/></network>"),
    NETLIST(CRANK "<network domain='rotation'><TF id='g' ratio='5'/><I id='J' inertia='0.01'/>"
                  "<bond from='j1' to='g'/><bond from='g' to='J'/></network>"),
    NETLIST(CRANK "<network domain='rotation'><signal id='q' of='j1.q'/>"
                  "<MTF id='cam' ratio='3 + sin(q)'/><I id='J' inertia='0.01'/>"
                  "<bond from='j1' to='cam'/><bond from='cam' to='J'/></network>"),
};
enum { CONSTRAINED = sizeof constrained / sizeof *constrained };

/** At steps of a twentieth of a second, which follow nothing. */
static void what_depends_on_a_mechanism_keeps_the_energy(void **state) {
  (void)state;
  for (int k = 0; k < CONSTRAINED; k++) {
    run r = run_for(constrained[k], methods[k % 2], 0.05, THOROUGH ? 5 : 1);
    assert_true(ledger_of(&r)->residual_relative < 1e-13);
    assert_true(ledger_of(&r)->structure.residual_relative < 1e-12);
    stop(&r);
  }
}

static void and_converges_with_order_two(void **state) {
  (void)state;
  const double t = THOROUGH ? 0.4 : 0.1;
  for (int k = 0; k < CONSTRAINED; k++) {
    char netlist[4000];
    double before = 0;
    (void)snprintf(netlist, sizeof netlist, constrained[k], "fehlberg-8", 1.0);
    (void)snprintf(strstr(netlist, " step="), 40, " rtol='1e-11'/></screwbond>");
    run reference = start_netlist(netlist);
    advance(&reference, t);
    for (int n = 0; n < 2; n++) {
      run r = run_for(constrained[k], methods[0], n == 0 ? 0.004 : 0.002, t);
      const double error = value(&r, "j2.q") - value(&reference, "j2.q");
      if (n > 0) {
        assert_near(before / error, 4, 0.2);
      }
      before = error;
      stop(&r);
    }
    stop(&reference);
  }
}

/** What is held has no rate in any step; what stops, slips and sticks does so where it does by other methods. */
static void joints_are_locked_stopped_and_rubbed(void **state) {
  (void)state;
  run r = run_for(NETLIST(TWO_RODS("locked='yes'") "</mechanism>"), methods[0], 0.05, 5);
  assert_near(value(&r, "j2.q"), -acos(-1) / 6, 1e-14);
  assert_true(ledger_of(&r)->residual_relative < 1e-13);
  stop(&r);
  r = run_for(NETLIST(TWO_RODS("limits='-60 60 deg'") "</mechanism>"), methods[1], 0.01, 5);
  assert_true(ledger_of(&r)->residual_relative < 1e-13);
  assert_true(ledger_of(&r)->event_count > 4);
  assert_string_equal(ledger_of(&r)->events[0].kind, "impact");
  assert_near(ledger_of(&r)->events[0].t, 1.5312, 2e-3);
  stop(&r);
  r = run_for(NETLIST(TWO_RODS("") "</mechanism><network domain='rotation'><Friction id='F' "
                                   "coulomb='1 N.m'/><bond from='j2' to='F'/></network>"),
              methods[0], 0.01, 5);
  assert_true(ledger_of(&r)->residual_relative < 1e-13);
  assert_true(ledger_of(&r)->event_count > 4);
  stop(&r);
}

/** A joint that is held while the others move is sound to the audit, and a stop lets go where its force falls through zero, by
 *  other methods too. */
static void held_joints_are_sound(void **state) {
  (void)state;
  run r = run_for(NETLIST(TWO_RODS("locked='yes'") "</mechanism>"), "fehlberg-8", 0.01, 2);
  assert_near(value(&r, "j2.q"), -acos(-1) / 6, 1e-13);
  assert_true(ledger_of(&r)->structure.residual_relative < 1e-12);
  stop(&r);
  r = run_for(NETLIST(TWO_RODS("limits='-60 60 deg'") "</mechanism>"), "fehlberg-8", 0.005, 5);
  assert_string_equal(ledger_of(&r)->events[0].kind, "impact");
  assert_near(ledger_of(&r)->events[0].t, 1.53121, 1e-5);
  assert_true(ledger_of(&r)->structure.residual_relative < 1e-12);
  stop(&r);
}

static void what_is_not_supported_is_refused(void **state) {
  (void)state;
  refuse(NETLIST("<laws><contact-law id='hard' normal='rigid'/></laws>" TWO_RODS(
             "") "<ground id='floor'><shape kind='plane' normal='0 1 0' at='0 -3 0'/></ground>"
                 "<body id='ball' mass='1 kg'><shape kind='sphere' radius='0.1 m'/></body>"
                 "<joint id='f' kind='prismatic' axis='0 1 0' parent='world' child='ball'/>"
                 "<contact id='c' a='floor' b='ball' law='hard'/></mechanism>"),
         "discrete-gradient is not for 'c' (contact-rigid), which is rigid");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      repeating_test(a_double_pendulum),
      repeating_test(any_step_keeps_the_energy),
      repeating_test(turns_shift_power_and_nothing_else),
      repeating_test(turns_converge),
      cmocka_unit_test(what_depends_on_a_mechanism_keeps_the_energy),
      repeating_test(and_converges_with_order_two),
      repeating_test(joints_are_locked_stopped_and_rubbed),
      repeating_test(held_joints_are_sound),
      cmocka_unit_test(what_is_not_supported_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
