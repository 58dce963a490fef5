// SPDX-License-Identifier: GPL-3.0-or-later
// What a dependent storage depends on, for reports.
#ifndef SB_CORE_ANALYSIS_DEPENDENCE_PRIVATE_H
#define SB_CORE_ANALYSIS_DEPENDENCE_PRIVATE_H

#include "core/model/model_data.h"
#include "core/program/program.h"

enum { SB_DEPENDENCE_MAX = 8 };

/** A dependent storage and the elements that its constraint relates it to. If it is one scalar storage that
 *  depends on one other, x_d = a x_j, both act as one: E = (1/K_j + K_d (a/K_j)^2) y_j^2 / 2. */
typedef struct sb_dependence {
  int dependent;                 // instance
  int others[SB_DEPENDENCE_MAX]; // instances, each once
  int other_count;
  int through[SB_DEPENDENCE_MAX]; // modulated structures, each once
  int through_count;
  double effective; // 1/K of both together; NAN: not that simple
} sb_dependence;

/** Length of the scratch `seen` of the following. */
static inline int sb_dependence_scratch(const sb_network *network, const sb_causality *causality) {
  return sb_value_var(network, sb_fixed_values(network, causality));
}
sb_dependence sb_dependence_of(const sb_model *model, const sb_constraint *constraint, char seen[]);

/** Lists the modulated structures that a constraint leads through, but not those of others on its algebraic variables.
 *  @param d  added to */
void sb_dependence_through(const sb_model *model, const sb_constraint *constraint, char seen[],
                           sb_dependence *d);

#endif
