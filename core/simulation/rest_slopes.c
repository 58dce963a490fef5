// SPDX-License-Identifier: GPL-3.0-or-later
// Laws of dissipation with an infinite slope at rest, as e = r |f|^n sgn f with n < 1, or the flow through an orifice. What they
// bring to rest by themselves, m f' = -r |f|^n sgn f, is there at a finite time, T = m |f|^(1-n)/(r (1-n)) later, and stays. From
// then on f is rounding, or the error of a step, and the slope there, n r |f|^(n-1), without bound: explicit steps go to and fro,
// and Newton's iteration, from f to f (1 - 1/n) at first, leads away for n < 1/2.
// A state is known to rtol of the largest that it has been, and so is the input u of a law that states decide on; of a state that counts relative to
// more, as a tank at rest beside a jet that has just set in, to what the errors that states may have make of it. So within a fraction of that,
// |u| < rest, the law goes in proportion,
//   y = phi(rest) u/rest,
// which is phi(u') with some u' between zero and u: an input that is wrong by less than its tolerance. It gives no power, as phi does not.
#include <float.h>
#include <math.h>

#include "core/base/uneven.h"
#include "core/model/rhs.h"
#include "core/simulation/simulation_private.h"
#include "core/simulation/switching_private.h"

enum { INPUTS_MAX = 2 }; // with a heat port
/** Rest, in units of what an input may be wrong by. */
static const double fraction = 0.1;
/** Inputs [SI] beside zero between which the slope of a law grows by more than this factor, and the law itself has not arrived at its limit. */
static const double beside = 1e-30, nearer = 1e-60, grows = 2, arrived = 0.999;
/** How far a state is moved, as a fraction of its size, to see who depends on it; of one that has none, in its own unit. */
static const double moved = 1e-3, any = 1e-6;
/** What states may be wrong by is asked for again after the next step where rest has grown by that by more than this factor, else after twice as many
 *  steps as before. */
static const double grown = 1.1;

/** |y| of a law at the input u and the present signals, its other inputs as they are. Not a number: it is none of one input. */
static double size_at(const sb_simulation *sim, const sb_instance *instance, double u) {
  const sb_dissipation_hooks *hooks = instance->type->dissipation;
  double in[INPUTS_MAX], y[INPUTS_MAX];
  if (hooks == NULL || hooks->law == NULL || hooks->slope == NULL || !instance->hooked ||
      instance->dim != 1 || instance->components > INPUTS_MAX) {
    return NAN;
  }
  sb_at at = sb_at_instance(sim->work, instance, sim->t, sim->x);
  for (int k = 0; k < instance->components; k++) {
    in[k] = k == 0 ? u : at.in[k];
  }
  at.in = in;
  at.ports = NULL;
  at.branches = NULL;
  at.rest = NULL;
  return hooks->law(instance->self, &at, at.assigned, y) == 0 ? fabs(y[0]) : NAN;
}

/** Of a law that is continuous at zero. */
static bool is_steep(const sb_simulation *sim, const sb_instance *instance) {
  bool steep = false;
  for (int sign = -1; sign <= 1; sign += 2) {
    const double far = size_at(sim, instance, sign * beside),
                 near = size_at(sim, instance, sign * nearer);
    steep = steep || (near > grows * far * (nearer / beside) && near < arrived * far);
  }
  return steep;
}

static double input_of(const sb_simulation *sim, int index) {
  return sim->work->values[sim->network->instances[index].in];
}

/** Whether the input of a law depends on the states: one that sources alone decide on is exact. */
static bool has_moved(sb_simulation *sim, int index) {
  const double u = input_of(sim, index);
  for (int i = 0; i < sim->network->state_count; i++) {
    const double size = fmax(sim->nominal.used[i], fabs(sim->x[i]));
    sim->later[i] = sim->x[i] + (size > 0 && isfinite(size) ? moved * size : any) / (1 + i % 7);
  }
  const int refused = sim->work->refused; // by a step
  const bool known = sb_workspace_evaluate(sim->work, sim->t, sim->later) == 0;
  const bool depends = !known || input_of(sim, index) != u;
  sim->work->refused = refused;
  (void)sb_workspace_evaluate(sim->work, sim->t, sim->x);
  return depends;
}

/** That of the present causality. */
static double *rest_of(const sb_simulation *sim, int index) {
  const sb_workspace *work = sim->work;
  return work->rest + sb_rest_place(work->network, &work->network->instances[index],
                                    work->program->causality.assigned[index]);
}

void sb_rest_slopes_find(sb_simulation *sim) {
  for (int i = 0; i < sim->network->instance_count; i++) {
    double *rest = rest_of(sim, i);
    if (!(*rest > 0) && is_steep(sim, &sim->network->instances[i]) && has_moved(sim, i)) {
      *rest = DBL_MIN;
      sim->work->rest_fraction = fraction * sim->options.rtol;
    }
  }
  sb_rest_slopes_follow(sim);
}

/** What the inputs of steep laws change by as all states are moved by what they may be wrong by. @return whether rest has grown */
static bool follow_tolerances(sb_simulation *sim) {
  double *before = sim->port_sizes; // scratch: (instances)
  const int refused = sim->work->refused;
  (void)sb_workspace_evaluate(sim->work, sim->t, sim->x);
  for (int i = 0; i < sim->network->state_count; i++) {
    const double error = sb_nominal_tolerance(&sim->nominal, i, sim->x[i]);
    sim->later[i] = sim->x[i] + (isfinite(error) ? sb_uneven(i) * error : 0);
  }
  for (int i = 0; i < sim->network->instance_count; i++) {
    before[i] = *rest_of(sim, i) > 0 ? input_of(sim, i) : 0;
  }
  const bool known = sb_workspace_evaluate(sim->work, sim->t, sim->later) == 0;
  bool larger = false;
  for (int i = 0; known && i < sim->network->instance_count; i++) {
    double *rest = rest_of(sim, i);
    const double off = fabs(input_of(sim, i) - before[i]);
    larger = larger || (*rest > 0 && off > grown * *rest);
    *rest = *rest > 0 && isfinite(off) ? fmax(*rest, off) : *rest;
  }
  sim->work->refused = refused;
  (void)sb_workspace_evaluate(sim->work, sim->t, sim->x);
  return larger;
}

void sb_rest_slopes_follow(sb_simulation *sim) {
  const double within = sim->work->rest_fraction;
  if (!(within > 0)) {
    return;
  }
  for (int i = 0; i < sim->network->instance_count; i++) {
    double *rest = rest_of(sim, i);
    if (*rest > 0) {
      *rest = fmax(*rest, within * fabs(input_of(sim, i)));
    }
  }
  if (sim->accepted >= sim->rest_next) {
    const long before = sim->work->rhs_count;
    sim->rest_wait = follow_tolerances(sim) ? 1 : 2 * sim->rest_wait + 1;
    sim->rest_next = sim->accepted + sim->rest_wait;
    sim->beside += sim->work->rhs_count - before;
  }
}
