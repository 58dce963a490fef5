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
  int passages;
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
    {four_bars, "p0.q", "p2.q", 1, 0, -1, four_bars_law, 0, 1, 1},
    {slider_crank, "a.q", "b.q", -2, SB_PI / 6, 20, slider_crank_law, 0, 0.15, 1},
    {parallelogram, "p0.q", "p1.q", 1, 0, -1, parallelogram_law, 0.4, 1, 1}};
enum { CASES = sizeof cases / sizeof *cases };

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
  if (rtol < 1e-8) { // and tell so
    assert_int_equal(ledger_of(&r)->event_count, s->passages);
    assert_string_equal(ledger_of(&r)->events[0].kind, "singular");
    assert_near(ledger_of(&r)->events[0].loss, 0, 0);
  }
  stop(&r);
}

/** By the sanitizers each method is seen in one of the cases only, and the cases at both of the looser tolerances. */
static bool is_tried(const sb_method *method, int i, int tolerance) {
  const int k = (int)(method - sb_methods);
  return THOROUGH || (k % CASES == i && (method->adaptive ? k / CASES % 2 : 0) == tolerance);
}

#define UPRIGHT(id) ROD(id, "1", "0 0.415 0", "0.0574083333333333333 0 0.0574083333333333333")
/** The four-bars with uprights of 0.83 m and a source at one of them, whose work is an integral beside the states: pairs that
 *  are blind to integrals have a second estimate of errors then, of which what the loops do not admit is no part either. */
static const char driven_bars[] = GRAVITY UPRIGHT("u0") UPRIGHT("u1") UPRIGHT("u2") ROD(
    "c0", "1", "0.5 0 0", "0 0.0833333333333333333 0.0833333333333333333")
    ROD("c1", "1", "0.5 0 0", "0 0.0833333333333333333 0.0833333333333333333") PIN(
        "p0", "world", "u0", "q0='0.86 rad'") PIN("p1", "world", "u1", "at='1 0 0 m' q0='0.86 rad'")
        PIN("p2", "world", "u2", "at='2 0 0 m' q0='0.86 rad'")
            PIN("b0", "u0", "c0", "at='0 0.83 0 m' q0='-0.86 rad'")
                PIN("b1", "u1", "c1", "at='0 0.83 0 m' q0='-0.86 rad'")
                    PIN("e0", "c0", "u1", "at='1 0 0 m' child-at='0 0.83 0 m' cut='yes'")
                        PIN("e1", "c1", "u2",
                            "at='1 0 0 m' child-at='0 0.83 0 m' cut='yes'") "</mechanism>"
                                                                            "<network><Se id='m' "
                                                                            "domain='rotation' "
                                                                            "effort='0 N.m'/>"
                                                                            "<bond from='m' "
                                                                            "to='p0'/></network>";
static void driven_bars_law(double a, double *J, double *slope, double *torque) {
  *J = 3 * 0.83 * 0.83;
  *slope = 0;
  *torque = 3.5 * g * 0.83 * sin(a);
}

static void with_an_integral(void **state) {
  (void)state;
  const singular s = {driven_bars, "p0.q", "p2.q", 1, 0.86, 0, driven_bars_law, 0, 1.2, 2};
  passes(&s, sb_method_find("fehlberg-8"), 1e-11, 1e-9);
}

/** 21 runs of each, and one at a given step of methods that have no tolerance. */
static void every_method_passes(void **state) {
  (void)state;
  static const double rtols[] = {1e-6, 1e-9, 1e-11};
  for (int i = 0; i < CASES; i++) {
    for (const sb_method *method = sb_methods; method->name != NULL; method++) {
      for (int k = 0; k < (method->adaptive ? 3 : 1); k++) {
        const bool short_steps = method->order <= 3 && rtols[k] < 1e-10; // 200,000 of them
        if (!short_steps && is_tried(method, i, k)) {
          passes(&cases[i], method, rtols[k], method->adaptive ? fmax(2e3 * rtols[k], 1e-9) : 1e-3);
        }
      }
    }
  }
}

/** Two driven cranks: what joins their ends comes to lie in line, and neither can go on (a singularity of type II). */
static const char five_bars[] = GRAVITY ROD("a", "1", "0.5 0 0", "0.01 0.08 0.08") ROD(
    "b", "1", "0.5 0 0", "0.01 0.08 0.08") ROD("c", "1", "0.5 0 0", "0.01 0.08 0.08")
    ROD("d", "1", "0.5 0 0", "0.01 0.08 0.08") PIN("ja", "world", "a", "q0='80 deg'") PIN(
        "jd", "world", "d", "at='1 0 0 m' q0='100 deg'") PIN("jb", "a", "b", "at='1 0 0 m'")
        PIN("jc", "d", "c", "at='1 0 0 m'") PIN(
            "je", "b", "c",
            "at='1 0 0 m' child-at='1 0 0 m' cut='yes'") "</mechanism><network><Sf id='left' "
                                                         "domain='rotation' flow='1 rad/s'/>"
                                                         "<Sf id='right' domain='rotation' "
                                                         "flow='-1 rad/s'/><bond from='left' "
                                                         "to='ja'/>"
                                                         "<bond from='right' to='jd'/></network>";
/** A slider that is pushed away from the pivot faster than crank and rod, once in line, reach. */
static const char pushed_slider[] = GRAVITY ROD("crank", "1", "0.05 0 0", "0 0.001 0.001")
    ROD("rod", "0.8", "0.15 0 0", "0 0.007 0.007") ROD("slider", "0.5", "0 0 0", "1 1 1")
        PIN("a", "world", "crank", "q0='60 deg'")
            PIN("b", "crank", "rod",
                "at='0.1 0 0 m'") "<joint id='s' kind='prismatic' axis='1 0 0' "
                                  "parent='world' child='slider' w0='0.1 m/s'/>" PIN(
                                      "c", "rod", "slider",
                                      "at='0.3 0 0 m' cut='yes'") "</"
                                                                  "mechanism><network>"
                                                                  "<Sf id='push' "
                                                                  "domain='"
                                                                  "translation' "
                                                                  "flow='0.1 m/s'/>"
                                                                  "<bond from='push' "
                                                                  "to='s'/></network>";
/** Released where it lies flat: either bar may fall. */
static const char flat_at_rest[] =
    GRAVITY ROD("u", "1", "0.5 0 0", "0.1 0.1 0.1") ROD("v", "1", "0.5 0 0", "0.1 0.1 0.1")
        ROD("c", "1", "0.5 0 0", "0.1 0.1 0.1") PIN("p", "world", "u", "q0='0'")
            PIN("q", "world", "v", "at='1 0 0 m' q0='0'") PIN("b", "u", "c", "at='1 0 0 m' q0='0'")
                PIN("e", "c", "v", "at='1 0 0 m' child-at='1 0 0 m' cut='yes'") "</mechanism>";

/** Two of them in line: which of the two joints between falls is decided by nothing. */
static const char flat_pair[] = GRAVITY ROD("u", "1", "0.5 0 0", "0.1 0.1 0.1")
    ROD("v", "1", "0.5 0 0", "0.1 0.1 0.1") ROD("w", "1", "0.5 0 0", "0.1 0.1 0.1")
        ROD("c", "1", "0.5 0 0", "0.1 0.1 0.1") ROD("d", "1", "0.5 0 0", "0.1 0.1 0.1")
            PIN("p", "world", "u", "q0='0'") PIN("q", "world", "v", "at='1 0 0 m' q0='0'")
                PIN("r", "world", "w", "at='2 0 0 m' q0='0'")
                    PIN("b", "u", "c", "at='1 0 0 m' q0='0'")
                        PIN("s", "v", "d", "at='1 0 0 m' q0='0'")
                            PIN("e", "c", "v", "at='1 0 0 m' child-at='1 0 0 m' cut='yes'")
                                PIN("f", "d", "w",
                                    "at='1 0 0 m' child-at='1 0 0 m' cut='yes'") "</mechanism>";

/** Within so many steps, at a time near `t`, and says where it is and what loses rank. */
static void ends(const char *inside, const char *method, double rtol, double t, const char *words) {
  sb_error err = {0};
  run r = prepare_inside(inside);
  const sb_options options = options_of(method, rtol);
  start_by(&r, &options);
  const sb_status status = sb_simulation_advance(r.sim, 2, &err);
  assert_true(status == SB_ERR_SOLVER || status == SB_ERR_NOT_FINITE || status == SB_ERR_UNSOLVED);
  assert_non_null(strstr(err.text, "of a configuration singularity at t = "));
  assert_non_null(strstr(err.text, words));
  assert_near(sb_simulation_time(r.sim), t, 1e-3);
  assert_true(ledger_of(&r)->work.steps < (method[0] == 'z' ? 13000 : 4000)); // of order 4 at 1e-9
  stop(&r);
}

/** At the first time that the driven coordinates reach what lengths allow: cranks apart, 1 - 2 cos(80 deg + t) = 2; a slider at
 *  0.4 m from 0.05 + sqrt(0.0825). */
static void where_no_motion_goes_on_the_run_ends(void **state) {
  (void)state;
  const double in_line = 40 * SB_PI / 180, dead = (0.4 - (0.05 + sqrt(0.0825))) / 0.1;
  static const char *const of_five = "'left', 'right' with the constraints of 'je' lose rank there",
                           *const of_slider = "'push' with the constraints of 'c' lose rank there",
                           *const of_flat =
                               "the constraints of 'e', 'f' lose rank there, and 'p', 'q', 'r', "
                               "'b' and others may branch (3 degrees of freedom in place of 1)";
  ends(five_bars, "fehlberg-8", 1e-6, in_line, of_five);
  ends(pushed_slider, "dormand-prince-5", 1e-9, dead, of_slider);
  ends(flat_pair, "kvaerno-5", 1e-9, 0, of_flat);
  if (THOROUGH) { // each mechanism by several methods
    ends(five_bars, "dormand-prince-5", 1e-9, in_line, of_five);
    ends(five_bars, "zonneveld-4", 1e-9, in_line, of_five);
    ends(five_bars, "kvaerno-5", 1e-9, in_line, of_five);
    ends(pushed_slider, "fehlberg-8", 1e-11, dead, of_slider);
    ends(pushed_slider, "kvaerno-5", 1e-9, dead, of_slider);
    ends(flat_pair, "dormand-prince-5", 1e-9, 0, of_flat);
  }
}

/** A parallelogram with a bearing whose friction follows its reaction: that grows as the inverse of the distance to the change point, and no
 *  forces are left where the friction of a reaction makes as much reaction, before it. */
static void friction_jams_near_one(void **state) {
  (void)state;
  static const char jams[] = GRAVITY ROD("a", "1", "0 0.5 0", "0.083 0.001 0.083") ROD(
      "b", "1", "0.5 0 0", "0.001 0.083 0.083") ROD("c", "1", "0 0.5 0", "0.083 0.001 0.083")
      PIN("ja", "world", "a", "q0='-20 deg' w0='-1 rad/s'") PIN("jb", "a", "b",
                                                                "at='0 1 0 m' q0='20 deg'")
          PIN("jc", "world", "c", "at='1 0 0 m' q0='-20 deg'") PIN(
              "jd", "b", "c",
              "at='1 0 0 m' child-at='0 1 0 m' cut='yes'") "</mechanism><network><signal id='x' "
                                                           "of='ja.force.x'/><signal id='y' "
                                                           "of='ja.force.y'/>"
                                                           "<R id='rub' domain='rotation' "
                                                           "law='0.1[m]*sqrt(x*x + y*y + "
                                                           "1e-6[N^2])*tanh(f/0.01[rad/s])'/>"
                                                           "<bond from='ja' to='rub'/></network>";
  static const char *const methods[] = {"fehlberg-8", "kvaerno-5"};
  for (int i = 0; i < (THOROUGH ? 2 : 1); i++) {
    ends(jams, methods[i], 1e-7, 0.48317, "the constraints of 'jd' lose rank there");
  }
}

static void a_start_in_one_is_told(void **state) {
  (void)state;
  run r = prepare_inside(flat_at_rest);
  sb_errors warnings = {0};
  sb_error err = {0};
  const sb_options options = options_of("dormand-prince-5", 1e-9);
  start_by(&r, &options);
  ok(sb_simulation_foresee(r.sim, 2, &warnings), &err);
  assert_int_equal(warnings.count, 1);
  assert_string_equal(
      warnings.items[0].text,
      "'tree(u)' starts in a configuration singularity: the constraints of 'e' lose rank "
      "there, and 'p', 'q', 'b' may branch (2 degrees of freedom in place of 1)");
  sb_errors_finish(&warnings);
  stop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      repeating_test(every_method_passes), cmocka_unit_test(with_an_integral),
      cmocka_unit_test(where_no_motion_goes_on_the_run_ends),
      repeating_test(friction_jams_near_one), cmocka_unit_test(a_start_in_one_is_told)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
