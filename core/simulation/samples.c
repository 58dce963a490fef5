// SPDX-License-Identifier: GPL-3.0-or-later
// Samples of a run. They do not change it: a sample works on the workspace of the run, whose contents
// are kept before and put back after it, and by an integrator of its own.
#include <math.h>
#include <string.h>

#include "core/base/array.h"
#include "core/model/rhs.h"
#include "core/simulation/simulation_private.h"

typedef struct region {
  void *at;
  size_t size;
} region;
enum { REGIONS = 4 };

/** What an evaluation leaves behind: the accepted solution of loops, too, is taken from it. */
static size_t list_regions(const sb_workspace *work, region list[REGIONS]) {
  const sb_program *p = work->program;
  const sb_network *network = work->network;
  const size_t number = sizeof(double);
  const region all[REGIONS] = {
      {work->values, (size_t)p->value_count * number},
      {work->evaluation.x, (size_t)network->state_count * number},
      {work->evaluation.xdot, (size_t)sb_vector_count(network) * number},
      {work->loops.b, (size_t)p->loop_input_count * number},
  };
  size_t total = 0;
  for (int i = 0; i < REGIONS; i++) {
    list[i] = all[i];
    total += list[i].size;
  }
  return total;
}

/** @param evaluation  out: the point of the workspace  @return false: out of memory */
static bool keep(sb_simulation *sim, sb_evaluation *evaluation) {
  region list[REGIONS];
  size_t total = list_regions(sim->work, list), offset = 0;
  *evaluation = sim->work->evaluation;
  if (total > INT32_MAX || !sb_grow(&sim->kept, &sim->kept_capacity, (int)total, 1)) {
    return false;
  }
  for (int i = 0; i < REGIONS; offset += list[i++].size) {
    memcpy(sim->kept + offset, list[i].at, list[i].size);
  }
  return true;
}

static void put_back(sb_simulation *sim, const sb_evaluation *evaluation) {
  region list[REGIONS];
  size_t offset = 0;
  (void)list_regions(sim->work, list);
  for (int i = 0; i < REGIONS; offset += list[i++].size) {
    memcpy(list[i].at, sim->kept + offset, list[i].size);
  }
  sim->work->evaluation = *evaluation;
  sim->work->evaluation.traced = false;
}

void sb_step_view(sb_simulation *sim, double t, const double x[]) {
  sim->view_t = t;
  memcpy(sim->view_x, x, (size_t)sb_vector_count(sim->network) * sizeof(double));
}

static void audit(sb_simulation *sim, double t, const double x[]) {
  sb_audit_sample(&sim->audit, t, x, fmax(sim->t - sim->t0, 0));
}

static sb_status emit(sb_simulation *sim, double t, const double x[]) {
  audit(sim, t, x);
  (void)sb_workspace_evaluate(sim->work, t, x); // the audit has evaluated other points
  sb_step_view(sim, t, x);
  sb_audit_close(&sim->audit, t, x);
  return sim->sampler != NULL && sim->sampler(sim->sampler_context, sim, t) != 0 ? SB_INTERRUPTED
                                                                                 : SB_OK;
}

sb_status sb_sample(sb_simulation *sim, double t, sb_error *err) {
  sb_evaluation evaluation;
  bool inside = t < sim->t;
  if (!keep(sim, &evaluation)) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  sb_status status = inside ? sb_probe(sim, sim->sampling, t, err) : SB_OK;
  if (status == SB_OK) {
    status = emit(sim, t, inside ? sim->xp : sim->x);
  }
  put_back(sim, &evaluation);
  return status;
}

sb_status sb_samples_take(sb_simulation *sim, sb_error *err) {
  if (sim->sampler == NULL) {
    return SB_OK;
  }
  if (sim->sample == 0) {
    return sb_sample(sim, sim->t, err);
  }
  for (;;) {
    double t = sim->options.t_start + (double)sim->sample_count * sim->sample;
    if (t > sim->t + sb_time_rounding(sim->t)) {
      return SB_OK;
    }
    sim->sample_count++;
    if (t > sim->t0 || t >= sim->t - sb_time_rounding(sim->t)) {
      SB_TRY(sb_sample(sim, t >= sim->t - sb_time_rounding(sim->t) ? sim->t : t, err));
    }
  }
}

void sb_simulation_audit(sb_simulation *sim) {
  sb_evaluation evaluation;
  bool kept = keep(sim, &evaluation);
  audit(sim, sim->t, sim->x);
  if (kept) {
    put_back(sim, &evaluation);
  }
}
