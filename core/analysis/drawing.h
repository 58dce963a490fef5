// SPDX-License-Identifier: GPL-3.0-or-later
// The bond graph of a model as text for Graphviz.
#ifndef SB_CORE_DRAWING_H
#define SB_CORE_DRAWING_H

#include "core/model/model.h"

/** The bond graph with its causality in the language DOT. An edge is a bond: its half arrow points
 *  where power counts positive, its stroke ("tee") stands at the end that is given the effort.
 *  Dashed edges are signals. Ids with '/' and composites are clusters. The caller frees
 *  the text.
 *  @return SB_ERR_MEMORY */
SB_API sb_status sb_model_draw(const sb_model *model, char **text, sb_error *err);

#endif
