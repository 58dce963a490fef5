// SPDX-License-Identifier: GPL-3.0-or-later
// Sources are moved by copies of them that add a given amount to their effort or flow; all else is
// evaluated as it runs.
#include "core/plant_private.h"

#include <stdlib.h>
#include <string.h>

#include "core/array_private.h"
#include "core/vector_private.h"

/** A source's instance with this in front of it. */
typedef struct sb_driven {
  _Alignas(16) sb_element_type type; // as the original's, with `hooks`
  sb_source_hooks hooks;
  int (*value)(const void *self, const sb_at *at, double y[]); // the original's
  const double *gain;                                          // on the original's value
  const double *amount;                                        // (count) added
  int count;
} driven;

static int driven_value(const void *self, const sb_at *at, double y[]) {
  const driven *d = (const driven *)self - 1;
  int status = d->value(self, at, y);
  for (int i = 0; i < d->count; i++) {
    y[i] = *d->gain * y[i] + d->amount[i];
  }
  return status;
}

static bool drive(sb_plant *p, sb_part *part, const double *amount) {
  char *block = calloc(1, sizeof(driven) + part->type->size);
  if (block == NULL) {
    return false;
  }
  driven *d = (driven *)(void *)block;
  p->sources[p->source_count++] = d;
  if (part->type->size > 0) {
    memcpy(d + 1, part->self, part->type->size);
  }
  d->type = *part->type;
  d->hooks = *part->type->source;
  d->value = d->hooks.value;
  d->hooks.value = driven_value;
  d->type.source = &d->hooks;
  d->gain = &p->gain;
  d->amount = amount;
  d->count = part->components;
  part->type = &d->type;
  part->self = d + 1;
  return true;
}

static sb_status copy_model(sb_plant *p, const sb_model *model, sb_error *err) {
  int components = 0;
  p->model = *model;
  p->model.parts = sb_zeroed(model->part_count, sizeof(sb_part));
  p->sources = sb_zeroed(model->part_count, sizeof(driven *));
  for (int i = 0; i < model->part_count; i++) {
    components += model->parts[i].components;
  }
  p->amount = sb_zeroed(components, sizeof(double));
  bool ok = p->model.parts != NULL && p->sources != NULL && p->amount != NULL;
  const double *amount = p->amount;
  for (int i = 0; ok && i < model->part_count; i++) {
    sb_part *part = &p->model.parts[i];
    *part = model->parts[i];
    ok = part->type->role != SB_SOURCE || drive(p, part, amount);
    amount += part->components;
  }
  return ok ? SB_OK : sb_fail(err, SB_ERR_MEMORY, "out of memory");
}

static sb_status copy_workspace(sb_plant *p, const sb_simulation *sim, sb_error *err) {
  const sb_model *model = &p->model;
  sb_workspace *work = sb_workspace_create(model, err);
  if (work == NULL) {
    return SB_ERR_MEMORY;
  }
  p->view.work = work;
  memcpy(work->memo, sim->work->memo, (size_t)model->memo_count * sizeof(double));
  memcpy(work->modes, sim->work->modes, (size_t)model->mode_count * sizeof(int));
  memcpy(work->inputs, sim->work->inputs, (size_t)model->input_count * sizeof(double));
  work->inside = sim->work->inside;
  sb_errors errors = {0};
  sb_status status = sb_workspace_recompile(work, &errors);
  if (status != SB_OK) {
    *err = errors.count > 0 ? errors.items[0] : (sb_error){.text = "out of memory"};
    err->status = status;
  }
  sb_errors_finish(&errors);
  return status;
}

sb_status sb_plant_init(sb_plant *p, const sb_simulation *sim, const sb_quantity outputs[],
                        int output_count, sb_error *err) {
  *p = (sb_plant){.gain = 1, .outputs = outputs, .output_count = output_count};
  SB_TRY(copy_model(p, sim->model, err));
  p->view.model = &p->model;
  p->view.t = p->view.view_t = sim->t;
  p->states = sim->model->state_count;
  for (int i = 0; i < output_count; i++) {
    p->output_components += outputs[i].count;
  }
  p->rows = p->states + p->output_components + 2 * sim->model->cell_count;
  p->x = sb_zeroed(sb_model_vector_count(sim->model), sizeof(double));
  p->all = sb_zeroed(p->rows + sim->model->integral_count, sizeof(double));
  if (p->x == NULL || p->all == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  memcpy(p->x, sim->x, (size_t)sb_model_vector_count(sim->model) * sizeof(double));
  return copy_workspace(p, sim, err);
}

void sb_plant_finish(sb_plant *p) {
  for (int i = 0; i < p->source_count; i++) {
    free(p->sources[i]);
  }
  sb_workspace_destroy(p->view.work);
  free(p->sources);
  free(p->model.parts);
  free(p->amount);
  free(p->x);
  free(p->all);
}

bool sb_plant_evaluate(sb_plant *p, double out[]) {
  sb_workspace *work = p->view.work;
  if (sb_model_rhs(&p->model, work, p->view.t, p->x, p->all) != 0) {
    return false;
  }
  memcpy(out, p->all, (size_t)p->states * sizeof(double)); // the integrals are left behind
  p->view.view_x = p->x;
  double *y = out + p->states;
  for (int i = 0; i < p->output_count; i++) {
    sb_simulation_read(&p->view, &p->outputs[i], y);
    y += p->outputs[i].count;
  }
  sb_trace(work, p->x);
  memcpy(y, work->cells, (size_t)(2 * p->model.cell_count) * sizeof(double));
  return sb_all_finite(out, p->rows) != 0;
}
