// SPDX-License-Identifier: GPL-3.0-or-later
// An RLC ladder of n sections, each R and L in series and C across, with a load at the end, on a
// step of voltage: as a graph, and as the loops that an expert would write for just this circuit,
//   pdot_k = u_(k-1) - u_k - R i_k,   qdot_k = i_k - i_(k+1),   i = p/L, u = q/C, i_(n+1) = u_n/load.
#ifndef SB_BENCH_LADDER_H
#define SB_BENCH_LADDER_H

#include <sundials/sundials_types.h>

#include "core/graph/graph.h"

static const double ladder_resistance = 1, ladder_inductance = 1e-3, ladder_capacitance = 1e-6;
static const double ladder_load = 31.62, ladder_step = 1; // [ohm] = sqrt(L/C), [V]
static const double ladder_stiff_inductance = 10e-9;      // [H] L/R = 10 ns, R C = 1 us

/** The value of section k, 1 to n, of components that spread by up to this ratio about the mean. */
double ladder_value(double mean, double spread, int k);

/** The caller destroys it. Its states are L1.p C1.q L2.p C2.q ... */
sb_graph *ladder_graph(int sections, double inductance, double spread);

/** One value for each section, and for all of them, which an expert would use if they are alike. */
typedef struct ladder_by_hand {
  int sections;
  double r_over_l, inverse_l, inverse_c, inverse_load;
  double *resistance, *inverse_ls, *inverse_cs; // (sections) owned
} ladder_by_hand;

void ladder_by_hand_init(ladder_by_hand *hand, int sections, double inductance, double spread);
void ladder_by_hand_finish(ladder_by_hand *hand);

/** With constants for all sections (spread 0), fluxes and charges apart: vectorises. An ode_rhs.
 *  @param x  (2 n) fluxes p [V s], then charges q [A s] */
int ladder_rhs_apart(void *hand, double t, const double x[], double xdot[]);
/** With values for each section, as a circuit has that is not all alike. An ode_rhs.
 *  @param x  (2 n) p, q of the first section, of the second ... */
int ladder_rhs_by_section(void *hand, double t, const double x[], double xdot[]);
/** Its Jacobian in compressed columns. An ode_jacobian of ladder_jacobian_count(sections) entries. */
void ladder_jacobian(void *hand, sunindextype first[], sunindextype row[], double value[]);
int ladder_jacobian_count(int sections);

#endif
