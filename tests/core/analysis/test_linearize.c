// SPDX-License-Identifier: GPL-3.0-or-later
// Linearisation against closed forms: series RLC, motor, mass-spring chain, RC ladder; a body that
// rests on a contact for the nonlinear side.
#include "tests/core/analysis/linearized.h"

static double complex response(const point *p, double omega) {
  double re, im;
  sb_error err = {0};
  ok(sb_linear_response(p->linear, omega, &re, &im, NULL, &err), &err);
  return re + I * im;
}

static void series_rlc(void **state) {
  (void)state;
  const double R = 3.7, L = 12.5e-3, c = 2.385e-6, w0 = 1 / sqrt(L * c);
  const char *const outputs[] = {"C1.e"};
  point p;
  start_point(&p, rlc);
  linearize(&p, outputs, 1, false);
  assert_true(p.linear->exact);
  assert_int_equal(p.linear->states, 2);
  assert_string_equal(p.linear->input_names[0], "src.e");
  for (int i = 0; i < 2; i++) {
    assert_near_relative(p.modes[i].re, -R / (2 * L), 1e-12);
    assert_near_relative(p.modes[i].natural, w0, 1e-12);
    assert_near_relative(p.modes[i].damping, 0.5 * R * sqrt(c / L), 1e-11);
    assert_near_relative(p.modes[i].time_constant, 2 * L / R, 1e-12);
    assert_false(p.modes[i].neutral);
  }
  assert_true(p.modes[0].im > 0 && p.modes[1].im < 0);
  for (double f = 1; f < 2e5; f *= 3.3) {
    double w = 2 * pi * f;
    double complex expected = 1 / (1 - w * w * L * c + I * w * R * c);
    double complex found = response(&p, w);
    assert_near(cabs(found - expected), 0, 1e-12 * cabs(expected));
  }
  stop_point(&p);
}

static void motor(void **state) {
  (void)state;
  const char text[] =
      "<screwbond version='1' id='motor'><network><Se id='u' domain='electric' effort='24 V'/>"
      "<J1 id='coil' domain='electric'/><R id='R' r='0.6 ohm'/><I id='L' l='0.4 mH'/>"
      "<GY id='emf' ratio='35 mN.m/A'/><J1 id='rotor' domain='rotation'/>"
      "<I id='J' inertia='1.4e-5 kg.m^2'/><R id='b' r='2e-6 N.m.s'/><bond from='u' to='coil'/>"
      "<bond from='coil' to='R'/><bond from='coil' to='L'/><bond from='coil' to='emf'/>"
      "<bond from='emf' to='rotor'/><bond from='rotor' to='J'/><bond from='rotor' to='b'/>"
      "</network>" RUN "</screwbond>";
  const double R = 0.6, L = 0.4e-3, k = 0.035, J = 1.4e-5, b = 2e-6;
  const double half = 0.5 * (R / L + b / J), root = sqrt(half * half - (R * b + k * k) / (L * J));
  const char *const outputs[] = {"J.f"};
  point p;
  start_point(&p, text);
  linearize(&p, outputs, 1, false);
  assert_near_relative(p.modes[0].re, -half + root, 1e-12);
  assert_near_relative(p.modes[1].re, -half - root, 1e-12);
  assert_near(p.modes[0].damping, 1, 0);
  for (double w = 0; w < 1e5; w = 3 * w + 10) {
    double complex s = I * w, expected = k / ((L * s + R) * (J * s + b) + k * k);
    assert_near(cabs(response(&p, w) - expected), 0, 1e-12 * cabs(expected));
  }
  stop_point(&p);
}

/** n masses in a row, springs between them and to both walls: w_i = 2 sqrt(k/m) sin(i pi/(2n+2)). */
static void mass_spring_chain(void **state) {
  (void)state;
  enum { N = 23 };
  const double k = 2385, m = 0.73;
  char *text = calloc(1, TEXT_MAX);
  assert_non_null(text);
  int at =
      snprintf(text, TEXT_MAX, "<screwbond version='1' id='chain'><network domain='translation'>");
  for (int i = 0; i <= N; i++) {
    at += snprintf(text + at, (size_t)(TEXT_MAX - at), "<C id='k%d' c='1/2385' />", i);
    if (i < N) {
      at += snprintf(text + at, (size_t)(TEXT_MAX - at),
                     "<J1 id='v%d'/><I id='m%d' mass='0.73 kg'/><bond from='v%d' to='m%d'/>", i, i,
                     i, i);
    }
  }
  for (int i = 0; i <= N; i++) { // the spring k_i sees v_i - v_(i-1)
    if (i > 0 && i < N) {
      at += snprintf(text + at, (size_t)(TEXT_MAX - at),
                     "<J0 id='n%d'/><bond from='v%d' to='n%d'/><bond from='n%d' to='v%d'/>"
                     "<bond from='n%d' to='k%d'/>",
                     i, i - 1, i, i, i, i, i);
    } else {
      at += snprintf(text + at, (size_t)(TEXT_MAX - at), "<bond from='v%d' to='k%d'/>",
                     i == 0 ? 0 : N - 1, i);
    }
  }
  (void)snprintf(text + at, (size_t)(TEXT_MAX - at), "</network>" RUN "</screwbond>");
  point p;
  start_point(&p, text);
  linearize(&p, NULL, 0, false);
  assert_int_equal(p.linear->states, 2 * N + 1);
  assert_near(p.modes[0].natural, 0, 1e-9); // the sum of all springs is kept
  for (int i = 1; i <= N; i++) {
    double w = 2 * sqrt(k / m) * sin(i * pi / (2 * N + 2));
    assert_near_relative(p.modes[2 * i - 1].im, w, 1e-11);
    assert_near_relative(p.modes[2 * i].im, -w, 1e-11);
    assert_near(p.modes[2 * i].re, 0, 1e-9);
  }
  stop_point(&p);
  free(text);
}

/** n times R and C to ground from a source, the end open:
 *  s_i = -4/(R C) sin^2((2i-1) pi/(4n+2)). */
static void rc_ladder(void **state) {
  (void)state;
  enum { N = 17 };
  char *text = calloc(1, TEXT_MAX);
  assert_non_null(text);
  int at = snprintf(text, TEXT_MAX,
                    "<screwbond version='1' id='ladder'><network domain='electric'>"
                    "<Se id='u' effort='1 V'/><bond from='u' to='s1'/>");
  for (int i = 1; i <= N; i++) {
    at += snprintf(text + at, (size_t)(TEXT_MAX - at),
                   "<J1 id='s%d'/><R id='R%d' r='2.7 ohm'/><bond from='s%d' to='R%d'/>"
                   "<J0 id='n%d'/><C id='C%d' c='33 uF'/><bond from='n%d' to='C%d'/>"
                   "<bond from='s%d' to='n%d'/>",
                   i, i, i, i, i, i, i, i, i, i);
    if (i < N) {
      at += snprintf(text + at, (size_t)(TEXT_MAX - at), "<bond from='n%d' to='s%d'/>", i, i + 1);
    }
  }
  (void)snprintf(text + at, (size_t)(TEXT_MAX - at), "</network>" RUN "</screwbond>");
  const char *const outputs[] = {"C17.e"};
  point p;
  start_point(&p, text);
  linearize(&p, outputs, 1, false);
  for (int i = 1; i <= N; i++) {
    double half = sin((2 * i - 1) * pi / (4 * N + 2));
    assert_near_relative(p.modes[i - 1].re, -4 / (2.7 * 33e-6) * half * half, 1e-10);
  }
  assert_near(creal(response(&p, 0)), 1, 1e-12); // at rest all of the voltage is at the end
  stop_point(&p);
  free(text);
}

/** examples/loudspeaker.xml by its complex impedance, and without Le by resonance and Q in the box, as
 *  Thiele and Small define them. */
static void loudspeaker(void **state) {
  (void)state;
  const double Re = 5.6, Le = 0.5e-3, Bl = 7.2, Mms = 0.0125, Rms = 1.1, fs = 52, Sd = 0.0132;
  const double rhoc2 = 1.4 * 101325, Vb = 0.01, ws = 2 * pi * fs, Cms = 1 / (Mms * ws * ws);
  const double box = sqrt(1 + rhoc2 * Sd * Sd * Cms / Vb), stiffness = box * box / Cms;
  const double Qes = ws * Mms * Re / (Bl * Bl), Qms = ws * Mms / Rms;
  const char *const outputs[] = {"L1.f"};
  for (int coil = 0; coil <= 1; coil++) {
    const sb_override sets[] = {{"Le", "1e-9 H"}};
    point p = {.r.netlist = read_example("loudspeaker.xml", sets, 1 - coil)};
    p.r.model = compile_graph(p.r.netlist->graph);
    start_by(&p.r, &p.r.netlist->options);
    linearize(&p, outputs, 1, false);
    for (double f = 10; coil && f < 2e4; f *= 1.13) {
      double complex s = I * 2 * pi * f;
      double complex expected = 1 / (Re + s * Le + Bl * Bl / (Rms + s * Mms + stiffness / s));
      assert_near(cabs(response(&p, 2 * pi * f) - expected), 0, 1e-11 * cabs(expected));
    }
    if (!coil) { // the suspension and the box move as one: a mode at 0
      assert_near_relative(p.modes[1].natural, ws * box, 1e-7);
      assert_near_relative(1 / (2 * p.modes[1].damping), Qes * Qms / (Qes + Qms) * box, 1e-7);
    }
    stop_point(&p);
  }
}

static void rest_is_found(void **state) {
  (void)state;
  point p;
  start_point(&p, rlc);
  sb_error err = {0};
  ok(sb_simulation_advance(p.r.sim, 3.1e-3, &err), &err);
  const char *const outputs[] = {"C1.e", "L1.f"};
  linearize(&p, outputs, 2, true);
  double source = 5 * sin(2 * pi * 50 * 3.1e-3); // [V] all of it stands at the capacitor
  assert_near(p.linear->x[0], 0, 1e-15);
  assert_near_relative(p.linear->x[1], 2.385e-6 * source, 1e-12);
  assert_near(p.linear->xdot[0], 0, 1e-12);
  assert_near(p.linear->xdot[1], 0, 1e-12);
  stop_point(&p);
}

/** A ball that lies on Hertz's contact of Hunt and Crossley: k z^(3/2) = m g, then m z'' + a m g z' +
 *  (3/2) k sqrt(z) z = 0 for small z. Its quaternion's length is no motion. */
static void ball_at_rest(void **state) {
  (void)state;
  static const char text[] =
      "<screwbond version='1' id='ball'><materials>"
      "<material id='rubber' stiffness='1e4 1e4 1 N/m' normal-stiffness='1e6 N/m^(3/2)' "
      "spin-stiffness='1 N.m/rad'/></materials><laws>"
      "<contact-law id='hertz' normal='hunt-crossley' exponent='1.5' damping-factor='0.1 s/m' "
      "friction='none'/></laws><mechanism gravity='0 0 -9.81 m/s^2'>"
      "<body id='ball' mass='0.2 kg' material='rubber' position='0 0 0.0499 m'>"
      "<shape kind='sphere' radius='5 cm'/></body><ground id='floor'>"
      "<shape kind='plane' normal='0 0 1' offset='0 m'/></ground>"
      "<contact a='floor' b='ball' law='hertz'/></mechanism>" RUN "</screwbond>";
  const char *const outputs[] = {"ball.position"};
  const double m = 0.2, g = 9.81, k = 1e6, a = 0.1, z = pow(m * g / k, 2.0 / 3);
  const double w = sqrt(1.5 * k * sqrt(z) / m), damping = 0.5 * a * g / w;
  point p;
  start_point(&p, text);
  linearize(&p, outputs, 1, true);
  assert_false(p.linear->exact);
  assert_near(p.linear->x[2], 0.05 - z, 1e-12);
  int found = 0, neutral = 0;
  for (int i = 0; i < p.linear->states; i++) {
    neutral += p.modes[i].neutral;
    if (fabs(p.modes[i].natural - w) < 1e-6 * w && !p.modes[i].neutral) {
      assert_near_relative(p.modes[i].damping, damping, 1e-9);
      found++;
    }
  }
  assert_int_equal(found, 2);
  assert_true(neutral >= 1);
  stop_point(&p);
}

/** A motor that drives a load through a gear: one inertia follows the other, and both act as one. */
static const char geared[] =
    "<screwbond version='1' id='geared'><network><Se id='u' domain='electric' effort='24 V'/>"
    "<J1 id='coil' domain='electric'/><R id='R' r='0.6 ohm'/><I id='L' l='0.4 mH'/>"
    "<GY id='emf' ratio='35 mN.m/A'/><J1 id='rotor' domain='rotation'/>"
    "<I id='J' inertia='1.4e-5 kg.m^2'/><TF id='gear' ratio='0.05'/>"
    "<J1 id='out' domain='rotation'/><I id='load' inertia='0.02 kg.m^2'/>"
    "<bond from='u' to='coil'/><bond from='coil' to='R'/><bond from='coil' to='L'/>"
    "<bond from='coil' to='emf'/><bond from='emf' to='rotor'/><bond from='rotor' to='J'/>"
    "<bond from='rotor' to='gear'/><bond from='gear' to='out'/><bond from='out' to='load'/>"
    "</network>" RUN "</screwbond>";

static void dependent_storage(void **state) {
  (void)state;
  const double R = 0.6, L = 0.4e-3, k = 0.035, J = 1.4e-5 + 0.05 * 0.05 * 0.02;
  const double half = 0.5 * R / L, root = sqrt(half * half - k * k / (L * J));
  const char *const outputs[] = {"load.f"};
  point p;
  start_point(&p, geared);
  linearize(&p, outputs, 1, false);
  assert_int_equal(p.linear->constrained, 1);
  assert_int_equal(p.linear->states, 2);
  assert_near_relative(p.modes[0].re, -half + root, 1e-11);
  assert_near_relative(p.modes[1].re, -half - root, 1e-11);
  for (double w = 1; w < 1e5; w *= 7) {
    double complex s = I * w, expected = 0.05 * k / ((L * s + R) * J * s + k * k);
    assert_near(cabs(response(&p, w) - expected), 0, 1e-11 * cabs(expected));
  }
  stop_point(&p);
}

static char *equations(const char *text, bool latex) {
  point p;
  char *found = NULL;
  sb_error err = {0};
  start_point(&p, text);
  ok(sb_model_equations(p.r.model, latex, &found, &err), &err);
  stop_point(&p);
  return found;
}

static void equations_of_rlc(void **state) {
  (void)state;
  char *text = equations(rlc, false);
  assert_string_equal(text, "rlc: xdot = (J - R) Q x + G u, y = G^T Q x, H = x^T Q x/2\n"
                            "x = (L1.p, C1.q)\n"
                            "u = (src.e)\n"
                            "y = (src.f)\n"
                            "\n"
                            "J     L1.p          C1.q\n"
                            "L1.p  0             -1\n"
                            "C1.q  1             0\n"
                            "\n"
                            "R     L1.p          C1.q\n"
                            "L1.p  3.7           0\n"
                            "C1.q  0             0\n"
                            "\n"
                            "Q     L1.p          C1.q\n"
                            "L1.p  80            0\n"
                            "C1.q  0             419287.212\n"
                            "\n"
                            "G     src.e\n"
                            "L1.p  1\n"
                            "C1.q  0\n"
                            "\n"
                            "J is skew-symmetric, largest |J + J^T|: yes (0)\n"
                            "R is symmetric, largest |R - R^T|: yes (0)\n"
                            "R is positive semi-definite, least scaled eigenvalue: yes (0)\n");
  free(text);
  text = equations(rlc, true);
  assert_contains(text, "\\[ J = \\begin{pmatrix}\n0 & -1 \\\\\n1 & 0 \\\\\n\\end{pmatrix} \\]");
  assert_contains(text, "\\mathrm{L1.p}");
  free(text);
}

/** A source across a resistor: the feedthrough S. Two effort sources in series with one. */
static void equations_with_feedthrough(void **state) {
  (void)state;
  char *text = equations(
      "<screwbond version='1' id='through'><network domain='electric'>"
      "<Se id='u' effort='5 V'/><J0 id='n'/><R id='r' r='4 ohm'/><R id='s' r='2 ohm'/>"
      "<J1 id='k'/><C id='c' c='1 F'/><bond from='u' to='n'/><bond from='n' to='r'/>"
      "<bond from='n' to='k'/><bond from='k' to='s'/><bond from='k' to='c'/></network>" RUN
      "</screwbond>",
      false);
  // qdot = (u - q/c)/s, y = u/r + (u - q/c)/s: R = 1/s, G - P = 1/s, G + P = -1/s, S = 1/r + 1/s
  assert_contains(text, "xdot = (J - R) Q x + (G - P) u, y = (G + P)^T Q x + (S + N) u");
  assert_contains(text, "\nR    c.q\nc.q  0.5\n");
  assert_contains(text, "\nG    u.e\nc.q  0\n");
  assert_contains(text, "\nP    u.e\nc.q  -0.5\n");
  assert_contains(text, "\nS    u.e\nu.e  0.75\n");
  assert_contains(text, "(R P; P^T S) is positive semi-definite, least scaled eigenvalue: yes");
  free(text);
}

static void structure_of_gear(void **state) {
  (void)state;
  char *text = equations(geared, false);
  assert_contains(text, "J.e     0             0             0.035         0             -0.05\n");
  assert_contains(text, "load.f  0             0             0             0.05          0\n");
  assert_contains(text, "largest |J + J^T|: yes (0)\n");
  free(text);
}

static void faults_are_worded(void **state) {
  (void)state;
  static const struct {
    const char *input, *output, *text;
  } rows[] = {
      {"src", "C1.x", "C 'C1' has no quantity 'x'"},
      {"srk", "C1.e", "there is no element 'srk'"},
      {"C1.e", "C1.e", "'C1' is no source, but a C"},
      {"src", "R1.lost", "'R1.lost' is an integral over the run: it has no linear model"},
  };
  point p;
  start_point(&p, rlc);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    sb_error err = {0};
    sb_linear *linear = NULL;
    const sb_linear_request request = {
        .inputs = &rows[i].input, .input_count = 1, .outputs = &rows[i].output, .output_count = 1};
    assert_int_equal(sb_linearize(p.r.sim, &request, &linear, &err), SB_ERR_REFERENCE);
    assert_string_equal(err.text, rows[i].text);
    assert_null(linear);
  }
  const char *const twice[] = {"src", "src.e"}, *const output = "C1.e";
  for (int i = 0; i < 2; i++) { // in every order
    sb_error err = {0};
    sb_linear *linear = NULL;
    const sb_linear_request request = {.inputs = (const char *const[]){twice[i], twice[1 - i]},
                                       .input_count = 2,
                                       .outputs = &output,
                                       .output_count = 1};
    assert_int_equal(sb_linearize(p.r.sim, &request, &linear, &err), SB_ERR_DUPLICATE);
    assert_contains(err.text, "is given twice");
  }
  stop_point(&p);
}

/** A spring and the signal of an angle that pulls back by M sin(a) are turned together, and stay as far apart as they were: the shaft rests
 *  at k (a + d) + M sin(a) = T and not where the angle alone would bring it, and there J s^2 + r s + k + M cos(a) = 0. */
static void rest_keeps_what_every_motion_keeps(void **state) {
  (void)state;
  const double J = 1.3, r = 0.7, k = 30, M = 20, T = 5, d = 0.15;
  static const char text[] =
      "<screwbond version='1' id='shaft'><network domain='rotation'>"
      "<signal id='a' rate='w' start='0.1 rad'/><signal id='w' of='J.f'/><J1 id='j'/>"
      "<I id='J' inertia='1.3 kg.m^2'/><R id='R' r='0.7 N.m.s'/>"
      "<C id='K' c='1/30[N.m/rad]' q0='0.25 rad'/><Se id='T' effort='5[N.m]-20[N.m]*sin(a)'/>"
      "<bond from='j' to='J'/><bond from='j' to='R'/><bond from='j' to='K'/>"
      "<bond from='T' to='j'/></network>" RUN "</screwbond>";
  const char *const outputs[] = {"a"};
  point p;
  start_point(&p, text);
  linearize(&p, outputs, 1, true);
  double a = 0;
  for (int i = 0; i < 50; i++) {
    a -= (k * (a + d) + M * sin(a) - T) / (k + M * cos(a));
  }
  double angle = NAN, spring = NAN;
  for (int i = 0; i < p.linear->states; i++) {
    char name[300];
    const char *state_name = sb_network_state_name(&p.r.model->network, p.linear->state[i], name);
    angle = strcmp(state_name, "a.x") == 0 ? p.linear->x[i] : angle;
    spring = strcmp(state_name, "K.q") == 0 ? p.linear->x[i] : spring;
  }
  assert_near_relative(angle, a, 1e-9);
  assert_near_relative(spring, a + d, 1e-9);
  const double re = -r / (2 * J), stiffness = k + M * cos(a);
  bool found = false;
  for (int i = 0; i < p.linear->states; i++) {
    found = found || (fabs(p.modes[i].re - re) < 1e-7 &&
                      fabs(p.modes[i].im - sqrt(stiffness / J - re * re)) < 1e-7);
  }
  assert_true(found);
  stop_point(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(series_rlc),
      cmocka_unit_test(motor),
      cmocka_unit_test(mass_spring_chain),
      cmocka_unit_test(rc_ladder),
      cmocka_unit_test(loudspeaker),
      cmocka_unit_test(rest_is_found),
      cmocka_unit_test(ball_at_rest),
      cmocka_unit_test(rest_keeps_what_every_motion_keeps),
      cmocka_unit_test(dependent_storage),
      cmocka_unit_test(equations_of_rlc),
      cmocka_unit_test(equations_with_feedthrough),
      cmocka_unit_test(structure_of_gear),
      cmocka_unit_test(faults_are_worded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
