// SPDX-License-Identifier: GPL-3.0-or-later
// The lens about the z axis with a rounded rim: what two equal balls of radius R about (0, 0, -d) and (0, 0, d) have in
// common, swept by a ball of radius r. With the rim's radius p and half the thickness h of that core p^2 + d^2 = R^2 and
// R = d + h. On the rim the surface is that of a torus. A thin lens has R >> h, so that differences of R and d are not taken.
#include "geometry/surface_private.h"

/** Most of half the thickness that the rim may take: less is left of the faces. */
static const double edge_share = 0.9;

typedef struct core {
  double rim, half, ball, off; // [m] p, h, R, d
} core;

static core core_of(const sb_surface *s) {
  const double p = s->radius - s->sweep, h = 0.5 * s->length - s->sweep;
  return (core){p, h, 0.5 * (p * p / h + h), 0.5 * (p - h) * (p + h) / h};
}

static void complete(sb_surface *s) {
  s->sweep = s->edge_radius;
  s->reach = s->radius;
  s->width = s->length;
}

static sb_status check(const sb_surface *s, sb_error *err) {
  SB_TRY(surface_check_length(s, "radius", s->radius, err));
  SB_TRY(surface_check_length(s, "length", s->length, err));
  const double ratio = 0.5 * s->length / s->radius;
  if (!(ratio <= 1.0 && ratio >= SB_EDGE_RATIO_MIN)) {
    return sb_fail(err, SB_ERR_RANGE,
                   "half the length of a lens must be from %s to 1 times its radius, not %s times",
                   sb_number_word(SB_EDGE_RATIO_MIN).text, sb_number_word(ratio).text);
  }
  return surface_check_edge(s, edge_share * 0.5 * s->length, err);
}

enum { UPPER = 1, LOWER, RIM };

/** Whether what is on a face or the rim, by where it is, is on a face; and the side of that, 1 or -1: those of the piece that is held. */
static bool is_on_face(const sb_surface *s, bool is) {
  return s->piece > 0 ? s->piece != RIM : is;
}
static double side_of(const sb_surface *s, double z) {
  return s->piece == UPPER ? 1.0 : s->piece == LOWER ? -1.0 : copysign(1.0, z);
}

/** The height at which faces and rim meet [m]. */
static double seam_of(const sb_surface *s) {
  const core c = core_of(s);
  return s->sweep * c.off / c.ball;
}

static int piece(const sb_surface *s, sb_vec3 x) {
  return fabs(x.z) < seam_of(s) ? RIM : x.z < 0.0 ? LOWER : UPPER;
}

static double within(const sb_surface *s, sb_vec3 x, sb_vec3 *gradient) {
  const double side = side_of(s, x.z), out = s->piece == RIM ? -1.0 : 1.0;
  *gradient = (sb_vec3){0, 0, out * side};
  return out * (side * x.z - seam_of(s));
}

/** Normals steeper than those at the rim, whose cosine is d/R, are met on a face: R - d |n_z|, 1 - |n_z| = below. */
static double support(const sb_surface *s, sb_vec3 n, sb_vec3 *point) {
  const core c = core_of(s);
  const double across = hypot(n.x, n.y), side = side_of(s, n.z);
  if (is_on_face(s, fabs(n.z) * c.ball >= c.off)) {
    const double below = across * across / (1.0 + side * n.z);
    const sb_vec3 on_core = {c.ball * n.x, c.ball * n.y, side * (c.half - c.ball * below)};
    *point = sb_vec3_axpy(on_core, s->sweep, n);
    return c.half + c.off * below + s->sweep;
  }
  const double in = c.rim / across;
  *point = sb_vec3_axpy((sb_vec3){in * n.x, in * n.y, 0}, s->sweep, n);
  return c.rim * across + s->sweep;
}

/** On the face `side` of the ball from whose centre y is v away: |v| - R = (|v|^2 - R^2)/(|v| + R), d^2 - R^2 = -p^2. */
static void on_face(const core *c, double sweep, double side, sb_vec3 y, sb_vec3 v,
                    sb_surface_spot *spot) {
  const double length = sb_vec3_norm(v), e2 = y.x * y.x + y.y * y.y, z = side * y.z;
  const double square = e2 - c->rim * c->rim + z * (z + 2.0 * c->off);
  const double distance = square / (length + c->ball) - sweep;
  const sb_vec3 n = length > 0.0 ? sb_vec3_scale(v, 1.0 / length) : (sb_vec3){0, 0, 1};
  *spot = (sb_surface_spot){.x = sb_vec3_axpy(y, -distance, n),
                            .n = n,
                            .shape = sb_mat3_scale(tangent_projection(n), 1.0 / (c->ball + sweep)),
                            .distance = distance,
                            .unique = length > 0.0 && (y.z != 0.0 || c->off == 0.0)};
}

static void nearest(const sb_surface *s, sb_vec3 y, sb_surface_spot *spot) {
  const core c = core_of(s);
  const double side = side_of(s, y.z);
  const sb_vec3 m = {0, 0, -side * c.off}, v = sb_vec3_sub(y, m);
  const double e = hypot(y.x, y.y), length = hypot(e - c.rim, y.z);
  if (is_on_face(s, fabs(v.z) * c.ball >= c.off * sb_vec3_norm(v) || length == 0.0)) {
    on_face(&c, s->sweep, side, y, v, spot);
    return;
  }
  const sb_vec3 out = {y.x / e, y.y / e, 0}, around = {-out.y, out.x, 0};
  const double nr = (e - c.rim) / length, nz = y.z / length;
  const sb_vec3 n = {nr * out.x, nr * out.y, nz}, meridian = {-nz * out.x, -nz * out.y, nr};
  *spot = (sb_surface_spot){
      .x = sb_vec3_axpy(sb_vec3_scale(out, c.rim), s->sweep, n),
      .n = n,
      .shape =
          sb_mat3_add(sb_mat3_scale(sb_mat3_outer(around, around), nr / (c.rim + s->sweep * nr)),
                      sb_mat3_scale(sb_mat3_outer(meridian, meridian), 1.0 / s->sweep)),
      .distance = length - s->sweep,
      .unique = true};
}

static sb_vec3 shape_gradient(const sb_surface *s, sb_vec3 x, sb_mat3 G) {
  const core c = core_of(s);
  sb_surface_spot spot;
  nearest(s, x, &spot);
  return fabs(spot.n.z) * c.ball < c.off ? torus_shape_gradient(c.rim, s->sweep, &spot, G)
                                         : (sb_vec3){0, 0, 0};
}

/** Integrals over half the height of w^2, w^4 and w^2 z^2, with the half width w at the height z. */
typedef struct slices {
  double w2, w4, w2zz;
} slices;

/** w = p + r cos t at z = r sin t, to the sine of the faces at the rim; C_m is the integral of cos^m t. */
static slices of_rim(double p, double r, double sine) {
  const double cosine = sqrt((1.0 - sine) * (1.0 + sine));
  double C[6] = {asin(sine), sine}, I[5], J[3];
  for (int m = 2; m < 6; m++) {
    C[m] = (pow(cosine, m - 1) * sine + (m - 1) * C[m - 2]) / m;
  }
  for (int k = 0; k < 5; k++) { // of (r cos t)^k
    I[k] = pow(r, k + 1) * C[k + 1];
  }
  for (int k = 0; k < 3; k++) { // times z^2
    J[k] = pow(r, k + 3) * (C[k + 1] - C[k + 3]);
  }
  return (slices){p * p * I[0] + 2 * p * I[1] + I[2],
                  pow(p, 4) * I[0] + 4 * pow(p, 3) * I[1] + 6 * p * p * I[2] + 4 * p * I[3] + I[4],
                  p * p * J[0] + 2 * p * J[1] + J[2]};
}

/** w^2 = 2 R t - t^2 at the depth t under the top, z = H - t, over the height q of a face. */
static slices of_face(double R, double H, double q) {
  const double q2 = q * q, q3 = q2 * q, q4 = q3 * q, q5 = q4 * q;
  const double w2 = R * q2 - q3 / 3;
  return (slices){w2, 4 * R * R * q3 / 3 - R * q4 + q5 / 5,
                  H * H * w2 - 2 * H * (2 * R * q3 / 3 - q4 / 4) + R * q4 / 2 - q5 / 5};
}

static slices half_of(const sb_surface *s) {
  const core c = core_of(s);
  const double sine = c.off / c.ball, H = 0.5 * s->length;
  const slices a = of_rim(c.rim, s->sweep, sine);
  const slices b = of_face(c.ball + s->sweep, H, H - s->sweep * sine);
  return (slices){a.w2 + b.w2, a.w4 + b.w4, a.w2zz + b.w2zz};
}

static double volume(const sb_surface *s) {
  return 2 * SB_PI * half_of(s).w2;
}

/** By discs of mass pi w^2 and moments pi w^4/2 about the axis, half of that about a diameter. */
static sb_vec3 inertia(const sb_surface *s, double mass) {
  const slices half = half_of(s);
  const double scale = mass / half.w2, across = scale * (0.25 * half.w4 + half.w2zz);
  return (sb_vec3){across, across, 0.5 * scale * half.w4};
}

const sb_surface_type sb_lens = {
    .name = "lens",
    .help = "two equal caps of a ball about its z axis, with a rounded rim",
    .attributes = "radius length edge_radius",
    .convex = true,
    .curved = true,
    .complete = complete,
    .check = check,
    .support = support,
    .at = nearest,
    .nearest = nearest,
    .inertia = inertia,
    .piece = piece,
    .within = within,
    .volume = volume,
    .shape_gradient = shape_gradient};
