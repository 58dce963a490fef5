// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers of usual sizes in decimal, exactly, by integers of 128 bits: a double is m 2^q with m < 2^53, and
// X = m 2^q 10^k, of 17 digits before the point, is m 5^k 2^(q+k), where 5^k < 2^64 for 0 <= k <= 27. snprintf()
// and strtod(), which know all sizes, take ten times as long, and results are made of such numbers.
#include "core/base/shortest.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

enum { DIGITS = 17, POWER_MAX = 27, MANTISSA = 53 };

static uint64_t power(uint64_t base, int exponent) {
  uint64_t product = 1;
  for (; exponent > 0; exponent--) {
    product *= base;
  }
  return product;
}

/** X = (2 X)/2^shift/2 in units of its 17th digit. */
typedef struct scaled {
  wide twice;    // 2 X 2^shift
  int shift;     // 1 to 64
  wide half_ulp; // of the double, in the units of `twice`, twice as well
  bool even;     // the mantissa: what lies halfway to a neighbour reads back as this one
  int exponent;  // of the first digit
} scaled;

/** n 10^down, the nearest to X of so many digits less; halfway the even one, as snprintf() rounds. */
static uint64_t rounded(const scaled *x, int down, bool *reads_back) {
  const wide unit = (wide)power(10, down) << (x->shift + 1), rest = x->twice % unit;
  uint64_t n = (uint64_t)(x->twice / unit);
  n += rest > unit - rest || (rest == unit - rest && n % 2 == 1);
  const wide at = (wide)n * unit, apart = at > x->twice ? at - x->twice : x->twice - at;
  *reads_back = apart < x->half_ulp || (apart == x->half_ulp && x->even);
  return n;
}

static bool scale(double size, scaled *x) {
  int q;
  const double fraction = frexp(size, &q);
  const uint64_t m = (uint64_t)ldexp(fraction, MANTISSA);
  x->exponent = (int)floor(log10(size));
  for (int tries = 0; tries < 2; tries++) {
    const int k = DIGITS - 1 - x->exponent, s = q - MANTISSA + k;
    if (k < 0 || k > POWER_MAX || fraction == 0.5) { // below a power of two the neighbour is nearer
      return false;
    }
    const wide product = (wide)m * power(5, k);
    x->shift = s < 0 ? -s : 1; // whole numbers too have a bit behind the point
    x->twice = (s < 0 ? product : product << (s + 1)) << 1;
    x->half_ulp = s < 0 ? (wide)power(5, k) : (wide)power(5, k) << (s + 1);
    x->even = m % 2 == 0;
    const wide whole = (x->twice >> 1) >> x->shift;
    if (whole >= power(10, DIGITS)) { // the logarithm was rounded across a power of ten
      x->exponent++;
    } else if (whole < power(10, DIGITS - 1)) {
      x->exponent--;
    } else {
      return true;
    }
  }
  return false;
}

/** As "%.*g" of so many digits: without zeros behind, and with an exponent where that is shorter. */
static void write(uint64_t n, int digits, int exponent, char *text) {
  char all[24];
  if (n == power(10, digits)) {
    n /= 10;
    exponent++;
  }
  (void)snprintf(all, sizeof all, "%" PRIu64, n);
  int count = digits;
  while (count > 1 && all[count - 1] == '0') {
    count--;
  }
  const bool scientific = exponent < -4 || exponent >= digits;
  const int before = scientific ? 1 : exponent + 1; // digits before the point
  if (before <= 0) {
    (void)memcpy(text, "0.0000", (size_t)(2 - before));
    (void)memcpy(text + 2 - before, all, (size_t)count);
    text[2 - before + count] = '\0';
    return;
  }
  (void)memcpy(text, all, (size_t)before); // zeros too
  text += before;
  if (count > before) {
    *text++ = '.';
    (void)memcpy(text, all + before, (size_t)(count - before));
    text += count - before;
  }
  *text = '\0';
  if (scientific) {
    (void)snprintf(text, 6, "e%c%02d", exponent < 0 ? '-' : '+',
                   exponent < 0 ? -exponent : exponent);
  }
}

bool sb_shortest_format(double value, char text[]) {
  const double size = fabs(value);
  scaled x;
  bool enough, fewer;
  if (!(size >= 1e-11 && size < 1e17) || !scale(size, &x)) {
    return false;
  }
  const uint64_t sixteen = rounded(&x, 1, &enough), fifteen = rounded(&x, 2, &fewer);
  fewer = fewer && enough;
  bool exact;
  *text = '-';
  text += value < 0;
  write(fewer    ? fifteen
        : enough ? sixteen
                 : rounded(&x, 0, &exact),
        fewer    ? DIGITS - 2
        : enough ? DIGITS - 1
                 : DIGITS,
        x.exponent, text);
  return true;
}
