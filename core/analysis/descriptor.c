// SPDX-License-Identifier: GPL-3.0-or-later
// The linearisation of a model with constraints: the equations of its network and of its elements as they
// stand, nothing reduced by hand, in the variables z = (efforts and flows, states x, values, rates d,
// inputs u, outputs y). Their null space, z = Z w, is the descriptor system
//   Z_x wdot = Z_d w,   Z_u w = u,   y = Z_y w
// of as many unknowns as there are states and inputs, which core/analysis/pencil.c reduces. Its transfer
// functions before and after are compared, so that a wrong decision on what is zero ends in a refusal.
#include <math.h>
#include <string.h>

#include "core/analysis/linear_private.h"
#include "core/analysis/linear_rows_private.h"
#include "core/analysis/partials_private.h"
#include "core/analysis/roots_private.h"
#include "core/analysis/transfer_private.h"
#include "core/linalg/nullspace.h"

/** Rounding of what was computed by differences, as a fraction of the terms. */
static const double rounding_differences = 1e-9;

typedef struct descriptor {
  sb_operating_point *p;
  sb_linear *l;
  const sb_manifold *manifold;
  sb_linear_rows rows;
  double *scale; // (vars) a variable over what stands for it: a power of two
  sb_nullspace space;
  sb_pencil pencil;
  sb_arena memory; // of all but the result
} descriptor;

static sb_status out_of_memory(sb_error *err) {
  return sb_fail(err, SB_ERR_MEMORY, "out of memory");
}

static sb_status scale_rows(descriptor *d, sb_error *err) {
  d->scale = sb_arena_zeroed(&d->memory, d->rows.vars, sizeof *d->scale);
  return d->memory.failed || d->rows.eq.memory.failed ||
                 !sb_linear_rows_equilibrate(&d->rows, d->scale, &d->memory)
             ? out_of_memory(err)
             : SB_OK;
}

/** Free variables of the null space are inputs and states wherever that is possible. */
static sb_status find_space(descriptor *d, double rounding, sb_error *err) {
  const sb_network *network = &d->p->network;
  char *late = sb_arena_zeroed(&d->memory, d->rows.vars, sizeof *late);
  if (late == NULL) {
    return out_of_memory(err);
  }
  memset(late + sb_state_var(network, 0), 1, (size_t)network->state_count);
  memset(late + d->rows.inputs, 2, (size_t)d->l->inputs);
  sb_status status = sb_nullspace_find(d->rows.eq.terms, d->rows.eq.first, d->rows.eq.row_count,
                                       d->rows.vars, late, rounding, &d->memory, &d->space);
  return status == SB_OK ? SB_OK
         : status == SB_ERR_MEMORY
             ? out_of_memory(err)
             : sb_fail(err, status, "the equations of '%s' are too dense to be linearised",
                       network->name);
}

/** The first place of a variable among the rows of Z that are wanted: states, rates, inputs, outputs and,
 *  behind them, the port variables; -1: not wanted. */
static int place_of(const descriptor *d, int var) {
  int n = d->p->states, base = sb_known_base(&d->p->network);
  if (var < base) {
    return d->l->exact ? -1 : d->rows.vars - d->rows.rates + n + var;
  }
  return var < base + n ? var - base : var >= d->rows.rates ? n + var - d->rows.rates : -1;
}

/** Z^T, reduced to independent vectors: one of no state, rate and input is dropped, and no output may
 *  depend on it.
 *  @param columns  states, rates, inputs, outputs, port variables  @return rows; -1: memory, err is worded */
static sb_tracked *independent(descriptor *d, int columns, int *count, sb_error *err) {
  int n = d->p->states, needed = 2 * n + d->l->inputs;
  sb_tracked *Z = sb_arena_zeroed(&d->memory, d->space.count, (size_t)columns * sizeof *Z);
  int *pivots = sb_arena_zeroed(&d->memory, d->space.count, sizeof *pivots);
  if (d->memory.failed) {
    (void)out_of_memory(err);
    return NULL;
  }
  for (int k = 0; k < d->space.count; k++) {
    for (int i = d->space.first[k]; i < d->space.first[k + 1]; i++) {
      const sb_extended_term *term = &d->space.terms[i];
      int place = place_of(d, term->var);
      if (place >= 0) {
        Z[k * columns + place] = (sb_tracked){term->factor, term->size};
      }
    }
  }
  *count = d->space.count;
  if (*count > d->manifold->freedoms + d->l->inputs) {
    *count =
        sb_tracked_eliminate(Z, d->space.count, columns, 0, needed, d->pencil.rounding, pivots);
  }
  for (int k = *count; k < d->space.count; k++) {
    for (int j = 0; j < d->l->outputs; j++) {
      if (Z[k * columns + needed + j].value != 0) {
        int i = 0;
        while (j >= d->p->outputs[i].count) {
          j -= d->p->outputs[i++].count;
        }
        const sb_instance *instance = &d->p->network.instances[d->p->outputs[i].element];
        (void)sb_fail(err, SB_ERR_SINGULAR,
                      "nothing determines the output that is asked of '%s': it lies in a closed "
                      "loop of junctions",
                      instance->id);
        sb_place_into(&instance->place, err);
        return NULL;
      }
    }
  }
  return Z;
}

/** The pencil of the null space, in true inputs, rates of the states as they are scaled, and scaled
 *  outputs; its first outputs are the states. */
static sb_status make_pencil(descriptor *d, double rounding, sb_error *err) {
  int n = d->p->states, r = d->manifold->freedoms, m = d->l->inputs, count = 0;
  int columns = 2 * n + m + d->l->outputs + (d->l->exact ? 0 : d->l->ports);
  sb_pencil *q = &d->pencil;
  q->rounding = rounding;
  const sb_tracked *Z = independent(d, columns, &count, err);
  if (Z == NULL) {
    return err->status;
  }
  if (count != r + m) {
    return sb_fail(err, SB_ERR_SINGULAR, "the equations of '%s' about its state are singular",
                   d->p->network.name);
  }
  *q = (sb_pencil){.n = count, .inputs = m, .outputs = columns - n - m, .rounding = rounding};
  if (!sb_pencil_init(q, &d->memory)) {
    return out_of_memory(err);
  }
  for (int k = 0; k < count; k++) {
    const sb_tracked *z = Z + k * columns;
    for (int i = 0; i < n; i++) {
      q->C[i * count + k] = z[i];
    }
    for (int row = 0; row < r; row++) { // the rates of the others follow
      int i = d->manifold->chosen[row];
      double factor = d->scale[d->rows.rates + i] / d->scale[sb_state_var(&d->p->network, i)];
      q->E[row * count + k] = z[i];
      q->A[row * count + k] = (sb_tracked){z[n + i].value * factor, z[n + i].size * factor};
    }
    for (int j = 0; j < m; j++) {
      q->A[(r + j) * count + k] = z[2 * n + j];
    }
    for (int j = n; j < q->outputs; j++) {
      q->C[j * count + k] = z[n + m + j];
    }
  }
  for (int j = 0; j < m; j++) {
    double value = -1 / d->scale[d->rows.inputs + j];
    q->B[0][(r + j) * m + j] = (sb_tracked){value, -value};
  }
  return SB_OK;
}

static sb_status reduce(descriptor *d, int chosen[], sb_error *err) {
  const sb_pencil whole = d->pencil;
  sb_status status = sb_pencil_reduce(&d->pencil, &d->memory);
  if (status == SB_OK) {
    status = sb_pencil_choose(&d->pencil, d->p->states, chosen, &d->memory);
  }
  if (status != SB_OK) {
    return sb_fail(err, status,
                   status == SB_ERR_MEMORY  ? "out of memory"
                   : status == SB_ERR_LIMIT ? "the constraints of '%s' need more than the fourth "
                                              "derivative of a source"
                                            : "the equations of '%s' about its state are singular",
                   d->p->network.name);
  }
  return sb_pencil_compare(&whole, &d->pencil, d->p->network.name, err);
}

/** @param rounding  what is below this fraction of its terms is zero */
static sb_status attempt(descriptor *d, double rounding, int chosen[], sb_error *err) {
  SB_TRY(find_space(d, rounding, err));
  SB_TRY(make_pencil(d, rounding, err));
  return reduce(d, chosen, err);
}

/** States that a run can choose. All digits count as they are written only if they lead to as many: ratios of 0.1 and 10 are no
 *  inverses of each other, but are meant to be. */
static int freedoms(const descriptor *d) {
  return d->manifold->freedoms - d->p->work->program->causality.constraint_count;
}

/** A matrix of the result. */
typedef struct digits {
  double *to, *rest, *error; // as of l; rest NULL: that and the error are not wanted
  double rounding;           // what the numbers are known to, as a fraction of their sizes
} digits;

/** Fills a matrix of the result in true units, from its entry `at` on. @param row_scale, column_scale  of the first ones; NULL: 1 */
static void put(const sb_tracked from[], int rows, int columns, const double row_scale[],
                const double column_scale[], digits m, int at) {
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < columns; j++) {
      double scale =
          (row_scale == NULL ? 1 : row_scale[i]) / (column_scale == NULL ? 1 : column_scale[j]);
      const sb_tracked *entry = &from[i * columns + j];
      const sb_extended value = entry->value * scale;
      const int k = at + i * columns + j;
      m.to[k] = (double)value;
      if (m.rest != NULL) {
        m.rest[k] = (double)(value - m.to[k]);
        m.error[k] = m.rounding * entry->size * scale;
      }
    }
  }
}

/** Arrays of zeros for what numbers are beyond doubles, and what they may be off by. */
static void allocate_rest(double **rest, double **error, int count, sb_arena *memory) {
  *rest = sb_arena_zeroed(memory, count, sizeof(double));
  *error = sb_arena_zeroed(memory, count, sizeof(double));
}

static sb_status give(descriptor *d, const int chosen[], sb_arena *memory, sb_error *err) {
  const sb_pencil *q = &d->pencil;
  sb_linear *l = d->l;
  int n = d->p->states, r = q->n, m = l->inputs, first_port = n + l->outputs;
  const double *output_scale = d->scale + d->rows.outputs;
  double *scale = sb_arena_zeroed(&d->memory, r, sizeof *scale);
  double *x = l->x, *xdot = l->xdot;
  l->states = r;
  l->constrained = n - r;
  l->order = q->order;
  sb_linear_allocate(l, memory);
  allocate_rest(&l->rest.A, &l->error.A, r * r, memory);
  allocate_rest(&l->rest.B, &l->error.B, r * m, memory);
  allocate_rest(&l->rest.C, &l->error.C, l->outputs * r, memory);
  allocate_rest(&l->rest.D, &l->error.D, l->outputs * m, memory);
  allocate_rest(&l->rest.derivatives, &l->error.derivatives, l->order * l->outputs * m, memory);
  if (memory->failed || scale == NULL) {
    return out_of_memory(err);
  }
  for (int i = 0; i < r; i++) {
    l->state[i] = chosen[i];
    l->x[i] = x[chosen[i]];
    l->xdot[i] = xdot[chosen[i]];
    scale[i] = d->scale[sb_state_var(&d->p->network, chosen[i])];
    put(q->D[0] + chosen[i] * m, 1, m, &scale[i], NULL, (digits){.to = l->X}, i * m);
  }
  put(q->A, r, r, scale, scale, (digits){l->A, l->rest.A, l->error.A, q->rounding}, 0);
  put(q->B[0], r, m, scale, NULL, (digits){l->B, l->rest.B, l->error.B, q->rounding}, 0);
  put(q->C + n * r, l->outputs, r, output_scale, scale,
      (digits){l->C, l->rest.C, l->error.C, q->rounding}, 0);
  put(q->D[0] + n * m, l->outputs, m, output_scale, NULL,
      (digits){l->D, l->rest.D, l->error.D, q->rounding}, 0);
  for (int k = 1; k <= q->order; k++) {
    const int at = (k - 1) * l->outputs * m;
    put(q->D[k] + n * m, l->outputs, m, output_scale, NULL,
        (digits){l->derivatives, l->rest.derivatives, l->error.derivatives, q->rounding}, at);
  }
  l->exact = l->exact || d->rows.affine;
  if (l->E != NULL) {
    put(q->C + first_port * r, l->ports, r, d->scale, scale, (digits){.to = l->E}, 0);
  }
  return SB_OK;
}

sb_status sb_descriptor_linearise(sb_operating_point *p, sb_linear *l, const int input_of[],
                                  const sb_manifold *manifold, sb_arena *memory, sb_error *err) {
  int base = sb_known_base(&p->network) + p->states + p->network.value_count;
  descriptor d = {.p = p, .l = l, .manifold = manifold};
  d.rows = (sb_linear_rows){.p = p,
                            .rates = base,
                            .inputs = base + p->states,
                            .outputs = base + p->states + l->inputs,
                            .vars = base + p->states + l->inputs + l->outputs,
                            .input_of = input_of,
                            .affine = true};
  int *chosen = sb_arena_zeroed(&d.memory, p->states, sizeof *chosen);
  sb_status status = chosen == NULL ? out_of_memory(err) : SB_OK;
  if (status == SB_OK && !sb_linear_rows_build(&d.rows, manifold)) {
    status = out_of_memory(err);
  }
  status = status == SB_OK ? sb_linear_rows_hooks(&d.rows, err) : status;
  status = status == SB_OK ? scale_rows(&d, err) : status;
  if (status == SB_OK && (l->exact || d.rows.affine)) {
    status = attempt(&d, SB_ROUNDING_EXTENDED, chosen, err);
    if (status != SB_ERR_MEMORY && (status != SB_OK || d.pencil.n != freedoms(&d))) {
      status = attempt(&d, SB_ROUNDING, chosen, err);
    }
  } else if (status == SB_OK) {
    status = attempt(&d, rounding_differences, chosen, err);
  }
  status = status == SB_OK ? give(&d, chosen, memory, err) : status;
  sb_equations_finish(&d.rows.eq);
  sb_arena_finish(&d.memory);
  return status;
}
