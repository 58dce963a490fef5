// SPDX-License-Identifier: GPL-3.0-or-later
// Chains of revolute joints in space, about axes that alternate: the time of one evaluation, (q, p) to velocities, twists,
// qdot and pdot, per link, beside a textbook articulated-body recursion written by hand for this chain alone, (q, v) to
// dv/dt. Fails if both disagree about dv/dt.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/aba.h"
#include "bench/clock.h"
#include "bench/common.h"
#include "mechanism/dynamics.h"

enum { LINKS_MAX = 1000, ROUNDS = 31 };
static const double block = 2e-3; // [s]

typedef struct chain {
  int count;
  sb_tree *tree;
  double *scratch;
  aba_link *links;
  aba_work *work;
  sb_vec3 g;
  double *q, *v, *p, *out, *qdot, *pdot, *vdot; // (count)
  sb_twist *twists;
} chain;

/** The same chain for both: uniform rods of 1/n m and 1/n kg along x, axes z and y in turn. */
static void make(chain *c, int count) {
  static sb_tree_body body[LINKS_MAX];
  const double length = 1. / count, mass = 1. / count, j = mass * length * length / 12;
  const sb_inertia rod =
      sb_inertia_make(mass, (sb_vec3){length / 2, 0, 0}, sb_mat3_diag((sb_vec3){j / 100, j, j}));
  // the link's frame has z along the joint's axis: (x, y, z) or, about y, (x, -z, y)
  const sb_pose level = sb_pose_identity(),
                upright = {{{{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}}, {0, 0, 0}};
  *c = (chain){.count = count, .g = {0.3, -9.81, 2.1}};
  c->links = calloc((size_t)count, sizeof *c->links);
  c->work = calloc((size_t)count, sizeof *c->work);
  c->twists = calloc((size_t)count, sizeof *c->twists);
  for (int i = 0; i < count; i++) {
    const bool about_y = i % 2 == 1;
    const sb_vec3 at = {i > 0 ? length : 0, 0, 0};
    body[i] = (sb_tree_body){.name = "rod",
                             .parent = i - 1,
                             .joint = sb_joint_find("revolute"),
                             .in_parent = {level.rotation, at},
                             .in_body = level,
                             .axis = {0, about_y, !about_y},
                             .inertia = rod};
    const sb_pose own = about_y ? upright : level, before = about_y ? level : upright;
    const sb_inertia turned =
        sb_inertia_transform((sb_pose){sb_mat3_transpose(own.rotation), {0, 0, 0}}, rod);
    const sb_mat3 J = turned.second,
                  tree = sb_mat3_mul(sb_mat3_transpose(before.rotation), own.rotation);
    c->links[i] = (aba_link){i > 0 ? tree : own.rotation,
                             at,
                             mass,
                             turned.first,
                             {J.m[0][0], J.m[1][1], J.m[2][2], J.m[0][1], J.m[0][2], J.m[1][2]}};
  }
  sb_error err = {0};
  bench_must(sb_tree_create(body, count, c->g, &c->tree, NULL, &err), &err);
  c->scratch = bench_zeros(sb_tree_scratch(c->tree));
  double **arrays[] = {&c->q, &c->v, &c->p, &c->out, &c->qdot, &c->pdot, &c->vdot};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
    *arrays[k] = bench_zeros(count);
  }
  for (int i = 0; i < count; i++) {
    c->q[i] = 0.4 * sin(2.385 * i);
    c->v[i] = cos(1.7 * i);
  }
  sb_tree_place(c->tree, c->q, c->scratch);
  sb_tree_move(c->tree, c->v, c->scratch, c->p);
}

static void finish(chain *c) {
  sb_tree_destroy(c->tree);
  double *arrays[] = {c->scratch, c->q, c->v, c->p, c->out, c->qdot, c->pdot, c->vdot};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
    free(arrays[k]);
  }
  free(c->links);
  free(c->work);
  free(c->twists);
}

static void by_us(void *context, long calls) {
  chain *c = context;
  for (long k = 0; k < calls; k++) {
    sb_tree_place(c->tree, c->q, c->scratch);
    (void)sb_tree_solve(c->tree, c->p, c->scratch, c->out);
    for (int i = 0; i < c->count; i++) {
      c->twists[i] = sb_tree_twist(c->tree, c->scratch, i);
    }
    sb_tree_rates(c->tree, c->q, NULL, NULL, c->scratch, c->qdot, c->pdot);
  }
}

static void by_hand(void *context, long calls) {
  chain *c = context;
  for (long k = 0; k < calls; k++) {
    aba_run(c->links, c->count, c->g, c->q, c->v, c->work, c->vdot);
  }
}

/** dv/dt of ours is the response to minus the bias. */
static void compare(chain *c) {
  double *bias = bench_zeros(c->count), size = 0, apart = 0;
  by_us(c, 1);
  by_hand(c, 1);
  sb_tree_inverse(c->tree, c->q, NULL, NULL, c->scratch, bias);
  for (int i = 0; i < c->count; i++) {
    bias[i] = -bias[i];
  }
  sb_tree_response(c->tree, bias, NULL, c->scratch, c->out, NULL);
  for (int i = 0; i < c->count; i++) {
    size = fmax(size, fabs(c->vdot[i]));
    apart = fmax(apart, fabs(c->vdot[i] - c->out[i]));
  }
  free(bias);
  if (!(apart <= 1e-7 * size)) {
    bench_fail("%d links: dv/dt differs by %g of %g\n", c->count, apart, size);
  }
}

int main(void) {
  double first = 0;
  printf("%8s %14s %14s %8s %8s\n", "links", "ours [us]", "by hand [us]", "ratio", "flat");
  for (int count = 10; count <= LINKS_MAX; count *= 10) {
    chain c;
    make(&c, count);
    compare(&c);
    clock_task tasks[] = {{by_us, &c, 0}, {by_hand, &c, 0}};
    clock_compare(tasks, 2, ROUNDS, block);
    const double ours = 1e6 * tasks[0].seconds / count, hand = 1e6 * tasks[1].seconds / count;
    first = first > 0 ? first : ours;
    printf("%8d %14.4f %14.4f %8.2f %8.2f\n", count, ours, hand, ours / hand, ours / first);
    finish(&c);
  }
  return 0;
}
