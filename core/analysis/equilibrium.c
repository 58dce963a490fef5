// SPDX-License-Identifier: GPL-3.0-or-later
// The search for an equilibrium, xdot = 0.
#include <math.h>
#include <string.h>

#include "core/analysis/linear_private.h"
#include "core/linalg/dense.h"
#include "core/linalg/numbers.h"

enum { NEWTON_MAX = 60, HALVINGS_MAX = 30 };
/** A pivot of the scaled A below this fraction of the largest is zero. */
static const double unseen = 1e-10;

/** What the iteration works with. */
typedef struct search {
  double *rows;   // (the operating point's rows)
  double *system; // (states x (states + 1)) A and the rates, scaled
  double *step;   // (states) Newton step
  double *scale;  // (states) of A's columns
  double *weight; // (states) of the rates: against what a unit of every state would make of each
  int *column;    // (states) state that each row of the system was solved for
} search;

/** The largest of some entries, `stride` apart; 1 if all are zero. */
static double largest(const double a[], int count, int stride) {
  double most = 0;
  for (int i = 0; i < count; i++) {
    most = fmax(most, fabs(a[i * stride]));
  }
  return most > 0 ? most : 1;
}

/** Columns of A, and then rows of A and the rates, by their largest entry. */
static void scale_system(search *s, const double A[], const double rate[], int n) {
  for (int j = 0; j < n; j++) {
    s->scale[j] = 1 / largest(A + j, n, n);
  }
  for (int i = 0; i < n; i++) {
    double *row = s->system + i * (n + 1);
    for (int j = 0; j < n; j++) {
      row[j] = A[i * n + j] * s->scale[j];
    }
    double size = largest(row, n, 1);
    row[n] = rate[i];
    for (int j = 0; j <= n; j++) {
      row[j] /= size;
    }
  }
}

/** Solves A step = -rate; directions that A does not see stay where they are. */
static void find_step(search *s, const double A[], const double rate[], int n) {
  scale_system(s, A, rate, n);
  int rank = sb_eliminate(s->system, n, n + 1, n, unseen, s->column);
  memset(s->step, 0, (size_t)n * sizeof *s->step);
  for (int r = 0; r < rank; r++) {
    int j = s->column[r];
    s->step[j] = -s->system[r * (n + 1) + n] * s->scale[j];
  }
}

static double rate_size(const double rate[], const double weight[], int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    sum += rate[i] * weight[i] * rate[i] * weight[i];
  }
  return sqrt(sum);
}

/** Size of the rates after as much of the step as makes them smaller; p->x is there. */
static double descend(sb_operating_point *p, const double x[], search *s, double before) {
  double after = HUGE_VAL, fraction = 1;
  for (int halving = 0; halving < HALVINGS_MAX && !(after < before); halving++, fraction *= 0.5) {
    for (int i = 0; i < p->states; i++) {
      p->x[i] = x[i] + fraction * s->step[i];
    }
    after = sb_operating_point_evaluate(p, s->rows) ? rate_size(s->rows, s->weight, p->states)
                                                    : HUGE_VAL;
  }
  return after;
}

/** Newton's iteration, damped. */
static sb_status iterate(sb_operating_point *p, sb_linear *l, search *s, bool *found,
                         sb_error *err) {
  int n = l->states;
  for (int k = 0; !*found && k < NEWTON_MAX; k++) {
    SB_TRY(sb_operating_point_differentiate(p, l, NULL, l->exact, err));
    memcpy(p->x, l->x, (size_t)n * sizeof(double));
    if (!sb_operating_point_evaluate(p, s->rows)) {
      break;
    }
    for (int i = 0; i < n; i++) {
      s->weight[i] = 1 / largest(l->A + i * n, n, 1);
    }
    double before = rate_size(s->rows, s->weight, n);
    find_step(s, l->A, s->rows, n);
    double after = descend(p, l->x, s, before);
    double size = sb_largest(l->x, n);
    bool nearer = after < before;
    // the residual left: rounding of the states, and nothing that a further step would take away
    *found = after <= 1e-12 * (1 + size) || (!nearer && before <= 1e-9 * (1 + size));
    if (!nearer) {
      break;
    }
    memcpy(l->x, p->x, (size_t)n * sizeof(double));
  }
  return SB_OK;
}

sb_status sb_operating_point_settle(sb_operating_point *p, sb_linear *l, sb_error *err) {
  int n = p->states;
  sb_arena memory = {0};
  search s = {.rows = sb_arena_zeroed(&memory, p->rows, sizeof(double)),
              .system = sb_arena_zeroed(&memory, n * (n + 1), sizeof(double)),
              .step = sb_arena_zeroed(&memory, n, sizeof(double)),
              .scale = sb_arena_zeroed(&memory, n, sizeof(double)),
              .weight = sb_arena_zeroed(&memory, n, sizeof(double)),
              .column = sb_arena_zeroed(&memory, n, sizeof(int))};
  bool found = false;
  sb_status status =
      memory.failed ? sb_fail(err, SB_ERR_MEMORY, "out of memory") : iterate(p, l, &s, &found, err);
  sb_arena_finish(&memory);
  if (status == SB_OK && !found) {
    status = sb_fail(err, SB_ERR_SOLVER, "no equilibrium of '%s' was found near its state at %s s",
                     p->network.name, sb_number_word(p->t).text);
    sb_error_hint(err, "start nearer to it, as by a later time");
  }
  return status;
}
