// SPDX-License-Identifier: GPL-3.0-or-later
// Discrete gradients: no drift in a million steps, an energy balance that is met at any step, order 2,
// dependent storages, storages of several states, and what the methods refuse.
#include "core/integrator/discrete_gradient_private.h"
#include "tests/fixture.h"

static const char *const forms[] = {"discrete-gradient", "mean-value-gradient"};

static sb_options fixed(const char *method, double step) {
  sb_options options = sb_options_defaults();
  options.method = sb_method_find(method);
  options.step = step;
  return options;
}

/** A network given as the inside of <screwbond>. */
static run parsed(const char *inside, sb_options options) {
  run r = prepare_inside(inside);
  start_by(&r, &options);
  return r;
}

/** Largest relative change of the energy of a system that nothing enters or leaves. */
static double drift(const run *r) {
  return ledger_of(r)->residual_max / ledger_of(r)->total.stored_start;
}

// ---- storages made here

enum { DIM_MAX = 2 };

typedef struct spring {
  double k, b; // H = k |q|^2/2 + b |q|^4/4
} spring;

static sb_status spring_init(void *self, sb_layout *layout, sb_error *err) {
  (void)self, (void)err;
  layout->states = layout->ports[0].dim;
  return SB_OK;
}
static sb_status pair_init(void *self, sb_layout *layout, sb_error *err) {
  (void)self, (void)err;
  layout->states = 2;
  return SB_OK;
}
static void spring_start(const void *self, double x[]) {
  (void)self;
  x[0] = 0.97;
}
static void pair_start(const void *self, double x[]) {
  (void)self;
  x[0] = 0.97;
  x[1] = -0.41;
}
static int spring_output(const void *self, const sb_at *at, double y[]) {
  const spring *s = self;
  y[0] = (s->k + s->b * at->x[0] * at->x[0]) * at->x[0];
  return 0;
}
static int pair_output(const void *self, const sb_at *at, double y[]) {
  const spring *s = self;
  double square = at->x[0] * at->x[0] + at->x[1] * at->x[1];
  y[0] = (s->k + s->b * square) * at->x[0];
  y[1] = (s->k + s->b * square) * at->x[1];
  return 0;
}
static int spring_rate(const void *self, const sb_at *at, double xdot[]) {
  (void)self;
  xdot[0] = at->in[0];
  return 0;
}
static int pair_rate(const void *self, const sb_at *at, double xdot[]) {
  (void)self;
  xdot[0] = at->in[0];
  xdot[1] = at->in[1];
  return 0;
}
static int twice_rate(const void *self, const sb_at *at, double xdot[]) {
  (void)self;
  xdot[0] = 2 * at->in[0];
  return 0;
}
static double spring_energy(const void *self, const sb_at *at) {
  const spring *s = self;
  double square = at->x[0] * at->x[0];
  return s->k * square / 2 + s->b * square * square / 4;
}
static double pair_energy(const void *self, const sb_at *at) {
  const spring *s = self;
  double square = at->x[0] * at->x[0] + at->x[1] * at->x[1];
  return s->k * square / 2 + s->b * square * square / 4;
}
/** Slack below zero: H = k max(q, 0)^2/2 + b |q|, with kinks that no rule of quadrature sees. */
static int slack_output(const void *self, const sb_at *at, double y[]) {
  const spring *s = self;
  double q = at->x[0];
  y[0] = s->k * fmax(q, 0) + (q > 0 ? s->b : -s->b);
  return 0;
}
static double slack_energy(const void *self, const sb_at *at) {
  const spring *s = self;
  return s->k * pow(fmax(at->x[0], 0), 2) / 2 + s->b * fabs(at->x[0]);
}
/** No force at all, but a wall that nothing can reach. */
static int steep_output(const void *self, const sb_at *at, double y[]) {
  const spring *s = self;
  y[0] = s->k * exp(s->b * at->x[0]);
  return isfinite(y[0]) ? 0 : -1;
}
static double steep_energy(const void *self, const sb_at *at) {
  const spring *s = self;
  return s->k / s->b * exp(s->b * at->x[0]);
}

static const sb_param params[] = {
    {.name = "k", .kind = SB_PARAM_REAL, .offset = offsetof(spring, k), .help = "stiffness"},
    {.name = "b", .kind = SB_PARAM_REAL, .offset = offsetof(spring, b), .help = "hardening"},
    {0}};
static const sb_port_spec port_one[] = {{"p", .dim = 1, .output = SB_EFFORT}, {0}};
static const sb_port_spec port_two[] = {{"p", .dim = 2, .output = SB_EFFORT}, {0}};
#define KIND(id, title, port, first, hooks_of_it)                                                  \
  static const sb_element_type id = {.name = title,                                                \
                                     .role = SB_STORAGE,                                           \
                                     .size = sizeof(spring),                                       \
                                     .params = params,                                             \
                                     .ports = port,                                                \
                                     .init = first,                                                \
                                     .storage = &(hooks_of_it)}
static const sb_storage_hooks duffing_hooks = {
    .start = spring_start, .output = spring_output, .rate = spring_rate, .energy = spring_energy};
static const sb_storage_hooks pair_hooks = {
    .start = pair_start, .output = pair_output, .rate = pair_rate, .energy = pair_energy};
static const sb_storage_hooks twice_hooks = {
    .start = spring_start, .output = spring_output, .rate = twice_rate, .energy = spring_energy};
static const sb_storage_hooks slack_hooks = {
    .start = spring_start, .output = slack_output, .rate = spring_rate, .energy = slack_energy};
static const sb_storage_hooks steep_hooks = {
    .start = spring_start, .output = steep_output, .rate = spring_rate, .energy = steep_energy};
KIND(duffing, "Duffing", port_one, spring_init, duffing_hooks);
KIND(pair, "Pair", port_two, pair_init, pair_hooks);
KIND(twice, "Twice", port_one, spring_init, twice_hooks);
KIND(slack, "Slack", port_one, spring_init, slack_hooks);
KIND(steep, "Steep", port_one, spring_init, steep_hooks);

static sb_graph *oscillator(const sb_element_type *type, double k, double b, double r) {
  sb_graph *graph;
  assert_int_equal(sb_graph_create("oscillator", &graph, NULL), SB_OK);
  sb_element *element = add_element(graph, type, "spring");
  set_value(element, "k", k);
  set_value(element, "b", b);
  element = add_element(graph, sb_catalog_find("I"), "mass");
  set_value(element, "l", 0.83);
  if (type->ports[0].dim == 2) {
    sb_error err = {0};
    set_value(element, "dim", 2);
    ok(sb_element_set(element, "p0", (double[]){0.31, 0.77}, 2, &err), &err);
  }
  add_kind(graph, "J1", "v", NULL, 0);
  add_bond(graph, "v", "spring");
  add_bond(graph, "v", "mass");
  if (r > 0) {
    element = add_element(graph, sb_catalog_find("R"), "damper");
    set_value(element, "r", r);
    set_value(element, "dim", type->ports[0].dim);
    add_bond(graph, "v", "damper");
  }
  return graph;
}

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
      cmocka_unit_test(duffing_energy_does_not_drift),
      cmocka_unit_test(any_energy_at_any_step),
      cmocka_unit_test(equilibrium),
      cmocka_unit_test(settled),
      cmocka_unit_test(both_are_of_order_two),
      cmocka_unit_test(energy_balance_at_any_step),
      cmocka_unit_test(samples),
      cmocka_unit_test(dependent_storages),
      cmocka_unit_test(curved_constraints),
      cmocka_unit_test(curved_constraints_begin),
      cmocka_unit_test(curved_constraints_are_of_order_two),
      cmocka_unit_test(ladder),
      cmocka_unit_test(event_by_partial_steps),
      cmocka_unit_test(switch_that_constrains),
      cmocka_unit_test(refusals),
      cmocka_unit_test(energy_of_large_terms),
      cmocka_unit_test(failure_names_the_state),
      cmocka_unit_test(force_and_stiffness_begin_at_zero),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
