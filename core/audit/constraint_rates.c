// SPDX-License-Identifier: GPL-3.0-or-later
// Are the rates right by which constraints are enforced? The Lagrange multipliers follow from the time
// derivatives of the constraints, as do the rates of dependent states. A wrong one would give a wrong multiplier or
// force, while the projection after every step hides the drift. Two checks, by differences over short times:
//   every element whose rates constraints may use: is the stated rate of its outputs that of the outputs
//   themselves, while its inputs and signals change at arbitrary rates (output_rates.c);
//   every constraint: does it hold along xdot?
// What the differences themselves do not know is subtracted (differences.h).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/audit/rates_private.h"
#include "core/base/array.h"
#include "core/causality/constraint.h"
#include "core/loop/loop.h"
#include "core/model/constraints.h"
#include "core/model/rhs.h"
#include "core/network/roles.h"

enum { POINTS = SB_DIFFERENCE_POINTS, MIDDLE = POINTS / 2 };

/** What the storages that accelerate take at their ports, as it enters the rate of the constraint of the groups' row: with the
 *  weights w of their outputs, M^-1 w times the inputs. At rest these hold each other, and xdot is nothing but their rounding. */
static double size_of_inputs(const sb_audit *a, const sb_constraint_groups *g, const double x[]) {
  double *y = g->moved, size = 0;
  for (int k = 0; k < g->accelerating_count; k++) {
    const sb_instance *instance = &a->network->instances[g->accelerating[k]];
    const sb_storage_acceleration *hooks = instance->type->storage->constraints.acceleration;
    const sb_at at = sb_at_instance(a->work, instance, 0, x);
    if (hooks->impulse(instance->self, &at, g->weights + instance->out, NULL, NULL, y) != 0) {
      continue;
    }
    for (int i = 0; i < instance->components; i++) {
      sb_variable input = sb_other(sb_output_of(a, g->accelerating[k], i));
      size += fabs(y[i]) * sb_port_size(a, instance, i, input);
    }
  }
  return size;
}

/** What the rounding of the rates of what accelerates is a fraction of: of other storages the network knows it.
 *  @param terms  (states) out */
static void size_rates(sb_audit *a, double t, const double x[], double terms[]) {
  static const double rounding = 8 * DBL_EPSILON;
  for (int i = 0; i < a->network->instance_count; i++) {
    const sb_instance *instance = &a->network->instances[i];
    double *own = terms + instance->state;
    sb_at at = sb_at_instance(a->work, instance, t, x);
    if (!sb_instance_accelerates(instance) ||
        instance->type->storage->rate(instance->self, &at, own) != 0) {
      continue;
    }
    for (int k = 0; k < instance->components; k++) {
      a->in[k] = at.in[k] * (1 + rounding);
    }
    at.in = a->in;
    const bool known = instance->type->storage->rate(instance->self, &at, a->varied) == 0;
    for (int k = 0; k < instance->layout.states; k++) {
      own[k] = known ? fabs(a->varied[k] - own[k]) / rounding : 0;
    }
  }
}

/** What the rounding of the sources in a constraint is a fraction of: one that signals move may be a small difference of theirs.
 *  @param behind  by the terms that they are computed from (terms.c) */
static double size_of_sources(sb_audit *a, const sb_constraint_row *row, double t, const double x[],
                              bool behind) {
  double size = 0;
  for (int k = 0; k < row->source_count; k++) {
    const sb_constraint_source *source = &row->sources[k];
    const sb_instance *instance = &a->network->instances[source->instance];
    const int component = source->value - instance->out;
    const double own =
        behind ? sb_audit_terms_behind(a, instance, t, x, component)
               : sb_port_size(a, instance, component, sb_output_of(a, source->instance, component));
    size += fabs(source->factor) * own;
  }
  return size;
}

/** What the rounding of the numbers of one signal is in a residual. */
static double effect_of_signal(sb_audit *a, int constraint, const double x[], double signal[],
                               int count, double residual) {
  sb_constraint_groups *g = sb_constraint_groups_of(a->work);
  const int dim = sb_vector_dim(count);
  double sum = 0, size[SB_VECTOR_DIM];
  for (int i = 0; i < count; i++) {
    const double right = signal[i];
    if (i % dim == 0) {
      sb_size_signal(signal + i, dim, size);
    }
    signal[i] = right + sb_input_rounding * size[i % dim];
    sum += fabs(sb_constraint_row_at(g, a->work, constraint, x, false)->residual - residual);
    signal[i] = right;
  }
  return isfinite(sum) ? sum : 0;
}

/** What the rounding of signals is in the residual w.y of a constraint: of those that the structures read which w depends on. Where a
 *  body rolls over a place that is almost flat, a rounding eps of its pose moves the closest point by eps R, and the radius of
 *  curvature R grows beyond all bounds. */
static double effect_of_signals(sb_audit *a, int constraint, double t, const double x[]) {
  sb_constraint_groups *g = sb_constraint_groups_of(a->work);
  if (sb_workspace_evaluate(a->work, t, x) != 0) {
    return 0;
  }
  const sb_constraint_row *row = sb_constraint_row_at(g, a->work, constraint, x, true);
  const double residual = row->residual;
  const int structures = row->structure_count; // the list stays where no gradients are wanted
  double sum = 0;
  for (int k = 0; k < structures; k++) {
    const sb_instance *instance = &a->network->instances[row->structures[k]];
    const sb_signal_spec *spec = instance->type->signals;
    for (int wire = 0; wire < instance->wire_count; wire++) {
      while (!spec->input) {
        spec++;
      }
      double *signal = &a->work->values[a->network->wires[instance->wire + wire]];
      sum += effect_of_signal(a, constraint, x, signal, spec->count, residual);
      spec += spec->many ? 0 : 1;
    }
  }
  (void)sb_workspace_evaluate(a->work, t, x);
  return sum;
}

/** What the largest flow is that the energy H of a part could give a constraint c = C x: with A = C G^T, of which 1/A is the inertia that an
 *  impulse of it meets, |c| <= sqrt(2 A H). What stands still, as a lock, is known to the rounding of that. */
static double largest_flow(const sb_audit *a, int constraint, const sb_constraint_row *row) {
  const int state = sb_constraint_state(&a->work->program->causality, constraint),
            part = a->network->part_of[sb_owner_of(a->network, state)];
  double A = 0;
  for (int k = 0; k < row->count; k++) {
    A += row->gradient[row->states[k]] * row->impulse[row->states[k]];
  }
  return part < 0 ? 0 : sqrt(2 * fabs(A) * a->courses[part].most.terms);
}

/** The error of a constraint's residual along xdot, which should not change but by what its forces have left. Where it is one, the row is asked
 *  for anew.
 *  @param f  it at the points, h apart */
static double error_of_row(sb_audit *a, int constraint, double t, const double x[],
                           const double f[], double h, double left, double size) {
  const sb_constraint_row *row = &sb_constraint_groups_of(a->work)->row;
  const double flows = row->size + row->terms + largest_flow(a, constraint, row);
  const double other =
      sb_rounding_of(f) + 16 * DBL_EPSILON * flows + size * h * sb_time_rounding(t, h);
  double rounding = other + 16 * DBL_EPSILON * size_of_sources(a, row, t, x, false);
  double error = sb_rate_error(f, h, left, size, rounding);
  if (!(error > sb_side_tol * size)) {
    return error;
  }
  rounding = fmax(rounding, other + 16 * DBL_EPSILON * size_of_sources(a, row, t, x, true));
  error = sb_rate_error(f, h, left, size, rounding);
  return error > sb_side_tol * size
             ? sb_rate_error(f, h, left, size, rounding + effect_of_signals(a, constraint, t, x))
             : error;
}

/** Whether the constraints hold along xdot.
 *  @param errors  scratch (POINTS x constraints)
 *  @param left    scratch (constraints)
 *  @param known   (states) what the rounding of rates is a fraction of */
static void check_constraints(sb_audit *a, double t, const double x[], const double xdot[],
                              double time, double errors[], double left[], const double known[]) {
  const sb_causality *c = &a->work->program->causality;
  sb_constraint_groups *g = sb_constraint_groups_of(a->work);
  int n = a->network->state_count;
  double h = sb_difference_step * time;
  for (int i = 0; i < c->constraint_count; i++) { // at (t, x)
    left[i] = sb_loop_left(a->work, sb_multiplier_value(a->network, c, i));
  }
  for (int k = 0; g != NULL && k < POINTS; k++) {
    for (int i = 0; i < n; i++) {
      a->x[i] = x[i] + (k - MIDDLE) * h * xdot[i];
    }
    if (sb_workspace_evaluate(a->work, t + (k - MIDDLE) * h, a->x) != 0) {
      return;
    }
    for (int i = 0; i < c->constraint_count; i++) {
      errors[i * POINTS + k] = sb_constraint_row_at(g, a->work, i, a->x, false)->residual;
    }
  }
  sb_constraints_keep_moving(a->work, x, errors, POINTS); // else they are rounding of rounding
  sb_constraints_keep_moving(a->work, x, left, 1);
  for (int i = 0; g != NULL && i < c->constraint_count; i++) {
    const sb_constraint_row *row = sb_constraint_row_at(g, a->work, i, x, true);
    double size = size_of_inputs(a, g, x);
    for (int k = 0; k < row->count; k++) {
      int state = row->states[k];
      sb_term rate = sb_rate_of(a->network, c, sb_state_var(a->network, state));
      double terms = rate.var < 0 ? known[state] : a->sizes[rate.var];
      size += fabs(row->gradient[state]) * fmax(fabs(xdot[state]), terms);
    }
    const double error = error_of_row(a, i, t, x, &errors[i * POINTS], h, left[i], size);
    if (size > 0 &&
        error > sb_side_tol * size) { // else no storage is in it, whose rate could be wrong
      sb_audit_difference(a, sb_owner_of(a->network, sb_constraint_state(c, i)), error, size);
    }
  }
}

void sb_audit_constraint_rates(sb_audit *a, double t, const double x[], const double xdot[],
                               double time) {
  const sb_causality *c = &a->work->program->causality;
  if (c->constraint_count == 0 || !(time > 0) || sb_workspace_evaluate(a->work, t, x) != 0) {
    return;
  }
  int most = c->constraint_count;
  for (int i = 0; i < a->network->instance_count; i++) {
    int outputs = sb_instance_output_count(&a->network->instances[i]);
    most = outputs + 1 > most ? outputs + 1 : most;
  }
  double *numbers =
      sb_zeroed((SB_OUTPUT_RATES_NUMBERS + 1) * most + a->network->state_count, sizeof(double));
  if (numbers == NULL) {
    return;
  }
  bool right = true;
  for (int i = 0; i < a->network->instance_count; i++) {
    right = sb_audit_output_rates(a, i, t, x, time, numbers) && right;
  }
  // Else the element at fault is known: a source whose rate is wrong spoils the constraints that it is in.
  if (right && a->ledger.structure.residual_relative <= a->ledger.structure.limit) {
    double *left = numbers + SB_OUTPUT_RATES_NUMBERS * most, *known = left + most;
    size_rates(a, t, x, known);
    check_constraints(a, t, x, xdot, time, numbers, left, known);
  }
  free(numbers);
}
