// SPDX-License-Identifier: GPL-3.0-or-later
// Newton's method on a pair of points of two convex bodies of any kind. With outward normals m1, m2 at p1, p2 and
// n = (m1 - m2)/|m1 - m2|, the points are right where a_i = (+-n - m_i) and the part q of p2 - p1
// across n are zero. To first order, with w the change of n, u_i those of the points, gap = n.(p2 - p1):
//   L1 u1 = w + a1,   L2 u2 = a2 - w,   q + u2 - u1 = gap w,
// where a strictly curved body gives R_i instead and is moved along its normal, u1 = R1 (w + a1), so
// that neither flats nor corners divide by zero.
#include <stddef.h>

#include "geometry/convex_private.h"

enum { STEPS_MAX = 40 };
/** Residuals [relative, rad] that are rounding; that count as an answer; that must have fallen below
 *  before a step that does not halve them is the last. */
static const double rounding = 4e-16, accepted = 1e-10, settled = 1e-9;
/** Longest turn in a step [rad], and longest way as a share of the bodies' reach. */
static const double longest_turn = 0.5, longest_way = 1.0;

/** |det A|/|A|^2 of a matrix that is singular but for rounding. */
static const double singular = 1e-13;

typedef struct map2 {
  double m[2][2];
} map2;

bool convex_is_strict(const convex_side *side) {
  return side->surface->type->radius != NULL;
}

bool convex_is_curved(const convex_side *side) {
  return side->surface->type->smooth || convex_is_strict(side);
}

sb_mat3 convex_shape(const convex_side *side, const convex_mate *at, sb_vec3 n) {
  return convex_is_strict(side) ? closest_inverse(at->form, n) : at->form;
}

bool convex_is_maximum(const convex_side sides[2], const convex_state *s) {
  const sb_closest answer = {.normal = s->n,
                             .shape1 = convex_shape(&sides[0], &s->mates[0], s->n),
                             .shape2 = convex_shape(&sides[1], &s->mates[1], s->n)};
  return closest_least_radius(&answer) > -s->gap;
}

/** The point of a body near p, or of an outward normal near m. */
static void settle(const convex_side *side, sb_vec3 p, sb_vec3 m, convex_mate *out) {
  const sb_surface *s = side->surface;
  if (convex_is_strict(side)) {
    out->m = sb_vec3_normalize(m);
    const sb_vec3 own = sb_mat3_apply_transposed(side->turn, out->m);
    sb_vec3 x;
    s->type->support(s, own, &x);
    out->p = sb_vec3_add(side->center, sb_mat3_apply(side->turn, x));
    out->form = closest_turn(side->turn, s->type->radius(s, own));
    return;
  }
  sb_surface_spot spot;
  s->type->at(s, sb_mat3_apply_transposed(side->turn, sb_vec3_sub(p, side->center)), &spot);
  out->p = sb_vec3_add(side->center, sb_mat3_apply(side->turn, spot.x));
  out->m = sb_mat3_apply(side->turn, spot.n);
  out->form = closest_turn(side->turn, spot.shape);
}

double convex_size(const convex_side sides[2]) {
  return sides[0].surface->reach + sides[1].surface->reach;
}

/** Completes n, gap and residual. */
static void measure(const convex_side sides[2], convex_state *s) {
  const convex_mate *a = &s->mates[0], *b = &s->mates[1];
  s->n = sb_vec3_normalize(sb_vec3_sub(a->m, b->m));
  const sb_vec3 span = sb_vec3_sub(b->p, a->p);
  s->gap = sb_vec3_dot(span, s->n);
  const double q = sb_vec3_norm(sb_vec3_axpy(span, -s->gap, s->n)) / convex_size(sides);
  s->residual = q + sb_vec3_norm(sb_vec3_add(a->m, b->m));
}

static map2 restricted(sb_mat3 form, const sb_vec3 e[2]) {
  map2 r;
  for (int j = 0; j < 2; j++) {
    const sb_vec3 image = sb_mat3_apply(form, e[j]);
    r.m[0][j] = sb_vec3_dot(e[0], image);
    r.m[1][j] = sb_vec3_dot(e[1], image);
  }
  return r;
}
/** y = A x + s z */
static void apply2(const map2 *a, const double x[2], double s, const double z[2], double y[2]) {
  const double y0 = a->m[0][0] * x[0] + a->m[0][1] * x[1] + s * z[0];
  y[1] = a->m[1][0] * x[0] + a->m[1][1] * x[1] + s * z[1];
  y[0] = y0;
}
/** A B + s C + t 1 */
static map2 combine(const map2 *a, const map2 *b, double s, const map2 *c, double t) {
  map2 r;
  for (int i = 0; i < 2; i++) {
    for (int j = 0; j < 2; j++) {
      r.m[i][j] =
          a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] + s * c->m[i][j] + (i == j ? t : 0.0);
    }
  }
  return r;
}
/** A x = b; the shortest solution where A is singular: flats or sides that lie along each other. */
static bool solve2(const map2 *A, const double b[2], double x[2]) {
  const double(*a)[2] = A->m;
  const double square =
      a[0][0] * a[0][0] + a[0][1] * a[0][1] + a[1][0] * a[1][0] + a[1][1] * a[1][1];
  const double det = a[0][0] * a[1][1] - a[0][1] * a[1][0];
  if (fabs(det) > singular * square) {
    x[0] = (a[1][1] * b[0] - a[0][1] * b[1]) / det;
    x[1] = (a[0][0] * b[1] - a[1][0] * b[0]) / det;
  } else { // of rank one, A^+ = A^T/|A|^2
    const double scale = square > 0.0 ? 1.0 / square : 0.0;
    x[0] = scale * (a[0][0] * b[0] + a[1][0] * b[1]);
    x[1] = scale * (a[0][1] * b[0] + a[1][1] * b[1]);
  }
  return isfinite(x[0]) && isfinite(x[1]);
}

typedef struct newton_step {
  double u[2][2], w[2];
} newton_step;

/** The first-order equations; a body given by L comes before one given by R. */
static bool find_step(const convex_side sides[2], const convex_state *s, const sb_vec3 e[2],
                      newton_step *step) {
  const convex_mate *mates = s->mates;
  const map2 F1 = restricted(mates[0].form, e), F2 = restricted(mates[1].form, e);
  static const map2 none = {{{0}}};
  const sb_vec3 span = sb_vec3_sub(mates[1].p, mates[0].p);
  const double gap = s->gap, zero[2] = {0, 0};
  double a[2][2], q[2], rhs[2], x[2];
  for (int i = 0; i < 2; i++) {
    q[i] = sb_vec3_dot(e[i], span);
    a[0][i] = -sb_vec3_dot(e[i], mates[0].m);
    a[1][i] = -sb_vec3_dot(e[i], mates[1].m);
  }
  if (convex_is_strict(&sides[0])) { // (R1 + R2 + gap) w = q + R2 a2 - R1 a1
    double r1[2];
    apply2(&F1, a[0], 0.0, zero, r1);
    apply2(&F2, a[1], 1.0, q, rhs);
    rhs[0] -= r1[0], rhs[1] -= r1[1];
    const map2 M = combine(&none, &none, 1.0, &F1, gap);
    const map2 S = {{{M.m[0][0] + F2.m[0][0], M.m[0][1] + F2.m[0][1]},
                     {M.m[1][0] + F2.m[1][0], M.m[1][1] + F2.m[1][1]}}};
    return solve2(&S, rhs, step->w);
  }
  map2 M;
  if (convex_is_strict(&sides[1])) { // (1 + (R2 + gap) L1) u1 = q + R2 (a1 + a2) + gap a1
    const double sum[2] = {a[0][0] + a[1][0], a[0][1] + a[1][1]};
    apply2(&F2, sum, gap, a[0], x);
    rhs[0] = q[0] + x[0], rhs[1] = q[1] + x[1];
    M = combine(&F2, &F1, gap, &F1, 1.0);
  } else { // (L1 + L2 + gap L2 L1) u1 = a1 + a2 + L2 (q + gap a1)
    const double inner[2] = {q[0] + gap * a[0][0], q[1] + gap * a[0][1]};
    apply2(&F2, inner, 1.0, a[0], rhs);
    rhs[0] += a[1][0], rhs[1] += a[1][1];
    const map2 scaled = {
        {{gap * F2.m[0][0], gap * F2.m[0][1]}, {gap * F2.m[1][0], gap * F2.m[1][1]}}};
    M = combine(&scaled, &F1, 1.0, &F1, 0.0);
    for (int i = 0; i < 4; i++) {
      M.m[i / 2][i % 2] += F2.m[i / 2][i % 2];
    }
  }
  if (!solve2(&M, rhs, step->u[0])) {
    return false;
  }
  apply2(&F1, step->u[0], -1.0, a[0], step->w);
  for (int i = 0; i < 2; i++) {
    step->u[1][i] = gap * step->w[i] - q[i] + step->u[0][i];
  }
  return true;
}

/** Shortens a step that is too long as a whole: points that were to slide along two sides that are nearly parallel would
 *  come apart if each were held back by itself. A strictly curved body is moved by its normal alone. */
static void shorten(const convex_side sides[2], newton_step *step) {
  double share = fmin(1.0, longest_turn / hypot(step->w[0], step->w[1]));
  for (int k = 0; k < 2; k++) {
    if (!convex_is_strict(&sides[k])) {
      share =
          fmin(share, longest_way * sides[k].surface->reach / hypot(step->u[k][0], step->u[k][1]));
    }
  }
  for (int i = 0; i < 2; i++) {
    step->w[i] *= share;
    step->u[0][i] *= share;
    step->u[1][i] *= share;
  }
}

/** x1 e1 + x2 e2 */
static sb_vec3 across(const double x[2], const sb_vec3 e[2]) {
  return sb_vec3_axpy(sb_vec3_scale(e[0], x[0]), x[1], e[1]);
}

void convex_move(const convex_side sides[2], const convex_state *from, sb_vec3 way,
                 convex_state *to) {
  for (int k = 0; k < 2; k++) {
    settle(&sides[k], sb_vec3_add(from->mates[k].p, way), from->mates[k].m, &to->mates[k]);
  }
  measure(sides, to);
}

bool convex_refine(const convex_side sides[2], convex_state *s, int *evaluations) {
  measure(sides, s);
  for (int i = 0; i < STEPS_MAX && s->residual > rounding; i++) {
    sb_vec3 e[2];
    newton_step step = {.w = {0, 0}};
    sb_tangent_basis(s->n, &e[0], &e[1]);
    if (!find_step(sides, s, e, &step)) {
      break;
    }
    convex_state next;
    shorten(sides, &step);
    const sb_vec3 normal = sb_vec3_add(s->n, across(step.w, e));
    for (int k = 0; k < 2; k++) {
      settle(&sides[k], sb_vec3_add(s->mates[k].p, across(step.u[k], e)),
             k ? sb_vec3_neg(normal) : normal, &next.mates[k]);
    }
    ++*evaluations;
    measure(sides, &next);
    if (s->residual <= settled && !(next.residual <= 0.5 * s->residual)) {
      break; // rounding only: the older one is the better one
    }
    *s = next;
  }
  return s->residual <= accepted;
}

void convex_start_along(const convex_side sides[2], sb_vec3 n, convex_state *s) {
  for (int k = 0; k < 2; k++) {
    const sb_vec3 m = k ? sb_vec3_neg(n) : n;
    const sb_vec3 p = sb_vec3_axpy(convex_core_support(&sides[k], m), sides[k].surface->sweep, m);
    settle(&sides[k], p, m, &s->mates[k]);
  }
}

void convex_start_between(const convex_side sides[2], const sb_vec3 points[2], convex_state *s) {
  const sb_vec3 n = sb_vec3_normalize(sb_vec3_sub(points[1], points[0]));
  for (int k = 0; k < 2; k++) {
    const sb_vec3 m = k ? sb_vec3_neg(n) : n;
    settle(&sides[k], sb_vec3_axpy(points[k], sides[k].surface->sweep, m), m, &s->mates[k]);
  }
}
