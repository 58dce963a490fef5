// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/in_time.h"

#include <string.h>

#include "core/expression/compose.h"
#include "core/network/turns.h"

/** What an expression reads that is not of the time alone: a wire, nothing, or several of these, or a variable of its port. */
enum { NOTHING = -1, SEVERAL = -2 };

/** While the list is made. */
typedef struct composer {
  const sb_network *network;
  sb_arena *memory;
  const sb_expression **value; // (instances) of signals in time, as far as they have been composed
  bool *known;                 // (instances) they have
  int *other;                  // (instances) what of them is not of the time
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

static int with(const composer *c, int a, int b) {
  const bool same = a == b || (a >= 0 && b >= 0 && c->network->wires[a] == c->network->wires[b]);
  return a == NOTHING || same ? b : b == NOTHING ? a : SEVERAL;
}

/** What stands for the variables of an expression of an element. @return what is not of the time, and not in a stand-in alone */
static int find_stand_ins(composer *c, const sb_instance *instance, const sb_param *row,
                          const sb_expression *e, sb_stand_in of[]) {
  int own = count_arguments(row), other = NOTHING;
  for (int k = 0; k < SB_EXPRESSION_VARIABLES_MAX; k++) {
    of[k] = (sb_stand_in){NULL, k == 0 && is_of_time(row)};
    int wire = k - own;
    const bool wired = row->signals && wire >= 0 && wire < instance->wire_count;
    if (!sb_expression_uses(e, k) || of[k].time) {
      continue;
    }
    const int giver = wired ? c->giver[c->network->wires[instance->wire + wire]] : -1;
    of[k].by = giver >= 0 ? value_of(c, giver) : NULL;
    other = with(c, other,
                 of[k].by != NULL ? c->other[giver]
                 : wired          ? instance->wire + wire
                                  : SEVERAL);
  }
  return other;
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
      c->other[index] = find_stand_ins(c, instance, row, e, of);
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
  const int other = find_stand_ins(c, instance, row, e, of);
  bool bends = sb_expression_bends(e, of);
  sb_in_time found = {index, bends ? sb_expression_compose(e, of, c->memory) : e, bends,
                      count_arguments(row), other >= 0 ? other : NOTHING};
  return found.expression != NULL &&
         (!(bends || is_of_time(row)) ||
          sb_arena_append(c->memory, list, count, capacity, sizeof found, &found));
}

void sb_instance_no_number(const sb_instance *instance, bool later, sb_error *err) {
  bool states = false;
  const sb_param *p = instance->type->params;
  for (; p != NULL && p->name != NULL; p++) {
    states = states || held_by(instance, row_of(p)) != NULL;
  }
  if (states) {
    sb_error_hint(err,
                  "its expression has no finite value there, as a root or logarithm of a negative "
                  "number or a quotient by zero: %sbound the argument, as in sqrt(max(0, u))",
                  later ? "let the run end before, or " : "");
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
                .other = sb_arena_zeroed(memory, instances, sizeof *c.other),
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
