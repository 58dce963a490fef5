// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers with more digits than a double, for reports: slow, 113 bits where the compiler has them.
#ifndef SB_CORE_LINALG_EXTENDED_H
#define SB_CORE_LINALG_EXTENDED_H

#include <float.h>
#include <math.h>

#if defined(__SIZEOF_FLOAT128__)
__extension__ typedef __float128 sb_extended;
__extension__ typedef _Complex float sb_extended_complex __attribute__((mode(TC)));
#define SB_EXTENDED_ROUNDING 0x1p-112
#else
typedef long double sb_extended;
typedef _Complex long double sb_extended_complex;
#define SB_EXTENDED_ROUNDING LDBL_EPSILON
#endif

static inline sb_extended sb_extended_abs(sb_extended a) {
  return a < 0 ? -a : a;
}

/** The square root, by Newton's iteration from that of the double. @param a  not negative */
static inline sb_extended sb_extended_root(sb_extended a) {
  sb_extended root = sqrt((double)a);
  for (int i = 0; i < 2 && root > 0; i++) {
    root = (root + a / root) / 2;
  }
  return root;
}

#endif
