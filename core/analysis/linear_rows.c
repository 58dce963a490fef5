// SPDX-License-Identifier: GPL-3.0-or-later
// The linear equations of a model: those of its network and of the connections, and the tangent space of
// storages that project their states; and the scaling of sparse rows.
#include <math.h>
#include <string.h>

#include "core/analysis/linear_rows_private.h"

enum { SCALINGS = 12 };

/** The network's rows, those of the other choice of an indifferent causality left out. */
static bool add_network(sb_linear_rows *rows) {
  sb_equations *eq = &rows->eq;
  const sb_network *network = &rows->p->network;
  if (sb_equations_build(network, rows->p->work->modes, eq) != SB_OK) {
    return false;
  }
  for (int i = 0; i < network->instance_count; i++) {
    bool flow = rows->p->work->program->causality.assigned[i] == SB_FLOW;
    for (int k = 0; eq->choice[i] >= 0 && k < eq->free_rows[i]; k++) {
      eq->active[eq->choice[i] + k + (flow ? 0 : eq->free_rows[i])] = 1;
    }
  }
  int kept = 0, terms = 0;
  for (int r = 0, next = 0; r < eq->row_count; r++) {
    int first = next;
    next = eq->first[r + 1];
    for (int i = first; i < next && eq->active[r]; i++) {
      eq->terms[terms++] = eq->terms[i];
    }
    eq->owner[kept] = eq->owner[r];
    kept += eq->active[r];
    eq->first[kept] = terms;
  }
  eq->row_count = kept;
  eq->term_count = terms;
  return true;
}

static void add_equal(sb_linear_rows *rows, int owner, int var, int other, double factor) {
  sb_equations_row(&rows->eq, owner, true);
  sb_equations_term(&rows->eq, var, 1);
  sb_equations_term(&rows->eq, other, -factor);
}

/** What hooks see of ports, signals that read variables, and states that integrate an input. */
static void add_connections(sb_linear_rows *rows) {
  const sb_network *network = &rows->p->network;
  const sb_causality *causality = &rows->p->work->program->causality;
  for (int i = 0; i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    for (int k = 0; k < instance->components; k++) {
      bool flow = sb_reads_flow(network, causality, i, k);
      int input = flow ? sb_flow_var(instance, k) : sb_effort_var(instance, k);
      double sign = flow ? instance->signs[k] : 1;
      if (instance->hooked) {
        add_equal(rows, i, sb_value_var(network, instance->in + k), input, sign);
      } else if (sb_instance_integrates(instance)) {
        add_equal(rows, i, rows->rates + instance->state + k, input, sign);
      }
    }
  }
  for (int i = 0; i < network->sensor_count; i++) {
    const sb_sensor *sensor = &network->sensors[i];
    if (!sb_sensor_measures(sensor)) { // those that do are differenced (partials.c)
      add_equal(rows, sensor->instance, sb_value_var(network, sensor->value), sensor->var,
                sensor->sign);
    }
  }
}

/** dx = T dz of the states that are not among z. */
static void add_manifold(sb_linear_rows *rows, const sb_manifold *m) {
  const sb_network *network = &rows->p->network;
  for (int i = 0, k = 0; i < m->states; i++) {
    if (k < m->freedoms && m->chosen[k] == i) {
      k++;
      continue;
    }
    sb_equations_row(&rows->eq, sb_owner_of(network, i), true);
    sb_equations_term(&rows->eq, sb_state_var(network, i), 1);
    for (int j = 0; j < m->freedoms; j++) {
      sb_equations_term(&rows->eq, sb_state_var(network, m->chosen[j]), -m->T[i * m->freedoms + j]);
    }
  }
}

bool sb_linear_rows_build(sb_linear_rows *rows, const sb_manifold *manifold) {
  if (!add_network(rows)) {
    return false;
  }
  add_connections(rows);
  add_manifold(rows, manifold);
  return !rows->eq.memory.failed;
}

// The binary exponents of the terms of every row and of every variable become zero in the mean (Curtis and
// Reid, as sb_equilibrate()); their whole parts are the scales.
bool sb_linear_rows_equilibrate(sb_linear_rows *rows, double scale[], sb_arena *memory) {
  sb_equations *eq = &rows->eq;
  double *sum = sb_arena_zeroed(memory, rows->vars, sizeof *sum);
  double *exponent = sb_arena_zeroed(memory, rows->vars, sizeof *exponent);
  double *row = sb_arena_zeroed(memory, eq->row_count, sizeof *row);
  int *count = sb_arena_zeroed(memory, rows->vars, sizeof *count);
  for (int pass = 0; !memory->failed && pass < SCALINGS; pass++) {
    memset(sum, 0, (size_t)rows->vars * sizeof *sum);
    memset(count, 0, (size_t)rows->vars * sizeof *count);
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
    for (int v = 0; v < rows->vars; v++) {
      exponent[v] = count[v] > 0 ? -sum[v] / count[v] : 0;
    }
  }
  for (int v = 0; !memory->failed && v < rows->vars; v++) {
    scale[v] = ldexp(1, (int)lrint(exponent[v]));
  }
  for (int r = 0; !memory->failed && r < eq->row_count; r++) {
    for (int i = eq->first[r]; i < eq->first[r + 1]; i++) {
      eq->terms[i].factor =
          ldexp(eq->terms[i].factor * scale[eq->terms[i].var], (int)lrint(row[r]));
    }
  }
  return !memory->failed;
}
