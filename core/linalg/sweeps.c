// SPDX-License-Identifier: GPL-3.0-or-later
// Last attempt of the contact solver (unilateral.c): nonsmooth Gauss-Seidel sweeps (Jourdan, Alart and Jean, CMAME 155, 1998). With
// u* = u + mu |u_t| n the conditions of contact and friction say that p is in the cone K of friction, u* in its dual, and
// p . u* = 0 (De Saxce and Feng, Math. Comput. Modelling 28, 1998), which is
//   p = projection onto K of (p - r u*)
// for any r > 0. The contacts are asked one after the other, with r = 1/trace of their own response. Sweeps converge slowly, but
// hardly depend on what the pyramid and its edges make of a solution; what they find tells which contacts press, stick and slip.
#include <math.h>
#include <string.h>

#include "core/linalg/unilateral_private.h"

enum { N = SB_CONTACT_N, X = SB_CONTACT_X, Y = SB_CONTACT_Y, SWEEPS = 20000 };
/** Forces that change by less than this fraction of the largest in a sweep are found; what is as close to its bound slips. */
static const double settled = 1e-14, at_bound = 1e-7;

void sb_unilateral_enter_cone(double mu, double p[3]) {
  const double t = hypot(p[X], p[Y]), n = p[N];
  if (t <= mu * n || isinf(mu)) {
    p[N] = fmax(n, 0);
    return;
  }
  const double force = fmax((n + mu * t) / (1 + mu * mu), 0), factor = t > 0 ? mu * force / t : 0;
  p[N] = force;
  p[X] *= factor;
  p[Y] *= factor;
}

/** The force of one contact by the flow that the others leave it. What slides along s has one unknown, p = p_n (1, -mu s). */
static void ask(sb_unilateral_problem *m, int c) {
  const sb_unilateral *contact = &m->contacts[c];
  const double mu = contact->rubs ? contact->mu : 0, *s = contact->s;
  double *p = m->p + 3 * c, u[3], trace = 0;
  sb_unilateral_flow(m, c, u);
  for (int k = 3 * c; k < 3 * c + (mu > 0 ? 3 : 1); k++) {
    trace += sb_unilateral_response(m, k, k);
  }
  if (!(trace > 0)) {
    return;
  }
  if (contact->slides) {
    p[N] = fmax(p[N] - u[N] / trace, 0);
    p[X] = -mu * p[N] * s[0];
    p[Y] = -mu * p[N] * s[1];
    return;
  }
  const double raised = isinf(mu) ? 0 : mu * hypot(u[X], u[Y]);
  p[N] -= (u[N] + raised) / trace;
  p[X] -= u[X] / trace;
  p[Y] -= u[Y] / trace;
  sb_unilateral_enter_cone(mu, p);
}

static void sweep(sb_unilateral_problem *m) {
  double change = HUGE_VAL, largest = 0;
  memset(m->p, 0, (size_t)(3 * m->count) * sizeof *m->p);
  for (int i = 0; i < SWEEPS && !(change <= settled * largest); i++) {
    change = largest = 0;
    for (int c = 0; c < m->count; c++) {
      const double before[3] = {m->p[3 * c], m->p[3 * c + 1], m->p[3 * c + 2]};
      if (isinf(m->b[3 * c])) {
        continue;
      }
      ask(m, c);
      for (int k = 0; k < 3; k++) {
        change = fmax(change, fabs(m->p[3 * c + k] - before[k]));
        largest = fmax(largest, fabs(m->p[3 * c + k]));
      }
    }
  }
}

bool sb_unilateral_sweep(sb_unilateral_problem *m) {
  double largest = 0;
  sweep(m);
  for (int c = 0; c < m->count; c++) {
    largest = fmax(largest, m->p[3 * c]);
  }
  for (int c = 0; c < m->count; c++) {
    sb_unilateral *contact = &m->contacts[c];
    const double *p = m->p + 3 * c, friction = hypot(p[X], p[Y]);
    contact->acts = p[N] > SB_UNILATERAL_SOLVED_TO * largest;
    contact->sticks = contact->acts && contact->rubs && !contact->slides &&
                      friction < contact->mu * p[N] * (1 - at_bound);
    if (contact->acts && contact->rubs && !contact->slides && !contact->sticks && friction > 0) {
      contact->s[0] = -p[X] / friction;
      contact->s[1] = -p[Y] / friction;
    }
  }
  return largest > 0;
}
