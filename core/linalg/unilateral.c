// SPDX-License-Identifier: GPL-3.0-or-later
// Forces or impulses p of rigid contacts with Coulomb's friction: solves u = b + W p with the conditions of unilateral.h.
// 1. sharing.c tries the case in which no contact begins to slip.
// 2. Else pyramid.c solves them with a cone of friction that has edges, by Lemke's method, which always finds a solution.
// 3. It tells which contacts press, stick and slip. With that fixed the conditions are equations, which Newton's
//    method solves to rounding; where W is singular (redundant contacts) the p of least norm (least_share.c), or else as close to that of 2 as can be.
// Where the true cone asks for other states, the pyramid gets an edge along the friction that was found, and more edges; where all
// these fail, sweeps.c tells the states.
#include "core/linalg/unilateral_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/linalg/dense.h"

enum { N = SB_CONTACT_N, X = SB_CONTACT_X, Y = SB_CONTACT_Y };
enum { TRIALS = 6, POLISHINGS = 20 };
/** Largest turn of a slip direction in a step of Newton's method [rad]. */
#define TURN_MAX 0.3
/** Directions of slips count as found when they turn by less than `settled` [rad], conditions as met within `solved`. */
static const double settled = 1e-14, solved = SB_UNILATERAL_SOLVED_TO;
/** What shares of feet that yield are off, of their friction. */
static const double at_bound = 1e-7;
/** Of the flows of a problem, by which others beside it differ. */
static const double nearest = 1e-6, farthest = 1.5e-3, golden = 0.6180339887498949;

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
