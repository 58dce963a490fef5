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
  for (int t = 0; t < (PLAIN ? 20 : 2) * KINDS; t++) {
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
  for (int t = 0; t < (PLAIN ? 20 : 2) * KINDS; t++) {
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

/** What a closed specimen is to obey: its M and J, by the recursions. */
typedef struct dense {
  double M[VELOCITIES_MAX * VELOCITIES_MAX], J[ROWS_MAX * VELOCITIES_MAX];
} dense;

static void read_dense(closed_specimen *c, dense *d) {
  sb_tree_mass_matrix(c->s.tree, c->s.scratch, d->M);
  sb_closures_jacobian(c->closures, c->s.scratch, d->J);
}

/** M x, J x or J^T x. */
static void times(const double A[], int rows, int columns, const double x[], double y[]) {
  for (int i = 0; i < rows; i++) {
    y[i] = 0;
    for (int k = 0; k < columns; k++) {
      y[i] += A[i * columns + k] * x[k];
    }
  }
}
static void times_transposed(const double A[], int rows, int columns, const double x[],
                             double y[]) {
  for (int k = 0; k < columns; k++) {
    y[k] = 0;
    for (int i = 0; i < rows; i++) {
      y[k] += A[i * columns + k] * x[i];
    }
  }
}

static void assert_all_near(const double x[], const double y[], int count, double tolerance) {
  for (int i = 0; i < count; i++) {
    assert_near(x[i], y == NULL ? 0 : y[i], tolerance);
  }
}

static void draw_pair(closed_specimen *c, int t) {
  const char *names[2] = {kinds[t % KINDS].name, kinds[(t / KINDS + t) % KINDS].name};
  draw(c, 4 + t % 9, names, 2);
}

/** Of all (vdot, lambda) with M (vdot - free) = J^T lambda and J vdot + bias = 0, the equations tell whether it is
 *  one; and of lambdas that do the same, the joint that stands there twice takes the same twice. */
static void accelerations_obey_the_equations(void **state) {
  (void)state;
  static dense d;
  for (int t = 0; t < (PLAIN ? 120 : 20); t++) {
    closed_specimen c;
    double bias[ROWS_MAX], lambda[ROWS_MAX], sum[ROWS_MAX], free[VELOCITIES_MAX];
    double vdot[VELOCITIES_MAX], efforts[VELOCITIES_MAX], other[VELOCITIES_MAX];
    draw_pair(&c, t);
    read_dense(&c, &d);
    const int rank = sb_closures_factor(c.closures, c.m, c.s.scratch, c.scratch);
    const int first = sb_closures_first_row(c.closures, 1),
              twin = sb_closures_first_row(c.closures, 2),
              end = sb_closures_first_row(c.closures, 3);
    assert_true(rank <= c.m - (end - twin) && rank <= c.s.n);
    if (rank == c.s.n) { // nothing moves: the bias of an impossible motion has no answer
      finish(&c);
      continue;
    }
    sb_closures_project(c.closures, c.scratch, c.s.v, NULL, NULL);
    sb_tree_move(c.s.tree, c.s.v, c.s.scratch, NULL);
    sb_closures_bias(c.closures, c.s.scratch, c.scratch, bias);
    sb_tree_response(c.s.tree, c.s.tau, c.s.wrench, c.s.scratch, free, NULL);
    memcpy(vdot, free, sizeof vdot);
    sb_closures_accelerate(c.closures, bias, c.scratch, vdot, efforts, lambda);
    times(d.J, c.m, c.s.n, vdot, sum);
    const double size = 1 + largest(bias, c.m) + largest(vdot, c.s.n) + largest(free, c.s.n);
    for (int i = 0; i < c.m; i++) {
      assert_near(sum[i] + bias[i], 0, 1e-9 * size);
    }
    times_transposed(d.J, c.m, c.s.n, lambda, other);
    assert_all_near(efforts, other, c.s.n, 1e-9 * (1 + largest(efforts, c.s.n)));
    for (int k = 0; k < c.s.n; k++) {
      free[k] = vdot[k] - free[k];
    }
    times(d.M, c.s.n, c.s.n, free, other);
    assert_all_near(efforts, other, c.s.n, 1e-9 * (1 + largest(efforts, c.s.n)));
    for (int i = 0; i < twin - first; i++) {
      assert_near(lambda[first + i], lambda[twin + i], 1e-9 * (1 + largest(lambda, c.m)));
    }
    finish(&c);
  }
}

/** M (v+ - v) = J^T mu, J v+ = 0; the loss of energy is that of the jump. */
static void impacts_obey_the_equations(void **state) {
  (void)state;
  static dense d;
  for (int t = 0; t < (PLAIN ? 120 : 20); t++) {
    closed_specimen c;
    double mu[ROWS_MAX], sum[ROWS_MAX], v[VELOCITIES_MAX], p[VELOCITIES_MAX], other[VELOCITIES_MAX];
    draw_pair(&c, t);
    read_dense(&c, &d);
    (void)sb_closures_factor(c.closures, c.m, c.s.scratch, c.scratch);
    memcpy(v, c.s.v, sizeof v);
    memcpy(p, c.s.p, sizeof p);
    const double before = sb_tree_kinetic(c.s.tree, p, v);
    sb_closures_project(c.closures, c.scratch, v, p, mu);
    times(d.J, c.m, c.s.n, v, sum);
    assert_all_near(sum, NULL, c.m, 1e-10 * (1 + largest(c.s.v, c.s.n)));
    times(d.M, c.s.n, c.s.n, v, other);
    assert_all_near(p, other, c.s.n, 1e-10 * largest(c.s.p, c.s.n));
    times_transposed(d.J, c.m, c.s.n, mu, other);
    for (int k = 0; k < c.s.n; k++) {
      assert_near(p[k] - c.s.p[k], other[k], 1e-9 * largest(c.s.p, c.s.n));
      v[k] = c.s.v[k] - v[k];
      p[k] = c.s.p[k] - p[k];
    }
    double after = 0; // the energy of what is left, by v.p of the sum of orthogonal parts
    for (int k = 0; k < c.s.n; k++) {
      after += (c.s.v[k] - v[k]) * (c.s.p[k] - p[k]) / 2;
    }
    assert_near(before - after, sb_tree_kinetic(c.s.tree, p, v), 1e-10 * before);
    finish(&c);
  }
}

/** dv = N M^-1 f is symmetric in loads, keeps J dv = 0, and feels nothing of what J^T does. */
static void responses_are_symmetric_and_keep_the_loops_closed(void **state) {
  (void)state;
  static dense d;
  static double N[VELOCITIES_MAX][VELOCITIES_MAX];
  for (int t = 0; t < (PLAIN ? 40 : 8); t++) {
    closed_specimen c;
    double sum[ROWS_MAX], dv[VELOCITIES_MAX];
    sb_twist dtwists[BODIES_MAX];
    draw_pair(&c, t);
    read_dense(&c, &d);
    const int n = c.s.n;
    (void)sb_closures_factor(c.closures, c.m, c.s.scratch, c.scratch);
    double size = 0;
    for (int k = 0; k < n; k++) {
      double unit[VELOCITIES_MAX] = {0};
      unit[k] = 1;
      sb_closures_response(c.closures, unit, NULL, c.s.scratch, c.scratch, N[k], dtwists);
      times(d.J, c.m, n, N[k], sum);
      size = fmax(size, largest(N[k], n));
      assert_all_near(sum, NULL, c.m, 1e-10 * (1 + size));
    }
    for (int k = 0; k < n * n; k++) {
      assert_near(N[k / n][k % n], N[k % n][k / n], 1e-10 * (1 + size));
    }
    for (int i = 0; i < c.m; i++) {
      sb_closures_response(c.closures, &d.J[i * n], NULL, c.s.scratch, c.scratch, dv, NULL);
      assert_all_near(dv, NULL, n, 1e-10 * (1 + size));
    }
    sb_closures_response(c.closures, NULL, c.s.wrench, c.s.scratch, c.scratch, dv, dtwists);
    sb_tree_move(c.s.tree, dv, c.s.scratch, NULL);
    for (int i = 0; i < c.s.count; i++) {
      const sb_twist less = sb_twist_sub(dtwists[i], sb_tree_twist(c.s.tree, c.s.scratch, i));
      assert_near(sb_vec3_norm(less.angular) + sb_vec3_norm(less.linear), 0, 1e-10 * (1 + size));
    }
    finish(&c);
  }
}

/** The wrenches of the joints do along all velocities what J^T lambda does. */
static void wrenches_do_what_the_multipliers_do(void **state) {
  (void)state;
  static dense d;
  for (int t = 0; t < (PLAIN ? 40 : 8); t++) {
    closed_specimen c;
    double lambda[ROWS_MAX], efforts[VELOCITIES_MAX], by_wrenches[VELOCITIES_MAX],
        without[VELOCITIES_MAX];
    sb_wrench bodies[BODIES_MAX] = {{{0, 0, 0}, {0, 0, 0}}}, joints[3];
    draw_pair(&c, t);
    read_dense(&c, &d);
    const int end = sb_closures_first_row(c.closures, 3);
    for (int i = 0; i < c.m; i++) {
      lambda[i] = i < end ? uniform(-2, 2) : 0;
    }
    times_transposed(d.J, c.m, c.s.n, lambda, efforts);
    sb_closures_wrenches(c.closures, c.s.scratch, lambda, bodies, joints);
    sb_tree_inverse(c.s.tree, c.s.q, NULL, NULL, c.s.scratch, without);
    sb_tree_inverse(c.s.tree, c.s.q, NULL, bodies, c.s.scratch, by_wrenches);
    for (int k = 0; k < c.s.n; k++) {
      assert_near(without[k] - by_wrenches[k], efforts[k], 1e-11 * (1 + largest(without, c.s.n)));
    }
    finish(&c);
  }
}

static void check_refused(const sb_tree *tree, const sb_closure_joint *joint,
                          const sb_coupling *coupling, sb_status status, int place,
                          const char *text) {
  sb_error err = {0};
  sb_closures *closures = NULL;
  int faulty = -1;
  sb_closure_joint joints[2];
  sb_coupling couplings[1];
  int count = 0;
  if (joint != NULL) {
    joints[0] = *joint, joints[1] = *joint;
    joints[0].parent = SB_TREE_WORLD, joints[0].child = 0, joints[0].axis = (sb_vec3){0, 0, 1};
    joints[0].second = (sb_vec3){0, 0, 0};
    count = 2;
  }
  if (coupling != NULL) {
    couplings[0] = *coupling;
  }
  assert_int_equal(sb_closures_create(tree, joints, count, couplings, coupling != NULL, &closures,
                                      &faulty, &err),
                   status);
  assert_null(closures);
  assert_int_equal(faulty, place);
  assert_string_equal(err.text, text);
}

static void closures_that_make_no_sense_are_refused(void **state) {
  (void)state;
  static const char *const spheres[] = {"spherical"};
  specimen s;
  specimen_draw(&s, 3, spheres, 1);
  const sb_closure_joint good = {.name = "loop",
                                 .joint = sb_joint_find("universal"),
                                 .parent = 0,
                                 .child = 2,
                                 .in_parent = sb_pose_identity(),
                                 .in_child = sb_pose_identity(),
                                 .axis = {0, 0, 2.385}};
  sb_closure_joint bad = good;
  bad.child = 3;
  check_refused(s.tree, &bad, NULL, SB_ERR_REFERENCE, 1,
                "the joint 'loop' is between bodies that the tree has not");
  bad.child = 0;
  check_refused(s.tree, &bad, NULL, SB_ERR_RANGE, 1, "the joint 'loop' joins a body to itself");
  bad = good;
  bad.axis = (sb_vec3){0, 0, 0};
  check_refused(s.tree, &bad, NULL, SB_ERR_RANGE, 1, "the axis of the joint 'loop' is zero");
  bad = good;
  bad.second = (sb_vec3){0, 0, -3};
  check_refused(s.tree, &bad, NULL, SB_ERR_RANGE, 1,
                "the two axes of the joint 'loop' are parallel");
  sb_coupling_term term = {9, 1};
  const sb_coupling coupling = {"gear", &term, 1, 0};
  check_refused(s.tree, NULL, &coupling, SB_ERR_REFERENCE, 0,
                "the coupling 'gear' has a coordinate that no joint has");
  term.velocity = 1;
  check_refused(s.tree, NULL, &coupling, SB_ERR_RANGE, 0,
                "the coupling 'gear' has a joint that turns freely: it has no angle to be coupled");
  specimen_finish(&s);
  static const char *const lines[] = {"helical"};
  specimen_draw(&s, 1, lines, 1);
  term = (sb_coupling_term){0, 0};
  check_refused(s.tree, NULL, &coupling, SB_ERR_RANGE, 0,
                "the coupling 'gear' must have finite factors, and one that is not zero");
  specimen_finish(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rates_of_the_residual_are_the_rows),
      cmocka_unit_test(bias_is_the_rate_of_the_rows),
      cmocka_unit_test(accelerations_obey_the_equations),
      cmocka_unit_test(impacts_obey_the_equations),
      cmocka_unit_test(responses_are_symmetric_and_keep_the_loops_closed),
      cmocka_unit_test(closures_that_make_no_sense_are_refused),
      cmocka_unit_test(wrenches_do_what_the_multipliers_do),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
