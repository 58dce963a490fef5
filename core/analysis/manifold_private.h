// SPDX-License-Identifier: GPL-3.0-or-later
// Where the states of a model can be: storages that project their states, such as mechanisms with closed loops, have
// fewer freedoms than states. About a point of that manifold small motions are dx = T dz, with z some of the states.
#ifndef SB_CORE_ANALYSIS_MANIFOLD_PRIVATE_H
#define SB_CORE_ANALYSIS_MANIFOLD_PRIVATE_H

#include "core/analysis/linearize.h"
#include "core/analysis/operating_point_private.h"

typedef struct sb_manifold {
  int states, freedoms;
  int *chosen; // (freedoms) the states that are z, in their order
  double *T;   // (states x freedoms) row-major; the rows of z are unit rows
} sb_manifold;

/** The tangent space at p->x, which is on the manifold and stays.
 *  @param constraints  by those of the network, too, and not by those of the storages alone
 *  @param manifold  out: of all states, if none is projected
 *  @return SB_ERR_NOT_FINITE, SB_ERR_SOLVER: its dimension cannot be told; SB_ERR_MEMORY */
sb_status sb_manifold_find(sb_operating_point *p, bool constraints, sb_manifold *manifold,
                           sb_arena *memory, sb_error *err);

/** Moves p->x onto it, and onto the model's constraints. @return false: it is too far off, or an element gives no finite number */
bool sb_manifold_enter(sb_operating_point *p);

/** Lets the first states of l, A, B, C, E, x and xdot be those of z. In place. */
void sb_manifold_reduce(const sb_manifold *manifold, sb_linear *l);

/** The product with T of rows of derivatives by all states, which become rows of derivatives by z, in place.
 *  @param chosen  (rows) those that are wanted, ascending; NULL: the first */
void sb_manifold_fold(const sb_manifold *manifold, double matrix[], int rows, const int chosen[]);

/** out = T dz (states). */
void sb_manifold_move(const sb_manifold *manifold, const double dz[], double out[]);

#endif
