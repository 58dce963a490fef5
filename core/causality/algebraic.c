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

/** What a component of a structure reads, or gives, if it is given flows. */
static int port_var(const sb_instance *instance, int component, bool reads) {
  sb_variable output = instance->layout.ports[sb_port_of(instance, component)].output;
  bool effort = (sb_output_variable(output, SB_FLOW) == SB_EFFORT) != reads;
  return effort ? sb_effort_var(instance, component) : sb_flow_var(instance, component);
}

/** Whether something that a side of a structure reads is determined (read), or gives is (not read). */
static bool is_side_known(const sb_assign *a, const sb_instance *instance, char side, bool reads) {
  bool any = false;
  for (int k = 0; k < instance->components; k++) {
    bool on = sb_instance_side(instance, k) == side;
    any = any || (on && a->known[port_var(instance, k, reads)]);
  }
  return any;
}

/** A variable that a structure reads and nothing determines, though what the structure makes of it is known on the
 *  other side; -1: none.
 *  @param any  whatever is known on the other side */
static int find_open(const sb_assign *a, int index, bool any) {
  const sb_instance *instance = &a->network->instances[index];
  for (int k = 0; k < instance->components; k++) {
    int var = port_var(instance, k, true);
    char other = sb_instance_side(instance, k) == 'A' ? 'B' : 'A';
    if (!a->known[var] && (any || is_side_known(a, instance, other, false))) {
      return var;
    }
  }
  return -1;
}

/** Gives structures their flows, one after the other, as what one gives may determine that of the next. */
static void choose_determined(sb_assign *a) {
  bool more = true;
  while (more) {
    more = false;
    sb_assign_propagate(a);
    for (int i = 0; i < a->network->instance_count; i++) {
      bool waits = a->result->multiplies[i] && a->result->assigned[i] != SB_FLOW;
      const sb_instance *instance = &a->network->instances[i];
      if (waits &&
          (is_side_known(a, instance, 'A', true) || is_side_known(a, instance, 'B', true))) {
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
  for (int any = 0; any < 2; any++) {
    for (int i = 0; i < a->network->instance_count; i++) {
      bool waits = r->multiplies[i] && r->assigned[i] != SB_FLOW;
      sb_algebraic own = {.var = waits ? find_open(a, i, any == 1) : -1, .instance = i};
      if (own.var >= 0) {
        return sb_arena_append(&r->lasting, &r->algebraics, &r->algebraic_count,
                               &r->algebraic_capacity, sizeof own, &own);
      }
    }
  }
  return false;
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
  sb_walk w = {.network = a->network,
               .causality = r,
               .known = a->known,
               .seen = seen,
               .laws = true,
               .visit = visit_multiplier,
               .context = &f};
  for (int i = 0; chosen >= 0 && i < count; i++) {
    sb_walk_from(&w, terms[i].var);
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
