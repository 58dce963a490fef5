// SPDX-License-Identifier: GPL-3.0-or-later
// What the equations of Stramigioli and Duindam say of the points of a contact, between those of test_equations.c:
// the wrench of a load of the patch (9), tensors at p1 and p2 carried to c (19), their normal part (21), the stretches
// in which the energy is that of unit springs (23), the dampers of the two bodies (27). Nothing of these uses an adjoint
// or an inverse here: bodies are displaced by matrix exponentials, springs and dampers of both bodies are in
// equilibrium, the eigenproblem is solved by turning until it is diagonal, and curvatures are differences of places.
#include "tests/random_contact.h"

/** H = exp(h [w^ v; 0 0]) by its series. */
static void displacement(sb_twist T, double h, double H[4][4]) {
  const double X[4][4] = {{0, -h * T.angular.z, h * T.angular.y, h * T.linear.x},
                          {h * T.angular.z, 0, -h * T.angular.x, h * T.linear.y},
                          {-h * T.angular.y, h * T.angular.x, 0, h * T.linear.z},
                          {0, 0, 0, 0}};
  double term[4][4], next[4][4];
  for (int i = 0; i < 16; i++) {
    term[i / 4][i % 4] = H[i / 4][i % 4] = i / 4 == i % 4;
  }
  for (int order = 1; order < 20; order++) {
    for (int i = 0; i < 16; i++) {
      next[i / 4][i % 4] = 0;
      for (int k = 0; k < 4; k++) {
        next[i / 4][i % 4] += term[i / 4][k] * X[k][i % 4] / order;
      }
    }
    memcpy(term, next, sizeof term);
    for (int i = 0; i < 16; i++) {
      H[i / 4][i % 4] += term[i / 4][i % 4];
    }
  }
}

static sb_vec3 moved(double H[4][4], sb_vec3 x, double place) {
  const double p[4] = {x.x, x.y, x.z, place};
  double out[3] = {0, 0, 0};
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 4; k++) {
      out[i] += H[i][k] * p[k];
    }
  }
  return sb_vec3_load(out);
}

/** How two bodies are seen to move against each other where both are at p: their points there along e1, e2 and n, and
 *  what is marked along e1 about n. Differences of displacements over six times. */
static void seen(const sb_twist T[2], const sb_vec3 e[3], sb_vec3 p, double t[4]) {
  static const double weight[3] = {45.0 / 60, -9.0 / 60, 1.0 / 60}, step = 2e-3; // [s]
  memset(t, 0, 4 * sizeof *t);
  for (int k = -3; k <= 3; k++) {
    if (k == 0) {
      continue;
    }
    const double w = (k < 0 ? -1 : 1) * weight[abs(k) - 1] / step;
    sb_vec3 point[2], mark[2];
    for (int i = 0; i < 2; i++) {
      double H[4][4];
      displacement(T[i], k * step, H);
      point[i] = moved(H, p, 1);
      mark[i] = moved(H, e[0], 0);
    }
    for (int j = 0; j < 3; j++) {
      t[j] += w * sb_vec3_dot(e[j], sb_vec3_sub(point[1], point[0]));
    }
    t[3] += w * sb_vec3_dot(e[2], sb_vec3_cross(mark[0], mark[1]));
  }
}

static sb_vec3 symmetric(const double diagonal[3], const double beside[3], sb_vec3 x) {
  return (sb_vec3){diagonal[0] * x.x + beside[0] * x.y + beside[1] * x.z,
                   beside[0] * x.x + diagonal[1] * x.y + beside[2] * x.z,
                   beside[1] * x.x + beside[2] * x.y + diagonal[2] * x.z};
}

/** By conjugate gradients: u with T u = f for a tensor of a body, in world axes. */
static sb_vec3 yields(const double diagonal[3], const double beside[3], sb_mat3 R, sb_vec3 f) {
  sb_vec3 u = {0, 0, 0}, r = sb_mat3_apply_transposed(R, f), p = r;
  for (int k = 0; k < 12; k++) {
    const sb_vec3 Tp = symmetric(diagonal, beside, p);
    const double rr = sb_vec3_dot(r, r), a = rr / sb_vec3_dot(p, Tp);
    if (!(rr > 0)) {
      break;
    }
    u = sb_vec3_axpy(u, a, p);
    r = sb_vec3_axpy(r, -a, Tp);
    p = sb_vec3_axpy(r, sb_vec3_dot(r, r) / rr, p);
  }
  return sb_mat3_apply(R, u);
}

static sb_vec3 spring_yields(const scene *s, int body, sb_vec3 f) {
  const sb_material *m = &s->material[body];
  return yields(m->stiffness, m->stiffness_coupling, s->pose[body].rotation, f);
}

/** The push [N] of two springs in a row that are compressed by the depth together. */
static double push_of(const scene *s) {
  double way = 0; // [m] of a push of 1 N
  for (int i = 0; i < 2; i++) {
    way += sb_vec3_dot(s->n, spring_yields(s, i, s->n));
  }
  return s->depth / way;
}

/** Where they meet: body 1 is pressed in from p1 by what its own spring yields. */
static sb_vec3 meeting_point(const scene *s) {
  const double way = push_of(s) * sb_vec3_dot(s->n, spring_yields(s, 0, s->n));
  return sb_vec3_axpy(s->p1, -way, s->n);
}

static void axes_of(const scene *s, sb_vec3 e[3]) {
  e[2] = s->n;
  sb_tangent_basis(s->n, &e[0], &e[1]);
}

static sb_twist unit_twist(int component) {
  double t[6] = {0};
  t[component] = 1;
  return sb_twist_load(t);
}

/** (9), the dual of (8): the wrench of each body has with every twist the power that the loads of the patch have with the
 *  motions that are seen at c, and none apart; in the operator form and in the kernel form. */
static void projected_wrench(void **state) {
  (void)state;
  for (int trial = 0; trial < TRIALS; trial++) {
    const int slips = trial % 2, mode = trial / 2 % 3, loads = slips ? 4 : 8;
    const scene s = random_scene(slips, true);
    stage g;
    sb_at at = at_of(&g, &s, mode);
    const sb_element_type *kind = sb_catalog_find(kinds[slips]);
    assert_int_equal(kind->structure->forward(&s.data, &at, g.y), 0);
    assert_int_equal(kind->structure->adjoint(&s.data, &at, g.y), 0);
    const sb_vec3 c = meeting_point(&s), still = {0, 0, 0};
    sb_vec3 e[3];
    double t[4], effort[20], flow[20];
    axes_of(&s, e);
    for (int j = 0; j < 12; j++) {
      sb_twist T[2] = {{still, still}, {still, still}};
      double power = 0;
      T[j / 6] = unit_twist(j % 6);
      seen(T, e, c, t);
      for (int k = 0; k < loads; k++) {
        power += mode == APART ? 0 : g.in[12 + k] * t[k % 4];
      }
      assert_near(g.y[j] + power, 0, 1e-11); // no power is left over
    }
    seen((sb_twist[]){sb_twist_load(g.in), sb_twist_load(g.in + 6)}, e, c, t);
    memcpy(effort, g.y, 12 * sizeof *effort);
    memcpy(flow, g.in, 12 * sizeof *flow);
    for (int k = 0; k < loads; k++) {
      effort[12 + k] = g.in[12 + k];
      flow[12 + k] = mode == APART ? 0 : t[k % 4];
      assert_near(g.y[12 + k], flow[12 + k], 1e-11);
    }
    sb_dirac d;
    load_kernel(kind, &at, (int[]){6, 6, 4, 4}, slips ? 3 : 4, &d);
    assert_near(dirac_kernel_residual(&d, effort, flow), 0, 1e-12);
    dirac_finish(&d);
  }
}

/** (19): a motion of the patch, along e1, e2 and n and about n, is the same seen at p1, at p2 and at c, and so are
 *  its loads, the powers of the wrench: whatever tensor is given at p1 or p2 is the same at c. */
static void tensors_at_c(void **state) {
  (void)state;
  for (int trial = 0; trial < TRIALS; trial++) {
    const int mode = trial % 3;
    const scene s = random_scene(true, true);
    stage g;
    sb_at at = at_of(&g, &s, mode);
    sb_vec3 e[3];
    axes_of(&s, e);
    const sb_vec3 p[3] = {s.p1, sb_vec3_axpy(s.p1, -s.depth, s.n), meeting_point(&s)};
    const double patch[4] = {g.in[12], g.in[13], g.in[14], g.in[15]};
    const sb_vec3 w =
        sb_vec3_scale(e[2], patch[3]); // of body 2, about the line of the closest points
    sb_vec3 v = sb_vec3_cross(s.p1, w);
    for (int k = 0; k < 3; k++) {
      v = sb_vec3_axpy(v, patch[k], e[k]);
    }
    const sb_twist common = sb_twist_load(g.in);
    sb_vec3_store(g.in + 6, sb_vec3_add(common.angular, w));
    sb_vec3_store(g.in + 9, sb_vec3_add(common.linear, v));
    assert_int_equal(sb_kind_contact_slipping.structure->forward(&s.data, &at, g.y), 0);
    assert_int_equal(sb_kind_contact_slipping.structure->adjoint(&s.data, &at, g.y), 0);
    for (int i = 0; i < 3; i++) {
      double t[4];
      seen((sb_twist[]){common, sb_twist_load(g.in + 6)}, e, p[i], t);
      for (int k = 0; k < 4; k++) {
        const sb_vec3 along = k < 3 ? e[k] : (sb_vec3){0, 0, 0};
        const sb_vec3 about = k < 3 ? (sb_vec3){0, 0, 0} : e[2];
        const sb_twist unit = {about, sb_vec3_add(along, sb_vec3_cross(p[i], about))};
        assert_near(t[k], patch[k], 1e-11);
        assert_near(g.y[12 + k], mode == APART ? 0 : patch[k], 1e-11);
        assert_near(sb_power(sb_wrench_load(g.y), unit), mode == APART ? 0 : g.in[12 + k], 1e-11);
      }
    }
  }
}

/** The frame of a contact, as the structure tells it to its parts, held: the springs do not turn with the bodies. */
static void frame_of(const scene *s, int mode, stage *g, sb_contact_frame *frame) {
  const sb_at at = at_of(g, s, mode);
  assert_int_equal(sb_kind_contact.structure->forward(&s->data, &at, g->y), 0);
  *frame = g->frame;
  frame->spin = (sb_vec3){0, 0, 0};
}

/** A unit of time of the flow v: what the springs give then, and their energy. */
static void stretch(const scene *s, const sb_contact_frame *frame, const double v[4], double W[4],
                    double *energy) {
  const sb_contact_elastic_data d = {.skin = s->data.skin, .law = s->data.law};
  const sb_storage_hooks *h = sb_kind_contact_elastic.storage;
  const double *signals[] = {(const double *)(const void *)frame};
  double x[4] = {0}, xdot[4], own[SB_LOAD_COUNT];
  sb_at at = {.x = x, .in = v, .signals = signals, .own = own};
  assert_int_equal(h->rate(&d, &at, xdot), 0);
  at.x = xdot;
  assert_int_equal(h->output(&d, &at, W), 0);
  *energy = h->energy(&d, &at);
}

/** Springs of both bodies that carry the same loads: ways of (19) and (20) along the plane, of the normal part (21), and
 *  the point (22) where they meet, at which the bodies feel the wrench. */
static void springs_in_equilibrium(void **state) {
  (void)state;
  for (int trial = 0; trial < TRIALS; trial++) {
    const int mode = trial % 3;
    const scene s = random_scene(false, true);
    const double touching = mode != APART, turn = random_in(-0.1, 0.1);
    const double load[2] = {random_in(-9, 9), random_in(-9, 9)}, push = push_of(&s);
    stage g;
    sb_contact_frame frame;
    frame_of(&s, mode, &g, &frame);
    sb_vec3 e[3];
    axes_of(&s, e);
    const sb_vec3 f = sb_vec3_axpy(sb_vec3_scale(e[0], load[0]), load[1], e[1]);
    double v[4] = {0, 0, 0, 0}, W[4], V, stored = 0.5 * push * s.depth;
    for (int i = 0; i < 2; i++) {
      const sb_vec3 way = spring_yields(&s, i, f);
      v[0] += sb_vec3_dot(e[0], way);
      v[1] += sb_vec3_dot(e[1], way);
      v[3] += turn / s.material[i].spin_stiffness;
      stored += 0.5 * sb_vec3_dot(f, way) + 0.5 * turn * turn / s.material[i].spin_stiffness;
    }
    stretch(&s, &frame, v, W, &V);
    assert_near(W[0], touching * load[0], 1e-11);
    assert_near(W[1], touching * load[1], 1e-11);
    assert_near(W[2], -touching * push, 1e-11);
    assert_near(W[3], touching * turn, 1e-14);
    assert_near(V, touching * stored, 1e-13);
    memcpy(g.in + 12, W, sizeof W);
    memset(g.in + 16, 0, sizeof W);
    const sb_at at = {
        .in = g.in, .signals = g.signals, .own = (double *)(void *)&g.frame, .mode = mode};
    assert_int_equal(sb_kind_contact.structure->adjoint(&s.data, &at, g.y), 0);
    const sb_vec3 pressed = sb_vec3_scale(sb_vec3_axpy(f, -push, s.n), touching);
    const sb_vec3 about =
        sb_vec3_axpy(sb_vec3_cross(meeting_point(&s), pressed), touching * turn, s.n);
    assert_near(sb_vec3_norm(sb_vec3_sub(sb_vec3_load(g.y + 3), pressed)), 0, 1e-11);
    assert_near(sb_vec3_norm(sb_vec3_sub(sb_vec3_load(g.y), about)), 0, 1e-11);
  }
}

/** K_t on e1, e2: the inverse of what both springs yield. */
static void plane_stiffness(const scene *s, const sb_vec3 e[3], double K[2][2]) {
  double C[2][2] = {{0, 0}, {0, 0}};
  for (int k = 0; k < 4; k++) {
    for (int i = 0; i < 2; i++) {
      C[k / 2][k % 2] += sb_vec3_dot(e[k / 2], spring_yields(s, i, e[k % 2]));
    }
  }
  const double det = C[0][0] * C[1][1] - C[0][1] * C[1][0];
  K[0][0] = C[1][1] / det, K[1][1] = C[0][0] / det;
  K[0][1] = K[1][0] = -C[0][1] / det;
}

/** The relative curvature along t [1/m]: twice the gap over the common tangent plane by the square of the way. */
static double curvature(const scene *s, sb_vec3 t) {
  const double way = 1e-4;
  double rise = 0;
  for (int side = -1; side <= 1; side += 2) {
    const sb_vec3 step = sb_vec3_scale(t, side * way);
    rise += sagitta(s, 0, s->p1, s->n, step) +
            sagitta(s, 1, sb_vec3_axpy(s->p1, -s->depth, s->n), sb_vec3_neg(s->n), step);
  }
  return rise / (way * way * sb_vec3_dot(t, t));
}

static double form(double T[2][2], const double u[2], const double v[2]) {
  return u[0] * (T[0][0] * v[0] + T[0][1] * v[1]) + u[1] * (T[1][0] * v[0] + T[1][1] * v[1]);
}

/** U^T K U = 1 with U^T R U diagonal: two directions that are of length 1 and normal to each other by K are turned
 *  until their curvature is none. At a quarter of a turn that has changed its sign. */
static void principal_stretches(double K[2][2], double R[2][2], double U[2][2]) {
  double a[2] = {1 / sqrt(K[0][0]), 0}, b[2] = {-K[0][1] / K[0][0], 1};
  const double length = sqrt(form(K, b, b));
  b[0] /= length, b[1] /= length;
  double low = 0, high = pi / 2, sign = form(R, a, b);
  for (int k = 0; k < 60; k++) {
    const double turn = 0.5 * (low + high), c = cos(turn), s = sin(turn);
    for (int i = 0; i < 2; i++) {
      U[0][i] = c * a[i] + s * b[i];
      U[1][i] = c * b[i] - s * a[i];
    }
    *(form(R, U[0], U[1]) * sign > 0 ? &low : &high) = turn;
  }
}

/** (23), and by it (24)-(26): the directions t_x, t_y with R t = lambda K t, of unit stiffness, are those in which the energy is
 *  that of unit springs, V = |q|^2/2 with v = q_x t_x + q_y t_y. The springs of the contact take other directions: their
 *  map N of v has N t_x and N t_y at a right angle and of length 1, so that energy and loads are the same. */
static void unit_springs(void **state) {
  (void)state;
  for (int trial = 0; trial < TRIALS; trial++) {
    const int mode = trial % 3;
    const scene s = random_scene(false, true);
    stage g;
    sb_contact_frame frame;
    frame_of(&s, mode, &g, &frame);
    sb_vec3 e[3];
    axes_of(&s, e);
    double K[2][2], R[2][2], U[2][2], W[4], V, normal;
    plane_stiffness(&s, e, K);
    const double q[2] = {random_in(-0.3, 0.3), random_in(-0.3, 0.3)};
    R[0][0] = curvature(&s, e[0]), R[1][1] = curvature(&s, e[1]);
    R[0][1] = R[1][0] = curvature(&s, sb_vec3_add(e[0], e[1])) - 0.5 * (R[0][0] + R[1][1]);
    principal_stretches(K, R, U);
    assert_near(form(R, U[0], U[1]), 0, 1e-12);
    double v[4] = {q[0] * U[0][0] + q[1] * U[1][0], q[0] * U[0][1] + q[1] * U[1][1], 0, 0};
    stretch(&s, &frame, v, W, &V);
    stretch(&s, &frame, (double[]){0, 0, 0, 0}, (double[4]){0}, &normal);
    if (mode == APART) {
      assert_true(W[0] == 0 && W[1] == 0 && V == 0);
      continue;
    }
    assert_near(V - normal, 0.5 * (q[0] * q[0] + q[1] * q[1]), 1e-13);
    for (int k = 0; k < 2; k++) { // t_k is of one metre under 1 N
      assert_near(W[0] * U[k][0] + W[1] * U[k][1], q[k], 1e-13);
      for (int j = 0; j < 2; j++) {
        const double *N = frame.skin.map, k_t = s.data.skin.k_t;
        const double a[2] = {N[0] * U[k][0] + N[1] * U[k][1], N[1] * U[k][0] + N[2] * U[k][1]};
        const double b[2] = {N[0] * U[j][0] + N[1] * U[j][1], N[1] * U[j][0] + N[2] * U[j][1]};
        assert_near(k_t * (a[0] * b[0] + a[1] * b[1]), k == j, 1e-12);
      }
    }
    // the curvatures by which the directions were found are those that the contact has
    for (int k = 0; k < 2; k++) {
      const sb_mat3 L = sb_mat3_add(frame.points.shape1, frame.points.shape2);
      assert_near_relative(R[k][k], sb_vec3_dot(e[k], sb_mat3_apply(L, e[k])), 1e-5);
    }
  }
}

/** (27), and by it (28): dampers B_1 and B_2 of the bodies under one load, each with its own part of the motion. What both
 *  dissipate is what the damper of the contact does. Where the clamp holds the normal force at zero, that damper takes
 *  the push of the springs instead. */
static void dampers_in_equilibrium(void **state) {
  (void)state;
  for (int trial = 0; trial < TRIALS; trial++) {
    const int mode = trial % 3;
    const scene s = random_scene(false, true);
    const double touching = mode != APART;
    stage g;
    sb_contact_frame frame;
    frame_of(&s, mode, &g, &frame);
    const sb_contact_damper_data d = {.skin = s.data.skin, .law = s.data.law};
    sb_vec3 e[3];
    axes_of(&s, e);
    double load[4], v[4] = {0, 0, 0, 0}, W[4], heat = 0, power = 0;
    for (int k = 0; k < 4; k++) {
      load[k] = random_in(-2, 2);
    }
    const sb_vec3 f = sb_vec3_axpy(sb_vec3_scale(e[0], load[0]), load[1], e[1]);
    for (int i = 0; i < 2; i++) { // along the plane and along the normal each by itself
      const sb_material *m = &s.material[i];
      const sb_mat3 R = s.pose[i].rotation;
      const sb_vec3 along = yields(m->damping, m->damping_coupling, R, f);
      const double pressed =
          load[2] * sb_vec3_dot(s.n, yields(m->damping, m->damping_coupling, R, s.n));
      const double turned = load[3] / m->spin_damping;
      v[0] += sb_vec3_dot(e[0], along);
      v[1] += sb_vec3_dot(e[1], along);
      v[2] += pressed;
      v[3] += turned;
      heat += sb_vec3_dot(f, along) + load[2] * pressed + load[3] * turned;
    }
    const double *signals[] = {(const double *)(const void *)&frame};
    const sb_at at = {.in = v, .signals = signals};
    assert_int_equal(sb_kind_contact_damper.dissipation->law(&d, &at, SB_EFFORT, W), 0);
    if (mode == PULLING) {
      heat += (push_of(&s) - load[2]) * v[2];
      load[2] = push_of(&s);
    }
    for (int k = 0; k < 4; k++) {
      assert_near(W[k], touching * load[k], 1e-11);
      power += W[k] * v[k];
    }
    assert_near(power, touching * heat, 1e-11);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(projected_wrench),       cmocka_unit_test(tensors_at_c),
      cmocka_unit_test(springs_in_equilibrium), cmocka_unit_test(unit_springs),
      cmocka_unit_test(dampers_in_equilibrium),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
