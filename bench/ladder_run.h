// SPDX-License-Identifier: GPL-3.0-or-later
// Whole runs of the ladder to ladder_end on dormand-prince-5, with their errors. By the library at
// ladder_rtol and its other defaults: the error of a state is relative to the largest value that it has had,
// and 1e-3 of the amplitude of the wave at least. By hand
//   equal weights   the same, written down for this circuit: what remains is the time of a step
//   equal error     weights 1/(tol (|x| + amplitude)) as they are usual, with the tolerance at which
//                   the error is ours
// An error is that of the voltages at the end, the largest, relative to the step of voltage, against a run by
// hand at 1e-11 with these weights. "Bare" is the library's right-hand side without the powers of
// the ledger, on the driver of those by hand: "by section" has a value for each section, "by hand" knows that
// all are alike.
#ifndef SB_BENCH_LADDER_RUN_H
#define SB_BENCH_LADDER_RUN_H

#include "bench/bare.h"
#include "bench/ladder.h"

static const double ladder_end = 5e-3, ladder_rtol = 1e-6; // [s]

/** RUN_APART only where all sections are alike. */
enum { RUN_OURS, RUN_BARE, RUN_BY_SECTION, RUN_EQUAL_ERROR, RUN_APART, LADDER_RUNS };

typedef struct ladder_result {
  double seconds[LADDER_RUNS], error[LADDER_RUNS];
  long steps[LADDER_RUNS];
  double tolerance; // of RUN_EQUAL_ERROR
} ladder_result;

/** @param inductance  [H] of the graph  @param count  of the runs, from the first one on */
void ladder_run_compare(bare_model *bare, ladder_by_hand *hand, double inductance, double spread,
                        int count, ladder_result *result);

#endif
