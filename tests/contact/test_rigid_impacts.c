// SPDX-License-Identifier: GPL-3.0-or-later
// Impacts of rigid contacts with friction against closed forms, and the laws of restitution of the single-impact benchmark by
// Routh's method. Expected values were computed apart from this program, by closed forms of rods and balls.
#include "tests/contact/rigid_runs.h"

/** A rod at 60 deg with a plastic end: dropped from 0.5 m it leaves the floor at once, from 0.1 m it slides on. */
static run drop_rod(double height) {
  char inside[TEXT];
  double s = sqrt(3) / 4;
  (void)snprintf(
      inside, sizeof inside,
      "<body id='rod' mass='2 kg' inertia='%.17g %.17g %.17g kg.m^2' position='0 0 %.17g m'>"
      "<shape kind='point' at='-0.25 0 %.17g m'/></body><contact id='c' a='floor' b='rod'/>",
      1. / 6, 1. / 6, 1. / 6, height + s, -s);
  return rigid("", "0 0 -9.81", inside);
}

static void rod_on_its_end(void **state) {
  (void)state;
  run r = drop_rod(0.5);
  advance(&r, 0.32);
  assert_near(event_of(&r, 0)->t, 0.3192754284070505, 1e-11);
  assert_near(event_of(&r, 0)->loss, 5.605714285714287, 1e-10);
  assert_near(component(&r, "rod.angular-velocity", 1), 5.369300490296855, 1e-10);
  assert_near(value(&r, "c.touches"), 0, 0);
  advance(&r, 0.477);
  assert_near(event_of(&r, 1)->t, 0.3192754284070505 + 0.15685732455202472, 1e-9);
  assert_balanced(&r);
  stop(&r);
  r = drop_rod(0.1);
  advance(&r, 0.14278431229270644 + 0.1);
  assert_int_equal(ledger_of(&r)->event_count, 1);
  assert_near(event_of(&r, 0)->loss, 1.121142857142857, 1e-10);
  assert_near(component(&r, "rod.angular-velocity", 1), 3.49329272, 1e-8);
  assert_near(value(&r, "c.gap"), 0, 1e-8);
  assert_near(value(&r, "c.touches"), 1, 0);
  assert_balanced(&r);
  stop(&r);
}

/** A solid ball, e = 0.8, slips through its impact by mu = 0.1 and sticks in it by 0.5; all laws agree. */
static void oblique_impact(void **state) {
  (void)state;
  static const char *const laws[] = {"newton", "poisson", "stronge"};
  const char *inside =
      "<body id='ball' mass='1 kg' inertia='0.004 0.004 0.004 kg.m^2' position='-0.3 0 0.3 m' "
      "velocity='3 0 "
      "-2 m/s'><shape kind='sphere' radius='0.1 m'/></body><contact a='floor' b='ball'/>";
  for (int k = 0; k < 6; k++) {
    bool sticks = k >= 3;
    char law[200];
    (void)snprintf(law, sizeof law, "restitution='0.8' friction='coulomb' mu='%s' impact='%s'",
                   sticks ? "0.5" : "0.1", laws[k % 3]);
    run r = rigid(law, "0 0 0", inside);
    advance(&r, 0.2);
    assert_near(component(&r, "ball.velocity", 0), sticks ? 15. / 7 : 2.64, 1e-12);
    assert_near(component(&r, "ball.velocity", 2), 1.6, 1e-12);
    assert_near(component(&r, "ball.angular-velocity", 1), sticks ? 150. / 7 : 9, 1e-11);
    assert_near(event_of(&r, 0)->loss, sticks ? 2.005714285714286 : 1.5732, 1e-12);
    assert_balanced(&r);
    stop(&r);
  }
}

/** A rod in a corner: both ends at once; and a ladder that lets go of the wall where sin th = (2/3) sin th0. */
static run lean(double angle, const char *motion, const char *gravity) {
  char inside[TEXT];
  double c = cos(angle) / 2, s = sin(angle) / 2;
  (void)snprintf(
      inside, sizeof inside,
      "<body id='rod' mass='2 kg' inertia='%.17g %.17g %.17g kg.m^2' position='%.17g 0 %.17g m' "
      "%s><shape id='foot' kind='point' at='%.17g 0 %.17g m'/><shape id='top' kind='point' "
      "at='%.17g 0 %.17g m'/></body><ground id='wall'><shape kind='plane' normal='1 0 0' "
      "offset='0 m'/></ground><contact id='f' a='floor' b='foot'/><contact id='w' a='wall' "
      "b='top'/>",
      1. / 6, 1. / 6, 1. / 6, c, s, motion, c, -s, -c, s);
  return rigid("", gravity, inside);
}

static void rod_in_a_corner(void **state) {
  (void)state;
  run r = lean(pi / 4, "velocity='-1 0 -2 m/s'", "0 0 0");
  assert_near(component(&r, "rod.velocity", 0), 0.375, 1e-12);
  assert_near(component(&r, "rod.velocity", 2), -0.375, 1e-12);
  assert_near(component(&r, "rod.angular-velocity", 1), -1.0606601717798212, 1e-11);
  assert_near(event_of(&r, 0)->loss + event_of(&r, 1)->loss, 4.625, 1e-12);
  stop(&r);
  r = lean(75 * pi / 180, "", "0 0 -9.81");
  assert_near(value(&r, "w.normal-force"), 3.678750000000001, 1e-11);
  assert_near(value(&r, "f.normal-force"), 18.634281908344008, 1e-11);
  advance(&r, 0.3);
  assert_near(value(&r, "w.normal-force"), 4.92876515685723, 1e-8);
  assert_near(value(&r, "f.normal-force"), 15.055549699380217, 1e-8);
  advance(&r, 0.5);
  assert_near(event_of(&r, 2)->t, 0.4941101964642969, 1e-9);
  assert_string_equal(event_of(&r, 2)->kind, "release");
  assert_near(component(&r, "rod.velocity", 0), 0.9911261074478099, 1e-9);
  assert_balanced(&r);
  stop(&r);
}

/** A rod whose lower end is dragged (Painleve): the force is -b/A, or none where the end lifts off by itself. */
static void check_dragged(double mu, double slip, double w, double force) {
  char text[TEXT];
  const double c = 0.25, s = sqrt(3) / 4; // half the rod
  (void)snprintf(
      text, sizeof text,
      "<screwbond version='1' id='m'><laws><contact-law id='hard' normal='rigid' "
      "friction='coulomb' "
      "mu='%g'/></laws><mechanism gravity='0 0 -9.81 m/s^2'>%s<body id='rod' mass='1 kg' "
      "inertia='%.17g %.17g %.17g kg.m^2' position='0 0 %.17g m' velocity='%.17g 0 %.17g m/s' "
      "angular-velocity='0 %.17g 0 rad/s'><shape kind='point' at='%.17g 0 %.17g "
      "m'/></body><contact "
      "id='c' a='floor' b='rod' law='hard'/></mechanism><run t-end='1 s'/></screwbond>",
      mu, floor_, 1. / 12, 1. / 12, 1. / 12, s, slip - w * s, w * c, -w, -c, -s);
  run r = start_netlist(text);
  assert_near(value(&r, "c.normal-force"), force, 1e-9);
  stop(&r);
}

static void painleve(void **state) {
  (void)state;
  check_dragged(1, -1, 0, 21.7535009576);
  check_dragged(1, -1, -2, 17.9127090207);
  check_dragged(1, -1, -5, 0);
  check_dragged(1, 1, 0, 3.21740813332);
  check_dragged(
      1.5, -1, -6,
      0); // -b/A > 0 would be another force: that of a contact without yield from zero is none
}

/** No force lets the rod be dragged on where mu > (1 + 3 c^2)/(3 s c), s and c of its angle: friction stops its end at once, without a
 *  collision. By the angular momentum about that end w = 3 v s/(4 l), the loss is m v^2 (1 + 3 c^2)/8, and the rod then turns about its end,
 *  w^2 - w0^2 = 3 g (s0 - s)/(2 l). Below that mu the end slides on. */
static void dragged_rod_is_stopped(void **state) {
  (void)state;
  static const double angles[] = {1.0472, 1.15, 0.95}, speeds[] = {1, 2.385, 0.3};
  for (int k = 0; k < 6; k++) {
    const double angle = angles[k % 3], v = speeds[k % 3], half = 0.35, m = 1.7,
                 I = m * half * half / 3;
    const double c = cos(angle), s = sin(angle), least = (1 + 3 * c * c) / (3 * s * c);
    char law[100], inside[TEXT];
    (void)snprintf(law, sizeof law,
                   "friction='coulomb' mu='%.17g' restitution='0.4' impact='stronge'",
                   least * (k < 3 ? 1.02 : 0.98));
    (void)snprintf(inside, sizeof inside,
                   "<body id='rod' mass='%g kg' inertia='%.17g %.17g %.17g kg.m^2' position='0 0 "
                   "%.17g m' velocity='%.17g 0 0 m/s'><shape kind='point' at='%.17g 0 %.17g "
                   "m'/></body><contact id='c' a='floor' b='rod'/>",
                   m, I, I, I, half * s, -v, -half * c, -half * s);
    run r = rigid(law, "0 0 -9.81", inside);
    advance(&r, 1e-9);
    const double w0 = component(&r, "rod.angular-velocity", 1);
    assert_int_equal(ledger_of(&r)->event_count, 1);
    if (k >= 3) {
      assert_string_equal(event_of(&r, 0)->kind, "touch");
      assert_true(value(&r, "c.normal-force") > 100); // it grows without bound towards that mu
      stop(&r);
      continue;
    }
    assert_string_equal(event_of(&r, 0)->kind, "impact");
    assert_string_equal(event_of(&r, 0)->element, "c");
    assert_near(event_of(&r, 0)->loss, m * v * v * (1 + 3 * c * c) / 8, 1e-12);
    assert_near(fabs(w0), 3 * v * s / (4 * half), 1e-6);
    assert_near(value(&r, "c.sticks"), 1, 0);
    advance(&r, 0.05);
    const double w = component(&r, "rod.angular-velocity", 1),
                 now = component(&r, "rod.position", 2) / half;
    assert_near(value(&r, "c.sticks"), 1, 0);
    assert_near(w * w - w0 * w0, 3 * 9.81 * (s - now) / (2 * half), 1e-6);
    assert_balanced(&r);
    stop(&r);
  }
}

/** The same on two feet side by side: neither slides on alone. The loss is that of the rod, half of it at each. */
static void dragged_plate_is_stopped(void **state) {
  (void)state;
  const double angle = 1.0472, v = 2.385, half = 0.35, m = 1.7, I = m * half * half / 3;
  const double c = cos(angle), s = sin(angle), least = (1 + 3 * c * c) / (3 * s * c);
  char law[100], inside[TEXT];
  (void)snprintf(law, sizeof law, "friction='coulomb' mu='%.17g'", least * 1.02);
  (void)snprintf(inside, sizeof inside,
                 "<body id='plate' mass='%g kg' inertia='%.17g %.17g %.17g kg.m^2' position='0 0 "
                 "%.17g m' velocity='%.17g 0 0 m/s'><shape id='l' kind='point' at='%.17g 0.1 %.17g "
                 "m'/><shape id='r' kind='point' at='%.17g -0.1 %.17g m'/></body><contact id='cl' "
                 "a='floor' b='l'/><contact id='cr' a='floor' b='r'/>",
                 m, I, I, I, half * s, -v, -half * c, -half * s, -half * c, -half * s);
  run r = rigid(law, "0 0 -9.81", inside);
  advance(&r, 1e-9);
  const double w0 = component(&r, "plate.angular-velocity", 1);
  assert_int_equal(ledger_of(&r)->event_count, 2);
  for (int k = 0; k < 2; k++) {
    assert_string_equal(event_of(&r, k)->kind, "impact");
    assert_near(event_of(&r, k)->loss, m * v * v * (1 + 3 * c * c) / 16, 1e-9);
  }
  assert_near(event_of(&r, 0)->loss + event_of(&r, 1)->loss, m * v * v * (1 + 3 * c * c) / 8,
              1e-12);
  assert_near(fabs(w0), 3 * v * s / (4 * half), 1e-6);
  advance(&r, 0.05);
  const double w = component(&r, "plate.angular-velocity", 1),
               now = component(&r, "plate.position", 2) / half;
  assert_near(value(&r, "cl.sticks") + value(&r, "cr.sticks"), 2, 0);
  assert_near(w * w - w0 * w0, 3 * 9.81 * (s - now) / (2 * half), 1e-6);
  assert_balanced(&r);
  stop(&r);
}

/** A foot of 2 a by 2 h on four points lands heel first, plastically and without slip: by the angular momentum about the heel it turns at w0; by the
 *  energy it turns at w1 when the toe lands; there it stops flat, as J + m h^2 < m a^2 lets the heel push, too. */
static void foot_lands_heel_first(void **state) {
  (void)state;
  const double a = 0.12, h = 0.025, m = 1.2, J = 0.004, g = 9.81, vx = 0.13, vz = -0.45;
  const double tilt = 0.3, c = cos(tilt), s = sin(tilt);
  const double x = a * c - h * s, z = a * s + h * c; // of the centre from the heel
  char inside[TEXT];
  (void)snprintf(
      inside, sizeof inside,
      "<body id='foot' mass='%g kg' inertia='0.002 %g 0.005 kg.m^2' position='0 0 %.17g m' "
      "rotation='%.17g rad about 0 1 0' velocity='%g 0 %g m/s'>"
      "<shape id='h1' kind='point' at='-%g -0.05 -%g m'/><shape id='h2' kind='point' "
      "at='-%g 0.05 -%g m'/><shape id='t1' kind='point' at='%g -0.05 -%g m'/>"
      "<shape id='t2' kind='point' at='%g 0.05 -%g m'/></body><contact id='ch1' "
      "a='floor' b='h1'/><contact id='ch2' a='floor' b='h2'/><contact id='ct1' "
      "a='floor' b='t1'/><contact id='ct2' a='floor' b='t2'/>",
      m, J, z, -tilt, vx, vz, a, h, a, h, a, h, a, h);
  run r = rigid("friction='coulomb' mu='4'", "0 0 -9.81", inside);
  const double about = J + m * (a * a + h * h), w0 = m * (z * vx - x * vz) / about;
  const double w1 = sqrt(w0 * w0 + 2 * m * g * (z - h) / about);
  advance(&r, 1e-9);
  assert_near(component(&r, "foot.angular-velocity", 1), w0, 1e-6);
  double loss = event_of(&r, 0)->loss + event_of(&r, 1)->loss;
  assert_near(loss, 0.5 * m * (vx * vx + vz * vz) - 0.5 * about * w0 * w0, 1e-12);
  advance(&r, 1);
  assert_near(component(&r, "foot.angular-velocity", 1), 0, 1e-12);
  assert_near(component(&r, "foot.position", 2), h, 1e-10);
  assert_near(component(&r, "foot.position", 0), a - x, 1e-8);
  double second = 0;
  for (int k = 2; k < ledger_of(&r)->event_count; k++) {
    second += event_of(&r, k)->loss;
  }
  assert_near(second, 0.5 * about * w1 * w1, 1e-7);
  assert_near(value(&r, "ch1.normal-force") + value(&r, "ct1.normal-force"), m * g / 2, 1e-9);
  assert_balanced(&r);
  stop(&r);
}

/** Single-impact benchmark, case a: the tip of two rods. The loss over T0, by the law and mu. */
static void laws_with_friction(void **state) {
  (void)state;
  static const double W[9] = {
      .5213895303712677, .7597074202703038, 0, .7597074202703038, 1.207939512726977, 0, 0, 0, 1};
  static const double v[3] = {-1.3090169943749472, -2.683107323864031, 0}, T0 = 4.6229618681342775;
  static const struct {
    double mu, e;
    int law;
    double loss;
  } rows[] = {{0, .5, SB_ROUTH_STRONGE, .266587},  {.1, .5, SB_ROUTH_STRONGE, .321533},
              {.5, .5, SB_ROUTH_STRONGE, .440219}, {.9, .5, SB_ROUTH_STRONGE, .494771},
              {.1, .5, SB_ROUTH_POISSON, .322454}, {.5, .5, SB_ROUTH_POISSON, .443750},
              {.9, .5, SB_ROUTH_POISSON, .498685}, {.1, .5, SB_ROUTH_NEWTON, .311515},
              {.5, .5, SB_ROUTH_NEWTON, .317811},  {.7, .5, SB_ROUTH_NEWTON, -.062952},
              {.5, .9, SB_ROUTH_STRONGE, .336414}, {.9, .9, SB_ROUTH_POISSON, .455551},
              {.5, 1, SB_ROUTH_STRONGE, .303528},  {.5, 1, SB_ROUTH_NEWTON, -.379425},
              {1, 1, SB_ROUTH_POISSON, .457596}};
  for (size_t k = 0; k < 2 * sizeof rows / sizeof *rows; k++) {
    double p[3], loss = 0, plane[9];
    memcpy(plane, W, sizeof plane);
    plane[8] = (double)(k % 2); // 0: the rods do not move out of their plane
    assert_true(sb_routh(plane, v, 0, rows[k / 2].mu, rows[k / 2].e, rows[k / 2].law, p));
    for (int i = 0; i < 3; i++) {
      double u = v[i];
      for (int j = 0; j < 3; j++) {
        u += plane[3 * i + j] * p[j];
      }
      loss -= 0.5 * p[i] * (v[i] + u);
    }
    assert_near(loss / T0, rows[k / 2].loss, 6e-7);
  }
}

/** The benchmark as a mechanism, from its impact at the start; Newton's law, where it gives energy, is named. */
static void double_pendulum_hits(void **state) {
  (void)state;
  static const struct {
    const char *law;
    double phi1, phi2, T0, loss; // [deg]
  } rows[] = {{"impact='stronge' friction='coulomb' mu='0.5'", 18, 12, 4.6229618681342775, .440219},
              {"impact='poisson' friction='coulomb' mu='0.9'", 18, 12, 4.6229618681342775, .498685},
              {"impact='newton' friction='coulomb' mu='0.5'", 18, 12, 4.6229618681342775, .317811},
              {"impact='newton'", 0, 20.7, 4.537554728326401, .111906},
              {"impact='stronge' friction='coulomb' mu='0.5'", 0, 20.7, 4.537554728326401, .381215},
              {"impact='newton' friction='coulomb' mu='0.7'", 18, 12, 4.6229618681342775, NAN}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    char text[TEXT];
    double a = rows[k].phi1 * pi / 180, b = a + rows[k].phi2 * pi / 180;
    (void)snprintf(
        text, sizeof text,
        "<screwbond version='1' id='m'><laws><contact-law id='hard' normal='rigid' "
        "restitution='0.5' %s/></laws><mechanism gravity='0 -9.81 0 m/s^2'><body id='u' mass='2 "
        "kg' "
        "com='0 -0.5 0 m' inertia='%.17g %.17g %.17g kg.m^2'/><body id='l' mass='2 kg' com='0 -0.5 "
        "0 m' "
        "inertia='%.17g %.17g %.17g kg.m^2'><shape kind='point' at='0 -1 0 m'/></body><joint "
        "id='j1' "
        "kind='revolute' axis='0 0 1' parent='world' child='u' q0='%.17g deg' w0='-1 "
        "rad/s'/><joint id='j2' "
        "kind='revolute' axis='0 0 1' parent='u' child='l' at='0 -1 0 m' q0='%.17g deg' w0='-1 "
        "rad/s'/>"
        "<ground id='floor'><shape kind='plane' normal='0 1 0' offset='%.17g m'/></ground><contact "
        "id='c' "
        "a='floor' b='l' law='hard'/></mechanism><run t-end='1 s' rtol='1e-10'/></screwbond>",
        rows[k].law, 1. / 6, 1. / 6, 1. / 6, 1. / 6, 1. / 6, 1. / 6, rows[k].phi1, rows[k].phi2,
        -cos(a) - cos(b));
    if (isnan(rows[k].loss)) {
      sb_error err;
      double t;
      assert_int_equal(try_run(text, 0.1, &t, &err), SB_ERR_SOLVER);
      assert_non_null(
          strstr(err.text, "'c' at t = 0 s: the impact law 'newton' gives energy here, 0.291"));
      continue;
    }
    run r = start_netlist(text);
    assert_near(event_of(&r, 0)->loss / rows[k].T0, rows[k].loss, 6e-7);
    advance(&r, 1e-4);
    assert_balanced(&r);
    stop(&r);
  }
}

/** By Stronge's law the impulse pushes, lies in the cone of friction, and loses energy, in three dimensions too. */
static void impulse_in_the_cone(void **state) {
  (void)state;
  static const double W[9] = {.52, .3, -.2, .3, 1.2, .1, -.2, .1, .9};
  for (int k = 0; k < 12; k++) {
    double p[3], loss = 0, mu = 0.1 + 0.1 * k, v[3] = {-1, 0.7 * cos(k), 0.7 * sin(k)};
    assert_true(sb_routh(W, v, 0, mu, 0.6, SB_ROUTH_STRONGE, p));
    for (int i = 0; i < 3; i++) {
      double u = v[i];
      for (int j = 0; j < 3; j++) {
        u += W[3 * i + j] * p[j];
      }
      loss -= 0.5 * p[i] * (v[i] + u);
    }
    assert_true(p[0] > 0 && hypot(p[1], p[2]) <= mu * p[0] * (1 + 1e-9));
    assert_true(loss > 0);
  }
}

/** A ball that falls 10 cm into a groove of half angle a = 0.7, mu = 1 > tan a: to be thrown back it would slide up both sides, where friction takes more than
 *  presses it, cos a < mu sin a. So no impulse gives it what Newton's restitution asks for, and the refusal names the laws that ask for other things. */
static void ball_wedges_in_a_groove(void **state) {
  (void)state;
  static const char *const laws[] = {"impact='newton'", "impact='stronge'", "impact='poisson'",
                                     "impacts='sequential'"};
  for (int k = 0; k < 4; k++) {
    char text[1200];
    sb_error err = {0};
    double t;
    assert_true(
        snprintf(
            text, sizeof text,
            "<screwbond version='1' id='v'><laws><contact-law id='l' normal='rigid' "
            "friction='coulomb' mu='1' restitution='0.3' %s/></laws><mechanism gravity='0 0 "
            "-9.81 m/s^2'><ground id='g1'><shape kind='plane' normal='%.17g 0 %.17g'/></ground>"
            "<ground id='g2'><shape kind='plane' normal='%.17g 0 %.17g'/></ground><body id='b' "
            "mass='1 kg' position='0 0 %.17g m'><shape kind='sphere' radius='0.1 m'/></body>"
            "<contact id='c1' a='g1' b='b' law='l'/><contact id='c2' a='g2' b='b' law='l'/>"
            "</mechanism><run t-end='0.6 s'/></screwbond>",
            laws[k], cos(0.7), sin(0.7), -cos(0.7), sin(0.7),
            0.1 / sin(0.7) + 0.1) < (int)sizeof text);
    const sb_status status = try_run(text, 0.6, &t, &err);
    assert_int_equal(status, k == 0 ? SB_ERR_SOLVER : SB_OK);
    if (k == 0) {
      assert_near(t, sqrt(2 * 0.1 / 9.81), 1e-9);
      assert_non_null(strstr(err.text, "no impulses are found that satisfy contact and friction"));
      assert_non_null(strstr(err.hint, "take impact=\"stronge\""));
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rod_on_its_end),          cmocka_unit_test(oblique_impact),
      cmocka_unit_test(rod_in_a_corner),         cmocka_unit_test(painleve),
      cmocka_unit_test(dragged_rod_is_stopped),  cmocka_unit_test(dragged_plate_is_stopped),
      cmocka_unit_test(ball_wedges_in_a_groove), repeating_test(foot_lands_heel_first),
      cmocka_unit_test(laws_with_friction),      cmocka_unit_test(double_pendulum_hits),
      cmocka_unit_test(impulse_in_the_cone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
