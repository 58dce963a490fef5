// SPDX-License-Identifier: GPL-3.0-or-later
// Forces, or impulses, of a few rigid contacts with Coulomb's friction, and of one impact by Routh's method.
// A contact has three components: normal, and two tangential. With the response W and b, what their flows (or the
// rates of these) are without forces, u = b + W p satisfies for every contact
//   p_n >= 0, u_n >= 0, p_n u_n = 0,   |p_t| <= mu p_n;  u_t = 0, or p_t = -mu p_n u_t/|u_t|,
// or p_t = -mu p_n s where it slides along s already.
#ifndef SB_CORE_UNILATERAL_H
#define SB_CORE_UNILATERAL_H

#include <stdbool.h>

/** One contact. */
typedef struct sb_unilateral {
  bool rubs;   // else its tangential components do not count
  bool dry;    // a friction alone, of the strength mu p_n whatever presses elsewhere
  double mu;   // HUGE_VAL: it never slips
  bool slides; // along s
  double s[2]; // out where it starts to slide: along u_t
  bool ended;  // a slip has come to nothing, and may not begin again: it may be wedged
  bool fades;  // what starts to slide along s has a speed already, which may fall
  bool acts;   // out: p_n > 0
  bool sticks; // out: p_t is within its bound
} sb_unilateral;

typedef enum sb_unilateral_status {
  SB_UNILATERAL_SOLVED,
  SB_UNILATERAL_IMPACT,  // no forces let slips go on: p is the impulses that end them (Painleve)
  SB_UNILATERAL_NOT_MET, // none are found
  SB_UNILATERAL_MEMORY,
} sb_unilateral_status;

/** Forces with which the flows go on from v; of least norm where contacts are redundant and none begins to slip.
 *  @param W  (3 count x 3 count)  @param b  (3 count) the rates of the flows; HUGE_VAL in the normal one: takes no part
 *  @param v  (3 count) the flows: (0, speed s) of what slides, or zero where that has only begun, else zero; NULL: all are zero, as of impulses, with flows for b
 *  @param p  (3 count) out */
sb_unilateral_status sb_unilateral_solve(sb_unilateral contacts[], int count, const double W[],
                                         const double b[], const double v[], double p[]);

/** Forces near p by which contacts go on as `acts`, `sticks` and `slides` say, and slips that begin, or fade, along directions near s.
 *  @return whether there are such */
bool sb_unilateral_continue(sb_unilateral contacts[], int count, const double W[], const double b[],
                            double p[]);

/** A tangential response below this fraction of the other one of its contact is nothing: an axis is off a plane by its digits. */
#define SB_UNILATERAL_NOTHING 1e-13
/** The speed of what moves most that has the energy of a tangential flow, sqrt(u . W^-1 u W_max): where impulses move one direction far less than
 *  another, what ends a slow flow in it takes far more. Where nothing moves in it that is |u|.
 *  @param W  the tangential block at W[0], with rows of `columns`  @param u  (2) */
double sb_unilateral_speed(const double W[], int columns, const double u[2]);

enum { SB_ROUTH_NEWTON, SB_ROUTH_POISSON, SB_ROUTH_STRONGE }; // as sb_impact_law
/** The impulse of one impact (Routh 1905, ch. 5; Stronge, Impact Mechanics, 2000): v grows with the normal impulse by
 *  dv/dp_n = W (1, -mu s), s = v_t/|v_t|, until the restitution e is complete.
 *  @param W  (3 x 3)  @param v  (3) before it, to `known` [m/s]  @param p  (3) out
 *  @return false: it does not end */
bool sb_routh(const double W[9], const double v[3], double known, double mu, double e, int law,
              double p[3]);
/** The impulses of contacts that approach alike, as those of one (routh_together.c).
 *  @param contacts  (count) rubs, mu  @param struck  (count) which approach so; others take no part
 *  @param v  (3 count) before it; a slip that is known no better than to itself is zero
 *  @param speeds  [m/s] those that v is known to the rounding of  @param p  (3 count) out
 *  @return SB_UNILATERAL_NOT_MET: there are none */
sb_unilateral_status sb_routh_together(const sb_unilateral contacts[], int count,
                                       const bool struck[], const double W[], const double v[],
                                       double speeds, double e, int law, double p[]);

#endif
