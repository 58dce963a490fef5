// SPDX-License-Identifier: GPL-3.0-or-later
// Conserved quantities of a model's constant structure.
#ifndef SB_CORE_CASIMIRS_PRIVATE_H
#define SB_CORE_CASIMIRS_PRIVATE_H

#include "core/linalg/nullspace.h"
#include "core/model/model_data.h"

/** Casimirs as combinations of states: those of vector k are terms[first[k]] ..., var a state.
 *  @return SB_ERR_LIMIT where the network is too entangled to look for them; SB_ERR_MEMORY */
sb_status sb_casimirs_find(const sb_model *model, sb_nullspace *casimirs);

#endif
