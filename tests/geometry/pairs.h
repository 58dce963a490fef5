// SPDX-License-Identifier: GPL-3.0-or-later
// Random pairs of bodies, and their support points in long double, for the tests of closest points.
#ifndef SB_TESTS_PAIRS_H
#define SB_TESTS_PAIRS_H

#include "tests/near.h"

#include "geometry/closest.h"
#include "geometry/se3.h"

typedef long double wide; // the reference is computed with 11 bits more
typedef struct wide3 {
  wide x[3];
} wide3;

static uint64_t random_state = 2385;

/** xorshift64*: uniform in (0, 1), the same on every machine. */
static inline double uniform(void) {
  random_state ^= random_state >> 12;
  random_state ^= random_state << 25;
  random_state ^= random_state >> 27;
  return ((double)((random_state * 2685821657736338717u) >> 11) + 0.5) * 0x1p-53;
}
static inline double between(double low, double high) {
  return low + (high - low) * uniform();
}
static inline double log_between(double low, double high) {
  return low * pow(high / low, uniform());
}
static inline sb_vec3 random_direction(void) {
  const double z = between(-1, 1), angle = between(0, 2 * SB_PI), r = sqrt(1 - z * z);
  return (sb_vec3){r * cos(angle), r * sin(angle), z};
}
static inline sb_vec3 random_vector(double size) {
  return (sb_vec3){between(-size, size), between(-size, size), between(-size, size)};
}
static inline sb_pose random_pose(double size) {
  const sb_quat q = sb_quat_from_axis_angle(random_direction(), between(0, SB_PI));
  return (sb_pose){sb_quat_rotation(q), random_vector(size)};
}

/** A body with its world pose: ellipsoids have a local pose that is not trivial. */
typedef struct body {
  sb_surface surface;
  sb_pose pose;
} body;

static inline double largest(sb_vec3 a) {
  return fmax(a.x, fmax(a.y, a.z));
}
static inline body random_ellipsoid(double size, double aspect) {
  const sb_vec3 ratio = {1.0, 1.0 / aspect, 1.0 / log_between(1.0, aspect)};
  return (body){sb_surface_ellipsoid(sb_vec3_scale(ratio, size), random_pose(0.3 * size)),
                random_pose(size)};
}
static inline body random_sphere(double size, double aspect) {
  (void)aspect;
  return (body){sb_surface_sphere(size, random_vector(0.3 * size)), random_pose(size)};
}

/** The axes of the shape in the world, and its centre. */
typedef struct frame {
  wide r[3][3];
  wide3 c;
} frame;

static inline frame world_frame(const body *b) {
  frame f;
  const double p[3] = {b->pose.position.x, b->pose.position.y, b->pose.position.z};
  const sb_vec3 local = b->surface.local.position;
  for (int i = 0; i < 3; i++) {
    const double *row = b->pose.rotation.m[i];
    f.c.x[i] = p[i] + (wide)row[0] * local.x + (wide)row[1] * local.y + (wide)row[2] * local.z;
    for (int j = 0; j < 3; j++) {
      f.r[i][j] = 0;
      for (int k = 0; k < 3; k++) {
        f.r[i][j] += (wide)row[k] * b->surface.local.rotation.m[k][j];
      }
    }
  }
  return f;
}

/** Support about the centre and the support point from the centre, for a unit n. */
static inline wide support(const body *b, const frame *f, const wide n[3], wide point[3]) {
  const wide a[3] = {b->surface.semi_axes.x, b->surface.semi_axes.y, b->surface.semi_axes.z};
  wide m[3], h = 0;
  for (int i = 0; i < 3; i++) {
    m[i] = a[i] * (f->r[0][i] * n[0] + f->r[1][i] * n[1] + f->r[2][i] * n[2]);
    h += m[i] * m[i];
  }
  h = sqrtl(h);
  for (int i = 0; i < 3; i++) {
    point[i] = (f->r[i][0] * a[0] * m[0] + f->r[i][1] * a[1] * m[1] + f->r[i][2] * a[2] * m[2]) / h;
  }
  return h;
}

/** g at a direction, normalised here: the gap if that is the common normal; and p2 - p1 there. */
static inline wide gap_along(const body b[2], const frame f[2], sb_vec3 n, wide span[3]) {
  const wide length = sqrtl((wide)n.x * n.x + (wide)n.y * n.y + (wide)n.z * n.z);
  const wide w[3] = {n.x / length, n.y / length, n.z / length};
  wide x1[3], x2[3];
  wide g = -support(&b[0], &f[0], w, x1) - support(&b[1], &f[1], w, x2);
  for (int i = 0; i < 3; i++) {
    const wide d = f[1].c.x[i] - f[0].c.x[i];
    g += w[i] * d;
    span[i] = d - x1[i] - x2[i];
  }
  return g;
}

/** Moves the second body until the gap along n is `gap`; returns the gap that rounding left. */
static inline double place(body b[2], frame f[2], sb_vec3 n, double gap) {
  wide span[3];
  gap_along(b, f, n, span);
  b[1].pose.position.x -= (double)(span[0] - (wide)gap * n.x);
  b[1].pose.position.y -= (double)(span[1] - (wide)gap * n.y);
  b[1].pose.position.z -= (double)(span[2] - (wide)gap * n.z);
  f[1] = world_frame(&b[1]);
  return (double)gap_along(b, f, n, span);
}

static inline sb_closest solve(const body b[2], const sb_vec3 *warm) {
  sb_closest c;
  sb_closest_points(&b[0].surface, &b[0].pose, &b[1].surface, &b[1].pose, warm, &c);
  return c;
}

/** A body of the k-th kind. */
static inline body random_body(int kind) {
  if (kind == 0) {
    return (body){sb_surface_plane(random_direction(), 0.1), random_pose(1)};
  }
  return kind == 1 ? random_sphere(1, 1) : random_ellipsoid(1, 3);
}

#endif
