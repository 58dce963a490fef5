// SPDX-License-Identifier: GPL-3.0-or-later
// Nominal sizes of the states, by which an error becomes a number without a unit: a step is accepted if the
// estimated error of every state is below rtol times its size. They follow from the model's own
// parameters and from the accepted states alone, so that neither the units of a model, nor its place, nor
// samples change a step.
//
//   storage with H = x.Kx/2       the x_i that holds its energy, sqrt(2 E/K_ii); of one state the largest |x|
//   storage with H(x), y = dH/dx  by its largest y_i and K_ii = d2H/dx_i2 so far: E = y_i^2/(2 K_ii), above
//                                 its minimum, and the x_i that holds E, whichever is less of sqrt(2 E/K_ii)
//                                 and 2 E/y_i; where K = 0, as of a constant force, E = y_i |x_i - x_i(0)|, and where y = 0, too,
//                                 as in play, |x_i - x_i(0)|
//   storage with a nominal hook   as it says
//   state without energy          as far as it has moved from its start
//   quadrature of the ledger      the largest energy so far
//
// Where an absolute tolerance is stated and larger than rtol times the size, the error may be that (absolute.c).
//
// A storage counts with a small fraction of the largest energy that a storage of its connected part has held,
// at least, and with one of the largest state and output of its kind there (nominal_peaks.c): one at rest does not
// stop a run. It counts with what rtol makes the rounding of places, too: a kilometre away a stiff contact knows its
// depth to 1e-13 m. And every state and account counts with what rtol makes the rounding of its rate in a step (simulation/blurred.c): the
// only capacitor of a circuit, across a bridge that is balanced, carries nothing else.
// The components of a vector count by its length, with one size: no axes are special (norm_private.h).
#ifndef SB_CORE_INTEGRATOR_NOMINAL_H
#define SB_CORE_INTEGRATOR_NOMINAL_H

#include <float.h>
#include <math.h>

#include "core/base/arena.h"
#include "core/integrator/options.h"
#include "core/network/succession.h"
#include "core/program/workspace.h"

/** What is kept of the accepted states, in one block. */
typedef struct sb_nominal_record {
  double *size;           // (vector_count) [its own unit], of a quadrature [J]; 0: not known yet
  double *kept;           // (SB_SIZES_KEPT x states) by nominal hooks
  double *output, *slope; // (states) largest y_i and K_ii of storages with a Hessian
  double *lowest,
      *highest;   // (states) energies of such storages of one state [J], where they say more
  double *energy; // (parts) largest that a storage holds [J],
  double *scale;  // (parts) and when the sizes were last raised by it
  double *peak;   // (parts, kinds, 2) largest state [its unit] and output of a kind then
} sb_nominal_record;

/** States that follow each other and are each all that a linear storage of a part has; or quadratures of a
 *  part that follow each other. */
typedef struct sb_nominal_run {
  int first, count, part;
} sb_nominal_run;

typedef struct sb_nominal {
  const sb_network *network;
  sb_workspace *work;
  sb_arena memory;
  double rtol;
  double least; // fraction of the energy of its part that a storage counts with at least
  int record_length;
  sb_nominal_record now, trial;
  double *stiffness; // (states) K of the storages in runs
  int *kind;         // (states) those with one unit are of one kind; -1: compared with no other
  int kind_count;
  sb_nominal_run *runs;
  int run_count;
  int *others; // (instances) storages that are in no run, and elements with states without energy
  int other_count;
  sb_nominal_run *quadratures; // by their places in the vector
  int quadrature_run_count;
  double *origin;      // (states) the state at the start
  double *atol;        // (vector_count) absolute tolerances [own unit]
  double *state_atol;  // (states) as stated of the states themselves [own unit],
  double *output_atol; // and of their outputs dH/dx [J/own unit]; 0: not stated
  bool has_outputs;    // of some it is,
  bool has_atol;       // or an absolute tolerance of a state
  const double *used;  // (vector_count) sizes for the next step: of `now` where all are known,
  double *chosen;      // else these, the larger of `now` and `trial`
  bool known;
  double accepted_t; // [s]
  double trial_end;  // [s] until then those of `trial` count where they are larger
  double *stake; // (parts) [J] that an energy in a part counts as at least: see sb_audit_excess()
  double *noise; // (parts) [J] the largest that was rounding of places
  double *idle;  // (parts) [J] the work of forces that hold each other over rounding of places
  double *held,
      *hold; // (parts) [J] work that constraints would do on what they hold, in all steps; the largest of one
  double *
      foreseen; // (states) without energy: how far they would move at a peak of what is prescribed, or to a limit
  double *
      blurred; // (vector_count) what they are known to, by the rounding of what they integrate in a step
  double *spread;      // (parts) [J] of all accounts of a part
  double *x, *rate[3]; // (vector_count) scratch of trials
  bool *integral;      // (states) of an element without energy
  bool *sized;         // (parts) it has storages with a nominal hook
  bool fixed;          // steps have a given length
  bool implicit;       // and are those of an implicit method
} sb_nominal;

/** @return SB_ERR_MEMORY, worded, or what sb_tolerances.find() returns */
sb_status sb_nominal_init(sb_nominal *nominal, const sb_options *options, sb_workspace *work,
                          sb_error *err);
void sb_nominal_finish(sb_nominal *nominal);

/** The run starts at (t, x), with the workspace there. */
void sb_nominal_start(sb_nominal *nominal, double t, const double x[]);
/** The run goes on with another network, at (t, x), with its workspace there: sizes go on as they were. */
void sb_nominal_succeed(sb_nominal *nominal, const sb_nominal *before, const sb_succession *s,
                        double t, const double x[]);
/** (t, x) is accepted, with the workspace there. */
void sb_nominal_accept(sb_nominal *nominal, double t, const double x[]);
/** In a step each state and account is known to no less than this.  @param known  (vector_count) */
void sb_nominal_blur(sb_nominal *nominal, const double known[]);
/** Bounds the sizes from below by the energies that sources will have set in motion at t, as a pulse that is still to
 *  come: beside these the state before may be neglected.  @param span  [s] as below
 *  @return whether they are known: the workspace then is where they have moved to */
bool sb_nominal_foresee(sb_nominal *nominal, double t, const double x[], double span);
/** Whether a step of length h [s] from there, by the rates there, has sizes to be judged by: it moves no
 *  state much further than its size.  @param xdot  (vector_count) */
bool sb_nominal_reaches(const sb_nominal *nominal, double h, const double xdot[]);
/** Before a step from (t, x) that has none: finds a time that is short against all that the rates show, and
 *  takes for the first step the sizes that the states then have, where these are larger.
 *  @param span  [s] no longer than this  @return that time [s]; 0: there is none */
double sb_nominal_try(sb_nominal *nominal, double t, const double x[], double span);
/** Whether a part has more energy behind that time than it has had. */
bool sb_nominal_promises(const sb_nominal *nominal);

/** What the error of a state or quadrature may be; 0: anything, as nothing is known of it. A sum that is
 *  x is known to the rounding of |x| only.
 *  @param x  of a component of a vector, the length of that */
static inline double sb_nominal_tolerance(const sb_nominal *nominal, int i, double x) {
  return fmax(fmax(nominal->rtol * nominal->used[i], 4 * DBL_EPSILON * fabs(x)), nominal->atol[i]);
}
/** A step to the time t has not tested the error of what had no size, since it had never moved. The step counts as a trial of
 *  what has moved in it from x0 to x.  @return whether there was any, so that it is to be taken again */
bool sb_nominal_awakes(sb_nominal *nominal, double t, const double x0[], const double x[]);
/** Weights for ARKODE's test of errors: one over the tolerance, 0 where that is none.
 *  @param x, weight  (count) the first of the vector; the latter out */
void sb_nominal_weights(const sb_nominal *nominal, const double x[], int count, double weight[]);

#endif
