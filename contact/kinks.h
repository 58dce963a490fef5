// SPDX-License-Identifier: GPL-3.0-or-later
// Kinks of the law of a part of a contact: a guard is zero at each, a number of size 1 that is positive beyond it. Within a step the
// law goes on as it does on the present side, so that steps see a smooth law, and the kink is an event that ends the step and changes no mode,
// as the corners of a table are (elements/resistance_table.c). The sides are discrete states of the part: 1 beyond a kink, -1 before it,
// 0 while they are not known, as of bodies apart: there the guards decide.
#ifndef SB_CONTACT_KINKS_H
#define SB_CONTACT_KINKS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/graph/element.h"
#include "core/graph/switching.h"

enum { SB_KINKS_MAX = SB_INDICATORS_MAX };

/** Of the kink at a = b, of what is not negative: smooth where a and b are. */
static inline double sb_kink_guard(double a, double b) {
  return a + b > 0 ? (a - b) / (a + b) : 0;
}

/** Whether a law is beyond a kink.  @param sides  NULL: the guards decide */
static inline bool sb_beyond_kink(const double sides[], int kink, double guard) {
  return sides != NULL && sides[kink] != 0 ? sides[kink] > 0 : guard > 0;
}

/** The guards of a part (SB_KINKS_MAX) by the sides that it is on.  @return how many; 0: the part does nothing here */
typedef int (*sb_guards)(const void *self, const sb_at *at, double guard[]);

// hooks of such a part, whose discrete states are SB_KINKS_MAX sides

int sb_kinks_initial_mode(const void *self, const sb_at *at, double sides[]);
int sb_kinks_indicators(sb_guards guards, const void *self, const sb_at *at, double g[],
                        double gdot[]);
sb_status sb_kinks_fire(const void *self, const sb_at *at, int indicator, double sides[],
                        sb_transition *out);
/** Takes the sides that are not known. */
void sb_kinks_take(sb_guards guards, const void *self, const sb_at *at, double sides[]);

#endif
