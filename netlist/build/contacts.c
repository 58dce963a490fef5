// SPDX-License-Identifier: GPL-3.0-or-later
// Contacts: pairs of bodies, one by one or all among several, with the law that their element,
// class or kind names.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/array_private.h"
#include "netlist/build/build.h"

enum { AMONG_MAX = 1000, PAIRS_MAX = 100000, PAIR_ID_MAX = 200 };

static bool has_skin(const sb_item *item) {
  return item->part >= 0 && item->tag->flags & SB_TAG_KIND;
}
static bool is_law(const sb_item *item) {
  return item->tag->values == sb_contact_law_params;
}
static bool is_ground(const sb_item *item) {
  return strcmp(item->node->name, "ground") == 0;
}

/** The law of a contact; false: one that failed. */
static bool find_law(sb_reader *reader, const sb_item *item, sb_contact_law *law) {
  const sb_setting *setting = sb_item_text(reader, item, "law");
  *law = sb_contact_law_defaults();
  if (setting == NULL) {
    return true;
  }
  int index = sb_scope_find(reader, setting->value, strlen(setting->value));
  const sb_item *found = index < 0 ? NULL : &reader->items[index];
  if (found != NULL && found->tag == NULL) {
    return false;
  }
  if (found != NULL && is_law(found)) {
    *law = found->part < 0 ? *law : reader->laws[found->part].law;
    return found->part >= 0 && reader->laws[found->part].good;
  }
  sb_error err;
  (void)sb_fail(&err, SB_ERR_REFERENCE, "there is no contact law '%.80s'", setting->value);
  sb_hint_id(reader, setting->value, strlen(setting->value), is_law, &err);
  sb_report_value(reader, setting, &err);
  return false;
}

/** Words what a body lacks for a contact, once. */
static bool check_skin(sb_reader *reader, const sb_setting *setting, const sb_item *item,
                       int column) {
  sb_skin *skin = &reader->skins[item->part];
  sb_error err = {0};
  if (!skin->good || skin->reported) {
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
  skin->reported = true;
  err.column = column;
  sb_report_value(reader, setting, &err);
  return false;
}

/** The body that a word names; NULL: none that can take part, reported. */
static const sb_item *find_body(sb_reader *reader, const sb_setting *setting, const sb_word *word) {
  int index = sb_scope_find(reader, word->start, word->length);
  const sb_item *item = index < 0 ? NULL : &reader->items[index];
  if (item != NULL && item->tag == NULL) {
    return NULL;
  }
  if (item == NULL || !has_skin(item)) {
    sb_error err;
    (void)sb_fail(&err, SB_ERR_REFERENCE, "there is no body or ground '%.*s'",
                  (int)(word->length > 80 ? 80 : word->length), word->start);
    sb_hint_id(reader, word->start, word->length, has_skin, &err);
    err.column = word->column;
    sb_report_value(reader, setting, &err);
    return NULL;
  }
  return check_skin(reader, setting, item, word->column) && item->element != NULL ? item : NULL;
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

static void report_stiffness(sb_reader *reader, sb_material_entry *entry, double exponent) {
  const sb_setting *setting = entry->normal != NULL ? entry->normal : entry->stiffness;
  char a[SB_DIMENSION_SIZE], b[SB_DIMENSION_SIZE];
  sb_error err;
  (void)sb_unit_describe(&entry->normal_dimension, a, sizeof a);
  stiffness_unit(exponent, b, sizeof b);
  (void)sb_fail(&err, SB_ERR_DIMENSION,
                "the normal stiffness of '%s' is in %s, but a law of exponent %s wants %s",
                reader->items[entry->item].id, a, sb_number_word(exponent).text, b);
  sb_error_hint(&err, "give it by itself: normal-stiffness=\"... %s\"", b);
  sb_report_value(reader, setting, &err);
  entry->reported = true;
}

/** The material of a body, whose normal stiffness must suit the law. */
static bool find_material(sb_reader *reader, const sb_item *item, const sb_contact_law *law,
                          sb_material *material) {
  int index = reader->skins[item->part].material;
  *material = sb_material_rigid();
  if (index < 0) {
    return true;
  }
  sb_material_entry *entry = &reader->materials[index];
  sb_dimension wanted;
  *material = entry->material;
  if (law->stiffness > 0 || !sb_stiffness_dimension(law->exponent, &wanted) ||
      sb_dimension_fits(&entry->normal_dimension, &wanted)) {
    return true;
  }
  if (!entry->reported) {
    report_stiffness(reader, entry, law->exponent);
  }
  return false;
}

/** Whether the two have no contact yet. */
static bool is_new_pair(sb_reader *reader, const sb_item *item, const sb_item *a,
                        const sb_item *b) {
  char pair[PAIR_ID_MAX];
  bool sorted = strcmp(a->id, b->id) < 0;
  (void)snprintf(pair, sizeof pair, "%s %s", sorted ? a->id : b->id, sorted ? b->id : a->id);
  char *key = sb_reader_join(reader, "pair", pair);
  int first = key == NULL ? -1 : sb_names_find(&reader->labels, key, strlen(key));
  if (first >= 0) {
    sb_error err;
    (void)sb_fail(&err, SB_ERR_DUPLICATE, "'%s' and '%s' have a contact in line %d already", a->id,
                  b->id, reader->items[first].node->line);
    sb_report_item(reader, item, &err);
    return false;
  }
  if (key == NULL || !sb_names_add(&reader->labels, key, (int)(item - reader->items))) {
    sb_report_memory(reader);
    return false;
  }
  return true;
}

static bool below_limit(sb_reader *reader, const sb_item *item) {
  if (reader->pair_count++ < PAIRS_MAX) {
    return true;
  }
  if (reader->pair_count == PAIRS_MAX + 1) {
    sb_error err;
    (void)sb_fail(&err, SB_ERR_TOO_LARGE, "more than %d pairs of bodies in contacts", PAIRS_MAX);
    sb_report_item(reader, item, &err);
  }
  return false;
}

static void add_pair(sb_reader *reader, const sb_item *item, const sb_contact_law *law,
                     const sb_item *a, const sb_item *b) {
  char id[PAIR_ID_MAX];
  sb_contact_spec spec = {.body = {a->id, b->id}, .law = *law};
  sb_error err = {0};
  (void)snprintf(id, sizeof id, "contact(%s,%s)", a->id, b->id);
  spec.id = item->id != NULL ? item->id : id;
  if (!below_limit(reader, item) || !is_new_pair(reader, item, a, b)) {
    return;
  }
  bool good = find_material(reader, a, law, &spec.material[0]);
  if (!find_material(reader, b, law, &spec.material[1]) || !good) {
    return;
  }
  spec.surface[0] = reader->skins[a->part].surface;
  spec.surface[1] = reader->skins[b->part].surface;
  sb_graph_place(reader->netlist->graph, reader->file, item->node->line, item->node->column);
  if (sb_contact_add(reader->netlist->graph, &spec, &err) != SB_OK) {
    sb_report_item(reader, item, &err);
  }
}

static void build_one(sb_reader *reader, const sb_item *item) {
  const sb_setting *settings[2] = {sb_item_text(reader, item, "a"),
                                   sb_item_text(reader, item, "b")};
  const sb_item *bodies[2] = {NULL, NULL};
  sb_contact_law law;
  bool good = find_law(reader, item, &law);
  for (int i = 0; i < 2; i++) {
    if (settings[i] != NULL) {
      sb_word word = {settings[i]->value, strlen(settings[i]->value), 1};
      bodies[i] = find_body(reader, settings[i], &word);
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
    add_pair(reader, item, &law, bodies[0], bodies[1]);
  }
}

/** The bodies that `among` names, NULL for those that cannot take part. */
static int read_among(sb_reader *reader, const sb_setting *setting, const sb_item *bodies[]) {
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
    const sb_item *body = find_body(reader, setting, &word);
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

static void build_among(sb_reader *reader, const sb_item *item) {
  const sb_setting *setting = sb_item_text(reader, item, "among");
  const sb_item **bodies = calloc(AMONG_MAX, sizeof(sb_item *));
  sb_contact_law law;
  bool good = find_law(reader, item, &law);
  if (bodies == NULL) {
    sb_report_memory(reader);
    return;
  }
  int count = setting == NULL ? 0 : read_among(reader, setting, bodies);
  for (int i = 0; good && i < count; i++) {
    for (int j = i + 1; j < count; j++) {
      if (bodies[i] != NULL && bodies[j] != NULL &&
          !(is_ground(bodies[i]) && is_ground(bodies[j]))) {
        add_pair(reader, item, &law, bodies[i], bodies[j]);
      }
    }
  }
  free(bodies);
}

void sb_build_contacts(sb_reader *reader) {
  for (int i = 0; i < reader->item_count; i++) {
    const sb_item *item = &reader->items[i];
    const char *parent = item->parent < 0 ? "" : reader->items[item->parent].node->name;
    if (item->tag == NULL || strcmp(parent, "mechanism") != 0) {
      continue;
    }
    if (strcmp(item->node->name, "contact") == 0) {
      build_one(reader, item);
    } else if (strcmp(item->node->name, "contacts") == 0) {
      build_among(reader, item);
    }
  }
}
