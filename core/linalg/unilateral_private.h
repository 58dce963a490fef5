// SPDX-License-Identifier: GPL-3.0-or-later
// What the solvers of rigid contacts share.
#ifndef SB_CORE_UNILATERAL_PRIVATE_H
#define SB_CORE_UNILATERAL_PRIVATE_H

#include "core/linalg/unilateral.h"

enum { SB_CONTACT_N, SB_CONTACT_X, SB_CONTACT_Y };
/** What is found is right to this fraction. */
#define SB_UNILATERAL_SOLVED_TO 1e-9
/** W is singular below this fraction of its size. Feet of links that lie in line but for d of their length answer along the line by d^2, and
 *  their accelerations there are d times what others are: forces that take these are not found where d^2 is below it. */
#define SB_UNILATERAL_RANK_TOL 1e-11
/** Where nothing is found so: below what the loops of a step hold at all (core/loop/shared.c). */
#define SB_UNILATERAL_IMPLIED 1e-8

typedef struct sb_unilateral_problem {
  sb_unilateral *contacts;
  int count;
  const double *W, *b;
  double *p;
  double left;  // what is held may keep of its flow, of their size
  double rank;  // W is singular below this fraction of its size
  bool crowded; // the share of least norm is beyond or near a bound
} sb_unilateral_problem;

static inline double sb_unilateral_response(const sb_unilateral_problem *m, int i, int j) {
  return m->W[i * 3 * m->count + j];
}

/** Whether the slip of a contact is imposed: W is semidefinite, so that W_tt = 0 makes its rows zero, and u_t = b_t whatever p is. */
static inline bool sb_unilateral_is_imposed(const sb_unilateral_problem *m, int c) {
  return sb_unilateral_response(m, 3 * c + SB_CONTACT_X, 3 * c + SB_CONTACT_X) +
             sb_unilateral_response(m, 3 * c + SB_CONTACT_Y, 3 * c + SB_CONTACT_Y) ==
         0;
}
/** u of one contact. */
void sb_unilateral_flow(const sb_unilateral_problem *m, int c, double u[3]);
/** Along which direction a slip begins (slip_direction.c). @param W  (3 x 3)  @param k  (2) see there; zero: of an impact
 *  @param s  out  @return whether there is one */
bool sb_slip_direction(const double W[9], const double k[2], double mu, double s[2]);
/** Solves for the flows of what acts to be zero, by the least change of p, with a step of Newton's method for the directions of slips
 *  that begin: a slip goes along the flow that follows from it. From p = 0 it is the p of least norm.
 *  @param weight  (count) of the tangential impulses: those of a larger weight take more; NULL: one for all
 *  @return by how much directions turned [rad] */
double sb_unilateral_balance(sb_unilateral_problem *m, const double weight[], double scratch[]);
/** The contact with the most negative normal impulse; -1: none is negative (sharing.c). */
int sb_unilateral_worst_pull(const sb_unilateral_problem *m);
/** The same until directions stay. @return whether the conditions hold */
bool sb_unilateral_find_directions(sb_unilateral_problem *m, double scratch[]);
/** Where some slip, the forces of least norm with the states that were found, or with all that touches, if there are such (least_share.c).
 *  @param kept  (count) scratch */
void sb_unilateral_take_least(sb_unilateral_problem *m, sb_unilateral kept[], double scratch[]);
/** Whether the conditions hold, to a fraction of the largest that a flow is the sum of. */
bool sb_unilateral_holds(const sb_unilateral_problem *m);
/** A solution with a cone of friction that has edges, or two in a plane, one of them along the slip or along p as given, and what each contact
 *  does in it (pyramid.c). @param v  as of sb_unilateral_solve()  @param trial  0, 1, ...: later ones have more edges
 *  @param cancels  whether speeds that cancel each other are zero: see sb_lemke()
 *  @return SB_UNILATERAL_IMPACT: p is impulses */
sb_unilateral_status sb_unilateral_pyramid(sb_unilateral_problem *m, const double v[], int trial,
                                           bool cancels);
/** The nearest force within the cone of friction |p_t| <= mu p_n. */
void sb_unilateral_enter_cone(double mu, double p[3]);
/** Forces that all but meet the conditions, and what each contact does by them (sweeps.c). @return whether there are some */
bool sb_unilateral_sweep(sb_unilateral_problem *m);
/** Whether a contact that slides presses the more the more it is pressed (Painleve), or would by what it yields: its force grows beyond all bounds. */
bool sb_unilateral_jams(const sb_unilateral_problem *m, int c);
/** The impulses with which no contact begins to slip, and all that do not part stay (sharing.c).
 *  @return whether there are such */
bool sb_unilateral_share(sb_unilateral_problem *m, double scratch[]);
/** Where a solution was found in which some begin to slip without an acceleration, or with one that no force takes, the shares with which
 *  they stick beside the slips of the others, if there are such (sharing.c).  @param kept  (count) scratch */
void sb_unilateral_spare(sb_unilateral_problem *m, sb_unilateral kept[], double scratch[]);
/** Where contacts hold one thing several times, their forces are not unique. Those of one that sticks at the bound of its friction leave it in
 *  the next moment: the nearest others with a reserve are taken, if there are some; normal forces change no more than that asks for. */
void sb_unilateral_reserve(sb_unilateral_problem *m, double scratch[]);

/** What the friction that holds others may press a contact with, as they are pressed. */
double sb_unilateral_pressed(const sb_unilateral_problem *m, int contact);
/** Where a share of friction comes near its bound, the share in the middle of those that hold what p holds (centre.c). */
void sb_unilateral_centre(sb_unilateral_problem *m, double scratch[]);
#endif
