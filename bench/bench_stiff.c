// SPDX-License-Identifier: GPL-3.0-or-later
// The ladder of ladder.h with L = 10 nH, which is stiff, on kvaerno-5 with KLU for 5 ms: by the library at rtol
// 1e-6, and at equal error by a program for just this circuit on ARKODE and KLU with the same table and
// vector operations, weights 1/(tol (|x| + amplitude)) and its Jacobian written out; "told" is the same with ARKODE told
// that the circuit is linear, and KLU to order by AMD, as the library does. Those by hand keep no ledger. An error is
// that of the voltages, the largest at t_end, t_end/2 ... t_end/2^14 (at the end alone short ladders are at rest,
// and any run is right), relative to the step of voltage, against a run by hand at 1e-10; the tolerance is found at
// which that of the one told is ours.
// Fails if an error is above 100 rtol.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/clock.h"
#include "bench/common.h"
#include "bench/ladder.h"
#include "bench/ode.h"

static const double t_end = 5e-3, rtol = 1e-6; // [s]
static const double reference_tolerance = 1e-10, error_limit = 100 * 1e-6;
enum { ROUNDS = 11, TIMES = 15 };
enum { OURS, BY_HAND, TOLD, ALL };
static const double block = 10e-3; // [s]

typedef struct bench {
  int sections;
  double *voltage;   // (TIMES, sections) of the capacitors, of the last run that kept them
  double *reference; // (TIMES, sections)
  double *amplitude; // (2 sections) of the states
  double tolerance;  // of those by hand
  long steps[ALL];
  sb_model *model;
  ladder_by_hand hand;
} bench;

/** Of row i, at time_of(i). */
static void keep_voltages(bench *b, int i, const double x[]) {
  for (int k = 0; k < b->sections; k++) {
    b->voltage[i * b->sections + k] = x[2 * k + 1] / ladder_capacitance;
  }
}

static double time_of(int i) {
  return ldexp(t_end, i - TIMES + 1);
}

/** From the compiled model to the end, with the making of the simulation.
 *  @param first  the first of the times at which to stop and keep the voltages; the last is the end */
static void run_library(bench *b, int first) {
  sb_error err;
  sb_simulation *sim = bench_simulation(b->model, "kvaerno-5", rtol, 0);
  for (int i = first; i < TIMES; i++) {
    bench_must(sb_simulation_advance(sim, time_of(i), &err), &err);
    keep_voltages(b, i, sb_simulation_state(sim));
  }
  b->steps[OURS] = sb_simulation_ledger(sim)->work.steps;
  sb_simulation_destroy(sim);
}

static void run_ours(void *context, long calls) {
  for (long i = 0; i < calls; i++) {
    run_library(context, TIMES - 1);
  }
}

/** @param first  as above */
static void run_ode(bench *b, int which, int first) {
  ode o;
  ode_init_implicit(&o, 2 * b->sections, ladder_rhs_by_section, ladder_jacobian,
                    ladder_jacobian_count(b->sections), &b->hand, b->tolerance, 0);
  ode_set_amplitudes(&o, b->amplitude);
  if (which == TOLD) {
    ode_set_linear(&o);
  }
  for (int i = first; i < TIMES; i++) {
    ode_run(&o, time_of(i));
    keep_voltages(b, i, o.x);
  }
  b->steps[which] = ode_step_count(&o);
  ode_finish(&o);
}

static void run_by_hand(void *context, long calls) {
  for (long i = 0; i < calls; i++) {
    run_ode(context, BY_HAND, TIMES - 1);
  }
}

static void run_told(void *context, long calls) {
  for (long i = 0; i < calls; i++) {
    run_ode(context, TOLD, TIMES - 1);
  }
}

static double error_of(const bench *b) {
  double worst = 0;
  for (int k = 0; k < TIMES * b->sections; k++) {
    worst = fmax(worst, fabs(b->voltage[k] - b->reference[k]));
  }
  return worst / ladder_step;
}

static double error_at(void *context, double tolerance) {
  bench *b = context;
  b->tolerance = tolerance;
  run_ode(b, TOLD, 0);
  return error_of(b);
}

/** @param error  (ALL) out */
static void find_errors(bench *b, double error[]) {
  for (int k = 0; k < b->sections; k++) {
    b->amplitude[2 * k] = ladder_stiff_inductance * ladder_step / ladder_resistance;
    b->amplitude[2 * k + 1] = ladder_capacitance * ladder_step;
  }
  (void)error_at(b, reference_tolerance);
  double *voltage = b->reference;
  b->reference = b->voltage;
  b->voltage = voltage;
  run_library(b, 0);
  error[OURS] = error_of(b);
  b->tolerance = bench_equal_error(error_at, b, error[OURS], rtol);
  run_ode(b, BY_HAND, 0);
  error[BY_HAND] = error_of(b);
  run_ode(b, TOLD, 0);
  error[TOLD] = error_of(b);
  if (!(fmax(error[OURS], fmax(error[BY_HAND], error[TOLD])) <= error_limit)) {
    bench_fail("runs of %d sections have errors of %g, %g and %g", b->sections, error[OURS],
               error[BY_HAND], error[TOLD]);
  }
}

static void measure(int sections) {
  bench b = {.sections = sections,
             .voltage = bench_zeros(TIMES * sections),
             .reference = bench_zeros(TIMES * sections),
             .amplitude = bench_zeros(2 * sections)};
  sb_graph *graph = ladder_graph(sections, ladder_stiff_inductance, 0);
  clock_task tasks[ALL] = {{run_ours, &b, 0}, {run_by_hand, &b, 0}, {run_told, &b, 0}};
  double error[ALL];
  b.model = bench_compile(graph);
  ladder_by_hand_init(&b.hand, sections, ladder_stiff_inductance, 0);
  find_errors(&b, error);
  clock_compare(tasks, ALL, ROUNDS, block);
  double ours = tasks[OURS].seconds, hand = tasks[BY_HAND].seconds, told = tasks[TOLD].seconds;
  printf("%8d %10.4g %10.4g %10.4g %9.2f %8.2f   %4ld %4ld %4ld %9.2g %8.2g %8.2g %8.2g\n",
         sections, 1e3 * ours, 1e3 * hand, 1e3 * told, ours / hand, ours / told, b.steps[OURS],
         b.steps[BY_HAND], b.steps[TOLD], error[OURS], error[BY_HAND], error[TOLD], b.tolerance);
  free(b.voltage);
  free(b.reference);
  free(b.amplitude);
  ladder_by_hand_finish(&b.hand);
  sb_model_destroy(b.model);
  sb_graph_destroy(graph);
}

int main(void) {
  static const int sizes[] = {10, 100, 1000, 10000};
  bench_flush_denormals();
  printf(
      "STIFF LADDER, kvaerno-5 with KLU; whole run, from the compiled model on [ms]\n"
      "Ours keeps the ledger, at rtol %g; those by hand have none, at a tolerance of equal error.\n"
      "sections       ours    by hand       told  ours/hand  ours/told  steps"
      "            errors                     tolerance\n",
      rtol);
  for (int i = 0; i < 4; i++) {
    measure(sizes[i]);
  }
  return EXIT_SUCCESS;
}
