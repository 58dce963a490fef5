// SPDX-License-Identifier: GPL-3.0-or-later
// The checks behind a ledger: energy balance, power-free structures and passivity.
#ifndef SB_CORE_AUDIT_PRIVATE_H
#define SB_CORE_AUDIT_PRIVATE_H

#include "core/audit/ledger.h"
#include "core/base/arena.h"
#include "core/graph/dirac.h"
#include "core/graph/kernel.h"
#include "core/network/equations.h"
#include "core/program/workspace.h"

/** The lengths of arrays are in parentheses; that of a vector is the number of states and integrals. */
typedef struct sb_audit {
  const sb_network *network;
  sb_workspace *work;
  sb_ledger ledger;
  sb_arena memory; // of all arrays but ledger.events, which grows
  int event_capacity;
  // For the balance of every step: storages of one linear state with H = half x^2, all other storages,
  // and where in the vector the integrals of the powers of sources and of dissipations are.
  int *scalar_state, *others, *supplies, *losses; // (instances)
  double *scalar_half;                            // (instances)
  int scalar_count, other_count, supply_count, loss_count;
  double residual; // [J] energy-balance error after the last step
  double stored_min, stored_max, magnitude_max, supplied_max, dissipated_max; // [J] so far
  // Of an event.
  double *state_before;                 // (states)
  double *energy_before, *energy_after; // (instances) [J]
  double *quadrature_before; // (quadratures) [J] so that what sources supply at it can be told
  double restitution;        // of an impact; 0: plastic
  bool source_in_impact;     // a source took part in constraints that the rebound has removed
  // What differences are relative to.
  double *power_max;  // (instances) [W] largest power of a dissipation so far
  double *power_size; // (quadratures) [W] sum of the absolute values of the terms of each power
  double *sizes; // (2 pairs) the same of each bond variable; its rounding is a fraction of that
  double *row_size_max; // (instances) largest size of its rows so far, where constraints matter
  double *variable_max; // (2 pairs) largest bond variable so far, at modulated structures
  double
      *power_error; // (instances) [J] integral of the absolute error of its power balance over time
  // Scratch.
  double *x, *xdot;                // (vector)
  double *row_error, *row_size;    // (instances)
  double *dense;                   // for a structure's matrices
  double *in, *stated, *varied;    // (largest instance) arguments and values of hooks
  double *effect, *signals, *used; // (largest instance)
  sb_kernel kernel;
  double sampled_t;       // [s] of the last sample
  sb_equations equations; // kernel rows in the present modes, to evaluate residuals
} sb_audit;

sb_status sb_audit_init(sb_audit *audit, const sb_network *network, sb_workspace *work,
                        const sb_ledger *settings, sb_error *err);
void sb_audit_finish(sb_audit *audit);

// All that follows expects the workspace to be at (t, x): see sb_workspace_evaluate().

/** Begins the balance at (t, x). */
void sb_audit_start(sb_audit *audit, double t, const double x[]);
/** The balance at one moment, all in J: the residual is
 *  stored - stored at the start - supplied + dissipated + lost at events. */
typedef struct sb_balance {
  double stored, magnitude, supplied, dissipated, residual;
} sb_balance;
sb_balance sb_audit_balance(const sb_audit *audit, double t, const double x[]);
/** What residuals are relative to, so far [J]. */
double sb_audit_scale(const sb_audit *audit);
/** Enters the balance after an accepted step. @param xdot NULL: passivity is not checked */
void sb_audit_step(sb_audit *audit, double t, const sb_balance *balance, const double x[],
                   const double xdot[]);
/** At every sample: structure, passivity, and each storage's own balance. Leaves the workspace at
 *  other points near (t, x).  @param time  [s] over which x changes little */
void sb_audit_sample(sb_audit *audit, double t, const double x[], double time);
/** Checks the constant structures again, after a switching element has changed them. */
sb_status sb_audit_structures(sb_audit *audit);

/** Before and after an event: enters what left the storages, and what sources supplied at it.
 *  @param kind  NULL: the event is not listed */
void sb_audit_before(sb_audit *audit, double t, const double x[]);
sb_status sb_audit_event(sb_audit *audit, double t, const double x[], const char *kind,
                         int instance, sb_error *err);
/** An impact with restitution e has moved the state from x- to x+ = x- + (1 + e)(xp - x-), with xp that
 *  of a plastic impact; to be called before the structure that caused it releases its constraints. */
void sb_audit_strike(sb_audit *audit, double restitution);
/** Fills the accounts of elements and groups for the present. */
void sb_audit_close(sb_audit *audit, double t, const double x[]);

#endif
