// SPDX-License-Identifier: GPL-3.0-or-later
// Causality assignment. States and hooks' outputs are known; a row with one unknown left determines
// it (this is the propagation of causal strokes, and keeps integral causality first). Where that
// stops, a dissipation or modulated transducer with free causality is chosen; where none is left, what
// remains are linear loops, solved here once and for all (loops.c). A row without unknowns that is not an identity
// ties elements that all claim the same variable. If linear storages are among them, one of them is
// dependent: the tie, differentiated, takes the place of the row for its output (index reduction).
// Else it is a conflict, reported by name.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/causality/assign_private.h"

/** d/dt of a tie of linear storages: sum c_j xdot_j + sum c_s sdot = 0 gives the input of the dependent
 *  one. */
static void add_constraint(sb_assign *a, const sb_constraint *constraint) {
  a->eq.active[a->eq.output_row[constraint->dependent]] = 0;
  sb_equations_row(&a->eq, constraint->where, true);
  for (int i = 0; i < constraint->count; i++) {
    const sb_term *term = &a->result->constraint_terms[constraint->first + i];
    sb_term rate = sb_rate_of(a->network, a->result, term->var);
    sb_equations_term(&a->eq, rate.var, term->factor * rate.factor);
  }
}

/** Those to be solved for are found anew. */
static void forget_solved(sb_causality *causality) {
  int kept = 0, terms = 0;
  for (int i = 0; i < causality->constraint_count; i++) {
    sb_constraint c = causality->constraints[i];
    if (!c.solved) {
      memmove(&causality->constraint_terms[terms], &causality->constraint_terms[c.first],
              (size_t)c.count * sizeof(sb_term));
      c.first = terms;
      terms += c.count;
      causality->constraints[kept++] = c;
    }
  }
  causality->constraint_count = kept;
  causality->constraint_term_count = terms;
}

static bool assign_init(sb_assign *a, const sb_network *network, const int modes[],
                        sb_causality *causality) {
  int base = sb_known_base(network);
  *a = (sb_assign){.network = network, .result = causality, .base = base};
  forget_solved(causality);
  if (sb_equations_build(network, modes, &a->eq) != SB_OK) {
    return false;
  }
  for (int i = 0; i < causality->constraint_count; i++) {
    add_constraint(a, &causality->constraints[i]);
  }
  if (a->eq.memory.failed) {
    return false;
  }
  int rows = a->eq.row_count;
  a->unknown = sb_zeroed(rows, sizeof(int));
  a->done = sb_zeroed(rows, sizeof(char));
  a->queue = sb_zeroed(rows, sizeof(int));
  a->known = sb_zeroed(base, sizeof(char));
  a->column_first = sb_zeroed(base + 1, sizeof(int));
  a->column_rows = sb_zeroed(a->eq.term_count, sizeof(int));
  a->free_ends = sb_zeroed(2 * network->pair_count, sizeof *a->free_ends);
  a->free_instance = sb_zeroed(network->instance_count, sizeof(char));
  sb_causality_restart(causality);
  causality->first = sb_zeroed(base, sizeof(int));
  causality->count = sb_zeroed(base, sizeof(int));
  causality->order = sb_zeroed(base, sizeof(int));
  causality->assigned = sb_zeroed(network->instance_count, sizeof(sb_variable));
  for (int i = 0; causality->assigned != NULL && i < network->instance_count; i++) {
    const sb_instance *instance =
        &network->instances[i]; // a choice to come takes the place of this
    bool effort = instance->components > 0 && instance->layout.ports[0].output == SB_EFFORT;
    causality->assigned[i] = effort ? SB_FLOW : SB_EFFORT;
  }
  if (causality->multiplies == NULL) {
    causality->multiplies = sb_zeroed(network->instance_count, sizeof(char));
  }
  return causality->multiplies != NULL && a->unknown != NULL && a->done != NULL &&
         a->queue != NULL && a->known != NULL && a->column_first != NULL &&
         a->column_rows != NULL && a->free_ends != NULL && a->free_instance != NULL &&
         causality->first != NULL && causality->count != NULL && causality->order != NULL &&
         causality->assigned != NULL;
}

static void assign_finish(sb_assign *a) {
  sb_equations_finish(&a->eq);
  free(a->unknown);
  free(a->done);
  free(a->queue);
  free(a->known);
  free(a->column_first);
  free(a->column_rows);
  free(a->free_ends);
  free(a->free_instance);
}

/** Where the causality of a part can be decided from. */
static void list_free_ends(sb_assign *a) {
  for (int i = 0; i < 2 * a->network->pair_count; i++) {
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

/** For every variable the rows that contain it; for every row its number of unknowns. */
static void index_columns(sb_assign *a) {
  const sb_equations *eq = &a->eq;
  for (int i = 0; i < eq->term_count; i++) {
    if (eq->terms[i].var < a->base) {
      a->column_first[eq->terms[i].var + 1]++;
    }
  }
  for (int v = 0; v < a->base; v++) {
    a->column_first[v + 1] += a->column_first[v];
  }
  for (int row = eq->row_count - 1; row >= 0; row--) {
    for (int i = eq->first[row]; i < eq->first[row + 1]; i++) {
      int var = eq->terms[i].var;
      if (var < a->base) {
        a->unknown[row]++;
        a->column_rows[--a->column_first[var + 1]] = row;
      }
    }
  }
  // column_first[v + 1] has become the start of v: shift back by reading column_first[v + 1]
  for (int v = 0; v < a->base; v++) {
    a->column_first[v] = a->column_first[v + 1];
  }
  int total = 0;
  for (int i = 0; i < eq->term_count; i++) {
    total += eq->terms[i].var < a->base;
  }
  a->column_first[a->base] = total;
  list_free_ends(a);
}

static void enqueue(sb_assign *a, int row) {
  if (a->eq.active[row] && !a->done[row] && a->unknown[row] == 1) {
    a->queue[(a->head + a->length++) % a->eq.row_count] = row;
  }
}

/** Fixes the causality of a part that was free: its ports of SB_INDIFFERENT read `given`. */
static void choose(sb_assign *a, int instance, sb_variable assigned) {
  int rows = a->eq.free_rows[instance],
      first = a->eq.choice[instance] + (assigned == SB_EFFORT ? rows : 0);
  a->result->assigned[instance] = assigned;
  a->free_instance[instance] = 0;
  for (int row = first; row < first + rows; row++) {
    a->eq.active[row] = 1;
    enqueue(a, row);
  }
}

void sb_assign_known(sb_assign *a, int var) {
  a->known[var] = 1;
  a->result->order[a->known_count++] = var;
  for (int i = a->column_first[var]; i < a->column_first[var + 1]; i++) {
    a->unknown[a->column_rows[i]]--;
    enqueue(a, a->column_rows[i]);
  }
  for (int k = 0; k < 2; k++) {
    const struct sb_free_end *end = &a->free_ends[2 * (var / 2) + k];
    if (end->instance >= 0 && a->free_instance[end->instance]) {
      const sb_instance *instance = &a->network->instances[end->instance];
      bool same =
          instance->layout.ports[sb_port_of(instance, end->component)].output == SB_INDIFFERENT;
      choose(a, end->instance, (var % 2 == 0) == same ? SB_EFFORT : SB_FLOW);
    }
  }
}

bool sb_assign_term(sb_assign *a, int var, double factor) {
  sb_causality *result = a->result;
  if (!sb_grow(&result->terms, &result->term_capacity, result->term_count + 1, sizeof(sb_term))) {
    return false;
  }
  result->terms[result->term_count++] = (sb_term){var, factor};
  return true;
}

/** Solves a row for its only unknown. */
static bool solve_row(sb_assign *a, int row) {
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
  a->result->first[var] = a->result->term_count;
  for (int i = eq->first[row]; i < eq->first[row + 1]; i++) {
    if (eq->terms[i].var != var &&
        !sb_assign_term(a, eq->terms[i].var, -eq->terms[i].factor / pivot)) {
      return false;
    }
  }
  a->result->count[var] = a->result->term_count - a->result->first[var];
  sb_assign_known(a, var);
  return true;
}

static bool propagate(sb_assign *a) {
  while (a->length > 0) {
    int row = a->queue[a->head];
    a->head = (a->head + 1) % a->eq.row_count;
    a->length--;
    if (!a->done[row] && a->unknown[row] == 1 && !solve_row(a, row)) {
      return false;
    }
  }
  return true;
}

/** Lets the first free part read its flow, or what suits it better; false if none is free. */
static bool choose_next(sb_assign *a) {
  for (; a->next_choice < a->network->instance_count; a->next_choice++) {
    if (a->free_instance[a->next_choice]) {
      bool gives_flow = a->network->instances[a->next_choice].layout.preferred == SB_FLOW;
      choose(a, a->next_choice, gives_flow ? SB_EFFORT : SB_FLOW);
      return true;
    }
  }
  return false;
}

/** Rows of one unknown. What storages give comes first: it follows from their states even where they are
 *  tied, and then the row that is left over is the network's. */
static bool start(sb_assign *a) {
  char *taken = sb_zeroed(a->eq.row_count, sizeof(char));
  for (int i = 0; taken != NULL && i < a->network->state_count; i++) {
    int row = a->eq.output_row[i];
    if (row >= 0) {
      enqueue(a, row);
      taken[row] = 1;
    }
  }
  for (int row = 0; taken != NULL && row < a->eq.row_count; row++) {
    if (!taken[row]) {
      enqueue(a, row);
    }
  }
  free(taken);
  return taken != NULL;
}

/** As far as rows and free choices go. */
static bool spread(sb_assign *a) {
  bool ok = propagate(a);
  while (ok && choose_next(a)) {
    ok = propagate(a);
  }
  return ok;
}

/** Determines all variables, or finds constraints of linear storages to begin again with. */
static sb_status determine(sb_assign *a, int *found, sb_errors *errors) {
  for (;;) {
    int solved = 0;
    SB_TRY(sb_conflicts_resolve(a, found, &solved, errors));
    if (*found > 0 || (solved == 0 && a->known_count == a->base)) {
      return SB_OK;
    }
    sb_status status = solved > 0 ? SB_OK : sb_loop_solve(a, errors);
    if (status == SB_ERR_SINGULAR) {
      SB_TRY(sb_conflicts_resolve(a, found, &solved, errors));
      if (*found > 0) {
        return SB_OK;
      }
      sb_singular_report(a, errors);
    }
    SB_TRY(status);
    if (!spread(a)) {
      return SB_ERR_MEMORY;
    }
  }
}

/** One assignment with the constraints known so far. */
static sb_status assign_once(const sb_network *network, const int modes[], sb_causality *causality,
                             int *found, sb_errors *errors) {
  sb_assign a;
  sb_status status = SB_ERR_MEMORY;
  *found = 0;
  if (assign_init(&a, network, modes, causality)) {
    index_columns(&a);
    bool ok = start(&a);
    for (int i = 0; ok && i < network->instance_count; i++) {
      if (causality->multiplies[i]) {
        choose(&a, i, SB_FLOW);
      }
    }
    status = ok && spread(&a) ? determine(&a, found, errors) : SB_ERR_MEMORY;
  }
  assign_finish(&a);
  return status;
}

/** Again and again, as constraints of linear storages are found. */
static sb_status assign_all(const sb_network *network, const int modes[], sb_causality *causality,
                            sb_errors *errors) {
  int found = 1;
  sb_status status = SB_OK;
  for (int pass = 0; status == SB_OK && found > 0; pass++) {
    bool endless =
        pass > network->state_count + network->instance_count; // each pass finds something new
    status = endless ? SB_ERR_CAUSALITY : assign_once(network, modes, causality, &found, errors);
  }
  return status;
}

sb_status sb_causality_assign(const sb_network *network, const int modes[], sb_causality *causality,
                              sb_errors *errors) {
  *causality = (sb_causality){0};
  sb_errors found = {0};
  sb_status status = assign_all(network, modes, causality, &found);
  bool turned = false;
  for (int i = 0; causality->multiplies != NULL && i < network->instance_count; i++) {
    turned = turned || causality->multiplies[i];
  }
  if (status == SB_ERR_CAUSALITY && turned) { // not all that could be given flows can be at once
    sb_causality_finish(causality);
    sb_errors_finish(&found);
    causality->divides = true;
    status = assign_all(network, modes, causality, &found);
  }
  if (status != SB_OK && found.count == 0) {
    sb_error err;
    (void)sb_fail(&err, status, "out of memory");
    sb_errors_add(&found, &err);
  }
  for (int i = 0; i < found.count; i++) {
    sb_errors_add(errors, &found.items[i]);
  }
  if (status != SB_OK) {
    sb_causality_finish(causality);
  }
  sb_errors_finish(&found);
  return status;
}
