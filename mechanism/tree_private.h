// SPDX-License-Identifier: GPL-3.0-or-later
// The inside of a tree: its links, one for each primitive joint, and what the recursions keep of a link. The frame of a
// link is that of its joint on the link's side, and the line of a joint is its z axis. What is spatial is in
// WORLD AXES, of each link about ITS OWN origin: passing to the parent is a shift by the arm between them, which is
// short wherever the tree is, and no 6 x 6 matrix is turned.
#ifndef SB_MECHANISM_TREE_PRIVATE_H
#define SB_MECHANISM_TREE_PRIVATE_H

#include <stddef.h>

#include "mechanism/articulated_private.h"
#include "mechanism/tree.h"

typedef struct tree_link {
  int parent;               // a link before it, or SB_TREE_WORLD
  int coordinate, velocity; // the first of its joint, in q and in v
  int body;                 // whose joint it belongs to
  int first_body, bodies;   // those that move with it, in sb_tree.order
  bool line, turns;         // of the joint: one coordinate along or about z; it turns
  bool aligned;             // `axes` is the identity
  bool leaf, last;          // it carries no link; it is the last one that its parent carries
  double advance;           // [m/rad] or 1: of a line, what a unit of the coordinate shifts
  double mass;              // [kg]
  bool drifts;   // it shifts, and so does all that carries it: its axes stay in the world
  double moved;  // [kg] its mass with that of all that it carries
  sb_vec3 at;    // [m] the joint's place in the parent's frame
  sb_mat3 axes;  // and its axes there
  sb_vec3 first; // [kg m]
  sym3 second;   // [kg m^2] about the link's origin
  bool sprung;
  bool floats; // its place in the world is not that of its parent's frame but counts from the point
  double stiffness[3], rest[3];
} tree_link;

typedef struct placed_body {
  int link;     // SB_TREE_WORLD: it is fixed in the world
  sb_pose pose; // of its frame in the link's
  sb_tree_joint joint;
  int parent;         // a body before it, or SB_TREE_WORLD
  sb_pose frame;      // of its joint, in the body's frame; z and x are the joint's
  sb_inertia inertia; // its own, in its frame
} placed_body;

struct sb_tree {
  int bodies, links, coordinates, velocities;
  sb_vec3 gravity;
  placed_body *body; // (bodies)
  tree_link *link;   // (links)
  int *order;        // (bodies) sorted by their links
};

/** Fills an empty tree; as sb_tree_create(), but for the look whether M is singular. What is made stays with the tree. */
sb_status tree_compile(sb_tree *tree, const sb_tree_body bodies[], int count, int *faulty,
                       sb_error *err);

/** The axes of a joint as a rotation: its z, and x made perpendicular to it.
 *  @param owner, name  who it is in the message: the joint, or "of " and its body */
sb_status tree_joint_axes(const char *owner, const char *name, sb_vec3 axis, sb_vec3 second,
                          sb_mat3 *axes, sb_error *err);

/** What solves for the velocities of a joint under the twist B of its base: v = D^-1 (u - U^T B), and what the base
 *  feels of u: U D^-1 u, with U = I S and D = S^T U of its columns S, those of three taken along the world's axes. */
typedef union factor {
  struct {
    sb_wrench gain; // U / D
    double inverse;
  } line;
  struct {
    sb_mat3 cross;   // U without D: C of a turn, C^T of a shift
    sym3_factor own; // of D: J of a turn, M of a shift
  } triad;
} factor;

/** What the recursions keep of a link: doubles only. */
typedef struct link_state {
  // sb_tree_place()
  sb_mat3 rotation;
  sb_vec3 origin; // [m] in the world
  sb_vec3 arm;    // [m] from the parent's origin, or the world's
  sb_vec3 first;  // [kg m] of the link alone, world axes
  sym3 second;    // [kg m^2]
  // sb_tree_solve(), sb_tree_move()
  factor factor;
  sb_twist twist;
  sb_wrench momentum; // of the link alone
  double v[3];
  // what children hand to their parents during a pass, about the parent's origin
  articulated carried;
  sb_wrench push, load;
  double u[3];
  sb_twist change;
} link_state;

static inline link_state *states(double scratch[]) {
  return (link_state *)scratch;
}
static inline const link_state *const_states(const double scratch[]) {
  return (const link_state *)scratch;
}

/** The point that places count from, behind the links. */
static inline double *tree_point(const sb_tree *tree, double scratch[]) {
  return (double *)(states(scratch) + tree->links);
}

static inline sb_vec3 axis_of(const link_state *s) {
  return mat3_column(s->rotation, 2);
}

/** The same motion seen at a point that is r away. */
static inline sb_twist twist_shift(sb_twist t, sb_vec3 r) {
  return (sb_twist){t.angular, sb_twist_at(t, r)};
}
/** The same wrench about a point that is -r away. */
static inline sb_wrench wrench_shift(sb_wrench w, sb_vec3 r) {
  return (sb_wrench){sb_vec3_add(w.moment, sb_vec3_cross(r, w.force)), w.force};
}

/** The twist of the parent at the link's origin. */
static inline sb_twist base_twist(const sb_twist *parent, const link_state *s) {
  return parent != NULL ? twist_shift(*parent, s->arm) : (sb_twist){{0, 0, 0}, {0, 0, 0}};
}

/** S^T w (3), of a line (1): along the joint's velocities. */
static inline sb_vec3 link_project(const tree_link *l, const link_state *s, sb_wrench w) {
  if (l->line) {
    const sb_vec3 along =
        sb_vec3_axpy(l->turns ? w.moment : (sb_vec3){0, 0, 0}, l->advance, w.force);
    return (sb_vec3){sb_vec3_dot(axis_of(s), along), 0, 0};
  }
  return sb_mat3_apply_transposed(s->rotation, l->turns ? w.moment : w.force);
}

/** S v: the twist of the link against its parent, about its origin. */
static inline sb_twist link_span(const tree_link *l, const link_state *s, const double v[]) {
  const sb_vec3 none = {0, 0, 0};
  if (l->line) {
    const sb_vec3 along = sb_vec3_scale(axis_of(s), v[0]);
    return (sb_twist){l->turns ? along : none, sb_vec3_scale(along, l->advance)};
  }
  const sb_vec3 along = sb_mat3_apply(s->rotation, sb_vec3_load(v));
  return l->turns ? (sb_twist){along, none} : (sb_twist){none, along};
}

static inline int link_velocities(const tree_link *l) {
  return l->line ? 1 : 3;
}

/** The momentum of the link alone. */
static inline sb_wrench link_momentum(const tree_link *l, const link_state *s, sb_twist t) {
  return (sb_wrench){
      sb_vec3_add(sym3_apply(s->second, t.angular), sb_vec3_cross(s->first, t.linear)),
      sb_vec3_sub(sb_vec3_scale(t.linear, l->mass), sb_vec3_cross(s->first, t.angular))};
}

/** What the children have handed over to `sum` of their parent; a link adds to what those behind it left. */
static inline void hand_over(const tree_link *l, sb_wrench *sum, sb_wrench w) {
  *sum = l->last ? w : sb_wrench_add(*sum, w);
}

#endif
