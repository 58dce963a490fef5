// SPDX-License-Identifier: GPL-3.0-or-later
// Seams of surfaces that are put together of pieces, as of a box with rounded edges: where the closest point passes from one piece to the
// next the curvature jumps, with it the speed of the point over the surface and the acceleration of the bodies, and a step across it has an
// error that depends on where in the step the seam lies. In touch the pieces of both points are held, so that a step sees one side, and what
// a point is from the end of its piece is an event indicator: the step ends there, and the next piece is held.
#include <float.h>
#include <math.h>
#include <string.h>

#include "contact/hertz.h"
#include "contact/structure_private.h"

/** Roundings of its terms that the place of a closest point is known to. A point that stays on a seam passes it once. */
static const double roundings = 64;

/** A relative curvature below this fraction of the other one is none. */
static const double flat = 1e-6;

/** On a plane the point of a body that has flats or straight edges stays at a corner or a rim, or leaps to another one. */
static bool has_seams(const sb_contact_data *s, int body) {
  const sb_surface_type *own = s->surface[body].type, *other = s->surface[1 - body].type;
  return own->piece != NULL && (own->curved || !other->half_space);
}

static int piece_of(const sb_at *at, int body) {
  return (int)at->discrete[LATCHED_PIECE + body];
}

/** The surface of a body, or in `held` that of its piece. */
static const sb_surface *surface_of(const sb_contact_data *s, const sb_at *at, int body,
                                    sb_surface *held) {
  if (piece_of(at, body) == 0) {
    return &s->surface[body];
  }
  *held = s->surface[body];
  held->piece = piece_of(at, body);
  return held;
}

static sb_vec3 point_of(const sb_closest *points, int body) {
  return body == 0 ? points->p1 : points->p2;
}

static int piece_at(const sb_contact_data *s, const sb_at *at, const sb_closest *points, int body) {
  return has_seams(s, body) && sb_contact_usable(points)
             ? sb_surface_piece(&s->surface[body], pose_of(at, body), point_of(points, body))
             : 0;
}

/** Whether the next piece, behind the end that a point has passed, lies along the other body there. The point then leaps to its other end,
 *  which is no seam: a step ahead would end where the points are not unique. */
static bool leaps(const sb_contact_data *s, const sb_at *at, const sb_closest *points, int body) {
  sb_surface next = s->surface[body];
  double k[2];
  if (piece_of(at, body) == 0) {
    return false;
  }
  next.piece = piece_at(s, at, points, body);
  const sb_mat3 L = sb_surface_shape(&next, pose_of(at, body), point_of(points, body));
  sb_hertz_curvatures(sb_mat3_add(L, body == 0 ? points->shape2 : points->shape1), points->normal,
                      k);
  return !(k[1] > flat * k[0]);
}

void sb_seams_go_on(const sb_contact_data *s, const sb_at *at, sb_closest *points) {
  bool left = false;
  for (int i = 0; i < 2; i++) {
    left = left || (piece_of(at, i) > 0 && piece_at(s, at, points, i) != piece_of(at, i));
  }
  if (!left || !sb_contact_usable(points)) {
    return;
  }
  sb_surface held[2];
  sb_closest on;
  sb_closest_go_on(surface_of(s, at, 0, &held[0]), pose_of(at, 0), surface_of(s, at, 1, &held[1]),
                   pose_of(at, 1), points, &on);
  if (sb_contact_usable(&on) && !leaps(s, at, &on, 0) && !leaps(s, at, &on, 1)) {
    *points = on;
  }
}

/** How far the point of a body is from the end of its piece [m], counted from a little behind it; not-a-number: it is not on it.
 *  @param gradient  out: of that */
static double way_to_end(const sb_contact_data *s, const sb_at *at, const sb_closest *points,
                         int body, sb_vec3 *gradient) {
  sb_surface held;
  const sb_surface *surface = surface_of(s, at, body, &held);
  const sb_vec3 p = point_of(points, body);
  const double places = sb_vec3_norm(p) + sb_vec3_norm(pose_of(at, body)->position);
  return sb_surface_within_piece(surface, pose_of(at, body), p, gradient) +
         roundings * DBL_EPSILON * places;
}

void sb_seams_hold(const sb_contact_data *s, const sb_at *at, const sb_closest *points,
                   double discrete[]) {
  sb_vec3 unused;
  for (int i = 0; i < 2 && sb_contact_usable(points); i++) {
    if (piece_of(at, i) == 0 || !(way_to_end(s, at, points, i, &unused) >= 0)) {
      discrete[LATCHED_PIECE + i] = piece_at(s, at, points, i);
    }
  }
}

void sb_seams_release(double discrete[]) {
  discrete[LATCHED_PIECE] = discrete[LATCHED_PIECE + 1] = 0;
}

int sb_seams_indicators(const sb_contact_data *s, const sb_at *at, const sb_closest *points,
                        double g[], double gdot[]) {
  double way[2];
  sb_vec3 gradient[2] = {{0, 0, 0}, {0, 0, 0}};
  int count = 0;
  if (!has_seams(s, 0) && !has_seams(s, 1)) {
    return 0;
  }
  for (int i = 0; i < 2; i++) {
    const bool held = piece_of(at, i) > 0 && sb_contact_usable(points);
    way[i] = held ? way_to_end(s, at, points, i, &gradient[i]) : INFINITY;
  }
  const bool leapt = isnan(way[0] + way[1]); // one of them, and with it the other
  const sb_closest_motion motion =
      sb_closest_derivative(points, sb_twist_load(at->in + BODY_1), sb_twist_load(at->in + BODY_2));
  for (int i = 0; i < 2; i++) {
    if (has_seams(s, i)) {
      const double rate = sb_vec3_dot(gradient[i], i == 0 ? motion.u1 : motion.u2);
      const bool far = leapt || isinf(way[i]);
      g[count] = far ? s->surface[i].reach : way[i];
      gdot[count] = far ? 0 : isfinite(rate) ? rate : NAN;
      count++;
    }
  }
  return count;
}

void sb_seams_pass(const sb_contact_data *s, const sb_at *at, int which, double discrete[]) {
  const int body = has_seams(s, 0) ? which : 1;
  double free[LATCHED_PIECE + 2];
  memcpy(free, at->discrete, sizeof free);
  sb_seams_release(free);
  sb_at anew = *at;
  anew.discrete = free;
  sb_closest points;
  sb_contact_closest(s, &anew, &points);
  discrete[LATCHED_PIECE + body] = piece_at(s, at, &points, body);
}
