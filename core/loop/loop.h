// SPDX-License-Identifier: GPL-3.0-or-later
// Algebraic loops of a program, y = hooks(b + A y).
#ifndef SB_CORE_LOOP_H
#define SB_CORE_LOOP_H

#include "core/program/workspace.h"

/** Solves a loop and leaves its outputs, and the inputs of its hooks, among the values: a function of
 *  (t, x) and of the accepted solution. Within a step (work->loops.continues) only the solution that
 *  continues the accepted one counts; else, where Newton's method fails, any that is the only one.
 *  @return 0; else it has no solution to go on with: work->failure says why */
int sb_loop_run(sb_workspace *work, int loop, double t, const double x[]);

/** Accepts the solutions of the last evaluation, from which the next ones start. */
void sb_loop_accept(sb_workspace *work);

/** By how much the condition of a contact is missed whose multiplier is a value, as the last evaluation left it: others contradict it. */
double sb_loop_left(const sb_workspace *work, int multiplier);

/** Whether the solution of every loop, as the last evaluation left it at the same (t, x), is the only one
 *  as far as a search can tell (multiplicity.c). false: work->failure names others, or that the values
 *  are undetermined */
bool sb_loop_single(sb_workspace *work, double t, const double x[]);

/** Adds what the outputs of loops of laws alone are known to the rounding of, as the last evaluation left them at the same (t, x):
 *  |J^-1| times what residuals are (laws.c). @param size  (values) */
void sb_loop_sizes(sb_workspace *work, double t, const double x[], double size[]);

/** Words why a loop has no solution, as SB_ERR_UNSOLVED, or that a structure divides by zero
 *  (failure.c). */
sb_status sb_loop_failure_word(const sb_workspace *work, const sb_loop_failure *failure,
                               sb_error *err);
/** Words that a divisor is zero, or too small beside the largest that it has been, or not finite, as SB_ERR_NOT_FINITE. */
sb_status sb_divisor_word(const sb_workspace *work, int instance, double divisor, double largest,
                          double t, sb_error *err);

#endif
