// SPDX-License-Identifier: GPL-3.0-or-later
// Kinks of the laws of a contact end steps, so that no error depends on where in a step they are: a scene that is turned has the same
// positions and as many steps. What the guards tell, and that laws held on a side go on beyond their kinks.
#include "tests/fixture.h"

#include "contact/friction.h"
#include "contact/turning.h"
#include "geometry/quat.h"

enum { SIZE = 2500 };

/** An ellipsoid of 1 kg thrown on a slope, under a law, in a scene that is turned. */
static run throw(const char *law, const sb_quat *turn, double rtol, double t) {
  char text[SIZE];
  const sb_mat3 R = sb_quat_rotation(*turn);
  const sb_quat own = sb_quat_mul(
      *turn, sb_quat_from_axis_angle(sb_vec3_direction((sb_vec3){0.48, -0.81, 0.32}), 0.616));
  const double half = sqrt(own.x * own.x + own.y * own.y + own.z * own.z);
  const sb_vec3 g = sb_mat3_apply(R, (sb_vec3){0, 0, -9.81}),
                n = sb_mat3_apply(R, (sb_vec3){0.2, 0.1, 1}),
                x = sb_mat3_apply(R, (sb_vec3){0, 0, 0.2}),
                v = sb_mat3_apply(R, (sb_vec3){0.3, -0.2, 0}),
                w = sb_mat3_apply(R, (sb_vec3){1, 2, -1});
  (void)snprintf(
      text, sizeof text,
      "<materials><material id='m' stiffness='4000 4000 6000 N/m' spin-stiffness='1 N.m/rad'/>"
      "</materials><laws><contact-law id='l' %s/></laws><mechanism gravity='%.17g %.17g %.17g'>"
      "<ground id='f'><shape kind='plane' normal='%.17g %.17g %.17g'/></ground><body id='b' "
      "mass='1' material='m' position='%.17g %.17g %.17g' velocity='%.17g %.17g %.17g' "
      "angular-velocity='%.17g %.17g %.17g' rotation='%.17g rad about %.17g %.17g %.17g'>"
      "<shape kind='ellipsoid' semi-axes='0.12 0.09 0.06 m'/></body>"
      "<contact a='f' b='b' law='l'/></mechanism>",
      law, g.x, g.y, g.z, n.x, n.y, n.z, x.x, x.y, x.z, v.x, v.y, v.z, w.x, w.y, w.z,
      2 * atan2(half, own.w), own.x / half, own.y / half, own.z / half);
  run r = prepare_inside(text);
  sb_options options = sb_options_defaults();
  options.rtol = rtol;
  start_by(&r, &options);
  advance(&r, t);
  return r;
}

static sb_vec3 place_of(const run *r) {
  return (sb_vec3){component(r, "b.position", 0), component(r, "b.position", 1),
                   component(r, "b.position", 2)};
}

static const char *const laws[] = {
    "normal='hunt-crossley' exponent='1' damping-factor='1 s/m' friction='bristle-dwell' "
    "sigma0='3e4 N/m' sigma1='100 N.s/m' sigma2='0.1 N.s/m' v-stribeck='0.05 m/s' tau-dwell='0.2 "
    "s' "
    "mu-static='0.4' mu-kinetic='0.3'",
    "normal='hunt-crossley' exponent='1' damping-factor='1 s/m' friction='stribeck' "
    "v-stribeck='0.5 m/s' mu-static='0.4' mu-kinetic='0.3'",
    "normal='hunt-crossley' exponent='1' damping-factor='1 s/m' friction='coulomb' mu='0.6' "
    "spin-friction='1 mm' friction-radius='2 mm' turning-stiffness='3 N.m/rad'",
    "normal='hunt-crossley' exponent='1' damping-factor='1 s/m' friction='coulomb' mu='0.6' "
    "spin-friction='1 mm' rolling-friction='1 mm' friction-radius='2 mm' turning-speed='1 rad/s'",
    "normal='potential' energy='3000[N/m]*z^2 + 900[N/m]*r^2 + 0.4[N.m]*theta^2 + "
    "1e5[N/m^2]*z*r^2'"};

static void turned_scenes_move_alike(void **state) {
  (void)state;
  const sb_quat unit = {1, 0, 0, 0};
  for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
    for (int i = 0; i < 2; i++) {
      run plain = throw(laws[k], &unit, i == 0 ? 1e-8 : 1e-9, 0.8);
      const double steps = (double)ledger_of(&plain)->work.steps;
      for (int m = 0; m < (THOROUGH ? 10 : 2); m++) {
        const sb_quat turn = sb_quat_from_axis_angle(
            sb_vec3_direction((sb_vec3){sin(1 + m), cos(3 * m), sin(2.385 * m)}), 0.3 + 0.7 * m);
        run turned = throw(laws[k], &turn, i == 0 ? 1e-8 : 1e-9, 0.8);
        const sb_vec3 x = sb_mat3_apply_transposed(sb_quat_rotation(turn), place_of(&turned));
        assert_near(sb_vec3_norm(sb_vec3_sub(x, place_of(&plain))), 0, 1e-10);
        assert_near((double)ledger_of(&turned)->work.steps, steps, 0.01 * steps);
        assert_closes(&turned);
        stop(&turned);
      }
      stop(&plain);
    }
  }
}

/** Each guard is zero at its kink, and changes its sign there; held on a side the law does not bend. */
static void a_held_friction_goes_on_beyond_its_kinks(void **state) {
  (void)state;
  const sb_friction f = {.kind = SB_FRICTION_BRISTLE,
                         .mu_static = 0.45,
                         .mu_kinetic = 0.4,
                         .sigma0 = 1e5,
                         .sigma1 = 1e4,
                         .v_stribeck = 0.1,
                         .tau_dwell = 0.01};
  const double sides[SB_FRICTION_KINKS] = {-1, -1, -1, -1};
  double guard[SB_FRICTION_KINKS], dwell;
  sb_friction_rates below, above, held;
  sb_friction_state x = {.f_n = 10, .v = {0.6 * 0.999e-3, 0.8 * 0.999e-3}, .s_dw = 0.5};
  sb_friction_force(&f, &x, NULL, &below, guard);
  assert_near_relative(guard[SB_FRICTION_FAST], (0.999 * 0.999 - 1) / (0.999 * 0.999 + 1), 1e-12);
  assert_true(guard[SB_FRICTION_YIELDS] > 0); // 1e4 N.s/m against 4.25 N
  x.v[0] = 0.6e-4, x.v[1] = 0.8e-4;
  sb_friction_force(&f, &x, NULL, &below, guard);
  assert_true(guard[SB_FRICTION_FAST] < 0 && guard[SB_FRICTION_YIELDS] < 0);
  x.v[0] *= 7, x.v[1] *= 7;
  sb_friction_force(&f, &x, NULL, &above, guard);
  sb_friction_force(&f, &x, sides, &held, guard);
  assert_true(guard[SB_FRICTION_YIELDS] > 0);
  assert_near(hypot(above.force[0], above.force[1]), 10 * (0.4 + 0.05 * 0.5), 1e-14);
  const double v = 7e-4, rests = exp(-(v / 0.1) * (v / 0.1)), slow = (1.5 - 0.5 * 0.7 * 0.7) / 1e-3;
  assert_near_relative(held.force[1], 0.8 * v * (rests * 1e4 + (1 - rests) * 4 * slow),
                       1e-12); // eq (15)
  (void)sb_friction_dwell_rate(&f, 0.1 * sqrt(log(2.)), 0.5, &dwell);
  assert_near(dwell, 0, 4e-16); // s = 1/2
}

static void a_held_resistance_goes_on_beyond_its_limit(void **state) {
  (void)state;
  const sb_turning t = {.rolling_friction = 2e-3, .stiffness = 3, .damping = 0.02};
  const sb_turning_state x = {.f_n = 10, .w = {0.2, 0.1, 0}, .held = {0.03, -0.06, 0}};
  const double sides[SB_TURNING_KINKS] = {-1, -1}, size = hypot(0.042, -0.054);
  double M[3], rate[3], guard[SB_TURNING_KINKS];
  sb_turning_moment(&t, &x, NULL, M, rate, guard);
  assert_near(hypot(M[0], M[1]), 0.02, 1e-16);
  assert_near(guard[SB_TURNING_ROLLING], (size * size - 0.02 * 0.02) / (size * size + 0.02 * 0.02),
              1e-15);
  sb_turning_moment(&t, &x, sides, M, rate, guard);
  assert_near(M[0], 0.042, 1e-16);
  assert_near(rate[1], 0.1, 0);
}

/** A capsule whose side passes through lying flat while one end creeps: the other one slides 600 times as fast, by 0.3 m/s. The place after 0.4 s is that by Newton's and
 *  Euler's equations of one body in Python with scipy, solve_ivp DOP853 from leap to leap. */
static void a_slip_may_leap(void **state) {
  (void)state;
  run r = start_netlist(
      "<screwbond version='1' id='m'><run t-end='0.4 s'/><materials><material id='r' "
      "stiffness='5e4 "
      "5e4 1e5 N/m' damping='20 20 0 N.s/m'/></materials><laws><contact-law id='l' normal='linear' "
      "stiffness='1e5 N/m' damping='20 N.s/m' friction='stribeck' mu-kinetic='0.5' mu-static='1' "
      "v-stribeck='0.05 m/s' sigma2='0.1'/></laws><mechanism gravity='0 0 -9.81 m/s^2'><ground "
      "id='f' material='r'><shape kind='plane' normal='0 0 1'/></ground><body id='b' mass='1.5 kg' "
      "material='r' position='0 0 0.2 m' rotation='1.5 rad about -1.107373047165193 "
      "0.19958453284708083 -0.46674961687980204' velocity='0.25438811651761728 1.2246469675357323 "
      "-1 m/s' angular-velocity='1.4130336703813513 4.5571171348702748 -9.8927241981056913 rad/s'>"
      "<shape kind='capsule' radius='0.045 m' length='0.16 m'/></body><contact id='c' a='f' b='b' "
      "law='l'/></mechanism></screwbond>");
  advance(&r, 0.4);
  const sb_vec3 x = place_of(&r);
  assert_near(x.x, -0.0262606, 1e-6);
  assert_near(x.y, 0.331113, 1e-6);
  assert_near(x.z, 0.160131, 1e-6);
  assert_closes(&r);
  stop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(turned_scenes_move_alike),
      cmocka_unit_test(a_slip_may_leap),
      cmocka_unit_test(a_held_friction_goes_on_beyond_its_kinks),
      cmocka_unit_test(a_held_resistance_goes_on_beyond_its_limit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
