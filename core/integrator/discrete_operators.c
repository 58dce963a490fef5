// SPDX-License-Identifier: GPL-3.0-or-later
// Constraints through modulated structures over a step of a discrete gradient method. Where nothing else
// moves the storages, such a constraint moves them along itself, and then nothing that they give could
// be changed without work. What is free is the ratio over the step: the structures' operators n are
// changed by the least that lets the constraint be met by what storages and sources give, and power-free
// as before.
#include <float.h>
#include <math.h>

#include "core/causality/constraint.h"
#include "core/integrator/discrete_gradient_private.h"

enum { SWEEPS_MAX = 30 };

/** The entry of the operator of a structure over the step from an input to an output. */
static double *operator_at(const sb_discrete *s, const sb_instance *instance, int output,
                           int input) {
  int place = s->modulation.place[instance - s->work->network->instances];
  return s->modulation.at[SB_AT_MIDDLE] + place + output * instance->components + input;
}

static double input_of(const sb_discrete *s, const sb_instance *instance, int component);

/** A state or value over the step, or a bond variable that is computed from them. */
static double value_of(const sb_discrete *s, int var) {
  const sb_causality *c = &s->program.causality;
  const sb_network *network = s->work->network;
  int known = var - sb_known_base(network);
  double sum = 0;
  for (int i = 0; known < 0 && i < c->count[var]; i++) {
    const sb_term *term = &c->terms[c->first[var] + i];
    sum += term->factor * value_of(s, term->var);
  }
  if (known < 0) {
    return sum;
  }
  const sb_instance *instance = &network->instances[sb_owner_of(network, known)];
  int component = known - network->state_count - instance->out;
  if (known < network->state_count) {
    return s->constraints.states[known];
  }
  if (instance->type->storage != NULL && !sb_discrete_structured(instance)) {
    return s->constraints.outputs[instance->state + component];
  }
  if (instance->type->structure == NULL) {
    return s->constraints.means[instance->out + component];
  }
  for (int k = 0; k < instance->components; k++) {
    double n = *operator_at(s, instance, component, k);
    sum += n == 0 ? 0 : n * input_of(s, instance, k); // inputs of its own side are not known
  }
  return sum;
}

/** The input of a structure at a component of its other side. */
static double input_of(const sb_discrete *s, const sb_instance *instance, int component) {
  const sb_network *network = s->work->network;
  int index = (int)(instance - network->instances);
  bool flow = sb_reads_flow(network, &s->program.causality, index, component);
  double value =
      value_of(s, flow ? sb_flow_var(instance, component) : sb_effort_var(instance, component));
  return flow ? instance->signs[component] * value : value;
}

/** The structure whose output a term of a constraint is, and which; NULL: it is none. */
static const sb_instance *structure_of(const sb_discrete *s, const sb_term *term, int *component) {
  const sb_network *network = s->work->network;
  int known = term->var - sb_known_base(network);
  const sb_instance *instance = &network->instances[sb_owner_of(network, known)];
  *component = known - network->state_count - instance->out;
  return instance->type->structure != NULL ? instance : NULL;
}

/** d(constraint)/dn of an entry n of the operator behind a term. */
static double slope_of(const sb_discrete *s, const sb_term *term, const sb_instance *instance,
                       double n, int input) {
  return n == 0 ? 0 : term->factor * input_of(s, instance, input);
}

/** Changes the operators by -c(x) / |slopes|^2 along the slopes. Returns the relative residual before. */
static double correct(const sb_discrete *s, int constraint) {
  int count, component;
  const sb_term *terms = sb_constraint_terms(&s->program.causality, constraint, &count);
  double residual = 0, size = 0, weight = 0;
  for (int i = 0; i < count; i++) {
    double value = terms[i].factor * value_of(s, terms[i].var);
    residual += value;
    size += fabs(value);
    const sb_instance *instance = structure_of(s, &terms[i], &component);
    for (int k = 0; instance != NULL && k < instance->components; k++) {
      double slope = slope_of(s, &terms[i], instance, *operator_at(s, instance, component, k), k);
      weight += slope * slope;
    }
  }
  for (int i = 0; i < count && weight > 0; i++) {
    const sb_instance *instance = structure_of(s, &terms[i], &component);
    for (int k = 0; instance != NULL && k < instance->components; k++) {
      double *n = operator_at(s, instance, component, k);
      *n -= residual * slope_of(s, &terms[i], instance, *n, k) / weight;
      *operator_at(s, instance, k, component) = -*n; // power-free
    }
  }
  return size > 0 ? fabs(residual) / size : 0;
}

void sb_discrete_correct_operators(sb_discrete *s, const int constraints[], int count) {
  double worst = 1;
  for (int sweep = 0; sweep < SWEEPS_MAX && worst > DBL_EPSILON; sweep++) {
    worst = 0;
    for (int i = 0; i < count; i++) {
      if (sb_constraint_is_through_structure(s->work->network, &s->program.causality,
                                             constraints[i])) {
        worst = fmax(worst, correct(s, constraints[i]));
      }
    }
  }
}
