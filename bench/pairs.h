// SPDX-License-Identifier: GPL-3.0-or-later
// Pairs of bodies for bench_closest, and the libraries that they are handed to: plain C that C++ reads
// too. Each library is optional: where it is not installed its file is not built.
#ifndef SB_BENCH_PAIRS_H
#define SB_BENCH_PAIRS_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum pairs_kind {
  PAIRS_ELLIPSOID, // semi-axes a
  PAIRS_BALL,      // of radius sweep: a = 0
  PAIRS_PLANE,     // the half-space z <= 0
  PAIRS_BOX,       // half lengths a
  PAIRS_SEGMENT,   // along z, half length a[2]
  PAIRS_CYLINDER   // about z, radius a[0], half length a[2]
} pairs_kind;

/** A body as a core and the radius of the ball that sweeps it. */
typedef struct pairs_body {
  pairs_kind kind;
  double a[3], sweep; // [m]
  double R[3][3];     // R[row][column], from the body's axes to the world's
  double p[3];        // [m] of its centre, in the world
} pairs_body;

/** A library: gap() of a pair [m] is negative for an overlap, not-a-number if there is no answer. Its
 *  objects are made before, outside the time: `context` is what `make` returned for the pair. */
typedef struct pairs_library {
  const char *name;
  bool apart, overlapping; // which gaps it computes
  void *(*make)(const pairs_body body[2]);
  double (*gap)(const void *context);
  void (*destroy)(void *context);
} pairs_library;

extern const pairs_library pairs_ccd_mpr, pairs_ccd_epa, pairs_fcl;

#ifdef __cplusplus
}
#endif
#endif
