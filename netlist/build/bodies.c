// SPDX-License-Identifier: GPL-3.0-or-later
// What bodies have beyond the plain rows of their kind: a rotation written as angle and axis, the
// gravity of their mechanism, and the inertia of the uniform solid of their shape.
#include <math.h>
#include <string.h>

#include "core/graph/graph_data.h"
#include "geometry/quat.h"
#include "netlist/build/build.h"
#include "netlist/build/values_private.h"
#include "netlist/language/values.h"
#include "netlist/reader/numbers.h"
#include "netlist/reader/report.h"
#include "netlist/reader/settings.h"
#include "netlist/reader/tree.h"

static void read_rotation(const sb_build *build, const sb_item *item, const sb_param *row) {
  sb_reader *reader = build->reader;
  const sb_setting *setting = sb_item_value(reader, item, row);
  double angle, axis[3];
  sb_error err = {0};
  if (setting == NULL) {
    return;
  }
  sb_lookup lookup;
  sb_value_scope scope = sb_lookup_begin(&lookup, reader, setting);
  sb_status status = sb_value_parse_rotation(setting->value, &scope, &angle, axis, &err);
  if (sb_lookup_end(&lookup, status, NULL, &err).known) {
    sb_quat q = sb_quat_from_axis_angle(sb_vec3_load(axis), angle);
    const double values[4] = {q.w, q.x, q.y, q.z};
    void *self = sb_element_data(sb_made_of(build, item)->element);
    if (sb_param_set(row, self, values, 4, &err) != SB_OK) {
      sb_report_value(reader, setting, &err);
    }
  }
}

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

/** The inertia of the uniform solid of the shape. */
static void solid_inertia(const sb_build *build, const sb_shape_entry shapes[], const sb_item *item,
                          const sb_param *row) {
  const sb_reader *reader = build->reader;
  const sb_made *made = sb_made_of(build, item);
  const sb_shape_entry *shape = made->entry < 0 ? NULL : &shapes[made->entry];
  const sb_param *mass = sb_param_find(item->type->params, "mass");
  sb_error err = {0};
  if (shape == NULL || (shape->has_shape && !shape->good)) {
    return;
  }
  if (!shape->has_shape || shape->surface.type->inertia == NULL) {
    (void)sb_fail(&err, SB_ERR_MISSING, "body '%s' needs the attribute 'inertia'", item->id);
    sb_error_hint(
        &err, "with an ellipsoid or a sphere as its shape it would be that of the uniform solid");
    sb_report_item(reader, item, &err);
    return;
  }
  double m;
  memcpy(&m, (const char *)sb_element_data(made->element) + mass->offset, sizeof m);
  double values[6] = {0};
  sb_vec3_store(values, sb_surface_inertia(&shape->surface, m));
  if (m > 0 && sb_param_set(row, sb_element_data(made->element), values,
                            row->kind == SB_PARAM_VECTOR ? row->count : 3, &err) != SB_OK) {
    sb_report_item(reader, item, &err);
  }
}

static void build_body(const sb_build *build, const sb_shape_entry shapes[], const sb_item *item,
                       const sb_mechanism_values *mechanism) {
  const sb_reader *reader = build->reader;
  const sb_param *rows = item->type->params;
  const sb_param *rotation = sb_param_find(rows, "rotation");
  const sb_param *inertia = sb_param_find(rows, "inertia");
  const sb_param *gravity = sb_param_find(rows, "gravity");
  void *self = sb_element_data(sb_made_of(build, item)->element);
  (void)sb_read_values(build, item, rows, "rotation inertia", self);
  if (rotation != NULL) {
    read_rotation(build, item, rotation);
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

void sb_build_bodies(const sb_build *build, const sb_shape_entry shapes[]) {
  const sb_reader *reader = build->reader;
  const sb_item *mechanism = NULL;
  while ((mechanism = sb_next_item(reader, mechanism, "mechanism")) != NULL) {
    sb_mechanism_values values = {0};
    (void)sb_read_values(build, mechanism, sb_mechanism_table, NULL, &values);
    for (int i = mechanism->first_child; i >= 0; i = reader->tree.items[i].next) {
      sb_element *element = build->made[i].element;
      if (element != NULL) {
        build_body(build, shapes, &reader->tree.items[i], &values);
        element->failed = reader->errors->count > 0; // of its shape or material, perhaps
      }
    }
  }
}
