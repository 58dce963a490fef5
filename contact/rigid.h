// SPDX-License-Identifier: GPL-3.0-or-later
// Rigid contacts: forces are those of constraints, and act where these would be violated else. With n outward of
// body 1 and the gap g, gdot = n . (v2 - v1)(c) at the closest points c, the normal force N satisfies
//   apart: N = 0, g > 0      in contact: g = 0, N >= 0, and one of N and gddot is zero.
// A contact consists of
//   ID           switching, modulated Dirac structure of the frame (n, t1, t2) at c: two body ports, the ports
//                "normal" (gdot) and "tangent", and with Coulomb's friction "slip", the same velocities again
//   ID/hold      makes flows of these zero, by its mode: none apart, gdot while it slides, all where it sticks
//   ID/friction  Coulomb's friction mu N against the velocity of what slides
// Which mode follows from which is decided for all contacts at once: core/simulation/impacts.c.
#ifndef SB_CONTACT_RIGID_H
#define SB_CONTACT_RIGID_H

#include "contact/parts.h"

SB_API const sb_element_type sb_kind_contact_rigid, sb_kind_contact_hold, sb_kind_contact_rub;

/** What the structure tells its friction (a signal of doubles). */
typedef struct sb_rigid_frame {
  sb_vec3 axes[3]; // n, t1, t2 in world axes
  sb_vec3 point;   // c [m]
  double gap;      // [m]
  double active;   // 0 apart, else 1
  double slides;   // 1 while it slides
  double slip[2];  // unit vector along t1, t2 of the slip that began at rest; zero while it waits
  double drift;    // [rad/s] of that direction, from the time
  double begun;    // [s] on
  double still;    // [m/s] below it a slip has the direction that it began with
  double force;    // [N] the largest normal force so far
  double speeds;   // [m/s] what the velocities at c were the difference of when they were accepted
  sb_closest points; // of the bodies
  sb_pose poses[2];  // for which these were found,
  double warm[6];    // and from where, and on which pieces
} sb_rigid_frame;
enum { SB_RIGID_FRAME_COUNT = sizeof(sb_rigid_frame) / sizeof(double) };

#endif
