// SPDX-License-Identifier: GPL-3.0-or-later
// A tree of rigid bodies, each carried by a joint on a body before it or on the world. Immutable once made. Its state
// is (q, p): q are the coordinates of the joints, body after body, p = M(q) v are the momenta to their velocities v, and
//   H(q, p) = p.M(q)^-1 p / 2 + V(q),  V = sum of k (q - rest)^2 / 2 - sum of m g.c.
// qdot = v but for the quaternion of a free turn, sb_quat_rate(). See mechanism/joint.h for what v is.
#ifndef SB_MECHANISM_TREE_H
#define SB_MECHANISM_TREE_H

#include "core/base/export.h"
#include "mechanism/inertia.h"
#include "mechanism/joint.h"

enum { SB_TREE_WORLD = -1 };

/** A body and the joint that carries it. The joint's frame is fixed in both bodies; the two coincide where the
 *  joint's coordinates are zero (those of a free turn: the unit quaternion). */
typedef struct sb_tree_body {
  const char *name; // in messages; borrowed while the tree is made
  int parent;       // index of a body before it, or SB_TREE_WORLD
  const sb_joint *joint;
  sb_pose in_parent,
      in_body; // the joint's frame in the parent's frame (or the world's) and in the body's
  /** The joint's z and x axis, in the axes of the frame above and of any length; x is made perpendicular to z.
   *  Read for joints that have lines only: a free, spherical or fixed joint has the axes of the frame. */
  sb_vec3 axis, second;                  // second zero: one is chosen, by sb_tangent_basis()
  double pitch;                          // [m/rad] of a helical joint
  double stiffness[SB_JOINT_VELOCITIES]; // [N m/rad] or [N/m], per velocity; none of a free turn
  double rest[SB_JOINT_VELOCITIES];      // [rad] or [m] where the spring is relaxed
  sb_inertia inertia;                    // in the body's frame
  bool
      floats; // its joint's coordinates count from the point of sb_tree_place_from(), and not from in_parent in the world
} sb_tree_body;

/** Where the numbers of a body's joint stand among those of the tree. */
typedef struct sb_tree_joint {
  const sb_joint *kind;
  int coordinate, coordinates; // the first in q, and how many
  int velocity, velocities;    // the same in v, p and tau
} sb_tree_joint;

typedef struct sb_tree sb_tree;

/** Checks the bodies and compiles them: fixed joints make one link of two bodies, compound joints get links without mass.
 *  @param bodies  (count), each behind its parent
 *  @param gravity [m/s^2]
 *  @param faulty  out: index of the body that the error is about; may be NULL
 *  @return SB_ERR_REFERENCE: the parent does not stand before the body; SB_ERR_RANGE: a zero axis, an inertia that no body
 *          has, a negative stiffness, a stiffness of a free turn; SB_ERR_SINGULAR: nothing that a joint
 *          moves has inertia against it, whatever the position (zero mass at a leaf); SB_ERR_MEMORY */
SB_API sb_status sb_tree_create(const sb_tree_body bodies[], int count, sb_vec3 gravity,
                                sb_tree **tree, int *faulty, sb_error *err);
SB_API void sb_tree_destroy(sb_tree *tree);

SB_API int sb_tree_bodies(const sb_tree *tree);
SB_API int sb_tree_coordinates(const sb_tree *tree); // length of q
SB_API int sb_tree_velocities(const sb_tree *tree);  // length of v, p, tau
SB_API sb_tree_joint sb_tree_joint_of(const sb_tree *tree, int body);
SB_API int sb_tree_scratch(const sb_tree *tree); // doubles that the recursions work on
/** The mass of all bodies that can move [kg]. */
SB_API double sb_tree_mass(const sb_tree *tree);

#endif
