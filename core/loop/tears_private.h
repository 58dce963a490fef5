// SPDX-License-Identifier: GPL-3.0-or-later
// A loop torn, so that its hooks can be run one after the other (tears.c).
#ifndef SB_CORE_TEARS_PRIVATE_H
#define SB_CORE_TEARS_PRIVATE_H

#include <stdint.h>

#include "core/loop/newton_private.h"

typedef struct sb_tearing {
  const sb_newton *n;
  int maker[SB_LOOP_MAX];      // the hook that gives an output; -1: none does
  uint64_t reads[SB_LOOP_MAX]; // hooks whose outputs a hook reads, as bits
  bool feeds[SB_LOOP_MAX];     // outputs that are read
  int order[SB_LOOP_MAX];      // hooks as they can be run once the torn ones are known
  int count;                   // of them
  uint64_t torn;               // hooks whose outputs are guessed
  int hook;                    // the torn one, if one number z is enough; -1
  int output, input;           // z; -1: the other
} sb_tearing;

/** Tears at one number if that is enough, else at the hooks that are read by most. */
void sb_tearing_find(sb_tearing *tearing, const sb_newton *n);
/** Whether an output is among those that are guessed. */
bool sb_tearing_guesses(const sb_tearing *tearing, int output);
/** Runs a hook at what its inputs are at y, one of them perhaps z instead.
 *  @param input  that one; -1: none  @param out  what it gives, at the places of its outputs
 *  @return whether that is finite */
bool sb_tearing_run(const sb_tearing *tearing, int h, const double y[], int input, double z,
                    double out[]);
/** Runs the hooks that are not torn; false: something is not finite. */
bool sb_tearing_propagate(const sb_tearing *tearing, double y[]);
/** g(z), what comes back for the one number z.
 *  @param y  out: all outputs on the way  @return not-a-number: no value */
double sb_tearing_return(const sb_tearing *tearing, double z, double y[]);
/** z at y. */
double sb_tearing_value(const sb_tearing *tearing, const double y[]);

#endif
