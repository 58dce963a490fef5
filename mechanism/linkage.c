// SPDX-License-Identifier: GPL-3.0-or-later
// Compiles the tree of an element once its bodies and joints are filled.
#include <math.h>
#include <string.h>

#include "mechanism/mechanism_private.h"
#include "mechanism/recursion.h"

/** The row of a body: its joint, or that of a free body, which stands at its centre of mass: about a frame far from that one the
 *  inertia cancels, and a small body's spin is known to (distance/size)^2 eps only. */
static sb_tree_body row_of(const sb_linkage *l, int k) {
  const sb_mechanism *m = l->mechanism;
  const sb_linkage_body *own = &l->bodies[k];
  const sb_mechanism_body *b = m->bodies[own->body];
  sb_tree_body row = {.name = b->id,
                      .parent = own->parent,
                      .joint = sb_linkage_joint(l, k),
                      .in_parent = sb_pose_identity(),
                      .in_body = sb_pose_identity(),
                      .axis = {0, 0, 1},
                      .inertia = sb_inertia_make(b->mass, b->com, b->inertia)};
  if (own->joint >= 0) {
    const sb_mechanism_joint *j = m->joints[own->joint];
    row.in_parent = j->in_parent;
    row.in_body = j->in_child;
    row.axis = j->axis;
    row.second = j->second;
    row.pitch = j->pitch;
    memcpy(row.stiffness, j->stiffness, sizeof row.stiffness);
    memcpy(row.rest, j->rest, sizeof row.rest);
  } else {
    row.in_body.position = b->com;
    row.floats = true;
  }
  return row;
}

/** How far bodies and joints are from the frames that they are given in, at most [m]. */
static double size_of(const sb_linkage *l) {
  double size = 0;
  for (int k = 0; k < l->body_count; k++) {
    const sb_tree_body row = row_of(l, k);
    const sb_mechanism_body *b = l->mechanism->bodies[l->bodies[k].body];
    double gyration =
        b->mass > 0
            ? sqrt((b->inertia.m[0][0] + b->inertia.m[1][1] + b->inertia.m[2][2]) / (2 * b->mass))
            : 0;
    size = fmax(size, fmax(sb_vec3_norm(row.in_body.position), sb_vec3_norm(b->com) + gyration));
    size = row.parent >= 0 ? fmax(size, sb_vec3_norm(row.in_parent.position)) : size;
  }
  return size > 0 ? size : 1;
}

static void find_lengths(sb_linkage *l) {
  const double size = l->size = size_of(l);
  l->fall = sb_tree_mass(l->tree) * sb_vec3_norm(l->mechanism->gravity) * size;
  for (int k = 0, i = 0; k < l->body_count; k++) {
    const sb_joint *joint = sb_linkage_joint(l, k);
    for (const sb_joint_step *step = joint->steps; step->primitive != NULL; step++) {
      for (int end = i + step->primitive->coordinates; i < end; i++) {
        l->length[i] = step->primitive->turns ? 1 : size;
      }
    }
  }
}

static void place_scratch(sb_linkage *l) {
  sb_linkage_scratch *s = &l->scratch;
  int recursion = sb_tree_scratch(l->tree), n = l->velocities;
  s->v = s->tree + recursion;
  s->tau = s->v + n;
  s->dv = s->tau + n;
  s->wrenches = s->dv + n;
  s->twists = s->wrenches + 6 * l->body_count;
  s->other = s->twists + 6 * l->body_count;
  const int closures = l->closures == NULL ? 0 : sb_closures_scratch(l->closures);
  s->closures = s->other + recursion + n + closures;
  s->efforts = s->closures + closures;
  s->bias = s->efforts + n;
  const int rows = l->closures == NULL ? 0 : sb_closures_rows(l->closures);
  s->lambda = s->bias + rows;
  s->carried = s->lambda + rows;
  s->sizes = s->carried + 6 * (l->body_count + l->closing_count);
  s->poses = s->sizes + 4 * l->body_count;
  s->moved = s->poses + 12 * l->body_count;
  s->step = s->moved + l->coordinates;
  s->count = s->step + sb_linkage_step_numbers(l) - s->tree;
  l->scratch_row->count = s->count;
}

static int place_of(const sb_linkage *l, int body) {
  return body < 0 ? SB_TREE_WORLD : l->mechanism->bodies[body]->place;
}

/** What the velocities of a coupling are in the tree. @param terms  (count) out */
static sb_coupling coupling_of(const sb_linkage *l, int number, sb_coupling_term terms[]) {
  const sb_mechanism_coupling *c = l->mechanism->couplings[number];
  for (int k = 0; k < c->count; k++) {
    const int body = place_of(l, l->mechanism->joints[c->joints[k]]->child);
    terms[k] = (sb_coupling_term){sb_tree_joint_of(l->tree, body).velocity, c->ratios[k]};
  }
  return (sb_coupling){.name = c->id, .terms = terms, .count = c->count, .value = c->value};
}

/** The id of the joint or coupling that a closure is of; NULL: none. */
static const char *id_of_closure(const sb_linkage *l, int closure) {
  const sb_mechanism *m = l->mechanism;
  const int coupling = closure - l->closing_count;
  return closure < 0                   ? NULL
         : coupling < 0                ? m->joints[l->closing[closure]]->id
         : coupling < l->coupled_count ? m->couplings[l->coupled[coupling]]->id
                                       : NULL;
}

static sb_status make_closures(sb_linkage *l, const char **name, sb_error *err) {
  const sb_mechanism *m = l->mechanism;
  sb_arena memory = {0};
  sb_closure_joint *rows = sb_arena_zeroed(&memory, l->closing_count, sizeof *rows);
  sb_coupling *couplings = sb_arena_zeroed(&memory, l->coupled_count, sizeof *couplings);
  sb_coupling_term *terms =
      sb_arena_zeroed(&memory, l->coupled_count, SB_MECHANISM_COUPLED * sizeof *terms);
  int faulty = -1;
  for (int k = 0; !memory.failed && k < l->coupled_count; k++) {
    couplings[k] = coupling_of(l, l->coupled[k], terms + k * SB_MECHANISM_COUPLED);
  }
  for (int k = 0; !memory.failed && k < l->closing_count; k++) {
    const sb_mechanism_joint *j = m->joints[l->closing[k]];
    rows[k] = (sb_closure_joint){.name = j->id,
                                 .joint = j->kind,
                                 .parent = place_of(l, j->parent),
                                 .child = place_of(l, j->child),
                                 .in_parent = j->in_parent,
                                 .in_child = j->in_child,
                                 .axis = j->axis,
                                 .second = j->second,
                                 .pitch = j->pitch};
  }
  sb_status status = memory.failed
                         ? sb_fail(err, SB_ERR_MEMORY, "out of memory")
                         : sb_closures_create(l->tree, rows, l->closing_count, couplings,
                                              l->coupled_count, &l->closures, &faulty, err);
  *name = id_of_closure(l, faulty);
  sb_arena_finish(&memory);
  return status;
}

sb_status sb_linkage_compile(sb_linkage *l, const char **name, sb_error *err) {
  sb_mechanism *m = (sb_mechanism *)l->mechanism;
  sb_tree_body *rows = sb_arena_zeroed(&m->memory, l->body_count, sizeof *rows);
  int faulty = -1;
  *name = NULL;
  for (int k = 0; rows != NULL && k < l->body_count; k++) {
    rows[k] = row_of(l, k);
  }
  sb_status status = rows == NULL
                         ? SB_ERR_MEMORY
                         : sb_tree_create(rows, l->body_count, m->gravity, &l->tree, &faulty, err);
  if (status != SB_OK) {
    const sb_linkage_body *own = faulty < 0 ? NULL : &l->bodies[faulty];
    *name = own == NULL       ? NULL
            : own->joint >= 0 ? m->joints[own->joint]->id
                              : m->bodies[own->body]->id;
    return status == SB_ERR_MEMORY ? sb_fail(err, SB_ERR_MEMORY, "out of memory") : status;
  }
  if (l->closing_count + l->coupled_count > 0) {
    SB_TRY(make_closures(l, name, err));
  }
  place_scratch(l);
  faulty = -1;
  status = sb_linkage_find_start(l, &m->memory, &faulty, err);
  if (status == SB_OK) {
    find_lengths(l);
  }
  *name = id_of_closure(l, faulty);
  if (status == SB_ERR_UNSOLVED && faulty >= 0 && faulty < l->closing_count) {
    sb_linkage_hint_carrier(l, m->joints[l->closing[faulty]], err);
  }
  return status;
}

sb_status sb_linkage_init(void *self, sb_layout *layout, sb_error *err) {
  sb_linkage *l = ((sb_linkage_data *)self)->linkage;
  const char *name;
  (void)layout;
  return l->tree != NULL ? SB_OK : sb_linkage_compile(l, &name, err);
}
