// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers of bodies, frames and joints as signals for controllers: those that are asked for before the tree is built, filled
// where its poses and velocities are known anyway. Of reactions, which depend on all forces, only the unit is told here. An entry of a Jacobian is what one rate gives a velocity: the column of
// the joint, a twist, at the point.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/network/quantity.h"
#include "mechanism/dynamics.h"
#include "mechanism/mechanism_private.h"

static bool is_id(const char *id, const char *name, size_t length) {
  return strlen(id) == length && strncmp(id, name, length) == 0;
}

static int find_joint(const sb_mechanism *m, const char *name, size_t length) {
  int found = -1;
  for (int i = 0; i < m->joint_count; i++) {
    found = is_id(m->joints[i]->id, name, length) ? i : found;
  }
  return found;
}

/** The body, joint or frame of this id. @return false: there is none */
static bool find_part(const sb_mechanism *m, const char *name, size_t length,
                      sb_mechanism_signal *s) {
  s->number = find_joint(m, name, length);
  s->part = SB_PART_JOINT;
  for (int i = 0; i < m->body_count && s->number < 0; i++) {
    s->number = is_id(m->bodies[i]->id, name, length) ? i : -1;
    s->part = SB_PART_BODY;
  }
  for (int i = 0; i < m->frame_count && s->number < 0; i++) {
    s->number = is_id(m->frames[i]->id, name, length) ? i : -1;
    s->part = SB_PART_FRAME;
  }
  return s->number >= 0;
}

static int numbers_of(const sb_quantity_spec *row, const sb_joint *joint) {
  return row->count == SB_OF_COORDINATES  ? sb_joint_coordinates(joint)
         : row->count == SB_OF_VELOCITIES ? sb_joint_velocities(joint)
                                          : row->count;
}

static void hint_rows(const sb_quantity_spec rows[], sb_error *err) {
  char text[SB_ERROR_HINT] = "";
  for (int i = 0; rows[i].name != NULL; i++) {
    const size_t used = strlen(text);
    (void)snprintf(text + used, sizeof text - used, "%s%s", used > 0 ? ", " : "", rows[i].name);
  }
  if (text[0] != '\0') {
    sb_error_hint(err, "signals read: %s", text);
  }
}

/** Takes the quantity and the component from "NAME.QUANTITY.x" or "NAME.QUANTITY(FRAME).x".
 *  @param known  out: false where it is no quantity, but a state or a signal, which others find */
static sb_status find_row(const sb_mechanism *m, const char *of, sb_mechanism_signal *s,
                          bool *known, sb_error *err) {
  const char *name = strchr(of, '.') + 1;
  const size_t length = strcspn(name, ".(");
  const char *close = name[length] == '(' ? strchr(name, ')') : NULL,
             *end = close == NULL ? name + length : close + 1;
  const sb_joint *joint = s->part == SB_PART_JOINT ? m->joints[s->number]->kind : NULL;
  const sb_quantity_spec *rows = sb_linkage_readable(s->part);
  int row = 0;
  while (rows[row].name != NULL && !is_id(rows[row].name, name, length)) {
    row++;
  }
  *known = rows[row].name != NULL;
  if (!*known && joint != NULL && (name[0] == 'q' || name[0] == 'p')) {
    return SB_OK;
  }
  if (!*known) {
    (void)sb_fail(err, SB_ERR_REFERENCE, "there is no quantity '%.*s' that a signal could read",
                  (int)(name + length - of), of);
    hint_rows(rows, err);
    return SB_ERR_REFERENCE;
  }
  s->row = row;
  s->measured = close != NULL || (joint != NULL && row <= SB_JOINT_MOMENT);
  s->component = sb_component_find(of, end, numbers_of(&rows[row], joint), err);
  (void)snprintf(s->unit, sizeof s->unit, "%s", rows[row].unit == NULL ? "" : rows[row].unit);
  if (rows[row].unit == NULL) {
    sb_joint_unit(joint, strcmp(rows[row].name, "w") == 0, s->component, s->unit);
  }
  return s->component < 0 ? SB_ERR_DIMENSION : SB_OK;
}

/** Takes the rate that an entry of a Jacobian is by. */
static sb_status find_rate(const sb_mechanism *m, const char *of, const char *by,
                           sb_mechanism_signal *s, sb_error *err) {
  const size_t length = strcspn(by, ".");
  const char *end = strncmp(by + length, ".w", 2) == 0 ? by + length + 2 : by + length,
             *unit = s->unit;
  char rate[64], own[64];
  if (s->part == SB_PART_JOINT || s->measured || strstr(of, "velocity") == NULL) {
    (void)sb_fail(err, SB_ERR_REFERENCE,
                  "'%.80s' has no Jacobian: it is no velocity of a body or frame", of);
    sb_error_hint(err, "velocity and angular-velocity of bodies and frames have one");
    return SB_ERR_REFERENCE;
  }
  s->by = find_joint(m, by, length);
  if (s->by < 0) {
    (void)sb_fail(err, SB_ERR_REFERENCE, "there is no joint '%.*s'", (int)length, by);
    return SB_ERR_REFERENCE;
  }
  const sb_joint *joint = m->joints[s->by]->kind;
  if (*end == '\0' && end == by + length && sb_joint_velocities(joint) > 1) {
    (void)sb_fail(err, SB_ERR_DIMENSION, "joint '%.80s' has %d rates: name one of them", by,
                  sb_joint_velocities(joint));
    sb_error_hint(err,
                  sb_joint_velocities(joint) == 3 ? "write '%.80s.w.x', .y or .z"
                                                  : "write '%.80s.w.0', .1 and so on",
                  by);
    return SB_ERR_DIMENSION;
  }
  s->by_component = sb_component_find(by, end, sb_joint_velocities(joint), err);
  if (s->by_component < 0) {
    return SB_ERR_DIMENSION;
  }
  sb_joint_unit(joint, true, s->by_component, rate);
  (void)snprintf(own, sizeof own, "%.28s", unit);
  (void)snprintf(s->unit, sizeof s->unit, "(%.28s)/(%.28s)", own, rate);
  return SB_OK;
}

sb_status sb_mechanism_add_signal(sb_mechanism *m, const char *of, const char *by, bool *by_fails,
                                  sb_error *err) {
  sb_mechanism_signal s = {.by = -1};
  char name[600];
  bool known;
  const size_t length = strcspn(of, ".");
  *by_fails = false;
  if (of[length] == '\0' || !find_part(m, of, length, &s)) {
    (void)sb_fail(err, SB_ERR_REFERENCE, "there is no body, joint or frame '%.*s'", (int)length,
                  of);
    return SB_ERR_REFERENCE;
  }
  SB_TRY(find_row(m, of, &s, &known, err));
  if (!known && by == NULL) {
    return SB_OK;
  }
  if (by != NULL) {
    *by_fails = true;
    SB_TRY(find_rate(m, of, by, &s, err));
  }
  const int size = snprintf(name, sizeof name, "%.280s%s%.280s", of, by == NULL ? "" : " by ",
                            by == NULL ? "" : by);
  if (sb_mechanism_signal_unit(m, name) != NULL) {
    return SB_OK; // it is there
  }
  sb_mechanism_signal *own = sb_arena_zeroed(&m->memory, 1, sizeof *own);
  s.name = sb_arena_copy(&m->memory, name, (size_t)size);
  if (own == NULL || s.name == NULL ||
      !sb_arena_append(&m->memory, &m->signals, &m->signal_count, &m->signal_capacity, sizeof own,
                       &own)) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  *own = s;
  return SB_OK;
}

const char *sb_mechanism_signal_unit(const sb_mechanism *m, const char *name) {
  for (int i = 0; i < m->signal_count; i++) {
    if (strcmp(m->signals[i]->name, name) == 0) {
      return m->signals[i]->unit;
    }
  }
  return NULL;
}

/** The number of a part in a linkage; -1: it is in another. */
static int number_in(const sb_linkage *l, sb_linkage_part part, int number) {
  for (int k = 0; k < (part == SB_PART_FRAME ? l->frame_count : l->body_count); k++) {
    if (number == (part == SB_PART_FRAME  ? l->frames[k].frame
                   : part == SB_PART_BODY ? l->bodies[k].body
                                          : l->bodies[k].joint)) {
      return k;
    }
  }
  return -1;
}

bool sb_linkage_choose_signals(sb_linkage *l, sb_arena *memory) {
  const sb_mechanism *m = l->mechanism;
  l->signals = sb_arena_zeroed(memory, m->signal_count, sizeof *l->signals);
  for (int i = 0; i < m->signal_count && !memory->failed; i++) {
    const sb_mechanism_signal *s = m->signals[i];
    const int number = number_in(l, s->part, s->number);
    if (number >= 0 && !s->measured) {
      l->signals[l->signal_count++] =
          (sb_linkage_signal){.quantity = {s->part, number, s->row},
                              .component = s->component,
                              .name = s->name,
                              .joint = s->by < 0 ? -1 : number_in(l, SB_PART_JOINT, s->by),
                              .by = s->by < 0 ? -1 : s->by_component};
    }
  }
  return !memory->failed;
}

/** d(velocity)/d(rate): the part of the velocity of a body's centre of mass or a frame's origin, or of its angular one. */
static double jacobian_of(const sb_linkage *l, const double scratch[], const sb_linkage_signal *s) {
  const bool frame = s->quantity.part == SB_PART_FRAME;
  const int body = frame ? l->frames[s->quantity.number].body : s->quantity.number;
  if (s->joint < 0) {
    return 0; // a joint of another tree
  }
  const sb_pose pose = sb_tree_pose(l->tree, scratch, body);
  const sb_vec3 point =
      frame ? l->mechanism->frames[l->frames[s->quantity.number].frame]->in_body.position
            : l->mechanism->bodies[l->bodies[body].body]->com;
  const int velocity = sb_tree_joint_of(l->tree, s->joint).velocity + s->by;
  const sb_twist t = sb_tree_column(l->tree, scratch, body, velocity);
  const sb_quantity_spec *row = &sb_linkage_quantities(s->quantity.part, NULL)[s->quantity.row];
  double v[3];
  sb_vec3_store(v, row->name[0] == 'a' ? t.angular : sb_twist_at(t, sb_pose_point(pose, point)));
  return v[s->component];
}

void sb_linkage_put_signals(const void *self, const sb_at *at) {
  const sb_linkage *l = sb_linkage_of(self);
  double *scratch = at->own + l->scratch.tree, *v = at->own + l->scratch.v;
  for (int i = 0; i < l->signal_count; i++) {
    const sb_linkage_signal *s = &l->signals[i];
    double values[SB_QUANTITY_NUMBERS];
    if (s->by >= 0) {
      at->own[s->place] = jacobian_of(l, scratch, s);
    } else {
      sb_linkage_read(self, at->x, &s->quantity, scratch, v, values);
      at->own[s->place] = values[s->component];
    }
  }
}
