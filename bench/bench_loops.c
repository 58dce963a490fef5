// SPDX-License-Identifier: GPL-3.0-or-later
// Mechanisms with loops: the time of one evaluation, (q, p) to velocities, multipliers and all rates, and what it is made
// of. Bricard's linkage of five rods, five rows of rank four; N + 1 uprights and N couplers of a chain of four-bars, of
// rank 2 N in 5 N rows.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/clock.h"
#include "bench/common.h"
#include "mechanism/closure.h"
#include "mechanism/dynamics.h"

enum { BARS_MAX = 40, BODIES_MAX = 2 * BARS_MAX + 1, ROUNDS = 31 };
static const double block = 2e-3; // [s]
static const sb_vec3 gravity = {0.3, -9.81, 2.1};

typedef struct mechanism {
  sb_tree *tree;
  sb_closures *closures;
  double *tree_scratch, *scratch;
  double *q, *p, *v, *rows, *bias, *vdot, *efforts, *qdot, *pdot;
  int n, rank;
} mechanism;

static sb_pose at(double x, double y, double z) {
  return (sb_pose){sb_mat3_identity(), {x, y, z}};
}

static sb_tree_body rod(int parent, sb_pose place, sb_vec3 end, sb_vec3 axis) {
  const sb_mat3 central = sb_mat3_add(sb_mat3_scale(sb_mat3_identity(), sb_vec3_dot(end, end) / 12),
                                      sb_mat3_scale(sb_mat3_outer(end, end), -1. / 12));
  return (sb_tree_body){.name = "rod",
                        .parent = parent,
                        .joint = sb_joint_find("revolute"),
                        .in_parent = place,
                        .in_body = sb_pose_identity(),
                        .axis = axis,
                        .inertia = sb_inertia_make(1, sb_vec3_scale(end, 0.5), central)};
}

static void make(mechanism *m, const sb_tree_body bodies[], int count,
                 const sb_closure_joint joints[], int joint_count) {
  sb_error err = {0};
  bench_must(sb_tree_create(bodies, count, gravity, &m->tree, NULL, &err), &err);
  bench_must(sb_closures_create(m->tree, joints, joint_count, NULL, 0, &m->closures, NULL, &err),
             &err);
  m->n = count;
  m->tree_scratch = bench_zeros(sb_tree_scratch(m->tree));
  m->scratch = bench_zeros(sb_closures_scratch(m->closures));
  m->rows = bench_zeros(sb_closures_rows(m->closures));
  double **arrays[] = {&m->q, &m->p, &m->v, &m->bias, &m->vdot, &m->efforts, &m->qdot, &m->pdot};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
    *arrays[k] = bench_zeros(count);
  }
}

static void make_bricard(mechanism *m) {
  static const sb_vec3 corner[6] = {{0, 0, 0},  {1, 0, 0},  {1, -1, 0},
                                    {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
  static const sb_vec3 axis[6] = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
  sb_tree_body bodies[5];
  for (int i = 0; i < 5; i++) {
    const sb_vec3 from = i == 0 ? corner[0] : sb_vec3_sub(corner[i], corner[i - 1]);
    bodies[i] =
        rod(i - 1, at(from.x, from.y, from.z), sb_vec3_sub(corner[i + 1], corner[i]), axis[i]);
  }
  const sb_closure_joint joint = {.name = "sixth",
                                  .joint = sb_joint_find("revolute"),
                                  .parent = SB_TREE_WORLD,
                                  .child = 4,
                                  .in_parent = at(0, 0, 1),
                                  .in_child = at(0, 1, 0),
                                  .axis = axis[5]};
  make(m, bodies, 5, &joint, 1);
}

static void make_bars(mechanism *m, int N) {
  static sb_tree_body bodies[BODIES_MAX];
  static sb_closure_joint joints[BARS_MAX];
  const sb_vec3 z = {0, 0, 1}, up = {0, 1, 0}, right = {1, 0, 0};
  for (int k = 0; k <= 2 * N; k++) {
    bodies[k] =
        k <= N ? rod(SB_TREE_WORLD, at(k, 0, 0), up, z) : rod(k - N - 1, at(0, 1, 0), right, z);
  }
  for (int k = 0; k < N; k++) {
    joints[k] = (sb_closure_joint){.name = "loop",
                                   .joint = bodies[0].joint,
                                   .parent = N + 1 + k,
                                   .child = k + 1,
                                   .in_parent = at(1, 0, 0),
                                   .in_child = at(0, 1, 0),
                                   .axis = z};
  }
  make(m, bodies, 2 * N + 1, joints, N);
  for (int k = 0; k <= 2 * N; k++) {
    m->q[k] = k <= N ? -0.4 : 0.4;
    m->v[k] = k <= N ? -1.3 : 1.3;
  }
  sb_tree_place(m->tree, m->q, m->tree_scratch);
  sb_tree_move(m->tree, m->v, m->tree_scratch, m->p);
}

static void evaluate(void *context, long calls) {
  mechanism *m = context;
  for (long i = 0; i < calls; i++) {
    sb_tree_place(m->tree, m->q, m->tree_scratch);
    (void)sb_tree_solve(m->tree, m->p, m->tree_scratch, m->v);
    m->rank =
        sb_closures_factor(m->closures, sb_closures_rows(m->closures), m->tree_scratch, m->scratch);
    sb_closures_bias(m->closures, m->tree_scratch, m->scratch, m->rows);
    sb_tree_inverse(m->tree, m->q, NULL, NULL, m->tree_scratch, m->bias);
    for (int k = 0; k < m->n; k++) {
      m->bias[k] = -m->bias[k];
    }
    sb_tree_response(m->tree, m->bias, NULL, m->tree_scratch, m->vdot, NULL);
    sb_closures_accelerate(m->closures, m->rows, m->scratch, m->vdot, m->efforts, NULL);
    sb_tree_rates(m->tree, m->q, m->efforts, NULL, m->tree_scratch, m->qdot, m->pdot);
  }
}

/** The same without loops. */
static void evaluate_tree(void *context, long calls) {
  mechanism *m = context;
  for (long i = 0; i < calls; i++) {
    sb_tree_place(m->tree, m->q, m->tree_scratch);
    (void)sb_tree_solve(m->tree, m->p, m->tree_scratch, m->v);
    sb_tree_rates(m->tree, m->q, m->efforts, NULL, m->tree_scratch, m->qdot, m->pdot);
  }
}

static void show(const char *name, mechanism *m, int rank) {
  clock_task tasks[] = {{evaluate, m, 0}, {evaluate_tree, m, 0}};
  clock_compare(tasks, 2, ROUNDS, block);
  if (m->rank != rank) {
    bench_fail("%s: rank %d, not %d", name, m->rank, rank);
  }
  printf("%-14s %6d %6d %6d %12.2f %12.2f\n", name, m->n, sb_closures_rows(m->closures), rank,
         1e6 * tasks[0].seconds, 1e6 * tasks[1].seconds);
  sb_closures_destroy(m->closures);
  sb_tree_destroy(m->tree);
  double *arrays[] = {m->tree_scratch, m->scratch, m->q,       m->p,    m->v,   m->rows,
                      m->bias,         m->vdot,    m->efforts, m->qdot, m->pdot};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
    free(arrays[k]);
  }
}

int main(void) {
  static const int counts[] = {1, 2, 10, BARS_MAX};
  mechanism m;
  printf("%-14s %6s %6s %6s %12s %12s\n", "", "bodies", "rows", "rank", "all [us]", "tree [us]");
  make_bricard(&m);
  show("Bricard", &m, 4);
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    char name[32];
    (void)snprintf(name, sizeof name, "%d four-bars", counts[i]);
    make_bars(&m, counts[i]);
    show(name, &m, 2 * counts[i]);
  }
  return 0;
}
