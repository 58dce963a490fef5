// SPDX-License-Identifier: GPL-3.0-or-later
// Expressions over named variables: text is compiled once into a flat list of nodes, which is then
// evaluated without any memory of its own, with exact first derivatives by dual numbers
// (Wengert, "A simple automatic derivative evaluation program", CACM 7, 1964).
//
//   a < b, <=, >, >=, ==, !=     1 or 0; not in chains
//   a + b, a - b                 from left to right
//   a * b, a / b                 from left to right
//   -a, +a
//   a ^ b                        from right to left, before the minus in front: -2^2 = -4
//   name, name[index], f(a, b), (a), number, number[unit], (a)[unit], f(a)[unit]
//
// Functions: see sb_functions; constants: pi, e. Numbers are all finite and in SI.
//
// At a kink the derivative is that of the branch taken: min and max at equality take the first
// argument, abs(0) has the derivative 0; sign, floor, ceil and comparisons have the derivative 0;
// mod(a, b) = a - b floor(a/b), with the sign of b. sqrt(0) has an infinite derivative.
#ifndef SB_CORE_EXPRESSION_H
#define SB_CORE_EXPRESSION_H

#include <stddef.h>

#include "core/base/error.h"

/** What an expression may be. Beyond it: SB_ERR_TOO_LARGE. */
enum {
  SB_EXPRESSION_LENGTH_MAX = 4096, // bytes of the text
  SB_EXPRESSION_DEPTH_MAX = 64,    // brackets, signs and powers inside each other
  SB_EXPRESSION_NODES_MAX = 512,   // numbers, names, operators and functions
  SB_EXPRESSION_VARIABLES_MAX = 16
};

/** How a function treats units, for those who check them. */
typedef enum sb_homogeneity {
  SB_UNIT_NONE,      // pure numbers give a pure number
  SB_UNIT_SAME,      // arguments of one unit give that unit
  SB_UNIT_COMPARE,   // arguments of one unit give a pure number
  SB_UNIT_SIGN,      // any unit gives a pure number
  SB_UNIT_PRODUCT,   // a b
  SB_UNIT_QUOTIENT,  // a / b
  SB_UNIT_POWER,     // a ^ b
  SB_UNIT_ROOT,      // the square root
  SB_UNIT_CONDITION, // a pure number, then two of one unit that is the result's
} sb_homogeneity;

/** Where a function has kinks or jumps. */
typedef enum sb_kink {
  SB_KINK_NONE,
  SB_KINK_ZERO,    // where a crosses zero
  SB_KINK_EQUAL,   // where a crosses b
  SB_KINK_WHOLE,   // where a crosses whole numbers
  SB_KINK_MULTIPLE // where a crosses multiples of b
} sb_kink;

/** An operator or function of up to three arguments. */
typedef struct sb_function {
  const char *name; // NULL ends the list
  int arity;
  sb_homogeneity unit;
  /** The value at a, on the branch that holds at c: the same, or a place in a smooth piece. */
  double (*value)(const double a[], const double c[]);
  /** Partial derivatives; `value` is that at a. */
  void (*slope)(const double a[], const double c[], double value, double partial[]);
  const char *help;
  sb_kink kink;
  /** Second partial derivatives aa, ab, bb; NULL: all zero on every branch. */
  void (*second)(const double a[], double value, double partial[3]);
  const struct sb_beside_one *beside_one; // NULL: no 1 beside it cancels
} sb_function;

SB_API const sb_function sb_functions[]; // those written f(a)

/** A node; its arguments stand before it. Of the text it knows places only: the node and its
 *  arguments come from the bytes [start, end), `at` is the operator or name itself. */
typedef struct sb_node {
  const sb_function *function; // NULL: a number or a variable
  int arguments[3];            // (function->arity) nodes
  int variable;                // slot; -1: none
  double number;               // SI
  int tag;                     // of a number: as the callbacks gave it; 0: a bare number
  int order;                   // 0: constant, 1: piecewise linear in the arguments, 2: else
  int branch;         // 1 + its number where its branches are held; SB_BRANCH_OWN; 0: it has none
  bool follows;       // of `if`: its condition has branches that are held, which decide
  bool rests;         // at its kink it has a branch of its own
  bool vanishes;      // on some branches it is zero, or compares the same, but for rounding
  bool beside_one;    // a 1 in it cancels
  int start, end, at; // [bytes]
} sb_node;

typedef struct sb_expression sb_expression;

enum { SB_BRANCH_OWN = -1 };
/** The branches of all expressions of a model that are held between events, so that every expression is smooth
 *  there. Each array is (branches) long. A branch is the sign of what decides, or the whole number below it. */
typedef struct sb_branches {
  double *held; // NAN: free, by the present arguments
  double *
      band; // how far beyond its kink a branch goes on: rounding of what decides, where nothing jumps
  // What an evaluation notes, if it is to: how far the arguments are inside their branch, and which they are in
  double *gap, *now;
  bool *
      ended; // they are exactly at the end of a branch to which the end does not belong, as o = 0 to that of o > 0
  bool notes;
  // And, if it is to measure: how far what decides is from its kink, with its sign, and the sum of the absolute values of its terms,
  // by which it is known to rounding
  double *off, *terms;
  bool measures;
} sb_branches;

/** The names of an expression. Callbacks may be NULL. */
typedef struct sb_vocabulary {
  const char *const *variables; // (variable_count) their places are the slots
  int variable_count;
  int signal_count; // the last of them are signals: how they move is not known
  /** The value of a name that is no variable, in SI, with a tag of the caller's; false: unknown.
   *  It is asked before pi and e. */
  bool (*constant)(void *context, const char *name, size_t length, double *number, int *tag);
  /** The number in SI of a literal with a unit, and its tag. A fault is placed in err->column in
   *  characters of `unit` from 1. NULL: there are no units. */
  sb_status (*unit)(void *context, const char *unit, size_t length, double *number, int *tag,
                    sb_error *err);
  /** The slot of a name with indices behind it, as v[k-1], of `length` bytes together; below zero:
   *  there is none. NULL: names have no index. */
  int (*indexed)(void *context, const char *name, size_t length);
  void *context;
} sb_vocabulary;

/** Compiles a text of `length` bytes. Faults leave err->column counting its characters from 1.
 *  @return SB_ERR_NUMBER for a fault of the syntax, SB_ERR_REFERENCE for an unknown name,
 *          SB_ERR_TOO_LARGE beyond a limit, SB_ERR_MEMORY, what the callbacks return */
SB_API sb_status sb_expression_compile(const char *text, size_t length,
                                       const sb_vocabulary *vocabulary, sb_expression **result,
                                       sb_error *err);
SB_API sb_status sb_expression_copy(const sb_expression *expression, sb_expression **copy,
                                    sb_error *err);
SB_API void sb_expression_destroy(sb_expression *expression); // NULL is accepted

/** The nodes in the order of evaluation; the last is the result. */
SB_API const sb_node *sb_expression_nodes(const sb_expression *expression, int *count);
/** Whether the variable occurs. */
SB_API bool sb_expression_uses(const sb_expression *expression, int slot);
/** Whether it is a sum of multiples of its variables.  @param held  one that counts as a number; -1: none */
SB_API bool sb_expression_is_linear(const sb_expression *expression, int held);
/** Whether it may have a peak that is narrow beside what it does on both sides of it. */
SB_API bool sb_expression_may_peak(const sb_expression *expression);
/** Whether a variable enters by its sign alone, as the argument of sign or compared with zero: between its jumps at
 *  zero the value does not depend on it. */
SB_API bool sb_expression_by_sign(const sb_expression *expression, int slot);
/** Replaces constant subexpressions by their values: faster, and without a trace of their tags. */
SB_API void sb_expression_fold(sb_expression *expression);
/** Puts max(0, e) in the place of an expression e of something; NULL stays.
 *  @return SB_ERR_TOO_LARGE, SB_ERR_MEMORY */
SB_API sb_status sb_expression_clamp(sb_expression **expression, sb_error *err);
/** Takes the constant terms out of a sum, x^2 of 3 + x^2 - 1. @return what they add up to */
SB_API double sb_expression_take_constant(sb_expression *expression);
/** The value of a node if it is constant, and of all nodes before it that it needs. */
SB_API double sb_expression_constant(const sb_expression *expression, int node);

/** The value; not finite where a function is not defined or too large.
 *  @param variables  (variable_count) by slot, in SI */
SB_API double sb_expression_value(const sb_expression *expression, const double variables[]);

/** The sum of the absolute values of the terms of the value, by the condition number of every operation:
 *  the value is known to the rounding of it. 600 at x = 0 for 150*(exp(x) - 2).
 *  @param inside, branches  as of sb_expression_at() */
SB_API double sb_expression_terms(const sb_expression *expression, const double variables[],
                                  const double inside[], const sb_branches *branches);

typedef struct sb_dual {
  double value, slope;
} sb_dual;
/** The value and its derivative with respect to one variable, in one pass. */
SB_API sb_dual sb_expression_dual(const sb_expression *expression, const double variables[],
                                  int slot);
/** The same on given branches (min, abs, if, floor, ...): where they are held, as they are held; where they can
 *  be foreseen, and where an element claimed them, those at `inside`, a place in the present smooth piece;
 *  others as they are now.
 *  @param inside  NULL: the variables  @param branches  NULL: none are held */
SB_API sb_dual sb_expression_at(const sb_expression *expression, const double variables[],
                                const double inside[], const sb_branches *branches, int slot);
/** Numbers the branches to be held, from `first` on.
 *  @param foreseen  without those that can be foreseen, as its first variable is the time
 *  @param energy    what is read is the derivative: that of abs(x) is zero at x = 0, where a state may rest
 *  @return how many */
SB_API int sb_expression_number(sb_expression *expression, int first, bool foreseen, bool energy);
/** Claims the branches that differ between two places for an element, which decides on them. */
SB_API void sb_expression_claim(sb_expression *expression, const double a[], const double b[]);
/** The same with all branches that hold at `beside`, such as a place close to a jump. */
SB_API sb_dual sb_expression_beside(const sb_expression *expression, const double variables[],
                                    const double beside[], int slot);
/** The second derivative with respect to two variables (or twice to one), in one pass.
 *  @param branches  as of sb_expression_at() */
SB_API double sb_expression_second(const sb_expression *expression, const double variables[],
                                   const sb_branches *branches, int slot, int other);
/** A step in time is no shorter than as many roundings: ARKODE takes the end of one that is within 100 for reached. */
#define SB_STEP_ROUNDINGS 128
/** Where what is behind x begins: a step could not resolve what is between the two, and kinks there are passed with x. */
SB_API double sb_expression_behind(double x);
/** Where an expression of one variable, and of signals, has its next kink or jump behind x (sb_expression_behind()); HUGE_VAL:
 *  none. Found are those of arguments that are piecewise linear in the variable alone: min(t/a, 1), if(mod(t, a) < b, 1, 0). */
SB_API double sb_expression_next_kink(const sb_expression *expression, double x);
/** Where comparisons and signs turn as one variable goes from -1e12 to 1e12, all others zero, and do not turn back within an eighth of a decade.
 *  @param places  out: (nodes), to the rounding of their arguments  @return how many */
SB_API int sb_expression_turns(const sb_expression *expression, int slot, double places[]);
/** Whether it has kinks or jumps that are found so. */
SB_API bool sb_expression_has_kinks(const sb_expression *expression);
/** Those of its branches that are held, though they can be foreseen: of an expression in which others stand in for signals. They are those
 *  at x, a place between two kinks, and hold until the next kink, however rounding turns what decides there. */
SB_API void sb_expression_hold(const sb_expression *expression, double x, sb_branches *branches);
/** The shortest period of its sines, cosines and tangents of linear arguments; HUGE_VAL: none. */
SB_API double sb_expression_period(const sb_expression *expression);
/** The arguments of its sines, cosines and tangents that are not linear in the variables other than signals [rad].
 *  @param angle  out; NULL: they are only counted  @return how many */
SB_API int sb_expression_angles(const sb_expression *expression, const double variables[],
                                double angle[]);
/** The shortest distance between kinks or jumps at whole numbers or multiples (floor, mod) of linear arguments; HUGE_VAL: none. */
SB_API double sb_expression_interval(const sb_expression *expression);

#endif
