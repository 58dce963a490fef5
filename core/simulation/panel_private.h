// SPDX-License-Identifier: GPL-3.0-or-later
// Quantities at many samples of one step: between nodes in time at which the model is evaluated they are
// polynomials themselves.
#ifndef SB_CORE_PANEL_PRIVATE_H
#define SB_CORE_PANEL_PRIVATE_H

#include "core/network/quantity.h"
#include "core/simulation/interpolant_private.h"
#include "core/simulation/simulation.h"

/** A quantity that the sampler reads. */
typedef struct sb_sampled {
  sb_quantity quantity;
  int at;      // of its first number in a row of values
  double norm; // that it has at all nodes; < 0: it is no vector of constant length
} sb_sampled;

/** Quantities at the nodes of a polynomial over times from a to b. */
typedef struct sb_panel {
  sb_sampled *sampled; // (count) in the order in which the sampler reads them
  int count, capacity;
  int next; // that the sampler is likely to read now
  int *slots,
      slot_count; // where a quantity is among them, from 1, by its hash; 0: free; a power of two
  int width;      // numbers of all quantities
  double
      *values; // (nodes and two more x width) at the nodes; exact and combined where it is tested
  int value_capacity;
  bool active;                     // the present sample is between a and b
  double a, b;                     // [s]
  double t, weight[SB_DEGREE_MAX]; // of the last value read
  sb_interpolant polynomial;
} sb_panel;

/** Evaluations that a panel takes: fewer samples are not worth one. */
enum { SB_PANEL_TESTS = 4, SB_PANEL_COST = SB_DEGREE_MAX + 1 + SB_PANEL_TESTS };

/** Brings the workspace to a time within the last step, with sim->view_x the state there. */
typedef sb_status (*sb_panel_mover)(sb_simulation *sim, double t, sb_error *err);

bool sb_panel_init(sb_panel *panel);
void sb_panel_finish(sb_panel *panel);
/** Reads the quantities at the nodes from a to b [s], and at times between them: the panel is active if the
 *  polynomials are right there to the relative tolerance of the run.  @return whether it is */
bool sb_panel_make(sb_simulation *sim, sb_panel *panel, double a, double b, sb_panel_mover move);
/** The quantity at time t, if the panel is active and knows it; else it is followed from now on.
 *  @param out  (quantity->count) out */
bool sb_panel_read(sb_panel *panel, const sb_quantity *quantity, double t, double out[]);

#endif
