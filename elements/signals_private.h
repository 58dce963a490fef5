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

/** The first member of kinds whose one output is called value: the unit in which it is shown, "" for a pure
 *  number, or where it is not known. */
typedef struct sb_shown {
  char unit[40];
} sb_shown;

/** What blocks have in common: they make one signal of another. First member. */
typedef struct sb_block {
  sb_shown shown;
  sb_expression *of; // input, of the time and of signals
  int signals;
} sb_block;

/** The row of the input, and the tables that all blocks share. */
#define SB_BLOCK_INPUT                                                                             \
  {                                                                                                \
    .name = "of", .fallback = "", .kind = SB_PARAM_EXPRESSION, .offset = offsetof(sb_block, of),   \
    .arguments = sb_of_time, .signals = true,                                                      \
    .help = "its input u: an expression of the time t and of signals"                              \
  }
extern const sb_argument sb_of_time[];
extern const sb_signal_spec sb_block_signals[];
extern const sb_quantity_spec sb_block_quantities[];
void sb_block_measure(const void *self, const sb_at *at, int quantity, double out[]);
const char *sb_block_unit(const void *self, int quantity);
#define SB_BLOCK_MEASURES                                                                          \
  { .quantities = sb_block_quantities, .measure = sb_block_measure, .unit = sb_block_unit }

sb_status sb_block_init(sb_block *block, sb_layout *layout, sb_error *err);
/** The input u now, and its rate by the rates of the signals. */
double sb_block_input(const sb_block *block, const sb_at *at);
double sb_block_input_rate(const sb_block *block, const sb_at *at);
/** Of an output that stands still between events. */
int sb_block_at_rest(const void *self, const sb_at *at, double rate[]);
bool sb_block_reads_nothing(const void *self);

/** Writes the signals behind the arguments of an expression. */
static inline void sb_signals_fill(const sb_at *at, int count, double variables[]) {
  for (int i = 0; i < count; i++) {
    variables[i] = *at->signals[i];
  }
}

/** The time and the signals, now and in the present smooth piece. */
typedef struct sb_signal_values {
  double now[SB_EXPRESSION_VARIABLES_MAX], inside[SB_EXPRESSION_VARIABLES_MAX];
} sb_signal_values;

static inline sb_signal_values sb_signals_read(const sb_at *at, int signals) {
  sb_signal_values u = {{at->t}, {at->inside}};
  sb_signals_fill(at, signals, u.now + 1);
  sb_signals_fill(at, signals, u.inside + 1);
  return u;
}

/** d/dt of an expression by the rates of its signals, and of its first argument at the rate 1, as the time has.
 *  @param variables  arguments and signals; @param inside  the same in the present smooth piece
 *  @param arguments  variables before the signals */
double sb_signals_rate(const sb_expression *expression, const double variables[],
                       const double inside[], int arguments, const sb_at *at, int signals);

/** The sum of the absolute values of the terms of an expression of the time and of signals. */
double sb_signals_terms(const sb_expression *expression, const sb_at *at, int signals);

/** Every signal that an expression names must be connected. NULL is an expression that names none.
 *  @param arguments  variables before the signals
 *  @return SB_ERR_REFERENCE, worded; SB_ERR_LIMIT for too many signals */
sb_status sb_signals_check(const sb_expression *expression, int arguments, int connected,
                           sb_error *err);

#endif
