// SPDX-License-Identifier: GPL-3.0-or-later
// The search for further solutions of a loop: what its ways (multiplicity.c, tearing.c) share.
#ifndef SB_CORE_LOOP_MULTIPLICITY_PRIVATE_H
#define SB_CORE_LOOP_MULTIPLICITY_PRIVATE_H

#include "core/loop/newton_private.h"

enum { SB_SOLUTIONS_MAX = 8 }; // that are told apart
/** Decades that are searched where nothing tells the scale. */
enum { SB_DECADES_MOST = 24 };
/** Hooks are affine if second differences are below this fraction of their terms; and a sign change whose
 *  residuals stay above this fraction of those around it is a jump. */
static const double sb_affine_rounding = 1e-9;

typedef struct sb_solution_search {
  const sb_newton *n;
  double *y[SB_SOLUTIONS_MAX]; // (m) the solutions known
  int known;
  double *start, *scale;            // (m) around which is searched, of the outputs
  double *noise;                    // (m) what they inherit from the sizes of inputs
  double *here, *sample, *narrowed; // (m) scratch of a scan, of a sample, and of a bisection
  int cut;                          // the tearing variable; -1: none is enough
  int order[SB_LOOP_MAX];           // of the hooks, the one that gives it at last
  bool laws;                        // alone: of two solutions one falls between them
  bool rests;                       // nothing tells the scale
  double range;                     // up to where g(z) is not far below z
  double last_z, last_gap;          // the sample before
} sb_solution_search;

/** Notes what Newton's method finds from y (m), if it is another solution than those known. */
void sb_solution_note(sb_solution_search *s, const double y[]);

// tearing.c
/** Chooses s->cut and s->order. */
void sb_tearing_choose(sb_solution_search *s);
/** Notes the solutions along it: samples over decades; then evenly, as far as g reaches, for z = g(z) is no larger; then
 *  around what is known. */
void sb_tearing_scan(sb_solution_search *s);

#endif
