// SPDX-License-Identifier: GPL-3.0-or-later
// Energies of storages against their own rates and ports: sound ones that are hard to difference pass, and a wrong
// energy, output or rate of a contact, which reads where the bodies are, is found while it touches.
#include "tests/campaign/wrong_hooks.h"
#include "tests/fixture.h"

static int nothing(void *context, const sb_simulation *sim, double t) {
  (void)context, (void)sim, (void)t;
  return 0;
}

/** An oscillator by an energy of its spring. */
static run run_energy(const char *energy, const char *q0) {
  char text[600];
  (void)snprintf(text, sizeof text,
                 "<network domain='translation'><I id='m' mass='1.3 kg' p0='0.7 N.s'/>"
                 "<C id='k' energy='%s' q0='%s'/><J1 id='j'/>"
                 "<bond from='j' to='m'/><bond from='j' to='k'/></network>",
                 energy, q0);
  run r = prepare_inside(text);
  sb_error err = {0};
  start_by(&r, &r.netlist->options);
  ok(sb_simulation_run(r.sim, 9, 0.1, nothing, NULL, &err), &err);
  return r;
}

/** Energies whose difference along the rates is known badly: steep, flat at the start, a large constant in it or in an
 *  argument, a curvature that jumps, fast waves, a pole. */
static void hard_energies_are_sound(void **state) {
  (void)state;
  static const char *const springs[][2] = {
      {"1e-9[J]*cosh(q/0.01[m])", "0 m"},
      {"2[J]*(q/1[m])^6", "0 m"},
      {"1e9[J] + 1[J]*(q/1[m])^2", "0.3 m"},
      {"0.5[N/m]*(q - 1e6[m])^2", "999999.7 m"},
      {"1[J]*(1 - cos(q/1[m] + 1e6))", "0.1 m"},
      {"0.5[N/m]*max(q, 0[m])^2 + 40[N/m]*max(-0.2[m] - q, 0[m])^2", "0.1 m"},
      {"0.5[N/m]*q^2 + 0.001[J]*cos(q/0.002[m])", "0.1 m"},
      {"0.1[J]*(1[m]/q)^12 - 0.1[J]*(1[m]/q)^6 + 0.1[N]*q", "1.2 m"},
  };
  for (size_t i = 0; i < sizeof springs / sizeof *springs; i++) {
    run r = run_energy(springs[i][0], springs[i][1]);
    assert_true(ledger_of(&r)->structure.residual_relative < 1e-12);
    stop(&r);
  }
}

/** A body on a floor, by the normal law of its contact. */
static const struct {
  const char *material, *law, *shape;
} contacts[] = {
    {"stiffness='1500 1500 2000 N/m' spin-stiffness='2 N.m/rad'",
     "normal='linear' clamp='no' friction='none'",
     "<shape kind='ellipsoid' semi-axes='0.15 0.12 0.08 m'/>"},
    {"stiffness='1500 1500 2000 N/m' spin-stiffness='2 N.m/rad'",
     "normal='hunt-crossley' exponent='1.3' stiffness='4000' damping-factor='1 s/m' "
     "friction='none'",
     "<shape kind='sphere' radius='0.1 m'/>"},
    {"youngs-modulus='0.3 MPa' poisson-ratio='0.47' stiffness='500 500 0 N/m'",
     "normal='hertz' damping-factor='0.2 s/m' clamp='no'",
     "<shape kind='ellipsoid' semi-axes='0.15 0.12 0.08 m'/>"},
    {"stiffness='1500 1500 2000 N/m'", "normal='potential' energy='900[N/m]*z^2 + 700[N/m]*r^2'",
     "<shape kind='sphere' radius='0.1 m'/>"},
    // whose force has an infinite slope where the contact ends, beside springs that hold more there than it
    {"stiffness='9e4 9e4 3000 N/m'",
     "normal='hunt-crossley' exponent='0.35' stiffness='1000 N/m^0.35' friction='none'",
     "<shape kind='sphere' radius='0.1 m'/>"},
    {"stiffness='9e4 9e4 3000 N/m'",
     "normal='expression' energy='740[N/m^0.2]*z^1.2' friction='none'",
     "<shape kind='ellipsoid' semi-axes='0.15 0.12 0.08 m'/>"},
};

static run run_contact(int k, wrong_hook which, double lie) {
  char text[1500];
  (void)snprintf(
      text, sizeof text,
      "<materials><material id='rubber' %s/></materials><laws><contact-law id='soft' %s/></laws>"
      "<mechanism gravity='0 0 -9.81 m/s^2'><body id='egg' mass='1 kg' material='rubber' "
      "position='0.02 0.03 0.13 m' rotation='25 deg about 0.2 1 0' velocity='0.4 -0.3 -1.5 m/s' "
      "angular-velocity='1 2 -8 rad/s'>%s</body>"
      "<ground id='floor'><shape kind='plane' normal='0 0 1' offset='0 m'/></ground>"
      "<contact a='floor' b='egg' law='soft'/></mechanism>",
      contacts[k].material, contacts[k].law, contacts[k].shape);
  run r = prepare_inside(text);
  sb_error err = {0};
  const sb_network *network = &r.model->network;
  int spoilt = 0;
  for (int i = 0; i < network->instance_count; i++) {
    sb_instance *instance = &network->instances[i];
    if (which < WRONG_HOOKS && strcmp(instance->id, "contact(floor,egg)/elastic") == 0) {
      assert_true(has_hook(instance, which));
      spoil_hook(instance, which, 1 + lie);
      spoilt++;
    }
  }
  assert_int_equal(spoilt, which < WRONG_HOOKS);
  start_by(&r, &r.netlist->options);
  ok(sb_simulation_run(r.sim, 0.1, 0.01, nothing, NULL, &err), &err);
  return r;
}

static void a_wrong_contact_is_named(void **state) {
  (void)state;
  for (int k = 0; k < (int)(sizeof contacts / sizeof *contacts); k++) {
    run right = run_contact(k, WRONG_HOOKS, 0);
    assert_true(ledger_of(&right)->structure.residual_relative < 1e-12);
    stop(&right);
    for (wrong_hook which = WRONG_OUTPUT; which <= WRONG_ENERGY; which++) {
      run r = run_contact(k, which, 1e-5);
      assert_string_equal(ledger_of(&r)->structure.worst, "contact(floor,egg)/elastic");
      assert_in_range((uintmax_t)(1e9 * ledger_of(&r)->structure.residual_relative), 20, 10000);
      stop(&r);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(hard_energies_are_sound),
                                     cmocka_unit_test(a_wrong_contact_is_named)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
