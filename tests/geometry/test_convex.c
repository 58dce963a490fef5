// SPDX-License-Identifier: GPL-3.0-or-later
// Closest points of every pair of convex kinds against exact constructions: a point of each surface is
// drawn with its normal, the second body is turned until the normals are opposite and put where the
// points are the wanted gap apart. Cores apart, the constructed pair is the only one; an answer is
// that pair or carries a flag. So of a plane and a convex body, and of a ball or a point at a tube, a bowl or a torus, whose centre is
// nearer to the drawn point than the surface's own focal line; of a plane and a torus the point is one of its outer side. Cores that overlap, where the answer is the highest of
// several maxima, are judged by a dense search over all directions. With arguments the program makes that many pairs of each
// family, or of those alone that are named behind, and others from another seed:
// test_convex 10000000 ellipsoid-ellipsoid plane-box, test_convex 1000000 7 ellipsoid-ellipsoid.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tests/near.h"

#include "geometry/closest.h"
#include "geometry/quat.h"

static long pairs_per_family;
static char **families; // (family_count) those that are asked for; none: all
static int family_count;

static uint64_t random_state = 2385;

/** xorshift64*: uniform in (0, 1), the same on every machine. */
static double uniform(void) {
  random_state ^= random_state >> 12;
  random_state ^= random_state << 25;
  random_state ^= random_state >> 27;
  return ((double)((random_state * 2685821657736338717u) >> 11) + 0.5) * 0x1p-53;
}
static double between(double low, double high) {
  return low + (high - low) * uniform();
}
static double log_between(double low, double high) {
  return low * pow(high / low, uniform());
}
static sb_vec3 random_direction(void) {
  const double z = between(-1, 1), angle = between(0, 2 * SB_PI), r = sqrt(1 - z * z);
  return (sb_vec3){r * cos(angle), r * sin(angle), z};
}

/** The sum of an ellipsoid and a ball, whose support function is the sum of theirs. */
typedef struct sum_body {
  sb_vec3 a;
  double r;
} sum_body;
static double sum_support(const void *data, sb_vec3 n, sb_vec3 *point) {
  const sum_body *b = data;
  const sb_vec3 an = sb_vec3_times(b->a, n);
  const double h = sb_vec3_norm(an);
  *point = sb_vec3_axpy(sb_vec3_scale(sb_vec3_times(b->a, an), 1 / h), b->r, n);
  return h + b->r;
}
static sb_mat3 sum_radius(const void *data, sb_vec3 n) {
  const sum_body *b = data;
  const sb_vec3 an = sb_vec3_times(b->a, n), x = sb_vec3_times(b->a, an);
  const double h = sb_vec3_norm(an);
  const sb_mat3 ellipsoid =
      sb_mat3_add(sb_mat3_scale(sb_mat3_diag(sb_vec3_times(b->a, b->a)), 1 / h),
                  sb_mat3_scale(sb_mat3_outer(x, x), -1 / (h * h * h)));
  return sb_mat3_add(
      ellipsoid,
      sb_mat3_scale(sb_mat3_add(sb_mat3_identity(), sb_mat3_scale(sb_mat3_outer(n, n), -1)), b->r));
}
/** A quartic, (x/a)^2 + (y/b)^2 + (z/c)^2 + (x/a)^4 = 1. */
static double quartic(const void *data, sb_vec3 x, sb_vec3 *g, sb_mat3 *H) {
  const sb_vec3 a = ((const sum_body *)data)->a;
  const sb_vec3 z = {x.x / a.x, x.y / a.y, x.z / a.z};
  *g = (sb_vec3){(2 * z.x + 4 * z.x * z.x * z.x) / a.x, 2 * z.y / a.y, 2 * z.z / a.z};
  *H =
      sb_mat3_diag((sb_vec3){(2 + 12 * z.x * z.x) / (a.x * a.x), 2 / (a.y * a.y), 2 / (a.z * a.z)});
  return sb_vec3_dot(z, z) + z.x * z.x * z.x * z.x - 1;
}
static sum_body bodies[2];

/** Lengths of about 1 m, with ratios up to 10. */
static sb_surface random_lengths(double size) {
  sb_surface a = {.radius = size * log_between(0.1, 1), .exponent = between(2, 8)};
  a.length = size * log_between(0.2, 2);
  a.semi_axes = (sb_vec3){size, size * log_between(0.1, 1), size * log_between(0.1, 1)};
  a.size = sb_vec3_scale(a.semi_axes, 2);
  a.edge_radius = log_between(0.01, 1) * fmin(a.semi_axes.y, a.semi_axes.z);
  a.tube_radius = a.radius * between(0.1, 0.8);
  return a;
}

/** A body of a kind: lengths are drawn until they make one. */
static sb_surface random_surface(const sb_surface_type *type, double size) {
  const bool in_place = uniform() < 0.25; // of the body's own axes
  const sb_pose local = in_place ? (sb_pose){sb_mat3_identity(), {0, 0, 0}}
                                 : (sb_pose){sb_quat_rotation(sb_quat_from_axis_angle(
                                                 random_direction(), between(0, SB_PI))),
                                             sb_vec3_scale(random_direction(), size)};
  if (type == &sb_plane) {
    return sb_surface_plane(random_direction(), between(-1, 1));
  }
  if (type == &sb_convex_body || type == &sb_implicit) {
    static int next = 0;
    sum_body *b = &bodies[next++ % 2];
    *b = (sum_body){random_lengths(size).semi_axes, 0.3 * size};
    return sb_surface_custom(type, &(sb_custom){b, sum_support, sum_radius, quartic}, 0.2 * size,
                             1.4 * size, local);
  }
  sb_surface s;
  sb_error err;
  do {
    const sb_surface lengths = random_lengths(size);
    s = sb_surface_make(type, &lengths, local);
  } while (sb_surface_check(&s, &err) != SB_OK);
  return s;
}

/** A point of the surface and its normal, in the body's axes: on every patch with some chance.
 *  @param outer  of a torus: where a plane can touch it */
static void draw_point(const sb_surface *s, bool outer, sb_vec3 *x, sb_vec3 *n) {
  const double far = isfinite(s->reach) ? s->reach : s->type == &sb_plane ? 1 : s->radius;
  sb_vec3 y = sb_vec3_scale(random_direction(), far * between(0.3, 1.5));
  if (s->type == &sb_plane) {
    const sb_vec3 m = s->normal;
    *n = m;
    *x = sb_vec3_axpy(sb_vec3_axpy(y, -sb_vec3_dot(y, m), m), s->offset, m);
  } else if (s->type->nearest && s->type != &sb_point) {
    sb_surface_spot spot;
    s->type->nearest(s, y, &spot);
    *x = spot.x;
    *n = spot.n;
  } else {
    *n = random_direction();
    (void)s->type->support(s, *n, x);
  }
  if (s->type == &sb_torus && outer) {
    (void)s->type->support(s, *n, x);
  }
  *x = sb_pose_point(s->local, *x);
  *n = sb_mat3_apply(s->local.rotation, *n);
}

/** A rotation that takes unit a to unit b, turned about b by a random angle. */
static sb_mat3 random_turn(sb_vec3 a, sb_vec3 b) {
  sb_vec3 a1, a2, b1, b2;
  sb_tangent_basis(a, &a1, &a2);
  sb_tangent_basis(b, &b1, &b2);
  const double angle = between(0, 2 * SB_PI), c = cos(angle), s = sin(angle);
  const sb_vec3 t1 = sb_vec3_axpy(sb_vec3_scale(b1, c), s, b2);
  const sb_vec3 t2 = sb_vec3_axpy(sb_vec3_scale(b2, c), -s, b1);
  return sb_mat3_add(sb_mat3_outer(b, a),
                     sb_mat3_add(sb_mat3_outer(t1, a1), sb_mat3_outer(t2, a2)));
}

/** Of |x/a|^p + |y/b|^p + |z/c|^p = 1: no more than the least radius of curvature, as the sum of both curvatures,
 *  (tr H - n.H n)/|g| with the gradient g and Hessian H of the left side, is searched for its maximum over an octant,
 *  |x_j/a_j| = z_j^(2/p) with the unit vector z = (cos u cos v, cos u sin v, sin u). */
static double least_radius(const sb_surface *s) {
  enum { STEPS = 24 };
  static const double safety = 0.7; // the search is on a grid
  const double a[3] = {s->semi_axes.x, s->semi_axes.y, s->semi_axes.z}, p = s->exponent;
  double cosine[2][STEPS + 1], sine[2][STEPS + 1],
      most = 0; // to the powers of the gradient, and of the Hessian
  for (int i = 0; i <= STEPS; i++) {
    const double u = 0.5 * SB_PI * i / STEPS;
    for (int d = 0; d < 2; d++) {
      cosine[d][i] = pow(fmax(cos(u), 0), 2 * (p - 1 - d) / p);
      sine[d][i] = pow(sin(u), 2 * (p - 1 - d) / p);
    }
  }
  for (int i = 0; i <= STEPS; i++) {
    for (int k = 0; k <= STEPS; k++) {
      double g[3], H[3], gg = 0, trace = 0, along = 0;
      for (int d = 0; d < 2; d++) {
        double *z = d == 0 ? g : H;
        z[0] = cosine[d][i] * cosine[d][k];
        z[1] = cosine[d][i] * sine[d][k];
        z[2] = sine[d][i];
      }
      for (int j = 0; j < 3; j++) {
        g[j] *= p / a[j];
        H[j] *= p * (p - 1) / (a[j] * a[j]);
        gg += g[j] * g[j];
        trace += H[j];
        along += g[j] * g[j] * H[j];
      }
      most = fmax(most, (trace - along / gg) / sqrt(gg));
    }
  }
  return safety / most;
}

/** Of an ellipsoid: a ball of this radius rolls in it (Blaschke). */
static double least_curvature_radius(sb_vec3 a) {
  const double least = fmin(a.x, fmin(a.y, a.z));
  return least * least / fmax(a.x, fmax(a.y, a.z));
}

/** Radius of a ball that the body is a convex core swept by: the cores of an overlapping pair may be
 *  apart, and the pair is the only one. */
static double ball_within(const sb_surface *s) {
  const sum_body *body = s->custom.data;
  const double curved = least_curvature_radius(s->type == &sb_convex_body ? body->a : s->semi_axes);
  return s->type == &sb_ellipsoid        ? curved
         : s->type == &sb_convex_body    ? curved + body->r
         : s->type == &sb_superellipsoid ? least_radius(s)
                                         : s->sweep;
}

/** How far from a point of a surface along its normal it is the nearest point for certain: to the focal line, or within the
 *  least radius of curvature [m]. */
static double focal_distance(const sb_surface *s, sb_vec3 x, sb_vec3 n) {
  const sb_vec3 to = sb_mat3_apply_transposed(s->local.rotation, sb_vec3_sub(x, s->local.position));
  const sb_vec3 m = sb_mat3_apply_transposed(s->local.rotation, n);
  const double out = hypot(to.x, to.y), inward = -(to.x * m.x + to.y * m.y) / out;
  return s->type == &sb_torus          ? (inward > 0 ? out / inward : HUGE_VAL)
         : s->type == &sb_hollow_torus ? s->tube_radius
         : s->type == &sb_bowl         ? least_curvature_radius(s->semi_axes)
                                       : s->radius;
}

typedef struct tally {
  long pairs, wrong, failed, ambiguous, evaluations;
  double gap, normal;
} tally;

/** @return whether the answer is the constructed pair, or flagged */
static void judge(tally *t, const sb_closest *c, double gap, sb_vec3 n, double size) {
  t->pairs++;
  t->evaluations += c->iterations;
  if (c->status == SB_CLOSEST_FAILED || c->status == SB_CLOSEST_AMBIGUOUS) {
    *(c->status == SB_CLOSEST_FAILED ? &t->failed : &t->ambiguous) += 1;
    if (c->status == SB_CLOSEST_AMBIGUOUS && c->gap > 0) { // the gap is right all the same
      t->wrong += !(fabs(c->gap - gap) <= 1e-11 * size);
    }
    return;
  }
  t->gap = fmax(t->gap, fabs(c->gap - gap) / size);
  t->normal = fmax(t->normal, sb_vec3_norm(sb_vec3_sub(c->normal, n)));
  t->wrong +=
      !(fabs(c->gap - gap) <= 1e-11 * size && sb_vec3_norm(sb_vec3_sub(c->normal, n)) <= 1e-6);
}

/** A ball small enough for the point of a surface that is no convex body, or a point. @return the largest gap that it has there */
static double fit_ball(sb_surface *ball, const sb_surface *s, sb_vec3 x, sb_vec3 n, double size) {
  const double most = fmin(0.95 * focal_distance(s, x, n), size);
  const sb_surface a = {.radius = most * between(0.05, 0.9)};
  *ball = sb_surface_make(ball->type, &a, ball->local);
  return most - ball->radius;
}

static void run_family(const sb_surface_type *t1, const sb_surface_type *t2, tally *t) {
  // the support points of an implicit surface are searched for: fewer, but of a family that is asked for
  const bool slow = family_count == 0 && (t1 == &sb_implicit || t2 == &sb_implicit);
  const long pairs = pairs_per_family / (slow ? 100 : 1);
  for (long i = 0; i < pairs; i++) {
    const double size2 = log_between(0.2, 5);
    sb_surface s[2] = {random_surface(t1, 1), random_surface(t2, size2)};
    const sb_quat q = sb_quat_from_axis_angle(random_direction(), between(0, SB_PI));
    sb_pose H[2] = {{sb_quat_rotation(q), sb_vec3_scale(random_direction(), 2)}};
    sb_vec3 x[2], m[2];
    draw_point(&s[1], t1 == &sb_plane, &x[1], &m[1]);
    const double size = fmin(1, size2), most = t1 != &sb_plane && !t2->convex && t2 != &sb_plane
                                                   ? fit_ball(&s[0], &s[1], x[1], m[1], size)
                                                   : size;
    draw_point(&s[0], false, &x[0], &m[0]);
    const sb_vec3 n = sb_mat3_apply(H[0].rotation, m[0]);
    H[1].rotation = random_turn(m[1], sb_vec3_neg(n));
    // apart, touching, or overlapping without the cores
    const double gap = i % 3 == 0 ? most * log_between(1e-9, 1)
                       : i % 3 == 1
                           ? 0
                           : -between(0.001, 0.9) * (ball_within(&s[0]) + ball_within(&s[1]));
    const sb_vec3 p1 = sb_pose_point(H[0], x[0]);
    H[1].position = sb_vec3_sub(sb_vec3_axpy(p1, gap, n), sb_mat3_apply(H[1].rotation, x[1]));
    sb_closest c;
    const sb_vec3 warm = sb_vec3_axpy(n, 0.02 * uniform(), random_direction());
    sb_closest_points(&s[0], &H[0], &s[1], &H[1], i % 2 ? &warm : NULL, &c);
    judge(t, &c, gap, n, size);
  }
}

static bool is_wanted(const char *name) {
  bool wanted = family_count == 0;
  for (int i = 0; i < family_count; i++) {
    wanted = wanted || strcmp(families[i], name) == 0;
  }
  return wanted;
}

/** @return wrong answers without a flag, and missing ones */
static long report_family(const sb_surface_type *t1, const sb_surface_type *t2) {
  char name[100];
  tally t = {0};
  (void)snprintf(name, sizeof name, "%s-%s", t1->name, t2->name);
  if (!is_wanted(name)) {
    return 0;
  }
  const clock_t begin = clock();
  run_family(t1, t2, &t);
  print_message("%s: %ld pairs, gap %.1e, normal %.1e, failed %ld, ambiguous %ld, evaluations "
                "%.1f, wrong %ld, %.1f s\n",
                name, t.pairs, t.gap, t.normal, t.failed, t.ambiguous,
                (double)t.evaluations / (double)t.pairs, t.wrong,
                (double)(clock() - begin) / CLOCKS_PER_SEC);
  (void)fflush(stdout);
  return t.wrong + t.failed; // each has an answer
}

/** g(n) = -h1(n) - h2(-n): the gap along n. */
static double gap_along(const sb_surface s[2], const sb_pose H[2], sb_vec3 n) {
  return -sb_surface_support(&s[0], &H[0], n, NULL) -
         sb_surface_support(&s[1], &H[1], sb_vec3_neg(n), NULL);
}

/** From n upwards, by trying eight directions about it. */
static double climbed(const sb_surface s[2], const sb_pose H[2], sb_vec3 n) {
  double best = gap_along(s, H, n);
  for (double step = 0.03; step > 1e-8;) {
    sb_vec3 e1, e2, at = n;
    double most = best;
    sb_tangent_basis(n, &e1, &e2);
    for (int k = 0; k < 8; k++) {
      const double c = step * cos(k * SB_PI / 4), d = step * sin(k * SB_PI / 4);
      const sb_vec3 m = sb_vec3_normalize(sb_vec3_axpy(sb_vec3_axpy(n, c, e1), d, e2));
      const double g = gap_along(s, H, m);
      if (g > most) {
        most = g;
        at = m;
      }
    }
    step *= most > best ? 1 : 0.5;
    best = most;
    n = at;
  }
  return best;
}

/** The highest gap over the sphere, as far as a lattice, the axes and what is across two of them lead up to it. */
static double densely_searched(const sb_surface s[2], const sb_pose H[2]) {
  enum { SPREAD = 1500, TRIED = 8 };
  const double golden = SB_PI * (3 - sqrt(5));
  sb_vec3 n[SPREAD];
  double g[SPREAD], best = -INFINITY;
  for (int i = 0; i < SPREAD; i++) {
    const double z = 1 - (2.0 * i + 1) / SPREAD, r = sqrt(1 - z * z);
    n[i] = (sb_vec3){r * cos(golden * i), r * sin(golden * i), z};
    g[i] = gap_along(s, H, n[i]);
  }
  for (int k = 0; k < TRIED; k++) {
    int top = 0;
    for (int i = 1; i < SPREAD; i++) {
      top = g[i] > g[top] ? i : top;
    }
    best = fmax(best, climbed(s, H, n[top]));
    for (int i = 0; i < SPREAD; i++) {
      g[i] = sb_vec3_dot(n[i], n[top]) > 0.98 ? -INFINITY : g[i];
    }
  }
  for (int i = 0; i < 9; i++) {
    const sb_vec3 a = {H[0].rotation.m[0][i / 3], H[0].rotation.m[1][i / 3],
                       H[0].rotation.m[2][i / 3]};
    const sb_vec3 b = {H[1].rotation.m[0][i % 3], H[1].rotation.m[1][i % 3],
                       H[1].rotation.m[2][i % 3]};
    const sb_vec3 tried[] = {a, b, sb_vec3_normalize(sb_vec3_cross(a, b))};
    for (int k = 0; k < 6; k++) {
      best = fmax(best, climbed(s, H, k % 2 ? tried[k / 2] : sb_vec3_neg(tried[k / 2])));
    }
  }
  return best;
}

/** Random attitudes, overlapping by up to 0.4 of the thinner body along a random direction, without a start. */
static void cores_that_overlap(void **state) {
  (void)state;
  static const sb_surface_type *const types[] = {&sb_cylinder, &sb_box, &sb_superellipsoid,
                                                 &sb_ellipsoid};
  enum { TYPES = sizeof types / sizeof *types };
  const int pairs = (int)(pairs_per_family / 450) + 1; // of each two types
  int deep = 0, lower = 0;
  for (int i = 0; i < pairs * TYPES * TYPES; i++) {
    const double size2 = log_between(0.2, 5);
    const sb_surface s[] = {random_surface(types[i % TYPES], 1),
                            random_surface(types[i / TYPES % TYPES], size2)};
    const sb_vec3 n = random_direction();
    sb_pose H[2];
    sb_vec3 p[2];
    for (int k = 0; k < 2; k++) {
      const sb_quat q = sb_quat_from_axis_angle(random_direction(), between(0, SB_PI));
      H[k] = (sb_pose){sb_quat_rotation(q), {0, 0, 0}};
      (void)sb_surface_support(&s[k], &H[k], k ? sb_vec3_neg(n) : n, &p[k]);
    }
    const double depth = between(0, 0.4) * fmin(s[0].width, s[1].width);
    H[1].position = sb_vec3_axpy(sb_vec3_sub(p[0], p[1]), -depth, n);
    sb_closest c;
    sb_closest_points(&s[0], &H[0], &s[1], &H[1], NULL, &c);
    const double size = s[0].reach + s[1].reach;
    assert_int_not_equal(c.status, SB_CLOSEST_FAILED);
    assert_near(gap_along(s, H, c.normal), c.gap,
                1e-11 * size); // it is one of those along a direction
    const double best = densely_searched(s, H);
    if (c.gap < best - 1e-9 * size) {
      print_error("%s-%s %d: %.9g below %.9g\n", s[0].type->name, s[1].type->name, i, c.gap, best);
      lower++;
    }
    deep += c.gap + s[0].sweep + s[1].sweep < 0;
  }
  print_message("%d of %d pairs overlap with their cores\n", deep, pairs * TYPES * TYPES);
  assert_int_equal(lower, 0);
  assert_true(deep > pairs * TYPES * TYPES / 2);
}

/** Least n.x of the second body's core less the most of the first one's, by the corners of boxes. @param half  [m] */
static double corners_apart(const sb_vec3 half[2], const sb_pose H[2], sb_vec3 n) {
  double most = -INFINITY, least = INFINITY;
  for (int i = 0; i < 8; i++) {
    const sb_vec3 ends = {i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1};
    most = fmax(most, sb_vec3_dot(n, sb_pose_point(H[0], sb_vec3_times(ends, half[0]))));
    least = fmin(least, sb_vec3_dot(n, sb_pose_point(H[1], sb_vec3_times(ends, half[1]))));
  }
  return least - most;
}

static sb_vec3 axis_of(const sb_pose *H, int k) {
  return sb_mat3_apply(H->rotation, (sb_vec3){k == 0, k == 1, k == 2});
}

/** The difference of two boxes is a polytope, whose nearest facet is one of a flat or of two edges that cross: the gap is the largest
 *  one along these normals, less both roundings, and takes the work of 30 directions. */
static void boxes_by_their_facets(void **state) {
  (void)state;
  int deep = 0;
  for (int i = 0; i < 200; i++) {
    sb_surface s[2];
    sb_vec3 half[2];
    sb_pose H[2];
    double best = -INFINITY;
    for (int k = 0; k < 2; k++) {
      const sb_vec3 size = {between(0.2, 1), between(0.2, 1), between(0.2, 1)};
      const double r = between(1e-3, 0.02);
      s[k] = sb_surface_make(&sb_box, &(sb_surface){.size = size, .edge_radius = r},
                             (sb_pose){sb_mat3_identity(), {0, 0, 0}});
      half[k] = sb_vec3_sub(sb_vec3_scale(size, 0.5), (sb_vec3){r, r, r});
      const sb_quat q = sb_quat_from_axis_angle(random_direction(), between(0, SB_PI));
      H[k] = (sb_pose){sb_quat_rotation(q), sb_vec3_scale(random_direction(), between(0, 0.2))};
    }
    for (int j = 0; j < 30; j++) { // 9 products of edges, 3 and 3 flats, each way round
      const sb_vec3 a = axis_of(&H[0], j % 3), b = axis_of(&H[1], j / 3 % 5 % 3);
      const sb_vec3 n = j / 3 % 5 == 3   ? a
                        : j / 3 % 5 == 4 ? axis_of(&H[1], j % 3)
                                         : sb_vec3_normalize(sb_vec3_cross(a, b));
      best = fmax(best, corners_apart(half, H, j < 15 ? n : sb_vec3_neg(n)));
    }
    if (best < -1e-3) { // overlapping cores: apart it is their distance
      sb_closest c;
      sb_closest_points(&s[0], &H[0], &s[1], &H[1], NULL, &c);
      assert_int_equal(c.status, SB_CLOSEST_DEEP);
      assert_near(c.gap, best - s[0].edge_radius - s[1].edge_radius, 1e-14);
      assert_true(c.iterations < 150);
      deep++;
    }
  }
  assert_true(deep > 150);
}

/** A normal of a flat or a straight side, in the body's axes. */
static sb_vec3 flat_normal(const sb_surface *s) {
  const double angle = between(0, 2 * SB_PI);
  const sb_vec3 side = {cos(angle), sin(angle), 0}, end = {0, 0, uniform() < 0.5 ? -1 : 1};
  const bool at_end = s->type == &sb_box || (s->type == &sb_cylinder && uniform() < 0.5);
  return sb_mat3_apply(s->local.rotation, at_end ? end : side);
}

/** The certificate of an answer: both points are on their bodies, and no direction is further apart than they are,
 *  as g(n) is the gap of two planes that hold the bodies.  @return what is wrong, relative to the size */
static double violation(const sb_surface s[2], const sb_pose H[2], const sb_closest *c) {
  const double size = s[0].reach + s[1].reach;
  double off = fabs(gap_along(s, H, c->normal) - c->gap);
  for (int k = 0; k < 2; k++) {
    const sb_pose world = sb_pose_compose(H[k], s[k].local);
    const sb_vec3 y = sb_vec3_sub(k == 0 ? c->p1 : c->p2, world.position);
    sb_surface_spot spot;
    s[k].type->nearest(&s[k], sb_mat3_apply_transposed(world.rotation, y), &spot);
    off = fmax(off, fabs(spot.distance));
  }
  const sb_vec3 span = sb_vec3_sub(c->p2, c->p1);
  return fmax(off, sb_vec3_norm(sb_vec3_axpy(span, -c->gap, c->normal))) / size;
}

/** Flats and straight sides within 1e-8 to 1e-2 rad of each other, cores apart: there is an answer, and hardly ever a search
 *  of all directions for it. Sides within 3e-6 of parallel are AMBIGUOUS where they cross. */
static void flats_that_all_but_lie_on_each_other(void **state) {
  (void)state;
  static const sb_surface_type *const types[] = {&sb_cylinder, &sb_box, &sb_capsule};
  const int pairs = (int)(5 * pairs_per_family);
  int ambiguous = 0, searched = 0;
  double worst = 0;
  for (int i = 0; i < pairs; i++) {
    const sb_surface s[2] = {random_surface(types[i % 3], 1),
                             random_surface(types[i / 3 % 3], log_between(0.2, 5))};
    sb_pose H[2] = {
        {sb_quat_rotation(sb_quat_from_axis_angle(random_direction(), between(0, SB_PI))),
         {0, 0, 0}}};
    const sb_vec3 n = sb_mat3_apply(H[0].rotation, flat_normal(&s[0]));
    const sb_mat3 on = random_turn(flat_normal(&s[1]), sb_vec3_neg(n));
    const sb_quat off = sb_quat_from_axis_angle(random_direction(), log_between(1e-8, 1e-2));
    H[1].rotation = sb_mat3_mul(sb_quat_rotation(off), on);
    sb_vec3 p[2];
    (void)sb_surface_support(&s[0], &H[0], n, &p[0]);
    (void)sb_surface_support(&s[1], &H[1], sb_vec3_neg(n), &p[1]);
    const double gap = between(-0.9, 1) * (s[0].sweep + s[1].sweep),
                 beside = between(0, 0.5) * fmin(s[0].reach, s[1].reach);
    H[1].position = sb_vec3_axpy(sb_vec3_axpy(sb_vec3_sub(p[0], p[1]), gap, n), beside,
                                 sb_vec3_normalize(sb_vec3_cross(n, random_direction())));
    sb_closest c;
    sb_closest_points(&s[0], &H[0], &s[1], &H[1], i % 2 ? &n : NULL, &c);
    assert_int_not_equal(c.status, SB_CLOSEST_FAILED);
    ambiguous += c.status == SB_CLOSEST_AMBIGUOUS;
    worst = c.status <= SB_CLOSEST_DEEP ? fmax(worst, violation(s, H, &c)) : worst;
    searched += c.iterations > 10000; // all directions, which takes 20,000 and more
  }
  print_message("%d pairs, %d ambiguous, %d searched for, off by %.1e\n", pairs, ambiguous,
                searched, worst);
  assert_near(worst, 0, 1e-10); // the largest residual of an answer
  assert_true(ambiguous < pairs / 3);
  assert_true(searched <= pairs / 1000 + 3); // of a million it was one in 2,300
}

/** A ball or a point at y in the core of a body with flats, in the axes of its shape. */
static sb_closest ball_at(const sb_surface *ball, const sb_surface *body, const sb_pose *H,
                          sb_vec3 y, const sb_vec3 *warm) {
  const sb_pose at = {sb_mat3_identity(), sb_pose_point(sb_pose_compose(*H, body->local), y)};
  sb_closest c;
  sb_closest_points(ball, &at, body, H, warm, &c);
  return c;
}

/** Pushed through a flat and along below it, a ball keeps the depth below that flat, y.n - h(n) - r, however near another is;
 *  without a start the answer is the nearest flat, by trial, and DEEP in the core. */
static void balls_below_flats(void **state) {
  (void)state;
  const sb_surface a[] = {{.size = {1, 0.8, 0.2}, .edge_radius = 0.01},
                          {.radius = 0.5, .length = 0.2, .edge_radius = 0.01}};
  for (int i = 0; i < 40; i++) {
    const sb_pose local = {sb_quat_rotation(sb_quat_from_axis_angle(random_direction(), 2)),
                           sb_vec3_scale(random_direction(), 0.3)},
                  H = {sb_quat_rotation(sb_quat_from_axis_angle(random_direction(), 1)),
                       random_direction()};
    const sb_surface body = sb_surface_make(i % 2 ? &sb_cylinder : &sb_box, &a[i % 2], local);
    const double r = i % 3 ? between(0, 0.05) : 0;
    const sb_surface ball = sb_surface_make(r > 0 ? &sb_sphere : &sb_point,
                                            &(sb_surface){.radius = r}, sb_pose_identity());
    const double begin = uniform(), x = between(-0.1, 0.1), side = 0.35 + between(0, 0.02);
    int steps = 0;
    sb_vec3 warm = {0, 0, 0},
            down = sb_mat3_apply(H.rotation, sb_mat3_apply(local.rotation, (sb_vec3){0, 0, -1}));
    for (double s = 0.02 * begin; s < 1;
         s += 0.02) { // from 2 cm above to 18 cm deep, and from there aside
      const double depth = fmin(0.4 * s, 0.2) - 0.02,
                   beside = s < 0.5 ? x : x + (side - x) * (2 * s - 1);
      const sb_vec3 y = {i % 2 ? beside * 1.3 : beside, 0.03, 0.1 - depth};
      const bool pierced = depth > r && y.z - r < -0.1; // by a ball that is beyond the other end
      const sb_closest c = ball_at(&ball, &body, &H, y, s < 0.02 ? NULL : &warm);
      if (pierced) {
        assert_int_equal(c.status, SB_CLOSEST_AMBIGUOUS);
        break;
      }
      assert_int_equal(c.status, SB_CLOSEST_OK);
      assert_near(c.gap, -depth - r, 1e-15);
      assert_near(sb_vec3_norm(sb_vec3_sub(c.normal, down)), 0, 1e-15);
      warm = c.normal;
      const sb_closest none = ball_at(&ball, &body, &H, y, NULL);
      const sb_surface both[] = {ball, body};
      const sb_pose at[] = {{sb_mat3_identity(), sb_pose_point(sb_pose_compose(H, local), y)}, H};
      const bool core = depth > 0.01;
      assert_int_equal(none.status, core ? SB_CLOSEST_DEEP : SB_CLOSEST_OK);
      if (i < 4 && steps++ % 8 == 0) {
        assert_near(none.gap, densely_searched(both, at), 1e-8); // by steps of 1e-8
      }
    }
  }
}

static void every_answer_is_right_or_flagged(void **state) {
  (void)state;
  long wrong = 0;
  const sb_surface_type *types[40] = {&sb_convex_body, &sb_implicit};
  int count = 2;
  for (int i = 0; sb_surface_types[i]; i++) {
    if (sb_surface_types[i]->convex && sb_surface_types[i] != &sb_point) {
      types[count++] = sb_surface_types[i];
    }
  }
  wrong += report_family(&sb_plane, &sb_point) + report_family(&sb_plane, &sb_torus);
  for (int a = 0; a < count; a++) {
    wrong += report_family(&sb_plane, types[a]) + report_family(&sb_point, types[a]);
    for (int b = a; b < count; b++) {
      wrong += report_family(types[a], types[b]);
    }
  }
  static const sb_surface_type *const hollow[] = {&sb_tube, &sb_bowl, &sb_torus, &sb_hollow_torus};
  for (size_t i = 0; i < sizeof hollow / sizeof *hollow; i++) {
    wrong += report_family(&sb_sphere, hollow[i]) + report_family(&sb_point, hollow[i]);
  }
  assert_int_equal(wrong, 0);
}

int main(int argc, char *argv[]) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_answer_is_right_or_flagged), repeating_test(cores_that_overlap),
      cmocka_unit_test(boxes_by_their_facets), cmocka_unit_test(balls_below_flats),
      cmocka_unit_test(flats_that_all_but_lie_on_each_other)};
  static const struct CMUnitTest families_alone[] = {
      cmocka_unit_test(every_answer_is_right_or_flagged)};
  pairs_per_family = THOROUGH ? 1000 : 200;
  if (argc > 1) {
    pairs_per_family = strtol(argv[1], NULL, 10);
    const long seed = argc > 2 ? strtol(argv[2], NULL, 10) : 0;
    const int first = seed > 0 ? 3 : 2;
    random_state += (uint64_t)seed;
    families = argv + first;
    family_count = argc - first;
  }
  if (family_count > 0) {
    return cmocka_run_group_tests_name("families", families_alone, NULL, NULL);
  }
  return cmocka_run_group_tests(tests, NULL, NULL);
}
