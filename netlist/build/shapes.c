// SPDX-License-Identifier: GPL-3.0-or-later
// The shapes of bodies and grounds, and their materials.
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "netlist/build/build.h"
#include "netlist/build/values_private.h"
#include "netlist/build/words_private.h"
#include "netlist/language/values.h"
#include "netlist/reader/hints.h"
#include "netlist/reader/names.h"
#include "netlist/reader/report.h"
#include "netlist/reader/settings.h"
#include "netlist/reader/tree.h"

static sb_surface make_ellipsoid(const sb_shape_values *v) {
  return sb_surface_ellipsoid(sb_vec3_load(v->semi_axes), sb_pose_identity());
}
static sb_surface make_sphere(const sb_shape_values *v) {
  return sb_surface_sphere(v->radius, (sb_vec3){0, 0, 0});
}
static sb_surface make_plane(const sb_shape_values *v) {
  return sb_surface_plane(sb_vec3_load(v->normal), v->offset);
}

/** A kind of shape and the rows of sb_shape_table that it takes. */
static const struct shape_kind {
  const sb_surface_type *type;
  const char *rows;
  sb_surface (*make)(const sb_shape_values *values);
} kinds[] = {
    {&sb_ellipsoid, "semi_axes", make_ellipsoid},
    {&sb_sphere, "radius", make_sphere},
    {&sb_plane, "normal offset", make_plane},
};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0], FOREIGN_SIZE = 200 };

/** The rows that a kind does not take, with blanks between. */
static void name_foreign(const struct shape_kind *kind, char names[FOREIGN_SIZE]) {
  int length = 0;
  names[0] = '\0';
  for (const sb_param *row = sb_shape_table; row->name != NULL; row++) {
    if (!sb_is_among(kind->rows, row->name)) {
      length += snprintf(names + length, (size_t)(FOREIGN_SIZE - length), "%s ", row->name);
      assert(length < FOREIGN_SIZE);
    }
  }
}

static const struct shape_kind *find_kind(const sb_reader *reader, const sb_setting *setting) {
  const char *names[KIND_COUNT];
  for (int i = 0; i < KIND_COUNT; i++) {
    if (strcmp(kinds[i].type->name, setting->value) == 0) {
      return &kinds[i];
    }
    names[i] = kinds[i].type->name;
  }
  sb_error err;
  (void)sb_fail(&err, SB_ERR_CHOICE, "there is no shape '%.80s'", setting->value);
  sb_hint_word(setting->value, names, KIND_COUNT, &err);
  sb_report_value(reader, setting, &err);
  return NULL;
}

/** Attributes of another kind of shape. */
static bool check_foreign(const sb_reader *reader, const sb_item *shape,
                          const struct shape_kind *kind) {
  bool good = true;
  for (int i = shape->first_setting; i >= 0; i = reader->tree.settings[i].next) {
    const sb_setting *setting = &reader->tree.settings[i];
    if (setting->row != NULL && !sb_is_among(kind->rows, setting->row->name)) {
      sb_error err;
      (void)sb_fail(&err, SB_ERR_ATTRIBUTE, "a shape of kind '%s' has no attribute '%s'",
                    kind->type->name, setting->name);
      sb_report_name(reader, setting->scope, setting->attribute, &err);
      good = false;
    }
  }
  return good;
}

static bool read_shape(const sb_build *build, const sb_item *shape, sb_surface *surface) {
  const sb_reader *reader = build->reader;
  const sb_setting *setting = sb_item_text(reader, shape, "kind");
  const struct shape_kind *kind = setting == NULL ? NULL : find_kind(reader, setting);
  sb_shape_values values = {0};
  sb_error err = {0};
  if (kind == NULL) {
    return false;
  }
  bool good = check_foreign(reader, shape, kind);
  char foreign[FOREIGN_SIZE];
  name_foreign(kind, foreign);
  if (!sb_read_values(build, shape, sb_shape_table, foreign, &values) || !good) {
    return false;
  }
  *surface = kind->make(&values);
  if (sb_surface_check(surface, &err) != SB_OK) {
    sb_report_item(reader, shape, &err);
    return false;
  }
  return true;
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
  sb_error err;
  (void)sb_fail(&err, SB_ERR_REFERENCE, "there is no material '%.80s'", setting->value);
  sb_hint_id(reader, setting->value, strlen(setting->value), is_material, &err);
  sb_report_value(reader, setting, &err);
  return false;
}

static void read_entry(const sb_build *build, const sb_material_entry materials[],
                       const sb_item *body, sb_shape_entry *entry) {
  const sb_item *items = build->reader->tree.items;
  entry->good = read_material(build, materials, body, &entry->material);
  for (int i = body->first_child; i >= 0; i = items[i].next) {
    if (items[i].tag != NULL && !entry->has_shape) {
      entry->has_shape = true;
      entry->good = read_shape(build, &items[i], &entry->surface) && entry->good;
    }
  }
}

const sb_shape_entry *sb_build_shapes(const sb_build *build, const sb_material_entry materials[]) {
  static const char *const tags[] = {"body", "ground"};
  sb_shape_entry *shapes = sb_new_list(build->reader, "body ground", sizeof *shapes);
  int count = 0;
  for (int i = 0; shapes != NULL && i < 2; i++) {
    const sb_item *item = NULL;
    while ((item = sb_next_item(build->reader, item, tags[i])) != NULL) {
      read_entry(build, materials, item, &shapes[count]);
      sb_made_of(build, item)->entry = count++;
    }
  }
  return shapes;
}
