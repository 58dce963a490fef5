// SPDX-License-Identifier: GPL-3.0-or-later
// How to integrate, and the audit.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/array_private.h"
#include "netlist/build/build.h"
#include "netlist/language/values.h"
#include "netlist/reader/expand.h"

static const sb_method *find_method(sb_reader *reader, const sb_setting *setting) {
  const char *names[64];
  int count = 0;
  const sb_method *method = sb_method_find(setting->value);
  if (method != NULL) {
    return method;
  }
  for (method = sb_methods; method->name != NULL && count < 64; method++) {
    names[count++] = method->name;
  }
  sb_error err;
  (void)sb_fail(&err, SB_ERR_CHOICE, "there is no method '%.80s'", setting->value);
  sb_hint_word(setting->value, names, count, &err);
  sb_report_value(reader, setting, &err);
  return NULL;
}

static void check_end(sb_reader *reader, const sb_item *run, const sb_run_values *values) {
  sb_error err;
  if (values->t_end <= values->options.t_start) { // not a number: it was not understood
    const sb_setting *end = sb_item_text(reader, run, "t-end");
    (void)sb_fail(&err, SB_ERR_RANGE, "the run ends at %s s, not after its beginning at %s s",
                  sb_number_word(values->t_end).text, sb_number_word(values->options.t_start).text);
    sb_report_value(reader, end, &err);
  }
}

static void check_step(sb_reader *reader, const sb_item *run, const sb_options *options) {
  sb_error err;
  bool given = options->step > 0 || sb_item_text(reader, run, "step") != NULL;
  if (options->method != NULL && !options->method->adaptive && !given) {
    (void)sb_fail(&err, SB_ERR_MISSING, "the method '%s' needs the attribute 'step'",
                  options->method->name);
    sb_error_hint(&err, "it has no estimate of its error: give a fixed step");
    sb_report_item(reader, run, &err);
  }
}

void sb_build_run(sb_reader *reader) {
  sb_netlist *netlist = reader->netlist;
  const sb_item *run = sb_next_item(reader, NULL, "run");
  if (run == NULL) {
    return;
  }
  sb_run_values values = {.options = netlist->options, .t_end = NAN};
  const sb_setting *method = sb_item_text(reader, run, "method");
  const sb_method *found = method == NULL ? NULL : find_method(reader, method);
  if (found != NULL) {
    values.options.method = found;
  }
  (void)sb_read_values(reader, run, sb_run_table, NULL, &values);
  if (method == NULL || found != NULL) {
    check_step(reader, run, &values.options);
  }
  check_end(reader, run, &values);
  netlist->options = values.options;
  netlist->t_end = values.t_end;
  netlist->sample = values.sample;
}

static bool is_element(const sb_item *item) {
  return item->type != NULL || strcmp(item->node->name, "contact") == 0;
}

bool sb_leads_nowhere(const sb_reader *reader, const char *name) {
  for (const char *slash = strchr(name, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
    int index = sb_scope_find(reader, name, (size_t)(slash - name));
    if (index >= 0 && sb_is_use(&reader->items[index]) && reader->items[index].part < 0) {
      return true;
    }
  }
  return false;
}

/** Whether a member is in the graph; one that is not is reported, unless it has been. */
static bool check_member(sb_reader *reader, const sb_setting *setting, const sb_word *word,
                         const char *name) {
  int index = sb_scope_find(reader, name, strlen(name));
  sb_error err;
  if (sb_graph_find(reader->netlist->graph, name) != NULL) {
    if (sb_find_signal(reader, 0, name, strlen(name)) < 0) {
      return true;
    }
    (void)sb_fail(&err, SB_ERR_REFERENCE, "'%.80s' is a <signal>, which has no energy", name);
    err.column = word->column;
    sb_report_value(reader, setting, &err);
    return false;
  }
  if (index >= 0 && sb_is_use(&reader->items[index]) && reader->items[index].part >= 0) {
    return true; // all that is in it
  }
  if (reader->errors->count > 0 &&
      (index >= 0 || strchr(name, '(') != NULL || sb_leads_nowhere(reader, name))) {
    return false; // it failed
  }
  (void)sb_fail(&err, SB_ERR_REFERENCE, "there is no element '%.80s'", name);
  if (strpbrk(name, ",;") != NULL && strchr(name, '(') == NULL) {
    sb_error_hint(&err, "names are separated by blanks");
  } else {
    sb_hint_id(reader, name, word->length, is_element, &err);
  }
  err.column = word->column;
  sb_report_value(reader, setting, &err);
  return false;
}

/** The members as texts kept by the reader; -1: at least one is not an element. */
static int read_members(sb_reader *reader, const sb_setting *setting, const char ***members) {
  int count = 0, capacity = 0;
  bool good = true;
  sb_word word = {0};
  while (sb_next_word(setting->value, &word)) {
    char plain[SB_PATH_MAX + 1];
    if (!sb_plain_name(reader, setting, word.start, word.length, plain)) {
      good = false;
      continue;
    }
    char *name = sb_reader_keep(reader, sb_duplicate(plain));
    if (name == NULL || !sb_grow(members, &capacity, count + 1, sizeof(char *))) {
      sb_report_memory(reader);
      return -1;
    }
    (*members)[count++] = name;
    good = check_member(reader, setting, &word, name) && good;
  }
  return good ? count : -1;
}

static void build_group(sb_reader *reader, const sb_item *group) {
  const sb_setting *setting = sb_item_text(reader, group, "members");
  const char **members = NULL;
  sb_error err = {0};
  if (setting == NULL || group->id == NULL) {
    return;
  }
  int count = read_members(reader, setting, &members);
  if (count == 0) {
    (void)sb_fail(&err, SB_ERR_MISSING, "the group '%s' has no members", group->id);
  } else if (count > 0) {
    (void)sb_graph_group(reader->netlist->graph, group->id, members, count, &err);
  }
  if (err.status != SB_OK) {
    sb_report_value(reader, setting, &err);
  }
  free(members);
}

void sb_build_audit(sb_reader *reader) {
  const sb_item *audit = sb_next_item(reader, NULL, "audit");
  if (audit == NULL) {
    return;
  }
  sb_audit_values values = {.residual = reader->netlist->options.residual_limit};
  (void)sb_read_values(reader, audit, sb_audit_table, NULL, &values);
  reader->netlist->options.residual_limit = values.residual;
  sb_item *group = NULL;
  while ((group = sb_next_item(reader, group, "group")) != NULL) {
    build_group(reader, group);
  }
}
