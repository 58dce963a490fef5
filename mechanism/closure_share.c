// SPDX-License-Identifier: GPL-3.0-or-later
// What the joints of overconstrained loops carry. Rows of J that imply each other leave multipliers undetermined: all lambda + y with
// J^T y = 0 move the mechanism alike, and y loads each joint of the loops, those of the tree by
// what its subtree needs. Of all wrenches W of joints, those of the tree and those that close loops alike, here are the ones with the least
//   |W|^2 = sum over the joints of |f|^2 + |m|^2 / r^2,   m about the joint's place in its child,
// r the radius of gyration of all bodies: neither the axes of the world nor which joint closes a loop are in it. With W(y) = W + A y
// and P the projection on J^T y = 0 this is a linear least squares problem, solved by conjugate gradients (CGLS; Bjorck, Numerical Methods for
// Least Squares Problems, 7.4): A and A^T are one pass over the bodies each, nothing is stored, and A is well conditioned, as y loads its own joint by itself.
#include <float.h>
#include <math.h>
#include <string.h>

#include "mechanism/closure_private.h"
#include "mechanism/reaction.h"
#include "mechanism/recursion.h"
#include "mechanism/tree_private.h"

typedef struct sharing {
  const sb_closures *closures;
  const double *tree_scratch;
  closure_parts
      p; // y, here in the scale and the order of the rows of T: those that are not zero first
  double square; // [m^2] r^2
} sharing;

/** From the first body: the digits are those of the mechanism however far away it is. */
static double square_of_gyration(const sb_tree *tree, const double scratch[]) {
  double mass = 0, square = 0;
  sb_vec3 first = {0, 0, 0};
  const sb_vec3 from = sb_tree_pose(tree, scratch, 0).position;
  for (int i = 0; i < tree->bodies; i++) {
    const sb_inertia *own = &tree->body[i].inertia;
    const sb_pose at = sb_tree_pose(tree, scratch, i);
    const sb_vec3 place = sb_vec3_sub(at.position, from),
                  moment = sb_mat3_apply(at.rotation, own->first);
    mass += own->mass;
    first = sb_vec3_add(first, sb_vec3_axpy(moment, own->mass, place));
    square += 0.5 * sb_mat3_trace(&own->second) + 2 * sb_vec3_dot(place, moment) +
              own->mass * sb_vec3_dot(place, place);
  }
  const double about_centre = square / mass - sb_vec3_dot(first, first) / (mass * mass);
  return about_centre > 0 ? about_centre : 1;
}

/** A joint's place in its child, of the tree's first. */
static sb_vec3 place_of(const sharing *s, int joint) {
  const int bodies = s->closures->tree->bodies;
  if (joint < bodies) {
    return sb_tree_joint_pose(s->closures->tree, s->tree_scratch, joint).position;
  }
  const closing *c = &s->closures->joint[joint - bodies];
  return closure_frames_of(s->closures, c, s->tree_scratch).child.position;
}

/** G W of one joint, half the gradient of its part of the norm: a twist about the world's origin. */
static sb_twist weigh(const sharing *s, int joint, sb_wrench w) {
  const sb_vec3 place = place_of(s, joint);
  const sb_wrench about = wrench_shift(w, sb_vec3_neg(place));
  const sb_twist there = {sb_vec3_scale(about.moment, 1 / s->square), about.force};
  return twist_shift(there, sb_vec3_neg(place));
}

static double norm_of(const sharing *s, const sb_wrench w[]) {
  double sum = 0;
  for (int i = 0; i < s->closures->tree->bodies + s->closures->joints; i++) {
    sum += sb_power(w[i], weigh(s, i, w[i]));
  }
  return sum;
}

/** A y: what a joint of the tree does is against all that is done to the bodies that it moves. */
static void apply(const sharing *s, const double y[], sb_wrench w[]) {
  const sb_tree *tree = s->closures->tree;
  memset(s->p.lambda, 0, (size_t)s->closures->rows * sizeof *s->p.lambda);
  for (int k = 0; k < s->closures->rows; k++) {
    const int row = (int)s->p.order[k];
    s->p.lambda[row] = s->closures->row_scale[row] * y[k];
  }
  memset(w, 0, (size_t)tree->bodies * sizeof *w);
  sb_closures_wrenches(s->closures, s->tree_scratch, s->p.lambda, w, w + tree->bodies);
  for (int i = tree->bodies - 1; i >= 0; i--) {
    if (tree->body[i].parent >= 0) {
      w[tree->body[i].parent] = sb_wrench_add(w[tree->body[i].parent], w[i]);
    }
    w[i] = sb_wrench_scale(w[i], -1);
  }
}

/** y := P y: of the rows of J that are not zero T = Z R, so that J^T y = 0 is Z^T y = 0. */
static void project(const sharing *s, double y[]) {
  const int live = (int)*s->p.live;
  for (int i = 0; i < (int)*s->p.rank; i++) {
    axpy(-dot(&s->p.T[i * live], y, live), &s->p.T[i * live], y, live);
  }
}

/** y := -P A^T G W. */
static void descend(const sharing *s, const sb_wrench w[], double y[]) {
  const sb_closures *c = s->closures;
  const sb_tree *tree = c->tree;
  const sb_twist rest = {{0, 0, 0}, {0, 0, 0}};
  sb_twist *sum = s->p.rates; // over the joints that move each body
  double *slope = s->p.lambda;
  for (int i = 0; i < tree->bodies; i++) {
    const int parent = tree->body[i].parent;
    sum[i] = sb_twist_add(parent >= 0 ? sum[parent] : rest, weigh(s, i, w[i]));
  }
  memset(slope, 0, (size_t)c->rows * sizeof *slope);
  for (int i = 0; i < c->joints; i++) {
    const closing *joint = &c->joint[i];
    const closure_frames at = closure_frames_of(c, joint, s->tree_scratch);
    const sb_twist relative = sb_twist_sub(joint->child >= 0 ? sum[joint->child] : rest,
                                           joint->parent >= 0 ? sum[joint->parent] : rest),
                   own = weigh(s, tree->bodies + i, w[tree->bodies + i]);
    sb_wrench rows[CLOSURE_ROWS];
    closure_wrenches(joint, &at, rows);
    for (int k = 0; k < joint->rows; k++) {
      slope[joint->first + k] =
          sb_power(rows[k], twist_shift(sb_twist_sub(own, relative), at.child.position));
    }
  }
  for (int k = 0; k < c->rows; k++) {
    const int row = (int)s->p.order[k];
    y[k] = -c->row_scale[row] * slope[row];
  }
  project(s, y);
}

static void move_all(double s, const sb_wrench change[], sb_wrench w[], int count) {
  for (int i = 0; i < count; i++) {
    w[i] = sb_wrench_add(w[i], sb_wrench_scale(change[i], s));
  }
}

void sb_closures_share(const sb_closures *c, const double tree_scratch[], double scratch[],
                       sb_wrench joints[]) {
  sharing s = {c, tree_scratch, closure_parts_of(c, scratch), 0};
  const int free = c->rows - (int)*s.p.rank, count = c->tree->bodies + c->joints;
  double *y = s.p.row, *way = s.p.bias;
  if (free == 0 || c->joints == 0) {
    return;
  }
  s.square = square_of_gyration(c->tree, tree_scratch);
  descend(&s, joints, y);
  memcpy(way, y, (size_t)c->rows * sizeof *way);
  double left = dot(y, y, c->rows);
  const double enough = DBL_EPSILON * DBL_EPSILON * norm_of(&s, joints);
  for (int i = 0; i < 2 * free && left > enough; i++) { // `free` steps but for rounding
    apply(&s, way, s.p.wrenches);
    move_all(dot(y, way, c->rows) / norm_of(&s, s.p.wrenches), s.p.wrenches, joints, count);
    descend(&s, joints, y);
    const double now = dot(y, y, c->rows);
    for (int k = 0; k < c->rows; k++) {
      way[k] = y[k] + now / left * way[k];
    }
    left = now;
  }
}
