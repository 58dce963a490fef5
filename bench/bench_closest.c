// SPDX-License-Identifier: GPL-3.0-or-later
// Closest points of six pairs of kinds, without and with a warm start (a normal off by 0.01), beside
// libccd and FCL at their defaults where these are installed: time of a query and error of the gap
// against the construction. A point of each body is drawn with its normal, and the second body is
// turned and put so that the normals are opposite and the points the wanted gap apart; where they
// overlap, by less than the balls that sweep both bodies, so that this pair is the only one. Fails
// if a gap of ours is wrong.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/clock.h"
#include "bench/common.h"
#include "bench/pairs.h"
#include "geometry/closest.h"
#include "geometry/quat.h"

enum { PAIRS = 200, ROUNDS = 11, LIBRARIES_MAX = 3 };
static const double block = 2e-3;      // [s]
static const double gap_tol = 1e-11;   // [m]
static const double warm_error = 0.01; // of the normal

typedef struct closest_pair {
  sb_surface surface[2];
  sb_pose pose[2];
  pairs_body body[2]; // the same for the other libraries
  sb_vec3 warm;
  double gap; // [m] as constructed
} closest_pair;

static closest_pair pairs[PAIRS];
static double gaps[PAIRS]; // [m] as found
static int flagged;        // of them by us: where flats face each other the points are not unique

static double between(double low, double high) {
  static uint64_t state = 2385; // xorshift64*, the same on every machine
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return low + (high - low) * (double)((state * 2685821657736338717u) >> 11) * 0x1p-53;
}
static sb_vec3 random_direction(void) {
  const double z = between(-1, 1), angle = between(0, 2 * SB_PI), r = sqrt(1 - z * z);
  return (sb_vec3){r * cos(angle), r * sin(angle), z};
}
static sb_mat3 random_rotation(void) {
  return sb_quat_rotation(sb_quat_from_axis_angle(random_direction(), between(0, SB_PI)));
}

/** A body of about 1 m, with ratios of lengths up to 3: for us, and as core and ball for the others. */
static sb_surface random_body(const sb_surface_type *type, pairs_body *b) {
  sb_surface s = {.radius = between(0.3, 1), .semi_axes = {1, between(0.3, 1), between(0.3, 1)}};
  if (type == &sb_plane) {
    *b = (pairs_body){.kind = PAIRS_PLANE};
    return sb_surface_plane((sb_vec3){0, 0, 1}, 0);
  }
  if (type == &sb_ellipsoid) {
    *b = (pairs_body){PAIRS_ELLIPSOID, .a = {s.semi_axes.x, s.semi_axes.y, s.semi_axes.z}};
  } else if (type == &sb_sphere) {
    *b = (pairs_body){PAIRS_BALL, .sweep = s.radius};
  } else if (type == &sb_capsule) {
    *b = (pairs_body){PAIRS_SEGMENT, .a = {0, 0, between(0.3, 1)}, .sweep = s.radius};
    s.length = 2 * (b->a[2] + s.radius);
  } else {
    s.edge_radius = between(0.02, 0.2);
    s.length = between(0.6, 2);
    s.size = sb_vec3_scale(s.semi_axes, 2);
    const double e = s.edge_radius;
    *b = type == &sb_box
             ? (pairs_body){PAIRS_BOX, .a = {1 - e, s.semi_axes.y - e, s.semi_axes.z - e},
                            .sweep = e}
             : (pairs_body){PAIRS_CYLINDER, .a = {s.radius - e, 0, 0.5 * s.length - e}, .sweep = e};
  }
  return sb_surface_make(type, &s, sb_pose_identity());
}

/** A point and its normal in the body's axes: on faces, edges and corners with some chance. */
static void draw_point(const sb_surface *s, sb_vec3 *x, sb_vec3 *n) {
  sb_surface_spot spot = {.n = s->normal};
  if (s->type->convex) {
    s->type->nearest(s, sb_vec3_scale(random_direction(), s->reach * between(0.3, 1.5)), &spot);
  }
  *x = spot.x;
  *n = spot.n;
}

/** Radius of the ball that sweeps a body: of an ellipsoid its least radius of curvature. */
static double ball_within(const sb_surface *s) {
  const sb_vec3 a = s->semi_axes;
  const double least = fmin(a.x, fmin(a.y, a.z));
  return s->type == &sb_ellipsoid ? least * least / fmax(a.x, fmax(a.y, a.z)) : s->sweep;
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

static void copy_pose(const sb_pose *pose, pairs_body *b) {
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      b->R[i][j] = pose->rotation.m[i][j];
    }
  }
  b->p[0] = pose->position.x;
  b->p[1] = pose->position.y;
  b->p[2] = pose->position.z;
}

static void draw_pair(const sb_surface_type *t1, const sb_surface_type *t2, bool apart,
                      closest_pair *pair) {
  sb_vec3 x[2], m[2];
  sb_pose *H = pair->pose;
  const sb_surface *s = pair->surface;
  pair->surface[0] = random_body(t1, &pair->body[0]);
  pair->surface[1] = random_body(t2, &pair->body[1]);
  draw_point(&s[0], &x[0], &m[0]);
  draw_point(&s[1], &x[1], &m[1]);
  H[0] = (sb_pose){random_rotation(), random_direction()};
  const sb_vec3 n = sb_mat3_apply(H[0].rotation, m[0]);
  pair->gap =
      apart ? between(0.01, 1) : -between(0.01, 0.9) * (ball_within(s) + ball_within(s + 1));
  pair->warm = sb_vec3_axpy(n, warm_error, random_direction());
  H[1].rotation = random_turn(m[1], sb_vec3_neg(n));
  H[1].position = sb_vec3_sub(sb_vec3_axpy(sb_pose_point(H[0], x[0]), pair->gap, n),
                              sb_mat3_apply(H[1].rotation, x[1]));
  copy_pose(&H[0], &pair->body[0]);
  copy_pose(&H[1], &pair->body[1]);
}

static void by_us(bool warm, long calls) {
  sb_closest c;
  for (long k = 0; k < calls; k++) {
    flagged = 0;
    for (int i = 0; i < PAIRS; i++) {
      const closest_pair *p = &pairs[i];
      sb_closest_points(&p->surface[0], &p->pose[0], &p->surface[1], &p->pose[1],
                        warm ? &p->warm : NULL, &c);
      gaps[i] = c.gap;
      flagged += c.status >= SB_CLOSEST_AMBIGUOUS;
    }
  }
}
static void run_cold(void *context, long calls) {
  (void)context;
  by_us(false, calls);
}
static void run_warm(void *context, long calls) {
  (void)context;
  by_us(true, calls);
}

typedef struct candidate {
  const pairs_library *library;
  void *objects[PAIRS];
} candidate;

static void run_library(void *context, long calls) {
  const candidate *c = context;
  for (long k = 0; k < calls; k++) {
    for (int i = 0; i < PAIRS; i++) {
      gaps[i] = c->library->gap(c->objects[i]);
    }
  }
}

/** @return the largest error of the gaps found [m] */
static double print_row(const char *name, const clock_task *task, double cold) {
  double errors[PAIRS], largest = 0;
  int count = 0;
  flagged = 0;
  task->run(task->context, 1);
  for (int i = 0; i < PAIRS; i++) {
    if (!isnan(gaps[i])) {
      errors[count++] = fabs(gaps[i] - pairs[i].gap);
      largest = fmax(largest, errors[count - 1]);
    }
  }
  printf("  %-12s %10.0f %9.2f", name, 1e9 * task->seconds / PAIRS, task->seconds / cold);
  if (count > 0) {
    printf(" %10.1e %10.1e", clock_median(errors, count), largest);
  } else {
    printf("          -          -");
  }
  printf(" %9d %9d\n", PAIRS - count, flagged);
  return largest;
}

static void compare(const sb_surface_type *t1, const sb_surface_type *t2, bool apart) {
  static const pairs_library *const libraries[] = {
#ifdef HAVE_CCD
      &pairs_ccd_mpr, &pairs_ccd_epa,
#endif
#ifdef HAVE_FCL
      &pairs_fcl,
#endif
      NULL};
  static candidate candidates[LIBRARIES_MAX];
  clock_task tasks[2 + LIBRARIES_MAX] = {{.run = run_cold}, {.run = run_warm}};
  int count = 0;
  for (int i = 0; i < PAIRS; i++) {
    draw_pair(t1, t2, apart, &pairs[i]);
  }
  for (int k = 0; libraries[k] != NULL; k++) {
    candidate *c = &candidates[count];
    const bool both_bounded = t1->convex && t2->convex;
    if (apart ? libraries[k]->apart && both_bounded : libraries[k]->overlapping) {
      c->library = libraries[k];
      for (int i = 0; i < PAIRS; i++) {
        c->objects[i] = c->library->make(pairs[i].body);
      }
      tasks[2 + count++] = (clock_task){.run = run_library, .context = c};
    }
  }
  clock_compare(tasks, 2 + count, ROUNDS, block);
  printf("%s-%s, %s\n", t1->name, t2->name, apart ? "apart" : "overlapping");
  const double cold = print_row("ours, cold", &tasks[0], tasks[0].seconds);
  const double warm = print_row("ours, warm", &tasks[1], tasks[0].seconds);
  for (int k = 0; k < count; k++) {
    (void)print_row(candidates[k].library->name, &tasks[2 + k], tasks[0].seconds);
    for (int i = 0; i < PAIRS; i++) {
      candidates[k].library->destroy(candidates[k].objects[i]);
    }
  }
  if (!(fmax(cold, warm) <= gap_tol)) {
    bench_fail("a gap of ours is wrong");
  }
}

int main(void) {
  const sb_surface_type *const kinds[][2] = {
      {&sb_ellipsoid, &sb_ellipsoid}, {&sb_sphere, &sb_ellipsoid},
      {&sb_plane, &sb_ellipsoid},     {&sb_box, &sb_box},
      {&sb_capsule, &sb_capsule},     {&sb_cylinder, &sb_cylinder}};
  bench_flush_denormals();
#ifndef HAVE_CCD
  printf("libccd is not installed: left out\n");
#endif
#ifndef HAVE_FCL
  printf("FCL is not installed: left out\n");
#endif
  printf("                 query [ns]  of cold    error of the gap [m]   of %d pairs\n"
         "                                         median    largest no answer   flagged\n",
         PAIRS);
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    compare(kinds[i][0], kinds[i][1], true);
    compare(kinds[i][0], kinds[i][1], false);
  }
  return EXIT_SUCCESS;
}
