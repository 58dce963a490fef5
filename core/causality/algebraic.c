// SPDX-License-Identifier: GPL-3.0-or-later
// Algebraic variables: what no storage determines, but constraints through changing ratios do. Of a joint
// without inertia at angle a, whose flow w moves a mass by two modulated transformers,
//   vx - l cos(a) w = 0,   vy - l sin(a) w = 0,   l cos(a) Fx + l sin(a) Fy = 0,
// no one row may be solved for w, as each of the ratios passes through zero. So w is taken as known; the rows
// are two constraints with multipliers Fx, Fy (index_reduction.c), and the last one, the balance, takes part in
// the system for these and dw/dt while the program runs. It is regular wherever one of the ratios is not zero.
#include <string.h>

#include "core/causality/assign_private.h"

/** Those found so far are determined. */
static void start(sb_assign *a) {
  sb_causality *r = a->result;
  for (int k = 0; k < r->algebraic_count; k++) {
    sb_algebraic *own = &r->algebraics[k];
    own->balance_count = own->read_count = 0;
    if (!a->known[own->var]) {
      r->first[own->var] = r->term_count;
      r->count[own->var] = 1;
      sb_assign_term(a, sb_value_var(a->network, sb_algebraic_value(a->network, k)), 1);
      sb_assign_known(a, own->var);
    }
  }
}

/** A flow that a structure is to be given and that is not determined; -1: all are. */
static int find_open(const sb_assign *a, int index) {
  const sb_instance *instance = &a->network->instances[index];
  int open = -1;
  for (int k = 0; k < instance->components; k++) {
    bool from = sb_instance_side(instance, k) == 'A';
    open = from && !a->known[sb_flow_var(instance, k)] ? sb_flow_var(instance, k) : open;
  }
  return open;
}

/** Gives structures their flows, one after the other, as what one gives may determine that of the next. */
static void choose_determined(sb_assign *a) {
  bool more = true;
  while (more) {
    more = false;
    sb_assign_propagate(a);
    for (int i = 0; i < a->network->instance_count; i++) {
      bool waits = a->result->multiplies[i] && a->result->assigned[i] != SB_FLOW;
      if (waits && find_open(a, i) < 0) {
        sb_assign_choose(a, i, SB_FLOW);
        more = true;
      }
    }
  }
}

bool sb_algebraic_find(sb_assign *a) {
  sb_causality *r = a->result;
  bool wanted = r->ratios == SB_RATIOS_MULTIPLY_ALGEBRAIC;
  for (int i = 0; i < a->network->instance_count; i++) {
    if (r->multiplies[i] &&
        wanted) { // what acts on a joint, as friction, must not determine its flow
      a->free_instance[i] = 0;
      r->assigned[i] = SB_EFFORT;
    } else if (r->multiplies[i]) {
      sb_assign_choose(a, i, SB_FLOW);
    }
  }
  if (!wanted) {
    return false;
  }
  start(a);
  choose_determined(a);
  for (int i = 0; i < a->network->instance_count; i++) {
    bool waits = r->multiplies[i] && r->assigned[i] != SB_FLOW;
    sb_algebraic own = {.var = waits ? find_open(a, i) : -1, .instance = i};
    if (own.var >= 0) {
      return sb_arena_append(&r->lasting, &r->algebraics, &r->algebraic_count,
                             &r->algebraic_capacity, sizeof own, &own);
    }
  }
  return false;
}

/** A walk through what variables are made of, down to states and values. */
typedef struct walk {
  const sb_assign *a;
  char *seen; // (all variables)
  bool laws;  // through dissipations too
  /** @param known  a state or value, as a variable; of a structure its output */
  void (*visit)(void *context, int known);
  void *context;
} walk;

static void walk_from(const walk *w, int var);

/** The inputs of a structure's other side, or of a law. */
static void walk_inputs(const walk *w, int index, int component) {
  const sb_network *network = w->a->network;
  const sb_instance *instance = &network->instances[index];
  bool structure = instance->type->structure != NULL;
  for (int k = 0; k < instance->components; k++) {
    bool other =
        !structure || sb_instance_side(instance, k) != sb_instance_side(instance, component);
    bool flow = sb_reads_flow(network, w->a->result, index, k);
    if (other) {
      walk_from(w, flow ? sb_flow_var(instance, k) : sb_effort_var(instance, k));
    }
  }
}

static void walk_from(const walk *w, int var) {
  const sb_network *network = w->a->network;
  const sb_causality *c = w->a->result;
  if (w->seen[var]) {
    return;
  }
  w->seen[var] = 1;
  if (var < w->a->base) {
    for (int i = 0; w->a->known[var] && i < c->count[var]; i++) {
      walk_from(w, c->terms[c->first[var] + i].var);
    }
    return;
  }
  w->visit(w->context, var);
  int value = var - sb_value_var(network, 0);
  int index = value >= 0 && value < network->value_count
                  ? sb_owner_of(network, network->state_count + value)
                  : -1;
  const sb_element_type *type = index < 0 ? NULL : network->instances[index].type;
  if (type != NULL && (type->structure != NULL || (w->laws && type->dissipation != NULL))) {
    walk_inputs(w, index, value - network->instances[index].out);
  }
}

/** Notes whether a value is a multiplier. */
typedef struct find_multiplier {
  const sb_assign *a;
  bool found;
} find_multiplier;

static void visit_multiplier(void *context, int known) {
  find_multiplier *f = context;
  int first = sb_multiplier_value(f->a->network, f->a->result, 0);
  f->found = f->found || known >= sb_value_var(f->a->network, first);
}

/** An algebraic variable that has no balance yet: that which is power-conjugate to a term of the row, if there
 *  is one; -1: none. */
static int choose_algebraic(const sb_assign *a, int row) {
  const sb_causality *r = a->result;
  const sb_equations *eq = &a->eq;
  int chosen = -1;
  for (int k = r->algebraic_count - 1; k >= 0; k--) {
    bool conjugate = false;
    for (int i = eq->first[row]; i < eq->first[row + 1]; i++) {
      conjugate = conjugate || eq->terms[i].var == (r->algebraics[k].var ^ 1);
    }
    if (r->algebraics[k].balance_count == 0) {
      chosen = k;
      if (conjugate) {
        break;
      }
    }
  }
  return chosen;
}

bool sb_algebraic_balance(sb_assign *a, int row, const sb_term terms[], int count, char seen[]) {
  sb_causality *r = a->result;
  int chosen = choose_algebraic(a, row);
  find_multiplier f = {.a = a};
  walk w = {.a = a, .seen = seen, .laws = true, .visit = visit_multiplier, .context = &f};
  for (int i = 0; chosen >= 0 && i < count; i++) {
    walk_from(&w, terms[i].var);
  }
  if (!f.found) {
    return false;
  }
  r->algebraics[chosen].balance = r->balance_term_count;
  r->algebraics[chosen].balance_count = count;
  for (int i = 0; i < count; i++) {
    sb_arena_append(&r->memory, &r->balance_terms, &r->balance_term_count,
                    &r->balance_term_capacity, sizeof *terms, &terms[i]);
  }
  return true;
}

/** What the constraints on algebraic variables are made of, and which of them share states. */
typedef struct partition {
  const sb_assign *a;
  int all;      // variables
  int *parent;  // (states, then algebraic variables) union-find
  int current;  // what the constraint at hand has first; -1: nothing yet
  char *marked; // (all) states and values that the constraint at hand is made of
} partition;

static int root_of(int parent[], int i) {
  while (parent[i] != i) {
    i = parent[i] = parent[parent[i]];
  }
  return i;
}

static void join(partition *p, int i) {
  p->current = p->current < 0 ? i : p->current;
  p->parent[root_of(p->parent, i)] = root_of(p->parent, p->current);
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
  walk w = {.a = p->a, .seen = seen, .visit = visit_read, .context = p};
  memset(seen, 0, (size_t)p->all);
  p->current = -1;
  for (int i = 0; i < c->count; i++) {
    walk_from(&w, r->constraint_terms[c->first + i].var);
  }
  return p->current < 0 ? -1 : root_of(p->parent, p->current);
}

/** How many algebraic variables a group has. */
static int count_group(const sb_assign *a, partition *p, int first) {
  int count = 0, states = a->network->state_count;
  for (int k = 0; k < a->result->algebraic_count; k++) {
    count += root_of(p->parent, states + k) == root_of(p->parent, states + first);
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
    bool in = mark_constraint(p, i, seen) == root_of(p->parent, a->network->state_count + first);
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
  for (int k = 0; all && k < r->algebraic_count; k++) {
    int first = 0;
    while (root_of(p.parent, states + first) != root_of(p.parent, states + k)) {
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
