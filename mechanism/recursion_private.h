// SPDX-License-Identifier: GPL-3.0-or-later
// Steps at one link that the recursions share.
#ifndef SB_MECHANISM_RECURSION_PRIVATE_H
#define SB_MECHANISM_RECURSION_PRIVATE_H

#include "mechanism/tree_private.h"

/** The numbers of a joint among those of the tree, of a line the first only. */
static inline sb_vec3 load_velocities(const tree_link *l, const double v[]) {
  v += l->velocity;
  return l->line ? (sb_vec3){v[0], 0, 0} : sb_vec3_load(v);
}
static inline void store_velocities(const tree_link *l, sb_vec3 x, double v[]) {
  if (l->line) {
    v[l->velocity] = x.x;
  } else {
    sb_vec3_store(v + l->velocity, x);
  }
}

/** Inwards: with u = p - S^T b, which is kept, what the base feels of the bias, b + U D^-1 u.
 *  @param p  of the joint */
static inline sb_wrench link_yield(const tree_link *l, link_state *s, const double p[],
                                   sb_wrench bias) {
  if (l->line) {
    s->u[0] = p[0] - link_project(l, s, bias).x;
    return sb_wrench_add(bias, sb_wrench_scale(s->factor.line.gain, s->u[0]));
  }
  const sb_vec3 impulse = sb_mat3_apply(s->rotation, sb_vec3_load(p));
  const sb_vec3 u = sb_vec3_sub(impulse, l->turns ? bias.moment : bias.force);
  const sb_vec3 other =
      sb_mat3_apply_transposed(s->factor.triad.cross, sym3_solve(&s->factor.triad.own, u));
  sb_vec3_store(s->u, u);
  return l->turns ? (sb_wrench){impulse, sb_vec3_add(bias.force, other)}
                  : (sb_wrench){sb_vec3_add(bias.moment, other), impulse};
}

/** Outwards: v = D^-1 (u - U^T B) of the joint, and the twist B + S v of the link. */
static inline sb_twist link_follow(const tree_link *l, const link_state *s, sb_twist base,
                                   double v[]) {
  if (l->line) {
    v[0] = s->factor.line.inverse * s->u[0] - sb_power(s->factor.line.gain, base);
    return sb_twist_add(base, link_span(l, s, v));
  }
  sb_vec3 *same = l->turns ? &base.angular : &base.linear; // what the joint adds to
  const sb_vec3 other = l->turns ? base.linear : base.angular;
  const sb_vec3 all =
      sym3_solve(&s->factor.triad.own,
                 sb_vec3_sub(sb_vec3_load(s->u), sb_mat3_apply(s->factor.triad.cross, other)));
  sb_vec3_store(v, sb_mat3_apply_transposed(s->rotation, sb_vec3_sub(all, *same)));
  *same = all;
  return base;
}

/** The weight of the link alone, and the outer wrenches on its bodies, about its origin. */
static inline sb_wrench link_weight(const sb_tree *tree, const tree_link *l, const link_state *s) {
  return (sb_wrench){sb_vec3_cross(s->first, tree->gravity), sb_vec3_scale(tree->gravity, l->mass)};
}
static inline sb_wrench link_outer(const sb_tree *tree, const tree_link *l, const link_state *s,
                                   const sb_wrench wrenches[]) {
  sb_wrench sum = {{0, 0, 0}, {0, 0, 0}};
  for (int k = 0; wrenches != NULL && k < l->bodies; k++) {
    const sb_wrench w = wrenches[tree->order[l->first_body + k]];
    sum = sb_wrench_add(sum, wrench_shift(w, sb_vec3_neg(s->origin)));
  }
  return sum;
}

/** The inertia of a link with all that it carries, joints held, to `carried` of each link. */
static inline void tree_composite(const sb_tree *tree, link_state s[]) {
  for (int i = 0; i < tree->links; i++) {
    s[i].carried = articulated_rigid(tree->link[i].mass, s[i].first, s[i].second);
  }
  for (int i = tree->links - 1; i >= 0; i--) {
    const int parent = tree->link[i].parent;
    if (parent >= 0) {
      s[parent].carried =
          articulated_add(s[parent].carried, articulated_shift(s[i].carried, s[i].arm));
    }
  }
}
static inline sb_wrench composite_momentum(const articulated *a, sb_twist t) {
  return (sb_wrench){
      sb_vec3_add(sym3_apply(a->J, t.angular), sb_mat3_apply(a->C, t.linear)),
      sb_vec3_add(sb_mat3_apply_transposed(a->C, t.angular), sym3_apply(a->M, t.linear))};
}

/** dV/dq of the joint's spring, and its energy [J]. */
static inline sb_vec3 link_spring(const tree_link *l, const double q[]) {
  double e[3] = {0, 0, 0};
  for (int k = 0; k < link_velocities(l); k++) {
    e[k] = l->stiffness[k] != 0 ? l->stiffness[k] * (q[k] - l->rest[k]) : 0;
  }
  return sb_vec3_load(e);
}
static inline double link_strain(const tree_link *l, const double q[]) {
  double sum = 0;
  for (int k = 0; k < link_velocities(l); k++) {
    const double x = q[k] - l->rest[k];
    sum += l->stiffness[k] * x * x / 2;
  }
  return sum;
}

#endif
