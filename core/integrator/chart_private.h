// SPDX-License-Identifier: GPL-3.0-or-later
// Variables in which an explicit method steps in place of states that suit it badly (sb_storage_chart): of the
// momenta of a long chain, which the method would turn into rates by an inverse mass matrix of a large condition number.
#ifndef SB_CORE_INTEGRATOR_CHART_PRIVATE_H
#define SB_CORE_INTEGRATOR_CHART_PRIVATE_H

#include "core/base/arena.h"
#include "core/program/workspace.h"

typedef struct sb_chart {
  sb_workspace *work;
  sb_arena memory;
  int *instances; // that have such variables
  int count;      // 0: the variables are the states
  bool *on;       // (count) whether they are used, from where steps began
  double *scale;  // (states) by which they are of the size of the states
  double *x;      // (states)
} sb_chart;

/** @return false: out of memory */
bool sb_chart_init(sb_chart *c, sb_workspace *work);
void sb_chart_finish(sb_chart *c);
/** Makes z of x, from where steps begin, if rounding of the variables' rates is no matter to rtol.
 *  @return 0; < 0: the hooks have no answer */
int sb_chart_start(sb_chart *c, double rtol, double t, double z[]);
/** z of x by the scales that there are; x and z may be one. */
int sb_chart_enter(const sb_chart *c, double t, double z[]);
/** x of z, which stays in c->x; z itself where nothing is to be changed. */
const double *sb_chart_leave(sb_chart *c, double t, const double z[]);
/** The rates of z from those of x, which were evaluated last. */
int sb_chart_rates(const sb_chart *c, double t, const double x[], double rate[]);

/** Lets an error be a fraction rtol of the variable itself, where that is more. */
void sb_chart_weights(const sb_chart *c, double rtol, const double z[], double weight[]);

#endif
