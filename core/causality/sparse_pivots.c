// SPDX-License-Identifier: GPL-3.0-or-later
// Which unknown is eliminated next, and by which row, where linear algebraic loops are solved row by row (sparse_loops.c).
// Rounding grows with the terms of these sums, and where it grows at each stage no bound of single pivots helps: of two chains of resistors
// R side by side, e_a - e_b = R f at the one junction and sum f = 0 at the other, all entries alike, the solution from stage to stage, e_a =
// e_b + R f and f' = f + ..., has pivots that are the largest of their rows and columns, and loses a factor of 2.6 in each (as in Wright, "A
// collection of problems for which Gaussian elimination with partial pivoting is unstable", 1993). So a row is solved for the unknown that a
// law has put into it, f = (e_a - e_b)/R: what is left, sum (e_a - e_b)/R = 0, has its largest entry on the diagonal, and each effort is a
// mean of others (nodal analysis; that of meshes where the laws are at junctions of one effort).
#include <math.h>

#include "core/causality/sparse_private.h"

/** Lines that are tried for a pivot, those that give none apart. */
enum { TRIED = 8 };
/** A pivot below this fraction of what it is the sum of has lost digits. */
static const double sound = 1e-8;
/** A pivot is at least this fraction of the largest entry of its column, and of its row. */
static const double threshold = 0.3;

int sb_sparse_own(const sb_sparse *s, const sb_sparse_line *l) {
  int own = -1;
  for (int i = 0; i < l->count && own < 0; i++) {
    const int var = l->entries[i].var;
    const bool both = sb_sparse_column_of(s, var) != NULL &&
                      sb_sparse_column_of(s, var ^ 1) != NULL && s->at[var ^ 1] > 0;
    own = both ? var : -1;
  }
  return own;
}

/** An unknown's entry as it is scaled; 0: it is none, or has lost its digits. */
static double size_of(const sb_sparse *s, const sb_sparse_line *l, const sb_sparse_entry *e) {
  const sb_sparse_column *c = sb_sparse_column_of(s, e->var);
  return c != NULL && fabs(e->factor) > sound * e->size
             ? ldexp(fabs(e->factor), (int)lrint(c->power + l->power))
             : 0;
}

/** Whether an entry is not much smaller than another one of its column. */
static bool is_large_in_column(const sb_sparse *s, int var, double size) {
  const sb_sparse_column *c = sb_sparse_column_of(s, var);
  bool large = true;
  for (int k = 0; large && k < c->count; k++) {
    const sb_sparse_line *l = &s->lines[c->lines[k]];
    for (int i = 0; l->pivot < 0 && i < l->count; i++) {
      const sb_sparse_entry *e = &l->entries[i];
      large = large && (e->var != var || size >= threshold * size_of(s, l, e));
    }
  }
  return large;
}

/** Takes the entry of a line that fills in least, if that is less than the best so far: its own unknown, and where that has none, or
 *  one that is small, the largest. The two of a line of no others are as good as each other. */
static void try_line(const sb_sparse *s, int r, sb_sparse_pivot *best) {
  const sb_sparse_line *l = &s->lines[r];
  double largest = 0, own = 0;
  for (int i = 0; i < l->count; i++) {
    const double size = size_of(s, l, &l->entries[i]);
    largest = fmax(largest, size);
    own = l->entries[i].var == l->own ? size : own;
  }
  const bool by_own = own > 0 && own >= threshold * largest;
  const double least = l->unknowns > 2 ? largest : threshold * largest;
  for (int i = 0; i < l->count; i++) {
    const sb_sparse_entry *e = &l->entries[i];
    const double size = size_of(s, l, e);
    if (size > 0 && (by_own ? e->var == l->own : size >= least)) {
      const double fills = (double)(l->unknowns - 1) * (sb_sparse_column_of(s, e->var)->active - 1);
      if (fills < best->fills && is_large_in_column(s, e->var, size)) {
        *best = (sb_sparse_pivot){r, i, fills};
      }
    }
  }
}

/** Where a line is listed. Sums of several unknowns that no law is in, as those of flows at the nodes, wait until the others have put in
 *  what these are by laws. */
static int *head_of(const sb_sparse *s, const sb_sparse_line *l) {
  const bool waits = l->own < 0 && l->unknowns > 2;
  return &s->heads[2 * l->unknowns + waits];
}

sb_sparse_pivot sb_sparse_choose(const sb_sparse *s) {
  sb_sparse_pivot best = {.line = -1, .fills = HUGE_VAL};
  for (int waits = 0; waits < 2 && best.line < 0; waits++) {
    int tried = 0;
    for (int n = 1; n <= s->longest; n++) {
      int r = s->heads[2 * n + waits];
      for (; r >= 0 && (best.line < 0 || tried < TRIED); r = s->lines[r].next) {
        try_line(s, r, &best);
        tried++;
      }
    }
  }
  return best;
}

void sb_sparse_list(sb_sparse *s, int r) {
  sb_sparse_line *l = &s->lines[r];
  int *head = head_of(s, l);
  l->previous = -1;
  l->next = *head;
  if (l->next >= 0) {
    s->lines[l->next].previous = r;
  }
  *head = r;
  s->longest = l->unknowns > s->longest ? l->unknowns : s->longest;
}

void sb_sparse_unlist(sb_sparse *s, int r) {
  const sb_sparse_line *l = &s->lines[r];
  if (l->next >= 0) {
    s->lines[l->next].previous = l->previous;
  }
  *(l->previous >= 0 ? &s->lines[l->previous].next : head_of(s, l)) = l->next;
}

/** What it is by another one of its kind is its own then: through a gyrator it is common to other lines, too. A law of two unknowns that is
 *  put into a line which has none makes the second of them its own. */
void sb_sparse_inherit(const sb_sparse *s, const sb_sparse_line *from, sb_sparse_line *to) {
  const bool law = from->own >= 0;
  if (to->own != from->pivot && (to->own >= 0 || !law)) {
    return;
  }
  to->own = -1;
  for (int i = 0; from->unknowns == 2 && i < from->count; i++) {
    const int var = from->entries[i].var;
    const bool kept = law || var % 2 == from->pivot % 2;
    to->own = var != from->pivot && kept && sb_sparse_column_of(s, var) != NULL ? var : to->own;
  }
}

void sb_sparse_hand_on(sb_sparse *s, const sb_sparse_line *from) {
  const bool other = from->own >= 0 && from->own != from->pivot && from->unknowns > 2;
  const sb_sparse_column *c = other ? sb_sparse_column_of(s, from->own) : NULL;
  for (int k = 0; c != NULL && k < c->count; k++) {
    sb_sparse_line *l = &s->lines[c->lines[k]];
    bool has = false;
    for (int i = 0; l->pivot < 0 && l->own < 0 && i < l->count; i++) {
      has = has || l->entries[i].var == from->own;
    }
    if (has) {
      sb_sparse_unlist(s, c->lines[k]);
      l->own = from->own;
      sb_sparse_list(s, c->lines[k]);
    }
  }
}
