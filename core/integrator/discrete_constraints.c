// SPDX-License-Identifier: GPL-3.0-or-later
// Discrete gradient methods for storages that are tied by G^T y = 0 and not linear. Their discrete
// gradients v, with v.(x1 - x0) = H(x1) - H(x0), satisfy the tie only to the order of the method, and
// then its force would do work. What the storages of a group of ties give over the step is therefore
// the nearest y that satisfies
//   G^T y + w s = 0                    the tie, s the mean of a source in it,
//   (y - v).d = 0,   d = x1 - x0       the chain rule still.
// With the Hessians' diagonals as weights k, y = v + k (G a + d b), and
//   ( G^T k G   G^T k d ) ( a )     ( G^T v + w s )
//   (  d k G      d k d ) ( b )  = -(      0      ).
// Both right-hand sides vanish with the step, and y is symmetric in x0 and x1: the order remains. A
// source takes part with a column of its own and no d: its mean is then the one that its work asks
// for. The states themselves end on the tie, for its mean rate is kept zero
// (sb_discrete_dot). Linear storages of a group, whose outputs are rows over the states, are shown
// states that give y.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/integrator/discrete_gradient_private.h"
#include "core/linalg/dense.h"
#include "core/model/constraints.h"

/** A step is along the ties only where less than this part of it is left; then there is no b. */
static const double along = 1e-13;

/** A group: columns are its states, then its sources. */
typedef struct projection {
  int m, n, columns; // ties, states, and with sources
  double *g;         // (m x columns)
  double *v, *d, *k; // (columns)
  double *a, *b;     // (m x m), (m x 2): -(G^T v + w s) and G^T k d, then what solves for these
} projection;

bool sb_discrete_constraints_init(sb_discrete *s) {
  const sb_network *network = s->work->network;
  s->constraints.constrained = sb_zeroed(network->instance_count, sizeof(char));
  s->constraints.assigned = sb_zeroed(network->state_count, sizeof(double));
  s->constraints.seen = sb_zeroed(network->state_count, sizeof(double));
  s->constraints.means = sb_zeroed(network->value_count, sizeof(double));
  return s->constraints.constrained != NULL && s->constraints.assigned != NULL &&
         s->constraints.seen != NULL && s->constraints.means != NULL;
}

void sb_discrete_constraints_finish(sb_discrete *s) {
  free(s->constraints.constrained);
  free(s->constraints.assigned);
  free(s->constraints.seen);
  free(s->constraints.means);
  free(s->constraints.numbers);
  s->constraints = (sb_discrete_constraints){0};
}

/** Room for a group with `sources` columns behind its states. */
static bool make_room(sb_discrete_constraints *t, projection *p, int m, int n, int sources) {
  int columns = n + sources;
  int needed = (m + 3) * columns + m * (m + 2);
  if (!sb_grow(&t->numbers, &t->number_capacity, needed, sizeof(double))) {
    return false;
  }
  memset(t->numbers, 0, (size_t)needed * sizeof *t->numbers);
  *p = (projection){.m = m, .n = n, .columns = columns, .g = t->numbers};
  p->v = p->g + m * columns;
  p->d = p->v + columns;
  p->k = p->d + columns;
  p->a = p->k + columns;
  p->b = p->a + m * m;
  return true;
}

/** Lists the values of the sources of a group, each once. */
static int list_sources(const sb_discrete *s, sb_groups *g, int group, const double x[],
                        int values[], int most) {
  const sb_causality *c = &s->program.causality;
  int count = 0;
  for (int i = g->head[group]; i >= 0; i = g->next[i]) {
    sb_constraint_row_fill(&g->row, s->work, &c->constraints[i], x, true);
    for (int k = 0; k < g->row.source_count; k++) {
      int value = g->row.sources[k].value;
      bool listed = false;
      for (int j = 0; j < count; j++) {
        listed = listed || values[j] == value;
      }
      if (!listed && count < most) {
        values[count++] = value;
      }
    }
  }
  return count;
}

/** Whether a tie goes through a structure. */
static bool moves(const sb_discrete *s, const sb_constraint *constraint) {
  const sb_network *network = s->work->network;
  const sb_term *terms = &s->program.causality.constraint_terms[constraint->first];
  bool any = false;
  for (int k = 0; k < constraint->count; k++) {
    int owner = sb_owner_of(network, terms[k].var - sb_known_base(network));
    any = any || network->instances[owner].type->structure != NULL;
  }
  return any;
}

/** The ties without structures, over states and sources. */
static void fill_constraints(sb_discrete *s, sb_groups *g, int group, const double x[],
                             const int values[], projection *p) {
  const sb_causality *c = &s->program.causality;
  p->m = 0;
  for (int i = g->head[group]; i >= 0; i = g->next[i]) {
    if (moves(s, &c->constraints[i])) {
      continue;
    }
    double *out = p->g + p->m++ * p->columns;
    sb_constraint_row_fill(&g->row, s->work, &c->constraints[i], x, true);
    for (int k = 0; k < g->row.count; k++) {
      out[g->slot[g->row.states[k]]] = g->row.d[g->row.states[k]];
    }
    for (int k = 0; k < g->row.source_count; k++) {
      for (int j = p->n; j < p->columns; j++) {
        bool own = g->row.sources[k].value == values[j - p->n];
        out[j] += own ? g->row.sources[k].factor : 0;
      }
    }
  }
}

/** v, d and k of the storages of a group. */
static int fill_storages(sb_discrete *s, const sb_groups *g, double t, const double x[],
                         projection *p) {
  const sb_network *network = s->work->network;
  double K[SB_HESSIAN_MAX * SB_HESSIAN_MAX];
  for (int j = 0; j < p->n; j++) {
    int state = g->states[j], index = sb_owner_of(network, state);
    const sb_instance *instance = &network->instances[index];
    int own = state - instance->state, n = instance->components;
    s->constraints.constrained[index] = 1;
    p->d[j] = 2 * (x[state] - s->x0[state]);
    if (instance->linear) {
      p->k[j] = instance->matrix[own * n + own];
      for (int i = 0; i < n; i++) {
        p->v[j] += instance->matrix[own * n + i] * x[instance->state + i];
      }
      continue;
    }
    sb_at at = sb_at_instance(s->work, instance, t, x);
    double *assigned = s->constraints.assigned + instance->state;
    if ((own == 0 && sb_discrete_output(s, instance, t, x, assigned) != 0) ||
        instance->type->storage->constraints.hessian(instance->self, &at, K) != 0) {
      return -1;
    }
    p->k[j] = fabs(K[own * n + own]);
  }
  for (int j = 0; j < p->n; j++) { // the first of a storage's states has asked it for all
    bool linear = network->instances[sb_owner_of(network, g->states[j])].linear;
    p->v[j] = linear ? p->v[j] : s->constraints.assigned[g->states[j]];
  }
  return 0;
}

/** Means of the sources, and weights as large as those of the ties that they are in. */
static int fill_sources(sb_discrete *s, double t, const double x[], const int values[],
                        projection *p) {
  const sb_network *network = s->work->network;
  for (int j = p->n; j < p->columns; j++) {
    int index = sb_owner_of(network, network->state_count + values[j - p->n]);
    const sb_instance *instance = &network->instances[index];
    double mean[SB_HESSIAN_MAX];
    s->constraints.constrained[index] = 1;
    if (sb_discrete_source(s, instance, t, x, mean) != 0) {
      return -1;
    }
    p->v[j] = mean[values[j - p->n] - instance->out];
    for (int i = 0; i < p->m; i++) {
      const double *row = p->g + i * p->columns;
      double weight = 0;
      for (int k = 0; k < p->n && row[j] != 0; k++) {
        weight += row[k] * p->k[k] * row[k] / (row[j] * row[j]);
      }
      p->k[j] = fmax(p->k[j], weight);
    }
  }
  return 0;
}

/** v := the nearest that keeps the ties and the chain rule. */
static void project(projection *p) {
  double length = 0, crossed = 0, left = 0;
  for (int i = 0; i < p->m; i++) {
    const double *gi = p->g + i * p->columns;
    for (int k = 0; k < p->columns; k++) {
      p->b[2 * i] -= gi[k] * p->v[k];
      p->b[2 * i + 1] += gi[k] * p->k[k] * p->d[k];
      for (int j = 0; j < p->m; j++) {
        p->a[i * p->m + j] += gi[k] * p->k[k] * p->g[j * p->columns + k];
      }
    }
  }
  for (int k = 0; k < p->columns; k++) {
    length += p->k[k] * p->d[k] * p->d[k];
  }
  sb_solve_definite(p->a, p->b, p->m, 2, along);
  for (int i = 0; i < p->m; i++) {
    double across = 0;
    for (int k = 0; k < p->columns; k++) {
      across += p->g[i * p->columns + k] * p->k[k] * p->d[k];
    }
    crossed += across * p->b[2 * i];
    left += across * p->b[2 * i + 1];
  }
  double rest = length - left, b = rest > along * length ? -crossed / rest : 0;
  for (int k = 0; k < p->columns; k++) {
    double sum = b * p->d[k];
    for (int i = 0; i < p->m; i++) {
      sum += p->g[i * p->columns + k] * (p->b[2 * i] - b * p->b[2 * i + 1]);
    }
    p->v[k] += p->k[k] * sum;
  }
}

/** Hands out what the members of a group give. */
static void hand_out(sb_discrete *s, const sb_groups *g, const int values[], const projection *p) {
  const sb_network *network = s->work->network;
  for (int j = 0; j < p->n; j++) {
    s->constraints.assigned[g->states[j]] = p->v[j];
  }
  for (int j = 0; j < p->n; j++) {
    const sb_instance *instance = &network->instances[sb_owner_of(network, g->states[j])];
    if (instance->linear && g->states[j] == instance->state) {
      sb_storage_solve(instance, s->constraints.assigned + instance->state,
                       s->constraints.seen + instance->state);
    }
  }
  for (int j = p->n; j < p->columns; j++) {
    s->constraints.means[values[j - p->n]] = p->v[j];
  }
}

static double input_of(const sb_discrete *s, const sb_instance *instance, int component);

/** What a state or value, or a variable made of them, is over the step. */
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
    return s->constraints.seen[known];
  }
  if (instance->type->storage != NULL) {
    return s->constraints.assigned[instance->state + component];
  }
  if (instance->type->source != NULL) {
    return s->constraints.means[instance->out + component];
  }
  for (int k = 0; k < instance->components; k++) {
    double n = *sb_discrete_operator(s, instance, component, k);
    sum += n == 0 ? 0 : n * input_of(s, instance, k); // of its own side nothing is known
  }
  return sum;
}

/** What comes to a component of a structure that it reads to give the other side. */
static double input_of(const sb_discrete *s, const sb_instance *instance, int component) {
  const sb_network *network = s->work->network;
  int index = (int)(instance - network->instances);
  bool flow = sb_reads_flow(network, &s->program.causality, index, component);
  double value =
      value_of(s, flow ? sb_flow_var(instance, component) : sb_effort_var(instance, component));
  return flow ? instance->signs[component] * value : value;
}

/** Lets the structures that a tie goes through at last have such operators that it holds for what
 *  storages and sources give. Returns by which part it did not. */
static double adjust(sb_discrete *s, const sb_constraint *constraint) {
  const sb_network *network = s->work->network;
  const sb_term *terms = &s->program.causality.constraint_terms[constraint->first];
  double off = 0, size = 0, weight = 0;
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < constraint->count; i++) {
      int known = terms[i].var - sb_known_base(network);
      const sb_instance *instance = &network->instances[sb_owner_of(network, known)];
      double value = pass == 0 ? terms[i].factor * value_of(s, terms[i].var) : 0;
      off += value;
      size += fabs(value);
      int component = known - network->state_count - instance->out;
      for (int k = 0; instance->type->structure != NULL && k < instance->components; k++) {
        double *n = sb_discrete_operator(s, instance, component, k);
        double slope = *n == 0 ? 0 : terms[i].factor * input_of(s, instance, k);
        weight += pass == 0 ? slope * slope : 0;
        if (pass == 1 && weight > 0) {
          *n -= off * slope / weight;
          *sb_discrete_operator(s, instance, k, component) = -*n; // power-free
        }
      }
    }
  }
  return size > 0 ? fabs(off) / size : 0;
}

enum { SOURCES_MAX = 64, SWEEPS_MAX = 30 };

/** A tie through a structure leads the storages along itself where nothing else moves them, and then
 *  nothing that they give could be changed without work. It is the ratio over the step that is free. */
static void adjust_group(sb_discrete *s, const sb_groups *g, int group) {
  const sb_causality *c = &s->program.causality;
  double off = 1;
  for (int sweep = 0; sweep < SWEEPS_MAX && off > DBL_EPSILON; sweep++) {
    off = 0;
    for (int i = g->head[group]; i >= 0; i = g->next[i]) {
      off = moves(s, &c->constraints[i]) ? fmax(off, adjust(s, &c->constraints[i])) : off;
    }
  }
}

static int see_group(sb_discrete *s, sb_groups *g, int group, double t, const double x[]) {
  int values[SOURCES_MAX], n, m = sb_group_begin(g, s->work, group, x, &n);
  int sources = list_sources(s, g, group, x, values, SOURCES_MAX);
  projection p;
  int status = make_room(&s->constraints, &p, m, n, sources) ? 0 : -1;
  if (status == 0) {
    fill_constraints(s, g, group, x, values, &p);
    status = fill_storages(s, g, t, x, &p);
  }
  status = status == 0 ? fill_sources(s, t, x, values, &p) : status;
  if (status == 0) {
    project(&p);
    hand_out(s, g, values, &p);
    adjust_group(s, g, group);
  }
  sb_group_end(g, n);
  return status;
}

const double *sb_discrete_see(sb_workspace *work, double t, const double x[]) {
  const sb_network *network = work->network;
  sb_discrete *s = sb_discrete_of(work);
  sb_groups *g = sb_groups_of(work);
  int status = g == NULL ? -1 : sb_discrete_motion_see(s, t, x);
  memcpy(s->constraints.seen, x, (size_t)network->state_count * sizeof *x);
  for (int group = 0; status == 0 && group < g->count; group++) {
    status = g->solved[group] ? see_group(s, g, group, t, x) : 0;
  }
  return status == 0 ? s->constraints.seen : NULL;
}
