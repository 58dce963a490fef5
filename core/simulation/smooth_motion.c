// SPDX-License-Identifier: GPL-3.0-or-later
// A higher order for motions that are smooth for long.
//
// What a run is off by is the sum of the errors of its steps, each brought to the end by the flow. What is damped forgets them; the phase of what
// oscillates does not, nor does an energy that nothing dissipates: of N steps with errors of a sixth of a tolerance, of which a part c has one sign, it
// is c N/6 tolerances, and c comes to 0.2 (a drive train, 686 tolerances after 22,549 steps). No fraction of the tolerance mends that for all N at a bearable cost: a
// hundredth of it takes 2.5 times as many steps of order 5.
// A method of order 6 errs by less at the same estimate, as that falls with h^6 and what is left of it with h^7, and takes fewer steps where nothing interrupts
// them. So where MANY steps in a row were bounded by accuracy alone, it is tried, and kept where it costs hardly more.
#include "core/simulation/simulation_private.h"

/** These steps may have used up most of what a run may be off by, 100 tolerances. A step that stability bounds takes back STIFF: where it
 *  bounds them all, they swing about the bound, and more than every third is beyond. */
enum { MANY = 1000, STIFF = 2, SETTLING = 16, TRIED = 256, IMPATIENCE = 4, FAILURES_MAX = 8 };
/** What it may cost, in right-hand sides to a second, of what the other one did: steps of order 5 of such errors would cost half as much again. */
static const double worth = 1.2;

/** How many steps in a row make a trial. */
static int patience(const sb_automatic *a) {
  int steps = MANY;
  for (int k = 0; k < a->failures && k < FAILURES_MAX; k++) {
    steps *= IMPATIENCE;
  }
  return steps;
}

void sb_smooth_interrupt(sb_simulation *sim) {
  sb_automatic *a = &sim->automatic;
  const int before = a->smooth ? -SETTLING : patience(a) - TRIED;
  a->row = a->row < before ? a->row : before;
}

/** The row is compared by what its last steps have cost, as the motion may have become faster. */
static bool is_compared_from_here(const sb_automatic *a) {
  return a->row == (a->smooth ? 0 : patience(a) - TRIED);
}

/** Of the method that is tried, once its first steps have found their length. */
static sb_status judge(sb_simulation *sim, double cost, sb_error *err) {
  sb_automatic *a = &sim->automatic;
  a->tried = true;
  if (cost <= worth * a->row_cost) {
    return SB_OK;
  }
  a->smooth = false;
  a->failures++;
  a->row = 0;
  return sb_automatic_change(sim, SB_EXPLICIT, err);
}

sb_status sb_smooth_choose(sb_simulation *sim, sb_error *err) {
  sb_automatic *a = &sim->automatic;
  if (a->smooth && a->tried) {
    return SB_OK;
  }
  if (is_compared_from_here(a)) {
    a->row_t = sim->t;
    a->row_work = sb_automatic_work(sim);
  }
  const bool stiff = a->votes > 0 && a->calm == 0 && !a->smooth;
  a->row = stiff ? (a->row > STIFF ? a->row - STIFF : 0) : a->row + 1;
  if (a->row < (a->smooth ? TRIED : patience(a))) {
    return SB_OK;
  }
  const double cost = (sb_automatic_work(sim) - a->row_work) / (sim->t - a->row_t);
  if (a->smooth) {
    return judge(sim, cost, err);
  }
  a->smooth = true;
  a->tried = false;
  a->row_cost = cost;
  a->row = -SETTLING;
  return sb_automatic_change(sim, SB_SMOOTH, err);
}
