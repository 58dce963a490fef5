// SPDX-License-Identifier: GPL-3.0-or-later
// Questions to an assigned causality: how a variable, or its rate, follows from states and values.
#include "core/causality/causality.h"

bool sb_reads_flow(const sb_network *network, const sb_causality *causality, int index,
                   int component) {
  return sb_instance_gives(&network->instances[index], component, causality->assigned[index]) ==
         SB_EFFORT;
}

sb_term sb_rate_of(const sb_network *network, const sb_causality *causality, int var) {
  int known = var - sb_known_base(network);
  int algebraic = sb_algebraic_of(network, causality, known - network->state_count);
  if (algebraic >= 0) {
    return (sb_term){sb_value_var(network, sb_algebraic_rate_value(network, algebraic)), 1};
  }
  if (known >= network->state_count) {
    return (sb_term){sb_value_var(network, sb_rate_value(network, known - network->state_count)),
                     1};
  }
  int index = sb_owner_of(network, known);
  const sb_instance *instance = &network->instances[index];
  int component = known - instance->state;
  if (instance->type->signal != NULL && instance->signal_count == instance->layout.states) {
    int value = sb_rate_value(network, instance->signal + component);
    return (sb_term){sb_value_var(network, value), 1};
  }
  if (!sb_instance_integrates(instance) && !sb_instance_has_hessian(instance)) {
    return (sb_term){-1, 0};
  }
  bool flow = sb_reads_flow(network, causality, index, component);
  return (sb_term){flow ? sb_flow_var(instance, component) : sb_effort_var(instance, component),
                   flow ? instance->signs[component] : 1};
}

void sb_causality_restart(sb_causality *causality) {
  sb_arena_finish(&causality->memory);
  *causality = (sb_causality){.constraints = causality->constraints,
                              .constraint_count = causality->constraint_count,
                              .constraint_capacity = causality->constraint_capacity,
                              .constraint_terms = causality->constraint_terms,
                              .constraint_term_count = causality->constraint_term_count,
                              .constraint_term_capacity = causality->constraint_term_capacity,
                              .multiplies = causality->multiplies,
                              .reserved = causality->reserved,
                              .turned = causality->turned,
                              .ranked = causality->ranked,
                              .ratios = causality->ratios,
                              .algebraics = causality->algebraics,
                              .algebraic_count = causality->algebraic_count,
                              .algebraic_capacity = causality->algebraic_capacity,
                              .lasting = causality->lasting};
}

void sb_causality_finish(sb_causality *causality) {
  sb_arena_finish(&causality->memory);
  sb_arena_finish(&causality->lasting);
  *causality = (sb_causality){0};
}
