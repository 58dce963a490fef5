// SPDX-License-Identifier: GPL-3.0-or-later
// Impulses along rigid contacts that rest, or roll, beside what is struck: where none of an impulse presses them, their friction bears
// none of it, |p_t| <= mu p_n. What rolls keeps its spin, and slides behind the impact with mu times its load.
#include "tests/fixture.h"

enum { TEXT = 4000, AXES = 3 };
static const double g = 9.81, r = 0.1, restitutions[] = {0, 0.5, 1}, frictions[] = {0.001, 0.3, 5};
enum { RESTITUTIONS = 3, FRICTIONS = 3 };

/** A vector of a scene whose axes x, y, z are those of number a, a + 1, a + 2 of the file. */
typedef struct vector {
  char text[100];
} vector;

static vector turned(int a, double x, double y, double z) {
  const double v[AXES] = {x, y, z};
  vector out;
  assert_true(snprintf(out.text, sizeof out.text, "%.17g %.17g %.17g", v[(3 - a) % AXES],
                       v[(4 - a) % AXES], v[(5 - a) % AXES]) < (int)sizeof out.text);
  return out;
}

static const char laws[] = "<laws><contact-law id='h' normal='rigid' friction='coulomb' "
                           "mu='%.17g'/><contact-law id='e' normal='rigid' "
                           "restitution='%.17g'/></laws>";

/** A ball of (vx, vy) = (2, 1) m/s that rolls on a table towards a cushion, 25 ms away.
 *  @param a  of the axes  @param first  whether the contact with the cushion is the first */
static run start_at_cushion(int a, bool first, double mu, double e) {
  static const char *const contacts[] = {"<contact a='b' b='road' law='h'/>",
                                         "<contact a='b' b='wall' law='e'/>"};
  char text[TEXT], law[400];
  assert_true(snprintf(law, sizeof law, laws, mu, e) < (int)sizeof law);
  assert_true(snprintf(text, sizeof text,
                       "<screwbond version='1' id='c'>%s<mechanism gravity='%s m/s^2'><ground "
                       "id='road'><shape kind='plane' normal='%s'/></ground><ground id='wall'>"
                       "<shape kind='plane' normal='%s' offset='-0.15 m'/></ground><body id='b' "
                       "mass='2 kg' position='%s m' velocity='%s m/s' angular-velocity='%s rad/s'>"
                       "<shape kind='sphere' radius='0.1 m'/></body>%s%s</mechanism><run "
                       "t-end='0.03 s' rtol='1e-9'/></screwbond>",
                       law, turned(a, 0, 0, -g).text, turned(a, 0, 0, 1).text,
                       turned(a, -1, 0, 0).text, turned(a, 0, 0, r).text, turned(a, 2, 1, 0).text,
                       turned(a, -1 / r, 2 / r, 0).text, contacts[first], contacts[!first]) < TEXT);
  return start_netlist(text);
}

static void ball_keeps_its_spin_at_a_cushion(void **state) {
  (void)state;
  for (int i = 0; i < RESTITUTIONS * FRICTIONS * AXES * 2; i++) {
    const double e = restitutions[i % 3], mu = frictions[i / 3 % 3];
    const int a = i / 9 % 3;
    run s = start_at_cushion(a, i / 27 != 0, mu, e);
    advance(&s, 0.03);
    const double slid = mu * g * 0.005; // [m/s] behind the impact
    assert_balanced(&s);
    // e = 0: friction presses it on
    assert_near(component(&s, "b.velocity", a), e == 0 ? 0 : -2 * e + slid, 1e-9);
    assert_near(component(&s, "b.velocity", (a + 1) % AXES), 1, 1e-9);
    assert_near(component(&s, "b.angular-velocity", (a + 1) % AXES), (2 - 2.5 * slid) / r, 1e-8);
    assert_near(component(&s, "b.angular-velocity", a), -1 / r, 1e-8);
    assert_near(ledger_of(&s)->total.event_loss, 4 * (1 - e * e), 1e-9);
    stop(&s);
  }
}

/** A ball that rolls at 2 m/s strikes one at rest: the velocities are those of balls without a table, and spins stay. */
static void balls_on_a_table(void **state) {
  (void)state;
  for (int i = 0; i < RESTITUTIONS * FRICTIONS * 2; i++) {
    const double e = restitutions[i % 3], mu = frictions[i / 3 % 3];
    const char *first = i / 9 == 0 ? "q" : "o", *second = i / 9 == 0 ? "o" : "q";
    char text[TEXT], law[400];
    assert_true(snprintf(law, sizeof law, laws, mu, e) < (int)sizeof law);
    assert_true(snprintf(text, sizeof text,
                         "<screwbond version='1' id='b'>%s<mechanism gravity='0 0 -9.81 m/s^2'>"
                         "<ground id='t'><shape kind='plane' normal='0 0 1'/></ground>"
                         "<body id='q' mass='2 kg' position='0 0 0.1 m' velocity='2 0 0 m/s' "
                         "angular-velocity='0 20 0 rad/s'><shape kind='sphere' radius='0.1 m'/>"
                         "</body><body id='o' mass='2 kg' position='0.25 0 0.1 m'>"
                         "<shape kind='sphere' radius='0.1 m'/></body><contact a='%s' b='t' "
                         "law='h'/><contact a='q' b='o' law='e'/><contact a='%s' b='t' law='h'/>"
                         "</mechanism><run t-end='0.026 s' rtol='1e-9'/></screwbond>",
                         law, first, second) < TEXT);
    run s = start_netlist(text);
    advance(&s, 0.026);
    const double slid = mu * g * 0.001;
    assert_balanced(&s);
    const double gained = e == 0 ? 0 : slid; // else the frictions press them on each other
    assert_near(component(&s, "q.velocity", 0), 1 - e + gained, 1e-9);
    assert_near(component(&s, "o.velocity", 0), 1 + e - gained, 1e-9);
    assert_near(component(&s, "q.angular-velocity", 1), (2 - 2.5 * slid) / r, 1e-8);
    assert_near(component(&s, "o.angular-velocity", 1), 2.5 * slid / r, 1e-8);
    stop(&s);
  }
}

/** A car of 1 kg on a wheel, guided by a slide of 1 kg, that is stopped by something at 25 ms: the wheel of 2 kg goes on turning.
 *  @param slide, joint, beside  what stops it, in the slide's body, in its joint and beside  @param e  as told there */
static void assert_wheel_turns(const char *slide, const char *joint, const char *beside, double e) {
  char text[TEXT], law[400];
  assert_true(snprintf(law, sizeof law, laws, 0.3, e) < (int)sizeof law);
  assert_true(
      snprintf(text, sizeof text,
               "<screwbond version='1' id='c'>%s<mechanism gravity='0 0 -9.81 m/s^2'>"
               "<ground id='road'><shape kind='plane' normal='0 0 1'/></ground><ground id='wall'>"
               "<shape kind='plane' normal='-1 0 0' offset='-0.15 m'/></ground><body id='sl' "
               "mass='1 kg' inertia='1 1 1 kg.m^2'>%s</body><joint id='x' kind='prismatic' "
               "parent='world' child='sl' axis='1 0 0' w0='2 m/s' %s/><body id='car' mass='1 kg' "
               "inertia='1 1 1 kg.m^2'/><joint id='z' kind='prismatic' parent='sl' child='car' "
               "axis='0 0 1'/><body id='wheel' mass='2 kg' inertia='0.01 0.01 0.01 kg.m^2'><shape "
               "kind='sphere' radius='0.1 m'/></body><joint id='w' kind='revolute' parent='car' "
               "child='wheel' axis='0 1 0' at='0 0 0.1 m' w0='20 rad/s'/><contact a='wheel' "
               "b='road' law='h'/>%s<run t-end='0.03 s' rtol='1e-9'/></screwbond>",
               law, slide, joint, beside) < TEXT);
  run s = start_netlist(text);
  advance(&s, 0.03);
  assert_balanced(&s);
  const double force = 0.3 * 3 * g;
  assert_near(value(&s, "w.w"), 20 - force * r / 0.01 * 0.005, 1e-8);
  assert_near(value(&s, "x.w"), e == 0 ? 0 : -2 * e + force / 4 * 0.005, 1e-9);
  stop(&s);
}

static void wheel_turns_on_as_its_car_is_stopped(void **state) {
  (void)state;
  assert_wheel_turns("", "limits='-1 0.05 m'", "</mechanism>", 0);
  assert_wheel_turns("", "limits='-1 0.05 m' restitution='0.5'", "</mechanism>", 0.5);
  assert_wheel_turns("", "",
                     "</mechanism><network><Stop id='s' domain='translation' upper='0.05 m'/>"
                     "<bond from='x' to='s'/></network>",
                     0);
  for (int i = 0; i < RESTITUTIONS; i++) {
    assert_wheel_turns("<shape id='bumper' kind='sphere' radius='0.1 m'/>", "",
                       "<contact a='bumper' b='wall' law='e'/></mechanism>", restitutions[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ball_keeps_its_spin_at_a_cushion),
                                     cmocka_unit_test(balls_on_a_table),
                                     cmocka_unit_test(wheel_turns_on_as_its_car_is_stopped)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
