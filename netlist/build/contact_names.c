// SPDX-License-Identifier: GPL-3.0-or-later
// What a contact names: its law, its bodies, and their materials.
#include "netlist/build/contact_names_private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "netlist/build/laws_private.h"
#include "netlist/build/words_private.h"
#include "netlist/reader/hints.h"
#include "netlist/reader/index.h"
#include "netlist/reader/names.h"
#include "netlist/reader/report.h"
#include "netlist/reader/settings.h"
#include "netlist/reader/tree.h"

static bool is_touchable(const sb_item *item) {
  return strcmp(item->node->name, "body") == 0 || strcmp(item->node->name, "ground") == 0 ||
         strcmp(item->node->name, "shape") == 0;
}
const sb_item *sb_contact_body(const sb_contacts *all, const sb_item *item) {
  return strcmp(item->node->name, "shape") == 0 ? &all->build->reader->tree.items[item->parent]
                                                : item;
}
static const sb_body_entry *body_entry(const sb_contacts *all, const sb_item *body) {
  return &all->shapes->bodies[sb_made_of(all->build, body)->entry];
}
const sb_shape_entry *sb_contact_shapes(const sb_contacts *all, const sb_item *item, int *count) {
  const sb_made *made = sb_made_of(all->build, item);
  const bool whole = sb_contact_body(all, item) == item;
  *count = whole ? all->shapes->bodies[made->entry].count : 1;
  return &all->shapes->shapes[whole ? all->shapes->bodies[made->entry].first : made->entry];
}
static bool is_law(const sb_item *item) {
  return item->tag->values == sb_contact_law_params;
}
bool sb_is_ground(const sb_item *item) {
  return strcmp(item->node->name, "ground") == 0;
}

/** A normal law by its own name, with the defaults of all that it could state. @return false: reported */
static bool take_normal_law(const sb_reader *reader, const sb_setting *setting,
                            const sb_normal_law *normal, sb_contact_law *law) {
  sb_error err = {0};
  law->normal = normal;
  if (sb_contact_law_by_energy(law)) {
    (void)sb_fail(&err, SB_ERR_MISSING, "the normal law '%s' needs an energy", normal->name);
  } else if (sb_contact_law_complete(law, NULL, &err) == SB_OK) {
    return true;
  }
  sb_error_hint(&err, "write <contact-law id=\"...\" normal=\"%s\" .../>, and name its id here",
                normal->name);
  sb_report_value(reader, setting, &err);
  return false;
}

bool sb_contact_find_law(const sb_contacts *all, const sb_item *item, sb_contact_law *law) {
  const sb_reader *reader = all->build->reader;
  const sb_setting *setting = sb_item_text(reader, item, "law");
  *law = sb_contact_law_defaults();
  if (setting == NULL) {
    return sb_contact_law_complete(law, NULL, NULL) == SB_OK;
  }
  int index = sb_scope_find(reader, setting->value, strlen(setting->value));
  const sb_item *found = index < 0 ? NULL : &reader->tree.items[index];
  if (found != NULL && found->tag == NULL) {
    return false;
  }
  if (found != NULL && is_law(found)) {
    int entry = sb_made_of(all->build, found)->entry;
    *law = entry < 0 ? *law : all->laws[entry].law;
    return entry >= 0 && all->laws[entry].good;
  }
  const sb_normal_law *normal = index < 0 ? sb_normal_law_find(setting->value) : NULL;
  if (normal != NULL) {
    return take_normal_law(reader, setting, normal, law);
  }
  if (found != NULL && found->contested) {
    return false;
  }
  sb_error err;
  (void)sb_fail(&err, SB_ERR_REFERENCE, "there is no contact law '%.80s'", setting->value);
  sb_hint_id(reader, setting->value, strlen(setting->value), is_law, &err);
  if (err.hint[0] == '\0') {
    sb_suggestion laws = sb_suggestion_start(setting->value);
    for (const sb_item *own = sb_next_item(reader, NULL, "contact-law"); own != NULL;
         own = sb_next_item(reader, own, "contact-law")) {
      (void)(own->id != NULL && sb_suggestion_offer(&laws, own->id));
    }
    sb_suggestion_offer_rows(&laws, sb_normal_laws, sizeof *sb_normal_laws);
    sb_hint_suggestion(&laws, &err);
  }
  sb_report_value(reader, setting, &err);
  return false;
}

/** Contacts tell the shapes of a body apart by their ids, and need round edges. @return false: reported */
static bool check_shapes(const sb_contacts *all, const sb_item *item, const sb_item *body) {
  int count;
  const sb_shape_entry *shapes = sb_contact_shapes(all, item, &count);
  bool good = true;
  for (int i = 0; i < count; i++) {
    sb_error err = {0};
    if (count > 1 && shapes[i].item->id == NULL) {
      (void)sb_fail(&err, SB_ERR_MISSING, "'%s' has several shapes: each needs an id", body->id);
    } else if (sb_surface_check_edges(&shapes[i].surface, &err) != SB_OK) {
      sb_error_hint(&err, "give it an edge-radius, or leave it out of contacts");
    }
    if (err.status != SB_OK) {
      sb_report_item(all->build->reader, shapes[i].item, &err);
      good = false;
    }
  }
  return good;
}

/** Reports what a body lacks for a contact, once. */
static bool check_shape(sb_contacts *all, const sb_contact_law *law, const sb_setting *setting,
                        const sb_item *named, int column) {
  const sb_item *item = sb_contact_body(all, named);
  const bool by_law =
      law == NULL || law->stiffness > 0 || law->normal->rigid || sb_contact_law_by_energy(law);
  const sb_body_entry *shape = body_entry(all, item);
  bool *reported = &all->shape_reported[item - all->build->reader->tree.items];
  sb_error err = {0};
  if (!shape->good || *reported) {
    return false;
  }
  if (shape->count == 0) {
    (void)sb_fail(&err, SB_ERR_MISSING, "'%s' is in a contact but has no shape", item->id);
    sb_error_hint(&err, "add a <shape kind=\"...\"/> to it");
  } else if (shape->material < 0 && !by_law && !sb_is_ground(item)) {
    (void)sb_fail(&err, SB_ERR_MISSING, "'%s' is in a contact but has no material", item->id);
    sb_error_hint(&err, "add material=\"...\" to it, or give the law a stiffness");
  } else {
    *reported = !check_shapes(all, named, item);
    return !*reported;
  }
  *reported = true;
  err.column = column;
  sb_report_value(all->build->reader, setting, &err);
  return false;
}

const sb_item *sb_contact_find_body(sb_contacts *all, const sb_contact_law *law,
                                    const sb_setting *setting, const sb_word *word) {
  sb_reader *reader = all->build->reader;
  char name[SB_PATH_MAX + 1];
  if (!sb_full_name(reader, setting, word->start, word->length, name)) {
    return NULL;
  }
  int index = sb_scope_find(reader, name, strlen(name));
  const sb_item *item = index < 0 ? NULL : &reader->tree.items[index];
  if (item != NULL && (item->tag == NULL || (item->contested && !is_touchable(item)))) {
    return NULL;
  }
  if (item == NULL || !is_touchable(item)) {
    sb_error err;
    (void)sb_fail(&err, SB_ERR_REFERENCE, "there is no body, ground or shape '%.80s'", name);
    sb_hint_id(reader, name, strlen(name), is_touchable, &err);
    err.column = word->column;
    sb_report_value(reader, setting, &err);
    return NULL;
  }
  const sb_item *body = sb_contact_body(all, item);
  const sb_made *made = sb_made_of(all->build, body);
  const bool good = made->entry >= 0 && check_shape(all, law, setting, item, word->column);
  return good && (made->element != NULL || made->part >= 0) ? item : NULL;
}

static void report_stiffness(const sb_reader *reader, const sb_material_entry *entry,
                             const sb_contact_law *law) {
  const sb_setting *setting = entry->normal != NULL ? entry->normal : entry->stiffness;
  char a[SB_DIMENSION_SIZE], b[SB_DIMENSION_SIZE];
  sb_error err;
  (void)sb_unit_describe(&entry->normal_dimension, a, sizeof a);
  sb_contact_law_unit(law, "stiffness", b, sizeof b);
  (void)sb_fail(&err, SB_ERR_DIMENSION,
                "the normal stiffness of '%s' is in %s, but a law with the exponent %s needs %s",
                reader->tree.items[entry->item].id, a, sb_number_word(law->exponent).text, b);
  sb_error_hint(&err, "state it separately: normal-stiffness=\"... %s\"", b);
  sb_report_value(reader, setting, &err);
}

bool sb_contact_find_material(sb_contacts *all, const sb_item *item, const sb_contact_law *law,
                              sb_material *material) {
  int index = body_entry(all, item)->material;
  *material = sb_material_rigid();
  if (index < 0) {
    return true;
  }
  const sb_material_entry *entry = &all->materials[index];
  sb_dimension wanted;
  *material = entry->material;
  if (law->stiffness > 0 || law->hertz || law->normal->rigid ||
      !sb_law_dimension(law, "stiffness", &wanted) ||
      sb_dimension_fits(&entry->normal_dimension, &wanted)) {
    return true;
  }
  if (!all->material_reported[entry->item]) {
    report_stiffness(all->build->reader, entry, law);
  }
  all->material_reported[entry->item] = true;
  return false;
}
