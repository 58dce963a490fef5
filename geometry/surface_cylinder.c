// SPDX-License-Identifier: GPL-3.0-or-later
// The cylinder about the z axis with rounded rims: a smaller cylinder swept by a ball. On a rim the
// surface is that of a torus: 1/sweep along the meridian, n_r/(distance to the axis) around.
#include <stddef.h>

#include "geometry/surface_private.h"

/** Direction cosines below this are those of a flat end or a straight side. */
static const double flat_cosine = 1e-13;
/** Ends and a side whose depths differ by less, relative to them, are as near: rounding. */
static const double same_depth = 1e-14;

/** Radius and half length of the core. The core of a radius of 0 is an edge, as of a capsule, that of a length of 0 a disc. */
static double core_radius(const sb_surface *s) {
  return s->radius - s->sweep;
}
static double core_half(const sb_surface *s) {
  return 0.5 * s->length - s->sweep;
}

static void complete(sb_surface *s) {
  s->sweep = s->edge_radius;
  s->radius = surface_half_or_sweep(s->radius, s->sweep);
  s->length = 2.0 * surface_half_or_sweep(0.5 * s->length, s->sweep);
  s->reach = hypot(core_radius(s), core_half(s)) + s->sweep;
  s->width = fmin(2.0 * s->radius, s->length);
}

static sb_status check(const sb_surface *s, sb_error *err) {
  SB_TRY(surface_check_length(s, "radius", s->radius, err));
  SB_TRY(surface_check_length(s, "length", s->length, err));
  return surface_check_edge(s, fmin(s->radius, 0.5 * s->length), err);
}

static double support(const sb_surface *s, sb_vec3 n, sb_vec3 *point) {
  const double across = hypot(n.x, n.y), rho = core_radius(s), half = core_half(s);
  const double in = across <= flat_cosine ? 0.0 : rho / across;
  const double end = fabs(n.z) <= flat_cosine ? 0.0 : copysign(half, n.z);
  *point = sb_vec3_axpy((sb_vec3){in * n.x, in * n.y, end}, s->sweep, n);
  return rho * across + half * fabs(n.z) + s->sweep;
}

/** Below an end, z = 1 or -1, or below the side, z = 0, of a point in the core, `e` from the axis in the direction `out`. */
static void below_at(const sb_surface *s, sb_vec3 y, double e, sb_vec3 out, double z,
                     sb_surface_spot *spot) {
  const sb_vec3 around = {-out.y, out.x, 0}, n = z == 0.0 ? out : (sb_vec3){0, 0, z};
  const double depth = (z == 0.0 ? core_radius(s) - e : core_half(s) - z * y.z) + s->sweep;
  *spot = (sb_surface_spot){.x = sb_vec3_axpy(y, depth, n), .n = n, .distance = -depth};
  if (z == 0.0) {
    spot->shape = sb_mat3_scale(sb_mat3_outer(around, around), 1.0 / s->radius);
  }
}

static sb_vec3 away_from_axis(sb_vec3 y, double e) {
  return e > 0.0 ? (sb_vec3){y.x / e, y.y / e, 0} : (sb_vec3){1, 0, 0};
}

static void below(const sb_surface *s, sb_vec3 y, sb_vec3 n, sb_surface_spot *spot) {
  const double e = hypot(y.x, y.y);
  below_at(s, y, e, away_from_axis(y, e), fabs(n.z) > hypot(n.x, n.y) ? copysign(1.0, n.z) : 0.0,
           spot);
}

/** Inside the core: the side, or the nearer end, which the other is further than by 2 |z|. */
static void inside(const sb_surface *s, sb_vec3 y, double e, sb_vec3 out, sb_surface_spot *spot) {
  const double side = core_radius(s) - e, end = core_half(s) - fabs(y.z);
  const double next =
      side < end ? fmin(end, core_radius(s) + e) : fmin(side, core_half(s) + fabs(y.z));
  const double depth = fmin(side, end);
  below_at(s, y, e, out, side < end ? 0.0 : copysign(1.0, y.z), spot);
  spot->unique = next - depth > same_depth * (depth + s->sweep);
}

/** A piece: on the rim or the side, or on an end, and 1 or -1 beyond that end of the core, 0 between. A core of no radius has no
 *  ends, and along one of no length it is 0 on the rim. */
typedef struct place {
  bool round;
  int end;
} place;

static place place_of(const sb_surface *s) {
  return (place){(s->piece - 1) / 3 > 0, (s->piece - 1) % 3 - 1};
}

static int piece(const sb_surface *s, sb_vec3 x) {
  const double half = core_half(s);
  const bool round = core_radius(s) == 0.0 || hypot(x.x, x.y) > core_radius(s);
  const bool beyond = half > 0.0 ? fabs(x.z) > half : !round;
  return 1 + 3 * round + (!beyond ? 1 : x.z > 0.0 ? 2 : 0);
}

static double within(const sb_surface *s, sb_vec3 x, sb_vec3 *gradient) {
  const place at = place_of(s);
  const double half = core_half(s), e = hypot(x.x, x.y);
  const double out = at.round ? 1.0 : -1.0, up = at.end != 0 ? at.end : -copysign(1.0, x.z);
  const double across = core_radius(s) > 0.0 ? out * (e - core_radius(s)) : INFINITY;
  const double along = half > 0.0 ? up * x.z + (at.end != 0 ? -half : half) : INFINITY;
  *gradient = across < along ? (sb_vec3){out * x.x / e, out * x.y / e, 0} : (sb_vec3){0, 0, up};
  return fmin(across, along);
}

/** The spot of a point at a distance from the core, along the normal (nr, nz) in the half plane of `out`, with the curvatures around the axis and
 *  along the meridian. */
static void put_spot(const sb_surface *s, sb_vec3 y, double distance, sb_vec3 out, double nr,
                     double nz, double ring, double rim, sb_surface_spot *spot) {
  const sb_vec3 n = {nr * out.x, nr * out.y, nz}, around = {-out.y, out.x, 0},
                meridian = {-nz * out.x, -nz * out.y, nr};
  *spot =
      (sb_surface_spot){.x = sb_vec3_axpy(y, s->sweep - distance, n),
                        .n = n,
                        .shape = sb_mat3_add(sb_mat3_scale(sb_mat3_outer(around, around), ring),
                                             sb_mat3_scale(sb_mat3_outer(meridian, meridian), rim)),
                        .distance = distance - s->sweep,
                        .unique = true};
}

/** Of the piece that is held: as nearest(), but that its part of the core goes on, the rim as a torus. */
static void nearest_held(const sb_surface *s, sb_vec3 y, sb_surface_spot *spot) {
  const place at = place_of(s);
  const double half = core_half(s), R = core_radius(s), e = hypot(y.x, y.y);
  const bool side = at.end == 0 && half > 0.0;
  const double dr = at.round ? e - R : 0.0, dz = side ? 0.0 : y.z - at.end * half;
  const double distance = side ? dr : at.round ? hypot(dr, dz) : at.end * dz;
  const double nr = side       ? 1.0
                    : at.round ? dr / distance
                               : 0.0,
               nz = side       ? 0.0
                    : at.round ? dz / distance
                               : at.end;
  const sb_vec3 out = away_from_axis(y, e);
  const double rim = side || !at.round ? 0.0 : 1.0 / s->sweep,
               ring = R > 0.0 ? nr / (R + s->sweep * nr) : 1.0 / s->sweep;
  put_spot(s, y, distance, out, nr, nz, ring, rim, spot);
}

static void nearest(const sb_surface *s, sb_vec3 y, sb_surface_spot *spot) {
  if (s->piece > 0) {
    nearest_held(s, y, spot);
    return;
  }
  const double e = hypot(y.x, y.y), half = core_half(s);
  const sb_vec3 out = away_from_axis(y, e);
  const double dr = fmax(0.0, e - core_radius(s)), dz = y.z - fmax(-half, fmin(half, y.z));
  const double distance = hypot(dr, dz);
  if (distance == 0.0) {
    inside(s, y, e, out, spot);
    return;
  }
  const double nr = dr / distance, nz = dz / distance;
  // along the flats of the core nothing bends, but an end of radius zero is none, nor is a side of length zero
  const bool end = nr == 0.0 && core_radius(s) > 0.0, side = nz == 0.0 && half > 0.0;
  const double rim = end || side ? 0.0 : 1.0 / s->sweep;
  const double ring = nr > 0.0 ? nr / (fmin(e, core_radius(s)) + s->sweep * nr) : end ? 0.0 : rim;
  put_spot(s, y, distance, out, nr, nz, ring, rim, spot);
}

static sb_vec3 shape_gradient(const sb_surface *s, sb_vec3 x, sb_mat3 G) {
  sb_surface_spot spot;
  nearest(s, x, &spot);
  const bool rim = spot.n.z != 0.0 && hypot(spot.n.x, spot.n.y) > 0.0;
  return rim ? torus_shape_gradient(core_radius(s), s->sweep, &spot, G) : (sb_vec3){0, 0, 0};
}

/** pi times the integral of w^2 over the height, w as below. */
static double volume(const sb_surface *s) {
  const double p = core_radius(s), r = s->sweep;
  const double rim = p * p * r + SB_PI / 2 * p * r * r + 2.0 / 3 * r * r * r;
  return 2 * SB_PI * (s->radius * s->radius * core_half(s) + rim);
}

/** By slices: pi w^2 of mass, pi w^4/4 of moment about a diameter, with the half width w = radius
 *  on the straight part and rho + sqrt(r^2 - t^2) at the height t above it. */
static sb_vec3 inertia(const sb_surface *s, double mass) {
  const double R = s->radius, p = core_radius(s), l = core_half(s), r = s->sweep;
  const double c1 = SB_PI / 4 * r * r, c2 = 2.0 / 3 * r * r * r, c3 = 3 * SB_PI / 16 * pow(r, 4),
               c4 =
                   8.0 / 15 * pow(r, 5); // integrals of c^k over t from 0 to r, c = sqrt(r^2 - t^2)
  const double w2 = p * p * r + 2 * p * c1 + c2;
  const double w2t = p * p * r * r / 2 + 2 * p * r * r * r / 3 + pow(r, 4) / 4;
  const double w2tt = p * p * r * r * r / 3 + 2 * p * SB_PI / 16 * pow(r, 4) + 2.0 / 15 * pow(r, 5);
  const double w4 = pow(p, 4) * r + 4 * p * p * p * c1 + 6 * p * p * c2 + 4 * p * c3 + c4;
  const double quarter = 0.5 * (pow(R, 4) * l + w4); // of the integral of w^4
  const double zz = 2 * (R * R * l * l * l / 3 + l * l * w2 + 2 * l * w2t + w2tt);
  const double scale = SB_PI * mass / volume(s);
  return (sb_vec3){scale * (quarter + zz), scale * (quarter + zz), scale * 2 * quarter};
}

const sb_surface_type sb_cylinder = {.name = "cylinder",
                                     .help = "cylinder about its z axis with rounded rims",
                                     .attributes = "radius length edge_radius",
                                     .convex = true,
                                     .complete = complete,
                                     .check = check,
                                     .support = support,
                                     .at = nearest,
                                     .nearest = nearest,
                                     .below = below,
                                     .inertia = inertia,
                                     .piece = piece,
                                     .within = within,
                                     .volume = volume,
                                     .shape_gradient = shape_gradient};
