// SPDX-License-Identifier: GPL-3.0-or-later
// The questions that every surface answers, and the table of kinds. Each kind has its own file.
#include <stddef.h>

#include "geometry/surface.h"

const sb_surface_type *const sb_surface_types[] = {&sb_plane, &sb_sphere, &sb_ellipsoid, NULL};

sb_status sb_surface_check(const sb_surface *surface, sb_error *err) {
  return surface->type->check(surface, err);
}

double sb_surface_support(const sb_surface *surface, const sb_pose *body, sb_vec3 n,
                          sb_vec3 *point) {
  return surface->type->support(surface, body, n, point);
}

sb_mat3 sb_surface_radius_matrix(const sb_surface *surface, const sb_pose *body, sb_vec3 n) {
  return surface->type->radius(surface, body, n);
}

sb_vec3 sb_surface_normal(const sb_surface *surface, const sb_pose *body, sb_vec3 p) {
  return surface->type->normal(surface, body, p);
}

sb_mat3 sb_surface_shape(const sb_surface *surface, const sb_pose *body, sb_vec3 p) {
  return surface->type->shape(surface, body, p);
}

/** G : L at p + h e */
static double contraction(const sb_surface *s, const sb_pose *body, sb_vec3 p, sb_mat3 G, double h,
                          sb_vec3 e) {
  return sb_mat3_contract(G, s->type->shape(s, body, sb_vec3_axpy(p, h, e)));
}

/** Central differences of order 4 along the tangent plane: that its points are off the surface in
 *  proportion to h^2 is the same on both sides. */
static sb_vec3 differences(const sb_surface *s, const sb_pose *body, sb_vec3 p, sb_mat3 G) {
  static const double step = 1e-3; // of the least radius of curvature, or of the body
  const sb_mat3 L = s->type->shape(s, body, p);
  const double size = sqrt(sb_mat3_contract(L, L)) + 1.0 / sb_surface_width(s), h = step / size;
  sb_vec3 e[2], g = {0, 0, 0};
  if (!(size > 0)) {
    return g; // a plane
  }
  sb_tangent_basis(s->type->normal(s, body, p), &e[0], &e[1]);
  for (int i = 0; i < 2; i++) {
    const double near = contraction(s, body, p, G, h, e[i]) - contraction(s, body, p, G, -h, e[i]);
    const double far =
        contraction(s, body, p, G, 2 * h, e[i]) - contraction(s, body, p, G, -2 * h, e[i]);
    g = sb_vec3_axpy(g, (8 * near - far) / (12 * h), e[i]);
  }
  return g;
}

sb_vec3 sb_surface_shape_gradient(const sb_surface *surface, const sb_pose *body, sb_vec3 p,
                                  sb_mat3 G) {
  return surface->type->shape_gradient ? surface->type->shape_gradient(surface, body, p, G)
                                       : differences(surface, body, p, G);
}

sb_vec3 sb_surface_inertia(const sb_surface *surface, double mass) {
  return surface->type->inertia ? surface->type->inertia(surface, mass) : (sb_vec3){NAN, NAN, NAN};
}

double sb_surface_width(const sb_surface *surface) {
  const sb_vec3 a = surface->semi_axes;
  return 2.0 * fmin(a.x, fmin(a.y, a.z));
}

double sb_surface_bounding_radius(const sb_surface *surface) {
  const sb_vec3 a = surface->semi_axes;
  return sb_vec3_norm(surface->local.position) + fmax(a.x, fmax(a.y, a.z));
}
