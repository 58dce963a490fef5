// SPDX-License-Identifier: GPL-3.0-or-later
// The inside of the closures of a tree, and of their scratch memory.
//
// Rows and velocities are scaled to one unit, [m/s]: turns by the length of the mechanism. All that is dense is in that
// scale: J = T E with rows E that are orthonormal, and T = Z R with columns Z that are; Y = M^-1 E^T, B = E Y = L L^T.
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
  double *live, *rank; // counts: rows that are not zero, which come first; and E
  double *open;        // [m] of the state that was last followed or closed, as sb_closures_open()
  double *order;       // (rows) which row stands there
  double *J;           // (rows x n) used up: the first are E
  double *T, *R;       // (rank x live), (rank x rank) by columns; of T only Z is kept
  double *Y, *B;       // (rank x n), (rank x rank); of B only L is kept
  double *sum, *row;   // (rank), (rows)
  double *effort, *change; // (n) both
  double *bias, *before;   // (rows), (coordinates)
  double *lambda;          // (rows)
  sb_twist *rates;         // (bodies)
  sb_wrench *wrenches;     // (bodies + joints)
} closure_parts;

closure_parts closure_parts_of(const sb_closures *closures, double scratch[]);

/** J = T E at this position, in the scratch memory. @param skip  a closure to leave out; -1: none @return the rank */
int closure_rank(const sb_closures *closures, int skip, int most, const double tree_scratch[],
                 double scratch[]);

/** By four sums, which do not wait for each other. */
static inline double dot(const double a[], const double b[], int n) {
  double s[4] = {0, 0, 0, 0};
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    s[0] += a[i] * b[i];
    s[1] += a[i + 1] * b[i + 1];
    s[2] += a[i + 2] * b[i + 2];
    s[3] += a[i + 3] * b[i + 3];
  }
  for (; i < n; i++) {
    s[0] += a[i] * b[i];
  }
  return (s[0] + s[1]) + (s[2] + s[3]);
}

static inline void axpy(double s, const double x[], double y[], int n) {
  for (int i = 0; i < n; i++) {
    y[i] += s * x[i];
  }
}

/** The poses of a joint's frame on both bodies. */
typedef struct closure_frames {
  sb_pose parent, child;
} closure_frames;
closure_frames closure_frames_of(const sb_closures *closures, const closing *c,
                                 const double tree_scratch[]);

/** The rows of a joint, as wrenches on the child about its frame's origin in world axes: the rate of a row is its
 *  power with the child's twist against the parent's there. */
void closure_wrenches(const closing *c, const closure_frames *at, sb_wrench rows[CLOSURE_ROWS]);

/** q moved by dv for unit time: q + dv, and free turns q o exp(dv). */
void closure_advance(const sb_tree *tree, const double dv[], double q[]);

/** As sb_closures_gap(). @param row  out, unless there is no gap */
double closure_gap(const sb_closures *closures, const double g[], int *row);

/** sb_closures_assemble() by so many searches, of which the first begins at q. */
sb_status closure_assemble(const sb_closures *closures, const bool fixed[], int starts, double q[],
                           sb_vec3 point, int *worst, sb_error *err);

/** The mechanism's length and its distance from the point that the tree counts from [m]: gaps are rounded by some 1e-16 of that. */
double closure_reach(const sb_closures *closures, const double tree_scratch[]);

#endif
