// SPDX-License-Identifier: GPL-3.0-or-later
// Where the closest points of two bodies cease to be unique a run ends, with the contact, its depths and what
// can be done, and a few steps after the first sign. Short of that it goes on.
#include "tests/contact/balls_into_each_other.h"

/** Above a depth ratio of 0.3 the run is told of, with the largest of it at the end of a step and its time. */
static void assert_remark(run *r, double peak, double time) {
  sb_errors warnings = {0};
  assert_int_equal(sb_simulation_remarks(r->sim, &warnings), SB_OK);
  sb_errors_finish(&warnings);
  assert_int_equal(sb_simulation_remarks(r->sim, &warnings),
                   SB_OK); // it is told once, however often one asks
  assert_int_equal(warnings.count, peak > 0.3);
  if (warnings.count > 0) {
    static const char words[] = "'contact(b,c)': the depth ratio came to ";
    const char *text = warnings.items[0].text;
    char *end;
    assert_int_equal(strncmp(text, words, sizeof words - 1), 0);
    const double ratio = strtod(text + sizeof words - 1, &end);
    assert_int_equal(strncmp(end, ", at t = ", 9), 0);
    assert_near(ratio, peak, 0.01 * peak);
    // near the peak 1 - ratio/peak = (w (t - time))^2/2
    assert_near(strtod(end + 9, NULL), time, sqrt(2 * 0.01) / omega);
    assert_true(warnings.items[0].warning);
    assert_int_equal(warnings.items[0].status, SB_ERR_CONTACT);
    assert_int_equal(warnings.items[0].line, 6);
  }
  sb_errors_finish(&warnings);
}

static void goes_on_short_of_the_end(void **state) {
  (void)state;
  const double peaks[] = {0.29, 0.31, 0.6, 0.9, 0.94};
  for (int i = 0; i < 5; i++) {
    for (int k = 0; k < 3; k++) {
      run r = start_netlist(balls(peaks[i], methods[k]));
      double touch = 0.013 / (peaks[i] * reach * omega);
      advance(&r, touch + pi / (2 * omega));
      assert_near(value(&r, "contact(b,c).depth-ratio"), peaks[i], 1e-7);
      advance(&r, touch + 1.5 * pi / omega);
      assert_int_equal(ledger_of(&r)->event_count, 2);
      assert_near(ledger_of(&r)->events[1].t, touch + pi / omega, 1e-7);
      assert_remark(&r, peaks[i], touch + pi / (2 * omega));
      stop(&r);
    }
  }
}

/** A ball of radius 0.1 m meets a plane, or a disc, with the speed v: its depth comes to v/w, w^2 = k/m, which is told from half of
 *  the thickness of the thinner body on. The depth ratio is 0 on the plane, and on the disc 0.0016. */
static void deep_where_no_depth_ratio_tells(void **state) {
  (void)state;
  static const struct {
    const char *shape;
    double top, half;
  } rows[] = {{"kind='plane' normal='0 0 1' offset='0 m'", 0, 0.1},
              {"kind='ellipsoid' semi-axes='1 1 0.04 m'", 0.04, 0.04}};
  for (int i = 0; i < 8; i++) {
    const double top = rows[i % 2].top, peak = (i < 4 ? 0.98 : 1.02) * rows[i % 2].half, k = 500;
    char text[2000];
    (void)snprintf(
        text, sizeof text,
        "<screwbond version='1' id='deep'><materials><material id='m' stiffness='0 0 %.17g N/m'/>"
        "</materials><mechanism><ground id='g' material='m'><shape %s/></ground>"
        "<body id='b' mass='1.3 kg' material='m' position='0 0 %.17g m' velocity='0 0 %.17g m/s'>"
        "<shape kind='sphere' radius='0.1 m'/></body><contact id='c' a='g' b='b'/></mechanism>"
        "<run t-end='1 s' method='%s' rtol='1e-10'/></screwbond>",
        2 * k, rows[i % 2].shape, top + 0.1 + 0.01, -peak * sqrt(k / 1.3), methods[i / 2 % 2]);
    run r = start_netlist(text);
    sb_errors warnings = {0};
    advance(&r, 1);
    assert_int_equal(events_of(&r, "release", "c"), 1);
    assert_int_equal(sb_simulation_remarks(r.sim, &warnings), SB_OK);
    assert_int_equal(warnings.count, i >= 4);
    if (i >= 4) {
      static const char words[] = "'c': the depth came to ";
      char *end;
      assert_int_equal(strncmp(warnings.items[0].text, words, sizeof words - 1), 0);
      assert_near(strtod(warnings.items[0].text + sizeof words - 1, &end), peak, 0.01 * peak);
      assert_int_equal(strncmp(end, " m, at t = ", 11), 0);
      assert_near(strtod(end + 11, &end), 0.01 / (peak * sqrt(k / 1.3)) + pi / 2 / sqrt(k / 1.3),
                  sqrt(2 * 0.01) / sqrt(k / 1.3));
      char thick[60];
      (void)snprintf(thick, sizeof thick,
                     " s, and the thinner body is %g m thick:", 2 * rows[i % 2].half);
      assert_int_equal(strncmp(end, thick, strlen(thick)), 0);
    }
    sb_errors_finish(&warnings);
    stop(&r);
  }
}

static void ends_where_the_branch_does(void **state) {
  (void)state;
  const double peaks[] = {0.96, 1.2, 5};
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) {
      double touch = 0.013 / (peaks[i] * reach * omega), t;
      run r = start_netlist(balls(peaks[i], methods[k]));
      sb_error err = {0};
      assert_int_equal(sb_simulation_advance(r.sim, 1, &err), SB_ERR_CONTACT);
      t = sb_simulation_time(r.sim);
      double ratio = peaks[i] * sin(omega * (t - touch));
      assert_true(ratio > 0.9 && ratio < 0.9500001);
      assert_true(ledger_of(&r)->work.steps < 150);
      assert_non_null(strstr(err.text, "'contact(b,c)' at t = "));
      assert_non_null(strstr(err.text, "cease to be unique: the depth is 0.16"));
      assert_non_null(strstr(err.text, ", the thinner body 0.14 m thick, and the depth ratio"));
      assert_non_null(
          strstr(err.hint, "a stiffer material, a rounder or thicker surface, or a smaller speed"));
      assert_int_equal(err.line, 6);
      stop(&r);
    }
  }
}

/** Two flat ellipsoids that sink through each other tell by how much, as anything else whose branch ends. */
static void sinks_until_another_pair_is_as_deep(void **state) {
  (void)state;
  sb_error err = {0};
  double t;
  assert_int_equal(
      try_run(
          "<screwbond version='1' id='sunk'><materials><material id='m' stiffness='200 200 300 "
          "N/m'/></materials><laws><contact-law id='l' normal='linear' damping='2 N.s/m'/>"
          "</laws><mechanism gravity='0 0 -9.81'><body id='a' mass='1 kg' inertia='1 1 1' "
          "material='m'><shape kind='ellipsoid' semi-axes='.15 .12 .05' rotation='0.1 rad about "
          "1 0 0'/></body><joint id='j' kind='fixed' parent='world' child='a'/><body id='b' "
          "mass='2 kg' material='m' position='0.01 0.005 0.3' velocity='0 0 -3' rotation='0.3 "
          "rad about 1 2 0'><shape kind='ellipsoid' semi-axes='.15 .12 .05'/></body><contact "
          "a='a' b='b' law='l' id='c'/></mechanism><run t-end='2 s' rtol='1e-8'/></screwbond>",
          2, &t, &err),
      SB_ERR_CONTACT);
  assert_non_null(strstr(err.text, "cease to be unique"));
  assert_non_null(strstr(err.text, "the thinner body is 0.1 m thick, and the depth ratio "));
  assert_non_null(strstr(err.hint, "a stiffer material, a thicker body, or a smaller speed"));
}

/** A rigid ball in a bowl that is as high as it, or hardly higher: the run is refused, or ends where the ball touches the bottom and the
 *  top at once, under a gravity that moves it aside. In a bowl of a, a, c a ball at x across fits up to the radius that c sqrt(1 - (x/a)^2)
 *  is close to. */
static void ends_where_a_hollow_is_touched_twice(void **state) {
  (void)state;
  static const double less[] = {-1e-8, 0, 1e-12, 1e-9, 1e-7, 1e-5}; // [m]
  for (size_t i = 0; i < sizeof less / sizeof *less; i++) {
    for (int k = 0; k < 2; k++) {
      char text[1500];
      (void)snprintf(text, sizeof text,
                     "<screwbond version='1' id='twice'><laws><contact-law id='l' normal='rigid' "
                     "friction='none'/></laws><mechanism gravity='%s 0 -9.81 m/s^2'>\n"
                     "<ground id='f'><shape kind='bowl' semi-axes='0.5 0.5 0.3 m'/></ground>"
                     "<body id='b' mass='1 kg'><shape kind='sphere' radius='%.17g m'/></body>\n"
                     "<contact a='f' b='b' law='l'/></mechanism><run t-end='2 s' max-steps='100'/>"
                     "</screwbond>",
                     k == 0 ? "1" : "0.01", 0.3 - less[i]);
      sb_error err = {0};
      double t;
      const sb_status status = try_run(text, 2, &t, &err);
      if (k == 1 && status == SB_OK) { // it swings short of that
        assert_true(less[i] > 1e-6);
        continue;
      }
      assert_int_equal(status, SB_ERR_CONTACT);
      assert_contains(err.text, less[i] > 2e-10 ? "touches the hollow of the other at two places"
                                                : "at t = 0 s: the closest points of the bodies "
                                                  "cease to be unique: another pair of them");
      assert_string_equal(err.hint, "make the hollow wider, or what is to go into it smaller");
      assert_int_equal(err.line, 3);
    }
  }
}

/** Thin bodies pass each other at small depth ratios. */
static const char *const passing[] = {
    // two discs, one through the other
    "<body id='b' mass='1 kg' material='m' position='0 0 0.5 m' angular-velocity='-0.09 -1.6 -1.6 "
    "rad/s'"
    " rotation='2.894 rad about 0.5238 -0.6194 0.5847'><shape kind='ellipsoid' semi-axes='0.3 0.3 "
    "0.003 m'/></body>"
    "<body id='c' mass='1 kg' material='m' position='0.05 0 1.2 m' angular-velocity='1.28 -3.39 "
    "-3.19 rad/s'"
    " rotation='4.750 rad about -0.2146 0.8 0.5603'><shape kind='ellipsoid' semi-axes='0.3 0.3 "
    "0.003 m'/></body>",
    // a needle through a disc
    "<body id='b' mass='1 kg' material='m' position='0 0 0.5 m' rotation='0.1 rad about 1 0 0'>"
    "<shape kind='ellipsoid' semi-axes='0.3 0.3 0.004 m'/></body>"
    "<body id='c' mass='1 kg' material='m' position='0.02 0.01 1.2 m' velocity='0 0 -9 m/s'"
    " rotation='0.2 rad about 0 1 0.1'><shape kind='ellipsoid' semi-axes='0.02 0.02 0.2 "
    "m'/></body>",
    // a ball through a sheet
    "<body id='b' mass='1 kg' material='m' position='0 0 0.5 m'>"
    "<shape kind='ellipsoid' semi-axes='0.4 0.5 0.002 m'/></body>"
    "<body id='c' mass='9 kg' material='m' position='0.02 0.01 0.9 m' velocity='0 0 -30 m/s'>"
    "<shape kind='sphere' radius='0.05 m'/></body>"};

static void ends_where_bodies_pass(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof passing / sizeof *passing; i++) {
    for (int k = 0; k < 3; k++) {
      char text[2000];
      (void)snprintf(
          text, sizeof text,
          "<screwbond version='1' id='pass'><materials>"
          "<material id='m' stiffness='0 0 2000 N/m' spin-stiffness='0 N.m/rad'/></materials>"
          "<mechanism gravity='0 0 -9.81 m/s^2'>%s<ground id='floor'><shape kind='plane' "
          "normal='0 0 1' offset='-9 m'/></ground><contacts among='floor b c'/></mechanism>"
          "<run t-end='3 s' method='%s' rtol='1e-8'/></screwbond>",
          passing[i], methods[k]);
      run r = start_netlist(text);
      sb_error err = {0};
      assert_int_equal(sb_simulation_advance(r.sim, 3, &err), SB_ERR_CONTACT);
      assert_non_null(strstr(err.text, "'contact(b,c)'"));
      assert_true(ledger_of(&r)->work.steps < 1500);
      stop(&r);
    }
  }
}

/** Bodies that are as deep in each other as they are thick, where the closest points jump across edges: Newton's iteration finds no stage
 *  there, however short the step, and the contact is named. */
static const struct {
  const char *stiffness, *bodies;
} deep[] = {
    {"251.1 251.1 439.4 N/m",
     "<ground id='g' material='m'><shape kind='superellipsoid' semi-axes='0.0837 0.1784 0.0335 "
     "m' exponent='3.95'/></ground><body id='b' mass='1 kg' inertia='4e-3 4e-3 4e-3 kg.m^2' "
     "material='m' position='-0.0305 -0.0005 0.4 m' rotation='89.2 deg about -0.210 0.651 "
     "0.232' velocity='-0.259 -0.211 -2.774 m/s' angular-velocity='0.455 0.279 -2.040 "
     "rad/s'><shape kind='cylinder' radius='0.0714 m' length='0.1011 m' edge-radius='0.0070 "
     "m'/></body>"},
    {"30.9 30.9 1071.3 N/m",
     "<ground id='g' material='m'><shape kind='box' size='0.2309 0.2915 0.1477 m' "
     "edge-radius='0.0080 m'/></ground><body id='b' mass='1 kg' inertia='4e-3 4e-3 4e-3 "
     "kg.m^2' material='m' position='-0.0743 0.0889 0.4 m' rotation='39.8 deg about 0.052 "
     "0.856 0.891' velocity='-0.041 0.164 -1.922 m/s' angular-velocity='-0.244 2.668 -2.528 "
     "rad/s'><shape kind='capsule' radius='0.0368 m' length='0.1314 m'/></body>"},
    {"78.1 78.1 519.9 N/m",
     "<ground id='g' material='m'><shape kind='cylinder' radius='0.0523 m' length='0.0749 m' "
     "edge-radius='0.0135 m'/></ground><body id='b' mass='1 kg' inertia='4e-3 4e-3 4e-3 "
     "kg.m^2' material='m' position='-0.0521 0.0301 0.4 m' rotation='71.3 deg about -0.632 "
     "-0.620 0.627' velocity='0.227 -0.029 -1.839 m/s' angular-velocity='1.955 2.538 -1.930 "
     "rad/s'><shape kind='box' size='0.1102 0.1119 0.1143 m' edge-radius='0.0113 m'/></body>"}};

static void names_what_is_too_deep(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof deep / sizeof *deep; i++) {
    char text[1500];
    (void)snprintf(text, sizeof text,
                   "<screwbond version='1' id='s'><materials><material id='m' stiffness='%s'/>"
                   "</materials><mechanism>%s\n<contact id='c' a='g' b='b'/></mechanism>"
                   "<run t-end='0.8 s' rtol='1e-7' method='kvaerno-5'/></screwbond>",
                   deep[i].stiffness, deep[i].bodies);
    double t;
    sb_error err = {0};
    assert_int_equal(try_run(text, 0.8, &t, &err), SB_ERR_CONTACT);
    assert_non_null(strstr(err.text, "the closest points of the bodies"));
    assert_non_null(strstr(err.text, " m thick"));
    assert_int_equal(err.line, 2);
    assert_int_equal(err.column, 1);
  }
}

/** A capsule that turns through parallel on a face of a box ends there, or just misses it. The stages of an implicit step have no answer
 *  there; not their iteration is named, but the contact. */
static void names_the_contact_of_a_stage(void **state) {
  static const char *const levels[] = {"1e-8", "1e-9", "1e-10"};
  int ended = 0;
  (void)state;
  for (int i = 0; i < 3; i++) {
    char text[1000];
    (void)snprintf(
        text, sizeof text,
        "<screwbond version='1' id='m'><laws><contact-law id='l' normal='linear' "
        "stiffness='1e4 N/m' damping='20 N.s/m'/></laws><mechanism><ground id='f'>"
        "<shape kind='box' size='1 1 0.2 m' edge-radius='0.02 m' at='0 0 -0.1 m'/></ground>"
        "<body id='b' mass='1 kg' position='0.01 0 0.15 m' rotation='75 deg about 0 1 0' "
        "velocity='0 0 -1 m/s' angular-velocity='0 3 0.3 rad/s'>"
        "<shape kind='capsule' radius='0.05 m' length='0.5 m'/></body>"
        "<contact id='c' a='f' b='b' law='l'/></mechanism>"
        "<run t-end='0.25 s' method='kvaerno-5' rtol='%s'/></screwbond>",
        levels[i]);
    sb_error err = {0};
    double t;
    const sb_status status = try_run(text, 0.25, &t, &err);
    assert_true(status == SB_OK || status == SB_ERR_CONTACT);
    ended += status == SB_ERR_CONTACT && strstr(err.text, "cease to be unique") != NULL;
  }
  assert_true(ended > 0);
}

/** Strictly convex bodies fall on a plane where a curvature vanishes, without a turn, and come to rest at their weight: with a
 *  spring at (height h of the middle) - m g/k; where the law is rigid at h. A coordinate of the touching point is zero. */
static void goes_on_where_a_curvature_vanishes(void **state) {
  static const struct {
    const char *shape, *law;
    double rest;
  } rows[] = {
      {"kind='superellipsoid' semi-axes='0.1 0.12 0.08 m' exponent='4'",
       "normal='linear' stiffness='9 kN/m' damping='200 N.s/m'", 0.08 - 9.81 / 9000},
      {"kind='superellipsoid' semi-axes='0.1 0.12 0.08 m' exponent='2.01' rotation='90 deg about 1 "
       "0 0'",
       "normal='linear' stiffness='9 kN/m' damping='200 N.s/m'", 0.12 - 9.81 / 9000},
      {"kind='cylinder' radius='0.05 m' length='0.2 m' edge-radius='5 cm'",
       "normal='linear' stiffness='9 kN/m' damping='200 N.s/m'", 0.1 - 9.81 / 9000},
      {"kind='superellipsoid' semi-axes='0.1 0.12 0.08 m' exponent='4'", "normal='rigid'", 0.08}};
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[1000];
    (void)snprintf(
        text, sizeof text,
        "<screwbond version='1' id='s'><laws><contact-law id='L' %s/></laws>"
        "<mechanism gravity='0 0 -9.81 m/s^2'><body id='b' mass='1 kg' position='0 0 0.13 m'>"
        "<shape %s/></body><ground id='f'><shape kind='plane' normal='0 0 1'/></ground>"
        "<contact a='f' b='b' law='L'/></mechanism><run t-end='1 s'/></screwbond>",
        rows[i].law, rows[i].shape);
    run r = start_netlist(text);
    advance(&r, 1);
    assert_near(value(&r, "b.position.z"), rows[i].rest, 1e-6);
    assert_balanced(&r);
    stop(&r);
  }
}

/** Cylinders with rounded rims that fly towards each other: a long step ends with one deep in the other, where the closest
 *  points are not found; shorter ones find the touch. Both impacts leave the energy that they take in the dampers. */
static void long_steps_into_a_body(void **state) {
  (void)state;
  static const char *const turns[] = {"244 deg about 0.1321 -0.4189 0.0994", "30 deg about 0 1 0",
                                      "45 deg about 1 0.2 0"},
                           *const spins[] = {"-3.9 -0.4 0", "0 0 0.5", "2 1 0"};
  for (int i = 0; i < 3; i++) {
    char inside[2000];
    (void)snprintf(
        inside, sizeof inside,
        "<laws><contact-law id='l' normal='hunt-crossley' exponent='3/2' stiffness='1e6 N/m^(3/2)' "
        "damping-factor='0.3 s/m'/></laws><mechanism gravity='0 0 -9.81 m/s^2'>"
        "<ground id='a'><shape kind='cylinder' radius='0.131 m' length='0.343 m' edge-radius='31 "
        "mm' rotation='%s'/></ground><body id='b' mass='0.7 kg' inertia='3e-3 2e-3 2.5e-3' "
        "position='0.026 0.043 0.413 m' rotation='206 deg about 0.81 -0.26 0.75' velocity='0 0 -1 "
        "m/s' angular-velocity='%s rad/s'><shape kind='cylinder' radius='0.133 m' length='0.288 m' "
        "edge-radius='14 mm'/></body><contact id='c' a='a' b='b' law='l'/></mechanism>",
        turns[i], spins[i]);
    run r = start(inside, 1e-10, 1e-13);
    advance(&r, 0.2);
    assert_true(ledger_of(&r)->event_count >= 2);
    assert_balanced(&r);
    stop(&r);
  }
}

/** On a spring so soft that it comes out at the other side, a point or a ball ends with its contact; through the middle alone
 *  it does not. */
static void passes_through_a_plate(void **state) {
  (void)state;
  static const char *const shapes[] = {"kind='point'", "kind='sphere' radius='2 cm'"};
  for (int i = 0; i < 2; i++) {
    char inside[2000];
    (void)snprintf(
        inside, sizeof inside,
        "<laws><contact-law id='l' normal='linear' stiffness='100 N/m'/></laws><mechanism "
        "gravity='0 0 -9.81 m/s^2'><ground id='F'><shape kind='box' size='1 1 0.2 m' "
        "edge-radius='1 cm' at='0 0 -0.1 m'/></ground><body id='B' mass='1 kg' inertia='0.01 0.01 "
        "0.01' position='0 0 %.17g m'><shape %s/></body><contact id='c' a='F' b='B' law='l'/>"
        "</mechanism>",
        0.05 + 0.02 * i, shapes[i]);
    run r = start(inside, 1e-10, 1e-13);
    sb_error err = {0};
    assert_int_equal(sb_simulation_advance(r.sim, 1, &err), SB_ERR_CONTACT);
    assert_contains(err.text, "those of the contact are no more, as the bodies pass through each");
    assert_near(component(&r, "B.position", 2), i ? -0.18 : -0.19, 1e-4);
    stop(&r);
  }
}

/** A point or a small ball falls h onto the face of a block or a cylinder, whose edges are rounded by less than the depth
 *  d = (m g + sqrt((m g)^2 + 2 k m g h))/k that it comes to; the gap is the height of its lowest point. */
static void deeper_than_the_rounding(void **state) {
  (void)state;
  static const struct {
    const char *ground, *shape;
    double r;
  } rows[] = {
      {"kind='box' size='1 1 0.2 m' edge-radius='1 cm'", "kind='point'", 0},
      {"kind='box' size='1 1 0.2 m' edge-radius='1 cm'", "kind='sphere' radius='1 mm'", 1e-3},
      {"kind='cylinder' radius='0.5 m' length='0.2 m' edge-radius='1 cm'",
       "kind='sphere' radius='5 mm'", 5e-3},
      {"kind='cylinder' radius='0.5 m' length='0.2 m' edge-radius='5 mm'", "kind='point'", 0}};
  const double k = 2000, m = 1.3, gravity = 9.81, h = 0.05, weight = m * gravity;
  const double depth = (weight + sqrt(weight * weight + 2 * k * weight * h)) / k;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char inside[2000];
    (void)snprintf(
        inside, sizeof inside,
        "<laws><contact-law id='l' normal='linear' stiffness='%.17g N/m'/></laws><mechanism "
        "gravity='0 0 %.17g m/s^2'><ground id='F'><shape %s at='0 0 -0.1 m'/></ground>"
        "<body id='B' mass='%.17g kg' inertia='0.01 0.01 0.01' position='0.11 0.07 %.17g m'><shape "
        "%s/></body><contact id='c' a='F' b='B' law='l'/></mechanism>",
        k, -gravity, rows[i].ground, m, h + rows[i].r, rows[i].shape);
    run r = start(inside, 1e-10, 1e-13);
    const double w = sqrt(k / m), rest = weight / k; // z = rest - depth' cos(w (t - t_least))
    const double least = sqrt(2 * h / gravity) + acos(-rest / (depth - rest)) / w;
    advance(&r, least);
    assert_near(value(&r, "c.gap"), -depth, 1e-9);
    advance(&r, 0.5);
    assert_balanced(&r);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(goes_on_short_of_the_end),
      cmocka_unit_test(deep_where_no_depth_ratio_tells),
      cmocka_unit_test(ends_where_the_branch_does),
      cmocka_unit_test(sinks_until_another_pair_is_as_deep),
      cmocka_unit_test(ends_where_a_hollow_is_touched_twice),
      cmocka_unit_test(names_what_is_too_deep),
      cmocka_unit_test(goes_on_where_a_curvature_vanishes),
      cmocka_unit_test(deeper_than_the_rounding),
      cmocka_unit_test(passes_through_a_plate),
      repeating_test(ends_where_bodies_pass),
      repeating_test(names_the_contact_of_a_stage),
      repeating_test(long_steps_into_a_body),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
