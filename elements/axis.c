// SPDX-License-Identifier: GPL-3.0-or-later
// A component of the relative twist of two frames, by an axis a that is fixed in the first one:
//   Axis   about it  f = a.(w2 - w1),                    A = (a, 0)
//   Slide  along it  f = a.(velocity of the second frame's origin p in the first frame),  A = (p x a, a)
// The latter is the rate of the displacement a.(p - p1).
#include <float.h>
#include <math.h>

#include "elements/between_private.h"
#include "elements/elements.h"

typedef struct axis {
  sb_between between; // first
  double axis[3];     // in the first frame; of length 1 from init() on
} axis;

static sb_vec3 direction(const axis *s, const sb_between_frames *f) {
  return sb_mat3_apply(f->pose[0].rotation, sb_vec3_load(s->axis));
}

static bool about(const void *self, const sb_between_frames *f, sb_wrench A[], sb_wrench Adot[],
                  double *q) {
  const sb_vec3 a = direction(self, f), none = {0, 0, 0};
  *q = 0;
  A[0] = (sb_wrench){a, none};
  Adot[0] = (sb_wrench){sb_vec3_cross(f->twist[0].angular, a), none};
  return true;
}

static bool along(const void *self, const sb_between_frames *f, sb_wrench A[], sb_wrench Adot[],
                  double *q) {
  const sb_vec3 a = direction(self, f), adot = sb_vec3_cross(f->twist[0].angular, a);
  const sb_vec3 p = f->pose[1].position, v = sb_twist_at(f->twist[1], p);
  *q = sb_vec3_dot(a, sb_vec3_sub(p, f->pose[0].position));
  A[0] = (sb_wrench){sb_vec3_cross(p, a), a};
  Adot[0] = (sb_wrench){sb_vec3_add(sb_vec3_cross(v, a), sb_vec3_cross(p, adot)), adot};
  return true;
}

static sb_status init(axis *s, sb_between_columns *columns, const sb_layout *layout,
                      sb_error *err) {
  sb_vec3_store(s->axis, sb_vec3_direction(sb_vec3_load(s->axis)));
  return sb_between_init(&s->between, columns, layout, err);
}

static sb_status init_about(void *self, sb_layout *layout, sb_error *err) {
  return init(self, about, layout, err);
}

static sb_status init_along(void *self, sb_layout *layout, sb_error *err) {
  return init(self, along, layout, err);
}

static bool displacement(const void *self, const sb_at *at, int which, sb_displacement *out) {
  double place = 0, speed = 0, turning = 0;
  for (int i = 0; i < 2; i++) {
    const sb_pose *pose = (const sb_pose *)(const void *)at->signals[i];
    const double *in = at->in + 1 + 6 * i;
    place += sb_vec3_norm(pose->position);
    turning += sb_vec3_norm(sb_vec3_load(in));
    speed += sb_vec3_norm(sb_vec3_load(in + 3)) + sb_vec3_norm(sb_vec3_load(in)) * place;
  }
  *out = (sb_displacement){.component = SB_BETWEEN_P,
                           .time = turning > 0 ? 1 / turning
                                   : speed > 0 ? place / speed
                                               : 0,
                           .terms = speed,
                           .rounding = 8 * DBL_EPSILON * place};
  return which == 0 && isfinite(speed) && isfinite(sb_between_displacement(self, at));
}

static void measure(const void *self, const sb_at *at, int quantity, double out[]) {
  (void)quantity;
  out[0] = sb_between_displacement(self, at);
}

static const sb_structure_hooks hooks_about = {SB_BETWEEN_HOOKS};
static const sb_structure_hooks hooks_along = {SB_BETWEEN_HOOKS,
                                               .audit = {displacement, sb_between_ahead}};
static const sb_param params[] = {{.name = "axis",
                                   .kind = SB_PARAM_VECTOR,
                                   .count = 3,
                                   .offset = offsetof(axis, axis),
                                   .range = SB_DIRECTION,
                                   .fallback = "0 0 1",
                                   .help = "a direction in the frame of from, of any length"},
                                  {0}};
static const sb_port_spec ports_about[] = {SB_BETWEEN_PORTS(1, "rotation")};
static const sb_port_spec ports_along[] = {SB_BETWEEN_PORTS(1, "translation")};
static const sb_signal_spec signals_about[] = {SB_BETWEEN_SIGNALS(1, "none")};
static const sb_signal_spec signals_along[] = {SB_BETWEEN_SIGNALS(1, "displacement")};
static const sb_quantity_spec quantities_along[] = {
    {"displacement", 1, "m", "of the origin of `to` along the axis, from that of `from`"}, {0}};

const sb_element_type sb_kind_Axis = {
    .name = "Axis",
    .help = "turning of one frame against another about an axis of the first: motor, shaft, brake",
    .role = SB_STRUCTURE,
    .size = sizeof(axis),
    .params = params,
    .ports = ports_about,
    .signals = signals_about,
    .init = init_about,
    .structure = &hooks_about,
    .place = &sb_between_place,
    .example = "<Axis id=\"rotor\" from=\"housing\" to=\"wheel\" axis=\"0 1 0\"/>"};
const sb_element_type sb_kind_Slide = {
    .name = "Slide",
    .help = "motion of one frame's origin against another along an axis of the first",
    .role = SB_STRUCTURE,
    .size = sizeof(axis),
    .params = params,
    .ports = ports_along,
    .signals = signals_along,
    .measures = {.quantities = quantities_along, .measure = measure},
    .init = init_along,
    .structure = &hooks_along,
    .place = &sb_between_place,
    .example = "<Slide id=\"table\" from=\"bed\" to=\"carriage\" axis=\"1 0 0\"/>"};
