// SPDX-License-Identifier: GPL-3.0-or-later
// Exponents of the base units: products, powers, and how people write them.
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "netlist/value/unit.h"

bool sb_dimension_equal(const sb_dimension *a, const sb_dimension *b) {
  return memcmp(a->exponent, b->exponent, sizeof a->exponent) == 0;
}

bool sb_dimension_fits(const sb_dimension *a, const sb_dimension *b) {
  return a->any || b->any || sb_dimension_equal(a, b);
}

bool sb_dimension_multiply(sb_dimension *a, const sb_dimension *b, int numerator, int denominator) {
  assert(denominator > 0);
  sb_dimension product = {.any = a->any && b->any};
  for (int i = 0; i < SB_DIMENSION_BASES; i++) {
    long long part = (long long)b->exponent[i] * numerator;
    if (part % denominator != 0) {
      return false;
    }
    long long sum = a->exponent[i] + part / denominator;
    if (llabs(sum) > (long long)SB_DIMENSION_LIMIT * SB_DIMENSION_PART) {
      return false;
    }
    product.exponent[i] = (int)sum;
  }
  *a = product;
  return true;
}

/** Appends to a text of at most `size` bytes. */
static void append(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void append(char *text, size_t size, const char *format, ...) {
  size_t length = strlen(text);
  va_list args;
  va_start(args, format);
  (void)vsnprintf(text + length, size - length, format, args);
  va_end(args);
}

static int gcd(int a, int b) {
  return b == 0 ? a : gcd(b, a % b);
}

/** The factors whose exponents have this sign, joined by points. Returns how many there are. */
static int format_side(const sb_dimension *dimension, int sign, char *text, size_t size) {
  static const struct {
    const char *name;
    int base;
  } order[] = {{"kg", 1}, {"m", 0}, {"s", 2}, {"A", 3}, {"K", 4}, {"mol", 5}, {"cd", 6}};
  int count = 0;
  for (int i = 0; i < SB_DIMENSION_BASES; i++) {
    int part = sign * dimension->exponent[order[i].base];
    if (part <= 0) {
      continue;
    }
    int divisor = gcd(part, SB_DIMENSION_PART);
    int top = part / divisor, bottom = SB_DIMENSION_PART / divisor;
    append(text, size, "%s%s", count > 0 ? "." : "", order[i].name);
    if (bottom != 1) {
      append(text, size, "^(%d/%d)", top, bottom);
    } else if (top != 1) {
      append(text, size, "^%d", top);
    }
    count++;
  }
  return count;
}

int sb_dimension_format(const sb_dimension *dimension, char *buffer, size_t size) {
  char above[SB_DIMENSION_SIZE] = "", below[SB_DIMENSION_SIZE] = "";
  int factors = format_side(dimension, 1, above, sizeof above);
  int divisors = format_side(dimension, -1, below, sizeof below);
  return snprintf(buffer, size, divisors > 1 ? "%s%s(%s)" : "%s%s%s", factors > 0 ? above : "1",
                  divisors > 0 ? "/" : "", below);
}

int sb_unit_describe(const sb_dimension *dimension, char *buffer, size_t size) {
  static const char *const known[] = {
      "F",     "V",        "A",      "ohm", "H",     "C",         "Wb",      "N",
      "J",     "N.m",      "W",      "Pa",  "Hz",    "rad/s",     "rad/s^2", "m/s",
      "m/s^2", "N/m",      "N.s/m",  "N.s", "N.m.s", "N/m^(3/2)", "s/m",     "m^3/s",
      "Pa.s",  "Pa.s/m^3", "kg.m^2", "W/K", "J/K",   "K.s",       "S",       "T",
  };
  char text[SB_DIMENSION_SIZE] = "";
  int found = 0;
  for (size_t i = 0; i < sizeof known / sizeof *known && found < 2; i++) {
    sb_dimension other;
    double scale;
    if (sb_unit_parse(known[i], strlen(known[i]), &other, &scale, NULL) == SB_OK &&
        sb_dimension_equal(dimension, &other)) {
      append(text, sizeof text, "%s%s", found++ > 0 ? " or " : "", known[i]);
    }
  }
  return found > 0 ? snprintf(buffer, size, "%s", text)
                   : sb_dimension_format(dimension, buffer, size);
}
