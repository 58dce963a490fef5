// SPDX-License-Identifier: GPL-3.0-or-later
// Expressions with units, as values of attributes hold them, and where the names in them are looked
// up.
#ifndef SB_NETLIST_EXPRESSION_H
#define SB_NETLIST_EXPRESSION_H

#include "core/expression/expression.h"
#include "netlist/value/dimension.h"

enum { SB_VALUE_NAME_MAX = 200 }; // bytes of a name with its path

/** Where names of parameters are looked up. */
typedef struct sb_value_scope {
  /** false: no such name. The dimension is that of the value, `any` for a bare number.
   *  value NULL: asks only whether there is such a name, without a need of its value; with a dimension, whether the value being read
   *  may use it, which by itself it may not. The dimension is left as it is where it is not known yet. */
  bool (*lookup)(void *context, const char *name, size_t length, double *value,
                 sb_dimension *dimension);
  void *context;
  const char *domain; // by which the value has the unit that is expected, for messages; NULL: none
  /** The variable that a name with an index means: v[k-1] for v[2]; false: an error, reported.
   *  NULL: names have no index. */
  bool (*plain)(void *context, const char *name, size_t length, char out[SB_VALUE_NAME_MAX + 1]);
} sb_value_scope;

/** A variable that an expression may depend on; its place in the list is its slot. */
typedef struct sb_value_variable {
  const char *name;
  sb_dimension dimension;
  bool signal; // these come last
} sb_value_variable;

/** Compiles the bytes [start, end) of a text to an expression in SI, with the parameters as
 *  numbers, and checks the dimensions through it. Errors leave err->column counting characters of
 *  `text`.
 *  @param variables  (count) at most SB_EXPRESSION_VARIABLES_MAX
 *  @param dimension  out; `any` if a bare parameter or 0 leaves it open */
SB_API sb_status sb_value_compile(const char *text, size_t start, size_t end,
                                  const sb_value_scope *scope, const sb_value_variable variables[],
                                  int count, sb_expression **result, sb_dimension *dimension,
                                  sb_error *err);

#endif
