// SPDX-License-Identifier: GPL-3.0-or-later
// Sines of the time that elements prescribe: the longest step that misses none of their turning points; and which elements the
// inputs of others depend on.
#ifndef SB_CORE_NETWORK_TURNS_H
#define SB_CORE_NETWORK_TURNS_H

#include "core/network/network.h"

/** [s] The longest step that misses no turn of the sines that an element states; HUGE_VAL: any. */
double sb_instance_turns(const sb_network *network, const sb_instance *instance);

/** [s] The shortest time between the kinks of an element's expressions that come again and again; HUGE_VAL: none. */
double sb_instance_interval(const sb_network *network, const sb_instance *instance);

/** An expression of an element whose variables are the time, if `time` is 1, or what it is a function of of its own, and then its signals. */
typedef struct sb_formula {
  const sb_expression *expression; // the element's
  int time, wire;                  // wire: of the first signal among those of the element
  int own;                         // variables of the element itself, states or of its ports,
  const sb_argument *arguments;    // (own) which
} sb_formula;
/** The expression of a parameter. @return false: it has none, or reads something else */
bool sb_instance_formula(const sb_instance *instance, const sb_param *param, sb_formula *out);

/** (values) the instance that gives each, as a signal or by what is read of it; -1: none. NULL: out of memory. */
int *sb_network_givers(const sb_network *network, sb_arena *memory);

/** Adds to some instances all that what they see depends on: the part of the network that each is in, and what
 *  gives the signals that are read there.
 *  @param feeds  (instances) in and out  @return false: out of memory */
bool sb_network_feeding(const sb_network *network, bool feeds[], sb_arena *memory);

#endif
