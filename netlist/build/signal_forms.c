// SPDX-License-Identifier: GPL-3.0-or-later
// What a signal is: a quantity of an element, an expression of other signals, or the integral of
// one.
#include "netlist/build/signal_forms_private.h"

#include <stdio.h>
#include <string.h>

#include "core/base/number.h"
#include "elements/elements.h"
#include "netlist/build/ends_private.h"
#include "netlist/build/formula_names_private.h"
#include "netlist/build/formulas_private.h"
#include "netlist/build/mechanisms_private.h"
#include "netlist/build/quantities_private.h"
#include "netlist/build/wires_private.h"
#include "netlist/reader/definitions.h"
#include "netlist/reader/hints.h"
#include "netlist/reader/index.h"
#include "netlist/reader/names.h"
#include "netlist/reader/numbers.h"
#include "netlist/reader/report.h"
#include "netlist/reader/settings.h"

static bool makes_element(const sb_item *item) {
  return item->type != NULL || strcmp(item->node->name, "joint") == 0 ||
         strcmp(item->node->name, "frame") == 0;
}

/** Whether a setting is one quantity of an element, with a point at `dot`. */
static bool check_quantity(const sb_reader *reader, const sb_setting *of, const char *dot) {
  if (dot != NULL && dot[1] != '\0' && strpbrk(of->value, " \t\r\n") == NULL) {
    return true;
  }
  sb_error err;
  (void)sb_fail(&err, SB_ERR_REFERENCE, "'%.80s' is not a quantity", of->value);
  sb_error_hint(&err, "write one ELEMENT.QUANTITY, for instance C1.e; an expression of signals "
                      "belongs in the attribute 'value'");
  sb_report_value(reader, of, &err);
  return false;
}

/** Whether the element of a quantity, which the path names, is in the graph; else that is reported.
 *  @param plain  the name as written, but for the numbers of indices */
static bool check_owner(const sb_build *build, const sb_setting *of, size_t length,
                        const char *plain, const char *path) {
  const sb_reader *reader = build->reader;
  int index = sb_scope_find(reader, path, strlen(path));
  const sb_item *owner = index < 0 ? NULL : &reader->tree.items[index];
  if (owner != NULL && build->made[index].element != NULL) {
    return true;
  }
  if (owner != NULL && (owner->type != NULL || owner->contested || sb_is_left_out(build, owner))) {
    return false; // and reported
  }
  sb_error err;
  (void)sb_fail(&err, SB_ERR_REFERENCE, "there is no element '%.80s'", plain);
  if (owner == NULL && (reader->unfinished || sb_is_reported(reader, &err))) {
    return false;
  }
  sb_hint_inside(reader, of->scope, of->value, length, makes_element, &err);
  sb_hint_use(reader, index, plain, &err);
  sb_report_value(reader, of, &err);
  return false;
}

/** A signal that reads a number of a tree of bodies. */
static bool read_part(const sb_build *build, const sb_item *item, sb_element *element,
                      const sb_setting *of, sb_dimension *dimension) {
  char name[SB_READING_MAX];
  return sb_name_reading(build, item, name, dimension) &&
         sb_wire_quantity(build, of, name, element, 1) &&
         sb_element_express(element, "value", "u1", &(sb_error){0}) == SB_OK;
}

/** Entries of Jacobians are those of trees of bodies. */
static bool check_by(const sb_build *build, const sb_item *item, const sb_setting *form) {
  const sb_setting *by = sb_item_text(build->reader, item, "by");
  sb_error err;
  if (by == NULL || (strcmp(form->name, "of") == 0 && sb_made_of(build, item)->reads_part)) {
    return true;
  }
  (void)sb_fail(&err, SB_ERR_ATTRIBUTE,
                "'by' belongs to a signal that reads a velocity of a mechanism");
  sb_error_hint(&err, "as in of=\"hand.velocity.x\" by=\"elbow\"");
  sb_report_value(build->reader, by, &err);
  return false;
}

/** A signal that reads what is made later, of one of these kinds. */
static void read_late(const sb_build *build, const sb_item *item, const sb_element_type *kinds[],
                      const char *quantity, sb_dimension *dimension) {
  sb_made_of(build, item)->late = true;
  *dimension = (sb_dimension){.any = true};
  for (int i = 0; kinds[i] != NULL && dimension->any; i++) {
    *dimension = sb_measure_dimension(build, kinds[i], NULL, quantity);
  }
}

/** A signal that reads an effort, a flow, a state, or what the kind of an element measures. */
static bool read_quantity(const sb_build *build, const sb_item *item, sb_element *element,
                          const sb_setting *of, sb_dimension *dimension) {
  sb_error err = {0};
  char plain[SB_PATH_MAX + 1], path[SB_PATH_MAX + 1], whole[SB_READING_MAX];
  const sb_element_type *kinds[3];
  const size_t length = sb_reading_owner(of->value);
  const char *dot = of->value[length] == '.' && length > 0 ? of->value + length : NULL;
  if (!check_quantity(build->reader, of, dot) ||
      !sb_plain_name(build->reader, of, of->value, length, plain) ||
      !sb_reading_name(build, of, whole)) {
    return false;
  }
  (void)snprintf(path, sizeof path, "%.*s", (int)sb_reading_owner(whole), whole);
  if (!sb_graph_knows(build->graph, path) && sb_is_late(build, path, kinds)) {
    read_late(build, item, kinds, whole + strlen(path) + 1, dimension);
    return sb_element_express(element, "value", "u1", &err) == SB_OK;
  }
  if (!check_owner(build, of, length, plain, path)) {
    return false;
  }
  *dimension = sb_quantity_dimension(build, whole);
  return sb_wire_quantity(build, of, whole, element, 1) &&
         sb_element_express(element, "value", "u1", &err) == SB_OK;
}

/** A number in the place of an expression. */
static bool read_constant(const sb_build *build, sb_element *element, const sb_setting *setting,
                          const sb_param *row, sb_dimension *dimension) {
  double value;
  char text[SB_NUMBER_SIZE];
  if (!sb_read_number(build->reader, setting, NULL, row, &value, dimension).known) {
    return false;
  }
  (void)sb_number_format(value, text, sizeof text);
  return sb_param_express(row, sb_element_data(element), text, &(sb_error){0}) == SB_OK;
}

sb_outcome sb_read_input(const sb_build *build, sb_element *element, const sb_setting *setting,
                         sb_dimension *dimension) {
  const sb_reader *reader = build->reader;
  const sb_param *row = sb_param_find(sb_element_type_of(element)->params, setting->name);
  if (!sb_is_formula(reader, setting, row)) {
    return sb_known(read_constant(build, element, setting, row, dimension));
  }
  sb_wires wires = {.count = 0};
  sb_formula formula = sb_compile_formula(build, setting, row, element, &wires);
  if (formula.expression == NULL) {
    return (sb_outcome){false, formula.wanted};
  }
  if (!sb_check_names(reader, setting, row, formula.expression)) {
    sb_expression_destroy(formula.expression);
    return sb_known(false);
  }
  *dimension = formula.dimension;
  sb_expression_fold(formula.expression);
  sb_param_take(row, sb_element_data(element), formula.expression);
  return sb_known(true);
}

static bool multiply_by_time(sb_dimension *dimension) {
  static const sb_dimension second = {.exponent = {0, 0, SB_EXPONENT_ONE}};
  return dimension->any || sb_dimension_multiply(dimension, &second, 1, 1);
}

/** The dimension of an integral before its rate is known: that of its start, if it has a unit. */
static void peek_start(sb_reader *reader, const sb_item *item, sb_definition *entry) {
  const sb_setting *start = sb_item_value(reader, item, sb_param_find(item->type->params, "start"));
  double value;
  if (start != NULL && entry->dimension.any &&
      !sb_read_number(reader, start, NULL, NULL, &value, &entry->dimension).known) {
    entry->dimension = (sb_dimension){.any = true};
  }
}

/** The start of an integral; without a unit it takes that of the integral. */
static bool read_start(const sb_build *build, const sb_item *item, sb_definition *entry) {
  sb_reader *reader = build->reader;
  const sb_param *row = sb_param_find(item->type->params, "start");
  const sb_setting *start = sb_item_value(reader, item, row);
  double value = 0;
  sb_dimension dimension;
  if (start == NULL) {
    return true;
  }
  const sb_dimension *expected = entry->dimension.any ? NULL : &entry->dimension;
  if (!sb_read_number(reader, start, expected, NULL, &value, &dimension).known) {
    return false;
  }
  entry->dimension = entry->dimension.any ? dimension : entry->dimension;
  return sb_param_set(row, sb_element_data(sb_made_of(build, item)->element), &value, 1,
                      &(sb_error){0}) == SB_OK;
}

static const sb_setting *own_value(const sb_reader *reader, const sb_item *item, const char *name) {
  return sb_item_value(reader, item, sb_param_find(item->type->params, name));
}

/** Inputs are signals of sub-models. */
static bool check_input(const sb_reader *reader, const sb_item *item) {
  const sb_setting *input = sb_item_text(reader, item, "input");
  int scope = item->scope;
  sb_error err;
  while (scope >= 0 && reader->scopes.list[scope].use < 0) {
    scope = reader->scopes.list[scope].outer; // iterations of repeats
  }
  if (input == NULL || strcmp(input->value, "no") == 0) {
    return true;
  }
  if (strcmp(input->value, "yes") != 0) {
    (void)sb_fail(&err, SB_ERR_CHOICE, "input must be yes or no, not '%.80s'", input->value);
  } else if (scope < 0) {
    (void)sb_fail(&err, SB_ERR_CHOICE, "an input belongs to a sub-model, whose uses set it");
  } else {
    return true;
  }
  sb_report_value(reader, input, &err);
  return false;
}

/** Exactly one of `of`, `value` and `rate`, and `start` with `rate` only. */
static bool check_form(const sb_reader *reader, const sb_item *item, const sb_setting **form) {
  const sb_setting *forms[] = {sb_item_text(reader, item, "of"), own_value(reader, item, "value"),
                               own_value(reader, item, "rate")};
  const sb_setting *start = own_value(reader, item, "start");
  int count = 0;
  sb_error err;
  *form = NULL;
  if (!check_input(reader, item)) {
    return false;
  }
  for (int i = 0; i < 3; i++) {
    count += forms[i] != NULL;
    *form = forms[i] != NULL ? forms[i] : *form;
  }
  if (count == 0 && sb_item_text(reader, item, "input") != NULL) {
    return false; // the use has been reported
  }
  if (count != 1) {
    (void)sb_fail(&err, count == 0 ? SB_ERR_MISSING : SB_ERR_CHOICE,
                  count == 0
                      ? "<signal> needs one of the attributes 'of', 'value' and 'rate'"
                      : "<signal> takes only one of the attributes 'of', 'value' and 'rate'");
    sb_error_hint(&err, "of=\"C1.e\" reads a quantity, value=\"2*a + b\" is an expression of "
                        "signals, rate=\"a - b\" its integral");
    sb_report_item(reader, item, &err);
    return false;
  }
  if (start != NULL && forms[2] == NULL) {
    (void)sb_fail(&err, SB_ERR_ATTRIBUTE, "'start' belongs to a signal with a 'rate'");
    sb_report_value(reader, start, &err);
    return false;
  }
  return true;
}

sb_outcome sb_read_signal(const sb_build *build, const sb_item *item, sb_definition *entry) {
  const sb_setting *form;
  if (!check_form(build->reader, item, &form) || !check_by(build, item, form)) {
    return sb_known(false);
  }
  sb_element *element = sb_made_of(build, item)->element;
  sb_dimension dimension = {.any = true};
  bool integral = strcmp(form->name, "rate") == 0;
  if (strcmp(form->name, "of") == 0) {
    bool good = sb_made_of(build, item)->reads_part
                    ? read_part(build, item, element, form, &dimension)
                    : read_quantity(build, item, element, form, &dimension);
    entry->dimension = dimension;
    return sb_known(good);
  }
  if (integral) {
    peek_start(build->reader, item, entry);
  }
  sb_outcome outcome = sb_read_input(build, element, form, &dimension);
  if (!outcome.known) {
    return outcome;
  }
  entry->dimension = dimension;
  return sb_known(!integral ||
                  (multiply_by_time(&entry->dimension) && read_start(build, item, entry)));
}
