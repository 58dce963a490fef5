// SPDX-License-Identifier: GPL-3.0-or-later
// The search for an equilibrium: Newton steps in the coordinates of a manifold.
#ifndef SB_CORE_ANALYSIS_EQUILIBRIUM_PRIVATE_H
#define SB_CORE_ANALYSIS_EQUILIBRIUM_PRIVATE_H

#include "core/analysis/linear_private.h"
#include "core/analysis/manifold_private.h"

/** What the iteration works with. */
typedef struct sb_search {
  sb_operating_point *p;
  sb_linear *l; // x: where the search has come
  sb_manifold manifold;
  sb_arena memory; // of the manifold at x
  int n;           // freedoms
  double *rows;    // (the operating point's rows)
  double *rate;    // (freedoms) at x; zero where it is rounding
  double *terms;   // (states) that rates are computed from, of storages that tell
  double *move;    // (states)
  double *system; // (2 freedoms x (freedoms + 1)) A and the rates, scaled; below, what is conserved
  double *left;   // (freedoms x (freedoms + 1)) A transposed, scaled
  double *size;   // (freedoms) of A's rows
  const double *start; // (states) where the search began
  double *step;        // (freedoms)
  double *rate_before; // (freedoms)
  double *scale;       // (freedoms) of A's columns
  double *weight; // (states) of the rates: against what a unit of every state would make of each
  int *column;    // (2 freedoms) state that each row of the system was solved for
} sb_search;

/** The rates of the manifold's states, of s->rows where p was evaluated last; 0 where they are the rounding of their terms.
 *  @return false: these are not finite */
bool sb_search_rates(sb_search *s);
/** Rows of A, of rates that a unit of every state moves by no more than that rounding, become 0: they depend on none, as the spin of a
 *  rod between two balls. */
void sb_search_drop_rounding(sb_search *s);
/** The largest of some entries, `stride` apart; 1 if all are zero. */
double sb_search_largest(const double a[], int count, int stride);
/** Solves A step = -rate, of several solutions by the one that keeps what every motion keeps; if there is none, directions
 *  that A does not see stay where they are. */
void sb_search_step(sb_search *s, const double A[], const double rate[], int n);

#endif
