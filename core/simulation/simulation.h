// SPDX-License-Identifier: GPL-3.0-or-later
// A running simulation: takes steps, locates events, keeps the energy ledger.
#ifndef SB_CORE_SIMULATION_H
#define SB_CORE_SIMULATION_H

#include "core/audit/ledger.h"
#include "core/integrator/options.h"
#include "core/model/model.h"

typedef struct sb_simulation sb_simulation;

/** Warns of sources and signals whose expressions of the time may have features in [t_start, t_end] that
 *  no bounded search finds, so that steps may miss them; each is named with its place.
 *  @return SB_ERR_MEMORY */
SB_API sb_status sb_model_unseen(const sb_model *model, double t_start, double t_end,
                                 sb_errors *warnings);

SB_API sb_status sb_simulation_create(const sb_model *model, const sb_options *options,
                                      sb_simulation **sim, sb_error *err);
SB_API void sb_simulation_destroy(sb_simulation *sim);
/** Warns of what a simulation that has not begun will do, which is surely not meant or should be known: a start
 *  that loses energy, a switch that never switches, an energy that jumps; each with its place (foresee.c). Nothing moves.
 *  @param t_end  [s] of the run
 *  @return SB_ERR_MEMORY */
SB_API sb_status sb_simulation_foresee(sb_simulation *sim, double t_end, sb_errors *warnings);
/** Refuses what the first step of a simulation that has not begun would refuse before it is taken: a constraint whose force at
 *  the start is infinite (singular_start.c), a sine that drives something and has more periods than `max_steps`. Nothing moves.
 *  @param t_end  [s] of the run
 *  @return SB_ERR_SOLVER, SB_ERR_RANGE, with its place */
SB_API sb_status sb_simulation_check_start(sb_simulation *sim, double t_end, sb_error *err);

/** Integrates to time t [s] exactly. After a failure the last accepted state is kept. */
SB_API sb_status sb_simulation_advance(sb_simulation *sim, double t, sb_error *err);

/** Called at each sample. A return other than 0 ends the run with SB_INTERRUPTED. */
typedef int (*sb_sampler)(void *context, const sb_simulation *sim, double t);

/** Samples of one run: more than the largest file of common file systems, 16 TiB, holds in lines. */
#define SB_SAMPLES_MAX 1e12
/** Integrates to t_end and calls `sampler` at t_start + k * sample (0: at every step) and at t_end. The
 *  times are those of the decimal numbers t_start and sample. Samples do not change the run: they are
 *  interpolated, to the order of the method or better. The run is audited at its start and end, at
 *  events and at steps: see sb_simulation_audit().
 *  @return SB_ERR_RANGE, before anything is done: more than SB_SAMPLES_MAX samples, or closer to each other
 *          than the rounding of the time */
SB_API sb_status sb_simulation_run(sb_simulation *sim, double t_end, double sample,
                                   sb_sampler sampler, void *context, sb_error *err);
/** Whether sb_simulation_run() takes so many samples. */
SB_API sb_status sb_samples_check(double t_start, double t_end, double sample, sb_error *err);
/** Whether a relative tolerance is between 0 and 1 and not below the rounding of numbers. */
SB_API sb_status sb_rtol_check(double rtol, sb_error *err);
/** Whether one is too loose to promise two digits. @param warning  out: worded then */
SB_API bool sb_rtol_is_loose(double rtol, sb_error *warning);
/** Whether steps of at most `interval` [s] come to t_end within `max_steps`; 0: there is no such bound. */
SB_API sb_status sb_steps_check(const sb_options *options, double t_end, double interval,
                                sb_error *err);
/** The same of what ends steps again and again: of each element with events at a `period`, and each `delay`; all faults are
 *  told, each with the place of that. */
SB_API sb_status sb_clocks_check(const sb_graph *graph, const sb_options *options, double t_end,
                                 sb_errors *errors);
/** Checks the structures and the power balance of each element at the present time, as
 *  sb_simulation_run() does along with its steps; for programs that step with sb_simulation_advance(). */
SB_API void sb_simulation_audit(sb_simulation *sim);
/** May be called from a signal handler: the run ends at once with SB_INTERRUPTED, within a step, a search
 *  or between samples, at the last accepted state; it cannot go on from there. */
SB_API void sb_simulation_interrupt(sb_simulation *sim);

SB_API double sb_simulation_time(const sb_simulation *sim);
/** Reads a quantity at the present time or sample; out has quantity->count components. */
SB_API void sb_simulation_read(const sb_simulation *sim, const sb_quantity *quantity, double out[]);
/** A source with waveform "input", whose values sb_simulation_set() sets from then on.
 *  @return SB_ERR_REFERENCE for an unknown element, SB_ERR_USAGE for one that has no such input */
SB_API sb_status sb_simulation_find_input(const sb_simulation *sim, const char *source, int *input,
                                          sb_error *err);
SB_API void sb_simulation_set(sb_simulation *sim, int input, const double values[]);

/** Warns of what the run so far has shown that stops nothing but should be known, as of contacts that were so deep that their
 *  kinematics is coarse: one warning for each element, with its place (remarks.c).
 *  @return SB_ERR_MEMORY */
SB_API sb_status sb_simulation_remarks(sb_simulation *sim, sb_errors *warnings);

SB_API const sb_ledger *sb_simulation_ledger(const sb_simulation *sim);
/** (vector_count) Places may count from a point near the bodies (`place` of sb_element_type): sb_simulation_read() tells where they
 *  are in the world. */
SB_API const double *sb_simulation_state(const sb_simulation *sim);

#endif
