// SPDX-License-Identifier: GPL-3.0-or-later
#include "contact/recovery.h"

#include <math.h>

/** m, and whether it is 1. */
static double order_of(const sb_contact_law *law, bool *exponential) {
  const double m = (law->exponent - law->damping_exponent) / law->rate_exponent;
  *exponential = fabs(m - 1) < 1e-12;
  return m;
}

sb_recovery sb_recovery_begin(const sb_contact_law *law, double k, double b, double depth,
                              double time) {
  bool exponential;
  const double m = order_of(law, &exponential);
  return (sb_recovery){depth, time,
                       pow(k / b, 1 / law->rate_exponent) * (exponential ? 1 : pow(depth, m - 1))};
}

double sb_recovery_depth(const sb_contact_law *law, const sb_recovery *r, double t, double *rate) {
  bool exponential;
  const double m = order_of(law, &exponential), y = r->pace * (t - r->time);
  const double base = exponential ? exp(-y) : fmax(1 - (1 - m) * y, 0);
  const double share = exponential ? base : pow(base, 1 / (1 - m));
  *rate = share > 0 ? -r->depth * r->pace * (exponential ? share : pow(share, m)) : 0;
  return r->depth * share;
}
