// SPDX-License-Identifier: GPL-3.0-or-later
// A stiffness that changes over the surfaces: its differential against differences over closest points that
// are solved again, against the closed form of a body on a plane, and what the law refuses.
#include "tests/fixture.h"

#include "contact/hertz.h"
#include "contact/parts.h"
#include "contact/skin_private.h"
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

static sb_surface random_ellipsoid(void) {
  sb_vec3 a = {random_in(0.05, 0.3), random_in(0.05, 0.3), random_in(0.05, 0.3)};
  return sb_surface_ellipsoid(a, random_pose(sb_vec3_scale(random_vector(), 0.1)));
}

/** ln k after both bodies have moved for a time with constant twists. */
static double log_stiffness(const sb_contact_data *s, const sb_pose H[2], const sb_twist T[2],
                            double time, sb_vec3 warm) {
  sb_closest points;
  sb_contact_skin skin;
  sb_pose moved[2];
  for (int i = 0; i < 2; i++) {
    moved[i] = sb_pose_compose(sb_se3_exp(sb_twist_scale(T[i], time)), H[i]);
  }
  sb_closest_points(&s->surface[0], &moved[0], &s->surface[1], &moved[1], &warm, &points);
  assert_true(sb_contact_skin_at(s, &points, &moved[0], &moved[1], 0, &skin, NULL));
  return log(skin.k_n);
}

static sb_contact_data hertzian(sb_surface a, sb_surface b) {
  sb_contact_data s = {
      .surface = {a, b}, .modulus = 2.385e6, .hardens = true, .law = sb_contact_law_defaults()};
  s.law.normal = sb_normal_law_find("hertz");
  assert_int_equal(sb_contact_law_complete(&s.law, NULL, NULL), SB_OK);
  return s;
}

/** Body against body, and body against plane, in either order, apart and compressed. */
static void differential_of_the_stiffness(void **state) {
  (void)state;
  const double step = 1e-3; // [s]
  int tested = 0;
  for (int i = 0; tested < (PLAIN ? 1500 : 200); i++) {
    sb_surface plane = sb_surface_plane(random_vector(), 0.1), solid = random_ellipsoid();
    sb_contact_data s =
        hertzian(i % 3 == 0 ? plane : random_ellipsoid(), i % 3 == 1 ? plane : solid);
    const sb_pose H[2] = {random_pose(sb_vec3_scale(random_vector(), 0.1)),
                          random_pose(sb_vec3_scale(random_vector(), 0.3))};
    const sb_twist T[2] = {{random_vector(), random_vector()}, {random_vector(), random_vector()}};
    sb_closest c;
    sb_closest_points(&s.surface[0], &H[0], &s.surface[1], &H[1], NULL, &c);
    if (c.status != SB_CLOSEST_OK || c.depth_ratio > 0.15) {
      continue;
    }
    tested++;
    sb_contact_skin skin;
    sb_wrench K;
    assert_true(sb_contact_skin_at(&s, &c, &H[0], &H[1], 0, &skin, &K));
    double rate = sb_power(K, sb_twist_sub(T[1], T[0])), side[6];
    for (int k = 0; k < 6; k++) {
      side[k] = log_stiffness(&s, H, T, step * (k < 3 ? k - 3 : k - 2), c.normal);
    }
    double difference =
        (45 * (side[3] - side[2]) - 9 * (side[4] - side[1]) + (side[5] - side[0])) / (60 * step);
    assert_near(difference, rate, 1e-8 * (1 + fabs(rate)));
  }
}

/** On a plane k depends on the direction m of the plane's normal in the body alone, and d ln k is the moment
 *  m x grad_m ln k on the body, without a force. */
static void moment_on_a_plane(void **state) {
  (void)state;
  for (int i = 0; i < 200; i++) {
    const sb_vec3 n = sb_vec3_normalize(random_vector());
    sb_contact_data s = hertzian(sb_surface_plane(n, 0), random_ellipsoid());
    const sb_pose H[2] = {sb_pose_identity(), random_pose(sb_vec3_scale(n, 0.2))};
    sb_closest c;
    sb_contact_skin skin;
    sb_wrench K;
    sb_closest_points(&s.surface[0], &H[0], &s.surface[1], &H[1], NULL, &c);
    assert_true(sb_contact_skin_at(&s, &c, &H[0], &H[1], 0, &skin, &K));
    double gradient[3], h = 1e-3; // along the world's axes, of ln k with n replaced by n + h e
    for (int axis = 0; axis < 3; axis++) {
      double side[4];
      for (int k = 0; k < 4; k++) {
        double far = h * (k < 2 ? k - 2 : k - 1);
        sb_vec3 m =
            sb_vec3_normalize(sb_vec3_axpy(n, far, (sb_vec3){axis == 0, axis == 1, axis == 2}));
        sb_contact_data tilted = hertzian(sb_surface_plane(m, 0), s.surface[1]);
        sb_contact_skin there;
        sb_closest_points(&tilted.surface[0], &H[0], &s.surface[1], &H[1], NULL, &c);
        assert_true(sb_contact_skin_at(&tilted, &c, &H[0], &H[1], 0, &there, NULL));
        side[k] = log(there.k_n);
      }
      gradient[axis] = (8 * (side[2] - side[1]) - (side[3] - side[0])) / (12 * h);
    }
    sb_vec3 moment =
        sb_vec3_cross(sb_vec3_load(gradient), n); // a turn of the body turns n back in it
    assert_near(sb_vec3_norm(K.force), 0, 1e-12);
    assert_near(sb_vec3_norm(sb_vec3_sub(K.moment, moment)), 0, 1e-8);
  }
}

/** On a sphere of radius R at the depth d the patch has r^2 = R d, K_t = 8 r G* and
 *  k_theta = (16/3) r^3 G1 G2/(G1 + G2); damping is a times that. */
static void springs_of_mindlin(void **state) {
  (void)state;
  const double R = 0.0523, d = 0.00031, E[2] = {2.1e7, 6.9e6}, nu[2] = {0.3, 0.45}, a = 0.17;
  const sb_surface ball = sb_surface_sphere(R, (sb_vec3){0, 0, 0});
  sb_contact_data s = {.surface = {ball, sb_surface_plane((sb_vec3){0, 0, 1}, 0)},
                       .law = sb_contact_law_defaults()};
  sb_contact_spec spec = {.body = {"a", "b"}};
  sb_error err = {0};
  double G[2];
  for (int i = 0; i < 2; i++) {
    spec.material[i] = (sb_material){.youngs_modulus = E[i], .poisson_ratio = nu[i]};
    G[i] = E[i] / (2 + 2 * nu[i]);
  }
  s.law.normal = sb_normal_law_find("hertz");
  assert_int_equal(sb_contact_law_complete(&s.law, NULL, NULL), SB_OK);
  s.law.tangential = SB_TANGENTIAL_MINDLIN;
  s.law.damping_factor = a;
  ok(sb_contact_skin_combine(&spec, &s, &err), &err);
  const sb_pose H[2] = {{sb_mat3_identity(), {0.3, 0.1, R - d}}, sb_pose_identity()};
  sb_closest c;
  sb_contact_skin skin;
  sb_closest_points(&s.surface[0], &H[0], &s.surface[1], &H[1], NULL, &c);
  assert_true(sb_contact_skin_at(&s, &c, &H[0], &H[1], 0, &skin, NULL));
  double r = sqrt(R * d), K = 8 * r / ((2 - nu[0]) / G[0] + (2 - nu[1]) / G[1]);
  double turn = 16 * r * r * r / (3 * (1 / G[0] + 1 / G[1]));
  assert_near_relative(skin.k_t * skin.map[0] * skin.map[0], K, 1e-12);
  assert_near_relative(skin.map[2], skin.map[0], 0);
  assert_near_relative(skin.k_theta * skin.spin_map * skin.spin_map, turn, 1e-12);
  assert_near_relative(skin.drag[0], a * K, 1e-12);
  assert_near_relative(skin.b_theta, a * turn, 1e-12);
}

/** Tangential springs that grow with the patch make no energy: what they hold at a release is booked. */
static void energy_with_mindlin(void **state) {
  (void)state;
  run r = start_netlist(
      "<screwbond version='1' id='m'>"
      "<materials><material id='m' youngs-modulus='0.5 MPa' poisson-ratio='0.47'/></materials>"
      "<laws><contact-law id='l' normal='hertz' tangential='mindlin'/></laws>"
      "<defaults><contact law='l'/></defaults><mechanism gravity='0 0 -9.81 m/s^2'>"
      "<ground id='g'><shape kind='plane' normal='0 0 1'/></ground>"
      "<body id='b' mass='1 kg' material='m' position='0 0 0.16 m' rotation='6 deg about 0 1 0' "
      "velocity='0.3 0.1 0 m/s' angular-velocity='1 2 9 rad/s'><shape kind='ellipsoid' "
      "semi-axes='0.15 0.12 0.08 m'/></body><contact a='g' b='b'/></mechanism>"
      "<run t-end='2 s' method='fehlberg-8' rtol='1e-11'/></screwbond>");
  advance(&r, 2);
  sb_simulation_audit(r.sim);
  const sb_ledger *ledger = ledger_of(&r);
  assert_true(ledger->event_count >= 8);
  assert_near(ledger->residual_relative, 0, 1e-9);
  assert_near(ledger->structure.residual_relative, 0, 1e-12);
  double lost = 0;
  for (int i = 0; i < ledger->event_count; i++) {
    assert_true(ledger->events[i].loss >= 0);
    lost += ledger->events[i].loss;
  }
  assert_true(lost > 1e-6);
  stop(&r);
}

/** H = k_t s^2/2 with K_t = k_t r in N/m: k_t is in N/m^2, and s in m^(3/2), as is theta of K_theta = k_theta r^3. */
static void units_of_mindlin(void **state) {
  (void)state;
  static const struct {
    const char *tangential, *extension, *angle;
  } rows[] = {{"mindlin", "m^(3/2)", "m^(3/2)"}, {"material", "m", "rad"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[900];
    (void)snprintf(
        text, sizeof text,
        "<screwbond version='1' id='m'><materials><material id='m' youngs-modulus='0.5 MPa' "
        "poisson-ratio='0.47' stiffness='3 3 5 N/m'/></materials><laws><contact-law id='l' "
        "normal='hertz' tangential='%s'/></laws><mechanism><ground id='g' material='m'>"
        "<shape kind='plane' normal='0 0 1'/></ground><body id='b' mass='1 kg' material='m' "
        "position='0 0 1 m'><shape kind='sphere' radius='1 m'/></body>"
        "<contact id='c' a='g' b='b' law='l'/></mechanism><run t-end='1 s'/></screwbond>",
        rows[i].tangential);
    run r = start_netlist(text);
    sb_quantity q;
    sb_error err = {0};
    ok(sb_model_find(r.model, "c/elastic.s.x", &q, &err), &err);
    assert_string_equal(q.unit, rows[i].extension);
    ok(sb_model_find(r.model, "c/elastic.theta", &q, &err), &err);
    assert_string_equal(q.unit, rows[i].angle);
    stop(&r);
  }
}

/** A ball that slips on its patch, with lengths of L [m] in place of 1 m. */
static void count_steps(double L, long *steps) {
  char text[2000];
  assert_true(
      snprintf(text, sizeof text,
               "<screwbond version='1' id='m'><materials><material id='m' poisson-ratio='0.44' "
               "youngs-modulus='%.17g Pa'/></materials><laws><contact-law id='l' normal='hertz' "
               "damping-factor='%.17g s/m' tangential='mindlin' friction='coulomb' mu='0.42' "
               "friction-damping='3.4 ms' friction-radius='%.17g m'/></laws>"
               "<mechanism gravity='0 0 %.17g m/s^2'><ground id='g'>"
               "<shape kind='plane' normal='0 0 1'/></ground><body id='b' mass='62 g' material='m' "
               "position='0 0 %.17g m' velocity='%.17g 0 0 m/s' "
               "angular-velocity='2.8 13.6 12.8 rad/s'><shape kind='sphere' radius='%.17g m'/>"
               "</body><contact a='g' b='b' law='l'/></mechanism><run t-end='0.5 s'/></screwbond>",
               23e3 / L, 0.014 / L, 0.1 * L, -102 * L, 2 * L, -4.6 * L,
               1.873 * L) < (int)sizeof text);
  run r = start_netlist(text);
  advance(&r, 0.5);
  *steps = ledger_of(&r)->work.steps;
  assert_true(ledger_of(&r)->event_count > 4);
  stop(&r);
}

/** No length has a size of its own: neither the least patch, nor the rounding of places times the stiffness of one. A
 *  body of 1e-18 m took steps of 1e-26 s, and did not come to an end. */
static void lengths_have_no_unit(void **state) {
  (void)state;
  long steps, small, large;
  count_steps(1, &steps);
  count_steps(0x1p-60, &small);
  count_steps(0x1p20, &large);
  assert_int_equal(small, steps);
  assert_int_equal(large, steps);
}

/** A blade stands on a plane: the curvatures of its edge are 1e8 apart, a line of contact. */
static void a_line_has_no_stiffness(void **state) {
  (void)state;
  sb_error err = {0};
  run r = start_netlist(
      "<screwbond version='1' id='m'>"
      "<materials><material id='m' youngs-modulus='1 GPa' poisson-ratio='0.3'/></materials>"
      "<laws><contact-law id='l' normal='hertz'/></laws><mechanism><ground id='g'>"
      "<shape kind='plane' normal='0 0 1'/></ground><body id='b' mass='1 kg' material='m' "
      "position='0 0 0.6 m' velocity='0 0 -1 m/s'><shape kind='ellipsoid' "
      "semi-axes='1 0.0001 0.5 m'/></body><contact id='c' a='g' b='b' law='l'/></mechanism>"
      "<run t-end='1 s'/></screwbond>");
  assert_int_not_equal(sb_simulation_advance(r.sim, 1, &err), SB_OK);
  assert_contains(err.text,
                  "the law 'hertz' has no stiffness where the bodies conform or touch along "
                  "a line: the principal relative curvatures are 50000000 and 0.5 1/m");
  assert_contains(err.text, "'c'");
  stop(&r);
}

/** A plane on the superellipsoid of exponent 4 at a point x, with x.x small: the patch, of semi-axes a and b along the unit
 *  vectors u and v at a depth of 1, reaches the flat at x.x = 0 at the depth d with d ((a u.x)^2 + (b v.x)^2) = x.x^2. */
static void a_patch_reaches_a_flat(void **state) {
  (void)state;
  const sb_vec3 A = {0.1, 0.12, 0.08};
  const double x1 = 0.011, x2 = 0.067;
  const sb_vec3 x = {x1, x2, A.z * pow(1 - pow(x1 / A.x, 4) - pow(x2 / A.y, 4), 0.25)};
  const sb_vec3 n = sb_vec3_normalize(
      (sb_vec3){pow(x.x, 3) / pow(A.x, 4), pow(x.y, 3) / pow(A.y, 4), pow(x.z, 3) / pow(A.z, 4)});
  const sb_surface body = sb_surface_make(
      &sb_superellipsoid, &(sb_surface){.semi_axes = A, .exponent = 4}, sb_pose_identity());
  const sb_pose H = sb_pose_identity();
  sb_hertz hertz;
  double a, b;
  assert_true(sb_hertz_contact(sb_surface_shape(&body, &H, x), n, 1, &hertz));
  sb_hertz_patch(&hertz, 1, &a, &b);
  const sb_vec3 u = hertz.long_axis, v = sb_vec3_cross(n, u);
  const double d = x1 * x1 / (a * a * u.x * u.x + b * b * v.x * v.x);
  for (int k = 0; k < 4;
       k++) { // short of it, past it; past it on a ball, and with the stiffness of the touch
    const double depth = (k == 0 ? 0.999 : 1.001) * d, r = 0.1;
    sb_contact_data s =
        hertzian(k == 2 ? sb_surface_sphere(r, sb_vec3_axpy(x, r - depth, n))
                        : sb_surface_plane(sb_vec3_neg(n), depth - sb_vec3_dot(n, x)),
                 body);
    s.hardens = k != 3;
    sb_closest c;
    sb_contact_skin skin;
    sb_closest_points(&s.surface[0], &H, &s.surface[1], &H, NULL, &c);
    assert_near(c.gap, -depth, 1e-15);
    assert_int_equal(sb_contact_skin_at(&s, &c, &H, &H, NULL, &skin, NULL), k != 1);
  }
}

/** Bodies that come to a flat of theirs in contact: before, steps of 1e-9 s without end, and an audit that failed. */
static void ends_where_a_patch_reaches_a_flat(void **state) {
  (void)state;
  for (int p = 3; p <= 4; p++) {
    char text[2000];
    sb_error err = {0};
    (void)snprintf(
        text, sizeof text,
        "<screwbond version='1' id='m'><materials><material id='m' youngs-modulus='1 MPa' "
        "poisson-ratio='0.4'/></materials><laws><contact-law id='l' normal='hertz'/></laws>"
        "<mechanism gravity='0 0 -9.81 m/s^2'><ground id='g'><shape kind='plane' normal='0 0 1'/>"
        "</ground><body id='b' mass='1 kg' material='m' position='0 0 0.5 m' rotation='10 deg "
        "about "
        "1 0 0' angular-velocity='1 2 3 rad/s'><shape kind='superellipsoid' "
        "semi-axes='0.1 0.12 0.08 m' exponent='%d'/></body><contact id='c' a='g' b='b' law='l'/>"
        "</mechanism><run t-end='2 s' rtol='1e-9'/></screwbond>",
        p);
    run r = start_netlist(text);
    assert_int_equal(sb_simulation_advance(r.sim, 2, &err), SB_ERR_CONTACT);
    assert_contains(err.text, "the law 'hertz' does not hold where a curvature vanishes within the "
                              "patch");
    assert_true(ledger_of(&r)->work.steps < 700);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(differential_of_the_stiffness),
      cmocka_unit_test(moment_on_a_plane),
      cmocka_unit_test(springs_of_mindlin),
      repeating_test(energy_with_mindlin),
      cmocka_unit_test(units_of_mindlin),
      repeating_test(lengths_have_no_unit),
      cmocka_unit_test(a_line_has_no_stiffness),
      cmocka_unit_test(a_patch_reaches_a_flat),
      cmocka_unit_test(ends_where_a_patch_reaches_a_flat),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
