// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/dependence_private.h"

#include <math.h>

static void list_once(int list[], int *count, int instance) {
  bool listed = *count == SB_DEPENDENCE_MAX;
  for (int i = 0; i < *count; i++) {
    listed = listed || list[i] == instance;
  }
  if (!listed) {
    list[(*count)++] = instance;
  }
}

static void list_origins(const sb_model *model, int var, sb_dependence *d);

/** Lists the elements of the constraints that determine an algebraic variable. */
static void list_partners(const sb_model *model, int algebraic, sb_dependence *d) {
  const sb_causality *c = &model->program->causality;
  int group = c->algebraics[algebraic].group;
  if (d->groups_listed > group) {
    return;
  }
  d->groups_listed = group + 1;
  for (int i = 0; i < c->constraint_count; i++) {
    for (int k = 0; k < c->constraints[i].count && c->constraints[i].determines; k++) {
      list_origins(model, c->constraint_terms[c->constraints[i].first + k].var, d);
    }
  }
}

/** Lists the elements that a variable, state or value comes from. */
static void list_origins(const sb_model *model, int var, sb_dependence *d) {
  const sb_network *network = &model->network;
  const sb_causality *c = &model->program->causality;
  int known = var - sb_known_base(network);
  for (int i = 0; known < 0 && i < c->count[var]; i++) {
    list_origins(model, c->terms[c->first[var] + i].var, d);
  }
  if (known < 0) {
    return;
  }
  int index = sb_owner_of(network, known);
  if (index < 0) { // an algebraic variable: what its other constraints relate it to
    list_partners(model, sb_algebraic_of(network, c, known - network->state_count), d);
    return;
  }
  const sb_instance *instance = &network->instances[index];
  if (instance->type->structure == NULL) {
    if (index != d->dependent) {
      list_once(d->others, &d->other_count, index);
    }
    return;
  }
  list_once(d->through, &d->through_count, index);
  char own = sb_instance_side(instance, known - network->state_count - instance->out);
  for (int k = 0; k < instance->components; k++) {
    char side = sb_instance_side(instance, k);
    if (own == 'A' ? side == 'B' : side == 'A') { // the other side
      bool flow = sb_reads_flow(network, c, index, k);
      list_origins(model, flow ? sb_flow_var(instance, k) : sb_effort_var(instance, k), d);
    }
  }
}

sb_dependence sb_dependence_of(const sb_model *model, const sb_constraint *constraint) {
  const sb_network *network = &model->network;
  const sb_term *terms = &model->program->causality.constraint_terms[constraint->first];
  sb_dependence d = {.dependent = sb_owner_of(network, constraint->dependent), .effective = NAN};
  double own = 1, other = 0;
  for (int k = 0; k < constraint->count; k++) {
    bool dependent = terms[k].var == sb_state_var(network, constraint->dependent);
    list_origins(model, terms[k].var, &d);
    *(dependent ? &own : &other) = terms[k].factor;
  }
  const sb_instance *x = &network->instances[d.dependent], *y = &network->instances[d.others[0]];
  bool scalar =
      !constraint->solved && d.other_count == 1 && x->components == 1 && y->components == 1;
  if (scalar && y->type->storage != NULL) {
    double a = -other / own, k_j = y->matrix[0], k_d = x->matrix[0];
    d.effective = 1 / k_j + k_d * (a / k_j) * (a / k_j);
  }
  return d;
}

void sb_dependence_through(const sb_model *model, const sb_constraint *constraint,
                           sb_dependence *d) {
  const sb_causality *c = &model->program->causality;
  d->groups_listed = c->algebraic_count; // none is left to be looked through
  for (int k = 0; k < constraint->count; k++) {
    list_origins(model, c->constraint_terms[constraint->first + k].var, d);
  }
}
