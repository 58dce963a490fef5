// SPDX-License-Identifier: GPL-3.0-or-later
// Closest points of two convex bodies of any kind. Where their cores are apart there is one answer: Newton's method on
// the pair of points (convex_newton.c), started from the last answer or from the distance of the cores. Where they overlap
// there may be several: the branch of the last answer is kept, by Newton's method or by an ascent that cannot get lost
// (convex_survey.c), and without one the highest maximum is looked for.
#include <stddef.h>

#include "geometry/convex_private.h"

/** A residual below which flats or sides that lie along each other are told, whatever pair of their points it is. */
static const double along = 1e-6;
/** |det L|/|L|^2 of curvatures up to which the points, of two sides within 3e-6 of parallel, are not known well enough to be told. */
static const double nearly_singular = 1e-11;
/** Error that an answer of flats, edges and rounds may have: others are known to some 1e-16. */
static const double flat_error = 1e-13;
/** How far outside a body a point counts as on it, as a share of its reach. */
static const double surface_tolerance = 1e-9;
/** Overlap of cores, relative to both bodies' reach, that is rounding. */
static const double touching = 1e-14;
/** Cosine between a warm start and an answer on its branch. */
static const double same_branch = 0.7;

/** Cores that are apart, or just touch but for rounding, have one pair of nearest points, which any solution therefore is. */
static bool cores_apart(const convex_side sides[2], const convex_state *s) {
  return s->gap + sides[0].surface->sweep + sides[1].surface->sweep >=
         -touching * convex_size(sides);
}

/** Whether both cores are boxes, edges or points: their distance is found at once and exactly, and a search along a
 *  normal from before takes two to four times as long. */
static bool has_flat_cores(const convex_side sides[2]) {
  bool flat = true;
  for (int i = 0; i < 2; i++) {
    const sb_surface *s = sides[i].surface;
    flat = flat && s->sweep > 0.0 && s->type->flat_core;
  }
  return flat;
}

/** What a curvature is compared with [m]: the smaller body, but a point, which has none of its own. */
static double curved_size(const convex_side sides[2]) {
  const double r1 = sides[0].surface->reach, r2 = sides[1].surface->reach;
  return fmin(r1, r2) > 0.0 ? fmin(r1, r2) : fmax(r1, r2);
}

/** Least eigenvalue of R1 + R2 [m], by which the depth ratio counts. Two edges that cross are apart whatever the depth is, but where
 *  they meet, at the depth of both sweeps, and past that with the normal turned round: there the branch ends. */
static double least_radius(const convex_side sides[2], const sb_closest *answer) {
  const sb_surface *s1 = sides[0].surface, *s2 = sides[1].surface;
  const double least = closest_least_radius(answer);
  return s1->type->edge_core && s2->type->edge_core ? fmin(least, s1->sweep + s2->sweep) : least;
}

static void present(const convex_side sides[2], sb_vec3 origin, const convex_state *s,
                    int evaluations, sb_closest *out) {
  const convex_mate *mates = s->mates;
  *out = (sb_closest){.p1 = sb_vec3_add(origin, mates[0].p),
                      .p2 = sb_vec3_add(origin, mates[1].p),
                      .normal = s->n,
                      .gap = s->gap,
                      .shape1 = convex_shape(&sides[0], &mates[0], s->n),
                      .shape2 = convex_shape(&sides[1], &mates[1], s->n),
                      .iterations = evaluations};
  closest_judge(out, sb_vec3_sub(mates[1].p, mates[0].p), convex_size(sides),
                least_radius(sides, out));
  closest_require_unique(out, curved_size(sides), nearly_singular);
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
static bool is_contact(const convex_side sides[2], const convex_state *s) {
  return is_inside(&sides[1], s->mates[0].p) || is_inside(&sides[0], s->mates[1].p);
}

/** One search: the bodies in the axes of the pair, where it starts, and how it goes. */
typedef struct search {
  convex_side sides[2];
  sb_vec3 origin, d; // [m] of these axes in the world; from the first centre to the second
  const sb_vec3 *warm;
  bool flat, smooth;       // cores of flats only; no swept cores
  bool curved;             // neither body has flats or edges
  bool is_tracked;         // `tracked` is on the branch of `warm`
  convex_state s, tracked; // the last of what was found by the cores, and from `warm`
  int evaluations;
} search;

static void tell(const search *q, const convex_state *s, sb_closest *out) {
  present(q->sides, q->origin, s, q->evaluations, out);
}

/** The answer if the cores are apart, by their nearest points. */
static bool solve_apart(search *q) {
  sb_vec3 points[2];
  if (!gjk_nearest(q->sides, q->d, points, &q->evaluations)) {
    return false;
  }
  convex_start_between(q->sides, points, &q->s);
  return convex_refine_or_slide(q->sides, &q->s, &q->evaluations) && cores_apart(q->sides, &q->s);
}

/** Whether a maximum that a search from `warm` led to is on its branch, and the contact. */
static bool is_on_branch(const search *q, const convex_state *s) {
  return sb_vec3_dot(s->n, *q->warm) > same_branch && is_contact(q->sides, s);
}

/** The answer from the line of the centres, if that shows the cores to be apart: of curved bodies a fraction of the
 *  work of their distance. */
static bool solve_along_centres(search *q) {
  convex_start_along(q->sides, sb_vec3_normalize(q->d), &q->s);
  return convex_refine(q->sides, &q->s, &q->evaluations) && cores_apart(q->sides, &q->s);
}

/** The answer from `warm` if that shows the cores to be apart; else `tracked` may be on its branch. */
static bool solve_warm(search *q) {
  convex_start_along(q->sides, *q->warm, &q->tracked);
  if (!convex_refine(q->sides, &q->tracked, &q->evaluations)) {
    return false;
  }
  q->is_tracked = is_on_branch(q, &q->tracked);
  return cores_apart(q->sides, &q->tracked);
}

/** Whether a maximum is too near to where its branch ends; past that, rho > 1, a solution is none, and tells nothing of a branch. */
static bool is_at_end(const sb_closest *answer) {
  return answer->depth_ratio > SB_CLOSEST_DEPTH_LIMIT && answer->depth_ratio < 1.0;
}

/** The branch of `warm` of cores that overlap; at its end too, where a search for others would leap to the next. */
static bool follow_branch(search *q, sb_closest *out) {
  convex_state s;
  if (!q->is_tracked && convex_ascend(q->sides, *q->warm, &s, &q->evaluations)) {
    q->is_tracked = is_on_branch(q, &s);
    q->tracked = s;
  }
  if (q->is_tracked) {
    tell(q, &q->tracked, out);
  }
  return q->is_tracked && (out->status <= SB_CLOSEST_DEEP || is_at_end(out));
}

/** The highest maximum. Away from the branch of `warm`, which then has ended, it is AMBIGUOUS. */
static bool solve_anew(search *q, sb_closest *out) {
  convex_state s;
  if (!convex_survey(q->sides, q->flat, &s, &q->evaluations)) {
    return false;
  }
  tell(q, &s, out);
  const bool overlap = !cores_apart(q->sides, &s);
  if (overlap && q->warm && out->status <= SB_CLOSEST_DEEP && !is_on_branch(q, &s)) {
    out->status = SB_CLOSEST_AMBIGUOUS;
  } else if (overlap && !q->smooth && out->status == SB_CLOSEST_OK) {
    out->status = SB_CLOSEST_DEEP; // corners and edges overlap: other maxima are near
  }
  return out->status != SB_CLOSEST_FAILED;
}

/** Flats or sides that all but lie along each other. */
static bool tell_flats(search *q, sb_closest *out) {
  const convex_state *nearest = q->s.residual < q->tracked.residual ? &q->s : &q->tracked;
  if (!(nearest->residual <= along)) {
    return false;
  }
  tell(q, nearest, out);
  return out->status == SB_CLOSEST_AMBIGUOUS;
}

void closest_convex_near(const sb_surface *s1, const sb_pose *H1, const sb_surface *s2,
                         const sb_pose *H2, const sb_closest *from, sb_closest *out) {
  const sb_pose world[2] = {sb_pose_compose(*H1, s1->local), sb_pose_compose(*H2, s2->local)};
  const sb_vec3 origin = world[0].position;
  const convex_side sides[2] = {{s1, world[0].rotation, {0, 0, 0}},
                                {s2, world[1].rotation, sb_vec3_sub(world[1].position, origin)}};
  convex_state s = {
      .mates = {{.p = sb_vec3_sub(from->p1, origin), .m = from->normal},
                {.p = sb_vec3_sub(from->p2, origin), .m = sb_vec3_neg(from->normal)}}};
  int evaluations = 1;
  convex_move(sides, &s, (sb_vec3){0, 0, 0}, &s);
  if (convex_refine(sides, &s, &evaluations)) {
    present(sides, origin, &s, evaluations, out);
  } else {
    out->iterations = evaluations;
    closest_fail(out);
  }
}

void closest_convex(const sb_surface *s1, const sb_pose *H1, const sb_surface *s2,
                    const sb_pose *H2, const sb_vec3 *warm, sb_closest *out) {
  const sb_pose world[2] = {sb_pose_compose(*H1, s1->local), sb_pose_compose(*H2, s2->local)};
  const sb_vec3 d = sb_vec3_sub(world[1].position, world[0].position);
  search q = {.sides = {{s1, world[0].rotation, {0, 0, 0}}, {s2, world[1].rotation, d}},
              .origin = world[0].position,
              .d = d,
              .warm = warm,
              .smooth = s1->sweep + s2->sweep == 0.0,
              .s = {.residual = INFINITY},
              .tracked = {.residual = INFINITY}};
  q.flat = has_flat_cores(q.sides);
  q.curved = convex_is_curved(&q.sides[0]) && convex_is_curved(&q.sides[1]);
  if (q.flat && solve_apart(&q)) {
    tell(&q, &q.s, out);
  } else if (warm && solve_warm(&q)) {
    tell(&q, &q.tracked, out);
  } else if (!warm && q.curved && solve_along_centres(&q)) {
    tell(&q, &q.s, out);
  } else if (!q.flat && !(q.smooth && q.is_tracked) && solve_apart(&q)) {
    tell(&q, &q.s, out);
  } else if (!(warm && follow_branch(&q, out)) && !solve_anew(&q, out) && !tell_flats(&q, out)) {
    out->iterations = q.evaluations;
    closest_fail(out);
  }
}
