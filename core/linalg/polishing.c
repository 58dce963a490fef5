// SPDX-License-Identifier: GPL-3.0-or-later
// Which contacts press, stick and slip is given: their forces, and the directions of slips that begin, by Newton's method (unilateral.c), and
// whether the conditions of unilateral.h hold with them.
#include "core/linalg/unilateral_private.h"

#include <math.h>
#include <stddef.h>

#include "core/linalg/dense.h"

enum { N = SB_CONTACT_N, X = SB_CONTACT_X, Y = SB_CONTACT_Y };
enum { POLISHINGS = 20 };
/** Largest turn of a slip direction in a step of Newton's method [rad]. */
#define TURN_MAX 0.3
/** Directions of slips count as found when they turn by less than `settled` [rad], conditions as met within `solved`. */
static const double settled = 1e-14, solved = SB_UNILATERAL_SOLVED_TO;

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

double sb_unilateral_speed(const double W[], int columns, const double u[2]) {
  const double a = W[0], b = W[1], d = W[columns + 1], most = fmax(a, d), det = a * d - b * b;
  const double square = d * u[0] * u[0] - 2 * b * u[0] * u[1] + a * u[1] * u[1];
  const double speed = hypot(u[0], u[1]);
  return det > SB_UNILATERAL_NOTHING * most * most ? fmax(speed, sqrt(square * most / det)) : speed;
}

static void set_sliding(problem *m, int c, double force, const double s[2]) {
  double *p = m->p + 3 * c;
  const double mu = m->contacts[c].rubs && force != 0 ? m->contacts[c].mu : 0;
  p[N] = force;
  p[X] = -mu * force * s[0];
  p[Y] = -mu * force * s[1];
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
  const sb_unilateral *contact = &m->contacts[c];
  const int n = 3 * c + N;
  const double along =
      contact->s[0] * response(m, n, 3 * c + X) + contact->s[1] * response(m, n, 3 * c + Y);
  return contact->slides && contact->rubs &&
         !(response(m, n, n) - contact->mu * along > SB_UNILATERAL_SOLVED_TO * response(m, n, n));
}

/** Whether the slip direction of a contact is an unknown: it begins to slip here, under a normal force. */
static bool turns(const problem *m, int c) {
  const sb_unilateral *contact = &m->contacts[c];
  return contact->acts && contact->rubs && !contact->slides && !contact->sticks && m->p[3 * c] > 0;
}

/** Number of unknowns of a contact: 3 forces if it sticks; p_n alone if its slip direction is given; p_n and g dtheta if that
 *  direction is found, too (dtheta: its change in this step of Newton's method, g: sharpness()); none if it separates. */
static int unknowns_of(const problem *m, int c) {
  const sb_unilateral *contact = &m->contacts[c];
  return contact->acts ? contact->sticks ? 3 : 1 + turns(m, c) : 0;
}

/** g = p_n + |u_t|/w with the own response w: a turn dtheta changes forces by mu p_n dtheta and s x u_t by |u_t| dtheta, either of which
 *  may be next to nothing, so that g dtheta is of the size of a force. */
static double sharpness(const problem *m, int c) {
  double u[3], w = response(m, 3 * c + X, 3 * c + X) + response(m, 3 * c + Y, 3 * c + Y);
  sb_unilateral_flow(m, c, u);
  return m->p[3 * c] + (w > 0 ? hypot(u[X], u[Y]) / w : 0);
}

/** Entry of the Jacobian: derivative of residual k of contact c by unknown j of contact d. */
static double entry(const problem *m, int d, int j, int c, int k) {
  const double *s = m->contacts[d].s, mu = m->contacts[d].mu, *to = m->contacts[c].s;
  const bool turning = j == 1 && turns(m, d);
  const double g = turning ? sharpness(m, d) : 1, force = mu * m->p[3 * d] / g;
  double column[3] = {0};
  for (int i = 0; i < 3; i++) {
    column[i] = turning ? force * (s[1] * response(m, 3 * c + i, 3 * d + X) -
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
    own = -(to[0] * u[X] + to[1] * u[Y]) / g;
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

/** Adds a step of Newton's method to the force and the slip direction of a contact.
 *  @param sharp  sharpness() before the step  @return the turn of the direction [rad] */
static double take(problem *m, int c, const double change[], int own, double sharp, double factor) {
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
    turned = fmax(fmin(change[1] / sharp, TURN_MAX), -TURN_MAX);
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
    (void)sb_solve_least_norm(a, rhs, n, n, m->rank, order, work);
  }
  for (int c = 0; c < m->count; c++) { // all before the first force changes
    work[c] = turns(m, c) ? sharpness(m, c) : 1;
  }
  double turned = 0;
  for (int c = 0, next = 0; c < m->count; c++) {
    const int count = unknowns_of(m, c);
    turned = fmax(turned, take(m, c, rhs + next, count, work[c], weight != NULL ? weight[c] : 1));
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
    const double left = fmax(own, m->left * size);
    sb_unilateral_flow(m, c, u);
    bool held = !contact->sticks || (hypot(p[X], p[Y]) <= contact->mu * p[N] * (1 + solved) &&
                                     hypot(u[X], u[Y]) <= left);
    if (!contact->acts && !isinf(contact->mu)) { // nothing presses: no friction
      held = hypot(p[X], p[Y]) <= contact->mu * fmax(p[N], 0) + solved * most;
    }
    if (contact->acts && contact->rubs && !contact->slides && !contact->sticks) { // along its slip
      held = fabs(contact->s[0] * u[Y] - contact->s[1] * u[X]) <= own &&
             (contact->fades || contact->s[0] * u[X] + contact->s[1] * u[Y] >= -own);
    }
    const double least = solved * size;
    const bool closed = contact->acts ? fabs(u[N]) <= fmax(least, m->left * size) : u[N] >= -least;
    if (!(p[N] >= -solved * most) || !closed || !held) {
      return false;
    }
  }
  return true;
}

bool sb_unilateral_find_directions(sb_unilateral_problem *m, double scratch[]) {
  for (int i = 0; i < POLISHINGS; i++) {
    if (sb_unilateral_balance(m, NULL, scratch) < settled) {
      break;
    }
  }
  return sb_unilateral_holds(m);
}
