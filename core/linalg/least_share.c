// SPDX-License-Identifier: GPL-3.0-or-later
// Which of the forces of redundant contacts count, where some slip. What a pyramid finds follows its edges, so the axes, and of all that meet the
// conditions alike rounding decides: a foot may as well be left out as press, and two that face each other may squeeze. Of the states that it led to those
// forces are taken that have the least norm,
//   |p| -> min,   u_n = 0 where it presses, u_t = 0 where it sticks, p_t = -mu p_n s where it slips, s along u_t,
// with all that touches in them: what presses nothing, and does not part, may press, and what would slip without a flow sticks.
#include <math.h>
#include <string.h>

#include "core/linalg/unilateral_private.h"

enum { N = SB_CONTACT_N, X = SB_CONTACT_X, Y = SB_CONTACT_Y, TURNS = 20 };
/** Flows below this fraction of what they are the sum of are zero, and so are forces of the largest. */
static const double rounding = SB_UNILATERAL_SOLVED_TO;
/** Forces that change by less than this fraction are found. */
static const double settled = 1e-14;

/** What the flows of a contact are the sum of. */
static double size_of(const sb_unilateral_problem *m, int c) {
  double size = 0;
  for (int k = 3 * c; k < 3 * c + 3; k++) {
    size = fmax(size, fabs(m->b[k]));
    for (int j = 0; j < 3 * m->count; j++) {
      size = fmax(size, fabs(sb_unilateral_response(m, k, j) * m->p[j]));
    }
  }
  return size;
}

/** All that touches takes part. @return whether that is more than before */
static bool join(sb_unilateral_problem *m) {
  bool more = false;
  for (int c = 0; c < m->count; c++) {
    sb_unilateral *contact = &m->contacts[c];
    double u[3];
    if (isinf(m->b[3 * c])) {
      continue;
    }
    sb_unilateral_flow(m, c, u);
    const double slip = hypot(u[X], u[Y]), zero = rounding * size_of(m, c);
    const bool presses = !contact->acts && fabs(u[N]) <= zero;
    contact->acts = contact->acts || presses;
    const bool slips = contact->acts && contact->rubs && !contact->slides && !contact->sticks;
    const bool stands = slips && !contact->fades && slip <= zero;
    contact->sticks = contact->sticks || stands;
    if (presses && slips && !stands) {
      contact->s[0] = u[X] / slip;
      contact->s[1] = u[Y] / slip;
    }
    more = more || presses || stands;
  }
  return more;
}

/** With the states as they are. The directions of slips follow from the forces, and these from them. */
static void balance(sb_unilateral_problem *m, double scratch[]) {
  const int n = 3 * m->count;
  double *last = scratch, moved = HUGE_VAL, most = 0;
  for (int i = 0; i < TURNS && moved > settled * most; i++) {
    memcpy(last, m->p, (size_t)n * sizeof *last);
    memset(m->p, 0, (size_t)n * sizeof *m->p);
    (void)sb_unilateral_balance(m, NULL, scratch + n);
    (void)sb_unilateral_find_directions(m, scratch + n);
    moved = most = 0;
    for (int k = 0; k < n; k++) {
      moved = fmax(moved, fabs(m->p[k] - last[k]));
      most = fmax(most, fabs(m->p[k]));
    }
  }
}

/** The same; what pulls lets go, one after the other. @return whether they meet the conditions */
static bool find(sb_unilateral_problem *m, double scratch[]) {
  double most = 0;
  int pulls = 0;
  for (int i = 0; i <= m->count && pulls >= 0; i++) {
    balance(m, scratch);
    pulls = sb_unilateral_worst_pull(m);
    if (pulls >= 0) {
      m->contacts[pulls].acts = m->contacts[pulls].sticks = false;
    }
  }
  for (int c = 0; c < m->count; c++) {
    most = fmax(most, m->p[3 * c]);
  }
  for (int c = 0; c < m->count; c++) {
    sb_unilateral *contact = &m->contacts[c];
    contact->acts = contact->acts && m->p[3 * c] > rounding * most;
    contact->sticks = contact->sticks && contact->acts;
  }
  return pulls < 0 && sb_unilateral_holds(m);
}

void sb_unilateral_take_least(sb_unilateral_problem *m, sb_unilateral kept[], double scratch[]) {
  const size_t size = (size_t)m->count * sizeof *kept,
               size_p = (size_t)(3 * m->count) * sizeof *m->p;
  double *p = scratch;
  scratch += 3 * m->count;
  memcpy(kept, m->contacts, size);
  memcpy(p, m->p, size_p);
  bool found = join(m) && find(m, scratch);
  for (int i = 0; i < 2 && !found; i++) { // those states alone, and what was found
    memcpy(m->contacts, kept, size);
    memcpy(m->p, p, size_p);
    found = i > 0 || find(m, scratch);
  }
}
