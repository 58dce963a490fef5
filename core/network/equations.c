// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/equations.h"

#include "core/graph/kernel.h"

void sb_equations_row(sb_equations *eq, int owner, bool active) {
  int row = eq->row_count;
  if (!sb_arena_grow(&eq->memory, &eq->first, &eq->first_capacity, row + 2, sizeof(int)) ||
      !sb_arena_grow(&eq->memory, &eq->owner, &eq->owner_capacity, row + 1, sizeof(int)) ||
      !sb_arena_grow(&eq->memory, &eq->active, &eq->active_capacity, row + 1, sizeof(char))) {
    return;
  }
  eq->first[row] = eq->term_count;
  eq->first[row + 1] = eq->term_count;
  eq->owner[row] = owner;
  eq->active[row] = active;
  eq->row_count++;
}

void sb_equations_term(sb_equations *eq, int var, double factor) {
  sb_term term = {var, factor};
  if (factor != 0 && !eq->memory.failed &&
      sb_arena_append(&eq->memory, &eq->terms, &eq->term_count, &eq->term_capacity, sizeof term,
                      &term)) {
    eq->first[eq->row_count] = eq->term_count;
  }
}

static void add_port_term(sb_equations *eq, const sb_instance *instance, int k, bool effort,
                          double factor) {
  sb_equations_term(eq, effort ? sb_effort_var(instance, k) : sb_flow_var(instance, k),
                    effort ? factor : factor * instance->signs[k]);
}

/** Kernel rows of a constant structure in its present mode. */
static void add_structure(sb_equations *eq, const sb_network *network, int index,
                          const int modes[]) {
  const sb_instance *instance = &network->instances[index];
  sb_at at = {.mode = instance->mode < 0 ? 0 : modes[instance->mode]};
  sb_kernel kernel = {0};
  instance->type->structure->kernel(instance->self, &at, &instance->layout, &kernel);
  int *head =
      sb_arena_zeroed(&eq->memory, instance->components, sizeof(int)); // rows as linked lists,
  int *next = sb_arena_zeroed(&eq->memory, kernel.count, sizeof(int)); // in entry order
  eq->memory.failed = eq->memory.failed || kernel.failed;
  for (int i = kernel.count - 1; !eq->memory.failed && i >= 0; i--) {
    next[i] = head[kernel.entries[i].row];
    head[kernel.entries[i].row] = i + 1;
  }
  for (int row = 0; !eq->memory.failed && row < instance->components; row++) {
    sb_equations_row(eq, index, true);
    for (int i = head[row]; i > 0; i = next[i - 1]) {
      const sb_kernel_entry *entry = &kernel.entries[i - 1];
      add_port_term(eq, instance, entry->component, entry->variable == SB_EFFORT, entry->value);
    }
  }
  sb_kernel_finish(&kernel);
}

/** A storage with x = M y for a singular M: M y = x for the independent states, and for each that depends
 *  on them, x_j = sum a_i x_i with a = K M, the same of their rates. */
static void add_singular(sb_equations *eq, const sb_network *network, int index) {
  const sb_instance *instance = &network->instances[index];
  for (int j = 0, d = instance->components; j < d; j++) {
    bool effort = instance->layout.ports[sb_port_of(instance, j)].output == SB_EFFORT;
    if (!sb_instance_depends(instance, j)) {
      eq->output_row[instance->state + j] = eq->row_count;
      sb_equations_row(eq, index, true);
      for (int i = 0; i < d; i++) {
        add_port_term(eq, instance, i, effort, instance->inverse[j * d + i]);
      }
      sb_equations_term(eq, sb_state_var(network, instance->state + j), -1);
      continue;
    }
    sb_equations_row(eq, index, true);
    add_port_term(eq, instance, j, !effort, 1);
    for (int i = 0; i < d; i++) {
      double a = 0;
      for (int k = 0; k < d; k++) {
        a += instance->matrix[i * d + k] * instance->inverse[k * d + j];
      }
      add_port_term(eq, instance, i, !effort, i == j ? 0 : -a);
    }
  }
}

/** Linear storage: output = K x, linear dissipation: e = R f. */
static void add_linear(sb_equations *eq, const sb_network *network, int index) {
  const sb_instance *instance = &network->instances[index];
  bool storage = instance->type->storage != NULL;
  for (int i = 0, d = instance->components; i < d; i++) {
    bool effort = !storage || instance->layout.ports[sb_port_of(instance, i)].output == SB_EFFORT;
    if (storage) {
      eq->output_row[instance->state + i] = eq->row_count;
    }
    sb_equations_row(eq, index, true);
    add_port_term(eq, instance, i, effort, 1);
    for (int k = 0; k < d; k++) {
      double factor = -instance->matrix[i * d + k];
      if (storage) {
        sb_equations_term(eq, sb_state_var(network, instance->state + k), factor);
      } else {
        add_port_term(eq, instance, k, false, factor);
      }
    }
  }
}

static void add_output(sb_equations *eq, const sb_network *network, int index, int component,
                       sb_variable output, bool active) {
  const sb_instance *instance = &network->instances[index];
  sb_equations_row(eq, index, active);
  add_port_term(eq, instance, component, output == SB_EFFORT, 1);
  sb_equations_term(eq, sb_value_var(network, instance->out + component), -1);
}

static bool is_indifferent(sb_variable output) {
  return output == SB_INDIFFERENT || output == SB_OPPOSITE;
}

/** Ports of instances with hooks: the output is a known value. Which variable that is at ports of
 *  indifferent causality waits for an assignment, unless the law is flat. What sticks has its input given, zero or
 *  the place of its jump, and the network determines its output. */
static void add_outputs(sb_equations *eq, const sb_network *network, int index, const int modes[]) {
  const sb_instance *instance = &network->instances[index];
  bool sticks = sb_instance_sticks(instance, modes), flat = sb_instance_is_flat(instance, modes);
  for (int i = 0; i < instance->components; i++) {
    sb_variable output = instance->layout.ports[sb_port_of(instance, i)].output;
    if (sticks && i == 0) {
      sb_equations_row(eq, index, true);
      add_port_term(eq, instance, i, sb_natural_output(instance, 0) == SB_FLOW, 1);
      if (sb_instance_sticks_apart(instance, modes)) {
        sb_equations_term(eq, sb_value_var(network, instance->out), -1);
      }
      continue;
    }
    output = flat && i == 0 ? sb_natural_output(instance, 0) : output;
    eq->free_rows[index] += is_indifferent(output);
    if (sb_instance_has_hessian(instance)) {
      eq->output_row[instance->state + i] = eq->row_count;
    }
    if (!is_indifferent(output)) {
      add_output(eq, network, index, i, output, true);
    }
  }
  eq->choice[index] = eq->free_rows[index] > 0 ? eq->row_count : -1;
  for (int k = 0; k < 2 && eq->free_rows[index] > 0; k++) {
    for (int i = 0; i < instance->components; i++) {
      sb_variable output = instance->layout.ports[sb_port_of(instance, i)].output;
      if (is_indifferent(output)) {
        add_output(eq, network, index, i, sb_output_variable(output, k == 0 ? SB_FLOW : SB_EFFORT),
                   false);
      }
    }
  }
}

/** A shared port is a junction whose common variable is the port's output. That of a storage has one flow, whichever way
 *  its bonds point, and efforts that add up by direction, as at a 1-junction. A structure counts its flow out of itself. */
static void add_shared(sb_equations *eq, const sb_network *network, const sb_shared_port *shared) {
  const sb_instance *instance = &network->instances[shared->instance];
  const sb_port *port = &instance->layout.ports[shared->port];
  bool common_flow = port->output == SB_FLOW, one = common_flow && instance->type->storage != NULL;
  const sb_shared_bond *bonds = network->shared_bonds;
  for (int k = 0; k < port->dim; k++) {
    int pair = instance->pairs[instance->first[shared->port] + k];
    for (int b = shared->head; b >= 0; b = bonds[b].next) {
      sb_equations_row(eq, shared->instance, true);
      sb_equations_term(eq, 2 * (bonds[b].pair + k) + common_flow,
                        common_flow && !one ? bonds[b].sign : 1);
      sb_equations_term(eq, 2 * pair + common_flow, -1);
    }
    sb_equations_row(eq, shared->instance, true);
    sb_equations_term(eq, 2 * pair + !common_flow, 1);
    for (int b = shared->head; b >= 0; b = bonds[b].next) {
      sb_equations_term(eq, 2 * (bonds[b].pair + k) + !common_flow,
                        common_flow && !one ? -1 : -bonds[b].sign);
    }
  }
}

sb_status sb_equations_build(const sb_network *network, const int modes[], sb_equations *eq) {
  *eq = (sb_equations){0};
  eq->choice = sb_arena_zeroed(&eq->memory, network->instance_count, sizeof(int));
  eq->free_rows = sb_arena_zeroed(&eq->memory, network->instance_count, sizeof(int));
  eq->output_row = sb_arena_zeroed(&eq->memory, network->state_count, sizeof(int));
  if (eq->memory.failed) {
    sb_equations_finish(eq);
    return SB_ERR_MEMORY;
  }
  for (int i = 0; i < network->state_count; i++) {
    eq->output_row[i] = -1;
  }
  for (int i = 0; i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    eq->choice[i] = -1;
    if (instance->inverse != NULL) {
      add_singular(eq, network, i);
    } else if (instance->linear) {
      add_linear(eq, network, i);
    } else if (!instance->hooked) {
      add_structure(eq, network, i, modes);
    } else {
      add_outputs(eq, network, i, modes);
    }
  }
  for (int i = 0; i < network->shared_count; i++) {
    add_shared(eq, network, &network->shared[i]);
  }
  bool failed = eq->memory.failed;
  if (failed) {
    sb_equations_finish(eq);
  }
  return failed ? SB_ERR_MEMORY : SB_OK;
}

bool sb_equations_constant(const sb_network *network, const sb_equations *eq, int row) {
  bool constant = eq->active[row] && !network->instances[eq->owner[row]].linear;
  for (int i = eq->first[row]; i < eq->first[row + 1]; i++) {
    constant = constant && eq->terms[i].var < sb_known_base(network);
  }
  return constant;
}

void sb_equations_finish(sb_equations *eq) {
  sb_arena_finish(&eq->memory);
  *eq = (sb_equations){0};
}
