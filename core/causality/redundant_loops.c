// SPDX-License-Identifier: GPL-3.0-or-later
// Linear loops with redundant constraints: where junctions state one twice, an effort or flow may circulate that acts on no element.
// With N of all that may be added to a solution, of the unknowns that elimination leaves open one by one, the solution x of least norm is
// at right angles to it: N^T x = 0. These conditions take the place of the rows that say nothing new.
#include <math.h>

#include "core/causality/sparse_private.h"

sb_status sb_sparse_imply(sb_assign *a, sb_sparse *s, int *found) {
  sb_status status = SB_OK;
  for (int r = 0; status == SB_OK && r < s->set->row_count; r++) {
    const sb_sparse_line *l = &s->lines[r];
    sb_term *terms = sb_arena_zeroed(&s->memory, l->count, sizeof *terms);
    int count = 0, unknowns = 0;
    for (int i = 0; terms != NULL && l->pivot < 0 && i < l->count; i++) {
      const sb_sparse_entry *e = &l->entries[i];
      const bool counts = fabs(e->factor) > sb_sparse_rest * e->size;
      if (counts && sb_sparse_column_of(s, e->var) != NULL) {
        unknowns++;
      } else if (counts) {
        terms[count++] = (sb_term){e->var, e->factor};
      }
    }
    if (unknowns > 0) {
      status = SB_ERR_SINGULAR; // a pivot that has lost its digits
    } else if (count > 0) {
      status = sb_conflicts_imply(a, s->set->rows[r], terms, count, found);
    }
  }
  return s->memory.failed ? SB_ERR_MEMORY : status;
}

/** Marks the variables of the bonds of storages, sources and what has hooks. */
static void mark_outside(const sb_network *network, char outside[]) {
  for (int i = 0; i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    const bool acts = instance->hooked || instance->type->storage != NULL;
    for (int k = 0; acts && k < instance->components; k++) {
      outside[sb_effort_var(instance, k)] = outside[sb_flow_var(instance, k)] = 1;
    }
  }
}

/** What may be added to a solution: of one open unknown 1, of the others 0.
 *  @param x  (unknown variables) in: of the open ones zero; out */
static void find_null_vector(const sb_sparse *s, int open, double x[]) {
  x[open] = 1;
  for (int k = s->rank - 1; k >= 0; k--) {
    const sb_sparse_line *l = &s->lines[s->order[k]];
    double sum = 0, size = 0;
    for (int i = 0; i < l->count; i++) {
      const sb_sparse_entry *e = &l->entries[i];
      if (e->var != l->pivot && sb_sparse_column_of(s, e->var) != NULL) {
        sum -= e->factor * x[e->var];
        size = fmax(size, fabs(e->factor * x[e->var]));
      }
    }
    x[l->pivot] = fabs(sum) > sb_sparse_rest * size ? sum : 0;
  }
}

/** The loop in which it circulates, to the result. */
static void add_loop(sb_assign *a, int open, const double x[]) {
  sb_causality *result = a->result;
  sb_redundant_loop loop = {.effort = open % 2 == 0, .first = result->redundant_instance_count};
  for (int i = 0; i < a->network->instance_count; i++) {
    const sb_instance *instance = &a->network->instances[i];
    bool on = false;
    for (int k = 0; k < instance->components; k++) {
      on = on || x[sb_effort_var(instance, k)] != 0 || x[sb_flow_var(instance, k)] != 0;
    }
    if (on) {
      sb_arena_append(&result->memory, &result->redundant_instances,
                      &result->redundant_instance_count, &result->redundant_instance_capacity,
                      sizeof i, &i);
    }
  }
  loop.count = result->redundant_instance_count - loop.first;
  sb_arena_append(&result->memory, &result->redundant_loops, &result->redundant_loop_count,
                  &result->redundant_loop_capacity, sizeof loop, &loop);
}

/** That the solution is at right angles to x.  @return SB_ERR_SINGULAR: x acts on an element */
static sb_status add_condition(sb_sparse *s, const double x[], const char outside[],
                               sb_sparse_conditions *c) {
  for (int j = 0; j < s->set->var_count; j++) {
    const int var = s->set->vars[j];
    const sb_term term = {var, x[var]};
    if (x[var] != 0 && outside[var]) {
      return SB_ERR_SINGULAR;
    }
    if (x[var] != 0) {
      sb_arena_append(&s->memory, &c->terms, &c->term_count, &c->term_capacity, sizeof term, &term);
    }
  }
  sb_arena_append(&s->memory, &c->ends, &c->count, &c->capacity, sizeof c->term_count,
                  &c->term_count);
  return SB_OK;
}

sb_status sb_sparse_close(sb_assign *a, sb_sparse *s, sb_sparse_conditions *conditions) {
  char *outside = sb_arena_zeroed(&s->memory, a->base, sizeof *outside);
  char *solved = sb_arena_zeroed(&s->memory, a->base, sizeof *solved);
  double *x = sb_arena_zeroed(&s->memory, a->base, sizeof *x);
  *conditions = (sb_sparse_conditions){0};
  if (s->memory.failed) {
    return SB_ERR_MEMORY;
  }
  mark_outside(a->network, outside);
  for (int k = 0; k < s->rank; k++) {
    solved[s->lines[s->order[k]].pivot] = 1;
  }
  for (int j = 0; j < s->set->var_count; j++) {
    const int open = s->set->vars[j];
    if (!solved[open]) {
      find_null_vector(s, open, x);
      SB_TRY(add_condition(s, x, outside, conditions));
      add_loop(a, open, x);
      x[open] = 0;
    }
  }
  return s->memory.failed || sb_assign_failed(a) ? SB_ERR_MEMORY : SB_OK;
}
