// SPDX-License-Identifier: GPL-3.0-or-later
// What a running simulation writes while it steps.
#ifndef SB_CORE_WORKSPACE_PRIVATE_H
#define SB_CORE_WORKSPACE_PRIVATE_H

#include <signal.h>

#include "core/base/history.h"
#include "core/network/succession.h"
#include "core/program/live.h"
#include "core/program/program.h"

/** Why a nonlinear loop has no solution to go on with, or a structure divides by zero. */
typedef struct sb_loop_failure {
  enum {
    SB_LOOP_SOLVED,
    SB_LOOP_NO_SOLUTION,
    SB_LOOP_LOST, // no solution that continues the accepted one
    SB_LOOP_SEVERAL,
    SB_LOOP_UNDETERMINED,
    SB_LOOP_DIVISOR // which is at[0]
  } kind;
  int loop, instance;
  double t;
  int count;    // solutions
  int output;   // what of the instance tells them apart: 0: its input, else the value output - 1
  bool steep;   // its input has no digits left
  double at[3]; // that of the solutions; or the instance's input, its output and what its law gives
} sb_loop_failure;

typedef struct sb_constraint_groups sb_constraint_groups;

/** Vectors over the outputs and over the inputs of a loop that are at hand at once while it is solved, at most. */
enum { SB_LOOP_VECTORS = 48, SB_LOOP_INPUT_VECTORS = 8 };

/** Numbers for the Jacobian of a loop of m outputs, for its factors twice as many, and for the columns of its entries row by row. */
static inline int sb_loop_matrices(int m) {
  return 3 * m * m + (m * m + m + 2) / 2;
}

/** What is kept of algebraic loops y = hooks(b + A y). Every evaluation starts from the accepted
 *  solution, and so is a function of (t, x) and of that. */
typedef struct sb_loop_memory {
  double *start_y; // (program->loop_output_count) the accepted solution
  double *
      reference; // (program->loop_output_count) from which shares of limited strength differ as little as possible; NAN: no such
  double *
      strength; // (program->loop_output_count) what such a share may be at most; of a normal force 0
  double *
      left; // (program->loop_output_count) of conditions of contacts, in their units, at the last evaluation
  double *b;        // (program->loop_input_count) of the last evaluation
  double *matrices; // sb_loop_matrices() of the largest loop
  double *room;     // (room_size) for what is at hand while one is solved
  int room_size;
  double *block; // holds all of these
  bool
      least_squares; // conditions of contacts that contradict each other are met as far as they can be
  bool continues;    // within a step: only what continues the accepted solution counts
  bool free;         // laws follow their arguments, whatever branches are held
} sb_loop_memory;

/** The point that a workspace holds values of, so that nothing is evaluated twice there. */
typedef struct sb_evaluation {
  bool known;                // the rates below are those at (t, x)
  bool current;              // so are the values of the workspace,
  bool traced;               // and the bond variables
  const sb_program *program; // by which
  long point;                // a number of (t, x), another one for every other; 0: none yet
  double t;                  // [s]
  double *x, *xdot;          // (state_count), (sb_vector_count)
  double leads
      [2]; // of what slides: the rates of the gap, on the side that is held and on the other one
} sb_evaluation;

/** Sliding along the edge of a condition (core/model/slide.h). */
typedef struct sb_slide {
  bool on;
  int branch;              // what decides, on the side that is held
  double span;             // [s] of differences
  double *other;           // (branches) those of the other side
  double *rates[2];        // (state_count) on the side that is held, and on the other one
  double *moved, *scratch; // (state_count)
} sb_slide;

struct sb_workspace {
  const sb_network *network;
  const sb_program *program, *start_program; // the present one: that of the start modes, or `own`
  const int *start_modes;                    // (mode_count)
  sb_program *own;                           // for other than the initial modes
  sb_live live;                              // its part for the present modes
  const sb_program *running;                 // whose rows are run
  int generation; // of the program: what was made from an older one is stale
  double *values; // (program->value_count)
  int value_capacity;
  sb_arena memory;      // of what has the same size for every program
  const double **wires; // (2 wire_count) into values, then into their rates
  double *discrete;     // (discrete_count)
  int *modes;           // (mode_count)
  sb_branches branches; // (branch_count)
  sb_slide slide;
  double *inputs;      // (input_count)
  sb_history *past;    // (delay_count) what the inputs of delays have been
  double *bond_values; // (2 pairs) efforts and flows, by sb_trace
  double *event_loss;  // (instances) [J] what each has lost at events so far
  double *rest;        // (2 instances) what a law of an effort, or of a flow, takes for rest, sb_at
  double rest_fraction; // of the largest input; 0: none does
  sb_evaluation evaluation;
  double inside;           // [s] within the present smooth piece of the sources
  int failed;              // instance that failed in the last right-hand side, -1
  int refused;             // instance that last failed in one, until it is set to -1
  double refused_t;        // [s] where that was
  double *refused_x;       // (state_count)
  sb_loop_failure failure; // of a loop, in the last right-hand side
  sb_loop_memory loops;
  long rhs_count;
  long points; // that have been evaluated
  const volatile sig_atomic_t
      *stop; // not 0: evaluations and searches fail at once; NULL: there is none
  sb_constraint_groups *constraint_groups; // core/model/constraints.h; NULL: not needed yet
};

/** Where in `rest` that of an instance is, whose law reads its efforts or its flows. */
static inline ptrdiff_t sb_rest_place(const sb_network *network, const sb_instance *instance,
                                      sb_variable assigned) {
  return 2 * (instance - network->instances) + (assigned == SB_FLOW);
}

/** What the hooks of an instance see. Rates are there only where there are constraints. */
static inline sb_at sb_at_instance(const sb_workspace *work, const sb_instance *instance, double t,
                                   const double x[]) {
  const sb_network *network = work->network;
  bool rates = work->program->causality.constraint_count > 0;
  const sb_variable assigned = work->program->causality.assigned[instance - network->instances];
  return (sb_at){.t = t,
                 .inside = work->inside,
                 .point = work->evaluation.current ? work->evaluation.point : 0,
                 .x = x + instance->state,
                 .in = work->values + instance->in,
                 .first = instance->first,
                 .signals = work->wires + instance->wire,
                 .in_rate = rates ? work->values + sb_rate_value(network, instance->in) : NULL,
                 .signal_rates = rates ? work->wires + network->wire_count + instance->wire : NULL,
                 .own = work->values + instance->signal,
                 .discrete = work->discrete + instance->discrete,
                 .branches =
                     network->branch_count > 0 && !work->loops.free ? &work->branches : NULL,
                 .mode = instance->mode < 0 ? 0 : work->modes[instance->mode],
                 .dim = instance->dim,
                 .assigned = assigned,
                 .past = instance->delay < 0 ? NULL : &work->past[instance->delay],
                 .input = work->inputs + instance->input,
                 .rest = work->rest + sb_rest_place(network, instance, assigned)};
}

/** Whether a run is to end as soon as possible. */
static inline bool sb_workspace_stopped(const sb_workspace *work) {
  return work->stop != NULL && *work->stop != 0;
}

/** Runs a block of rows. */
int sb_run_rows(sb_workspace *work, const sb_op *op, double t, const double x[], double xdot[]);

/** What a structure divides by, HUGE_VAL: by nothing. */
double sb_divisor(const sb_workspace *work, int instance, double t, const double x[]);
/** Notes that the hook of an operation failed because it divides by zero, if that is why. */
void sb_operation_failed(sb_workspace *work, const sb_op *op, double t, const double x[]);

/** For a program, in its modes; both are borrowed. NULL: out of memory, worded */
sb_workspace *sb_workspace_make(const sb_network *network, const sb_program *program,
                                const int modes[], sb_error *err);
/** Lets all branches of expressions follow their arguments, as before a run. */
void sb_workspace_free_branches(sb_workspace *work);
/** No share of what several constraints hold is known to be within its strength. */
void sb_workspace_forget_shares(sb_workspace *work);
void sb_workspace_finish(sb_workspace *work);
const char *sb_workspace_failure(const sb_workspace *work); // as model.h says
/** Takes a program for the present modes; the old values are kept as far as they have a meaning. */
sb_status sb_workspace_recompile(sb_workspace *work, sb_errors *errors);

/** Takes over modes, discrete states, inputs, held branches, what delays remember, and the accepted solution of
 *  loops from the workspace of the network before; the model has set those of new elements to their start.
 *  (succeed.c) */
sb_status sb_workspace_succeed(sb_workspace *work, sb_workspace *before, const sb_succession *s,
                               sb_errors *errors);

/** To be called when something that the right-hand side depends on has changed besides (t, x): an input,
 *  a mode, a discrete state, the smooth piece of the sources. */
static inline void sb_workspace_changed(sb_workspace *work) {
  work->evaluation.known = work->evaluation.current = work->evaluation.traced = false;
}

/** At an event of an instance: resets the storages that have a signal of it as an input. */
void sb_workspace_reset_listeners(sb_workspace *work, int index, double t, double x[]);

/** Efforts and flows of all bonds at the point that the workspace holds values of, row by row as
 *  causality determined them, without the folding that the right-hand side uses. */
void sb_trace(sb_workspace *work, const double x[]);
/** The same where x is known to be the state of the last evaluation. */
void sb_trace_here(sb_workspace *work, const double x[]);
/** For every bond variable the sum of the absolute values of the terms that it was computed from, down
 *  to states and values: its rounding is a fraction of that, not of the variable itself.
 *  @param value_sizes  (values of the network) what the rounding of hooks' values is at least a fraction of
 *  @param solved       (algebraic variables, then constraints) the same of these and of multipliers; NULL: not known
 *  @param size         (2 pairs, states, values of the network) out: behind the bond variables what their terms know */
void sb_trace_sizes(const sb_workspace *work, const double x[], const double value_sizes[],
                    const double solved[], double size[]);
/** The second half of it: the sizes of the bond variables, by those of what their terms know. */
void sb_sum_sizes(const sb_workspace *work, const double solved[], double size[]);

/** Energy of an instance [J] after a right-hand side at the same (t, x); 0 for what stores nothing. */
double sb_instance_energy(const sb_workspace *work, int instance, double t, const double x[]);
/** What an energy that is reported has beyond that [J], a constant: its potential where it counts places from. */
double sb_instance_level(const sb_instance *instance);

#endif
