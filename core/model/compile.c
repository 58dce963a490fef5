// SPDX-License-Identifier: GPL-3.0-or-later
// Compilation of a graph in its steps: instances, layout, modes at the start, program.
#include <stdlib.h>

#include "core/base/array.h"
#include "core/model/model_data.h"

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
      status = sb_program_create(&model->network, model->start_modes, &model->program, errors);
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
