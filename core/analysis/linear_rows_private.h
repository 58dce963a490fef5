// SPDX-License-Identifier: GPL-3.0-or-later
// The equations of a model about an operating point as sparse linear rows.
#ifndef SB_CORE_ANALYSIS_LINEAR_ROWS_PRIVATE_H
#define SB_CORE_ANALYSIS_LINEAR_ROWS_PRIVATE_H

#include "core/analysis/manifold_private.h"
#include "core/analysis/operating_point_private.h"
#include "core/network/equations.h"

/** The equations of a model about an operating point. The variables are those of the network, and behind
 *  them the rates of the states, the inputs and the outputs. */
typedef struct sb_linear_rows {
  sb_operating_point *p;
  sb_equations eq;
  int rates, inputs, outputs, vars; // the first of each, and all
  const int *input_of;              // (components of all instances) number of the input, from 1
  bool affine; // what hooks make of what they see is, and its derivatives are exact
} sb_linear_rows;

/** Those of the network, of what connects it and of the manifold. Elements with hooks: partials_private.h.
 *  @param rows  p, places and inputs are given; rows->eq is the caller's to finish  @return false: out of memory */
bool sb_linear_rows_build(sb_linear_rows *rows, const sb_manifold *manifold);
/** Scales rows and variables by powers of two.
 *  @param scale  (rows->vars) out: a variable over what stands for it  @return false: out of memory */
bool sb_linear_rows_equilibrate(sb_linear_rows *rows, double scale[], sb_arena *memory);

#endif
