// SPDX-License-Identifier: GPL-3.0-or-later
// First attempt of the contact solver (unilateral.c): no contact begins to slip. Every contact that does not slide already is held,
// u = b + W p = 0, and contacts whose p_n would be negative are released one by one. Where contacts are redundant (W singular, as for
// four feet of one body) p is not unique: the solution of least norm is taken. If a contact then exceeds its friction bound mu p_n,
// the norm is weighted anew, which moves tangential force to contacts with friction to spare, until the largest ratio
// |p_t|/(mu p_n) is as small as possible: minimax by Lawson's iteration of weighted least squares (Rice and Usow, "The Lawson
// algorithm and extensions", Math. Comp. 22, 1968).
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "core/linalg/dense.h"
#include "core/linalg/unilateral_private.h"

enum { N = SB_CONTACT_N, X = SB_CONTACT_X, Y = SB_CONTACT_Y };
enum { WEIGHTINGS = 200, PROJECTIONS = 200 };
/** Of the friction of what does not slip; with less it may as well slip. */
static const double most_reserve = 0.1, least_reserve = 1e-6;
/** Ratios |p_t|/(mu p_n): above `relaxed` weights are changed; up to `bound` a contact counts as held. Short of one there would be loads
 *  that neither stick nor slip. */
static const double relaxed = 0.9, bound = 1;
/** Factor of all tangential weights in each iteration, which shifts the change towards the normal components. */
static const double lessened = 0.8;
/** Lower bound of this factor; and of the normal impulses in the weights, relative to the largest: below it a contact does not act.
 *  The weights themselves are as their roots. */
static const double least = 1e-3, least_push = SB_UNILATERAL_SOLVED_TO, least_weight = 3e-5;

/** Solves for the p of least weighted norm, from p = 0. */
static void balance_anew(sb_unilateral_problem *m, const double weight[], double scratch[]) {
  memset(m->p, 0, (size_t)(3 * m->count) * sizeof *m->p);
  (void)sb_unilateral_balance(m, weight, scratch);
}

static double largest_push(const sb_unilateral_problem *m) {
  double most = 0;
  for (int c = 0; c < m->count; c++) {
    most = fmax(most, m->p[3 * c]);
  }
  return most;
}

int sb_unilateral_worst_pull(const sb_unilateral_problem *m) {
  double most = SB_UNILATERAL_SOLVED_TO * largest_push(m);
  int worst = -1;
  for (int c = 0; c < m->count; c++) {
    if (m->contacts[c].acts && -m->p[3 * c] > most) {
      most = -m->p[3 * c];
      worst = c;
    }
  }
  return worst;
}

/** |p_t|/(mu p_n) of a contact that is held by friction. */
static double use_of(const sb_unilateral_problem *m, int c) {
  const sb_unilateral *contact = &m->contacts[c];
  const double *p = m->p + 3 * c, need = hypot(p[X], p[Y]);
  if (!contact->acts || !contact->sticks || isinf(contact->mu) ||
      !(need > SB_UNILATERAL_SOLVED_TO * largest_push(m))) {
    return 0;
  }
  return p[N] > 0 && contact->mu > 0 ? need / (contact->mu * p[N]) : HUGE_VAL;
}

static double largest_use(const sb_unilateral_problem *m) {
  double most = 0;
  for (int c = 0; c < m->count; c++) {
    most = fmax(most, use_of(m, c));
  }
  return most;
}

/** Lawson's iteration: lowers the largest ratio |p_t|/(mu p_n) to within its bound, and no further: where weights have nothing to move, and the middle
 *  is found from there (centre.c), they would grow what rounding has left. @param lawson  (count) @param weight  (count) */
static void spread_friction(sb_unilateral_problem *m, double lawson[], double weight[],
                            double scratch[]) {
  for (int c = 0; c < m->count; c++) {
    lawson[c] = 0;
  }
  double all = 1; // weight of all tangential components relative to the normal ones
  for (int i = 0; i < WEIGHTINGS && largest_use(m) > bound && sb_unilateral_worst_pull(m) < 0;
       i++) {
    double sum = 0, push = largest_push(m);
    for (int c = 0; c < m->count; c++) {
      double bound_of = m->contacts[c].mu * fmax(m->p[3 * c], least_push * push);
      lawson[c] =
          i == 0 ? fmax(m->p[3 * c], least_push * push) : lawson[c] * fmin(use_of(m, c), 10);
      lawson[c] = fmax(lawson[c], 1e-12);
      weight[c] = isinf(bound_of) ? 1 : bound_of / sqrt(lawson[c]);
      sum =
          m->contacts[c].sticks ? fmax(sum, weight[c]) : sum; // nothing is shared with what slides
    }
    all = fmax(lessened * all, least);
    for (int c = 0; c < m->count; c++) {
      weight[c] = all * fmax(weight[c] / sum, least_weight);
    }
    balance_anew(m, weight, scratch);
  }
}

bool sb_unilateral_share(sb_unilateral_problem *m, double scratch[]) {
  double *lawson = scratch, *weight = lawson + m->count;
  scratch = weight + m->count;
  for (int c = 0; c < m->count; c++) {
    sb_unilateral *contact = &m->contacts[c];
    contact->acts = m->b[3 * c] < HUGE_VAL;
    contact->sticks = contact->acts && contact->rubs && !contact->slides;
  }
  int worst = 0;
  for (int i = 0; i <= m->count && worst >= 0; i++) {
    balance_anew(m, NULL, scratch);
    worst = sb_unilateral_worst_pull(m);
    if (worst >= 0) {
      m->contacts[worst].acts = m->contacts[worst].sticks = false;
    }
  }
  m->crowded = m->crowded || largest_use(m) > relaxed;
  spread_friction(m, lawson, weight, scratch);
  bool jams = false;
  for (int c = 0; c < m->count; c++) {
    sb_unilateral *contact = &m->contacts[c];
    contact->acts = contact->acts && m->p[3 * c] > SB_UNILATERAL_SOLVED_TO * largest_push(m);
    contact->sticks = contact->acts && contact->sticks;
    jams = jams || (contact->acts && sb_unilateral_jams(m, c));
  }
  const bool holds = !jams && largest_use(m) <= bound && sb_unilateral_holds(m);
  m->crowded = m->crowded || !holds;
  return holds;
}

/** What the flow along a component is the sum of, at most. */
static double size_of_flow(const sb_unilateral_problem *m, int i) {
  double size = fabs(m->b[i]);
  for (int k = 0; k < 3 * m->count; k++) {
    size = fmax(size, fabs(sb_unilateral_response(m, i, k) * m->p[k]));
  }
  return size;
}

/** Whether a contact that begins to slip does so by more than what the conditions are met to. */
static bool accelerates(const sb_unilateral_problem *m, int c) {
  const double *s = m->contacts[c].s;
  double u[3], size = 0;
  sb_unilateral_flow(m, c, u);
  for (int k = 3 * c; k < 3 * c + 3; k++) {
    size = fmax(size, size_of_flow(m, k));
  }
  const double *W = m->W + (3 * c + X) * (3 * m->count) + 3 * c + X;
  return s[0] * u[X] + s[1] * u[Y] > 0 &&
         sb_unilateral_speed(W, 3 * m->count, u + X) > m->left * size;
}

/** The nearest friction within its bound. */
static void enter_disc(double mu, double p[3]) {
  const double t = hypot(p[X], p[Y]), factor = t > mu * p[N] ? fmax(mu * p[N], 0) / t : 1;
  p[X] *= factor;
  p[Y] *= factor;
}

/** Forces that hold what sticks, with a part of its friction in reserve, from p on: by turns those that hold it and those within the bounds
 *  of friction, each the nearest to the last (von Neumann's alternating projections, which meet where the two sets do).
 *  @param enter  takes a force to within its bound  @return whether they have met */
static bool meet(sb_unilateral_problem *m, void (*enter)(double mu, double p[3]), double reserve,
                 double scratch[]) {
  for (int i = 0; i < PROJECTIONS; i++) {
    (void)sb_unilateral_balance(m, NULL, scratch);
    if (sb_unilateral_worst_pull(m) < 0 && largest_use(m) <= 1 - 0.5 * reserve) {
      return sb_unilateral_holds(m);
    }
    for (int c = 0; c < m->count; c++) {
      const sb_unilateral *contact = &m->contacts[c];
      enter(contact->sticks ? (1 - reserve) * contact->mu : HUGE_VAL, m->p + 3 * c);
    }
  }
  return false;
}

/** The nearest forces to p that hold what sticks with a tenth of its friction in reserve, or a hundredth and so on down to `lowest`.
 *  @return whether there are some */
static bool keep_reserve(sb_unilateral_problem *m, void (*enter)(double mu, double p[3]),
                         double lowest, const double p[], double scratch[]) {
  bool found = false;
  for (double reserve = most_reserve; !found && reserve > lowest; reserve *= 0.1) {
    memcpy(m->p, p, (size_t)(3 * m->count) * sizeof *p);
    found = meet(m, enter, reserve, scratch);
  }
  return found;
}

/** Where the share of least norm pulls at a contact, as at one of two in a corner that can be squeezed together, another may press at all.
 *  @param p  from which the nearest is taken */
static bool squeeze(sb_unilateral_problem *m, const double p[], double scratch[]) {
  balance_anew(m, NULL, scratch);
  return sb_unilateral_worst_pull(m) >= 0 &&
         keep_reserve(m, sb_unilateral_enter_cone, least_reserve, p, scratch);
}

void sb_unilateral_reserve(sb_unilateral_problem *m, double scratch[]) {
  const size_t size = (size_t)(3 * m->count) * sizeof *m->p;
  double *p = scratch;
  memcpy(p, m->p, size);
  const double lowest = fmax(least_reserve, 2 * (1 - largest_use(m)));
  if (!keep_reserve(m, enter_disc, lowest, p, scratch + 3 * m->count)) {
    memcpy(m->p, p, size);
  }
}

/** Whether a component is held: normal ones of what presses, tangential ones of what sticks. */
static bool is_held(const sb_unilateral_problem *m, int i) {
  const sb_unilateral *contact = &m->contacts[i / 3];
  return contact->acts && (i % 3 == N || contact->sticks);
}

/** Whether what is left of the flows u that are held is no more than `left`, counted by the speed of what moves most that has the energy u.W^-1 u. Two feet
 *  whose distance turns by a small angle s answer along it by s^2 of the response of each, and leave s times what their body does: by itself that may be
 *  next to nothing while the body is held by none. Where less than SB_UNILATERAL_NOTHING answers, none can hold it. */
static bool leaves_nothing(const sb_unilateral_problem *m, double scratch[]) {
  const int n = 3 * m->count;
  double *W = scratch, *x = W + n * n, *scale = x + n, *u = scale + n, *work = u + n, most = 0,
         energy = 0, size = 0;
  int *order = (int *)(void *)(work + n);
  for (int c = 0; c < m->count; c++) {
    double flow[3], own = 0;
    sb_unilateral_flow(m, c, flow);
    for (int k = 3 * c; k < 3 * c + 3; k++) {
      own = fmax(own, sb_unilateral_response(m, k, k));
    }
    most = fmax(most, own);
    for (int k = 3 * c; k < 3 * c + 3; k++) {
      scale[k] = own > 0 && is_held(m, k) ? 1 / sqrt(own) : 0;
      u[k] = scale[k] > 0 ? scale[k] * flow[k - 3 * c] : 0;
      size = scale[k] > 0 ? fmax(size, size_of_flow(m, k)) : size;
    }
  }
  for (int i = 0; i < n; i++) {
    x[i] = u[i];
    for (int k = 0; k < n; k++) {
      W[i * n + k] = scale[i] * scale[k] * sb_unilateral_response(m, i, k);
    }
  }
  (void)sb_solve_least_norm(W, x, n, n, SB_UNILATERAL_NOTHING, order, work);
  for (int i = 0; i < n; i++) {
    energy += u[i] * x[i];
  }
  return sqrt(fmax(energy, 0) * most) <= m->left * size;
}

// Feet in line share what acts along it in any way, and a pyramid whose feet yield takes some to their bounds. A slip without an
// acceleration would end at once, and begin again without end. Where it has ended so, the body is wedged, and any forces hold it that can.
void sb_unilateral_spare(sb_unilateral_problem *m, sb_unilateral kept[], double scratch[]) {
  const size_t size = (size_t)m->count * sizeof *kept,
               size_p = (size_t)(3 * m->count) * sizeof *m->p;
  double *p = scratch;
  bool any = false, wedged = false;
  memcpy(kept, m->contacts, size);
  memcpy(p, m->p, size_p);
  scratch += 3 * m->count;
  const double left = m->left;
  m->left = sqrt(SB_UNILATERAL_RANK_TOL);
  for (int c = 0; c < m->count; c++) {
    sb_unilateral *contact = &m->contacts[c];
    const bool begins = contact->acts && contact->rubs && !contact->slides && !contact->sticks;
    const bool stands = begins && !accelerates(m, c);
    contact->sticks = contact->sticks || stands;
    contact->slides = contact->slides || (begins && !stands);
    any = any || stands;
    wedged = wedged || (stands && contact->ended);
  }
  bool found = any && squeeze(m, p, scratch);
  found = found ||
          (wedged && keep_reserve(m, sb_unilateral_enter_cone, least_reserve, p, scratch)) ||
          (any && sb_unilateral_share(m, scratch));
  for (int c = 0; c < m->count; c++) {
    m->contacts[c].slides = kept[c].slides;
  }
  if (!(found && sb_unilateral_holds(m) && leaves_nothing(m, scratch))) {
    memcpy(m->contacts, kept, size);
    memcpy(m->p, p, size_p);
  }
  m->left = left;
}
