// SPDX-License-Identifier: GPL-3.0-or-later
// Who is named where every law holds and steps are too coarse: who has energy and changes fastest, no junction. Accounts of sound
// runs are met by the integrals of the powers at audits.
#include "core/simulation/simulation_private.h"
#include "tests/fixture.h"

/** Two oscillators, of 0.9 rad/s and of 600 rad/s, with a damper between them and a push on the slow one. */
#define JUNCTIONS "<J1 id='a'/><J0 id='o'/><J1 id='b'/>"
#define STORAGES                                                                                   \
  "<I id='M' mass='1.3 kg' p0='0.1 N.s'/><C id='K' c='0.9 m/N'/><R id='d' r='0.07 N.s/m'/>"        \
  "<I id='m' mass='0.013 kg'/><C id='k' c='0.2 mm/N' q0='2 cm'/><Se id='push' effort='0.3 N'/>"
#define BONDS                                                                                      \
  "<bond from='a' to='M'/><bond from='a' to='K'/><bond from='push' to='a'/><bond from='a' "        \
  "to='o'/><bond from='o' to='d'/><bond from='o' to='b'/><bond from='b' to='m'/><bond from='b' "   \
  "to='k'/>"

static int nothing(void *context, const sb_simulation *sim, double t) {
  (void)context, (void)sim, (void)t;
  return 0;
}

static run oscillators(const char *items, const char *how, double end) {
  char text[1500];
  sb_error err = {0};
  (void)snprintf(text, sizeof text,
                 "<screwbond version='1' id='m'><network domain='translation'>%s" BONDS
                 "</network><run t-end='%g s' %s/></screwbond>",
                 items, end, how);
  run r = start_netlist(text);
  ok(sb_simulation_run(r.sim, end, end, nothing, NULL, &err), &err);
  return r;
}

static void coarse_steps_name_what_is_fast(void **state) {
  (void)state;
  static const char *const orders[] = {JUNCTIONS STORAGES, STORAGES JUNCTIONS},
                           *const methods[] = {"method='dormand-prince-5' step='0.2 ms'",
                                               "method='bogacki-shampine-3' step='0.2 ms'"};
  for (int i = 0; i < 4; i++) {
    run r = oscillators(orders[i / 2], methods[i % 2], 0.1);
    const char *named = ledger_of(&r)->residual_element;
    assert_true(ledger_of(&r)->residual_relative > 1e-7);
    assert_true(ledger_of(&r)->structure.residual_relative < 1e-12);
    assert_true(strcmp(named, "m") == 0 || strcmp(named, "k") == 0);
    stop(&r);
  }
}

/** Of 0.1 ms the polynomial of the third degree through the powers leaves 251/720 h^5 P'''' of each interval, of powers that go
 *  as sin(2 w t) (2 w h)^4/2.9 of what is exchanged: 7e-5 at w = 600 rad/s. */
static void accounts_of_sound_runs_are_met(void **state) {
  (void)state;
  run r =
      oscillators(JUNCTIONS STORAGES, "method='dormand-prince-5' step='0.1 ms' rtol='1e-9'", 4e-3);
  const sb_audit *a = &r.sim->audit;
  const double exchanged = 1; // [J], in the spring k
  for (int i = 0; i < r.model->network.instance_count; i++) {
    const sb_role role = r.model->network.instances[i].type->role;
    assert_true(a->account_error[i] < 7e-5 * exchanged);
    assert_true((a->account_error[i] > 0) == (role != SB_STRUCTURE));
  }
  assert_true(fabs(ledger_of(&r)->total.dissipated) > 1e-3);
  assert_true(fabs(ledger_of(&r)->total.supplied) > 1e-5);
  stop(&r);
}

/** A step of 5 V onto R C, whose powers are zero before it: 25 J are supplied and half of them stored. The first interval behind the
 *  step is a trapezoid, off by h^3 P''/12 = 1e-3 J for P'' up to 100 W/s^2; with the powers of before it, by a part of h P. */
static void powers_jump_at_events(void **state) {
  (void)state;
  run r = start_netlist(
      "<screwbond version='1' id='m'><network domain='electric'><J1 id='j'/>"
      "<Se id='s' effort='5 V' waveform='step' start='0.31 s'/><R id='r' r='1 ohm'/>"
      "<C id='c' c='1 F'/><bond from='s' to='j'/><bond from='j' to='r'/><bond from='j' to='c'/>"
      "</network><run t-end='2.31 s' method='dormand-prince-5' step='50 ms'/></screwbond>");
  sb_error err = {0};
  ok(sb_simulation_run(r.sim, 2.31, 2.31, nothing, NULL, &err), &err);
  for (int i = 0; i < r.model->network.instance_count; i++) {
    assert_true(r.sim->audit.account_error[i] < 2e-3);
  }
  stop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(coarse_steps_name_what_is_fast),
                                     cmocka_unit_test(accounts_of_sound_runs_are_met),
                                     cmocka_unit_test(powers_jump_at_events)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
