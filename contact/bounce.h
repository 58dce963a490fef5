// SPDX-License-Identifier: GPL-3.0-or-later
// One impact without gravity by integration: m z'' = -f(z, z') from z = 0 at the speed v until the force ends. With
// z = L s^2, z' = v u and dt = 2 s (L/v) dw it is regular at the touch for forces with a root there,
//   ds/dw = u,   du/dw = -2 s f L/(m v^2).
#ifndef SB_CONTACT_BOUNCE_H
#define SB_CONTACT_BOUNCE_H

#include "contact/law.h"

typedef struct sb_bounce {
  /** f L/(m v^2) = s^(2n) + G s^(2p) |u|^q sign(u), of a law of powers. */
  double n, p, q, G;
  /** Or the force of any law, where this is not NULL. */
  const sb_contact_law *law;
  double b, factor;     // its damping, and what its viscous function counts with
  double length, speed; // [m], [m/s] L and v
  double mass;          // [kg]
  bool pulls;           // it lasts until the depth is zero, not until the force is
} sb_bounce;

/** The length in which the spring of a law stops a mass [m]; 0: it never does. */
double sb_bounce_length(const sb_contact_law *law, double m, double v);
/** @return false: too many steps, or the force is not a number */
bool sb_bounce_run(const sb_bounce *bounce, double *e);

#endif
