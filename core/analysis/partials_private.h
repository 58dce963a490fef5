// SPDX-License-Identifier: GPL-3.0-or-later
// Elements with hooks as linear equations about an operating point, each by itself.
#ifndef SB_CORE_ANALYSIS_PARTIALS_PRIVATE_H
#define SB_CORE_ANALYSIS_PARTIALS_PRIVATE_H

#include "core/analysis/linear_rows_private.h"

/** Appends the rows of all elements with hooks: what each of their operations computes, by what it reads; and those of
 *  the outputs.
 *  @return SB_ERR_NOT_FINITE, with its place; SB_ERR_MEMORY */
sb_status sb_linear_rows_hooks(sb_linear_rows *rows, sb_error *err);

/** Whether all that hooks compute is affine in what they read, with coefficients that the time does not move: then the linear
 *  equations hold along the motion, too, and constraints may be differentiated in time.
 *  @return as above */
sb_status sb_hooks_judge(sb_operating_point *p, bool *affine, sb_error *err);

#endif
