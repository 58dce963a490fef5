// SPDX-License-Identifier: GPL-3.0-or-later
// Queries of a compiled model; its state at the start; its destruction; workspaces for it.
#include <stdlib.h>
#include <string.h>

#include "core/model/constraints.h"
#include "core/model/model_data.h"
#include "core/model/rhs.h"
#include "core/network/roles.h"

void sb_model_destroy(sb_model *model) {
  if (model == NULL) {
    return;
  }
  sb_network_finish(&model->network);
  sb_program_destroy(model->program);
  free(model->start_modes);
  free(model->monitored);
  sb_graph_destroy(model->source);
  free(model);
}

int sb_model_state_count(const sb_model *model) {
  return model->network.state_count;
}
int sb_model_vector_count(const sb_model *model) {
  return model->network.state_count + model->network.quadrature_count;
}
int sb_model_element_count(const sb_model *model) {
  return model->network.instance_count;
}
const char *sb_model_element_id(const sb_model *model, int element) {
  return model->network.instances[element].id;
}
int sb_model_lasting_count(const sb_model *model) {
  return model->source != NULL ? model->source->element_count : model->network.instance_count;
}
void sb_model_place(const sb_model *model, const char *element, sb_error *err) {
  const int index =
      element == NULL ? -1 : sb_names_find(&model->network.names, element, strlen(element));
  if (index >= 0 && index < model->network.instance_count) {
    sb_place_into(&model->network.instances[index].place, err);
  }
}
const char *sb_model_element_kind(const sb_model *model, int element) {
  return model->network.instances[element].type->name;
}
void sb_model_start(const sb_model *model, sb_workspace *work, double x[]) {
  memset(x, 0, (size_t)sb_model_vector_count(model) * sizeof *x);
  sb_workspace_changed(work);
  sb_workspace_free_branches(work);
  memset(work->discrete, 0, (size_t)model->network.discrete_count * sizeof(double));
  memcpy(work->modes, model->start_modes, (size_t)model->network.mode_count * sizeof(int));
  for (int i = 0; i < model->network.instance_count; i++) {
    const sb_instance *instance = &model->network.instances[i];
    sb_instance_start(instance, x + instance->state);
    if (instance->mode >= 0 && !instance->type->switching->follows) {
      sb_at at = {.discrete = work->discrete + instance->discrete};
      (void)instance->type->switching->initial_mode(instance->self, &at,
                                                    work->discrete + instance->discrete);
    }
  }
}

sb_status sb_model_find(const sb_model *model, const char *name, sb_quantity *quantity,
                        sb_error *err) {
  return sb_network_find(&model->network, name, quantity, err);
}

const char *sb_model_state_name(const sb_model *model, int state, char name[300]) {
  return sb_network_state_name(&model->network, state, name);
}

sb_status sb_workspace_create(const sb_model *model, sb_workspace **work, sb_error *err) {
  *work = sb_workspace_make(&model->network, model->program, model->start_modes, err);
  return *work == NULL ? SB_ERR_MEMORY : SB_OK;
}

void sb_workspace_destroy(sb_workspace *work) {
  if (work != NULL) {
    sb_constraint_groups_destroy(work->constraint_groups);
    sb_workspace_finish(work);
  }
}

int sb_model_rhs(const sb_model *model, sb_workspace *work, double t, const double x[],
                 double xdot[]) {
  (void)model;
  return sb_workspace_rhs(work, t, x, xdot);
}
