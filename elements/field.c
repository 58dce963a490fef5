// SPDX-License-Identifier: GPL-3.0-or-later
// Storage of several ports whose energy is not a sum over the ports: coupled coils, a piezoelectric
// stack, a capacitor microphone, a solenoid, a gas. A port of C type has a displacement q, takes a
// flow and gives the effort dH/dq; one of I type has a momentum p, takes an effort and gives the flow
// dH/dp. Either a matrix, H = q . c^-1 q / 2, or an energy H(q1, q2, ..., p1, p2, ...) whose gradient
// is exact. (Karnopp, Margolis, Rosenberg, System Dynamics, chapter 7.)
#include <math.h>
#include <string.h>

#include "elements/elements.h"
#include "elements/linear_private.h"

enum { PORTS_MAX = 4 };

typedef struct field {
  sb_list parameter;     // c or l
  sb_list start;         // of the displacements and momenta, port by port
  sb_expression *energy; // in place of the parameter, without a constant
  double level;          // [J] that
  int ports;
  int slot[PORTS_MAX]; // of each port in the energy
} field;

/** What a kind makes of a field: the letters of the states that an energy may name, in the order of
 *  its slots, its matrix, NULL: none, and its start. */
typedef struct form {
  const char *letters, *matrix, *start;
} form;

/** Values of the slots from the states. */
static void fill_slots(const field *s, const double x[], double slots[]) {
  memset(slots, 0, SB_EXPRESSION_VARIABLES_MAX * sizeof *slots);
  for (int k = 0; k < s->ports; k++) {
    slots[s->slot[k]] = x[k];
  }
}

/** Every port that has a bond is named once, as q or as p, and no other port is. */
static sb_status find_slots(field *s, const form *f, sb_error *err) {
  for (int k = 0; k < PORTS_MAX; k++) {
    int named = 0;
    for (int i = 0; f->letters[i] != '\0'; i++) {
      int slot = i * PORTS_MAX + k;
      if (sb_expression_uses(s->energy, slot)) {
        named++;
        s->slot[k] = slot;
        if (k >= s->ports) {
          (void)sb_fail_at(err, SB_ERR_PORT, "energy",
                           "its energy names %c%d, and port %d has no bond", f->letters[i], k + 1,
                           k + 1);
          sb_error_hint(err, "its ports are named as in to=\"ID.%d\"", k + 1);
          return SB_ERR_PORT;
        }
      }
    }
    if (k < s->ports && named != 1) {
      return sb_fail_at(err, SB_ERR_CHOICE, "energy", "its energy names %s of port %d",
                        named > 1 ? "both the displacement and the momentum" : "no state", k + 1);
    }
  }
  return SB_OK;
}

static sb_status check_start(const field *s, const char *start, sb_error *err) {
  double x[PORTS_MAX], slots[SB_EXPRESSION_VARIABLES_MAX];
  sb_vector_fill(&s->start, s->ports, x);
  fill_slots(s, x, slots);
  for (int k = 0; k < s->ports; k++) {
    sb_dual H = sb_expression_dual(s->energy, slots, s->slot[k]);
    if (!isfinite(H.value) || !isfinite(H.slope)) {
      (void)sb_fail_at(err, SB_ERR_RANGE, "energy",
                       "the energy or its gradient is not finite at the start");
      sb_error_hint(err, "%s states another start than zero", start);
      return SB_ERR_RANGE;
    }
  }
  return SB_OK;
}

static sb_status check_matrix(const field *s, const form *f, sb_error *err) {
  int n = s->ports;
  if (s->parameter.count != n * n) {
    return sb_fail_at(err, SB_ERR_DIMENSION, f->matrix,
                      "%s takes %d numbers for %d ports, row by row, got %d", f->matrix, n * n, n,
                      s->parameter.count);
  }
  return sb_matrix_check_storage(&s->parameter, &s->start, n, f->matrix, f->start, err);
}

static sb_status init(field *s, sb_layout *layout, const form *f, sb_error *err) {
  s->ports = layout->states = layout->port_count;
  layout->dim = 1;
  if (s->start.count > 1 && s->start.count != s->ports) {
    return sb_fail_at(err, SB_ERR_DIMENSION, f->start,
                      "%s takes 1 or %d numbers, as %d ports have bonds, got %d", f->start,
                      s->ports, s->ports, s->start.count);
  }
  if (s->energy != NULL && s->parameter.count > 0) {
    return sb_fail_at(err, SB_ERR_CHOICE, "energy", "%s and an energy exclude each other",
                      f->matrix);
  }
  if (s->energy == NULL && s->parameter.count == 0) {
    return f->matrix == NULL
               ? sb_fail(err, SB_ERR_MISSING, "its energy is missing")
               : sb_fail(err, SB_ERR_MISSING, "%s is missing (or its energy)", f->matrix);
  }
  if (s->energy == NULL) {
    return check_matrix(s, f, err);
  }
  SB_TRY(find_slots(s, f, err));
  for (int k = 0; k < s->ports; k++) {
    layout->ports[k].output = f->letters[s->slot[k] / PORTS_MAX] == 'q' ? SB_EFFORT : SB_FLOW;
  }
  SB_TRY(check_start(s, f->start, err));
  s->level = sb_expression_take_constant(s->energy);
  return SB_OK;
}

static sb_status init_C(void *self, sb_layout *layout, sb_error *err) {
  return init(self, layout, &(form){"q", "c", "q0"}, err);
}

static sb_status init_I(void *self, sb_layout *layout, sb_error *err) {
  return init(self, layout, &(form){"p", "l", "p0"}, err);
}

static sb_status init_IC(void *self, sb_layout *layout, sb_error *err) {
  return init(self, layout, &(form){"qp", NULL, "x0"}, err);
}

static bool linear(const void *self, int dim, double K[]) {
  const field *s = self;
  return s->energy == NULL && sb_matrix_of_storage(&s->parameter, dim, K);
}

static bool inverse(const void *self, int dim, double M[]) {
  const field *s = self;
  return s->energy == NULL && sb_matrix_singular(&s->parameter, dim, M);
}

static void start(const void *self, double x[]) {
  const field *s = self;
  sb_vector_fill(&s->start, s->ports, x);
}

static int output(const void *self, const sb_at *at, double y[]) {
  const field *s = self;
  double slots[SB_EXPRESSION_VARIABLES_MAX];
  if (s->energy == NULL) {
    return 1; // only linear() tells
  }
  fill_slots(s, at->x, slots);
  for (int k = 0; k < s->ports; k++) {
    y[k] = sb_expression_at(s->energy, slots, NULL, at->branches, s->slot[k]).slope;
  }
  return 0;
}

static int rate(const void *self, const sb_at *at, double xdot[]) {
  const field *s = self;
  for (int k = 0; k < s->ports; k++) {
    xdot[k] = at->in[k];
  }
  return 0;
}

static int hessian(const void *self, const sb_at *at, double K[]) {
  const field *s = self;
  double slots[SB_EXPRESSION_VARIABLES_MAX];
  fill_slots(s, at->x, slots);
  for (int i = 0; i < s->ports; i++) {
    for (int k = 0; k <= i; k++) {
      K[i * s->ports + k] = K[k * s->ports + i] =
          sb_expression_second(s->energy, slots, at->branches, s->slot[i], s->slot[k]);
    }
  }
  return 0;
}

static double energy(const void *self, const sb_at *at) {
  const field *s = self;
  double slots[SB_EXPRESSION_VARIABLES_MAX];
  fill_slots(s, at->x, slots);
  return sb_expression_at(s->energy, slots, NULL, at->branches, -1).value;
}

static double level(const void *self) {
  const field *s = self;
  return s->level;
}

static double terms(const void *self, const sb_at *at) {
  const field *s = self;
  double slots[SB_EXPRESSION_VARIABLES_MAX];
  fill_slots(s, at->x, slots);
  return sb_expression_terms(s->energy, slots, NULL, at->branches);
}

static const sb_storage_hooks hooks = {.linear = linear,
                                       .start = start,
                                       .output = output,
                                       .rate = rate,
                                       .energy = energy,
                                       .constraints = {.inverse = inverse, .hessian = hessian},
                                       .audit = {.terms = terms, .level = level}};

#define DISPLACEMENTS                                                                              \
  {"q1", "@q1", NULL, SB_OWN_STATE, 0}, {"q2", "@q2", NULL, SB_OWN_STATE, 1},                      \
      {"q3", "@q3", NULL, SB_OWN_STATE, 2}, {                                                      \
    "q4", "@q4", NULL, SB_OWN_STATE, 3                                                             \
  }
#define MOMENTA                                                                                    \
  {"p1", "@p1", NULL, SB_OWN_STATE, 0}, {"p2", "@p2", NULL, SB_OWN_STATE, 1},                      \
      {"p3", "@p3", NULL, SB_OWN_STATE, 2}, {                                                      \
    "p4", "@p4", NULL, SB_OWN_STATE, 3                                                             \
  }
static const sb_argument of_both[] = {DISPLACEMENTS, MOMENTA, {0}};
static const sb_argument of_q[] = {DISPLACEMENTS, {0}};
static const sb_argument of_p[] = {MOMENTA, {0}};
#define MATRIX(name_, unit_, help_)                                                                \
  {                                                                                                \
    .name = (name_), .kind = SB_PARAM_LIST, .offset = offsetof(field, parameter), .unit = (unit_), \
    .fallback = "", .help = (help_)                                                                \
  }
#define ENERGY(arguments_, help_)                                                                  \
  {                                                                                                \
    .name = "energy", .kind = SB_PARAM_EXPRESSION, .offset = offsetof(field, energy), .unit = "J", \
    .fallback = "", .arguments = (arguments_), .held = true, .help = (help_)                       \
  }
#define START(name_, unit_, help_)                                                                 \
  {                                                                                                \
    .name = (name_), .kind = SB_PARAM_LIST, .offset = offsetof(field, start), .unit = (unit_),     \
    .fallback = "0", .help = (help_)                                                               \
  }
static const sb_param params_C[] = {
    MATRIX("c", "@q1/e1", "symmetric matrix of capacities, row by row"),
    ENERGY(of_q, "expression of the displacements q1, q2, ... of the ports, in place of c"),
    START("q0", "@q1", "displacements at the start, port by port"),
    {0}};
static const sb_param params_I[] = {
    MATRIX("l", "@p1/f1", "symmetric matrix of inertias, row by row"),
    ENERGY(of_p, "expression of the momenta p1, p2, ... of the ports, in place of l"),
    START("p0", "@p1", "momenta at the start, port by port"),
    {0}};
static const sb_param params_IC[] = {
    ENERGY(of_both, "expression of q or p of every port: q1, p2, ..."),
    START("x0", NULL, "displacements and momenta at the start, port by port, in SI units"),
    {0}};
#define PORTS(output_)                                                                             \
  {                                                                                                \
    {"1", .dim = 1, .output = (output_)}, {"2", .dim = 1, .output = (output_)},                    \
        {"3", .dim = 1, .output = (output_), .optional = true},                                    \
        {"4", .dim = 1, .output = (output_), .optional = true}, {                                  \
      0                                                                                            \
    }                                                                                              \
  }
static const sb_port_spec ports_C[] = PORTS(SB_EFFORT);
static const sb_port_spec ports_I[] = PORTS(SB_FLOW);

const sb_element_type sb_kind_CField = {
    .name = "CField",
    .help = "compliance of several ports: piezoelectric stack, capacitor microphone, gas",
    .role = SB_STORAGE,
    .size = sizeof(field),
    .params = params_C,
    .ports = ports_C,
    .init = init_C,
    .storage = &hooks,
    .example = "<CField id=\"microphone\" energy=\"q1^2*(q2 + 0.1[mm])/2[nF.mm]\"/>"};
const sb_element_type sb_kind_IField = {.name = "IField",
                                        .help = "inertia of several ports: coupled coils",
                                        .role = SB_STORAGE,
                                        .size = sizeof(field),
                                        .params = params_I,
                                        .ports = ports_I,
                                        .init = init_I,
                                        .storage = &hooks,
                                        .example = "<IField id=\"coils\" l=\"10 8 8 10 mH\"/>"};
const sb_element_type sb_kind_ICField = {
    .name = "ICField",
    .help = "storage whose energy mixes displacements and momenta: solenoid, crank mechanism",
    .role = SB_STORAGE,
    .size = sizeof(field),
    .params = params_IC,
    .ports = ports_C,
    .init = init_IC,
    .storage = &hooks,
    .example = "<ICField id=\"solenoid\" energy=\"p2^2*(1 + q1/2[mm])/2[mH]/2\"/>"};
