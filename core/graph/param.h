// SPDX-License-Identifier: GPL-3.0-or-later
// Parameter tables. An element kind lists its parameters as rows; from these rows work the reader,
// the range and unit checks, the help, and the setters of the C interface.
#ifndef SB_CORE_PARAM_H
#define SB_CORE_PARAM_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"
#include "core/expression/expression.h"

/** Stands for a unit: any that an expression comes out with. */
#define SB_UNIT_ANY "?"
/** Of signals: the unit of the input, that of the output, and the ratio of both. */
#define SB_UNIT_INPUT "@u"
#define SB_UNIT_OUTPUT "@y"
#define SB_UNIT_GAIN "@y/u"

/** A list of numbers owned by the element that it is a parameter of (a table, a matrix). */
typedef struct sb_list {
  double *values; // (count)
  int count;
} sb_list;

typedef enum sb_param_kind {
  SB_PARAM_REAL,       // double
  SB_PARAM_VECTOR,     // double[count]
  SB_PARAM_LIST,       // sb_list
  SB_PARAM_INT,        // int
  SB_PARAM_FLAG,       // bool, written yes or no
  SB_PARAM_CHOICE,     // int, the index of a word
  SB_PARAM_EXPRESSION, // sb_expression *, owned by the element; NULL: none
} sb_param_kind;

typedef enum sb_range {
  SB_ANY = 0,
  SB_POSITIVE,
  SB_NOT_NEGATIVE,
  SB_NONZERO,
  SB_INCREASING,   // a list, strictly
  SB_ONE_POSITIVE, // a list: a single number must be positive, a matrix is judged by its kind
  SB_ONE_NOT_NEGATIVE,
  SB_DIRECTION, // a vector of any length from 1e-100 to 1e100
} sb_range;

enum { SB_SIGNALS_MAX = 8 }; // of one element

/** What a variable of an expression is of the element itself. */
typedef enum sb_own { SB_OWN_NONE, SB_OWN_STATE, SB_OWN_EFFORT, SB_OWN_FLOW } sb_own;

/** A variable of an expression; its place in the list is its slot. */
typedef struct sb_argument {
  const char *name;   // NULL ends the list
  const char *unit;   // as those of parameters
  const char *result; // unit of an expression in which it occurs; NULL: the parameter's unit
  sb_own own;         // this state, or the effort or flow of this component of its ports
  int component;
} sb_argument;

typedef struct sb_param {
  const char *name;    // as in the netlist
  const char *aliases; // further names, separated by blanks, or NULL
  sb_param_kind kind;
  int count; // components of a vector
  size_t offset;
  /** SI unit ("N/m", NULL: a pure number), or, after '@', a formula over the unit symbols of the
   *  port's domain: e, f, q (= f s), p (= e s), with a port number from 1 behind where there are
   *  several: "@q/e", "@e2/f1". */
  const char *unit;
  sb_range range;
  const char *fallback;       // the default, as written in a netlist in SI; NULL: required
  const char *const *choices; // NULL-terminated words
  const char *help;
  const sb_argument *arguments; // of an expression: what it may depend on,
  bool signals;                 // and the signals of the element: u1, u2, ... behind the arguments
  bool held; // without signals: hooks take its branches from sb_at, held between events
  /** Of numbers: a row of its own, not of the table, for an expression given in their place. */
  const struct sb_param *formula;
} sb_param;

#define SB_PARAM_OF(type, field, kind_, ...)                                                       \
  { .name = #field, .kind = (kind_), .offset = offsetof(type, field), __VA_ARGS__ }

/** Finds the row with this name or alias; NULL if there is none. */
SB_API const sb_param *sb_param_find(const sb_param *table, const char *name);

/** Sets a parameter of `self` from SI numbers. A list is copied.
 *  @return SB_ERR_DIMENSION for a wrong number of components, SB_ERR_RANGE outside the range */
SB_API sb_status sb_param_set(const sb_param *param, void *self, const double values[], int count,
                              sb_error *err);

/** Whether numbers for an element can be calculated with, within 1e-100 to 1e100 in SI: squares of these, and their
 *  products with a third, are numbers of the computer, as an energy q^2/c or a resistance behind a lever n^2 r.
 *  What has no range, as a start, may be as near to zero as it likes.
 *  @return SB_OK or SB_ERR_RANGE */
SB_API sb_status sb_param_check_size(const sb_param *param, const double values[], int count,
                                     sb_error *err);

/** Whether a vector tells a direction: its largest component is from 1e-100 to 1e100. @return SB_OK or SB_ERR_RANGE */
SB_API sb_status sb_direction_check(const char *name, const double values[], int count,
                                    sb_error *err);

/** Sets a choice or a flag by its word. */
SB_API sb_status sb_param_choose(const sb_param *param, void *self, const char *word,
                                 sb_error *err);

/** Sets an expression from its text, with all numbers in SI; signals are named u1, u2, ... in the
 *  order in which they were connected. Faults leave err->column counting its
 *  characters from 1.
 *  @return SB_ERR_CHOICE if it takes none, and the faults of sb_expression_compile() */
SB_API sb_status sb_param_express(const sb_param *param, void *self, const char *text,
                                  sb_error *err);
/** The same with an expression already compiled, which is taken over. */
SB_API void sb_param_take(const sb_param *param, void *self, sb_expression *expression);

/** Sets all parameters to their defaults; those without one are left zero. @return false: out of memory */
SB_API bool sb_params_default(const sb_param *table, void *self);
/** Copies `size` bytes and gives the copy lists and expressions of its own.
 *  @return SB_ERR_MEMORY; the copy then has some of them, to be freed by sb_params_finish() */
SB_API sb_status sb_params_copy(const sb_param *table, const void *self, size_t size, void *copy,
                                sb_error *err);
SB_API void sb_params_finish(const sb_param *table, void *self);

#endif
