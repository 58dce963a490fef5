// SPDX-License-Identifier: GPL-3.0-or-later
// Integrals, filters and delays of signals, and storages, that are zero but for rounding take no steps of their own.
#include "tests/fixture.h"

enum { TEXT = 3000 };

/** What reads a signal w, of the unit of a speed and of a current. */
static const char *const readers[] = {
    "",
    "<signal id='y' rate='w'/>",
    "<TransferFunction id='y' of='w' num='1' den='0.01 1'/>",
    "<Delay id='y' of='w' delay='0.0333 s'/>",
    "<TransferFunction id='part' of='w' num='1' den='0.02 1'/><signal id='y' rate='part'/>",
    "<TransferFunction id='part' of='w' num='1' den='0.02 1'/><TransferFunction id='y' of='part' "
    "num='1' "
    "den='0.01 1'/>",
    "<TransferFunction id='y' of='w' num='1' den='1e-4 0.02 1'/>",
    "<TransferFunction id='y' of='w' num='1 0' den='1e-8 4e-6 6e-4 0.04 1'/>",
    "<Delay id='part' of='w' delay='0.0333 s'/><Delay id='y' of='part' delay='0.0777 s'/>",
    "<Delay id='part' of='w' delay='0.0333 s'/><TransferFunction id='y' of='part' num='1' "
    "den='0.01 1'/>"};
enum { READERS = sizeof readers / sizeof *readers };

/** Runs a netlist with each of the readers in it; those take hardly more steps than none. */
static void compare(const char *format, double t_end) {
  long steps = 0;
  for (int k = 0; k < READERS; k++) {
    char text[TEXT];
    sb_error err = {0};
    (void)snprintf(text, sizeof text, format, readers[k]);
    run r = start_netlist(text);
    ok(sb_simulation_run(r.sim, t_end, 0, NULL, NULL, &err), &err);
    const sb_ledger *ledger = ledger_of(&r);
    steps = k == 0 ? ledger->work.steps : steps;
    assert_true(ledger->work.steps < 2 * steps + 100);
    assert_true(ledger->work.rhs < 40 * ledger->work.steps);
    if (k > 0) {
      assert_near(value(&r, "y"), 0, 1e-12);
    }
    assert_closes(&r);
    stop(&r);
  }
}

/** The speed of an elbow that is locked, held by friction, or by a source, while the shoulder moves. */
static void joints_that_are_held(void **state) {
  (void)state;
  static const char *const holds[] = {
      "<Friction id='f' domain='rotation' coulomb='70 N.m'/><bond from='k' to='f'/>",
      "<Sf id='f' domain='rotation' flow='0 rad/s'/><bond from='f' to='k'/>",
      "<R id='f' domain='rotation' law='70[N.m]*sign(f)'/><bond from='k' to='f'/>"};
  for (int k = 0; k < 3; k++) {
    char text[TEXT];
    (void)snprintf(
        text, sizeof text,
        "<screwbond version='1' id='m'><run t-end='1 s'/><mechanism gravity='0 -9.81 0 "
        "m/s^2'><body id='A' mass='1 kg' inertia='0.1 0.1 0.1 kg.m^2' com='0 -0.5 0 m'/><body "
        "id='B' mass='1 kg' inertia='0.1 0.1 0.1 kg.m^2' com='0.1 -0.5 0 m'/><joint id='j' "
        "kind='revolute' parent='world' child='A'/><joint id='k' kind='revolute' parent='A' "
        "child='B' at='0 -1 0 m'/></mechanism><network>%s<Se id='m' domain='rotation' "
        "effort='10[N.m/s]*t'/><bond from='m' to='j'/><signal id='w' of='k.w'/>%%s</network>"
        "</screwbond>",
        holds[k]);
    compare(text, 1);
  }
}

/** The height of a ball that slides on a rigid floor. */
static void ball_on_a_floor(void **state) {
  (void)state;
  compare("<screwbond version='1' id='m'><run t-end='1 s'/><laws><contact-law id='l' "
          "normal='rigid' friction='coulomb' mu='0.2'/></laws><mechanism gravity='0 0 -9.81 "
          "m/s^2'><ground id='g'><shape kind='plane' normal='0 0 1'/></ground><body id='b' mass='1 "
          "kg' position='0 0 0.1 m' velocity='1 0.3 0 m/s'><shape kind='sphere' radius='0.1 "
          "m'/></body><contact a='g' b='b' law='l'/></mechanism><network><signal id='w' "
          "of='b.velocity.z'/>%s</network></screwbond>",
          1);
}

/** The difference of two speeds that a gear couples, and the current in the neutral of three balanced phases. */
static void differences_of_a_network(void **state) {
  (void)state;
  compare("<screwbond version='1' id='m'><run t-end='1 s'/><network domain='rotation'><I id='a' "
          "inertia='1.3'/><I id='b' inertia='0.7'/><TF id='g' ratio='0.3'/><J1 id='x'/><J1 "
          "id='z'/><Se id='m' effort='1[N.m]*sin(t/0.1[s])'/><bond from='m' to='x'/><bond from='x' "
          "to='a'/><bond from='x' to='g'/><bond from='g' to='z'/><bond from='z' to='b'/><signal "
          "id='w1' of='a.f'/><signal id='w2' of='b.f'/><signal id='w' "
          "value='0.3*w1 - w2'/>%s</network></screwbond>",
          1);
  compare(
      "<screwbond version='1' id='m'><run t-end='0.1 s'/><network domain='electric'><Se id='ua' "
      "effort='10[V]*sin(2*pi*50[Hz]*t)'/><Se id='ub' "
      "effort='10[V]*sin(2*pi*50[Hz]*t - 2*pi/3)'/><Se id='uc' "
      "effort='10[V]*sin(2*pi*50[Hz]*t + 2*pi/3)'/><J1 id='a'/><J1 id='b'/><J1 id='c'/><I "
      "id='la' l='1 mH'/><I id='lb' l='1 mH'/><I id='lc' l='1 mH'/><R id='ra' r='1'/><R id='rb' "
      "r='1'/><R id='rc' r='1'/><J0 id='n'/><R id='rn' r='0.1'/><bond from='ua' to='a'/><bond "
      "from='ub' to='b'/><bond from='uc' to='c'/><bond from='a' to='la'/><bond from='a' "
      "to='ra'/><bond from='b' to='lb'/><bond from='b' to='rb'/><bond from='c' to='lc'/><bond "
      "from='c' to='rc'/><bond from='a' to='n'/><bond from='b' to='n'/><bond from='c' "
      "to='n'/><bond from='n' to='rn'/><signal id='w' of='rn.f'/>%s</network></screwbond>",
      0.1);
}

/** The detector of a bridge that is balanced, R1/R2 = R3/R4, whatever drives it: alone in its circuit it carries nothing but rounding. */
static void detector_of_a_bridge(void **state) {
  (void)state;
  static const char *const detectors[] = {"<C id='d' c='1 nF'/>", "<C id='d' c='1 uF'/>",
                                          "<C id='d' c='100 uF'/>", "<I id='d' l='1 mH'/>",
                                          "<I id='d' l='10 H'/>"};
  for (size_t k = 0; k < sizeof detectors / sizeof *detectors; k++) {
    char text[TEXT];
    sb_error err = {0};
    (void)snprintf(
        text, sizeof text,
        "<screwbond version='1' id='m'><run t-end='0.1 s' max-steps='5000'/><network "
        "domain='electric'><Se id='u' "
        "effort='10[V]*sin(t/10[ms])'/><J0 id='a'/><J0 id='b'/><J0 id='c'/><J1 id='j1'/><J1 "
        "id='j2'/><J1 id='j3'/><R id='r1' r='100'/><R id='r2' r='220'/><R id='r3' r='330'/><R "
        "id='r4' r='726'/>%s<bond from='u' to='a'/><bond from='a' to='j1'/><bond from='j1' "
        "to='r1'/><bond from='j1' to='b'/><bond from='a' to='j2'/><bond from='j2' to='r2'/><bond "
        "from='j2' to='c'/><bond from='b' to='r3'/><bond from='c' to='r4'/><bond from='b' "
        "to='j3'/><bond from='j3' to='d'/><bond from='j3' to='c'/></network></screwbond>",
        detectors[k]);
    run r = start_netlist(text);
    ok(sb_simulation_run(r.sim, 0.1, 0, NULL, NULL, &err), &err);
    assert_true(ledger_of(&r)->work.steps < 2000);
    assert_near(sb_simulation_state(r.sim)[0], 0, 1e-14);
    assert_closes(&r);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(joints_that_are_held), cmocka_unit_test(ball_on_a_floor),
      cmocka_unit_test(differences_of_a_network), cmocka_unit_test(detector_of_a_bridge)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
