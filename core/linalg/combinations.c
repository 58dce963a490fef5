// SPDX-License-Identifier: GPL-3.0-or-later
// Rigid contacts with friction by enumeration, where the sweeps of unilateral.c find no solution and contacts are few: for every
// combination of states (separate, stick, slip) the equations are solved, until a solution satisfies all conditions. A chain
// that lies down on a floor with friction needs it.
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "core/linalg/unilateral_private.h"

enum { X = SB_CONTACT_X, Y = SB_CONTACT_Y, COUNT_MAX = 6, AIMS = 2, TURNS = 30 };
static const double settled = 1e-12;

/** Sets the state of every contact by the digits of a number. @return false: a contact has no such state */
static bool choose(sb_unilateral_problem *m, int number) {
  enum { STICKS, SLIPS, FREE, STATES };
  for (int c = 0; c < m->count; c++, number /= STATES) {
    sb_unilateral *contact = &m->contacts[c];
    const double *b = m->b + 3 * c;
    const int own = number % STATES;
    if ((own == STICKS && (!contact->rubs || contact->slides)) || (own != FREE && isinf(b[0])) ||
        (own == SLIPS && contact->rubs && isinf(contact->mu))) {
      return false;
    }
    contact->acts = own != FREE;
    contact->sticks = own == STICKS;
    const double length = hypot(b[X], b[Y]);
    if (!contact->slides) {
      contact->s[0] = length > 0 ? b[X] / length : 1;
      contact->s[1] = length > 0 ? b[Y] / length : 0;
    }
  }
  return true;
}

/** Directions of slips that begin are first those that each contact would have with the others as they are. */
static void aim(sb_unilateral_problem *m) {
  for (int c = 0; c < m->count; c++) {
    const sb_unilateral *contact = &m->contacts[c];
    double p[3];
    memcpy(p, m->p + 3 * c, sizeof p);
    if (contact->acts && contact->rubs && !contact->slides && !contact->sticks) {
      (void)sb_unilateral_solve_one(m, c);
    }
    memcpy(m->p + 3 * c, p, sizeof p);
  }
}

static bool solves(sb_unilateral_problem *m, double scratch[]) {
  double off = HUGE_VAL;
  memset(m->p, 0, (size_t)(3 * m->count) * sizeof *m->p);
  (void)sb_unilateral_balance(m, NULL, scratch);
  for (int i = 0; i < AIMS; i++) {
    aim(m);
    (void)sb_unilateral_balance(m, NULL, scratch);
  }
  for (int i = 0; i < TURNS && off > settled; i++) {
    off = sb_unilateral_balance(m, NULL, scratch);
  }
  for (int c = 0; c < m->count; c++) {
    if (sb_unilateral_jams(m, c)) {
      return false;
    }
  }
  return off <= settled && sb_unilateral_holds(m);
}

bool sb_unilateral_combine(sb_unilateral_problem *m, double scratch[]) {
  int combinations = 1;
  for (int c = 0; c < m->count; c++) {
    combinations *= 3;
  }
  for (int i = 0; m->count <= COUNT_MAX && i < combinations; i++) {
    if (choose(m, i) && solves(m, scratch)) {
      return true;
    }
  }
  return false;
}
