// SPDX-License-Identifier: GPL-3.0-or-later
// Causality assignment. States and hooks' outputs are known; a row with one unknown left determines
// it (this is the propagation of causal strokes, and keeps integral causality first). Where that
// stops, a dissipation with free causality is chosen; where none is left, what remains are linear
// loops, solved here once and for all (loops.c). A row without unknowns that is not an identity
// ties elements that all claim the same variable: a conflict, reported by name.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/array_private.h"
#include "core/assign_private.h"

static bool assign_init(sb_assign *a, const sb_model *model, const int modes[],
                        sb_causality *causality) {
  int base = sb_known_base(model);
  *a = (sb_assign){.model = model, .result = causality, .base = base};
  if (sb_equations_build(model, modes, &a->eq) != SB_OK) {
    return false;
  }
  int rows = a->eq.row_count;
  a->unknown = sb_zeroed(rows, sizeof(int));
  a->done = sb_zeroed(rows, sizeof(char));
  a->queue = sb_zeroed(rows, sizeof(int));
  a->known = sb_zeroed(base, sizeof(char));
  a->column_first = sb_zeroed(base + 1, sizeof(int));
  a->column_rows = sb_zeroed(a->eq.term_count, sizeof(int));
  a->cell_choice = sb_zeroed(model->cell_count, sizeof(int));
  causality->first = sb_zeroed(base, sizeof(int));
  causality->count = sb_zeroed(base, sizeof(int));
  causality->order = sb_zeroed(base, sizeof(int));
  causality->given = sb_zeroed(model->part_count, sizeof(sb_variable));
  return a->unknown != NULL && a->done != NULL && a->queue != NULL && a->known != NULL &&
         a->column_first != NULL && a->column_rows != NULL && a->cell_choice != NULL &&
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
  free(a->cell_choice);
}

void sb_causality_finish(sb_causality *causality) {
  free(causality->first);
  free(causality->count);
  free(causality->order);
  free(causality->terms);
  free(causality->given);
  *causality = (sb_causality){0};
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
  for (int i = 0; i < a->model->cell_count; i++) {
    a->cell_choice[i] = -1;
  }
  for (int i = 0; i < a->model->part_count; i++) {
    if (eq->choice[i] >= 0) {
      a->cell_choice[a->model->parts[i].cells[0]] = i;
    }
  }
}

static void enqueue(sb_assign *a, int row) {
  if (a->eq.active[row] && !a->done[row] && a->unknown[row] == 1) {
    a->queue[(a->head + a->length++) % a->eq.row_count] = row;
  }
}

/** Fixes the causality of a dissipation that was free: it reads `given`. */
static void choose(sb_assign *a, int part, sb_variable given) {
  int row = a->eq.choice[part] + (given == SB_EFFORT);
  a->result->given[part] = given;
  a->cell_choice[a->model->parts[part].cells[0]] = -1;
  a->eq.active[row] = 1;
  enqueue(a, row);
}

void sb_assign_known(sb_assign *a, int var) {
  a->known[var] = 1;
  a->result->order[a->known_count++] = var;
  for (int i = a->column_first[var]; i < a->column_first[var + 1]; i++) {
    a->unknown[a->column_rows[i]]--;
    enqueue(a, a->column_rows[i]);
  }
  int part = a->cell_choice[var / 2];
  if (part >= 0) {
    choose(a, part, var % 2 == 0 ? SB_EFFORT : SB_FLOW);
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

/** Lets the first free dissipation read its flow; false if none is free. */
static bool choose_next(sb_assign *a) {
  for (; a->next_choice < a->model->part_count; a->next_choice++) {
    int part = a->next_choice;
    if (a->eq.choice[part] >= 0 && a->cell_choice[a->model->parts[part].cells[0]] == part) {
      choose(a, part, SB_FLOW);
      return true;
    }
  }
  return false;
}

sb_status sb_causality_assign(const sb_model *model, const int modes[], sb_causality *causality,
                              sb_errors *errors) {
  sb_assign a;
  *causality = (sb_causality){0};
  bool ok = assign_init(&a, model, modes, causality);
  sb_status status = SB_OK;
  if (ok) {
    index_columns(&a);
    for (int row = 0; row < a.eq.row_count; row++) {
      enqueue(&a, row);
    }
    ok = propagate(&a);
    while (ok && choose_next(&a)) {
      ok = propagate(&a);
    }
    while (ok && status == SB_OK && a.known_count < a.base) {
      status = sb_loop_solve(&a, errors);
      ok = status != SB_ERR_MEMORY && propagate(&a);
    }
    sb_status conflict = ok ? sb_conflicts_report(&a, errors) : SB_OK;
    status = conflict != SB_OK ? conflict : status;
    if (ok && status == SB_ERR_SINGULAR) {
      sb_singular_report(&a, errors);
    }
  }
  assign_finish(&a);
  if (!ok) {
    sb_error err;
    status = sb_fail(&err, SB_ERR_MEMORY, "out of memory");
    sb_errors_add(errors, &err);
  }
  if (status != SB_OK) {
    sb_causality_finish(causality);
  }
  return status;
}
