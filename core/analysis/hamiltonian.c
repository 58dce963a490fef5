// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/hamiltonian.h"

#include <gsl/gsl_eigen.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/analysis/linearize.h"
#include "core/analysis/structure_matrix_private.h"
#include "core/base/array.h"
#include "core/linalg/dense.h"
#include "core/linalg/numbers.h"
#include "core/model/model_data.h"
#include "core/program/program.h"

static void name_states(const sb_model *model, sb_labels *n) {
  for (int i = 0; i < model->network.instance_count; i++) {
    const sb_instance *instance = &model->network.instances[i];
    for (int k = 0; k < instance->layout.states; k++) {
      char base[300];
      (void)sb_network_state_name(&model->network, instance->state + k, base);
      sb_label_component(n->items[instance->state + k], base, k,
                         sb_instance_names_states(instance) ? 1 : instance->layout.states);
    }
  }
}

/** Q, and its inverse; false: no memory. */
static bool fill_energy(const sb_model *model, double Q[], double inverse[]) {
  int n = model->network.state_count;
  double *both = sb_zeroed(2 * n * n, sizeof *both); // [Q 1]
  int *pivots = sb_zeroed(n, sizeof *pivots);
  for (int p = 0; p < model->network.instance_count; p++) {
    const sb_instance *instance = &model->network.instances[p];
    int s = instance->state, d = instance->type->role == SB_STORAGE ? instance->components : 0;
    for (int i = 0; i < d; i++) {
      memcpy(&Q[(s + i) * n + s], &instance->matrix[i * d], (size_t)d * sizeof *Q);
    }
  }
  for (int i = 0; both != NULL && i < n; i++) {
    memcpy(&both[2 * n * i], &Q[n * i], (size_t)n * sizeof *Q);
    both[2 * n * i + n + i] = 1;
  }
  bool ok = both != NULL && pivots != NULL;
  int rank = ok ? sb_eliminate(both, n, 2 * n, n, 0, pivots) : 0;
  for (int r = 0; r < rank; r++) {
    memcpy(&inverse[pivots[r] * n], &both[2 * n * r + n], (size_t)n * sizeof *Q);
  }
  free(both);
  free(pivots);
  return ok;
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

/** The least eigenvalue of the symmetric matrix (R P; P^T S), scaled to a unit diagonal: the units of
 *  its rows differ. */
static double least_eigenvalue(const double R[], const double P[], const double S[], int n, int m) {
  int size = n + m;
  double least = 0;
  if (size == 0) {
    return 0;
  }
  gsl_matrix *W = gsl_matrix_calloc((size_t)size, (size_t)size);
  gsl_vector *values = gsl_vector_alloc((size_t)size);
  gsl_eigen_symm_workspace *work = gsl_eigen_symm_alloc((size_t)size);
  for (int i = 0; i < size; i++) {
    for (int j = 0; j < size; j++) {
      W->data[i * size + j] = i < n && j < n ? R[i * n + j]
                              : i < n        ? P[i * m + j - n]
                              : j < n        ? P[j * m + i - n]
                                             : S[(i - n) * m + j - n];
    }
  }
  double *scale = sb_zeroed(size, sizeof(double));
  for (int i = 0; scale != NULL && i < size; i++) {
    double d = W->data[i * size + i];
    scale[i] = d > 0 ? 1 / sqrt(d) : 1;
  }
  for (int i = 0; scale != NULL && i < size; i++) {
    for (int j = 0; j < size; j++) {
      W->data[i * size + j] *= scale[i] * scale[j];
    }
  }
  (void)gsl_eigen_symm(W, values, work);
  for (int i = 0; i < size; i++) {
    least = fmin(least, gsl_vector_get(values, (size_t)i));
  }
  free(scale);
  gsl_eigen_symm_free(work);
  gsl_vector_free(values);
  gsl_matrix_free(W);
  return least;
}

typedef struct form {
  int n, m;
  double *Q, *inverse, *J, *R, *G, *P, *S, *N, *scratch;
  sb_labels x, u, y;
} form;

static void form_finish(form *f) {
  free(f->Q);
  free(f->inverse);
  free(f->J);
  free(f->R);
  free(f->G);
  free(f->P);
  free(f->S);
  free(f->N);
  free(f->scratch);
  sb_labels_finish(&f->x);
  sb_labels_finish(&f->u);
  sb_labels_finish(&f->y);
}

static bool form_init(form *f, int n, int m) {
  f->n = n;
  f->m = m;
  f->Q = sb_zeroed(n * n, sizeof(double));
  f->inverse = sb_zeroed(n * n, sizeof(double));
  f->J = sb_zeroed(n * n, sizeof(double));
  f->R = sb_zeroed(n * n, sizeof(double));
  f->G = sb_zeroed(n * m, sizeof(double));
  f->P = sb_zeroed(n * m, sizeof(double));
  f->S = sb_zeroed(m * m, sizeof(double));
  f->N = sb_zeroed(m * m, sizeof(double));
  f->scratch = sb_zeroed((n + m) * (n + m), sizeof(double));
  return f->Q != NULL && f->inverse != NULL && f->J != NULL && f->R != NULL && f->G != NULL &&
         f->P != NULL && f->S != NULL && f->N != NULL && f->scratch != NULL &&
         sb_labels_init(&f->x, n) && sb_labels_init(&f->u, m) && sb_labels_init(&f->y, m);
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

static void put_form(sb_matrix_text *t, const form *f, const char *name) {
  int n = f->n, m = f->m;
  bool through =
      sb_largest(f->P, n * m) > 0 || sb_largest(f->S, m * m) > 0 || sb_largest(f->N, m * m) > 0;
  if (t->latex) {
    sb_text_put(&t->text,
                "%% %s\n\\[ \\dot x = (J - R) Q x + %s u, \\quad y = %s^T Q x%s, \\quad "
                "H = \\tfrac12 x^T Q x \\]\n",
                name, through ? "(G - P)" : "G", through ? "(G + P)" : "G",
                through ? " + (S + N) u" : "");
  } else {
    sb_text_put(&t->text, "%s: xdot = (J - R) Q x + %s u, y = %s^T Q x%s, H = x^T Q x/2\n", name,
                through ? "(G - P)" : "G", through ? "(G + P)" : "G",
                through ? " + (S + N) u" : "");
  }
  sb_matrix_text_vector(t, "x", &f->x);
  sb_matrix_text_vector(t, "u", &f->u);
  sb_matrix_text_vector(t, "y", &f->y);
  sb_matrix_text_matrix(t, "J", f->J, &f->x, &f->x);
  sb_matrix_text_matrix(t, "R", f->R, &f->x, &f->x);
  sb_matrix_text_matrix(t, "Q", f->Q, &f->x, &f->x);
  if (m > 0) {
    sb_matrix_text_matrix(t, "G", f->G, &f->x, &f->u);
  }
  if (through) {
    sb_matrix_text_matrix(t, "P", f->P, &f->x, &f->u);
    sb_matrix_text_matrix(t, "S", f->S, &f->u, &f->u);
    sb_matrix_text_matrix(t, "N", f->N, &f->u, &f->u);
  }
  double skew = 0, symmetric = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      skew = fmax(skew, fabs(f->J[i * n + j] + f->J[j * n + i]));
      symmetric = fmax(symmetric, fabs(f->R[i * n + j] - f->R[j * n + i]));
    }
  }
  double least = least_eigenvalue(f->R, f->P, f->S, n, m);
  sb_text_put(&t->text, "\n");
  sb_matrix_text_statement(t, "J is skew-symmetric, largest |J + J^T|", skew == 0, skew);
  sb_matrix_text_statement(t, "R is symmetric, largest |R - R^T|", symmetric == 0, symmetric);
  sb_matrix_text_statement(t,
                           through
                               ? "(R P; P^T S) is positive semi-definite, least scaled eigenvalue"
                               : "R is positive semi-definite, least scaled eigenvalue",
                           least >= -1e-12 * (n + m), least);
}

static sb_status linear_form(const sb_model *model, sb_matrix_text *t, const sb_linear *l, form *f,
                             sb_error *err) {
  if (!form_init(f, l->states, l->inputs) || !fill_energy(model, f->Q, f->inverse)) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  name_states(model, &f->x);
  for (int i = 0; i < f->m; i++) { // the other variable of the same port
    (void)snprintf(f->u.items[i], SB_LABEL_SIZE, "%s", l->input_names[i]);
    (void)snprintf(f->y.items[i], SB_LABEL_SIZE, "%s", l->input_names[i]);
    for (char *c = f->y.items[i] + strlen(f->y.items[i]); c > f->y.items[i]; c--) {
      if (c[-1] == '.' && (c[0] == 'e' || c[0] == 'f')) {
        c[0] = c[0] == 'e' ? 'f' : 'e';
        break;
      }
    }
  }
  split(f, l);
  put_form(t, f, model->network.name);
  return SB_OK;
}

/** Linearises with the sources' other variables as outputs. */
static sb_status write_linear(const sb_model *model, sb_matrix_text *t, sb_error *err) {
  sb_options options = sb_options_defaults();
  sb_simulation *sim = NULL;
  sb_linear *l = NULL;
  sb_labels outputs = {0};
  const char **pointers = sb_zeroed(model->network.instance_count, sizeof *pointers);
  int count = 0;
  if (pointers == NULL || !sb_labels_init(&outputs, model->network.instance_count)) {
    free(pointers);
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  for (int i = 0; i < model->network.instance_count; i++) {
    const sb_instance *instance = &model->network.instances[i];
    if (instance->type->role == SB_SOURCE) {
      (void)snprintf(outputs.items[count], SB_LABEL_SIZE, "%.300s.%s", instance->id,
                     instance->layout.ports[0].output == SB_FLOW ? "e" : "f");
      pointers[count] = outputs.items[count];
      count++;
    }
  }
  const sb_linear_request request = {.outputs = pointers, .output_count = count};
  sb_status status = sb_simulation_create(model, &options, &sim, err);
  if (status == SB_OK) {
    status = sb_linearize(sim, &request, &l, err);
  }
  if (status == SB_OK) {
    form f = {0};
    status = linear_form(model, t, l, &f, err);
    form_finish(&f);
  }
  sb_linear_destroy(l);
  sb_simulation_destroy(sim);
  free(pointers);
  sb_labels_finish(&outputs);
  return status;
}

static bool is_linear(const sb_model *model) {
  bool linear = model->program->causality.constraint_count == 0 && model->network.state_count > 0;
  for (int i = 0; i < model->network.instance_count; i++) {
    sb_role role = model->network.instances[i].type->role;
    linear = linear && (!model->network.instances[i].hooked || role == SB_SOURCE) &&
             !(role == SB_STRUCTURE && model->network.instances[i].layout.states > 0);
  }
  return linear;
}

sb_status sb_model_equations(const sb_model *model, bool latex, char **text, sb_error *err) {
  sb_matrix_text t = {.latex = latex};
  *text = NULL;
  bool linear = is_linear(model);
  for (int i = 0; i < model->network.instance_count; i++) {
    if (model->network.instances[i].inverse != NULL) {
      return sb_fail(err, SB_ERR_USAGE,
                     "the matrix of '%s' is singular: its equations are not written down",
                     model->network.instances[i].id);
    }
  }
  if (linear && model->network.state_count > SB_EQUATIONS_MAX) {
    return sb_fail(err, SB_ERR_LIMIT, "%d states; the equations of at most %d are written down",
                   model->network.state_count, SB_EQUATIONS_MAX);
  }
  sb_status status = linear ? write_linear(model, &t, err)
                            : sb_structure_matrix_write(model, SB_EQUATIONS_MAX, &t, err);
  if (status == SB_OK && t.text.failed) {
    status = sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  if (status != SB_OK) {
    free(t.text.bytes);
    return status;
  }
  *text = t.text.bytes;
  return SB_OK;
}
