// SPDX-License-Identifier: GPL-3.0-or-later
// Long chains against closed forms written here in complex numbers: a mass-spring-damper chain by its
// tridiagonal impedance matrix and by its modes, a ladder of R, L and C by the product of its chain
// matrices (Brillouin, "Wave Propagation in Periodic Structures"); by linearisation and in time.
#include "tests/fixture.h"

#include <complex.h>

#include "core/analysis/linearize.h"

static sb_linear *linearize(const run *p, const char *const outputs[], int count) {
  sb_error err = {0};
  sb_linear *linear;
  const sb_linear_request request = {.outputs = outputs, .output_count = count};
  ok(sb_linearize(p->sim, &request, &linear, &err), &err);
  assert_true(linear->exact);
  return linear;
}

// Masses from a wall on, each with a spring and a damper to the one before; a force at the last. All
// values differ.

enum { MASSES = 29 };

static const char masses[] =
    "<screwbond version='1' id='masses'><network domain='translation'>"
    "<repeat index='k' count='29'><J1 id='v[k]'/><I id='m[k]' mass='0.73[kg]*(1+k/10)'/>"
    "<bond from='v[k]' to='m[k]'/><J0 id='n[k]'/><J1 id='s[k]'/><C id='c[k]' "
    "c='1/(2385[N/m]+60[N/m]*k)'/>"
    "<R id='r[k]' r='1.3[N.s/m]+0.2[N.s/m]*k'/><bond from='v[k]' to='n[k]'/><bond from='n[k]' "
    "to='s[k]'/>"
    "<bond from='s[k]' to='c[k]'/><bond from='s[k]' to='r[k]'/></repeat>"
    "<repeat index='k' count='28'><bond from='n[k+1]' to='v[k]'/></repeat>"
    "<Se id='force' effort='1 N'/><bond from='force' to='v[29]'/></network>"
    "<run t-end='1 s'/></screwbond>";

/** Velocities for a force of 1 at the last mass: (i w M + D + K/(i w)) v = F, by elimination. */
static void chain_velocities(double w, double complex v[MASSES]) {
  double complex diagonal[MASSES], link[MASSES + 1];
  for (int k = 1; k <= MASSES; k++) { // impedance of spring and damper below mass k
    link[k - 1] = 1.3 + 0.2 * k + (2385 + 60.0 * k) / (I * w);
  }
  link[MASSES] = 0;
  for (int k = 0; k < MASSES; k++) {
    diagonal[k] = I * w * 0.73 * (1 + (k + 1) / 10.0) + link[k] + link[k + 1];
    v[k] = k == MASSES - 1;
  }
  for (int k = 1; k < MASSES; k++) { // the entries beside the diagonal are -link[k]
    diagonal[k] -= link[k] * link[k] / diagonal[k - 1];
  }
  v[MASSES - 1] /= diagonal[MASSES - 1];
  for (int k = MASSES - 2; k >= 0; k--) {
    v[k] = link[k + 1] * v[k + 1] / diagonal[k];
  }
}

static void masses_respond_as_their_impedances(void **state) {
  (void)state;
  static const char *const outputs[] = {"m[1].f", "m[15].f", "m[29].f"};
  static const int places[] = {0, 14, 28};
  run p = start_netlist(masses);
  sb_linear *linear = linearize(&p, outputs, 3);
  for (int i = 0; i < 400; i++) {
    double w = 0.05 * pow(10, i / 80.0), re[3], im[3]; // to 5000 rad/s, above all resonances
    double complex v[MASSES];
    chain_velocities(w, v);
    assert_int_equal(sb_linear_response(linear, w, re, im, NULL, NULL), SB_OK);
    for (int k = 0; k < 3; k++) {
      double complex expected = v[places[k]];
      assert_near(cabs(re[k] + I * im[k] - expected), 0, 1e-9 * cabs(expected) + 1e-15);
    }
  }
  sb_linear_destroy(linear);
  stop(&p);
}

// Equal masses between two walls, with damping in proportion to stiffness: the modes are sines.

enum { EQUAL = 12, PUSHED = 5 };

static const char equal_masses[] =
    "<screwbond version='1' id='equal'><network domain='translation'>"
    "<repeat index='k' count='12'><J1 id='v[k]'/><I id='m[k]' mass='0.73 kg'/>"
    "<bond from='v[k]' to='m[k]'/></repeat>"
    "<repeat index='k' count='13'><J0 id='n[k]'/><J1 id='s[k]'/><C id='c[k]' c='1[m]/2385[N]'/>"
    "<R id='r[k]' r='4.77 N.s/m'/><bond from='n[k]' to='s[k]'/><bond from='s[k]' to='c[k]'/>"
    "<bond from='s[k]' to='r[k]'/></repeat>"
    "<repeat index='k' count='12'><bond from='v[k]' to='n[k]'/><bond from='n[k+1]' to='v[k]'/>"
    "</repeat><Se id='force' effort='3.1 N'/><bond from='force' to='v[5]'/></network>"
    "<run t-end='3 s' rtol='1e-11' atol='1e-14'/></screwbond>";

/** Place and velocity of the j-th mass at t after a step of the force at PUSHED. */
static void step_response(int j, double t, double *x, double *v) {
  const double k = 2385, m = 0.73, force = 3.1, beta = 0.002; // [s] damping over stiffness
  *x = *v = 0;
  for (int i = 1; i <= EQUAL; i++) {
    double w = 2 * sqrt(k / m) * sin(i * pi / (2 * (EQUAL + 1))), decay = 0.5 * beta * w * w;
    double wd = sqrt(w * w - decay * decay), part = force / m * 2 / (EQUAL + 1);
    part *= sin(i * pi * PUSHED / (EQUAL + 1)) * sin(i * pi * j / (EQUAL + 1));
    *x += part / (w * w) * (1 - exp(-decay * t) * (cos(wd * t) + decay / wd * sin(wd * t)));
    *v += part / wd * exp(-decay * t) * sin(wd * t);
  }
}

static void equal_masses_follow_their_modes(void **state) {
  (void)state;
  run p = start_netlist(equal_masses);
  for (int i = 1; i <= 30; i++) {
    double t = 0.1 * i, below = 0;
    advance(&p, t);
    for (int j = 1; j <= EQUAL; j++) {
      char name[40];
      double x, v;
      step_response(j, t, &x, &v);
      (void)snprintf(name, sizeof name, "m[%d].f", j);
      assert_near(value(&p, name), v, 1e-10); // of 0.04 m/s
      (void)snprintf(name, sizeof name, "c[%d].q", j);
      assert_near(value(&p, name), x - below, 1e-11); // of 0.5 mm
      below = x;
    }
  }
  assert_balanced(&p);
  stop(&p);
}

// A ladder of R and L in series and C and R across, ended by a load.

enum { SECTIONS = 24 };

static const double series_r = 1.7, series_l = 12e-6, shunt_c = 3.3e-9, shunt_r = 47e3, load = 51;
static const double amplitude = 2.385, frequency = 400e3; // [V], [Hz]

static const char ladder[] =
    "<screwbond version='1' id='ladder'><network domain='electric'>"
    "<Se id='u' effort='2.385 V' waveform='sine' frequency='400 kHz'/><bond from='u' to='s[1]'/>"
    "<repeat index='k' count='24'><J1 id='s[k]'/><R id='r[k]' r='1.7 ohm'/><I id='l[k]' l='12 uH'/>"
    "<bond from='s[k]' to='r[k]'/><bond from='s[k]' to='l[k]'/><J0 id='n[k]'/>"
    "<C id='c[k]' c='3.3 nF'/><R id='g[k]' r='47 kohm'/><bond from='n[k]' to='c[k]'/>"
    "<bond from='n[k]' to='g[k]'/><bond from='s[k]' to='n[k]'/></repeat>"
    "<repeat index='k' count='23'><bond from='n[k]' to='s[k+1]'/></repeat>"
    "<R id='load' r='51 ohm'/><bond from='n[24]' to='load'/></network>"
    "<run t-end='100 us' rtol='1e-11' atol='1e-19'/></screwbond>";

/** Voltage at the load and current into the ladder, over the voltage of the source: backwards from
 *  1 V at the load. */
static void ladder_response(double w, double complex *voltage, double complex *current) {
  double complex z = series_r + I * w * series_l, y = 1 / shunt_r + I * w * shunt_c;
  double complex u = 1, i = 1 / load;
  for (int k = 0; k < SECTIONS; k++) {
    i += y * u;
    u += z * i;
  }
  *voltage = 1 / u;
  *current = i / u;
}

static void ladder_responds_as_its_chain_matrices(void **state) {
  (void)state;
  static const char *const outputs[] = {"load.e", "l[1].f"};
  run p = start_netlist(ladder);
  sb_linear *linear = linearize(&p, outputs, 2);
  for (int i = 0; i < 400; i++) {
    double w = 2 * pi * 100 * pow(10, i / 80.0), re[2], im[2]; // to 10 MHz; the ladder ends at 1.6
    double complex voltage, current;
    ladder_response(w, &voltage, &current);
    assert_int_equal(sb_linear_response(linear, w, re, im, NULL, NULL), SB_OK);
    assert_near(cabs(re[0] + I * im[0] - voltage), 0, 1e-10 * cabs(voltage) + 1e-15);
    assert_near(cabs(re[1] + I * im[1] - current), 0, 1e-10 * cabs(current) + 1e-15);
  }
  sb_linear_destroy(linear);
  stop(&p);
}

/** After the transients: the sine of the closed form, and its power. */
static void ladder_comes_to_its_steady_state(void **state) {
  (void)state;
  run p = start_netlist(ladder);
  const double w = 2 * pi * frequency, settled = 200 / frequency; // [s] transients: 14 us
  double complex voltage, current;
  ladder_response(w, &voltage, &current);
  advance(&p, settled);
  double before = ledger_of(&p)->total.supplied;
  for (int i = 1; i <= 16; i++) { // 8 periods
    double t = settled + i / (2 * frequency);
    advance(&p, t);
    double complex turn = amplitude * cexp(I * w * t);
    assert_near(value(&p, "load.e"), cimag(voltage * turn), 1e-8);
    assert_near(value(&p, "l[1].f"), cimag(current * turn), 1e-9);
    assert_near(value(&p, "l[1].e"), cimag(I * w * series_l * current * turn), 1e-7);
  }
  double supplied = ledger_of(&p)->total.supplied - before;
  assert_near_relative(supplied, amplitude * amplitude / 2 * creal(current) * 8 / frequency, 1e-8);
  assert_balanced(&p);
  stop(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(masses_respond_as_their_impedances),
      cmocka_unit_test(equal_masses_follow_their_modes),
      cmocka_unit_test(ladder_responds_as_its_chain_matrices),
      cmocka_unit_test(ladder_comes_to_its_steady_state),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
