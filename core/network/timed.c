// SPDX-License-Identifier: GPL-3.0-or-later
// Inputs that are prescribed over the time, by expressions in parameters or by hooks of elements: the times of their kinks and turning
// points, at which steps end.
#include <math.h>
#include <string.h>

#include "core/network/instant.h"
#include "core/network/turns.h"

/** The expression of a row with the time as its first argument; NULL: it is none. */
static const sb_expression *expression_of(const sb_instance *instance, const sb_param *row) {
  const char *first = row->arguments != NULL ? row->arguments[0].name : NULL;
  bool of_time = row->kind == SB_PARAM_EXPRESSION && first != NULL && strcmp(first, "t") == 0;
  return of_time ? *(sb_expression **)(void *)((char *)instance->self + row->offset) : NULL;
}

bool sb_timed_list(sb_network *network) {
  int capacity = 0;
  for (int i = 0; i < network->instance_count; i++) {
    sb_instance *instance = &network->instances[i];
    instance->timed = network->timed_count;
    for (const sb_param *p = instance->type->params; p != NULL && p->name != NULL; p++) {
      sb_timed timed = {i, expression_of(instance, p->formula != NULL ? p->formula : p)};
      if (timed.expression != NULL &&
          !sb_arena_append(&network->memory, &network->timed, &network->timed_count, &capacity,
                           sizeof timed, &timed)) {
        return false;
      }
    }
    instance->timed_count = network->timed_count - instance->timed;
  }
  return true;
}

double sb_network_next_break(const sb_network *network, double t) {
  double next = HUGE_VAL;
  for (int i = 0; i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    const sb_time_hooks *time = instance->type->time;
    if (time != NULL && time->next_break != NULL) {
      next = sb_time_first(next, time->next_break(instance->self, t));
    }
  }
  for (int i = 0; i < network->timed_count; i++) {
    next = sb_time_first(next, sb_expression_next_kink(network->timed[i].expression, t));
  }
  return next;
}

double sb_network_horizon(const sb_network *network) {
  double horizon = HUGE_VAL;
  for (int i = 0; i < network->instance_count; i++) {
    horizon = fmin(horizon, sb_instance_turns(network, &network->instances[i]));
  }
  return horizon;
}
