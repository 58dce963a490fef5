// SPDX-License-Identifier: GPL-3.0-or-later
// The ends of bonds. An end at a port of a use is resolved to the node inside that the port
// names.
#include "netlist/build/ends_private.h"

#include <stdio.h>
#include <string.h>

#include "core/base/utf8.h"
#include "netlist/reader/hints.h"
#include "netlist/reader/index.h"
#include "netlist/reader/names.h"
#include "netlist/reader/report.h"
#include "netlist/reader/settings.h"

static bool has_ports(const sb_item *item) {
  return (item->type != NULL && item->type->ports != NULL) || sb_is_use(item);
}

static bool names_port(const sb_element_type *type, const char *name) {
  for (const sb_port_spec *port = type->ports; port != NULL && port->name != NULL; port++) {
    if (strcmp(port->name, name) == 0) {
      return true;
    }
  }
  return false;
}

static void report_port(const sb_reader *reader, const sb_setting *setting, const sb_item *item,
                        const char *name) {
  sb_error err;
  sb_suggestion suggestion = sb_suggestion_start(name);
  if (item->type->ports != NULL) {
    sb_suggestion_offer_rows(&suggestion, item->type->ports, sizeof *item->type->ports);
  }
  (void)sb_fail(&err, SB_ERR_PORT, "%s '%s' has no port '%.80s'", item->type->name, item->id, name);
  sb_hint_suggestion(&suggestion, &err);
  err.column = sb_utf8_count(setting->value, (size_t)(name - setting->value)) + 1;
  sb_report_value(reader, setting, &err);
}

/** The item of what is inside a use: its <submodel>. */
static const sb_item *inside(const sb_reader *reader, const sb_item *use) {
  for (int i = use->first_child; i >= 0; i = reader->tree.items[i].next) {
    if (reader->tree.items[i].scope == use->inner && reader->tree.items[i].tag != NULL) {
      return &reader->tree.items[i];
    }
  }
  return NULL;
}

static bool is_port(const sb_item *item) {
  return item->tag != NULL && item->tag->flags & SB_TAG_PORT;
}

/** The port of a use; `name` NULL or unknown: reported. */
static const sb_item *find_port(const sb_reader *reader, const sb_setting *setting,
                                const sb_item *use, const char *name) {
  sb_suggestion suggestion = sb_suggestion_start(name != NULL ? name : "");
  size_t path = strlen(use->id) + 1;
  const sb_item *body = inside(reader, use);
  for (int i = body == NULL ? -1 : body->first_child; i >= 0; i = reader->tree.items[i].next) {
    const sb_item *port = &reader->tree.items[i];
    if (is_port(port) && port->id != NULL) {
      if (name != NULL && strcmp(port->id + path, name) == 0) {
        return port;
      }
      (void)sb_suggestion_offer(&suggestion, port->id + path);
    }
  }
  sb_error err;
  const char *submodel = reader->submodels.list[reader->scopes.list[use->inner].submodel].id;
  if (name == NULL) {
    (void)sb_fail(&err, SB_ERR_PORT, "'%s' is a use of '%s': name one of its ports", use->id,
                  submodel);
    err.column = 0;
  } else {
    (void)sb_fail(&err, SB_ERR_PORT, "'%s' has no port '%.80s': it is a use of '%s'", use->id, name,
                  submodel);
    err.column = sb_utf8_count(setting->value, (size_t)(name - setting->value)) + 1;
  }
  sb_hint_suggestion(&suggestion, &err);
  sb_report_value(reader, setting, &err);
  return NULL;
}

/** What is wrong with an end that names no element. */
static void report_end(const sb_reader *reader, const sb_setting *setting, const sb_item *item,
                       const char *name) {
  sb_error err;
  if (item != NULL && item->contested) {
    return;
  }
  if (item == NULL) {
    (void)sb_fail(&err, SB_ERR_REFERENCE, "there is no element '%.80s'", name);
    if (sb_is_reported(reader, &err)) {
      return; // a junction that was forgotten has many bonds
    }
    sb_hint_id_in(reader, setting->scope, name, strlen(name), has_ports, &err);
  } else {
    (void)sb_fail(&err, SB_ERR_REFERENCE, "'%s' is a <%s>, which has no port", item->id,
                  item->node->name);
  }
  sb_report_value(reader, setting, &err);
}

/** Bonds know a use by its ports only. */
static bool stays_outside(const sb_reader *reader, const sb_setting *setting) {
  const char *slash = setting->value;
  for (int depth = 0; *slash != '\0' && (*slash != '/' || depth > 0); slash++) {
    depth += (*slash == '[') - (*slash == ']');
  }
  if (*slash == '\0') {
    return true;
  }
  sb_error err;
  (void)sb_fail(&err, SB_ERR_REFERENCE, "a bond can connect to '%.*s' only through its ports",
                (int)(slash - setting->value > 80 ? 80 : slash - setting->value), setting->value);
  sb_error_hint(&err, "give the sub-model a <port> with this node");
  sb_report_value(reader, setting, &err);
  return false;
}

/** Whether an item is a part of a mechanism that was left out of the graph since some part of it failed. */
static bool is_lost_part(const sb_build *build, const sb_item *item) {
  const char *name = item->node->name;
  return build->reader->errors->count > 0 && sb_made_of(build, item)->part < 0 &&
         (strcmp(name, "joint") == 0 || strcmp(name, "body") == 0);
}

bool sb_is_left_out(const sb_build *build, const sb_item *item) {
  return item->tag == NULL || is_lost_part(build, item) ||
         (item->type != NULL && sb_made_of(build, item)->element == NULL &&
          sb_made_of(build, item)->part < 0) ||
         (sb_is_use(item) && item->inner < 0);
}

/** Checks that an item that is not a use has the port that is named, if one is. */
static bool check_end(const sb_reader *reader, const sb_setting *setting, const sb_item *item,
                      const char *path, const char *dot) {
  if (item == NULL && reader->unfinished) {
    return false; // perhaps in a repeat that was left out
  }
  if (item == NULL || item->type == NULL || item->type->ports == NULL) {
    report_end(reader, setting, item, path + reader->scopes.list[setting->scope].length);
    return false;
  }
  if (dot != NULL && !names_port(item->type, dot + 1)) {
    report_port(reader, setting, item, dot + 1);
    return false;
  }
  return true;
}

const sb_item *sb_find_end(const sb_build *build, const sb_setting *setting, bool connected[],
                           char out[SB_END_MAX]) {
  sb_reader *reader = build->reader;
  while (setting != NULL) {
    const char *dot = strrchr(setting->value, '.');
    size_t length = dot == NULL ? strlen(setting->value) : (size_t)(dot - setting->value);
    char path[SB_PATH_MAX + 1];
    if (!stays_outside(reader, setting) ||
        !sb_full_name(reader, setting, setting->value, length, path)) {
      return NULL;
    }
    int index = sb_scope_find(reader, path, strlen(path));
    const sb_item *item = index < 0 ? NULL : &reader->tree.items[index];
    if (item != NULL && sb_is_left_out(build, item)) {
      return NULL;
    }
    if (item == NULL || !sb_is_use(item)) {
      bool part = item != NULL && sb_made_of(build, item)->part >= 0; // which the graph checks
      if (!part && !check_end(reader, setting, item, path, dot)) {
        return NULL;
      }
      (void)snprintf(out, SB_END_MAX, "%s%.90s", path, dot == NULL ? "" : dot);
      return item;
    }
    const sb_item *port = find_port(reader, setting, item, dot == NULL ? NULL : dot + 1);
    setting = port == NULL ? NULL : sb_item_text(reader, port, "node");
    if (port != NULL && connected != NULL) {
      connected[port - reader->tree.items] = true;
    }
  }
  return NULL;
}

void sb_check_ports(const sb_build *build, bool connected[]) {
  const sb_reader *reader = build->reader;
  char end[SB_END_MAX];
  for (int i = 0; i < reader->tree.item_count; i++) {
    if (is_port(&reader->tree.items[i])) {
      const sb_setting *node = sb_item_text(reader, &reader->tree.items[i], "node");
      (void)sb_find_end(build, node, connected, end);
    }
  }
}

static void check_port(const sb_reader *reader, const sb_item *port, bool may_be_open) {
  const sb_setting *open = sb_item_text(reader, port, "open");
  sb_error err;
  if (open != NULL && strcmp(open->value, "yes") != 0 && strcmp(open->value, "no") != 0) {
    (void)sb_fail(&err, SB_ERR_CHOICE, "open must be yes or no, not '%.80s'", open->value);
    sb_report_value(reader, open, &err);
  } else if (!may_be_open && (open == NULL || open->value[0] != 'y')) {
    const sb_item *use = &reader->tree.items[reader->scopes.list[port->scope].use];
    (void)sb_fail(&err, SB_ERR_PORT, "port '%s' is not connected", port->id);
    sb_error_hint(&err, "a port that may stay open has open=\"yes\" in its sub-model");
    sb_report_item(reader, use, &err);
  }
}

void sb_check_connected(const sb_build *build, const bool connected[], bool whole) {
  const sb_reader *reader = build->reader;
  for (int i = 0; i < reader->tree.item_count; i++) {
    const sb_item *port = &reader->tree.items[i];
    if (is_port(port) && port->id != NULL) {
      check_port(reader, port, connected[i] || !whole);
    }
  }
}
