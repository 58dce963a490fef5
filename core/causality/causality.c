// SPDX-License-Identifier: GPL-3.0-or-later
// What an assigned causality says of variables and their rates.
#include "core/causality/causality.h"

#include <stdlib.h>

bool sb_reads_flow(const sb_network *network, const sb_causality *causality, int index,
                   int component) {
  const sb_instance *instance = &network->instances[index];
  sb_variable output = instance->layout.ports[sb_port_of(instance, component)].output;
  return sb_output_variable(output, causality->assigned[index]) == SB_EFFORT;
}

sb_term sb_rate_of(const sb_network *network, const sb_causality *causality, int var) {
  int known = var - sb_known_base(network);
  if (known >= network->state_count) {
    return (sb_term){sb_value_var(network, sb_rate_value(network, known - network->state_count)),
                     1};
  }
  int index = sb_owner_of(network, known);
  const sb_instance *instance = &network->instances[index];
  int component = known - instance->state;
  if (instance->type->role == SB_SIGNAL && instance->signal_count == instance->layout.states) {
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

/** All but the constraints, which a second assignment starts from. */
void sb_causality_restart(sb_causality *causality) {
  free(causality->first);
  free(causality->count);
  free(causality->order);
  free(causality->terms);
  free(causality->assigned);
  causality->first = causality->count = causality->order = NULL;
  causality->terms = NULL;
  causality->assigned = NULL;
  causality->term_count = causality->term_capacity = 0;
  causality->redundant_loop_count = causality->redundant_instance_count = causality->loop_count = 0;
}

void sb_causality_finish(sb_causality *causality) {
  sb_causality_restart(causality);
  free(causality->constraints);
  free(causality->constraint_terms);
  free(causality->redundant_loops);
  free(causality->redundant_instances);
  free(causality->multiplies);
  *causality = (sb_causality){0};
}
