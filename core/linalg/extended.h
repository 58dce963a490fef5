// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers with more digits than a double, for reports: slow, 113 bits where the compiler has them.
#ifndef SB_CORE_LINALG_EXTENDED_H
#define SB_CORE_LINALG_EXTENDED_H

#if defined(__SIZEOF_FLOAT128__)
__extension__ typedef __float128 sb_extended;
#else
typedef long double sb_extended;
#endif

static inline sb_extended sb_extended_abs(sb_extended a) {
  return a < 0 ? -a : a;
}

#endif
