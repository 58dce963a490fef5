// SPDX-License-Identifier: GPL-3.0-or-later
// The switching, modulated Dirac structure of a contact, Stramigioli and Duindam eqs (13)-(15):
//   T_store = T_dis = (1-s) A^T (T_2 - T_1),   W_1 = (1-s) A (W_store + W_dis),   W_2 = -W_1
// with s = 1 apart and 0 in contact, A = Ad_{H_0^c}^T P^T, P the projection of se(3) on se(2) x T.
// This causality holds in every mode (structure_modes.c), so that switching never turns it.
//
// A contact that slips has one port for its loads in place of the storage and the dissipation port, as these lie
// in series with the slip then: that is its form before the composition with (10)-(12).
#include <math.h>
#include <string.h>

#include "contact/structure_private.h"

void sb_contact_closest(const sb_contact_data *s, const sb_at *at, sb_closest *out) {
  const sb_vec3 warm = sb_vec3_load(at->discrete + LATCHED_NORMAL);
  sb_closest_points(&s->surface[0], pose_of(at, 0), &s->surface[1], pose_of(at, 1),
                    at->discrete[LATCHED_KNOWN] != 0 ? &warm : NULL, out);
  sb_seams_go_on(s, at, out);
}

const sb_closest *sb_contact_points(const sb_contact_data *s, const sb_at *at, sb_closest *out) {
  sb_contact_frame *frame = (sb_contact_frame *)(void *)at->own;
  if (frame->active != 0 || (at->point != 0 && frame->solved == (double)at->point)) {
    return &frame->points;
  }
  out = at->point != 0 ? &frame->points : out;
  frame->solved = (double)at->point;
  sb_contact_closest(s, at, out);
  return out;
}

sb_vec3 sb_contact_parting(const sb_at *at, const sb_vec3 place[2]) {
  const sb_twist T1 = sb_twist_load(at->in + BODY_1),
                 relative = sb_twist_sub(sb_twist_load(at->in + BODY_2), T1);
  return sb_vec3_add(sb_twist_at(relative, place[1]),
                     sb_vec3_cross(T1.angular, sb_vec3_sub(place[1], place[0])));
}

/** Zero for what is nothing but the rounding of numbers of a size: scaled rows of the audit would make it
 *  large. The moments of forces along a line through the origin are such. */
static sb_vec3 without_rounding(sb_vec3 v, double size) {
  const double least = 1e-15 * size;
  return (sb_vec3){fabs(v.x) > least ? v.x : 0, fabs(v.y) > least ? v.y : 0,
                   fabs(v.z) > least ? v.z : 0};
}

bool sb_contact_skin_here(const sb_contact_data *s, const sb_at *at, const sb_closest *points,
                          sb_contact_skin *skin, sb_wrench *hardening) {
  const double *latch = at->discrete + LATCHED_LATCH;
  return sb_contact_skin_at(s, points, pose_of(at, 0), pose_of(at, 1),
                            (const sb_contact_latch *)(const void *)latch, skin, hardening);
}

sb_vec3 sb_contact_point(const sb_closest *points, double alpha) {
  return sb_vec3_add(sb_vec3_scale(points->p1, 1 - alpha), sb_vec3_scale(points->p2, alpha));
}

/** Filled in where it stands: a copy would wait for it. */
static void store_column(sb_mat3 *out, int k, sb_vec3 v) {
  out->m[0][k] = v.x;
  out->m[1][k] = v.y;
  out->m[2][k] = v.z;
}

static double sum_of(sb_vec3 v) {
  return fabs(v.x) + fabs(v.y) + fabs(v.z);
}

/** The frame at c, where its skin and points are, and A. */
static void place_frame(const sb_contact_data *s, const sb_at *at, sb_contact_frame *frame) {
  sb_vec3 e1, e2, n = without_rounding(frame->points.normal, 1);
  sb_vec3 c = sb_contact_point(&frame->points, frame->skin.alpha);
  double arm = sb_vec3_norm(c);
  sb_tangent_basis(n, &e1, &e2);
  const sb_vec3 axes[] = {e1, e2, n};
  for (int k = 0; k < 3; k++) {
    store_column(&frame->pose.rotation, k, axes[k]);
    store_column(&frame->levers, k, without_rounding(sb_vec3_cross(c, axes[k]), arm));
  }
  frame->pose.position = c;
  frame->gap = frame->points.gap;
  frame->places = sum_of(frame->points.p1) + sum_of(frame->points.p2) +
                  sum_of(pose_of(at, 0)->position) + sum_of(pose_of(at, 1)->position);
  frame->reach = s->reach;
}

/** Of the tangential springs, Omega = n x ndot + ((w1 + w2).n / 2) n: the mean of both bodies about the normal.
 *  Springs without stiffness have none, unless a potential, bristles or springs that hold turning stand for them: what they are like does not matter, and
 *  shapes are not asked for. */
static sb_vec3 spin_of(const sb_contact_data *s, const sb_contact_frame *frame, sb_twist t1,
                       sb_twist t2) {
  if (!(s->skin.k_t > 0) && !s->law.normal->potential &&
      s->law.friction.kind != SB_FRICTION_BRISTLE && !sb_turning_holds(&s->law.turning)) {
    return (sb_vec3){0, 0, 0};
  }
  sb_vec3 n = frame->points.normal, ndot = sb_closest_turn(&frame->points, t1, t2);
  double about = 0.5 * sb_vec3_dot(sb_vec3_add(t1.angular, t2.angular), n);
  return sb_vec3_axpy(sb_vec3_cross(n, ndot), about, n);
}

static void store(double y[], sb_twist4 t) {
  y[SB_CONTACT_X] = t.x;
  y[SB_CONTACT_Y] = t.y;
  y[SB_CONTACT_Z] = t.z;
  y[SB_CONTACT_THETA] = t.theta;
}

/** Column c of A for a port by its dimension: the wrench in frame 0 of a unit of a load, of a moment in the contact
 *  frame, or of the stiffness. The kernel form is made of these, whatever the operators use. */
static void column(const sb_contact_frame *frame, int dim, int c, double out[6]) {
  sb_wrench4 unit = {c == SB_CONTACT_X, c == SB_CONTACT_Y, c == SB_CONTACT_Z,
                     c == SB_CONTACT_THETA};
  sb_wrench w = frame->hardening; // of any size: not compared with a lever
  if (dim == SB_TURNING_DIM) {
    const double(*R)[3] = frame->pose.rotation.m;
    w = (sb_wrench){{R[0][c], R[1][c], R[2][c]}, {0, 0, 0}};
  } else if (dim == SB_CONTACT_DIM) {
    w = sb_se2t_embed(frame->pose, unit);
    // a lever [m], or the normal itself
    double size = c == SB_CONTACT_THETA ? 1 : sb_vec3_norm(frame->pose.position);
    w.moment = without_rounding(w.moment, size);
  }
  sb_vec3_store(out, w.moment);
  sb_vec3_store(out + 3, w.force);
}

/** A^T (T_2 - T_1) */
static sb_twist4 project(const sb_contact_frame *frame, sb_twist relative) {
  const double(*R)[3] = frame->pose.rotation.m;
  sb_vec3 v = sb_mat3_apply_transposed(frame->pose.rotation, relative.linear);
  sb_vec3 carried = sb_mat3_apply_transposed(frame->levers, relative.angular);
  return (sb_twist4){v.x + carried.x, v.y + carried.y, v.z + carried.z,
                     sb_vec3_dot((sb_vec3){R[0][2], R[1][2], R[2][2]}, relative.angular)};
}

/** The surface by itself: the flow of its spring and of its damper, y zero so far. */
static void recover(const sb_contact_data *s, const sb_at *at, sb_contact_frame *frame,
                    double y[]) {
  const sb_contact_latch *latch = sb_contact_latched(at);
  double rate;
  frame->recovering = frame->clamped = 1;
  frame->gap = -sb_recovery_depth(&s->law, &latch->recovery, at->t, &rate);
  frame->skin = s->skin;
  frame->skin.k_n = latch->recovering;
  for (int k = 0; k < s->load_count; k += SB_CONTACT_DIM) {
    y[LOADS + k + SB_CONTACT_Z] = -rate;
  }
}

/** Whether the normal law would pull. At the instant at which a side passes through parallel, its points between those of its ends,
 *  the mode is that of the end before, and the load is another one. */
static bool pulls(const sb_contact_data *s, const sb_at *at, const sb_contact_frame *frame) {
  double pull = 0;
  if (sb_contact_flat(&frame->points) && sb_contact_watches_push(s)) {
    (void)sb_contact_normal_force(&s->law, &frame->skin, frame->gap, frame->twist.z, &pull);
    return pull < 0;
  }
  return at->mode == PULLING;
}

int sb_contact_forward(const void *self, const sb_at *at, double y[]) {
  const sb_contact_data *s = self;
  sb_contact_frame *frame = (sb_contact_frame *)(void *)at->own;
  const int loads = s->load_count, turns = s->turn_count;
  frame->active = frame->solved = 0;
  if (!touches(at->mode)) {
    *frame = (sb_contact_frame){0};
    memset(y + LOADS, 0, (size_t)(loads + turns + s->hardens) * sizeof *y);
    if (at->mode == RECOVERING) {
      recover(s, at, frame, y);
    }
    return 0;
  }
  sb_contact_closest(s, at, &frame->points);
  if (!(sb_contact_usable(&frame->points) || sb_rocking_passes(s, at, &frame->points)) ||
      sb_contact_leaps(at, &frame->points) ||
      !sb_contact_skin_here(s, at, &frame->points, &frame->skin, &frame->hardening)) {
    return -1;
  }
  const sb_twist t1 = sb_twist_load(sb_at_port(at, PORT_1, BODY_1)),
                 t2 = sb_twist_load(sb_at_port(at, PORT_2, BODY_2)),
                 relative = sb_twist_sub(t2, t1);
  place_frame(s, at, frame);
  frame->active = 1, frame->recovering = 0;
  frame->spin = spin_of(s, frame, t1, t2);
  sb_twist4 t = project(frame, relative);
  frame->twist = t;
  frame->pushing = !pulls(s, at, frame);
  frame->clamped = frame->pushing == 0 && s->law.clamp;
  for (int k = 0; k < loads; k += SB_CONTACT_DIM) {
    store(y + LOADS + k, t);
  }
  if (turns > 0) {
    sb_vec3_store(y + LOADS + loads,
                  sb_mat3_apply_transposed(frame->pose.rotation, relative.angular));
  }
  if (s->hardens) {
    y[sb_contact_stiffness_component(s)] = sb_power(frame->hardening, relative);
  }
  return 0;
}

static int adjoint(const void *self, const sb_at *at, double y[]) {
  const sb_contact_data *s = self;
  const sb_contact_frame *frame = (const sb_contact_frame *)(const void *)at->own;
  if (frame->active == 0) {
    memset(y, 0, LOADS * sizeof *y);
    return 0;
  }
  double load[SB_CONTACT_DIM];
  sb_contact_load(s, at, load);
  sb_vec3 f = {load[SB_CONTACT_X], load[SB_CONTACT_Y], load[SB_CONTACT_Z]};
  sb_vec3 n = {frame->pose.rotation.m[0][2], frame->pose.rotation.m[1][2],
               frame->pose.rotation.m[2][2]};
  sb_vec3 moment = sb_vec3_axpy(sb_mat3_apply(frame->levers, f), load[SB_CONTACT_THETA], n);
  sb_vec3 force = sb_mat3_apply(frame->pose.rotation, f);
  moment = sb_vec3_add(moment, sb_contact_turning_moment(s, at));
  if (s->hardens) {
    const double more = sb_contact_hardening_effort(s, at);
    moment = sb_vec3_axpy(moment, more, frame->hardening.moment);
    force = sb_vec3_axpy(force, more, frame->hardening.force);
  }
  sb_vec3_store(y + BODY_1, moment);
  sb_vec3_store(y + BODY_1 + 3, force);
  sb_vec3_store(y + BODY_2, sb_vec3_neg(moment)); // W_1 + W_2 = 0 to the last bit
  sb_vec3_store(y + BODY_2 + 3, sb_vec3_neg(force));
  return 0;
}

/** The normal components of the loads of a surface that recovers: one flow, and no effort together. */
static void recovering_rows(const sb_layout *layout, sb_kernel *rows) {
  const int first = LOADS + SB_CONTACT_Z, second = first + SB_CONTACT_DIM;
  const bool two =
      layout->port_count > PORT_LOADS + 1 && layout->ports[PORT_LOADS + 1].dim == SB_CONTACT_DIM;
  sb_kernel_add(rows, first, first, SB_EFFORT, 1);
  if (two) {
    sb_kernel_add(rows, first, second, SB_EFFORT, 1);
    sb_kernel_add(rows, second, first, SB_FLOW, 1);
    sb_kernel_add(rows, second, second, SB_FLOW, -1);
  }
}

static void kernel(const void *self, const sb_at *at, const sb_layout *layout, sb_kernel *rows) {
  (void)self;
  const sb_contact_frame *frame = (const sb_contact_frame *)(const void *)at->own;
  for (int i = 0; i < 12; i++) {
    sb_kernel_add(rows, i, i, SB_EFFORT, 1);
  }
  if (at->mode == RECOVERING) {
    recovering_rows(layout, rows);
  }
  int row = LOADS;
  for (int port = PORT_LOADS; port < layout->port_count; port++) {
    const int dim = layout->ports[port].dim;
    for (int c = 0; c < dim; c++, row++) {
      double a[6];
      if (at->mode == RECOVERING && dim == SB_CONTACT_DIM && c == SB_CONTACT_Z) {
        continue;
      }
      sb_kernel_add(rows, row, row, SB_FLOW, -1);
      column(frame, dim, c, a);
      for (int i = 0; i < 6; i++) {
        double in_contact = touches(at->mode) ? a[i] : 0;
        sb_kernel_add(rows, BODY_1 + i, row, SB_EFFORT, -in_contact);
        sb_kernel_add(rows, BODY_2 + i, row, SB_EFFORT, in_contact);
        sb_kernel_add(rows, row, BODY_1 + i, SB_FLOW, -in_contact);
        sb_kernel_add(rows, row, BODY_2 + i, SB_FLOW, in_contact);
      }
    }
  }
}

static const sb_structure_hooks structure = {
    .kernel = kernel,
    .explain = sb_contact_explain_yielding,
    .unbounded = sb_contact_explain_depth,
    .forward = sb_contact_forward,
    .adjoint = adjoint,
    .audit = {.displacement = sb_contact_displacement, .ahead = sb_contact_ahead}};
#define BODIES                                                                                     \
  {"body1", .dim = 6, .domain = "screw", .output = SB_EFFORT, .side = 'A'}, {                      \
    "body2", .dim = 6, .domain = "screw", .output = SB_EFFORT, .side = 'A'                         \
  }
#define LOAD(name_)                                                                                \
  { (name_), .dim = SB_CONTACT_DIM, .domain = "contact", .output = SB_FLOW, .side = 'B' }
#define STIFFNESS                                                                                  \
  {                                                                                                \
    SB_CONTACT_HARDENING, .dim = 1, .domain = "stiffness", .output = SB_FLOW, .side = 'B',         \
                          .optional = true                                                         \
  }
static const sb_param params[] = {SB_CONTACT_EXPRESSIONS(sb_contact_data, false, false), {0}};
static const sb_port_spec ports[] = {BODIES, LOAD("store"), LOAD("dis"), STIFFNESS, {0}};
static const sb_port_spec slipping_ports[] = {BODIES, LOAD("load"), STIFFNESS, {0}};
static const sb_port_spec rolling_ports[] = {
    BODIES,
    LOAD("load"),
    {"turning", .dim = SB_TURNING_DIM, .domain = "rotation", .output = SB_FLOW, .side = 'B'},
    STIFFNESS,
    {0}};
static const sb_signal_spec signals[] = {{.name = "frame", .count = SB_CONTACT_FRAME_COUNT},
                                         {.name = "pose1", .count = 12, .input = true},
                                         {.name = "pose2", .count = 12, .input = true},
                                         {0}};

const sb_element_type sb_kind_contact = {
    .name = "contact",
    .help = "spatial viscoelastic contact of two bodies: its Dirac structure",
    .role = SB_STRUCTURE,
    .size = sizeof(sb_contact_data),
    .params = params,
    .ports = ports,
    .signals = signals,
    .measures = {.quantities = sb_contact_quantities,
                 .measure = sb_contact_measure,
                 .of_parts = sb_contact_of_parts},
    .structure = &structure,
    .by_ports = true,
    .switching = &sb_contact_switching,
    .place = &sb_contact_place,
    .example = "<contact a=\"floor\" b=\"ball\" law=\"soft\"/>"};

const sb_element_type sb_kind_contact_slipping = {
    .name = "contact-slipping",
    .help = "Dirac structure of a contact that slips (made by contact)",
    .role = SB_STRUCTURE,
    .size = sizeof(sb_contact_data),
    .params = params,
    .ports = slipping_ports,
    .signals = signals,
    .measures = {.quantities = sb_contact_quantities,
                 .measure = sb_contact_measure,
                 .of_parts = sb_contact_of_parts},
    .structure = &structure,
    .by_ports = true,
    .switching = &sb_contact_switching,
    .place = &sb_contact_place};

const sb_element_type sb_kind_contact_rolling = {
    .name = "contact-rolling",
    .help = "Dirac structure of a contact that resists rolling or spinning (made by contact)",
    .role = SB_STRUCTURE,
    .size = sizeof(sb_contact_data),
    .params = params,
    .ports = rolling_ports,
    .signals = signals,
    .measures = {.quantities = sb_contact_quantities,
                 .measure = sb_contact_measure,
                 .of_parts = sb_contact_of_parts},
    .structure = &structure,
    .by_ports = true,
    .switching = &sb_contact_switching,
    .place = &sb_contact_place};
