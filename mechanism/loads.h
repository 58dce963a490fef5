// SPDX-License-Identifier: GPL-3.0-or-later
// What loads and joints weigh without any motion: efforts of wrenches, and the inertia against each velocity alone. Conventions
// and scratch memory are those of mechanism/recursion.h; both need the poses.
#ifndef SB_MECHANISM_LOADS_H
#define SB_MECHANISM_LOADS_H

#include "mechanism/recursion.h"

/** out = tau + J^T W, (velocities). @param tau, wrenches  NULL: none; out may be tau */
void sb_tree_generalised(const sb_tree *tree, const double tau[], const sb_wrench wrenches[],
                         double scratch[], double out[]);

/** The diagonal of M(q), (velocities): the inertia against a velocity while all others are zero. It overwrites the factors
 *  of sb_tree_solve(). */
void sb_tree_diagonal(const sb_tree *tree, double scratch[], double diagonal[]);

#endif
