// SPDX-License-Identifier: GPL-3.0-or-later
// Problems of the "Test Set for Initial Value Problem Solvers" (Mazzia, Magherini; before them CWI):
// the right-hand side against the published equations, written here once more by hand, and the
// solution against the published one. Their unknowns are voltages and currents, ours charges and
// flux linkages.
#include "near.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "screwbond.h"

static const double pi = 3.14159265358979323846;

/** Numbers in [-1, 1), the same in every run. */
static double random_number(unsigned long long *seed) {
  *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
  return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

static void must(sb_status status, const sb_error *err) {
  if (status != SB_OK) {
    fail_msg("%s", err->text);
  }
}

static int state_of(const sb_model *model, const char *name) {
  char buffer[300];
  for (int i = 0; i < sb_model_state_count(model); i++) {
    if (strcmp(sb_model_state_name(model, i, buffer), name) == 0) {
      return i;
    }
  }
  fail_msg("there is no state %s", name);
  return -1;
}

// II-3, the ring modulator: examples/ring_modulator.xml.

enum { RING = 15 };

static const double c = 1.6e-8, cs = 2e-12, cp = 1e-8, lh = 4.45, ls1 = 2e-3, ls2 = 5e-4,
                    ls3 = 5e-4;

/** A state of ours is `scale` times an unknown of theirs. */
static const struct {
  const char *state;
  const double *size; // [F] or [H]
  double sign;        // our coils lh count their currents the other way
  double reference;   // at 1 ms
  double tolerance;   // relative
} ring[RING] = {
    {"C1.q", &c, 1, -0.2339057358486745e-1, 1e-5},
    {"C2.q", &c, 1, -0.7367485485540825e-2, 1e-5},
    {"C3.q", &cs, 1, 0.2582956709291169, 1e-3},
    {"C4.q", &cs, 1, -0.4064465721283450, 1e-3},
    {"C5.q", &cs, 1, -0.4039455665149794, 1e-3},
    {"C6.q", &cs, 1, 0.2607966765422943, 1e-3},
    {"C7.q", &cp, 1, 0.1106761861269975, 1e-5},
    {"Lh1.p", &lh, -1, 0.2939904342435596e-6, 1e-5},
    {"Lh2.p", &lh, -1, -0.2840029933642329e-7, 1e-5},
    {"L3.p", &ls2, 1, 0.7267198267264553e-3, 1e-5},
    {"L4.p", &ls3, 1, 0.7929487196960840e-3, 1e-5},
    {"L5.p", &ls2, 1, -0.7255283495698965e-3, 1e-5},
    {"L6.p", &ls3, 1, -0.7941401968526521e-3, 1e-5},
    {"L7.p", &ls1, 1, 0.7088495416976114e-4, 1e-5},
    {"L8.p", &ls1, 1, 0.2390059075236570e-4, 1e-5},
};

static double ring_diode(double u) {
  return 40.67286402e-9 * (exp(17.7493332 * u) - 1);
}

/** The published equations; y[k - 1] is their y_k. */
static void ring_equations(double t, const double y[RING], double f[RING]) {
  const double r = 25e3, rp = 50, rg1 = 36.3, rg2 = 17.3, rg3 = 17.3, ri = 50, rc = 600;
  double u1 = 0.5 * sin(2e3 * pi * t), u2 = 2 * sin(2e4 * pi * t);
  double q1 = ring_diode(y[2] - y[4] - y[6] - u2), q2 = ring_diode(-y[3] + y[5] - y[6] - u2);
  double q3 = ring_diode(y[3] + y[4] + y[6] + u2), q4 = ring_diode(-y[2] - y[5] + y[6] + u2);
  f[0] = (y[7] - 0.5 * y[9] + 0.5 * y[10] + y[13] - y[0] / r) / c;
  f[1] = (y[8] - 0.5 * y[11] + 0.5 * y[12] + y[14] - y[1] / r) / c;
  f[2] = (y[9] - q1 + q4) / cs;
  f[3] = (-y[10] + q2 - q3) / cs;
  f[4] = (y[11] + q1 - q3) / cs;
  f[5] = (-y[12] - q2 + q4) / cs;
  f[6] = (-y[6] / rp + q1 + q2 - q3 - q4) / cp;
  f[7] = -y[0] / lh;
  f[8] = -y[1] / lh;
  f[9] = (0.5 * y[0] - y[2] - rg2 * y[9]) / ls2;
  f[10] = (-0.5 * y[0] + y[3] - rg3 * y[10]) / ls3;
  f[11] = (0.5 * y[1] - y[4] - rg2 * y[11]) / ls2;
  f[12] = (-0.5 * y[1] + y[5] - rg3 * y[12]) / ls3;
  f[13] = (-y[0] + u1 - (ri + rg1) * y[13]) / ls1;
  f[14] = (-y[1] - (rc + rg1) * y[14]) / ls1;
}

static sb_netlist *read_ring(sb_model **model) {
  char path[1000];
  sb_netlist *netlist;
  sb_errors errors = {0};
  (void)snprintf(path, sizeof path, "%s/examples/ring_modulator.xml", getenv("SB_SOURCE_ROOT"));
  assert_int_equal(sb_netlist_read(path, NULL, 0, &netlist, &errors), SB_OK);
  assert_int_equal(sb_model_compile(netlist->graph, model, &errors), SB_OK);
  return netlist;
}

static void ring_modulator_has_the_published_equations(void **state) {
  (void)state;
  sb_model *model;
  sb_netlist *netlist = read_ring(&model);
  sb_workspace *work = sb_workspace_create(model, NULL);
  double x[64] = {0}, xdot[64], y[RING], f[RING];
  unsigned long long seed = 2385;
  assert_int_equal(sb_model_state_count(model), RING);
  assert_true(sb_model_vector_count(model) <= 64);
  for (int trial = 0; trial < 1000; trial++) {
    double t = 1e-3 * random_number(&seed);
    for (int k = 0; k < RING; k++) {
      y[k] = (k < 7 ? 0.6 : 2e-3) * random_number(&seed); // [V], [A]
      x[state_of(model, ring[k].state)] = ring[k].sign * *ring[k].size * y[k];
    }
    ring_equations(t, y, f);
    assert_int_equal(sb_model_rhs(model, work, t, x, xdot), 0);
    for (int k = 0; k < RING; k++) {
      double rate = xdot[state_of(model, ring[k].state)] / (ring[k].sign * *ring[k].size);
      // Rounding of the sums of 1 V and 1 mA, and of an exponent of 50.
      double size = k >= 2 && k < 7 ? 1e-3 + fabs(f[k] * *ring[k].size) : 1e-3;
      assert_near(rate, f[k], 1e-13 * fabs(f[k]) + 1e-13 * (k < 7 ? size : 1) / *ring[k].size);
    }
  }
  sb_workspace_destroy(work);
  sb_model_destroy(model);
  sb_netlist_destroy(netlist);
}

static void ring_modulator_has_the_published_solution(void **state) {
  (void)state;
  sb_model *model;
  sb_simulation *sim;
  sb_error err = {0};
  sb_netlist *netlist = read_ring(&model);
  netlist->options.rtol = 1e-7;
  netlist->options.atol = 1e-19;
  must(sb_simulation_create(model, &netlist->options, &sim, &err), &err);
  must(sb_simulation_advance(sim, 1e-3, &err), &err);
  sb_simulation_audit(sim);
  const double *x = sb_simulation_state(sim);
  for (int k = 0; k < RING; k++) {
    double y = x[state_of(model, ring[k].state)] / (ring[k].sign * *ring[k].size);
    assert_near_relative(y, ring[k].reference, ring[k].tolerance);
  }
  const sb_ledger *ledger = sb_simulation_ledger(sim);
  assert_true(ledger->residual_relative < 1e-9);
  assert_true(ledger->structure.residual_relative < 1e-12);
  assert_int_equal(ledger->passivity.violations, 0);
  sb_simulation_destroy(sim);
  sb_model_destroy(model);
  sb_netlist_destroy(netlist);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ring_modulator_has_the_published_equations),
      cmocka_unit_test(ring_modulator_has_the_published_solution),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
