// SPDX-License-Identifier: GPL-3.0-or-later
// The equations of Stramigioli and Duindam that the contact implements, each against an independent evaluation at
// random ellipsoids that are built around known closest points. (5)-(7), (10)-(12) and their composition:
// test_dirac.c; (9), (19) to (25), (27), (28) of tensors: test_equations_at_points.c, test_tensor.c; motion of the points:
// test_closest.c.
#include "tests/near.h"

#include <gsl/gsl_linalg.h>

#include "contact/slip.h"
#include "tests/random_contact.h"

/** P Ad_{H_0^c}, 4 x 6: Ad_H = [R 0; p^ R, R] (8), rows x, y, z, theta = 4, 5, 6, 3. In H_c^0 are the axes e1,
 *  e2, n and the point where springs in series meet, K_1 d_1 = K_2 d_2 with d_1 + d_2 the depth (22). */
static void projection(const scene *s, double PA[4][6]) {
  static const int rows[4] = {3, 4, 5, 2};
  const double k1 = s->material[0].stiffness[2], k2 = s->material[1].stiffness[2];
  double share = k2 / (k1 + k2), Ad[6][6] = {{0}};
  sb_vec3 e1, e2, c = sb_vec3_axpy(s->p1, -share * s->depth, s->n);
  sb_tangent_basis(s->n, &e1, &e2);
  const double R[3][3] = {{e1.x, e1.y, e1.z}, {e2.x, e2.y, e2.z}, {s->n.x, s->n.y, s->n.z}};
  const double hat[3][3] = {{0, -c.z, c.y}, {c.z, 0, -c.x}, {-c.y, c.x, 0}}; // p = -R c
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      Ad[i][j] = Ad[3 + i][3 + j] = R[i][j];
      for (int k = 0; k < 3; k++) {
        Ad[3 + i][j] -= R[i][k] * hat[k][j]; // p^ R = -R c^
      }
    }
  }
  for (int k = 0; k < 4; k++) {
    memcpy(PA[k], Ad[rows[k]], sizeof PA[k]);
  }
}

/** (13)-(15) in the operator form, T_k = (1-s) P Ad (T_2 - T_1) (8), W_1 = (1-s) (P Ad)^T sum W_k = -W_2, in the
 *  modes apart and touching, with the ports of storage and dissipation and with that of a load that slips; and
 *  what the operators give meets the kernel form, E e + F f = 0. */
static void operators_and_kernel(void **state) {
  (void)state;
  for (int trial = 0; trial < TRIALS; trial++) {
    int slips = trial % 2, mode = trial / 2 % 3, loads = slips ? 4 : 8, n = 12 + loads;
    scene s = random_scene(slips, false);
    stage g;
    sb_at at = at_of(&g, &s, mode);
    double PA[4][6], e[20], f[20], touching = mode != APART;
    projection(&s, PA);
    const sb_element_type *kind = sb_catalog_find(kinds[slips]);
    assert_int_equal(kind->structure->forward(&s.data, &at, g.y), 0);
    assert_int_equal(kind->structure->adjoint(&s.data, &at, g.y), 0);
    for (int k = 0; k < loads; k++) {
      double T = 0;
      for (int i = 0; i < 6; i++) {
        T += touching * PA[k % 4][i] * (g.in[6 + i] - g.in[i]);
      }
      assert_near(g.y[12 + k], T, 1e-11);
      f[12 + k] = g.y[12 + k];
      e[12 + k] = g.in[12 + k];
    }
    for (int i = 0; i < 6; i++) {
      double W = 0;
      for (int k = 0; k < loads; k++) {
        W += touching * PA[k % 4][i] * g.in[12 + k];
      }
      assert_near(g.y[i], W, 1e-11);
      assert_near(g.y[6 + i], -g.y[i], 0);
    }
    memcpy(e, g.y, 12 * sizeof *e);
    memcpy(f, g.in, 12 * sizeof *f);
    sb_dirac d;
    load_kernel(kind, &at, (int[]){6, 6, 4, 4}, slips ? 3 : 4, &d);
    assert_int_equal(d.n, n);
    assert_near(dirac_kernel_residual(&d, e, f), 0, 1e-14);
    e[mode == APART ? 3 : 14] += 0.1; // the rows do say it
    assert_true(dirac_kernel_residual(&d, e, f) > 1e-3);
    dirac_finish(&d);
  }
}

/** Rows of [E F] into m (columns x rows), where component k stands at place[k]. */
static size_t put(gsl_matrix *m, size_t row, const sb_dirac *d, const int place[], double sign) {
  size_t n = m->size1 / 2;
  for (int i = 0; i < d->n; i++, row++) {
    for (int k = 0; k < d->n; k++) {
      gsl_matrix_set(m, (size_t)place[k], row, d->E[i * d->n + k]);
      gsl_matrix_set(m, n + (size_t)place[k], row, (k < 4 ? sign : 1) * d->F[i * d->n + k]);
    }
  }
  return row;
}

static int rank_of(const gsl_matrix *m) {
  size_t rows = m->size2, most = m->size1 < rows ? rows : m->size1;
  gsl_matrix *a = gsl_matrix_calloc(most, rows), *v = gsl_matrix_alloc(rows, rows);
  gsl_vector *s = gsl_vector_alloc(rows), *work = gsl_vector_alloc(rows);
  for (size_t i = 0; i < m->size1; i++) {
    for (size_t k = 0; k < rows; k++) {
      gsl_matrix_set(a, i, k, gsl_matrix_get(m, i, k));
    }
  }
  gsl_linalg_SV_decomp(a, v, s, work);
  int rank = 0;
  for (size_t i = 0; i < rows; i++) {
    rank += gsl_vector_get(s, i) > 1e-11 * gsl_vector_get(s, 0);
  }
  gsl_matrix_free(a);
  gsl_matrix_free(v);
  gsl_vector_free(s);
  gsl_vector_free(work);
  return rank;
}

/** The structure with one load, the 0-junction of load, slip and skin, and the 1-junction of skin, storage and
 *  dissipation: where nothing slips, w = 0, (13)-(15) follow from their rows. */
static void sticking_is_the_plain_structure(void **state) {
  (void)state;
  // bodies 0-11, storage 12, dissipation 16, load 20, slip 24, skin 28
  static const int span[4] = {0, 1, 2, 3}, places[3][3] = {{20, 24, 28}, {28, 12, 16}, {12, 16}};
  for (int trial = 0; trial < 12; trial++) {
    scene s = random_scene(true, false);
    stage g;
    sb_at at = at_of(&g, &s, trial % 2);
    sb_at junction = {.dim = 4};
    sb_dirac d[4]; // the structure, the junctions; the plain one
    int place[4][20];
    assert_int_equal(sb_kind_contact_slipping.structure->forward(&s.data, &at, g.y), 0);
    load_kernel(&sb_kind_contact_slipping, &at, (int[]){6, 6, 4}, 3, &d[0]);
    load_kernel(sb_catalog_find("J0"), &junction, (int[]){4, 4, 4}, 3, &d[1]);
    load_kernel(sb_catalog_find("J1"), &junction, (int[]){4, 4, 4}, 3, &d[2]);
    load_kernel(&sb_kind_contact, &at, (int[]){6, 6, 4, 4}, 4, &d[3]);
    for (int k = 0; k < 16; k++) {
      place[0][k] = k < 12 ? k : 20 + k - 12;
      place[3][k] = k;
    }
    for (int k = 16; k < 20; k++) {
      place[3][k] = k;
    }
    for (int j = 0; j < 2; j++) {
      for (int k = 0; k < 12; k++) {
        place[1 + j][k] = places[j][k / 4] + span[k % 4];
      }
    }
    for (int rows = 44; rows <= 64; rows += 20) {
      gsl_matrix *m = gsl_matrix_calloc(64, (size_t)rows);
      size_t row = put(m, 0, &d[0], place[0], 1);
      row = put(m, row, &d[1], place[1], -1);
      row = put(m, row, &d[2], place[2], -1);
      for (size_t k = 0; k < 4; k++) {
        gsl_matrix_set(m, 32 + 24 + k, row++, 1); // w = 0
      }
      if (rows == 64) {
        (void)put(m, row, &d[3], place[3], 1);
      }
      assert_int_equal(rank_of(m), 44);
      gsl_matrix_free(m);
    }
    for (int i = 0; i < 4; i++) {
      dirac_finish(&d[i]);
    }
  }
}

/** The gap over the common tangent plane is t.(L1 + L2) t/2 (17), (18), and the radii are not added. */
static void relative_curvature(void **state) {
  (void)state;
  for (int trial = 0; trial < TRIALS; trial++) {
    scene s = random_scene(false, false);
    sb_closest c;
    sb_closest_points(&s.data.surface[0], &s.pose[0], &s.data.surface[1], &s.pose[1], &s.n, &c);
    assert_near(c.gap, -s.depth, 1e-14);
    sb_vec3 p2 = sb_vec3_axpy(s.p1, -s.depth, s.n), back = sb_vec3_scale(s.n, -1);
    sb_vec3 t = sb_vec3_scale(sb_vec3_normalize(sb_vec3_cross(s.n, random_vector(1))), 1e-4);
    double rise = 0; // the mean of both sides: without the cubic term
    for (int side = 0; side < 2; side++, t = sb_vec3_scale(t, -1)) {
      rise += 0.5 * (sagitta(&s, 0, s.p1, s.n, t) + sagitta(&s, 1, p2, back, t));
    }
    double form = 0.5 * sb_vec3_dot(t, sb_mat3_apply(sb_mat3_add(c.shape1, c.shape2), t));
    assert_near_relative(rise, form, 2e-5);
  }
}

// ---- elastic and viscous part, slip

static sb_contact_frame random_frame(void) {
  sb_contact_frame frame = {.active = 1, .gap = -random_in(1e-3, 0.02), .pushing = 1};
  frame.pose = (sb_pose){random_rotation(), random_vector(1)};
  frame.spin = random_vector(3);
  double a = random_in(0.6, 1.4), c = random_in(0.6, 1.4), b = random_in(-0.5, 0.5);
  frame.skin = (sb_contact_skin){.k_t = 1710,
                                 .k_n = 2385,
                                 .k_theta = 1.3,
                                 .b_t = 17,
                                 .b_n = 23,
                                 .b_theta = 0.019,
                                 .map = {a, b, c},
                                 .spin_map = 0.83,
                                 .drag = {31 * a, 31 * b, 31 * c}};
  return frame;
}

/** Whatever N is and however it turns, dV/dt = W.T with W = N^T dV(q) and qdot = N T (24)-(26). */
static void storage_is_lossless(void **state) {
  (void)state;
  const sb_storage_hooks *h = sb_kind_contact_elastic.storage;
  const double step = 1e-4; // [s]
  for (int trial = 0; trial < TRIALS; trial++) {
    sb_contact_frame frame = random_frame();
    sb_contact_elastic_data d = {.skin = frame.skin, .law = sb_contact_law_defaults()};
    d.law.exponent = random_in(1, 2);
    sb_vec3 s = sb_mat3_apply(frame.pose.rotation,
                              (sb_vec3){random_in(-0.02, 0.02), random_in(-0.02, 0.02), 0});
    double x[4] = {s.x, s.y, s.z, random_in(-1, 1)}, rate[4], own[SB_LOAD_COUNT], W[5], T[4], V[2],
           power = 0;
    for (int k = 0; k < 4; k++) {
      T[k] = random_in(-0.3, 0.3);
    }
    const double *signals[] = {(const double *)(const void *)&frame};
    sb_at at = {.x = x, .in = T, .signals = signals, .own = own};
    assert_int_equal(h->output(&d, &at, W), 0);
    assert_int_equal(h->rate(&d, &at, rate), 0);
    for (int k = 0; k < 4; k++) {
      power += W[k] * T[k];
    }
    double gap = frame.gap;
    for (int side = 0; side < 2; side++) {
      double there[4], ahead = side == 0 ? -step : step;
      for (int k = 0; k < 4; k++) {
        there[k] = x[k] + ahead * rate[k];
      }
      frame.gap = gap + ahead * T[2];
      at.x = there;
      V[side] = h->energy(&d, &at);
    }
    assert_near(power, (V[1] - V[0]) / (2 * step), 1e-5);
  }
}

/** B_H = |gap|^n B, B of dampers in series (28)-(30) in the form that is passive: e.f = f.B_H f >= 0. */
static void damping_is_passive(void **state) {
  (void)state;
  for (int trial = 0; trial < TRIALS; trial++) {
    sb_contact_frame frame = random_frame();
    sb_contact_damper_data d = {.skin = frame.skin, .law = sb_contact_law_defaults()};
    d.law.normal = sb_normal_law_find("hunt-crossley");
    d.law.exponent = random_in(1, 2);
    d.law.slips = trial % 2;
    assert_int_equal(sb_contact_law_complete(&d.law, NULL, NULL), SB_OK);
    const double *signals[] = {(const double *)(const void *)&frame}, *m = frame.skin.drag;
    double f[4], e[4], power = 0, scale = pow(-frame.gap, d.law.exponent);
    double plane =
        d.law.slips ? 1 : scale; // the springs that slip have a damper that does not vanish
    for (int k = 0; k < 4; k++) {
      f[k] = random_in(-2, 2);
    }
    sb_at at = {.in = f, .signals = signals};
    assert_int_equal(sb_kind_contact_damper.dissipation->law(&d, &at, SB_EFFORT, e), 0);
    const double B[4][4] = {{m[0] * plane, m[1] * plane, 0, 0},
                            {m[1] * plane, m[2] * plane, 0, 0},
                            {0, 0, 23 * scale, 0},
                            {0, 0, 0, 0.019 * plane}};
    for (int i = 0; i < 4; i++) {
      double want = 0;
      for (int j = 0; j < 4; j++) {
        want += B[i][j] * f[j];
      }
      assert_near(e[i], want, 1e-12);
      power += e[i] * f[i];
    }
    assert_true(power >= 0);
  }
}

/** Springs of one time constant each with its damper in series, K_1 x_1 + B_1 x_1' = K_2 x_2 + B_2 x_2' and
 *  x_1 + x_2 = x: what they transmit is K x + B x' of (20) and (28). */
static void series_of_skins(void **state) {
  (void)state;
  for (int trial = 0; trial < TRIALS; trial++) {
    sb_contact_data data = {.law = sb_contact_law_defaults()};
    sb_contact_spec spec = {.body = {"a", "b"}};
    sb_error err = {0};
    double k[2] = {random_in(100, 3000), random_in(100, 3000)}, tau = random_in(1e-3, 1e-1);
    for (int i = 0; i < 2; i++) {
      spec.material[i] = (sb_material){.stiffness = {k[i], k[i], k[i]},
                                       .spin_stiffness = k[i],
                                       .damping = {tau * k[i], tau * k[i], tau * k[i]},
                                       .spin_damping = tau * k[i]};
    }
    ok(sb_contact_skin_combine(&spec, &data, &err), &err);
    double x = 0.0137, v = -0.31, share = k[1] / (k[0] + k[1]); // of x in the first
    double first = k[0] * share * x + tau * k[0] * share * v;
    double second = k[1] * (1 - share) * x + tau * k[1] * (1 - share) * v;
    assert_near_relative(first, second, 1e-12);
    assert_near_relative(data.skin.k_t * x + data.skin.b_t * v, first, 1e-12);
    assert_near_relative(data.skin.k_n * x + data.skin.b_n * v, first, 1e-12);
    assert_near_relative(data.skin.k_theta * x + data.skin.b_theta * v, first, 1e-12);
  }
}

/** Energy of the springs V = s.K s/2 against S = (mu f_n)^2/(2 k_t) (31)-(33): with k_theta = r^2 k_t it is above S
 *  where the loads K s are outside their limit surface, and nowhere else. */
static void slip_by_energy(void **state) {
  (void)state;
  int outside = 0;
  for (int trial = 0; trial < 10000; trial++) {
    double radius = random_in(0.001, 0.05), k_t = random_in(100, 5000), limit = random_in(0, 30);
    double s[3] = {random_in(-0.01, 0.01), random_in(-0.01, 0.01), random_in(-0.3, 0.3)};
    double K[3] = {k_t, k_t, radius * radius * k_t}, load[3], w[3], V = 0, dissipated = 0;
    const double B[3] = {0.01 * K[0], 0.01 * K[1], 0.01 * K[2]};
    for (int i = 0; i < 3; i++) {
      load[i] = K[i] * s[i];
      V += 0.5 * K[i] * s[i] * s[i];
    }
    double S = limit * limit / (2 * k_t);
    assert_int_equal(V > S, sb_slip_size(load, radius) > limit);
    sb_slip_flow(load, B, radius, limit, w);
    for (int i = 0; i < 3; i++) {
      dissipated += w[i] * (load[i] - B[i] * w[i]);
    }
    assert_int_equal(V > S, dissipated > 0);
    outside += V > S;
  }
  assert_in_range(outside, 1000, 9000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(operators_and_kernel), cmocka_unit_test(sticking_is_the_plain_structure),
      cmocka_unit_test(relative_curvature),   cmocka_unit_test(storage_is_lossless),
      cmocka_unit_test(damping_is_passive),   cmocka_unit_test(series_of_skins),
      cmocka_unit_test(slip_by_energy),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
