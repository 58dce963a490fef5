// SPDX-License-Identifier: GPL-3.0-or-later
// The ladder of ladder.h with L = 10 nH, which is stiff, on kvaerno-5 with KLU, rtol 1e-6, atol
// 1e-9, for 5 ms: by the library, and by a program for just this circuit on ARKODE and KLU with the
// same table, tolerances and vector operations and its Jacobian written out; "told" is the same with
// ARKODE told that the circuit is linear, and KLU to order by AMD, as the library does. Those by hand
// keep no ledger. Fails if the results disagree.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/clock.h"
#include "bench/common.h"
#include "bench/ladder.h"
#include "bench/ode.h"

static const double t_end = 5e-3, relative = 1e-6, absolute = 1e-9; // [s], rtol, atol
enum { ROUNDS = 11 };
enum { OURS, BY_HAND, TOLD, ALL };
static const double block = 10e-3; // [s]

typedef struct bench {
  int sections;
  double *voltage[ALL]; // (sections) of the capacitors at t_end
  long steps[ALL], rhs[ALL];
  sb_model *model;
  ladder_by_hand hand;
} bench;

static void keep_voltages(double voltage[], int sections, const double x[]) {
  for (int k = 0; k < sections; k++) {
    voltage[k] = x[2 * k + 1] / ladder_capacitance;
  }
}

/** From the compiled model to the end, with the making of the simulation. */
static void run_ours(void *context, long calls) {
  bench *b = context;
  for (long i = 0; i < calls; i++) {
    sb_error err;
    sb_simulation *sim = bench_simulation(b->model, "kvaerno-5", relative, absolute);
    bench_must(sb_simulation_advance(sim, t_end, &err), &err);
    b->steps[OURS] = sb_simulation_ledger(sim)->work.steps;
    b->rhs[OURS] = sb_simulation_ledger(sim)->work.rhs;
    keep_voltages(b->voltage[OURS], b->sections, sb_simulation_state(sim));
    sb_simulation_destroy(sim);
  }
}

static void run_ode(bench *b, int which) {
  ode o;
  ode_init_implicit(&o, 2 * b->sections, ladder_rhs_by_section, ladder_jacobian,
                    ladder_jacobian_count(b->sections), &b->hand, relative, absolute);
  if (which == TOLD) {
    ode_set_linear(&o);
  }
  ode_run(&o, t_end);
  b->steps[which] = ode_step_count(&o);
  b->rhs[which] = ode_rhs_count(&o);
  keep_voltages(b->voltage[which], b->sections, o.x);
  ode_finish(&o);
}

static void run_by_hand(void *context, long calls) {
  for (long i = 0; i < calls; i++) {
    run_ode(context, BY_HAND);
  }
}

static void run_told(void *context, long calls) {
  for (long i = 0; i < calls; i++) {
    run_ode(context, TOLD);
  }
}

/** Voltages of capacitors may differ by the tolerance of their charges. */
static void compare(const bench *b) {
  for (int k = 0; k < b->sections; k++) {
    double ours = b->voltage[OURS][k];
    double allowed = relative * fabs(ours) + absolute / ladder_capacitance;
    for (int which = BY_HAND; which < ALL; which++) {
      if (!(fabs(b->voltage[which][k] - ours) <= allowed)) {
        bench_fail("section %d: %.9g V against %.9g V", k + 1, ours, b->voltage[which][k]);
      }
    }
  }
}

static void measure(int sections) {
  bench b = {.sections = sections};
  sb_graph *graph = ladder_graph(sections, ladder_stiff_inductance, 0);
  clock_task tasks[ALL] = {{run_ours, &b, 0}, {run_by_hand, &b, 0}, {run_told, &b, 0}};
  b.model = bench_compile(graph);
  for (int i = 0; i < ALL; i++) {
    b.voltage[i] = bench_zeros(sections);
  }
  ladder_by_hand_init(&b.hand, sections, ladder_stiff_inductance, 0);
  clock_compare(tasks, ALL, ROUNDS, block);
  compare(&b);
  double ours = tasks[OURS].seconds, hand = tasks[BY_HAND].seconds, told = tasks[TOLD].seconds;
  printf("%8d %10.4g %10.4g %10.4g %9.2f %8.2f   %4ld %4ld %4ld\n", sections, 1e3 * ours,
         1e3 * hand, 1e3 * told, ours / hand, ours / told, b.steps[OURS], b.steps[BY_HAND],
         b.steps[TOLD]);
  for (int i = 0; i < ALL; i++) {
    free(b.voltage[i]);
  }
  ladder_by_hand_finish(&b.hand);
  sb_model_destroy(b.model);
  sb_graph_destroy(graph);
}

int main(void) {
  static const int sizes[] = {10, 100, 1000, 10000};
  bench_flush_denormals();
  printf("STIFF LADDER, kvaerno-5 with KLU; whole run, from the compiled model on [ms]\n"
         "Ours keeps the ledger, those by hand have none.\n"
         "sections       ours    by hand       told  ours/hand  ours/told  steps\n");
  for (int i = 0; i < 4; i++) {
    measure(sizes[i]);
  }
  return EXIT_SUCCESS;
}
