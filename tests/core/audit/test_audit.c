// SPDX-License-Identifier: GPL-3.0-or-later
// Kinds of which one half does not fit the other, by a factor 1 + lie: the audit must name them.
// Mistakes in the kinds that come along are tried by tools/test-mutants.
#include "core/audit/audit_private.h"
#include "core/model/model_data.h"
#include "core/model/rhs.h"
#include "core/simulation/simulation_private.h"
#include "tests/fixture.h"

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
static const sb_storage_hooks mover = {.output = honest_output,
                                       .rate = spring_rate,
                                       .energy = spring_energy,
                                       .audit = {.motion = moving}};

/** As the spring; the rate is off. */
static int runner_rate(const void *self, const sb_at *at, double xdot[]) {
  xdot[0] = factor(self) * at->in[0];
  return 0;
}
static const sb_storage_hooks runner = {
    .output = honest_output, .rate = runner_rate, .energy = spring_energy};

/** As the spring; the energy is off. */
static double teller_energy(const void *self, const sb_at *at) {
  return factor(self) * spring_energy(self, at);
}
static const sb_storage_hooks teller = {
    .output = honest_output, .rate = spring_rate, .energy = teller_energy};

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
    KIND("runner", SB_STORAGE, gives_effort, .init = one_state, .storage = &runner),
    KIND("teller", SB_STORAGE, gives_effort, .init = one_state, .storage = &teller),
    KIND("square", SB_DISSIPATION, gives_either, .dissipation = &square),
    KIND("giving", SB_DISSIPATION, gives_effort, .dissipation = &giving),
    KIND("wave", SB_SOURCE, gives_effort, .source = &wave),
    KIND("coupling", SB_STRUCTURE, two_ports, .structure = &coupling),
};
enum { SPRING, LINEAR, MOVER, RUNNER, TELLER, SQUARE, GIVING, WAVE, COUPLING, KINDS };

/** All kinds on one mass, the coupling with an inertia behind it. */
static sb_graph *build(int liar, double lie) {
  static const char *const bonds[][2] = {{"wave", "J1"},   {"J1", "spring"},   {"J1", "linear"},
                                         {"J1", "mover"},  {"J1", "square"},   {"J1", "giving"},
                                         {"J1", "I"},      {"J1", "coupling"}, {"coupling", "C"},
                                         {"J1", "runner"}, {"J1", "teller"}};
  sb_graph *graph;
  assert_int_equal(sb_graph_create("liars", &graph, NULL), SB_OK);
  for (int i = 0; i < KINDS; i++) {
    set_value(add_element(graph, &kinds[i], kinds[i].name), "lie", i == liar ? lie : 0);
  }
  add_kind(graph, "J1", "J1", NULL, 0);
  add_kind(graph, "I", "I", "l", 1.3);
  add_kind(graph, "C", "C", "c", 0.8);
  for (size_t i = 0; i < sizeof bonds / sizeof *bonds; i++) {
    add_bond(graph, bonds[i][0], bonds[i][1]);
  }
  return graph;
}

/** An oscillator without any bond to the others, of 1e12 times their energy, and a source that feeds a
 *  resistor with as much. */
static void add_larger(sb_graph *graph) {
  static const char *const bonds[][2] = {{"J9", "I9"}, {"J9", "C9"}, {"S9", "R9"}};
  add_kind(graph, "J1", "J9", NULL, 0);
  add_kind(graph, "I", "I9", "l", 1.7e12);
  set_value(add_kind(graph, "C", "C9", "c", 0.6e-12), "q0", 1.1);
  add_kind(graph, "Se", "S9", "effort", 1.3e6);
  add_kind(graph, "R", "R9", "r", 2.3);
  for (size_t i = 0; i < sizeof bonds / sizeof *bonds; i++) {
    add_bond(graph, bonds[i][0], bonds[i][1]);
  }
}

static int nothing(void *context, const sb_simulation *sim, double t) {
  (void)context, (void)sim, (void)t;
  return 0;
}

static run run_with(int liar, double lie) {
  sb_error err = {0};
  run r = start_graph(build(liar, lie), options_of("dormand-prince-5", 1e-10));
  ok(sb_simulation_run(r.sim, 3, 0.02, nothing, NULL, &err), &err);
  return r;
}

static void honest_kinds_pass(void **state) {
  (void)state;
  run r = run_with(-1, 0);
  assert_near(ledger_of(&r)->structure.residual_relative, 0, 1e-14);
  assert_near(ledger_of(&r)->structure.skew_relative, 0, 1e-15);
  assert_near(ledger_of(&r)->residual_relative, 0, 1e-9);
  assert_int_equal(ledger_of(&r)->passivity.violations, 0);
  stop(&r);
}

/** What is stated twice must agree to rounding. */
static void structure_names_the_liar(void **state) {
  (void)state;
  static const int liars[] = {LINEAR, MOVER, SPRING, RUNNER, TELLER, SQUARE, WAVE, COUPLING};
  for (size_t i = 0; i < sizeof liars / sizeof *liars; i++) {
    run r = run_with(liars[i], 1e-6);
    assert_in_range((uintmax_t)(1e9 * ledger_of(&r)->structure.residual_relative), 100, 3000);
    assert_string_equal(ledger_of(&r)->structure.worst, kinds[liars[i]].name);
    stop(&r);
  }
}

/** An effort that is no gradient, and a structure that makes power, are missed by the energy balance. */
static void integration_names_the_liar(void **state) {
  (void)state;
  static const int liars[] = {SPRING, RUNNER, TELLER, COUPLING};
  for (size_t i = 0; i < sizeof liars / sizeof *liars; i++) {
    run r = run_with(liars[i], 1e-6);
    assert_true(ledger_of(&r)->residual_relative > 1e-8);
    assert_string_equal(ledger_of(&r)->residual_element, kinds[liars[i]].name);
    stop(&r);
  }
}

/** The same lies beside parts that are 1e12 times larger: each figure is as large, and names the same. */
static void nothing_larger_hides_a_liar(void **state) {
  (void)state;
  sb_error err = {0};
  for (int liar = -1; liar < KINDS; liar++) {
    if (liar == GIVING) {
      continue; // passivity has no limit
    }
    sb_graph *graph = build(liar, 1e-6);
    add_larger(graph);
    run alone = run_with(liar, 1e-6), r = start_graph(graph, options_of("dormand-prince-5", 1e-10));
    ok(sb_simulation_run(r.sim, 3, 0.02, nothing, NULL, &err), &err);
    const sb_ledger *have = ledger_of(&r), *want = ledger_of(&alone);
    if (want->structure.residual_relative > 1e-12) {
      assert_near_relative(have->structure.residual_relative, want->structure.residual_relative,
                           0.5);
      assert_string_equal(have->structure.worst, want->structure.worst);
    }
    if (want->residual_relative > 1e-8) {
      assert_near_relative(have->residual_relative, want->residual_relative, 0.5);
      assert_string_equal(have->residual_element, want->residual_element);
      assert_string_equal(have->parts[have->worst_part].account.id, "spring");
    }
    bool found = have->structure.residual_relative > 1e-12 || have->residual_relative > 1e-8;
    assert_int_equal(found, liar >= 0);
    stop(&alone);
    stop(&r);
  }
}

static void passivity_names_the_liar(void **state) {
  (void)state;
  run r = run_with(GIVING, 1);
  assert_true(ledger_of(&r)->passivity.violations > 0);
  assert_true(ledger_of(&r)->passivity.worst < 0);
  assert_string_equal(ledger_of(&r)->passivity.element, "giving");
  stop(&r);
}

/** No step balances energies that do not belong together: after a few trials none is taken again. */
static void takes_no_step_in_vain(void **state) {
  (void)state;
  run honest = run_with(-1, 0), wrong = run_with(SPRING, 0.3);
  assert_true(ledger_of(&wrong)->residual_relative > 1e-3);
  assert_string_equal(ledger_of(&wrong)->residual_element, "spring");
  assert_true(ledger_of(&wrong)->work.steps < 2 * ledger_of(&honest)->work.steps);
  stop(&honest);
  stop(&wrong);
}

/** A circuit that a source drives by tanh of what a signal reads, which is off by a factor 1 + lie. */
static run run_sensor(const char *reads, const char *unit, double lie) {
  char text[900];
  (void)snprintf(text, sizeof text,
                 "<network domain='electric'><signal id='x' of='%s'/>"
                 "<Se id='U' effort='0.7[V]*tanh(1 - 2*x/1[%s])'/><J1 id='j'/><I id='L' l='1.3 H'/>"
                 "<C id='C' c='0.8 F' q0='0.4 C'/><R id='R' r='0.6 ohm'/><bond from='U' to='j'/>"
                 "<bond from='j' to='L'/><bond from='j' to='C'/><bond from='j' to='R'/></network>",
                 reads, unit);
  run r = prepare_inside(text);
  sb_error err = {0};
  assert_int_equal(r.model->program->term_count, 1); // the sensor's: all others are rates
  r.model->program->factor[0] *= 1 + lie;
  start_by(&r, &r.netlist->options);
  ok(sb_simulation_run(r.sim, 3, 0.1, nothing, NULL, &err), &err);
  return r;
}

/** Signals make no power, yet what they read is a part of the structure. */
static void structure_names_a_wrong_sensor(void **state) {
  (void)state;
  static const char *const reads[][3] = {{"L.f", "A", "L"}, {"C.q", "C", "C"}, {"R.e", "V", "R"}};
  for (size_t i = 0; i < sizeof reads / sizeof *reads; i++) {
    run right = run_sensor(reads[i][0], reads[i][1], 0);
    run wrong = run_sensor(reads[i][0], reads[i][1], 1e-4);
    assert_near(ledger_of(&right)->structure.residual_relative, 0, 1e-14);
    assert_near(ledger_of(&wrong)->structure.residual_relative, 1e-4, 1e-7);
    assert_string_equal(ledger_of(&wrong)->structure.worst, reads[i][2]);
    stop(&wrong);
    stop(&right);
  }
}

/** A mass at rest between a source of 1 N and a spring of 1.4 m/N at 1.1 m. The first audit is 1e-20 s behind the start, where an effort e
 *  does no work yet, e v t, that an energy of 0.4 J would tell from rounding. From the half of the run on the spring's force counts twice
 *  in the rate of the momentum, 1 N too much beside terms of 1 N each. */
static void sizes_of_the_first_instant_do_not_last(void **state) {
  (void)state;
  run r = prepare_inside("<network domain='translation'><Se id='s' effort='1 N'/><J1 id='j'/>"
                         "<I id='m' mass='1.3 kg'/><C id='k' c='1.4 m/N' q0='1.1 m'/>"
                         "<bond from='s' to='j'/><bond from='j' to='m'/><bond from='j' to='k'/>"
                         "</network>");
  start_by(&r, &r.netlist->options);
  static const double times[] = {1e-20, 1.5};
  for (int i = 0; i < 2; i++) {
    advance(&r, times[i]);
    sb_simulation_audit(r.sim);
    assert_near(ledger_of(&r)->structure.residual_relative, 0, 1e-14);
  }
  sb_program *program = r.model->program;
  assert_true(program->groups[0].count == 2 && program->groups[0].terms == 1); // -q/c and p/m
  for (int k = 0; k < 2; k++) {
    program->rate_factor[k] *= program->rate_factor[k] < 0 ? 2 : 1;
  }
  advance(&r, 3);
  sb_simulation_audit(r.sim);
  assert_in_range((uintmax_t)(1e3 * ledger_of(&r)->structure.residual_relative), 100, 1000);
  assert_string_equal(ledger_of(&r)->structure.worst, "m");
  stop(&r);
}

/** A damper whose factor falls from +1 behind an event to -2 before the next one, and jumps back: every step ends at an event, and what is there
 *  behind it gives no power. In between it does, half of the energy and more. */
static void power_between_events(void **state) {
  (void)state;
  static const char *const parts[] = {
      "<signal id='tri' rate='1000[Hz]*u'/><Hysteresis id='u' of='tri' rising='0' falling='-1' "
      "initial='above' above='-1' below='1'/><R id='d' "
      "law='0.1[N.s/m]*f*(0.5*(1+u))*(1-3*(1+tri))'/>",
      "<Stop id='s' lower='-1 mm' upper='0 mm' restitution='1'/><bond from='j' to='s'/><signal "
      "id='v' of='m.f'/><signal id='x' rate='v'/><R id='d' law='0.1[N.s/m]*f*(if(f&gt;0[m/s],"
      "1-3*(1+x/1[mm]),0))'/>",
      "<Stop id='s' lower='-1 mm' upper='0 mm' restitution='1'/><bond from='j' to='s'/><signal "
      "id='v' of='m.f'/><signal id='x' rate='v'/><R id='d' law='0.1[N.s/m]*f*(if(f&gt;0[m/s],"
      "1-3*(1+x/1[mm]),1))'/>"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    char text[1500];
    (void)snprintf(text, sizeof text,
                   "<network domain='translation'><J1 id='j'/><I id='m' mass='1 kg' p0='%s'/><bond "
                   "from='j' to='m'/>%s<bond from='j' to='d'/></network>",
                   i == 0 ? "1" : "-1", parts[i]);
    run r = start(text, 1e-8, 0);
    advance(&r, 0.1);
    sb_simulation_audit(r.sim);
    assert_true(ledger_of(&r)->passivity.violations > 30);
    assert_string_equal(ledger_of(&r)->passivity.element, "d");
    stop(&r);
  }
}

/** A block that slides is lifted by 20 N/s, and weighs 9.81 N: what it rubs is judged while it presses, and not where the step has passed the
 *  place at which it lets go. */
static void contact_that_lets_go(void **state) {
  (void)state;
  run r = start(
      "<laws><contact-law id='hard' normal='rigid' friction='coulomb' mu='0.5'/></laws>"
      "<mechanism gravity='0 0 -9.81 m/s^2'><ground id='g'><shape kind='plane' normal='0 0 1' "
      "offset='0 m'/></ground><body id='b' mass='1 kg' inertia='1 1 1' velocity='3 0 0 "
      "m/s'><shape "
      "id='s' kind='point'/></body><contact id='c' a='g' b='s' law='hard'/>"
      "<Wrench id='lift' on='b' force-z='20[N/s]*t'/></mechanism>",
      1e-8, 0);
  advance(&r, 0.3);
  sb_audit *audit = &r.sim->audit;
  sb_workspace *work = r.sim->work;
  const sb_passivity before = audit->ledger.passivity;
  assert_int_equal(before.violations, 0);
  assert_int_equal(sb_workspace_evaluate(work, 0.6, r.sim->x), 0);
  sb_audit_passive(audit, 0.6, r.sim->x, work->evaluation.xdot);
  assert_int_equal(audit->ledger.passivity.violations, 1);
  sb_audit_before_event(audit, &before, 0.6, r.sim->x);
  assert_int_equal(audit->ledger.passivity.violations, 0);
  stop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(structure_names_a_wrong_sensor),
      cmocka_unit_test(honest_kinds_pass),
      repeating_test(structure_names_the_liar),
      cmocka_unit_test(integration_names_the_liar),
      cmocka_unit_test(passivity_names_the_liar),
      cmocka_unit_test(takes_no_step_in_vain),
      repeating_test(nothing_larger_hides_a_liar),
      cmocka_unit_test(sizes_of_the_first_instant_do_not_last),
      cmocka_unit_test(power_between_events),
      cmocka_unit_test(contact_that_lets_go),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
