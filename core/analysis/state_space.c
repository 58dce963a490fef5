// SPDX-License-Identifier: GPL-3.0-or-later
// The matrices of a linearisation without constraints, column by column, by evaluations of the model.
#include <string.h>

#include "core/analysis/differences_private.h"
#include "core/analysis/linear_private.h"

static bool evaluate(void *point, double out[]) {
  return sb_operating_point_evaluate(point, out);
}

/** A column of a linear model: its answer to a unit of one variable and nothing else.
 *  @param rest  (rows) its answer to nothing */
static sb_status take_column(sb_operating_point *p, double *variable, sb_differences *d,
                             const double rest[], sb_error *err) {
  *variable = 1;
  bool ok = sb_operating_point_evaluate(p, d->column);
  *variable = 0;
  for (int r = 0; r < p->rows; r++) {
    d->column[r] -= rest[r];
  }
  return ok ? SB_OK
            : sb_fail(err, SB_ERR_NOT_FINITE,
                      "the equations of '%s' have a coefficient beyond the largest number",
                      p->network.name);
}

/** Column j of a matrix of the states and of one of the outputs below it. */
static void split_column(const sb_linear *l, const double column[], int columns, int j,
                         double upper[], double lower[]) {
  for (int i = 0; i < l->states; i++) {
    upper[i * columns + j] = column[i];
  }
  for (int i = 0; i < l->outputs; i++) {
    lower[i * columns + j] = column[l->states + i];
  }
}

static void put_column(const sb_operating_point *p, sb_linear *l, const sb_differences *d, int j,
                       bool input) {
  const int columns = input ? l->inputs : l->states;
  split_column(l, d->column, columns, j, input ? l->B : l->A, input ? l->D : l->C);
  if (l->error.A != NULL) {
    split_column(l, d->error, columns, j, input ? l->error.B : l->error.A,
                 input ? l->error.D : l->error.C);
  }
  for (int i = 0; !input && l->E != NULL && i < l->ports; i++) {
    l->E[i * columns + j] = d->column[p->rows - l->ports + i];
  }
}

static sb_status fill(sb_operating_point *p, sb_linear *l, double *const inputs[], bool exact,
                      sb_differences *d, double rest[], sb_error *err) {
  memcpy(p->x, l->x, (size_t)l->states * sizeof(double));
  if (exact) {
    memset(p->x, 0, (size_t)l->states * sizeof(double));
    p->gain = 0;
    if (!sb_operating_point_evaluate(p, rest)) {
      return sb_fail(err, SB_ERR_NOT_FINITE,
                     "the equations of '%s' have a coefficient beyond the largest number",
                     p->network.name);
    }
  }
  int moved = l->states + (inputs == NULL ? 0 : l->inputs);
  for (int j = 0; j < moved; j++) {
    bool input = j >= l->states;
    double *variable = input ? inputs[j - l->states] : &p->x[j];
    if (exact) {
      SB_TRY(take_column(p, variable, d, rest, err));
    } else if (!sb_differences_take(d, variable)) {
      return sb_operating_point_not_finite(p, err);
    }
    put_column(p, l, d, input ? j - l->states : j, input);
  }
  p->gain = 1;
  return SB_OK;
}

sb_status sb_operating_point_differentiate(sb_operating_point *p, sb_linear *l,
                                           double *const inputs[], bool exact, sb_error *err) {
  sb_arena memory = {0};
  sb_differences d = {.evaluate = evaluate, .context = p, .rows = p->rows, .coarse = p->coarse};
  double *rest = sb_arena_zeroed(&memory, p->rows, sizeof *rest);
  sb_status status = sb_differences_init(&d, &memory)
                         ? fill(p, l, inputs, exact, &d, rest, err)
                         : sb_fail(err, SB_ERR_MEMORY, "out of memory");
  sb_arena_finish(&memory);
  return status;
}
