// SPDX-License-Identifier: GPL-3.0-or-later
// A Newton step of the search for an equilibrium, A dz = -f, where A may be singular. What is no more than the rounding of the terms
// that rates are computed from is zero, in f and in A: rows are scaled, and would make it large.
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/analysis/equilibrium_private.h"
#include "core/linalg/dense.h"
#include "core/linalg/numbers.h"

/** A pivot of the scaled A below this fraction of the largest is zero. */
static const double unseen = 1e-10;

/** Roundings in the evaluation of a rate. */
static const double roundings = 8 * DBL_EPSILON;

/** What the rates at p->x are computed from, as far as storages tell. */
static void find_terms(sb_search *s) {
  const sb_operating_point *p = s->p;
  memset(s->terms, 0, (size_t)p->states * sizeof *s->terms);
  for (int i = 0; i < p->network.instance_count; i++) {
    const sb_instance *instance = &p->network.instances[i];
    const sb_storage_hooks *hooks = instance->type->storage;
    if (hooks != NULL && hooks->audit.rate_terms != NULL) {
      const sb_at at = sb_at_instance(p->work, instance, p->t, p->x);
      hooks->audit.rate_terms(instance->self, &at, s->terms + instance->state);
    }
  }
}

bool sb_search_rates(sb_search *s) {
  find_terms(s);
  for (int k = 0; k < s->n; k++) {
    const int state = s->manifold.chosen[k];
    const double rate = s->rows[state];
    s->rate[k] = fabs(rate) <= roundings * s->terms[state] ? 0 : rate;
  }
  return sb_all_finite(s->terms, s->p->states) != 0;
}

void sb_search_drop_rounding(sb_search *s) {
  for (int k = 0; k < s->n; k++) {
    double *row = s->l->A + k * s->n;
    if (sb_largest(row, s->n) <= roundings * s->terms[s->manifold.chosen[k]]) {
      memset(row, 0, (size_t)s->n * sizeof *row);
    }
  }
}

double sb_search_largest(const double a[], int count, int stride) {
  double most = 0;
  for (int i = 0; i < count; i++) {
    most = fmax(most, fabs(a[i * stride]));
  }
  return most > 0 ? most : 1;
}

/** Columns of A, and then rows of A and the rates, by their largest entry. */
static void scale_system(sb_search *s, const double A[], const double rate[], int n) {
  for (int j = 0; j < n; j++) {
    s->scale[j] = 1 / sb_search_largest(A + j, n, n);
  }
  for (int i = 0; i < n; i++) {
    double *row = s->system + i * (n + 1);
    for (int j = 0; j < n; j++) {
      row[j] = A[i * n + j] * s->scale[j];
    }
    s->size[i] = sb_search_largest(row, n, 1);
    row[n] = rate[i];
    for (int j = 0; j <= n; j++) {
      row[j] /= s->size[i];
    }
  }
}

/** Appends rows to the scaled system of rank `rank`: N dz = N (z0 - z) for the left null vectors, N A = 0. What they combine keeps its
 *  value along every motion near here: an angle and the turn of the spring beside it remain as far apart as they were at the start.
 *  @return how many there are */
static int append_conserved(sb_search *s, int n, int rank) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      s->left[j * (n + 1) + i] = s->system[i * (n + 1) + j];
    }
    s->left[i * (n + 1) + n] = 0;
  }
  int count = 0;
  const bool same = sb_eliminate(s->left, n, n + 1, n, unseen, s->column) == rank;
  for (int free = 0; same && free < n; free++) {
    double *row = s->system + (n + count) * (n + 1);
    bool solved = false;
    memset(row, 0, (size_t)(n + 1) * sizeof *row);
    row[free] = 1;
    for (int r = 0; r < rank; r++) {
      solved = solved || s->column[r] == free;
      row[s->column[r]] = -s->left[r * (n + 1) + free];
    }
    for (int j = 0; j < n; j++) { // of A itself, and of the scaled step
      const int state = s->manifold.chosen[j];
      row[n] -= row[j] / s->size[j] * (s->start[state] - s->l->x[state]);
      row[j] *= s->scale[j] / s->size[j];
    }
    const double most = sb_search_largest(row, n, 1);
    for (int j = 0; j <= n; j++) {
      row[j] /= most;
    }
    count += !solved;
  }
  return count;
}

void sb_search_step(sb_search *s, const double A[], const double rate[], int n) {
  scale_system(s, A, rate, n);
  int rank = sb_eliminate(s->system, n, n + 1, n, unseen, s->column);
  if (rank < n) {
    scale_system(s, A, rate, n);
    const int more = append_conserved(s, n, rank);
    rank = sb_eliminate(s->system, n + more, n + 1, n, unseen, s->column);
    if (rank < n) {
      scale_system(s, A, rate, n);
      rank = sb_eliminate(s->system, n, n + 1, n, unseen, s->column);
    }
  }
  memset(s->step, 0, (size_t)n * sizeof *s->step);
  for (int r = 0; r < rank; r++) {
    int j = s->column[r];
    s->step[j] = -s->system[r * (n + 1) + n] * s->scale[j];
  }
}
