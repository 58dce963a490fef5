// SPDX-License-Identifier: GPL-3.0-or-later
// The audit from its start to its end: its lists, and the accounts of elements and groups.
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
static bool make_instance_arrays(sb_audit *a) {
  int instances = a->network->instance_count;
  int **lists[] = {&a->scalar_state, &a->others, &a->supplies, &a->losses};
  double **arrays[] = {&a->scalar_half, &a->energy_before, &a->energy_after, &a->power_error,
                       &a->power_max,   &a->row_error,     &a->row_size,     &a->row_size_max};
  bool ok = true;
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    *lists[i] = sb_arena_zeroed(&a->memory, instances, sizeof(int));
    ok = ok && *lists[i] != NULL;
  }
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
    *arrays[i] = numbers(a, instances);
    ok = ok && *arrays[i] != NULL;
  }
  return ok;
}

static bool make_vectors(sb_audit *a) {
  const sb_network *network = a->network;
  a->x = numbers(a, sb_vector_count(network));
  a->xdot = numbers(a, sb_vector_count(network));
  a->state_before = numbers(a, network->state_count);
  a->quadrature_before = numbers(a, network->quadrature_count);
  a->power_size = numbers(a, network->quadrature_count);
  a->sizes = numbers(a, 2 * network->pair_count);
  a->variable_max = numbers(a, 2 * network->pair_count);
  return a->x != NULL && a->xdot != NULL && a->state_before != NULL &&
         a->quadrature_before != NULL && a->power_size != NULL && a->sizes != NULL &&
         a->variable_max != NULL;
}

/** As long as the largest element needs. */
static bool make_scratch(sb_audit *a) {
  int most = 0, dense = 0;
  for (int i = 0; i < a->network->instance_count; i++) {
    const sb_instance *instance = &a->network->instances[i];
    int n = instance->components;
    most = larger(most, larger(larger(n, instance->layout.states), instance->signal_count));
    // four matrices and two vectors of a modulated structure, five vectors of a constant one
    int own = instance->hooked ? 4 * n * n + 2 * n : 5 * n;
    dense = instance->type->structure != NULL ? larger(dense, own) : dense;
  }
  double **arrays[] = {&a->in, &a->stated, &a->varied, &a->effect, &a->signals, &a->used};
  bool ok = true;
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
    *arrays[i] = numbers(a, most);
    ok = ok && *arrays[i] != NULL;
  }
  a->dense = numbers(a, dense);
  return ok && a->dense != NULL;
}

static bool make_accounts(sb_audit *a) {
  const sb_network *network = a->network;
  sb_ledger *ledger = &a->ledger;
  ledger->elements = sb_arena_zeroed(&a->memory, network->instance_count, sizeof(sb_account));
  ledger->groups = sb_arena_zeroed(&a->memory, network->group_count, sizeof(sb_account));
  if (ledger->elements == NULL || ledger->groups == NULL) {
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

static void fill_lists(sb_audit *a) {
  for (int i = 0; i < a->network->instance_count; i++) {
    const sb_instance *instance = &a->network->instances[i];
    if (instance->type->storage != NULL && instance->linear && instance->components == 1) {
      a->scalar_half[a->scalar_count] = 0.5 * instance->matrix[0];
      a->scalar_state[a->scalar_count++] = instance->state;
    } else if (instance->type->storage != NULL) {
      a->others[a->other_count++] = i;
    } else if (instance->quadrature >= 0 && instance->type->source != NULL) {
      a->supplies[a->supply_count++] = a->network->state_count + instance->quadrature;
    } else if (instance->quadrature >= 0) {
      a->losses[a->loss_count++] = a->network->state_count + instance->quadrature;
    }
  }
}

sb_status sb_audit_init(sb_audit *a, const sb_network *network, sb_workspace *work,
                        const sb_ledger *settings, sb_error *err) {
  *a = (sb_audit){.network = network, .work = work, .ledger = *settings};
  a->ledger.structure.rank_ok = true;
  if (!make_instance_arrays(a) || !make_vectors(a) || !make_scratch(a) || !make_accounts(a) ||
      sb_audit_structures(a) != SB_OK) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  fill_lists(a);
  sb_audit_bonds(a);
  return SB_OK;
}

void sb_audit_finish(sb_audit *a) {
  free(a->ledger.events);
  sb_kernel_finish(&a->kernel);
  sb_equations_finish(&a->equations);
  sb_arena_finish(&a->memory);
}

static void add_account(sb_account *sum, const sb_account *item) {
  sum->stored_start += item->stored_start;
  sum->stored_end += item->stored_end;
  sum->supplied += item->supplied;
  sum->dissipated += item->dissipated;
  sum->event_loss += item->event_loss;
}

/** The element that contributes most to the energy-balance error. */
static const char *find_worst(const sb_audit *a) {
  int worst = 0;
  for (int i = 1; i < a->network->instance_count; i++) {
    worst = a->power_error[i] > a->power_error[worst] ? i : worst;
  }
  return a->network->instance_count == 0 ? "" : a->network->instances[worst].id;
}

static void fill_elements(sb_audit *a, double t, const double x[]) {
  for (int i = 0; i < a->network->instance_count; i++) {
    const sb_instance *instance = &a->network->instances[i];
    sb_account *account = &a->ledger.elements[i];
    account->stored_end = sb_instance_energy(a->work, i, t, x);
    if (instance->quadrature >= 0) {
      double sum = x[a->network->state_count + instance->quadrature];
      *(instance->type->source != NULL ? &account->supplied : &account->dissipated) = sum;
    }
  }
}

void sb_audit_close(sb_audit *a, double t, const double x[]) {
  sb_ledger *ledger = &a->ledger;
  fill_elements(a, t, x);
  sb_account total = {.id = ledger->total.id};
  for (int i = 0; i < ledger->element_count; i++) {
    add_account(&total, &ledger->elements[i]);
  }
  total.stored_start = ledger->total.stored_start;
  total.event_loss = ledger->total.event_loss;
  ledger->total = total;
  for (int i = 0; i < ledger->group_count; i++) {
    ledger->groups[i] = (sb_account){.id = a->network->groups[i].id};
    for (int k = 0; k < a->network->groups[i].count; k++) {
      add_account(&ledger->groups[i], &ledger->elements[a->network->groups[i].members[k]]);
    }
  }
  ledger->scale = sb_audit_scale(a);
  ledger->residual_relative = ledger->residual_max == 0 ? 0 : ledger->residual_max / ledger->scale;
  ledger->t_end = t;
  ledger->residual_element = find_worst(a);
}
