// SPDX-License-Identifier: GPL-3.0-or-later
// The ellipsoid (formulas in ellipsoid_private.h).
#include "geometry/ellipsoid_private.h"
#include "geometry/surface.h"

/** How far R^T R of the local pose may be from 1: what decimal input of a rotation can reach. */
static const double rotation_tolerance = 1e-9;

sb_surface sb_surface_ellipsoid(sb_vec3 semi_axes, sb_pose local) {
  return (sb_surface){.type = &sb_ellipsoid, .semi_axes = semi_axes, .local = local};
}

static int is_rotation(sb_mat3 r) {
  const sb_mat3 square = sb_mat3_mul(sb_mat3_transpose(r), r);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      if (!(fabs(square.m[i][j] - (i == j)) <= rotation_tolerance)) {
        return 0;
      }
    }
  }
  return 1;
}

static sb_status check(const sb_surface *s, sb_error *err) {
  const sb_vec3 a = s->semi_axes;
  const double least = fmin(a.x, fmin(a.y, a.z)), most = fmax(a.x, fmax(a.y, a.z));
  if (!(least > 0.0 && isfinite(a.x + a.y + a.z))) {
    return sb_fail(err, SB_ERR_RANGE,
                   "the semi-axes of an ellipsoid must be positive and finite, not %s, %s, %s m",
                   sb_number_word(a.x).text, sb_number_word(a.y).text, sb_number_word(a.z).text);
  }
  if (most > SB_ELLIPSOID_RATIO_MAX * least) {
    return sb_fail(err, SB_ERR_RANGE,
                   "the semi-axes of an ellipsoid span a ratio of %s; at most %s is supported",
                   sb_number_word(most / least).text, sb_number_word(SB_ELLIPSOID_RATIO_MAX).text);
  }
  const sb_vec3 c = s->local.position;
  if (!isfinite(c.x + c.y + c.z) || !is_rotation(s->local.rotation)) {
    return sb_fail(err, SB_ERR_RANGE,
                   "the local pose of an ellipsoid must be finite and a rotation");
  }
  return SB_OK;
}

static double support(const sb_surface *s, const sb_pose *body, sb_vec3 n, sb_vec3 *point) {
  const sb_pose pose = sb_pose_compose(*body, s->local);
  double h0;
  const sb_vec3 x = ellipsoid_point(s->semi_axes, sb_mat3_apply_transposed(pose.rotation, n), &h0);
  if (point) {
    *point = sb_pose_point(pose, x);
  }
  return sb_vec3_dot(n, pose.position) + h0;
}

static sb_mat3 radius(const sb_surface *s, const sb_pose *body, sb_vec3 n) {
  const sb_mat3 r = sb_mat3_mul(body->rotation, s->local.rotation);
  sb_vec3 e1, e2;
  sb_tangent_basis(n, &e1, &e2);
  const double h0 = sb_vec3_norm(sb_vec3_times(s->semi_axes, sb_mat3_apply_transposed(r, n)));
  const form2 form = ellipsoid_radius_form(s->semi_axes, h0, sb_mat3_apply_transposed(r, e1),
                                           sb_mat3_apply_transposed(r, e2));
  return form2_matrix(form, e1, e2);
}

/** The gradient of (x/a)^2 / 2 at p, in the axes of the ellipsoid. */
static sb_vec3 gradient(const sb_surface *s, sb_pose pose, sb_vec3 p) {
  const sb_vec3 x = sb_mat3_apply_transposed(pose.rotation, sb_vec3_sub(p, pose.position));
  const sb_vec3 a = s->semi_axes;
  return (sb_vec3){x.x / (a.x * a.x), x.y / (a.y * a.y), x.z / (a.z * a.z)};
}

static sb_vec3 normal(const sb_surface *s, const sb_pose *body, sb_vec3 p) {
  const sb_pose pose = sb_pose_compose(*body, s->local);
  return sb_mat3_apply(pose.rotation, sb_vec3_normalize(gradient(s, pose, p)));
}

static sb_mat3 shape(const sb_surface *s, const sb_pose *body, sb_vec3 p) {
  const sb_pose pose = sb_pose_compose(*body, s->local);
  const sb_vec3 g = gradient(s, pose, p);
  const double steepness = sb_vec3_norm(g); // 1/h0 on the surface
  sb_vec3 e1, e2;
  sb_tangent_basis(sb_vec3_scale(g, 1.0 / steepness), &e1, &e2);
  const form2 form = ellipsoid_shape_form(s->semi_axes, 1.0 / steepness, e1, e2);
  return form2_matrix(form, sb_mat3_apply(pose.rotation, e1), sb_mat3_apply(pose.rotation, e2));
}

/** Of the level sets of a quadratic form x.Qx/2, Q = diag(a^-2), the rate of L(b, c) along u is
 *  -(L(b,c) v.u + L(c,u) v.b + L(u,b) v.c) with v = h0 (1 - n n^T) Q n: third derivatives there are none. */
static sb_vec3 shape_gradient(const sb_surface *s, const sb_pose *body, sb_vec3 p, sb_mat3 G) {
  const sb_vec3 g = gradient(s, sb_pose_compose(*body, s->local), p), a = s->semi_axes;
  const sb_mat3 turn = sb_mat3_mul(body->rotation, s->local.rotation);
  const double steepness = sb_vec3_norm(g); // 1/h0
  const sb_vec3 m = sb_vec3_scale(g, 1.0 / steepness);
  const sb_vec3 Qm = {m.x / (a.x * a.x), m.y / (a.y * a.y), m.z / (a.z * a.z)};
  const sb_vec3 tangent = sb_vec3_axpy(Qm, -sb_vec3_dot(Qm, m), m);
  const sb_vec3 v = sb_mat3_apply(turn, sb_vec3_scale(tangent, 1.0 / steepness));
  const sb_mat3 L = shape(s, body, p);
  return sb_vec3_axpy(sb_vec3_scale(sb_mat3_apply(L, sb_mat3_apply(G, v)), -2),
                      -sb_mat3_contract(G, L), v);
}

/** m/5 diag(b^2 + c^2, a^2 + c^2, a^2 + b^2) */
static sb_vec3 inertia(const sb_surface *s, double m) {
  const sb_vec3 a = s->semi_axes;
  return (sb_vec3){m / 5 * (a.y * a.y + a.z * a.z), m / 5 * (a.x * a.x + a.z * a.z),
                   m / 5 * (a.x * a.x + a.y * a.y)};
}

const sb_surface_type sb_ellipsoid = {"ellipsoid",   "three semi-axes in a local pose",
                                      check,         support,
                                      radius,        normal,
                                      shape,         inertia,
                                      shape_gradient};
