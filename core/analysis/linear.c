// SPDX-License-Identifier: GPL-3.0-or-later
// What a linearisation is asked for, and what it gives: sources by their ids, outputs, the operating
// point.
#include "core/analysis/linearize.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/analysis/linear_private.h"
#include "core/base/array.h"

static bool is_linear(const sb_network *network) {
  for (int i = 0; i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    if (instance->hooked && instance->type->role != SB_SOURCE) {
      return false;
    }
  }
  return true;
}

/** Quantities of a linear model that are not linear, energies and powers, need differences. */
static bool port_or_state(const char *name) {
  const char *dot = strrchr(name, '.');
  return dot != NULL && (strcmp(dot, ".e") == 0 || strcmp(dot, ".f") == 0 ||
                         strcmp(dot, ".q") == 0 || strcmp(dot, ".p") == 0);
}

static sb_status allocate(sb_linear *l, const sb_operating_point *p, sb_error *err) {
  int n = l->states;
  l->x = sb_zeroed(n, sizeof(double));
  l->xdot = sb_zeroed(n, sizeof(double));
  l->A = sb_zeroed(n * n, sizeof(double));
  l->B = sb_zeroed(n * l->inputs, sizeof(double));
  l->C = sb_zeroed(l->outputs * n, sizeof(double));
  l->D = sb_zeroed(l->outputs * l->inputs, sizeof(double));
  l->ports = 2 * p->network.pair_count;
  l->E = l->exact ? NULL : calloc((size_t)l->ports * (size_t)n + 1, sizeof(double));
  l->input_names = sb_zeroed(l->inputs, sizeof(char *));
  return l->x != NULL && l->xdot != NULL && l->A != NULL && l->B != NULL && l->C != NULL &&
                 l->D != NULL && (l->exact || l->E != NULL) && l->input_names != NULL
             ? SB_OK
             : sb_fail(err, SB_ERR_MEMORY, "out of memory");
}

/** The amounts of one source, and their names. */
static sb_status add_source(sb_operating_point *p, sb_linear *l, int index, double *inputs[],
                            sb_error *err) {
  const sb_instance *instance = &p->network.instances[index];
  char name[600];
  for (int k = 0; k < instance->components; k++) {
    const char *variable =
        instance->layout.ports[sb_port_of(instance, k)].output == SB_FLOW ? "f" : "e";
    if (instance->components == 1) {
      (void)snprintf(name, sizeof name, "%s.%s", instance->id, variable);
    } else {
      (void)snprintf(name, sizeof name, "%s.%s.%d", instance->id, variable, k);
    }
    double *amount = p->amount;
    for (int i = 0; i < index; i++) {
      amount += p->network.instances[i].components;
    }
    inputs[l->inputs] = amount + k;
    l->input_names[l->inputs] = sb_duplicate(name);
    if (l->input_names[l->inputs++] == NULL) {
      return sb_fail(err, SB_ERR_MEMORY, "out of memory");
    }
  }
  return SB_OK;
}

static sb_status find_source(const sb_network *network, const char *name, int *index,
                             sb_error *err) {
  size_t length = strlen(name);
  if (length > 2 &&
      (strcmp(name + length - 2, ".e") == 0 || strcmp(name + length - 2, ".f") == 0)) {
    length -= 2;
  }
  *index = sb_names_find(&network->names, name, length);
  if (*index < 0) {
    return sb_fail(err, SB_ERR_REFERENCE, "there is no element '%.*s'", (int)length, name);
  }
  if (network->instances[*index].type->role != SB_SOURCE) {
    return sb_fail(err, SB_ERR_REFERENCE, "'%.*s' is no source, but a %s", (int)length, name,
                   network->instances[*index].type->name);
  }
  return SB_OK;
}

static sb_status add_sources(sb_operating_point *p, sb_linear *l, const sb_linear_request *request,
                             double *inputs[], sb_error *err) {
  const sb_network *network = &p->network;
  int room = l->inputs, index;
  l->inputs = 0;
  for (int i = 0; request->inputs == NULL && i < network->instance_count; i++) {
    if (network->instances[i].type->role == SB_SOURCE) {
      SB_TRY(add_source(p, l, i, inputs, err));
    }
  }
  for (int i = 0; request->inputs != NULL && i < request->input_count; i++) {
    SB_TRY(find_source(network, request->inputs[i], &index, err));
    if (l->inputs + network->instances[index].components > room) {
      return sb_fail(err, SB_ERR_DUPLICATE, "an input is given twice");
    }
    SB_TRY(add_source(p, l, index, inputs, err));
  }
  return SB_OK;
}

static sb_status build(sb_operating_point *p, sb_linear *l, const sb_linear_request *request,
                       double *inputs[], sb_error *err) {
  SB_TRY(allocate(l, p, err));
  SB_TRY(add_sources(p, l, request, inputs, err));
  memcpy(l->x, p->x, (size_t)l->states * sizeof(double));
  if (request->equilibrium) {
    SB_TRY(sb_operating_point_settle(p, l, err));
  }
  bool curved = false;
  for (int i = 0; i < request->output_count; i++) {
    curved = curved || !port_or_state(request->outputs[i]);
  }
  SB_TRY(sb_operating_point_differentiate(p, l, inputs, l->exact && !curved, err));
  if (l->exact && curved) { // C and D by differences; A and B all the same without
    int outputs = l->outputs;
    l->outputs = 0;
    SB_TRY(sb_operating_point_differentiate(p, l, inputs, true, err));
    l->outputs = outputs;
  }
  memcpy(p->x, l->x, (size_t)l->states * sizeof(double));
  double *rows = sb_zeroed(p->rows, sizeof(double));
  if (rows == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  (void)sb_operating_point_evaluate(p, rows);
  memcpy(l->xdot, rows, (size_t)l->states * sizeof(double));
  free(rows);
  return SB_OK;
}

static sb_status check_size(const sb_network *network, sb_error *err) {
  if (network->state_count > SB_LINEAR_STATES_MAX) {
    return sb_fail(err, SB_ERR_LIMIT, "'%s' has %d states; at most %d can be linearised",
                   network->name, network->state_count, SB_LINEAR_STATES_MAX);
  }
  return SB_OK;
}

sb_status sb_linearize(const sb_simulation *sim, const sb_linear_request *request,
                       sb_linear **linear, sb_error *err) {
  const sb_network *network = &sb_simulation_at(sim).model->network;
  *linear = NULL;
  SB_TRY(check_size(network, err));
  sb_linear *l = calloc(1, sizeof *l);
  sb_quantity *outputs = sb_zeroed(request->output_count, sizeof *outputs);
  sb_operating_point p = {0};
  sb_status status =
      l != NULL && outputs != NULL ? SB_OK : sb_fail(err, SB_ERR_MEMORY, "no memory");
  for (int i = 0; status == SB_OK && i < request->output_count; i++) {
    status = sb_network_find(network, request->outputs[i], &outputs[i], err);
  }
  if (status == SB_OK) {
    status = sb_operating_point_init(&p, sim, outputs, request->output_count, err);
  }
  if (status == SB_OK) {
    *l = (sb_linear){.states = p.states, .outputs = p.output_components, .t = p.t};
    l->exact = is_linear(network);
    l->constrained = p.work->program->causality.constraint_count;
    for (int i = 0; i < network->instance_count; i++) {
      l->inputs +=
          network->instances[i].type->role == SB_SOURCE ? network->instances[i].components : 0;
    }
    double **inputs = sb_zeroed(l->inputs, sizeof *inputs);
    status = inputs != NULL ? build(&p, l, request, inputs, err)
                            : sb_fail(err, SB_ERR_MEMORY, "out of memory");
    free(inputs);
  }
  sb_operating_point_finish(&p);
  free(outputs);
  if (status != SB_OK) {
    sb_linear_destroy(l);
    return status;
  }
  *linear = l;
  return SB_OK;
}

void sb_linear_destroy(sb_linear *l) {
  if (l == NULL) {
    return;
  }
  for (int i = 0; l->input_names != NULL && i < l->inputs; i++) {
    free(l->input_names[i]);
  }
  free(l->input_names);
  free(l->x);
  free(l->xdot);
  free(l->A);
  free(l->B);
  free(l->C);
  free(l->D);
  free(l->E);
  free(l);
}
