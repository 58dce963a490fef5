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
    {"0.673357504294815 0.41451481945026925 0.6121822734006344",
     "0.9119930264286993 rad about -0.5219684321521627 0.8529478088469775 0.005384349519966966"}};
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
 *  after a time mb/F; where nothing bears across the track, either. */
static void wagons_on_a_track(void **state) {
  (void)state;
  static const double ma = 2.5, mb = 1.4, F = 0.3;
  for (int k = 0; k < 2 * FRAMES; k++) {
    const int i = k / 2;
    double d[3], across[2];
    char text[TEXT];
    assert_int_equal(sscanf(frames[i][0], "%lf %lf %lf", &d[0], &d[1], &d[2]), 3);
    across[0] = d[0] == 0 ? 1 : d[1], across[1] = -d[0];
    const double g = k % 2 ? 0 : 9.81 / hypot(across[0], across[1]);
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

/** A body m on a slide along the normal, with a springy foot mf on a slide of its own, set down at z0 with the foot at the floor: it jumps off and
 *  lands. While the foot stands l = z oscillates by m l'' = -m g + k (L - l) - b l'; along the second slide the momentum is rounding then. The
 *  energy balance is met at each tolerance, and the flight is the same in all frames. */
static void leg_with_a_springy_foot(void **state) {
  (void)state;
  static const double m = 1, mf = 0.2, k = 205, b = 5, L = 0.9, z0 = 0.6, r = 0.1, g = 9.81;
  static const double rtols[] = {1e-7, 1e-9, 1e-11};
  const double still = L - m * g / k, d = b / (2 * m), w = sqrt(k / m - d * d), t = 0.1;
  const double a = z0 - r - still,
               z = r + still + a * exp(-d * t) * (cos(w * t) + d / w * sin(w * t));
  for (int i = 0; i < 3 * FRAMES; i++) {
    static double along[3]; // the heights at the end in the first frame
    const char *const *frame = frames[i / 3];
    const double rtol = rtols[i % 3];
    double n[3];
    char text[TEXT];
    assert_int_equal(sscanf(frame[0], "%lf %lf %lf", &n[0], &n[1], &n[2]), 3);
    assert_true(
        snprintf(text, sizeof text,
                 "<screwbond version='1' id='m'><run t-end='1 s' rtol='%g'/><laws><contact-law "
                 "id='h' normal='rigid' restitution='0.5' friction='coulomb' mu='0.7'/></laws>"
                 "<mechanism gravity='%.17g %.17g %.17g m/s^2'><ground id='f'><shape kind='plane' "
                 "normal='%s' offset='0 m'/></ground><body id='b' mass='%g kg' inertia='1 1 1 "
                 "kg.m^2'/><joint id='j' "
                 "kind='prismatic' parent='world' child='b' axis='%s' rotation='%s' q0='%g m'/>"
                 "<body id='t' mass='%g kg'><shape kind='sphere' radius='%g m'/></body><joint "
                 "id='l' kind='prismatic' parent='b' child='t' axis='0 0 -1' q0='%g m' rest='%g m' "
                 "stiffness='%g N/m' damping='%g N.s/m'/><contact id='c' a='t' b='f' law='h'/>"
                 "</mechanism></screwbond>",
                 rtol, -g * n[0], -g * n[1], -g * n[2], frame[0], m, frame[0], frame[1], z0, mf, r,
                 z0 - r, L, k, b) < TEXT);
    run leg = start_netlist(text);
    advance(&leg, t);
    assert_near(value(&leg, "j.q"), z, 10 * rtol);
    advance(&leg, 1);
    along[i % 3] = i < 3 ? value(&leg, "j.q") : along[i % 3];
    assert_near(value(&leg, "j.q"), along[i % 3], 10 * rtol + 1e-11);
    assert_true(events_of(&leg, "impact", "c") > 3);
    assert_int_equal(events_of(&leg, "shift", "c"), 0);
    assert_closes(&leg);
    stop(&leg);
  }
}

/** A leg of two links with springs at its joints, on a slide along the normal, in a plane that is turned by multiples of 90 or 120 degrees: the foot
 *  strikes, slides and comes to stick. Across the plane nothing moves. The stick takes no energy, and all frames agree. */
static void leg_of_two_links(void **state) {
  (void)state;
  static const char *const turned[][2] = {{"0 0 1", "0 deg about 1 0 0"},
                                          {"0 1 0", "-90 deg about 1 0 0"},
                                          {"0 -1 0", "90 deg about 1 0 0"},
                                          {"1 0 0", "120 deg about 1 1 1"}};
  enum { TURNED = sizeof turned / sizeof *turned };
  double hip = 0;
  for (int i = 0; i < TURNED; i++) {
    double n[3];
    char text[TEXT];
    assert_int_equal(sscanf(turned[i][0], "%lf %lf %lf", &n[0], &n[1], &n[2]), 3);
    assert_true(
        snprintf(text, sizeof text,
                 "<screwbond version='1' id='m'><run t-end='0.2 s' rtol='1e-9'/><laws>"
                 "<contact-law id='h' normal='rigid' restitution='0' friction='coulomb' mu='0.2'/>"
                 "</laws><mechanism gravity='%g %g %g m/s^2'><ground id='f'><shape kind='plane' "
                 "normal='%s'/></ground><body id='b' mass='17' inertia='4 4 4'/><joint id='j' "
                 "kind='prismatic' parent='world' child='b' axis='%s' rotation='%s' q0='0.52'/>"
                 "<body id='th' mass='2.5' inertia='0.0135 0.0135 0.0135' com='0 0 -0.125'/>"
                 "<joint id='hip' kind='revolute' parent='b' child='th' axis='0 1 0' q0='-0.5' "
                 "stiffness='336' rest='-0.4' damping='1.5'/><body id='sh' mass='2.5' "
                 "inertia='0.0135 0.0135 0.0135' com='0 0 -0.125'><shape kind='sphere' "
                 "radius='0.03' at='0 0 -0.25'/></body><joint id='knee' kind='revolute' "
                 "parent='th' child='sh' at='0 0 -0.25' axis='0 1 0' q0='1' stiffness='336' "
                 "rest='0.9' damping='1.5'/><contact id='c' a='sh' b='f' law='h'/></mechanism>"
                 "</screwbond>",
                 -9.81 * n[0], -9.81 * n[1], -9.81 * n[2], turned[i][0], turned[i][0],
                 turned[i][1]) < TEXT);
    run r = start_netlist(text);
    advance(&r, 0.2);
    hip = i == 0 ? value(&r, "hip.q") : hip;
    assert_near(value(&r, "hip.q"), hip, 1e-10);
    assert_int_equal(events_of(&r, "stick", "c"), 1);
    assert_balanced(&r);
    stop(&r);
  }
}

/** A wagon on one wheel, with an arm, falls 1 cm onto a floor in a plane, where it slides. Turned by multiples of 90 or 120 degrees the row of
 *  the friction across the plane is nothing but rounding, which grows: no singular position, and the same motion. */
static void wagon_with_an_arm(void **state) {
  (void)state;
  static const char *const turned[][4] = {// up, across the plane, along the floor, the turn
                                          {"0 0 1", "0 1 0", "1 0 0", "0 deg about 1 0 0"},
                                          {"1 0 0", "0 0 1", "0 1 0", "120 deg about 1 1 1"},
                                          {"0 1 0", "1 0 0", "0 0 1", "-120 deg about 1 1 1"},
                                          {"0 0 -1", "0 -1 0", "1 0 0", "180 deg about 1 0 0"},
                                          {"0 1 0", "0 0 -1", "1 0 0", "-90 deg about 1 0 0"}};
  enum { TURNED = sizeof turned / sizeof *turned };
  double spin = 0, speed = 0;
  for (int i = 0; i < TURNED; i++) {
    double n[3];
    char text[TEXT];
    assert_int_equal(sscanf(turned[i][0], "%lf %lf %lf", &n[0], &n[1], &n[2]), 3);
    assert_true(
        snprintf(
            text, sizeof text,
            "<screwbond version='1' id='m'><run t-end='0.1 s' rtol='1e-9'/><laws>"
            "<contact-law id='h' normal='rigid' friction='coulomb' mu='0.3'/></laws>"
            "<mechanism gravity='%g %g %g m/s^2'><ground id='f'><shape kind='plane' "
            "normal='%s'/></ground><body id='b' mass='20' inertia='0.7 0.7 0.7'/><joint "
            "id='j' kind='planar' parent='world' child='b' axis='%s' axis2='%s' "
            "rotation='%s' x0='0 -0.11' v0='-2 0'/><body id='w' mass='2'><shape "
            "kind='sphere' radius='0.1'/></body><joint id='k' kind='revolute' parent='b' "
            "child='w' at='0.27 0 0' axis='0 1 0' w0='-15'/><contact id='c' a='f' b='w' "
            "law='h'/><body id='arm' mass='5'><shape kind='sphere' radius='0.03'/></body>"
            "<joint id='a' kind='revolute' parent='b' child='arm' at='0.21 0 0.26' axis='0 1 0'/>"
            "</mechanism></screwbond>",
            -9.81 * n[0], -9.81 * n[1], -9.81 * n[2], turned[i][0], turned[i][1], turned[i][2],
            turned[i][3]) < TEXT);
    run r = start_netlist(text);
    advance(&r, 0.1);
    spin = i == 0 ? value(&r, "k.w") : spin;
    speed = i == 0 ? value(&r, "j.w.x") : speed;
    assert_near(value(&r, "k.w"), spin, 1e-9);
    assert_near(value(&r, "j.w.x"), speed, 1e-9);
    assert_int_equal(events_of(&r, "impact", "c"), 1);
    assert_int_equal(events_of(&r, "singular", "c"), 0);
    assert_balanced(&r);
    stop(&r);
  }
}

/** A link that swings about a hinge strikes a floor with its foot, or two side by side, at an angle of which the tangent is less than mu: friction
 *  wedges it, and it stops for good whatever its restitution,
 *    w^2 = w0^2 + 2 m g a (cos(q) - cos(q0))/J. */
static void foot_of_a_link_wedges(void **state) {
  (void)state;
  static const double length = 0.4, a = 0.2, J = 0.02 + 0.2 * 0.2, q = 0.35, q0 = 0.65, w0 = -1.2;
  const double square = w0 * w0 + 2 * 9.81 * a * (cos(q) - cos(q0)) / J;
  for (int feet = 1; feet <= 2; feet++) {
    char text[TEXT];
    assert_true(
        snprintf(
            text, sizeof text,
            "<screwbond version='1' id='m'><run t-end='0.4 s' rtol='1e-8'/><laws><contact-law "
            "id='h' normal='rigid' restitution='0.4' friction='coulomb' mu='0.5'/></laws>"
            "<mechanism gravity='0 0 -9.81 m/s^2'><ground id='f'><shape kind='plane' normal='0 0 "
            "1'/></ground><body id='l' mass='1' inertia='0.02 0.02 0.01' com='0 0 -0.2'><shape "
            "id='s1' kind='sphere' radius='0.03' at='0 %g -0.4'/>%s</body><joint id='j' "
            "kind='revolute' parent='world' child='l' at='0 0 %.17g' axis='0 1 0' q0='%g' "
            "w0='%g'/><contact a='s1' b='f' law='h'/>%s</mechanism></screwbond>",
            feet == 1 ? 0 : 0.05,
            feet == 1 ? "" : "<shape id='s2' kind='sphere' radius='0.03' at='0 -0.05 -0.4'/>",
            length * cos(q) + 0.03, q0, w0,
            feet == 1 ? "" : "<contact a='s2' b='f' law='h'/>") < TEXT);
    run r = start_netlist(text);
    advance(&r, 0.4);
    assert_near(value(&r, "j.q"), q, 1e-9);
    assert_near(value(&r, "j.w"), 0, 1e-12);
    assert_near(ledger_of(&r)->total.event_loss, 0.5 * J * square, 1e-8);
    assert_balanced(&r);
    stop(&r);
  }
}

/** A wheel m, J, r hinged to a wagon M in a plane that is turned about the normal of the floor. Its axis is off that plane's by an angle. */
static run start_wheel(double turn, double angle, double v, double torque, double rtol) {
  const double c = cos(turn), s = sin(turn);
  char text[TEXT];
  assert_true(
      snprintf(
          text, sizeof text,
          "<screwbond version='1' id='m'><run t-end='0.5 s' rtol='%g'/><laws><contact-law id='h' "
          "normal='rigid' friction='coulomb' mu='0.3'/></laws><mechanism gravity='0 0 -9.81 "
          "m/s^2'><ground id='f'><shape kind='plane' normal='0 0 1'/></ground><body id='b' "
          "mass='3' inertia='0.1 0.1 0.1'/><joint id='j' kind='planar' parent='world' child='b' "
          "axis='%.17g %.17g 0' axis2='%.17g %.17g 0' x0='0 -0.13' v0='%g 0'/><body id='w' "
          "mass='0.8' inertia='0.011 0.011 0.011'><shape kind='sphere' radius='0.13'/></body>"
          "<joint id='k' kind='revolute' parent='b' child='w' axis='%.17g %.17g %.17g'/><contact "
          "id='c' a='w' b='f' law='h'/></mechanism><network><Se id='T' effort='%g'/><bond "
          "from='T' to='k'/></network></screwbond>",
          rtol, -s, c, c, s, v, -s + angle * c, c + angle * s, 0.5 * angle, torque) < TEXT);
  return start_netlist(text);
}
static const double off_plane[] = {
    0,    1e-16, 3e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 3e-7, 5e-7, 7e-7, 8.481948951908487e-7,
    1e-6, 2e-6,  3e-6,  5e-6,  1e-5,  3e-5, 1e-4, 1e-3};
enum { ANGLES = sizeof off_plane / sizeof *off_plane };
static const double plane_turns[] = {0, 1e-5, 3e-3, 0.7, 3.0312602211500255};
enum { TURNS = sizeof plane_turns / sizeof *plane_turns };
/** An angle that is one of digits, by which the wheel is taken to roll in the plane. */
static const double digits = 7e-7;

/** The wheel slides until it rolls,
 *    v = v0 - mu g t,   t = v0/(mu g (1 + (M + m) r^2/J)).
 *  From there on it slips across the plane by a = `angle` of its speed, which to stop would stop the wheel. Friction is along that slip, but for what
 *  the wheel needs to roll, which is nothing:
 *    (M + m + J/r^2) v' = -a mu (M + m) g + O(a^2). */
static void wheel_out_of_its_plane(void **state) {
  (void)state;
  static const double M = 3, m = 0.8, J = 0.011, r = 0.13, v0 = 1.7, mu = 0.3, g = 9.81;
  const double t = v0 / (mu * g * (1 + (M + m) * r * r / J));
  const double slows = mu * (M + m) * g / (M + m + J / (r * r)) * (0.5 - t);
  for (int k = 0; k < 2 * ANGLES * TURNS; k += THOROUGH ? 1 : PLAIN ? 7 : 23) {
    const int i = k / 2;
    const double a = off_plane[i % ANGLES], rtol = k % 2 ? 1e-5 : pow(10, -6 - i % 6);
    run wagon = start_wheel(plane_turns[i / ANGLES], a, v0, 0, rtol);
    const double v = v0 - mu * g * t - slows * (a > digits ? a : 0);
    advance(&wagon, 0.5);
    assert_near(value(&wagon, "j.w.x"), v, 3e-9 + 20 * a * a + (a > digits ? 0 : 1.1 * a));
    assert_near(value(&wagon, "k.w"), v / r, 3e-8 + 20 * a);
    assert_near(ledger_of(&wagon)->total.event_loss, 0, 1e-9 + 2 * a);
    assert_true(ledger_of(&wagon)->work.steps < 500);
    assert_closes(&wagon);
    stop(&wagon);
  }
}

/** From rest the wheel is driven by a torque T on it from the wagon. It rolls from the start, slips across by a of its speed and takes the friction
 *  that is left there:
 *    (M + m + J/r^2) v' = T/r - a F,   F^2 = (mu (M + m) g)^2 - ((M + m) v')^2. */
static void wheel_driven_out_of_its_plane(void **state) {
  (void)state;
  static const double M = 3, m = 0.8, J = 0.011, r = 0.13, mu = 0.3, g = 9.81, T = 0.05;
  for (int i = 0; i < ANGLES * TURNS; i += THOROUGH ? 1 : 9) {
    const double a = off_plane[i % ANGLES], lost = a > digits ? a : 0;
    double rate = 0;
    for (int k = 0; k < 20; k++) {
      const double F = sqrt(pow(mu * (M + m) * g, 2) - pow((M + m) * rate, 2));
      rate = (T / r - lost * F) / (M + m + J / (r * r));
    }
    run wagon = start_wheel(plane_turns[i / ANGLES], a, 0, T, 1e-8);
    advance(&wagon, 0.5);
    assert_near(value(&wagon, "j.w.x") / (0.5 * rate), 1,
                1e-7 + 1e4 * a * a + (lost > 0 ? 0 : 30 * a));
    assert_closes(&wagon);
    stop(&wagon);
  }
}

/** Two wagons on one line across all axes, of which one pushes the other until friction has stopped both: across the line nothing moves, and no
 *  rate of a constraint there is wrong by its rounding. */
static void wagons_stop(void **state) {
  (void)state;
#define LINE "axis='0.7794520379889398 -0.5366456997840809 0.3232118707259102' "
#define TURN                                                                                       \
  "rotation='0.7050565322444313 rad about 0.27382483372194566 -0.5762940526587196 "                \
  "-0.7700033281144555' "
  for (int i = 0; i < 3; i++) {
    char text[TEXT];
    assert_true(
        snprintf(
            text, sizeof text,
            "<screwbond version='1' id='m'><run t-end='8 s' rtol='%g'/><laws><contact-law id='h' "
            "normal='rigid' restitution='0' friction='coulomb' mu='0.75'/></laws><mechanism><body "
            "id='A' mass='2.49'><shape kind='sphere' radius='0.1'/></body><joint id='sa' "
            "kind='prismatic' parent='world' child='A' " LINE TURN "/><body id='B' mass='1.445'>"
            "<shape kind='sphere' radius='0.1'/></body><joint id='sb' kind='prismatic' "
            "parent='world' child='B' at='-0.23383561139668194 0.16099370993522427 "
            "-0.09696356121777305' " LINE TURN "w0='1'/><contact a='A' b='B' law='h'/></mechanism>"
            "<network><Friction id='f' coulomb='0.2263'/><bond from='sa' to='f'/></network>"
            "</screwbond>",
            pow(10, -7 - i)) < TEXT);
    run r = start_netlist(text);
    sb_error err = {0};
    ok(sb_simulation_run(r.sim, 8, 8, NULL, NULL, &err), &err); // every step is audited
    const double v = 1.445 / (1.445 + 2.49);
    assert_near(value(&r, "sa.q"), v * v * (1.445 + 2.49) / (2 * 0.2263), 1e-7);
    assert_near(value(&r, "sa.w"), 0, 1e-12);
    assert_balanced(&r);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ball_on_a_slide),
                                     repeating_test(wagons_on_a_track),
                                     repeating_test(leg_with_a_springy_foot),
                                     repeating_test(leg_of_two_links),
                                     cmocka_unit_test(wagon_with_an_arm),
                                     cmocka_unit_test(foot_of_a_link_wedges),
                                     cmocka_unit_test(wheel_out_of_its_plane),
                                     repeating_test(wheel_driven_out_of_its_plane),
                                     cmocka_unit_test(wagons_stop)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
