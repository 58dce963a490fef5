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

/** An oscillator of 1 J that a damper joins, weakly, to one as many times as large. Each storage is judged by its own energy. */
static void a_wrong_storage_beside_a_large_one_is_named(void **state) {
  (void)state;
  static const double sizes[] = {1e6, 1e11, 1e14};
  static const wrong_hook hooks[] = {WRONG_OUTPUT, WRONG_RATE, WRONG_ENERGY, WRONG_HOOKS};
  for (int i = 0; i < 12; i++) {
    const wrong_hook which = hooks[i / 3];
    char text[1000];
    (void)snprintf(
        text, sizeof text,
        "<network domain='translation'><J1 id='a'/><I id='m' mass='2 kg'/><C id='k' q0='0.1 m' "
        "energy='75[N/m]*q^2 + 800[N/m^3]*q^4'/><bond from='a' to='m'/><bond from='a' to='k'/>"
        "<J1 id='b'/><I id='M' mass='%g kg'/><C id='K' q0='0.1 m' c='%g m/N'/><bond from='b' "
        "to='M'/><bond from='b' to='K'/><J0 id='w'/><R id='r' r='1e-9'/><bond from='b' to='w'/>"
        "<bond from='w' to='r'/><bond from='w' to='a'/></network>",
        2 * sizes[i % 3], 1 / (77 * sizes[i % 3]));
    run r = prepare_inside(text);
    sb_error err = {0};
    sb_instance *k = &r.model->network.instances[sb_names_find(&r.model->network.names, "k", 1)];
    if (which < WRONG_HOOKS) {
      spoil_hook(k, which, 1 + 1e-6);
    }
    start_by(&r, &r.netlist->options);
    ok(sb_simulation_run(r.sim, 3, 0.1, nothing, NULL, &err), &err);
    const double residual = ledger_of(&r)->structure.residual_relative;
    assert_true(which < WRONG_HOOKS ? residual > 1e-8 : residual < 1e-12);
    if (which < WRONG_HOOKS) {
      assert_string_equal(ledger_of(&r)->structure.worst, "k");
    }
    stop(&r);
  }
}

/** Storages that depend on others, whose states are small rests of the terms of their constraints, or nothing but their rounding. */
enum { HELD, BEHIND, AT_REST, DRIVEN, RESTS };
static const char *const rests[RESTS] = {
    // two gyrators of different ratios hold a junction at zero, and the current of a coil behind them
    [HELD] =
        "<network domain='electric'><Se id='S' effort='1[V]*sin(0.4[1/s]*t)'/>"
        "<IField id='L' l='0.4 0.17 0.17 0.85 H'/><C id='C6' c='0.6 F'/><C id='C9' c='1 F'/>"
        "<J1 id='a'/><J0 id='a0'/><J1 id='b'/><J0 id='b0'/><J0 id='n'/>"
        "<GY id='G1' ratio='2.6'/><GY id='G2' ratio='-1.2'/><C id='C1' c='1.65 F'/>"
        "<bond from='S' to='a'/><bond from='a' to='L.1'/><bond from='a' to='a0'/>"
        "<bond from='a0' to='C6'/><bond from='b0' to='C9'/><bond from='b0' to='b'/>"
        "<bond from='b' to='L.2'/><bond from='b' to='G1.from'/><bond from='b' to='G2.from'/>"
        "<bond from='G1.to' to='n'/><bond from='G2.to' to='n'/><bond from='n' to='C1'/></network>",
    // the current behind a gyrator of a large ratio is small beside the terms of the coupled coils
    [BEHIND] = "<network domain='electric'><Sf id='S' flow='6.6[A]*sin(1.2[1/s]*t)'/><J0 id='a'/>"
               "<J1 id='b'/><GY id='G' ratio='1660'/><C id='C' c='5 F'/>"
               "<IField id='L4' l='0.6 -0.04 -0.04 0.0041 H'/><I id='L6' l='12 H'/>"
               "<bond from='S' to='a'/><bond from='a' to='C'/><bond from='a' to='L4.1'/>"
               "<bond from='a' to='G.from'/><bond from='G.to' to='b'/><bond from='b' to='L4.2'/>"
               "<bond from='b' to='L6'/></network>",
    // a stop that is closed and a diode hold a body at rest beside others that move
    [AT_REST] =
        "<network domain='translation'><J1 id='va'/><I id='a' mass='1 kg' p0='-1 N.s'/>"
        "<bond from='va' to='a'/><J1 id='vb'/><I id='b' mass='3 kg' p0='-6 N.s'/>"
        "<R id='r' r='1 N.s/m'/><bond from='vb' to='b'/><bond from='vb' to='r'/><J1 id='vc'/>"
        "<I id='c' mass='1 kg'/><bond from='vc' to='c'/><J0 id='s'/><TF id='n' ratio='-0.5'/>"
        "<Stop id='S' lower='0 m'/><bond from='va' to='s'/><bond from='vc' to='s'/>"
        "<bond from='vb' to='n.from'/><bond from='n.to' to='s'/><bond from='s' to='S'/>"
        "<TF id='m' ratio='-1'/><Diode id='D'/><bond from='vc' to='m.from'/>"
        "<bond from='m.to' to='D'/></network>",
    // a source fixes both currents of coupled coils, and one more (tests/core/causality/test_linear_loops.c)
    [DRIVEN] =
        "<network domain='electric'><J1 id='j0'/><Sf id='S' flow='8.45[A]*sin(4.94[1/s]*t)'/>"
        "<I id='I5' l='0.00109'/><TF id='T' ratio='0.00251'/>"
        "<IField id='L' l='166 0.279 0.279 0.0052'/><J1 id='j1'/><bond from='j1' to='L.2'/>"
        "<bond from='j0' to='L.1'/><bond from='I5' to='j0'/><bond from='j0' to='T.from'/>"
        "<bond from='S' to='j1'/><bond from='T.to' to='j1'/></network>"};
/** Which of them have a law that can be wrong, as its effort or flow is not zero. */
static const char *const moved[RESTS][4] = {[HELD] = {"L", "C6"},
                                            [BEHIND] = {"C", "L4", "L6"},
                                            [AT_REST] = {"a", "b"},
                                            [DRIVEN] = {"I5", "L"}};

static run run_rest(run r) {
  sb_error err = {0};
  r.netlist->options.rtol = 1e-10;
  start_by(&r, &r.netlist->options);
  ok(sb_simulation_run(r.sim, 3, 0.1, nothing, NULL, &err), &err);
  return r;
}

/** HELD: l q'' + q/c = sin(w t) with the other coil without a current. BEHIND: f of L6 is e/r, with e of the network of two states
 *  integrated elsewhere. AT_REST: b is braked together with a, of half its speed: 3.25 v' = -v. */
static void small_rests_are_sound(void **state) {
  (void)state;
  run r = run_rest(prepare_inside(rests[HELD]));
  const double w = 0.4, own = sqrt(1 / (0.4 * 0.6)), A = 1 / 0.4 / (own * own - w * w);
  assert_near(value(&r, "C6.q"), A * (sin(w * 3) - w / own * sin(own * 3)), 1e-8);
  assert_near(value(&r, "C1.q"), 0, 1e-14);
  assert_balanced(&r);
  stop(&r);
  r = run_rest(prepare_inside(rests[BEHIND]));
  assert_near_relative(value(&r, "L6.f"), 0.000634785690250323651, 1e-8);
  assert_near_relative(value(&r, "L6.p"), 12 * 0.000634785690250323651, 1e-8);
  assert_balanced(&r);
  stop(&r);
  r = run_rest(prepare_inside(rests[AT_REST]));
  assert_near_relative(value(&r, "b.f"), -2 * exp(-3 / 3.25), 1e-8);
  assert_near(value(&r, "c.f"), 0, 1e-14);
  assert_balanced(&r);
  stop(&r);
}

/** A law that is off by 1e-9 shows as that, and is named. */
static void wrong_laws_beside_small_rests_are_named(void **state) {
  (void)state;
  for (int k = 0; k < RESTS; k++) {
    for (int m = 0; m < 4 && moved[k][m] != NULL; m++) {
      run r = prepare_inside(rests[k]);
      for (int i = 0; i < r.model->network.instance_count; i++) {
        sb_instance *instance = &r.model->network.instances[i];
        const bool off = strcmp(instance->id, moved[k][m]) == 0;
        for (int j = 0; off && j < instance->components * instance->components; j++) {
          instance->matrix[j] *= 1 + 1e-9;
        }
      }
      r = run_rest(r);
      sb_simulation_audit(r.sim);
      assert_string_equal(ledger_of(&r)->structure.worst, moved[k][m]);
      assert_in_range((uintmax_t)(1e12 * ledger_of(&r)->structure.residual_relative), 300, 3000);
      stop(&r);
    }
  }
}

/** A constraint with a coefficient that is off by 1e-9 leaves more than rounding of the state that it determines. */
static void a_rest_that_is_no_rounding_is_named(void **state) {
  (void)state;
  run r = prepare_inside(rests[HELD]);
  const sb_causality *c = &r.model->program->causality;
  int spoilt = 0;
  for (int i = 0; i < c->constraint_count; i++) {
    const int owner = sb_owner_of(&r.model->network, c->constraints[i].dependent);
    if (strcmp(r.model->network.instances[owner].id, "C1") == 0) {
      c->constraint_terms[c->constraints[i].first].factor *= 1 + 1e-9;
      spoilt++;
    }
  }
  assert_int_equal(spoilt, 1);
  r = run_rest(r);
  sb_simulation_audit(r.sim);
  assert_string_equal(ledger_of(&r)->structure.worst, "C1");
  assert_true(ledger_of(&r)->structure.residual_relative > 1e-2);
  stop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {repeating_test(hard_energies_are_sound),
                                     cmocka_unit_test(small_rests_are_sound),
                                     cmocka_unit_test(wrong_laws_beside_small_rests_are_named),
                                     cmocka_unit_test(a_rest_that_is_no_rounding_is_named),
                                     repeating_test(a_wrong_contact_is_named),
                                     repeating_test(a_wrong_storage_beside_a_large_one_is_named)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
