// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef SB_CORE_DRAWING_PRIVATE_H
#define SB_CORE_DRAWING_PRIVATE_H

#include "core/model/model_data.h"
#include "core/network/equations.h"
#include "core/program/program.h"

/** Of every effort and flow of a cell the part that determines it; the number of parts where it is
 *  the network as a whole. @param owner (2 cells) out  @return false: out of memory */
bool sb_strokes_owners(const sb_model *model, int owner[]);
/** For every bond whether its `from` end gives the effort, in the modes at the start (strokes.c).
 *  Of a bond of several components the first counts. false: out of memory */
bool sb_strokes_find(const sb_model *model, char effort_from[]);

#endif
