// SPDX-License-Identifier: GPL-3.0-or-later
// Kinds of joints, one constant table. A joint is a list of primitive ones, each of which moves a frame against
// the one before; links without mass stand between them. A primitive moves
//   along or about one line, the z axis of its frame: the coordinate q turns by `turn` q [rad] and shifts by
//   `advance` q [m], so that its column is the screw S = (turn z, advance z) about the frame's origin, or
//   in three directions: a shift (q are the coordinates of the origin in the fixed frame), or a free turn
//   (q is the quaternion of the moved frame in the fixed one; v is the angular velocity in the moved axes).
#ifndef SB_MECHANISM_JOINT_H
#define SB_MECHANISM_JOINT_H

#include "core/base/export.h"
#include <stdbool.h>

#include "geometry/quat.h"

enum { SB_JOINT_STEPS = 3, SB_JOINT_VELOCITIES = 6, SB_JOINT_COORDINATES = 7 };

/** One of: a line (velocities 1), a shift (3, turns no), a free turn (3, turns yes). */
typedef struct sb_primitive {
  int coordinates, velocities;
  bool turns; // its velocities are [rad/s], its momenta [N m s]; else [m/s] and [N s]
  bool pitch; // a line that also shifts, by the pitch of the joint [m/rad]
} sb_primitive;

typedef struct sb_joint_step {
  const sb_primitive *primitive; // NULL ends the list
  char axis; // of a line: which axis of the joint's frame it is, 'x', 'y' or 'z'
} sb_joint_step;

typedef struct sb_joint {
  const char *name, *help;
  sb_joint_step steps[SB_JOINT_STEPS + 1]; // from the parent to the child; none: fixed
} sb_joint;

/** All kinds, ended by a row without a name: revolute, prismatic, helical, cylindrical, universal, translational,
 *  spherical, planar, free, fixed. Lines are 'z', the joint's axis; of the universal joint the second is 'x'; the planar one
 *  shifts along 'x' and 'y' and turns about 'z'. The free one shifts, and then turns. */
SB_API const sb_joint sb_joints[];

/** The kind with this name; NULL: there is none. */
SB_API const sb_joint *sb_joint_find(const char *name);

SB_API int sb_joint_velocities(const sb_joint *joint);
SB_API int sb_joint_coordinates(const sb_joint *joint);

/** The coordinates (coordinates) of a joint that is not moved: zeros, and the unit quaternion. */
SB_API void sb_joint_rest(const sb_joint *joint, double q[]);

#endif
