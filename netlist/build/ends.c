// SPDX-License-Identifier: GPL-3.0-or-later
// The ends of bonds. An end at a port of a use is led on to the node inside that the port names.
#include <stdio.h>
#include <string.h>

#include "core/utf8.h"
#include "netlist/build/build.h"
#include "netlist/reader/expand.h"

enum { PORTS_MAX = 64 };

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

static void report_port(sb_reader *reader, const sb_setting *setting, const sb_item *item,
                        const char *name) {
  const char *names[PORTS_MAX];
  int count = 0;
  for (const sb_port_spec *p = item->type->ports; p != NULL && p->name != NULL && count < PORTS_MAX;
       p++) {
    names[count++] = p->name;
  }
  sb_error err;
  (void)sb_fail(&err, SB_ERR_PORT, "%s '%s' has no port '%.80s'", item->type->name, item->id, name);
  sb_hint_word(name, names, count, &err);
  err.column = sb_utf8_count(setting->value, (size_t)(name - setting->value)) + 1;
  sb_report_value(reader, setting, &err);
}

/** The item of what is inside a use: its <submodel>. */
static const sb_item *inside(const sb_reader *reader, const sb_item *use) {
  for (int i = use->first_child; i >= 0; i = reader->items[i].next) {
    if (reader->items[i].scope == use->part && reader->items[i].tag != NULL) {
      return &reader->items[i];
    }
  }
  return NULL;
}

static bool is_port(const sb_item *item) {
  return item->tag != NULL && item->tag->flags & SB_TAG_PORT;
}

/** The port of a use; `name` NULL or unknown: reported. */
static sb_item *find_port(sb_reader *reader, const sb_setting *setting, const sb_item *use,
                          const char *name) {
  const char *names[PORTS_MAX];
  int count = 0;
  size_t path = strlen(use->id) + 1;
  const sb_item *body = inside(reader, use);
  for (int i = body == NULL ? -1 : body->first_child; i >= 0; i = reader->items[i].next) {
    sb_item *port = &reader->items[i];
    if (is_port(port) && port->id != NULL) {
      if (name != NULL && strcmp(port->id + path, name) == 0) {
        return port;
      }
      if (count < PORTS_MAX) {
        names[count++] = port->id + path;
      }
    }
  }
  sb_error err;
  const char *submodel = reader->submodels[reader->scopes[use->part].submodel].id;
  if (name == NULL) {
    (void)sb_fail(&err, SB_ERR_PORT, "'%s' is a use of '%s': name one of its ports", use->id,
                  submodel);
    err.column = 0;
    sb_hint_word("", names, count, &err);
  } else {
    (void)sb_fail(&err, SB_ERR_PORT, "'%s' has no port '%.80s': it is a use of '%s'", use->id, name,
                  submodel);
    err.column = sb_utf8_count(setting->value, (size_t)(name - setting->value)) + 1;
    sb_hint_word(name, names, count, &err);
  }
  sb_report_value(reader, setting, &err);
  return NULL;
}

/** What is wrong with an end that names no element. */
static void report_end(sb_reader *reader, const sb_setting *setting, const sb_item *item,
                       const char *name) {
  sb_error err;
  if (item == NULL) {
    (void)sb_fail(&err, SB_ERR_REFERENCE, "there is no element '%.80s'", name);
    sb_hint_id_in(reader, setting->scope, name, strlen(name), has_ports, &err);
  } else {
    (void)sb_fail(&err, SB_ERR_REFERENCE, "'%s' is a <%s>, which has no port", item->id,
                  item->node->name);
  }
  sb_report_value(reader, setting, &err);
}

/** Bonds know a use by its ports only. */
static bool stays_outside(sb_reader *reader, const sb_setting *setting) {
  const char *slash = setting->value;
  for (int depth = 0; *slash != '\0' && (*slash != '/' || depth > 0); slash++) {
    depth += (*slash == '[') - (*slash == ']');
  }
  if (*slash == '\0') {
    return true;
  }
  sb_error err;
  (void)sb_fail(&err, SB_ERR_REFERENCE, "a bond reaches into '%.*s' by its ports only",
                (int)(slash - setting->value > 80 ? 80 : slash - setting->value), setting->value);
  sb_error_hint(&err, "give the sub-model a <port> with this node");
  sb_report_value(reader, setting, &err);
  return false;
}

const sb_item *sb_find_end(sb_reader *reader, const sb_setting *setting, char out[SB_END_MAX]) {
  while (setting != NULL) {
    const char *dot = strrchr(setting->value, '.');
    size_t length = dot == NULL ? strlen(setting->value) : (size_t)(dot - setting->value);
    char path[SB_PATH_MAX + 1];
    if (!stays_outside(reader, setting) ||
        !sb_full_name(reader, setting, setting->value, length, path)) {
      return NULL;
    }
    int index = sb_scope_find(reader, path, strlen(path));
    const sb_item *item = index < 0 ? NULL : &reader->items[index];
    if (item != NULL && (item->tag == NULL || (item->type != NULL && item->element == NULL) ||
                         (sb_is_use(item) && item->part < 0))) {
      return NULL; // reported
    }
    if (item != NULL && sb_is_use(item)) {
      sb_item *port = find_port(reader, setting, item, dot == NULL ? NULL : dot + 1);
      setting = port == NULL ? NULL : sb_item_text(reader, port, "node");
      if (port != NULL) {
        port->part = 1; // connected
      }
      continue;
    }
    if (item == NULL && reader->unfinished) {
      return NULL; // perhaps in a repeat that was left out
    }
    if (item == NULL || item->type == NULL || item->type->ports == NULL) {
      report_end(reader, setting, item, path + reader->scopes[setting->scope].length);
      return NULL;
    }
    if (dot != NULL && !names_port(item->type, dot + 1)) {
      report_port(reader, setting, item, dot + 1);
      return NULL;
    }
    (void)snprintf(out, SB_END_MAX, "%s%.90s", path, dot == NULL ? "" : dot);
    return item;
  }
  return NULL;
}

void sb_check_ports(sb_reader *reader) {
  char end[SB_END_MAX];
  for (int i = 0; i < reader->item_count; i++) {
    if (is_port(&reader->items[i])) {
      (void)sb_find_end(reader, sb_item_text(reader, &reader->items[i], "node"), end);
    }
  }
}

void sb_check_connected(sb_reader *reader) {
  for (int i = 0; i < reader->item_count; i++) {
    const sb_item *port = &reader->items[i];
    const sb_setting *open = is_port(port) ? sb_item_text(reader, port, "open") : NULL;
    sb_error err;
    if (!is_port(port) || port->id == NULL) {
      continue;
    }
    if (open != NULL && strcmp(open->value, "yes") != 0 && strcmp(open->value, "no") != 0) {
      (void)sb_fail(&err, SB_ERR_CHOICE, "open must be yes or no, not '%.80s'", open->value);
      sb_report_value(reader, open, &err);
      continue;
    }
    if (port->part >= 0 || reader->bond_failed || (open != NULL && open->value[0] == 'y')) {
      continue;
    }
    const sb_item *use = &reader->items[reader->scopes[port->scope].use];
    (void)sb_fail(&err, SB_ERR_PORT, "port '%s' is not connected", port->id);
    sb_error_hint(&err, "a port that may stay open has open=\"yes\" in its sub-model");
    sb_report_item(reader, use, &err);
  }
}
