// SPDX-License-Identifier: GPL-3.0-or-later
// An algebraic loop while it is solved.
#ifndef SB_CORE_NEWTON_PRIVATE_H
#define SB_CORE_NEWTON_PRIVATE_H

#include <assert.h>

#include "core/program/workspace.h"

typedef struct sb_newton {
  sb_workspace *work;
  const sb_loop *loop;
  int index;                          // of the loop
  const sb_loop_hook *hooks;          // (loop->count)
  const int *inputs, *outputs;        // values; input -1 - value: an output itself
  const sb_loop_row *rows;            // (inputs) of A
  const sb_loop_term *terms;          // in these
  const double *b;                    // (inputs)
  double *matrix, *lu;                // (m x m) the Jacobian, and its factors; twice that
  int *columns;                       // (m x m + m + 1) see sb_newton_chain
  const double *reference, *strength; // (m) see sb_loop_memory
  bool linear;                        // the slopes of all hooks are the same everywhere
  double *chords; // (inputs) these stand in for the slopes of laws; NULL: slopes
  const double *
      tangents; // (inputs) above zero: slopes of laws at what they give, by which these are inverted; NULL: at their inputs
  int m;
  double t;
  const double *x;
  double *room; // of the workspace: from here on it is free
  const double *end;
} sb_newton;

/** Takes `count` numbers of the room. Who takes some does so of a copy of the loop, which it hands on: they are free again
 *  when it returns. */
static inline double *sb_newton_take(sb_newton *own, int count) {
  double *numbers = own->room;
  own->room += count;
  assert(own->room <= own->end);
  return numbers;
}
/** m numbers. */
static inline double *sb_newton_vector(sb_newton *own) {
  return sb_newton_take(own, own->m);
}

/** A loop at some y: what residuals and steps are judged by, and the Jacobian in factors. */
typedef struct sb_newton_point {
  double *u, *terms;    // (inputs), and sizes of what they sum up
  double *r, *size;     // (m), as all that follow
  double *noise;        // what the outputs of a hook inherit from its inputs' rounding
  double *matter;       // a change of an output that would matter to an input that it feeds
  double *row, *column; // scales
  int pivots[SB_LOOP_MAX];
  bool shared; // conditions state one thing twice: their unknowns share what they do together
} sb_newton_point;

/** The hooks of a linear loop but those of conditions, in the order in which they can be run, and the entries of the Jacobian that are not zero. */
typedef struct sb_newton_chain {
  int *order, ordered,
      count;       // each behind those that it reads; from `ordered` on those that feed each other
  double *entries; // row by row: those of row k are entries[first[k]] and on, up to first[k + 1]
  int *columns, *first; // first (m + 1)
} sb_newton_chain;

/** Residuals below this fraction of what they are the difference of are rounding. */
static const double sb_newton_rounding = 4e-15;
/** Residuals below this fraction that fall no further are rounding of hooks that lose more. */
static const double sb_newton_solved = 1e-11;

// The loop at some y (residual.c).

/** In the room of a loop. Its noise is zero. */
sb_newton_point sb_newton_point_take(sb_newton *own);
/** The loop as the program has it; its b are those of the last evaluation. */
sb_newton sb_newton_begin(sb_workspace *work, int index, double t, const double x[]);
/** Leaves the inputs of all hooks, and all outputs, as they are at y. */
void sb_newton_leave(const sb_newton *n, const double y[]);

/** An input of a hook, b + A y. @param terms  out: the sum of the absolute values of its terms */
double sb_newton_input(const sb_newton *n, int input, const double y[], double *terms);
/** Leaves u at the inputs of a hook among the values. */
void sb_newton_feed(const sb_newton *n, const sb_loop_hook *hook, const double u[]);
/** Runs a hook at its inputs u; its outputs are left among the values. */
int sb_newton_run(const sb_newton *n, const sb_loop_hook *hook, const double u[]);
/** Whether a hook gives no output y = hook(u) but a condition, 0 = u, for it: the multiplier. */
bool sb_newton_is_condition(const sb_loop_hook *hook);
/** Whether a hook is one of a rigid contact. */
bool sb_newton_is_of_contact(const sb_newton *n, const sb_loop_hook *hook);
/** Whether any does: there are multipliers to be found. */
bool sb_newton_has_conditions(const sb_newton *n);
/** What a hook gives at y, left in y at the places of its outputs.
 *  @return whether that is finite */
bool sb_newton_hook(const sb_newton *n, int hook, double y[]);
/** r = y - hooks(b + A y), and for a condition r = u. Outputs that feed nothing are set to what their hooks
 *  give, as the entropy of a resistor that heats.
 *  @param p  out: u, terms, r, size  @return 0; else some hook gives no finite number */
int sb_newton_at(const sb_newton *n, double y[], sb_newton_point *p);
/** The same. @param size  out: the sum of the absolute values of what each residual is the difference of */
int sb_newton_residual(const sb_newton *n, double y[], double r[], double size[]);

// Its Jacobian (jacobian.c) by the slopes of the hooks (slopes.c), and its factors (factors.c).

/** J = I - S A, with S the slopes of the hooks. */
void sb_newton_fill(const sb_newton *n, sb_newton_point *p);
/** Slopes of a hook's outputs over one of its inputs; by central differences where they are not known. Where the slope
 *  of a law is infinite, the difference is taken over the input's terms.
 *  @param u  (inputs)  @param terms  sum of their absolute values  @param s  (outputs of the hook) out */
void sb_newton_slopes(const sb_newton *n, const sb_loop_hook *hook, double u[], int input,
                      double terms, double s[]);
/** Adds what the rounding of hooks is a fraction of beside what they give and read, as they were run last: accelerations of their terms, a
 *  measured number of its vector. @param size  (m) */
void sb_newton_add_terms(const sb_newton *n, double size[]);
/** Factors J. Constraints that state one thing twice make it singular in their multipliers, which are then shared.
 *  @param regular  out: NULL: not wanted  @return whether anything can be solved with it */
bool sb_newton_factor(const sb_newton *n, sb_newton_point *p, bool *regular);
/** d = J^-1 r at y; of shared multipliers such that those of y - d have the least norm. It adds to the noise. */
void sb_newton_correct(const sb_newton *n, sb_newton_point *p, const double y[], const double r[],
                       double d[]);
/** The sign of det J by its factors. */
int sb_newton_orientation(const sb_newton *n, const sb_newton_point *p);
/** Whether a loop of one output is so steep at y that its input has no digits left. */
bool sb_newton_steep(const sb_newton *n, const double y[]);
/** Whether the Jacobian is nearly singular at y, as where two solutions meet and end. */
bool sb_newton_fold(const sb_newton *n, const double y[]);
/** Whether the Jacobian is regular at y. @param shared  out: whether constraints are redundant, so that
 *  their multipliers share what they do together */
bool sb_newton_regular(const sb_newton *n, const double y[], bool *shared);

/** Whether a loop is one of constraints with algebraic variables, in which all is linear (affine.c). */
bool sb_newton_affine(const sb_newton *n);
/** Whether some of them are differences of large terms: algebraic variables, forces of rigid contacts. */
bool sb_newton_cancels(const sb_newton *n);
/** What the structures of a linear loop give is what they gave at the point p, y: of a force through a ratio of zero nothing is left, while
 *  what solves the loop leaves it the rounding of others. Rates stay, which may be small differences of large forces. */
void sb_newton_give(const sb_newton *n, sb_newton_point *p, double y[]);
/** Solves such a loop, from anywhere, as sb_newton_solve(). */
bool sb_newton_solve_affine(const sb_newton *n, double y[]);

/** What redundant constraints leave open of the scaled unknowns z shared evenly by the bonds (evenly.c).
 *  @param null  (open x m) what may be added to z, orthonormal */
void sb_newton_share_evenly(const sb_newton *n, const sb_newton_point *p, const double null[],
                            int open, double z[]);

// A linear loop from its multipliers on (chain.c).

void sb_newton_put_in_order(const sb_newton *n, sb_newton_chain *c);
/** The entries of its Jacobian. @param u, terms  (inputs) as sb_newton_point has them */
void sb_newton_fill_chain(const sb_newton *n, double u[], const double terms[], sb_newton_chain *c);
/** Solves J d = -r for all outputs; of multipliers that are not determined those that differ least from a reference.
 *  @param next_to  (m) NULL: none, the least  @param d  (m) out; not finite where there is none  @return whether some are not determined */
bool sb_newton_solve_chain(const sb_newton *n, const sb_newton_chain *c, const double r[],
                           const double next_to[], bool yields, double d[]);

// Multipliers of constraints that may be redundant (shared.c).

/** What others leave of the row of a multiplier below this fraction, as slopes by differences tell it, is implied by them. */
#define SB_NEWTON_IMPLIED 1e-8
/** S l = h; where that leaves some l open, those next to the reference.
 *  @param S  (count x count) used up  @param vector, contact  (count) of which one each is; -1: of none
 *  @param reference, strength  (count) used up; NAN: none  @param h  (count) out: l  @param scale, room  (count) scratch
 *  @param kept  (count x (count + 1)) scratch  @return whether it does */
bool sb_newton_share(double S[], int count, const int vector[], const double contact[],
                     double reference[], double strength[], double h[], double scale[],
                     double room[], double kept[]);

/** What multipliers contradict of S l = h, taken as by feet that yield.
 *  @param h  (count) in: what is left; out: what is to be added to l  @param room  (3 count) scratch  @param null  (count x count) scratch */
void sb_newton_yield(double S[], int count, const int vector[], const double contact[], double h[],
                     double scale[], double room[], double null[]);

// Forces of rigid contacts (contacts.c).

/** Whether these are what a linear loop solves for, and nothing but multipliers is. */
bool sb_newton_of_contacts(const sb_newton *n);
/** Solves such a loop. @param y  out: as before where it has no solution */
bool sb_newton_solve_contacts(const sb_newton *n, double y[]);

// Its solutions (newton.c, multiplicity.c), and why there is none (loop.c).

/** Newton's method from y. @param follow  whether only a solution that continues y counts
 *  @return false if it ends without one */
bool sb_newton_solve(const sb_newton *n, double y[], bool follow);
/** Whether every residual is at most this fraction of what it is the difference of. */
bool sb_newton_below(double fraction, const sb_newton_point *p, int m);
/** What residuals are compared by. @param weight  (m) out */
void sb_newton_weigh(const sb_newton *n, sb_newton_point *p, double weight[]);

// Loops of laws alone (laws.c).

/** The input of a law of one effort and one flow that reads nothing else of the loop, and whose other outputs nothing in it reads; -1: it is no such. */
int sb_newton_law_input(const sb_newton *n, const sb_loop_hook *hook);
/** Whether all hooks are laws of one effort and one flow: of two solutions some law falls between them. */
bool sb_newton_of_laws(const sb_newton *n);
/** Whether these are laws that rise everywhere: the loop has one solution at most. */
bool sb_newton_rises(const sb_newton *n);
/** Whether in such a loop some law falls from a to b, or has no value there. */
bool sb_newton_falls(const sb_newton *n, const double a[], const double b[]);
/** Newton's method from y by steps as long as the residual stays on its way straight to zero.
 *  @param p  out: the loop at y  @return whether it is solved */
bool sb_newton_go_straight(const sb_newton *n, double y[], sb_newton_point *p);

/** Whether the slope of a law in the loop is infinite at zero; by y. */
bool sb_newton_is_steep(const sb_newton *n, const double y[]);
/** Newton's method from y in which laws that are steep at zero are asked for their inputs (inverses.c). */
bool sb_newton_by_inverses(const sb_newton *n, double y[], sb_newton_point *p);

/** By linear problems in which each law has the chord to its present value, from y to where they change little; then as above. */
bool sb_newton_by_chords(const sb_newton *n, double y[], sb_newton_point *p);

/** The solution of a loop of one law and one number that comes back, by bisection between bounds that passivity gives (bracket.c).
 *  @param p  out: the loop there  @return false: it is no such loop, or has no value there */
bool sb_newton_bracket(const sb_newton *n, double y[], sb_newton_point *p);
/** Follows the solution from b = 0, where most laws have their origin, to the whole of b.
 *  @param y  out: as far as it exists  @return whether that is the whole */
bool sb_newton_follow(const sb_newton *n, double y[]);
/** Leaves a failure of the loop in the workspace. Returns false. */
bool sb_newton_fail(const sb_newton *n, sb_loop_failure failure);

/** The only solution there is, where Newton's method found none; false: work->failure says why.
 *  @param y  in: where to start; out: the solution, or as before */
bool sb_multiplicity_find(const sb_newton *n, double y[]);
/** Whether the solution y is the only one; false: work->failure names others. */
bool sb_multiplicity_single(const sb_newton *n, const double y[]);

#endif
