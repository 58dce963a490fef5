// SPDX-License-Identifier: GPL-3.0-or-later
// What the structure of a rigid contact, its modes and its friction share.
#ifndef SB_CONTACT_RIGID_PRIVATE_H
#define SB_CONTACT_RIGID_PRIVATE_H

#include "contact/rigid.h"
#include "contact/structure_private.h"

/** Components behind the twists and wrenches, and their ports. */
enum { NORMAL = LOADS, TANGENT = NORMAL + 1, SLIP = TANGENT + 2, COMPONENTS = SLIP + 2 };
enum { PORT_NORMAL = PORT_LOADS, PORT_TANGENT, PORT_SLIP };
/** What is latched: those of sb_contact_closest() first. */
enum {
  STATE_WARM = 0,
  STATE_RATE = 3,
  STATE_TIME,
  STATE_KNOWN,
  STATE_GAP,
  STATE_SPEED,
  STATE_ACCELERATION,
  STATE_DEPTH_RATIO,                // of bodies that yield; here zero
  STATE_PIECE,                      // of each surface that is held, see seams.c
  STATE_BEHIND = STATE_PIECE + 2,   // [m] the gap that counts as zero is less by this
  STATE_FASTEST,                    // [m/s] impact so far
  STATE_IMPACT,                     // [s] time of the last one
  STATE_LONGEST,                    // [s] between two
  STATE_FORCE,                      // [N] the largest so far
  STATE_SPEEDS,                     // [m/s] what the velocities at the point are the difference of
  STATE_SLIDING,                    // [m/s] the fastest slip since it began
  STATE_TURNING,                    // [rad/s] of the slip
  STATE_STILL,                      // [m/s] a slower slip has the direction that it began with
  STATE_SLIP,                       // [-] a world vector: along the velocity of what slides
  STATE_DRIFT = STATE_SLIP + 3,     // [rad/s] of that, of a slip that has no direction of its own
  STATE_BEGUN,                      // [s] from which on it counts
  STATE_LOADED,                     // [s] of the following, while it sticks; infinite: not known
  STATE_LOAD,                       // [N] normal force, and a world vector: the tangential effort
  STATE_LOAD_RATE = STATE_LOAD + 4, // [N/s] of these; zero: not known
  STATE_PASSING = STATE_LOAD_RATE + 4,     // [m/s] of bodies apart, see sb_passing_speed()
  STATE_LEAPS,                             // see sb_leaps_note(); infinite: not in contact yet
  STATE_LYING = STATE_LEAPS + LEAPS_COUNT, // ends of steps in a row where both curvatures vanish
  STATE_COUNT
};

/** The cosine of the turns of a slip in a step that its friction follows. */
#define SB_RIGID_FOLLOWED 0.96
/** A gap is closed below this fraction of the length of the contact, and overlaps by rounding below that one. */
#define SB_RIGID_CLOSED 1e-10
#define SB_RIGID_ROUNDING 1e-14

sb_status sb_rigid_explain(const void *self, const sb_at *at, sb_error *err);
sb_status sb_rigid_unbounded(const void *self, const sb_at *at, sb_error *err);

static inline const sb_rigid_frame *sb_rigid_frame_of(const sb_at *at) {
  return (const sb_rigid_frame *)(const void *)at->own;
}

/** What the velocity at a point is the difference of [m/s]. */
double sb_rigid_speeds(const sb_at *at, sb_vec3 point);
/** What gaps are small against [m]: the extent of what moves together with the bodies, and their radii; those of shapes about
 *  their bodies by no more than that extent, as the ground bears shapes anywhere. It is frame-indifferent, so that the same is closed wherever
 *  the scene stands and however it is turned. */
double sb_rigid_length(const sb_contact_data *s, const sb_at *at);
/** To what the gap is known while the bodies move [m]: a fraction of that length, unless places are rounded by more. */
double sb_rigid_known(const sb_contact_data *s, const sb_at *at, const sb_closest *points);
/** The gap below which the bodies touch [m], likewise. */
double sb_rigid_closed(const sb_contact_data *s, const sb_at *at, const sb_closest *points);
/** What speeds at the point are small against [m/s]: those of both bodies there, and w l; no displacement changes it. */
double sb_rigid_swiftness(const sb_contact_data *s, const sb_at *at, sb_vec3 point);
/** Whether a closest point is no more where motion can have taken it: with a flat side or a straight edge lying on the
 *  other body it is at one end before, at the other behind, and the velocity that the contact holds is another one. */
bool sb_rigid_leaps(const sb_contact_data *s, const sb_at *at);
/** Whether bodies lie on a side, though their points are unique: to the end of the last step. */
bool sb_rigid_lies(const sb_at *at);
/** Whether a relative curvature, the larger (0) or the smaller one (1), is less than `fraction` of what a ball of the size of the smaller body
 *  has, of bodies whose points are unique. */
bool sb_rigid_vanishes(const sb_contact_data *s, const sb_closest *points, int which,
                       double fraction);
/** Whether the closest points run away as the bodies turn against each other, about an axis along neither of the tangents. */
bool sb_rigid_is_flat(const sb_contact_data *s, const sb_rigid_frame *frame);
/** Whether the closest points tell a frame. Of what meets at rounding, a corner and a plane, they do so whatever the depth
 *  would mean for shapes that yield. */
bool sb_rigid_usable(const sb_contact_data *s, const sb_at *at, const sb_closest *points);
/** Turns the direction in which a slip has begun by its drift until a time. @param slip  (2) along the tangents */
void sb_rigid_turn(const sb_rigid_frame *frame, double t, double slip[2]);
/** Fills the frame by its closest points. */
void sb_rigid_place_frame(const sb_contact_data *s, const sb_at *at, sb_rigid_frame *frame);
/** Where the force acts, between the closest points. These are one but while a step is on its way, when no body shall be told from the other: the middle;
 *  on a half space the point of its face. */
sb_vec3 sb_rigid_point(const sb_contact_data *s, const sb_closest *points);
/** The twist of body 2 against body 1. */
sb_twist sb_rigid_relative(const sb_at *at);
/** The force on body 1 along the axes of the frame [N]. */
void sb_rigid_load(const sb_contact_data *s, const sb_at *at, double load[3]);

extern const sb_switching_hooks sb_rigid_switching; // rigid_modes.c

#endif
