// SPDX-License-Identifier: GPL-3.0-or-later
// Algebraic variables that are determined together: those whose constraints share states, directly or through
// others. What their values are computed from is listed, for the order of the program.
#include <string.h>

#include "core/base/sets.h"
#include "core/causality/assign_private.h"

/** What the constraints on algebraic variables are made of, and which of them share states. */
typedef struct partition {
  const sb_assign *a;
  int all;      // variables
  int *parent;  // (states, then algebraic variables) sets
  int current;  // what the constraint at hand has first; -1: nothing yet
  char *marked; // (all) states and values that the constraint at hand is made of
} partition;

static void join(partition *p, int i) {
  p->current = p->current < 0 ? i : p->current;
  sb_sets_join(p->parent, i, p->current);
}

/** States are joined by whole storages; signals of a structure are marked, what a source gives too. */
static void visit_read(void *context, int known) {
  partition *p = context;
  const sb_network *network = p->a->network;
  int own = known - p->a->base, value = own - network->state_count;
  int algebraic = sb_algebraic_of(network, p->a->result, value);
  if (algebraic >= 0) {
    join(p, network->state_count + algebraic);
    return;
  }
  int index = value < network->value_count ? sb_owner_of(network, own) : -1;
  const sb_instance *instance = index < 0 ? NULL : &network->instances[index];
  if (instance == NULL) {
    return;
  }
  if (instance->type->storage != NULL) {
    for (int k = 0; k < instance->layout.states; k++) {
      p->marked[sb_state_var(network, instance->state + k)] = 1;
      join(p, instance->state + k);
    }
  } else if (instance->type->structure == NULL) {
    p->marked[known] = 1;
  }
  for (int k = 0; instance->type->structure != NULL && k < instance->wire_count; k++) {
    p->marked[sb_value_var(network, network->wires[instance->wire + k])] = 1;
  }
}

/** Marks what a constraint is made of. Returns its part of the partition. */
static int mark_constraint(partition *p, int constraint, char seen[]) {
  const sb_causality *r = p->a->result;
  const sb_constraint *c = &r->constraints[constraint];
  sb_walk w = {.network = p->a->network,
               .causality = r,
               .known = p->a->known,
               .seen = seen,
               .visit = visit_read,
               .context = p};
  memset(seen, 0, (size_t)p->all);
  p->current = -1;
  for (int i = 0; i < c->count; i++) {
    sb_walk_from(&w, r->constraint_terms[c->first + i].var);
  }
  return p->current < 0 ? -1 : sb_set_of(p->parent, p->current);
}

/** How many algebraic variables a group has. */
static int count_group(const sb_assign *a, partition *p, int first) {
  int count = 0, states = a->network->state_count;
  for (int k = 0; k < a->result->algebraic_count; k++) {
    count += sb_set_of(p->parent, states + k) == sb_set_of(p->parent, states + first);
  }
  return count;
}

/** Lists what determines the algebraic variables of a group. */
static void list_reads(sb_assign *a, partition *p, int first, char seen[]) {
  sb_causality *r = a->result;
  sb_algebraic *own = &r->algebraics[first];
  memset(p->marked, 0, (size_t)p->all);
  char *wanted = sb_arena_zeroed(&a->memory, p->all, sizeof(char));
  int algebraics = count_group(a, p, first);
  for (int i = 0; wanted != NULL && i < r->constraint_count; i++) {
    memset(p->marked, 0, (size_t)p->all);
    bool in = mark_constraint(p, i, seen) == sb_set_of(p->parent, a->network->state_count + first);
    r->constraints[i].determines = in && algebraics-- > 0;
    for (int v = 0; in && v < p->all; v++) {
      wanted[v] = wanted[v] || p->marked[v];
    }
  }
  own->first_read = r->algebraic_read_count;
  for (int v = 0; wanted != NULL && v < p->all; v++) {
    if (wanted[v]) {
      sb_arena_append(&r->memory, &r->algebraic_reads, &r->algebraic_read_count,
                      &r->algebraic_read_capacity, sizeof v, &v);
    }
  }
  own->read_count = r->algebraic_read_count - own->first_read;
}

/** A constraint among algebraic variables alone is named after a storage that determines these. */
static bool name_storages(const sb_assign *a, partition *p, char seen[]) {
  sb_causality *r = a->result;
  bool all = true;
  for (int i = 0; i < r->constraint_count; i++) {
    int part = r->constraints[i].dependent < 0 ? mark_constraint(p, i, seen) : -1;
    for (int state = 0; part >= 0 && state < a->network->state_count; state++) {
      if (sb_set_of(p->parent, state) == part) {
        r->constraints[i].dependent = state;
      }
    }
    all = all && r->constraints[i].dependent >= 0;
  }
  return all;
}

bool sb_algebraic_close(sb_assign *a) {
  sb_causality *r = a->result;
  int states = a->network->state_count, nodes = states + r->algebraic_count;
  partition p = {.a = a, .all = sb_value_var(a->network, sb_fixed_values(a->network, r))};
  p.parent = sb_arena_zeroed(&a->memory, nodes, sizeof(int));
  p.marked = sb_arena_zeroed(&a->memory, p.all, sizeof(char));
  char *seen = sb_arena_zeroed(&a->memory, p.all, sizeof(char));
  bool all = p.parent != NULL && p.marked != NULL && seen != NULL;
  for (int i = 0; all && i < nodes; i++) {
    p.parent[i] = i;
  }
  for (int i = 0; all && i < r->constraint_count; i++) {
    (void)mark_constraint(&p, i, seen);
  }
  all = all && name_storages(a, &p, seen);
  for (int k = 0; all && k < r->algebraic_count; k++) {
    int first = 0;
    while (sb_set_of(p.parent, states + first) != sb_set_of(p.parent, states + k)) {
      first++;
    }
    r->algebraics[k].group = first;
    all = r->algebraics[k].balance_count > 0;
    if (first == k) {
      list_reads(a, &p, k, seen);
    }
  }
  return all;
}
