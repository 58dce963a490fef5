// SPDX-License-Identifier: GPL-3.0-or-later
// Exponents of the base units: products, powers, and their text.
#include "netlist/value/dimension.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool sb_dimension_equal(const sb_dimension *a, const sb_dimension *b) {
  return memcmp(a->exponent, b->exponent, sizeof a->exponent) == 0;
}

bool sb_dimension_fits(const sb_dimension *a, const sb_dimension *b) {
  return a->any || b->any || sb_dimension_equal(a, b);
}

/** An exponent of what has no dimension, within the same bounds. */
static int scaled(int exponent, int numerator, int denominator) {
  const long long limit = (long long)SB_DIMENSION_LIMIT * SB_EXPONENT_ONE;
  long long raised = (long long)exponent * numerator / denominator;
  return (int)(raised > limit ? limit : raised < -limit ? -limit : raised);
}

bool sb_dimension_multiply(sb_dimension *a, const sb_dimension *b, int numerator, int denominator) {
  assert(denominator > 0);
  sb_dimension product = {.any = a->any && b->any, .lost = a->lost || b->lost};
  for (int i = 0; i < SB_DIMENSION_BASES; i++) {
    long long raised = (long long)b->exponent[i] * numerator;
    if (raised % denominator != 0) {
      return false;
    }
    long long sum = a->exponent[i] + raised / denominator;
    if (llabs(sum) > (long long)SB_DIMENSION_LIMIT * SB_EXPONENT_ONE) {
      return false;
    }
    product.exponent[i] = (int)sum;
  }
  product.angle = a->angle + scaled(b->angle, numerator, denominator);
  product.cycle = a->cycle + scaled(b->cycle, numerator, denominator);
  product.pi = a->pi + scaled(b->pi, numerator, denominator);
  product.lost = product.lost || (a->angle != 0 && b->angle != 0 && product.angle == 0);
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
    int exponent = sign * dimension->exponent[order[i].base];
    if (exponent <= 0) {
      continue;
    }
    int divisor = gcd(exponent, SB_EXPONENT_ONE);
    int top = exponent / divisor, bottom = SB_EXPONENT_ONE / divisor;
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
