// SPDX-License-Identifier: GPL-3.0-or-later
// The items of a value: plain numbers, parameters, expressions, and the unit behind them.
#include <math.h>
#include <string.h>

#include "core/number.h"
#include "core/utf8.h"
#include "netlist/value/item_private.h"

enum { QUOTE_MAX = 60 }; // bytes of a faulty word that are shown

sb_status sb_value_at(const sb_value_reader *in, size_t at, sb_status status) {
  if (in->err != NULL) {
    in->err->column = sb_utf8_count(in->text, at) + 1;
  }
  return status;
}

static char char_at(const sb_value_reader *in, size_t at) {
  return at < in->end ? in->text[at] : '\0';
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

static bool ends_word(const sb_value_reader *in, size_t at) {
  return at >= in->end || is_blank(in->text[at]);
}

size_t sb_value_skip_blanks(const sb_value_reader *in, size_t at) {
  while (at < in->end && is_blank(in->text[at])) {
    at++;
  }
  return at;
}

size_t sb_value_word_end(const sb_value_reader *in, size_t at) {
  while (!ends_word(in, at)) {
    at++;
  }
  return at;
}

static size_t name_end(const sb_value_reader *in, size_t at) {
  while (is_letter(char_at(in, at)) || is_digit(char_at(in, at))) {
    at++;
  }
  return at;
}

/** Whether a function's name ends at `end`. */
static bool ends_function(const sb_value_reader *in, size_t start, size_t end) {
  for (const sb_function *f = sb_functions; f->name != NULL; f++) {
    if (strlen(f->name) == end - start && memcmp(f->name, in->text + start, end - start) == 0) {
      return true;
    }
  }
  return false;
}

/** Whether an item goes on behind the blanks at `at`. */
static bool goes_on(const sb_value_reader *in, size_t at, bool after_function) {
  char c = char_at(in, at);
  if (c == '+' || c == '-') {
    return in->max == 1 || at + 1 >= in->end || is_blank(in->text[at + 1]);
  }
  return c != '\0' && (strchr("*/^<>=!,)[", c) != NULL || (c == '(' && after_function));
}

size_t sb_value_item_end(const sb_value_reader *in, size_t at) {
  bool wants = true, after_function = false; // wants: what stands before is no complete operand
  for (int depth = 0; at < in->end;) {
    char c = in->text[at];
    double number;
    size_t used = 0, end = name_end(in, at);
    if (is_blank(c)) {
      size_t next = sb_value_skip_blanks(in, at);
      if (next >= in->end || (depth == 0 && !wants && !goes_on(in, next, after_function))) {
        return at;
      }
      at = next;
    } else if (is_letter(c)) {
      after_function = ends_function(in, at, end);
      wants = false;
      at = end;
    } else if ((is_digit(c) || c == '.') &&
               (sb_number_parse(in->text + at, in->end - at, &number, &used), used > 0)) {
      after_function = wants = false;
      at += used;
    } else if (c == '[') {
      while (at < in->end && in->text[at] != ']') {
        at++;
      }
      wants = after_function = false;
      at += at < in->end;
    } else {
      depth += (c == '(') - (c == ')' && depth > 0);
      wants = strchr("+-*/^<>=!(,", c) != NULL;
      after_function = false;
      at++;
    }
  }
  return at;
}

/** The bytes of a word to show, cut between characters. */
static int shown(const char *word, size_t length) {
  size_t size = 0;
  for (int next = 1; size < length && next > 0 && size + 4 <= QUOTE_MAX;) {
    next = sb_utf8_decode(word + size, length - size, NULL);
    size += (size_t)next;
  }
  return (int)size;
}

/** What is wrong with text that is neither a number nor a name. */
static sb_status not_a_number(const sb_value_reader *in, size_t at) {
  size_t length = sb_value_word_end(in, at) - at;
  sb_status status = sb_fail(in->err, SB_ERR_NUMBER, "'%.*s' is not a number",
                             shown(in->text + at, length), in->text + at);
  if (in->text[at] == ',' || in->text[at] == ';') {
    sb_error_hint(in->err, "numbers take a decimal point, lists take blanks");
  }
  return sb_value_at(in, at, status);
}

/** A unit or a parameter of a dimension that is not the one expected. */
static sb_status misfit(const sb_value_reader *in, size_t at, size_t length, const char *what,
                        const sb_dimension *got, const sb_dimension *expected) {
  static const sb_dimension pure = {0};
  char wanted[SB_DIMENSION_SIZE], own[SB_DIMENSION_SIZE];
  (void)sb_unit_describe(expected, wanted, sizeof wanted);
  (void)sb_dimension_format(got, own, sizeof own);
  bool is_pure = sb_dimension_equal(expected, &pure);
  sb_status status = sb_fail(in->err, SB_ERR_DIMENSION, "%s '%.*s' does not fit: expected %s%s",
                             what, shown(in->text + at, length), in->text + at,
                             is_pure ? "a pure number" : "a unit like ", is_pure ? "" : wanted);
  if (is_pure) {
    sb_error_hint(in->err, "%.*s is %s", shown(in->text + at, length), in->text + at, own);
  } else {
    char base[SB_DIMENSION_SIZE];
    (void)sb_dimension_format(expected, base, sizeof base);
    sb_error_hint(in->err, "%.*s is %s, expected is %s", shown(in->text + at, length),
                  in->text + at, own, base);
  }
  return sb_value_at(in, at, status);
}

/** Takes the dimension of a unit or a parameter into that of the whole value. */
static sb_status join(sb_value_reader *in, size_t at, size_t length, const char *what,
                      const sb_dimension *dimension) {
  const sb_dimension *expected = in->expected != NULL ? in->expected : &in->dimension;
  if (!sb_dimension_fits(dimension, expected)) {
    return misfit(in, at, length, what, dimension, expected);
  }
  if (in->dimension.any) {
    in->dimension = *dimension;
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
    sb_error_hint(in->err, "a unit has no blanks (kg.m^2) and comes once, behind the last number");
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
  return join(in, at, end - at, "the unit", &dimension);
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

/** The first part of an expression that is not finite. */
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
                             shown(text, (size_t)(node->end - node->start)), text));
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
  status = join(in, start, end - start, "the expression", &dimension);
  if (status == SB_ERR_DIMENSION && sb_dimension_equal(&dimension, &pure)) {
    sb_error_hint(in->err, "inside an expression a bare number is a pure number; "
                           "units stand in brackets: 50[ms]");
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
  if (char_at(in, at) == '/' && is_digit(char_at(in, at + 1))) {
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
  if (char_at(in, in->at) == '/' && is_digit(char_at(in, in->at + 1))) {
    SB_TRY(read_divisor(in, &value));
  }
  SB_TRY(store(in, start, sb_unit_to_si(value, in->scale)));
  in->after_number = true;
  char next = char_at(in, in->at);
  if (is_letter(next) || next == '%') {
    return read_unit(in, in->at);
  }
  return ends_word(in, in->at) ? SB_OK : not_a_number(in, in->at);
}

static bool look_up(const sb_value_reader *in, size_t at, size_t end, double *value,
                    sb_dimension *dimension) {
  *dimension = (sb_dimension){.any = true};
  return in->scope != NULL &&
         in->scope->lookup(in->scope->context, in->text + at, end - at, value, dimension);
}

static bool is_unit(const sb_value_reader *in, size_t at, size_t end) {
  sb_dimension dimension;
  double scale;
  return sb_unit_parse(in->text + at, end - at, &dimension, &scale, NULL) == SB_OK;
}

static sb_status unknown(const sb_value_reader *in, size_t at, size_t end) {
  sb_status status = sb_fail(in->err, SB_ERR_REFERENCE, "unknown parameter '%.*s'",
                             shown(in->text + at, end - at), in->text + at);
  if (is_unit(in, at, end)) {
    sb_error_hint(in->err, in->count == 0 ? "a number is missing before the unit"
                                          : "the unit comes once, behind the last number");
  }
  return sb_value_at(in, at, status);
}

/** A name of a parameter, perhaps with a sign. */
static sb_status read_parameter(sb_value_reader *in) {
  bool negative = in->text[in->at] == '-';
  size_t start = in->at + (negative || in->text[in->at] == '+');
  size_t end = name_end(in, start);
  double value;
  sb_dimension dimension;
  size_t item_end = sb_value_item_end(in, in->at);
  if (end < item_end) {
    return read_expression(in, in->at, item_end);
  }
  if (!look_up(in, start, end, &value, &dimension)) {
    return unknown(in, start, end);
  }
  SB_TRY(join(in, start, end - start, "the parameter", &dimension));
  SB_TRY(store(in, start, negative ? -value : value));
  in->at = end;
  in->after_number = false;
  return SB_OK;
}

/** A word without a sign, behind a plain number: the unit, or one more parameter. */
static sb_status read_unit_or_parameter(sb_value_reader *in) {
  size_t start = in->at, end = sb_value_word_end(in, start), name = name_end(in, start);
  double value;
  sb_dimension dimension;
  bool last = sb_value_skip_blanks(in, end) >= in->end;
  bool is_parameter = name > start && look_up(in, start, name, &value, &dimension);
  if (is_parameter && !(last && is_unit(in, start, name))) {
    return read_parameter(in);
  }
  bool opens = char_at(in, name) == '(' && (name == start || ends_function(in, start, name));
  if (opens && !is_unit(in, start, end)) {
    return read_expression(in, start, sb_value_item_end(in, start));
  }
  if (!last && !is_unit(in, start, end)) {
    return read_parameter(in);
  }
  sb_status status = read_unit(in, start);
  if (status == SB_ERR_DIMENSION && is_parameter) {
    sb_error_hint(in->err, "for the parameter of the same name write +%.*s",
                  shown(in->text + start, name - start), in->text + start);
  }
  return status;
}

sb_status sb_value_read_item(sb_value_reader *in) {
  char c = in->text[in->at];
  size_t after_sign = in->at + (c == '+' || c == '-');
  char next = char_at(in, after_sign);
  bool inverse = c == '1' && char_at(in, in->at + 1) == '/' && !is_digit(char_at(in, in->at + 2));
  if (in->after_number && (is_letter(c) || c == '%' || c == '(' || inverse)) {
    return read_unit_or_parameter(in);
  }
  if (is_digit(next) || (next == '.' && is_digit(char_at(in, after_sign + 1)))) {
    return read_number(in);
  }
  if (is_letter(next)) {
    return read_parameter(in);
  }
  return strchr("+-*/^()[]<>=!", c) != NULL
             ? read_expression(in, in->at, sb_value_item_end(in, in->at))
             : not_a_number(in, in->at);
}
