// SPDX-License-Identifier: GPL-3.0-or-later
// Linearisation where storages depend on others or on sources: dividers and mechanisms in closed form, and
// random networks against the complex nodal equations that are solved here.
#include <complex.h>

#include "core/analysis/linearize.h"
#include "tests/fixture.h"

enum { NODES_MAX = 6, BRANCHES_MAX = 16, TEXT_MAX = 1 << 14, TRIALS = 40 };

#define RUN "<run t-end='1 s'/>"

/** A model at its start, linearised. */
typedef struct point {
  run r;
  sb_linear *linear;
  sb_mode modes[40];
} point;

static void start_point(point *p, const char *text, const char *const outputs[], int count) {
  sb_error err = {0};
  const sb_linear_request request = {.outputs = outputs, .output_count = count};
  *p = (point){.r = start_netlist(text)};
  ok(sb_linearize(p->r.sim, &request, &p->linear, &err), &err);
  assert_true(p->linear->states <= 40);
  ok(sb_linear_modes(p->linear, p->modes, &err), &err);
}

static void stop_point(point *p) {
  sb_linear_destroy(p->linear);
  stop(&p->r);
}

static double complex response(const point *p, int output, int input, double omega) {
  double re[100], im[100];
  sb_error err = {0};
  assert_true(p->linear->outputs * p->linear->inputs <= 100);
  ok(sb_linear_response(p->linear, omega, re, im, NULL, &err), &err);
  int at = output * p->linear->inputs + input;
  return re[at] + I * im[at];
}

/** Two capacitors across a source: u_k = (1/c_k)/(1/c1 + 1/c2) u, whatever the frequency, and the current
 *  s u c1 c2/(c1 + c2). */
static void divider(void **state) {
  (void)state;
  const char text[] = "<screwbond version='1' id='divider'><network domain='electric'>"
                      "<Se id='V' effort='1 V'/><J1 id='j'/><C id='C1' c='1.7 F'/>"
                      "<C id='C2' c='2.385 F'/><bond from='V' to='j'/><bond from='j' to='C1'/>"
                      "<bond from='j' to='C2'/></network>" RUN "</screwbond>";
  const double c1 = 1.7, c2 = 2.385;
  const char *const outputs[] = {"C1.e", "C2.e", "V.f", "C2.q"};
  point p;
  start_point(&p, text, outputs, 4);
  assert_true(p.linear->exact);
  assert_int_equal(p.linear->constrained, 1);
  assert_int_equal(p.linear->order, 1);
  for (double w = 0.01; w < 1e3; w *= 7) {
    assert_near(cabs(response(&p, 0, 0, w) - c2 / (c1 + c2)), 0, 1e-14);
    assert_near(cabs(response(&p, 1, 0, w) - c1 / (c1 + c2)), 0, 1e-14);
    assert_near(cabs(response(&p, 2, 0, w) - I * w * c1 * c2 / (c1 + c2)), 0, 1e-14 * w);
    assert_near(cabs(response(&p, 3, 0, w) - c1 * c2 / (c1 + c2)), 0, 1e-14);
  }
  assert_int_equal(p.linear->states, 1); // what charge stands between both, and stays
  assert_near(p.modes[0].natural, 0, 0);
  stop_point(&p);
}

/** A resistor across the second: u_2 = s c1 r/(1 + s (c1 + c2) r) u. */
static void leaking_divider(void **state) {
  (void)state;
  const char text[] = "<screwbond version='1' id='leaking'><network domain='electric'>"
                      "<Se id='V' effort='1 V'/><J1 id='j'/><C id='C1' c='1 uF'/><J0 id='n'/>"
                      "<C id='C2' c='2 uF'/><R id='R' r='3 kohm'/><bond from='V' to='j'/>"
                      "<bond from='j' to='C1'/><bond from='j' to='n'/><bond from='n' to='C2'/>"
                      "<bond from='n' to='R'/></network>" RUN "</screwbond>";
  const double c1 = 1e-6, c2 = 2e-6, r = 3e3;
  const char *const outputs[] = {"C2.e", "V.f"};
  point p;
  sb_error err = {0};
  start_point(&p, text, outputs, 2);
  assert_near_relative(p.modes[0].re, -1 / (r * (c1 + c2)), 1e-13);
  for (double w = 1; w < 1e5; w *= 9) {
    double complex s = I * w, u = s * c1 * r / (1 + s * (c1 + c2) * r);
    assert_near(cabs(response(&p, 0, 0, w) - u), 0, 1e-13);
    assert_near(cabs(response(&p, 1, 0, w) - s * c1 * (1 - u)), 0, 1e-13 * w * c1);
  }
  sb_root zeros[3], poles[2];
  sb_factors f = {.zeros = zeros, .poles = poles};
  ok(sb_linear_factors(p.linear, 0, 0, &f, &err), &err);
  assert_int_equal(f.zero_count, 1);
  assert_int_equal(f.pole_count, 1);
  assert_near_relative(f.gain, c1 / (c1 + c2), 1e-12);
  assert_near(zeros[0].re, 0, 1e-9);
  assert_near_relative(poles[0].re, -1 / (r * (c1 + c2)), 1e-12);
  ok(sb_linear_factors(p.linear, 1, 0, &f, &err), &err); // s c1 (1 + s c2 r)/(1 + s (c1 + c2) r)
  assert_int_equal(f.zero_count, 2);
  assert_int_equal(f.pole_count, 1);
  assert_near_relative(f.gain, c1 * c2 / (c1 + c2), 1e-12);
  assert_near_relative(zeros[1].re, -1 / (r * c2), 1e-12);
  stop_point(&p);
}

/** A motor, a gear and a load by their inertias: load.f/u = n k/((L s + R) J s + k^2), J = J1 + n^2 J2. */
static void motor_with_gear(void **state) {
  (void)state;
  const char text[] =
      "<screwbond version='1' id='geared'><network><Se id='u' domain='electric' effort='24 V'/>"
      "<J1 id='coil' domain='electric'/><R id='R' r='0.6 ohm'/><I id='L' l='0.4 mH'/>"
      "<GY id='emf' ratio='35 mN.m/A'/><J1 id='rotor' domain='rotation'/>"
      "<I id='J' inertia='1.4e-5 kg.m^2'/><TF id='gear' ratio='0.05'/>"
      "<J1 id='out' domain='rotation'/><I id='load' inertia='0.02 kg.m^2'/>"
      "<bond from='u' to='coil'/><bond from='coil' to='R'/><bond from='coil' to='L'/>"
      "<bond from='coil' to='emf'/><bond from='emf' to='rotor'/><bond from='rotor' to='J'/>"
      "<bond from='rotor' to='gear'/><bond from='gear' to='out'/><bond from='out' to='load'/>"
      "</network>" RUN "</screwbond>";
  const double R = 0.6, L = 0.4e-3, k = 0.035, n = 0.05, J = 1.4e-5 + n * n * 0.02;
  const char *const outputs[] = {"load.f", "load.e", "load.energy"};
  point p;
  start_point(&p, text, outputs, 3);
  assert_int_equal(p.linear->states, 2);
  for (double w = 1; w < 1e5; w *= 7) {
    double complex s = I * w, speed = n * k / ((L * s + R) * J * s + k * k);
    assert_near(cabs(response(&p, 0, 0, w) - speed), 0, 1e-12 * cabs(speed));
    assert_near(cabs(response(&p, 1, 0, w) - 0.02 * s * speed), 0, 1e-11 * cabs(0.02 * s * speed));
    assert_near(cabs(response(&p, 2, 0, w)), 0, 1e-9); // at rest
  }
  stop_point(&p);
}

/** A pendulum on a cart whose speed is given: J theta'' + m l udot + m g l theta = 0 with J = I + m l^2, so that theta/u = -m l s/(J s^2 +
 *  m g l), and the force of the drive is (M + m) s u + B u + m l s^2 theta. The state that the drive holds jumps with it, and takes the
 *  pendulum along. What the drive gives the damper is a rounding of the weights at steps of 1e-13 m/s. */
static void pendulum_on_a_driven_cart(void **state) {
  (void)state;
  static const struct {
    double M, m, l, inertia, B;
  } cases[] = {{1.3, 0.7, 0.8, 0, 0}, {50, 4, 1, 0.5, 23}, {50, 4, 1, 0.5, 0.46}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const double M = cases[i].M, m = cases[i].m, l = cases[i].l, g = 9.81, B = cases[i].B;
    const double J = cases[i].inertia + m * l * l;
    char text[TEXT_MAX];
    (void)snprintf(
        text, sizeof text,
        "<screwbond version='1' id='cart'><mechanism gravity='0 -9.81 0 m/s^2'>"
        "<body id='cart' mass='%g kg' inertia='0.1 0.1 0.1 kg.m^2'/>"
        "<body id='bob' mass='%g kg' com='0 %g 0 m' %s/>"
        "<joint id='rail' kind='prismatic' axis='1 0 0' parent='world' child='cart' damping='%g'/>"
        "<joint id='hinge' kind='revolute' axis='0 0 1' parent='cart' child='bob'/></mechanism>"
        "<network domain='translation'><Sf id='drive' flow='0 m/s'/><bond from='drive' to='rail'/>"
        "</network>" RUN "</screwbond>",
        M, m, -l, i == 0 ? "point-mass='yes'" : "inertia='0.5 0.5 0.5 kg.m^2'", B);
    const char *const outputs[] = {"hinge.q", "drive.e", "hinge.w"};
    point p;
    start_point(&p, text, outputs, 3);
    for (double w = 0.7; w < 50; w *= 2.3) {
      const double complex s = I * w, theta = -m * l * s / (J * s * s + m * g * l);
      const double complex force = (M + m) * s + B + m * l * s * s * theta;
      assert_near(cabs(response(&p, 0, 0, w) - theta), 0, 1e-7 * cabs(theta));
      assert_near(cabs(response(&p, 1, 0, w) - force), 0, 1e-7 * cabs(force));
      assert_near(cabs(response(&p, 2, 0, w) - s * theta), 0, 1e-7 * cabs(s * theta));
    }
    stop_point(&p);
  }
}

/** A mass on a planar pendulum's way, by two changing ratios, which a force m g tan(a) holds at an angle a: V = -m g l cos(theta) -
 *  m g l tan(a) sin(theta) has V'' = m g l/cos(a) there, and the eigenvalues are +-i sqrt(g/(l cos(a))). */
static void pendulum(void **state) {
  (void)state;
  const double angles[] = {0.3, -0.81, 1.2, 0};
  for (int i = 0; i < 4; i++) {
    char text[2000];
    (void)snprintf(text, sizeof text,
                   "<screwbond version='1' id='pendulum'><network domain='translation'>"
                   "<signal id='th' rate='w' start='%.2f rad'/><signal id='w' of='swing.f'/>"
                   "<J1 id='swing' domain='rotation'/><MTF id='tx' ratio='1.5[m]*cos(th)'/>"
                   "<MTF id='ty' ratio='1.5[m]*sin(th)'/><J1 id='mx'/><I id='Lx' mass='2 kg'/>"
                   "<J1 id='my'/><I id='Ly' mass='2 kg'/><Se id='G' effort='-19.62 N'/>"
                   "<bond from='swing' to='tx'/><bond from='tx' to='mx'/><bond from='mx' to='Lx'/>"
                   "<bond from='swing' to='ty'/><bond from='ty' to='my'/><bond from='my' to='Ly'/>"
                   "<bond from='G' to='my'/><Se id='F' effort='%.16g N'/><bond from='F' to='mx'/>"
                   "</network>" RUN "</screwbond>",
                   angles[i], 19.62 * tan(angles[i]));
    const char *const outputs[] = {"th"};
    point p;
    start_point(&p, text, outputs, 1);
    assert_int_equal(p.linear->states, 2);
    const double stiffness = 9.81 / (1.5 * cos(angles[i]));
    assert_near_relative(p.modes[0].im, sqrt(stiffness), 1e-8);
    assert_near(p.modes[0].re, 0, 1e-8);
    // m l^2 theta'' = ... + l sin(theta) u of the force along y
    double w = 3.1;
    double complex expected = sin(angles[i]) / (2 * 1.5) / (stiffness - w * w);
    assert_near(cabs(response(&p, 0, 0, w) - expected), 0, 1e-8 * cabs(expected) + 1e-12);
    stop_point(&p);
  }
}

// ---- random networks

typedef struct branch {
  char kind; // R, L, C
  int a, b;  // nodes; 0: ground
  double value;
} branch;

typedef struct circuit {
  int nodes, branches;
  branch branch[BRANCHES_MAX];
  unsigned seed;
} circuit;

static int draw(circuit *c, int below) {
  c->seed = c->seed * 1103515245u + 12345u;
  return (int)((c->seed >> 16) % (unsigned)below);
}

static double draw_value(circuit *c) {
  return 0.1 * pow(1.07, draw(c, 60)); // from 0.1 to 5.4
}

/** Every node is joined to one before it, and some branches are added. A voltage source drives node 1, and a
 *  current source the last node. */
static void draw_circuit(circuit *c, unsigned seed) {
  *c = (circuit){.seed = seed * 7919u + 2u};
  c->nodes = 2 + draw(c, NODES_MAX - 2);
  for (int n = 1; n <= c->nodes; n++) {
    for (int k = 0; k < 2; k++) {
      branch *b = &c->branch[c->branches++];
      *b = (branch){"RLCC"[draw(c, 4)], draw(c, n), n, draw_value(c)};
    }
  }
  for (int k = draw(c, 4); k > 0; k--) {
    int a = draw(c, c->nodes + 1), b = draw(c, c->nodes + 1);
    if (a != b) {
      c->branch[c->branches++] =
          (branch){"RLC"[draw(c, 3)], a < b ? a : b, a < b ? b : a, draw_value(c)};
    }
  }
}

static void write_circuit(const circuit *c, char text[TEXT_MAX]) {
  int at = snprintf(text, TEXT_MAX,
                    "<screwbond version='1' id='random'><network domain='electric'>"
                    "<Se id='V' effort='0 V'/><Sf id='A' flow='0 A'/>");
  for (int n = 1; n <= c->nodes; n++) {
    at += snprintf(text + at, (size_t)(TEXT_MAX - at), "<J0 id='n%d'/>", n);
  }
  at += snprintf(text + at, (size_t)(TEXT_MAX - at),
                 "<bond from='V' to='n1'/><bond from='A' to='n%d'/>", c->nodes);
  for (int k = 0; k < c->branches; k++) {
    const branch *b = &c->branch[k];
    const char *name = b->kind == 'R' ? "r" : b->kind == 'L' ? "l" : "c";
    at += snprintf(text + at, (size_t)(TEXT_MAX - at),
                   "<%c id='b%d' %s='%.17g'/><J1 id='j%d'/><bond from='j%d' to='b%d'/>",
                   b->kind == 'L' ? 'I' : b->kind, k, name, b->value, k, k, k);
    if (b->a > 0) {
      at += snprintf(text + at, (size_t)(TEXT_MAX - at), "<bond from='n%d' to='j%d'/>", b->a, k);
    }
    at += snprintf(text + at, (size_t)(TEXT_MAX - at), "<bond from='j%d' to='n%d'/>", k, b->b);
  }
  (void)snprintf(text + at, (size_t)(TEXT_MAX - at), "</network>" RUN "</screwbond>");
}

/** Voltages of the nodes at s, for 1 V of the source and 0 A, or 0 V and 1 A. The equation of node 1 gives
 *  way to its voltage. */
static void solve_nodes(const circuit *c, double complex s, bool current, double complex u[]) {
  double complex a[NODES_MAX + 1][NODES_MAX + 2] = {{0}};
  int n = c->nodes;
  for (int k = 0; k < c->branches; k++) {
    const branch *b = &c->branch[k];
    double complex y = b->kind == 'R'   ? 1 / b->value
                       : b->kind == 'L' ? 1 / (s * b->value)
                                        : s * b->value;
    a[b->a][b->a] += y;
    a[b->b][b->b] += y;
    a[b->a][b->b] -= y;
    a[b->b][b->a] -= y;
  }
  a[n][n + 1] = current;
  for (int j = 0; j <= n + 1; j++) {
    a[1][j] = j == 1 ? 1 : j == n + 1 ? !current : 0;
  }
  for (int r = 1; r <= n; r++) {
    int best = r;
    for (int i = r + 1; i <= n; i++) {
      best = cabs(a[i][r]) > cabs(a[best][r]) ? i : best;
    }
    for (int j = 0; j <= n + 1; j++) {
      double complex swap = a[r][j];
      a[r][j] = a[best][j];
      a[best][j] = swap;
    }
    for (int i = 1; i <= n; i++) {
      double complex factor = i == r ? 0 : a[i][r] / a[r][r];
      for (int j = 1; j <= n + 1 && factor != 0; j++) {
        a[i][j] -= factor * a[r][j];
      }
    }
  }
  u[0] = 0;
  for (int r = 1; r <= n; r++) {
    u[r] = a[r][n + 1] / a[r][r];
  }
}

/** Voltages and currents of all branches against the nodes' equations; the factors against the response. */
static void check_circuit(const circuit *c, const point *p) {
  static const double omegas[] = {0.03, 0.41, 1.7, 5.3, 61};
  for (int k = 0; k < 5; k++) {
    for (int input = 0; input < 2; input++) {
      double complex s = I * omegas[k], u[NODES_MAX + 1];
      solve_nodes(c, s, input, u);
      for (int i = 0; i < c->branches; i++) {
        const branch *b = &c->branch[i];
        double complex across = u[b->a] - u[b->b];
        double complex through = b->kind == 'R'   ? across / b->value
                                 : b->kind == 'L' ? across / (s * b->value)
                                                  : across * s * b->value;
        double size = 1e-9 * (cabs(u[b->a]) + cabs(u[b->b]) + 1e-3);
        assert_near(cabs(response(p, 2 * i, input, omegas[k]) - across), 0, size);
        size *= cabs(through) / fmax(cabs(across), 1e-12);
        assert_near(cabs(response(p, 2 * i + 1, input, omegas[k]) - through), 0, fmax(size, 1e-11));
      }
    }
  }
}

static void check_factors(const circuit *c, const point *p) {
  sb_root zeros[50], poles[50];
  sb_error err = {0};
  for (int i = 0; i < 4 * c->branches; i++) {
    sb_factors f = {.zeros = zeros, .poles = poles};
    ok(sb_linear_factors(p->linear, i / 2, i % 2, &f, &err), &err);
    double complex s = 0.77 * I, product = f.gain;
    for (int k = 0; k < f.zero_count; k++) {
      product *= s - (zeros[k].re + I * zeros[k].im);
    }
    for (int k = 0; k < f.pole_count; k++) {
      product /= s - (poles[k].re + I * poles[k].im);
    }
    assert_near(cabs(product - response(p, i / 2, i % 2, 0.77)), 0, 1e-6 * (cabs(product) + 1e-6));
  }
}

static void random_networks(void **state) {
  (void)state;
  int constrained = 0, improper = 0, done = 0;
  for (unsigned trial = 0; trial < TRIALS; trial++) {
    circuit c;
    char *text = calloc(1, TEXT_MAX);
    char names[2 * BRANCHES_MAX][16];
    const char *outputs[2 * BRANCHES_MAX];
    assert_non_null(text);
    draw_circuit(&c, trial);
    write_circuit(&c, text);
    for (int i = 0; i < 2 * c.branches; i++) {
      (void)snprintf(names[i], sizeof names[i], "b%d.%c", i / 2, i % 2 == 0 ? 'e' : 'f');
      outputs[i] = names[i];
    }
    point p;
    start_point(&p, text, outputs, 2 * c.branches);
    check_circuit(&c, &p);
    check_factors(&c, &p);
    constrained += p.linear->constrained > 0;
    improper += p.linear->order > 0;
    done++;
    stop_point(&p);
    free(text);
  }
  assert_int_equal(done, TRIALS);
  assert_true(constrained > TRIALS / 3 && improper > TRIALS / 4);
}

/** The bicycle of Whipple upright on its rolling contacts: M s^2 + v C1 s + g K0 + v^2 K2 is singular at the roots
 *  below, which Meijaard, Papadopoulos, Ruina and Schwab print in table 2 of their benchmark. Edges of 0.1 um change
 *  them by 3e-6. */
static void bicycle(void **state) {
  (void)state;
  static const struct {
    const char *v;
    double complex roots[4];
  } cases[] = {
      {"v=0 m/s", {3.131643247906562, -3.131643247906562, 5.530943717653937, -5.530943717653937}},
      {"v=1 m/s",
       {3.526961709900701 + 0.807740275199300 * I, 3.526961709900701 - 0.807740275199300 * I,
        -3.134231250665784, -7.110080146375442}},
      {"v=5 m/s",
       {-0.775341882195845 + 4.464867713788229 * I, -0.775341882195845 - 4.464867713788229 * I,
        -0.322866429004087, -14.078389692798216}},
      {"v=8 m/s",
       {-2.693486835810970 + 8.460379713969310 * I, -2.693486835810970 - 8.460379713969310 * I,
        0.143278797657130, -20.279408943945697}}};
  for (size_t c = THOROUGH ? 0 : 2; c < (THOROUGH ? sizeof cases / sizeof *cases : 3); c++) {
    sb_error err = {0};
    const sb_override sets[] = {{"v", cases[c].v + 2}, {"edge", "0.2 mm"}};
    const char *const inputs[] = {"push"};
    const sb_linear_request request = {.inputs = inputs, .input_count = 1};
    point p = {.r = {.netlist = read_example("bicycle.xml", sets, 2)}};
    p.r.model = compile_graph(p.r.netlist->graph);
    start_by(&p.r, &p.r.netlist->options);
    ok(sb_linearize(p.r.sim, &request, &p.linear, &err), &err);
    ok(sb_linear_modes(p.linear, p.modes, &err), &err);
    assert_int_equal(p.linear->constrained,
                     8); // the slip of two contacts in three directions, and two gaps
    for (int k = 0; k < 4; k++) {
      double apart = HUGE_VAL;
      for (int i = 0; i < p.linear->states; i++) {
        apart = fmin(apart, cabs(p.modes[i].re + I * p.modes[i].im - cases[c].roots[k]));
      }
      assert_near(apart, 0, 1e-5);
    }
    stop_point(&p);
  }
}

/** A source of flow that follows a capacitor's voltage u = q/C and drives an inductor: q' = k u + v, p = l (k u + v), and the
 *  inductor's voltage is p' = l (k k/C u + k' u + k v/C + v'). */
static void an_inductor_driven_by_a_signal(void **state) {
  (void)state;
  static const char *const gains[] = {"0.6", "0.6*(1 + 3*t/1[s])"};
  const char *const outputs[] = {"L.e", "L.p"};
  const double C = 4, l = 0.9, k = 0.6;
  for (int i = 0; i < 2; i++) {
    char text[1000];
    point p;
    (void)snprintf(text, sizeof text,
                   "<screwbond version='1' id='driven'><network domain='electric'>"
                   "<signal id='u' of='K.e'/><J1 id='j'/><C id='K' c='4 F'/>"
                   "<I id='L' l='0.9 H'/><Sf id='V' flow='%s*u*1[S]'/><bond from='V' to='j'/>"
                   "<bond from='j' to='K'/><bond from='j' to='L'/></network>" RUN "</screwbond>",
                   gains[i]);
    start_point(&p, text, outputs, 2);
    const double rate = i == 0 ? 0 : 3 * k, accuracy = i == 0 ? 1e-15 : 1e-8;
    assert_int_equal(p.linear->exact, i == 0); // what the time moves is no constant coefficient
    assert_int_equal(p.linear->states, 1);
    assert_int_equal(p.linear->order, 1);
    const double per_state = p.linear->state[0] == 0 ? 1 : C / (l * k); // q or p is left
    assert_near_relative(p.linear->A[0], per_state == 1 ? k / C : k / C + rate / k, accuracy);
    assert_near_relative(p.linear->C[0], l * (k * k / C + rate) / C * per_state, accuracy);
    assert_near_relative(p.linear->derivatives[0], l, accuracy);
    if (per_state == 1) {
      assert_near(p.linear->B[0], 1, accuracy);
      assert_near_relative(p.linear->D[0], l * k / C, accuracy);
      assert_near_relative(p.linear->C[1], l * k / C, accuracy);
      assert_near_relative(p.linear->D[1], l, accuracy);
    }
    stop_point(&p);
  }
}

/** Three capacitors in series behind a wire of 1.1e-7 ohm, at a source that follows the integral z of the wire's voltage:
 *  r q' = v + k z - q sum(1/C), z' = a r q'. Differences of the motion as it is solved lost all digits of the wire's current. */
static void capacitors_behind_a_wire(void **state) {
  (void)state;
  const char *const outputs[] = {"A.f"};
  const double r = 1.1121e-7, k = -24156.2, a = -6.49696e-6,
               elastance = 1 / 0.0506201 + 1 / 35.9619 + 1 / 281.696;
  point p;
  start_point(
      &p,
      "<screwbond version='1' id='wire'><network domain='electric'><signal id='w' of='R.e'/>"
      "<signal id='z' rate='-6.49696e-6[1/V/s]*w'/><J0 id='n'/><J1 id='j'/>"
      "<C id='A' c='0.0506201 F'/><C id='B' c='35.9619 F'/><C id='D' c='281.696 F'/>"
      "<R id='R' r='1.1121e-7 ohm'/><R id='load' r='75 ohm'/><C id='beside' c='0.08 F'/>"
      "<Se id='V' effort='-24156.2[V]*z'/><bond from='V' to='n'/><bond from='n' to='j'/>"
      "<bond from='n' to='load'/><bond from='n' to='beside'/><bond from='j' to='A'/>"
      "<bond from='j' to='B'/><bond from='j' to='D'/><bond from='j' to='R'/></network>" RUN
      "</screwbond>",
      outputs, 1);
  assert_true(p.linear->exact);
  // a response tells the same of any choice of states; the direct one is 1/r
  assert_near_relative(p.linear->D[0], 1 / r, 1e-14);
  for (double w = 1e3; w < 1e12; w *= 31) {
    const double complex s = I * w;
    const double complex expected = s / (r * s + elastance - k * a * r);
    assert_near(cabs(response(&p, 0, 0, w) / expected - 1), 0, 1e-9);
  }
  stop_point(&p);
}

/** C of 1e6 F and of c = 1e-6 F joined by r = 1e-6 ohm, a leak of R = 3e6 ohm beside the small one and a source of current at the large one:
 *  the fast root f of s^2 + b s + 1/(r R C c), and 1/(r R C c f), are 24 decades apart. Beside 1/(r c) the leak is 3e-13, and no double
 *  has more than three digits of it. The effort of the large one follows by (s + 1/(r c) + 1/(R c))/C over both. */
static void a_leak_that_no_double_has(void **state) {
  (void)state;
  const double large = 1e6, small = 1e-6, r = 1e-6, leak = 3e6;
  const char *const outputs[] = {"A.e"};
  point p;
  start_point(&p,
              "<screwbond version='1' id='leak'><network domain='electric'><Sf id='S' flow='1 A'/>"
              "<C id='A' c='1e6 F'/><C id='B' c='1e-6 F'/><R id='r' r='1e-6 ohm'/>"
              "<R id='R' r='3e6 ohm'/><J0 id='a'/><J0 id='b'/><J1 id='j'/><bond from='S' to='a'/>"
              "<bond from='a' to='A'/><bond from='a' to='j'/><bond from='j' to='r'/>"
              "<bond from='j' to='b'/><bond from='b' to='B'/><bond from='b' to='R'/></network>" RUN
              "</screwbond>",
              outputs, 1);
  const double b = 1 / (r * large) + 1 / (r * small) + 1 / (leak * small);
  const double c = 1 / (r * leak * large * small);
  const double fast = -0.5 * (b + sqrt(b * b - 4 * c)), slow = c / fast;
  assert_near_relative(p.modes[0].re, slow, 1e-14);
  assert_near_relative(p.modes[1].re, fast, 1e-14);
  assert_true(p.modes[0].error < 1e-8 * fabs(slow));
  sb_root zeros[4], poles[4];
  sb_factors f = {.zeros = zeros, .poles = poles};
  sb_error err = {0};
  ok(sb_linear_factors(p.linear, 0, 0, &f, &err), &err);
  assert_int_equal(f.zero_count, 1);
  assert_int_equal(f.pole_count, 2);
  assert_near_relative(f.gain, 1 / large, 1e-14);
  assert_near_relative(f.zeros[0].re, -1 / (r * small) - 1 / (leak * small), 1e-14);
  assert_near_relative(f.poles[0].re, slow, 1e-14);
  for (double w = 1e-16; w < 1e16; w *= 31) {
    const double complex s = I * w;
    const double complex expected = (s - f.zeros[0].re) / large / (s - slow) / (s - fast);
    assert_near(cabs(response(&p, 0, 0, w) / expected - 1), 0, 1e-12);
  }
  stop_point(&p);
}

/** Ratios of 0.1 and 10 are meant to close a loop, as they do in a run: as doubles they leave 5.6e-17 of the effort, which would hold the
 *  capacitor at zero. Ratios of 0.1 and 7 do hold it there, and all that is read is zero, of an order of none. */
static void loops_of_transformers(void **state) {
  (void)state;
  char text[1000];
  static const char *const ratios[] = {"10", "7"};
  const char *const outputs[] = {"C.e", "C.f"};
  for (int k = 0; k < 2; k++) {
    point p;
    (void)snprintf(text, sizeof text,
                   "<screwbond version='1' id='loop'><network domain='electric'>"
                   "<Sf id='S' flow='1 A'/><C id='C' c='0.6 F'/><R id='R' r='0.1 ohm'/><J0 id='n'/>"
                   "<TF id='T' ratio='0.1'/><TF id='U' ratio='%s'/><bond from='S' to='n'/>"
                   "<bond from='n' to='C'/><bond from='n' to='R'/><bond from='n' to='T.from'/>"
                   "<bond from='T.to' to='U.from'/><bond from='U.to' to='n'/></network>" RUN
                   "</screwbond>",
                   ratios[k]);
    start_point(&p, text, outputs, 2);
    assert_int_equal(p.linear->states, k == 0 ? 1 : 0);
    assert_near(cabs(response(&p, 0, 0, 3)), k == 0 ? 1 / hypot(10, 3 * 0.6) : 0, 1e-14);
    stop_point(&p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(divider),
      cmocka_unit_test(a_leak_that_no_double_has),
      cmocka_unit_test(loops_of_transformers),
      cmocka_unit_test(an_inductor_driven_by_a_signal),
      cmocka_unit_test(capacitors_behind_a_wire),
      cmocka_unit_test(leaking_divider),
      cmocka_unit_test(motor_with_gear),
      cmocka_unit_test(pendulum_on_a_driven_cart),
      repeating_test(pendulum),
      cmocka_unit_test(random_networks),
      repeating_test(bicycle),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
