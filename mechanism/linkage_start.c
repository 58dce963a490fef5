// SPDX-License-Identifier: GPL-3.0-or-later
// The state of a tree at the start: what is stated of its joints and bodies, with its loops closed.
#include <math.h>
#include <string.h>

#include "core/base/near_point.h"
#include "geometry/quat.h"
#include "mechanism/assembly.h"
#include "mechanism/mechanism_private.h"
#include "mechanism/recursion.h"

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
 *  by all of them, nearest to what is given; the rates likewise. @param from  (coordinates) scratch */
static sb_status assemble(sb_linkage *l, bool fixed[], double from[], double v[], int *worst,
                          sb_error *err) {
  sb_mobility mobility;
  find_given(l, false, fixed);
  memcpy(from, l->start, (size_t)l->coordinates * sizeof *from);
  if (sb_closures_assemble(l->closures, fixed, l->start, l->point, worst, err) != SB_OK) {
    *err = (sb_error){0};
    SB_TRY(sb_closures_assemble(l->closures, NULL, l->start, l->point, worst, err));
    SB_TRY(sb_closures_approach(l->closures, fixed, from, l->start, l->point, err));
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

sb_status sb_linkage_find_start(sb_linkage *l, sb_arena *memory, int *worst, sb_error *err) {
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
  return SB_OK;
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
