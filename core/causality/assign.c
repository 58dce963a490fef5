// SPDX-License-Identifier: GPL-3.0-or-later
// Causality assignment. States and hooks' outputs are known; a row with one unknown left determines it
// (propagation.c: this is the propagation of causal strokes, and keeps integral causality first). Where that
// stops, a dissipation or modulated transducer of indifferent causality is chosen; where none is left, what
// remains are linear algebraic loops, solved here once and for all (linear_loops.c). A row without unknowns
// that is not an identity relates elements that all claim the same variable. If linear storages are among
// them, one of them is dependent: the constraint, differentiated, takes the place of the row for its output
// (index_reduction.c). Else it is a conflict, reported by name (conflicts.c).
#include <string.h>

#include "core/base/array.h"
#include "core/causality/assign_private.h"

/** Constraints that are solved for are found anew. */
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

/** Whether the network determines what an indifferent instance would give, by several rows together: that of a resistor which alone joins
 *  a ring to ground is the sum of the flows at all nodes, zero. In what else is left, linear and passive, the instance may read
 *  either variable: if x is undetermined where y is given, a change of x alone, of no power, is allowed; added to any other it may take any
 *  amount of power x y, so that y has to be zero in all of them, which is determined. So each choice leaves one for those that follow. */
static bool is_determined(sb_assign *a, int index, sb_variable assigned) {
  const sb_instance *instance = &a->network->instances[index];
  bool any = false;
  for (int k = 0; !any && k < instance->components; k++) {
    const sb_variable output = instance->layout.ports[sb_port_of(instance, k)].output;
    if (output == SB_INDIFFERENT || output == SB_OPPOSITE) {
      any = sb_loop_determines(a, sb_output_variable(output, assigned) == SB_EFFORT
                                      ? sb_effort_var(instance, k)
                                      : sb_flow_var(instance, k));
    }
  }
  return any;
}

/** Gives the first indifferent instance its flow, or what it prefers, or the other; false if none is left. */
static bool choose_next(sb_assign *a) {
  for (; a->next_choice < a->network->instance_count; a->next_choice++) {
    const int index = a->next_choice;
    if (a->free_instance[index]) {
      const bool gives_flow = (a->network->instances[index].layout.preferred == SB_FLOW) !=
                              (a->result->turned[index] != 0);
      const sb_variable assigned = gives_flow ? SB_EFFORT : SB_FLOW;
      const bool forced = a->result->ranked && is_determined(a, index, assigned);
      a->result->open[index] = !forced;
      sb_assign_choose(a, index, gives_flow != forced ? SB_EFFORT : SB_FLOW);
      return true;
    }
  }
  return false;
}

/** Rows of one unknown. What storages give comes first: it follows from their states even where they are
 *  constrained, and then the row that is left over is the network's. */
static void start(sb_assign *a) {
  char *taken = sb_arena_zeroed(&a->memory, a->eq.row_count, sizeof(char));
  for (int i = 0; taken != NULL && i < a->network->state_count; i++) {
    int row = a->eq.output_row[i];
    if (row >= 0) {
      sb_assign_enqueue(a, row);
      taken[row] = 1;
    }
  }
  for (int row = 0; taken != NULL && row < a->eq.row_count; row++) {
    if (!taken[row]) {
      sb_assign_enqueue(a, row);
    }
  }
}

/** As far as rows and indifferent causalities go. */
static void spread(sb_assign *a) {
  sb_assign_propagate(a);
  while (choose_next(a)) {
    sb_assign_propagate(a);
  }
}

/** Determines all variables, or finds constraints of linear storages to begin again with. */
static sb_status determine(sb_assign *a, int *found, sb_errors *errors) {
  while (!sb_assign_failed(a)) {
    int solved = 0;
    SB_TRY(sb_conflicts_resolve(a, found, &solved, errors));
    if (*found > 0) {
      return SB_OK;
    }
    if (solved == 0 && a->known_count == a->base) {
      return sb_algebraic_close(a) || sb_assign_failed(a) ? SB_OK : SB_ERR_CAUSALITY;
    }
    sb_status status = solved > 0 ? SB_OK : sb_loop_solve(a, found, errors);
    if (status == SB_OK && *found > 0) {
      return SB_OK;
    }
    if (status == SB_ERR_SINGULAR) {
      SB_TRY(sb_conflicts_resolve(a, found, &solved, errors));
      if (*found > 0) {
        return SB_OK;
      }
      a->closing = true;
      SB_TRY(sb_conflicts_resolve(a, found, &solved, errors));
      *found = sb_multipliers_move(a);
      if (*found > 0) {
        return SB_OK;
      }
      status = sb_singular_report(a, errors);
    }
    SB_TRY(status);
    spread(a);
  }
  return SB_ERR_MEMORY;
}

/** One assignment with the constraints known so far. */
static sb_status assign_once(const sb_network *network, const int modes[], sb_causality *causality,
                             int *found, sb_errors *errors) {
  sb_assign a;
  sb_status status = SB_ERR_MEMORY;
  *found = 0;
  forget_solved(causality);
  if (sb_assign_init(&a, network, modes, causality)) {
    sb_assign_index(&a);
    start(&a);
    *found = sb_algebraic_find(&a);
    status = sb_assign_failed(&a) ? SB_ERR_MEMORY : SB_OK;
    if (status == SB_OK && *found == 0) {
      spread(&a);
      status = determine(&a, found, errors);
    }
  }
  sb_assign_finish(&a);
  return status;
}

/** Again and again, as constraints of linear storages are found. */
static sb_status assign_all(const sb_network *network, const int modes[], sb_causality *causality,
                            sb_errors *errors) {
  int found = 1;
  sb_status status = SB_OK;
  for (int pass = 0; status == SB_OK && found > 0; pass++) {
    // each pass finds something new
    bool endless = pass > network->state_count + network->instance_count + network->pair_count;
    status = endless ? SB_ERR_CAUSALITY : assign_once(network, modes, causality, &found, errors);
  }
  return status;
}

/** Whether a modulated structure is given flows so that it does not divide. */
static bool is_any_turned(const sb_network *network, const sb_causality *causality) {
  bool any = false;
  for (int i = 0; causality->multiplies != NULL && i < network->instance_count; i++) {
    any = any || causality->multiplies[i];
  }
  return any;
}

/** Once more, with laws that amplify what comes back to them turned round, if that can be. */
static sb_status turn_steep(const sb_network *network, const int modes[], sb_causality *causality) {
  bool changed;
  sb_errors errors = {0};
  sb_causality again = {.ratios = causality->ratios, .ranked = causality->ranked};
  again.turned = sb_arena_zeroed(&again.lasting, network->instance_count, sizeof(char));
  if (again.turned == NULL || !sb_causality_prefer(network, causality, &changed)) {
    sb_causality_finish(&again);
    return SB_ERR_MEMORY;
  }
  if (changed) {
    memcpy(again.turned, causality->turned, (size_t)network->instance_count);
  }
  if (changed && assign_all(network, modes, &again, &errors) == SB_OK) {
    sb_causality_finish(causality);
    *causality = again;
  } else {
    sb_causality_finish(&again);
  }
  sb_errors_finish(&errors);
  return SB_OK;
}

/** As assign_all(). Propagation by single rows decides most causalities rightly; only where that ends in a contradiction are the ranks
 *  of sets of rows asked for, at one elimination for each law that is open. */
static sb_status assign_by_rank(const sb_network *network, const int modes[],
                                sb_causality *causality, sb_errors *found) {
  sb_status status = assign_all(network, modes, causality, found);
  bool any = false;
  for (int i = 0; causality->open != NULL && i < network->instance_count; i++) {
    any = any || causality->open[i];
  }
  if (any && (status == SB_ERR_CAUSALITY || status == SB_ERR_SINGULAR)) {
    const sb_ratio_use ratios = causality->ratios;
    sb_causality_finish(causality);
    sb_errors_finish(found);
    *causality = (sb_causality){.ratios = ratios, .ranked = true};
    status = assign_all(network, modes, causality, found);
  }
  return status;
}

sb_status sb_causality_assign(const sb_network *network, const int modes[], sb_causality *causality,
                              sb_errors *errors) {
  *causality = (sb_causality){0};
  sb_errors found = {0};
  sb_status status = assign_by_rank(network, modes, causality, &found);
  bool failed = status == SB_ERR_CAUSALITY;
  for (int ratios = 1; failed && is_any_turned(network, causality) && ratios <= SB_RATIOS_DIVIDE;
       ratios++) {
    sb_causality_finish(causality);
    sb_errors_finish(&found);
    causality->ratios = (sb_ratio_use)ratios;
    status = assign_by_rank(network, modes, causality, &found);
    failed = status == SB_ERR_CAUSALITY || status == SB_ERR_SINGULAR;
  }
  if (status == SB_OK) {
    status = turn_steep(network, modes, causality);
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
