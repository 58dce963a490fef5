// SPDX-License-Identifier: GPL-3.0-or-later
// The state of a tree to velocities, and loads to rates, in time proportional to the number of bodies and without M. All
// work on scratch memory of the caller, (sb_tree_scratch()) doubles, and allocate nothing; each says what must
// stand there. The order is sb_tree_place(), sb_tree_solve(), and then all others, in any order and as often as wanted.
//
// Wrenches and twists are in world axes about the world's origin, as at the port of a body. Arrays of velocities,
// momenta and efforts have sb_tree_velocities() numbers, q and qdot sb_tree_coordinates(), arrays of wrenches and
// twists one for each body. The outputs must not alias the inputs.
#ifndef SB_MECHANISM_RECURSION_H
#define SB_MECHANISM_RECURSION_H

#include "core/base/export.h"
#include "mechanism/tree.h"

/** Poses of all links from the coordinates. */
SB_API void sb_tree_place(const sb_tree *tree, const double q[], double scratch[]);
/** The same, and all that follows, from another point than the world's origin: what is far away keeps its digits. */
SB_API void sb_tree_place_from(const sb_tree *tree, const double q[], sb_vec3 point,
                               double scratch[]);

/** v = M(q)^-1 p and all twists, and leaves the factors of M for sb_tree_response(). Needs the poses.
 *  @param v  out; may be NULL
 *  @return 0; 1 + the body whose joint moves nothing that has inertia against it in this position: M is singular */
SB_API int sb_tree_solve(const sb_tree *tree, const double p[], double scratch[], double v[]);

/** p = M(q) v and all twists, as from here on the velocities v hold. Needs the poses; leaves the factors as they are.
 *  @param p  out; may be NULL */
SB_API void sb_tree_move(const sb_tree *tree, const double v[], double scratch[], double p[]);

/** qdot, and pdot = d/dt(M v) under the loads, gravity and the springs of the joints. Needs poses and twists.
 *  @param tau      efforts of the joints, in the direction of v; NULL: none
 *  @param wrenches on the bodies; NULL: none */
SB_API void sb_tree_rates(const sb_tree *tree, const double q[], const double tau[],
                          const sb_wrench wrenches[], double scratch[], double qdot[],
                          double pdot[]);

/** H_b^0 of a body's frame, and its twist. Need poses; and twists. */
SB_API sb_pose sb_tree_pose(const sb_tree *tree, const double scratch[], int body);
SB_API sb_twist sb_tree_twist(const sb_tree *tree, const double scratch[], int body);

/** p.v / 2 [J]. Needs nothing in the scratch memory. */
SB_API double sb_tree_kinetic(const sb_tree *tree, const double p[], const double v[]);
/** What the rounding of the kinetic energy is a fraction of [J]: sum |p v|/2, and of each link |J| w^2/2 + |m c| |w| |V| + m V^2/2
 *  at its origin; much more than the energy where a centre of mass lies far off and rests. Needs poses and twists. */
SB_API double sb_tree_kinetic_terms(const sb_tree *tree, const double p[], const double v[],
                                    const double scratch[]);

/** V(q) [J]. Needs the poses.
 *  @param gradient  out: with Vdot = gradient.v; NULL: not wanted. It writes to the scratch memory only then
 *  @param terms     out: the sum of the absolute values of the terms of V [J]; may be NULL */
SB_API double sb_tree_potential(const sb_tree *tree, const double q[], double scratch[],
                                double gradient[], double *terms);

#endif
