// SPDX-License-Identifier: GPL-3.0-or-later
// Second stage of compilation: cells of bonds and shared ports, and where states, values, memos and
// the integrals of the ledger stand.
#include <stdlib.h>
#include <string.h>

#include "core/array_private.h"
#include "core/model_private.h"

/** A port counts power into a storage, dissipation or switch, out of a source or other structure. */
static double port_sign(const sb_part *part, bool arrives) {
  bool one_port = part->type->role == SB_STRUCTURE && !part->type->ports[0].many &&
                  part->layout.port_count == 1;
  bool inward = part->type->role == SB_STORAGE || part->type->role == SB_DISSIPATION || one_port;
  return inward == arrives ? 1 : -1;
}

static void set_cells(sb_part *part, int port, int cell, double sign) {
  part->layout.ports[port].sign = sign;
  for (int k = 0; k < part->layout.ports[port].dim; k++) {
    part->cells[part->first[port] + k] = cell + k;
    part->signs[part->first[port] + k] = sign;
  }
}

static bool is_shared(const sb_part *part, int port) {
  return !part->type->ports[0].many && part->type->ports[port].shared;
}

/** Components of a part, and cells of its own for its shared ports. */
static sb_status count_components(sb_model *model, sb_part *part) {
  for (int k = 0; k < part->layout.port_count; k++) {
    part->first[k] = part->components;
    part->components += part->layout.ports[k].dim;
  }
  part->cells = sb_arena_zeroed(&model->memory, part->components, sizeof(int));
  part->signs = sb_arena_zeroed(&model->memory, part->components, sizeof(double));
  part->shared = model->shared_count;
  if (part->cells == NULL || part->signs == NULL) {
    return SB_ERR_MEMORY;
  }
  for (int k = 0; k < part->layout.port_count; k++) {
    if (is_shared(part, k)) {
      set_cells(part, k, model->cell_count, 1);
      model->cell_count += part->layout.ports[k].dim;
      model->shared_count++;
    }
  }
  return SB_OK;
}

static void list_shared_ports(sb_model *model) {
  int next = 0;
  for (int i = 0; i < model->part_count; i++) {
    for (int k = 0; k < model->parts[i].layout.port_count; k++) {
      if (is_shared(&model->parts[i], k)) {
        model->shared[next++] = (sb_shared_port){.part = i, .port = k, .head = -1, .tail = -1};
      }
    }
  }
}

/** One end of a bond: the port takes the bond's cells, a shared one puts it on its list. */
static void attach(sb_model *model, sb_bond_end end, bool arrives) {
  sb_part *part = &model->parts[end.element];
  double sign = port_sign(part, arrives);
  if (!is_shared(part, end.port)) {
    set_cells(part, end.port, model->cell_count, sign);
    return;
  }
  sb_shared_port *shared = &model->shared[part->shared];
  while (shared->port != end.port) {
    shared++; // the shared ports of a part follow each other
  }
  int number = model->shared_bond_count++;
  model->shared_bonds[number] = (sb_shared_bond){model->cell_count, -1, sign};
  if (shared->tail >= 0) {
    model->shared_bonds[shared->tail].next = number;
  } else {
    shared->head = number;
  }
  shared->tail = number;
}

static sb_status make_cells(const sb_graph *graph, sb_model *model) {
  for (int i = 0; i < model->part_count; i++) {
    SB_TRY(count_components(model, &model->parts[i]));
  }
  model->shared = sb_zeroed(model->shared_count, sizeof(sb_shared_port));
  model->shared_bonds = sb_zeroed(2 * graph->bond_count, sizeof(sb_shared_bond));
  model->bonds = sb_zeroed(graph->bond_count, sizeof(sb_model_bond));
  if (model->shared == NULL || model->shared_bonds == NULL || model->bonds == NULL) {
    return SB_ERR_MEMORY;
  }
  list_shared_ports(model);
  for (int i = 0; i < graph->bond_count; i++) {
    const sb_bond *bond = &graph->bonds[i];
    model->bonds[model->bond_count++] = (sb_model_bond){
        bond->from.element, bond->from.port, bond->to.element, bond->to.port, model->cell_count};
    attach(model, bond->from, false);
    attach(model, bond->to, true);
    model->cell_count += model->parts[bond->from.element].layout.ports[bond->from.port].dim;
  }
  return SB_OK;
}

/** Asks the hooks for the constant matrix of a linear element. */
static sb_status find_linear(sb_arena *memory, sb_part *part) {
  bool (*linear)(const void *, int, double[]) =
      part->type->storage != NULL       ? part->type->storage->linear
      : part->type->dissipation != NULL ? part->type->dissipation->linear
                                        : NULL;
  if (linear == NULL) {
    return SB_OK;
  }
  int d = part->components;
  part->matrix = sb_arena_zeroed(memory, d * d, sizeof(double));
  if (part->matrix == NULL) {
    return SB_ERR_MEMORY;
  }
  part->linear = linear(part->self, d, part->matrix);
  if (part->linear && part->type->storage != NULL && part->type->storage->inverse != NULL) {
    part->inverse = sb_arena_zeroed(memory, d * d, sizeof(double));
    if (part->inverse == NULL) {
      return SB_ERR_MEMORY;
    }
    if (!part->type->storage->inverse(part->self, d, part->inverse)) {
      part->inverse = NULL;
    }
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

static bool is_hooked(const sb_part *part) {
  const sb_element_type *type = part->type;
  return !part->linear && (type->role != SB_STRUCTURE || type->structure->forward != NULL);
}

static sb_status check_states(const sb_part *part, sb_errors *errors) {
  if (part->layout.states > 0 || part->type->role != SB_STORAGE) {
    return SB_OK;
  }
  sb_error err;
  sb_status status = sb_fail(&err, SB_ERR_STRUCTURE,
                             "the kind '%s' of '%s' has no state: name "
                             "its states, or count them in init()",
                             part->type->name, part->id);
  sb_part_error(part, &err, errors);
  return status;
}

static sb_status lay_out(sb_model *model, sb_errors *errors) {
  for (int i = 0; i < model->part_count; i++) {
    sb_part *part = &model->parts[i];
    const sb_element_type *type = part->type;
    SB_TRY(find_linear(&model->memory, part));
    if (part->linear && type->role == SB_STORAGE) {
      part->layout.states = part->components;
    }
    SB_TRY(check_states(part, errors));
    part->state = model->state_count;
    model->state_count += part->layout.states;
    part->signal = model->value_count;
    part->signal_count = count_signals(type, part->layout.wires, &part->wire_count);
    model->value_count += part->signal_count;
    part->wire = model->wire_count;
    model->wire_count += part->wire_count;
    part->hooked = is_hooked(part);
    if (part->hooked) {
      part->out = model->value_count;
      part->in = part->out + part->components;
      model->value_count += 2 * part->components;
    }
    part->memo = model->memo_count;
    model->memo_count += type->memos;
    part->mode = type->switching != NULL ? model->mode_count++ : -1;
    part->input = model->input_count;
    part->input_count = type->role == SB_SOURCE && type->source->external != NULL
                            ? type->source->external(part->self)
                            : 0;
    model->input_count += part->input_count;
    bool booked = type->role == SB_DISSIPATION || type->role == SB_SOURCE;
    part->integral = booked ? model->integral_count++ : -1;
  }
  return SB_OK;
}

static int signal_offset(const sb_element_type *type, int signal) {
  int offset = 0;
  for (int i = 0; i < signal; i++) {
    offset += type->signals[i].input ? 0 : type->signals[i].count;
  }
  return offset;
}

/** The value that a wire reads: a signal output, or a new one for a quantity. */
static sb_status find_origin(sb_model *model, const sb_wire *wire, int *value, sb_errors *errors) {
  const sb_part *from = &model->parts[wire->from_element];
  if (wire->from_signal >= 0) {
    *value = from->signal + signal_offset(from->type, wire->from_signal);
    return SB_OK;
  }
  sb_sensor sensor = {.value = model->value_count, .part = wire->from_element};
  sb_error err = {0};
  sb_status status = sb_part_sense(model, from, wire->quantity, &sensor.var, &sensor.sign, &err);
  if (status != SB_OK) {
    sb_place_into(&wire->place, &err);
    sb_errors_add(errors, &err);
    return status;
  }
  *value = model->value_count++;
  return sb_append(&model->sensors, &model->sensor_count, &model->sensor_capacity, sizeof sensor,
                   &sensor)
             ? SB_OK
             : SB_ERR_MEMORY;
}

/** The last part whose states, or values, begin no later. */
static const sb_part *last_part(const sb_model *model, int place, bool values) {
  int low = 0, high = model->part_count;
  while (high - low > 1) {
    int middle = low + (high - low) / 2;
    const sb_part *part = &model->parts[middle];
    *((values ? part->signal : part->state) <= place ? &low : &high) = middle;
  }
  return &model->parts[low];
}

int sb_owner_of(const sb_model *model, int known) {
  int value = known - model->state_count;
  const sb_part *part = last_part(model, value < 0 ? known : value, value >= 0);
  bool own = value < 0 ? known >= part->state && known < part->state + part->layout.states
                       : part->hooked && value >= part->out && value < part->out + part->components;
  return own ? (int)(part - model->parts) : -1;
}

static sb_status check_inputs(const sb_model *model, sb_errors *errors) {
  sb_status status = SB_OK;
  for (int i = 0; i < model->part_count; i++) {
    for (int k = 0; k < model->parts[i].wire_count; k++) {
      if (model->wires[model->parts[i].wire + k] < 0) {
        sb_error err;
        status = sb_fail(&err, SB_ERR_PORT, "a signal input of '%s' is not connected",
                         model->parts[i].id);
        sb_part_error(&model->parts[i], &err, errors);
      }
    }
  }
  return status;
}

static sb_status connect_wires(const sb_graph *graph, sb_model *model, sb_errors *errors) {
  sb_status status = SB_OK;
  model->wires = sb_zeroed(model->wire_count, sizeof(int));
  if (model->wires == NULL) {
    return SB_ERR_MEMORY;
  }
  for (int i = 0; i < model->wire_count; i++) {
    model->wires[i] = -1;
  }
  for (int i = 0; i < graph->wire_count; i++) {
    const sb_wire *wire = &graph->wires[i];
    const sb_part *to = &model->parts[wire->to_element];
    int number = to->wire, value = 0;
    sb_status found = find_origin(model, wire, &value, errors);
    if (found == SB_ERR_MEMORY) {
      return found;
    }
    for (int k = 0; k < wire->to_signal; k++) {
      number += to->type->signals[k].input;
    }
    while (to->type->signals[wire->to_signal].many && model->wires[number] >= 0) {
      number++; // the wires before it
    }
    model->wires[number] = value;
    status = found == SB_OK ? status : found;
  }
  return status != SB_OK ? status : check_inputs(model, errors);
}

static sb_status copy_groups(const sb_graph *graph, sb_model *model) {
  model->groups = sb_zeroed(graph->group_count, sizeof(sb_group));
  if (model->groups == NULL) {
    return SB_ERR_MEMORY;
  }
  for (int i = 0; i < graph->group_count; i++) {
    const sb_group *source = &graph->groups[i];
    sb_group *group = &model->groups[model->group_count++];
    group->id = sb_duplicate(source->id);
    group->count = source->count;
    group->members = sb_zeroed(source->count, sizeof(int));
    if (group->id == NULL || group->members == NULL) {
      return SB_ERR_MEMORY;
    }
    memcpy(group->members, source->members, (size_t)source->count * sizeof(int));
  }
  return SB_OK;
}

sb_status sb_layout_build(const sb_graph *graph, sb_model *model, sb_errors *errors) {
  SB_TRY(make_cells(graph, model));
  SB_TRY(lay_out(model, errors));
  SB_TRY(connect_wires(graph, model, errors));
  return copy_groups(graph, model);
}
