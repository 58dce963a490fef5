// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers of mechanisms as signals: against closed forms, against each other by differences, and a controller by J^T F against
// the wrench that it stands for.
#include "tests/fixture.h"

#include "mechanism/mechanism.h"

/** Two links in a plane: the textbook's Jacobian. */
static void planar_arm(void **state) {
  (void)state;
  run r = go("<mechanism gravity='0 -9.81 0 m/s^2'>"
             "<body id='a' mass='2 kg' com='0.25 0 0 m' inertia='0.01 0.04 0.05 kg.m^2'/>"
             "<body id='b' mass='1.5 kg' com='0.2 0 0 m' inertia='0.01 0.02 0.03 kg.m^2'>"
             "<frame id='hand' at='0.5 0 0 m'/></body>"
             "<joint id='j1' kind='revolute' parent='world' child='a' q0='0.4 rad' w0='1.1 rad/s'/>"
             "<joint id='j2' kind='revolute' parent='a' child='b' at='0.6 0 0 m' q0='0.9 rad' "
             "w0='-2 rad/s'/></mechanism><network>"
             "<signal id='x' of='hand.position.x'/><signal id='vy' of='hand.velocity.y'/>"
             "<signal id='x1' of='hand.velocity.x' by='j1'/><signal id='y2' of='hand.velocity.y' "
             "by='j2.w'/><signal id='cx' of='b.velocity.x' by='j2'/><signal id='w1' "
             "of='b.angular-velocity.z' by='j1'/><signal id='up' of='a.velocity.x' by='j2'/>"
             "<signal id='q' of='j2.q'/><signal id='w' of='j2.w'/><signal id='ax' "
             "of='hand.axis-x.y'/><signal id='ox' of='b.origin.x'/></network>",
             0.3);
  const double q1 = value(&r, "j1.q"), q = value(&r, "j1.q") + value(&r, "j2.q"),
               w1 = value(&r, "j1.w"), w = w1 + value(&r, "j2.w");
  assert_near(value(&r, "x"), 0.6 * cos(q1) + 0.5 * cos(q), 1e-14);
  assert_near(value(&r, "vy"), 0.6 * cos(q1) * w1 + 0.5 * cos(q) * w, 1e-13);
  assert_near(value(&r, "x1"), -0.6 * sin(q1) - 0.5 * sin(q), 1e-14);
  assert_near(value(&r, "y2"), 0.5 * cos(q), 1e-14);
  assert_near(value(&r, "cx"), -0.2 * sin(q), 1e-14);
  assert_near(value(&r, "w1"), 1, 1e-14);
  assert_near(value(&r, "up"), 0, 0);
  assert_near(value(&r, "q"), q - q1, 1e-14);
  assert_near(value(&r, "w"), w - w1, 1e-14);
  assert_near(value(&r, "ax"), sin(q), 1e-14);
  assert_near(value(&r, "ox"), 0.6 * cos(q1), 1e-14);
  stop(&r);
}

/** In space, with joints of many rates: a velocity is the sum of its Jacobian times the rates. */
static void velocities_are_jacobians_times_rates(void **state) {
  static const struct {
    const char *rate, *by;
  } rates[] = {{"c.w", "c.w.0"}, {"c.w", "c.w.1"}, {"s.w", "s.w.x"}, {"s.w", "s.w.y"},
               {"s.w", "s.w.z"}, {"u.w", "u.w.0"}, {"u.w", "u.w.1"}, {"p.w", "p"}};
  static const int number[] = {0, 1, 0, 1, 2, 0, 1, 0};
  enum { RATES = sizeof rates / sizeof *rates };
  char text[6000];
  size_t used = (size_t)snprintf(
      text, sizeof text,
      "<mechanism gravity='1 -2 -9 m/s^2'>"
      "<body id='b1' mass='2 kg' com='0.1 0.2 -0.1 m' inertia='0.2 0.3 0.25 0.01 0.02 0 kg.m^2'/>"
      "<body id='b2' mass='1 kg' com='0 0.2 0.3 m' inertia='0.1 0.11 0.12 kg.m^2'/>"
      "<body id='b3' mass='3 kg' com='0.1 0 0 m' inertia='0.2 0.2 0.2 kg.m^2'/>"
      "<body id='b4' mass='1 kg' com='0.3 0.1 0 m' inertia='0.1 0.11 0.12 kg.m^2'>"
      "<frame id='eye' at='0.2 -0.3 0.4 m' rotation='50 deg about 1 2 3'/></body>"
      "<joint id='c' kind='cylindrical' parent='world' child='b1' axis='1 2 2' at='1 0 2 m' "
      "q0='0.3 "
      "rad' x0='0.2 m' w0='1 rad/s' v0='0.5 m/s'/>"
      "<joint id='s' kind='spherical' parent='b1' child='b2' at='0.3 0.1 0.2 m' rotation0='40 deg "
      "about 1 1 3' w0='0.4 -0.9 1.3 rad/s'/>"
      "<joint id='u' kind='universal' parent='b2' child='b3' at='0 0.5 0 m' axis='0 1 1' axis2='1 "
      "0 "
      "0' q0='0.4 -0.6 rad' w0='2 -1 rad/s'/>"
      "<joint id='p' kind='prismatic' parent='b3' child='b4' at='0 0 0.3 m' axis='2 -1 1' q0='0.1 "
      "m' "
      "w0='0.7 m/s'/></mechanism><network>");
  (void)state;
  for (int i = 0; i < RATES; i++) {
    for (int k = 0; k < 3; k++) {
      used +=
          (size_t)snprintf(text + used, sizeof text - used,
                           "<signal id='v%d%c' of='eye.velocity.%c' by='%s'/><signal id='w%d%c' "
                           "of='b4.angular-velocity.%c' by='%s'/>",
                           i, "xyz"[k], "xyz"[k], rates[i].by, i, "xyz"[k], "xyz"[k], rates[i].by);
    }
  }
  (void)snprintf(text + used, sizeof text - used,
                 "<signal id='s0' of='s.q.0'/><signal id='s3' of='s.q.3'/><signal id='px' "
                 "of='eye.position.x'/><signal id='vx' of='eye.velocity.x'/></network>");
  run r = go(text, 0.2);
  for (int k = 0; k < 3; k++) {
    double v = 0, w = 0;
    for (int i = 0; i < RATES; i++) {
      const char names[2][8] = {{'v', (char)('0' + i), "xyz"[k]}, {'w', (char)('0' + i), "xyz"[k]}};
      const double rate = component(&r, rates[i].rate, number[i]);
      v += value(&r, names[0]) * rate;
      w += value(&r, names[1]) * rate;
    }
    assert_near(v, component(&r, "eye.velocity", k), 1e-12);
    assert_near(w, component(&r, "b4.angular-velocity", k), 1e-12);
  }
  assert_near(value(&r, "s0"), component(&r, "s.q", 0), 1e-15);
  assert_near(value(&r, "s3"), component(&r, "s.q", 3), 1e-15);
  const double h = 1e-4, before = value(&r, "px");
  advance(&r, 0.2 + h);
  const double speed = value(&r, "vx");
  advance(&r, 0.2 + 2 * h);
  assert_near((value(&r, "px") - before) / (2 * h), speed, 1e-6);
  stop(&r);
}

/** A force K (x_d - x) - D v at the hand, once as J^T F of motors at the joints, once as a wrench that the world applies. */
static void controller_and_wrench(void **state) {
  static const char arm[] =
      "<mechanism>%s<body id='a' mass='2 kg' com='0.25 0 0.1 m' inertia='0.03 0.04 0.05 kg.m^2'/>"
      "<body id='b' mass='1.5 kg' com='0.2 0 0 m' inertia='0.02 0.02 0.03 kg.m^2'/>"
      "<body id='c' mass='0.5 kg' com='0.1 0 0 m' inertia='0.01 0.01 0.01 kg.m^2'>"
      "<frame id='hand' at='0.3 0.1 0 m'/></body>"
      "<joint id='j1' kind='revolute' parent='world' child='a' axis='0 0 1' q0='0.4 rad'/>"
      "<joint id='j2' kind='revolute' parent='a' child='b' axis='0 1 0' at='0.6 0 0 m' q0='0.9 "
      "rad'/>"
      "<joint id='j3' kind='revolute' parent='b' child='c' axis='1 0 0.5' at='0.4 0 0 "
      "m'/></mechanism>"
      "<network domain='rotation'>"
      "<signal id='x' of='hand.position.x'/><signal id='y' of='hand.position.y'/><signal id='z' "
      "of='hand.position.z'/><signal id='vx' of='hand.velocity.x'/><signal id='vy' "
      "of='hand.velocity.y'/><signal id='vz' of='hand.velocity.z'/>"
      "<signal id='Fx' value='50[N/m]*(0.3[m]-x) - 3[N.s/m]*vx'/><signal id='Fy' "
      "value='50[N/m]*(0.6[m]-y) - 3[N.s/m]*vy'/><signal id='Fz' value='50[N/m]*(0.2[m]-z) - "
      "3[N.s/m]*vz'/>%s</network>";
  double place[2][3], q[2];
  (void)state;
  for (int k = 0; k < 2; k++) {
    char text[6000], drives[2500] = "";
    size_t used = 0;
    for (int j = 1; j <= 3 && k == 0; j++) {
      used += (size_t)snprintf(
          drives + used, sizeof drives - used,
          "<signal id='x%d' of='hand.velocity.x' by='j%d'/><signal id='y%d' of='hand.velocity.y' "
          "by='j%d'/><signal id='z%d' of='hand.velocity.z' by='j%d'/>"
          "<Se id='m%d' effort='x%d*Fx + y%d*Fy + z%d*Fz'/><bond from='m%d' to='j%d'/>",
          j, j, j, j, j, j, j, j, j, j, j, j);
    }
    (void)snprintf(text, sizeof text, arm,
                   k == 0 ? ""
                          : "<Wrench id='pull' on='hand' force-x='Fx' force-y='Fy' force-z='Fz'/>",
                   drives);
    run r = go(text, 1.5);
    read_all(&r, "hand.position", place[k]);
    q[k] = value(&r, "j3.q");
    stop(&r);
  }
  for (int i = 0; i < 3; i++) {
    assert_near(place[0][i], place[1][i], 1e-8);
  }
  assert_near(q[0], q[1], 1e-8);
  assert_true(fabs(q[0]) > 0.01);
}

/** The same from C. */
static void signals_from_c(void **state) {
  sb_mechanism *m;
  sb_graph *graph;
  bool by_fails;
  sb_error err = {0};
  (void)state;
  ok(sb_graph_create("m", &graph, &err), &err);
  ok(sb_mechanism_create((sb_vec3){0, 0, 0}, &m, &err), &err);
  sb_mechanism_body *body = sb_mechanism_add_body(m, "arm");
  body->mass = 2;
  body->com = (sb_vec3){0.5, 0, 0};
  body->inertia = sb_mat3_identity();
  sb_mechanism_joint *joint =
      sb_mechanism_add_joint(m, "hinge", sb_joint_find("revolute"), SB_MECHANISM_WORLD, 0);
  joint->q[0] = 0.3;
  ok(sb_mechanism_add_signal(m, "arm.velocity.y", "hinge", &by_fails, &err), &err);
  assert_string_equal(sb_mechanism_signal_unit(m, "arm.velocity.y by hinge"), "(m/s)/(rad/s)");
  assert_null(sb_mechanism_signal_unit(m, "arm.velocity.y"));
  ok(sb_mechanism_build(m, graph, NULL, &err), &err);
  sb_element *signal = add_kind(graph, "signal", "J", NULL, 0);
  ok(sb_element_express(signal, "value", "u1", &err), &err);
  ok(sb_graph_wire(graph, "arm.velocity.y by hinge", "J.u", &err), &err);
  sb_mechanism_release(m);
  run r = start_graph(graph, options_of("dormand-prince-5", 1e-8));
  assert_near(value(&r, "J"), 0.5 * cos(0.3), 1e-15);
  stop(&r);
}

static void refuse(const char *of, const char *by, bool by_fails, const char *text,
                   const char *hint) {
  sb_mechanism *m;
  sb_error err = {0};
  bool fails;
  ok(sb_mechanism_create((sb_vec3){0, 0, 0}, &m, &err), &err);
  assert_non_null(sb_mechanism_add_body(m, "arm"));
  assert_non_null(
      sb_mechanism_add_joint(m, "hinge", sb_joint_find("revolute"), SB_MECHANISM_WORLD, 0));
  assert_non_null(sb_mechanism_add_joint(m, "ball", sb_joint_find("spherical"), 0, 0));
  assert_int_not_equal(sb_mechanism_add_signal(m, of, by, &fails, &err), SB_OK);
  assert_string_equal(err.text, text);
  assert_string_equal(err.hint, hint);
  assert_int_equal(fails, by_fails);
  sb_mechanism_release(m);
}

static void unknown_names(void **state) {
  (void)state;
  refuse("leg.position.x", NULL, false, "there is no body, joint or frame 'leg'", "");
  refuse("arm.place.x", NULL, false, "there is no quantity 'arm.place' that a signal could read",
         "signals read: position, rotation, velocity, angular-velocity, momentum, "
         "angular-momentum, spin, origin, axis-x, axis-y, axis-z");
  refuse("arm.position", NULL, false, "'arm.position' has 3 components, a signal has one",
         "write 'arm.position.x', .y or .z");
  refuse("arm.position.0", NULL, false, "'arm.position' has no component '0'",
         "its components are x, y and z");
  refuse("arm.rotation.4", NULL, false, "'arm.rotation' has no component '4'",
         "its components are 0 to 3");
  refuse("hinge.w.x", NULL, false, "'hinge.w' is one number, and 'hinge.w.x' names a component",
         "");
  refuse("hinge.moment", NULL, false, "'hinge.moment' has 3 components, a signal has one",
         "write 'hinge.moment.x', .y or .z");
  refuse("hinge.speed", NULL, false, "there is no quantity 'hinge.speed' that a signal could read",
         "signals read: force, moment, w, q");
  refuse("arm.position.x", "hinge", true,
         "'arm.position.x' has no Jacobian: it is no velocity of a body or frame",
         "velocity and angular-velocity of bodies and frames have one");
  refuse("arm.velocity.x", "hing", true, "there is no joint 'hing'", "");
  refuse("arm.velocity.x", "ball", true, "joint 'ball' has 3 rates: name one of them",
         "write 'ball.w.x', .y or .z");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(planar_arm),
      cmocka_unit_test(velocities_are_jacobians_times_rates),
      cmocka_unit_test(controller_and_wrench),
      cmocka_unit_test(signals_from_c),
      cmocka_unit_test(unknown_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
