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
