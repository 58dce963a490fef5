// SPDX-License-Identifier: GPL-3.0-or-later
// Did the solver use what the elements state? At every sample each element is asked once more by its
// own hooks, apart from the equations and the program that the right-hand side was made of:
//   structures  kernel rows, with the port variables; bonds at a shared port share its power
//   linear      y = K x or e = R f by the matrix, and by output() or law() where the kind has both
//   impacts     the energy of the lost velocities, and voltages, is what is lost (Carnot)
// and, in audit_hooks.c, what has hooks only.
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/audit/laws_private.h"
#include "core/base/array.h"
#include "core/causality/constraint.h"

sb_status sb_audit_laws_init(sb_audit *a) {
  int n = 0;
  for (int i = 0; i < a->network->instance_count; i++) {
    const sb_instance *instance = &a->network->instances[i];
    int states = instance->layout.states,
        most = instance->components > states ? instance->components : states;
    most = instance->signal_count > most ? instance->signal_count : most;
    n = most > n ? most : n;
  }
  a->in = sb_zeroed(6 * n, sizeof(double));
  a->before = sb_zeroed(a->network->state_count, sizeof(double));
  if (a->in == NULL || a->before == NULL) {
    return SB_ERR_MEMORY;
  }
  a->said = a->in + n;
  a->moved = a->said + n;
  a->spread = a->moved + n;
  a->own = a->spread + n;
  a->back = a->own + n;
  return SB_OK;
}

void sb_audit_laws_finish(sb_audit *a) {
  free(a->in);
  free(a->before);
  sb_kernel_finish(&a->kernel);
}

/** +1 where power that comes along the bond counts positive at its end, by the rule of element.h. */
static double stated_sign(const sb_instance *instance, bool arrives) {
  bool one = instance->layout.port_count == 1 && !instance->type->ports[0].many;
  bool takes = instance->type->storage != NULL || instance->type->dissipation != NULL ||
               (instance->type->structure != NULL && one);
  return takes == arrives ? 1 : -1;
}

static void check_end(sb_audit *a, int index, int port, int pair, bool arrives) {
  const sb_instance *instance = &a->network->instances[index];
  double sign = 0;
  if (instance->pairs[instance->first[port]] == pair) {
    sign = instance->signs[instance->first[port]];
  }
  for (int s = 0; s < a->network->shared_count; s++) {
    const sb_shared_port *shared = &a->network->shared[s];
    for (int b = shared->instance == index && shared->port == port ? shared->head : -1; b >= 0;
         b = a->network->shared_bonds[b].next) {
      sign = a->network->shared_bonds[b].pair == pair ? a->network->shared_bonds[b].sign : sign;
    }
  }
  sb_audit_note(a, index, sign == stated_sign(instance, arrives) ? 0 : 1);
}

void sb_audit_bonds(sb_audit *a) {
  for (int i = 0; i < a->network->bond_count; i++) {
    const sb_network_bond *bond = &a->network->bonds[i];
    check_end(a, bond->from, bond->from_port, bond->pair, false);
    check_end(a, bond->to, bond->to_port, bond->pair, true);
  }
}

/** The rows of a constant structure as its kernel() states them, each relative to its own terms. */
static void check_kernel(sb_audit *a, int index, double t, const double x[]) {
  const sb_instance *instance = &a->network->instances[index];
  sb_at at = sb_at_instance(a->work, instance, t, x);
  double *sum = a->in, *size = a->said;
  memset(sum, 0, (size_t)instance->components * sizeof *sum);
  memset(size, 0, (size_t)instance->components * sizeof *size);
  a->kernel.count = 0;
  instance->type->structure->kernel(instance->self, &at, &instance->layout, &a->kernel);
  for (int i = 0; i < a->kernel.count; i++) {
    const sb_kernel_entry *k = &a->kernel.entries[i];
    sum[k->row] += k->value * sb_port_value(a, instance, k->component, k->variable);
    size[k->row] += fabs(k->value) * sb_port_size(a, instance, k->component, k->variable);
  }
  for (int row = 0; row < instance->components; row++) {
    sb_note(a, index, fabs(sum[row]), size[row]);
  }
}

/** Bonds that meet at a port bring what it takes. */
static void check_shared(sb_audit *a, const sb_shared_port *shared, double elapsed) {
  const sb_instance *instance = &a->network->instances[shared->instance];
  const double *pairs = a->work->bond_values, *sizes = a->sizes;
  double sum = 0, size = 0;
  for (int k = 0; k < instance->layout.ports[shared->port].dim; k++) {
    int own = 2 * instance->pairs[instance->first[shared->port] + k];
    sum -= pairs[own] * pairs[own + 1];
    for (int b = shared->head; b >= 0; b = a->network->shared_bonds[b].next) {
      const sb_shared_bond *bond = &a->network->shared_bonds[b];
      int e = 2 * (bond->pair + k), f = e + 1;
      sum += pairs[e] * pairs[f] * bond->sign;
      size += sizes[e] * fabs(pairs[f]) + fabs(pairs[e]) * sizes[f];
    }
  }
  sb_note(a, shared->instance, fabs(sum), size);
  a->blame[shared->instance] += fabs(sum) * elapsed;
}

/** Row `i` of K x or R f, and the sum of the absolute values of its terms. */
static double row_of(const sb_audit *a, const sb_instance *instance, int i, const double x[],
                     double *size) {
  double sum = 0;
  *size = 0;
  for (int k = 0; k < instance->components; k++) {
    double factor = instance->matrix[i * instance->components + k];
    bool state = instance->type->storage != NULL;
    sum += factor * (state ? x[instance->state + k] : sb_port_value(a, instance, k, SB_FLOW));
    *size += fabs(factor) *
             (state ? fabs(x[instance->state + k]) : sb_port_size(a, instance, k, SB_FLOW));
  }
  return sum;
}

/** A linear element: its matrix, and what its hooks say besides. */
static void check_linear(sb_audit *a, int index, double t, const double x[]) {
  const sb_instance *instance = &a->network->instances[index];
  const sb_element_type *type = instance->type;
  bool storage = type->storage != NULL, says = false;
  sb_at at = sb_at_instance(a->work, instance, t, x);
  for (int k = 0; k < instance->components; k++) {
    a->in[k] = storage ? 0 : sb_port_value(a, instance, k, SB_FLOW);
  }
  at.in = a->in;
  if (storage && type->storage->output != NULL) {
    says = type->storage->output(instance->self, &at, a->said) == 0;
  } else if (!storage && type->dissipation->law != NULL) {
    says = type->dissipation->law(instance->self, &at, SB_FLOW, a->said) == 0;
  }
  for (int k = 0; k < instance->components; k++) {
    double size, y = row_of(a, instance, k, x, &size);
    sb_variable output = storage ? sb_output_of(a, index, k) : SB_EFFORT;
    // A tied storage follows the others to the rounding of all its motion, not of the moment.
    size =
        fmax(fmax(size, sb_port_size(a, instance, k, output)), storage ? a->amplitude[index] : 0);
    double off = fabs(y - sb_port_value(a, instance, k, output));
    off = says ? fmax(off, fabs(y - a->said[k])) : off;
    sb_note(a, index, off, size);
  }
}

/** A storage with a singular matrix: M y = x for the states that lead. */
static void check_singular(sb_audit *a, int index, const double x[]) {
  const sb_instance *instance = &a->network->instances[index];
  for (int i = 0, d = instance->components; i < d; i++) {
    double sum = -x[instance->state + i], size = a->amplitude[index];
    for (int k = 0; k < d; k++) {
      double factor = instance->inverse[i * d + k];
      sum += factor * sb_port_value(a, instance, k, sb_output_of(a, index, k));
      size = fmax(size, fabs(factor) * sb_port_size(a, instance, k, sb_output_of(a, index, k)));
    }
    sb_note(a, index, sb_instance_depends(instance, i) ? 0 : fabs(sum), size);
  }
}

/** Whether a constraint contains what hooks give, and so perhaps a source. */
static bool constraints_contain_values(const sb_audit *a) {
  return sb_constraints_contain(&a->work->program->causality, sb_value_var(a->network, 0), INT_MAX);
}

void sb_audit_strike(sb_audit *a, double restitution) {
  a->restitution = restitution;
  a->struck_source = constraints_contain_values(a);
}

/** With C x+ = 0 and x+ - x- = K^-1 C^T lambda the part x+.K(x+ - x-) of the loss is zero, and what
 *  remains of H(x-) - H(x+) is H(x+ - x-). With restitution e, x+ = x- + (1 + e)(xp - x-) for that
 *  xp, the loss is (1 - e)/(1 + e) of H(x+ - x-). */
void sb_audit_impact(sb_audit *a, const double x[]) {
  double kept = (1 - a->restitution) / (1 + a->restitution);
  double lost = 0, changed = 0, size = 0, most = 0;
  int worst = -1;
  for (int i = 0; i < a->network->instance_count; i++) {
    const sb_instance *instance = &a->network->instances[i];
    if (instance->type->storage == NULL || !instance->linear) {
      continue;
    }
    double own = 0;
    for (int k = 0, d = instance->components; k < d; k++) {
      double y = 0;
      for (int j = 0; j < d; j++) {
        int n = instance->state + j;
        y += instance->matrix[k * d + j] * (x[n] - a->before[n]);
      }
      own += 0.5 * y * (x[instance->state + k] - a->before[instance->state + k]);
    }
    worst = own > most ? i : worst;
    most = fmax(most, own);
    changed += own;
    lost += a->energy[i] - a->after[i];
    size += fabs(a->energy[i]) + fabs(a->after[i]);
  }
  if (worst >= 0 && !a->struck_source && !constraints_contain_values(a)) {
    sb_note(a, worst, fabs(lost - kept * changed), size);
  }
}

void sb_audit_laws(sb_audit *a, double t, const double x[], const double xdot[], double step,
                   double elapsed) {
  for (int i = 0; i < a->network->instance_count; i++) {
    const sb_instance *instance = &a->network->instances[i];
    if (instance->inverse != NULL) {
      check_singular(a, i, x);
    } else if (instance->linear) {
      check_linear(a, i, t, x);
    } else if (instance->type->structure != NULL && !instance->hooked) {
      check_kernel(a, i, t, x);
    } else if (instance->type->storage != NULL) {
      sb_audit_storage(a, i, t, x, xdot);
    } else if (instance->type->dissipation != NULL) {
      sb_audit_law(a, i, t, x);
    } else if (instance->type->source != NULL) {
      sb_audit_source(a, i, t, x, step);
    }
  }
  for (int i = 0; i < a->network->shared_count; i++) {
    check_shared(a, &a->network->shared[i], elapsed);
  }
}
