// SPDX-License-Identifier: GPL-3.0-or-later
// What bodies have beyond the plain rows of their kind: a rotation written as angle and axis, the
// gravity of their mechanism, and the inertia of the uniform solid of their shape.
#include <math.h>
#include <string.h>

#include "core/graph/graph_data.h"
#include "netlist/build/build.h"
#include "netlist/build/values_private.h"
#include "netlist/language/values.h"
#include "netlist/reader/numbers.h"
#include "netlist/reader/report.h"
#include "netlist/reader/settings.h"
#include "netlist/reader/tree.h"

/** Three principal moments, or six: xx yy zz xy xz yz. */
static void read_inertia(const sb_build *build, const sb_item *item, const sb_param *row,
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
    (void)sb_param_set(row, sb_element_data(sb_made_of(build, item)->element), values,
                       row->kind == SB_PARAM_VECTOR ? row->count : count, &err);
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

/** Why the shapes of a body do not tell its inertia; NULL: they do. */
static const char *no_solid(const sb_shapes *shapes, const sb_body_entry *body) {
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
  return sb_vec3_norm(s->local.position) > 0
             ? "its shape is not at the centre of mass, which a uniform solid has at its centre"
             : NULL;
}

/** The inertia of the uniform solid of the shape. */
static void solid_inertia(const sb_build *build, const sb_shapes *shapes, const sb_item *item,
                          const sb_param *row) {
  const sb_reader *reader = build->reader;
  const sb_made *made = sb_made_of(build, item);
  const sb_body_entry *body = made->entry < 0 ? NULL : &shapes->bodies[made->entry];
  const sb_param *mass = sb_param_find(item->type->params, "mass");
  sb_error err = {0};
  if (body == NULL || (body->count > 0 && !body->good)) {
    return;
  }
  const char *reason = no_solid(shapes, body);
  if (reason != NULL) {
    (void)sb_fail(&err, SB_ERR_MISSING, "body '%s' needs the attribute 'inertia'", item->id);
    sb_error_hint(&err, "%s", reason);
    sb_report_item(reader, item, &err);
    return;
  }
  const sb_surface *surface = &shapes->shapes[body->first].surface;
  double m, values[6];
  memcpy(&m, (const char *)sb_element_data(made->element) + mass->offset, sizeof m);
  const int count = store_inertia(sb_surface_inertia(surface, m), surface->local.rotation, values);
  if (m > 0 && sb_param_set(row, sb_element_data(made->element), values,
                            row->kind == SB_PARAM_VECTOR ? row->count : count, &err) != SB_OK) {
    sb_report_item(reader, item, &err);
  }
}

static void build_body(const sb_build *build, const sb_shapes *shapes, const sb_item *item,
                       const sb_mechanism_values *mechanism) {
  const sb_reader *reader = build->reader;
  const sb_param *rows = item->type->params;
  const sb_param *rotation = sb_param_find(rows, "rotation");
  const sb_param *inertia = sb_param_find(rows, "inertia");
  const sb_param *gravity = sb_param_find(rows, "gravity");
  void *self = sb_element_data(sb_made_of(build, item)->element);
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
    read_inertia(build, item, inertia, setting);
  } else if (inertia != NULL) {
    solid_inertia(build, shapes, item, inertia);
  }
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
    if (element != NULL && strcmp(item->tag->parents, mechanism->tag->name) == 0) {
      build_body(build, shapes, item, &values);
      element->failed = reader->errors->count > 0; // of its shape or material, perhaps
    }
  }
}
