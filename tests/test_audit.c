// SPDX-License-Identifier: GPL-3.0-or-later
// Kinds of which one half does not fit the other, by a factor 1 + lie: the audit must name them.
// Mistakes in the kinds that come along are tried by tools/test-mutants.
#include "near.h"

#include <string.h>

#include "screwbond.h"

static double factor(const void *self) {
  return 1 + *(const double *)self;
}

static sb_status one_state(void *self, sb_layout *layout, sb_error *err) {
  (void)self, (void)err;
  layout->states = 1;
  return SB_OK;
}

static const sb_param params[] = {
    {.name = "lie", .kind = SB_PARAM_REAL, .fallback = "0", .help = "part that is made up"}, {0}};
static const sb_port_spec gives_effort[] = {{"p", .dim = 1, .output = SB_EFFORT}, {0}};
static const sb_port_spec gives_either[] = {{"p", .dim = 1, .output = SB_INDIFFERENT}, {0}};
static const sb_port_spec two_ports[] = {{"from", .dim = 1}, {"to", .dim = 1}, {0}};

/** H = 3 q^4/4 + q^2/2; the effort is off. */
static int spring_output(const void *self, const sb_at *at, double y[]) {
  double q = at->x[0];
  y[0] = factor(self) * (3 * q * q * q + q);
  return 0;
}
static int spring_rate(const void *self, const sb_at *at, double xdot[]) {
  (void)self;
  xdot[0] = at->in[0];
  return 0;
}
static double spring_energy(const void *self, const sb_at *at) {
  (void)self;
  double q2 = at->x[0] * at->x[0];
  return 3 * q2 * q2 / 4 + q2 / 2;
}
static const sb_storage_hooks spring = {
    .output = spring_output, .rate = spring_rate, .energy = spring_energy};

/** K = 2.9; output() thinks otherwise. */
static bool linear_matrix(const void *self, int dim, double K[]) {
  (void)self, (void)dim;
  K[0] = 2.9;
  return true;
}
static int linear_output(const void *self, const sb_at *at, double y[]) {
  y[0] = factor(self) * 2.9 * at->x[0];
  return 0;
}
static const sb_storage_hooks linear = {.linear = linear_matrix, .output = linear_output};

/** As the spring, honest with energy; the rates do not fit what must hold besides. */
static int honest_output(const void *self, const sb_at *at, double y[]) {
  (void)self;
  return spring_output(&(double){0}, at, y);
}
static double moving(const void *self, const sb_at *at, const double y[], const double xdot[]) {
  (void)y;
  return fabs(factor(self) * xdot[0] - at->in[0]) / fmax(fabs(xdot[0]), 1e-30);
}
static const sb_storage_hooks mover = {
    .output = honest_output, .rate = spring_rate, .energy = spring_energy, .motion = moving};

/** e = f |f|; the other causality is off. */
static int square_law(const void *self, const sb_at *at, sb_variable given, double y[]) {
  double u = at->in[0];
  y[0] = given == SB_FLOW ? u * fabs(u) : factor(self) * copysign(sqrt(fabs(u)), u);
  return 0;
}
static const sb_dissipation_hooks square = {.law = square_law};

/** e = f, or a negative effort for every flow. */
static int giving_law(const void *self, const sb_at *at, sb_variable given, double y[]) {
  (void)given;
  y[0] = *(const double *)self == 0 ? at->in[0] : -1e-3 * at->in[0];
  return 0;
}
static const sb_dissipation_hooks giving = {.law = giving_law};

/** cos(3 t); its rate is off. */
static int wave_value(const void *self, const sb_at *at, double y[]) {
  (void)self;
  y[0] = cos(3 * at->t);
  return 0;
}
static int wave_rate(const void *self, const sb_at *at, double ydot[]) {
  ydot[0] = factor(self) * -3 * sin(3 * at->t);
  return 0;
}
static const sb_source_hooks wave = {.value = wave_value, .rate = wave_rate};

/** e_to = 2 f_from, e_from = 2 f_to; one of them is off. */
static void coupling_kernel(const void *self, const sb_at *at, const sb_layout *layout,
                            sb_kernel *kernel) {
  (void)at, (void)layout;
  sb_kernel_add(kernel, 0, 1, SB_EFFORT, 1);
  sb_kernel_add(kernel, 0, 0, SB_FLOW, 2);
  sb_kernel_add(kernel, 1, 0, SB_EFFORT, 1);
  sb_kernel_add(kernel, 1, 1, SB_FLOW, -2 * factor(self));
}
static const sb_structure_hooks coupling = {.kernel = coupling_kernel};

#define KIND(name_, role_, ports_, ...)                                                            \
  {                                                                                                \
    .name = (name_), .role = (role_), .size = sizeof(double), .params = params, .ports = (ports_), \
    __VA_ARGS__                                                                                    \
  }
static const sb_element_type kinds[] = {
    KIND("spring", SB_STORAGE, gives_effort, .init = one_state, .storage = &spring),
    KIND("linear", SB_STORAGE, gives_effort, .storage = &linear),
    KIND("mover", SB_STORAGE, gives_effort, .init = one_state, .storage = &mover),
    KIND("square", SB_DISSIPATION, gives_either, .dissipation = &square),
    KIND("giving", SB_DISSIPATION, gives_effort, .dissipation = &giving),
    KIND("wave", SB_SOURCE, gives_effort, .source = &wave),
    KIND("coupling", SB_STRUCTURE, two_ports, .structure = &coupling),
};
enum { SPRING, LINEAR, MOVER, SQUARE, GIVING, WAVE, COUPLING, KINDS };

static void put(sb_graph *graph, const sb_element_type *type, const char *param, double value) {
  sb_error err = {0};
  sb_element *element;
  ok(sb_graph_add(graph, type, type->name, &element, &err), &err);
  if (param != NULL) {
    ok(sb_element_set(element, param, &value, 1, &err), &err);
  }
}

/** All kinds on one mass, the coupling with an inertia behind it. */
static sb_graph *build(int liar, double lie) {
  static const char *const bonds[][2] = {{"wave", "J1"},  {"J1", "spring"},   {"J1", "linear"},
                                         {"J1", "mover"}, {"J1", "square"},   {"J1", "giving"},
                                         {"J1", "I"},     {"J1", "coupling"}, {"coupling", "C"}};
  sb_error err = {0};
  sb_graph *graph;
  assert_int_equal(sb_graph_create("liars", &graph, NULL), SB_OK);
  for (int i = 0; i < KINDS; i++) {
    put(graph, &kinds[i], "lie", i == liar ? lie : 0);
  }
  put(graph, sb_catalog_find("J1"), NULL, 0);
  put(graph, sb_catalog_find("I"), "l", 1.3);
  put(graph, sb_catalog_find("C"), "c", 0.8);
  for (size_t i = 0; i < sizeof bonds / sizeof *bonds; i++) {
    ok(sb_graph_bond(graph, bonds[i][0], bonds[i][1], &err), &err);
  }
  return graph;
}

static int nothing(void *context, const sb_simulation *sim, double t) {
  (void)context, (void)sim, (void)t;
  return 0;
}

typedef struct run {
  sb_model *model;
  sb_simulation *sim;
  const sb_ledger *ledger;
} run;

static run go(int liar, double lie) {
  sb_graph *graph = build(liar, lie);
  sb_errors errors = {0};
  sb_error err = {0};
  run r = {0};
  sb_options options = sb_options_defaults();
  options.rtol = 1e-10;
  options.atol = 1e-12;
  ok(sb_model_compile(graph, &r.model, &errors), &errors.items[0]);
  ok(sb_simulation_create(r.model, &options, &r.sim, &err), &err);
  ok(sb_simulation_run(r.sim, 3, 0.02, nothing, NULL, &err), &err);
  sb_graph_destroy(graph);
  r.ledger = sb_simulation_ledger(r.sim);
  return r;
}

static void stop(run *r) {
  sb_simulation_destroy(r->sim);
  sb_model_destroy(r->model);
}

static void honest_kinds_pass(void **state) {
  (void)state;
  run r = go(-1, 0);
  assert_near(r.ledger->structure.residual_relative, 0, 1e-14);
  assert_near(r.ledger->structure.skew_relative, 0, 1e-15);
  assert_near(r.ledger->residual_relative, 0, 1e-9);
  assert_int_equal(r.ledger->passivity.violations, 0);
  stop(&r);
}

/** What is stated twice must agree to rounding. */
static void structure_names_the_liar(void **state) {
  (void)state;
  static const int liars[] = {LINEAR, MOVER, SQUARE, WAVE, COUPLING};
  for (int i = 0; i < 5; i++) {
    run r = go(liars[i], 1e-6);
    assert_in_range((uintmax_t)(1e9 * r.ledger->structure.residual_relative), 200, 3000);
    assert_string_equal(r.ledger->structure.worst, kinds[liars[i]].name);
    stop(&r);
  }
}

/** An effort that is no gradient, and a structure that makes power, are missed by the books. */
static void integration_names_the_liar(void **state) {
  (void)state;
  static const int liars[] = {SPRING, COUPLING};
  for (int i = 0; i < 2; i++) {
    run r = go(liars[i], 1e-6);
    assert_true(r.ledger->residual_relative > 1e-8);
    assert_string_equal(r.ledger->residual_element, kinds[liars[i]].name);
    stop(&r);
  }
}

static void passivity_names_the_liar(void **state) {
  (void)state;
  run r = go(GIVING, 1);
  assert_true(r.ledger->passivity.violations > 0);
  assert_true(r.ledger->passivity.worst < 0);
  assert_string_equal(r.ledger->passivity.element, "giving");
  stop(&r);
}

/** No step closes books that do not belong together: after a few trials none is taken again. */
static void takes_no_step_in_vain(void **state) {
  (void)state;
  run honest = go(-1, 0), wrong = go(SPRING, 0.3);
  assert_true(wrong.ledger->residual_relative > 1e-3);
  assert_string_equal(wrong.ledger->residual_element, "spring");
  assert_true(wrong.ledger->work.steps < 2 * honest.ledger->work.steps);
  stop(&honest);
  stop(&wrong);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(honest_kinds_pass),          cmocka_unit_test(structure_names_the_liar),
      cmocka_unit_test(integration_names_the_liar), cmocka_unit_test(passivity_names_the_liar),
      cmocka_unit_test(takes_no_step_in_vain),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
