// SPDX-License-Identifier: GPL-3.0-or-later
// Forces or impulses p of rigid contacts with Coulomb's friction: solves u = b + W p with the conditions of unilateral.h.
// 1. sharing.c tries the case in which no contact begins to slip.
// 2. Else block Gauss-Seidel sweeps: each contact is solved by itself with the forces of the others fixed, until nothing
//    changes (Jourdan, Alart, Jean, "A Gauss-Seidel like algorithm to solve frictional contact problems", Comput. Methods
//    Appl. Mech. Eng. 155, 1998). They converge for symmetric W >= 0 without friction, and mostly with it.
// 3. The sweeps tell which contacts press, stick and slip. With that fixed the conditions are equations, which Newton's
//    method solves to rounding; a singular W (redundant contacts) leaves p as close to that of the sweeps as can be.
// Where this fails, combinations.c tries all states of a few contacts.
#include "core/linalg/unilateral_private.h"

#include <math.h>
#include <string.h>

#include "core/linalg/dense.h"

enum { N = SB_CONTACT_N, X = SB_CONTACT_X, Y = SB_CONTACT_Y };
enum { SWEEPS = 2000, POLISHINGS = 20 };
/** Largest turn of a slip direction in a step of Newton's method [rad]. */
#define TURN_MAX 0.3
/** Sweeps end when p changes by less than `settled`, relative to the largest p; conditions count as met within `solved`. */
static const double settled = 1e-14, solved = SB_UNILATERAL_SOLVED_TO, rank_tol = 1e-11;

typedef sb_unilateral_problem problem;

static double response(const problem *m, int i, int j) {
  return sb_unilateral_response(m, i, j);
}

void sb_unilateral_flow(const sb_unilateral_problem *m, int c, double u[3]) {
  for (int i = 0; i < 3; i++) {
    u[i] = m->b[3 * c + i];
    for (int j = 0; j < 3 * m->count; j++) {
      u[i] += response(m, 3 * c + i, j) * m->p[j];
    }
  }
}

/** Normal force of a contact that slides along s, from u_n = 0 with p_t = -mu p_n s and the forces of the others fixed. NAN if
 *  du_n/dp_n = W_nn - mu W_nt.s is not positive (Painleve). */
static double sliding_force(const problem *m, int c, const double u[3], const double s[2]) {
  const double *p = m->p + 3 * c;
  double mu = m->contacts[c].rubs ? m->contacts[c].mu : 0;
  double a = response(m, 3 * c, 3 * c), without = u[N] - a * p[N];
  for (int k = 0; k < 2; k++) {
    double w = response(m, 3 * c, 3 * c + 1 + k);
    without -= w * p[1 + k];
    a -= mu * s[k] * w;
  }
  return a > 0 ? fmax(-without / a, 0) : NAN;
}

static void set_sliding(problem *m, int c, double force, const double s[2]) {
  double *p = m->p + 3 * c;
  const double mu = m->contacts[c].rubs && force != 0 ? m->contacts[c].mu : 0;
  p[N] = force;
  p[X] = -mu * force * s[0];
  p[Y] = -mu * force * s[1];
}

/** Results of stick(): the force is set; the contact slips; no force satisfies its conditions. */
enum { SET, SLIPS, JAMS };

/** Solves one contact with the forces of the others fixed: p = 0 if it separates (u_n >= 0 without a force); else the p that makes
 *  u = 0, if it is within the friction cone; else the direction s in which it slips. */
static int stick(problem *m, int c, const double u[3], double s[2]) {
  double a[12], W[9], free[3], *p = m->p + 3 * c;
  int pivots[3];
  for (int i = 0; i < 3; i++) {
    free[i] = u[i];
    for (int j = 0; j < 3; j++) {
      a[4 * i + j] = W[3 * i + j] = response(m, 3 * c + i, 3 * c + j);
      free[i] -= a[4 * i + j] * p[j];
    }
    a[4 * i + 3] = -free[i];
  }
  memset(p, 0, 3 * sizeof *p);
  if (!(free[N] < 0)) {
    return SET;
  }
  int rank = sb_eliminate(a, 3, 4, 3, rank_tol, pivots);
  double next[3] = {0, 0, 0};
  for (int r = 0; r < rank; r++) {
    next[pivots[r]] = a[4 * r + 3];
  }
  if (next[N] > 0 && hypot(next[X], next[Y]) <= m->contacts[c].mu * next[N]) {
    memcpy(p, next, sizeof next);
    return SET;
  }
  const double k[2] = {-free[X] / free[N], -free[Y] / free[N]};
  return sb_slip_direction(W, k, m->contacts[c].mu, s) ? SLIPS : JAMS;
}

bool sb_unilateral_solve_one(sb_unilateral_problem *m, int c) {
  sb_unilateral *contact = &m->contacts[c];
  double u[3], s[2] = {contact->s[0], contact->s[1]};
  sb_unilateral_flow(m, c, u);
  if (contact->rubs && !contact->slides) {
    const int does = stick(m, c, u, s);
    if (does != SLIPS) {
      return does == SET;
    }
    memcpy(contact->s, s, sizeof s);
    sb_unilateral_flow(m, c, u);
  }
  const double force = sliding_force(m, c, u, s);
  set_sliding(m, c, isnan(force) ? 0 : force, s);
  return !isnan(force);
}

/** From the forces that were found: which contacts press, and which of these stick. */
static void classify(problem *m) {
  double most = 0;
  for (int c = 0; c < m->count; c++) {
    most = fmax(most, m->p[3 * c]);
  }
  for (int c = 0; c < m->count; c++) {
    sb_unilateral *contact = &m->contacts[c];
    const double *p = m->p + 3 * c;
    contact->acts = p[N] > solved * most;
    contact->sticks = contact->rubs && !contact->slides &&
                      (isinf(contact->mu) || hypot(p[X], p[Y]) < contact->mu * p[N] * (1 - solved));
  }
}

/** Derivative of the flow i by unknown j of contact c. Unknown 0 is the normal force, which in slip brings its friction with it,
 *  p = p_n (1, -mu s); 1 and 2 are the tangential forces of a contact that sticks. */
static double slope(const problem *m, int c, int j, int i) {
  const sb_unilateral *contact = &m->contacts[c];
  double a = response(m, i, 3 * c + j);
  if (j == 0 && contact->rubs && !contact->sticks) {
    a -= contact->mu *
         (contact->s[0] * response(m, i, 3 * c + X) + contact->s[1] * response(m, i, 3 * c + Y));
  }
  return a;
}

bool sb_unilateral_jams(const sb_unilateral_problem *m, int c) {
  return m->contacts[c].acts && m->contacts[c].slides && !(slope(m, c, 0, 3 * c) > 0);
}

/** Whether the slip direction of a contact is an unknown: it begins to slip here, under a normal force. */
static bool turns(const problem *m, int c) {
  const sb_unilateral *contact = &m->contacts[c];
  return contact->acts && contact->rubs && !contact->slides && !contact->sticks && m->p[3 * c] > 0;
}

/** Number of unknowns of a contact: 3 forces if it sticks; p_n alone if its slip direction is given; p_n and p_n dtheta if that
 *  direction is found, too (dtheta: its change in this step of Newton's method); none if it separates. */
static int unknowns_of(const problem *m, int c) {
  const sb_unilateral *contact = &m->contacts[c];
  return contact->acts ? contact->sticks ? 3 : 1 + turns(m, c) : 0;
}

/** Entry of the Jacobian: derivative of residual k of contact c by unknown j of contact d. */
static double entry(const problem *m, int d, int j, int c, int k) {
  const double *s = m->contacts[d].s, mu = m->contacts[d].mu, *to = m->contacts[c].s;
  const bool turning = j == 1 && turns(m, d);
  double column[3] = {0};
  for (int i = 0; i < 3; i++) {
    column[i] = turning ? mu * (s[1] * response(m, 3 * c + i, 3 * d + X) -
                                s[0] * response(m, 3 * c + i, 3 * d + Y))
                        : slope(m, d, j, 3 * c + i);
  }
  if (!(k == 1 && turns(m, c))) {
    return column[k];
  }
  double own = 0;
  if (d == c && turning) { // derivative of s x u_t by the direction s itself
    double u[3];
    sb_unilateral_flow(m, c, u);
    own = -(to[0] * u[X] + to[1] * u[Y]) / m->p[3 * c];
  }
  return to[0] * column[Y] - to[1] * column[X] + own;
}

/** Residual of a contact: its flow u; where the slip direction is unknown, s x u_t in place of the second component. */
static void residual(const problem *m, int c, double r[3]) {
  const double *s = m->contacts[c].s;
  sb_unilateral_flow(m, c, r);
  if (turns(m, c)) {
    r[1] = s[0] * r[Y] - s[1] * r[X];
  }
}

/** Adds a step of Newton's method to the force and the slip direction of a contact. @return the turn of the direction [rad] */
static double take(problem *m, int c, const double change[], int own, double factor) {
  sb_unilateral *contact = &m->contacts[c];
  double turned = 0;
  if (own == 3) {
    m->p[3 * c] += change[N];
    m->p[3 * c + X] += factor * change[X];
    m->p[3 * c + Y] += factor * change[Y];
    return 0;
  }
  if (own == 2) {
    const double s[2] = {contact->s[0], contact->s[1]};
    turned = fmax(fmin(change[1] / m->p[3 * c], TURN_MAX), -TURN_MAX);
    contact->s[0] = s[0] * cos(turned) - s[1] * sin(turned);
    contact->s[1] = s[1] * cos(turned) + s[0] * sin(turned);
  }
  set_sliding(m, c, own > 0 ? m->p[3 * c] + change[0] : 0, contact->s);
  return fabs(turned);
}

double sb_unilateral_balance(sb_unilateral_problem *m, const double weight[], double scratch[]) {
  int n = 0, row = 0;
  for (int c = 0; c < m->count; c++) {
    const int count = unknowns_of(m, c);
    n += count;
    if (count < 3) {
      set_sliding(m, c, count > 0 ? m->p[3 * c] : 0, m->contacts[c].s);
    }
  }
  double *a = scratch, *rhs = a + n * n, *work = rhs + n;
  int *order = (int *)(void *)(work + n);
  for (int c = 0; c < m->count; c++) {
    double r[3];
    residual(m, c, r);
    for (int k = 0; k < unknowns_of(m, c); k++, row++) {
      int column = 0;
      rhs[row] = -r[k];
      for (int d = 0; d < m->count; d++) {
        for (int j = 0; j < unknowns_of(m, d); j++) {
          a[row * n + column++] = entry(m, d, j, c, k) * (j > 0 && weight != NULL ? weight[d] : 1);
        }
      }
    }
  }
  if (n > 0) {
    (void)sb_solve_least_norm(a, rhs, n, n, rank_tol, order, work);
  }
  double turned = 0;
  for (int c = 0, next = 0; c < m->count; c++) {
    const int count = unknowns_of(m, c);
    turned = fmax(turned, take(m, c, rhs + next, count, weight != NULL ? weight[c] : 1));
    next += count;
  }
  return turned;
}

bool sb_unilateral_holds(const sb_unilateral_problem *m) {
  double most = 0, size = 0;
  for (int c = 0; c < m->count; c++) {
    most = fmax(most, fabs(m->p[3 * c]));
    size = isfinite(m->b[3 * c]) ? fmax(size, fabs(m->b[3 * c])) : size;
    for (int j = 0; j < 3 * m->count; j++) {
      size = fmax(size, fabs(response(m, 3 * c, j) * m->p[j]));
    }
  }
  for (int c = 0; c < m->count; c++) {
    const sb_unilateral *contact = &m->contacts[c];
    const double *p = m->p + 3 * c, *b = m->b + 3 * c;
    double u[3], own = solved * fmax(size, hypot(b[X], b[Y]));
    sb_unilateral_flow(m, c, u);
    bool held = !contact->sticks || (hypot(p[X], p[Y]) <= contact->mu * p[N] * (1 + solved) &&
                                     hypot(u[X], u[Y]) <= own);
    if (contact->acts && contact->rubs && !contact->slides && !contact->sticks) { // along its slip
      held = fabs(contact->s[0] * u[Y] - contact->s[1] * u[X]) <= own &&
             contact->s[0] * u[X] + contact->s[1] * u[Y] >= -own;
    }
    bool closed = u[N] >= -solved * size && (!contact->acts || u[N] <= solved * size);
    if (!(p[N] >= -solved * most) || !closed || !held) {
      return false;
    }
  }
  return true;
}

sb_unilateral_status sb_unilateral_solve(sb_unilateral contacts[], int count, const double W[],
                                         const double b[], double p[], double scratch[]) {
  problem m = {contacts, count, W, b, p};
  double *before = scratch;
  bool met = true;
  if (sb_unilateral_share(&m, scratch)) {
    return SB_UNILATERAL_SOLVED;
  }
  memset(p, 0, (size_t)(3 * count) * sizeof *p);
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    double change = 0, size = 0;
    memcpy(before, p, (size_t)(3 * count) * sizeof *p);
    met = true;
    for (int c = 0; c < count; c++) {
      met = sb_unilateral_solve_one(&m, c) && met;
    }
    for (int i = 0; i < 3 * count; i++) {
      change = fmax(change, fabs(p[i] - before[i]));
      size = fmax(size, fabs(p[i]));
    }
    if (change <= settled * size) {
      break;
    }
  }
  if (!met) {
    return count > 1 && sb_unilateral_combine(&m, scratch) ? SB_UNILATERAL_SOLVED
           : count > 1                                     ? SB_UNILATERAL_NOT_MET
           : b[0] < 0                                      ? SB_UNILATERAL_NONE
                                                           : SB_UNILATERAL_TWO;
  }
  classify(&m);
  for (int i = 0; i < POLISHINGS; i++) {
    if (sb_unilateral_balance(&m, NULL, scratch) < settled) {
      break;
    }
  }
  return sb_unilateral_holds(&m) || (count > 1 && sb_unilateral_combine(&m, scratch))
             ? SB_UNILATERAL_SOLVED
             : SB_UNILATERAL_NOT_MET;
}
