// SPDX-License-Identifier: GPL-3.0-or-later
// Uses and repeats. A use reads the XML of its sub-model once more into a scope of its own, whose
// ids begin with the path of the use; a repeat reads its own once per iteration, with an index.
// Each is expanded when the names around it are known, the outer ones first.
//
// A repeat is a loop and not a scope: what it makes carries the index in its id, s[k], and is named
// so from everywhere, s[1], s[N], also from another repeat: neighbours are s[k] and s[k+1]. Nothing
// is left out silently at the ends: N sections have N-1 bonds between them, in a repeat of N-1
// iterations. Nested repeats make grids, s[i][j].
#include "netlist/reader/expand_private.h"

#include <stdio.h>
#include <string.h>

#include "netlist/reader/foresight_private.h"
#include "netlist/reader/ids_private.h"
#include "netlist/reader/index.h"
#include "netlist/reader/items_private.h"
#include "netlist/reader/names.h"
#include "netlist/reader/numbers.h"
#include "netlist/reader/overrides_private.h"
#include "netlist/reader/parameters.h"
#include "netlist/reader/report.h"
#include "netlist/reader/sets_private.h"
#include "netlist/reader/settings.h"
#include "netlist/reader/submodels_private.h"
#include "netlist/reader/texts.h"

/** Limits of what a netlist expands to. Beyond them: SB_ERR_TOO_LARGE. */
enum {
  ROUNDS_MAX = 1000000, // of one repeat
  ITEMS_MAX = 2000000   // XML elements, each as often as it is used
};

/** A new scope for what is inside a use. */
static int open_scope(sb_reader *reader, int use, int submodel) {
  const sb_item *item = &reader->tree.items[use];
  char text[SB_PATH_MAX + 1];
  size_t length = (size_t)snprintf(text, sizeof text, "%s/", item->id);
  const char *path = sb_reader_keep(reader, text, length);
  if (path == NULL) {
    return -1;
  }
  return sb_add_scope(
      reader, &(sb_scope){.path = path,
                          .length = length,
                          .file = reader->scopes.list[reader->submodels.list[submodel].scope].file,
                          .outer = item->scope,
                          .use = use,
                          .submodel = submodel,
                          .depth = reader->scopes.list[item->scope].depth + 1});
}

/** Reports that more is wanted than fits, if so. @param wanted  items and scopes beside those that are */
static bool has_room(sb_reader *reader, int item, double wanted) {
  if (reader->tree.item_count + wanted < ITEMS_MAX && reader->scopes.count + wanted < ITEMS_MAX) {
    return true;
  }
  sb_error err;
  (void)sb_fail(&err, SB_ERR_TOO_LARGE, "the netlist expands to more than %d XML elements",
                ITEMS_MAX);
  sb_report_item(reader, &reader->tree.items[item], &err);
  reader->full = true;
  return false;
}

static void expand_use(sb_reader *reader, int use) {
  const sb_item *item = &reader->tree.items[use];
  const sb_setting *name = sb_item_text(reader, item, "submodel");
  int submodel, first = reader->tree.item_count;
  sb_error err = {0};
  if (name == NULL || item->id == NULL || !has_room(reader, use, 0)) {
    return; // an error that has been reported
  }
  if (sb_find_submodel(reader, item, name->value, &submodel, &err) != SB_OK) {
    if (submodel >= 0 || !reader->unfinished) { // else perhaps of an import that failed
      sb_report_value(reader, name, &err);
    }
    return;
  }
  int inner = open_scope(reader, use, submodel);
  if (inner < 0) {
    return;
  }
  sb_read_tree(reader, reader->submodels.list[submodel].node, use, inner);
  sb_read_names(reader, first);
  sb_apply_sets(reader, use, inner);
  reader->tree.items[use].inner = inner;
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
  sb_lookup lookup;
  sb_value_scope scope = sb_lookup_begin(&lookup, reader, setting);
  if (scope.lookup(scope.context, setting->value, length, &value, &dimension)) {
    (void)sb_fail(&err, SB_ERR_DUPLICATE, "'%.80s' is a parameter or an index already",
                  setting->value);
    sb_report_value(reader, setting, &err);
    return false;
  }
  return true;
}

/** The iterations of a repeat. */
static bool read_rounds(sb_reader *reader, const sb_item *item, long *first, long *count) {
  const sb_setting *counted = sb_item_text(reader, item, "count");
  const sb_setting *from = sb_item_text(reader, item, "first");
  const sb_setting *index = sb_item_text(reader, item, "index");
  bool good = counted != NULL && index != NULL && check_index_name(reader, index);
  *first = 1;
  good = counted != NULL && sb_read_whole(reader, counted, count) && good;
  good = (from == NULL || sb_read_whole(reader, from, first)) && good;
  sb_error err;
  if (good && (*count < 0 || *count > ROUNDS_MAX)) {
    (void)sb_fail(&err, *count < 0 ? SB_ERR_RANGE : SB_ERR_TOO_LARGE,
                  "a repeat has 0 to %d iterations, not %ld", ROUNDS_MAX, *count);
    sb_report_value(reader, counted, &err);
    return false;
  }
  return good;
}

static void expand_repeat(sb_reader *reader, int repeat) {
  long first, count;
  if (!read_rounds(reader, &reader->tree.items[repeat], &first, &count)) {
    reader->unfinished = true;
    return;
  }
  const sb_xml_node *node = reader->tree.items[repeat].node;
  sb_scope round = reader->scopes.list[reader->tree.items[repeat].scope];
  round.outer = reader->tree.items[repeat].scope;
  round.index = sb_item_text(reader, &reader->tree.items[repeat], "index")->value;
  for (round.round = first; round.round < first + count; round.round++) {
    int scope = has_room(reader, repeat, 0) ? sb_add_scope(reader, &round) : -1;
    if (scope < 0) {
      return;
    }
    int from = reader->tree.item_count;
    for (const sb_xml_node *child = node->first_child; child != NULL; child = child->next) {
      sb_read_tree(reader, child, repeat, scope);
    }
    sb_read_names(reader, from);
  }
  sb_read_overrides(reader, false);
}

static bool is_repeat(const sb_item *item) {
  return item->tag != NULL && item->tag->flags & SB_TAG_REPEAT;
}

/** Whether what the uses and repeats among items make fits, before any is expanded: a refusal takes no memory. */
static bool foresee(sb_reader *reader, int first, int end) {
  double wanted = 0;
  for (int i = first; i < end; i++) {
    const sb_item *item = &reader->tree.items[i];
    long begin, count;
    if (is_repeat(item) && read_rounds(reader, item, &begin, &count)) {
      wanted += (double)count * sb_count_inside(reader, item->node);
    } else if (sb_is_use(item)) {
      wanted += sb_count_use(reader, item->node);
    }
    if (wanted > 0 && !has_room(reader, i, wanted)) {
      return false;
    }
  }
  return true;
}

/** Sub-models without a use are read for their errors only. */
static void check_unused(sb_reader *reader) {
  for (int i = 0; i < reader->submodels.count; i++) {
    const sb_submodel *submodel = &reader->submodels.list[i];
    int before = reader->tree.item_count;
    if (submodel->used) {
      continue;
    }
    int scope = sb_add_scope(reader, &(sb_scope){.path = "",
                                                 .file = reader->scopes.list[submodel->scope].file,
                                                 .outer = -1,
                                                 .use = -1,
                                                 .submodel = i});
    if (scope >= 0) {
      sb_read_tree(reader, submodel->node, -1, scope);
      sb_check_required(reader, before);
    }
    reader->tree.item_count = before;
  }
}

void sb_expand(sb_reader *reader) {
  for (int i = 0; i < reader->tree.item_count; i++) {
    const sb_item *item = &reader->tree.items[i];
    if (item->tag != NULL && item->tag->flags & SB_TAG_DEFINITION && item->scope == 0) {
      (void)sb_define_submodel(reader, item->node, 0);
    }
  }
  sb_read_names(reader, 0);
  sb_read_overrides(reader, false);
  sb_add_parameters(reader, 0);
  int foreseen = 0; // items whose uses and repeats are known to fit
  for (int i = 0; i < reader->tree.item_count && !reader->full; i++) {
    if (i == foreseen) {
      foreseen = reader->tree.item_count;
      if (!foresee(reader, i, foreseen)) {
        break;
      }
    }
    if (sb_is_use(&reader->tree.items[i])) {
      expand_use(reader, i);
    } else if (is_repeat(&reader->tree.items[i])) {
      expand_repeat(reader, i);
    }
  }
  sb_read_overrides(reader, true);
  check_unused(reader);
}
