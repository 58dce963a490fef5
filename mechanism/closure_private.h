// SPDX-License-Identifier: GPL-3.0-or-later
// The inside of the closures of a tree, and of their scratch memory.
//
// Rows and velocities are scaled to one unit, [m/s]: turns by the length of the mechanism. All that is dense is in that
// scale: J = T E with rows E that are orthonormal, and T = Z R with columns Z that are; Y = M^-1 E^T, B = E Y.
#ifndef SB_MECHANISM_CLOSURE_PRIVATE_H
#define SB_MECHANISM_CLOSURE_PRIVATE_H

#include "core/base/arena.h"
#include "mechanism/closure.h"

enum { CLOSURE_ROWS = 6 };

typedef struct closing {
  const char *name;
  int parent, child;
  sb_pose in_parent, in_child; // the joint's frame, its line along z
  bool holds[3]; // the child's origin stays where it is along x, y, z of the parent's frame
  int turns;    // how many rows keep directions: 3 all, 2 z, 1 x perpendicular to the parent's z, 0
  double pitch; // [m/rad] along z, which is held then
  int first, rows;
} closing;

typedef struct coupling {
  const char *name;
  sb_coupling_term *terms;
  int *coordinates; // (count)
  int count, row;
  double value;
} coupling;

struct sb_closures {
  sb_arena memory;
  const sb_tree *tree;
  int joints, couplings, rows, velocities;
  double length;
  closing *joint;
  coupling *coupling;
  double *row_scale; // (rows)
  double *unit;      // (velocities) [m/rad] of turns, else 1
  int *coordinate;   // (velocities) -1: of a free turn
};

/** Where things stand in the scratch memory. */
typedef struct closure_parts {
  double *rank;  // (1)
  double *order; // (rows)
  double *J, *T,
      *R;        // (rows x n), used up: the first rank rows are E; (rank x rows): Z; (rank x rank)
  double *Y, *B; // (rank x n); (rank x rank) the lower triangle L of B = L L^T
  double *sum, *row;       // (rank), (rows)
  double *effort, *change; // (n) both
  double *bias, *before;   // (rows); (coordinates)
  sb_twist *rates;         // (bodies)
} closure_parts;

closure_parts closure_parts_of(const sb_closures *closures, double scratch[]);

/** The poses of a joint's frame on both bodies. */
typedef struct closure_frames {
  sb_pose parent, child;
} closure_frames;
closure_frames closure_frames_of(const sb_closures *closures, const closing *c,
                                 const double tree_scratch[]);

/** The rows of a joint, as wrenches on the child about its frame's origin in world axes: the rate of a row is its
 *  power with the child's twist against the parent's there. */
void closure_wrenches(const closing *c, const closure_frames *at, sb_wrench rows[CLOSURE_ROWS]);

/** The scaled multipliers of the reduced rows to those of all, lambda = -Z R^-T sum. */
void closure_multipliers(const sb_closures *closures, const closure_parts *p, double lambda[]);

/** q moved by dv for unit time: q + dv, and free turns q o exp(dv). */
void closure_advance(const sb_tree *tree, const double dv[], double q[]);

/** The largest of |g|, turns and couplings by the length [m]; and its row. */
double closure_gap(const sb_closures *closures, const double g[], int *row);

#endif
