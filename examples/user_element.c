// SPDX-License-Identifier: GPL-3.0-or-later
// Element kinds of one's own: a hardening spring and a quadratic damper, with a mass on them.
//   spring   H(x) = k x^2/2 + b x^4/4,  F = dH/dx = k x + b x^3
//   damper   F = c |v| v
// A kind is one constant table with the hooks of its role. The ledger needs nothing more: what a
// storage gives and a dissipation takes follows from the port and from H.
//
// Without the damper this is Duffing's oscillator (Landau, Lifshitz, "Mechanics", section 11): released
// at x0 it comes back after T = 4 K(p)/w, with w^2 = (k + b x0^2)/m, p = b x0^2/(2 (k + b x0^2)) and K
// the complete elliptic integral of the first kind.
//
// Build against the installed library:
//   cc user_element.c $(pkg-config --cflags --libs screwbond) -lm -o user_element
// The program ends with 1 if anything fails or the result is not as expected.
#include <math.h>
#include <screwbond.h>
#include <stdio.h>

// The spring. Its port gives an effort (a force) from the state x, and takes a flow (a velocity).

typedef struct hardening {
  double k, b, x0; // [N/m], [N/m^3], [m]
} hardening;

static void spring_start(const void *self, double x[]) {
  x[0] = ((const hardening *)self)->x0;
}

static int spring_output(const void *self, const sb_at *at, double y[]) {
  const hardening *s = self;
  double x = at->x[0];
  y[0] = s->k * x + s->b * x * x * x;
  return 0; // < 0 where there is no answer
}

static int spring_rate(const void *self, const sb_at *at, double xdot[]) {
  (void)self;
  xdot[0] = at->in[0];
  return 0;
}

static double spring_energy(const void *self, const sb_at *at) {
  const hardening *s = self;
  double x2 = at->x[0] * at->x[0];
  return s->k * x2 / 2 + s->b * x2 * x2 / 4;
}

static const sb_storage_hooks spring_hooks = {
    .start = spring_start, .output = spring_output, .rate = spring_rate, .energy = spring_energy};
static const sb_param spring_params[] = {
    SB_PARAM_OF(hardening, k, SB_PARAM_REAL, .unit = "N/m", .range = SB_POSITIVE),
    SB_PARAM_OF(hardening, b, SB_PARAM_REAL, .unit = "N/m^3", .range = SB_NOT_NEGATIVE,
                .fallback = "0"),
    SB_PARAM_OF(hardening, x0, SB_PARAM_REAL, .unit = "m", .fallback = "0"),
    {0}};
static const sb_port_spec spring_ports[] = {
    {"p", .dim = 1, .domain = "translation", .output = SB_EFFORT}, {0}};
static const char *const spring_states[] = {"x", NULL}; // one name per state

static const sb_element_type hardening_spring = {.name = "hardening-spring",
                                                 .help = "spring that stiffens",
                                                 .role = SB_STORAGE,
                                                 .size = sizeof(hardening),
                                                 .params = spring_params,
                                                 .ports = spring_ports,
                                                 .state_names = spring_states,
                                                 .storage = &spring_hooks};

// The damper: a law from flow to effort that never gives power.

typedef struct quadratic {
  double c; // [N s^2/m^2]
} quadratic;

static int damper_law(const void *self, const sb_at *at, sb_variable assigned, double y[]) {
  (void)assigned; // always the flow, as the port gives the effort
  y[0] = ((const quadratic *)self)->c * fabs(at->in[0]) * at->in[0];
  return 0;
}

static const sb_dissipation_hooks damper_hooks = {.law = damper_law};
static const sb_param damper_params[] = {
    SB_PARAM_OF(quadratic, c, SB_PARAM_REAL, .unit = "kg/m", .range = SB_NOT_NEGATIVE), {0}};
static const sb_port_spec damper_ports[] = {
    {"p", .dim = 1, .domain = "translation", .output = SB_EFFORT}, {0}};
static const sb_element_type quadratic_damper = {.name = "quadratic-damper",
                                                 .help = "drag in turbulent flow",
                                                 .role = SB_DISSIPATION,
                                                 .size = sizeof(quadratic),
                                                 .params = damper_params,
                                                 .ports = damper_ports,
                                                 .dissipation = &damper_hooks};

// The model and the two runs.

static const double mass = 2.385, k = 137, b = 4100, x0 = 0.21; // [kg], [N/m], [N/m^3], [m]

static sb_status add(sb_graph *graph, const sb_element_type *type, const char *id,
                     const char *param, double value, sb_error *err) {
  sb_element *element;
  SB_TRY(sb_graph_add(graph, type, id, &element, err));
  return param == NULL ? SB_OK : sb_element_set(element, param, &value, 1, err);
}

static sb_status build(sb_graph *graph, double c, sb_error *err) {
  SB_TRY(add(graph, &hardening_spring, "spring", "k", k, err));
  SB_TRY(sb_element_set(sb_graph_find(graph, "spring"), "b", &b, 1, err));
  SB_TRY(sb_element_set(sb_graph_find(graph, "spring"), "x0", &x0, 1, err));
  SB_TRY(add(graph, &quadratic_damper, "drag", "c", c, err));
  SB_TRY(add(graph, sb_catalog_find("I"), "mass", "mass", mass, err));
  SB_TRY(add(graph, sb_catalog_find("J1"), "velocity", NULL, 0, err));
  SB_TRY(sb_graph_bond(graph, "velocity", "spring", err));
  SB_TRY(sb_graph_bond(graph, "velocity", "drag", err));
  return sb_graph_bond(graph, "velocity", "mass", err);
}

/** K(p) by the arithmetic-geometric mean. */
static double elliptic_integral(double p) {
  double a = 1, g = sqrt(1 - p);
  while (a - g > 1e-15) {
    double mean = (a + g) / 2;
    g = sqrt(a * g);
    a = mean;
  }
  return acos(-1) / (2 * a);
}

static double duffing_period(void) {
  double stiffest = k + b * x0 * x0;
  return 4 * elliptic_integral(b * x0 * x0 / (2 * stiffest)) / sqrt(stiffest / mass);
}

/** What is left of a run: where the mass is, and its energy balance. */
typedef struct outcome {
  double x, stored_start, stored_end, dissipated, residual;
} outcome;

static sb_status simulate(const sb_model *model, double t_end, outcome *out, sb_error *err) {
  sb_options options = sb_options_defaults();
  options.rtol = 1e-11;
  options.atol = 1e-13;
  sb_simulation *sim;
  sb_quantity x;
  SB_TRY(sb_model_find(model, "spring.x", &x, err));
  SB_TRY(sb_simulation_create(model, &options, &sim, err));
  sb_status status = sb_simulation_advance(sim, t_end, err);
  const sb_ledger *ledger = sb_simulation_ledger(sim);
  *out = (outcome){.stored_start = ledger->total.stored_start,
                   .stored_end = ledger->total.stored_end,
                   .dissipated = ledger->total.dissipated,
                   .residual = ledger->residual_relative};
  sb_simulation_read(sim, &x, &out->x);
  sb_simulation_destroy(sim);
  return status;
}

static sb_status run(double c, double t_end, outcome *out, sb_error *err) {
  sb_graph *graph;
  sb_model *model = NULL;
  sb_errors errors = {0};
  sb_status status = sb_graph_create("duffing", &graph, err);
  if (status == SB_OK) {
    status = build(graph, c, err);
  }
  if (status == SB_OK) {
    status = sb_model_compile(graph, &model, &errors);
    if (errors.count > 0) {
      *err = errors.items[0];
    }
  }
  if (status == SB_OK) {
    status = simulate(model, t_end, out, err);
  }
  sb_errors_finish(&errors);
  sb_model_destroy(model);
  sb_graph_destroy(graph);
  return status;
}

/** Prints a figure with what it should be; whether it is. */
static bool check(const char *what, double actual, double expected, double tolerance) {
  bool ok = fabs(actual - expected) <= tolerance;
  printf("  %-34s %.12g, expected %.12g: %s\n", what, actual, expected, ok ? "ok" : "WRONG");
  return ok;
}

int main(void) {
  sb_error err = {0};
  outcome free_run, damped;
  double energy = k * x0 * x0 / 2 + b * x0 * x0 * x0 * x0 / 4, period = duffing_period();
  if (run(0, 10 * period, &free_run, &err) != SB_OK || run(3, 10, &damped, &err) != SB_OK) {
    fprintf(stderr, "user_element: %s\n%s\n", err.text, err.hint);
    return 1;
  }
  printf("without damper, ten periods of %.9f s\n", period);
  bool ok = check("energy at the start [J]", free_run.stored_start, energy, 1e-14 * energy);
  ok = check("energy at the end [J]", free_run.stored_end, energy, 1e-9 * energy) && ok;
  ok = check("position at the end [m]", free_run.x, x0, 1e-8) && ok;
  ok = check("residual of the ledger", free_run.residual, 0, 1e-9) && ok;
  printf("with damper, 10 s\n");
  ok = check("stored and dissipated [J]", damped.stored_end + damped.dissipated, energy,
             1e-9 * energy) &&
       ok;
  ok = check("residual of the ledger", damped.residual, 0, 1e-9) && ok;
  printf("  %.4f J of %.4f J are left\n", damped.stored_end, energy);
  return ok ? 0 : 1;
}
