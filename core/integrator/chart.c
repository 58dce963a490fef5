// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/integrator/chart_private.h"

#include <math.h>
#include <string.h>

/** The variables are used where rtol is at least this fraction of the rounding of their rates: the error estimate averages it over
 *  the stages, and steps were seen to shrink at rtol below. */
static const double felt = 0.1;

static const sb_storage_chart *chart_of(const sb_instance *instance) {
  const sb_storage_hooks *storage = instance->type->storage;
  const sb_storage_chart *chart = storage == NULL || !instance->hooked ? NULL : storage->chart;
  return chart != NULL && chart->serves(instance->self) ? chart : NULL;
}

bool sb_chart_init(sb_chart *c, sb_workspace *work) {
  const sb_network *network = work->network;
  *c = (sb_chart){.work = work};
  c->instances = sb_arena_zeroed(&c->memory, network->instance_count, sizeof *c->instances);
  for (int i = 0; i < network->instance_count && c->instances != NULL; i++) {
    if (chart_of(&network->instances[i]) != NULL) {
      c->instances[c->count++] = i;
    }
  }
  if (c->count > 0) {
    c->on = sb_arena_zeroed(&c->memory, c->count, sizeof *c->on);
    c->scale = sb_arena_zeroed(&c->memory, network->state_count, sizeof *c->scale);
    c->x = sb_arena_zeroed(&c->memory, network->state_count, sizeof *c->x);
  }
  return !c->memory.failed;
}

void sb_chart_finish(sb_chart *c) {
  sb_arena_finish(&c->memory);
}

static sb_at at_of(const sb_chart *c, int k, double t, const double x[],
                   const sb_instance **instance) {
  *instance = &c->work->network->instances[c->instances[k]];
  return sb_at_instance(c->work, *instance, t, x);
}

int sb_chart_start(sb_chart *c, double rtol, double t, double z[]) {
  for (int k = 0; k < c->count; k++) {
    const sb_instance *instance;
    const sb_at at = at_of(c, k, t, z, &instance);
    double rounding = chart_of(instance)->scale(instance->self, &at, c->scale + instance->state);
    c->on[k] = felt * rounding <= rtol;
  }
  return sb_chart_enter(c, t, z);
}

int sb_chart_enter(const sb_chart *c, double t, double z[]) {
  int status = 0;
  for (int k = 0; k < c->count && status == 0; k++) {
    if (!c->on[k]) {
      continue;
    }
    const sb_instance *instance;
    const sb_at at = at_of(c, k, t, z, &instance);
    status = chart_of(instance)->enter(instance->self, &at, c->scale + instance->state,
                                       z + instance->state);
  }
  return status;
}

const double *sb_chart_leave(sb_chart *c, double t, const double z[]) {
  if (c->count == 0) {
    return z;
  }
  memcpy(c->x, z, (size_t)c->work->network->state_count * sizeof *z);
  for (int k = 0; k < c->count; k++) {
    if (!c->on[k]) {
      continue;
    }
    const sb_instance *instance;
    const sb_at at = at_of(c, k, t, z, &instance);
    chart_of(instance)->leave(instance->self, &at, c->scale + instance->state,
                              c->x + instance->state);
  }
  return c->x;
}

int sb_chart_rates(const sb_chart *c, double t, const double x[], double rate[]) {
  int status = 0;
  for (int k = 0; k < c->count && status == 0; k++) {
    if (!c->on[k]) {
      continue;
    }
    const sb_instance *instance;
    const sb_at at = at_of(c, k, t, x, &instance);
    status = chart_of(instance)->rates(instance->self, &at, c->scale + instance->state,
                                       rate + instance->state);
  }
  return status;
}

void sb_chart_weights(const sb_chart *c, double rtol, const double z[], double weight[]) {
  for (int k = 0; k < c->count; k++) {
    const sb_instance *instance = &c->work->network->instances[c->instances[k]];
    for (int i = instance->state; i < instance->state + instance->layout.states && c->on[k]; i++) {
      weight[i] = c->scale[i] > 0 ? fmin(weight[i], 1 / (rtol * fabs(z[i]))) : weight[i];
    }
  }
}
