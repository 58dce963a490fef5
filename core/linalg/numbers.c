// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/linalg/numbers.h"

#include <math.h>

#include "core/base/wide.h"

SB_WIDE int sb_all_finite(const double x[], int n) {
  double poison[4] = {0, 0, 0, 0}; // 0 times a number that is not finite is not zero
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    SB_LANES
    for (int k = 0; k < 4; k++) {
      poison[k] += 0 * x[i + k];
    }
  }
  for (; i < n; i++) {
    poison[0] += 0 * x[i];
  }
  return poison[0] + poison[1] + (poison[2] + poison[3]) == 0;
}

double sb_largest(const double x[], int n) {
  double most = 0;
  for (int i = 0; i < n; i++) {
    most = fmax(most, fabs(x[i]));
  }
  return most;
}
