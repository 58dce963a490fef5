// SPDX-License-Identifier: GPL-3.0-or-later
// A tree that counts from a point near by (sb_place_hooks): the joints that the world carries stand at their places less the point, and
// a body that floats has the coordinates of its centre of mass from there. All else is from link to link, and stays as it is.
#include <string.h>

#include "mechanism/mechanism_private.h"

static double start_place(const void *self, double place[3]) {
  const sb_linkage *l = sb_linkage_of(self);
  memcpy(place, l->middle, sizeof l->middle);
  return l->reach;
}

static void refer(void *self, const double origin[3]) {
  ((sb_linkage_data *)self)->origin = sb_vec3_load(origin);
}

/** -m g.o of all that can move. */
double sb_linkage_level(const sb_linkage *l, sb_vec3 origin) {
  return -sb_tree_mass(l->tree) * sb_vec3_dot(l->mechanism->gravity, origin);
}

static double level(const void *self) {
  return sb_linkage_level(sb_linkage_of(self), sb_linkage_origin(self));
}

/** Of a body that floats: its joint is none. */
static bool state_in_world(const void *self, int first, double values[]) {
  const sb_linkage *l = sb_linkage_of(self);
  double o[3];
  sb_vec3_store(o, sb_linkage_origin(self));
  for (int k = 0; k < l->body_count; k++) {
    const int axis = first - sb_tree_joint_of(l->tree, k).coordinate;
    if (l->bodies[k].joint < 0 && axis >= 0 && axis < 3) {
      if (values != NULL) {
        values[0] += o[axis];
      }
      return true;
    }
  }
  return false;
}

/** The other ports are those of joints, which know no place. */
static bool is_body_port(const void *self, int port) {
  const sb_linkage *l = sb_linkage_of(self);
  for (int k = 0; k < l->body_count; k++) {
    if (l->bodies[k].port == port) {
      return true;
    }
  }
  return false;
}

static void effort_in_world(const void *self, int port, double values[]) {
  (void)port;
  sb_wrench_store(values, sb_wrench_from(sb_linkage_origin(self), sb_wrench_load(values)));
}

static void flow_in_world(const void *self, int port, double values[]) {
  (void)port;
  sb_twist_store(values, sb_twist_from(sb_linkage_origin(self), sb_twist_load(values)));
}

const sb_place_hooks sb_linkage_place = {.start = start_place,
                                         .refer = refer,
                                         .level = level,
                                         .state = state_in_world,
                                         .placed = is_body_port,
                                         .effort = effort_in_world,
                                         .flow = flow_in_world};
