// SPDX-License-Identifier: GPL-3.0-or-later
// Which elements contradict their modes at a state of an operating point, and how they change over there.
#ifndef SB_CORE_ANALYSIS_MODE_CHANGES_PRIVATE_H
#define SB_CORE_ANALYSIS_MODE_CHANGES_PRIVATE_H

#include "core/analysis/linear_private.h"

/** Indicators stand instance by instance, SB_INDICATORS_MAX of each; NAN: there is none. */
typedef struct sb_mode_changes {
  sb_operating_point *p;
  sb_arena memory;
  bool any;                                // elements with event indicators
  bool sees_ports;                         // and those of some read port variables
  int count;                               // of all indicators
  double *ports;                           // (twice the components of an instance) scratch
  double *kept;                            // (discrete states) scratch
  double *g, *now;                         // (count) as they were read, and scratch
  double *blur;                            // (count) what they are known to
  bool *against;                           // (count) those that contradict their modes, or may
  double *from;                            // (vector) where the way to p->x began
  double *to;                              // (vector) scratch: its end
  double *back;                            // (vector) scratch
  double *energy;                          // (parts) [J] that storages hold at both ends
  int *modes;                              // (modes) scratch
  bool pivots;                             // sb_mode_changes_pivot() has been called
  int *tried, tried_count, tried_capacity; // patterns of modes so far
} sb_mode_changes;

sb_status sb_mode_changes_init(sb_mode_changes *m, sb_operating_point *p, sb_error *err);
void sb_mode_changes_finish(sb_mode_changes *m);

/** Brings the workspace to p->x. @return false: an element gives no finite number */
bool sb_mode_changes_enter(const sb_mode_changes *m);
/** What the hooks of a switching element see there, with its port variables as last traced. */
sb_at sb_mode_changes_at(const sb_mode_changes *m, const sb_instance *instance);
/** Lets the elements update their discrete states, as after a step to p->x. */
void sb_mode_changes_accept(const sb_mode_changes *m);

/** Whether indicators are below zero at p->x, by more than rounding of the states between m->from and p->x, and of the sources. These
 *  are `against` then. */
bool sb_mode_changes_contradict(sb_mode_changes *m);
/** Lets all that are not below zero at m->from be `against`. */
bool sb_mode_changes_begin(sb_mode_changes *m);
/** Whether one that is `against` is below zero at p->x. @param context  of sb_mode_changes */
bool sb_mode_changes_reached(void *context);
/** Moves p->x back along the chord from m->from to just behind where the first that is `against` falls through zero. */
void sb_mode_changes_locate(sb_mode_changes *m);
/** Whether that is so of an indicator, as they were read last. */
bool sb_mode_changes_is_reached(const sb_mode_changes *m, int indicator);
/** Changes the modes at p->x of what has been reached, and moves it onto the constraints of the new modes.
 *  @return SB_ERR_SOLVER, not worded: it leads to no modes that the model has and that have not been tried */
sb_status sb_mode_changes_take(sb_mode_changes *m);
/** The same where the search has ended, of the first dissipation that is `against` alone: its law knows no past, and its mode is the one
 *  that the effort and the flow there demand. The first call forgets what has been tried before. */
sb_status sb_mode_changes_pivot(sb_mode_changes *m);
/** The first element that is `against`. */
const sb_instance *sb_mode_changes_first(const sb_mode_changes *m);

#endif
