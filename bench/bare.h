// SPDX-License-Identifier: GPL-3.0-or-later
// A model without its ledger, to measure what the ledger costs: the rates without the powers. What a
// power needs beyond the network's own values is still computed.
#ifndef SB_BENCH_BARE_H
#define SB_BENCH_BARE_H

#include "core/model/model.h"
#include "core/model/rhs.h"
#include "core/program/workspace.h"

typedef struct bare_model { // borrowed
  const sb_model *model;
  sb_workspace *work;
} bare_model;

/** An ode_rhs on the states alone. */
static inline int bare_rhs(void *data, double t, const double x[], double xdot[]) {
  const bare_model *bare = data;
  return sb_workspace_rates(bare->work, t, x, xdot, NULL);
}

#endif
