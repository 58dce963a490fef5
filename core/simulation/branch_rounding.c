// SPDX-License-Identifier: GPL-3.0-or-later
// To what it is known on which side of its kink a branch of an expression is: what decides may be nothing but rounding, or the error of a state.
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/model/rhs.h"
#include "core/simulation/simulation_private.h"
#include "core/simulation/switching_private.h"

/** A signal is known to so many roundings of its terms, as rates are (audit/rate_sizes.c), when they were last asked for. */
enum { WIRE_ROUNDINGS = 256 };

/** What a signal that is read is known to: of a small difference of large terms, as the speed of what rests beside others, all is rounding. */
static double wire_known_to(const sb_simulation *sim, int wire) {
  return WIRE_ROUNDINGS * DBL_EPSILON * sim->audit.signals_now[wire];
}

/** By how much the gap of a branch moves as one number does that its element reads. */
static double moved_by(sb_simulation *sim, const sb_switch *switched, double t, const double x[],
                       double *number, double size, double now) {
  const double *gap = &sim->work->branches.gap[switched->branch], before = *number;
  *number += size;
  (void)sb_branches_ask(sim, switched->instance, t, x);
  *number = before;
  return isfinite(*gap) ? fabs(*gap - now) : 0;
}

/** By how much it moves as the signals do by what they are known to, with the workspace at (t, x). */
static double moved_by_wires(sb_simulation *sim, const sb_switch *switched, double t,
                             const double x[]) {
  const sb_instance *instance = &sim->network->instances[switched->instance];
  double moved = 0;
  (void)sb_branches_ask(sim, switched->instance, t, x);
  const double now = sim->work->branches.gap[switched->branch];
  for (int w = 0; w < instance->wire_count; w++) {
    const int wire = sim->network->wires[instance->wire + w];
    moved += moved_by(sim, switched, t, x, &sim->work->values[wire], wire_known_to(sim, wire), now);
  }
  return moved;
}

/** What decides on a branch of a signal, source or law is known to by the signals that it reads, if since the last event it has been no farther from its
 *  kink than that; else zero. At a pole, as of 1/v where v passes zero, nothing is known of it: so it is asked at the start of the step, too. */
static double known_by_wires(sb_simulation *sim, int index) {
  const sb_switch *switched = &sim->switches[index];
  double moved = moved_by_wires(sim, switched, sim->t, sim->x);
  if (moved > 0 && switched->excursion <= moved && sim->t > sim->t0 &&
      sb_workspace_evaluate(sim->work, sim->t0, sim->x0) == 0) {
    moved = fmin(moved, moved_by_wires(sim, switched, sim->t0, sim->x0));
  }
  (void)sb_workspace_evaluate(sim->work, sim->t, sim->x);
  return switched->excursion <= moved ? moved : 0;
}

bool sb_branch_is_rounding(sb_simulation *sim, int index, int given) {
  const sb_instance *instance = &sim->network->instances[sim->switches[index].instance];
  const double *there = sim->hook_values, *before = there + given, *now = before + given;
  bool all = instance->wire_count > 0 && known_by_wires(sim, index) > 0;
  for (int k = 0; k < given && all; k++) {
    double sum = 0;
    for (int w = 0; w < instance->wire_count; w++) {
      const int wire = sim->network->wires[instance->wire + w];
      double *value = &sim->work->values[wire];
      const double own = *value;
      *value = own + wire_known_to(sim, wire);
      (void)sb_branches_ask(sim, sim->switches[index].instance, sim->t, sim->x);
      *value = own;
      sum += fabs(there[k] - now[k]);
    }
    all = fabs(now[k] - before[k]) <= sum;
  }
  return all;
}

/** By how much what a law gives differs, the most of its values: on the branches that are held with its input moved by `step`, and on those of its
 *  arguments with its input moved by `other`. */
static double differ_by(sb_simulation *sim, int index, double *input, double step, double other) {
  const sb_instance *instance = &sim->network->instances[sim->switches[index].instance];
  const double before = *input;
  double most = 0, *free = sim->energies_kept;
  for (int k = instance->branch; k < instance->branch + instance->branch_count; k++) {
    free[k] = NAN;
  }
  *input = before + step;
  const int given = sb_branches_read_side(sim, index, 1);
  *input = before + other;
  sb_branches_exchange(sim, instance, free);
  (void)sb_branches_ask(sim, sim->switches[index].instance, sim->t, sim->x);
  sb_branches_exchange(sim, instance, free);
  *input = before;
  for (int k = 0; k < given; k++) {
    most = fmax(most, fabs(sim->hook_values[k] - sim->hook_values[given + k]));
  }
  return most;
}

/** How far beyond a kink the input of a law may go: by a part of the error that it may have, if that makes no more than such a part of what the
 *  law gives as the input becomes as large as it may. */
static double input_known_to(sb_simulation *sim, int index, int component) {
  static const double small = 0x1p-20; // step of differences
  static const double least = 1e-3;    // a steeper kink, as of a diode, is told to rounding
  const sb_switch *switched = &sim->switches[index];
  const sb_instance *instance = &sim->network->instances[switched->instance];
  const bool flow =
      sb_reads_flow(sim->network, &sim->work->program->causality, switched->instance, component);
  const double size =
      sim->port_sizes[flow ? sb_flow_var(instance, component) : sb_effort_var(instance, component)];
  double *input = &sim->work->values[instance->in + component];
  const double step = small * size;
  const double given =
      fmin(differ_by(sim, index, input, 0, size), differ_by(sim, index, input, 0, -size));
  const double off =
      fmax(differ_by(sim, index, input, step, step), differ_by(sim, index, input, -step, -step));
  const double part = off > small * given ? small * given / off : 1;
  return part < least ? 0 : SB_MATTERS * sim->options.rtol * part * size;
}

double sb_branch_known_to(sb_simulation *sim, int index) {
  const sb_switch *switched = &sim->switches[index];
  const sb_instance *instance = &sim->network->instances[switched->instance];
  double moved = known_by_wires(sim, index);
  (void)sb_branches_ask(sim, switched->instance, sim->t, sim->x);
  const double now = sim->work->branches.gap[switched->branch];
  if (instance->type->storage != NULL) {
    memcpy(sim->later, sim->x, (size_t)sim->network->state_count * sizeof *sim->later);
    for (int i = instance->state; i < instance->state + instance->layout.states; i++) {
      moved += DBL_EPSILON * moved_by(sim, switched, sim->t, sim->later, &sim->later[i],
                                      sim->nominal.now.size[i], now);
    }
  } else if (instance->type->dissipation != NULL) {
    sb_trace(sim->work, sim->x);
    sb_port_sizes_trace(sim, sim->x);
    for (int k = 0; k < instance->components; k++) {
      moved += moved_by(sim, switched, sim->t, sim->x, &sim->work->values[instance->in + k],
                        input_known_to(sim, index, k), now);
    }
  }
  (void)sb_branches_ask(sim, switched->instance, sim->t, sim->x);
  return moved;
}
