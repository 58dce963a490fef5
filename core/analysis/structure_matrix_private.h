// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef SB_CORE_STRUCTURE_MATRIX_PRIVATE_H
#define SB_CORE_STRUCTURE_MATRIX_PRIVATE_H

#include "core/analysis/matrix_text_private.h"
#include "core/model/model.h"
#include "core/model/model_data.h"

/** Writes down what each element is given by what all give, through the constant structures, in the
 *  modes at the start, and whether that is skew-symmetric.
 *  @param most  numbers at ports, at the most
 *  @return SB_ERR_LIMIT, SB_ERR_MEMORY; SB_ERR_SINGULAR where the structure leaves it open */
sb_status sb_structure_matrix_write(const sb_model *model, int most, sb_matrix_text *text,
                                    sb_error *err);

#endif
