// SPDX-License-Identifier: GPL-3.0-or-later
// Expressions of variables: laws over e or f, energies over q or p, sources over t.
#include <string.h>

#include "core/number.h"
#include "core/utf8.h"
#include "netlist/build.h"

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

bool sb_is_formula(const char *text, const sb_param *row) {
  size_t size = strlen(text);
  for (const char *at = text; *at != '\0';) {
    double number;
    size_t used = 0, length = name_length(at);
    if (length > 0) {
      if (is_argument(row->arguments, at, length)) {
        return true;
      }
      at += length;
    } else if (*at == '[') {
      at += strcspn(at, "]");
    } else if ((void)sb_number_parse(at, size - (size_t)(at - text), &number, &used), used > 0) {
      at += used;
      at += name_length(at); // a unit right behind it
    } else {
      at++;
    }
  }
  return false;
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

/** What an expression is of: the dimension wanted and that no name is taken twice. */
static bool check_variables(sb_reader *reader, const sb_setting *setting, const sb_param *row,
                            const sb_expression *expression, const char **unit) {
  *unit = row->unit;
  for (int i = 0; row->arguments[i].name != NULL; i++) {
    const sb_argument *a = &row->arguments[i];
    if (!sb_expression_uses(expression, i)) {
      continue;
    }
    *unit = a->result != NULL ? a->result : *unit;
    if (sb_find_parameter(reader, setting->scope, a->name, strlen(a->name)) >= 0) {
      sb_error err;
      (void)sb_fail(&err, SB_ERR_DUPLICATE,
                    "'%s' is the variable of this expression and also a parameter", a->name);
      sb_error_hint(&err, "give the parameter another id");
      report_at_variable(reader, setting, expression, i, &err);
      return false;
    }
  }
  return true;
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
  bool is_pure = sb_dimension_equal(dimension, &pure);
  (void)sb_unit_describe(&expected, wanted, sizeof wanted);
  (void)sb_unit_describe(dimension, got, sizeof got);
  (void)sb_fail(&err, SB_ERR_DIMENSION, "the expression is %s%s, expected is a unit like %s",
                is_pure ? "a pure number" : "in ", is_pure ? "" : got, wanted);
  sb_error_hint(&err, "a number with a unit is written 50[ms]");
  err.column = 1;
  sb_report_value(reader, setting, &err);
  return false;
}

bool sb_read_formula(sb_reader *reader, const sb_setting *setting, const sb_param *row, void *self,
                     const sb_element *element) {
  sb_value_variable variables[SB_EXPRESSION_VARIABLES_MAX];
  sb_value_scope scope = sb_reader_scope(reader, setting);
  sb_error err = {0};
  sb_expression *expression;
  sb_dimension dimension;
  const char *unit;
  int count = 0;
  for (const sb_argument *a = row->arguments; a->name != NULL; a++, count++) {
    variables[count].name = a->name;
    // A domain that is missing is reported where the result has a dimension.
    sb_error unused = {0};
    (void)sb_row_dimension(reader, a->unit, element, &variables[count].dimension, &unused);
  }
  reader->poisoned = false;
  sb_status status = sb_value_compile(setting->value, 0, strlen(setting->value), &scope, variables,
                                      count, &expression, &dimension, &err);
  if (reader->poisoned || status != SB_OK) {
    if (!reader->poisoned) {
      sb_hint_value(reader, setting->value, row->arguments, &err);
      sb_report_value(reader, setting, &err);
    }
    sb_expression_destroy(expression);
    return false;
  }
  if (!check_variables(reader, setting, row, expression, &unit) ||
      !check_result(reader, setting, unit, element, &dimension)) {
    sb_expression_destroy(expression);
    return false;
  }
  sb_expression_fold(expression);
  sb_param_take(row, self, expression);
  return true;
}
