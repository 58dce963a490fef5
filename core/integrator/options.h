// SPDX-License-Identifier: GPL-3.0-or-later
// Integration methods by name, and the options of a run.
#ifndef SB_CORE_INTEGRATOR_OPTIONS_H
#define SB_CORE_INTEGRATOR_OPTIONS_H

#include <stdbool.h>

#include "core/base/export.h"

/** An integration method by name, with its order. NULL name ends the list. */
typedef struct sb_method {
  const char *name;
  const char *help;
  int order;
  bool implicit;
  bool adaptive;
} sb_method;
SB_API const sb_method sb_methods[];
SB_API const sb_method *sb_method_find(const char *name);

/** Dependent storages whose initial values contradict each other: an impulse makes them consistent, whose
 *  energy the ledger takes, or the simulation is not created, with an error that names them. */
typedef enum sb_inconsistent { SB_INCONSISTENT_JUMP, SB_INCONSISTENT_REFUSE } sb_inconsistent;

typedef struct sb_options {
  const sb_method *method;
  double t_start;    // [s]
  double rtol;       // of the nominal size of each state: see core/integrator/nominal.h
  double atol;       // in addition, in the SI unit of each state; 0: none
  double step;       // [s] fixed step; 0: adaptive
  double first_step; // [s] 0: chosen by the integrator
  double max_step;   // [s] 0: no bound but that of the elements
  double event_tol;  // [s] events are located to this; 0: to rounding of the time or of the step
  int max_steps;     // accepted steps of one simulation
  int max_events_at_once;       // events at one instant before chatter is reported
  double residual_limit;        // largest energy-balance error, relative; 0: sb_options_limit()
  double structure_limit;       // largest residual of structures and laws, relative
  sb_inconsistent inconsistent; // initial values that contradict each other
} sb_options;
SB_API sb_options sb_options_defaults(void);
/** The limit of the energy-balance error, relative: as given; else 100 rtol, which what all steps may add
 *  stays below, but no looser than 1e-3; of steps of a given length, which no tolerance holds, 1e-8. */
SB_API double sb_options_limit(const sb_options *options);

#endif
