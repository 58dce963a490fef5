// SPDX-License-Identifier: GPL-3.0-or-later
// Discrete gradients with dependent storages and constraints, at events, and what they refuse.
#include "tests/core/integrator/oscillators.h"

// ---- dependent storages

static const char *const dependent[] = {
    // two inertias behind a gear, against a torsion spring
    "<network domain='rotation'><J1 id='a'/><I id='I1' l='2.385' p0='1.7'/>"
    "<TF id='g' ratio='3'/><J1 id='b'/><I id='I2' l='0.5' p0='1.0691823899371069'/>"
    "<C id='c' c='0.7'/><bond from='a' to='I1'/><bond from='a' to='g'/><bond from='g' to='b'/>"
    "<bond from='b' to='I2'/><bond from='b' to='c'/></network>",
    // three capacitors in parallel with an inductor
    "<network domain='electric'><J0 id='n'/><C id='A' c='0.2' q0='0.4'/>"
    "<C id='B' c='0.5' q0='1'/><C id='D' c='0.1' q0='0.2'/><I id='L' l='1.7'/>"
    "<bond from='n' to='A'/><bond from='n' to='B'/><bond from='n' to='D'/>"
    "<bond from='n' to='L'/></network>",
    // a capacitor on a source, with a load
    "<network domain='electric'><Se id='U' effort='5 V' waveform='sine' frequency='2 Hz'/>"
    "<J0 id='n'/><C id='C1' c='0.7'/><R id='R1' r='3'/><bond from='U' to='n'/>"
    "<bond from='n' to='C1'/><bond from='n' to='R1'/></network>",
    // a capacitor behind a gyrator that is in series with an inductor
    "<network domain='electric'><Se id='U' effort='5 V'/><J1 id='j'/><I id='L' l='0.3'/>"
    "<GY id='g' ratio='2'/><C id='C1' c='0.7'/><R id='R1' r='1.1'/><bond from='U' to='j'/>"
    "<bond from='j' to='L'/><bond from='j' to='g'/><bond from='g' to='C1'/>"
    "<bond from='j' to='R1'/></network>"};

static void dependent_storages(void **state) {
  (void)state;
  const double steps[] = {0.001, 0.031, 0.7, 13};
  for (int k = 0; k < 4; k++) {
    for (int h = 0; h < 4; h++) {
      run r = parsed(dependent[k], fixed(forms[h % 2], steps[h]));
      advance(&r, 10000 * steps[h]);
      if (!(ledger_of(&r)->residual_relative <= 1e-13)) {
        print_error("network %d at h = %g\n", k, steps[h]);
      }
      assert_near(ledger_of(&r)->residual_relative, 0, 1e-13);
      sb_simulation_audit(r.sim);
      assert_near(ledger_of(&r)->structure.residual_relative, 0, 1e-12);
      stop(&r);
    }
  }
  run r = parsed(dependent[1], fixed(forms[0], 1e-3));
  advance(&r, 2.1);
  assert_near(value(&r, "A.e"), 2 * cos(2.1 / sqrt(1.7 * 0.8)), 1e-6);
  stop(&r);
}

/** Two nonlinear capacitors and a linear one side by side, with a coil: undamped. */
static const char *const curved =
    "<network domain='electric'><C id='A' energy='q^2/2[F] + q^4/4[V^-1.C^3]' q0='1 C'/>"
    "<C id='B' energy='q^2/4[F] + q^4/32[V^-1.C^3]' q0='2 C'/><C id='D' c='0.5 F' q0='1 C'/>"
    "<I id='L' l='0.7 H'/><J0 id='n'/><bond from='n' to='A'/><bond from='n' to='B'/>"
    "<bond from='n' to='D'/><bond from='n' to='L'/></network>";

/** Such storages on a source, with a load, and a coil that saturates behind a gyrator. */
static const char *const on_sources =
    "<network domain='electric'><Se id='U' effort='1[V] + 0.5[V]*sin(3[1/s]*t)'/>"
    "<C id='A' energy='q^4/4[V^-1.C^3]' q0='1 C'/><C id='D' c='0.5 F' q0='0.5 C'/>"
    "<R id='R' r='3 ohm'/><J0 id='n'/><bond from='U' to='n'/><bond from='n' to='A'/>"
    "<bond from='n' to='D'/><bond from='n' to='R'/></network><network domain='electric'>"
    "<I id='L' energy='p^2/2[H] + p^4/4[A^-1.Wb^3]'/><GY id='G' ratio='2 ohm'/>"
    "<C id='E' c='0.7 F'/><J0 id='k'/><Sf id='i' flow='1 A' waveform='sine' frequency='0.3 Hz'/>"
    "<bond from='i' to='k'/><bond from='k' to='E'/><bond from='k' to='G'/>"
    "<bond from='G' to='L'/></network>";

/** With constraints that are not linear the energy balance is met to rounding at any step, and they hold. */
static void curved_constraints(void **state) {
  (void)state;
  const double steps[] = {0.001, 0.031, 0.7};
  for (int k = 0; k < 2; k++) {
    for (int h = 0; h < 6; h++) {
      run r = parsed(k == 0 ? curved : on_sources, fixed(forms[h % 2], steps[h / 2]));
      advance(&r, (THOROUGH ? 250 : 60) * steps[h / 2]);
      assert_near(ledger_of(&r)->residual_relative, 0, 1e-13);
      sb_simulation_audit(r.sim);
      assert_near(ledger_of(&r)->structure.residual_relative, 0, 1e-12);
      assert_near_relative(value(&r, "A.e"), value(&r, k == 0 ? "B.e" : "U.e"), 1e-12);
      assert_near_relative(value(&r, "A.e"), value(&r, "D.e"), 1e-12);
      stop(&r);
    }
  }
}

/** A source that changes over the first step would break the constraint at rest: steps begin along the rates. */
static void curved_constraints_begin(void **state) {
  (void)state;
  run r = parsed(
      "<network domain='rotation'><J0 id='a'/><I id='K' l='1' p0='0.1'/>"
      "<C id='C' c='1' q0='-0.3'/><J1 id='b'/>"
      "<I id='S' energy='1[J]*((p/1[N.m.s])^2/4 + 0.5*log(cosh((p/1[N.m.s]))))' p0='1'/>"
      "<R id='R' r='0.4'/><J0 id='r'/><GY id='G' ratio='1[N.m.s]*(-1)'/><TF id='T' ratio='-1'/>"
      "<Sf id='B' flow='-1[rad/s]*(-1 + 0.5*sin(3*(t/1[s])))'/><bond from='a' to='K'/>"
      "<bond from='b' to='S'/><bond from='b' to='R'/><bond from='a' to='C'/>"
      "<bond from='r' to='G.from'/><bond from='G.to' to='a'/><bond from='b' to='T.from'/>"
      "<bond from='T.to' to='r'/><bond from='B' to='r'/></network>",
      fixed(forms[0], 0.1));
  advance(&r, 3);
  assert_near(ledger_of(&r)->residual_relative, 0, 1e-13);
  stop(&r);
}

/** Against Runge and Kutta's at a fine tolerance: halving the step leaves a quarter of the error. */
static void curved_constraints_are_of_order_two(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    const char *text = k == 0 ? curved : on_sources, *name = k == 0 ? "L.f" : "L.p";
    sb_options fine = sb_options_defaults();
    fine.rtol = fine.atol = 1e-12;
    run r = parsed(text, fine);
    advance(&r, 3);
    double exact = value(&r, name), error[2];
    stop(&r);
    for (int i = 0; i < 2; i++) {
      r = parsed(text, fixed(forms[k], 0.01 / (1 + i)));
      advance(&r, 3);
      error[i] = fabs(value(&r, name) - exact);
      stop(&r);
    }
    assert_near(error[0] / error[1], 4, 0.05);
    assert_true(error[0] < 1e-3);
  }
}

// ---- events

/** A resistor that changes for good when its current reaches a limit. */
typedef struct fuse {
  double before, after, limit;
} fuse;
static int fuse_law(const void *self, const sb_at *at, sb_variable given, double y[]) {
  const fuse *s = self;
  double r = at->mode == 0 ? s->before : s->after;
  (void)given;
  y[0] = r * at->in[0];
  return 0;
}
static int fuse_mode(const void *self, const sb_at *at, double discrete[]) {
  (void)self, (void)at, (void)discrete;
  return 0;
}
static int fuse_indicators(const void *self, const sb_at *at, double g[], double gdot[]) {
  const fuse *s = self;
  g[0] = s->limit - at->in[0];
  gdot[0] = NAN;
  return at->mode == 0;
}
static sb_status fuse_fire(const void *self, const sb_at *at, int indicator, double discrete[],
                           sb_transition *out) {
  (void)self, (void)at, (void)indicator, (void)discrete;
  out->mode = 1;
  out->kind = "blow";
  return SB_OK;
}
static const sb_dissipation_hooks fuse_hooks = {.law = fuse_law};
static const sb_switching_hooks fuse_switching = {
    .initial_mode = fuse_mode, .indicators = fuse_indicators, .fire = fuse_fire};
static const sb_param fuse_params[] = {
    {.name = "before", .kind = SB_PARAM_REAL, .offset = offsetof(fuse, before), .help = "r"},
    {.name = "after", .kind = SB_PARAM_REAL, .offset = offsetof(fuse, after), .help = "r"},
    {.name = "limit", .kind = SB_PARAM_REAL, .offset = offsetof(fuse, limit), .help = "f"},
    {0}};
static const sb_port_spec fuse_port[] = {{"p", .dim = 1, .output = SB_EFFORT}, {0}};
static const sb_element_type fuse_kind = {.name = "Fuse",
                                          .role = SB_DISSIPATION,
                                          .size = sizeof(fuse),
                                          .params = fuse_params,
                                          .ports = fuse_port,
                                          .dissipation = &fuse_hooks,
                                          .switching = &fuse_switching};

/** i = U/R (1 - exp(-R t/L)) reaches the limit at a known time. */
static void event_by_partial_steps(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    sb_graph *graph;
    assert_int_equal(sb_graph_create("fuse", &graph, NULL), SB_OK);
    add_kind(graph, "Se", "U", "effort", 4.77);
    add_kind(graph, "I", "L", "l", 0.31);
    sb_element *element = add_element(graph, &fuse_kind, "F");
    set_value(element, "before", 1.3);
    set_value(element, "after", 57);
    set_value(element, "limit", 2.385);
    add_kind(graph, "J1", "i", NULL, 0);
    add_bond(graph, "U", "i");
    add_bond(graph, "i", "L");
    add_bond(graph, "i", "F");
    run r = start_graph(graph, fixed(forms[i], 1e-3));
    advance(&r, 1);
    double t = -0.31 / 1.3 * log(1 - 2.385 * 1.3 / 4.77);
    assert_int_equal(ledger_of(&r)->event_count, 1);
    assert_string_equal(ledger_of(&r)->events[0].kind, "blow");
    assert_near(ledger_of(&r)->events[0].t, t, 1e-6);
    assert_near(ledger_of(&r)->residual_relative, 0, 1e-14);
    assert_near(value(&r, "L.f"), 4.77 / 57, 1e-6);
    stop(&r);
  }
}

/** A closing switch makes a capacitor dependent: a new program, and its loss is in the ledger. */
static void switch_that_constrains(void **state) {
  (void)state;
  run r = parsed("<network domain='electric'><J1 id='m'/><C id='D' c='1 F' q0='3 C'/>"
                 "<C id='E' c='2 F'/><Switch id='S' times='0.25 s'/><bond from='m' to='D'/>"
                 "<bond from='m' to='E'/><bond from='m' to='S'/></network>",
                 fixed(forms[0], 0.1));
  advance(&r, 0.5);
  assert_int_equal(ledger_of(&r)->event_count, 1);
  assert_near(ledger_of(&r)->events[0].t, 0.25, 0);
  assert_near(ledger_of(&r)->events[0].loss, 3, 1e-14);
  assert_near(ledger_of(&r)->residual_relative, 0, 1e-15);
  stop(&r);
}

// ---- what is refused, and what fails

static void refusals(void **state) {
  (void)state;
  sb_graph *graph;
  assert_int_equal(sb_graph_create("body", &graph, NULL), SB_OK);
  sb_element *body = add_kind(graph, "body", "grey", "mass", 0.31);
  set_values(body, "inertia", (double[]){1e-3, 1e-3, 1e-3}, 3);
  refuse_options(graph, fixed(forms[0], 0.01), SB_ERR_USAGE,
                 "discrete-gradient is not for 'grey' (body)");
  refuse_options(oscillator(&twice, 1.7, 3.1, 0), fixed(forms[1], 0.01), SB_ERR_USAGE,
                 "mean-value-gradient is not for 'spring' (Twice)");
  refuse_options(oscillator(&twice, 1.7, 3.1, 0), fixed(forms[1], 0), SB_ERR_USAGE,
                 "mean-value-gradient has no step control: give a step");
}

/** Drives towards 1 m/s from both sides, so that no mean velocity fits. */
static int relay_law(const void *self, const sb_at *at, sb_variable given, double y[]) {
  (void)self, (void)given;
  y[0] = at->in[0] > 1 ? 10 : -10;
  return 0;
}
static const sb_dissipation_hooks relay_hooks = {.law = relay_law};
static const sb_element_type relay = {
    .name = "Relay", .role = SB_DISSIPATION, .ports = fuse_port, .dissipation = &relay_hooks};

/** The energy of a body that heats is the small difference of large terms, C T0 (exp(q/C) - 1): also in
 *  steps that take up less than their rounding the energy balance is met and the motion is right. */
static void energy_of_large_terms(void **state) {
  (void)state;
  const double C = 1.5, T0 = 293, i = 2, r = 5, g = 0.4, t = 2.385e-3;
  for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
    run net = parsed("<network domain='thermal'><Sf id='current' domain='electric' flow='2'/>"
                     "<R id='wire' domain='electric' r='5'/><J0 id='T'/>"
                     "<C id='body' energy='1.5[J/K]*293[K]*(exp(q/1.5[J/K]) - 1)'/>"
                     "<HeatR id='wall' g='0.4'/><Se id='room' effort='293'/>"
                     "<bond from='current' to='wire'/><bond from='wire.heat' to='T'/>"
                     "<bond from='T' to='body'/><bond from='T' to='wall.from'/>"
                     "<bond from='room' to='wall.to'/></network>",
                     fixed(forms[k], 1e-6));
    advance(&net, t);
    assert_near(value(&net, "body.e"), T0 + i * i * r / g * (1 - exp(-g * t / C)), 1e-10);
    assert_true(ledger_of(&net)->residual_max < 1e-12 * C * T0);
    stop(&net);
  }
}

static void failure_names_the_state(void **state) {
  (void)state;
  sb_graph *graph;
  assert_int_equal(sb_graph_create("relay", &graph, NULL), SB_OK);
  sb_error err = {0};
  sb_element *mass = add_element(graph, sb_catalog_find("I"), "mass");
  set_value(mass, "l", 0.83);
  set_value(mass, "p0", 0.5);
  add_element(graph, &relay, "relay");
  add_kind(graph, "J1", "v", NULL, 0);
  add_bond(graph, "v", "mass");
  add_bond(graph, "v", "relay");
  run r = start_graph(graph, fixed(forms[0], 0.01));
  assert_int_equal(sb_simulation_advance(r.sim, 1, &err), SB_ERR_SOLVER);
  assert_string_equal(
      err.text,
      "Newton's iteration did not converge at t = 0.03 s, with the largest residual in 'mass.p'; "
      "the step of 0.01 s is too long");
  assert_near(sb_simulation_time(r.sim), 0.03, 1e-15);
  stop(&r);
}

/** Two masses of 1 kg, one faster than the other by 1 m/s, with a spring H = k q^4 between them that has neither force nor
 *  stiffness at the start: its residual has no size there. q turns at A, k A^4 = 1/4 J, after A int_0^1 du/sqrt(1 - u^4). */
static void force_and_stiffness_begin_at_zero(void **state) {
  static const double speeds[] = {0, 2.0 / 3, 6.0 / 7, 10, 1e4}; // [m/s]
  const double lemniscate = 1.3110287771460599, A = pow(0.25, 0.25), turn = A * lemniscate;
  (void)state;
  for (int i = 0; i < 10; i++) {
    const double v = speeds[i / 2];
    char text[900];
    (void)snprintf(text, sizeof text,
                   "<network domain='translation'><I id='m1' mass='1 kg' p0='%.17g'/>"
                   "<I id='m2' mass='1 kg' p0='%.17g'/><J1 id='a'/><J1 id='b'/><J0 id='s'/>"
                   "<C id='k' energy='1[N/m^3]*q^4'/><bond from='a' to='m1'/>"
                   "<bond from='b' to='m2'/><bond from='a' to='s'/><bond from='s' to='b'/>"
                   "<bond from='s' to='k'/></network>",
                   v, v + 1);
    run r = parsed(text, fixed(forms[i % 2], turn / 1000));
    advance(&r, turn);
    assert_near(value(&r, "k.q"), -A, 2e-6);
    assert_near(value(&r, "m1.f"), v + 0.5, 1e-5 + 1e-12 * v);
    assert_near(value(&r, "m1.f") + value(&r, "m2.f"), 2 * v + 1, 1e-14 * (1 + v));
    assert_true(drift(&r) < 1e-13);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      repeating_test(dependent_storages),
      repeating_test(curved_constraints),
      cmocka_unit_test(curved_constraints_begin),
      repeating_test(curved_constraints_are_of_order_two),
      cmocka_unit_test(event_by_partial_steps),
      cmocka_unit_test(switch_that_constrains),
      cmocka_unit_test(refusals),
      repeating_test(energy_of_large_terms),
      cmocka_unit_test(failure_names_the_state),
      cmocka_unit_test(force_and_stiffness_begin_at_zero),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
