// SPDX-License-Identifier: GPL-3.0-or-later
// Chebyshev interpolation: with m + 1 values of a smooth function at the extrema of T_m the error falls
// geometrically with m. Where a quantity is not smooth, or bends more than the state does (the current of
// a diode), the tests between the nodes tell, and the samples are evaluated one by one.
#include "core/simulation/panel_private.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/model/rhs.h"
#include "core/simulation/simulation_private.h"

enum { NODES = SB_DEGREE_MAX + 1, ROWS = NODES + 2 };
/** Where the polynomials are tested: halfway, in angle, between nodes. */
static const double tests[SB_PANEL_TESTS] = {0.0842, 0.4025, 0.7778, 0.9904};
/** Rounding of a quantity, and of its length at the nodes, relative to its largest value. */
static const double rounding = 64 * DBL_EPSILON;

bool sb_panel_init(sb_panel *panel) {
  *panel = (sb_panel){.active = false};
  return sb_interpolant_values(SB_DEGREE_MAX, &panel->polynomial);
}

void sb_panel_finish(sb_panel *panel) {
  free(panel->sampled);
  free(panel->slots);
  free(panel->values);
}

static double *row(const sb_panel *panel, int node) {
  return panel->values + (size_t)node * (size_t)panel->width;
}

static bool read_at(sb_simulation *sim, sb_panel *panel, double t, sb_panel_mover move,
                    double out[]) {
  sb_error unused;
  if (move(sim, t, &unused) != SB_OK) {
    return false;
  }
  for (int i = 0; i < panel->count; i++) {
    const sb_sampled *w = &panel->sampled[i];
    sb_quantity_read(sim->work, &w->quantity, t, sim->view_x, out + w->at);
  }
  return true;
}

static double norm_of(const double v[], int count) {
  double sum = 0;
  for (int k = 0; k < count; k++) {
    sum += v[k] * v[k];
  }
  return sqrt(sum);
}

/** A direction or a unit quaternion has the same length at all nodes, and so in between. */
static void find_norms(sb_panel *panel) {
  for (int i = 0; i < panel->count; i++) {
    sb_sampled *w = &panel->sampled[i];
    double least = HUGE_VAL, most = 0;
    for (int node = 0; node < NODES; node++) {
      double norm = norm_of(row(panel, node) + w->at, w->quantity.count);
      least = fmin(least, norm);
      most = fmax(most, norm);
    }
    bool constant = w->quantity.count > 1 && most > 0 && most - least <= rounding * most;
    w->norm = constant ? 0.5 * (least + most) : -1;
  }
}

/** x0 + sum w_j (x_j - x0) of one quantity. */
static void combine(const sb_panel *panel, const sb_sampled *w, double out[]) {
  const double *start = row(panel, 0) + w->at;
  for (int k = 0; k < w->quantity.count; k++) {
    double sum = start[k];
    for (int j = 0; j < SB_DEGREE_MAX; j++) {
      sum += panel->weight[j] * (row(panel, j + 1)[w->at + k] - start[k]);
    }
    out[k] = sum;
  }
  double norm = w->norm >= 0 ? norm_of(out, w->quantity.count) : 0;
  for (int k = 0; norm > 0 && k < w->quantity.count; k++) {
    out[k] *= w->norm / norm;
  }
}

static void go_to(sb_panel *panel, double t) {
  if (t != panel->t) {
    panel->t = t;
    sb_interpolant_weights(&panel->polynomial, (t - panel->a) / (panel->b - panel->a),
                           panel->weight);
  }
}

/** Whether the polynomials agree with the row behind the nodes. @param scratch  (width) */
static bool is_right(const sb_panel *panel, const double exact[], double scratch[], double rtol) {
  for (int i = 0; i < panel->count; i++) {
    const sb_sampled *w = &panel->sampled[i];
    double largest = 0, error = 0;
    for (int node = 0; node < NODES; node++) {
      for (int k = 0; k < w->quantity.count; k++) {
        largest = fmax(largest, fabs(row(panel, node)[w->at + k]));
      }
    }
    combine(panel, w, scratch + w->at);
    for (int k = 0; k < w->quantity.count; k++) {
      error = fmax(error, fabs(scratch[w->at + k] - exact[w->at + k]));
    }
    if (!(error <= fmax(rtol, rounding) * largest)) {
      return false;
    }
  }
  return true;
}

static bool fill(sb_simulation *sim, sb_panel *panel, sb_panel_mover move) {
  double a = panel->a, b = panel->b;
  bool ok = read_at(sim, panel, a, move, row(panel, 0));
  for (int j = 0; ok && j < SB_DEGREE_MAX; j++) {
    double t = j + 1 < SB_DEGREE_MAX ? a + panel->polynomial.place[j] * (b - a) : b;
    ok = read_at(sim, panel, t, move, row(panel, j + 1));
  }
  return ok;
}

bool sb_panel_make(sb_simulation *sim, sb_panel *panel, double a, double b, sb_panel_mover move) {
  panel->a = a;
  panel->b = b;
  panel->active = panel->count == 0; // nothing is read
  if (panel->active || !fill(sim, panel, move)) {
    return panel->active;
  }
  find_norms(panel);
  bool right = true;
  for (int k = 0; right && k < SB_PANEL_TESTS; k++) {
    double t = a + tests[k] * (b - a), *exact = row(panel, NODES);
    panel->t = NAN;
    go_to(panel, t);
    right = read_at(sim, panel, t, move, exact) &&
            is_right(panel, exact, row(panel, NODES + 1), sim->options.rtol);
  }
  panel->t = NAN;
  panel->active = right;
  return right;
}

/** All that tells a quantity from another: of one vector a component, or the axes that it is told in. */
static bool same(const sb_quantity *a, const sb_quantity *b) {
  return a->element == b->element && a->kind == b->kind && a->first == b->first &&
         a->count == b->count && a->axes == b->axes && a->only == b->only && a->of == b->of;
}

static unsigned slot_of(const sb_panel *panel, const sb_quantity *q) {
  const int parts[] = {q->element, (int)q->kind, q->first, q->axes, q->only};
  unsigned hash = 0;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    hash = (hash ^ (unsigned)parts[i]) * 2654435769U;
    hash ^= hash >> 15;
  }
  return hash & ((unsigned)panel->slot_count - 1);
}

/** The slot of a quantity in the table of open addresses, or the free one where it would be. */
static int *find_slot(const sb_panel *panel, const sb_quantity *quantity) {
  unsigned at = slot_of(panel, quantity);
  while (panel->slots[at] > 0 && !same(&panel->sampled[panel->slots[at] - 1].quantity, quantity)) {
    at = (at + 1) & ((unsigned)panel->slot_count - 1);
  }
  return &panel->slots[at];
}

/** Room for one more, at most half of the slots in use. @return false: out of memory */
static bool grow_slots(sb_panel *panel) {
  if (2 * (panel->count + 1) <= panel->slot_count) {
    return true;
  }
  const int count = panel->slot_count > 0 ? 2 * panel->slot_count : 16;
  int *slots = calloc((size_t)count, sizeof *slots);
  if (slots == NULL) {
    return false;
  }
  free(panel->slots);
  panel->slots = slots;
  panel->slot_count = count;
  for (int i = 0; i < panel->count; i++) {
    *find_slot(panel, &panel->sampled[i].quantity) = i + 1;
  }
  return true;
}

/** Samplers read the same quantities in the same order. */
static const sb_sampled *find(sb_panel *panel, const sb_quantity *quantity) {
  int k = panel->next < panel->count ? panel->next : 0;
  if (panel->count == 0) {
    return NULL;
  }
  if (!same(&panel->sampled[k].quantity, quantity)) {
    k = *find_slot(panel, quantity) - 1;
  }
  panel->next = k + 1;
  return k < 0 ? NULL : &panel->sampled[k];
}

bool sb_panel_read(sb_panel *panel, const sb_quantity *quantity, double t, double out[]) {
  const sb_sampled *w = find(panel, quantity);
  if (w == NULL) {
    // The present nodes have no values of it; where memory runs out it is never interpolated.
    sb_sampled added = {.quantity = *quantity, .at = panel->width};
    int width = panel->width + quantity->count;
    panel->active = false;
    if (width < INT32_MAX / ROWS && grow_slots(panel) &&
        sb_grow(&panel->values, &panel->value_capacity, ROWS * width, sizeof(double)) &&
        sb_append(&panel->sampled, &panel->count, &panel->capacity, sizeof added, &added)) {
      panel->width = width;
      *find_slot(panel, quantity) = panel->count;
    }
    return false;
  }
  if (!panel->active) {
    return false;
  }
  go_to(panel, t);
  combine(panel, w, out);
  return true;
}
