// SPDX-License-Identifier: GPL-3.0-or-later
// Linkages by modulated transformers whose joints have no inertia: every ratio passes through zero. Against closed
// forms, and against equations in minimal coordinates that are integrated here.
#include "tests/core/model/pendulums.h"

static run pendulum(double angle, double rate, double rtol) {
  char text[1500];
  (void)snprintf(text, sizeof text, pendulum_text, angle, 3 * rate * cos(angle),
                 3 * rate * sin(angle));
  return start(text, rtol, 1e-14);
}

/** From 2 rad and at rest: T = 4 sqrt(l/g) K(sin(1)). */
static void pendulum_swings(void **state) {
  (void)state;
  double quarter = sqrt(1.5 / g) * elliptic(sin(1));
  run r = pendulum(2, 0, 1e-11);
  advance(&r, quarter);
  assert_near(value(&r, "th.value"), 0, 1e-9);
  assert_near(value(&r, "swing.f"), -2 * sqrt(g / 1.5) * sin(1), 1e-9);
  advance(&r, 12 * quarter);
  assert_near(value(&r, "th.value"), 2, 1e-8);
  assert_near(value(&r, "swing.f"), 0, 1e-8);
  // the force of the rod at the turning point is m g cos(th), along the rod
  assert_near(value(&r, "tx.to.e"), -2 * g * cos(2) * sin(2), 1e-7);
  assert_near(value(&r, "ty.to.e"), 2 * g * cos(2) * cos(2), 1e-7);
  assert_near(ledger_of(&r)->residual_relative, 0, 1e-10);
  stop(&r);
}

/** 8 rad/s at the lowest point: it turns over, in 4/w0 K(2 sqrt(g/l)/w0) each time. Both ratios pass through zero
 *  twice a turn. */
static void pendulum_turns_over(void **state) {
  (void)state;
  double turn = 4. / 8 * elliptic(2 * sqrt(g / 1.5) / 8);
  run r = pendulum(0, 8, 1e-11);
  for (int i = 1; i <= 5; i++) {
    advance(&r, i * turn);
    assert_near(value(&r, "th.value"), i * 2 * pi, 1e-8);
    assert_near(value(&r, "swing.f"), 8, 1e-8);
    assert_near(value(&r, "Ly.f"), 12 * sin(value(&r, "th.value")), 1e-8);
  }
  stop(&r);
}

static void energy_balance_error_falls_with_the_tolerance(void **state) {
  (void)state;
  double off[3];
  for (int i = 0; i < 3; i++) {
    run r = pendulum(2, 0, pow(10, -5 - 2 * i));
    advance(&r, 5);
    off[i] = ledger_of(&r)->residual_relative;
    stop(&r);
  }
  assert_true(off[0] < 1e-3 && off[1] < off[0] / 10 && off[2] < off[1] / 10);
}

typedef void (*equations)(double t, const double y[], double ydot[]);

/** The classical method of order 4 with equal steps, after which the error is rounding. */
static void integrate(equations f, double y[], int n, double t0, double t1) {
  enum { STEPS = 20000 };
  double h = (t1 - t0) / STEPS, k[4][8], at[8];
  static const double node[4] = {0, 0.5, 0.5, 1}, weight[4] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
  for (int i = 0; i < STEPS; i++) {
    for (int s = 0; s < 4; s++) {
      for (int j = 0; j < n; j++) {
        at[j] = y[j] + (s > 0 ? h * node[s] * k[s - 1][j] : 0);
      }
      f(t0 + (i + node[s]) * h, at, k[s]);
    }
    for (int j = 0; j < n; j++) {
      for (int s = 0; s < 4; s++) {
        y[j] += h * weight[s] * k[s][j];
      }
    }
  }
}

/** Cart of 5 kg and load of 2 kg on 1.5 m, th, w and V; a force of 10 N, and friction of cart and pivot. */
static void crane_equations(double t, const double y[], double ydot[]) {
  (void)t;
  double a = 7, b = 3 * cos(y[0]), c = 4.5;
  double force = 10 - 0.8 * y[2] + 3 * sin(y[0]) * y[1] * y[1];
  double moment = -3 * g * sin(y[0]) - 0.02 * y[1], det = a * c - b * b;
  ydot[0] = y[1];
  ydot[1] = (a * moment - b * force) / det;
  ydot[2] = (c * force - b * moment) / det;
}

static void crane(void **state) {
  (void)state;
  run r = start(
      "<network domain='translation'><signal id='th' rate='w' start='0.5 rad'/>"
      "<signal id='w' of='swing.f'/><J1 id='xc'/><I id='cart' mass='5 kg'/>"
      "<R id='drag' r='0.8 N.s/m'/><Se id='F' effort='10 N'/><J1 id='swing' domain='rotation'/>"
      "<R id='pivot' domain='rotation' r='0.02 N.m.s'/><MTF id='tx' ratio='1.5[m]*cos(th)'/>"
      "<MTF id='ty' ratio='1.5[m]*sin(th)'/><J0 id='sx'/><J1 id='mx'/><I id='Lx' mass='2 kg'/>"
      "<J1 id='my'/><I id='Ly' mass='2 kg'/><Se id='G' effort='-2*9.81[N]'/>"
      "<bond from='xc' to='cart'/><bond from='xc' to='drag'/><bond from='F' to='xc'/>"
      "<bond from='xc' to='sx'/><bond from='swing' to='pivot'/><bond from='swing' to='tx'/>"
      "<bond from='tx' to='sx'/><bond from='sx' to='mx'/><bond from='mx' to='Lx'/>"
      "<bond from='swing' to='ty'/><bond from='ty' to='my'/><bond from='my' to='Ly'/>"
      "<bond from='G' to='my'/></network>",
      1e-11, 1e-13);
  double y[3] = {0.5, 0, 0};
  integrate(crane_equations, y, 3, 0, 4);
  advance(&r, 4);
  assert_near(value(&r, "th.value"), y[0], 1e-9);
  assert_near(value(&r, "swing.f"), y[1], 1e-9);
  assert_near(value(&r, "cart.f"), y[2], 1e-9);
  assert_near(value(&r, "Lx.f"), y[2] + 1.5 * cos(y[0]) * y[1], 1e-9);
  stop(&r);
}

/** Angles a and b from the vertical with their rates: 2 kg on 1 m, 1 kg on a further metre. */
/** A load on a rope of length l = 2 + sin(2 t)/4: l th'' + 2 l' th' + g sin th = 0. */
static void hoist_equations(double t, const double y[], double ydot[]) {
  double l = 2 + 0.25 * sin(2 * t), rate = 0.5 * cos(2 * t);
  ydot[0] = y[1];
  ydot[1] = -(g * sin(y[0]) + 2 * rate * y[1]) / l;
}

/** The winch states the flow of a junction, whose half arrow comes in; its integral is the length. */
static void load_is_hoisted(void **state) {
  (void)state;
  char text[3000];
  double y[2] = {0.8, 0};
  integrate(hoist_equations, y, 2, 0, 3);
  (void)snprintf(
      text, sizeof text,
      "<network domain='translation'><signal id='th' rate='w' start='0.8 rad'/>"
      "<signal id='w' of='swing.f'/><signal id='l' rate='v' start='2 m'/><signal id='v' "
      "of='winch.f'/>"
      "<J1 id='swing' domain='rotation'/><MTF id='tx' ratio='l*cos(th)'/>"
      "<MTF id='ty' ratio='l*sin(th)'/><Sf id='drive' flow='0.5[m/s]*cos(2[rad/s]*t)'/>"
      "<J1 id='winch'/><MTF id='rx' ratio='sin(th)'/><MTF id='ry' ratio='-cos(th)'/><J0 id='sx'/>"
      "<J0 id='sy'/><J1 id='mx'/><J1 id='my'/><I id='Lx' mass='3 kg' p0='%.17g N.s'/>"
      "<I id='Ly' mass='3 kg' p0='%.17g N.s'/><Se id='G' effort='-3*9.81[N]'/>"
      "<bond from='drive' to='winch'/><bond from='winch' to='rx'/><bond from='winch' to='ry'/>"
      "<bond from='rx' to='sx'/><bond from='ry' to='sy'/><bond from='swing' to='tx'/>"
      "<bond from='swing' to='ty'/><bond from='tx' to='sx'/><bond from='ty' to='sy'/>"
      "<bond from='sx' to='mx'/><bond from='sy' to='my'/><bond from='mx' to='Lx'/>"
      "<bond from='my' to='Ly'/><bond from='G' to='my'/></network>",
      1.5 * sin(0.8), -1.5 * cos(0.8));
  run r = start(text, 1e-11, 1e-13);
  advance(&r, 3);
  assert_near(value(&r, "l.value"), 2 + 0.25 * sin(6), 1e-9);
  assert_near(value(&r, "th.value"), y[0], 1e-8);
  assert_near(value(&r, "swing.f"), y[1], 1e-8);
  assert_near(ledger_of(&r)->residual_relative, 0, 1e-10);
  stop(&r);
}

static void double_equations(double t, const double y[], double ydot[]) {
  (void)t;
  double c = cos(y[0] - y[2]), s = sin(y[0] - y[2]), det = 3 - c * c;
  double first = -3 * g * sin(y[0]) - s * y[3] * y[3], second = -g * sin(y[2]) + s * y[1] * y[1];
  ydot[0] = y[1];
  ydot[1] = (first - c * second) / det;
  ydot[2] = y[3];
  ydot[3] = (3 * second - c * first) / det;
}

/** Rods of 1 m with 2 kg and 1 kg at their ends, which turn by angles a and b from below, the second at a rate to begin with. The
 *  first mass is in the arguments.  @param rate  [rad/s] */
static run double_at(const char *first, double a, double b, double rate) {
  char text[4000];
  (void)snprintf(
      text, sizeof text,
      "<network domain='translation'><signal id='a' rate='wa' start='%.17g rad'/>"
      "<signal id='wa' of='ja.f'/><signal id='b' rate='wb' start='%.17g rad'/>"
      "<signal id='wb' of='jb.f'/><J1 id='ja' domain='rotation'/><J1 id='jb' domain='rotation'/>"
      "%s<MTF id='ax' ratio='1[m]*cos(a)'/><MTF id='ay' ratio='1[m]*sin(a)'/>"
      "<MTF id='bx' ratio='1[m]*cos(b)'/><MTF id='by' ratio='1[m]*sin(b)'/><J0 id='sx'/>"
      "<J0 id='sy'/><J1 id='mx'/><J1 id='my'/><I id='Lx' mass='1 kg' p0='%.17g N.s'/>"
      "<I id='Ly' mass='1 kg' p0='%.17g N.s'/>"
      "<Se id='G' effort='-9.81 N'/><bond from='ja' to='ax'/><bond from='ja' to='ay'/>"
      "<bond from='jb' to='bx'/><bond from='jb' to='by'/><bond from='ax' to='sx'/>"
      "<bond from='bx' to='sx'/><bond from='ay' to='sy'/><bond from='by' to='sy'/>"
      "<bond from='sx' to='mx'/><bond from='sy' to='my'/><bond from='mx' to='Lx'/>"
      "<bond from='my' to='Ly'/><bond from='G' to='my'/></network>",
      a, b, first, rate * cos(b), rate * sin(b));
  return start(text, 1e-11, 1e-13);
}

static const char first_inertia[] =
    "<I id='Ja' domain='rotation' inertia='2 kg.m^2'/><bond from='ja' to='Ja'/>"
    "<Se id='Ga' domain='rotation' effort='-2*9.81[N.m]*sin(a)'/><bond from='Ga' to='ja'/>";
static const char first_masses[] =
    "<J1 id='nx'/><J1 id='ny'/><I id='Nx' mass='2 kg'/><I id='Ny' mass='2 kg'/>"
    "<Se id='Ga' effort='-2*9.81[N]'/><MTF id='cx' ratio='1[m]*cos(a)'/>"
    "<MTF id='cy' ratio='1[m]*sin(a)'/><bond from='ja' to='cx'/><bond from='ja' to='cy'/>"
    "<bond from='cx' to='nx'/><bond from='cy' to='ny'/><bond from='nx' to='Nx'/>"
    "<bond from='ny' to='Ny'/><bond from='Ga' to='ny'/>";

/** The first mass as a moment of inertia of its joint, or as a mass in two directions: then neither of the joints
 *  has any inertia, and the second constrains four masses. */
static void double_pendulum(void **state) {
  (void)state;
  double y[4] = {1, 0, 2.5, 0};
  integrate(double_equations, y, 4, 0, 2);
  for (int k = 0; k < 2; k++) {
    run r = double_at(k == 0 ? first_inertia : first_masses, 1, 2.5, 0);
    advance(&r, 2);
    assert_near(value(&r, "a.value"), y[0], 1e-8);
    assert_near(value(&r, "ja.f"), y[1], 1e-8);
    assert_near(value(&r, "b.value"), y[2], 1e-8);
    assert_near(value(&r, "jb.f"), y[3], 1e-8);
    assert_near(ledger_of(&r)->residual_relative, 0, 1e-10);
    stop(&r);
  }
}

/** As double_equations(), with 0.1 kg m^2 on each joint. */
static void heavy_equations(double t, const double y[], double ydot[]) {
  (void)t;
  double c = cos(y[0] - y[2]), s = sin(y[0] - y[2]), det = 3.1 * 1.1 - c * c;
  double first = -3 * g * sin(y[0]) - s * y[3] * y[3], second = -g * sin(y[2]) + s * y[1] * y[1];
  ydot[0] = y[1];
  ydot[1] = (1.1 * first - c * second) / det;
  ydot[2] = y[3];
  ydot[3] = (3.1 * second - c * first) / det;
}

/** Rods with inertia, both masses in two directions. */
static const char *const heavy_elements[] = {
    "<signal id='a' rate='wa' start='%.17g rad'/>", // the first two: angles at the start
    "<signal id='b' rate='wb' start='%.17g rad'/>",
    "<J1 id='mx'/><I id='Mx' mass='2 kg' p0='%.17g N.s'/><bond from='mx' to='Mx'/>", // and momenta
    "<J1 id='my'/><I id='My' mass='2 kg' p0='%.17g N.s'/><bond from='my' to='My'/>",
    "<J1 id='nx'/><I id='Nx' mass='1 kg' p0='%.17g N.s'/><bond from='nx' to='Nx'/>",
    "<J1 id='ny'/><I id='Ny' mass='1 kg' p0='%.17g N.s'/><bond from='ny' to='Ny'/>",
    "<I id='Ja' domain='rotation' inertia='0.1 kg.m^2' p0='%.17g N.m.s'/><bond from='ja' to='Ja'/>",
    "<I id='Jb' domain='rotation' inertia='0.1 kg.m^2' p0='%.17g N.m.s'/><bond from='jb' to='Jb'/>",
    "<J1 id='ja' domain='rotation'/>",
    "<J1 id='jb' domain='rotation'/>",
    "<signal id='wa' of='ja.f'/>",
    "<signal id='wb' of='jb.f'/>",
    "<MTF id='ax' ratio='1[m]*cos(a)'/><bond from='ja' to='ax'/><bond from='ax' to='mx'/>",
    "<MTF id='ay' ratio='1[m]*sin(a)'/><bond from='ja' to='ay'/><bond from='ay' to='my'/>",
    "<MTF id='bx' ratio='1[m]*cos(b)'/><bond from='jb' to='bx'/><bond from='bx' to='sx'/>",
    "<MTF id='by' ratio='1[m]*sin(b)'/><bond from='jb' to='by'/><bond from='by' to='sy'/>",
    "<J0 id='sx'/><bond from='mx' to='sx'/><bond from='sx' to='nx'/>",
    "<J0 id='sy'/><bond from='my' to='sy'/><bond from='sy' to='ny'/>",
    "<Se id='Ga' effort='-2*9.81[N]'/><bond from='Ga' to='my'/>",
    "<Se id='Gb' effort='-9.81 N'/><bond from='Gb' to='ny'/>",
    "<MTF id='cx' ratio='1[m]*cos(a)'/><bond from='ja' to='cx'/><bond from='cx' to='mx'/>",
    "<MTF id='cy' ratio='1[m]*sin(a)'/><bond from='ja' to='cy'/><bond from='cy' to='my'/>"};
enum { HEAVY = sizeof heavy_elements / sizeof *heavy_elements, HEAVY_NUMBERS = 8 };

/** @param y  angles and rates  @param count  of the elements: the last two state twice what two others say  @param order  of the elements */
static run heavy_at(const double y[4], int count, const int order[]) {
  const double px = 2 * cos(y[0]) * y[1], py = 2 * sin(y[0]) * y[1];
  const double number[HEAVY_NUMBERS] = {
      y[0],       y[2],      px, py, px / 2 + cos(y[2]) * y[3], py / 2 + sin(y[2]) * y[3],
      0.1 * y[1], 0.1 * y[3]};
  char text[6000];
  int used = snprintf(text, sizeof text, "<network domain='translation'>");
  for (int i = 0; i < count; i++) {
    const int k = order[i];
    used += snprintf(text + used, sizeof text - (size_t)used, heavy_elements[k],
                     k < HEAVY_NUMBERS ? number[k] : 0.);
  }
  (void)snprintf(text + used, sizeof text - (size_t)used, "</network>");
  return start(text, 1e-11, 1e-13);
}

static void assert_heavy(const double from[4], int count, const int order[]) {
  double y[4];
  memcpy(y, from, sizeof y);
  integrate(heavy_equations, y, 4, 0, 0.5);
  run r = heavy_at(from, count, order);
  advance(&r, 0.5);
  assert_near(value(&r, "a.value"), y[0], 1e-8);
  assert_near(value(&r, "ja.f"), y[1], 1e-8);
  assert_near(value(&r, "b.value"), y[2], 1e-8);
  assert_balanced(&r);
  stop(&r);
}

/** From right angles, where a ratio stated twice is cos(pi/2) = 6e-17: rounding, and no coupling. */
static void ratios_that_are_rounding_couple_nothing(void **state) {
  (void)state;
  int order[HEAVY];
  for (int i = 0; i < HEAVY; i++) {
    order[i] = i;
  }
  for (int k = THOROUGH ? -1 : 1; k <= 1; k += 2) {
    assert_heavy((double[]){0.5 * pi * k, 2, 0.5, 1}, HEAVY, order);
    assert_heavy((double[]){0.5 * pi * k, 3, 0, 1}, HEAVY, order);
    assert_heavy((double[]){pi * k, 2, 0.5 * pi, -1}, HEAVY, order);
  }
}

/** Whatever the order in which the elements are told. */
static void order_decides_nothing(void **state) {
  (void)state;
  const int single = HEAVY - 2;
  int order[HEAVY];
  unsigned long seed = 20;
  for (int i = 0; i < HEAVY; i++) {
    order[i] = i;
  }
  for (int trial = 0; trial < (THOROUGH ? 60 : 12); trial++) {
    for (int i = single - 1; i > 0; i--) {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      const int k = (int)(seed / 65536) % (i + 1), swap = order[i];
      order[i] = order[k];
      order[k] = swap;
    }
    assert_heavy((double[]){-0.8, 0, 1.7, 2.5}, single, order);
  }
}

/** A rod that begins at rest beside one that moves has the rounding of the flows of this one, 1e-17 rad/s; one that lies level and falls
 *  freely takes none of its weight, as it has no mass, and has the rounding of that. */
static void what_is_at_rest_is_known_by_what_moves_it(void **state) {
  (void)state;
  static const double start_at[][3] = {{0.5, 1, 2}, {0, 1, -3}, {-2, 0.5, 4}};
  for (int i = 0; i < 3; i += THOROUGH ? 1 : 2) {
    const double *at = start_at[i];
    double y[4] = {at[0], 0, at[1], at[2]};
    integrate(double_equations, y, 4, 0, 1);
    for (int k = 0; k < 2; k++) {
      run r = double_at(k == 0 ? first_inertia : first_masses, at[0], at[1], at[2]);
      advance(&r, 1);
      assert_near(value(&r, "a.value"), y[0], 1e-8);
      assert_near(value(&r, "b.value"), y[2], 1e-8);
      assert_balanced(&r);
      stop(&r);
    }
  }
  run r = pendulum(-0.5 * pi, 0, 1e-11);
  advance(&r, sqrt(1.5 / g) * elliptic(sin(0.25 * pi)));
  assert_near(value(&r, "th.value"), 0, 1e-9);
  assert_balanced(&r);
  stop(&r);
}

/** Two bars of angles a and b on one pivot, and others parallel to them: 1 kg is at 1 m along the first and 0.5 m along the second,
 *  2 kg at 0.4 m and -1 m. */
static void pantograph_equations(double t, const double y[], double ydot[]) {
  (void)t;
  double m = 1 + 2 * 0.16, n = 0.25 + 2, k = 0.5 - 2 * 0.4;
  double c = k * cos(y[0] - y[2]), s = k * sin(y[0] - y[2]), det = m * n - c * c;
  double first = -g * (1 + 2 * 0.4) * sin(y[0]) - s * y[3] * y[3];
  double second = -g * (0.5 - 2) * sin(y[2]) + s * y[1] * y[1];
  ydot[0] = y[1];
  ydot[1] = (n * first - c * second) / det;
  ydot[2] = y[3];
  ydot[3] = (m * second - c * first) / det;
}

/** Neither of the bars has inertia, and each mass is moved by both: no row of the network tells the flow of one alone. */
static void pantograph(void **state) {
  (void)state;
  static const char *const methods[] = {"auto", "kvaerno-5", "fehlberg-8"};
  static const double along[2][2] = {{1, 0.5}, {0.4, -1}}, mass[2] = {1, 2};
  double y[4] = {0.5, 0, 2, 0};
  integrate(pantograph_equations, y, 4, 0, 1.5);
  char text[4000];
  int used = snprintf(text, sizeof text,
                      "<network domain='translation'><J1 id='ja' domain='rotation'/>"
                      "<J1 id='jb' domain='rotation'/><signal id='wa' of='ja.f'/>"
                      "<signal id='wb' of='jb.f'/><signal id='a' rate='wa' start='0.5 rad'/>"
                      "<signal id='b' rate='wb' start='2 rad'/>");
  for (int k = 0; k < 4; k++) { // x and y of both masses
    const char *ratio = k % 2 == 0 ? "cos" : "sin";
    used += snprintf(text + used, sizeof text - (size_t)used,
                     "<J1 id='m%d'/><I id='I%d' mass='%g kg'/><J0 id='s%d'/>"
                     "<MTF id='a%d' ratio='%g[m]*%s(a)'/><MTF id='b%d' ratio='%g[m]*%s(b)'/>"
                     "<bond from='m%d' to='I%d'/><bond from='s%d' to='m%d'/>"
                     "<bond from='ja' to='a%d'/><bond from='a%d' to='s%d'/>"
                     "<bond from='jb' to='b%d'/><bond from='b%d' to='s%d'/>",
                     k, k, mass[k / 2], k, k, along[k / 2][0], ratio, k, along[k / 2][1], ratio, k,
                     k, k, k, k, k, k, k, k, k);
  }
  (void)snprintf(text + used, sizeof text - (size_t)used,
                 "<Se id='G1' effort='-9.81 N'/><Se id='G3' effort='-19.62 N'/>"
                 "<bond from='G1' to='m1'/><bond from='G3' to='m3'/></network>");
  for (int i = 0; i < (PLAIN ? 3 : 1); i++) {
    run r = prepare_inside(text);
    sb_options options = options_of(methods[i], 1e-9);
    start_by(&r, &options);
    advance(&r, 1.5);
    assert_near(value(&r, "a.value"), y[0], 1e-7);
    assert_near(value(&r, "ja.f"), y[1], 1e-7);
    assert_near(value(&r, "b.value"), y[2], 1e-7);
    assert_near(value(&r, "jb.f"), y[3], 1e-7);
    assert_closes(&r);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      repeating_test(pendulum_swings),
      repeating_test(pendulum_turns_over),
      repeating_test(energy_balance_error_falls_with_the_tolerance),
      repeating_test(crane),
      cmocka_unit_test(load_is_hoisted),
      repeating_test(double_pendulum),
      repeating_test(ratios_that_are_rounding_couple_nothing),
      repeating_test(order_decides_nothing),
      repeating_test(what_is_at_rest_is_known_by_what_moves_it),
      repeating_test(pantograph),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
