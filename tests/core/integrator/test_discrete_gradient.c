// SPDX-License-Identifier: GPL-3.0-or-later
// Discrete gradients: no drift in a million steps, an energy balance that is met at any step, order 2,
// storages of several states, and many of them.
#include "tests/core/integrator/oscillators.h"

static run swing(const sb_element_type *type, double k, double b, double r, sb_options options) {
  return start_graph(oscillator(type, k, b, r), options);
}

// ---- what is conserved

static int many_steps(void) {
  return THOROUGH ? 1000000 : 10000;
}

static const char *const lc =
    "<network domain='electric'><J1 id='i'/><I id='L' l='0.83'/><C id='C1' c='0.41' q0='0.97'/>"
    "<bond from='i' to='L'/><bond from='i' to='C1'/></network>";

static void linear_energy_does_not_drift(void **state) {
  (void)state;
  const char *const methods[] = {forms[0], forms[1], "implicit-midpoint"};
  for (int i = 0; i < 3; i++) {
    run r = parsed(lc, fixed(methods[i], 0.01));
    advance(&r, 0.01 * many_steps());
    assert_int_equal(ledger_of(&r)->work.steps, many_steps());
    assert_near(drift(&r), 0, i < 2 ? 1e-14 : 1e-12);
    stop(&r);
  }
}

static void duffing_energy_does_not_drift(void **state) {
  (void)state;
  const int steps = many_steps() / 4; // each of them an iteration
  for (int i = 0; i < 2; i++) {
    run r = swing(&duffing, 1.7, 3.1, 0, fixed(forms[i], 0.01));
    advance(&r, 0.01 * steps);
    assert_int_equal(ledger_of(&r)->work.steps, steps);
    assert_near(drift(&r), 0, 1e-13);
    stop(&r);
  }
  run r =
      swing(&duffing, 1.7, 3.1, 0, fixed("implicit-midpoint", 0.01)); // which is for quadratic ones
  advance(&r, 100);
  assert_true(drift(&r) > 1e-6);
  stop(&r);
}

/** Also with kinks, two wells and several states, and at steps far beyond the period of 3 s. */
static void any_energy_at_any_step(void **state) {
  (void)state;
  static const struct {
    const sb_element_type *type;
    double k, b;
  } rows[] = {{&duffing, 1.7, 3.1},
              {&duffing, -1.1, 3.1},
              {&pair, 1.7, 3.1},
              {&slack, 2.3, 0.31},
              {&steep, 0.7, 1.9}};
  const double steps[] = {1e-4, 0.013, 0.3, 2.9};
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < 5; i++) {
      for (int h = 0; h < 4; h++) {
        run r = swing(rows[i].type, rows[i].k, rows[i].b, 0, fixed(forms[k], steps[h]));
        advance(&r, 1000 * steps[h]);
        if (!(drift(&r) <= 1e-12)) {
          print_error("%s by %s at h = %g\n", rows[i].type->name, forms[k], steps[h]);
        }
        assert_near(drift(&r), 0, 1e-12);
        stop(&r);
      }
    }
  }
}

/** At rest in equilibrium nothing moves, and from rest it starts. */
static void equilibrium(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    run r = parsed("<network domain='translation'>"
                   "<Se id='F' effort='2.3' waveform='step' start='0.52'/><J1 id='v'/>"
                   "<I id='m' l='0.83'/><C id='c' c='0.41'/><bond from='F' to='v'/>"
                   "<bond from='v' to='m'/><bond from='v' to='c'/></network>",
                   fixed(forms[i], 0.1));
    advance(&r, 0.5);
    assert_near(value(&r, "c.q"), 0, 0);
    advance(&r, 9);
    assert_true(fabs(value(&r, "c.q")) > 0.01);
    assert_true(ledger_of(&r)->residual_relative < 1e-15);
    stop(&r);
  }
}

/** Behind a transient, where everything is at its limit to rounding: a linear network takes its Jacobian once, and its loads
 *  are E C and (by the current E/R) L E/R, in all sizes. The steps are those of which Newton's iteration leaves 3 to 30 %
 *  where the middle of the step no longer moves, and others. */
static void settled(void **state) {
  (void)state;
  const double sizes[] = {1, 1e-12, 1e12}, steps[] = {0.05, 0.17, 0.31, 0.45, 0.5, 0.73, 3};
  const char *const inside = "<network domain='electric'><Se id='U' effort='%g V'/><J1 id='i'/><R "
                             "id='R' r='1.3'/><C id='C' c='0.83'/>"
                             "<bond from='U' to='i'/><bond from='i' to='R'/><bond from='i' to='C'/>"
                             "<Se id='V' effort='%g V'/><J1 id='j'/><R id='S' r='0.9'/><I id='L' "
                             "l='1.1'/><bond from='V' to='j'/>"
                             "<bond from='j' to='S'/><bond from='j' to='L'/></network>";
  for (int k = 0; k < 2 * 3 * 7; k++) {
    const double size = sizes[k / 2 % 3];
    char text[600];
    (void)snprintf(text, sizeof text, inside, 10 * size, 7 * size);
    run r = parsed(text, fixed(forms[k % 2], steps[k / 6]));
    advance(&r, 120);
    assert_near(value(&r, "C.q"), 8.3 * size, 1e-14 * size);
    assert_near(value(&r, "L.p"), 1.1 * 7 / 0.9 * size, 1e-14 * size);
    assert_true(ledger_of(&r)->residual_relative < 1e-14);
    assert_true(ledger_of(&r)->work.jacobians <= 4);
    stop(&r);
  }
}

// ---- the trajectory

static double end_of(const sb_element_type *type, sb_options options, double *p) {
  run r = swing(type, 1.7, 3.1, 0.37, options);
  advance(&r, 2.3);
  double q = value(&r, "spring.q");
  *p = value(&r, "mass.p");
  stop(&r);
  return q;
}

/** Against dormand-prince-5, for one and for several states, where the two forms differ. */
static void both_are_of_order_two(void **state) {
  (void)state;
  const sb_element_type *const types[] = {&duffing, &pair};
  for (int k = 0; k < 4; k++) {
    sb_options options = sb_options_defaults();
    options.rtol = 1e-12;
    options.atol = 1e-14;
    double p, q = end_of(types[k / 2], options, &p), error[2];
    for (int fine = 0; fine < 2; fine++) {
      double pk, qk = end_of(types[k / 2], fixed(forms[k % 2], 2.3 / (fine ? 400 : 200)), &pk);
      error[fine] = hypot(qk - q, pk - p);
    }
    assert_near(log2(error[0] / error[1]), 2, 0.02);
    assert_true(error[1] < 1e-4);
  }
  double p[2];
  double q0 = end_of(&pair, fixed(forms[0], 0.1), &p[0]);
  double q1 = end_of(&pair, fixed(forms[1], 0.1), &p[1]);
  assert_true(fabs(q0 - q1) > 1e-6);
}

// ---- the energy balance

static const char *const driven =
    "<network domain='electric'>"
    "<Se id='U' effort='5 V' offset='1.3 V' waveform='sine' frequency='2 Hz'/><R id='R1' r='3'/>"
    "<I id='L' l='0.3'/><J1 id='i'/><J0 id='n'/><C id='C1' c='0.07'/>"
    "<R id='R2' r='11' exponent='3'/><bond from='U' to='i'/><bond from='i' to='R1'/>"
    "<bond from='i' to='L'/><bond from='i' to='n'/><bond from='n' to='C1'/>"
    "<bond from='n' to='R2'/></network>";

/** Damped and driven: from 1/5000 of the source's period to 20 periods. */
static void energy_balance_at_any_step(void **state) {
  (void)state;
  const double steps[] = {1e-4, 0.0073, 0.11, 0.87, 10.3};
  for (int k = 0; k < 10; k++) {
    run r = parsed(driven, fixed(forms[k % 2], steps[k / 2]));
    advance(&r, 1000 * steps[k / 2]);
    assert_true(ledger_of(&r)->total.dissipated > 0);
    if (!(ledger_of(&r)->residual_relative <= 1e-14)) {
      print_error("at h = %g\n", steps[k / 2]);
    }
    assert_near(ledger_of(&r)->residual_relative, 0, 1e-14);
    stop(&r);
  }
}

static int look(void *context, const sb_simulation *sim, double t) {
  (void)sim, (void)t;
  ++*(int *)context;
  return 0;
}

/** Samples in between are partial steps, which do not disturb the run. */
static void samples(void **state) {
  (void)state;
  double q[2];
  for (int k = 0; k < 2; k++) {
    run r = parsed(driven, fixed(forms[0], 0.01));
    sb_error err = {0};
    int looks = 0;
    ok(sb_simulation_run(r.sim, 1, k == 0 ? 1 : 0.0037, look, &looks, &err), &err);
    assert_true(looks >= (k == 0 ? 2 : 270));
    assert_near(ledger_of(&r)->structure.residual_relative, 0, 1e-12);
    assert_near(ledger_of(&r)->residual_relative, 0, 1e-14);
    assert_int_equal(ledger_of(&r)->passivity.violations, 0);
    q[k] = value(&r, "C1.q");
    stop(&r);
  }
  assert_near(q[0], q[1], 0);
}

// ---- many states

enum { SECTIONS = 200 };

/** An undamped ladder of 200 sections, which the sparse solver takes. */
static sb_graph *sections(void) {
  sb_graph *graph;
  assert_int_equal(sb_graph_create("ladder", &graph, NULL), SB_OK);
  char name[5][32];
  for (int i = 0; i < SECTIONS; i++) {
    static const char *const kinds[] = {"J1", "I", "J0", "C"};
    static const char letter[] = {'j', 'L', 'n', 'C'};
    for (int k = 0; k < 4; k++) {
      (void)snprintf(name[k], sizeof name[k], "%c%d", letter[k], i);
      sb_element *element = add_element(graph, sb_catalog_find(kinds[k]), name[k]);
      if (k % 2 == 1) {
        set_value(element, k == 1 ? "l" : "c", 0.01 * (1 + 0.1 * (i % 7)));
      }
      if (k == 3 && i < 9) {
        set_value(element, "q0", 0.01 * (9 - i));
      }
    }
    add_bond(graph, name[0], name[1]);
    add_bond(graph, name[0], name[2]);
    add_bond(graph, name[2], name[3]);
    if (i > 0) {
      add_bond(graph, name[4], name[0]);
    }
    memcpy(name[4], name[2], sizeof name[4]);
  }
  return graph;
}

static void ladder(void **state) {
  (void)state;
  sb_options reference = sb_options_defaults();
  reference.rtol = 1e-10;
  run want = start_graph(sections(), reference);
  run fine = start_graph(sections(), fixed(forms[0], 1e-4));
  run coarse = start_graph(sections(), fixed(forms[0], 0.02));
  assert_int_equal(sb_model_state_count(fine.model), 2 * SECTIONS);
  advance(&want, 0.5);
  advance(&fine, 0.5);
  for (int i = 0; i < 2 * SECTIONS; i++) {
    assert_near(sb_simulation_state(fine.sim)[i], sb_simulation_state(want.sim)[i], 3e-5);
  }
  advance(&coarse, THOROUGH ? 100 : 20);
  assert_near(drift(&fine), 0, 1e-14);
  assert_near(drift(&coarse), 0, 1e-14);
  assert_true(ledger_of(&coarse)->work.jacobians < 100);
  stop(&want);
  stop(&fine);
  stop(&coarse);
}

/** A flywheel and a mass coupled by a ratio that follows the motion. */
static const char *const coupled =
    "<network domain='translation'><signal id='x' of='K.q'/><J1 id='v'/><I id='M' mass='1.3 kg'/>"
    "<C id='K' c='0.4 m/N' q0='0.7 m'/><MTF id='T' ratio='1.1 + 0.4*sin(x/1[m])'/><J1 id='w'/>"
    "<I id='N' mass='0.6 kg'/><R id='R' r='0.3 N.s/m'/><bond from='v' to='M'/>"
    "<bond from='v' to='K'/><bond from='v' to='T'/><bond from='T' to='w'/><bond from='w' to='N'/>"
    "<bond from='w' to='R'/></network>";

/** The plain program is evaluated at the middle of a step too: what the workspace holds behind the step's own is not that. */
static void values_of_a_step_are_not_those_of_its_middle(void **state) {
  (void)state;
  run r = prepare_inside(coupled);
  sb_workspace *work = NULL;
  assert_int_equal(sb_workspace_create(r.model, &work, &(sb_error){0}), SB_OK);
  const int n = work->network->state_count, values = work->network->value_count;
  const sb_program *plain = work->program;
  double x0[8], x[8], xdot[8], *held = calloc((size_t)values, sizeof *held);
  sb_discrete discrete;
  sb_model_start(r.model, work, x0);
  for (int i = 0; i < n; i++) {
    x[i] = 1.2 * x0[i] + 0.05;
  }
  assert_int_equal(sb_discrete_init(&discrete, work, sb_method_find(forms[0]), &(sb_error){0}),
                   SB_OK);
  discrete.t0 = 0, discrete.h = 0.2, discrete.x0 = x0;
  work->program = &discrete.program;
  assert_int_equal(sb_workspace_rates(work, 0.1, x, xdot, NULL), 0);
  work->program = plain;
  assert_int_equal(sb_workspace_evaluate(work, 0.1, x), 0);
  memcpy(held, work->values, (size_t)values * sizeof *held);
  sb_workspace_changed(work);
  assert_int_equal(sb_workspace_evaluate(work, 0.1, x), 0);
  assert_memory_equal(held, work->values, (size_t)values * sizeof *held);
  free(held);
  sb_discrete_finish(&discrete);
  sb_workspace_destroy(work);
  stop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_of_a_step_are_not_those_of_its_middle),
      cmocka_unit_test(linear_energy_does_not_drift),
      repeating_test(duffing_energy_does_not_drift),
      repeating_test(any_energy_at_any_step),
      cmocka_unit_test(equilibrium),
      repeating_test(settled),
      cmocka_unit_test(both_are_of_order_two),
      repeating_test(energy_balance_at_any_step),
      cmocka_unit_test(samples),
      repeating_test(ladder),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
