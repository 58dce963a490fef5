// SPDX-License-Identifier: GPL-3.0-or-later
// What the solver of rigid contacts works with.
#ifndef SB_CORE_IMPACTS_PRIVATE_H
#define SB_CORE_IMPACTS_PRIVATE_H

#include "core/linalg/unilateral.h"
#include "core/simulation/simulation_private.h"

/** One contact that touches. */
typedef struct sb_touch {
  int index, instance; // of its switch
  int mode, next;      // before, and from here on
  sb_unilateral_terms terms;
  double held[3]; // the forces on body 2 that hold it where it is: normal, tangential
  double rate
      [3]; // [m/s^2] of its flows with these: zero, unless redundant contacts contradict each other
  double force[3]; // those from here on
  double slow;     // [m/s] no speed
  double still;    // [m/s] a slower slip has no direction of its own
  double turning;  // [rad/s] of the direction in which it begins to slip from sticking, else NAN
  bool struck;     // it took an impulse
  bool rests;      // it did not approach before the impulses of others: it has nothing to give back
  bool ends;       // its slip has no speed along its direction so far
  double strength; // of a dry friction that takes part (touch_frictions.c); else 0
  bool loose;      // of one that does not hold its motion: another one does
  double side;     // the sign of a stop that takes part (touch_stops.c); else 0
  int limit;       // of that: the indicator of its limit
  int stick, free; // modes of either: in which it is held, and one in which it is not,
  int before;      // and before
  double loss;     // [J] in impacts, and what was turned over there
  double turned;
} sb_touch;

/** Whether it is a friction or a stop. */
static inline bool sb_touch_is_element(const sb_touch *touch) {
  return touch->strength > 0 || touch->side != 0;
}

/** All of them at an instant, each with three components. */
typedef struct sb_touches {
  sb_touch *touches;
  int count, n;     // n: states
  double span;      // [s] of the run so far
  double *numbers;  // of all that follows
  double *G;        // (3 count x n) how an impulse moves the states
  double *W;        // (3 count x 3 count) and the flows
  double *C;        // (3 count x n) the gradients of the flows
  double *v, *v0;   // (3 count) flows, and those before the last impulses
  double *size;     // (3 count) what each is the sum of
  double *p, *step; // (3 count) impulses so far, and the next ones
  double *
      beside; // (other_count) residuals of the network's other constraints, and what each is the sum of
  int other_count;
  double *G_others; // (other_count x n) how an impulse of theirs moves the states
  double *
      Z; // (3 count x other_count) what of them an impulse on a contact takes along, with the sign changed
  double *pending; // (other_count) impulses that take their residuals out, the same
  double supplied; // [J] what sources have supplied at once
  bool bent;       // flows have answered otherwise
  bool linear;     // flows have answered an impulse of this impact as the response told
  int *group;      // (count) contacts of one group are coupled by impulses; NULL: not known
  int striking;    // the group that is struck
} sb_touches;

/** Speeds below this fraction of what they are the difference of are zero. */
#define SB_TOUCH_ROUNDING 1e-10
/** What speeds of a contact are small against [m/s]: those of the bodies, unless places far from the point that the scene counts from make the
 *  flows differences of much more. */
double sb_touch_speeds(const sb_touches *all, int c);

sb_at sb_touch_at(const sb_simulation *sim, const sb_touch *touch);
/** NULL: the switch is no rigid contact. */
const sb_unilateral_hooks *sb_touch_hooks(const sb_simulation *sim, int index);
void sb_touch_set_mode(sb_simulation *sim, const sb_touch *touch, int mode);
/** Lists those that touch. @param struck  counts as one of them, by an indicator; -1: none
 *  @return SB_ERR_CONTACT where rigid bodies overlap */
sb_status sb_touches_list(sb_simulation *sim, int struck, int indicator, sb_touches *all,
                          sb_error *err);
/** Lists the stops beside them that are closed, at their limit, or close by the event of `struck` (touch_stops.c). */
void sb_touches_list_stops(sb_simulation *sim, int struck, int limit, sb_touches *all);
/** As sb_unilateral_hooks has it, of a stop. */
double sb_touch_stop_restitution(sb_simulation *sim, const sb_touch *touch, double speed);
/** It takes its mode. */
void sb_touch_enter_stop(sb_simulation *sim, const sb_touch *touch);
/** Adds the dry frictions that are at rest beside them.  @return whether there are some (touch_frictions.c) */
bool sb_touches_join(sb_simulation *sim, sb_touches *all);
/** Takes them out again, with the modes before. */
void sb_touches_part(sb_simulation *sim, sb_touches *all);
/** Of several of one motion, as on one shaft, the strongest holds it. The others, whose constraints would state the same, are loose.
 *  @return whether there are some */
bool sb_touches_find_loose(sb_touches *all);
/** Their rates are those of the one that holds. */
void sb_touches_rate_loose(sb_touches *all);
/** What a motion at rest bears: loose ones their strength, so that what is left is within that of the one that holds. */
void sb_touches_settle_loose(sb_touches *all);
/** The friction of an element, whose event it is, that is at its bound wherever the forces of the others shift: it slips, though that may move only
 *  once others let go, too. */
void sb_touches_give_way(sb_touches *all, int index);
/** One of them takes its mode. */
void sb_touch_enter_friction(sb_simulation *sim, const sb_touch *touch);
/** Compiles the program in which all of them are held, and reads forces, rates and responses. */
sb_status sb_touches_hold(sb_simulation *sim, sb_touches *all, sb_error *err);
/** Fills v, size, W and G of the contacts, by the program in which they are held (touch_responses.c). */
sb_status sb_touches_respond(sb_simulation *sim, sb_touches *all, sb_error *err);
/** The impulses that make some of the flows zero, of least norm.
 *  @param held  (3 count) which  @param b  (3 count) the flows without them  @param p  (3 count) out */
sb_status sb_touches_arrest(const sb_touches *all, const bool held[], const double b[], double p[],
                            sb_error *err);
/** Adds the energy that sources supply at once by the impulses p (3 count) to their quadratures, as core/model/enforce.c does: by
 *  those of the constraints that they are in, beside the contacts or of a contact itself. */
void sb_touches_supply(sb_simulation *sim, sb_touches *all, const double p[]);
/** Forces and flows of those that are held, by the program in which they are. */
sb_status sb_touches_evaluate(sb_simulation *sim, sb_error *err);

/** Impulses that end as a law of impacts asks for: those that satisfy the conditions of contact with the flows v + shift. */
typedef struct sb_impulse_law {
  int only;                // the contact that is struck; -1: all together
  sb_unilateral *contacts; // of `only` one
  const bool *
      held; // (3 count) the flows that are made zero, of whatever sign the impulses are; NULL: by the conditions
  const double *given; // (3 count) the impulses themselves; NULL: as above
  const double *shift; // (3 count) [m/s]
} sb_impulse_law;
/** Solves it. @param b  (3 count) the flows without impulses, and their shift  @param p  (3 count) out */
sb_status sb_touches_impulses(sb_simulation *sim, const sb_touches *all, const sb_impulse_law *law,
                              const double b[], double p[], sb_error *err);
/** Moves the state by the impulses in all->step, which the linear response asked for, and on to those that the law asks for
 *  (impact_newton.c).
 *  @param law  NULL: impulses of another law, which are refused where flows are not linear in the states */
sb_status sb_touches_follow(sb_simulation *sim, sb_touches *all, const sb_impulse_law *law,
                            sb_error *err);
/** What flows and the residuals of other constraints are off by, of what they are the sum of.
 *  @param told, size  (3 count) flows  @param beside  (other_count x 2) as all->beside, before
 *  @param worst       out: the contact with the largest, or that was struck; NULL: not wanted */
double sb_touches_miss(const sb_touches *all, const double told[], const double size[],
                       const double beside[], int *worst);
/** Refuses an impact whose law is not met beside a storage that is not linear. */
sb_status sb_touch_refuse_bent(const sb_simulation *sim, const sb_touch *touch, sb_error *err);
/** What flows agree to, as a fraction. */
double sb_touches_tolerance(const sb_simulation *sim);

/** Holds them behind impulses, and refuses a motion that the linear response does not tell (impact_check.c). */
sb_status sb_touches_hold_again(sb_simulation *sim, sb_touches *all, sb_error *err);
/** The contact and its component that a constraint holds; -1: none.
 *  @param factor  out: between its rate and that flow  @param multiplier  out: that of a unit force; NULL: not wanted */
int sb_touch_component(const sb_simulation *sim, const sb_touches *all, int constraint,
                       double *factor, double *multiplier);
/** The forces or impulses p that satisfy the conditions, with b without them and the flows v (core/linalg/unilateral.h).
 *  @param impact  out: p is impulses in the place of forces  @return what has no solution, worded */
sb_status sb_touches_solve(const sb_simulation *sim, const sb_touches *all,
                           sb_unilateral contacts[], const double b[], const double v[], double p[],
                           bool *impact, sb_error *err);
sb_status sb_touch_refuse(const sb_simulation *sim, const sb_touch *touch, const char *what,
                          const char *hint, sb_error *err);
/** Refuses a contact that never slips where a source makes it slip. */
sb_status sb_touch_refuse_driven(const sb_simulation *sim, const sb_touch *touch, sb_error *err);
/** Impulses until no contact approaches; x and the losses follow (impact_groups.c). */
sb_status sb_touches_strike(sb_simulation *sim, sb_touches *all, sb_error *err);
/** How contacts go on behind impulses: modes, and what holds in them (impacts.c). @param index, indicator  of the event; -1: none */
sb_status sb_touches_go_on(sb_simulation *sim, sb_touches *all, int index, int indicator,
                           sb_error *err);
/** What happened to a contact, as reported; NULL: nothing. */
const char *sb_touch_event(const sb_touch *touch);
/** Whether it is of the group that is struck. */
bool sb_touch_is_struck(const sb_touches *all, int c);
bool sb_touch_approaches(const sb_touches *all, int c);
/** One contact alone, by its law (impact_laws.c). */
sb_status sb_touches_strike_one(sb_simulation *sim, sb_touches *all, int c, sb_error *err);
/** That one, and with it as one impact all that approach as fast by the same law. */
sb_status sb_touches_strike_alike(sb_simulation *sim, sb_touches *all, int c, sb_error *err);
/** All of the group at once: Newton's law, u = v+ + e v- for every contact; or Poisson's without friction, a second solution for what
 *  is given back. */
sb_status sb_touches_strike_all(sb_simulation *sim, sb_touches *all, sb_error *err);
/** What a contact would give to others in an impact of them all is theirs; an impact that gives energy is refused. */
sb_status sb_touches_settle(const sb_simulation *sim, sb_touches *all, sb_error *err);
/** Below which speed slips have no direction of their own: all that touch in one part of the network together (touch_modes.c). */
void sb_touches_find_still(const sb_simulation *sim, sb_touches *all);
/** Moves the state by the impulses in all->step, and enters their losses. */
void sb_touches_apply(sb_simulation *sim, sb_touches *all);
/** The modes from here on (touch_modes.c). @param index, indicator  of the event; -1: at the start
 *  @param impact  out: an impact without collision has ended slips for which there are no forces; nothing is chosen */
sb_status sb_touches_choose(sb_simulation *sim, sb_touches *all, int index, int indicator,
                            bool *impact, sb_error *err);

#endif
