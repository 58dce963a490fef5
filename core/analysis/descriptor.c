// SPDX-License-Identifier: GPL-3.0-or-later
// The linearisation of a model with constraints: the equations of its network and of its elements as they
// stand, nothing reduced by hand, in the variables z = (efforts and flows, states x, values, rates d,
// inputs u, outputs y). Their null space, z = Z w, is the descriptor system
//   Z_x wdot = Z_d w,   Z_u w = u,   y = Z_y w
// of as many unknowns as there are states and inputs, which core/analysis/pencil.c reduces. Its transfer
// functions before and after are compared, so that a wrong decision on what is zero ends in a refusal.
#include <math.h>
#include <string.h>

#include "core/analysis/complex_private.h"
#include "core/analysis/linear_private.h"
#include "core/analysis/manifold_private.h"
#include "core/analysis/partials_private.h"
#include "core/analysis/pencil_private.h"
#include "core/linalg/nullspace.h"

enum { SCALINGS = 12 };
/** Rounding of what was computed exactly, and by differences, as a fraction of the terms. */
static const double rounding_exact = 1e-12, rounding_differences = 1e-9;
/** What both forms of a transfer function may be apart, as a fraction. */
static const double agreement = 1e-6;

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

/** The network's rows, those of the other choice of an indifferent causality left out. */
static sb_status add_network(descriptor *d) {
  sb_equations *eq = &d->rows.eq;
  const sb_network *network = &d->p->network;
  SB_TRY(sb_equations_build(network, d->p->work->modes, eq));
  for (int i = 0; i < network->instance_count; i++) {
    bool flow = d->p->work->program->causality.assigned[i] == SB_FLOW;
    for (int k = 0; eq->choice[i] >= 0 && k < eq->free_rows[i]; k++) {
      eq->active[eq->choice[i] + k + (flow ? 0 : eq->free_rows[i])] = 1;
    }
  }
  int rows = 0, terms = 0;
  for (int r = 0, next = 0; r < eq->row_count; r++) {
    int first = next;
    next = eq->first[r + 1];
    for (int i = first; i < next && eq->active[r]; i++) {
      eq->terms[terms++] = eq->terms[i];
    }
    eq->owner[rows] = eq->owner[r];
    rows += eq->active[r];
    eq->first[rows] = terms;
  }
  eq->row_count = rows;
  eq->term_count = terms;
  return SB_OK;
}

static void add_equal(descriptor *d, int owner, int var, int other, double factor) {
  sb_equations_row(&d->rows.eq, owner, true);
  sb_equations_term(&d->rows.eq, var, 1);
  sb_equations_term(&d->rows.eq, other, -factor);
}

/** What hooks see of ports, signals that read variables, and states that integrate an input. */
static void add_connections(descriptor *d) {
  const sb_network *network = &d->p->network;
  const sb_causality *causality = &d->p->work->program->causality;
  for (int i = 0; i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    for (int k = 0; k < instance->components; k++) {
      bool flow = sb_reads_flow(network, causality, i, k);
      int input = flow ? sb_flow_var(instance, k) : sb_effort_var(instance, k);
      double sign = flow ? instance->signs[k] : 1;
      if (instance->hooked) {
        add_equal(d, i, sb_value_var(network, instance->in + k), input, sign);
      } else if (sb_instance_integrates(instance)) {
        add_equal(d, i, d->rows.rates + instance->state + k, input, sign);
      }
    }
  }
  for (int i = 0; i < network->sensor_count; i++) {
    const sb_sensor *sensor = &network->sensors[i];
    add_equal(d, sensor->instance, sb_value_var(network, sensor->value), sensor->var, sensor->sign);
  }
}

/** dx = T dz of the states that are not among z. */
static void add_manifold(descriptor *d) {
  const sb_manifold *m = d->manifold;
  const sb_network *network = &d->p->network;
  for (int i = 0, k = 0; i < m->states; i++) {
    if (k < m->freedoms && m->chosen[k] == i) {
      k++;
      continue;
    }
    sb_equations_row(&d->rows.eq, sb_owner_of(network, i), true);
    sb_equations_term(&d->rows.eq, sb_state_var(network, i), 1);
    for (int j = 0; j < m->freedoms; j++) {
      sb_equations_term(&d->rows.eq, sb_state_var(network, m->chosen[j]),
                        -m->T[i * m->freedoms + j]);
    }
  }
}

static sb_status add_hooks(descriptor *d, sb_error *err) {
  const sb_network *network = &d->p->network;
  for (int i = 0, component = 0; i < network->instance_count; i++) {
    if (network->instances[i].hooked) {
      SB_TRY(sb_linear_rows_hooks(&d->rows, i, component, err));
    }
    component += network->instances[i].components;
  }
  for (int i = 0, first = 0; i < d->p->output_count; i++) {
    SB_TRY(sb_linear_rows_output(&d->rows, &d->p->outputs[i], first, err));
    first += d->p->outputs[i].count;
  }
  return SB_OK;
}

/** Lets the binary exponents of the terms of every row and of every variable be zero in the mean (Curtis
 *  and Reid, as sb_equilibrate()), and scales by the whole parts. */
static bool equilibrate(descriptor *d) {
  sb_equations *eq = &d->rows.eq;
  double *sum = sb_arena_zeroed(&d->memory, d->rows.vars, sizeof *sum);
  double *exponent = sb_arena_zeroed(&d->memory, d->rows.vars, sizeof *exponent);
  double *row = sb_arena_zeroed(&d->memory, eq->row_count, sizeof *row);
  int *count = sb_arena_zeroed(&d->memory, d->rows.vars, sizeof *count);
  d->scale = sb_arena_zeroed(&d->memory, d->rows.vars, sizeof *d->scale);
  for (int pass = 0; !d->memory.failed && pass < SCALINGS; pass++) {
    memset(sum, 0, (size_t)d->rows.vars * sizeof *sum);
    memset(count, 0, (size_t)d->rows.vars * sizeof *count);
    for (int r = 0; r < eq->row_count; r++) {
      double mean = 0;
      for (int i = eq->first[r]; i < eq->first[r + 1]; i++) {
        mean += log2(fabs(eq->terms[i].factor)) + exponent[eq->terms[i].var];
      }
      row[r] = eq->first[r + 1] > eq->first[r] ? -mean / (eq->first[r + 1] - eq->first[r]) : 0;
      for (int i = eq->first[r]; i < eq->first[r + 1]; i++) {
        sum[eq->terms[i].var] += log2(fabs(eq->terms[i].factor)) + row[r];
        count[eq->terms[i].var]++;
      }
    }
    for (int v = 0; v < d->rows.vars; v++) {
      exponent[v] = count[v] > 0 ? -sum[v] / count[v] : 0;
    }
  }
  for (int v = 0; !d->memory.failed && v < d->rows.vars; v++) {
    d->scale[v] = ldexp(1, (int)lrint(exponent[v]));
  }
  for (int r = 0; !d->memory.failed && r < eq->row_count; r++) {
    for (int i = eq->first[r]; i < eq->first[r + 1]; i++) {
      eq->terms[i].factor =
          ldexp(eq->terms[i].factor * d->scale[eq->terms[i].var], (int)lrint(row[r]));
    }
  }
  return !d->memory.failed;
}

/** Free variables of the null space are inputs and states wherever that is possible. */
static sb_status find_space(descriptor *d, sb_error *err) {
  const sb_network *network = &d->p->network;
  char *late = sb_arena_zeroed(&d->memory, d->rows.vars, sizeof *late);
  if (late == NULL || d->rows.eq.memory.failed || !equilibrate(d)) {
    return out_of_memory(err);
  }
  memset(late + sb_state_var(network, 0), 1, (size_t)network->state_count);
  memset(late + d->rows.inputs, 2, (size_t)d->l->inputs);
  sb_status status = sb_nullspace_find(d->rows.eq.terms, d->rows.eq.first, d->rows.eq.row_count,
                                       d->rows.vars, late, &d->memory, &d->space);
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
      const sb_term *term = &d->space.terms[i];
      int place = place_of(d, term->var);
      if (place >= 0) {
        Z[k * columns + place] = (sb_tracked){term->factor, fabs(term->factor)};
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
                      "nothing determines what is asked of '%s': it is that of a loop of junctions",
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
static sb_status make_pencil(descriptor *d, sb_error *err) {
  int n = d->p->states, r = d->manifold->freedoms, m = d->l->inputs, count = 0;
  int columns = 2 * n + m + d->l->outputs + (d->l->exact ? 0 : d->l->ports);
  sb_pencil *q = &d->pencil;
  q->rounding = d->l->exact ? rounding_exact : rounding_differences;
  const sb_tracked *Z = independent(d, columns, &count, err);
  if (Z == NULL) {
    return err->status;
  }
  if (count != r + m) {
    return sb_fail(err, SB_ERR_SINGULAR, "the equations of '%s' about its state are singular",
                   d->p->network.name);
  }
  *q = (sb_pencil){.n = count, .inputs = m, .outputs = columns - n - m, .rounding = q->rounding};
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

/** Solves (s E - A) w = sum s^k B_k, y = C w + sum s^k D_k. @return false: s is an eigenvalue, or memory */
static bool transfer(const sb_pencil *p, double complex s, double complex y[], sb_arena *memory) {
  int n = p->n, m = p->inputs, columns = n + m;
  double complex *a = sb_arena_zeroed(memory, n, (size_t)columns * sizeof *a), power = 1;
  for (int i = 0; i < n * n && a != NULL; i++) {
    a[i / n * columns + i % n] = s * p->E[i].value - p->A[i].value;
  }
  for (int i = 0; i < p->outputs * m; i++) {
    y[i] = 0;
  }
  for (int k = 0; k <= p->order && a != NULL; k++, power *= s) {
    for (int i = 0; i < n * m; i++) {
      a[i / m * columns + n + i % m] += power * p->B[k][i].value;
    }
    for (int i = 0; i < p->outputs * m; i++) {
      y[i] += power * p->D[k][i].value;
    }
  }
  if (a == NULL || !sb_complex_solve(a, n, columns)) {
    return false;
  }
  for (int i = 0; i < p->outputs; i++) {
    for (int r = 0; r < n; r++) {
      for (int j = 0; j < m && p->C[i * n + r].value != 0; j++) {
        y[i * m + j] += p->C[i * n + r].value * a[r * columns + n + j];
      }
    }
  }
  return true;
}

/** The largest eigenvalue of the reduced pencil [1/s], or 1 where all are zero: its entries depend on the units. */
static sb_status find_fastest(descriptor *d, double *fastest, sb_error *err) {
  const sb_pencil *p = &d->pencil;
  sb_root *roots = sb_arena_zeroed(&d->memory, p->n, sizeof *roots);
  if (roots == NULL) {
    return out_of_memory(err);
  }
  SB_TRY(sb_pencil_eigenvalues(p, roots, &d->memory, err));
  *fastest = 0;
  for (int i = 0; i < p->n; i++) {
    *fastest = fmax(*fastest, hypot(roots[i].re, roots[i].im));
  }
  *fastest = *fastest > 0 ? *fastest : 1;
  return SB_OK;
}

/** Whether two pencils have the same transfer functions. */
static sb_status compare(descriptor *d, const sb_pencil *before, sb_error *err) {
  const sb_pencil *after = &d->pencil;
  int count = after->outputs * after->inputs;
  double fastest = 1;
  SB_TRY(find_fastest(d, &fastest, err));
  for (int k = 0; k < 2; k++) {
    double complex s = (k == 0 ? fastest : fmin(1, 0.1 * fastest)) * (0.6 + 0.8 * I);
    sb_arena memory = {0};
    double complex *y = sb_arena_zeroed(&memory, 2 * count, sizeof *y);
    bool found =
        y != NULL && transfer(before, s, y, &memory) && transfer(after, s, y + count, &memory);
    bool failed = memory.failed, same = found;
    double largest = 0;
    for (int i = 0; found && i < count; i++) {
      largest = fmax(largest, cabs(y[i]));
    }
    for (int i = 0; found && i < count; i++) {
      same = same && cabs(y[i] - y[count + i]) <= agreement * (cabs(y[i]) + agreement * largest);
    }
    sb_arena_finish(&memory);
    if (failed) {
      return out_of_memory(err);
    }
    if (!same) {
      return sb_fail(
          err, SB_ERR_SOLVER,
          "the linearisation of '%s' cannot be told from rounding: its numbers differ too "
          "much in size",
          d->p->network.name);
    }
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
  return compare(d, &whole, err);
}

/** Fills a matrix of the result in true units. @param row, column  variables of the first ones */
static void put(const sb_tracked from[], int rows, int columns, const double row_scale[],
                const double column_scale[], double to[]) {
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < columns; j++) {
      double scale =
          (row_scale == NULL ? 1 : row_scale[i]) / (column_scale == NULL ? 1 : column_scale[j]);
      to[i * columns + j] = from[i * columns + j].value * scale;
    }
  }
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
  if (memory->failed || scale == NULL) {
    return out_of_memory(err);
  }
  for (int i = 0; i < r; i++) {
    l->state[i] = chosen[i];
    l->x[i] = x[chosen[i]];
    l->xdot[i] = xdot[chosen[i]];
    scale[i] = d->scale[sb_state_var(&d->p->network, chosen[i])];
    put(q->D[0] + chosen[i] * m, 1, m, &scale[i], NULL, l->X + i * m);
  }
  put(q->A, r, r, scale, scale, l->A);
  put(q->B[0], r, m, scale, NULL, l->B);
  put(q->C + n * r, l->outputs, r, output_scale, scale, l->C);
  put(q->D[0] + n * m, l->outputs, m, output_scale, NULL, l->D);
  for (int k = 1; k <= q->order; k++) {
    put(q->D[k] + n * m, l->outputs, m, output_scale, NULL,
        l->derivatives + (size_t)((k - 1) * l->outputs * m));
  }
  if (l->E != NULL) {
    put(q->C + first_port * r, l->ports, r, d->scale, scale, l->E);
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
                            .input_of = input_of};
  int *chosen = sb_arena_zeroed(&d.memory, p->states, sizeof *chosen);
  sb_status status = chosen == NULL ? out_of_memory(err) : SB_OK;
  if (status == SB_OK && add_network(&d) != SB_OK) {
    status = out_of_memory(err);
  }
  if (status == SB_OK) {
    add_connections(&d);
    add_manifold(&d);
    status = add_hooks(&d, err);
  }
  status = status == SB_OK ? find_space(&d, err) : status;
  status = status == SB_OK ? make_pencil(&d, err) : status;
  status = status == SB_OK ? reduce(&d, chosen, err) : status;
  status = status == SB_OK ? give(&d, chosen, memory, err) : status;
  sb_equations_finish(&d.rows.eq);
  sb_arena_finish(&d.memory);
  return status;
}
