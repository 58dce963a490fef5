// SPDX-License-Identifier: GPL-3.0-or-later
// The slopes of the hooks of a loop over their inputs: as their kinds state them, of accelerations by impulses, else by differences or chords.
#include <math.h>
#include <string.h>

#include "core/loop/newton_private.h"
#include "core/program/operation.h"

/** Step of differences of what kinds measure, as a fraction of the input, or of 1 in SI. */
static const double measured_step = 1e-3;

/** The slope of a law of one input, as its kind states it; not a number where it does not. */
static double slope_of_law(const sb_newton *n, const sb_loop_hook *hook, int input, double u) {
  const sb_instance *instance = &n->work->network->instances[hook->op.instance];
  const sb_dissipation_hooks *law = instance->type->dissipation;
  if (hook->op.kind != SB_OP_LAW || law->slope == NULL || hook->output_count != 1 ||
      n->inputs[input] != instance->in) {
    return NAN;
  }
  sb_at at = sb_at_instance(n->work, instance, n->t, n->x);
  at.in = &u;
  return law->slope(instance->self, &at, at.assigned);
}

/** Those of the acceleration of a storage, which an impulse tells. @return false: it is none, or the input no force */
static bool slopes_of_acceleration(const sb_newton *n, const sb_loop_hook *hook, int input,
                                   double s[]) {
  const sb_instance *instance = &n->work->network->instances[hook->op.instance];
  int own = n->inputs[input] - instance->in;
  if (hook->op.kind != SB_OP_OUTPUT_DOT || !sb_instance_accelerates(instance) || own < 0 ||
      own >= instance->components) {
    return false;
  }
  sb_at at = sb_at_instance(n->work, instance, n->t, n->x);
  sb_newton inner = *n;
  double *w = sb_newton_take(&inner, instance->components);
  memset(w, 0, (size_t)instance->components * sizeof *w);
  w[own] = 1;
  return instance->type->storage->constraints.acceleration->impulse(instance->self, &at, w, NULL,
                                                                    NULL, s) == 0;
}

/** The chord from zero of a law that has run at u; where it has none, as at zero, that of the terms of u, or of any number. The mean of that and the
 *  one before: of f |f| under a given pressure each chord alone would lead back to the one before. */
static double chord(const sb_newton *n, const sb_loop_hook *hook, double u[], int input,
                    double terms) {
  const double *value = &n->work->values[n->outputs[hook->first_output]], own = u[input];
  const double tries[] = {own, terms, 1}, before = n->chords[input];
  double s = *value / own;
  for (int i = 1; i < 3 && !(s > 0 && isfinite(s)); i++) {
    u[input] = tries[i];
    s = sb_newton_run(n, hook, u) == 0 ? *value / tries[i] : NAN;
  }
  u[input] = own;
  (void)sb_newton_run(n, hook, u);
  n->chords[input] = before > 0 ? sqrt(before) * sqrt(s) : s;
  return n->chords[input];
}

void sb_newton_slopes(const sb_newton *n, const sb_loop_hook *hook, double u[], int input,
                      double terms, double s[]) {
  const bool laws = n->chords != NULL && n->rows[input].count > 0;
  if (n->tangents != NULL && n->tangents[input] > 0) {
    s[0] = n->tangents[input];
    return;
  }
  s[0] = laws ? chord(n, hook, u, input, terms) : slope_of_law(n, hook, input, u[input]);
  if (isfinite(s[0]) || slopes_of_acceleration(n, hook, input, s)) {
    return;
  }
  double middle = u[input], h = 6e-6 * fmax(fabs(middle), 1e-6);
  if (hook->op.kind == SB_OP_MEASURE) { // forces and velocities are linear in those of the ports
    h = measured_step * fmax(fmax(fabs(middle), terms), 1);
  }
  h = isinf(s[0]) && terms > 0 ? terms : n->linear ? fmax(fabs(middle), 1) : h;
  const int *outputs = n->outputs + hook->first_output;
  u[input] = middle + h;
  (void)sb_newton_run(n, hook, u);
  for (int k = 0; k < hook->output_count; k++) {
    s[k] = n->work->values[outputs[k]];
  }
  u[input] = middle - h;
  (void)sb_newton_run(n, hook, u);
  u[input] = middle;
  sb_newton_feed(n, hook, u); // who asks for sizes at the inputs asks for those of u
  for (int k = 0; k < hook->output_count; k++) {
    s[k] = (s[k] - n->work->values[outputs[k]]) / (2 * h);
  }
}
