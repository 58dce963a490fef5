// SPDX-License-Identifier: GPL-3.0-or-later
// About a point of the world the derivative of a twist V is A = A_parent + S vdot + ad_V (S v), and that of a momentum I V
// is I A - ad_V^T (I V): nothing but the bracket tells that the links move (Featherstone 2008, chapters 5 and 6).
#include "mechanism/dynamics.h"

#include <string.h>

#include "mechanism/recursion_private.h"

static const sb_twist no_twist = {{0, 0, 0}, {0, 0, 0}};

/** The changes of the links to twists of the bodies about the world's origin. */
static void read_changes(const sb_tree *tree, const link_state s[], sb_twist out[]) {
  for (int i = 0; i < tree->bodies; i++) {
    const int link = tree->body[i].link;
    out[i] = link < 0 ? no_twist : twist_shift(s[link].change, sb_vec3_neg(s[link].origin));
  }
}

static void respond_inwards(const sb_tree *tree, const double tau[], const sb_wrench wrenches[],
                            link_state s[]) {
  static const double none[3] = {0, 0, 0};
  for (int i = tree->links - 1; i >= 0; i--) {
    const tree_link *l = &tree->link[i];
    sb_wrench bias = sb_wrench_scale(link_outer(tree, l, &s[i], wrenches), -1);
    if (!l->leaf) {
      bias = sb_wrench_add(bias, s[i].push);
    }
    bias = link_yield(l, &s[i], tau == NULL ? none : tau + l->velocity, bias);
    if (l->parent >= 0) {
      hand_over(l, &s[l->parent].push, wrench_shift(bias, s[i].arm));
    }
  }
}

void sb_tree_response(const sb_tree *tree, const double tau[], const sb_wrench wrenches[],
                      double scratch[], double dv[], sb_twist dtwists[]) {
  link_state *s = states(scratch);
  respond_inwards(tree, tau, wrenches, s);
  for (int i = 0; i < tree->links; i++) {
    const tree_link *l = &tree->link[i];
    double own[3];
    const sb_twist base = base_twist(l->parent < 0 ? NULL : &s[l->parent].change, &s[i]);
    s[i].change = link_follow(l, &s[i], base, own);
    if (dv != NULL) {
      memcpy(dv + l->velocity, own, (size_t)link_velocities(l) * sizeof *dv);
    }
  }
  if (dtwists != NULL) {
    read_changes(tree, s, dtwists);
  }
}

/** A of every link, about its own origin. */
static void accelerate(const sb_tree *tree, const double vdot[], link_state s[]) {
  for (int i = 0; i < tree->links; i++) {
    const tree_link *l = &tree->link[i];
    const sb_twist own = link_span(l, &s[i], s[i].v);
    const sb_twist base = base_twist(l->parent < 0 ? NULL : &s[l->parent].change, &s[i]);
    s[i].change = sb_twist_add(base, sb_twist_bracket(s[i].twist, own));
    if (vdot != NULL) {
      s[i].change = sb_twist_add(s[i].change, link_span(l, &s[i], vdot + l->velocity));
    }
  }
}

void sb_tree_accelerations(const sb_tree *tree, const double vdot[], double scratch[],
                           sb_twist rates[]) {
  accelerate(tree, vdot, states(scratch));
  read_changes(tree, states(scratch), rates);
}

/** d/dt of the momentum of a link alone about its origin, I A - ad_V^T (I V), after accelerate(). */
static sb_wrench momentum_rate(const tree_link *l, const link_state *s) {
  return sb_wrench_add(link_momentum(l, s, s->change),
                       sb_wrench_scale(sb_wrench_coadjoint(s->twist, s->momentum), -1));
}

void sb_tree_momentum(const sb_tree *tree, const double vdot[], double scratch[], sb_vec3 *momentum,
                      sb_vec3 *rate) {
  link_state *s = states(scratch);
  accelerate(tree, vdot, s);
  *momentum = *rate = (sb_vec3){0, 0, 0};
  for (int i = 0; i < tree->links; i++) {
    *momentum = sb_vec3_add(*momentum, s[i].momentum.force);
    *rate = sb_vec3_add(*rate, momentum_rate(&tree->link[i], &s[i]).force);
  }
}

void sb_tree_inverse(const sb_tree *tree, const double q[], const double vdot[],
                     const sb_wrench wrenches[], double scratch[], double tau[]) {
  link_state *s = states(scratch);
  accelerate(tree, vdot, s);
  for (int i = tree->links - 1; i >= 0; i--) {
    const tree_link *l = &tree->link[i];
    const sb_wrench inertial = momentum_rate(l, &s[i]);
    const sb_wrench given =
        sb_wrench_add(link_weight(tree, l, &s[i]), link_outer(tree, l, &s[i], wrenches));
    sb_wrench need = sb_wrench_add(inertial, sb_wrench_scale(given, -1));
    if (!l->leaf) {
      need = sb_wrench_add(need, s[i].push);
    }
    const sb_vec3 spring = l->sprung ? link_spring(l, q + l->coordinate) : (sb_vec3){0, 0, 0};
    store_velocities(l, sb_vec3_add(link_project(l, &s[i], need), spring), tau);
    if (l->parent >= 0) {
      hand_over(l, &s[l->parent].push, wrench_shift(need, s[i].arm));
    }
  }
}

/** The unit column k of a joint. */
static sb_twist column(const tree_link *l, const link_state *s, int k) {
  const double unit[3] = {k == 0, k == 1, k == 2};
  return link_span(l, s, unit);
}

/** A row of M: the momenta of the joints towards the root, of a composite body that moves with one column alone. */
static void mass_row(const sb_tree *tree, const link_state s[], int link, sb_wrench h, int row,
                     double M[]) {
  const size_t n = (size_t)tree->velocities;
  for (int j = link; j >= 0; j = tree->link[j].parent) {
    const tree_link *l = &tree->link[j];
    const sb_vec3 p = link_project(l, &s[j], h);
    const double parts[3] = {p.x, p.y, p.z};
    for (int k = 0; k < link_velocities(l); k++) {
      const size_t c = (size_t)(l->velocity + k), r = (size_t)row;
      M[r * n + c] = M[c * n + r] = parts[k];
    }
    h = wrench_shift(h, s[j].arm);
  }
}

void sb_tree_mass_matrix(const sb_tree *tree, double scratch[], double M[]) {
  link_state *s = states(scratch);
  const size_t n = (size_t)tree->velocities;
  memset(M, 0, n * n * sizeof *M);
  tree_composite(tree, s);
  for (int i = 0; i < tree->links; i++) {
    const tree_link *l = &tree->link[i];
    for (int k = 0; k < link_velocities(l); k++) {
      const sb_wrench h = composite_momentum(&s[i].carried, column(l, &s[i], k));
      mass_row(tree, s, i, h, l->velocity + k, M);
    }
  }
}

void sb_tree_jacobian(const sb_tree *tree, const double scratch[], int body, double J[]) {
  const link_state *s = const_states(scratch);
  const int n = tree->velocities;
  memset(J, 0, 6 * (size_t)n * sizeof *J);
  for (int i = tree->body[body].link; i >= 0; i = tree->link[i].parent) {
    const tree_link *l = &tree->link[i];
    for (int k = 0; k < link_velocities(l); k++) {
      const sb_twist t = twist_shift(column(l, &s[i], k), sb_vec3_neg(s[i].origin));
      const double parts[6] = {t.angular.x, t.angular.y, t.angular.z,
                               t.linear.x,  t.linear.y,  t.linear.z};
      for (int r = 0; r < 6; r++) {
        J[r * n + l->velocity + k] = parts[r];
      }
    }
  }
}

sb_twist sb_tree_column(const sb_tree *tree, const double scratch[], int body, int velocity) {
  const link_state *s = const_states(scratch);
  for (int i = tree->body[body].link; i >= 0; i = tree->link[i].parent) {
    const int k = velocity - tree->link[i].velocity;
    if (k >= 0 && k < link_velocities(&tree->link[i])) {
      return twist_shift(column(&tree->link[i], &s[i], k), sb_vec3_neg(s[i].origin));
    }
  }
  return no_twist;
}
