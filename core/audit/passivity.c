// SPDX-License-Identifier: GPL-3.0-or-later
// Passivity: no dissipation may deliver power.
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/audit/audit_private.h"
#include "core/base/wide.h"
#include "core/model/rhs.h"
#include "core/network/instant.h"

/** Relative to the largest power of an element so far: what is below is rounding. */
static const double passive_tol = 1e-12;

/** The sum of the absolute values of the products that make up each power: what goes in at one port
 *  and out at another leaves rounding of these. */
static void size_powers(sb_audit *a, const double x[]) {
  const sb_live *live = &a->work->live; // what is left out of its part is zero
  const sb_program *p = live->program == a->work->program ? &live->part : a->work->program;
  int n = a->network->state_count;
  memset(a->power_size, 0, (size_t)a->network->quadrature_count * sizeof *a->power_size);
  for (int i = 0; i < p->product_count; i++) {
    const sb_product *product = &p->products[i];
    const double *f = sb_product_factor(product->a, x, a->work->values, n);
    const double *e = sb_product_factor(product->b, x, a->work->values, n);
    for (int k = 0; k < product->count; k++) {
      a->power_size[product->dest] += fabs(product->factor * e[k] * f[k]);
    }
  }
}

/** The power that a dissipation turns into heat [W]. Where the heat flows on through ports of its kind,
 *  the powers of all ports balance whatever the law, and the entropy produced decides: the work that
 *  would be needed to reverse it at the temperature of the first of these ports. */
static double degraded(const sb_audit *a, const sb_instance *instance, double power) {
  double entropy = 0, temperature = 0; // [W/K], [K]
  for (int p = 0; instance->hooked && p < instance->layout.port_count; p++) {
    const char *domain = instance->type->ports[p].domain;
    if (instance->layout.ports[p].output == SB_FLOW && domain != NULL &&
        strcmp(domain, "thermal") == 0) {
      temperature =
          temperature == 0 ? a->work->values[instance->in + instance->first[p]] : temperature;
      entropy -= a->work->values[instance->out + instance->first[p]];
    }
  }
  return temperature > 0 ? fmin(power, temperature * entropy) : power;
}

/** The power by the law on branches that follow its input: one that is held beyond its end, until the event that has
 *  just been located, gives less than nothing where the law comes to zero in a corner. */
static double power_of_law(const sb_audit *a, const sb_instance *instance, double t,
                           const double x[]) {
  double y[SB_DIM_MAX], power = 0;
  sb_at at = sb_at_instance(a->work, instance, t, x);
  at.branches = NULL;
  if (instance->type->dissipation->law(instance->self, &at, at.assigned, y) != 0) {
    return -HUGE_VAL;
  }
  for (int k = 0; k < instance->components; k++) {
    power += at.in[k] * y[k];
  }
  return power;
}

/** What a law gives is known to its slope times what its input is known to: of a damper that sees the difference of
 *  two velocities, B times these. */
static void size_laws(sb_audit *a) {
  for (int i = 0; i < a->network->instance_count; i++) {
    const sb_instance *instance = &a->network->instances[i];
    bool law = instance->type->dissipation != NULL && instance->hooked &&
               !instance->type->dissipation->by_signals;
    for (int k = 0; law && k < instance->components; k++) {
      double in = fabs(a->work->values[instance->in + k]);
      int var = sb_effort_var(instance, k) + (sb_output_of(a, i, k) == SB_EFFORT);
      double slope = in > 0 ? fabs(a->work->values[instance->out + k]) / in : 0;
      double *size = &a->value_sizes[instance->out + k];
      *size = fmax(*size, slope * a->present_sizes[var]);
    }
  }
}

/** A state is known to xdot times what the time is known to: a flow that comes to zero at an event may be beyond it by that. */
static void size_by_time(sb_audit *a, double t, const double xdot[]) {
  const double late = sb_time_rounding(t) + a->options->event_tol;
  for (int k = 0; k < a->network->state_count; k++) {
    a->state_sizes[k] = fmax(fabs(a->state_sizes[k]), fabs(xdot[k]) * late / passive_tol);
  }
}

/** What the rounding of a power is a fraction of [W], by all that its efforts and flows are computed from. */
static double terms_of_power(sb_audit *a, const sb_instance *instance, double t, const double x[],
                             const double xdot[]) {
  double sum = 0;
  sb_audit_sizes(a, t, x);
  size_laws(a);
  size_by_time(a, t, xdot);
  sb_trace_sizes(a->work, a->state_sizes, a->value_sizes, a->solved_sizes, a->present_sizes);
  for (int k = 0; k < instance->components; k++) {
    int effort = sb_effort_var(instance, k);
    sum += a->present_sizes[effort] * a->present_sizes[effort + 1];
  }
  double (*terms)(const void *, const sb_at *) = instance->type->dissipation->terms;
  sb_at at = sb_at_instance(a->work, instance, t, x);
  return terms == NULL ? sum : fmax(sum, terms(instance->self, &at));
}

/** Whether a power, had it acted since the start, would be a work that is less than a rounding of the energy of its part: what sticks
 *  slides by the rounding that an impact has left of its velocity, to either side. */
static bool is_vanished(const sb_audit *a, int index, double t, double power) {
  const double elapsed = t - a->ledger.t_start;
  const int part = a->network->part_of[index];
  return elapsed > 0 && part >= 0 &&
         fabs(power) * elapsed < DBL_EPSILON * a->courses[part].most.terms;
}

/** Whether the mode of a law has ended. */
static bool has_ended(const sb_audit *a, const sb_instance *instance, double t, const double x[]) {
  bool (*ended)(const void *, const sb_at *) = instance->type->dissipation->ended;
  const sb_at at = sb_at_instance(a->work, instance, t, x);
  return ended != NULL && ended(instance->self, &at);
}

/** @param event  whether this is where an event ends the step */
static void judge(sb_audit *a, double t, const double x[], const double xdot[], bool event) {
  size_powers(a, x);
  for (int i = 0; i < a->network->instance_count; i++) {
    const sb_instance *instance = &a->network->instances[i];
    if (sb_live_idles(&a->work->live, i) || instance->type->dissipation == NULL) {
      continue; // in a crowd most are idle
    }
    double power = xdot[a->network->state_count + instance->quadrature];
    a->power_max[i] =
        sb_larger(a->power_max[i], sb_larger(a->power_size[instance->quadrature], fabs(power)));
    power = degraded(a, instance, power);
    double least = -passive_tol * a->power_max[i];
    if (power < least && instance->branch_count > 0 && instance->components <= SB_DIM_MAX) {
      power = fmax(power, power_of_law(a, instance, t, x));
    }
    if (power < least && !is_vanished(a, i, t, power) &&
        power < -passive_tol * terms_of_power(a, instance, t, x, xdot) &&
        !(event && has_ended(a, instance, t, x))) {
      a->ledger.passivity.violations++;
      if (power < a->ledger.passivity.worst) {
        a->ledger.passivity.worst = power;
        a->ledger.passivity.element = instance->id;
        a->ledger.passivity.t = t;
      }
    }
  }
}

void sb_audit_passive(sb_audit *a, double t, const double x[], const double xdot[]) {
  judge(a, t, x, xdot, false);
}

void sb_audit_before_event(sb_audit *a, const sb_passivity *before, double t, const double x[]) {
  a->ledger.passivity = *before;
  if (x != NULL && sb_workspace_evaluate(a->work, t, x) == 0) {
    judge(a, t, x, a->work->evaluation.xdot, true);
  }
}
