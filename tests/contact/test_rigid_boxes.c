// SPDX-License-Identifier: GPL-3.0-or-later
// Boxes that fall on a floor from random positions, each on eight corners, with every law of impacts, until they lie: the
// energy of every impact is booked, no loss is negative, and what throws off one corner by another ends in contact, not in impacts
// without end. Tables that fall level. And a contact that never slips, but touches while it does.
#include "tests/fixture.h"

#include "tests/campaign/random.h"

enum { TEXT = 6000, CORNERS = 8, EVENTS_MAX = 2000 };

/** Writes a box of random size, pose and motion. @return its length */
static int write_box(char text[], size_t size, uint64_t seed, const char *law) {
  chance random = {seed};
  double a[3], v[9];
  for (int k = 0; k < 3; k++) {
    a[k] = between(&random, 0.05, 0.2);
  }
  for (int k = 0; k < 9; k++) {
    v[k] = between(&random, -1, 1);
  }
  const double mass = between(&random, 0.5, 2), turn = between(&random, 0, 180);
  int n = snprintf(
      text, size,
      "<laws><contact-law id='hard' normal='rigid' %s/></laws><defaults><contact law='hard'/>"
      "</defaults><mechanism gravity='0 0 -9.81 m/s^2'><ground id='floor'><shape kind='plane' "
      "normal='0 0 1' offset='0 m'/></ground><body id='box' mass='%.17g kg' inertia='%.17g %.17g "
      "%.17g kg.m^2' position='0 0 0.5 m' rotation='%.17g deg about %.17g %.17g %.17g' "
      "velocity='%.17g %.17g %.17g m/s' angular-velocity='%.17g %.17g %.17g rad/s'>",
      law, mass, mass / 3 * (a[1] * a[1] + a[2] * a[2]), mass / 3 * (a[0] * a[0] + a[2] * a[2]),
      mass / 3 * (a[0] * a[0] + a[1] * a[1]), turn, v[0], v[1], v[2], v[3], v[4], v[5], 4 * v[6],
      4 * v[7], 4 * v[8]);
  for (int c = 0; c < CORNERS; c++) {
    n += snprintf(text + n, size - (size_t)n,
                  "<shape id='c%d' kind='point' at='%.17g %.17g %.17g m'/>", c,
                  c & 1 ? a[0] : -a[0], c & 2 ? a[1] : -a[1], c & 4 ? a[2] : -a[2]);
  }
  n += snprintf(text + n, size - (size_t)n, "</body>");
  for (int c = 0; c < CORNERS; c++) {
    n += snprintf(text + n, size - (size_t)n, "<contact id='k%d' a='floor' b='c%d'/>", c, c);
  }
  return n + snprintf(text + n, size - (size_t)n, "</mechanism>");
}

/** @return how many corners are on the floor at the end */
static int drop(uint64_t seed, const char *law) {
  char text[TEXT];
  assert_true(write_box(text, sizeof text, seed, law) < TEXT);
  run r = start(text, 1e-8, 1e-10);
  int down = 0;
  const double before = value(&r, "box.energy");
  double lost = 0;
  advance(&r, 2);
  assert_balanced(&r);
  const sb_ledger *ledger = ledger_of(&r);
  assert_true(ledger->event_count < EVENTS_MAX);
  for (int k = 0; k < ledger->event_count; k++) {
    assert_true(ledger->events[k].loss >= 0);
    lost += ledger->events[k].loss;
  }
  for (int c = 0; c < CORNERS; c++) {
    char name[32];
    (void)snprintf(name, sizeof name, "k%d.touches", c);
    down += value(&r, name) > 0;
    (void)snprintf(name, sizeof name, "k%d.gap", c);
    assert_true(value(&r, name) > -1e-9);
  }
  assert_true(lost > 0.1 * before);
  stop(&r);
  return down;
}

static void boxes_that_fall(void **state) {
  (void)state;
  static const char *const laws[] = {
      "restitution='0.5'",
      "restitution='0.3' friction='coulomb' mu='0.4' impact='stronge'",
      "restitution='0' friction='coulomb' mu='0.2' impact='poisson' impacts='sequential'",
  };
  int lying = 0;
  for (uint64_t seed = 0; seed < (THOROUGH ? 6 : 3); seed++) {
    const int down = drop(seed, laws[seed % 3]);
    lying += down >= 3;
  }
  assert_true(lying >= (THOROUGH ? 4 : 2)); // the others still slide or rock
}

/** A solid ball at v that may not slip: 2/7 of its energy goes at once, and it rolls on at 5 v/7. */
static void a_slip_that_may_not_be(void **state) {
  (void)state;
  run r = start("<laws><contact-law id='rough' normal='rigid' friction='stuck'/></laws>"
                "<mechanism gravity='0 0 -9.81 m/s^2'><ground id='floor'><shape kind='plane' "
                "normal='0 0 1' offset='0 m'/></ground><body id='ball' mass='2.3 kg' "
                "inertia='0.0092 0.0092 0.0092 kg.m^2' position='0 0 0.1 m' velocity='1.3 0 0 m/s'>"
                "<shape kind='sphere' radius='0.1 m'/></body>"
                "<contact id='foot' a='floor' b='ball' law='rough'/></mechanism>",
                1e-11, 1e-13);
  advance(&r, 0.7);
  assert_balanced(&r);
  assert_int_equal(ledger_of(&r)->event_count, 1);
  assert_near(ledger_of(&r)->events[0].loss, 2.3 * 1.3 * 1.3 / 7, 1e-12);
  assert_near(component(&r, "ball.velocity", 0), 5 * 1.3 / 7, 1e-12);
  assert_near(component(&r, "ball.position", 0), 0.5 * 1.3, 1e-11);
  stop(&r);
}

/** A table without gravity that comes down level at 3 m/s and turns at 1.5 rad/s about the vertical, with restitution 0.5 and friction 0.3, after
 *  its impact. @param feet  their places  @param first  of them, the others follow in turn  @param after  (4) out: velocity, and the turn */
static void drop_level(const char *law, const char *const feet[], int count, int first,
                       const double v[2], double turn, double after[4]) {
  char text[TEXT];
  int n = snprintf(
      text, sizeof text,
      "<laws><contact-law id='c' normal='rigid' restitution='0.5' impact='%s' friction='coulomb' "
      "mu='0.3'/></laws><mechanism><ground id='f'><shape kind='plane' normal='0 0 1'/></ground>"
      "<body id='b' mass='2 kg' inertia='1 1.2 1.4 kg.m^2' position='0 0 0.8 m' rotation='%.17g "
      "rad "
      "about 0 0 1' velocity='%.17g %.17g -3 m/s' angular-velocity='0 0 %.17g rad/s'>",
      law, -0.1 * turn, v[0], v[1], turn);
  for (int i = 0; i < count; i++) {
    const int foot = (first + i) % count;
    n += snprintf(text + n, sizeof text - (size_t)n, "<shape id='p%d' kind='point' at='%s'/>", foot,
                  feet[foot]);
  }
  n += snprintf(text + n, sizeof text - (size_t)n, "</body>");
  for (int i = 0; i < count; i++) {
    n += snprintf(text + n, sizeof text - (size_t)n, "<contact id='k%d' a='f' b='p%d' law='c'/>", i,
                  (first + count - i) % count);
  }
  (void)snprintf(text + n, sizeof text - (size_t)n, "</mechanism>");
  run r = start(text, 1e-9, 0);
  advance(&r, 0.2);
  assert_balanced(&r);
  for (int k = 0; k < 3; k++) {
    after[k] = component(&r, "b.velocity", k);
  }
  after[3] = component(&r, "b.angular-velocity", 2);
  assert_near(component(&r, "b.angular-velocity", 0), 0, 1e-12);
  assert_near(component(&r, "b.angular-velocity", 1), 0, 1e-12);
  stop(&r);
}

/** Feet that strike at one speed are struck as one, whatever their order: one behind the other they turned the table. Without a turn the impulse
 *  is m u (1 + e), and friction takes mu of that or ends the slip. With one, the slips turn: the values are those of v' = W p' for three feet, whose
 *  forces are unique, by an explicit method of order 8 to 1e-13, apart from this program. */
static void feet_strike_as_one(void **state) {
  (void)state;
  static const char *const laws[] = {"poisson", "stronge"},
                           *const square[] = {"1 1 -0.5 m", "1 -1 -0.5 m", "-1 -1 -0.5 m",
                                              "-1 1 -0.5 m"},
                           *const three[] = {"1 0 -0.5 m", "-0.6 0.8 -0.5 m", "-0.7 -0.9 -0.5 m"};
  static const double turned[] = {0.880876992737502, 0.263880852810487, 1.5, 0.676285604441407};
  for (int i = 0; i < 6; i++) {
    double after[4];
    drop_level(laws[i % 2], square, 4, i, (double[2]){3, 0}, 0, after);
    assert_near(after[0], 3 - 0.3 * 1.5 * 3, 1e-12);
    assert_near(hypot(after[1], after[3]), 0, 1e-12);
    assert_near(after[2], 1.5, 1e-12);
    drop_level(laws[i % 2], square, 4, i, (double[2]){0.6, 0.8}, 0, after);
    assert_near(hypot(hypot(after[0], after[1]), after[3]), 0, 1e-12);
    assert_near(after[2], 1.5, 1e-12);
    drop_level(laws[i % 2], three, 3, i, (double[2]){2, 0.5}, 1.5, after);
    for (int k = 0; k < 4; k++) {
      assert_near(after[k], turned[k], 1e-11);
    }
  }
}

/** A box that is thrown in its plane of symmetry rattles to rest on its edges: each two corners strike as one down to the slowest bounce, also in
 *  that in which both have nothing more to give back. */
static void rattles_in_its_plane(void **state) {
  (void)state;
  static const double rtol[] = {1e-6, 1e-8};
  for (int i = 0; i < 2; i++) {
    run r = start("<laws><contact-law id='l' normal='rigid' restitution='0.3' impact='stronge' "
                  "friction='coulomb' mu='0.542629008481021'/></laws><mechanism gravity='0 0 "
                  "-9.81'><ground id='g'><shape kind='plane' normal='0 0 1'/></ground><body id='b' "
                  "mass='1 kg' inertia='0.006 0.008 0.009' position='0 0 0.08646024417937384' "
                  "velocity='0.9080668666645147 0 0' angular-velocity='0 2.350469453441222 0' "
                  "rotation='0.06586339417412225 rad about 0 -1 0'>"
                  "<shape id='p' kind='point' at='0.119 0.058 -0.0587'/>"
                  "<shape id='q' kind='point' at='0.119 -0.058 -0.0587'/>"
                  "<shape id='r' kind='point' at='-0.119 0.058 -0.0587'/>"
                  "<shape id='s' kind='point' at='-0.119 -0.058 -0.0587'/></body>"
                  "<contact a='g' b='p' law='l'/><contact a='g' b='q' law='l'/>"
                  "<contact a='g' b='r' law='l'/><contact a='g' b='s' law='l'/></mechanism>",
                  rtol[i], 0);
    advance(&r, 0.3);
    assert_near(component(&r, "b.position", 1), 0, 1e-13);
    assert_near(component(&r, "b.axis-x", 1), 0, 1e-13);
    assert_near(component(&r, "b.position", 2), 0.0587, 1e-12);
    assert_closes(&r);
    stop(&r);
  }
}

/** A box that slides into another one, square. */
typedef struct push {
  const char *law;
  double v, mass,
      height; // [m/s] of the first, [kg] of the second, [m] of the two feet by which the first pushes
  double until, off; // [s], [m] that they leave their plane by at the most
} push;

static void write_boxes(const push *p, char text[]) {
  int n = snprintf(text, TEXT,
                   "<laws><contact-law id='l' normal='rigid' friction='coulomb' "
                   "%s/></laws><mechanism gravity='0 0 -9.81'>"
                   "<ground id='g'><shape kind='plane' normal='0 0 1'/></ground>",
                   p->law);
  for (int i = 0; i < 2; i++) {
    n += snprintf(text + n, TEXT - (size_t)n,
                  "<body id='b%d' mass='%.17g kg' inertia='0.003 0.003 0.004' position='%g 0 0.05' "
                  "velocity='%.17g 0 0'>",
                  i, i == 0 ? 1 : p->mass, 0.2 * i, i == 0 ? p->v : 0);
    for (int c = 0; c < 4; c++) {
      n += snprintf(text + n, TEXT - (size_t)n, "<shape id='f%d%d' kind='point' at='%g %g -0.05'/>",
                    i, c, c < 2 ? 0.05 : -0.05, c % 2 == 0 ? 0.05 : -0.05);
    }
    for (int c = 0; c < 2 && i == 0; c++) {
      n += snprintf(text + n, TEXT - (size_t)n, "<shape id='n%d' kind='point' at='0.05 %g %.17g'/>",
                    c, c == 0 ? 0.04 : -0.04, p->height);
    }
    n += snprintf(text + n, TEXT - (size_t)n, "%s</body>",
                  i == 0 ? "" : "<shape id='n' kind='plane' normal='-1 0 0' offset='0.05'/>");
    for (int c = 0; c < 4; c++) {
      n += snprintf(text + n, TEXT - (size_t)n, "<contact a='g' b='f%d%d' law='l'/>", i, c);
    }
  }
  (void)snprintf(text + n, TEXT - (size_t)n,
                 "<contact a='n' b='n0' law='l'/><contact a='n' b='n1' law='l'/></mechanism>");
}

/** Both strike the floor, and each other again. By Newton's law the two feet that push do not squeeze each other across, which would turn the boxes.
 *  By Stronge's, feet that approach as fast but for what steps are off by are struck as one: what errors have left of symmetry does not grow. */
static void pushes_in_its_plane(void **state) {
  (void)state;
  static const push pushes[] = {{"restitution='0.6' impact='newton' mu='0.2311023295937173'",
                                 1.9420612433920843, 1.0895504772509519, -0.0325, 0.1, 1e-13},
                                {"impact='stronge' mu='0.38389166992310064'", 1.271479954899763,
                                 1.6686743411683627, -0.04830321342462789, 0.2, 1e-9}};
  for (int k = 0; k < 2; k++) {
    char text[TEXT];
    write_boxes(&pushes[k], text);
    run r = start(text, 1e-8, 0);
    advance(&r, pushes[k].until);
    assert_true(component(&r, "b1.position", 0) > 0.201); // it was struck
    for (int i = 0; i < 2; i++) {
      assert_near(component(&r, i == 0 ? "b0.position" : "b1.position", 1), 0, pushes[k].off);
      assert_near(component(&r, i == 0 ? "b0.axis-x" : "b1.axis-x", 1), 0, pushes[k].off);
    }
    assert_closes(&r);
    stop(&r);
  }
}

/** A wedge of 1 kg on four feet slides at 0.7 m/s under a guided block with two balls, each the other's mirror image. With friction the impact has more than
 *  one solution; that in which one ball does not press turns the wedge. By any law it stays in its plane, and moves as far. */
static void wedge_under_two_balls(void **state) {
  (void)state;
  static const char *const laws[] = {"impact='newton'", "impact='stronge'", "impacts='sequential'"};
  const double slope = 0.15; // [rad]
  for (int k = 0; k < 3; k++) {
    char text[TEXT];
    assert_true(
        snprintf(
            text, TEXT,
            "<laws><contact-law id='l' normal='rigid' friction='coulomb' mu='0.2' %s/></laws>"
            "<mechanism gravity='0 0 -9.81'><ground id='g'><shape kind='plane' normal='0 0 1'/>"
            "</ground><body id='w' mass='1' inertia='0.01 0.01 0.01' position='0 0 0.05' "
            "velocity='0.7 0 0'><shape id='top' kind='plane' normal='%.17g 0 %.17g'/><shape "
            "id='p0' kind='point' at='0.2 0.05 -0.05'/><shape id='p1' kind='point' at='-0.2 0.05 "
            "-0.05'/><shape id='p2' kind='point' at='0.2 -0.05 -0.05'/><shape id='p3' kind='point' "
            "at='-0.2 -0.05 -0.05'/></body><body id='b' mass='3' inertia='0.02 0.02 0.02'><shape "
            "id='f1' kind='sphere' radius='0.02' at='0 0.03 0'/><shape id='f2' kind='sphere' "
            "radius='0.02' at='0 -0.03 0'/></body><joint id='k' kind='prismatic' axis='0 0 1' "
            "parent='world' child='b' at='0 0 0.0722271288534733'/><contact a='top' b='f1' "
            "law='l'/><contact a='top' b='f2' law='l'/><contact a='g' b='p0' law='l'/><contact "
            "a='g' b='p1' law='l'/><contact a='g' b='p2' law='l'/><contact a='g' b='p3' law='l'/>"
            "</mechanism>",
            laws[k], -sin(slope), cos(slope)) < TEXT);
    run r = start(text, 1e-10, 0);
    advance(&r, 0.06);
    assert_int_equal(events_of(&r, "impact", "contact(top,f1)") > 0, true);
    assert_near(component(&r, "w.position", 0), 0.0302378562, 1e-9);
    assert_near(component(&r, "w.position", 1), 0, 1e-13);
    assert_near(component(&r, "w.angular-velocity", 2), 0, 1e-11);
    assert_closes(&r);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      repeating_test(boxes_that_fall),       cmocka_unit_test(feet_strike_as_one),
      repeating_test(rattles_in_its_plane),  repeating_test(pushes_in_its_plane),
      repeating_test(wedge_under_two_balls), cmocka_unit_test(a_slip_that_may_not_be)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
