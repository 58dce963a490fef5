// SPDX-License-Identifier: GPL-3.0-or-later
// Skins with directions: the series combination against matrices, vibrations along the axes of the tensor in
// closed form, the energy while tensors turn with their bodies, and a stone that comes back to its place.
#include "tests/fixture.h"

#include "contact/parts.h"
#include "contact/skin_private.h"
#include "contact/tensor.h"
#include "geometry/quat.h"
#include "geometry/se3.h"

static double random_in(double low, double high) {
  return low + (high - low) * rand() / RAND_MAX;
}

static sb_vec3 random_vector(void) {
  return (sb_vec3){random_in(-1, 1), random_in(-1, 1), random_in(-1, 1)};
}

static sb_pose random_pose(sb_vec3 position) {
  sb_quat q = {random_in(-1, 1), random_in(-1, 1), random_in(-1, 1), random_in(0.1, 1)};
  return (sb_pose){sb_quat_rotation(q), position};
}

/** Positive definite: the coupling is less than the least of the diagonal. */
static sb_material directed(void) {
  sb_material m = {.axes = SB_AXES_BODY, .spin_stiffness = 0.7};
  for (int i = 0; i < 3; i++) {
    m.stiffness[i] = random_in(1000, 4000);
    m.stiffness_coupling[i] = random_in(-400, 400);
    m.damping[i] = random_in(1, 4);
    m.damping_coupling[i] = random_in(-0.4, 0.4);
  }
  return m;
}

/** @param k  [N/m] of the law, 0: that of the materials */
static sb_contact_data pair_of(sb_material a, sb_material b, sb_surface s1, sb_surface s2,
                               double k) {
  sb_contact_data s = {.surface = {s1, s2}, .law = sb_contact_law_defaults(), .hardens = true};
  sb_contact_spec spec = {.body = {"a", "b"}, .material = {a, b}};
  sb_error err = {0};
  s.law.damping_factor = 0.0031;
  s.law.stiffness = k;
  ok(sb_contact_skin_combine(&spec, &s, &err), &err);
  return s;
}

/** E^T T^-1 E and n.T^-1 n of a symmetric tensor in the axes of a body. */
static void project(const double diagonal[3], const double beside[3], sb_pose H, const sb_vec3 e[3],
                    double out[4]) {
  double T[3][3] = {{diagonal[0], beside[0], beside[1]},
                    {beside[0], diagonal[1], beside[2]},
                    {beside[1], beside[2], diagonal[2]}};
  const int index[4][2] = {{0, 0}, {0, 1}, {1, 1}, {2, 2}};
  for (int k = 0; k < 4; k++) { // T x = e_j by Cramer's rule
    sb_vec3 u = sb_mat3_apply_transposed(H.rotation, e[index[k][0]]);
    sb_vec3 v = sb_mat3_apply_transposed(H.rotation, e[index[k][1]]);
    sb_vec3 c[3] = {
        {T[0][0], T[1][0], T[2][0]}, {T[0][1], T[1][1], T[2][1]}, {T[0][2], T[1][2], T[2][2]}};
    double d = sb_vec3_dot(c[0], sb_vec3_cross(c[1], c[2]));
    sb_vec3 inverse = {sb_vec3_dot(v, sb_vec3_cross(c[1], c[2])) / d,
                       sb_vec3_dot(c[0], sb_vec3_cross(v, c[2])) / d,
                       sb_vec3_dot(c[0], sb_vec3_cross(c[1], v)) / d};
    out[k] = sb_vec3_dot(u, inverse);
  }
}

static void assert_inverse(const double K[3], const double C[3], double tolerance) {
  assert_near(K[0] * C[0] + K[1] * C[1], 1, tolerance);
  assert_near(K[0] * C[1] + K[1] * C[2], 0, tolerance);
  assert_near(K[1] * C[0] + K[2] * C[1], 0, tolerance);
  assert_near(K[1] * C[1] + K[2] * C[2], 1, tolerance);
}

/** K_t (C_1 + C_2) = 1 with K_t = k_t N^2, k_n = 1/(C1_nn + C2_nn) (20), alpha = C1_nn k_n (22), and
 *  B = (B_1^-1 + B_2^-1)^-1 + a K (28). */
static void series_of_tensors(void **state) {
  (void)state;
  for (int trial = 0; trial < 500; trial++) {
    const sb_material m[2] = {directed(), directed()};
    const sb_pose H[2] = {random_pose(random_vector()), random_pose(random_vector())};
    sb_surface ball = sb_surface_sphere(0.1, (sb_vec3){0, 0, 0});
    sb_contact_data s = pair_of(m[0], m[1], ball, ball, trial % 2 * 2385);
    sb_closest c = {.normal = sb_vec3_normalize(random_vector())};
    sb_contact_skin skin;
    assert_true(s.directed && s.directed_normal == (trial % 2 == 0));
    assert_true(sb_contact_skin_at(&s, &c, &H[0], &H[1], 0, &skin, NULL));
    sb_vec3 e[3] = {[2] = c.normal};
    sb_tangent_basis(c.normal, &e[0], &e[1]);
    double C[2][4], M[2][4], K[3], sum[3], drag[3], yield[3];
    for (int i = 0; i < 2; i++) {
      project(m[i].stiffness, m[i].stiffness_coupling, H[i], e, C[i]);
      project(m[i].damping, m[i].damping_coupling, H[i], e, M[i]);
    }
    const double *N = skin.map, k = skin.k_t, a = s.law.damping_factor;
    K[0] = k * (N[0] * N[0] + N[1] * N[1]), K[1] = k * N[1] * (N[0] + N[2]);
    K[2] = k * (N[1] * N[1] + N[2] * N[2]);
    for (int j = 0; j < 3; j++) {
      sum[j] = C[0][j] + C[1][j];
      drag[j] = skin.drag[j] - a * K[j];
      yield[j] = M[0][j] + M[1][j];
    }
    assert_inverse(K, sum, 1e-12);
    assert_inverse(drag, yield, 1e-11);
    const double both =
        C[0][3] + C[1][3]; // a stiffness of the law is no matter of where the springs meet
    assert_near_relative(skin.k_n, trial % 2 == 0 ? 1 / both : 2385, 1e-13);
    assert_near_relative(skin.alpha, C[0][3] / both, 1e-13);
    assert_near_relative(skin.b_n, 1 / (M[0][3] + M[1][3]) + a * skin.k_n, 1e-12);
  }
}

/** Where the springs of two materials meet whose law has the stiffness: by their stiffnesses; by their moduli where one has no
 *  stiffness; halfway where nothing compares them; at the other surface where one is rigid. */
static void share_of_either_body(void **state) {
  (void)state;
  const sb_material rigid = sb_material_rigid(), soft = {.stiffness = {0, 0, 3000}},
                    firm = {.stiffness = {0, 0, 9000}, .youngs_modulus = 5e6, .poisson_ratio = 0.5},
                    steel = {.youngs_modulus = 2e11, .poisson_ratio = 0.3}, none = {0};
  const double E1 = 5e6 / 0.75, E2 = 2e11 / 0.91;
  const struct {
    sb_material a, b;
    double alpha;
  } rows[] = {{soft, firm, 0.75}, {firm, steel, E2 / (E1 + E2)},
              {soft, steel, 0.5}, {none, soft, 0.5},
              {steel, rigid, 1},  {rigid, none, 0},
              {rigid, soft, 0},   {rigid, rigid, 0.5},
              {none, none, 0.5},  {steel, steel, 0.5}};
  const sb_surface ball = sb_surface_sphere(0.1, (sb_vec3){0, 0, 0});
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    assert_near(pair_of(rows[i].a, rows[i].b, ball, ball, 2385).skin.alpha, rows[i].alpha, 1e-15);
    assert_near(pair_of(rows[i].b, rows[i].a, ball, ball, 2385).skin.alpha, 1 - rows[i].alpha,
                1e-15);
  }
  // beside a tensor: compared where both stiffnesses are known, at the point
  const sb_contact_data s = pair_of(directed(), steel, ball, ball, 2385);
  assert_true(s.directed && !s.directed_point);
  assert_near(s.skin.alpha, 0.5, 0);
}

/** A normal stiffness that follows from the direction of the normal in both bodies. */
static void differential_of_the_normal_stiffness(void **state) {
  (void)state;
  const double step = 1e-3; // [s]
  int tested = 0;
  for (int trial = 0; tested < 300; trial++) {
    sb_vec3 a = {random_in(0.1, 0.3), random_in(0.1, 0.3), random_in(0.1, 0.3)};
    sb_contact_data s = pair_of(directed(), directed(), sb_surface_ellipsoid(a, sb_pose_identity()),
                                trial % 2 ? sb_surface_plane(random_vector(), 0)
                                          : sb_surface_sphere(0.2, (sb_vec3){0.1, 0, 0}),
                                0);
    const sb_pose H[2] = {random_pose(sb_vec3_scale(random_vector(), 0.3)),
                          random_pose((sb_vec3){0, 0, 0})};
    const sb_twist T[2] = {{random_vector(), random_vector()}, {random_vector(), random_vector()}};
    sb_closest c;
    sb_contact_skin skin;
    sb_wrench K;
    sb_closest_points(&s.surface[0], &H[0], &s.surface[1], &H[1], NULL, &c);
    if (c.status != SB_CLOSEST_OK || c.depth_ratio > 0.15) {
      continue;
    }
    tested++;
    assert_true(sb_contact_skin_at(&s, &c, &H[0], &H[1], 0, &skin, &K));
    double rate = sb_power(K, sb_twist_sub(T[1], T[0])), side[6];
    for (int k = 0; k < 6; k++) {
      sb_pose moved[2];
      for (int i = 0; i < 2; i++) {
        sb_twist way = sb_twist_scale(T[i], step * (k < 3 ? k - 3 : k - 2));
        moved[i] = sb_pose_compose(sb_se3_exp(way), H[i]);
      }
      sb_closest there;
      sb_closest_points(&s.surface[0], &moved[0], &s.surface[1], &moved[1], &c.normal, &there);
      assert_true(sb_contact_skin_at(&s, &there, &moved[0], &moved[1], 0, &skin, NULL));
      side[k] = log(skin.k_n);
    }
    double difference =
        (45 * (side[3] - side[2]) - 9 * (side[4] - side[1]) + (side[5] - side[0])) / (60 * step);
    assert_near(difference, rate, 1e-8);
  }
}

#define FLOOR "<ground id='floor' material='wood'><shape kind='plane' normal='0 0 1'/></ground>"

/** A ball that does not roll slides on a floor of wood, with a grain at 30 degrees: along the grain and across it
 *  it vibrates with frequencies of its own, u/w sin(w t). */
static void vibrates_along_the_grain(void **state) {
  (void)state;
  const double along = 900, across = 300, soft = 2000, m = 1.3, u = 0.02, turn = pi / 6;
  const double c = cos(turn), s = sin(turn), t = 0.617, g = 9.81;
  char text[2000];
  (void)snprintf(text, sizeof text,
                 "<screwbond version='1' id='m'><materials>"
                 "<material id='wood' axes='body' stiffness='%.17g %.17g 5000 N/m' "
                 "stiffness-coupling='%.17g 0 0 N/m'/>"
                 "<material id='rubber' stiffness='%.17g %.17g 4000 N/m'/></materials>"
                 "<mechanism gravity='0 0 -%.17g m/s^2'>" FLOOR
                 "<body id='ball' mass='%.17g kg' inertia='1e9 1e9 1e9' material='rubber' "
                 "position='0 0 %.17g m' velocity='%.17g 0 0 m/s'>"
                 "<shape kind='sphere' radius='0.1 m'/></body><contact a='floor' b='ball'/>"
                 "</mechanism><run t-end='1 s' method='fehlberg-8' rtol='1e-11'/></screwbond>",
                 along * c * c + across * s * s, along * s * s + across * c * c,
                 (along - across) * c * s, soft, soft, g, m,
                 0.1 - m * g * (1.0 / 5000 + 1.0 / 4000), u);
  run r = start_netlist(text);
  advance(&r, t);
  double w1 = sqrt(1 / (1 / along + 1 / soft) / m), w2 = sqrt(1 / (1 / across + 1 / soft) / m);
  double a = u * c / w1 * sin(w1 * t), b = -u * s / w2 * sin(w2 * t);
  assert_near(component(&r, "ball.position", 0), a * c - b * s, 1e-10);
  assert_near(component(&r, "ball.position", 1), a * s + b * c, 1e-10);
  stop(&r);
}

/** A damped flat stone that does not rock is pushed along x. It yields across the push too, and comes back to where it took
 *  hold: the tangential springs have a memory. */
static void stone_returns_to_its_place(void **state) {
  (void)state;
  run r = start_netlist(
      "<screwbond version='1' id='m'><materials>"
      "<material id='wood' axes='body' stiffness='900 400 5000 N/m' "
      "stiffness-coupling='200 0 0 N/m' damping='9 5 40 N.s/m' damping-coupling='1 0 0 N.s/m'/>"
      "<material id='rubber' stiffness='2000 2000 4000 N/m' damping='12 12 30 N.s/m'/></materials>"
      "<mechanism gravity='0 0 -9.81 m/s^2'>" FLOOR
      "<body id='stone' mass='1 kg' inertia='1e9 1e9 1e9' material='rubber' position='0 0 0.08 "
      "m' "
      "velocity='0.1 0 0 m/s'><shape kind='ellipsoid' semi-axes='0.3 0.3 0.08 m'/></body>"
      "<contacts among='floor stone'/></mechanism>"
      "<run t-end='12 s' method='fehlberg-8' rtol='1e-10'/></screwbond>");
  double most = 0;
  for (double t = 0.01; t < 0.2; t += 0.01) {
    advance(&r, t);
    most = fmax(most, fabs(component(&r, "stone.position", 1)));
  }
  assert_true(most > 1e-4);
  advance(&r, 12);
  assert_near(component(&r, "stone.position", 0), 0, 1e-8);
  assert_near(component(&r, "stone.position", 1), 0, 1e-8);
  assert_near(component(&r, "stone.velocity", 0), 0, 1e-8);
  stop(&r);
}

static void energy_of(double rtol, double damping, double *residual) {
  char text[3000];
  (void)snprintf(text, sizeof text,
                 "<screwbond version='1' id='m'><materials>"
                 "<material id='wood' axes='body' stiffness='900 300 2000 N/m' "
                 "stiffness-coupling='100 200 -70 N/m' "
                 "damping='%.17g %.17g %.17g N.s/m' spin-stiffness='2 N.m/rad'/>"
                 "<material id='bone' axes='body' stiffness='2900 1300 900 N/m' "
                 "stiffness-coupling='0 200 170 N/m' "
                 "damping='%.17g %.17g %.17g N.s/m' spin-stiffness='1 N.m/rad'/></materials>"
                 "<mechanism gravity='0 0 -9.81 m/s^2'>" FLOOR
                 "<body id='egg' mass='1 kg' material='wood' position='0 0 0.16 m' rotation='6 deg "
                 "about 0 1 0' "
                 "angular-velocity='1 -2 9 rad/s'><shape kind='ellipsoid' semi-axes='0.15 0.12 "
                 "0.08 m'/></body>"
                 "<body id='nut' mass='0.8 kg' material='bone' position='0.01 0 0.45 m' "
                 "rotation='30 deg about 0.2 1 0' "
                 "angular-velocity='1 2 -7 rad/s'><shape kind='ellipsoid' semi-axes='0.24 0.16 "
                 "0.14 m'/></body>"
                 "<contacts among='floor egg nut'/></mechanism>"
                 "<run t-end='1 s' method='fehlberg-8' rtol='%.17g'/></screwbond>",
                 3 * damping, damping, 2 * damping, damping, 2 * damping, damping, rtol);
  run r = start_netlist(text);
  advance(&r, 1.2);
  sb_simulation_audit(r.sim);
  const sb_ledger *ledger = ledger_of(&r);
  assert_true(ledger->event_count >= 4);
  assert_int_equal(ledger->passivity.violations, 0);
  assert_near(ledger->structure.residual_relative, 0, 1e-12);
  assert_true(ledger->structure.rank_ok);
  assert_true(damping > 0 ? ledger->total.dissipated > 0.1 : ledger->total.dissipated == 0);
  *residual = fabs(ledger->residual_relative);
  stop(&r);
}

/** Bodies that tumble with their tensors: nothing is made, and what is dissipated is booked. */
static void energy_while_tensors_turn(void **state) {
  (void)state;
  for (int damped = 0; damped < 2; damped++) {
    double coarse, fine;
    energy_of(1e-6, damped, &coarse);
    energy_of(1e-11, damped, &fine);
    assert_near(fine, 0, 1e-9);
    assert_true(fine < 1e-2 * coarse);
  }
}

/** A point of a body with a tensor is the limit of balls: with one of a micrometre it moves as that does. Its curvature is no number that
 *  anything is left of: the force of the turning tensor was the difference of two that are as large. */
static void point_is_a_small_ball(void **state) {
  (void)state;
  static const char *const floors[] = {
      "<shape kind='plane' normal='0 0 1'/>", "<shape kind='sphere' radius='10 cm' at='0 0 -0.1'/>",
      "<shape kind='ellipsoid' semi-axes='12 11 10 cm' at='0 0 -0.1'/>"};
  for (size_t i = 0; i < sizeof floors / sizeof *floors; i++) {
    double place[2][3];
    for (int ball = 0; ball < 2; ball++) {
      const double radius = 1e-6 * ball;
      char shape[100], text[2000];
      (void)snprintf(shape, sizeof shape, "<shape kind='%s'%s at='0 0 -0.02'/>",
                     ball ? "sphere" : "point", ball ? " radius='1e-6 m'" : "");
      (void)snprintf(
          text, sizeof text,
          "<materials><material id='r' axes='body' stiffness='1e5 6e4 2e5' "
          "stiffness-coupling='2e4 1e4 0' damping='50 50 100'/></materials><laws><contact-law "
          "id='l' normal='linear' friction='none'/></laws><mechanism gravity='1 0 -9.81'><ground "
          "id='f' material='r'>%s</ground><body id='b' mass='2' material='r' inertia='0.02 0.02 "
          "0.02' position='0 0 %.17g'>%s</body><contact id='c' a='f' b='b' law='l'/></mechanism>",
          floors[i], 0.02 + radius, shape);
      run r = go(text, 0.05);
      read_all(&r, "b.position", place[ball]);
      place[ball][2] -= radius;
      stop(&r);
    }
    for (int k = 0; k < 3; k++) {
      assert_near(place[0][k], place[1][k], 3e-8);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(series_of_tensors),
      cmocka_unit_test(share_of_either_body),
      cmocka_unit_test(differential_of_the_normal_stiffness),
      cmocka_unit_test(vibrates_along_the_grain),
      cmocka_unit_test(stone_returns_to_its_place),
      repeating_test(energy_while_tensors_turn),
      repeating_test(point_is_a_small_ball),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
