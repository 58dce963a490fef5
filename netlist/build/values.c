// SPDX-License-Identifier: GPL-3.0-or-later
// From settings to parameters, by the rows of the tables: without code for particular kinds.
#include "netlist/build/values_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/graph/graph_data.h"
#include "geometry/quat.h"
#include "netlist/build/formula_names_private.h"
#include "netlist/build/formulas_private.h"
#include "netlist/build/units_private.h"
#include "netlist/build/wires_private.h"
#include "netlist/reader/hints.h"
#include "netlist/reader/numbers.h"
#include "netlist/reader/report.h"
#include "netlist/reader/settings.h"

static bool read_word(const sb_reader *reader, const sb_setting *setting, const sb_param *row,
                      void *self) {
  sb_error err = {0};
  if (sb_param_choose(row, self, setting->value, &err) == SB_OK) {
    return true;
  }
  if (row->choices != NULL) {
    sb_suggestion suggestion = sb_suggestion_start(setting->value);
    sb_suggestion_offer_rows(&suggestion, row->choices, sizeof *row->choices);
    sb_hint_suggestion(&suggestion, &err);
  }
  sb_report_value(reader, setting, &err);
  return false;
}

/** Puts the name that the file uses into an error: mass for l. */
static void name_as_written(const sb_setting *setting, const sb_param *row, sb_error *err) {
  size_t length = strlen(row->name);
  const char *written = setting->attribute == NULL ? row->name : setting->attribute->name;
  if (strcmp(written, row->name) != 0 && strncmp(err->text, row->name, length) == 0 &&
      err->text[length] == ' ') {
    char text[SB_ERROR_TEXT];
    (void)snprintf(text, sizeof text, "%.80s%.380s", written, err->text + length);
    memcpy(err->text, text, sizeof text);
  }
}

/** The domain of a one-port by which a value has its unit, to be named where that does not fit: it may be its network's or come by a
 *  bond. NULL: none. */
static const char *deciding_domain(const sb_build *build, const sb_param *row,
                                   const sb_element *element) {
  const sb_port_domains *domains = build->domains;
  if (element == NULL || row->unit == NULL || row->unit[0] != '@' ||
      sb_port_count(element->type->ports, false) != 1 || domains->of_port == NULL) {
    return NULL;
  }
  return domains->of_port[domains->first_port[element->index]];
}

static bool read_numbers(const sb_build *build, const sb_setting *setting, const sb_param *row,
                         void *self, const sb_element *element, double values[], int max) {
  sb_reader *reader = build->reader;
  sb_error domain_error = {0}, err = {0};
  sb_dimension expected, dimension;
  sb_status known = sb_row_dimension(build, row->unit, element, &expected, &domain_error);
  int count;
  sb_lookup lookup;
  sb_value_scope scope = sb_lookup_begin(&lookup, reader, setting);
  scope.domain = deciding_domain(build, row, element);
  sb_status status = sb_value_parse(setting->value, known == SB_OK ? &expected : NULL, &scope,
                                    values, max, &count, &dimension, sb_report_words(reader, &err));
  const sb_param *words = row->formula == NULL && row->kind == SB_PARAM_LIST ? row : row->formula;
  if (!sb_lookup_end(&lookup, status, words, &err).known) {
    return false;
  }
  if (known != SB_OK && !dimension.any) {
    if (!build->domains->failed) {
      sb_report_value(reader, setting, &domain_error);
    }
    return false;
  }
  if (sb_param_check_size(row, values, count, &err) != SB_OK || // what is refused is not taken
      sb_param_set(row, self, values, count, &err) != SB_OK) {
    if (err.status == SB_ERR_DIMENSION) {
      sb_hint_count(reader, setting, &err);
    }
    name_as_written(setting, row, &err);
    sb_report_value(reader, setting, &err);
    return false;
  }
  return true;
}

bool sb_read_value(const sb_build *build, const sb_setting *setting, const sb_param *row,
                   void *self, const sb_element *element, sb_wires *wires) {
  sb_reader *reader = build->reader;
  if (row->kind == SB_PARAM_CHOICE || row->kind == SB_PARAM_FLAG) {
    return read_word(reader, setting, row, self);
  }
  if (row->kind == SB_PARAM_EXPRESSION) {
    return sb_read_formula(build, setting, row, self, element, wires);
  }
  if (row->formula != NULL && sb_is_formula(reader, setting, row->formula)) {
    return sb_read_formula(build, setting, row->formula, self, element, wires);
  }
  int max = row->kind == SB_PARAM_LIST     ? (int)(strlen(setting->value) / 2) + 1
            : row->kind == SB_PARAM_VECTOR ? row->count
                                           : 1;
  double *values = malloc((size_t)max * sizeof *values);
  if (values == NULL) {
    sb_report_memory(reader);
    return false;
  }
  bool good = read_numbers(build, setting, row, self, element, values, max);
  free(values);
  return good;
}

bool sb_is_among(const char *names, const char *name) {
  size_t length = strlen(name);
  for (const char *at = names; at != NULL && (at = strstr(at, name)) != NULL; at += length) {
    if ((at == names || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0')) {
      return true;
    }
  }
  return false;
}

bool sb_missing_value(const sb_reader *reader, const sb_item *item, const sb_param *row) {
  char name[SB_SCHEMA_NAME];
  sb_error err;
  if (sb_item_has_unknown(item)) {
    return false;
  }
  (void)sb_fail(&err, SB_ERR_MISSING, "<%s> needs the attribute '%s'", item->node->name,
                sb_schema_name(row, name));
  if (row->help != NULL) {
    sb_error_hint(&err, "%s: %s", name, row->help);
  }
  sb_report_item(reader, item, &err);
  return false;
}

void sb_place_value(const sb_build *build, const sb_item *item, const sb_setting *setting,
                    const sb_param *row) {
  const sb_reader *reader = build->reader;
  sb_element *element = sb_made_of(build, item)->element;
  int line, column;
  if (element != NULL && setting->attribute != NULL) {
    sb_xml_value_place(setting->attribute, 1, &line, &column);
    sb_graph_place(build->graph, reader->scopes.list[setting->scope].file, line, column);
    sb_graph_place_param(build->graph, element, row->name);
  }
}

bool sb_read_values(const sb_build *build, const sb_item *item, const sb_param *rows,
                    const char *except, void *self) {
  const sb_reader *reader = build->reader;
  const sb_element *element = sb_made_of(build, item)->element;
  sb_wires wires = {.count = 0};
  bool good = true;
  for (const sb_param *row = rows; row != NULL && row->name != NULL; row++) {
    if (sb_is_among(except, row->name)) {
      continue;
    }
    const sb_setting *setting = sb_item_value(reader, item, row);
    if (setting != NULL) {
      good = sb_read_value(build, setting, row, self, element, &wires) && good;
      sb_place_value(build, item, setting, row);
    } else if (row->fallback == NULL) {
      good = sb_missing_value(reader, item, row);
    }
  }
  return good;
}

void sb_build_values(const sb_build *build) {
  const sb_reader *reader = build->reader;
  for (int i = 0; i < reader->tree.item_count; i++) {
    const sb_item *item = &reader->tree.items[i];
    sb_element *element = sb_made_of(build, item)->element;
    if (element != NULL && item->tag->name[0] == '\0') {
      element->failed =
          !sb_read_values(build, item, item->type->params, NULL, sb_element_data(element));
    }
  }
}

bool sb_read_attitude(const sb_build *build, const sb_setting *setting, sb_quat *out) {
  double angle, axis[3];
  sb_error err = {0};
  sb_lookup lookup;
  sb_value_scope scope = sb_lookup_begin(&lookup, build->reader, setting);
  sb_status status = sb_value_parse_rotation(setting->value, &scope, &angle, axis, &err);
  if (!sb_lookup_end(&lookup, status, NULL, &err).known) {
    return false;
  }
  *out = sb_quat_from_axis_angle(sb_vec3_load(axis), angle);
  return true;
}

bool sb_read_rotation(const sb_build *build, const sb_item *item, const sb_param *row, void *self) {
  const sb_setting *setting = sb_item_value(build->reader, item, row);
  sb_quat q;
  sb_error err = {0};
  if (setting == NULL) {
    return true;
  }
  if (!sb_read_attitude(build, setting, &q)) {
    return false;
  }
  const double values[4] = {q.w, q.x, q.y, q.z};
  if (sb_param_set(row, self, values, 4, &err) != SB_OK) {
    sb_report_value(build->reader, setting, &err);
    return false;
  }
  return true;
}
