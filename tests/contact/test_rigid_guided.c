// SPDX-License-Identifier: GPL-3.0-or-later
// Rigid contacts with dry friction of bodies that joints guide: across a slide nothing rubs, and the rows of such friction are zero but for
// rounding, 1e-17 of that of the normal in a scene that is turned in space. No force is asked of them, and the motion is the same in
// every frame.
#include "tests/fixture.h"

enum { TEXT = 4000 };
static const char *const frames[][2] = {
    // world axes in the scene's: the z axis, and the turn of a joint along the scene's z axis
    {"0 0 1", "0 rad about 0 0 1"},
    {"0.20276947165030337 -0.03919518071601437 0.9784417607478207",
     "0.2928937774708108 rad about 0.06229054542039794 0.7087517058829019 -0.7027025738954609"},
    {"0.7794520379889398 -0.5366456997840809 0.3232118707259102",
     "0.7050565322444313 rad about 0.27382483372194566 -0.5762940526587196 -0.7700033281144555"}};
enum { FRAMES = sizeof frames / sizeof *frames };

/** A ball of 1 kg on a slide along the normal of a floor: set down, or dropped from 1 cm. At rest it costs no steps. */
static void ball_on_a_slide(void **state) {
  (void)state;
  for (int i = 0; i < 2 * FRAMES; i++) {
    double n[3];
    char text[TEXT];
    assert_int_equal(sscanf(frames[i / 2][0], "%lf %lf %lf", &n[0], &n[1], &n[2]), 3);
    assert_true(snprintf(text, sizeof text,
                         "<screwbond version='1' id='m'><run t-end='1 s' rtol='1e-8'/><laws>"
                         "<contact-law id='h' normal='rigid' restitution='0.3' friction='coulomb' "
                         "mu='0.4'/></laws><mechanism gravity='%.17g %.17g %.17g m/s^2'><ground "
                         "id='f'><shape kind='plane' normal='%s' offset='0 m'/></ground><body "
                         "id='b' mass='1 kg'><shape kind='sphere' radius='0.6 m'/></body><joint "
                         "id='j' kind='prismatic' parent='world' child='b' axis='%s' rotation='%s' "
                         "q0='%g m'/><contact id='c' a='b' b='f' law='h'/></mechanism></screwbond>",
                         -9.81 * n[0], -9.81 * n[1], -9.81 * n[2], frames[i / 2][0],
                         frames[i / 2][0], frames[i / 2][1], 0.6 + 0.01 * (i % 2)) < TEXT);
    run r = start_netlist(text);
    advance(&r, 1);
    assert_near(value(&r, "j.q"), 0.6, 1e-10);
    assert_near(value(&r, "c.normal-force"), 9.81, 1e-9);
    assert_int_equal(events_of(&r, "shift", "c"), 0);
    assert_true(ledger_of(&r)->work.steps < 40);
    assert_balanced(&r);
    stop(&r);
  }
}

/** A wagon b at 1 m/s comes to a wagon a, which a friction F holds, on one track: with e = 0 they go on together at v = mb/(ma + mb) and stop
 *  after a time mb/F. */
static void wagons_on_a_track(void **state) {
  (void)state;
  static const double ma = 2.5, mb = 1.4, F = 0.3;
  for (int i = 0; i < FRAMES; i++) {
    double d[3], across[2];
    char text[TEXT];
    assert_int_equal(sscanf(frames[i][0], "%lf %lf %lf", &d[0], &d[1], &d[2]), 3);
    across[0] = d[0] == 0 ? 1 : d[1], across[1] = -d[0];
    const double g = 9.81 / hypot(across[0], across[1]);
    assert_true(
        snprintf(text, sizeof text,
                 "<screwbond version='1' id='m'><run t-end='8 s' rtol='1e-9'/><laws><contact-law "
                 "id='h' normal='rigid' restitution='0' friction='coulomb' mu='0.7'/></laws>"
                 "<mechanism gravity='%.17g %.17g 0 m/s^2'><body id='a' mass='%g kg'><shape "
                 "kind='sphere' radius='0.1 m'/></body><joint id='ja' kind='prismatic' "
                 "parent='world' child='a' axis='%s' rotation='%s'/><body id='b' mass='%g kg'>"
                 "<shape kind='sphere' radius='0.1 m'/></body><joint id='jb' kind='prismatic' "
                 "parent='world' child='b' at='%.17g %.17g %.17g m' axis='%s' rotation='%s' w0='1 "
                 "m/s'/><contact id='c' a='a' b='b' law='h'/></mechanism><network><Friction "
                 "id='f' coulomb='%g N'/><bond from='ja' to='f'/></network></screwbond>",
                 g * across[0], g * across[1], ma, frames[i][0], frames[i][1], mb, -0.3 * d[0],
                 -0.3 * d[1], -0.3 * d[2], frames[i][0], frames[i][1], F) < TEXT);
    run r = start_netlist(text);
    const double v = mb / (ma + mb);
    advance(&r, 0.1 + mb / F / 2);
    assert_near(value(&r, "ja.w"), v / 2, 1e-9);
    assert_near(value(&r, "jb.w"), v / 2, 1e-9);
    advance(&r, 8);
    assert_near(value(&r, "ja.q"), v * mb / F / 2, 1e-9);
    assert_near(value(&r, "jb.w"), 0, 1e-9);
    assert_int_equal(events_of(&r, "shift", "c"), 0);
    assert_balanced(&r);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ball_on_a_slide),
                                     cmocka_unit_test(wagons_on_a_track)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
