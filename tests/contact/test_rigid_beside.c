// SPDX-License-Identifier: GPL-3.0-or-later
// Impulses of what is no contact, a clutch that closes or a source that jumps, on bodies that rest on rigid contacts: these push and do not
// pull, rub no more than mu p_n, and have nothing to give back.
#include <string.h>

#include "tests/campaign/random.h"
#include "tests/fixture.h"

enum { TEXT = 4000, LAWS = 5, AXES = 3 };
static const double g = 9.81, r = 0.1;
static const char *const laws[LAWS] = {"", "restitution='0.5'", "restitution='1'",
                                       "friction='coulomb' mu='0.3'", "friction='stuck'"};
static const char *const axes[AXES] = {"0 0 %s", "%s 0 0", "0 %s 0"};

typedef struct vector {
  char text[100];
} vector;

static vector along(int axis, const char *value) {
  vector out;
  assert_true(snprintf(out.text, sizeof out.text, axes[axis], value) < (int)sizeof out.text);
  return out;
}

/** A hand of 2 kg at a speed, and a box of 1 kg that rests on a table, both on vertical slides; at 20 ms something joins them.
 *  @param axis  the vertical  @param first  whether the box and its contact come before the hand  @param network  from 'h' to 'o' */
static run start_hand(int axis, bool first, const char *law, const char *speed,
                      const char *network) {
  char text[TEXT], hand[500], box[700];
  assert_true(snprintf(hand, sizeof hand,
                       "<body id='hand' mass='2 kg' inertia='1 1 1 kg.m^2'/><joint id='h' "
                       "kind='prismatic' parent='world' child='hand' axis='%s' q0='0.5 m' "
                       "w0='%s m/s'/>",
                       along(axis, "1").text, speed) < (int)sizeof hand);
  assert_true(snprintf(box, sizeof box,
                       "<body id='box' mass='1 kg'><shape kind='sphere' radius='0.1 m'/></body>"
                       "<joint id='o' kind='prismatic' parent='world' child='box' axis='%s' "
                       "q0='0.1 m'/><contact a='box' b='table' law='l'/>",
                       along(axis, "1").text) < (int)sizeof box);
  assert_true(snprintf(text, sizeof text,
                       "<screwbond version='1' id='p'><laws><contact-law id='l' normal='rigid' "
                       "%s/></laws><mechanism gravity='%s m/s^2'><ground id='table'><shape "
                       "kind='plane' normal='%s'/></ground>%s%s</mechanism><network>%s</network>"
                       "<run t-end='0.1 s' rtol='1e-9'/></screwbond>",
                       law, along(axis, "-9.81").text, along(axis, "1").text, first ? box : hand,
                       first ? hand : box, network) < TEXT);
  return start_netlist(text);
}

#define MAGNET "<Clutch id='m' domain='translation' times='20 ms'/>"
static const char magnet[] = MAGNET "<bond from='h' to='m'/><bond from='m' to='o'/>";
static const char reversed[] = "<bond from='o' to='m'/>" MAGNET "<bond from='m' to='h'/>";
/** The box goes up as the hand goes down. */
static const char rocker[] = "<TF id='t' ratio='-1'/><bond from='h' to='t'/>" MAGNET
                             "<bond from='t' to='m'/><bond from='m' to='o'/>";

static void hand_picks_up(void **state) {
  (void)state;
  const double up = 2 - 0.02 * g, down = 2 + 0.02 * g;
  for (int i = 0; i < LAWS * AXES * 2; i++) {
    const int law = i % LAWS, axis = i / LAWS % AXES;
    const bool first = i / LAWS / AXES != 0;
    run s = start_hand(axis, first, laws[law], "2", i % 2 == 0 ? magnet : reversed);
    advance(&s, 0.1);
    assert_balanced(&s);
    assert_near(value(&s, "o.w"), up * 2 / 3 - 0.08 * g, 1e-11);
    assert_near(value(&s, "h.w"), up * 2 / 3 - 0.08 * g, 1e-11);
    assert_near(ledger_of(&s)->total.event_loss, up * up / 3, 1e-11);
    stop(&s);
    s = start_hand(axis, first, laws[law], "-2", rocker);
    advance(&s, 0.1);
    assert_balanced(&s);
    assert_near(value(&s, "o.w"), down * 2 / 3 + 0.08 * g / 3, 1e-11);
    assert_near(ledger_of(&s)->total.event_loss, down * down / 3, 1e-11);
    stop(&s);
  }
}

/** The table bears all of the hand's momentum, and gives none of it back. */
static void hand_presses_down(void **state) {
  (void)state;
  const double down = 2 + 0.02 * g;
  for (int i = 0; i < LAWS * AXES; i++) {
    run s = start_hand(i / LAWS, i % 2 == 0, laws[i % LAWS], "-2", magnet);
    advance(&s, 0.1);
    assert_balanced(&s);
    assert_near(value(&s, "o.w"), 0, 1e-12);
    assert_near(value(&s, "h.w"), 0, 1e-12);
    assert_near(value(&s, "o.q"), 0.1, 1e-12);
    assert_near(ledger_of(&s)->total.event_loss, down * down, 1e-11);
    stop(&s);
  }
}

/** A flywheel of 1 N m s couples to the wheel of a car at rest: it spins, and slides with mu times the load. */
static void flywheel_drives_a_wheel(void **state) {
  (void)state;
  static const char *const mus[] = {"0.01", "0.5", "3"};
  for (int i = 0; i < 3; i++) {
    char text[TEXT];
    assert_true(
        snprintf(
            text, sizeof text,
            "<screwbond version='1' id='l'><laws><contact-law id='l' normal='rigid' "
            "friction='coulomb' mu='%s'/></laws><mechanism gravity='0 0 -9.81 m/s^2'><ground "
            "id='road'><shape kind='plane' normal='0 0 1'/></ground><body id='car' mass='1 kg' "
            "inertia='1 1 1 kg.m^2'/><joint id='x' kind='planar' parent='world' child='car' "
            "axis='0 1 0' axis2='1 0 0' locked='no no yes'/><body id='wheel' mass='2 kg' "
            "inertia='0.01 0.01 0.01 kg.m^2'><shape kind='sphere' radius='0.1 m'/></body>"
            "<joint id='w' kind='revolute' parent='car' child='wheel' axis='0 1 0' "
            "at='0 0 0.1 m'/><contact a='wheel' b='road' law='l'/></mechanism><network><I "
            "id='fly' domain='rotation' inertia='0.02 kg.m^2' p0='1 N.m.s'/><Clutch id='K' "
            "domain='rotation' times='20 ms'/><J1 id='fj' domain='rotation'/><bond from='fj' "
            "to='fly'/><bond from='fj' to='K.from'/><bond from='K.to' to='w'/></network>"
            "<run t-end='0.03 s' rtol='1e-9'/></screwbond>",
            mus[i]) < TEXT);
    run s = start_netlist(text);
    advance(&s, 0.03);
    assert_balanced(&s);
    const double mu = strtod(mus[i], NULL), slid = mu * g * 0.01;
    assert_near(value(&s, "w.w"), 1 / 0.03 - 3 * slid * r / 0.03, 1e-9);
    assert_near(component(&s, "wheel.velocity", 0), slid, 1e-10);
    assert_near(ledger_of(&s)->total.event_loss, 25 - 1 / 0.06, 1e-10);
    stop(&s);
  }
}

/** A belt, or a lift, that a source of velocity moves at 1 m/s from 20 ms on, and a box of 1 kg on it.
 *  @param axis  along which it moves  @param speed  [m/s]  @param velocity  of the box at 50 ms, along x or z as the belt */
static void assert_belt(const char *law, const char *axis, const char *speed, double velocity) {
  char text[TEXT];
  assert_true(
      snprintf(text, sizeof text,
               "<screwbond version='1' id='b'><laws><contact-law id='l' normal='rigid' %s/></laws>"
               "<mechanism gravity='0 0 -9.81 m/s^2'><body id='belt' mass='1 kg' inertia='1 1 1 "
               "kg.m^2'><shape kind='plane' normal='0 0 1'/></body><joint id='bj' "
               "kind='prismatic' parent='world' child='belt' axis='%s'/><body id='box' mass='1 kg' "
               "inertia='1 1 1 kg.m^2'><shape kind='sphere' radius='0.1 m'/></body><joint id='t' "
               "kind='translational' parent='world' child='box' at='0 0 0.1 m'/><contact a='belt' "
               "b='box' law='l'/></mechanism><network><Sf id='v' flow='if(t &lt; 20[ms], 0[m/s], "
               "%s[m/s])'/><bond from='v' to='bj'/></network><run t-end='0.05 s' rtol='1e-9'/>"
               "</screwbond>",
               law, axis, speed) < TEXT);
  run s = start_netlist(text);
  advance(&s, 0.05);
  assert_balanced(&s);
  assert_near(component(&s, "box.velocity", axis[0] == '1' ? 0 : 2), velocity, 1e-10);
  stop(&s);
}

static void belts_and_lifts_that_start_at_once(void **state) {
  (void)state;
  assert_belt("friction='coulomb' mu='0.01'", "1 0 0", "1", 0.01 * g * 0.03);
  assert_belt("friction='coulomb' mu='0.3'", "1 0 0", "1", 0.3 * g * 0.03);
  assert_belt("friction='coulomb' mu='0.3'", "1 0 0", "-1", -0.3 * g * 0.03);
  assert_belt("friction='coulomb' mu='5'", "1 0 0", "1", 1);
  assert_belt("friction='coulomb' mu='0.3' restitution='0.5'", "1 0 0", "1", 0.3 * g * 0.03);
  for (int i = 0; i < LAWS; i++) {
    assert_belt(laws[i], "0 0 1", "1", 1);
    assert_belt(laws[i], "0 0 1", "-1", -g * 0.03); // it falls behind
  }
}

/** A free box on four feet, on a floor whose joint a source moves at once: they are pressed together, whatever order their law of
 *  impacts has. @param joint  of the floor  @param speed  from 20 ms on */
static run start_on_feet(const char *law, const char *joint, const char *speed) {
  char text[TEXT];
  assert_true(
      snprintf(
          text, sizeof text,
          "<screwbond version='1' id='b'><laws><contact-law id='l' normal='rigid' %s/></laws>"
          "<mechanism gravity='0 0 -9.81 m/s^2'><body id='lift' mass='1 kg' inertia='1 1 1 "
          "kg.m^2'><shape kind='plane' normal='0 0 1'/></body><joint id='j' %s "
          "parent='world' child='lift'/><body id='box' mass='1 kg' inertia='0.1 0.1 0.1 "
          "kg.m^2' position='0 0 0.05 m'><shape id='f' kind='sphere' radius='0.05 m' at='0.2 0.1 "
          "0 m'/><shape id='g' kind='sphere' radius='0.05 m' at='-0.2 0.1 0 m'/><shape id='h' "
          "kind='sphere' radius='0.05 m' at='0.2 -0.1 0 m'/><shape id='i' kind='sphere' "
          "radius='0.05 m' at='-0.2 -0.1 0 m'/></body><contact a='f' b='lift' law='l'/><contact "
          "a='g' b='lift' law='l'/><contact a='h' b='lift' law='l'/><contact a='i' b='lift' "
          "law='l'/></mechanism><network><Sf id='v' flow='if(t &lt; 20[ms], 0[%s], 1[%s])'/>"
          "<bond from='v' to='j'/></network><run t-end='0.05 s' rtol='1e-9'/></screwbond>",
          law, joint, speed, speed) < TEXT);
  run s = start_netlist(text);
  advance(&s, 0.05);
  assert_balanced(&s);
  return s;
}

static const char *const feet[] = {"",
                                   "impact='stronge' restitution='0.5' friction='coulomb' mu='0.2'",
                                   "impact='poisson' restitution='0.5' friction='coulomb' mu='0.2'",
                                   "restitution='0.7' impacts='sequential'", "friction='stuck'"};
enum { FEET = sizeof feet / sizeof *feet };

static void feet_on_a_lift(void **state) {
  (void)state;
  for (int i = 0; i < FEET; i++) {
    run s = start_on_feet(feet[i], "kind='prismatic' axis='0 0 1'", "m/s");
    for (int k = 0; k < 3; k++) {
      assert_near(component(&s, "box.velocity", k), k == 2, 1e-12);
      assert_near(component(&s, "box.angular-velocity", k), 0, 1e-12);
    }
    stop(&s);
  }
}

/** A floor that starts to turn about an edge 1 m beside the box strikes the feet with unequal speeds. The impulses that turn the box with it
 *  press on all feet, since I < m (0.2 m) (1 m). With friction it moves as a part of the floor: v = w x r. */
static void feet_on_a_trapdoor(void **state) {
  (void)state;
  for (int i = 0; i < FEET; i++) {
    run s = start_on_feet(feet[i], "kind='revolute' axis='0 -1 0' at='-1 0 0 m'", "rad/s");
    const double turned = 0.03, c = cos(turned), n = sin(turned);
    for (int k = 0; k < 3; k++) {
      assert_near(component(&s, "box.angular-velocity", k), k == 1 ? -1 : 0, 1e-10);
    }
    if (strstr(feet[i], "friction") != NULL) {
      assert_near(component(&s, "box.velocity", 0), -(n + 0.05 * c), 1e-9);
      assert_near(component(&s, "box.velocity", 2), c - 0.05 * n, 1e-9);
    }
    stop(&s);
  }
}

/** An arm on a hinge whose wheel stands on a floor, and what its rates q (of hinge and hub) are behind an impulse. */
typedef struct arm {
  double arm_inertia, mass, wheel_inertia, flywheel; // [kg.m^2] but for the mass
  double length, slope;                              // [m] [rad]
  double speed, mu;                                  // [rad/s] of the flywheel, or of the source
  bool source;
  double A[2][2]; // the response to impulses
  double free[2]; // q where nothing touches
} arm;

/** u of the contact by q. */
static void flows_of(const arm *a, const double q[2], double u[2]) {
  u[0] = -a->length * cos(a->slope) * q[0];
  u[1] = -(a->length * sin(a->slope) + r) * q[0] - r * q[1];
}

static void respond(arm *a) {
  const double M = a->arm_inertia + a->mass * a->length * a->length + a->wheel_inertia,
               J = a->wheel_inertia, hub = J + a->flywheel, det = M * hub - J * J;
  if (a->source) { // the hub's rate is imposed
    a->A[0][0] = 1 / M;
    a->free[0] = -J * a->speed / M;
    a->free[1] = a->speed;
    return;
  }
  a->A[0][0] = hub / det;
  a->A[0][1] = a->A[1][0] = -J / det;
  a->A[1][1] = M / det;
  a->free[0] = a->A[0][1] * a->flywheel * a->speed;
  a->free[1] = a->A[1][1] * a->flywheel * a->speed;
}

/** q behind the impulses p on the contact, normal and tangential. */
static void move_by(const arm *a, const double p[2], double q[2]) {
  const double f[2] = {-a->length * cos(a->slope) * p[0] - (a->length * sin(a->slope) + r) * p[1],
                       -r * p[1]};
  for (int i = 0; i < 2; i++) {
    q[i] = a->free[i] + a->A[i][0] * f[0] + a->A[i][1] * f[1];
  }
}

/** Whether q is that of a contact that parts, sticks or slips. */
static bool is_solution(const arm *a, const double q[2], double near) {
  static const double unit[2][2] = {{1, 0}, {0, 1}};
  double b[2], W[2][2], with[2], u[2];
  flows_of(a, a->free, b);
  for (int k = 0; k < 2; k++) {
    move_by(a, unit[k], with);
    flows_of(a, with, u);
    W[0][k] = u[0] - b[0];
    W[1][k] = u[1] - b[1];
  }
  const double det = W[0][0] * W[1][1] - W[0][1] * W[1][0];
  double p[4][2] = {{0, 0}}; // parts, sticks, slips either way
  bool is[4] = {b[0] >= 0};
  p[1][0] = (W[0][1] * b[1] - W[1][1] * b[0]) / det;
  p[1][1] = (W[1][0] * b[0] - W[0][0] * b[1]) / det;
  is[1] = det > 0 && p[1][0] > 0 && fabs(p[1][1]) <= a->mu * p[1][0];
  for (int i = 2; i < 4; i++) {
    const double side = i == 2 ? 1 : -1, w = W[0][0] - side * a->mu * W[0][1];
    p[i][0] = -b[0] / w;
    p[i][1] = -side * a->mu * p[i][0];
    is[i] = w > 0 && p[i][0] > 0 && side * (b[1] + W[1][0] * p[i][0] + W[1][1] * p[i][1]) >= 0;
  }
  bool any = false;
  for (int i = 0; i < 4; i++) {
    double at[2];
    move_by(a, p[i], at);
    any = any || (is[i] && fabs(at[0] - q[0]) <= near && fabs(at[1] - q[1]) <= near);
  }
  return any;
}

static const char source[] =
    "<Sf id='v' domain='rotation' flow='if(t &lt; 1[ms], 0[rad/s], %.17g[rad/s])'/><bond from='v' "
    "to='w'/>";
static const char clutch[] =
    "<I id='fly' domain='rotation' p0='%.17g N.m.s' inertia='%.17g kg.m^2'/><Clutch id='K' "
    "domain='rotation' times='1 ms'/><J1 id='fj' domain='rotation'/><bond from='fj' to='fly'/>"
    "<bond from='fj' to='K.from'/><bond from='K.to' to='w'/>";

static run start_arm(const arm *a, double e) {
  char text[TEXT], drive[700];
  const double given = a->source ? a->speed : a->flywheel * a->speed;
  const char *format = a->source ? source : clutch;
  assert_true(snprintf(drive, sizeof drive, format, given, a->flywheel) < (int)sizeof drive);
  assert_true(
      snprintf(
          text, sizeof text,
          "<screwbond version='1' id='a'><laws><contact-law id='l' normal='rigid' "
          "restitution='%g' friction='coulomb' mu='%.17g'/></laws><mechanism gravity='0 0 "
          "-1e-6 m/s^2'><ground id='f'><shape kind='plane' normal='0 0 1'/></ground><body "
          "id='arm' mass='1e-6 kg' inertia='1 %.17g 1 kg.m^2'/><joint id='a' kind='revolute' "
          "parent='world' child='arm' axis='0 1 0' at='0 0 %.17g m'/><body id='wheel' "
          "mass='%.17g kg' inertia='1 %.17g 1 kg.m^2'><shape kind='sphere' radius='0.1 m'/></body>"
          "<joint id='w' kind='revolute' parent='arm' child='wheel' axis='0 1 0' at='%.17g 0 "
          "%.17g m'/><contact a='wheel' b='f' law='l'/></mechanism><network>%s</network><run "
          "t-end='1.0000001 ms' rtol='1e-9'/></screwbond>",
          e, a->mu, a->arm_inertia, r + a->length * sin(a->slope), a->mass, a->wheel_inertia,
          a->length * cos(a->slope), -a->length * sin(a->slope), drive) < TEXT);
  return start_netlist(text);
}

/** The wheel is pressed on the floor or lifted by the torque of its hub, sticks or slips. */
static void hubs_press_and_lift(void **state) {
  (void)state;
  static const double mus[] = {0.05, 0.3, 0.8};
  for (uint64_t seed = 0; seed < 48; seed++) {
    chance random = {seed};
    arm a = {.arm_inertia = between(&random, 0.05, 1),
             .mass = between(&random, 0.5, 3),
             .wheel_inertia = between(&random, 0.005, 0.1),
             .flywheel = between(&random, 0.01, 0.3),
             .length = between(&random, 0.2, 1),
             .slope = between(&random, -1, 0.7), // beyond that it may jam
             .speed = between(&random, 5, 50) * (seed % 2 == 0 ? 1 : -1),
             .mu = mus[seed % 3],
             .source = seed / 4 % 2 != 0};
    respond(&a);
    run s = start_arm(&a, 0.5 * (double)(seed / 8 % 3));
    advance(&s, 1.0000001e-3);
    assert_balanced(&s);
    assert_true(is_solution(&a, (double[2]){value(&s, "a.w"), value(&s, "w.w")}, 1e-4));
    stop(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {repeating_test(hand_picks_up),
                                     repeating_test(hand_presses_down),
                                     cmocka_unit_test(flywheel_drives_a_wheel),
                                     cmocka_unit_test(belts_and_lifts_that_start_at_once),
                                     repeating_test(feet_on_a_lift),
                                     repeating_test(feet_on_a_trapdoor),
                                     repeating_test(hubs_press_and_lift)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
