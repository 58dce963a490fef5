// SPDX-License-Identifier: GPL-3.0-or-later
// The sparse Jacobian of the rates of the states. Its pattern comes from the program, and so do the
// entries of rows that are linear in the states; the others are found by differences of groups of columns.
#ifndef SB_CORE_INTEGRATOR_JACOBIAN_H
#define SB_CORE_INTEGRATOR_JACOBIAN_H

#include "core/base/arena.h"
#include "core/program/workspace.h"

/** Up to this many states a Jacobian of differences is dense. */
enum { SB_DENSE_MAX = 100 };

typedef struct sb_jacobian {
  sb_arena memory;
  int n, nnz;
  int *column_first, *row; // (n + 1), (nnz) compressed columns, sorted, with the diagonal
  double *value;           // (nnz)
  double *other;           // (nnz) by differences of another length
  char *nonlinear;         // (n) rows whose entries are differences
  int colours;             // 0: all is linear, and `value` holds for good
  int *colour;             // (n) of the columns with nonlinear rows; -1: others
  int generation;          // of the program
  double fraction;         // differences, of the sizes of the states
} sb_jacobian;

/** @param exact  false: all entries are differences  @return NULL: out of memory */
sb_jacobian *sb_jacobian_create(const sb_network *network, sb_workspace *work, bool exact);
void sb_jacobian_destroy(sb_jacobian *jacobian);

/** Brings `value` up to date.
 *  @param size (n) of the states, that differences are a fraction of; 0 or HUGE_VAL: not known
 *  @param fy (n) rates at y  @param y2, f2 (n) scratch  @return as sb_model_rhs */
int sb_jacobian_evaluate(sb_jacobian *jacobian, sb_workspace *work, double t, const double y[],
                         const double size[], const double fy[], double y2[], double f2[]);

/** After sb_jacobian_evaluate(), where an iteration by I - gamma J has failed: makes the differences shorter while those
 *  that are a thousand times as short make another matrix of it, as of a law that saturates within less than a difference. */
void sb_jacobian_sharpen(sb_jacobian *jacobian, sb_workspace *work, double t, double gamma,
                         const double y[], const double size[], const double fy[], double y2[],
                         double f2[]);

#endif
