// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/causality/constraint.h"

const sb_term *sb_constraint_terms(const sb_causality *causality, int constraint, int *count) {
  const sb_constraint *c = &causality->constraints[constraint];
  *count = c->count;
  return causality->constraint_terms + c->first;
}

bool sb_constraints_contain(const sb_causality *causality, int first, int end) {
  bool any = false;
  for (int i = 0; i < causality->constraint_term_count; i++) {
    int var = causality->constraint_terms[i].var;
    any = any || (var >= first && var < end);
  }
  return any;
}

int sb_constraint_state(const sb_causality *causality, int constraint) {
  return causality->constraints[constraint].dependent;
}

bool sb_constraint_has_multiplier(const sb_causality *causality, int constraint) {
  return causality->constraints[constraint].solved;
}

int sb_constraint_contact(const sb_network *network, const sb_causality *causality,
                          int constraint) {
  int count;
  const sb_term *term = sb_constraint_terms(causality, constraint, &count);
  const int known = count == 1 ? term->var - sb_known_base(network) : -1;
  const int owner = known >= network->state_count ? sb_owner_of(network, known) : -1;
  const sb_switching_hooks *hooks = owner >= 0 ? network->instances[owner].type->switching : NULL;
  return hooks != NULL && hooks->unilateral != NULL ? owner : -1;
}

int sb_constraint_component(const sb_network *network, const sb_causality *causality,
                            int constraint, int contact) {
  int count;
  const sb_instance *instance = &network->instances[contact];
  const int known = sb_constraint_terms(causality, constraint, &count)->var -
                    sb_known_base(network) - network->state_count;
  return known - instance->out - instance->type->switching->unilateral->component;
}

bool sb_constraint_is_through_structure(const sb_network *network, const sb_causality *causality,
                                        int constraint) {
  int count;
  const sb_term *terms = sb_constraint_terms(causality, constraint, &count);
  bool any = false;
  for (int k = 0; k < count; k++) {
    int owner = sb_owner_of(network, terms[k].var - sb_known_base(network));
    any = any || network->instances[owner].type->structure != NULL;
  }
  return any;
}

const char *sb_algebraic_port(const sb_network *network, const sb_algebraic *algebraic) {
  const sb_instance *reader = &network->instances[algebraic->instance];
  int k = 0;
  while (sb_effort_var(reader, k) != (algebraic->var & ~1)) { // effort and flow are neighbours
    k++;
  }
  return reader->type->ports[sb_port_of(reader, k)].name;
}
