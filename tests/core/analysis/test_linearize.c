// SPDX-License-Identifier: GPL-3.0-or-later
// Linearisation against closed forms: series RLC, motor, mass-spring chain, RC ladder; a body that
// rests on a contact for the nonlinear side.
#include <complex.h>

#include "core/analysis/differences_private.h"
#include "core/analysis/hamiltonian.h"
#include "core/analysis/linearize.h"
#include "core/model/model_data.h"
#include "tests/fixture.h"

enum { TEXT_MAX = 1 << 16 };

/** A model at its operating point, and its linearisation there. */
typedef struct point {
  run r;
  sb_linear *linear;
  sb_mode modes[200];
} point;

static void start_point(point *p, const char *text) {
  *p = (point){.r = start_netlist(text)};
}

static void linearize(point *p, const char *const outputs[], int count, bool equilibrium) {
  sb_error err = {0};
  const sb_linear_request request = {
      .outputs = outputs, .output_count = count, .equilibrium = equilibrium};
  ok(sb_linearize(p->r.sim, &request, &p->linear, &err), &err);
  assert_true(p->linear->states <= 200);
  ok(sb_linear_modes(p->linear, p->modes, &err), &err);
}

static void stop_point(point *p) {
  sb_linear_destroy(p->linear);
  stop(&p->r);
}

static double complex response(const point *p, double omega) {
  double re, im;
  sb_error err = {0};
  ok(sb_linear_response(p->linear, omega, &re, &im, NULL, &err), &err);
  return re + I * im;
}

#define RUN "<run t-end='1 s' rtol='1e-8' atol='1e-10'/>"
static const char rlc[] =
    "<screwbond version='1' id='rlc'><network domain='electric'>"
    "<Se id='src' effort='5 V' waveform='sine' frequency='50 Hz'/><J1 id='loop'/>"
    "<R id='R1' r='3.7 ohm'/><I id='L1' l='12.5 mH'/><C id='C1' c='2.385 uF' q0='1 uC'/>"
    "<bond from='src' to='loop'/><bond from='loop' to='R1'/><bond from='loop' to='L1'/>"
    "<bond from='loop' to='C1'/></network>" RUN "</screwbond>";

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

static void energy_and_power_are_differenced(void **state) {
  (void)state;
  const char *const outputs[] = {"C1.energy", "C1.e"};
  point p;
  start_point(&p, rlc);
  linearize(&p, outputs, 2, false);
  assert_near_relative(p.linear->C[0 * 2 + 1], 1e-6 / 2.385e-6, 1e-7); // dH/dq = q/c; L1.p is first
  assert_near_relative(p.linear->C[1 * 2 + 1], 1 / 2.385e-6, 1e-9);
  assert_near_relative(p.linear->A[1], -1 / 2.385e-6, 1e-15); // exact all the same
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

/** Beside a kink the matrices are those of one side: no difference looks across. */
static void one_side_of_a_kink(void **state) {
  (void)state;
  static const struct {
    const char *q0;
    double stiffness, slope;
  } rows[] = {{"1e-9 m", 700, 2}, {"-1e-9 m", 0, 5}, {"3 mm", 700, 2}};
  for (int i = 0; i < 3; i++) {
    char text[900];
    (void)snprintf(text, sizeof text,
                   "<screwbond version='1' id='m'><network domain='translation'><C id='k' "
                   "energy='350[N/m]*max(0[m], q)^2' q0='%s'/><I id='m' mass='2 kg'/><J1 id='j'/>"
                   "<bond from='j' to='k'/><bond from='j' to='m'/><signal id='s' of='k.q'/>"
                   "<signal id='y' rate='if(s &lt; 0[m], 5*s, 2*s)*1[1/s]'/></network>"
                   "<run t-end='1 s'/></screwbond>",
                   rows[i].q0);
    point p;
    start_point(&p, text);
    linearize(&p, NULL, 0, false);
    const int n = p.linear->states;
    assert_int_equal(n, 3);
    assert_near(p.linear->A[1 * n + 0], -rows[i].stiffness, 1e-6);
    assert_near(p.linear->A[0 * n + 1], 0.5, 1e-12);
    assert_near(p.linear->A[2 * n + 0], rows[i].slope, 1e-9);
    stop_point(&p);
  }
}

/** A mass of 1 kg and a spring of 1 N/m that move from v0 and 0 m, and what acts on the mass. */
static void start_mass(point *p, const char *parts, const char *v0, char text[TEXT_MAX]) {
  (void)snprintf(
      text, TEXT_MAX,
      "<screwbond version='1' id='m'><network domain='translation'><Se id='G' effort='0 N'/>"
      "<I id='m' mass='1 kg' p0='%s'/><C id='k' c='1 m/N'/><J1 id='j'/><bond from='G' "
      "to='j'/><bond from='j' to='m'/><bond from='j' to='k'/><signal id='v' of='m.f'/>"
      "<signal id='x' of='k.q'/><signal id='g' of='G.e'/>%s</network>" RUN "</screwbond>",
      v0, parts);
  start_point(p, text);
}
#define FORCE(effort) "<Se id='F' effort='" effort "'/><bond from='F' to='j'/>"
#define LAW(law) "<R id='F' law='" law "'/><bond from='j' to='F'/>"

/** On a kink or a jump there is no linear model; the element is named at its place. */
static void kinks_and_jumps_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *parts, *v0, *what, *element;
  } rows[] = {
      {FORCE("-1[N.s/m]*abs(v)"), "0 N.s", "Se 'F' has a kink", "<Se id='F'"},
      {FORCE("if(v&gt;0[m/s], -1[N.s/m]*v, 1[N])"), "0 N.s", "Se 'F' has a jump", "<Se id='F'"},
      {FORCE("if(v&gt;=0[m/s], -1[N.s/m]*v, 1[N])"), "0 N.s", "Se 'F' has a jump", "<Se id='F'"},
      {FORCE("-2[N]*floor(v/0.1[m/s])"), "0.3 N.s", "Se 'F' has a jump", "<Se id='F'"},
      {FORCE("-2[N.s/m]*mod(v, 0.1[m/s])"), "0.2 N.s", "Se 'F' has a jump", "<Se id='F'"},
      {FORCE("-1[N.s/m]*max(v - 0.3[m/s], 0[m/s])"), "0.3 N.s", "Se 'F' has a kink", "<Se id='F'"},
      {LAW("3[N.s/m]*f + max(0[N], 2[N.s/m]*f)"), "0 N.s", "R 'F' has a kink", "<R id='F'"},
      {"<signal id='s' value='max(-v, 2*v)'/>" FORCE("-1[N.s/m]*s"), "0 N.s",
       "signal 's' has a kink", "<signal id='s'"},
      {"<signal id='s' value='abs(v)'/>" FORCE("-1[N.s/m]*max(v, 0[m/s])"), "0 N.s",
       "Se 'F' has a kink", "<Se id='F'"},
      {FORCE("max(0[N], g)"), "0 N.s", "Se 'F' has a kink", "<Se id='F'"}, // of the source G
      {FORCE("max(0[N], min(3[N.s/m]*v, 2[N/m]*x))"), "0 N.s", "Se 'F' has a kink", "<Se id='F'"},
      {"<C id='F' energy='350[N/m]*max(0[m], q)^2'/><bond from='j' to='F'/>", "0 N.s",
       "C 'F' has a kink", "<C id='F'"},
      {"<R id='F' flows='-1 0 2 m/s' efforts='-3 0 5 N'/><bond from='j' to='F'/>", "0 N.s",
       "R 'F' has a kink", "<R id='F'"},
      {"<R id='F' flows='-1 0 0.3 2 m/s' efforts='-3 0 0.9 5 N'/><bond from='j' to='F'/>",
       "0.3 N.s", "R 'F' has a kink", "<R id='F'"},
      // What decides is a difference of 1e-16 of terms that are rounded: 0.1*3 is not 0.3
      {FORCE("-1[N.s/m]*max(0[m/s], v - 0.3[m/s])"), "0.1*3[N.s]", "Se 'F' has a kink",
       "<Se id='F'"},
      {FORCE("-1[N.s/m]*abs(v - 0.3[m/s])"), "0.1*3[N.s]", "Se 'F' has a kink", "<Se id='F'"},
      {FORCE("1[N]*sign(0.3[m/s] - v)"), "0.1*3[N.s]", "Se 'F' has a jump", "<Se id='F'"},
      {FORCE("if(v - 0.3[m/s] &lt; 0[m/s], 1[N], 2[N])"), "0.1*3[N.s]", "Se 'F' has a jump",
       "<Se id='F'"},
      {FORCE("if(v + 1[m/s] - 1.3[m/s] &gt;= 0[m/s], 1[N], 2[N])"), "0.3 N.s", "Se 'F' has a jump",
       "<Se id='F'"},
      {FORCE("2[N]*(v &gt; 0.3[m/s])"), "0.1*3[N.s]", "Se 'F' has a jump", "<Se id='F'"},
      {FORCE("-2[N]*floor((v - 0.3[m/s])/0.2[m/s])"), "0.1*3[N.s]", "Se 'F' has a jump",
       "<Se id='F'"},
      {FORCE("-1[N.s/m]*max(0[m/s], x*1[1/s] + 0.3[m/s] - v0)") "<signal id='v0' "
                                                                "value='0.1*3[m/s]'/>",
       "0 N.s", "Se 'F' has a kink", "<Se id='F'"},
      {"<signal id='d' value='v - 0.3[m/s]'/>" FORCE("-1[N.s/m]*max(0[m/s], d)"), "0.1*3[N.s]",
       "Se 'F' has a kink", "<Se id='F'"}, // of a signal
      {"<Se id='H' effort='0.1*3[N]'/><bond from='H' to='j'/><signal id='h' of='H.e'/><signal "
       "id='d' value='h - 0.3[N]'/>" FORCE("max(0[N], d)"),
       "0 N.s", "Se 'F' has a kink", "<Se id='F'"}, // of a source
      {"<Sf id='H' flow='0.1*3[m/s]'/><R id='F' flows='-1 0 2 m/s' efforts='-3 0 5 N'/>"
       "<J0 id='o'/><bond from='H' to='o'/><bond from='o' to='F'/><bond from='j' to='o'/>",
       "-0.3 N.s", "R 'F' has a kink", "<R id='F'"}, // a table between them
  };
  static char text[TEXT_MAX];
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    point p;
    sb_error err = {0};
    const sb_linear_request request = {0};
    start_mass(&p, rows[i].parts, rows[i].v0, text);
    assert_int_equal(sb_linearize(p.r.sim, &request, &p.linear, &err), SB_ERR_USAGE);
    assert_contains(err.text, rows[i].what);
    assert_contains(err.text, " at the operating point: the ");
    assert_contains(err.hint, "linearize at another operating point");
    assert_int_equal(err.line, 1);
    assert_int_equal(err.column, strstr(text, rows[i].element) - text + 1);
    assert_null(p.linear);
    stop(&p.r);
  }
}

/** dF/dv and dF/dx, where both sides agree, or away from the kink. */
static void what_has_derivatives_on_a_kink_is_linearised(void **state) {
  (void)state;
  static const struct {
    const char *parts, *v0;
    double of_v, of_x;
  } rows[] = {
      {FORCE("-1[N.s^2/m^2]*abs(v)*v"), "0 N.s", 0, 0},
      {FORCE("-1[N.s^2/m^2]*abs(v)*v"), "-0.7 N.s", -1.4, 0},
      {"<signal id='s' value='abs(v)'/>" FORCE("-1[N.s^2/m^2]*s*v"), "0 N.s", 0, 0},
      {"<signal id='s' value='abs(v)'/>" FORCE("-3[N.s/m]*v"), "0 N.s", -3, 0}, // nothing reads it
      {FORCE("-3[N.s/m]*(max(0[m/s], v) - max(0[m/s], -v))"), "0 N.s", -3, 0},  // is -3 v
      {FORCE("-1.3[N.s/m]*(max(v, 0[m/s]) + min(0[m/s], v)) + 2[N.s/m^2]*x*sign(v)*v"), "0 N.s",
       -1.3, 0},
      {FORCE("-3[N.s^2/m^2]*max(0[m/s], v - 0.3[m/s])^2"), "0.3 N.s", 0, 0},
      {FORCE("-3[N.s^1.5/m^1.5]*max(0[m/s], v)^1.5"), "0 N.s", 0, 0},
      {FORCE("min(max(-7[N.s/m]*v - 4[N/m]*x, -2[N]), 2[N])"), "0 N.s", -7, -4}, // a saturation
      {FORCE("min(max(-7[N.s/m]*v - 4[N/m]*x, -2[N]), 2[N])"), "1 N.s", 0, 0},
      {FORCE("-1[N.s/m]*abs(v)"), "1e-9 N.s", -1, 0},
      {FORCE("-1[N.s/m]*abs(v)"), "-1e-9 N.s", 1, 0},
      {FORCE("-1[N.s/m]*abs(v)"), "-1e-16 N.s", 1, 0}, // no terms cancel: it is beside the kink
      {FORCE("-1[N.s/m]*max(0[m/s], v - 0.3[m/s])"), "0.30000000000003 N.s", -1, 0},
      {FORCE("-3[N.s^2/m^2]*max(0[m/s], v - 0.3[m/s])^2"), "0.1*3[N.s]", 0, 0},
      {FORCE("-0.03[N.s^1.5/m^1.5]*max(0[m/s], v - 0.3[m/s])^1.5"), "0.1*3[N.s]", 0, 0},
      {FORCE("if(t &lt; 0[s], 1[N], 2[N]) - 0.6[N.s/m]*v"), "0 N.s", -0.6, 0}, // of the time alone
      {LAW("3[N.s^2/m^2]*abs(f)*f"), "0 N.s", 0, 0},
      {"<R id='F' flows='-1 0 0.3 2 m/s' efforts='-3 0 0.9 5 N'/><bond from='j' to='F'/>", "0 N.s",
       -3, 0},
      {"<C id='F' energy='350[N/m^2]*max(0[m], q)^3'/><bond from='j' to='F'/>", "0 N.s", 0, 0},
  };
  static char text[TEXT_MAX];
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    point p;
    start_mass(&p, rows[i].parts, rows[i].v0, text);
    linearize(&p, NULL, 0, false);
    const double *row = p.linear->A; // m.p, k.q, and the state of another C
    assert_near(row[0], rows[i].of_v, 1e-6);
    assert_near(row[1], -1 + rows[i].of_x, 1e-6);
    stop_point(&p);
  }
}

/** A source in a loop of gain k/r = 1.4e6, e = u + c + k e/r: p' = e, so that B = 1/(1 - k/r), however large the constant c is. */
static void constants_beside_signals_cost_no_digits(void **state) {
  (void)state;
  const char *const outputs[] = {"R.f", "s"};
  point p;
  start_point(&p,
              "<screwbond version='1' id='g'><network domain='electric'><signal id='s' of='R.f'/>"
              "<J0 id='j'/><R id='R' r='2.5e-6 ohm'/><I id='I' l='0.7 H'/>"
              "<Se id='E' effort='5.9e6[V] + 3.5[ohm]*s'/><bond from='E' to='j'/>"
              "<bond from='j' to='R'/><bond from='j' to='I'/></network>" RUN "</screwbond>");
  linearize(&p, outputs, 2, false);
  const double gain = 1 / (1 - 3.5 / 2.5e-6);
  assert_true(p.linear->exact);
  assert_near_relative(p.linear->D[1], gain / 2.5e-6, 1e-14);
  assert_near_relative(p.linear->B[0], gain, 1e-14);
  assert_near_relative(p.linear->D[0], gain / 2.5e-6, 1e-14);
  stop_point(&p);
}

/** Whether a number is known to within its error, which is not many times what it is off by. */
static void within(double value, double error, double truth, double terms) {
  assert_true(fabs(value - truth) <= error);
  assert_true(error <= 1e-9 * terms);
}

/** Entries beside others that are 15 decades larger: what differences have of them is told. Two capacitors, joined by a resistor g, with a
 *  diode of the third degree beside the first. */
static void errors_of_differences_are_told(void **state) {
  (void)state;
  for (int i = 0; i < 12; i++) {
    const double g = 1e-8 * pow(10, i);
    const char *const outputs[] = {"g.f"};
    char text[1000];
    (void)snprintf(
        text, sizeof text,
        "<screwbond version='1' id='d'><network domain='electric'><J0 id='a'/><J0 id='b'/><J1 "
        "id='j'/>"
        "<C id='A' c='1 F' q0='1 C'/><C id='B' c='1 F' q0='0.5 C'/><R id='g' r='%.17g ohm'/>"
        "<R id='D' law='1e7[A/V^3]*e^3'/><Sf id='S' flow='0 A'/><bond from='a' to='A'/>"
        "<bond from='a' to='D'/><bond from='S' to='a'/><bond from='a' to='j'/>"
        "<bond from='j' to='g'/><bond from='j' to='b'/><bond from='b' to='B'/></network>" RUN
        "</screwbond>",
        1 / g);
    point p;
    start_point(&p, text);
    linearize(&p, outputs, 1, false);
    const sb_linear *l = p.linear;
    within(l->A[0], l->error.A[0], -3e7 - g, 3e7);
    within(l->A[1], l->error.A[1], g, 3e7);
    within(l->A[2], l->error.A[2], g, g);
    within(l->A[3], l->error.A[3], -g, g);
    within(l->C[0], l->error.C[0], g, g);
    within(l->B[0], l->error.B[0], 1, 3e7);
    assert_true(l->A[1] == 0 || fabs(l->A[1] - g) < g);
    stop_point(&p);
  }
}

/** Of what constraints hold, as well: two masses on one rod, which a source drives, on a spring of the third degree. Where no
 *  difference is taken nothing but the rounding of an elimination with more digits is left. */
static void errors_of_constrained_entries(void **state) {
  (void)state;
  const double m1 = 3, m2 = 1e-9, k = 3 * 1e5 * 0.1 * 0.1;
  point p;
  start_point(&p, "<screwbond version='1' id='d'><network domain='translation'><J1 id='j'/>"
                  "<I id='M' mass='3 kg'/><I id='m' mass='1e-9 kg'/><C id='k' q0='0.1 m' "
                  "energy='1e5[N/m^3]*q^4/(4[m])*1[m]'/><Se id='F' effort='0 N'/>"
                  "<bond from='j' to='M'/><bond from='j' to='m'/><bond from='j' to='k'/>"
                  "<bond from='F' to='j'/></network>" RUN "</screwbond>");
  linearize(&p, NULL, 0, false);
  const sb_linear *l = p.linear;
  assert_int_equal(l->states, 2);
  const int spring = l->state[0] == 2 ? 0 : 1, mass = 1 - spring;
  const double share = (l->state[mass] == 0 ? m1 : m2) / (m1 + m2);
  within(l->A[mass * 2 + spring], l->error.A[mass * 2 + spring], -share * k, k);
  within(l->A[spring * 2 + mass], l->error.A[spring * 2 + mass], 1 / (share * (m1 + m2)), 1);
  within(l->B[mass], l->error.B[mass], share, 1);
  stop_point(&p);
  start_point(&p, rlc);
  linearize(&p, NULL, 0, false);
  for (int i = 0; i < p.linear->states * p.linear->states; i++) {
    assert_true(p.linear->error.A[i] <= 1e-25 * fabs(p.linear->A[i]));
  }
  stop_point(&p);
}

static bool one_row_and_what_vanishes(void *context, double out[]) {
  const double x = *(const double *)context;
  out[0] = exp(3 * x) + 7;
  out[1] = fabs(x) < 1e-11 ? 1e-30 * x : 1e-20 * (sin(1e15 * x) + x); // rounding that wakes up
  return true;
}

/** A row that is rounding does not end the steps of another: exp(3 x) + 7 at 0 needs wide ones, as it is known to 1e-15. */
static void rows_are_differenced_each_by_its_own_steps(void **state) {
  (void)state;
  double x = 0;
  sb_arena memory = {0};
  sb_differences d = {.evaluate = one_row_and_what_vanishes, .context = &x, .rows = 2};
  assert_true(sb_differences_init(&d, &memory));
  assert_true(sb_differences_take(&d, &x));
  assert_near(d.column[0], 3, 1e-9);
  assert_near(d.column[0], 3, d.error[0]);
  sb_arena_finish(&memory);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(series_rlc),
      cmocka_unit_test(rows_are_differenced_each_by_its_own_steps),
      cmocka_unit_test(energy_and_power_are_differenced),
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
      cmocka_unit_test(constants_beside_signals_cost_no_digits),
      cmocka_unit_test(one_side_of_a_kink),
      cmocka_unit_test(kinks_and_jumps_are_refused),
      cmocka_unit_test(what_has_derivatives_on_a_kink_is_linearised),
      cmocka_unit_test(errors_of_differences_are_told),
      cmocka_unit_test(errors_of_constrained_entries),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
