// SPDX-License-Identifier: GPL-3.0-or-later
// What the accelerations of a tree are differences of: a joint that forces hold, or that loads of both sides leave at rest,
// has the difference of the accelerations of two bodies. And what the rates of its momenta are: the torques at its joints, and the
// reactions of its closed loops to them.
#include <math.h>

#include "mechanism/mechanism_private.h"

/** The largest of the squares of all velocities and of gravity, each over its length [1/s^2]. Accelerations that are forced do not
 *  count: they grow without bound towards a position that no motion passes, and with them what would be taken for rounding. */
static double fastest(const sb_linkage *l, const sb_at *at) {
  const double *v = at->own + l->scratch.v;
  double most = sb_vec3_norm(l->mechanism->gravity) / l->size;
  for (int k = 0; k < l->body_count; k++) {
    const sb_tree_joint joint = sb_tree_joint_of(l->tree, k);
    for (int i = 0; i < joint.velocities; i++) {
      const double length = l->length[joint.coordinate + i], rate = v[joint.velocity + i] / length;
      most = fmax(most, rate * rate);
    }
  }
  return most;
}

void sb_linkage_acceleration_terms(const void *self, const sb_at *at, double size[]) {
  const sb_linkage *l = ((const sb_linkage_data *)self)->linkage;
  const double most = fastest(l, at);
  const int *first = at->first;
  for (int k = 0; k < l->body_count; k++) {
    const sb_tree_joint joint = sb_tree_joint_of(l->tree, k);
    const int port = l->bodies[k].port;
    for (int i = 0; i < joint.velocities; i++) {
      const sb_linkage_velocity *own = &l->velocity[joint.velocity + i];
      const double length = most * l->length[joint.coordinate + i];
      if (own->port >= 0 && first[own->port + 1] > first[own->port]) {
        size[first[own->port] + own->component] = length;
      }
      if (own->single >= 0 && first[own->single + 1] > first[own->single]) {
        size[first[own->single]] = length;
      }
    }
    for (int i = first[port]; i < first[port + 1]; i++) {
      size[i] = most * (i < first[port] + 3 ? 1 : l->size);
    }
  }
}

void sb_linkage_rate_terms(const void *self, const sb_at *at, double size[]) {
  const sb_linkage *l = ((const sb_linkage_data *)self)->linkage;
  const double *reaction = at->own + l->scratch.efforts, *sum = at->own + l->scratch.tau;
  for (int i = 0; i < l->velocities && l->closures != NULL; i++) {
    size[l->coordinates + i] += fabs(sum[i] - reaction[i]);
  }
  if (l->closures != NULL) {
    sb_closures_effort_terms(l->closures, reaction, size + l->coordinates);
  }
}
