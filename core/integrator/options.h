// SPDX-License-Identifier: GPL-3.0-or-later
// Integration methods by name, and the options of a run.
#ifndef SB_CORE_INTEGRATOR_OPTIONS_H
#define SB_CORE_INTEGRATOR_OPTIONS_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/base/export.h"

/** An integration method by name, with its order. NULL name ends the list. */
typedef struct sb_method {
  const char *name;
  const char *help;
  int order;
  bool implicit;
  bool adaptive;
  const char *implicit_partner; // that takes over while it costs less; NULL: none does
  const char *smooth_partner;   // explicit, that takes over in a long smooth motion
} sb_method;
SB_API const sb_method sb_methods[];
SB_API const sb_method *sb_method_find(const char *name);

/** Dependent storages whose initial values contradict each other: an impulse makes them consistent, whose
 *  energy the ledger takes, or the simulation is not created, with an error that names them. */
typedef enum sb_inconsistent { SB_INCONSISTENT_JUMP, SB_INCONSISTENT_REFUSE } sb_inconsistent;

/** Absolute tolerances of quantities, which become numbers for each state when a simulation is created. */
typedef struct sb_tolerances {
  /** @param units   (count) SI unit of each state; NULL: not known
   *  @param state   (count) in: 0; out: what the error of each may be [its unit]; 0: not stated
   *  @param output  (count) likewise of y = dH/dx [J per unit of the state]
   *  @return an error, worded and placed, where a tolerance is of no state or output */
  sb_status (*find)(const void *context, int count, const char *const units[], double state[],
                    double output[], sb_error *err);
  const void *context; // borrowed while a simulation is created
} sb_tolerances;

typedef struct sb_options {
  const sb_method *method;
  double t_start;    // [s]
  double rtol;       // of the nominal size of each state: see core/integrator/nominal.h
  double atol;       // the error of a state may be this, in its SI unit, if that is more; 0: none
  double step;       // [s] fixed step; 0: adaptive
  double first_step; // [s] 0: chosen by the integrator
  double max_step;   // [s] 0: no bound but that of the elements
  double event_tol;  // [s] events are located to this; 0: to rounding of the time or of the step
  int max_steps;     // accepted steps of one simulation
  int max_events_at_once;       // events of one element at one instant before chatter is reported
  double residual_limit;        // largest energy-balance error, relative; 0: sb_options_limit()
  double structure_limit;       // largest residual of structures and laws, relative
  sb_inconsistent inconsistent; // initial values that contradict each other
  sb_tolerances tolerances;     // of some quantities, beside atol; find NULL: none
} sb_options;
SB_API sb_options sb_options_defaults(void);
/** The limit of the energy-balance error, relative: as given; else 100 rtol, which what all steps may add
 *  stays below, but no looser than 1e-3; of steps of a given length, which no tolerance holds, 1e-8. */
SB_API double sb_options_limit(const sb_options *options);

#endif
