// SPDX-License-Identifier: GPL-3.0-or-later
// The limits of the energy-balance error, and the groups of elements of the ledger.
#include <string.h>

#include "netlist/build/build.h"
#include "netlist/build/quantities_private.h"
#include "netlist/build/values_private.h"
#include "netlist/build/words_private.h"
#include "netlist/language/values.h"
#include "netlist/reader/hints.h"
#include "netlist/reader/index.h"
#include "netlist/reader/names.h"
#include "netlist/reader/report.h"
#include "netlist/reader/settings.h"
#include "netlist/reader/texts.h"
#include "netlist/reader/tree.h"

static bool is_element(const sb_item *item) {
  return item->type != NULL || strcmp(item->node->name, "contact") == 0;
}

/** Reports a name that is not that of an element. */
static void report_member(const sb_reader *reader, const sb_setting *setting, const sb_word *word,
                          const char *name) {
  sb_error err;
  (void)sb_fail(&err, SB_ERR_REFERENCE, "there is no element '%.80s'", name);
  if (sb_is_reported(reader, &err)) {
    return;
  }
  if (strpbrk(name, ",;") != NULL && strchr(name, '(') == NULL) {
    sb_error_hint(&err, "names are separated by blanks");
  } else {
    sb_hint_id(reader, name, strlen(name), is_element, &err);
  }
  err.column = word->column;
  sb_report_value(reader, setting, &err);
}

/** Whether a member is in the graph; one that is not is reported, unless it has been. */
static bool check_member(const sb_build *build, const sb_setting *setting, const sb_word *word,
                         const char *name) {
  const sb_reader *reader = build->reader;
  int index = sb_scope_find(reader, name, strlen(name));
  if (sb_graph_find(build->graph, name) != NULL) {
    if (sb_find_signal(reader, 0, name, strlen(name)) < 0) {
      return true;
    }
    sb_error err;
    (void)sb_fail(&err, SB_ERR_REFERENCE, "'%.80s' is a <signal>, which has no energy", name);
    err.column = word->column;
    sb_report_value(reader, setting, &err);
    return false;
  }
  if (index >= 0 && sb_is_use(&reader->tree.items[index]) && reader->tree.items[index].inner >= 0) {
    return true; // all that is in it
  }
  bool failed = reader->errors->count > 0 && (index >= 0 || strchr(name, '(') != NULL ||
                                              reader->unfinished || sb_leads_nowhere(reader, name));
  if (!failed) {
    report_member(reader, setting, word, name);
  }
  return false;
}

/** The members as texts kept by the reader; -1: at least one is not an element. */
static int read_members(const sb_build *build, const sb_setting *setting, const char ***members) {
  sb_reader *reader = build->reader;
  int count = 0, capacity = 0;
  bool good = true;
  sb_word word = {0};
  while (sb_next_word(setting->value, &word)) {
    char plain[SB_PATH_MAX + 1];
    if (!sb_plain_name(reader, setting, word.start, word.length, plain)) {
      good = false;
      continue;
    }
    const char *name = sb_reader_keep(reader, plain, strlen(plain));
    if (name == NULL ||
        !sb_arena_grow(&reader->memory, members, &capacity, count + 1, sizeof(char *))) {
      sb_report_memory(reader);
      return -1;
    }
    (*members)[count++] = name;
    good = check_member(build, setting, &word, name) && good;
  }
  return good ? count : -1;
}

static void build_group(const sb_build *build, const sb_item *group) {
  const sb_setting *setting = sb_item_text(build->reader, group, "members");
  const char **members = NULL;
  sb_error err = {0};
  if (setting == NULL || group->id == NULL) {
    return;
  }
  int count = read_members(build, setting, &members);
  if (count == 0) {
    (void)sb_fail(&err, SB_ERR_MISSING, "the group '%s' has no members", group->id);
  } else if (count > 0) {
    (void)sb_graph_group(build->graph, group->id, members, count, &err);
  }
  if (err.status != SB_OK) {
    sb_report_value(build->reader, setting, &err);
  }
}

/** A limit beyond this lets errors pass that are seen in the results. */
static const double loose_limit = 1e-3;

static void check_limit(const sb_build *build, const sb_item *audit, const char *name,
                        double limit) {
  const sb_setting *setting = sb_item_text(build->reader, audit, name);
  if (setting != NULL && limit > loose_limit) {
    sb_error err;
    sb_warn(&err, SB_ERR_RANGE, "a limit of %s hides errors of up to %s %%",
            sb_number_word(limit).text, sb_number_word(100 * limit).text);
    sb_error_hint(&err, "runs that are sound stay far below %s", sb_number_word(loose_limit).text);
    sb_report_value(build->reader, setting, &err);
  }
}

void sb_build_audit(const sb_build *build, sb_options *options) {
  const sb_item *audit = sb_next_item(build->reader, NULL, "audit");
  if (audit == NULL) {
    return;
  }
  sb_audit_values values = {.residual = options->residual_limit,
                            .structure = options->structure_limit};
  (void)sb_read_values(build, audit, sb_audit_table, NULL, &values);
  options->residual_limit = values.residual;
  options->structure_limit = values.structure;
  check_limit(build, audit, "residual", values.residual);
  check_limit(build, audit, "structure", values.structure);
  const sb_item *group = NULL;
  while ((group = sb_next_item(build->reader, group, "group")) != NULL) {
    build_group(build, group);
  }
}
