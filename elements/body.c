// SPDX-License-Identifier: GPL-3.0-or-later
// Rigid body on SE(3) as a port-Hamiltonian storage, and the ground.
//   state   x [m] world, p = m v [N s] world, q (unit quaternion), L = J w [N m s] body axes
//   energy  H = p.p/(2m) + w.J w/2 - m g.x,  w = J^-1 L; what is reported has -m g.o more
//   port    twist out, wrench in, both in world axes about the common point o that x and the pose count from, the
//           world's origin unless the scene is far from it (sb_place_hooks)
//   rates   xdot = p/m,  pdot = f + m g,  qdot = q o (0, w)/2 + |w| (1 - |q|^2) q/16 (sb_quat_rate),
//           Ldot = L x w + R^T (m0 - x x f)
// R(q) is homogeneous of degree zero, so the attracting term keeps |q| = 1 without touching the motion,
// as fast as the body turns, and nothing is renormalised unseen by the ledger.
#include <float.h>
#include <math.h>
#include <string.h>

#include "elements/elements.h"
#include "geometry/quat.h"
#include "geometry/screw.h"
#include "mechanism/inertia.h"

static const double least = DBL_MIN / DBL_EPSILON;

typedef struct body {
  double mass;
  sb_list inertia; // 3 or 6 numbers
  double gravity[3], position[3], rotation[4], velocity[3], angular_velocity[3];
  sb_mat3 J, J_inverse; // derived
  sb_vec3 origin;       // [m] o
} body;

enum { X = 0, P = 3, Q = 6, L = 10, STATES = 13 };

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
  body *s = self;
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

static sb_quat load_quat(const double x[]) {
  return (sb_quat){x[0], x[1], x[2], x[3]};
}

static void start(const void *self, double x[]) {
  const body *s = self;
  sb_mat3 R = sb_quat_rotation(load_quat(s->rotation));
  sb_vec3 w = sb_mat3_apply_transposed(R, sb_vec3_load(s->angular_velocity));
  sb_vec3_store(x + X, sb_vec3_sub(sb_vec3_load(s->position), s->origin));
  sb_vec3_store(x + P, sb_vec3_scale(sb_vec3_load(s->velocity), s->mass));
  memcpy(x + Q, s->rotation, sizeof s->rotation);
  sb_vec3_store(x + L, sb_mat3_apply(s->J, w));
}

/** In world axes. */
static sb_vec3 angular_velocity(const body *s, sb_mat3 rotation, const double x[]) {
  return sb_mat3_apply(rotation, sb_mat3_apply(s->J_inverse, sb_vec3_load(x + L)));
}

static int output(const void *self, const sb_at *at, double y[]) {
  const body *s = self;
  sb_pose *pose = (sb_pose *)(void *)at->own; // filled in where it stands: a copy would wait for it
  const sb_vec3 x = sb_vec3_load(at->x + X);
  const sb_mat3 R = sb_quat_rotation(load_quat(at->x + Q));
  const sb_vec3 w = angular_velocity(s, R, at->x);
  const sb_vec3 v = sb_vec3_scale(sb_vec3_load(at->x + P), 1 / s->mass);
  pose->rotation = R;
  pose->position = x;
  sb_vec3_store(y, w);
  sb_vec3_store(y + 3, sb_vec3_add(v, sb_vec3_cross(x, w)));
  return 0;
}

static int rate(const void *self, const sb_at *at, double xdot[]) {
  const body *s = self;
  const sb_pose *pose = (const sb_pose *)(const void *)at->own;
  sb_vec3 l = sb_vec3_load(at->x + L), w = sb_mat3_apply(s->J_inverse, l);
  sb_vec3 moment = sb_vec3_load(at->in), force = sb_vec3_load(at->in + 3);
  sb_vec3 about_centre = sb_vec3_sub(moment, sb_vec3_cross(pose->position, force));
  sb_vec3_store(xdot + X, sb_vec3_scale(sb_vec3_load(at->x + P), 1 / s->mass));
  sb_vec3_store(xdot + P, sb_vec3_axpy(force, s->mass, sb_vec3_load(s->gravity)));
  sb_quat q = load_quat(at->x + Q);
  sb_quat qdot = sb_quat_rate(q, w);
  xdot[Q] = qdot.w;
  xdot[Q + 1] = qdot.x;
  xdot[Q + 2] = qdot.y;
  xdot[Q + 3] = qdot.z;
  sb_vec3_store(xdot + L, sb_vec3_add(sb_vec3_cross(l, w),
                                      sb_mat3_apply_transposed(pose->rotation, about_centre)));
  return 0;
}

static double energy(const void *self, const sb_at *at) {
  const body *s = self;
  sb_vec3 p = sb_vec3_load(at->x + P);
  sb_vec3 w = sb_mat3_apply(s->J_inverse, sb_vec3_load(at->x + L));
  return sb_vec3_dot(p, p) / (2 * s->mass) + sb_vec3_dot(w, sb_mat3_apply(s->J, w)) / 2 -
         s->mass * sb_vec3_dot(sb_vec3_load(s->gravity), sb_vec3_load(at->x + X));
}

static double terms(const void *self, const sb_at *at) {
  const body *s = self;
  double potential = -s->mass * sb_vec3_dot(sb_vec3_load(s->gravity), sb_vec3_load(at->x + X));
  return energy(self, at) - potential + fabs(potential);
}

static double trace(const sb_mat3 *a) {
  return a->m[0][0] + a->m[1][1] + a->m[2][2];
}

static void raise(double size[], double to) {
  *size = fmax(*size, to);
}

/** Momenta by the energies of translation and of rotation, each for itself, the angular one by the harmonic mean of
 *  the moments of inertia, 3/tr J^-1; the place by the body's own radius of gyration, wherever it is; the attitude by a
 *  turn of one radian. No axes are special. */
static double nominal(const void *self, const sb_at *at, double floor, double size[]) {
  const body *s = self;
  sb_vec3 p = sb_vec3_load(at->x + P), l = sb_vec3_load(at->x + L);
  double moving = sb_vec3_dot(p, p) / (2 * s->mass),
         turning = sb_vec3_dot(l, sb_mat3_apply(s->J_inverse, l)) / 2;
  double mean = 3 / trace(&s->J_inverse);
  for (int i = 0; i < 3; i++) {
    raise(&size[X + i], sqrt(trace(&s->J) / (2 * s->mass)));
    raise(&size[P + i], sqrt(2 * s->mass * fmax(moving, floor)));
    raise(&size[L + i], sqrt(2 * mean * fmax(turning, floor)));
  }
  for (int i = 0; i < 4; i++) {
    raise(&size[Q + i], 1);
  }
  return moving + turning;
}

/** |a . (b - c)| */
static double work_of(sb_vec3 a, sb_vec3 b, sb_vec3 c) {
  return fabs(sb_vec3_dot(a, sb_vec3_sub(b, c)));
}

/** With dH/dp = v, dH/dL = w and dH/dx = -m g. */
static double exchanged(const void *self, const sb_at *at, const double x0[]) {
  const body *s = self;
  sb_vec3 p = sb_vec3_load(at->x + P), l = sb_vec3_load(at->x + L);
  return work_of(sb_vec3_scale(p, 1 / s->mass), p, sb_vec3_load(x0 + P)) +
         work_of(sb_mat3_apply(s->J_inverse, l), l, sb_vec3_load(x0 + L)) +
         s->mass * work_of(sb_vec3_load(s->gravity), sb_vec3_load(at->x + X), sb_vec3_load(x0 + X));
}

static double size_of(sb_quat q) {
  return sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
}

/** |a - b| relative to the size of the terms that they are computed from, if these are no denormals. */
static double apart(sb_vec3 a, sb_vec3 b, double terms) {
  double off = sb_vec3_norm(sb_vec3_sub(a, b));
  return off > least ? off / terms : 0;
}

/** What no energy tells: the pose moves with the twist, with w = 2 vec(q* qdot)/|q|^2, and the
 *  momentum p and, in world axes, R L change by the wrench and the weight alone. */
static double motion(const void *self, const sb_at *at, const double y[], const double xdot[]) {
  const body *s = self;
  sb_quat q = load_quat(at->x + Q), qdot = load_quat(xdot + Q);
  sb_quat turn = sb_quat_mul((sb_quat){q.w, -q.x, -q.y, -q.z}, qdot);
  sb_vec3 w = sb_vec3_scale((sb_vec3){turn.x, turn.y, turn.z}, 2 / (size_of(q) * size_of(q)));
  sb_mat3 R = sb_quat_rotation(q);
  sb_vec3 x = sb_vec3_load(at->x + X), v = sb_vec3_load(xdot + X), l = sb_vec3_load(at->x + L);
  sb_vec3 moment = sb_vec3_load(at->in), force = sb_vec3_load(at->in + 3);
  sb_vec3 weight = sb_vec3_scale(sb_vec3_load(s->gravity), s->mass), world = sb_mat3_apply(R, w);
  sb_vec3 lever = sb_vec3_cross(x, world), arm = sb_vec3_cross(x, force);
  sb_vec3 ldot = sb_vec3_load(xdot + L), carried = sb_vec3_cross(w, l);
  double spin = 2 * size_of(qdot) / size_of(q); // the rounding of w is a fraction of this, not of w
  double turning = apart(sb_vec3_load(y), world, spin);
  double moving =
      apart(sb_vec3_load(y + 3), sb_vec3_add(v, lever), sb_vec3_norm(v) + sb_vec3_norm(x) * spin);
  double pushed = apart(sb_vec3_load(xdot + P), sb_vec3_add(force, weight),
                        sb_vec3_norm(force) + sb_vec3_norm(weight));
  double twisted =
      apart(sb_mat3_apply(R, sb_vec3_add(ldot, carried)), sb_vec3_sub(moment, arm),
            sb_vec3_norm(moment) + sb_vec3_norm(x) * sb_vec3_norm(force) + spin * sb_vec3_norm(l));
  return fmax(fmax(turning, moving), fmax(pushed, twisted));
}

/** Of the twist (w, v + x x w) about the world's origin: with w = R J^-1 L it is wdot = R J^-1 Ldot, since
 *  R' J^-1 L = w x w = 0. */
static int acceleration(const void *self, const sb_at *at, double ydot[]) {
  const body *s = self;
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
  const body *s = self;
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
  const sb_quat q = sb_quat_mul(load_quat(x + Q), (sb_quat){1, turned.x, turned.y, turned.z});
  sb_vec3_store(x + X, sb_vec3_add(sb_vec3_load(x + X), sb_vec3_load(moved + P)));
  memcpy(x + Q, (double[4]){q.w, q.x, q.y, q.z}, 4 * sizeof *x);
}

static const sb_storage_acceleration accelerations = {
    .rate = acceleration, .impulse = impulse, .displace = displace};

enum { POSITION, ROTATION, VELOCITY, ANGULAR_VELOCITY, MOMENTUM, ANGULAR_MOMENTUM, SPIN, AXES };
static const sb_quantity_spec quantities[] = {
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
static sb_vec3 place_of(const body *s, const double x[]) {
  return sb_vec3_add(s->origin, sb_vec3_load(x + X));
}

static void measure(const void *self, const sb_at *at, int quantity, double out[]) {
  const body *s = self;
  sb_quat q = load_quat(at->x + Q);
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

static bool turn(const void *self, int quantity, const double pose[], double vector[]) {
  (void)self;
  const bool turns = quantity >= VELOCITY;
  if (turns && vector != NULL) {
    sb_pose_turn_back(pose, vector);
  }
  return turns;
}

/** Its own extent: twice the radius of gyration of the longest direction is about that of a solid. */
static double start_place(const void *self, double place[3]) {
  const body *s = self;
  memcpy(place, s->position, sizeof s->position);
  return sqrt(2 * trace(&s->J) / s->mass);
}

static void refer(void *self, const double origin[3]) {
  ((body *)self)->origin = sb_vec3_load(origin);
}

static double level(const void *self) {
  const body *s = self;
  return -s->mass * sb_vec3_dot(sb_vec3_load(s->gravity), s->origin);
}

static void state_in_world(const void *self, int first, double values[]) {
  const body *s = self;
  const double o[3] = {s->origin.x, s->origin.y, s->origin.z};
  values[0] += first < P ? o[first] : 0;
}

static void effort_in_world(const void *self, int first, double values[]) {
  (void)first;
  sb_wrench_store(values, sb_wrench_from(((const body *)self)->origin, sb_wrench_load(values)));
}

static void flow_in_world(const void *self, int first, double values[]) {
  (void)first;
  sb_twist_store(values, sb_twist_from(((const body *)self)->origin, sb_twist_load(values)));
}

static const sb_place_hooks place = {.start = start_place,
                                     .refer = refer,
                                     .level = level,
                                     .state = state_in_world,
                                     .effort = effort_in_world,
                                     .flow = flow_in_world};

static const sb_storage_hooks hooks = {
    .start = start,
    .output = output,
    .rate = rate,
    .energy = energy,
    .sizes = {.nominal = nominal},
    .constraints = {.acceleration = &accelerations},
    .audit = {.terms = terms, .exchanged = exchanged, .motion = motion}};
static const sb_param params[] = {
    {.name = "mass",
     .kind = SB_PARAM_REAL,
     .offset = offsetof(body, mass),
     .unit = "kg",
     .range = SB_POSITIVE,
     .help = "in a netlist by default that of its shapes and masses"},
    {.name = "inertia",
     .kind = SB_PARAM_LIST,
     .offset = offsetof(body, inertia),
     .unit = "kg.m^2",
     .help = "about the centre of mass in body axes: xx yy zz, or xx yy zz xy xz yz (matrix "
             "entries); in a netlist by default that of the uniform solid of the shape"},
    {.name = "gravity",
     .kind = SB_PARAM_VECTOR,
     .count = 3,
     .offset = offsetof(body, gravity),
     .unit = "m/s^2",
     .fallback = "0 0 0",
     .help = "acceleration of free fall"},
    {.name = "position",
     .kind = SB_PARAM_VECTOR,
     .count = 3,
     .offset = offsetof(body, position),
     .unit = "m",
     .fallback = "0 0 0",
     .help = "centre of mass at the start"},
    {.name = "rotation",
     .kind = SB_PARAM_VECTOR,
     .count = 4,
     .offset = offsetof(body, rotation),
     .fallback = "1 0 0 0",
     .help = "attitude at the start, in a netlist as \"6 deg about 0 1 0\""},
    {.name = "velocity",
     .kind = SB_PARAM_VECTOR,
     .count = 3,
     .offset = offsetof(body, velocity),
     .unit = "m/s",
     .fallback = "0 0 0",
     .help = "of the centre of mass at the start"},
    {.name = "angular-velocity",
     .kind = SB_PARAM_VECTOR,
     .count = 3,
     .offset = offsetof(body, angular_velocity),
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

const sb_element_type sb_kind_body = {
    .name = "body",
    .help = "rigid body in space",
    .role = SB_STORAGE,
    .size = sizeof(body),
    .params = params,
    .ports = ports,
    .signals = signals,
    .measures = {.quantities = quantities, .measure = measure, .turn = turn},
    .state_names = state_names,
    .state_units = state_units,
    .state_vectors = state_vectors,
    .init = init,
    .storage = &hooks,
    .place = &place,
    .example = "<body id=\"ball\" mass=\"0.2 kg\" position=\"0 0 1 m\"> "
               "<shape kind=\"sphere\" radius=\"5 cm\"/> </body>"};

/** The ground is a source of zero twist: whatever force it takes, it supplies no power. Its pose is that of the world, -o
 *  from the common point. */
typedef struct ground {
  sb_vec3 origin; // [m] o
} ground;

static int ground_value(const void *self, const sb_at *at, double y[]) {
  const ground *s = self;
  sb_pose pose = {sb_mat3_identity(), sb_vec3_sub((sb_vec3){0, 0, 0}, s->origin)}; // no -0
  memcpy(at->own, &pose, sizeof pose);
  memset(y, 0, 6 * sizeof *y);
  return 0;
}

/** So that storages may depend on each other through the ground. */
static int ground_rate(const void *self, const sb_at *at, double ydot[]) {
  (void)self, (void)at;
  memset(ydot, 0, 6 * sizeof *ydot);
  return 0;
}

static bool ground_is_steady(const void *self) {
  (void)self;
  return true;
}

static void ground_refer(void *self, const double origin[3]) {
  ((ground *)self)->origin = sb_vec3_load(origin);
}

static void ground_effort(const void *self, int first, double values[]) {
  (void)first;
  sb_wrench_store(values, sb_wrench_from(((const ground *)self)->origin, sb_wrench_load(values)));
}

/** Zero about every point. */
static void ground_flow(const void *self, int first, double values[]) {
  (void)self, (void)first, (void)values;
}

static const sb_place_hooks ground_place = {
    .refer = ground_refer, .effort = ground_effort, .flow = ground_flow};

static const sb_source_hooks ground_hooks = {
    .value = ground_value, .rate = ground_rate, .steady = ground_is_steady};

const sb_element_type sb_kind_ground = {
    .name = "ground",
    .help = "the fixed world",
    .role = SB_SOURCE,
    .size = sizeof(ground),
    .ports = ports,
    .signals = signals,
    .source = &ground_hooks,
    .place = &ground_place,
    .example = "<ground id=\"floor\"> <shape kind=\"plane\" normal=\"0 0 1\"/> </ground>"};
