// SPDX-License-Identifier: GPL-3.0-or-later
// A contact by a stored energy V(x, y, z, theta): its loads against differences of V written down again in C, motions
// against those of the springs that the same energy stands for, and the energy of bodies that bounce and tumble.
#include "tests/fixture.h"

static const char shared_energy[] =
    "150[N/m]*z^2*(1 + 30[1/m]*x + 900[1/m^2]*y^2) + 40[N/m]*x^2 + 90[N/m]*y^2 + 10[N/m]*x*y"
    " + 0.05[N.m]*(1 - cos(theta)) + 2[N]*z*theta^2*sqrt(z/1[m])";

/** The same energy. */
static double V(double x, double y, double z, double theta) {
  return 150 * z * z * (1 + 30 * x + 900 * y * y) + 40 * x * x + 90 * y * y + 10 * x * y +
         0.05 * (1 - cos(theta)) + 2 * z * theta * theta * sqrt(z);
}

/** An ellipsoid that drops on a plane, tumbles and slides. @param law  attributes  @param body  more of them */
static run tumbling(const char *law, const char *body, double rtol) {
  char text[2000];
  assert_true(
      snprintf(
          text, sizeof text,
          "<materials><material id='m' stiffness='210 210 300 N/m' spin-stiffness='0.07 "
          "N.m/rad'/></materials><laws><contact-law id='l' %s/></laws>"
          "<mechanism gravity='0 0 -9.81 m/s^2'><body id='b' mass='0.13 kg' material='m' "
          "position='0 0 60 mm' velocity='0.13 0.05 0 m/s' angular-velocity='1.1 2 3 rad/s' %s>"
          "<shape kind='ellipsoid' semi-axes='60 51 42 mm'/></body><ground id='f'>"
          "<shape kind='plane' normal='0 0 1' offset='0 m'/></ground>"
          "<contact id='c' a='f' b='b' law='l'/></mechanism>",
          law, body) < (int)sizeof text);
  return start(text, rtol, 1e-2 * rtol);
}

static run by_energy(const char *energy, const char *more, double rtol) {
  char law[900];
  assert_true(snprintf(law, sizeof law, "normal='potential' energy='%s' %s", energy, more) <
              (int)sizeof law);
  return tumbling(law, "", rtol);
}

/** x runs along the projection of the axis on the plane, y across it, and the loads are the gradient of V. */
static void loads_are_the_gradient(void **state) {
  (void)state;
  run r = by_energy(shared_energy, "axis='1 0.5 0.2'", 1e-9);
  const double c = 1 / sqrt(1.25), s = 0.5 / sqrt(1.25), h = 1e-6;
  int pressed = 0;
  for (int k = 1; k <= 100; k++) {
    double load[4], e1[3], e2[3];
    advance(&r, 0.02 * k);
    read_all(&r, "c.load", load);
    read_all(&r, "c.axis-x", e1);
    read_all(&r, "c.axis-y", e2);
    if (value(&r, "c.touches") == 0 || value(&r, "c.penetration") < 1e-4) {
      continue;
    }
    pressed++;
    double x = value(&r, "c/elastic.s.x"), y = value(&r, "c/elastic.s.y");
    double z = value(&r, "c.penetration"), theta = value(&r, "c/elastic.theta");
    double Vx = (V(x + h, y, z, theta) - V(x - h, y, z, theta)) / (2 * h);
    double Vy = (V(x, y + h, z, theta) - V(x, y - h, z, theta)) / (2 * h);
    double Vz = (V(x, y, z + h, theta) - V(x, y, z - h, theta)) / (2 * h);
    double Vtheta = (V(x, y, z, theta + h) - V(x, y, z, theta - h)) / (2 * h);
    assert_near(load[0] * e1[0] + load[1] * e2[0], c * Vx - s * Vy, 1e-7);
    assert_near(load[0] * e1[1] + load[1] * e2[1], s * Vx + c * Vy, 1e-7);
    assert_near(load[2], -Vz, 1e-7);
    assert_near(load[3], Vtheta, 1e-7);
    assert_near(value(&r, "c.normal-force"), Vz, 1e-7);
    assert_near(value(&r, "c/elastic.energy"), V(x, y, z, theta), 1e-15);
  }
  assert_true(pressed > 20);
  stop(&r);
}

static void assert_alike(run *a, run *b, double t, double within) {
  static const char *const names[] = {"b.position", "b.velocity", "b.angular-velocity"};
  double x[3], y[3];
  advance(a, t);
  advance(b, t);
  for (int k = 0; k < 3; k++) {
    read_all(a, names[k], x);
    read_all(b, names[k], y);
    for (int i = 0; i < 3; i++) {
      assert_near(x[i], y[i], within);
    }
  }
  stop(a);
  stop(b);
}

/** V(r, z, theta) of linear springs is the law of linear springs, kept by another element. */
static void springs_by_their_energy(void **state) {
  (void)state;
  run a = by_energy("150[N/m]*z^2 + 105[N/m]*r^2 + 0.035[N.m]*theta^2", "", 1e-11);
  run b = tumbling("normal='linear' clamp='no'", "", 1e-11);
  assert_alike(&a, &b, 1.5, 1e-8);
  run c = by_energy("300[N/m^1.5]*z^2.5/2.5 + 105[N/m]*r^2 + 0.035[N.m]*theta^2", "", 1e-11);
  run d = tumbling("normal='hunt-crossley' exponent='1.5' clamp='no' stiffness='300 N/m^1.5'", "",
                   1e-11);
  assert_alike(&c, &d, 1.5, 1e-8);
}

/** Friction and the resistance to turning do with it what they do with those springs: what slips in series with them, and
 *  what acts in their place, where V has none of its own along the plane. */
static void friction_of_springs(void **state) {
  (void)state;
  static const char *const slips[] = {
      "friction='coulomb' mu='0.11' friction-radius='7 mm'",
      "friction='coulomb' mu='0.05' mu-static='0.2' v-stribeck='0.1 m/s' friction-radius='7 mm' "
      "rolling-friction='1 mm' spin-friction='2 mm' turning-stiffness='0.2 N.m/rad'"};
  static const char *const acts[] = {
      "friction='viscous' sigma2='0.7 N.s/m' rolling-friction='1 mm' turning-speed='1 rad/s'",
      "friction='stribeck' mu-kinetic='0.1' mu-static='0.2' v-stribeck='0.1 m/s'",
      "friction='bristle-dwell' mu-kinetic='0.1' mu-static='0.2' v-stribeck='0.1 m/s' sigma0='900 "
      "N/m' "
      "sigma1='40 N.s/m' tau-dwell='20 ms'"};
  char law[400];
  for (int i = 0; i < 5; i += THOROUGH ? 1 : 2) {
    const char *friction = i < 2 ? slips[i] : acts[i - 2];
    run a = by_energy(i < 2 ? "150[N/m]*z^2 + 105[N/m]*r^2 + 0.035[N.m]*theta^2" : "150[N/m]*z^2",
                      friction, 1e-11);
    (void)snprintf(law, sizeof law, "normal='linear' clamp='no' %s", friction);
    run b = tumbling(law, "", 1e-11);
    advance(&a, 1.4);
    assert_true(value(&a, i < 2 ? "c/slip.lost" : "c/friction.lost") > 1e-3);
    assert_near(ledger_of(&a)->residual_relative, 0, 1e-9);
    // the end of the push is located in one of them alone: bristles are 3e-8 to 1e-5 apart by rtol from 3e-12 to 1e-10
    assert_alike(&a, &b, 1.4, i == 4 ? 1e-5 : 1e-6);
  }
}

/** The limit is mu dV/dz, which an energy of x and z makes of both. */
static void limit_by_the_energy(void **state) {
  (void)state;
  run r = by_energy("150[N/m]*z^2*(1 + 900[1/m^2]*r^2) + 40[N/m]*r^2",
                    "friction='coulomb' mu='0.1' friction-radius='7 mm'", 1e-9);
  int slides = 0;
  for (int k = 1; k <= 300; k++) {
    double load[4];
    advance(&r, 0.005 * k);
    read_all(&r, "c.load", load);
    if (value(&r, "c.touches") != 0 && value(&r, "c.sticks") == 0 && -load[2] > 0.1) {
      slides++;
      assert_near(hypot(hypot(load[0], load[1]), load[3] / 7e-3), 0.1 * -load[2], 1e-9);
    }
  }
  assert_true(slides > 20);
  assert_near(ledger_of(&r)->residual_relative, 0, 1e-7);
  assert_int_equal(ledger_of(&r)->passivity.violations, 0);
  stop(&r);
}

/** With the axis along the world's y: x = Y and y = -X. */
static void axes_turned(void **state) {
  (void)state;
  run a =
      by_energy("150[N/m]*z^2 + 40[N/m]*x^2 + 90[N/m]*y^2 + 10[N/m]*x*y", "axis='0 3 1'", 1e-11);
  run b = by_energy("150[N/m]*z^2 + 40[N/m]*y^2 + 90[N/m]*x^2 - 10[N/m]*x*y", "", 1e-11);
  assert_alike(&a, &b, 1.5, 1e-8);
}

/** Two bodies that roll on each other and on a floor. @param tangential  stiffness of their material */
static run stacked(const char *tangential, const char *energy) {
  char text[2000];
  assert_true(
      snprintf(text, sizeof text,
               "<materials><material id='m' stiffness='%s %s 300 N/m'/></materials>"
               "<laws><contact-law id='l' normal='potential' energy='%s'/></laws>"
               "<mechanism gravity='0 0 -9.81 m/s^2'><body id='a' mass='0.21 kg' material='m' "
               "position='0 0 55 mm' velocity='0.13 0.05 0 m/s' angular-velocity='1.1 2 3 rad/s'>"
               "<shape kind='ellipsoid' semi-axes='60 51 42 mm'/></body>"
               "<body id='b' mass='0.13 kg' material='m' position='8 5 140 mm' velocity='0 0.1 "
               "-0.5 m/s' "
               "angular-velocity='-1 0.5 4 rad/s'><shape kind='ellipsoid' semi-axes='31 40 38 "
               "mm'/></body>"
               "<ground id='f'><shape kind='plane' normal='0 0 1' offset='0 m'/></ground>"
               "<contact a='f' b='a' law='l'/><contact a='a' b='b' law='l'/></mechanism>",
               tangential, tangential, energy) < (int)sizeof text);
  return start(text, 1e-11, 1e-13);
}

/** The tangential vector turns with the bodies also where their material has no tangential stiffness, of which the
 *  energy makes no use: it kept its direction, and power was lost. */
static void material_has_no_say(void **state) {
  (void)state;
  static const char *const energies[] = {
      "150[N/m]*z^2 + 105[N/m]*r^2", "150[N/m]*z^2*(1 + 900[1/m^2]*r^2)",
      "600[N/m^1.5]*z^2.5 + 9[kN/m^2]*r^2*z*(1 + 0.3*theta^2) + 0.02[N.m]*theta^2"};
  for (int i = 0; i < 3; i++) {
    run none = stacked("0", energies[i]), some = stacked("210", energies[i]);
    advance(&none, 0.5);
    assert_true(ledger_of(&none)->event_count >= 3);
    assert_near(ledger_of(&none)->residual_relative, 0, 1e-9);
    assert_alike(&none, &some, 0.5, 0);
  }
}

// ---- from C

static double deepest = HUGE_VAL; // [m] the energy has no value beyond, while the forces have
static double in_C(void *context, const double q[], double gradient[]) {
  const double k = *(const double *)context, x = q[0], y = q[1], z = q[2];
  gradient[SB_POTENTIAL_X] = k * z * z * x;
  gradient[SB_POTENTIAL_Y] = 3 * k * z * z * y;
  gradient[SB_POTENTIAL_Z] = 300 * z + k * z * (x * x + 3 * y * y);
  gradient[SB_POTENTIAL_THETA] = 0;
  return fabs(z) > deepest ? NAN : 150 * z * z + k * z * z * (x * x + 3 * y * y) / 2;
}

static run started_in_C(double rtol) {
  static double k = 7e4; // [N/m^3]
  sb_graph *graph;
  sb_error err = {0};
  assert_int_equal(sb_graph_create("c", &graph, NULL), SB_OK);
  add_kind(graph, "ground", "f", NULL, 0);
  const sb_vec3 axes = {0.06, 0.051, 0.042};
  sb_contact_spec spec = {.id = "c",
                          .body = {"f", "b"},
                          .surface = {sb_surface_plane((sb_vec3){0, 0, 1}, 0),
                                      sb_surface_ellipsoid(axes, sb_pose_identity())},
                          .material = {sb_material_rigid(), {.stiffness = {0, 0, 300}}},
                          .law = sb_contact_law_defaults()};
  double moments[3];
  sb_vec3_store(moments, sb_surface_inertia(&spec.surface[1], 0.13));
  sb_element *body = add_kind(graph, "body", "b", "mass", 0.13);
  set_values(body, "inertia", moments, 3);
  set_values(body, "gravity", (double[]){0, 0, -9.81}, 3);
  set_values(body, "position", (double[]){0, 0, 0.06}, 3);
  set_values(body, "velocity", (double[]){0.13, 0.05, 0}, 3);
  set_values(body, "angular-velocity", (double[]){1.1, 2, 3}, 3);
  spec.law.normal = sb_normal_law_find("potential");
  assert_int_equal(sb_contact_add(graph, &spec, &err), SB_ERR_MISSING);
  assert_string_equal(err.text, "energy is missing: the law 'potential' needs it");
  spec.law.potential.function = in_C;
  spec.law.potential.context = &k;
  spec.law.damping_factor = 0.3;
  assert_int_equal(sb_contact_add(graph, &spec, &err), SB_ERR_RANGE);
  assert_string_equal(err.text, "the law 'potential' takes no stiffness and no damping");
  spec.law.damping_factor = 0;
  ok(sb_contact_add(graph, &spec, &err), &err);
  return start_graph(graph, options_of("fehlberg-8", rtol));
}

static void energy_from_C(void **state) {
  (void)state;
  run a = started_in_C(1e-11);
  run b = by_energy("150[N/m]*z^2 + 35[kN/m^3]*z^2*(x^2 + 3*y^2)", "", 1e-11);
  assert_alike(&a, &b, 1.5, 1e-7);
}

static void energy_without_a_value(void **state) {
  (void)state;
  sb_error err = {0};
  deepest = 1e-3;
  run r = started_in_C(1e-8);
  assert_int_equal(sb_simulation_advance(r.sim, 1.5, &err), SB_ERR_NOT_FINITE);
  assert_contains(err.text, "the energy stored in 'c/elastic' is no finite number at t = ");
  stop(&r);
  deepest = HUGE_VAL;
}

// ---- energy

/** The largest |E - E0|/E0 in 20 bounces. Where z = 0 the springs of this V hold nothing: no event loses any. */
static double energy_error(const char *energy, const char *body, double rtol) {
  char law[400];
  (void)snprintf(law, sizeof law, "normal='potential' energy='%s' axis='1 2 0'", energy);
  run r = tumbling(law, body, rtol);
  double worst = 0;
  for (double t = 0.05; ledger_of(&r)->event_count < 40; t += 0.05) {
    advance(&r, t);
    const sb_account *total = &ledger_of(&r)->total;
    worst = fmax(worst, fabs(total->stored_end / total->stored_start - 1));
    assert_true(t < 60);
  }
  assert_near(ledger_of(&r)->total.dissipated, 0, 0);
  sb_simulation_audit(r.sim);
  assert_true(ledger_of(&r)->structure.residual_relative < 1e-12);
  stop(&r);
  return worst;
}

static void energy_is_kept(void **state) {
  (void)state;
  static const char *const energies[] = {
      "150[N/m]*z^2*(1 + 900[1/m^2]*(x^2 + 3*y^2 + x*y) + 0.4*(1 - cos(theta)))",
      "150[N/m]*z^2*(1 + 20[1/m]*x + 900[1/m^2]*(x^2 + y^2) + 0.3*theta^2)",
      "600[N/m^1.5]*z^2.5*(1 + 900[1/m^2]*r^2 + 0.3*theta^2)"};
  static const char *const bodies[] = {"rotation='31 deg about 1 2 3'",
                                       "rotation='77 deg about 1 -1 0.3'", ""};
  for (int i = 0; i < 3; i += THOROUGH ? 1 : 2) {
    double coarse = energy_error(energies[i], bodies[i], 1e-6);
    double fine = energy_error(energies[i], bodies[i], 1e-11);
    print_message("V %d: error of the energy %.2e at rtol 1e-6, %.2e at 1e-11\n", i, coarse, fine);
    assert_near(fine, 0, 1e-9);
    assert_true(fine < 1e-3 * coarse);
  }
}

/** Springs by r of bodies that both move and turn: their vector leaves the plane by what it is integrated to. */
static void bodies_that_both_move(void **state) {
  (void)state;
  run r = start("<materials><material id='m' stiffness='3000 3000 6000 N/m'/></materials><laws>"
                "<contact-law id='l' normal='potential' "
                "energy='1500[N/m]*z^2*(1 + 0.3*r/5[mm]) + 250[N/m]*r^2'/>"
                "</laws><mechanism gravity='0 0 -9.81 m/s^2'>"
                "<ground id='floor' material='m'><shape kind='plane' normal='0 0 1'/></ground>"
                "<body id='a' mass='1.125288 kg' material='m' position='16.981 -10.258 200 mm' "
                "rotation='78.836764 deg about 1.128826 0.355215 -1.790334' "
                "velocity='-0.146855 -0.20336 -0.232873 m/s' "
                "angular-velocity='0.223968 -1.850332 1.717668 rad/s'>"
                "<shape kind='box' size='181.654 189.005 144.707 mm' edge-radius='32.637 mm'/>"
                "</body><body id='b' mass='0.488359 kg' material='m' "
                "position='19.403 10.809 530 mm' "
                "rotation='119.6624 deg about -1.336196 -0.771125 0.361953' "
                "velocity='0.229468 -0.063214 -0.272433 m/s' "
                "angular-velocity='-0.462198 -0.572673 1.013611 rad/s'>"
                "<shape kind='ellipsoid' semi-axes='90.994 72.312 56.661 mm'/></body>"
                "<contacts among='floor a b' law='l'/></mechanism>",
                1e-9, 1e-11);
  for (double t = 0; t < 0.21; t += 1e-3) {
    advance(&r, t);
    sb_simulation_audit(r.sim);
  }
  assert_int_equal(ledger_of(&r)->event_count, 3);
  assert_near(ledger_of(&r)->structure.residual_relative, 0, 1e-14);
  stop(&r);
}

// ---- faults

static void refused(const char *law, sb_status status, int column, const char *text) {
  char whole[1500];
  sb_netlist *netlist = NULL;
  sb_errors errors = {0};
  (void)snprintf(whole, sizeof whole,
                 "<screwbond version='1' id='m'><laws>\n<contact-law id='l' %s/></laws>"
                 "<run t-end='1 s'/></screwbond>",
                 law);
  (void)sb_netlist_parse("m.xml", whole, strlen(whole), NULL, 0, &netlist, &errors);
  assert_int_equal(errors.count, 1);
  if (strcmp(errors.items[0].text, text) != 0 || errors.items[0].column != column) {
    show_errors(&errors);
  }
  assert_string_equal(errors.items[0].text, text);
  assert_int_equal(errors.items[0].status, status);
  assert_int_equal(errors.items[0].line, 2);
  assert_int_equal(errors.items[0].column, column);
  sb_errors_finish(&errors);
  sb_netlist_destroy(netlist);
}

static void faults(void **state) {
  (void)state;
  refused("normal='potential'", SB_ERR_MISSING, 1,
          "energy is missing: normal=\"potential\" needs it");
  refused(
      "normal='linear' energy='1[N/m]*z^2'", SB_ERR_ATTRIBUTE, 45,
      "contact-law 'l': energy is without effect unless normal=\"potential\" or \"expression\"");
  refused("normal='linear' axis='1 0 0'", SB_ERR_ATTRIBUTE, 43,
          "contact-law 'l': axis is without effect unless normal=\"potential\"");
  refused("energy='1[N/m]*z^2' normal='potential' clamp='yes'", SB_ERR_ATTRIBUTE, 67,
          "contact-law 'l': clamp is without effect with normal=\"potential\"");
  refused("energy='1[N/m]*z^2 + 0.3[J]' normal='potential'", SB_ERR_RANGE, 29,
          "contact-law 'l': the energy of the law 'potential' must be 0 where the bodies touch, x "
          "= y = z = theta = 0: it is 0.3 J");
  refused("energy='1[N/m]*z^2 + 0.7[N]*x' normal='potential'", SB_ERR_RANGE, 29,
          "contact-law 'l': the derivative of the energy of the law 'potential' by x must be 0 "
          "where the bodies touch, x = y = z = theta = 0: it is 0.7 N");
  refused("energy='1[N/m]*z^2 + 0.7[N]*r' normal='potential'", SB_ERR_RANGE, 29,
          "contact-law 'l': the derivative of the energy of the law 'potential' by r must be 0 "
          "where the bodies touch, x = y = z = theta = 0: it is 0.7 N");
  refused("energy='1[N/m]*z^2 + 0.7[N]*sqrt(x^2 + y^2)' normal='potential'", SB_ERR_RANGE, 29,
          "contact-law 'l': the derivative of the energy of the law 'potential' by x jumps where "
          "the bodies touch, x = y = z = theta = 0");
  refused("energy='1[N/m]*(z^2 - y^2)' normal='potential'", SB_ERR_RANGE, 29,
          "contact-law 'l': the energy of the law 'potential' must not be negative: it falls with "
          "y from where the bodies touch");
  refused("energy='1[N/m]*(z^2 - 3*r^2)' normal='potential'", SB_ERR_RANGE, 29,
          "contact-law 'l': the energy of the law 'potential' must not be negative: it falls with "
          "r from where the bodies touch");
  refused("energy='1[N/m]*z^2 - 1[N/m^2]*x^3' normal='potential'", SB_ERR_RANGE, 29,
          "contact-law 'l': the energy of the law 'potential' must not be negative: it falls with "
          "x from where the bodies touch");
  refused("energy='1[N/m]*z^2 + 1[N/m^2]*x^3' normal='potential'", SB_ERR_RANGE, 29,
          "contact-law 'l': the energy of the law 'potential' must not be negative: it falls with "
          "-x from where the bodies touch");
  refused("energy='1[N/m]*z^2 + 1[N.m]*theta*abs(theta)' normal='potential'", SB_ERR_RANGE, 29,
          "contact-law 'l': the energy of the law 'potential' must not be negative: it falls with "
          "-theta from where the bodies touch");
  refused("energy='1[N/m]*z^2 - 1[N/m]*min(y, 0[m])^2' normal='potential'", SB_ERR_RANGE, 29,
          "contact-law 'l': the energy of the law 'potential' must not be negative: it falls with "
          "-y from where the bodies touch");
  refused("energy='1e4[N/m]*z^2 + 3e4[N/m]*x*z' normal='potential'", SB_ERR_RANGE, 29,
          "contact-law 'l': the energy of the law 'potential' must not be negative: its second "
          "derivatives where the bodies touch are indefinite, and it falls along x = -0.666666667 "
          "m, z = 1 m");
  refused("energy='1[N/m]*(z^2 + r*x)' normal='potential'", SB_ERR_CHOICE, 29,
          "contact-law 'l': the energy of the law 'potential' names x or y, and r: they exclude "
          "each other");
  refused("energy='1[N/m]*x^2' axis='0 0 0' normal='potential'", SB_ERR_RANGE, 47,
          "contact-law 'l': the axis of the law 'potential' is zero, and tells no direction");
  refused("energy='1[N]*z^2' normal='potential'", SB_ERR_DIMENSION, 29,
          "contact-law 'l': the energy of the law 'potential': the expression is in kg.m^3/s^2, "
          "expected is a unit like J or N.m");
  refused("energy='1[N/m]*z^2*(2 - cos(theta))' normal='potential' friction='coulomb' mu='1'",
          SB_ERR_MISSING, 1,
          "friction-radius must be positive: the energy depends on theta, and friction=\"coulomb\" "
          "limits its "
          "moment by it");
}

/** V = q.Hq/2 with H in the order x, y, z, theta. */
static double quadratic(void *context, const double q[], double gradient[]) {
  const double(*H)[4] = context;
  double sum = 0;
  for (int i = 0; i < 4; i++) {
    gradient[i] = 0;
    for (int j = 0; j < 4; j++) {
      gradient[i] += H[i][j] * q[j];
    }
    sum += 0.5 * gradient[i] * q[i];
  }
  return sum;
}

/** Quadratic parts, of which those that are indefinite are refused: by the leading minors, or by a square that is left. */
static const struct {
  const char *energy; // numbers have no unit here
  bool refused;
} forms[] = {{"100*z^2 + 30*x*z", true},                           // -(15/2)^2/100 x^2
             {"z^2 + x^2 + 1.99*x*z", false},                      // 1.99 < 2
             {"z^2 + x^2 + 2.01*x*z", true},                       // 2.01 > 2
             {"z^2 + x^2 - 2*x*z", false},                         // (x - z)^2
             {"1.1e4*x^2 - 6.6e3*x*z + 990*z^2", false},           // 1.1e4 (x - 0.3 z)^2
             {"x^2 + y^2 + z^2 + 1.2*(x*y + y*z - x*z)", true},    // eigenvalue 1 - 1.2
             {"x^2 + y^2 + z^2 + 1.2*(x*y + y*z + x*z)", false},   // 1 - 0.6, 1 + 1.2
             {"z^2 + 1e-3*x*theta", true},                         // along x = -theta
             {"z^2 + x^2 + 1e-6*theta^2 + 1.9e-3*x*theta", false}, // 1.9 < 2 in other units
             {"z^2 + x^2 + 1e-6*theta^2 + 2.1e-3*x*theta", true},  // 2.1 > 2
             {"z^4 + 1e-3*x*z", true},                             // along x = -z at small ones
             {"z^2.5 + 400*x^2", false},                           // semidefinite
             {"z^1.5 + x^2 + 40*x*z", false},                      // V_zz is infinite
             {"z^2 + 40*max(x, 0)*z", false},                      // zero where x < 0
             {"z^2 + r^2 + 40*r*z", false},                        // r and z are not negative
             {"z^2 + r^2 - 2.1*r*z", true},                        // along r = z
             {"z^2 + r^2 + theta^2 + 1.5*(r + z)*theta",
              true}, // less (3/4)^2 (r + z)^2, left is -9/8 r z + 7/16 (r^2 + z^2)
             {"z^2 + r^2 + theta^2 + 1.5*(r - z)*theta", false}, // 9/8 r z + 7/16 (r^2 + z^2)
             {"150*z^2*(1 + 30*x) + 40*x^2 + 90*y^2 + 10*x*y + 0.05*(1 - cos(theta))", false}};

static void quadratic_parts(void **state) {
  (void)state;
  static const char *const names[] = {"x", "y", "z", "theta", "r"};
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    const sb_vocabulary vocabulary = {.variables = names, .variable_count = 5};
    sb_potential p = {.axis = {1, 0, 0}};
    sb_error err = {0};
    ok(sb_expression_compile(forms[i].energy, strlen(forms[i].energy), &vocabulary, &p.energy,
                             &err),
       &err);
    const sb_status status = sb_potential_check(&p, "potential", &err);
    if (status != (forms[i].refused ? SB_ERR_RANGE : SB_OK)) {
      print_error("%s: %s\n", forms[i].energy, err.text);
    }
    assert_int_equal(status, forms[i].refused ? SB_ERR_RANGE : SB_OK);
    sb_expression_destroy(p.energy);
  }
}

/** The same of functions: 2 x 2 with the determinant 300 400 - k^2, and coordinates that it does not have. */
static void quadratic_parts_from_C(void **state) {
  (void)state;
  const double couplings[] = {0, 346, 347}; // [N/m] sqrt(120000) = 346.41
  for (int i = 0; i < 3; i++) {
    double H[4][4] = {[0] = {400, 0, couplings[i], 0}, [2] = {couplings[i], 0, 300, 0}};
    const sb_potential p = {.function = quadratic, .context = H, .axis = {1, 0, 0}};
    sb_error err = {0};
    assert_int_equal(sb_potential_check(&p, "potential", &err), i == 2 ? SB_ERR_RANGE : SB_OK);
  }
}

/** V = a x^2 + b z^2 (1 - (x/l)^2) is that of springs near the touch, and below zero where b z^2 ((x/l)^2 - 1) > a x^2: the
 *  run ends there, and not where the body has left. The sign is that of V by hand at the last state. */
static void falls_below_zero(void **state) {
  (void)state;
  sb_error err = {0};
  run r = by_energy("40[N/m]*x^2 + 300[N/m]*z^2*(1 - (x/9[mm])^2)", "", 1e-8);
  assert_int_equal(sb_simulation_advance(r.sim, 1, &err), SB_ERR_SOLVER);
  assert_non_null(strstr(err.text, "the energy stored in 'c/elastic' has fallen to -"));
  assert_non_null(strstr(err.hint, "given more than it took, whether it rises again further on"));
  assert_true(err.line > 0);
  const double x = value(&r, "c/elastic.s.x"), z = value(&r, "c.penetration");
  const double stored = 40 * x * x + 300 * z * z * (1 - x * x / 81e-6);
  assert_near(strtod(strstr(err.text, "fallen to ") + strlen("fallen to "), NULL), stored,
              1e-8 * fabs(stored));
  assert_true(stored < 0 && stored > -0.1 * ledger_of(&r)->total.stored_start);
  assert_true(ledger_of(&r)->work.steps < 1000);
  stop(&r);
}

/** Whose cubes are near the ends of what numbers reach: x runs along it all the same. */
static void axes_of_any_length(void **state) {
  (void)state;
  static const char *const axes[] = {"axis='1 0.5 0'", "axis='1e100 5e99 0'",
                                     "axis='1e-100 5e-101 0'"};
  double first = 0;
  for (int i = 0; i < 3; i++) {
    run r = by_energy("150[N/m]*z^2 + 40[N/m]*x^2 + 90[N/m]*y^2", axes[i], 1e-9);
    advance(&r, 0.3);
    const double energy = value(&r, "c/elastic.energy") + value(&r, "b.energy");
    assert_true(ledger_of(&r)->event_count > 0);
    first = i == 0 ? energy : first;
    assert_near_relative(energy, first, 1e-8);
    stop(&r);
  }
}

/** A part of a contact tells all of its states where none was meant. */
static void names_of_the_springs(void **state) {
  (void)state;
  run r = by_energy("150[N/m]*z^2 + 40[N/m]*x^2", "", 1e-8);
  sb_quantity unused;
  sb_error err = {0};
  assert_int_equal(sb_model_find(r.model, "c/elastic.qqq", &unused, &err), SB_ERR_REFERENCE);
  assert_string_equal(err.text, "contact-potential 'c/elastic' has no quantity 'qqq'");
  assert_string_equal(err.hint, "it has: energy, power, e, f, s.x, s.y, s.z, theta");
  stop(&r);
}

/** x has no direction where its axis is normal to the surface. */
static void axis_along_the_normal(void **state) {
  (void)state;
  sb_error err = {0};
  run r = by_energy("150[N/m]*z^2 + 40[N/m]*x^2", "axis='0 0 1'", 1e-8);
  assert_int_equal(sb_simulation_advance(r.sim, 1, &err), SB_ERR_CONTACT);
  assert_non_null(strstr(err.text,
                         "the axis along which x of the energy runs is normal to the surface: x "
                         "and y have no direction there"));
  stop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loads_are_the_gradient),
      repeating_test(springs_by_their_energy),
      repeating_test(friction_of_springs),
      repeating_test(limit_by_the_energy),
      repeating_test(axes_turned),
      repeating_test(material_has_no_say),
      repeating_test(energy_from_C),
      cmocka_unit_test(energy_without_a_value),
      repeating_test(energy_is_kept),
      repeating_test(bodies_that_both_move),
      cmocka_unit_test(faults),
      cmocka_unit_test(quadratic_parts),
      cmocka_unit_test(quadratic_parts_from_C),
      cmocka_unit_test(falls_below_zero),
      cmocka_unit_test(axes_of_any_length),
      cmocka_unit_test(names_of_the_springs),
      cmocka_unit_test(axis_along_the_normal),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
