// SPDX-License-Identifier: GPL-3.0-or-later
// The audit from its start to its end: its lists, in the order of the connected parts.
#include "core/audit/audit.h"

#include <stdlib.h>

#include "core/audit/audit_private.h"
#include "core/network/roles.h"

static int larger(int a, int b) {
  return a > b ? a : b;
}

static double *numbers(sb_audit *a, int count) {
  return sb_arena_zeroed(&a->memory, count, sizeof(double));
}

/** Arrays of one number, or item, for each instance. */
static void make_instance_arrays(sb_audit *a) {
  int instances = a->network->instance_count;
  sb_run **lists[] = {&a->scalars, &a->supplies, &a->losses};
  double **arrays[] = {&a->energy_before, &a->energy_after, &a->power_error,    &a->power_max,
                       &a->account_error, &a->taken,        &a->energy_accepted};
  a->others = sb_arena_zeroed(&a->memory, instances, sizeof(int));
  a->idle = sb_arena_zeroed(&a->memory, instances, sizeof(bool));
  a->still = sb_arena_zeroed(&a->memory, instances, sizeof(bool));
  a->kernels = sb_arena_zeroed(&a->memory, instances, sizeof(sb_kernel));
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    *lists[i] = sb_arena_zeroed(&a->memory, instances, sizeof(sb_run));
  }
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
    *arrays[i] = numbers(a, instances);
  }
  a->powers = numbers(a, SB_POWERS_KEPT * instances);
}

static void make_vectors(sb_audit *a) {
  const sb_network *network = a->network;
  a->x = numbers(a, sb_vector_count(network));
  a->xdot = numbers(a, sb_vector_count(network));
  a->state_before = numbers(a, network->state_count);
  a->state_start = numbers(a, network->state_count);
  a->exchanged = numbers(a, network->state_count);
  a->state_accepted = numbers(a, network->state_count);
  a->output_accepted = numbers(a, network->state_count);
  a->scalar_half = numbers(a, network->state_count);
  a->scalar_start = numbers(a, network->state_count);
  a->quadrature_before = numbers(a, network->quadrature_count);
  a->power_size = numbers(a, network->quadrature_count);
  a->sizes = numbers(a, 2 * network->pair_count);
  a->largest = numbers(a, 2 * network->pair_count);
  a->present_sizes = numbers(a, sb_value_var(network, network->value_count));
  a->state_sizes = numbers(a, network->state_count);
  a->struck = numbers(a, network->state_count);
  a->value_sizes = numbers(a, network->value_count);
  a->signal_sizes = numbers(a, network->value_count);
  a->signals_now = numbers(a, network->value_count);
}

/** As long as the largest element needs. */
static void make_scratch(sb_audit *a) {
  int most = 0, dense = 0;
  for (int i = 0; i < a->network->instance_count; i++) {
    const sb_instance *instance = &a->network->instances[i];
    int n = instance->components;
    most = larger(most, larger(larger(n, instance->layout.states), instance->signal_count));
    // four matrices and three vectors of a modulated structure, five vectors of a constant one
    int own = instance->hooked ? 4 * n * n + 3 * n : 5 * n;
    dense = instance->type->structure != NULL ? larger(dense, own) : dense;
  }
  double **arrays[] = {&a->in, &a->stated, &a->varied, &a->effect, &a->signals, &a->used};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
    *arrays[i] = numbers(a, most);
  }
  a->dense = numbers(a, dense);
}

/** @return false: out of memory, here or before */
static bool make_accounts(sb_audit *a) {
  const sb_network *network = a->network;
  sb_ledger *ledger = &a->ledger;
  ledger->elements = sb_arena_zeroed(&a->memory, network->instance_count, sizeof(sb_account));
  ledger->groups = sb_arena_zeroed(&a->memory, network->group_count, sizeof(sb_account));
  if (a->memory.failed) {
    return false;
  }
  ledger->element_count = network->instance_count;
  ledger->group_count = network->group_count;
  for (int i = 0; i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    ledger->elements[i] = (sb_account){.id = instance->id,
                                       .kind = instance->type->name,
                                       .role = instance->type->role,
                                       .powerless = !sb_roles[instance->type->role].powered};
  }
  for (int i = 0; i < network->group_count; i++) {
    ledger->groups[i].id = network->groups[i].id;
  }
  ledger->total.id = network->name;
  return true;
}

static bool make_parts(sb_audit *a) {
  int parts = a->network->part_count;
  a->ledger.part_count = parts;
  a->ledger.parts = sb_arena_zeroed(&a->memory, parts, sizeof(sb_part));
  a->ranges = sb_arena_zeroed(&a->memory, parts + 1, sizeof(sb_part_range));
  a->courses = sb_arena_zeroed(&a->memory, parts, sizeof(sb_part_course));
  a->now = sb_arena_zeroed(&a->memory, parts, sizeof(sb_balance));
  return !a->memory.failed;
}

/** Adds a place to the last run of a part, if that ends there, or to a new one.
 *  @param first  where the list of the part begins  @param end  of the list */
static void append(sb_run list[], int first, int *end, int place) {
  if (*end > first && list[*end - 1].first + list[*end - 1].count == place) {
    list[*end - 1].count++;
  } else {
    list[(*end)++] = (sb_run){place, 1};
  }
}

/** @param range  where the lists of its part begin  @param next  the ends of the lists so far */
static void enter_instance(sb_audit *a, int index, const sb_part_range *range,
                           sb_part_range *next) {
  const sb_instance *instance = &a->network->instances[index];
  int sum = a->network->state_count + instance->quadrature;
  if (instance->type->storage != NULL && instance->linear && instance->components == 1) {
    a->scalar_half[instance->state] = 0.5 * instance->matrix[0];
    append(a->scalars, range->scalars, &next->scalars, instance->state);
  } else if (instance->type->storage != NULL) {
    a->others[next->others++] = index;
  } else if (instance->quadrature >= 0 && instance->type->source != NULL) {
    append(a->supplies, range->supplies, &next->supplies, sum);
  } else if (instance->quadrature >= 0) {
    append(a->losses, range->losses, &next->losses, sum);
  }
}

/** The instances in the order of their parts, by counting; a part is named by its first element that may
 *  have power.  @return false: out of memory */
static bool fill_lists(sb_audit *a) {
  const sb_network *network = a->network;
  int parts = network->part_count, *end = sb_arena_zeroed(&a->memory, parts + 1, sizeof(int));
  int *order = sb_arena_zeroed(&a->memory, network->instance_count, sizeof(int));
  if (end == NULL || order == NULL) {
    return false;
  }
  for (int i = 0; i < network->instance_count; i++) {
    end[network->part_of[i] + 1]++;
  }
  end[0] = 0; // signals are in no part
  for (int p = 0; p < parts; p++) {
    a->ledger.parts[p].element_count = end[p + 1];
    end[p + 1] += end[p];
  }
  for (int i = 0; i < network->instance_count; i++) {
    if (network->part_of[i] >= 0) {
      order[end[network->part_of[i]]++] = i;
    }
  }
  sb_part_range next = {0};
  for (int p = 0, k = 0; p < parts; p++) {
    a->ranges[p] = next;
    a->ranges[p].first = order[k];
    for (int first = k; k < end[p]; k++) {
      const sb_instance *named = &network->instances[a->ranges[p].first];
      bool better = k > first && !sb_roles[named->type->role].powered;
      a->ranges[p].first = better ? order[k] : a->ranges[p].first;
      enter_instance(a, order[k], &a->ranges[p], &next);
    }
    a->ledger.parts[p].account.id = network->instances[a->ranges[p].first].id;
  }
  a->ranges[parts] = next;
  return true;
}

sb_status sb_audit_init(sb_audit *a, const sb_network *network, sb_workspace *work,
                        const sb_options *options, const sb_nominal *nominal, sb_error *err) {
  *a = (sb_audit){.network = network, .work = work, .options = options, .nominal = nominal};
  a->ledger.limit = sb_options_limit(options);
  a->ledger.structure.limit = options->structure_limit;
  a->ledger.structure.rank_ok = true;
  make_instance_arrays(a);
  make_vectors(a);
  make_scratch(a);
  if (!make_accounts(a) || !make_parts(a) || !fill_lists(a) || sb_audit_structures(a) != SB_OK) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  sb_audit_bonds(a);
  for (int i = 0; i < network->instance_count; i++) {
    a->level += sb_instance_level(&network->instances[i]);
  }
  return SB_OK;
}

void sb_audit_finish(sb_audit *a) {
  free(a->ledger.events);
  sb_names_finish(&a->known_ids);
  sb_arena_finish(&a->id_memory);
  sb_kernel_finish(&a->kernel);
  for (int i = 0; a->kernels != NULL && i < a->network->instance_count; i++) {
    sb_kernel_finish(&a->kernels[i]);
  }
  sb_arena_finish(&a->memory);
}
