// SPDX-License-Identifier: GPL-3.0-or-later
// The audit of a stiffness that changes with the points of contact: a rate that is not that of the stiffness is found in the
// structure that gives both, though the structure keeps all power and the spring takes what it is given; a right one is right in any
// unit, and in a hollow that the ball almost fills.
#include "contact/structure_private.h"
#include "core/model/model_data.h"
#include "tests/fixture.h"

static const struct {
  const char *material, *law;
  double mass, time; // of which so many are units, lengths being as they are
} contacts[] = {
    {"youngs-modulus='0.3 MPa' poisson-ratio='0.47' stiffness='500 500 0 N/m'",
     "normal='hertz' damping-factor='0.2 s/m' clamp='no'", 1, 1},
    {"axes='body' stiffness='900 300 2000 N/m' stiffness-coupling='100 200 -70 N/m'",
     "normal='linear' clamp='no'", 1, 1},
    {"youngs-modulus='0.3e30 MPa' poisson-ratio='0.47' stiffness='500e30 500e30 0 N/m'",
     "normal='hertz' damping-factor='0.2e-10 s/m' clamp='no'", 1e10, 1e-10},
    {"axes='body' stiffness='900e30 300e30 2000e30 N/m' stiffness-coupling='1e32 2e32 -7e31 N/m'",
     "normal='linear' clamp='no'", 1e10, 1e-10},
};

static const sb_element_type *right;
static double factor;

/** Of d ln k/dt and of its column, that is of its force and moment, too. */
static int wrong_forward(const void *self, const sb_at *at, double y[]) {
  sb_contact_frame *frame = (sb_contact_frame *)(void *)at->own;
  int status = right->structure->forward(self, at, y);
  if (status == 0 && frame->active != 0) {
    frame->hardening = sb_wrench_scale(frame->hardening, factor);
    y[sb_contact_stiffness_component(self)] *= factor;
  }
  return status;
}

static int nothing(void *context, const sb_simulation *sim, double t) {
  (void)context, (void)sim, (void)t;
  return 0;
}

/** @param text  with a contact 'c', whose d ln k/dt is off by `lie` */
static run lying(const char *text, double lie, double rtol, double t_end) {
  static sb_element_type type;
  static sb_structure_hooks hooks;
  sb_error err = {0};
  run r = prepare_inside(text);
  for (int i = 0; i < r.model->network.instance_count; i++) {
    sb_instance *instance = &r.model->network.instances[i];
    if (strcmp(instance->id, "c") == 0) {
      right = instance->type;
      type = *right;
      hooks = *right->structure;
      hooks.forward = wrong_forward;
      factor = 1 + lie;
      type.structure = &hooks;
      instance->type = &type;
    }
  }
  sb_options options = r.netlist->options;
  options.rtol = rtol > 0 ? rtol : options.rtol;
  start_by(&r, &options);
  ok(sb_simulation_run(r.sim, t_end, 1e-2 * t_end, nothing, NULL, &err), &err);
  return r;
}

static run egg_on_a_floor(int k, double lie) {
  const double m = contacts[k].mass, t = contacts[k].time;
  char text[1500];
  (void)snprintf(
      text, sizeof text,
      "<materials><material id='rubber' %s/></materials><laws><contact-law id='soft' %s/></laws>"
      "<mechanism gravity='0 0 %g m/s^2'><body id='egg' mass='%g kg' material='rubber' "
      "position='0.02 0.03 0.13 m' rotation='25 deg about 0.2 1 0' velocity='%g %g %g m/s' "
      "angular-velocity='%g %g %g rad/s'><shape kind='ellipsoid' semi-axes='0.15 0.12 0.08 m'/>"
      "</body><ground id='floor' material='rubber'><shape kind='plane' normal='0 0 1'/></ground>"
      "<contact id='c' a='floor' b='egg' law='soft'/></mechanism>",
      contacts[k].material, contacts[k].law, -9.81 / (t * t), m, 0.4 / t, -0.3 / t, -1.5 / t, 1 / t,
      2 / t, -8 / t);
  return lying(text, lie, 0, 0.1 * t);
}

static void is_told(run *r) {
  assert_string_equal(ledger_of(r)->structure.worst, "c");
  assert_in_range((uintmax_t)(1e9 * ledger_of(r)->structure.residual_relative), 20, 10001);
  assert_true(ledger_of(r)->structure.skew_relative < 1e-12);
}

static void stiffness_is_differenced(void **state) {
  (void)state;
  for (int k = 0; k < (int)(sizeof contacts / sizeof *contacts); k++) {
    run sound = egg_on_a_floor(k, 0);
    assert_true(ledger_of(&sound)->work.events > 0);
    assert_true(ledger_of(&sound)->structure.residual_relative < 1e-12);
    stop(&sound);
    for (int sign = -1; sign <= 1; sign += 2) {
      run r = egg_on_a_floor(k, sign * 1e-5);
      is_told(&r);
      stop(&r);
    }
  }
}

/** A hollow of 20 mm about the x axis, in which a ball is loose by `clearance` of that; thrown about in it. */
static run ball_in_a_hollow(int kind, const char *law, double clearance, double lie, double rtol) {
  static const char *const hollows[] = {
      "kind='tube' rotation='90 deg about 0 1 0' radius='20 mm'",
      "kind='bowl' semi-axes='20 20 20 mm'",
      "kind='hollow-torus' at='0 0.1 0 m' radius='0.1 m' tube-radius='20 mm'"};
  const double loose = 20 * clearance; // [mm]
  char text[1500];
  (void)snprintf(text, sizeof text,
                 "<materials><material id='m' youngs-modulus='0.6 MPa' poisson-ratio='0.4'/>"
                 "</materials><laws><contact-law id='l' %s/></laws>"
                 "<mechanism gravity='0 -2 -3 m/s^2'><ground id='g' material='m'><shape %s/>"
                 "</ground><body id='b' mass='0.2 kg' material='m' velocity='0.02 0.05 0.03 m/s' "
                 "angular-velocity='2 1 3 rad/s' position='0 %.15g %.15g mm'>"
                 "<shape kind='sphere' radius='%.15g mm'/></body>"
                 "<contact id='c' a='g' b='b' law='l'/></mechanism>",
                 law, hollows[kind], 0.2 * loose, 0.3 * loose, 20 - loose);
  return lying(text, lie, rtol, 0.2);
}

/** What the hollow leaves of the ball's curvature is known to as many roundings as it is less than that. Of a tube and a bowl it
 *  does not change at all. */
static void hollows_almost_filled_are_sound(void **state) {
  (void)state;
  static const char *const laws[] = {
      "normal='hertz'", "normal='hertz' friction='viscous' sigma2='1 N.s/m'",
      "normal='hertz' tangential='mindlin'",
      "normal='hertz' tangential='mindlin' friction='coulomb' mu='0.2' friction-radius='3 mm'"};
  static const double clearances[] = {5e-2, 1e-2, 2e-3, 5e-4};
  for (int kind = 0; kind < 3; kind++) {
    for (int k = 0; k < 16; k += THOROUGH ? 1 : 7) {
      run r = ball_in_a_hollow(kind, laws[k % 4], clearances[k / 4], 0, 1e-7);
      assert_true(ledger_of(&r)->work.events > 0);
      assert_true(ledger_of(&r)->structure.residual_relative < 1e-12);
      assert_true(ledger_of(&r)->residual_relative < 1e-5);
      stop(&r);
    }
    double error[2];
    for (int k = 0; k < 2; k++) {
      run r = ball_in_a_hollow(kind, laws[0], 5e-4, 0, k == 0 ? 1e-6 : 1e-10);
      error[k] = ledger_of(&r)->residual_relative;
      stop(&r);
    }
    assert_true(error[1] < 1e-3 * error[0]);
  }
}

/** In a ring the curvature along it changes around the ring's tube. */
static void hollow_ring_is_differenced(void **state) {
  (void)state;
  static const double clearances[] = {5e-2, 2e-3, 5e-4};
  for (int k = 0; k < 6; k++) {
    run r = ball_in_a_hollow(2, "normal='hertz'", clearances[k / 2], k % 2 ? 1e-5 : -1e-5, 1e-7);
    is_told(&r);
    stop(&r);
  }
}

/** A ball in a bowl, thrown along a line through the middle: with k = (4/3) E* (1/r - 1/R)^(-1/2) and m v^2/2 = (2/5) k d^(5/2) a
 *  touch lasts for 2 (d/v) int_0^1 (1 - s^(5/2))^(-1/2) ds = (4/5) B(2/5, 1/2) d/v. */
static void bounce_in_a_bowl_takes_its_time(void **state) {
  (void)state;
  static const double clearances[] = {5e-2, 2e-3, 5e-4};
  for (int k = 0; k < 3; k++) {
    const double R = 0.02, r = R * (1 - clearances[k]), v = 0.05, m = 0.2,
                 E = 0.5 * 0.6e6 / (1 - 0.4 * 0.4), stiffness = 4. / 3 * E / sqrt(1 / r - 1 / R),
                 depth = pow(1.25 * m * v * v / stiffness, 0.4),
                 beta = tgamma(0.4) * tgamma(0.5) / tgamma(0.9), lasts = 0.8 * beta * depth / v;
    char text[1500];
    (void)snprintf(
        text, sizeof text,
        "<materials><material id='m' youngs-modulus='0.6 MPa' poisson-ratio='0.4'/></materials>"
        "<laws><contact-law id='l' normal='hertz'/></laws><mechanism gravity='0 0 0'>"
        "<ground id='g' material='m'><shape kind='bowl' semi-axes='20 20 20 mm'/></ground>"
        "<body id='b' mass='0.2 kg' material='m' velocity='0.03 0.04 0 m/s'>"
        "<shape kind='sphere' radius='%.15g'/></body><contact id='c' a='g' b='b' law='l'/>"
        "</mechanism>",
        r);
    run sim = lying(text, 0, 1e-10, (R - r) / v + 1.5 * lasts);
    const sb_ledger *ledger = ledger_of(&sim);
    assert_true(ledger->event_count >= 2);
    assert_near(ledger->events[0].t, (R - r) / v, 1e-9);
    assert_near(ledger->events[1].t - ledger->events[0].t, lasts, 1e-7 * lasts);
    assert_true(ledger->structure.residual_relative < 1e-12);
    stop(&sim);
  }
}

/** A ball on a superellipsoid of exponent p, near its planes of symmetry: there the stiffness changes like |x|^(p - 2), whose
 *  slope is finite from p = 3 on. Released, the ball has the energy that it came with. */
static void superellipsoids_are_sound(void **state) {
  (void)state;
  static const double exponents[] = {2, 3, 3.1, 3.3, 3.5, 3.9, 4, 4.5, 5, 5.5, 6, 8};
  char text[1500];
  sb_error err = {0};
  for (size_t i = 0; i < sizeof exponents / sizeof *exponents; i++) {
    (void)snprintf(
        text, sizeof text,
        "<materials><material id='m' youngs-modulus='0.5 MPa' poisson-ratio='0.3'/></materials>"
        "<laws><contact-law id='l' normal='hertz'/></laws><mechanism><ground id='g' material='m'>"
        "<shape kind='superellipsoid' semi-axes='0.15 0.12 0.1 m' exponent='%g'/></ground>"
        "<body id='b' mass='1 kg' material='m' position='0.02 0.03 0.25 m' velocity='-0.3 -0.5 "
        "-1.5 "
        "m/s'><shape kind='sphere' radius='0.1 m'/></body><contact id='c' a='g' b='b' law='l'/>"
        "</mechanism>",
        exponents[i]);
    run r = prepare_inside(text);
    start_by(&r, &r.netlist->options);
    ok(sb_simulation_run(r.sim, 0.1, 1e-2, nothing, NULL, &err), &err);
    const sb_ledger *ledger = ledger_of(&r);
    assert_int_equal(ledger->event_count, 2);
    assert_true(ledger->structure.residual_relative < 1e-12);
    assert_true(ledger->residual_relative < 1e-7);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stiffness_is_differenced), repeating_test(hollows_almost_filled_are_sound),
      repeating_test(hollow_ring_is_differenced), cmocka_unit_test(bounce_in_a_bowl_takes_its_time),
      repeating_test(superellipsoids_are_sound)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
