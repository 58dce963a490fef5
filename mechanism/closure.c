// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the closures of a tree: what each joint holds follows from the steps of its kind.
#include "mechanism/closure.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "mechanism/closure_private.h"
#include "mechanism/tree_private.h"

/** Lines shift the child's origin along the parent's axes only before, or along the axis of, what turns: so do all kinds. */
static void find_rows(closing *c, const sb_joint *joint, double pitch) {
  int lines = 0;
  bool free_turn = false;
  for (int i = 0; i < 3; i++) {
    c->holds[i] = true;
  }
  for (const sb_joint_step *step = joint->steps; step->primitive != NULL; step++) {
    const sb_primitive *p = step->primitive;
    for (int i = 0; i < 3; i++) {
      const bool shifted = !p->turns && (p->velocities == 3 || step->axis == "xyz"[i]);
      c->holds[i] = c->holds[i] && !shifted;
    }
    free_turn = free_turn || (p->turns && p->velocities == 3);
    lines += p->turns && p->velocities == 1;
    c->pitch = p->pitch ? pitch : c->pitch;
  }
  c->turns = free_turn ? 0 : 3 - lines;
  c->rows = c->holds[0] + c->holds[1] + c->holds[2] + c->turns;
}

static bool is_body(const sb_tree *tree, int body) {
  return body >= SB_TREE_WORLD && body < sb_tree_bodies(tree);
}

static sb_status add_joint(sb_closures *s, const sb_closure_joint *given, sb_error *err) {
  closing *c = &s->joint[s->joints];
  if (!is_body(s->tree, given->parent) || !is_body(s->tree, given->child)) {
    return sb_fail(err, SB_ERR_REFERENCE, "the joint '%s' is between bodies that the tree has not",
                   given->name);
  }
  if (given->parent == given->child) {
    return sb_fail(err, SB_ERR_RANGE, "the joint '%s' joins a body to itself", given->name);
  }
  bool lines = false;
  for (const sb_joint_step *step = given->joint->steps; step->primitive != NULL; step++) {
    lines = lines || step->primitive->velocities == 1;
  }
  sb_pose axes = sb_pose_identity();
  if (lines) {
    SB_TRY(tree_joint_axes("", given->name, given->axis, given->second, &axes.rotation, err));
  }
  *c = (closing){.name = sb_arena_copy(&s->memory, given->name, strlen(given->name)),
                 .parent = given->parent,
                 .child = given->child,
                 .in_parent = sb_pose_compose(given->in_parent, axes),
                 .in_child = sb_pose_compose(given->in_child, axes),
                 .first = s->rows};
  find_rows(c, given->joint, given->pitch);
  s->rows += c->rows;
  s->joints++;
  return SB_OK;
}

static sb_status add_coupling(sb_closures *s, const sb_coupling *given, sb_error *err) {
  coupling *c = &s->coupling[s->couplings];
  double size = 0;
  *c = (coupling){.name = sb_arena_copy(&s->memory, given->name, strlen(given->name)),
                  .terms = sb_arena_zeroed(&s->memory, given->count, sizeof *c->terms),
                  .coordinates = sb_arena_zeroed(&s->memory, given->count, sizeof *c->coordinates),
                  .count = given->count,
                  .row = s->rows,
                  .value = given->value};
  for (int i = 0; i < given->count && !s->memory.failed; i++) {
    const sb_coupling_term term = c->terms[i] = given->terms[i];
    if (term.velocity < 0 || term.velocity >= s->velocities) {
      return sb_fail(err, SB_ERR_REFERENCE, "the coupling '%s' has a coordinate that no joint has",
                     given->name);
    }
    c->coordinates[i] = s->coordinate[term.velocity];
    if (c->coordinates[i] < 0) {
      return sb_fail(
          err, SB_ERR_RANGE,
          "the coupling '%s' has a joint that turns freely: it has no angle to be coupled",
          given->name);
    }
    size = fmax(size, fabs(term.factor) / s->unit[term.velocity]);
  }
  if (!(size > 0) || !isfinite(size) || !isfinite(given->value)) {
    return sb_fail(err, SB_ERR_RANGE,
                   "the coupling '%s' must have finite factors, and one that is not zero",
                   given->name);
  }
  s->row_scale[s->rows++] = 1 / size;
  s->couplings++;
  return SB_OK;
}

/** Of what is on one link that floats, or in the world. */
typedef struct group {
  sb_vec3 first, mean; // [m] the mean from the first: near it however far away all are
  int count;
} group;

/** The origins of all bodies and closures, where no joint is moved; a closure has two, in its parent and in its child. */
typedef struct origins {
  const sb_tree *tree;
  const sb_closure_joint *joints;
  const double *scratch;
  int count;
  int *root;     // (links) the first link that carries each
  group *groups; // (links + 1) by the link that floats; the last: in the world
} origins;

static sb_vec3 origin_of(const origins *o, int i, group **own) {
  const int bodies = o->tree->bodies;
  const sb_closure_joint *j = i < bodies ? NULL : &o->joints[(i - bodies) / 2];
  const bool child = (i - bodies) % 2 == 1;
  const int body = j == NULL ? i : child ? j->child : j->parent;
  const sb_vec3 in_body = j == NULL ? (sb_vec3){0, 0, 0}
                          : child   ? j->in_child.position
                                    : j->in_parent.position;
  const int link = body < 0 ? SB_TREE_WORLD : o->tree->body[body].link;
  const bool floats = link >= 0 && o->tree->link[o->root[link]].floats;
  *own = &o->groups[floats ? o->root[link] : o->tree->links];
  return body < 0 ? in_body : sb_pose_point(sb_tree_pose(o->tree, o->scratch, body), in_body);
}

/** Sum of the squares of how far they are from the mean of their group: what floats is nowhere before it starts. */
static double sum_squares(const origins *o) {
  double squares = 0;
  for (int pass = 0; pass < 3; pass++) {
    for (int i = 0; i < o->count; i++) {
      group *own;
      const sb_vec3 origin = origin_of(o, i, &own);
      if (pass == 0) {
        own->first = own->count++ == 0 ? origin : own->first;
        continue;
      }
      const sb_vec3 from = sb_vec3_sub(origin, own->first), off = sb_vec3_sub(from, own->mean);
      if (pass == 1) {
        own->mean = sb_vec3_add(own->mean, sb_vec3_scale(from, 1.0 / own->count));
      } else {
        squares += sb_vec3_dot(off, off);
      }
    }
  }
  return squares;
}

/** Their radius of gyration: whichever way the axes are turned, it is the same. */
static sb_status find_length(sb_closures *s, const sb_closure_joint joints[], sb_error *err) {
  const sb_tree *tree = s->tree;
  sb_arena memory = {0};
  double *scratch = sb_arena_zeroed(&memory, sb_tree_scratch(tree), sizeof *scratch),
         *q = sb_arena_zeroed(&memory, tree->coordinates, sizeof *q);
  const origins all = {tree,
                       joints,
                       scratch,
                       tree->bodies + 2 * s->joints,
                       sb_arena_zeroed(&memory, tree->links, sizeof *all.root),
                       sb_arena_zeroed(&memory, tree->links + 1, sizeof *all.groups)};
  if (memory.failed) {
    sb_arena_finish(&memory);
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  for (int i = 0; i < tree->bodies; i++) {
    const sb_tree_joint joint = sb_tree_joint_of(tree, i);
    sb_joint_rest(joint.kind, q + joint.coordinate);
  }
  for (int i = 0; i < tree->links; i++) {
    const int parent = tree->link[i].parent;
    all.root[i] = parent < 0 ? i : all.root[parent];
  }
  sb_tree_place(tree, q, scratch);
  const double squares = sum_squares(&all);
  s->length = squares > 0 ? sqrt(squares / all.count) : 1;
  sb_arena_finish(&memory);
  return SB_OK;
}

/** Which velocities turn, and which coordinates they are the rates of. */
static void find_units(sb_closures *s) {
  for (int i = 0; i < s->tree->bodies; i++) {
    const sb_tree_joint joint = sb_tree_joint_of(s->tree, i);
    int velocity = joint.velocity, coordinate = joint.coordinate;
    for (const sb_joint_step *step = joint.kind->steps; step->primitive != NULL; step++) {
      const sb_primitive *p = step->primitive;
      for (int k = 0; k < p->velocities; k++) {
        s->unit[velocity + k] = p->turns ? s->length : 1;
        s->coordinate[velocity + k] = p->coordinates == p->velocities ? coordinate + k : -1;
      }
      velocity += p->velocities;
      coordinate += p->coordinates;
    }
  }
}

static sb_status fill(sb_closures *s, const sb_closure_joint joints[], int joint_count,
                      const sb_coupling couplings[], int coupling_count, int *faulty,
                      sb_error *err) {
  s->joint = sb_arena_zeroed(&s->memory, joint_count, sizeof *s->joint);
  s->coupling = sb_arena_zeroed(&s->memory, coupling_count, sizeof *s->coupling);
  s->row_scale = sb_arena_zeroed(&s->memory, CLOSURE_ROWS * joint_count + coupling_count,
                                 sizeof *s->row_scale);
  s->unit = sb_arena_zeroed(&s->memory, s->velocities, sizeof *s->unit);
  s->coordinate = sb_arena_zeroed(&s->memory, s->velocities, sizeof *s->coordinate);
  for (int i = 0; i < joint_count && !s->memory.failed; i++) {
    *faulty = i;
    SB_TRY(add_joint(s, &joints[i], err));
  }
  if (!s->memory.failed) {
    SB_TRY(find_length(s, joints, err));
    find_units(s);
  }
  for (int i = 0; i < s->joints; i++) {
    const closing *c = &s->joint[i];
    for (int k = 0; k < c->rows; k++) {
      s->row_scale[c->first + k] = k < c->rows - c->turns ? 1 : s->length;
    }
  }
  for (int i = 0; i < coupling_count && !s->memory.failed; i++) {
    *faulty = joint_count + i;
    SB_TRY(add_coupling(s, &couplings[i], err));
  }
  return s->memory.failed ? sb_fail(err, SB_ERR_MEMORY, "out of memory") : SB_OK;
}

sb_status sb_closures_create(const sb_tree *tree, const sb_closure_joint joints[], int joint_count,
                             const sb_coupling couplings[], int coupling_count,
                             sb_closures **closures, int *faulty, sb_error *err) {
  int unused;
  sb_closures *s = *closures = sb_zeroed(1, sizeof *s);
  if (s == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  s->tree = tree;
  s->velocities = sb_tree_velocities(tree);
  const sb_status status = fill(s, joints, joint_count, couplings, coupling_count,
                                faulty == NULL ? &unused : faulty, err);
  if (status != SB_OK) {
    sb_closures_destroy(s);
    *closures = NULL;
  }
  return status;
}

void sb_closures_destroy(sb_closures *s) {
  if (s != NULL) {
    sb_arena_finish(&s->memory);
    free(s);
  }
}

int sb_closures_rows(const sb_closures *s) {
  return s->rows;
}
double sb_closures_length(const sb_closures *s) {
  return s->length;
}
int sb_closures_first_row(const sb_closures *s, int closure) {
  return closure < s->joints                  ? s->joint[closure].first
         : closure < s->joints + s->couplings ? s->coupling[closure - s->joints].row
                                              : s->rows;
}
const char *sb_closures_name(const sb_closures *s, int closure) {
  return closure < s->joints ? s->joint[closure].name : s->coupling[closure - s->joints].name;
}
