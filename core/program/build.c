// SPDX-License-Identifier: GPL-3.0-or-later
// The program of a network in given modes, as a table of contents: causality, order, rows and
// operations, rates.
#include <stdlib.h>

#include "core/base/array.h"
#include "core/program/schedule_private.h"

static void schedule_finish(sb_schedule *s) {
  free(s->ops);
  free(s->maker);
  free(s->mark);
  free(s->next);
  free(s->stack);
  free(s->order);
  free(s->low);
  free(s->path);
  free(s->members);
  free(s->sccs);
  free(s->uses);
  free(s->first);
  free(s->count);
  free(s->terms);
  free(s->work);
  free(s->seen);
  free(s->slot);
}

static bool schedule_init(sb_schedule *s, const sb_network *network, sb_program *program,
                          sb_errors *errors) {
  int base = sb_known_base(network), values = sb_fixed_values(network, &program->causality);
  int nodes = program->causality.constraint_count > 0 ? 2 * base : base;
  // every variable of a cell, and its rate, may become a temporary
  int all = base + network->state_count + values + nodes;
  *s = (sb_schedule){.network = network,
                     .causality = &program->causality,
                     .program = program,
                     .errors = errors,
                     .base = base,
                     .nodes = nodes,
                     .maker = sb_zeroed(values, sizeof(int)),
                     .uses = sb_zeroed(nodes, sizeof(int)),
                     .first = sb_zeroed(nodes, sizeof(int)),
                     .count = sb_zeroed(nodes, sizeof(int)),
                     .seen = sb_zeroed(all, sizeof(int)),
                     .slot = sb_zeroed(all, sizeof(int))};
  return s->maker != NULL && s->uses != NULL && s->first != NULL && s->count != NULL &&
         s->seen != NULL && s->slot != NULL;
}

/** One rate: state terms to `terms`, value terms to the extras. */
static bool collect_rate(sb_schedule *s, int dest, sb_raw_rate *rate, sb_term **terms,
                         int *term_count, int *capacity) {
  sb_program *p = s->program;
  int states = s->base + s->network->state_count;
  *rate = (sb_raw_rate){.dest = dest, .first = *term_count};
  for (int i = 0; i < s->work_count; i++) {
    const sb_term *term = &s->work[i];
    if (term->var < states) {
      if (!sb_grow(terms, capacity, *term_count + 1, sizeof(sb_term))) {
        return false;
      }
      (*terms)[(*term_count)++] = (sb_term){term->var - s->base, term->factor};
      rate->count++;
    } else {
      if (!sb_grow(&p->extras, &p->extra_capacity, p->extra_count + 1, sizeof(sb_rate_extra))) {
        return false;
      }
      p->extras[p->extra_count++] = (sb_rate_extra){dest, term->var - states, term->factor};
    }
  }
  return true;
}

static bool emit_rates(sb_schedule *s) {
  sb_raw_rate *rates = sb_zeroed(s->network->state_count, sizeof *rates);
  sb_term *terms = NULL;
  int count = 0, term_count = 0, capacity = 0;
  bool ok = rates != NULL;
  for (int i = 0; ok && i < s->network->instance_count; i++) {
    const sb_instance *instance = &s->network->instances[i];
    for (int k = 0; ok && sb_instance_integrates(instance) && k < instance->components; k++) {
      ok = sb_schedule_rate(s, i, k) &&
           collect_rate(s, instance->state + k, &rates[count], &terms, &term_count, &capacity);
      count++;
    }
  }
  ok = ok && sb_store_rates(s->program, rates, count, terms, term_count) &&
       sb_store_products(s->program, s->network->state_count, s->network->quadrature_count);
  free(rates);
  free(terms);
  return ok;
}

void sb_program_destroy(sb_program *p) {
  if (p == NULL) {
    return;
  }
  free(p->ops);
  free(p->rows);
  free(p->index);
  free(p->factor);
  free(p->loops);
  free(p->loop_hooks);
  free(p->loop_inputs);
  free(p->loop_outputs);
  free(p->loop_matrix);
  free(p->runs);
  free(p->bands);
  free(p->band_factor);
  free(p->product_factor);
  free(p->product_runs);
  free(p->zeros);
  free(p->groups);
  free(p->rate_dest);
  free(p->rate_index);
  free(p->rate_factor);
  free(p->extras);
  free(p->products);
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
      status = sb_schedule_emit(&schedule);
    }
    if (status == SB_OK && !emit_rates(&schedule)) {
      status = SB_ERR_MEMORY;
    }
    schedule_finish(&schedule);
  }
  if (status != SB_OK) {
    sb_program_destroy(program);
    return status;
  }
  *result = program;
  return SB_OK;
}
