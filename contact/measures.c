// SPDX-License-Identifier: GPL-3.0-or-later
// What can be read of a contact by its name. Wrenches are those on body 1: moment and force, the moment about
// the origin of the frame that they are in. Apart from each other bodies have closest points, a normal and axes,
// and wrenches that are zero.
#include <math.h>
#include <string.h>

#include "contact/hertz.h"
#include "contact/structure_private.h"

enum {
  GAP,
  NORMAL,
  POINT,
  NORMAL_FORCE,
  DEPTH_RATIO,
  PENETRATION,
  AXIS_X,
  AXIS_Y,
  TOUCHES,
  LOAD,
  WRENCH,
  WRENCH_1,
  WRENCH_2,
  SLIDING,
  ROLLING_1,
  ROLLING_2,
  CURVATURES,
  PATCH,
  PATCH_AXIS
};
const sb_quantity_spec sb_contact_quantities[] = {
    {"gap", 1, "m", "distance of the closest points, negative if compressed"},
    {"normal", 3, "", "outward of the first body at its closest point, world axes"},
    {"point", 3, "m", "where the two springs meet"},
    {"normal-force", 1, "N", "elastic and viscous, positive if it pushes; 0 apart"},
    {"depth-ratio", 1, "", "depth over the least sum of both radii of curvature, 0 if one is flat"},
    {"penetration", 1, "m", "depth; 0 apart"},
    {"axis-x", 3, "", "first tangential axis of the contact frame, world axes"},
    {"axis-y", 3, "", "second tangential axis of the contact frame, world axes"},
    {"touches", 1, "", "1 in contact, else 0"},
    {"load", 4, "N N N N.m",
     "tangential x and y, normal [N] and about the normal [N m], in the contact frame"},
    {"wrench", 6, "N.m N.m N.m N N N", "on body 1 [N m, N] about the world's origin, world axes"},
    {"wrench-1", 6, "N.m N.m N.m N N N", "on body 1 [N m, N] in its frame"},
    {"wrench-2", 6, "N.m N.m N.m N N N", "on body 2 [N m, N] in its frame"},
    {"sliding-velocity", 3, "m/s", "of body 2 over body 1 at the point, tangential, world axes"},
    {"rolling-velocity-1", 3, "m/s", "of the point of contact over body 1, world axes"},
    {"rolling-velocity-2", 3, "m/s", "of the point of contact over body 2, world axes"},
    {"relative-curvatures", 2, "1/m", "principal values of L1 + L2, the larger one first"},
    {"patch", 2, "m", "semi-axes of the patch of a Hertz contact, the longer one first; 0 apart"},
    {"patch-axis", 3, "", "along the longer one, world axes"},
    {0}};

const sb_part_quantity sb_contact_of_parts[] = {{"slip-distance", "slip", "distance"},
                                                {"slip-speed", "slip", "speed"},
                                                {"slip-spin", "slip", "spin"},
                                                {"sticks", "slip", "sticks"},
                                                {0}};

/** On body 1 by the loads, and by a stiffness that changes, eqs (13)-(15). */
static sb_wrench wrench_of(const sb_contact_data *s, const sb_at *at, const double load[]) {
  const sb_contact_frame *frame = (const sb_contact_frame *)(const void *)at->own;
  if (!touches(at->mode)) {
    return (sb_wrench){{0, 0, 0}, {0, 0, 0}};
  }
  sb_wrench4 sum = {load[SB_CONTACT_X], load[SB_CONTACT_Y], load[SB_CONTACT_Z],
                    load[SB_CONTACT_THETA]};
  sb_wrench w = sb_se2t_embed(frame->pose, sum);
  w.moment = sb_vec3_add(w.moment, sb_contact_turning_moment(s, at));
  return sb_wrench_add(w, sb_wrench_scale(frame->hardening, sb_contact_hardening_effort(s, at)));
}

static void refer(void *self, const double origin[3]) {
  ((sb_contact_data *)self)->origin = sb_vec3_load(origin);
}

static void extend(void *self, double extent) {
  ((sb_contact_data *)self)->extent = extent;
}

static bool is_body_port(const void *self, int port) {
  (void)self;
  return port < PORT_LOADS;
}

static void effort_in_world(const void *self, int port, double values[]) {
  const sb_contact_data *s = self;
  (void)port;
  sb_wrench_store(values, sb_wrench_from(s->origin, sb_wrench_load(values)));
}

static void flow_in_world(const void *self, int port, double values[]) {
  const sb_contact_data *s = self;
  (void)port;
  sb_twist_store(values, sb_twist_from(s->origin, sb_twist_load(values)));
}

const sb_place_hooks sb_contact_place = {.refer = refer,
                                         .extend = extend,
                                         .placed = is_body_port,
                                         .effort = effort_in_world,
                                         .flow = flow_in_world};

static void measure_points(const sb_contact_data *s, const sb_at *at, const sb_closest *points,
                           int quantity, double out[]) {
  sb_twist t1 = sb_twist_load(at->in + BODY_1), t2 = sb_twist_load(at->in + BODY_2);
  sb_twist relative = sb_twist_sub(t2, t1);
  sb_contact_skin skin;
  sb_vec3 n = points->normal, e1, e2;
  (void)sb_contact_skin_here(s, at, points, &skin, NULL);
  sb_tangent_basis(n, &e1, &e2);
  sb_vec3 v = sb_twist_at(relative, sb_contact_point(points, skin.alpha));
  switch (quantity) {
  case POINT:
    sb_vec3_store(out, sb_vec3_add(s->origin, sb_contact_point(points, skin.alpha)));
    break;
  case AXIS_X:
    sb_vec3_store(out, e1);
    break;
  case AXIS_Y:
    sb_vec3_store(out, e2);
    break;
  case SLIDING:
    sb_vec3_store(out, sb_vec3_axpy(v, -sb_vec3_dot(n, v), n));
    break;
  case ROLLING_1:
    sb_vec3_store(out, sb_closest_derivative(points, t1, t2).u1);
    break;
  default:
    sb_vec3_store(out, sb_closest_derivative(points, t1, t2).u2);
  }
}

static void measure_loads(const sb_contact_data *s, const sb_at *at, int quantity, double out[]) {
  double load[SB_CONTACT_DIM];
  if (!touches(at->mode)) {
    memset(load, 0, sizeof load);
  } else {
    sb_contact_load(s, at, load);
  }
  sb_wrench w = wrench_of(s, at, load);
  if (quantity == LOAD) {
    memcpy(out, load, sizeof load);
  } else if (quantity == NORMAL_FORCE) {
    out[0] = 0 - load[SB_CONTACT_Z]; // no -0
  } else if (quantity == WRENCH) {
    sb_wrench_store(out, sb_wrench_from(s->origin, w));
  } else if (quantity == WRENCH_1) {
    sb_wrench_store(out, sb_wrench_transform_dual(*pose_of(at, 0), w));
  } else {
    sb_wrench_store(out, sb_wrench_transform_dual(*pose_of(at, 1), sb_wrench_scale(w, -1)));
  }
}

/** Of the surfaces where they are closest, and of the patch by Hertz's law. */
static void measure_shape(const sb_contact_data *s, const sb_at *at, const sb_closest *points,
                          int quantity, double out[]) {
  const sb_mat3 L = sb_mat3_add(points->shape1, points->shape2);
  sb_hertz hertz;
  if (quantity == CURVATURES) {
    sb_hertz_curvatures(L, points->normal, out);
    return;
  }
  memset(out, 0, (quantity == PATCH ? 2 : 3) * sizeof *out);
  if (!touches(at->mode) || !s->law.hertz ||
      !sb_hertz_contact(L, points->normal, s->modulus, &hertz)) {
    return;
  }
  if (quantity == PATCH) {
    sb_hertz_patch(&hertz, fmax(-points->gap, 0), &out[0], &out[1]);
  } else {
    sb_vec3_store(out, hertz.long_axis);
  }
}

void sb_contact_measure(const void *self, const sb_at *at, int quantity, double out[]) {
  const sb_contact_data *s = self;
  sb_closest solved;
  const sb_closest *points = sb_contact_points(s, at, &solved);
  switch (quantity) {
  case GAP:
    out[0] = points->gap;
    break;
  case NORMAL:
    sb_vec3_store(out, points->normal);
    break;
  case DEPTH_RATIO:
    out[0] = points->depth_ratio;
    break;
  case PENETRATION:
    out[0] = fmax(-points->gap, 0);
    break;
  case TOUCHES:
    out[0] = touches(at->mode);
    break;
  case NORMAL_FORCE:
  case LOAD:
  case WRENCH:
  case WRENCH_1:
  case WRENCH_2:
    measure_loads(s, at, quantity, out);
    break;
  case CURVATURES:
  case PATCH:
  case PATCH_AXIS:
    measure_shape(s, at, points, quantity, out);
    break;
  default:
    measure_points(s, at, points, quantity, out);
  }
}
