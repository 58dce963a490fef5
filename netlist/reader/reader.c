// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a netlist, step by step, and frees what was read.

#include "netlist/reader/reader.h"

#include <stdlib.h>
#include <string.h>

#include "netlist/reader/defaults_private.h"
#include "netlist/reader/expand_private.h"
#include "netlist/reader/import_private.h"
#include "netlist/reader/items_private.h"
#include "netlist/reader/names.h"
#include "netlist/reader/overrides_private.h"
#include "netlist/reader/report.h"
#include "netlist/reader/settings.h"
#include "netlist/reader/tree.h"

static void check_version(sb_reader *reader) {
  for (int i = 0; i < reader->tree.item_count; i++) {
    const sb_item *item = &reader->tree.items[i];
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

/** Whether the root is that of a netlist; else that is reported. */
static bool read_root(sb_reader *reader) {
  const sb_scope whole = {
      .path = "", .file = reader->files.name, .outer = -1, .use = -1, .submodel = -1};
  reader->overrides.applied =
      sb_arena_zeroed(&reader->memory, reader->overrides.count, sizeof *reader->overrides.applied);
  if (reader->overrides.applied == NULL) {
    sb_report_memory(reader);
    return false;
  }
  if (sb_add_scope(reader, &whole) != 0) {
    return false;
  }
  sb_read_tree(reader, sb_xml_root(reader->files.root), -1, 0);
  return reader->tree.item_count > 0 && reader->tree.items[0].tag != NULL;
}

bool sb_reader_read(sb_reader *reader) {
  reader->files.name = sb_xml_file(reader->files.root);
  if (!read_root(reader)) {
    return false;
  }
  sb_read_imports(reader);
  sb_expand(reader);
  sb_link_items(reader);
  sb_link_defaults(reader);
  sb_check_required(reader, 0);
  check_version(reader);
  return !reader->full;
}

void sb_reader_finish(sb_reader *reader) {
  for (int i = 0; i < reader->files.imported_count; i++) {
    sb_xml_destroy(reader->files.imported[i]);
  }
  sb_xml_destroy(reader->files.root);
  sb_names_finish(&reader->names.ids);
  sb_names_finish(&reader->names.labels);
  sb_names_finish(&reader->names.classes);
  sb_names_finish(&reader->submodels.ids);
  sb_names_finish(&reader->parameters.ids);
  free(reader->scopes.list);
  free(reader->tree.settings);
  free(reader->tree.items);
  sb_arena_finish(&reader->memory);
}
