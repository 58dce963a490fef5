// SPDX-License-Identifier: GPL-3.0-or-later
// Closest points of two bodies, separated, touching or overlapping, and how they move. One of them may
// be hollow (a ball in a tube), where the pair has a unique answer; of convex bodies holds:
//
// Body 1 has the outward normal n at p1, body 2 the outward normal -n at p2, and p2 - p1 = gap n.
// Overlapping bodies have a negative gap; p1 then lies in body 2 and p2 in body 1, unless one of
// them is thinner than the overlap. The answer maximises g(n) = n.(c2 - c1) - h1(n) - h2(-n) on the
// unit sphere. A maximum with g > 0 is the unique one; otherwise there may be several local ones.
//
// A warm start keeps the branch that it starts on, as a contact must, for as long as p1 lies in
// body 2 or p2 in body 1; past that the answer is the global one, and AMBIGUOUS unless the bodies
// are apart. Without a warm start the global maximum, the direction of least translation, is
// looked for; where edges or corners overlap by more than they are rounded it is DEEP, as others are near.
#ifndef SB_GEOMETRY_CLOSEST_H
#define SB_GEOMETRY_CLOSEST_H

#include "geometry/surface.h"

typedef enum sb_closest_status {
  SB_CLOSEST_OK = 0,
  SB_CLOSEST_DEEP,      // right, but rho > SB_CLOSEST_DEPTH_DEEP: another branch may be shallower
  SB_CLOSEST_AMBIGUOUS, // no unique or no stable answer: the branch ends, the centres coincide, or
                        // flats lie on each other; a positive gap is right all the same
  SB_CLOSEST_FAILED,    // no answer (not finite, not supported, or no convergence): all values NaN
} sb_closest_status;

/** Depth ratios rho where the status turns to DEEP and to AMBIGUOUS. At rho = 1 the branch ends:
 *  the centre of relative curvature is reached, and the speed of the points grows as 1/(1-rho). */
#define SB_CLOSEST_DEPTH_DEEP 0.3
#define SB_CLOSEST_DEPTH_LIMIT 0.95
/** Above this tangential component of p2 - p1, as a share of the bodies, an answer is no answer. */
#define SB_CLOSEST_ERROR 1e-9
/** One body conforms to a hollow of the other where it is no more curved, as a share, than moves the points by that much for a rounding
 *  eps of its place, which is magnified by this share. */
#define SB_CLOSEST_CONFORMING (0x1p-52 / SB_CLOSEST_ERROR)

typedef struct sb_closest {
  sb_vec3 p1, p2;         // [m] world
  sb_vec3 normal;         // outward of body 1 at p1
  double gap;             // [m] < 0: overlapping
  sb_mat3 shape1, shape2; // [1/m] Weingarten maps L1, L2, in world axes
  double error;           // |tangential component of p2 - p1| / size; of an optimum about 1e-15
  double depth_ratio;     // rho = -gap / (least eigenvalue of R1 + R2); 0 if separated or flat; of
                          // two edges that cross, swept by r1 and r2, -gap / (r1 + r2)
  int iterations;         // evaluations of g and its derivatives; 0 for a closed form
  sb_closest_status status;
} sb_closest;

/** SB_ERR_CONTACT, worded, if no solver knows the pair (two planes); SB_ERR_MISSING if one has sharp edges. */
SB_API sb_status sb_closest_supported(const sb_surface *s1, const sb_surface *s2, sb_error *err);

/** Closest points of the surfaces s1 and s2, which have passed sb_surface_check, of bodies with the
 *  world poses H1 and H2. No allocation, no state: the same arguments give the same bits.
 *  @param warm  a normal near the answer's, of any length, or NULL; zero or not finite counts as NULL
 *  @param out   where `status` is FAILED every other value is not-a-number */
SB_API void sb_closest_points(const sb_surface *s1, const sb_pose *H1, const sb_surface *s2,
                              const sb_pose *H2, const sb_vec3 *warm, sb_closest *out);

/** Closest points near others of pieces that are held, surface->piece, and go on behind their ends.
 *  @param from  those of the whole surfaces
 *  @param out   its status is FAILED, or AMBIGUOUS, where there are none near by */
SB_API void sb_closest_go_on(const sb_surface *s1, const sb_pose *H1, const sb_surface *s2,
                             const sb_pose *H2, const sb_closest *from, sb_closest *out);

/** Whether there is one pair of closest points, which changes continuously, as long as the bodies are apart or just touch: one
 *  is known to be strictly convex, and the other convex or a half-space. */
SB_API bool sb_closest_unique(const sb_surface *s1, const sb_surface *s2);

typedef struct sb_closest_motion {
  sb_vec3 u1, u2; // [m/s] velocity of p1, p2 over its own surface, the rolling velocities of eq (4)
  sb_vec3 ndot;   // [1/s]
  double gap_rate; // [m/s]
} sb_closest_motion;

/** Motion of the closest points under the world spatial twists T1, T2 of the bodies (Stramigioli and Duindam,
 *  eq (4), for bodies that move), by the
 *  curvature form (L1 + L2 + gap L2 L1) u1 = (w2 - w1) x n + L2 P (v2 - v1)(p2). It holds for any
 *  sign of the gap and with one flat body. It is infinite where two bodies are flat in a common
 *  direction and where rho = 1, and loses -log10(1 - rho) digits; the gap rate, n.(v2 - v1), never does. Where a curvature
 *  vanishes at a point that is unique, as of a superellipsoid on a plane, the speed in its direction, infinite for an instant, is left out. */
SB_API sb_closest_motion sb_closest_derivative(const sb_closest *closest, sb_twist T1, sb_twist T2);

/** ndot alone [1/s]. With one flat body the shape of the other is not read. */
static inline sb_vec3 sb_closest_turn(const sb_closest *closest, sb_twist T1, sb_twist T2) {
  const sb_mat3 *L1 = &closest->shape1, *L2 = &closest->shape2;
  return sb_mat3_contract(*L1, *L1) == 0   ? sb_vec3_cross(T1.angular, closest->normal)
         : sb_mat3_contract(*L2, *L2) == 0 ? sb_vec3_cross(T2.angular, closest->normal)
                                           : sb_closest_derivative(closest, T1, T2).ndot;
}

/** Whether the bodies are far apart, by balls about them: further than the largest of these. Never true of
 *  bodies that touch, or that no ball holds, but for a plane and a ball.
 *  @param least   [m] out: the gap is at least this
 *  @param normal  out: from body 1 to body 2
 *  @param place   [m] out: the points of both bodies whose velocities differ along the normal by the rate of `least` */
SB_API bool sb_closest_far(const sb_surface *s1, const sb_pose *H1, const sb_surface *s2,
                           const sb_pose *H2, double *least, sb_vec3 *normal, sb_vec3 place[2]);

/** A lower bound of the gap [m] that is close to it where the normal is: the way between the two planes across it that
 *  support the bodies. Not-a-number: none is known, as of bodies that are hollow.
 *  @param normal  in: any unit vector from body 1 to body 2; out: of a plane its own, by which the bound is the gap
 *  @param place   [m] out: the points of both bodies whose velocities differ along the normal by its rate */
SB_API double sb_closest_least(const sb_surface *s1, const sb_pose *H1, const sb_surface *s2,
                               const sb_pose *H2, sb_vec3 *normal, sb_vec3 place[2]);

/** The adjoint of sb_closest_derivative: the wrench in world axes that makes with every T2 - T1 the power
 *  g1.u1 + g2.u2 + turn n.(w2 - w1). It is the differential of a function of the points on both surfaces
 *  (gradients g1 and g2, tangent vectors) and of the angle of body 2 against body 1 about the normal. */
SB_API sb_wrench sb_closest_gradient(const sb_closest *closest, sb_vec3 g1, sb_vec3 g2,
                                     double turn);
/** The same of a function of the normal in each body, whose rate is a1.(L1 u1) + a2.(L2 u2). */
SB_API sb_wrench sb_closest_gradient_by_normals(const sb_closest *closest, sb_vec3 a1, sb_vec3 a2);

/** The same of a function of the relative curvature L1 + L2 that has the derivative G, a symmetric
 *  tensor of the tangent plane with the principal directions of L1 + L2. */
SB_API sb_wrench sb_closest_curvature_gradient(const sb_closest *closest, const sb_surface *s1,
                                               const sb_pose *H1, const sb_surface *s2,
                                               const sb_pose *H2, sb_mat3 G);

#endif
