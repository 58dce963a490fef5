// SPDX-License-Identifier: GPL-3.0-or-later
// Slips that begin and end at speeds where their direction has no meaning, and contacts that bear nothing: dominoes that fall, a rod
// along a wall, a body near the angle of friction on two feet, a link that the floor alone holds.
#include "tests/netlist_text.h"

static const double g = 9.81;

static void begin(char text[TEXT], const char *law, double slope) {
  text[0] = '\0';
  add(text,
      "<screwbond version='1' id='m'><run t-end='5 s' rtol='1e-8'/><laws><contact-law id='hard' "
      "normal='rigid' %s/></laws><defaults><contact law='hard'/></defaults><mechanism "
      "gravity='%.17g 0 %.17g m/s^2'><ground id='floor'><shape kind='plane' normal='0 0 1' "
      "offset='0 m'/></ground>",
      law, g * sin(slope), -g * cos(slope));
}

enum { WIDE = 0, THICK, TALL };
/** Half a domino [m]. */
static const double half[] = {[THICK] = 0.01, [WIDE] = 0.025, [TALL] = 0.05};

/** A domino of 0.1 kg on four feet, that turns about its front edge at w. */
static void add_domino(char text[TEXT], const char *id, double x, double w) {
  const double d = half[THICK], b = half[WIDE], h = half[TALL], third = 0.1 / 3;
  add(text,
      "<body id='%s' mass='0.1 kg' inertia='%.17g %.17g %.17g kg.m^2' position='%g 0 %g m' "
      "velocity='%.17g 0 %.17g m/s' angular-velocity='0 %.17g 0 rad/s'>",
      id, third * (b * b + h * h), third * (d * d + h * h), third * (d * d + b * b), x, h, w * h,
      w * d, w);
  for (int i = 0; i < 6; i++) { // four feet, and the upper corners in front
    add(text, "<shape id='%s%d' kind='point' at='%g %g %g m'/>", id, i, i < 2 || i > 3 ? d : -d,
        i % 2 == 0 ? b : -b, i < 4 ? -h : h);
  }
  add(text, "<shape id='%sback' kind='plane' normal='-1 0 0' offset='%g m'/></body>", id, d);
  for (int i = 0; i < 6; i++) {
    add(text, "<contact id='%s-on-floor%d' a='floor' b='%s%d'/>", id, i, id, i);
  }
}

/** The first one falls on the second, which falls flat and carries it: its centre then is at h sin + d cos over the floor, with 2 h sin = 2 d. */
static void dominoes_fall(void **state) {
  (void)state;
  const double d = half[THICK], h = half[TALL];
  for (int k = 0; k < (THOROUGH ? 3 : 1); k++) {
    char text[TEXT], law[100];
    (void)snprintf(law, sizeof law, "friction='coulomb' mu='%g' restitution='%g'",
                   (double[]){0.4, 0.2, 0.6}[k], (double[]){0, 0.3, 0.3}[k]);
    begin(text, law, 0);
    add_domino(text, "a", 0, 3);
    add_domino(text, "b", 0.05, 0);
    add(text, "<contact id='k0' a='bback' b='a4'/><contact id='k1' a='bback' b='a5'/></mechanism>"
              "</screwbond>");
    run r = start_netlist(text);
    advance(&r, PLAIN ? 1 : 0.1);
    if (PLAIN) {
      assert_near(component(&r, "b.position", 2), d, 1e-9);
      assert_near(component(&r, "a.position", 2), d + d * sqrt(1 - pow(d / h, 2)), 1e-9);
      assert_near(component(&r, "a.velocity", 0), 0, 1e-9);
    }
    assert_true(ledger_of(&r)->work.rhs < 60000);
    assert_balanced(&r);
    stop(&r);
  }
}

/** A rod meets a wall, first by one end, then by the other, and goes on along it at 0.3 m/s, on the floor. The wall then bears nothing,
 *  and no step is spent on it. */
static void rod_along_a_wall(void **state) {
  (void)state;
  char text[TEXT];
  begin(text, "", 0);
  add(text, "<ground id='wall'><shape kind='plane' normal='-1 0 0' offset='-0.5 m'/></ground>"
            "<body id='rod' mass='2.7 kg' inertia='0.05 0.003 0.05 kg.m^2' position='0.4 0 0 m' "
            "velocity='1 0.3 0 m/s' angular-velocity='0 0 0.3 rad/s'>");
  for (int i = 0; i < 2; i++) {
    add(text, "<shape id='e%d' kind='point' at='0 %g 0 m'/>", i, i == 0 ? 0.2 : -0.2);
  }
  add(text, "</body>");
  for (int i = 0; i < 2; i++) {
    add(text, "<contact id='f%d' a='floor' b='e%d'/><contact id='w%d' a='wall' b='e%d'/>", i, i, i,
        i);
  }
  add(text, "</mechanism></screwbond>");
  run r = start_netlist(text);
  advance(&r, 2);
  assert_near(component(&r, "rod.position", 0), 0.5, 1e-8);
  assert_near(component(&r, "rod.position", 1), 0.6, 1e-8);
  assert_near(component(&r, "rod.angular-velocity", 2), 0, 1e-8);
  assert_true(ledger_of(&r)->work.rhs < 5000);
  assert_balanced(&r);
  stop(&r);
}

/** The first link of a chain is held by its hook and the floor: it is at rest to the rounding of what the others move at, which then lie
 *  down, too. */
static void link_that_the_floor_holds(void **state) {
  (void)state;
  enum { LINKS = 3 };
  static const double q0[LINKS] = {-7, -8.4, 19.6}, length = 1. / LINKS;
  char text[TEXT];
  begin(text, "friction='coulomb' mu='0.8' impact='stronge'", 0);
  add(text, "<ground id='low'><shape kind='plane' normal='0 0 1' offset='-0.065 m'/></ground>");
  for (int i = 0; i < LINKS; i++) {
    const double inertia = pow(length, 3) / 12;
    char parent[20] = "world";
    if (i > 0) {
      (void)snprintf(parent, sizeof parent, "l%d", i - 1);
    }
    add(text,
        "<body id='l%d' mass='%.17g kg' com='%.17g 0 0 m' inertia='%.17g %.17g %.17g kg.m^2'>"
        "<shape id='e%d' kind='point' at='%.17g 0 0 m'/></body><joint id='j%d' kind='revolute' "
        "axis='0 1 0' parent='%s' child='l%d' at='%.17g 0 0 m' q0='%g deg'/>"
        "<contact id='c%d' a='low' b='e%d'/>",
        i, length, length / 2, 0.01 * inertia, inertia, inertia, i, length, i, parent, i,
        i > 0 ? length : 0., q0[i], i, i);
  }
  add(text, "</mechanism></screwbond>");
  run r = start_netlist(text);
  advance(&r, 2);
  assert_near(value(&r, "j0.q"), asin(0.065 / length), 1e-9);
  for (int i = 0; i < LINKS; i++) {
    char name[20];
    (void)snprintf(name, sizeof name, "c%d.gap", i);
    assert_near(value(&r, name), 0, 1e-9);
  }
  assert_balanced(&r);
  stop(&r);
}

/** A block of half width b and half height h rocks on its edges, and meets the floor without restitution: its angular velocity falls to
 *  1 - 3/2 sin^2 alpha of what it was, tan alpha = b/h (Housner, Bull. Seism. Soc. Am. 53, 1963). */
static void block_rocks(void **state) {
  (void)state;
  static const double b = 0.1, h = 0.4, m = 5;
  const double alpha = atan(b / h), radius = hypot(b, h), tilt = 0.6 * alpha;
  const double ratio = 1 - 1.5 * pow(sin(alpha), 2);
  char text[TEXT];
  begin(text, "friction='coulomb' mu='0.9'", 0);
  add(text,
      "<body id='k' mass='%g kg' inertia='%.17g %.17g %.17g kg.m^2' position='%.17g 0 %.17g m' "
      "rotation='%.17g deg about 0 1 0'>",
      m, m / 3 * (b * b + h * h), m / 3 * (b * b + h * h), m / 3 * 2 * b * b,
      b - radius * sin(alpha - tilt), radius * cos(alpha - tilt), tilt * 180 / acos(-1));
  for (int i = 0; i < 4; i++) {
    add(text, "<shape id='f%d' kind='point' at='%g %g %g m'/>", i, i < 2 ? b : -b,
        i % 2 == 0 ? b : -b, -h);
  }
  add(text, "</body>");
  for (int i = 0; i < 4; i++) {
    add(text, "<contact id='c%d' a='floor' b='f%d'/>", i, i);
  }
  add(text, "</mechanism></screwbond>");
  run r = start_netlist(text);
  advance(&r, 3);
  double energy = m * g * radius * (cos(alpha - tilt) - cos(alpha)); // until it first stands
  const sb_ledger *ledger = ledger_of(&r);
  int impacts = 0;
  for (int i = 0; i < ledger->event_count; impacts++) {
    const double t = ledger->events[i].t;
    double lost = 0;
    for (; i < ledger->event_count && ledger->events[i].t == t; i++) {
      lost += ledger->events[i].loss;
    }
    impacts -= lost == 0;
    assert_near(lost, lost > 0 ? energy * (1 - ratio * ratio) : 0, 1e-8);
    energy -= lost;
  }
  assert_true(impacts >= 5);
  assert_balanced(&r);
  stop(&r);
}

/** A solid ball thrown up a ramp at v slips for v/(g (sin + 7/2 mu cos)), and rolls on at -5/7 g sin. */
static void ball_rolls_up_a_ramp(void **state) {
  (void)state;
  static const double slope = 0.3, mu = 0.4, v = 2, radius = 0.1;
  char text[TEXT];
  begin(text, "friction='coulomb' mu='0.4'", -slope);
  add(text,
      "<body id='ball' mass='1 kg' inertia='0.004 0.004 0.004 kg.m^2' position='0 0 %g m' "
      "velocity='%g 0 0 m/s'><shape kind='sphere' radius='%g m'/></body><contact id='c' "
      "a='floor' b='ball'/></mechanism></screwbond>",
      radius, v, radius);
  run r = start_netlist(text);
  advance(&r, 1);
  const double end = v / (g * (sin(slope) + 3.5 * mu * cos(slope)));
  const double rolling = 2.5 * mu * g * cos(slope) * end, a = -g * sin(slope) / 1.4, t = 1 - end;
  assert_near(component(&r, "ball.velocity", 0), rolling + a * t, 1e-8);
  assert_near(component(&r, "ball.position", 0),
              (v + rolling) / 2 * end + rolling * t + a * t * t / 2, 1e-8);
  assert_near(component(&r, "ball.angular-velocity", 1), (rolling + a * t) / radius, 1e-7);
  assert_balanced(&r);
  stop(&r);
}

/** A coin that wobbles slips at either end of its motion, and sticks between. It does so a kilometre away as it does near by: the speed below
 *  which a slip has no direction is one of the coin, 1e-6 of sqrt(g l), wherever it is. */
static void coin_far_away(void **state) {
  (void)state;
  double spin[2][3], events[2];
  for (int i = 0; i < 2; i++) {
    char text[TEXT] = "";
    add(text,
        "<screwbond version='1' id='m'><run t-end='1 s' rtol='1e-11'/><laws><contact-law id='c' "
        "normal='rigid' friction='coulomb' mu='0.25'/></laws><mechanism gravity='0 0 -9.81 m/s^2'>"
        "<ground id='floor'><shape kind='plane' normal='0 0 1' offset='%d m'/></ground><body "
        "id='coin' mass='0.2 kg' inertia='0.00034 0.00034 0.0006 kg.m^2' position='%d %d "
        "%.17g m' rotation='70 deg about 1 0 0' velocity='-1.0425292202439584 "
        "-0.03179077862357725 0.010260604299770066 m/s' angular-velocity='0.3 -8.457233587073175 "
        "4.27818128993102 rad/s'><shape kind='torus' radius='0.1 m' tube-radius='0.012 m'/></body>"
        "<contact id='k' a='floor' b='coin' law='c'/></mechanism></screwbond>",
        650 * i, 700 * i, -300 * i, 650 * i + 0.10596926207859084);
    run r = start_netlist(text);
    advance(&r, PLAIN ? 0.96 : 0.3);
    for (int k = 0; k < 3; k++) {
      spin[i][k] = component(&r, "coin.angular-velocity", k);
    }
    events[i] = ledger_of(&r)->event_count;
    assert_balanced(&r);
    stop(&r);
  }
  assert_near(events[1], events[0], 0);
  for (int k = 0; k < 3; k++) { // of 13 rad/s; the threshold's square root of a place made 5e-3
    assert_near(spin[1][k], spin[0][k], 3e-8);
  }
}

/** A ball held by friction on a ring that stands `far` from the origin of the ground it is a shape of, until it slips: the speed below which a
 *  slip has no direction is one of the ball and the ring, wherever this is. */
static void ball_on_a_ring_far_away(void **state) {
  (void)state;
  double spin[2][3];
  long steps[2];
  for (int i = 0; i < 2; i++) {
    const double far = 1000. * i;
    char text[TEXT] = "";
    add(text,
        "<screwbond version='1' id='m'><run t-end='1 s' rtol='1e-9' method='dormand-prince-5'/>"
        "<laws><contact-law id='c' normal='rigid' friction='coulomb' mu='0.1'/></laws><mechanism "
        "gravity='0 0 -9.81 m/s^2'><ground id='floor'><shape kind='torus' radius='0.5 m' "
        "tube-radius='0.2 m' at='%g %g 0 m'/></ground><body id='ball' mass='1.3 kg' "
        "position='%.17g %.17g 0.6 m' velocity='0.1 0.35 0 m/s'><shape kind='sphere' "
        "radius='0.13 m'/></body><contact id='k' a='floor' b='ball' law='c'/></mechanism>"
        "</screwbond>",
        far, far, far + 0.45, far + 0.1);
    run r = start_netlist(text);
    advance(&r, 0.7);
    for (int k = 0; k < 3; k++) {
      spin[i][k] = component(&r, "ball.angular-velocity", k);
    }
    assert_int_equal(events_of(&r, "slip", "k"), 1);
    steps[i] = ledger_of(&r)->work.steps;
    assert_balanced(&r);
    stop(&r);
  }
  for (int k = 0; k < 3; k++) {
    assert_near(spin[1][k], spin[0][k], 1e-7);
  }
  assert_near((double)steps[1], (double)steps[0], 0.1 * (double)steps[0]); // it took half of them
}

/** A body of 1 kg that cannot turn, on `feet` feet, drawn by a force that grows by 5 N/s and turns by 1 rad/s. It slips from mu m g on, along the
 *  direction theta of its velocity v: v' = (F cos(w t - theta) - mu m g)/m, theta' = F sin(w t - theta)/(m v). theta begins as w t, at the
 *  rate w: friction along a direction that stood still would be off by atan(w t) at once, 30 degrees. The velocities are those of these
 *  equations by an implicit method of order 5 to 1e-12, apart from this program. */
static void force_turns_as_slip_begins(void **state) {
  (void)state;
  for (int feet = 1; feet <= (THOROUGH ? 3 : 1); feet += 2) {
    for (int i = 0; i < (THOROUGH ? 2 : 1); i++) {
      char text[TEXT] = "";
      add(text,
          "<screwbond version='1' id='m'><run t-end='1 s' rtol='%s'/><laws><contact-law id='hard' "
          "normal='rigid' friction='coulomb' mu='0.3'/></laws><defaults><contact law='hard'/>"
          "</defaults><mechanism gravity='0 0 -9.81 m/s^2'><ground id='floor'><shape kind='plane' "
          "normal='0 0 1' offset='0 m'/></ground><body id='b' mass='1 kg' "
          "inertia='1e9 1e9 1e9 kg.m^2' position='0 0 0.1 m'>",
          i == 0 ? "1e-6" : "1e-11");
      for (int k = 0; k < feet; k++) {
        const double angle = 2 * acos(-1) * k / feet, radius = feet > 1 ? 0.1 : 0;
        add(text, "<shape id='p%d' kind='point' at='%.17g %.17g -0.1 m'/>", k, radius * cos(angle),
            radius * sin(angle));
      }
      add(text, "</body>");
      for (int k = 0; k < feet; k++) {
        add(text, "<contact id='c%d' a='floor' b='p%d'/>", k, k);
      }
      add(text, "<Wrench id='W' on='b' force-x='5[N/s]*t*cos(1[rad/s]*t)' "
                "force-y='5[N/s]*t*sin(1[rad/s]*t)'/></mechanism></screwbond>");
      run r = start_netlist(text);
      advance(&r, 0.7652);
      assert_near(component(&r, "b.velocity", 0), 0.057133744292945, i == 0 ? 1e-8 : 1e-9);
      assert_near(component(&r, "b.velocity", 1), 0.053023988137498, i == 0 ? 1e-8 : 1e-9);
      assert_balanced(&r);
      stop(&r);
    }
  }
}

/** A block of 1.7 kg, drawn by a force (1 + e) mu N that turns by 1 rad/s, hardly slips. Along the force its momentum is e mu N t, as friction is against
 *  what follows it. The first slip has friction along x: across it the force grows, and along it mu N (e t - t^3/6) is zero at
 *  t = sqrt(6 e), where the slip begins anew. A direction that stood still then would let it end again every 0.8 ms, or, once it is faster
 *  than what has a direction of its own, thousands of times too fast. */
static void force_turns_at_the_bound(void **state) {
  (void)state;
  static const double mu = 0.4, mass = 1.7, e = 1e-7, end = 0.02;
  const double bound = mu * mass * g, first = sqrt(6 * e);
  char text[TEXT];
  begin(text, "friction='coulomb' mu='0.4'", 0);
  add(text,
      "<body id='c' mass='0.3 kg' inertia='1 1 1 kg.m^2'/><body id='d' mass='0.2 kg' inertia='1 1 "
      "1 kg.m^2'/><body id='b' mass='1.7 kg' inertia='1 1 1 kg.m^2'><shape kind='point' at='0 0 0 "
      "m'/></body><joint id='x' kind='prismatic' axis='1 0 0' parent='world' child='c' q0='0.5 "
      "m'/><joint id='y' kind='prismatic' axis='0 1 0' parent='c' child='d'/><joint id='z' "
      "kind='prismatic' axis='0 0 1' parent='d' child='b'/><contact id='k' a='floor' b='b'/>"
      "</mechanism><network domain='translation'><Se id='fx' effort='%.17g[N]*cos(1[1/s]*t)'/>"
      "<Se id='fy' effort='%.17g[N]*sin(1[1/s]*t)'/><bond from='fx' to='x'/><bond from='fy' "
      "to='y'/></network></screwbond>",
      (1 + e) * bound, (1 + e) * bound);
  run r = start_netlist(text);
  advance(&r, end);
  assert_near(2.2 * value(&r, "x.w"), e * bound * (end - first), 1e-3 * e * bound * end);
  assert_near(value(&r, "k.sticks"), 0, 0);
  assert_near(ledger_of(&r)->events[1].t, first, 1e-5 * first);
  assert_int_equal(ledger_of(&r)->event_count, 2);
  assert_balanced(&r);
  stop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {repeating_test(dominoes_fall),
                                     cmocka_unit_test(rod_along_a_wall),
                                     repeating_test(link_that_the_floor_holds),
                                     repeating_test(block_rocks),
                                     cmocka_unit_test(ball_rolls_up_a_ramp),
                                     repeating_test(coin_far_away),
                                     repeating_test(ball_on_a_ring_far_away),
                                     repeating_test(force_turns_as_slip_begins),
                                     cmocka_unit_test(force_turns_at_the_bound)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
