// SPDX-License-Identifier: GPL-3.0-or-later
// What stands on a slope for long, held by brakes and friction, in scenes that are turned in space: at rest steps are as long as tolerances
// allow, and the rounding of the forces that hold it moves it the farther the longer they are.
#include "tests/netlist_text.h"

#include "geometry/quat.h"
#include "tests/campaign/random.h"

/** A cart of 31.5 kg on three wheels, two of them with brakes. */
static void park(char *text, sb_vec3 axis, double angle, double rtol, sb_vec3 g) {
  static const double at[][2] = {{0.4, 0}, {-0.4, 0.5}, {-0.4, -0.5}};
  const sb_mat3 R = sb_quat_rotation(sb_quat_from_axis_angle(axis, angle));
  const sb_vec3 n = sb_mat3_apply(R, (sb_vec3){0, 0, 1}), down = sb_mat3_apply(R, g);
  add(text,
      "<screwbond version='1' id='m'><run t-end='30 s' rtol='%g'/><laws><contact-law id='h' "
      "normal='rigid' restitution='0' friction='coulomb' mu='0.6'/></laws><mechanism "
      "gravity='%.17g %.17g %.17g m/s^2'><ground id='f'><shape kind='plane' normal='%.17g %.17g "
      "%.17g' offset='0 m'/></ground><body id='b' mass='30 kg' inertia='2.4 2 4' "
      "position='%.17g %.17g %.17g m' rotation='%.17g rad about %.17g %.17g %.17g'/>",
      rtol, down.x, down.y, down.z, n.x, n.y, n.z, 0.06 * n.x, 0.06 * n.y, 0.06 * n.z, angle,
      axis.x, axis.y, axis.z);
  for (int i = 0; i < 3; i++) {
    add(text,
        "<body id='w%d' mass='0.5 kg'><shape id='s%d' kind='sphere' radius='0.04 m'/></body><joint "
        "id='j%d' kind='revolute' axis='0 1 0' parent='b' child='w%d' at='%g %g -0.02 m'/><contact "
        "id='c%d' a='f' b='s%d' law='h'/>",
        i, i, i, i, at[i][0], at[i][1], i, i);
  }
  add(text, "</mechanism><network domain='rotation'><Friction id='r1' coulomb='7 N.m'/><bond "
            "from='j1' to='r1'/><Friction id='r2' coulomb='7 N.m'/><bond from='j2' to='r2'/>"
            "</network></screwbond>");
}

/** It stays where it is, its wheels bear its weight, and no energy is missed but rounding. */
static void carts_on_slopes(void **state) {
  (void)state;
  static const sb_vec3 g = {0.6, 0.8, -9.7};
  chance c = {11};
  for (int i = 0; i < 24; i++) {
    const sb_vec3 axis = {between(&c, -1, 1), between(&c, -1, 1), between(&c, -1, 1)};
    const double angle = between(&c, 0.2, 2.8);
    char text[TEXT] = "";
    double before[3], after[3], load = 0;
    park(text, axis, angle, i % 2 ? 1e-5 : 1e-6, g);
    run r = start_netlist(text);
    read_all(&r, "b.position", before);
    advance(&r, 30);
    read_all(&r, "b.position", after);
    for (int k = 0; k < 3; k++) {
      static const char *const forces[] = {"c0.normal-force", "c1.normal-force", "c2.normal-force"};
      assert_near(after[k], before[k], 1e-9);
      load += value(&r, forces[k]);
    }
    assert_near_relative(load, -31.5 * g.z, 1e-9);
    assert_closes(&r);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(carts_on_slopes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
