// SPDX-License-Identifier: GPL-3.0-or-later
// Rigid contacts that hold what others hold as well, locks, stops and friction: their share of the load is not unique. It is within the cone
// of friction, and stays as it is until the load takes it out of there. Expected values are balances of forces and of momentum.
#include "core/simulation/simulation_private.h"
#include "tests/netlist_text.h"

static const double g = 9.81;

static double torque(double t) {
  return -1.79 + 2.92 * sin(13.1 * t);
}

/** An arm of two links, the elbow locked, whose tip falls on the floor: both components of the contact and the lock hold two freedoms. The
 *  torque at the shoulder balances the moment of the contact, whatever goes on elsewhere in the network: @param beside  switches all the time */
static run start_arm(const char *beside, double mu) {
  char text[TEXT] = "";
  add(text,
      "<screwbond version='1' id='m'><run t-end='1 s' rtol='1e-7'/><laws><contact-law id='l' "
      "normal='rigid' friction='coulomb' mu='%g'/></laws><mechanism><ground id='g'><shape id='w' "
      "kind='plane' normal='0 0 1'/></ground><body id='a' mass='1 kg' inertia='1e-3 1e-2 1e-2'/>"
      "<joint id='j' kind='revolute' axis='0 1 0' parent='world' child='a' at='0 0 0.2'/><body "
      "id='b' mass='0.5 kg'><shape id='t' kind='sphere' radius='0.02' at='0.2 0 0'/></body><joint "
      "id='k' kind='revolute' axis='0 1 0' parent='a' child='b' at='0.3 0 0' locked='yes'/>"
      "<contact id='c' a='w' b='t' law='l'/></mechanism><network><Se id='m' domain='rotation' "
      "effort='-1.79[N.m]+2.92[N.m]*sin(13.1[rad/s]*t)'/><bond from='m' to='j'/>%s</network>"
      "</screwbond>",
      mu, beside);
  return start_netlist(text);
}

static void lock_and_contact_hold_an_arm(void **state) {
  (void)state;
  static const char *const beside[] = {
      "",
      "<Se id='V' domain='electric' effort='5 V'/><J1 id='n' domain='electric'/><Switch id='S' "
      "times='0.001 0.003' period='3 ms'/><R id='R' domain='electric' r='2 ohm'/><bond from='V' "
      "to='n'/><bond from='n' to='S'/><bond from='n' to='R'/>"};
  double before[2] = {0};
  for (int i = 0; i < 2; i++) {
    const double mu = 0.784;
    run r = start_arm(beside[i], mu);
    for (int n = 1; n <= 10; n++) {
      const double t = 0.89 + 0.011 * n;
      advance(&r, t);
      const double fx = component(&r, "c.force", 0), fz = component(&r, "c.force", 2);
      const double x = component(&r, "c.point", 0), z = component(&r, "c.point", 2) - 0.2;
      assert_near(torque(t) + z * fx - x * fz, 0, 1e-9);
      assert_true(fz > 0 && fabs(fx) <= mu * fz);
      if (n == 3) {
        assert_true(i == 0 || (fabs(fx - before[0]) < 1e-8 && fabs(fz - before[1]) < 1e-8));
        before[0] = fx;
        before[1] = fz;
      }
    }
    assert_true(events_of(&r, "shift", "c") < 5);
    assert_balanced(&r);
    stop(&r);
  }
}

/** A block that a force presses to a stop is struck from either side: the stop bears an impulse into it, and gives way to one away from it.
 *  Then m (u + v_b) = M v_a with v_a + v_b = e u; the force brings the block back after v_a^2 M/(2 F), the ball as a wall does. */
static void held_block_is_struck(void **state) {
  (void)state;
  const double m = 1, M = 3, u = 1, force = 0.5;
  for (int i = 0; i < 6; i++) {
    const double side = i % 2 == 0 ? 1 : -1, es[] = {0, 0.5, 1}, e = es[i / 2];
    char text[TEXT] = "";
    add(text,
        "<screwbond version='1' id='m'><run t-end='2 s' rtol='1e-10'/><laws><contact-law id='l' "
        "normal='rigid' restitution='%g'/></laws><mechanism gravity='0 0 0'><body id='a' mass='3' "
        "inertia='1 1 1'><shape id='A' kind='sphere' radius='0.1'/></body><joint id='j' "
        "kind='prismatic' axis='1 0 0' parent='world' child='a' limits='%s m'/><body id='b' "
        "mass='1' inertia='1 1 1'><shape id='B' kind='sphere' radius='0.1'/></body><joint id='k' "
        "kind='prismatic' axis='1 0 0' parent='world' child='b' q0='-0.3' w0='1'/><contact a='A' "
        "b='B' law='l'/></mechanism><network domain='translation'><Se id='m' effort='%g'/><bond "
        "from='m' to='j'/></network></screwbond>",
        e, side > 0 ? "-1 0" : "0 1", side * force);
    run r = start_netlist(text);
    advance(&r, 0.2);
    const double v = side > 0 ? 0 : (1 + e) * u * m / (m + M);
    const double brake = force / (e == 0 ? m + M : M);
    assert_near(value(&r, "j.w"), v == 0 ? 0 : v - 0.1 * brake, 1e-9);
    assert_near(value(&r, "k.w"), v == 0 ? -e * u : e == 0 ? v - 0.1 * brake : v - e * u, 1e-9);
    assert_int_equal(events_of(&r, "release", "j/limits"), side < 0);
    assert_balanced(&r);
    stop(&r);
  }
}

/** The same block between a stop and a ball that rests at it, struck by another one from there: the blow goes through the ball, and from the
 *  side of the stop, where all is at rest, nothing moves. */
static void struck_from_both_sides(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    const double side = i == 0 ? 1 : -1;
    char text[TEXT] = "";
    add(text,
        "<screwbond version='1' id='m'><run t-end='1 s' rtol='1e-10'/><laws><contact-law id='l' "
        "normal='rigid'/></laws><mechanism gravity='0 0 0'><body id='a' mass='3' inertia='1 1 "
        "1'><shape id='A' kind='sphere' radius='0.1'/></body><joint id='j' kind='prismatic' "
        "axis='1 0 0' parent='world' child='a' limits='%s m'/><body id='b' mass='1' inertia='1 1 "
        "1'><shape id='B' kind='sphere' radius='0.1'/></body><joint id='k' kind='prismatic' "
        "axis='1 0 0' parent='world' child='b' q0='-0.2'/><body id='c' mass='2' inertia='1 1 "
        "1'><shape id='C' kind='sphere' radius='0.1'/></body><joint id='n' kind='prismatic' "
        "axis='1 0 0' parent='world' child='c' q0='-0.5' w0='1'/><contact a='A' b='B' law='l'/>"
        "<contact a='B' b='C' law='l'/></mechanism><network domain='translation'><Se id='m' "
        "effort='%g'/><bond from='m' to='j'/></network></screwbond>",
        side > 0 ? "-1 0" : "0 1", side * 0.5);
    run r = start_netlist(text);
    advance(&r, 0.2);
    const double v = side > 0 ? 0 : 2. / 6 - 0.1 * 0.5 / 6;
    assert_near(value(&r, "j.w"), v, 1e-9);
    assert_near(value(&r, "k.w"), v, 1e-9);
    assert_near(value(&r, "n.w"), v, 1e-9);
    assert_balanced(&r);
    stop(&r);
  }
}

/** A foot on the floor whose guide is at its limit: into that nothing moves it, whatever share the floor has of the force; away from it the
 *  floor holds it up to t0 = mu m g/10 N/s, and M v' = 10 (t - t0) with the carriage, M = m + c. */
static void stop_and_floor_hold_a_foot(void **state) {
  (void)state;
  for (int i = 0; i < 4; i++) {
    const bool away = i % 2 == 0;
    char text[TEXT] = "";
    add(text,
        "<screwbond version='1' id='m'><run t-end='1 s' rtol='1e-10'/><laws><contact-law id='l' "
        "normal='rigid' friction='coulomb' mu='0.3'/></laws><mechanism gravity='0 0 -9.81'><ground "
        "id='g'><shape id='w' kind='plane' normal='0 0 1'/></ground><body id='c' mass='0.1' "
        "inertia='1 1 1'/><joint id='x' kind='prismatic' axis='1 0 0' parent='world' child='c' "
        "limits='%s m'/><body id='b' mass='1' inertia='1 1 1'><shape id='s' kind='sphere' "
        "radius='0.1'/></body><joint id='z' kind='prismatic' axis='0 0 1' parent='c' child='b' "
        "q0='0.1'/><contact id='k' a='w' b='s' law='l'/></mechanism><network "
        "domain='translation'><Se id='m' effort='%d[N/s]*t'/><bond from='m' to='x'/></network>"
        "</screwbond>",
        i < 2 ? "0 9" : "-9 0", (i < 2) == away ? 10 : -10);
    run r = start_netlist(text);
    const double t0 = away ? 0.3 * g / 10 : 1, M = 1.1, side = i < 2 ? 1 : -1;
    advance(&r, t0 - 1e-6);
    assert_near(value(&r, "x.w"), 0, 1e-15);
    assert_true(fabs(component(&r, "k.force", 0)) <= 0.3 * g * (1 + 1e-9));
    advance(&r, 1);
    assert_near(value(&r, "x.w"), side * 10 * pow(1 - t0, 2) / (2 * M), 1e-12);
    assert_near(component(&r, "x.q", 0), side * 10 * pow(1 - t0, 3) / (6 * M), 1e-12);
    assert_in_range(ledger_of(&r)->event_count, 2, 20);
    assert_balanced(&r);
    stop(&r);
  }
}

/** A rod on two balls in a corner of floor and wall, pushed there by a force and a moment. */
static run start_rod(double mu, const char *push) {
  char text[TEXT] = "";
  add(text,
      "<screwbond version='1' id='m'><run t-end='1 s' rtol='1e-7'/><laws><contact-law id='l' "
      "normal='rigid' friction='coulomb' mu='%g'/></laws><mechanism gravity='0 0 -9.81'><ground "
      "id='g'><shape id='wall' kind='plane' normal='-1 0 0'/><shape id='bot' kind='plane' "
      "normal='0 0 1'/></ground><body id='peg' mass='0.2' inertia='2e-4 2e-4 4e-5' "
      "position='-0.02 0 0.06'><shape id='p0' kind='sphere' radius='0.02' at='0 0 -0.04'/><shape "
      "id='p1' kind='sphere' radius='0.02' at='0 0 0.04'/></body><Wrench id='d' on='peg' %s/>"
      "<contact id='w0' a='wall' b='p0' law='l'/><contact id='w1' a='wall' b='p1' "
      "law='l'/><contact "
      "id='b0' a='bot' b='p0' law='l'/></mechanism></screwbond>",
      mu, push);
  return start_netlist(text);
}

/** The force and the moment change: six components hold three freedoms.
 *  Forces and moments are balanced within the cones of friction, and what the load leaves free is shared anew a few times only. */
static void rod_rests_in_a_corner(void **state) {
  (void)state;
  static const double mu = 0.1847;
  static const char *const names[] = {"w0", "w1", "b0"};
  run r = start_rod(mu, "force-x='2.01[N]+2.144[N]*sin(18.65[rad/s]*t)' "
                        "moment-y='-0.03329[N.m]+0.03956[N.m]*cos(13.42[rad/s]*t)' "
                        "force-z='-2[N]'");
  for (int n = 1; n <= 18; n++) {
    const double t = 0.01 * n;
    advance(&r, t);
    double fx = 2.01 + 2.144 * sin(18.65 * t), fz = -2 - 0.2 * g;
    double moment = -0.03329 + 0.03956 * cos(13.42 * t); // about y, at the centre of mass
    for (int i = 0; i < 3; i++) {
      char force[20], point[20];
      (void)snprintf(force, sizeof force, "%s.force", names[i]);
      (void)snprintf(point, sizeof point, "%s.point", names[i]);
      const double x = component(&r, force, 0), z = component(&r, force, 2);
      const double along = i < 2 ? z : x, normal = i < 2 ? -x : z;
      assert_true(fabs(along) <= mu * normal * (1 + 1e-8) + 1e-12);
      fx += x;
      fz += z;
      moment += (component(&r, point, 2) - 0.06) * x - (component(&r, point, 0) + 0.02) * z;
    }
    assert_near(fx, 0, 1e-9);
    assert_near(fz, 0, 1e-9);
    assert_near(moment, 0, 1e-10);
  }
  assert_true(ledger_of(&r)->event_count < 20);
  advance(&r, 1);
  assert_true(ledger_of(&r)->event_count < 150); // it slips twice
  assert_closes(&r);
  stop(&r);
}

/** The same under another load: where it is wedged a slip at the wall that begins has no acceleration, ends at once, and would begin again every
 *  5e-6 s. Some forces hold it. */
static void rod_is_wedged(void **state) {
  (void)state;
  run r = start_rod(0.2084, "force-x='2.389[N]+2.681[N]*sin(11.05[rad/s]*t)' "
                            "moment-y='0.0366[N.m]+0.05111[N.m]*cos(13.03[rad/s]*t)' "
                            "force-z='-0.3739[N]'");
  advance(&r, 1);
  assert_true(ledger_of(&r)->event_count < 100);
  assert_closes(&r);
  stop(&r);
}

/** A ball that a force fed back with its velocity drags over a floor, where it rolls: what is measured of states alone is no part of the loop
 *  of forces. 7/5 m v' = k (u - v), v = u (1 - exp(-k t/(7/5 m))). */
static void force_is_fed_back(void **state) {
  (void)state;
  const double k = 4, u = 2, rate = k / 1.4;
  run r = start_netlist(
      "<screwbond version='1' id='m'><run t-end='1 s' rtol='1e-10'/><laws><contact-law id='l' "
      "normal='rigid' friction='coulomb' mu='0.3'/></laws><mechanism gravity='0 0 -9.81'><ground "
      "id='g'><shape id='w' kind='plane' normal='0 0 1'/></ground><body id='b' mass='1' "
      "position='0 0 0.1'><shape id='s' kind='sphere' radius='0.1'/></body><contact a='w' b='s' "
      "law='l'/><Wrench id='d' on='b' force-x='4[N.s/m]*(2[m/s]-v)'/></mechanism><network><signal "
      "id='v' of='b.velocity.x'/></network></screwbond>");
  advance(&r, 1);
  assert_near(component(&r, "b.velocity", 0), u * (1 - exp(-rate)), 1e-9);
  assert_near(component(&r, "b.position", 0), u * (1 - (1 - exp(-rate)) / rate), 1e-9);
  const sb_program *program = r.sim->work->program;
  assert_true(program->loop_count > 0);
  for (int i = 0; i < program->loop_count; i++) {
    for (int h = 0; h < program->loops[i].count; h++) {
      assert_true(program->loop_hooks[program->loops[i].first + h].op.kind != SB_OP_MEASURE);
    }
  }
  assert_balanced(&r);
  stop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lock_and_contact_hold_an_arm),
                                     cmocka_unit_test(held_block_is_struck),
                                     cmocka_unit_test(struck_from_both_sides),
                                     cmocka_unit_test(stop_and_floor_hold_a_foot),
                                     cmocka_unit_test(rod_rests_in_a_corner),
                                     cmocka_unit_test(rod_is_wedged),
                                     cmocka_unit_test(force_is_fed_back)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
