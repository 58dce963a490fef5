// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef SB_CORE_BASE_UNEVEN_H
#define SB_CORE_BASE_UNEVEN_H

#include <math.h>

/** Numbers of either sign, 0.5 to 1 in size, by which many errors are moved at once: no two of them cancel, nor do few. */
static inline double sb_uneven(int k) {
  static const double golden = 0.6180339887498949;
  const double fraction = k * golden - floor(k * golden);
  return k % 2 == 0 ? 0.5 + 0.5 * fraction : -0.5 - 0.5 * fraction;
}

#endif
