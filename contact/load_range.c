// SPDX-License-Identifier: GPL-3.0-or-later
#include "contact/load_range.h"

#include <float.h>
#include <math.h>

#include "contact/skin_private.h"
#include "geometry/closest.h"

/** Infinite of what is held, or has none. */
static double weight_of(const sb_contact_start *body) {
  const double weight = isinf(body->mass) ? 0 : body->mass * sb_vec3_norm(body->gravity);
  return weight > 0 ? weight : HUGE_VAL;
}

/** @param size  in and out: what it is known to the rounding of [m/s] */
static sb_vec3 velocity_at(const sb_contact_start *body, sb_vec3 place, double *size) {
  const sb_vec3 arm = sb_vec3_sub(place, body->pose.position);
  *size += sb_vec3_norm(body->velocity) + sb_vec3_norm(body->angular_velocity) * sb_vec3_norm(arm);
  return sb_vec3_add(body->velocity, sb_vec3_cross(body->angular_velocity, arm));
}

/** The speed at which the points approach [m/s]; 0 if it is rounding of those that it is the difference of, as of what passes by. */
static double speed_of_approach(const sb_contact_start start[2], const sb_closest *points) {
  static const double rounding = 1e-13;
  double size = 0;
  const sb_vec3 v1 = velocity_at(&start[0], points->p1, &size),
                v2 = velocity_at(&start[1], points->p2, &size);
  const double v = sb_vec3_dot(points->normal, sb_vec3_sub(v1, v2));
  return fabs(v) > rounding * size ? v : 0;
}

/** m v^2/2 of the approach [J]. */
static double approach(const sb_contact_start start[2], const sb_closest *points) {
  const sb_vec3 n = points->normal;
  const double m1 = start[0].mass, m2 = start[1].mass;
  const double m = isinf(m1) ? m2 : isinf(m2) ? m1 : m1 * m2 / (m1 + m2);
  const double v = speed_of_approach(start, points);
  const double g = sb_vec3_dot(n, sb_vec3_sub(start[0].gravity, start[1].gravity));
  const double square = (v > 0 || g > 0 ? v * v : 0) + 2 * fmax(g, 0) * fmax(points->gap, 0);
  return isfinite(m) ? 0.5 * m * square : 0;
}

/** The force of the spring where it holds E [J]. */
static double force_at(const sb_contact_law *law, double k, double E) {
  static const double least = 1e-30, most = 1e9; // [m]
  double low = least, high = least, force = 0;
  while (high < most && sb_contact_law_energy(law, k, high, NULL, &force) < E) {
    low = high;
    high *= 2;
  }
  for (int i = 0; i < 60; i++) {
    const double z = 0.5 * (low + high);
    *(sb_contact_law_energy(law, k, z, NULL, &force) < E ? &low : &high) = z;
  }
  return force;
}

/** A pair where the run begins. */
typedef struct pair {
  sb_contact_data data;
  sb_contact_skin skin;
  sb_closest points;
} pair;

/** @return whether it has closest points, and a spring */
static bool look(const sb_contact_spec *spec, const sb_contact_start start[2], pair *p) {
  sb_error unused;
  if (spec->law.normal->potential || start[0].unplaced || start[1].unplaced ||
      sb_contact_prepare(spec, &p->data, &unused) != SB_OK) {
    return false;
  }
  sb_closest_points(&spec->surface[0], &start[0].pose, &spec->surface[1], &start[1].pose, NULL,
                    &p->points);
  p->data.law.potential.energy = spec->law.potential.energy; // of a law by expression
  return p->points.status == SB_CLOSEST_OK &&
         sb_contact_skin_at(&p->data, &p->points, &start[0].pose, &start[1].pose, NULL, &p->skin,
                            NULL);
}

double sb_contact_expected_load(const sb_contact_spec *spec, const sb_contact_start start[2],
                                bool *impact) {
  const double weight = fmin(weight_of(&start[0]), weight_of(&start[1]));
  const double rests = isinf(weight) ? 0 : weight;
  pair p;
  *impact = false;
  if (!look(spec, start, &p)) {
    return rests;
  }
  const double E = approach(start, &p.points);
  const double most = E > 0 ? force_at(&p.data.law, p.skin.k_n, E) : 0;
  *impact = most > rests;
  return fmax(most, rests);
}

double sb_contact_stiffness_excess(const sb_contact_spec *spec, const sb_contact_start start[2],
                                   double *depth, double *stake) {
  const double weight = fmin(weight_of(&start[0]), weight_of(&start[1]));
  const double size = fmin(spec->surface[0].reach, spec->surface[1].reach);
  double force;
  pair p;
  if (spec->law.normal->rigid || !look(spec, start, &p)) {
    return 0;
  }
  *depth = DBL_EPSILON * fmax(size, p.points.gap);
  *stake = fmax(approach(start, &p.points), isinf(weight) ? 0 : weight * fmax(size, p.points.gap));
  return *stake > 0 ? sb_contact_law_energy(&p.data.law, p.skin.k_n, *depth, NULL, &force) / *stake
                    : 0;
}
