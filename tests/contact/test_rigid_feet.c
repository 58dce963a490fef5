// SPDX-License-Identifier: GPL-3.0-or-later
// Rigid contacts that last and hold one thing twice: bodies on four feet that stand, slide, spin, tip and carry each other.
// Expected values are closed forms of statics and of the motion of one rigid body.
#include "geometry/quat.h"
#include "tests/netlist_text.h"

static const double g = 9.81;

/** A floor of this slope, downhill along x, and a law of friction. */
static void begin(char text[TEXT], double slope, double mu, double t_end) {
  text[0] = '\0';
  add(text,
      "<screwbond version='1' id='m'><run t-end='%.17g s' rtol='1e-9'/><laws><contact-law "
      "id='hard' "
      "normal='rigid' friction='coulomb' mu='%.17g'/><contact-law id='slippery' normal='rigid' "
      "friction='coulomb' mu='0.1'/></laws><mechanism gravity='%.17g 0 %.17g m/s^2'><ground "
      "id='floor'><shape kind='plane' normal='0 0 1' offset='0 m'/></ground>",
      t_end, mu, g * sin(slope), -g * cos(slope));
}

static void add_feet(char text[TEXT], const char *id, double a, double b, double h) {
  for (int i = 0; i < 4; i++) {
    add(text, "<shape id='%s%d' kind='point' at='%.17g %.17g %.17g m'/>", id, i, i < 2 ? a : -a,
        i % 2 == 0 ? b : -b, -h);
  }
}

/** A block of 2 kg, with feet f0 and f1 downhill and f2 and f3 uphill. */
static run start_block(double slope, double mu, double h, const char *motion, double t_end) {
  char text[TEXT];
  begin(text, slope, mu, t_end);
  add(text, "<body id='b' mass='2 kg' inertia='0.01 0.01 0.013 kg.m^2' position='0 0 %.17g m' %s>",
      h, motion);
  add_feet(text, "f", 0.1, 0.1, h);
  add(text, "</body>");
  for (int i = 0; i < 4; i++) {
    add(text, "<contact id='c%d' a='floor' b='f%d' law='hard'/>", i, i);
  }
  add(text, "</mechanism></screwbond>");
  return start_netlist(text);
}

/** The sum of the forces of four contacts on their second bodies. */
static sb_vec3 force_of(run *r, const char *id) {
  sb_vec3 sum = {0, 0, 0};
  for (int i = 0; i < 4; i++) {
    char name[40];
    (void)snprintf(name, sizeof name, "%s%d.force", id, i);
    sum = sb_vec3_add(
        sum, (sb_vec3){component(r, name, 0), component(r, name, 1), component(r, name, 2)});
  }
  return sum;
}

static int count_events(const run *r, const char *kind) {
  int count = 0;
  for (int i = 0; i < ledger_of(r)->event_count; i++) {
    count += strcmp(ledger_of(r)->events[i].kind, kind) == 0;
  }
  return count;
}

/** Up to the angle of friction, and up to the edge of its feet, a block stands: its forces are its weight, each in its cone,
 *  and it stays where it is. */
static void block_stands(void **state) {
  (void)state;
  static const struct {
    double slope, mu, h;
  } rows[] = {{0.2, 0.3, 0.05}, {0.29, 0.3, 0.05}, {0.285, 0.5, 0.3}, {0.32, 0.34, 0.29}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    double end = (k == 1 ? 100 : 10) / (PLAIN ? 1 : 10);
    run r = start_block(rows[k].slope, rows[k].mu, rows[k].h, "", end);
    for (double t = 0; t < 1.1 * end; t += end / 2) {
      advance(&r, t);
      const sb_vec3 force = force_of(&r, "c");
      assert_near(force.x, -2 * g * sin(rows[k].slope), 1e-9);
      assert_near(force.z, 2 * g * cos(rows[k].slope), 1e-9);
      for (int i = 0; i < 4; i++) {
        char name[20];
        (void)snprintf(name, sizeof name, "c%d.force", i);
        double N = component(&r, name, 2);
        assert_true(N > 0 && hypot(component(&r, name, 0), component(&r, name, 1)) <=
                                 rows[k].mu * N * (1 + 1e-9));
      }
      assert_near(component(&r, "b.position", 0), 0, 1e-9);
      assert_near(component(&r, "b.position", 1), 0, 1e-9);
      assert_near(component(&r, "b.position", 2), rows[k].h, 1e-9);
    }
    assert_int_equal(count_events(&r, "slip"), 0);
    assert_balanced(&r);
    stop(&r);
  }
}

/** Beyond the angle of friction it slides from rest at g (sin - mu cos), all feet at once. */
static void block_slides(void **state) {
  (void)state;
  run r = start_block(0.35, 0.3, 0.05, "", 1);
  const double t = PLAIN ? 1 : 0.1;
  advance(&r, t);
  double a = g * (sin(0.35) - 0.3 * cos(0.35));
  assert_near(component(&r, "b.position", 0), a * t * t / 2, 1e-9);
  assert_near(component(&r, "b.velocity", 0), a * t, 1e-9);
  assert_near(component(&r, "b.position", 1), 0, 1e-10);
  assert_near(component(&r, "b.position", 2), 0.05, 1e-10);
  assert_balanced(&r);
  stop(&r);
}

/** A block that started at v stops after v/(mu g), at v^2/(2 mu g), and does not need small steps for it: its four feet share what
 *  they bear, and their constraints agree to rounding only. */
static void block_stops(void **state) {
  (void)state;
  static const struct {
    double vx, vy, mu;
  } rows[] = {{2, 0, 0.3}, {-0.7, 0.4, 0.17}, {0.013, -0.2, 0.62}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    char motion[100];
    const double v = hypot(rows[k].vx, rows[k].vy), mu = rows[k].mu, way = v / (2 * mu * g);
    (void)snprintf(motion, sizeof motion, "velocity='%.17g %.17g 0 m/s'", rows[k].vx, rows[k].vy);
    run r = start_block(0, mu, 0.05, motion, 1);
    advance(&r, 1);
    assert_near(component(&r, "b.position", 0), rows[k].vx * way, 1e-9);
    assert_near(component(&r, "b.position", 1), rows[k].vy * way, 1e-9);
    assert_near(component(&r, "b.velocity", 0), 0, 1e-12);
    assert_int_equal(count_events(&r, "stick"), 4);
    assert_true(ledger_of(&r)->work.steps < 100);
    assert_true(ledger_of(&r)->work.rhs < 3000);
    assert_balanced(&r);
    stop(&r);
  }
}

/** With tan(slope) above a/h it tips over its lower feet: (J + m (a^2 + h^2)) w' = m g (h sin - a cos). */
static void block_tips(void **state) {
  (void)state;
  static const double a = 0.1, h = 0.3, t = 1e-3;
  for (int k = 0; k < 2; k++) {
    double slope = atan(a / h) + (k == 0 ? -1e-6 : 1e-3);
    run r = start_block(slope, 0.9, h, "", 1);
    advance(&r, t);
    double w = 2 * g * (h * sin(slope) - a * cos(slope)) / (0.01 + 2 * (a * a + h * h)) * t;
    assert_near(component(&r, "b.angular-velocity", 1), k == 0 ? 0 : w, k == 0 ? 1e-12 : 1e-5 * w);
    assert_near(value(&r, "c2.touches"), k == 0, 0);
    assert_near(value(&r, "c0.sticks"), 1, 0);
    assert_balanced(&r);
    stop(&r);
  }
}

/** A turning block loses its spin to friction at four equal distances: after J w/(mu m g r). */
static void block_spins_down(void **state) {
  (void)state;
  run r = start_block(0, 0.3, 0.05, "angular-velocity='0 0 5 rad/s'", 1);
  double time = 0.013 * 5 / (0.3 * 2 * g * hypot(0.1, 0.1));
  advance(&r, 0.5 * time);
  assert_near(component(&r, "b.angular-velocity", 2), 2.5, 1e-8);
  advance(&r, 1);
  assert_near(component(&r, "b.angular-velocity", 2), 0, 1e-10);
  assert_near(component(&r, "b.position", 0), 0, 1e-9);
  assert_near(component(&r, "b.position", 1), 0, 1e-9);
  assert_int_equal(count_events(&r, "stick"), 4);
  for (int i = 0; i < ledger_of(&r)->event_count; i++) {
    const sb_event *event = &ledger_of(&r)->events[i];
    if (strcmp(event->kind, "stick") == 0) {
      assert_near(event->t, time, 1e-8);
    }
  }
  assert_balanced(&r);
  stop(&r);
}

/** Without friction a block that spins slides along a line, x = v t. A foot of it comes almost to rest each turn, w r = 0.99 v, whose
 *  velocity turns round at once there: that decides on nothing, and no step is spent on it. */
static void block_spins_without_friction(void **state) {
  (void)state;
  run r = start_block(0, 0, 0.05, "velocity='1 0 0 m/s' angular-velocity='0 0 7 rad/s'", 5);
  advance(&r, 5);
  assert_near(component(&r, "b.position", 0), 5, 1e-9);
  assert_near(component(&r, "b.angular-velocity", 2), 7, 1e-9);
  assert_near(force_of(&r, "c").z, 2 * g, 1e-9);
  assert_true(ledger_of(&r)->work.steps < 1000); // without end before
  assert_balanced(&r);
  stop(&r);
}

/** A load of 200 N that moves along a table of 10 kg at 0.2 m/s: its feet share it by its place, and those behind lift where it
 *  is at 0.5 m + 0.5 m (10 kg) g/(200 N). */
static void table_under_a_load(void **state) {
  (void)state;
  char text[TEXT];
  begin(text, 0, 0.5, 4);
  add(text, "<body id='b' mass='10 kg' inertia='1 1 1.5 kg.m^2' position='0 0 0.5 m'>");
  add_feet(text, "f", 0.5, 0.4, 0.5);
  add(text, "</body><Wrench id='load' on='b' axes='world' force-z='-200 N' "
            "moment-y='200[N]*0.2[m/s]*t'/>");
  for (int i = 0; i < 4; i++) {
    add(text, "<contact id='c%d' a='floor' b='f%d' law='hard'/>", i, i);
  }
  add(text, "</mechanism></screwbond>");
  run r = start_netlist(text);
  advance(&r, 2);
  assert_near(value(&r, "c0.normal-force"), (200 + 10 * g) / 4 + 40, 1e-9);
  assert_near(value(&r, "c1.normal-force"), (200 + 10 * g) / 4 + 40, 1e-9);
  assert_near(value(&r, "c2.normal-force"), (200 + 10 * g) / 4 - 40, 1e-9);
  assert_near(value(&r, "c3.normal-force"), (200 + 10 * g) / 4 - 40, 1e-9);
  advance(&r, 4);
  assert_int_equal(count_events(&r, "release"), 2);
  const sb_event *last = &ledger_of(&r)->events[ledger_of(&r)->event_count - 1];
  assert_near(last->t, (0.5 + 0.5 * 10 * g / 200) / 0.2, 1e-9);
  assert_near(value(&r, "c2.touches") + value(&r, "c3.touches"), 0, 0);
  assert_near(value(&r, "c0.sticks") + value(&r, "c1.sticks"), 2, 0);
  stop(&r);
}

/** Two blocks on each other: both stand; or the upper one slides on the lower, which stands. */
static void stack_of_two(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    char text[TEXT];
    double slope = k == 0 ? 0.15 : 0.25;
    begin(text, slope, 0.4, 5);
    add(text, "<body id='low' mass='2 kg' inertia='0.01 0.01 0.013 kg.m^2' position='0 0 0.05 m'>");
    add_feet(text, "f", 0.1, 0.1, 0.05);
    add(text, "<shape id='top' kind='plane' normal='0 0 1' offset='0.05 m'/></body><body id='up' "
              "mass='1 kg' inertia='0.005 0.005 0.007 kg.m^2' position='0.02 0 0.15 m'>");
    add_feet(text, "h", 0.1, 0.1, 0.05);
    add(text, "</body>");
    for (int i = 0; i < 4; i++) {
      add(text,
          "<contact id='c%d' a='floor' b='f%d' law='hard'/><contact id='d%d' a='top' b='h%d' "
          "law='%s'/>",
          i, i, i, i, k == 0 ? "hard" : "slippery");
    }
    add(text, "</mechanism></screwbond>");
    run r = start_netlist(text);
    double t = (k == 0 ? 5 : 0.1) / (PLAIN ? 1 : 25),
           a = k == 0 ? 0 : g * (sin(slope) - 0.1 * cos(slope));
    advance(&r, t);
    double held =
        k == 0 ? sin(slope) : 0.1 * cos(slope); // of the upper one's weight, along the slope
    assert_near(force_of(&r, "d").z, g * cos(slope), 1e-9);
    assert_near(force_of(&r, "d").x, -g * held, 1e-9);
    assert_near(force_of(&r, "c").z, 3 * g * cos(slope), 1e-9);
    assert_near(force_of(&r, "c").x, -g * (2 * sin(slope) + held), 1e-9);
    assert_near(component(&r, "up.position", 0), 0.02 + a * t * t / 2, 1e-9);
    assert_near(component(&r, "low.position", 0), 0, 1e-9);
    assert_balanced(&r);
    stop(&r);
  }
}

/** At rest the velocities are rounding of nothing, and so is what they contradict each other by: a force with kinks, below the
 *  limit of friction, makes no impact. */
static void kinks_at_rest_are_no_impacts(void **state) {
  (void)state;
  char text[TEXT];
  begin(text, 0, 0.6, 0.4);
  add(text, "<body id='b' mass='0.5 kg' inertia='1e-3 1e-3 1e-3 kg.m^2' "
            "position='0.01 0.02 0.03 m'>");
  add_feet(text, "f", 0.02, 0.02, 0.03);
  add(text, "</body>");
  for (int i = 0; i < 4; i++) {
    add(text, "<contact id='c%d' a='floor' b='f%d' law='hard'/>", i, i);
  }
  add(text, "<Wrench id='push' on='b' force-x='0.5[N]*max(0, min(t/0.1[s] - 1, 1))' "
            "force-z='-1[N]*min(t/0.05[s], 1)'/></mechanism></screwbond>");
  run r = start_netlist(text);
  advance(&r, 0.4);
  assert_int_equal(ledger_of(&r)->event_count, 4);
  for (int k = 0; k < 4; k++) {
    assert_string_equal(ledger_of(&r)->events[k].kind, "touch");
  }
  assert_near(force_of(&r, "c").z, 0.5 * g + 1, 1e-12);
  assert_near(component(&r, "b.position", 0), 0.01, 1e-16);
  assert_balanced(&r);
  stop(&r);
}

/** Three feet of a plate of 0.7 kg on rails, mu = 0.1, 0.3 and 0.6, are drawn by a force of 1 N/s: it slips where the last of them is at
 *  its bound, F = (0.1 + 0.3 + 0.6) m g/3. As each takes of the force by its strength, they all are there at once. */
static void feet_share_until_the_last(void **state) {
  (void)state;
  static const double mu[] = {0.1, 0.3, 0.6};
  const double load = 0.7 * g / 3;
  char text[TEXT] = "<screwbond version='1' id='m'><run t-end='3 s' rtol='1e-9'/><laws>";
  for (int i = 0; i < 3; i++) {
    add(text, "<contact-law id='L%d' normal='rigid' friction='coulomb' mu='%.17g'/>", i, mu[i]);
  }
  add(text,
      "</laws><mechanism gravity='0 0 %.17g m/s^2'><ground id='floor'><shape kind='plane' "
      "normal='0 0 1' offset='0 m'/></ground><body id='c' mass='0.3 kg' inertia='1 1 1 "
      "kg.m^2'/><body id='b' mass='0.7 kg' inertia='1 1 1 kg.m^2'>",
      -g);
  for (int i = 0; i < 3; i++) {
    add(text, "<shape id='p%d' kind='point' at='%d %d 0 m'/>", i, i - 1, i % 2);
  }
  add(text, "</body><joint id='x' kind='prismatic' axis='1 0 0' parent='world' child='c'/>"
            "<joint id='z' kind='prismatic' axis='0 0 1' parent='c' child='b'/>");
  for (int i = 0; i < 3; i++) {
    add(text, "<contact id='k%d' a='floor' b='p%d' law='L%d'/>", i, i, i);
  }
  add(text, "</mechanism><network domain='translation'><Se id='F' effort='1[N/s]*t'/><bond "
            "from='F' to='x'/></network></screwbond>");
  run r = start_netlist(text);
  advance(&r, 3);
  const sb_ledger *ledger = ledger_of(&r);
  assert_int_equal(count_events(&r, "slip"), 3);
  assert_near(ledger->events[ledger->event_count - 1].t, (mu[0] + mu[1] + mu[2]) * load, 1e-8);
  assert_true(ledger->event_count <= 8); // three of touch
  assert_balanced(&r);
  stop(&r);
}

/** A plate of two bodies on a hinge stands on three feet. One body rests, its centre of mass off the line of its two feet by y; the other
 *  turns at w about the hinge, at its own centre of mass and above the second foot, and takes the third into that line. The loads are
 *  those of a rigid plate: with a the place of the centre along the line,
 *    F2 = m g y/(l sin q),   F0 = (m g (L - a) + m g y cot q)/L,   F1 = M g - F0 - F2,
 *  which all have a pole where q = 0, behind which F0 and F2 pull. F1 is zero before. @return q there */
static double angle_of_release(double y) {
  const double m = 1.3, M = 2, a = 0.11, L = 0.31, l = 0.23;
  double low = 1e-4, high = 1;
  for (int i = 0; i < 60; i++) {
    const double q = 0.5 * (low + high),
                 load = M - m * (L - a + y / tan(q)) / L - m * y / (l * sin(q));
    *(load < 0 ? &low : &high) = q;
  }
  return high;
}

/** @param x  [m] of the first foot: at the world's origin places are rounding */
static void come_into_line(double y, double x) {
  char text[TEXT];
  assert_true(
      snprintf(text, sizeof text,
               "<screwbond version='1' id='m'><run t-end='0.32 s'/><laws><contact-law id='hard' "
               "normal='rigid'/></laws><defaults><contact law='hard'/></defaults>"
               "<mechanism gravity='0 0 -9.81 m/s^2'><ground id='floor'><shape kind='plane' "
               "normal='0 0 1' offset='0 m'/></ground>"
               "<body id='a' mass='1.3 kg' com='0.11 %.17g 0 m' inertia='0.002 0.003 0.004 "
               "kg.m^2' position='%.17g 0 0 m'><shape id='a0' kind='point' at='0 0 0 m'/>"
               "<shape id='a1' kind='point' at='0.31 0 0 m'/></body>"
               "<contact id='c0' a='floor' b='a0'/><contact id='c1' a='floor' b='a1'/>"
               "<body id='b' mass='0.7 kg' inertia='0.001 0.002 0.0025 kg.m^2'><shape id='b2' "
               "kind='point' at='0.23 0 0 m'/></body>"
               "<joint id='j' parent='a' child='b' at='0.31 0 0 m' kind='revolute' axis='0 0 1' "
               "q0='0.7 rad' w0='-2.3 rad/s'/><contact id='c2' a='floor' b='b2'/></mechanism>"
               "</screwbond>",
               y, x) < TEXT);
  run r = start_netlist(text);
  advance(&r, 0.32);
  const sb_ledger *ledger = ledger_of(&r);
  int first = 0;
  while (first < ledger->event_count && strcmp(ledger->events[first].kind, "release") != 0) {
    first++;
  }
  assert_true(first < ledger->event_count);
  assert_string_equal(ledger->events[first].element, "c1");
  assert_near(ledger->events[first].t, (0.7 - angle_of_release(y)) / 2.3, 1e-9);
  assert_balanced(&r);
  stop(&r);
}

/** However long the step that leads past the pole. */
static void feet_that_come_into_line(void **state) {
  (void)state;
  come_into_line(0.012, 0);
  come_into_line(0.004, 0.4);
  if (PLAIN) {
    come_into_line(0.001, 0.4);
  }
}

static void add_vec3(char text[TEXT], const char *name, sb_vec3 v) {
  add(text, " %s='%.17g %.17g %.17g'", name, v.x, v.y, v.z);
}

/** A block on three feet that stick, and a ball that slides over it, whose spin bends its way, all turned by an angle about an axis. */
static run start_turned(sb_vec3 axis, double angle) {
  const sb_mat3 R = sb_quat_rotation(sb_quat_from_axis_angle(axis, angle));
  const sb_vec3 n = sb_mat3_apply(R, (sb_vec3){0, 0, 1}),
                x = sb_mat3_apply(R, (sb_vec3){-0.05, 0.02, 0.2}),
                v = sb_mat3_apply(R, (sb_vec3){0.3, 0.17, 0}),
                w = sb_mat3_apply(R, (sb_vec3){25, 18, 0});
  char text[TEXT] =
      "<screwbond version='1' id='m'><run t-end='0.2 s' rtol='1e-11'/><laws>"
      "<contact-law id='hard' normal='rigid' friction='coulomb' mu='0.8'/>"
      "<contact-law id='slippery' normal='rigid' friction='coulomb' mu='0.15'/></laws>";
  char turn[200];
  (void)snprintf(turn, sizeof turn, "%.17g rad about %.17g %.17g %.17g", angle, axis.x, axis.y,
                 axis.z);
  add(text, "<mechanism");
  add_vec3(text, "gravity", sb_vec3_scale(n, -g));
  add(text, "><ground id='floor'><shape kind='plane' offset='0 m'");
  add_vec3(text, "normal", n);
  add(text, "/></ground><body id='b' mass='2 kg' inertia='0.01 0.017 0.023 kg.m^2' rotation='%s'",
      turn);
  add_vec3(text, "position", sb_vec3_scale(n, 0.1));
  add(text, "><shape id='top' kind='plane' normal='0 0 1' offset='0.05 m'/>"
            "<shape id='f0' kind='point' at='0.2 0.13 -0.1 m'/><shape id='f1' kind='point' "
            "at='-0.17 0.1 -0.1 m'/><shape id='f2' kind='point' at='0.03 -0.19 -0.1 m'/></body>");
  add(text, "<body id='ball' mass='1.4 kg' inertia='0.002 0.002 0.002 kg.m^2'");
  add_vec3(text, "position", x);
  add_vec3(text, "velocity", v);
  add_vec3(text, "angular-velocity", w);
  add(text, "><shape id='s' kind='sphere' radius='0.05 m'/></body>"
            "<contact id='k' a='top' b='s' law='slippery'/>");
  for (int i = 0; i < 3; i++) {
    add(text, "<contact id='c%d' a='floor' b='f%d' law='hard'/>", i, i);
  }
  add(text, "</mechanism></screwbond>");
  return start_netlist(text);
}

/** What statics leaves open of the forces on three feet that stick, nine for six equations, is the same in all frames: those
 *  next to the ones that the last event found, in a norm that does not depend on how the tangential axes lie. */
static void shares_are_of_no_frame(void **state) {
  static const struct {
    sb_vec3 axis;
    double angle;
  } frames[] = {{{0, 0, 1}, 0}, {{0, 0, 1}, 0.7}, {{0.6, 0, 0.8}, 2.1}, {{0, -1, 0}, 1}};
  sb_vec3 plain[3];
  (void)state;
  for (int k = 0; k < 4; k += THOROUGH ? 1 : 2) {
    const sb_mat3 R = sb_quat_rotation(sb_quat_from_axis_angle(frames[k].axis, frames[k].angle));
    run r = start_turned(frames[k].axis, frames[k].angle);
    advance(&r, 0.2);
    for (int i = 0; i < 3; i++) {
      char name[20];
      double f[3];
      (void)snprintf(name, sizeof name, "c%d.force", i);
      read_all(&r, name, f);
      const sb_vec3 own = sb_mat3_apply_transposed(R, sb_vec3_load(f));
      plain[i] = k == 0 ? own : plain[i];
      assert_near(own.x, plain[i].x, 1e-8);
      assert_near(own.y, plain[i].y, 1e-8);
      assert_near(own.z, plain[i].z, 1e-8);
    }
    assert_balanced(&r);
    stop(&r);
  }
}

/** A block of 2 kg on feet at (+-a, +-b, -h) that begins to slide from rest along s, all turned by an angle about an axis. */
static run start_slide(sb_vec3 axis, double angle, const double s[2]) {
  const double slope = 0.5;
  const sb_mat3 R = sb_quat_rotation(sb_quat_from_axis_angle(axis, angle));
  const sb_vec3 n = sb_mat3_apply(R, (sb_vec3){0, 0, 1}),
                down = {g * sin(slope) * s[0], g * sin(slope) * s[1], -g * cos(slope)};
  char text[TEXT] = "<screwbond version='1' id='m'><laws><contact-law id='l' normal='rigid' "
                    "friction='coulomb' mu='0.3'/></laws><mechanism";
  add_vec3(text, "gravity", sb_mat3_apply(R, down));
  add(text, "><ground id='floor'><shape kind='plane' offset='0 m'");
  add_vec3(text, "normal", n);
  add(text,
      "/></ground><body id='b' mass='2 kg' inertia='0.02 0.03 0.04 kg.m^2' "
      "rotation='%.17g rad about %.17g %.17g %.17g'",
      angle, axis.x, axis.y, axis.z);
  add_vec3(text, "position", sb_vec3_scale(n, 0.05));
  add(text, ">");
  add_feet(text, "f", 0.2, 0.1, 0.05);
  add(text, "</body>");
  for (int i = 0; i < 4; i++) {
    add(text, "<contact id='c%d' a='floor' b='f%d' law='l'/>", i, i);
  }
  add(text, "</mechanism></screwbond>");
  return start_netlist(text);
}

/** Of all normal forces with Sum N = m g cos and, about the centre, Sum N (x, y) = mu h s m g cos those of least norm are linear in x and y:
 *  N/4 (1 + mu h (s_x x/a^2 + s_y y/b^2)). Slips that begin at rest share as those that last, in every frame. */
static void slips_from_rest_share_in_every_frame(void **state) {
  const struct {
    sb_vec3 axis;
    double angle;
  } frames[] = {{{1, 0, 0}, 0}, {{0, 0, 1}, 0.7}, {{0.3, -0.8, 0.5}, 2.385}, {{1, 2, 3}, 1}};
  const double directions[] = {0.3, 1.1}, a = 0.2, b = 0.1, mu = 0.3, all = 2 * g * cos(0.5);
  (void)state;
  for (int k = 0; k < 8; k++) {
    const double s[2] = {cos(directions[k / 4]), sin(directions[k / 4])};
    run r = start_slide(frames[k % 4].axis, frames[k % 4].angle, s);
    const sb_mat3 R =
        sb_quat_rotation(sb_quat_from_axis_angle(frames[k % 4].axis, frames[k % 4].angle));
    for (int pass = 0; pass < 2; pass++) {
      advance(&r, 0.05 * pass);
      for (int i = 0; i < 4; i++) {
        const double x = i < 2 ? a : -a, y = i % 2 == 0 ? b : -b;
        const double N = all / 4 * (1 + mu * 0.05 * (s[0] * x / (a * a) + s[1] * y / (b * b)));
        char name[40];
        double f[3];
        (void)snprintf(name, sizeof name, "c%d.force", i);
        read_all(&r, name, f);
        const sb_vec3 own = sb_mat3_apply_transposed(R, sb_vec3_load(f));
        assert_near(own.x, -mu * N * s[0], 1e-12); // 8e-7 by the edges of a pyramid
        assert_near(own.y, -mu * N * s[1], 1e-12);
        assert_near(own.z, N, 1e-12);
      }
    }
    assert_balanced(&r);
    stop(&r);
  }
}

/** A link on a pivot rests on its tip, which the floor and friction hold twice, and carries a pendulum: that swings as from a pivot at the
 *  tip, at any tolerance. Places and speeds within a step contradict the two by their errors. */
static void link_rests_on_its_tip(void **state) {
  (void)state;
  static const double rtols[] = {1e-3, 1e-5, 1e-7, 1e-9};
  double angle[5];
  for (int k = 0; k < 5; k++) { // the last: from the pivot
    char text[TEXT];
    text[0] = '\0';
    add(text,
        "<screwbond version='1' id='m'><run t-end='2 s' rtol='%.17g'/><laws><contact-law "
        "id='hard' normal='rigid' friction='coulomb' mu='2'/></laws><mechanism gravity='0 0 "
        "-9.81 m/s^2'><ground id='floor'><shape kind='plane' normal='0 0 1' offset='-0.4 "
        "m'/></ground><body id='low' mass='0.5 kg' com='0.25 0 0 m' inertia='1e-4 0.01 0.01 "
        "kg.m^2'><shape id='tip' kind='point' at='0.5 0 0 m'/></body><joint id='j' "
        "kind='revolute' axis='0 1 0' parent='world' child='low' q0='%.17g rad'/><contact id='c' "
        "a='floor' b='tip' law='hard'/><body id='up' mass='0.5 kg' com='0.25 0 0 m' "
        "inertia='1e-4 0.01 0.01 kg.m^2'/>",
        k < 4 ? rtols[k] : 1e-10, asin(0.8));
    add(text,
        "<joint id='swing' kind='revolute' axis='0 1 0' parent='%s' child='up' at='%s m' "
        "q0='%.17g rad'/></mechanism></screwbond>",
        k < 4 ? "low" : "world", k < 4 ? "0.5 0 0" : "0.3 0 -0.4", k < 4 ? 1 : 1 + asin(0.8));
    run r = start_netlist(text);
    advance(&r, 2);
    angle[k] = value(&r, "swing.q");
    assert_near(value(&r, "j.q"), asin(0.8), 1e-13);
    assert_true(ledger_of(&r)->structure.residual_relative < 1e-12);
    stop(&r);
  }
  for (int k = 0; k < 4; k++) {
    assert_near(angle[k], angle[4] - asin(0.8), 100 * rtols[k]);
  }
}

/** Two boxes on four feet fall on a belt that moves to and fro. As one strikes, the feet of the other hold it by impulses of rounding: 1e-33 J are
 *  no energy that a law of impacts gives. */
static void boxes_fall_on_a_belt(void **state) {
  (void)state;
  char text[TEXT] = "";
  add(text, "<screwbond version='1' id='m'><run t-end='0.3 s'/><laws><contact-law id='l' "
            "normal='rigid' restitution='0.3' friction='coulomb' mu='0.405122837184379'/></laws>"
            "<defaults><contact law='l'/></defaults><mechanism gravity='0 0 -9.81 m/s^2'><body "
            "id='belt' mass='5' inertia='1 1 1'><shape id='top' kind='plane' normal='0 0 1'/>"
            "</body><joint id='j' kind='prismatic' axis='1 0 0' parent='world' child='belt'/>");
  for (int b = 0; b < 2; b++) {
    add(text, "<body id='b%d' mass='1' inertia='0.003 0.003 0.003' position='%g 0 %.17g'>", b,
        0.3 * b, b == 0 ? 0.052331201236235934 : 0.05466240247247187);
    for (int k = 0; k < 4; k++) {
      add(text, "<shape id='k%d%d' kind='sphere' radius='1 cm' at='%g %g -0.04'/>", b, k,
          k < 2 ? 0.05 : -0.05, k % 2 ? -0.05 : 0.05);
    }
    add(text, "</body>");
    for (int k = 0; k < 4; k++) {
      add(text, "<contact id='c%d%d' a='top' b='k%d%d'/>", b, k, b, k);
    }
  }
  add(text, "</mechanism><network><Sf id='v' domain='translation' "
            "flow='0.19063324181662916[m/s]*sin(2*pi*2[Hz]*t)'/><bond from='v' to='j'/></network>"
            "</screwbond>");
  run r = start_netlist(text);
  advance(&r, 0.3);
  for (int b = 0; b < 2; b++) { // they lie, and none has turned
    assert_near(component(&r, b == 0 ? "b0.position" : "b1.position", 2), 0.05, 1e-9);
    assert_near(component(&r, b == 0 ? "b0.angular-velocity" : "b1.angular-velocity", 2), 0, 1e-9);
  }
  assert_closes(&r);
  stop(&r);
}

/** A plate on four feet slides over a table whose rounded edge is 20 deg askew. Where the edge begins under a foot the table falls away from it, while
 *  three others hold the plate: that foot lets go, whatever it bore, and the plate goes on as before on the three. */
static void foot_slides_over_an_edge(void **state) {
  (void)state;
  static const double a = 0.1, h = 0.05, c = -0.03, v = 0.5, x = 0.85;
  for (int i = 0; i < 3; i++) {
    const double turn = 20 * acos(-1) / 180;
    const double mu = 0.05 * i, way = (0.98 - a * sin(turn)) / cos(turn) - a - x;
    char text[TEXT] = "";
    add(text,
        "<screwbond version='1' id='m'><run t-end='0.2 s' rtol='1e-9'/><laws><contact-law id='l' "
        "normal='rigid' friction='coulomb' mu='%g'/></laws><mechanism gravity='0 0 -9.81 "
        "m/s^2'><ground id='f'><shape kind='box' size='2 2 0.2 m' edge-radius='2 cm' at='0 0 -0.1 "
        "m' rotation='20 deg about 0 0 1'/></ground><body id='b' mass='1.3 kg' inertia='0.01 0.012 "
        "0.02 kg.m^2' com='%g %g 0 m' position='%g 0 %g m' velocity='%g 0 0 m/s'>",
        mu, c, c, x, h, v);
    for (int k = 0; k < 4; k++) {
      add(text, "<shape id='s%d' kind='sphere' radius='1 cm' at='%g %g -0.04 m'/>", k,
          k < 2 ? -a : a, k % 2 == 0 ? -a : a);
    }
    add(text, "</body>");
    for (int k = 0; k < 4; k++) {
      add(text, "<contact id='c%d' a='f' b='s%d' law='l'/>", k, k);
    }
    add(text, "</mechanism></screwbond>");
    run r = start_netlist(text);
    advance(&r, 0.2);
    const double slows = mu * g, weight = 1.3 * g,
                 t = mu > 0 ? (v - sqrt(v * v - 2 * slows * way)) / slows : way / v;
    assert_near(event_time(&r, "release", 0), t, 1e-9);
    assert_int_equal(events_of(&r, "release", "c3"), 1);
    assert_int_equal(count_events(&r, "release"), 1);
    assert_near(component(&r, "b.velocity", 0), v - 0.2 * slows, 1e-9);
    assert_near(component(&r, "b.angular-velocity", 2), 0, 1e-9);
    assert_near(component(&r, "c1.force", 2), weight * (1 + c / a) / 2, 1e-7);
    assert_near(component(&r, "c2.force", 2), weight * (1 + (c + mu * h) / a) / 2, 1e-7);
    assert_balanced(&r);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(shares_are_of_no_frame),
                                     cmocka_unit_test(slips_from_rest_share_in_every_frame),
                                     cmocka_unit_test(feet_that_come_into_line),
                                     cmocka_unit_test(feet_share_until_the_last),
                                     cmocka_unit_test(block_stands),
                                     cmocka_unit_test(block_slides),
                                     cmocka_unit_test(block_stops),
                                     cmocka_unit_test(block_tips),
                                     cmocka_unit_test(block_spins_down),
                                     cmocka_unit_test(block_spins_without_friction),
                                     cmocka_unit_test(table_under_a_load),
                                     cmocka_unit_test(stack_of_two),
                                     cmocka_unit_test(link_rests_on_its_tip),
                                     cmocka_unit_test(kinks_at_rest_are_no_impacts),
                                     cmocka_unit_test(boxes_fall_on_a_belt),
                                     cmocka_unit_test(foot_slides_over_an_edge)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
