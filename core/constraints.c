// SPDX-License-Identifier: GPL-3.0-or-later
// Consistent states. Storages tied by the network satisfy C x = s. A state that does not, at the
// start or after a switch, is moved by the impulses of the constraint forces. These act on the rates
// as the constraint acts on the outputs y = K x, for the structure is power-free: with C = G K,
//   x+ = x- + G^T lambda = x- + K^-1 C^T lambda,   (C K^-1 C^T) lambda = s - C x-.
// It is the plastic impact: what is conserved stays, and energy is only lost. A source in the tie, c x +
// w s = 0, takes part with the impulse w lambda, and so gives the energy -s w lambda at once.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/array_private.h"
#include "core/assign_private.h"
#include "core/workspace_private.h"

/** A tie that is off by less than this part of its terms is rounding. */
static const double tie_tol = 1e-12;

enum { DIM_MAX = 64 };

/** y := K^-1 y for one storage, by elimination: K is symmetric positive definite. */
static void solve_storage(const sb_part *part, double y[]) {
  double k[DIM_MAX * DIM_MAX], sum[DIM_MAX] = {0};
  int n = part->components;
  if (part->inverse != NULL) {
    for (int i = 0; i < n * n; i++) {
      sum[i / n] += part->inverse[i] * y[i % n];
    }
    memcpy(y, sum, (size_t)n * sizeof *y);
    return;
  }
  memcpy(k, part->matrix, (size_t)(n * n) * sizeof *k);
  for (int p = 0; p < n; p++) {
    for (int r = p + 1; r < n; r++) {
      double factor = k[r * n + p] / k[p * n + p];
      for (int q = p; q < n; q++) {
        k[r * n + q] -= factor * k[p * n + q];
      }
      y[r] -= factor * y[p];
    }
  }
  for (int p = n - 1; p >= 0; p--) {
    for (int q = p + 1; q < n; q++) {
      y[p] -= k[p * n + q] * y[q];
    }
    y[p] /= k[p * n + p];
  }
}

/** Rows C and K^-1 C^T, and s - C x, of all constraints. Returns the one that is most off, by more
 *  than rounding; -1: none. */
static int fill(const sb_workspace *work, const double x[], double c[], double d[], double off[]) {
  const sb_causality *r = &work->program->causality;
  const sb_model *model = work->model;
  int n = model->state_count, base = sb_known_base(model);
  int worst = -1;
  double most = tie_tol;
  for (int i = 0; i < r->constraint_count; i++) {
    double size = 0;
    off[i] = 0;
    for (int k = 0; k < r->constraints[i].count; k++) {
      const sb_term *term = &r->constraint_terms[r->constraints[i].first + k];
      int known = term->var - base;
      double value = term->factor * (known < n ? x[known] : work->values[known - n]);
      off[i] -= value;
      size = fmax(size, fabs(value));
      if (known < n) {
        c[i * n + known] = d[i * n + known] = term->factor;
      }
    }
    if (fabs(off[i]) > most * size) {
      most = fabs(off[i]) / size;
      worst = i;
    }
    for (int k = 0; k < model->part_count; k++) {
      const sb_part *part = &model->parts[k];
      if (part->linear && part->type->role == SB_STORAGE) {
        solve_storage(part, d + i * n + part->state);
      }
    }
  }
  return worst;
}

/** Solves the symmetric positive definite (m x m) system in place; the result is in b. */
static void solve(double a[], double b[], int m) {
  for (int p = 0; p < m; p++) {
    for (int r = p + 1; r < m; r++) {
      double factor = a[r * m + p] / a[p * m + p];
      for (int q = p; factor != 0 && q < m; q++) {
        a[r * m + q] -= factor * a[p * m + q];
      }
      b[r] -= factor * b[p];
    }
  }
  for (int p = m - 1; p >= 0; p--) {
    for (int q = p + 1; q < m; q++) {
      b[p] -= a[p * m + q] * b[q];
    }
    b[p] /= a[p * m + p];
  }
}

/** What the sources give by the impulses, to their integrals. */
static void book_sources(const sb_workspace *work, const double lambda[], double x[]) {
  const sb_causality *r = &work->program->causality;
  const sb_model *model = work->model;
  int base = sb_known_base(model), n = model->state_count;
  for (int i = 0; i < r->constraint_count; i++) {
    for (int k = 0; k < r->constraints[i].count; k++) {
      const sb_term *term = &r->constraint_terms[r->constraints[i].first + k];
      int known = term->var - base;
      if (known >= n) {
        const sb_part *source = &model->parts[sb_owner_of(model, known)];
        x[n + source->integral] -= work->values[known - n] * term->factor * lambda[i];
      }
    }
  }
}

sb_status sb_workspace_project(sb_workspace *work, double x[], int *tie) {
  int n = work->model->state_count, m = work->program->causality.constraint_count;
  *tie = -1;
  if (m == 0) {
    return SB_OK;
  }
  double *c = sb_zeroed(m * n, sizeof(double)), *d = sb_zeroed(m * n, sizeof(double));
  double *a = sb_zeroed(m * m, sizeof(double)), *lambda = sb_zeroed(m, sizeof(double));
  bool ok = c != NULL && d != NULL && a != NULL && lambda != NULL;
  *tie = ok ? fill(work, x, c, d, lambda) : -1;
  if (*tie >= 0) {
    for (int i = 0; i < m; i++) {
      for (int j = 0; j < m; j++) {
        for (int k = 0; k < n; k++) {
          a[i * m + j] += c[i * n + k] * d[j * n + k];
        }
      }
    }
    solve(a, lambda, m);
    for (int i = 0; i < m; i++) {
      for (int k = 0; k < n; k++) {
        x[k] += d[i * n + k] * lambda[i];
      }
    }
    book_sources(work, lambda, x);
  }
  free(c);
  free(d);
  free(a);
  free(lambda);
  return ok ? SB_OK : SB_ERR_MEMORY;
}

void sb_workspace_follow(const sb_workspace *work, double x[]) {
  const sb_causality *r = &work->program->causality;
  int n = work->model->state_count, base = sb_known_base(work->model);
  for (int i = r->constraint_count - 1; i >= 0;
       i--) { // the earlier may hold the later ones' states
    const sb_constraint *c = &r->constraints[i];
    double sum = 0, pivot = 1;
    for (int k = 0; k < c->count; k++) {
      const sb_term *term = &r->constraint_terms[c->first + k];
      int known = term->var - base;
      if (known == c->dependent) {
        pivot = term->factor;
      } else {
        sum += term->factor * (known < n ? x[known] : work->values[known - n]);
      }
    }
    x[c->dependent] = -sum / pivot;
  }
}
