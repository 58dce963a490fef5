// SPDX-License-Identifier: GPL-3.0-or-later
// Long chains are stepped in velocities: what a method leaves of q within its stages would reach them, v = M(q)^-1 p, by
// the condition number of M, which grows as the fourth power of the links. z = (q, m v) with the diagonal m of M where
// steps begin.
#include <float.h>
#include <math.h>

#include "mechanism/dynamics.h"
#include "mechanism/loads.h"
#include "mechanism/mechanism_private.h"

enum { LONG = 16 }; // links, one behind the other

static bool is_long(const void *self) {
  const sb_linkage *l = sb_linkage_of(self);
  return l->closures == NULL && l->depth >= LONG;
}

/** M_ii (M^-1)_ii of the joint that moves most: forces are rounded by what moves all that is behind it, and it alone by them. */
static double chart_scale(const void *self, const sb_at *at, double scale[]) {
  const sb_linkage *l = sb_linkage_of(self);
  double *scratch = at->own + l->scratch.other, *v = sb_linkage_solve_beside(self, at),
         *unit = at->own + l->scratch.efforts, *m = scale + l->coordinates;
  int most = 0;
  if (v == NULL) {
    return HUGE_VAL;
  }
  sb_tree_diagonal(l->tree, scratch, m);
  for (int i = 0; i < l->velocities; i++) {
    most = m[i] > m[most] ? i : most;
    unit[i] = 0;
  }
  unit[most] = 1;
  sb_tree_response(l->tree, unit, NULL, scratch, v, NULL);
  return DBL_EPSILON * m[most] * v[most];
}

static int chart_enter(const void *self, const sb_at *at, const double scale[], double z[]) {
  const sb_linkage *l = sb_linkage_of(self);
  const double *v = sb_linkage_solve_beside(self, at);
  for (int i = l->coordinates; i < l->coordinates + l->velocities && v != NULL; i++) {
    z[i] = scale[i] * v[i - l->coordinates];
  }
  return v == NULL ? -1 : 0;
}

static void chart_leave(const void *self, const sb_at *at, const double scale[], double x[]) {
  const sb_linkage *l = sb_linkage_of(self);
  double *scratch = at->own + l->scratch.other, *v = scratch + sb_tree_scratch(l->tree);
  for (int i = 0; i < l->velocities; i++) {
    v[i] = at->x[l->coordinates + i] / scale[l->coordinates + i];
  }
  sb_tree_place(l->tree, at->x, scratch);
  sb_tree_move(l->tree, v, scratch, x + l->coordinates);
}

static int chart_rates(const void *self, const sb_at *at, const double scale[], double zdot[]) {
  const sb_linkage *l = sb_linkage_of(self);
  const double *dv = at->own + l->scratch.dv;
  sb_linkage_accelerate(l, at, sb_linkage_take_ports(l, at, at->in), at->own + l->scratch.tree,
                        at->own + l->scratch.closures, NULL);
  for (int i = l->coordinates; i < l->coordinates + l->velocities; i++) {
    zdot[i] = scale[i] * dv[i - l->coordinates];
  }
  return 0;
}

const sb_storage_chart sb_linkage_chart = {is_long, chart_scale, chart_enter, chart_leave,
                                           chart_rates};
