// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef SB_CORE_INTEGRATOR_NOMINAL_PRIVATE_H
#define SB_CORE_INTEGRATOR_NOMINAL_PRIVATE_H

#include "core/integrator/nominal.h"

/** The size that a storage counts with at least: this fraction of the amplitude that would hold the largest energy in its
 *  part. */
static const double sb_least_amplitude = 1e-6;

// energy_sizes.c
/** Enters the state at (t, x) into a record, with the workspace there. */
void sb_nominal_measure(const sb_nominal *nominal, const sb_nominal_record *record, double t,
                        const double x[]);

// nominal.c
/** Sizes and stakes of steps are those of the trial until its end [s], where it moves further than anything has. */
void sb_nominal_choose(sb_nominal *nominal, double trial_end);

// nominal_trial.c
/** Enters the state at the end of a step into the trial record, with the energy that what constraints hold counts as.
 *  @return false: nothing is held */
bool sb_nominal_measure_held(sb_nominal *nominal, double t, const double x[]);

// nominal.c
/** The size of a number or a vector: the least of its components. */
double sb_nominal_size(const double size[], int components);

// nominal_peaks.c
/** Once.  @return false if memory fails */
bool sb_peaks_init(sb_nominal *nominal);
/** Raises the peaks of a record by its sizes. */
void sb_peaks_find(const sb_nominal *nominal, const sb_nominal_record *record);
/** What a state counts as at least.  @param stiffness  d2H/dx2 [unit of the output/own unit]  @return [its own unit] */
double sb_peaks_least(const sb_nominal *nominal, const sb_nominal_record *record, int state,
                      int part, double stiffness);

// absolute.c
/** Once.  @return SB_ERR_MEMORY, or what sb_tolerances.find() returns */
sb_status sb_absolute_init(sb_nominal *nominal, const sb_options *options, sb_error *err);
/** The run starts at (t, x), with the workspace there. */
void sb_absolute_start(sb_nominal *nominal, double t, const double x[]);
/** After sb_nominal_measure() of an accepted state. */
void sb_absolute_accept(sb_nominal *nominal);

#endif
