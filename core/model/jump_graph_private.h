// SPDX-License-Identifier: GPL-3.0-or-later
// A law that rises and jumps as a graph of straight pieces, about a point.
#ifndef SB_CORE_MODEL_JUMP_GRAPH_PRIVATE_H
#define SB_CORE_MODEL_JUMP_GRAPH_PRIVATE_H

#include "core/model/instant_rows_private.h"

/** y = low[0] + slope (u - places[0]) + l_0 + l_1 ..., with l_k from 0 to high[k] - low[k] where u is places[k], as much behind it and 0 in
 *  front; in front of the first it is steeper, by in_front, and behind the last by `behind`. */
typedef struct sb_jump_graph {
  const sb_instance *instance;
  int u_column, y_column; // of the problem
  double u_sign, y_sign;  // of the bond's variables
  int count;
  double *places, *low, *high; // (count)
  double slope, in_front, behind;
  double u;                 // where it is
  int near_jump, near_side; // of the jump that is nearest there
  int jump, side;           // those of its mode in the solution
  int pair;                 // the first of its pairs in the problem, two for each jump
} sb_jump_graph;

/** @param mode  the present one, which tells the jump and the side, as far as it does  @return SB_ERR_MEMORY */
sb_status sb_jump_graph_init(sb_jump_graph *g, const sb_instance *instance, double u, int mode,
                             sb_arena *memory);
/** The pieces about u. @return whether the law has values there, and rises */
bool sb_jump_graph_read(sb_jump_graph *g, const sb_instant *instant);
/** The mode on the side, or at rest at the jump. */
int sb_jump_graph_mode(const sb_jump_graph *g);
/** The jump that is nearest to u. */
int sb_jump_graph_nearest(const sb_jump_graph *g);
/** Takes a solution, in which it is at u, or a part of the way to that. */
void sb_jump_graph_move(sb_jump_graph *g, double u, int jump, int side, double part);

#endif
