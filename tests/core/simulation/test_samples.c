// SPDX-License-Identifier: GPL-3.0-or-later
// Samples do not change a run: with many of them, with one after every step and without any, the
// accepted steps, the events and the states at the end are the same, bit by bit.
#include "tests/fixture.h"

enum { STATES_MAX = 128 };
static const double no_samples = -1;

typedef struct result {
  long steps, rejected, events;
  int count;
  double x[STATES_MAX]; // (count) states and integrals at the end
} result;

/** Reads a quantity, as programs do. */
static int read_power(void *context, const sb_simulation *sim, double t) {
  double out[8];
  (void)t;
  sb_simulation_read(sim, context, out);
  return isfinite(out[0]) ? 0 : 1;
}

/** @param method  NULL: that of the file  @param sample  [s] 0: every step; or no_samples */
static result run_example(const char *file, const char *method, const char *power, double t_end,
                          double sample) {
  char path[512];
  sb_netlist *netlist;
  sb_model *model;
  sb_simulation *sim;
  sb_quantity quantity;
  sb_errors errors = {0};
  sb_error err = {0};
  source_path(path, sizeof path, file);
  assert_int_equal(sb_netlist_read(path, NULL, 0, &netlist, &errors), SB_OK);
  assert_int_equal(sb_model_compile(netlist->graph, &model, &errors), SB_OK);
  sb_options options = netlist->options;
  options.method = method == NULL ? options.method : sb_method_find(method);
  ok(sb_model_find(model, power, &quantity, &err), &err);
  ok(sb_simulation_create(model, &options, &sim, &err), &err);
  ok(sample >= 0 ? sb_simulation_run(sim, t_end, sample, read_power, &quantity, &err)
                 : sb_simulation_advance(sim, t_end, &err),
     &err);
  const sb_ledger *ledger = sb_simulation_ledger(sim);
  result r = {.steps = ledger->work.steps,
              .rejected = ledger->work.rejected,
              .events = ledger->work.events,
              .count = sb_model_vector_count(model)};
  assert_in_range(r.count, 1, STATES_MAX);
  memcpy(r.x, sb_simulation_state(sim), (size_t)r.count * sizeof *r.x);
  sb_simulation_destroy(sim);
  sb_model_destroy(model);
  sb_netlist_destroy(netlist);
  return r;
}

static void compare(const char *file, const char *method, const char *power, double t_end,
                    double sample) {
  const double samples[] = {sample, 0};
  result without = run_example(file, method, power, t_end, no_samples);
  for (int i = 0; i < 2; i++) {
    result with = run_example(file, method, power, t_end, samples[i]);
    assert_int_equal(with.steps, without.steps);
    assert_int_equal(with.rejected, without.rejected);
    assert_int_equal(with.events, without.events);
    assert_memory_equal(with.x, without.x, (size_t)without.count * sizeof *without.x);
  }
}

/** Events, and closest points that are searched from the last ones. */
static void contacts(void **state) {
  (void)state;
  compare("examples/two_ellipsoids.xml", NULL, "grey.energy", 1.2, 0.3e-3);
}

/** Algebraic loops, whose iteration starts from the last solution. */
static void loops(void **state) {
  (void)state;
  compare("examples/slider_crank.xml", NULL, "wheel.f", THOROUGH ? 2 : 0.4, 0.7e-3);
  compare("examples/transistor_amplifier.xml", NULL, "R9.e", THOROUGH ? 0.05 : 0.01, 0.1e-3);
  compare("tests/netlists/mechanism/driven_arm.xml", NULL, "j0.q", 0.6, 0.84e-3);
}

/** Events located by an implicit method: a Jacobian may serve longer than a step. */
static void implicit_events(void **state) {
  (void)state;
  compare("examples/bouncing_ball.xml", "kvaerno-5", "ball.energy", 1, 1e-3);
}

enum { READ = 5 };
static const char *const thrown_names[READ] = {"b.velocity.z", "b.velocity.x", "b.velocity(b)",
                                               "b.velocity", "b.velocity.y"};

typedef struct thrown {
  sb_quantity quantities[READ];
  int samples;
} thrown;

/** Numbers of one vector, and the vector in other axes, are quantities of their own, in any order of reading. */
static int read_thrown(void *context, const sb_simulation *sim, double t) {
  thrown *w = context;
  const double v[3] = {1.3, -2.1, 3.7 - 9.81 * t};
  double out[READ][3];
  for (int i = 0; i < READ; i++) {
    const int k = w->samples % 3 == 2 ? READ - 1 - i : i;
    sb_simulation_read(sim, &w->quantities[k], out[k]);
  }
  w->samples++;
  assert_near(out[0][0], v[2], 1e-8);
  assert_near(out[1][0], v[0], 1e-8);
  assert_near(out[4][0], v[1], 1e-8);
  for (int k = 0; k < 3; k++) {
    assert_near(out[3][k], v[k], 1e-8);
  }
  assert_near(out[2][0] * out[2][0] + out[2][1] * out[2][1] + out[2][2] * out[2][2],
              v[0] * v[0] + v[1] * v[1] + v[2] * v[2], 1e-6);
  return 0;
}

/** A body thrown in vacuum: its velocity is v0 + g t, in its own axes of the same length. */
static void numbers_of_one_vector(void **state) {
  (void)state;
  run r = start_netlist("<screwbond version='1' id='m'><mechanism gravity='0 0 -9.81 m/s^2'><body "
                        "id='b' mass='1.7 kg' "
                        "inertia='0.01 0.02 0.025 kg.m^2' velocity='1.3 -2.1 3.7 m/s' "
                        "angular-velocity='1 2 3 rad/s'/>"
                        "</mechanism><run t-end='1 s'/></screwbond>");
  sb_error err = {0};
  thrown w = {.samples = 0};
  for (int i = 0; i < READ; i++) {
    ok(sb_model_find(r.model, thrown_names[i], &w.quantities[i], &err), &err);
  }
  ok(sb_simulation_run(r.sim, 1, 1e-4, read_thrown, &w, &err), &err);
  assert_int_equal(w.samples, 10001);
  stop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {repeating_test(contacts), repeating_test(loops),
                                     repeating_test(implicit_events),
                                     cmocka_unit_test(numbers_of_one_vector)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
