// SPDX-License-Identifier: GPL-3.0-or-later
// Rigid contacts against closed forms: what lands, lies and comes to rest, and what is refused. Expected values were computed
// apart from this program, by closed forms of rods and balls.
#include "tests/contact/rigid_runs.h"

/** e = 0.8 from 1 m: impacts at the times of their series, at rest after 9 sqrt(2 h/g), without m g h, with the gap at zero: a ball, and a
 *  particle over the origin, which has no size and ends where nothing has. */
static void bounce_to_rest(const char *body, double height) {
  static const double times[] = {0.4515236409857309, 1.1739614665629003, 1.751911727024636,
                                 2.2142719353940246, 2.5841601020895357};
  run r = rigid("restitution='0.8'", "0 0 -9.81", body);
  advance(&r, 4.0637);
  assert_near(value(&r, "c.touches"), 0, 0);
  advance(&r, 4.5);
  assert_balanced(&r);
  double loss = 0;
  for (int k = 0; k < ledger_of(&r)->event_count; k++) {
    assert_true(event_of(&r, k)->loss >= 0);
    assert_string_equal(event_of(&r, k)->element, "c");
    loss += event_of(&r, k)->loss;
  }
  for (int k = 0; k < 5; k++) {
    assert_near(event_of(&r, k)->t, times[k], 1e-10);
  }
  assert_near(loss, 9.81, 1e-9);
  assert_near(component(&r, "ball.position", 2), height, 1e-10);
  assert_near(value(&r, "c.gap"), 0, 4e-15 * height);
  assert_near(value(&r, "c.normal-force"), 9.81, 1e-9);
  stop(&r);
}

static void accumulating_impacts_end(void **state) {
  (void)state;
  bounce_to_rest(
      "<body id='ball' mass='1 kg' position='0 0 1.1 m'><shape kind='sphere' radius='0.1 m'/>"
      "</body><contact id='c' a='floor' b='ball'/>",
      0.1);
  bounce_to_rest(
      "<body id='ball' mass='1 kg' inertia='0.1 0.1 0.1 kg.m^2' position='0 0 1 m'><shape "
      "kind='point'/></body><contact id='c' a='floor' b='ball'/>",
      0);
}

/** The last of two masses that land together responds as the first, however much heavier it is: e = 0.8 from 1 m. */
static void masses_land_together(void **state) {
  (void)state;
  run r = rigid("restitution='0.8'", "0 0 -9.81",
                "<body id='ball' mass='1 kg' position='0 0 1.1 m'><shape kind='sphere' "
                "radius='0.1 m'/></body><body id='anvil' mass='1e9 kg' position='3 0 1.1 m'><shape "
                "kind='sphere' radius='0.1 m'/></body><contact id='c' a='floor' b='ball'/>"
                "<contact id='d' a='floor' b='anvil'/>");
  advance(&r, 1);
  const double t = 1 - 0.4515236409857309;
  const double height = 0.1 + 0.8 * sqrt(2 * 9.81) * t - 9.81 * t * t / 2;
  assert_near(component(&r, "ball.position", 2), height, 1e-9);
  assert_near(component(&r, "anvil.position", 2), height, 1e-9);
  assert_balanced(&r);
  stop(&r);
}

/** From h = 1 nm, where rounding of the gap makes bounces of their own: it comes to rest as from 1 m, after
 *  (1 + e)/(1 - e) sqrt(2 h/g), and has lost m g h. A gap of 0.3 pm counts as closed: it is closed at once, and m g h lost by that event. */
static void low_bounces_end(void **state) {
  (void)state;
  run r = rigid("restitution='0.5'", "0 0 -9.81",
                "<body id='ball' mass='1 kg' position='0 0 0.100000001 m'><shape kind='sphere' "
                "radius='0.1 m'/></body><contact id='c' a='floor' b='ball'/>");
  advance(&r, 1e-4);
  assert_near(event_of(&r, 0)->t, 1.4278431229270645e-5, 1e-11);
  assert_near(value(&r, "c.touches"), 1, 0);
  double loss = 0;
  for (int k = 0; k < ledger_of(&r)->event_count; k++) {
    loss += event_of(&r, k)->loss;
  }
  assert_near(loss, 9.81e-9, 1e-12);
  assert_true(ledger_of(&r)->event_count < 30);
  stop(&r);

  r = rigid("restitution='0.5'", "0 0 -9.81",
            "<body id='ball' mass='1 kg' position='0 0 0.1000000000003 m'><shape kind='sphere' "
            "radius='0.1 m'/></body><contact id='c' a='floor' b='ball'/>");
  advance(&r, 1);
  assert_near(value(&r, "c.touches"), 1, 0);
  assert_near(component(&r, "ball.position", 2), 0.1, 2e-15);
  assert_int_equal(ledger_of(&r)->event_count, 1);
  assert_near(event_of(&r, 0)->loss, 9.81 * 3e-13, 2e-14);
  assert_balanced(&r);
  stop(&r);
}

/** v+ of three touching balls of 1 kg that the first hits at 1 m/s. */
static void check_row(const char *law, const double want[3], double loss) {
  run r = rigid(
      law, "0 0 0",
      "<body id='a' mass='1 kg' position='-1 0 1 m' velocity='1 0 0 m/s'><shape kind='sphere' "
      "radius='0.1 m'/></body><body id='b' mass='1 kg' position='0 0 1 m'><shape kind='sphere' "
      "radius='0.1 m'/></body><body id='d' mass='1 kg' position='0.2 0 1 m'><shape kind='sphere' "
      "radius='0.1 m'/></body><contact a='a' b='b'/><contact a='b' b='d'/>");
  double lost = 0;
  advance(&r, 0.9);
  assert_balanced(&r);
  assert_near(component(&r, "a.velocity", 0), want[0], 1e-12);
  assert_near(component(&r, "b.velocity", 0), want[1], 1e-12);
  assert_near(component(&r, "d.velocity", 0), want[2], 1e-12);
  for (int k = 0; k < ledger_of(&r)->event_count; k++) {
    assert_true(event_of(&r, k)->loss >= 0);
    lost += event_of(&r, k)->loss;
  }
  assert_near(lost, loss, 1e-12);
  stop(&r);
}

static void row_of_balls(void **state) {
  (void)state;
  check_row("restitution='1'", (double[]){-1. / 3, 2. / 3, 2. / 3}, 0);
  check_row("restitution='0.5'", (double[]){0, 0.5, 0.5}, 0.25);
  check_row("restitution='0.8'", (double[]){-0.2, 0.6, 0.6}, 0.12);
  check_row("restitution='1' impacts='sequential'", (double[]){0, 0, 1}, 0);
  check_row("restitution='0.5' impacts='sequential'", (double[]){0.203125, 0.234375, 0.5625},
            0.293701171875);
  check_row("restitution='0.8' impacts='sequential'", (double[]){0.091, 0.099, 0.81}, 0.162909);
}

/** What has friction lasts: a ball slides until it rolls, at (5/7) v, by mu g t = (2/7) v. */
static void ball_slides_and_rolls(void **state) {
  (void)state;
  run r =
      rigid("friction='coulomb' mu='0.25'", "0 0 -9.81",
            "<body id='ball' mass='1 kg' inertia='0.004 0.004 0.004 kg.m^2' position='0 0 0.1 m' "
            "velocity='1.4 0 0 m/s'><shape kind='sphere' radius='0.1 m'/></body><contact id='c' "
            "a='floor' "
            "b='ball'/>");
  advance(&r, 0.1);
  assert_near(component(&r, "ball.velocity", 0), 1.4 - 0.25 * 9.81 * 0.1, 1e-10);
  assert_near(value(&r, "c.sticks"), 0, 0);
  advance(&r, 0.5);
  assert_near(component(&r, "ball.velocity", 0), 1, 1e-9);
  assert_near(component(&r, "ball.angular-velocity", 1), 10, 1e-8);
  assert_near(value(&r, "c.sticks"), 1, 0);
  assert_near(event_of(&r, 1)->t, 2. / 7 * 1.4 / (0.25 * 9.81), 1e-9);
  assert_balanced(&r);
  stop(&r);
}

/** A block on feet, on a floor of this slope: it slides at g (sin - mu cos), be they three or four. */
static void block_on_feet(void **state) {
  (void)state;
  static const char *const feet[] = {"0.1 0.1", "0.1 -0.1", "-0.1 0", "-0.1 -0.1"};
  for (int count = 3; count <= 4; count++) {
    char text[TEXT];
    const double slope = 0.35, mu = 0.2;
    int at = snprintf(
        text, sizeof text,
        "<screwbond version='1' id='m'><laws><contact-law id='hard' normal='rigid' "
        "friction='coulomb' mu='%g'/></laws><mechanism gravity='%.17g 0 %.17g m/s^2'>%s<body "
        "id='b' mass='2 kg' inertia='0.01 0.01 0.013 kg.m^2' position='0 0 0.05 m' velocity='0.1 0 "
        "0 m/s'>",
        mu, 9.81 * sin(slope), -9.81 * cos(slope), floor_);
    for (int k = 0; k < count; k++) {
      at += snprintf(text + at, sizeof text - (size_t)at,
                     "<shape id='f%d' kind='point' at='%s -0.05 m'/>", k, feet[k]);
    }
    (void)snprintf(text + at, sizeof text - (size_t)at,
                   "</body><contact a='floor' b='b' law='hard'/></mechanism><run t-end='1 s' "
                   "rtol='1e-11'/></screwbond>");
    run r = start_netlist(text);
    advance(&r, 1);
    double a = 9.81 * (sin(slope) - mu * cos(slope));
    assert_near(component(&r, "b.position", 0), 0.1 + a / 2, 1e-9);
    assert_near(component(&r, "b.position", 2), 0.05, 1e-10);
    assert_near(component(&r, "b.velocity", 0), 0.1 + a, 1e-9);
    assert_balanced(&r);
    stop(&r);
  }
}

/** The double pendulum of two points that strikes a plane (examples/double_pendulum_on_plane.xml), in the limit of hard springs: Stronge's e = 0.9, mu =
 *  0.12. It rests as published: 2.2 and -65 deg. */
static void double_pendulum_comes_to_rest(void **state) {
  (void)state;
  const double deg = acos(-1) / 180;
  run r = start_netlist(
      "<screwbond version='1' id='m'><laws><contact-law id='hard' normal='rigid' restitution='0.9' "
      "impact='stronge' friction='coulomb' mu='0.12'/></laws><mechanism gravity='0 -9.81 0 m/s^2'>"
      "<body id='a' mass='5 kg' com='0 -0.5 0 m' point-mass='yes'/><body id='b' mass='2 kg' "
      "com='0 -0.25 0 m' point-mass='yes'><shape id='tip' kind='point' at='0 -0.25 0 m'/></body>"
      "<joint id='j1' kind='revolute' axis='0 0 1' parent='world' child='a' q0='45 deg' w0='-120 "
      "deg/s'/><joint id='j2' kind='revolute' axis='0 0 1' parent='a' child='b' at='0 -0.5 0 m' "
      "w0='130 deg/s'/><ground id='plane'><shape kind='plane' normal='0 1 0' offset='-0.61 m'/>"
      "</ground><contact id='c' a='tip' b='plane' law='hard'/></mechanism><run t-end='10 s' "
      "rtol='1e-9' atol='1e-11'/></screwbond>");
  advance(&r, 10);
  assert_near(value(&r, "j1.q"), 2.1 * deg, 0.4 * deg);
  assert_near(value(&r, "j2.q"), -65.6 * deg, 0.7 * deg);
  assert_near(value(&r, "j1.w"), 0, 1e-12);
  assert_near(value(&r, "c.sticks"), 1, 0);
  assert_balanced(&r);
  stop(&r);
}

static void check_refusal(const char *law, const char *message) {
  char text[TEXT];
  sb_netlist *netlist = NULL;
  sb_errors errors = {0};
  bool found = false;
  (void)snprintf(
      text, sizeof text,
      "<screwbond version='1' id='m'><laws><contact-law id='hard' normal='rigid' %s/></laws>"
      "<mechanism>%s<body id='b' mass='1 kg' position='0 0 1 m'><shape kind='sphere' radius='0.1 "
      "m'/>"
      "</body><contact a='floor' b='b' law='hard'/></mechanism><run t-end='1 s'/></screwbond>",
      law, floor_);
  assert_int_not_equal(sb_netlist_parse("test.xml", text, strlen(text), NULL, 0, &netlist, &errors),
                       SB_OK);
  for (int i = 0; i < errors.count; i++) {
    found = found || strstr(errors.items[i].text, message) != NULL;
  }
  if (!found) {
    show_errors(&errors);
  }
  assert_true(found);
  sb_errors_finish(&errors);
}

static void refusals(void **state) {
  (void)state;
  check_refusal("restitution='1.2'",
                "the restitution of the law 'rigid' must be from 0 to 1: it is 1.2");
  check_refusal("friction='stribeck'", "normal=\"rigid\" has no friction 'stribeck'");
  check_refusal("friction='coulomb'", "mu is missing: friction=\"coulomb\" needs it");
  check_refusal("friction='stuck' mu='0.2'", "mu is without effect with friction=\"stuck\"");
  check_refusal("stiffness='1e4 N/m'", "stiffness is without effect with normal=\"rigid\"");
  check_refusal("impact='hooke'", "hooke");
}

/** A straight edge that lands along the floor has no pair of points. */
static void edge_lands_flat(void **state) {
  (void)state;
  char text[TEXT];
  (void)snprintf(
      text, sizeof text,
      "<screwbond version='1' id='m'><laws><contact-law id='hard' normal='rigid'/></laws>"
      "<mechanism gravity='0 0 -9.81 m/s^2'>%s<body id='b' mass='1 kg' position='0 0 1 m' "
      "rotation='20 deg about 0 1 0'><shape kind='box' size='0.2 0.1 0.05 m' "
      "edge-radius='1 mm'/></body><contact id='c' a='floor' b='b' law='hard'/>"
      "</mechanism><run t-end='1 s'/></screwbond>",
      floor_);
  sb_error err = {0};
  double t;
  assert_int_equal(try_run(text, 1, &t, &err), SB_ERR_CONTACT);
  assert_contains(err.text, "'c' at t = ");
  assert_contains(err.text, "a flat side or a straight edge of one lies flat on the other");
  assert_contains(err.hint, "give the body feet");
}

/** A rounded box that slides or rolls on one end of an edge until it lies along the floor: the point of contact leaps to the other end,
 *  whose velocity no contact holds. There the run ends, and what was stored before is booked up to there. */
static void ends_of_an_edge_change(void **state) {
  (void)state;
  static const struct {
    const char *law, *turn;
  } cases[] = {{"restitution='0.3' friction='coulomb' mu='1'",
                "0.5136 deg about 0.116453 -0.341776 1.24833"},
               {"restitution='0.7'", "1.983 deg about 1 0.4 0.1"},
               {"friction='coulomb' mu='1'", "89.91 deg about 1.50121 0.42071 1.33371"},
               {"", "90.04 deg about 0.666754 -0.846134 0.247546"},
               {"", "0.4188 deg about 1.14191 1.8707 0.336763"},
               {"friction='coulomb' mu='0.4' restitution='0.3'", "20 deg about 1 0.4 0.1"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char inside[TEXT];
    (void)snprintf(
        inside, sizeof inside,
        "<body id='b' mass='1 kg' inertia='2.7e-3 4.2e-3 5.2e-3 kg.m^2' position='0 0 0.2 m' "
        "rotation='%s'><shape kind='box' size='0.2 0.15 0.1 m' edge-radius='0.01 m'/></body>"
        "<contact id='c' a='floor' b='b'/>",
        cases[i].turn);
    run r = rigid(cases[i].law, "0 0 -9.81", inside);
    sb_error err = {0};
    assert_int_equal(sb_simulation_advance(r.sim, 1, &err), SB_ERR_CONTACT);
    assert_contains(err.text, "'c' at t = ");
    assert_contains(err.text, "a flat side or a straight edge of one lies flat on the other");
    assert_contains(err.hint, "give the body feet");
    assert_true(sb_simulation_time(r.sim) > 0.1);
    assert_balanced(&r);
    stop(&r);
  }
}

/** A push that has no value is what ends the run, not the contact that holds against it: at rest its multipliers are solved for in a loop. */
static void push_without_a_value(void **state) {
  (void)state;
  static const char *const laws[] = {"", "friction='stuck'", "friction='coulomb' mu='0.3'"};
  for (int k = 0; k < 3; k++) {
    run r = rigid(laws[k], "0 0 -9.81",
                  "<body id='ball' mass='1.3 kg' position='0 0 0.1 m'><shape kind='sphere' "
                  "radius='0.1 m'/></body><contact id='c' a='floor' b='ball'/>"
                  "<Wrench id='push' on='ball' force-x='0.1[N]*(0.3[s] - t)^1.5/1[s]^1.5'/>");
    sb_error err = {0};
    assert_int_equal(sb_simulation_advance(r.sim, 1, &err), SB_ERR_NOT_FINITE);
    assert_contains(err.text, "'push' ");
    assert_contains(err.text, " no finite number ");
    assert_near(sb_simulation_time(r.sim), 0.3, 1e-5);
    stop(&r);
  }
}

/** An impact of an ellipsoid, and a ball that lies elsewhere. @param rest  whether it does  @param out  (7) v, w, loss */
static void strike_beside(const char *impact, bool rest, double out[7]) {
  char text[2000];
  (void)snprintf(
      text, sizeof text,
      "<laws><contact-law id='hard' normal='rigid' restitution='0.7' friction='coulomb' mu='0.3' "
      "impact='%s'/></laws><defaults><contact law='hard'/></defaults><mechanism gravity='0 0 -9.81 "
      "m/s^2'>"
      "<body id='b' mass='1 kg' position='0 0 0.3 m' rotation='20 deg about 1 1 0' velocity='0.5 0 "
      "0 m/s' "
      "angular-velocity='1 2 3'><shape kind='ellipsoid' semi-axes='0.15 0.1 0.08 m'/></body>"
      "<ground id='floor'><shape kind='plane' normal='0 0 1'/></ground><contact a='floor' "
      "b='b'/>%s</mechanism>",
      impact,
      rest ? "<body id='ball' mass='1 kg' position='5 0 0.1 m'><shape kind='sphere' radius='0.1 "
             "m'/></body>"
             "<ground id='other'><shape kind='plane' normal='0 0 1'/></ground><contact a='other' "
             "b='ball'/>"
           : "");
  run r = prepare_inside(text);
  const sb_options options = sb_options_defaults();
  start_by(&r, &options);
  advance(&r, 0.1983);
  for (int i = 0; i < 3; i++) {
    out[i] = component(&r, "b.velocity", i);
    out[3 + i] = component(&r, "b.angular-velocity", i);
  }
  out[6] = ledger_of(&r)->total.event_loss;
  stop(&r);
}

/** One impact has one law, whatever touches elsewhere. That of Newton follows the slip (Routh): its loss by an independent quadrature along
 *  the slip is 1.27529 J, and 1.27471 J if friction were that of the end of the impact. */
static void impacts_are_of_what_is_coupled(void **state) {
  (void)state;
  static const char *const laws[] = {"newton", "poisson", "stronge"};
  for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
    double alone[7], beside[7];
    strike_beside(laws[k], false, alone);
    strike_beside(laws[k], true, beside);
    for (int i = 0; i < 7; i++) {
      assert_near(beside[i], alone[i], 1e-10);
    }
    if (k == 0) {
      assert_near(alone[6], 1.27529, 5e-5);
    }
  }
}

/** A tablet that rocks on a box without friction: what rounding gives its normal along the face is no part of the direction, nor is the force
 *  by it, which is all that there is along the face. */
static void directions_are_known_to_their_length(void **state) {
  (void)state;
  static const char *const shapes[] = {
      "<shape kind='lens' radius='0.06 m' length='0.05 m' edge-radius='6 mm'/>",
      "<shape kind='superellipsoid' semi-axes='0.06 0.05 0.03 m' exponent='2.5'/>"};
  for (int i = 0; i < 6; i++) {
    char text[1200];
    (void)snprintf(
        text, sizeof text,
        "<screwbond version='1' id='m'><run t-end='0.5 s' rtol='1e-7'/><laws><contact-law "
        "id='l' normal='rigid'/></laws><mechanism gravity='0 0 -9.81 m/s^2'><ground "
        "id='g'><shape id='w' kind='box' size='1 1 0.2 m' edge-radius='0.01 m' at='0 0 "
        "-0.1 m'/></ground><body id='b' mass='0.5 kg' position='0 0 0.1 m' "
        "rotation='%d deg about 1 0 0.1'>%s</body><contact id='c' a='w' b='b' "
        "law='l'/></mechanism></screwbond>",
        5 << (i / 2), shapes[i % 2]);
    run r = start_netlist(text);
    advance(&r, 0.5);
    assert_closes(&r);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      repeating_test(accumulating_impacts_end),
      cmocka_unit_test(masses_land_together),
      cmocka_unit_test(low_bounces_end),
      cmocka_unit_test(row_of_balls),
      cmocka_unit_test(push_without_a_value),
      cmocka_unit_test(ends_of_an_edge_change),
      cmocka_unit_test(edge_lands_flat),
      cmocka_unit_test(ball_slides_and_rolls),
      cmocka_unit_test(block_on_feet),
      repeating_test(double_pendulum_comes_to_rest),
      cmocka_unit_test(impacts_are_of_what_is_coupled),
      cmocka_unit_test(refusals),
      repeating_test(directions_are_known_to_their_length),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
