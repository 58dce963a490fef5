// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/scene.h"

#include "bench/common.h"
#include "geometry/closest.h"

static const sb_vec3 gravity = {0, 0, -9.81};
static const double damping_factor = 4; // [s/m]
static const double kappa = 1;          // [1/s] holds |q| at 1

enum { X = 0, P = 3, Q = 6, L = 10 };

/** A body at an instant, in world axes. */
typedef struct motion {
  sb_pose pose;
  sb_vec3 spin, velocity; // [rad/s], [m/s] of the centre
  sb_vec3 force, moment;  // [N], [N m] about the centre, from contacts
} motion;

static const motion at_rest = {.pose = {{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {0, 0, 0}}};

static void place(double x[], double height, sb_vec3 axis, double angle) {
  sb_quat q = sb_quat_from_axis_angle(axis, angle);
  double start[BODY_STATES] = {0, 0, height, 0, 0, 0, q.w, q.x, q.y, q.z, 0, 0, 0};
  for (int i = 0; i < BODY_STATES; i++) {
    x[i] = start[i];
  }
}

/** A uniform solid ellipsoid. */
static scene_body make_body(double mass, sb_vec3 a) {
  double xx = a.x * a.x, yy = a.y * a.y, zz = a.z * a.z, k = 5 / mass;
  return (scene_body){mass,
                      {k / (yy + zz), k / (xx + zz), k / (xx + yy)},
                      sb_surface_ellipsoid(a, sb_pose_identity())};
}

void scene_init(scene *s, double x[SCENE_STATES]) {
  const double degree = SB_PI / 180;
  // rubber 1500, 2000, 2 in series with the ground's 3000, 4000, 3, or with rubber
  const scene_contact on_floor = {.body1 = SCENE_FLOOR,
                                  .body2 = SCENE_GREY,
                                  .k_t = 1000,
                                  .k_n = 4000.0 / 3,
                                  .k_theta = 1.2,
                                  .share = 1.0 / 3};
  const scene_contact between = {.body1 = SCENE_GREY,
                                 .body2 = SCENE_BLACK,
                                 .k_t = 750,
                                 .k_n = 1000,
                                 .k_theta = 1,
                                 .share = 0.5};
  *s = (scene){.bodies = {make_body(1.0, (sb_vec3){0.15, 0.12, 0.08}),
                          make_body(0.8, (sb_vec3){0.24, 0.16, 0.14})},
               .contacts = {on_floor, on_floor, between},
               .floor = sb_surface_plane((sb_vec3){0, 0, 1}, 0)};
  s->contacts[1].body2 = SCENE_BLACK;
  place(x, 0.16, (sb_vec3){0, 1, 0}, 6 * degree);
  place(x + BODY_STATES, 0.45, (sb_vec3){0.2, 1, 0}, 30 * degree);
  for (int i = SCENE_BODIES * BODY_STATES; i < SCENE_STATES; i++) {
    x[i] = 0;
  }
}

static inline sb_quat load_quat(const double x[]) {
  return (sb_quat){x[Q], x[Q + 1], x[Q + 2], x[Q + 3]};
}

static inline sb_pose load_pose(const double x[]) {
  return (sb_pose){sb_quat_rotation(load_quat(x)), sb_vec3_load(x + X)};
}

/** The rates that no force enters; the others before forces. */
static inline motion free_flight(const scene_body *body, const double x[], double xdot[]) {
  motion m = {.pose = load_pose(x)};
  sb_quat q = load_quat(x);
  sb_vec3 l = sb_vec3_load(x + L), w = sb_vec3_times(body->inverse_inertia, l);
  sb_quat turn = sb_quat_mul(q, (sb_quat){0, 0.5 * w.x, 0.5 * w.y, 0.5 * w.z});
  double pull = kappa * (1 - (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z));
  m.spin = sb_mat3_apply(m.pose.rotation, w);
  m.velocity = sb_vec3_scale(sb_vec3_load(x + P), 1 / body->mass);
  sb_vec3_store(xdot + X, m.velocity);
  sb_vec3_store(xdot + P, sb_vec3_scale(gravity, body->mass));
  xdot[Q] = turn.w + pull * q.w;
  xdot[Q + 1] = turn.x + pull * q.x;
  xdot[Q + 2] = turn.y + pull * q.y;
  xdot[Q + 3] = turn.z + pull * q.z;
  sb_vec3_store(xdot + L, sb_vec3_cross(l, w));
  return m;
}

static inline void add_forces(const motion *m, double xdot[]) {
  sb_vec3 pdot = sb_vec3_load(xdot + P), ldot = sb_vec3_load(xdot + L);
  sb_vec3_store(xdot + P, sb_vec3_add(pdot, m->force));
  sb_vec3_store(xdot + L, sb_vec3_add(ldot, sb_mat3_apply_transposed(m->pose.rotation, m->moment)));
}

static const sb_surface *surface_of(const scene *s, int body) {
  return body == SCENE_FLOOR ? &s->floor : &s->bodies[body].surface;
}

static inline sb_twist twist_of(const motion *m) {
  return (sb_twist){m->spin, sb_vec3_add(m->velocity, sb_vec3_cross(m->pose.position, m->spin))};
}

static inline sb_vec3 velocity_at(const motion *m, sb_vec3 c) {
  return sb_vec3_add(m->velocity, sb_vec3_cross(m->spin, sb_vec3_sub(c, m->pose.position)));
}

static inline void push(motion *m, sb_vec3 c, sb_vec3 force, sb_vec3 moment) {
  sb_vec3 arm = sb_vec3_sub(c, m->pose.position);
  m->force = sb_vec3_add(m->force, force);
  m->moment = sb_vec3_add(m->moment, sb_vec3_add(moment, sb_vec3_cross(arm, force)));
}

/** How fast the tangential spring turns: with the normal, and about it as both bodies on average.
 *  The floor's normal stands still. */
static inline sb_vec3 spring_spin(const scene_contact *contact, const sb_closest *points,
                                  const motion *m1, const motion *m2) {
  sb_vec3 n = points->normal;
  sb_vec3 about = sb_vec3_scale(n, 0.5 * sb_vec3_dot(sb_vec3_add(m1->spin, m2->spin), n));
  if (contact->body1 == SCENE_FLOOR) {
    return about;
  }
  sb_closest_motion moving = sb_closest_derivative(points, twist_of(m1), twist_of(m2));
  return sb_vec3_add(about, sb_vec3_cross(n, moving.ndot));
}

/** Forces on both bodies and the rates of the spring. */
static bool touch(const scene *s, const scene_contact *contact, motion *m1, motion *m2,
                  const double spring[], double rate[]) {
  sb_closest points;
  sb_closest_points(surface_of(s, contact->body1), &m1->pose, surface_of(s, contact->body2),
                    &m2->pose, &contact->normal, &points);
  if (points.status > SB_CLOSEST_DEEP) {
    return false;
  }
  sb_vec3 n = points.normal, stretch = sb_vec3_load(spring);
  sb_vec3 c = sb_vec3_axpy(points.p1, contact->share, sb_vec3_sub(points.p2, points.p1));
  sb_vec3 v = sb_vec3_sub(velocity_at(m2, c), velocity_at(m1, c));
  double v_n = sb_vec3_dot(n, v), turning = sb_vec3_dot(n, sb_vec3_sub(m2->spin, m1->spin));
  double b = damping_factor * fabs(points.gap); // [s]
  sb_vec3 slide = sb_vec3_axpy(v, -v_n, n);
  sb_vec3 tangential = sb_vec3_axpy(stretch, -sb_vec3_dot(n, stretch), n);
  sb_vec3 force = sb_vec3_scale(sb_vec3_axpy(tangential, b, slide), contact->k_t);
  force = sb_vec3_axpy(force, contact->k_n * (points.gap + b * v_n), n);
  sb_vec3 moment = sb_vec3_scale(n, contact->k_theta * (spring[3] + b * turning));
  push(m1, c, force, moment);
  push(m2, c, sb_vec3_neg(force), sb_vec3_neg(moment));
  sb_vec3 spin = spring_spin(contact, &points, m1, m2);
  sb_vec3_store(rate, sb_vec3_add(sb_vec3_cross(spin, stretch), slide));
  rate[3] = turning;
  return true;
}

int scene_rhs(void *data, double t, const double x[], double xdot[]) {
  (void)t;
  scene *s = data;
  s->evaluations++;
  motion moving[1 + SCENE_BODIES] = {at_rest}, *of = moving + 1; // of[SCENE_FLOOR] takes forces too
  for (int i = 0; i < SCENE_BODIES; i++) {
    of[i] = free_flight(&s->bodies[i], x + i * BODY_STATES, xdot + i * BODY_STATES);
  }
  for (int i = 0; i < SCENE_CONTACTS; i++) {
    const scene_contact *contact = &s->contacts[i];
    int spring = SCENE_BODIES * BODY_STATES + i * SPRING_STATES;
    for (int k = 0; k < SPRING_STATES; k++) {
      xdot[spring + k] = 0;
    }
    if (contact->touching &&
        !touch(s, contact, &of[contact->body1], &of[contact->body2], x + spring, xdot + spring)) {
      return -1;
    }
  }
  for (int i = 0; i < SCENE_BODIES; i++) {
    add_forces(&of[i], xdot + i * BODY_STATES);
  }
  return 0;
}

bool scene_gaps(const scene *s, const double x[], double gaps[SCENE_CONTACTS],
                sb_vec3 normals[SCENE_CONTACTS]) {
  sb_pose poses[1 + SCENE_BODIES] = {at_rest.pose}, *of = poses + 1;
  for (int i = 0; i < SCENE_BODIES; i++) {
    of[i] = load_pose(x + i * BODY_STATES);
  }
  for (int i = 0; i < SCENE_CONTACTS; i++) {
    const scene_contact *contact = &s->contacts[i];
    sb_closest points;
    sb_closest_points(surface_of(s, contact->body1), &of[contact->body1],
                      surface_of(s, contact->body2), &of[contact->body2], &contact->normal,
                      &points);
    if (points.status > SB_CLOSEST_DEEP) {
      return false;
    }
    gaps[i] = points.gap;
    normals[i] = points.normal;
  }
  return true;
}
