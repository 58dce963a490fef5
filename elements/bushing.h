// SPDX-License-Identifier: GPL-3.0-or-later
// A bushing as a composite: the structure ID between two frames, ID/elastic and ID/damper at its port.
#ifndef SB_ELEMENTS_BUSHING_H
#define SB_ELEMENTS_BUSHING_H

#include "core/graph/graph.h"
#include "geometry/screw.h"

/** Adds the parts, once the element has its numbers and its bodies are joined.
 *  @param deflection  of the second frame in the first at the start
 *  @return SB_ERR_DIMENSION; SB_ERR_RANGE: a matrix is not positive; SB_ERR_MEMORY */
SB_API sb_status sb_bushing_complete(sb_graph *graph, sb_element *bushing, sb_pose deflection,
                                     sb_error *err);

#endif
