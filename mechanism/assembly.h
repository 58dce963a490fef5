// SPDX-License-Identifier: GPL-3.0-or-later
// Before a run: coordinates and velocities that close all loops, from approximate ones; and how a mechanism can move. All count
// places from a point, as sb_tree_place_from() does.
#ifndef SB_MECHANISM_ASSEMBLY_H
#define SB_MECHANISM_ASSEMBLY_H

#include "mechanism/closure.h"

/** Moves coordinates by as little as it can until all closures are closed to rounding.
 *  @param fixed  (velocities) those whose coordinates stay as given; NULL: none
 *  @param q      in and out; after a failure as near to closed as it came
 *  @param worst  out: the closure with the largest gap, of joints and then couplings; may be NULL
 *  @return SB_ERR_UNSOLVED: it is named, with its gap; SB_ERR_MEMORY */
sb_status sb_closures_assemble(const sb_closures *closures, const bool fixed[], double q[],
                               sb_vec3 point, int *worst, sb_error *err);

/** From a closed position to the one beside it that is nearest to what is stated, to rounding; where none is found q stays. See nearest.c.
 *  @param given   (velocities) those whose coordinates are stated  @param stated  (coordinates)
 *  @param q       in and out; closed
 *  @return SB_ERR_MEMORY */
sb_status sb_closures_approach(const sb_closures *closures, const bool given[],
                               const double stated[], double q[], sb_vec3 point, sb_error *err);

/** The velocities with J v = 0 that are nearest to the given ones, those that are fixed as given.
 *  @param q  closed  @param v  in and out
 *  @return SB_ERR_UNSOLVED: there are none, the closure that is violated is named; SB_ERR_MEMORY */
sb_status sb_closures_assemble_velocities(const sb_closures *closures, const bool fixed[],
                                          const double q[], sb_vec3 point, double v[], int *worst,
                                          sb_error *err);

/** Which coordinates would have to be given, beside those that are fixed, for the others to follow from them, where it is the
 *  approximate start that has decided: of motions that the loops let through, those along which something has been moved.
 *  @param from   (coordinates) where sb_closures_assemble() began  @param q  where it ended
 *  @param least  the least motion that counts as one, as a fraction of the length of the mechanism; of turns [rad]
 *  @param open   (velocities) out
 *  @return SB_ERR_MEMORY */
sb_status sb_closures_find_open(const sb_closures *closures, const bool fixed[],
                                const double from[], const double q[], sb_vec3 point, double least,
                                bool open[], sb_error *err);

/** How loops restrict the motion of a tree. */
typedef struct sb_mobility {
  int rank; // of the rows in this position
  int most; // the same in positions nearby: larger where this one is singular
} sb_mobility;

/** Degrees of freedom are sb_tree_velocities() - most.
 *  @param q        closed
 *  @param implied  (joints and couplings) out: how many rows of each follow from the tree and all other closures, in
 *                  the position nearby; may be NULL */
sb_status sb_closures_analyse(const sb_closures *closures, const double q[], sb_vec3 point,
                              sb_mobility *mobility, int implied[], sb_error *err);

#endif
