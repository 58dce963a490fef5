// SPDX-License-Identifier: GPL-3.0-or-later
// The sub-models of a netlist and its imports.
#include "netlist/reader/submodels_private.h"

#include <stdio.h>
#include <string.h>

#include "netlist/reader/hints.h"
#include "netlist/reader/names.h"
#include "netlist/reader/report.h"

enum { DEPTH_MAX = 32 }; // uses inside each other

static void report_at(const sb_reader *reader, int scope, const sb_xml_attribute *attribute,
                      sb_error *err) {
  const sb_setting setting = {
      .value = attribute->value, .attribute = (sb_xml_attribute *)attribute, .scope = scope};
  sb_report_value(reader, &setting, err);
}

/** Whether there is no sub-model of this name yet. */
static bool check_new(const sb_reader *reader, const sb_xml_attribute *id, int scope) {
  int first = sb_names_find(&reader->submodels.ids, id->value, strlen(id->value));
  if (first >= 0) {
    sb_error err;
    const sb_submodel *other = &reader->submodels.list[first];
    const char *file = reader->scopes.list[other->scope].file, *slash = strrchr(file, '/');
    file = slash == NULL ? file : slash + 1;
    (void)sb_fail(&err, SB_ERR_DUPLICATE, "there is already a sub-model '%s', in line %d of %.160s",
                  id->value, other->node->line, file);
    report_at(reader, scope, id, &err);
    return false;
  }
  return true;
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
  if (!check_new(reader, id, scope)) {
    return false;
  }
  sb_submodels *all = &reader->submodels;
  if (!sb_arena_grow(&reader->memory, &all->list, &all->capacity, all->count + 1,
                     sizeof(sb_submodel)) ||
      !sb_names_add(&all->ids, id->value, all->count)) {
    sb_report_memory(reader);
    return false;
  }
  all->list[all->count++] = (sb_submodel){.id = id->value, .node = node, .scope = scope};
  return true;
}

/** Reports the chain of uses that leads from a sub-model to itself. */
static sb_status recursion(const sb_reader *reader, int submodel, int scope, sb_error *err) {
  int chain[DEPTH_MAX + 1], count = 0;
  char text[SB_ERROR_TEXT / 2] = "";
  size_t used = 0;
  for (int i = scope; i >= 0 && count <= DEPTH_MAX; i = reader->scopes.list[i].outer) {
    if (reader->scopes.list[i].index == NULL && reader->scopes.list[i].submodel >= 0) {
      chain[count++] = reader->scopes.list[i].submodel;
      if (chain[count - 1] == submodel) {
        break;
      }
    }
  }
  for (int i = count - 1; i >= 0 && used < sizeof text; i--) {
    used += (size_t)snprintf(text + used, sizeof text - used, "%s -> ",
                             reader->submodels.list[chain[i]].id);
  }
  return sb_fail(err, SB_ERR_REFERENCE, "a sub-model cannot contain itself: %s%s", text,
                 reader->submodels.list[submodel].id);
}

static bool is_inside(const sb_reader *reader, int scope, int submodel) {
  while (scope >= 0 && reader->scopes.list[scope].submodel != submodel) {
    scope = reader->scopes.list[scope].outer;
  }
  return scope >= 0;
}

static sb_status unknown(const sb_reader *reader, const char *name, sb_error *err) {
  sb_suggestion suggestion = sb_suggestion_start(name);
  for (int i = 0; i < reader->submodels.count; i++) {
    (void)sb_suggestion_offer(&suggestion, reader->submodels.list[i].id);
  }
  (void)sb_fail(err, SB_ERR_REFERENCE, "there is no sub-model '%.80s'", name);
  if (reader->submodels.count > 0) {
    sb_hint_suggestion(&suggestion, err);
  } else {
    sb_error_hint(err, "import its file, or write a <submodel>");
  }
  return err->status;
}

sb_status sb_find_submodel(const sb_reader *reader, const sb_item *use, const char *name,
                           int *submodel, sb_error *err) {
  *submodel = sb_names_find(&reader->submodels.ids, name, strlen(name));
  if (*submodel < 0) {
    return unknown(reader, name, err);
  }
  reader->submodels.list[*submodel].used = true;
  if (is_inside(reader, use->scope, *submodel)) {
    return recursion(reader, *submodel, use->scope, err);
  }
  if (reader->scopes.list[use->scope].depth == DEPTH_MAX) {
    return sb_fail(err, SB_ERR_TOO_LARGE, "uses nested more than %d deep", DEPTH_MAX);
  }
  if (strlen(use->id) + 1 >= SB_PATH_MAX) {
    return sb_fail(err, SB_ERR_TOO_LARGE, "a path has at most %d characters", SB_PATH_MAX);
  }
  return SB_OK;
}
