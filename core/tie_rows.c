// SPDX-License-Identifier: GPL-3.0-or-later
// A tie at a state: sum w y = 0 in the outputs y of storages, seen through modulated transformers. With
// G = (w) its impulse lambda moves the states by G^T lambda, as the structure is power-free, and C = G K
// is its slope, K the storages' Hessians.
#include "core/tie_rows_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/array_private.h"
#include "core/elimination_private.h"

enum { COMPONENTS_MAX = 2 * SB_DIM_MAX };

bool sb_tie_row_init(sb_tie_row *row, int states) {
  *row = (sb_tie_row){.c = sb_zeroed(states, sizeof(double)),
                      .d = sb_zeroed(states, sizeof(double)),
                      .states = sb_zeroed(states, sizeof(int)),
                      .listed = sb_zeroed(states, sizeof(char))};
  return row->c != NULL && row->d != NULL && row->states != NULL && row->listed != NULL;
}

void sb_tie_row_finish(sb_tie_row *row) {
  free(row->c);
  free(row->d);
  free(row->states);
  free(row->listed);
  free(row->sources);
}

static void clear(sb_tie_row *row) {
  for (int i = 0; i < row->count; i++) {
    row->c[row->states[i]] = row->d[row->states[i]] = 0;
    row->listed[row->states[i]] = 0;
  }
  row->count = row->source_count = 0;
  row->off = row->size = 0;
  row->failed = row->moves = false;
}

static void list_states(sb_tie_row *row, const sb_part *part) {
  for (int state = part->state; state < part->state + part->components; state++) {
    if (!row->listed[state]) {
      row->listed[state] = 1;
      row->states[row->count++] = state;
    }
  }
}

static void add_value(sb_tie_row *row, double value) {
  row->off += value;
  row->size += fabs(value);
}

static void add_known(sb_tie_row *row, sb_workspace *work, int var, double factor, const double x[],
                      bool slopes);

/** A storage with hooks: its output at x, and the slope of that. */
static void add_storage(sb_tie_row *row, sb_workspace *work, const sb_part *part, int component,
                        double factor, const double x[], bool slopes) {
  double y[SB_STIFFNESS_MAX], K[SB_STIFFNESS_MAX * SB_STIFFNESS_MAX];
  int n = part->components;
  sb_at at = sb_at_part(work, part, 0, x);
  if (slopes) {
    list_states(row, part);
    row->d[part->state + component] += factor;
  }
  if (part->type->storage->output(part->self, &at, y) != 0 ||
      (slopes && part->type->storage->stiffness(part->self, &at, K) != 0)) {
    row->failed = true;
    return;
  }
  add_value(row, factor * y[component]);
  for (int k = 0; slopes && k < n; k++) {
    row->c[part->state + k] += factor * K[component * n + k];
  }
}

/** A variable of a cell by what causality made it of. */
static void add_variable(sb_tie_row *row, sb_workspace *work, int var, double factor,
                         const double x[], bool slopes) {
  const sb_causality *c = &work->program->causality;
  for (int i = 0; i < c->count[var]; i++) {
    const sb_term *term = &c->terms[c->first[var] + i];
    if (term->var < sb_known_base(work->model)) {
      add_variable(row, work, term->var, factor * term->factor, x, slopes);
    } else {
      add_known(row, work, term->var, factor * term->factor, x, slopes);
    }
  }
}

/** A component that a modulated structure gives: a linear combination of what comes to its other
 *  side. What is behind it is listed even where the ratio is zero. */
static void add_structure(sb_tie_row *row, sb_workspace *work, const sb_part *part, int component,
                          double factor, const double x[], bool slopes) {
  const sb_model *model = work->model;
  double in[COMPONENTS_MAX] = {0}, y[COMPONENTS_MAX];
  bool adjoint = sb_part_side(part, component) == 'A';
  const sb_structure_hooks *hooks = part->type->structure;
  sb_at at = sb_at_part(work, part, 0, x);
  at.in = in;
  row->moves = row->moves || part->wire_count > 0;
  row->failed = row->failed || part->components > COMPONENTS_MAX;
  for (int k = 0; k < part->components && k < COMPONENTS_MAX; k++) {
    if (sb_part_side(part, k) != (adjoint ? 'B' : 'A')) {
      continue;
    }
    in[k] = 1;
    row->failed =
        (adjoint ? hooks->adjoint : hooks->forward)(part->self, &at, y) != 0 || row->failed;
    in[k] = 0;
    bool flow = sb_reads_flow(model, &work->program->causality, (int)(part - model->parts), k);
    double through = row->failed ? 0 : factor * y[component] * (flow ? part->signs[k] : 1);
    add_variable(row, work, flow ? sb_flow_var(part, k) : sb_effort_var(part, k), through, x,
                 slopes);
  }
}

static void add_source(sb_tie_row *row, int part, int value, double factor) {
  sb_tied_source source = {part, value, factor};
  row->failed = !sb_append(&row->sources, &row->source_count, &row->source_capacity, sizeof source,
                           &source) ||
                row->failed;
}

/** A state, or what hooks give. */
static void add_known(sb_tie_row *row, sb_workspace *work, int var, double factor, const double x[],
                      bool slopes) {
  const sb_model *model = work->model;
  int known = var - sb_known_base(model), value = known - model->state_count;
  const sb_part *part = &model->parts[sb_owner_of(model, known)];
  if (value < 0) {
    add_value(row, factor * x[known]);
    if (slopes) {
      list_states(row, part);
      row->c[known] += factor;
    }
  } else if (part->type->role == SB_STORAGE) {
    add_storage(row, work, part, value - part->out, factor, x, slopes);
  } else if (part->type->role == SB_STRUCTURE) {
    add_structure(row, work, part, value - part->out, factor, x, slopes);
  } else {
    add_value(row, factor * work->values[value]);
    row->moves = row->moves || part->wire_count > 0;
    if (slopes) {
      add_source(row, (int)(part - model->parts), value, factor);
    }
  }
}

void sb_storage_solve(const sb_part *part, const double c[], double d[]) {
  double k[SB_DIM_MAX * SB_DIM_MAX];
  int n = part->components;
  if (part->inverse == NULL) {
    memcpy(d, c, (size_t)n * sizeof *d);
    memcpy(k, part->matrix, (size_t)(n * n) * sizeof *k);
    sb_solve_definite(k, d, n, 1, 0);
    return;
  }
  for (int i = 0; i < n; i++) {
    d[i] = 0;
    for (int j = 0; j < n; j++) {
      d[i] += part->inverse[i * n + j] * c[j];
    }
  }
}

void sb_tie_row_fill(sb_tie_row *row, sb_workspace *work, const sb_constraint *constraint,
                     const double x[], bool slopes) {
  const sb_causality *r = &work->program->causality;
  const sb_model *model = work->model;
  clear(row);
  for (int k = 0; k < constraint->count; k++) {
    const sb_term *term = &r->constraint_terms[constraint->first + k];
    add_known(row, work, term->var, term->factor, x, slopes);
  }
  for (int i = 0; i < row->count; i++) {
    const sb_part *part = &model->parts[sb_owner_of(model, row->states[i])];
    if (part->linear && row->states[i] == part->state) {
      sb_storage_solve(part, row->c + part->state, row->d + part->state);
    }
  }
}
