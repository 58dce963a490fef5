// SPDX-License-Identifier: GPL-3.0-or-later
// Momenta to velocities by elimination from the leaves to the root, as in the articulated-body algorithm (Featherstone 2008,
// chapter 7), but for the momenta p = S^T h of the subtrees in place of the efforts: the joint of a link, with the
// articulated inertia I and the bias b, transmits the impulse F = I V + b with S^T F = p, so that
//   V = B + S v,  D v = S^T F - S^T b - U^T B,  D = S^T I S, U = I S,
// and the parent feels I - U D^-1 U^T and b + U D^-1 (p - S^T b). Then, by Newton and Euler for the subtree
// behind a joint, of which h is the momentum and W the outer wrench, and as S is fixed in the link,
//   d/dt (S^T h) = S^T (ad_V^T h + W) + tau,
// without any acceleration, and without a correction for the point, which is that of the world where the link's origin is.
#include "mechanism/recursion.h"

#include "mechanism/recursion_private.h"

/** The coordinates move the frame of the joint, which is fixed in the parent. */
static void place_link(const tree_link *l, const link_state *parent, const double q[],
                       sb_vec3 point, link_state *s) {
  sb_mat3 r;
  sb_vec3 arm;
  if (parent != NULL) {
    r = l->aligned ? parent->rotation : sb_mat3_mul(parent->rotation, l->axes);
    arm = sb_mat3_apply(parent->rotation, l->at);
  } else {
    r = l->axes;
    arm = l->floats ? l->at : sb_vec3_sub(l->at, point);
  }
  if (!l->line) {
    if (l->turns) {
      r = sb_mat3_mul(r, sb_quat_rotation(sb_quat_load(q)));
    } else {
      arm = sb_vec3_add(arm, sb_mat3_apply(r, sb_vec3_load(q)));
    }
  } else {
    const sb_vec3 x = mat3_column(r, 0), y = mat3_column(r, 1), z = mat3_column(r, 2);
    if (l->turns) {
      const double c = cos(q[0]), d = sin(q[0]);
      r = mat3_of(sb_vec3_axpy(sb_vec3_scale(x, c), d, y), sb_vec3_axpy(sb_vec3_scale(y, c), -d, x),
                  z);
    }
    arm = sb_vec3_axpy(arm, l->advance * q[0], z);
  }
  s->rotation = r;
  s->arm = arm;
  s->origin = parent != NULL ? sb_vec3_add(parent->origin, arm) : arm;
  s->first = sb_mat3_apply(r, l->first);
  s->second = sym3_rotate(r, l->second);
}

void sb_tree_place(const sb_tree *tree, const double q[], double scratch[]) {
  sb_tree_place_from(tree, q, (sb_vec3){0, 0, 0}, scratch);
}

void sb_tree_place_from(const sb_tree *tree, const double q[], sb_vec3 point, double scratch[]) {
  link_state *s = states(scratch);
  sb_vec3_store(tree_point(tree, scratch), point);
  for (int i = 0; i < tree->links; i++) {
    const tree_link *l = &tree->link[i];
    place_link(l, l->parent < 0 ? NULL : &s[l->parent], q + l->coordinate, point, &s[i]);
  }
}

/** U = I S, U / D, and I - U U^T / D. */
static bool eliminate_line(const tree_link *l, link_state *s, articulated *a) {
  const sb_vec3 z = axis_of(s);
  sb_vec3 m = {0, 0, 0}, f = {0, 0, 0};
  if (l->turns) {
    m = sym3_apply(a->J, z);
    f = sb_mat3_apply_transposed(a->C, z);
  }
  if (l->advance != 0) {
    m = sb_vec3_axpy(m, l->advance, sb_mat3_apply(a->C, z));
    f = sb_vec3_axpy(f, l->advance, sym3_apply(a->M, z));
  }
  const double d = (l->turns ? sb_vec3_dot(z, m) : 0) + l->advance * sb_vec3_dot(z, f);
  const double inverse = 1 / d;
  const sb_wrench gain = {sb_vec3_scale(m, inverse), sb_vec3_scale(f, inverse)};
  s->factor.line.inverse = inverse;
  s->factor.line.gain = gain;
  a->J = sym3_axpy(a->J, -inverse, m);
  a->M = sym3_axpy(a->M, -inverse, f);
  for (int i = 0; i < 3; i++) {
    const double g = i == 0 ? gain.moment.x : i == 1 ? gain.moment.y : gain.moment.z;
    a->C.m[i][0] -= g * f.x;
    a->C.m[i][1] -= g * f.y;
    a->C.m[i][2] -= g * f.z;
  }
  return d > 0;
}

/** A free turn or shift gives way to every moment, or every force: what is left has none of these at all. */
static bool eliminate_triad(const tree_link *l, link_state *s, articulated *a) {
  const sym3 zero = {0, 0, 0, 0, 0, 0};
  sym3_factor *own = &s->factor.triad.own;
  const bool regular = sym3_factorise(l->turns ? a->J : a->M, own);
  const sb_mat3 cross = l->turns ? a->C : sb_mat3_transpose(a->C);
  const sym3 left = sym3_complement(l->turns ? a->M : a->J, own, cross);
  s->factor.triad.cross = cross;
  *a = l->turns ? (articulated){zero, {{{0}}}, left} : (articulated){left, {{{0}}}, zero};
  return regular;
}

int sb_tree_solve(const sb_tree *tree, const double p[], double scratch[], double v[]) {
  link_state *s = states(scratch);
  for (int i = tree->links - 1; i >= 0; i--) {
    const tree_link *l = &tree->link[i];
    articulated a = articulated_rigid(l->mass, s[i].first, s[i].second);
    sb_wrench bias = {{0, 0, 0}, {0, 0, 0}};
    if (!l->leaf) {
      a = articulated_add(a, s[i].carried);
      bias = s[i].push;
    }
    if (!(l->line ? eliminate_line(l, &s[i], &a) : eliminate_triad(l, &s[i], &a))) {
      return 1 + l->body;
    }
    bias = link_yield(l, &s[i], p + l->velocity, bias);
    if (l->parent >= 0) {
      link_state *parent = &s[l->parent];
      a = articulated_shift(a, s[i].arm);
      parent->carried = l->last ? a : articulated_add(parent->carried, a);
      hand_over(l, &parent->push, wrench_shift(bias, s[i].arm));
    }
  }
  for (int i = 0; i < tree->links; i++) {
    const tree_link *l = &tree->link[i];
    const sb_twist base = base_twist(l->parent < 0 ? NULL : &s[l->parent].twist, &s[i]);
    s[i].twist = link_follow(l, &s[i], base, s[i].v);
    s[i].momentum = link_momentum(l, &s[i], s[i].twist);
    for (int k = 0; v != NULL && k < link_velocities(l); k++) {
      v[l->velocity + k] = s[i].v[k];
    }
  }
  return 0;
}

void sb_tree_move(const sb_tree *tree, const double v[], double scratch[], double p[]) {
  link_state *s = states(scratch);
  for (int i = 0; i < tree->links; i++) {
    const tree_link *l = &tree->link[i];
    const double *w = v + l->velocity;
    const sb_twist base = base_twist(l->parent < 0 ? NULL : &s[l->parent].twist, &s[i]);
    s[i].twist = sb_twist_add(base, link_span(l, &s[i], w));
    s[i].momentum = link_momentum(l, &s[i], s[i].twist);
    for (int k = 0; k < link_velocities(l); k++) {
      s[i].v[k] = w[k];
    }
  }
  for (int i = tree->links - 1; i >= 0 && p != NULL; i--) {
    const tree_link *l = &tree->link[i];
    const sb_wrench h = l->leaf ? s[i].momentum : sb_wrench_add(s[i].momentum, s[i].push);
    store_velocities(l, link_project(l, &s[i], h), p);
    if (l->parent >= 0) {
      hand_over(l, &s[l->parent].push, wrench_shift(h, s[i].arm));
    }
  }
}

static void store_coordinate_rates(const tree_link *l, const link_state *s, const double q[],
                                   double qdot[]) {
  if (!l->line && l->turns) {
    const sb_quat rate = sb_quat_rate(sb_quat_load(q), sb_vec3_load(s->v));
    qdot[0] = rate.w;
    qdot[1] = rate.x;
    qdot[2] = rate.y;
    qdot[3] = rate.z;
  } else {
    for (int k = 0; k < link_velocities(l); k++) {
      qdot[k] = s->v[k];
    }
  }
}

void sb_tree_rates(const sb_tree *tree, const double q[], const double tau[],
                   const sb_wrench wrenches[], double scratch[], double qdot[], double pdot[]) {
  link_state *s = states(scratch);
  for (int i = tree->links - 1; i >= 0; i--) {
    const tree_link *l = &tree->link[i];
    sb_wrench h = s[i].momentum, load = link_weight(tree, l, &s[i]);
    if (wrenches != NULL) {
      load = sb_wrench_add(load, link_outer(tree, l, &s[i], wrenches));
    }
    if (!l->leaf) {
      h = sb_wrench_add(h, s[i].push);
      load = sb_wrench_add(load, s[i].load);
    }
    sb_vec3 rate = link_project(l, &s[i], sb_wrench_add(sb_wrench_coadjoint(s[i].twist, h), load));
    if (l->sprung) {
      rate = sb_vec3_sub(rate, link_spring(l, q + l->coordinate));
    }
    if (tau != NULL) {
      rate = sb_vec3_add(rate, load_velocities(l, tau));
    }
    store_velocities(l, rate, pdot);
    store_coordinate_rates(l, &s[i], q + l->coordinate, qdot + l->coordinate);
    if (l->parent >= 0) {
      hand_over(l, &s[l->parent].push, wrench_shift(h, s[i].arm));
      hand_over(l, &s[l->parent].load, wrench_shift(load, s[i].arm));
    }
  }
}

sb_pose sb_tree_pose(const sb_tree *tree, const double scratch[], int body) {
  const placed_body *b = &tree->body[body];
  if (b->link < 0) {
    const sb_vec3 point = sb_vec3_load(tree_point(tree, (double *)scratch));
    return (sb_pose){b->pose.rotation, sb_vec3_sub(b->pose.position, point)};
  }
  const link_state *s = &const_states(scratch)[b->link];
  return sb_pose_compose((sb_pose){s->rotation, s->origin}, b->pose);
}

sb_twist sb_tree_twist(const sb_tree *tree, const double scratch[], int body) {
  const int link = tree->body[body].link;
  if (link < 0) {
    return (sb_twist){{0, 0, 0}, {0, 0, 0}};
  }
  const link_state *s = &const_states(scratch)[link];
  return twist_shift(s->twist, sb_vec3_neg(s->origin));
}

double sb_tree_kinetic(const sb_tree *tree, const double p[], const double v[]) {
  double sum = 0;
  for (int i = 0; i < tree->velocities; i++) {
    sum += p[i] * v[i];
  }
  return sum / 2;
}

double sb_tree_kinetic_terms(const sb_tree *tree, const double p[], const double v[],
                             const double scratch[]) {
  const link_state *s = const_states(scratch);
  double sum = 0;
  for (int i = 0; i < tree->velocities; i++) {
    sum += 0.5 * fabs(p[i] * v[i]);
  }
  for (int i = 0; i < tree->links; i++) {
    const sym3 J = s[i].second;
    const double w = sb_vec3_norm(s[i].twist.angular), V = sb_vec3_norm(s[i].twist.linear);
    sum += 0.5 * (J.xx + J.yy + J.zz) * w * w + sb_vec3_norm(s[i].first) * w * V +
           0.5 * tree->link[i].mass * V * V;
  }
  return sum;
}

/** The sum of |g_i x_i|: the terms along the axes may cancel each other, and each is known to its own rounding. */
static double weight_terms(sb_vec3 g, sb_vec3 x) {
  return fabs(g.x * x.x) + fabs(g.y * x.y) + fabs(g.z * x.z);
}

double sb_tree_potential(const sb_tree *tree, const double q[], double scratch[], double gradient[],
                         double *terms) {
  link_state *s = states(scratch);
  double sum = 0, sizes = 0;
  for (int i = tree->links - 1; i >= 0; i--) {
    const tree_link *l = &tree->link[i];
    const sb_vec3 spring = l->sprung ? link_spring(l, q + l->coordinate) : (sb_vec3){0, 0, 0};
    const double lever = sb_vec3_dot(tree->gravity, s[i].first),
                 height = l->mass * sb_vec3_dot(tree->gravity, s[i].origin),
                 strain = l->sprung ? link_strain(l, q + l->coordinate) : 0;
    sum += strain - lever - height;
    sizes += strain + weight_terms(tree->gravity, s[i].first) +
             l->mass * weight_terms(tree->gravity, s[i].origin);
    if (gradient != NULL) {
      sb_wrench load = link_weight(tree, l, &s[i]);
      load = l->leaf ? load : sb_wrench_add(load, s[i].load);
      store_velocities(l, sb_vec3_sub(spring, link_project(l, &s[i], load)), gradient);
      if (l->parent >= 0) {
        hand_over(l, &s[l->parent].load, wrench_shift(load, s[i].arm));
      }
    }
  }
  if (terms != NULL) {
    *terms = sizes;
  }
  return sum;
}
