// SPDX-License-Identifier: GPL-3.0-or-later
// Index reduction: a constraint sum w y = 0 on storages is enforced by its rate, sum w ydot = 0, from a start
// that satisfies it.
//
// Linear storages (and sources of time): the rate is one more linear row, in the place of that of the
// output of one of them, which is dependent.
// Others, and constraints that change with time (y of a modulated transformer): the row that states the
// constraint is left out, and with it one variable is undetermined: the Lagrange multiplier, power-conjugate
// to the row, as rows of a power-free structure are. It is a value that the program solves for such that the
// rate is zero: for storages with Hessian K its factor is the matrix w K w^T > 0. That the storages keep
// their outputs lets a ratio pass through zero.
#include <math.h>

#include "core/causality/assign_private.h"
#include "core/network/roles.h"

/** An output below this fraction of the others of its storage is rounding. */
static const double output_tol = 1e-10;

/** A search through what variables are made of. */
typedef struct search {
  const sb_assign *a;
  char *seen;  // (variables, states and values) was asked through a port, 2, or a signal, 1; ASKED
  int signals; // how many signals the search has passed on its way
  int storage; // a state whose output was found; -1: none
  bool turned; // a modulated structure to be given flows was found
  int unknown; // an instance that gives something without a known rate; -1: none
  bool open;   // a structure reads a variable that is not determined
  bool algebraic; // an algebraic variable was found
} search;

enum { ASKED = 3 }; // through ports alone, and not answered yet

static bool has_rate(search *s, int var, bool port);

/** The instance whose signal a value is; -1: none. */
static int find_signal(const sb_network *network, int value) {
  for (int i = 0; i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    if (value >= instance->signal && value < instance->signal + instance->signal_count) {
      return i;
    }
  }
  return -1;
}

static bool wires_have_rates(search *s, const sb_instance *instance);

/** Notes the first instance at fault. Returns false. */
static bool blame(search *s, int instance) {
  s->unknown = s->unknown < 0 ? instance : s->unknown;
  return false;
}

/** What a wire reads: a sensor or a signal. */
static bool wire_has_rate(search *s, int value) {
  const sb_network *network = s->a->network;
  int var = sb_value_var(network, value);
  if (s->seen[var]) {
    return true;
  }
  s->seen[var] = 1;
  for (int i = 0; i < network->sensor_count; i++) {
    if (network->sensors[i].value == value) {
      if (sb_sensor_measures(&network->sensors[i])) {
        return blame(s, network->sensors[i].instance);
      }
      s->signals++;
      const bool known = has_rate(s, network->sensors[i].var, false);
      s->signals--;
      return known;
    }
  }
  int index = find_signal(network, value);
  const sb_instance *instance = &network->instances[index];
  const sb_storage_hooks *storage = instance->type->storage;
  if (storage != NULL && storage->signals.tells != NULL &&
      storage->signals.tells(instance->self, value - instance->signal)) {
    return true;
  }
  if (instance->type->signal == NULL || instance->type->signal->output_rate == NULL) {
    return blame(s, index);
  }
  // y = C x + D u: ydot needs xdot alone only where D is zero, else the rates of the inputs, too
  const bool states_alone = instance->layout.states > 0 && !sb_instance_feeds_through(instance);
  return states_alone || wires_have_rates(s, instance);
}

static bool wires_have_rates(search *s, const sb_instance *instance) {
  const sb_network *network = s->a->network;
  for (int k = 0; k < instance->wire_count; k++) {
    int before = s->unknown;
    if (!wire_has_rate(s, network->wires[instance->wire + k])) {
      bool signal = before < 0 && s->unknown >= 0 &&
                    network->instances[s->unknown].type->signal != NULL; // the first of a chain
      s->unknown = signal ? s->unknown : (int)(instance - network->instances);
      return false;
    }
  }
  return true;
}

/** Whether a structure of indifferent causality is given efforts: by these a ratio n of flows divides. */
static bool divides(const sb_causality *c, const sb_instance *instance, int index) {
  return instance->layout.ports[0].output == SB_INDIFFERENT && c->assigned[index] == SB_EFFORT;
}

/** A component that a modulated structure gives from the other side. */
static bool structure_has_rate(search *s, int index, int component) {
  const sb_network *network = s->a->network;
  const sb_instance *instance = &network->instances[index];
  bool adjoint = sb_instance_side(instance, component) == 'A';
  const sb_structure_hooks *hooks = instance->type->structure;
  if (divides(s->a->result, instance, index) && !s->a->result->multiplies[index] &&
      s->a->result->ratios != SB_RATIOS_DIVIDE) {
    s->a->result->multiplies[index] = 1;
    s->turned = true;
  }
  bool known = (adjoint ? hooks->rates.adjoint : hooks->rates.forward) != NULL;
  for (int k = 0; known && k < instance->components; k++) {
    if (sb_instance_side(instance, k) == (adjoint ? 'B' : 'A')) {
      bool flow = sb_reads_flow(network, s->a->result, index, k);
      int var = flow ? sb_flow_var(instance, k) : sb_effort_var(instance, k);
      known = has_rate(s, var, true);
      s->open = s->open || !s->a->known[var];
    }
  }
  return known && (hooks->rates.ahead != NULL || wires_have_rates(s, instance));
}

/** The state behind an output; of what has none for each of its components, one of them. */
static int state_behind(const sb_instance *instance, int component) {
  return instance->state + (sb_instance_accelerates(instance) ? 0 : component);
}

/** What hooks give to a port. */
static bool output_has_rate(search *s, int value, bool port) {
  const sb_network *network = s->a->network;
  int index =
      value < network->value_count ? sb_owner_of(network, network->state_count + value) : -1;
  if (index < 0) { // a rate itself, or a multiplier
    bool algebraic = sb_algebraic_of(network, s->a->result, value) >= 0;
    s->algebraic = s->algebraic || algebraic;
    return algebraic;
  }
  const sb_instance *instance = &network->instances[index];
  const sb_element_type *type = instance->type;
  if (type->storage != NULL && port) {
    s->storage = state_behind(instance, value - instance->out);
  }
  bool known = sb_instance_may_depend(instance) ||
               (sb_instance_has_rate(instance) && wires_have_rates(s, instance)) ||
               (sb_instance_is_flat(instance, s->a->modes) && wires_have_rates(s, instance)) ||
               sb_instance_sticks_apart(instance, s->a->modes) ||
               (type->structure != NULL && structure_has_rate(s, index, value - instance->out));
  return known || blame(s, index);
}

/** Whether the rate of a variable, state or value is known. @param port  the constraint goes through it,
 *  and not only through a signal */
static bool has_rate(search *s, int var, bool port) {
  const sb_causality *c = s->a->result;
  const sb_network *network = s->a->network;
  int known = var - s->a->base;
  if (known >= network->state_count) {
    return output_has_rate(s, known - network->state_count, port);
  }
  if (known >= 0) {
    const sb_instance *instance = &network->instances[sb_owner_of(network, known)];
    s->storage = port ? known : s->storage;
    return sb_rate_of(network, c, var).var >= 0 &&
           (instance->type->signal == NULL || instance->type->signal->output_rate != NULL);
  }
  char mark = port ? 2 : 1;
  if (s->seen[var] >= mark) {
    // what a structure gives to itself through ports is no sum of states; of a loop through signals the other terms decide
    return !(s->seen[var] == ASKED && port && s->signals == 0);
  }
  s->seen[var] = port && s->signals == 0 ? ASKED : mark;
  bool all = s->a->known[var];
  for (int i = 0; all && i < c->count[var]; i++) {
    all = has_rate(s, c->terms[c->first[var] + i].var, port);
  }
  s->seen[var] = mark;
  return all;
}

/** Whether a term is of a linear storage, or of a source or a flat law of the time alone. */
static bool is_constant(const sb_assign *a, int known) {
  const sb_network *network = a->network;
  int index = sb_owner_of(network, known);
  if (index < 0) { // an algebraic variable
    return false;
  }
  const sb_instance *instance = &network->instances[index];
  return known < network->state_count ? instance->linear
         : sb_instance_sticks_apart(instance, a->modes)
             ? true
             : instance->wire_count == 0 &&
                   (instance->type->source != NULL || sb_instance_is_flat(instance, a->modes));
}

/** How much of the constraint is the output that belongs to a state: of c . x = (G K) . x it is G. All have one
 *  unit. 0: it is of none. */
static double output_of(const sb_network *network, const sb_term terms[], int count, int i) {
  int base = sb_known_base(network), known = terms[i].var - base,
      index = sb_owner_of(network, known);
  if (index < 0) {
    return 0;
  }
  const sb_instance *instance = &network->instances[index];
  double c[SB_DIM_MAX] = {0}, g[SB_DIM_MAX];
  if (instance->type->storage == NULL || known >= network->state_count) {
    return instance->type->storage != NULL ? fabs(terms[i].factor) : 0;
  }
  for (int k = 0; k < count; k++) {
    int own = terms[k].var - base - instance->state;
    if (own >= 0 && own < instance->components) {
      c[own] = terms[k].factor;
    }
  }
  sb_storage_solve(instance, c, g);
  double most = 0;
  for (int k = 0; k < instance->components; k++) {
    most = fmax(most, fabs(g[k]));
  }
  double own = fabs(g[known - instance->state]);
  return own > output_tol * most ? own : 0;
}

/** The last storage whose output counts; a linear one if there is any. Counted as by sb_owner_of();
 *  -1: none. */
static int choose_dependent(const sb_network *network, const sb_term terms[], int count) {
  double largest = 0;
  int chosen = -1, base = sb_known_base(network);
  for (int i = 0; i < count; i++) {
    largest = fmax(largest, output_of(network, terms, count, i));
  }
  for (int i = 0; i < count; i++) {
    int known = terms[i].var - base;
    double output = output_of(network, terms, count, i);
    bool linear = known < network->state_count,
         chosen_linear = chosen >= 0 && chosen < network->state_count;
    if (output > 0 && output >= 0.01 * largest && (linear || !chosen_linear)) {
      chosen = known;
    }
  }
  return chosen;
}

/** The state behind an output. */
static int state_of(const sb_network *network, int known) {
  const sb_instance *instance = &network->instances[sb_owner_of(network, known)];
  return known < network->state_count
             ? known
             : state_behind(instance, known - network->state_count - instance->out);
}

/** How many rows would be left with one unknown if a variable were known. */
static int count_determined(const sb_assign *a, int var) {
  int count = 0;
  for (int i = a->column_first[var]; i < a->column_first[var + 1]; i++) {
    const int row = a->column_rows[i];
    count += a->eq.active[row] && !a->done[row] && a->unknown[row] == 2;
  }
  return count;
}

/** Whether a variable is one of bonds between structures alone. */
static bool is_between_structures(const sb_network *network, int var) {
  bool all = true;
  for (int i = 0; i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    for (int k = 0; instance->type->structure == NULL && k < instance->components; k++) {
      all = all && instance->pairs[k] != var / 2;
    }
  }
  return all;
}

/** What there is against a variable as what the multiplier of a row acts as: that another row has no other; the others that it
 *  determines, which multipliers of other rows may act as; and an element at its bond, as efforts that circulate between structures and
 *  act on nothing else are then left to none. */
static int count_against(const sb_assign *a, int var) {
  return 2 * (count_determined(a, var) + (a->result->reserved[var] ? a->eq.row_count : 0)) +
         !is_between_structures(a->network, var);
}

/** Lets the multiplier of a row be known, as an undetermined variable that is power-conjugate to one of its terms.
 *  Returns that; -1: there is none. */
static int release(sb_assign *a, int row, int multiplier) {
  const sb_equations *eq = &a->eq;
  int best = -1, least = 0;
  for (int i = eq->first[row]; i < eq->first[row + 1]; i++) {
    const int var = eq->terms[i].var ^ 1; // effort and flow are neighbours
    const bool open = eq->terms[i].var < a->base && !a->known[var];
    const int against = open ? count_against(a, var) : 0;
    if (open && (best < 0 || against < least)) {
      best = var;
      least = against;
    }
  }
  if (best >= 0) {
    a->result->first[best] = a->result->term_count;
    a->result->count[best] = 1;
    sb_assign_term(a, sb_value_var(a->network, multiplier), 1);
    sb_assign_known(a, best);
  }
  return best;
}

/** Of a row without such a variable: leaves it those that multipliers of other rows have been taken as. @return whether there are more */
static bool reserve(sb_assign *a, int row) {
  sb_causality *r = a->result;
  const sb_equations *eq = &a->eq;
  bool more = false;
  for (int i = eq->first[row]; i < eq->first[row + 1]; i++) {
    const int var = eq->terms[i].var ^ 1;
    for (int k = 0; k < r->constraint_count; k++) {
      if (r->constraints[k].solved && r->constraints[k].acting == var && !r->reserved[var]) {
        r->reserved[var] = 1;
        more = true;
      }
    }
  }
  return more;
}

bool sb_multipliers_move(const sb_assign *a) {
  sb_causality *r = a->result;
  bool any = false;
  for (int k = 0; k < r->constraint_count; k++) {
    const int var = r->constraints[k].acting;
    if (r->constraints[k].solved && !r->reserved[var] && is_between_structures(a->network, var)) {
      r->reserved[var] = 1;
      any = true;
    }
  }
  return any;
}

/** Whether all terms have rates, and a storage or algebraic variable takes part. */
static bool is_enforceable(search *s, const sb_term terms[], int count) {
  bool all = true;
  for (int i = 0; i < count; i++) {
    all = has_rate(s, terms[i].var, true) && all;
  }
  return all && (s->storage >= 0 || s->algebraic);
}

sb_constraint_kind sb_constraint_add(sb_assign *a, int row, const sb_term terms[], int count,
                                     char seen[], int *unknown) {
  sb_causality *r = a->result;
  const sb_network *network = a->network;
  sb_constraint c = {.where = a->eq.owner[row], .first = r->constraint_term_count, .count = count};
  search s = {.a = a, .seen = seen, .storage = -1, .unknown = -1};
  bool enforceable = is_enforceable(&s, terms, count);
  *unknown = s.unknown;
  bool later = s.open && !a->closing;
  if (later && !s.turned) {
    return SB_CONSTRAINT_OPEN;
  }
  if (s.turned) {
    return SB_CONSTRAINT_AGAIN; // those given flows may break a circle of structures that divide
  }
  if (!enforceable && !later) {
    return SB_CONSTRAINT_IMPOSSIBLE;
  }
  int chosen = choose_dependent(network, terms, count), pivot = 0;
  for (int i = 0; i < count; i++) {
    c.solved = c.solved || !is_constant(a, terms[i].var - a->base);
    bool better = chosen >= 0 ? terms[i].var == a->base + chosen
                              : fabs(terms[i].factor) > fabs(terms[pivot].factor);
    pivot = better ? i : pivot;
  }
  c.pivot = terms[pivot].var;
  c.dependent = chosen >= 0 ? state_of(network, chosen) : s.storage;
  c.acting = c.solved ? release(a, row, sb_multiplier_value(network, r, r->constraint_count)) : -1;
  if (c.solved && c.acting < 0) {
    return reserve(a, row) ? SB_CONSTRAINT_AGAIN : SB_CONSTRAINT_IMPOSSIBLE;
  }
  for (int i = 0; i < count; i++) {
    sb_arena_append(&r->lasting, &r->constraint_terms, &r->constraint_term_count,
                    &r->constraint_term_capacity, sizeof *terms, &terms[i]);
  }
  if (!r->lasting.failed) {
    sb_arena_append(&r->lasting, &r->constraints, &r->constraint_count, &r->constraint_capacity,
                    sizeof c, &c);
  }
  return c.solved ? SB_CONSTRAINT_MULTIPLIER : SB_CONSTRAINT_LINEAR;
}
