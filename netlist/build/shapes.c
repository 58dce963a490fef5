// SPDX-License-Identifier: GPL-3.0-or-later
// The shapes of bodies and grounds, and their materials.
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "core/graph/param.h"
#include "geometry/quat.h"
#include "netlist/build/build.h"
#include "netlist/build/values_private.h"
#include "netlist/build/words_private.h"
#include "netlist/language/schema.h"
#include "netlist/language/values.h"
#include "netlist/reader/hints.h"
#include "netlist/reader/names.h"
#include "netlist/reader/report.h"
#include "netlist/reader/settings.h"
#include "netlist/reader/tree.h"

/** Attributes of every kind of shape; of what can have a mass; of a solid. */
static const char common_rows[] = "at rotation", mass_row[] = "mass", solid_row[] = "density";
enum { FOREIGN_SIZE = 400 };

static bool takes(const sb_surface_type *kind, const char *row) {
  return sb_is_among(kind->attributes, row) || sb_is_among(common_rows, row) ||
         (sb_is_among(mass_row, row) && kind->inertia != NULL) ||
         (sb_is_among(solid_row, row) && kind->volume != NULL);
}

/** The rows that are not read as they stand: those that a kind does not take, and the rotation. */
static void name_unread(const sb_surface_type *kind, char names[FOREIGN_SIZE]) {
  int length = snprintf(names, FOREIGN_SIZE, "rotation ");
  for (const sb_param *row = sb_shape_table; row->name != NULL; row++) {
    if (!takes(kind, row->name)) {
      length += snprintf(names + length, (size_t)(FOREIGN_SIZE - length), "%s ", row->name);
      assert(length < FOREIGN_SIZE);
    }
  }
}

static const sb_surface_type *find_kind(const sb_reader *reader, const sb_setting *setting) {
  sb_suggestion suggestion = sb_suggestion_start(setting->value);
  for (int i = 0; sb_surface_types[i] != NULL; i++) {
    if (strcmp(sb_surface_types[i]->name, setting->value) == 0) {
      return sb_surface_types[i];
    }
    (void)sb_suggestion_offer(&suggestion, sb_surface_types[i]->name);
  }
  sb_error err;
  (void)sb_fail(&err, SB_ERR_CHOICE, "there is no shape '%.80s'", setting->value);
  sb_hint_suggestion(&suggestion, &err);
  sb_report_value(reader, setting, &err);
  return NULL;
}

/** The nearest of the attributes that a kind takes, or all of them. */
static void hint_rows(const sb_surface_type *kind, const char *name, sb_error *err) {
  sb_suggestion suggestion = sb_suggestion_start(name);
  for (const sb_param *row = sb_shape_table; row->name != NULL; row++) {
    char spelled[SB_SCHEMA_NAME];
    const char *attribute = sb_schema_name(row, spelled);
    (void)sb_suggestion_offer(&suggestion, takes(kind, row->name) ? attribute : NULL);
  }
  sb_hint_suggestion(&suggestion, err);
}

/** Attributes of another kind of shape. */
static bool check_foreign(const sb_reader *reader, const sb_item *shape,
                          const sb_surface_type *kind) {
  bool good = true;
  for (int i = shape->first_setting; i >= 0; i = reader->tree.settings[i].next) {
    const sb_setting *setting = &reader->tree.settings[i];
    if (setting->row != NULL && !takes(kind, setting->row->name)) {
      sb_error err;
      (void)sb_fail(&err, SB_ERR_ATTRIBUTE, "a shape of kind '%s' has no attribute '%s'",
                    kind->name, setting->name);
      hint_rows(kind, setting->name, &err);
      sb_report_name(reader, setting->scope, setting->attribute, &err);
      good = false;
    }
  }
  return good;
}

/** Its own mass, if it states one. */
static bool read_weight(const sb_build *build, const sb_shape_values *values,
                        sb_shape_entry *entry) {
  const sb_reader *reader = build->reader;
  const sb_setting *mass = sb_item_text(reader, entry->item, "mass"),
                   *density = sb_item_text(reader, entry->item, "density");
  const sb_setting *any = mass != NULL ? mass : density;
  sb_error err = {0};
  entry->weighed = any != NULL;
  entry->mass =
      density != NULL ? values->density * sb_surface_volume(&entry->surface) : values->mass;
  if (any != NULL && strcmp(entry->body->node->name, "body") != 0) {
    (void)sb_fail(&err, SB_ERR_ATTRIBUTE, "the shape of a ground has no %s", any->name);
    sb_error_hint(&err, "a ground does not move");
  } else if (mass != NULL && density != NULL) {
    (void)sb_fail(&err, SB_ERR_ATTRIBUTE, "mass and density are two ways to say one thing");
    any = density;
  }
  if (err.status != SB_OK) {
    sb_report_name(reader, any->scope, any->attribute, &err);
  }
  return err.status == SB_OK;
}

static bool read_shape(const sb_build *build, sb_shape_entry *entry) {
  const sb_item *shape = entry->item;
  sb_surface *surface = &entry->surface;
  const sb_reader *reader = build->reader;
  const sb_setting *setting = sb_item_text(reader, shape, "kind");
  const sb_surface_type *kind = setting == NULL ? NULL : find_kind(reader, setting);
  sb_shape_values values = {.surface.local = sb_pose_identity(), .rotation = {1, 0, 0, 0}};
  sb_error err = {0};
  if (kind == NULL) {
    return false;
  }
  bool good = check_foreign(reader, shape, kind);
  char unread[FOREIGN_SIZE];
  name_unread(kind, unread);
  const sb_param *rotation = sb_param_find(sb_shape_table, "rotation");
  if (!sb_read_values(build, shape, sb_shape_table, unread, &values) ||
      !sb_read_rotation(build, shape, rotation, &values) || !good) {
    return false;
  }
  const double *q = values.rotation;
  values.surface.local.rotation = sb_quat_rotation(sb_quat_load(q));
  *surface = sb_surface_make(kind, &values.surface, values.surface.local);
  if (sb_surface_check(surface, &err) != SB_OK) {
    sb_report_item(reader, shape, &err);
    return false;
  }
  return read_weight(build, &values, entry);
}

static bool is_material(const sb_item *item) {
  return item->tag->values == sb_material_table;
}

/** The entry of the material of a body; -1: none. */
static bool read_material(const sb_build *build, const sb_material_entry materials[],
                          const sb_item *body, int *material) {
  const sb_reader *reader = build->reader;
  const sb_setting *setting = sb_item_text(reader, body, "material");
  *material = -1;
  if (setting == NULL) {
    return true;
  }
  int index = sb_scope_find(reader, setting->value, strlen(setting->value));
  if (index >= 0 && reader->tree.items[index].tag == NULL) {
    return false;
  }
  if (index >= 0 && is_material(&reader->tree.items[index])) {
    *material = build->made[index].entry;
    return *material >= 0 && materials[*material].good;
  }
  if (index >= 0 && reader->tree.items[index].contested) {
    return false;
  }
  sb_error err;
  (void)sb_fail(&err, SB_ERR_REFERENCE, "there is no material '%.80s'", setting->value);
  sb_hint_id(reader, setting->value, strlen(setting->value), is_material, &err);
  sb_report_value(reader, setting, &err);
  return false;
}

static bool is_shape(const sb_item *item) {
  return item->tag != NULL && item->tag->values == sb_shape_table;
}

static int count_shapes(const sb_reader *reader, const sb_item *body) {
  int count = 0;
  for (int i = body->first_child; i >= 0; i = reader->tree.items[i].next) {
    count += is_shape(&reader->tree.items[i]);
  }
  return count;
}

/** A body: its material, and its shapes, which follow one another in the list. One whose id was refused has no name for a contact. */
static void read_body(const sb_build *build, const sb_material_entry materials[],
                      const sb_item *body, sb_shapes *all, int *shape_count) {
  const sb_item *items = build->reader->tree.items;
  sb_body_entry *entry = &all->bodies[sb_made_of(build, body)->entry];
  entry->good = read_material(build, materials, body, &entry->material) && body->id != NULL;
  entry->count = count_shapes(build->reader, body);
  entry->first = *shape_count;
  for (int i = body->first_child; i >= 0; i = items[i].next) {
    if (is_shape(&items[i])) {
      sb_shape_entry *shape = &all->shapes[*shape_count];
      *shape = (sb_shape_entry){.item = &items[i], .body = body};
      shape->good = read_shape(build, shape);
      entry->good = shape->good && entry->good;
      build->made[i].entry = (*shape_count)++;
    }
  }
}

bool sb_build_shapes(const sb_build *build, const sb_material_entry materials[], sb_shapes *all) {
  static const char *const tags[] = {"body", "ground"};
  int bodies = 0, shapes = 0;
  all->bodies = sb_new_list(build->reader, "body ground", sizeof *all->bodies);
  all->shapes = sb_new_list(build->reader, "shape", sizeof *all->shapes);
  if (all->bodies == NULL || all->shapes == NULL) {
    return false;
  }
  for (int i = 0; i < 2; i++) {
    const sb_item *item = NULL;
    while ((item = sb_next_item(build->reader, item, tags[i])) != NULL) {
      sb_made_of(build, item)->entry = bodies++;
      read_body(build, materials, item, all, &shapes);
    }
  }
  return true;
}
