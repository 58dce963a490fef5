// SPDX-License-Identifier: GPL-3.0-or-later
// What the tests of closures share: a mechanism with its memory, its rates, and Runge and Kutta's method with a
// projection after each step.
#ifndef SB_TESTS_MECHANISM_LOOPS_H
#define SB_TESTS_MECHANISM_LOOPS_H

#include <stdlib.h>

#include "tests/near.h"

#include "mechanism/closure.h"
#include "mechanism/dynamics.h"

enum { LOOPS_MAX = 256 };
static const sb_vec3 origin = {0, 0, 0};

typedef struct loops loops;
struct loops {
  sb_tree *tree;
  sb_closures *closures;
  int n, nq, m, most;
  double *tree_scratch, *scratch;
  double q[LOOPS_MAX], p[LOOPS_MAX], v[LOOPS_MAX];
  double vdot[LOOPS_MAX], efforts[LOOPS_MAX], lambda[2 * LOOPS_MAX];
  double tau[LOOPS_MAX]; // given efforts
  /** Adds wrenches on the bodies; NULL: none. */
  void (*load)(const loops *l, sb_wrench wrenches[]);
};

static inline void loops_finish(loops *l) {
  sb_closures_destroy(l->closures);
  sb_tree_destroy(l->tree);
  free(l->tree_scratch);
  free(l->scratch);
}

/** At rest, every coordinate where the joint is not moved. */
static inline void loops_make(loops *l, const sb_tree_body bodies[], int count, sb_vec3 gravity,
                              const sb_closure_joint joints[], int joint_count,
                              const sb_coupling couplings[], int coupling_count) {
  sb_error err = {0};
  memset(l, 0, sizeof *l);
  ok(sb_tree_create(bodies, count, gravity, &l->tree, NULL, &err), &err);
  ok(sb_closures_create(l->tree, joints, joint_count, couplings, coupling_count, &l->closures, NULL,
                        &err),
     &err);
  l->n = sb_tree_velocities(l->tree);
  l->nq = sb_tree_coordinates(l->tree);
  l->m = l->most = sb_closures_rows(l->closures);
  assert_true(l->nq < LOOPS_MAX && l->m < 2 * LOOPS_MAX);
  l->tree_scratch = calloc((size_t)sb_tree_scratch(l->tree), sizeof(double));
  l->scratch = calloc((size_t)sb_closures_scratch(l->closures), sizeof(double));
  for (int i = 0; i < count; i++) {
    const sb_tree_joint at = sb_tree_joint_of(l->tree, i);
    sb_joint_rest(at.kind, l->q + at.coordinate);
  }
}

/** All of a state: v, vdot, efforts, lambda, and the rates. Returns the rank. */
static inline int loops_rates(loops *l, const double q[], const double p[], double qdot[],
                              double pdot[]) {
  double bias[LOOPS_MAX], rows[2 * LOOPS_MAX], all[LOOPS_MAX];
  sb_wrench wrenches[LOOPS_MAX] = {{{0, 0, 0}, {0, 0, 0}}};
  sb_tree_place(l->tree, q, l->tree_scratch);
  assert_int_equal(sb_tree_solve(l->tree, p, l->tree_scratch, l->v), 0);
  const int rank = sb_closures_factor(l->closures, l->most, l->tree_scratch, l->scratch);
  sb_closures_bias(l->closures, l->tree_scratch, l->scratch, rows);
  if (l->load != NULL) {
    l->load(l, wrenches);
  }
  sb_tree_inverse(l->tree, q, NULL, wrenches, l->tree_scratch, bias);
  for (int i = 0; i < l->n; i++) {
    bias[i] = l->tau[i] - bias[i];
  }
  sb_tree_response(l->tree, bias, NULL, l->tree_scratch, l->vdot, NULL);
  sb_closures_accelerate(l->closures, rows, l->scratch, l->vdot, l->efforts, l->lambda);
  for (int i = 0; i < l->n; i++) {
    all[i] = l->tau[i] + l->efforts[i];
  }
  sb_tree_rates(l->tree, q, all, wrenches, l->tree_scratch, qdot, pdot);
  return rank;
}

static inline double loops_energy(loops *l) {
  double v[LOOPS_MAX];
  sb_tree_place(l->tree, l->q, l->tree_scratch);
  assert_int_equal(sb_tree_solve(l->tree, l->p, l->tree_scratch, v), 0);
  return sb_tree_kinetic(l->tree, l->p, v) +
         sb_tree_potential(l->tree, l->q, l->tree_scratch, NULL, NULL);
}

/** Sets p to go with v. */
static inline void loops_move(loops *l, const double v[]) {
  sb_tree_place(l->tree, l->q, l->tree_scratch);
  sb_tree_move(l->tree, v, l->tree_scratch, l->p);
}

/** A step of the classical method; q and p stand in one array. */
static inline void loops_step(loops *l, double h) {
  static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
  double rate[2 * LOOPS_MAX] = {0}, sum[2 * LOOPS_MAX] = {0}, at[2 * LOOPS_MAX];
  for (int s = 0; s < 4; s++) {
    for (int i = 0; i < l->nq + l->n; i++) {
      at[i] = (i < l->nq ? l->q[i] : l->p[i - l->nq]) + part[s] * h * rate[i];
    }
    (void)loops_rates(l, at, at + l->nq, rate, rate + l->nq);
    for (int i = 0; i < l->nq + l->n; i++) {
      sum[i] += weight[s] * rate[i];
    }
  }
  for (int i = 0; i < l->nq; i++) {
    l->q[i] += h * sum[i];
  }
  for (int i = 0; i < l->n; i++) {
    l->p[i] += h * sum[l->nq + i];
  }
}

/** Steps to the time t, each followed by a projection. Returns the largest gap that was left [m]. */
static inline double loops_run(loops *l, double t, int steps) {
  double most = 0;
  for (int i = 0; i < steps; i++) {
    loops_step(l, t / steps);
    most = fmax(most, sb_closures_close(l->closures, l->most, l->q, l->p, origin, l->v,
                                        l->tree_scratch, l->scratch));
  }
  return most;
}

#endif
