// SPDX-License-Identifier: GPL-3.0-or-later
// Inwards the first moment F and the momentum P of what each link moves, outwards V and its rate: along the axis a of a
// joint that shifts V = V' + a (p/m - a.V'), with V' of what carries it. With the velocity v of a link's origin
//   Fdot = P - m v,   d/dt S^T X = S^T (Xdot - w x X),  of both parts of X = (F x V, m V),
// as the joint's directions turn with the link, by w.
#include "mechanism/boost.h"

#include "mechanism/recursion_private.h"

static const sb_vec3 none = {0, 0, 0};

bool sb_tree_drifts(const sb_tree *tree) {
  bool shifts = tree->links > 0, turns = false;
  for (int i = 0; i < tree->links; i++) {
    const tree_link *l = &tree->link[i];
    shifts = shifts && (l->parent >= 0 || l->drifts);
    turns = turns || !l->drifts;
  }
  return shifts && turns;
}

/** `load` of each link: F, and P, which needs the twists. */
static void gather(const sb_tree *tree, link_state s[]) {
  for (int i = 0; i < tree->links; i++) {
    s[i].load = (sb_wrench){s[i].first, s[i].momentum.force};
  }
  for (int i = tree->links - 1; i >= 0; i--) {
    const int parent = tree->link[i].parent;
    if (parent >= 0) {
      const sb_vec3 first = sb_vec3_axpy(s[i].load.moment, tree->link[i].moved, s[i].arm);
      s[parent].load = sb_wrench_add(s[parent].load, (sb_wrench){first, s[i].load.force});
    }
  }
}

/** V behind a joint, or its rate by pdot: linear in what is in front of it and in p. */
static sb_vec3 go_along(const tree_link *l, const link_state *s, sb_vec3 before, const double p[]) {
  if (!l->drifts) {
    return before;
  }
  const sb_vec3 own = sb_vec3_scale(load_velocities(l, p), 1 / l->moved);
  if (!l->line) {
    return sb_mat3_apply(s->rotation, own);
  }
  const sb_vec3 a = axis_of(s);
  return sb_vec3_axpy(before, own.x - sb_vec3_dot(a, before), a);
}

static sb_wrench moving(const tree_link *l, const link_state *s, sb_vec3 V) {
  return (sb_wrench){sb_vec3_cross(s->load.moment, V), sb_vec3_scale(V, l->moved)};
}

/** `change` of each link: V and, with pdot, its rate. */
static void spread(const sb_tree *tree, link_state s[], const double p[], const double pdot[]) {
  for (int i = 0; i < tree->links; i++) {
    const tree_link *l = &tree->link[i];
    const sb_twist before = l->parent < 0 ? (sb_twist){none, none} : s[l->parent].change;
    s[i].change.angular = go_along(l, &s[i], before.angular, p);
    s[i].change.linear = pdot == NULL ? none : go_along(l, &s[i], before.linear, pdot);
  }
}

void sb_tree_boost(const sb_tree *tree, const double p[], double scratch[], double g[]) {
  link_state *s = states(scratch);
  gather(tree, s);
  spread(tree, s, p, NULL);
  for (int i = 0; i < tree->links; i++) {
    const tree_link *l = &tree->link[i];
    const sb_wrench X = moving(l, &s[i], s[i].change.angular);
    store_velocities(l, l->drifts ? none : link_project(l, &s[i], X), g);
  }
}

void sb_tree_boost_rate(const sb_tree *tree, const double p[], const double pdot[],
                        double scratch[], double gdot[]) {
  link_state *s = states(scratch);
  gather(tree, s);
  spread(tree, s, p, pdot);
  for (int i = 0; i < tree->links; i++) {
    const tree_link *l = &tree->link[i];
    const sb_vec3 V = s[i].change.angular, w = s[i].twist.angular,
                  Fdot = sb_vec3_axpy(s[i].load.force, -l->moved, s[i].twist.linear);
    const sb_wrench X = moving(l, &s[i], V),
                    turned = {sb_vec3_cross(w, X.moment), sb_vec3_cross(w, X.force)};
    sb_wrench rate = moving(l, &s[i], s[i].change.linear);
    rate.moment = sb_vec3_add(rate.moment, sb_vec3_cross(Fdot, V));
    rate = sb_wrench_add(rate, sb_wrench_scale(turned, -1));
    store_velocities(l, l->drifts ? none : link_project(l, &s[i], rate), gdot);
  }
}
