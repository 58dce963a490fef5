// SPDX-License-Identifier: GPL-3.0-or-later
// Which constraints have to be solved together: those that share states, found by union-find.
#include <stdlib.h>

#include "core/causality/constraint.h"
#include "core/model/constraints.h"

/** What finding the groups works with. */
typedef struct partition {
  sb_arena memory;
  sb_constraint_groups *groups;
  sb_workspace *work;
  int constraints; // how many
  double *x;       // (states) zero: the states and sources of a row are the same everywhere
  int *parent;     // (states) union-find
  int *state_of;   // (constraints) one of its states, -1: it has none
  int *held;   // (instances) of a source in a constraint with a multiplier: one of its states; -1
  int *number; // (states) of a root: 1 + the number of its group
  int *head;   // (constraints) of a group: its first constraint
  int *next;   // (constraints) the next of the same group, -1: it is the last
} partition;

void sb_constraint_groups_destroy(sb_constraint_groups *groups) {
  if (groups != NULL) {
    sb_arena_finish(&groups->memory);
    free(groups);
  }
}

static int root_of(int parent[], int i) {
  while (parent[i] != i) {
    i = parent[i] = parent[parent[i]];
  }
  return i;
}

static void join(partition *p, int state, int other) {
  p->parent[root_of(p->parent, state)] = root_of(p->parent, other);
}

/** Joins the states of each constraint, and those of constraints that share a source with one that has
 *  a multiplier: over a step of a discrete gradient method such a source gives to all of them what
 *  that constraint asks for (integrator/discrete_constraints.c). */
static void join_states(partition *p) {
  const sb_causality *c = &p->work->program->causality;
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < p->constraints; i++) {
      const sb_constraint_row *row = sb_constraint_row_at(p->groups, p->work, i, p->x, true);
      p->state_of[i] = row->count > 0 ? row->states[0] : -1;
      for (int k = 1; k < row->count; k++) {
        join(p, row->states[k], p->state_of[i]);
      }
      for (int k = 0; k < row->source_count; k++) {
        int *held = &p->held[row->sources[k].instance];
        *held = *held < 0 && sb_constraint_has_multiplier(c, i) ? p->state_of[i] : *held;
        if (*held >= 0) {
          join(p, *held, p->state_of[i]);
        }
      }
    }
  }
}

/** Numbers the groups, that of the last constraint first, and links the constraints of each. */
static void link_constraints(partition *p) {
  for (int i = p->constraints - 1; i >= 0; i--) {
    if (p->state_of[i] < 0) {
      continue;
    }
    int *number = &p->number[root_of(p->parent, p->state_of[i])];
    if (*number == 0) {
      *number = ++p->groups->count;
      p->head[*number - 1] = -1;
    }
    p->next[i] = p->head[*number - 1];
    p->head[*number - 1] = i;
  }
}

/** Appends to a list of a group. */
static bool append(partition *p, int **items, int *count, int *capacity, int item) {
  if (!sb_arena_grow(&p->groups->memory, items, capacity, *count + 1, sizeof item)) {
    return false;
  }
  (*items)[(*count)++] = item;
  return true;
}

static bool contains(const int items[], int count, int item) {
  bool any = false;
  for (int k = 0; k < count; k++) {
    any = any || items[k] == item;
  }
  return any;
}

/** Lists the constraints of a group, its states and its sources, each once. */
static bool list_group(partition *p, int number) {
  sb_constraint_groups *groups = p->groups;
  sb_constraint_group *group = &groups->groups[number];
  int constraints = 0, states = 0, sources = 0; // capacities
  bool ok = true;
  for (int i = p->head[number]; ok && i >= 0; i = p->next[i]) {
    const sb_constraint_row *row = sb_constraint_row_at(groups, p->work, i, p->x, true);
    group->modulated = group->modulated || row->modulated;
    group->has_multiplier =
        group->has_multiplier || sb_constraint_has_multiplier(&p->work->program->causality, i);
    ok = append(p, &group->constraints, &group->count, &constraints, i);
    for (int k = 0; ok && k < row->count; k++) {
      int state = row->states[k];
      if (groups->group_of[state] < 0) {
        groups->group_of[state] = number;
        groups->column[state] = group->state_count;
        ok = append(p, &group->states, &group->state_count, &states, state);
      }
    }
    for (int k = 0; ok && k < row->source_count; k++) {
      int value = row->sources[k].value;
      ok = contains(group->sources, group->source_count, value) ||
           append(p, &group->sources, &group->source_count, &sources, value);
    }
  }
  return ok;
}

static bool list_groups(partition *p) {
  sb_constraint_groups *groups = p->groups;
  int numbers = 0;
  groups->groups = sb_arena_zeroed(&groups->memory, groups->count, sizeof *groups->groups);
  bool ok = groups->groups != NULL;
  for (int i = 0; ok && i < groups->count; i++) {
    ok = list_group(p, i);
    int needed = sb_projection_numbers(groups->groups[i].count, groups->groups[i].state_count);
    numbers = needed > numbers ? needed : numbers;
  }
  groups->numbers = ok ? sb_arena_zeroed(&groups->memory, numbers, sizeof(double)) : NULL;
  return groups->numbers != NULL;
}

static int *filled(sb_arena *memory, int count, int with) {
  int *items = sb_arena_zeroed(memory, count, sizeof(int));
  for (int i = 0; items != NULL && i < count; i++) {
    items[i] = with;
  }
  return items;
}

static bool make_room(partition *p) {
  int n = p->work->network->state_count, m = p->constraints;
  sb_constraint_groups *g = p->groups;
  p->x = sb_arena_zeroed(&p->memory, n, sizeof(double));
  p->parent = sb_arena_zeroed(&p->memory, n, sizeof(int));
  p->number = sb_arena_zeroed(&p->memory, n, sizeof(int));
  p->state_of = sb_arena_zeroed(&p->memory, m, sizeof(int));
  p->head = sb_arena_zeroed(&p->memory, m, sizeof(int));
  p->next = sb_arena_zeroed(&p->memory, m, sizeof(int));
  p->held = filled(&p->memory, p->work->network->instance_count, -1);
  g->group_of = filled(&g->memory, n, -1);
  g->column = sb_arena_zeroed(&g->memory, n, sizeof(int));
  g->pivots = sb_arena_zeroed(&g->memory, m, sizeof(int));
  g->row = (sb_constraint_row){.gradient = sb_arena_zeroed(&g->memory, n, sizeof(double)),
                               .impulse = sb_arena_zeroed(&g->memory, n, sizeof(double)),
                               .states = sb_arena_zeroed(&g->memory, n, sizeof(int)),
                               .listed = sb_arena_zeroed(&g->memory, n, sizeof(char))};
  for (int i = 0; p->parent != NULL && i < n; i++) {
    p->parent[i] = i;
  }
  return p->x != NULL && p->parent != NULL && p->number != NULL && p->state_of != NULL &&
         p->head != NULL && p->next != NULL && p->held != NULL && g->group_of != NULL &&
         g->column != NULL && g->pivots != NULL && g->row.gradient != NULL &&
         g->row.impulse != NULL && g->row.states != NULL && g->row.listed != NULL;
}

static sb_constraint_groups *create_groups(sb_workspace *work) {
  partition p = {.groups = calloc(1, sizeof(sb_constraint_groups)),
                 .work = work,
                 .constraints = work->program->causality.constraint_count};
  bool ok = p.groups != NULL && make_room(&p);
  if (ok) {
    p.groups->generation = work->generation;
    join_states(&p);
    link_constraints(&p);
    ok = list_groups(&p);
  }
  sb_arena_finish(&p.memory);
  if (!ok) {
    sb_constraint_groups_destroy(p.groups);
  }
  return ok ? p.groups : NULL;
}

sb_constraint_groups *sb_constraint_groups_of(sb_workspace *work) {
  if (work->constraint_groups != NULL && work->constraint_groups->generation != work->generation) {
    sb_constraint_groups_destroy(work->constraint_groups);
    work->constraint_groups = NULL;
  }
  if (work->constraint_groups == NULL) {
    work->constraint_groups = create_groups(work);
  }
  return work->constraint_groups;
}
