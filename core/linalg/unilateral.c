// SPDX-License-Identifier: GPL-3.0-or-later
// Forces or impulses p of rigid contacts with Coulomb's friction: solves u = b + W p with the conditions of unilateral.h.
// 1. sharing.c tries the case in which no contact begins to slip.
// 2. Else pyramid.c solves them with a cone of friction that has edges, by Lemke's method, which always finds a solution.
// 3. It tells which contacts press, stick and slip. With that fixed the conditions are equations, which Newton's
//    method solves to rounding (polishing.c); where W is singular (redundant contacts) the p of least norm (least_share.c), or else as close to that of 2 as can be.
// Where the true cone asks for other states, the pyramid gets an edge along the friction that was found, and more edges; where all
// these fail, sweeps.c tells the states.
#include "core/linalg/unilateral_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"

enum { N = SB_CONTACT_N, X = SB_CONTACT_X, Y = SB_CONTACT_Y };
enum { TRIALS = 6 };
/** What shares of feet that yield are off, of their friction. */
static const double at_bound = 1e-7;
/** Of the flows of a problem, by which others beside it differ. */
static const double nearest = 1e-6, farthest = 1.5e-3, golden = 0.6180339887498949;

typedef sb_unilateral_problem problem;

/** What sticks at its very bound slips: it would leave its bound at once. @return whether there is such */
static bool slip_at_bounds(problem *m) {
  bool any = false;
  for (int c = 0; c < m->count; c++) {
    sb_unilateral *contact = &m->contacts[c];
    const double *p = m->p + 3 * c, friction = hypot(p[X], p[Y]);
    if (contact->sticks && friction > 0 && friction >= contact->mu * p[N] * (1 - at_bound)) {
      contact->sticks = false;
      contact->s[0] = -p[X] / friction;
      contact->s[1] = -p[Y] / friction;
      any = true;
    }
  }
  return any;
}

/** Solves the equations of the states that are given. @param slips  what sticks at its bound slips
 *  @return whether these meet the conditions */
static bool polish(problem *m, bool slips, double scratch[]) {
  const bool holds = sb_unilateral_find_directions(m, scratch);
  return slips && slip_at_bounds(m) ? sb_unilateral_find_directions(m, scratch) : holds;
}

/** An impact in the place of forces: with the flows v for b, and directions of slips that follow from it.
 *  @param struck  (count) out  @param before  (3 count) out */
static void pose_impact(const problem *m, const double v[], sb_unilateral struck[],
                        double before[]) {
  for (int c = 0; c < m->count; c++) {
    const double *p = m->p + 3 * c, friction = hypot(p[X], p[Y]);
    struck[c] = m->contacts[c];
    struck[c].slides = struck[c].slides && sb_unilateral_is_imposed(m, c);
    if (!struck[c].slides) {
      struck[c].s[0] = friction > 0 ? -p[X] / friction : 1;
      struck[c].s[1] = friction > 0 ? -p[Y] / friction : 0;
    }
    for (int k = 0; k < 3; k++) {
      before[3 * c + k] = k == 0 && isinf(m->b[3 * c]) ? HUGE_VAL : v[3 * c + k];
    }
  }
}

/** Slips without a speed for which there is no force begin anew. @return whether there are some */
static bool release_slips(problem *m, const double v[]) {
  bool any = false;
  for (int c = 0; c < m->count; c++) {
    const bool begins = m->contacts[c].slides && !sb_unilateral_is_imposed(m, c) &&
                        (v == NULL || hypot(v[3 * c + X], v[3 * c + Y]) == 0);
    m->contacts[c].slides = m->contacts[c].slides && !begins;
    any = any || begins;
  }
  return any;
}

/** Whether there is an impulse: none is a root of an impact's equations, too, which leaves things as they are. */
static bool presses(const problem *m) {
  double most = 0;
  for (int c = 0; c < m->count; c++) {
    most = fmax(most, m->p[3 * c]);
  }
  return most > 0;
}

/** Polishes the solutions of pyramids with ever more edges. @param status  out  @return whether one is found to rounding */
static bool find(problem *m, const double v[], bool cancels, sb_unilateral struck[],
                 double scratch[], sb_unilateral_status *status) {
  bool found = false;
  for (int i = 0; i < TRIALS && !found; i++) {
    *status = sb_unilateral_pyramid(m, v, i, cancels);
    if (*status == SB_UNILATERAL_MEMORY) {
      return false;
    }
    problem own = *m;
    if (*status == SB_UNILATERAL_IMPACT) {
      own.contacts = struck;
      own.b = scratch;
      pose_impact(m, v, struck, scratch);
    }
    const bool slips =
        i % 2 == 0 && *status != SB_UNILATERAL_IMPACT; // an impulse has no next moment
    found = polish(&own, slips, scratch + 3 * m->count) &&
            (*status != SB_UNILATERAL_IMPACT || presses(m));
  }
  return found;
}

/** Where conditions are met at their very bounds, as by a foot that neither presses nor parts, rounding may lead all solvers astray. The forces of a
 *  problem beside it tell the states then, and those of these states have to meet the conditions. */
static bool find_beside(const problem *m, const double v[], sb_unilateral struck[],
                        double scratch[], sb_unilateral_status *status) {
  const int n = 3 * m->count;
  double *b = scratch;
  problem beside = *m, own = *m;
  beside.b = b;
  scratch += n;
  bool found = false;
  for (double part = nearest; part <= farthest && !found; part *= 10) {
    for (int i = 0; i < n; i++) {
      const double place = golden * (i + 1);
      b[i] = m->b[i] * (1 + part * (place - floor(place)));
    }
    memset(m->p, 0, (size_t)n * sizeof *m->p);
    found = sb_unilateral_share(&beside, scratch);
    *status = SB_UNILATERAL_SOLVED;
    found = found ||
            (find(&beside, v, false, struck, scratch, status) && *status == SB_UNILATERAL_SOLVED);
    found = found && sb_unilateral_find_directions(&own, scratch);
  }
  return found;
}

/** Friction may let impulses have several solutions, of which some leave out contacts that approach, as one of two feet that are each other's mirror
 *  image: that in which these press as well is taken, if there is one. What has no speed to slip with sticks. @param before  (count) scratch */
static void press_all(problem *m, sb_unilateral before[], double scratch[]) {
  const size_t n = (size_t)(3 * m->count);
  double *p = scratch;
  bool any = false;
  memcpy(before, m->contacts, (size_t)m->count * sizeof *before);
  memcpy(p, m->p, n * sizeof *p);
  for (int c = 0; c < m->count; c++) {
    sb_unilateral *contact = &m->contacts[c];
    const double *b = m->b + 3 * c, speed = hypot(b[X], b[Y]);
    if (contact->acts || !(b[N] < 0)) {
      continue;
    }
    const bool may_slip = speed > 0 && !isinf(contact->mu);
    any = contact->acts = true;
    contact->sticks = contact->rubs && !contact->slides && !may_slip;
    if (contact->rubs && !contact->slides && may_slip) {
      contact->s[0] = b[X] / speed;
      contact->s[1] = b[Y] / speed;
    }
  }
  if (any && !sb_unilateral_find_directions(m, scratch + n)) {
    memcpy(m->contacts, before, (size_t)m->count * sizeof *before);
    memcpy(m->p, p, n * sizeof *p);
  }
}

/** An impact that ends where a slip has turned to the edge of jamming has p = 0 for another root of its equations, which Newton's method may
 *  find: it is left as that of the pyramid, which loses energy as well. Where speeds of slow slips beside a fast one cancel each other,
 *  their rounding may lead Lemke's method to a ray. Last, where links lie in line W is all but singular: with d how far they are off, the
 *  response along the line is d^2, and their acceleration there d times what others are. Where d^2 is too small to tell (see
 *  SB_UNILATERAL_RANK_TOL), feet at both ends that stick keep it. */
static sb_unilateral_status solve(problem *m, const double v[], sb_unilateral struck[],
                                  double scratch[]) {
  sb_unilateral_status status = SB_UNILATERAL_SOLVED;
  if (sb_unilateral_share(m, scratch)) {
    return status;
  }
  memset(m->p, 0, (size_t)(3 * m->count) * sizeof *m->p);
  if (find(m, v, false, struck, scratch, &status) || status == SB_UNILATERAL_MEMORY) {
    if (status == SB_UNILATERAL_SOLVED) {
      if (v == NULL) {
        press_all(m, struck, scratch);
      }
      sb_unilateral_take_least(m, struck, scratch);
      sb_unilateral_spare(m, struck, scratch);
    }
    return status;
  }
  if (status == SB_UNILATERAL_IMPACT) {
    return sb_unilateral_pyramid(m, v, 0, false);
  }
  if (release_slips(m, v)) {
    return solve(m, v, struck, scratch);
  }
  memset(m->p, 0, (size_t)(3 * m->count) * sizeof *m->p);
  bool found = v != NULL && find(m, v, true, struck, scratch, &status);
  if (v != NULL && !found && status != SB_UNILATERAL_MEMORY) {
    problem nearly = *m;
    nearly.left = sqrt(SB_UNILATERAL_RANK_TOL);
    memset(m->p, 0, (size_t)(3 * m->count) * sizeof *m->p);
    found = find(&nearly, v, false, struck, scratch, &status);
    if (!found && status != SB_UNILATERAL_MEMORY) {
      nearly.rank = SB_UNILATERAL_IMPLIED;
      found = sb_unilateral_share(&nearly, scratch);
      status = found ? SB_UNILATERAL_SOLVED : status;
      memset(m->p, 0, found ? 0 : (size_t)(3 * m->count) * sizeof *m->p);
      found = found || find(&nearly, v, false, struck, scratch, &status);
    }
  }
  if (!found && status != SB_UNILATERAL_MEMORY && sb_unilateral_sweep(m)) {
    found = sb_unilateral_holds(m) || sb_unilateral_find_directions(m, scratch);
    status = SB_UNILATERAL_SOLVED;
  }
  if (!found && status != SB_UNILATERAL_MEMORY) {
    found = find_beside(m, v, struck, scratch, &status);
  }
  return found || status == SB_UNILATERAL_MEMORY ? status : SB_UNILATERAL_NOT_MET;
}

/** A slip that is imposed begins along b_t, and friction is against it. */
static void aim_imposed(problem *m) {
  for (int c = 0; c < m->count; c++) {
    sb_unilateral *contact = &m->contacts[c];
    const double *b = m->b + 3 * c, speed = hypot(b[X], b[Y]);
    if (contact->rubs && !isinf(contact->mu) && !contact->slides && speed > 0 &&
        sb_unilateral_is_imposed(m, c)) {
      contact->slides = true;
      contact->s[0] = b[X] / speed;
      contact->s[1] = b[Y] / speed;
    }
  }
}

/** Whether a contact is pressed by little of what the friction of others may press it with, or a dry friction bears much of what it can: as
 *  its load, or its strength, comes to its end they would do so again and again. */
static bool is_near_an_end(const problem *m) {
  static const double little = 0.1, much = 0.5;
  bool any = false;
  for (int c = 0; c < m->count; c++) {
    const sb_unilateral *contact = &m->contacts[c];
    const double *p = m->p + 3 * c;
    const bool lifts = contact->acts && p[N] > 0 && p[N] < little * sb_unilateral_pressed(m, c);
    any = any || lifts ||
          (contact->dry && contact->sticks && hypot(p[X], p[Y]) > much * contact->mu * p[N]);
  }
  return any;
}

/** What would pull by the rounding of the conditions lets go: held on, it would do so at once. */
static void let_go(problem *m) {
  for (int c = 0; c < m->count; c++) {
    sb_unilateral *contact = &m->contacts[c];
    if (contact->acts && m->p[3 * c] < 0) {
      contact->acts = contact->sticks = false;
      memset(m->p + 3 * c, 0, 3 * sizeof *m->p);
    }
  }
}

/** How many numbers the solvers take. */
static int room_of(int count) {
  return 9 * count * count + 30 * count + 12;
}

bool sb_unilateral_continue(sb_unilateral contacts[], int count, const double W[], const double b[],
                            double p[]) {
  problem m = {contacts, count, W, b, p, 0, SB_UNILATERAL_RANK_TOL, false};
  double *scratch = sb_zeroed(room_of(count), sizeof *scratch);
  const bool found = scratch != NULL && sb_unilateral_find_directions(&m, scratch);
  free(scratch);
  return found;
}

sb_unilateral_status sb_unilateral_solve(sb_unilateral contacts[], int count, const double W[],
                                         const double b[], const double v[], double p[]) {
  problem m = {contacts, count, W, b, p, 0, SB_UNILATERAL_RANK_TOL, false};
  aim_imposed(&m);
  sb_unilateral *struck = sb_zeroed(count, sizeof *struck);
  double *scratch = sb_zeroed(room_of(count), sizeof *scratch);
  const sb_unilateral_status status =
      struck != NULL && scratch != NULL ? solve(&m, v, struck, scratch) : SB_UNILATERAL_MEMORY;
  if (status == SB_UNILATERAL_SOLVED && v != NULL) {
    let_go(&m);
    sb_unilateral_reserve(&m, scratch);
    if (m.crowded || is_near_an_end(&m)) {
      sb_unilateral_centre(&m, scratch);
    }
  }
  free(struck);
  free(scratch);
  return status;
}
