// SPDX-License-Identifier: GPL-3.0-or-later
// Compiles the tree of an element once its bodies and joints are filled, and its state at the start.
#include <math.h>
#include <string.h>

#include "core/base/near_point.h"
#include "geometry/quat.h"
#include "mechanism/assembly.h"
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

static void normalize(double q[4]) {
  double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int i = 0; i < 4; i++) {
    q[i] /= norm;
  }
}

/** Coordinates and velocities at the start. Those of a free body: the place from l->point and the velocity of its centre of mass in
 *  world axes, its attitude, its angular velocity in its own axes. */
static void start_of(const sb_linkage *l, int k, double q[], double v[]) {
  const sb_mechanism *m = l->mechanism;
  const sb_linkage_body *own = &l->bodies[k];
  const sb_joint *joint = sb_linkage_joint(l, k);
  if (own->joint >= 0) {
    memcpy(q, m->joints[own->joint]->q, (size_t)sb_joint_coordinates(joint) * sizeof *q);
    memcpy(v, m->joints[own->joint]->v, (size_t)sb_joint_velocities(joint) * sizeof *v);
  } else {
    const sb_mechanism_body *b = m->bodies[own->body];
    const sb_quat turn = sb_quat_from_rotation(b->pose.rotation);
    const double attitude[4] = {turn.w, turn.x, turn.y, turn.z};
    const sb_vec3 arm = sb_mat3_apply(b->pose.rotation, b->com);
    sb_vec3_store(q, sb_vec3_add(sb_vec3_sub(b->pose.position, l->point), arm));
    memcpy(q + 3, attitude, sizeof attitude);
    sb_vec3_store(v, sb_vec3_add(b->twist.linear, sb_vec3_cross(b->twist.angular, arm)));
    sb_vec3_store(v + 3, sb_mat3_apply_transposed(b->pose.rotation, b->twist.angular));
  }
  for (const sb_joint_step *step = joint->steps; step->primitive != NULL; step++) {
    if (step->primitive->coordinates > step->primitive->velocities) {
      normalize(q);
    }
    q += step->primitive->coordinates;
  }
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

/** Whose coordinates, or rates, are given. */
static void find_given(const sb_linkage *l, bool rates, bool fixed[]) {
  for (int k = 0, i = 0; k < l->body_count; k++) {
    int joint = l->bodies[k].joint;
    const bool *given = joint < 0 ? NULL
                        : rates   ? l->mechanism->joints[joint]->v_given
                                  : l->mechanism->joints[joint]->q_given;
    for (int n = sb_joint_velocities(sb_linkage_joint(l, k)), j = 0; j < n; j++) {
      fixed[i++] = given != NULL && given[j];
    }
  }
}

/** A start that does not close the loops is one of them only roughly [rad], or of the length of the mechanism. */
static const double roughly = 1e-3;

/** Closes the loops by the coordinates that are not given or, where all that is given cannot stay to its last digit,
 *  by all of them; the rates likewise. @param from  (coordinates) scratch */
static sb_status assemble(sb_linkage *l, bool fixed[], double from[], double v[], int *worst,
                          sb_error *err) {
  sb_mobility mobility;
  find_given(l, false, fixed);
  memcpy(from, l->start, (size_t)l->coordinates * sizeof *from);
  if (sb_closures_assemble(l->closures, fixed, l->start, l->point, worst, err) != SB_OK) {
    *err = (sb_error){0};
    SB_TRY(sb_closures_assemble(l->closures, NULL, l->start, l->point, worst, err));
  }
  *worst = -1;
  SB_TRY(
      sb_closures_find_open(l->closures, fixed, from, l->start, l->point, roughly, l->open, err));
  SB_TRY(sb_closures_analyse(l->closures, l->start, l->point, &mobility, NULL, err));
  l->rank = mobility.most;
  find_given(l, true, fixed);
  return sb_closures_assemble_velocities(l->closures, fixed, l->start, l->point, v, worst, err);
}

/** The middle of the centres of mass at the start, and what the bodies extend to from there. Leaves the poses. */
static void find_middle(sb_linkage *l, double scratch[]) {
  double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  sb_tree_place_from(l->tree, l->start, l->point, scratch);
  l->reach = 0;
  for (int k = 0; k < l->body_count; k++) {
    const sb_mechanism_body *b = l->mechanism->bodies[l->bodies[k].body];
    double at[3];
    sb_vec3_store(at,
                  sb_vec3_add(l->point, sb_pose_point(sb_tree_pose(l->tree, scratch, k), b->com)));
    for (int i = 0; i < 3; i++) {
      low[i] = fmin(low[i], at[i]);
      high[i] = fmax(high[i], at[i]);
    }
    l->reach = fmax(
        l->reach,
        b->mass > 0 ? fmin(SB_PLACE_EXTENT_MOST, sqrt(sb_mat3_trace(&b->inertia) / b->mass)) : 0);
  }
  for (int i = 0; i < 3; i++) {
    l->middle[i] = 0.5 * low[i] + 0.5 * high[i];
    l->reach = fmax(l->reach, 0.5 * (high[i] - low[i]));
  }
}

/** From l->point, coordinates and velocities at the start. */
static void start_all(sb_linkage *l, double v[]) {
  for (int k = 0; k < l->body_count; k++) {
    const sb_tree_joint joint = sb_tree_joint_of(l->tree, k);
    start_of(l, k, l->start + joint.coordinate, v + joint.velocity);
  }
}

static void choose_point(sb_linkage *l) {
  double point[3];
  sb_near_point(l->middle, l->reach, point);
  l->point = sb_vec3_load(point);
}

/** The state at the start, with p = M v.
 *  @param worst  out: the joint that does not close its loop, among those that close some; -1: none */
static sb_status find_start(sb_linkage *l, sb_arena *memory, int *worst, sb_error *err) {
  l->start = sb_arena_zeroed(memory, l->coordinates + l->velocities, sizeof(double));
  l->length = sb_arena_zeroed(memory, l->coordinates, sizeof(double));
  double *scratch = sb_arena_zeroed(memory, sb_tree_scratch(l->tree), sizeof(double)),
         *v = sb_arena_zeroed(memory, l->velocities, sizeof(double));
  double *from = sb_arena_zeroed(memory, l->coordinates, sizeof(double));
  bool *fixed = sb_arena_zeroed(memory, l->velocities, sizeof(bool));
  l->open = sb_arena_zeroed(memory, l->velocities, sizeof(bool));
  if (memory->failed) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  start_all(l, v);
  find_middle(l, scratch);
  choose_point(l);
  start_all(l, v);
  if (l->closures != NULL) {
    SB_TRY(assemble(l, fixed, from, v, worst, err));
  }
  find_middle(l, scratch);
  if (l->closures != NULL && l->rank == l->velocities) {
    memset(v, 0, (size_t)l->velocities * sizeof *v);
  }
  sb_tree_move(l->tree, v, scratch, l->start + l->coordinates);
  find_lengths(l);
  return SB_OK;
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
  status = find_start(l, &m->memory, &faulty, err);
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

/** The body of a tree that has an id, or a frame of it; -1: none. @param in_body  out: of the frame in the body */
static int find_place(const sb_linkage *l, const char *id, sb_pose *in_body) {
  const sb_mechanism *m = l->mechanism;
  *in_body = sb_pose_identity();
  for (int k = 0; k < l->body_count; k++) {
    if (strcmp(m->bodies[l->bodies[k].body]->id, id) == 0) {
      return k;
    }
  }
  for (int k = 0; k < l->frame_count; k++) {
    if (strcmp(m->frames[l->frames[k].frame]->id, id) == 0) {
      *in_body = m->frames[l->frames[k].frame]->in_body;
      return l->frames[k].body;
    }
  }
  return -1;
}

sb_status sb_mechanism_start_pose(const sb_mechanism *m, const char *id, sb_pose *pose,
                                  sb_error *err) {
  for (int i = 0; i < m->linkage_count; i++) {
    const sb_linkage *l = &m->linkages[i];
    sb_pose in_body;
    int body = l->start == NULL ? -1 : find_place(l, id, &in_body);
    if (body >= 0) {
      sb_arena memory = {0};
      double *scratch = sb_arena_zeroed(&memory, sb_tree_scratch(l->tree), sizeof(double));
      if (scratch != NULL) {
        sb_tree_place_from(l->tree, l->start, l->point, scratch);
        *pose = sb_pose_compose(sb_tree_pose(l->tree, scratch, body), in_body);
        pose->position = sb_vec3_add(l->point, pose->position);
      }
      sb_arena_finish(&memory);
      return scratch == NULL ? sb_fail(err, SB_ERR_MEMORY, "out of memory") : SB_OK;
    }
  }
  return sb_fail(err, SB_ERR_REFERENCE, "there is no body or frame '%.80s'", id);
}

bool sb_mechanism_start_coordinates(const sb_mechanism *m, const sb_mechanism_joint *joint,
                                    double q[]) {
  for (int i = 0; i < m->linkage_count; i++) {
    const sb_linkage *l = &m->linkages[i];
    for (int k = 0; k < l->body_count && l->start != NULL; k++) {
      if (l->bodies[k].joint >= 0 && m->joints[l->bodies[k].joint] == joint) {
        const sb_tree_joint own = sb_tree_joint_of(l->tree, k);
        memcpy(q, l->start + own.coordinate, (size_t)own.coordinates * sizeof *q);
        return true;
      }
    }
  }
  return false;
}

bool sb_mechanism_start_is_open(const sb_mechanism *m, const sb_mechanism_joint *joint,
                                bool open[]) {
  bool any = false;
  for (int i = 0; i < m->linkage_count; i++) {
    const sb_linkage *l = &m->linkages[i];
    for (int k = 0; k < l->body_count && l->open != NULL; k++) {
      if (l->bodies[k].joint >= 0 && m->joints[l->bodies[k].joint] == joint) {
        const int first = sb_tree_joint_of(l->tree, k).velocity;
        for (int j = 0; j < sb_joint_velocities(joint->kind); j++) {
          open[j] = l->open[first + j];
          any = any || open[j];
        }
      }
    }
  }
  return any;
}

double sb_mechanism_start_moved(const sb_mechanism *m, const sb_mechanism_joint *joint) {
  double q[SB_JOINT_COORDINATES], same = 0, opposite = 0, lines = 0;
  const int turn = sb_joint_coordinates(joint->kind) - sb_joint_velocities(joint->kind);
  if (!sb_mechanism_start_coordinates(m, joint, q)) {
    return 0;
  }
  const double *a = joint->q, *b = q;
  const bool *given = joint->q_given;
  for (const sb_joint_step *step = joint->kind->steps; step->primitive != NULL;
       given += step->primitive->velocities, step++) {
    for (int i = 0; i < step->primitive->coordinates; i++, a++, b++) {
      const bool quaternion = turn > 0 && step->primitive->turns;
      if (!given[quaternion ? 0 : i]) {
        continue;
      }
      lines = quaternion ? lines : fmax(lines, fabs(*a - *b));
      same = quaternion ? fmax(same, 2 * fabs(*a - *b)) : same;
      opposite = quaternion ? fmax(opposite, 2 * fabs(*a + *b)) : opposite;
    }
  }
  return fmax(lines, fmin(same, opposite));
}
