// SPDX-License-Identifier: GPL-3.0-or-later
// Discrete gradients. The compiled model is port-Hamiltonian,
//   xdot = (J - R) grad H(x) + G u(t),      dH/dt = grad H . xdot,
// and a step from x0 to x1 replaces the gradient by a discrete one, DH(x0, x1), with
//   DH . (x1 - x0) = H(x1) - H(x0)                                    (the chain rule, exactly)
//   (x1 - x0)/h = (J - R)(xm, tm) DH(x0, x1) + G u(tm),  xm = (x0 + x1)/2,  tm = t0 + h/2.
// J is skew, so that the power balance of the ports holds for the means over the step:
//   H(x1) - H(x0) = h (sum of the sources' powers - sum of the dissipations' powers),
// for every H and every h. Storages give DH as their outputs; laws, structures and signals are
// evaluated with these and at the middle; the ledger integrates the same efforts and flows.
//
// Linear storages, H = x.Kx/2:  DH = K xm, which is their row at xm: nothing is to be replaced.
// Others, with d = x1 - x0 and g = grad H (Gonzalez 1996; McLachlan, Quispel, Robidoux 1999):
//   midpoint    DH = g(xm) + (H(x1) - H(x0) - g(xm).d) / |d|^2 d
//   mean value  DH = integral of g(x0 + s d) ds from 0 to 1, by a Gauss rule
// For one state both are (H(x1) - H(x0)) / d. The difference of energies cancels as d becomes small;
// there the integral of g.d by the same Gauss rule is exact to rounding of itself, and is used. The
// mean value is corrected as the other form wherever the two differ by more than rounding (kinks,
// very long steps), so that the chain rule holds for both.
//
// Tied storages, C x = s(t), follow the others by C xdot = sdot. At the middle C xm = (s0 + s1)/2, and
// C (x1 - x0)/h = (s1 - s0)/h: with these in the place of s(tm) and sdot(tm) their effort is K xm,
// their discrete gradient, and the balance holds for them too.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/integrator/discrete_gradient_private.h"

/** The difference of two energies is a number of this many roundings, of what they are summed up from,
 *  at the most; what differs by less from the integral is taken from the integral. */
static const double energy_rounding = 16 * DBL_EPSILON;

/** Gauss and Legendre's rule of order 16 on [-1, 1]: half of its points and weights. */
enum { GAUSS_HALF = 4 };
static const double gauss_point[GAUSS_HALF] = {0.18343464249564980494, 0.52553240991632898582,
                                               0.79666647741362673959, 0.96028985649753623168};
static const double gauss_weight[GAUSS_HALF] = {0.36268378337836198297, 0.31370664587788728734,
                                                0.22238103445337447054, 0.10122853629037625915};

static double dot(const double a[], const double b[], int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    sum += a[i] * b[i];
  }
  return sum;
}

/** x0 + (1 + z)/2 d of a storage's states, z in [-1, 1]. */
static void point_at(const double x0[], const double d[], double z, int n, double x[]) {
  for (int i = 0; i < n; i++) {
    x[i] = x0[i] + 0.5 * (1 + z) * d[i];
  }
}

/** The average of the gradient over the step; g and x are scratch. */
static int average(const sb_instance *instance, sb_at at, const double x0[], const double d[],
                   double x[], double g[], double mean[]) {
  int n = instance->components;
  memset(mean, 0, (size_t)n * sizeof *mean);
  at.x = x;
  for (int k = 0; k < 2 * GAUSS_HALF; k++) {
    point_at(x0, d, k % 2 == 0 ? gauss_point[k / 2] : -gauss_point[k / 2], n, x);
    if (instance->type->storage->output(instance->self, &at, g) != 0) {
      return -1;
    }
    for (int i = 0; i < n; i++) {
      mean[i] += 0.5 * gauss_weight[k / 2] * g[i];
    }
  }
  return 0;
}

/** What the energies at both ends are summed up from. */
static double terms_of(const sb_instance *instance, sb_at at, const double x0[], const double d[],
                       double x[]) {
  double size = 0;
  for (int end = 0; end < 2; end++) {
    point_at(x0, d, 2 * end - 1, instance->components, x);
    at.x = x;
    size += instance->type->storage->audit.terms(instance->self, &at);
  }
  return isfinite(size) ? size : 0;
}

/** H(x1) - H(x0), or the integral of the gradient where the two agree to rounding. */
static double energy_change(const sb_instance *instance, sb_at at, const double x0[],
                            const double d[], double x[], double quadrature) {
  const sb_storage_hooks *storage = instance->type->storage;
  double h[2], size = 0;
  for (int end = 0; end < 2; end++) {
    point_at(x0, d, end == 0 ? -1 : 1, instance->components, x);
    at.x = x;
    h[end] = storage->energy(instance->self, &at);
    size += storage->audit.magnitude == NULL ? fabs(h[end])
                                             : storage->audit.magnitude(instance->self, &at);
  }
  double change = h[1] - h[0];
  double off = fabs(change - quadrature);
  bool same =
      off <= energy_rounding * size ||
      (storage->audit.terms != NULL && off <= energy_rounding * terms_of(instance, at, x0, d, x));
  return same ? quadrature : change;
}

int sb_discrete_output(sb_discrete *s, const sb_instance *instance, double t, const double x[],
                       double y[]) {
  int n = instance->components;
  const double *x0 = s->x0 + instance->state, *xm = x + instance->state;
  double *d = s->scratch, *point = d + n, *g = point + n, *mean = g + n;
  sb_at at = sb_at_instance(s->work, instance, t, x);
  for (int i = 0; i < n; i++) {
    d[i] = 2 * (xm[i] - x0[i]);
  }
  if (average(instance, at, x0, d, point, g, mean) != 0 ||
      instance->type->storage->output(instance->self, &at, y) != 0) {
    return -1;
  }
  double quadrature = dot(mean, d, n), length = dot(d, d, n);
  double change = energy_change(instance, at, x0, d, point, quadrature);
  if (s->form == SB_GRADIENT_MEAN_VALUE || n == 1) {
    memcpy(y, mean, (size_t)n * sizeof *y);
  }
  double factor = length > DBL_MIN ? (change - dot(y, d, n)) / length : 0;
  for (int i = 0; i < n; i++) {
    y[i] += factor * d[i];
  }
  return 0;
}

/** A storage's discrete gradient in the place of its output; its signals are those at the middle. */
static int run_discrete_output(sb_workspace *work, const sb_op *op, double t, const double x[],
                               double xdot[]) {
  (void)xdot;
  const sb_network *network = work->network;
  sb_discrete *s = sb_discrete_of(work);
  const sb_instance *instance = &network->instances[op->instance];
  double *y = work->values + instance->out;
  if (s->constraints.constrained[op->instance]) {
    memcpy(y, s->constraints.assigned + instance->state, (size_t)instance->components * sizeof *y);
    return 0;
  }
  return sb_discrete_output(s, instance, t, x, y);
}

int sb_discrete_dot(sb_discrete *s, const sb_instance *instance, double t, const double x[],
                    double ydot[]) {
  int n = instance->components;
  const double *x0 = s->x0 + instance->state;
  double *d = s->scratch, *point = d + n, *end = point + n, *start = end + n;
  double K[SB_HESSIAN_MAX * SB_HESSIAN_MAX];
  sb_at at = sb_at_instance(s->work, instance, t, x);
  const sb_storage_hooks *hooks = instance->type->storage;
  for (int i = 0; i < n; i++) {
    d[i] = s->h * at.in[i];
    ydot[i] = 0;
  }
  at.x = point;
  for (int k = 0; k < 2 * GAUSS_HALF; k++) {
    point_at(x0, d, k % 2 == 0 ? gauss_point[k / 2] : -gauss_point[k / 2], n, point);
    if (hooks->constraints.hessian(instance->self, &at, K) != 0) {
      return -1;
    }
    for (int i = 0; i < n * n; i++) {
      ydot[i / n] += 0.5 * gauss_weight[k / 2] * K[i] * at.in[i % n];
    }
  }
  point_at(x0, d, 1, n, point);
  if (hooks->output(instance->self, &at, end) != 0) {
    return -1;
  }
  point_at(x0, d, -1, n, point);
  if (hooks->output(instance->self, &at, start) != 0) {
    return -1;
  }
  for (int i = 0; i < n; i++) {
    double change = end[i] - start[i], size = fabs(end[i]) + fabs(start[i]);
    bool same = fabs(change - s->h * ydot[i]) <= energy_rounding * size;
    ydot[i] = same ? ydot[i] : change / s->h;
  }
  return 0;
}

/** And the mean rate of that in the place of its rate. */
static int run_discrete_dot(sb_workspace *work, const sb_op *op, double t, const double x[],
                            double xdot[]) {
  (void)xdot;
  const sb_network *network = work->network;
  const sb_instance *instance = &network->instances[op->instance];
  return sb_discrete_dot(sb_discrete_of(work), instance, t, x,
                         work->values + sb_rate_value(network, instance->out));
}

/** What a source gives at both ends of the step, into scratch. */
static int source_ends(const sb_discrete *s, const sb_instance *instance, sb_at at,
                       double *ends[2]) {
  for (int end = 0; end < 2; end++) {
    ends[end] = s->scratch + end * instance->components;
    at.t = end == 0 ? s->t0 : s->t0 + s->h;
    if (instance->type->source->value(instance->self, &at, ends[end]) != 0) {
      return -1;
    }
  }
  return 0;
}

/** What a source gives at both ends: one that follows signals has been asked. */
static int both_ends(const sb_discrete *s, const sb_instance *instance, sb_at at,
                     const double *ends[2]) {
  const sb_discrete_motion *m = &s->motion;
  int place = m->place[instance - s->work->network->instances];
  if (place >= 0) {
    ends[0] = m->at[SB_AT_START] + place;
    ends[1] = m->at[SB_AT_END] + place;
    return 0;
  }
  double *asked[2];
  int status = source_ends(s, instance, at, asked);
  ends[0] = asked[0];
  ends[1] = asked[1];
  return status;
}

int sb_discrete_source(sb_discrete *s, const sb_instance *instance, double t, const double x[],
                       double mean[]) {
  const double *ends[2];
  int status = both_ends(s, instance, sb_at_instance(s->work, instance, t, x), ends);
  for (int i = 0; i < instance->components; i++) {
    mean[i] = 0.5 * (ends[0][i] + ends[1][i]);
  }
  return status;
}

/** Whether what hooks give, is tied to storages. */
static bool holds_storage(const sb_program *program, const sb_network *network,
                          const sb_instance *instance) {
  const sb_causality *c = &program->causality;
  int first = sb_value_var(network, instance->out);
  for (int i = 0; i < c->constraint_term_count; i++) {
    int var = c->constraint_terms[i].var;
    if (var >= first && var < first + instance->components) {
      return true;
    }
  }
  return false;
}

/** A source that holds a storage: its mean, or what its work asks for. */
static int run_source_mean(sb_workspace *work, const sb_op *op, double t, const double x[],
                           double xdot[]) {
  const sb_network *network = work->network;
  sb_discrete *s = sb_discrete_of(work);
  const sb_instance *instance = &network->instances[op->instance];
  double *y = work->values + instance->out;
  if (s->constraints.constrained[op->instance]) {
    memcpy(y, s->constraints.means + instance->out, (size_t)instance->components * sizeof *y);
    return 0;
  }
  return holds_storage(&s->program, network, instance)
             ? sb_discrete_source(s, instance, t, x, y)
             : sb_operations[SB_OP_VALUE].run(work, op, t, x, xdot);
}

/** And its mean rate. */
static int run_source_difference(sb_workspace *work, const sb_op *op, double t, const double x[],
                                 double xdot[]) {
  (void)xdot;
  const sb_network *network = work->network;
  const sb_discrete *s = sb_discrete_of(work);
  const sb_instance *instance = &network->instances[op->instance];
  const double *ends[2];
  double *ydot = work->values + sb_rate_value(network, instance->out);
  int status = both_ends(s, instance, sb_at_instance(work, instance, t, x), ends);
  for (int i = 0; i < instance->components; i++) {
    ydot[i] = (ends[1][i] - ends[0][i]) / s->h;
  }
  return status;
}

/** Whether a storage with hooks is of the form y = dH/dx, xdot = u: as many states as components,
 *  an energy of these alone, and a rate that at the start gives back what goes in. */
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
    ok = fabs(xdot[i] - u[i]) <= energy_rounding * u[i];
  }
  return ok;
}

static sb_status check_storages(const sb_discrete *s, const sb_method *method, sb_error *err) {
  for (int i = 0; i < s->work->network->instance_count; i++) {
    const sb_instance *instance = &s->work->network->instances[i];
    if (instance->type->storage != NULL && !instance->linear && !has_gradient_form(s, instance)) {
      sb_status status = sb_fail(err, SB_ERR_USAGE, "%s is not for '%s' (%s)", method->name,
                                 instance->id, instance->type->name);
      sb_error_hint(err, "a storage must have one state for each component of its port, and an "
                         "energy of these alone");
      return status;
    }
  }
  return SB_OK;
}

/** A storage with a singular matrix cannot be shown a state for every output. */
static sb_status check_constraints(const sb_discrete *s, const sb_method *method, sb_error *err) {
  const sb_network *network = s->work->network;
  const sb_causality *c = &s->program.causality;
  for (int i = 0; i < c->constraint_term_count && s->program.see != NULL; i++) {
    int owner = sb_owner_of(network, c->constraint_terms[i].var - sb_known_base(network));
    const sb_instance *instance = &network->instances[owner];
    if (instance->inverse != NULL) {
      sb_status status = sb_fail(err, SB_ERR_USAGE, "%s is not for '%s' (%s) in a tie that changes",
                                 method->name, instance->id, instance->type->name);
      sb_error_hint(err, "its matrix is singular: take a Runge-Kutta method, such as "
                         "implicit-midpoint");
      return status;
    }
  }
  return SB_OK;
}

/** The program, with operations of its own. */
static void copy_program(sb_discrete *s) {
  s->program = *s->work->program;
  s->program.see = sb_has_multipliers(&s->program.causality) ? sb_discrete_see : NULL;
  s->program.operations = s->operations;
  memcpy(s->operations, sb_operations, sizeof s->operations);
  s->operations[SB_OP_OUTPUT].run = run_discrete_output;
  s->operations[SB_OP_OUTPUT_DOT].run = run_discrete_dot;
  s->operations[SB_OP_VALUE].run = run_source_mean;
  s->operations[SB_OP_VALUE_DOT].run = run_source_difference;
  if (s->program.see != NULL) {
    sb_discrete_motion_operations(s->operations);
  }
}

sb_status sb_discrete_init(sb_discrete *s, sb_workspace *work, sb_gradient_form form,
                           const sb_method *method, sb_error *err) {
  int most = 0;
  for (int i = 0; i < work->network->instance_count; i++) {
    const sb_instance *instance = &work->network->instances[i];
    most = instance->components > most ? instance->components : most;
  }
  *s = (sb_discrete){.work = work, .form = form};
  copy_program(s);
  s->scratch = sb_zeroed(4 * most, sizeof(double));
  if (s->scratch == NULL || !sb_discrete_constraints_init(s) || !sb_discrete_motion_init(s)) {
    sb_discrete_finish(s);
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  sb_status status = check_storages(s, method, err);
  status = status == SB_OK ? check_constraints(s, method, err) : status;
  if (status != SB_OK) {
    sb_discrete_finish(s);
  }
  return status;
}

void sb_discrete_finish(sb_discrete *s) {
  free(s->scratch);
  sb_discrete_constraints_finish(s);
  sb_discrete_motion_finish(s);
  s->scratch = NULL;
}

const sb_program *sb_discrete_enter(sb_discrete *s) {
  const sb_program *kept = s->work->program;
  s->work->program = &s->program;
  return kept;
}

void sb_discrete_leave(sb_discrete *s, const sb_program *kept) {
  s->work->program = kept;
}
