// SPDX-License-Identifier: GPL-3.0-or-later
// The names in a value, and what an unknown one may have meant.
#include "netlist/reader/numbers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/utf8.h"
#include "netlist/reader/hints.h"
#include "netlist/reader/names.h"
#include "netlist/reader/report.h"
#include "netlist/reader/settings.h"

/** The index of a repeat around the value; beyond the sub-model there are none. */
static bool find_index(const sb_lookup *in, const char *name, size_t length, double *value) {
  const sb_scope *list = in->reader->scopes.list, *scope = &list[in->setting->scope];
  for (; scope->index != NULL; scope = &list[scope->outer]) {
    if (strlen(scope->index) == length && memcmp(scope->index, name, length) == 0) {
      if (value != NULL) {
        *value = (double)scope->round;
      }
      return true;
    }
  }
  return false;
}

/** A value of 1 that fits every unit, in place of one that is not known. */
static bool look_up(void *context, const char *name, size_t length, double *value,
                    sb_dimension *dimension) {
  sb_lookup *in = context;
  const sb_reader *reader = in->reader;
  if (find_index(in, name, length, value)) {
    if (dimension != NULL) {
      *dimension = (sb_dimension){0};
    }
    return true;
  }
  int index = sb_find_parameter(reader, in->setting->scope, name, length);
  if (index < 0) {
    int item = sb_scope_find_in(reader, in->setting->scope, name, length);
    if (item < 0 || reader->tree.items[item].tag != NULL) {
      return false;
    }
  }
  const sb_definition *parameter =
      index < 0 ? NULL : &reader->parameters.definitions.entries[index];
  if (value == NULL) { // nothing depends on it
    if (dimension != NULL && parameter != NULL && parameter->state == SB_DEFINITION_KNOWN) {
      *dimension = parameter->dimension;
    }
    return dimension == NULL || parameter == NULL || parameter->state != SB_DEFINITION_OPEN;
  }
  *value = 1;
  *dimension = (sb_dimension){.any = true};
  if (parameter == NULL || parameter->state == SB_DEFINITION_FAILED) {
    in->failed = true; // NULL: an element that was left out and reported
  } else if (parameter->state == SB_DEFINITION_KNOWN) {
    *value = parameter->value;
    *dimension = parameter->dimension;
  } else if (in->wanted < 0) {
    in->wanted = index;
  }
  return true;
}

sb_value_scope sb_lookup_begin(sb_lookup *lookup, sb_reader *reader, const sb_setting *setting) {
  *lookup = (sb_lookup){.reader = reader, .setting = setting, .wanted = -1};
  return (sb_value_scope){.lookup = look_up, .context = lookup};
}

static bool is_value(const sb_item *item) {
  return strcmp(item->node->name, "param") == 0 ||
         (item->tag != NULL && item->tag->flags & SB_TAG_SIGNAL);
}

/** Whether results and signals can read something of it: elements, joints, frames, contacts. */
static bool has_quantities(const sb_item *item) {
  return item->type != NULL ||
         (item->tag != NULL && !sb_is_use(item) &&
          (sb_schema_allows(item->tag, "mechanism") || sb_schema_allows(item->tag, "body")));
}

/** Hints at a signal for the item `name`, with the quantity that is written behind it, if there is one. */
static void hint_signal(const sb_item *item, const char *name, int shown, sb_error *err) {
  const bool element = item->type != NULL;
  const char *quantity = name[shown] == '.' ? name + shown : element ? ".f" : ".QUANTITY";
  sb_error_hint(err,
                "'%.*s' is %s%s%s: a <signal> gives a name to one of its quantities, as in "
                "<signal id=\"x\" of=\"%.*s%.*s\"/>",
                shown, name, element ? "an element" : "a <", element ? "" : item->node->name,
                element ? "" : ">", shown, name, (int)strcspn(quantity, " \t\r\n+-*/^()[]<>=!,"),
                quantity);
}

/** Whether a name is that of a parameter around the sub-model that a value is in. */
static bool is_around(const sb_reader *reader, int scope, const char *name, size_t length) {
  bool found = false;
  for (int i = reader->scopes.list[scope].outer; !found && i >= 0;
       i = reader->scopes.list[i].outer) {
    found = sb_find_parameter(reader, i, name, length) >= 0;
  }
  return found;
}

void sb_hint_name(const sb_reader *reader, int scope, const char *name, size_t length, bool signals,
                  sb_error *err) {
  int item = sb_scope_find_in(reader, scope, name, length), shown = (int)length;
  if (sb_find_signal(reader, scope, name, length) >= 0) {
    sb_error_hint(err, "'%.*s' is a signal, and this value takes none", shown, name);
    return;
  }
  if (signals && item >= 0 && has_quantities(&reader->tree.items[item])) {
    hint_signal(&reader->tree.items[item], name, shown, err);
    return;
  }
  if (signals && length == 1 && name[0] == 't') {
    sb_error_hint(err, "the time is available as a signal: <signal id=\"time\" value=\"t\"/>");
    return;
  }
  if (is_around(reader, scope, name, length)) {
    sb_error_hint(err,
                  "'%.*s' is a parameter outside of the sub-model, which knows its own alone: "
                  "declare <param id=\"%.*s\"/> in it, and give it by <set param=\"%.*s\" "
                  "value=\"%.*s\"/> where it is used",
                  shown, name, shown, name, shown, name, shown, name);
    return;
  }
  sb_hint_id_in(reader, scope, name, length, is_value, err);
}

/** For an unknown name among the numbers of a list: a unit of one of them, or what the numbers are. */
static void hint_list(const sb_param *row, const char *name, sb_error *err) {
  sb_dimension dimension;
  double factor;
  if (row->unit != NULL && sb_unit_parse(name, strlen(name), &dimension, &factor, NULL) == SB_OK) {
    sb_error_hint(err, "the unit of a list comes once, after the last number, and blanks separate "
                       "the numbers");
  } else if (row->unit == NULL && row->help != NULL) {
    sb_error_hint(err, "%s takes numbers: %s", row->name, row->help);
  }
}

/** Hints at a parameter, argument or function for the unknown name that an error is about. */
static void hint_value(const sb_reader *reader, const sb_setting *setting, const sb_param *row,
                       sb_error *err) {
  const sb_argument *arguments = row == NULL ? NULL : row->arguments;
  if (err->status != SB_ERR_REFERENCE || err->column < 1) {
    return;
  }
  const char *name = setting->value;
  for (int i = 1; i < err->column && *name != '\0'; i++) {
    int size = sb_utf8_decode(name, strlen(name), NULL);
    name += size > 0 ? size : 1;
  }
  char word[SB_NEAREST_LENGTH_MAX + 2]; // a longer one is near to none
  size_t length = strcspn(name, " \t\r\n+-*/^()[]<>=!,.");
  (void)snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word),
                 name);
  sb_suggestion suggestion = sb_suggestion_start(word);
  if (strcmp(word, "and") == 0 || strcmp(word, "or") == 0) {
    sb_error_hint(err, word[0] == 'a' ? "both of two conditions: (a < b)*(c < d)"
                                      : "one of two conditions: max(a < b, c < d)");
    return;
  }
  if (strcmp(word, "t") == 0 && arguments == NULL) { // and no unit without a number
    sb_error_hint(err, "t is the time, and this value stays as it is during a run: write a number, "
                       "as 2[s], or a parameter");
    return;
  }
  if (err->hint[0] != '\0' && sb_find_signal(reader, setting->scope, name, length) < 0) {
    return;
  }
  if (name[length + strspn(name + length, " \t\r\n")] == '(') {
    sb_suggestion_offer_rows(&suggestion, sb_functions, sizeof *sb_functions);
  } else {
    sb_hint_name(reader, setting->scope, name, length, row != NULL && row->signals, err);
  }
  if (arguments != NULL) {
    sb_suggestion_offer_rows(&suggestion, arguments, sizeof *arguments);
  }
  if (suggestion.used > 0 && err->hint[0] == '\0') {
    sb_hint_suggestion(&suggestion, err);
  }
  if (row != NULL && row->kind == SB_PARAM_LIST && err->hint[0] == '\0') {
    hint_list(row, word, err);
  }
}

/** The <set> that has given a parameter of a sub-model the value which does not fit there; NULL: none has. */
static const sb_setting *find_set(const sb_lookup *lookup, const sb_error *err) {
  const sb_reader *reader = lookup->reader;
  const char *name = lookup->setting->value;
  if (err->status != SB_ERR_DIMENSION || err->column < 1) {
    return NULL;
  }
  name += strlen(name) < (size_t)err->column ? 0 : err->column - 1;
  const int index = sb_find_parameter(reader, lookup->setting->scope, name,
                                      strcspn(name, " \t\r\n+-*/^()[]<>=!,."));
  if (index < 0) {
    return NULL;
  }
  const sb_item *item = &reader->tree.items[reader->parameters.definitions.entries[index].item];
  const sb_setting *value = sb_item_text(reader, item, "value");
  return value != NULL && value->scope != item->scope ? value : NULL;
}

sb_outcome sb_lookup_end(const sb_lookup *lookup, sb_status status, const sb_param *row,
                         sb_error *err) {
  bool complete = !lookup->failed && lookup->wanted < 0;
  if (status != SB_OK && complete) {
    hint_value(lookup->reader, lookup->setting, row, err);
    const sb_setting *set = find_set(lookup, err);
    err->column = set != NULL ? 1 : err->column;
    sb_report_value(lookup->reader, set != NULL ? set : lookup->setting, err);
  }
  return (sb_outcome){status == SB_OK && complete, lookup->wanted};
}

sb_outcome sb_read_number(sb_reader *reader, const sb_setting *setting,
                          const sb_dimension *expected, const sb_param *row, double *value,
                          sb_dimension *dimension) {
  int count;
  sb_error err = {0};
  sb_lookup lookup;
  sb_value_scope scope = sb_lookup_begin(&lookup, reader, setting);
  sb_status status = sb_value_parse(setting->value, expected, &scope, value, 1, &count, dimension,
                                    sb_report_words(reader, &err));
  return sb_lookup_end(&lookup, status, row, &err);
}

void sb_hint_count(sb_reader *reader, const sb_setting *setting, sb_error *err) {
  sb_lookup lookup;
  sb_value_scope scope = sb_lookup_begin(&lookup, reader, setting);
  sb_value_hint_parameter(setting->value, &scope, err);
}
