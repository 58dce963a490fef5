// SPDX-License-Identifier: GPL-3.0-or-later
// What bodies have beyond the plain rows of their kind: a rotation written as angle and axis, the
// gravity of their mechanism, and the inertia of the uniform solid of their shape.
#include <math.h>
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

/** Three principal moments, or six: xx yy zz xy xz yz. */
static void read_inertia(const sb_build *build, void *self, const sb_param *row,
                         const sb_setting *setting) {
  sb_reader *reader = build->reader;
  const sb_dimension expected = {.exponent = {2 * SB_EXPONENT_ONE, SB_EXPONENT_ONE}};
  double values[6] = {0};
  int count;
  sb_error err = {0};
  sb_lookup lookup;
  sb_value_scope scope = sb_lookup_begin(&lookup, reader, setting);
  sb_status status =
      sb_value_parse(setting->value, &expected, &scope, values, 6, &count, NULL, &err);
  if (!sb_lookup_end(&lookup, status, NULL, &err).known) {
    return;
  }
  if (count != 3 && count != 6) {
    (void)sb_fail(&err, SB_ERR_DIMENSION, "inertia takes 3 or 6 numbers, got %d", count);
    sb_error_hint(&err, "xx yy zz, or xx yy zz xy xz yz, about the centre of mass");
  } else {
    (void)sb_param_set(row, self, values, row->kind == SB_PARAM_VECTOR ? row->count : count, &err);
  }
  if (err.status != SB_OK) {
    sb_report_value(reader, setting, &err);
  }
}

/** J = R diag(principal) R^T as three or six numbers. */
static int store_inertia(sb_vec3 principal, sb_mat3 r, double values[6]) {
  const sb_mat3 j = sb_mat3_mul(r, sb_mat3_mul(sb_mat3_diag(principal), sb_mat3_transpose(r)));
  const double all[6] = {j.m[0][0], j.m[1][1], j.m[2][2], j.m[0][1], j.m[0][2], j.m[1][2]};
  memcpy(values, all, sizeof all);
  return all[3] == 0 && all[4] == 0 && all[5] == 0 ? 3 : 6;
}

/** Why the shapes of a body do not tell its inertia; NULL: they do. @param part  its centre of mass may be anywhere */
static const char *no_solid(const sb_shapes *shapes, const sb_body_entry *body, bool part) {
  if (body->count == 0) {
    return "with a shape that bounds a solid it would be that of the uniform solid";
  }
  if (body->count > 1) {
    return "only a body of one shape has that of the uniform solid";
  }
  const sb_surface *s = &shapes->shapes[body->first].surface;
  if (s->type->inertia == NULL) {
    return "its shape bounds no solid";
  }
  return sb_vec3_norm(s->local.position) > 0 && !part
             ? "its shape is not at the centre of mass, which a uniform solid has at its centre"
             : NULL;
}

/** The inertia of the uniform solid of the shape. */
static void solid_inertia(const sb_build *build, const sb_shapes *shapes, const sb_item *item,
                          void *self, const sb_param *row) {
  const sb_reader *reader = build->reader;
  const sb_made *made = sb_made_of(build, item);
  const sb_body_entry *body = made->entry < 0 ? NULL : &shapes->bodies[made->entry];
  const sb_param *mass = sb_param_find(item->type->params, "mass");
  sb_error err = {0};
  if (body == NULL || (body->count > 0 && !body->good)) {
    return;
  }
  const char *reason = no_solid(shapes, body, made->part >= 0);
  if (reason != NULL) {
    (void)sb_fail(&err, SB_ERR_MISSING, "body '%s' needs the attribute 'inertia'", item->id);
    sb_error_hint(&err, "%s", reason);
    sb_report_item(reader, item, &err);
    return;
  }
  const sb_surface *surface = &shapes->shapes[body->first].surface;
  double m, values[6];
  memcpy(&m, (const char *)self + mass->offset, sizeof m);
  const int count = store_inertia(sb_surface_inertia(surface, m), surface->local.rotation, values);
  if (m > 0 && sb_param_set(row, self, values, row->kind == SB_PARAM_VECTOR ? row->count : count,
                            &err) != SB_OK) {
    sb_report_item(reader, item, &err);
  }
}

/** Reads the rows of a body. @param point  it has no inertia: its mass is in one point */
static void read_body(const sb_build *build, const sb_shapes *shapes, const sb_item *item,
                      const sb_mechanism_values *mechanism, bool point, void *self) {
  const sb_reader *reader = build->reader;
  const sb_param *rows = item->type->params;
  const sb_param *rotation = sb_param_find(rows, "rotation");
  const sb_param *inertia = sb_param_find(rows, "inertia");
  const sb_param *gravity = sb_param_find(rows, "gravity");
  (void)sb_read_values(build, item, rows, "rotation inertia", self);
  if (rotation != NULL) {
    (void)sb_read_rotation(build, item, rotation, self);
  }
  if (gravity != NULL && sb_item_value(reader, item, gravity) == NULL) {
    (void)sb_param_set(gravity, self, mechanism->gravity, 3, NULL);
  }
  const sb_setting *setting = inertia == NULL ? NULL : sb_item_value(reader, item, inertia);
  if (setting != NULL) {
    sb_place_value(build, item, setting, inertia);
    read_inertia(build, self, inertia, setting);
  } else if (inertia != NULL && !point) {
    solid_inertia(build, shapes, item, self, inertia);
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

static sb_mat3 inertia_of(const sb_list *list) {
  const double *j = list->values;
  if (list->count != 3 && list->count != 6) {
    return (sb_mat3){{{0}}};
  }
  double xy = list->count == 6 ? j[3] : 0, xz = list->count == 6 ? j[4] : 0,
         yz = list->count == 6 ? j[5] : 0;
  return (sb_mat3){{{j[0], xy, xz}, {xy, j[1], yz}, {xz, yz, j[2]}}};
}

/** The centre of mass by default: that of the uniform solid, if it has its inertia by that. */
static sb_vec3 default_centre(const sb_build *build, const sb_shapes *shapes, const sb_item *item) {
  const sb_made *made = sb_made_of(build, item);
  const sb_body_entry *entry = made->entry < 0 ? NULL : &shapes->bodies[made->entry];
  const sb_param *inertia = sb_param_find(item->type->params, "inertia");
  bool solid = entry != NULL && entry->count == 1 && entry->good &&
               shapes->shapes[entry->first].surface.type->inertia != NULL &&
               sb_item_value(build->reader, item, inertia) == NULL;
  return solid ? shapes->shapes[entry->first].surface.local.position : (sb_vec3){0, 0, 0};
}

/** A body of a tree: about the frame that its joint, or position and rotation, tell. */
static void build_part(const sb_build *build, const sb_shapes *shapes, const sb_item *item,
                       const sb_mechanism_values *mechanism) {
  sb_mechanism_body *body = sb_made_of(build, item)->body;
  void *self = sb_arena_zeroed(&build->reader->memory, 1, item->type->size);
  double mass, q[4];
  bool point;
  if (self == NULL || body == NULL || !sb_params_default(item->type->params, self)) {
    return;
  }
  (void)sb_read_flag(build, item, "point-mass", &point);
  read_body(build, shapes, item, mechanism, point, self);
  memcpy(&mass, field(item, self, "mass"), sizeof mass);
  memcpy(q, field(item, self, "rotation"), sizeof q);
  body->mass = mass;
  body->inertia = inertia_of(field(item, self, "inertia"));
  body->com = default_centre(build, shapes, item);
  (void)sb_read_vector(build, item, "com", "m", &body->com);
  body->pose = (sb_pose){sb_quat_rotation((sb_quat){q[0], q[1], q[2], q[3]}),
                         vector(item, self, "position")};
  body->twist = (sb_twist){vector(item, self, "angular-velocity"), vector(item, self, "velocity")};
  sb_params_finish(item->type->params, self);
}

/** Finds what is wrong with a tree of bodies, where all that it is made of was understood. */
static void check_trees(const sb_build *build, sb_mechanism *m) {
  const sb_item *item = NULL, *found = NULL;
  const char *id = NULL;
  sb_error err = {0};
  if (build->reader->errors->count > 0 || sb_mechanism_check(m, &id, &err) == SB_OK) {
    return;
  }
  for (int k = 0; k < 2 && found == NULL && id != NULL; k++) {
    while ((item = sb_next_item(build->reader, item, k == 0 ? "joint" : "body")) != NULL) {
      found = item->id != NULL && strcmp(item->id, id) == 0 ? item : found;
    }
  }
  sb_report_item(build->reader,
                 found != NULL ? found : sb_next_item(build->reader, NULL, "mechanism"), &err);
}

void sb_build_bodies(const sb_build *build, const sb_shapes *shapes) {
  const sb_reader *reader = build->reader;
  const sb_item *mechanism = sb_next_item(reader, NULL, "mechanism"); // there is one at the most
  sb_mechanism_values values = {0};
  if (mechanism == NULL) {
    return;
  }
  (void)sb_read_values(build, mechanism, sb_mechanism_table, NULL, &values);
  for (int i = 0; i >= 0; i = sb_walk(reader, i)) {
    const sb_item *item = &reader->tree.items[i];
    sb_element *element = build->made[i].element;
    if (sb_made_of(build, item)->part >= 0 && item->type != NULL) {
      build_part(build, shapes, item, &values);
    } else if (element != NULL && strcmp(item->tag->parents, mechanism->tag->name) == 0) {
      read_body(build, shapes, item, &values, false, sb_element_data(element));
      element->failed = reader->errors->count > 0; // of its shape or material, perhaps
    }
  }
  if (sb_made_of(build, mechanism)->mechanism != NULL) {
    sb_mechanism_set_gravity(sb_made_of(build, mechanism)->mechanism, sb_vec3_load(values.gravity));
    sb_build_joints(build);
    check_trees(build, sb_made_of(build, mechanism)->mechanism);
  }
}
