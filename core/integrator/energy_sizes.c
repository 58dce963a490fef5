// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes of states by the energies that they hold, and that their part of the network holds: see nominal.h.
#include <math.h>
#include <string.h>

#include "core/base/wide.h"
#include "core/integrator/nominal.h"
#include "core/integrator/nominal_private.h"
#include "core/integrator/norm_private.h"

/** The energy that went through a source or a dissipation counts with this fraction of the largest in its part at least:
 *  each account is held to its own size down to that, and no account that begins is followed from zero. */
static const double least_quadrature = 1e-4;
/** A state of a storage of one state holds no less than this fraction of what its energy has changed by. */
static const double least_held = 1e-4;
/** Sizes are raised when the largest energy of a part has grown by this factor. */
static const double grown = 2;

/** Largest |x| of each state so far. Returns the largest K x^2/2. */
SB_WIDE static double scan(const double *restrict k, const double *restrict x,
                           double *restrict size, int count) {
  double energy[4] = {0, 0, 0, 0};
  int i = 0;
  for (; i + 4 <= count; i += 4) {
    SB_LANES
    for (int j = 0; j < 4; j++) {
      double a = fabs(x[i + j]), e = 0.5 * k[i + j] * a * a;
      size[i + j] = a > size[i + j] ? a : size[i + j];
      energy[j] = e > energy[j] ? e : energy[j];
    }
  }
  for (; i < count; i++) {
    double a = fabs(x[i]), e = 0.5 * k[i] * a * a;
    size[i] = a > size[i] ? a : size[i];
    energy[0] = e > energy[0] ? e : energy[0];
  }
  return sb_larger(sb_larger(energy[0], energy[1]), sb_larger(energy[2], energy[3]));
}

/** H = x.Kx/2; a state that depends on the others, x = M y, holds E by its M. */
static double measure_linear(const sb_nominal *n, const sb_nominal_record *z, int index,
                             const double x[], double floor) {
  const sb_instance *instance = &n->network->instances[index];
  int d = instance->components, part = n->network->part_of[index];
  const double *K = instance->matrix;
  double *size = z->size + instance->state;
  double energy = 0;
  for (int i = 0; i < d; i++) {
    for (int k = 0; k < d; k++) {
      energy += 0.5 * x[i] * K[i * d + k] * x[k];
    }
  }
  for (int i = 0; i < d; i++) {
    double stiffness = K[i * d + i], most = fmax(energy, floor);
    double own =
        stiffness > 0 ? sqrt(2 * most / stiffness) : sqrt(2 * most * instance->inverse[i * d + i]);
    double least = sb_peaks_least(n, z, instance->state + i, part, stiffness);
    size[i] = fmax(size[i], fmax(own, least));
  }
  return energy;
}

static double moved_by(const sb_nominal *n, const sb_instance *instance, const sb_at *at, int i) {
  return fabs(at->x[i] - n->origin[instance->state + i]);
}

/** The way of a state in one direction to where H differs by more than `floor` [J], by bisection of its exponent; infinite: there is none. */
static double way_to_energy(const sb_instance *instance, const sb_at *at, int i, double sign,
                            double floor) {
  double x[SB_HESSIAN_MAX], within = -500, beyond = 500; // powers of two
  sb_at moved = *at;
  const double H = instance->type->storage->energy(instance->self, at);
  memcpy(x, at->x, (size_t)instance->layout.states * sizeof *x);
  moved.x = x;
  moved.branches = NULL; // follow it
  for (int k = 0; beyond - within > 1e-12; k++) {
    const double power = k == 0 ? beyond : 0.5 * (within + beyond);
    x[i] = at->x[i] + sign * exp2(power);
    const bool differs =
        !(fabs(instance->type->storage->energy(instance->self, &moved) - H) <= floor);
    if (k == 0 && !differs) {
      return HUGE_VAL;
    }
    *(differs ? &beyond : &within) = power;
  }
  return exp2(beyond);
}

/** In play a state has neither force nor stiffness: it counts as far as it has moved, and with a fraction of the way to where there is
 *  some, as it may have moved by rounding alone. */
static double measure_play(const sb_nominal *n, const sb_instance *instance, const sb_at *at, int i,
                           double floor) {
  double *foreseen = &n->foreseen[instance->state + i];
  if (*foreseen == 0 && floor > 0) {
    const double way =
        fmin(way_to_energy(instance, at, i, 1, floor), way_to_energy(instance, at, i, -1, floor));
    *foreseen = isfinite(way) ? way : 0;
  }
  return fmax(moved_by(n, instance, at, i), sb_least_amplitude * *foreseen);
}

/** The largest stiffness so far may be that of one place, as at q = 0 of an energy |q|^1.5, whose force has an infinite slope there: E = y^2/(2 K) by
 *  it would be nothing, and the state be followed to a fraction of nothing from there on. So K counts with no more than gives E a small
 *  fraction of what H has changed by.  @return [unit of the output/own unit] */
static double effective_slope(const sb_instance *instance, const sb_nominal_record *z,
                              const sb_at *at, double scale) {
  const int i = instance->state;
  const double y = z->output[i], K = z->slope[i];
  if (!(K > 0) || !(0.5 * y * (y / K) < least_held * scale)) {
    return K;
  }
  const double H = instance->type->storage->energy(instance->self, at);
  const bool first = z->lowest[i] == 0 && z->highest[i] == 0;
  z->lowest[i] = first ? H : fmin(z->lowest[i], H);
  z->highest[i] = first ? H : fmax(z->highest[i], H);
  const double held = least_held * (z->highest[i] - z->lowest[i]);
  return held > 0 ? fmin(K, 0.5 * y * (y / held)) : K;
}

/** H(x) with its gradient and its Hessian; see nominal.h. An energy whose forces have been constant so far has no minimum
 *  that it could be counted from: it counts with what it has given or taken, and a state without any, as in play, as far as it has
 *  moved. */
static double measure_nonlinear(const sb_nominal *n, const sb_nominal_record *z, int index,
                                const sb_at *at, double floor) {
  const sb_instance *instance = &n->network->instances[index];
  double y[SB_HESSIAN_MAX], K[SB_HESSIAN_MAX * SB_HESSIAN_MAX], slopes[SB_HESSIAN_MAX], energy = 0,
                                                                                        given = 0;
  double *size = z->size + instance->state, *output = z->output + instance->state,
         *slope = z->slope + instance->state;
  int d = instance->components, part = n->network->part_of[index];
  if (instance->type->storage->output(instance->self, at, y) != 0 ||
      instance->type->storage->constraints.hessian(instance->self, at, K) != 0) {
    return 0;
  }
  for (int i = 0; i < d; i++) {
    output[i] = fmax(output[i], fabs(y[i]));
    slope[i] = fmax(slope[i], fabs(K[i * d + i]));
    slopes[i] = d == 1 ? effective_slope(instance, z, at, z->scale[part]) : slope[i];
    double own = slopes[i] > 0 ? output[i] * (output[i] / slopes[i]) / 2 : 0;
    energy = own > energy && isfinite(own) ? own : energy;
    given = fmax(given, output[i] * moved_by(n, instance, at, i));
  }
  energy = energy > 0 ? energy : given;
  double most = fmax(energy, floor);
  for (int i = 0; i < d; i++) {
    double soft = slopes[i] > 0 ? sqrt(2 * most / slopes[i]) : HUGE_VAL,
           hard = output[i] > 0 ? 2 * most / output[i] : HUGE_VAL;
    double own = fmin(soft, hard);
    if (!isfinite(own)) {
      own = fmax(size[i], measure_play(n, instance, at, i, floor));
    }
    size[i] = fmax(own, sb_peaks_least(n, z, instance->state + i, part, slopes[i]));
  }
  return energy;
}

/** A storage that says no more: its energy is not known to be zero anywhere, and counts as it is. */
static double measure_plain(const sb_nominal *n, int index, double t, const double x[],
                            double size[]) {
  const sb_instance *instance = &n->network->instances[index];
  for (int i = 0; i < instance->layout.states; i++) {
    size[i] = fmax(size[i], fabs(x[instance->state + i]));
  }
  return fabs(sb_instance_energy(n->work, index, t, x));
}

/** Of a signal or an end stop, which has no energy: its displacement, and no less than the fraction of one that is foreseen. */
static void measure_displacement(const sb_nominal *n, const sb_instance *instance, const double x[],
                                 double size[]) {
  for (int i = instance->state; i < instance->state + instance->layout.states; i++) {
    const double least = sb_least_amplitude * n->foreseen[i];
    size[i] = fmax(size[i], fmax(fabs(x[i] - n->origin[i]), least));
  }
}

static void measure_other(const sb_nominal *n, const sb_nominal_record *z, int index, double t,
                          const double x[]) {
  const sb_instance *instance = &n->network->instances[index];
  const sb_storage_hooks *storage = instance->type->storage;
  if (storage == NULL) {
    measure_displacement(n, instance, x, z->size);
    return;
  }
  int part = n->network->part_of[index];
  double least = sb_larger(n->least, storage->sizes.least * storage->sizes.least);
  double floor = sb_larger(least * z->scale[part], n->noise[part] / (n->rtol * n->rtol));
  double *size = z->size + instance->state;
  sb_at at = sb_at_instance(n->work, instance, t, x);
  double energy = instance->linear ? measure_linear(n, z, index, at.x, floor)
                  : storage->sizes.nominal != NULL
                      ? storage->sizes.nominal(instance->self, &at, floor, size,
                                               z->kept + SB_SIZES_KEPT * instance->state)
                  : sb_instance_has_hessian(instance) ? measure_nonlinear(n, z, index, &at, floor)
                                                      : measure_plain(n, index, t, x, size);
  z->energy[part] = sb_larger(z->energy[part], energy);
}

/** Largest |x| so far, and no less than the floor. */
SB_WIDE static void raise_sizes(double floor, const double *restrict x, double *restrict size,
                                int count) {
  for (int i = 0; i < count; i++) {
    double a = fabs(x[i]) > floor ? fabs(x[i]) : floor;
    size[i] = a > size[i] ? a : size[i];
  }
}

/** No error counts that is less than what rounding makes of a state or an account in a step. */
static void raise_blurred(const sb_nominal *n, int first, int count, double size[]) {
  for (int i = first; i < first + count; i++) {
    size[i] = sb_larger(size[i], n->blurred[i] / n->rtol);
  }
}

static void measure_quadratures(const sb_nominal *n, const sb_nominal_record *z, const double x[]) {
  for (int r = 0; r < n->quadrature_run_count; r++) {
    const sb_nominal_run *run = &n->quadratures[r];
    const double scale = fmax(z->scale[run->part], n->noise[run->part] / (n->rtol * n->rtol));
    double floor = fmax(least_quadrature * scale, n->idle[run->part] / n->rtol);
    raise_sizes(floor, x + run->first, z->size + run->first, run->count);
    raise_blurred(n, run->first, run->count, z->size);
  }
}

/** The sizes that the energies of their parts demand at least. */
static void raise_runs(const sb_nominal *n, const sb_nominal_record *z) {
  for (int r = 0; r < n->run_count; r++) {
    double floor = n->least * z->scale[n->runs[r].part];
    for (int i = n->runs[r].first; i < n->runs[r].first + n->runs[r].count; i++) {
      double least = sb_peaks_least(n, z, i, n->runs[r].part, n->stiffness[i]);
      z->size[i] = fmax(z->size[i], fmax(sqrt(2 * floor / n->stiffness[i]), least));
    }
  }
}

static bool raise_scales(const sb_nominal *n, const sb_nominal_record *z) {
  bool raised = false;
  for (int p = 0; p < n->network->part_count; p++) {
    if (z->energy[p] > grown * z->scale[p]) {
      z->scale[p] = z->energy[p];
      raised = true;
    }
  }
  return raised;
}

void sb_nominal_measure(const sb_nominal *n, const sb_nominal_record *z, double t,
                        const double x[]) {
  for (int r = 0; r < n->run_count; r++) {
    const sb_nominal_run *run = &n->runs[r];
    double energy =
        scan(n->stiffness + run->first, x + run->first, z->size + run->first, run->count);
    z->energy[run->part] = sb_larger(z->energy[run->part], energy);
  }
  for (int i = 0; i < n->other_count; i++) {
    measure_other(n, z, n->others[i], t, x);
  }
  if (raise_scales(n, z)) {
    sb_peaks_find(n, z);
    raise_runs(n, z);
    for (int i = 0; i < n->other_count; i++) {
      measure_other(n, z, n->others[i], t, x);
    }
  }
  measure_quadratures(n, z, x);
  raise_blurred(n, 0, n->network->state_count, z->size);
}
