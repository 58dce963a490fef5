// SPDX-License-Identifier: GPL-3.0-or-later
#include "contact/kinks.h"

#include <math.h>
#include <string.h>

int sb_kinks_initial_mode(const void *self, const sb_at *at, double sides[]) {
  (void)self, (void)at;
  memset(sides, 0, SB_KINKS_MAX * sizeof *sides);
  return 0;
}

int sb_kinks_indicators(sb_guards guards, const void *self, const sb_at *at, double g[],
                        double gdot[]) {
  const int count = guards(self, at, g);
  for (int k = 0; k < count; k++) {
    g[k] = at->discrete[k] != 0 ? at->discrete[k] * g[k] : 1;
    gdot[k] = NAN;
  }
  return count;
}

sb_status sb_kinks_fire(const void *self, const sb_at *at, int indicator, double sides[],
                        sb_transition *out) {
  (void)self, (void)at;
  sides[indicator] = -sides[indicator];
  out->continues = true;
  return SB_OK;
}

void sb_kinks_take(sb_guards guards, const void *self, const sb_at *at, double sides[]) {
  double guard[SB_KINKS_MAX];
  const int count = guards(self, at, guard);
  for (int k = 0; k < SB_KINKS_MAX; k++) {
    const double now = k < count ? (guard[k] > 0) - (guard[k] < 0) : 0;
    sides[k] = k < count && sides[k] != 0 ? sides[k] : now;
  }
}
