// SPDX-License-Identifier: GPL-3.0-or-later
// What a running simulation writes while it steps.
#ifndef SB_CORE_WORKSPACE_PRIVATE_H
#define SB_CORE_WORKSPACE_PRIVATE_H

#include "core/program_private.h"

/** Why a nonlinear loop has no solution to go on with, or a structure divides by zero. */
typedef struct sb_trouble {
  enum {
    SB_TROUBLE_NOT,
    SB_TROUBLE_NONE,
    SB_TROUBLE_SEVERAL,
    SB_TROUBLE_OPEN,
    SB_TROUBLE_DIVISOR // which is at[0]
  } kind;
  int loop, part;
  double t;
  int count;    // solutions
  int output;   // what of the part tells them apart: 0: its input, else the value output - 1
  double at[3]; // that of the solutions; or the part's input, its output and what its law gives
} sb_trouble;

/** What is known of a law in a loop. */
typedef struct sb_seen {
  double to;    // looked at up to |input|
  double falls; // smallest |input| at which it falls; HUGE_VAL: none
  double steep; // how steeply it falls at the most
} sb_seen;

typedef struct sb_groups sb_groups;

/** Searches for further solutions of a loop (searches.c). */
typedef struct sb_searched {
  long solved;          // solutions so far
  long last;            // of them, at the last search
  long searches, spent; // how many there were, and evaluations that they took
  bool lost;            // the last solution led nowhere, or there were others
} sb_searched;

struct sb_workspace {
  const sb_model *model;
  const sb_program *program; // the model's, or `own`
  sb_program *own;           // for other than the initial modes
  int generation;            // of the program: what was made from an older one is stale
  double *values;            // (program->value_count)
  int value_capacity;
  const double **wires; // (2 wire_count) into values, then into their rates
  double *memo;         // (memo_count)
  int *modes;           // (mode_count)
  double *inputs;       // (input_count)
  double *cells;        // (2 cells) efforts and flows, by sb_trace
  const double *traced; // state that `cells` belong to, NULL: not known
  long traced_at;       // rhs_count of then
  double inside;        // [s] within the present smooth piece of the sources
  int failed;           // part that failed in the last right-hand side, -1
  sb_trouble trouble;   // of a loop, in the last right-hand side
  sb_seen *seen;        // (program->loop_hook_count)
  int seen_capacity;
  sb_searched *searched; // (program->loop_count)
  double *met;           // (2 (program->loop_input_count + loop_output_count)) of each loop in turn
  int searched_capacity, met_capacity;
  long rhs_count;
  sb_groups *groups; // of constraints (constraints.c), NULL: not needed yet
};

void sb_groups_destroy(sb_groups *groups); // NULL is accepted

/** What the hooks of a part see. Rates are there only where there are ties. */
static inline sb_at sb_at_part(const sb_workspace *work, const sb_part *part, double t,
                               const double x[]) {
  const sb_model *model = work->model;
  bool rates = work->program->causality.constraint_count > 0;
  return (sb_at){.t = t,
                 .inside = work->inside,
                 .x = x + part->state,
                 .in = work->values + part->in,
                 .signals = work->wires + part->wire,
                 .in_rate = rates ? work->values + sb_rate_value(model, part->in) : NULL,
                 .signal_rates = rates ? work->wires + model->wire_count + part->wire : NULL,
                 .own = work->values + part->signal,
                 .memo = work->memo + part->memo,
                 .mode = part->mode < 0 ? 0 : work->modes[part->mode],
                 .dim = part->layout.port_count > 0 ? part->layout.ports[0].dim : 0,
                 .given = work->program->causality.given[part - model->parts],
                 .input = work->inputs + part->input};
}

/** The program's hooks, as run by its ops. */
int sb_run_rows(const sb_model *, sb_workspace *, const sb_op *, double, const double[], double[]);
int sb_run_output(const sb_model *, sb_workspace *, const sb_op *, double, const double[],
                  double[]);
int sb_run_value(const sb_model *, sb_workspace *, const sb_op *, double, const double[], double[]);
int sb_run_law(const sb_model *, sb_workspace *, const sb_op *, double, const double[], double[]);
int sb_run_forward(const sb_model *, sb_workspace *, const sb_op *, double, const double[],
                   double[]);
int sb_run_adjoint(const sb_model *, sb_workspace *, const sb_op *, double, const double[],
                   double[]);
int sb_run_loop(const sb_model *, sb_workspace *, const sb_op *, double, const double[], double[]);
int sb_run_rate(const sb_model *, sb_workspace *, const sb_op *, double, const double[], double[]);
int sb_run_signal(const sb_model *, sb_workspace *, const sb_op *, double, const double[],
                  double[]);
int sb_run_signal_rate(const sb_model *, sb_workspace *, const sb_op *, double, const double[],
                       double[]);
int sb_run_output_dot(const sb_model *, sb_workspace *, const sb_op *, double, const double[],
                      double[]);
int sb_run_value_dot(const sb_model *, sb_workspace *, const sb_op *, double, const double[],
                     double[]);
int sb_run_forward_dot(const sb_model *, sb_workspace *, const sb_op *, double, const double[],
                       double[]);
int sb_run_adjoint_dot(const sb_model *, sb_workspace *, const sb_op *, double, const double[],
                       double[]);
int sb_run_signal_dot(const sb_model *, sb_workspace *, const sb_op *, double, const double[],
                      double[]);
/** Of a loop: the force of a tie, by which what the hook reads, the rate of the tie, is zero. */
int sb_run_tie(const sb_model *, sb_workspace *, const sb_op *, double, const double[], double[]);

/** The right-hand side with the powers apart from the rates, or without them.
 *  @param power (integral_count) out, [W]; NULL: not wanted  @return as sb_model_rhs */
int sb_model_rates(const sb_model *model, sb_workspace *work, double t, const double x[],
                   double xdot[], double power[]);

/** Moves x onto the constraints of the program (constraints.c), after a right-hand side at (t, x); the
 *  integrals in x take what sources give at it.
 *  @param tie  out: the constraint that was most off, -1 if all held to rounding */
sb_status sb_workspace_project(sb_workspace *work, double t, double x[], int *tie);

/** Keeps ties from drifting, after a right-hand side at (t, x): puts dependent states where the others
 *  and the sources have them, on which nothing else depends, and projects those of ties that were
 *  solved for by their rates.
 *  @param integrals  those of the ledger, as above  @return SB_ERR_MEMORY */
sb_status sb_workspace_follow(sb_workspace *work, double t, double x[], double integrals[]);

/** What a structure divides by, HUGE_VAL: by nothing (limits.c). */
double sb_divisor(const sb_workspace *work, int part, double t, const double x[]);
/** Words that it has become zero, or is not finite, as SB_ERR_NOT_FINITE. */
sb_status sb_divisor_word(const sb_workspace *work, int part, double divisor, double t,
                          sb_error *err);
/** Words the trouble of a loop, as SB_ERR_UNSOLVED (troubles.c), or of a divisor. */
sb_status sb_trouble_word(const sb_workspace *work, const sb_trouble *trouble, sb_error *err);

/** Takes a program for the present modes; the old values are kept as far as they have a meaning. */
sb_status sb_workspace_recompile(sb_workspace *work, sb_errors *errors);

/** Efforts and flows of all cells after a right-hand side at the same (t, x), row by row as
 *  causality determined them, without the folding that the right-hand side uses. */
void sb_trace(sb_workspace *work, const double x[]);
/** For every cell variable the sum of the absolute values of what it was computed from, down to
 *  states and values: its rounding is a part of that, not of the variable itself.
 *  @param size (2 cells) out */
void sb_trace_sizes(const sb_workspace *work, const double x[], double size[]);

/** Energy of a part [J] after a right-hand side at the same (t, x); 0 for what stores nothing. */
double sb_part_energy(const sb_workspace *work, int part, double t, const double x[]);

#endif
