// SPDX-License-Identifier: GPL-3.0-or-later
// Discrete gradient methods for storages that are constrained by G^T y = 0 and not linear. Their discrete
// gradients v, with v.(x1 - x0) = H(x1) - H(x0), satisfy the constraint only to the order of the method,
// and then its multiplier would do work. What the storages of a group of constraints give over the step
// is therefore the nearest y that satisfies
//   G^T y + w s = 0                    the constraint, s the mean of a source in it,
//   (y - v).d = 0,   d = x1 - x0       the chain rule still.
// With the Hessians' diagonals as weights k, y = v + k (G a + d b), and
//   ( G^T k G   G^T k d ) ( a )     ( G^T v + w s )
//   (  d k G      d k d ) ( b )  = -(      0      ).
// Both right-hand sides vanish with the step, and y is symmetric in x0 and x1: the order remains. A
// source takes part with a column of its own and no d: its mean is then the one for which the balance
// of work holds. Storages with a structure of their own (discrete_structures.c) have columns of their own as well, k being
// their response to impulses G a, and no d. With one of these in a constraint a source keeps its mean.
// The states themselves end on the constraint, for its mean rate is zero
// (sb_discrete_output_rate). The outputs of linear storages of a group are rows over the states: these
// rows read states that give y.
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/causality/constraint.h"
#include "core/integrator/discrete_gradient_private.h"
#include "core/linalg/dense.h"
#include "core/model/constraints.h"

/** A step is along the constraints if only this fraction of it or less is across; then there is no b. */
static const double along = 1e-13;
/** Of the impulse of a force, rounding. */
static const double rounding = 64 * DBL_EPSILON;

/** The projection of what a group gives. Columns are its states, then its sources. */
typedef struct projection {
  const sb_constraint_group *group;
  int m, n, columns;  // constraints that lead through no structure, states, and with sources
  double *G;          // (m x columns)
  double *v, *d, *k;  // (columns)
  double *A, *B;      // (m x m), (m x 2): -(G^T v + w s) and G^T k d, then what solves for these
  int width;          // components of storages with a structure of their own
  double *W, *y, *dy; // (m x width) their columns, (width) what they give, and its change
} projection;

/** The storage with a structure of its own that begins at a state of a group; NULL: none does. */
static const sb_instance *structured_at(const sb_network *network, const sb_constraint_group *group,
                                        int k) {
  const sb_instance *instance = &network->instances[sb_owner_of(network, group->states[k])];
  return sb_discrete_structured(instance) && instance->state == group->states[k] ? instance : NULL;
}

static int width_of(const sb_network *network, const sb_constraint_group *group) {
  int width = 0;
  for (int k = 0; k < group->state_count; k++) {
    const sb_instance *instance = structured_at(network, group, k);
    width += instance != NULL ? instance->components : 0;
  }
  return width;
}

static int count_numbers(const sb_network *network, const sb_constraint_group *group) {
  int m = group->count, columns = group->state_count + group->source_count;
  return (m + 3) * columns + m * (m + 2) + (m + 2) * width_of(network, group);
}

bool sb_discrete_constraints_init(sb_discrete *s) {
  const sb_network *network = s->work->network;
  sb_discrete_constraints *c = &s->constraints;
  int most = 0, groups = 0;
  if (s->program.substitute != NULL) {
    const sb_constraint_groups *g = sb_constraint_groups_of(s->work);
    groups = g != NULL ? g->count : 0;
    for (int i = 0; i < groups; i++) {
      int needed = count_numbers(network, &g->groups[i]);
      most = needed > most ? needed : most;
    }
  }
  c->constrained = sb_arena_zeroed(&s->memory, network->instance_count, sizeof(char));
  c->outputs = sb_arena_zeroed(&s->memory, network->state_count, sizeof(double));
  c->states = sb_arena_zeroed(&s->memory, network->state_count, sizeof(double));
  c->means = sb_arena_zeroed(&s->memory, network->value_count, sizeof(double));
  c->pushes = sb_arena_zeroed(&s->memory, network->value_count, sizeof(double));
  c->numbers = sb_arena_zeroed(&s->memory, most, sizeof(double));
  c->rests = sb_arena_zeroed(&s->memory, groups, sizeof(bool));
  return c->constrained != NULL && c->outputs != NULL && c->states != NULL && c->means != NULL &&
         c->pushes != NULL && c->numbers != NULL && c->rests != NULL;
}

static projection begin(const sb_discrete *s, const sb_constraint_group *group) {
  int m = group->count, n = group->state_count, columns = n + group->source_count;
  double *numbers = s->constraints.numbers;
  memset(numbers, 0, (size_t)count_numbers(s->work->network, group) * sizeof *numbers);
  projection p = {.group = group, .n = n, .columns = columns, .G = numbers};
  p.v = p.G + m * columns;
  p.d = p.v + columns;
  p.k = p.d + columns;
  p.A = p.k + columns;
  p.B = p.A + m * m;
  p.width = width_of(s->work->network, group);
  p.W = p.B + 2 * m;
  p.y = p.W + m * p.width;
  p.dy = p.y + p.width;
  return p;
}

/** The row of storages with a structure of their own in the constraint that was asked for last. */
static void fill_weights(const sb_discrete *s, const sb_constraint_groups *groups,
                         const projection *p, double W[]) {
  const sb_network *network = s->work->network;
  for (int k = 0; k < p->n; k++) {
    const sb_instance *instance = structured_at(network, p->group, k);
    for (int i = 0; instance != NULL && i < groups->accelerating_count; i++) {
      if (&network->instances[groups->accelerating[i]] == instance) {
        memcpy(W, groups->weights + instance->out, (size_t)instance->components * sizeof *W);
      }
    }
    W += instance != NULL ? instance->components : 0;
  }
}

/** G of the constraints that lead through no structure. */
static void fill_constraints(const sb_discrete *s, sb_constraint_groups *groups, const double x[],
                             projection *p) {
  for (int i = 0; i < p->group->count; i++) {
    int constraint = p->group->constraints[i];
    if (sb_constraint_is_through_structure(s->work->network, &s->program.causality, constraint)) {
      continue;
    }
    const sb_network *network = s->work->network;
    double *G = p->G + p->m * p->columns;
    const sb_constraint_row *row = sb_constraint_row_at(groups, s->work, constraint, x, true);
    for (int k = 0; k < row->count; k++) {
      const int state = row->states[k];
      bool own = sb_discrete_structured(&network->instances[sb_owner_of(network, state)]);
      G[groups->column[state]] = own ? 0 : row->impulse[state];
    }
    fill_weights(s, groups, p, p->W + p->m++ * p->width);
    for (int k = 0; k < row->source_count; k++) {
      for (int j = p->n; j < p->columns; j++) {
        bool own = row->sources[k].value == p->group->sources[j - p->n];
        G[j] += own ? row->sources[k].factor : 0;
      }
    }
  }
}

/** v and k of a state of a storage with hooks; of its first state, v of all. */
static int fill_storage(sb_discrete *s, const sb_instance *instance, double t, const double x[],
                        int own, double *k) {
  double K[SB_HESSIAN_MAX * SB_HESSIAN_MAX];
  sb_at at = sb_at_instance(s->work, instance, t, x);
  double *outputs = s->constraints.outputs + instance->state;
  if ((own == 0 && sb_discrete_output(s, instance, t, x, outputs) != 0) ||
      instance->type->storage->constraints.hessian(instance->self, &at, K) != 0) {
    return -1;
  }
  *k = fabs(K[own * instance->components + own]);
  return 0;
}

/** v, d and k of the storages of a group. */
static int fill_storages(sb_discrete *s, double t, const double x[], projection *p) {
  const sb_network *network = s->work->network;
  for (int j = 0; j < p->n; j++) {
    int state = p->group->states[j], index = sb_owner_of(network, state);
    const sb_instance *instance = &network->instances[index];
    int own = state - instance->state, n = instance->components;
    if (sb_discrete_structured(instance)) {
      continue;
    }
    s->constraints.constrained[index] = 1;
    p->d[j] = 2 * (x[state] - s->x0[state]);
    if (instance->linear) {
      p->k[j] = instance->matrix[own * n + own];
      for (int i = 0; i < n; i++) {
        p->v[j] += instance->matrix[own * n + i] * x[instance->state + i];
      }
    } else if (fill_storage(s, instance, t, x, own, &p->k[j]) != 0) {
      return -1;
    }
  }
  for (int j = 0; j < p->n; j++) {
    int state = p->group->states[j];
    bool linear = network->instances[sb_owner_of(network, state)].linear;
    p->v[j] = linear ? p->v[j] : s->constraints.outputs[state];
  }
  return 0;
}

/** What storages with a structure of their own give without impulses, and how they respond to these. */
static int fill_structures(sb_discrete *s, double t, const double x[], projection *p) {
  for (int k = 0, first = 0; k < p->n; k++) {
    const sb_instance *instance = structured_at(s->work->network, p->group, k);
    if (instance == NULL) {
      continue;
    }
    const int n = instance->components;
    const sb_at at = sb_at_instance(s->work, instance, t, x);
    s->constraints.constrained[instance - s->work->network->instances] = 0;
    if (sb_discrete_output(s, instance, t, x, p->y + first) != 0) {
      return -1;
    }
    for (int i = 0; i < p->m; i++) {
      const double *own = p->W + i * p->width + first;
      p->B[2 * i] -= sb_discrete_dot(own, p->y + first, n);
      if (instance->type->storage->constraints.acceleration->impulse(instance->self, &at, own, NULL,
                                                                     NULL, p->dy) != 0) {
        return -1;
      }
      for (int j = 0; j < p->m; j++) {
        p->A[j * p->m + i] += sb_discrete_dot(p->W + j * p->width + first, p->dy, n);
      }
    }
    first += n;
  }
  return 0;
}

/** Means of the sources, and weights as large as those of the constraints that they are in. */
static int fill_sources(sb_discrete *s, double t, const double x[], projection *p) {
  const sb_network *network = s->work->network;
  for (int j = p->n; j < p->columns; j++) {
    int value = p->group->sources[j - p->n];
    int index = sb_owner_of(network, network->state_count + value);
    const sb_instance *instance = &network->instances[index];
    double mean[SB_DIM_MAX];
    s->constraints.constrained[index] = 1;
    if (sb_discrete_source(s, instance, t, x, mean) != 0) {
      return -1;
    }
    p->v[j] = mean[value - instance->out];
    for (int i = 0; i < p->m; i++) {
      const double *row = p->G + i * p->columns, *own = p->W + i * p->width;
      double weight = 0;
      for (int k = 0; k < p->n && row[j] != 0 && sb_discrete_dot(own, own, p->width) == 0; k++) {
        weight += row[k] * p->k[k] * row[k] / (row[j] * row[j]);
      }
      p->k[j] = fmax(p->k[j], weight);
    }
  }
  return 0;
}

/** Fills A and B. */
static void fill_system(projection *p) {
  for (int i = 0; i < p->m; i++) {
    const double *gi = p->G + i * p->columns;
    for (int k = 0; k < p->columns; k++) {
      p->B[2 * i] -= gi[k] * p->v[k];
      p->B[2 * i + 1] += gi[k] * p->k[k] * p->d[k];
      for (int j = 0; j < p->m; j++) {
        p->A[i * p->m + j] += gi[k] * p->k[k] * p->G[j * p->columns + k];
      }
    }
  }
}

/** v := the nearest that satisfies the constraints and the chain rule: a and b by elimination of a. */
static void project(projection *p) {
  double length = 0, crossed = 0, left = 0;
  fill_system(p);
  for (int k = 0; k < p->columns; k++) {
    length += p->k[k] * p->d[k] * p->d[k];
  }
  sb_solve_definite(p->A, p->B, p->m, 2, along);
  for (int i = 0; i < p->m; i++) {
    double across = 0;
    for (int k = 0; k < p->columns; k++) {
      across += p->G[i * p->columns + k] * p->k[k] * p->d[k];
    }
    crossed += across * p->B[2 * i];
    left += across * p->B[2 * i + 1];
  }
  double rest = length - left, b = rest > along * length ? -crossed / rest : 0;
  for (int i = 0; i < p->m; i++) {
    p->B[2 * i] -= b * p->B[2 * i + 1];
  }
  for (int k = 0; k < p->columns; k++) {
    double sum = b * p->d[k];
    for (int i = 0; i < p->m; i++) {
      sum += p->G[i * p->columns + k] * p->B[2 * i];
    }
    p->v[k] += p->k[k] * sum;
  }
}

/** Stores what the storages and sources of a group give, and the states that give the outputs of linear
 *  storages. */
static void store(sb_discrete *s, const projection *p) {
  const sb_network *network = s->work->network;
  sb_discrete_constraints *c = &s->constraints;
  const int *states = p->group->states;
  for (int j = 0; j < p->n; j++) {
    c->outputs[states[j]] = p->v[j];
  }
  for (int j = 0; j < p->n; j++) {
    const sb_instance *instance = &network->instances[sb_owner_of(network, states[j])];
    if (instance->linear && states[j] == instance->state) {
      sb_storage_solve(instance, c->outputs + instance->state, c->states + instance->state);
    }
  }
  for (int j = p->n; j < p->columns; j++) {
    c->means[p->group->sources[j - p->n]] = p->v[j];
  }
}

/** And what storages with a structure of their own give, by the impulses. */
static int store_structures(sb_discrete *s, double t, const double x[], const projection *p) {
  for (int k = 0, first = 0; k < p->n; k++) {
    const sb_instance *instance = structured_at(s->work->network, p->group, k);
    if (instance == NULL) {
      continue;
    }
    double *push = s->constraints.pushes + instance->out;
    memset(push, 0, (size_t)instance->components * sizeof *push);
    for (int i = 0; i < p->m * instance->components; i++) {
      int row = i / instance->components, own = i % instance->components;
      push[own] += p->B[2 * row] * p->W[row * p->width + first + own];
    }
    s->constraints.constrained[instance - s->work->network->instances] = 1;
    if (sb_discrete_act(s, instance, t, x, s->constraints.means + instance->out, NULL) != 0) {
      return -1;
    }
    first += instance->components;
  }
  return 0;
}

/** What constraints hold against a force moves by the rounding of that: of an energy that is the square of a rounding of what
 *  a multiplier alone would give it in the step. No ratio follows from such a motion. */
static bool is_at_rest(const sb_discrete *s, const projection *p) {
  double energy = 0;
  for (int j = 0; j < p->n; j++) {
    energy += p->k[j] > 0 ? p->v[j] * p->v[j] / (2 * p->k[j]) : HUGE_VAL;
  }
  return energy <= rounding * rounding * p->group->push * s->h * s->h;
}

static int project_group(sb_discrete *s, sb_constraint_groups *groups, int number, double t,
                         const double x[]) {
  const sb_constraint_group *group = &groups->groups[number];
  projection p = begin(s, group);
  fill_constraints(s, groups, x, &p);
  if (fill_storages(s, t, x, &p) != 0 || fill_structures(s, t, x, &p) != 0 ||
      fill_sources(s, t, x, &p) != 0) {
    return -1;
  }
  project(&p);
  store(s, &p);
  if (store_structures(s, t, x, &p) != 0) {
    return -1;
  }
  if (!s->constraints.differences) {
    s->constraints.rests[number] = is_at_rest(s, &p);
  }
  if (!s->constraints.rests[number]) {
    sb_discrete_correct_operators(s, group->constraints, group->count);
  }
  return 0;
}

const double *sb_discrete_substitute(sb_workspace *work, double t, const double x[]) {
  sb_discrete *s = sb_discrete_of(work);
  sb_constraint_groups *groups = sb_constraint_groups_of(work);
  double *states = s->constraints.states;
  int status = groups == NULL ? -1 : sb_discrete_modulation_evaluate(s, t, x);
  work->evaluation.current = work->evaluation.traced = false; // what follows is of other states
  memcpy(states, x, (size_t)work->network->state_count * sizeof *x);
  for (int i = 0; status == 0 && i < groups->count; i++) {
    status = groups->groups[i].has_multiplier ? project_group(s, groups, i, t, x) : 0;
  }
  return status == 0 ? states : NULL;
}
