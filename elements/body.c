// SPDX-License-Identifier: GPL-3.0-or-later
// Rigid body on SE(3) as a port-Hamiltonian storage.
//   state   x [m] world, p = m v [N s] world, q (unit quaternion), L = J w [N m s] body axes
//   energy  H = p.p/(2m) + w.J w/2 - m g.x,  w = J^-1 L; what is reported has -m g.o more
//   port    twist out, wrench in, both in world axes about the common point o that x and the pose count from, the
//           world's origin unless the scene is far from it (sb_place_hooks)
//   rates   xdot = p/m,  pdot = f + m g,  qdot = q o (0, w)/2 + |w| (1 - |q|^2) q/16 (sb_quat_rate),
//           Ldot = L x w + R^T (m0 - x x f)
// R(q) is homogeneous of degree zero, so the attracting term keeps |q| = 1 without touching the motion,
// as fast as the body turns, and nothing is renormalised unseen by the ledger.
#include <math.h>
#include <string.h>

#include "core/base/wide.h"
#include "elements/body_private.h"
#include "elements/elements.h"
#include "geometry/quat.h"
#include "geometry/screw.h"
#include "mechanism/inertia.h"
#include "mechanism/momentum_size.h"

static sb_mat3 inertia_matrix(const sb_list *list) {
  const double *j = list->values;
  double xy = list->count == 6 ? j[3] : 0, xz = list->count == 6 ? j[4] : 0,
         yz = list->count == 6 ? j[5] : 0;
  return (sb_mat3){{{j[0], xy, xz}, {xy, j[1], yz}, {xz, yz, j[2]}}};
}

static double determinant(sb_mat3 a) {
  return a.m[0][0] * (a.m[1][1] * a.m[2][2] - a.m[1][2] * a.m[2][1]) -
         a.m[0][1] * (a.m[1][0] * a.m[2][2] - a.m[1][2] * a.m[2][0]) +
         a.m[0][2] * (a.m[1][0] * a.m[2][1] - a.m[1][1] * a.m[2][0]);
}

static sb_mat3 inverse_symmetric(sb_mat3 a) {
  double d = determinant(a);
  sb_mat3 b;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      int r = (i + 1) % 3, s = (i + 2) % 3, u = (j + 1) % 3, v = (j + 2) % 3;
      b.m[j][i] = (a.m[r][u] * a.m[s][v] - a.m[r][v] * a.m[s][u]) / d;
    }
  }
  return b;
}

/** Positive definite, as every direction must have a rate, and an inertia that a body can have. */
static sb_status check_inertia(sb_mat3 j, sb_error *err) {
  double minor = j.m[0][0] * j.m[1][1] - j.m[0][1] * j.m[0][1];
  if (!(j.m[0][0] > 0) || !(minor > 0) || !(determinant(j) > 0)) {
    return sb_fail_at(err, SB_ERR_RANGE, "inertia", "the inertia must be positive definite");
  }
  const sb_inertia whole = {.mass = 1, .second = j};
  sb_status status = sb_inertia_check(&whole, err);
  if (status != SB_OK && err != NULL) {
    err->param = "inertia";
  }
  return status;
}

static sb_status init(void *self, sb_layout *layout, sb_error *err) {
  sb_body *s = self;
  (void)layout;
  if (s->inertia.count != 3 && s->inertia.count != 6) {
    return sb_fail_at(err, SB_ERR_DIMENSION, "inertia",
                      "inertia takes 3 numbers (xx yy zz) or 6 (xx yy zz xy xz yz), got %d",
                      s->inertia.count);
  }
  s->J = inertia_matrix(&s->inertia);
  SB_TRY(check_inertia(s->J, err));
  s->J_inverse = inverse_symmetric(s->J);
  double norm = 0;
  for (int i = 0; i < 4; i++) {
    norm += s->rotation[i] * s->rotation[i];
  }
  if (!(norm > 0)) {
    return sb_fail_at(err, SB_ERR_RANGE, "rotation",
                      "the rotation must not be the zero quaternion");
  }
  for (int i = 0; i < 4; i++) {
    s->rotation[i] /= sqrt(norm);
  }
  return SB_OK;
}

static void start(const void *self, double x[]) {
  const sb_body *s = self;
  sb_mat3 R = sb_quat_rotation(sb_quat_load(s->rotation));
  sb_vec3 w = sb_mat3_apply_transposed(R, sb_vec3_load(s->angular_velocity));
  sb_vec3_store(x + X, sb_vec3_sub(sb_vec3_load(s->position), s->origin));
  sb_vec3_store(x + P, sb_vec3_scale(sb_vec3_load(s->velocity), s->mass));
  memcpy(x + Q, s->rotation, sizeof s->rotation);
  sb_vec3_store(x + L, sb_mat3_apply(s->J, w));
}

/** In world axes. */
static sb_vec3 angular_velocity(const sb_body *s, sb_mat3 rotation, const double x[]) {
  return sb_mat3_apply(rotation, sb_mat3_apply(s->J_inverse, sb_vec3_load(x + L)));
}

static int output(const void *self, const sb_at *at, double y[]) {
  const sb_body *s = self;
  sb_pose *pose = (sb_pose *)(void *)at->own; // filled in where it stands: a copy would wait for it
  const sb_vec3 x = sb_vec3_load(at->x + X);
  const sb_mat3 R = sb_quat_rotation(sb_quat_load(at->x + Q));
  const sb_vec3 w = angular_velocity(s, R, at->x);
  const sb_vec3 v = sb_vec3_scale(sb_vec3_load(at->x + P), 1 / s->mass);
  pose->rotation = R;
  pose->position = x;
  sb_vec3_store(y, w);
  sb_vec3_store(y + 3, sb_vec3_add(v, sb_vec3_cross(x, w)));
  return 0;
}

static int rate(const void *self, const sb_at *at, double xdot[]) {
  const sb_body *s = self;
  const sb_pose *pose = (const sb_pose *)(const void *)at->own;
  sb_vec3 l = sb_vec3_load(at->x + L), w = sb_mat3_apply(s->J_inverse, l);
  sb_vec3 moment = sb_vec3_load(at->in), force = sb_vec3_load(at->in + 3);
  sb_vec3 about_centre = sb_vec3_sub(moment, sb_vec3_cross(pose->position, force));
  sb_vec3_store(xdot + X, sb_vec3_scale(sb_vec3_load(at->x + P), 1 / s->mass));
  sb_vec3_store(xdot + P, sb_vec3_axpy(force, s->mass, sb_vec3_load(s->gravity)));
  sb_quat q = sb_quat_load(at->x + Q);
  sb_quat qdot = sb_quat_rate(q, w);
  xdot[Q] = qdot.w;
  xdot[Q + 1] = qdot.x;
  xdot[Q + 2] = qdot.y;
  xdot[Q + 3] = qdot.z;
  sb_vec3_store(xdot + L, sb_vec3_add(sb_vec3_cross(l, w),
                                      sb_mat3_apply_transposed(pose->rotation, about_centre)));
  return 0;
}

double sb_body_energy(const void *self, const sb_at *at) {
  const sb_body *s = self;
  sb_vec3 p = sb_vec3_load(at->x + P);
  sb_vec3 w = sb_mat3_apply(s->J_inverse, sb_vec3_load(at->x + L));
  return sb_vec3_dot(p, p) / (2 * s->mass) + sb_vec3_dot(w, sb_mat3_apply(s->J, w)) / 2 -
         s->mass * sb_vec3_dot(sb_vec3_load(s->gravity), sb_vec3_load(at->x + X));
}

static void raise(double size[], int count, double to) {
  for (int i = 0; i < count; i++) {
    size[i] = sb_larger(size[i], to);
  }
}

/** Momenta by the energies of translation, as far as it counts, and of rotation, each for itself, the angular one by the harmonic mean of
 *  the moments of inertia, 3/tr J^-1; the place by the body's own radius of gyration, wherever it is; the attitude by a
 *  turn of one radian. No axes are special. */
static double nominal(const void *self, const sb_at *at, double floor, double size[],
                      double kept[]) {
  const sb_body *s = self;
  sb_vec3 p = sb_vec3_load(at->x + P), l = sb_vec3_load(at->x + L);
  double moving = sb_vec3_dot(p, p) / (2 * s->mass),
         turning = sb_vec3_dot(l, sb_mat3_apply(s->J_inverse, l)) / 2;
  double mean = 3 / sb_mat3_trace(&s->J_inverse);
  double least = sqrt(2 * s->mass * floor);
  double counts = sb_larger(size[P], sb_vec3_norm(p));
  if (kept != NULL) {
    const sb_vec3 f = sb_vec3_axpy(sb_vec3_load(at->in + 3), s->mass, sb_vec3_load(s->gravity));
    counts = sb_momentum_size((sb_momentum_kept *)(void *)kept, p, f);
  }
  size[P] = size[P + 1] = size[P + 2] = sb_larger(counts, least);
  raise(size + X, 3, sqrt(sb_mat3_trace(&s->J) / (2 * s->mass)));
  raise(size + Q, 4, 1);
  raise(size + L, 3, sqrt(2 * mean * sb_larger(turning, floor)));
  return moving + turning;
}

/** Of the twist (w, v + x x w) about the world's origin: with w = R J^-1 L it is wdot = R J^-1 Ldot, since
 *  R' J^-1 L = w x w = 0. */
static int acceleration(const void *self, const sb_at *at, double ydot[]) {
  const sb_body *s = self;
  sb_pose pose;
  memcpy(&pose, at->own, sizeof pose);
  double xdot[STATES];
  int status = rate(self, at, xdot);
  sb_vec3 w = angular_velocity(s, pose.rotation, at->x);
  sb_vec3 turned =
      sb_mat3_apply(pose.rotation, sb_mat3_apply(s->J_inverse, sb_vec3_load(xdot + L)));
  sb_vec3 a = sb_vec3_scale(sb_vec3_load(xdot + P), 1 / s->mass);
  sb_vec3_store(ydot, turned);
  sb_vec3_store(ydot + 3, sb_vec3_add(sb_vec3_add(a, sb_vec3_cross(sb_vec3_load(xdot + X), w)),
                                      sb_vec3_cross(pose.position, turned)));
  return status;
}

/** By a wrench W of unit time: p moves by f, L by R^T (m - x x f). */
static int impulse(const void *self, const sb_at *at, const double w[], double dx[],
                   double gradient[], double dy[]) {
  const sb_body *s = self;
  sb_pose pose;
  memcpy(&pose, at->own, sizeof pose);
  sb_vec3 force = sb_vec3_load(w + 3), x = pose.position;
  sb_vec3 spin = sb_mat3_apply_transposed(pose.rotation,
                                          sb_vec3_sub(sb_vec3_load(w), sb_vec3_cross(x, force)));
  sb_vec3 turned = sb_mat3_apply(s->J_inverse, spin), moved = sb_vec3_scale(force, 1 / s->mass);
  if (dx != NULL) {
    memset(dx, 0, STATES * sizeof *dx);
    memset(gradient, 0, STATES * sizeof *gradient);
    sb_vec3_store(dx + P, force);
    sb_vec3_store(dx + L, spin);
    sb_vec3_store(gradient + P, moved);
    sb_vec3_store(gradient + L, turned);
  }
  turned = sb_mat3_apply(pose.rotation, turned);
  sb_vec3_store(dy, turned);
  sb_vec3_store(dy + 3, sb_vec3_add(moved, sb_vec3_cross(x, turned)));
  return 0;
}

/** By small displacements, so that the attitude turns by q o (1, w/2). */
static void displace(const void *self, const sb_at *at, const double moved[], double x[]) {
  (void)self, (void)at;
  const sb_vec3 turned = sb_vec3_scale(sb_vec3_load(moved + L), 0.5);
  const sb_quat q = sb_quat_mul(sb_quat_load(x + Q), (sb_quat){1, turned.x, turned.y, turned.z});
  sb_vec3_store(x + X, sb_vec3_add(sb_vec3_load(x + X), sb_vec3_load(moved + P)));
  memcpy(x + Q, (double[4]){q.w, q.x, q.y, q.z}, 4 * sizeof *x);
}

static const sb_storage_acceleration accelerations = {
    .rate = acceleration, .impulse = impulse, .displace = displace};

static const sb_storage_hooks hooks = {
    .start = start,
    .output = output,
    .rate = rate,
    .energy = sb_body_energy,
    .sizes = {.nominal = nominal},
    .constraints = {.acceleration = &accelerations},
    .audit = {.terms = sb_body_terms, .exchanged = sb_body_exchanged, .motion = sb_body_motion}};
static const sb_param params[] = {
    {.name = "mass",
     .kind = SB_PARAM_REAL,
     .offset = offsetof(sb_body, mass),
     .unit = "kg",
     .range = SB_POSITIVE,
     .help = "in a netlist by default that of its shapes and masses"},
    {.name = "inertia",
     .kind = SB_PARAM_LIST,
     .offset = offsetof(sb_body, inertia),
     .unit = "kg.m^2",
     .help = "about the centre of mass in body axes: xx yy zz, or xx yy zz xy xz yz (matrix "
             "entries); in a netlist by default that of the uniform solid of the shape"},
    {.name = "gravity",
     .kind = SB_PARAM_VECTOR,
     .count = 3,
     .offset = offsetof(sb_body, gravity),
     .unit = "m/s^2",
     .fallback = "0 0 0",
     .help = "acceleration of free fall"},
    {.name = "position",
     .kind = SB_PARAM_VECTOR,
     .count = 3,
     .offset = offsetof(sb_body, position),
     .unit = "m",
     .fallback = "0 0 0",
     .help =
         "of its frame's origin at the start, which is the centre of mass unless com or parts of "
         "the body tell otherwise"},
    {.name = "rotation",
     .kind = SB_PARAM_VECTOR,
     .count = 4,
     .offset = offsetof(sb_body, rotation),
     .fallback = "1 0 0 0",
     .help = "attitude at the start, in a netlist as \"6 deg about 0 1 0\""},
    {.name = "velocity",
     .kind = SB_PARAM_VECTOR,
     .count = 3,
     .offset = offsetof(sb_body, velocity),
     .unit = "m/s",
     .fallback = "0 0 0",
     .help = "of its frame's origin at the start, world axes"},
    {.name = "angular-velocity",
     .kind = SB_PARAM_VECTOR,
     .count = 3,
     .offset = offsetof(sb_body, angular_velocity),
     .unit = "rad/s",
     .fallback = "0 0 0",
     .help = "at the start, world axes"},
    {0}};
static const sb_port_spec ports[] = {
    {"p", .dim = 6, .domain = "screw", .output = SB_FLOW, .shared = true}, {0}};
static const sb_signal_spec signals[] = {{.name = "pose", .count = 12}, {0}};
static const char *const state_names[] = {"x.x", "x.y", "x.z", "p.x", "p.y", "p.z", "q.w",
                                          "q.x", "q.y", "q.z", "L.x", "L.y", "L.z", NULL};
static const int state_vectors[] = {3, 3, 4, 3, 0}; // x, p, q, L
static const char *const state_units[] = {"m",   "m",   "m",   "N.s",   "N.s",   "N.s",  "rad",
                                          "rad", "rad", "rad", "N.m.s", "N.m.s", "N.m.s"};

const sb_element_type sb_kind_body = {.name = "body",
                                      .help = "rigid body in space",
                                      .role = SB_STORAGE,
                                      .size = sizeof(sb_body),
                                      .params = params,
                                      .ports = ports,
                                      .signals = signals,
                                      .measures = {.quantities = sb_body_quantities,
                                                   .measure = sb_body_measure,
                                                   .turn = sb_body_turn,
                                                   .reads = sb_body_reads},
                                      .state_names = state_names,
                                      .state_units = state_units,
                                      .state_vectors = state_vectors,
                                      .init = init,
                                      .storage = &hooks,
                                      .place = &sb_body_place,
                                      .example =
                                          "<body id=\"ball\" mass=\"0.2 kg\" position=\"0 0 1 m\"> "
                                          "<shape kind=\"sphere\" radius=\"5 cm\"/> </body>"};
