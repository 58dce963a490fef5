// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/decimal.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/number.h"

/** digits * 10^exponent */
typedef struct decimal {
  long long digits;
  int exponent;
} decimal;

static decimal decimal_of(double value) {
  char text[SB_NUMBER_SIZE];
  decimal d = {0};
  bool fraction = false;
  (void)sb_number_format(value, text, sizeof text);
  const char *at = text + (text[0] == '-');
  for (; (*at >= '0' && *at <= '9') || *at == '.'; at++) {
    fraction = fraction || *at == '.';
    if (*at != '.') {
      d.digits = 10 * d.digits + (*at - '0'); // at most 17
      d.exponent -= fraction ? 1 : 0;
    }
  }
  d.exponent += *at == 'e' || *at == 'E' ? (int)strtol(at + 1, NULL, 10) : 0;
  for (; d.digits != 0 && d.digits % 10 == 0; d.exponent++) {
    d.digits /= 10;
  }
  d.digits = text[0] == '-' ? -d.digits : d.digits;
  return d;
}

double sb_decimal_near(double time) {
  enum { DIGITS = 12 };
  char text[SB_NUMBER_SIZE];
  double near;
  size_t used;
  const int length = sb_number_format_short(time, DIGITS, text, sizeof text);
  const bool is = isfinite(time) && sb_number_parse(text, (size_t)length, &near, &used) == SB_OK &&
                  fabs(near - time) <= DBL_EPSILON * fabs(time);
  return is ? near : time;
}

/** Writes d with a smaller exponent, if there is room. */
static bool lower(decimal *d, int exponent) {
  for (; d->exponent > exponent && d->digits != 0; d->exponent--) {
    if (llabs(d->digits) > INT64_MAX / 100) {
      return false;
    }
    d->digits *= 10;
  }
  d->exponent = exponent;
  return true;
}

sb_grid sb_grid_make(double start, double step) {
  sb_grid grid = {.start = start, .step = step};
  decimal first = decimal_of(start), each = decimal_of(step);
  first.exponent = first.digits == 0 ? each.exponent : first.exponent;
  grid.exponent = first.exponent < each.exponent ? first.exponent : each.exponent;
  const long long most = 1000000000000000; // 15 digits
  grid.decimal =
      llabs(each.digits) < most && lower(&first, grid.exponent) && lower(&each, grid.exponent);
  const double parts = round(1 / step); // k/parts is rounded once
  grid.parts = isfinite(parts) && 1 / parts == step ? parts : 0;
  grid.decimal = grid.decimal && !(grid.parts > 0 && start == 0);
  grid.first = first.digits;
  grid.each = each.digits;
  return grid;
}

double sb_grid_at(const sb_grid *grid, long long k) {
  static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  enum { EXACT_TENS = sizeof tens / sizeof *tens };
  const long long exact = 1LL << 53;
  if (!grid->decimal || (grid->each != 0 && k > INT64_MAX / 2 / llabs(grid->each)) ||
      llabs(grid->first) > INT64_MAX / 2) {
    return grid->start + (grid->parts > 0 ? (double)k / grid->parts : (double)k * grid->step);
  }
  long long sum = grid->first + k * grid->each;
  int down = -grid->exponent;
  if (llabs(sum) <= exact && down >= 0 && down < EXACT_TENS) {
    return (double)sum / tens[down]; // both are exact: rounded once
  }
  char text[64];
  double value;
  size_t used;
  int length = snprintf(text, sizeof text, "%llde%d", sum, grid->exponent);
  return sb_number_parse(text, (size_t)length, &value, &used) == SB_OK
             ? value
             : grid->start + (double)k * grid->step;
}
