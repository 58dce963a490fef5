// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef SB_CORE_ANALYSIS_STRUCTURE_MATRIX_PRIVATE_H
#define SB_CORE_ANALYSIS_STRUCTURE_MATRIX_PRIVATE_H

#include "core/analysis/matrix_text_private.h"
#include "core/model/model.h"
#include "core/model/model_data.h"
#include "core/network/equations.h"

/** The equations of the constant structures and shared ports alone, in the modes at the start.
 *  @param zero  (bond variables) 1: left out of them  @return SB_ERR_MEMORY */
sb_status sb_constant_equations(const sb_model *model, const char zero[], sb_equations *eq);

/** Writes down what each element is given by what all give, through the constant structures, in the
 *  modes at the start, and whether that is skew-symmetric.
 *  @param most  numbers at ports, at the most  @param memory  scratch
 *  @return SB_ERR_LIMIT, SB_ERR_MEMORY; SB_ERR_SINGULAR where the structure leaves it undetermined */
sb_status sb_structure_matrix_write(const sb_model *model, int most, sb_matrix_text *text,
                                    sb_arena *memory, sb_error *err);

#endif
