// SPDX-License-Identifier: GPL-3.0-or-later
// What the audit of a contact differences: the gap that the normal spring uses, and the stiffness k where that changes with
// the points of contact, after a time h by the twists of the ports. Their rates are the flows of the normal component,
// n . (v2 - v1), and of the stiffness, d ln k/dt = K . (T2 - T1), only if gap, normal and columns of A belong to each other.
// The stiffness is k(h)/k(0), known to eps in any unit; ln k is known to eps |ln k| only, 70 times that for 1e30 N/m. Of a
// ball that almost fills a tube the curvatures all but cancel, and k is known to what is lost of them.
// A motion of both bodies together changes neither: body 2 is moved by T2 - T1 about the point of contact.
#include <float.h>
#include <math.h>

#include "contact/structure_private.h"
#include "geometry/se3.h"

/** Which displacement. */
enum { GAP, STIFFNESS };

typedef struct twist_sizes {
  double angular, linear;
} twist_sizes;

/** Roundings in the evaluation of a gap, of k(h)/k(0), and of a flow. */
static const double roundings = 8 * DBL_EPSILON;

static double finite_or_zero(double value) {
  return isfinite(value) ? value : 0;
}

/** Over which the shape of the bodies is the same [m]; 0: unknown. It shrinks where the centre of relative
 *  curvature is near. */
static double extent(const sb_contact_data *s, const sb_closest *points) {
  double least = HUGE_VAL;
  for (int i = 0; i < 2; i++) {
    double size = fmin(sb_surface_width(&s->surface[i]), s->surface[i].reach);
    least = size > 0 ? fmin(least, size) : least;
  }
  return finite_or_zero(least) * fmax(0, 1 - points->depth_ratio);
}

static sb_twist relative_twist(const sb_at *at) {
  return sb_twist_sub(sb_twist_load(at->in + BODY_2), sb_twist_load(at->in + BODY_1));
}

/** How fast the closest points run over the surfaces [m/s]: from end to end of edges that turn past each other they
 *  do in microseconds. */
static double speed_of_points(const sb_at *at, const sb_closest *points) {
  const sb_closest_motion motion =
      sb_closest_derivative(points, sb_twist_load(at->in + BODY_1), sb_twist_load(at->in + BODY_2));
  return sb_vec3_norm(motion.u1) + sb_vec3_norm(motion.u2);
}

/** Of a surface that recovers by itself the gap is its own, by the time alone. */
static void describe_recovery(const sb_contact_data *s, const sb_at *at, sb_displacement *out) {
  double rate;
  const double depth = sb_recovery_depth(&s->law, &sb_contact_latched(at)->recovery, at->t, &rate);
  *out = (sb_displacement){.component = LOADS + SB_CONTACT_Z,
                           .time = rate != 0 ? depth / fabs(rate) : 0,
                           .terms = fabs(rate),
                           .rounding = roundings * (depth + fabs(at->t * rate))};
}

/** The sizes of the twists, of which the flows are sums. */
static twist_sizes sizes_of(const sb_at *at) {
  twist_sizes sum = {0, 0};
  for (int body = BODY_1; body <= BODY_2; body += BODY_2 - BODY_1) {
    const sb_twist twist = sb_twist_load(at->in + body);
    sum.angular += sb_vec3_norm(twist.angular);
    sum.linear += sb_vec3_norm(twist.linear);
  }
  return sum;
}

static void describe(const sb_contact_data *s, const sb_at *at, int which, sb_displacement *out) {
  sb_closest solved;
  const sb_closest *points = sb_contact_points(s, at, &solved);
  const sb_twist relative = relative_twist(at);
  const twist_sizes sizes = sizes_of(at);
  const double turning = sb_vec3_norm(relative.angular), size = extent(s, points);
  const double speed = sb_vec3_norm(sb_twist_at(relative, sb_contact_point(points, 0.5))) +
                       turning * size + speed_of_points(at, points);
  double place = sb_vec3_norm(points->p1) + sb_vec3_norm(points->p2);
  out->component = LOADS + SB_CONTACT_Z;
  out->terms = place * turning + sizes.linear;
  for (int i = 0; i < 2; i++) {
    place += sb_vec3_norm(pose_of(at, i)->position) +
             finite_or_zero(sb_surface_bounding_radius(&s->surface[i]));
  }
  out->time = speed > 0 ? size / speed : 0;
  out->rounding = roundings * place;
  if (which == STIFFNESS) {
    const sb_contact_frame *frame = (const sb_contact_frame *)(const void *)at->own;
    const double force = sb_vec3_norm(frame->hardening.force); // [1/m]
    out->component = sb_contact_stiffness_component(s);
    out->terms = force * sizes.linear + sb_vec3_norm(frame->hardening.moment) * sizes.angular;
    out->rounding = roundings * (1 + place * force + sb_contact_curvature_terms(s, points));
  }
}

bool sb_contact_displacement(const void *self, const sb_at *at, int which, sb_displacement *out) {
  const sb_contact_data *s = self;
  if (at->mode == RECOVERING && which == GAP) {
    describe_recovery(s, at, out);
  } else if (touches(at->mode) && which <= (s->hardens ? STIFFNESS : GAP)) {
    describe(s, at, which, out);
  } else {
    return false;
  }
  return isfinite(out->terms) && isfinite(out->rounding);
}

/** Body 2 after a time h. */
static sb_pose moved(const void *self, const sb_at *at, double h) {
  sb_closest solved;
  const sb_twist relative = relative_twist(at);
  const sb_vec3 p = sb_contact_points(self, at, &solved)->p1,
                v = sb_vec3_scale(sb_twist_at(relative, p), h);
  const sb_pose turn = sb_se3_exp((sb_twist){sb_vec3_scale(relative.angular, h), {0, 0, 0}});
  const sb_pose *body = pose_of(at, 1);
  const sb_vec3 lever = sb_mat3_apply(turn.rotation, sb_vec3_sub(body->position, p));
  return (sb_pose){sb_mat3_mul(turn.rotation, body->rotation),
                   sb_vec3_add(p, sb_vec3_add(lever, v))};
}

void sb_contact_ahead(const void *self, const sb_at *at, double h, double q[]) {
  sb_contact_frame frame = {0};
  double y[LOADS + 2 * SB_CONTACT_DIM + 1]; // as many with the resistance to turning
  const sb_pose body = touches(at->mode) ? moved(self, at, h) : *pose_of(at, 1);
  const double *signals[] = {at->signals[0], (const double *)(const void *)&body};
  sb_at later = *at;
  later.t += h;
  later.signals = signals;
  later.own = (double *)(void *)&frame;
  const bool known = sb_contact_forward(self, &later, y) == 0;
  const sb_contact_frame *now = (const sb_contact_frame *)(const void *)at->own;
  q[GAP] = known ? frame.gap : NAN;
  q[STIFFNESS] =
      known && ((const sb_contact_data *)self)->hardens ? frame.skin.k_n / now->skin.k_n : NAN;
}
