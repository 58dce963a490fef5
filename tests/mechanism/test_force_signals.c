// SPDX-License-Identifier: GPL-3.0-or-later
// Forces and reactions as signals: what a controller reads of a contact, a joint, a joint that closes a loop or a bushing, and
// algebraic loops through them. Expected: closed forms, a motion by an independent integration, and what results tell.
#include "core/analysis/equilibrium.h"
#include "core/analysis/linearize.h"
#include "tests/fixture.h"

static const double g = 9.81;

/** An arm of m = 2 kg, its centre at l = 0.5 m, J = 0.65 kg m^2, turns about the vertical and rubs with mu r times the force across
 *  its bearing: J alpha = -mu r m hypot(l alpha, l w^2), so alpha = -c w^2 with c = mu r m l / sqrt(J^2 - (mu r m l)^2) and w =
 *  w0/(1 + c w0 t). In any unit, and however slow it has become, one solution continues. */
static void friction_by_the_load_in_any_unit(void **state) {
  (void)state;
  static const struct {
    double length, mass, until;
  } rows[] = {{1, 1, 300}, {1e-3, 1e-3, 10}, {0x1p-40, 1, 10}};
  const double J = 0.65, rubbing = 0.04 * 2 * 0.5, c = rubbing / sqrt(J * J - rubbing * rubbing);
  for (int i = 0; i < 3; i++) {
    const double L = rows[i].length, M = rows[i].mass, I = L * L * M;
    char text[1200];
    (void)snprintf(
        text, sizeof text,
        "<screwbond version='1' id='m'><mechanism gravity='0 0 %.17g m/s^2'><body id='arm' "
        "mass='%.17g kg' com='%.17g 0 0 m' inertia='%.17g %.17g %.17g kg.m^2'/>"
        "<joint id='bearing' kind='revolute' axis='0 0 1' parent='world' child='arm' w0='10 "
        "rad/s'/></mechanism><network><signal id='Fx' of='bearing.force.x'/>"
        "<signal id='Fy' of='bearing.force.y'/><R id='rub' domain='rotation' "
        "law='%.17g[m]*sqrt(Fx^2 + Fy^2)*sign(f)'/><bond from='bearing' to='rub'/></network>"
        "<run t-end='%.17g s' rtol='1e-10'/></screwbond>",
        -g * L, 2 * M, 0.5 * L, 0.1 * I, 0.1 * I, 0.15 * I, 0.04 * L, rows[i].until);
    run r = start_netlist(text);
    advance(&r, rows[i].until);
    const double w = 10 / (1 + c * 10 * rows[i].until);
    assert_near(value(&r, "bearing.w") / w, 1, 1e-9);
    stop(&r);
  }
}

#define WHOLE(mechanism_, network_)                                                                \
  "<screwbond version='1' id='m'>"                                                                 \
  "<materials><material id='soft' stiffness='1500 1500 2000 N/m' spin-stiffness='2 N.m/rad'/>"     \
  "</materials><laws>"                                                                             \
  "<contact-law id='spring' normal='hunt-crossley' exponent='1' damping-factor='0.05 s/m' "        \
  "friction='none'/><contact-law id='hard' normal='rigid' friction='none'/></laws>"                \
  "<mechanism gravity='0 0 -9.81 m/s^2'>" mechanism_ "</mechanism><network>" network_              \
  "</network><run t-end='3 s' rtol='1e-10' sample='0.1 s'/></screwbond>"
#define TOOL(law_, damping_, q0_)                                                                  \
  "<body id='tool' mass='1 kg' material='soft'><shape kind='sphere' radius='0.1 m'/></body>"       \
  "<joint id='slide' kind='prismatic' axis='0 0 1' parent='world' child='tool' q0='" q0_ " m' "    \
  "damping='" damping_ " N.s/m'/><ground id='floor' material='soft'><shape kind='plane' "          \
  "normal='0 0 1' offset='0 m'/></ground><contact id='press' a='floor' b='tool' law='" law_ "'/>"
#define ACTUATOR(effort_)                                                                          \
  "<signal id='N' of='press.normal-force'/><signal id='error' value='25[N] - N'/>"                 \
  "<signal id='sum' rate='error'/><Se id='actuator' domain='translation' effort='" effort_         \
  "'/><bond from='actuator' to='slide'/>"

/** The error falls to zero, and the modes about the steady state are the roots of
 *  z^3 + (40 + 1.2 B) z^2 + (1.2 k + 5 B) z + 5 k = 0, k = 1000 N/m, B = 0.05 s/m 0.025 m k, for 1 kg. */
static void force_control(void **state) {
  (void)state;
  static const char *const outputs[] = {"N", "sum", "slide.q"};
  const double k = 1000, B = 0.05 * 0.025 * k, rest[] = {25, (25 - g) / 5, 0.075};
  run r =
      start_netlist(WHOLE(TOOL("spring", "40", "0.09"), ACTUATOR("0 - 0.2*error - 5[1/s]*sum")));
  sb_error err = {0};
  sb_equilibrium *found = NULL;
  ok(sb_equilibrium_find(r.sim, outputs, 3, &found, &err), &err);
  for (int i = 0; i < 3; i++) {
    assert_near(found->outputs[i].value, rest[i], 1e-9);
  }
  sb_equilibrium_destroy(found);
  sb_linear *linear;
  const sb_linear_request request = {.equilibrium = true, .outputs = outputs, .output_count = 1};
  ok(sb_linearize(r.sim, &request, &linear, &err), &err);
  sb_mode modes[20];
  int fast = 0;
  assert_true(linear->states <= 20);
  ok(sb_linear_modes(linear, modes, &err), &err);
  for (int i = 0; i < linear->states; i++) {
    const double a = modes[i].re, b = modes[i].im, c = 40 + 1.2 * B, d = 1.2 * k + 5 * B;
    if (modes[i].natural > 1e-6) { // the others are of the tangential springs
      assert_near(a * a * a - 3 * a * b * b + c * (a * a - b * b) + d * a + 5 * k, 0, 1e-5);
      assert_near(3 * a * a * b - b * b * b + 2 * c * a * b + d * b, 0, 1e-5);
      fast++;
    }
  }
  assert_int_equal(fast, 3);
  sb_linear_destroy(linear);
  stop(&r);
}

/** A pendulum whose bearing rubs with mu r N, N = m |a - g|: alpha by a fixed point, which contracts by mu r m l/I. */
static double friction_of_load(double q, double w) {
  const double m = 2, l = 0.5, I = 0.65, mur = 0.006;
  double alpha = 0;
  for (int i = 0; i < 40; i++) {
    const double N = m * hypot(l * alpha + g * sin(q), l * w * w + g * cos(q));
    alpha = -(m * g * l * sin(q) + mur * N * tanh(w / 0.05)) / I;
  }
  return alpha;
}

static void expected_swing(double until, double *q, double *w) {
  const int steps = 20000;
  const double h = until / steps;
  for (int i = 0; i < steps; i++) {
    const double k1 = friction_of_load(*q, *w), w2 = *w + h / 2 * k1,
                 k2 = friction_of_load(*q + h / 2 * *w, w2), w3 = *w + h / 2 * k2,
                 k3 = friction_of_load(*q + h / 2 * w2, w3), w4 = *w + h * k3,
                 k4 = friction_of_load(*q + h * w3, w4);
    *q += h / 6 * (*w + 2 * w2 + 2 * w3 + w4);
    *w += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
}

static void friction_by_the_load_of_a_joint(void **state) {
  (void)state;
  static const char *const methods[] = {"dormand-prince-5", "fehlberg-8", "kvaerno-5"};
  double q = SB_PI / 3, w = 1;
  expected_swing(1.5, &q, &w);
  for (int i = 0; i < 3; i += THOROUGH ? 1 : 2) {
    run r =
        prepare(WHOLE("<body id='rod' mass='2 kg' com='0 0 -0.5 m' inertia='0.15 0.15 0.1 kg.m^2'/>"
                      "<joint id='pivot' kind='revolute' axis='1 0 0' parent='world' child='rod' "
                      "q0='60 deg' w0='1 rad/s'/>",
                      "<signal id='Fy' of='pivot.force.y'/><signal id='Fz' of='pivot.force.z'/>"
                      "<R id='rub' domain='rotation' "
                      "law='0.006[m]*sqrt(Fy^2 + Fz^2)*tanh(f/0.05[rad/s])'/>"
                      "<bond from='pivot' to='rub'/>"));
    const sb_options options = options_of(methods[i], 1e-10);
    start_by(&r, &options);
    advance(&r, 1.5);
    assert_near(value(&r, "pivot.q"), q, 1e-8);
    assert_near(value(&r, "pivot.w"), w, 1e-8);
    sb_simulation_audit(r.sim);
    assert_true(ledger_of(&r)->structure.residual_relative < 1e-12);
    assert_true(ledger_of(&r)->residual_relative < 1e-8);
    stop(&r);
  }
}

/** m g - 10 N/s t - (1 + G) N = 0 on the floor with a controlled force F = 10 N/s t + G N; it is lifted where N ends. */
static void rigid_contact(void **state) {
  (void)state;
  static const char *const efforts[] = {"10[N/s]*t", "10[N/s]*t - 0.5*N", "10[N/s]*t + 2*N"};
  static const double gains[] = {0, -0.5, 2};
  const char *form = WHOLE(TOOL("hard", "0", "0.1"), ACTUATOR("%s"));
  for (int i = 0; i < 3; i++) {
    char text[4000];
    (void)snprintf(text, sizeof text, form, efforts[i]);
    run r = start_netlist(text);
    advance(&r, 0.6);
    assert_near(value(&r, "N"), (g - 6) / (1 + gains[i]), 1e-9);
    advance(&r, 1.5);
    const double t = 1.5 - g / 10; // since it left
    assert_near(value(&r, "slide.q"), 0.1 + 10 * t * t * t / 6, 1e-8);
    assert_near(value(&r, "N"), 0, 0);
    sb_simulation_audit(r.sim);
    assert_true(ledger_of(&r)->structure.residual_relative < 1e-12);
    stop(&r);
  }
}

/** What a signal reads is what results have by the same name, whatever it is of. */
static void same_as_results(void **state) {
  (void)state;
  static const char *const names[] = {
      "press.normal-force", "mount/elastic.e.5",  "mount/damper.e.1",    "mount.shift.z",
      "end.force.x",        "end.moment.z",       "end.force(rocker).y", "hand.velocity(hand).x",
      "buffer.momentum.z",  "left.force(world).y"};
  enum { NAMES = sizeof names / sizeof *names };
  char text[6000], signals[2000] = "";
  for (int i = 0; i < NAMES; i++) {
    const size_t used = strlen(signals);
    (void)snprintf(signals + used, sizeof signals - used, "<signal id='s%d' of='%s'/>", i,
                   names[i]);
  }
  (void)snprintf(
      text, sizeof text,
      WHOLE(
          TOOL(
              "spring", "3",
              "0.09") "<body id='crank' mass='1 kg' com='0 0 0.2 m' inertia='0.01 0.01 0.01 "
                      "kg.m^2'/>"
                      "<body id='rocker' mass='1 kg' com='0 0 0.3 m' inertia='0.02 0.02 0.02 "
                      "kg.m^2'/>"
                      "<body id='coupler' mass='1 kg' com='0.2 0 0.1 m' inertia='0.02 0.02 0.02 "
                      "kg.m^2'>"
                      "<frame id='hand' at='0.3 0 0.2 m' rotation='20 deg about 0 1 0'/></body>"
                      "<joint id='left' kind='revolute' axis='0 1 0' parent='world' child='crank' "
                      "at='2 0 1 m' q0='20 deg' w0='3 rad/s'/>"
                      "<joint id='right' kind='revolute' axis='0 1 0' parent='world' "
                      "child='rocker' "
                      "at='2.8 0 1 m'/>"
                      "<joint id='top' kind='revolute' axis='0 1 0' parent='crank' child='coupler' "
                      "at='0 0 0.4 m'/>"
                      "<joint id='end' kind='revolute' axis='0 1 0' parent='coupler' "
                      "child='rocker' "
                      "at='0.7 0 0 m' child-at='0 0 0.6 m' cut='yes'/>"
                      "<body id='buffer' mass='2 kg' inertia='0.02 0.03 0.04 kg.m^2' position='5 0 "
                      "1 m' "
                      "velocity='0.1 0.2 0.3 m/s' angular-velocity='1 2 3 rad/s'/>"
                      "<ground id='base'/>"
                      "<Bushing id='mount' from='base' to='buffer' "
                      "stiffness='2000 3000 4000 N/m' turn-stiffness='20 20 20 N.m/rad' "
                      "damping='40 40 40 N.s/m' turn-damping='1 1 1 N.m.s/rad'/>",
          "%s"),
      signals);
  run r = start_netlist(text);
  for (int k = 1; k <= 3; k++) {
    advance(&r, 0.3 * k);
    for (int i = 0; i < NAMES; i++) {
      char id[8];
      (void)snprintf(id, sizeof id, "s%d", i);
      assert_near(value(&r, id), value(&r, names[i]), 1e-12 * (1 + fabs(value(&r, names[i]))));
    }
  }
  assert_true(fabs(value(&r, "s4")) > 0.1 && fabs(value(&r, "s1")) > 0.1);
  sb_simulation_audit(r.sim);
  assert_true(ledger_of(&r)->structure.residual_relative < 1e-12);
  stop(&r);
}

/** Of a force that is fed back by a gain of one nothing is left to determine it. */
static void gain_of_one(void **state) {
  (void)state;
  run r = prepare(WHOLE(TOOL("hard", "0", "0.1"), ACTUATOR("5[N] - N")));
  sb_error err = {0};
  const sb_options options = options_of("dormand-prince-5", 1e-8);
  assert_int_equal(sb_simulation_create(r.model, &options, &r.sim, &err), SB_ERR_UNSOLVED);
  assert_non_null(strstr(err.text, "'press'"));
  assert_non_null(strstr(err.text, "has no solution at t = 0 s"));
  sb_model_destroy(r.model);
  sb_netlist_destroy(r.netlist);
}

/** A slider-crank whose piston rubs by the force N of its guide, which passes through zero: there mu |N| has a kink, and N is the rounding of the
 *  largest force. References by Newton's and Euler's laws of the three bodies and a method of order 8 from zero to zero of N, to 1e-13,
 *  apart from this program; the smooth law comes near. */
static void guide_force_through_zero(void **state) {
  (void)state;
  static const double scenes[][4] = {{30, 0.2, 7.94434184466, 23.00508823398},
                                     {45, 0.2, 11.99581529057, 39.84592564783},
                                     {30, 0.1, 8.00891023089, 23.73118852934}};
  static const char *const laws[] = {
      "<Friction id='f' domain='translation' coulomb='%g*abs(N)'/>",
      "<R id='f' domain='translation' law='%g*abs(N)*tanh(f/1e-4[m/s])'/>"};
  for (int k = 0; k < 6; k += THOROUGH ? 1 : 5) {
    const double *s = scenes[k / 2];
    char law[200], text[2500];
    (void)snprintf(law, sizeof law, laws[k % 2], s[1]);
    (void)snprintf(
        text, sizeof text,
        "<mechanism gravity='0 -9.81 0'><body id='C' mass='2' inertia='0.02 0.02 0.02' com='0.05 0 "
        "0'/><body id='R' mass='1' inertia='0.01 0.01 0.01' com='0.15 0 0'/><body id='P' "
        "mass='0.5' inertia='0.01 0.01 0.01'/><joint id='a' kind='revolute' parent='world' "
        "child='C' w0='%g'/><joint id='b' kind='revolute' parent='C' child='R' at='0.1 0 0'/>"
        "<joint id='s' kind='prismatic' axis='1 0 0' parent='world' child='P' at='0.4 0 0'/>"
        "<joint id='c' kind='revolute' parent='P' child='R' child-at='0.3 0 0'/></mechanism>"
        "<network><signal id='N' of='s.force.y'/>%s<bond from='s' to='f'/></network>",
        s[0], law);
    run r = start(text, 1e-9, 0);
    advance(&r, 0.3);
    assert_near(component(&r, "a.q", 0), s[2], k % 2 == 0 ? 1e-7 : 1e-5);
    assert_near(value(&r, "a.w"), s[3], k % 2 == 0 ? 1e-6 : 1e-4);
    assert_closes(&r);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(force_control),
      repeating_test(friction_by_the_load_of_a_joint),
      cmocka_unit_test(rigid_contact),
      repeating_test(same_as_results),
      repeating_test(guide_force_through_zero),
      repeating_test(gain_of_one),
      repeating_test(friction_by_the_load_in_any_unit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
