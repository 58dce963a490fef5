// SPDX-License-Identifier: GPL-3.0-or-later
// What constraints and controllers ask of a tree beyond its rates. Conventions and scratch memory are those of
// mechanism/recursion.h; every function needs poses and, where it says so, twists or factors.
#ifndef SB_MECHANISM_DYNAMICS_H
#define SB_MECHANISM_DYNAMICS_H

#include "core/base/export.h"
#include "mechanism/recursion.h"

/** dv = M^-1 (tau + J^T W), and the change of all twists with it: accelerations by loads, or jumps by impulses. Needs
 *  the factors of sb_tree_solve(), and leaves poses, factors and twists as they are.
 *  @param tau, wrenches  NULL: none
 *  @param dv, dtwists    out; NULL: not wanted */
SB_API void sb_tree_response(const sb_tree *tree, const double tau[], const sb_wrench wrenches[],
                             double scratch[], double dv[], sb_twist dtwists[]);

/** The efforts tau = M vdot + C v - (gravity, springs) - J^T W that make the joints move with vdot (inverse dynamics).
 *  Needs the twists. With vdot NULL, which is zero, and no wrenches: the bias C v + dV/dq, so that
 *  vdot = sb_tree_response(tau - bias, W). */
SB_API void sb_tree_inverse(const sb_tree *tree, const double q[], const double vdot[],
                            const sb_wrench wrenches[], double scratch[], double tau[]);

/** d/dt of the twists, about the world's origin in world axes. Needs the twists. @param vdot  NULL: zero */
SB_API void sb_tree_accelerations(const sb_tree *tree, const double vdot[], double scratch[],
                                  sb_twist rates[]);

/** The momentum of all that moves [N s], world axes, and its rate [N]. Needs the twists. */
SB_API void sb_tree_momentum(const sb_tree *tree, const double vdot[], double scratch[],
                             sb_vec3 *momentum, sb_vec3 *rate);

/** M(q), (n x n) row-major, by composite bodies. Needs the poses. */
SB_API void sb_tree_mass_matrix(const sb_tree *tree, double scratch[], double M[]);

/** The columns of a body's twist about the world's origin: twist = J v, (6 x n) row-major, angular part first. Needs
 *  the poses. */
SB_API void sb_tree_jacobian(const sb_tree *tree, const double scratch[], int body, double J[]);

/** One of these columns, by the index of its velocity: zero where the joint does not carry the body. Needs the poses. */
SB_API sb_twist sb_tree_column(const sb_tree *tree, const double scratch[], int body, int velocity);

#endif
