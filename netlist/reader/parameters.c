// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters: each may refer to any other.
#include "netlist/reader/parameters.h"

#include <string.h>

#include "netlist/reader/definitions.h"
#include "netlist/reader/numbers.h"
#include "netlist/reader/report.h"
#include "netlist/reader/settings.h"

static bool is_parameter(const sb_item *item) {
  return strcmp(item->node->name, "param") == 0;
}

/** The unit of bare numbers of a parameter. */
static bool read_unit(const sb_reader *reader, const sb_setting *setting, sb_dimension *dimension,
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
static sb_outcome read_scaled(sb_reader *reader, const sb_setting *setting,
                              const sb_dimension *unit, double scale, double *value,
                              sb_dimension *dimension) {
  sb_outcome outcome =
      sb_read_number(reader, setting, unit->any ? NULL : unit, NULL, value, dimension);
  if (outcome.known && dimension->any && !unit->any) {
    *value *= scale;
    *dimension = *unit;
  }
  return outcome;
}

static sb_outcome check_bound(sb_reader *reader, const sb_item *item, const char *name, int sign,
                              double scale, const sb_definition *parameter) {
  const sb_setting *setting = sb_item_text(reader, item, name);
  double bound;
  sb_dimension dimension;
  if (setting == NULL) {
    return sb_known(true);
  }
  sb_outcome outcome =
      read_scaled(reader, setting, &parameter->dimension, scale, &bound, &dimension);
  if (outcome.known && sign * (parameter->value - bound) > 0) {
    sb_error err;
    const sb_setting *value = sb_item_text(reader, item, "value");
    (void)sb_fail(&err, SB_ERR_RANGE, "%s is %s, %s its %simum %s", item->id,
                  sb_number_word(parameter->value).text, sign > 0 ? "above" : "below", name,
                  sb_number_word(bound).text);
    sb_error_hint(&err, "in SI units; the bound is set in line %d", item->node->line);
    sb_report_value(reader, value, &err);
    return sb_known(false);
  }
  return outcome;
}

static sb_outcome evaluate(void *context, sb_definition *parameter) {
  sb_reader *reader = context;
  const sb_item *item = &reader->tree.items[parameter->item];
  const sb_setting *setting = sb_item_text(reader, item, "value");
  sb_dimension unit;
  double scale;
  if (setting == NULL || !read_unit(reader, sb_item_text(reader, item, "unit"), &unit, &scale)) {
    return sb_known(false); // reported
  }
  sb_outcome outcome =
      read_scaled(reader, setting, &unit, scale, &parameter->value, &parameter->dimension);
  if (outcome.known) {
    outcome = check_bound(reader, item, "min", -1, scale, parameter);
  }
  return outcome.known ? check_bound(reader, item, "max", 1, scale, parameter) : outcome;
}

static void report_circle(const sb_reader *reader, const sb_item *item, sb_error *err) {
  sb_report_value(reader, sb_item_text(reader, item, "value"), err);
}

static bool add_parameter(sb_reader *reader, const sb_item *item) {
  const sb_definition parameter = {.item = (int)(item - reader->tree.items)};
  sb_definitions *all = &reader->parameters.definitions;
  if (!sb_arena_grow(&reader->memory, &all->entries, &all->capacity, all->count + 1,
                     sizeof parameter) ||
      !sb_names_add(&reader->parameters.ids, item->id, all->count)) {
    sb_report_memory(reader);
    return false;
  }
  all->entries[all->count++] = parameter;
  return true;
}

/** A name of a parameter that no expression could mean, or of it or a signal that would take the place of the number pi. */
static void check_name(const sb_reader *reader, const sb_item *item) {
  const char *name = item->id + reader->scopes.list[item->scope].length;
  const bool pi = strcmp(name, "pi") == 0, parameter = is_parameter(item);
  sb_error err = {0};
  if (pi) {
    (void)sb_fail(&err, SB_ERR_DUPLICATE, "a %s 'pi' would take the place of the number pi",
                  parameter ? "parameter" : "signal");
    sb_error_hint(&err, "give it another name; the number pi is known without it");
  } else if (parameter && strchr(name, '-') != NULL) {
    (void)sb_fail(&err, SB_ERR_CHOICE,
                  "no expression can name a parameter '%.80s': there it is a difference", name);
    sb_error_hint(&err, "write the name without '-', as with '_'");
  } else {
    return;
  }
  sb_report_item(reader, item, &err);
}

void sb_add_parameters(sb_reader *reader, int first) {
  static const sb_definition_sort sort = {"parameters", evaluate, report_circle};
  reader->parameters.definitions.sort = &sort;
  for (int i = first; i < reader->tree.item_count; i++) {
    const sb_item *item = &reader->tree.items[i];
    const bool named = item->tag != NULL && item->id != NULL;
    if (named && (is_parameter(item) || (item->tag->flags & SB_TAG_SIGNAL) != 0)) {
      check_name(reader, item);
    }
    if (item->tag != NULL && is_parameter(item) && item->id != NULL &&
        sb_names_find(&reader->parameters.ids, item->id, strlen(item->id)) < 0 &&
        !add_parameter(reader, item)) {
      return;
    }
  }
}

void sb_resolve_parameters(sb_reader *reader) {
  sb_resolve_all(reader, &reader->parameters.definitions, reader);
}

void sb_resolve_parameter(sb_reader *reader, int parameter) {
  sb_resolve(reader, &reader->parameters.definitions, parameter, reader);
}
