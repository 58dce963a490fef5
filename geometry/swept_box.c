// SPDX-License-Identifier: GPL-3.0-or-later
// A box swept by a ball: the points within `sweep` of a box of half lengths `half` about the origin.
// With the core's point c nearest to y and n = (y - c)/|y - c|, the surface point nearest to y is
// c + sweep n. Its Weingarten map is 1/sweep across the flats of the core, and 0 along them.
#include <stddef.h>

#include "geometry/surface_private.h"

/** Direction cosines below this are those of a flat or an edge: both its ends are as far. */
static const double flat_cosine = 1e-13;
/** Faces whose depths differ by less, relative to them, are as near: rounding. */
static const double same_depth = 1e-14;

static double end_of(double half, double cosine) {
  return fabs(cosine) <= flat_cosine ? 0.0 : copysign(half, cosine);
}

double swept_box_support(sb_vec3 half, double sweep, sb_vec3 n, sb_vec3 *point) {
  const sb_vec3 c = {end_of(half.x, n.x), end_of(half.y, n.y), end_of(half.z, n.z)};
  *point = sb_vec3_axpy(c, sweep, n);
  return fabs(n.x) * half.x + fabs(n.y) * half.y + fabs(n.z) * half.z + sweep;
}

/** Below the face `face` at the end `sign` of its axis, of a point in the core. */
static void below(const double half[3], double sweep, const double y[3], int face, double sign,
                  sb_surface_spot *spot) {
  double n[3] = {0, 0, 0}, x[3] = {y[0], y[1], y[2]};
  n[face] = sign;
  x[face] = sign * (half[face] + sweep);
  *spot = (sb_surface_spot){.x = sb_vec3_load(x),
                            .n = sb_vec3_load(n),
                            .distance = sign * y[face] - (half[face] + sweep)};
  const bool round = half[0] + half[1] + half[2] == 0.0; // of a ball: the very centre
  spot->shape = round ? sb_mat3_scale(tangent_projection(spot->n), 1.0 / sweep) : spot->shape;
}

/** Inside the core: the nearest face, whose opposite one is further by 2 |y|. */
static void inside(const double half[3], double sweep, const double y[3], sb_surface_spot *spot) {
  int face = 0;
  double depth[3], next = INFINITY;
  for (int i = 0; i < 3; i++) {
    depth[i] = half[i] - fabs(y[i]);
    face = depth[i] < depth[face] ? i : face;
  }
  for (int i = 0; i < 3; i++) {
    next = fmin(next, i == face ? half[i] + fabs(y[i]) : depth[i]);
  }
  below(half, sweep, y, face, copysign(1.0, y[face]), spot);
  spot->unique = next - depth[face] > same_depth * (depth[face] + sweep);
}

void swept_box_below(sb_vec3 half_lengths, double sweep, sb_vec3 point, sb_vec3 normal,
                     sb_surface_spot *spot) {
  double half[3], y[3], n[3];
  int face = 0;
  sb_vec3_store(half, half_lengths);
  sb_vec3_store(y, point);
  sb_vec3_store(n, normal);
  for (int i = 1; i < 3; i++) {
    face = fabs(n[i]) > fabs(n[face]) ? i : face;
  }
  below(half, sweep, y, face, copysign(1.0, n[face]), spot);
}

static void nearest_whole(sb_vec3 half_lengths, double sweep, sb_vec3 point,
                          sb_surface_spot *spot) {
  double half[3], y[3], d[3];
  sb_vec3_store(half, half_lengths);
  sb_vec3_store(y, point);
  for (int i = 0; i < 3; i++) {
    d[i] = y[i] - fmax(-half[i], fmin(half[i], y[i]));
  }
  const sb_vec3 span = sb_vec3_load(d);
  const double distance = sb_vec3_norm(span);
  if (distance == 0.0) {
    inside(half, sweep, y, spot);
    return;
  }
  const sb_vec3 n = sb_vec3_scale(span, 1.0 / distance);
  const double curvature = sweep > 0.0 ? 1.0 / sweep : SB_POINT_CURVATURE;
  // tangents along a flat of the core bend nothing: only those coordinates that left it do
  const sb_vec3 across = {d[0] != 0.0 || half[0] == 0.0, d[1] != 0.0 || half[1] == 0.0,
                          d[2] != 0.0 || half[2] == 0.0};
  const sb_mat3 bent = sb_mat3_add(sb_mat3_diag(across), sb_mat3_scale(sb_mat3_outer(n, n), -1.0));
  *spot = (sb_surface_spot){.x = sb_vec3_axpy(point, sweep - distance, n),
                            .n = n,
                            .shape = sb_mat3_scale(bent, curvature),
                            .distance = distance - sweep,
                            .unique = true};
}

/** The places of a piece along the axes: 1 or -1 beyond the flat at that end, 0 between. */
static void sides_of(int piece, int sides[3]) {
  for (int i = 0, rest = piece - 1; i < 3; i++, rest /= 3) {
    sides[i] = rest % 3 - 1;
  }
}

int swept_box_piece(sb_vec3 half_lengths, sb_vec3 point) {
  double half[3], x[3];
  int piece = 1;
  sb_vec3_store(half, half_lengths);
  sb_vec3_store(x, point);
  for (int i = 0, unit = 1; i < 3; i++, unit *= 3) {
    const bool beyond = half[i] > 0.0 && fabs(x[i]) > half[i];
    piece += unit * (!beyond ? 1 : x[i] > 0.0 ? 2 : 0);
  }
  return piece;
}

double swept_box_within(sb_vec3 half_lengths, int piece, sb_vec3 point, sb_vec3 *gradient) {
  double half[3], x[3], least = INFINITY;
  int sides[3];
  sb_vec3_store(half, half_lengths);
  sb_vec3_store(x, point);
  sides_of(piece, sides);
  for (int i = 0; i < 3; i++) {
    const double sign = sides[i] != 0 ? sides[i] : -copysign(1.0, x[i]);
    const double way = sides[i] != 0 ? sign * x[i] - half[i] : half[i] + sign * x[i];
    if (half[i] > 0.0 && way < least) {
      least = way;
      *gradient = (sb_vec3){i == 0 ? sign : 0.0, i == 1 ? sign : 0.0, i == 2 ? sign : 0.0};
    }
  }
  return least;
}

static void nearest_held(sb_vec3 half_lengths, double sweep, int piece, sb_vec3 point,
                         sb_surface_spot *spot) {
  double half[3], y[3], d[3] = {0, 0, 0}, bent[3];
  int sides[3], count = 0;
  sb_vec3_store(half, half_lengths);
  sb_vec3_store(y, point);
  sides_of(piece, sides);
  for (int i = 0; i < 3; i++) {
    const bool free = sides[i] == 0 && half[i] > 0.0;
    d[i] = free ? 0.0 : y[i] - sides[i] * half[i];
    bent[i] = !free;
    count += !free;
  }
  const bool face = count == 1 && sides[0] + sides[1] + sides[2] != 0; // has two sides
  const sb_vec3 out = {sides[0], sides[1], sides[2]}, span = sb_vec3_load(d);
  const double distance = face ? sb_vec3_dot(out, span) : sb_vec3_norm(span);
  const sb_vec3 n = face ? out : sb_vec3_scale(span, 1.0 / distance);
  const sb_mat3 across =
      sb_mat3_add(sb_mat3_diag(sb_vec3_load(bent)), sb_mat3_scale(sb_mat3_outer(n, n), -1.0));
  *spot = (sb_surface_spot){.x = sb_vec3_axpy(point, sweep - distance, n),
                            .n = n,
                            .shape = sb_mat3_scale(across, 1.0 / sweep),
                            .distance = distance - sweep,
                            .unique = true};
}

void swept_box_nearest(sb_vec3 half, double sweep, int piece, sb_vec3 y, sb_surface_spot *spot) {
  if (piece > 0) {
    nearest_held(half, sweep, piece, y, spot);
  } else {
    nearest_whole(half, sweep, y, spot);
  }
}

/** The integral of x^2 over the swept box with the half lengths a along x, b and c across: core, six
 *  slabs, twelve quarter cylinders and eight octants of a ball, all written as whole ones. */
static double second_moment(double a, double b, double c, double r) {
  const double core = 8 * a * b * c * a * a / 3;
  const double ends = 8 * b * c * ((a + r) * (a + r) * (a + r) - a * a * a) / 3;
  const double sides = 8 * a * (b + c) * r * a * a / 3;
  const double along = 2 * SB_PI * r * r * a * a * a / 3;
  const double disc = SB_PI * r * r * a * a + 8.0 / 3 * a * r * r * r + SB_PI * r * r * r * r / 4;
  const double ball = r * r * r * (4 * SB_PI / 3 * a * a + SB_PI * a * r + 4 * SB_PI / 15 * r * r);
  return core + ends + sides + along + 2 * (b + c) * disc + ball;
}

double swept_box_volume(sb_vec3 half, double r) {
  const double a = half.x, b = half.y, c = half.z;
  return 8 * a * b * c + 8 * r * (a * b + b * c + c * a) + 2 * SB_PI * r * r * (a + b + c) +
         4 * SB_PI / 3 * r * r * r;
}

sb_vec3 swept_box_inertia(sb_vec3 half, double r, double mass) {
  const double a = half.x, b = half.y, c = half.z;
  const double density = mass / swept_box_volume(half, r);
  const double xx = density * second_moment(a, b, c, r), yy = density * second_moment(b, c, a, r),
               zz = density * second_moment(c, a, b, r);
  return (sb_vec3){yy + zz, xx + zz, xx + yy};
}
