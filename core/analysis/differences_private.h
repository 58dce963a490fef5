// SPDX-License-Identifier: GPL-3.0-or-later
// Derivatives of functions that can be evaluated and no more: central differences, extrapolated.
#ifndef SB_CORE_ANALYSIS_DIFFERENCES_PRIVATE_H
#define SB_CORE_ANALYSIS_DIFFERENCES_PRIVATE_H

#include "core/base/arena.h"

enum { SB_DIFFERENCE_LEVELS = 3, SB_DIFFERENCE_STEPS = 12 }; // levels: h, h/2 and h/4

/** A function of variables that are moved in their places, and what one of its columns is made of. */
typedef struct sb_differences {
  bool (*evaluate)(void *context, double out[]); // (rows) out; false: there is no finite number
  void *context;
  int rows;
  bool coarse;    // a third of the steps, where a few digits are enough
  double *column; // (rows) the derivatives that were taken last
  double *error;  // (rows) what they may be off by
  double *plus[SB_DIFFERENCE_LEVELS], *minus[SB_DIFFERENCE_LEVELS];  // (rows)
  double *slopes[SB_DIFFERENCE_STEPS], *errors[SB_DIFFERENCE_STEPS]; // (rows) by every step
} sb_differences;

/** Sets up for the function and the rows that are set. @return false: out of memory */
bool sb_differences_init(sb_differences *d, sb_arena *memory);
/** d(out)/d(variable) into d->column; the variable is put back.
 *  @return false: no step has finite numbers on both sides */
bool sb_differences_take(sb_differences *d, double *variable);
/** After sb_differences_take(): where the function is affine in the variable, d->column without what terms that do not move have of
 *  rounding.  @return whether it is, in all rows */
bool sb_differences_affine(sb_differences *d, double *variable);

#endif
