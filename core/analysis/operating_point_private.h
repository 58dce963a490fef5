// SPDX-License-Identifier: GPL-3.0-or-later
// The model of a simulation at an operating point, with states and sources that can be moved, and
// what a linearisation asks of it.
#ifndef SB_CORE_ANALYSIS_OPERATING_POINT_PRIVATE_H
#define SB_CORE_ANALYSIS_OPERATING_POINT_PRIVATE_H

#include "core/model/rhs.h"
#include "core/simulation/access.h"

struct sb_mode_change; // core/analysis/linearize.h

typedef struct sb_operating_point {
  sb_arena memory;
  sb_network network;  // the simulation's, with other sources
  double *amount;      // (components of all instances) added to sources; 0 elsewhere
  double *amount_rate; // (the same) added to their rates
  double gain;         // on what the sources give by themselves
  sb_workspace *work;
  int *start_modes; // (modes) those of the simulation
  const char *
      *changed; // (instances) by which change an element last took another one; NULL: by none
  double t;     // [s]
  sb_quantity *outputs;
  int output_count;
  double *x;                           // (states and quadratures) where it is evaluated
  bool coarse;                         // derivatives of a few digits are enough
  int states, output_components, rows; // rows: rates, outputs and port variables
  const char
      *late; // the first element that gives what its input was some time ago; NULL: there is none
  int late_count; // each has a state of its own here,
  sb_program
      *program; // with which the modes at the start have this program; NULL: that of the model
} sb_operating_point;

/** @param outputs  quantities as sb_model_find() knows them
 *  @return SB_ERR_REFERENCE, SB_ERR_MEMORY, what a compilation for the present modes returns; to be finished even so */
sb_status sb_operating_point_init(sb_operating_point *p, const sb_simulation *sim,
                                  const char *const outputs[], int output_count, sb_error *err);
void sb_operating_point_finish(sb_operating_point *p);

/** Of an element that gives what its input was some time ago; NULL: it does not. */
const sb_delay_hooks *sb_late_hooks(const sb_instance *instance);
/** Whether that has been put in the place of one. */
bool sb_late_is_replaced(const sb_instance *instance);
/** Puts y' = (u - y)/T in the place of such elements, in the copy of the network, and all states into p->x (late.c).
 *  @pre room for a state more of each in p->x. memory.failed: out of memory */
void sb_late_replace(sb_operating_point *p, const sb_simulation_point *from);

/** Rates, outputs and port variables at p->x. false: an element gives no finite number.
 *  @param out  (p->rows) out */
bool sb_operating_point_evaluate(sb_operating_point *p, double out[]);
/** From here on expressions go on as they are at p->x, so that no difference looks across a kink of theirs: at a kink itself
 *  those that take no branch of their own there take the side of its first argument. Of each branch that is evaluated it is
 *  noted how far it is from its kink; NAN: of others. @param out  as above */
void sb_operating_point_hold(sb_operating_point *p, double out[]);
/** The elements that are in another mode than at the start of the analysis. @return how many; memory->failed: out of memory */
int sb_operating_point_list_changed(const sb_operating_point *p, sb_arena *memory,
                                    struct sb_mode_change **changed);
/** Whether the network has constraints that are not linear. */
bool sb_operating_point_is_held(const sb_operating_point *p);
/** Names the element that failed in the last evaluation. */
sb_status sb_operating_point_not_finite(const sb_operating_point *p, sb_error *err);

#endif
