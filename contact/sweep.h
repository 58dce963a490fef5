// SPDX-License-Identifier: GPL-3.0-or-later
// Which of many balls may overlap: by sorting and sweeping.
#ifndef SB_CONTACT_SWEEP_H
#define SB_CONTACT_SWEEP_H

#include <stdbool.h>

#include "geometry/vec3.h"

typedef struct sb_swept {
  int index;
  sb_vec3 center;
  double reach; // [m] infinite: overlaps with all
  double low;   // [m] where it begins along the axis of the sweep
} sb_swept;

/** All zero: empty. */
typedef struct sb_sweep {
  sb_swept *items; // (count)
  int count, capacity;
  int (*pairs)[2]; // (pair_count) the smaller index first
  int pair_count, pair_capacity;
} sb_sweep;

/** @return false: out of memory, as below */
bool sb_sweep_add(sb_sweep *sweep, int index, sb_vec3 center, double reach);
/** Finds all pairs whose boxes, the balls' along the axes, overlap, sorted; none twice. */
bool sb_sweep_run(sb_sweep *sweep);
void sb_sweep_finish(sb_sweep *sweep);

#endif
