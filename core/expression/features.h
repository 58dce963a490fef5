// SPDX-License-Identifier: GPL-3.0-or-later
// Features of an expression of the time that a step could pass unseen. The error control of an
// integrator sees an input where its stages sample it; a pulse between them is lost. Here the
// expression is known, and interval arithmetic bounds what it does over a whole span:
//
//   f departs from its chord over [t, t + h] by at most  d = h (max f' - min f')/4  and  max f - min f.
//
// A span is clear if d is small against the swing of f in the run, and the longest clear span from t is
// a bound of the step. Nothing in it has a unit: the swing is measured over the run, by bisection, and
// what is narrower than a fraction of the run is left out.
//
// An expression is taken apart into terms that the time alone moves: the summands, and the parts of a term that are small beside
// what it is at other times, or move it little, as each has a swing of its own: factors, what `if`, min and max choose between, and
// the arguments of all functions and comparisons. Sines and cosines of linear arguments that are factors or summands of a term count as
// constants: they move wherever they are looked at, and the error control sees them.
#ifndef SB_CORE_EXPRESSION_FEATURES_H
#define SB_CORE_EXPRESSION_FEATURES_H

#include <signal.h>

#include "core/expression/expression.h"

/** A span is clear if no more than this fraction of the swing departs from its chord, */
#define SB_FEATURE_BEND 0.25
/** or is all that the term moves: what a step passes over unseen is narrower than the step, some hundredth of a run, and so counts
 *  for 1e-6 of the swing. */
#define SB_FEATURE_FLAT 1e-4
/** Of the run, with the swing of the whole expression: what is narrower is left out, as its integral counts
 *  for nothing. */
#define SB_FEATURE_NARROWEST 1e-10
/** A swing below this fraction of the value is rounding. */
#define SB_SWING_ROUNDING 1e-12

/** The terms of one expression, with what was measured of them; written while a run lasts. */
typedef struct sb_features sb_features;

/** NULL in *result where no term can hide anything, and no comparison has the same on both sides.
 *  @param expression  borrowed  @param slot  the variable that is the time */
sb_status sb_features_create(const sb_expression *expression, int slot, sb_features **result,
                             sb_error *err);
/** The same with the other variables as they are said to be by sb_features_take(): of exp(x - z^2), of an x that moves otherwise, neither
 *  part has the pulse of both. NULL in *result where the two meet in sums and products alone. */
sb_status sb_features_create_beside(const sb_expression *expression, int slot, sb_features **result,
                                    sb_error *err);
/** @param variables  (variables of the expression) */
void sb_features_take(sb_features *features, const double variables[]);
void sb_features_destroy(sb_features *features); // NULL is accepted

/** Whether a comparison has the same on both sides, as u == u, so that it gives the same at all times. */
bool sb_features_compare_same(const sb_features *features);

/** What ends measurements and searches as soon as it is not 0, with what they have found by then. */
void sb_features_watch(sb_features *features, const volatile sig_atomic_t *stop);

/** Measures the terms over [from, to] of the variable.
 *  @return false: bounded effort did not do, as of something that turns more often than can be counted;
 *          what it does between the steps may then be missed */
bool sb_features_measure(sb_features *features, double from, double to);

/** Where a term has its largest absolute value in the span that was measured last, as far as it was looked at.
 *  @return false: there are no more terms */
bool sb_features_peak(const sb_features *features, int term, double *at);

/** The end of the longest span from `from`, at most to `to`, that is clear in all terms. No kink that
 *  sb_expression_next_kink() foresees is between the two.
 *  @param jump  in and out: lowered to the place right behind the end, if the span ends at a jump */
double sb_features_reach(sb_features *features, double from, double to, double *jump);

#endif
