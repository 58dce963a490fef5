// SPDX-License-Identifier: GPL-3.0-or-later
// What the programs of this folder share. One that compares must not go on after a failure: these
// functions print why, and end the program with 1.
#ifndef SB_BENCH_COMMON_H
#define SB_BENCH_COMMON_H

#include "core/simulation/simulation.h"

_Noreturn void bench_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
void bench_must(sb_status status, const sb_error *err);

/** Zeros; the caller frees them. */
double *bench_zeros(int count);

sb_model *bench_compile(const sb_graph *graph);
sb_simulation *bench_simulation(const sb_model *model, const char *method, double rtol,
                                double atol);

/** The tolerance at which a run is as accurate as another: the error is just below that asked for, or, if
 *  none such is found, the last one tried.
 *  @param error_at  runs with this tolerance, returns the error  @param tolerance  to begin with */
double bench_equal_error(double (*error_at)(void *context, double tolerance), void *context,
                         double error, double tolerance);

/** For the whole program, as the library does during its runs. */
void bench_flush_denormals(void);

#endif
