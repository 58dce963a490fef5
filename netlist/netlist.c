// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a netlist, step by step: the items, then the graph and the options, then the order of
// errors.
#include "netlist/netlist.h"

#include <stdlib.h>
#include <string.h>

#include "core/network/network.h"
#include "netlist/build/build.h"
#include "netlist/reader/parameters.h"
#include "netlist/reader/reader.h"
#include "netlist/reader/report.h"
#include "netlist/reader/settings.h"

/** A netlist with its texts and lists. */
typedef struct owned_netlist {
  sb_netlist netlist; // first, for sb_netlist_destroy()
  sb_arena memory;
} owned_netlist;

/** An entry for each item, of what is made of it; NULL: out of memory, reported. */
static sb_made *new_made(sb_reader *reader) {
  int count = reader->tree.item_count;
  sb_made *made = sb_arena_take(&reader->memory, (size_t)count * sizeof *made);
  if (made == NULL) {
    sb_report_memory(reader);
  }
  for (int i = 0; made != NULL && i < count; i++) {
    made[i] = (sb_made){.entry = -1, .part = -1};
  }
  return made;
}

/** Elements before bonds, bonds before domains, domains before values.
 *  @param before  errors of other files */
static void build_netlist(sb_reader *reader, owned_netlist *owned, int before) {
  const sb_errors *errors = reader->errors;
  sb_netlist *netlist = &owned->netlist;
  reader->warnings = &netlist->warnings;
  sb_build build = {.reader = reader, .graph = netlist->graph, .made = new_made(reader)};
  bool whole = errors->count == before;
  if (build.made == NULL) {
    return;
  }
  sb_resolve_parameters(reader);
  int structure = errors->count;
  sb_build_elements(&build);
  bool joined = sb_build_bonds(&build);
  whole = whole && errors->count == structure;
  sb_port_domains domains = sb_build_domains(&build, joined);
  build.domains = &domains;
  sb_signals signals = sb_build_signals(&build);
  build.signals = &signals;
  sb_build_values(&build);
  const sb_material_entry *materials = sb_build_materials(&build);
  sb_law_entry *laws = sb_build_laws(&build);
  sb_shapes shapes;
  if (sb_build_shapes(&build, materials, &shapes)) {
    sb_build_bodies(&build, &shapes);
    sb_build_between(&build);
    sb_build_contacts(&build, &shapes, materials, laws);
    sb_build_late_readings(&build);
  }
  sb_finish_laws(&build, laws);
  sb_build_run(&build, netlist, &owned->memory);
  sb_build_outputs(&build, netlist, &owned->memory);
  sb_build_audit(&build, &netlist->options);
  sb_build_expects(&build, netlist, &owned->memory);
  if (errors->count > before) { // it will not be compiled
    sb_graph_check(netlist->graph, whole, reader->errors);
  }
}

/** A netlist with an empty graph; NULL: out of memory. */
static owned_netlist *new_netlist(const sb_reader *reader) {
  const sb_setting *id = sb_item_text(reader, &reader->tree.items[0], "id");
  const char *name = id == NULL ? "" : id->value;
  const char *source = sb_xml_source(reader->files.root);
  owned_netlist *owned = calloc(1, sizeof *owned);
  if (owned == NULL) {
    return NULL;
  }
  sb_netlist *netlist = &owned->netlist;
  netlist->name = sb_arena_copy(&owned->memory, name, strlen(name));
  netlist->file = sb_arena_copy(&owned->memory, reader->files.name, strlen(reader->files.name));
  netlist->source = sb_arena_copy(&owned->memory, source, strlen(source));
  netlist->options = sb_options_defaults();
  netlist->line = reader->tree.items[0].node->line;
  netlist->column = reader->tree.items[0].node->column;
  if (netlist->name == NULL || netlist->file == NULL || netlist->source == NULL ||
      sb_graph_create(name, &netlist->graph, NULL) != SB_OK) {
    sb_netlist_destroy(netlist);
    return NULL;
  }
  sb_graph_place(netlist->graph, netlist->file, netlist->line, netlist->column);
  return owned;
}

/** Whether one error comes before another: those without a place, then those of the root's file,
 *  then those of the other files. */
static bool precedes(const sb_reader *reader, const sb_error *a, const sb_error *b) {
  int order = (a->line > 0) - (b->line > 0);
  order = order != 0 ? order
                     : (strcmp(a->file, reader->files.name) != 0) -
                           (strcmp(b->file, reader->files.name) != 0);
  order = order != 0 ? order : strcmp(a->file, b->file);
  order = order != 0 ? order : a->line - b->line;
  return (order != 0 ? order : a->column - b->column) < 0;
}

/** In the order of the files, as they are found in several passes. */
static void sort_errors(const sb_reader *reader, sb_errors *errors, int first) {
  for (int i = first + 1; i < errors->count; i++) {
    sb_error moved = errors->items[i];
    int j = i;
    for (; j > first && precedes(reader, &moved, &errors->items[j - 1]); j--) {
      errors->items[j] = errors->items[j - 1];
    }
    errors->items[j] = moved;
  }
}

/** Where memory failed, what else is missing may follow from that: only the first such error is kept. */
static void keep_memory(sb_errors *errors, int first) {
  for (int i = first; i < errors->count; i++) {
    if (errors->items[i].status == SB_ERR_MEMORY) {
      errors->items[first] = errors->items[i];
      errors->count = first + 1;
    }
  }
}

static sb_status read_document(sb_reader *reader, sb_netlist **netlist) {
  int before = reader->errors->count, dropped = reader->errors->dropped;
  owned_netlist *owned = NULL;
  long compared = 0;
  reader->compared = &compared;
  if (sb_reader_read(reader)) {
    owned = new_netlist(reader);
    if (owned != NULL) {
      build_netlist(reader, owned, before);
    } else {
      sb_report_memory(reader);
    }
  }
  *netlist = owned == NULL ? NULL : &owned->netlist;
  sb_status status = SB_OK;
  if (reader->errors->count > before || reader->errors->dropped > dropped) {
    sort_errors(reader, reader->errors, before);
    keep_memory(reader->errors, before);
    status = reader->errors->count > before ? reader->errors->items[before].status : SB_ERR_LIMIT;
    sb_netlist_destroy(*netlist);
    *netlist = NULL;
  }
  sb_reader_finish(reader);
  return status;
}

sb_status sb_netlist_read(const char *path, const sb_override overrides[], int override_count,
                          sb_netlist **netlist, sb_errors *errors) {
  sb_reader reader = {.errors = errors,
                      .files.from_file = true,
                      .overrides = {.list = overrides, .count = override_count}};
  *netlist = NULL;
  SB_TRY(sb_xml_read_file(path, &reader.files.root, errors));
  return read_document(&reader, netlist);
}

sb_status sb_netlist_parse(const char *name, const char *text, size_t size,
                           const sb_override overrides[], int override_count, sb_netlist **netlist,
                           sb_errors *errors) {
  sb_reader reader = {.errors = errors, .overrides = {.list = overrides, .count = override_count}};
  *netlist = NULL;
  SB_TRY(sb_xml_read_memory(name, text, size, &reader.files.root, errors));
  return read_document(&reader, netlist);
}

sb_status sb_netlist_set_atol(sb_netlist *netlist, const char *atol, sb_error *err) {
  return sb_tolerances_read(netlist, atol, NULL, NULL, &((owned_netlist *)netlist)->memory, err);
}

void sb_netlist_destroy(sb_netlist *netlist) {
  if (netlist != NULL) {
    owned_netlist *owned = (owned_netlist *)netlist;
    sb_graph_destroy(netlist->graph);
    sb_errors_finish(&netlist->warnings);
    sb_arena_finish(&owned->memory);
    free(owned);
  }
}
