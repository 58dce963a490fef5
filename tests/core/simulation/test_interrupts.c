// SPDX-License-Identifier: GPL-3.0-or-later
// A run that is stopped: by its sampler, from where it goes on as if nothing had been, or at once from
// within a law, in the midst of a step, a search or an audit.
#include "tests/fixture.h"

// ---- a sampler that stops

typedef struct stopping {
  long calls, every;
} stopping;

static int stop_at_times(void *context, const sb_simulation *sim, double t) {
  stopping *s = context;
  (void)sim, (void)t;
  return ++s->calls % s->every == 0;
}

typedef struct result {
  long steps, events, stops;
  int count;
  double x[128];
} result;

static result run_with_stops(const char *file, double t_end, double sample, long every) {
  run r = {.netlist = read_example(file, NULL, 0)};
  sb_error err = {0};
  stopping s = {.every = every};
  r.model = compile_graph(r.netlist->graph);
  start_by(&r, &r.netlist->options);
  result end = {.count = sb_model_vector_count(r.model)};
  sb_status status = SB_INTERRUPTED;
  for (; status == SB_INTERRUPTED; end.stops++) {
    status = sb_simulation_run(r.sim, t_end, sample, stop_at_times, &s, &err);
  }
  ok(status, &err);
  assert_near(sb_simulation_time(r.sim), t_end, 0);
  end.steps = ledger_of(&r)->work.steps;
  end.events = ledger_of(&r)->work.events;
  assert_in_range(end.count, 1, 128);
  memcpy(end.x, sb_simulation_state(r.sim), (size_t)end.count * sizeof *end.x);
  stop(&r);
  return end;
}

/** The step whose samples are interrupted is accepted whole: its loops, discrete states and events. */
static void sampler_stops_between_steps(void **state) {
  (void)state;
  static const struct {
    const char *file;
    double t_end, sample;
  } rows[] = {{"slider_crank.xml", 0.3, 0.7e-3},
              {"two_ellipsoids.xml", 0.5, 0.9e-3},
              {"bouncing_ball.xml", 0.8, 0},
              {"diode.xml", 2e-3, 3e-6},
              {"stick_slip.xml", 1, 0.01}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    result whole = run_with_stops(rows[i].file, rows[i].t_end, rows[i].sample, 1000000000);
    result parts = run_with_stops(rows[i].file, rows[i].t_end, rows[i].sample, 2);
    assert_int_equal(whole.stops, 1);
    assert_true(parts.stops > 3);
    assert_int_equal(parts.steps, whole.steps);
    assert_int_equal(parts.events, whole.events);
    for (int k = 0; k < whole.count; k++) { // going on evaluates closest points anew, to rounding
      assert_near(parts.x[k], whole.x[k], 1e-11 * (1 + fabs(whole.x[k])));
    }
  }
}

// ---- a law that calls for the end

static sb_simulation *running;
static long calls, last_call; // of the law; from this one on the run is interrupted

/** e = r f^3 */
static int law(const void *self, const sb_at *at, sb_variable assigned, double y[]) {
  double r = *(const double *)self;
  if (++calls == last_call) {
    sb_simulation_interrupt(running);
  }
  y[0] = assigned == SB_FLOW ? r * at->in[0] * at->in[0] * at->in[0] : cbrt(at->in[0] / r);
  return 0;
}

static const sb_dissipation_hooks hooks = {.law = law};
static const sb_param params[] = {
    {.name = "r", .kind = SB_PARAM_REAL, .offset = 0, .count = 1, .range = SB_POSITIVE}, {0}};
static const sb_port_spec ports[] = {{"p", .dim = 1, .output = SB_INDIFFERENT}, {0}};
static const sb_element_type counted = {.name = "counted",
                                        .help = "a resistance that counts",
                                        .role = SB_DISSIPATION,
                                        .size = sizeof(double),
                                        .params = params,
                                        .ports = ports,
                                        .dissipation = &hooks};

/** Two of them feed each other, at a source with kinks: at each one all solutions are searched. */
static sb_graph *searching(void) {
  static const double times[] = {0, 0.03, 0.08, 0.13, 0.2}; // [s]
  static const double efforts[] = {4.77, 1.1, -3.2, 2.9, 0.6};
  sb_graph *graph;
  sb_error err = {0};
  assert_int_equal(sb_graph_create("searching", &graph, NULL), SB_OK);
  sb_element *source = add_kind(graph, "Se", "source", NULL, 0);
  ok(sb_element_choose(source, "waveform", "table", &err), &err);
  set_values(source, "times", times, 5);
  set_values(source, "values", efforts, 5);
  set_value(add_element(graph, &counted, "first"), "r", 1.3);
  set_value(add_element(graph, &counted, "second"), "r", 0.71);
  add_kind(graph, "C", "store", "c", 0.13);
  add_kind(graph, "J1", "ring", NULL, 0);
  add_bond(graph, "source", "ring");
  add_bond(graph, "ring", "first");
  add_bond(graph, "ring", "second");
  add_bond(graph, "ring", "store");
  return graph;
}

static int read_nothing(void *context, const sb_simulation *sim, double t) {
  (void)context, (void)sim;
  return t < 0;
}

static void an_end_in_mid_step_is_heeded_at_once(void **state) {
  (void)state;
  long all = 0, most = 0;
  for (long at = 0; at == 0 || at < all; at = at == 0 ? 1 : at + 1 + at / 3) {
    sb_options options = options_of("dormand-prince-5", 1e-6);
    sb_error err = {0};
    last_call = 0;
    run r = start_graph(searching(), options);
    long before = calls;
    running = r.sim;
    last_call = at == 0 ? 0 : calls + at;
    sb_status status = sb_simulation_run(r.sim, 0.21, 1e-3, read_nothing, NULL, &err);
    if (at == 0) {
      ok(status, &err);
      all = calls - before;
      assert_true(all > 10000);
    } else {
      assert_int_equal(status, SB_INTERRUPTED);
      assert_contains(err.text, "interrupted at t = ");
      most = calls - last_call > most ? calls - last_call : most;
      assert_true(isfinite(value(&r, "store.e")));
      assert_true(ledger_of(&r)->structure.residual_relative < 1e-12);
      assert_true(sb_simulation_time(r.sim) >= 0 && sb_simulation_time(r.sim) <= 0.21);
      last_call = 0;
      assert_int_equal(sb_simulation_advance(r.sim, 0.3, &err), SB_INTERRUPTED); // for good
    }
    stop(&r);
  }
  assert_true(most < 400); // an audit, which is never left half done; a search takes thousands
}

int main(void) {
  const struct CMUnitTest tests[] = {repeating_test(sampler_stops_between_steps),
                                     cmocka_unit_test(an_end_in_mid_step_is_heeded_at_once)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
