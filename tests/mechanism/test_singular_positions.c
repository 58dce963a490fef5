// SPDX-License-Identifier: GPL-3.0-or-later
// Loops through positions in which their constraints lose rank, and other branches begin: every method passes them with the
// balance met, on its branch. Expected: one coordinate, J(a) addot = -J'(a) adot^2/2 - V'(a) - c adot.
#include "tests/fixture.h"

#define ROD(id, mass, com, inertia)                                                                \
  "<body id='" id "' mass='" mass " kg' com='" com " m' inertia='" inertia " kg.m^2'/>"
#define PIN(id, parent, child, rest)                                                               \
  "<joint id='" id "' kind='revolute' axis='0 0 1' parent='" parent "' child='" child "' " rest "/>"
#define GRAVITY "<mechanism gravity='0 -9.81 0 m/s^2'>"

/** A mechanism of one freedom along its branch: the generalised inertia J [kg m^2], its derivative, and the torque. */
typedef struct singular {
  const char *inside, *joint, *other;
  double factor; // what the other coordinate is of the first
  double start, rate;
  void (*law)(double a, double *J, double *slope, double *torque);
  double damping; // [N m s]
  double until;   // [s]
} singular;

static const double g = 9.81;

/** Two four-bars, theta = -p0.q from the upward vertical: horizontal at every quarter turn. */
static const char four_bars[] = GRAVITY ROD("u0", "1", "0 0.5 0",
                                            "0.0833333333333333333 0 0.0833333333333333333")
    ROD("u1", "1", "0 0.5 0", "0.0833333333333333333 0 0.0833333333333333333")
        ROD("u2", "1", "0 0.5 0", "0.0833333333333333333 0 0.0833333333333333333")
            ROD("c0", "1", "0.5 0 0", "0 0.0833333333333333333 0.0833333333333333333") ROD(
                "c1", "1", "0.5 0 0", "0 0.0833333333333333333 0.0833333333333333333")
                PIN("p0", "world", "u0", "q0='0' w0='-1 rad/s'") PIN(
                    "p1", "world", "u1", "at='1 0 0 m'") PIN("p2", "world", "u2", "at='2 0 0 m'")
                    PIN("b0", "u0", "c0", "at='0 1 0 m'") PIN("b1", "u1", "c1", "at='0 1 0 m'")
                        PIN("e0", "c0", "u1", "at='1 0 0 m' child-at='0 1 0 m' cut='yes'")
                            PIN("e1", "c1", "u2",
                                "at='1 0 0 m' child-at='0 1 0 m' cut='yes'") "</mechanism>";
static void four_bars_law(double a, double *J, double *slope, double *torque) {
  *J = 3;
  *slope = 0;
  *torque = 3.5 * g * sin(a);
}

/** Crank and rod of 0.1 m: at 90 deg the slider is over the pivot, and may stay there. */
static const char slider_crank[] = GRAVITY ROD("crank", "1", "0.05 0 0", "0 0.001 0.001")
    ROD("rod", "0.8", "0.05 0 0", "0 0.0007 0.0007")
        ROD("slider", "0.5", "0 0 0", "0.001 0.001 0.001")
            PIN("a", "world", "crank", "q0='30 deg' w0='20 rad/s'")
                PIN("b", "crank", "rod",
                    "at='0.1 0 0 m'") "<joint id='s' kind='prismatic' axis='1 0 0' "
                                      "parent='world' child='slider' q0='0.17320508075688773 "
                                      "m'/>" PIN("c", "rod", "slider",
                                                 "at='0.1 0 0 m' cut='yes'") "</mechanism>";
static void slider_crank_law(double a, double *J, double *slope, double *torque) {
  const double s = sin(a) * sin(a), c = 1 - s;
  *J = 0.001 + 0.0025 + 0.0007 + 0.8 * (0.0225 * s + 0.0025 * c) + 0.5 * 0.04 * s;
  *slope = (0.8 * (0.0225 - 0.0025) + 0.02) * sin(2 * a);
  *torque = -0.09 * g * cos(a);
}

/** A parallelogram of uneven rods, with a brake at one of them that pulls the loop to its other branch. */
static const char parallelogram[] = GRAVITY ROD("u0", "1", "0 0.5 0", "0.08 0.08 0.08")
    ROD("u1", "1.7", "0.1 0.4 0", "0.1 0.1 0.11") ROD("c0", "2.3", "0.8 0.1 0", "0.12 0.12 0.2")
        PIN("p0", "world", "u0", "q0='0' w0='-1 rad/s'") PIN("p1", "world", "u1", "at='1.3 0 0 m'")
            PIN("b0", "u0", "c0", "at='0 1 0 m'") PIN(
                "e0", "c0", "u1",
                "at='1.3 0 0 m' child-at='0 1 0 m' cut='yes'") "</mechanism>"
                                                               "<network><R id='brake' r='0.4 "
                                                               "N.m.s' domain='rotation'/><bond "
                                                               "from='p1' to='brake'/></network>";
static void parallelogram_law(double a, double *J, double *slope, double *torque) {
  *J = 0.08 + 0.25 + 0.11 + 1.7 * 0.17 + 2.3;
  *slope = 0;
  *torque = g * ((0.5 + 1.7 * 0.4 + 2.3) * sin(a) - 1.7 * 0.1 * cos(a));
}

static const singular cases[] = {
    {four_bars, "p0.q", "p2.q", 1, 0, -1, four_bars_law, 0, 1},
    {slider_crank, "a.q", "b.q", -2, SB_PI / 6, 20, slider_crank_law, 0, 0.15},
    {parallelogram, "p0.q", "p1.q", 1, 0, -1, parallelogram_law, 0.4, 1}};

static double accelerate(const singular *s, double a, double w) {
  double J, slope, torque;
  s->law(a, &J, &slope, &torque);
  return (torque - slope * w * w / 2 - s->damping * w) / J;
}

/** The classical method, by steps that make it exact to 1e-13. */
static double expected(const singular *s) {
  const int steps = 4000;
  const double h = s->until / steps;
  double a = s->start, w = s->rate;
  for (int i = 0; i < steps; i++) {
    const double k1 = accelerate(s, a, w), w2 = w + h / 2 * k1,
                 k2 = accelerate(s, a + h / 2 * w, w2), w3 = w + h / 2 * k2,
                 k3 = accelerate(s, a + h / 2 * w2, w3), w4 = w + h * k3,
                 k4 = accelerate(s, a + h * w3, w4);
    a += h / 6 * (w + 2 * w2 + 2 * w3 + w4);
    w += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return a;
}

static void passes(const singular *s, const sb_method *method, double rtol, double within) {
  run r = prepare_inside(s->inside);
  sb_options options = options_of(method->name, rtol);
  options.step = method->adaptive ? 0 : 1e-3;
  options.max_steps = 40000;
  start_by(&r, &options);
  advance(&r, s->until);
  assert_near(value(&r, s->joint), expected(s), within);
  assert_near(value(&r, s->other), s->factor * value(&r, s->joint), 1e-11);
  sb_simulation_audit(r.sim);
  assert_true(ledger_of(&r)->residual_relative <
              (method->adaptive ? fmax(100 * rtol, 1e-11) : 1e-3));
  assert_true(ledger_of(&r)->structure.residual_relative < 1e-12);
  stop(&r);
}

/** 21 runs of each, and one at a given step of methods that have no tolerance. */
static void every_method_passes(void **state) {
  (void)state;
  static const double rtols[] = {1e-6, 1e-9, 1e-11};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    for (const sb_method *method = sb_methods; method->name != NULL; method++) {
      for (int k = 0; k < (method->adaptive ? 3 : 1); k++) {
        if (method->order > 3 || rtols[k] > 1e-10) { // order 3 takes 200,000 steps there
          passes(&cases[i], method, rtols[k], method->adaptive ? fmax(2e3 * rtols[k], 1e-9) : 1e-3);
        }
      }
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_method_passes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
