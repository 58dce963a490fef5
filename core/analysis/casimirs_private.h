// SPDX-License-Identifier: GPL-3.0-or-later
// Conserved quantities of a model's constant structure.
#ifndef SB_CORE_ANALYSIS_CASIMIRS_PRIVATE_H
#define SB_CORE_ANALYSIS_CASIMIRS_PRIVATE_H

#include "core/linalg/nullspace.h"
#include "core/model/model_data.h"

/** A Casimir as a combination of states. */
typedef struct sb_casimir {
  sb_term *terms; // var is a state, in ascending order
  int count;
} sb_casimir;

typedef struct sb_casimirs {
  sb_casimir *items;
  int count;
} sb_casimirs;

/** @param memory  where the result is put
 *  @return SB_ERR_LIMIT where the elimination fills in too much; SB_ERR_MEMORY */
sb_status sb_casimirs_find(const sb_model *model, sb_arena *memory, sb_casimirs *casimirs);

#endif
