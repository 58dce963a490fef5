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

/** The rest of a state whose axes are set. */
static inline void evaluate(const ellipsoid_pair *pair, ellipsoid_gap *s) {
  s->x1 = ellipsoid_point(pair->a1, s->at1.n, &s->h1);
  s->x2 = ellipsoid_point(pair->a2, s->at2.n, &s->h2);
  const sb_vec3 r1 = sb_vec3_sub(pair->d, s->x1);
  s->u2[0] = sb_vec3_dot(s->at2.e1, s->x2);
  s->u2[1] = sb_vec3_dot(s->at2.e2, s->x2);
  s->q1 = sb_vec3_dot(s->at1.e1, r1) - s->u2[0];
  s->q2 = sb_vec3_dot(s->at1.e2, r1) - s->u2[1];
  s->u1[0] = sb_vec3_dot(s->at1.e1, s->x1);
  s->u1[1] = sb_vec3_dot(s->at1.e2, s->x1);
  s->g = sb_vec3_dot(s->at1.n, pair->d) - (s->h1 + s->h2);
  s->R1 = ellipsoid_radius_form(pair->a1, s->h1, s->at1.e1, s->at1.e2);
  s->R2 = ellipsoid_radius_form(pair->a2, s->h2, s->at2.e1, s->at2.e2);
}

static inline void begin(const ellipsoid_pair *pair, sb_vec3 n, ellipsoid_gap *s) {
  s->at1.n = n;
  sb_tangent_basis(n, &s->at1.e1, &s->at1.e2);
  s->at2 = (ellipsoid_axes){sb_mat3_apply_transposed(pair->turn, n),
                            sb_mat3_apply_transposed(pair->turn, s->at1.e1),
                            sb_mat3_apply_transposed(pair->turn, s->at1.e2)};
  evaluate(pair, s);
}

/** A tangent vector c1 e1 + c2 e2 [rad]. */
typedef struct step2 {
  double c1, c2;
} step2;

/** Cayley's rotation that takes n along c: n' = ((1 - k) n + c)/(1 + k), k = |c|^2/4, and
 *  e' = e - (c.e/2) (n + n'). One division serves the axes of both bodies, and there is no root. */
static inline ellipsoid_axes turned(ellipsoid_axes at, step2 c, double keep, double take) {
  const sb_vec3 along = sb_vec3_axpy(sb_vec3_scale(at.e1, take * c.c1), take * c.c2, at.e2);
  const sb_vec3 n = sb_vec3_axpy(along, keep, at.n), sum = sb_vec3_add(at.n, n);
  return (ellipsoid_axes){n, sb_vec3_axpy(at.e1, -0.5 * c.c1, sum),
                          sb_vec3_axpy(at.e2, -0.5 * c.c2, sum)};
}

static inline void move(const ellipsoid_pair *pair, const ellipsoid_gap *s, step2 c,
                        ellipsoid_gap *next) {
  const double k = 0.25 * (c.c1 * c.c1 + c.c2 * c.c2), take = 1.0 / (1.0 + k);
  next->at1 = turned(s->at1, c, (1.0 - k) * take, take);
  next->at2 = turned(s->at2, c, (1.0 - k) * take, take);
  evaluate(pair, next);
}

/** The Hessian of g, with its sign changed. */
static inline form2 stiffness(const ellipsoid_gap *s) {
  const form2 radii = ellipsoid_gap_radii(s);
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

/** Adds -x''/2 of one body along c, x'' = -(2 (x.c) R c + (c.R c) x)/h. */
static inline void add_bend(step2 c, form2 R, const double u[2], double h, double q[2]) {
  const double Rc[2] = {R.a * c.c1 + R.b * c.c2, R.b * c.c1 + R.c * c.c2};
  const double inverse = 1.0 / h, along = inverse * (u[0] * c.c1 + u[1] * c.c2);
  const double half = 0.5 * inverse * (Rc[0] * c.c1 + Rc[1] * c.c2);
  q[0] += along * Rc[0] + half * u[0];
  q[1] += along * Rc[1] + half * u[1];
}

/** Newton's step and, by Chebyshev, what the second derivative of the gradient adds to it: of order three. */
static inline step2 bent_step(const ellipsoid_gap *s, form2 S) {
  const step2 c = solve(S, s->q1, s->q2);
  double q[2] = {0, 0};
  add_bend(c, s->R1, s->u1, s->h1, q);
  add_bend(c, s->R2, s->u2, s->h2, q);
  const step2 more = solve(S, q[0], q[1]);
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
  return distance + s->h1 + s->h2 + form2_trace(ellipsoid_gap_radii(s));
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

bool ellipsoids_climb(const ellipsoid_pair *pair, sb_vec3 n, ellipsoid_gap *out, int *evaluations) {
  ellipsoid_gap other, *s = out, *next = &other;
  begin(pair, n, s);
  const int limit = *evaluations + EVALUATIONS_MAX;
  ++*evaluations;
  const double distance = sb_vec3_norm(pair->d);
  double size = rounding_size(distance, s), q = sqrt(s->q1 * s->q1 + s->q2 * s->q2);
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
    size = rounding_size(distance, s);
  }
  if (s != out) {
    *out = *s;
  }
  // Where every normal is right, as for concentric balls, the Hessian is zero; rho tells.
  return q <= q_limit * size && form2_min(stiffness(s)) >= -q_rounding * size;
}

/** The answer in world axes. */
static void present(const ellipsoid_pair *pair, const sb_pose *world, const ellipsoid_gap *s,
                    int evaluations, sb_closest *out) {
  const sb_mat3 R = world->rotation;
  const sb_vec3 x2 = sb_mat3_apply(pair->turn, s->x2);
  const sb_vec3 p2 = sb_vec3_sub(pair->d, x2);
  const sb_vec3 e1 = sb_mat3_apply(R, s->at1.e1), e2 = sb_mat3_apply(R, s->at1.e2);
  out->p1 = sb_pose_point(*world, s->x1);
  out->p2 = sb_pose_point(*world, p2);
  out->normal = sb_mat3_apply(R, s->at1.n);
  out->gap = s->g;
  out->shape1 = form2_matrix(ellipsoid_inverse_form(pair->a1, s->h1, s->R1), e1, e2);
  out->shape2 = form2_matrix(ellipsoid_inverse_form(pair->a2, s->h2, s->R2), e1, e2);
  out->iterations = evaluations;
  const double size = sb_vec3_norm(pair->d) + sb_vec3_norm(s->x1) + sb_vec3_norm(x2);
  closest_judge(out, sb_mat3_apply(R, sb_vec3_sub(p2, s->x1)), size,
                form2_min(ellipsoid_gap_radii(s)));
}

/** Whether the answer is a contact. g < 0 alone does not mean overlap: past a thin body, and even
 *  for bodies that are apart, lesser maxima of g have g < 0. Overlap is proved by a point of one
 *  body that lies in the other: p1 or p2 must. */
static inline bool is_contact(const ellipsoid_pair *pair, const ellipsoid_gap *s) {
  if (s->g >= 0.0) {
    return true;
  }
  const sb_vec3 p1 = sb_mat3_apply_transposed(pair->turn, sb_vec3_sub(s->x1, pair->d));
  const sb_vec3 p2 = sb_vec3_sub(pair->d, sb_mat3_apply(pair->turn, s->x2));
  return ellipsoid_level(pair->a2, p1) <= inside_level ||
         ellipsoid_level(pair->a1, p2) <= inside_level;
}

/** The global answer: the start of Perram & Wertheim if the ellipsoids are apart, else a survey. */
static bool solve_cold(const ellipsoid_pair *pair, ellipsoid_gap *s, int *evaluations) {
  bool found = false;
  if (sb_vec3_dot(pair->d, pair->d) > 0.0) {
    found = ellipsoids_climb(pair, perram_wertheim_direction(pair), s, evaluations);
  }
  if (found && s->g >= -touching_depth * form2_min(ellipsoid_gap_radii(s))) {
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
  const ellipsoid_pair pair = {s1->semi_axes, s2->semi_axes, sb_mat3_mul(back, world2->rotation),
                               sb_mat3_apply(back, d)};
  ellipsoid_gap s;
  int evaluations = 0;
  bool unique = warm || sb_vec3_dot(d, d) > 0.0; // else -n is just as good
  if (!warm || !ellipsoids_climb(&pair, sb_mat3_apply(back, *warm), &s, &evaluations) ||
      !is_contact(&pair, &s)) {
    if (!solve_cold(&pair, &s, &evaluations)) {
      out->iterations = evaluations;
      closest_fail(out);
      return;
    }
    // The branch of the warm start has ended: that matters unless the bodies are apart.
    unique = unique && (s.g >= 0.0 || (!warm && is_contact(&pair, &s)));
  }
  present(&pair, world1, &s, evaluations, out);
  if (!unique && out->status != SB_CLOSEST_FAILED) {
    out->status = SB_CLOSEST_AMBIGUOUS;
  }
}
