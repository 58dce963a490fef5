// SPDX-License-Identifier: GPL-3.0-or-later
// What a compiled model tells about itself; its start; its end.
#include "core/model.h"

#include <stdlib.h>
#include <string.h>

#include "core/workspace_private.h"

void sb_model_destroy(sb_model *model) {
  if (model == NULL) {
    return;
  }
  for (int i = 0; i < model->part_count; i++) {
    sb_part *part = &model->parts[i];
    if (part->self != NULL) {
      sb_params_finish(part->type->params, part->self);
    }
  }
  for (int i = 0; i < model->group_count; i++) {
    free(model->groups[i].id);
    free(model->groups[i].members);
  }
  sb_names_finish(&model->names);
  sb_arena_finish(&model->memory);
  sb_program_destroy(model->program);
  free(model->start_modes);
  free(model->groups);
  free(model->shared);
  free(model->shared_bonds);
  free(model->bonds);
  free(model->wires);
  free(model->sensors);
  free(model->parts);
  free(model->name);
  free(model);
}

const char *sb_model_name(const sb_model *model) {
  return model->name;
}
int sb_model_state_count(const sb_model *model) {
  return model->state_count;
}
int sb_model_vector_count(const sb_model *model) {
  return model->state_count + model->integral_count;
}
int sb_model_element_count(const sb_model *model) {
  return model->part_count;
}
const char *sb_model_element_id(const sb_model *model, int element) {
  return model->parts[element].id;
}
const char *sb_model_element_kind(const sb_model *model, int element) {
  return model->parts[element].type->name;
}
sb_role sb_model_element_role(const sb_model *model, int element) {
  return model->parts[element].type->role;
}

void sb_model_start(const sb_model *model, sb_workspace *work, double x[]) {
  memset(x, 0, (size_t)sb_model_vector_count(model) * sizeof *x);
  memset(work->memo, 0, (size_t)model->memo_count * sizeof(double));
  memcpy(work->modes, model->start_modes, (size_t)model->mode_count * sizeof(int));
  for (int i = 0; i < model->part_count; i++) {
    const sb_part *part = &model->parts[i];
    if (part->type->role == SB_STORAGE && part->type->storage->start != NULL) {
      part->type->storage->start(part->self, x + part->state);
    }
    if (part->type->role == SB_SIGNAL && part->type->signal->start != NULL) {
      part->type->signal->start(part->self, x + part->state);
    }
    if (part->type->role == SB_STRUCTURE && part->type->structure->start != NULL) {
      part->type->structure->start(part->self, x + part->state);
    }
    if (part->mode >= 0) {
      sb_at at = {.memo = work->memo + part->memo};
      (void)part->type->switching->initial_mode(part->self, &at, work->memo + part->memo);
    }
  }
}
