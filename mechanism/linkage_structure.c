// SPDX-License-Identifier: GPL-3.0-or-later
// A tree of bodies as xdot = J(x) dH/dx + G(x) u with a skew-symmetric J, joint by joint:
//   qdot = v,               pdot = -dH/dq + tau + J^T W              of a line or a shift, v = dH/dp
//   qdot = B(q) v,          pdot = -B(q)^T dH/dq + p x v + tau + J^T W  of a free turn, B(q) v = q o (0, v)/2
// with twists J v at bodies. For any v the length of q stays over a midpoint step: (q0 + q1).B v = 0 there.
#include "geometry/quat.h"
#include "mechanism/loads.h"
#include "mechanism/mechanism_private.h"
#include "mechanism/recursion.h"

static const sb_linkage *linkage_of(const void *self) {
  return ((const sb_linkage_data *)self)->linkage;
}

/** What is done at a primitive joint with its numbers: coordinates, momenta, and two of each. */
typedef void primitive_rule(const sb_primitive *p, const double q[], const double m[],
                            const double by_p[], double of_q[], double of_p[]);

static void for_each_primitive(const sb_linkage *l, primitive_rule *rule, const double x[],
                               const double by_p[], double out[]) {
  const double *momenta = x + l->coordinates;
  for (int k = 0; k < l->body_count; k++) {
    const sb_tree_joint joint = sb_tree_joint_of(l->tree, k);
    int q = joint.coordinate, v = joint.velocity;
    for (const sb_joint_step *step = joint.kind->steps; step->primitive != NULL; step++) {
      rule(step->primitive, x + q, momenta + v, by_p + v, out + q, out + l->coordinates + v);
      q += step->primitive->coordinates;
      v += step->primitive->velocities;
    }
  }
}

static sb_quat load_quat(const double q[]) {
  return (sb_quat){q[0], q[1], q[2], q[3]};
}

static void store_quat(sb_quat q, double scale, double out[]) {
  const double parts[4] = {q.w, q.x, q.y, q.z};
  for (int i = 0; i < 4; i++) {
    out[i] = scale * parts[i];
  }
}

/** From pdot without loads, in of_p, to dH/dq and dH/dp: that by a quaternion has no part along it. */
static void to_gradient(const sb_primitive *p, const double q[], const double m[], const double v[],
                        double of_q[], double of_p[]) {
  if (p->coordinates > p->velocities) {
    const sb_vec3 t =
        sb_vec3_sub(sb_vec3_cross(sb_vec3_load(m), sb_vec3_load(v)), sb_vec3_load(of_p));
    const double norm = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    store_quat(sb_quat_mul(load_quat(q), (sb_quat){0, t.x, t.y, t.z}), 2 / norm, of_q);
  }
  for (int i = 0; i < p->velocities; i++) {
    if (p->coordinates == p->velocities) {
      of_q[i] = -of_p[i];
    }
    of_p[i] = v[i];
  }
}

static int gradient(const void *self, const sb_at *at, double out[]) {
  const sb_linkage *l = linkage_of(self);
  double *scratch = at->own + l->scratch.other, *v = scratch + sb_tree_scratch(l->tree);
  sb_tree_place(l->tree, at->x, scratch);
  if (sb_tree_solve(l->tree, at->x + l->coordinates, scratch, v) != 0) {
    return -1;
  }
  sb_tree_rates(l->tree, at->x, NULL, NULL, scratch, out, out + l->coordinates);
  for_each_primitive(l, to_gradient, at->x, v, out);
  return 0;
}

/** From dH/dq and the loads, in of_q and of_p, to the rates. */
static void to_rates(const sb_primitive *p, const double q[], const double m[], const double v[],
                     double of_q[], double of_p[]) {
  if (p->coordinates > p->velocities) {
    const sb_quat back = {q[0], -q[1], -q[2], -q[3]};
    const sb_quat turn = sb_quat_mul(back, load_quat(of_q));
    const sb_vec3 w = sb_vec3_load(v), spin = sb_vec3_cross(sb_vec3_load(m), w),
                  torque = {turn.x, turn.y, turn.z};
    sb_vec3_store(of_p, sb_vec3_add(sb_vec3_load(of_p), sb_vec3_axpy(spin, -0.5, torque)));
    store_quat(sb_quat_mul(load_quat(q), (sb_quat){0, w.x, w.y, w.z}), 0.5, of_q);
    return;
  }
  for (int i = 0; i < p->velocities; i++) {
    of_p[i] -= of_q[i];
    of_q[i] = v[i];
  }
}

static int act(const void *self, const sb_at *at, const double by[], double y[], double xdot[]) {
  const sb_linkage *l = linkage_of(self);
  double *scratch = at->own + l->scratch.tree;
  const double *v = by + l->coordinates;
  if (y != NULL) {
    sb_tree_move(l->tree, v, scratch, NULL);
    sb_linkage_put_ports(l, at, v, scratch, NULL, y);
  }
  if (xdot != NULL) {
    const sb_wrench *wrenches = (const sb_wrench *)(const void *)(at->own + l->scratch.wrenches);
    const bool pushed = sb_linkage_take_ports(l, at, at->in);
    for (int i = 0; i < l->coordinates; i++) {
      xdot[i] = by[i];
    }
    sb_tree_generalised(l->tree, at->own + l->scratch.tau, pushed ? wrenches : NULL, scratch,
                        xdot + l->coordinates);
    for_each_primitive(l, to_rates, at->x, v, xdot);
  }
  return 0;
}

const sb_storage_structure sb_linkage_structure = {gradient, act};
