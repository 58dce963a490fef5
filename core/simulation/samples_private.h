// SPDX-License-Identifier: GPL-3.0-or-later
// The samples of a run, and what a sampler sees of it.
#ifndef SB_CORE_SAMPLES_PRIVATE_H
#define SB_CORE_SAMPLES_PRIVATE_H

#include "core/base/decimal.h"
#include "core/simulation/dense_output_private.h"
#include "core/simulation/panel_private.h"
#include "core/simulation/simulation_private.h"

struct sb_samples {
  sb_sampler call; // NULL: nobody wants samples
  void *context;
  double interval; // [s] 0: every step
  sb_grid grid;    // their times
  long long next;  // number of the next one
  double last_t;   // [s] of the last one
  bool begun;      // the first one, at the start, has been taken
  bool calling;    // the sampler
  bool settled;    // sim->view_x is the state at sim->view_t; else it is found when it is asked for
  long viewed; // the workspace's number of the point (sim->view_t, sim->view_x); 0: not evaluated
  sb_dense *dense; // NULL: no interval was given yet
  sb_panel panel;
};

/** Whether so much can come in a run. @param what  comes after each interval [s], `most` times */
sb_status sb_intervals_check(const char *what, double t_start, double t_end, double interval,
                             double most, sb_error *err);
/** Samples of a run from sim->t to t_end. @return as sb_samples_check(), SB_ERR_MEMORY */
sb_status sb_samples_begin(sb_simulation *sim, double t_end, double interval, sb_sampler sampler,
                           void *context, sb_error *err);

#endif
