// SPDX-License-Identifier: GPL-3.0-or-later
// What a rigid body reports, in the world's axes, and about the world's origin where the states count from
// another point.
#include <math.h>
#include <string.h>

#include "elements/body_private.h"
#include "geometry/screw.h"

enum { POSITION, ROTATION, VELOCITY, ANGULAR_VELOCITY, MOMENTUM, ANGULAR_MOMENTUM, SPIN, AXES };
const sb_quantity_spec sb_body_quantities[] = {
    {"position", 3, "m", "of the centre of mass"},
    {"rotation", 4, "", "unit quaternion w x y z"},
    {"velocity", 3, "m/s", "of the centre of mass, world axes"},
    {"angular-velocity", 3, "rad/s", "world axes"},
    {"momentum", 3, "N.s", "world axes"},
    {"angular-momentum", 3, "N.m.s", "about the world's origin, world axes"},
    {"spin", 3, "N.m.s", "angular momentum about the centre of mass, world axes"},
    {"axis-x", 3, "", "of its frame, world axes"},
    {"axis-y", 3, "", "likewise"},
    {"axis-z", 3, "", "likewise"},
    {0}};

/** In the world. */
static sb_vec3 place_of(const sb_body *s, const double x[]) {
  return sb_vec3_add(s->origin, sb_vec3_load(x + X));
}

void sb_body_measure(const void *self, const sb_at *at, int quantity, double out[]) {
  const sb_body *s = self;
  sb_quat q = sb_quat_load(at->x + Q);
  sb_mat3 R = sb_quat_rotation(q);
  sb_vec3 x = place_of(s, at->x), p = sb_vec3_load(at->x + P), l = sb_vec3_load(at->x + L);
  sb_vec3 spin = sb_mat3_apply(R, l);
  double norm = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  switch (quantity) {
  case POSITION:
    sb_vec3_store(out, x);
    break;
  case ROTATION:
    out[0] = q.w / norm;
    sb_vec3_store(out + 1, sb_vec3_scale((sb_vec3){q.x, q.y, q.z}, 1 / norm));
    break;
  case VELOCITY:
    sb_vec3_store(out, sb_vec3_scale(p, 1 / s->mass));
    break;
  case ANGULAR_VELOCITY:
    sb_vec3_store(out, sb_mat3_apply(R, sb_mat3_apply(s->J_inverse, l)));
    break;
  case MOMENTUM:
    sb_vec3_store(out, p);
    break;
  case ANGULAR_MOMENTUM:
    sb_vec3_store(out, sb_vec3_add(sb_vec3_cross(x, p), spin));
    break;
  case SPIN:
    sb_vec3_store(out, spin);
    break;
  default:
    for (int i = 0; i < 3; i++) {
      out[i] = R.m[i][quantity - AXES];
    }
  }
}

bool sb_body_reads(const void *self, int quantity) {
  (void)self, (void)quantity;
  return false;
}

bool sb_body_turn(const void *self, int quantity, const double pose[], double vector[]) {
  (void)self;
  const bool turns = quantity >= VELOCITY;
  if (turns && vector != NULL) {
    sb_pose_turn_back(pose, vector);
  }
  return turns;
}

/** Its own extent: twice the radius of gyration of the longest direction is about that of a solid. */
static double start_place(const void *self, double place[3]) {
  const sb_body *s = self;
  memcpy(place, s->position, sizeof s->position);
  return fmin(SB_PLACE_EXTENT_MOST, sqrt(2 * sb_mat3_trace(&s->J) / s->mass));
}

static void refer(void *self, const double origin[3]) {
  ((sb_body *)self)->origin = sb_vec3_load(origin);
}

static double level(const void *self) {
  const sb_body *s = self;
  return -s->mass * sb_vec3_dot(sb_vec3_load(s->gravity), s->origin);
}

static bool state_in_world(const void *self, int first, double values[]) {
  double o[3];
  sb_vec3_store(o, ((const sb_body *)self)->origin);
  if (first < P && values != NULL) {
    values[0] += o[first];
  }
  return first < P;
}

static void effort_in_world(const void *self, int port, double values[]) {
  (void)port;
  sb_wrench_store(values, sb_wrench_from(((const sb_body *)self)->origin, sb_wrench_load(values)));
}

static void flow_in_world(const void *self, int port, double values[]) {
  (void)port;
  sb_twist_store(values, sb_twist_from(((const sb_body *)self)->origin, sb_twist_load(values)));
}

const sb_place_hooks sb_body_place = {.start = start_place,
                                      .refer = refer,
                                      .level = level,
                                      .state = state_in_world,
                                      .effort = effort_in_world,
                                      .flow = flow_in_world};
