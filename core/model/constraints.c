// SPDX-License-Identifier: GPL-3.0-or-later
// A constraint at a state: c(x) = sum w y = 0 over the outputs y of storages, in part through modulated
// transformers. With G = (w), an impulse lambda of its Lagrange multiplier moves the states by
// G^T lambda, since the structure is power-free; and its gradient is dc/dx = G K, with K the Hessians
// of the storages.
#include "core/model/constraints.h"

#include <math.h>
#include <string.h>

#include "core/causality/constraint.h"

enum { COMPONENTS_MAX = 2 * SB_DIM_MAX };

/** The row of a constraint while its terms are added. */
typedef struct assembly {
  sb_constraint_groups *groups; // `row` is theirs
  sb_constraint_row *row;
  sb_workspace *work;
  const double *x;
  bool gradients;
} assembly;

static void clear(sb_constraint_row *row, int algebraics) {
  for (int i = 0; i < row->count; i++) {
    int state = row->states[i];
    row->gradient[state] = row->impulse[state] = 0;
    row->listed[state] = 0;
  }
  row->count = row->source_count = row->structure_count = 0;
  memset(row->algebraic, 0, (size_t)algebraics * sizeof *row->algebraic);
  memset(row->on, 0, (size_t)algebraics);
  row->residual = row->size = row->terms = row->momenta = 0;
  row->failed = row->modulated = false;
}

static void list_states(sb_constraint_row *row, const sb_instance *instance, int count) {
  for (int state = instance->state; state < instance->state + count; state++) {
    if (!row->listed[state]) {
      row->listed[state] = 1;
      row->states[row->count++] = state;
    }
  }
}

static void add_value(sb_constraint_row *row, double value) {
  row->residual += value;
  row->size += fabs(value);
}

static void add_known(const assembly *a, int var, double factor);

/** Of a storage that accelerates the weights of all its components are added first, see add_accelerating(). */
static void add_weight(const assembly *a, const sb_instance *instance, int component,
                       double factor) {
  sb_constraint_groups *g = a->groups;
  int index = (int)(instance - a->work->network->instances);
  bool listed = false;
  for (int k = 0; k < g->accelerating_count; k++) {
    listed = listed || g->accelerating[k] == index;
  }
  if (!listed) {
    g->accelerating[g->accelerating_count++] = index;
    memset(g->weights + instance->out, 0, (size_t)instance->components * sizeof *g->weights);
  }
  g->weights[instance->out + component] += factor;
}

/** The output of a storage that accelerates, by the weights of its components; the states that an impulse moves, and the
 *  gradient of the output there. It is a difference twice: of velocities, of which the largest in the same unit tells, and of what
 *  the momenta p make of them. As y = M^-1 p,
 *    w.y = (M^-1 w).p = sum of g_k p_k,   g = M^-1 w the gradient,
 *  and by the rounding of p alone a state in floating point leaves it open by eps sum |g_k p_k|: a joint of a tree that moves has
 *  nothing but that as its velocity where it is locked, and so may all bodies have as their angular velocity. */
static void add_accelerating(const assembly *a, const sb_instance *instance) {
  const sb_storage_hooks *hooks = instance->type->storage;
  const double *weights = a->groups->weights + instance->out;
  int n = instance->layout.states;
  double *dx = a->groups->moved, *gradient = dx + n, *y = gradient + n;
  sb_at at = sb_at_instance(a->work, instance, 0, a->x);
  if (a->gradients) {
    list_states(a->row, instance, n);
  }
  if (a->groups->only_lists) {
    return;
  }
  int status = hooks->output(instance->self, &at, y);
  const char *turns = a->groups->turns + instance->out;
  double largest[2] = {0, 0}; // velocities, angular velocities
  for (int k = 0; status == 0 && k < instance->components; k++) {
    double *own = &largest[(int)turns[k]];
    add_value(a->row, weights[k] * y[k]);
    *own = fmax(*own, fabs(y[k]));
  }
  for (int k = 0; k < instance->components; k++) {
    a->row->terms += fabs(weights[k]) * largest[(int)turns[k]];
  }
  if (status == 0 && a->gradients) {
    status =
        hooks->constraints.acceleration->impulse(instance->self, &at, weights, dx, gradient, y);
    for (int k = 0; status == 0 && k < n; k++) {
      a->row->impulse[instance->state + k] += dx[k];
      a->row->gradient[instance->state + k] += gradient[k];
      a->row->momenta += fabs(gradient[k] * a->x[instance->state + k]);
    }
  }
  a->row->failed = a->row->failed || status != 0;
}

/** A storage with hooks: its output at x, and the gradient of that. */
static void add_storage(const assembly *a, const sb_instance *instance, int component,
                        double factor) {
  double y[SB_HESSIAN_MAX], K[SB_HESSIAN_MAX * SB_HESSIAN_MAX];
  int n = instance->components;
  const sb_storage_hooks *hooks = instance->type->storage;
  if (sb_instance_accelerates(instance)) {
    add_weight(a, instance, component, factor);
    return;
  }
  sb_at at = sb_at_instance(a->work, instance, 0, a->x);
  if (a->gradients) {
    list_states(a->row, instance, n);
    a->row->impulse[instance->state + component] += factor;
  }
  if (hooks->output(instance->self, &at, y) != 0 ||
      (a->gradients && hooks->constraints.hessian(instance->self, &at, K) != 0)) {
    a->row->failed = true;
    return;
  }
  add_value(a->row, factor * y[component]);
  for (int k = 0; a->gradients && k < n; k++) {
    a->row->gradient[instance->state + k] += factor * K[component * n + k];
  }
}

/** A bond variable, by the terms that causality computes it from. */
static void add_variable(const assembly *a, int var, double factor) {
  const sb_causality *c = &a->work->program->causality;
  for (int i = 0; i < c->count[var]; i++) {
    const sb_term *term = &c->terms[c->first[var] + i];
    if (term->var < sb_known_base(a->work->network)) {
      add_variable(a, term->var, factor * term->factor);
    } else {
      add_known(a, term->var, factor * term->factor);
    }
  }
}

static void list_structure(const assembly *a, int index) {
  sb_constraint_row *row = a->row;
  for (int k = 0; k < row->structure_count; k++) {
    if (row->structures[k] == index) {
      return;
    }
  }
  if (!sb_arena_grow(&a->groups->memory, &row->structures, &row->structure_capacity,
                     row->structure_count + 1, sizeof *row->structures)) {
    row->failed = true;
    return;
  }
  row->structures[row->structure_count++] = index;
}

/** An output of a modulated structure: a linear combination of the inputs of its other side. The states
 *  behind these are listed even where the ratio is zero. */
static void add_structure(const assembly *a, const sb_instance *instance, int component,
                          double factor) {
  const sb_network *network = a->work->network;
  sb_constraint_row *row = a->row;
  double in[COMPONENTS_MAX] = {0}, y[COMPONENTS_MAX];
  bool adjoint = sb_instance_side(instance, component) == 'A';
  const sb_structure_hooks *hooks = instance->type->structure;
  if (a->gradients) {
    list_structure(a, (int)(instance - network->instances));
  }
  sb_at at = sb_at_instance(a->work, instance, 0, a->x);
  at.in = in;
  row->modulated = row->modulated || instance->wire_count > 0;
  row->failed = row->failed || instance->components > COMPONENTS_MAX;
  for (int k = 0; k < instance->components && k < COMPONENTS_MAX; k++) {
    if (sb_instance_side(instance, k) != (adjoint ? 'B' : 'A')) {
      continue;
    }
    in[k] = 1;
    row->failed =
        (adjoint ? hooks->adjoint : hooks->forward)(instance->self, &at, y) != 0 || row->failed;
    in[k] = 0;
    bool flow = sb_reads_flow(network, &a->work->program->causality,
                              (int)(instance - network->instances), k);
    double through = row->failed ? 0 : factor * y[component] * (flow ? instance->signs[k] : 1);
    add_variable(a, flow ? sb_flow_var(instance, k) : sb_effort_var(instance, k), through);
  }
}

/** A source, or a flat law. */
static void add_source(const assembly *a, const sb_instance *instance, int value, double factor) {
  sb_constraint_row *row = a->row;
  add_value(row, factor * a->work->values[value]);
  row->modulated = row->modulated || instance->wire_count > 0;
  if (!a->gradients) {
    return;
  }
  if (!sb_arena_grow(&a->groups->memory, &row->sources, &row->source_capacity,
                     row->source_count + 1, sizeof *row->sources)) {
    row->failed = true;
    return;
  }
  row->sources[row->source_count++] =
      (sb_constraint_source){(int)(instance - a->work->network->instances), value, factor};
}

/** A state, or an output of hooks. */
static void add_known(const assembly *a, int var, double factor) {
  const sb_network *network = a->work->network;
  int known = var - sb_known_base(network), value = known - network->state_count;
  int algebraic = sb_algebraic_of(network, &a->work->program->causality, value);
  if (algebraic >= 0) {
    add_value(a->row, factor * a->work->values[value]);
    a->row->algebraic[algebraic] += factor;
    a->row->on[algebraic] = 1;
    return;
  }
  const sb_instance *instance = &network->instances[sb_owner_of(network, known)];
  if (value < 0) {
    add_value(a->row, factor * a->x[known]);
    if (a->gradients) {
      list_states(a->row, instance, instance->components);
      a->row->gradient[known] += factor;
    }
  } else if (instance->type->storage != NULL) {
    add_storage(a, instance, value - instance->out, factor);
  } else if (instance->type->structure != NULL) {
    add_structure(a, instance, value - instance->out, factor);
  } else {
    add_source(a, instance, value, factor);
  }
}

/** An empty row. */
static assembly begin(sb_constraint_groups *groups, sb_workspace *work, const double x[],
                      bool gradients) {
  clear(&groups->row, work->program->causality.algebraic_count);
  groups->accelerating_count = 0;
  return (assembly){groups, &groups->row, work, x, gradients};
}

/** What all terms together make. */
static const sb_constraint_row *finish(const assembly *a) {
  const sb_network *network = a->work->network;
  const sb_constraint_groups *groups = a->groups;
  sb_constraint_row *row = a->row;
  for (int k = 0; k < groups->accelerating_count; k++) {
    add_accelerating(a, &network->instances[groups->accelerating[k]]);
  }
  for (int i = 0; i < row->count; i++) { // y = K x of linear storages: G = C K^-1
    int state = row->states[i];
    const sb_instance *instance = &network->instances[sb_owner_of(network, state)];
    if (instance->linear && state == instance->state) {
      sb_storage_solve(instance, row->gradient + state, row->impulse + state);
    }
  }
  return row;
}

const sb_constraint_row *sb_constraint_row_at(sb_constraint_groups *groups, sb_workspace *work,
                                              int constraint, const double x[], bool gradients) {
  const assembly a = begin(groups, work, x, gradients);
  int count;
  const sb_term *terms = sb_constraint_terms(&work->program->causality, constraint, &count);
  for (int k = 0; k < count; k++) {
    add_known(&a, terms[k].var, terms[k].factor);
  }
  return finish(&a);
}

const sb_constraint_row *sb_flow_row_at(sb_constraint_groups *groups, sb_workspace *work,
                                        const sb_instance *instance, int component,
                                        const double x[]) {
  const assembly a = begin(groups, work, x, true);
  sb_constraint_row *row = a.row;
  add_variable(&a, sb_flow_var(instance, component), instance->signs[component]);
  (void)finish(&a);
  for (int i = 0; i < work->program->causality.algebraic_count; i++) {
    row->failed = row->failed || row->on[i];
  }
  for (int i = 0; i < row->source_count; i++) {
    const sb_instance *source = &work->network->instances[row->sources[i].instance];
    row->failed = row->failed || source->type->source == NULL;
  }
  return row;
}
