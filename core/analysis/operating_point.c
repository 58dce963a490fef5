// SPDX-License-Identifier: GPL-3.0-or-later
// Sources are moved by copies of them that add a given amount to their effort or flow; all else is
// evaluated as it runs.
#include "core/analysis/operating_point_private.h"

#include <math.h>
#include <string.h>

#include "core/linalg/numbers.h"
#include "core/model/rhs.h"

/** Stands in front of the data of a source. */
typedef struct sb_driven {
  _Alignas(16) sb_element_type type; // as the original's, with `hooks`
  sb_source_hooks hooks;
  const sb_source_hooks *original;
  const double *gain;        // on the original's value
  const double *amount;      // (count) added
  const double *amount_rate; // (count) added to the rate
  int count;
} driven;

static int driven_value(const void *self, const sb_at *at, double y[]) {
  const driven *d = (const driven *)self - 1;
  int status = d->original->value(self, at, y);
  for (int i = 0; i < d->count; i++) {
    y[i] = *d->gain * y[i] + d->amount[i];
  }
  return status;
}

static int driven_rate(const void *self, const sb_at *at, double ydot[]) {
  const driven *d = (const driven *)self - 1;
  int status = d->original->rate(self, at, ydot);
  for (int i = 0; i < d->count; i++) {
    ydot[i] = *d->gain * ydot[i] + d->amount_rate[i];
  }
  return status;
}

/** Puts a copy of a source in its place that adds to it. @param component  its first among those of all */
static void drive(sb_operating_point *p, sb_instance *instance, int component) {
  driven *d = sb_arena_zeroed(&p->memory, 1, sizeof *d + instance->type->size);
  if (d == NULL) {
    return;
  }
  if (instance->type->size > 0) {
    memcpy(d + 1, instance->self, instance->type->size);
  }
  *d = (driven){.type = *instance->type,
                .hooks = *instance->type->source,
                .original = instance->type->source,
                .gain = &p->gain,
                .amount = p->amount + component,
                .amount_rate = p->amount_rate + component,
                .count = instance->components};
  d->hooks.value = driven_value;
  d->hooks.rate = d->hooks.rate == NULL ? NULL : driven_rate;
  d->hooks.steady = NULL; // its value is moved
  d->type.source = &d->hooks;
  instance->type = &d->type;
  instance->self = d + 1;
}

static sb_status copy_network(sb_operating_point *p, const sb_simulation_point *at, sb_error *err) {
  const sb_network *network = &at->model->network;
  int components = 0, late = 0, count = network->instance_count;
  for (int i = 0; i < count; i++) {
    components += network->instances[i].components;
    late += sb_late_hooks(&network->instances[i]) != NULL;
  }
  p->network = *network;
  p->network.instances = sb_arena_zeroed(&p->memory, count, sizeof(sb_instance));
  p->amount = sb_arena_zeroed(&p->memory, components, sizeof(double));
  p->amount_rate = sb_arena_zeroed(&p->memory, components, sizeof(double));
  p->x = sb_arena_zeroed(&p->memory, sb_vector_count(network) + late, sizeof(double));
  p->start_modes = sb_arena_zeroed(&p->memory, network->mode_count, sizeof(int));
  p->changed = sb_arena_zeroed(&p->memory, count, sizeof *p->changed);
  for (int i = 0, component = 0; i < count && !p->memory.failed; i++) {
    sb_instance *instance = &p->network.instances[i];
    *instance = network->instances[i];
    if (instance->type->source != NULL) {
      drive(p, instance, component);
    }
    component += instance->components;
  }
  if (!p->memory.failed) {
    sb_late_replace(p, at);
  }
  return p->memory.failed ? sb_fail(err, SB_ERR_MEMORY, "out of memory") : SB_OK;
}

/** What a compilation has returned, with the first of its errors. */
static sb_status word_compilation(sb_status status, sb_errors *errors, sb_error *err) {
  if (status != SB_OK) {
    *err = errors->count > 0 ? errors->items[0] : (sb_error){.text = "out of memory"};
    err->status = status;
  }
  sb_errors_finish(errors);
  return status;
}

/** The workspace in the modes at the start, for which a network with other states has a program of its own. */
static sb_status make_workspace(sb_operating_point *p, const sb_model *model, sb_error *err) {
  sb_errors errors = {0};
  if (p->late_count > 0) {
    SB_TRY(word_compilation(
        sb_program_create(&p->network, model->start_modes, &p->program, &errors), &errors, err));
  }
  p->work = sb_workspace_make(&p->network, p->program != NULL ? p->program : model->program,
                              model->start_modes, err);
  return p->work == NULL ? SB_ERR_MEMORY : SB_OK;
}

static sb_status copy_workspace(sb_operating_point *p, const sb_simulation_point *at,
                                sb_error *err) {
  const sb_network *network = &p->network;
  SB_TRY(make_workspace(p, at->model, err));
  sb_workspace *work = p->work;
  memcpy(work->discrete, at->work->discrete, (size_t)network->discrete_count * sizeof(double));
  for (int i = 0; i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    if (instance->layout.pieces > 0) {
      memset(work->discrete + instance->discrete, 0,
             (size_t)instance->type->switching->discrete_states * sizeof(double));
    }
  }
  memcpy(work->modes, at->work->modes, (size_t)network->mode_count * sizeof(int));
  memcpy(p->start_modes, at->work->modes, (size_t)network->mode_count * sizeof(int));
  memcpy(work->inputs, at->work->inputs, (size_t)network->input_count * sizeof(double));
  work->inside = at->work->inside;
  sb_errors errors = {0};
  return word_compilation(sb_workspace_recompile(work, &errors), &errors, err);
}

sb_status sb_operating_point_init(sb_operating_point *p, const sb_simulation *sim,
                                  const char *const outputs[], int output_count, sb_error *err) {
  sb_simulation_point at = sb_simulation_at(sim);
  const sb_network *network = &at.model->network;
  *p = (sb_operating_point){.gain = 1, .t = at.t, .output_count = output_count};
  p->outputs = sb_arena_zeroed(&p->memory, output_count, sizeof *p->outputs);
  SB_TRY(copy_network(p, &at, err));
  p->states = p->network.state_count;
  for (int i = 0; i < output_count; i++) {
    SB_TRY(sb_network_find(&p->network, outputs[i], &p->outputs[i], err));
    p->output_components += p->outputs[i].count;
  }
  p->rows = p->states + p->output_components + 2 * network->pair_count;
  return copy_workspace(p, &at, err);
}

void sb_operating_point_finish(sb_operating_point *p) {
  sb_workspace_destroy(p->work);
  sb_program_destroy(p->program);
  sb_arena_finish(&p->memory);
}

bool sb_operating_point_evaluate(sb_operating_point *p, double out[]) {
  sb_workspace *work = p->work;
  sb_workspace_changed(work); // the sources may have been moved
  if (sb_workspace_evaluate(work, p->t, p->x) != 0) {
    return false;
  }
  memcpy(out, work->evaluation.xdot, (size_t)p->states * sizeof(double)); // without the powers
  double *y = out + p->states;
  for (int i = 0; i < p->output_count; i++) {
    sb_quantity_read(work, &p->outputs[i], p->t, p->x, y);
    y += p->outputs[i].count;
  }
  sb_trace(work, p->x);
  memcpy(y, work->bond_values, (size_t)(2 * p->network.pair_count) * sizeof(double));
  return sb_all_finite(out, p->rows) != 0;
}

void sb_operating_point_hold(sb_operating_point *p, double out[]) {
  sb_branches *b = &p->work->branches;
  for (int i = 0; i < p->network.branch_count; i++) {
    b->held[i] = b->now[i] = NAN;
  }
  b->notes = true;
  (void)sb_operating_point_evaluate(p, out);
  b->notes = false;
  for (int i = 0; i < p->network.branch_count; i++) {
    b->held[i] = b->now[i]; // of what is not evaluated in these modes: free
  }
}

sb_status sb_operating_point_not_finite(const sb_operating_point *p, sb_error *err) {
  const char *element = sb_workspace_failure(p->work);
  (void)sb_fail(err, SB_ERR_NOT_FINITE, "'%s' gives no finite number near the operating point",
                element == NULL ? p->network.name : element);
  if (element != NULL) {
    const int index = sb_names_find(&p->network.names, element, strlen(element));
    sb_place_into(&p->network.instances[index].place, err);
  }
  return SB_ERR_NOT_FINITE;
}
