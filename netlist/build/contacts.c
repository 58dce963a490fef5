// SPDX-License-Identifier: GPL-3.0-or-later
// Contacts: pairs of bodies, one by one or all among several, with the law that their element,
// class or kind names.
#include <stdio.h>
#include <string.h>

#include "netlist/build/build.h"
#include "netlist/build/contact_names_private.h"
#include "netlist/build/loads_private.h"
#include "netlist/build/mechanisms_private.h"
#include "netlist/build/values_private.h"
#include "netlist/build/words_private.h"
#include "netlist/language/values.h"
#include "netlist/reader/report.h"
#include "netlist/reader/settings.h"
#include "netlist/reader/texts.h"
#include "netlist/reader/tree.h"

enum { AMONG_MAX = 10000, PAIRS_MAX = 100000, PAIR_ID_MAX = 200 };
/** More pairs of one <contacts> than this have elements only while they are near, unless it says else. */
enum { PAIRS_FEW = 100 };

/** What tells a shape: its id, or that of its body, whose only shape it is. */
const char *sb_shape_name(const sb_shape_entry *shape) {
  return shape->item->id != NULL ? shape->item->id : shape->body->id;
}

/** Whether the two have no contact yet. */
static bool is_new_pair(sb_contacts *all, const sb_item *item, const sb_shape_entry *shape1,
                        const sb_shape_entry *shape2) {
  sb_reader *reader = all->build->reader;
  const char *a = sb_shape_name(shape1), *b = sb_shape_name(shape2);
  bool sorted = strcmp(a, b) < 0;
  const char *key = sb_reader_join(reader, sorted ? a : b, sorted ? b : a);
  int first = key == NULL ? -1 : sb_names_find(&all->pairs, key, strlen(key));
  if (first >= 0) {
    sb_error err;
    (void)sb_fail(&err, SB_ERR_DUPLICATE, "'%s' and '%s' have a contact in line %d already", a, b,
                  reader->tree.items[first].node->line);
    sb_report_item(reader, item, &err);
    return false;
  }
  if (key == NULL || !sb_names_add(&all->pairs, key, (int)(item - reader->tree.items))) {
    sb_report_memory(reader);
    return false;
  }
  return true;
}

static bool below_limit(sb_contacts *all, const sb_item *item) {
  if (all->pair_count++ < PAIRS_MAX) {
    return true;
  }
  if (all->pair_count == PAIRS_MAX + 1) {
    sb_error err;
    (void)sb_fail(&err, SB_ERR_TOO_LARGE, "more than %d pairs of bodies in contacts", PAIRS_MAX);
    sb_report_item(all->build->reader, item, &err);
  }
  return false;
}

static void warn(sb_contacts *all, const sb_item *item, const sb_contact_spec *spec) {
  if (all->warned_of_loads != item && sb_warn_of_loads(all->build, item, spec)) {
    all->warned_of_loads = item;
  }
  if (all->warned_of_dampers != item && sb_warn_of_dampers(all->build, item, spec)) {
    all->warned_of_dampers = item;
  }
}

void sb_contact_add_pair(sb_contacts *all, const sb_item *item, const sb_contact_law *law,
                         sb_contact_shape a, sb_contact_shape b) {
  sb_reader *reader = all->build->reader;
  sb_graph *graph = all->build->graph;
  char id[PAIR_ID_MAX];
  sb_contact_spec spec = {.body = {a.shape->body->id, b.shape->body->id}, .law = *law};
  sb_error err = {0};
  (void)snprintf(id, sizeof id, "contact(%s,%s)", a.name, b.name);
  spec.id = item->id != NULL ? item->id : id;
  if (!below_limit(all, item) || !is_new_pair(all, item, a.shape, b.shape)) {
    return;
  }
  const sb_stated_pair stated = {{a.shape, b.shape}, item};
  (void)sb_arena_append(&all->build->reader->memory, &all->stated, &all->stated_count,
                        &all->stated_capacity, sizeof stated, &stated);
  bool good = sb_contact_find_material(all, a.shape->body, law, &spec.material[0]);
  if (!sb_contact_find_material(all, b.shape->body, law, &spec.material[1]) || !good) {
    return;
  }
  spec.surface[0] = a.shape->surface;
  spec.surface[1] = b.shape->surface;
  if (sb_refuse_stiffness(all->build, item, &spec)) {
    return;
  }
  sb_graph_place(graph, reader->files.name, item->node->line, item->node->column);
  if (sb_contact_add(graph, &spec, &err) != SB_OK) {
    sb_report_item(reader, item, &err);
  } else {
    warn(all, item, &spec);
  }
}

sb_contact_shape sb_contact_take_shape(const sb_contacts *all, const sb_item *item, int k) {
  int count;
  const sb_shape_entry *shape = &sb_contact_shapes(all, item, &count)[k];
  return (sb_contact_shape){shape, count > 1 ? sb_shape_name(shape) : item->id};
}

/** Each shape of the one with each of the other. */
static void add_pairs(sb_contacts *all, const sb_item *item, const sb_contact_law *law,
                      const sb_item *a, const sb_item *b) {
  int count1, count2;
  (void)sb_contact_shapes(all, a, &count1);
  (void)sb_contact_shapes(all, b, &count2);
  if (item->id != NULL && count1 * count2 > 1) {
    sb_error err;
    (void)sb_fail(&err, SB_ERR_CONTACT, "the contact '%s' is of %d pairs of shapes", item->id,
                  count1 * count2);
    sb_error_hint(&err, "name one shape of each body, or leave out the id");
    sb_report_item(all->build->reader, item, &err);
    return;
  }
  for (int i = 0; i < count1; i++) {
    for (int j = 0; j < count2; j++) {
      sb_contact_add_pair(all, item, law, sb_contact_take_shape(all, a, i),
                          sb_contact_take_shape(all, b, j));
    }
  }
}

static void build_one(sb_contacts *all, const sb_item *item) {
  const sb_reader *reader = all->build->reader;
  const sb_setting *settings[2] = {sb_item_text(reader, item, "a"),
                                   sb_item_text(reader, item, "b")};
  const sb_item *named[2] = {NULL, NULL}, *bodies[2];
  sb_contact_law law;
  bool good = sb_contact_find_law(all, item, &law);
  for (int i = 0; i < 2; i++) {
    if (settings[i] != NULL) {
      sb_word word = {settings[i]->value, strlen(settings[i]->value), 1};
      named[i] = sb_contact_find_body(all, good ? &law : NULL, settings[i], &word);
    }
    bodies[i] = named[i] == NULL ? NULL : sb_contact_body(all, named[i]);
  }
  if (!good || bodies[0] == NULL || bodies[1] == NULL) {
    return;
  }
  sb_error err;
  if (bodies[0] == bodies[1]) {
    (void)sb_fail(&err, SB_ERR_CONTACT, "a contact of '%s' with itself", bodies[0]->id);
    sb_report_value(reader, settings[1], &err);
  } else if (sb_is_ground(bodies[0]) && sb_is_ground(bodies[1])) {
    (void)sb_fail(&err, SB_ERR_CONTACT, "'%s' and '%s' are both fixed: they never touch",
                  bodies[0]->id, bodies[1]->id);
    sb_report_item(reader, item, &err);
  } else if (sb_check_jointed(all, item, bodies[0], bodies[1])) {
    add_pairs(all, item, &law, named[0], named[1]);
  }
}

/** The bodies or shapes that `among` names, NULL for those that cannot take part. */
static int read_among(sb_contacts *all, const sb_contact_law *law, const sb_setting *setting,
                      const sb_item *bodies[]) {
  const sb_reader *reader = all->build->reader;
  sb_word word = {0};
  sb_error err;
  int count = 0;
  while (sb_next_word(setting->value, &word)) {
    if (count == AMONG_MAX) {
      (void)sb_fail(&err, SB_ERR_TOO_LARGE, "more than %d bodies in one <contacts>", AMONG_MAX);
      err.column = word.column;
      sb_report_value(reader, setting, &err);
      return 0;
    }
    const sb_item *body = sb_contact_find_body(all, law, setting, &word);
    for (int i = 0; body != NULL && i < count; i++) {
      if (bodies[i] == body) {
        (void)sb_fail(&err, SB_ERR_DUPLICATE, "'%s' is named twice", body->id);
        err.column = word.column;
        sb_report_value(reader, setting, &err);
        body = NULL;
      }
    }
    bodies[count++] = body;
  }
  if (count < 2) {
    (void)sb_fail(&err, SB_ERR_MISSING, "contacts need two bodies or more");
    sb_report_value(reader, setting, &err);
  }
  return count;
}

/** Two shapes of one body, or two that are fixed, do not. */
static bool may_meet(const sb_contacts *all, const sb_item *a, const sb_item *b) {
  const sb_item *body1 = sb_contact_body(all, a), *body2 = sb_contact_body(all, b);
  return body1 != body2 && !(sb_is_ground(body1) && sb_is_ground(body2));
}

static void build_pairs(sb_contacts *all, const sb_among *among, const sb_contact_law *law) {
  const sb_item *const *two = among->bodies;
  if (among->count == 2 && two[0] != NULL && two[1] != NULL &&
      !sb_check_jointed(all, among->item, sb_contact_body(all, two[0]),
                        sb_contact_body(all, two[1]))) {
    return;
  }
  for (int i = 0; i < among->count; i++) {
    for (int j = i + 1; j < among->count; j++) {
      const sb_item *a = among->bodies[i], *b = among->bodies[j];
      if (a != NULL && b != NULL && may_meet(all, a, b) && !sb_is_excepted(all, among, i, j)) {
        add_pairs(all, among->item, law, a, b);
      }
    }
  }
}

/** @param near  whether those are built of which only near pairs have an element */
static void build_among(sb_contacts *all, const sb_item *item, bool near) {
  const sb_setting *setting = sb_item_text(all->build->reader, item, "among");
  sb_contacts_values values = {0};
  sb_contact_law law;
  sb_among among = {.item = item};
  among.bodies = sb_arena_zeroed(&all->build->reader->memory, AMONG_MAX, sizeof *among.bodies);
  if (among.bodies == NULL) {
    sb_report_memory(all->build->reader);
    return;
  }
  bool good = sb_read_values(all->build, item, sb_contacts_table, NULL, &values);
  good = sb_contact_find_law(all, item, &law) && good;
  good = sb_read_flag(all->build, item, "jointed", &among.jointed) && good;
  among.count = setting == NULL ? 0 : read_among(all, good ? &law : NULL, setting, among.bodies);
  among.margin = values.margin;
  sb_read_except(all, &among);
  if (good && near) {
    sb_build_near(all, &among, &law);
  } else if (good) {
    build_pairs(all, &among, &law);
  }
}

/** A first reading, in which nothing is reported. */
static bool is_near(const sb_contacts *all, const sb_item *item) {
  const sb_reader *reader = all->build->reader;
  const sb_setting *among = sb_item_text(reader, item, "among"),
                   *pairs = sb_item_text(reader, item, "pairs");
  long count = 0;
  for (sb_word word = {0}; among != NULL && sb_next_word(among->value, &word);) {
    count++;
  }
  return pairs != NULL && strcmp(pairs->value, "auto") != 0 ? strcmp(pairs->value, "near") == 0
                                                            : count * (count - 1) / 2 > PAIRS_FEW;
}

/** Those of which only near pairs have an element come behind all others. */
static void build_all(sb_contacts *all, bool near) {
  const sb_reader *reader = all->build->reader;
  for (int i = 0; i >= 0; i = sb_walk(reader, i)) {
    const sb_item *item = &reader->tree.items[i];
    if (item->tag == NULL || sb_item_in_defaults(reader, item)) {
      continue;
    }
    if (strcmp(item->node->name, "contact") == 0 && !near) {
      build_one(all, item);
    } else if (strcmp(item->node->name, "contacts") == 0 && is_near(all, item) == near) {
      build_among(all, item, near);
    }
  }
}

void sb_build_contacts(const sb_build *build, const sb_shapes *shapes,
                       const sb_material_entry materials[], const sb_law_entry laws[]) {
  sb_reader *reader = build->reader;
  sb_contacts all = {.build = build, .shapes = shapes, .materials = materials, .laws = laws};
  all.shape_reported = sb_arena_zeroed(&reader->memory, reader->tree.item_count, sizeof(bool));
  all.material_reported = sb_arena_zeroed(&reader->memory, reader->tree.item_count, sizeof(bool));
  all.first_place = sb_arena_zeroed(&reader->memory, reader->tree.item_count, sizeof(int));
  if (all.shape_reported == NULL || all.material_reported == NULL || all.first_place == NULL) {
    sb_report_memory(reader);
    return;
  }
  if (sb_find_jointed(&all)) {
    build_all(&all, false);
    build_all(&all, true);
  }
  sb_names_finish(&all.pairs);
}
