// SPDX-License-Identifier: GPL-3.0-or-later
// Linkages by modulated transformers that close: four bars, parallelograms, what is stated twice, what cannot be determined,
// and starts from rest.
#include "tests/core/model/pendulums.h"

/** Of a four-bar linkage with crank 1, coupler 3, rocker 2.5 and ground 3: angle of the rocker by that of the crank,
 *  and its slope. */
static double rocker_angle(double a, double *slope) {
  double x = 3 - cos(a), y = -sin(a), distance = hypot(x, y); // from the pin to the rocker's pivot
  double inner = acos((6.25 + distance * distance - 9) / (2 * 2.5 * distance));
  double c = atan2(y, x) + pi - inner;
  double qx = 3 + 2.5 * cos(c), qy = 2.5 * sin(c), b = atan2(qy - sin(a), qx - cos(a));
  *slope = sin(a - b) / (2.5 * sin(c - b));
  return c;
}

/** Time that a linkage of energy E and inertia 0.3 + 0.4 (dc/da)^2 takes, by Simpson. */
static double linkage_time(double a, double energy) {
  enum { INTERVALS = 20000 };
  double sum = 0, h = a / INTERVALS, slope;
  for (int i = 0; i <= INTERVALS; i++) {
    (void)rocker_angle(i * h, &slope);
    double weight = i == 0 || i == INTERVALS ? 1 : i % 2 == 1 ? 4 : 2;
    sum += weight * sqrt((0.3 + 0.4 * slope * slope) / (2 * energy));
  }
  return sum * h / 3;
}

/** Crank and rocker have inertia, the coupler between them has none: its flow is in both constraints. The
 *  crank turns through the dead points of the rocker, dc/da = 0. */
static const char four_bar_bonds[] =
    "<MTF id='a%dx' ratio='-1[m]*sin(a)'/><MTF id='a%dy' ratio='1[m]*cos(a)'/>"
    "<MTF id='b%dx' ratio='-3[m]*sin(b)'/><MTF id='b%dy' ratio='3[m]*cos(b)'/>"
    "<MTF id='c%dx' ratio='2.5[m]*sin(c)'/><MTF id='c%dy' ratio='-2.5[m]*cos(c)'/>"
    "<J0 id='x%d' domain='translation'/><J0 id='y%d' domain='translation'/>"
    "<J1 id='jb%d'/><bond from='ja' to='a%dx'/><bond from='ja' to='a%dy'/>"
    "<bond from='jb%d' to='b%dx'/><bond from='jb%d' to='b%dy'/><bond from='jc' to='c%dx'/>"
    "<bond from='jc' to='c%dy'/><bond from='a%dx' to='x%d'/><bond from='b%dx' to='x%d'/>"
    "<bond from='c%dx' to='x%d'/><bond from='a%dy' to='y%d'/><bond from='b%dy' to='y%d'/>"
    "<bond from='c%dy' to='y%d'/>";

/** @param couplers  how many of them, all alike */
static run four_bar(int couplers) {
  char text[8000];
  double slope, c = rocker_angle(0, &slope), b = atan2(2.5 * sin(c), 2 + 2.5 * cos(c));
  int used = snprintf(text, sizeof text,
                      "<network domain='rotation'><signal id='a' rate='wa'/>"
                      "<signal id='wa' of='crank.f'/><signal id='b' rate='wb' start='%.17g rad'/>"
                      "<signal id='wb' of='jb0.f'/><signal id='c' rate='wc' start='%.17g rad'/>"
                      "<signal id='wc' of='rocker.f'/><J1 id='ja'/><J1 id='jc'/>"
                      "<I id='crank' inertia='0.3 kg.m^2' p0='0.9 N.m.s'/>"
                      "<I id='rocker' inertia='0.4 kg.m^2' p0='%.17g N.m.s'/>"
                      "<bond from='ja' to='crank'/><bond from='jc' to='rocker'/>",
                      b, c, 0.4 * 3 * slope);
  for (int i = 0; i < couplers; i++) {
    for (const char *p = four_bar_bonds; *p != '\0'; p++) { // every %d is the coupler's number
      bool number = p[0] == '%' && p[1] == 'd';
      text[used++] = number ? (char)('0' + i) : *p;
      p += number;
    }
  }
  (void)snprintf(text + used, sizeof text - (size_t)used, "</network>");
  return start(text, 1e-11, 1e-13);
}

static void four_bar_linkage(void **state) {
  (void)state;
  double slope, c = rocker_angle(0, &slope), energy = 0.5 * (0.3 + 0.4 * slope * slope) * 9;
  const double t = THOROUGH ? 5 : 1.5;
  for (int couplers = 1; couplers <= 2; couplers++) {
    run r = four_bar(couplers);
    assert_near(value(&r, "c.value"), c, 1e-12);
    advance(&r, t);
    double a = value(&r, "a.value");
    assert_true(a > (THOROUGH ? 4 : 1) * pi);
    assert_near(linkage_time(a, energy), t, 1e-8);
    assert_near(value(&r, "c.value"), rocker_angle(a, &slope), 1e-9);
    assert_near(value(&r, "rocker.f"), slope * value(&r, "crank.f"), 1e-9);
    assert_near(ledger_of(&r)->residual_relative, 0, 1e-10);
    if (couplers == 2) { // one thing stated twice: both carry the same force
      assert_near(value(&r, "a1x.to.e"), value(&r, "a0x.to.e"), 1e-9);
      assert_near(value(&r, "a1y.to.e"), value(&r, "a0y.to.e"), 1e-9);
      assert_near(value(&r, "jb1.f"), value(&r, "jb0.f"), 1e-12);
    }
    stop(&r);
  }
}

/** The dual: two capacitors of 0.5 F whose efforts are cos(3 t) and sin(3 t) times that of a node without any. What
 *  flows into them is at right angles to that, so the node keeps its 4 V. */
static void node_without_capacity(void **state) {
  (void)state;
  run r = start("<network domain='electric'><C id='A' c='0.5 F' q0='2 C'/><C id='B' c='0.5 F'/><J0 "
                "id='node'/>"
                "<signal id='ph' value='3[rad/s]*t'/><MTF id='T' ratio='cos(ph)'/>"
                "<MTF id='U' ratio='sin(ph)'/><bond from='A' to='T'/><bond from='B' to='U'/>"
                "<bond from='T' to='node'/><bond from='U' to='node'/></network>",
                1e-11, 1e-13);
  for (int i = 1; i <= 7; i++) {
    advance(&r, i);
    assert_near(value(&r, "node.e"), 4, 1e-9);
    assert_near(value(&r, "A.e"), 4 * cos(3. * i), 1e-9);
    assert_near(value(&r, "A.f"), -6 * sin(3. * i), 1e-8);
    assert_near(value(&r, "B.f"), 6 * cos(3. * i), 1e-8);
  }
  stop(&r);
}

/** By its energy: 0.35 w^2 + 2 cos(a). */
static double parallelogram_rate(double a) {
  return sqrt(9 + 2 * (cos(1) - cos(a)) / 0.35);
}

/** Crank and rocker of 1 m, coupler and ground of 2 m: with a torque 2 sin(a) on the crank the parallelogram turns as
 *  one body of 0.7 kg m^2. At half a turn all links are in line, and one of the constraints vanishes; the motion goes
 *  on. */
static void parallelogram_passes_its_singular_configuration(void **state) {
  (void)state;
  run r = start(
      "<network domain='rotation'><signal id='a' rate='wa' start='1 rad'/>"
      "<signal id='wa' of='crank.f'/><signal id='b' rate='wb'/><signal id='wb' of='jb.f'/>"
      "<signal id='c' rate='wc' start='1 rad'/><signal id='wc' of='rocker.f'/><J1 id='ja'/>"
      "<J1 id='jb'/><J1 id='jc'/><I id='crank' inertia='0.3 kg.m^2' p0='0.9 N.m.s'/>"
      "<I id='rocker' inertia='0.4 kg.m^2' p0='1.2 N.m.s'/><Se id='drive' effort='2[N.m]*sin(a)'/>"
      "<MTF id='ax' ratio='-1[m]*sin(a)'/><MTF id='ay' ratio='1[m]*cos(a)'/>"
      "<MTF id='bx' ratio='-2[m]*sin(b)'/><MTF id='by' ratio='2[m]*cos(b)'/>"
      "<MTF id='cx' ratio='1[m]*sin(c)'/><MTF id='cy' ratio='-1[m]*cos(c)'/>"
      "<J0 id='x' domain='translation'/><J0 id='y' domain='translation'/>"
      "<bond from='ja' to='crank'/><bond from='jc' to='rocker'/><bond from='drive' to='ja'/>"
      "<bond from='ja' to='ax'/><bond from='ja' to='ay'/><bond from='jb' to='bx'/>"
      "<bond from='jb' to='by'/><bond from='jc' to='cx'/><bond from='jc' to='cy'/>"
      "<bond from='ax' to='x'/><bond from='bx' to='x'/><bond from='cx' to='x'/>"
      "<bond from='ay' to='y'/><bond from='by' to='y'/><bond from='cy' to='y'/></network>",
      1e-10, 1e-12);
  double half = 0; // the time to a = pi
  for (int i = 0; i < 2000; i++) {
    half += (pi - 1) / 2000 / parallelogram_rate(1 + (i + 0.5) * (pi - 1) / 2000);
  }
  advance(&r, 1);
  double a = value(&r, "a.value");
  assert_true(a > 4.5);
  assert_near(value(&r, "c.value"), a, 1e-8);
  assert_near(value(&r, "crank.f"), parallelogram_rate(a), 1e-8);
  assert_near(value(&r, "rocker.f"), parallelogram_rate(a), 1e-8);
  assert_near(value(&r, "jb.f"), 0, 1e-8);
  assert_int_equal(ledger_of(&r)->event_count, 1);
  assert_string_equal(ledger_of(&r)->events[0].kind, "singular");
  assert_near(ledger_of(&r)->events[0].t, half, 0.05);
  assert_near(ledger_of(&r)->events[0].loss, 0, 0);
  stop(&r);
}

/** A third ratio that says what the first one says: between two outputs of structures there is no storage. */
static void what_is_stated_twice_is_named(void **state) {
  (void)state;
  static const char *const more[] = {
      "<MTF id='sx' ratio='1.5[m]*cos(th)'/><bond from='swing' to='sx'/><bond from='sx' to='mx'/>",
      ("<MTF id='sx' ratio='1.5[m]*cos(th)'/><bond from='swing' to='sx'/><bond from='sx' to='mx'/>"
       "<MTF id='sy' ratio='1.5[m]*sin(th)'/><bond from='swing' to='sy'/><bond from='sy' "
       "to='my'/>"),
      ""};
  static const char *const words[] = {"redundant constraint: tx, sx state 1 constraint twice at "
                                      "the start; they share what they do together\n",
                                      "state 2 constraints twice at the start;",
                                      "1 dependent storage (derivative causality):\n"};
  double period = 4 * sqrt(1.5 / g) * elliptic(sin(1));
  for (int k = 0; k < 3; k++) {
    char text[2500];
    int used = snprintf(text, sizeof text, pendulum_text, 2., 0., 0.) - (int)strlen("</network>");
    (void)snprintf(text + used, sizeof text - (size_t)used, "%s</network>", more[k]);
    run r = start(text, 1e-10, 1e-12);
    char *description;
    sb_error err;
    ok(sb_model_describe(r.model, false, &description, &err), &err);
    assert_non_null(strstr(description, words[k]));
    assert_non_null(strstr(description, "1 dependent storage (derivative causality):\n"));
    assert_non_null(strstr(
        description, "tx.from: its flow follows from constraints alone, as no storage is there\n"));
    assert_int_equal(strstr(description, "redundant") != NULL, k < 2);
    free(description);
    advance(&r, period / 3);
    if (k < 2) {
      assert_near(value(&r, "sx.to.e"), value(&r, "tx.to.e"), 1e-9);
    }
    advance(&r, period);
    assert_near(value(&r, "th.value"), 2, 1e-7);
    stop(&r);
  }
}

/** Two equal ratios to each of two masses, beside 0.1 kg m^2 on the joint, from the lowest point at 2 rad/s: what bears the weight acts on
 *  the joint through a ratio of zero, and has no moment. As a physical pendulum of 4.6 kg m^2. */
static void what_is_stated_twice_has_no_moment_at_dead_centre(void **state) {
  (void)state;
  char text[3000];
  int used = snprintf(text, sizeof text, pendulum_text, 0., 6., 0.) - (int)strlen("</network>");
  (void)snprintf(
      text + used, sizeof text - (size_t)used,
      "<I id='J' domain='rotation' inertia='0.1 kg.m^2' p0='0.2 N.m.s'/><bond from='swing' to='J'/>"
      "<MTF id='sx' ratio='1.5[m]*cos(th)'/><bond from='swing' to='sx'/><bond from='sx' to='mx'/>"
      "<MTF id='sy' ratio='1.5[m]*sin(th)'/><bond from='swing' to='sy'/><bond from='sy' to='my'/>"
      "</network>");
  // 1/2 4.6 w^2 - 2 g 1.5 cos(th) is constant: sin(thmax/2) = w/(2 w0)
  const double w0 = sqrt(2 * g * 1.5 / 4.6), highest = 2 * asin(2 / (2 * w0));
  run r = start(text, 1e-11, 1e-13);
  advance(&r, elliptic(sin(0.5 * highest)) / w0);
  assert_near(value(&r, "th.value"), highest, 1e-9);
  assert_near(value(&r, "swing.f"), 0, 1e-8);
  assert_balanced(&r);
  stop(&r);
}

/** A clutch joins a disc at rest to the joint, which then is no algebraic variable: of 4.5 kg m^2 and 1 kg m^2 as much
 *  is lost as in a plastic impact, and nothing where it opens again. */
static void clutch_on_the_joint(void **state) {
  (void)state;
  char text[2500];
  int used = snprintf(text, sizeof text, pendulum_text, 2., 0., 0.) - (int)strlen("</network>");
  (void)snprintf(text + used, sizeof text - (size_t)used,
                 "<Clutch id='K' domain='rotation' times='1 2 s'/><J1 id='fl' domain='rotation'/>"
                 "<I id='J' domain='rotation' inertia='1 kg.m^2'/><bond from='fl' to='J'/>"
                 "<bond from='swing' to='K.from'/><bond from='K.to' to='fl'/></network>");
  run r = start(text, 1e-10, 1e-12);
  advance(&r, 3);
  const sb_ledger *ledger = ledger_of(&r);
  assert_int_equal(ledger->event_count, 2);
  assert_near(ledger->events[0].loss, ledger->events[0].stored_before / 5.5, 1e-8);
  assert_near(ledger->events[1].loss, 0, 1e-12);
  double rise = 2 * 1.5 * (cos(value(&r, "th.value")) - cos(2)) * g; // what the weight has given
  double J = value(&r, "J.f"), w = value(&r, "swing.f");
  assert_near(2.25 * w * w + 0.5 * J * J, rise - ledger->total.event_loss, 1e-7);
  stop(&r);
}

/** A mass by two ratios of one joint. @param rest  the ratios without their signals, and the options of the run */
static sb_status try_joint(const char *x, const char *y, const char *options, double *t,
                           sb_error *err) {
  char text[1500];
  (void)snprintf(text, sizeof text,
                 "<screwbond version='1' id='x'><network domain='translation'>"
                 "<signal id='th' rate='w'/><signal id='w' of='joint.f'/>"
                 "<signal id='time' value='t'/><J1 id='joint' domain='rotation'/><MTF id='T' "
                 "ratio='%s'/><MTF id='U' ratio='%s'/>"
                 "<I id='X' mass='2 kg' p0='2.4 N.s'/><I id='Y' mass='2 kg'/>"
                 "<bond from='joint' to='T'/><bond from='joint' to='U'/><bond from='T' to='X'/>"
                 "<bond from='U' to='Y'/></network><run t-end='9 s' %s/></screwbond>",
                 x, y, options);
  return try_run(text, 9, t, err);
}

static void what_cannot_be_determined(void **state) {
  (void)state;
  sb_error err;
  double t;
  static const char *const shrinking[] = {"(1 - time/2[s])*1[m]*cos(th)",
                                          "(1 - time/2[s])*1[m]*sin(th)"};
  assert_int_equal(try_joint(shrinking[0], shrinking[1], "", &t, &err), SB_ERR_NOT_FINITE);
  assert_near(t, 2, 1e-3);
  assert_non_null(
      strstr(err.text, "the constraints no longer determine what 'T' reads at 'from' at t = "));
  assert_string_equal(err.hint, "all their ratios there are zero, or two joints constrain the same "
                                "direction; with an I or C at "
                                "'T.from' it follows from a state");
  assert_int_equal(try_joint("1[m]*cos(th)", "1[m]*sin(th)",
                             "method='discrete-gradient' step='10 ms'", &t, &err),
                   SB_ERR_USAGE);
  assert_string_equal(err.text,
                      "discrete-gradient is not for what 'T' reads, which no storage determines");
  assert_string_equal(
      err.hint,
      "put an I or C at 'T.from', or take a Runge-Kutta method, such as implicit-midpoint");
}

/** A ratio that depends on what it determines. */
static void ratio_of_its_own_joint(void **state) {
  (void)state;
  sb_errors errors = {0};
  sb_model *model;
  sb_netlist *netlist = read_netlist(
      "<screwbond version='1' id='x'><network domain='translation'><signal id='th' rate='w'/>"
      "<signal id='w' of='joint.f'/><J1 id='joint' domain='rotation'/>"
      "<MTF id='T' ratio='1[m]*cos(th)'/><MTF id='U' ratio='1[m]*sin(th) + 0.1[m.s/rad]*w'/>"
      "<I id='X' mass='2 kg'/><I id='Y' mass='2 kg'/><bond from='joint' to='T'/>"
      "<bond from='joint' to='U'/><bond from='T' to='X'/><bond from='U' to='Y'/></network>"
      "<run t-end='1 s'/></screwbond>",
      NULL, 0);
  assert_int_equal(sb_model_compile(netlist->graph, &model, &errors), SB_ERR_LOOP);
  assert_int_equal(errors.count, 1);
  assert_string_equal(
      errors.items[0].text,
      "what 'T' reads follows from constraints alone, and the ratios of these depend on it");
  assert_string_equal(errors.items[0].hint,
                      "a storage (I or C) at 'T.from' lets it follow from a state");
  sb_errors_finish(&errors);
  sb_netlist_destroy(netlist);
}

/** What constraints hold at rest against a force, by multipliers whose difference to the force is rounding: a pendulum
 *  that hangs, and a mass whose flow two ratios let be zero alone, (2 + sin t) f = 2 f. Its multiplier 3/sin t passes a pole at pi,
 *  where it does no work. */
static void what_is_held_stays_at_rest(void **state) {
  (void)state;
  static const char *const texts[] = {
      "<screwbond version='1' id='m'><network domain='translation'><signal id='vx' of='mx.f'/>"
      "<signal id='vy' of='my.f'/><signal id='px' rate='vx' start='0 m'/>"
      "<signal id='py' rate='vy' start='-1.3 m'/><Se id='g' effort='-13 N'/><J1 id='x'/><J1 "
      "id='y'/>"
      "<I id='mx' mass='1.3 kg'/><I id='my' mass='1.3 kg'/><MTF id='tx' ratio='px/1[m]'/>"
      "<MTF id='ty' ratio='py/1[m]'/><J0 id='z'/><Sf id='s' flow='0 m/s'/>"
      "<bond from='g' to='y'/><bond from='x' to='mx'/><bond from='y' to='my'/>"
      "<bond from='x' to='tx'/><bond from='y' to='ty'/><bond from='tx' to='z'/>"
      "<bond from='ty' to='z'/><bond from='s' to='z'/></network>"
      "<run t-end='5 s' method='%s'/></screwbond>",
      "<screwbond version='1' id='m'><network domain='translation'><signal id='time' value='t'/>"
      "<Se id='g' effort='3 N'/><J1 id='y'/><I id='my' mass='1.3 kg'/><TF id='tf' ratio='2'/>"
      "<MTF id='mtf' ratio='2+sin(time/1[s]+0.5)'/><J1 id='z'/><R id='r' r='0.7 N.s/m'/>"
      "<bond from='g' to='y'/><bond from='y' to='my'/><bond from='y' to='tf'/>"
      "<bond from='y' to='mtf'/><bond from='tf' to='z'/><bond from='mtf' to='z'/>"
      "<bond from='z' to='r'/></network><run t-end='5 s' method='%s'/></screwbond>",
  };
  static const char *const methods[] = {"auto", "kvaerno-5", "fehlberg-8"};
  for (int i = 0; i < 6; i++) {
    char text[1200];
    (void)snprintf(text, sizeof text, texts[i / 3], methods[i % 3]);
    run r = start_netlist(text);
    advance(&r, 2);
    sb_simulation_audit(r.sim);
    advance(&r, 5);
    assert_near(value(&r, "my.p"), 0, 1e-12);
    assert_balanced(&r);
    assert_false(ledger_of(&r)->parts[0].unresolved);
    assert_true(ledger_of(&r)->work.steps < 200);
    stop(&r);
  }
}

/** A pendulum (1.3 kg, 1.3 m, 13 N) by discrete gradients. Along the force it stays at rest: of what moves by rounding no ratio is
 *  to be changed so that a constraint is met. Beside that it swings, and keeps p^2/2m - F r. */
static void discrete_gradients_start_from_rest(void **state) {
  (void)state;
  static const char text[] =
      "<screwbond version='1' id='m'><network domain='translation'><signal id='vx' of='mx.f'/>"
      "<signal id='vy' of='my.f'/><signal id='px' rate='vx' start='%.17g m'/>"
      "<signal id='py' rate='vy' start='%.17g m'/><Se id='gx' effort='%g N'/><Se id='gy' "
      "effort='%g N'/><J1 id='x'/><J1 id='y'/>"
      "<I id='mx' mass='1.3 kg'/><I id='my' mass='1.3 kg'/><MTF id='tx' ratio='px/1[m]'/>"
      "<MTF id='ty' ratio='py/1[m]'/><J0 id='z'/><Sf id='s' flow='0 m/s'/>"
      "<bond from='gx' to='x'/><bond from='gy' to='y'/><bond from='x' to='mx'/>"
      "<bond from='y' to='my'/><bond from='x' to='tx'/><bond from='y' to='ty'/>"
      "<bond from='tx' to='z'/><bond from='ty' to='z'/><bond from='s' to='z'/></network>"
      "<run t-end='5 s' method='%s' step='10 ms'/></screwbond>";
  static const char *const methods[] = {"discrete-gradient", "mean-value-gradient"};
  static const double starts[][4] = {
      {0, -1.3, 0, -13}, {0.5, -1.2, 5, -12}, {0.013, -1.2999349983749188, 0, -13}};
  for (int i = 0; i < 6; i += PLAIN ? 1 : 3) {
    const double *a = starts[i / 2];
    char own[1400];
    (void)snprintf(own, sizeof own, text, a[0], a[1], a[2], a[3], methods[i % 2]);
    run r = start_netlist(own);
    for (double t = 0.5; t <= 5; t += 0.5) {
      advance(&r, t);
      double px = value(&r, "mx.p"), py = value(&r, "my.p");
      double x = value(&r, "px"), y = value(&r, "py");
      assert_near(i < 4 ? px : 0, 0, 1e-12);
      assert_near(i < 4 ? py : 0, 0, 1e-12);
      assert_near((px * px + py * py) / 2.6 - a[2] * (x - a[0]) - a[3] * (y - a[1]), 0, 1e-13);
    }
    assert_balanced(&r);
    stop(&r);
  }
}

/** The same mass from t = 0 on, where both ratios are 2: the force that is to hold it there is 3/sin t. Without the effort
 *  there is nothing to hold. */
static void starts_that_need_an_infinite_force(void **state) {
  (void)state;
  static const char text[] =
      "<screwbond version='1' id='m'><network domain='translation'><signal id='time' value='t'/>"
      "<Se id='g' effort='%d N'/><J1 id='y'/><I id='my' mass='1.3 kg'/><TF id='tf' ratio='2'/>"
      "<MTF id='mtf' ratio='2+sin(time/1[s])'/><J1 id='z'/><R id='r' r='0.7 N.s/m'/>"
      "<bond from='g' to='y'/><bond from='y' to='my'/><bond from='y' to='tf'/>"
      "<bond from='y' to='mtf'/><bond from='tf' to='z'/><bond from='mtf' to='z'/>"
      "<bond from='z' to='r'/></network><run t-end='5 s' method='%s'/></screwbond>";
  static const char *const methods[] = {"auto", "kvaerno-5", "fehlberg-8"};
  for (int i = 0; i < 6; i++) {
    char own[1200];
    sb_error err = {0};
    (void)snprintf(own, sizeof own, text, i < 3 ? 3 : 0, methods[i % 3]);
    run r = start_netlist(own);
    assert_int_equal(sb_simulation_advance(r.sim, 5, &err), i < 3 ? SB_ERR_SOLVER : SB_OK);
    if (i < 3) {
      assert_string_equal(err.text,
                          "'z': at t = 0 s the constraint there holds nothing, as its ratios are "
                          "zero or cancel, and right behind it holds what has begun to move: "
                          "its force is infinite");
      assert_true(err.line > 0);
    }
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(four_bar_linkage),
      cmocka_unit_test(node_without_capacity),
      cmocka_unit_test(parallelogram_passes_its_singular_configuration),
      cmocka_unit_test(what_is_stated_twice_is_named),
      repeating_test(what_is_stated_twice_has_no_moment_at_dead_centre),
      repeating_test(clutch_on_the_joint),
      cmocka_unit_test(what_cannot_be_determined),
      cmocka_unit_test(what_is_held_stays_at_rest),
      repeating_test(discrete_gradients_start_from_rest),
      cmocka_unit_test(starts_that_need_an_infinite_force),
      cmocka_unit_test(ratio_of_its_own_joint),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
