// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/turns.h"

#include <math.h>
#include <string.h>

double sb_instance_turns(const sb_network *network, const sb_instance *instance) {
  const sb_time_hooks *time = instance->type->time;
  double horizon = time != NULL && time->horizon != NULL ? time->horizon(instance->self) : HUGE_VAL;
  for (int i = instance->timed; i < instance->timed + instance->timed_count; i++) {
    horizon = fmin(horizon, 0.125 * sb_expression_period(network->timed[i].expression));
  }
  return horizon;
}

double sb_instance_interval(const sb_network *network, const sb_instance *instance) {
  double interval = HUGE_VAL;
  for (int i = instance->timed; i < instance->timed + instance->timed_count; i++) {
    interval = fmin(interval, sb_expression_interval(network->timed[i].expression));
  }
  return interval;
}

bool sb_instance_formula(const sb_instance *instance, const sb_param *param, sb_formula *out) {
  const sb_param *row = param->formula != NULL ? param->formula : param;
  const char *name = row->arguments == NULL ? NULL : row->arguments[0].name;
  *out = (sb_formula){.time = name != NULL};
  if (row->kind != SB_PARAM_EXPRESSION) {
    return false;
  }
  if (name != NULL && row->arguments[0].own != SB_OWN_NONE) {
    out->time = 0;
    out->arguments = row->arguments;
    while (row->arguments[out->own].name != NULL) {
      out->own++;
    }
  } else if (!row->signals ||
             (name != NULL && (strcmp(name, "t") != 0 || row->arguments[1].name != NULL))) {
    return false;
  }
  for (const sb_signal_spec *s = instance->type->signals; s != NULL && s->name != NULL; s++) {
    out->wire += s->input && !s->many; // such inputs, as a pose, stand first
  }
  out->expression = *(sb_expression **)(void *)((char *)instance->self + row->offset);
  return out->expression != NULL;
}

int *sb_network_givers(const sb_network *network, sb_arena *memory) {
  int *giver = sb_arena_zeroed(memory, network->value_count, sizeof *giver);
  for (int v = 0; v < network->value_count && giver != NULL; v++) {
    giver[v] = -1;
  }
  for (int i = 0; i < network->instance_count && giver != NULL; i++) {
    const sb_instance *instance = &network->instances[i];
    for (int k = 0; k < instance->signal_count; k++) {
      giver[instance->signal + k] = i;
    }
  }
  for (int i = 0; i < network->sensor_count && giver != NULL; i++) {
    giver[network->sensors[i].value] = network->sensors[i].instance;
  }
  return giver;
}

/** Instances that are found, and those of them whose own dependence is still to be followed. */
typedef struct search {
  bool *found;
  int *waiting, count;
} search;

static void find(search *s, int index) {
  if (index >= 0 && !s->found[index]) {
    s->found[index] = true;
    s->waiting[s->count++] = index;
  }
}

bool sb_network_feeding(const sb_network *network, bool feeds[], sb_arena *memory) {
  const int instances = network->instance_count;
  const int *giver = sb_network_givers(network, memory);
  int *first = sb_arena_zeroed(memory, network->part_count, sizeof *first); // of a part, or -1
  int *next = sb_arena_zeroed(memory, instances, sizeof *next);
  search s = {feeds, sb_arena_zeroed(memory, instances, sizeof *s.waiting), 0};
  if (memory->failed) {
    return false;
  }
  for (int p = 0; p < network->part_count; p++) {
    first[p] = -1;
  }
  for (int i = 0; i < instances; i++) {
    int part = network->part_of[i];
    if (part >= 0) {
      next[i] = first[part];
      first[part] = i;
    }
    if (feeds[i]) {
      s.waiting[s.count++] = i;
    }
  }
  while (s.count > 0) {
    const sb_instance *instance = &network->instances[s.waiting[--s.count]];
    int part = network->part_of[instance - network->instances];
    for (int i = part >= 0 ? first[part] : -1; i >= 0; i = next[i]) {
      find(&s, i);
    }
    if (part >= 0) {
      first[part] = -1; // all of it is found
    }
    for (int k = 0; k < instance->wire_count; k++) {
      int wire = network->wires[instance->wire + k];
      find(&s, wire >= 0 ? giver[wire] : -1);
    }
  }
  return true;
}
