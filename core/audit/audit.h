// SPDX-License-Identifier: GPL-3.0-or-later
// The bookkeeping behind a ledger.
#ifndef SB_CORE_AUDIT_PRIVATE_H
#define SB_CORE_AUDIT_PRIVATE_H

#include "core/audit/ledger.h"
#include "core/graph/dirac.h"
#include "core/graph/kernel.h"
#include "core/network/equations.h"
#include "core/program/workspace.h"

typedef struct sb_audit {
  const sb_network *network;
  sb_workspace *work;
  sb_ledger ledger;
  // Lists for the balance of every step: storages of one linear state with H = half x^2, the other
  // storages, and the integrals of sources and of dissipations.
  int *scalar_state, *others, *supplies, *losses;
  double *scalar_half;
  int scalar_count, other_count, supply_count, loss_count;
  double *energy;     // (parts) [J] at the last look, or before an event
  double *after;      // (parts) scratch
  double restitution; // of the event at hand,
  bool struck_source; // in which a source took part that it has let go of
  double *assigned;   // (integrals) before an event
  double *blame;      // (parts) [J] power that an element's own book is missing, over time
  double *greatest;   // (parts) [W] largest power of a dissipation so far
  double *power_size; // (integrals) [W] what each power is the sum of
  double residual;    // [J] after the last step
  double stored_min, stored_max, magnitude_max, supplied_max, dissipated_max;
  double sampled_t;             // [s] of the last sample
  double *x, *rate;             // (vector) scratch
  double *amplitude;            // (parts) of linear storages, the largest output so far
  double *variable_greatest;    // (2 cells) largest so far, at modulated structures
  double *sizes;                // (2 cells) what the rounding of each cell variable is a part of
  sb_equations equations;       // of the present modes: kernel rows, to evaluate residuals
  double *row_error, *row_size; // (parts)
  // What elements are asked once more (audit_laws.c, audit_hooks.c), for one of them at a time.
  double *in, *said, *moved, *spread, *own, *back; // (most of any part) scratch
  double *before;                                  // (states) before an event
  sb_kernel kernel;                                // scratch
  int event_capacity;
} sb_audit;

sb_status sb_audit_init(sb_audit *audit, const sb_network *network, sb_workspace *work,
                        const sb_ledger *settings, sb_error *err);
void sb_audit_finish(sb_audit *audit);

/** The start of the books at (t, x), after a right-hand side there. */
void sb_audit_start(sb_audit *audit, double t, const double x[]);
/** The books at one moment, all in J. */
typedef struct sb_balance {
  double stored, magnitude, supplied, dissipated, residual;
} sb_balance;
/** Needs a right-hand side at (t, x) if there are hooks. */
sb_balance sb_audit_balance(const sb_audit *audit, double t, const double x[]);
/** What residuals are relative to, so far [J]. */
double sb_audit_scale(const sb_audit *audit);
/** Enters the balance after every accepted step. @param xdot NULL: passivity is not looked at */
void sb_audit_step(sb_audit *audit, double t, const sb_balance *balance, const double x[],
                   const double xdot[]);
/** At every sample: structure, passivity, and each storage's own book. Leaves the workspace as
 *  after a right-hand side at (t, x). @param scale_t [s] a time over which x changes little */
void sb_audit_sample(sb_audit *audit, double t, const double x[], double scale_t);
/** Whether what the elements state themselves holds for what the solver used; after sb_trace() and
 *  sb_trace_sizes(). Part of sb_audit_sample().
 *  @param step     [s] a time over which little changes
 *  @param elapsed  [s] since the sample before, to weigh what is missing by */
void sb_audit_laws(sb_audit *audit, double t, const double x[], const double xdot[], double step,
                   double elapsed);
sb_status sb_audit_laws_init(sb_audit *audit);
void sb_audit_laws_finish(sb_audit *audit);
/** A structure throws back what strikes it, x+ = x- + (1 + e)(xp - x-), and has not let go yet. */
void sb_audit_strike(sb_audit *audit, double restitution);
/** Whether an impact lost what the change of the states stands for; before the energies of
 *  sb_audit_before() are given up. */
void sb_audit_impact(sb_audit *audit, const double x[]);
/** Whether the half arrows count at both ends as the roles of the elements say. */
void sb_audit_bonds(sb_audit *audit);
/** Whether all dissipations absorb power, by a right-hand side. */
void sb_audit_passive(sb_audit *audit, double t, const double x[], const double xdot[]);
/** Enters a relative error into the structure figure. */
void sb_audit_note(sb_audit *audit, int instance, double residual);
/** Constant structures once more, after a switch has changed them. */
sb_status sb_audit_structures(sb_audit *audit);

/** Before and after an event: books what left the storages, and what sources gave at it. */
void sb_audit_before(sb_audit *audit, double t, const double x[]);
sb_status sb_audit_event(sb_audit *audit, double t, const double x[], const char *kind,
                         int instance, sb_error *err);
/** Fills the accounts of elements and groups for the present. */
void sb_audit_close(sb_audit *audit, double t, const double x[]);

#endif
