// SPDX-License-Identifier: GPL-3.0-or-later
// The program of a network in given modes, as a table of contents: causality, order, rows and
// operations, rates.
#include <stdlib.h>

#include "core/program/schedule_private.h"

static bool schedule_init(sb_schedule *s, const sb_network *network, sb_program *program,
                          sb_errors *errors) {
  int base = sb_known_base(network), values = sb_fixed_values(network, &program->causality);
  int nodes = program->causality.constraint_count > 0 ? 2 * base : base;
  // every bond variable, and its rate, may become a temporary
  int all = base + network->state_count + values + nodes;
  *s = (sb_schedule){.network = network,
                     .causality = &program->causality,
                     .program = program,
                     .errors = errors,
                     .base = base,
                     .nodes = nodes};
  s->maker = sb_arena_zeroed(&s->memory, values, sizeof(int));
  s->uses = sb_arena_zeroed(&s->memory, nodes, sizeof(int));
  s->first = sb_arena_zeroed(&s->memory, nodes, sizeof(int));
  s->count = sb_arena_zeroed(&s->memory, nodes, sizeof(int));
  s->seen = sb_arena_zeroed(&s->memory, all, sizeof(int));
  s->slot = sb_arena_zeroed(&s->memory, all, sizeof(int));
  return !s->memory.failed;
}

void sb_program_destroy(sb_program *p) {
  if (p == NULL) {
    return;
  }
  sb_arena_finish(&p->memory);
  sb_causality_finish(&p->causality);
  free(p);
}

sb_status sb_program_create(const sb_network *network, const int modes[], sb_program **result,
                            sb_errors *errors) {
  sb_program *program = calloc(1, sizeof *program);
  *result = NULL;
  if (program == NULL) {
    return SB_ERR_MEMORY;
  }
  sb_status status = sb_causality_assign(network, modes, &program->causality, errors);
  if (status == SB_OK) {
    program->operations = sb_operations;
    program->value_count = sb_fixed_values(network, &program->causality);
    sb_schedule schedule;
    status = schedule_init(&schedule, network, program, errors) ? sb_schedule_order(&schedule)
                                                                : SB_ERR_MEMORY;
    if (status == SB_OK) {
      sb_schedule_emit(&schedule);
      sb_store_rates(&schedule);
      sb_store_products(&schedule);
      status = schedule.memory.failed || program->memory.failed ? SB_ERR_MEMORY : SB_OK;
    }
    sb_arena_finish(&schedule.memory);
  }
  if (status != SB_OK) {
    sb_program_destroy(program);
    return status;
  }
  *result = program;
  return SB_OK;
}
