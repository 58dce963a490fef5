// SPDX-License-Identifier: GPL-3.0-or-later
// What the rounding of bond variables is a fraction of: the sum of the absolute values of the terms that each
// is computed from, back to states and sources. What a modulated structure gives is computed from its
// inputs: of a row sum E_k e_k + F_k f_k = 0 the output has the sizes of the other terms. Sizes never
// shrink in a run: as a variable passes zero, or decays, it is still computed from numbers that are known to
// the rounding of what they have been.
#include <math.h>
#include <string.h>

#include "core/audit/audit_private.h"
#include "core/base/uneven.h"
#include "core/base/wide.h"
#include "core/causality/constraint.h"
#include "core/model/constraints.h"

/** A chain of modulated structures is followed over this many of them: in a loop there is no end. Sizes that
 *  grow by less than a factor are known. */
enum { CHAIN_MAX = 3 };
static const double grown = 1.5;

/** The rows of one structure.  @return whether the size of an output has grown */
static bool pass_on(sb_audit *a, int index, const sb_kernel *kernel) {
  const sb_instance *instance = &a->network->instances[index];
  double *input = a->in;      // of each row the sizes of its inputs
  double *output = a->varied; // of each component the variable that is computed
  bool grew = false;
  for (int c = 0; c < instance->components; c++) {
    input[c] = 0;
    output[c] = sb_output_of(a, index, c);
  }
  for (int i = 0; i < kernel->count; i++) {
    const sb_kernel_entry *k = &kernel->entries[i];
    if (k->variable != output[k->component]) {
      int effort = sb_effort_var(instance, k->component);
      input[k->row] += fabs(k->value) * a->present_sizes[effort + (k->variable == SB_FLOW)];
    }
  }
  for (int i = 0; i < kernel->count; i++) {
    const sb_kernel_entry *k = &kernel->entries[i];
    double *size = &a->value_sizes[instance->out + k->component];
    if (k->variable == output[k->component] && k->value != 0 &&
        input[k->row] > grown * *size * fabs(k->value)) {
      *size = input[k->row] / fabs(k->value);
      grew = true;
    }
  }
  return grew;
}

static double length_of(const double v[3]) {
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/** What a storage has of energy in motion. */
static double moving_of(sb_audit *a, const sb_instance *instance, const sb_at *at) {
  const sb_storage_hooks *hooks = instance->type->storage;
  memset(a->x, 0, (size_t)instance->layout.states * sizeof *a->x);
  return hooks->sizes.nominal == NULL ? 0 : hooks->sizes.nominal(instance->self, at, 0, a->x, NULL);
}

/** The twist by which a storage has the energy below which nothing is followed in its part: no velocity is known better. A body that
 *  contacts hold at rest, as a link of a chain, may have been as fast as all that moves with it.
 *  @param first  component of the angular or of the linear velocity of a port
 *  @return the length of that velocity */
static double noise_velocity(sb_audit *a, int index, double t, const double x[], int first) {
  const sb_instance *instance = &a->network->instances[index];
  const sb_storage_hooks *hooks = instance->type->storage;
  const sb_at at = sb_at_instance(a->work, instance, t, x);
  const int part = a->network->part_of[index];
  double floor = a->nominal->noise[part] / pow(a->options->rtol, 2), sum = 0;
  floor += a->nominal->idle[part] > 0 ? moving_of(a, instance, &at) : 0;
  double *w = a->in, *y = a->varied;
  memset(w, 0, (size_t)instance->components * sizeof *w);
  memset(y, 0, (size_t)instance->components * sizeof *y);
  w[first] = w[first + 1] = w[first + 2] = 1;
  if (!(floor > 0) ||
      hooks->constraints.acceleration->impulse(instance->self, &at, w, NULL, NULL, y) != 0) {
    return 0;
  }
  for (int k = first; k < first + 3; k++) {
    sum += y[k];
  }
  return sum > 0 ? sqrt(2 * floor / sum) * length_of(y + first) : 0;
}

/** A twist in world axes is known to the rounding of its vectors, not of their components: these are turned there. */
static void size_twists(sb_audit *a, int index, double t, const double x[]) {
  const sb_instance *instance = &a->network->instances[index];
  for (int port = 0; port < instance->layout.port_count; port++) {
    for (int k = 0; instance->layout.ports[port].dim == 6 && k < 6; k += 3) {
      int first = instance->out + instance->first[port] + k;
      const double *y = a->work->values + first;
      double length = fmax(length_of(y), noise_velocity(a, index, t, x, instance->first[port] + k));
      if (k == 3 && a->nominal->idle[a->network->part_of[index]] > 0) {
        length =
            fmax(length, length_of(y - 3)); // v - w x r, of a contact that stands at the origin
      }
      for (int i = 0; i < 3; i++) {
        a->value_sizes[first + i] = length;
      }
    }
  }
}

/** A flow in a constraint may be zero while all beside it moves, as at a locked joint: it is known to the rounding of the
 *  largest that it could be with the energy T in motion, y^2 <= 2 T m^-1. */
static void size_constrained(sb_audit *a, const sb_instance *instance, const sb_at *at,
                             double least) {
  const sb_causality *c = &a->work->program->causality;
  const double energy = 2 * moving_of(a, instance, at) + least;
  memset(a->in, 0, (size_t)instance->components * sizeof *a->in);
  for (int k = 0; k < instance->components; k++) {
    const int var = sb_value_var(a->network, instance->out + k);
    double *size = &a->value_sizes[instance->out + k];
    a->in[k] = 1;
    if (sb_constraints_contain(c, var, var + 1) &&
        instance->type->storage->constraints.acceleration->impulse(instance->self, at, a->in, NULL,
                                                                   NULL, a->varied) == 0) {
      *size = fmax(*size, sqrt(energy * fabs(a->varied[k])));
    }
    a->in[k] = 0;
  }
}

/** No motion counts whose energy is less than the rounding of H: a flow is at least sqrt(2 eps H m^-1), with the inverse
 *  inertia m^-1 that an impulse at the ports finds; nor one that is a rounding of the flow with the energy of the whole part. What constraints hold at rest moves by the rounding of the
 *  forces on it: it is known to that of the motion which these would have given it in a step. */
static void size_motions(sb_audit *a, const sb_instance *instance, double t, const double x[]) {
  sb_at at = sb_at_instance(a->work, instance, t, x);
  const int index = (int)(instance - a->network->instances);
  const double H = sb_instance_energy(a->work, index, t, x),
               own = DBL_EPSILON * sb_storage_terms(instance, H, &at),
               all = a->courses[a->network->part_of[index]].most.terms,
               hold = a->nominal->hold[a->network->part_of[index]],
               least = 2 * fmax(fmax(own, DBL_EPSILON * DBL_EPSILON * all), hold);
  for (int k = 0; k < instance->components; k++) {
    a->in[k] = sb_uneven(k); // of all ports at once: those of one body must not cancel
  }
  if (instance->type->storage->constraints.acceleration->impulse(instance->self, &at, a->in, NULL,
                                                                 NULL, a->varied) != 0) {
    return;
  }
  for (int k = 0; k < instance->components; k++) {
    double *size = &a->value_sizes[instance->out + k];
    *size = fmax(*size, sqrt(least * fabs(a->varied[k])));
  }
  size_constrained(a, instance, &at, least);
}

/** A dependent state is what its constraint leaves of others, x_d = -sum c_k x_k / c_d, and is known to the rounding of these terms: a
 *  capacitor that two gyrators hold at zero has nothing else. */
static void size_dependent(sb_audit *a) {
  const sb_causality *c = &a->work->program->causality;
  const int base = sb_known_base(a->network), states = a->network->state_count;
  // The later first, as they are set (enforce.c).
  for (int i = c->constraint_count - 1; i >= 0; i--) {
    int count;
    const sb_term *terms = sb_constraint_terms(c, i, &count);
    const int state = sb_constraint_state(c, i);
    double sum = 0, pivot = 1;
    if (sb_constraint_has_multiplier(c, i)) {
      continue;
    }
    for (int k = 0; k < count; k++) {
      const int known = terms[k].var - base;
      if (known == state) {
        pivot = fabs(terms[k].factor);
      } else {
        sum += fabs(terms[k].factor *
                    (known < states ? a->state_sizes[known] : a->work->values[known - states]));
      }
    }
    a->state_sizes[state] = fmax(fabs(a->state_sizes[state]), sum / pivot);
  }
}

/** What constraints hold is known to the rounding of the motion that their forces would give it in a step, and of that which the impulse of
 *  an event has taken from it. */
static void size_states(sb_audit *a) {
  for (int i = 0; i < a->network->instance_count; i++) {
    const sb_instance *instance = &a->network->instances[i];
    const int d = instance->components, part = a->network->part_of[i];
    for (int k = 0; instance->linear && instance->type->storage != NULL && k < d; k++) {
      const double K = instance->matrix[k * d + k];
      double *size = &a->state_sizes[instance->state + k];
      if (K > 0 && sb_constraints_hold(a->work, instance->state + k)) {
        const double pushed = sqrt(2 * a->nominal->hold[part] / K);
        *size = fmax(fabs(*size), fmax(pushed, a->struck[instance->state + k]));
      }
    }
  }
  size_dependent(a);
}

/** The same of what an impulse has taken from the outputs of storages with hooks. */
static void size_outputs(sb_audit *a) {
  for (int i = 0; i < a->network->instance_count; i++) {
    const sb_instance *instance = &a->network->instances[i];
    const bool counts =
        !instance->linear && instance->type->storage != NULL && sb_storage_has_outputs(instance);
    for (int k = 0; counts && k < instance->components; k++) {
      a->value_sizes[instance->out + k] =
          sb_constraints_hold(a->work, instance->state + k) ? a->struck[instance->state + k] : 0;
    }
  }
}

/** An effort beside a flow f over a time t does a work that counts if it is a rounding of the energy E of its part, e = eps E/(f t): what is
 *  left of forces that have vanished is smaller, and is known no better than that. It falls with t, so that it counts at present alone. */
static void size_vanished(sb_audit *a, double t) {
  const double elapsed = t - a->ledger.t_start;
  for (int i = 0; i < a->network->instance_count && elapsed > 0; i++) {
    const sb_instance *instance = &a->network->instances[i];
    for (int k = 0; k < instance->components; k++) {
      double *effort = &a->sizes[sb_effort_var(instance, k)];
      const double work = a->sizes[sb_flow_var(instance, k)] * elapsed;
      const double least = DBL_EPSILON * a->courses[a->network->part_of[i]].most.terms;
      *effort = work > 0 && least < HUGE_VAL * work ? fmax(*effort, least / work) : *effort;
    }
  }
}

/** The sizes of linear storages by x. */
static void size_linear(sb_audit *a, int index, const double x[]) {
  const sb_instance *instance = &a->network->instances[index];
  for (int k = 0; k < instance->components; k++) {
    const int var = sb_effort_var(instance, k);
    double *largest = &a->largest[var], *struck = &a->struck[instance->state + k], size = 0;
    *struck = sb_larger(*struck, fabs(x[instance->state + k]));
    for (int j = 0; j < instance->components; j++) {
      size += fabs(instance->matrix[k * instance->components + j] * x[instance->state + j]);
    }
    largest += sb_output_of(a, index, k) == SB_EFFORT ? 0 : sb_flow_var(instance, k) - var;
    *largest = sb_larger(*largest, size);
  }
}

void sb_audit_size_states(sb_audit *a, double t, const double x[]) {
  for (int i = 0; i < a->network->instance_count; i++) {
    const sb_instance *instance = &a->network->instances[i];
    if (instance->type->storage == NULL) {
      continue;
    }
    if (instance->linear) {
      size_linear(a, i, x);
    } else if (sb_storage_has_outputs(instance)) {
      const sb_at at = sb_at_instance(a->work, instance, t, x);
      const bool known = instance->type->storage->output(instance->self, &at, a->varied) == 0;
      for (int k = 0; known && k < instance->components; k++) {
        double *struck = &a->struck[instance->state + k];
        *struck = sb_larger(*struck, fabs(a->varied[k]));
      }
    }
  }
}

static void trace_sizes(sb_audit *a) {
  sb_trace_sizes(a->work, a->state_sizes, a->value_sizes, a->solved_sizes, a->present_sizes);
}

void sb_audit_present_sizes(sb_audit *a, double t, const double x[]) {
  bool grew = true;
  for (int i = 0; i < a->network->instance_count; i++) {
    a->kernels[i].count = 0;
  }
  memset(a->value_sizes, 0, (size_t)a->network->value_count * sizeof *a->value_sizes);
  size_outputs(a);
  for (int i = 0; i < a->network->instance_count; i++) {
    if (sb_instance_accelerates(&a->network->instances[i])) {
      size_twists(a, i, t, x);
      size_motions(a, &a->network->instances[i], t, x);
    }
  }
  a->solved_sizes = sb_constraints_sizes(a->work, x, a->value_sizes, a->state_sizes);
  size_states(a);
  trace_sizes(a);
  for (int pass = 0; grew && pass < CHAIN_MAX; pass++) {
    grew = false;
    for (int i = 0; i < a->network->instance_count; i++) {
      const sb_instance *instance = &a->network->instances[i];
      if (instance->type->structure != NULL && instance->hooked &&
          !sb_live_idles(&a->work->live, i)) {
        const sb_kernel *kernel = sb_audit_modulated_kernel(a, i, t, x);
        grew = (kernel != NULL && pass_on(a, i, kernel)) || grew;
      }
    }
    if (grew) {
      trace_sizes(a);
    }
  }
}

/** A state of no more than rounding of its nominal size has no digits of its own. @return whether there is one */
static bool floor_states(sb_audit *a) {
  bool any = false;
  for (int k = 0; k < a->network->state_count; k++) {
    const double least = DBL_EPSILON * a->nominal->now.size[k];
    any = any || fabs(a->state_sizes[k]) < least;
    a->state_sizes[k] = fmax(fabs(a->state_sizes[k]), least);
  }
  return any;
}

void sb_audit_sizes(sb_audit *a, double t, const double x[]) {
  sb_audit_present_sizes(a, t, x);
  const bool floors = floor_states(a);
  if (sb_audit_size_signals(a, t, x, true) || floors) {
    trace_sizes(a);
  }
  for (int i = 0; i < 2 * a->network->pair_count; i++) {
    a->sizes[i] = a->largest[i] = sb_larger(a->largest[i], a->present_sizes[i]);
  }
  size_vanished(a, t);
}
