// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/near_point.h"

#include <math.h>

/** As many extents away are far: two bits of a place are lost there. */
static const double far = 4;

void sb_near_point(const double middle[3], double extent, double point[3]) {
  double distance = 0;
  for (int k = 0; k < 3; k++) {
    distance = fmax(distance, fabs(middle[k]));
    point[k] = 0;
  }
  if (!(extent > 0 && distance > far * extent && isfinite(distance))) {
    return;
  }
  const double grid = exp2(ceil(log2(extent)));
  for (int k = 0; k < 3; k++) {
    point[k] = grid * round(middle[k] / grid);
  }
}
