// SPDX-License-Identifier: GPL-3.0-or-later
// What the joints of a tree carry at a state and under what stands at its ports: the constraint forces of the network, of
// stops, locks and rigid contacts, are among these, and those of closed loops follow from the accelerations.
#include <math.h>
#include <string.h>

#include "mechanism/closure_private.h"
#include "mechanism/mechanism_private.h"
#include "mechanism/reaction.h"

/** A joint's place in its child. */
static sb_vec3 place_of(const sb_linkage *l, const double scratch[], const sb_linkage_quantity *q) {
  if (q->part == SB_PART_JOINT) {
    return sb_tree_joint_pose(l->tree, scratch, q->number).position;
  }
  return closure_frames_of(l->closures, &l->closures->joint[q->number], scratch).child.position;
}

/** The wrenches of all joints, those that close loops last, into the scratch memory. NULL: the tree has no velocities */
static const sb_wrench *carry(const void *self, const sb_at *at) {
  const sb_linkage *l = sb_linkage_of(self);
  double *scratch = at->own + l->scratch.other, *v = sb_linkage_solve_beside(self, at);
  sb_wrench *outer = (sb_wrench *)(void *)(at->own + l->scratch.wrenches),
            *carried = (sb_wrench *)(void *)(at->own + l->scratch.carried);
  if (v == NULL) {
    return NULL;
  }
  double *lambda = at->own + l->scratch.lambda;
  const bool pushed = sb_linkage_take_ports(l, at, at->in);
  sb_linkage_accelerate(l, at, pushed, scratch, v + l->velocities, lambda);
  if (l->closures != NULL) {
    sb_closures_wrenches(l->closures, scratch, lambda, outer, carried + l->body_count);
  }
  sb_tree_reactions(l->tree, at->own + l->scratch.dv, outer, scratch,
                    (sb_twist *)(void *)(at->own + l->scratch.twists), carried);
  if (l->closures != NULL) {
    sb_closures_share(l->closures, scratch, v + l->velocities, carried);
  }
  return carried;
}

void sb_linkage_reaction(const void *self, const sb_at *at, const sb_linkage_quantity *q,
                         double out[3]) {
  const sb_linkage *l = sb_linkage_of(self);
  const sb_wrench *carried = carry(self, at);
  if (carried == NULL) {
    out[0] = out[1] = out[2] = NAN;
    return;
  }
  const sb_wrench w = carried[q->part == SB_PART_JOINT ? q->number : l->body_count + q->number];
  const sb_vec3 place = place_of(l, at->own + l->scratch.other, q);
  sb_vec3_store(out, q->row == SB_JOINT_FORCE
                         ? w.force
                         : sb_vec3_sub(w.moment, sb_vec3_cross(place, w.force)));
}

double sb_linkage_reaction_size(const void *self, const sb_at *at, const sb_linkage_quantity *q) {
  const sb_linkage *l = sb_linkage_of(self);
  const sb_wrench *carried = carry(self, at);
  double most = 0;
  for (int k = 0; carried != NULL && k < l->body_count + l->closing_count; k++) {
    most =
        fmax(most, sb_vec3_norm(q->row == SB_JOINT_FORCE ? carried[k].force : carried[k].moment));
  }
  return most;
}
