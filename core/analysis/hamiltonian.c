// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/hamiltonian.h"

#include <gsl/gsl_eigen.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/analysis/linear_private.h"
#include "core/analysis/structure_matrix_private.h"
#include "core/base/array.h"
#include "core/linalg/dense.h"
#include "core/linalg/numbers.h"
#include "core/model/model_data.h"
#include "core/program/program.h"

/** Q, and its inverse.
 *  @param scratch  (n x n)  @param pivots  (n) scratch */
static void fill_energy(const sb_model *model, double Q[], double inverse[], double scratch[],
                        int pivots[]) {
  int n = model->network.state_count;
  for (int p = 0; p < model->network.instance_count; p++) {
    const sb_instance *instance = &model->network.instances[p];
    int s = instance->state, d = instance->type->storage != NULL ? instance->components : 0;
    for (int i = 0; i < d; i++) {
      memcpy(&Q[(s + i) * n + s], &instance->matrix[i * d], (size_t)d * sizeof *Q);
    }
  }
  for (int i = 0; i < n; i++) {
    inverse[i * n + i] = 1;
  }
  memcpy(scratch, Q, (size_t)(n * n) * sizeof *Q);
  if (sb_lu_factor(scratch, n, 0, pivots) == n) {
    sb_lu_solve(scratch, n, pivots, inverse, n);
  }
}

static void multiply(const double a[], const double b[], int rows, int inner, int columns,
                     double out[]) {
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < columns; j++) {
      double sum = 0;
      for (int k = 0; k < inner; k++) {
        sum += a[i * inner + k] * b[k * columns + j];
      }
      out[i * columns + j] = sum;
    }
  }
}

/** Matrices of the form, and scratch. */
typedef struct form {
  int n, m;
  double *Q, *inverse, *J, *R, *G, *P, *S, *N;
  double *scratch; // (n + m) x (n + m)
  double *size;    // (n + m) scratch, and two more of these behind it
  int *pivots;     // (n)
  sb_labels x, u, y;
} form;

static double *take_matrix(sb_arena *memory, int rows, int columns) {
  return sb_arena_zeroed(memory, rows * columns, sizeof(double));
}

static bool form_init(form *f, int n, int m, sb_arena *memory) {
  *f = (form){.n = n,
              .m = m,
              .Q = take_matrix(memory, n, n),
              .inverse = take_matrix(memory, n, n),
              .J = take_matrix(memory, n, n),
              .R = take_matrix(memory, n, n),
              .G = take_matrix(memory, n, m),
              .P = take_matrix(memory, n, m),
              .S = take_matrix(memory, m, m),
              .N = take_matrix(memory, m, m),
              .scratch = take_matrix(memory, n + m, n + m),
              .size = take_matrix(memory, n + m, 3),
              .pivots = sb_arena_zeroed(memory, n, sizeof(int))};
  return sb_labels_init(&f->x, n, memory) && sb_labels_init(&f->u, m, memory) &&
         sb_labels_init(&f->y, m, memory) && !memory->failed;
}

/** The least eigenvalue of the symmetric matrix (R P; P^T S), scaled to a unit diagonal: the units of
 *  its rows differ. 0 if none is negative. */
static double least_eigenvalue(const form *f) {
  int n = f->n, m = f->m, size = n + m;
  double *W = f->scratch, least = 0;
  if (size == 0) {
    return 0;
  }
  for (int i = 0; i < size; i++) {
    double d = i < n ? f->R[i * n + i] : f->S[(i - n) * m + i - n];
    f->size[i] = d > 0 ? 1 / sqrt(d) : 1;
  }
  for (int i = 0; i < size; i++) {
    for (int j = 0; j < size; j++) {
      double entry = i < n && j < n ? f->R[i * n + j]
                     : i < n        ? f->P[i * m + j - n]
                     : j < n        ? f->P[j * m + i - n]
                                    : f->S[(i - n) * m + j - n];
      W[i * size + j] = entry * (f->size[i] * f->size[j]);
    }
  }
  gsl_matrix_view matrix = gsl_matrix_view_array(W, (size_t)size, (size_t)size);
  gsl_vector_view values = gsl_vector_view_array(f->size, (size_t)size);
  gsl_eigen_symm_workspace work = {(size_t)size, f->size + size, f->size + 2 * size};
  (void)gsl_eigen_symm(&matrix.matrix, &values.vector, &work);
  for (int i = 0; i < size; i++) {
    least = fmin(least, f->size[i]);
  }
  return least;
}

/** Splits A, B, C and D: J and N are the skew parts, R and S the symmetric ones. */
static void split(form *f, const sb_linear *l) {
  int n = f->n, m = f->m;
  multiply(l->A, f->inverse, n, n, n, f->scratch);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      double a = f->scratch[i * n + j], b = f->scratch[j * n + i];
      f->J[i * n + j] = 0.5 * (a - b);
      f->R[i * n + j] = -0.5 * (a + b);
    }
  }
  multiply(l->C, f->inverse, m, n, n, f->scratch);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++) {
      double b = l->B[i * m + j], c = f->scratch[j * n + i];
      f->G[i * m + j] = 0.5 * (c + b);
      f->P[i * m + j] = 0.5 * (c - b);
    }
  }
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < m; j++) {
      f->S[i * m + j] = 0.5 * (l->D[i * m + j] + l->D[j * m + i]);
      f->N[i * m + j] = 0.5 * (l->D[i * m + j] - l->D[j * m + i]);
    }
  }
  double all = fmax(sb_largest(f->J, n * n), sb_largest(f->R, n * n));
  sb_matrix_clean(f->J, n * n, all);
  sb_matrix_clean(f->R, n * n, all);
  sb_matrix_clean(f->G, n * m, sb_largest(f->G, n * m));
  sb_matrix_clean(f->P, n * m, fmax(sb_largest(f->G, n * m), 1));
}

static bool has_feedthrough(const form *f) {
  int n = f->n, m = f->m;
  return sb_largest(f->P, n * m) > 0 || sb_largest(f->S, m * m) > 0 || sb_largest(f->N, m * m) > 0;
}

/** That the matrices have the symmetries they must have. */
static void put_checks(sb_matrix_text *t, const form *f) {
  int n = f->n, m = f->m;
  double skew = 0, symmetric = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      skew = fmax(skew, fabs(f->J[i * n + j] + f->J[j * n + i]));
      symmetric = fmax(symmetric, fabs(f->R[i * n + j] - f->R[j * n + i]));
    }
  }
  double least = least_eigenvalue(f);
  sb_text_put(&t->text, "\n");
  sb_matrix_text_statement(t, "J is skew-symmetric, largest |J + J^T|", skew == 0, skew);
  sb_matrix_text_statement(t, "R is symmetric, largest |R - R^T|", symmetric == 0, symmetric);
  sb_matrix_text_statement(t,
                           has_feedthrough(f)
                               ? "(R P; P^T S) is positive semi-definite, least scaled eigenvalue"
                               : "R is positive semi-definite, least scaled eigenvalue",
                           least >= -1e-12 * (n + m), least);
}

static void put_form(sb_matrix_text *t, const form *f, const char *name) {
  bool through = has_feedthrough(f);
  sb_text_put(&t->text,
              t->latex ? "%% %s\n\\[ \\dot x = (J - R) Q x + %s u, \\quad y = %s^T Q x%s, \\quad "
                         "H = \\tfrac12 x^T Q x \\]\n"
                       : "%s: xdot = (J - R) Q x + %s u, y = %s^T Q x%s, H = x^T Q x/2\n",
              name, through ? "(G - P)" : "G", through ? "(G + P)" : "G",
              through ? " + (S + N) u" : "");
  sb_matrix_text_vector(t, "x", &f->x);
  sb_matrix_text_vector(t, "u", &f->u);
  sb_matrix_text_vector(t, "y", &f->y);
  sb_matrix_text_matrix(t, "J", f->J, &f->x, &f->x);
  sb_matrix_text_matrix(t, "R", f->R, &f->x, &f->x);
  sb_matrix_text_matrix(t, "Q", f->Q, &f->x, &f->x);
  if (f->m > 0) {
    sb_matrix_text_matrix(t, "G", f->G, &f->x, &f->u);
  }
  if (through) {
    sb_matrix_text_matrix(t, "P", f->P, &f->x, &f->u);
    sb_matrix_text_matrix(t, "S", f->S, &f->u, &f->u);
    sb_matrix_text_matrix(t, "N", f->N, &f->u, &f->u);
  }
  put_checks(t, f);
}

static void name_ports(form *f, const sb_linear *l) {
  for (int i = 0; i < f->m; i++) { // y: the other variable of the same port
    (void)snprintf(f->u.items[i], SB_LABEL_SIZE, "%s", l->input_names[i]);
    (void)snprintf(f->y.items[i], SB_LABEL_SIZE, "%s", l->input_names[i]);
    for (char *c = f->y.items[i] + strlen(f->y.items[i]); c > f->y.items[i]; c--) {
      if (c[-1] == '.' && (c[0] == 'e' || c[0] == 'f')) {
        c[0] = c[0] == 'e' ? 'f' : 'e';
        break;
      }
    }
  }
}

/** Linearises with the sources' other variables as outputs. */
static sb_status write_linear(const sb_model *model, sb_matrix_text *t, sb_arena *memory,
                              sb_error *err) {
  sb_options options = sb_options_defaults();
  sb_simulation *sim = NULL;
  sb_linear *l = NULL;
  sb_labels names;
  form f;
  const sb_network *network = &model->network;
  const char **outputs = sb_arena_zeroed(memory, network->instance_count, sizeof *outputs);
  int count = 0;
  if (outputs == NULL || !sb_labels_init(&names, network->instance_count, memory)) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  for (int i = 0; i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    if (instance->type->source != NULL) {
      (void)snprintf(names.items[count], SB_LABEL_SIZE, "%.300s.%s", instance->id,
                     instance->layout.ports[0].output == SB_FLOW ? "e" : "f");
      outputs[count] = names.items[count];
      count++;
    }
  }
  const sb_linear_request request = {.outputs = outputs, .output_count = count};
  sb_status status = sb_simulation_create(model, &options, &sim, err);
  status = status == SB_OK ? sb_linearize(sim, &request, &l, err) : status;
  if (status == SB_OK && !form_init(&f, l->states, l->inputs, memory)) {
    status = sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  if (status == SB_OK) {
    fill_energy(model, f.Q, f.inverse, f.scratch, f.pivots);
    for (int i = 0; i < f.n; i++) {
      sb_label_state(f.x.items[i], network, i);
    }
    name_ports(&f, l);
    split(&f, l);
    put_form(t, &f, network->name);
  }
  sb_linear_destroy(l);
  sb_simulation_destroy(sim);
  return status;
}

/** Whether the model has a linear Hamiltonian form. */
static bool has_form(const sb_model *model) {
  const sb_network *network = &model->network;
  bool linear = model->program->causality.constraint_count == 0 && network->state_count > 0 &&
                sb_network_is_linear(network);
  for (int i = 0; i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    linear = linear && (instance->type->structure == NULL || instance->layout.states == 0);
  }
  return linear;
}

sb_status sb_model_equations(const sb_model *model, bool latex, char **text, sb_error *err) {
  sb_matrix_text t = {.latex = latex};
  *text = NULL;
  bool linear = has_form(model);
  for (int i = 0; i < model->network.instance_count; i++) {
    if (model->network.instances[i].inverse != NULL) {
      (void)sb_fail(err, SB_ERR_USAGE,
                    "the matrix of '%s' is singular: no equations can be written for it",
                    model->network.instances[i].id);
      sb_place_into(&model->network.instances[i].place, err);
      return SB_ERR_USAGE;
    }
  }
  if (linear && model->network.state_count > SB_EQUATIONS_MAX) {
    return sb_fail(err, SB_ERR_LIMIT, "%d states; the equations of at most %d are written down",
                   model->network.state_count, SB_EQUATIONS_MAX);
  }
  sb_arena memory = {0};
  sb_status status = linear ? write_linear(model, &t, &memory, err)
                            : sb_structure_matrix_write(model, SB_EQUATIONS_MAX, &t, &memory, err);
  sb_arena_finish(&memory);
  if (status != SB_OK) {
    free(t.text.bytes);
    return status;
  }
  return sb_text_give(&t.text, text, err);
}
