// SPDX-License-Identifier: GPL-3.0-or-later
// Where a model rests: its states with xdot = 0, and what can be read there.
#ifndef SB_CORE_EQUILIBRIUM_H
#define SB_CORE_EQUILIBRIUM_H

#include "core/analysis/linearize.h"

/** A number with its name and its SI unit. */
typedef struct sb_reading {
  const char *name, *unit;
  double value;
} sb_reading;

typedef struct sb_equilibrium {
  double t;                                                    // [s]
  int state_count, output_count, effort_count, reaction_count; // components counted
  int freedoms;                                                // states that can be chosen freely
  sb_reading *states;
  sb_reading *outputs; // those asked for
  sb_reading *
      efforts; // at the ports of storages, dissipations and sources: forces, torques, wrenches, voltages
  sb_reading
      *reactions; // the forces [N] and moments [N m] that joints of mechanisms carry, world axes
  /** The real part of the eigenvalue by which deviations grow fastest [1/s]; 0: none grow. */
  double growth;
  /** Another such rate, which is slow beside the fastest motion and may be its rounding [1/s]; 0: there is none. */
  double doubtful_growth;
  double fastest; // [1/s] the largest size of an eigenvalue
  /** An element that gives what its input was some time ago, as a delay: what grows is not told, and these are NAN; NULL: there is none. */
  const char *late;
  int changed_count;
  sb_mode_change *changed; // the equilibrium is one of other modes than those of the start
} sb_equilibrium;

/** Finds an equilibrium from the present state of a simulation, at its time, with what the sources are at
 *  that time. It is looked for in the present modes; where elements would have changed over on the way, as diodes, stops and
 *  contacts do, it is one of the modes behind that, which contradict no event indicator. Energy is lost on the way, so that from a state that is none a stable one is found, if there is one near.
 *  @param outputs  quantities as sb_model_find() knows them
 *  @return SB_ERR_SOLVER: none is found, what still changes, or contradicts its mode, is named; SB_ERR_REFERENCE, SB_ERR_LIMIT, SB_ERR_USAGE,
 *          SB_ERR_NOT_FINITE, SB_ERR_MEMORY */
SB_API sb_status sb_equilibrium_find(const sb_simulation *sim, const char *const outputs[],
                                     int output_count, sb_equilibrium **equilibrium, sb_error *err);
SB_API void sb_equilibrium_destroy(sb_equilibrium *equilibrium);

#endif
