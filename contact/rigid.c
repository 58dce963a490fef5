// SPDX-License-Identifier: GPL-3.0-or-later
// The structure of a rigid contact. With the frame E = (n, t1, t2) at c, w = w2 - w1 and v = (v2 - v1)(c):
//   y = E^T v,   W_2 = -W_1 = (c x E f, E f) with f = -(the efforts at the ports y)
// and its rate for the constraints, by the motion of the closest points (geometry/closest_derivative.c):
//   ydot = E^T (vdot + w x cdot) + Edot^T v,   cdot = v1(c) + u1,   Edot = Omega x E,   Omega = n x ndot.
// Where it matters, the velocity v is along n x ndot only for what spins about n: t1 and t2 are held where v = 0.
#include <float.h>
#include <math.h>
#include <string.h>

#include "contact/rigid.h"
#include "contact/structure_private.h"
#include "geometry/se3.h"

enum { NORMAL = LOADS, TANGENT = NORMAL + 1, SLIP = TANGENT + 2, COMPONENTS = SLIP + 2 };
enum { PORT_NORMAL = PORT_LOADS, PORT_TANGENT, PORT_SLIP };
/** What is latched: those of sb_contact_closest() first. */
enum {
  STATE_WARM = 0,
  STATE_RATE = 3,
  STATE_TIME,
  STATE_KNOWN,
  STATE_GAP,
  STATE_SPEED,
  STATE_ACCELERATION,
  STATE_BEHIND,  // [m] the gap that counts as zero is less by this
  STATE_FASTEST, // [m/s] impact so far
  STATE_IMPACT,  // [s] time of the last one
  STATE_LONGEST, // [s] between two
  STATE_FORCE,   // [N] the largest so far
  STATE_SLIDING, // [m/s] the fastest slip since it began
  STATE_SLIP,    // [-] a world vector: along the velocity of what slides
  STATE_COUNT = STATE_SLIP + 3
};

/** As those of a stop (elements/stop.c). */
static const double rest_fraction = 1e-6, rest_time = 1e-8, effort_band = 1e-12;
/** A gap is closed, or overlaps by rounding, below these fractions of the places of the bodies. */
static const double closed = 1e-10, rounding = 1e-14;
/** A gap is looked at again after it may have changed by this fraction. */
static const double nearby = 1e-6;
/** A slip slower than this fraction of the speeds that it is the difference of has the direction that it began with. */
static const double still = 1e-12;
static const double turn_max = 0.5; // [rad] as in structure.c

static const sb_rigid_frame *frame_of(const sb_at *at) {
  return (const sb_rigid_frame *)(const void *)at->own;
}

/** How far the bodies are from the origin, and how large [m]. */
static double extent_of(const sb_contact_data *s, const sb_at *at) {
  double place = 0;
  for (int i = 0; i < 2; i++) {
    double radius = sb_surface_bounding_radius(&s->surface[i]);
    place += sb_vec3_norm(pose_of(at, i)->position) + (isfinite(radius) ? radius : 0);
  }
  return place;
}

/** The size of the numbers that the gap is the difference of [m]. */
static double place_of(const sb_contact_data *s, const sb_at *at, const sb_closest *points) {
  return sb_vec3_norm(points->p1) + sb_vec3_norm(points->p2) + extent_of(s, at);
}

/** Whether the closest points tell a frame. Of what meets at rounding, a corner and a plane, they do so whatever the depth
 *  would mean for shapes that yield. */
static bool is_usable(const sb_contact_data *s, const sb_at *at, const sb_closest *points) {
  return sb_contact_usable(points) || (points->status == SB_CLOSEST_AMBIGUOUS &&
                                       points->gap > -closed * place_of(s, at, points));
}

static void place_frame(const sb_at *at, sb_rigid_frame *frame) {
  const sb_vec3 n = frame->points.normal, slip = sb_vec3_load(at->discrete + STATE_SLIP);
  frame->axes[0] = n;
  sb_tangent_basis(n, &frame->axes[1], &frame->axes[2]);
  frame->point = frame->points.p1;
  frame->gap = frame->points.gap;
  frame->active = 1;
  frame->slides = at->mode == SB_SLIDES;
  double a = sb_vec3_dot(slip, frame->axes[1]), b = sb_vec3_dot(slip, frame->axes[2]);
  double length = hypot(a, b);
  frame->slip[0] = length > 0 ? a / length : 1;
  frame->slip[1] = length > 0 ? b / length : 0;
}

static void give(const double flow[3], bool slips, double y[]) {
  memcpy(y + NORMAL, flow, 3 * sizeof *flow);
  if (slips) {
    memcpy(y + SLIP, flow + 1, 2 * sizeof *flow);
  }
}

static sb_twist relative_of(const sb_at *at) {
  return sb_twist_sub(sb_twist_load(sb_at_port(at, PORT_2, BODY_2)),
                      sb_twist_load(sb_at_port(at, PORT_1, BODY_1)));
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
  sb_contact_closest(s, at, &frame->points);
  if (!is_usable(s, at, &frame->points)) {
    return -1;
  }
  place_frame(at, frame);
  double flow[3];
  const sb_vec3 v = sb_twist_at(relative_of(at), frame->point);
  for (int k = 0; k < 3; k++) {
    flow[k] = sb_vec3_dot(frame->axes[k], v);
  }
  give(flow, s->law.slips, y);
  return 0;
}

static int forward_rate(const void *self, const sb_at *at, double ydot[]) {
  static const double none[3] = {0};
  const sb_contact_data *s = self;
  const sb_rigid_frame *frame = frame_of(at);
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
  const sb_vec3 moves = sb_vec3_add(sb_twist_at(t1, c), motion.u1);
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

/** The force on body 1 along the axes of the frame [N]. */
static void load_of(const sb_contact_data *s, const sb_at *at, double load[3]) {
  const double *tangent = sb_at_port(at, PORT_TANGENT, TANGENT);
  load[0] = *sb_at_port(at, PORT_NORMAL, NORMAL);
  for (int k = 0; k < 2; k++) {
    load[1 + k] = tangent[k] + (s->law.slips ? sb_at_port(at, PORT_SLIP, SLIP)[k] : 0);
  }
}

static int adjoint(const void *self, const sb_at *at, double y[]) {
  const sb_rigid_frame *frame = frame_of(at);
  double load[3];
  if (frame->active == 0) {
    memset(y, 0, LOADS * sizeof *y);
    return 0;
  }
  load_of(self, at, load);
  sb_vec3 force = {0, 0, 0};
  for (int k = 0; k < 3; k++) {
    force = sb_vec3_axpy(force, load[k], frame->axes[k]);
  }
  const sb_vec3 moment = sb_vec3_cross(frame->point, force);
  sb_vec3_store(y + BODY_1, moment);
  sb_vec3_store(y + BODY_1 + 3, force);
  sb_vec3_store(y + BODY_2, sb_vec3_neg(moment));
  sb_vec3_store(y + BODY_2 + 3, sb_vec3_neg(force));
  return 0;
}

static void kernel(const void *self, const sb_at *at, const sb_layout *layout, sb_kernel *rows) {
  const sb_contact_data *s = self;
  const sb_rigid_frame *frame = frame_of(at);
  (void)layout;
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
      sb_kernel_add(rows, BODY_1 + i, row, SB_EFFORT, -a[i]);
      sb_kernel_add(rows, BODY_2 + i, row, SB_EFFORT, a[i]);
      sb_kernel_add(rows, row, BODY_1 + i, SB_FLOW, -a[i]);
      sb_kernel_add(rows, row, BODY_2 + i, SB_FLOW, a[i]);
    }
  }
}

// ---- events

static int initial_mode(const void *self, const sb_at *at, double discrete[]) {
  (void)self, (void)at;
  memset(discrete, 0, STATE_COUNT * sizeof *discrete);
  discrete[STATE_IMPACT] = -HUGE_VAL;
  return SB_APART;
}

typedef struct distance {
  double gap, rate, speed; // [m] at least, [m/s], [m/s]
  sb_vec3 normal;
  bool known, exact;
} distance;

static distance distance_of(const sb_contact_data *s, const sb_at *at) {
  sb_vec3 place;
  distance d = {.known = true};
  if (at->mode != SB_APART || !sb_closest_far(&s->surface[0], pose_of(at, 0), &s->surface[1],
                                              pose_of(at, 1), &d.gap, &d.normal, &place)) {
    sb_closest points;
    sb_contact_closest(s, at, &points);
    d = (distance){.gap = points.gap, .normal = points.normal, .exact = true};
    d.known = is_usable(s, at, &points);
    place = points.p1;
  }
  const sb_vec3 v = sb_twist_at(
      sb_twist_sub(sb_twist_load(at->in + BODY_2), sb_twist_load(at->in + BODY_1)), place);
  d.rate = sb_vec3_dot(d.normal, v);
  d.speed = sb_vec3_norm(v);
  return d;
}

static double coefficient(const sb_contact_data *s) {
  return s->law.stuck ? HUGE_VAL : s->law.slips ? s->law.mu : 0;
}

/** What the velocity at a point is the difference of [m/s]. */
static double speeds_of(const sb_at *at, sb_vec3 point) {
  double sum = 0;
  for (int i = 0; i < 2; i++) {
    const sb_twist t =
        sb_twist_load(sb_at_port(at, i == 0 ? PORT_1 : PORT_2, i == 0 ? BODY_1 : BODY_2));
    sum += sb_vec3_norm(t.linear) + sb_vec3_norm(t.angular) * sb_vec3_norm(point);
  }
  return sum;
}

/** Apart: the gap. In contact: the normal force; while it slides by friction the speed along its slip so far, and where
 *  it sticks how much more friction there could be. */
static int indicators(const void *self, const sb_at *at, double g[], double gdot[]) {
  const sb_contact_data *s = self;
  if (at->mode == SB_APART) {
    const distance d = distance_of(s, at);
    g[0] = d.gap + at->discrete[STATE_BEHIND];
    gdot[0] = d.rate;
    return d.known ? 1 : -1;
  }
  double load[3], mu = coefficient(s);
  load_of(s, at, load);
  const double band = effort_band * fmax(fabs(load[0]), at->discrete[STATE_FORCE]);
  g[0] = -load[0] + band;
  gdot[0] = gdot[1] = NAN;
  if (mu == 0 || isinf(mu)) {
    return 1;
  }
  const sb_rigid_frame *frame = frame_of(at);
  const sb_vec3 v = sb_twist_at(relative_of(at), frame->point);
  g[1] = at->mode == SB_SLIDES ? sb_vec3_dot(sb_vec3_load(at->discrete + STATE_SLIP), v) +
                                     rounding * speeds_of(at, frame->point)
                               : mu * -load[0] - hypot(load[1], load[2]) + band;
  return 2;
}

static sb_vec3 slip_velocity(const sb_at *at) {
  const sb_rigid_frame *frame = frame_of(at);
  const sb_vec3 v = sb_twist_at(relative_of(at), frame->point), n = frame->axes[0];
  return sb_vec3_axpy(v, -sb_vec3_dot(n, v), n);
}

static void accept(const void *self, const sb_at *at, double discrete[]) {
  const distance d = distance_of(self, at);
  if (d.known) {
    const double elapsed = at->t - discrete[STATE_TIME];
    const bool same = discrete[STATE_KNOWN] == 1 + d.exact && elapsed > 0;
    discrete[STATE_ACCELERATION] =
        same ? fabs(d.rate - discrete[STATE_RATE]) / elapsed : discrete[STATE_ACCELERATION];
    sb_vec3_store(discrete + STATE_WARM, d.normal);
    discrete[STATE_RATE] = d.rate;
    discrete[STATE_TIME] = at->t;
    discrete[STATE_GAP] = d.gap;
    discrete[STATE_SPEED] = d.speed;
    discrete[STATE_KNOWN] = 1 + d.exact;
  }
  if (at->mode != SB_APART) {
    discrete[STATE_FORCE] = fmax(discrete[STATE_FORCE], fabs(at->in[NORMAL]));
  }
  if (at->mode == SB_SLIDES) {
    const sb_vec3 v = slip_velocity(at);
    const double speed = sb_vec3_norm(v);
    discrete[STATE_SLIDING] = fmax(discrete[STATE_SLIDING], speed);
    if (speed > 0 && sb_vec3_dot(v, sb_vec3_load(discrete + STATE_SLIP)) > 0) {
      sb_vec3_store(discrete + STATE_SLIP, sb_vec3_scale(v, 1 / speed));
    }
  }
}

/** As that of contact/structure.c. */
static double horizon(const void *self, const sb_at *at) {
  const sb_contact_data *s = self;
  const double *discrete = at->discrete;
  double turning =
      sb_vec3_norm(sb_vec3_load(at->in + BODY_1)) + sb_vec3_norm(sb_vec3_load(at->in + BODY_2));
  double size =
      fmin(sb_surface_bounding_radius(&s->surface[0]), sb_surface_bounding_radius(&s->surface[1]));
  double width = fmin(sb_surface_width(&s->surface[0]), sb_surface_width(&s->surface[1]));
  double speed = discrete[STATE_SPEED] + turning * (isfinite(size) ? size : 0);
  double reach = fmax(discrete[STATE_GAP], 0) + 0.5 * width + nearby * extent_of(s, at);
  double travel =
      2 * reach / (speed + sqrt(speed * speed + 2 * discrete[STATE_ACCELERATION] * reach));
  travel = at->mode == SB_APART ? travel : HUGE_VAL;
  return fmin(isfinite(travel) ? travel : HUGE_VAL, turning > 0 ? turn_max / turning : HUGE_VAL);
}

static void terms(const void *self, const sb_at *at, sb_unilateral_terms *out) {
  const sb_contact_data *s = self;
  sb_closest points;
  sb_contact_closest(s, at, &points);
  const double place = place_of(s, at, &points), mu = coefficient(s);
  const double gap = points.gap + at->discrete[STATE_BEHIND];
  *out = (sb_unilateral_terms){
      .touches = at->mode != SB_APART || gap <= closed * place,
      .overlap = fmax(-gap - closed * place, 0),
      .length = place,
      .speed = fmax(fmax(at->discrete[STATE_SPEED], at->discrete[STATE_SLIDING]),
                    1e-3 * at->discrete[STATE_FASTEST]),
      .rubs = mu > 0,
      .mu = mu,
      .impact = (sb_impact_law)s->law.impact,
      .in_turn = s->law.in_turn};
  if (out->touches) {
    sb_rigid_frame frame = {.points = points};
    place_frame(at, &frame);
    memcpy(out->slip, frame.slip, sizeof frame.slip);
  }
}

static double restitution(const void *self, const sb_at *at, double speed, double discrete[]) {
  const sb_contact_data *s = self;
  const double e = isnan(s->law.restitution) ? 0 : s->law.restitution;
  discrete[STATE_FASTEST] = fmax(discrete[STATE_FASTEST], speed);
  const double pause = at->t - discrete[STATE_IMPACT]; // not finite at the first impact
  const bool rests = e * speed <= rest_fraction * discrete[STATE_FASTEST] ||
                     (pause > 0 && pause < rest_time * discrete[STATE_LONGEST]);
  discrete[STATE_LONGEST] = isfinite(pause) ? fmax(discrete[STATE_LONGEST], pause) : 0;
  discrete[STATE_IMPACT] = at->t;
  return rests ? 0 : e;
}

static void enter(const void *self, const sb_at *at, int mode, const double slip[2],
                  double discrete[]) {
  sb_rigid_frame frame;
  sb_contact_closest(self, at, &frame.points);
  place_frame(at, &frame);
  const double place = place_of(self, at, &frame.points);
  sb_vec3_store(discrete + STATE_WARM, frame.points.normal);
  discrete[STATE_KNOWN] = 2;
  discrete[STATE_GAP] = frame.gap;
  discrete[STATE_BEHIND] = mode == SB_APART ? fmax(-frame.gap, 0) + rounding * place : 0;
  discrete[STATE_SLIDING] = mode == SB_SLIDES ? discrete[STATE_SLIDING] : 0;
  sb_vec3 along = sb_vec3_scale(frame.axes[1], slip[0]);
  sb_vec3_store(discrete + STATE_SLIP, sb_vec3_axpy(along, slip[1], frame.axes[2]));
}

/** A slip ends before it turns, so that friction never gives power. */
static bool before(const void *self, int mode) {
  (void)self;
  return mode == SB_SLIDES;
}

static bool idle(const void *self, int mode) {
  (void)self;
  return mode == SB_APART;
}

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

static void measure(const void *self, const sb_at *at, int quantity, double out[]) {
  double load[3] = {0};
  sb_rigid_frame frame;
  sb_contact_closest(self, at, &frame.points);
  place_frame(at, &frame);
  if (at->mode != SB_APART) {
    load_of(self, at, load);
  }
  const sb_vec3 v = sb_twist_at(relative_of(at), frame.point), n = frame.axes[0];
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
                                        : at->mode == SB_STICKS;
  }
}

static const sb_structure_hooks structure = {
    .kernel = kernel,
    .explain = sb_contact_explain,
    .forward = forward,
    .adjoint = adjoint,
    .rates = {.forward = forward_rate, .ahead = poses_ahead}};
static const sb_unilateral_hooks unilateral = {
    .component = NORMAL, .terms = terms, .restitution = restitution, .enter = enter};
static const sb_switching_hooks switching = {.discrete_states = STATE_COUNT,
                                             .before = before,
                                             .initial_mode = initial_mode,
                                             .idle = idle,
                                             .indicators = indicators,
                                             .horizon = horizon,
                                             .accept = accept,
                                             .unilateral = &unilateral};
static const sb_param params[] = {SB_CONTACT_EXPRESSIONS(sb_contact_data), {0}};
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
    .switching = &switching,
    .place = &sb_contact_place};

// ---- what holds

/** Apart e = 0; sliding gdot = 0 and no tangential effort; where it sticks f = 0. */
static void hold_kernel(const void *self, const sb_at *at, const sb_layout *layout,
                        sb_kernel *rows) {
  (void)self, (void)layout;
  for (int k = 0; k < 3; k++) {
    bool held = k == 0 ? at->mode != SB_APART : at->mode == SB_STICKS;
    sb_kernel_add(rows, k, k, held ? SB_FLOW : SB_EFFORT, 1);
  }
}

static const sb_structure_hooks hold_structure = {.kernel = hold_kernel};
static const sb_switching_hooks hold_switching = {.of_composite = true, .follows = true};
static const sb_port_spec hold_ports[] = {
    {"n", .dim = 1, .domain = "translation"}, {"t", .dim = 2, .domain = "translation"}, {0}};

const sb_element_type sb_kind_contact_hold = {
    .name = "contact-hold",
    .help = "constraints of a rigid contact (made by contact)",
    .role = SB_STRUCTURE,
    .size = 1,
    .ports = hold_ports,
    .structure = &hold_structure,
    .switching = &hold_switching};

// ---- Coulomb's friction

/** mu N against the slip; the effort acts on body 1, and so is along the velocity of body 2. */
static int rub(const void *self, const sb_at *at, sb_variable assigned, double y[]) {
  (void)assigned;
  const sb_contact_data *s = self;
  const sb_rigid_frame *frame = (const sb_rigid_frame *)(const void *)at->signals[0];
  const double force = frame->slides != 0 ? s->law.mu * -*at->signals[1] : 0;
  const double speed = hypot(at->in[0], at->in[1]);
  const double along = at->in[0] * frame->slip[0] + at->in[1] * frame->slip[1];
  const bool slow = !(along > still) && !(speed > still);
  y[0] = force * (slow ? frame->slip[0] : at->in[0] / speed);
  y[1] = force * (slow ? frame->slip[1] : at->in[1] / speed);
  return 0;
}

static const sb_dissipation_hooks rub_hooks = {.law = rub, .affine = true};
static const sb_port_spec rub_ports[] = {
    {"p", .dim = 2, .domain = "translation", .output = SB_EFFORT}, {0}};
static const sb_signal_spec rub_signals[] = {
    {.name = "frame", .count = SB_RIGID_FRAME_COUNT, .input = true},
    {.name = "normal", .count = 1, .input = true},
    {0}};

const sb_element_type sb_kind_contact_rub = {.name = "contact-rub",
                                             .help = "Coulomb's friction of a rigid contact "
                                                     "(made by contact)",
                                             .role = SB_DISSIPATION,
                                             .size = sizeof(sb_contact_data),
                                             .params = params,
                                             .ports = rub_ports,
                                             .signals = rub_signals,
                                             .dissipation = &rub_hooks};
