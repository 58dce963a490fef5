// SPDX-License-Identifier: GPL-3.0-or-later
// Linear algebraic loops: rows that share several unknowns (resistors that feed each other, loops of
// junctions) are solved once, at compilation, by sparse elimination (sparse_loops.c).
#include <string.h>

#include "core/causality/assign_private.h"

/** Unknowns of one loop. */
enum { LOOP_MAX = 40000 };

typedef struct loop {
  sb_arena memory;
  int *rows, *vars;
  int row_count, var_count;
  int *place; // (all variables) of an unknown, from 1
  char *seen; // (all rows)
} loop;

/** Collects the connected set of rows and unknowns around an unknown. */
static sb_status collect(const sb_assign *a, int var, loop *l) {
  l->vars[l->var_count++] = var;
  l->place[var] = 1;
  for (int next = 0; next < l->var_count; next++) {
    for (int i = a->column_first[l->vars[next]]; i < a->column_first[l->vars[next] + 1]; i++) {
      int row = a->column_rows[i];
      if (l->seen[row] || a->done[row] || !a->eq.active[row]) {
        continue;
      }
      l->seen[row] = 1;
      l->rows[l->row_count++] = row;
      for (int k = a->eq.first[row]; k < a->eq.first[row + 1]; k++) {
        int other = a->eq.terms[k].var;
        if (l->place[other] == 0 && other < a->base && !a->known[other]) {
          l->vars[l->var_count++] = other;
          l->place[other] = l->var_count;
        }
      }
    }
  }
  return l->var_count <= LOOP_MAX ? SB_OK : SB_ERR_LIMIT;
}

/** Memory of a set. */
static bool loop_init(const sb_assign *a, loop *l) {
  const int all = sb_value_var(a->network, sb_fixed_values(a->network, a->result));
  *l = (loop){.var_count = 0};
  l->rows = sb_arena_zeroed(&l->memory, a->eq.row_count, sizeof(int));
  l->vars = sb_arena_zeroed(&l->memory, a->base, sizeof(int));
  l->place = sb_arena_zeroed(&l->memory, all, sizeof(int));
  l->seen = sb_arena_zeroed(&l->memory, a->eq.row_count, sizeof(char));
  return !l->memory.failed;
}

/** Collects the set around the first unknown that is not in a set put off.
 *  @return SB_ERR_SINGULAR: there is none */
static sb_status collect_next(const sb_assign *a, loop *l) {
  int var = 0;
  while (var < a->base && (a->known[var] || a->put_off[var])) {
    var++;
  }
  return var == a->base ? SB_ERR_SINGULAR : collect(a, var, l);
}

/** One set.  @param more  out: whether it is put off, and another may be tried */
static sb_status solve_set(sb_assign *a, int *found, bool *more, sb_errors *errors) {
  const int loops = a->result->redundant_loop_count, listed = a->result->redundant_instance_count;
  loop l;
  sb_status status = loop_init(a, &l) ? collect_next(a, &l) : SB_ERR_MEMORY;
  if (status == SB_ERR_LIMIT) {
    const sb_instance *instance = &a->network->instances[a->eq.owner[l.rows[0]]];
    sb_error err;
    sb_fail(&err, status, "the algebraic loop around '%s' has %d unknowns; at most %d are allowed",
            instance->id, l.var_count, LOOP_MAX);
    sb_error_hint(&err, "put a C or I into the loop, which divides it");
    sb_instance_error(instance, &err, errors);
  }
  if (status == SB_OK) {
    const sb_loop_set set = {l.rows, l.vars, l.row_count, l.var_count, l.place};
    status = sb_loop_solve_sparse(a, &set, found, errors);
  }
  *more = status == SB_ERR_SINGULAR && l.var_count > 0;
  for (int i = 0; *more && i < l.var_count; i++) {
    a->put_off[l.vars[i]] = 1;
    a->result->redundant_loop_count = loops;
    a->result->redundant_instance_count = listed;
  }
  sb_arena_finish(&l.memory);
  return status;
}

/** A set that is singular waits for the others: they may imply the constraint that determines it, as two paths between the same
 *  junctions, by ratios that differ, let neither effort nor flow pass. */
sb_status sb_loop_solve(sb_assign *a, int *found, sb_errors *errors) {
  bool more = true;
  sb_status status = SB_OK;
  memset(a->put_off, 0, (size_t)a->base);
  while (more) {
    status = solve_set(a, found, &more, errors);
  }
  return status;
}

bool sb_loop_determines(sb_assign *a, int var) {
  loop l;
  bool determined = false;
  if (loop_init(a, &l) && !a->known[var] && collect(a, var, &l) == SB_OK) {
    l.vars[0] = l.vars[--l.var_count]; // the first one is that asked for: it is taken as known
    l.place[l.vars[0]] = 1;
    l.place[var] = 0;
    const sb_loop_set set = {l.rows, l.vars, l.row_count, l.var_count, l.place};
    determined = sb_loop_implies(a, &set, var);
  }
  a->memory.failed = a->memory.failed || l.memory.failed;
  sb_arena_finish(&l.memory);
  return determined;
}
