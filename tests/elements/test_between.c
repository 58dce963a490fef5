// SPDX-License-Identifier: GPL-3.0-or-later
// What acts between two bodies and on them, against closed forms of oscillators, pendulums and triangles, and wrenches
// against differences of the energy.
#include "tests/fixture.h"

static double start_value(const char *inside, const char *name, int k) {
  run r = start(inside, 1e-10, 1e-12);
  double out = component(&r, name, k);
  stop(&r);
  return out;
}

/** A mass at a spring along a line through it: x = x0 cos(w t), w^2 = k/m, by energies k q^2/2. */
static void spring_on_a_line(void **state) {
  (void)state;
  const double k = 23.85, m = 1.7, w = sqrt(k / m), t = 1.3, stretch = 0.2;
  run r = go("<mechanism><body id='b' mass='1.7' inertia='1 2 2' position='1 2 -2 m'/>"
             "<Line id='s' from='world' to='b'/></mechanism><network><C id='c' "
             "c='0.041928721174004 m/N' q0='0.2 m'/><bond from='s' to='c'/></network>",
             t);
  // relaxed at 3 m - 0.2 m from the origin, along (1, 2, -2)/3
  const double length = 2.8 + stretch * cos(w * t);
  assert_near(value(&r, "s.length"), length, 1e-8);
  assert_near(component(&r, "b.position", 1), 2 * length / 3, 1e-8);
  assert_near(value(&r, "s.e"), k * stretch * cos(w * t), 1e-7);
  assert_near(value(&r, "s.f"), -w * stretch * sin(w * t), 1e-7);
  stop(&r);
}

/** A cylinder between (0, 0, 1) and the end of an arm of 0.8 m about the y axis: by the law of cosines
 *  l^2 = 1 + 0.64 + 1.6 sin(q), the angle that a driven l(t) = l0 - 0.1 m (1 - cos(2 t))/2 gives, and its rate. */
static void driven_cylinder(void **state) {
  (void)state;
  run r =
      go("<mechanism gravity='0 0 -9.81 m/s^2'><body id='arm' mass='2' com='0.5 0 0 m' "
         "inertia='0.01 0.2 0.2'><frame id='tip' at='0.8 0 0 m'/></body><joint id='j' "
         "kind='revolute' parent='world' child='arm' axis='0 1 0' q0='0.3 rad'/><Line id='s' "
         "from='world' to='tip' from-at='0 0 1 m'/></mechanism><network domain='translation'><Sf "
         "id='f' flow='0.1[m/s]*sin(2[rad/s]*t)'/><bond from='f' to='s'/></network>",
         1.7);
  const double l0 = sqrt(1.64 + 1.6 * sin(0.3)), l = l0 - 0.05 * (1 - cos(3.4)),
               v = -0.1 * sin(3.4), q = asin((l * l - 1.64) / 1.6), w = v * l / (0.8 * cos(q));
  assert_near(value(&r, "s.length"), l, 1e-9);
  assert_near(value(&r, "j.q"), q, 1e-9);
  assert_near(value(&r, "j.w"), w, 1e-8);
  // its tension, by the moments about the joint: (I + m 0.25) a = m g 0.5 cos(q) + F arm
  const double a = (-0.2 * cos(3.4) * l + v * v) / (0.8 * cos(q)) + w * w * tan(q);
  const double arm = -0.8 * cos(q) / l;
  assert_near(value(&r, "s.e"), (0.7 * a - 9.81 * cos(q)) / arm, 1e-6);
  stop(&r);
}

/** A rope of 1 m, which an Sf of zero keeps so: a conical pendulum of 40 deg with w^2 = g/(l cos), T = m g/cos. */
static void rope_of_a_conical_pendulum(void **state) {
  (void)state;
  const double a = 40 * pi / 180, w = sqrt(9.81 / cos(a)), t = 2.1;
  char text[900];
  (void)snprintf(text, sizeof text,
                 "<mechanism gravity='0 0 -9.81 m/s^2'><body id='b' mass='0.7' inertia='1 1 1' "
                 "position='%.17g 0 %.17g m' velocity='0 %.17g 0 m/s'/><Line id='s' from='world' "
                 "to='b'/></mechanism><network domain='translation'><Sf id='f' flow='0 m/s'/><bond "
                 "from='f' to='s'/></network>",
                 sin(a), -cos(a), w * sin(a));
  run r = go(text, t);
  assert_near(value(&r, "s.length"), 1, 1e-9); // its rate is held
  assert_near(value(&r, "s.e"), 0.7 * 9.81 / cos(a), 1e-7);
  assert_near(component(&r, "b.position", 0), sin(a) * cos(w * t), 1e-8);
  assert_near(component(&r, "b.position", 1), sin(a) * sin(w * t), 1e-8);
  stop(&r);
}

/** An inertia at a line counts as mass along it: b/(m + b) less acceleration, x = g t^2/2 m/(m + b) on the fall. */
static void inertia_at_a_line(void **state) {
  (void)state;
  run r = go("<mechanism gravity='0 0 -9.81 m/s^2'><body id='b' mass='1.5' inertia='1 1 1' "
             "position='0 0 -1 m'/><Line id='s' from='world' to='b'/></mechanism><network "
             "domain='translation'><I id='i' mass='0.5 kg'/><bond from='s' to='i'/></network>",
             0.8);
  assert_near(value(&r, "s.length"), 1 + 9.81 * 0.32 * 0.75, 1e-8);
  stop(&r);
}

/** The port of an axis that tumbles with its first body: a.(w2 - w1) with a = R1 (1, 2, 2)/3; torque and counter-torque
 *  along it leave the sum of the angular momenta as it was. */
static void axis_turns_with_its_body(void **state) {
  (void)state;
  run r =
      go("<mechanism><body id='a' mass='1' inertia='0.1 0.2 0.25' angular-velocity='1 2 3 rad/s'/>"
         "<body id='b' mass='1' inertia='0.3 0.2 0.25' position='1 0 0 m' angular-velocity='-1 0 2 "
         "rad/s'/><Axis id='x' from='a' to='b' axis='1 2 2'/></mechanism><network><C id='c' "
         "c='0.5 rad/(N.m)' q0='0.4 rad'/><R id='d' r='0.1 N.m.s/rad'/><bond from='x' "
         "to='c'/><bond from='x' to='d'/></network>",
         1.2);
  double q[4], w1[3], w2[3], h1[3], h2[3], p[3] = {1. / 3, 2. / 3, 2. / 3}, a[3];
  read_all(&r, "a.rotation", q);
  read_all(&r, "a.angular-velocity", w1);
  read_all(&r, "b.angular-velocity", w2);
  read_all(&r, "a.spin", h1);
  read_all(&r, "b.spin", h2);
  sb_vec3_store(a, sb_mat3_apply(sb_quat_rotation(sb_quat_load(q)), sb_vec3_load(p)));
  double f = 0;
  for (int i = 0; i < 3; i++) {
    f += a[i] * (w2[i] - w1[i]);
  }
  assert_near(value(&r, "x.f"), f, 1e-12);
  const double sum[3] = {0.1 - 0.3, 0.4, 0.75 + 0.5};
  for (int i = 0; i < 3; i++) {
    assert_near(h1[i] + h2[i], sum[i], 1e-9);
  }
  stop(&r);
}

/** Where the second body is along an axis of the first, which turns and flies: that is what a spring there integrates. */
static void slide_has_its_displacement(void **state) {
  (void)state;
  run r = go(
      "<mechanism><body id='a' mass='1' inertia='0.1 0.2 0.25' angular-velocity='1 2 3 rad/s' "
      "velocity='0.1 0 0.2 m/s'><frame id='f' at='0.1 0.2 0 m' rotation='90 deg about 0 0 1'/>"
      "</body><body id='b' mass='2' inertia='0.3 0.2 0.25' position='1 0.3 0.1 m' "
      "angular-velocity='-1 0 2 rad/s'/><Slide id='x' from='f' to='b' axis='0 -2 0'/></mechanism>"
      "<network><C id='c' c='0.04 m/N' q0='0.9 m'/><bond from='x' to='c'/></network>",
      1.2);
  double q[4], x1[3], x2[3], f[3];
  // the axis is x of the body; at the start the second body is 0.9 m along it from the frame
  read_all(&r, "a.rotation", q);
  read_all(&r, "a.position", x1);
  read_all(&r, "f.position", f);
  read_all(&r, "b.position", x2);
  const sb_mat3 R = sb_quat_rotation(sb_quat_load(q));
  double along = 0;
  for (int i = 0; i < 3; i++) {
    along += R.m[i][0] * (x2[i] - f[i]);
  }
  assert_near(value(&r, "x.displacement"), along, 1e-12);
  assert_near(value(&r, "c.q"), along, 1e-8);
  stop(&r);
}

/** About one axis V = k a^2/2 for any angle: a = 2.5 rad cos(w t), w^2 = k/I. */
static void bushing_turns_far(void **state) {
  (void)state;
  const double k = 3.7, I = 0.23, w = sqrt(k / I), t = 0.9;
  run r = go(
      "<mechanism><body id='b' mass='2' inertia='0.1 0.23 0.3' position='1 0 2 m' rotation='2.5 "
      "rad about 0 1 0'><frame id='f'/></body><ground id='g'/><body id='far' mass='1' inertia='1 1 "
      "1' position='9 0 0 m'/><Bushing id='m' from='p' to='f' stiffness='100 100 100 N/m' "
      "turn-stiffness='3.7 3.7 3.7 N.m/rad'/><body id='base' mass='1e9' inertia='1e9 1e9 1e9' "
      "position='0 0 2 m'><frame id='p' at='1 0 0 m'/></body></mechanism>",
      t);
  assert_near(component(&r, "m.turn", 1), 2.5 * cos(w * t), 1e-7);
  assert_near(component(&r, "m.turn", 0), 0, 1e-9);
  assert_near(value(&r, "m/elastic.energy"), k * pow(2.5 * cos(w * t), 2) / 2, 1e-6);
  stop(&r);
}

/** V = x.K x/2 of the logarithm of the relative pose. */
static double bushing_energy(sb_pose second) {
  const double K[6][6] = {{3, 0.2, 0, 4, 0, 0},  {0.2, 2, 0, 0, 5, 1},   {0, 0, 4, 0, 0, 6},
                          {4, 0, 0, 200, 10, 0}, {0, 5, 0, 10, 300, 20}, {0, 1, 6, 0, 20, 250}};
  const sb_twist log = sb_se3_log(second);
  const double x[6] = {log.angular.x, log.angular.y, log.angular.z,
                       log.linear.x,  log.linear.y,  log.linear.z};
  double sum = 0;
  for (int i = 0; i < 6; i++) {
    for (int k = 0; k < 6; k++) {
      sum += x[i] * K[i][k] * x[k] / 2;
    }
  }
  return sum;
}

/** The wrench on the second body is -dV along each small twist of it in the world: virtual work, by differences. */
static void bushing_wrench_is_the_differential(void **state) {
  (void)state;
  const char *text =
      "<mechanism><body id='b' mass='2' inertia='1 2 2' position='0.1 -0.2 0.3 m' rotation='70 deg "
      "about "
      "1 2 -1'/><Bushing id='m' from='world' to='b' stiffness='200 300 250 10 0 20 N/m' "
      "turn-stiffness='3 2 4 0.2 0 0 N.m/rad' stiffness-coupling='4 0 0 0 5 0 0 1 6 "
      "N/rad'/></mechanism>";
  const sb_vec3 axis = sb_vec3_normalize((sb_vec3){1, 2, -1});
  const sb_pose start_pose = {sb_quat_rotation(sb_quat_from_axis_angle(axis, 70 * pi / 180)),
                              {0.1, -0.2, 0.3}};
  const double h = 1e-5;
  assert_near_relative(start_value(text, "m/elastic.energy", 0), bushing_energy(start_pose), 1e-12);
  for (int i = 0; i < 6; i++) {
    const sb_twist by = {{(i == 0) * h, (i == 1) * h, (i == 2) * h},
                         {(i == 3) * h, (i == 4) * h, (i == 5) * h}};
    const double up = bushing_energy(sb_pose_compose(sb_se3_exp(by), start_pose)),
                 down = bushing_energy(
                     sb_pose_compose(sb_se3_exp(sb_twist_scale(by, -1)), start_pose));
    assert_near(start_value(text, "m.body2.e", i), -(up - down) / (2 * h), 1e-7);
    assert_near(start_value(text, "m.body1.e", i), (up - down) / (2 * h), 1e-7);
  }
}

/** Thrust F along x of a body that turns with w about z: v = F/(m w) (sin(w t), 1 - cos(w t)). An arm of 0.1 m along x
 *  gives no moment. The work is booked as supplied. */
static void wrench_in_the_axes_of_a_body(void **state) {
  (void)state;
  const double t = 1.1, w = 2.3, v = 3.1 / (1.7 * w);
  run r = go("<mechanism><body id='b' mass='1.7' inertia='1 1 1' angular-velocity='0 0 2.3 "
             "rad/s'/><Wrench "
             "id='f' on='b' axes='frame' at='0.1 0 0 m' force-x='3.1 N'/></mechanism>",
             t);
  assert_near(component(&r, "b.velocity", 0), v * sin(w * t), 1e-8);
  assert_near(component(&r, "b.velocity", 1), v * (1 - cos(w * t)), 1e-8);
  assert_near(ledger_of(&r)->total.supplied, 1.7 * v * v * (1 - cos(w * t)), 1e-8);
  stop(&r);
}

/** A moment 0.4 N m sin(3 t) and a force in world axes at a point off the centre: L_z by the integral of m + 0.2 F. */
static void wrench_in_world_axes(void **state) {
  (void)state;
  const double t = 1.4;
  run r =
      go("<mechanism><body id='b' mass='1.7' inertia='1 1 2'><frame id='f' at='0 0 0.3 m'/></body>"
         "<Wrench id='w' on='f' moment-z='0.4[N.m]*sin(3[rad/s]*t)' force-z='a*2'/></mechanism>"
         "<network><signal id='a' value='1.5[N/s]*t'/></network>",
         t);
  assert_near(component(&r, "b.angular-velocity", 2), 0.4 / 3 * (1 - cos(3 * t)) / 2, 1e-9);
  assert_near(component(&r, "b.velocity", 2), 1.5 * t * t / 1.7, 1e-8);
  stop(&r);
}

/** @return the first error of a netlist */
static sb_error first_error(const char *inside) {
  char text[2000];
  sb_netlist *netlist = NULL;
  sb_errors errors = {0};
  sb_model *model = NULL;
  (void)snprintf(
      text, sizeof text,
      "<screwbond version='1' id='m'>\n<mechanism><body id='a' mass='1' inertia='1 1 "
      "1'><frame id='f'/></body><body id='b' mass='1' inertia='1 1 1'/>\n%s</mechanism><run "
      "t-end='1 s'/></screwbond>",
      inside);
  if (sb_netlist_parse("test.xml", text, strlen(text), NULL, 0, &netlist, &errors) == SB_OK) {
    assert_int_not_equal(sb_model_compile(netlist->graph, &model, &errors), SB_OK);
  }
  assert_true(errors.count > 0);
  sb_error first = errors.items[0];
  sb_errors_finish(&errors);
  sb_netlist_destroy(netlist);
  return first;
}

/** A pulse much narrower than a step is found before the run: its impulse is F w sqrt(pi). */
static void wrench_pulse_is_found(void **state) {
  (void)state;
  run r = go("<mechanism><body id='b' mass='2 kg' inertia='1 1 1 kg.m^2'/><Wrench id='w' on='b' "
             "force-x='1[kN]*exp(-((t - 0.5[s])/10[us])^2)'/></mechanism>",
             1);
  assert_near_relative(component(&r, "b.velocity", 0), 1000 * 1e-5 * sqrt(pi) / 2, 1e-8);
  stop(&r);
}

static void faults_are_named(void **state) {
  (void)state;
  const struct {
    const char *text, *message;
  } cases[] = {
      {"<Line id='l' from='a' to='f'/>", "both ends of 'l' are fixed in 'a'"},
      {"<Line id='l' from='a' to='c'/>", "Line 'l': there is no body, ground or frame 'c'"},
      {"<Line id='l' from='a'/>", "<Line> needs the attribute 'to'"},
      {"<Wrench id='w' on='world' force='1 N'/>", "<Wrench> has no attribute 'force'"},
      {"<Axis id='x' from='a' to='b' axis='0 0 0'/>",
       "Axis 'x': axis is zero, and tells no direction"},
      {"<Bushing id='m' from='a' to='b' stiffness='1 2 N/m'/>",
       "stiffness takes 3 numbers (xx yy zz) or 6 (xx yy zz xy xz yz), got 2"},
      {"<Bushing id='m' from='a' to='b' stiffness-coupling='1 2 N/rad'/>",
       "stiffness-coupling takes 9 numbers, row by row, got 2"},
      {"<Bushing id='m' from='a' to='b' damping='1 -2 1 N.s/m'/>",
       "the matrix damping would give power: its symmetric part must be positive semi-definite"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const sb_error err = first_error(cases[i].text);
    assert_string_equal(err.text, cases[i].message);
    assert_int_equal(err.line, 3);
  }
}

/** A line whose ends meet has no direction. */
static void line_of_no_length(void **state) {
  (void)state;
  double t;
  sb_error err;
  const char *text =
      "<screwbond version='1' id='m'><mechanism><body id='a' mass='1' inertia='1 1 1'/>"
      "<Line id='l' from='world' to='a'/></mechanism><run t-end='1 s'/></screwbond>";
  assert_int_not_equal(try_run(text, 1, &t, &err), SB_OK);
  assert_non_null(strstr(err.text, "its points meet: a line of length zero has no direction"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(spring_on_a_line),
      cmocka_unit_test(driven_cylinder),
      cmocka_unit_test(rope_of_a_conical_pendulum),
      cmocka_unit_test(inertia_at_a_line),
      cmocka_unit_test(axis_turns_with_its_body),
      cmocka_unit_test(slide_has_its_displacement),
      cmocka_unit_test(bushing_turns_far),
      cmocka_unit_test(bushing_wrench_is_the_differential),
      cmocka_unit_test(wrench_in_the_axes_of_a_body),
      cmocka_unit_test(wrench_in_world_axes),
      cmocka_unit_test(wrench_pulse_is_found),
      cmocka_unit_test(faults_are_named),
      cmocka_unit_test(line_of_no_length),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
