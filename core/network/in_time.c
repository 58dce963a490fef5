// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/in_time.h"

#include <string.h>

#include "core/expression/compose.h"
#include "core/network/turns.h"

/** While the list is made. */
typedef struct composer {
  const sb_network *network;
  sb_arena *memory;
  const sb_expression **value; // (instances) of signals in time, as far as they have been composed
  bool *known;                 // (instances) they have
  const int *giver;            // (values) the instance that gives each; -1: none
} composer;

static const sb_expression *held_by(const sb_instance *instance, const sb_param *row) {
  return row->kind == SB_PARAM_EXPRESSION
             ? *(sb_expression **)(void *)((char *)instance->self + row->offset)
             : NULL;
}

static int count_arguments(const sb_param *row) {
  int count = 0;
  while (row->arguments != NULL && row->arguments[count].name != NULL) {
    count++;
  }
  return count;
}

static bool is_of_time(const sb_param *row) {
  return count_arguments(row) > 0 && strcmp(row->arguments[0].name, "t") == 0;
}

/** A signal without a memory gives what its one expression is. */
static bool gives_its_expression(const sb_instance *instance) {
  return instance->type->signal != NULL && instance->type->signal->delay == NULL &&
         instance->signal_count == 1 && instance->timed_count == 1 &&
         instance->layout.states == 0 && instance->type->switching == NULL;
}

static const sb_expression *value_of(composer *c, int index);

/** What stands for the variables of an expression of an element. */
static void find_stand_ins(composer *c, const sb_instance *instance, const sb_param *row,
                           const sb_expression *e, sb_stand_in of[]) {
  int own = count_arguments(row);
  for (int k = 0; k < SB_EXPRESSION_VARIABLES_MAX; k++) {
    of[k] = (sb_stand_in){NULL, k == 0 && is_of_time(row)};
    int wire = k - own;
    if (row->signals && wire >= 0 && wire < instance->wire_count && sb_expression_uses(e, k)) {
      int giver = c->giver[c->network->wires[instance->wire + wire]];
      of[k].by = giver >= 0 ? value_of(c, giver) : NULL;
    }
  }
}

static const sb_param *row_of(const sb_param *row) {
  return row->formula != NULL ? row->formula : row;
}

/** What a signal is in time; NULL: that is not known, or it does not move. Circles are refused before. */
static const sb_expression *value_of(composer *c, int index) {
  const sb_instance *instance = &c->network->instances[index];
  if (c->known[index]) {
    return c->value[index];
  }
  c->known[index] = true;
  for (const sb_param *p = instance->type->params; p != NULL && p->name != NULL; p++) {
    const sb_param *row = row_of(p);
    const sb_expression *e = is_of_time(row) ? held_by(instance, row) : NULL;
    if (e != NULL && gives_its_expression(instance)) {
      sb_stand_in of[SB_EXPRESSION_VARIABLES_MAX];
      find_stand_ins(c, instance, row, e, of);
      const sb_expression *made = sb_expression_compose(e, of, c->memory);
      c->value[index] = made != NULL && sb_expression_uses(made, 0) ? made : NULL;
    }
  }
  return c->value[index];
}

/** Lists an expression: composed if that shows more, else as it is if it is of the time. */
static bool list_row(composer *c, int index, const sb_param *row, sb_in_time **list, int *count,
                     int *capacity) {
  const sb_instance *instance = &c->network->instances[index];
  const sb_expression *e = held_by(instance, row);
  sb_stand_in of[SB_EXPRESSION_VARIABLES_MAX];
  if (e == NULL) {
    return true;
  }
  find_stand_ins(c, instance, row, e, of);
  bool bends = sb_expression_bends(e, of);
  sb_in_time found = {index, bends ? sb_expression_compose(e, of, c->memory) : e, bends,
                      count_arguments(row)};
  return found.expression != NULL &&
         (!(bends || is_of_time(row)) ||
          sb_arena_append(c->memory, list, count, capacity, sizeof found, &found));
}

void sb_instance_no_number(const sb_instance *instance, sb_error *err) {
  bool states = false;
  const sb_param *p = instance->type->params;
  for (; p != NULL && p->name != NULL; p++) {
    states = states || held_by(instance, row_of(p)) != NULL;
  }
  if (states) {
    sb_error_hint(err, "its expression has no finite value there, as a root or logarithm of a "
                       "negative number or a "
                       "quotient by zero: let the run end before, or bound the argument, as in "
                       "sqrt(max(0, u))");
  }
  sb_place_into(&instance->place, err);
}

int sb_in_time_list(const sb_network *network, sb_arena *memory, sb_in_time **list) {
  const int instances = network->instance_count;
  int count = 0, capacity = 0;
  composer c = {.network = network,
                .memory = memory,
                .value = sb_arena_zeroed(memory, instances, sizeof *c.value),
                .known = sb_arena_zeroed(memory, instances, sizeof *c.known),
                .giver = sb_network_givers(network, memory)};
  *list = NULL;
  for (int i = 0; i < instances && !memory->failed; i++) {
    const sb_param *p = network->instances[i].type->params;
    for (; p != NULL && p->name != NULL; p++) {
      if (!list_row(&c, i, row_of(p), list, &count, &capacity)) {
        return -1;
      }
    }
  }
  return memory->failed ? -1 : count;
}
