// SPDX-License-Identifier: GPL-3.0-or-later
// The defaults are good enough: every example, or every fourth where not thorough, by the default method and tolerance is within 100 rtol of the same
// model by a method of higher order at rtol 1e-12, each result relative to the largest that it is in the run.
// Of each element whose states have a size of their own
// (core/integrator/nominal.h) there is an example, or a netlist below.
#include <float.h>
#include <glob.h>

#include "tests/fixture.h"

enum { SAMPLES = 397, RESULTS = 64, COMPONENTS = 16, PATH_SIZE = 512 };
/** In rtol. */
static const double within = 100;
static const double reference_rtol = 1e-12;

/** What each result was at the samples, and its largest norm. */
typedef struct course {
  const run *r;
  int samples;
  double values[SAMPLES + 2][RESULTS][COMPONENTS], largest[RESULTS];
  char unit[RESULTS][24];
} course;

/** Models that amplify small errors by themselves, or take long, are compared up to a time [s]. */
static const struct {
  const char *file;
  double until;
  const char *reason;
} bounded[] = {
    {"bicycle.xml", 1, "further weaving says the same"},
    {"bouncing_ball.xml", 2.5,
     "a bounce turns the velocity within 6 ms: where it is 5e-9 s late, half of rtol, that is 100 "
     "rtol of it"},
    {"hertz_ellipsoids.xml", 1.2,
     "bouncing bodies that tumble are chaotic: errors grow by 1.5 a bounce, 1e7 times in 4 s"},
    {"ball_in_cylinder.xml", 0.6,
     "its impacts magnify an error of the velocity 75 times, and the second is at 0.74 s"},
    {"bowden_leben.xml", 4.9,
     "the fastest slips at 5 s, and the strength of the bristles falls within 2 ms: 1e-8 of the "
     "time of "
     "that "
     "is 4e-5 of it"},
    {"double_pendulum_on_plane.xml", 0.09, "38 impacts of 1 ms, each of which magnifies errors"},
    {"chain_100.xml", 0.08, "further swinging says the same"},
    {"governor.xml", 3, "further swinging of its arms says the same"},
    {"heavy_top.xml", 1, "every cusp magnifies errors"},
    {"holds_on_slope.xml", 11, "a further 100 s of rest say the same"},
    {"rattleback_rigid.xml", 1.1,
     "a rattle turns within 7 ms: where it is 1e-8 s late, which is rtol of 1 s, that is 140 rtol "
     "of "
     "it"},
    {"ring_modulator.xml", 1e-5, "the explicit reference takes 5e9 steps for a second"},
    {"transistor_amplifier.xml", 0.05, "further periods say the same"},
};

static double norm(const double v[], int count) {
  double sum = 0;
  for (int k = 0; k < count; k++) {
    sum += v[k] * v[k];
  }
  return sqrt(sum);
}

static int note(void *context, const sb_simulation *sim, double t) {
  course *c = context;
  (void)t;
  assert_true(c->samples < SAMPLES + 2 && c->r->netlist->output_count <= RESULTS);
  for (int i = 0; i < c->r->netlist->output_count; i++) {
    sb_quantity quantity;
    sb_error err = {0};
    double *values = c->values[c->samples][i];
    ok(sb_model_find(c->r->model, c->r->netlist->outputs[i].of, &quantity, &err), &err);
    assert_true(quantity.count <= COMPONENTS);
    sb_simulation_read(sim, &quantity, values);
    memcpy(c->unit[i], quantity.unit, sizeof c->unit[i]);
    c->largest[i] = fmax(c->largest[i], norm(values, quantity.count));
  }
  c->samples++;
  return 0;
}

static void follow(run *r, const char *what, const sb_method *method, double rtol, double until,
                   course *c) {
  sb_error err = {0};
  sb_options options = sb_options_defaults();
  options.method = method;
  options.rtol = rtol;
  memset(c, 0, sizeof *c);
  c->r = r;
  start_by(r, &options);
  if (sb_simulation_run(r->sim, until, until / SAMPLES, note, c, &err) != SB_OK) {
    fail_msg("%s: %s", what, err.text);
  }
  sb_simulation_destroy(r->sim);
  r->sim = NULL;
}

/** Of results that are differences of others: eps times the largest of the same unit. */
static double rounding_of(const course *c, int result) {
  double largest = 0;
  for (int i = 0; i < c->r->netlist->output_count; i++) {
    largest = strcmp(c->unit[i], c->unit[result]) == 0 ? fmax(largest, c->largest[i]) : largest;
  }
  return 4 * DBL_EPSILON * largest;
}

static void compare(const run *r, const char *what, double rtol, const course *is,
                    const course *reference) {
  assert_int_equal(is->samples, reference->samples);
  for (int i = 0; i < r->netlist->output_count; i++) {
    double worst = 0;
    for (int k = 0; k < is->samples; k++) {
      double off[COMPONENTS];
      for (int j = 0; j < COMPONENTS; j++) {
        off[j] = is->values[k][i][j] - reference->values[k][i][j];
      }
      double d = norm(off, COMPONENTS);
      worst = isnan(d) ? HUGE_VAL : fmax(worst, d);
    }
    if (!(worst <= within * rtol * reference->largest[i] + rounding_of(reference, i))) {
      fail_msg("%s: %s is off by %.3g of %.3g: %.3g rtol", what, r->netlist->outputs[i].of, worst,
               reference->largest[i], worst / reference->largest[i] / rtol);
    }
  }
}

/** @param netlist  is consumed */
static void check(sb_netlist *netlist, const char *what, double until) {
  static course is, reference;
  sb_options defaults = sb_options_defaults();
  run r = {.netlist = netlist, .model = compile_graph(netlist->graph)};
  follow(&r, what, defaults.method, defaults.rtol, until, &is);
  follow(&r, what, sb_method_find("fehlberg-8"), reference_rtol, until, &reference);
  compare(&r, what, defaults.rtol, &is, &reference);
  stop(&r);
}

static double time_of(const char *file, double t_end) {
  for (size_t i = 0; i < sizeof bounded / sizeof *bounded; i++) {
    t_end = strcmp(file, bounded[i].file) == 0 ? bounded[i].until : t_end;
  }
  return t_end;
}

static void examples_are_accurate(void **state) {
  glob_t files;
  char pattern[PATH_SIZE];
  (void)state;
  source_path(pattern, sizeof pattern, "examples/*.xml");
  assert_int_equal(glob(pattern, 0, NULL, &files), 0);
  for (size_t i = 0; i < files.gl_pathc; i += THOROUGH ? 1 : 4) {
    const char *file = strrchr(files.gl_pathv[i], '/') + 1;
    if (strstr(file, ".sub.") == NULL) {
      sb_netlist *netlist = read_example(file, NULL, 0);
      check(netlist, file, time_of(file, netlist->t_end));
    }
  }
  globfree(&files);
}

// A mass with 1e9 J in the same part, to which an oscillator is bonded by a ratio that hardly moves either: beside
// it the energy balance does not see what the oscillator does.
#define BESIDE                                                                                     \
  "<J1 id='w'/><I id='big' mass='2e3 kg' p0='2e6 N.s'/><bond from='w' to='big'/>"                  \
  "<GY id='n' ratio='1 uN.s/m'/><bond from='a' to='n'/><bond from='n' to='w'/>"

/** Oscillators whose states all have their sizes by the same rule. */
static const struct {
  const char *what, *text;
} oscillators[] = {
    {"linear storages",
     "<network domain='translation'><J1 id='a'/>" BESIDE
     "<C id='k' compliance='30 mm/N' q0='0.6 m'/><I id='m' mass='1.3 kg'/>"
     "<bond from='a' to='k'/><bond from='a' to='m'/></network><output of='k.q m.p k.e'/>"},
    {"storages with an energy of their own",
     "<network domain='translation'><J1 id='a'/>" BESIDE
     "<C id='k' energy='30[N/m^3]*q^4 + 0.3[N/m]*q^2' q0='0.6 m'/>"
     "<I id='m' energy='1.3[J]*(sqrt(1 + (p/1.7[N.s])^2) - 1)'/>"
     "<bond from='a' to='k'/><bond from='a' to='m'/></network><output of='k.q m.p k.e'/>"},
    {"fields with a matrix",
     "<network domain='translation'><J1 id='a'/><J1 id='b'/>" BESIDE
     "<CField id='C' c='1.3 0.2 0.2 0.9 m/N' q0='2 -1.1 m'/><IField id='L' l='1.1 0.3 0.3 0.7 kg'/>"
     "<bond from='a' to='C.1'/><bond from='b' to='C.2'/><bond from='a' to='L.1'/>"
     "<bond from='b' to='L.2'/></network><output of='C.q1 C.q2 L.p1 L.p2 C.1.e'/>"},
    {"a field with an energy of its own",
     "<network domain='translation'><J1 id='a'/>" BESIDE
     "<ICField id='F' x0='0.4 0.3' energy='p2^2/(2*(0.7[kg] + 0.2[kg/m^2]*q1^2)) + 9[N/m]*q1^2'/>"
     "<bond from='a' to='F.1'/><bond from='a' to='F.2'/></network><output of='F.q1 F.p2 F.2.f'/>"},
    {"integrals",
     "<network><signal id='x' rate='3[1/s]*y' start='1.2'/>"
     "<signal id='y' rate='-2.1[1/s]*x + 0.4[1/s]*(1 - x^2)*y'/></network><output of='x y'/>"},
    {"a transfer function",
     "<network><TransferFunction id='y' of='sin(2.7*t/1[s])' num='1 9.3' den='1 0.11 16.3'/>"
     "</network><output of='y'/>"},
};

static void oscillators_are_accurate(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof oscillators / sizeof *oscillators; i++) {
    char text[1200];
    assert_true(snprintf(text, sizeof text,
                         "<screwbond version='1' id='m'>%s<run t-end='9 s'/></screwbond>",
                         oscillators[i].text) < (int)sizeof text);
    check(read_netlist(text, NULL, 0), oscillators[i].what, 9);
  }
}

/** At rest the fast decay of the motor's current bounds the steps of explicit methods. An estimate of the error has
 *  zeros beyond that bound; where steps kept one length, the current went off by its own size. In closed form
 *  (motor_load.xml), with tanh = 1: i = (b N W + (Mc + d W)/N)/Km. */
static void steps_keep_within_stability(void **state) {
  static course c;
  const double N = 20, Ra = 0.8, Km = 0.035, b = 2e-6, Mc = 0.05, d = 0.01;
  const double W = (24 - Ra * Mc / (N * Km)) / (Ra * (b * N + d / N) / Km + Km * N);
  const double current = (b * N * W + (Mc + d * W) / N) / Km;
  (void)state;
  for (const sb_method *method = sb_methods; method->name != NULL; method++) {
    for (double rtol = THOROUGH ? 1e-9 : 1e-12;
         method->adaptive && !method->implicit && rtol > 5e-13; rtol /= 10) {
      run r = {.netlist = read_example("motor_load.xml", NULL, 0)};
      r.model = compile_graph(r.netlist->graph);
      follow(&r, method->name, method, rtol, 3, &c);
      for (int k = c.samples / 2; k < c.samples; k++) { // "i_a"
        assert_near(c.values[k][1][0], current, within * rtol * c.largest[1]);
      }
      stop(&r);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(oscillators_are_accurate),
                                     cmocka_unit_test(examples_are_accurate),
                                     cmocka_unit_test(steps_keep_within_stability)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
