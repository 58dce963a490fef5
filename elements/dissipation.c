// SPDX-License-Identifier: GPL-3.0-or-later
// R: linear (a number, a diagonal or a matrix), a power law e = r |f|^n sgn f, or a table of efforts
// over flows, linear between its points and beyond its ends. Refused if it could give power.
#include <math.h>

#include "elements/elements.h"
#include "elements/linear_private.h"

typedef struct resistance {
  int dim;
  sb_list r;
  double exponent;
  sb_list flows, efforts;
} resistance;

static bool is_table(const resistance *s) {
  return s->flows.count > 0 || s->efforts.count > 0;
}

/** Passive if it rises and passes through (0, 0); invertible if it rises strictly. */
static sb_status check_table(const resistance *s, bool *invertible, sb_error *err) {
  bool zero = false;
  if (s->flows.count != s->efforts.count || s->flows.count < 2) {
    return sb_fail(err, SB_ERR_DIMENSION,
                   "flows and efforts need the same number of points, two or more: got %d and %d",
                   s->flows.count, s->efforts.count);
  }
  *invertible = true;
  for (int i = 0; i < s->flows.count; i++) {
    zero = zero || (s->flows.values[i] == 0 && s->efforts.values[i] == 0);
    double step = i > 0 ? s->efforts.values[i] - s->efforts.values[i - 1] : 1;
    *invertible = *invertible && step > 0;
    if (step < 0) {
      return sb_fail(err, SB_ERR_RANGE, "the efforts of the table must not fall from %s to %s",
                     sb_number_word(s->efforts.values[i - 1]).text,
                     sb_number_word(s->efforts.values[i]).text);
    }
  }
  if (!zero) {
    return sb_fail(err, SB_ERR_RANGE,
                   "the table must have the point of flow 0 and effort 0: "
                   "elsewhere it could give power");
  }
  return SB_OK;
}

static sb_status init(void *self, sb_layout *layout, sb_error *err) {
  const resistance *s = self;
  double matrix[SB_MATRIX_MAX * SB_MATRIX_MAX];
  bool invertible = true;
  SB_TRY(sb_vector_check(&(sb_list){0}, s->dim, "r", err));
  layout->dim = s->dim;
  if (is_table(s)) {
    SB_TRY(check_table(s, &invertible, err));
  } else if (s->r.count == 0) {
    return sb_fail(err, SB_ERR_MISSING, "r is missing (or flows and efforts for a table)");
  } else {
    SB_TRY(sb_matrix_expand(&s->r, s->dim, "r", matrix, err));
    SB_TRY(sb_matrix_check_passive(matrix, s->dim, "r", err));
  }
  bool nonlinear = is_table(s) || s->exponent != 1;
  if (nonlinear && s->dim != 1) {
    return sb_fail(err, SB_ERR_DIMENSION, "a table or power law takes dim=\"1\"");
  }
  if (nonlinear && !is_table(s) && s->r.values[0] == 0) {
    invertible = false;
  }
  layout->ports[0].output = invertible ? SB_EITHER : SB_EFFORT;
  return SB_OK;
}

static bool linear(const void *self, int dim, double R[]) {
  const resistance *s = self;
  return !is_table(s) && s->exponent == 1 && sb_matrix_expand(&s->r, dim, "", R, NULL) == SB_OK;
}

/** y at x of the polygon through (xs, ys), xs rising; its end pieces go on for ever. */
static double interpolate(const double xs[], const double ys[], int count, double x) {
  int low = 0, high = count - 1;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    *(xs[middle] <= x ? &low : &high) = middle;
  }
  double slope = (ys[high] - ys[low]) / (xs[high] - xs[low]);
  return fabs(x - xs[low]) <= fabs(x - xs[high]) ? ys[low] + slope * (x - xs[low])
                                                 : ys[high] + slope * (x - xs[high]);
}

static int law(const void *self, const sb_at *at, sb_variable given, double y[]) {
  const resistance *s = self;
  double u = at->in[0];
  if (is_table(s)) {
    const double *f = s->flows.values, *e = s->efforts.values;
    y[0] = given == SB_FLOW ? interpolate(f, e, s->flows.count, u)
                            : interpolate(e, f, s->flows.count, u);
  } else if (given == SB_FLOW) {
    y[0] = copysign(s->r.values[0] * pow(fabs(u), s->exponent), u);
  } else {
    y[0] = copysign(pow(fabs(u) / s->r.values[0], 1 / s->exponent), u);
  }
  return 0;
}

static const sb_dissipation_hooks hooks = {.linear = linear, .law = law};
static const sb_param params[] = {
    {.name = "r",
     .aliases = "resistance",
     .kind = SB_PARAM_LIST,
     .offset = offsetof(resistance, r),
     .unit = "@e/f",
     .range = SB_ONE_NOT_NEGATIVE,
     .fallback = "",
     .help = "resistance: one number, a diagonal, or a matrix row by row; with an exponent n the "
             "effort at flow 1"},
    {.name = "exponent",
     .kind = SB_PARAM_REAL,
     .offset = offsetof(resistance, exponent),
     .range = SB_POSITIVE,
     .fallback = "1",
     .help = "n of e = r |f|^n sgn f"},
    {.name = "flows",
     .kind = SB_PARAM_LIST,
     .offset = offsetof(resistance, flows),
     .unit = "@f",
     .range = SB_INCREASING,
     .fallback = "",
     .help = "points of a table"},
    {.name = "efforts",
     .kind = SB_PARAM_LIST,
     .offset = offsetof(resistance, efforts),
     .unit = "@e",
     .fallback = "",
     .help = "efforts at the points of the table"},
    {.name = "dim",
     .kind = SB_PARAM_INT,
     .offset = offsetof(resistance, dim),
     .range = SB_POSITIVE,
     .fallback = "1",
     .help = "components of the bond"},
    {0}};
static const sb_port_spec ports[] = {{"p", .output = SB_EFFORT}, {0}};

const sb_element_type sb_kind_R = {
    .name = "R",
    .help = "resistance, damper, friction: e = r f, a power law or a table",
    .role = SB_DISSIPATION,
    .size = sizeof(resistance),
    .params = params,
    .ports = ports,
    .init = init,
    .dissipation = &hooks,
    .example = "<R id=\"R1\" r=\"10 ohm\"/>"};
