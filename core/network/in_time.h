// SPDX-License-Identifier: GPL-3.0-or-later
// The expressions that elements state, as functions of the time alone: signals in them are replaced by their own expressions.
#ifndef SB_CORE_NETWORK_IN_TIME_H
#define SB_CORE_NETWORK_IN_TIME_H

#include "core/network/network.h"

typedef struct sb_in_time {
  int instance;
  const sb_expression
      *expression; // the element's, of which the time is the first argument, or composed
  bool composed;
  int arguments; // of the element's, in front of its signals
  int other; // of a composed one: the wire that all stands for that is not of the time alone; -1: none, or several
} sb_in_time;

/** All expressions that the time moves, by itself or by signals.
 *  @param memory  of the list and of what is composed  @return how many; -1: out of memory */
int sb_in_time_list(const sb_network *network, sb_arena *memory, sb_in_time **list);

/** Places an error of an element without a finite value, and says what to do where it has an expression.
 *  @param later  it is behind the start of the run */
void sb_instance_no_number(const sb_instance *instance, bool later, sb_error *err);

#endif
