// SPDX-License-Identifier: GPL-3.0-or-later
// Do the rates of a storage, its energy and its ports belong together?
//   dH/dt = sum dH/dx_k xdot_k = e . f
// with the rates that the integrator uses and the port variables that the network solves for. Of H = x.Kx/2 the
// left side is exact; of others it is the difference of the element's own energy along xdot (differences.h), by a
// step in which each state changes by a small fraction of its nominal size. No other element enters: a fault is
// in this one.
// The error is relative to the largest sum of |dH/dx_k xdot_k| and |e_k f_k| so far. Subtracted are what
// the differences do not know: their truncation, the rounding of H (a multiple of eps times its terms), and that of
// the states, eps |dH/dx_k x_k|; noise that these do not tell, as of an argument that is small against a
// constant beside it, is shown by fourth differences.
#include <math.h>
#include <string.h>

#include "core/audit/audit_private.h"
#include "core/audit/differences.h"
#include "core/graph/domain.h"

/** Roundings in the evaluation of an energy, and in that of a power. */
static const double evaluation_rounding = 8 * DBL_EPSILON;

/** [s] in which no state of the storage changes by more than its size, nor its energy by more than itself; 0: none
 *  of them changes, or nothing is known of it. */
static double time_of(const sb_audit *a, const sb_instance *instance, double H, double power,
                      const double x[], const double xdot[]) {
  double time = HUGE_VAL;
  for (int k = instance->state; k < instance->state + instance->layout.states; k++) {
    double size = a->nominal->used[k] > 0 ? a->nominal->used[k] : fabs(x[k]);
    if (!(size > 0) && xdot[k] != 0) {
      return 0; // at the start, before sizes are known
    }
    time = xdot[k] != 0 ? fmin(time, size / fabs(xdot[k])) : time;
  }
  bool ahead = instance->type->storage->audit.ahead != NULL;
  time = ahead && power != 0 ? fmin(time, fabs(H / power)) : time;
  return isfinite(time) ? time : 0;
}

/** H after a time h at the rates xdot of the states `from` to `to` [J]. */
static double energy_after(sb_audit *a, int index, const sb_at *start, const double x[],
                           const double xdot[], int from, int to, double h) {
  const sb_instance *instance = &a->network->instances[index];
  const sb_storage_hooks *hooks = instance->type->storage;
  sb_at at = *start;
  for (int k = 0; k < instance->layout.states; k++) {
    int state = instance->state + k;
    a->x[state] = x[state] + (k >= from && k < to ? h * xdot[state] : 0);
  }
  at.x = a->x + instance->state;
  return hooks->audit.ahead != NULL ? hooks->audit.ahead(instance->self, &at, h)
                                    : hooks->energy(instance->self, &at);
}

/** A storage whose energy is differenced along its rates. */
typedef struct moving {
  sb_audit *audit;
  int index;
  const sb_at *at;
  const double *x, *xdot;
} moving;

static double energy_along(const void *context, double h) {
  const moving *m = context;
  const sb_instance *instance = &m->audit->network->instances[m->index];
  return energy_after(m->audit, m->index, m->at, m->x, m->xdot, 0, instance->layout.states, h);
}

static double terms_of(const sb_audit *a, const sb_instance *instance, double H, double t,
                       const double x[]) {
  const sb_at at = sb_at_instance(a->work, instance, t, x);
  return sb_storage_terms(instance, H, &at);
}

/** To what H is known near x [J]. */
static double rounding_of(const sb_audit *a, const sb_instance *instance, double H, double t,
                          const double x[]) {
  const double terms = terms_of(a, instance, H, t, x);
  return evaluation_rounding * terms + DBL_EPSILON * sb_storage_moved(a, instance, terms, x);
}

/** An energy that reads signals is stated twice, now and ahead: at the present both must be one, as the balance
 *  uses the first and the differences the second. */
static void check_ahead(sb_audit *a, int index, const sb_at *at, double H, double terms) {
  const sb_instance *instance = &a->network->instances[index];
  const sb_storage_hooks *hooks = instance->type->storage;
  if (hooks->audit.ahead != NULL) {
    double error = fabs(hooks->audit.ahead(instance->self, at, 0) - H);
    sb_audit_difference(a, index, fmax(0, error - evaluation_rounding * terms), terms);
  }
}

/** The lengths of effort and flow of the vectors at the ports, multiplied [W]: a force across the velocity gives no power
 *  but by rounding, which is a fraction of this. */
static double size_of_vectors(const sb_audit *a, const sb_instance *instance) {
  double size = 0;
  for (int p = 0; p < instance->layout.port_count; p++) {
    const sb_port *port = &instance->layout.ports[p];
    const sb_domain *domain = port->domain == NULL ? NULL : sb_domain_find(port->domain);
    int n = domain == NULL ? 0 : domain->vector;
    for (int first = 0; n > 0 && first + n <= port->dim; first += n) {
      double e = 0, f = 0;
      for (int k = instance->first[p] + first; k < instance->first[p] + first + n; k++) {
        e = hypot(e, sb_port_value(a, instance, k, SB_EFFORT));
        f = hypot(f, sb_port_value(a, instance, k, SB_FLOW));
      }
      size += e * f;
    }
  }
  return size;
}

/** Storages with more states than this tell by one hook what these change: one energy for each would cost the square. */
enum { STATES_ONE_BY_ONE = 16 };

/** The sum of what the states change of H in a time h, each by itself [J].
 *  @param moved  out: the sum of |dH/dx_k x_k|, of which the rounding of states is eps: an angle of thousands of turns is known to
 *                many roundings of one; 0 where the states are not asked one by one [J] */
static double changes_of(sb_audit *a, int index, const sb_at *at, const double x[],
                         const double xdot[], double H, double h, double *moved) {
  const sb_instance *instance = &a->network->instances[index];
  const sb_storage_hooks *hooks = instance->type->storage;
  int states = instance->layout.states;
  double changes = 0;
  *moved = 0;
  if (states > STATES_ONE_BY_ONE && hooks->audit.exchanged != NULL) {
    for (int k = instance->state; k < instance->state + states; k++) {
      a->x[k] = x[k] - h * xdot[k];
    }
    return hooks->audit.exchanged(instance->self, at, a->x + instance->state);
  }
  for (int k = 0; k < states; k++) {
    const double change = fabs(energy_after(a, index, at, x, xdot, k, k + 1, h) - H),
                 moves = h * fabs(xdot[instance->state + k]);
    changes += change;
    *moved += moves > 0 ? change / moves * fabs(x[instance->state + k]) : 0;
  }
  return changes;
}

/** Shortens a step by which H changes faster than by its ports, as long as it changes the less for that, and less than the square of h does
 *  at a minimum of H: from the tail of an energy a step by the sizes of states leads to where there is more of it.
 *  @param moved  as of changes_of(), over the step  @return what H changes [J] */
static double changes_nearby(sb_audit *a, int index, const sb_at *at, const double x[],
                             const double xdot[], double H, double size, double *h, double *moved) {
  static const double shorter = 1.0 / 16, faster = 2, less = 0.5 * shorter * shorter;
  double changes = changes_of(a, index, at, x, xdot, H, *h, moved);
  while (changes > faster * size * *h) {
    double moved_nearby;
    const double step = shorter * *h,
                 nearby = changes_of(a, index, at, x, xdot, H, step, &moved_nearby);
    if (!(nearby < less * changes)) {
      break;
    }
    *h = step;
    *moved = moved_nearby;
    changes = nearby;
  }
  return changes;
}

/** By differences.  @param power  at the ports  @param size  in: of its terms; out: of those of dH/dt, if larger
 *  @return the error [W] */
static double error_of_hooks(sb_audit *a, int index, double t, const double x[],
                             const double xdot[], double power, double *size) {
  const sb_instance *instance = &a->network->instances[index];
  sb_at at = sb_at_instance(a->work, instance, t, x);
  for (int k = 0; k < instance->components; k++) {
    a->in[k] = sb_port_value(a, instance, k, sb_other(sb_output_of(a, index, k)));
  }
  at.in = a->in;
  *size = fmax(*size, size_of_vectors(a, instance));
  double H = sb_instance_energy(a->work, index, t, x);
  check_ahead(a, index, &at, H, terms_of(a, instance, H, t, x));
  double time = time_of(a, instance, H, power, x, xdot), h = sb_difference_step * time;
  if (!(h > 0)) {
    return 0;
  }
  double moved;
  const double changes = changes_nearby(a, index, &at, x, xdot, H, *size, &h, &moved);
  *size = fmax(*size, changes / h);
  const moving m = {a, index, &at, x, xdot};
  double rounding = rounding_of(a, instance, H, t, x) + DBL_EPSILON * moved;
  return sb_value_rate_error(energy_along, &m, h, power, *size, rounding);
}

/** x.(K + K^T) xdot/2, to the rounding of what states and rates are left of. */
static double error_of_matrix(const sb_audit *a, int index, const double x[], const double xdot[],
                              double power, double *size) {
  const sb_instance *instance = &a->network->instances[index];
  double sum = 0, terms = 0, left_of = 0;
  const double *q = x + instance->state, *qdot = xdot + instance->state,
               *q_size = a->state_sizes + instance->state;
  for (int i = 0, d = instance->components; i < d; i++) {
    const double rate_size = sb_port_size(a, instance, i, sb_other(sb_output_of(a, index, i)));
    for (int k = 0; k < d; k++) {
      double K = 0.5 * (instance->matrix[i * d + k] + instance->matrix[k * d + i]);
      sum += K * q[k] * qdot[i];
      terms += fabs(K * q[k] * qdot[i]);
      left_of += fabs(K) * (fabs(q_size[k] * qdot[i]) + fabs(q[k]) * rate_size +
                            DBL_EPSILON * fabs(q_size[k]) * rate_size);
    }
  }
  *size = fmax(*size, terms);
  return sb_beyond_rounding(fabs(sum - power), left_of);
}

void sb_audit_storages(sb_audit *a, double t, const double x[], const double xdot[],
                       double elapsed) {
  for (int i = 0; i < a->network->instance_count; i++) {
    const sb_instance *instance = &a->network->instances[i];
    if (instance->type->storage == NULL || instance->inverse != NULL || a->still[i]) {
      continue;
    }
    double size, power = sb_port_power(a, instance, &size);
    double error = instance->linear ? error_of_matrix(a, i, x, xdot, power, &size)
                                    : error_of_hooks(a, i, t, x, xdot, power, &size);
    a->power_max[i] = fmax(a->power_max[i], size);
    sb_audit_power(a, i, error, a->power_max[i], elapsed);
    sb_audit_difference(a, i, error, a->power_max[i]);
  }
}

int sb_audit_below_zero(const sb_audit *a) {
  for (int i = 0; i < a->ledger.part_count; i++) {
    const sb_balance *now = &a->now[i];
    const double stake = fmax(a->courses[i].most.exchanged, now->exchanged);
    if (now->below > a->options->rtol * stake + now->loose + DBL_EPSILON * now->places) {
      return now->below_of;
    }
  }
  return -1;
}

int sb_audit_not_finite(const sb_audit *a, double t, const double x[]) {
  bool finite = true;
  for (int i = 0; i < a->ledger.part_count; i++) {
    finite = finite && isfinite(a->now[i].stored);
  }
  for (int i = 0; i < a->network->instance_count && !finite; i++) {
    if (!isfinite(sb_instance_energy(a->work, i, t, x))) {
      return i;
    }
  }
  return -1;
}
