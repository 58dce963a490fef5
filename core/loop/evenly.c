// SPDX-License-Identifier: GPL-3.0-or-later
// What redundant constraints leave open of the unknowns of a loop: efforts (or flows) that circulate through parts that state one thing
// twice, as two transformers of one ratio side by side, and act on nothing else. Of all solutions z + N a the one is taken in which
//   sum of (c_v / n_v)^2
// over the bonds v is least, with c = L (z + N a) the efforts there and n_v what one circulation makes of them: equal paths share
// equally. As what circulates brings no power, n_v f_v is the same all along its way, so that bonds are weighed by the power through
// them, in whatever units, by whatever ratio and on whichever side of an element the unknowns are.
#include <math.h>
#include <string.h>

#include "core/linalg/dense.h"
#include "core/loop/newton_private.h"

/** Below this fraction of what all scaled unknowns together could make of a bond it is none, as slopes by differences tell it. */
static const double nothing = 1e-8;
/** Weights are found by the means of rows and columns until they change by less than this part. */
static const double same_weight = 1e-9;
enum { PASSES = 60 };

typedef struct circulation {
  int open, bonds, m;
  int width;    // bonds + m
  double *rows; // (open x width) L N and N, one circulation in each row
  double *c;    // (bonds, at least open) L z
  double *log;  // (bonds) of the weights
  double *own;  // (open) the same of the rows
  double *a;    // (bonds x open) the system
  double *room; // (open)
} circulation;

/** A bond variable of the scaled unknowns z, without what is known before. @param size  out: what it would be at the
 *  most if each of these were 1 */
static double bond_of(const sb_newton *n, const sb_newton_point *p, const sb_loop_bond *bond,
                      const double z[], double *size) {
  const sb_loop_term *terms = n->work->program->loop_bond_terms + bond->first;
  double sum = 0;
  *size = 0;
  for (int k = 0; k < bond->count; k++) {
    if (terms[k].column >= 0) {
      const double factor = terms[k].factor / p->column[terms[k].column];
      sum += factor * z[terms[k].column];
      *size += fabs(factor);
    }
  }
  return sum;
}

/** What of a bond variable is known before. */
static double known_of(const sb_newton *n, const sb_loop_bond *bond) {
  const sb_loop_term *terms = n->work->program->loop_bond_terms + bond->first;
  const int states = n->work->network->state_count;
  double sum = 0;
  for (int k = 0; k < bond->count; k++) {
    const int known = -1 - terms[k].column;
    sum += known < 0
               ? 0
               : terms[k].factor * (known < states ? n->x[known] : n->work->values[known - states]);
  }
  return sum;
}

static void fill(const sb_newton *n, const sb_newton_point *p, const double z[],
                 const double null[], const circulation *s) {
  const sb_loop_bond *bonds = n->work->program->loop_bonds + n->loop->first_bond;
  double size;
  for (int v = 0; v < s->bonds; v++) {
    s->c[v] = known_of(n, &bonds[v]) + bond_of(n, p, &bonds[v], z, &size);
  }
  for (int j = 0; j < s->open; j++) {
    double *row = s->rows + j * s->width;
    for (int v = 0; v < s->bonds; v++) {
      row[v] = bond_of(n, p, &bonds[v], null + j * s->m, &size);
      row[v] = fabs(row[v]) > nothing * size ? row[v] : 0;
    }
    memcpy(row + s->bonds, null + j * s->m, (size_t)s->m * sizeof *row);
  }
}

/** Entries of one row beside each other differ by their units alone: what is left of elimination is rounding. */
static void clean(const circulation *s, int count) {
  for (int v = 0; v < s->bonds; v++) {
    double most = 0;
    for (int j = 0; j < count; j++) {
      most = fmax(most, fabs(s->rows[j * s->width + v]));
    }
    for (int j = 0; j < count; j++) {
      double *entry = &s->rows[j * s->width + v];
      *entry = fabs(*entry) > nothing * most ? *entry : 0;
    }
  }
}

/** Lets the logarithms of a row or column be zero in the mean. @return by how much they were not */
static double centre(const double entries[], int count, int step, const double other[],
                     double *own) {
  double sum = 0, before = *own;
  int present = 0;
  for (int i = 0; i < count; i++) {
    if (entries[i * step] != 0) {
      sum += log(fabs(entries[i * step])) + other[i];
      present++;
    }
  }
  *own = present > 0 ? -sum / present : 0;
  return fabs(*own - before);
}

/** 1/n_v of each bond, as a logarithm. */
static void weigh(const circulation *s, int count) {
  double change = 1;
  memset(s->log, 0, (size_t)s->bonds * sizeof *s->log);
  memset(s->own, 0, (size_t)s->open * sizeof *s->own);
  for (int pass = 0; change > same_weight && pass < PASSES; pass++) {
    change = 0;
    for (int v = 0; v < s->bonds; v++) {
      (void)centre(s->rows + v, count, s->width, s->own, &s->log[v]);
    }
    for (int j = 0; j < count; j++) {
      change = fmax(change, centre(s->rows + j * s->width, s->bonds, 1, s->log, &s->own[j]));
    }
  }
}

/** The least squares. @return how many circulations there are */
static void solve(const circulation *s, int count, double z[]) {
  int order[SB_LOOP_MAX];
  for (int v = 0; v < s->bonds; v++) {
    double weight = 0;
    for (int j = 0; j < count; j++) {
      weight = s->rows[j * s->width + v] != 0 ? exp(s->log[v]) : weight;
    }
    s->c[v] *= -weight;
    for (int j = 0; j < count; j++) {
      s->a[v * count + j] = s->rows[j * s->width + v] * weight * exp(s->own[j]);
    }
  }
  (void)sb_solve_least_norm(s->a, s->c, s->bonds, count, nothing, order, s->room);
  for (int j = 0; j < count; j++) {
    for (int k = 0; k < s->m; k++) {
      z[k] += s->c[j] * exp(s->own[j]) * s->rows[j * s->width + s->bonds + k];
    }
  }
}

void sb_newton_share_evenly(const sb_newton *n, const sb_newton_point *p, const double null[],
                            int open, double z[]) {
  const int bonds = n->loop->bond_count, width = bonds + n->m;
  sb_newton own = *n;
  if (bonds < open || open > n->loop->condition_count) {
    return; // as of the components of what no network joins
  }
  const circulation s = {.open = open,
                         .bonds = bonds,
                         .m = n->m,
                         .width = width,
                         .rows = sb_newton_take(&own, open * width),
                         .c = sb_newton_take(&own, bonds),
                         .log = sb_newton_take(&own, bonds),
                         .own = sb_newton_take(&own, open),
                         .a = sb_newton_take(&own, bonds * open),
                         .room = sb_newton_take(&own, open)};
  fill(n, p, z, null, &s);
  const int count = sb_eliminate(s.rows, open, width, bonds, nothing, NULL);
  if (count > 0) {
    clean(&s, count);
    weigh(&s, count);
    solve(&s, count, z);
  }
}
