// SPDX-License-Identifier: GPL-3.0-or-later
// Uses and repeats. A use reads the XML of its sub-model once more into a scope of its own, whose
// ids begin with the path of the use; a repeat reads its own once per round, with an index. Each is
// expanded when the names around it are known, the outer ones first.
//
// A repeat is a loop and no scope: what it makes carries the index in its id, s[k], and is named so
// from everywhere, s[1], s[N], also from another repeat: neighbours are s[k] and s[k+1]. Nothing is
// left out silently at the ends: N sections have N-1 bonds between them, in a repeat of N-1 rounds.
// Nested repeats make grids, s[i][j].
#include "netlist/reader/expand.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/array_private.h"
#include "netlist/build/build.h"

int sb_add_scope(sb_reader *reader, const sb_scope *scope) {
  if (!sb_grow(&reader->scopes, &reader->scope_capacity, reader->scope_count + 1,
               sizeof(sb_scope))) {
    sb_report_memory(reader);
    return -1;
  }
  reader->scopes[reader->scope_count] = *scope;
  return reader->scope_count++;
}

static void report_at(sb_reader *reader, int scope, const sb_xml_attribute *attribute,
                      sb_error *err) {
  const sb_setting setting = {
      .value = attribute->value, .attribute = (sb_xml_attribute *)attribute, .scope = scope};
  sb_report_value(reader, &setting, err);
}

bool sb_define_submodel(sb_reader *reader, const sb_xml_node *node, int scope) {
  const sb_xml_attribute *id = sb_xml_attribute_find(node, "id");
  sb_error err = {0};
  if (id == NULL) {
    (void)sb_fail(&err, SB_ERR_MISSING, "<submodel> needs the attribute 'id'");
    sb_error_hint(&err, "id: name that uses refer to");
    sb_report_node(reader, scope, node, &err);
    return false;
  }
  if (sb_check_id(id->value, &err) != SB_OK) {
    report_at(reader, scope, id, &err);
    return false;
  }
  int first = sb_names_find(&reader->submodel_names, id->value, strlen(id->value));
  if (first >= 0) {
    const sb_submodel *other = &reader->submodels[first];
    const char *file = reader->scopes[other->scope].file, *slash = strrchr(file, '/');
    file = slash == NULL ? file : slash + 1;
    (void)sb_fail(&err, SB_ERR_DUPLICATE, "there is already a sub-model '%s', in line %d of %.160s",
                  id->value, other->node->line, file);
    report_at(reader, scope, id, &err);
    return false;
  }
  if (!sb_grow(&reader->submodels, &reader->submodel_capacity, reader->submodel_count + 1,
               sizeof(sb_submodel)) ||
      !sb_names_add(&reader->submodel_names, id->value, reader->submodel_count)) {
    sb_report_memory(reader);
    return false;
  }
  reader->submodels[reader->submodel_count++] =
      (sb_submodel){.id = id->value, .node = node, .scope = scope};
  return true;
}

/** Words the chain of uses that leads from a sub-model to itself. */
static sb_status recursion(const sb_reader *reader, int submodel, int scope, sb_error *err) {
  int chain[SB_USE_DEPTH_MAX + 1], count = 0;
  char text[SB_ERROR_TEXT / 2] = "";
  size_t used = 0;
  for (int i = scope; i >= 0 && count <= SB_USE_DEPTH_MAX; i = reader->scopes[i].outer) {
    if (reader->scopes[i].index == NULL && reader->scopes[i].submodel >= 0) {
      chain[count++] = reader->scopes[i].submodel;
      if (chain[count - 1] == submodel) {
        break;
      }
    }
  }
  for (int i = count - 1; i >= 0 && used < sizeof text; i--) {
    used +=
        (size_t)snprintf(text + used, sizeof text - used, "%s -> ", reader->submodels[chain[i]].id);
  }
  return sb_fail(err, SB_ERR_REFERENCE, "a sub-model cannot contain itself: %s%s", text,
                 reader->submodels[submodel].id);
}

static bool is_inside(const sb_reader *reader, int scope, int submodel) {
  while (scope >= 0 && reader->scopes[scope].submodel != submodel) {
    scope = reader->scopes[scope].outer;
  }
  return scope >= 0;
}

static sb_status unknown(const sb_reader *reader, const char *name, sb_error *err) {
  enum { WORDS_MAX = 256 };
  const char *words[WORDS_MAX];
  int count = 0;
  for (; count < reader->submodel_count && count < WORDS_MAX; count++) {
    words[count] = reader->submodels[count].id;
  }
  (void)sb_fail(err, SB_ERR_REFERENCE, "there is no sub-model '%.80s'", name);
  if (count > 0) {
    sb_hint_word(name, words, count, err);
  } else {
    sb_error_hint(err, "import its file, or write a <submodel>");
  }
  return err->status;
}

/** The sub-model of a use. */
static sb_status find_submodel(const sb_reader *reader, const sb_item *use, const char *name,
                               int *submodel, sb_error *err) {
  *submodel = sb_names_find(&reader->submodel_names, name, strlen(name));
  if (*submodel < 0) {
    return unknown(reader, name, err);
  }
  reader->submodels[*submodel].used = true;
  if (is_inside(reader, use->scope, *submodel)) {
    return recursion(reader, *submodel, use->scope, err);
  }
  if (reader->scopes[use->scope].depth == SB_USE_DEPTH_MAX) {
    return sb_fail(err, SB_ERR_TOO_LARGE, "uses nested more than %d deep", SB_USE_DEPTH_MAX);
  }
  if (strlen(use->id) + 1 >= SB_PATH_MAX) {
    return sb_fail(err, SB_ERR_TOO_LARGE, "a path has at most %d characters", SB_PATH_MAX);
  }
  return SB_OK;
}

/** A new scope for what is inside a use. */
static int open_scope(sb_reader *reader, int use, int submodel) {
  const sb_item *item = &reader->items[use];
  size_t size = strlen(item->id) + 2;
  char *path = sb_reader_keep(reader, malloc(size));
  if (path == NULL) {
    return -1;
  }
  (void)snprintf(path, size, "%s/", item->id);
  return sb_add_scope(reader,
                      &(sb_scope){.path = path,
                                  .length = size - 1,
                                  .file = reader->scopes[reader->submodels[submodel].scope].file,
                                  .outer = item->scope,
                                  .use = use,
                                  .submodel = submodel,
                                  .depth = reader->scopes[item->scope].depth + 1});
}

static bool has_room(sb_reader *reader, int item) {
  if (reader->item_count < SB_ITEMS_MAX && reader->scope_count < SB_ITEMS_MAX) {
    return true;
  }
  sb_error err;
  (void)sb_fail(&err, SB_ERR_TOO_LARGE, "the netlist expands to more than %d XML elements",
                SB_ITEMS_MAX);
  sb_report_item(reader, &reader->items[item], &err);
  reader->full = true;
  return false;
}

static void expand_use(sb_reader *reader, int use) {
  const sb_item *item = &reader->items[use];
  const sb_setting *name = sb_item_text(reader, item, "submodel");
  int submodel, first = reader->item_count;
  sb_error err = {0};
  if (name == NULL || item->id == NULL || !has_room(reader, use)) {
    return; // a fault that has been reported
  }
  if (find_submodel(reader, item, name->value, &submodel, &err) != SB_OK) {
    sb_report_value(reader, name, &err);
    return;
  }
  int inner = open_scope(reader, use, submodel);
  if (inner < 0) {
    return;
  }
  sb_read_tree(reader, reader->submodels[submodel].node, use, inner);
  sb_read_names(reader, first);
  sb_apply_sets(reader, use, inner);
  reader->items[use].part = inner;
  sb_read_overrides(reader, false);
  sb_check_sets(reader, use, inner, first);
  sb_add_parameters(reader, first);
}

static bool check_index_name(sb_reader *reader, const sb_setting *setting) {
  size_t length = strlen(setting->value);
  double value;
  sb_dimension dimension;
  sb_error err = {0};
  if (sb_check_id(setting->value, &err) != SB_OK || strpbrk(setting->value, "[-") != NULL) {
    (void)sb_fail(&err, SB_ERR_CHOICE, "'%.80s' cannot be an index", setting->value);
    sb_error_hint(&err, "letters, digits and '_'");
    sb_report_value(reader, setting, &err);
    return false;
  }
  sb_value_scope scope = sb_reader_scope(reader, setting);
  if (scope.lookup(scope.context, setting->value, length, &value, &dimension)) {
    (void)sb_fail(&err, SB_ERR_DUPLICATE, "'%.80s' is a parameter or an index already",
                  setting->value);
    sb_report_value(reader, setting, &err);
    return false;
  }
  return true;
}

/** The rounds of a repeat. */
static bool read_rounds(sb_reader *reader, const sb_item *item, long *first, long *count) {
  const sb_setting *counted = sb_item_text(reader, item, "count");
  const sb_setting *from = sb_item_text(reader, item, "first");
  const sb_setting *index = sb_item_text(reader, item, "index");
  bool good = counted != NULL && index != NULL && check_index_name(reader, index);
  *first = 1;
  good = counted != NULL && sb_read_whole(reader, counted, count) && good;
  good = (from == NULL || sb_read_whole(reader, from, first)) && good;
  sb_error err;
  if (good && (*count < 0 || *count > SB_REPEAT_COUNT_MAX)) {
    (void)sb_fail(&err, *count < 0 ? SB_ERR_RANGE : SB_ERR_TOO_LARGE,
                  "a repeat has 0 to %d rounds, not %ld", SB_REPEAT_COUNT_MAX, *count);
    sb_report_value(reader, counted, &err);
    return false;
  }
  return good;
}

static void expand_repeat(sb_reader *reader, int repeat) {
  long first, count;
  if (!read_rounds(reader, &reader->items[repeat], &first, &count)) {
    reader->unfinished = true;
    return;
  }
  const sb_xml_node *node = reader->items[repeat].node;
  sb_scope round = reader->scopes[reader->items[repeat].scope];
  round.outer = reader->items[repeat].scope;
  round.index = sb_item_text(reader, &reader->items[repeat], "index")->value;
  for (round.round = first; round.round < first + count; round.round++) {
    int scope = has_room(reader, repeat) ? sb_add_scope(reader, &round) : -1;
    if (scope < 0) {
      return;
    }
    int from = reader->item_count;
    for (const sb_xml_node *child = node->first_child; child != NULL; child = child->next) {
      sb_read_tree(reader, child, repeat, scope);
    }
    sb_read_names(reader, from);
  }
  sb_read_overrides(reader, false);
}

/** Sub-models without a use are read for their faults only. */
static void check_unused(sb_reader *reader) {
  for (int i = 0; i < reader->submodel_count; i++) {
    const sb_submodel *submodel = &reader->submodels[i];
    int before = reader->item_count;
    if (submodel->used) {
      continue;
    }
    int scope = sb_add_scope(reader, &(sb_scope){.path = "",
                                                 .file = reader->scopes[submodel->scope].file,
                                                 .outer = -1,
                                                 .use = -1,
                                                 .submodel = i});
    if (scope >= 0) {
      sb_read_tree(reader, submodel->node, -1, scope);
      sb_check_required(reader, before);
    }
    reader->item_count = before;
  }
}

void sb_expand(sb_reader *reader) {
  for (int i = 0; i < reader->item_count; i++) {
    const sb_item *item = &reader->items[i];
    if (item->tag != NULL && item->tag->flags & SB_TAG_DEFINITION && item->scope == 0) {
      (void)sb_define_submodel(reader, item->node, 0);
    }
  }
  sb_read_names(reader, 0);
  sb_read_overrides(reader, false);
  sb_add_parameters(reader, 0);
  for (int i = 0; i < reader->item_count && !reader->full; i++) {
    if (sb_is_use(&reader->items[i])) {
      expand_use(reader, i);
    } else if (reader->items[i].tag != NULL && reader->items[i].tag->flags & SB_TAG_REPEAT) {
      expand_repeat(reader, i);
    }
  }
  sb_read_overrides(reader, true);
  check_unused(reader);
}
