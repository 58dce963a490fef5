// SPDX-License-Identifier: GPL-3.0-or-later
// Rigid contacts as limits of soft ones, step by step of a walker, and the drift of lasting contacts. Expected values are closed
// forms, and the classical matrices of an impact with three and four coordinates.
#include "tests/fixture.h"

enum { TEXT = 6000 };
static const double g = 9.81;

/** A ball of 1 kg that falls 0.2 m, under a law. */
static run drop(const char *law, double t_end) {
  char text[TEXT];
  assert_true(
      snprintf(text, sizeof text,
               "<screwbond version='1' id='m'><run t-end='%.17g s' rtol='1e-11'/><laws>"
               "<contact-law id='it' %s/></laws><mechanism gravity='0 0 -9.81 m/s^2'><ground "
               "id='floor'><shape kind='plane' normal='0 0 1' offset='0 m'/></ground><body "
               "id='ball' mass='1 kg' position='0 0 0.3 m'><shape kind='sphere' radius='0.1 "
               "m'/></body><contact id='c' a='floor' b='ball' law='it'/></mechanism>"
               "</screwbond>",
               t_end, law) < TEXT);
  return start_netlist(text);
}

/** A spring k without damping throws the ball back as e = 1 does, but T = (pi + 2 atan(g/(v w)))/w later, w = sqrt(k/m): its height on the way
 *  up is lower by v T to first order, which falls as 1/sqrt(k). */
static void soft_bounce_becomes_hard(void **state) {
  (void)state;
  const double t0 = sqrt(0.4 / g), v = g * t0, t = 1.5 * t0;
  run hard = drop("normal='rigid' restitution='1'", t);
  advance(&hard, t);
  const double z = component(&hard, "ball.position", 2);
  assert_near(z, 0.1 + v * (t - t0) - g * (t - t0) * (t - t0) / 2, 1e-11);
  stop(&hard);
  double before = 0;
  for (double k = 1e4; k < 2e10; k *= 100) {
    char law[100];
    (void)snprintf(law, sizeof law, "normal='kelvin-voigt' damping='0 N.s/m' stiffness='%g N/m'",
                   k);
    run soft = drop(law, t);
    advance(&soft, t);
    const double w = sqrt(k), T = (pi + 2 * atan(g / (v * w))) / w, left = t - t0 - T;
    const double off = z - component(&soft, "ball.position", 2);
    assert_near(component(&soft, "ball.position", 2), 0.1 + v * left - g * left * left / 2, 2e-9);
    assert_true(before == 0 || fabs(before / off - 10) < 6 * pow(1e4 / k, 0.25)); // 1/sqrt(k)
    before = off;
    stop(&soft);
  }
}

/** At rest the depth is m g/k: it falls as 1/k, and the force is that of the rigid contact. */
static void soft_rest_becomes_hard(void **state) {
  (void)state;
  for (double k = 1e4; k < 2e10; k *= PLAIN ? 1e3 : 1e9) {
    char law[120];
    (void)snprintf(law, sizeof law, "normal='kelvin-voigt' damping='%g N.s/m' stiffness='%g N/m'",
                   2 * sqrt(k), k);
    run soft = drop(law, 3);
    advance(&soft, 3);
    assert_near(0.1 - component(&soft, "ball.position", 2), g / k, 1e-12 + 1e-6 * g / k);
    assert_near(value(&soft, "c.normal-force"), g, 1e-5);
    stop(&soft);
  }
  run hard = drop("normal='rigid'", 3);
  advance(&hard, 3);
  assert_near(component(&hard, "ball.position", 2), 0.1, 1e-10);
  assert_near(value(&hard, "c.normal-force"), g, 1e-10);
  stop(&hard);
}

/** M of hip (x, z), and legs with point masses at their middles, in the order x, z, stance, swing. */
static void mass_matrix(double hip, double leg, const double q[2], double M[4][4]) {
  memset(M, 0, 16 * sizeof(double));
  M[0][0] = M[1][1] = hip + 2 * leg;
  for (int i = 0; i < 2; i++) { // of the mass at hip - (sin q, cos q)/2
    const double J[2] = {-cos(q[i]) / 2, sin(q[i]) / 2};
    M[2 + i][2 + i] = leg / 4;
    for (int k = 0; k < 2; k++) {
      M[k][2 + i] = M[2 + i][k] = leg * J[k];
    }
  }
}

/** The motions about the foot of a leg: x and z of the hip by its rate, then the rates. @param leg  0 or 1 */
static void motions_about(int leg, const double q[2], double Q[4][2]) {
  memset(Q, 0, 8 * sizeof(double));
  Q[0][leg] = cos(q[leg]);
  Q[1][leg] = -sin(q[leg]);
  Q[2][0] = Q[3][1] = 1;
}

/** p_r+ = Q+^T M Q- (Q-^T M Q-)^-1 p_r-, with p_r- = Q-^T M Q- w-: the rates behind it. */
static void switch_foot(double M[4][4], const double q[2], const double w[2], double after[2]) {
  double before[4][2], next[4][2], p[2] = {0, 0}, A[2][2] = {{0}};
  motions_about(0, q, before);
  motions_about(1, q, next);
  for (int a = 0; a < 2; a++) {
    for (int i = 0; i < 4; i++) {
      for (int k = 0; k < 4; k++) {
        for (int b = 0; b < 2; b++) {
          p[a] += next[i][a] * M[i][k] * before[k][b] * w[b];
          A[a][b] += next[i][a] * M[i][k] * next[k][b];
        }
      }
    }
  }
  const double det = A[0][0] * A[1][1] - A[0][1] * A[1][0];
  after[0] = (A[1][1] * p[0] - A[0][1] * p[1]) / det;
  after[1] = (A[0][0] * p[1] - A[1][0] * p[0]) / det;
}

/** A compass walker changes its foot: the rates of the run are those of the reduced momentum, the old foot goes up, and what is lost is
 *  the event's. */
static void compass_changes_its_foot(void **state) {
  (void)state;
  static const struct {
    const char *friction;
    double hip, leg, q[2], w[2];
  } rows[] = {{"friction='stuck'", 10, 5, {0.25, -0.3}, {1.1, 0.4}},
              {"friction='coulomb' mu='0.6'", 10, 5, {0.32, -0.23}, {1.3, 1.9}},
              {"friction='coulomb' mu='0.6'", 7.3, 2.9, {0.2, -0.21}, {0.9, -0.3}}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    const double *q = rows[k].q, *w = rows[k].w, x = sin(q[0]), z = cos(q[0]);
    char text[TEXT];
    assert_true(
        snprintf(
            text, sizeof text,
            "<screwbond version='1' id='m'><run t-end='1 s' rtol='1e-10'/><laws><contact-law "
            "id='sole' normal='rigid' %s/></laws><mechanism gravity='0 0 -9.81 m/s^2'><ground "
            "id='f'><shape kind='plane' normal='0 0 1' offset='0 m'/></ground><ground "
            "id='h'><shape kind='plane' normal='0 0 1' offset='%.17g m'/></ground><body id='hip' "
            "mass='%g kg' point-mass='yes' com='0 0 0 m'/><body id='st' mass='%g kg' com='0 0 "
            "-0.5 m' point-mass='yes'><shape id='sf' kind='point' at='0 0 -1 m'/></body><body "
            "id='sw' mass='%g kg' com='0 0 -0.5 m' point-mass='yes'><shape id='wf' "
            "kind='point' at='0 0 -1 m'/></body><joint id='j0' kind='translational' "
            "parent='world' child='hip' x0='%.17g 0 %.17g m' v0='%.17g 0 %.17g m/s'/><joint "
            "id='j1' kind='revolute' axis='0 1 0' parent='hip' child='st' q0='%.17g rad' "
            "w0='%.17g rad/s'/><joint id='j2' kind='revolute' axis='0 1 0' parent='hip' "
            "child='sw' q0='%.17g rad' w0='%.17g rad/s'/><contact id='a' a='f' b='sf' "
            "law='sole'/><contact id='b' a='h' b='wf' law='sole'/></mechanism></screwbond>",
            rows[k].friction, z - cos(q[1]), rows[k].hip, rows[k].leg, rows[k].leg, x, z, w[0] * z,
            -w[0] * x, q[0], w[0], q[1], w[1]) < TEXT);
    double M[4][4], after[2], loss = 0;
    mass_matrix(rows[k].hip, rows[k].leg, q, M);
    switch_foot(M, q, w, after);
    run r = start_netlist(text);
    assert_near(value(&r, "j1.w"), after[0], 1e-11);
    assert_near(value(&r, "j2.w"), after[1], 1e-11);
    double v[2][4] = {{w[0] * z, -w[0] * x, w[0], w[1]},
                      {after[1] * cos(q[1]), -after[1] * sin(q[1]), after[0], after[1]}};
    for (int i = 0; i < 4; i++) {
      for (int j = 0; j < 4; j++) {
        loss += (v[0][i] * v[0][j] - v[1][i] * v[1][j]) * M[i][j] / 2;
      }
    }
    double booked = 0;
    for (int i = 0; i < ledger_of(&r)->event_count; i++) {
      const sb_event *event = &ledger_of(&r)->events[i];
      assert_true(event->loss >= 0);
      booked += event->loss;
      assert_true(strcmp(event->kind, "impact") != 0 || strcmp(event->element, "b") == 0);
    }
    assert_near(booked, loss, 1e-11);
    const double up = v[1][1] + after[0] * sin(q[0]); // of the old foot
    assert_true(up > 0 && value(&r, "a.touches") == 0);
    stop(&r);
  }
}

/** A double pendulum whose tip strikes a plane 0.61 m below, as points and as rods, runs to its end: its impacts accumulate, slips end and turn, and
 *  all that it loses is lost to impacts and friction. */
static void double_pendulum_on_a_plane(void **state) {
  (void)state;
  static const char *const laws[] = {
      "restitution='0.9' friction='coulomb' mu='0.1' impact='stronge'",
      "friction='coulomb' mu='0.1'",
      "restitution='0.5' friction='coulomb' mu='0.5' impact='poisson'", "restitution='0.9'"};
  for (int k = 0; k < 8; k += THOROUGH ? 1 : 3) {
    const bool rods = k >= 4;
    char text[TEXT], inertia[2][120];
    for (int i = 0; i < 2; i++) {
      const double J = i == 0 ? 5 * 0.25 / 12 : 2 * 0.0625 / 12;
      (void)snprintf(inertia[i], sizeof inertia[i], "inertia='%.17g %.17g %.17g kg.m^2'", J, J, J);
    }
    assert_true(
        snprintf(
            text, sizeof text,
            "<screwbond version='1' id='m'><run t-end='10 s' rtol='1e-9'/><laws><contact-law "
            "id='hard' normal='rigid' %s/></laws><mechanism gravity='0 -9.81 0 m/s^2'><ground "
            "id='f'><shape kind='plane' normal='0 1 0' offset='-0.61 m'/></ground><body id='u' "
            "mass='5 kg' com='0 %g 0 m' %s/><body id='l' mass='2 kg' com='0 %g 0 m' %s><shape "
            "kind='point' at='0 -0.25 0 m'/></body><joint id='j1' kind='revolute' axis='0 0 1' "
            "parent='world' child='u' q0='45 deg' w0='-120 deg/s'/><joint id='j2' "
            "kind='revolute' axis='0 0 1' parent='u' child='l' at='0 -0.5 0 m' q0='0 deg' "
            "w0='130 deg/s'/><contact id='c' a='f' b='l' law='hard'/></mechanism></screwbond>",
            laws[k % 4], rods ? -0.25 : -0.5, rods ? inertia[0] : "point-mass='yes'",
            rods ? -0.125 : -0.25, rods ? inertia[1] : "point-mass='yes'") < TEXT);
    run r = start_netlist(text);
    advance(&r, 10);
    assert_near(value(&r, "c.touches"), 1, 0);
    assert_near(value(&r, "c.gap"), 0, 1e-6); // drifts by the tolerance of the run
    double before = ledger_of(&r)->events[0].stored_before;
    for (int i = 0; i < ledger_of(&r)->event_count; i++) {
      const sb_event *event = &ledger_of(&r)->events[i];
      assert_true(event->loss >= 0 && event->stored_before <= before + 1e-6);
      before = event->stored_after;
    }
    assert_balanced(&r);
    stop(&r);
  }
}

/** A chain of rods that falls on a plane below its hook, with friction and without: it comes to rest, and the floor bears what the
 *  hook does not. Rods that lie beside others that still move hold one thing many times. */
static void chain_lies_down(void **state) {
  (void)state;
  static const int links_of[] = {4, 4, 8};
  for (int k = 0; k < (THOROUGH ? 3 : 1); k++) {
    char text[TEXT];
    const int links = links_of[k];
    const double length = 1. / links, inertia = length * length * length / 12;
    int at =
        snprintf(text, sizeof text,
                 "<screwbond version='1' id='m'><run t-end='3 s' rtol='1e-9'/><laws><contact-law "
                 "id='hard' normal='rigid' %s/></laws><mechanism gravity='0 0 -9.81 m/s^2'>"
                 "<ground id='f'><shape kind='plane' normal='0 0 1' offset='-0.1 m'/></ground>",
                 k == 0 ? "" : "friction='coulomb' mu='0.3'");
    for (int i = 0; i < links; i++) {
      char parent[16] = "world";
      if (i > 0) {
        (void)snprintf(parent, sizeof parent, "b%d", i - 1);
      }
      at +=
          snprintf(text + at, sizeof text - (size_t)at,
                   "<body id='b%d' mass='%g kg' com='%g 0 0 m' inertia='%g %g %g "
                   "kg.m^2'><shape kind='point' at='%g 0 0 m'/></body><joint id='j%d' "
                   "kind='revolute' axis='0 1 0' parent='%s' child='b%d' at='%g 0 0 m' %s/>"
                   "<contact id='c%d' a='f' b='b%d' law='hard'/>",
                   i, length, length / 2, inertia, inertia, inertia, length, i, parent, i,
                   i > 0 ? length : 0., i > 0 ? "damping='0.01 N.m.s/rad'" : "q0='-20 deg'", i, i);
    }
    (void)snprintf(text + at, sizeof text - (size_t)at, "</mechanism></screwbond>");
    run r = start_netlist(text);
    advance(&r, 3);
    double force = 0;
    for (int i = 0; i < links; i++) {
      char name[30];
      (void)snprintf(name, sizeof name, "c%d.gap", i);
      assert_true(value(&r, name) > -1e-9);
      assert_true(links > 4 || value(&r, name) < 1e-6); // many with friction may stand as a vault
      (void)snprintf(name, sizeof name, "c%d.normal-force", i);
      assert_true(value(&r, name) >= 0);
      force += value(&r, name);
      (void)snprintf(name, sizeof name, "j%d.w", i);
      assert_near(value(&r, name), 0, 1e-6);
    }
    if (k ==
        0) { // rods that lie bear one half of their weight at each end, the first leans on the hook
      assert_near(force, 3.5 * 0.25 * g, 1e-6);
    }
    assert_balanced(&r);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(soft_bounce_becomes_hard), cmocka_unit_test(soft_rest_becomes_hard),
      cmocka_unit_test(compass_changes_its_foot), cmocka_unit_test(double_pendulum_on_a_plane),
      cmocka_unit_test(chain_lies_down)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
