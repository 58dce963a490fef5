// SPDX-License-Identifier: GPL-3.0-or-later
// How the rates and products of a program are stored. Chains of like elements (ladders, lattices, rows
// of masses) give rows of the same shape at a constant distance in the state: such runs need no
// index per entry and, with equal parameters, no factor per entry either.
#include <stdlib.h>

#include "core/program/schedule_private.h"

/** Shorter chains are not worth a run. */
enum { RUN_MIN = 8 };

/** One rate before it is stored: `count` terms from terms[first] on, of states only. */
typedef struct raw_rate {
  int dest, first, count;
} raw_rate;

static int by_length(const void *a, const void *b) {
  const raw_rate *p = a, *q = b;
  return p->count != q->count ? (p->count > q->count) - (p->count < q->count)
                              : (p->dest > q->dest) - (p->dest < q->dest);
}

/** Whether row b continues row a at distance `stride`. */
static bool continues(const raw_rate *a, const raw_rate *b, const sb_term terms[], int stride) {
  if (a->count != b->count || b->dest - a->dest != stride) {
    return false;
  }
  for (int k = 0; k < a->count; k++) {
    if (terms[b->first + k].var - terms[a->first + k].var != stride) {
      return false;
    }
  }
  return true;
}

/** Number of rows from `first` on that make a run. */
static int run_length(const raw_rate rates[], int first, int count, const sb_term terms[]) {
  int terms_count = rates[first].count, last = first + 1;
  if (terms_count < 1 || terms_count > SB_RUN_TERMS || last >= count) {
    return 1;
  }
  int stride = rates[last].dest - rates[first].dest;
  while (last < count && continues(&rates[last - 1], &rates[last], terms, stride)) {
    last++;
  }
  return last - first;
}

static bool is_uniform(const raw_rate rates[], int count, const sb_term terms[]) {
  for (int r = 1; r < count; r++) {
    for (int k = 0; k < rates[0].count; k++) {
      if (terms[rates[r].first + k].factor != terms[rates[0].first + k].factor) {
        return false;
      }
    }
  }
  return true;
}

static void store_run(sb_program *p, const raw_rate rates[], int count, const sb_term terms[],
                      int *next) {
  sb_rate_run run = {.terms = rates[0].count,
                     .count = count,
                     .stride = rates[1].dest - rates[0].dest,
                     .dest = rates[0].dest,
                     .first = *next,
                     .uniform = is_uniform(rates, count, terms)};
  for (int k = 0; k < run.terms; k++) {
    run.index[k] = terms[rates[0].first + k].var;
    for (int r = 0; r < (run.uniform ? 1 : count); r++) {
      p->rate_factor[(*next)++] = terms[rates[r].first + k].factor;
    }
  }
  sb_arena_append(&p->memory, &p->runs, &p->run_count, &p->run_capacity, sizeof run, &run);
}

static void store_row(sb_program *p, const raw_rate *rate, const sb_term terms[], int row,
                      int *next) {
  const sb_rate_group *last = p->group_count > 0 ? &p->groups[p->group_count - 1] : NULL;
  bool open = last != NULL && last->terms == rate->count && last->first_row + last->count == row &&
              last->first_term + last->count * last->terms == *next;
  sb_rate_group group = {rate->count, row, 0, *next};
  if (!open && !sb_arena_append(&p->memory, &p->groups, &p->group_count, &p->group_capacity,
                                sizeof group, &group)) {
    return;
  }
  p->groups[p->group_count - 1].count++;
  p->rate_dest[row] = rate->dest;
  for (int k = 0; k < rate->count; k++, (*next)++) {
    p->rate_index[*next] = terms[rate->first + k].var;
    p->rate_factor[*next] = terms[rate->first + k].factor;
  }
}

/** Rates of the storages as combinations of states; what depends on values goes to the extras.
 *  @param terms  out, @param term_count  out; of the schedule's memory */
static raw_rate *collect_rates(sb_schedule *s, int *count, sb_term **terms, int *term_count) {
  sb_program *p = s->program;
  int states = s->base + s->network->state_count, capacity = 0;
  raw_rate *rates = sb_arena_zeroed(&s->memory, s->network->state_count, sizeof *rates);
  for (int i = 0; rates != NULL && i < s->network->instance_count; i++) {
    const sb_instance *instance = &s->network->instances[i];
    for (int k = 0; sb_instance_integrates(instance) && k < instance->components; k++) {
      raw_rate *rate = &rates[(*count)++];
      *rate = (raw_rate){.dest = instance->state + k, .first = *term_count};
      sb_emit_combine_input(s, i, k, false);
      for (int j = 0; j < s->work_count; j++) {
        const sb_term *term = &s->work[j];
        sb_term state = {term->var - s->base, term->factor};
        sb_rate_extra extra = {rate->dest, term->var - states, term->factor};
        if (term->var < states) {
          sb_arena_append(&s->memory, terms, term_count, &capacity, sizeof state, &state);
        } else {
          sb_arena_append(&p->memory, &p->extras, &p->extra_count, &p->extra_capacity, sizeof extra,
                          &extra);
        }
      }
      rate->count = *term_count - rate->first;
    }
  }
  return rates;
}

void sb_store_rates(sb_schedule *s) {
  sb_program *p = s->program;
  sb_term *terms = NULL;
  int count = 0, term_count = 0;
  raw_rate *rates = collect_rates(s, &count, &terms, &term_count);
  if (s->memory.failed) {
    return;
  }
  qsort(rates, (size_t)count, sizeof *rates, by_length);
  p->rate_dest = sb_arena_zeroed(&p->memory, count, sizeof(int));
  p->rate_index = sb_arena_zeroed(&p->memory, term_count, sizeof(int));
  p->rate_factor = sb_arena_zeroed(&p->memory, term_count, sizeof(double));
  int next = 0, row = 0;
  for (int r = 0; r < count && !p->memory.failed;) {
    int length = run_length(rates, r, count, terms);
    if (length >= RUN_MIN) {
      store_run(p, &rates[r], length, terms, &next);
      r += length;
    } else {
      store_row(p, &rates[r++], terms, row++, &next);
    }
  }
  sb_store_bands(p, &s->memory);
}

static int product_run(const sb_program *p, int first, const int uses[], int states) {
  const sb_product *a = &p->products[first], *b = a + 1;
  int last = first + 1;
  int stride = last < p->product_count ? b->a - a->a : 0;
  while (last < p->product_count && b->a < states && b->b < states && a->a < states &&
         a->b < states && b->a - a->a == stride && b->b - a->b == stride &&
         b->dest - a->dest == 1 && uses[a->dest] == 1 && uses[b->dest] == 1) {
    last++;
    a++;
    b++;
  }
  return last - first;
}

static void store_product_run(sb_program *p, int from, int length) {
  const sb_product *first = &p->products[from];
  bool uniform = true;
  for (int r = 1; r < length; r++) {
    uniform = uniform && first[r].factor == first->factor;
  }
  int factors = uniform ? 1 : length;
  sb_product_run run = {length,   first[1].a - first->a,   first->dest, first->a,
                        first->b, p->product_factor_count, uniform};
  sb_arena_append(&p->memory, &p->product_runs, &p->product_run_count, &p->product_run_capacity,
                  sizeof run, &run);
  for (int r = 0; r < factors; r++) {
    sb_arena_append(&p->memory, &p->product_factor, &p->product_factor_count,
                    &p->product_factor_capacity, sizeof(double), &first[r].factor);
  }
}

/** Keeps a product; one that goes on where the last one ends becomes a part of it. */
static void keep_product(sb_program *p, int *kept, sb_product product, int states) {
  sb_product *last = *kept > 0 ? &p->products[*kept - 1] : NULL;
  bool goes_on = last != NULL && last->dest == product.dest && last->factor == product.factor &&
                 product.a == last->a + last->count && product.b == last->b + last->count &&
                 product.a != states && product.b != states;
  if (goes_on) {
    last->count++;
  } else {
    p->products[(*kept)++] = product;
  }
}

void sb_store_products(sb_schedule *s) {
  sb_program *p = s->program;
  int state_count = s->network->state_count, quadrature_count = s->network->quadrature_count;
  int *uses = sb_arena_zeroed(&s->memory, quadrature_count, sizeof(int));
  int kept = 0;
  if (uses == NULL) {
    return;
  }
  for (int i = 0; i < p->product_count; i++) {
    uses[p->products[i].dest]++;
  }
  for (int i = 0; i < p->product_count;) {
    int length = product_run(p, i, uses, state_count);
    sb_product first = p->products[i];
    if (length < RUN_MIN) {
      keep_product(p, &kept, first, state_count);
      i++;
      continue;
    }
    store_product_run(p, i, length);
    for (int r = 0; r < length; r++) {
      uses[first.dest + r] = -1; // written by the run
    }
    i += length;
  }
  for (int d = 0; d < quadrature_count; d++) {
    if (uses[d] >= 0) {
      sb_arena_append(&p->memory, &p->zeros, &p->zero_count, &p->zero_capacity, sizeof d, &d);
    }
  }
  p->product_count = kept;
}
