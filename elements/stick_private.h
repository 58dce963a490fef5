// SPDX-License-Identifier: GPL-3.0-or-later
// Laws that jump where their argument u is zero, as dry friction does at the flow zero, or how far it is from another place (Filippov,
// "Differential Equations with Discontinuous Righthand Sides", 1988). While u is not zero the law has the branch of
// its sign. At zero the element sticks: u = 0 is a constraint, and the output is whatever keeps it, as long as
// that is between the values on both sides of the jump.
#ifndef SB_ELEMENTS_STICK_PRIVATE_H
#define SB_ELEMENTS_STICK_PRIVATE_H

#include "core/graph/element.h"

/** At the start, and while there is no jump, as of a brake that is released, the branch is that of the present sign, until an event chooses a
 *  mode. What is held by others that stick at the same
 *  place bears nothing until one of these is at its limit, or it moves; what was at its own limit stays there. */
enum {
  SB_SLIP_START,
  SB_SLIP_FORWARD,
  SB_SLIP_BACKWARD,
  SB_STICK,
  SB_STICK_GIVEN, // it came to rest as the network gave it the output of the law, which goes on
  SB_STICK_HELD,
  SB_STICK_HELD_FORWARD, // at the upper end of the jump
  SB_STICK_HELD_BACKWARD,
  SB_STICK_MODES // those of the next jump of a law with several follow
};

/** Discrete states: the argument at the last accepted step, and the largest so far; 1 where an impulse has released what stuck, so that
 *  it is to find its mode as at a start, and -1 what slipped; 1 where it has come to rest without a jump and has not moved since. */
enum { SB_STICK_LAST, SB_STICK_LARGEST, SB_STICK_RELEASED, SB_STICK_BARE, SB_STICK_STATES };

/** The side of zero that the argument u of the law is on: 1 or -1; 0 if it is at rest. */
int sb_slip_side(int mode, double u);
bool sb_stick_sticks(const void *self, int mode);
/** Whether others hold it at rest. */
bool sb_stick_is_held(const void *self, int mode);
/** The same where the output y is given instead: at the start by the values that the law must be beyond to slip. */
int sb_slip_side_given(int mode, double y, double low, double high);
int sb_stick_initial_mode(const void *self, const sb_at *at, double discrete[]);
/** Whether the law has one branch: it does not stick, and is not about to find its mode. */
bool sb_stick_slips(int mode);
/** Events of slip are taken before the flow is reversed. */
bool sb_stick_before(const void *self, int mode, int indicator);

/** The indicators, from the argument u and the output y of the law and, while it sticks, the values of the law
 *  on both sides of zero.  @param none  there is no jump now
 *  @param given  the network gives the output of the law, not u  @return how many */
int sb_stick_indicators(int mode, bool none, bool given, double u, double y, double low,
                        double high, const double discrete[], double g[], double gdot[]);
/** The new mode, with the same arguments. */
void sb_stick_fire(int mode, bool none, bool given, double u, double y, double low, double high,
                   double discrete[], sb_transition *out);
/** The mode of what others hold, at the end of its jump on a side, or within it. */
int sb_stick_held(int side);
/** The mode of a side of jump k, from 0, or at rest there. */
int sb_stick_mode(int k, int side);
/** Takes a mode that has been found together with others'. @param before  the one before */
void sb_stick_enter(int before, int mode, double discrete[], sb_transition *out);
/** After an accepted step. */
void sb_stick_accept(double u, double discrete[]);

#endif
