// SPDX-License-Identifier: GPL-3.0-or-later
// What sources and signals compute their values from, beside what they read: 1 - cos(w t) is known to the rounding of 1, however small it
// is. The program and the audit round it alike, as they ask one hook at one time, so that rows and sizes (sizes.c) know nothing of it.
// But differences over a short time h divide it by h. Of a source y(t, u) the terms are its own and those of the signals u behind it,
//   T_y + sum |dy/du_i| T_u_i,
// by differences of y, where the signals are expressions too.
#include <math.h>

#include "core/audit/audit_private.h"

/** A chain of signals is followed over this many of them. */
enum { CHAIN_MAX = 4 };
/** Fraction of an input by which it is varied. */
static const double variation = 0x1p-20;

bool sb_audit_own_terms(const sb_instance *instance, const sb_at *at, double terms[]) {
  const sb_source_hooks *source = instance->type->source;
  const sb_signal_hooks *signal = instance->type->signal;
  void (*hook)(const void *, const sb_at *, double[]) = source != NULL   ? source->terms
                                                        : signal != NULL ? signal->terms
                                                                         : NULL;
  if (hook != NULL) {
    hook(instance->self, at, terms);
  }
  return hook != NULL;
}

/** The signal that gives a value; NULL: none with terms of its own does. */
static const sb_instance *giver_of(const sb_network *network, int value) {
  for (int i = 0; i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    if (instance->type->signal != NULL && instance->type->signal->terms != NULL &&
        instance->signal <= value && value < instance->signal + instance->signal_count) {
      return instance;
    }
  }
  return NULL;
}

/** |dy/du| of one number of an element.  @param y  that, as it is  @return 0: it is not known */
static double slope_of(sb_audit *a, const sb_instance *instance, const sb_at *at, int number,
                       double y, double *input) {
  const double before = *input, step = variation * (before == 0 ? 1 : fabs(before));
  const bool source = instance->type->source != NULL;
  *input = before + step;
  const bool good = (source ? instance->type->source->value(instance->self, at, a->varied)
                            : instance->type->signal->output(instance->self, at, a->varied)) == 0;
  *input = before;
  const double slope = good ? fabs(a->varied[number] - y) / step : 0;
  return isfinite(slope) ? slope : 0;
}

/** @param number  of those that the element gives  @param left  of the chain */
static double terms_behind(sb_audit *a, const sb_instance *instance, double t, const double x[],
                           int number, int left) {
  const sb_at at = sb_at_instance(a->work, instance, t, x);
  const bool source = instance->type->source != NULL;
  const double y = a->work->values[(source ? instance->out : instance->signal) + number];
  if (!sb_audit_own_terms(instance, &at, a->varied)) {
    return fabs(y);
  }
  double sum = a->varied[number];
  for (int w = 0; w < instance->wire_count && left > 0; w++) {
    const int wire = a->network->wires[instance->wire + w];
    const sb_instance *giver = giver_of(a->network, wire);
    const double slope =
        giver == NULL ? 0 : slope_of(a, instance, &at, number, y, &a->work->values[wire]);
    sum += slope > 0 ? slope * terms_behind(a, giver, t, x, wire - giver->signal, left - 1) : 0;
  }
  return sum;
}

double sb_audit_terms_behind(sb_audit *a, const sb_instance *source, double t, const double x[],
                             int component) {
  return terms_behind(a, source, t, x, component, CHAIN_MAX);
}
