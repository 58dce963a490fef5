// SPDX-License-Identifier: GPL-3.0-or-later
// From the leaves inwards: what a body's joint carries is the rate of the body's momentum, less what else acts on it, and
// what the joints that it carries need. All about the origins of the bodies, so that only short arms are met.
#include "mechanism/reaction.h"

#include "mechanism/dynamics.h"
#include "mechanism/tree_private.h"

sb_pose sb_tree_joint_pose(const sb_tree *tree, const double scratch[], int body) {
  return sb_pose_compose(sb_tree_pose(tree, scratch, body), tree->body[body].frame);
}

/** d/dt of a body's momentum less its weight, I A - ad_V^T (I V) - (c x g, m g), about its frame's origin. */
static sb_wrench need_of(const sb_tree *tree, const double scratch[], int body, sb_pose at,
                         sb_twist rate) {
  const sb_inertia I =
      sb_inertia_transform((sb_pose){at.rotation, {0, 0, 0}}, tree->body[body].inertia);
  const sb_twist V = twist_shift(sb_tree_twist(tree, scratch, body), at.position);
  const sb_wrench inertial = sb_inertia_momentum(&I, twist_shift(rate, at.position)),
                  gyroscopic = sb_wrench_coadjoint(V, sb_inertia_momentum(&I, V)),
                  weight = {sb_vec3_cross(I.first, tree->gravity),
                            sb_vec3_scale(tree->gravity, I.mass)};
  return sb_wrench_add(inertial, sb_wrench_scale(sb_wrench_add(gyroscopic, weight), -1));
}

void sb_tree_reactions(const sb_tree *tree, const double vdot[], const sb_wrench wrenches[],
                       double scratch[], sb_twist rates[], sb_wrench joints[]) {
  sb_tree_accelerations(tree, vdot, scratch, rates);
  for (int i = 0; i < tree->bodies; i++) {
    const sb_pose at = sb_tree_pose(tree, scratch, i);
    joints[i] = need_of(tree, scratch, i, at, rates[i]);
    if (wrenches != NULL) {
      const sb_wrench outer = wrench_shift(wrenches[i], sb_vec3_neg(at.position));
      joints[i] = sb_wrench_add(joints[i], sb_wrench_scale(outer, -1));
    }
  }
  for (int i = tree->bodies - 1; i >= 0; i--) {
    const int parent = tree->body[i].parent;
    const sb_vec3 at = sb_tree_pose(tree, scratch, i).position;
    if (parent >= 0) {
      const sb_vec3 arm = sb_vec3_sub(at, sb_tree_pose(tree, scratch, parent).position);
      joints[parent] = sb_wrench_add(joints[parent], wrench_shift(joints[i], arm));
    }
    joints[i] = wrench_shift(joints[i], at);
  }
}
