// SPDX-License-Identifier: GPL-3.0-or-later
// Closest points: the table of pairs, and the judgement that every answer passes.
#include <stddef.h>

#include "geometry/closest_private.h"

/** Above this relative tangential component of p2 - p1 an answer is no answer. */
static const double error_limit = 1e-9;

typedef struct pair_row {
  const sb_surface_type *type1, *type2;
  closest_solver *solve;
} pair_row;

static const pair_row pairs[] = {
    {&sb_ellipsoid, &sb_ellipsoid, closest_ellipsoids},
    {&sb_plane, &sb_ellipsoid, closest_plane},
    {&sb_plane, &sb_sphere, closest_plane},
    {&sb_sphere, &sb_ellipsoid, closest_sphere_ellipsoid},
    {&sb_sphere, &sb_sphere, closest_spheres},
};

/** The row of a pair in either order; NULL if there is none. */
static const pair_row *find_pair(const sb_surface_type *t1, const sb_surface_type *t2,
                                 bool *swapped) {
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
    const bool straight = pairs[i].type1 == t1 && pairs[i].type2 == t2;
    if (straight || (pairs[i].type1 == t2 && pairs[i].type2 == t1)) {
      *swapped = !straight;
      return &pairs[i];
    }
  }
  return NULL;
}

sb_status sb_closest_supported(const sb_surface *s1, const sb_surface *s2, sb_error *err) {
  bool swapped = false;
  if (!find_pair(s1->type, s2->type, &swapped)) {
    return sb_fail(err, SB_ERR_CONTACT, "contact between a %s and a %s is not supported",
                   s1->type->name, s2->type->name);
  }
  return SB_OK;
}

/** The same answer with the bodies' names exchanged. */
static void exchange(sb_closest *c) {
  const sb_vec3 p = c->p1;
  c->p1 = c->p2;
  c->p2 = p;
  const sb_mat3 shape = c->shape1;
  c->shape1 = c->shape2;
  c->shape2 = shape;
  c->normal = sb_vec3_neg(c->normal);
}

void sb_closest_points(const sb_surface *s1, const sb_pose *H1, const sb_surface *s2,
                       const sb_pose *H2, const sb_vec3 *warm, sb_closest *out) {
  bool swapped = false;
  const pair_row *row = find_pair(s1->type, s2->type, &swapped);
  sb_vec3 n;
  if (warm) { // one that is no direction counts as none
    n = sb_vec3_normalize(swapped ? sb_vec3_neg(*warm) : *warm);
    warm = isfinite(n.x + n.y + n.z) ? &n : NULL;
  }
  out->iterations = 0;
  if (!row) {
    closest_fail(out);
  } else if (swapped) {
    row->solve(s2, H2, s1, H1, warm, out);
    exchange(out);
  } else {
    row->solve(s1, H1, s2, H2, warm, out);
  }
}

void closest_fail(sb_closest *out) {
  const sb_vec3 none = {NAN, NAN, NAN};
  const sb_mat3 no_shape = sb_mat3_outer(none, none);
  *out = (sb_closest){
      none, none, none, NAN, no_shape, no_shape, NAN, NAN, out->iterations, SB_CLOSEST_FAILED};
}

void closest_judge(sb_closest *out, sb_vec3 span, double size, double least_radius) {
  const sb_vec3 n = out->normal;
  out->error = sb_vec3_norm(sb_vec3_axpy(span, -sb_vec3_dot(span, n), n)) / size;
  out->depth_ratio = out->gap < 0.0 ? -out->gap / least_radius : 0.0;
  const sb_vec3 sum = sb_vec3_add(out->p1, out->p2);
  const bool finite = isfinite(out->gap + sum.x + sum.y + sum.z);
  if (!finite || !(out->error <= error_limit)) {
    closest_fail(out);
  } else if (!(out->depth_ratio <= SB_CLOSEST_DEPTH_LIMIT)) {
    out->status = SB_CLOSEST_AMBIGUOUS;
  } else {
    out->status = out->depth_ratio > SB_CLOSEST_DEPTH_DEEP ? SB_CLOSEST_DEEP : SB_CLOSEST_OK;
  }
}
