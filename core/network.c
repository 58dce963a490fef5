// SPDX-License-Identifier: GPL-3.0-or-later
// First stage of compilation: instances with their parameters checked, dimensions and domains of
// ports, cells, and the layout of states, values and the ledger.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/array_private.h"
#include "core/model_private.h"

enum { DIM_MAX = 64 };

void sb_part_error(const sb_part *part, sb_error *err, sb_errors *errors) {
  sb_place_into(&part->place, err);
  sb_errors_add(errors, err);
}

/** Copies the instance and calls its init(), which decides states, dimensions and outputs. */
static sb_status make_part(const sb_element *element, sb_part *part, sb_error *err) {
  const sb_element_type *type = element->type;
  *part = (sb_part){.type = type, .place = element->place, .mode = -1, .integral = -1};
  part->id = sb_duplicate(element->id);
  part->self = calloc(1, type->size > 0 ? type->size : 1);
  part->layout.port_count = element->port_count;
  part->layout.ports = sb_zeroed(element->port_count, sizeof(sb_port));
  part->first = sb_zeroed(element->port_count + 1, sizeof(int));
  if (part->id == NULL || part->self == NULL || part->layout.ports == NULL || part->first == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  SB_TRY(sb_params_copy(type->params, element->self, type->size, part->self));
  for (int i = 0; i < element->port_count; i++) {
    const sb_port_spec *spec = &type->ports[type->ports[0].many ? 0 : i];
    part->layout.ports[i] = (sb_port){spec->dim, spec->domain, spec->output, 1};
  }
  if (type->init != NULL && type->init(part->self, &part->layout, err) != SB_OK) {
    char text[SB_ERROR_TEXT];
    memcpy(text, err->text, sizeof text);
    (void)snprintf(err->text, sizeof err->text, "%s '%s': %.400s", type->name, part->id, text);
    return err->status;
  }
  for (int i = 0; i < element->port_count; i++) {
    if (part->layout.ports[i].domain == NULL) {
      part->layout.ports[i].domain = element->domains[i];
    }
  }
  if (part->layout.dim > DIM_MAX) {
    return sb_fail(err, SB_ERR_LIMIT, "'%s' has %d components; at most %d are allowed", part->id,
                   part->layout.dim, DIM_MAX);
  }
  return SB_OK;
}

static bool make_parts(const sb_graph *graph, sb_model *model, sb_errors *errors) {
  bool ok = true;
  for (int i = 0; i < graph->element_count; i++) {
    sb_error err = {0};
    sb_part *part = &model->parts[i];
    model->part_count = i + 1;
    if (make_part(graph->elements[i], part, &err) != SB_OK ||
        (!sb_names_add(&model->names, part->id, i) &&
         sb_fail(&err, SB_ERR_MEMORY, "out of memory"))) {
      sb_part_error(part, &err, errors);
      ok = false;
      if (err.status == SB_ERR_MEMORY) {
        return false;
      }
    }
  }
  return ok;
}

static bool check_connected(const sb_graph *graph, const sb_model *model, sb_errors *errors) {
  bool ok = true;
  for (int i = 0; i < graph->element_count; i++) {
    const sb_element *element = graph->elements[i];
    const sb_port_spec *specs = element->type->ports;
    sb_error err = {0};
    bool junction = specs != NULL && specs[0].name != NULL && specs[0].many;
    if (junction && element->port_count < 2) {
      sb_fail(&err, SB_ERR_PORT, "junction '%s' joins %s: it needs two bonds or more", element->id,
              element->port_count == 0 ? "no bond" : "one bond only");
      sb_part_error(&model->parts[i], &err, errors);
      ok = false;
    }
    for (int k = 0; !junction && k < element->port_count; k++) {
      if (element->bonds[k] < 0 && !specs[k].shared) {
        if (element->port_count == 1) {
          sb_fail(&err, SB_ERR_PORT, "'%s' is not connected", element->id);
        } else {
          sb_fail(&err, SB_ERR_PORT, "port '%s' of '%s' is not connected", specs[k].name,
                  element->id);
        }
        sb_error_hint(&err, "add a bond, as in <bond from=\"...\" to=\"%s\"/>", element->id);
        sb_part_error(&model->parts[i], &err, errors);
        ok = false;
      }
    }
  }
  return ok;
}

static sb_port *port_at(sb_model *model, sb_bond_end end) {
  return &model->parts[end.element].layout.ports[end.port];
}

/** Ports that were declared without dimension take the element's own; through junctions and
 *  transducers the dimension goes on from bond to bond. What remains open has one component. */
static bool spread_dimension(sb_model *model, int index, int dim, int stack[], int *depth) {
  sb_part *part = &model->parts[index];
  bool changed = false;
  for (int k = 0; k < part->layout.port_count; k++) {
    if (part->layout.ports[k].dim == 0) {
      part->layout.ports[k].dim = dim;
      changed = true;
    }
  }
  if (changed) {
    part->layout.dim = dim;
    stack[(*depth)++] = index;
  }
  return changed;
}

static void spread_from(const sb_graph *graph, sb_model *model, int stack[], int depth) {
  while (depth > 0) {
    int index = stack[--depth];
    const sb_element *element = graph->elements[index];
    for (int k = 0; k < element->port_count; k++) {
      if (element->bonds[k] < 0 ||
          element->type->ports[element->type->ports[0].many ? 0 : k].shared) {
        continue;
      }
      const sb_bond *bond = &graph->bonds[element->bonds[k]];
      sb_bond_end other = bond->from.element == index ? bond->to : bond->from;
      if (port_at(model, other)->dim == 0) {
        spread_dimension(model, other.element, model->parts[index].layout.ports[k].dim, stack,
                         &depth);
      }
    }
  }
}

static bool find_dimensions(const sb_graph *graph, sb_model *model) {
  int *stack = sb_zeroed(model->part_count, sizeof *stack);
  if (stack == NULL) {
    return false;
  }
  for (int i = 0; i < model->part_count; i++) {
    const sb_layout *layout = &model->parts[i].layout;
    int depth = 0;
    if (layout->dim > 0) {
      spread_dimension(model, i, layout->dim, stack, &depth);
    } else if (layout->port_count > 0 && layout->ports[0].dim > 0) {
      stack[depth++] = i;
    }
    spread_from(graph, model, stack, depth);
  }
  for (int i = 0; i < graph->bond_count; i++) { // a shared port gives its dimension to every bond
    sb_port *from = port_at(model, graph->bonds[i].from), *to = port_at(model, graph->bonds[i].to);
    int depth = 0;
    if (from->dim == 0 && to->dim > 0) {
      spread_dimension(model, graph->bonds[i].from.element, to->dim, stack, &depth);
    } else if (to->dim == 0 && from->dim > 0) {
      spread_dimension(model, graph->bonds[i].to.element, from->dim, stack, &depth);
    }
    spread_from(graph, model, stack, depth);
  }
  for (int i = 0; i < model->part_count; i++) {
    int depth = 0;
    spread_dimension(model, i, 1, stack, &depth);
    spread_from(graph, model, stack, depth);
  }
  free(stack);
  return true;
}

static bool check_bonds(const sb_graph *graph, sb_model *model, sb_errors *errors) {
  bool ok = true;
  for (int i = 0; i < graph->bond_count; i++) {
    const sb_bond *bond = &graph->bonds[i];
    const sb_port *from = port_at(model, bond->from), *to = port_at(model, bond->to);
    const char *a = model->parts[bond->from.element].id, *b = model->parts[bond->to.element].id;
    sb_error err = {0};
    if (from->dim != to->dim) {
      sb_fail(&err, SB_ERR_DIMENSION, "bond %s -> %s: %d against %d components", a, b, from->dim,
              to->dim);
    } else if (from->domain != NULL && to->domain != NULL &&
               strcmp(from->domain, to->domain) != 0) {
      sb_fail(&err, SB_ERR_DOMAIN, "bond %s -> %s joins the domains %s and %s", a, b, from->domain,
              to->domain);
    }
    if (err.status != SB_OK) {
      sb_place_into(&bond->place, &err);
      sb_errors_add(errors, &err);
      ok = false;
    }
  }
  return ok;
}

/** A port counts power into a storage or dissipation, out of a source or structure. */
static double port_sign(const sb_part *part, bool arrives) {
  bool inward = part->type->role == SB_STORAGE || part->type->role == SB_DISSIPATION;
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

static sb_status make_cells(const sb_graph *graph, sb_model *model) {
  for (int i = 0; i < model->part_count; i++) {
    sb_part *part = &model->parts[i];
    for (int k = 0; k < part->layout.port_count; k++) {
      part->first[k] = part->components;
      part->components += part->layout.ports[k].dim;
    }
    part->cells = sb_zeroed(part->components, sizeof(int));
    part->signs = sb_zeroed(part->components, sizeof(double));
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
  }
  int bonds = 0;
  for (int i = 0; i < graph->bond_count; i++) {
    sb_bond_end ends[2] = {graph->bonds[i].from, graph->bonds[i].to};
    for (int end = 0; end < 2; end++) {
      sb_part *part = &model->parts[ends[end].element];
      if (is_shared(part, ends[end].port)) {
        bonds++;
      } else {
        set_cells(part, ends[end].port, model->cell_count, port_sign(part, end == 1));
      }
    }
    model->cell_count += port_at(model, ends[0])->dim;
  }
  model->shared_bond_count = bonds;
  return SB_OK;
}

/** Lists for every shared port the bonds that meet there. */
static sb_status list_shared(const sb_graph *graph, sb_model *model) {
  model->shared = sb_zeroed(model->shared_count, sizeof *model->shared);
  model->shared_bonds = sb_zeroed(model->shared_bond_count, sizeof *model->shared_bonds);
  int *number = sb_zeroed(model->part_count, sizeof *number); // first shared port of a part
  int *cell = sb_zeroed(graph->bond_count, sizeof *cell);
  if (model->shared == NULL || model->shared_bonds == NULL || number == NULL || cell == NULL) {
    free(number);
    free(cell);
    return SB_ERR_MEMORY;
  }
  int count = 0, next = 0;
  for (int i = 0; i < model->part_count; i++) {
    for (int k = 0; k < model->parts[i].layout.port_count; k++) {
      if (is_shared(&model->parts[i], k)) {
        number[i] = number[i] == 0 ? count + 1 : number[i];
        model->shared[count++] = (struct sb_shared_port){.part = i, .port = k};
        next += model->parts[i].layout.ports[k].dim;
      }
    }
  }
  for (int i = 0; i < graph->bond_count; i++) {
    cell[i] = next;
    next += port_at(model, graph->bonds[i].from)->dim;
  }
  for (int pass = 0; pass < 2; pass++) { // count, then fill
    for (int i = 0, first = 0; pass == 1 && i < count; i++) {
      model->shared[i].first = first;
      first += model->shared[i].count;
      model->shared[i].count = 0;
    }
    for (int i = 0; i < graph->bond_count; i++) {
      sb_bond_end ends[2] = {graph->bonds[i].from, graph->bonds[i].to};
      for (int end = 0; end < 2; end++) {
        if (is_shared(&model->parts[ends[end].element], ends[end].port)) {
          struct sb_shared_port *shared = &model->shared[number[ends[end].element] - 1];
          while (shared->port != ends[end].port) {
            shared++; // the shared ports of a part follow each other
          }
          if (pass == 1) {
            model->shared_bonds[shared->first + shared->count] = (struct sb_shared_bond){
                cell[i], port_sign(&model->parts[ends[end].element], end == 1)};
          }
          shared->count++;
        }
      }
    }
  }
  free(number);
  free(cell);
  return SB_OK;
}

/** Asks the hooks for the constant matrix of a linear element. */
static sb_status find_linear(sb_part *part) {
  bool (*linear)(const void *, int, double[]) =
      part->type->storage != NULL       ? part->type->storage->linear
      : part->type->dissipation != NULL ? part->type->dissipation->linear
                                        : NULL;
  if (linear == NULL) {
    return SB_OK;
  }
  int d = part->components;
  part->matrix = sb_zeroed(d * d, sizeof(double));
  if (part->matrix == NULL) {
    return SB_ERR_MEMORY;
  }
  part->linear = linear(part->self, d, part->matrix);
  return SB_OK;
}

static int count_outputs(const sb_element_type *type, int *inputs) {
  int outputs = 0;
  for (const sb_signal_spec *s = type->signals; s != NULL && s->name != NULL; s++) {
    if (s->input) {
      ++*inputs;
    } else {
      outputs += s->count;
    }
  }
  return outputs;
}

static sb_status lay_out(sb_model *model) {
  for (int i = 0; i < model->part_count; i++) {
    sb_part *part = &model->parts[i];
    const sb_element_type *type = part->type;
    SB_TRY(find_linear(part));
    if (part->linear && type->role == SB_STORAGE) {
      part->layout.states = part->components;
    }
    part->state = model->state_count;
    model->state_count += part->layout.states;
    part->signal = model->value_count;
    part->signal_count = count_outputs(type, &part->wire_count);
    model->value_count += part->signal_count;
    part->wire = model->wire_count;
    model->wire_count += part->wire_count;
    part->hooked =
        !part->linear && (type->role != SB_STRUCTURE || type->structure->forward != NULL);
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

static sb_status connect_wires(const sb_graph *graph, sb_model *model, sb_errors *errors) {
  model->wires = sb_zeroed(model->wire_count, sizeof(int));
  if (model->wires == NULL) {
    return SB_ERR_MEMORY;
  }
  for (int i = 0; i < model->wire_count; i++) {
    model->wires[i] = -1;
  }
  for (int i = 0; i < graph->wire_count; i++) {
    const sb_wire *wire = &graph->wires[i];
    const sb_part *from = &model->parts[wire->from_element], *to = &model->parts[wire->to_element];
    int number = 0;
    for (int k = 0; k < wire->to_signal; k++) {
      number += to->type->signals[k].input;
    }
    model->wires[to->wire + number] = from->signal + signal_offset(from->type, wire->from_signal);
  }
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

sb_status sb_network_build(const sb_graph *graph, sb_model *model, sb_errors *errors) {
  model->parts = sb_zeroed(graph->element_count, sizeof(sb_part));
  if (model->parts == NULL) {
    return SB_ERR_MEMORY;
  }
  bool ok = make_parts(graph, model, errors);
  ok = model->part_count == graph->element_count && check_connected(graph, model, errors) && ok;
  if (!ok) {
    return errors->count > 0 ? errors->items[0].status : SB_ERR_MEMORY;
  }
  if (!find_dimensions(graph, model)) {
    return SB_ERR_MEMORY;
  }
  if (!check_bonds(graph, model, errors)) {
    return errors->items[errors->count - 1].status;
  }
  SB_TRY(make_cells(graph, model));
  SB_TRY(list_shared(graph, model));
  SB_TRY(lay_out(model));
  SB_TRY(connect_wires(graph, model, errors));
  return copy_groups(graph, model);
}
