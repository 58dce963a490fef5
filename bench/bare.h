// SPDX-License-Identifier: GPL-3.0-or-later
// A model without its ledger, to measure what the ledger costs: the same program without the powers
// that it integrates. What a power needs beyond the network's own values is still computed.
#ifndef SB_BENCH_BARE_H
#define SB_BENCH_BARE_H

#include "core/workspace_private.h"

typedef struct bare_model { // borrows from a model and a workspace, which must outlive it
  sb_model model;
  sb_program program;
  sb_workspace work;
} bare_model;

/** @param bare  must stay where it is */
static inline void bare_init(bare_model *bare, const sb_model *model, const sb_workspace *work) {
  *bare = (bare_model){.model = *model, .program = *work->program, .work = *work};
  bare->model.integral_count = 0;
  bare->program.product_count = bare->program.product_run_count = bare->program.zero_count = 0;
  bare->work.model = &bare->model;
  bare->work.program = &bare->program;
}

/** An ode_rhs on the states alone. */
static inline int bare_rhs(void *data, double t, const double x[], double xdot[]) {
  bare_model *bare = data;
  return sb_model_rhs(&bare->model, &bare->work, t, x, xdot);
}

#endif
