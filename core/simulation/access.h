// SPDX-License-Identifier: GPL-3.0-or-later
// What an analysis at the present state of a simulation starts from.
#ifndef SB_CORE_SIMULATION_ACCESS_H
#define SB_CORE_SIMULATION_ACCESS_H

#include "core/model/model_data.h"
#include "core/program/workspace.h"
#include "core/simulation/simulation.h"

typedef struct sb_simulation_point {
  const sb_model *model;
  const sb_workspace *work; // present modes, discrete states and inputs
  double t;                 // [s]
  const double *x;          // (sb_vector_count) the last accepted state
} sb_simulation_point;

/** All is borrowed, until the simulation goes on. */
sb_simulation_point sb_simulation_at(const sb_simulation *sim);

#endif
