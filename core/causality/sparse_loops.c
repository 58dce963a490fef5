// SPDX-License-Identifier: GPL-3.0-or-later
// Linear algebraic loops of many unknowns, solved row by row: each unknown as a sum of what is known and of unknowns that are eliminated
// after it, by sparse Gaussian elimination (Duff, Erisman and Reid, "Direct Methods for Sparse Matrices", 2017, chapter 5). Along
// a ladder of resistors these sums are the stages' ratios, all of about one size, where the effect of a source on what is far from it,
// 0.4^70, is less than a rounding of what acts near it, and cannot be told from one in the solution by the knowns alone (linear_loops.c).
#include <math.h>

#include "core/causality/assign_private.h"

/** Entries of all rows at the most. */
enum { ENTRIES_MAX = 4000000 };
/** Passes of the scaling at the most. */
enum { PASSES = 60 };
/** An entry below this fraction of what it is the sum of is the rest of terms that cancel. A bound of all that rounding has made of it, on
 *  the way from the ends of a chain, would grow with each stage: what several entries have in common it counts for each. */
static const double residue = 1e-12;
/** A pivot below this fraction of what it is the sum of has lost digits. */
static const double sound = 1e-4;

typedef struct entry {
  int var;
  double factor, size; // size: the largest that it is the sum of
} entry;

typedef struct line {
  entry *entries;
  int count, capacity, unknowns;
  double power; // binary exponent by which it is scaled
  int pivot;    // the unknown that it gives; -1: none
} line;

typedef struct column {
  int *lines; // those that contain the unknown, and some that did
  int count, capacity;
  double power;
} column;

typedef struct system {
  sb_arena memory;
  const sb_loop_set *set;
  line *lines;     // (set's rows)
  column *columns; // (set's unknowns)
  int *at;         // (all variables) place in the line at hand, from 1
  int entries;
} system;

/** The column of an unknown; NULL: the variable is known. */
static column *column_of(const system *s, int var) {
  const int place = s->set->place[var];
  return place > 0 ? &s->columns[place - 1] : NULL;
}

/** Appends an entry to a line, which does not have that variable. */
static void append(system *s, int at, entry e) {
  line *l = &s->lines[at];
  column *c = column_of(s, e.var);
  sb_arena_append(&s->memory, &l->entries, &l->count, &l->capacity, sizeof e, &e);
  if (c != NULL) {
    l->unknowns++;
    sb_arena_append(&s->memory, &c->lines, &c->count, &c->capacity, sizeof at, &at);
  }
  s->entries++;
}

/** Notes where the variables of a line are, or forgets it. */
static void mark(system *s, const line *l, bool present) {
  for (int i = 0; i < l->count; i++) {
    s->at[l->entries[i].var] = present ? i + 1 : 0;
  }
}

static void fill(const sb_assign *a, system *s) {
  for (int r = 0; r < s->set->row_count && !s->memory.failed; r++) {
    const int row = s->set->rows[r];
    line *l = &s->lines[r];
    l->pivot = -1;
    for (int k = a->eq.first[row]; k < a->eq.first[row + 1]; k++) {
      const sb_term term = a->eq.terms[k];
      const int at = s->at[term.var];
      if (at == 0) {
        append(s, r, (entry){term.var, term.factor, fabs(term.factor)});
        s->at[term.var] = l->count;
      } else {
        l->entries[at - 1].factor += term.factor;
        l->entries[at - 1].size = fmax(l->entries[at - 1].size, fabs(term.factor));
      }
    }
    mark(s, l, false);
  }
}

static double exponent_of(double factor) {
  int exponent = 1;
  (void)frexp(factor, &exponent);
  return exponent - 1;
}

/** Lets the entries of rows and unknowns be 1 in the geometric mean, as efforts and flows have units (core/linalg/equilibrate.c).
 *  @param sums, counts  (set's unknowns) scratch */
static void scale(system *s, double sums[], int counts[]) {
  double change = 1;
  for (int pass = 0; change > 0.25 && pass < PASSES; pass++) {
    change = 0;
    for (int j = 0; j < s->set->var_count; j++) {
      sums[j] = counts[j] = 0;
    }
    for (int r = 0; r < s->set->row_count; r++) {
      line *l = &s->lines[r];
      double sum = 0;
      for (int i = 0; i < l->count; i++) {
        const column *c = column_of(s, l->entries[i].var);
        sum += c != NULL ? exponent_of(l->entries[i].factor) + c->power : 0;
      }
      l->power = l->unknowns > 0 ? -sum / l->unknowns : 0;
      for (int i = 0; i < l->count; i++) {
        const int j = s->set->place[l->entries[i].var] - 1;
        if (j >= 0) {
          sums[j] += exponent_of(l->entries[i].factor) + l->power;
          counts[j]++;
        }
      }
    }
    for (int j = 0; j < s->set->var_count; j++) {
      const double power = counts[j] > 0 ? -sums[j] / counts[j] : 0;
      change = fmax(change, fabs(power - s->columns[j].power));
      s->columns[j].power = power;
    }
  }
}

/** The largest unknown of a line by the scaled entries, if it has its digits. @return its place; -1: there is none */
static int pivot_of(const system *s, const line *l) {
  double largest = 0;
  int best = -1;
  for (int i = 0; i < l->count; i++) {
    const entry *e = &l->entries[i];
    const column *c = column_of(s, e->var);
    const double size = c != NULL ? fabs(e->factor) * exp2(rint(c->power)) : 0;
    if (size > largest && fabs(e->factor) > sound * e->size) {
      largest = size;
      best = i;
    }
  }
  return best;
}

/** The line with the fewest unknowns that gives one of them: from the ends of a chain on, so that little is filled in.
 *  @return -1: none does */
static int next_line(const system *s, int *pivot) {
  int chosen = -1;
  for (int r = 0; r < s->set->row_count; r++) {
    const line *l = &s->lines[r];
    if (l->pivot < 0 && l->unknowns > 0 &&
        (chosen < 0 || l->unknowns < s->lines[chosen].unknowns)) {
      const int found = pivot_of(s, l);
      chosen = found >= 0 ? r : chosen;
      *pivot = found >= 0 ? found : *pivot;
    }
  }
  return chosen;
}

/** Divides a line by an entry, which is 1 then. */
static void normalize(line *l, int pivot) {
  const double by = l->entries[pivot].factor;
  for (int i = 0; i < l->count; i++) {
    l->entries[i].factor /= by;
  }
  l->pivot = l->entries[pivot].var;
}

/** Takes an entry out of a line. */
static void drop(system *s, line *l, int i) {
  l->unknowns -= column_of(s, l->entries[i].var) != NULL;
  l->entries[i] = l->entries[--l->count];
  s->entries--;
}

/** Takes the unknown that a line gives out of another one. */
static void substitute(system *s, const line *from, int to) {
  line *l = &s->lines[to];
  mark(s, l, true);
  const int at = s->at[from->pivot] - 1;
  if (at >= 0) {
    const double by = l->entries[at].factor;
    for (int i = 0; i < from->count; i++) {
      const int var = from->entries[i].var, own = s->at[var];
      const double product = by * from->entries[i].factor;
      if (own > 0) {
        l->entries[own - 1].factor -= product;
        l->entries[own - 1].size = fmax(l->entries[own - 1].size, fabs(product));
      } else {
        append(s, to, (entry){var, -product, fabs(product)});
      }
    }
  }
  mark(s, l, false);
  for (int i = l->count - 1; at >= 0 && i >= 0; i--) {
    if (l->entries[i].var == from->pivot ||
        fabs(l->entries[i].factor) <= residue * l->entries[i].size) {
      drop(s, l, i);
    }
  }
}

/** @param order  (set's unknowns) out: the lines that give one, as they were eliminated */
static sb_status eliminate(system *s, int order[]) {
  for (int k = 0; k < s->set->var_count; k++) {
    int pivot = -1;
    const int chosen = next_line(s, &pivot);
    if (chosen < 0) {
      return SB_ERR_SINGULAR;
    }
    order[k] = chosen;
    normalize(&s->lines[chosen], pivot);
    const column *c = column_of(s, s->lines[chosen].pivot);
    for (int i = 0; i < c->count && !s->memory.failed; i++) {
      if (s->lines[c->lines[i]].pivot < 0) {
        substitute(s, &s->lines[chosen], c->lines[i]);
      }
    }
    if (s->memory.failed) {
      return SB_ERR_MEMORY;
    }
    if (s->entries > ENTRIES_MAX) {
      return SB_ERR_LIMIT;
    }
  }
  return SB_OK;
}

/** Writes the unknowns, the last one first: what it depends on is known then. The rows that gave none are left to the check for
 *  conflicts; the others hold, even where what arrives at the end of a long chain is below 1e-308. */
static void store(sb_assign *a, const system *s, const int order[]) {
  for (int k = s->set->var_count - 1; k >= 0; k--) {
    const line *l = &s->lines[order[k]];
    a->result->first[l->pivot] = a->result->term_count;
    for (int i = 0; i < l->count; i++) {
      if (l->entries[i].var != l->pivot) {
        sb_assign_term(a, l->entries[i].var, -l->entries[i].factor);
      }
    }
    a->result->count[l->pivot] = a->result->term_count - a->result->first[l->pivot];
    a->done[s->set->rows[order[k]]] = 1;
    sb_assign_known(a, l->pivot);
  }
  a->result->loop_count++;
}

sb_status sb_loop_solve_sparse(sb_assign *a, const sb_loop_set *set) {
  const int all = sb_value_var(a->network, sb_fixed_values(a->network, a->result));
  system s = {.set = set};
  s.lines = sb_arena_zeroed(&s.memory, set->row_count, sizeof(line));
  s.columns = sb_arena_zeroed(&s.memory, set->var_count, sizeof(column));
  s.at = sb_arena_zeroed(&s.memory, all, sizeof(int));
  int *order = sb_arena_zeroed(&s.memory, set->var_count, sizeof(int));
  double *sums = sb_arena_zeroed(&s.memory, set->var_count, sizeof(double));
  sb_status status = s.memory.failed ? SB_ERR_MEMORY : SB_OK;
  if (status == SB_OK) {
    fill(a, &s);
    scale(&s, sums, order);
    status = s.memory.failed ? SB_ERR_MEMORY : eliminate(&s, order);
  }
  if (status == SB_OK) {
    store(a, &s, order);
  }
  sb_arena_finish(&s.memory);
  return status;
}
