// SPDX-License-Identifier: GPL-3.0-or-later
// Joints at rigid limits, of which one is struck, as drawers that are pulled out of each other: a limit bears no tension, and what rests at it
// goes off with what pulls it. Momenta are by hand.
#include "tests/fixture.h"

/** A telescope of `count` drawers of masses m, m/2, ..., each pushed in to its lower limit. The last one is 1 cm from its upper limit on the one
 *  before and is pulled out at 1 m/s: behind the impact it takes this one along, which comes to its own limit 1 cm later, and so on. */
static void telescope(void **state) {
  (void)state;
  for (int count = 2; count <= 4; count++) {
    char text[3000] = "<mechanism>", name[12];
    double t = 0, sum = 0, v = 1, m = 2;
    for (int i = 0; i < count; i++, m /= 2) {
      const size_t used = strlen(text);
      (void)snprintf(text + used, sizeof text - used,
                     "<body id='b%d' mass='%g kg' inertia='1 1 1 kg.m^2'/><joint id='j%d' "
                     "kind='prismatic' parent='%s' "
                     "child='b%d' axis='1 0 0' limits='0 %g m' %s/>",
                     i, m, i,
                     i == 0   ? "world"
                     : i == 1 ? "b0"
                     : i == 2 ? "b1"
                              : "b2",
                     i, i == 0 ? 10 : 0.01, i == count - 1 ? "w0='1 m/s'" : "");
    }
    (void)snprintf(text + strlen(text), sizeof text - strlen(text), "</mechanism>");
    run r = start(text, 1e-9, 0);
    for (int i = count - 1; i > 0; i--) { // drawer i comes to its limit on drawer i - 1
      m *= 2;
      sum += m;
      t += 0.01 / v;
      v *= sum / (sum + 2 * m);
    }
    advance(&r, t + 0.005);
    assert_near(value(&r, "j0.w"), v, 1e-9);
    for (int i = 1; i < count; i++) {
      (void)snprintf(name, sizeof name, "j%d.w", i);
      assert_near(value(&r, name), 0, 1e-9);
    }
    assert_balanced(&r);
    stop(&r);
  }
}

/** A mass at -1 m/s is clutched to a slide of 2 kg that rests at its upper limit, or to the same with a stop. */
static void clutched_away(void **state) {
  (void)state;
  static const char *const limits[][2] = {
      {"limits='-1 0 m'", ""}, {"", "<Stop id='s' upper='0 m'/><bond from='j' to='s'/>"}};
  for (int i = 0; i < 2; i++) {
    char text[1500];
    assert_true(snprintf(text, sizeof text,
                         "<mechanism><body id='a' mass='2 kg' inertia='1 1 1 kg.m^2'/><joint "
                         "id='j' kind='prismatic' "
                         "parent='world' child='a' axis='1 0 0' %s/></mechanism><network "
                         "domain='translation'>%s<Clutch id='K' times='0.1 s'/><J1 id='v'/><I "
                         "id='m' mass='1 kg' p0='-1 kg.m/s'/><bond from='j' to='K'/><bond "
                         "from='K' to='v'/><bond from='v' to='m'/></network>",
                         limits[i][0], limits[i][1]) < (int)sizeof text);
    run r = start(text, 1e-9, 0);
    advance(&r, 0.2);
    assert_near(value(&r, "j.w"), -1. / 3, 1e-12);
    assert_near(value(&r, "m.f"), -1. / 3, 1e-12);
    assert_near(ledger_of(&r)->total.event_loss, 1. / 3, 1e-12);
    assert_balanced(&r);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(telescope), cmocka_unit_test(clutched_away)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
