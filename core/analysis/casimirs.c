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

#include "core/analysis/structure_matrix_private.h"

/** Pairs of Casimirs are combined into shorter ones only for as many as these, with as many terms;
 *  factors become whole numbers by multiples up to this. */
enum { COMBINED_MAX = 200, COMBINED_TERMS_MAX = 2000, MULTIPLE_MAX = 60 };
static const double rounding = 1e-10;

typedef struct search {
  const sb_model *model;
  char *zero; // (base) variables that are zero
  char *late; // (base) outputs of storages
  sb_term
      *out; // (base x 2) by what signs storages give this variable: their states from 1; 0: none
} search;

/** A storage with hooks whose rate at the start gives back its input: xdot = u. */
static bool integrates_input(const sb_instance *instance) {
  int n = instance->components;
  const sb_storage_hooks *hooks = instance->type->storage;
  if (instance->layout.states != n || instance->wire_count > 0 || instance->mode >= 0 ||
      instance->type->state_names != NULL || hooks->rate == NULL) {
    return false;
  }
  double x[SB_DIM_MAX] = {0}, u[SB_DIM_MAX], xdot[SB_DIM_MAX];
  for (int i = 0; i < n; i++) {
    u[i] = 1.37 + 0.71 * i;
  }
  if (hooks->start != NULL) {
    hooks->start(instance->self, x);
  }
  sb_at at = {.x = x, .in = u};
  bool same = hooks->rate(instance->self, &at, xdot) == 0;
  for (int i = 0; same && i < n; i++) {
    same = xdot[i] == u[i];
  }
  return same;
}

static void mark_ports(search *s) {
  for (int i = 0; i < s->model->network.instance_count; i++) {
    const sb_instance *instance = &s->model->network.instances[i];
    bool constant = instance->type->structure != NULL && !instance->hooked;
    bool storage =
        instance->type->storage != NULL && (instance->linear || integrates_input(instance));
    for (int k = 0; !constant && k < instance->components; k++) {
      int effort = sb_effort_var(instance, k), flow = sb_flow_var(instance, k);
      bool gives_effort = instance->layout.ports[sb_port_of(instance, k)].output == SB_EFFORT;
      int output = gives_effort ? effort : flow;
      s->zero[effort] = s->zero[effort] || !storage || !gives_effort;
      s->zero[flow] = s->zero[flow] || !storage || gives_effort;
      if (storage) {
        s->late[output] = 1;
        int end = 2 * output + (s->out[2 * output].var > 0); // two storages may share a bond
        s->out[end] = (sb_term){1 + instance->state + k, gives_effort ? 1 : instance->signs[k]};
      }
    }
  }
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
      if (s->out[end].var > 0) {
        out[count++] =
            (sb_term){s->out[end].var - 1, s->out[end].factor * (double)space->terms[i].factor};
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

/** Replaces a Casimir by its difference to another wherever that is shorter. */
static bool shorten_one(sb_casimirs *all, int k, sb_term scratch[]) {
  sb_casimir *v = &all->items[k];
  for (int other = 0; other < all->count; other++) {
    const sb_casimir *w = &all->items[other];
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
  const sb_casimir *v = a, *w = b;
  return v->terms[0].var != w->terms[0].var
             ? v->terms[0].var - w->terms[0].var
             : v->terms[v->count - 1].var - w->terms[w->count - 1].var;
}

/** The vectors of the null space that have states, short and with whole numbers where possible. */
static void list_casimirs(const search *s, const sb_nullspace *space, sb_arena *memory,
                          sb_casimirs *result) {
  int total = 2 * space->first[space->count], used = 0;
  sb_term *terms = sb_arena_zeroed(memory, total, sizeof *terms);
  sb_term *scratch = sb_arena_zeroed(memory, 2 * s->model->network.state_count, sizeof *scratch);
  *result = (sb_casimirs){.items = sb_arena_zeroed(memory, space->count, sizeof *result->items)};
  if (memory->failed) {
    return;
  }
  for (int k = 0; k < space->count; k++) {
    int n = pick_states(s, space, k, terms + used);
    if (n > 0) {
      result->items[result->count++] = (sb_casimir){terms + used, n};
      used += n;
    }
  }
  for (bool again = result->count <= COMBINED_MAX && used <= COMBINED_TERMS_MAX; again;) {
    again = false;
    for (int k = 0; k < result->count; k++) {
      again = shorten_one(result, k, scratch) || again;
    }
  }
  qsort(result->items, (size_t)result->count, sizeof *result->items, by_first_state);
  for (int k = 0; k < result->count; k++) {
    scale(result->items[k].terms, result->items[k].count);
  }
}

sb_status sb_casimirs_find(const sb_model *model, sb_arena *memory, sb_casimirs *casimirs) {
  sb_equations eq = {0};
  sb_nullspace space;
  int base = sb_known_base(&model->network);
  search s = {.model = model,
              .zero = sb_arena_zeroed(memory, base, sizeof(char)),
              .late = sb_arena_zeroed(memory, base, sizeof(char)),
              .out = sb_arena_zeroed(memory, 2 * base, sizeof(sb_term))};
  if (memory->failed) {
    return SB_ERR_MEMORY;
  }
  mark_ports(&s);
  SB_TRY(sb_constant_equations(model, s.zero, &eq));
  sb_status status = sb_nullspace_find(eq.terms, eq.first, eq.row_count, base, s.late,
                                       SB_NULLSPACE_ROUNDING, memory, &space);
  for (int v = 0; v < 2 * base; v++) { // what is zero stands in no row
    s.out[v].var = s.zero[v / 2] ? 0 : s.out[v].var;
  }
  if (status == SB_OK) {
    list_casimirs(&s, &space, memory, casimirs);
  }
  sb_equations_finish(&eq);
  return memory->failed ? SB_ERR_MEMORY : status;
}
