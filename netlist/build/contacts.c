// SPDX-License-Identifier: GPL-3.0-or-later
// Contacts: pairs of bodies, one by one or all among several, with the law that their element,
// class or kind names.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "netlist/build/names.h"
#include "netlist/build/values.h"
#include "netlist/reader/report.h"

enum { AMONG_MAX = 1000, PAIRS_MAX = 100000, PAIR_ID_MAX = 200 };

/** What contacts are made of, and what has been said of it. */
typedef struct contacts {
  const sb_build *build;
  const sb_skin *skins;
  const sb_material_entry *materials;
  const sb_law_entry *laws;
  bool *skin_reported;     // (items) that something is missing for a contact
  bool *material_reported; // (items) that its normal stiffness suits no law
  sb_names pairs;          // "a b", of the bodies that have a contact -> item of the contact
  int pair_count;
} contacts;

static bool has_skin(const sb_item *item) {
  return strcmp(item->node->name, "body") == 0 || strcmp(item->node->name, "ground") == 0;
}
static const sb_skin *skin_of(const contacts *all, const sb_item *item) {
  return &all->skins[sb_made_of(all->build, item)->entry];
}
static bool is_law(const sb_item *item) {
  return item->tag->values == sb_contact_law_params;
}
static bool is_ground(const sb_item *item) {
  return strcmp(item->node->name, "ground") == 0;
}

/** The law of a contact; false: one that failed. */
static bool find_law(const contacts *all, const sb_item *item, sb_contact_law *law) {
  const sb_reader *reader = all->build->reader;
  const sb_setting *setting = sb_item_text(reader, item, "law");
  *law = sb_contact_law_defaults();
  if (setting == NULL) {
    return true;
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
  sb_error err;
  (void)sb_fail(&err, SB_ERR_REFERENCE, "there is no contact law '%.80s'", setting->value);
  sb_hint_id(reader, setting->value, strlen(setting->value), is_law, &err);
  sb_report_value(reader, setting, &err);
  return false;
}

/** Words what a body lacks for a contact, once. */
static bool check_skin(contacts *all, const sb_setting *setting, const sb_item *item, int column) {
  const sb_skin *skin = skin_of(all, item);
  bool *reported = &all->skin_reported[item - all->build->reader->tree.items];
  sb_error err = {0};
  if (!skin->good || *reported) {
    return false;
  }
  if (!skin->has_shape) {
    (void)sb_fail(&err, SB_ERR_MISSING, "'%s' is in a contact but has no shape", item->id);
    sb_error_hint(&err, "add a <shape kind=\"...\"/> to it");
  } else if (skin->material < 0 && !is_ground(item)) {
    (void)sb_fail(&err, SB_ERR_MISSING, "'%s' is in a contact but has no material", item->id);
    sb_error_hint(&err, "add material=\"...\" to it");
  } else {
    return true;
  }
  *reported = true;
  err.column = column;
  sb_report_value(all->build->reader, setting, &err);
  return false;
}

/** The body that a word names; NULL: none that can take part, reported. */
static const sb_item *find_body(contacts *all, const sb_setting *setting, const sb_word *word) {
  const sb_reader *reader = all->build->reader;
  int index = sb_scope_find(reader, word->start, word->length);
  const sb_item *item = index < 0 ? NULL : &reader->tree.items[index];
  if (item != NULL && item->tag == NULL) {
    return NULL;
  }
  const sb_made *made = item == NULL ? NULL : sb_made_of(all->build, item);
  if (item == NULL || !has_skin(item) || made->entry < 0) {
    sb_error err;
    (void)sb_fail(&err, SB_ERR_REFERENCE, "there is no body or ground '%.*s'",
                  (int)(word->length > 80 ? 80 : word->length), word->start);
    sb_hint_id(reader, word->start, word->length, has_skin, &err);
    err.column = word->column;
    sb_report_value(reader, setting, &err);
    return NULL;
  }
  return check_skin(all, setting, item, word->column) && made->element != NULL ? item : NULL;
}

/** N/m^n as people write it. */
static void stiffness_unit(double exponent, char unit[], size_t size) {
  enum { DENOMINATOR_MAX = 12 };
  int q = 1;
  while (q < DENOMINATOR_MAX && fabs(exponent * q - round(exponent * q)) > 1e-9) {
    q++;
  }
  if (q == 1 && exponent == 1) {
    (void)snprintf(unit, size, "N/m");
  } else if (q == 1 || q == DENOMINATOR_MAX) {
    (void)snprintf(unit, size, "N/m^%s", sb_number_word(exponent).text);
  } else {
    (void)snprintf(unit, size, "N/m^(%s/%d)", sb_number_word(round(exponent * q)).text, q);
  }
}

static void report_stiffness(const sb_reader *reader, const sb_material_entry *entry,
                             double exponent) {
  const sb_setting *setting = entry->normal != NULL ? entry->normal : entry->stiffness;
  char a[SB_DIMENSION_SIZE], b[SB_DIMENSION_SIZE];
  sb_error err;
  (void)sb_unit_describe(&entry->normal_dimension, a, sizeof a);
  stiffness_unit(exponent, b, sizeof b);
  (void)sb_fail(&err, SB_ERR_DIMENSION,
                "the normal stiffness of '%s' is in %s, but a law of exponent %s wants %s",
                reader->tree.items[entry->item].id, a, sb_number_word(exponent).text, b);
  sb_error_hint(&err, "give it by itself: normal-stiffness=\"... %s\"", b);
  sb_report_value(reader, setting, &err);
}

/** The material of a body, whose normal stiffness must suit the law. */
static bool find_material(contacts *all, const sb_item *item, const sb_contact_law *law,
                          sb_material *material) {
  int index = skin_of(all, item)->material;
  *material = sb_material_rigid();
  if (index < 0) {
    return true;
  }
  const sb_material_entry *entry = &all->materials[index];
  sb_dimension wanted;
  *material = entry->material;
  if (law->stiffness > 0 || !sb_stiffness_dimension(law->exponent, &wanted) ||
      sb_dimension_fits(&entry->normal_dimension, &wanted)) {
    return true;
  }
  if (!all->material_reported[entry->item]) {
    report_stiffness(all->build->reader, entry, law->exponent);
  }
  all->material_reported[entry->item] = true;
  return false;
}

/** Whether the two have no contact yet. */
static bool is_new_pair(contacts *all, const sb_item *item, const sb_item *a, const sb_item *b) {
  sb_reader *reader = all->build->reader;
  bool sorted = strcmp(a->id, b->id) < 0;
  const char *key = sb_reader_join(reader, sorted ? a->id : b->id, sorted ? b->id : a->id);
  int first = key == NULL ? -1 : sb_names_find(&all->pairs, key, strlen(key));
  if (first >= 0) {
    sb_error err;
    (void)sb_fail(&err, SB_ERR_DUPLICATE, "'%s' and '%s' have a contact in line %d already", a->id,
                  b->id, reader->tree.items[first].node->line);
    sb_report_item(reader, item, &err);
    return false;
  }
  if (key == NULL || !sb_names_add(&all->pairs, key, (int)(item - reader->tree.items))) {
    sb_report_memory(reader);
    return false;
  }
  return true;
}

static bool below_limit(contacts *all, const sb_item *item) {
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

static void add_pair(contacts *all, const sb_item *item, const sb_contact_law *law,
                     const sb_item *a, const sb_item *b) {
  const sb_reader *reader = all->build->reader;
  sb_graph *graph = all->build->graph;
  char id[PAIR_ID_MAX];
  sb_contact_spec spec = {.body = {a->id, b->id}, .law = *law};
  sb_error err = {0};
  (void)snprintf(id, sizeof id, "contact(%s,%s)", a->id, b->id);
  spec.id = item->id != NULL ? item->id : id;
  if (!below_limit(all, item) || !is_new_pair(all, item, a, b)) {
    return;
  }
  bool good = find_material(all, a, law, &spec.material[0]);
  if (!find_material(all, b, law, &spec.material[1]) || !good) {
    return;
  }
  spec.surface[0] = skin_of(all, a)->surface;
  spec.surface[1] = skin_of(all, b)->surface;
  sb_graph_place(graph, reader->files.name, item->node->line, item->node->column);
  if (sb_contact_add(graph, &spec, &err) != SB_OK) {
    sb_report_item(reader, item, &err);
  }
}

static void build_one(contacts *all, const sb_item *item) {
  const sb_reader *reader = all->build->reader;
  const sb_setting *settings[2] = {sb_item_text(reader, item, "a"),
                                   sb_item_text(reader, item, "b")};
  const sb_item *bodies[2] = {NULL, NULL};
  sb_contact_law law;
  bool good = find_law(all, item, &law);
  for (int i = 0; i < 2; i++) {
    if (settings[i] != NULL) {
      sb_word word = {settings[i]->value, strlen(settings[i]->value), 1};
      bodies[i] = find_body(all, settings[i], &word);
    }
  }
  if (!good || bodies[0] == NULL || bodies[1] == NULL) {
    return;
  }
  sb_error err;
  if (bodies[0] == bodies[1]) {
    (void)sb_fail(&err, SB_ERR_CONTACT, "a contact of '%s' with itself", bodies[0]->id);
    sb_report_value(reader, settings[1], &err);
  } else if (is_ground(bodies[0]) && is_ground(bodies[1])) {
    (void)sb_fail(&err, SB_ERR_CONTACT, "'%s' and '%s' are both fixed: they never touch",
                  bodies[0]->id, bodies[1]->id);
    sb_report_item(reader, item, &err);
  } else {
    add_pair(all, item, &law, bodies[0], bodies[1]);
  }
}

/** The bodies that `among` names, NULL for those that cannot take part. */
static int read_among(contacts *all, const sb_setting *setting, const sb_item *bodies[]) {
  const sb_reader *reader = all->build->reader;
  sb_word word = {0};
  sb_error err;
  int count = 0;
  while (sb_next_word(setting->value, &word)) {
    if (count == AMONG_MAX) {
      (void)sb_fail(&err, SB_ERR_TOO_LARGE, "more than %d bodies among each other", AMONG_MAX);
      err.column = word.column;
      sb_report_value(reader, setting, &err);
      return 0;
    }
    const sb_item *body = find_body(all, setting, &word);
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

static void build_among(contacts *all, const sb_item *item) {
  const sb_setting *setting = sb_item_text(all->build->reader, item, "among");
  const sb_item *bodies[AMONG_MAX];
  sb_contact_law law;
  bool good = find_law(all, item, &law);
  int count = setting == NULL ? 0 : read_among(all, setting, bodies);
  for (int i = 0; good && i < count; i++) {
    for (int j = i + 1; j < count; j++) {
      if (bodies[i] != NULL && bodies[j] != NULL &&
          !(is_ground(bodies[i]) && is_ground(bodies[j]))) {
        add_pair(all, item, &law, bodies[i], bodies[j]);
      }
    }
  }
}

static void build_all(contacts *all) {
  const sb_reader *reader = all->build->reader;
  for (int i = 0; i < reader->tree.item_count; i++) {
    const sb_item *item = &reader->tree.items[i];
    const char *parent = item->parent < 0 ? "" : reader->tree.items[item->parent].node->name;
    if (item->tag == NULL || strcmp(parent, "mechanism") != 0) {
      continue;
    }
    if (strcmp(item->node->name, "contact") == 0) {
      build_one(all, item);
    } else if (strcmp(item->node->name, "contacts") == 0) {
      build_among(all, item);
    }
  }
}

void sb_build_contacts(const sb_build *build, const sb_skin skins[],
                       const sb_material_entry materials[], const sb_law_entry laws[]) {
  sb_reader *reader = build->reader;
  contacts all = {.build = build, .skins = skins, .materials = materials, .laws = laws};
  all.skin_reported = sb_arena_zeroed(&reader->memory, reader->tree.item_count, sizeof(bool));
  all.material_reported = sb_arena_zeroed(&reader->memory, reader->tree.item_count, sizeof(bool));
  if (all.skin_reported == NULL || all.material_reported == NULL) {
    sb_report_memory(reader);
    return;
  }
  build_all(&all);
  sb_names_finish(&all.pairs);
}
