// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the momenta of a tree that its motion as a whole has (Koenig). Joints that shift along axes which stay in the world, between the
// world and whatever turns, give the tree a velocity V that a method integrates exactly; all that turns has of
// it a momentum g = S^T (F x V, m V), F and m the first moment and the mass of what a joint moves, F about its link's origin. That changes with the
// angles, by as much as V is large. p - g is what an observer sees who goes along.
#ifndef SB_MECHANISM_BOOST_H
#define SB_MECHANISM_BOOST_H

#include "mechanism/tree.h"

/** Whether all that the world carries shifts, and something on it turns. */
bool sb_tree_drifts(const sb_tree *tree);

/** g(q, p), (velocities); zero of the joints that V is of: p may have g taken off. Needs the poses. */
void sb_tree_boost(const sb_tree *tree, const double p[], double scratch[], double g[]);

/** dg/dt. Needs the twists. @param pdot  of p */
void sb_tree_boost_rate(const sb_tree *tree, const double p[], const double pdot[],
                        double scratch[], double gdot[]);

#endif
