// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/operation.h"

#include "core/network/roles.h"

bool sb_components_hold(sb_components set, const sb_instance *instance, int component) {
  return set == SB_COMPONENTS_ALL ||
         (set == SB_COMPONENTS_A && sb_instance_side(instance, component) == 'A') ||
         (set == SB_COMPONENTS_B && sb_instance_side(instance, component) == 'B');
}

sb_components sb_operation_reads(const sb_network *network, const sb_op *op) {
  if (op->kind != SB_OP_MEASURE) {
    return sb_operations[op->kind].reads;
  }
  const sb_instance *instance = &network->instances[op->instance];
  const sb_measures *measures = &instance->type->measures;
  const bool reads = measures->reads == NULL ||
                     measures->reads(instance->self, network->sensors[op->count].quantity.first);
  return reads ? SB_COMPONENTS_ALL : SB_COMPONENTS_NONE;
}

int sb_operation_wires(sb_operation_kind kind, const sb_instance *instance) {
  return kind == SB_OP_SIGNAL && !sb_instance_feeds_through(instance) ? 0 : instance->wire_count;
}

int sb_operation_wire_rates(sb_operation_kind kind, const sb_instance *instance) {
  bool states = kind == SB_OP_SIGNAL_DOT &&
                (instance->type->signal == NULL || !sb_instance_feeds_through(instance));
  bool flows = instance->type->structure != NULL && instance->type->structure->rates.ahead != NULL;
  return sb_operations[kind].dot && !states && !flows ? instance->wire_count : 0;
}

bool sb_operation_follows(sb_operation_kind kind, const sb_instance *instance) {
  bool adjoint = kind == SB_OP_ADJOINT || kind == SB_OP_ADJOINT_DOT;
  return kind == SB_OP_RATE || (adjoint && instance->signal_count > 0) ||
         (kind == SB_OP_SIGNAL_DOT && instance->type->storage != NULL) ||
         (kind == SB_OP_OUTPUT_DOT && sb_instance_accelerates(instance));
}

/** The operations by which an element of a role is evaluated. */
static const struct {
  int count;
  sb_operation_kind kinds[2];
} by_role[] = {
    [SB_STORAGE] = {2, {SB_OP_OUTPUT, SB_OP_RATE}},
    [SB_STRUCTURE] = {2, {SB_OP_FORWARD, SB_OP_ADJOINT}},
    [SB_DISSIPATION] = {1, {SB_OP_LAW}},
    [SB_SIGNAL] = {2, {SB_OP_SIGNAL, SB_OP_SIGNAL_RATE}},
    [SB_SOURCE] = {1, {SB_OP_VALUE}},
};

/** Their time derivatives, where these are known. */
static int dots_of(const sb_instance *instance, sb_operation_kind kinds[2]) {
  const sb_element_type *type = instance->type;
  int count = 0;
  if (type->structure != NULL && type->structure->rates.forward != NULL) {
    kinds[count++] = SB_OP_FORWARD_DOT;
  }
  if (type->structure != NULL && type->structure->rates.adjoint != NULL) {
    kinds[count++] = SB_OP_ADJOINT_DOT;
  }
  if (type->signal != NULL && type->signal->output_rate != NULL) {
    kinds[count++] = SB_OP_SIGNAL_DOT;
  }
  if (type->storage != NULL && type->storage->signals.rates != NULL) {
    kinds[count++] = SB_OP_SIGNAL_DOT;
  }
  if (sb_instance_may_depend(instance)) {
    kinds[count++] = SB_OP_OUTPUT_DOT;
  }
  if (sb_instance_has_rate(instance) || sb_instance_may_be_flat(instance)) {
    kinds[count++] = SB_OP_VALUE_DOT;
  }
  return count;
}

int sb_operations_of(const sb_instance *instance, bool dots, sb_operation_kind kinds[4]) {
  int role = (int)instance->type->role, count = 0;
  bool states = instance->layout.states > 0;
  for (int k = 0; instance->hooked && k < by_role[role].count; k++) {
    sb_operation_kind kind = by_role[role].kinds[k];
    kind = kind == SB_OP_LAW && instance->type->dissipation->by_signals ? SB_OP_VALUE : kind;
    if (kind != SB_OP_SIGNAL_RATE || states) {
      kinds[count++] = kind;
    }
  }
  return dots && instance->hooked ? count + dots_of(instance, kinds + count) : count;
}
