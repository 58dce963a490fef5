// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/ladder_run.h"

#include <math.h>
#include <stdlib.h>

#include "bench/clock.h"
#include "bench/common.h"
#include "bench/ode.h"

enum { ROUNDS = 5 };
static const double block = 10e-3; // [s]
static const double reference_tolerance = 1e-11;
/** Sizes are at least this fraction of the amplitudes, as core/integrator/nominal_peaks.c has it. */
static const double least_amplitude = 1e-3;
/** What an error may be, in units of rtol. */
static const double error_limit = 100;

typedef struct runs {
  bare_model *bare;
  ladder_by_hand *hand;
  double inductance, spread;
  double *size;      // (2 sections) of one run
  double *reference; // (sections) [V]
  double *voltage;   // (sections) [V] at the end of the last run
  ladder_result *result;
} runs;

/** One of those compared, as the clock's tasks see it. */
typedef struct variant {
  runs *runs;
  int which;
  ode_rhs rhs;
  void *data;
} variant;

static bool is_apart(int which) {
  return which == RUN_APART;
}

static void keep_voltages(const runs *r, int which, const double x[]) {
  const int n = r->hand->sections;
  for (int k = 0; k < n; k++) {
    double charge = x[is_apart(which) ? n + k : 2 * k + 1];
    r->voltage[k] = charge / ladder_value(ladder_capacitance, r->spread, k + 1);
  }
}

/** Fluxes and charges of the wave, times a fraction. */
static void fill_sizes(const runs *r, int which, double fraction) {
  const int n = r->hand->sections;
  for (int k = 0; k < n; k++) {
    double flux = r->inductance * ladder_step / ladder_load;
    r->size[is_apart(which) ? k : 2 * k] = fraction * flux;
    r->size[is_apart(which) ? n + k : 2 * k + 1] = fraction * ladder_capacitance * ladder_step;
  }
}

static double error_of(const runs *r) {
  double worst = 0;
  for (int k = 0; k < r->hand->sections; k++) {
    worst = fmax(worst, fabs(r->voltage[k] - r->reference[k]));
  }
  return worst / ladder_step;
}

static void run_ode(const variant *v, bool by_size, double tolerance) {
  runs *r = v->runs;
  ode o;
  ode_init(&o, 2 * r->hand->sections, v->rhs, v->data, tolerance, 0);
  fill_sizes(r, v->which, by_size ? least_amplitude : 1);
  (by_size ? ode_set_sizes : ode_set_amplitudes)(&o, r->size);
  ode_run(&o, ladder_end);
  r->result->steps[v->which] = ode_step_count(&o);
  keep_voltages(r, v->which, o.x);
  ode_finish(&o);
}

static void time_equal_weights(void *context, long calls) {
  for (long i = 0; i < calls; i++) {
    run_ode(context, true, ladder_rtol);
  }
}

static void time_equal_error(void *context, long calls) {
  const variant *v = context;
  for (long i = 0; i < calls; i++) {
    run_ode(v, false, v->runs->result->tolerance);
  }
}

/** From the compiled model to the end, with the making of the simulation. */
static void time_ours(void *context, long calls) {
  const variant *v = context;
  runs *r = v->runs;
  for (long i = 0; i < calls; i++) {
    sb_error err;
    sb_simulation *sim = bench_simulation(r->bare->model, "dormand-prince-5", ladder_rtol, 0);
    bench_must(sb_simulation_advance(sim, ladder_end, &err), &err);
    r->result->steps[RUN_OURS] = sb_simulation_ledger(sim)->work.steps;
    keep_voltages(r, RUN_OURS, sb_simulation_state(sim));
    sb_simulation_destroy(sim);
  }
}

static double error_at(void *context, double tolerance) {
  const variant *v = context;
  run_ode(v, false, tolerance);
  return error_of(v->runs);
}

static void make_reference(const variant *by_section) {
  runs *r = by_section->runs;
  run_ode(by_section, false, reference_tolerance);
  double *voltage = r->reference;
  r->reference = r->voltage;
  r->voltage = voltage;
}

static void measure(runs *r, variant variants[], int count) {
  clock_task tasks[LADDER_RUNS];
  ladder_result *result = r->result;
  make_reference(&variants[RUN_BY_SECTION]);
  time_ours(&variants[RUN_OURS], 1);
  result->tolerance =
      bench_equal_error(error_at, &variants[RUN_EQUAL_ERROR], error_of(r), ladder_rtol);
  for (int i = 0; i < count; i++) {
    void (*run)(void *, long) = i == RUN_OURS          ? time_ours
                                : i == RUN_EQUAL_ERROR ? time_equal_error
                                                       : time_equal_weights;
    tasks[i] = (clock_task){run, &variants[i], 0};
    run(&variants[i], 1);
    result->error[i] = error_of(r);
    if (!(result->error[i] <= error_limit * ladder_rtol)) {
      bench_fail("run %d of %d sections has an error of %g", i, r->hand->sections,
                 result->error[i]);
    }
  }
  clock_compare(tasks, count, ROUNDS, block);
  for (int i = 0; i < count; i++) {
    result->seconds[i] = tasks[i].seconds;
  }
}

void ladder_run_compare(bare_model *bare, ladder_by_hand *hand, double inductance, double spread,
                        int count, ladder_result *result) {
  runs r = {bare,
            hand,
            inductance,
            spread,
            bench_zeros(2 * hand->sections),
            bench_zeros(hand->sections),
            bench_zeros(hand->sections),
            result};
  variant variants[LADDER_RUNS] = {{&r, RUN_OURS, NULL, NULL},
                                   {&r, RUN_BARE, bare_rhs, bare},
                                   {&r, RUN_BY_SECTION, ladder_rhs_by_section, hand},
                                   {&r, RUN_EQUAL_ERROR, ladder_rhs_by_section, hand},
                                   {&r, RUN_APART, ladder_rhs_apart, hand}};
  *result = (ladder_result){0};
  measure(&r, variants, count);
  free(r.size);
  free(r.reference);
  free(r.voltage);
}
