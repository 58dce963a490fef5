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

#include "core/array_private.h"
#include "core/assign_private.h"

/** All but the constraints, which a second assignment starts from. */
static void free_assignment(sb_causality *causality) {
  free(causality->first);
  free(causality->count);
  free(causality->order);
  free(causality->terms);
  free(causality->given);
  causality->first = causality->count = causality->order = NULL;
  causality->terms = NULL;
  causality->given = NULL;
  causality->term_count = causality->term_capacity = 0;
  causality->ring_count = causality->ring_part_count = causality->loop_count = 0;
}

bool sb_reads_flow(const sb_model *model, const sb_causality *causality, int index, int component) {
  const sb_part *part = &model->parts[index];
  sb_variable output = part->layout.ports[sb_port_of(part, component)].output;
  return sb_output_given(output, causality->given[index]) == SB_EFFORT;
}

sb_term sb_rate_of(const sb_model *model, const sb_causality *causality, int var) {
  int known = var - sb_known_base(model);
  if (known >= model->state_count) {
    return (sb_term){sb_value_var(model, sb_rate_value(model, known - model->state_count)), 1};
  }
  int index = sb_owner_of(model, known);
  const sb_part *part = &model->parts[index];
  int component = known - part->state;
  if (part->type->role == SB_SIGNAL && part->signal_count == part->layout.states) {
    int value = sb_rate_value(model, part->signal + component);
    return (sb_term){sb_value_var(model, value), 1};
  }
  if (!sb_part_integrates(part) && !sb_part_has_stiffness(part)) {
    return (sb_term){-1, 0};
  }
  bool flow = sb_reads_flow(model, causality, index, component);
  return (sb_term){flow ? sb_flow_var(part, component) : sb_effort_var(part, component),
                   flow ? part->signs[component] : 1};
}

/** d/dt of a tie of linear storages: sum c_j xdot_j + sum c_s sdot = 0 gives the input of the dependent
 *  one. */
static void add_constraint(sb_assign *a, const sb_constraint *constraint) {
  a->eq.active[a->eq.output_row[constraint->dependent]] = 0;
  sb_equations_row(&a->eq, constraint->where, true);
  for (int i = 0; i < constraint->count; i++) {
    const sb_term *term = &a->result->constraint_terms[constraint->first + i];
    sb_term rate = sb_rate_of(a->model, a->result, term->var);
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

static bool assign_init(sb_assign *a, const sb_model *model, const int modes[],
                        sb_causality *causality) {
  int base = sb_known_base(model);
  *a = (sb_assign){.model = model, .result = causality, .base = base};
  forget_solved(causality);
  if (sb_equations_build(model, modes, &a->eq) != SB_OK) {
    return false;
  }
  for (int i = 0; i < causality->constraint_count; i++) {
    add_constraint(a, &causality->constraints[i]);
  }
  if (a->eq.failed) {
    return false;
  }
  int rows = a->eq.row_count;
  a->unknown = sb_zeroed(rows, sizeof(int));
  a->done = sb_zeroed(rows, sizeof(char));
  a->queue = sb_zeroed(rows, sizeof(int));
  a->known = sb_zeroed(base, sizeof(char));
  a->column_first = sb_zeroed(base + 1, sizeof(int));
  a->column_rows = sb_zeroed(a->eq.term_count, sizeof(int));
  a->free_ends = sb_zeroed(2 * model->cell_count, sizeof *a->free_ends);
  a->free_part = sb_zeroed(model->part_count, sizeof(char));
  free_assignment(causality);
  causality->first = sb_zeroed(base, sizeof(int));
  causality->count = sb_zeroed(base, sizeof(int));
  causality->order = sb_zeroed(base, sizeof(int));
  causality->given = sb_zeroed(model->part_count, sizeof(sb_variable));
  for (int i = 0; causality->given != NULL && i < model->part_count; i++) {
    const sb_part *part = &model->parts[i]; // a choice to come takes the place of this
    bool effort = part->components > 0 && part->layout.ports[0].output == SB_EFFORT;
    causality->given[i] = effort ? SB_FLOW : SB_EFFORT;
  }
  if (causality->multiplies == NULL) {
    causality->multiplies = sb_zeroed(model->part_count, sizeof(char));
  }
  return causality->multiplies != NULL && a->unknown != NULL && a->done != NULL &&
         a->queue != NULL && a->known != NULL && a->column_first != NULL &&
         a->column_rows != NULL && a->free_ends != NULL && a->free_part != NULL &&
         causality->first != NULL && causality->count != NULL && causality->order != NULL &&
         causality->given != NULL;
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
  free(a->free_part);
}

void sb_causality_finish(sb_causality *causality) {
  free_assignment(causality);
  free(causality->constraints);
  free(causality->constraint_terms);
  free(causality->rings);
  free(causality->ring_parts);
  free(causality->multiplies);
  *causality = (sb_causality){0};
}

/** Where the causality of a part can be decided from. */
static void list_free_ends(sb_assign *a) {
  for (int i = 0; i < 2 * a->model->cell_count; i++) {
    a->free_ends[i].part = -1;
  }
  for (int i = 0; i < a->model->part_count; i++) {
    const sb_part *part = &a->model->parts[i];
    a->free_part[i] = a->eq.choice[i] >= 0;
    for (int k = 0; a->free_part[i] && k < part->components; k++) {
      sb_variable output = part->layout.ports[sb_port_of(part, k)].output;
      if (output == SB_EITHER || output == SB_OPPOSITE) {
        struct sb_free_end *end = &a->free_ends[2 * part->cells[k]];
        end += end->part >= 0;
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

/** Fixes the causality of a part that was free: its ports of SB_EITHER read `given`. */
static void choose(sb_assign *a, int part, sb_variable given) {
  int rows = a->eq.free_rows[part], first = a->eq.choice[part] + (given == SB_EFFORT ? rows : 0);
  a->result->given[part] = given;
  a->free_part[part] = 0;
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
    if (end->part >= 0 && a->free_part[end->part]) {
      const sb_part *part = &a->model->parts[end->part];
      bool same = part->layout.ports[sb_port_of(part, end->component)].output == SB_EITHER;
      choose(a, end->part, (var % 2 == 0) == same ? SB_EFFORT : SB_FLOW);
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
  for (; a->next_choice < a->model->part_count; a->next_choice++) {
    if (a->free_part[a->next_choice]) {
      bool gives_flow = a->model->parts[a->next_choice].layout.either == SB_FLOW;
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
  for (int i = 0; taken != NULL && i < a->model->state_count; i++) {
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
static sb_status assign_once(const sb_model *model, const int modes[], sb_causality *causality,
                             int *found, sb_errors *errors) {
  sb_assign a;
  sb_status status = SB_ERR_MEMORY;
  *found = 0;
  if (assign_init(&a, model, modes, causality)) {
    index_columns(&a);
    bool ok = start(&a);
    for (int i = 0; ok && i < model->part_count; i++) {
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
static sb_status assign_all(const sb_model *model, const int modes[], sb_causality *causality,
                            sb_errors *errors) {
  int found = 1;
  sb_status status = SB_OK;
  for (int pass = 0; status == SB_OK && found > 0; pass++) {
    bool endless = pass > model->state_count + model->part_count; // each pass finds something new
    status = endless ? SB_ERR_CAUSALITY : assign_once(model, modes, causality, &found, errors);
  }
  return status;
}

sb_status sb_causality_assign(const sb_model *model, const int modes[], sb_causality *causality,
                              sb_errors *errors) {
  *causality = (sb_causality){0};
  sb_errors found = {0};
  sb_status status = assign_all(model, modes, causality, &found);
  bool turned = false;
  for (int i = 0; causality->multiplies != NULL && i < model->part_count; i++) {
    turned = turned || causality->multiplies[i];
  }
  if (status == SB_ERR_CAUSALITY && turned) { // not all that could be given flows can be at once
    sb_causality_finish(causality);
    sb_errors_finish(&found);
    causality->divides = true;
    status = assign_all(model, modes, causality, &found);
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
