// SPDX-License-Identifier: GPL-3.0-or-later
// What the projections of velocities (projection.c) and of gaps (gaps.c) share.
#ifndef SB_CORE_PROJECTION_PRIVATE_H
#define SB_CORE_PROJECTION_PRIVATE_H

#include "core/model/constraints.h"

/** The projection of a state onto one group of constraints. */
typedef struct sb_projection {
  sb_workspace *work;
  sb_constraint_groups *groups;
  const sb_constraint_group *group;
  double t, *x, *quadratures;
  double restitution;          // c is to be -e times what was struck; 0: zero
  double tolerance;            // relative, below which residuals count as zero
  double least;                // the shortest differences, as a fraction of the states
  int m, n;                    // constraints, states
  double *C, *G;               // (m x n) dc/dx, and the directions of the impulses
  double *A;                   // (m x m) C G^T
  double *residual, *unit;     // (m) c, and sqrt((C G^T)_ii)
  double energy;               // of what the constraints are sums of, in these units
  double *lambda;              // (m)
  double *size, *momenta;      // (m) what the rows are sums of (sb_constraint_row)
  sb_constraint_system system; // of a group with algebraic variables
  double *before;              // (n) x before the step
  double *trial;               // (m x (m + 2)) residuals elsewhere, then a system to solve
  bool by_differences;
  bool beyond;  // a constraint is violated by more than the rounding of momenta
  bool strikes; // one was
  int exact;    // how many steps left nothing but rounding
} sb_projection;

void sb_projection_begin(sb_projection *p, int group);
/** Finds the rows, and the constraint of the group that was begun with the largest relative residual, if that is beyond the tolerance; -1: none. It strikes
 *  if that is more than the rounding of momenta: what is less is taken away without an impact. */
int sb_projection_violated(sb_projection *p);
/** Moves the states of a group onto its constraints. @return the one that was most violated before, -1: none was */
int sb_projection_run(sb_projection *p, int group);
/** c(x) less what it is to be, C and G; of rows that are still nothing is kept (still_rows.c). */
void sb_projection_rows(sb_projection *p);
/** lambda by the gradients, (C G^T) lambda = -c, with ratios and sources as they are. Of redundant constraints some are left out, with whatever they
 *  contradict the others by.
 *  @param least  a pivot below this fraction of its diagonal is zero  @return whether there are none */
bool sb_projection_eliminate(sb_projection *p, double least);
/** The same; what redundant constraints contradict each other by is left to all of them, the least squares c_i^2/(C G^T)_ii. */
void sb_projection_solve(sb_projection *p);

/** Moves places so that the gaps of the contacts among the constraints of a group are closed, with the workspace at (t, x). */
void sb_gaps_close(sb_projection *p, int group);

#endif
