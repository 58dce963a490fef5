// SPDX-License-Identifier: GPL-3.0-or-later
// Where a contact begins and ends to slip: the static and the Stribeck peak, and what sticks as it touches, lands or is struck.
#include "tests/contact/on_plane.h"

/** Between the two angles what rests is held, and what slides goes on; the peak lasts until it slips. */
static void static_peak(void **state) {
  (void)state;
  setting s = {.slope = 0.4,
               .mu = 0.35,
               .mu_static = 0.7,
               .patch = 0.01,
               .damping = 0.1,
               .inertia = {1e15, 1e15, 1e15}};
  run r = on_plane(&s, "fehlberg-8", 1e-10);
  advance(&r, 3);
  assert_near(component(&r, "b.velocity", 0), 0, 1e-9);
  stop(&r);
  s.velocity[0] = 0.9;
  r = on_plane(&s, "fehlberg-8", 1e-10);
  advance(&r, 1);
  double v = component(&r, "b.velocity", 0);
  advance(&r, 2);
  assert_near(component(&r, "b.velocity", 0) - v, g * (sin(0.4) - 0.35 * cos(0.4)), 1e-8);
  stop(&r);
}

/** v' = -g mu(v) with mu(v) = mu + (mu_s - mu) exp(-v^2/v_S^2): the time from v0 to v1 by Simpson's rule. */
static double time_between(double v0, double v1, double mu, double peak, double v_S) {
  const int n = 2000;
  const double h = (v0 - v1) / n;
  double sum = 0;
  for (int i = 0; i <= n; i++) {
    const double v = v1 + i * h;
    sum += (i == 0 || i == n ? 1
            : i % 2 == 1     ? 4
                             : 2) /
           (mu + (peak - mu) * exp(-v * v / (v_S * v_S)));
  }
  return sum * h / 3 / g;
}

/** Stribeck's peak of what slides, and where it ends: a block, or a disc that spins, by its angle times the radius of
 *  friction, J = m r^2. It sticks, and is held at rest. */
static void stribeck_peak(void **state) {
  (void)state;
  const double mu = 0.2, peak = 0.45, v_S = 0.15, v0 = 0.7, patch = 0.02;
  for (size_t i = 0; i < 2 * sizeof methods / sizeof *methods; i++) {
    const bool spins = i % 2 == 1;
    setting s = {.mu = mu,
                 .mu_static = peak,
                 .stribeck = v_S,
                 .patch = patch,
                 .damping = 0.05,
                 .inertia = {1e15, 1e15, mass * patch * patch},
                 .velocity = {spins ? 0 : -0.6 * v0, spins ? 0 : 0.8 * v0, 0},
                 .spin = {0, 0, spins ? v0 / patch : 0}};
    run r = on_plane(&s, methods[i / 2], 1e-10);
    static const double speeds[] = {0.4, 0.2, 0.08};
    for (int k = 0; k < 3; k++) {
      const double v1 = speeds[k];
      advance(&r, time_between(v0, v1, mu, peak, v_S));
      assert_near(spins ? patch * component(&r, "b.angular-velocity", 2)
                        : hypot(component(&r, "b.velocity", 0), component(&r, "b.velocity", 1)),
                  v1, 1e-8);
    }
    advance(&r, 2);
    assert_true(find_event(&r, "stick")->t < time_between(v0, 0, mu, peak, v_S));
    assert_near(component(&r, spins ? "b.angular-velocity" : "b.velocity", spins ? 2 : 1), 0, 1e-8);
    assert_int_equal(value(&r, "contact(f,b).sticks"), 1);
    assert_balanced(&r);
    stop(&r);
  }
}

/** On a slope between the angles of mu and mu_s what rests is held; above mu_s it slips, and gains on the law of what slides. */
static void stribeck_on_a_slope(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    const double slope = i == 0 ? 0.34 : 0.43; // tan: 0.3537, 0.4586
    setting s = {.slope = slope,
                 .mu = 0.2,
                 .mu_static = 0.45,
                 .stribeck = 0.15,
                 .patch = 0.02,
                 .damping = 0.1,
                 .inertia = {1e15, 1e15, 1e15}};
    run r = on_plane(&s, "dormand-prince-5", 1e-10);
    advance(&r, i == 0 ? 3 : 1);
    const double v = component(&r, "b.velocity", 0), h = 1e-3;
    if (i == 0) {
      assert_near(v, 0, 1e-7);
    } else {
      advance(&r, 1 + h);
      const double mean = 0.5 * (v + component(&r, "b.velocity", 0));
      const double mu = 0.2 + 0.25 * exp(-mean * mean / 0.0225);
      assert_near((component(&r, "b.velocity", 0) - v) / h, g * (sin(slope) - mu * cos(slope)),
                  1e-5);
    }
    assert_balanced(&r);
    stop(&r);
  }
}

/** What is told of a ball that slides and spins: its loads are mu f_n against its slip, and the wrenches on both
 *  bodies are theirs about their origins. */
static void told_by_name(void **state) {
  (void)state;
  const double J = 0.4 * mass * radius * radius;
  setting s = {.mu = 0.31,
               .patch = 0.01,
               .damping = 0.002,
               .inertia = {J, J, J},
               .velocity = {1.2, -0.9, 0},
               .spin = {0, 0, 3}};
  run r = on_plane(&s, "dormand-prince-5", 1e-9);
  double load[4], wrench[6], own[6], other[6], slide[3], x[3], v[3], w[3], roll1[3], roll2[3];
  advance(&r, 0.1);
  read_all(&r, "contact(f,b).load", load);
  read_all(&r, "contact(f,b).wrench", wrench);
  read_all(&r, "contact(f,b).wrench-1", own);
  read_all(&r, "contact(f,b).wrench-2", other);
  read_all(&r, "contact(f,b).sliding-velocity", slide);
  read_all(&r, "contact(f,b).rolling-velocity-1", roll1);
  read_all(&r, "contact(f,b).rolling-velocity-2", roll2);
  read_all(&r, "b.position", x);
  read_all(&r, "b.velocity", v);
  read_all(&r, "b.angular-velocity", w);
  double normal = mass * g, arm = x[2]; // alpha = 0: the point is on the plane
  assert_near(value(&r, "contact(f,b).penetration"), mass * g / k_n, 1e-8);
  assert_near(value(&r, "contact(f,b).touches"), 1, 0);
  assert_near(value(&r, "contact(f,b)/slip.sticks"), 0, 0);
  assert_near(sb_slip_size((double[]){load[0], load[1], load[3]}, s.patch), s.mu * normal, 1e-6);
  assert_near(-load[2], normal, 1e-6);
  assert_near(hypot(slide[0], slide[1]), hypot(v[0] - w[1] * arm, v[1] + w[0] * arm), 1e-9);
  assert_near(value(&r, "contact(f,b)/slip.speed"), hypot(slide[0], slide[1]), 2e-2);
  assert_true(wrench[3] * slide[0] > 0 && wrench[4] * slide[1] > 0); // the floor is dragged along
  assert_near(wrench[5], -normal, 1e-6);
  assert_near(wrench[0], x[1] * wrench[5], 1e-9);  // the point is in the plane z = 0
  assert_near(wrench[1], -x[0] * wrench[5], 1e-9); // below the ball's centre
  for (int i = 0; i < 6; i++) {
    assert_near(own[i], wrench[i], 1e-12); // the floor is in the world's frame
  }
  double push = hypot(hypot(wrench[3], wrench[4]), wrench[5]); // the ball has turned
  assert_near(hypot(hypot(other[3], other[4]), other[5]), push, 1e-9);
  double turn_about = hypot(arm * hypot(wrench[3], wrench[4]), load[3]);
  assert_near(hypot(hypot(other[0], other[1]), other[2]), turn_about, 1e-9);
  for (int i = 0; i < 2; i++) {
    assert_near(roll1[i], v[i], 1e-9); // the foot of the ball's centre over the floor
    double turn = i == 0 ? w[1] : -w[0];
    assert_near(roll2[i], radius * turn, 1e-9); // the lowest point over the ball
  }
  stop(&r);
}

/** What a contact without friction loses: its damper all along, and its tangential springs where it ends. Both
 *  are what the motion of the ball has less, half m v^2 + half J w^2 + m g z. */
static void lost_with_the_release(void **state) {
  (void)state;
  const char *text =
      "<screwbond version='1' id='m'><materials><material id='m' stiffness='3000 3000 5230 N/m' "
      "damping='2 2 3 N.s/m'/></materials><laws><contact-law id='l' normal='linear'/></laws>"
      "<mechanism gravity='0 0 -9.81 m/s^2'><body id='b' mass='1.3 kg' inertia='2e-3 2e-3 2e-3' "
      "material='m' position='0 0 0.3 m' velocity='0.7 0.2 0 m/s' angular-velocity='2 -4 1.3 "
      "rad/s'>"
      "<shape kind='sphere' radius='5 cm'/></body><ground id='f'><shape kind='plane' "
      "normal='0 0 1'/></ground><contact id='c' a='f' b='b' law='l'/></mechanism>"
      "<run t-end='1 s' method='dormand-prince-5' rtol='1e-10'/></screwbond>";
  run r = start_netlist(text);
  double start = mass / 2 * (0.7 * 0.7 + 0.2 * 0.2) + 1e-3 * (4 + 16 + 1.69) + mass * g * 0.3;
  advance(&r, 0.33);
  assert_near(value(&r, "c.energy"), 0, 0);
  assert_int_equal(ledger_of(&r)->event_count, 2);
  double now = mass * g * component(&r, "b.position", 2);
  for (int i = 0; i < 3; i++) {
    now += mass / 2 * pow(component(&r, "b.velocity", i), 2) +
           1e-3 * pow(component(&r, "b.angular-velocity", i), 2);
  }
  assert_near(value(&r, "c.lost"), start - now, 1e-8);
  assert_true(value(&r, "c.lost") > value(&r, "c/damper.lost") + 1e-4); // the springs were loaded
  sb_error err = {0};
  sb_quantity unused;
  assert_int_equal(sb_model_find(r.model, "c.slip-distance", &unused, &err), SB_ERR_REFERENCE);
  assert_string_equal(err.text, "contact 'c' has no quantity 'slip-distance'");
  assert_int_equal(sb_model_find(r.model, "c.force", &unused, &err), SB_ERR_REFERENCE);
  assert_string_equal(
      err.hint, "it has: gap, normal, point, normal-force, depth-ratio, penetration, axis-x, "
                "axis-y, touches, load, wrench, wrench-1, wrench-2, sliding-velocity, "
                "rolling-velocity-1, rolling-velocity-2, relative-curvatures, patch, patch-axis, "
                "energy, power, lost, PORT.e, PORT.f");
  assert_int_equal(sb_model_find(r.model, "c.normal-forse", &unused, &err), SB_ERR_REFERENCE);
  assert_string_equal(err.hint, "did you mean 'normal-force'?");
  stop(&r);
}

/** mu = 0, or one whose loads are below the rounding of what they are computed from, is no friction: on the level a ball
 *  keeps its speed and its spin, on a slope it falls as in free flight along it, x = v t + g sin t^2/2. */
static void without_friction(void **state) {
  (void)state;
  static const struct {
    double mu, slope, patch;
    double velocity[3], spin[3];
  } rows[] = {{0, 0, 0.01, {0.7, -0.4, 0}, {3.1, 1.9, -2.3}},
              {0, 0.4, 0.02, {0.2, 0.5, 0}, {0, 2.7, 1.1}},
              {1e-17, 0.15, 0.01, {-0.6, 0.3, 0}, {5.3, -1.7, 8.9}},
              {0, 0, 0.01, {0, 0, 0}, {0, 0, 7.7}}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
      setting s = {.slope = rows[i].slope,
                   .mu = rows[i].mu,
                   .patch = rows[i].patch,
                   .damping = 1e-2,
                   .inertia = {2e-3, 2e-3, 2e-3}};
      memcpy(s.velocity, rows[i].velocity, sizeof s.velocity);
      memcpy(s.spin, rows[i].spin, sizeof s.spin);
      run r = on_plane(&s, methods[k], 1e-10);
      advance(&r, 1);
      const double fall = g * sin(s.slope);
      assert_near(component(&r, "b.position", 0), s.velocity[0] + fall / 2, 1e-8);
      assert_near(component(&r, "b.position", 1), s.velocity[1], 1e-9);
      for (int c = 0; c < 3; c++) {
        assert_near(component(&r, "b.angular-velocity", c), s.spin[c], 1e-9);
      }
      assert_near(ledger_of(&r)->total.dissipated, 0, 1e-12);
      assert_balanced(&r);
      stop(&r);
    }
  }
}

/** A leg of a walker, of which there are four. */
#define LEG                                                                                        \
  "<submodel id='Leg'><mechanism><body id='thigh' mass='1 kg' com='0 0 -0.15 m' "                  \
  "inertia='0.01 0.01 0.001 kg.m^2'/><body id='shin' mass='0.5 kg' com='0 0 -0.15 m' "             \
  "inertia='0.004 0.004 0.0005 kg.m^2' material='m'><shape kind='sphere' radius='2 cm' "           \
  "at='0 0 -0.3 m'/></body><joint id='knee' kind='revolute' axis='0 1 0' parent='thigh' "          \
  "child='shin' at='0 0 -0.3 m' q0='-60 deg' rest='-60 deg' stiffness='300 N.m/rad' "              \
  "damping='5 N.m.s/rad'/></mechanism></submodel>"

/** Feet that come down with hardly any motion along the floor stick at once, at depths that are rounding of their places: their
 *  slip until then gives no power. */
static void feet_stick_at_once(void **state) {
  static const char *const at[] = {"0.3 0.15", "0.3 -0.15", "-0.3 0.15", "-0.3 -0.15"};
  (void)state;
  for (int i = 0; i < 4; i++) {
    char text[4000];
    int used = snprintf(text, sizeof text,
                        LEG "<materials><material id='m' stiffness='2e4 2e4 2e4 N/m' "
                            "spin-stiffness='5 N.m/rad'/></materials><laws><contact-law id='l' "
                            "normal='hunt-crossley' exponent='1' damping-factor='0.5 s/m' "
                            "friction='coulomb' mu='0.7' friction-radius='5 mm'/></laws>"
                            "<mechanism gravity='0 0 -9.81 m/s^2'><ground id='f' material='m'>"
                            "<shape kind='plane' normal='0 0 1'/></ground><body id='trunk' "
                            "mass='12 kg' inertia='0.1 0.4 0.45 kg.m^2' position='0 0 %g m'/>",
                        0.58 + 0.02 * i);
    for (int k = 0; k < 4; k++) {
      used += snprintf(text + used, sizeof text - (size_t)used,
                       "<use id='leg%d' submodel='Leg'/><joint id='hip%d' kind='revolute' "
                       "axis='0 1 0' parent='trunk' child='leg%d/thigh' at='%s 0 m' q0='30 deg' "
                       "rest='30 deg' stiffness='300 N.m/rad' damping='5 N.m.s/rad'/>"
                       "<contact a='leg%d/shin' b='f' law='l'/>",
                       k, k, k, at[k], k);
    }
    (void)snprintf(text + used, sizeof text - (size_t)used, "</mechanism>");
    run r = start(text, 1e-8, 0);
    advance(&r, 0.3);
    assert_balanced(&r);
    stop(&r);
  }
}

/** A block on four points, which is let go just above the floor, moves along it by 1e-25 m/s. Where it meets the floor the
 *  depths stay zero for many of the shortest steps: the points stick at once, and do not let go in turn. It comes to rest
 *  m g/(4 K) deep, K = 20 N/mm of a point. */
static void points_that_touch_at_rest_stick(void **state) {
  static const double heights[] = {1e-4, 1e-6, 1e-8, 0};
  (void)state;
  for (size_t i = 0; i < sizeof heights / sizeof *heights; i += PLAIN ? 1 : 3) {
    char text[2000];
    (void)snprintf(text, sizeof text,
                   "<materials><material id='m' stiffness='20 20 40 N/mm' spin-stiffness='2 "
                   "N.m/rad'/></materials><laws><contact-law id='l' normal='hunt-crossley' "
                   "exponent='1' damping-factor='5 s/m' friction='coulomb' mu='0.6' "
                   "friction-radius='5 mm'/></laws><defaults><contact law='l'/></defaults>"
                   "<mechanism gravity='0 0 -10 m/s^2'><ground id='f' material='m'><shape "
                   "kind='plane' normal='0 0 1'/></ground><body id='b' mass='0.5 kg' "
                   "inertia='1e-3 1e-3 1e-3 kg.m^2' material='m' position='0.125 0.25 %.17g m' "
                   "velocity='1e-25 1e-27 -0.0001 m/s'><shape id='p1' kind='point' "
                   "at='20 20 -30 mm'/><shape id='p2' kind='point' at='-20 20 -30 mm'/><shape "
                   "id='p3' kind='point' at='-20 -20 -30 mm'/><shape id='p4' kind='point' "
                   "at='20 -20 -30 mm'/></body><contact a='p1' b='f'/><contact a='p2' b='f'/>"
                   "<contact a='p3' b='f'/><contact a='p4' b='f'/></mechanism>",
                   0.03 + heights[i]);
    run r = start(text, 1e-11, 0);
    advance(&r, 3);
    assert_near(component(&r, "b.position", 2), 0.03 - 0.5 * 10 / (4 * 20e3), 1e-9);
    assert_near(component(&r, "b.position", 0), 0.125, 1e-15);
    assert_balanced(&r);
    stop(&r);
  }
}

/** A ball of 1 kg lies on a table of 3 kg, whose velocity a source makes another one at once: by the impulse of the start, and later as its
 *  input is set. It slid over the table before, and sticks behind, as |v| < mu m g/B, B = 300 N s/m. In the frame of the table all of
 *  m v^2/2 goes into the damper, and where it slid what the springs of K = 5e4 N/m hold, (mu m g)^2/(2 K); the source gives 3 kg w^2 for
 *  the jump by w, half of which is lost, and m v times its velocity. */
static void impulses_make_it_stick(void **state) {
  (void)state;
  static const char *const scene =
      "<materials><material id='m' stiffness='1e5 1e5 1e5 N/m'/></materials><laws><contact-law "
      "id='L' normal='linear' damping='300 N.s/m' friction='coulomb' mu='0.5'/></laws>"
      "<mechanism gravity='0 0 -10 m/s^2'><body id='table' mass='3 kg' inertia='0.1 0.1 0.1' "
      "material='m'><shape id='top' kind='plane' normal='0 0 1'/></body><joint id='axle' "
      "kind='prismatic' axis='1 0 0' parent='world' child='table' w0='0 m/s'/><body id='ball' "
      "mass='1 kg' inertia='1e6 1e6 1e6' material='m' position='0 0 0.0998 m' "
      "velocity='%.17g 0 0 m/s'><shape kind='sphere' radius='0.1 m'/></body><contact id='c' "
      "a='top' b='ball' law='L'/></mechanism><network domain='translation'><Sf id='drive' "
      "flow='%.17g m/s' waveform='input'/><bond from='drive' to='axle'/></network>";
  for (int late = 0; late < 2; late++) {
    const double jump = 1, speed = late ? 1.49 : 0.99; // 1 m/s at 0.1 s, by mu g = 5 m/s^2
    char text[2000];
    (void)snprintf(text, sizeof text, scene, speed, late ? 0 : jump);
    run r = start(text, 1e-9, 0);
    double v = speed - jump, left = v * v / 2;
    if (late) {
      int input;
      sb_error err = {0};
      advance(&r, 0.1);
      v = component(&r, "ball.velocity", 0) - jump;
      left = ledger_of(&r)->total.dissipated + v * v / 2 + 5 * 5 / (2 * 5e4);
      ok(sb_simulation_find_input(r.sim, "drive", &input, &err), &err);
      sb_simulation_set(r.sim, input, &jump);
    }
    assert_in_range((uintmax_t)fabs(v * 1e6), 1000, 16600); // it moves, and may stick
    advance(&r, 1);
    assert_closes(&r);
    assert_int_equal(events_of(&r, "stick", "c"), 1);
    assert_near(event_time(&r, "stick", 0), late ? 0.1 : 0, 0);
    assert_near(component(&r, "ball.velocity", 0), jump, 1e-8);
    assert_near(ledger_of(&r)->total.dissipated, left, 1e-9);
    assert_near(ledger_of(&r)->total.event_loss, 3 * jump * jump / 2, 1e-9);
    assert_near(ledger_of(&r)->total.supplied, 3 * jump * jump - v * jump, 1e-8);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(static_peak),
      repeating_test(stribeck_peak),
      cmocka_unit_test(stribeck_on_a_slope),
      cmocka_unit_test(told_by_name),
      cmocka_unit_test(lost_with_the_release),
      cmocka_unit_test(without_friction),
      repeating_test(feet_stick_at_once),
      repeating_test(points_that_touch_at_rest_stick),
      cmocka_unit_test(impulses_make_it_stick),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
