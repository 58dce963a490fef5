// SPDX-License-Identifier: GPL-3.0-or-later
// The items of a value: plain numbers, parameters, and the unit behind them.
#include <math.h>
#include <string.h>

#include "core/number.h"
#include "core/utf8.h"
#include "netlist/value_private.h"

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

/** The bytes of a word to show, cut between characters. */
static int shown(const char *word, size_t length) {
  size_t size = 0;
  for (int next = 1; size < length && next > 0 && size + 4 <= QUOTE_MAX;) {
    next = sb_utf8_decode(word + size, length - size, NULL);
    size += (size_t)next;
  }
  return (int)size;
}

static sb_status not_yet(const sb_value_reader *in, size_t at) {
  sb_status status = sb_fail(in->err, SB_ERR_NOT_YET, "expressions are not supported yet");
  sb_error_hint(in->err, "write the number itself, or the name of one parameter");
  return sb_value_at(in, at, status);
}

/** What is wrong with text that is neither a number nor a name. */
static sb_status not_a_number(const sb_value_reader *in, size_t at) {
  if (strchr("+-*/^()[]<>=!&|?", in->text[at]) != NULL) {
    return not_yet(in, at);
  }
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

static sb_status read_number(sb_value_reader *in) {
  size_t start = in->at, used;
  double value;
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
  if (!ends_word(in, end)) {
    return not_yet(in, end);
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
  // Only a function's name is followed by a bracket.
  if (char_at(in, name) == '(' && !is_unit(in, start, end)) {
    return not_yet(in, name);
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
  return is_letter(next) ? read_parameter(in) : not_a_number(in, in->at);
}
