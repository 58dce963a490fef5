// SPDX-License-Identifier: GPL-3.0-or-later
// The elastic part of a contact by one stored energy V(x, y, z, theta), of whatever form: the general elastic
// element of Stramigioli and Duindam, section 4.2. z >= 0 is the depth. x and y are what the bodies have slid over
// each other since they touched and theta what they have turned about the normal: body 2 against body 1, the
// integrals of these components of T_2 - T_1. x runs along the projection of an axis of body 1 on the tangent
// plane, y across it, and what is remembered turns with that axis. An isotropic V depends on the length r of the
// tangential vector alone, which is carried along with the contact as the springs of the other laws are, and needs
// no axis. The loads are the gradient, so dV/dt = W . T exactly in both forms.
#ifndef SB_CONTACT_POTENTIAL_H
#define SB_CONTACT_POTENTIAL_H

#include "core/expression/expression.h"

enum sb_potential_coordinate {
  SB_POTENTIAL_X,
  SB_POTENTIAL_Y,
  SB_POTENTIAL_Z,
  SB_POTENTIAL_THETA,
  SB_POTENTIAL_DIM
};
/** Slots of the variables of an expression: x, y, z, theta, and r in place of x and y. */
enum { SB_POTENTIAL_R = SB_POTENTIAL_DIM, SB_POTENTIAL_SLOTS };

/** V(q) [J] of q = (x, y, z, theta) [m, m, m, rad], z >= 0; not finite where it is not defined. An isotropic one is
 *  asked with x = r >= 0 and y = 0. It is called in every evaluation: no allocation, no memory of its own.
 *  Its gradient is smooth: kinks are located as events in expressions alone, those of a function are met by short steps.
 *  @param gradient  out: dV/dq [N, N, N, N m] */
typedef double (*sb_potential_function)(void *context, const double q[SB_POTENTIAL_DIM],
                                        double gradient[SB_POTENTIAL_DIM]);

typedef struct sb_potential {
  sb_expression *energy;          // over the slots; lent, copied into the graph; NULL: the function
  sb_potential_function function; // NULL: the expression
  void *context;                  // of the function; outlives the model
  bool isotropic; // of the function: V(r, z, theta); of an expression it follows from its variables
  double axis[3]; // in body 1, of any length: x is along its projection on the tangent plane
} sb_potential;

/** V and its gradient at q, z of any sign: as an even function of z, so that a step may run past the end of a
 *  contact.
 *  @param branches  of the expression, that are held between events (sb_at); NULL: by the present arguments
 *  @return not finite where V is not defined */
SB_API double sb_potential_energy(const sb_potential *potential, bool isotropic,
                                  const double q[SB_POTENTIAL_DIM], const sb_branches *branches,
                                  double gradient[SB_POTENTIAL_DIM]);

/** The sum of the absolute values of the terms that V is computed from: V is known to the rounding of it [J]. */
SB_API double sb_potential_terms(const sb_potential *potential, bool isotropic,
                                 const double q[SB_POTENTIAL_DIM], const sb_branches *branches);

/** Whether V depends on x and y by r alone. */
SB_API bool sb_potential_isotropic(const sb_potential *potential);

/** Whether the quadratic part of V where the bodies touch is negative along some way that they can take, z >= 0, beyond
 *  rounding; derivatives that are not finite there, as of z^1.5, do not count (potential_saddle.c).
 *  @param way  out: such a one, of which the largest number is 1 [m, m, m, rad]; r stands in the place of x */
SB_API bool sb_potential_saddle(const sb_potential *potential, bool isotropic,
                                double way[SB_POTENTIAL_DIM]);

/** Where the bodies touch nothing is stored and nothing pressed: V and its gradient are zero at q = 0, and V does not begin
 *  to fall there.
 *  @param law  the name of the normal law, for the error
 *  @return SB_ERR_MISSING without a V, SB_ERR_CHOICE for an expression of x or y and of r, SB_ERR_RANGE, worded */
SB_API sb_status sb_potential_check(const sb_potential *potential, const char *law, sb_error *err);

#endif
