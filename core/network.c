// SPDX-License-Identifier: GPL-3.0-or-later
// First stage of compilation: instances with their parameters checked, dimensions and domains of
// their ports.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/array_private.h"
#include "core/domain.h"
#include "core/model_private.h"

enum { DIM_MAX = 64 };

/** What a repeat or a sub-model makes several times is wrong at one place, and what is missing may be
 *  there by a wrong name. */
static bool is_known(const sb_errors *errors, const sb_error *err) {
  for (int i = 0; err->line > 0 && i < errors->count; i++) {
    const sb_error *known = &errors->items[i];
    bool same = known->column == err->column && known->status == err->status;
    bool misspelt = known->status == SB_ERR_ATTRIBUTE && err->status == SB_ERR_MISSING;
    if (known->line == err->line && (same || misspelt) && strcmp(known->file, err->file) == 0) {
      return true;
    }
  }
  return false;
}

void sb_part_error(const sb_part *part, sb_error *err, sb_errors *errors) {
  sb_place_into(&part->place, err);
  if (!is_known(errors, err)) {
    sb_errors_add(errors, err);
  }
}

/** The first parameter without a default that was not set: it is still empty, or a zero that its
 *  range forbids. */
static const sb_param *first_missing(const sb_param *table, const void *self) {
  for (const sb_param *p = table; p != NULL && p->name != NULL; p++) {
    const char *field = (const char *)self + p->offset;
    bool zero = p->range == SB_POSITIVE || p->range == SB_NONZERO;
    if (p->fallback == NULL &&
        ((p->kind == SB_PARAM_LIST && ((const sb_list *)(const void *)field)->count == 0) ||
         (p->kind == SB_PARAM_REAL && zero && *(const double *)(const void *)field == 0))) {
      return p;
    }
  }
  return NULL;
}

/** Ports behind the last one that has a bond are not there if they are optional. */
static int count_ports(const sb_element *element) {
  const sb_port_spec *specs = element->type->ports;
  int count = element->port_count;
  while (count > 0 && !specs[0].many && specs[count - 1].optional &&
         element->bonds[count - 1] < 0) {
    count--;
  }
  return count;
}

/** A source that gives a temperature must not give one of zero or less at the start. */
static sb_status check_positive(const sb_part *part, sb_error *err) {
  const sb_domain *domain = part->type->role != SB_SOURCE || part->layout.ports[0].domain == NULL
                                ? NULL
                                : sb_domain_find(part->layout.ports[0].domain);
  double y[DIM_MAX];
  if (domain == NULL || !domain->positive || part->layout.ports[0].output != SB_EFFORT ||
      part->layout.wires > 0 || part->layout.dim != 1 || part->type->source->external == NULL ||
      part->type->source->external(part->self) > 0) {
    return SB_OK;
  }
  if (part->type->source->value(part->self, &(sb_at){0}, y) != 0 || y[0] > 0) {
    return SB_OK;
  }
  sb_status status = sb_fail_at(err, SB_ERR_RANGE, "effort", "%s '%s': no temperature is %s K",
                                part->type->name, part->id, sb_number_word(y[0]).text);
  sb_error_hint(err, "temperatures are absolute: 20 degrees Celsius are 293.15 K");
  return status;
}

/** Copies the instance and calls its init(), which decides states, dimensions and outputs. */
static sb_status make_part(sb_arena *memory, const sb_element *element, sb_part *part,
                           sb_error *err) {
  const sb_element_type *type = element->type;
  *part = (sb_part){.type = type, .place = element->place, .mode = -1, .integral = -1};
  part->id = sb_arena_copy(memory, element->id, strlen(element->id));
  part->self = sb_arena_zeroed(memory, 1, type->size > 0 ? type->size : 1);
  part->layout.port_count = count_ports(element);
  part->layout.ports = sb_arena_zeroed(memory, element->port_count, sizeof(sb_port));
  part->first = sb_arena_zeroed(memory, element->port_count + 1, sizeof(int));
  if (part->id == NULL || part->self == NULL || part->layout.ports == NULL || part->first == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  SB_TRY(sb_params_copy(type->params, element->self, type->size, part->self));
  for (int i = 0; i < element->port_count; i++) {
    const sb_port_spec *spec = &type->ports[type->ports[0].many ? 0 : i];
    part->layout.ports[i] = (sb_port){spec->dim, spec->domain, spec->output, 1};
  }
  for (const char *const *name = type->state_names; name != NULL && *name != NULL; name++) {
    part->layout.states++; // unless init() says otherwise
  }
  const sb_param *missing = first_missing(type->params, part->self);
  if (missing != NULL) {
    return sb_fail(err, SB_ERR_MISSING, "%s '%s': %s is missing", type->name, part->id,
                   missing->name);
  }
  part->layout.wires = element->wire_count;
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
  SB_TRY(check_positive(part, err));
  if (part->layout.dim > DIM_MAX) {
    return sb_fail(err, SB_ERR_LIMIT, "'%s' has %d components; at most %d are allowed", part->id,
                   part->layout.dim, DIM_MAX);
  }
  return SB_OK;
}

/** How much of a graph is known: all that its elements are, and which ports have bonds. */
typedef enum knowledge { ELEMENTS, ELEMENTS_AND_BONDS, ALL } knowledge;

static bool can_be_made(const sb_element *element, knowledge known_of) {
  bool known = known_of == ALL || !element->failed, bonds = known_of != ELEMENTS;
  for (const sb_port_spec *p = element->type->ports; !bonds && p != NULL && p->name != NULL; p++) {
    known = known && !p->optional;
  }
  return known;
}

static bool make_parts(const sb_graph *graph, sb_model *model, knowledge known, sb_errors *errors) {
  bool ok = true;
  for (int i = 0; i < graph->element_count; i++) {
    sb_error err = {0};
    sb_part *part = &model->parts[i];
    model->part_count = i + 1;
    if (!can_be_made(graph->elements[i], known)) {
      part->place = graph->elements[i]->place;
      continue;
    }
    if (make_part(&model->memory, graph->elements[i], part, &err) != SB_OK ||
        (!sb_names_add(&model->names, part->id, i) &&
         sb_fail(&err, SB_ERR_MEMORY, "out of memory"))) {
      sb_param_place_into(graph->elements[i], &err);
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
    for (int k = 0; !junction && k < model->parts[i].layout.port_count; k++) {
      if (element->bonds[k] < 0 && !specs[k].shared) {
        if (model->parts[i].layout.port_count == 1) {
          sb_fail(&err, SB_ERR_PORT, "'%s' is not connected", element->id);
        } else {
          sb_fail(&err, SB_ERR_PORT, "port '%s' of '%s' is not connected", specs[k].name,
                  element->id);
        }
        bool named = model->parts[i].layout.port_count > 1;
        sb_error_hint(&err, "add a bond, as in <bond from=\"...\" to=\"%s%s%s\"/>", element->id,
                      named ? "." : "", named ? specs[k].name : "");
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
  for (int i = 0; i < model->part_count; i++) { // what an element says of itself goes first
    int depth = 0;
    if (model->parts[i].layout.dim > 0) {
      spread_dimension(model, i, model->parts[i].layout.dim, stack, &depth);
    }
  }
  for (int i = 0; i < model->part_count; i++) {
    const sb_layout *layout = &model->parts[i].layout;
    int depth = 0;
    if (layout->port_count > 0 && layout->ports[0].dim > 0) {
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

void sb_graph_check(const sb_graph *graph, bool bonds, sb_errors *errors) {
  sb_model *model = calloc(1, sizeof *model);
  if (model == NULL || (model->parts = sb_zeroed(graph->element_count, sizeof(sb_part))) == NULL) {
    free(model);
    return;
  }
  (void)make_parts(graph, model, bonds ? ELEMENTS_AND_BONDS : ELEMENTS, errors);
  if (bonds && model->part_count == graph->element_count) {
    (void)check_connected(graph, model, errors);
  }
  sb_model_destroy(model);
}

sb_status sb_network_build(const sb_graph *graph, sb_model *model, sb_errors *errors) {
  model->parts = sb_zeroed(graph->element_count, sizeof(sb_part));
  if (model->parts == NULL) {
    return SB_ERR_MEMORY;
  }
  bool ok = make_parts(graph, model, ALL, errors);
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
  return SB_OK;
}
