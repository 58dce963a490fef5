// SPDX-License-Identifier: GPL-3.0-or-later
// What an equilibrium is reported by: states, outputs, the efforts at ports, and whether deviations grow.
#include "core/analysis/equilibrium.h"
#include "core/analysis/roots_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/analysis/linear_private.h"
#include "core/analysis/manifold_private.h"
#include "core/analysis/matrix_text_private.h"

/** Eigenvalues with a real part below this fraction of the largest eigenvalue may grow by rounding: a motion that nothing
 *  holds has two of zero, which differ by the square root of the errors of differences. Those below the other one surely do. */
static const double doubtful = 1e-4, unseen = 1e-8;

typedef struct equilibrium {
  sb_equilibrium shown; // first
  sb_arena memory;
} equilibrium;

static void set_reading(equilibrium *e, sb_reading *reading, const char *name, const char *unit,
                        double value) {
  reading->name = sb_arena_copy(&e->memory, name, strlen(name));
  reading->unit = sb_arena_copy(&e->memory, unit, strlen(unit));
  reading->value = value;
}

/** Appends the components of a quantity. */
static void read_quantity(equilibrium *e, sb_operating_point *p, const sb_quantity *quantity,
                          const char *name, sb_reading readings[], int *count) {
  double *values = sb_arena_zeroed(&e->memory, quantity->count, sizeof *values);
  if (values != NULL) {
    sb_quantity_read(p->work, quantity, p->t, p->x, values);
  }
  for (int k = 0; values != NULL && k < quantity->count; k++) {
    char label[SB_LABEL_SIZE];
    sb_component_name(label, sizeof label, name, k, quantity->count);
    char unit[64];
    set_reading(e, &readings[(*count)++], label, sb_unit_of_component(quantity->unit, k, unit),
                values[k]);
  }
}

static sb_status read_states(equilibrium *e, const sb_operating_point *p, sb_error *err) {
  const sb_network *network = &p->network;
  sb_equilibrium *s = &e->shown;
  s->states = sb_arena_zeroed(&e->memory, p->states, sizeof *s->states);
  for (int i = 0; i < p->states && !e->memory.failed; i++) {
    char label[SB_LABEL_SIZE], name[300];
    sb_quantity quantity = {0};
    if (sb_late_is_replaced(&network->instances[sb_owner_of(network, i)])) {
      continue;
    }
    SB_TRY(sb_network_find(network, sb_network_state_name(network, i, name), &quantity, err));
    sb_label_state(label, network, i);
    set_reading(e, &s->states[s->state_count++], label, quantity.unit, p->x[i]);
  }
  return SB_OK;
}

/** The name that the effort of a port is known by: of a part of its element, if the port has such a name. */
static bool name_effort(const sb_network *network, int index, int port, sb_quantity *quantity,
                        char name[SB_LABEL_SIZE]) {
  const sb_instance *instance = &network->instances[index];
  const char *own = instance->type->ports[port].name;
  for (int form = 0; form < 3; form++) {
    if (form == 2) {
      (void)snprintf(name, SB_LABEL_SIZE, "%s.%s.e", instance->id, own);
    } else {
      (void)snprintf(name, SB_LABEL_SIZE, "%s.e", form == 0 ? own : instance->id);
    }
    if (sb_network_find(network, name, quantity, NULL) == SB_OK && quantity->element == index &&
        quantity->kind == SB_QUANTITY_EFFORT && quantity->first == instance->first[port]) {
      return true;
    }
  }
  return false;
}

static void read_efforts(equilibrium *e, sb_operating_point *p) {
  const sb_network *network = &p->network;
  sb_equilibrium *s = &e->shown;
  int components = 0;
  for (int i = 0; i < network->instance_count; i++) {
    components += network->instances[i].components;
  }
  s->efforts = sb_arena_zeroed(&e->memory, components, sizeof *s->efforts);
  for (int i = 0; i < network->instance_count && !e->memory.failed; i++) {
    const sb_instance *instance = &network->instances[i];
    bool structure = instance->type->structure != NULL;
    for (int port = 0; port < instance->layout.port_count && !structure; port++) {
      sb_quantity quantity;
      char name[SB_LABEL_SIZE];
      if (instance->first[port + 1] > instance->first[port] &&
          name_effort(network, i, port, &quantity, name)) {
        read_quantity(e, p, &quantity, name, s->efforts, &s->effort_count);
      }
    }
  }
}

/** What elements carry inside, by the name of their part or with that of the element before it. */
static void read_reactions(equilibrium *e, sb_operating_point *p) {
  const sb_network *network = &p->network;
  sb_equilibrium *s = &e->shown;
  for (int pass = 0, count = 0; pass < 2 && !e->memory.failed; pass++) {
    for (int i = 0; i < network->instance_count && !e->memory.failed; i++) {
      const sb_instance *instance = &network->instances[i];
      const sb_measures *measures = &instance->type->measures;
      for (int row = 0; measures->carries != NULL && measures->quantities[row].name != NULL;
           row++) {
        char name[SB_LABEL_SIZE];
        sb_quantity quantity;
        (void)snprintf(name, sizeof name, "%s", measures->quantities[row].name);
        if (!measures->carries(instance->self, row)) {
          continue;
        }
        if (pass == 0) {
          count += measures->quantities[row].count;
        } else if (sb_network_find(network, name, &quantity, NULL) == SB_OK) {
          read_quantity(e, p, &quantity, name, s->reactions, &s->reaction_count);
        }
      }
    }
    if (pass == 0) {
      s->reactions = sb_arena_zeroed(&e->memory, count, sizeof *s->reactions);
    }
  }
}

/** How fast deviations grow about l->x, where p->x is. */
static sb_status find_growth(equilibrium *e, sb_operating_point *p, sb_linear *l, sb_error *err) {
  sb_manifold manifold;
  double *rows = sb_arena_zeroed(&e->memory, p->rows, sizeof *rows);
  if (rows == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  sb_operating_point_hold(p, rows);
  SB_TRY(sb_manifold_find(p, sb_operating_point_is_held(p), &manifold, &e->memory, err));
  e->shown.freedoms = manifold.freedoms - p->late_count;
  if (p->late != NULL) { // its states are not those of the model
    e->shown.growth = e->shown.doubtful_growth = e->shown.fastest = NAN;
    e->shown.late = sb_arena_copy(&e->memory, p->late, strlen(p->late));
    return SB_OK;
  }
  SB_TRY(sb_operating_point_differentiate(p, l, NULL, l->exact, err));
  sb_manifold_reduce(&manifold, l);
  sb_root *values = sb_arena_zeroed(&e->memory, l->states, sizeof *values);
  if (values == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  double largest = 0, growth = 0;
  const int n = l->states;
  const sb_tracked *A = sb_tracked_numbers(l->A, NULL, NULL, n * n, SB_ROUNDING, &e->memory);
  if (A == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  SB_TRY(sb_find_roots(A, n, SB_ROUNDING, false, values, err));
  for (int i = 0; i < l->states; i++) {
    largest = fmax(largest, hypot(values[i].re, values[i].im));
    growth = fmax(growth, values[i].re);
  }
  e->shown.fastest = largest;
  e->shown.growth = growth > doubtful * largest ? growth : 0;
  e->shown.doubtful_growth = e->shown.growth == 0 && growth > unseen * largest ? growth : 0;
  return SB_OK;
}

static sb_status build(equilibrium *e, sb_operating_point *p, const char *const names[],
                       sb_error *err) {
  sb_linear l = sb_linear_about(p);
  sb_linear_allocate(&l, &e->memory);
  sb_equilibrium *s = &e->shown;
  s->outputs = sb_arena_zeroed(&e->memory, p->output_components, sizeof *s->outputs);
  if (e->memory.failed) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  const size_t size = (size_t)p->states * sizeof(double);
  memcpy(l.x, p->x, size);
  double *x = sb_arena_zeroed(&e->memory, p->states, sizeof *x);
  SB_TRY(sb_operating_point_settle(p, &l, true, err));
  memcpy(p->x, l.x, size);
  memcpy(x, l.x, size);
  SB_TRY(find_growth(e, p, &l, err));
  memcpy(p->x, x, size);
  sb_workspace_changed(p->work);
  if (sb_workspace_evaluate(p->work, p->t, p->x) != 0) {
    return sb_operating_point_not_finite(p, err);
  }
  SB_TRY(read_states(e, p, err));
  for (int i = 0; i < p->output_count; i++) {
    read_quantity(e, p, &p->outputs[i], names[i], s->outputs, &s->output_count);
  }
  read_efforts(e, p);
  read_reactions(e, p);
  s->t = p->t;
  s->changed_count = sb_operating_point_list_changed(p, &e->memory, &s->changed);
  return e->memory.failed ? sb_fail(err, SB_ERR_MEMORY, "out of memory") : SB_OK;
}

sb_status sb_equilibrium_find(const sb_simulation *sim, const char *const names[], int count,
                              sb_equilibrium **result, sb_error *err) {
  const sb_network *network = &sb_simulation_at(sim).model->network;
  *result = NULL;
  SB_TRY(sb_network_check_linear(network, true, err));
  equilibrium *own = sb_zeroed(1, sizeof *own);
  if (own == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  sb_operating_point p;
  sb_status status = sb_operating_point_init(&p, sim, names, count, err);
  status = status == SB_OK ? build(own, &p, names, err) : status;
  sb_operating_point_finish(&p);
  if (status != SB_OK) {
    sb_analysis_place(network, err);
    sb_equilibrium_destroy(&own->shown);
    return status;
  }
  *result = &own->shown;
  return SB_OK;
}

void sb_equilibrium_destroy(sb_equilibrium *e) {
  if (e != NULL) {
    sb_arena_finish(&((equilibrium *)(void *)e)->memory); // the first member of what was allocated
    free(e);
  }
}
