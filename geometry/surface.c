// SPDX-License-Identifier: GPL-3.0-or-later
// The questions that every surface answers, and the table of kinds. Each kind has its own file.
#include <stddef.h>
#include <string.h>

#include "geometry/surface_private.h"

/** How far R^T R of the local pose may be from 1: what decimal input of a rotation can reach. */
static const double rotation_tolerance = 1e-9;

const sb_surface_type *const sb_surface_types[] = {
    &sb_plane,        &sb_point, &sb_sphere,         &sb_ellipsoid, &sb_box,  &sb_capsule,
    &sb_cylinder,     &sb_lens,  &sb_superellipsoid, &sb_tube,      &sb_bowl, &sb_torus,
    &sb_hollow_torus, NULL};

/** How far from a surface a point counts as on it, as a share of its reach. */
static const double on_surface = 1e-9;

static bool is_identity(const sb_pose *pose) {
  const sb_mat3 unit = sb_mat3_identity();
  const sb_vec3 p = pose->position;
  bool same = p.x == 0.0 && p.y == 0.0 && p.z == 0.0;
  for (int i = 0; i < 9; i++) {
    same = same && pose->rotation.m[i / 3][i % 3] == unit.m[i / 3][i % 3];
  }
  return same;
}

sb_surface sb_surface_make(const sb_surface_type *type, const sb_surface *attributes,
                           sb_pose local) {
  sb_surface s = *attributes;
  s.type = type;
  s.local = local;
  s.sweep = 0.0;
  s.in_place = is_identity(&local);
  type->complete(&s);
  return s;
}

sb_status sb_surface_check(const sb_surface *surface, sb_error *err) {
  SB_TRY(surface->type->check(surface, err));
  return surface_check_pose(surface, err);
}

const char *surface_article(const sb_surface *s) {
  return strchr("aeiou", s->type->name[0]) ? "an" : "a";
}

sb_status surface_check_length(const sb_surface *s, const char *name, double length,
                               sb_error *err) {
  if (!(length > 0.0 && isfinite(length))) {
    return sb_fail(err, SB_ERR_RANGE, "the %s of %s %s must be positive and finite, not %s m", name,
                   surface_article(s), s->type->name, sb_number_word(length).text);
  }
  if (length < SB_LENGTH_MIN || length > SB_LENGTH_MAX) {
    return sb_fail(err, SB_ERR_RANGE, "the %s of %s %s must be from %s to %s m, not %s m", name,
                   surface_article(s), s->type->name, sb_number_word(SB_LENGTH_MIN).text,
                   sb_number_word(SB_LENGTH_MAX).text, sb_number_word(length).text);
  }
  return SB_OK;
}

sb_status surface_check_pose(const sb_surface *s, sb_error *err) {
  const sb_vec3 c = s->local.position;
  bool good = isfinite(c.x + c.y + c.z);
  const sb_mat3 r = s->local.rotation, square = sb_mat3_mul(sb_mat3_transpose(r), r);
  for (int i = 0; i < 9; i++) {
    good = good && fabs(square.m[i / 3][i % 3] - (i / 3 == i % 3)) <= rotation_tolerance;
  }
  if (!good) {
    return sb_fail(err, SB_ERR_RANGE, "the local pose of %s %s must be finite and a rotation",
                   surface_article(s), s->type->name);
  }
  const double far = fmax(fabs(c.x), fmax(fabs(c.y), fabs(c.z)));
  if (far > SB_LENGTH_MAX) {
    const sb_number_text most = sb_number_word(SB_LENGTH_MAX);
    return sb_fail(
        err, SB_ERR_RANGE, "the place of %s %s in its body must be from -%s to %s m, not %s m away",
        surface_article(s), s->type->name, most.text, most.text, sb_number_word(far).text);
  }
  return SB_OK;
}

sb_status surface_check_edge(const sb_surface *s, double most, sb_error *err) {
  if (s->edge_radius == 0.0) {
    return SB_OK;
  }
  SB_TRY(surface_check_length(s, "edge-radius", s->edge_radius, err));
  if (s->edge_radius > most || s->edge_radius < SB_EDGE_RATIO_MIN * s->reach) {
    return sb_fail(err, SB_ERR_RANGE,
                   "the edge-radius of this %s must be from %s to %s m, not %s m", s->type->name,
                   sb_number_word(SB_EDGE_RATIO_MIN * s->reach).text, sb_number_word(most).text,
                   sb_number_word(s->edge_radius).text);
  }
  return SB_OK;
}

static sb_vec3 nowhere(void) {
  return (sb_vec3){NAN, NAN, NAN};
}

/** R A R^T */
static sb_mat3 turned(sb_mat3 r, sb_mat3 a) {
  return sb_mat3_mul(r, sb_mat3_mul(a, sb_mat3_transpose(r)));
}

double sb_surface_support(const sb_surface *surface, const sb_pose *body, sb_vec3 n,
                          sb_vec3 *point) {
  const sb_pose pose = sb_pose_compose(*body, surface->local);
  sb_vec3 x = nowhere();
  double h = NAN;
  if (surface->type->support) {
    h = surface->type->support(surface, sb_mat3_apply_transposed(pose.rotation, n), &x) +
        sb_vec3_dot(n, pose.position);
  }
  if (point) {
    *point = sb_pose_point(pose, x);
  }
  return h;
}

sb_mat3 sb_surface_radius_matrix(const sb_surface *surface, const sb_pose *body, sb_vec3 n) {
  if (!surface->type->radius) {
    return sb_mat3_outer(nowhere(), nowhere());
  }
  const sb_mat3 r = sb_mat3_mul(body->rotation, surface->local.rotation);
  return turned(r, surface->type->radius(surface, sb_mat3_apply_transposed(r, n)));
}

/** The spot at p, with x, n and L in world axes. */
static sb_surface_spot spot_at(const sb_surface *surface, const sb_pose *body, sb_vec3 p) {
  const sb_pose pose = sb_pose_compose(*body, surface->local);
  const sb_mat3 r = pose.rotation;
  sb_surface_spot spot = {.n = nowhere(), .shape = sb_mat3_outer(nowhere(), nowhere())};
  if (!surface->type->at) {
    return spot; // told by its normals alone
  }
  surface->type->at(surface, sb_mat3_apply_transposed(r, sb_vec3_sub(p, pose.position)), &spot);
  spot.n = sb_mat3_apply(r, spot.n);
  spot.shape = turned(r, spot.shape);
  return spot;
}

sb_vec3 sb_surface_normal(const sb_surface *surface, const sb_pose *body, sb_vec3 p) {
  return spot_at(surface, body, p).n;
}

sb_mat3 sb_surface_shape(const sb_surface *surface, const sb_pose *body, sb_vec3 p) {
  return spot_at(surface, body, p).shape;
}

/** G : L at x + h e */
static double contraction(const sb_surface *s, sb_vec3 x, sb_mat3 G, double h, sb_vec3 e) {
  sb_surface_spot spot;
  s->type->at(s, sb_vec3_axpy(x, h, e), &spot);
  return sb_mat3_contract(G, spot.shape);
}

/** Central differences of order 4 along the tangent plane: that its points are off the surface in
 *  proportion to h^2 is the same on both sides. */
static sb_vec3 differences(const sb_surface *s, sb_vec3 x, sb_mat3 G) {
  static const double step = 1e-3; // of the least radius of curvature, or of the body
  sb_surface_spot spot;
  if (!s->type->at) {
    return nowhere();
  }
  s->type->at(s, x, &spot);
  const sb_mat3 L = spot.shape;
  const double size = sqrt(sb_mat3_contract(L, L)) + 1.0 / s->width, h = step / size;
  sb_vec3 e[2], g = {0, 0, 0};
  if (!(size > 0)) {
    return g; // flat
  }
  sb_tangent_basis(spot.n, &e[0], &e[1]);
  for (int i = 0; i < 2; i++) {
    const double near = contraction(s, x, G, h, e[i]) - contraction(s, x, G, -h, e[i]);
    const double far = contraction(s, x, G, 2 * h, e[i]) - contraction(s, x, G, -2 * h, e[i]);
    g = sb_vec3_axpy(g, (8 * near - far) / (12 * h), e[i]);
  }
  return g;
}

int sb_surface_piece(const sb_surface *surface, const sb_pose *body, sb_vec3 p) {
  const sb_pose pose = sb_pose_compose(*body, surface->local);
  const sb_vec3 x = sb_mat3_apply_transposed(pose.rotation, sb_vec3_sub(p, pose.position));
  return surface->type->piece != NULL ? surface->type->piece(surface, x) : 0;
}

double sb_surface_within_piece(const sb_surface *surface, const sb_pose *body, sb_vec3 p,
                               sb_vec3 *gradient) {
  const sb_pose pose = sb_pose_compose(*body, surface->local);
  const sb_vec3 x = sb_mat3_apply_transposed(pose.rotation, sb_vec3_sub(p, pose.position));
  sb_surface_spot spot;
  sb_vec3 own;
  surface->type->at(surface, x, &spot);
  const double way = surface->type->within(surface, x, &own);
  if (!(fabs(spot.distance) <= on_surface * surface->reach)) {
    return NAN;
  }
  *gradient = sb_mat3_apply(pose.rotation, own);
  return way;
}

sb_vec3 sb_surface_shape_gradient(const sb_surface *surface, const sb_pose *body, sb_vec3 p,
                                  sb_mat3 G) {
  const sb_pose pose = sb_pose_compose(*body, surface->local);
  const sb_mat3 r = pose.rotation;
  const sb_vec3 x = sb_mat3_apply_transposed(r, sb_vec3_sub(p, pose.position));
  const sb_mat3 own = turned(sb_mat3_transpose(r), G);
  return sb_mat3_apply(r, surface->type->shape_gradient
                              ? surface->type->shape_gradient(surface, x, own)
                              : differences(surface, x, own));
}

sb_vec3 surface_same_shape(const sb_surface *s, sb_vec3 x, sb_mat3 G) {
  (void)s, (void)x, (void)G;
  return (sb_vec3){0, 0, 0};
}

sb_vec3 sb_surface_inertia(const sb_surface *surface, double mass) {
  return surface->type->inertia ? surface->type->inertia(surface, mass) : nowhere();
}

double sb_surface_volume(const sb_surface *surface) {
  return surface->type->volume ? surface->type->volume(surface) : NAN;
}

sb_status sb_surface_check_edges(const sb_surface *s, sb_error *err) {
  if (strstr(s->type->attributes, "edge_radius") == NULL || s->edge_radius > 0.0) {
    return SB_OK;
  }
  return sb_fail(err, SB_ERR_MISSING,
                 "%s %s without an edge-radius has sharp edges, and can be in no contact",
                 surface_article(s), s->type->name);
}

double sb_surface_width(const sb_surface *surface) {
  return surface->width;
}

double sb_surface_bounding_radius(const sb_surface *surface) {
  return surface->in_place ? surface->reach
                           : sb_vec3_norm(surface->local.position) + surface->reach;
}
