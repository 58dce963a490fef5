// SPDX-License-Identifier: GPL-3.0-or-later
// Closest points of two ellipsoids: Newton's method on the unit sphere for the maximum of
//   g(n) = n.d - h1(n) - h2(-n),
// damped and shifted so that it climbs from anywhere. Extended by g(s n) = s g(n), g is concave in
// space, so a critical point with g > 0 is the unique answer.
#include "geometry/closest_private.h"

/** Rounding of q, relative to the lengths that q is the difference of: the best one can reach. */
static const double q_rounding = 4.0 * 2.220446049250313e-16;
/** Below this relative size q is at its rounding as soon as it no longer halves in a step. */
static const double q_settled = 1e-11;
/** A climb that stops elsewhere counts only with q below this relative size. */
static const double q_limit = 1e-9;
/** Least ratio of the eigenvalues of -Hessian for an unshifted Newton step. */
static const double definite_ratio = 1e-10;
/** Else its least eigenvalue becomes this share of their spread, but never less than the floor. */
static const double least_shift = 1e-3, shift_floor = 1e-12;
/** Largest square of the bend of a step, as a share of the step's. */
static const double bend_most = 0.1;
/** Least share of the predicted gain that a step must make (Armijo). */
static const double gain_share = 1e-4;
/** Steps shorter than this [rad] may lose g by its rounding: */
static const double short_step = 1e-7, g_rounding = 1e-14;
/** Longest step, step off a saddle, and the step that is none [rad]. */
static const double longest_step = 0.7, saddle_step = 0.1, no_step = 1e-15;
/** An ordinary climb takes 3 to 5 evaluations; the longest measured, at a ratio of axes of 1e4, 59. */
enum { EVALUATIONS_MAX = 200 };
/** Depth ratio below which the start is on the highest hill: it is exact at touch, and another
 *  direction can only gain within the square root of this [rad]. */
static const double touching_depth = 1e-8;
/** |x/a|^2 up to which a point counts as inside: 1 and its rounding at the largest ratio of axes. */
static const double inside_level = 1.0 + 1e-9;

/** The rest of a state whose axes are set: x = a^2 n/h with h = |a n|, and R by |cof (e x n)|^2/h^3 (ellipsoid_private.h).
 *  x is asked of N = length n, which need not wait for a division, and by 1/h = h/h^2, which divides beside the root. g is asked of N as well:
 *  n is rounded by itself, which n.d and h would not see alike.
 *  @param inverse  1/length */
static inline void evaluate(const ellipsoid_pair *pair, const vec3_both *N, double length,
                            double inverse, ellipsoid_gap *s) {
  const vec3_both aN = vec3_both_times(pair->a, *N);
  const double_both square = vec3_both_dot(aN, aN), root = both_sqrt(square);
  const double_both by_root = root * (1.0 / square);
  s->h = root * both_same(inverse);
  s->by_h = by_root * both_same(length);
  s->x = vec3_both_scale(vec3_both_times(pair->a, aN), by_root);
  s->u1 = vec3_both_dot(s->e1, s->x);
  s->u2 = vec3_both_dot(s->e2, s->x);
  const sb_vec3 r1 = sb_vec3_sub(pair->d, vec3_both_part(&s->x, 0));
  s->q1 = sb_vec3_dot(vec3_both_part(&s->e1, 0), r1) - s->u1[1];
  s->q2 = sb_vec3_dot(vec3_both_part(&s->e2, 0), r1) - s->u2[1];
  s->g = (sb_vec3_dot(vec3_both_part(N, 0), pair->d) - (root[0] + root[1])) * inverse;
  const vec3_both f1 = vec3_both_times(pair->cof, s->e2), f2 = vec3_both_times(pair->cof, s->e1);
  const double_both cube = s->by_h * s->by_h * s->by_h;
  s->Ra = cube * vec3_both_dot(f1, f1);
  s->Rb = -cube * vec3_both_dot(f1, f2);
  s->Rc = cube * vec3_both_dot(f2, f2);
}

/** R1 + R2 [m] */
static inline form2 radii_of(const ellipsoid_gap *s) {
  return (form2){s->Ra[0] + s->Ra[1], s->Rb[0] + s->Rb[1], s->Rc[0] + s->Rc[1]};
}

static inline void begin(const ellipsoid_pair *pair, sb_vec3 n, ellipsoid_gap *s) {
  sb_vec3 e1, e2;
  sb_tangent_basis(n, &e1, &e2);
  s->n = vec3_both_join(n, sb_mat3_apply_transposed(pair->turn, n));
  s->e1 = vec3_both_join(e1, sb_mat3_apply_transposed(pair->turn, e1));
  s->e2 = vec3_both_join(e2, sb_mat3_apply_transposed(pair->turn, e2));
  evaluate(pair, &s->n, 1.0, 1.0, s);
}

/** The same from a normal in world axes: to those of each body there is one rotation, of both side by side. */
static inline void begin_world(const ellipsoid_pair *pair, const mat3_both *R, sb_vec3 n,
                               ellipsoid_gap *s) {
  sb_vec3 e1, e2;
  sb_tangent_basis(n, &e1, &e2);
  s->n = mat3_both_apply_transposed(R, n);
  s->e1 = mat3_both_apply_transposed(R, e1);
  s->e2 = mat3_both_apply_transposed(R, e2);
  evaluate(pair, &s->n, 1.0, 1.0, s);
}

/** A tangent vector c1 e1 + c2 e2 [rad]. */
typedef struct step2 {
  double c1, c2;
} step2;

/** Cayley's rotation that takes n along c: n' = ((1 - k) n + c)/(1 + k), k = |c|^2/4, and
 *  e' = e - (c.e/2) (n + n'). One division serves the axes of both bodies, and there is no root. */
static inline void move(const ellipsoid_pair *pair, const ellipsoid_gap *s, step2 c,
                        ellipsoid_gap *next) {
  const double k = 0.25 * (c.c1 * c.c1 + c.c2 * c.c2), length = 1.0 + k, inverse = 1.0 / length;
  const vec3_both along =
      vec3_both_axpy(vec3_both_scale(s->e1, both_same(c.c1)), both_same(c.c2), s->e2);
  const vec3_both N = vec3_both_axpy(along, both_same(1.0 - k), s->n);
  next->n = vec3_both_scale(N, both_same(inverse));
  const vec3_both sum = vec3_both_add(s->n, next->n);
  next->e1 = vec3_both_axpy(s->e1, both_same(-0.5 * c.c1), sum);
  next->e2 = vec3_both_axpy(s->e2, both_same(-0.5 * c.c2), sum);
  evaluate(pair, &N, length, inverse, next);
}

/** The Hessian of g, with its sign changed. */
static inline form2 stiffness(const ellipsoid_gap *s) {
  const form2 radii = radii_of(s);
  return (form2){radii.a + s->g, radii.b, radii.c + s->g};
}

static inline bool definite(form2 S) {
  const double trace = form2_trace(S);
  return trace > 0.0 && form2_det(S) > definite_ratio * trace * trace;
}

/** S^-1 q */
static inline step2 solve(form2 S, double q1, double q2) {
  const double inverse = 1.0 / form2_det(S);
  return (step2){inverse * (S.c * q1 - S.b * q2), inverse * (S.a * q2 - S.b * q1)};
}

/** -(x1'' + x2'')/2 along c, x'' = -(2 (x.c) R c + (c.R c) x)/h. */
static inline void find_bend(const ellipsoid_gap *s, step2 c, double *q1, double *q2) {
  const double_both c1 = both_same(c.c1), c2 = both_same(c.c2);
  const double_both Rc1 = s->Ra * c1 + s->Rb * c2, Rc2 = s->Rb * c1 + s->Rc * c2;
  const double_both along = s->by_h * (s->u1 * c1 + s->u2 * c2);
  const double_both half = 0.5 * s->by_h * (Rc1 * c1 + Rc2 * c2);
  const double_both bend1 = along * Rc1 + half * s->u1, bend2 = along * Rc2 + half * s->u2;
  *q1 = bend1[0] + bend1[1];
  *q2 = bend2[0] + bend2[1];
}

/** Newton's step and, by Chebyshev, what the second derivative of the gradient adds to it: of order three. */
static inline step2 bent_step(const ellipsoid_gap *s, form2 S) {
  const step2 c = solve(S, s->q1, s->q2);
  double q1, q2;
  find_bend(s, c, &q1, &q2);
  const step2 more = solve(S, q1, q2);
  const bool small =
      more.c1 * more.c1 + more.c2 * more.c2 <= bend_most * (c.c1 * c.c1 + c.c2 * c.c2);
  return small ? (step2){c.c1 + more.c1, c.c2 + more.c2} : c;
}

/** Off a saddle, along the eigenvector of the least eigenvalue, to the side where g rises. */
static step2 saddle_escape(const ellipsoid_gap *s, form2 S, double least) {
  const double p = S.a - least, r = S.c - least; // the rows of S - least are normal to it
  const double x1 = p > r ? -S.b : r, x2 = p > r ? p : -S.b;
  const double length = hypot(x1, x2);
  if (!(length > 0.0)) {
    return (step2){saddle_step, 0.0}; // every direction is an eigenvector
  }
  const double scale = copysign(saddle_step / length, x1 * s->q1 + x2 * s->q2);
  return (step2){scale * x1, scale * x2};
}

/** The step uphill: Newton's where the Hessian is negative definite, else shifted until it is. */
static inline step2 uphill_step(const ellipsoid_gap *s, form2 S, double q, double size) {
  if (definite(S)) {
    return bent_step(s, S);
  }
  const double least = form2_min(S), spread = form2_trace(S) - 2.0 * least;
  if (q <= q_settled * size && least <= 0.0) {
    return saddle_escape(s, S, least);
  }
  const double shift = fmax(least_shift * fmax(spread, q), shift_floor * size) - least;
  return solve((form2){S.a + shift, S.b, S.c + shift}, s->q1, s->q2);
}

/** The length that q is a difference of, and that the rounding of n is magnified by. */
static inline double rounding_size(double distance, const ellipsoid_gap *s) {
  return distance + s->h[0] + s->h[1] + form2_trace(radii_of(s));
}

/** Searches along a step from `s` for a point that gains; false if there is none. */
static inline bool advance(const ellipsoid_pair *pair, const ellipsoid_gap *s, step2 step,
                           double size, ellipsoid_gap *next, int *evaluations, double *t) {
  double length = sqrt(step.c1 * step.c1 + step.c2 * step.c2);
  if (length > longest_step) {
    step = (step2){step.c1 * (longest_step / length), step.c2 * (longest_step / length)};
    length = longest_step;
  }
  const double slope = s->q1 * step.c1 + s->q2 * step.c2;
  for (*t = 1.0; *t * length > no_step; *t *= *t > 0.2 ? 0.5 : 0.25) {
    move(pair, s, (step2){*t * step.c1, *t * step.c2}, next);
    ++*evaluations;
    if (next->g >= s->g + gain_share * *t * slope ||
        (*t * length < short_step && next->g >= s->g - g_rounding * size)) {
      return true;
    }
  }
  return false;
}

/** Climbs from the state `out`, which becomes the answer. */
static bool climb(const ellipsoid_pair *pair, ellipsoid_gap *out, int *evaluations) {
  ellipsoid_gap other, *s = out, *next = &other;
  const int limit = *evaluations + EVALUATIONS_MAX;
  ++*evaluations;
  double size = rounding_size(pair->distance, s), q = sqrt(s->q1 * s->q1 + s->q2 * s->q2);
  bool settled = false;
  while (!settled && *evaluations < limit && isfinite(q)) {
    const form2 S = stiffness(s);
    if (q <= q_rounding * size && definite(S)) {
      break;
    }
    double t;
    if (!advance(pair, s, uphill_step(s, S, q, size), size, next, evaluations, &t)) {
      break;
    }
    const double next_q = sqrt(next->q1 * next->q1 + next->q2 * next->q2);
    settled = t == 1.0 && q <= q_settled * size && next_q > 0.5 * q && definite(S);
    if (settled && next_q >= q) {
      break; // rounding only: the older one is the better one
    }
    ellipsoid_gap *const old = s;
    s = next;
    next = old;
    q = next_q;
    size = rounding_size(pair->distance, s);
  }
  if (s != out) {
    *out = *s;
  }
  // Where every normal is right, as for concentric balls, the Hessian is zero; rho tells.
  return q <= q_limit * size && form2_min(stiffness(s)) >= -q_rounding * size;
}

bool ellipsoids_climb(const ellipsoid_pair *pair, sb_vec3 n, ellipsoid_gap *out, int *evaluations) {
  begin(pair, n, out);
  return climb(pair, out, evaluations);
}

/** L by R, with det R = (a1 a2 a3)^2/h^4, where nothing cancels, as matrices by the basis in world axes. */
static inline void present_shapes(const ellipsoid_pair *pair, const ellipsoid_gap *s, sb_vec3 e1,
                                  sb_vec3 e2, sb_closest *out) {
  const double_both root = s->h * s->h / (pair->a.x * pair->a.y * pair->a.z), scale = root * root;
  const double_both a = scale * s->Rc, b = -scale * s->Rb, c = scale * s->Ra;
  const double v1[3] = {e1.x, e1.y, e1.z}, v2[3] = {e2.x, e2.y, e2.z};
  for (int i = 0; i < 3; i++) {
    const double_both u = v1[i] * a + b * v2[i], v = v1[i] * b + c * v2[i];
    for (int j = 0; j < 3; j++) {
      const double_both entry = u * v1[j] + v * v2[j];
      out->shape1.m[i][j] = entry[0];
      out->shape2.m[i][j] = entry[1];
    }
  }
}

/** The answer in world axes.
 *  @param d  from the first centre to the second, in world axes [m] */
static inline void present(const ellipsoid_pair *pair, const sb_pose *world1, const sb_pose *world2,
                           sb_vec3 d, const ellipsoid_gap *s, int evaluations, sb_closest *out) {
  const sb_mat3 R = world1->rotation;
  const sb_vec3 x1 = sb_mat3_apply(R, vec3_both_part(&s->x, 0)),
                x2 = sb_mat3_apply(world2->rotation, vec3_both_part(&s->x, 1));
  const sb_vec3 e1 = sb_mat3_apply(R, vec3_both_part(&s->e1, 0)),
                e2 = sb_mat3_apply(R, vec3_both_part(&s->e2, 0));
  out->p1 = sb_vec3_add(world1->position, x1);
  out->p2 = sb_vec3_sub(world2->position, x2);
  out->normal = sb_mat3_apply(R, vec3_both_part(&s->n, 0));
  // From the points: each lies as its own normal says, and a tilt of n of the order of rounding, by which both bodies'
  // axes disagree on it, moves n.x by its square only, but h(n) by as much as itself.
  const sb_vec3 span = sb_vec3_sub(sb_vec3_sub(d, x2), x1);
  out->gap = sb_vec3_dot(out->normal, span);
  present_shapes(pair, s, e1, e2, out);
  out->iterations = evaluations;
  const double_both lengths = both_sqrt(vec3_both_dot(s->x, s->x));
  const double size = pair->distance + lengths[0] + lengths[1];
  closest_judge(out, span, size, form2_min(radii_of(s)));
}

/** Whether the answer is a contact. g < 0 alone does not mean overlap: past a thin body, and even
 *  for bodies that are apart, lesser maxima of g have g < 0. Overlap is proved by a point of one
 *  body that lies in the other: p1 or p2 must. */
static inline bool is_contact(const ellipsoid_pair *pair, const sb_pose *world1,
                              const sb_pose *world2, sb_vec3 d, const ellipsoid_gap *s) {
  if (s->g >= 0.0) {
    return true;
  }
  const sb_vec3 y1 = sb_mat3_apply(world1->rotation, vec3_both_part(&s->x, 0));
  const sb_vec3 y2 = sb_mat3_apply(world2->rotation, vec3_both_part(&s->x, 1));
  const sb_vec3 p1 = sb_mat3_apply_transposed(world2->rotation, sb_vec3_sub(y1, d));
  const sb_vec3 p2 = sb_mat3_apply_transposed(world1->rotation, sb_vec3_sub(d, y2));
  return ellipsoid_level(pair->a2, p1) <= inside_level ||
         ellipsoid_level(pair->a1, p2) <= inside_level;
}

/** The global answer: the start of Perram & Wertheim if the ellipsoids are apart, else a survey. */
static bool solve_cold(ellipsoid_pair *pair, sb_mat3 turn, ellipsoid_gap *s, int *evaluations) {
  pair->turn = turn;
  bool found = false;
  if (sb_vec3_dot(pair->d, pair->d) > 0.0) {
    found = ellipsoids_climb(pair, perram_wertheim_direction(pair), s, evaluations);
  }
  if (found && s->g >= -touching_depth * form2_min(radii_of(s))) {
    return true;
  }
  return ellipsoids_survey(pair, found, s, evaluations);
}

void closest_ellipsoids(const sb_surface *s1, const sb_pose *H1, const sb_surface *s2,
                        const sb_pose *H2, const sb_vec3 *warm, sb_closest *out) {
  sb_pose own[2];
  const sb_pose *world1 = closest_pose(s1, H1, &own[0]), *world2 = closest_pose(s2, H2, &own[1]);
  const sb_vec3 d = sb_vec3_sub(world2->position, world1->position);
  const sb_mat3 back = sb_mat3_transpose(world1->rotation);
  const vec3_both a = vec3_both_join(s1->semi_axes, s2->semi_axes);
  ellipsoid_pair pair; // its turn is of the cold start alone
  pair.a1 = s1->semi_axes;
  pair.a2 = s2->semi_axes;
  pair.d = sb_mat3_apply(back, d);
  pair.distance = sb_vec3_norm(d);
  pair.a = a;
  pair.cof = (vec3_both){a.y * a.z, a.z * a.x, a.x * a.y};
  ellipsoid_gap s;
  int evaluations = 0;
  bool unique = warm || sb_vec3_dot(d, d) > 0.0; // else -n is just as good
  if (warm) {
    const mat3_both R = mat3_both_join(&world1->rotation, &world2->rotation);
    begin_world(&pair, &R, *warm, &s);
  }
  if (!warm || !climb(&pair, &s, &evaluations) || !is_contact(&pair, world1, world2, d, &s)) {
    if (!solve_cold(&pair, sb_mat3_mul(back, world2->rotation), &s, &evaluations)) {
      out->iterations = evaluations;
      closest_fail(out);
      return;
    }
    // The branch of the warm start has ended: that matters unless the bodies are apart.
    unique = unique && (s.g >= 0.0 || (!warm && is_contact(&pair, world1, world2, d, &s)));
  }
  present(&pair, world1, world2, d, &s, evaluations, out);
  if (!unique && out->status != SB_CLOSEST_FAILED) {
    out->status = SB_CLOSEST_AMBIGUOUS;
  }
}
