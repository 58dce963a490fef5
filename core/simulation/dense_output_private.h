// SPDX-License-Identifier: GPL-3.0-or-later
// Dense output: the state within the last accepted step, as a polynomial in time.
#ifndef SB_CORE_DENSE_OUTPUT_PRIVATE_H
#define SB_CORE_DENSE_OUTPUT_PRIVATE_H

#include "core/simulation/interpolant_private.h"
#include "core/simulation/simulation.h"

/** x(t0 + theta h) = x0 + sum w_j(theta) d_j. With n numbers of a vector, states and quadratures. */
typedef struct sb_dense {
  int n;
  bool by_values;   // d_j are values less x0, by partial steps of the method; else slopes too
  bool made;        // for the last step
  bool failed;      // it could not be made for the last step
  int levels;       // polynomials, each one degree above the one before
  double t0, h;     // [s]
  const double *x0; // (n) of the simulation
  double *data[2];  // (degree x n) of the last level made, and of the next
  double *x, *xdot; // (n) scratch
  sb_interpolant level[SB_DEGREE_MAX];
} sb_dense;

/** For a method; all memory is taken here. @return SB_ERR_MEMORY */
sb_status sb_dense_create(sb_simulation *sim, sb_dense **dense, sb_error *err);
void sb_dense_destroy(sb_dense *dense); // NULL is accepted

/** Whether so many samples of one step are worth the data of a polynomial. */
bool sb_dense_pays(const sb_dense *dense, long samples);
/** Takes the data of the last step, unless that is done. Leaves the workspace at points within it.
 *  @return false: the model has no values somewhere in between */
bool sb_dense_make(sb_simulation *sim, sb_dense *dense);
/** After sb_dense_make(). @param x  (n) out */
void sb_dense_at(const sb_dense *dense, double t, double x[]);
/** Adds what the polynomial changes by from one time to another. */
void sb_dense_between(const sb_dense *dense, double from, double t, double x[]);

#endif
