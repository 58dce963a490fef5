// SPDX-License-Identifier: GPL-3.0-or-later
// Propagation of causality: a row with one unknown left determines it, and every instance of indifferent
// causality is decided by the first variable that is known at one of its ports.
#include "core/causality/assign_private.h"

/** d/dt of a constraint of linear storages: sum c_j xdot_j + sum c_s sdot = 0 gives the input of the
 *  dependent one. */
static void differentiate(sb_assign *a, const sb_constraint *constraint) {
  a->eq.active[a->eq.output_row[constraint->dependent]] = 0;
  sb_equations_row(&a->eq, constraint->where, true);
  for (int i = 0; i < constraint->count; i++) {
    const sb_term *term = &a->result->constraint_terms[constraint->first + i];
    sb_term rate = sb_rate_of(a->network, a->result, term->var);
    sb_equations_term(&a->eq, rate.var, term->factor * rate.factor);
  }
}

static void take_memory(sb_assign *a) {
  int base = a->base, rows = a->eq.row_count, instances = a->network->instance_count;
  a->unknown = sb_arena_zeroed(&a->memory, rows, sizeof(int));
  a->done = sb_arena_zeroed(&a->memory, rows, sizeof(char));
  a->queue = sb_arena_zeroed(&a->memory, rows, sizeof(int));
  a->known = sb_arena_zeroed(&a->memory, base, sizeof(char));
  a->put_off = sb_arena_zeroed(&a->memory, base, sizeof(char));
  a->column_first = sb_arena_zeroed(&a->memory, base + 2, sizeof(int));
  a->column_rows = sb_arena_zeroed(&a->memory, a->eq.term_count, sizeof(int));
  a->free_ends = sb_arena_zeroed(&a->memory, base, sizeof *a->free_ends);
  a->free_instance = sb_arena_zeroed(&a->memory, instances, sizeof(char));
  sb_causality *r = a->result;
  r->first = sb_arena_zeroed(&r->memory, base, sizeof(int));
  r->count = sb_arena_zeroed(&r->memory, base, sizeof(int));
  r->order = sb_arena_zeroed(&r->memory, base, sizeof(int));
  r->assigned = sb_arena_zeroed(&r->memory, instances, sizeof(sb_variable));
  r->open = sb_arena_zeroed(&r->memory, instances, sizeof(char));
  if (r->multiplies == NULL) {
    r->multiplies = sb_arena_zeroed(&r->lasting, instances, sizeof(char));
  }
  if (r->reserved == NULL) {
    r->reserved = sb_arena_zeroed(&r->lasting, base, sizeof(char));
  }
  if (r->turned == NULL) {
    r->turned = sb_arena_zeroed(&r->lasting, instances, sizeof(char));
  }
}

bool sb_assign_failed(const sb_assign *a) {
  return a->eq.memory.failed || a->memory.failed || a->result->memory.failed ||
         a->result->lasting.failed;
}

bool sb_assign_init(sb_assign *a, const sb_network *network, const int modes[],
                    sb_causality *result) {
  *a = (sb_assign){
      .network = network, .modes = modes, .result = result, .base = sb_known_base(network)};
  a->closing = result->ratios != SB_RATIOS_MULTIPLY_ALGEBRAIC;
  if (sb_equations_build(network, modes, &a->eq) != SB_OK) {
    return false;
  }
  for (int i = 0; i < result->constraint_count; i++) {
    differentiate(a, &result->constraints[i]);
  }
  sb_causality_restart(result);
  take_memory(a);
  if (sb_assign_failed(a)) {
    return false;
  }
  for (int i = 0; i < network->instance_count; i++) {
    const sb_instance *instance =
        &network->instances[i]; // a choice to come takes the place of this
    bool effort = instance->components > 0 &&
                  (sb_instance_sticks(instance, modes) || sb_instance_is_flat(instance, modes)
                       ? sb_natural_output(instance, 0)
                       : instance->layout.ports[0].output) == SB_EFFORT;
    effort = effort != sb_instance_sticks_apart(instance, modes);
    result->assigned[i] = effort ? SB_FLOW : SB_EFFORT;
  }
  return true;
}

void sb_assign_finish(sb_assign *a) {
  sb_equations_finish(&a->eq);
  sb_arena_finish(&a->memory);
}

/** Where the causality of an instance can be decided from. */
static void list_free_ends(sb_assign *a) {
  for (int i = 0; i < a->base; i++) {
    a->free_ends[i].instance = -1;
  }
  for (int i = 0; i < a->network->instance_count; i++) {
    const sb_instance *instance = &a->network->instances[i];
    a->free_instance[i] = a->eq.choice[i] >= 0;
    for (int k = 0; a->free_instance[i] && k < instance->components; k++) {
      sb_variable output = instance->layout.ports[sb_port_of(instance, k)].output;
      if (output == SB_INDIFFERENT || output == SB_OPPOSITE) {
        struct sb_free_end *end = &a->free_ends[2 * instance->pairs[k]];
        end += end->instance >= 0;
        *end = (struct sb_free_end){i, k};
      }
    }
  }
}

void sb_assign_index(sb_assign *a) {
  const sb_equations *eq = &a->eq;
  int *next = a->column_first + 1; // the start of each column while it is filled, then its end
  for (int i = 0; i < eq->term_count; i++) {
    if (eq->terms[i].var < a->base) {
      next[eq->terms[i].var + 1]++;
    }
  }
  for (int v = 0; v < a->base; v++) {
    next[v + 1] += next[v];
  }
  for (int row = 0; row < eq->row_count; row++) {
    for (int i = eq->first[row]; i < eq->first[row + 1]; i++) {
      if (eq->terms[i].var < a->base) {
        a->column_rows[next[eq->terms[i].var]++] = row;
        a->unknown[row]++;
      }
    }
  }
  list_free_ends(a);
}

void sb_assign_enqueue(sb_assign *a, int row) {
  if (a->eq.active[row] && !a->done[row] && a->unknown[row] == 1) {
    a->queue[(a->head + a->length++) % a->eq.row_count] = row;
  }
}

void sb_assign_choose(sb_assign *a, int instance, sb_variable assigned) {
  int rows = a->eq.free_rows[instance],
      first = a->eq.choice[instance] + (assigned == SB_EFFORT ? rows : 0);
  a->result->assigned[instance] = assigned;
  a->free_instance[instance] = 0;
  for (int row = first; row < first + rows; row++) {
    a->eq.active[row] = 1;
    sb_assign_enqueue(a, row);
  }
}

void sb_assign_known(sb_assign *a, int var) {
  a->known[var] = 1;
  a->result->order[a->known_count++] = var;
  for (int i = a->column_first[var]; i < a->column_first[var + 1]; i++) {
    a->unknown[a->column_rows[i]]--;
    sb_assign_enqueue(a, a->column_rows[i]);
  }
  for (int k = 0; k < 2; k++) {
    const struct sb_free_end *end = &a->free_ends[2 * (var / 2) + k];
    if (end->instance >= 0 && a->free_instance[end->instance]) {
      const sb_instance *instance = &a->network->instances[end->instance];
      bool same =
          instance->layout.ports[sb_port_of(instance, end->component)].output == SB_INDIFFERENT;
      sb_assign_choose(a, end->instance, (var % 2 == 0) == same ? SB_EFFORT : SB_FLOW);
    }
  }
}

void sb_assign_term(sb_assign *a, int var, double factor) {
  sb_causality *r = a->result;
  sb_term term = {var, factor};
  sb_arena_append(&r->memory, &r->terms, &r->term_count, &r->term_capacity, sizeof term, &term);
}

/** Solves a row for its only unknown. */
static void solve_row(sb_assign *a, int row) {
  const sb_equations *eq = &a->eq;
  int var = -1;
  double pivot = 0;
  for (int i = eq->first[row]; i < eq->first[row + 1]; i++) {
    if (eq->terms[i].var < a->base && !a->known[eq->terms[i].var]) {
      var = eq->terms[i].var;
      pivot += eq->terms[i].factor;
    }
  }
  a->done[row] = 1;
  if (a->owner != NULL) {
    a->owner[var] = eq->owner[row];
  }
  a->result->first[var] = a->result->term_count;
  for (int i = eq->first[row]; i < eq->first[row + 1]; i++) {
    if (eq->terms[i].var != var) {
      sb_assign_term(a, eq->terms[i].var, -eq->terms[i].factor / pivot);
    }
  }
  a->result->count[var] = a->result->term_count - a->result->first[var];
  sb_assign_known(a, var);
}

void sb_assign_propagate(sb_assign *a) {
  while (a->length > 0) {
    a->length--;
    int row = a->queue[(a->head + (a->depth_first ? a->length : 0)) % a->eq.row_count];
    a->head = a->depth_first ? a->head : (a->head + 1) % a->eq.row_count;
    if (!a->done[row] && a->unknown[row] == 1) {
      solve_row(a, row);
    }
  }
}
