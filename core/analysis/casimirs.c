// SPDX-License-Identifier: GPL-3.0-or-later
// Casimirs: combinations c . x of the states that are constant along every motion, whatever the
// energies, the laws and the sources are (van der Schaft, Jeltsema 2014, section 6.4). With xdot = u
// at the storages, c . u = 0 must hold for all that the constant Dirac structure D admits. As D is
// its own orthogonal complement, this says that D contains the point
//   y = c,  u = 0,  and zero effort and flow at every dissipation, source and modulated structure.
// So the Casimirs are the null space of the kernel rows over the bonds that are left and the y's.
#include "core/analysis/casimirs_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/model/model_data.h"
#include "core/network/equations.h"

/** Pairs of Casimirs are combined into shorter ones only for as many as these, with as many terms;
 *  factors become whole numbers by multiples up to this. */
enum { COMBINED_MAX = 200, COMBINED_TERMS_MAX = 2000, MULTIPLE_MAX = 60 };
static const double rounding = 1e-10;

typedef struct search {
  const sb_model *model;
  char *zero;    // (base) variables that are zero
  char *late;    // (base) outputs of storages
  int *state;    // (base x 2) states whose storages give this variable, from 1; 0: none
  double *sign;  // (base x 2) of the output in the port's own direction
  sb_term *rows; // kept rows without what is zero
  int *first;
  int row_count, first_capacity, term_count, term_capacity;
} search;

/** A storage with hooks whose rate at the start gives back what goes in: xdot = u. */
static bool integrates_input(const sb_instance *instance) {
  int n = instance->components;
  const sb_storage_hooks *hooks = instance->type->storage;
  if (instance->layout.states != n || instance->wire_count > 0 || instance->mode >= 0 ||
      instance->type->state_names != NULL || hooks->rate == NULL) {
    return false;
  }
  double *x = sb_zeroed(3 * n, sizeof *x), *u = x + n, *xdot = u + n;
  bool ok = x != NULL;
  for (int i = 0; ok && i < n; i++) {
    u[i] = 1.37 + 0.71 * i;
  }
  if (ok && hooks->start != NULL) {
    hooks->start(instance->self, x);
  }
  sb_at at = {.x = x, .in = u};
  ok = ok && hooks->rate(instance->self, &at, xdot) == 0;
  for (int i = 0; ok && i < n; i++) {
    ok = xdot[i] == u[i];
  }
  free(x);
  return ok;
}

static void mark_ports(search *s) {
  for (int i = 0; i < s->model->network.instance_count; i++) {
    const sb_instance *instance = &s->model->network.instances[i];
    bool constant = instance->type->role == SB_STRUCTURE && !instance->hooked;
    bool storage =
        instance->type->role == SB_STORAGE && (instance->linear || integrates_input(instance));
    for (int k = 0; !constant && k < instance->components; k++) {
      int effort = sb_effort_var(instance, k), flow = sb_flow_var(instance, k);
      bool gives_effort = instance->layout.ports[sb_port_of(instance, k)].output == SB_EFFORT;
      int output = gives_effort ? effort : flow;
      s->zero[effort] = s->zero[effort] || !storage || !gives_effort;
      s->zero[flow] = s->zero[flow] || !storage || gives_effort;
      if (storage) {
        s->late[output] = 1;
        int end = 2 * output + (s->state[2 * output] > 0); // two storages may share a bond
        s->state[end] = 1 + instance->state + k;
        s->sign[end] = gives_effort ? 1 : instance->signs[k];
      }
    }
  }
}

/** Kernel rows of constant structures and shared ports: those without states and values. */
static bool keep_rows(search *s, const sb_equations *eq) {
  for (int r = 0; r < eq->row_count; r++) {
    if (!sb_equations_constant(&s->model->network, eq, r)) {
      continue;
    }
    if (!sb_grow(&s->first, &s->first_capacity, s->row_count + 2, sizeof(int))) {
      return false;
    }
    s->first[s->row_count++] = s->term_count;
    for (int i = eq->first[r]; i < eq->first[r + 1]; i++) {
      if (!s->zero[eq->terms[i].var] &&
          !sb_append(&s->rows, &s->term_count, &s->term_capacity, sizeof(sb_term), &eq->terms[i])) {
        return false;
      }
    }
    s->first[s->row_count] = s->term_count;
  }
  return true;
}

static int by_state(const void *a, const void *b) {
  const sb_term *s = a, *t = b;
  return s->var - t->var;
}

/** Small whole numbers where there are such, else the first factor 1. */
static void scale(sb_term terms[], int count) {
  double lead = terms[0].factor;
  for (int i = 0; i < count; i++) {
    terms[i].factor /= lead;
  }
  for (int multiple = 1; multiple <= MULTIPLE_MAX; multiple++) {
    bool whole = true;
    for (int i = 0; i < count; i++) {
      double factor = multiple * terms[i].factor;
      whole = whole && fabs(factor - round(factor)) <= rounding * fabs(factor);
    }
    for (int i = 0; whole && i < count; i++) {
      terms[i].factor = round(multiple * terms[i].factor);
    }
    if (whole) {
      return;
    }
  }
}

/** Terms in states of one vector of the null space, in order; 0 if it has none. */
static int pick_states(const search *s, const sb_nullspace *space, int k, sb_term out[]) {
  int count = 0;
  for (int i = space->first[k]; i < space->first[k + 1]; i++) {
    for (int end = 2 * space->terms[i].var, last = end + 1; end <= last; end++) {
      if (s->state[end] > 0) {
        out[count++] = (sb_term){s->state[end] - 1, s->sign[end] * space->terms[i].factor};
      }
    }
  }
  qsort(out, (size_t)count, sizeof *out, by_state);
  return count;
}

/** a - weight b, both in the order of their states. @return its number of terms */
static int combine(const sb_term a[], int na, const sb_term b[], int nb, double weight,
                   sb_term out[]) {
  int i = 0, j = 0, n = 0;
  while (i < na || j < nb) {
    bool from_a = j == nb || (i < na && a[i].var <= b[j].var);
    bool from_b = i == na || (j < nb && b[j].var <= a[i].var);
    double x = from_a ? a[i].factor : 0, y = from_b ? weight * b[j].factor : 0;
    int var = from_a ? a[i].var : b[j].var;
    i += from_a;
    j += from_b;
    if (fabs(x - y) > rounding * (fabs(x) + fabs(y))) {
      out[n++] = (sb_term){var, x - y};
    }
  }
  return n;
}

typedef struct vector {
  sb_term *terms;
  int count;
} vector;

/** Replaces a vector by its difference to another wherever that is shorter. */
static bool shorten_one(vector vectors[], int count, int k, sb_term scratch[]) {
  vector *v = &vectors[k];
  for (int other = 0; other < count; other++) {
    const vector *w = &vectors[other];
    for (int i = 0; other != k && i < v->count; i++) {
      const sb_term *at = bsearch(&v->terms[i], w->terms, (size_t)w->count, sizeof *at, by_state);
      if (at == NULL) {
        continue;
      }
      int n =
          combine(v->terms, v->count, w->terms, w->count, v->terms[i].factor / at->factor, scratch);
      if (n > 0 && n < v->count) {
        memcpy(v->terms, scratch, (size_t)n * sizeof *scratch);
        v->count = n;
        return true;
      }
    }
  }
  return false;
}

static int by_first_state(const void *a, const void *b) {
  const vector *v = a, *w = b;
  return v->terms[0].var != w->terms[0].var
             ? v->terms[0].var - w->terms[0].var
             : v->terms[v->count - 1].var - w->terms[w->count - 1].var;
}

static sb_status list_casimirs(const search *s, const sb_nullspace *space, sb_nullspace *result) {
  int total = 2 * space->first[space->count], states = s->model->network.state_count, count = 0,
      used = 0;
  vector *vectors = sb_zeroed(space->count, sizeof *vectors);
  sb_term *terms = sb_zeroed(total, sizeof *terms),
          *scratch = sb_zeroed(2 * states, sizeof *scratch);
  result->first = sb_zeroed(space->count + 1, sizeof(int));
  result->terms = sb_zeroed(total, sizeof *terms);
  bool ok = vectors != NULL && terms != NULL && scratch != NULL && result->first != NULL &&
            result->terms != NULL;
  for (int k = 0; ok && k < space->count; k++) {
    int n = pick_states(s, space, k, terms + used);
    if (n > 0) {
      vectors[count++] = (vector){terms + used, n};
      used += n;
    }
  }
  for (bool again = ok && count <= COMBINED_MAX && used <= COMBINED_TERMS_MAX; again;) {
    again = false;
    for (int k = 0; k < count; k++) {
      again = shorten_one(vectors, count, k, scratch) || again;
    }
  }
  if (ok) {
    qsort(vectors, (size_t)count, sizeof *vectors, by_first_state);
  }
  for (int k = 0; ok && k < count; k++) {
    scale(vectors[k].terms, vectors[k].count);
    memcpy(result->terms + result->term_count, vectors[k].terms,
           (size_t)vectors[k].count * sizeof *terms);
    result->term_count += vectors[k].count;
    result->first[++result->count] = result->term_count;
  }
  free(vectors);
  free(terms);
  free(scratch);
  return ok ? SB_OK : SB_ERR_MEMORY;
}

static bool search_init(search *s, const sb_model *model) {
  int base = sb_known_base(&model->network);
  *s = (search){.model = model,
                .zero = sb_zeroed(base, sizeof(char)),
                .late = sb_zeroed(base, sizeof(char)),
                .state = sb_zeroed(2 * base, sizeof(int)),
                .sign = sb_zeroed(2 * base, sizeof(double))};
  return s->zero != NULL && s->late != NULL && s->state != NULL && s->sign != NULL &&
         sb_grow(&s->first, &s->first_capacity, 1, sizeof(int));
}

sb_status sb_casimirs_find(const sb_model *model, sb_nullspace *casimirs) {
  search s;
  sb_equations eq = {0};
  sb_nullspace space = {0};
  int base = sb_known_base(&model->network);
  *casimirs = (sb_nullspace){0};
  sb_status status = search_init(&s, model) ? SB_OK : SB_ERR_MEMORY;
  status = status == SB_OK ? sb_equations_build(&model->network, model->start_modes, &eq) : status;
  if (status == SB_OK) {
    mark_ports(&s);
    s.first[0] = 0;
    status = keep_rows(&s, &eq) ? SB_OK : SB_ERR_MEMORY;
  }
  if (status == SB_OK) {
    status = sb_nullspace_find(s.rows, s.first, s.row_count, base, s.late, &space);
  }
  for (int v = 0; status == SB_OK && v < 2 * base; v++) { // what is zero stands in no row
    s.state[v] = s.zero[v / 2] ? 0 : s.state[v];
  }
  status = status == SB_OK ? list_casimirs(&s, &space, casimirs) : status;
  sb_nullspace_finish(&space);
  sb_equations_finish(&eq);
  free(s.zero);
  free(s.late);
  free(s.state);
  free(s.sign);
  free(s.rows);
  free(s.first);
  if (status != SB_OK) {
    sb_nullspace_finish(casimirs);
  }
  return status;
}
