// SPDX-License-Identifier: GPL-3.0-or-later
// Sparse elimination: the shortest row is solved for its rarest variable (Markowitz 1957), which is
// replaced wherever it stands. What was never solved for is free; each free variable makes a vector.
#include "core/linalg/nullspace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"

enum { BUCKETS = 32 };
/** A coefficient below this part of what it is the difference of is rounding. */
static const double rounding = 1e-12;
/** A pivot is at least this part of the largest coefficient of its row. */
static const double pivot_part = 0.01;

typedef struct row {
  sb_term *terms;
  int count, capacity;
  int next, previous; // in its bucket; -1: none
  int bucket;         // -1: done
  int pivot;          // variable that it was solved for, -1: none
} row;

typedef struct column {
  int *rows; // that have, or have had, a term in the variable
  int count, capacity;
} column;

typedef struct elimination {
  row *rows;
  column *columns;
  int row_count, var_count;
  int heads[BUCKETS];
  const char *late;
  int *slot;  // (vars) place in the row at hand, from 1
  int *order; // (rows) rows in the order in which they were solved
  int solved;
  row *made; // (vars) every variable as a combination of the free ones, by their numbers
  long work, work_max;
} elimination;

static void unlink_row(elimination *e, int r) {
  row *at = &e->rows[r];
  if (at->bucket < 0) {
    return;
  }
  if (at->previous >= 0) {
    e->rows[at->previous].next = at->next;
  } else {
    e->heads[at->bucket] = at->next;
  }
  if (at->next >= 0) {
    e->rows[at->next].previous = at->previous;
  }
  at->bucket = -1;
}

static void link_row(elimination *e, int r) {
  row *at = &e->rows[r];
  at->bucket = at->count < BUCKETS ? at->count : BUCKETS - 1;
  at->previous = -1;
  at->next = e->heads[at->bucket];
  if (at->next >= 0) {
    e->rows[at->next].previous = r;
  }
  e->heads[at->bucket] = r;
}

static bool add_term(elimination *e, int r, int var, double factor) {
  row *at = &e->rows[r];
  column *c = &e->columns[var];
  sb_term term = {var, factor};
  return sb_append(&at->terms, &at->count, &at->capacity, sizeof term, &term) &&
         sb_append(&c->rows, &c->count, &c->capacity, sizeof r, &r);
}

/** Forgets the slots of a row, and drops what has become zero. */
static void leave_row(elimination *e, row *at) {
  int kept = 0;
  for (int i = 0; i < at->count; i++) {
    e->slot[at->terms[i].var] = 0;
    if (at->terms[i].factor != 0) {
      at->terms[kept++] = at->terms[i];
    }
  }
  at->count = kept;
}

/** Copies a row, equal variables together. */
static bool load_row(elimination *e, int r, const sb_term terms[], int count) {
  row *at = &e->rows[r];
  for (int i = 0; i < count; i++) {
    int slot = e->slot[terms[i].var];
    if (slot > 0) {
      at->terms[slot - 1].factor += terms[i].factor;
    } else if (!add_term(e, r, terms[i].var, terms[i].factor)) {
      return false;
    } else {
      e->slot[terms[i].var] = at->count;
    }
  }
  leave_row(e, at);
  link_row(e, r);
  return true;
}

static int choose_pivot(const elimination *e, const row *at) {
  double largest = 0;
  int best = -1;
  for (int i = 0; i < at->count; i++) {
    largest = fmax(largest, fabs(at->terms[i].factor));
  }
  for (int i = 0; i < at->count; i++) {
    int var = at->terms[i].var, than = best < 0 ? -1 : at->terms[best].var;
    if (fabs(at->terms[i].factor) < pivot_part * largest) {
      continue;
    }
    bool better = than < 0 || e->late[var] < e->late[than] ||
                  (e->late[var] == e->late[than] && e->columns[var].count < e->columns[than].count);
    best = better ? i : best;
  }
  return best;
}

/** What is rounding beside both is zero. */
static double add(double a, double b) {
  double sum = a + b;
  return fabs(sum) <= rounding * (fabs(a) + fabs(b)) ? 0 : sum;
}

/** Takes a variable out of a row by the row that was solved for it. */
static bool subtract(elimination *e, int r, const row *by, double pivot) {
  row *at = &e->rows[r];
  double weight = 0;
  for (int i = 0; i < at->count; i++) {
    e->slot[at->terms[i].var] = i + 1;
    weight = at->terms[i].var == by->pivot ? at->terms[i].factor : weight;
  }
  bool ok = true;
  int before = at->count;
  for (int i = 0; ok && weight != 0 && i < by->count; i++) {
    double change = -weight / pivot * by->terms[i].factor;
    int slot = e->slot[by->terms[i].var];
    if (slot == 0) {
      ok = add_term(e, r, by->terms[i].var, change);
      continue;
    }
    sb_term *term = &at->terms[slot - 1];
    term->factor = by->terms[i].var == by->pivot ? 0 : add(term->factor, change);
  }
  leave_row(e, at);
  e->work += before + by->count;
  return ok;
}

static sb_status eliminate(elimination *e) {
  for (;;) {
    int length = 0;
    while (length < BUCKETS && e->heads[length] < 0) {
      length++;
    }
    if (length == BUCKETS) {
      return SB_OK;
    }
    int r = e->heads[length];
    row *by = &e->rows[r];
    unlink_row(e, r);
    if (by->count == 0) {
      continue;
    }
    int k = choose_pivot(e, by);
    double pivot = by->terms[k].factor;
    by->pivot = by->terms[k].var;
    e->order[e->solved++] = r;
    column *c = &e->columns[by->pivot];
    for (int i = 0; i < c->count; i++) {
      int other = c->rows[i];
      if (e->rows[other].bucket < 0) {
        continue;
      }
      unlink_row(e, other);
      if (!subtract(e, other, by, pivot)) {
        return SB_ERR_MEMORY;
      }
      link_row(e, other);
    }
    c->count = 0;
    if (e->work > e->work_max) {
      return SB_ERR_LIMIT;
    }
  }
}

/** Every variable that was not solved for is free: the combination of itself. */
static bool number_free(elimination *e, sb_nullspace *result) {
  char *solved = sb_zeroed(e->var_count, sizeof(char));
  bool ok = solved != NULL;
  for (int k = 0; ok && k < e->solved; k++) {
    solved[e->rows[e->order[k]].pivot] = 1;
  }
  for (int v = 0; ok && v < e->var_count; v++) {
    row *at = &e->made[v];
    sb_term self = {result->count, 1};
    if (!solved[v]) {
      result->count++;
      ok = sb_append(&at->terms, &at->count, &at->capacity, sizeof self, &self);
    }
  }
  free(solved);
  return ok;
}

/** Adds `weight` times the combination of a variable to that of another. */
static bool add_combination(elimination *e, row *sum, double weight, const row *from) {
  for (int j = 0; j < from->count; j++) {
    sb_term term = {from->terms[j].var, weight * from->terms[j].factor};
    int slot = e->slot[term.var];
    if (slot > 0) {
      sum->terms[slot - 1].factor = add(sum->terms[slot - 1].factor, term.factor);
    } else if (sb_append(&sum->terms, &sum->count, &sum->capacity, sizeof term, &term)) {
      e->slot[term.var] = sum->count;
    } else {
      return false;
    }
  }
  return true;
}

/** The variable that a row was solved for, from those of its others. */
static bool substitute(elimination *e, const row *by) {
  row *sum = &e->made[by->pivot];
  double pivot = 1;
  bool ok = true;
  for (int i = 0; i < by->count; i++) {
    pivot = by->terms[i].var == by->pivot ? by->terms[i].factor : pivot;
  }
  for (int i = 0; ok && i < by->count; i++) {
    const row *from = &e->made[by->terms[i].var];
    e->work += from->count;
    ok = by->terms[i].var == by->pivot ||
         add_combination(e, sum, -by->terms[i].factor / pivot, from);
  }
  leave_row(e, sum);
  return ok;
}

/** The combinations by free variable. */
static bool transpose(const elimination *e, sb_nullspace *result) {
  int total = 0, *next = sb_zeroed(result->count, sizeof *next);
  result->first = sb_zeroed(result->count + 1, sizeof(int));
  bool ok = next != NULL && result->first != NULL;
  for (int v = 0; ok && v < e->var_count; v++) {
    for (int i = 0; i < e->made[v].count; i++) {
      result->first[e->made[v].terms[i].var + 1]++;
      total++;
    }
  }
  result->terms = sb_zeroed(total, sizeof(sb_term));
  ok = ok && result->terms != NULL;
  for (int k = 0; ok && k < result->count; k++) {
    result->first[k + 1] += result->first[k];
    next[k] = result->first[k];
  }
  for (int v = 0; ok && v < e->var_count; v++) {
    for (int i = 0; i < e->made[v].count; i++) {
      const sb_term *term = &e->made[v].terms[i];
      result->terms[next[term->var]++] = (sb_term){v, term->factor};
    }
  }
  free(next);
  return ok;
}

/** Substitutes backwards, the last solved first. */
static sb_status collect(elimination *e, sb_nullspace *result) {
  if (!number_free(e, result)) {
    return SB_ERR_MEMORY;
  }
  for (int k = e->solved - 1; k >= 0; k--) {
    if (!substitute(e, &e->rows[e->order[k]])) {
      return SB_ERR_MEMORY;
    }
    if (e->work > e->work_max) {
      return SB_ERR_LIMIT;
    }
  }
  return transpose(e, result) ? SB_OK : SB_ERR_MEMORY;
}

static void elimination_finish(elimination *e) {
  for (int r = 0; e->rows != NULL && r < e->row_count; r++) {
    free(e->rows[r].terms);
  }
  for (int v = 0; e->columns != NULL && v < e->var_count; v++) {
    free(e->columns[v].rows);
  }
  for (int v = 0; e->made != NULL && v < e->var_count; v++) {
    free(e->made[v].terms);
  }
  free(e->made);
  free(e->rows);
  free(e->columns);
  free(e->slot);
  free(e->order);
}

sb_status sb_nullspace_find(const sb_term terms[], const int first[], int rows, int vars,
                            const char late[], sb_nullspace *result) {
  elimination e = {.rows = sb_zeroed(rows, sizeof(row)),
                   .columns = sb_zeroed(vars, sizeof(column)),
                   .row_count = rows,
                   .var_count = vars,
                   .late = late,
                   .slot = sb_zeroed(vars, sizeof(int)),
                   .order = sb_zeroed(rows, sizeof(int)),
                   .made = sb_zeroed(vars, sizeof(row)),
                   .work_max = SB_NULLSPACE_WORK_LEAST + (long)SB_NULLSPACE_WORK * vars};
  *result = (sb_nullspace){0};
  sb_status status = SB_ERR_MEMORY;
  if (e.rows != NULL && e.columns != NULL && e.slot != NULL && e.order != NULL && e.made != NULL) {
    status = SB_OK;
    for (int k = 0; k < BUCKETS; k++) {
      e.heads[k] = -1;
    }
    for (int r = 0; r < rows; r++) {
      e.rows[r].bucket = e.rows[r].pivot = -1;
    }
    for (int r = 0; status == SB_OK && r < rows; r++) {
      status = load_row(&e, r, terms + first[r], first[r + 1] - first[r]) ? SB_OK : SB_ERR_MEMORY;
    }
  }
  status = status == SB_OK ? eliminate(&e) : status;
  status = status == SB_OK ? collect(&e, result) : status;
  elimination_finish(&e);
  if (status != SB_OK) {
    sb_nullspace_finish(result);
  }
  return status;
}

void sb_nullspace_finish(sb_nullspace *space) {
  free(space->terms);
  free(space->first);
  *space = (sb_nullspace){0};
}
