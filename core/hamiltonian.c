// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hamiltonian.h"

#include <gsl/gsl_eigen.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/array_private.h"
#include "core/drawing_private.h"
#include "core/linearize.h"
#include "core/number.h"
#include "core/text_private.h"

enum { NAME_SIZE = 360, DIGITS = 9 };
/** What is below this part of the largest entry is rounding. */
static const double rounding = 1e-13;

typedef struct names {
  char (*items)[NAME_SIZE];
  int count;
} names;

typedef struct writer {
  sb_text t;
  bool latex;
} writer;

static double largest(const double m[], int count) {
  double most = 0;
  for (int i = 0; i < count; i++) {
    most = fmax(most, fabs(m[i]));
  }
  return most;
}

static void clean(double m[], int count) {
  double least = rounding * largest(m, count);
  for (int i = 0; i < count; i++) {
    m[i] = fabs(m[i]) <= least ? 0 : m[i];
  }
}

static void put_number(writer *w, double value, int width) {
  char number[SB_NUMBER_SIZE];
  (void)sb_number_format_short(value, DIGITS, number, sizeof number);
  char *power = strchr(number, 'e');
  if (w->latex && power != NULL) {
    sb_text_put(&w->t, "%.*s \\cdot 10^{%d}", (int)(power - number), number, atoi(power + 1));
  } else {
    sb_text_put(&w->t, "%-*s", w->latex ? 0 : width, number);
  }
}

/** In LaTeX a name is text: its special characters are escaped. */
static void put_name(writer *w, const char *name, int width) {
  if (!w->latex) {
    sb_text_put(&w->t, "%-*s", width, name);
    return;
  }
  sb_text_put(&w->t, "\\mathrm{");
  for (const char *c = name; *c != '\0'; c++) {
    if (*c == '\\' || *c == '^' || *c == '~') {
      sb_text_put(&w->t, "\\char`\\%c ", *c);
    } else {
      sb_text_put(&w->t, "%s%c", strchr("_#$%&{}", *c) != NULL ? "\\" : "", *c);
    }
  }
  sb_text_put(&w->t, "}");
}

static void put_vector(writer *w, const char *symbol, const names *n) {
  sb_text_put(&w->t, w->latex ? "\\[ %s = (" : "%s = (", symbol);
  for (int i = 0; i < n->count; i++) {
    sb_text_put(&w->t, i > 0 ? w->latex ? ",\\, " : ", " : "");
    put_name(w, n->items[i], 0);
  }
  sb_text_put(&w->t, w->latex ? ")^T \\]\n" : ")\n");
}

static void put_matrix(writer *w, const char *symbol, const double m[], const names *rows,
                       const names *columns) {
  int first = 0, width = 12;
  for (int i = 0; i < rows->count; i++) {
    first = (int)strlen(rows->items[i]) > first ? (int)strlen(rows->items[i]) : first;
  }
  for (int j = 0; j < columns->count; j++) {
    width = (int)strlen(columns->items[j]) > width ? (int)strlen(columns->items[j]) : width;
  }
  if (w->latex) {
    sb_text_put(&w->t, "\\[ %s = \\begin{pmatrix}\n", symbol);
  } else {
    sb_text_put(&w->t, "\n%-*s", first + 2, symbol);
    for (int j = 0; j < columns->count; j++) {
      put_name(w, columns->items[j], j + 1 < columns->count ? width + 2 : 0);
    }
    sb_text_put(&w->t, "\n");
  }
  for (int i = 0; i < rows->count; i++) {
    if (!w->latex) {
      put_name(w, rows->items[i], first + 2);
    }
    for (int j = 0; j < columns->count; j++) {
      sb_text_put(&w->t, w->latex && j > 0 ? " & " : "");
      put_number(w, m[i * columns->count + j], j + 1 < columns->count ? width + 2 : 0);
    }
    sb_text_put(&w->t, w->latex ? " \\\\\n" : "\n");
  }
  if (w->latex) {
    sb_text_put(&w->t, "\\end{pmatrix} \\]\n");
  }
}

static void put_statement(writer *w, const char *what, bool holds, double figure) {
  sb_text_put(&w->t, "%s%s: %s (%s)\n", w->latex ? "% " : "", what, holds ? "yes" : "NO",
              sb_number_word(figure).text);
}

static bool make_names(names *n, int count) {
  n->count = count;
  n->items = sb_zeroed(count, NAME_SIZE);
  return n->items != NULL;
}

/** Names of vectors get their component. */
static void component_name(char name[NAME_SIZE], const char *base, int component, int count) {
  (void)snprintf(name, NAME_SIZE, count > 1 ? "%.340s.%d" : "%.340s", base, component);
}

static void name_states(const sb_model *model, names *n) {
  for (int i = 0; i < model->part_count; i++) {
    const sb_part *part = &model->parts[i];
    for (int k = 0; k < part->layout.states; k++) {
      char base[300];
      (void)sb_model_state_name(model, part->state + k, base);
      component_name(n->items[part->state + k], base, k,
                     sb_part_names_states(part) ? 1 : part->layout.states);
    }
  }
}

/** Q, block by block, and its inverse by Gauss and Jordan; blocks are positive definite. */
static void fill_energy(const sb_model *model, double Q[], double inverse[]) {
  int n = model->state_count;
  for (int p = 0; p < model->part_count; p++) {
    const sb_part *part = &model->parts[p];
    int s = part->state, d = part->components;
    double *block = part->type->role == SB_STORAGE ? sb_zeroed(d * d, sizeof(double)) : NULL;
    if (block == NULL) {
      continue;
    }
    memcpy(block, part->matrix, (size_t)(d * d) * sizeof(double));
    for (int i = 0; i < d; i++) {
      inverse[(s + i) * n + s + i] = 1;
      for (int j = 0; j < d; j++) {
        Q[(s + i) * n + s + j] = block[i * d + j];
      }
    }
    for (int k = 0; k < d; k++) {
      double pivot = block[k * d + k];
      for (int j = 0; j < d; j++) {
        block[k * d + j] /= pivot;
        inverse[(s + k) * n + s + j] /= pivot;
      }
      for (int i = 0; i < d; i++) {
        double f = i == k ? 0 : block[i * d + k];
        for (int j = 0; j < d && f != 0; j++) {
          block[i * d + j] -= f * block[k * d + j];
          inverse[(s + i) * n + s + j] -= f * inverse[(s + k) * n + s + j];
        }
      }
    }
    free(block);
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
  names x, u, y;
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
  free(f->x.items);
  free(f->u.items);
  free(f->y.items);
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
         make_names(&f->x, n) && make_names(&f->u, m) && make_names(&f->y, m);
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
  double through = fmax(largest(f->G, n * m), 1);
  for (int i = 0; i < n * m; i++) {
    f->P[i] = fabs(f->P[i]) <= rounding * through ? 0 : f->P[i];
  }
  double all = fmax(largest(f->J, n * n), largest(f->R, n * n));
  for (int i = 0; i < n * n; i++) {
    f->J[i] = fabs(f->J[i]) <= rounding * all ? 0 : f->J[i];
    f->R[i] = fabs(f->R[i]) <= rounding * all ? 0 : f->R[i];
  }
  clean(f->G, n * m);
}

static void put_form(writer *w, const form *f, const char *name) {
  int n = f->n, m = f->m;
  bool through = largest(f->P, n * m) > 0 || largest(f->S, m * m) > 0 || largest(f->N, m * m) > 0;
  if (w->latex) {
    sb_text_put(&w->t,
                "%% %s\n\\[ \\dot x = (J - R) Q x + %s u, \\quad y = %s^T Q x%s, \\quad "
                "H = \\tfrac12 x^T Q x \\]\n",
                name, through ? "(G - P)" : "G", through ? "(G + P)" : "G",
                through ? " + (S + N) u" : "");
  } else {
    sb_text_put(&w->t, "%s: xdot = (J - R) Q x + %s u, y = %s^T Q x%s, H = x^T Q x/2\n", name,
                through ? "(G - P)" : "G", through ? "(G + P)" : "G",
                through ? " + (S + N) u" : "");
  }
  put_vector(w, "x", &f->x);
  put_vector(w, "u", &f->u);
  put_vector(w, "y", &f->y);
  put_matrix(w, "J", f->J, &f->x, &f->x);
  put_matrix(w, "R", f->R, &f->x, &f->x);
  put_matrix(w, "Q", f->Q, &f->x, &f->x);
  if (m > 0) {
    put_matrix(w, "G", f->G, &f->x, &f->u);
  }
  if (through) {
    put_matrix(w, "P", f->P, &f->x, &f->u);
    put_matrix(w, "S", f->S, &f->u, &f->u);
    put_matrix(w, "N", f->N, &f->u, &f->u);
  }
  double skew = 0, symmetric = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      skew = fmax(skew, fabs(f->J[i * n + j] + f->J[j * n + i]));
      symmetric = fmax(symmetric, fabs(f->R[i * n + j] - f->R[j * n + i]));
    }
  }
  double least = least_eigenvalue(f->R, f->P, f->S, n, m);
  sb_text_put(&w->t, "\n");
  put_statement(w, "J is skew-symmetric, largest |J + J^T|", skew == 0, skew);
  put_statement(w, "R is symmetric, largest |R - R^T|", symmetric == 0, symmetric);
  put_statement(w,
                through ? "(R P; P^T S) is positive semi-definite, least scaled eigenvalue"
                        : "R is positive semi-definite, least scaled eigenvalue",
                least >= -1e-12 * (n + m), least);
}

static sb_status linear_form(const sb_model *model, writer *w, const sb_linear *l, form *f) {
  if (!form_init(f, l->states, l->inputs)) {
    return SB_ERR_MEMORY;
  }
  name_states(model, &f->x);
  for (int i = 0; i < f->m; i++) { // the other variable of the same port
    (void)snprintf(f->u.items[i], NAME_SIZE, "%s", l->input_names[i]);
    (void)snprintf(f->y.items[i], NAME_SIZE, "%s", l->input_names[i]);
    for (char *c = f->y.items[i] + strlen(f->y.items[i]); c > f->y.items[i]; c--) {
      if (c[-1] == '.' && (c[0] == 'e' || c[0] == 'f')) {
        c[0] = c[0] == 'e' ? 'f' : 'e';
        break;
      }
    }
  }
  fill_energy(model, f->Q, f->inverse);
  split(f, l);
  put_form(w, f, model->name);
  return SB_OK;
}

/** Linearises with the sources' other variables as outputs. */
static sb_status write_linear(const sb_model *model, writer *w, sb_error *err) {
  sb_options options = sb_options_defaults();
  sb_simulation *sim = NULL;
  sb_linear *l = NULL;
  names outputs = {0};
  const char **pointers = sb_zeroed(model->part_count, sizeof *pointers);
  int count = 0;
  if (pointers == NULL || !make_names(&outputs, model->part_count)) {
    free(pointers);
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  for (int i = 0; i < model->part_count; i++) {
    const sb_part *part = &model->parts[i];
    if (part->type->role == SB_SOURCE) {
      (void)snprintf(outputs.items[count], NAME_SIZE, "%.300s.%s", part->id,
                     part->layout.ports[0].output == SB_FLOW ? "e" : "f");
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
    status = linear_form(model, w, l, &f);
    form_finish(&f);
  }
  sb_linear_destroy(l);
  sb_simulation_destroy(sim);
  free(pointers);
  free(outputs.items);
  return status;
}

/** A number at a port of an element that is no constant structure. */
typedef struct end {
  int input, output; // variables
  double in_sign, out_sign, power;
} end;

/** Parts with hooks say so themselves; their shared ports have rows of their own. */
static bool gives_effort(const sb_model *model, int index, int port, int owner) {
  const sb_part *part = &model->parts[index];
  sb_variable output = part->layout.ports[port].output;
  if (!part->hooked) {
    return owner == index;
  }
  return sb_output_given(output, model->program->causality.given[index]) == SB_EFFORT;
}

static int list_ends(const sb_model *model, const int owner[], end ends[], names *in, names *out) {
  int count = 0;
  for (int i = 0; i < model->part_count; i++) {
    const sb_part *part = &model->parts[i];
    bool structure = part->type->role == SB_STRUCTURE;
    for (int k = 0; !(structure && !part->hooked) && k < part->components; k++, count++) {
      int port = sb_port_of(part, k), effort = sb_effort_var(part, k), flow = sb_flow_var(part, k);
      bool gives = gives_effort(model, i, port, owner[effort]);
      if (ends == NULL) {
        continue;
      }
      ends[count] = (end){.input = gives ? flow : effort,
                          .output = gives ? effort : flow,
                          .in_sign = gives ? part->signs[k] : 1,
                          .out_sign = gives ? 1 : part->signs[k],
                          .power = structure || part->type->role == SB_SOURCE ? -1 : 1};
      char port_name[NAME_SIZE], base[NAME_SIZE];
      (void)snprintf(port_name, sizeof port_name,
                     part->layout.port_count > 1 ? "%.200s.%.40s." : "%.200s.", part->id,
                     part->type->ports[port].name);
      int dim = part->layout.ports[port].dim, component = k - part->first[port];
      (void)snprintf(base, sizeof base, "%.300s%s", port_name, gives ? "f" : "e");
      component_name(in->items[count], base, component, dim);
      (void)snprintf(base, sizeof base, "%.300s%s", port_name, gives ? "e" : "f");
      component_name(out->items[count], base, component, dim);
    }
  }
  return count;
}

/** Solves the kernel rows of the constant structures, with all ends' outputs given, for the inputs:
 *  Gauss and Jordan over the other variables. false: they do not determine them, or no memory */
static bool reduce(const sb_model *model, const end ends[], int count, double matrix[]) {
  sb_equations eq;
  int base = sb_known_base(model), pivots = 0;
  if (sb_equations_build(model, model->start_modes, &eq) != SB_OK) {
    return false;
  }
  int *column = sb_zeroed(base, sizeof *column), *row_of = sb_zeroed(base, sizeof *row_of);
  int width = base, rows = 0;
  double *a = calloc((size_t)eq.row_count * (size_t)width + 1, sizeof *a);
  bool ok = a != NULL && column != NULL && row_of != NULL;
  for (int v = 0; ok && v < base; v++) {
    row_of[v] = -1;
  }
  for (int i = 0; ok && i < count; i++) {
    column[ends[i].output] = 1; // given
  }
  for (int r = 0; ok && r < eq.row_count; r++) {
    bool pure = eq.active[r] != 0;
    const sb_part *part = &model->parts[eq.owner[r]];
    for (int i = eq.first[r]; i < eq.first[r + 1]; i++) {
      pure = pure && eq.terms[i].var < base;
    }
    if (!pure || (part->linear && part->type->role == SB_DISSIPATION)) {
      continue; // what an element gives is no matter of the structure
    }
    for (int i = eq.first[r]; i < eq.first[r + 1]; i++) {
      a[rows * width + eq.terms[i].var] += eq.terms[i].factor;
    }
    rows++;
  }
  for (int v = 0; ok && v < base; v++) {
    int best = -1;
    for (int r = pivots; column[v] == 0 && r < rows; r++) {
      if (best < 0 || fabs(a[r * width + v]) > fabs(a[best * width + v])) {
        best = r;
      }
    }
    if (best < 0 || fabs(a[best * width + v]) < 1e-12) {
      continue;
    }
    for (int k = 0; k < width; k++) {
      double swap = a[best * width + k];
      a[best * width + k] = a[pivots * width + k];
      a[pivots * width + k] = swap;
    }
    double pivot = a[pivots * width + v];
    for (int k = 0; k < width; k++) {
      a[pivots * width + k] /= pivot;
    }
    for (int r = 0; r < rows; r++) {
      double f = r == pivots ? 0 : a[r * width + v];
      for (int k = 0; k < width && f != 0; k++) {
        a[r * width + k] -= f * a[pivots * width + k];
      }
    }
    row_of[v] = pivots++;
  }
  for (int i = 0; ok && i < count; i++) {
    bool bonded = column[ends[i].input] != 0; // straight to an element that gives it
    ok = bonded || row_of[ends[i].input] >= 0;
    for (int j = 0; ok && j < count; j++) {
      double factor = bonded ? ends[j].output == ends[i].input
                             : -a[row_of[ends[i].input] * width + ends[j].output];
      matrix[i * count + j] = factor == 0 ? 0 : factor * ends[i].in_sign * ends[j].out_sign;
    }
  }
  free(a);
  free(column);
  free(row_of);
  sb_equations_finish(&eq);
  return ok;
}

static sb_status write_structure(const sb_model *model, writer *w, sb_error *err) {
  names in = {0}, out = {0};
  int *owner = sb_zeroed(sb_known_base(model), sizeof *owner);
  int count = 0;
  sb_status status = SB_OK;
  if (owner == NULL || !sb_strokes_owners(model, owner)) {
    free(owner);
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  count = list_ends(model, owner, NULL, NULL, NULL);
  end *ends = sb_zeroed(count, sizeof *ends);
  double *matrix = sb_zeroed(count * count, sizeof *matrix);
  if (count > SB_EQUATIONS_MAX) {
    status = sb_fail(err, SB_ERR_LIMIT, "%d numbers at ports; at most %d are written down", count,
                     SB_EQUATIONS_MAX);
  } else if (ends == NULL || matrix == NULL || !make_names(&in, count) ||
             !make_names(&out, count)) {
    status = sb_fail(err, SB_ERR_MEMORY, "out of memory");
  } else {
    (void)list_ends(model, owner, ends, &in, &out);
    if (!reduce(model, ends, count, matrix)) {
      status = sb_fail(err, SB_ERR_SINGULAR,
                       "the structure of '%s' is not determined by what its "
                       "elements give",
                       model->name);
    }
  }
  if (status == SB_OK) {
    double skew = 0;
    clean(matrix, count * count);
    for (int i = 0; i < count; i++) {
      for (int j = 0; j < count; j++) {
        skew = fmax(skew, fabs(ends[i].power * matrix[i * count + j] +
                               ends[j].power * matrix[j * count + i]));
      }
    }
    sb_text_put(&w->t, "%s%s: what each element is given (rows) by what all give (columns)\n",
                w->latex ? "% " : "", model->name);
    put_matrix(w, "J", matrix, &in, &out);
    sb_text_put(&w->t, "\n");
    put_statement(w, "J is skew-symmetric where power counts into each element, largest |J + J^T|",
                  skew <= 1e-12 * fmax(largest(matrix, count * count), 1), skew);
  }
  free(ends);
  free(matrix);
  free(owner);
  free(in.items);
  free(out.items);
  return status;
}

static bool is_linear(const sb_model *model) {
  bool linear = model->program->causality.constraint_count == 0 && model->state_count > 0;
  for (int i = 0; i < model->part_count; i++) {
    sb_role role = model->parts[i].type->role;
    linear = linear && (!model->parts[i].hooked || role == SB_SOURCE) &&
             !(role == SB_STRUCTURE && model->parts[i].layout.states > 0);
  }
  return linear;
}

sb_status sb_model_equations(const sb_model *model, bool latex, char **text, sb_error *err) {
  writer w = {.latex = latex};
  *text = NULL;
  bool linear = is_linear(model);
  for (int i = 0; i < model->part_count; i++) {
    if (model->parts[i].inverse != NULL) {
      return sb_fail(err, SB_ERR_USAGE,
                     "the matrix of '%s' is singular: its equations are not written down",
                     model->parts[i].id);
    }
  }
  if (linear && model->state_count > SB_EQUATIONS_MAX) {
    return sb_fail(err, SB_ERR_LIMIT, "%d states; the equations of at most %d are written down",
                   model->state_count, SB_EQUATIONS_MAX);
  }
  sb_status status = (linear ? write_linear : write_structure)(model, &w, err);
  if (status == SB_OK && w.t.failed) {
    status = sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  if (status != SB_OK) {
    free(w.t.bytes);
    return status;
  }
  *text = w.t.bytes;
  return SB_OK;
}
