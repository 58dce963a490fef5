// SPDX-License-Identifier: GPL-3.0-or-later
// The projection on the constraints of a mechanism: what is rounding of the momenta violates none, and what is not is met by
// an impulse. Against the closed form of a cart on a rail that carries a rod, whose joint is locked.
#include "tests/fixture.h"

#include "core/model/constraints.h"
#include "core/model/rhs.h"
#include "core/simulation/simulation_private.h"

/** With the speeds (v, w) of cart and joint, M = (M11, M12; M12, M22), p = M (v, w); the lock is w = 0. */
static const double M = 2.3, m = 1.7, l = 0.8, J = 0.9, q = 0.4, v = -0.24;

static run cart(void) {
  return start("<mechanism><body id='cart' mass='2.3 kg' inertia='0.8 1.1 1.2 kg.m^2'/>"
               "<body id='rod' mass='1.7 kg' inertia='0.6 0.7 0.9 kg.m^2'/>"
               "<joint id='s' parent='world' child='cart' kind='prismatic' axis='1 0 0' v0='-0.24 "
               "m/s'/><joint id='j' parent='cart' child='rod' child-at='0 0.8 0 m' "
               "kind='revolute' axis='0 0 1' q0='0.4 rad' locked='yes'/></mechanism>",
               1e-10, 1e-12);
}

enum { P1 = 2, P2 = 3 }; // the states are two places and two momenta

/** w = g.p with g = (-M12, M11)/det M, of two terms that cancel: M12 M11 v/det each, which are its size. */
static void size_of_a_locked_joint(void **state) {
  (void)state;
  const double M11 = M + m, M12 = m * l * cos(q), det = M11 * (J + m * l * l) - M12 * M12;
  run r = cart();
  sb_workspace *work = r.sim->work;
  assert_near_relative(r.sim->x[P1], M11 * v, 1e-14);
  assert_near_relative(r.sim->x[P2], M12 * v, 1e-14);
  assert_int_equal(sb_workspace_evaluate(work, 0, r.sim->x), 0);
  assert_int_equal(work->program->causality.constraint_count, 1);
  const sb_constraint_row *row =
      sb_constraint_row_at(sb_constraint_groups_of(work), work, 0, r.sim->x, true);
  const double factor = row->gradient[P2] * det / M11; // of the constraint: 1 or -1
  assert_near(fabs(factor), 1, 1e-13);
  assert_near(row->gradient[P1], -factor * M12 / det, 1e-13);
  assert_near_relative(row->momenta, 2 * fabs(M12 * M11 * v) / det, 1e-12);
  assert_near(row->residual, 0, 4 * DBL_EPSILON * row->momenta);
  stop(&r);
}

/** Projects the state with p2 as stated; -1: it was on the constraint. */
static int project(run *r, double p2, double x[]) {
  int violated;
  memcpy(x, r->sim->x, (size_t)sb_vector_count(r->sim->network) * sizeof *x);
  x[P2] = p2;
  sb_workspace_changed(r->sim->work);
  assert_int_equal(sb_workspace_evaluate(r->sim->work, 0, x), 0);
  assert_int_equal(sb_workspace_project(r->sim->work, 0, x, &violated), SB_OK);
  return violated;
}

/** A momentum and its neighbours are one state; one that is off by 1e-9 of itself is not, and the lock, whose impulse is on
 *  p2 alone, brings it to M12/M11 p1. */
static void rounding_is_no_violation(void **state) {
  (void)state;
  double x[20];
  run r = cart();
  const double p1 = r.sim->x[P1], p2 = m * l * cos(q) / (M + m) * p1;
  const int part = r.sim->network->part_of[0];
  double near = p2;
  assert_true(sb_vector_count(r.sim->network) <= 20);
  for (int ulps = 0; ulps < 16; ulps++, near = nextafter(near, INFINITY)) {
    assert_int_equal(project(&r, near, x), -1);
    assert_near_relative(x[P2], near, 16 * DBL_EPSILON);
    assert_false(sb_constraints_struck(r.sim->work, part));
  }
  for (double off = 1e-11; off < 10; off *= 100) {
    assert_int_equal(project(&r, p2 * (1 + off), x), 0);
    assert_true(sb_constraints_struck(r.sim->work, part));
    assert_false(sb_constraints_struck(r.sim->work, part + 1));
    assert_near(x[P1], p1, 0);
    assert_near_relative(x[P2], p2, 1e-14);
  }
  stop(&r);
}

/** A run that begins anew at every sample of a signal books no impact on a tree that slides with its joint locked. */
static void restarts_strike_nothing(void **state) {
  (void)state;
  run r = go(
      "<mechanism gravity='0 0 -0.25 m/s^2'><body id='a' mass='4 kg' inertia='0.8 1.1 1.2 kg.m^2' "
      "com='0.05 1.3 -0.7 m'/><body id='b' mass='2.9 kg' inertia='0.6 0.7 0.9 kg.m^2' com='-0.9 "
      "0.2 0.3 m'/><joint id='s' parent='world' child='a' child-at='-2.4 -0.3 2.6 m' "
      "kind='prismatic' axis='0.04 0.57 -0.22' v0='-0.24 m/s' stiffness='3.9 N/m'/>"
      "<joint id='j' parent='a' child='b' at='2.9 -6.2 1.5 m' child-at='7 -0.6 6 m' "
      "kind='revolute' axis='-0.9 -0.67 0.13' q0='22.6 deg' locked='yes'/></mechanism>"
      "<network><signal id='time' value='t'/><SampleHold id='h' of='time' period='0.1 "
      "s'/></network>",
      3);
  assert_int_equal(ledger_of(&r)->event_count, 0);
  assert_near(value(&r, "j.q"), 22.6 * pi / 180, 1e-14);
  stop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(size_of_a_locked_joint),
      cmocka_unit_test(rounding_is_no_violation),
      cmocka_unit_test(restarts_strike_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
