// SPDX-License-Identifier: GPL-3.0-or-later
// A value is a list of items, numbers, parameters and expressions, with one unit after it. It is read once
// to check it and to find the unit, and once more if there is one.
#include "netlist/value/value.h"

#include <math.h>
#include <string.h>

#include "core/base/number.h"
#include "core/base/utf8.h"
#include "netlist/value/angle.h"
#include "netlist/value/words_private.h"

/** What is wrong with text that is neither a number nor a name. */
static sb_status not_a_number(const sb_value_reader *in, size_t at) {
  size_t length = sb_value_word_end(in, at) - at;
  sb_status status = sb_fail(in->err, SB_ERR_NUMBER, "'%.*s' is not a number",
                             sb_value_shown(in->text + at, length), in->text + at);
  if (in->text[at] == ',' || in->text[at] == ';') {
    sb_error_hint(in->err,
                  "the decimal sign is a point, and blanks separate the numbers of a list");
  } else if (in->text[at] == '$') {
    sb_error_hint(in->err, "a parameter is written by its name alone");
  }
  return sb_value_at(in, at, status);
}

/** Takes the dimension of a unit or a parameter into that of the whole value. *number, in SI, becomes
 *  a frequency where one is meant and an angular velocity is stated. */
static sb_status join(sb_value_reader *in, size_t at, size_t length, const char *what,
                      const sb_dimension *dimension, double *number) {
  const sb_dimension *expected = in->expected != NULL ? in->expected : &in->dimension;
  double factor;
  if (!sb_dimension_fits(dimension, expected)) {
    return sb_value_misfit(in, at, length, what, dimension, expected);
  }
  if (!sb_angle_convert(dimension, expected, &factor)) {
    return sb_value_at(in, at,
                       sb_angle_refuse(what, in->text + at, sb_value_shown(in->text + at, length),
                                       dimension, expected, in->err));
  }
  *number *= factor;
  if (in->dimension.any) {
    in->dimension = factor == 1 ? *dimension : *expected;
  }
  return SB_OK;
}

static sb_status store(sb_value_reader *in, size_t at, double value) {
  if (in->count >= in->max) {
    return sb_value_at(in, at,
                       sb_fail(in->err, SB_ERR_DIMENSION, "too many numbers: expected %s%d",
                               in->max > 1 ? "at most " : "", in->max));
  }
  if (!isfinite(value)) {
    return sb_value_at(in, at, sb_fail(in->err, SB_ERR_NUMBER, "the value is too large"));
  }
  in->values[in->count++] = value;
  return SB_OK;
}

/** The unit, which reaches to the end of the text. */
static sb_status read_unit(sb_value_reader *in, size_t at) {
  size_t end = sb_value_word_end(in, at);
  if (sb_value_skip_blanks(in, end) < in->end) {
    sb_status status = sb_fail(in->err, SB_ERR_UNIT, "nothing may follow the unit");
    sb_error_hint(in->err, "a unit has no blanks (kg.m^2) and comes once, after the last number");
    return sb_value_at(in, sb_value_skip_blanks(in, end), status);
  }
  sb_dimension dimension;
  sb_status status = sb_unit_parse(in->text + at, end - at, &dimension, &in->scale, in->err);
  if (status != SB_OK) {
    if (in->err != NULL) {
      in->err->column += sb_utf8_count(in->text, at);
    }
    return status;
  }
  in->has_unit = true;
  in->at = in->end;
  return join(in, at, end - at, "the unit", &dimension, &in->scale);
}

/** The second half of 3/2. */
static sb_status read_divisor(sb_value_reader *in, double *value) {
  size_t start = in->at + 1, used;
  double divisor;
  sb_status status = sb_number_parse(in->text + start, in->end - start, &divisor, &used);
  if (status != SB_OK || divisor == 0) {
    return sb_value_at(in, start, sb_fail(in->err, SB_ERR_NUMBER, "cannot divide by this"));
  }
  in->at = start + used;
  *value /= divisor;
  return SB_OK;
}

/** The first subexpression that is not finite. */
static sb_status not_finite(const sb_value_reader *in, const sb_expression *expression,
                            size_t start) {
  int count, i = 0;
  const sb_node *nodes = sb_expression_nodes(expression, &count);
  while (i < count - 1 && isfinite(sb_expression_constant(expression, i))) {
    i++;
  }
  const sb_node *node = &nodes[i];
  const char *text = in->text + start + node->start;
  return sb_value_at(in, start + (size_t)node->at,
                     sb_fail(in->err, SB_ERR_NUMBER, "'%.*s' is not a finite number",
                             sb_value_shown(text, (size_t)(node->end - node->start)), text));
}

static sb_status read_expression(sb_value_reader *in, size_t start, size_t end) {
  static const sb_dimension pure = {0};
  sb_expression *expression;
  sb_dimension dimension;
  SB_TRY(
      sb_value_compile(in->text, start, end, in->scope, NULL, 0, &expression, &dimension, in->err));
  double value = sb_expression_value(expression, NULL);
  sb_status status = isfinite(value) ? SB_OK : not_finite(in, expression, start);
  sb_expression_destroy(expression);
  SB_TRY(status);
  status = join(in, start, end - start, "the expression", &dimension, &value);
  if (status == SB_ERR_DIMENSION && sb_dimension_equal(&dimension, &pure)) {
    sb_error_hint(in->err, "inside an expression a bare number is a pure number; "
                           "units are written in brackets: 50[ms]");
  }
  SB_TRY(status);
  SB_TRY(store(in, start, value));
  in->at = end;
  in->after_number = false;
  return SB_OK;
}

/** Whether what begins with a number goes on as an expression: 2*R0, 50[ms], 3/2*x. */
static bool begins_expression(const sb_value_reader *in, size_t start, size_t end) {
  double number;
  size_t used = 0, at = start;
  (void)sb_number_parse(in->text + at, in->end - at, &number, &used);
  at += used;
  if (sb_value_char(in, at) == '/' && sb_value_is_digit(sb_value_char(in, at + 1))) {
    (void)sb_number_parse(in->text + at + 1, in->end - at - 1, &number, &used);
    at += used + 1;
  }
  size_t next = sb_value_skip_blanks(in, at);
  return used > 0 && next < end && strchr("+-*/^([<>=!", in->text[next]) != NULL;
}

static sb_status read_number(sb_value_reader *in) {
  size_t start = in->at, used;
  double value;
  size_t item_end = sb_value_item_end(in, start);
  if (begins_expression(in, start, item_end)) {
    return read_expression(in, start, item_end);
  }
  if (sb_number_parse(in->text + start, in->end - start, &value, &used) != SB_OK) {
    return sb_value_at(in, start,
                       sb_fail(in->err, SB_ERR_NUMBER, "the number is too large or too long"));
  }
  in->at = start + used;
  if (sb_value_char(in, in->at) == '/' && sb_value_is_digit(sb_value_char(in, in->at + 1))) {
    SB_TRY(read_divisor(in, &value));
  }
  SB_TRY(store(in, start, sb_unit_to_si(value, in->scale)));
  in->after_number = true;
  char next = sb_value_char(in, in->at);
  if (sb_value_is_letter(next) || next == '%') {
    return read_unit(in, in->at);
  }
  return sb_value_ends_word(in, in->at) ? SB_OK : not_a_number(in, in->at);
}

static bool look_up(const sb_value_reader *in, size_t at, size_t end, double *value,
                    sb_dimension *dimension) {
  *dimension = (sb_dimension){.any = true};
  return in->scope != NULL &&
         in->scope->lookup(in->scope->context, in->text + at, end - at, value, dimension);
}

/** Whether there is a parameter of this name. */
static bool is_name(const sb_value_reader *in, size_t at, size_t end) {
  return in->scope != NULL &&
         in->scope->lookup(in->scope->context, in->text + at, end - at, NULL, NULL);
}

static bool is_unit(const sb_value_reader *in, size_t at, size_t end) {
  sb_dimension dimension;
  double scale;
  return sb_unit_parse(in->text + at, end - at, &dimension, &scale, NULL) == SB_OK;
}

static sb_status unknown(const sb_value_reader *in, size_t at, size_t end) {
  sb_status status = sb_fail(in->err, SB_ERR_REFERENCE, "unknown parameter '%.*s'",
                             sb_value_shown(in->text + at, end - at), in->text + at);
  if (is_unit(in, at, end)) {
    sb_error_hint(in->err, in->count == 0 ? "a number is missing before the unit"
                                          : "the unit comes once, after the last number");
  } else if (in->max == 3 && in->count == 0 && sb_value_skip_blanks(in, end) == in->end) {
    sb_error_hint(in->err, "three numbers may stand here, as in \"0 1 0\"");
  }
  return sb_value_at(in, at, status);
}

/** What may be meant where the parameter 'm' does not fit in "0 0 L/2 m". */
static sb_status hint_unit(const sb_value_reader *in, size_t at, size_t end, sb_status status) {
  if (status != SB_OK && in->count > 0 && !in->after_number && is_unit(in, at, end)) {
    sb_error_hint(in->err,
                  "after an expression, which has a unit of its own, '%.*s' is the parameter of "
                  "this name, not the unit",
                  sb_value_shown(in->text + at, end - at), in->text + at);
  }
  return status;
}

/** A name of a parameter, perhaps with a sign. */
static sb_status read_parameter(sb_value_reader *in) {
  bool negative = in->text[in->at] == '-';
  size_t start = in->at + (negative || in->text[in->at] == '+');
  size_t end = sb_value_name_end(in, start);
  double value;
  sb_dimension dimension;
  size_t item_end = sb_value_item_end(in, in->at);
  if (end < item_end) {
    return read_expression(in, in->at, item_end);
  }
  if (!look_up(in, start, end, &value, &dimension)) {
    return unknown(in, start, end);
  }
  sb_status status = join(in, start, end - start, "the parameter", &dimension, &value);
  status = status == SB_OK ? store(in, start, negative ? -value : value) : status;
  if (status != SB_OK) {
    return start == in->at ? hint_unit(in, start, end, status) : status;
  }
  in->at = end;
  in->after_number = false;
  return SB_OK;
}

/** Whether there is a parameter of this name that may stand in the value. */
static bool may_fit(const sb_value_reader *in, size_t at, size_t end) {
  sb_dimension own = {.any = true};
  return in->scope->lookup(in->scope->context, in->text + at, end - at, NULL, &own) &&
         (in->expected == NULL || sb_dimension_fits(&own, in->expected));
}

/** Whether all names between two places are those of parameters, as in L/2. */
static bool are_names(const sb_value_reader *in, size_t at, size_t end) {
  while (at < end) {
    const size_t stop = sb_value_is_letter(in->text[at]) ? sb_value_name_end(in, at) : at + 1;
    if (sb_value_is_letter(in->text[at]) && !is_name(in, at, stop)) {
      return false;
    }
    at = stop;
  }
  return true;
}

/** Hints at the parameter of the name that was read as a unit: as one more number or, where all are there, a factor. */
static void hint_parameter(const sb_value_reader *in, size_t at, size_t end, sb_error *err) {
  sb_error_hint(err, "for the parameter of the same name write %c%.*s",
                in->count < in->max ? '+' : '*', sb_value_shown(in->text + at, end - at),
                in->text + at);
}

/** A word without a sign, after a plain number: the unit, or one more parameter. */
static sb_status read_unit_or_parameter(sb_value_reader *in) {
  size_t start = in->at, end = sb_value_word_end(in, start), name = sb_value_name_end(in, start);
  bool last = sb_value_skip_blanks(in, end) >= in->end;
  // The value of a parameter is asked for only where it is read: m = "2 m" does not depend on itself.
  bool is_parameter = name > start && is_name(in, start, name);
  if (is_parameter && !(last && is_unit(in, start, name))) {
    return read_parameter(in);
  }
  bool opens =
      sb_value_char(in, name) == '(' && (name == start || sb_value_ends_function(in, start, name));
  if (opens && !is_unit(in, start, end)) {
    return read_expression(in, start, sb_value_item_end(in, start));
  }
  if (!last && !is_unit(in, start, end)) {
    return read_parameter(in);
  }
  in->unit = is_parameter ? start : 0;
  in->unit_end = is_parameter ? name : 0;
  sb_status status = read_unit(in, start);
  if ((status == SB_ERR_DIMENSION && is_parameter && may_fit(in, start, name)) ||
      (status == SB_ERR_UNIT && is_parameter && are_names(in, start, end))) {
    hint_parameter(in, start, name, in->err);
  }
  return status;
}

/** Reads one number, parameter, expression or unit. */
static sb_status read_item(sb_value_reader *in) {
  char c = in->text[in->at];
  size_t after_sign = in->at + (c == '+' || c == '-');
  char next = sb_value_char(in, after_sign);
  bool inverse = c == '1' && sb_value_char(in, in->at + 1) == '/' &&
                 !sb_value_is_digit(sb_value_char(in, in->at + 2));
  if (in->after_number && (sb_value_is_letter(c) || c == '%' || c == '(' || inverse)) {
    return read_unit_or_parameter(in);
  }
  if (sb_value_is_digit(next) ||
      (next == '.' && sb_value_is_digit(sb_value_char(in, after_sign + 1)))) {
    return read_number(in);
  }
  if (sb_value_is_letter(next)) {
    return read_parameter(in);
  }
  return strchr("+-*/^()[]<>=!", c) != NULL
             ? read_expression(in, in->at, sb_value_item_end(in, in->at))
             : not_a_number(in, in->at);
}

static sb_status read_items(sb_value_reader *in) {
  in->count = 0;
  in->after_number = false;
  in->dimension = (sb_dimension){.any = true};
  for (in->at = sb_value_skip_blanks(in, in->start); in->at < in->end;
       in->at = sb_value_skip_blanks(in, in->at)) {
    SB_TRY(read_item(in));
  }
  if (in->count == 0) {
    return sb_value_at(in, in->start, sb_fail(in->err, SB_ERR_NUMBER, "a value is missing"));
  }
  return SB_OK;
}

sb_status sb_value_read(sb_value_reader *in) {
  in->scale = 1;
  SB_TRY(read_items(in));
  return in->has_unit ? read_items(in) : SB_OK;
}

sb_status sb_value_parse(const char *text, const sb_dimension *expected,
                         const sb_value_scope *scope, double values[], int max, int *count,
                         sb_dimension *dimension, sb_error *err) {
  sb_value_reader in = {.text = text,
                        .end = strlen(text),
                        .expected = expected,
                        .scope = scope,
                        .values = values,
                        .max = max,
                        .err = err};
  *count = 0;
  SB_TRY(sb_value_read(&in));
  *count = in.count;
  if (dimension != NULL) {
    *dimension = in.dimension;
  }
  return SB_OK;
}

void sb_value_hint_parameter(const char *text, const sb_value_scope *scope, sb_error *err) {
  double values[64]; // lists of a fixed length are shorter
  const int max = (int)(sizeof values / sizeof *values);
  sb_value_reader in = {
      .text = text, .end = strlen(text), .scope = scope, .values = values, .max = max};
  if (sb_value_read(&in) == SB_OK && in.unit_end > 0) {
    hint_parameter(&in, in.unit, in.unit_end, err);
  }
}
