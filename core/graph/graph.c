// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/graph/domain.h"
#include "core/graph/graph_data.h"

enum { ELEMENTS_MAX = 5000000, ID_MAX = 200 };

static sb_status out_of_memory(sb_error *err) {
  return sb_fail(err, SB_ERR_MEMORY, "out of memory");
}

sb_status sb_graph_check_memory(const sb_graph *graph, sb_error *err) {
  return graph->memory.failed ? out_of_memory(err) : SB_OK;
}

void sb_place_into(const sb_place *place, sb_error *err) {
  if (err == NULL || err->line > 0 || place->file == NULL) {
    return;
  }
  err->line = place->line;
  err->column = place->column;
  strncpy(err->file, place->file, sizeof err->file - 1);
}

void sb_param_place_into(const sb_element *element, sb_error *err) {
  for (int i = 0; err->param != NULL && i < element->param_place_count; i++) {
    if (strcmp(element->param_places[i].param, err->param) == 0) {
      sb_place_into(&element->param_places[i].place, err);
    }
  }
}

sb_status sb_graph_create(const char *name, sb_graph **graph, sb_error *err) {
  *graph = calloc(1, sizeof **graph);
  if (*graph != NULL &&
      ((*graph)->name = sb_arena_copy(&(*graph)->memory, name, strlen(name))) == NULL) {
    free(*graph);
    *graph = NULL;
  }
  return *graph == NULL ? out_of_memory(err) : SB_OK;
}

void sb_graph_destroy(sb_graph *graph) {
  if (graph == NULL) {
    return;
  }
  for (int i = 0; i < graph->element_count; i++) {
    sb_params_finish(graph->elements[i]->type->params, graph->elements[i]->self);
  }
  sb_neighbours_finish(graph);
  sb_kept_finish(graph->kept, graph->kept_count);
  sb_names_finish(&graph->names);
  sb_names_finish(&graph->alias_names);
  sb_arena_finish(&graph->memory);
  free(graph);
}

/** In the memory of the graph; only what its parameters own is freed apart. */
static sb_element *element_create(sb_arena *memory, const sb_element_type *type, const char *id) {
  int ports = sb_port_count(type->ports, true);
  sb_element *element = sb_arena_zeroed(memory, 1, sizeof *element);
  if (element == NULL) {
    return NULL;
  }
  element->type = type;
  element->port_count = ports == 1 && type->ports[0].many ? 0 : ports;
  element->port_capacity = element->domain_capacity = ports;
  element->id = sb_arena_copy(memory, id, strlen(id));
  element->self = sb_arena_zeroed(memory, 1, type->size > 0 ? type->size : 1);
  element->bonds = sb_arena_zeroed(memory, ports, sizeof *element->bonds);
  element->domains = sb_arena_zeroed(memory, ports, sizeof *element->domains);
  if (memory->failed) {
    return NULL;
  }
  for (int i = 0; i < ports; i++) {
    element->bonds[i] = -1;
  }
  return element;
}

sb_status sb_graph_add(sb_graph *graph, const sb_element_type *type, const char *id,
                       sb_element **result, sb_error *err) {
  if (result != NULL) {
    *result = NULL;
  }
  if (type == NULL) {
    return sb_fail(err, SB_ERR_REFERENCE, "'%.40s': there is no such kind of element", id);
  }
  if (id[0] == '\0' || strlen(id) > ID_MAX || strchr(id, '.') != NULL) {
    return sb_fail(err, SB_ERR_USAGE, "'%.40s' cannot be an id: 1 to %d characters, no dot", id,
                   ID_MAX);
  }
  if (sb_graph_find(graph, id) != NULL) {
    return sb_fail(err, SB_ERR_DUPLICATE, "there is already an element '%s'", id);
  }
  if (graph->element_count >= ELEMENTS_MAX) {
    return sb_fail(err, SB_ERR_LIMIT, "more than %d elements", ELEMENTS_MAX);
  }
  sb_element *element = element_create(&graph->memory, type, id);
  bool listed = element != NULL && sb_params_default(type->params, element->self) &&
                sb_arena_append(&graph->memory, &graph->elements, &graph->element_count,
                                &graph->element_capacity, sizeof element, &element);
  if (!listed || !sb_names_add(&graph->names, element->id, graph->element_count - 1)) {
    graph->element_count -= listed;
    if (element != NULL) {
      sb_params_finish(type->params, element->self);
    }
    return out_of_memory(err);
  }
  element->place = graph->place;
  element->index = graph->element_count - 1;
  if (result != NULL) {
    *result = element;
  }
  return SB_OK;
}

sb_status sb_graph_keep(sb_graph *graph, sb_kept kept, sb_error *err) {
  if (!sb_arena_append(&graph->memory, &graph->kept, &graph->kept_count, &graph->kept_capacity,
                       sizeof kept, &kept)) {
    kept.release(kept.object);
    return out_of_memory(err);
  }
  return SB_OK;
}

bool sb_kept_copy(const sb_kept from[], int count, sb_arena *memory, sb_kept **copy) {
  *copy = sb_arena_zeroed(memory, count, sizeof **copy);
  for (int i = 0; *copy != NULL && i < count; i++) {
    (*copy)[i] = from[i];
    from[i].retain(from[i].object);
  }
  return *copy != NULL;
}

void sb_kept_finish(const sb_kept kept[], int count) {
  for (int i = 0; i < count; i++) {
    kept[i].release(kept[i].object);
  }
}

sb_status sb_graph_alias(sb_graph *graph, const char *id, sb_element *element, sb_error *err) {
  const sb_alias alias = {sb_arena_copy(&graph->memory, id, strlen(id)), element->index};
  bool part;
  if (sb_graph_resolve(graph, id, strlen(id), &part) != NULL) {
    return sb_fail(err, SB_ERR_DUPLICATE, "there is already an element '%s'", id);
  }
  bool added =
      alias.id != NULL && sb_arena_append(&graph->memory, &graph->aliases, &graph->alias_count,
                                          &graph->alias_capacity, sizeof alias, &alias);
  return added && sb_names_add(&graph->alias_names, alias.id, graph->alias_count - 1)
             ? SB_OK
             : out_of_memory(err);
}

sb_element *sb_graph_resolve(const sb_graph *graph, const char *id, size_t length, bool *part) {
  int index = sb_names_find(&graph->names, id, length),
      alias = index < 0 ? sb_names_find(&graph->alias_names, id, length) : -1;
  *part = alias >= 0;
  return *part       ? graph->elements[graph->aliases[alias].element]
         : index < 0 ? NULL
                     : graph->elements[index];
}

const char *sb_graph_port_words(const sb_graph *graph, sb_bond_end end) {
  const sb_element *element = graph->elements[end.element];
  const sb_port_spec *ports = element->type->ports;
  const char *name = ports[0].many ? "" : ports[end.port].name;
  bool part;
  return sb_graph_resolve(graph, name, strcspn(name, "."), &part) == element && part ? name
                                                                                     : element->id;
}

sb_element *sb_graph_find(const sb_graph *graph, const char *id) {
  int index = sb_names_find(&graph->names, id, strlen(id));
  return index < 0 ? NULL : graph->elements[index];
}

bool sb_graph_knows(const sb_graph *graph, const char *id) {
  bool part;
  return sb_graph_resolve(graph, id, strlen(id), &part) != NULL;
}

const sb_element_type *sb_element_type_of(const sb_element *element) {
  return element->type;
}
const char *sb_element_id(const sb_element *element) {
  return element->id;
}

sb_status sb_element_set_domain(sb_element *element, int port, const char *name, sb_error *err) {
  const sb_domain *domain = sb_domain_find(name);
  if (domain == NULL) {
    return sb_fail(err, SB_ERR_REFERENCE, "there is no domain '%s'", name);
  }
  if (port < 0) {
    element->domain = domain->name;
  }
  for (int i = 0; i < element->port_count; i++) {
    if (port < 0 || port == i) {
      element->domains[i] = domain->name;
    }
  }
  return SB_OK;
}

void *sb_element_data(sb_element *element) {
  return element->self;
}

static sb_status find_param(const sb_element *element, const char *name, const sb_param **param,
                            sb_error *err) {
  *param = sb_param_find(element->type->params, name);
  if (*param == NULL) {
    return sb_fail(err, SB_ERR_ATTRIBUTE, "%s '%s' has no parameter '%s'", element->type->name,
                   element->id, name);
  }
  return SB_OK;
}

sb_status sb_element_word(const sb_element *element, sb_status status, sb_error *err) {
  char text[SB_ERROR_TEXT];
  const char *slash = strrchr(element->id, '/'); // where it is used is told by whoever reports it
  if (status != SB_OK && status != SB_ERR_MEMORY && err != NULL) {
    (void)snprintf(text, sizeof text, "%s", err->text);
    (void)snprintf(err->text, sizeof err->text, "%s '%.80s': %.380s", element->type->name,
                   slash == NULL ? element->id : slash + 1, text);
  }
  return status;
}

sb_status sb_element_set(sb_element *element, const char *name, const double values[], int count,
                         sb_error *err) {
  const sb_param *param;
  SB_TRY(find_param(element, name, &param, err));
  sb_status status = sb_param_set(param, element->self, values, count, err);
  status = status == SB_OK ? sb_param_check_size(param, values, count, err) : status;
  return sb_element_word(element, status, err);
}

sb_status sb_element_choose(sb_element *element, const char *name, const char *word,
                            sb_error *err) {
  const sb_param *param;
  SB_TRY(find_param(element, name, &param, err));
  return sb_element_word(element, sb_param_choose(param, element->self, word, err), err);
}

sb_status sb_element_express(sb_element *element, const char *name, const char *text,
                             sb_error *err) {
  const sb_param *param;
  SB_TRY(find_param(element, name, &param, err));
  return sb_param_express(param, element->self, text, err);
}

void sb_graph_place(sb_graph *graph, const char *file, int line, int column) {
  char *known = NULL;
  for (int i = 0; file != NULL && known == NULL && i < graph->file_count; i++) {
    known = strcmp(file, graph->files[i]) == 0 ? graph->files[i] : NULL;
  }
  if (file != NULL && known == NULL) {
    known = sb_arena_copy(&graph->memory, file, strlen(file));
    if (known != NULL) {
      (void)sb_arena_append(&graph->memory, &graph->files, &graph->file_count,
                            &graph->file_capacity, sizeof known, &known);
    }
  }
  graph->place = (sb_place){known, line, column};
  graph->whole = graph->whole.file == NULL ? graph->place : graph->whole;
}

void sb_graph_place_param(sb_graph *graph, sb_element *element, const char *param) {
  const sb_param *row = sb_param_find(element->type->params, param);
  if (row != NULL) { // without memory the element's place is shown
    const sb_param_place place = {row->name, graph->place};
    (void)sb_arena_append(&graph->memory, &element->param_places, &element->param_place_count,
                          &element->param_place_capacity, sizeof place, &place);
  }
}

/** The element itself, or one inside the composite `id`: "id/...". */
static bool belongs(const sb_element *element, const char *id) {
  size_t length = strlen(id);
  return strncmp(element->id, id, length) == 0 &&
         (element->id[length] == '\0' || element->id[length] == '/');
}

static sb_status add_members(sb_graph *graph, sb_group *group, int *capacity, const char *id,
                             sb_error *err) {
  bool found = false;
  for (int i = 0; i < graph->element_count; i++) {
    if (belongs(graph->elements[i], id)) {
      found = true;
      (void)sb_arena_append(&graph->memory, &group->members, &group->count, capacity, sizeof i, &i);
    }
  }
  return found ? SB_OK
               : sb_fail(err, SB_ERR_REFERENCE, "there is no element '%s' to put into a group", id);
}

sb_status sb_graph_group(sb_graph *graph, const char *id, const char *const members[], int count,
                         sb_error *err) {
  sb_group group = {.id = sb_arena_copy(&graph->memory, id, strlen(id))};
  int capacity = 0;
  for (int i = 0; i < count; i++) {
    SB_TRY(add_members(graph, &group, &capacity, members[i], err));
  }
  (void)sb_arena_append(&graph->memory, &graph->groups, &graph->group_count, &graph->group_capacity,
                        sizeof group, &group);
  return sb_graph_check_memory(graph, err);
}
