// SPDX-License-Identifier: GPL-3.0-or-later
// The ladder of ladder.h, compiled by the library, beside its right-hand side by hand: right-hand sides, and
// whole runs at equal weights and at equal error (ladder_run.h). Fails if the results disagree.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bare.h"
#include "bench/clock.h"
#include "bench/common.h"
#include "bench/ladder_run.h"
#include "bench/ode.h"

/** Right-hand sides may differ by this fraction of their largest component: rounding. */
static const double rhs_tol = 1e-13;
enum { RHS_ROUNDS = 201, SETUP_ROUNDS = 5 };
static const double rhs_block = 1e-3, setup_block = 10e-3; // [s]

/** Ours has its ledger; the last two are those by hand, APART only where all sections are alike. */
enum { OURS, BARE, BY_SECTION, APART, ALL };

typedef struct bench {
  int sections, count;        // of those compared
  double *x[ALL], *xdot[ALL]; // (vector count of ours, the longest)
  double spread;
  sb_graph *graph;
  sb_model *model;
  sb_workspace *work;
  bare_model bare;
  ladder_by_hand hand;
} bench;

static int flux_at(int which, int section) {
  return which == APART ? section : 2 * section;
}

static int charge_at(const bench *b, int which, int section) {
  return which == APART ? b->sections + section : 2 * section + 1;
}

static void check_order(const bench *b) {
  char name[300], expected[32];
  for (int i = 0; i < 2 * b->sections; i++) {
    (void)snprintf(expected, sizeof expected, i % 2 == 0 ? "L%d.p" : "C%d.q", i / 2 + 1);
    if (strcmp(sb_model_state_name(b->model, i, name), expected) != 0) {
      bench_fail("state %d is %s and not %s", i, name, expected);
    }
  }
}

/** A state on the way, the same for all: a front that has passed half of the ladder. */
static void fill_states(bench *b) {
  for (int i = 0; i < ALL; i++) {
    for (int k = 0; k < b->sections / 2; k++) {
      double voltage = ladder_step * (1 + 0.1 * sin(0.7 * k));
      b->x[i][flux_at(i, k)] = ladder_inductance * voltage / ladder_load;
      b->x[i][charge_at(b, i, k)] = ladder_capacitance * voltage;
    }
  }
}

static void init(bench *b, int sections, double spread) {
  sb_error err;
  *b = (bench){.sections = sections,
               .count = spread == 0 ? ALL : APART,
               .spread = spread,
               .graph = ladder_graph(sections, ladder_inductance, spread)};
  b->model = bench_compile(b->graph);
  bench_must(sb_workspace_create(b->model, &b->work, &err), &err);
  for (int i = 0; i < ALL; i++) {
    b->x[i] = bench_zeros(sb_model_vector_count(b->model));
    b->xdot[i] = bench_zeros(sb_model_vector_count(b->model));
  }
  b->bare = (bare_model){b->model, b->work};
  ladder_by_hand_init(&b->hand, sections, ladder_inductance, spread);
  check_order(b);
  fill_states(b);
}

static void finish(bench *b) {
  for (int i = 0; i < ALL; i++) {
    free(b->x[i]);
    free(b->xdot[i]);
  }
  ladder_by_hand_finish(&b->hand);
  sb_workspace_destroy(b->work);
  sb_model_destroy(b->model);
  sb_graph_destroy(b->graph);
}

static int ours_rhs(void *data, double t, const double x[], double xdot[]) {
  const bench *b = data;
  return sb_model_rhs(b->model, b->work, t, x, xdot);
}

/** One of those compared, as the clock's tasks see it. */
typedef struct variant {
  bench *bench;
  int which;
  ode_rhs rhs;
  void *data;
} variant;

static void time_rhs(void *context, long calls) {
  const variant *v = context;
  for (long i = 0; i < calls; i++) {
    (void)v->rhs(v->data, 0, v->bench->x[v->which], v->bench->xdot[v->which]);
  }
}

static void compare_rhs(const bench *b) {
  double largest = 0;
  for (int i = 0; i < 2 * b->sections; i++) {
    largest = fmax(largest, fabs(b->xdot[OURS][i]));
  }
  for (int which = OURS; which < b->count; which++) {
    const double *ours = b->xdot[OURS], *other = b->xdot[which];
    for (int k = 0; k < b->sections; k++) {
      double flux = other[flux_at(which, k)] - ours[flux_at(OURS, k)];
      double charge = other[charge_at(b, which, k)] - ours[charge_at(b, OURS, k)];
      if (!(fabs(flux) + fabs(charge) <= rhs_tol * largest)) {
        bench_fail("right-hand sides: %g and %g of %g in section %d", flux, charge, largest, k + 1);
      }
    }
  }
}

static void setup_graph(void *context, long calls) {
  const bench *b = context;
  for (long i = 0; i < calls; i++) {
    sb_graph_destroy(ladder_graph(b->sections, ladder_inductance, b->spread));
  }
}
static void setup_model(void *context, long calls) {
  for (long i = 0; i < calls; i++) {
    sb_model_destroy(bench_compile(((bench *)context)->graph));
  }
}
static void setup_simulation(void *context, long calls) {
  for (long i = 0; i < calls; i++) {
    sb_simulation_destroy(
        bench_simulation(((bench *)context)->model, "dormand-prince-5", ladder_rtol, 0));
  }
}

enum { GRAPH, MODEL, SIMULATION, SETUPS };

typedef struct result {
  double rhs[ALL], setup[SETUPS]; // [s]
  ladder_result run;
} result;

static result measure(bench *b) {
  result r = {0};
  variant variants[ALL] = {{b, OURS, ours_rhs, b},
                           {b, BARE, bare_rhs, &b->bare},
                           {b, BY_SECTION, ladder_rhs_by_section, &b->hand},
                           {b, APART, ladder_rhs_apart, &b->hand}};
  clock_task rhs[ALL];
  clock_task setup[] = {{setup_graph, b, 0}, {setup_model, b, 0}, {setup_simulation, b, 0}};
  for (int i = 0; i < ALL; i++) {
    rhs[i] = (clock_task){time_rhs, &variants[i], 0};
  }
  clock_compare(rhs, b->count, RHS_ROUNDS, rhs_block);
  compare_rhs(b);
  ladder_run_compare(&b->bare, &b->hand, ladder_inductance, b->spread,
                     b->spread == 0 ? LADDER_RUNS : RUN_APART, &r.run);
  clock_compare(setup, SETUPS, SETUP_ROUNDS, setup_block);
  for (int i = 0; i < b->count; i++) {
    r.rhs[i] = rhs[i].seconds;
  }
  for (int i = 0; i < SETUPS; i++) {
    r.setup[i] = setup[i].seconds;
  }
  return r;
}

enum { SIZES = 6 };
static const int sizes[SIZES] = {10, 100, 200, 1000, 10000, 20000}; // 1,000 elements: 200

/** @param per_section  every time divided by the sections */
static void print_rhs(const result r[SIZES], bool per_section) {
  printf("\nright-hand side%s [ns]\n"
         "sections       ours       bare by section    by hand    ours /  bare /"
         "    ours /  bare /\n%60sby section        by hand\n",
         per_section ? " per section" : "", "");
  for (int i = 0; i < SIZES; i++) {
    const double *t = r[i].rhs, scale = 1e-9 * (per_section ? sizes[i] : 1);
    printf("%8d %10.4g %10.4g %10.4g", sizes[i], t[OURS] / scale, t[BARE] / scale,
           t[BY_SECTION] / scale);
    if (t[APART] > 0) {
      printf(" %10.4g   %7.2f %7.2f   %7.2f %7.2f\n", t[APART] / scale, t[OURS] / t[BY_SECTION],
             t[BARE] / t[BY_SECTION], t[OURS] / t[APART], t[BARE] / t[APART]);
    } else {
      printf(" %10s   %7.2f %7.2f\n", "", t[OURS] / t[BY_SECTION], t[BARE] / t[BY_SECTION]);
    }
  }
}

static void print_runs(const result r[SIZES]) {
  static const char *const names[LADDER_RUNS] = {"ours", "bare", "by section",
                                                 "by section, =", "by hand"};
  printf(
      "\nwhole run, from the compiled model on; ours at rtol %g. By hand at equal weights, with =\n"
      "at equal error, with the tolerance that gives it. Errors of voltages, of the step.\n"
      "sections  run             tolerance   error    steps       [ms]  us/step     ours /\n",
      ladder_rtol);
  for (int i = 0; i < SIZES; i++) {
    const ladder_result *run = &r[i].run;
    for (int k = 0; k < LADDER_RUNS && run->seconds[k] > 0; k++) {
      printf("%8d  %-14s %10.2g %8.2g %7ld %10.4g %8.3g %10.2f\n", sizes[i], names[k],
             k == RUN_EQUAL_ERROR ? run->tolerance : ladder_rtol, run->error[k], run->steps[k],
             1e3 * run->seconds[k], 1e6 * run->seconds[k] / (double)run->steps[k],
             run->seconds[RUN_OURS] / run->seconds[k]);
    }
  }
}

static void print_setup(const result r[SIZES]) {
  printf("\nmade and destroyed [ms]\nsections      graph      model simulation\n");
  for (int i = 0; i < SIZES; i++) {
    printf("%8d %10.4g %10.4g %10.4g\n", sizes[i], 1e3 * r[i].setup[GRAPH], 1e3 * r[i].setup[MODEL],
           1e3 * r[i].setup[SIMULATION]);
  }
}

int main(void) {
  static bench b;
  static const double spreads[] = {0, 0.01};
  bench_flush_denormals();
  for (int k = 0; k < 2; k++) {
    result r[SIZES];
    for (int i = 0; i < SIZES; i++) {
      init(&b, sizes[i], spreads[k]);
      r[i] = measure(&b);
      finish(&b);
    }
    printf(k == 0 ? "SECTIONS ALL ALIKE\n" : "\nSECTIONS OF DIFFERENT VALUES\n");
    print_rhs(r, false);
    print_rhs(r, true);
    print_runs(r);
    if (k == 0) {
      print_setup(r);
    }
  }
  return EXIT_SUCCESS;
}
