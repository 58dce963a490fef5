// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef SB_CORE_MODEL_RHS_H
#define SB_CORE_MODEL_RHS_H

#include "core/model/compute.h"

/** The right-hand side with the powers apart from the rates, or without them.
 *  @param xdot  (state_count) out
 *  @param power (quadrature_count) out, [W]; NULL: not wanted  @return as sb_model_rhs */
int sb_workspace_rates(sb_workspace *work, double t, const double x[], double xdot[],
                       double power[]);

/** Brings the workspace to (t, x): its values, bond variables and work->evaluation.xdot, the rates and
 *  powers, are then those there. Costs nothing if it is there already.  @return as sb_model_rhs */
int sb_workspace_evaluate(sb_workspace *work, double t, const double x[]);
/** Computes the values at (t, x) that can be, whatever else fails. */
void sb_workspace_try(sb_workspace *work, double t, const double x[]);

/** The rates, and the powers behind them. @param xdot (sb_vector_count) out */
static inline int sb_workspace_rhs(sb_workspace *work, double t, const double x[], double xdot[]) {
  return sb_workspace_rates(work, t, x, xdot, xdot + work->network->state_count);
}

/** Reads a quantity at (t, x), which the workspace is brought to (quantities.c).
 *  @param out  (quantity->count) out */
void sb_quantity_read(sb_workspace *work, const sb_quantity *quantity, double t, const double x[],
                      double out[]);
/** The same where (t, x) is known to be the point of the last evaluation: all states would be compared for each quantity. */
void sb_quantity_read_here(sb_workspace *work, const sb_quantity *quantity, double t,
                           const double x[], double out[]);

#endif
