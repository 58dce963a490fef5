// SPDX-License-Identifier: GPL-3.0-or-later
// What remembers the inputs of delays, for delays.c and delay_middles.c.
#ifndef SB_CORE_DELAYS_PRIVATE_H
#define SB_CORE_DELAYS_PRIVATE_H

#include "core/simulation/simulation_private.h"

enum { SB_DELAY_CHECKS = 2 };

typedef struct sb_delays {
  int count;
  int *instance;      // (count)
  double *node;       // (SB_HISTORY_TERMS x count) values of a piece, from its end to its start
  double *check;      // (SB_DELAY_CHECKS x count)
  double *next;       // (count) inputs, scratch
  double *last;       // (count) at the end of the last piece
  double *size;       // (count) largest |value| so far
  double *low, *high; // (count) smallest and largest value so far
  double *known;      // (count) what rounding they are known to
  int *level;         // (count) of the break at the start of the step
  // of a method of fixed steps:
  bool by_middles;
  bool begins;         // the step before had restarted
  double middle, head; // [s] of the step before; where a step restarted last
  double anew;     // [s] from where on the last step was remembered, and what there was before anew
  int *head_level; // (count) of the break there
} sb_delays;

/** After an evaluation at (t, x): the inputs. @param out  (count) */
void sb_delays_read(const sb_simulation *sim, double t, const double x[], double out[]);
/** Of the break at the start of a step that restarted there with `first` as the input of delay k. */
int sb_delays_level(const sb_simulation *sim, int k, double first);
/** Remembers a span, in halves where that is needed. Its pieces come one after the other from its start. */
sb_status sb_delays_record(sb_simulation *sim, double start, double stop, sb_error *err);

/** The level of the break in an output that is at the present. */
int sb_delay_break_now(const sb_simulation *sim, int k);

// delay_middles.c

/** The inputs at time t [s] of a span that sb_middles_record() remembers. */
sb_status sb_middles_take(sb_simulation *sim, double t, double out[], sb_error *err);
/** Remembers the inputs over a step of a method of fixed steps, and again those that they change. */
sb_status sb_middles_record(sb_simulation *sim, sb_error *err);

#endif
