// SPDX-License-Identifier: GPL-3.0-or-later
// What constraints and controllers ask of a tree, against the dense M, against differences along the motion, against
// Newton and Euler for every body, and against equations of motion from textbooks.
#include "tests/mechanism/specimen.h"

static int trials(void) {
  return PLAIN ? 60 : 8;
}

static void mass_matrix_is_that_of_the_bodies(void **state) {
  (void)state;
  static double M[VELOCITIES_MAX * VELOCITIES_MAX], expected[VELOCITIES_MAX * VELOCITIES_MAX];
  for (int t = 0; t < trials() / 2; t++) {
    specimen s;
    specimen_draw(&s, 3 + t % 9, NULL, 0);
    dense_mass(&s, expected);
    sb_tree_mass_matrix(s.tree, s.scratch, M);
    const double size = largest(expected, s.n * s.n);
    for (int i = 0; i < s.n * s.n; i++) {
      assert_near(M[i], expected[i], 1e-10 * size);
    }
    specimen_finish(&s);
  }
}

static void jacobian_gives_the_twists(void **state) {
  (void)state;
  static double J[6 * VELOCITIES_MAX];
  sb_twist expected[BODIES_MAX];
  for (int t = 0; t < trials() / 4; t++) {
    specimen s;
    specimen_draw(&s, 11, NULL, 0);
    for (int k = 0; k < s.n; k++) {
      twists_by_differences(&s, k, expected);
      for (int i = 0; i < s.count; i++) {
        sb_tree_jacobian(s.tree, s.scratch, i, J);
        const sb_twist e = expected[i];
        const double parts[6] = {e.angular.x, e.angular.y, e.angular.z,
                                 e.linear.x,  e.linear.y,  e.linear.z};
        for (int r = 0; r < 6; r++) {
          assert_near(J[r * s.n + k], parts[r], 1e-9);
        }
      }
    }
    specimen_finish(&s);
  }
}

/** M times the response is what was asked for, M^-1 is symmetric, and wrenches act by J^T. */
static void response_is_the_inverse_of_the_mass_matrix(void **state) {
  (void)state;
  static double M[VELOCITIES_MAX * VELOCITIES_MAX], W[VELOCITIES_MAX * VELOCITIES_MAX];
  static double J[6 * VELOCITIES_MAX];
  for (int t = 0; t < trials(); t++) {
    specimen s;
    double unit[VELOCITIES_MAX] = {0}, both[VELOCITIES_MAX], by_efforts[VELOCITIES_MAX],
           v[VELOCITIES_MAX];
    specimen_draw(&s, 3 + t % 9, NULL, 0);
    sb_tree_mass_matrix(s.tree, s.scratch, M);
    assert_int_equal(sb_tree_solve(s.tree, s.p, s.scratch, v), 0);
    for (int k = 0; k < s.n; k++) {
      unit[k] = 1;
      sb_tree_response(s.tree, unit, NULL, s.scratch, W + k * s.n, NULL);
      unit[k] = 0;
    }
    const double size = largest(W, s.n * s.n);
    for (int i = 0; i < s.n; i++) {
      for (int k = 0; k < s.n; k++) {
        double product = 0, terms = 0;
        for (int j = 0; j < s.n; j++) {
          product += M[i * s.n + j] * W[k * s.n + j];
          terms += fabs(M[i * s.n + j] * W[k * s.n + j]);
        }
        assert_near(product, i == k, 1e-11 * (1 + terms));
        assert_near(W[i * s.n + k], W[k * s.n + i], 1e-11 * size);
      }
    }
    double sum[VELOCITIES_MAX];
    sb_twist jumps[BODIES_MAX];
    memcpy(sum, s.tau, sizeof sum);
    for (int i = 0; i < s.count; i++) {
      const double w[6] = {s.wrench[i].moment.x, s.wrench[i].moment.y, s.wrench[i].moment.z,
                           s.wrench[i].force.x,  s.wrench[i].force.y,  s.wrench[i].force.z};
      sb_tree_jacobian(s.tree, s.scratch, i, J);
      for (int k = 0; k < 6 * s.n; k++) {
        sum[k % s.n] += J[k] * w[k / s.n];
      }
    }
    sb_tree_response(s.tree, sum, NULL, s.scratch, by_efforts, NULL);
    sb_tree_response(s.tree, s.tau, s.wrench, s.scratch, both, jumps);
    for (int i = 0; i < s.n; i++) {
      assert_near(both[i], by_efforts[i], 1e-10 * largest(both, s.n));
    }
    for (int i = 0; i < s.count; i++) {
      double expected[6] = {0};
      sb_tree_jacobian(s.tree, s.scratch, i, J);
      for (int k = 0; k < 6 * s.n; k++) {
        expected[k / s.n] += J[k] * both[k % s.n];
      }
      assert_near(jumps[i].angular.y, expected[1], 1e-11 * (1 + largest(both, s.n)));
      assert_near(jumps[i].linear.z, expected[5], 1e-10 * (1 + largest(both, s.n)));
    }
    specimen_finish(&s);
  }
}

/** vdot by the response to the loads less the bias, and the rates that belong to it. */
static void accelerate(specimen *s, double vdot[]) {
  double bias[VELOCITIES_MAX], v[VELOCITIES_MAX];
  assert_int_equal(sb_tree_solve(s->tree, s->p, s->scratch, v), 0);
  sb_tree_inverse(s->tree, s->q, NULL, NULL, s->scratch, bias);
  for (int i = 0; i < s->n; i++) {
    bias[i] = s->tau[i] - bias[i];
  }
  sb_tree_response(s->tree, bias, s->wrench, s->scratch, vdot, NULL);
  sb_tree_rates(s->tree, s->q, s->tau, s->wrench, s->scratch, s->qdot, s->pdot);
}

/** p(t + h) and the twists there by q + h qdot and v + h vdot: their differences are pdot and the accelerations. */
static void rates_are_derivatives_along_the_motion(void **state) {
  (void)state;
  const double h = 1e-5;
  for (int t = 0; t < trials(); t++) {
    specimen s;
    double vdot[VELOCITIES_MAX], q[COORDINATES_MAX], v[VELOCITIES_MAX], p[2][VELOCITIES_MAX];
    sb_twist rates[BODIES_MAX], twists[2][BODIES_MAX];
    specimen_draw(&s, 3 + t % 12, NULL, 0);
    accelerate(&s, vdot);
    sb_tree_accelerations(s.tree, vdot, s.scratch, rates);
    for (int side = 0; side < 2; side++) {
      for (int i = 0; i < s.nq; i++) {
        q[i] = s.q[i] + (side == 0 ? -h : h) * s.qdot[i];
      }
      for (int i = 0; i < s.n; i++) {
        v[i] = s.v[i] + (side == 0 ? -h : h) * vdot[i];
      }
      sb_tree_place(s.tree, q, s.scratch);
      sb_tree_move(s.tree, v, s.scratch, p[side]);
      for (int i = 0; i < s.count; i++) {
        twists[side][i] = sb_tree_twist(s.tree, s.scratch, i);
      }
    }
    const double size = fmax(1, largest(vdot, s.n)) * fmax(1, largest(vdot, s.n));
    for (int i = 0; i < s.n; i++) {
      assert_near(s.pdot[i], (p[1][i] - p[0][i]) / (2 * h),
                  1e-8 * size * fmax(1, largest(s.p, s.n)));
    }
    for (int i = 0; i < s.count; i++) {
      const sb_twist d = sb_twist_scale(sb_twist_sub(twists[1][i], twists[0][i]), 1 / (2 * h));
      assert_near(sb_vec3_norm(sb_vec3_sub(d.angular, rates[i].angular)), 0, 1e-8 * size);
      assert_near(sb_vec3_norm(sb_vec3_sub(d.linear, rates[i].linear)), 0, 1e-8 * size);
    }
    specimen_finish(&s);
  }
}

/** dT/dt = the sum of h.A over the bodies and dV/dt = gradient.v: together what the loads give, to rounding. */
static void energy_changes_by_the_loads_alone(void **state) {
  (void)state;
  for (int t = 0; t < trials(); t++) {
    specimen s;
    double vdot[VELOCITIES_MAX], gradient[VELOCITIES_MAX];
    sb_twist rates[BODIES_MAX];
    sb_pose poses[BODIES_MAX];
    specimen_draw(&s, 3 + t % 20, NULL, 0);
    accelerate(&s, vdot);
    sb_tree_accelerations(s.tree, vdot, s.scratch, rates);
    sb_tree_potential(s.tree, s.q, s.scratch, gradient, NULL);
    place_by_exponentials(&s, s.q, poses);
    double stored = 0, given = 0, size = 0;
    for (int i = 0; i < s.count; i++) {
      const sb_twist twist = sb_tree_twist(s.tree, s.scratch, i);
      const sb_inertia I = sb_inertia_transform(poses[i], s.body[i].inertia);
      const sb_wrench h = sb_inertia_momentum(&I, twist);
      stored += sb_power(h, rates[i]);
      given += sb_power(s.wrench[i], twist);
      size += fabs(sb_vec3_dot(h.moment, rates[i].angular)) +
              fabs(sb_vec3_dot(h.force, rates[i].linear)) + fabs(sb_power(s.wrench[i], twist));
    }
    for (int i = 0; i < s.n; i++) {
      stored += gradient[i] * s.v[i];
      given += s.tau[i] * s.v[i];
      size += fabs(gradient[i] * s.v[i]) + fabs(s.tau[i] * s.v[i]);
    }
    assert_near(stored, given, 1e-12 * size);
    specimen_finish(&s);
  }
}

/** Of a tree that is nowhere held: momentum and angular momentum about the world's origin change by the outer wrenches. */
static void free_tree_obeys_newton_and_euler(void **state) {
  (void)state;
  for (int t = 0; t < trials() / 4; t++) {
    specimen s;
    const char *const kinds[] = {"revolute", "spherical", "planar", "helical", "universal", "free"};
    specimen_draw(&s, 8, kinds, 6);
    specimen_finish(&s);
    for (int i = 0; i < s.count; i++) {
      s.body[i].parent = i == 0 ? SB_TREE_WORLD : s.body[i].parent < 0 ? 0 : s.body[i].parent;
      s.body[i].inertia = uniform_inertia(1.1);
    }
    s.body[0].joint = sb_joint_find("free");
    memset(s.body[0].stiffness, 0, sizeof s.body[0].stiffness);
    specimen_start(&s);
    memset(s.tau, 0, 6 * sizeof *s.tau);
    double vdot[VELOCITIES_MAX];
    sb_twist rates[BODIES_MAX];
    sb_pose poses[BODIES_MAX];
    accelerate(&s, vdot);
    sb_tree_accelerations(s.tree, vdot, s.scratch, rates);
    place_by_exponentials(&s, s.q, poses);
    sb_wrench changed = {{0, 0, 0}, {0, 0, 0}}, given = changed, all = changed;
    for (int i = 0; i < s.count; i++) {
      const sb_twist twist = sb_tree_twist(s.tree, s.scratch, i);
      const sb_inertia I = sb_inertia_transform(poses[i], s.body[i].inertia);
      const sb_wrench h = sb_inertia_momentum(&I, twist);
      all = sb_wrench_add(all, h);
      changed = sb_wrench_add(changed, sb_inertia_momentum(&I, rates[i]));
      changed = sb_wrench_add(changed, sb_wrench_scale(sb_wrench_coadjoint(twist, h), -1));
      given = sb_wrench_add(given, s.wrench[i]);
      given = sb_wrench_add(
          given, (sb_wrench){sb_vec3_cross(I.first, s.gravity), sb_vec3_scale(s.gravity, I.mass)});
    }
    const double size = fmax(1, largest(vdot, s.n));
    sb_vec3 momentum, rate;
    sb_tree_momentum(s.tree, vdot, s.scratch, &momentum, &rate);
    assert_near(sb_vec3_norm(sb_vec3_sub(momentum, all.force)), 0,
                1e-12 * fmax(1, largest(s.p, s.n)));
    assert_near(sb_vec3_norm(sb_vec3_sub(rate, given.force)), 0, 1e-10 * size);
    assert_near(sb_vec3_norm(sb_vec3_sub(changed.force, given.force)), 0, 1e-10 * size);
    assert_near(sb_vec3_norm(sb_vec3_sub(changed.moment, given.moment)), 0, 1e-10 * size);
    specimen_finish(&s);
  }
}

/** The efforts for an acceleration make it, and those for none with the loads are the bias less these. */
static void inverse_dynamics_undo_the_response(void **state) {
  (void)state;
  for (int t = 0; t < trials(); t++) {
    specimen s;
    double wanted[VELOCITIES_MAX], tau[VELOCITIES_MAX], vdot[VELOCITIES_MAX], v[VELOCITIES_MAX];
    specimen_draw(&s, 3 + t % 12, NULL, 0);
    for (int i = 0; i < s.n; i++) {
      wanted[i] = uniform(-3, 3);
    }
    assert_int_equal(sb_tree_solve(s.tree, s.p, s.scratch, v), 0);
    sb_tree_inverse(s.tree, s.q, wanted, s.wrench, s.scratch, tau);
    memcpy(s.tau, tau, sizeof tau);
    accelerate(&s, vdot);
    for (int i = 0; i < s.n; i++) {
      assert_near(vdot[i], wanted[i], 1e-9);
    }
    specimen_finish(&s);
  }
}

static void start_at(specimen *s, const double q[], const double v[], const double tau[]) {
  specimen_start(s);
  memcpy(s->q, q, (size_t)s->nq * sizeof *q);
  memcpy(s->v, v, (size_t)s->n * sizeof *v);
  memcpy(s->tau, tau, (size_t)s->n * sizeof *tau);
  memset(s->wrench, 0, sizeof s->wrench);
  sb_tree_place(s->tree, q, s->scratch);
  sb_tree_move(s->tree, v, s->scratch, s->p);
}

/** Point masses on massless rods, absolute angles a = q1, b = q1 + q2 from the downward vertical: the textbook has
 *  (m1 + m2) l1 a'' + m2 l2 b'' cos(a - b) + m2 l2 b'^2 sin(a - b) + (m1 + m2) g sin a = 0 and
 *  l2 b'' + l1 a'' cos(a - b) - l1 a'^2 sin(a - b) + g sin b = 0. */
static void double_pendulum_follows_the_textbook(void **state) {
  (void)state;
  const double m1 = 5, m2 = 2, l1 = 0.5, l2 = 0.25, g = 9.81;
  const sb_pose here = sb_pose_identity();
  specimen s = {.count = 2, .gravity = {0, -g, 0}};
  for (int i = 0; i < 2; i++) {
    s.body[i] = (sb_tree_body){.name = "rod",
                               .parent = i - 1,
                               .joint = sb_joint_find("revolute"),
                               .in_parent = {here.rotation, {0, i == 0 ? 0 : -l1, 0}},
                               .in_body = here,
                               .axis = {0, 0, 1},
                               .inertia = sb_inertia_make(i == 0 ? m1 : m2,
                                                          (sb_vec3){0, i == 0 ? -l1 : -l2, 0},
                                                          (sb_mat3){{{0}}})};
  }
  const double q[2] = {0.7, 1.1}, v[2] = {-2.1, 3.3}, none[2] = {0};
  double M[4], vdot[2];
  start_at(&s, q, v, none);
  sb_tree_mass_matrix(s.tree, s.scratch, M);
  const double cross = m2 * l1 * l2 * cos(q[1]), outer = m2 * l2 * l2;
  assert_near(M[0], (m1 + m2) * l1 * l1 + outer + 2 * cross, 1e-14);
  assert_near(M[1], outer + cross, 1e-14);
  assert_near(M[2], outer + cross, 1e-14);
  assert_near(M[3], outer, 1e-14);
  accelerate(&s, vdot);
  const double a = q[0], b = q[0] + q[1], da = v[0], db = v[0] + v[1];
  const double dda = vdot[0], ddb = vdot[0] + vdot[1], c = cos(a - b), d = sin(a - b);
  assert_near((m1 + m2) * l1 * dda + m2 * l2 * ddb * c + m2 * l2 * db * db * d +
                  (m1 + m2) * g * sin(a),
              0, 1e-11);
  assert_near(l2 * ddb + l1 * dda * c - l1 * da * da * d + g * sin(b), 0, 1e-12);
  specimen_finish(&s);
}

/** A slide along x with a rod of inertia J that hangs on it, by Lagrange: M = [M+m, m l cos q; ., J + m l^2],
 *  with m l q'^2 sin q as the force on the slide, m g l sin q against the rod, and springs k, c at both. */
static void cart_with_a_rod_follows_lagrange(void **state) {
  (void)state;
  const double M0 = 1.7, m = 0.6, l = 0.35, J = 0.021, g = 9.81, k = 13, c = 2.1;
  const sb_pose here = sb_pose_identity();
  specimen s = {.count = 2, .gravity = {0, -g, 0}};
  s.body[0] = (sb_tree_body){.name = "cart",
                             .parent = SB_TREE_WORLD,
                             .joint = sb_joint_find("prismatic"),
                             .in_parent = here,
                             .in_body = here,
                             .axis = {2, 0, 0},
                             .stiffness = {k},
                             .rest = {0.2},
                             .inertia = sb_inertia_make(M0, (sb_vec3){0.1, 0.2, 0.3},
                                                        sb_mat3_diag((sb_vec3){0.1, 0.1, 0.1}))};
  s.body[1] = (sb_tree_body){
      .name = "rod",
      .parent = 0,
      .joint = sb_joint_find("revolute"),
      .in_parent = here,
      .in_body = here,
      .axis = {0, 0, 1},
      .stiffness = {c},
      .rest = {-0.3},
      .inertia = sb_inertia_make(m, (sb_vec3){0, -l, 0}, sb_mat3_diag((sb_vec3){0.001, 0.02, J}))};
  const double q[2] = {0.9, 0.7}, v[2] = {-1.1, 2.3}, tau[2] = {3.1, -0.4};
  double mass[4], vdot[2];
  start_at(&s, q, v, tau);
  sb_tree_mass_matrix(s.tree, s.scratch, mass);
  assert_near(mass[0], M0 + m, 1e-15);
  assert_near(mass[1], m * l * cos(q[1]), 1e-15);
  assert_near(mass[3], J + m * l * l, 1e-15);
  accelerate(&s, vdot);
  assert_near((M0 + m) * vdot[0] + m * l * cos(q[1]) * vdot[1] - m * l * v[1] * v[1] * sin(q[1]),
              tau[0] - k * (q[0] - 0.2), 1e-13);
  assert_near(m * l * cos(q[1]) * vdot[0] + (J + m * l * l) * vdot[1],
              tau[1] - m * g * l * sin(q[1]) - c * (q[1] + 0.3), 1e-13);
  specimen_finish(&s);
}

/** A nut on a screw under a moment: (I + m pitch^2) w' = tau, less the weight along the axis. */
static void nut_turns_by_its_pitch(void **state) {
  (void)state;
  const double m = 2, I = 0.015, pitch = 0.02, g = 9.81;
  const sb_pose here = sb_pose_identity();
  specimen s = {.count = 1, .gravity = {0, 0, -g}};
  s.body[0] = (sb_tree_body){
      .name = "nut",
      .parent = SB_TREE_WORLD,
      .joint = sb_joint_find("helical"),
      .in_parent = here,
      .in_body = here,
      .axis = {0, 0, 1},
      .pitch = pitch,
      .inertia = sb_inertia_make(m, (sb_vec3){0, 0, 0.1}, sb_mat3_diag((sb_vec3){0.01, 0.01, I}))};
  const double q = 0.4, v = 3, tau = 0.5;
  double vdot;
  start_at(&s, &q, &v, &tau);
  assert_near(s.p[0], (I + m * pitch * pitch) * v, 1e-15);
  accelerate(&s, &vdot);
  assert_near(vdot, (tau - m * g * pitch) / (I + m * pitch * pitch), 1e-13);
  assert_near(sb_tree_pose(s.tree, s.scratch, 0).position.z, pitch * q, 1e-15);
  specimen_finish(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(mass_matrix_is_that_of_the_bodies),
      cmocka_unit_test(jacobian_gives_the_twists),
      cmocka_unit_test(response_is_the_inverse_of_the_mass_matrix),
      cmocka_unit_test(rates_are_derivatives_along_the_motion),
      cmocka_unit_test(energy_changes_by_the_loads_alone),
      cmocka_unit_test(free_tree_obeys_newton_and_euler),
      cmocka_unit_test(inverse_dynamics_undo_the_response),
      cmocka_unit_test(double_pendulum_follows_the_textbook),
      cmocka_unit_test(cart_with_a_rod_follows_lagrange),
      cmocka_unit_test(nut_turns_by_its_pitch),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
