// SPDX-License-Identifier: GPL-3.0-or-later
// What joints carry: against rates of momenta by differences, and the bearing forces of a slider-crank.
#include "mechanism/reaction.h"
#include "tests/mechanism/loops.h"
#include "tests/mechanism/specimen.h"

/** The momentum about the world's origin of every body with all that it carries. */
static void momenta(const specimen *s, const double q[], sb_wrench out[]) {
  sb_pose poses[BODIES_MAX];
  place_by_exponentials(s, q, poses);
  for (int i = s->count - 1; i >= 0; i--) {
    const sb_inertia I = sb_inertia_transform(poses[i], s->body[i].inertia);
    out[i] = sb_inertia_momentum(&I, sb_tree_twist(s->tree, s->scratch, i));
  }
  for (int i = s->count - 1; i >= 0; i--) {
    if (s->body[i].parent >= 0) {
      out[s->body[i].parent] = sb_wrench_add(out[s->body[i].parent], out[i]);
    }
  }
}

/** The state a time h later with the accelerations vdot, to second order. */
static void go(specimen *s, const double vdot[], double h, double q[]) {
  double v[VELOCITIES_MAX], pdot[VELOCITIES_MAX], qdot[COORDINATES_MAX];
  for (int i = 0; i < s->n; i++) {
    v[i] = s->v[i] + h / 2 * vdot[i]; // the mean over the step
  }
  sb_tree_place(s->tree, s->q, s->scratch);
  sb_tree_move(s->tree, v, s->scratch, NULL);
  sb_tree_rates(s->tree, s->q, NULL, NULL, s->scratch, qdot, pdot);
  for (int i = 0; i < s->nq; i++) {
    q[i] = s->q[i] + h * qdot[i];
  }
  for (int i = 0; i < s->n; i++) {
    v[i] = s->v[i] + h * vdot[i];
  }
  sb_tree_place(s->tree, q, s->scratch);
  sb_tree_move(s->tree, v, s->scratch, NULL);
}

static void reactions_are_what_momenta_lack(void **state) {
  (void)state;
  const double h = 1e-5;
  for (int t = 0; t < (PLAIN ? 40 : 6); t++) {
    specimen s;
    sb_twist rates[BODIES_MAX];
    sb_wrench joints[BODIES_MAX], side[2][BODIES_MAX], given[BODIES_MAX];
    double q[COORDINATES_MAX];
    specimen_draw(&s, 3 + t % 9, NULL, 0);
    sb_tree_reactions(s.tree, s.tau, s.wrench, s.scratch, rates, joints); // tau: any accelerations
    for (int k = 0; k < 2; k++) {
      go(&s, s.tau, k == 0 ? h : -h, q);
      momenta(&s, q, side[k]);
    }
    sb_tree_place(s.tree, s.q, s.scratch);
    for (int i = s.count - 1; i >= 0; i--) {
      const sb_pose pose = sb_tree_pose(s.tree, s.scratch, i);
      const sb_inertia I = sb_inertia_transform(pose, s.body[i].inertia);
      const sb_wrench weight = {sb_vec3_cross(I.first, s.gravity),
                                sb_vec3_scale(s.gravity, I.mass)};
      given[i] = sb_wrench_add(weight, s.wrench[i]);
    }
    for (int i = s.count - 1; i >= 0; i--) {
      const sb_wrench rate =
          sb_wrench_scale(sb_wrench_add(side[0][i], sb_wrench_scale(side[1][i], -1)), 1 / (2 * h));
      const sb_wrench less =
          sb_wrench_add(sb_wrench_add(joints[i], given[i]), sb_wrench_scale(rate, -1));
      const double size = 1 + sb_vec3_norm(rate.moment) + sb_vec3_norm(rate.force);
      assert_near(sb_vec3_norm(less.force), 0, 1e-6 * size);
      assert_near(sb_vec3_norm(less.moment), 0, 1e-6 * size);
      if (s.body[i].parent >= 0) {
        given[s.body[i].parent] = sb_wrench_add(given[s.body[i].parent], given[i]);
      }
    }
    specimen_finish(&s);
  }
}

/** Along its velocities a joint carries its effort, the spring's among it; in the joint's frame a revolute's is about z. */
static void along_its_velocities_a_joint_carries_its_effort(void **state) {
  (void)state;
  static const char *const revolute[] = {"revolute", "fixed"};
  for (int t = 0; t < 20; t++) {
    specimen s;
    sb_twist rates[BODIES_MAX];
    sb_wrench joints[BODIES_MAX];
    double tau[VELOCITIES_MAX];
    specimen_draw(&s, 3 + t % 9, revolute, 2);
    sb_tree_reactions(s.tree, s.tau, s.wrench, s.scratch, rates, joints);
    sb_tree_inverse(s.tree, s.q, s.tau, s.wrench, s.scratch, tau);
    for (int i = 0; i < s.count; i++) {
      const sb_tree_joint at = sb_tree_joint_of(s.tree, i);
      if (at.velocities == 1) {
        const sb_pose frame = sb_tree_joint_pose(s.tree, s.scratch, i);
        const double spring = s.body[i].stiffness[0] * (s.q[at.coordinate] - s.body[i].rest[0]);
        assert_near(sb_wrench_transform_dual(frame, joints[i]).moment.z, tau[at.velocity] - spring,
                    1e-10 * (1 + largest(tau, s.n)));
      }
    }
    specimen_finish(&s);
  }
}

typedef struct crank_row {
  double gravity, angle; // [m/s^2] along -y, [deg]
  double torque, ground[2], rod[2], slider[2],
      y; // [N m], [N] on crank, rod, slider; guide on slider
} crank_row;

/** Crank 0.1 m 1 kg, rod 0.3 m 0.8 kg, slider 0.5 kg, at 100 rad/s: Newton's and Euler's equations in closed form. */
static const crank_row crank_rows[] = {{0,
                                        30,
                                        66.064913034635,
                                        {-1717.493254057, -228.7432860703},
                                        {-1284.480552165, 21.25671392968},
                                        {-521.1502170282, 221.2567139297},
                                        -221.2567139297},
                                       {0,
                                        90,
                                        -31.819805153395,
                                        {318.1980515339, -862.5},
                                        {318.1980515339, -362.5},
                                        {176.7766952966, 37.5},
                                        -37.5},
                                       {0,
                                        200,
                                        18.216280461824,
                                        {1456.613794794, 336.31045648},
                                        {986.7674844012, 165.3003848172},
                                        {339.3835756038, 28.49232748692},
                                        -28.49232748692},
                                       {9.81,
                                        30,
                                        66.829526863636,
                                        {-1717.493254057, -215.0092860703},
                                        {-1284.480552165, 25.18071392968},
                                        {-521.1502170282, 217.3327139297},
                                        -212.4277139297},
                                       {9.81,
                                        60,
                                        37.098293703694,
                                        {-750.4514682926, -552.9491976236},
                                        {-500.4514682926, -129.7464957314},
                                        {-166.9174823848, 208.8156657824},
                                        -203.9106657824}};

static sb_tree_body part(const char *name, const char *joint, int parent, double x, sb_vec3 axis,
                         double mass, double length) {
  const double J = mass * length * length / 12;
  return (sb_tree_body){.name = name,
                        .parent = parent,
                        .joint = sb_joint_find(joint),
                        .in_parent = {sb_mat3_identity(), {x, 0, 0}},
                        .in_body = sb_pose_identity(),
                        .axis = axis,
                        .inertia = sb_inertia_make(mass, (sb_vec3){length / 2, 0, 0},
                                                   sb_mat3_diag((sb_vec3){0, J, J}))};
}

static void bearings_of_a_driven_slider_crank(void **state) {
  (void)state;
  const sb_vec3 x = {1, 0, 0}, z = {0, 0, 1};
  const sb_tree_body bodies[3] = {part("crank", "revolute", SB_TREE_WORLD, 0, z, 1, 0.1),
                                  part("rod", "revolute", 0, 0.1, z, 0.8, 0.3),
                                  part("slider", "prismatic", SB_TREE_WORLD, 0, x, 0.5, 0)};
  const sb_closure_joint pin = {.name = "pin",
                                .joint = sb_joint_find("revolute"),
                                .parent = 1,
                                .child = 2,
                                .in_parent = {sb_mat3_identity(), {0.3, 0, 0}},
                                .in_child = sb_pose_identity(),
                                .axis = z};
  const sb_coupling_term term = {0, 1};
  const sb_coupling drive = {"drive", &term, 1,
                             0}; // keeps the crank's speed: its row is its acceleration
  for (size_t i = 0; i < sizeof crank_rows / sizeof *crank_rows; i++) {
    const crank_row *r = &crank_rows[i];
    loops l;
    double qdot[LOOPS_MAX], pdot[LOOPS_MAX];
    sb_twist rates[3];
    sb_wrench outer[3] = {{{0, 0, 0}, {0, 0, 0}}}, joints[3], closing;
    loops_make(&l, bodies, 3, (sb_vec3){0, -r->gravity, 0}, &pin, 1, &drive, 1);
    const double a = r->angle * pi / 180, b = asin(sin(a) / 3), rate = 100 * cos(a) / (3 * cos(b));
    l.q[0] = a, l.q[1] = -b - a, l.q[2] = 0.1 * cos(a) + 0.3 * cos(b);
    const double v[3] = {100, -rate - 100, -10 * sin(a) - 0.3 * sin(b) * rate};
    loops_move(&l, v);
    assert_int_equal(loops_rates(&l, l.q, l.p, qdot, pdot), 3);
    sb_closures_wrenches(l.closures, l.tree_scratch, l.lambda, outer, &closing);
    sb_tree_reactions(l.tree, l.vdot, outer, l.tree_scratch, rates, joints);
    assert_near(l.lambda[5], r->torque, 1e-8);
    assert_near(joints[0].moment.z, r->torque, 1e-8);
    assert_near(joints[0].force.x, r->ground[0], 1e-7);
    assert_near(joints[0].force.y, r->ground[1], 1e-7);
    assert_near(joints[1].force.x, r->rod[0], 1e-7);
    assert_near(joints[1].force.y, r->rod[1], 1e-7);
    assert_near(closing.force.x, r->slider[0], 1e-7);
    assert_near(closing.force.y, r->slider[1], 1e-7);
    assert_near(joints[2].force.y, r->y, 1e-7);
    assert_near(joints[2].force.x, 0, 1e-9);
    loops_finish(&l);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reactions_are_what_momenta_lack),
      cmocka_unit_test(along_its_velocities_a_joint_carries_its_effort),
      cmocka_unit_test(bearings_of_a_driven_slider_crank),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
