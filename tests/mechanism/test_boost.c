// SPDX-License-Identifier: GPL-3.0-or-later
// Momenta as who goes along sees them: the same whatever common velocity is added, and their rates by differences.
#include "mechanism/boost.h"

#include "tests/mechanism/specimen.h"

enum { SLIDING = 4 };
/** What may lie between the world and what turns, and how many velocities of it shift. */
static const struct {
  const char *kind;
  int shifts;
} roots[SLIDING] = {{"prismatic", 1}, {"translational", 3}, {"planar", 2}, {"free", 3}};

/** A tree on one that slides; its second body slides on the first, of any kind are the others. */
static void draw(specimen *s, int root, int count) {
  static const char *const kinds[] = {"revolute", "helical",   "spherical",    "cylindrical",
                                      "free",     "prismatic", "translational"};
  *s = (specimen){.count = count, .gravity = uniform_vec3(9)};
  for (int i = 0; i < count; i++) {
    const int kind = (int)floor(uniform(0, sizeof kinds / sizeof *kinds - 1e-9));
    const char *name = i == 0 ? roots[root].kind : i == 1 ? "prismatic" : kinds[kind];
    s->body[i] = uniform_body(name, (int)floor(uniform(i < 2 ? i - 1 : 0, i - 1e-9)));
  }
  specimen_start(s);
}

/** How many velocities of a body's joint shift it along axes that stay in the world. */
static int shifts_of(const specimen *s, int body) {
  const int parent = s->body[body].parent;
  const char *kind = s->body[body].joint->name;
  const int all = sb_tree_joint_of(s->tree, body).velocities;
  if (parent >= 0 && shifts_of(s, parent) < sb_tree_joint_of(s->tree, parent).velocities) {
    return 0;
  }
  return strcmp(kind, "prismatic") == 0 || strcmp(kind, "translational") == 0 ? all
         : strcmp(kind, "planar") == 0                                        ? 2
         : strcmp(kind, "free") == 0                                          ? 3
                                                                              : 0;
}

static void a_common_velocity_changes_nothing_but_what_is_common(void **state) {
  double most = 0;
  (void)state;
  for (int t = 0; t < (PLAIN ? 80 : 8); t++) {
    specimen s;
    double z[2][VELOCITIES_MAX], size = 1;
    draw(&s, t % SLIDING, 4 + t % 8);
    for (int k = 0; k < 2; k++) {
      for (int i = 0; i < roots[t % SLIDING].shifts; i++) {
        s.v[i] += k * uniform(-100, 100);
      }
      sb_tree_move(s.tree, s.v, s.scratch, s.p);
      sb_tree_boost(s.tree, s.p, s.scratch, z[k]);
      for (int i = 0; i < s.n; i++) {
        size = fmax(size, fabs(z[k][i]));
        z[k][i] = s.p[i] - z[k][i];
      }
    }
    most = fmax(most, size);
    for (int b = 0; b < s.count; b++) {
      const sb_tree_joint joint = sb_tree_joint_of(s.tree, b);
      for (int i = joint.velocity + shifts_of(&s, b); i < joint.velocity + joint.velocities; i++) {
        assert_near(z[1][i], z[0][i], 1e-11 * size);
      }
    }
    specimen_finish(&s);
  }
  assert_true(most > 100); // of what is taken off
}

static void rates_are_derivatives(void **state) {
  const double h = 1e-5;
  (void)state;
  for (int t = 0; t < (PLAIN ? 80 : 8); t++) {
    specimen s;
    double g[2][VELOCITIES_MAX], gdot[VELOCITIES_MAX], q[COORDINATES_MAX], p[VELOCITIES_MAX];
    draw(&s, t % SLIDING, 4 + t % 8);
    sb_tree_rates(s.tree, s.q, s.tau, s.wrench, s.scratch, s.qdot, s.pdot);
    sb_tree_boost_rate(s.tree, s.p, s.pdot, s.scratch, gdot);
    for (int k = 0; k < 2; k++) {
      const double step = k == 0 ? -h : h;
      for (int i = 0; i < s.nq; i++) {
        q[i] = s.q[i] + step * s.qdot[i];
      }
      for (int i = 0; i < s.n; i++) {
        p[i] = s.p[i] + step * s.pdot[i];
      }
      sb_tree_place(s.tree, q, s.scratch);
      sb_tree_boost(s.tree, p, s.scratch, g[k]);
    }
    const double size = 1 + largest(gdot, s.n);
    for (int i = 0; i < s.n; i++) {
      assert_near(gdot[i], (g[1][i] - g[0][i]) / (2 * h), 1e-6 * size);
    }
    specimen_finish(&s);
  }
}

/** What is hinged to the world, and what only shifts, has nothing to take off. */
static void what_drifts(void **state) {
  static const char *const kinds[3][3] = {{"revolute", "translational", "revolute"},
                                          {"prismatic", "prismatic", "translational"},
                                          {"prismatic", "prismatic", "revolute"}};
  (void)state;
  for (int k = 0; k < 3; k++) {
    specimen s = {.count = 3};
    for (int i = 0; i < 3; i++) {
      s.body[i] = uniform_body(kinds[k][i], i - 1);
    }
    specimen_start(&s);
    assert_int_equal(sb_tree_drifts(s.tree), k == 2);
    specimen_finish(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_common_velocity_changes_nothing_but_what_is_common),
      cmocka_unit_test(rates_are_derivatives),
      cmocka_unit_test(what_drifts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
