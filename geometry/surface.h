// SPDX-License-Identifier: GPL-3.0-or-later
// Convex surfaces that bound a body: plane, sphere, ellipsoid. A surface is a small value, fixed in
// its body; every question takes the world pose of that body and answers in world axes.
// Support function, Rockafellar, Convex Analysis, section 13; shape operator, do Carmo, section 3.2.
#ifndef SB_GEOMETRY_SURFACE_H
#define SB_GEOMETRY_SURFACE_H

#include "core/base/error.h"
#include "core/base/export.h"
#include "geometry/screw.h"

typedef struct sb_surface sb_surface;

/** One kind of surface. `n` is a unit vector, `p` a point of the surface, both in world axes. */
typedef struct sb_surface_type {
  const char *name, *help;
  sb_status (*check)(const sb_surface *surface, sb_error *err);
  double (*support)(const sb_surface *surface, const sb_pose *body, sb_vec3 n, sb_vec3 *point);
  sb_mat3 (*radius)(const sb_surface *surface, const sb_pose *body, sb_vec3 n);
  sb_vec3 (*normal)(const sb_surface *surface, const sb_pose *body, sb_vec3 p);
  sb_mat3 (*shape)(const sb_surface *surface, const sb_pose *body, sb_vec3 p);
  sb_vec3 (*inertia)(const sb_surface *surface, double mass); // NULL: no uniform solid
  /** NULL: by differences of shape() */
  sb_vec3 (*shape_gradient)(const sb_surface *surface, const sb_pose *body, sb_vec3 p, sb_mat3 G);
} sb_surface_type;

struct sb_surface {
  const sb_surface_type *type;
  sb_vec3 normal;    // plane: outward unit normal; the body occupies normal . x <= offset
  double offset;     // [m] plane
  double radius;     // [m] sphere
  sb_vec3 semi_axes; // [m] sphere: three times the radius; plane: infinite
  sb_pose local;     // sphere, ellipsoid: pose of the shape in its body
};

/** Ellipsoids beyond this ratio of the longest semi-axis to the shortest are refused: the radii of
 *  curvature then span its square and cube, and too few digits remain for a smooth gap. */
#define SB_ELLIPSOID_RATIO_MAX 1e4

/** The half-space normal . x <= offset; `normal` may have any length, `offset` [m] counts along
 *  the unit normal. Constructors do not fail: sb_surface_check words what is wrong. */
SB_API sb_surface sb_surface_plane(sb_vec3 normal, double offset);
SB_API sb_surface sb_surface_sphere(double radius, sb_vec3 center);
SB_API sb_surface sb_surface_ellipsoid(sb_vec3 semi_axes, sb_pose local);

/** SB_ERR_RANGE unless all parameters are finite and make a body. */
SB_API sb_status sb_surface_check(const sb_surface *surface, sb_error *err);

/** Support function h(n) = max n . x over the body [m], and the point where it is reached (`point`
 *  may be NULL). Of a plane: infinite, unless n is its normal; then any point of it is right, and
 *  the foot of the perpendicular from the world's origin is given. */
SB_API double sb_surface_support(const sb_surface *surface, const sb_pose *body, sb_vec3 n,
                                 sb_vec3 *point);

/** Radius matrix R(n), the Hessian of h [m]; R n = 0. Not-a-number for a plane, which has none. */
SB_API sb_mat3 sb_surface_radius_matrix(const sb_surface *surface, const sb_pose *body, sb_vec3 n);

/** Outward unit normal at the surface point p. */
SB_API sb_vec3 sb_surface_normal(const sb_surface *surface, const sb_pose *body, sb_vec3 p);

/** Weingarten map L at the surface point p [1/m]: dn = L dp along the surface, L n = 0, L >= 0 as
 *  the body is convex, and L R = 1 - n n^T. */
SB_API sb_mat3 sb_surface_shape(const sb_surface *surface, const sb_pose *body, sb_vec3 p);

/** How the Weingarten map changes over the surface: the tangent vector g [1/m^2] with g . u the rate of
 *  G : L for a point that moves from p along the surface at u, L and the symmetric tensor G of the tangent
 *  plane being carried along without a turn about the normal. By Codazzi the rate of a . L b is
 *  symmetric in a, b and u. A kind without a closed form is differentiated numerically, to about 1e-11. */
SB_API sb_vec3 sb_surface_shape_gradient(const sb_surface *surface, const sb_pose *body, sb_vec3 p,
                                         sb_mat3 G);

/** Principal moments of inertia [kg m^2] of the uniform solid of a mass [kg] about its centre, along the axes
 *  of its local pose; not-a-number for a plane, which bounds none. */
SB_API sb_vec3 sb_surface_inertia(const sb_surface *surface, double mass);

/** Smallest thickness [m]; infinite for a plane. */
SB_API double sb_surface_width(const sb_surface *surface);

/** Radius of a ball about the origin of the body that holds it all [m]; infinite for a plane. */
SB_API double sb_surface_bounding_radius(const sb_surface *surface);

SB_API const sb_surface_type sb_plane, sb_sphere, sb_ellipsoid;

/** Every kind, ended by NULL. */
SB_API const sb_surface_type *const sb_surface_types[];

#endif
