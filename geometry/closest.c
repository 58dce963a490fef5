// SPDX-License-Identifier: GPL-3.0-or-later
// Closest points: the table of pairs, and the judgement that every answer passes.
#include <stddef.h>

#include "geometry/closest_private.h"

/** Above this relative tangential component of p2 - p1 an answer is no answer. */
static const double error_limit = SB_CLOSEST_ERROR;

/** Relative curvatures below this share of 1/size are none: what a flat keeps by rounding. */
static const double flat_curvature = 1e-12;

/** det L/(tr L)^2 of two flat directions that are parallel but for rounding. */
static const double parallel = 1e-15;

/** Cosine between the normals of points of whole surfaces, and of those near by of what their pieces go on as. */
static const double near = 0.7;

typedef struct pair_row {
  const sb_surface_type *type1, *type2;
  closest_solver *solve;
} pair_row;

static const pair_row pairs[] = {
    {&sb_ellipsoid, &sb_ellipsoid, closest_ellipsoids},
    {&sb_sphere, &sb_ellipsoid, closest_sphere_ellipsoid},
    {&sb_sphere, &sb_sphere, closest_spheres},
};

/** The solver for what these surfaces can tell; NULL if there is none in this order. */
static closest_solver *general_solver(const sb_surface *s1, const sb_surface *s2) {
  const sb_surface_type *t1 = s1->type, *t2 = s2->type;
  if (t2->half_space || s1->reach + s2->reach == 0.0) {
    return NULL; // a half-space comes first; two points never meet
  }
  if (t1->half_space) {
    return t2->support ? closest_plane : NULL;
  }
  if (t1->ball && t2->nearest) {
    return closest_ball;
  }
  if (t2->ball && t1->nearest) {
    return NULL; // the ball comes first
  }
  // one that is told by its points comes before one that is told by its normals
  return t1->convex && t2->convex && (!t1->radius || t2->radius) ? closest_convex : NULL;
}

/** The solver of a pair in either order: of its row, else a general one; NULL if there is none. */
static closest_solver *find_solver(const sb_surface *s1, const sb_surface *s2, bool *swapped) {
  const sb_surface_type *t1 = s1->type, *t2 = s2->type;
  const bool listed = !t1->half_space && !t2->half_space; // no row has one
  for (size_t i = 0; listed && i < sizeof pairs / sizeof pairs[0]; i++) {
    const bool straight = pairs[i].type1 == t1 && pairs[i].type2 == t2;
    if (straight || (pairs[i].type1 == t2 && pairs[i].type2 == t1)) {
      *swapped = !straight;
      return pairs[i].solve;
    }
  }
  closest_solver *straight = general_solver(s1, s2);
  *swapped = !straight;
  return straight ? straight : general_solver(s2, s1);
}

sb_status sb_closest_supported(const sb_surface *s1, const sb_surface *s2, sb_error *err) {
  bool swapped = false;
  if (!find_solver(s1, s2, &swapped)) {
    return sb_fail(err, SB_ERR_CONTACT, "a contact between the shapes %s and %s is not supported",
                   s1->type->name, s2->type->name);
  }
  SB_TRY(sb_surface_check_edges(s1, err));
  return sb_surface_check_edges(s2, err);
}

static bool is_convex(const sb_surface *s) {
  return s->type->convex || s->type->half_space;
}

bool sb_closest_unique(const sb_surface *s1, const sb_surface *s2) {
  return (s1->type->curved || s2->type->curved) && is_convex(s1) && is_convex(s2);
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
  closest_solver *solve = find_solver(s1, s2, &swapped);
  sb_vec3 n;
  if (warm) { // one that is no direction counts as none
    n = sb_vec3_normalize(swapped ? sb_vec3_neg(*warm) : *warm);
    warm = isfinite(n.x + n.y + n.z) ? &n : NULL;
  }
  out->iterations = 0;
  if (!solve) {
    closest_fail(out);
  } else if (swapped) {
    solve(s2, H2, s1, H1, warm, out);
    exchange(out);
  } else {
    solve(s1, H1, s2, H2, warm, out);
  }
}

void sb_closest_go_on(const sb_surface *s1, const sb_pose *H1, const sb_surface *s2,
                      const sb_pose *H2, const sb_closest *from, sb_closest *out) {
  bool swapped;
  if (find_solver(s1, s2, &swapped) != closest_convex) { // in closed form
    sb_closest_points(s1, H1, s2, H2, &from->normal, out);
  } else if (swapped) {
    sb_closest exchanged = *from;
    exchange(&exchanged);
    closest_convex_near(s2, H2, s1, H1, &exchanged, out);
    exchange(out);
  } else {
    closest_convex_near(s1, H1, s2, H2, from, out);
  }
  if (!(sb_vec3_dot(out->normal, from->normal) > near)) {
    closest_fail(out);
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

/** The shapes of an answer in a basis of its tangent plane. */
static void restrict_shapes(const sb_closest *c, form2 *L1, form2 *L2) {
  sb_vec3 e1, e2;
  sb_tangent_basis(c->normal, &e1, &e2);
  const sb_mat3 *shapes[2] = {&c->shape1, &c->shape2};
  form2 *forms[2] = {L1, L2};
  for (int i = 0; i < 2; i++) {
    const sb_vec3 l1 = sb_mat3_apply(*shapes[i], e1), l2 = sb_mat3_apply(*shapes[i], e2);
    *forms[i] = (form2){sb_vec3_dot(e1, l1), sb_vec3_dot(e1, l2), sb_vec3_dot(e2, l2)};
  }
}

double closest_least_radius(const sb_closest *answer) {
  form2 L1, L2;
  restrict_shapes(answer, &L1, &L2);
  const form2 sum = {L1.a + L2.a, L1.b + L2.b, L1.c + L2.c};
  const double det = form2_det(sum), trace = form2_trace(sum);
  const double both = form2_trace(L1) * form2_trace(L2);
  if (trace > 0.0 &&
      fabs(det) <=
          parallel * trace * trace) { // flat in one direction each, 1/l1 + 1/l2 in the other
    return both > 0.0 ? trace / both : INFINITY;
  }
  if (!(det > 0.0 && trace > 0.0)) {
    return both == 0.0 ? INFINITY : 0.0;
  }
  // P = L1 sum^-1 L2 is symmetric; its largest eigenvalue from trace and determinant
  const double inverse = 1.0 / det;
  const form2 s = {sum.c * inverse, -sum.b * inverse, sum.a * inverse};
  const double m[2][2] = {{s.a * L2.a + s.b * L2.b, s.a * L2.b + s.b * L2.c},
                          {s.b * L2.a + s.c * L2.b, s.b * L2.b + s.c * L2.c}};
  const form2 P = {L1.a * m[0][0] + L1.b * m[1][0], L1.a * m[0][1] + L1.b * m[1][1],
                   L1.b * m[0][1] + L1.c * m[1][1]};
  const double most = 0.5 * form2_trace(P) + hypot(0.5 * (P.a - P.c), P.b);
  return most > 0.0 ? 1.0 / most : INFINITY;
}

static double form2_least(form2 f) {
  return 0.5 * form2_trace(f) - hypot(0.5 * (f.a - f.c), f.b);
}

/** Whether one surface is hollow, and the other as curved along some direction. */
static bool conforms(form2 L1, form2 L2, form2 sum, double size) {
  return fmin(form2_least(L1), form2_least(L2)) * size < -flat_curvature &&
         fabs(form2_least(sum)) * size <= 2 * SB_CLOSEST_CONFORMING;
}

void closest_require_unique(sb_closest *out, double size, double singular) {
  form2 L1, L2;
  restrict_shapes(out, &L1, &L2);
  const form2 sum = {L1.a + L2.a, L1.b + L2.b, L1.c + L2.c};
  const double det = fabs(form2_det(sum)), trace = fabs(form2_trace(sum)),
               square = sum.a * sum.a + 2.0 * sum.b * sum.b + sum.c * sum.c;
  const bool curved = det * size > 2 * SB_CLOSEST_CONFORMING * trace; // in all directions
  if (out->status != SB_CLOSEST_FAILED &&
      (!(det * size > flat_curvature * trace && det > singular * square) ||
       (!curved && conforms(L1, L2, sum, size)))) {
    out->status = SB_CLOSEST_AMBIGUOUS;
  }
}

sb_mat3 closest_turn(sb_mat3 r, sb_mat3 shape) {
  const sb_vec3 x = sb_vec3_load(r.m[0]), y = sb_vec3_load(r.m[1]), z = sb_vec3_load(r.m[2]);
  const sb_vec3 Lx = sb_mat3_apply(shape, x), Ly = sb_mat3_apply(shape, y);
  const double xy = sb_vec3_dot(y, Lx), xz = sb_vec3_dot(z, Lx), yz = sb_vec3_dot(z, Ly);
  return (sb_mat3){{{sb_vec3_dot(x, Lx), xy, xz},
                    {xy, sb_vec3_dot(y, Ly), yz},
                    {xz, yz, sb_vec3_dot(z, sb_mat3_apply(shape, z))}}};
}

sb_mat3 closest_inverse(sb_mat3 radius, sb_vec3 n) {
  sb_vec3 e1, e2;
  sb_tangent_basis(n, &e1, &e2);
  const sb_vec3 r1 = sb_mat3_apply(radius, e1), r2 = sb_mat3_apply(radius, e2);
  const form2 r = {sb_vec3_dot(e1, r1), sb_vec3_dot(e1, r2), sb_vec3_dot(e2, r2)};
  const double det = form2_det(r);
  const form2 point = {SB_POINT_CURVATURE, 0.0, SB_POINT_CURVATURE};
  return form2_matrix(det > 0.0 ? (form2){r.c / det, -r.b / det, r.a / det} : point, e1, e2);
}
