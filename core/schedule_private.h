// SPDX-License-Identifier: GPL-3.0-or-later
// The state of scheduling (schedule.c) while a program is built (compile.c).
#ifndef SB_CORE_SCHEDULE_PRIVATE_H
#define SB_CORE_SCHEDULE_PRIVATE_H

#include "core/workspace_private.h"

typedef struct sb_hook {
  int part, kind;
} sb_hook;

typedef struct sb_schedule {
  const sb_model *model;
  const sb_causality *causality;
  sb_program *program;
  sb_errors *errors;
  int base; // variables below are of cells
  sb_hook *hooks;
  int hook_count, hook_capacity;
  int *maker; // (values) hook that makes a value
  char *mark; // (nodes) 1: on the stack, 2: done
  int *next, *stack, *order, order_count;
  int *uses;          // (base)
  int *first, *count; // (base) combination over states and values
  sb_term *terms;
  int term_count, term_capacity;
  sb_term *work; // the combination at hand
  int work_count, work_capacity;
  int *seen, *slot, stamp; // (base + states + values + temporaries) to merge equal terms
} sb_schedule;

sb_status sb_schedule_order(sb_schedule *s);
sb_status sb_schedule_emit(sb_schedule *s);
/** Makes the input of a linear storage the combination at hand. */
bool sb_schedule_rate(sb_schedule *s, int part, int component);

#endif
