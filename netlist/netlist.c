// SPDX-License-Identifier: GPL-3.0-or-later
// Reading a netlist, as a table of contents.
#include "netlist/netlist.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/network/network.h"
#include "netlist/build.h"
#include "netlist/expand.h"

static void reader_finish(sb_reader *reader) {
  for (int i = 0; i < reader->text_count; i++) {
    free(reader->texts[i]);
  }
  sb_names_finish(&reader->ids);
  sb_names_finish(&reader->labels);
  sb_names_finish(&reader->classes);
  sb_names_finish(&reader->parameter_names);
  sb_names_finish(&reader->submodel_names);
  for (int i = 0; i < reader->document_count; i++) {
    sb_xml_destroy(reader->documents[i]);
  }
  free(reader->documents);
  free(reader->submodels);
  free(reader->scopes);
  free(reader->applied);
  free(reader->texts);
  free(reader->laws);
  free(reader->materials);
  free(reader->skins);
  free(reader->first_port);
  free(reader->domains);
  free(reader->parameters.entries);
  free(reader->parameters.stack);
  free(reader->signals.entries);
  free(reader->signals.stack);
  free(reader->settings);
  free(reader->first_alike);
  free(reader->items);
}

static void check_version(sb_reader *reader) {
  for (int i = 0; i < reader->item_count; i++) {
    const sb_item *item = &reader->items[i];
    bool has_version = i == 0 || (item->tag != NULL && item->tag->flags & SB_TAG_DEFINITION);
    const sb_setting *version = has_version ? sb_item_own(reader, item, "version") : NULL;
    if (version == NULL || strcmp(version->value, "1") == 0) {
      continue;
    }
    sb_error err;
    (void)sb_fail(&err, SB_ERR_VERSION, "version '%.40s' of the language is not known",
                  version->value);
    sb_error_hint(&err, "this program reads version 1");
    sb_report_value(reader, version, &err);
  }
}

/** Names and what the command line sets, then what must be there. */
static void read_tree(sb_reader *reader) {
  sb_read_items(reader);
  if (reader->item_count > 0 && reader->items[0].tag != NULL) {
    sb_read_imports(reader);
    sb_expand(reader);
    sb_link_items(reader);
    sb_link_defaults(reader);
    sb_check_required(reader, 0);
    check_version(reader);
  }
}

/** Elements before bonds, bonds before domains, domains before values.
 *  @param before  errors of other files */
static void build(sb_reader *reader, int before) {
  const sb_errors *errors = reader->errors;
  bool whole = errors->count == before;
  sb_resolve_all(reader, &reader->parameters);
  int structure = errors->count;
  sb_build_elements(reader);
  sb_build_bonds(reader);
  whole = whole && errors->count == structure;
  sb_build_domains(reader);
  sb_build_signals(reader);
  sb_build_values(reader);
  sb_build_materials(reader);
  sb_build_laws(reader);
  sb_build_shapes(reader);
  sb_build_bodies(reader);
  sb_build_contacts(reader);
  sb_build_run(reader);
  sb_build_outputs(reader);
  sb_build_audit(reader);
  sb_build_expects(reader);
  if (errors->count > before) { // it will not be compiled
    sb_graph_check(reader->netlist->graph, whole, reader->errors);
  }
}

static bool begin(sb_reader *reader) {
  const sb_setting *id = sb_item_text(reader, &reader->items[0], "id");
  sb_netlist *netlist = calloc(1, sizeof *netlist);
  reader->netlist = netlist;
  if (netlist == NULL) {
    sb_report_memory(reader);
    return false;
  }
  netlist->name = sb_duplicate(id == NULL ? "" : id->value);
  netlist->file = sb_duplicate(reader->file);
  netlist->source = sb_duplicate(sb_xml_source(reader->document));
  netlist->options = sb_options_defaults();
  if (netlist->name == NULL || netlist->file == NULL || netlist->source == NULL ||
      sb_graph_create(netlist->name, &netlist->graph, NULL) != SB_OK) {
    sb_report_memory(reader);
    return false;
  }
  return true;
}

/** Whether one error comes before another: those without a place, then those of the root's file,
 *  then those of the others. */
static bool precedes(const sb_reader *reader, const sb_error *a, const sb_error *b) {
  int order = (a->line > 0) - (b->line > 0);
  order = order != 0 ? order
                     : (strcmp(a->file, reader->file) != 0) - (strcmp(b->file, reader->file) != 0);
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

static sb_status read_document(sb_reader *reader, sb_netlist **netlist) {
  int before = reader->errors->count, dropped = reader->errors->dropped;
  reader->file = sb_xml_file(reader->document);
  reader->applied = sb_zeroed(reader->override_count, sizeof *reader->applied);
  const sb_scope whole = {.path = "", .file = reader->file, .outer = -1, .use = -1, .submodel = -1};
  if (reader->applied == NULL) {
    sb_report_memory(reader);
  } else if (sb_add_scope(reader, &whole) == 0) {
    read_tree(reader);
  }
  if (reader->item_count > 0 && reader->items[0].tag != NULL && !reader->full && begin(reader)) {
    build(reader, before);
  }
  sb_status status = SB_OK;
  if (reader->errors->count > before || reader->errors->dropped > dropped) {
    sort_errors(reader, reader->errors, before);
    status = reader->errors->count > before ? reader->errors->items[before].status : SB_ERR_LIMIT;
    sb_netlist_destroy(reader->netlist);
    reader->netlist = NULL;
  }
  *netlist = reader->netlist;
  reader_finish(reader);
  sb_xml_destroy(reader->document);
  return status;
}

sb_status sb_netlist_read(const char *path, const sb_override overrides[], int override_count,
                          sb_netlist **netlist, sb_errors *errors) {
  sb_reader reader = {.errors = errors,
                      .from_file = true,
                      .overrides = overrides,
                      .override_count = override_count};
  *netlist = NULL;
  SB_TRY(sb_xml_read_file(path, &reader.document, errors));
  return read_document(&reader, netlist);
}

sb_status sb_netlist_parse(const char *name, const char *text, size_t size,
                           const sb_override overrides[], int override_count, sb_netlist **netlist,
                           sb_errors *errors) {
  sb_reader reader = {.errors = errors, .overrides = overrides, .override_count = override_count};
  *netlist = NULL;
  SB_TRY(sb_xml_read_memory(name, text, size, &reader.document, errors));
  return read_document(&reader, netlist);
}

void sb_netlist_destroy(sb_netlist *netlist) {
  if (netlist == NULL) {
    return;
  }
  for (int i = 0; i < netlist->output_count; i++) {
    free(netlist->outputs[i].of);
    free(netlist->outputs[i].label);
    free(netlist->outputs[i].unit);
  }
  for (int i = 0; i < netlist->expect_count; i++) {
    free(netlist->expects[i].of);
    free(netlist->expects[i].unit);
  }
  sb_graph_destroy(netlist->graph);
  free(netlist->outputs);
  free(netlist->expects);
  free(netlist->source);
  free(netlist->file);
  free(netlist->name);
  free(netlist);
}
