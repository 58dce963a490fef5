// SPDX-License-Identifier: GPL-3.0-or-later
// A sphere with a sphere, in closed form, and with an ellipsoid, by the point of the ellipsoid that
// is nearest to the sphere's centre.
#include "geometry/closest_private.h"
#include "geometry/surface_private.h"

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
  const form2 R = ellipsoid_radius_form(a, h0, e1, e2);
  *out = (sb_closest){.p1 = sb_vec3_axpy(center, r, n),
                      .p2 = sb_pose_point(pose, x),
                      .normal = n,
                      .gap = sb_vec3_dot(m, y) - h0 - r,
                      .shape1 = form2_matrix((form2){1.0 / r, 0.0, 1.0 / r}, t1, t2),
                      .shape2 = form2_matrix(ellipsoid_inverse_form(a, h0, R), t1, t2),
                      .iterations = steps};
  const sb_vec3 span = sb_vec3_axpy(sb_vec3_sub(x, y), r, m);
  closest_judge(out, sb_mat3_apply(pose.rotation, span), sb_vec3_norm(y) + sb_vec3_norm(x) + r,
                form2_min(R) + r);
}

void closest_sphere_ellipsoid(const sb_surface *sphere, const sb_pose *H1,
                              const sb_surface *ellipsoid, const sb_pose *H2, const sb_vec3 *warm,
                              sb_closest *out) {
  sb_pose own;
  const sb_pose pose = *closest_pose(ellipsoid, H2, &own);
  const sb_vec3 center = sb_pose_point(*H1, sphere->local.position), a = ellipsoid->semi_axes;
  const sb_vec3 y = sb_mat3_apply_transposed(pose.rotation, sb_vec3_sub(center, pose.position));
  if (warm && ellipsoid_level(a, y) < 1.0) {
    // Inside, the nearest point may jump; the branch of the warm start must be climbed instead.
    closest_ellipsoids(sphere, H1, ellipsoid, H2, warm, out);
    return;
  }
  bool ambiguous;
  int steps;
  const sb_vec3 z = ellipsoid_nearest(a, y, &ambiguous, &steps);
  const sb_vec3 m = sb_vec3_normalize((sb_vec3){z.x / a.x, z.y / a.y, z.z / a.z});
  present(sphere, center, a, pose, y, m, steps, out);
  if (warm && out->gap < 0.0 && sb_vec3_dot(*warm, out->normal) < same_branch) {
    // The sphere came from another side of a thin ellipsoid.
    closest_ellipsoids(sphere, H1, ellipsoid, H2, warm, out);
  } else if (ambiguous && out->status != SB_CLOSEST_FAILED) {
    out->status = SB_CLOSEST_AMBIGUOUS;
  }
}
