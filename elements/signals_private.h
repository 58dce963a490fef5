// SPDX-License-Identifier: GPL-3.0-or-later
// Expressions of elements that name signals: the variables are the row's arguments, then the signals
// in the order in which they are connected.
#ifndef SB_ELEMENTS_SIGNALS_PRIVATE_H
#define SB_ELEMENTS_SIGNALS_PRIVATE_H

#include <string.h>

#include "core/graph/element.h"

/** The input of a kind whose expressions may name signals. */
#define SB_SIGNAL_INPUTS                                                                           \
  { .name = "u", .count = 1, .input = true, .many = true }

/** Writes the signals behind the arguments of an expression. */
static inline void sb_signals_fill(const sb_at *at, int count, double variables[]) {
  for (int i = 0; i < count; i++) {
    variables[i] = *at->signals[i];
  }
}

/** d/dt of an expression by the rates of its signals, and of the time if that is its first argument.
 *  @param variables  arguments and signals; @param inside  the same in the present smooth piece
 *  @param arguments  variables before the signals: one, the time, or none */
double sb_signals_rate(const sb_expression *expression, const double variables[],
                       const double inside[], int arguments, const sb_at *at, int signals);

/** Every signal that an expression names must be connected. NULL is an expression that names none.
 *  @param arguments  variables before the signals
 *  @return SB_ERR_REFERENCE, worded; SB_ERR_LIMIT for too many signals */
sb_status sb_signals_check(const sb_expression *expression, int arguments, int connected,
                           sb_error *err);

#endif
