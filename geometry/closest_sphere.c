// SPDX-License-Identifier: GPL-3.0-or-later
// A sphere with a sphere, in closed form, and with an ellipsoid, by the secular equation of the
// point of an ellipsoid nearest to a given point. In the ellipsoid's axes, with y the given point,
// a_k the smallest semi-axis and u = t + a_k^2, the nearest point is x_i = a_i z_i,
//   z_i(u) = a_i y_i / (a_i^2 - a_k^2 + u),   |z(u)| = 1.
// Eberly, Distance from a Point to an Ellipse, an Ellipsoid, or a Hyperellipsoid, 2013.
#include "geometry/closest_private.h"

/** ||z| - 1| below which the secular equation is solved: rounding of |z|. */
static const double secular_tolerance = 4e-16;
/** Bisection alone needs this many steps for the whole range of doubles; Newton about five. */
enum { SECULAR_STEPS_MAX = 200 };
/** Cosine between a warm start and the answer from which on they are on the same branch: with the
 *  centre outside, all other maxima of g are further away. */
static const double same_branch = 0.7;

void closest_spheres(const sb_surface *s1, const sb_pose *H1, const sb_surface *s2,
                     const sb_pose *H2, const sb_vec3 *warm, sb_closest *out) {
  const sb_vec3 c1 = sb_pose_point(*H1, s1->local.position);
  const sb_vec3 c2 = sb_pose_point(*H2, s2->local.position);
  const sb_vec3 d = sb_vec3_sub(c2, c1);
  const double distance = sb_vec3_norm(d), reach = s1->radius + s2->radius;
  // Concentric spheres: every normal is right. rho = 1 makes the status say so.
  const sb_vec3 any = warm ? *warm : (sb_vec3){0, 0, 1};
  const sb_vec3 n = distance == 0.0 ? any : sb_vec3_scale(d, 1.0 / distance);
  *out = (sb_closest){.p1 = sb_vec3_axpy(c1, s1->radius, n),
                      .p2 = sb_vec3_axpy(c2, -s2->radius, n),
                      .normal = n,
                      .gap = distance - reach};
  out->shape1 = sb_surface_shape(s1, H1, out->p1);
  out->shape2 = sb_surface_shape(s2, H2, out->p2);
  closest_judge(out, sb_vec3_axpy(d, -reach, n), distance + reach, reach);
}

typedef struct secular {
  sb_vec3 ay; // a_i y_i, y folded into the first octant
  sb_vec3 w;  // a_i^2 - a_k^2
} secular;

/** z(u), its length, and the sum of z_i^2 / w_i, which gives the slope. */
static sb_vec3 secular_z(const secular *s, double u, double *length, double *slope) {
  const sb_vec3 w = {s->w.x + u, s->w.y + u, s->w.z + u};
  const sb_vec3 z = {s->ay.x / w.x, s->ay.y / w.y, s->ay.z / w.z};
  *length = sb_vec3_norm(z);
  *slope = z.x * z.x / w.x + z.y * z.y / w.y + z.z * z.z / w.z;
  return z;
}

/** Newton on 1/|z| - 1, nearly linear in u, kept in a bracket that shrinks by bisection. */
static sb_vec3 secular_solve(const secular *s, double low, int *steps) {
  double high = sb_vec3_norm(s->ay), u = low > 0.0 ? low : high;
  sb_vec3 z;
  for (*steps = 1;; ++*steps) {
    double length, slope;
    z = secular_z(s, u, &length, &slope);
    if (fabs(length - 1.0) <= secular_tolerance || *steps >= SECULAR_STEPS_MAX) {
      break;
    }
    *(length > 1.0 ? &low : &high) = u;
    const double step = (length - 1.0) * length * length / slope;
    double next = u + step;
    if (!(next > low && next < high)) {
      next = low > 0.0 ? sqrt(low) * sqrt(high) : 0.5 * high;
    }
    if (next == u || !(low < high)) {
      break;
    }
    u = next;
  }
  return z;
}

/** z of the point of the ellipsoid nearest to y. `ambiguous`: its mirror image is just as near. */
static sb_vec3 nearest_z(sb_vec3 a, sb_vec3 y, bool *ambiguous, int *steps) {
  const double least = fmin(a.x, fmin(a.y, a.z));
  const sb_vec3 w = {(a.x - least) * (a.x + least), (a.y - least) * (a.y + least),
                     (a.z - least) * (a.z + least)};
  const sb_vec3 ay = {fabs(a.x * y.x), fabs(a.y * y.y), fabs(a.z * y.z)};
  const secular s = {ay, w};
  // Each |z_i| alone is 1 at u = ay_i - w_i, so the root lies above all three.
  const double low = fmax(ay.x - w.x, fmax(ay.y - w.y, ay.z - w.z));
  *steps = 0;
  *ambiguous = false;
  sb_vec3 z;
  const sb_vec3 inner = {w.x > 0 ? ay.x / w.x : 0, w.y > 0 ? ay.y / w.y : 0,
                         w.z > 0 ? ay.z / w.z : 0};
  const bool flat = (w.x > 0 || ay.x == 0) && (w.y > 0 || ay.y == 0) && (w.z > 0 || ay.z == 0);
  const double rest = 1.0 - sb_vec3_dot(inner, inner);
  if (flat && rest > 0.0) {
    // y lies in the plane of symmetry, so near the middle that the shortest way is out of it.
    *ambiguous = true;
    z = inner;
    *(w.x == 0 ? &z.x : w.y == 0 ? &z.y : &z.z) = sqrt(rest);
  } else {
    z = secular_solve(&s, fmax(low, 0.0), steps);
  }
  return (sb_vec3){copysign(z.x, y.x), copysign(z.y, y.y), copysign(z.z, y.z)};
}

/** The answer for a sphere about y, in the axes of the ellipsoid, touching along its normal m. */
static void present(const sb_surface *sphere, sb_vec3 center, sb_vec3 a, sb_pose pose, sb_vec3 y,
                    sb_vec3 m, int steps, sb_closest *out) {
  double h0;
  const sb_vec3 x = ellipsoid_point(a, m, &h0);
  const double r = sphere->radius;
  sb_vec3 e1, e2;
  sb_tangent_basis(m, &e1, &e2);
  const sb_vec3 t1 = sb_mat3_apply(pose.rotation, e1), t2 = sb_mat3_apply(pose.rotation, e2);
  const sb_vec3 n = sb_vec3_neg(sb_mat3_apply(pose.rotation, m));
  *out = (sb_closest){.p1 = sb_vec3_axpy(center, r, n),
                      .p2 = sb_pose_point(pose, x),
                      .normal = n,
                      .gap = sb_vec3_dot(m, y) - h0 - r,
                      .shape1 = form2_matrix((form2){1.0 / r, 0.0, 1.0 / r}, t1, t2),
                      .shape2 = form2_matrix(ellipsoid_shape_form(a, h0, e1, e2), t1, t2),
                      .iterations = steps};
  const sb_vec3 span = sb_vec3_axpy(sb_vec3_sub(x, y), r, m);
  closest_judge(out, sb_mat3_apply(pose.rotation, span), sb_vec3_norm(y) + sb_vec3_norm(x) + r,
                form2_min(ellipsoid_radius_form(a, h0, e1, e2)) + r);
}

void closest_sphere_ellipsoid(const sb_surface *sphere, const sb_pose *H1,
                              const sb_surface *ellipsoid, const sb_pose *H2, const sb_vec3 *warm,
                              sb_closest *out) {
  const sb_pose pose = sb_pose_compose(*H2, ellipsoid->local);
  const sb_vec3 center = sb_pose_point(*H1, sphere->local.position), a = ellipsoid->semi_axes;
  const sb_vec3 y = sb_mat3_apply_transposed(pose.rotation, sb_vec3_sub(center, pose.position));
  if (warm && ellipsoid_level(a, y) < 1.0) {
    // Inside, the nearest point may jump; the branch of the warm start must be climbed instead.
    closest_ellipsoids(sphere, H1, ellipsoid, H2, warm, out);
    return;
  }
  bool ambiguous;
  int steps;
  const sb_vec3 z = nearest_z(a, y, &ambiguous, &steps);
  const sb_vec3 m = sb_vec3_normalize((sb_vec3){z.x / a.x, z.y / a.y, z.z / a.z});
  present(sphere, center, a, pose, y, m, steps, out);
  if (warm && out->gap < 0.0 && sb_vec3_dot(*warm, out->normal) < same_branch) {
    // The sphere came from another side of a thin ellipsoid.
    closest_ellipsoids(sphere, H1, ellipsoid, H2, warm, out);
  } else if (ambiguous && out->status != SB_CLOSEST_FAILED) {
    out->status = SB_CLOSEST_AMBIGUOUS;
  }
}
