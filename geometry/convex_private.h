// SPDX-License-Identifier: GPL-3.0-or-later
// What the search for the closest points of two convex bodies of any kind is made of: Newton's method on a pair
// of points, and for bodies whose cores overlap an ascent that cannot get lost.
#ifndef SB_GEOMETRY_CONVEX_PRIVATE_H
#define SB_GEOMETRY_CONVEX_PRIVATE_H

#include "geometry/closest_private.h"
#include "geometry/gjk_private.h"

/** A body's point in the state of the search. */
typedef struct convex_mate {
  sb_vec3 p, m; // the point [m], the outward normal
  sb_mat3 form; // L [1/m], or R [m] of a strictly curved body
} convex_mate;
typedef struct convex_state {
  convex_mate mates[2];
  sb_vec3 n;
  double gap, residual;
} convex_state;

/** Whether a body is told by its normals, `form` then being R. */
bool convex_is_strict(const convex_side *side);

/** Whether a body has no flats and no edges but is round, or a point. */
bool convex_is_curved(const convex_side *side);

/** The shape L of a body at its point [1/m]. */
sb_mat3 convex_shape(const convex_side *side, const convex_mate *at, sb_vec3 n);

/** Whether a solution of bodies without flats and edges is a maximum of g: R1 + R2 + gap 1 > 0. */
bool convex_is_maximum(const convex_side sides[2], const convex_state *s);

/** Reach of both bodies together [m], which residuals are relative to. */
double convex_size(const convex_side sides[2]);

/** A start from a direction: the support points. */
void convex_start_along(const convex_side sides[2], sb_vec3 n, convex_state *s);

/** A start from the points of the cores that are nearest. */
void convex_start_between(const convex_side sides[2], const sb_vec3 points[2], convex_state *s);

/** Newton's method from a start; true where the residual has become rounding. Counts evaluations. */
bool convex_refine(const convex_side sides[2], convex_state *s, int *evaluations);

/** Both points moved, and put on their surfaces again. */
void convex_move(const convex_side sides[2], const convex_state *from, sb_vec3 way,
                 convex_state *to);

/** The same; where that fails, for flats or sides that all but lie along each other (convex_slide.c). */
bool convex_refine_or_slide(const convex_side sides[2], convex_state *s, int *evaluations);

/** From a direction to a maximum of g near it, of two bodies whose cores overlap; false if none was
 *  reached. */
bool convex_ascend(const convex_side sides[2], sb_vec3 n, convex_state *s, int *evaluations);

/** The highest maximum of g that a survey of the whole sphere leads to; false if none was reached.
 *  @param flat  both cores are boxes, edges or points */
bool convex_survey(const convex_side sides[2], bool flat, convex_state *s, int *evaluations);

#endif
