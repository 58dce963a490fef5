// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies and the joints between them, as a user states them, and the elements that a graph gets of them: one storage for
// each tree of bodies, with H(q, p) in the coordinates of its joints (tree.h), and ports and signals at every
// joint, body and frame. The ids of these are aliases in the graph: a bond to "elbow" is one to the port of that joint,
// "elbow.q" its coordinate.
#ifndef SB_MECHANISM_MECHANISM_H
#define SB_MECHANISM_MECHANISM_H

#include "core/graph/graph.h"
#include "mechanism/tree.h"

enum { SB_MECHANISM_WORLD = -1 };

typedef struct sb_mechanism sb_mechanism;

/** A body. Its frame is where the joint that carries it has put it. */
typedef struct sb_mechanism_body {
  const char *id;  // of the mechanism
  double mass;     // [kg]
  sb_vec3 com;     // [m] centre of mass in the body's frame
  sb_mat3 inertia; // [kg m^2] about it, in the axes of the frame; zero: all mass in one point
  sb_pose pose;    // of a body that no joint carries: of its frame at the start,
  sb_twist
      twist; // [rad/s], [m/s] and its angular velocity and the velocity of its frame's origin, world axes
  int place; // of the mechanism: its number in its tree
  bool
      names_tree; // where it is the root of one of several trees that are joined, "tree(ID)" is all of them
} sb_mechanism_body;

/** A joint. Its frame has the joint's axis as z axis. */
typedef struct sb_mechanism_joint {
  const char *id; // of the mechanism
  const sb_joint *kind;
  int parent, child;           // bodies, or SB_MECHANISM_WORLD
  sb_pose in_parent, in_child; // the joint's frame in theirs, which coincide at the joint's zero
  sb_vec3 axis, second;        // as in sb_tree_body: in the axes of the frames above
  double pitch;                // [m/rad] of a helical joint
  double stiffness[SB_JOINT_VELOCITIES], rest[SB_JOINT_VELOCITIES]; // as in sb_tree_body
  double q[SB_JOINT_COORDINATES]; // at the start; those of a spherical joint are a quaternion
  double v[SB_JOINT_VELOCITIES];
  bool cut;    // it closes a loop, and carries nothing
  bool wanted; // its coordinates are asked for: another joint closes the loop, if one can
  bool closes; // of the mechanism once it is built: it closes a loop, and has no coordinate
  // By velocities: where loops are closed at the start these stay as they are, and the others give way.
  bool q_given[SB_JOINT_VELOCITIES], v_given[SB_JOINT_VELOCITIES];
} sb_mechanism_joint;

/** A frame that is fixed in a body: its pose is a signal. */
typedef struct sb_mechanism_frame {
  const char *id; // of the mechanism
  int body;
  sb_pose in_body;
} sb_mechanism_frame;

enum { SB_MECHANISM_COUPLED = 16 };

/** A coupling of joints of one velocity that carry bodies, as by a gear, rack, belt or differential: sum ratio q = value. */
typedef struct sb_mechanism_coupling {
  const char *id; // of the mechanism
  int joints[SB_MECHANISM_COUPLED], count;
  double ratios[SB_MECHANISM_COUPLED]; // SI; not all zero
  double value;
} sb_mechanism_coupling;

/** @param gravity [m/s^2]  @return SB_ERR_MEMORY */
SB_API sb_status sb_mechanism_create(sb_vec3 gravity, sb_mechanism **mechanism, sb_error *err);
/** Gives up the caller's share of it: graphs and models have their own. NULL is accepted. */
SB_API void sb_mechanism_release(sb_mechanism *mechanism);

SB_API void sb_mechanism_set_gravity(sb_mechanism *mechanism,
                                     sb_vec3 gravity); // before it is compiled

/** Adds a body, joint or frame; what is not stated here is zero, poses and quaternions are those of rest. The
 *  result stays where it is, and may be filled until the graph is compiled.
 *  @return NULL: out of memory */
SB_API sb_mechanism_body *sb_mechanism_add_body(sb_mechanism *mechanism, const char *id);
SB_API sb_mechanism_joint *sb_mechanism_add_joint(sb_mechanism *mechanism, const char *id,
                                                  const sb_joint *kind, int parent, int child);
SB_API sb_mechanism_frame *sb_mechanism_add_frame(sb_mechanism *mechanism, const char *id,
                                                  int body);

SB_API sb_mechanism_coupling *sb_mechanism_add_coupling(sb_mechanism *mechanism, const char *id);

/** Makes a number of a body, joint or frame a signal of its tree, before this is built; it costs only then. The
 *  signal has the name `of`, to be connected by sb_graph_wire(), or "OF by BY".
 *  @param of  "NAME.QUANTITY" or, of several numbers, "NAME.QUANTITY.x" (y, z), "NAME.QUANTITY.0" (1, ...): position, velocity,
 *             rotation, angular-velocity, axis-x and others of bodies and frames, q and w of joints, as they are
 *             read by name; of one velocity these are signals already
 *  @param by  NULL: its value. "JOINT", or of several rates "JOINT.w.x": the entry of the Jacobian of a velocity or an
 *             angular velocity, d(OF)/d(JOINT.w), the other joints of the tree held
 *  @param by_fails  out: whether an error is about `by`
 *  @return SB_ERR_REFERENCE, SB_ERR_DIMENSION, SB_ERR_MEMORY */
SB_API sb_status sb_mechanism_add_signal(sb_mechanism *mechanism, const char *of, const char *by,
                                         bool *by_fails, sb_error *err);
/** The unit of a signal by its name, in SI; NULL: there is none of this name. */
SB_API const char *sb_mechanism_signal_unit(const sb_mechanism *mechanism, const char *name);

/** Adds a storage "tree(ROOT)" to the graph for every tree of bodies, ROOT its first body, with aliases. A spanning
 *  tree from the world and from bodies that are the child of no joint carries the others: of several joints with one child one whose
 *  coordinates are wanted, else the first, and none that is cut; what is left closes loops; bodies that are the child of none are free.
 *  @param faulty  out: the id of the joint or coupling that the error is about, NULL: none; may be NULL. Borrowed
 *  @return SB_ERR_STRUCTURE: bodies carry each other in a circle, or only a cut joint has a body as its child; SB_ERR_REFERENCE: a joint of a body with itself;
 *          SB_ERR_DUPLICATE, SB_ERR_MEMORY */
SB_API sb_status sb_mechanism_build(sb_mechanism *mechanism, sb_graph *graph, const char **faulty,
                                    sb_error *err);

/** Compiles the trees, as the graph does with the first model: what is filled in later counts no more.
 *  @param faulty  out: the id of the joint, coupling or body that the error is about; NULL: none. Borrowed
 *  @return as sb_tree_create() */
SB_API sb_status sb_mechanism_check(sb_mechanism *mechanism, const char **faulty, sb_error *err);

/** The pose of a body's frame, or of a frame, at the start; once it is compiled.
 *  @return SB_ERR_REFERENCE: there is none of this id; SB_ERR_MEMORY */
SB_API sb_status sb_mechanism_start_pose(const sb_mechanism *mechanism, const char *id,
                                         sb_pose *pose, sb_error *err);

/** The coordinates of a joint at the start (sb_joint_coordinates), once it is compiled.
 *  @return false: it is not, or the joint closes a loop and has none */
SB_API bool sb_mechanism_start_coordinates(const sb_mechanism *mechanism,
                                           const sb_mechanism_joint *joint, double q[]);

/** How far the closing of loops at the start has moved coordinates of a joint that are given, at most [rad]
 *  or [m]. */
SB_API double sb_mechanism_start_moved(const sb_mechanism *mechanism,
                                       const sb_mechanism_joint *joint);

/** Whether a joint's start has been chosen by the closing of loops, though these let it stand elsewhere too.
 *  @param open  (sb_joint_velocities) out: which of its coordinates should be given; kept where the answer is no */
SB_API bool sb_mechanism_start_is_open(const sb_mechanism *mechanism,
                                       const sb_mechanism_joint *joint, bool open[]);

/** What can be read of joints (with one velocity: without q, which is a state) and of frames. */
extern const sb_quantity_spec sb_joint_quantities[];
extern const sb_quantity_spec sb_frame_quantities[];

#endif
