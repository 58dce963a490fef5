// SPDX-License-Identifier: GPL-3.0-or-later
// Sines of moving signals, as sin(th) of a rotor that turns evenly: where event indicators depend on one by bonds and signals, a
// step lets its argument go through no more than an eighth of a period, as with sines of the time. How fast it moves is known from
// the step before; a step that has gone through more than a quarter is taken again, shorter.
#include <math.h>

#include "core/model/rhs.h"
#include "core/network/turns.h"
#include "core/simulation/simulation_private.h"

static const double eighth = 0.78539816339744830962, quarter = 1.57079632679489661923; // [rad]

/** An expression with sines of signals, and where their arguments stand. */
struct sb_turning {
  int instance;
  sb_formula formula;
  int first, count; // of sim->angles
};

sb_status sb_turning_list(sb_simulation *sim, const bool feeds[], sb_error *err) {
  int capacity = 0;
  bool ok = true;
  sim->turning = NULL;
  sim->turning_count = sim->angle_count = 0;
  for (int i = 0; i < sim->network->instance_count; i++) {
    const sb_instance *instance = &sim->network->instances[i];
    const sb_param *p = feeds[i] ? instance->type->params : NULL;
    for (; p != NULL && p->name != NULL; p++) {
      struct sb_turning t = {.instance = i};
      t.count = sb_instance_formula(instance, p, &t.formula)
                    ? sb_expression_angles(t.formula.expression, NULL, NULL)
                    : 0;
      t.first = sim->angle_count;
      if (t.count > 0) {
        sim->angle_count += t.count;
        ok = sb_arena_append(&sim->memory, &sim->turning, &sim->turning_count, &capacity, sizeof t,
                             &t) &&
             ok;
      }
    }
  }
  sim->angles = sb_arena_zeroed(&sim->memory, 2 * sim->angle_count, sizeof(double));
  sim->turning_rate = 0;
  return ok && sim->angles != NULL ? SB_OK : sb_fail(err, SB_ERR_MEMORY, "out of memory");
}

/** The arguments where the workspace is. */
static void read(const sb_simulation *sim, double angles[]) {
  for (int i = 0; i < sim->turning_count; i++) {
    const struct sb_turning *own = &sim->turning[i];
    const sb_instance *instance = &sim->network->instances[own->instance];
    const sb_formula *f = &own->formula;
    double variables[SB_EXPRESSION_VARIABLES_MAX] = {sim->work->evaluation.t};
    for (int k = f->wire; k < instance->wire_count; k++) {
      const int slot = f->time + k - f->wire;
      if (slot < SB_EXPRESSION_VARIABLES_MAX) {
        variables[slot] = *sim->work->wires[instance->wire + k];
      }
    }
    (void)sb_expression_angles(f->expression, variables, angles + own->first);
  }
}

/** The farthest that one of them went through in the last step [rad]. */
static double farthest(const sb_simulation *sim) {
  const double *start = sim->angles, *end = start + sim->angle_count;
  double most = 0;
  read(sim, sim->angles + sim->angle_count);
  for (int i = 0; i < sim->angle_count; i++) {
    most = fmax(most, fabs(end[i] - start[i]));
  }
  return most;
}

void sb_turning_begin(sb_simulation *sim) {
  if (sim->angle_count > 0) {
    read(sim, sim->angles);
  }
}

bool sb_turning_overdue(sb_simulation *sim) {
  return sim->angle_count > 0 && sim->options.step <= 0 &&
         0.25 * (sim->t - sim->t0) > sb_time_rounding(sim->t0) && farthest(sim) > quarter;
}

void sb_turning_accept(sb_simulation *sim) {
  if (sim->angle_count > 0 && sim->t > sim->t0 &&
      sb_workspace_evaluate(sim->work, sim->t, sim->x) == 0) {
    sim->turning_rate = farthest(sim) / (sim->t - sim->t0);
  }
}

double sb_turning_horizon(const sb_simulation *sim) {
  return sim->turning_rate > 0 && sim->options.step <= 0 ? eighth / sim->turning_rate : HUGE_VAL;
}
