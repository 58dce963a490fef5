// SPDX-License-Identifier: GPL-3.0-or-later
// One contact in real time: the scene of realtime.xml, read from the file given, 1 ms at a time through the public
// calls by methods of fixed step, with its events and its ledger. Printed are the median, the 99.9 % and the worst of
// the 10,000 steps: as a program sees them on this machine in one run, and, of each step, the least of all runs,
// which leaves out what else the machine does. Fails if the energy balance is not met.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bench/clock.h"
#include "bench/common.h"
#include "netlist/netlist.h"

enum { STEPS = 10000, RUNS = 7 };
static const double interval = 1e-3; // [s]
/** Of the energy balance, relative: what steps of this length leave. */
static const double balance_limit = 1e-3;
static const char *const methods[] = {"bogacki-shampine-3", "dormand-prince-5",
                                      "implicit-midpoint"};

/** Time of the wall [s]. */
static double now(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static sb_simulation *create(const sb_model *model, const char *method) {
  sb_options options = sb_options_defaults();
  options.method = sb_method_find(method);
  options.step = interval;
  sb_error err;
  sb_simulation *sim;
  bench_must(sb_simulation_create(model, &options, &sim, &err), &err);
  return sim;
}

/** @param taken  out (STEPS) [s] */
static void run(const sb_model *model, const char *method, double taken[], int *events,
                double *balance) {
  sb_error err;
  sb_simulation *sim = create(model, method);
  bench_must(sb_simulation_advance(sim, 0, &err), &err);
  for (int i = 0; i < STEPS; i++) {
    double start = now();
    bench_must(sb_simulation_advance(sim, interval * (i + 1), &err), &err);
    taken[i] = now() - start;
  }
  *events = sb_simulation_ledger(sim)->event_count;
  *balance = sb_simulation_ledger(sim)->residual_relative;
  sb_simulation_destroy(sim);
}

static void print(const char *method, const char *what, double taken[]) {
  qsort(taken, STEPS, sizeof *taken, clock_by_size);
  printf("%-20s %-18s %8.2f %8.2f %8.2f\n", method, what, 1e6 * taken[STEPS / 2],
         1e6 * taken[STEPS - STEPS / 1000], 1e6 * taken[STEPS - 1]);
}

static void measure(const sb_model *model, const char *method) {
  static double taken[STEPS], least[STEPS];
  int events = 0;
  double balance = 0;
  for (int r = 0; r < RUNS; r++) {
    run(model, method, taken, &events, &balance);
    for (int i = 0; i < STEPS; i++) {
      least[i] = r == 0 || taken[i] < least[i] ? taken[i] : least[i];
    }
  }
  if (!(balance <= balance_limit)) {
    bench_fail("%s: the energy balance is off by %g", method, balance);
  }
  print(method, "one run", taken);
  print(method, "least of the runs", least);
  printf("%-20s %d events, energy balance within %.1e\n", "", events, balance);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    bench_fail("usage: %s realtime.xml", argv[0]);
  }
  sb_errors errors = {0};
  sb_netlist *netlist;
  bench_flush_denormals();
  if (sb_netlist_read(argv[1], NULL, 0, &netlist, &errors) != SB_OK) {
    bench_fail("%s", errors.count > 0 ? errors.items[0].text : "out of memory");
  }
  sb_model *model = bench_compile(netlist->graph);
  printf("one contact, steps of 1 ms [us]            median   99.9 %%    worst\n");
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    measure(model, methods[i]);
  }
  sb_model_destroy(model);
  sb_netlist_destroy(netlist);
  return EXIT_SUCCESS;
}
