// SPDX-License-Identifier: GPL-3.0-or-later
// What floats or slides is stepped in the momenta that an observer sees who goes along (mechanism/boost.h): those in the world have truncation errors in
// proportion to the common velocity, and it took 863 steps at 100 m/s for 202 at rest.
// Long chains are stepped in velocities: what a method leaves of q within its stages would reach them, v = M(q)^-1 p, by
// the condition number of M, which grows as the fourth power of the links. z = (q, m v) with the diagonal m of M where
// steps begin.
#include <float.h>
#include <math.h>

#include "mechanism/boost.h"
#include "mechanism/dynamics.h"
#include "mechanism/loads.h"
#include "mechanism/mechanism_private.h"

enum { LONG = 16 }; // links, one behind the other

static bool is_long(const void *self) {
  const sb_linkage *l = sb_linkage_of(self);
  return l->closures == NULL && l->depth >= LONG;
}

/** Loops that are closed by the world hold what floats. */
static bool drifts(const sb_linkage *l) {
  bool free = sb_tree_drifts(l->tree);
  for (int k = 0; k < l->closing_count; k++) {
    const sb_mechanism_joint *joint = l->mechanism->joints[l->closing[k]];
    free = free && joint->parent >= 0 && joint->child >= 0;
  }
  return free;
}

static bool serves(const void *self) {
  return is_long(self) || drifts(sb_linkage_of(self));
}

/** What the momenta p have of the common velocity, or are to have, as V is the same. */
static const double *boost_of(const sb_linkage *l, const sb_at *at) {
  double *scratch = at->own + l->scratch.other, *g = scratch + sb_tree_scratch(l->tree);
  sb_tree_place(l->tree, at->x, scratch);
  sb_tree_boost(l->tree, at->x + l->coordinates, scratch, g);
  return g;
}

static void add(const sb_linkage *l, double sign, const double g[], double x[]) {
  for (int i = 0; i < l->velocities; i++) {
    x[l->coordinates + i] += sign * g[i];
  }
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
  if (!is_long(self)) {
    return 0; // no rate has more rounding
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
  if (!is_long(self)) {
    add(l, -1, boost_of(l, at), z);
    return 0;
  }
  const double *v = sb_linkage_solve_beside(self, at);
  for (int i = l->coordinates; i < l->coordinates + l->velocities && v != NULL; i++) {
    z[i] = scale[i] * v[i - l->coordinates];
  }
  return v == NULL ? -1 : 0;
}

static void chart_leave(const void *self, const sb_at *at, const double scale[], double x[]) {
  const sb_linkage *l = sb_linkage_of(self);
  double *scratch = at->own + l->scratch.other, *v = scratch + sb_tree_scratch(l->tree);
  if (!is_long(self)) {
    add(l, 1, boost_of(l, at), x);
    return;
  }
  for (int i = 0; i < l->velocities; i++) {
    v[i] = at->x[l->coordinates + i] / scale[l->coordinates + i];
  }
  sb_tree_place(l->tree, at->x, scratch);
  sb_tree_move(l->tree, v, scratch, x + l->coordinates);
}

static int chart_rates(const void *self, const sb_at *at, const double scale[], double zdot[]) {
  const sb_linkage *l = sb_linkage_of(self);
  double *dv = at->own + l->scratch.dv;
  if (!is_long(self)) {
    sb_tree_boost_rate(l->tree, at->x + l->coordinates, zdot + l->coordinates,
                       at->own + l->scratch.tree, dv);
    add(l, -1, dv, zdot);
    return 0;
  }
  sb_linkage_accelerate(l, at, sb_linkage_take_ports(l, at, at->in), at->own + l->scratch.tree,
                        at->own + l->scratch.closures, NULL);
  for (int i = l->coordinates; i < l->coordinates + l->velocities; i++) {
    zdot[i] = scale[i] * dv[i - l->coordinates];
  }
  return 0;
}

const sb_storage_chart sb_linkage_chart = {serves, chart_scale, chart_enter, chart_leave,
                                           chart_rates};
