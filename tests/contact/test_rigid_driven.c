// SPDX-License-Identifier: GPL-3.0-or-later
// Slips of rigid contacts that a source imposes: one body is driven, and the other guided, so that no friction changes the slip.
#include "tests/netlist_text.h"

static const double g = 9.81;

static void begin(char text[TEXT], const char *law) {
  text[0] = '\0';
  add(text,
      "<screwbond version='1' id='m'><run t-end='5 s' rtol='1e-8'/><laws><contact-law id='hard' "
      "normal='rigid' %s/></laws><defaults><contact law='hard'/></defaults><mechanism "
      "gravity='0 0 %.17g m/s^2'>",
      law, -g);
}

#define BELT                                                                                       \
  "<body id='belt' mass='1 kg' inertia='1 1 1 kg.m^2'><shape kind='plane' normal='0 0 1'/></body>"
#define MOTOR                                                                                      \
  "</mechanism><network domain='translation'><Sf id='motor' flow='2 m/s'/><bond from='motor' "     \
  "to='run'/></network></screwbond>"

/** A ball of 1 kg on a guide, at q0 over a belt that a source drives. Its reaction is everything that friction on the ball meets. */
static void add_belt(char text[TEXT], const char *law, const char *flow, double w0, double lean,
                     double q0) {
  begin(text, law);
  add(text,
      BELT "<body id='ball' mass='1 kg' inertia='1 1 1 kg.m^2'><shape kind='sphere' radius='0.1 "
           "m'/></body>"
           "<joint id='run' kind='prismatic' axis='1 0 0' parent='world' child='belt' w0='%g m/s'/>"
           "<joint id='lift' kind='prismatic' axis='%g 0 1' parent='world' child='ball' q0='%g m'/>"
           "<contact id='k' a='belt' b='ball'/></mechanism><network domain='translation'>"
           "<Sf id='motor' flow='%s'/><bond from='motor' to='run'/></network></screwbond>",
      w0, lean, q0, flow);
}

static const char *const rubs = "friction='coulomb' mu='0.3'";

/** Friction on a slip that a source imposes is mu N against it: nothing ends the slip, and nothing is lost. */
static void slip_is_imposed(void **state) {
  (void)state;
  static const double mu = 0.3, v = 2;
  for (int k = 0; k < 2; k++) {
    char text[TEXT];
    add_belt(text, rubs, "2 m/s", v, k * 1e-6, 0.1); // lean: there is next to no response
    run r = start_netlist(text);
    advance(&r, 0.3);
    assert_near(value(&r, "run.w"), v, 1e-12);
    assert_near(value(&r, "k.sticks"), 0, 0);
    assert_near(value(&r, "k.normal-force"), g, 1e-5);
    assert_near(value(&r, "motor.e"), mu * g, 1e-5);
    assert_near(ledger_of(&r)->events[0].loss, 0, 1e-15);
    assert_balanced(&r);
    stop(&r);
  }
}

/** What begins at rest slips as it is accelerated, and back again: v = 2 sin(20 t), and the friction has the work mu N |v|. */
static void slip_begins_as_imposed(void **state) {
  (void)state;
  static const double mu = 0.3, v = 2, rate = 20, end = 0.3;
  char text[TEXT];
  add_belt(text, rubs, "2[m/s]*sin(20[rad/s]*t)", 0, 0, 0.1);
  run r = start_netlist(text);
  advance(&r, 0.1);
  assert_near(value(&r, "motor.e"), mu * g + v * rate * cos(rate * 0.1), 1e-9);
  advance(&r, end);
  assert_near(value(&r, "k.sticks"), 0, 0);
  assert_near(value(&r, "motor.e"), -mu * g + v * rate * cos(rate * end), 1e-9);
  assert_near(ledger_of(&r)->total.dissipated, mu * g * v / rate * (3 + cos(rate * end)), 1e-8);
  assert_int_equal(events_of(&r, "stick", "k"), 0);
  assert_balanced(&r);
  stop(&r);
}

/** The same with a ball that is free across the belt, on a slide of 0.1 kg that its guide lifts: its friction has no part there, where it could
 *  answer. */
static void slip_begins_beside_a_freedom(void **state) {
  (void)state;
  static const double v = 2, rate = 20, end = 0.3, force = 0.3 * 1.1 * 9.81;
  char text[TEXT];
  begin(text, rubs);
  add(text, BELT
      "<body id='ball' mass='1 kg' inertia='1 1 1 kg.m^2'><shape kind='sphere' radius='0.1 "
      "m'/></body><body id='slide' mass='0.1 kg' inertia='1 1 1 kg.m^2'/>"
      "<joint id='run' kind='prismatic' axis='1 0 0' parent='world' child='belt'/>"
      "<joint id='lift' kind='prismatic' axis='0 0 1' parent='world' child='slide' q0='0.1 m'/>"
      "<joint id='side' kind='prismatic' axis='0 1 0' parent='slide' child='ball'/>"
      "<contact id='k' a='belt' b='ball'/></mechanism><network domain='translation'><Sf "
      "id='motor' flow='2[m/s]*sin(20[rad/s]*t)'/><bond from='motor' to='run'/></network>"
      "</screwbond>");
  run r = start_netlist(text);
  advance(&r, 0.1);
  assert_near(value(&r, "motor.e"), force + v * rate * cos(rate * 0.1), 1e-9);
  advance(&r, end);
  assert_near(value(&r, "motor.e"), -force + v * rate * cos(rate * end), 1e-9);
  assert_near(value(&r, "side.w"), 0, 1e-12);
  assert_near(ledger_of(&r)->total.dissipated, force * v / rate * (3 + cos(rate * end)), 1e-8);
  assert_balanced(&r);
  stop(&r);
}

/** What rests until a source moves it sticks without a force, and slips with it: v = a (t - t0), or v = 2 sin(10 t)^2 without an
 *  acceleration at first. */
static void slip_is_imposed_later(void **state) {
  (void)state;
  static const double mu = 0.3, a = 2, before = 0.1, end = 0.3;
  char text[TEXT];
  add_belt(text, rubs, "max(0[m/s], 2[m/s^2]*(t - 0.1[s]))", 0, 0, 0.1);
  run r = start_netlist(text);
  advance(&r, before / 2);
  assert_near(value(&r, "k.sticks"), 1, 0);
  assert_near(value(&r, "motor.e"), 0, 1e-15);
  advance(&r, end);
  assert_near(value(&r, "k.sticks"), 0, 0);
  assert_near(value(&r, "motor.e"), a + mu * g, 1e-9);
  assert_near(ledger_of(&r)->total.dissipated, mu * g * a * pow(end - before, 2) / 2, 1e-9);
  assert_balanced(&r);
  stop(&r);
  add_belt(text, rubs, "2[m/s]*sin(10[rad/s]*t)^2", 0, 0, 0.1);
  r = start_netlist(text);
  advance(&r, end);
  assert_near(ledger_of(&r)->total.dissipated, mu * g * (end - sin(20 * end) / 20), 1e-8);
  assert_balanced(&r);
  stop(&r);
}

/** A ball falls on the belt, whose motion stays: lost is what it fell for, m g h, and the work mu P v of the friction of its impulse P
 *  = m sqrt(2 g h) on the belt, which the motor supplies at once. */
static void impact_on_what_is_driven(void **state) {
  (void)state;
  static const double v = 2, h = 0.05, mu = 0.3;
  const double rubbed = mu * sqrt(2 * g * h) * v;
  for (int k = 0; k < 2; k++) {
    char text[TEXT];
    add_belt(text, rubs, "2 m/s", v, k * 1e-6, 0.1 + h);
    run r = start_netlist(text);
    advance(&r, 0.3);
    assert_int_equal(ledger_of(&r)->event_count, 1);
    assert_near(ledger_of(&r)->events[0].t, sqrt(2 * h / g), 1e-9);
    assert_near(ledger_of(&r)->events[0].loss, g * h + rubbed, 1e-5);
    assert_near(value(&r, "run.w"), v, 1e-12);
    assert_near(value(&r, "motor.e"), 0.3 * g, 1e-5);
    assert_balanced(&r);
    stop(&r);
  }
}

/** A block that slides across a belt, and yields along its own way x alone: x' = u, u' = -mu N/m u/|(u, v)|. The figures are those of
 *  the classical method of Runge and Kutta with 2e5 steps. */
static void slip_is_imposed_across(void **state) {
  (void)state;
  char text[TEXT];
  begin(text, rubs);
  add(text,
      BELT "<body id='mid' mass='0.1 kg' inertia='1 1 1 kg.m^2'/><body id='ball' mass='1 kg' "
           "inertia='1 1 1 kg.m^2'><shape kind='sphere' radius='0.1 m'/></body><joint id='run' "
           "kind='prismatic' axis='0 1 0' parent='world' child='belt' w0='2 m/s'/><joint id='lift' "
           "kind='prismatic' axis='0 0 1' parent='world' child='mid' q0='0.1 m'/><joint id='side' "
           "kind='prismatic' axis='1 0 0' parent='mid' child='ball' w0='0.5 m/s'/><contact id='k' "
           "a='belt' b='ball'/>" MOTOR);
  run r = start_netlist(text);
  advance(&r, 0.3);
  assert_near(value(&r, "side.w"), 0.31060033755, 1e-8);
  assert_near(ledger_of(&r)->total.dissipated, 1.98116812175, 1e-7);
  assert_balanced(&r);
  stop(&r);
}

/** A box falls on the belt with four feet at once: each loses a fourth of m g h + mu P v. */
static void feet_meet_what_is_driven(void **state) {
  (void)state;
  static const double v = 2, h = 0.05, mu = 0.3;
  const double rubbed = mu * sqrt(2 * g * h) * v;
  char text[TEXT];
  begin(text, rubs);
  add(text, BELT "<body id='box' mass='1 kg' inertia='1 1 1 kg.m^2'>");
  for (int i = 0; i < 4; i++) {
    add(text, "<shape id='f%d' kind='point' at='%g %g -0.1 m'/>", i, i < 2 ? 0.1 : -0.1,
        i % 2 == 0 ? 0.1 : -0.1);
  }
  add(text,
      "</body><joint id='run' kind='prismatic' axis='1 0 0' parent='world' child='belt' w0='2 "
      "m/s'/><joint id='lift' kind='prismatic' axis='0 0 1' parent='world' child='box' q0='%g m'/>",
      0.1 + h);
  for (int i = 0; i < 4; i++) {
    add(text, "<contact id='c%d' a='belt' b='f%d'/>", i, i);
  }
  add(text, MOTOR);
  run r = start_netlist(text);
  advance(&r, 0.2);
  assert_int_equal(ledger_of(&r)->event_count, 4);
  for (int i = 0; i < 4; i++) {
    assert_near(ledger_of(&r)->events[i].loss, (g * h + rubbed) / 4, 1e-9);
  }
  assert_near(value(&r, "motor.e"), 0.3 * g, 1e-9);
  assert_balanced(&r);
  stop(&r);
}

/** A pin on a disc that turns at w, at the radius a: the motor has the moment mu N a. */
static void pin_on_a_disc(void **state) {
  (void)state;
  char text[TEXT];
  begin(text, rubs);
  add(text,
      "<body id='disc' mass='1 kg' inertia='1 1 1 kg.m^2'><shape kind='plane' normal='0 0 "
      "1'/></body>"
      "<body id='pin' mass='0.5 kg' inertia='1 1 1 kg.m^2'><shape kind='sphere' radius='0.02 m' "
      "at='0 0 0.02 m'/></body><joint id='ax' kind='revolute' axis='0 0 1' parent='world' "
      "child='disc' w0='5 rad/s'/><joint id='p' kind='prismatic' axis='0 0 1' parent='world' "
      "at='0.12 0.16 0 m' child='pin'/><contact id='k' a='disc' b='pin'/></mechanism><network "
      "domain='rotation'><Sf id='motor' flow='5 rad/s'/><bond from='motor' to='ax'/></network>"
      "</screwbond>");
  run r = start_netlist(text);
  advance(&r, 0.2);
  assert_near(value(&r, "k.normal-force"), 0.5 * g, 1e-12);
  assert_near(value(&r, "motor.e"), 0.3 * 0.5 * g * 0.2, 1e-12);
  assert_near(value(&r, "k.sticks"), 0, 0);
  assert_balanced(&r);
  stop(&r);
}

/** What never slips cannot be driven to slip; driven at zero velocity it sticks. */
static void stuck_on_what_is_driven(void **state) {
  (void)state;
  static const char *const flows[] = {"2 m/s", "2[m/s]*sin(20[rad/s]*t)", "0 m/s"};
  for (int k = 0; k < 3; k++) {
    char text[TEXT];
    sb_error err;
    double t;
    add_belt(text, "friction='stuck'", flows[k], k == 0 ? 2 : 0, 0, 0.1);
    const sb_status status = try_run(text, 0.1, &t, &err);
    assert_int_equal(status, k < 2 ? SB_ERR_SOLVER : SB_OK);
    assert_true(k == 2 || strstr(err.text, "which friction=\"stuck\" rules out") != NULL);
  }
}

/** A ball that is heavy below rolls so fast that its floor presses it no longer as it turns up: m d w^2 > m g. What never slips has no
 *  forces there, and no mu to be smaller. */
static void stuck_where_nothing_presses(void **state) {
  (void)state;
  sb_error err;
  double t;
  const sb_status status = try_run(
      "<screwbond version='1' id='m'><laws><contact-law id='rough' normal='rigid' "
      "friction='stuck'/></laws><mechanism gravity='0 0 -9.81 m/s^2'><ground id='floor'><shape "
      "kind='plane' normal='0 0 1'/></ground><body id='ball' mass='1 kg' com='0 0 -0.08 m' "
      "inertia='0.001 0.001 0.001 kg.m^2' position='0 0 0.1 m' velocity='10 0 0 m/s' "
      "angular-velocity='0 100 0 rad/s'><shape kind='sphere' radius='0.1 m'/></body>"
      "<contact id='c' a='floor' b='ball' law='rough'/></mechanism><run t-end='1 s'/></screwbond>",
      1, &t, &err);
  assert_int_equal(status, SB_ERR_SOLVER);
  assert_non_null(strstr(err.text, "no forces are found"));
  assert_non_null(strstr(err.hint, "friction=\"coulomb\" with a mu"));
  assert_null(strstr(err.hint, "smaller mu"));
}

/** A finger on a slide, on a palm whose wrist is locked, strikes a wall that is not square to its way: its only freedom stops, whatever friction
 *  the impact asks the wrist to bear. */
static void impact_goes_through_a_lock(void **state) {
  (void)state;
  static const char axes[][8] = {"1 0 0", "0 1 0", "0 0 1"};
  for (int i = 0; i < 3; i++) {
    char text[1600];
    (void)snprintf(
        text, sizeof text,
        "<screwbond version='1' id='m'><run t-end='0.2 s' rtol='1e-7'/><laws><contact-law id='l' "
        "normal='rigid' friction='coulomb' mu='0.5'/></laws><mechanism gravity='0 0 0'><body "
        "id='palm' mass='0.5 kg' inertia='1e-3 1e-3 1e-3 kg.m^2'/><joint id='wrist' "
        "kind='revolute' axis='%s' parent='world' child='palm' locked='yes'/><body id='finger' "
        "mass='0.06 kg' inertia='1e-5 1e-5 1e-5 kg.m^2'><shape id='tip' kind='sphere' radius='12 "
        "mm' mass='0 kg'/></body><joint id='slide' kind='prismatic' axis='1 0 0' parent='palm' "
        "child='finger' q0='0.05 m' w0='-0.5 m/s'/><ground id='g'><shape id='wall' kind='plane' "
        "normal='0.9950041652780256 0.09983341664682817 0'/></ground><contact a='tip' b='wall' "
        "law='l'/></mechanism></screwbond>",
        axes[i]);
    run r = start_netlist(text);
    advance(&r, 0.2);
    assert_near(value(&r, "slide.w"), 0, 1e-12);
    assert_near(ledger_of(&r)->total.event_loss, 0.06 * 0.5 * 0.5 / 2, 1e-12);
    assert_closes(&r);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(slip_is_imposed),
                                     cmocka_unit_test(slip_begins_as_imposed),
                                     cmocka_unit_test(slip_begins_beside_a_freedom),
                                     cmocka_unit_test(slip_is_imposed_later),
                                     cmocka_unit_test(impact_on_what_is_driven),
                                     cmocka_unit_test(pin_on_a_disc),
                                     cmocka_unit_test(slip_is_imposed_across),
                                     cmocka_unit_test(feet_meet_what_is_driven),
                                     cmocka_unit_test(stuck_on_what_is_driven),
                                     cmocka_unit_test(stuck_where_nothing_presses),
                                     cmocka_unit_test(impact_goes_through_a_lock)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
