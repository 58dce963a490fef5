// SPDX-License-Identifier: GPL-3.0-or-later
// Quantities of the graph by their names: whether they exist, and in which dimension.
#include "netlist/build/quantities_private.h"

#include <stdio.h>
#include <string.h>

#include "core/graph/domain.h"
#include "core/graph/graph_data.h"
#include "core/network/quantity.h"
#include "netlist/build/signal_states_private.h"
#include "netlist/build/units_private.h"
#include "netlist/build/words_private.h"
#include "netlist/reader/hints.h"
#include "netlist/reader/names.h"
#include "netlist/reader/report.h"

/** The port that a quantity such as heat.e names, counted from 1; the first if there is none. */
static int named_port(const sb_element_type *type, const char *quantity, const char *last) {
  int port = 1;
  for (int k = 0; last != quantity && type->ports != NULL && type->ports[k].name != NULL; k++) {
    size_t length = strlen(type->ports[k].name);
    if (strncmp(quantity, type->ports[k].name, length) == 0 && quantity[length] == '.') {
      port = k + 1;
    }
  }
  return port;
}

static sb_dimension dimension_of(const char *units, int component) {
  char unit[64];
  double scale;
  sb_dimension dimension = {0};
  (void)sb_unit_of_component(units, component < 0 ? 0 : component, unit);
  if (unit[0] != '\0' &&
      sb_unit_parse(unit, strlen(unit), &dimension, &scale, &(sb_error){0}) != SB_OK) {
    dimension.any = true;
  }
  return dimension;
}

sb_dimension sb_measure_dimension(const sb_build *build, const sb_element_type *type,
                                  const sb_element *element, const char *quantity) {
  const size_t length = strcspn(quantity, ".(");
  const sb_quantity_spec *spec = type->measures.quantities;
  while (spec != NULL && spec->name != NULL &&
         !(strlen(spec->name) == length && strncmp(spec->name, quantity, length) == 0)) {
    spec++;
  }
  sb_dimension dimension = {.any = true};
  if (spec == NULL || spec->name == NULL || spec->unit == NULL) {
    return dimension;
  }
  if (spec->unit[0] != '@') {
    const char *dot = strrchr(quantity, '.');
    return dimension_of(spec->unit,
                        dot == NULL || spec->count == 1
                            ? 0
                            : sb_component_find(quantity, dot, spec->count, &(sb_error){0}));
  }
  if (element == NULL || sb_formula_dimension(build->domains, element, spec->unit, &dimension,
                                              &(sb_error){0}) != SB_OK) {
    dimension = (sb_dimension){.any = true};
  }
  return dimension;
}

/** Of one component of a port of several, "e.3" or "PORT.f.2", whose domain has a unit for each. */
static sb_dimension component_dimension(const sb_build *build, const sb_element *element,
                                        const char *quantity) {
  const sb_element_type *type = sb_element_type_of(element);
  const char *last = strrchr(quantity, '.');
  const size_t length = last == NULL ? 0 : (size_t)(last - quantity);
  const bool one = length == 1, named = length > 2 && quantity[length - 2] == '.';
  sb_dimension dimension = {.any = true};
  if ((!one && !named) || strchr("ef", quantity[length - 1]) == NULL) {
    return dimension;
  }
  const int port = named ? named_port(type, quantity, quantity + 1) - 1 : 0,
            ports = sb_port_count(type->ports, true);
  const char *name =
      build->domains->of_port == NULL || port >= ports
          ? NULL
          : build->domains->of_port[build->domains->first_port[element->index] + port];
  const sb_domain *domain = name == NULL ? NULL : sb_domain_find(name);
  if (domain == NULL) {
    return dimension;
  }
  const bool effort = quantity[length - 1] == 'e';
  const char *units = domain->effort == NULL ? (effort ? domain->efforts : domain->flows)
                                             : (effort ? domain->effort : domain->flow);
  int component = 0;
  for (const char *digit = last + 1; *digit >= '0' && *digit <= '9' && component < 1000; digit++) {
    component = 10 * component + (*digit - '0');
  }
  component = *(last + 1) >= 'x' && *(last + 1) <= 'z' ? *(last + 1) - 'x' : component;
  return dimension_of(units, domain->effort == NULL ? component : 0);
}

sb_dimension sb_quantity_dimension(const sb_build *build, const char *of) {
  const sb_reader *reader = build->reader;
  sb_dimension dimension = {.any = true};
  const char *dot = strchr(of, '.');
  int signal = dot == NULL ? sb_find_signal(reader, 0, of, strlen(of)) : -1;
  if (signal >= 0) {
    return *sb_signal_dimension(build, signal);
  }
  int index = dot == NULL ? -1 : sb_scope_find(reader, of, (size_t)(dot - of));
  const sb_element *element = index < 0 ? NULL : build->made[index].element;
  if (element == NULL) {
    return dimension;
  }
  const char *last = strrchr(of, '.') + 1;
  const sb_element_type *type = sb_element_type_of(element);
  bool of_field =
      strlen(last) == 2 && strchr("qp", *last) != NULL && last[1] >= '1' && last[1] <= '9';
  int port = of_field ? last[1] - '0' : named_port(type, dot + 1, last); // q1, p2
  bool known =
      (strlen(last) == 1 || of_field) && strchr("efqp", *last) != NULL && type->state_names == NULL;
  const char formula[] = {'@', *last, (char)('0' + port), '\0'};
  if (!known) {
    dimension = sb_measure_dimension(build, type, element, dot + 1);
    return dimension.any ? component_dimension(build, element, dot + 1) : dimension;
  }
  if (sb_formula_dimension(build->domains, element, formula, &dimension, &(sb_error){0}) != SB_OK) {
    dimension = (sb_dimension){.any = true};
  }
  return dimension;
}

bool sb_leads_nowhere(const sb_reader *reader, const char *name) {
  for (const char *slash = strchr(name, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
    int index = sb_scope_find(reader, name, (size_t)(slash - name));
    if (index >= 0 && sb_is_use(&reader->tree.items[index]) &&
        reader->tree.items[index].inner < 0) {
      return true;
    }
  }
  return false;
}

static bool is_signal(const sb_item *item) {
  return item->tag->flags & SB_TAG_SIGNAL;
}

static bool makes_element(const sb_item *item) {
  return item->type != NULL;
}

// The pairs of bodies in contact have many names, and are looked up in the model only.
bool sb_check_owner(const sb_build *build, const sb_setting *setting, const sb_word *word,
                    const char *plain) {
  const sb_reader *reader = build->reader;
  char name[SB_PATH_MAX + 1];
  size_t length = strcspn(plain, ".");
  (void)snprintf(name, sizeof name, "%.*s", (int)length, plain);
  if (strchr(name, '(') != NULL || sb_graph_knows(build->graph, name)) {
    return true;
  }
  int index = sb_scope_find(reader, name, length);
  bool failed = index >= 0 && (reader->tree.items[index].tag == NULL ||
                               makes_element(&reader->tree.items[index]));
  if (failed || reader->unfinished || sb_leads_nowhere(reader, name)) {
    return false;
  }
  if (index >= 0 || strchr(name, '/') != NULL) {
    return true; // of a mechanism, or inside a composite element
  }
  sb_error err;
  (void)sb_fail(&err, SB_ERR_REFERENCE, "there is no element '%.80s'", name);
  if (sb_is_reported(reader, &err)) {
    return false;
  }
  sb_hint_inside(reader, setting->scope, name, length, makes_element, &err);
  err.column = word->column;
  sb_report_value(reader, setting, &err);
  return false;
}

bool sb_check_dimension(const sb_build *build, const sb_setting *setting, const char *plain,
                        const sb_dimension *dimension) {
  sb_dimension own = sb_quantity_dimension(build, plain);
  if (own.any || dimension->any || sb_dimension_fits(dimension, &own)) {
    return true;
  }
  char unit[SB_DIMENSION_SIZE];
  sb_error err;
  (void)sb_unit_describe(&own, unit, sizeof unit);
  (void)sb_fail(&err, SB_ERR_DIMENSION, "'%s' does not fit: %.80s is in %s", setting->value, plain,
                strcmp(unit, "1") == 0 ? "no unit" : unit);
  sb_report_value(build->reader, setting, &err);
  return false;
}

bool sb_check_quantity(const sb_build *build, const sb_setting *setting, const sb_word *word) {
  const sb_reader *reader = build->reader;
  const char *dot = memchr(word->start, '.', word->length);
  sb_error err;
  if ((dot != NULL && dot > word->start && dot + 1 < word->start + word->length) ||
      (dot == NULL && sb_find_signal(reader, setting->scope, word->start, word->length) >= 0)) {
    return true;
  }
  const int item = sb_scope_find_in(reader, setting->scope, word->start, word->length);
  if (dot == NULL && (item >= 0 ? reader->tree.items[item].tag == NULL : reader->unfinished)) {
    return false; // left out, and reported
  }
  (void)sb_fail(&err, SB_ERR_REFERENCE, "'%.*s' is not a quantity",
                (int)(word->length > 80 ? 80 : word->length), word->start);
  sb_hint_id_in(reader, setting->scope, word->start, word->length, is_signal, &err);
  if (dot != NULL || err.hint[0] == '\0') {
    sb_error_hint(&err, "write ELEMENT.QUANTITY, for instance C1.e");
  }
  err.column = word->column;
  sb_report_value(reader, setting, &err);
  return false;
}
