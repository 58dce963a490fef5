// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/dependence_private.h"

#include <math.h>
#include <string.h>

#include "core/causality/walk.h"

static void list_once(int list[], int *count, int instance) {
  bool listed = *count == SB_DEPENDENCE_MAX;
  for (int i = 0; i < *count; i++) {
    listed = listed || list[i] == instance;
  }
  if (!listed) {
    list[(*count)++] = instance;
  }
}

/** A search for the elements that a constraint comes from. */
typedef struct search {
  sb_walk walk;
  bool partners; // those of other constraints on its algebraic variables, too
  sb_dependence *d;
} search;

/** The elements of the constraints that determine algebraic variables. */
static void list_partners(const search *s) {
  const sb_causality *c = s->walk.causality;
  for (int i = 0; s->partners && i < c->constraint_count; i++) {
    for (int k = 0; k < c->constraints[i].count && c->constraints[i].determines; k++) {
      sb_walk_from(&s->walk, c->constraint_terms[c->constraints[i].first + k].var);
    }
  }
}

static void list_origin(void *context, int var) {
  const search *s = context;
  const sb_network *network = s->walk.network;
  const int index = sb_owner_of(network, var - sb_known_base(network));
  if (index < 0) { // an algebraic variable
    list_partners(s);
  } else if (network->instances[index].type->structure != NULL) {
    list_once(s->d->through, &s->d->through_count, index);
  } else if (index != s->d->dependent) {
    list_once(s->d->others, &s->d->other_count, index);
  }
}

static void list_origins(const sb_model *model, const sb_constraint *constraint, bool partners,
                         char seen[], sb_dependence *d) {
  const sb_network *network = &model->network;
  const sb_causality *c = &model->program->causality;
  search s = {.walk = {.network = network, .causality = c, .seen = seen, .visit = list_origin},
              .partners = partners,
              .d = d};
  s.walk.context = &s;
  memset(seen, 0, (size_t)sb_dependence_scratch(network, c));
  for (int k = 0; k < constraint->count; k++) {
    sb_walk_from(&s.walk, c->constraint_terms[constraint->first + k].var);
  }
}

sb_dependence sb_dependence_of(const sb_model *model, const sb_constraint *constraint,
                               char seen[]) {
  const sb_network *network = &model->network;
  const sb_term *terms = &model->program->causality.constraint_terms[constraint->first];
  sb_dependence d = {.dependent = sb_owner_of(network, constraint->dependent), .effective = NAN};
  double own = 1, other = 0;
  list_origins(model, constraint, true, seen, &d);
  for (int k = 0; k < constraint->count; k++) {
    bool dependent = terms[k].var == sb_state_var(network, constraint->dependent);
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

void sb_dependence_through(const sb_model *model, const sb_constraint *constraint, char seen[],
                           sb_dependence *d) {
  list_origins(model, constraint, false, seen, d);
}
