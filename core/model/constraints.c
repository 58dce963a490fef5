// SPDX-License-Identifier: GPL-3.0-or-later
// A tie at a state: sum w y = 0 in the outputs y of storages, seen through modulated transformers. With
// G = (w) its impulse lambda moves the states by G^T lambda, as the structure is power-free, and C = G K
// is its slope, K the storages' Hessians.
#include "core/model/constraints.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/linalg/dense.h"

enum { COMPONENTS_MAX = 2 * SB_DIM_MAX };

bool sb_constraint_row_init(sb_constraint_row *row, int states) {
  *row = (sb_constraint_row){.c = sb_zeroed(states, sizeof(double)),
                             .d = sb_zeroed(states, sizeof(double)),
                             .states = sb_zeroed(states, sizeof(int)),
                             .listed = sb_zeroed(states, sizeof(char))};
  return row->c != NULL && row->d != NULL && row->states != NULL && row->listed != NULL;
}

void sb_constraint_row_finish(sb_constraint_row *row) {
  free(row->c);
  free(row->d);
  free(row->states);
  free(row->listed);
  free(row->sources);
}

static void clear(sb_constraint_row *row) {
  for (int i = 0; i < row->count; i++) {
    row->c[row->states[i]] = row->d[row->states[i]] = 0;
    row->listed[row->states[i]] = 0;
  }
  row->count = row->source_count = 0;
  row->off = row->size = 0;
  row->failed = row->moves = false;
}

static void list_states(sb_constraint_row *row, const sb_instance *instance) {
  for (int state = instance->state; state < instance->state + instance->components; state++) {
    if (!row->listed[state]) {
      row->listed[state] = 1;
      row->states[row->count++] = state;
    }
  }
}

static void add_value(sb_constraint_row *row, double value) {
  row->off += value;
  row->size += fabs(value);
}

static void add_known(sb_constraint_row *row, sb_workspace *work, int var, double factor,
                      const double x[], bool slopes);

/** A storage with hooks: its output at x, and the slope of that. */
static void add_storage(sb_constraint_row *row, sb_workspace *work, const sb_instance *instance,
                        int component, double factor, const double x[], bool slopes) {
  double y[SB_HESSIAN_MAX], K[SB_HESSIAN_MAX * SB_HESSIAN_MAX];
  int n = instance->components;
  sb_at at = sb_at_instance(work, instance, 0, x);
  if (slopes) {
    list_states(row, instance);
    row->d[instance->state + component] += factor;
  }
  if (instance->type->storage->output(instance->self, &at, y) != 0 ||
      (slopes && instance->type->storage->constraints.hessian(instance->self, &at, K) != 0)) {
    row->failed = true;
    return;
  }
  add_value(row, factor * y[component]);
  for (int k = 0; slopes && k < n; k++) {
    row->c[instance->state + k] += factor * K[component * n + k];
  }
}

/** A variable of a cell by what causality made it of. */
static void add_variable(sb_constraint_row *row, sb_workspace *work, int var, double factor,
                         const double x[], bool slopes) {
  const sb_causality *c = &work->program->causality;
  for (int i = 0; i < c->count[var]; i++) {
    const sb_term *term = &c->terms[c->first[var] + i];
    if (term->var < sb_known_base(work->network)) {
      add_variable(row, work, term->var, factor * term->factor, x, slopes);
    } else {
      add_known(row, work, term->var, factor * term->factor, x, slopes);
    }
  }
}

/** A component that a modulated structure gives: a linear combination of what comes to its other
 *  side. What is behind it is listed even where the ratio is zero. */
static void add_structure(sb_constraint_row *row, sb_workspace *work, const sb_instance *instance,
                          int component, double factor, const double x[], bool slopes) {
  const sb_network *network = work->network;
  double in[COMPONENTS_MAX] = {0}, y[COMPONENTS_MAX];
  bool adjoint = sb_instance_side(instance, component) == 'A';
  const sb_structure_hooks *hooks = instance->type->structure;
  sb_at at = sb_at_instance(work, instance, 0, x);
  at.in = in;
  row->moves = row->moves || instance->wire_count > 0;
  row->failed = row->failed || instance->components > COMPONENTS_MAX;
  for (int k = 0; k < instance->components && k < COMPONENTS_MAX; k++) {
    if (sb_instance_side(instance, k) != (adjoint ? 'B' : 'A')) {
      continue;
    }
    in[k] = 1;
    row->failed =
        (adjoint ? hooks->adjoint : hooks->forward)(instance->self, &at, y) != 0 || row->failed;
    in[k] = 0;
    bool flow =
        sb_reads_flow(network, &work->program->causality, (int)(instance - network->instances), k);
    double through = row->failed ? 0 : factor * y[component] * (flow ? instance->signs[k] : 1);
    add_variable(row, work, flow ? sb_flow_var(instance, k) : sb_effort_var(instance, k), through,
                 x, slopes);
  }
}

static void add_source(sb_constraint_row *row, int instance, int value, double factor) {
  sb_constrained_source source = {instance, value, factor};
  row->failed = !sb_append(&row->sources, &row->source_count, &row->source_capacity, sizeof source,
                           &source) ||
                row->failed;
}

/** A state, or what hooks give. */
static void add_known(sb_constraint_row *row, sb_workspace *work, int var, double factor,
                      const double x[], bool slopes) {
  const sb_network *network = work->network;
  int known = var - sb_known_base(network), value = known - network->state_count;
  const sb_instance *instance = &network->instances[sb_owner_of(network, known)];
  if (value < 0) {
    add_value(row, factor * x[known]);
    if (slopes) {
      list_states(row, instance);
      row->c[known] += factor;
    }
  } else if (instance->type->storage != NULL) {
    add_storage(row, work, instance, value - instance->out, factor, x, slopes);
  } else if (instance->type->structure != NULL) {
    add_structure(row, work, instance, value - instance->out, factor, x, slopes);
  } else {
    add_value(row, factor * work->values[value]);
    row->moves = row->moves || instance->wire_count > 0;
    if (slopes) {
      add_source(row, (int)(instance - network->instances), value, factor);
    }
  }
}

void sb_constraint_row_fill(sb_constraint_row *row, sb_workspace *work,
                            const sb_constraint *constraint, const double x[], bool slopes) {
  const sb_causality *r = &work->program->causality;
  const sb_network *network = work->network;
  clear(row);
  for (int k = 0; k < constraint->count; k++) {
    const sb_term *term = &r->constraint_terms[constraint->first + k];
    add_known(row, work, term->var, term->factor, x, slopes);
  }
  for (int i = 0; i < row->count; i++) {
    const sb_instance *instance = &network->instances[sb_owner_of(network, row->states[i])];
    if (instance->linear && row->states[i] == instance->state) {
      sb_storage_solve(instance, row->c + instance->state, row->d + instance->state);
    }
  }
}
