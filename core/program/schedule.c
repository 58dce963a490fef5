// SPDX-License-Identifier: GPL-3.0-or-later
// The order of a program. Variables and hooks form a graph of data dependence; what depends on itself
// are its strongly connected components, algebraic loops that are solved while the program runs (core/loop).
#include <string.h>

#include "core/causality/constraint.h"
#include "core/program/schedule_private.h"

static void add_op(sb_schedule *s, int instance, sb_operation_kind kind) {
  sb_op op = {.kind = kind, .instance = instance};
  sb_arena_append(&s->memory, &s->ops, &s->op_count, &s->op_capacity, sizeof op, &op);
}

const sb_op *sb_schedule_op(const sb_schedule *s, int node) {
  return node < s->nodes ? NULL : &s->ops[node - s->nodes];
}

/** Notes which values the operation just added makes. */
static void note_made(sb_schedule *s, const sb_instance *instance, sb_operation_kind kind) {
  const sb_operation *operation = &sb_operations[kind];
  int shift = operation->dot ? sb_rate_value(s->network, 0) : 0;
  for (int k = 0; k < instance->components; k++) {
    if (sb_components_hold(operation->gives, instance, k)) {
      s->maker[shift + instance->out + k] = s->op_count - 1;
    }
  }
  for (int k = 0; operation->gives_signals && k < instance->signal_count; k++) {
    s->maker[shift + instance->signal + k] = s->op_count - 1;
  }
}

static void list_instance(sb_schedule *s, int index) {
  const sb_instance *instance = &s->network->instances[index];
  sb_operation_kind kinds[4];
  int count = sb_operations_of(instance, s->causality->constraint_count > 0, kinds);
  for (int k = 0; k < count; k++) {
    add_op(s, index, kinds[k]);
    note_made(s, instance, kinds[k]);
  }
}

/** Lists the operations to order, and for every value the one that makes it. */
static void list_operations(sb_schedule *s) {
  const sb_network *network = s->network;
  int constraints = s->causality->constraint_count;
  for (int i = 0; i < sb_fixed_values(network, s->causality); i++) {
    s->maker[i] = -1;
  }
  for (int i = 0; i < network->instance_count; i++) {
    list_instance(s, i);
  }
  for (int i = 0; i < network->sensor_count; i++) {
    const sb_sensor *sensor = &network->sensors[i];
    int value = sensor->value;
    s->maker[value] = s->op_count;
    if (sb_sensor_measures(sensor)) {
      const sb_op op = {SB_OP_MEASURE, sensor->instance, 0, i};
      sb_arena_append(&s->memory, &s->ops, &s->op_count, &s->op_capacity, sizeof op, &op);
      continue;
    }
    add_op(s, i, SB_OP_SENSOR);
    if (constraints > 0) {
      s->maker[sb_rate_value(network, value)] = s->op_count;
      add_op(s, i, SB_OP_SENSOR_DOT);
    }
  }
  for (int i = 0; i < constraints; i++) {
    s->maker[sb_multiplier_value(network, s->causality, i)] = s->op_count;
    add_op(s, i, SB_OP_MULTIPLIER);
  }
  for (int k = 0; k < s->causality->algebraic_count; k++) {
    int group = s->causality->algebraics[k].group;
    bool first = group == k;
    s->maker[sb_algebraic_value(network, k)] =
        first ? s->op_count : s->maker[sb_algebraic_value(network, group)];
    if (first) {
      add_op(s, k, SB_OP_ALGEBRAIC);
    }
    s->maker[sb_algebraic_rate_value(network, k)] = s->op_count;
    add_op(s, k, SB_OP_BALANCE);
  }
}

int sb_schedule_input(const sb_schedule *s, int index, int component, double *sign) {
  const sb_instance *instance = &s->network->instances[index];
  bool flow = sb_reads_flow(s->network, s->causality, index, component);
  *sign = flow ? instance->signs[component] : 1;
  return flow ? sb_flow_var(instance, component) : sb_effort_var(instance, component);
}

int sb_schedule_node(const sb_schedule *s, int var) {
  int value = var - s->base - s->network->state_count;
  return var < s->base ? var : value >= 0 && s->maker[value] >= 0 ? s->nodes + s->maker[value] : -1;
}

int sb_schedule_rate_node(const sb_schedule *s, int var) {
  return var < s->base ? s->base + var
                       : sb_schedule_node(s, sb_rate_of(s->network, s->causality, var).var);
}

/** Notes that the node at hand depends on another one, if there is that. */
static void depend(sb_schedule *s, int below) {
  if (below >= 0) {
    sb_arena_append(&s->memory, &s->edges, &s->edge_count, &s->edge_capacity, sizeof below, &below);
  }
}

static void depend_on_terms(sb_schedule *s, const sb_term terms[], int count, bool rates) {
  for (int k = 0; k < count; k++) {
    depend(s, (rates ? sb_schedule_rate_node : sb_schedule_node)(s, terms[k].var));
  }
}

/** The first operation of the instance that a node is of: they stand in a row. */
static int first_of_instance(const sb_schedule *s, int node) {
  int instance = s->ops[node - s->nodes].instance;
  while (node > s->nodes && s->ops[node - 1 - s->nodes].instance == instance) {
    node--;
  }
  return node;
}

/** Besides the inputs of the instance, what its hooks have left in its signals, and the axes. */
static void depend_on_measured(sb_schedule *s, const sb_op *op) {
  const sb_instance *instance = &s->network->instances[op->instance];
  const int axes = s->network->sensors[op->count].quantity.axes;
  if (instance->signal_count > 0) {
    depend(s, sb_schedule_node(s, sb_value_var(s->network, instance->signal)));
  }
  if (axes > 0) {
    depend(s, sb_schedule_node(s, sb_value_var(s->network, axes - 1)));
  }
}

/** What the hook of an instance depends on. */
static void depend_on_inputs(sb_schedule *s, int node) {
  const sb_op *op = sb_schedule_op(s, node);
  const sb_operation *operation = &sb_operations[op->kind];
  const sb_instance *instance = &s->network->instances[op->instance];
  const int *wires = s->network->wires + instance->wire;
  const sb_components reads = sb_operation_reads(s->network, op);
  for (int rate = 0; rate < 1 + operation->reads_rates; rate++) {
    for (int k = 0; k < instance->components; k++) {
      double sign;
      if (sb_components_hold(reads, instance, k)) {
        int var = sb_schedule_input(s, op->instance, k, &sign);
        depend(s, rate ? sb_schedule_rate_node(s, var) : var);
      }
    }
  }
  for (int k = 0; k < sb_operation_wires(op->kind, instance); k++) {
    depend(s, s->nodes + s->maker[wires[k]]);
  }
  for (int k = 0; k < sb_operation_wire_rates(op->kind, instance); k++) {
    depend(s, sb_schedule_rate_node(s, sb_value_var(s->network, wires[k])));
  }
  if (op->kind == SB_OP_MEASURE) {
    depend_on_measured(s, op);
  } else if (sb_operation_follows(op->kind, instance)) {
    depend(s, first_of_instance(s, node));
  }
}

/** Lists what a node depends on. */
static void list_edges(sb_schedule *s, int node) {
  const sb_causality *c = s->causality;
  const sb_op *op = sb_schedule_op(s, node);
  if (op == NULL) {
    int var = node % s->base;
    depend_on_terms(s, &c->terms[c->first[var]], c->count[var], node >= s->base);
  } else if (op->kind == SB_OP_MULTIPLIER) {
    int count;
    const sb_term *terms = sb_constraint_terms(c, op->instance, &count);
    depend_on_terms(s, terms, count, true);
  } else if (op->kind == SB_OP_BALANCE) {
    const sb_algebraic *own = &c->algebraics[op->instance];
    depend_on_terms(s, &c->balance_terms[own->balance], own->balance_count, false);
  } else if (op->kind == SB_OP_ALGEBRAIC) {
    const sb_algebraic *own = &c->algebraics[op->instance];
    for (int k = 0; k < own->read_count; k++) {
      depend(s, sb_schedule_node(s, c->algebraic_reads[own->first_read + k]));
    }
  } else if (sb_operations[op->kind].row) {
    const sb_term read = {s->network->sensors[op->instance].var, 1};
    depend_on_terms(s, &read, 1, op->kind == SB_OP_SENSOR_DOT);
  } else {
    depend_on_inputs(s, node);
  }
}

/** Outputs of the hooks of a component are solved for together, if they are not too many. */
static bool solvable(const sb_schedule *s, const sb_scc *scc) {
  int count = 0, inputs = 0;
  for (int i = 0; i < scc->count; i++) {
    const sb_op *op = sb_schedule_op(s, s->members[scc->first + i]);
    const sb_operation *operation = op == NULL ? NULL : &sb_operations[op->kind];
    if (op == NULL || operation->row) {
      count += op != NULL && sb_operation_is_condition(op->kind);
      inputs += op != NULL;
      continue;
    }
    const sb_instance *instance = &s->network->instances[op->instance];
    for (int k = 0; k < instance->components; k++) {
      count += sb_components_hold(operation->gives, instance, k);
      inputs += sb_components_hold(sb_operation_reads(s->network, op), instance, k) *
                (operation->reads_rates ? 2 : 1);
    }
    count += operation->gives_signals ? instance->signal_count : op->kind == SB_OP_MEASURE;
    inputs += sb_operation_wires(op->kind, instance) + sb_operation_wire_rates(op->kind, instance);
  }
  return count <= SB_LOOP_MAX && inputs <= SB_LOOP_INPUTS_MAX;
}

/** A component is complete: everything on the path from `node` on. */
static sb_status close_component(sb_schedule *s, int node) {
  int first = s->path_count;
  do {
    first--;
    s->low[s->path[first]] = 0;
  } while (s->path[first] != node);
  int count = s->path_count - first;
  s->path_count = first;
  const sb_op *op = sb_schedule_op(s, node);
  if (count == 1 && op != NULL && sb_operation_is_condition(op->kind)) {
    sb_schedule_report_constraint(s, op);
    return SB_ERR_CAUSALITY;
  }
  if (count == 1) {
    s->order[s->order_count++] = node;
    return SB_OK;
  }
  sb_scc scc = {s->member_count, count};
  memcpy(&s->members[s->member_count], &s->path[first], (size_t)count * sizeof(int));
  s->member_count += count;
  for (int i = 0; i < count; i++) {
    op = sb_schedule_op(s, s->members[scc.first + i]);
    if (op != NULL && op->kind == SB_OP_ALGEBRAIC) {
      sb_schedule_report_ratios(s, op->instance);
      return SB_ERR_LOOP;
    }
  }
  if (!solvable(s, &scc)) {
    sb_schedule_report_loop(s, &scc);
    return SB_ERR_LOOP;
  }
  s->order[s->order_count++] = -1 - s->scc_count;
  sb_arena_append(&s->memory, &s->sccs, &s->scc_count, &s->scc_capacity, sizeof scc, &scc);
  return SB_OK;
}

static void discover(sb_schedule *s, int node, int *depth) {
  s->stack[++*depth] = node;
  s->path[s->path_count++] = node;
  s->next[node] = s->edge_count;
  list_edges(s, node);
  s->end_edge[node] = s->edge_count;
  s->mark[node] = s->low[node] = ++s->found;
}

/** All that `root` depends on, in order, with the strongly connected components of Tarjan (1972). */
static sb_status visit(sb_schedule *s, int root) {
  int depth = -1;
  if (s->mark[root] == 0) {
    discover(s, root, &depth);
  }
  while (depth >= 0) {
    int node = s->stack[depth];
    if (s->next[node] < s->end_edge[node]) {
      int below = s->edges[s->next[node]++];
      if (s->mark[below] == 0) {
        discover(s, below, &depth);
      } else if (s->low[below] > 0 && s->mark[below] < s->low[node]) {
        s->low[node] = s->mark[below];
      }
      continue;
    }
    depth--;
    if (depth >= 0 && s->low[node] < s->low[s->stack[depth]]) {
      s->low[s->stack[depth]] = s->low[node];
    }
    if (s->low[node] == s->mark[node]) {
      SB_TRY(close_component(s, node));
    }
  }
  return SB_OK;
}

static void add_sink(sb_schedule *s, int var) {
  sb_arena_append(&s->memory, &s->sinks, &s->sink_count, &s->sink_capacity, sizeof var, &var);
}

static void list_sinks(sb_schedule *s) {
  for (int i = 0; i < s->network->instance_count; i++) {
    const sb_instance *instance = &s->network->instances[i];
    for (int k = 0; k < instance->components; k++) {
      double sign;
      if (sb_instance_integrates(instance)) {
        add_sink(s, sb_schedule_input(s, i, k, &sign));
      }
      if (instance->quadrature >= 0) {
        add_sink(s, sb_effort_var(instance, k));
        add_sink(s, sb_flow_var(instance, k));
      }
    }
  }
}

static void count_uses(sb_schedule *s) {
  for (int i = 0; i < s->edge_count; i++) {
    if (s->edges[i] < s->nodes) {
      s->uses[s->edges[i]]++;
    }
  }
  for (int i = 0; i < s->sink_count; i++) {
    s->uses[s->sinks[i]]++;
  }
}

sb_status sb_schedule_order(sb_schedule *s) {
  list_operations(s);
  list_sinks(s);
  int **of_nodes[] = {&s->mark, &s->low,   &s->path,     &s->members,
                      &s->next, &s->stack, &s->end_edge, &s->order};
  for (size_t i = 0; i < sizeof of_nodes / sizeof *of_nodes; i++) {
    *of_nodes[i] = sb_arena_zeroed(&s->memory, s->nodes + s->op_count + 1, sizeof(int));
  }
  if (s->memory.failed) {
    return SB_ERR_MEMORY;
  }
  for (int i = 0; i < s->op_count; i++) {
    if (!sb_operations[s->ops[i].kind].dot &&
        !sb_operation_is_condition(s->ops[i].kind)) { // the others where they are needed
      SB_TRY(visit(s, s->nodes + i));
    }
  }
  for (int i = 0; i < s->sink_count; i++) {
    SB_TRY(visit(s, s->sinks[i]));
  }
  count_uses(s);
  return SB_OK;
}
