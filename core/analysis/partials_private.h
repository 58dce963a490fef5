// SPDX-License-Identifier: GPL-3.0-or-later
// Elements with hooks as linear equations about an operating point, each by itself.
#ifndef SB_CORE_ANALYSIS_PARTIALS_PRIVATE_H
#define SB_CORE_ANALYSIS_PARTIALS_PRIVATE_H

#include "core/analysis/linear_rows_private.h"

/** Appends the rows of all elements with hooks: what each of their operations computes, by what it reads; and those of
 *  the outputs.
 *  @return SB_ERR_NOT_FINITE, with its place; SB_ERR_MEMORY */
sb_status sb_linear_rows_hooks(sb_linear_rows *rows, sb_error *err);

#endif
