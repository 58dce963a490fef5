// SPDX-License-Identifier: GPL-3.0-or-later
// Elements with hooks as linear equations about an operating point, each by itself.
#ifndef SB_CORE_ANALYSIS_PARTIALS_PRIVATE_H
#define SB_CORE_ANALYSIS_PARTIALS_PRIVATE_H

#include "core/analysis/operating_point_private.h"
#include "core/network/equations.h"

/** The equations of a model about an operating point. The variables are those of the network, and behind
 *  them the rates of the states, the inputs and the outputs. */
typedef struct sb_linear_rows {
  sb_operating_point *p;
  sb_equations eq;
  int rates, inputs, outputs, vars; // the first of each, and all
  const int *input_of;              // (components of all instances) number of the input, from 1
} sb_linear_rows;

/** Appends the rows of an instance with hooks: what each of its operations computes, by what it reads.
 *  @param first_component  of the instance among those of all
 *  @return SB_ERR_NOT_FINITE, with its place; SB_ERR_MEMORY */
sb_status sb_linear_rows_hooks(sb_linear_rows *rows, int instance, int first_component,
                               sb_error *err);
/** Appends the rows of an output. @param first  its first number among the outputs */
sb_status sb_linear_rows_output(sb_linear_rows *rows, const sb_quantity *output, int first,
                                sb_error *err);

#endif
