// SPDX-License-Identifier: GPL-3.0-or-later
// A higher order for motions that are smooth for long.
//
// What a run is off by is the sum of the errors of its steps, each brought to the end by the flow. What is damped forgets them; the phase of what
// oscillates does not, nor does an energy that nothing dissipates: of N steps with errors of a sixth of a tolerance, of which a part c has one sign, it
// is c N/6 tolerances, and c comes to 0.2 (a drive train, 686 tolerances after 22,549 steps). No fraction of the tolerance mends that for all N at a bearable cost: a
// hundredth of it takes 2.5 times as many steps of order 5.
// A method of order 6 errs by less at the same estimate, as that falls with h^6 and what is left of it with h^7, and takes fewer steps where nothing interrupts
// them. So where MANY steps were bounded by accuracy alone, or FEW with a LONG way to go, it is tried, and kept where it costs hardly more.
#include "core/simulation/simulation_private.h"

/** MANY may have used up most of what a run may be off by, 100 tolerances. A step that stability bounds takes back STIFF of them: where it bounds
 *  them all, they swing about the bound, and more than every third is beyond. */
enum {
  MANY = 1000,
  FEW = 250,
  LONG = 4000,
  STIFF = 2,
  SETTLING = 16,
  TRIED = 256,
  IMPATIENCE = 4,
  FAILURES_MAX = 8
};
/** What it may cost, in right-hand sides to a second, of what the other one did: steps of order 5 of such errors would cost half as much again. */
static const double worth = 1.2;

/** What steps cost is asked for from here on. @param steps  from now */
static void mark(sb_simulation *sim, int steps) {
  sb_automatic *a = &sim->automatic;
  a->marked = sim->accepted + steps;
  a->marked_t = sim->t;
  a->marked_work = sb_automatic_work(sim);
}

void sb_smooth_interrupt(sb_simulation *sim) {
  mark(sim, SETTLING);
}

/** How many steps make a trial. The way to go is told by the mean step: the last one may have been cut short. */
static int patience(const sb_simulation *sim) {
  const double mean =
      (sim->t - sim->automatic.marked_t) / (double)(sim->accepted - sim->automatic.marked);
  const double to_come = (sim->t_end - sim->t) / mean;
  int steps = to_come > LONG && sim->automatic.votes == 0 ? FEW : MANY;
  for (int k = 0; k < sim->automatic.failures && k < FAILURES_MAX; k++) {
    steps *= IMPATIENCE;
  }
  return steps;
}

static sb_status try_smooth(sb_simulation *sim, double cost, sb_error *err) {
  sb_automatic *a = &sim->automatic;
  a->smooth = true;
  a->tried = false;
  a->cost_before = cost;
  mark(sim, SETTLING);
  return sb_automatic_change(sim, SB_SMOOTH, err);
}

static sb_status judge(sb_simulation *sim, double cost, sb_error *err) {
  sb_automatic *a = &sim->automatic;
  a->tried = true;
  if (cost <= worth * a->cost_before) {
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
  const bool stiff = a->votes > 0 && a->calm == 0;
  a->row = stiff ? (a->row > STIFF ? a->row - STIFF : 0) : a->row + 1;
  if (sim->accepted <= a->marked) { // first steps find their length
    mark(sim, (int)(a->marked - sim->accepted));
  }
  if (sim->accepted - a->marked < TRIED - 1) {
    return SB_OK;
  }
  const double cost = (sb_automatic_work(sim) - a->marked_work) / (sim->t - a->marked_t);
  const bool tries = a->row >= patience(sim);
  mark(sim, 0);
  return a->smooth ? judge(sim, cost, err) : tries ? try_smooth(sim, cost, err) : SB_OK;
}
