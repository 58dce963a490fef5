// SPDX-License-Identifier: GPL-3.0-or-later
// The structure of a rigid contact. With the frame E = (n, t1, t2) at c, w = w2 - w1 and v = (v2 - v1)(c):
//   y = E^T v,   W_2 = -W_1 = (c x E f, E f) with f = -(the efforts at the ports y)
// and its rate for the constraints, by the motion of the closest points (geometry/closest_derivative.c):
//   ydot = E^T (vdot + w x cdot) + Edot^T v,   cdot = v1(c) + u1,   Edot = Omega x E,   Omega = n x ndot.
// Where it matters, the velocity v is along n x ndot only for what spins about n: t1 and t2 are held where v = 0.
#include <float.h>
#include <math.h>
#include <string.h>

#include "contact/rigid_private.h"
#include "geometry/se3.h"

/** Places are stated, and moved to the point that the scene counts from, to this fraction of them. */
static const double stated = 4 * DBL_EPSILON;

/** The size of the place of a body [m], as gaps are the difference of it. That to a plane is n . (c - x) with a point x of it, known to
 *  the rounding of where it was stated: how far along the plane this is is nothing to it. The world stands still, at 0; it has another place only where the scene counts from a point of
 *  its own. */
static double size_of_place(const sb_contact_data *s, const sb_surface *surface,
                            const sb_pose *pose) {
  const double radius = sb_surface_bounding_radius(surface);
  if (surface->type->half_space) {
    const sb_pose own = sb_pose_compose(*pose, surface->local);
    const sb_vec3 n = sb_mat3_apply(own.rotation, surface->normal);
    const sb_vec3 x = sb_vec3_add(sb_vec3_axpy(own.position, surface->offset, n), s->origin);
    return fabs(n.x * x.x) + fabs(n.y * x.y) + fabs(n.z * x.z);
  }
  const bool world = sb_vec3_norm(sb_vec3_add(pose->position, s->origin)) == 0;
  return (world ? 0 : sb_vec3_norm(pose->position)) + (isfinite(radius) ? radius : 0);
}

double sb_rigid_length(const sb_contact_data *s, const sb_at *at) {
  double length = s->extent, places = 0;
  for (int i = 0; i < 2; i++) {
    const double radius =
        fmin(sb_surface_bounding_radius(&s->surface[i]), s->surface[i].reach + s->extent);
    length += isfinite(radius) ? radius : 0;
  }
  for (int i = 0; i < 2 && length == 0; i++) { // a point without an inertia
    places += size_of_place(s, &s->surface[i], pose_of(at, i));
  }
  return length > 0 ? length : places;
}

/** The sum of the numbers that the gap is the difference of, from the point that the scene counts from [m]. From one near by the height
 *  of a plane is one number, whose rounding is the same all the time. */
static double sum_of_places(const sb_contact_data *s, const sb_at *at, const sb_closest *points) {
  const bool near = sb_vec3_norm(s->origin) > 0;
  double sum = sb_vec3_norm(points->p1) + sb_vec3_norm(points->p2);
  for (int i = 0; i < 2; i++) {
    const bool one = near && s->surface[i].type->half_space;
    sum += one ? 0 : size_of_place(s, &s->surface[i], pose_of(at, i));
  }
  return sum;
}

double sb_rigid_known(const sb_contact_data *s, const sb_at *at, const sb_closest *points) {
  return fmax(SB_RIGID_ROUNDING * sb_rigid_length(s, at),
              DBL_EPSILON * sum_of_places(s, at, points));
}

double sb_rigid_closed(const sb_contact_data *s, const sb_at *at, const sb_closest *points) {
  return fmax(SB_RIGID_CLOSED * sb_rigid_length(s, at),
              stated * (sb_vec3_norm(s->origin) + sum_of_places(s, at, points)));
}

/** Bodies may come to lie flat. What touches a hollow at two places at once can move neither way: that has another contact each. */
bool sb_rigid_usable(const sb_contact_data *s, const sb_at *at, const sb_closest *points) {
  const bool hollow =
      s->surface[0].type->narrowest != NULL || s->surface[1].type->narrowest != NULL;
  const double closed = sb_rigid_closed(s, at, points);
  return sb_contact_usable(points) ||
         (points->status == SB_CLOSEST_AMBIGUOUS && points->gap > (hollow ? closed : -closed));
}

/** The share of the way from p1 to p2. */
static double share(const sb_contact_data *s) {
  return s->surface[0].type->half_space ? 0 : s->surface[1].type->half_space ? 1 : 0.5;
}

sb_vec3 sb_rigid_point(const sb_contact_data *s, const sb_closest *points) {
  return sb_contact_point(points, share(s));
}

void sb_rigid_place_frame(const sb_contact_data *s, const sb_at *at, sb_rigid_frame *frame) {
  const sb_vec3 n = frame->points.normal, slip = sb_vec3_load(at->discrete + STATE_SLIP);
  frame->axes[0] = n;
  sb_tangent_basis(n, &frame->axes[1], &frame->axes[2]);
  frame->point = sb_rigid_point(s, &frame->points);
  frame->gap = frame->points.gap;
  frame->active = 1;
  frame->still = at->discrete[STATE_STILL];
  frame->drift = at->discrete[STATE_DRIFT];
  frame->begun = frame->drift != 0 ? at->discrete[STATE_BEGUN] : 0;
  frame->force = at->discrete[STATE_FORCE];
  frame->speeds = at->discrete[STATE_SPEEDS];
  frame->slides = at->mode == SB_SLIDES;
  double a = sb_vec3_dot(slip, frame->axes[1]), b = sb_vec3_dot(slip, frame->axes[2]);
  double length = hypot(a, b);
  frame->slip[0] = length > 0 ? a / length : at->mode == SB_SLIDES ? 0 : 1; // 0: it waits
  frame->slip[1] = length > 0 ? b / length : 0;
}

static void give(const double flow[3], bool slips, double y[]) {
  memcpy(y + NORMAL, flow, 3 * sizeof *flow);
  if (slips) {
    memcpy(y + SLIP, flow + 1, 2 * sizeof *flow);
  }
}

sb_twist sb_rigid_relative(const sb_at *at) {
  return sb_twist_sub(sb_twist_load(sb_at_port(at, PORT_2, BODY_2)),
                      sb_twist_load(sb_at_port(at, PORT_1, BODY_1)));
}

double sb_rigid_swiftness(const sb_contact_data *s, const sb_at *at, sb_vec3 point) {
  const double length = sb_rigid_length(s, at);
  double sum = 0;
  for (int i = 0; i < 2; i++) {
    const sb_twist t = sb_twist_load(at->in + (i == 0 ? BODY_1 : BODY_2));
    sum += sb_vec3_norm(sb_twist_at(t, point)) + sb_vec3_norm(t.angular) * length;
  }
  return sum;
}

double sb_rigid_speeds(const sb_at *at, sb_vec3 point) {
  double sum = 0;
  for (int i = 0; i < 2; i++) {
    const sb_twist t =
        sb_twist_load(sb_at_port(at, i == 0 ? PORT_1 : PORT_2, i == 0 ? BODY_1 : BODY_2));
    sum += sb_vec3_norm(t.linear) + sb_vec3_norm(t.angular) * sb_vec3_norm(point);
  }
  return sum;
}

/** The closest points, unless they are those of these poses already: the rows of constraints ask for each column of the structure anew. */
static void find_points(const sb_contact_data *s, const sb_at *at, sb_rigid_frame *frame) {
  const sb_pose poses[2] = {*pose_of(at, 0), *pose_of(at, 1)};
  double warm[6] = {at->discrete[LATCHED_KNOWN]};
  sb_vec3_store(warm + 1, sb_vec3_load(at->discrete + LATCHED_NORMAL));
  memcpy(warm + 4, at->discrete + LATCHED_PIECE, 2 * sizeof *warm);
  if (frame->active == 0 || memcmp(poses, frame->poses, sizeof poses) != 0 ||
      memcmp(warm, frame->warm, sizeof warm) != 0) {
    sb_contact_closest(s, at, &frame->points);
    memcpy(frame->poses, poses, sizeof poses);
    memcpy(frame->warm, warm, sizeof warm);
  }
}

static int forward(const void *self, const sb_at *at, double y[]) {
  static const double none[3] = {0};
  const sb_contact_data *s = self;
  sb_rigid_frame *frame = (sb_rigid_frame *)(void *)at->own;
  if (at->mode == SB_APART) {
    memset(frame, 0, sizeof *frame);
    give(none, s->law.slips, y);
    return 0;
  }
  find_points(s, at, frame);
  if (!sb_rigid_usable(s, at, &frame->points)) {
    return -1;
  }
  sb_rigid_place_frame(s, at, frame);
  double flow[3];
  const sb_vec3 v = sb_twist_at(sb_rigid_relative(at), frame->point);
  for (int k = 0; k < 3; k++) {
    flow[k] = sb_vec3_dot(frame->axes[k], v);
  }
  give(flow, s->law.slips, y);
  return 0;
}

static int forward_rate(const void *self, const sb_at *at, double ydot[]) {
  static const double none[3] = {0};
  const sb_contact_data *s = self;
  const sb_rigid_frame *frame = sb_rigid_frame_of(at);
  if (at->mode == SB_APART) {
    give(none, s->law.slips, ydot);
    return 0;
  }
  sb_twist t1 = sb_twist_load(at->in + BODY_1), t2 = sb_twist_load(at->in + BODY_2);
  sb_twist relative = sb_twist_sub(t2, t1);
  sb_twist change =
      sb_twist_sub(sb_twist_load(at->in_rate + BODY_2), sb_twist_load(at->in_rate + BODY_1));
  const sb_closest_motion motion = sb_closest_derivative(&frame->points, t1, t2);
  const sb_vec3 c = frame->point, v = sb_twist_at(relative, c);
  const sb_vec3 turn = sb_vec3_cross(frame->axes[0], motion.ndot);
  const sb_vec3 moves = sb_vec3_add(
      sb_vec3_scale(sb_vec3_add(sb_twist_at(t1, frame->points.p1), motion.u1), 1 - share(s)),
      sb_vec3_scale(sb_vec3_add(sb_twist_at(t2, frame->points.p2), motion.u2), share(s)));
  const sb_vec3 a = sb_vec3_add(sb_twist_at(change, c), sb_vec3_cross(relative.angular, moves));
  double flow[3];
  for (int k = 0; k < 3; k++) {
    flow[k] = sb_vec3_dot(frame->axes[k], a) + sb_vec3_dot(sb_vec3_cross(turn, frame->axes[k]), v);
  }
  give(flow, s->law.slips, ydot);
  return isfinite(flow[0] + flow[1] + flow[2]) ? 0 : -1;
}

/** The poses of both bodies as their twists take them. */
static void poses_ahead(const void *self, const sb_at *at, double h, double *const signals[]) {
  (void)self;
  for (int i = 0; i < 2; i++) {
    const sb_pose moved = sb_pose_compose(
        sb_se3_exp(sb_twist_scale(sb_twist_load(at->in + (i == 0 ? BODY_1 : BODY_2)), h)),
        *pose_of(at, i));
    memcpy(signals[i], &moved, sizeof moved);
  }
}

void sb_rigid_load(const sb_contact_data *s, const sb_at *at, double load[3]) {
  const double *tangent = sb_at_port(at, PORT_TANGENT, TANGENT);
  load[0] = *sb_at_port(at, PORT_NORMAL, NORMAL);
  for (int k = 0; k < 2; k++) {
    load[1 + k] = tangent[k] + (s->law.slips ? sb_at_port(at, PORT_SLIP, SLIP)[k] : 0);
  }
}

static int adjoint(const void *self, const sb_at *at, double y[]) {
  const sb_rigid_frame *frame = sb_rigid_frame_of(at);
  double load[3];
  if (frame->active == 0) {
    memset(y, 0, LOADS * sizeof *y);
    return 0;
  }
  sb_rigid_load(self, at, load);
  sb_vec3 force = {0, 0, 0}, moment = {0, 0, 0};
  for (int k = 0; k < 3;
       k++) { // as in kernel(): where c is along the axis, what is left of both is one rounding
    force = sb_vec3_axpy(force, load[k], frame->axes[k]);
    moment = sb_vec3_axpy(moment, load[k], sb_vec3_cross(frame->point, frame->axes[k]));
  }
  sb_vec3_store(y + BODY_1, moment);
  sb_vec3_store(y + BODY_1 + 3, force);
  sb_vec3_store(y + BODY_2, sb_vec3_neg(moment));
  sb_vec3_store(y + BODY_2 + 3, sb_vec3_neg(force));
  return 0;
}

static void kernel(const void *self, const sb_at *at, const sb_layout *layout, sb_kernel *rows) {
  const sb_contact_data *s = self;
  const sb_rigid_frame *frame = sb_rigid_frame_of(at);
  (void)layout;
  const double places = sb_vec3_norm(frame->point) + s->extent; // of a lever [m]
  for (int i = 0; i < LOADS; i++) {
    sb_kernel_add(rows, i, i, SB_EFFORT, 1);
  }
  for (int row = NORMAL; row < (s->law.slips ? COMPONENTS : SLIP); row++) {
    const sb_vec3 axis = frame->axes[row < SLIP ? row - NORMAL : row - SLIP + 1];
    double a[6];
    sb_kernel_add(rows, row, row, SB_FLOW, -1);
    sb_vec3_store(a, sb_vec3_cross(frame->point, axis));
    sb_vec3_store(a + 3, axis);
    for (int i = 0; i < 6 && at->mode != SB_APART; i++) {
      const double terms = i < 3 ? places : 1; // a direction is known to the rounding of its length
      sb_kernel_add_of(rows, BODY_1 + i, row, SB_EFFORT, -a[i], terms);
      sb_kernel_add_of(rows, BODY_2 + i, row, SB_EFFORT, a[i], terms);
      sb_kernel_add_of(rows, row, BODY_1 + i, SB_FLOW, -a[i], terms);
      sb_kernel_add_of(rows, row, BODY_2 + i, SB_FLOW, a[i], terms);
    }
  }
}

// ---- measures

enum { GAP, AXIS_N, POINT, NORMAL_FORCE, TOUCHES, STICKING, LOAD, SLIDING };
static const sb_quantity_spec quantities[] = {
    {"gap", 1, "m", "distance of the closest points"},
    {"normal", 3, "", "outward of the first body at its closest point, world axes"},
    {"point", 3, "m", "the closest point of the first body"},
    {"normal-force", 1, "N", "0 apart"},
    {"touches", 1, "", "1 in contact, else 0"},
    {"sticks", 1, "", "1 while it sticks, else 0"},
    {"force", 3, "N", "on the second body, world axes"},
    {"sliding-velocity", 3, "m/s", "of body 2 over body 1 at the point, tangential, world axes"},
    {0}};

/** What waits for a slip that is imposed sticks, too (rigid_hold.c). */
static bool sticks(const sb_at *at) {
  return at->mode == SB_STICKS ||
         (at->mode == SB_SLIDES && sb_vec3_norm(sb_vec3_load(at->discrete + STATE_SLIP)) == 0);
}

static void measure(const void *self, const sb_at *at, int quantity, double out[]) {
  double load[3] = {0};
  sb_rigid_frame frame;
  sb_contact_closest(self, at, &frame.points);
  sb_rigid_place_frame(self, at, &frame);
  if (at->mode != SB_APART) {
    sb_rigid_load(self, at, load);
  }
  const sb_vec3 v = sb_twist_at(sb_rigid_relative(at), frame.point), n = frame.axes[0];
  sb_vec3 force = {0, 0, 0};
  for (int k = 0; k < 3; k++) {
    force = sb_vec3_axpy(force, 0 - load[k], frame.axes[k]);
  }
  switch (quantity) {
  case AXIS_N:
    sb_vec3_store(out, n);
    break;
  case POINT:
    sb_vec3_store(out, sb_vec3_add(frame.point, ((const sb_contact_data *)self)->origin));
    break;
  case LOAD:
    sb_vec3_store(out, force);
    break;
  case SLIDING:
    sb_vec3_store(out, sb_vec3_axpy(v, -sb_vec3_dot(n, v), n));
    break;
  default:
    out[0] = quantity == GAP            ? frame.gap
             : quantity == NORMAL_FORCE ? 0 - load[0]
             : quantity == TOUCHES      ? at->mode != SB_APART
                                        : sticks(at);
  }
}
static const sb_structure_hooks structure = {
    .kernel = kernel,
    .explain = sb_rigid_explain,
    .unbounded = sb_rigid_unbounded,
    .forward = forward,
    .adjoint = adjoint,
    .rates = {.forward = forward_rate, .ahead = poses_ahead}};
static const sb_param params[] = {SB_CONTACT_EXPRESSIONS(sb_contact_data, false, false), {0}};
static const sb_port_spec ports[] = {
    {"body1", .dim = 6, .domain = "screw", .output = SB_EFFORT, .side = 'A'},
    {"body2", .dim = 6, .domain = "screw", .output = SB_EFFORT, .side = 'A'},
    {"normal", .dim = 1, .domain = "translation", .output = SB_FLOW, .side = 'B'},
    {"tangent", .dim = 2, .domain = "translation", .output = SB_FLOW, .side = 'B'},
    {"slip", .dim = 2, .domain = "translation", .output = SB_FLOW, .optional = true, .side = 'B'},
    {0}};
static const sb_signal_spec signals[] = {{.name = "frame", .count = SB_RIGID_FRAME_COUNT},
                                         {.name = "pose1", .count = 12, .input = true},
                                         {.name = "pose2", .count = 12, .input = true},
                                         {0}};

const sb_element_type sb_kind_contact_rigid = {
    .name = "contact-rigid",
    .help = "Dirac structure of a rigid contact (made by contact)",
    .role = SB_STRUCTURE,
    .size = sizeof(sb_contact_data),
    .params = params,
    .ports = ports,
    .signals = signals,
    .measures = {.quantities = quantities, .measure = measure},
    .structure = &structure,
    .by_ports = true,
    .switching = &sb_rigid_switching,
    .place = &sb_contact_place};
