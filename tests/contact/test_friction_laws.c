// SPDX-License-Identifier: GPL-3.0-or-later
// Friction laws of a contact: what bristles bear, their passivity for kappa >= 1/2, closed forms of sliding, the
// constants of a ball that rolls, and that turning the scene changes nothing.
#include "tests/fixture.h"

#include "contact/friction.h"
#include "contact/load_range.h"
#include "geometry/quat.h"

static double random_in(double low, double high) {
  return low + (high - low) * rand() / RAND_MAX;
}

static void force_of(const sb_friction *f, double f_n, const double v[2], const double zb[2],
                     double s_dw, double force[2], double zb_dot[2], double *s_dw_dot) {
  const sb_friction_state x = {.f_n = f_n, .v = {v[0], v[1]}, .zb = {zb[0], zb[1]}, .s_dw = s_dw};
  sb_friction_rates rates;
  double guard[SB_FRICTION_KINKS];
  sb_friction_force(f, &x, NULL, &rates, guard);
  memcpy(force, rates.force, sizeof rates.force);
  memcpy(zb_dot, rates.zb_dot, sizeof rates.zb_dot);
  *s_dw_dot = f->kind == SB_FRICTION_BRISTLE
                  ? sb_friction_dwell_rate(f, hypot(v[0], v[1]), s_dw, guard)
                  : 0;
}

static const sb_friction table_2 = {.kind = SB_FRICTION_BRISTLE,
                                    .mu_static = 0.45,
                                    .mu_kinetic = 0.4,
                                    .sigma0 = 1e5,
                                    .sigma1 = 1e4,
                                    .v_stribeck = 0.1,
                                    .tau_dwell = 0.01};

/** f_br = sigma0 zb + sigma1 zb', eq (15), below and at its limit; turning all vectors turns the answer. */
static void bristles_bear_the_force(void **state) {
  (void)state;
  for (int trial = 0; trial < 10000; trial++) {
    const double f_n = random_in(0, 50), s_dw = random_in(0, 1), angle = random_in(0, 6.28);
    const double v[] = {random_in(-0.3, 0.3), random_in(-0.3, 0.3)};
    const double zb[] = {random_in(-4e-4, 4e-4), random_in(-4e-4, 4e-4)};
    const double c = cos(angle), s = sin(angle);
    const double v2[] = {c * v[0] - s * v[1], s * v[0] + c * v[1]};
    const double zb2[] = {c * zb[0] - s * zb[1], s * zb[0] + c * zb[1]};
    double f[2], rate[2], dwell, f2[2], rate2[2], dwell2;
    force_of(&table_2, f_n, v, zb, s_dw, f, rate, &dwell);
    force_of(&table_2, f_n, v2, zb2, s_dw, f2, rate2, &dwell2);
    for (int i = 0; i < 2; i++) {
      assert_near(f[i], 1e5 * zb[i] + 1e4 * rate[i], 1e-11);
    }
    assert_true(hypot(f[0], f[1]) <= f_n * (0.4 + 0.05 * s_dw) * (1 + 1e-12));
    assert_near(f2[0], c * f[0] - s * f[1], 1e-11);
    assert_near(f2[1], s * f[0] + c * f[1], 1e-11);
    assert_near(rate2[0], c * rate[0] - s * rate[1], 1e-14);
    assert_near(dwell2, dwell, 1e-9);
  }
}

/** f_t . v - sigma0 zb . zb' by all the scales of the law, at a kappa; the force is always the printed one. */
static double least_power(double kappa, bool as_printed) {
  double least = 0;
  for (int trial = 0; trial < (THOROUGH ? 300000 : 3000); trial++) {
    const double f_n = pow(10, random_in(-2, 3));
    sb_friction f = table_2;
    f.mu_static = random_in(0.4, 0.8);
    f.sigma1 = kappa * f.mu_kinetic * f_n / f.v_stribeck;
    const double reach = random_in(0, 2) * f.mu_kinetic * f_n / f.sigma0, speed = random_in(0, 0.3);
    const double a = random_in(0, 6.28), b = random_in(0, 6.28);
    const double v[] = {speed * cos(a), speed * sin(a)}, zb[] = {reach * cos(b), reach * sin(b)};
    double force[2], printed[2], rate[2], dwell;
    const double s_dw = random_in(0, 1);
    f.as_printed = true;
    force_of(&f, f_n, v, zb, s_dw, printed, rate, &dwell);
    f.as_printed = as_printed;
    force_of(&f, f_n, v, zb, s_dw, force, rate, &dwell);
    assert_near(force[0], printed[0], 0);
    assert_near(force[1], printed[1], 0);
    const double power =
        force[0] * v[0] + force[1] * v[1] - f.sigma0 * (zb[0] * rate[0] + zb[1] * rate[1]);
    least = fmin(least, power / (f.mu_kinetic * f_n * f.v_stribeck));
  }
  return least;
}

static void passive_from_kappa_of_a_half_on(void **state) {
  (void)state;
  assert_near(least_power(0.5, true), 0, 1e-15);
  assert_near(least_power(3, true), 0, 1e-15);
  assert_near(least_power(136, true), 0, 1e-13);
  assert_true(least_power(0.3, true) < -0.02); // the bound is not far from the truth
}

/** Limited bristles give no power at any kappa, but for rounding of |f| |v| and sigma0 |zb| |zb'|, which is 1/kappa. */
static void limited_bristles_are_passive(void **state) {
  (void)state;
  const double kappas[] = {136, 0.5, 0.3, 0.03, 1e-3, 1e-5};
  for (int i = 0; i < 6; i++) {
    assert_near(least_power(kappas[i], false), 0, 1e-14 * fmax(kappas[i], 1 / kappas[i]));
  }
}

/** Slope 3/2 at rest, and no kink at v_e, where the printed form has one: 1 below and 0 above. */
static void direction_is_smooth(void **state) {
  (void)state;
  const sb_friction f = {
      .kind = SB_FRICTION_STRIBECK, .mu_static = 0.3, .mu_kinetic = 0.3, .v_stribeck = 0.1};
  const double v_e = 1e-3, h = 1e-8, at[] = {0, v_e - h, v_e, v_e + h, 50 * v_e};
  double force[5][2], rate[2], dwell;
  for (int i = 0; i < 5; i++) {
    const double v[] = {0, at[i]}, zb[] = {0, 0};
    force_of(&f, 10, v, zb, 0, force[i], rate, &dwell);
    assert_near(rate[1], 0, 0);
  }
  const double v[] = {0, h}, zb[] = {0, 0};
  force_of(&f, 10, v, zb, 0, force[0], rate, &dwell);
  assert_near_relative(force[0][1] / h, 1.5 * 3 / v_e, 1e-9);
  assert_near((force[2][1] - force[1][1]) / h, 0, 1e-1); // of 3/v_e = 3000
  assert_near((force[3][1] - force[2][1]) / h, 0, 1e-6);
  assert_near(force[4][1], 3, 1e-15);
}

static const char sliding[] = "<laws><contact-law id='law' normal='hunt-crossley' stiffness='1e5 "
                              "N/m' damping-factor='1 s/m' %s/></laws>"
                              "<mechanism gravity='0 0 -10 m/s^2'><ground id='floor'><shape "
                              "kind='plane' normal='0 0 1' offset='0 m'/></ground>"
                              "<body id='block' mass='1 kg' inertia='1e9 1e9 1e9 kg.m^2' "
                              "position='0 0 49.9 mm' velocity='%g 0.4 0 m/s'>"
                              "<shape kind='sphere' radius='5 cm'/></body><contact id='c' "
                              "a='floor' b='block' law='law'/></mechanism>";

static run slide(const char *friction, double vx, double t) {
  char text[2000];
  (void)snprintf(text, sizeof text, sliding, friction, vx);
  run r = start(text, 1e-10, 1e-12);
  advance(&r, t);
  assert_balanced(&r);
  return r;
}

static void sliding_closed_forms(void **state) {
  (void)state;
  run r = slide("friction='viscous' sigma2='0.7 N.s/m'", 0.3, 2);
  assert_near(component(&r, "block.velocity", 0), 0.3 * exp(-1.4), 1e-9);
  assert_near(component(&r, "block.velocity", 1), 0.4 * exp(-1.4), 1e-9);
  stop(&r);
  r = slide("friction='stribeck' mu-kinetic='0.02' v-stribeck='1 mm/s'", 0.3,
            2); // |v| = 0.5 - 0.2 t
  assert_near(component(&r, "block.velocity", 0), 0.06, 1e-9);
  assert_near(component(&r, "block.velocity", 1), 0.08, 1e-9);
  stop(&r);
  r = slide("friction='bristle-dwell' mu-kinetic='0.02' sigma0='1e3 N/m' sigma1='200 N.s/m' "
            "v-stribeck='1 mm/s' tau-dwell='1 s'",
            0.3, 4); // it stops after 2.5 s, 0.625 m along v
  assert_near(hypot(component(&r, "block.velocity", 0), component(&r, "block.velocity", 1)), 0,
              1e-6);
  assert_near(component(&r, "block.position", 0), 0.375, 1e-3); // the bristles yield by 0.2 mm
  assert_near_relative(component(&r, "block.position", 1) / component(&r, "block.position", 0),
                       4.0 / 3, 1e-6);
  stop(&r);
}

/** By the sigma1 that Gonthier's table I prints kappa is 0.316, and the audit says who gives power. */
static void printed_bristles_give_power(void **state) {
  (void)state;
  const sb_override set[] = {{"rub.sigma1", "sqrt(1e5)[N.s/m]"}, {"rub.as-printed", "yes"}};
  run r = {.netlist = read_example("bowden_leben.xml", set, 2)};
  r.model = compile_graph(r.netlist->graph);
  start_by(&r, &r.netlist->options);
  advance(&r, 12);
  assert_near(value(&r, "contact(plate,block)/friction.kappa"), 0.3162278, 1e-3);
  sb_simulation_audit(r.sim);
  assert_true(ledger_of(&r)->passivity.violations > 0);
  assert_non_null(
      strstr(ledger_of(&r)->passivity.element, "block)/friction")); // of one of the speeds
  stop(&r);
}

/** What is said before a run of a netlist with such a sigma1. @param text  NULL: nothing */
static void warned(const char *example, const char *law, const char *sigma1, const char *as_printed,
                   const char *text) {
  char names[2][50];
  (void)snprintf(names[0], sizeof names[0], "%s.sigma1", law);
  (void)snprintf(names[1], sizeof names[1], "%s.as-printed", law);
  const sb_override set[] = {{names[0], sigma1}, {names[1], as_printed}};
  sb_netlist *netlist = read_example(example, set, 2);
  assert_int_equal(netlist->warnings.count > 0, text != NULL); // one for each contact
  if (text != NULL) {
    assert_string_equal(netlist->warnings.items[0].text, text);
    assert_int_equal(netlist->warnings.items[0].status, SB_ERR_RANGE);
    assert_true(netlist->warnings.items[0].line > 20);
  }
  sb_netlist_destroy(netlist);
}

/** Of a load at rest, and of an impact: k (5 E/(2 k))^(3/5) with E = m g cos 20 h. */
static void bristles_are_judged_before_a_run(void **state) {
  (void)state;
  warned("bowden_leben.xml", "rub", "500 N.s/m", "yes", NULL);
  warned("bowden_leben.xml", "rub", "sqrt(1e5)[N.s/m]", "no",
         "the bristles of the law 'rub' are limited, as printed they may give power: kappa = "
         "0.316227766, below 1/2, under the weight of 10 N");
  warned("bowden_leben.xml", "rub", "sqrt(1e5)[N.s/m]", "yes",
         "the bristles of the law 'rub' may give power: kappa = 0.316227766, below 1/2, under the "
         "weight of 10 N");
  warned("ball_on_slope.xml", "ground-law", "1e4 N.s/m", "yes", NULL);
  char text[200];
  const double E = 2 * 9.81 * cos(20 * SB_PI / 180) * 0.1, most = 1e6 * pow(2.5e-6 * E, 0.6);
  (void)snprintf(text, sizeof text,
                 "the bristles of the law 'ground-law' may give power: kappa = %.9g, below 1/2, "
                 "under the impact of %.9g N",
                 0.1 * 1000 / (0.4 * most), most);
  warned("ball_on_slope.xml", "ground-law", "1000 N.s/m", "yes", text);
}

/** Two balls of 2 and 3 kg that approach at 0.7 m/s along the line of their centres: sqrt(k m) v, and with a fall. */
static void expected_loads(void **state) {
  (void)state;
  sb_contact_spec spec = {.surface = {sb_surface_sphere(0.1, (sb_vec3){0, 0, 0}),
                                      sb_surface_sphere(0.2, (sb_vec3){0, 0, 0})},
                          .material = {sb_material_rigid(), sb_material_rigid()},
                          .law = sb_contact_law_defaults()};
  sb_contact_start start[2] = {{.pose = sb_pose_identity(), .mass = 2},
                               {.pose = sb_pose_identity(), .mass = 3}};
  bool impact;
  spec.law.stiffness = 5e4;
  start[1].pose.position = (sb_vec3){0.3, 0, 0.4}; // a gap of 0.2
  start[0].velocity = (sb_vec3){0.06, 0.5, 0.08};
  start[1].velocity = (sb_vec3){-0.36, 0.5, -0.48};
  start[1].angular_velocity = (sb_vec3){3, 2, 1}; // a ball that turns does not approach
  const double m = 1.2, v = 0.7;
  assert_near_relative(sb_contact_expected_load(&spec, start, &impact), sqrt(5e4 * m) * v, 1e-12);
  assert_true(impact);
  start[0].gravity = (sb_vec3){0, 0, -1.5}; // parts them: 1.2 along the normal
  assert_near_relative(sb_contact_expected_load(&spec, start, &impact), sqrt(5e4 * m) * v, 1e-12);
  start[1].gravity = (sb_vec3){0, 0, -9}; // 6 along the normal
  assert_near_relative(sb_contact_expected_load(&spec, start, &impact),
                       sqrt(5e4 * m * (v * v + 2 * 6 * 0.2)), 1e-12);
  start[0].mass = HUGE_VAL; // the weight is greater than a slow impact
  start[0].gravity = start[0].velocity = (sb_vec3){0, 0, 0};
  start[1].velocity = (sb_vec3){0, 0, 0};
  start[1].pose.position.x = 0.15;
  start[1].pose.position.z = 0.2; // in each other
  assert_near_relative(sb_contact_expected_load(&spec, start, &impact), 27.0, 1e-15);
  assert_true(!impact);
}

/** In pure rolling inside a cylinder along z, rho0 = R_c - R: v_z^2 + (2/7) R^2 w_n^2 and the energy stay, and the
 *  point of contact does not slip. */
static void rolling_in_a_cylinder(void **state) {
  (void)state;
  run r = {.netlist = read_example("ball_in_cylinder.xml", NULL, 0)};
  r.model = compile_graph(r.netlist->graph);
  start_by(&r, &r.netlist->options);
  double constant = 0, energy = 0;
  for (int i = 0; i < (THOROUGH ? 5 : 2); i++) {
    advance(&r, 4 + 0.7 * i);
    double x[3], v[3], w[3];
    read_all(&r, "ball.position", x);
    read_all(&r, "ball.velocity", v);
    read_all(&r, "ball.angular-velocity", w);
    const double rho = hypot(x[0], x[1]), n[] = {-x[0] / rho, -x[1] / rho};
    const double w_n = w[0] * n[0] + w[1] * n[1], around = -n[1] * v[0] + n[0] * v[1];
    const double now = v[2] * v[2] + 2.0 / 7 * 0.01 * w_n * w_n,
                 all =
                     value(&r, "ball.energy") + value(&r, "contact(cylinder,ball)/elastic.energy");
    constant = i == 0 ? now : constant;
    energy = i == 0 ? all : energy;
    assert_near_relative(now, constant, 2e-5);
    assert_near(all, energy, 2e-4);            // of 0.9 J: the bristles are damped
    assert_near(around - 0.1 * w[2], 0, 2e-4); // the skin yields by a micrometre
  }
  assert_true(constant > 0.04);
  assert_int_equal(ledger_of(&r)->passivity.violations, 0);
  stop(&r);
}

static const char thrown[] =
    "<materials><material id='soft' stiffness='0 0 1 N/m'/></materials><laws><contact-law id='law' "
    "normal='gonthier' "
    "stiffness='1e5 N/m^(3/2)' restitution='0.5' friction='bristle-dwell' mu-static='0.45' "
    "mu-kinetic='0.4' "
    "sigma0='1e5 N/m' sigma1='1e4 N.s/m' v-stribeck='0.1 m/s' tau-dwell='10 ms'/></laws>"
    "<mechanism gravity='%.17g %.17g %.17g m/s^2'><ground id='slope' material='soft'><shape "
    "kind='plane' normal='%.17g %.17g %.17g' "
    "offset='0 m'/></ground><body id='ball' mass='2 kg' inertia='8e-3 8e-3 8e-3 kg.m^2' "
    "position='%.17g %.17g %.17g m' "
    "velocity='%.17g %.17g %.17g m/s'><shape kind='sphere' radius='0.1 m'/></body><contact id='c' "
    "a='slope' b='ball' "
    "law='law'/></mechanism>";

/** The scene turned by a rotation: the same motion, turned, in the same steps. */
static void turned_scene(void **state) {
  (void)state;
  const double g[] = {3.355, 0, -9.22}, n[] = {0, 0, 1}, x[] = {0, 0, 0.15}, v[] = {-1, 0.5, 0};
  const sb_quat turns[] = {{1, 0, 0, 0}, {0.31, -0.55, 0.2, 0.74}};
  double speed[2][3];
  long steps[2];
  for (int i = 0; i < 2; i++) {
    const sb_mat3 R = sb_quat_rotation(turns[i]);
    double all[12];
    const double *parts[] = {g, n, x, v};
    for (int k = 0; k < 4; k++) {
      sb_vec3_store(all + 3 * k, sb_mat3_apply(R, sb_vec3_load(parts[k])));
    }
    char text[3000];
    (void)snprintf(text, sizeof text, thrown, all[0], all[1], all[2], all[3], all[4], all[5],
                   all[6], all[7], all[8], all[9], all[10], all[11]);
    run r = start(text, 1e-9, 1e-11);
    advance(&r, 0.8);
    double end[3];
    read_all(&r, "ball.velocity", end);
    sb_vec3_store(speed[i], sb_mat3_apply_transposed(R, sb_vec3_load(end)));
    steps[i] = ledger_of(&r)->work.steps;
    stop(&r);
  }
  for (int k = 0; k < 3; k++) {
    assert_near(speed[1][k], speed[0][k], 1e-9);
  }
  assert_near((double)steps[1] / (double)steps[0], 1, 0.01);
}

static void refusals(void **state) {
  (void)state;
  sb_friction f = table_2;
  const char *about;
  sb_error err = {0};
  f.sigma1 = 0;
  assert_int_equal(sb_friction_check(&f, &about, &err), SB_ERR_RANGE);
  assert_string_equal(err.text,
                      "the sigma1 of the friction 'bristle-dwell' must be positive: it is 0 N.s/m");
  assert_string_equal(about, "sigma1");
  f = table_2;
  f.mu_static = 0.3;
  assert_int_equal(sb_friction_check(&f, &about, &err), SB_ERR_RANGE);
  assert_string_equal(about, "mu-static");
  f = table_2;
  f.dwell_at_touch = 1.5;
  assert_int_equal(sb_friction_check(&f, &about, &err), SB_ERR_RANGE);
  assert_string_equal(err.text, "the dwell-at-touch must be from 0 to 1: it is 1.5");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bristles_bear_the_force),
      cmocka_unit_test(passive_from_kappa_of_a_half_on),
      cmocka_unit_test(limited_bristles_are_passive),
      cmocka_unit_test(direction_is_smooth),
      cmocka_unit_test(sliding_closed_forms),
      repeating_test(printed_bristles_give_power),
      cmocka_unit_test(bristles_are_judged_before_a_run),
      cmocka_unit_test(expected_loads),
      repeating_test(rolling_in_a_cylinder),
      repeating_test(turned_scene),
      cmocka_unit_test(refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
