// SPDX-License-Identifier: GPL-3.0-or-later
// The audit of a stiffness that changes with the points of contact: a rate that is not that of the stiffness is found in the
// structure that gives both, though the structure keeps all power and the spring takes what it is given; a right one is right in any
// unit.
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

static run egg_on_a_floor(int k, double lie) {
  const double m = contacts[k].mass, t = contacts[k].time;
  static sb_element_type type;
  static sb_structure_hooks hooks;
  char text[1500];
  sb_error err = {0};
  (void)snprintf(
      text, sizeof text,
      "<materials><material id='rubber' %s/></materials><laws><contact-law id='soft' %s/></laws>"
      "<mechanism gravity='0 0 %g m/s^2'><body id='egg' mass='%g kg' material='rubber' "
      "position='0.02 0.03 0.13 m' rotation='25 deg about 0.2 1 0' velocity='%g %g %g m/s' "
      "angular-velocity='%g %g %g rad/s'><shape kind='ellipsoid' semi-axes='0.15 0.12 0.08 m'/>"
      "</body><ground id='floor' material='rubber'><shape kind='plane' normal='0 0 1'/></ground>"
      "<contact a='floor' b='egg' law='soft'/></mechanism>",
      contacts[k].material, contacts[k].law, -9.81 / (t * t), m, 0.4 / t, -0.3 / t, -1.5 / t, 1 / t,
      2 / t, -8 / t);
  run r = prepare_inside(text);
  for (int i = 0; i < r.model->network.instance_count; i++) {
    sb_instance *instance = &r.model->network.instances[i];
    if (strcmp(instance->id, "contact(floor,egg)") == 0) {
      right = instance->type;
      type = *right;
      hooks = *right->structure;
      hooks.forward = wrong_forward;
      factor = 1 + lie;
      type.structure = &hooks;
      instance->type = &type;
    }
  }
  start_by(&r, &r.netlist->options);
  ok(sb_simulation_run(r.sim, 0.1 * t, 1e-3 * t, nothing, NULL, &err), &err);
  return r;
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
      assert_string_equal(ledger_of(&r)->structure.worst, "contact(floor,egg)");
      assert_in_range((uintmax_t)(1e9 * ledger_of(&r)->structure.residual_relative), 20, 10001);
      assert_true(ledger_of(&r)->structure.skew_relative < 1e-12);
      stop(&r);
    }
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
  const struct CMUnitTest tests[] = {cmocka_unit_test(stiffness_is_differenced),
                                     cmocka_unit_test(superellipsoids_are_sound)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
