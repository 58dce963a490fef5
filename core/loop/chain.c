// SPDX-License-Identifier: GPL-3.0-or-later
// A linear loop with the multipliers l of its conditions, from which on the hooks of the other outputs e are a chain: each reads multipliers and
// what is before it. In its order J_ee is a triangle of ones on its diagonal, and e is eliminated by substitution,
//   (J_ee J_el; J_ce J_cl) d = -r,   S = J_cl - J_ce J_ee^-1 J_el;
// those that feed each other are solved for at its end by factors. Few entries of J are not zero, six in a row of 222 for three bodies on eight
// feet each.
#include <math.h>
#include <string.h>

#include "core/linalg/dense.h"
#include "core/loop/newton_private.h"

/** A pivot of hooks that feed each other, unless it is less than this: without that it is 1. Entries beside it have units, 1/kg in the column of a
 *  force. */
static const double small = 1e-3;

/** Whether a hook reads nothing but multipliers and what is done. @param maker  (m) the hook of each output */
static bool is_ready(const sb_newton *n, int h, const int maker[], const bool done[]) {
  const sb_loop_hook *hook = &n->hooks[h];
  bool ready = true;
  for (int i = hook->first_input; i < hook->first_input + hook->input_count; i++) {
    const sb_loop_term *terms = n->terms + n->rows[i].first;
    for (int j = 0; j < n->rows[i].count && ready; j++) {
      ready = done[maker[terms[j].column]];
    }
  }
  return ready;
}

void sb_newton_put_in_order(const sb_newton *n, sb_newton_chain *c) {
  int maker[SB_LOOP_MAX], count = 0;
  bool done[SB_LOOP_MAX];
  for (int h = 0; h < n->loop->count; h++) {
    const sb_loop_hook *hook = &n->hooks[h];
    done[h] = sb_newton_is_condition(hook);
    for (int k = hook->first_output; k < hook->first_output + hook->output_count; k++) {
      maker[k] = h;
    }
  }
  for (int before = -1; before < count;) {
    before = count;
    for (int h = 0; h < n->loop->count; h++) {
      if (!done[h] && is_ready(n, h, maker, done)) {
        done[h] = true;
        c->order[count++] = h;
      }
    }
  }
  c->ordered = count;
  for (int h = 0; h < n->loop->count; h++) {
    if (!done[h]) {
      c->order[count++] = h;
    }
  }
  c->count = count;
}

/** The columns in which the rows of a hook may have entries: its own outputs, and what its inputs read.
 *  @param at  (m) in and out: behind the place of each in the list; 0: it is not in it  @param columns  (m) out  @return how many */
static int list_columns(const sb_newton *n, const sb_loop_hook *hook, int at[], int columns[]) {
  int count = 0;
  for (int k = hook->first_output; k < hook->first_output + hook->output_count; k++) {
    columns[count++] = k;
    at[k] = count;
  }
  for (int i = hook->first_input; i < hook->first_input + hook->input_count; i++) {
    const sb_loop_term *terms = n->terms + n->rows[i].first;
    for (int c = 0; c < n->rows[i].count; c++) {
      if (at[terms[c].column] == 0) {
        columns[count++] = terms[c].column;
        at[terms[c].column] = count;
      }
    }
  }
  return count;
}

/** The rows of a hook. @param at  (m) as list_columns() has it  @param s  (m) scratch  @param j  (outputs x count) out */
static void fill_rows(const sb_newton *n, const sb_loop_hook *hook, double u[],
                      const double terms[], const int at[], int count, double s[], double j[]) {
  memset(j, 0, (size_t)(hook->output_count * count) * sizeof *j);
  for (int k = 0; k < hook->output_count; k++) {
    j[k * count + k] = 1;
  }
  for (int i = hook->first_input; i < hook->first_input + hook->input_count; i++) {
    const sb_loop_term *terms_of = n->terms + n->rows[i].first;
    if (n->rows[i].count == 0) {
      continue;
    }
    sb_newton_slopes(n, hook, u, i, terms[i], s);
    for (int k = 0; k < hook->output_count; k++) {
      for (int c = 0; c < n->rows[i].count; c++) {
        j[k * count + at[terms_of[c].column] - 1] -= s[k] * terms_of[c].factor;
      }
    }
  }
}

void sb_newton_fill_chain(const sb_newton *n, double u[], const double terms[],
                          sb_newton_chain *c) {
  int at[SB_LOOP_MAX] = {0}, columns[SB_LOOP_MAX], next = 0;
  sb_newton own = *n;
  double *s = sb_newton_vector(&own);
  c->entries = n->matrix;
  c->columns = n->columns;
  c->first = n->columns + n->m * n->m;
  for (int h = 0; h < n->loop->count; h++) {
    const sb_loop_hook *hook = &n->hooks[h];
    const sb_loop_row *row = &n->rows[hook->first_input];
    c->first[hook->first_output] = next;
    for (int k = 0; k < row->count && sb_newton_is_condition(hook); k++) {
      c->columns[next] = n->terms[row->first + k].column;
      c->entries[next++] = n->terms[row->first + k].factor;
    }
    if (sb_newton_is_condition(hook)) {
      continue;
    }
    const int count = list_columns(n, hook, at, columns);
    double *j = c->entries + next;
    fill_rows(&own, hook, u, terms, at, count, s, j);
    for (int k = 0; k < hook->output_count;
         k++, j += count) { // each entry stays or moves to the left
      c->first[hook->first_output + k] = next;
      for (int i = 0; i < count; i++) {
        c->columns[next] = columns[i];
        c->entries[next] = j[i];
        next += j[i] != 0;
      }
    }
    for (int i = 0; i < count; i++) {
      at[columns[i]] = 0;
    }
  }
  c->first[n->m] = next;
}

/** The outputs in the order of the chain, those of conditions last.
 *  @param at  (m) out: where each is  @return how many are of no condition */
static int list_outputs(const sb_newton *n, const sb_newton_chain *c, int place[], int at[]) {
  int next = 0;
  for (int i = 0; i < c->count; i++) {
    const sb_loop_hook *hook = &n->hooks[c->order[i]];
    for (int k = 0; k < hook->output_count; k++) {
      place[next++] = hook->first_output + k;
    }
  }
  const int own = next;
  for (int h = 0; h < n->loop->count; h++) {
    if (sb_newton_is_condition(&n->hooks[h])) {
      place[next++] = n->hooks[h].first_output;
    }
  }
  for (int i = 0; i < next; i++) {
    at[place[i]] = i;
  }
  return own;
}

/** J d = -r while the outputs of the chain are eliminated. */
typedef struct blocks {
  const sb_newton_chain *chain;
  int own, count, *place, *at;
  double *right; // (own x (count + 1)) J_ee^-1 (J_el, -r_e)
  double *S;     // (count x count)
  double *h;     // (count) -r_c + J_ce J_ee^-1 r_e
} blocks;

/** A row of J_el and -r_e, or of J_cl and -r_c, less what the outputs before the i-th add to it. @param row  (count + 1) out */
static void eliminate_row(const blocks *b, int output, int i, const double r[], double row[]) {
  const sb_newton_chain *c = b->chain;
  const int width = b->count + 1;
  memset(row, 0, (size_t)b->count * sizeof *row);
  row[b->count] = -r[output];
  for (int e = c->first[output]; e < c->first[output + 1]; e++) {
    const int k = b->at[c->columns[e]];
    const double factor = c->entries[e], *by = b->right + k * width;
    if (k >= b->own) {
      row[k - b->own] += factor;
    }
    for (int j = 0; k < i && j < width; j++) {
      row[j] -= factor * by[j];
    }
  }
}

/** The outputs of hooks that feed each other, from the first one on.
 *  @param a  (outputs^2) scratch  @param pivots  (outputs) scratch  @return false: they are not determined */
static bool solve_rest(const blocks *b, int first, double a[], int pivots[]) {
  const sb_newton_chain *c = b->chain;
  const int n = b->own - first;
  memset(a, 0, (size_t)(n * n) * sizeof *a);
  for (int i = 0; i < n; i++) {
    const int output = b->place[first + i];
    for (int e = c->first[output]; e < c->first[output + 1]; e++) {
      const int k = b->at[c->columns[e]] - first;
      if (k >= 0 && k < n) {
        a[i * n + k] = c->entries[e];
      }
    }
  }
  if (sb_lu_factor_near(a, n, 0, small, pivots) < n) {
    return false;
  }
  sb_lu_solve(a, n, pivots, b->right + first * (b->count + 1), b->count + 1);
  return true;
}

/** J_ee^-1 (J_el, -r_e). */
static bool eliminate(const sb_newton *n, const blocks *b, const double r[], int pivots[]) {
  const sb_newton_chain *c = b->chain;
  const int width = b->count + 1;
  int first = 0;
  for (int i = 0; i < c->ordered; i++) {
    first += n->hooks[c->order[i]].output_count;
  }
  for (int i = 0; i < b->own; i++) {
    eliminate_row(b, b->place[i], i < first ? i : first, r, b->right + i * width);
  }
  return first == b->own || solve_rest(b, first, n->lu, pivots);
}

/** d, with the multipliers in b->h. */
static void substitute(const blocks *b, double d[]) {
  for (int i = 0; i < b->own + b->count; i++) {
    const double *by = b->right + i * (b->count + 1);
    double value = i < b->own ? by[b->count] : b->h[i - b->own];
    for (int k = 0; i < b->own && k < b->count; k++) {
      value -= by[k] * b->h[k];
    }
    d[b->place[i]] = value;
  }
}

bool sb_newton_solve_chain(const sb_newton *n, const sb_newton_chain *c, const double r[],
                           const double next_to[], bool yields, double d[]) {
  int m = n->m, place[SB_LOOP_MAX], at[SB_LOOP_MAX], vector[SB_LOOP_MAX];
  sb_newton inner = *n;
  double *row = sb_newton_take(&inner, m + 1), *contact = sb_newton_vector(&inner);
  const int own = list_outputs(n, c, place, at);
  const blocks b = {.chain = c,
                    .own = own,
                    .count = m - own,
                    .place = place,
                    .at = at,
                    .S = n->lu + own * own,
                    .right = n->lu + m * m,
                    .h = sb_newton_vector(&inner)};
  double *reference = sb_newton_vector(&inner), *strength = sb_newton_vector(&inner);
  if (!eliminate(n, &b, r, vector)) {
    for (int i = 0; i < m; i++) {
      d[i] = HUGE_VAL;
    }
    return false;
  }
  for (int i = 0, h = 0; i < b.count; i++) {
    const int output = place[own + i];
    while (n->hooks[h].first_output < output) {
      h++;
    }
    vector[i] = n->hooks[h].vector;
    contact[i] = n->hooks[h].contact;
    reference[i] = next_to == NULL ? NAN : next_to[output];
    strength[i] = n->strength[output];
    eliminate_row(&b, output, own, r, row);
    memcpy(b.S + i * b.count, row, (size_t)b.count * sizeof *row);
    b.h[i] = row[b.count];
  }
  double *scale = sb_newton_vector(&inner), *room = sb_newton_take(&inner, 3 * m),
         *kept = b.right + own * (b.count + 1);
  bool open = true;
  if (yields) {
    sb_newton_yield(b.S, b.count, vector, contact, b.h, scale, room, kept);
  } else {
    open =
        sb_newton_share(b.S, b.count, vector, contact, reference, strength, b.h, scale, room, kept);
  }
  substitute(&b, d);
  return open;
}
