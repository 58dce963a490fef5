// SPDX-License-Identifier: GPL-3.0-or-later
// The run: orders of the methods, circuits against closed forms, sources, switches, samples, kinds
// made by a program, failures, and no memory taken in a step.
#include "tests/fixture.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <gsl/gsl_sf_gamma.h>

// The linker sends the library's calls here.
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
static long allocations;

void *__wrap_malloc(size_t size) {
  allocations++;
  return __real_malloc(size);
}
void *__wrap_calloc(size_t count, size_t size) {
  allocations++;
  return __real_calloc(count, size);
}
void *__wrap_realloc(void *old, size_t size) {
  allocations++;
  return __real_realloc(old, size);
}

static void choose(sb_element *element, const char *name, const char *word) {
  sb_error err = {0};
  ok(sb_element_choose(element, name, word, &err), &err);
}

// ---- orders: a mass on a spring, slowed by the cube of its speed

static const double m_ = 1.31, c_ = 0.47, r_ = 0.3, q0_ = 0.92, p0_ = -0.37, t_ = 1.9;

static int cubic(double t, const double x[], double xdot[], void *data) {
  (void)t, (void)data;
  double v = x[1] / m_;
  xdot[0] = v;
  xdot[1] = -x[0] / c_ - r_ * v * v * v;
  return GSL_SUCCESS;
}

static void reference(double x[2]) {
  gsl_odeiv2_system system = {cubic, NULL, 2, NULL};
  gsl_odeiv2_driver *driver =
      gsl_odeiv2_driver_alloc_y_new(&system, gsl_odeiv2_step_rk8pd, 1e-3, 1e-15, 1e-15);
  double t = 0;
  x[0] = q0_;
  x[1] = p0_;
  assert_int_equal(gsl_odeiv2_driver_apply(driver, &t, t_, x), GSL_SUCCESS);
  gsl_odeiv2_driver_free(driver);
}

static sb_graph *cubic_graph(void) {
  sb_graph *graph;
  assert_int_equal(sb_graph_create("cubic", &graph, NULL), SB_OK);
  set_value(add_kind(graph, "C", "spring", "c", c_), "q0", q0_);
  set_value(add_kind(graph, "I", "mass", "l", m_), "p0", p0_);
  set_value(add_kind(graph, "R", "damper", "r", r_), "exponent", 3);
  add_kind(graph, "J1", "v", NULL, 0);
  add_bond(graph, "v", "spring");
  add_bond(graph, "v", "mass");
  add_bond(graph, "v", "damper");
  return graph;
}

static double error_with(const sb_method *method, int steps, const double want[2]) {
  sb_options options = options_of(method->name, 1e-10); // of Newton's iteration
  options.step = t_ / steps;
  run r = start_graph(cubic_graph(), options);
  advance(&r, t_);
  assert_int_equal(ledger_of(&r)->work.steps, steps);
  double error = hypot(value(&r, "spring.q") - want[0], value(&r, "mass.p") - want[1]);
  stop(&r);
  return error;
}

/** The error falls as the step to the power of the order; no table may silently lose any. The number of steps
 *  of each order is where its error lies between the next term and rounding. */
static void methods_have_their_order(void **state) {
  (void)state;
  static const int steps_of_order[] = {0, 640, 320, 320, 160, 40, 20, 20, 10};
  double want[2];
  reference(want);
  for (const sb_method *method = sb_methods; method->name != NULL; method++) {
    assert_in_range(method->order, 1, sizeof steps_of_order / sizeof *steps_of_order - 1);
    const int steps = steps_of_order[method->order];
    double coarse = error_with(method, steps, want);
    double fine = error_with(method, 2 * steps, want);
    double order = log2(coarse / fine);
    if (!(fabs(order - method->order) <= 0.1)) {
      print_error("%s: errors %g and %g\n", method->name, coarse, fine);
    }
    assert_near(order, method->order, 0.1);
  }
}

// ---- closed forms

static const double V = 4.77, R = 3.13, L = 0.0213, C = 3.7e-5;

static sb_graph *rlc(void) {
  sb_graph *graph;
  assert_int_equal(sb_graph_create("rlc", &graph, NULL), SB_OK);
  add_kind(graph, "Se", "src", "effort", V);
  add_kind(graph, "R", "R1", "r", R);
  add_kind(graph, "I", "L1", "l", L);
  add_kind(graph, "C", "C1", "c", C);
  add_kind(graph, "J1", "loop", NULL, 0);
  add_bond(graph, "src", "loop");
  add_bond(graph, "loop", "R1");
  add_bond(graph, "loop", "L1");
  add_bond(graph, "loop", "C1");
  return graph;
}

static int check_rlc(void *context, const sb_simulation *sim, double t) {
  const run *r = context;
  double tol = 100 * *(const double *)(const void *)(r + 1), scale = C * V * V;
  double d = R / (2 * L), w = sqrt(1 / (L * C) - d * d);
  double u = exp(-d * t), q = C * V * (1 - u * (cos(w * t) + d / w * sin(w * t)));
  double i = V / (w * L) * u * sin(w * t), stored = q * q / (2 * C) + L * i * i / 2;
  run view = {.model = r->model, .sim = (sb_simulation *)(uintptr_t)sim};
  assert_near(value(&view, "C1.q"), q, tol * C * V);
  assert_near(value(&view, "L1.f"), i, tol * V / (w * L));
  const sb_account *total = &sb_simulation_ledger(sim)->total;
  assert_near(total->stored_end, stored, tol * scale);
  assert_near(total->supplied, V * q, tol * scale);
  assert_near(total->dissipated, V * q - stored, tol * scale);
  return 0;
}

static void rlc_closed_form(void **state) {
  (void)state;
  const double rtols[] = {1e-6, 1e-9};
  for (const sb_method *method = sb_methods; method->name != NULL; method++) {
    for (int k = 0; k < 2 && method->adaptive; k++) {
      struct {
        run r;
        double rtol;
      } context;
      sb_error err = {0};
      sb_options options = options_of(method->name, rtols[k]);
      options.atol = 1e-6 * rtols[k];
      context.r = start_graph(rlc(), options);
      context.rtol = rtols[k];
      ok(sb_simulation_run(context.r.sim, 0.0311, 1.7e-4, check_rlc, &context, &err), &err);
      assert_near(sb_simulation_ledger(context.r.sim)->residual_relative, 0, 10 * rtols[k]);
      assert_near(sb_simulation_ledger(context.r.sim)->structure.residual_relative, 0, 1e-12);
      stop(&context.r);
    }
  }
}

/** Integral from 0 to t of (sum c e^(l t))^k, k = 1 or 2, over three exponentials. */
static double integral(const double c[3], const double l[3], int k, double t) {
  double sum = 0;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < (k == 2 ? 3 : 1); j++) {
      double rate = l[i] + (k == 2 ? l[j] : 0), weight = c[i] * (k == 2 ? c[j] : 1);
      sum += weight * (rate == 0 ? t : expm1(rate * t) / rate);
    }
  }
  return sum;
}

/** Direct current motor, L i' = u - R i - k w, J w' = k i - b w: two real exponentials. */
static void motor_closed_form(void **state) {
  (void)state;
  const double u = 11.3, Ra = 1.37, La = 0.0042, k = 0.067, J = 3.1e-4, b = 1.9e-4, t = 0.0573;
  sb_graph *graph;
  assert_int_equal(sb_graph_create("motor", &graph, NULL), SB_OK);
  add_kind(graph, "Se", "u", "effort", u);
  add_kind(graph, "R", "Ra", "r", Ra);
  add_kind(graph, "I", "La", "l", La);
  add_kind(graph, "GY", "emf", "ratio", k);
  add_kind(graph, "I", "rotor", "l", J);
  add_kind(graph, "R", "friction", "r", b);
  add_kind(graph, "J1", "i", NULL, 0);
  add_kind(graph, "J1", "w", NULL, 0);
  add_bond(graph, "u", "i");
  add_bond(graph, "i", "Ra");
  add_bond(graph, "i", "La");
  add_bond(graph, "i", "emf");
  add_bond(graph, "emf", "w");
  add_bond(graph, "w", "rotor");
  add_bond(graph, "w", "friction");
  run r = start_graph(graph, options_of("dormand-prince-5", 1e-10));
  advance(&r, t);
  double trace = -Ra / La - b / J, det = (Ra * b + k * k) / (La * J);
  double root = sqrt(trace * trace / 4 - det), l[3] = {0, trace / 2 + root, trace / 2 - root};
  double is = u * b / (Ra * b + k * k), ws = is * k / b;
  // from i(0) = w(0) = 0, i'(0) = u / L, w'(0) = 0
  double ci[3] = {is, (u / La + l[2] * is) / (l[1] - l[2]), 0};
  double cw[3] = {ws, l[2] * ws / (l[1] - l[2]), 0};
  ci[2] = -is - ci[1];
  cw[2] = -ws - cw[1];
  double e1 = exp(l[1] * t), e2 = exp(l[2] * t);
  double i = ci[0] + ci[1] * e1 + ci[2] * e2, w = cw[0] + cw[1] * e1 + cw[2] * e2;
  assert_near_relative(value(&r, "La.f"), i, 1e-8);
  assert_near_relative(value(&r, "rotor.f"), w, 1e-8);
  const sb_ledger *ledger = ledger_of(&r);
  assert_near_relative(ledger->total.supplied, u * integral(ci, l, 1, t), 1e-8);
  assert_near_relative(ledger->total.stored_end, La * i * i / 2 + J * w * w / 2, 1e-8);
  assert_string_equal(ledger->elements[1].id, "Ra");
  assert_near_relative(ledger->elements[1].dissipated, Ra * integral(ci, l, 2, t), 1e-8);
  assert_near_relative(ledger->elements[5].dissipated, b * integral(cw, l, 2, t), 1e-8);
  stop(&r);
}

/** An RC circuit is closed, opened and closed again. */
static void switch_in_a_circuit(void **state) {
  (void)state;
  const double times[3] = {1.3e-3, 3.1e-3, 4.7e-3}, tau = 0.0021, c = 4.1e-6;
  sb_graph *graph;
  assert_int_equal(sb_graph_create("switched", &graph, NULL), SB_OK);
  sb_error err = {0};
  add_kind(graph, "Se", "src", "effort", V);
  add_kind(graph, "R", "R1", "r", tau / c);
  add_kind(graph, "C", "C1", "c", c);
  add_kind(graph, "J1", "loop", NULL, 0);
  ok(sb_element_set(add_kind(graph, "Switch", "S", NULL, 0), "times", times, 3, &err), &err);
  add_bond(graph, "src", "loop");
  add_bond(graph, "loop", "S");
  add_bond(graph, "loop", "R1");
  add_bond(graph, "loop", "C1");
  sb_options options = options_of("dormand-prince-5", 1e-10);
  options.atol = 1e-18;
  run r = start_graph(graph, options);
  const double at[] = {1.1e-3, 2.7e-3, 3.9e-3, 6.3e-3}, on[] = {0, 1.4e-3, 1.8e-3, 3.4e-3};
  for (int k = 0; k < 4; k++) {
    advance(&r, at[k]);
    bool closed = k == 1 || k == 3;
    double v = V * (1 - exp(-on[k] / tau));
    assert_near(value(&r, "C1.e"), v, 1e-8 * V);
    assert_near(value(&r, "S.e"), closed ? 0 : V - v, 1e-8 * V);
    assert_near(value(&r, "R1.e"), closed ? V - v : 0, 1e-8 * V);
    assert_near(ledger_of(&r)->total.supplied, c * v * V, 1e-8 * c * V * V);
  }
  const sb_ledger *ledger = ledger_of(&r);
  assert_int_equal(ledger->event_count, 3);
  for (int k = 0; k < 3; k++) {
    assert_string_equal(ledger->events[k].kind, "switch");
    assert_string_equal(ledger->events[k].element, "S");
    assert_near(ledger->events[k].t, times[k], 0);
    assert_near(ledger->events[k].loss, 0, 0);
  }
  stop(&r);
}

// ---- sources into a low-pass filter, tau y' = u(t) - y

static const double tau_ = 0.37;

static sb_graph *filter(const char *waveform, sb_element **source) {
  sb_graph *graph;
  assert_int_equal(sb_graph_create("filter", &graph, NULL), SB_OK);
  *source = add_element(graph, sb_catalog_find("Se"), "src");
  choose(*source, "waveform", waveform);
  add_kind(graph, "R", "R1", "r", 2.9);
  add_kind(graph, "C", "C1", "c", tau_ / 2.9);
  add_kind(graph, "J1", "loop", NULL, 0);
  add_bond(graph, "src", "loop");
  add_bond(graph, "loop", "R1");
  add_bond(graph, "loop", "C1");
  return graph;
}

/** Responses to a unit step and to a unit ramp that begin at time 0. */
static double step_response(double t) {
  return t <= 0 ? 0 : -expm1(-t / tau_);
}
static double ramp_response(double t) {
  return t <= 0 ? 0 : t + tau_ * expm1(-t / tau_);
}

static void check_filter(sb_graph *graph, const char *method, double (*want)(double)) {
  run r = start_graph(graph, options_of(method, 1e-10));
  const double at[] = {0.41, 0.97, 1.31, 2.385};
  for (int k = 0; k < 4; k++) {
    advance(&r, at[k]);
    assert_near(value(&r, "C1.e"), want(at[k]), 2e-8);
  }
  assert_near(ledger_of(&r)->residual_relative, 0, 1e-8);
  stop(&r);
}

static double want_step(double t) {
  return 0.7 * step_response(t) + 3.1 * step_response(t - 0.83);
}
static double want_ramp(double t) {
  return 3.1 / 0.53 * (ramp_response(t - 0.83) - ramp_response(t - 1.36));
}
static double want_sine(double t) {
  double w = 2 * pi * 1.7, a = w * (t - 0.3) + 0.4, b = -w * 0.3 + 0.4, k = w * tau_;
  return 3.1 / (1 + k * k) * (sin(a) - k * cos(a) - (sin(b) - k * cos(b)) * exp(-t / tau_));
}
static double want_table(double t) { // (0.2, 1.3) (0.7, 2.9) (1.1, -0.6), constant outside
  double rise = (2.9 - 1.3) / 0.5, fall = (-0.6 - 2.9) / 0.4;
  return 1.3 * step_response(t) + rise * ramp_response(t - 0.2) +
         (fall - rise) * ramp_response(t - 0.7) - fall * ramp_response(t - 1.1);
}

static void sources(void **state) {
  (void)state;
  for (const sb_method *method = sb_methods; method->name != NULL; method++) {
    sb_element *src;
    sb_error err = {0};
    if (!method->adaptive) {
      continue;
    }
    sb_graph *graph = filter("step", &src);
    set_value(src, "effort", 3.1);
    set_value(src, "offset", 0.7);
    set_value(src, "start", 0.83);
    check_filter(graph, method->name, want_step);
    graph = filter("ramp", &src);
    set_value(src, "effort", 3.1);
    set_value(src, "start", 0.83);
    set_value(src, "rise", 0.53);
    check_filter(graph, method->name, want_ramp);
    graph = filter("sine", &src);
    set_value(src, "effort", 3.1);
    set_value(src, "start", 0.3);
    set_value(src, "frequency", 1.7);
    set_value(src, "phase", 0.4);
    check_filter(graph, method->name, want_sine);
    graph = filter("table", &src);
    ok(sb_element_set(src, "times", (double[]){0.2, 0.7, 1.1}, 3, &err), &err);
    ok(sb_element_set(src, "values", (double[]){1.3, 2.9, -0.6}, 3, &err), &err);
    check_filter(graph, method->name, want_table);
  }
}

/** A pure integral, q' = f(t), which an error estimate must not be blind to. */
static void integrates_a_sine(void **state) {
  (void)state;
  for (const sb_method *method = sb_methods; method->name != NULL; method++) {
    const double w = 2 * pi * 3.1, f = 2.3, c = 0.7, t = 2.385;
    sb_graph *graph;
    assert_int_equal(sb_graph_create("integral", &graph, NULL), SB_OK);
    sb_element *src = add_kind(graph, "Sf", "src", "flow", f);
    choose(src, "waveform", "sine");
    set_value(src, "frequency", 3.1);
    add_kind(graph, "C", "C1", "c", c);
    add_bond(graph, "src", "C1");
    sb_options options = options_of(method->name, 1e-9);
    options.step = method->adaptive ? 0 : 1e-5;
    run r = start_graph(graph, options);
    advance(&r, t);
    double q = f / w * (1 - cos(w * t));
    if (!(fabs(value(&r, "C1.q") - q) <= 1e-7)) {
      print_error("%s: off by %g\n", method->name, value(&r, "C1.q") - q);
    }
    assert_near(value(&r, "C1.q"), q, 1e-7);
    assert_near(ledger_of(&r)->total.supplied, q * q / (2 * c), 1e-7);
    stop(&r);
  }
}

// ---- samples, repetition, pieces

static int ignore(void *context, const sb_simulation *sim, double t) {
  (void)context, (void)sim, (void)t;
  return 0;
}

/** A ball that bounces once, so that there is a step to be changed by an event. */
static sb_graph *bouncing(void) {
  sb_graph *graph;
  assert_int_equal(sb_graph_create("bounce", &graph, NULL), SB_OK);
  sb_error err = {0};
  sb_element *body = add_kind(graph, "body", "ball", "mass", 0.31);
  ok(sb_element_set(body, "inertia", (double[]){1e-3, 1e-3, 1e-3}, 3, &err), &err);
  ok(sb_element_set(body, "gravity", (double[]){0, 0, -9.81}, 3, &err), &err);
  ok(sb_element_set(body, "position", (double[]){0, 0, 0.17}, 3, &err), &err);
  add_element(graph, sb_catalog_find("ground"), "floor");
  sb_contact_law law = sb_contact_law_defaults();
  law.stiffness = 1742;
  law.damping_factor = 2e-3;
  sb_contact_spec spec = {.id = "c",
                          .body = {"floor", "ball"},
                          .surface = {sb_surface_plane((sb_vec3){0, 0, 1}, 0),
                                      sb_surface_sphere(0.05, (sb_vec3){0, 0, 0})},
                          .material = {sb_material_rigid(), sb_material_rigid()},
                          .law = law};
  ok(sb_contact_add(graph, &spec, &err), &err);
  return graph;
}

static void final_state(sb_graph *graph, double t_end, double sample, bool sampled, double x[]) {
  sb_error err = {0};
  run r = start_graph(graph, options_of("dormand-prince-5", 1e-7));
  ok(sb_simulation_run(r.sim, t_end, sample, sampled ? ignore : NULL, NULL, &err), &err);
  memcpy(x, sb_simulation_state(r.sim), (size_t)sb_model_vector_count(r.model) * sizeof(double));
  stop(&r);
}

/** However often the run is looked at, and as often as it is repeated, the same bits come out. */
static void samples_do_not_disturb(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    double want[64] = {0}, x[64] = {0}, t = k == 0 ? 0.0311 : 0.371;
    const double intervals[] = {t, t / 7.3, t / 1000, 0};
    final_state(k == 0 ? rlc() : bouncing(), t, t, false, want);
    for (int i = 0; i < 4; i++) {
      final_state(k == 0 ? rlc() : bouncing(), t, intervals[i], true, x);
      assert_memory_equal(x, want, sizeof x);
    }
  }
}

static void advances_in_pieces(void **state) {
  (void)state;
  run whole = start_graph(bouncing(), options_of("dormand-prince-5", 1e-9));
  run pieces = start_graph(bouncing(), options_of("dormand-prince-5", 1e-9));
  advance(&whole, 0.4);
  for (int i = 1; i <= 400; i++) {
    advance(&pieces, 0.4 * i / 400);
  }
  for (int i = 0; i < sb_model_state_count(whole.model); i++) {
    assert_near(sb_simulation_state(pieces.sim)[i], sb_simulation_state(whole.sim)[i], 1e-8);
  }
  const sb_ledger *a = ledger_of(&whole), *b = ledger_of(&pieces);
  assert_int_equal(a->event_count, 2);
  assert_int_equal(b->event_count, 2);
  assert_near(a->events[1].t, b->events[1].t, 1e-9);
  stop(&whole);
  stop(&pieces);
}

// ---- kinds made by a program

/** H = k q^4 / 4. */
static int quartic_output(const void *self, const sb_at *at, double y[]) {
  y[0] = *(const double *)self * at->x[0] * at->x[0] * at->x[0];
  return 0;
}
static int quartic_rate(const void *self, const sb_at *at, double xdot[]) {
  (void)self;
  xdot[0] = at->in[0];
  return 0;
}
static double quartic_energy(const void *self, const sb_at *at) {
  return *(const double *)self * pow(at->x[0], 4) / 4;
}
static void quartic_start(const void *self, double x[]) {
  (void)self;
  x[0] = 0.61;
}
static sb_status quartic_init(void *self, sb_layout *layout, sb_error *err) {
  (void)self, (void)err;
  layout->states = 1;
  return SB_OK;
}
static const sb_storage_hooks quartic_hooks = {.start = quartic_start,
                                               .output = quartic_output,
                                               .rate = quartic_rate,
                                               .energy = quartic_energy};
static const sb_param quartic_params[] = {
    {.name = "k", .kind = SB_PARAM_REAL, .range = SB_POSITIVE, .help = "k of H = k q^4 / 4"}, {0}};
static const sb_port_spec effort_port[] = {{"p", .dim = 1, .output = SB_EFFORT}, {0}};
static const sb_element_type quartic = {.name = "Quartic",
                                        .help = "spring of the fourth power",
                                        .role = SB_STORAGE,
                                        .size = sizeof(double),
                                        .params = quartic_params,
                                        .ports = effort_port,
                                        .init = quartic_init,
                                        .storage = &quartic_hooks};

/** With a mass it swings with the period (4 / A) sqrt(2 m / k) G, G = Gamma(1/4)^2 / (4 sqrt(2 pi)). */
static void kind_of_ones_own(void **state) {
  (void)state;
  const double k = 3.7, m = 0.83, a = 0.61;
  sb_graph *graph;
  assert_int_equal(sb_graph_create("quartic", &graph, NULL), SB_OK);
  set_value(add_element(graph, &quartic, "spring"), "k", k);
  add_kind(graph, "I", "mass", "l", m);
  add_kind(graph, "J1", "v", NULL, 0);
  add_bond(graph, "v", "spring");
  add_bond(graph, "v", "mass");
  run r = start_graph(graph, options_of("fehlberg-8", 1e-11));
  double period = 4 / a * sqrt(2 * m / k) * pow(gsl_sf_gamma(0.25), 2) / (4 * sqrt(2 * pi));
  advance(&r, 0.25 * period);
  assert_near(value(&r, "spring.q"), 0, 1e-9);
  assert_near_relative(value(&r, "mass.energy"), k * pow(a, 4) / 4, 1e-9);
  advance(&r, 3 * period);
  assert_near(value(&r, "spring.q"), a, 1e-9);
  assert_near(value(&r, "mass.p"), 0, 1e-9);
  sb_simulation_audit(r.sim);
  assert_near(ledger_of(&r)->structure.residual_relative, 0, 1e-12);
  stop(&r);
}

/** A source that breaks down. */
static const double breakdown = 0.0273;
static int broken_value(const void *self, const sb_at *at, double y[]) {
  (void)self;
  y[0] = at->t > breakdown ? NAN : V;
  return 0;
}
static const sb_source_hooks broken_hooks = {.value = broken_value};
static const sb_element_type broken = {
    .name = "Broken", .role = SB_SOURCE, .ports = effort_port, .source = &broken_hooks};

static void names_what_is_not_finite(void **state) {
  (void)state;
  for (const sb_method *method = sb_methods; method->name != NULL; method++) {
    sb_graph *graph;
    assert_int_equal(sb_graph_create("broken", &graph, NULL), SB_OK);
    sb_error err = {0};
    add_element(graph, &broken, "bad");
    add_kind(graph, "R", "R1", "r", 2.9);
    add_kind(graph, "C", "C1", "c", tau_ / 2.9);
    add_kind(graph, "J1", "loop", NULL, 0);
    add_bond(graph, "bad", "loop");
    add_bond(graph, "loop", "R1");
    add_bond(graph, "loop", "C1");
    sb_options options = options_of(method->name, 1e-9);
    options.step = method->adaptive ? 0 : 1e-3;
    run r = start_graph(graph, options);
    sb_status status = sb_simulation_advance(r.sim, 1, &err);
    double t = sb_simulation_time(r.sim);
    if (status != SB_ERR_NOT_FINITE || strstr(err.text, "'bad'") == NULL) {
      print_error("%s: %d %s\n", method->name, (int)status, err.text);
    }
    assert_int_equal(status, SB_ERR_NOT_FINITE);
    assert_contains(err.text, "'bad' gave no finite number near t = 0.02");
    assert_in_range((uintmax_t)(1e6 * t), 20000,
                    27400); // the midpoint rule looks half a step ahead
    assert_near(value(&r, "C1.e"), V * step_response(t), method->adaptive ? 1e-7 : 1e-4);
    assert_near(ledger_of(&r)->t_end, t, 0);
    stop(&r);
  }
}

// ---- stopping, options, memory

static int interrupt_late(void *context, const sb_simulation *sim, double t) {
  (void)sim;
  if (t > 0.01) {
    sb_simulation_interrupt(*(sb_simulation **)context);
  }
  return 0;
}
static int refuse_late(void *context, const sb_simulation *sim, double t) {
  (void)context, (void)sim;
  return t > 0.01;
}

static void can_be_interrupted(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    sb_error err = {0};
    run r = start_graph(rlc(), options_of("dormand-prince-5", 1e-9));
    sb_status status =
        sb_simulation_run(r.sim, 1, 1e-3, k == 0 ? interrupt_late : refuse_late, &r.sim, &err);
    assert_int_equal(status, SB_INTERRUPTED);
    assert_contains(err.text, "interrupted at t = 0.01");
    assert_contains(err.hint, " steps, the last of ");
    assert_contains(err.hint, "; no longer one would have kept the error of '");
    assert_in_range((uintmax_t)(1e6 * sb_simulation_time(r.sim)), 10000, 13000);
    assert_true(isfinite(value(&r, "C1.e")));
    stop(&r);
  }
}

static void options_are_checked(void **state) {
  (void)state;
  sb_options options = sb_options_defaults();
  options.method = NULL;
  refuse_options(rlc(), options, SB_ERR_USAGE, "no integration method is chosen");
  refuse_options(rlc(), options_of("implicit-midpoint", 1e-6), SB_ERR_USAGE,
                 "implicit-midpoint has no step control: give a step");
  const double rtols[] = {0, -1e-6, 1, NAN};
  for (int i = 0; i < 4; i++) {
    refuse_options(rlc(), options_of("verner-6", rtols[i]), SB_ERR_RANGE,
                   "rtol must be between 0 and 1");
  }
  refuse_options(rlc(), options_of("verner-6", 1e-16), SB_ERR_RANGE,
                 "rtol is below 1e-15, the rounding of a number");
  options = options_of("verner-6", 1e-6);
  options.max_step = -1;
  refuse_options(rlc(), options, SB_ERR_RANGE,
                 "steps must not be negative and the start must be finite");
  sb_error err = {0};
  options = options_of("verner-6", 1e-6);
  options.max_steps = 7;
  run r = start_graph(rlc(), options);
  assert_int_equal(sb_simulation_advance(r.sim, -1, &err), SB_ERR_USAGE);
  assert_string_equal(err.text, "cannot go from t = 0 s to -1 s");
  assert_int_equal(sb_simulation_advance(r.sim, 10, &err), SB_ERR_LIMIT);
  assert_contains(err.text, "more than 7 steps; stopped at t = ");
  stop(&r);
}

/** Between events a run takes no memory: neither a circuit nor a ball in contact, by any method that
 *  takes it. */
static void steps_take_no_memory(void **state) {
  (void)state;
  for (const sb_method *method = sb_methods; method->name != NULL; method++) {
    bool any_storage = strstr(method->name, "gradient") == NULL; // discrete gradients: no bodies
    for (int k = 0; k < (any_storage ? 2 : 1); k++) {
      sb_options options = options_of(method->name, 1e-9);
      options.step = method->adaptive ? 0 : 1e-4;
      run r = start_graph(k == 0 ? rlc() : bouncing(), options);
      // while the circuit moves; of the fall, 0.1564 s until it touches, for 40 ms
      const double from = k == 0 ? 4e-3 : 0.16, to = k == 0 ? 10e-3 : 0.19;
      advance(&r, from);
      long steps = ledger_of(&r)->work.steps;
      int events = ledger_of(&r)->event_count;
      sb_error err = {0};
      allocations = 0;
      sb_status status = sb_simulation_advance(r.sim, to, &err);
      assert_int_equal(allocations, 0);
      ok(status, &err);
      assert_true(ledger_of(&r)->work.steps > steps + 3);
      assert_int_equal(ledger_of(&r)->event_count, events);
      assert_int_equal(events, k);
      stop(&r);
    }
  }
  void *volatile any = malloc(1); // that calls are counted at all
  free(any);
  assert_true(allocations > 0);
}

/** What fails in a run has a place when the graph and the netlist are long gone, too. */
static void places_outlive_the_graph(void **state) {
  (void)state;
  sb_error err = {0};
  run r =
      prepare_inside("\n<network domain='electric'><Se id='V' effort='1[V]*sqrt(0.5 - t/1[s])'/>"
                     "<R id='R1' r='1 ohm'/><bond from='V' to='R1'/></network>");
  char *file = strdup(r.netlist->file);
  sb_netlist_destroy(r.netlist);
  r.netlist = NULL;
  sb_options options = sb_options_defaults();
  start_by(&r, &options);
  assert_int_not_equal(sb_simulation_advance(r.sim, 1, &err), SB_OK);
  assert_string_equal(err.file, file);
  assert_int_equal(err.line, 2);
  assert_int_equal(err.column, 28);
  free(file);
  stop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(methods_have_their_order),
      cmocka_unit_test(rlc_closed_form),
      cmocka_unit_test(motor_closed_form),
      cmocka_unit_test(switch_in_a_circuit),
      repeating_test(sources),
      repeating_test(integrates_a_sine),
      cmocka_unit_test(samples_do_not_disturb),
      cmocka_unit_test(advances_in_pieces),
      cmocka_unit_test(kind_of_ones_own),
      cmocka_unit_test(names_what_is_not_finite),
      cmocka_unit_test(places_outlive_the_graph),
      cmocka_unit_test(can_be_interrupted),
      cmocka_unit_test(options_are_checked),
      repeating_test(steps_take_no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
