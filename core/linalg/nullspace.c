// SPDX-License-Identifier: GPL-3.0-or-later
// Sparse Gaussian elimination: the shortest row is solved for its rarest variable (Markowitz 1957), which
// is replaced wherever it stands. What was never solved for is free; each free variable makes a vector.
#include "core/linalg/nullspace.h"

#include <math.h>

enum { LENGTHS = 32 };
/** A pivot is at least this fraction of the largest coefficient of its row. */
static const double pivot_fraction = 0.01;

typedef struct list {
  int *items;
  int count, capacity;
} list;

typedef struct row {
  sb_extended_term *terms;
  int count, capacity;
  int pivot; // variable that it was solved for
  bool done;
} row;

typedef struct elimination {
  sb_arena *memory;
  row *rows;
  list *columns; // of every variable the rows that have, or have had, a term in it
  int var_count;
  list queue[LENGTHS]; // rows by their length; those whose length has changed since are passed over
  const char *late;
  int *slot;   // (vars) place in the row at hand, from 1
  int *solver; // (vars) row that was solved for it, from 1; 0: it is free
  int *order;  // (rows) rows in the order in which they were solved
  int solved;
  double rounding;
  long work, work_max;
} elimination;

static void append(elimination *e, list *l, int item) {
  (void)sb_arena_append(e->memory, &l->items, &l->count, &l->capacity, sizeof item, &item);
}

static list *queue_of(elimination *e, const row *at) {
  return &e->queue[at->count < LENGTHS ? at->count : LENGTHS - 1];
}

/** The shortest row, the latest of them; -1: all are done. */
static int next_row(elimination *e) {
  for (int length = 0; length < LENGTHS; length++) {
    list *l = &e->queue[length];
    while (l->count > 0) {
      int r = l->items[--l->count];
      if (!e->rows[r].done && queue_of(e, &e->rows[r]) == l) {
        return r;
      }
    }
  }
  return -1;
}

/** a += b; what is rounding beside both is zero. */
static void add(sb_extended_term *a, sb_extended b, double size, double rounding) {
  const sb_extended sum = a->factor + b, both = sb_extended_abs(a->factor) + sb_extended_abs(b);
  a->factor = sb_extended_abs(sum) <= rounding * both ? 0 : sum;
  a->size = fmax(fmax(a->size, size), (double)both);
}

static void enter_row(elimination *e, const row *at) {
  for (int i = 0; i < at->count; i++) {
    e->slot[at->terms[i].var] = i + 1;
  }
}

/** Adds to the row that was entered. */
static void add_term(elimination *e, int r, int var, sb_extended factor, double size) {
  row *at = &e->rows[r];
  int slot = e->slot[var];
  if (slot > 0) {
    add(&at->terms[slot - 1], factor, size, e->rounding);
    return;
  }
  append(e, &e->columns[var], r);
  const sb_extended_term term = {var, factor, size};
  if (sb_arena_append(e->memory, &at->terms, &at->count, &at->capacity, sizeof term, &term)) {
    e->slot[var] = at->count;
  }
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

static sb_extended_term pivot_of(const row *at) {
  sb_extended_term pivot = {at->pivot, 1, 1};
  for (int i = 0; i < at->count; i++) {
    pivot = at->terms[i].var == at->pivot ? at->terms[i] : pivot;
  }
  return pivot;
}

/** a/b, and the size of what it comes from, as of both. */
static sb_extended_term quotient(sb_extended_term a, sb_extended_term b) {
  const sb_extended factor = a.factor / b.factor;
  const double size = fabs((double)factor);
  const double relative = fabs((double)b.factor);
  return (sb_extended_term){a.var, factor, fmax(a.size, size * b.size) / relative};
}

/** Takes a variable out of the row that was entered by the row that was solved for it. */
static void subtract(elimination *e, int r, const row *by) {
  const int slot = e->slot[by->pivot];
  sb_extended_term weight = {0};
  if (slot > 0) {
    weight = quotient(e->rows[r].terms[slot - 1], pivot_of(by));
    e->rows[r].terms[slot - 1].factor = 0;
  }
  for (int i = 0; i < by->count && weight.factor != 0; i++) {
    const sb_extended_term *term = &by->terms[i];
    if (term->var != by->pivot) {
      add_term(
          e, r, term->var, -weight.factor * term->factor,
          fmax(fabs((double)weight.factor) * term->size, weight.size * fabs((double)term->factor)));
    }
  }
  e->work += by->count;
}

static int choose_pivot(const elimination *e, const row *at) {
  double largest = 0;
  int best = -1;
  for (int i = 0; i < at->count; i++) {
    largest = fmax(largest, fabs((double)at->terms[i].factor));
  }
  for (int i = 0; i < at->count; i++) {
    int var = at->terms[i].var;
    if (fabs((double)at->terms[i].factor) < pivot_fraction * largest) {
      continue;
    }
    bool better = best < 0 || e->late[var] < e->late[best] ||
                  (e->late[var] == e->late[best] && e->columns[var].count < e->columns[best].count);
    best = better ? var : best;
  }
  return best;
}

static bool may_go_on(const elimination *e) {
  return !e->memory->failed && e->work <= e->work_max;
}

/** Solves each row for one variable, and replaces that in all rows that are left. */
static void eliminate(elimination *e) {
  for (int r = next_row(e); r >= 0 && may_go_on(e); r = next_row(e)) {
    row *by = &e->rows[r];
    by->done = true;
    if (by->count == 0) {
      continue;
    }
    by->pivot = choose_pivot(e, by);
    e->solver[by->pivot] = r + 1;
    e->order[e->solved++] = r;
    list *column = &e->columns[by->pivot];
    for (int i = 0; i < column->count; i++) {
      row *other = &e->rows[column->items[i]];
      if (!other->done) {
        e->work += other->count;
        enter_row(e, other);
        subtract(e, column->items[i], by);
        leave_row(e, other);
        append(e, queue_of(e, other), column->items[i]);
      }
    }
    column->count = 0;
  }
}

/** Replaces in each row, the last first, what later ones were solved for, so that free variables alone
 *  are left beside its own. */
static void substitute(elimination *e) {
  for (int k = e->solved - 1; k >= 0 && may_go_on(e); k--) {
    row *at = &e->rows[e->order[k]];
    enter_row(e, at);
    for (int i = 0; i < at->count; i++) {
      int var = at->terms[i].var;
      if (var != at->pivot && e->solver[var] > 0) {
        subtract(e, e->order[k], &e->rows[e->solver[var] - 1]);
      }
    }
    leave_row(e, at);
  }
}

/** The vector of each free variable: 1 for itself, and what it counts in the rows. */
static void collect(const elimination *e, sb_nullspace *result) {
  int total = 0, *number = e->slot; // of a free variable
  for (int v = 0; v < e->var_count; v++) {
    number[v] = result->count;
    result->count += e->solver[v] == 0;
    total += e->solver[v] == 0 ? 1 : e->rows[e->solver[v] - 1].count - 1;
  }
  result->terms = sb_arena_zeroed(e->memory, total, sizeof(sb_extended_term));
  result->first = sb_arena_zeroed(e->memory, result->count + 2, sizeof(int));
  for (int pass = 0; pass < 2 && !e->memory->failed;
       pass++) { // counts, then fills: first[k + 1] moves on
    for (int v = 0; v < e->var_count; v++) {
      sb_extended_term self = {v, -1, 1};
      const row itself = {.terms = &self, .count = 1, .pivot = -1};
      const row *at = e->solver[v] == 0 ? &itself : &e->rows[e->solver[v] - 1];
      const sb_extended_term pivot = pivot_of(at);
      for (int i = 0; i < at->count; i++) {
        int *next = &result->first[number[at->terms[i].var] + 1];
        if (at->terms[i].var != at->pivot && pass == 0) {
          next[1]++;
        } else if (at->terms[i].var != at->pivot) {
          sb_extended_term *to = &result->terms[(*next)++];
          *to = quotient(at->terms[i], pivot);
          to->var = v;
          to->factor = -to->factor;
        }
      }
    }
    for (int k = 0; pass == 0 && k < result->count; k++) {
      result->first[k + 2] += result->first[k + 1];
    }
  }
}

sb_status sb_nullspace_find(const sb_term terms[], const int first[], int rows, int vars,
                            const char late[], double rounding, sb_arena *memory,
                            sb_nullspace *result) {
  elimination e = {.memory = memory,
                   .rows = sb_arena_zeroed(memory, rows, sizeof(row)),
                   .columns = sb_arena_zeroed(memory, vars, sizeof(list)),
                   .slot = sb_arena_zeroed(memory, vars, sizeof(int)),
                   .solver = sb_arena_zeroed(memory, vars, sizeof(int)),
                   .order = sb_arena_zeroed(memory, rows, sizeof(int)),
                   .var_count = vars,
                   .late = late,
                   .rounding = rounding,
                   .work_max = SB_NULLSPACE_WORK_LEAST + (long)SB_NULLSPACE_WORK * vars};
  *result = (sb_nullspace){0};
  for (int r = 0; r < rows && !memory->failed; r++) {
    for (int i = first[r]; i < first[r + 1]; i++) {
      add_term(&e, r, terms[i].var, terms[i].factor, fabs(terms[i].factor));
    }
    leave_row(&e, &e.rows[r]);
    append(&e, queue_of(&e, &e.rows[r]), r);
  }
  eliminate(&e);
  substitute(&e);
  if (may_go_on(&e)) {
    collect(&e, result);
  }
  return memory->failed ? SB_ERR_MEMORY : e.work <= e.work_max ? SB_OK : SB_ERR_LIMIT;
}
