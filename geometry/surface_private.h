// SPDX-License-Identifier: GPL-3.0-or-later
// What the kinds of surfaces share: checks of lengths and of the local pose, and boxes swept by a
// ball, which sphere, point, capsule and rounded box are.
#ifndef SB_GEOMETRY_SURFACE_PRIVATE_H
#define SB_GEOMETRY_SURFACE_PRIVATE_H

#include "geometry/surface.h"

/** 1 - n n^T */
static inline sb_mat3 tangent_projection(sb_vec3 n) {
  return sb_mat3_add(sb_mat3_identity(), sb_mat3_scale(sb_mat3_outer(n, n), -1.0));
}

/** "a" or "an", for its kind. */
const char *surface_article(const sb_surface *surface);
/** SB_ERR_RANGE unless a length is positive and finite: "the radius of a sphere must be ...". */
sb_status surface_check_length(const sb_surface *surface, const char *name, double length,
                               sb_error *err);
/** SB_ERR_RANGE unless the local pose is finite and a rotation. */
sb_status surface_check_pose(const sb_surface *surface, sb_error *err);
/** SB_ERR_RANGE unless edge_radius is zero, a sharp edge, or positive, not tiny, and at most `most`. */
sb_status surface_check_edge(const sb_surface *surface, double most, sb_error *err);

/** Half a length of a body; the radius of its edges where the difference, the half length of its core, is rounding of
 *  other units: a flat that long is none. */
static inline double surface_half_or_sweep(double half, double sweep) {
  static const double rounding = 1e-15;
  return fabs(half - sweep) <= rounding * sweep ? sweep : half;
}

/** Gradient of a shape that is the same along each patch: zero. */
sb_vec3 surface_same_shape(const sb_surface *surface, sb_vec3 x, sb_mat3 G);
/** Gradient of the shape at a spot of a torus of radius R and tube radius a about the z axis: along the
 *  meridian m the curvature k = n_r/(R + a n_r) around t changes by c = -R n_z/(a (R + a n_r)^2), and
 *  by Codazzi, g = c (G(t,t) m + 2 G(m,t) t). */
sb_vec3 torus_shape_gradient(double R, double a, const sb_surface_spot *spot, sb_mat3 G);

/** The box of half lengths `half`, some of them zero, about the origin, swept by a ball. */
double swept_box_support(sb_vec3 half, double sweep, sb_vec3 n, sb_vec3 *point);
/** As the hook `nearest`.
 *  @param piece  0: of the whole; else of one piece, which goes on behind its ends: along each axis a digit of piece - 1 in base 3, 0 and 2 beyond
 *                the flat at the lower and at the upper end, 1 between the two. Along an axis of length zero it is always 1. */
void swept_box_nearest(sb_vec3 half, double sweep, int piece, sb_vec3 y, sb_surface_spot *spot);
int swept_box_piece(sb_vec3 half, sb_vec3 x);
double swept_box_within(sb_vec3 half, int piece, sb_vec3 x, sb_vec3 *gradient);
/** As the hook `below`. */
void swept_box_below(sb_vec3 half, double sweep, sb_vec3 y, sb_vec3 n, sb_surface_spot *spot);
sb_vec3 swept_box_inertia(sb_vec3 half, double sweep, double mass);
double swept_box_volume(sb_vec3 half, double sweep);

/** z_i = x_i / a_i of the point of an ellipsoid with semi-axes a nearest to y. `ambiguous`: its
 *  mirror image is just as near. Counts the steps of the secular equation. */
sb_vec3 ellipsoid_nearest(sb_vec3 a, sb_vec3 y, bool *ambiguous, int *steps);

#endif
