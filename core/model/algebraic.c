// SPDX-License-Identifier: GPL-3.0-or-later
// The values of algebraic variables. Constraints c = G y + N w on the outputs y of storages determine w where N has
// full rank, be each single entry of it zero. For outputs off the constraints by errors of integration it is
// what the coordinate projection would find (projection.c): the least squares solution in the metric of the
// energy, by the same system that gives the impulses of the projection.
#include <math.h>
#include <string.h>

#include "core/linalg/dense.h"
#include "core/model/constraints.h"

/** What the others leave of a row or column of the scaled system below this fraction is rounding. */
static const double rank_tol = 1e-13;

/** Constraints whose weight is below this fraction of the largest so far no longer determine a variable: as with a
 *  ratio that is divided by, the stable step of an explicit method is proportional to its square. */
static const double vanished = 1e-6;

/** Scales: impulses to unit energy, algebraic variables to columns of length 1. */
static void find_scales(const sb_constraint_system *s, double scale[]) {
  for (int i = 0; i < s->m; i++) {
    double own = fabs(s->A[i * s->m + i]);
    scale[i] = own > 0 ? 1 / sqrt(own) : 1;
  }
  for (int j = 0; j < s->f; j++) {
    double sum = 0;
    for (int i = 0; i < s->m; i++) {
      double entry = scale[i] * s->N[i * s->f + j];
      sum += entry * entry;
    }
    scale[s->m + j] = sum > 0 ? 1 / sqrt(sum) : 1;
  }
}

int sb_constraint_system_solve(const sb_constraint_system *s, const double below[]) {
  int m = s->m, all = m + s->f;
  double *matrix = s->scratch, *scale = matrix + all * all, *x = s->solution;
  find_scales(s, scale);
  memset(matrix, 0, (size_t)(all * all) * sizeof *matrix);
  for (int i = 0; i < m; i++) {
    x[i] = -scale[i] * s->c[i];
    for (int j = 0; j < all; j++) {
      double entry = j < m ? s->A[i * m + j] : s->N[i * s->f + j - m];
      matrix[i * all + j] = scale[i] * entry * scale[j];
      matrix[j * all + i] = j < m ? matrix[j * all + i] : matrix[i * all + j];
    }
  }
  for (int j = 0; j < s->f; j++) {
    x[m + j] = below == NULL ? 0 : scale[m + j] * below[j];
  }
  int rank = sb_solve_least_norm(matrix, x, all, all, rank_tol, s->order, scale + all);
  for (int i = 0; i < all; i++) {
    x[i] *= scale[i];
  }
  return rank;
}

/** Drops rows that are still. */
static void drop_still(const sb_workspace *work, const sb_constraint_group *g,
                       const sb_constraint_system *s, double C[], double G[]) {
  const int m = s->m, n = g->state_count;
  for (int i = 0; i < m; i++) {
    double *own = &s->A[i * m + i];
    *own = 0;
    for (int k = 0; k < n; k++) {
      *own += C[i * n + k] * G[i * n + k];
    }
  }
  sb_constraints_find_kept(work, g, s, C, G, s->kept);
  sb_constraints_keep(s->kept, m, C, n);
  sb_constraints_keep(s->kept, m, G, n);
  sb_constraints_keep(s->kept, m, s->c, 1);
  for (int i = 0; i < m; i++) {
    s->size[i] = s->kept[i].own == 0 ? 0 : s->size[i];
  }
}

int sb_constraint_system_fill(sb_constraint_groups *groups, const sb_constraint_group *g,
                              sb_workspace *work, const double x[], sb_constraint_system *s) {
  int m = g->count, f = g->algebraic_count, n = g->state_count, status = 0;
  double *C = groups->system, *G = C + m * n;
  *s = (sb_constraint_system){.m = m,
                              .f = f,
                              .A = G + m * n,
                              .order = groups->pivots,
                              .kept = groups->kept + work->program->causality.constraint_count};
  s->N = s->A + m * m;
  s->c = s->N + m * f;
  s->size = s->c + m;
  s->solution = s->size + m;
  s->scratch = s->solution + m + f;
  memset(C, 0, (size_t)(2 * m * n) * sizeof *C);
  for (int j = 0; j < f; j++) {
    work->values[sb_algebraic_value(work->network, g->algebraics[j])] = 0;
  }
  for (int i = 0; i < m; i++) {
    const sb_constraint_row *row = sb_constraint_row_at(groups, work, g->constraints[i], x, true);
    s->c[i] = row->residual;
    s->size[i] = row->size;
    for (int k = 0; k < row->count; k++) {
      int state = row->states[k], column = groups->column[state];
      C[i * n + column] = row->gradient[state];
      G[i * n + column] = row->impulse[state];
    }
    for (int j = 0; j < f; j++) {
      s->N[i * f + j] = row->algebraic[g->algebraics[j]];
    }
    status = row->failed ? -1 : status;
  }
  drop_still(work, g, s, C, G);
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < m; j++) {
      s->A[i * m + j] = 0;
      for (int k = 0; k < n; k++) {
        s->A[i * m + j] += C[i * n + k] * G[j * n + k];
      }
    }
  }
  return status;
}

int sb_algebraic_run(sb_workspace *work, int first, const double x[]) {
  sb_constraint_groups *groups = sb_constraint_groups_of(work);
  if (groups == NULL || groups->group_of_algebraic[first] < 0) {
    return -1;
  }
  const sb_constraint_group *g = &groups->groups[groups->group_of_algebraic[first]];
  sb_constraint_system s;
  if (sb_constraint_system_fill(groups, g, work, x, &s) != 0) {
    return -1;
  }
  (void)sb_constraint_system_solve(&s, NULL);
  for (int j = 0; j < s.f; j++) {
    work->values[sb_algebraic_value(work->network, g->algebraics[j])] = s.solution[s.m + j];
  }
  return 0;
}

/** What the constraints say of an algebraic variable that they do not say of the others: the length of what these
 *  leave of its column, in the metric of the storages. */
static double weight_of(const sb_constraint_system *s, int own) {
  int m = s->m, f = s->f, others = f - 1;
  double *scale = s->scratch, *matrix = scale + m + f, *copy = s->solution, sum = 0;
  find_scales(s, scale);
  for (int i = 0; i < m; i++) {
    copy[i] = scale[i] * s->N[i * f + own];
    for (int j = 0, k = 0; j < f; j++) {
      if (j != own) {
        matrix[i * others + k++] = scale[i] * s->N[i * f + j];
      }
    }
  }
  (void)sb_solve_least_norm(matrix, copy, m, others, rank_tol, s->order, s->c);
  for (int i = 0; i < m; i++) {
    double left = scale[i] * s->N[i * f + own];
    for (int j = 0, k = 0; j < f; j++) {
      left -= j == own ? 0 : scale[i] * s->N[i * f + j] * copy[k++];
    }
    sum += left * left;
  }
  return sqrt(sum);
}

int sb_algebraic_undetermined(sb_workspace *work, const double x[]) {
  sb_constraint_groups *groups = sb_constraint_groups_of(work);
  sb_constraint_system s;
  int found = -1;
  for (int i = 0; groups != NULL && i < groups->count; i++) {
    const sb_constraint_group *g = &groups->groups[i];
    if (g->algebraic_count == 0 || sb_constraint_system_fill(groups, g, work, x, &s) != 0) {
      continue;
    }
    for (int j = 0; j < s.f; j++) {
      double weight = weight_of(&s, j), *largest = &groups->largest[g->algebraics[j]];
      found = weight > vanished * *largest ? found : g->algebraics[j];
      *largest = fmax(*largest, weight);
    }
    (void)sb_algebraic_run(work, g->algebraics[0], x); // whose values were set to zero
  }
  return found;
}
