// SPDX-License-Identifier: GPL-3.0-or-later
// The direction s in which a contact begins to slip. Friction opposes the slip that results from it, which is an equation for s:
//   s x u_t = 0,  s . u_t > 0   for  u_t = D(s) k + w - mu W_tt s,   D = W_nn - mu w . s,   w = W_tn,
// all per unit of normal force. k is zero for an impact; for forces it is the tangential flow without any force, relative to the normal
// force that a contact without friction would have, times 1/W_nn. An impact has exactly one solution where friction cannot hold
// (Bhatt and Koechling, J. Appl. Mech. 62, 1995). All roots are found around the circle; the one with the fastest slip is taken.
#include <math.h>

#include "core/linalg/unilateral_private.h"

enum { X = SB_CONTACT_X, Y = SB_CONTACT_Y, DIRECTIONS = 48, BISECTIONS = 60 };
static const double turn = 2 * 3.14159265358979323846;

typedef struct slip {
  const double *W, *k;
  double mu;
} slip;

/** u_t where it slips along s. @return whether contact lasts with it */
static bool flow_along(const slip *m, const double s[2], double u[2]) {
  const double *W = m->W, D = W[0] - m->mu * (W[X] * s[0] + W[Y] * s[1]);
  for (int i = 0; i < 2; i++) {
    const double *row = W + 3 * (1 + i);
    u[i] = D * m->k[i] + row[0] - m->mu * (row[X] * s[0] + row[Y] * s[1]);
  }
  return D > 0 || (m->k[0] == 0 && m->k[1] == 0);
}

/** s x u_t at an angle. @param along  out: s . u_t; below zero where contact does not last */
static double cross_at(const slip *m, double angle, double s[2], double *along) {
  double u[2];
  s[0] = cos(angle);
  s[1] = sin(angle);
  *along = flow_along(m, s, u) ? s[0] * u[0] + s[1] * u[1] : -1;
  return s[0] * u[1] - s[1] * u[0];
}

/** The root between two angles, by bisection. */
static double root_between(const slip *m, double low, double high, double first) {
  double s[2], along;
  for (int i = 0; i < BISECTIONS; i++) {
    const double middle = 0.5 * (low + high);
    *(first * cross_at(m, middle, s, &along) > 0 ? &low : &high) = middle;
  }
  return 0.5 * (low + high);
}

bool sb_slip_direction(const double W[9], const double k[2], double mu, double s[2]) {
  const slip m = {W, k, mu};
  double fastest = 0, along, own[2], before = cross_at(&m, 0, own, &along);
  for (int i = 0; i < DIRECTIONS; i++) {
    const double low = turn * i / DIRECTIONS, high = turn * (i + 1) / DIRECTIONS;
    const double first = before;
    before = cross_at(&m, high, own, &along);
    if (first == 0 || first * before < 0) {
      (void)cross_at(&m, first == 0 ? low : root_between(&m, low, high, first), own, &along);
      if (along > fastest) {
        fastest = along;
        s[0] = own[0];
        s[1] = own[1];
      }
    }
  }
  return fastest > 0;
}
