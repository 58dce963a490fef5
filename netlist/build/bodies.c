// SPDX-License-Identifier: GPL-3.0-or-later
// What bodies have beyond the plain rows of their kind: a rotation written as angle and axis, the
// gravity of their mechanism, and mass and inertia by masses.c.
#include <string.h>

#include "core/graph/graph_data.h"
#include "geometry/quat.h"
#include "mechanism/mechanism.h"
#include "netlist/build/build.h"
#include "netlist/build/mechanisms_private.h"
#include "netlist/build/values_private.h"
#include "netlist/language/values.h"
#include "netlist/reader/numbers.h"
#include "netlist/reader/report.h"
#include "netlist/reader/settings.h"
#include "netlist/reader/tree.h"

/** What the kind of a free body holds of it: J as three or six numbers. */
static void store_body(const sb_build *build, const sb_item *item, const sb_mechanism_body *body,
                       void *self) {
  const sb_param *rows = item->type->params, *inertia = sb_param_find(rows, "inertia"),
                 *mass = sb_param_find(rows, "mass");
  const sb_setting *stated = sb_item_value(build->reader, item, inertia),
                   *own = sb_item_value(build->reader, item, mass);
  const sb_mat3 j = body->inertia;
  const double all[6] = {j.m[0][0], j.m[1][1], j.m[2][2], j.m[0][1], j.m[0][2], j.m[1][2]};
  const int count = all[3] == 0 && all[4] == 0 && all[5] == 0 ? 3 : 6;
  sb_error err = {0};
  if (own != NULL && sb_param_set(mass, self, &body->mass, 1, &err) != SB_OK) {
    sb_report_value(build->reader, own, &err);
    return;
  }
  if (stated != NULL) {
    sb_place_value(build, item, stated, inertia);
  }
  if (sb_param_set(inertia, self, all, count, &err) != SB_OK) {
    sb_report_item(build->reader, item, &err);
  }
}

/** Reads the rows of a body or ground but its mass, centre and inertia. */
static void read_body(const sb_build *build, const sb_item *item,
                      const sb_mechanism_values *mechanism, void *self) {
  const sb_reader *reader = build->reader;
  const sb_param *rows = item->type->params;
  const sb_param *rotation = sb_param_find(rows, "rotation");
  const sb_param *gravity = sb_param_find(rows, "gravity");
  (void)sb_read_values(build, item, rows, "rotation inertia mass", self);
  if (rotation != NULL) {
    (void)sb_read_rotation(build, item, rotation, self);
  }
  if (gravity != NULL && sb_item_value(reader, item, gravity) == NULL) {
    (void)sb_param_set(gravity, self, mechanism->gravity, 3, NULL);
  }
}

static const void *field(const sb_item *item, const void *self, const char *name) {
  return (const char *)self + sb_param_find(item->type->params, name)->offset;
}

static sb_vec3 vector(const sb_item *item, const void *self, const char *name) {
  double numbers[3];
  memcpy(numbers, field(item, self, name), sizeof numbers);
  return sb_vec3_load(numbers);
}

/** A body of a tree: about the frame that its joint, or position and rotation, tell. */
static void build_part(const sb_build *build, const sb_shapes *shapes, const sb_item *item,
                       const sb_mechanism_values *mechanism) {
  sb_mechanism_body *body = sb_made_of(build, item)->body;
  void *self = sb_arena_zeroed(&build->reader->memory, 1, item->type->size);
  double q[4];
  if (self == NULL || body == NULL || !sb_params_default(item->type->params, self)) {
    return;
  }
  read_body(build, item, mechanism, self);
  (void)sb_read_mass(build, shapes, item, body);
  memcpy(q, field(item, self, "rotation"), sizeof q);
  body->pose = (sb_pose){sb_quat_rotation(sb_quat_load(q)), vector(item, self, "position")};
  body->twist = (sb_twist){vector(item, self, "angular-velocity"), vector(item, self, "velocity")};
  sb_params_finish(item->type->params, self);
}

/** Nothing more is said of trees that are at fault, or may be. */
static void fail_trees(const sb_build *build) {
  const sb_item *item = NULL;
  bool part;
  while ((item = sb_next_item(build->reader, item, "body")) != NULL) {
    sb_element *tree = sb_made_of(build, item)->body == NULL
                           ? NULL
                           : sb_graph_resolve(build->graph, item->id, strlen(item->id), &part);
    if (tree != NULL) {
      tree->failed = true;
    }
  }
}

/** Finds what is wrong with a tree of bodies, where all that it is made of was understood. */
static void check_trees(const sb_build *build, sb_mechanism *m) {
  const char *id = NULL;
  sb_error err = {0};
  if (build->reader->errors->count == 0 && sb_mechanism_check(m, &id, &err) == SB_OK) {
    sb_warn_of_joints(build, m);
    return;
  }
  fail_trees(build);
  if (err.status == SB_OK) {
    return;
  }
  sb_report_item(build->reader, sb_find_faulty(build, id), &err);
}

/** There is one gravity. */
static void check_gravity(const sb_reader *reader) {
  const sb_item *item = NULL;
  while ((item = sb_next_item(reader, item, "mechanism")) != NULL) {
    const sb_setting *gravity = item->parent == 0 ? NULL : sb_item_own(reader, item, "gravity");
    if (gravity != NULL) {
      sb_error err;
      (void)sb_fail(&err, SB_ERR_ATTRIBUTE, "the <mechanism> of a sub-model has no gravity");
      sb_error_hint(&err, "it is that of the <mechanism> of the whole netlist");
      sb_report_name(reader, gravity->scope, gravity->attribute, &err);
      return;
    }
  }
}

void sb_build_bodies(const sb_build *build, const sb_shapes *shapes) {
  const sb_reader *reader = build->reader;
  const sb_item *mechanism = sb_find_mechanism(reader);
  sb_mechanism_values values = {0};
  if (mechanism == NULL) {
    return;
  }
  check_gravity(reader);
  if (mechanism->parent == 0) {
    (void)sb_read_values(build, mechanism, sb_mechanism_table, NULL, &values);
  }
  for (int i = 0; i >= 0; i = sb_walk(reader, i)) {
    const sb_item *item = &reader->tree.items[i];
    sb_element *element = build->made[i].element;
    if (sb_made_of(build, item)->part >= 0 && item->type != NULL) {
      build_part(build, shapes, item, &values);
    } else if (element != NULL && strcmp(item->tag->parents, mechanism->tag->name) == 0) {
      sb_mechanism_body body = {0};
      read_body(build, item, &values, sb_element_data(element));
      if (sb_param_find(item->type->params, "inertia") != NULL &&
          sb_read_mass(build, shapes, item, &body)) {
        store_body(build, item, &body, sb_element_data(element));
      }
      element->failed = reader->errors->count > 0; // of its shape or material, perhaps
    }
  }
  if (sb_made_of(build, mechanism)->mechanism != NULL) {
    sb_mechanism_set_gravity(sb_made_of(build, mechanism)->mechanism, sb_vec3_load(values.gravity));
    sb_build_joints(build);
    check_trees(build, sb_made_of(build, mechanism)->mechanism);
    sb_build_joint_parts(build, sb_made_of(build, mechanism)->mechanism);
  }
}
