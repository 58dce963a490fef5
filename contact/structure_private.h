// SPDX-License-Identifier: GPL-3.0-or-later
// What the structure of a contact and its measures share.
#ifndef SB_CONTACT_STRUCTURE_PRIVATE_H
#define SB_CONTACT_STRUCTURE_PRIVATE_H

#include "contact/contact.h"
#include "contact/parts.h"

enum { APART, PUSHING, PULLING, RECOVERING };
/** Components: twists in, wrenches out; then the flows of the loads out, their efforts in. */
enum { BODY_1 = 0, BODY_2 = 6, LOADS = 12 };
enum { PORT_1, PORT_2, PORT_LOADS };

/** Where the closest points of bodies in contact are, each in the axes of its body, and how fast they move over the surfaces. */
enum {
  LEAPS_SINCE = 0,                 // [s] infinite: not known yet
  LEAPS_POINT,                     // [m]
  LEAPS_ROLLING = LEAPS_POINT + 6, // [m/s]
  LEAPS_COUNT = LEAPS_ROLLING + 2
};
/** How a side of a body that yields rocks between its ends. */
enum {
  ROCKING_NOTE = 0,
  ROCKING_LEAP = ROCKING_NOTE + LEAPS_COUNT, // [s] of the last one; -infinite: none yet
  ROCKING_COUNTED,                           // in a row with next to nothing between them
  ROCKING_LYING,                             // accepted points in a row at which it lies flat
  ROCKING_COUNT
};

/** What is latched at the last accepted step: normal, gap rate, time, whether there is one yet, gap,
 *  speed of the nearest points, the change of the gap rate since the step before, the depth ratio, the pieces of the surfaces, and the gap where it
 *  was last solved for; the largest depth ratio of the run and its time, the largest depth and its time; how a side rocks; and what is kept from
 *  where the contact began, an sb_contact_latch. */
enum {
  LATCHED_NORMAL = 0,
  LATCHED_RATE = 3,
  LATCHED_TIME,
  LATCHED_KNOWN,
  LATCHED_GAP,
  LATCHED_SPEED,
  LATCHED_ACCELERATION,
  LATCHED_DEPTH_RATIO,
  LATCHED_PIECE, // of each surface that is held, see seams.c
  LATCHED_SOLVED = LATCHED_PIECE + 2,
  LATCHED_DEEPEST,
  LATCHED_DEEPEST_TIME,
  LATCHED_DEPTH,
  LATCHED_DEPTH_TIME,
  LATCHED_PASSING, // [m/s] of bodies apart, see sb_passing_speed()
  LATCHED_ROCKING,
  LATCHED_LATCH = LATCHED_ROCKING + ROCKING_COUNT,
  LATCHED_COUNT = LATCHED_LATCH + sizeof(sb_contact_latch) / sizeof(double)
};

static inline const sb_pose *pose_of(const sb_at *at, int body) {
  return (const sb_pose *)(const void *)at->signals[body];
}

/** Whether a flat side or a straight edge lies on the other body: the gap is known, the points are one pair of several. */
static inline bool sb_contact_flat(const sb_closest *points) {
  return points->status == SB_CLOSEST_AMBIGUOUS && points->depth_ratio <= SB_CLOSEST_DEPTH_LIMIT;
}

/** Whether the bodies act on each other. */
static inline bool touches(int mode) {
  return mode == PUSHING || mode == PULLING;
}

static inline bool sb_contact_usable(const sb_closest *points) {
  return points->status == SB_CLOSEST_OK || points->status == SB_CLOSEST_DEEP;
}

static inline const sb_contact_latch *sb_contact_latched(const sb_at *at) {
  return (const sb_contact_latch *)(const void *)(at->discrete + LATCHED_LATCH);
}

/** By a warm start from the last accepted step, of the pieces of the surfaces that are held. */
void sb_contact_closest(const sb_contact_data *s, const sb_at *at, sb_closest *out);
/** The same, where the values of the model are: those that the frame has, or gets, of this point; or into `out`. */
const sb_closest *sb_contact_points(const sb_contact_data *s, const sb_at *at, sb_closest *out);
/** sb_contact_skin_at() for the poses of the bodies, and the stiffness that the contact keeps. */
bool sb_contact_skin_here(const sb_contact_data *s, const sb_at *at, const sb_closest *points,
                          sb_contact_skin *skin, sb_wrench *hardening);
/** Where the two springs meet [m]. */
sb_vec3 sb_contact_point(const sb_closest *points, double alpha);

/** The velocity of the point place[1] of body 2 less that of place[0] of body 1 [m/s]: the same but for its sign whichever body is the first. */
sb_vec3 sb_contact_parting(const sb_at *at, const sb_vec3 place[2]);

/** y and the frame in at->own, by the twists at->in. @return 0; < 0: there is no answer */
int sb_contact_forward(const void *self, const sb_at *at, double y[]);
/** Whether bodies in touch have closest points on another branch than at the last accepted step: their normal has turned by more
 *  than that of a branch does. n is continuous along a branch, so that it turns by little in a short step; at its end it
 *  leaps, however short the step is: from one side of a thin body to the other, as g(n) has a maximum on each. */
bool sb_contact_leaps(const sb_at *at, const sb_closest *points);
/** The same by their gap, where the branch has ended with a small turn, as at one of several edges: |gap - gap'| <= h max |v| along
 *  a branch, since the rate of the gap is n.v. At the end of a step: no stage tells v well enough. */
bool sb_contact_gap_leaps(const sb_contact_data *s, const sb_at *at);
/** The largest speed of the points of the lesser body, as the other one sees it [m/s]; 0 where bodies cannot pass each other. */
double sb_passing_speed(const sb_contact_data *s, const sb_at *at);
/** Closest points that have left the pieces which are held are replaced by those of what goes on behind the ends of these. */
void sb_seams_go_on(const sb_contact_data *s, const sb_at *at, sb_closest *points);
/** Holds the pieces that the points are on, of surfaces of which none is held yet, or from whose piece the point has leapt. */
void sb_seams_hold(const sb_contact_data *s, const sb_at *at, const sb_closest *points,
                   double discrete[]);
void sb_seams_release(double discrete[]);
/** How far the points are from the ends of their pieces, with the rates, in touch; far where none is held, or they have leapt.
 *  @return how many, 0 to 2 */
int sb_seams_indicators(const sb_contact_data *s, const sb_at *at, const sb_closest *points,
                        double g[], double gdot[]);
/** Holds the next piece where one of these, from 0, has fallen. */
void sb_seams_pass(const sb_contact_data *s, const sb_at *at, int which, double discrete[]);
/** Notes where the closest points are, and how fast they move. @param note  (LEAPS_COUNT) */
void sb_leaps_note(const sb_at *at, const sb_closest *points, double note[]);
/** Whether a closest point is no more where motion can have taken it: with a flat side or a straight edge lying on the
 *  other body it is at one end before, at the other behind.  @param slack  [m] a way that is none */
bool sb_leaps_seen(const sb_at *at, const sb_closest *points, const double note[], double slack);
/** At a touch. @param rocking  (ROCKING_COUNT) */
void sb_rocking_begin(double rocking[]);
/** Whether a side may lie flat at a point: it passes through that in a touch that has begun with unique points. On a plane depth
 *  and normal are right there, and which point of the side is taken counts for no time. Of two bodies both of which are bent somewhere
 *  the points near that are known too badly. */
bool sb_rocking_passes(const sb_contact_data *s, const sb_at *at, const sb_closest *points);
/** After an accepted step in touch. */
void sb_rocking_follow(const sb_contact_data *s, const sb_at *at, const sb_closest *points,
                       double rocking[]);
/** Whether a side has come to lie flat: it rocks by next to nothing. */
bool sb_rocking_ends(const double rocking[]);
/** Where the closest points cease to be unique or stable, or a law has no stiffness; else SB_OK. */
sb_status sb_contact_explain(const void *self, const sb_at *at, sb_error *err);
/** The same of bodies that yield, which may pass through each other. */
sb_status sb_contact_explain_yielding(const void *self, const sb_at *at, sb_error *err);
/** Where steps have become too short to advance: half of the thinner body is in the other; else SB_OK. */
sb_status sb_contact_explain_depth(const void *self, const sb_at *at, sb_error *err);
sb_status sb_contact_lies_flat(sb_error *err);
/** Where closest points leap: one body is in a hollow of the other, and touches it at two places; else SB_OK. */
sb_status sb_contact_explain_two_places(const sb_contact_data *s, sb_error *err);
/** At the begin of a contact: bodies that overlap by half of the thinner one, its middle in the other, have passed each other,
 *  and one that is wholly behind a plane or in the wall of a bowl has.
 *  @return SB_ERR_CONTACT, worded */
sb_status sb_contact_check_overlap(const sb_contact_data *s, double gap, sb_error *err);
/** The gap, and the stiffness if it changes, differenced by the audit (displacement.c). */
bool sb_contact_displacement(const void *self, const sb_at *at, int which, sb_displacement *out);
void sb_contact_ahead(const void *self, const sb_at *at, double h, double q[]);
/** The sum of the loads of storage and dissipation. @param load  out (SB_CONTACT_DIM) */
static inline void sb_contact_load(const sb_contact_data *s, const sb_at *at, double load[]) {
  const double *first = sb_at_port(at, PORT_LOADS, LOADS);
  const double *second = s->load_count == SB_CONTACT_DIM
                             ? NULL
                             : sb_at_port(at, PORT_LOADS + 1, LOADS + SB_CONTACT_DIM);
  for (int k = 0; k < SB_CONTACT_DIM; k++) {
    load[k] = second == NULL ? first[k] : first[k] + second[k];
  }
}

/** The moment of the resistance to turning on body 1 [N m], in world axes. */
static inline sb_vec3 sb_contact_turning_moment(const sb_contact_data *s, const sb_at *at) {
  const sb_contact_frame *frame = (const sb_contact_frame *)(const void *)at->own;
  const double *moment =
      s->turn_count > 0 ? sb_at_port(at, PORT_LOADS + 1, LOADS + SB_CONTACT_DIM) : NULL;
  return moment != NULL ? sb_mat3_apply(frame->pose.rotation, sb_vec3_load(moment))
                        : (sb_vec3){0, 0, 0};
}
/** The component of a stiffness that changes: behind the loads and the moment. */
static inline int sb_contact_stiffness_component(const sb_contact_data *s) {
  return LOADS + s->load_count + s->turn_count;
}
/** k dV/dk [J] of a stiffness that changes; 0: it does not. */
static inline double sb_contact_hardening_effort(const sb_contact_data *s, const sb_at *at) {
  const int ports = s->load_count / SB_CONTACT_DIM + s->turn_count / SB_TURNING_DIM;
  return s->hardens ? *sb_at_port(at, PORT_LOADS + ports, sb_contact_stiffness_component(s)) : 0;
}

extern const sb_place_hooks sb_contact_place;
/** How deep it has been, where that was too deep for its kinematics or for its bodies (explain.c). */
double sb_contact_remark(const void *self, const double discrete[], sb_error *err);
/** [s] The longest step in which no contact can be made and lost unseen: the bodies' nearest points
 *  must not travel further than the gap and half the thinner body, and no body may turn far. */
double sb_contact_horizon(const void *self, const sb_at *at);
extern const sb_switching_hooks sb_contact_switching; // structure_modes.c
void sb_contact_measure(const void *self, const sb_at *at, int quantity, double out[]);

/** Whether anything depends on the push, which only damping can turn into a pull. That of a potential depends on more than
 *  is known here: friction has a kink where it ends. */
bool sb_contact_watches_push(const sb_contact_data *s);

#endif
