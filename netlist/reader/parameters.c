// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters: each may refer to any other.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/array_private.h"
#include "core/utf8.h"
#include "netlist/build/build.h"
#include "netlist/reader/expand.h"

int sb_find_parameter(const sb_reader *reader, int scope, const char *name, size_t length) {
  int item = sb_scope_find_in(reader, scope, name, length);
  const char *id = item < 0 ? NULL : reader->items[item].id;
  return id == NULL ? -1 : sb_names_find(&reader->parameter_names, id, strlen(id));
}

/** The index of a repeat around the value; beyond the sub-model there are none. */
static bool find_index(const sb_reader *reader, const char *name, size_t length, double *value) {
  const sb_scope *scope = &reader->scopes[reader->scope];
  for (; scope->index != NULL; scope = &reader->scopes[scope->outer]) {
    if (strlen(scope->index) == length && memcmp(scope->index, name, length) == 0) {
      *value = (double)scope->round;
      return true;
    }
  }
  return false;
}

static bool look_up(void *context, const char *name, size_t length, double *value,
                    sb_dimension *dimension) {
  sb_reader *reader = context;
  if (find_index(reader, name, length, value)) {
    *dimension = (sb_dimension){0};
    return true;
  }
  int index = sb_find_parameter(reader, reader->scope, name, length);
  if (index < 0) {
    int item = sb_scope_find_in(reader, reader->scope, name, length);
    if (item < 0 || reader->items[item].tag != NULL) {
      return false;
    }
    reader->poisoned = true; // an element that was left out and reported
  }
  const sb_definition *parameter = index < 0 ? NULL : &reader->parameters.entries[index];
  *value = 1;
  *dimension = (sb_dimension){.any = true};
  if (parameter == NULL || parameter->state == SB_DEFINITION_FAILED) {
    reader->poisoned = true;
  } else if (parameter->state == SB_DEFINITION_KNOWN) {
    *value = parameter->value;
    *dimension = parameter->dimension;
  } else if (reader->wanted < 0) {
    reader->wanted = index;
  }
  return true;
}

sb_value_scope sb_reader_scope(sb_reader *reader, const sb_setting *setting) {
  reader->scope = setting->scope;
  reader->setting = setting;
  return (sb_value_scope){.lookup = look_up, .context = reader};
}

static bool is_parameter(const sb_item *item) {
  return strcmp(item->node->name, "param") == 0;
}

static bool is_value(const sb_item *item) {
  return is_parameter(item) || strcmp(item->node->name, "signal") == 0;
}

void sb_hint_name(const sb_reader *reader, const char *name, size_t length, bool signals,
                  sb_error *err) {
  int item = sb_scope_find_in(reader, reader->scope, name, length), shown = (int)length;
  if (sb_find_signal(reader, reader->scope, name, length) >= 0) {
    sb_error_hint(err, "'%.*s' is a signal, and this value takes none", shown, name);
    return;
  }
  if (signals && item >= 0 && reader->items[item].type != NULL) {
    sb_error_hint(err,
                  "'%.*s' is an element: a <signal> gives a name to one of its quantities, as in "
                  "<signal id=\"x\" of=\"%.*s.f\"/>",
                  shown, name, shown, name);
    return;
  }
  if (signals && length == 1 && name[0] == 't') {
    sb_error_hint(err, "the time comes by a signal: <signal id=\"time\" value=\"t\"/>");
    return;
  }
  sb_hint_id_in(reader, reader->scope, name, length, is_value, err);
}

/** Hints at a parameter, variable or function for the unknown name that a fault is about. */
void sb_hint_value(const sb_reader *reader, const char *text, const sb_param *row, sb_error *err) {
  const sb_argument *arguments = row == NULL ? NULL : row->arguments;
  if (err->status != SB_ERR_REFERENCE || err->column < 1) {
    return;
  }
  const char *name = text;
  for (int i = 1; i < err->column && *name != '\0'; i++) {
    int size = sb_utf8_decode(name, strlen(name), NULL);
    name += size > 0 ? size : 1;
  }
  size_t length = strcspn(name, " \t\r\n+-*/^()[]<>=!,.");
  if (err->hint[0] != '\0' && sb_find_signal(reader, reader->scope, name, length) < 0) {
    return;
  }
  const char *words[64];
  int count = 0;
  if (name[length + strspn(name + length, " \t\r\n")] == '(') {
    for (const sb_function *f = sb_functions; f->name != NULL && count < 64; f++) {
      words[count++] = f->name;
    }
  } else {
    sb_hint_name(reader, name, length, row != NULL && row->signals, err);
  }
  for (const sb_argument *a = arguments; a != NULL && a->name != NULL && count < 64; a++) {
    words[count++] = a->name;
  }
  char *word = count > 0 && err->hint[0] == '\0' ? sb_duplicate(name) : NULL;
  if (word != NULL) {
    word[length] = '\0';
    sb_hint_word(word, words, count, err);
  }
  free(word);
}

bool sb_read_numbers(sb_reader *reader, const sb_setting *setting, const sb_dimension *expected,
                     double values[], int max, int *count, sb_dimension *dimension) {
  sb_error err = {0};
  sb_value_scope scope = sb_reader_scope(reader, setting);
  reader->poisoned = false;
  reader->wanted = -1;
  sb_status status =
      sb_value_parse(setting->value, expected, &scope, values, max, count, dimension, &err);
  if (reader->poisoned || reader->wanted >= 0) {
    return false;
  }
  if (status == SB_OK) {
    return true;
  }
  sb_hint_value(reader, setting->value, NULL, &err);
  sb_report_value(reader, setting, &err);
  return false;
}

/** The unit of bare numbers of a parameter. */
static bool read_unit(sb_reader *reader, const sb_setting *setting, sb_dimension *dimension,
                      double *scale) {
  sb_error err = {0};
  *dimension = (sb_dimension){.any = true};
  *scale = 1;
  if (setting == NULL ||
      sb_unit_parse(setting->value, strlen(setting->value), dimension, scale, &err) == SB_OK) {
    return true;
  }
  sb_report_value(reader, setting, &err);
  return false;
}

/** Reads one number; a bare one takes the unit. */
static bool read_scaled(sb_reader *reader, const sb_setting *setting, const sb_dimension *unit,
                        double scale, double *value, sb_dimension *dimension) {
  int count;
  if (!sb_read_numbers(reader, setting, unit->any ? NULL : unit, value, 1, &count, dimension)) {
    return false;
  }
  if (dimension->any && !unit->any) {
    *value *= scale;
    *dimension = *unit;
  }
  return true;
}

static bool check_bound(sb_reader *reader, const sb_item *item, const char *name, int sign,
                        double scale, const sb_definition *parameter) {
  const sb_setting *setting = sb_item_text(reader, item, name);
  double bound;
  sb_dimension dimension;
  if (setting == NULL) {
    return true;
  }
  if (!read_scaled(reader, setting, &parameter->dimension, scale, &bound, &dimension)) {
    return false;
  }
  if (sign * (parameter->value - bound) > 0) {
    sb_error err;
    const sb_setting *value = sb_item_text(reader, item, "value");
    (void)sb_fail(&err, SB_ERR_RANGE, "%s is %s, %s its %simum %s", item->id,
                  sb_number_word(parameter->value).text, sign > 0 ? "above" : "below", name,
                  sb_number_word(bound).text);
    sb_error_hint(&err, "in SI units; the bound is set in line %d", item->node->line);
    sb_report_value(reader, value, &err);
    return false;
  }
  return true;
}

/** @return false if it failed or waits for reader->wanted */
static bool evaluate(sb_reader *reader, sb_definition *parameter) {
  const sb_item *item = &reader->items[parameter->item];
  const sb_setting *setting = sb_item_text(reader, item, "value");
  sb_dimension unit;
  double scale;
  reader->wanted = -1;
  if (setting == NULL) {
    return false; // reported as missing
  }
  if (!read_unit(reader, sb_item_text(reader, item, "unit"), &unit, &scale) ||
      !read_scaled(reader, setting, &unit, scale, &parameter->value, &parameter->dimension)) {
    return false;
  }
  return check_bound(reader, item, "min", -1, scale, parameter) &&
         check_bound(reader, item, "max", 1, scale, parameter);
}

static void report_circle(sb_reader *reader, const sb_item *item, sb_error *err) {
  sb_report_value(reader, sb_item_text(reader, item, "value"), err);
}

static bool add_parameter(sb_reader *reader, const sb_item *item) {
  const sb_definition parameter = {.item = (int)(item - reader->items)};
  sb_definitions *all = &reader->parameters;
  if (!sb_append(&all->entries, &all->count, &all->capacity, sizeof parameter, &parameter) ||
      !sb_names_add(&reader->parameter_names, item->id, all->count - 1)) {
    sb_report_memory(reader);
    return false;
  }
  return true;
}

void sb_add_parameters(sb_reader *reader, int first) {
  static const sb_definition_sort sort = {"parameters", evaluate, report_circle};
  reader->parameters.sort = &sort;
  for (int i = first; i < reader->item_count; i++) {
    const sb_item *item = &reader->items[i];
    if (item->tag != NULL && is_parameter(item) && item->id != NULL &&
        sb_names_find(&reader->parameter_names, item->id, strlen(item->id)) < 0 &&
        !add_parameter(reader, item)) {
      return;
    }
  }
}
