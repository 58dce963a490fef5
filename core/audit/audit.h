// SPDX-License-Identifier: GPL-3.0-or-later
// The checks behind a ledger: energy balance, power-free structures and passivity.
#ifndef SB_CORE_AUDIT_PRIVATE_H
#define SB_CORE_AUDIT_PRIVATE_H

#include "core/audit/ledger.h"
#include "core/base/arena.h"
#include "core/graph/dirac.h"
#include "core/graph/kernel.h"
#include "core/integrator/nominal.h"
#include "core/network/succession.h"
#include "core/program/workspace.h"

/** Energies of one part at one moment [J]. */
typedef struct sb_balance {
  double stored, residual;
  double
      exchanged; // what the storages have exchanged, sources supplied or others took, since the start
  double terms;  // absolute values of the terms that the stored energy is computed from
  double moved;  // of dH/dx_k x_k, of supplied and of dissipated energies: rounded in every step
  double places; // of dV/dq p, for displacements q that are differences of places p: rounded, too
  double held;   // of those of them that do not depend on where the origin is
  double loose;  // of dH/dx_k times the absolute tolerance of x_k
  double below;  // what the energy of a spring is below zero by, beyond its rounding; of the worst
  int below_of;  // and its instance
} sb_balance;

/** A part over the run. */
typedef struct sb_part_course {
  sb_balance most; // the largest so far of all but the first two
  double moved;    // [J] summed up over the steps
  double
      idle; // work of forces that hold each other over rounding of places, and what rounding makes of accounts, summed up over the steps
  double gone;     // [J] dissipated, and not supplied, by elements that have gone
  double residual; // [J] after the last step
  int worst;       // instance with the largest error of power
} sb_part_course;

/** Places in the vector of states and integrals that follow each other. */
typedef struct sb_run {
  int first, count;
} sb_run;

/** Where the lists of a part begin; they end where those of the next begin. */
typedef struct sb_part_range {
  int first; // instance by which the part is named
  int scalars, others, supplies, losses;
} sb_part_range;

enum { SB_POWERS_KEPT = 3 };

/** The lengths of arrays are in parentheses; that of a vector is the number of states and integrals. */
typedef struct sb_audit {
  const sb_network *network;
  const sb_options *options;
  const sb_nominal *nominal;
  sb_workspace *work;
  sb_ledger ledger;
  sb_arena memory; // of all arrays but ledger.events, which grows
  int event_capacity;
  // Elements that have gone: their accounts, behind those of the present ones, and the parts that they were in; and
  // ids that outlive their networks.
  int gone_count, *gone_part; // (gone_count)
  sb_names known_ids;
  char **ids; // (id_count)
  int id_count, id_capacity;
  sb_arena id_memory;
  int named_events; // so many have such ids
  // For the balance of every step, part by part: storages of one linear state with H = half x^2, all other
  // storages, and where in the vector the integrals of the powers of sources and of dissipations are.
  sb_run *scalars, *supplies, *losses; // (instances)
  int *others;                         // (instances)
  double *scalar_half, *scalar_start;  // (states) of the scalars; the latter: H at the start [J]
  double *state_start;                 // (states)
  // What storages have exchanged up to the last step (exchange.c).
  double *exchanged, *state_accepted, *output_accepted; // (states) [J]; x and dH/dx there
  double *energy_accepted;                              // (instances) H there [J]
  sb_part_range *ranges;                                // (parts + 1)
  sb_part_course *courses;                              // (parts)
  sb_balance *now;                                      // (parts) at the last sb_audit_balance()
  // Of an event.
  double *state_before;                 // (states)
  double *energy_before, *energy_after; // (instances) [J]
  double level; // [J] what all energies that are reported have beyond these, sb_instance_level()
  double *quadrature_before; // (quadratures) [J] so that what sources supply at it can be told
  double restitution;        // of an impact; 0: plastic
  bool source_in_impact;     // a source took part in constraints that the rebound has removed
  // What differences are relative to.
  double *
      power_max; // (instances) [W] largest of a dissipation, or terms of dH/dt of a storage, so far
  double *power_size; // (quadratures) [W] sum of the absolute values of the terms of each power
  double *
      largest; // (2 pairs) of each bond variable the largest sum of the absolute values of its terms so far
  double *sizes; // (2 pairs) what its rounding is a fraction of now: that, or more
  double
      *power_error; // (instances) [J] integral of the absolute error of its power balance over time
  // Of accounts and the powers at ports, those of the last audits.
  double *account_error;              // (instances) [J] largest so far
  double *taken;                      // (instances) [J] int P dt
  double *powers;                     // (SB_POWERS_KEPT x instances) [W] the present ones last
  double power_times[SB_POWERS_KEPT]; // [s]
  int power_count;                    // of which so many are known
  // Scratch.
  double *x, *xdot;      // (vector)
  double *present_sizes; // (2 pairs, states, values)
  double *state_sizes;   // (states)
  double *struck; // (states) the largest |x| before an event so far, of storages with hooks |dH/dx|
  double *value_sizes;  // (values) the same of what modulated structures and sources give, else 0
  double *signal_sizes; // (values) the same of signals, the largest so far
  double *signals_now;  // (values) and the present ones
  // (algebraic variables, then constraints) the same of these and of multipliers, of the present program; NULL: there are none
  const double *solved_sizes;
  double *dense; // for a structure's matrices
  bool *idle,
      *still; // (instances) at the last audit; and at that before it, too: it has been checked
  double *in, *stated, *varied;    // (largest instance) arguments and values of hooks
  double *effect, *signals, *used; // (largest instance)
  sb_kernel kernel;
  sb_kernel *
      kernels; // (instances) of modulated structures, stated once for sizes and rows; empty: not yet
  double sampled_t; // [s] of the last sample
  bool settled;     // the first events have chosen the modes that laws hold in
} sb_audit;

/** @param options  borrowed: limits and rtol
 *  @param nominal  borrowed: sizes and absolute tolerances of the states */
sb_status sb_audit_init(sb_audit *audit, const sb_network *network, sb_workspace *work,
                        const sb_options *options, const sb_nominal *nominal, sb_error *err);
void sb_audit_finish(sb_audit *audit);
/** The run goes on with another network, for which `audit` has been initialised, at (t, x): the ledger goes on.
 *  What holds energy and is gone has lost it to an event. (succeed.c)
 *  @param x  (vector) out: quadratures of elements that have come back
 *  @return SB_ERR_MEMORY, worded */
sb_status sb_audit_succeed(sb_audit *audit, sb_audit *before, const sb_succession *s, double t,
                           double x[], sb_error *err);

// All that follows expects the workspace to be at (t, x): see sb_workspace_evaluate().

/** Begins the balance at (t, x); what events have lost before is forgotten. */
void sb_audit_start(sb_audit *audit, double t, const double x[]);
/** Takes the balance of every part at (t, x), for the two functions below. Linear in the elements. */
void sb_audit_balance(sb_audit *audit, double t, const double x[]);
/** A step that adds more than this to the energy-balance error, as a fraction of what the tolerances of states allow, is
 *  repeated. Rounding counts in full: no step mends it. */
#define SB_EXCESS_ALLOWED 0.1
/** The spring whose energy is below zero at the last sb_audit_balance(), by more than its rounding and what the tolerances
 *  of the states allow (`sprung` of sb_storage_audit). -1: there is none. */
int sb_audit_below_zero(const sb_audit *audit);
/** The storage whose energy is no finite number at (t, x), where that of a part was none at the last sb_audit_balance(). -1: there is none. */
int sb_audit_not_finite(const sb_audit *audit, double t, const double x[]);
/** What the last step has added to the energy-balance error of a part, over what the tolerances of its
 *  states allow; of the worst part.
 *  @param least  (parts) what the energy at stake in each counts as at least [J] */
double sb_audit_excess(const sb_audit *audit, const double least[]);
/** The largest energy-balance error so far, relative as it would be judged now; of the worst part. */
double sb_audit_residual(const sb_audit *audit);
/** Enters the balance after an accepted step. @param xdot NULL: passivity is not checked */
void sb_audit_step(sb_audit *audit, double t, const double x[], const double xdot[]);
/** Judges passivity anew just before an event, where an input may jump: by what it is at the event the mode before does not hold.
 *  @param before  as it was before the step  @param x  NULL: the step took no time */
void sb_audit_before_event(sb_audit *audit, const sb_passivity *before, double t, const double x[]);
/** To how much the stored energy of a connected part is known [J]: what changes it by less changes nothing. */
double sb_audit_part_rounding(const sb_audit *audit, int part);
/** Where steps begin anew at (t, x), as behind an event: powers may have jumped (accounts.c). */
void sb_audit_restart(sb_audit *audit, double t, const double x[]);
/** What rounding makes of the rates at (t, x), where the workspace is: of the states and accounts (vector), and of the inputs of delays
 *  (delays) (rate_sizes.c).
 *  @param given  of states by what is given to storages and dissipations alone: where slopes are deduced from states (implicit_stages.c)
 *                the rates have no rounding of their own */
void sb_audit_rate_rounding(sb_audit *audit, double t, const double x[], bool given, double rates[],
                            double inputs[]);
/** What the rounding of each bond variable is a fraction of at (t, x), into present_sizes: the sum of the absolute values of its terms,
 *  also behind modulated structures, and no less than the motion that forces which hold it would give it in a step; after sb_trace()
 *  (sizes.c). */
void sb_audit_present_sizes(sb_audit *audit, double t, const double x[]);
/** At every sample: structure, passivity, and each storage's own balance. Leaves the workspace at
 *  other points near (t, x).  @param time  [s] over which x changes little */
void sb_audit_sample(sb_audit *audit, double t, const double x[], double time);
/** The structure in the modes that the run starts with, before the first events may change them at once: the
 *  program for these modes may serve for nothing else. How large values are in them does not count behind these
 *  events, nor are dissipations passive in a mode that they are about to leave. */
void sb_audit_before_events(sb_audit *audit, double t, const double x[]);
/** Checks the constant structures again, after a switching element has changed them. */
sb_status sb_audit_structures(sb_audit *audit);

/** Before and after an event: enters what left the storages, and what sources supplied at it.
 *  @param kind  NULL: the event is not listed, unless it took energy: as an impact */
void sb_audit_before(sb_audit *audit, double t, const double x[]);
sb_status sb_audit_event(sb_audit *audit, double t, const double x[], const char *kind,
                         int instance, sb_error *err);
/** An impact with restitution e has moved the state from x- to x+ = x- + (1 + e)(xp - x-), with xp that
 *  of a plastic impact; to be called before the structure that caused it releases its constraints. */
void sb_audit_strike(sb_audit *audit, double restitution);
/** Fills the accounts of elements and groups for the present. */
void sb_audit_close(sb_audit *audit, double t, const double x[]);

#endif
