// SPDX-License-Identifier: GPL-3.0-or-later
// Expressions of units, by recursive descent:
//   product = factor { ("." | "*" | "/") factor }
//   factor  = ( "(" product ")" | "1" | name ) [ "^" exponent ]
#include "netlist/value/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/utf8.h"
#include "netlist/value/unit_table.h"

enum { DEPTH_MAX = 8, DIGITS_MAX = 6 };

/** A unit being read; `at` is the next byte. */
typedef struct reader {
  const char *text;
  size_t length, at;
  int depth;
  sb_error *err;
} reader;

typedef struct quantity {
  sb_dimension dimension;
  double scale;
} quantity;

/** The place of an error just worded. */
static sb_status place(const reader *in, size_t at, sb_status status) {
  if (in->err != NULL) {
    in->err->column = sb_utf8_count(in->text, at) + 1;
  }
  return status;
}

static char peek(const reader *in) {
  return in->at < in->length ? in->text[in->at] : '\0';
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '%' || c == '_' ||
         (unsigned char)c >= 0x80;
}

/** More digits of *value; each adds a decimal place to *power, if that is not NULL. */
static bool read_digits(reader *in, int *value, int *power) {
  int count = 0;
  for (; is_digit(peek(in)); in->at++, count++) {
    if (*value >= 100000 || count == DIGITS_MAX) {
      return false;
    }
    *value = 10 * *value + (in->text[in->at] - '0');
    if (power != NULL) {
      *power *= 10;
    }
  }
  return count > 0;
}

/** 2, -1, 1.5; in brackets also 3/2. */
static sb_status read_exponent(reader *in, int *numerator, int *denominator) {
  size_t start = in->at;
  bool bracket = peek(in) == '(';
  in->at += bracket;
  bool negative = peek(in) == '-';
  in->at += negative || peek(in) == '+';
  *numerator = 0;
  *denominator = 1;
  bool good = read_digits(in, numerator, NULL);
  // In m^2.s the point begins the next factor.
  if (good && peek(in) == '.' && in->at + 1 < in->length && is_digit(in->text[in->at + 1])) {
    in->at++;
    good = read_digits(in, numerator, denominator);
  } else if (good && bracket && peek(in) == '/') {
    in->at++;
    *denominator = 0;
    good = read_digits(in, denominator, NULL) && *denominator > 0;
  }
  good = good && (!bracket || peek(in) == ')');
  if (!good) {
    sb_status status = sb_fail(in->err, SB_ERR_UNIT, "an exponent is missing or malformed");
    sb_error_hint(in->err, "for instance m^2, s^-1, m^1.5 or m^(3/2)");
    return place(in, start, status);
  }
  in->at += bracket;
  *numerator = negative ? -*numerator : *numerator;
  return SB_OK;
}

static sb_status raise(reader *in, quantity *base) {
  size_t start = in->at;
  int numerator, denominator;
  SB_TRY(read_exponent(in, &numerator, &denominator));
  sb_dimension power = {0};
  if (!sb_dimension_multiply(&power, &base->dimension, numerator, denominator)) {
    return place(in, start,
                 sb_fail(in->err, SB_ERR_UNIT,
                         "the exponent is too large, or not a multiple of 1/%d", SB_EXPONENT_ONE));
  }
  base->dimension = power;
  base->scale = pow(base->scale, (double)numerator / denominator);
  return SB_OK;
}

static sb_status read_name(reader *in, quantity *out) {
  size_t start = in->at;
  while (is_name(peek(in))) {
    in->at++;
  }
  const char *name = in->text + start;
  size_t length = in->at - start;
  if (!sb_unit_find(name, length, &out->dimension, &out->scale)) {
    sb_status status = sb_fail(in->err, SB_ERR_UNIT, "unknown unit '%.*s'",
                               (int)(length < 60 ? length : 60), name);
    sb_unit_hint(name, length, in->err);
    if (peek(in) == '(' && in->err != NULL && in->err->hint[0] == '\0') {
      sb_error_hint(in->err, "in an expression units are written in brackets: 50[ms]*sqrt(2)");
    }
    return place(in, start, status);
  }
  return SB_OK;
}

static sb_status read_product(reader *in, quantity *out);

static sb_status read_group(reader *in, quantity *out) {
  size_t start = in->at++;
  if (++in->depth > DEPTH_MAX) {
    return place(in, start, sb_fail(in->err, SB_ERR_UNIT, "too many brackets in a unit"));
  }
  SB_TRY(read_product(in, out));
  in->depth--;
  if (peek(in) != ')' && memchr(in->text + in->at, ')', in->length - in->at) != NULL) {
    sb_status status = sb_fail(in->err, SB_ERR_UNIT, "'%c' does not belong in a unit", peek(in));
    sb_error_hint(in->err, "in an expression units are written in brackets: 5[V]/(1 - x)");
    return place(in, in->at, status);
  }
  if (peek(in) != ')') {
    return place(in, start, sb_fail(in->err, SB_ERR_UNIT, "a bracket is not closed"));
  }
  in->at++;
  return SB_OK;
}

static sb_status read_factor(reader *in, quantity *out) {
  size_t start = in->at;
  *out = (quantity){.scale = 1};
  if (peek(in) == '(') {
    SB_TRY(read_group(in, out));
  } else if (is_name(peek(in))) {
    SB_TRY(read_name(in, out));
  } else if (peek(in) == '1' && !(in->at + 1 < in->length && is_digit(in->text[in->at + 1]))) {
    in->at++;
  } else if (is_digit(peek(in))) {
    sb_status status = sb_fail(in->err, SB_ERR_UNIT, "a unit cannot contain a number other than 1");
    sb_error_hint(in->err, "a fractional exponent is written in brackets: N/m^(3/2)");
    return place(in, start, status);
  } else {
    return place(in, start, sb_fail(in->err, SB_ERR_UNIT, "a unit is missing here"));
  }
  if (peek(in) == '^') {
    in->at++;
    SB_TRY(raise(in, out));
  }
  return SB_OK;
}

static sb_status read_product(reader *in, quantity *out) {
  SB_TRY(read_factor(in, out));
  for (char sign = peek(in); sign == '.' || sign == '*' || sign == '/'; sign = peek(in)) {
    size_t start = in->at++;
    quantity factor;
    SB_TRY(read_factor(in, &factor));
    if (!sb_dimension_multiply(&out->dimension, &factor.dimension, sign == '/' ? -1 : 1, 1)) {
      return place(in, start, sb_fail(in->err, SB_ERR_UNIT, "an exponent becomes too large"));
    }
    out->scale = sign == '/' ? out->scale / factor.scale : out->scale * factor.scale;
  }
  return SB_OK;
}

sb_status sb_unit_parse(const char *text, size_t length, sb_dimension *dimension, double *scale,
                        sb_error *err) {
  reader in = {.text = text, .length = length, .err = err};
  quantity out;
  SB_TRY(read_product(&in, &out));
  if (in.at < length) {
    int size = sb_utf8_decode(text + in.at, length - in.at, NULL);
    sb_status status = sb_fail(err, SB_ERR_UNIT, "'%.*s' does not belong in a unit",
                               size > 0 ? size : 0, text + in.at);
    if (text[in.at] >= '0' && text[in.at] <= '9') {
      sb_error_hint(err, "a power is written with ^, as in m^2");
    }
    return place(&in, in.at, status);
  }
  if (!isnormal(out.scale)) {
    return place(&in, 0, sb_fail(err, SB_ERR_UNIT, "the unit is too large or too small"));
  }
  *dimension = out.dimension;
  *scale = out.scale;
  return SB_OK;
}

double sb_unit_to_si(double value, double scale) {
  // 1e-6 is not a binary number but 1e6 is: dividing by it rounds once only.
  double inverse = nearbyint(1 / scale);
  bool exact = inverse > 1 && inverse <= 1e15 && 1 / inverse == scale;
  return exact ? value / inverse : value * scale;
}

enum { NAMES_MAX = 2 };

/** Names of a dimension, those of an energy before those of a domain.  @return how many */
static int find_names(const sb_dimension *dimension, const char *names[NAMES_MAX]) {
  static const char *const known[] = {
      "F",     "V",   "A",     "ohm",       "H",     "C",       "Wb",   "N",        "J",
      "N.m",   "W",   "Pa",    "Hz",        "rad/s", "rad/s^2", "m/s",  "m/s^2",    "N/m",
      "N.s/m", "N.s", "N.m.s", "N/m^(3/2)", "s/m",   "m^3/s",   "Pa.s", "Pa.s/m^3", "kg.m^2",
      "W/K",   "J/K", "K.s",   "S",         "T",     "K^2/W",
  };
  int found = 0;
  for (size_t i = 0; i < sizeof known / sizeof *known && found < NAMES_MAX; i++) {
    sb_dimension other;
    double scale;
    if (sb_unit_parse(known[i], strlen(known[i]), &other, &scale, NULL) == SB_OK &&
        sb_dimension_equal(dimension, &other)) {
      names[found++] = known[i];
    }
  }
  return found;
}

int sb_unit_describe(const sb_dimension *dimension, char *buffer, size_t size) {
  const char *names[NAMES_MAX];
  int found = find_names(dimension, names);
  return found == 0   ? sb_dimension_format(dimension, buffer, size)
         : found == 1 ? snprintf(buffer, size, "%s", names[0])
                      : snprintf(buffer, size, "%s or %s", names[0], names[1]);
}

int sb_unit_name(const sb_dimension *dimension, char *buffer, size_t size) {
  const char *names[NAMES_MAX];
  int found = find_names(dimension, names);
  return found == 0 ? sb_dimension_format(dimension, buffer, size)
                    : snprintf(buffer, size, "%s", names[found - 1]);
}
