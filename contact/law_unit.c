// SPDX-License-Identifier: GPL-3.0-or-later
// The units of what depends on the exponents n, p and q of a contact law: k is in N/m^n, the damping in
// N.s^q/m^(p+q), and their ratio the damping-factor, for q = 1, in s/m^(p+1-n).
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "contact/law.h"

enum { POWER_SIZE = 40 };

/** "", "^2", "^(3/2)" or "^1.37", as people write it. */
static void write_power(double exponent, char text[POWER_SIZE]) {
  enum { DENOMINATOR_MAX = 12 };
  int q = 1;
  while (q < DENOMINATOR_MAX && fabs(exponent * q - round(exponent * q)) > 1e-9) {
    q++;
  }
  if (exponent == 1) {
    text[0] = '\0';
  } else if (q == 1 || q == DENOMINATOR_MAX) {
    (void)snprintf(text, POWER_SIZE, "^%s", sb_number_word(exponent).text);
  } else {
    (void)snprintf(text, POWER_SIZE, "^(%s/%d)", sb_number_word(round(exponent * q)).text, q);
  }
}

void sb_contact_law_unit(const sb_contact_law *law, const char *name, char unit[], size_t size) {
  const double n = law->exponent, p = law->damping_exponent, q = law->rate_exponent;
  const bool stiffness = strcmp(name, "stiffness") == 0;
  const bool factor = strcmp(name, "damping-factor") == 0;
  const double metres = stiffness ? n : factor ? p + 1 - n : p + q;
  char seconds[POWER_SIZE] = "", power[POWER_SIZE];
  if (!stiffness && !factor) {
    write_power(q, seconds);
  }
  write_power(fabs(metres), power);
  (void)snprintf(unit, size, "%s%s%s%s",
                 stiffness ? "N"
                 : factor  ? "s"
                           : "N.s",
                 seconds,
                 metres == 0  ? ""
                 : metres > 0 ? "/m"
                              : ".m",
                 metres == 0 ? "" : power);
}
