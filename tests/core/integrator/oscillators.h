// SPDX-License-Identifier: GPL-3.0-or-later
// Oscillators with storages made here, and runs of them by discrete gradients.
#ifndef SB_TESTS_OSCILLATORS_H
#define SB_TESTS_OSCILLATORS_H

#include "core/integrator/discrete_gradient_private.h"
#include "tests/fixture.h"

static const char *const forms[] = {"discrete-gradient", "mean-value-gradient"};

static inline sb_options fixed(const char *method, double step) {
  sb_options options = sb_options_defaults();
  options.method = sb_method_find(method);
  options.step = step;
  return options;
}

/** A network given as the inside of <screwbond>. */
static inline run parsed(const char *inside, sb_options options) {
  run r = prepare_inside(inside);
  start_by(&r, &options);
  return r;
}

/** Largest relative change of the energy of a system that nothing enters or leaves. */
static inline double drift(const run *r) {
  return ledger_of(r)->residual_max / ledger_of(r)->total.stored_start;
}

typedef struct spring {
  double k, b; // H = k |q|^2/2 + b |q|^4/4
} spring;

static inline sb_status spring_init(void *self, sb_layout *layout, sb_error *err) {
  (void)self, (void)err;
  layout->states = layout->ports[0].dim;
  return SB_OK;
}
static inline sb_status pair_init(void *self, sb_layout *layout, sb_error *err) {
  (void)self, (void)err;
  layout->states = 2;
  return SB_OK;
}
static inline void spring_start(const void *self, double x[]) {
  (void)self;
  x[0] = 0.97;
}
static inline void pair_start(const void *self, double x[]) {
  (void)self;
  x[0] = 0.97;
  x[1] = -0.41;
}
static inline int spring_output(const void *self, const sb_at *at, double y[]) {
  const spring *s = self;
  y[0] = (s->k + s->b * at->x[0] * at->x[0]) * at->x[0];
  return 0;
}
static inline int pair_output(const void *self, const sb_at *at, double y[]) {
  const spring *s = self;
  double square = at->x[0] * at->x[0] + at->x[1] * at->x[1];
  y[0] = (s->k + s->b * square) * at->x[0];
  y[1] = (s->k + s->b * square) * at->x[1];
  return 0;
}
static inline int spring_rate(const void *self, const sb_at *at, double xdot[]) {
  (void)self;
  xdot[0] = at->in[0];
  return 0;
}
static inline int pair_rate(const void *self, const sb_at *at, double xdot[]) {
  (void)self;
  xdot[0] = at->in[0];
  xdot[1] = at->in[1];
  return 0;
}
static inline int twice_rate(const void *self, const sb_at *at, double xdot[]) {
  (void)self;
  xdot[0] = 2 * at->in[0];
  return 0;
}
static inline double spring_energy(const void *self, const sb_at *at) {
  const spring *s = self;
  double square = at->x[0] * at->x[0];
  return s->k * square / 2 + s->b * square * square / 4;
}
static inline double pair_energy(const void *self, const sb_at *at) {
  const spring *s = self;
  double square = at->x[0] * at->x[0] + at->x[1] * at->x[1];
  return s->k * square / 2 + s->b * square * square / 4;
}
/** Slack below zero: H = k max(q, 0)^2/2 + b |q|, with kinks that no rule of quadrature sees. */
static inline int slack_output(const void *self, const sb_at *at, double y[]) {
  const spring *s = self;
  double q = at->x[0];
  y[0] = s->k * fmax(q, 0) + (q > 0 ? s->b : -s->b);
  return 0;
}
static inline double slack_energy(const void *self, const sb_at *at) {
  const spring *s = self;
  return s->k * pow(fmax(at->x[0], 0), 2) / 2 + s->b * fabs(at->x[0]);
}
/** No force at all, but a wall that nothing can reach. */
static inline int steep_output(const void *self, const sb_at *at, double y[]) {
  const spring *s = self;
  y[0] = s->k * exp(s->b * at->x[0]);
  return isfinite(y[0]) ? 0 : -1;
}
static inline double steep_energy(const void *self, const sb_at *at) {
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

static inline sb_graph *oscillator(const sb_element_type *type, double k, double b, double r) {
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

#endif
