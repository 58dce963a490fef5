// SPDX-License-Identifier: GPL-3.0-or-later
// The line between two points of two bodies, as of a spring, a hydraulic cylinder or a tendon. With l = |p2 - p1|,
// n = (p2 - p1)/l and the velocities v1, v2 of the points:
//   f = dl/dt = n.(v2 - v1),   A = (p1 x n, n),   ndot = ((v2 - v1) - n f)/l
// The effort at its port is the tension.
#include <float.h>
#include <math.h>

#include "elements/between_private.h"
#include "elements/elements.h"

typedef struct line {
  sb_between between; // first
  double at[2][3];    // [m] the points, in the frames
} line;

static sb_vec3 point_of(const line *s, const sb_between_frames *f, int i) {
  return sb_pose_point(f->pose[i], sb_vec3_load(s->at[i]));
}

static bool columns(const void *self, const sb_between_frames *f, sb_wrench A[], sb_wrench Adot[],
                    double *q) {
  const line *s = self;
  const sb_vec3 p1 = point_of(s, f, 0), p2 = point_of(s, f, 1), d = sb_vec3_sub(p2, p1);
  const sb_vec3 v1 = sb_twist_at(f->twist[0], p1), v2 = sb_twist_at(f->twist[1], p2);
  const double length = sb_vec3_norm(d);
  const sb_vec3 n = sb_vec3_scale(d, 1 / length), v = sb_vec3_sub(v2, v1);
  const sb_vec3 ndot = sb_vec3_scale(sb_vec3_axpy(v, -sb_vec3_dot(n, v), n), 1 / length);
  *q = length;
  A[0] = (sb_wrench){sb_vec3_cross(p1, n), n};
  Adot[0] = (sb_wrench){sb_vec3_add(sb_vec3_cross(v1, n), sb_vec3_cross(p1, ndot)), ndot};
  return length > 0;
}

static sb_status init(void *self, sb_layout *layout, sb_error *err) {
  return sb_between_init(self, columns, layout, err);
}

static sb_status explain(const void *self, const sb_at *at, sb_error *err) {
  if (!isfinite(sb_between_displacement(self, at))) {
    (void)sb_fail(err, SB_ERR_RANGE, "its points meet: a line of length zero has no direction");
    sb_error_hint(err, "a <Bushing> holds points together that coincide");
    return SB_ERR_RANGE;
  }
  return SB_OK;
}

static bool displacement(const void *self, const sb_at *at, int which, sb_displacement *out) {
  const line *s = self;
  const double length = sb_between_displacement(self, at);
  double place = 0, speed = 0;
  for (int i = 0; i < 2; i++) {
    const sb_pose pose = *(const sb_pose *)(const void *)at->signals[i];
    const double *in = at->in + 1 + 6 * i;
    const sb_twist twist = {sb_vec3_load(in), sb_vec3_load(in + 3)};
    const sb_vec3 p = sb_pose_point(pose, sb_vec3_load(s->at[i]));
    place += sb_vec3_norm(pose.position) + sb_vec3_norm(p);
    speed += sb_vec3_norm(sb_twist_at(twist, p)) + sb_vec3_norm(twist.angular) * sb_vec3_norm(p);
  }
  *out = (sb_displacement){.component = SB_BETWEEN_P,
                           .time = speed > 0 ? length / speed : 0,
                           .terms = speed,
                           .rounding = 8 * DBL_EPSILON * place};
  return which == 0 && isfinite(length) && isfinite(speed);
}

static void measure(const void *self, const sb_at *at, int quantity, double out[]) {
  (void)quantity;
  out[0] = sb_between_displacement(self, at);
}

static const sb_structure_hooks hooks = {SB_BETWEEN_HOOKS, .explain = explain,
                                         .audit = {displacement, sb_between_ahead}};
#define POINT(name_, index_, help_)                                                                \
  {                                                                                                \
    .name = (name_), .kind = SB_PARAM_VECTOR, .count = 3,                                          \
    .offset = offsetof(line, at) + (index_) * sizeof(double[3]), .unit = "m", .fallback = "0 0 0", \
    .help = (help_)                                                                                \
  }
static const sb_param params[] = {POINT("from_at", 0, "its first point, in the frame of from"),
                                  POINT("to_at", 1, "its second point, in the frame of to"),
                                  {0}};
static const sb_port_spec ports[] = {SB_BETWEEN_PORTS(1, "translation")};
static const sb_signal_spec signals[] = {SB_BETWEEN_SIGNALS(1, "length")};
static const sb_quantity_spec quantities[] = {{"length", 1, "m", "at present"}, {0}};

const sb_element_type sb_kind_Line = {
    .name = "Line",
    .help = "line between two points of bodies: spring, damper, cylinder or tendon at its port",
    .role = SB_STRUCTURE,
    .size = sizeof(line),
    .params = params,
    .ports = ports,
    .signals = signals,
    .measures = {.quantities = quantities, .measure = measure},
    .init = init,
    .structure = &hooks,
    .place = &sb_between_place,
    .example = "<Line id=\"strut\" from=\"floor\" to=\"arm\" to-at=\"0.3 0 0 m\"/>"};
