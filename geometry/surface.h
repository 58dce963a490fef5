// SPDX-License-Identifier: GPL-3.0-or-later
// Surfaces that bound a body: the table of kinds and the questions that they answer. A surface is a
// small value, fixed in its body by a local pose; the functions below take the world pose of that
// body and answer in world axes, the hooks of a kind work in the axes of the shape.
// Support function, Rockafellar, Convex Analysis, section 13; shape operator, do Carmo, section 3.2.
#ifndef SB_GEOMETRY_SURFACE_H
#define SB_GEOMETRY_SURFACE_H

#include <stdbool.h>

#include "core/base/error.h"
#include "core/base/export.h"
#include "geometry/screw.h"

typedef struct sb_surface sb_surface;

/** A point of a surface and what the surface is like there, in the axes of the shape. */
typedef struct sb_surface_spot {
  sb_vec3 x;       // [m] the point
  sb_vec3 n;       // outward unit normal of the body
  sb_mat3 shape;   // [1/m] Weingarten map L: dn = L dx along the surface, L n = 0
  double distance; // [m] of the point asked for, negative inside the body
  bool unique;     // false: another point of the surface is just as near
} sb_surface_spot;

/** One kind of surface. All hooks work in the axes of the shape, about its centre. */
typedef struct sb_surface_type {
  const char *name, *help;
  const char *attributes; // names of those that it takes, with blanks between
  bool convex;            // the body is convex and bounded
  bool smooth;            // its curvature is finite and changes without jumps
  bool curved;            // strictly convex: there is one point nearest to a plane
  bool ball;              // all of it is `radius` from its centre, which may be 0
  bool flat_core;         // a box, an edge or a point, swept by a ball
  bool edge_core;         // an edge, swept by a ball: two such pass each other within no time
  bool half_space;        // all of it is behind `normal` and `offset`
  /** Of what is hollow: its least radius of curvature [m]. NULL: it is not. */
  double (*narrowest)(const sb_surface *surface);
  /** Completes what follows from the attributes: width, reach, sweep, a unit normal. */
  void (*complete)(sb_surface *surface);
  sb_status (*check)(const sb_surface *surface, sb_error *err);
  /** h(n) = max n.x over the body, and where: in the middle where a flat or an edge is met, but of a torus, whose middle
   *  is a hole, at a point of its circle.
   *  NULL: unbounded in every direction. */
  double (*support)(const sb_surface *surface, sb_vec3 n, sb_vec3 *point);
  /** R(n), the Hessian of h [m]. NULL: the surface has flats or edges, where there is none. */
  sb_mat3 (*radius)(const sb_surface *surface, sb_vec3 n);
  /** The spot at a point of the surface, or near it. */
  void (*at)(const sb_surface *surface, sb_vec3 x, sb_surface_spot *spot);
  /** The spot nearest to any point, in closed form or nearly so; NULL: there is no such. */
  void (*nearest)(const sb_surface *surface, sb_vec3 y, sb_surface_spot *spot);
  /** Of a point y in a core that has flats, where the depth below each is a maximum of g: the spot below the flat or
   *  side that the normal n tells, however near another may be. `unique` is not set. NULL: there is no such. */
  void (*below)(const sb_surface *surface, sb_vec3 y, sb_vec3 n, sb_surface_spot *spot);
  /** Principal moments of a mass about its centre, that of a uniform solid; NULL: it can have no mass. */
  sb_vec3 (*inertia)(const sb_surface *surface, double mass);
  double (*volume)(
      const sb_surface *surface); // [m^3] of the solid; NULL: it is none, and has no density
  /** Whether the derivative of its curvature, too, is finite; NULL: it is. */
  bool (*steady)(const sb_surface *surface);
  /** Of a surface with curves along which a curvature vanishes: the Weingarten map at x, less the curvatures that vanish
   *  within `extent` [m] of x along the axes of the shape. NULL: none does. */
  sb_mat3 (*least_shape)(const sb_surface *surface, sb_vec3 x, sb_vec3 extent);
  /** Of a surface put together of smooth pieces, which share their normals where they meet but not their curvatures:
   *  the piece, from 1, that a point x of the surface is on. NULL: it is one piece. */
  int (*piece)(const sb_surface *surface, sb_vec3 x);
  /** How far a point x, of the piece that is held or of what goes on behind its end, is from that end [m], below zero behind it.
   *  @param gradient  out */
  double (*within)(const sb_surface *surface, sb_vec3 x, sb_vec3 *gradient);
  /** As sb_surface_shape_gradient(); NULL: by differences of `at`, or of `radius` where there is no `at`. */
  sb_vec3 (*shape_gradient)(const sb_surface *surface, sb_vec3 x, sb_mat3 G);
} sb_surface_type;

/** A surface from a program. All functions work in the axes of the shape, whose origin is inside. */
typedef struct sb_custom {
  const void *data; // handed to the functions; kept by the caller as long as the surface is in use
  /** For sb_convex_body: h(n) = max n.x and where [m], for a unit n; and the Hessian of h [m]. */
  double (*support)(const void *data, sb_vec3 n, sb_vec3 *point);
  sb_mat3 (*radius)(const void *data, sb_vec3 n);
  /** For sb_implicit: a convex f, negative inside, with gradient and Hessian. */
  double (*value)(const void *data, sb_vec3 x, sb_vec3 *gradient, sb_mat3 *hessian);
} sb_custom;

struct sb_surface {
  const sb_surface_type *type;
  // What follows from the attributes; in front, as of pairs apart nothing else is read but the axes:
  double reach;  // [m] radius of a ball about the shape's centre that holds it; infinite: none does
  double width;  // [m] smallest thickness; infinite: nothing passes through it unseen
  bool in_place; // `local` is the identity: the pose of the body is that of the shape
  int piece; // the one that is held: it goes on behind its ends, as a plane, a cylinder, a ball or a torus; 0: none
  sb_vec3 semi_axes, normal; // [m]; of a plane, outward
  double offset;             // [m] of a plane, along its normal
  double sweep;              // [m] the body is a convex core swept by a ball of this radius
  double radius, tube_radius, edge_radius, length; // [m]
  sb_vec3 size;                                    // [m]
  double exponent, flat; // of a superellipsoid; |x/a| from which on it is one
  sb_custom custom;      // of what a program defines
  sb_pose local;         // pose of the shape in its body
};

/** Lengths of shapes [m]: their eighth powers are finite. */
#define SB_LENGTH_MIN 1e-30
#define SB_LENGTH_MAX 1e30
/** Ellipsoids beyond this ratio of the longest semi-axis to the shortest are refused: the radii of
 *  curvature then span its square and cube, and too few digits remain for a smooth gap. */
#define SB_ELLIPSOID_RATIO_MAX 1e4
/** Exponents of superellipsoids: an ellipsoid, and nearly a box. */
#define SB_EXPONENT_MIN 2
#define SB_EXPONENT_MAX 20
/** Least radius of a rounded edge, as a share of the shape's reach. */
#define SB_EDGE_RATIO_MIN 1e-4
/** What stands for the curvature of a point [1/m]: finite, and past that of any surface. */
#define SB_POINT_CURVATURE 1e30

/** A surface of a kind from its attributes and its local pose. Constructors do not fail:
 *  sb_surface_check words what is wrong. */
SB_API sb_surface sb_surface_make(const sb_surface_type *type, const sb_surface *attributes,
                                  sb_pose local);
/** The half-space normal . x <= offset; `normal` need not be of length one (its largest number lies
 *  within the bounds above), `offset` [m] counts along the unit normal. */
SB_API sb_surface sb_surface_plane(sb_vec3 normal, double offset);
SB_API sb_surface sb_surface_sphere(double radius, sb_vec3 center);
SB_API sb_surface sb_surface_ellipsoid(sb_vec3 semi_axes, sb_pose local);

/** A convex body from a program.
 *  @param type   sb_convex_body or sb_implicit
 *  @param width  smallest thickness [m]
 *  @param reach  radius of a ball about the origin of the shape that holds it [m] */
SB_API sb_surface sb_surface_custom(const sb_surface_type *type, const sb_custom *custom,
                                    double width, double reach, sb_pose local);

/** SB_ERR_RANGE unless all parameters are finite and make a body. */
SB_API sb_status sb_surface_check(const sb_surface *surface, sb_error *err);

/** Support function h(n) = max n . x over the body [m], and the point where it is reached (`point`
 *  may be NULL). Of a plane: infinite, unless n is its normal; then any point of it is right, and
 *  the foot of the perpendicular from the world's origin is given. Not-a-number for a body that is
 *  the outside of something. */
SB_API double sb_surface_support(const sb_surface *surface, const sb_pose *body, sb_vec3 n,
                                 sb_vec3 *point);

/** Radius matrix R(n), the Hessian of h [m]; R n = 0. Not-a-number where there is none: of a plane,
 *  of what has flats or edges, of what is not convex. */
SB_API sb_mat3 sb_surface_radius_matrix(const sb_surface *surface, const sb_pose *body, sb_vec3 n);

/** Outward unit normal at the surface point p. */
SB_API sb_vec3 sb_surface_normal(const sb_surface *surface, const sb_pose *body, sb_vec3 p);

/** Weingarten map L at the surface point p [1/m]: dn = L dp along the surface, L n = 0. L >= 0 where
 *  the body is convex, and L R = 1 - n n^T. */
SB_API sb_mat3 sb_surface_shape(const sb_surface *surface, const sb_pose *body, sb_vec3 p);

/** How the Weingarten map changes over the surface: the tangent vector g [1/m^2] with g . u the rate of
 *  G : L for a point that moves from p along the surface at u, L and the symmetric tensor G of the tangent
 *  plane being carried along without a turn about the normal. By Codazzi the rate of a . L b is
 *  symmetric in a, b and u. A kind without a closed form is differentiated numerically, to about 1e-11; not-a-number
 *  for one without `at`, of which sb_closest_curvature_gradient() knows it by its normals. */
SB_API sb_vec3 sb_surface_shape_gradient(const sb_surface *surface, const sb_pose *body, sb_vec3 p,
                                         sb_mat3 G);

/** Principal moments of inertia [kg m^2] of a mass [kg] about its centre, that of a uniform solid, along the axes
 *  of its local pose; not-a-number for what can have no mass. */
SB_API sb_vec3 sb_surface_inertia(const sb_surface *surface, double mass);

/** Volume of the solid [m^3]; not-a-number for what bounds none. */
SB_API double sb_surface_volume(const sb_surface *surface);

/** The piece, from 1, that the surface point p is on; 0: the surface is one piece. */
SB_API int sb_surface_piece(const sb_surface *surface, const sb_pose *body, sb_vec3 p);

/** How far the surface point p of the piece that is held, surface->piece, is from its end [m], below zero behind it; not-a-number
 *  for a point that is not on what this goes on as.
 *  @param gradient  out: of that */
SB_API double sb_surface_within_piece(const sb_surface *surface, const sb_pose *body, sb_vec3 p,
                                      sb_vec3 *gradient);

/** SB_ERR_MISSING if it has sharp edges: a box or a cylinder without edge_radius is a solid, but meets nothing. */
SB_API sb_status sb_surface_check_edges(const sb_surface *surface, sb_error *err);

/** Smallest thickness [m]; infinite for a plane, for what is hollow, and for a point. */
SB_API double sb_surface_width(const sb_surface *surface);

/** Radius of a ball about the origin of the body that holds it all [m]; infinite if none does. */
SB_API double sb_surface_bounding_radius(const sb_surface *surface);

SB_API const sb_surface_type sb_plane, sb_sphere, sb_point, sb_ellipsoid, sb_box, sb_capsule,
    sb_lens, sb_cylinder, sb_superellipsoid, sb_tube, sb_bowl, sb_torus, sb_hollow_torus;

/** Kinds that only programs have. */
SB_API const sb_surface_type sb_convex_body, sb_implicit;

/** Every kind that a netlist may name, ended by NULL. */
SB_API const sb_surface_type *const sb_surface_types[];

#endif
