// SPDX-License-Identifier: GPL-3.0-or-later
// Second stage of compilation: the pairs (effort, flow) of bonds and shared ports, and where states,
// values, discrete states and the ledger's quadratures stand.
#include <string.h>

#include "core/base/array.h"
#include "core/network/roles.h"

static void set_pairs(sb_instance *instance, int port, int pair, double sign) {
  instance->layout.ports[port].sign = sign;
  for (int k = 0; k < instance->layout.ports[port].dim; k++) {
    instance->pairs[instance->first[port] + k] = pair + k;
    instance->signs[instance->first[port] + k] = sign;
  }
}

static bool is_shared(const sb_instance *instance, int port) {
  return !instance->type->ports[0].many && instance->type->ports[port].shared;
}

/** Components of an instance, and pairs of its own for its shared ports. */
static void count_components(sb_network *network, sb_instance *instance) {
  const sb_port_spec *specs = instance->type->ports;
  int declared =
      specs == NULL || specs[0].many ? instance->layout.port_count : sb_port_count(specs, true);
  for (int k = 0; k < declared; k++) {
    instance->first[k] = instance->components;
    instance->components += k < instance->layout.port_count ? instance->layout.ports[k].dim : 0;
  }
  instance->first[declared] = instance->components;
  instance->dim = instance->layout.port_count > 0 ? instance->layout.ports[0].dim : 0;
  instance->pairs = sb_arena_zeroed(&network->memory, instance->components, sizeof(int));
  instance->signs = sb_arena_zeroed(&network->memory, instance->components, sizeof(double));
  instance->shared = network->shared_count;
  for (int k = 0; k < instance->layout.port_count && !network->memory.failed; k++) {
    if (is_shared(instance, k)) {
      set_pairs(instance, k, network->pair_count, 1);
      network->pair_count += instance->layout.ports[k].dim;
      network->shared_count++;
    }
  }
}

static void list_shared_ports(sb_network *network) {
  int next = 0;
  for (int i = 0; i < network->instance_count; i++) {
    for (int k = 0; k < network->instances[i].layout.port_count; k++) {
      if (is_shared(&network->instances[i], k)) {
        network->shared[next++] =
            (sb_shared_port){.instance = i, .port = k, .head = -1, .tail = -1};
      }
    }
  }
}

/** One end of a bond: the port takes the bond's pairs, a shared one puts it on its list. */
static void attach(sb_network *network, sb_bond_end end, bool arrives) {
  sb_instance *instance = &network->instances[end.element];
  double sign = sb_instance_power_sign(instance, arrives);
  if (!is_shared(instance, end.port)) {
    set_pairs(instance, end.port, network->pair_count, sign);
    return;
  }
  sb_shared_port *shared = &network->shared[instance->shared];
  while (shared->port != end.port) {
    shared++; // the shared ports of an instance stand in a row
  }
  int number = network->shared_bond_count++;
  network->shared_bonds[number] = (sb_shared_bond){network->pair_count, -1, sign};
  if (shared->tail >= 0) {
    network->shared_bonds[shared->tail].next = number;
  } else {
    shared->head = number;
  }
  shared->tail = number;
}

static sb_status make_pairs(const sb_graph *graph, sb_network *network) {
  for (int i = 0; i < network->instance_count; i++) {
    count_components(network, &network->instances[i]);
  }
  sb_arena *memory = &network->memory;
  network->shared = sb_arena_zeroed(memory, network->shared_count, sizeof(sb_shared_port));
  network->shared_bonds = sb_arena_zeroed(memory, 2 * graph->bond_count, sizeof(sb_shared_bond));
  network->bonds = sb_arena_zeroed(memory, graph->bond_count, sizeof(sb_network_bond));
  if (memory->failed) {
    return SB_ERR_MEMORY;
  }
  list_shared_ports(network);
  for (int i = 0; i < graph->bond_count; i++) {
    const sb_bond *bond = &graph->bonds[i];
    network->bonds[network->bond_count++] = (sb_network_bond){
        bond->from.element, bond->from.port, bond->to.element, bond->to.port, network->pair_count};
    attach(network, bond->from, false);
    attach(network, bond->to, true);
    network->pair_count += network->instances[bond->from.element].layout.ports[bond->from.port].dim;
  }
  return SB_OK;
}

/** Outputs of signals in numbers; inputs in wires, of which a row may take many. */
static int count_signals(const sb_element_type *type, int many, int *inputs) {
  int outputs = 0;
  for (const sb_signal_spec *s = type->signals; s != NULL && s->name != NULL; s++) {
    if (s->input) {
      *inputs += s->many ? many : 1;
    } else {
      outputs += s->count;
    }
  }
  return outputs;
}

static bool is_hooked(const sb_instance *instance) {
  const sb_element_type *type = instance->type;
  return !instance->linear && (type->structure == NULL || type->structure->forward != NULL);
}

/** A kind that names its states may have none of them, as bodies that are all fixed to the world. */
static sb_status check_states(const sb_instance *instance, sb_errors *errors) {
  if (instance->layout.states > 0 || instance->type->storage == NULL ||
      instance->type->state_names != NULL) {
    return SB_OK;
  }
  sb_error err;
  sb_status status = sb_fail(&err, SB_ERR_STRUCTURE,
                             "the kind '%s' of '%s' has no state: name "
                             "its states, or count them in init()",
                             instance->type->name, instance->id);
  sb_instance_error(instance, &err, errors);
  return status;
}

/** Numbers the branches of the expressions of signals, conditions, energies and contact laws, which are held between events. */
static void number_branches(sb_network *network, sb_instance *instance) {
  instance->branch = network->branch_count;
  for (const sb_param *p = instance->type->params; p != NULL && p->name != NULL; p++) {
    const sb_param *row = p->formula != NULL ? p->formula : p;
    bool held = row->kind == SB_PARAM_EXPRESSION && (row->signals || row->held) &&
                (instance->hooked || sb_instance_has_condition(instance));
    sb_expression *e =
        held ? *(sb_expression **)(void *)((char *)instance->self + row->offset) : NULL;
    if (e != NULL) {
      bool of_time = strcmp(row->arguments[0].name == NULL ? "" : row->arguments[0].name, "t") == 0;
      bool energy = row->held && instance->type->storage != NULL;
      network->branch_count += sb_expression_number(e, network->branch_count, of_time, energy);
    }
  }
  instance->branch_count = network->branch_count - instance->branch;
}

/** The mode of the composite that an element ID/name is a part of, which stands before it. */
static int composite_mode(const sb_network *network, const sb_instance *instance) {
  const char *slash = strrchr(instance->id, '/');
  int composite = sb_names_find(&network->names, instance->id, (size_t)(slash - instance->id));
  return network->instances[composite].mode;
}

static sb_status lay_out(sb_network *network, sb_errors *errors) {
  for (int i = 0; i < network->instance_count; i++) {
    sb_instance *instance = &network->instances[i];
    const sb_element_type *type = instance->type;
    sb_instance_linear(&network->memory, instance);
    if (network->memory.failed) {
      return SB_ERR_MEMORY;
    }
    if (instance->linear && type->storage != NULL) {
      instance->layout.states = instance->components;
    }
    SB_TRY(check_states(instance, errors));
    instance->state = network->state_count;
    network->state_count += instance->layout.states;
    instance->signal = network->value_count;
    instance->signal_count = count_signals(type, instance->layout.wires, &instance->wire_count);
    network->value_count += instance->signal_count;
    instance->wire = network->wire_count;
    network->wire_count += instance->wire_count;
    instance->hooked = is_hooked(instance);
    if (instance->hooked) {
      instance->out = network->value_count;
      instance->in = instance->out + instance->components;
      network->value_count += 2 * instance->components;
    }
    number_branches(network, instance);
    bool delays = type->signal != NULL && type->signal->delay != NULL;
    instance->delay = delays ? network->delay_count++ : -1;
    instance->discrete = network->discrete_count;
    if (type->switching != NULL && type->switching->follows) {
      instance->mode = composite_mode(network, instance);
    } else if (type->switching != NULL && !instance->layout.one_mode) {
      network->discrete_count += type->switching->discrete_states;
      instance->mode = network->mode_count++;
    }
    instance->input = network->input_count;
    instance->input_count = type->source != NULL && type->source->external != NULL
                                ? type->source->external(instance->self)
                                : 0;
    network->input_count += instance->input_count;
    instance->quadrature = sb_roles[type->role].quadrature ? network->quadrature_count++ : -1;
  }
  return SB_OK;
}

/** Integrals stand behind those of the powers, and parts behind the composite that they belong to. */
static void list_integrals(sb_network *network) {
  network->integrals = sb_arena_zeroed(&network->memory, network->instance_count, sizeof(int));
  for (int i = 0; network->integrals != NULL && i < network->instance_count; i++) {
    sb_instance *instance = &network->instances[i];
    if (instance->type->measures.integral != NULL) {
      network->integrals[network->integral_count++] = i;
      instance->integral = network->quadrature_count++;
    }
    size_t length = strlen(instance->id);
    int next = i + 1;
    while (instance->type->measures.of_parts != NULL && next < network->instance_count &&
           strncmp(network->instances[next].id, instance->id, length) == 0 &&
           network->instances[next].id[length] == '/') {
      next++;
    }
    instance->part_count = next - i - 1;
  }
}

int sb_signal_offset(const sb_element_type *type, int signal) {
  int offset = 0;
  for (int i = 0; i < signal; i++) {
    offset += type->signals[i].input ? 0 : type->signals[i].count;
  }
  return offset;
}

/** The value that a wire reads: a signal output, or a new one for a quantity. */
static sb_status find_origin(sb_network *network, const sb_wire *wire, int *value,
                             sb_errors *errors) {
  const sb_instance *from = &network->instances[wire->from_element];
  if (wire->from_signal >= 0) {
    *value = from->signal + sb_signal_offset(from->type, wire->from_signal);
    return SB_OK;
  }
  sb_sensor sensor;
  sb_error err = {0};
  sb_status status = sb_instance_sense(network, from, wire->quantity, &sensor, &err);
  if (status != SB_OK) {
    sb_place_into(&wire->place, &err);
    sb_errors_add(errors, &err);
    return status;
  }
  sensor.value = *value = network->value_count++;
  sb_arena_append(&network->memory, &network->sensors, &network->sensor_count,
                  &network->sensor_capacity, sizeof sensor, &sensor);
  return SB_OK;
}

/** The last instance whose states, or values, begin no later. */
static const sb_instance *last_instance(const sb_network *network, int place, bool values) {
  int low = 0, high = network->instance_count;
  while (high - low > 1) {
    int middle = low + (high - low) / 2;
    const sb_instance *instance = &network->instances[middle];
    *((values ? instance->signal : instance->state) <= place ? &low : &high) = middle;
  }
  return &network->instances[low];
}

int sb_owner_of(const sb_network *network, int known) {
  int value = known - network->state_count;
  const sb_instance *instance = last_instance(network, value < 0 ? known : value, value >= 0);
  bool own = value < 0
                 ? known >= instance->state && known < instance->state + instance->layout.states
                 : instance->hooked && value >= instance->out &&
                       value < instance->out + instance->components;
  return own ? (int)(instance - network->instances) : -1;
}

static sb_status check_inputs(const sb_network *network, sb_errors *errors) {
  sb_status status = SB_OK;
  for (int i = 0; i < network->instance_count; i++) {
    for (int k = 0; k < network->instances[i].wire_count; k++) {
      if (network->wires[network->instances[i].wire + k] < 0) {
        sb_error err;
        status = sb_fail(&err, SB_ERR_PORT, "a signal input of '%s' is not connected",
                         network->instances[i].id);
        sb_instance_error(&network->instances[i], &err, errors);
      }
    }
  }
  return status;
}

static sb_status connect_wires(const sb_graph *graph, sb_network *network, sb_errors *errors) {
  sb_status status = SB_OK;
  network->wires = sb_arena_zeroed(&network->memory, network->wire_count, sizeof(int));
  if (network->wires == NULL) {
    return SB_ERR_MEMORY;
  }
  for (int i = 0; i < network->wire_count; i++) {
    network->wires[i] = -1;
  }
  for (int i = 0; i < graph->wire_count; i++) {
    const sb_wire *wire = &graph->wires[i];
    const sb_instance *to = &network->instances[wire->to_element];
    int number = to->wire, value = 0;
    sb_status found = find_origin(network, wire, &value, errors);
    for (int k = 0; k < wire->to_signal; k++) {
      number += to->type->signals[k].input;
    }
    while (to->type->signals[wire->to_signal].many && network->wires[number] >= 0) {
      number++; // the wires before it
    }
    network->wires[number] = value;
    status = found == SB_OK ? status : found;
  }
  return status != SB_OK ? status : check_inputs(network, errors);
}

static void copy_groups(const sb_graph *graph, sb_network *network) {
  network->groups = sb_arena_zeroed(&network->memory, graph->group_count, sizeof(sb_group));
  for (int i = 0; network->groups != NULL && i < graph->group_count; i++) {
    const sb_group *source = &graph->groups[i];
    sb_group *group = &network->groups[network->group_count++];
    group->id = sb_arena_copy(&network->memory, source->id, strlen(source->id));
    group->count = source->count;
    group->members = sb_arena_zeroed(&network->memory, source->count, sizeof(int));
    if (group->members != NULL && source->count > 0) {
      memcpy(group->members, source->members, (size_t)source->count * sizeof(int));
    }
  }
}

static void list_drifting(sb_network *network) {
  network->drifting = sb_arena_zeroed(&network->memory, network->instance_count, sizeof(int));
  for (int i = 0; network->drifting != NULL && i < network->instance_count; i++) {
    const sb_storage_hooks *storage = network->instances[i].type->storage;
    if (storage != NULL && storage->manifold.project != NULL) {
      network->drifting[network->drifting_count++] = i;
    }
  }
}

/** The vectors that states form, by the tables of their kinds. */
static void list_vectors(sb_network *network) {
  sb_state_vectors *list = &network->vectors;
  int capacity = 0;
  for (int i = 0; i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    int state = instance->state;
    for (const int *n = instance->type->state_vectors; n != NULL && *n > 0; state += *n++) {
      const sb_state_vector vector = {state, *n};
      if (*n > 1) {
        sb_arena_append(&network->memory, &list->items, &list->count, &capacity, sizeof vector,
                        &vector);
      }
    }
  }
}

sb_status sb_layout_build(const sb_graph *graph, sb_network *network, sb_errors *errors) {
  SB_TRY(make_pairs(graph, network));
  SB_TRY(lay_out(network, errors));
  list_integrals(network);
  if (!sb_timed_list(network)) {
    return SB_ERR_MEMORY;
  }
  SB_TRY(connect_wires(graph, network, errors));
  copy_groups(graph, network);
  list_vectors(network);
  list_drifting(network);
  SB_TRY(sb_monitors_build(graph, network));
  SB_TRY(sb_origin_choose(network));
  SB_TRY(sb_extents_tell(network));
  SB_TRY(sb_parts_find(network));
  return network->memory.failed ? SB_ERR_MEMORY : SB_OK;
}
