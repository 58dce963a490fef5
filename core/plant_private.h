// SPDX-License-Identifier: GPL-3.0-or-later
// The model of a simulation at an operating point, with states and sources that can be moved, and
// what a linearisation asks of it.
#ifndef SB_CORE_PLANT_PRIVATE_H
#define SB_CORE_PLANT_PRIVATE_H

#include "core/linearize.h"
#include "core/simulation_private.h"

struct sb_driven; // a source with an amount added

typedef struct sb_plant {
  sb_model model; // the simulation's, with other parts
  struct sb_driven **sources;
  int source_count;
  double *amount;     // (components of all parts) added to sources; 0 elsewhere
  double gain;        // on what the sources give by themselves
  sb_simulation view; // through which quantities are read
  const sb_quantity *outputs;
  int output_count;
  double *x;                           // (states and integrals) where it is evaluated
  double *all;                         // (rows + integrals) scratch
  int states, output_components, rows; // rows: rates, outputs and port variables
} sb_plant;

/** @param outputs  borrowed */
sb_status sb_plant_init(sb_plant *p, const sb_simulation *sim, const sb_quantity outputs[],
                        int output_count, sb_error *err);
void sb_plant_finish(sb_plant *p);

/** Rates, outputs and port variables at p->x. false: an element gives no finite number.
 *  @param out  (p->rows) out */
bool sb_plant_evaluate(sb_plant *p, double out[]);

/** A and C about l->x, E where there is one, and B and D; it moves p->x.
 *  @param inputs  amounts of p, one for each of l's inputs; NULL: B and D are left as they are
 *  @param exact   the model and the outputs are linear: no differences are taken
 *  @return SB_ERR_MEMORY, SB_ERR_NOT_FINITE */
sb_status sb_plant_differentiate(sb_plant *p, sb_linear *l, double *const inputs[], bool exact,
                                 sb_error *err);

/** Moves l->x to xdot = 0 by Newton's iteration, damped, with A and C for its scratch.
 *  @return SB_ERR_MEMORY, SB_ERR_NOT_FINITE; SB_ERR_SOLVER: no equilibrium found */
sb_status sb_plant_settle(sb_plant *p, sb_linear *l, sb_error *err);

#endif
