// SPDX-License-Identifier: GPL-3.0-or-later
// Which elements a graph monitors for neighbours, and copies of graphs: a model keeps one as the source of its populations, each
// of which is a copy with elements added.
#include <stdio.h>
#include <string.h>

#include "core/graph/graph_data.h"

/** The row of an output; -1: none. */
static int find_output(const sb_element_type *type, const char *name) {
  const sb_signal_spec *specs = type->signals;
  for (int i = 0; specs != NULL && specs[i].name != NULL; i++) {
    if (!specs[i].input && strcmp(specs[i].name, name) == 0) {
      return i;
    }
  }
  return -1;
}

static sb_status watch_one(const sb_graph *graph, sb_neighbours *list, int i, const char *id,
                           const char *signal, sb_error *err) {
  char name[2 * SB_ERROR_TEXT];
  bool part;
  const sb_element *element = sb_graph_resolve(graph, id, strlen(id), &part);
  (void)snprintf(name, sizeof name, "%.400s.%.100s", id, signal);
  int row = element == NULL ? -1 : find_output(element->type, part ? name : signal);
  if (row < 0) {
    return sb_fail(err, SB_ERR_REFERENCE, "there is no signal '%.80s.%s'", id, signal);
  }
  int width = element->type->signals[row].count;
  if (i > 0 && width != list->width) {
    return sb_fail(err, SB_ERR_DIMENSION, "'%.80s.%s' has %d components, others have %d", id,
                   signal, width, list->width);
  }
  list->elements[i] = element->index;
  list->rows[i] = row;
  list->width = width;
  return SB_OK;
}

sb_status sb_graph_monitor(sb_graph *graph, const sb_neighbour_hooks *hooks, void *self,
                           const char *const elements[], int count, const char *signal,
                           sb_error *err) {
  sb_neighbours list = {
      .hooks = hooks, .self = self, .count = count, .owned = true, .place = graph->place};
  list.elements = sb_arena_zeroed(&graph->memory, count, sizeof(int));
  list.rows = sb_arena_zeroed(&graph->memory, count, sizeof(int));
  sb_status status = SB_OK;
  for (int i = 0; i < count && status == SB_OK && !graph->memory.failed; i++) {
    status = watch_one(graph, &list, i, elements[i], signal, err);
  }
  if (status == SB_OK &&
      !sb_arena_append(&graph->memory, &graph->neighbours, &graph->neighbour_count,
                       &graph->neighbour_capacity, sizeof list, &list)) {
    status = sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  if (status != SB_OK) {
    hooks->destroy(self);
  }
  return status;
}

void sb_neighbours_finish(sb_graph *graph) {
  for (int i = 0; i < graph->neighbour_count; i++) {
    if (graph->neighbours[i].owned) {
      graph->neighbours[i].hooks->destroy(graph->neighbours[i].self);
    }
  }
}

static void *duplicate(sb_arena *memory, const void *items, int count, size_t size) {
  void *copy = sb_arena_zeroed(memory, count, size);
  if (copy != NULL && count > 0) {
    memcpy(copy, items, (size_t)count * size);
  }
  return copy;
}

/** Names of files are those of the copy. */
static sb_place move_place(const sb_graph *from, const sb_graph *to, sb_place place) {
  for (int i = 0; i < from->file_count; i++) {
    place.file = place.file == from->files[i] ? to->files[i] : place.file;
  }
  return place;
}

static sb_status copy_element(const sb_graph *from, const sb_element *source, sb_graph *to,
                              sb_error *err) {
  sb_arena *memory = &to->memory;
  sb_element *copy;
  SB_TRY(sb_graph_add(to, source->type, source->id, &copy, err));
  sb_params_finish(source->type->params, copy->self);
  SB_TRY(sb_params_copy(source->type->params, source->self, source->type->size, copy->self, err));
  copy->bonds = duplicate(memory, source->bonds, source->port_capacity, sizeof *copy->bonds);
  copy->domains =
      duplicate(memory, source->domains, source->domain_capacity, sizeof *copy->domains);
  copy->domain = source->domain;
  copy->port_count = source->port_count;
  copy->port_capacity = source->port_capacity;
  copy->domain_capacity = source->domain_capacity;
  copy->wire_count = source->wire_count;
  copy->place = move_place(from, to, source->place);
  copy->param_places = duplicate(memory, source->param_places, source->param_place_count,
                                 sizeof *copy->param_places);
  copy->param_place_count = copy->param_place_capacity = source->param_place_count;
  for (int i = 0; copy->param_places != NULL && i < copy->param_place_count; i++) {
    copy->param_places[i].place = move_place(from, to, copy->param_places[i].place);
  }
  return SB_OK;
}

static void copy_relations(const sb_graph *from, sb_graph *to) {
  to->bonds = duplicate(&to->memory, from->bonds, from->bond_count, sizeof *to->bonds);
  to->bond_count = to->bond_capacity = from->bond_count;
  to->wires = duplicate(&to->memory, from->wires, from->wire_count, sizeof *to->wires);
  to->wire_count = to->wire_capacity = from->wire_count;
  to->groups = duplicate(&to->memory, from->groups, from->group_count, sizeof *to->groups);
  to->group_count = to->group_capacity = from->group_count;
  if (to->memory.failed) {
    return;
  }
  for (int i = 0; i < to->bond_count; i++) {
    to->bonds[i].place = move_place(from, to, to->bonds[i].place);
  }
  for (int i = 0; i < to->wire_count; i++) {
    const char *quantity = from->wires[i].quantity;
    to->wires[i].place = move_place(from, to, to->wires[i].place);
    to->wires[i].quantity =
        quantity == NULL ? NULL : sb_arena_copy(&to->memory, quantity, strlen(quantity));
  }
  for (int i = 0; i < to->group_count; i++) {
    sb_group *group = &to->groups[i];
    group->id = sb_arena_copy(&to->memory, group->id, strlen(group->id));
    group->members = duplicate(&to->memory, group->members, group->count, sizeof(int));
  }
}

static sb_status copy_aliases(const sb_graph *from, sb_graph *to, sb_error *err) {
  for (int i = 0; i < from->alias_count; i++) {
    SB_TRY(sb_graph_alias(to, from->aliases[i].id, to->elements[from->aliases[i].element], err));
  }
  return SB_OK;
}

static sb_status copy_neighbours(const sb_graph *from, bool own, sb_graph *to, sb_error *err) {
  to->neighbours = sb_arena_zeroed(&to->memory, from->neighbour_count, sizeof(sb_neighbours));
  for (int i = 0; i < from->neighbour_count && !to->memory.failed; i++) {
    sb_neighbours list = from->neighbours[i];
    list.elements = duplicate(&to->memory, list.elements, list.count, sizeof(int));
    list.rows = duplicate(&to->memory, list.rows, list.count, sizeof(int));
    list.owned = own;
    list.place = move_place(from, to, list.place);
    list.self = own ? list.hooks->copy(list.self) : list.self;
    if (list.self == NULL) {
      return sb_fail(err, SB_ERR_MEMORY, "out of memory");
    }
    to->neighbours[to->neighbour_count++] = list;
  }
  to->neighbour_capacity = to->neighbour_count;
  return SB_OK;
}

static sb_status copy_all(const sb_graph *from, bool own, sb_graph *to, sb_error *err) {
  for (int i = 0; i < from->file_count; i++) {
    sb_graph_place(to, from->files[i], 0, 0);
  }
  if (to->memory.failed) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  to->whole = move_place(from, to, from->whole);
  to->place = move_place(from, to, from->place);
  for (int i = 0; i < from->element_count; i++) {
    SB_TRY(copy_element(from, from->elements[i], to, err));
  }
  if (!sb_kept_copy(from->kept, from->kept_count, &to->memory, &to->kept)) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  to->kept_count = to->kept_capacity = from->kept_count;
  copy_relations(from, to);
  SB_TRY(copy_aliases(from, to, err));
  SB_TRY(copy_neighbours(from, own, to, err));
  return to->memory.failed ? sb_fail(err, SB_ERR_MEMORY, "out of memory") : SB_OK;
}

sb_status sb_graph_copy(const sb_graph *graph, bool own, sb_graph **result, sb_error *err) {
  SB_TRY(sb_graph_create(graph->name, result, err));
  sb_status status = copy_all(graph, own, *result, err);
  if (status != SB_OK) {
    sb_graph_destroy(*result);
    *result = NULL;
  }
  return status;
}
