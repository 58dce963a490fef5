// SPDX-License-Identifier: GPL-3.0-or-later
#include "mechanism/joint.h"

#include <string.h>

static const sb_primitive revolute = {.coordinates = 1, .velocities = 1, .turns = true};
static const sb_primitive prismatic = {.coordinates = 1, .velocities = 1};
static const sb_primitive helical = {
    .coordinates = 1, .velocities = 1, .turns = true, .pitch = true};
static const sb_primitive shift = {.coordinates = 3, .velocities = 3};
static const sb_primitive turn = {.coordinates = 4, .velocities = 3, .turns = true};

const sb_joint sb_joints[] = {
    {"revolute", "turns about an axis", {{&revolute, 'z'}}},
    {"prismatic", "slides along an axis", {{&prismatic, 'z'}}},
    {"helical", "turns about an axis and slides along it, by the pitch", {{&helical, 'z'}}},
    {"cylindrical",
     "turns about an axis and slides along it, each by itself",
     {{&revolute, 'z'}, {&prismatic, 'z'}}},
    {"universal",
     "turns about an axis of the parent and an axis of the child, which are perpendicular",
     {{&revolute, 'z'}, {&revolute, 'x'}}},
    {"translational", "slides in every direction, and does not turn", {{&shift, 0}}},
    {"spherical", "turns freely about a point", {{&turn, 0}}},
    {"planar",
     "slides in a plane and turns about its normal",
     {{&prismatic, 'x'}, {&prismatic, 'y'}, {&revolute, 'z'}}},
    {"free", "moves freely", {{&shift, 0}, {&turn, 0}}},
    {"fixed", "does not move", {{0}}},
    {0}};

const sb_joint *sb_joint_find(const char *name) {
  const sb_joint *joint = sb_joints;
  while (joint->name != NULL && strcmp(joint->name, name) != 0) {
    joint++;
  }
  return joint->name != NULL ? joint : NULL;
}

int sb_joint_velocities(const sb_joint *joint) {
  int sum = 0;
  for (const sb_joint_step *step = joint->steps; step->primitive != NULL; step++) {
    sum += step->primitive->velocities;
  }
  return sum;
}

int sb_joint_coordinates(const sb_joint *joint) {
  int sum = 0;
  for (const sb_joint_step *step = joint->steps; step->primitive != NULL; step++) {
    sum += step->primitive->coordinates;
  }
  return sum;
}

void sb_joint_rest(const sb_joint *joint, double q[]) {
  for (const sb_joint_step *step = joint->steps; step->primitive != NULL; step++) {
    const int count = step->primitive->coordinates;
    for (int i = 0; i < count; i++) {
      *q++ = i == 0 && count > step->primitive->velocities ? 1 : 0;
    }
  }
}
