// SPDX-License-Identifier: GPL-3.0-or-later
// Digits by whole numbers of 128 bits: with value = m 2^q, m < 2^53, and 10^X <= value < 10^(X + 1),
//   value 10^k = m 5^k 2^(q + k),      k = 16 - X,
// has 17 digits before its point, and m 5^k is exact for k <= 31. In units of 2^(q + k - 1) the decimals
// that read back as the value are no further from 2 m 5^k than half a last bit, 5^k, so that each decision
// compares whole numbers. What does not fit is left to the C library, which takes ten times as long.
#include "core/base/digits_private.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__SIZEOF_INT128__)

__extension__ typedef unsigned __int128 wide;

enum { DIGITS = 17, FIVES_MIN = 2, FIVES_MAX = 31, BITS = 53 }; // from 1e-15 to below 1e15

typedef struct decimal {
  uint64_t whole; // of value 10^k, without its fraction
  wide fraction;  // of it, in units of which 2^shift are one
  int shift;
  wide half; // of the last bit of the value, in these units
  bool even; // a number half-way to the next reads back as this one
} decimal;

static wide power_of_five(int k) {
  wide power = 1;
  for (wide square = 5; k > 0; k /= 2, square *= square) {
    power *= k % 2 == 1 ? square : 1;
  }
  return power;
}

/** value 10^k; false if it does not fit. */
static bool scale(uint64_t m, int q, int k, decimal *d) {
  d->shift = 1 - q - k;
  if (k < FIVES_MIN || k > FIVES_MAX || d->shift < 1) {
    return false;
  }
  d->half = power_of_five(k);
  d->even = m % 2 == 0;
  wide scaled = 2 * (m * d->half);
  d->whole = (uint64_t)(scaled >> d->shift);
  d->fraction = scaled - ((wide)d->whole << d->shift);
  return true;
}

/** The nearest multiple of `unit`, which stands for fewer digits; false if it does not read back as the
 *  value. */
static bool round_to(const decimal *d, uint64_t unit, uint64_t *rounded) {
  const uint64_t rest = d->whole % unit;
  const wide width = (wide)unit << d->shift, below = ((wide)rest << d->shift) + d->fraction;
  const wide above = width - below;
  const bool odd = d->whole / unit % 2 == 1, up = below > above || (below == above && odd);
  const wide distance = up ? above : below;
  *rounded = d->whole - rest + (up ? unit : 0);
  return distance < d->half || (distance == d->half && d->even);
}

static char *put(char *at, const char *bytes, int count) {
  memcpy(at, bytes, (size_t)count);
  return at + count;
}

/** As "%g" writes d.ddd 10^exponent.
 *  @param digits  (DIGITS), of which `length` are not the zeros at the end */
static char *write(const char *digits, int length, int exponent, char *at) {
  const int before = exponent >= 0 ? exponent + 1 : 0; // the point
  if (exponent < -4) {
    at = put(at, digits, 1);
    at = put(at, ".", length > 1 ? 1 : 0);
    at = put(at, digits + 1, length - 1);
    const char power[] = {'e', '-', (char)('0' + -exponent / 10), (char)('0' + -exponent % 10)};
    at = put(at, power, sizeof power);
  } else if (exponent < 0) {
    at = put(at, "0.000", 1 - exponent);
    at = put(at, digits, length);
  } else {
    at = put(at, digits, before);
    at = put(at, ".", length > before ? 1 : 0);
    at = put(at, digits + before, length > before ? length - before : 0);
  }
  *at = '\0';
  return at;
}

/** The whole number of DIGITS digits, and what power of ten its first digit has; false if it does not fit. */
static bool find_digits(double value, uint64_t *whole, int *exponent) {
  int q;
  const double fraction = frexp(value, &q);
  const uint64_t m = (uint64_t)ldexp(fraction, BITS);
  const double log10_of_2 = 0.30103;
  decimal d;
  *exponent = (int)floor((q - 1) * log10_of_2); // or one more
  if (fraction == 0.5 || !scale(m, q - BITS, DIGITS - 1 - *exponent, &d)) {
    return false;
  }
  const uint64_t most = 100000000000000000; // 10^DIGITS
  if (d.whole >= most && !scale(m, q - BITS, DIGITS - 1 - ++*exponent, &d)) {
    return false;
  }
  for (uint64_t unit = 100; unit > 1; unit /= 10) {
    if (round_to(&d, unit, whole)) {
      return *whole < most;
    }
  }
  (void)round_to(&d, 1, whole);
  return *whole < most;
}

int sb_digits_format(double value, char *text) {
  uint64_t whole;
  int exponent;
  if (!find_digits(fabs(value), &whole, &exponent)) {
    return 0;
  }
  char digits[DIGITS];
  int length = 0;
  for (int i = DIGITS - 1; i >= 0; i--, whole /= 10) {
    digits[i] = (char)('0' + whole % 10);
    length = length == 0 && digits[i] != '0' ? i + 1 : length;
  }
  char *at = put(text, "-", value < 0 ? 1 : 0);
  return (int)(write(digits, length, exponent, at) - text);
}

#else

int sb_digits_format(double value, char *text) {
  (void)value, (void)text;
  return 0;
}

#endif
