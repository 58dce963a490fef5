// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of closures of all kinds in random trees: against differences of the residual along motions, and what is solved
// with them against the equations that have but one solution.
#include "mechanism/closure.h"
#include "tests/mechanism/specimen.h"

enum { ROWS_MAX = 24, KINDS = 9 };

typedef struct rows_of_kind {
  const char *name;
  int rows;
} rows_of_kind;
static const rows_of_kind kinds[KINDS] = {{"revolute", 5},    {"prismatic", 5}, {"helical", 5},
                                          {"cylindrical", 4}, {"universal", 4}, {"spherical", 3},
                                          {"planar", 3},      {"free", 0},      {"fixed", 6}};

/** A closure of a kind that is closed where the specimen is. */
static sb_closure_joint closed_joint(const specimen *s, const char *kind, int parent, int child) {
  const sb_tree_body drawn = uniform_body(kind, parent);
  double q[SB_JOINT_COORDINATES];
  for (int i = 0; i < SB_JOINT_COORDINATES; i++) {
    q[i] = uniform(-0.9, 0.9);
  }
  sb_pose at = parent < 0 ? sb_pose_identity() : sb_tree_pose(s->tree, s->scratch, parent);
  at = sb_pose_compose(sb_pose_compose(at, drawn.in_parent), joint_motion(&drawn, q));
  const sb_pose body = child < 0 ? sb_pose_identity() : sb_tree_pose(s->tree, s->scratch, child);
  return (sb_closure_joint){.name = kind,
                            .joint = drawn.joint,
                            .parent = parent,
                            .child = child,
                            .in_parent = drawn.in_parent,
                            .in_child = sb_pose_compose(sb_pose_inverse(body), at),
                            .axis = drawn.axis,
                            .second = drawn.second,
                            .pitch = drawn.pitch};
}

typedef struct closed_specimen {
  specimen s;
  sb_closures *closures;
  double *scratch;
  int m;
} closed_specimen;

/** A random tree with joints between random bodies, the last one twice, and a coupling. */
static void draw(closed_specimen *c, int bodies, const char *const names[], int count) {
  sb_closure_joint joints[8];
  sb_coupling_term terms[2] = {{0, 0.7}, {0, -1.9}};
  sb_coupling coupling = {"gear", terms, 2, 0};
  sb_error err = {0};
  static const char *const lines[] = {"revolute", "helical",   "cylindrical", "prismatic",
                                      "planar",   "universal", "spherical"};
  specimen_draw(&c->s, bodies, lines, 7);
  int last = -1;
  for (int i = 0; i < bodies; i++) { // lines only, of the first and the last joint that has any
    const sb_tree_joint at = sb_tree_joint_of(c->s.tree, i);
    if (at.coordinates == at.velocities) {
      terms[0].velocity = last < 0 ? at.velocity : terms[0].velocity;
      terms[1].velocity = at.velocity;
      coupling.value = 0.7 * c->s.q[sb_tree_joint_of(c->s.tree, last < 0 ? i : last).coordinate] -
                       1.9 * c->s.q[at.coordinate];
      last = last < 0 ? i : last;
    }
  }
  for (int i = 0; i < count; i++) {
    const int child = (int)floor(uniform(0, bodies - 1e-9));
    const int parent =
        (child + bodies - 1 - (int)floor(uniform(0, bodies - 1e-9))) % (bodies + 1) - 1;
    joints[i] = closed_joint(&c->s, names[i], parent == child ? SB_TREE_WORLD : parent, child);
  }
  joints[count] = joints[count - 1];
  ok(sb_closures_create(c->s.tree, joints, count + 1, &coupling, last < 0 ? 0 : 1, &c->closures,
                        NULL, &err),
     &err);
  c->m = sb_closures_rows(c->closures);
  c->scratch = calloc((size_t)sb_closures_scratch(c->closures), sizeof(double));
  assert_int_equal(sb_tree_solve(c->s.tree, c->s.p, c->s.scratch, c->s.v), 0);
}

static void finish(closed_specimen *c) {
  sb_closures_destroy(c->closures);
  free(c->scratch);
  specimen_finish(&c->s);
}

/** q and the rest of the state a time h later, with v as it is. */
static void place_later(specimen *s, double h) {
  double q[COORDINATES_MAX];
  memcpy(q, s->q, sizeof q);
  sb_tree_place(s->tree, s->q, s->scratch);
  sb_tree_move(s->tree, s->v, s->scratch, s->p);
  for (int step = 0; step < 4; step++) { // Runge and Kutta's method, for free turns
    static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
    double at[COORDINATES_MAX];
    for (int i = 0; i < s->nq; i++) {
      at[i] = s->q[i] + part[step] * h * (step == 0 ? 0 : s->qdot[i]);
    }
    sb_tree_rates(s->tree, at, NULL, NULL, s->scratch, s->qdot, s->pdot);
    for (int i = 0; i < s->nq; i++) {
      q[i] += weight[step] * h * s->qdot[i];
    }
  }
  sb_tree_place(s->tree, q, s->scratch);
  sb_tree_move(s->tree, s->v, s->scratch, s->p);
  memcpy(s->qdot, q, sizeof q);
}

static void rates_of_the_residual_are_the_rows(void **state) {
  (void)state;
  const double h = 1e-5;
  for (int t = 0; t < (THOROUGH ? 20 : 2) * KINDS; t++) {
    closed_specimen c;
    double J[ROWS_MAX * VELOCITIES_MAX], now[ROWS_MAX], after[ROWS_MAX], before[ROWS_MAX];
    const char *name = kinds[t % KINDS].name;
    draw(&c, 3 + t % 7, &name, 1);
    assert_int_equal(sb_closures_first_row(c.closures, 1), kinds[t % KINDS].rows);
    sb_closures_residual(c.closures, c.s.q, c.s.scratch, now);
    sb_closures_jacobian(c.closures, c.s.scratch, J);
    place_later(&c.s, h);
    sb_closures_residual(c.closures, c.s.qdot, c.s.scratch, after);
    place_later(&c.s, -h);
    sb_closures_residual(c.closures, c.s.qdot, c.s.scratch, before);
    for (int i = 0; i < c.m; i++) {
      double rate = 0;
      for (int k = 0; k < c.s.n; k++) {
        rate += J[i * c.s.n + k] * c.s.v[k];
      }
      assert_near(now[i], 0, 1e-14);
      assert_near((after[i] - before[i]) / (2 * h), rate, 1e-7);
    }
    finish(&c);
  }
}

/** Also off the closed positions. */
static void bias_is_the_rate_of_the_rows(void **state) {
  (void)state;
  const double h = 1e-5;
  for (int t = 0; t < (THOROUGH ? 20 : 2) * KINDS; t++) {
    closed_specimen c;
    double J[2][ROWS_MAX * VELOCITIES_MAX], bias[ROWS_MAX];
    const char *name = kinds[t % KINDS].name;
    draw(&c, 3 + t % 7, &name, 1);
    place_later(&c.s, 0.3);
    memcpy(c.s.q, c.s.qdot, sizeof c.s.q);
    sb_closures_bias(c.closures, c.s.scratch, c.scratch, bias);
    for (int side = 0; side < 2; side++) {
      place_later(&c.s, side == 0 ? h : -h);
      sb_closures_jacobian(c.closures, c.s.scratch, J[side]);
    }
    for (int i = 0; i < c.m; i++) {
      double rate = 0;
      for (int k = 0; k < c.s.n; k++) {
        rate += (J[0][i * c.s.n + k] - J[1][i * c.s.n + k]) / (2 * h) * c.s.v[k];
      }
      assert_near(bias[i], rate, 1e-6);
    }
    finish(&c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rates_of_the_residual_are_the_rows),
      cmocka_unit_test(bias_is_the_rate_of_the_rows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
