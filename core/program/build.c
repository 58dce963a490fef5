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

/** One rate: state terms to `terms`, value terms to the extras. */
static void collect_rate(sb_schedule *s, int dest, sb_raw_rate *rate, sb_term **terms,
                         int *term_count, int *capacity) {
  sb_program *p = s->program;
  int states = s->base + s->network->state_count;
  *rate = (sb_raw_rate){.dest = dest, .first = *term_count};
  for (int i = 0; i < s->work_count; i++) {
    const sb_term *term = &s->work[i];
    if (term->var < states) {
      sb_term state = {term->var - s->base, term->factor};
      sb_arena_append(&s->memory, terms, term_count, capacity, sizeof state, &state);
    } else {
      sb_rate_extra extra = {dest, term->var - states, term->factor};
      sb_arena_append(&p->memory, &p->extras, &p->extra_count, &p->extra_capacity, sizeof extra,
                      &extra);
    }
  }
  rate->count = *term_count - rate->first;
}

static void emit_rates(sb_schedule *s) {
  sb_raw_rate *rates = sb_arena_zeroed(&s->memory, s->network->state_count, sizeof *rates);
  sb_term *terms = NULL;
  int count = 0, term_count = 0, capacity = 0;
  for (int i = 0; rates != NULL && i < s->network->instance_count; i++) {
    const sb_instance *instance = &s->network->instances[i];
    for (int k = 0; sb_instance_integrates(instance) && k < instance->components; k++) {
      sb_emit_combine_input(s, i, k, false);
      collect_rate(s, instance->state + k, &rates[count++], &terms, &term_count, &capacity);
    }
  }
  if (!s->memory.failed) {
    sb_store_rates(s->program, &s->memory, rates, count, terms, term_count);
    sb_store_products(s->program, &s->memory, s->network->state_count,
                      s->network->quadrature_count);
  }
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
      emit_rates(&schedule);
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
