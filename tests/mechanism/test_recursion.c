// SPDX-License-Identifier: GPL-3.0-or-later
// The recursions against a dense M that is made of poses by exponentials alone, against derivatives of H by differences, and
// against the laws of power and momentum.
#include "tests/mechanism/specimen.h"

#include "elements/elements.h"

static int trials(void) {
  return PLAIN ? 60 : 8;
}

static void poses_are_products_of_exponentials(void **state) {
  (void)state;
  for (int t = 0; t < trials(); t++) {
    specimen s;
    specimen_draw(&s, 12, NULL, 0);
    sb_pose poses[BODIES_MAX];
    place_by_exponentials(&s, s.q, poses);
    for (int i = 0; i < s.count; i++) {
      const sb_pose pose = sb_tree_pose(s.tree, s.scratch, i);
      for (int k = 0; k < 9; k++) {
        assert_near(pose.rotation.m[k / 3][k % 3], poses[i].rotation.m[k / 3][k % 3], 1e-13);
      }
      assert_near(sb_vec3_norm(sb_vec3_sub(pose.position, poses[i].position)), 0, 1e-12);
    }
    specimen_finish(&s);
  }
}

/** p = M v by sb_tree_move(), and v = M^-1 p, with M from the poses alone. */
static void momenta_and_velocities_belong_to_the_dense_matrix(void **state) {
  (void)state;
  static double M[VELOCITIES_MAX * VELOCITIES_MAX];
  for (int t = 0; t < trials(); t++) {
    specimen s;
    double v[VELOCITIES_MAX];
    specimen_draw(&s, 3 + t % 9, NULL, 0);
    dense_mass(&s, M);
    const double size = largest(s.p, s.n);
    for (int i = 0; i < s.n; i++) {
      double p = 0;
      for (int k = 0; k < s.n; k++) {
        p += M[i * s.n + k] * s.v[k];
      }
      assert_near(s.p[i], p, 1e-9 * size);
    }
    assert_int_equal(sb_tree_solve(s.tree, s.p, s.scratch, v), 0);
    for (int i = 0; i < s.n; i++) {
      assert_near(v[i], s.v[i], 1e-9);
    }
    specimen_finish(&s);
  }
}

static double energy_at(specimen *s, const double q[], const double p[], double scratch[]) {
  double v[VELOCITIES_MAX];
  sb_tree_place(s->tree, q, scratch);
  assert_int_equal(sb_tree_solve(s->tree, p, scratch, v), 0);
  return sb_tree_kinetic(s->tree, p, v) + sb_tree_potential(s->tree, q, scratch, NULL, NULL);
}

/** The derivative of H along the velocity k, at constant momenta: differences of the fourth order. */
static double slope_of_energy(specimen *s, int k, double scratch[]) {
  const double h = 1e-3;
  double q[COORDINATES_MAX], at[4];
  for (int j = 0; j < 4; j++) {
    drift(s, k, (j < 2 ? j - 2 : j - 1) * h, q);
    at[j] = energy_at(s, q, s->p, scratch);
  }
  return (at[0] - at[3] + 8 * (at[2] - at[1])) / (12 * h);
}

/** pdot = -dH/dq + tau, and with the momenta p of a free turn -dH/dtheta + p x w + tau (Lie and Poisson). */
static void momenta_change_by_the_slope_of_the_energy(void **state) {
  (void)state;
  for (int t = 0; t < trials(); t++) {
    specimen s;
    double v[VELOCITIES_MAX];
    specimen_draw(&s, 3 + t % 7, NULL, 0);
    double *other = calloc((size_t)sb_tree_scratch(s.tree) + 1, sizeof *other);
    assert_int_equal(sb_tree_solve(s.tree, s.p, s.scratch, v), 0);
    sb_tree_rates(s.tree, s.q, s.tau, NULL, s.scratch, s.qdot, s.pdot);
    for (int i = 0; i < s.count; i++) {
      const sb_tree_joint at = sb_tree_joint_of(s.tree, i);
      double gyration[6] = {0};
      if (at.coordinates > at.velocities) {
        const int w = at.velocity + at.velocities - 3;
        sb_vec3_store(gyration + at.velocities - 3,
                      sb_vec3_cross(sb_vec3_load(s.p + w), sb_vec3_load(v + w)));
      }
      for (int k = 0; k < at.velocities; k++) {
        const double expected =
            s.tau[at.velocity + k] + gyration[k] - slope_of_energy(&s, at.velocity + k, other);
        assert_near(s.pdot[at.velocity + k], expected, 1e-8 * fmax(10, largest(s.pdot, s.n)));
      }
    }
    free(other);
    specimen_finish(&s);
  }
}

/** V from the poses, and its gradient by differences. */
static void potential_is_weight_and_springs(void **state) {
  (void)state;
  for (int t = 0; t < trials() / 4; t++) {
    specimen s;
    double gradient[VELOCITIES_MAX], q[COORDINATES_MAX], terms;
    sb_pose poses[BODIES_MAX];
    specimen_draw(&s, 9, NULL, 0);
    const double V = sb_tree_potential(s.tree, s.q, s.scratch, gradient, &terms);
    place_by_exponentials(&s, s.q, poses);
    double expected = 0, strain = 0;
    for (int i = 0; i < s.count; i++) {
      const sb_tree_joint at = sb_tree_joint_of(s.tree, i);
      const sb_inertia *I = &s.body[i].inertia;
      const bool moves = at.velocities > 0 || s.body[i].parent >= 0;
      if (moves && I->mass > 0) {
        const sb_vec3 centre = sb_pose_point(poses[i], sb_vec3_scale(I->first, 1 / I->mass));
        expected -= I->mass * sb_vec3_dot(s.gravity, centre);
      }
      for (int k = 0; k < at.velocities && at.velocities == at.coordinates; k++) {
        const double x = s.q[at.coordinate + k] - s.body[i].rest[k];
        strain += s.body[i].stiffness[k] * x * x / 2;
      }
      for (int k = 0; k < 3 && at.coordinates == 7; k++) {
        const double x = s.q[at.coordinate + k] - s.body[i].rest[k];
        strain += s.body[i].stiffness[k] * x * x / 2;
      }
    }
    // bodies fixed in the world do not count: their energy is constant
    for (int i = 0; i < s.count; i++) {
      bool still = true;
      for (int k = i; k >= 0; k = s.body[k].parent) {
        still = still && sb_joint_velocities(s.body[k].joint) == 0;
      }
      if (still && s.body[i].parent >= 0) {
        const sb_inertia I = sb_inertia_transform(poses[i], s.body[i].inertia);
        expected += sb_vec3_dot(s.gravity, I.first);
      }
    }
    assert_near(V, expected + strain, 1e-12 * terms);
    assert_true(terms >= fabs(V) && terms >= strain);
    for (int k = 0; k < s.n; k++) {
      double at[2];
      for (int j = 0; j < 2; j++) {
        drift(&s, k, j == 0 ? -1e-4 : 1e-4, q);
        sb_tree_place(s.tree, q, s.scratch);
        at[j] = sb_tree_potential(s.tree, q, s.scratch, NULL, NULL);
      }
      assert_near(gradient[k], (at[1] - at[0]) / 2e-4, 1e-6 * terms);
    }
    specimen_finish(&s);
  }
}

/** What loads add to the power v.pdot is tau.v and the sum of W.T, to rounding. */
static void loads_give_their_power(void **state) {
  (void)state;
  for (int t = 0; t < trials(); t++) {
    specimen s;
    double v[VELOCITIES_MAX], free_rates[VELOCITIES_MAX];
    specimen_draw(&s, 4 + t % 17, NULL, 0);
    assert_int_equal(sb_tree_solve(s.tree, s.p, s.scratch, v), 0);
    sb_tree_rates(s.tree, s.q, NULL, NULL, s.scratch, s.qdot, free_rates);
    sb_tree_rates(s.tree, s.q, s.tau, s.wrench, s.scratch, s.qdot, s.pdot);
    double stored = 0, given = 0, size = 0;
    for (int i = 0; i < s.n; i++) {
      stored += v[i] * (s.pdot[i] - free_rates[i]);
      given += v[i] * s.tau[i];
      size += fabs(v[i] * s.pdot[i]) + fabs(v[i] * free_rates[i]);
    }
    for (int i = 0; i < s.count; i++) {
      const double power = sb_power(s.wrench[i], sb_tree_twist(s.tree, s.scratch, i));
      given += power;
      size += fabs(power);
    }
    assert_near(stored, given, 1e-12 * size);
    specimen_finish(&s);
  }
}

/** Of a body of the core, by the hooks of its kind. */
static void set_numbers(char *data, const char *name, const double x[], int count) {
  const sb_param *param = sb_kind_body.params;
  while (strcmp(param->name, name) != 0) {
    param++;
  }
  memcpy(data + param->offset, x, (size_t)count * sizeof *x);
}

/** A free joint has the state of elements/body.c where its origin is the centre of mass: x, p, q, L. */
static void free_joint_moves_as_a_body(void **state) {
  (void)state;
  const double mass = 2.385, moments[6] = {0.11, 0.17, 0.23, 0.013, -0.021, 0.017};
  const double x[13] = {0.7, -1.3, 0.4, 2.1, -0.6, 1.7, 0.5, -0.4, 0.3, 0.6, 0.13, -0.31, 0.22};
  const sb_vec3 gravity = {0.3, -9.81, 1.1};
  const double in[6] = {0.4, -0.7, 1.3, 2.1, 0.8, -1.9};
  const sb_mat3 central = {{{0.11, 0.013, -0.021}, {0.013, 0.17, 0.017}, {-0.021, 0.017, 0.23}}};
  double storage[64] = {0}, own[12], y[6], xdot[13];
  char *data = (char *)storage;
  assert_true(sb_kind_body.size <= sizeof storage);
  const sb_list list = {.values = (double *)moments, .count = 6};
  const double attitude[4] = {1, 0, 0, 0};
  sb_error err = {0};
  sb_layout layout = {0};
  set_numbers(data, "mass", &mass, 1);
  set_numbers(data, "gravity", &gravity.x, 3);
  set_numbers(data, "rotation", attitude, 4);
  const sb_param *param = sb_kind_body.params;
  while (strcmp(param->name, "inertia") != 0) {
    param++;
  }
  memcpy(data + param->offset, &list, sizeof list);
  ok(sb_kind_body.init(data, &layout, &err), &err);
  const sb_at at = {.x = x, .in = in, .own = own};
  sb_kind_body.storage->output(data, &at, y);
  sb_kind_body.storage->rate(data, &at, xdot);

  specimen s = {.count = 1, .gravity = gravity};
  const sb_vec3 none = {0, 0, 0};
  s.body[0] = (sb_tree_body){.name = "b",
                             .parent = SB_TREE_WORLD,
                             .joint = sb_joint_find("free"),
                             .in_parent = sb_pose_identity(),
                             .in_body = sb_pose_identity(),
                             .inertia = sb_inertia_make(mass, none, central)};
  specimen_start(&s);
  const double q[7] = {x[0], x[1], x[2], x[6], x[7], x[8], x[9]};
  const double p[6] = {x[3], x[4], x[5], x[10], x[11], x[12]};
  const sb_wrench w = {sb_vec3_load(in), sb_vec3_load(in + 3)};
  sb_tree_place(s.tree, q, s.scratch);
  assert_int_equal(sb_tree_solve(s.tree, p, s.scratch, s.v), 0);
  sb_tree_rates(s.tree, q, NULL, &w, s.scratch, s.qdot, s.pdot);
  const sb_twist twist = sb_tree_twist(s.tree, s.scratch, 0);
  const double twist_numbers[6] = {twist.angular.x, twist.angular.y, twist.angular.z,
                                   twist.linear.x,  twist.linear.y,  twist.linear.z};
  for (int i = 0; i < 6; i++) {
    assert_near(twist_numbers[i], y[i], 1e-13);
    assert_near(s.pdot[i], xdot[i < 3 ? 3 + i : 7 + i], 1e-13);
  }
  for (int i = 0; i < 7; i++) {
    assert_near(s.qdot[i], xdot[i < 3 ? i : 3 + i], 1e-14);
  }
  assert_near(sb_tree_kinetic(s.tree, p, s.v) + sb_tree_potential(s.tree, q, s.scratch, NULL, NULL),
              sb_kind_body.storage->energy(data, &at), 1e-12);
  specimen_finish(&s);
}

/** The rotational axes alternate, the links are short and the chain is far from the origin. */
static void make_chain(specimen *s, sb_tree_body body[], int count, double length, double mass,
                       double far) {
  const sb_pose here = sb_pose_identity();
  for (int i = 0; i < count; i++) {
    sb_pose at = here;
    at.position = i == 0 ? (sb_vec3){far, 0, -far} : (sb_vec3){length, 0, 0};
    const double j = mass * length * length / 12;
    const sb_mat3 rod = sb_mat3_diag((sb_vec3){j / 100, j, j});
    body[i] = (sb_tree_body){.name = "rod",
                             .parent = i - 1,
                             .joint = sb_joint_find("revolute"),
                             .in_parent = at,
                             .in_body = here,
                             .axis = i % 2 == 0 ? (sb_vec3){0, 0, 1} : (sb_vec3){0, 1, 0},
                             .inertia = sb_inertia_make(mass, (sb_vec3){length / 2, 0, 0}, rod)};
  }
  s->gravity = (sb_vec3){0, 0, -9.81};
}

/** Relative residual of M v = p, with M v by the masses alone; and how the place of the chain tells in v. */
static void long_chains_keep_their_digits(void **state) {
  (void)state;
  enum { LINKS = 1000 };
  static sb_tree_body body[LINKS];
  static double q[LINKS], p[LINKS], v[LINKS], back[LINKS], near_v[LINKS], qdot[LINKS];
  static double pdot[2][LINKS];
  for (int where = 0; where < 2; where++) {
    specimen s = {0};
    sb_error err = {0};
    make_chain(&s, body, LINKS, 1e-3, 1e-6, where == 0 ? 0 : 1000);
    ok(sb_tree_create(body, LINKS, s.gravity, &s.tree, NULL, &err), &err);
    s.scratch = calloc((size_t)sb_tree_scratch(s.tree), sizeof *s.scratch);
    for (int i = 0; i < LINKS; i++) {
      q[i] = 0.3 * sin(2.385 * i);
      v[i] = cos(1.7 * i);
    }
    sb_tree_place(s.tree, q, s.scratch);
    sb_tree_move(s.tree, v, s.scratch, p);
    assert_int_equal(sb_tree_solve(s.tree, p, s.scratch, v), 0);
    sb_tree_rates(s.tree, q, NULL, NULL, s.scratch, qdot, pdot[where]);
    if (where == 0) {
      memcpy(near_v, v, sizeof v);
    }
    for (int i = 0; i < LINKS; i++) {
      assert_true(v[i] == near_v[i]); // to the last bit: the place of the chain is not read
      assert_true(pdot[where][i] == pdot[0][i]);
    }
    sb_tree_move(s.tree, v, s.scratch, back);
    for (int i = 0; i < LINKS; i++) {
      assert_near(back[i], p[i], 1e-12 * largest(p, LINKS));
    }
    specimen_finish(&s);
  }
}

/** Small bodies on large ones: every equation M v = p holds relative to its own terms. */
static void masses_may_differ_by_twelve_orders(void **state) {
  (void)state;
  for (int heavy = 0; heavy < 2; heavy++) {
    specimen s;
    const char *const kinds[] = {"revolute", "universal", "spherical", "prismatic"};
    double back[VELOCITIES_MAX], v[VELOCITIES_MAX];
    specimen_draw(&s, 8, kinds, 4);
    specimen_finish(&s);
    for (int i = 0; i < s.count; i++) {
      s.body[i].parent = i - 1;
      s.body[i].inertia = uniform_inertia(i % 2 == heavy ? 1e6 : 1e-6);
    }
    specimen_start(&s);
    assert_int_equal(sb_tree_solve(s.tree, s.p, s.scratch, v), 0);
    sb_tree_move(s.tree, v, s.scratch, back);
    for (int i = 0; i < s.n; i++) {
      assert_near(back[i], s.p[i], 1e-12 * largest(s.p, s.n));
    }
    specimen_finish(&s);
  }
}

/** Fixed joints add inertias: a body in three pieces, with one of them the carrier of the next joint, and the whole. */
static void split_bodies_move_as_the_whole(void **state) {
  (void)state;
  specimen pieces = {.count = 4, .gravity = {1.1, -2.3, 9.1}}, whole = {.count = 2};
  const char *const kinds[] = {"spherical", "fixed", "fixed", "helical"};
  const int parents[] = {-1, 0, 1, 2};
  for (int i = 0; i < 4; i++) {
    pieces.body[i] = uniform_body(kinds[i], parents[i]);
  }
  specimen_start(&pieces);
  sb_pose to_first[3];
  const sb_pose first = sb_tree_pose(pieces.tree, pieces.scratch, 0);
  sb_inertia sum = {0};
  for (int i = 0; i < 3; i++) {
    to_first[i] =
        sb_pose_compose(sb_pose_inverse(first), sb_tree_pose(pieces.tree, pieces.scratch, i));
    sum = sb_inertia_add(sum, sb_inertia_transform(to_first[i], pieces.body[i].inertia));
  }
  whole.gravity = pieces.gravity;
  whole.body[0] = pieces.body[0];
  whole.body[0].inertia = sum;
  whole.body[1] = pieces.body[3];
  whole.body[1].parent = 0;
  whole.body[1].in_parent = sb_pose_compose(to_first[2], pieces.body[3].in_parent);
  specimen_start(&whole);
  assert_int_equal(whole.n, 4);
  assert_int_equal(pieces.n, 4);
  const sb_wrench both[2] = {
      sb_wrench_add(sb_wrench_add(pieces.wrench[0], pieces.wrench[1]), pieces.wrench[2]),
      pieces.wrench[3]};
  double v[4], rates[4], qdot[5];
  sb_tree_rates(pieces.tree, pieces.q, pieces.tau, pieces.wrench, pieces.scratch, qdot, rates);
  sb_tree_place(whole.tree, pieces.q, whole.scratch);
  assert_int_equal(sb_tree_solve(whole.tree, pieces.p, whole.scratch, v), 0);
  sb_tree_rates(whole.tree, pieces.q, pieces.tau, both, whole.scratch, qdot, whole.pdot);
  for (int i = 0; i < 4; i++) {
    assert_near(v[i], pieces.v[i], 1e-12);
    assert_near(whole.pdot[i], rates[i], 1e-12 * largest(rates, 4));
  }
  specimen_finish(&pieces);
  specimen_finish(&whole);
}

/** A universal joint carries a point mass: with the mass on the first axis, M has no inverse, and the body is told. */
static void singular_position_is_told(void **state) {
  (void)state;
  specimen s = {.count = 1};
  const sb_pose here = sb_pose_identity();
  s.body[0] = (sb_tree_body){.name = "bob",
                             .parent = SB_TREE_WORLD,
                             .joint = sb_joint_find("universal"),
                             .in_parent = here,
                             .in_body = here,
                             .axis = {0, 0, 1},
                             .second = {1, 0, 0},
                             .inertia = sb_inertia_make(0.7, (sb_vec3){0, 0, 2}, (sb_mat3){{{0}}})};
  specimen_start(&s);
  const double q[2] = {0.3, 0}, aside[2] = {0.3, 0.4}, p[2] = {0.1, 0.2};
  double v[2];
  sb_tree_place(s.tree, q, s.scratch);
  assert_int_equal(sb_tree_solve(s.tree, p, s.scratch, v), 1 + 0);
  sb_tree_place(s.tree, aside, s.scratch);
  assert_int_equal(sb_tree_solve(s.tree, p, s.scratch, v), 0);
  assert_near(v[0], 0.1 / (0.7 * 4 * sin(0.4) * sin(0.4)), 1e-12); // a spherical pendulum
  assert_near(v[1], 0.2 / (0.7 * 4), 1e-14);
  specimen_finish(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(poses_are_products_of_exponentials),
      cmocka_unit_test(momenta_and_velocities_belong_to_the_dense_matrix),
      cmocka_unit_test(momenta_change_by_the_slope_of_the_energy),
      cmocka_unit_test(potential_is_weight_and_springs),
      cmocka_unit_test(loads_give_their_power),
      cmocka_unit_test(free_joint_moves_as_a_body),
      cmocka_unit_test(long_chains_keep_their_digits),
      cmocka_unit_test(masses_may_differ_by_twelve_orders),
      cmocka_unit_test(split_bodies_move_as_the_whole),
      cmocka_unit_test(singular_position_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
