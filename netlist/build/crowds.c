// SPDX-License-Identifier: GPL-3.0-or-later
// Contacts among many bodies: pairs that are left out, and those of which only the near ones have an element. A pair
// that the netlist names elsewhere, as an output does, always has one.
#include <stdio.h>
#include <string.h>

#include "contact/crowd.h"
#include "netlist/build/build.h"
#include "netlist/build/contact_names_private.h"
#include "netlist/build/words_private.h"
#include "netlist/reader/index.h"
#include "netlist/reader/names.h"
#include "netlist/reader/report.h"
#include "netlist/reader/settings.h"
#include "netlist/reader/texts.h"

/** The place of a name among those of <contacts>; -1: none. */
static int find_among(const sb_contacts *all, const sb_among *among, const char *name,
                      size_t length) {
  const sb_reader *reader = all->build->reader;
  int index = sb_scope_find_in(reader, among->item->scope, name, length);
  int k = 0;
  while (k < among->count && (index < 0 || among->bodies[k] != &reader->tree.items[index])) {
    k++;
  }
  return k < among->count ? k : -1;
}

void sb_read_except(sb_contacts *all, sb_among *among) {
  sb_reader *reader = all->build->reader;
  const sb_setting *setting = sb_item_text(reader, among->item, "except");
  int capacity = 0;
  for (sb_word word = {0}; setting != NULL && sb_next_word(setting->value, &word);) {
    char names[SB_PATH_MAX + 1];
    if (!sb_plain_name(reader, setting, word.start, word.length, names)) {
      continue;
    }
    const char *comma = strchr(names, ',');
    size_t length = strlen(names), first = comma == NULL ? length : (size_t)(comma - names);
    int pair[2] = {find_among(all, among, names, first), -1};
    sb_error err = {0};
    if (comma != NULL) {
      pair[1] = find_among(all, among, comma + 1, length - first - 1);
    }
    if (comma == NULL) {
      (void)sb_fail(&err, SB_ERR_MISSING, "'%s' is no pair", names);
      sb_error_hint(&err, "write two names with a comma between, as in \"a,b\"");
    } else if (pair[0] < 0 || pair[1] < 0) {
      (void)sb_fail(&err, SB_ERR_REFERENCE, "'%.*s' is not among those of these contacts",
                    pair[0] < 0 ? (int)first : (int)(length - first - 1),
                    pair[0] < 0 ? names : comma + 1);
    } else if (pair[0] == pair[1]) {
      (void)sb_fail(&err, SB_ERR_CONTACT, "'%s' names one body twice", names);
    }
    if (err.status != SB_OK) {
      err.column = word.column;
      sb_report_value(reader, setting, &err);
    } else if (!sb_arena_append(&reader->memory, &among->except, &among->except_count, &capacity,
                                sizeof pair, pair)) {
      sb_report_memory(reader);
    }
  }
}

bool sb_is_excepted(const sb_contacts *all, const sb_among *among, int i, int j) {
  int k = 0;
  if (!among->jointed && all->joint_end_count > 0 && among->bodies[i] != NULL &&
      among->bodies[j] != NULL &&
      sb_joint_between(all, sb_contact_body(all, among->bodies[i]),
                       sb_contact_body(all, among->bodies[j])) != NULL) {
    return true;
  }
  while (k < among->except_count && !(among->except[k][0] == i && among->except[k][1] == j) &&
         !(among->except[k][0] == j && among->except[k][1] == i)) {
    k++;
  }
  return k < among->except_count;
}

/** The parties of a crowd while it is built. */
typedef struct crowd {
  sb_contacts *all;
  const sb_among *among;
  sb_contact_shape *shapes; // (count)
  sb_party *parties;        // (count)
  int *among_of;            // (count) the place of each among those named
  int count, shape_capacity, party_capacity, among_capacity;
  int (*except)[2]; // (except_count)
  int except_count, except_capacity;
  sb_names names; // -> parties
  bool good;
} crowd;

/** All shapes of what is named, each a party. */
static void add_parties(crowd *c, int k, const sb_contact_law *law) {
  sb_arena *memory = &c->all->build->reader->memory;
  const sb_item *named = c->among->bodies[k];
  int shapes;
  (void)sb_contact_shapes(c->all, named, &shapes);
  for (int i = 0; i < shapes; i++) {
    sb_contact_shape shape = sb_contact_take_shape(c->all, named, i);
    const sb_item *body = shape.shape->body;
    sb_party party = {.body = body->id,
                      .name = shape.name,
                      .fixed = sb_is_ground(body),
                      .surface = shape.shape->surface};
    int count = c->count, again = c->count;
    c->good = sb_contact_find_material(c->all, body, law, &party.material) && c->good;
    if (!sb_arena_append(memory, &c->shapes, &c->count, &c->shape_capacity, sizeof shape, &shape) ||
        !sb_arena_append(memory, &c->parties, &count, &c->party_capacity, sizeof party, &party) ||
        !sb_arena_append(memory, &c->among_of, &again, &c->among_capacity, sizeof k, &k) ||
        !sb_names_add(&c->names, shape.name, c->count - 1)) {
      sb_report_memory(c->all->build->reader);
      c->good = false;
      return;
    }
  }
}

static void add_except(crowd *c, int i, int j) {
  const int pair[2] = {i, j};
  (void)sb_arena_append(&c->all->build->reader->memory, &c->except, &c->except_count,
                        &c->except_capacity, sizeof pair, pair);
}

/** Pairs that have no contact, shape by shape. */
static void leave_out(crowd *c) {
  for (int i = 0; i < c->count && (c->among->except_count > 0 || c->all->joint_end_count > 0);
       i++) {
    for (int j = i + 1; j < c->count; j++) {
      if (sb_is_excepted(c->all, c->among, c->among_of[i], c->among_of[j])) {
        add_except(c, i, j);
      }
    }
  }
}

static bool may_meet(const crowd *c, int i, int j) {
  return strcmp(c->parties[i].body, c->parties[j].body) != 0 &&
         !(c->parties[i].fixed && c->parties[j].fixed) &&
         !sb_is_excepted(c->all, c->among, c->among_of[i], c->among_of[j]);
}

static int find_party(const crowd *c, const sb_shape_entry *shape) {
  int i = 0;
  while (i < c->count && c->shapes[i].shape != shape) {
    i++;
  }
  return i < c->count ? i : -1;
}

/** Two shapes have one contact. @param first  that states it */
static void refuse_second(crowd *c, int i, int j, const sb_item *first) {
  sb_error err;
  (void)sb_fail(&err, SB_ERR_DUPLICATE, "'%s' and '%s' have a contact in line %d already",
                sb_shape_name(c->shapes[i].shape), sb_shape_name(c->shapes[j].shape),
                first->node->line);
  sb_error_hint(&err, "leave the pair out by except=\"%s,%s\"",
                c->among->bodies[c->among_of[i]]->id, c->among->bodies[c->among_of[j]]->id);
  sb_report_item(c->all->build->reader, c->among->item, &err);
  c->good = false;
}

static void check_stated(crowd *c) {
  for (int k = 0; k < c->all->stated_count && c->good; k++) {
    const sb_stated_pair *stated = &c->all->stated[k];
    int i = find_party(c, stated->shape[0]), j = i < 0 ? -1 : find_party(c, stated->shape[1]);
    if (j >= 0 && may_meet(c, i, j)) {
      refuse_second(c, i, j, stated->item);
    }
  }
}

/** A contact that a text names, "contact(a,b)...", is there always. */
static void pin(crowd *c, const char *text, const sb_contact_law *law) {
  const char *open = strchr(text, '('), *comma = open == NULL ? NULL : strchr(open, ','),
             *close = comma == NULL ? NULL : strchr(comma, ')');
  if (close == NULL) {
    return;
  }
  int i = sb_names_find(&c->names, open + 1, (size_t)(comma - open - 1));
  int j = sb_names_find(&c->names, comma + 1, (size_t)(close - comma - 1));
  int first = i < j ? i : j, last = i < j ? j : i;
  bool known = first < 0 || first == last || !may_meet(c, first, last);
  for (int k = 0; k < c->except_count && !known; k++) {
    known = c->except[k][0] == first && c->except[k][1] == last;
  }
  if (!known) {
    sb_contact_add_pair(c->all, c->among->item, law, c->shapes[first], c->shapes[last]);
    add_except(c, first, last);
  }
}

static void pin_all(crowd *c, const sb_contact_law *law) {
  static const char prefix[] = "contact(";
  const sb_reader *reader = c->all->build->reader;
  for (int i = 0; i < reader->tree.setting_count; i++) {
    const char *text = reader->tree.settings[i].value;
    while (text != NULL && (text = strstr(text, prefix)) != NULL) {
      pin(c, text, law);
      text += sizeof prefix - 1;
    }
  }
}

/** The first place of a shape in the crowds before; NULL: it is in none. */
static const sb_crowd_place *first_place(const crowd *c, int party) {
  const sb_contacts *all = c->all;
  const int number =
      all->first_place[c->shapes[party].shape->item - all->build->reader->tree.items];
  return number > 0 ? &all->places[number - 1] : NULL;
}

static const sb_crowd_place *next_place(const crowd *c, const sb_crowd_place *place) {
  return place->next > 0 ? &c->all->places[place->next - 1] : NULL;
}

/** Notes the shapes of a crowd, for the crowds behind it. */
static void note_places(const crowd *c) {
  sb_contacts *all = c->all;
  sb_reader *reader = all->build->reader;
  sb_among *among = sb_arena_zeroed(&reader->memory, 1, sizeof *among);
  if (among == NULL) {
    sb_report_memory(reader);
    return;
  }
  *among = *c->among;
  for (int i = 0; i < c->count; i++) {
    int *first = &all->first_place[c->shapes[i].shape->item - reader->tree.items];
    const sb_crowd_place place = {among, c->among_of[i], *first};
    if (!sb_arena_append(&reader->memory, &all->places, &all->place_count, &all->place_capacity,
                         sizeof place, &place)) {
      sb_report_memory(reader);
      return;
    }
    *first = all->place_count;
  }
}

/** The <contacts> before by which two shapes may meet; NULL: none. */
static const sb_item *meet_before(const crowd *c, int i, int j) {
  for (const sb_crowd_place *a = first_place(c, i); a != NULL; a = next_place(c, a)) {
    for (const sb_crowd_place *b = first_place(c, j); b != NULL; b = next_place(c, b)) {
      if (a->among == b->among && !sb_is_excepted(c->all, a->among, a->named, b->named)) {
        return a->among->item;
      }
    }
  }
  return NULL;
}

/** No two shapes may meet by two crowds: they would have two contacts. */
static void check_crowds(crowd *c) {
  for (int i = 0; i < c->count && c->good; i++) {
    for (int j = i + 1; j < c->count && c->good && first_place(c, i) != NULL; j++) {
      const sb_item *before = may_meet(c, i, j) ? meet_before(c, i, j) : NULL;
      if (before != NULL) {
        refuse_second(c, i, j, before);
      }
    }
  }
}

static void add_crowd(const crowd *c, const sb_contact_law *law) {
  const sb_reader *reader = c->all->build->reader;
  sb_graph *graph = c->all->build->graph;
  const sb_crowd_spec spec = {.parties = c->parties,
                              .count = c->count,
                              .except = (const int(*)[2])c->except,
                              .except_count = c->except_count,
                              .law = *law,
                              .margin = c->among->margin};
  sb_error err = {0};
  sb_graph_place(graph, reader->files.name, c->among->item->node->line,
                 c->among->item->node->column);
  if (sb_crowd_add(graph, &spec, &err) != SB_OK) {
    sb_report_item(reader, c->among->item, &err);
  }
}

void sb_build_near(sb_contacts *all, const sb_among *among, const sb_contact_law *law) {
  crowd c = {.all = all, .among = among, .good = true};
  for (int k = 0; k < among->count; k++) {
    if (among->bodies[k] != NULL) {
      add_parties(&c, k, law);
    }
    c.good = c.good && among->bodies[k] != NULL;
  }
  if (c.good) {
    check_stated(&c);
  }
  check_crowds(&c);
  if (c.good) {
    note_places(&c);
    leave_out(&c);
    pin_all(&c, law);
    add_crowd(&c, law);
  }
  sb_names_finish(&c.names);
}
