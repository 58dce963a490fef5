// SPDX-License-Identifier: GPL-3.0-or-later
// Loops of the forces of rigid contacts, in which all is linear: multipliers l, and outputs e of the structures and storages that they act
// through,
//   (J_ee J_el; J_ce J_cl) (e; l) = (b_e; b_c).
// From l on the hooks are run one behind the other, so that they give e but for their rounding, and what is left are the residuals r of the
// conditions. These are judged by a running analysis of errors (Higham, Accuracy and Stability of Numerical Algorithms, 2002, section 3.3): with l
// as it is given, what is computed from it is rounding of
//   k_e = |e| + |J_ee - 1| k_e + |J_el| |l|,   k_c = sum of |terms| + |J_ce| k_e.
// What is more is taken away by the same equations for the residual alone, iterative refinement (ibid., chapter 12).
#include <math.h>
#include <string.h>

#include "core/loop/newton_private.h"

enum { STEPS = 4 }; // the first one and those of refinement
/** Of a residual as a fraction of k: below the first it is rounding, below the second it is accepted after the last step. */
static const double rounding = 4e-15, solved = 1e-11;
/** Steps of refinement go on while each leaves at most this part of the largest such fraction. */
static const double falls = 0.5;
/** Where hooks feed each other, rounding is followed until it grows by less than this fraction. */
static const double followed = 0.01;

bool sb_newton_of_contacts(const sb_newton *n) {
  bool any = false;
  for (int h = 0; h < n->loop->count; h++) {
    if (n->hooks[h].op.kind == SB_OP_BALANCE) {
      return false;
    }
    any = any || sb_newton_is_of_contact(n, &n->hooks[h]);
  }
  return any;
}

/** The loop while it is solved. */
typedef struct contacts {
  const sb_newton *n;
  sb_newton_point p;
  sb_newton_chain chain;
  double *known, *next; // (m) k; scratch
  double *residual;     // (m) at the y that is kept
} contacts;

/** Runs the hooks from the multipliers in y on. @return false: some give no finite number */
static bool run(contacts *c, double y[]) {
  const sb_newton *n = c->n;
  bool finite = true;
  for (int i = 0; i < c->chain.ordered && finite; i++) {
    finite = sb_newton_hook(n, c->chain.order[i], y);
  }
  if (!finite || sb_newton_at(n, y, &c->p) != 0) {
    return false;
  }
  for (int i = c->chain.ordered; i < c->chain.count; i++) { // what hooks give is what they gave
    const sb_loop_hook *hook = &n->hooks[c->chain.order[i]];
    for (int k = hook->first_output; k < hook->first_output + hook->output_count; k++) {
      y[k] -= c->p.r[k];
    }
  }
  return true;
}

/** k of what a hook gives. Numbers in threes are vectors, of which each is computed from all: its size is that of the largest. @return whether it
 *  has grown */
static bool add_known(const contacts *c, const sb_loop_hook *hook, const double size[]) {
  const sb_newton_chain *rows = &c->chain;
  const int dim = hook->output_count % 3 == 0 ? 3 : 1, first = hook->first_output;
  bool grows = false;
  for (int k = 0; k < hook->output_count; k++) {
    const int row = first + k, head = row - k % dim;
    double sum = size[row];
    for (int i = head; i < head + dim; i++) {
      sum = fmax(sum, size[i]);
    }
    for (int e = rows->first[row]; e < rows->first[row + 1]; e++) {
      sum += rows->columns[e] == row ? 0 : fabs(rows->entries[e]) * c->known[rows->columns[e]];
    }
    grows = grows || sum > (1 + followed) * c->known[row];
    c->known[row] = sum;
  }
  return grows;
}

/** k, with the sizes of y. */
static void find_known(const contacts *c, const double y[]) {
  sb_newton own = *c->n;
  const int m = own.m;
  const sb_newton_chain *rows = &c->chain;
  double *size = sb_newton_vector(&own);
  bool grows = true;
  memcpy(size, c->p.size, (size_t)m * sizeof *size);
  sb_newton_add_terms(&own, size);
  for (int k = 0; k < m; k++) {
    c->known[k] = fabs(y[k]);
  }
  for (int pass = 0; grows && pass < rows->count; pass++) {
    grows = false;
    for (int i = 0; i < rows->count; i++) {
      grows = add_known(c, &own.hooks[rows->order[i]], size) && i >= rows->ordered ? true : grows;
    }
  }
  for (int h = 0; h < own.loop->count; h++) {
    const int q = own.hooks[h].first_output;
    for (int e = rows->first[q]; sb_newton_is_condition(&own.hooks[h]) && e < rows->first[q + 1];
         e++) {
      size[q] += fabs(rows->entries[e]) * c->known[rows->columns[e]];
    }
  }
  for (int h = 0; h < own.loop->count; h++) {
    const int q = own.hooks[h].first_output;
    c->known[q] = sb_newton_is_condition(&own.hooks[h]) ? size[q] : c->known[q];
  }
}

/** The largest residual, as a fraction of k. */
static double largest_left(const contacts *c) {
  double most = 0;
  for (int k = 0; k < c->n->m; k++) {
    const double own = fabs(c->p.r[k]);
    most = own > 0 ? fmax(most, own / c->known[k]) : most;
  }
  return most;
}

/** Takes away what is left, as far as that becomes less. @param left  what is left at y  @return what is left then */
static double refine(contacts *c, double y[], double left) {
  const int m = c->n->m;
  double *next = c->next;
  bool on = true;
  for (int i = 1; i < STEPS && on && left > rounding; i++) {
    (void)sb_newton_solve_chain(c->n, &c->chain, c->p.r, NULL, false, next);
    for (int k = 0; k < m; k++) {
      next[k] += y[k];
    }
    const double now = run(c, next) ? largest_left(c) : HUGE_VAL;
    on = now <= falls * left;
    if (on) {
      memcpy(y, next, (size_t)m * sizeof *y);
      memcpy(c->residual, c->p.r, (size_t)m * sizeof *y);
      left = now;
    }
  }
  return left;
}

/** Whether a normal force is the multiplier of a hook. */
static bool is_normal(const sb_newton *n, int h) {
  return sb_newton_is_condition(&n->hooks[h]) && n->strength[n->hooks[h].first_output] == 0;
}

/** Whether a contact pulls by more than any bears. @param y  before  @param next  then */
static bool pulls(const sb_newton *n, const double y[], const double next[]) {
  double most = 0, pull = 0;
  for (int h = 0; h < n->loop->count; h++) {
    const int k = n->hooks[h].first_output;
    most = is_normal(n, h) ? fmax(most, fabs(y[k])) : most;
    pull = is_normal(n, h) && n->reference[k] * next[k] < 0 ? fmax(pull, fabs(next[k])) : pull;
  }
  return pull > most;
}

/** Adds to the multipliers what contradicts them, as by feet that yield: it moves nothing, but tells which foot lets go. @return whether one does;
 *  else nothing is added */
static bool let_go(contacts *c, double y[]) {
  const int m = c->n->m;
  if (!run(c, y)) { // the last step of refinement was none
    return false;
  }
  (void)sb_newton_solve_chain(c->n, &c->chain, c->p.r, NULL, true, c->next);
  for (int k = 0; k < m; k++) {
    c->next[k] += y[k];
  }
  if (!run(c, c->next) || !pulls(c->n, y, c->next)) {
    return false;
  }
  memcpy(y, c->next, (size_t)m * sizeof *y);
  return true;
}

/** Leaves what the conditions miss zero by, which is no fault of the rates: none but rounding, or what redundant multipliers contradict. */
static void note_left(const contacts *c, double left) {
  const sb_newton *n = c->n;
  double *own = n->work->loops.left + n->loop->first_output;
  for (int h = 0; h < n->loop->count; h++) {
    const int k = n->hooks[h].first_output;
    if (sb_newton_is_condition(&n->hooks[h])) {
      own[k] = left > rounding ? c->residual[k] : 0;
    }
  }
}

// What redundant multipliers cannot mend is accepted to the root of what counts as implied: of links that lie in line but for an angle d what
// d^2 answers is not solved for, and d times what joints do is left; a foot on a pivoted link is held twice, and the places and speeds of stages
// contradict that by their own errors. The projection holds it.
bool sb_newton_solve_contacts(const sb_newton *n, double y[]) {
  sb_newton own = *n;
  const size_t size = (size_t)n->m * sizeof *y;
  own.linear = true;
  contacts c = {.n = &own,
                .known = sb_newton_vector(&own),
                .next = sb_newton_vector(&own),
                .residual = sb_newton_vector(&own)};
  c.p = sb_newton_point_take(&own);
  double *at = sb_newton_vector(&own);
  c.chain.order = (int *)(void *)sb_newton_vector(&own);
  sb_newton_put_in_order(n, &c.chain);
  memset(at, 0, size);
  if (sb_newton_at(&own, at, &c.p) != 0) {
    return false;
  }
  sb_newton_fill_chain(&own, c.p.u, c.p.terms, &c.chain);
  const bool open = sb_newton_solve_chain(&own, &c.chain, c.p.r, n->reference, false, at);
  if (!run(&c, at)) {
    return false;
  }
  memcpy(c.residual, c.p.r, size);
  find_known(&c, at);
  double left = largest_left(&c);
  if (left > rounding) { // slopes by differences are those of forces as large as these
    sb_newton_fill_chain(&own, c.p.u, c.p.terms, &c.chain);
    left = refine(&c, at, left);
  }
  const bool all = n->work->loops.least_squares,
             gives = open && !all && left > rounding && let_go(&c, at),
             found = all || gives || left <= (open ? sqrt(SB_NEWTON_IMPLIED) : solved);
  note_left(&c, left);
  memcpy(y, at, found ? size : 0);
  return found;
}
