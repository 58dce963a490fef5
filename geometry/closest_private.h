// SPDX-License-Identifier: GPL-3.0-or-later
// What the solvers of closest points share: their signature, the judgement of an answer, and the
// pair of ellipsoids with its function g on the unit sphere.
#ifndef SB_GEOMETRY_CLOSEST_PRIVATE_H
#define SB_GEOMETRY_CLOSEST_PRIVATE_H

#include <stdbool.h>

#include "geometry/both_private.h"
#include "geometry/closest.h"
#include "geometry/ellipsoid_private.h"

/** One row of the table of pairs; the arguments are in the order of the row's types. */
typedef void closest_solver(const sb_surface *s1, const sb_pose *H1, const sb_surface *s2,
                            const sb_pose *H2, const sb_vec3 *warm, sb_closest *out);

closest_solver closest_plane, closest_ball, closest_convex, closest_spheres,
    closest_sphere_ellipsoid, closest_ellipsoids;

/** The answer that Newton's method leads to from another one, without a search. */
void closest_convex_near(const sb_surface *s1, const sb_pose *H1, const sb_surface *s2,
                         const sb_pose *H2, const sb_closest *from, sb_closest *out);

/** The world pose of a shape.  @param own  for one that has a place of its own in its body */
static inline const sb_pose *closest_pose(const sb_surface *s, const sb_pose *H, sb_pose *own) {
  if (s->in_place) {
    return H;
  }
  *own = sb_pose_compose(*H, s->local);
  return own;
}

/** Completes `error`, `depth_ratio` and `status` of an answer whose other fields are set.
 *  @param span   p2 - p1, formed without the world's position [m]
 *  @param size   the length that rounding errors are counted in [m]
 *  @param least_radius  least eigenvalue of R1 + R2 on the tangent plane [m]; infinite with a plane */
void closest_judge(sb_closest *out, sb_vec3 span, double size, double least_radius);

/** Least eigenvalue of R1 + R2 on the tangent plane [m] from the shapes of an answer, which may be
 *  flat in one direction each: the inverse of the largest eigenvalue of L1 (L1 + L2)^-1 L2. Infinite
 *  with a flat body; 0 unless L1 + L2 > 0: a wall more curved than what lies in it. */
double closest_least_radius(const sb_closest *answer);

/** AMBIGUOUS where both bodies are flat in one direction, or one conforms to the other: other points are just as near.
 *  @param size      the length that curvatures are compared with [m]
 *  @param singular  |det L|/|L|^2 up to which a method that solves for the points cannot tell them; 0: a closed form */
void closest_require_unique(sb_closest *out, double size, double singular);

/** R L R^T: a shape in other axes. */
sb_mat3 closest_turn(sb_mat3 r, sb_mat3 shape);

/** The shape of a radius matrix at the normal n; that of a point where it is zero. */
sb_mat3 closest_inverse(sb_mat3 radius, sb_vec3 n);

/** Marks an answer as failed: every value not-a-number. */
void closest_fail(sb_closest *out);

/** Two ellipsoids in the axes of the first, about its centre. */
typedef struct ellipsoid_pair {
  sb_vec3 a1, a2;  // [m] semi-axes
  sb_mat3 turn;    // axes of the second in those of the first
  sb_vec3 d;       // [m] from the first centre to the second
  double distance; // |d|
  vec3_both a;     // a1 and a2
  vec3_both cof;   // [m^2] (a_y a_z, a_z a_x, a_x a_y)
} ellipsoid_pair;

/** g(n) = n.d - h1(n) - h2(-n) and its derivatives at n. The gradient on the sphere is q, the
 *  Hessian is -(R1 + R2 + g 1), both in the basis (e1, e2) of the tangent plane, which is right-handed. */
typedef struct ellipsoid_gap {
  vec3_both n, e1, e2;    // in the axes of each body
  vec3_both x;            // support points for n, each in its own axes, about its centre [m]
  double_both h, by_h;    // support about the own centre [m], and 1/h
  double g;               // [m]
  double q1, q2;          // [m]
  double_both u1, u2;     // components of x along e1 and e2 [m]
  double_both Ra, Rb, Rc; // R = [Ra Rb; Rb Rc] [m]
} ellipsoid_gap;

/** The start of Perram & Wertheim: exact where the ellipsoids touch, and with g > 0 exactly if they
 *  are apart; closed up to a search in one dimension. d must not be zero. */
sb_vec3 perram_wertheim_direction(const ellipsoid_pair *pair);

/** Climbs from n to a local maximum of g; false if none was reached. Counts evaluations. */
bool ellipsoids_climb(const ellipsoid_pair *pair, sb_vec3 n, ellipsoid_gap *out, int *evaluations);

/** The best local maximum of g that a survey of the whole sphere leads to; false if there is none.
 *  Reads `out` as the best so far if `have`. */
bool ellipsoids_survey(const ellipsoid_pair *pair, bool have, ellipsoid_gap *out, int *evaluations);

#endif
