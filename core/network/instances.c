// SPDX-License-Identifier: GPL-3.0-or-later
// First stage of compilation: instances with their parameters checked, and what their hooks state once:
// init() and, when dimensions are known, the matrices of linear elements.
#include <stdio.h>
#include <string.h>

#include "core/graph/domain.h"
#include "core/linalg/dense.h"
#include "core/network/network.h"

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

void sb_instance_error(const sb_instance *instance, sb_error *err, sb_errors *errors) {
  sb_place_into(&instance->place, err);
  if (!is_known(errors, err)) {
    sb_errors_add(errors, err);
  }
}

void sb_instances_name(const sb_network *network, const int instances[], int count,
                       char text[SB_INSTANCES_TEXT]) {
  int used = 0;
  text[0] = '\0';
  for (int i = 0; i < count && i < SB_INSTANCES_NAMED; i++) {
    used += snprintf(text + used, (size_t)(SB_INSTANCES_TEXT - used), "%s'%.80s'",
                     i == 0           ? ""
                     : i == count - 1 ? " and "
                                      : ", ",
                     network->instances[instances[i]].id);
  }
  if (count > SB_INSTANCES_NAMED) {
    (void)snprintf(text + used, (size_t)(SB_INSTANCES_TEXT - used), " and others");
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

/** The temperature that a source prescribes must be above zero at the start. */
static sb_status check_positive(const sb_instance *instance, sb_error *err) {
  const sb_domain *domain =
      instance->type->source == NULL || instance->layout.ports[0].domain == NULL
          ? NULL
          : sb_domain_find(instance->layout.ports[0].domain);
  double y[SB_DIM_MAX];
  if (domain == NULL || !domain->positive || instance->layout.ports[0].output != SB_EFFORT ||
      instance->layout.wires > 0 || instance->layout.dim != 1 ||
      instance->type->source->external == NULL ||
      instance->type->source->external(instance->self) > 0) {
    return SB_OK;
  }
  if (instance->type->source->value(instance->self, &(sb_at){0}, y) != 0 || y[0] > 0) {
    return SB_OK;
  }
  sb_status status = sb_fail_at(err, SB_ERR_RANGE, "effort", "%s '%s': no temperature is %s K",
                                instance->type->name, instance->id, sb_number_word(y[0]).text);
  sb_error_hint(err, "temperatures are absolute: 20 degrees Celsius are 293.15 K");
  return status;
}

/** Copies the instance and calls its init(), which decides states, dimensions and outputs. */
static sb_status make_instance(sb_arena *memory, const sb_element *element, sb_instance *instance,
                               sb_error *err) {
  const sb_element_type *type = element->type;
  *instance = (sb_instance){
      .type = type, .place = element->place, .mode = -1, .quadrature = -1, .integral = -1};
  instance->id = sb_arena_copy(memory, element->id, strlen(element->id));
  instance->self = sb_arena_zeroed(memory, 1, type->size > 0 ? type->size : 1);
  instance->layout.port_count = count_ports(element);
  instance->layout.ports = sb_arena_zeroed(memory, element->port_count, sizeof(sb_port));
  instance->first = sb_arena_zeroed(memory, element->port_count + 1, sizeof(int));
  if (memory->failed) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  SB_TRY(sb_params_copy(type->params, element->self, type->size, instance->self, err));
  for (int i = 0; i < element->port_count; i++) {
    const sb_port_spec *spec = &type->ports[type->ports[0].many ? 0 : i];
    instance->layout.ports[i] = (sb_port){spec->dim, spec->domain, spec->output, 1};
  }
  for (const char *const *name = type->state_names; name != NULL && *name != NULL; name++) {
    instance->layout.states++; // unless init() says otherwise
  }
  instance->layout.state_units = type->state_units;
  const sb_param *missing = first_missing(type->params, instance->self);
  if (missing != NULL) {
    return sb_fail(err, SB_ERR_MISSING, "%s '%s': %s is missing", type->name, instance->id,
                   missing->name);
  }
  instance->layout.wires = element->wire_count;
  if (type->init != NULL && type->init(instance->self, &instance->layout, err) != SB_OK) {
    char text[SB_ERROR_TEXT];
    memcpy(text, err->text, sizeof text);
    (void)snprintf(err->text, sizeof err->text, "%s '%s': %.400s", type->name, instance->id, text);
    return err->status;
  }
  for (int i = 0; i < element->port_count; i++) {
    if (instance->layout.ports[i].domain == NULL) {
      instance->layout.ports[i].domain = element->domains[i];
    }
  }
  SB_TRY(check_positive(instance, err));
  if (instance->layout.dim > SB_DIM_MAX) {
    return sb_fail(err, SB_ERR_LIMIT, "'%s' has %d components; at most %d are allowed",
                   instance->id, instance->layout.dim, SB_DIM_MAX);
  }
  return SB_OK;
}

/** Prepares K d = c; a number is its own factor. */
static void factorise(sb_instance *instance, sb_arena *memory) {
  static const int none[1];
  int d = instance->components;
  instance->factors = instance->matrix;
  instance->pivots = none;
  if (d > 1) {
    double *factors = sb_arena_zeroed(memory, d * d, sizeof *factors);
    int *pivots = sb_arena_zeroed(memory, d, sizeof *pivots);
    if (!memory->failed) {
      memcpy(factors, instance->matrix, (size_t)(d * d) * sizeof *factors);
      (void)sb_lu_factor(factors, d, 0, pivots);
      instance->factors = factors;
      instance->pivots = pivots;
    }
  }
}

void sb_instance_linear(sb_arena *memory, sb_instance *instance) {
  bool (*linear)(const void *, int, double[]) =
      instance->type->storage != NULL       ? instance->type->storage->linear
      : instance->type->dissipation != NULL ? instance->type->dissipation->linear
                                            : NULL;
  if (linear == NULL) {
    return;
  }
  int d = instance->components;
  instance->matrix = sb_arena_zeroed(memory, d * d, sizeof(double));
  instance->linear = !memory->failed && linear(instance->self, d, instance->matrix);
  if (instance->linear && instance->type->storage != NULL &&
      instance->type->storage->constraints.inverse != NULL) {
    instance->inverse = sb_arena_zeroed(memory, d * d, sizeof(double));
    if (!memory->failed &&
        !instance->type->storage->constraints.inverse(instance->self, d, instance->inverse)) {
      instance->inverse = NULL;
    }
  }
  if (instance->linear && instance->type->storage != NULL && instance->inverse == NULL) {
    factorise(instance, memory);
  }
}

void sb_storage_solve(const sb_instance *instance, const double c[], double d[]) {
  int n = instance->components;
  if (instance->inverse == NULL) {
    memcpy(d, c, (size_t)n * sizeof *d);
    sb_lu_solve(instance->factors, n, instance->pivots, d, 1);
    return;
  }
  for (int i = 0; i < n; i++) {
    d[i] = 0;
    for (int j = 0; j < n; j++) {
      d[i] += instance->inverse[i * n + j] * c[j];
    }
  }
}

void sb_network_finish(sb_network *network) {
  for (int i = 0; i < network->instance_count; i++) {
    sb_instance *instance = &network->instances[i];
    if (instance->self != NULL) {
      sb_params_finish(instance->type->params, instance->self);
    }
  }
  sb_kept_finish(network->kept, network->kept_count);
  sb_names_finish(&network->names);
  sb_names_finish(&network->aliases);
  sb_arena_finish(&network->memory);
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

/** Equal data of elements of a kind stand once, as those of the contacts of a crowd that has one law: each evaluation reads
 *  them. Those that own memory are never equal; places are changed later (origin.c).
 *  @param latest  the last instance of each kind so far */
static void share_data(const sb_network *network, int index, int latest[], int *kinds) {
  sb_instance *instance = &network->instances[index];
  int k = 0;
  while (k < *kinds && network->instances[latest[k]].type != instance->type) {
    k++;
  }
  void *before = k < *kinds ? network->instances[latest[k]].self : NULL;
  if (before != NULL && instance->type->place == NULL &&
      memcmp(before, instance->self, instance->type->size) == 0) {
    instance->self = before;
  }
  *kinds += k == *kinds;
  latest[k] = index;
}

static bool make_instances(const sb_graph *graph, sb_network *network, knowledge known,
                           sb_errors *errors) {
  int *latest = sb_arena_zeroed(&network->memory, graph->element_count, sizeof *latest), kinds = 0;
  bool ok = latest != NULL;
  for (int i = 0; i < graph->element_count && latest != NULL; i++) {
    sb_error err = {0};
    sb_instance *instance = &network->instances[i];
    network->instance_count = i + 1;
    if (!can_be_made(graph->elements[i], known)) {
      instance->place = graph->elements[i]->place;
      continue;
    }
    if (make_instance(&network->memory, graph->elements[i], instance, &err) != SB_OK ||
        (!sb_names_add(&network->names, instance->id, i) &&
         sb_fail(&err, SB_ERR_MEMORY, "out of memory"))) {
      sb_param_place_into(graph->elements[i], &err);
      sb_instance_error(instance, &err, errors);
      ok = false;
      if (err.status == SB_ERR_MEMORY) {
        return false;
      }
      continue;
    }
    share_data(network, i, latest, &kinds);
  }
  return ok;
}

static bool check_connected(const sb_graph *graph, const sb_network *network, sb_errors *errors) {
  bool ok = true;
  for (int i = 0; i < graph->element_count; i++) {
    const sb_element *element = graph->elements[i];
    const sb_port_spec *specs = element->type->ports;
    sb_error err = {0};
    bool junction = specs != NULL && specs[0].name != NULL && specs[0].many;
    if (junction && element->port_count < 2) {
      sb_fail(&err, SB_ERR_PORT, "junction '%s' joins %s: it needs two bonds or more", element->id,
              element->port_count == 0 ? "no bond" : "one bond only");
      sb_instance_error(&network->instances[i], &err, errors);
      ok = false;
    }
    for (int k = 0; !junction && k < network->instances[i].layout.port_count; k++) {
      if (element->bonds[k] < 0 && !specs[k].shared) {
        if (network->instances[i].layout.port_count == 1) {
          sb_fail(&err, SB_ERR_PORT, "'%s' is not connected", element->id);
        } else {
          sb_fail(&err, SB_ERR_PORT, "port '%s' of '%s' is not connected", specs[k].name,
                  element->id);
        }
        bool named = network->instances[i].layout.port_count > 1;
        sb_error_hint(&err, "add a bond, as in <bond from=\"...\" to=\"%s%s%s\"/>", element->id,
                      named ? "." : "", named ? specs[k].name : "");
        sb_instance_error(&network->instances[i], &err, errors);
        ok = false;
      }
    }
  }
  return ok;
}

void sb_graph_check(const sb_graph *graph, bool bonds, sb_errors *errors) {
  sb_network network = {0};
  network.instances = sb_arena_zeroed(&network.memory, graph->element_count, sizeof(sb_instance));
  if (network.instances == NULL) {
    return;
  }
  (void)make_instances(graph, &network, bonds ? ELEMENTS_AND_BONDS : ELEMENTS, errors);
  if (bonds && network.instance_count == graph->element_count) {
    (void)check_connected(graph, &network, errors);
  }
  sb_network_finish(&network);
}

static bool keep_aliases(const sb_graph *graph, sb_network *network) {
  bool kept = true;
  for (int i = 0; i < graph->alias_count && kept; i++) {
    const char *id =
        sb_arena_copy(&network->memory, graph->aliases[i].id, strlen(graph->aliases[i].id));
    kept = id != NULL && sb_names_add(&network->aliases, id, graph->aliases[i].element);
  }
  return kept;
}

/** Places name files of the network, as the graph may be destroyed before it. */
static bool keep_files(const sb_graph *graph, sb_network *network) {
  network->place = graph->whole;
  for (int i = 0; i < graph->file_count; i++) {
    const char *known = graph->files[i];
    const char *own = sb_arena_copy(&network->memory, known, strlen(known));
    network->place.file = network->place.file == known ? own : network->place.file;
    for (int k = 0; k < network->instance_count; k++) {
      sb_place *place = &network->instances[k].place;
      place->file = place->file == known ? own : place->file;
    }
  }
  return !network->memory.failed;
}

sb_status sb_network_build(const sb_graph *graph, sb_network *network, sb_errors *errors) {
  network->name = sb_arena_copy(&network->memory, graph->name, strlen(graph->name));
  network->instances = sb_arena_zeroed(&network->memory, graph->element_count, sizeof(sb_instance));
  if (network->memory.failed ||
      !sb_kept_copy(graph->kept, graph->kept_count, &network->memory, &network->kept)) {
    return SB_ERR_MEMORY;
  }
  network->kept_count = graph->kept_count;
  bool ok = make_instances(graph, network, ALL, errors);
  if (!keep_files(graph, network) || !keep_aliases(graph, network)) {
    return SB_ERR_MEMORY;
  }
  ok = network->instance_count == graph->element_count && check_connected(graph, network, errors) &&
       ok;
  if (!ok) {
    return errors->count > 0 ? errors->items[0].status : SB_ERR_MEMORY;
  }
  return sb_dimensions_find(graph, network, errors);
}
