// SPDX-License-Identifier: GPL-3.0-or-later
// What the joints of a tree carry: the wrench of each on its body, by Newton's and Euler's laws for all that it moves. It
// holds everything that acts in the joint, springs and motors too: along the joint's velocities it is their effort.
#ifndef SB_MECHANISM_REACTION_H
#define SB_MECHANISM_REACTION_H

#include "mechanism/recursion.h"

/** The frame of a body's joint as the body has it, in the world: its z and x axis are the joint's. Needs the poses.
 *  With it sb_wrench_transform_dual() gives a wrench about the joint's origin in the joint's axes. */
sb_pose sb_tree_joint_pose(const sb_tree *tree, const double scratch[], int body);

/** The wrench of each body's joint on the body, about the world's origin in world axes. Needs the twists.
 *  @param vdot      as they are, with closures and all; NULL: zero
 *  @param wrenches  on the bodies, those of sb_closures_wrenches() among them; NULL: none
 *  @param rates     (bodies) scratch
 *  @param joints    (bodies) out */
void sb_tree_reactions(const sb_tree *tree, const double vdot[], const sb_wrench wrenches[],
                       double scratch[], sb_twist rates[], sb_wrench joints[]);

#endif
