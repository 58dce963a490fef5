// SPDX-License-Identifier: GPL-3.0-or-later
// Transformers between ports of several components: rows and matrices, constant and by signals, against closed forms.
#include "tests/fixture.h"

/** A spring along (0.6, 0.8) of a body that slides in a plane: it swings along that, and goes on across. */
static void row_of_a_plane(void **state) {
  (void)state;
  run r = go("<mechanism><body id='c' mass='2 kg' inertia='0.02 0.05 0.07 kg.m^2'/>"
             "<joint id='j' kind='planar' parent='world' child='c' at='3 0 0 m' v0='1 2 m/s'/>"
             "</mechanism><network><TF id='n' ratios='0.6 0.8'/><C id='k' domain='translation' "
             "c='0.01 m/N'/><bond from='j.slide' to='n'/><bond from='n' to='k'/></network>",
             0.7);
  const double w = sqrt(100.0 / 2), along = (0.6 + 1.6) / w * sin(w * 0.7),
               across = (-0.8 + 1.2) * 0.7;
  double q[3];
  read_all(&r, "c.position", q);
  assert_near(value(&r, "k.q"), along, 1e-8);
  assert_near(0.6 * (q[0] - 3) + 0.8 * q[1], along, 1e-8);
  assert_near(-0.8 * (q[0] - 3) + 0.6 * q[1], across, 1e-9);
  assert_near(value(&r, "n.to.e"), 100 * along, 1e-6);
  assert_near(component(&r, "n.from.e", 1), 80 * along, 1e-6);
  stop(&r);
}

/** Two translations of a twist, turned by a matrix, of a body that hardly turns: each decays as if it were alone. */
static void matrix_of_a_screw(void **state) {
  (void)state;
  const double t = 0.8, a = 2.2, b = -0.8 + 1.2;
  double f[2];
  run r = go("<mechanism><body id='d' mass='2 kg' inertia='1e9 1e9 1e9 kg.m^2' velocity='1 2 3 "
             "m/s'/></mechanism><network>"
             "<TF id='n' rows='2' ratios='0 0 0 0.6 0.8 0  0 0 0 -0.8 0.6 0'/>"
             "<R id='drag' domain='translation' dim='2' r='0.4 0 0 0.9 N.s/m'/>"
             "<bond from='d' to='n'/><bond from='n' to='drag'/></network>",
             t);
  read_all(&r, "drag.f", f);
  assert_near(f[0], a * exp(-0.4 / 2 * t), 1e-7);
  assert_near(f[1], b * exp(-0.9 / 2 * t), 1e-7);
  stop(&r);
}

/** A mass that is driven by a row is a dependent storage: m + n^T M^-1 n of the joint's inertia. */
static void mass_behind_a_row(void **state) {
  (void)state;
  run r =
      go("<mechanism><body id='c' mass='2 kg' inertia='0.02 0.05 0.07 kg.m^2'/>"
         "<joint id='j' kind='translational' parent='world' child='c'/></mechanism>"
         "<network><TF id='n' ratios='0.6 0 0.8'/><I id='m' domain='translation' mass='0.5 kg'/>"
         "<J1 id='rod' domain='translation'/><Se id='F' domain='translation' effort='3 N'/>"
         "<bond from='j' to='n'/><bond from='n' to='rod'/><bond from='rod' to='m'/>"
         "<bond from='F' to='rod'/></network>",
         0.4);
  assert_near(value(&r, "m.f"), 3 * 0.4 / (0.5 + 2), 1e-12);
  assert_near(component(&r, "j.w", 0), 0.6 * 3 * 0.4 / 2.5, 1e-12);
  assert_near(component(&r, "j.w", 1), 0, 1e-14);
  stop(&r);
}

/** A row that follows signals: a spring along the radius, by the direction cosines, against a <Line> that is one. */
static void radial_spring(void **state) {
  static const char *const springs[] = {
      "<signal id='x' of='c.position.x'/><signal id='y' of='c.position.y'/><signal id='z' "
      "of='c.position.z'/><signal id='l' value='sqrt(x^2 + y^2 + z^2)'/>"
      "<MTF id='n' ratio-1='x/l' ratio-2='y/l' ratio-3='z/l'/><bond from='j' to='n'/><bond "
      "from='n' "
      "to='k'/>",
      "<bond from='n' to='k'/>"};
  double place[2][3], length[2];
  (void)state;
  for (int k = 0; k < 2; k++) {
    char text[1200];
    (void)snprintf(
        text, sizeof text,
        "<mechanism>%s<body id='c' mass='2 kg' inertia='0.02 0.05 0.07 kg.m^2'/><joint "
        "id='j' kind='translational' parent='world' child='c' x0='1 0.5 0.2 m' v0='1 2 0.3 "
        "m/s'/></mechanism><network><C id='k' domain='translation' c='0.01 m/N'/>%s</network>",
        k == 0 ? "" : "<Line id='n' from='world' to='c'/>", springs[k]);
    run r = go(text, 1.1);
    read_all(&r, "c.position", place[k]);
    length[k] = value(&r, "k.q");
    stop(&r);
  }
  for (int i = 0; i < 3; i++) {
    assert_near(place[0][i], place[1][i], 1e-8);
  }
  assert_near(length[0], length[1], 1e-8);
  assert_near(
      length[0],
      sqrt(place[0][0] * place[0][0] + place[0][1] * place[0][1] + place[0][2] * place[0][2]) -
          sqrt(1.29),
      1e-8);
}

/** A row of a Jacobian: what it gives is the velocity of the hand, so that the spring has the way of the hand. */
static void row_of_a_jacobian(void **state) {
  (void)state;
  run r = go("<mechanism gravity='0 0 -9.81 m/s^2'><body id='arm' mass='2 kg' com='0.3 0 0 m' "
             "inertia='0.05 0.06 0.07 kg.m^2'><frame id='hand' at='0.6 0.1 0 m'/></body>"
             "<joint id='j' kind='universal' parent='world' child='arm' axis='0 0 1' axis2='0 1 0' "
             "w0='1 0.4 rad/s'/></mechanism><network>"
             "<signal id='a' of='hand.velocity.z' by='j.w.0'/><signal id='b' of='hand.velocity.z' "
             "by='j.w.1'/><MTF id='n' ratio-1='a' ratio-2='b'/>"
             "<C id='k' domain='translation' c='0.004 m/N'/><bond from='j' to='n'/><bond from='n' "
             "to='k'/></network>",
             0.9);
  assert_near(value(&r, "k.q"), component(&r, "hand.position", 2), 1e-8);
  assert_near(value(&r, "n.to.f"), component(&r, "hand.velocity", 2), 1e-12);
  assert_true(fabs(value(&r, "k.q")) > 1e-3);
  stop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(row_of_a_plane),    cmocka_unit_test(matrix_of_a_screw),
      cmocka_unit_test(mass_behind_a_row), cmocka_unit_test(radial_spring),
      cmocka_unit_test(row_of_a_jacobian),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
