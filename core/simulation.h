// SPDX-License-Identifier: GPL-3.0-or-later
// A running simulation: steps by ARKODE, locates events, keeps the ledger.
#ifndef SB_CORE_SIMULATION_H
#define SB_CORE_SIMULATION_H

#include "core/ledger.h"
#include "core/model.h"

typedef struct sb_simulation sb_simulation;

/** An integration method by name, with its order. NULL name ends the list. */
typedef struct sb_method {
  const char *name;
  const char *help;
  int order;
  bool implicit;
  bool adaptive;
  int table; // SUNDIALS' number of the Butcher table; -1: the method brings its own
  const struct sb_stepper_type *stepper; // what takes its steps
} sb_method;
SB_API extern const sb_method sb_methods[];
SB_API const sb_method *sb_method_find(const char *name);

/** Tied storages whose initial values do not agree: they meet by an impulse whose energy is booked, or
 *  the simulation is not created, with an error that names them. */
enum { SB_INCONSISTENT_JUMP, SB_INCONSISTENT_REFUSE };

typedef struct sb_options {
  const sb_method *method;
  double t_start;         // [s]
  double rtol, atol;      // relative; absolute, in the SI unit of each state
  double step;            // [s] fixed step; 0: adaptive
  double first_step;      // [s] 0: chosen by the integrator
  double max_step;        // [s] 0: no bound but that of the elements
  double event_tol;       // [s] events are located to this, or to rounding of the time
  int max_steps;          // accepted steps of one simulation
  int max_events_at_once; // events at one instant before chatter is reported
  double residual_limit;  // of the ledger, relative
  int inconsistent;       // initial values that contradict each other: SB_INCONSISTENT_...
} sb_options;
SB_API sb_options sb_options_defaults(void);

SB_API sb_status sb_simulation_create(const sb_model *model, const sb_options *options,
                                      sb_simulation **sim, sb_error *err);
SB_API void sb_simulation_destroy(sb_simulation *sim);

/** Integrates to time t [s] exactly. After a failure the last accepted state is kept. */
SB_API sb_status sb_simulation_advance(sb_simulation *sim, double t, sb_error *err);

/** Called at each sample. A return other than 0 ends the run with SB_INTERRUPTED. */
typedef int (*sb_sampler)(void *context, const sb_simulation *sim, double t);

/** Integrates to t_end and calls `sampler` at t_start + k * sample (0: at every step) and at t_end.
 *  Samples do not change the steps: they are taken by a partial step of the same method. */
SB_API sb_status sb_simulation_run(sb_simulation *sim, double t_end, double sample,
                                   sb_sampler sampler, void *context, sb_error *err);
/** Checks the structures and each element's own book at the present time, as every sample of
 *  sb_simulation_run() does; for programs that step with sb_simulation_advance(). */
SB_API void sb_simulation_audit(sb_simulation *sim);
/** May be called from a signal handler: the run ends at the next step with SB_INTERRUPTED. */
SB_API void sb_simulation_interrupt(sb_simulation *sim);

SB_API double sb_simulation_time(const sb_simulation *sim);
/** Reads a quantity at the present time or sample; out has quantity->count components. */
SB_API void sb_simulation_read(const sb_simulation *sim, const sb_quantity *quantity, double out[]);
/** Sets what a source with waveform "input" gives from now on. */
SB_API sb_status sb_simulation_set_input(sb_simulation *sim, const char *source,
                                         const double values[], int count, sb_error *err);
/** The same by handle: find once, set in a loop. */
SB_API int sb_simulation_find_input(const sb_simulation *sim, const char *source, sb_error *err);
SB_API void sb_simulation_set(sb_simulation *sim, int input, const double values[]);

SB_API const sb_ledger *sb_simulation_ledger(const sb_simulation *sim);
SB_API const double *sb_simulation_state(const sb_simulation *sim); // (vector_count)

#endif
