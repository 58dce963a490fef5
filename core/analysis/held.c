// SPDX-License-Identifier: GPL-3.0-or-later
// The linearisation of a model with constraints that are not linear, from the right-hand side as it runs. Its rates are
//   xdot = f(x, u) + X udot,   X = dP/du,
// with the projection P onto the constraints: what a source changes at once it changes by the impulses of the multipliers, and a
// source that changes in time does so all the time. With xi = x - X u the derivatives of u leave the rates, and
//   xidot = f_x xi + (f_u + f_x X) u,   y = y_x xi + (y_u + y_x X) u + y_udot udot.
// All are differences of evaluations; tangent coordinates are taken afterwards (manifold.c).
#include <string.h>

#include "core/analysis/differences_private.h"
#include "core/analysis/linear_private.h"
#include "core/model/constraints.h"

/** A function of the operating point and where it is evaluated. */
typedef struct held {
  sb_operating_point *p;
  const sb_linear *l;
  double *x; // (vector)
} held;

bool sb_operating_point_is_held(const sb_operating_point *p) {
  return p->work->program->causality.constraint_count > 0 && !sb_network_is_linear(&p->network);
}

static bool project(void *context, double out[]) {
  held *h = context;
  sb_operating_point *p = h->p;
  int constraint;
  memcpy(h->x, h->l->x, (size_t)p->states * sizeof *h->x);
  sb_workspace_changed(p->work);
  if (sb_workspace_evaluate(p->work, p->t, h->x) != 0 ||
      sb_workspace_project(p->work, p->t, h->x, &constraint) != SB_OK) {
    return false;
  }
  memcpy(out, h->x, (size_t)p->states * sizeof *out);
  return true;
}

static bool read_outputs(void *context, double out[]) {
  held *h = context;
  return sb_operating_point_evaluate(h->p, out);
}

/** m += a b, a (rows x n), b (n x columns). */
static void add_product(const double a[], const double b[], int rows, int n, int columns,
                        double m[]) {
  for (int i = 0; i < rows; i++) {
    for (int k = 0; k < n; k++) {
      for (int j = 0; j < columns && a[i * n + k] != 0; j++) {
        m[i * columns + j] += a[i * n + k] * b[k * columns + j];
      }
    }
  }
}

/** X by the projection, and the outputs by the rates of the sources. */
static sb_status take_columns(held *h, sb_linear *l, double *const amounts[], double D1[],
                              sb_arena *memory, sb_error *err) {
  sb_operating_point *p = h->p;
  sb_differences projected = {.evaluate = project, .context = h, .rows = p->states},
                 outputs = {.evaluate = read_outputs, .context = h, .rows = p->rows};
  if (!sb_differences_init(&projected, memory) || !sb_differences_init(&outputs, memory)) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  for (int j = 0; j < l->inputs; j++) {
    double *rate = p->amount_rate + (amounts[j] - p->amount);
    memcpy(p->x, l->x, (size_t)p->states * sizeof *p->x);
    if (!sb_differences_take(&projected, amounts[j]) || !sb_differences_take(&outputs, rate)) {
      return sb_operating_point_not_finite(p, err);
    }
    for (int i = 0; i < p->states; i++) {
      l->X[i * l->inputs + j] = projected.column[i];
    }
    for (int i = 0; i < l->outputs; i++) {
      D1[i * l->inputs + j] = outputs.column[p->states + i];
      l->order = D1[i * l->inputs + j] != 0 ? 1 : l->order;
    }
  }
  return SB_OK;
}

sb_status sb_held_complete(sb_operating_point *p, sb_linear *l, double *const amounts[],
                           sb_arena *memory, sb_error *err) {
  sb_arena own = {0};
  held h = {.p = p, .l = l, .x = sb_arena_zeroed(&own, sb_vector_count(&p->network), sizeof *h.x)};
  l->derivatives = sb_arena_zeroed(memory, l->outputs, (size_t)l->inputs * sizeof(double));
  sb_status status = memory->failed || own.failed
                         ? sb_fail(err, SB_ERR_MEMORY, "out of memory")
                         : take_columns(&h, l, amounts, l->derivatives, &own, err);
  if (status == SB_OK) {
    add_product(l->A, l->X, p->states, p->states, l->inputs, l->B);
    add_product(l->C, l->X, l->outputs, p->states, l->inputs, l->D);
  }
  sb_arena_finish(&own);
  return status;
}
