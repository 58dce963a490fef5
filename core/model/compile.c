// SPDX-License-Identifier: GPL-3.0-or-later
// Compilation of a graph in its steps: instances, layout, modes at the start, program.
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/model/model_data.h"

/** So many modes of diodes are tried at the start. */
enum { TRIES_MAX = 500 };

static sb_status find_start_modes(sb_model *model) {
  const sb_network *network = &model->network;
  model->start_modes = sb_zeroed(network->mode_count, sizeof(int));
  double *discrete = sb_zeroed(network->discrete_count, sizeof(double));
  if (model->start_modes == NULL || discrete == NULL) {
    free(discrete);
    return SB_ERR_MEMORY;
  }
  for (int i = 0; i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    if (instance->mode >= 0 && !instance->type->switching->follows) {
      sb_at at = {.discrete = discrete + instance->discrete};
      model->start_modes[instance->mode] = instance->type->switching->initial_mode(
          instance->self, &at, discrete + instance->discrete);
    }
  }
  free(discrete);
  return SB_OK;
}

/** The program in the modes at the start, without words where there is none. */
static sb_status try_program(sb_model *model) {
  sb_errors errors = {0};
  const sb_status status =
      sb_program_create(&model->network, model->start_modes, &model->program, &errors);
  sb_errors_finish(&errors);
  return status;
}

/** Whether nothing is to be tried any more. */
static bool is_settled(sb_status status) {
  return status == SB_OK || status == SB_ERR_MEMORY;
}

/** Lets element `index` go, as a diode that conducts, where it is one that holds. @return the mode that it was in; -1: it is no such */
static int let_go(sb_model *model, int index) {
  const sb_instance *instance = &model->network.instances[index];
  sb_complementary kind;
  if (!sb_instance_is_complementary(instance, model->start_modes, &kind) ||
      model->start_modes[instance->mode] != kind.held) {
    return -1;
  }
  model->start_modes[instance->mode] = kind.free;
  return kind.held;
}

/** Lets one element go, or two. @param from  the first that may @param left  tries */
static sb_status try_without(sb_model *model, int from, bool two, int *left) {
  for (int i = from; i<model->network.instance_count && * left> 0; i++) {
    const int held = let_go(model, i);
    if (held < 0) {
      continue;
    }
    --*left;
    const sb_status status = two ? try_without(model, i + 1, false, left) : try_program(model);
    if (is_settled(status)) {
      return status;
    }
    model->start_modes[model->network.instances[i].mode] = held;
  }
  return SB_ERR_CAUSALITY;
}

/** At the start diodes block. Where that interrupts what a source prescribes, as of a pump behind a check valve, one conducts, or two of a bridge, or
 *  all in line; at the first instant they take the modes that the state asks for. */
static sb_status try_others(sb_model *model) {
  int left = TRIES_MAX;
  for (int two = 0; two < 2; two++) {
    const sb_status status = try_without(model, 0, two > 0, &left);
    if (is_settled(status)) {
      return status;
    }
  }
  for (int i = 0; i < model->network.instance_count; i++) {
    (void)let_go(model, i);
  }
  return try_program(model);
}

/** The program of the modes at the start, or the errors of those that elements start in. */
static sb_status create_program(sb_model *model, sb_errors *errors) {
  const sb_network *network = &model->network;
  const size_t size = (size_t)network->mode_count * sizeof *model->start_modes;
  sb_status status = try_program(model);
  if (is_settled(status)) {
    return status;
  }
  int *own = sb_zeroed(network->mode_count, sizeof *own);
  if (own == NULL) {
    return SB_ERR_MEMORY;
  }
  memcpy(own, model->start_modes, size);
  status = try_others(model);
  if (!is_settled(status)) {
    memcpy(model->start_modes, own, size);
    status = sb_program_create(network, model->start_modes, &model->program, errors);
  }
  free(own);
  return status;
}

/** Adds an error where a failure has none yet. */
static void word_failure(sb_status status, int before, sb_errors *errors) {
  if (status != SB_OK && errors->count == before) {
    sb_error err;
    (void)sb_fail(&err, status, "out of memory");
    sb_errors_add(errors, &err);
  }
}

sb_status sb_model_compile_graph(const sb_graph *graph, sb_model **result, sb_errors *errors) {
  *result = NULL;
  sb_model *model = calloc(1, sizeof *model);
  sb_status status = SB_ERR_MEMORY;
  if (model != NULL) {
    status = sb_network_build(graph, &model->network, errors);
    if (status == SB_OK) {
      status = sb_layout_build(graph, &model->network, errors);
    }
    if (status == SB_OK) {
      status = find_start_modes(model);
    }
    if (status == SB_OK) {
      status = create_program(model, errors);
    }
  }
  if (status != SB_OK) {
    sb_model_destroy(model);
    model = NULL;
  }
  *result = model;
  return status;
}

sb_status sb_model_compile(const sb_graph *graph, sb_model **result, sb_errors *errors) {
  sb_errors local = {0};
  sb_errors *list = errors != NULL ? errors : &local;
  int before = list->count;
  sb_status status = graph->neighbour_count > 0 ? sb_model_populate_start(graph, result, list)
                                                : sb_model_compile_graph(graph, result, list);
  word_failure(status, before, list);
  sb_errors_finish(&local);
  return status;
}
