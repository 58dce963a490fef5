// SPDX-License-Identifier: GPL-3.0-or-later
// Switching in a run: what indicates an event, where it is within a step, and what follows from it.
#ifndef SB_CORE_SIMULATION_SWITCHING_PRIVATE_H
#define SB_CORE_SIMULATION_SWITCHING_PRIVATE_H

#include "core/network/network.h"

typedef struct sb_simulation sb_simulation;
typedef struct sb_switch sb_switch;
typedef struct sb_crossing sb_crossing;

/** The kind of an event in which forces pass from one contact to others, and no mode changes. */
#define SB_EVENT_SHIFT "shift"

// indicators.c

/** What the hooks of a switching element see; port variables of constant structures as last traced. */
sb_at sb_at_switch(const sb_simulation *sim, const sb_switch *element, double t, const double x[]);
/** The same at an event: what is rounding of the port variables of a dissipation is zero. */
sb_at sb_at_event(const sb_simulation *sim, const sb_switch *element, double t, const double x[]);
/** The same in two steps, the first one once for several elements: to what size port variables are rounding. */
void sb_port_sizes_trace(const sb_simulation *sim, const double x[]);
/** The same of what rests: flows of trees, too, to what the terms of their accelerations would make of them in a step. */
void sb_rest_sizes_trace(const sb_simulation *sim, const double x[]);
/** The same to what they could have been with the largest energy of their part so far: an impulse leaves rounding of that. */
void sb_port_ranges_trace(const sb_simulation *sim, const double x[]);
/** What is below this fraction of an error that it may have does not matter: a kink there is none. */
#define SB_MATTERS 0.01
sb_at sb_at_sized(const sb_simulation *sim, const sb_switch *element, double t, const double x[]);
/** Traces the port variables at the point of the workspace, if an indicator depends on them. */
void sb_indicators_trace(const sb_simulation *sim, const double x[]);
/** Indicators of one element. @param g, gdot  (SB_INDICATORS_MAX) out */
sb_status sb_switch_indicators(sb_simulation *sim, sb_switch *element, double t, const double x[],
                               double g[], double gdot[], sb_error *err);
/** Values of all event indicators at (t, x) into the start (0) or the end (1) of the step. */
sb_status sb_indicators_read(sb_simulation *sim, double t, const double x[], int end,
                             sb_error *err);
/** Longest step that the switching elements allow [s]. */
double sb_event_horizon(sb_simulation *sim);
/** The next event that happens at a known time [s], of elements with hooks or of all. @param index  out: of its switch, -1: none */
double sb_event_next_time(const sb_simulation *sim, bool hooked, int *index);
/** Lets the elements update their discrete states from the accepted state.  @return whether forces jump by that */
bool sb_event_accept(sb_simulation *sim);
/** Whether an element may have missed an event in the step that ends here, likewise. */
bool sb_event_overdue(sb_simulation *sim);
/** Whether an element strays in the step that ends here (core/graph/switching.h); what the indicators read is known. */
bool sb_event_strays(sb_simulation *sim);

// sliding.c

/** Keeps the branches that are held, before the events of an instant, as one side of an edge. */
void sb_sides_keep(sb_simulation *sim);
/** Begins to slide behind them, if the branch at `index`, which the first of them has left, would be taken again at once. */
sb_status sb_sliding_begin(sb_simulation *sim, int index, sb_error *err);
/** Ends a slide along the edge of that branch. @return whether there was one */
bool sb_sliding_end(sb_simulation *sim, int index);
/** The step of differences of what slides. */
void sb_sliding_span(sb_simulation *sim);
/** A branch changes on both sides of the edge. */
void sb_sliding_follow(sb_simulation *sim, int branch);
/** The gaps of an element's branches that have been asked for: of what slides, how far that is from its end. */
void sb_sliding_note(sb_simulation *sim, const sb_instance *instance);

// branches.c

/** Lists the branches of expressions behind the elements with modes. */
void sb_branches_list(sb_simulation *sim);
/** Whether what is listed at `index` is a branch. */
bool sb_is_branch(const sb_simulation *sim, int index);
/** Asks the hooks of an element again: what their expressions decide on goes to the branches, not-a-number for those that are not
 *  evaluated, as of a contact of bodies apart; their values go to sim->hook_values. @return how many */
int sb_branches_ask(sb_simulation *sim, int index, double t, const double x[]);
/** The indicators a short time later, along the rates at (t, x), where the workspace must be and is again.
 *  @param index  one of them; -1: all  @return false: unknown */
bool sb_branches_later(sb_simulation *sim, double t, const double x[], int index, double h);
/** Whether what decides on a branch that is held has left it at (t, x). Leaves the workspace evaluated for what it asks alone. */
bool sb_branches_end(sb_simulation *sim, double t, const double x[]);
/** That time [s]; 0: the step is too short to tell a difference. */
double sb_branches_span(const sb_simulation *sim);
/** Takes the branches that hold at (t, x), at the start and where sources jump. */
sb_status sb_branches_choose(sb_simulation *sim, sb_error *err);
/** Behind a restart, what is exactly at a kink has no side by its value, as the strength of a brake that grows with t^2 from there: it takes the
 *  one on which it is a short time later, by Euler's steps of a part of span [s]. */
sb_status sb_branches_leave_kinks(sb_simulation *sim, double span, sb_error *err);
/** The indicator of a branch and its derivative (NAN: unknown), and of all branches as in
 *  sb_indicators_read(), at the end of a step without derivatives. The workspace must be at (t, x). */
void sb_branch_indicator(sb_simulation *sim, int index, double t, const double x[], double *g,
                         double *gdot);
void sb_branch_indicators(sb_simulation *sim, double t, const double x[], int end);
/** Derivatives at the ends of the last step, where the branch may have been left and taken again in it. */
sb_status sb_branch_slopes(sb_simulation *sim, int index, sb_error *err);
/** After an accepted step. */
void sb_branches_accept(sb_simulation *sim);
// branch_changes.c

/** Takes the branches where a smooth interval of time has ended; elements whose values jump with their branches are listed. */
sb_status sb_branches_pass(sb_simulation *sim, sb_error *err);
/** Whether a branch changes at once again: what it makes jump drives it back. */
bool sb_branch_chatters(const sb_simulation *sim, int index);
/** Where nothing jumps at a kink that is passed again and again at once, that is the error of steps that do not resolve what is
 *  beside it, as f/(|f| + v) with a small v: from here on the present arguments decide, and the state goes on as it does
 *  through any smooth law.  @return false: a branch of what jumps, or of an energy */
bool sb_branch_free(sb_simulation *sim, int index);
/** Takes the next branch at (t, x). */
sb_status sb_branch_fire(sb_simulation *sim, int index, sb_error *err);
/** [s] in which an argument goes farther from its kink, or a flow from zero, than it is off as that is located to rounding of the time
 *  or of the step: also where the step has just begun. 0: unknown */
double sb_short_time(const sb_simulation *sim);
/** The branches of an element that are held, for others, and back. @param other  (branches) */
void sb_branches_exchange(sb_simulation *sim, const sb_instance *instance, double other[]);
/** Where a state jumps, as in an impact, energies follow it: while it is looked for their branches are those of the arguments,
 *  and then the ones where it is. @param free  else as they were  @return whether there are any */
bool sb_energies_exchange(const sb_simulation *sim, bool free);
void sb_energies_follow(sb_simulation *sim);
/** Leaves what an element gives on the branches that are held in the second or the last third of sim->hook_values. @return how many values */
int sb_branches_read_side(sb_simulation *sim, int index, int third);

// branch_rounding.c

/** To what it is known how far beyond its kink a branch is. Of an energy that is the rounding of its states, each of the size that its errors are relative
 *  to; of a law a part of the error that its input may have: far down a chain that has just begun to move nothing has a side, of a state of 1e-300; and
 *  the rounding of the signals that are read, where it has been no farther since the last event. */
double sb_branch_known_to(sb_simulation *sim, int index);
/** Whether the values read on both sides differ by no more than the rounding of signals that are read makes of them, where that is all that decides. */
bool sb_branch_is_rounding(sb_simulation *sim, int index, int given);

// energy_jumps.c

/** An error if the energy of a storage jumps where the branch `index` has just been taken; the workspace is at (t, x).
 *  @param h    [s] a short time, in which the state goes farther from a kink than it is beyond it; 0: unknown
 *  @param old  (branches) that were held before; as it was on return */
sb_status sb_energy_check(sb_simulation *sim, int index, double h, double old[], sb_error *err);

/** Counts a passage of what may go to and fro over its jump by less than rtol resolves. @return whether that has no end (trembling.c) */
bool sb_trembles_on(sb_simulation *sim, sb_switch *switched, bool trembles);
/** A branch that has been left, or a switch that has changed, with the workspace behind that: SB_ERR_CHATTER if it jumps faster and faster, by less than rtol resolves of what
 *  decides, without end. */
sb_status sb_quickening_check(sb_simulation *sim, int index, sb_error *err);
/** Warns of energies of one state that jump somewhere, where branches change at places that are known beforehand.
 *  @return false: out of memory, or too many */
bool sb_energies_foresee(const sb_network *network, sb_errors *warnings);

// rest_jumps.c

/** Once, with the workspace at the start: whether there is a law that jumps at rest without a branch. */
void sb_rest_jumps_find(sb_simulation *sim);

/** Warns of laws of dissipation that jump at rest without a branch. @return false: memory */
bool sb_rest_jumps_foresee(const sb_simulation *sim, sb_errors *warnings);
/** After a step: an error where one has come to rest and goes to and fro without end. */
sb_status sb_rest_jumps_check(sb_simulation *sim, sb_error *err);

// rest_slopes.c

/** At a restart, with the workspace there: whose laws have an infinite slope at rest, by inputs that depend on states. */
void sb_rest_slopes_find(sb_simulation *sim);
/** At an accepted state, with the workspace there: the largest inputs of these, and what counts as rest. */
void sb_rest_slopes_follow(sb_simulation *sim);

// conditions.c

/** Whether an indicator that is an expression has been below zero in the last step and above it again, by signals that move
 *  evenly. @param t  [s] out: when */
bool sb_condition_dips(sb_simulation *sim, int index, double *t);
/** Whether one is above zero, or monotone, from the start of the last step to `to` times its length, for certain, if all goes on
 *  evenly: its ends tell all then. */
bool sb_condition_is_clear(const sb_simulation *sim, int index, double to);

// crossing.c

/** For the present network and method, in place of that before. @return SB_ERR_MEMORY */
sb_status sb_crossing_renew(sb_simulation *sim, sb_error *err);
void sb_crossing_destroy(sb_crossing *crossing); // NULL is accepted
/** There is another step. */
void sb_crossing_begin(sb_crossing *crossing);
/** Whether states within the step are those of a polynomial, which costs little; else of partial steps. */
bool sb_crossing_is_smooth(sb_simulation *sim);
/** State at time t within the last step into sim->xp; the workspace is brought there. */
sb_status sb_crossing_go(sb_simulation *sim, double t, sb_error *err);
/** The same by a partial step; states near t are as accurate from here on. */
sb_status sb_crossing_pin(sb_simulation *sim, double t, sb_error *err);

// locate.c

/** Finds the first event of the last step. If there is one, (t, x) become its time and the state
 *  just behind it. @param index, indicator  out; index = -1: no event */
sb_status sb_event_find(sb_simulation *sim, int *index, int *indicator, sb_error *err);

// commutation.c

enum { SB_COMMUTATION_MAX = 2 };
/** An element that has switched along with another one. */
typedef struct sb_changed {
  int index;        // of the switch
  const char *kind; // as an sb_transition reports it
} sb_changed;
/** Compiles the present modes. If the state cannot go on in them as it is, modes of diodes are looked
 *  for in which it can.
 *  @param index  the element that has switched, which may be back in the mode before; -1: none, modes are as compiled
 *  @param more   (sim->changed; of an element with hooks SB_COMMUTATION_MAX) diodes that have switched are added behind the first *count;
 *                where it can go on by an impulse only, that is left to be taken. NULL: none may */
sb_status sb_commutate(sb_simulation *sim, int index, sb_changed more[], int *count, sb_error *err);
/** Whether the state goes on in the present modes without an impulse; sim->xp is scratch. */
bool sb_state_goes_on(sb_simulation *sim);

// together.c

/** Events of other switches at this instant happen with that of the first: between two switches of one leg that change over together
 *  there is no moment at which both are closed, or open.
 *  @param more  (all switches) out */
sb_status sb_fire_together(sb_simulation *sim, int index, sb_changed more[], int *count,
                           sb_error *err);
/** Whether an element is a signal that changes at known times: a sampler. */
bool sb_is_sampler(const sb_instance *instance);
/** All that sample at this instant do so together: between the first and the last there is no moment at which others see both.
 *  @param more  (all switches) out */
sb_status sb_sample_together(sb_simulation *sim, int index, sb_changed more[], int *count,
                             sb_error *err);

// strike_together.c

/** The limit that a free stop is at, to what ways are known; -1: none. @pre sb_stops_size() */
int sb_stop_limit(const sb_simulation *sim, int index);
/** The fastest that a stop could have been, with the largest energy of its part so far. @pre the same */
double sb_stop_fastest(const sb_simulation *sim, int index);
/** How far a free stop has moved by rounding where its speed is nothing else, as friction holds it at a limit; 0: it moves. */
double sb_stop_rest(const sb_simulation *sim, const sb_instance *instance, const sb_at *at,
                    const double x[]);
/** Whether an element is a free stop whose speed is rounding, so that it has nothing to give back. */
bool sb_stop_is_still(sb_simulation *sim, int index);
/** What the flows of stops are known to, at the present. */
void sb_stops_size(sb_simulation *sim);
/** Whether a part has a stop, and `least` complementary elements. */
bool sb_part_has_stops(const sb_simulation *sim, int part, int least);
/** Solves the problem of the present instant of a part, and takes its modes; the state stays.
 *  @param index  an element that has switched, which may be back in the mode before; -1: none
 *  @param more   (sim->changed) others that change are added behind the first *count
 *  @param known  out: SB_OK, or why all stay as they are: SB_ERR_SOLVER: there is no solution, SB_ERR_LIMIT: it is no such problem */
sb_status sb_part_solve(sb_simulation *sim, int part, int index, sb_changed more[], int *count,
                        sb_status *known, sb_error *err);
/** The same of the part of a diode or stop that has switched and throws nothing back, if that has stops or it has switched at this instant
 *  before; of others nothing. A stop that
 *  stays free moves off its limit by rounding.
 *  @param indicator  by which it has switched
 *  @param together  out: whether that has a solution */
sb_status sb_change_together(sb_simulation *sim, int index, int indicator, sb_changed more[],
                             int *count, bool *together, sb_error *err);
/** Before a step from a restart, with the workspace there: stops that have moved by rounding alone, as those that others hold do, are not
 *  followed relative to that. */
void sb_stops_measure(sb_simulation *sim);
/** The same after a step that is so much longer than those before that the forces which hold them may have moved them farther. */
void sb_stops_follow(sb_simulation *sim);

// consistency.c

/** Moves x onto the constraints. @param violated  out: the one violated most, -1: none was */
sb_status sb_project(const sb_simulation *sim, double x[], int *violated, sb_error *err);
/** The impact of a structure whose constraints have just begun to hold, by Newton's law of restitution; sim->xp is the state before. An
 *  error where there is no impulse for it, or it gives energy.
 *  @param struck  out: whether there was one */
sb_status sb_throw_back(sb_simulation *sim, int index, double restitution, bool *struck,
                        sb_error *err);
/** An error that names the contradicting states at (t, x); SB_OK if there are none. */
sb_status sb_consistency_refuse(sb_simulation *sim, sb_error *err);
/** The same of what else loses energy at the start: an impact, a switch that closes by its condition. */
sb_status sb_start_refuse_losses(const sb_simulation *sim, sb_error *err);
/** At the start: refuses a constraint that is not met, and that does not depend on the states which it moves: as of an inductor of
 *  energy p^4 behind a source of current, at p = 0.  @return SB_ERR_RANGE */
sb_status sb_consistency_find_stuck(sb_simulation *sim, sb_error *err);
/** Makes dependent storages consistent at (t, x); the energy that this costs is entered as an impact. */
sb_status sb_consistency_project(sb_simulation *sim, sb_error *err);
/** Whether a projection to the states `after` moves one of them by more than a fraction of its nominal size. */
bool sb_consistency_moves(const sb_simulation *sim, const double after[], double fraction);

// impacts.c

/** Whether a switch is of a rigid contact. */
bool sb_is_unilateral(const sb_simulation *sim, int index);
/** Takes an event of a rigid contact, with all that touch at the same time: impacts, and how they go on. */
sb_status sb_impact_fire(sb_simulation *sim, int index, int indicator, sb_error *err);
/** The same for those that touch at the start. */
sb_status sb_impacts_start(sb_simulation *sim, sb_error *err);
/** Whether contacts of the part of an instance are held. */
bool sb_touches_beside(const sb_simulation *sim, int instance);
/** Whether contacts of the part of an instance are held, and other constraints of it are not met, by more than rounding (impact_beside.c). */
bool sb_impact_is_beside(sb_simulation *sim, int instance);
/** Meets the constraints that are not met, beside contacts that touch, which push and rub alone.
 *  @param more, count  as of sb_commutate(), with what happened to the contacts
 *  @param owner        out: an instance whose constraint was not met; as it was: all are */
sb_status sb_impact_beside(sb_simulation *sim, sb_changed more[], int *count, int *owner,
                           sb_error *err);
/** Whether a switch is a dry friction that sticks beside rigid contacts which are held: it slips by an event of these (touch_frictions.c). */
bool sb_friction_touches(sb_simulation *sim, int index);
/** Whether a switch is a stop beside rigid contacts which are held: its events are of these (touch_stops.c). */
bool sb_stop_touches(const sb_simulation *sim, int index);

// jump_modes.c

/** Compiles the present modes and traces what they give at (t, x). @return false: they have no program, or no solution there */
bool sb_modes_compile(sb_simulation *sim);
/** At an event of a law that jumps: where states alone do not decide on all of its part, they take modes together, and are compiled.
 *  @param more   (all switches) those that change are added behind the first *count
 *  @param known  out: whether these modes have been found */
sb_status sb_jumps_change(sb_simulation *sim, int index, sb_changed more[], int *count, bool *known,
                          sb_error *err);
/** All such laws of all parts take their modes, as those so far have no solution. @return SB_ERR_UNSOLVED: there are no others */
sb_status sb_jumps_settle(sb_simulation *sim, sb_error *err);

// held_motion.c

/** An element that sticks has come to its limit. Where others are at rest or come to theirs, too, it stays there until sb_motion_settle().
 *  @param next  as fire() has given it; out: the mode taken */
sb_status sb_motion_wait(sb_simulation *sim, int index, sb_transition *next, sb_error *err);
/** At the end of a burst of events: another one that is held sticks in the place of one that has come to its limit, so that the motion is held
 *  on; where there is none all of these slip.  @param changed  out: whether modes have, and further events may follow */
sb_status sb_motion_settle(sb_simulation *sim, bool *changed, sb_error *err);
/** Whether an element at its jump is held by others that stick. The program may be another one then.
 *  @param stuck  the mode in which it sticks itself */
bool sb_motion_is_held(sb_simulation *sim, int index, int stuck);
/** An element has come to stick: what it holds with itself is at rest from here on, too.
 *  @param more, count  as of sb_commutate() */
sb_status sb_motion_ends(sb_simulation *sim, int index, sb_changed more[], int *count,
                         sb_error *err);

// slip_on.c

/** Whether what has just come to stick can: an element that no force of it holds there leaves no solution, or would have to stop what
 *  moves by an impulse and slip again at once. Leaves the workspace at (t, x). */
bool sb_stick_holds(sb_simulation *sim, int index);
/** Whether constraints of a part may vanish, or be dependent, at some places only: through ratios that change, and in closed loops. */
bool sb_stick_may_vanish(const sb_simulation *sim, int part);
/** Takes that back: the element slips on, as the flow that follows says, and the workspace is brought to (t, x).
 *  @param before  its mode before the event  @param next  as fire() has given it; how it is reported: out
 *  @param more, count  as of sb_commutate() */
sb_status sb_slip_on(sb_simulation *sim, int index, int before, sb_transition *next,
                     sb_changed more[], int *count, sb_error *err);

/** What begins to slip at an event where others decide, too, and by what these have decided moves against its side: it is to stick again.
 *  Each once in a burst of events. @param found  out: its index; -1: there is none */
sb_status sb_slip_turned(sb_simulation *sim, int *found, sb_error *err);

/** Something that may succeed in other modes; where it fails, it leaves the present as it was. */
typedef bool sb_attempt(sb_simulation *sim, void *context);
/** After a step that an iteration has failed in, with its start as the present: what sticks behind a ratio of zero and bears nothing, so
 *  that its constraint has no row to iterate with, waits, and the step is attempted again.
 *  @return whether that has succeeded; else all modes are as before */
bool sb_idle_sticks_wait(sb_simulation *sim, sb_attempt *attempt, void *context);

// events.c

/** Takes an event at (t, x) and all that follow from it at the same time. @param indicator  -1: its time
 *  has come */
sb_status sb_event_fire(sb_simulation *sim, int index, int indicator, sb_error *err);

// one_event.c

/** Takes one event: the new mode of its element, with what changes along with it, and the impact that may follow.
 *  @param again  out: an impact has followed, and what holds its impulse may let go at once by the forces behind it, and what has
 *  given way to it at its strength, a spring at the preload that friction bears, may be driven to the other side; what is free has a flow
 *  against it by rounding alone */
sb_status sb_event_take(sb_simulation *sim, int index, int indicator, bool *again, sb_error *err);
/** Enters the events of elements that switched along with another one. */
sb_status sb_event_enter(sb_simulation *sim, const sb_changed more[], int count, sb_error *err);

// chatter.c

/** An event at this time: whether it goes on with those before it, or begins a new row of them. */
void sb_chatter_begin(sb_simulation *sim, int index);
/** How many events of one element a row may have. */
int sb_chatter_limit(const sb_simulation *sim);
/** Counts an event of a row.  @return those of this element in it: a hundred bodies may touch at once, but none for ever */
int sb_chatter_count(sb_simulation *sim, int index);
/** Where contacts hold one thing several times, and one of them is at the bound of its friction, the others take what it cannot, and
 *  its force is at the bound again. As the friction of all comes to its bound, the time from one shift to the next falls by some
 *  percents each.
 *  @param before  events of the run until this one */
sb_status sb_chatter_shifts(sb_simulation *sim, int index, int before, sb_error *err);
/** SB_ERR_CHATTER, worded. */
sb_status sb_chatter_word(const sb_simulation *sim, int index, sb_error *err);
/** A step that failed right after many events at one instant: SB_ERR_CHATTER, worded; else `status`. */
sb_status sb_chatter_explain(const sb_simulation *sim, sb_status status, sb_error *err);
/** Takes the events of known times that are due now: of elements with hooks, or of all. */
sb_status sb_event_due(sb_simulation *sim, bool hooked, sb_error *err);
/** Takes the events of indicators that fell through zero at once, with a source that has jumped and what its impulse moved. */
sb_status sb_event_jumped(sb_simulation *sim, sb_error *err);
/** Takes the events that are due at the start: of elements whose modes change the equations, or of the others,
 *  which lose nothing then. */
sb_status sb_event_settle(sb_simulation *sim, bool commutates, sb_error *err);

#endif
