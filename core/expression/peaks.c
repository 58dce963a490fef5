// SPDX-License-Identifier: GPL-3.0-or-later
// Which expressions may have a peak that is narrow beside what they do on both sides of it, as exp(-(x/b)^2), 1/(1 + (x/b)^2) or the difference of two tanh. Functions
// that are monotone or grow, of a linear argument, make none, each for itself, nor do powers and products: in x^2/2 + x^4 or a law of a diode no step looks for one.
#include "core/expression/expression_private.h"

/** Whether a function bends by more than powers and roots do. */
static bool bends(const sb_expression *e, const sb_node *node) {
  const sb_homogeneity unit = node->function->unit;
  const sb_node *exponent = &e->nodes[node->arguments[1]];
  const bool power = unit == SB_UNIT_POWER && exponent->order == 0 && exponent->function == NULL &&
                     exponent->number >= 0;
  const bool by_number = unit == SB_UNIT_QUOTIENT && e->nodes[node->arguments[1]].order == 0;
  return node->function->second != NULL && unit != SB_UNIT_PRODUCT && unit != SB_UNIT_ROOT &&
         unit != SB_UNIT_SAME && !power && !by_number;
}

bool sb_expression_may_peak(const sb_expression *e) {
  int count = 0;
  for (int i = 0; i < e->count; i++) {
    const sb_node *node = &e->nodes[i];
    if (node->function == NULL || node->order < 2 || !bends(e, node)) {
      continue;
    }
    bool linear = true;
    for (int k = 0; k < node->function->arity; k++) {
      linear = linear && e->nodes[node->arguments[k]].order < 2;
    }
    const bool sine = linear && sb_node_is_periodic(node); // left to the error control
    count += linear ? !sine : 2;
  }
  return count > 1;
}
