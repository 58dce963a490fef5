// SPDX-License-Identifier: GPL-3.0-or-later
// Discrete gradients. The compiled model is port-Hamiltonian,
//   xdot = (J - R) grad H(x) + G u(t),      dH/dt = grad H . xdot,
// and a step from x0 to x1 replaces the gradient by a discrete one, DH(x0, x1), with
//   DH . (x1 - x0) = H(x1) - H(x0)                                    (the chain rule, exactly)
//   (x1 - x0)/h = (J - R)(xm, tm) DH(x0, x1) + G u(tm),  xm = (x0 + x1)/2,  tm = t0 + h/2.
// J is skew-symmetric, so that the power balance of the ports holds for the means over the step:
//   H(x1) - H(x0) = h (sum of the sources' powers - sum of the dissipations' powers),
// for every H and every h. Storages give DH as their outputs (discrete_storage.c); laws, structures and
// signals are evaluated with these and at the middle; the ledger integrates the same efforts and flows.
// Linear storages, H = x.Kx/2, have DH = K xm, which is their row at xm: nothing is to be replaced.
//
// Dependent storages, C x = s(t), are computed from the others by C xdot = sdot. At the middle
// C xm = (s0 + s1)/2, and C (x1 - x0)/h = (s1 - s0)/h: with these in the place of s(tm) and sdot(tm)
// (discrete_source.c) their effort is K xm, their discrete gradient, and the balance holds for them too.
#include <math.h>
#include <string.h>

#include "core/causality/constraint.h"
#include "core/integrator/discrete_gradient_private.h"

/** A storage's discrete gradient in the place of its output; its signals are those at the middle. */
static int run_output(sb_workspace *work, const sb_op *op, double t, const double x[],
                      double xdot[]) {
  (void)xdot;
  sb_discrete *s = sb_discrete_of(work);
  const sb_instance *instance = &work->network->instances[op->instance];
  double *y = work->values + instance->out;
  if (s->constraints.constrained[op->instance]) {
    memcpy(y,
           sb_discrete_structured(instance) ? s->constraints.means + instance->out
                                            : s->constraints.outputs + instance->state,
           (size_t)instance->components * sizeof *y);
    return 0;
  }
  return sb_discrete_output(s, instance, t, x, y);
}

/** And the mean rate of that in the place of its rate. */
static int run_output_rate(sb_workspace *work, const sb_op *op, double t, const double x[],
                           double xdot[]) {
  (void)xdot;
  const sb_instance *instance = &work->network->instances[op->instance];
  return sb_discrete_output_rate(sb_discrete_of(work), instance, t, x,
                                 work->values + sb_rate_value(work->network, instance->out));
}

/** Whether a storage with hooks is of the form y = dH/dx, xdot = u: as many states as components,
 *  an energy of these alone, and a rate that at the start is its input. */
static bool has_gradient_form(const sb_discrete *s, const sb_instance *instance) {
  const sb_storage_hooks *hooks = instance->type->storage;
  int n = instance->components;
  if (instance->layout.states != n || instance->wire_count > 0 || instance->mode >= 0) {
    return false;
  }
  double *x = s->scratch, *u = x + n, *xdot = u + n, *y = xdot + n;
  memset(x, 0, (size_t)n * sizeof *x);
  if (hooks->start != NULL) {
    hooks->start(instance->self, x);
  }
  for (int i = 0; i < n; i++) {
    u[i] = 1.37 + 0.71 * i;
  }
  sb_at at = sb_at_instance(s->work, instance, 0, x);
  at.x = x;
  at.in = u;
  bool ok =
      hooks->output(instance->self, &at, y) == 0 && hooks->rate(instance->self, &at, xdot) == 0;
  for (int i = 0; ok && i < n; i++) {
    ok = fabs(xdot[i] - u[i]) <= sb_energy_rounding * u[i];
  }
  return ok;
}

static sb_status check_storages(const sb_discrete *s, const sb_method *method, sb_error *err) {
  for (int i = 0; i < s->work->network->instance_count; i++) {
    const sb_instance *instance = &s->work->network->instances[i];
    if (instance->type->storage != NULL && !sb_discrete_structured(instance) && !instance->linear &&
        !has_gradient_form(s, instance)) {
      sb_status status = sb_fail(err, SB_ERR_USAGE, "%s is not for '%s' (%s)", method->name,
                                 instance->id, instance->type->name);
      sb_error_hint(err, "a storage must have one state for each component of its port, and an "
                         "energy of these alone, or be a mechanism");
      sb_place_into(&instance->place, err);
      return status;
    }
  }
  return SB_OK;
}

/** Of a rigid contact the position is held as well as the rate, and closed again behind every step: that is not free of work. */
static sb_status check_contacts(const sb_discrete *s, const sb_method *method, sb_error *err) {
  const sb_network *network = s->work->network;
  for (int i = 0; i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    if (instance->type->switching != NULL && instance->type->switching->unilateral != NULL) {
      (void)sb_fail(err, SB_ERR_USAGE, "%s is not for '%s' (%s), which is rigid", method->name,
                    instance->id, instance->type->name);
      sb_error_hint(err, "take a Runge-Kutta method, such as dormand-prince-5");
      sb_place_into(&instance->place, err);
      return SB_ERR_USAGE;
    }
  }
  return SB_OK;
}

/** In constraints with a multiplier the states of linear storages are chosen by their outputs: none of
 *  them may have a singular matrix. An algebraic variable over a step would follow from those. */
static sb_status check_constraints(const sb_discrete *s, const sb_method *method, sb_error *err) {
  const sb_network *network = s->work->network;
  const sb_causality *c = &s->program.causality;
  if (c->algebraic_count > 0) {
    const sb_instance *reader = &network->instances[c->algebraics[0].instance];
    (void)sb_fail(err, SB_ERR_USAGE, "%s is not for what '%s' reads, which no storage determines",
                  method->name, reader->id);
    sb_error_hint(err,
                  "put an I or C at '%s.%s', or take a Runge-Kutta method, such as "
                  "implicit-midpoint",
                  reader->id, sb_algebraic_port(network, &c->algebraics[0]));
    sb_place_into(&reader->place, err);
    return SB_ERR_USAGE;
  }
  for (int i = 0; i < c->constraint_count && s->program.substitute != NULL; i++) {
    int count;
    const sb_term *terms = sb_constraint_terms(c, i, &count);
    for (int k = 0; k < count; k++) {
      int owner = sb_owner_of(network, terms[k].var - sb_known_base(network));
      const sb_instance *instance = &network->instances[owner];
      if (instance->inverse != NULL) {
        (void)sb_fail(err, SB_ERR_USAGE, "%s is not for '%s' (%s) in a constraint that changes",
                      method->name, instance->id, instance->type->name);
        sb_error_hint(err, "its matrix is singular: take a Runge-Kutta method, such as "
                           "implicit-midpoint");
        sb_place_into(&instance->place, err);
        return SB_ERR_USAGE;
      }
    }
  }
  return SB_OK;
}

/** The program, with operations of its own. */
static void copy_program(sb_discrete *s) {
  s->program = *s->work->program;
  s->program.substitute = sb_has_multipliers(&s->program.causality) ? sb_discrete_substitute : NULL;
  s->program.operations = s->operations;
  memcpy(s->operations, sb_operations, sizeof s->operations);
  s->operations[SB_OP_OUTPUT].run = run_output;
  s->operations[SB_OP_OUTPUT_DOT].run = run_output_rate;
  sb_discrete_structure_operations(s->operations);
  sb_discrete_source_operations(s->operations);
  if (s->program.substitute != NULL) {
    sb_discrete_modulation_operations(s->operations);
  }
}

sb_status sb_discrete_init(sb_discrete *s, sb_workspace *work, const sb_method *method,
                           sb_error *err) {
  int most = 0;
  for (int i = 0; i < work->network->instance_count; i++) {
    const sb_instance *instance = &work->network->instances[i];
    most = instance->components > most ? instance->components : most;
    most = instance->layout.states > most ? instance->layout.states : most;
  }
  *s = (sb_discrete){.work = work, .form = sb_integrator_of(method)->table};
  copy_program(s);
  s->scratch = sb_arena_zeroed(&s->memory, 4 * most, sizeof(double));
  if (s->scratch == NULL || !sb_discrete_structures_init(s) || !sb_discrete_constraints_init(s) ||
      !sb_discrete_modulation_init(s)) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  SB_TRY(check_storages(s, method, err));
  SB_TRY(check_contacts(s, method, err));
  return check_constraints(s, method, err);
}

void sb_discrete_finish(sb_discrete *s) {
  sb_arena_finish(&s->memory);
}
