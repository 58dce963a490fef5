// SPDX-License-Identifier: GPL-3.0-or-later
// Nonlinear algebraic loops: dissipations that feed each other, y = law(b + A y), by Newton's method
// with a line search. A power-free network makes A the negative of a positive semi-definite matrix in
// matching causality, and laws that rise make the equation strictly monotone: one solution, which
// the damped method reaches from anywhere. The start is what the last evaluation left; the iteration
// ends at rounding, so that the result is a function of the state alone.
#include <math.h>
#include <string.h>

#include "core/workspace_private.h"

enum { ITERATIONS_MAX = 100, HALVINGS_MAX = 40 };
/** Residuals below this part of what they are the difference of are rounding. */
static const double rounding = 4e-15;

typedef struct newton {
  const sb_model *model;
  sb_workspace *work;
  const int *parts;
  const double *a; // (m x m)
  int m;
  double t;
  const double *x;
  double b[SB_LOOP_MAX];
} newton;

static int law(const newton *n, int k, double in, double *out) {
  const sb_part *part = &n->model->parts[n->parts[k]];
  n->work->values[part->in] = in;
  sb_at at = sb_at_part(n->work, part, n->t, n->x);
  return part->type->dissipation->law(part->self, &at,
                                      n->work->program->causality.given[n->parts[k]], out);
}

/** r = y - law(b + A y); `size` is what each residual is the difference of. */
static int residual(const newton *n, const double y[], double in[], double r[], double size[]) {
  for (int k = 0; k < n->m; k++) {
    double out, sum = n->b[k];
    for (int j = 0; j < n->m; j++) {
      sum += n->a[k * n->m + j] * y[j];
    }
    in[k] = sum;
    if (law(n, k, sum, &out) != 0 || !isfinite(out)) {
      return -1;
    }
    r[k] = y[k] - out;
    size[k] = fabs(y[k]) + fabs(out);
  }
  return 0;
}

/** Slope of a law by central differences; where that is not finite, a steep one. */
static double slope(const newton *n, int k, double in) {
  double h = 6e-6 * fmax(fabs(in), 1e-6), up = 0, down = 0;
  (void)law(n, k, in + h, &up);
  (void)law(n, k, in - h, &down);
  double s = (up - down) / (2 * h);
  return isfinite(s) ? s : 1e12;
}

/** Solves J d = r by elimination with row pivots; false if J is singular. */
static bool solve(double j[], double d[], int m) {
  for (int p = 0; p < m; p++) {
    int best = p;
    for (int i = p + 1; i < m; i++) {
      best = fabs(j[i * m + p]) > fabs(j[best * m + p]) ? i : best;
    }
    if (!(fabs(j[best * m + p]) > 0)) {
      return false;
    }
    for (int q = 0; best != p && q < m; q++) {
      double swap = j[p * m + q];
      j[p * m + q] = j[best * m + q];
      j[best * m + q] = swap;
    }
    double swap = d[p];
    d[p] = d[best];
    d[best] = swap;
    for (int i = p + 1; i < m; i++) {
      double factor = j[i * m + p] / j[p * m + p];
      for (int q = p; factor != 0 && q < m; q++) {
        j[i * m + q] -= factor * j[p * m + q];
      }
      d[i] -= factor * d[p];
    }
  }
  for (int p = m - 1; p >= 0; p--) {
    for (int q = p + 1; q < m; q++) {
      d[p] -= j[p * m + q] * d[q];
    }
    d[p] /= j[p * m + p];
  }
  return true;
}

static double norm(const double r[], int m) {
  double sum = 0;
  for (int k = 0; k < m; k++) {
    sum += r[k] * r[k];
  }
  return sqrt(sum);
}

static bool converged(const double r[], const double size[], int m) {
  double worst = 0, largest = 0;
  for (int k = 0; k < m; k++) {
    worst = fmax(worst, fabs(r[k]));
    largest = fmax(largest, size[k]);
  }
  return worst <= rounding * largest;
}

/** One damped step; false if no step makes the residual smaller. */
static bool improve(const newton *n, double y[], double in[], double r[], double size[]) {
  int m = n->m;
  double j[SB_LOOP_MAX * SB_LOOP_MAX], d[SB_LOOP_MAX], next[SB_LOOP_MAX], rn[SB_LOOP_MAX],
      sn[SB_LOOP_MAX], old = norm(r, m);
  for (int k = 0; k < m; k++) {
    double s = slope(n, k, in[k]);
    for (int i = 0; i < m; i++) {
      j[k * m + i] = (k == i) - s * n->a[k * m + i];
    }
    d[k] = r[k];
  }
  if (!solve(j, d, m)) {
    return false;
  }
  double factor = 1;
  for (int halving = 0; halving < HALVINGS_MAX; halving++, factor *= 0.5) {
    for (int k = 0; k < m; k++) {
      next[k] = y[k] - factor * d[k];
    }
    if (residual(n, next, in, rn, sn) == 0 && norm(rn, m) < old) {
      memcpy(y, next, (size_t)m * sizeof *y);
      memcpy(r, rn, (size_t)m * sizeof *r);
      memcpy(size, sn, (size_t)m * sizeof *size);
      return true;
    }
  }
  return false;
}

int sb_run_loop(const sb_model *model, sb_workspace *work, const sb_op *op, double t,
                const double x[], double xdot[]) {
  (void)xdot;
  const sb_loop *loop = &work->program->loops[op->first_row];
  newton n = {.model = model,
              .work = work,
              .parts = work->program->loop_parts + loop->first,
              .a = work->program->loop_matrix + loop->matrix,
              .m = loop->count,
              .t = t,
              .x = x};
  double y[SB_LOOP_MAX], in[SB_LOOP_MAX], r[SB_LOOP_MAX], size[SB_LOOP_MAX];
  for (int k = 0; k < n.m; k++) {
    const sb_part *part = &model->parts[n.parts[k]];
    n.b[k] = work->values[part->in];
    y[k] = isfinite(work->values[part->out]) ? work->values[part->out] : 0;
  }
  if (residual(&n, y, in, r, size) != 0) {
    return -1;
  }
  for (int i = 0; i < ITERATIONS_MAX && !converged(r, size, n.m); i++) {
    if (!improve(&n, y, in, r, size)) {
      break; // the residual is at rounding, or there is no solution: the test below tells
    }
  }
  double largest = 0;
  for (int k = 0; k < n.m; k++) {
    largest = fmax(largest, size[k]);
  }
  for (int k = 0; k < n.m; k++) {
    if (fabs(r[k]) > 1e-11 * largest) {
      return -1;
    }
    work->values[model->parts[n.parts[k]].out] = y[k];
  }
  return 0;
}
