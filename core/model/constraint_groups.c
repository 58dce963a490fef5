// SPDX-License-Identifier: GPL-3.0-or-later
// Which constraints have to be solved together: those that share states, found by union-find.
#include <stdlib.h>
#include <string.h>

#include "core/base/sets.h"
#include "core/causality/constraint.h"
#include "core/graph/domain.h"
#include "core/model/constraints.h"

/** What finding the groups works with. */
typedef struct partition {
  sb_arena memory;
  sb_constraint_groups *groups;
  sb_workspace *work;
  int constraints; // how many
  double *x;       // (states) zero: the states and sources of a row are the same everywhere
  int *parent;     // (states, then algebraic variables) union-find
  int *node_of;    // (constraints) one of these in it, -1: it has none
  int *held;   // (instances) of a source in a constraint with a multiplier: one of its states; -1
  int *number; // (the same) of a root: number of its group, -1: none yet
  bool failed; // out of memory
} partition;

void sb_constraint_groups_destroy(sb_constraint_groups *groups) {
  if (groups != NULL) {
    sb_arena_finish(&groups->memory);
    free(groups);
  }
}

bool sb_constraints_hold(const sb_workspace *work, int state) {
  const sb_constraint_groups *groups = work->constraint_groups;
  const int group = groups == NULL ? -1 : groups->group_of[state];
  return group >= 0 && groups->groups[group].has_multiplier;
}

/** Joins the states of each constraint, those of constraints on one algebraic variable, and those of
 *  constraints that share a source with one that has
 *  a multiplier: over a step of a discrete gradient method such a source gives to all of them what
 *  that constraint asks for (integrator/discrete_constraints.c). */
static void join_states(partition *p) {
  const sb_causality *c = &p->work->program->causality;
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < p->constraints; i++) {
      const sb_constraint_row *row = sb_constraint_row_at(p->groups, p->work, i, p->x, true);
      p->node_of[i] = row->count > 0 ? row->states[0] : -1;
      for (int k = 1; k < row->count; k++) {
        sb_sets_join(p->parent, row->states[k], p->node_of[i]);
      }
      for (int k = 0; k < c->algebraic_count; k++) {
        if (row->on[k]) {
          int own = p->work->network->state_count + k;
          p->node_of[i] = p->node_of[i] < 0 ? own : p->node_of[i];
          sb_sets_join(p->parent, own, p->node_of[i]);
        }
      }
      for (int k = 0; k < row->source_count; k++) {
        int *held = &p->held[row->sources[k].instance];
        *held = *held < 0 && sb_constraint_has_multiplier(c, i) ? p->node_of[i] : *held;
        if (*held >= 0) {
          sb_sets_join(p->parent, *held, p->node_of[i]);
        }
      }
    }
  }
}

/** Numbers the groups, that of the last constraint first. */
static void number_groups(partition *p) {
  for (int i = p->constraints - 1; i >= 0; i--) {
    int *number = p->node_of[i] < 0 ? NULL : &p->number[sb_set_of(p->parent, p->node_of[i])];
    if (number != NULL && *number < 0) {
      *number = p->groups->count++;
    }
  }
}

static void append(partition *p, int **items, int *count, int *capacity, int item) {
  if (!sb_arena_grow(&p->groups->memory, items, capacity, *count + 1, sizeof item)) {
    p->failed = true;
    return;
  }
  (*items)[(*count)++] = item;
}

static bool contains(const int items[], int count, int item) {
  bool any = false;
  for (int k = 0; k < count; k++) {
    any = any || items[k] == item;
  }
  return any;
}

/** Adds a constraint with its states and sources to its group. */
static void add_constraint(partition *p, int constraint, int number) {
  sb_constraint_groups *groups = p->groups;
  sb_constraint_group *g = &groups->groups[number];
  const sb_constraint_row *row = sb_constraint_row_at(groups, p->work, constraint, p->x, true);
  g->modulated = g->modulated || row->modulated;
  g->has_multiplier =
      g->has_multiplier || sb_constraint_has_multiplier(&p->work->program->causality, constraint);
  append(p, &g->constraints, &g->count, &g->capacity, constraint);
  for (int k = 0; k < row->count; k++) {
    int state = row->states[k];
    if (groups->group_of[state] < 0) {
      groups->group_of[state] = number;
      groups->column[state] = g->state_count;
      append(p, &g->states, &g->state_count, &g->state_capacity, state);
    }
  }
  for (int k = 0; k < p->work->program->causality.algebraic_count; k++) {
    if (row->on[k] && groups->group_of_algebraic[k] < 0) {
      groups->group_of_algebraic[k] = number;
      append(p, &g->algebraics, &g->algebraic_count, &g->algebraic_capacity, k);
    }
  }
  for (int k = 0; k < row->source_count; k++) {
    int value = row->sources[k].value;
    if (!contains(g->sources, g->source_count, value)) {
      append(p, &g->sources, &g->source_count, &g->source_capacity, value);
    }
  }
}

/** Finds what is in each group, and how much its projection needs. */
static void fill_groups(partition *p) {
  sb_constraint_groups *groups = p->groups;
  int most = 0, system = 0;
  groups->groups = sb_arena_zeroed(&groups->memory, groups->count, sizeof *groups->groups);
  p->failed = groups->groups == NULL;
  for (int i = 0; !p->failed && i < p->constraints; i++) {
    if (p->node_of[i] >= 0) {
      add_constraint(p, i, p->number[sb_set_of(p->parent, p->node_of[i])]);
    }
  }
  for (int i = 0; !p->failed && i < groups->count; i++) {
    const sb_constraint_group *g = &groups->groups[i];
    groups->groups[i].lengths =
        sb_arena_zeroed(&groups->memory, g->count + g->algebraic_count, sizeof(double));
    p->failed = groups->groups[i].lengths == NULL;
    int needed = sb_projection_numbers(g->count, g->state_count, g->algebraic_count);
    int own = sb_algebraic_numbers(g->count, g->state_count, g->algebraic_count);
    most = needed > most ? needed : most;
    system = own > system ? own : system;
  }
  groups->system = sb_arena_zeroed(&groups->memory, system, sizeof(double));
  groups->numbers = sb_arena_zeroed(&groups->memory, most, sizeof(double));
  p->failed = p->failed || groups->numbers == NULL || groups->system == NULL;
}

/** Zeroed, or of integers -1. */
static void *take(partition *p, sb_arena *memory, int count, size_t size, bool negative) {
  void *items = sb_arena_zeroed(memory, count, size);
  p->failed = p->failed || items == NULL;
  return items == NULL || !negative ? items : memset(items, -1, (size_t)count * size);
}

/** Numbers that an impulse on a storage that accelerates is described by. */
static int largest_accelerating(const sb_network *network) {
  int largest = 0;
  for (int i = 0; i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    int own = 2 * instance->layout.states + instance->components;
    largest = sb_instance_accelerates(instance) && own > largest ? own : largest;
  }
  return largest;
}

static void find_turns(sb_constraint_groups *g, const sb_network *network) {
  for (int i = 0; i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    for (int port = 0; sb_instance_accelerates(instance) && port < instance->layout.port_count;
         port++) {
      const char *name = instance->layout.ports[port].domain;
      const sb_domain *domain = name == NULL ? NULL : sb_domain_find(name);
      char *turns = g->turns + instance->out + instance->first[port];
      for (int k = 0; domain != NULL && k < instance->layout.ports[port].dim; k++) {
        turns[k] = sb_domain_turns(domain, k);
      }
    }
  }
}

static void make_room(partition *p) {
  int n = p->work->network->state_count, m = p->constraints;
  int algebraics = p->work->program->causality.algebraic_count;
  sb_constraint_groups *g = p->groups;
  p->x = take(p, &p->memory, n, sizeof(double), false);
  p->parent = take(p, &p->memory, n + algebraics, sizeof(int), false);
  p->number = take(p, &p->memory, n + algebraics, sizeof(int), true);
  p->node_of = take(p, &p->memory, m, sizeof(int), false);
  p->held = take(p, &p->memory, p->work->network->instance_count, sizeof(int), true);
  g->group_of = take(p, &g->memory, n, sizeof(int), true);
  g->column = take(p, &g->memory, n, sizeof(int), false);
  g->group_of_algebraic = take(p, &g->memory, algebraics, sizeof(int), true);
  g->largest = take(p, &g->memory, algebraics, sizeof(double), false);
  g->taken = take(p, &g->memory, m, sizeof(double), false);
  g->struck = take(p, &g->memory, m, sizeof(double), false);
  g->struck_size = take(p, &g->memory, m, sizeof(double), false);
  g->known = take(p, &g->memory, algebraics + m, sizeof(double), false);
  g->pivots = take(p, &g->memory, m + algebraics, sizeof(int), false);
  g->kept = take(p, &g->memory, 2 * m, sizeof *g->kept, false);
  g->row.algebraic = take(p, &g->memory, algebraics, sizeof(double), false);
  g->row.on = take(p, &g->memory, algebraics, sizeof(char), false);
  g->row.gradient = take(p, &g->memory, n, sizeof(double), false);
  g->row.impulse = take(p, &g->memory, n, sizeof(double), false);
  g->row.states = take(p, &g->memory, n, sizeof(int), false);
  g->row.listed = take(p, &g->memory, n, sizeof(char), false);
  g->accelerating = take(p, &g->memory, p->work->network->instance_count, sizeof(int), false);
  g->weights = take(p, &g->memory, p->work->network->value_count, sizeof(double), false);
  g->turns = take(p, &g->memory, p->work->network->value_count, sizeof(char), false);
  g->moved = take(p, &g->memory, largest_accelerating(p->work->network), sizeof(double), false);
  for (int i = 0; p->parent != NULL && i < n + algebraics; i++) {
    p->parent[i] = i;
  }
}

static sb_constraint_groups *create_groups(sb_workspace *work) {
  partition p = {.groups = calloc(1, sizeof(sb_constraint_groups)),
                 .work = work,
                 .constraints = work->program->causality.constraint_count};
  if (p.groups == NULL) {
    return NULL;
  }
  p.groups->generation = work->generation;
  make_room(&p);
  p.groups->only_lists = true;
  if (!p.failed) {
    find_turns(p.groups, work->network);
    join_states(&p);
    number_groups(&p);
    fill_groups(&p);
  }
  p.groups->only_lists = false;
  sb_arena_finish(&p.memory);
  if (p.failed) {
    sb_constraint_groups_destroy(p.groups);
  }
  return p.failed ? NULL : p.groups;
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
