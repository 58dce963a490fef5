// SPDX-License-Identifier: GPL-3.0-or-later
// The linearisation of a model with constraints that are not linear, from the right-hand side as it runs. Its rates are
//   xdot = f(x, u) + X udot.
// What a source changes at once it changes by the impulses of the multipliers: of storages that constraints hold X = dP/du + (dP/dx) X
// with the projection P onto the constraints and the X of what integrates a signal of such an impulse. A source that changes in
// time does so all the time. With xi = x - X u the derivatives of u leave the rates, and
//   xidot = f_x xi + (f_u + f_x X) u,   y = y_x xi + (y_u + y_x X) u + y_udot udot.
// All are differences of evaluations; tangent coordinates are taken afterwards (manifold.c).
#include <math.h>
#include <string.h>

#include "core/analysis/differences_private.h"
#include "core/analysis/linear_private.h"
#include "core/model/constraints.h"

/** The states as one source moves them: its amount by `by`, what integrates signals by X, and the storages onto their constraints. */
typedef struct moved {
  sb_operating_point *p;
  const sb_linear *l;
  int input;
  double *amount, by;
  double *x;       // (vector)
  double *X_error; // as l->X
} moved;

bool sb_operating_point_is_held(const sb_operating_point *p) {
  return p->work->program->causality.constraint_count > 0 && !sb_network_is_linear(&p->network);
}

/** Whether constraints hold a state. */
static bool is_held(const sb_operating_point *p, int state) {
  const sb_constraint_groups *groups = sb_constraint_groups_of(p->work);
  return groups != NULL && groups->group_of[state] >= 0;
}

static bool project(void *context, double out[]) {
  const moved *m = context;
  sb_operating_point *p = m->p;
  const double kept = *m->amount;
  for (int i = 0; i < p->states; i++) {
    const double rate = is_held(p, i) ? 0 : m->l->X[i * m->l->inputs + m->input];
    m->x[i] = m->l->x[i] + m->by * rate;
  }
  *m->amount = kept + m->by;
  sb_workspace_changed(p->work);
  const bool ok = sb_workspace_evaluate(p->work, p->t, m->x) == 0 &&
                  sb_workspace_project_closely(p->work, p->t, m->x) == SB_OK;
  *m->amount = kept;
  memcpy(out, m->x, (size_t)p->states * sizeof *out);
  return ok;
}

static bool evaluate(void *context, double out[]) {
  return sb_operating_point_evaluate(context, out);
}

/** A product of differences: m += a b, a (rows x n), b (n x columns), each with its errors. */
static void add_product(const double a[], const double a_error[], const double b[],
                        const double b_error[], int rows, int n, int columns, double m[],
                        double m_error[]) {
  for (int i = 0; i < rows; i++) {
    for (int k = 0; k < n; k++) {
      const double left = a[i * n + k], error = a_error[i * n + k];
      for (int j = 0; j < columns && (left != 0 || error != 0); j++) {
        const double right = b[k * columns + j], off = b_error[k * columns + j];
        m[i * columns + j] += left * right;
        m_error[i * columns + j] += fabs(left) * off + error * (fabs(right) + off);
      }
    }
  }
}

/** X and D1 of one source. The rates of what constraints hold are small differences of large forces, so that their X is that of the
 *  projection. */
static bool take_column(sb_operating_point *p, sb_linear *l, int j, double *amount,
                        sb_differences *rates, sb_differences *projected, moved *m) {
  double *rate = p->amount_rate + (amount - p->amount);
  memcpy(p->x, l->x, (size_t)p->states * sizeof *p->x);
  if (!sb_differences_take(rates, rate)) {
    return false;
  }
  for (int i = 0; i < l->outputs; i++) {
    l->derivatives[i * l->inputs + j] = rates->column[p->states + i];
    l->order = rates->column[p->states + i] != 0 ? 1 : l->order;
  }
  for (int i = 0; i < p->states; i++) {
    l->X[i * l->inputs + j] = rates->column[i];
    m->X_error[i * l->inputs + j] = rates->error[i];
  }
  m->input = j;
  m->amount = amount;
  if (!sb_differences_take(projected, &m->by)) {
    return false;
  }
  for (int i = 0; i < p->states; i++) {
    if (is_held(p, i)) {
      l->X[i * l->inputs + j] = projected->column[i];
      m->X_error[i * l->inputs + j] = projected->error[i];
    }
  }
  return true;
}

static sb_status take_columns(sb_operating_point *p, sb_linear *l, double *const amounts[],
                              double X_error[], sb_arena *memory, sb_error *err) {
  moved m = {.p = p,
             .l = l,
             .x = sb_arena_zeroed(memory, sb_vector_count(&p->network), sizeof *m.x),
             .X_error = X_error};
  sb_differences rates = {.evaluate = evaluate, .context = p, .rows = p->rows},
                 projected = {.evaluate = project, .context = &m, .rows = p->states};
  if (!sb_differences_init(&rates, memory) || !sb_differences_init(&projected, memory)) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  for (int j = 0; j < l->inputs; j++) {
    if (!take_column(p, l, j, amounts[j], &rates, &projected, &m)) {
      return sb_operating_point_not_finite(p, err);
    }
  }
  return SB_OK;
}

sb_status sb_held_complete(sb_operating_point *p, sb_linear *l, double *const amounts[],
                           sb_arena *memory, sb_error *err) {
  sb_arena own = {0};
  l->derivatives = sb_arena_zeroed(memory, l->outputs, (size_t)l->inputs * sizeof(double));
  double *X_error = sb_arena_zeroed(&own, p->states, (size_t)l->inputs * sizeof(double));
  sb_status status = memory->failed || own.failed ? sb_fail(err, SB_ERR_MEMORY, "out of memory")
                                                  : take_columns(p, l, amounts, X_error, &own, err);
  if (status == SB_OK) {
    add_product(l->A, l->error.A, l->X, X_error, p->states, p->states, l->inputs, l->B, l->error.B);
    add_product(l->C, l->error.C, l->X, X_error, l->outputs, p->states, l->inputs, l->D,
                l->error.D);
  }
  sb_arena_finish(&own);
  return status;
}
