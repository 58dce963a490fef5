// SPDX-License-Identifier: GPL-3.0-or-later
// Causal strokes: the propagation once more, with the causalities that were assigned, and a record of whose
// row determined each variable.
#include "core/causality/assign_private.h"

static void determine(sb_assign *a, int var, int owner) {
  if (!a->known[var]) {
    a->owner[var] = owner;
    sb_assign_known(a, var);
  }
}

/** The rows in use: those of the causality that was assigned; a dependent storage takes what the network
 *  gives it. */
static void choose_rows(sb_assign *a, const sb_causality *causality) {
  for (int i = 0; i < causality->constraint_count; i++) {
    if (!causality->constraints[i].solved) {
      a->eq.active[a->eq.output_row[causality->constraints[i].dependent]] = 0;
    }
  }
  for (int row = 0; row < a->eq.row_count; row++) {
    sb_assign_enqueue(a, row);
  }
  for (int i = 0; i < a->network->instance_count; i++) {
    if (a->eq.choice[i] >= 0) {
      sb_assign_choose(a, i, causality->assigned[i]);
    }
  }
}

/** A dependent storage gives what it would otherwise be given; multipliers and algebraic variables are known. */
static void start_dependent(sb_assign *a, const sb_causality *causality) {
  for (int i = 0; i < causality->algebraic_count; i++) {
    determine(a, causality->algebraics[i].var, causality->algebraics[i].instance);
  }
  for (int i = 0; i < causality->constraint_count; i++) {
    const sb_constraint *c = &causality->constraints[i];
    if (c->solved) {
      determine(a, c->acting, c->where);
      continue;
    }
    int index = sb_owner_of(a->network, c->dependent);
    const sb_instance *instance = &a->network->instances[index];
    int k = c->dependent - instance->state;
    bool effort = instance->layout.ports[sb_port_of(instance, k)].output == SB_EFFORT;
    determine(a, effort ? sb_flow_var(instance, k) : sb_effort_var(instance, k), index);
  }
}

/** In an algebraic loop: the next linear dissipation is given its flow; then whatever is left is determined,
 *  flows first. */
static bool open_loop(sb_assign *a) {
  int none = a->network->instance_count;
  for (int i = 0; i < none; i++) {
    const sb_instance *instance = &a->network->instances[i];
    bool dissipation = instance->linear && instance->type->dissipation != NULL;
    for (int k = 0; dissipation && k < instance->components; k++) {
      int flow = sb_flow_var(instance, k), effort = sb_effort_var(instance, k);
      if (!a->known[flow] && !a->known[effort]) {
        determine(a, flow, none);
        determine(a, effort, i);
        return true;
      }
    }
  }
  for (int odd = 1; odd >= 0; odd--) {
    for (int v = odd; v < a->base; v += 2) {
      if (!a->known[v]) {
        determine(a, v, none);
        return true;
      }
    }
  }
  return false;
}

bool sb_causality_owners(const sb_network *network, const int modes[],
                         const sb_causality *causality, int owner[]) {
  sb_assign a;
  sb_causality scratch = {0};
  bool ok = sb_assign_init(&a, network, modes, &scratch);
  if (ok) {
    a.owner = owner;
    a.depth_first = true; // of a loop that was opened each junction gets one stroke before the next
    sb_assign_index(&a);
    choose_rows(&a, causality);
    start_dependent(&a, causality);
    sb_assign_propagate(&a);
    while (open_loop(&a)) {
      sb_assign_propagate(&a);
    }
    ok = !sb_assign_failed(&a);
  }
  sb_assign_finish(&a);
  sb_causality_finish(&scratch);
  return ok;
}
