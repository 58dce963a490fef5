// SPDX-License-Identifier: GPL-3.0-or-later
// Sliding along the edge of a condition of signals: the rates on both sides lead to the edge, and the solution stays there.
#ifndef SB_CORE_MODEL_SLIDE_H
#define SB_CORE_MODEL_SLIDE_H

#include "core/program/workspace.h"

/** Begins to slide at (t, x), if the rates on both sides lead to the edge, and what jumps there are rates of signals alone.
 *  work->slide has the branches of the other side, and the step of differences.
 *  @param branch  what decides: the sign of its gap tells the side
 *  @param size    (state_count) of the states, for what a jump is small beside  @return whether it slides */
bool sb_slide_begin(sb_workspace *work, int branch, const double size[], double t,
                    const double x[]);
/** Ends it on the side to which the rates lead, with the workspace at the point. */
void sb_slide_end(sb_workspace *work);
/** How far the rates are from leading away from the edge on one side, at the point of the workspace; below zero: they do. */
double sb_slide_room(const sb_workspace *work);
/** Moves the signals that slide onto the edge, with the workspace at (t, x) before. */
void sb_slide_project(sb_workspace *work, double t, double x[]);

/** Finds the rates on both sides at (t, x), and how fast either leads to the edge.  @return as sb_model_rhs */
int sb_slide_look(sb_workspace *work, double t, const double x[]);
/** Makes the rates of signals, which are those of the side that is held, what both sides are in the mean. */
void sb_slide_mix(const sb_workspace *work, double xdot[]);

/** Whether a branch is one of those by which both sides of the edge differ. */
static inline bool sb_slide_has(const sb_workspace *work, int branch) {
  const sb_slide *s = &work->slide;
  return s->on && (branch == s->branch || s->other[branch] != work->branches.held[branch]);
}

#endif
