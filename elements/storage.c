// SPDX-License-Identifier: GPL-3.0-or-later
// Storage: C with H = q . c^-1 q / 2, e = c^-1 q, and I with H = p . l^-1 p / 2, f = l^-1 p, or
// with an energy H(q), H(p) given as an expression, whose gradient is exact.
#include <math.h>

#include "elements/elements.h"
#include "elements/linear_private.h"

typedef struct storage {
  int dim;
  sb_list parameter;     // c or l: one number, a diagonal, or a matrix
  sb_list start;         // q0 or p0
  sb_expression *energy; // in place of the parameter, over one state, without a constant
  double level;          // [J] that
} storage;

static sb_status init_energy(storage *s, sb_layout *layout, const char *name, const char *start,
                             sb_error *err) {
  double x = s->start.count > 0 ? s->start.values[0] : 0;
  sb_dual H = sb_expression_dual(s->energy, &x, 0);
  if (s->parameter.count > 0) {
    return sb_fail_at(err, SB_ERR_CHOICE, "energy", "%s and an energy exclude each other", name);
  }
  if (s->dim != 1) {
    return sb_fail_at(err, SB_ERR_DIMENSION, "dim", "an energy takes dim=\"1\"");
  }
  if (!isfinite(H.value) || !isfinite(H.slope)) {
    return sb_fail_at(err, SB_ERR_RANGE, "energy",
                      "the energy or its gradient is not finite at the start, %s = %s", start,
                      sb_number_word(x).text);
  }
  if (!sb_expression_uses(s->energy, 0)) {
    sb_status status =
        sb_fail_at(err, SB_ERR_RANGE, "energy", "the energy does not depend on %c", start[0]);
    sb_error_hint(err, "it stores nothing, and its %s is zero: leave it out",
                  start[0] == 'q' ? "effort" : "flow");
    return status;
  }
  s->level = sb_expression_take_constant(s->energy);
  layout->dim = layout->states = 1;
  return SB_OK;
}

static sb_status init(storage *s, sb_layout *layout, const char *name, const char *start,
                      sb_error *err) {
  SB_TRY(sb_vector_check(&s->start, s->dim, start, err));
  if (s->energy == NULL && s->parameter.count == 0) {
    return sb_fail(err, SB_ERR_MISSING, "%s is missing (or its energy)", name);
  }
  if (s->energy != NULL) {
    return init_energy(s, layout, name, start, err);
  }
  SB_TRY(sb_matrix_check_storage(&s->parameter, &s->start, s->dim, name, start, err));
  layout->dim = s->dim;
  layout->states = s->dim;
  return SB_OK;
}

static sb_status init_C(void *self, sb_layout *layout, sb_error *err) {
  return init(self, layout, "c", "q0", err);
}

static sb_status init_I(void *self, sb_layout *layout, sb_error *err) {
  return init(self, layout, "l", "p0", err);
}

static bool linear(const void *self, int dim, double K[]) {
  const storage *s = self;
  return s->energy == NULL && sb_matrix_of_storage(&s->parameter, dim, K);
}

static bool inverse(const void *self, int dim, double M[]) {
  const storage *s = self;
  return s->energy == NULL && sb_matrix_singular(&s->parameter, dim, M);
}

static void start(const void *self, double x[]) {
  const storage *s = self;
  sb_vector_fill(&s->start, s->dim, x);
}

static int output(const void *self, const sb_at *at, double y[]) {
  const storage *s = self;
  if (s->energy != NULL) {
    y[0] = sb_expression_at(s->energy, at->x, NULL, at->branches, 0).slope;
    return 0;
  }
  for (int i = 0; i < s->dim; i++) { // of a matrix only linear() tells, by its inverse
    y[i] = at->x[i] / s->parameter.values[s->parameter.count == 1 ? 0 : i];
  }
  return s->parameter.count == 1 || s->parameter.count == s->dim ? 0 : 1;
}

static int rate(const void *self, const sb_at *at, double xdot[]) {
  (void)self;
  xdot[0] = at->in[0];
  return 0;
}

static double energy(const void *self, const sb_at *at) {
  const storage *s = self;
  return sb_expression_at(s->energy, at->x, NULL, at->branches, -1).value;
}

static int hessian(const void *self, const sb_at *at, double K[]) {
  const storage *s = self;
  K[0] = sb_expression_second(s->energy, at->x, at->branches, 0, 0);
  return 0;
}

static double level(const void *self) {
  const storage *s = self;
  return s->level;
}

static double terms(const void *self, const sb_at *at) {
  const storage *s = self;
  return sb_expression_terms(s->energy, at->x, NULL, at->branches);
}

static const sb_storage_hooks hooks = {.linear = linear,
                                       .start = start,
                                       .output = output,
                                       .rate = rate,
                                       .energy = energy,
                                       .constraints = {.inverse = inverse, .hessian = hessian},
                                       .audit = {.terms = terms, .level = level}};

static const sb_argument of_q[] = {{"q", "@q", NULL, SB_OWN_STATE, 0}, {0}};
static const sb_argument of_p[] = {{"p", "@p", NULL, SB_OWN_STATE, 0}, {0}};
#define PARAMETER(name_, aliases_, unit_, help_)                                                   \
  {                                                                                                \
    .name = (name_), .aliases = (aliases_), .kind = SB_PARAM_LIST,                                 \
    .offset = offsetof(storage, parameter), .unit = (unit_), .range = SB_ONE_POSITIVE,             \
    .fallback = "", .help = (help_)                                                                \
  }
#define ENERGY(arguments_, help_)                                                                  \
  {                                                                                                \
    .name = "energy", .kind = SB_PARAM_EXPRESSION, .offset = offsetof(storage, energy),            \
    .unit = "J", .fallback = "", .arguments = (arguments_), .held = true, .help = (help_)          \
  }
#define START(name_, unit_, help_)                                                                 \
  {                                                                                                \
    .name = (name_), .kind = SB_PARAM_LIST, .offset = offsetof(storage, start), .unit = (unit_),   \
    .fallback = "0", .help = (help_)                                                               \
  }
#define DIM                                                                                        \
  {                                                                                                \
    .name = "dim", .kind = SB_PARAM_INT, .offset = offsetof(storage, dim), .range = SB_POSITIVE,   \
    .fallback = "1", .help = "components of the bond"                                              \
  }

static const sb_param params_C[] = {
    PARAMETER("c", "compliance capacitance", "@q/e",
              "compliance, capacitance: one number, a diagonal, or a symmetric matrix row by row"),
    ENERGY(of_q, "expression of the displacement q, in place of c"),
    START("q0", "@q", "displacement at the start"),
    DIM,
    {0}};
static const sb_param params_I[] = {
    PARAMETER("l", "inertia mass inductance", "@p/f",
              "inertia: one number, a diagonal, or a symmetric matrix row by row"),
    ENERGY(of_p, "expression of the momentum p, in place of l"),
    START("p0", "@p", "momentum at the start"),
    DIM,
    {0}};
static const sb_port_spec ports_C[] = {{"p", .output = SB_EFFORT}, {0}};
static const sb_port_spec ports_I[] = {{"p", .output = SB_FLOW}, {0}};

const sb_element_type sb_kind_C = {.name = "C",
                                   .help = "capacitor, spring, tank: e = q / c",
                                   .role = SB_STORAGE,
                                   .size = sizeof(storage),
                                   .params = params_C,
                                   .ports = ports_C,
                                   .init = init_C,
                                   .storage = &hooks,
                                   .example = "<C id=\"C1\" c=\"10 uF\" q0=\"0 C\"/>"};
const sb_element_type sb_kind_I = {.name = "I",
                                   .help = "inductance, mass, inertia: f = p / l",
                                   .role = SB_STORAGE,
                                   .size = sizeof(storage),
                                   .params = params_I,
                                   .ports = ports_I,
                                   .init = init_I,
                                   .storage = &hooks,
                                   .example = "<I id=\"L1\" l=\"10 mH\"/>"};
