// SPDX-License-Identifier: GPL-3.0-or-later
// Two balls that a force presses into each other.
#ifndef SB_TESTS_BALLS_INTO_EACH_OTHER_H
#define SB_TESTS_BALLS_INTO_EACH_OTHER_H

#include "tests/fixture.h"

/** Two balls without weight meet head on with a linear spring, so that the depth is (v/w) sin(w t) from their
 *  touch on, w = sqrt(2 k/m). @param peak  depth ratio that this would reach */
static inline char *balls(double peak, const char *method) {
  static char text[2000];
  const double k = 100, m = 1.3, r1 = 0.1, r2 = 0.07, gap = 0.013;
  (void)snprintf(
      text, sizeof text,
      "<screwbond version='1' id='balls'>\n"
      "<materials><material id='m' stiffness='0 0 %.17g N/m' spin-stiffness='0 "
      "N.m/rad'/></materials>\n"
      "<mechanism>\n"
      "<body id='b' mass='%.17g kg' material='m' position='0 0 %.17g m' velocity='0 0 %.17g m/s'>"
      "<shape kind='sphere' radius='%.17g m'/></body>\n"
      "<body id='c' mass='%.17g kg' material='m'><shape kind='sphere' radius='%.17g m'/></body>\n"
      "<contact a='b' b='c'/>\n"
      "</mechanism><run t-end='1 s' method='%s' rtol='1e-10'/></screwbond>",
      2 * k, m, r1 + r2 + gap, -peak * (r1 + r2) * sqrt(2 * k / m), r1, m, r2, method);
  return text;
}

static const double omega = 12.403473458920845, reach = 0.17; // sqrt(2 100/1.3) [1/s], [m]
static const char *const methods[] = {"dormand-prince-5", "fehlberg-8", "kvaerno-5"};

#endif
