// SPDX-License-Identifier: GPL-3.0-or-later
// Signals. Each is a quantity of the network, an expression of other signals, or an integral of one,
// whatever their order; one that meets another not known yet waits on a stack until it is, for its
// dimension. A circle through an integral is none of values; in it dimensions are open at first, and
// signals are read again until no more of them become known.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/array_private.h"
#include "core/graph_private.h"
#include "core/number.h"
#include "core/utf8.h"
#include "elements/elements.h"
#include "netlist/build/build.h"
#include "netlist/reader/expand.h"

static bool is_signal(const sb_item *item) {
  return item->tag != NULL && item->tag->flags & SB_TAG_SIGNAL;
}

int sb_find_signal(const sb_reader *reader, int scope, const char *name, size_t length) {
  int item = sb_scope_find_in(reader, scope, name, length);
  return item >= 0 && is_signal(&reader->items[item]) ? item : -1;
}

const sb_dimension *sb_signal_dimension(const sb_reader *reader, int item) {
  static const sb_dimension any = {.any = true};
  int entry = reader->items[item].part;
  return entry < 0 ? &any : &reader->signals.entries[entry].dimension;
}

/** Connects a signal or a quantity to the next input of an element. */
static bool connect(sb_reader *reader, const sb_setting *setting, const char *from,
                    const sb_element *element, int column) {
  char to[SB_PATH_MAX + 8];
  sb_error err = {0};
  int line = 0, place = 0;
  if (setting->attribute != NULL) {
    sb_xml_value_place(setting->attribute, column, &line, &place);
  }
  sb_graph_place(reader->netlist->graph, reader->scopes[setting->scope].file, line, place);
  (void)snprintf(to, sizeof to, "%s.u", sb_element_id(element));
  if (sb_graph_wire(reader->netlist->graph, from, to, &err) == SB_OK) {
    return true;
  }
  err.column = column;
  sb_report_value(reader, setting, &err);
  return false;
}

bool sb_wire_signal(sb_reader *reader, const sb_setting *setting, const sb_element *element,
                    int item, int column) {
  if (reader->wired_element != element) {
    reader->wired_element = element;
    reader->wired_count = 0;
  }
  for (int i = 0; i < reader->wired_count; i++) {
    if (reader->wired[i] == item) {
      return true;
    }
  }
  if (reader->wired_count == SB_SIGNALS_MAX) {
    sb_error err;
    (void)sb_fail(&err, SB_ERR_LIMIT, "more than %d signals in one element", SB_SIGNALS_MAX);
    sb_error_hint(&err, "join some of them in a <signal> of their own");
    err.column = column;
    sb_report_value(reader, setting, &err);
    return false;
  }
  char from[SB_PATH_MAX + 8];
  (void)snprintf(from, sizeof from, "%s.value", reader->items[item].id);
  reader->wired[reader->wired_count++] = item;
  return reader->wired_before || connect(reader, setting, from, element, column);
}

sb_dimension sb_quantity_dimension(const sb_reader *reader, const char *of) {
  sb_dimension dimension = {.any = true};
  const char *dot = strchr(of, '.');
  int signal = dot == NULL ? sb_find_signal(reader, 0, of, strlen(of)) : -1;
  if (signal >= 0) {
    return *sb_signal_dimension(reader, signal);
  }
  int index = dot == NULL ? -1 : sb_scope_find(reader, of, (size_t)(dot - of));
  const sb_element *element = index < 0 ? NULL : reader->items[index].element;
  if (element == NULL) {
    return dimension;
  }
  const char *last = strrchr(of, '.') + 1;
  const sb_element_type *type = sb_element_type_of(element);
  int port = 1;
  for (int k = 0; last != dot + 1 && type->ports != NULL && type->ports[k].name != NULL; k++) {
    size_t length = strlen(type->ports[k].name);
    if (strncmp(dot + 1, type->ports[k].name, length) == 0 && dot[1 + length] == '.') {
      port = k + 1;
    }
  }
  bool of_field =
      strlen(last) == 2 && strchr("qp", *last) != NULL && last[1] >= '1' && last[1] <= '9';
  port = of_field ? last[1] - '0' : port; // q1, p2
  bool known =
      (strlen(last) == 1 || of_field) && strchr("efqp", *last) != NULL && type->state_names == NULL;
  const char formula[] = {'@', *last, (char)('0' + port), '\0'};
  if (!known ||
      sb_formula_dimension(reader, element, formula, &dimension, &(sb_error){0}) != SB_OK) {
    dimension = (sb_dimension){.any = true};
  }
  return dimension;
}

static bool makes_element(const sb_item *item) {
  return item->type != NULL;
}

/** A signal that reads an effort, a flow or a state. */
static bool read_quantity(sb_reader *reader, const sb_item *item, const sb_setting *of,
                          sb_dimension *dimension) {
  sb_error err = {0};
  char plain[SB_PATH_MAX + 1], path[SB_PATH_MAX + 1];
  const char *dot = strchr(of->value, '.');
  if (dot == NULL || dot[1] == '\0' || strpbrk(of->value, " \t\r\n") != NULL) {
    (void)sb_fail(&err, SB_ERR_REFERENCE, "'%.80s' is not a quantity", of->value);
    sb_error_hint(&err, "write one ELEMENT.QUANTITY, for instance C1.e; an expression of signals "
                        "stands in the attribute 'value'");
    sb_report_value(reader, of, &err);
    return false;
  }
  size_t length = (size_t)(dot - of->value);
  if (!sb_plain_name(reader, of, of->value, length, plain) ||
      !sb_full_name(reader, of, of->value, length, path)) {
    return false;
  }
  int owner = sb_scope_find(reader, path, strlen(path));
  bool left_out =
      owner >= 0 && (reader->items[owner].type != NULL || reader->items[owner].tag == NULL);
  if (left_out && reader->items[owner].element == NULL) {
    return false; // reported
  }
  if (owner < 0 || reader->items[owner].element == NULL) {
    (void)sb_fail(&err, SB_ERR_REFERENCE, "there is no element '%.80s'", plain);
    sb_hint_id_in(reader, of->scope, of->value, length, makes_element, &err);
    sb_hint_use(reader, owner, plain, &err);
    sb_report_value(reader, of, &err);
    return false;
  }
  char whole[2 * SB_PATH_MAX];
  (void)snprintf(whole, sizeof whole, "%s%.100s", path, dot);
  *dimension = sb_quantity_dimension(reader, whole);
  return (reader->wired_before || connect(reader, of, whole, item->element, 1)) &&
         sb_element_express(item->element, "value", "u1", &err) == SB_OK;
}

/** A number in the place of an expression. */
static bool read_constant(sb_reader *reader, const sb_item *item, const sb_setting *setting,
                          const sb_param *row, sb_dimension *dimension) {
  double value;
  int count;
  char text[SB_NUMBER_SIZE];
  if (!sb_read_numbers(reader, setting, NULL, &value, 1, &count, dimension)) {
    return false;
  }
  (void)sb_number_format(value, text, sizeof text);
  return sb_param_express(row, sb_element_data(item->element), text, &(sb_error){0}) == SB_OK;
}

/** @return false if it failed or waits for reader->wanted */
static bool read_expression(sb_reader *reader, const sb_item *item, const sb_setting *setting,
                            sb_dimension *dimension) {
  const sb_param *row = sb_param_find(item->type->params, setting->name);
  sb_expression *expression;
  if (!sb_is_formula(reader, setting, row)) {
    return read_constant(reader, item, setting, row, dimension);
  }
  if (!sb_compile_formula(reader, setting, row, item->element, &expression, dimension)) {
    return false;
  }
  if (!sb_check_names(reader, setting, row, expression)) {
    sb_expression_destroy(expression);
    return false;
  }
  sb_expression_fold(expression);
  sb_param_take(row, sb_element_data(item->element), expression);
  return true;
}

static bool multiply_by_time(sb_dimension *dimension) {
  static const sb_dimension second = {.exponent = {0, 0, SB_DIMENSION_PART}};
  return dimension->any || sb_dimension_multiply(dimension, &second, 1, 1);
}

/** The dimension of an integral before its rate is known: that of its start, if it has a unit. */
static void peek_start(sb_reader *reader, const sb_item *item, sb_definition *entry) {
  const sb_setting *start = sb_item_value(reader, item, sb_param_find(item->type->params, "start"));
  double value;
  int count;
  if (start != NULL && entry->dimension.any &&
      !sb_read_numbers(reader, start, NULL, &value, 1, &count, &entry->dimension)) {
    entry->dimension = (sb_dimension){.any = true};
  }
}

/** The start of an integral; without a unit it takes that of the integral. */
static bool read_start(sb_reader *reader, const sb_item *item, sb_definition *entry) {
  const sb_param *row = sb_param_find(item->type->params, "start");
  const sb_setting *start = sb_item_value(reader, item, row);
  double value = 0;
  int count;
  sb_dimension dimension;
  if (start == NULL) {
    return true;
  }
  if (!sb_read_numbers(reader, start, entry->dimension.any ? NULL : &entry->dimension, &value, 1,
                       &count, &dimension)) {
    return false;
  }
  entry->dimension = entry->dimension.any ? dimension : entry->dimension;
  return sb_param_set(row, sb_element_data(item->element), &value, 1, &(sb_error){0}) == SB_OK;
}

static const sb_setting *own_value(const sb_reader *reader, const sb_item *item, const char *name) {
  return sb_item_value(reader, item, sb_param_find(item->type->params, name));
}

/** Inputs are signals of sub-models. */
static bool check_input(sb_reader *reader, const sb_item *item) {
  const sb_setting *input = sb_item_text(reader, item, "input");
  int scope = item->scope;
  sb_error err;
  while (scope >= 0 && reader->scopes[scope].use < 0) {
    scope = reader->scopes[scope].outer; // rounds of repeats
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
static bool check_form(sb_reader *reader, const sb_item *item, const sb_setting **form) {
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

/** @return false if it failed or waits for reader->wanted */
static bool read_signal(sb_reader *reader, sb_definition *entry) {
  const sb_item *item = &reader->items[entry->item];
  const sb_setting *form;
  reader->wanted = -1;
  if (item->element == NULL || !check_form(reader, item, &form)) {
    return false;
  }
  sb_dimension dimension = {.any = true};
  if (strcmp(form->name, "rate") == 0) {
    peek_start(reader, item, entry);
  }
  if (strcmp(form->name, "of") == 0) {
    bool good = read_quantity(reader, item, form, &dimension);
    entry->dimension = dimension;
    return good;
  }
  if (!read_expression(reader, item, form, &dimension)) {
    return false;
  }
  entry->dimension = dimension;
  if (strcmp(form->name, "rate") == 0) {
    return multiply_by_time(&entry->dimension) && read_start(reader, item, entry);
  }
  return true;
}

static void show_unit(sb_reader *reader, const sb_definition *entry) {
  static const sb_dimension pure = {0};
  char unit[SB_DIMENSION_SIZE] = "";
  if (!entry->dimension.any && !sb_dimension_equal(&entry->dimension, &pure)) {
    (void)sb_dimension_format(&entry->dimension, unit, sizeof unit);
  }
  sb_signal_set_unit(reader->items[entry->item].element, unit);
}

static bool evaluate(sb_reader *reader, sb_definition *entry) {
  bool known = read_signal(reader, entry);
  if (known) {
    show_unit(reader, entry);
  }
  return known;
}

/** Whether an integral is among the signals from `entry` to the top of the stack. */
static bool breaks_circle(const sb_reader *reader, int entry) {
  const sb_definitions *all = &reader->signals;
  for (int i = all->depth - 1; i >= 0; i--) {
    const sb_item *item = &reader->items[all->entries[all->stack[i]].item];
    if (own_value(reader, item, "rate") != NULL) {
      return true;
    }
    if (all->stack[i] == entry) {
      break;
    }
  }
  return false;
}

bool sb_signal_wait(sb_reader *reader, int item) {
  int entry = reader->items[item].part;
  if (entry < 0 || reader->signals.entries[entry].state == SB_DEFINITION_FAILED) {
    reader->poisoned = true;
    return false;
  }
  const sb_definition *signal = &reader->signals.entries[entry];
  if (signal->state == SB_DEFINITION_KNOWN) {
    return true;
  }
  if (signal->state == SB_DEFINITION_OPEN && breaks_circle(reader, entry)) {
    reader->circles = true;
    return true;
  }
  reader->wanted = reader->wanted < 0 ? entry : reader->wanted;
  return false;
}

static void report_circle(sb_reader *reader, const sb_item *item, sb_error *err) {
  sb_error_hint(err, "an integral, a <signal> with a rate, breaks a circle");
  sb_report_item(reader, item, err);
}

/** With circles: reads all signals again, with what is known now of those they name, until their
 *  dimensions stay. */
static void read_again(sb_reader *reader) {
  reader->wired_before = true;
  for (bool more = reader->circles; more;) {
    more = false;
    for (int i = 0; i < reader->signals.count; i++) {
      sb_definition *entry = &reader->signals.entries[i];
      bool open = entry->dimension.any;
      if (entry->state != SB_DEFINITION_KNOWN) {
        continue;
      }
      reader->wired_element = NULL;
      entry->state = evaluate(reader, entry) ? SB_DEFINITION_KNOWN : SB_DEFINITION_FAILED;
      more = more || (open && !entry->dimension.any);
    }
  }
  reader->wired_before = false;
  reader->wired_element = NULL;
}

void sb_build_signals(sb_reader *reader) {
  static const sb_definition_sort sort = {"signals", evaluate, report_circle};
  sb_definitions *all = &reader->signals;
  sb_item *item = NULL;
  all->sort = &sort;
  while ((item = sb_next_item(reader, item, "signal")) != NULL) {
    const sb_definition entry = {.item = (int)(item - reader->items), .dimension = {.any = true}};
    item->part = all->count;
    if (!sb_append(&all->entries, &all->count, &all->capacity, sizeof entry, &entry)) {
      sb_report_memory(reader);
      return;
    }
  }
  sb_resolve_all(reader, all);
  read_again(reader);
  for (int i = 0; i < all->count; i++) {
    sb_element *element = reader->items[all->entries[i].item].element;
    if (element != NULL) {
      element->failed = all->entries[i].state != SB_DEFINITION_KNOWN;
    }
  }
}
