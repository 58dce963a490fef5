// SPDX-License-Identifier: GPL-3.0-or-later
// Consistent states. Storages tied by the network satisfy C x = s. A state that does not, at the
// start or after a switch, is moved by the impulses of the constraint forces. These act on the rates
// as the constraint acts on the outputs y = K x, for the structure is power-free: with C = G K,
//   x+ = x- + G^T lambda = x- + K^-1 C^T lambda,   (C K^-1 C^T) lambda = s - C x-.
// It is the plastic impact: what is conserved stays, and energy is only lost. Where y is not linear in
// x, K is its slope, and the same is Newton's method for lambda. A source in the tie, c x +
// w s = 0, takes part with the impulse w lambda, and so gives the energy -s w lambda at once.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/array_private.h"
#include "core/assign_private.h"
#include "core/workspace_private.h"

/** A tie that is off by less than this part of its terms is rounding. */
static const double tie_tol = 1e-12;

enum { DIM_MAX = 64, ITERATIONS_MAX = 60 };

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

/** A storage with hooks: its output at x, among the values, and the slope of that. */
static bool linearise(sb_workspace *work, const sb_part *part, const double x[], double K[]) {
  sb_at at = sb_at_part(work, part, 0, x);
  return part->type->storage->output(part->self, &at, work->values + part->out) == 0 &&
         part->type->storage->stiffness(part->self, &at, K) == 0;
}

/** The entries of a constraint's row and of its impulse that stand for one output of such a storage. */
static bool add_hooked(sb_workspace *work, int known, double factor, const double x[], double c[],
                       double d[]) {
  const sb_part *part = &work->model->parts[sb_owner_of(work->model, known)];
  double K[SB_STIFFNESS_MAX * SB_STIFFNESS_MAX];
  int n = part->components, row = known - work->model->state_count - part->out;
  if (part->type->role != SB_STORAGE) {
    return true; // a source does not move
  }
  if (!linearise(work, part, x, K)) {
    return false;
  }
  for (int k = 0; k < n; k++) {
    c[part->state + k] += factor * K[row * n + k];
  }
  d[part->state + row] += factor;
  return true;
}

/** Rows C and K^-1 C^T, and s - C x, of all constraints. Returns the one that is most off, by more
 *  than rounding; -1: none. `off` is not finite where a storage has no output. */
static int fill(sb_workspace *work, const double x[], double c[], double d[], double off[]) {
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
      if (known >= n && !add_hooked(work, known, term->factor, x, c + i * n, d + i * n)) {
        off[i] = NAN;
      }
      double value = term->factor * (known < n ? x[known] : work->values[known - n]);
      off[i] -= value;
      size = fmax(size, fabs(value));
      if (known < n) {
        c[i * n + known] += term->factor;
        d[i * n + known] += term->factor;
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
        if (source->type->role == SB_SOURCE) {
          x[n + source->integral] -= work->values[known - n] * term->factor * lambda[i];
        }
      }
    }
  }
}

/** Whether a constraint holds storages with hooks. */
static bool is_curved(const sb_workspace *work) {
  const sb_causality *r = &work->program->causality;
  int first = sb_value_var(work->model, 0), base = sb_known_base(work->model);
  bool curved = false;
  for (int i = 0; i < r->constraint_term_count; i++) {
    int var = r->constraint_terms[i].var;
    curved = curved ||
             (var >= first &&
              work->model->parts[sb_owner_of(work->model, var - base)].type->role == SB_STORAGE);
  }
  return curved;
}

/** What one step of the projection works with. */
typedef struct impulses {
  int n, m;
  double *c, *d, *a; // (m x n), (m x n), (m x m)
  double *off;       // (m) what is off, then lambda
  double *before;    // (n) x before the step
} impulses;

static bool impulses_init(impulses *p, int n, int m) {
  *p = (impulses){.n = n,
                  .m = m,
                  .c = sb_zeroed(m * n, sizeof(double)),
                  .d = sb_zeroed(m * n, sizeof(double)),
                  .a = sb_zeroed(m * m, sizeof(double)),
                  .off = sb_zeroed(m, sizeof(double)),
                  .before = sb_zeroed(n, sizeof(double))};
  return p->c != NULL && p->d != NULL && p->a != NULL && p->off != NULL && p->before != NULL;
}

static void impulses_finish(impulses *p) {
  free(p->c);
  free(p->d);
  free(p->a);
  free(p->off);
  free(p->before);
}

static double norm(const double v[], int m) {
  double sum = 0;
  for (int i = 0; i < m; i++) {
    sum += v[i] * v[i];
  }
  return sqrt(sum);
}

static int look(impulses *p, sb_workspace *work, const double x[]) {
  memset(p->c, 0, (size_t)(p->m * p->n) * sizeof *p->c);
  memset(p->d, 0, (size_t)(p->m * p->n) * sizeof *p->d);
  return fill(work, x, p->c, p->d, p->off);
}

/** One step: lambda in the place of what is off, and x moved by it; of a curved tie by less, if that
 *  brings it nearer. */
static int step(impulses *p, sb_workspace *work, double x[], double lambda[], bool curved) {
  double old = norm(p->off, p->m), part = 1;
  int n = p->n, m = p->m, tie = -1;
  memset(p->a, 0, (size_t)(m * m) * sizeof *p->a);
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < m; j++) {
      for (int k = 0; k < n; k++) {
        p->a[i * m + j] += p->c[i * n + k] * p->d[j * n + k];
      }
    }
  }
  solve(p->a, p->off, m);
  memcpy(lambda, p->off, (size_t)m * sizeof *lambda);
  memcpy(p->before, x, (size_t)n * sizeof *x);
  for (int halving = 0; halving < ITERATIONS_MAX; halving++, part *= 0.5) {
    for (int k = 0; k < n; k++) {
      x[k] = p->before[k];
      for (int i = 0; i < m; i++) {
        x[k] += part * p->d[i * n + k] * lambda[i];
      }
    }
    if (!curved) {
      return -1;
    }
    tie = look(p, work, x);
    if (norm(p->off, m) < old || tie < 0) {
      break;
    }
  }
  for (int i = 0; i < m; i++) {
    lambda[i] *= part;
  }
  return tie;
}

sb_status sb_workspace_project(sb_workspace *work, double x[], int *tie) {
  int n = work->model->state_count, m = work->program->causality.constraint_count;
  *tie = -1;
  if (m == 0) {
    return SB_OK;
  }
  impulses p;
  double *lambda = sb_zeroed(m, sizeof(double));
  bool ok = impulses_init(&p, n, m) && lambda != NULL;
  int off = *tie = ok ? look(&p, work, x) : -1;
  bool curved = off >= 0 && is_curved(work);
  for (int i = 0; off >= 0 && i < (curved ? ITERATIONS_MAX : 1); i++) {
    off = step(&p, work, x, lambda, curved);
    book_sources(work, lambda, x);
  }
  impulses_finish(&p);
  free(lambda);
  return ok ? SB_OK : SB_ERR_MEMORY;
}

/** A storage with hooks follows to the state at which its output is y: Newton's method, in halves where
 *  a step leads away. */
static void follow_hooked(const sb_workspace *work, const sb_part *part, double y, double x[]) {
  double out, K, state = x[part->state], miss = HUGE_VAL;
  sb_at at = sb_at_part(work, part, 0, x);
  at.x = &state;
  double delta = 0;
  for (int i = 0; i < ITERATIONS_MAX; i++) {
    bool good = part->type->storage->output(part->self, &at, &out) == 0 &&
                part->type->storage->stiffness(part->self, &at, &K) == 0 && isfinite(out / K);
    if (!good || fabs(y - out) > miss) {
      delta *= 0.5;
      state -= delta;
      continue;
    }
    x[part->state] = state;
    miss = fabs(y - out);
    delta = (y - out) / K;
    if (!(fabs(delta) > 2.3e-16 * fabs(state))) {
      return;
    }
    state += delta;
  }
}

void sb_workspace_follow(const sb_workspace *work, double x[]) {
  const sb_causality *r = &work->program->causality;
  const sb_model *model = work->model;
  int n = model->state_count, base = sb_known_base(model);
  for (int i = r->constraint_count - 1; i >= 0;
       i--) { // the earlier may hold the later ones' states
    const sb_constraint *c = &r->constraints[i];
    const sb_part *part = &model->parts[sb_owner_of(model, c->dependent)];
    int dependent = sb_known_of(model, part, c->dependent);
    double sum = 0, pivot = 1;
    for (int k = 0; k < c->count; k++) {
      const sb_term *term = &r->constraint_terms[c->first + k];
      int known = term->var - base;
      if (known == dependent) {
        pivot = term->factor;
      } else {
        sum += term->factor * (known < n ? x[known] : work->values[known - n]);
      }
    }
    if (part->hooked) {
      follow_hooked(work, part, -sum / pivot, x);
    } else {
      x[c->dependent] = -sum / pivot;
    }
  }
}
