// SPDX-License-Identifier: GPL-3.0-or-later
// Closest points of two convex bodies of any kind: Newton's method on the pair of points, started from
// the last answer or from the distance of the cores. With outward normals m1, m2 at p1, p2 and
// n = (m1 - m2)/|m1 - m2|, the points are right where a_i = (+-n - m_i) and the part q of p2 - p1
// across n are zero. To first order, with w the change of n, u_i those of the points, gap = n.(p2 - p1):
//   L1 u1 = w + a1,   L2 u2 = a2 - w,   q + u2 - u1 = gap w,
// where a strictly curved body gives R_i instead and is moved along its normal, u1 = R1 (w + a1), so
// that neither flats nor corners divide by zero.
#include <stddef.h>

#include "geometry/closest_private.h"
#include "geometry/gjk_private.h"

enum { STEPS_MAX = 40 };
/** Residuals [relative, rad] that are rounding; that count as an answer; that must have fallen below
 *  before a step that does not halve them is the last. */
static const double rounding = 4e-16, accepted = 1e-10, settled = 1e-9;
/** A residual below which flats or sides that lie along each other are told, whatever pair of their points it is. */
static const double along = 1e-6;
/** Longest turn in a step [rad], and longest way as a share of the bodies' reach. */
static const double longest_turn = 0.5, longest_way = 1.0;

/** |det A|/|A|^2 of a matrix that is singular but for rounding. */
static const double singular = 1e-13;
/** The same up to which its solution, two sides within 3e-6 of parallel, is not known well enough to be told. */
static const double nearly_singular = 1e-11;
/** Error that an answer of flats, edges and rounds may have: others are known to some 1e-16. */
static const double flat_error = 1e-13;
/** How far outside a body a point counts as on it, as a share of its reach. */
static const double surface_tolerance = 1e-9;
/** Cosine between a warm start and an answer on its branch. */
static const double same_branch = 0.7;

/** A body's point in the state of the search. */
typedef struct mate {
  sb_vec3 p, m; // the point [m], the outward normal
  sb_mat3 form; // L [1/m], or R [m] of a strictly curved body
} mate;
typedef struct pair_state {
  mate mates[2];
  sb_vec3 n;
  double gap, residual;
} pair_state;

typedef struct map2 {
  double m[2][2];
} map2;

static bool is_strict(const convex_side *side) {
  return side->surface->type->radius != NULL;
}

/** The point of a body near p, or of an outward normal near m. */
static void settle(const convex_side *side, sb_vec3 p, sb_vec3 m, mate *out) {
  const sb_surface *s = side->surface;
  if (is_strict(side)) {
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

static double size_of(const convex_side sides[2]) {
  return sides[0].surface->reach + sides[1].surface->reach;
}

/** Completes n, gap and residual. */
static void measure(const convex_side sides[2], pair_state *s) {
  const mate *a = &s->mates[0], *b = &s->mates[1];
  s->n = sb_vec3_normalize(sb_vec3_sub(a->m, b->m));
  const sb_vec3 span = sb_vec3_sub(b->p, a->p);
  s->gap = sb_vec3_dot(span, s->n);
  const double q = sb_vec3_norm(sb_vec3_axpy(span, -s->gap, s->n)) / size_of(sides);
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
static bool find_step(const convex_side sides[2], const pair_state *s, const sb_vec3 e[2],
                      newton_step *step) {
  const mate *mates = s->mates;
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
  if (is_strict(&sides[0])) { // (R1 + R2 + gap) w = q + R2 a2 - R1 a1
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
  if (is_strict(&sides[1])) { // (1 + (R2 + gap) L1) u1 = q + R2 (a1 + a2) + gap a1
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
 *  come apart if each were held back by itself. */
static void shorten(const convex_side sides[2], newton_step *step) {
  double share = fmin(1.0, longest_turn / hypot(step->w[0], step->w[1]));
  for (int k = 0; k < 2; k++) {
    share =
        fmin(share, longest_way * sides[k].surface->reach / hypot(step->u[k][0], step->u[k][1]));
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

/** Newton's method from a settled state; true where the residual has become rounding. */
static bool refine(const convex_side sides[2], pair_state *s, int *evaluations) {
  measure(sides, s);
  for (int i = 0; i < STEPS_MAX && s->residual > rounding; i++) {
    sb_vec3 e[2];
    newton_step step = {.w = {0, 0}};
    sb_tangent_basis(s->n, &e[0], &e[1]);
    if (!find_step(sides, s, e, &step)) {
      break;
    }
    pair_state next;
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

/** From a direction: the support points. */
static void start_along(const convex_side sides[2], sb_vec3 n, pair_state *s) {
  for (int k = 0; k < 2; k++) {
    const sb_vec3 m = k ? sb_vec3_neg(n) : n;
    const sb_vec3 p = sb_vec3_axpy(convex_core_support(&sides[k], m), sides[k].surface->sweep, m);
    settle(&sides[k], p, m, &s->mates[k]);
  }
}

/** From the points of the cores that are nearest. */
static void start_between(const convex_side sides[2], const sb_vec3 points[2], pair_state *s) {
  const sb_vec3 n = sb_vec3_normalize(sb_vec3_sub(points[1], points[0]));
  for (int k = 0; k < 2; k++) {
    const sb_vec3 m = k ? sb_vec3_neg(n) : n;
    settle(&sides[k], sb_vec3_axpy(points[k], sides[k].surface->sweep, m), m, &s->mates[k]);
  }
}

/** Cores that are apart, or just touch, have one pair of nearest points, which any solution therefore is. */
static bool cores_apart(const convex_side sides[2], const pair_state *s) {
  return s->gap + sides[0].surface->sweep + sides[1].surface->sweep >= 0.0;
}

static sb_mat3 shape_of(const convex_side *side, const mate *at, sb_vec3 n) {
  return is_strict(side) ? closest_inverse(at->form, n) : at->form;
}

/** Whether both cores are boxes, edges or points: their distance is found at once and exactly, and a search along a
 *  normal from before takes two to four times as long. */
static bool has_flat_cores(const convex_side sides[2]) {
  bool flat = true;
  for (int i = 0; i < 2; i++) {
    const sb_surface *s = sides[i].surface;
    flat = flat && s->sweep > 0.0 && s->type->shape_gradient == surface_same_shape;
  }
  return flat;
}

static void present(const convex_side sides[2], sb_vec3 origin, const pair_state *s,
                    int evaluations, sb_closest *out) {
  const mate *mates = s->mates;
  *out = (sb_closest){.p1 = sb_vec3_add(origin, mates[0].p),
                      .p2 = sb_vec3_add(origin, mates[1].p),
                      .normal = s->n,
                      .gap = s->gap,
                      .shape1 = shape_of(&sides[0], &mates[0], s->n),
                      .shape2 = shape_of(&sides[1], &mates[1], s->n),
                      .iterations = evaluations};
  closest_judge(out, sb_vec3_sub(mates[1].p, mates[0].p), size_of(sides),
                closest_least_radius(out));
  closest_require_unique(out, fmin(sides[0].surface->reach, sides[1].surface->reach),
                         nearly_singular);
  if (out->status == SB_CLOSEST_OK && out->error > flat_error && has_flat_cores(sides)) {
    out->status = SB_CLOSEST_AMBIGUOUS; // between two sides of a round: the search went to and fro
  }
}

/** Whether a point lies in a body, or on it. */
static bool is_inside(const convex_side *side, sb_vec3 p) {
  const sb_surface_type *type = side->surface->type;
  void (*spot_near)(const sb_surface *, sb_vec3, sb_surface_spot *) =
      type->nearest ? type->nearest : type->at;
  if (spot_near) {
    sb_surface_spot spot;
    spot_near(side->surface, sb_mat3_apply_transposed(side->turn, sb_vec3_sub(p, side->center)),
              &spot);
    return spot.distance <= surface_tolerance * side->surface->reach;
  }
  const sb_surface point = {.type = &sb_point};
  const convex_side sides[2] = {*side, {&point, sb_mat3_identity(), p}};
  sb_vec3 points[2];
  int evaluations = 0;
  return !gjk_nearest(sides, sb_vec3_sub(p, side->center), points, &evaluations) ||
         sb_vec3_norm(sb_vec3_sub(points[1], points[0])) <=
             surface_tolerance * side->surface->reach;
}

/** A solution whose cores overlap is one of several: it is the contact only while a point of one body lies
 *  in the other. */
static bool is_contact(const convex_side sides[2], const pair_state *s) {
  return is_inside(&sides[1], s->mates[0].p) || is_inside(&sides[0], s->mates[1].p);
}

/** The answer if the cores are apart, by their nearest points. */
static bool solve_apart(const convex_side sides[2], sb_vec3 d, pair_state *s, int *evaluations) {
  sb_vec3 points[2];
  if (!gjk_nearest(sides, d, points, evaluations)) {
    return false;
  }
  start_between(sides, points, s);
  return refine(sides, s, evaluations) && cores_apart(sides, s);
}

void closest_convex(const sb_surface *s1, const sb_pose *H1, const sb_surface *s2,
                    const sb_pose *H2, const sb_vec3 *warm, sb_closest *out) {
  const sb_pose world[2] = {sb_pose_compose(*H1, s1->local), sb_pose_compose(*H2, s2->local)};
  const sb_vec3 origin = world[0].position, d = sb_vec3_sub(world[1].position, origin);
  const convex_side sides[2] = {{s1, world[0].rotation, {0, 0, 0}}, {s2, world[1].rotation, d}};
  const bool smooth = s1->sweep + s2->sweep == 0.0;
  pair_state s, tracked;
  int evaluations = 0;
  bool is_tracked = false;
  const bool flat = has_flat_cores(sides);
  if (flat && solve_apart(sides, d, &s, &evaluations)) {
    present(sides, origin, &s, evaluations, out);
    return;
  }
  if (warm) {
    start_along(sides, *warm, &s);
    if (refine(sides, &s, &evaluations)) {
      if (cores_apart(sides, &s)) {
        present(sides, origin, &s, evaluations, out);
        return;
      }
      is_tracked =
          sb_vec3_dot(s.n, *warm) > same_branch * sb_vec3_norm(*warm) && is_contact(sides, &s);
      tracked = s;
    }
  }
  if (!flat && !(smooth && is_tracked) && solve_apart(sides, d, &s, &evaluations)) {
    present(sides, origin, &s, evaluations, out);
    return;
  }
  if (is_tracked) {
    present(sides, origin, &tracked, evaluations, out);
    if (out->status <= SB_CLOSEST_DEEP) {
      return;
    }
  }
  sb_vec3 points[2];
  if (convex_survey(sides, points, &evaluations)) {
    start_along(sides, points[0], &s);
    if (refine(sides, &s, &evaluations)) {
      present(sides, origin, &s, evaluations, out);
      const bool sure = cores_apart(sides, &s) || (smooth && !warm);
      if (out->status != SB_CLOSEST_FAILED && !sure) {
        out->status = SB_CLOSEST_AMBIGUOUS; // the branch has ended, or corners and edges overlap
      }
      return;
    }
  }
  if (s.residual <= along) { // flats or sides all but lie along each other
    present(sides, origin, &s, evaluations, out);
    if (out->status == SB_CLOSEST_AMBIGUOUS) {
      return;
    }
  }
  out->iterations = evaluations;
  closest_fail(out);
}
