// SPDX-License-Identifier: GPL-3.0-or-later
// The check of a reduction: a pencil has the same transfer functions before and after it.
#ifndef SB_CORE_ANALYSIS_TRANSFER_PRIVATE_H
#define SB_CORE_ANALYSIS_TRANSFER_PRIVATE_H

#include "core/analysis/pencil_private.h"

/** Compares them at two real frequencies, one of the size of the fastest eigenvalue, one slow.
 *  @param after  reduced: E is the identity  @param name  of the model, for messages
 *  @return SB_ERR_SOLVER: they differ; SB_ERR_MEMORY */
sb_status sb_pencil_compare(const sb_pencil *before, const sb_pencil *after, const char *name,
                            sb_error *err);

#endif
