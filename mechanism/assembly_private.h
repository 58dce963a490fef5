// SPDX-License-Identifier: GPL-3.0-or-later
// What searches for closed positions share.
#ifndef SB_MECHANISM_ASSEMBLY_PRIVATE_H
#define SB_MECHANISM_ASSEMBLY_PRIVATE_H

#include "mechanism/assembly.h"
#include "mechanism/closure_private.h"

/** Of assembly_reach(): a gap that is closed. */
#define ASSEMBLY_CLOSED 1e-12

typedef struct assembly {
  const sb_closures *s;
  const bool *fixed;
  sb_vec3 point; // that places count from
  double *tree_scratch;
  double *J, *g, *next; // (rows x n), (rows) both; in the scale of mechanism/closure_private.h
  double *dv, *q;       // (n), (coordinates)
  double *matrix, *right, *scratch;
  int *order;
} assembly;

sb_status assembly_begin(assembly *a, const sb_closures *s, const bool fixed[], sb_vec3 point,
                         sb_error *err);
void assembly_end(assembly *a);
/** g at q, in the scale of the rows. @return its length [m] */
double assembly_look(assembly *a, const double q[], double g[]);
/** J at the last q; `rates`: J v, or NULL; the columns of what is fixed are cleared. */
void assembly_take_rows(assembly *a, const double v[], double rates[]);
/** Shortens a step in which something turns, or shifts against the mechanism's length, too far. */
void assembly_restrain(assembly *a);
/** How far from the world's origin places are that are stated there [m]: by their rounding loops may not close. */
double assembly_reach(const assembly *a);

#endif
