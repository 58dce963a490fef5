// SPDX-License-Identifier: GPL-3.0-or-later
// Long chains: their rates are run in their order, their Jacobian stands in the program, and their
// ledger is summed over the stages of a step.
#include "tests/fixture.h"

#include "core/integrator/jacobian.h"
#include "core/model/rhs.h"

static const double inductance = 2.385e-3, capacitance = 0.71e-6, resistance = 3.3; // [H, F, ohm]

static void add(sb_graph *graph, const char *kind, const char *id, int k, const char *param,
                double value) {
  char name[32];
  (void)snprintf(name, sizeof name, "%s%d", id, k);
  (void)add_kind(graph, kind, name, param, value);
}

static void bond(sb_graph *graph, const char *from, int i, const char *to, int k) {
  char source[32], sink[32];
  (void)snprintf(source, sizeof source, "%s%d", from, i);
  (void)snprintf(sink, sizeof sink, "%s%d", to, k);
  add_bond(graph, source, sink);
}

/** @param spread  of the values about their means: 0 makes all sections alike */
static sb_graph *graph_of(int sections, double spread) {
  sb_graph *graph;
  assert_int_equal(sb_graph_create("ladder", &graph, NULL), SB_OK);
  assert_non_null(graph);
  add(graph, "Se", "n", 0, "effort", 2.385);
  for (int k = 1; k <= sections; k++) {
    double factor = 1 + spread * sin(2.4 * k);
    add(graph, "J1", "m", k, NULL, 0);
    add(graph, "J0", "n", k, NULL, 0);
    add(graph, "R", "R", k, "r", resistance * factor);
    add(graph, "I", "L", k, "l", inductance * factor);
    add(graph, "C", "C", k, "c", capacitance / factor);
    bond(graph, "n", k - 1, "m", k);
    bond(graph, "m", k, "R", k);
    bond(graph, "m", k, "L", k);
    bond(graph, "m", k, "n", k);
    bond(graph, "n", k, "C", k);
  }
  add(graph, "R", "load", 0, "r", 47);
  bond(graph, "n", sections, "load", 0);
  return graph;
}

static run start_ladder(sb_graph *graph, const char *method, double rtol, double atol) {
  sb_options options = options_of(method, rtol);
  options.atol = atol;
  return start_graph(graph, options);
}

/** The equations of the ladder, section by section. */
static void rates_by_hand(int sections, double spread, const double x[], double xdot[]) {
  double voltage = 2.385;
  for (int k = 1; k <= sections; k++) {
    double factor = 1 + spread * sin(2.4 * k), next_factor = 1 + spread * sin(2.4 * (k + 1));
    double current = x[2 * k - 2] / (inductance * factor);
    double u = x[2 * k - 1] / (capacitance / factor);
    double next = k < sections ? x[2 * k] / (inductance * next_factor) : u / 47;
    xdot[2 * k - 2] = voltage - u - resistance * factor * current;
    xdot[2 * k - 1] = current - next;
    voltage = u;
  }
}

static const double spreads[] = {0, 0.07};
enum { SECTIONS = 37 };

static void rates_are_those_of_the_ladder(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    sb_graph *graph = graph_of(SECTIONS, spreads[i]);
    run l = start_ladder(graph, "dormand-prince-5", 1e-8, 1e-12);
    sb_workspace *work;
    assert_int_equal(sb_workspace_create(l.model, &work, NULL), SB_OK);
    double x[4 * SECTIONS] = {0}, xdot[4 * SECTIONS], expected[2 * SECTIONS];
    for (int k = 0; k < 2 * SECTIONS; k++) {
      x[k] = (k % 2 == 0 ? 1e-3 : 1e-6) * sin(1.3 * k + 0.2);
    }
    assert_true(work->program->band_count > 0);
    assert_int_equal(sb_model_rhs(l.model, work, 0, x, xdot), 0);
    rates_by_hand(SECTIONS, spreads[i], x, expected);
    for (int k = 0; k < 2 * SECTIONS; k++) {
      assert_near(xdot[k], expected[k], 1e-13 * (k % 2 == 0 ? 3 : 1));
    }
    sb_workspace_destroy(work);
    stop(&l);
  }
}

static void jacobian_needs_no_differences(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    sb_graph *graph = graph_of(SECTIONS, spreads[i]);
    run l = start_ladder(graph, "kvaerno-5", 1e-8, 1e-12);
    sb_workspace *work;
    assert_int_equal(sb_workspace_create(l.model, &work, NULL), SB_OK);
    sb_jacobian *exact = sb_jacobian_create(work->network, work, true);
    sb_jacobian *differences = sb_jacobian_create(work->network, work, false);
    double x[2 * SECTIONS], f[2 * SECTIONS], x2[2 * SECTIONS], f2[2 * SECTIONS];
    for (int k = 0; k < 2 * SECTIONS; k++) {
      x[k] = (k % 2 == 0 ? 1e-3 : 1e-6) * (2 + sin(1.3 * k));
    }
    assert_int_equal(sb_workspace_rates(work, 0, x, f, NULL), 0);
    long calls = work->rhs_count;
    assert_int_equal(sb_jacobian_evaluate(exact, work, 0, x, x, f, x2, f2), 0);
    assert_int_equal(work->rhs_count, calls);
    assert_int_equal(sb_jacobian_evaluate(differences, work, 0, x, x, f, x2, f2), 0);
    assert_true(work->rhs_count > calls);
    assert_int_equal(exact->nnz, differences->nnz);
    assert_int_equal(exact->nnz, 6 * SECTIONS - 2);
    for (int k = 0; k < exact->nnz; k++) {
      assert_int_equal(exact->row[k], differences->row[k]);
      assert_near(exact->value[k], differences->value[k], 1e-6 * fabs(exact->value[k]));
    }
    sb_jacobian_destroy(exact);
    sb_jacobian_destroy(differences);
    sb_workspace_destroy(work);
    stop(&l);
  }
}

static void methods_agree(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    run a = start_ladder(graph_of(SECTIONS, spreads[i]), "dormand-prince-5", 1e-9, 1e-15);
    run b = start_ladder(graph_of(SECTIONS, spreads[i]), "kvaerno-5", 1e-9, 1e-15);
    advance(&a, 1e-3);
    advance(&b, 1e-3);
    for (int k = 0; k < sb_model_vector_count(a.model); k++) { // the ledger too
      double x = sb_simulation_state(a.sim)[k];
      assert_near(sb_simulation_state(b.sim)[k], x, 1e-6 * fabs(x) + 1e-12);
    }
    assert_true(ledger_of(&b)->residual_relative < 1e-9);
    assert_true(ledger_of(&b)->work.rejected <= 3); // first steps, which have no others before them
    stop(&a);
    stop(&b);
  }
}

/** Far ahead of the wave voltages are denormals, and flushed: that is no loss of power. */
static void structure_holds_ahead_of_the_wave(void **state) {
  (void)state;
  run l = start_ladder(graph_of(100, 0), "fehlberg-8", 1e-12, 1e-18);
  for (int k = 1; k <= 10; k++) {
    advance(&l, 1e-4 * k);
    sb_simulation_audit(l.sim);
  }
  assert_near(ledger_of(&l)->structure.residual_relative, 0, 1e-13);
  stop(&l);
}

/** A resistor right at a source moves no state: only the error of its integral bounds the steps. */
static void ledger_has_an_error_of_its_own(void **state) {
  (void)state;
  static const char text[] =
      "<screwbond version='1' id='m'><network domain='electric'>"
      "<Se id='s' effort='2[V]*sin(2*pi*50*t/1[s])'/><J0 id='n'/><R id='R1' r='3'/>"
      "<bond from='s' to='n'/><bond from='n' to='R1'/><J0 id='m'/><C id='slow' c='10' q0='1'/>"
      "<R id='R2' r='7'/><bond from='m' to='slow'/><bond from='m' to='R2'/></network>"
      "<run t-end='1 s'/></screwbond>";
  static const char *const methods[] = {"dormand-prince-5", "bogacki-shampine-3", "verner-6",
                                        "kvaerno-5"};
  for (int i = 0; i < 4; i++) {
    run l = prepare(text);
    sb_options options = options_of(methods[i], 1e-6);
    options.atol = 1e-9;
    start_by(&l, &options);
    advance(&l, 1);
    const sb_ledger *ledger = ledger_of(&l);
    for (int k = 0; k < ledger->element_count; k++) {
      if (strcmp(ledger->elements[k].id, "R1") == 0) { // U^2/2R over 50 periods
        assert_near(ledger->elements[k].dissipated, 2.0 * 2.0 / 6, 2e-5);
      }
    }
    stop(&l);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rates_are_those_of_the_ladder),
      cmocka_unit_test(jacobian_needs_no_differences),
      cmocka_unit_test(methods_agree),
      cmocka_unit_test(ledger_has_an_error_of_its_own),
      cmocka_unit_test(structure_holds_ahead_of_the_wave),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
