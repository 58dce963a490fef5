// SPDX-License-Identifier: GPL-3.0-or-later
// A tree of a mechanism as an element of a graph: who is in it, the tables of its kind, and where its numbers stand.
#ifndef SB_MECHANISM_MECHANISM_PRIVATE_H
#define SB_MECHANISM_MECHANISM_PRIVATE_H

#include <stdatomic.h>

#include "core/base/arena.h"
#include "core/base/text.h"
#include "mechanism/closure.h"
#include "mechanism/mechanism.h"

/** What a row of the quantities is of. */
typedef enum sb_linkage_part {
  SB_PART_TREE,
  SB_PART_JOINT,
  SB_PART_CLOSING, // a joint that closes a loop
  SB_PART_BODY,
  SB_PART_FRAME
} sb_linkage_part;

/** A number of a part as a signal. */
typedef struct sb_mechanism_signal {
  const char *name;
  sb_linkage_part part; // a body, joint or frame
  int number;           // of the mechanism
  int row, component;   // of what such a part has
  int by, by_component; // a joint of the mechanism and which of its rates; -1: none
  bool
      measured; // a reaction, or in the axes of a frame: no signal of the tree, but read of it by its hook
  char unit[64];
} sb_mechanism_signal;

typedef struct sb_linkage_quantity {
  sb_linkage_part part;
  int number; // in the linkage
  int row;    // of what such a part has, see linkage_measures.c
} sb_linkage_quantity;

/** A body with the joint that carries it. */
typedef struct sb_linkage_body {
  int body, joint; // numbers in the mechanism; joint -1: it is free
  int parent;      // in the linkage; -1: the world
  int port;        // of the body
  int pose,
      joint_signal; // where its pose begins among the signals, and q and w of a joint of one velocity; -1
} sb_linkage_body;

/** Where a velocity stands among the ports. */
typedef struct sb_linkage_velocity {
  int port, component; // of its joint, with others; port -1: nowhere
  int single;          // the port that it has alone; -1: none
} sb_linkage_velocity;

/** A signal of its own: a number of a part, or an entry of a Jacobian. */
typedef struct sb_linkage_signal {
  const char *name;
  sb_linkage_quantity quantity;
  int component;
  int joint, by; // the body whose joint's rate it is by, and which of its rates; -1: none
  int place;     // among the signals
} sb_linkage_signal;

typedef struct sb_linkage_frame {
  int frame, body; // number in the mechanism; body in the linkage
  int pose;        // among the signals
} sb_linkage_frame;

/** Where the scratch memory of the hooks stands among the signals of the element. */
typedef struct sb_linkage_scratch {
  int tree;                    // of the recursions
  int v, tau, dv;              // numbers of velocities
  int wrenches, twists;        // of the bodies
  int other;                   // a second one for the recursions, of states elsewhere
  int closures, efforts, bias; // of joints that close loops; J^T lambda; Jdot v
  int lambda,
      carried; // of the rows of these; wrenches of the joints of bodies, and then of those that close
  int sizes, poses, moved; // of the audit: 4 and 12 numbers of each body, coordinates
  int step;  // of what closed loops and constraints need over a step of a discrete gradient method
  int count; // up to here
} sb_linkage_scratch;

typedef struct sb_linkage {
  const sb_mechanism *mechanism;
  const char *id;
  sb_linkage_body *bodies; // (body_count) each behind its parent
  int body_count;
  sb_linkage_frame *frames;
  int frame_count;
  sb_linkage_signal *signals;
  int signal_count;
  int *closing; // (closing_count) joints of the mechanism that close loops
  int closing_count;
  int *coupled; // (coupled_count) couplings of the mechanism that hold between its joints
  int coupled_count;
  int coordinates, velocities;     // q and p: the states
  int depth;                       // velocities of its longest chain of joints
  sb_linkage_velocity *velocity;   // (velocities)
  sb_linkage_quantity *quantities; // of each row of the kind's table
  sb_element_type type;            // the kind: there is one for each
  sb_signal_spec *scratch_row;     // the last signal: its length follows from the tree
  sb_linkage_scratch scratch;
  sb_tree *tree;         // NULL: not compiled yet
  sb_closures *closures; // NULL: no joint closes a loop
  int rank;              // of their rows where the loops are closed
  sb_vec3 point;         // [m] that the places of the start count from
  double *start;         // (states)
  bool
      *open; // (velocities) what the start of loops should have stated, see sb_closures_find_open()
  double *length; // (coordinates) [m] or 1 rad: what a coordinate counts as, for errors
  double size;    // [m] how far bodies and joints are from the frames that they are given in
  double fall;    // [J] what it would gain by falling as far as it is large
  double middle[3], reach; // [m] of its bodies at the start, in the world
} sb_linkage;

struct sb_mechanism {
  atomic_int shares;
  sb_arena memory;
  sb_vec3 gravity;
  sb_mechanism_body **bodies;
  int body_count, body_capacity;
  sb_mechanism_joint **joints;
  int joint_count, joint_capacity;
  sb_mechanism_frame **frames;
  int frame_count, frame_capacity;
  sb_mechanism_coupling **couplings;
  int coupling_count, coupling_capacity;
  sb_mechanism_signal **signals;
  int signal_count, signal_capacity;
  sb_linkage *linkages;
  int linkage_count;
};

/** The bodies in the order in which they carry each other. */
typedef struct sb_forest {
  int *carrier; // (bodies) the joint that carries each; -1: none
  /** (bodies) The first body of its tree or, where joints close loops between trees, of theirs. */
  int *root;
  int *depth; // (bodies) how many bodies are before it in its tree
  int *place; // (bodies) in its linkage
} sb_forest;

/** Finds them (forest.c).
 *  @param faulty  out: id of the joint or coupling that the error is about */
sb_status sb_forest_find(sb_mechanism *m, sb_forest *forest, const char **faulty, sb_error *err);
/** The body that carries one; SB_MECHANISM_WORLD: the world, or none. */
int sb_forest_parent(const sb_mechanism *m, const sb_forest *forest, int body);
/** Whether a joint closes a loop: its child is the world, or carried by another joint. */
bool sb_forest_closes(const sb_mechanism *m, const sb_forest *forest, int joint);

/** The tables of its kind (linkage_type.c). @return false: out of memory */
bool sb_linkage_describe(sb_linkage *linkage, sb_arena *memory);
/** Compiles its tree once bodies and joints are filled (linkage.c).
 *  @param faulty  out: id of the joint, coupling or body that the error is about; NULL: none */
sb_status sb_linkage_compile(sb_linkage *linkage, const char **faulty, sb_error *err);
/** Its state at the start, with p = M v, and what it extends to (linkage_start.c).
 *  @param worst  out: the joint that does not close its loop, among those that close some; -1: none */
sb_status sb_linkage_find_start(sb_linkage *linkage, sb_arena *memory, int *worst, sb_error *err);
/** How many numbers a row of a joint has, where that is not fixed. */
enum { SB_OF_COORDINATES = -1, SB_OF_VELOCITIES = -2 };

/** The rows of a joint that has no velocity, or closes a loop; others have more. */
enum { SB_JOINT_FORCE, SB_JOINT_MOMENT };

/** What names of quantities there are of a part, ended by a row without a name (linkage_measures.c).
 *  @param joint  NULL: of no joint */
const sb_quantity_spec *sb_linkage_quantities(sb_linkage_part part, const sb_joint *joint);
/** Those whose numbers may be signals. */
const sb_quantity_spec *sb_linkage_readable(sb_linkage_part part);
void sb_linkage_measure(const void *self, const sb_at *at, int quantity, double out[]);
void sb_linkage_sizes(const void *self, const sb_at *at, int quantity, double out[]);
void sb_linkage_signal_sizes(const void *self, const sb_at *at, double own[]);
/** A quantity of the state x alone, by solved positions. */
void sb_linkage_read(const void *self, const double x[], const sb_linkage_quantity *quantity,
                     double scratch[], double v[], double out[]);
enum { SB_QUANTITY_NUMBERS = SB_JOINT_COORDINATES }; // at most, of one
/** The unit of one coordinate, or rate, of a joint; "": none (linkage_type.c). */
void sb_joint_unit(const sb_joint *joint, bool rate, int number, char unit[64]);
/** Those of the signals that are wanted of this tree (linkage_signals.c). */
bool sb_linkage_choose_signals(sb_linkage *linkage, sb_arena *memory);
/** Fills them at solved positions. */
void sb_linkage_put_signals(const void *self, const sb_at *at);
bool sb_linkage_turn(const void *self, int quantity, const double pose[], double vector[]);
bool sb_linkage_carries(const void *self, int quantity);
/** What a joint does to its child: its force, or its moment about the joint's place in the child (linkage_reactions.c). */
void sb_linkage_reaction(const void *self, const sb_at *at, const sb_linkage_quantity *quantity,
                         double out[3]);
/** The largest force of all joints, or their largest moment about the common point: what one carries is computed from these, and known to
 *  their rounding. */
double sb_linkage_reaction_size(const void *self, const sb_at *at, const sb_linkage_quantity *q);
/** Poses, the factors of M, v and the twists at at->x, of loops what these let through, on the second scratch memory.
 *  @return v; NULL: M is singular */
double *sb_linkage_solve_beside(const void *self, const sb_at *at);
/** d/dt of the velocities by the loads that sb_linkage_take_ports() has left, M^-1 (tau + J^T W - bias), to `dv` of the
 *  scratch memory, and what closed loops add to tau, J_c^T lambda, to `efforts`.
 *  @param pushed            whether any body has a wrench
 *  @param scratch, closures of solved positions
 *  @param lambda            (rows of the closures) out; may be NULL */
void sb_linkage_accelerate(const sb_linkage *linkage, const sb_at *at, bool pushed,
                           double scratch[], double closures[], double lambda[]);
/** What loads, or impulses, do to the velocities, dv, and to the twists of bodies; of loops, while these stay closed.
 *  @param tau     (velocities)  @param pushed  and the wrenches that sb_linkage_take_ports() has left
 *  @param twists  (bodies) out; may be NULL */
void sb_linkage_respond(const sb_linkage *linkage, const sb_at *at, const double tau[], bool pushed,
                        double dv[], sb_twist twists[]);
/** As sb_storage_sizes.nominal (linkage_nominal.c). */
double sb_linkage_nominal(const void *self, const sb_at *at, double floor, double size[],
                          double kept[]);
/** As sb_storage_acceleration.terms (linkage_sizes.c). */
void sb_linkage_acceleration_terms(const void *self, const sb_at *at, double size[]);
/** Of the rates of the momenta, after rate(). */
void sb_linkage_rate_terms(const void *self, const sb_at *at, double size[]);
/** The tree, its freedoms, loops and mass at a state, as sb_measures.describe (linkage_describe.c). */
void sb_linkage_report(const void *self, const sb_at *at, bool json, sb_text *out);
/** Velocities or their rates at the ports of joints, twists or theirs at those of bodies.
 *  @param scratch  of whose twists; NULL: `twists` are theirs */
void sb_linkage_put_ports(const sb_linkage *linkage, const sb_at *at, const double v[],
                          const double scratch[], const sb_twist twists[], double y[]);
/** Efforts and wrenches that stand at the ports, w (components), into the scratch memory. @return whether any body
 *  has a wrench */
bool sb_linkage_take_ports(const sb_linkage *linkage, const sb_at *at, const double w[]);
/** Two joints with one child make a loop, whether it was meant or not: names the one that carries it (linkage_describe.c). */
void sb_linkage_hint_carrier(const sb_linkage *l, const sb_mechanism_joint *closing, sb_error *err);
/** As sb_storage_hooks.clearance (linkage_describe.c). */
double sb_linkage_clearance(const void *self, const sb_at *at, sb_text *words);
/** As sb_storage_audit.motion (linkage_motion.c). */
double sb_linkage_motion(const void *self, const sb_at *at, const double y[], const double xdot[]);
extern const sb_storage_structure sb_linkage_structure; // linkage_structure.c
extern const sb_storage_chart sb_linkage_chart;         // linkage_chart.c
/** How many numbers of scratch memory that needs. */
int sb_linkage_step_numbers(const sb_linkage *linkage);
/** The hooks (linkage_element.c). */
extern const sb_storage_hooks sb_linkage_hooks, sb_linkage_closed_hooks; // without loops; with
sb_status sb_linkage_init(void *self, sb_layout *layout, sb_error *err);
extern const sb_place_hooks sb_linkage_place; // linkage_place.c

/** The data of the element. */
typedef struct sb_linkage_data {
  sb_linkage *linkage;
  sb_vec3 origin; // [m] that places count from (linkage_place.c)
} sb_linkage_data;

static inline const sb_linkage *sb_linkage_of(const void *self) {
  return ((const sb_linkage_data *)self)->linkage;
}

/** The potential of a common point [J] (linkage_place.c). */
double sb_linkage_level(const sb_linkage *linkage, sb_vec3 origin);

static inline sb_vec3 sb_linkage_origin(const void *self) {
  return ((const sb_linkage_data *)self)->origin;
}

/** The primitives of a body's joint, of a free body those of the free joint. */
const sb_joint *sb_linkage_joint(const sb_linkage *linkage, int body);

#endif
