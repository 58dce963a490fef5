// SPDX-License-Identifier: GPL-3.0-or-later
// Expressions of variables: laws over e or f, energies over q or p, sources over t.
#include <string.h>

#include "core/number.h"
#include "core/utf8.h"
#include "netlist/build/build.h"
#include "netlist/reader/expand.h"

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

static bool is_argument(const sb_argument *arguments, const char *name, size_t length) {
  for (const sb_argument *a = arguments; a != NULL && a->name != NULL; a++) {
    if (strlen(a->name) == length && memcmp(a->name, name, length) == 0) {
      return true;
    }
  }
  return false;
}

/** The bytes of the name that the text begins with. */
static size_t name_length(const char *text) {
  size_t length = 0;
  while (is_letter(text[length]) || (length > 0 && text[length] >= '0' && text[length] <= '9')) {
    length++;
  }
  return length;
}

/** The bytes of a name with the indices in brackets behind it. */
static size_t indexed_length(const char *text) {
  size_t length = name_length(text);
  while (length > 0 && text[length] == '[') {
    length += strcspn(text + length, "]");
    length += text[length] == ']';
  }
  return length;
}

/** The next name of a text, its bytes in *length; NULL: none. Units are passed over. */
static const char *next_name(const char *at, size_t *length) {
  size_t size = strlen(at);
  for (const char *end = at + size; at < end;) {
    double number;
    size_t used = 0;
    *length = indexed_length(at);
    if (*length > 0) {
      return at;
    }
    if (*at == '[') {
      at += strcspn(at, "]");
    } else if ((void)sb_number_parse(at, (size_t)(end - at), &number, &used), used > 0) {
      at += used;
      at += name_length(at); // a unit right behind it
    } else {
      at++;
    }
  }
  return NULL;
}

static bool is_indexed(const char *name, size_t length) {
  return memchr(name, '[', length) != NULL;
}

/** v[k-1] as v[2], for the setting that is being read. */
static bool plain_name(void *context, const char *name, size_t length,
                       char out[SB_VALUE_NAME_MAX + 1]) {
  sb_reader *reader = context;
  return sb_plain_name(reader, reader->setting, name, length, out);
}

/** What is wrong with a name with an index that is that of no signal. */
static void report_indexed(sb_reader *reader, const sb_setting *setting, const char *plain,
                           int column) {
  size_t length = strlen(plain);
  int item = sb_scope_find_in(reader, setting->scope, plain, length);
  sb_error err;
  if (item >= 0 ? reader->items[item].tag == NULL : reader->unfinished) {
    return; // left out, and reported
  }
  (void)sb_fail(&err, SB_ERR_REFERENCE, "there is no signal '%.80s'", plain);
  (void)sb_reader_scope(reader, setting);
  sb_hint_name(reader, plain, length, true, &err);
  err.column = column;
  sb_report_value(reader, setting, &err);
}

/** The signal that a part of a setting names; -1: none. */
static int find_named(sb_reader *reader, const sb_setting *setting, const char *name, size_t length,
                      int column) {
  char plain[SB_PATH_MAX + 1];
  if (!is_indexed(name, length)) {
    return sb_find_signal(reader, setting->scope, name, length);
  }
  reader->poisoned = true; // unless it is a signal
  if (!sb_plain_name(reader, setting, name, length, plain)) {
    return -1;
  }
  int item = sb_find_signal(reader, setting->scope, plain, strlen(plain));
  if (item < 0) {
    report_indexed(reader, setting, plain, column);
  }
  reader->poisoned = item < 0;
  return item;
}

bool sb_is_formula(const sb_reader *reader, const sb_setting *setting, const sb_param *row) {
  size_t length = 0;
  for (const char *at = next_name(setting->value, &length); at != NULL;
       at = next_name(at + length, &length)) {
    if (is_argument(row->arguments, at, length) ||
        (row->signals &&
         (is_indexed(at, length) || sb_find_signal(reader, setting->scope, at, length) >= 0))) {
      return true;
    }
  }
  return false;
}

/** Connects all signals that a text names to the element.
 *  @return false after a fault, or while one of them is not known yet */
static bool wire_signals(sb_reader *reader, const sb_setting *setting, const sb_param *row,
                         const sb_element *element) {
  size_t length = 0;
  bool known = true;
  for (int pass = 0; pass < 2 && known; pass++) { // no wire before all are known
    for (const char *at = next_name(setting->value, &length); at != NULL;
         at = next_name(at + length, &length)) {
      int column = sb_utf8_count(setting->value, (size_t)(at - setting->value)) + 1;
      int item = is_argument(row->arguments, at, length)
                     ? -1
                     : find_named(reader, setting, at, length, column);
      if (item < 0 && is_indexed(at, length)) {
        return false; // reported
      }
      if (item >= 0) {
        known = (pass == 0 ? sb_signal_wait(reader, item)
                           : sb_wire_signal(reader, setting, element, item, column)) &&
                known;
      }
    }
  }
  return known;
}

/** A fault at the first place where a variable is named. */
static void report_at_variable(sb_reader *reader, const sb_setting *setting,
                               const sb_expression *expression, int slot, sb_error *err) {
  int count;
  const sb_node *nodes = sb_expression_nodes(expression, &count);
  for (int i = 0; i < count; i++) {
    if (nodes[i].variable == slot) {
      err->column = sb_utf8_count(setting->value, (size_t)nodes[i].at) + 1;
      break;
    }
  }
  sb_report_value(reader, setting, err);
}

bool sb_check_names(sb_reader *reader, const sb_setting *setting, const sb_param *row,
                    const sb_expression *expression) {
  for (int i = 0; row->arguments[i].name != NULL; i++) {
    const sb_argument *a = &row->arguments[i];
    if (!sb_expression_uses(expression, i)) {
      continue;
    }
    bool signal =
        row->signals && sb_find_signal(reader, setting->scope, a->name, strlen(a->name)) >= 0;
    if (signal || sb_find_parameter(reader, setting->scope, a->name, strlen(a->name)) >= 0) {
      const char *kind = signal ? "signal" : "parameter";
      sb_error err;
      (void)sb_fail(&err, SB_ERR_DUPLICATE, "'%s' is the variable of this expression and also a %s",
                    a->name, kind);
      sb_error_hint(&err, "give the %s another id", kind);
      report_at_variable(reader, setting, expression, i, &err);
      return false;
    }
  }
  return true;
}

/** The unit of the result, which may depend on the variables. */
static const char *result_unit(const sb_param *row, const sb_expression *expression) {
  const char *unit = row->unit;
  for (int i = 0; row->arguments[i].name != NULL; i++) {
    const sb_argument *a = &row->arguments[i];
    unit = a->result != NULL && sb_expression_uses(expression, i) ? a->result : unit;
  }
  return unit;
}

static bool check_result(sb_reader *reader, const sb_setting *setting, const char *unit,
                         const sb_element *element, const sb_dimension *dimension) {
  sb_error err = {0};
  sb_dimension expected;
  if (sb_row_dimension(reader, unit, element, &expected, &err) != SB_OK) {
    if (dimension->any || reader->domain_failed) {
      return dimension->any;
    }
    sb_report_value(reader, setting, &err);
    return false;
  }
  if (sb_dimension_fits(dimension, &expected)) {
    return true;
  }
  static const sb_dimension pure = {0};
  char wanted[SB_DIMENSION_SIZE], got[SB_DIMENSION_SIZE];
  bool is_pure = sb_dimension_equal(dimension, &pure),
       wants_pure = sb_dimension_equal(&expected, &pure);
  (void)sb_unit_describe(&expected, wanted, sizeof wanted);
  (void)sb_unit_describe(dimension, got, sizeof got);
  (void)sb_fail(&err, SB_ERR_DIMENSION, "the expression is %s%s, expected is a %s%s",
                is_pure ? "a pure number" : "in ", is_pure ? "" : got,
                wants_pure ? "pure number" : "unit like ", wants_pure ? "" : wanted);
  if (is_pure) {
    sb_error_hint(&err, "a number with a unit is written 50[ms]");
  }
  err.column = 1;
  sb_report_value(reader, setting, &err);
  return false;
}

/** The variables of the row, then the signals connected to the element. */
static int list_variables(const sb_reader *reader, const sb_param *row, const sb_element *element,
                          sb_value_variable variables[]) {
  int count = 0;
  for (const sb_argument *a = row->arguments; a->name != NULL; a++, count++) {
    variables[count] = (sb_value_variable){.name = a->name};
    // A domain that is missing is reported where the result has a dimension.
    sb_error unused = {0};
    (void)sb_row_dimension(reader, a->unit, element, &variables[count].dimension, &unused);
  }
  for (int i = 0; row->signals && reader->wired_element == element && i < reader->wired_count;
       i++) {
    const sb_item *item = &reader->items[reader->wired[i]];
    const char *name = item->id + reader->scopes[item->scope].length;
    variables[count++] = (sb_value_variable){
        .name = name, .dimension = *sb_signal_dimension(reader, reader->wired[i]), .signal = true};
  }
  return count;
}

bool sb_compile_formula(sb_reader *reader, const sb_setting *setting, const sb_param *row,
                        const sb_element *element, sb_expression **expression,
                        sb_dimension *dimension) {
  sb_value_variable variables[SB_EXPRESSION_VARIABLES_MAX];
  sb_error err = {0};
  *expression = NULL;
  reader->poisoned = false;
  reader->wanted = -1;
  if (row->signals && !wire_signals(reader, setting, row, element)) {
    return false;
  }
  int count = list_variables(reader, row, element, variables);
  sb_value_scope scope = sb_reader_scope(reader, setting);
  scope.plain = row->signals ? plain_name : NULL;
  sb_status status = sb_value_compile(setting->value, 0, strlen(setting->value), &scope, variables,
                                      count, expression, dimension, &err);
  if (!reader->poisoned && status == SB_OK) {
    return true;
  }
  if (!reader->poisoned) {
    sb_hint_value(reader, setting->value, row, &err);
    sb_report_value(reader, setting, &err);
  }
  sb_expression_destroy(*expression);
  *expression = NULL;
  return false;
}

bool sb_read_formula(sb_reader *reader, const sb_setting *setting, const sb_param *row, void *self,
                     const sb_element *element) {
  sb_expression *expression;
  sb_dimension dimension;
  if (!sb_compile_formula(reader, setting, row, element, &expression, &dimension)) {
    return false;
  }
  if (!sb_check_names(reader, setting, row, expression) ||
      !check_result(reader, setting, result_unit(row, expression), element, &dimension)) {
    sb_expression_destroy(expression);
    return false;
  }
  sb_expression_fold(expression);
  sb_param_take(row, self, expression);
  return true;
}
