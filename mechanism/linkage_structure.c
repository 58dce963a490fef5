// SPDX-License-Identifier: GPL-3.0-or-later
// A tree of bodies as xdot = J(x) dH/dx + G(x) u with a skew-symmetric J, joint by joint:
//   qdot = v,               pdot = -dH/dq + tau + J^T W              of a line or a shift, v = dH/dp
//   qdot = B(q) v,          pdot = -B(q)^T dH/dq + p x v + tau + J^T W  of a free turn, B(q) v = q o (0, v)/2
// with twists J v at bodies. For any v the length of q stays over a midpoint step: (q0 + q1).B v = 0 there.
//
// Where loops are closed, over a step from x0 to x1 with w = B^-1 (q1 - q0), D the rows next to J at the middle with D w = g(q1)
// (a discrete derivative of the closures, as g(q0) = 0), and v the discrete gradient by p:
//   qdot = B u,   pdot = -B^T dH/dq + p x u + tau + J^T W - c M w/(w.M w) + D^T lambda
//   u    next to v with D u = 0, so that lambda has no power and g(q1) = D w = h D u = 0
//   c    (v - u).(p1 - p0), so that the chain rule is met by u as it was by v
//   lambda  such that J v = 0 at x1
// Constraints of the network, G J_p v = s at ports, are met by u + M^-1 J_p^T push in the place of u, with D u = 0 still and c as
// before; they give the multiplier that holds them at x1, as lambda does for loops (core/integrator/discrete_structures.c).
// All that is added vanishes with the square of the step and is the same seen from x1: the order remains.
#include <string.h>

#include "geometry/quat.h"
#include "mechanism/dynamics.h"
#include "mechanism/loads.h"
#include "mechanism/mechanism_private.h"
#include "mechanism/recursion.h"

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
    store_quat(sb_quat_mul(sb_quat_load(q), (sb_quat){0, t.x, t.y, t.z}), 2 / norm, of_q);
  }
  for (int i = 0; i < p->velocities; i++) {
    if (p->coordinates == p->velocities) {
      of_q[i] = -of_p[i];
    }
    of_p[i] = v[i];
  }
}

static int gradient(const void *self, const sb_at *at, double out[]) {
  const sb_linkage *l = sb_linkage_of(self);
  double *scratch = at->own + l->scratch.other, *v = scratch + sb_tree_scratch(l->tree);
  sb_tree_place_from(l->tree, at->x, sb_linkage_origin(self), scratch);
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
    const sb_quat turn = sb_quat_mul(back, sb_quat_load(of_q));
    const sb_vec3 w = sb_vec3_load(v), spin = sb_vec3_cross(sb_vec3_load(m), w),
                  torque = {turn.x, turn.y, turn.z};
    sb_vec3_store(of_p, sb_vec3_add(sb_vec3_load(of_p), sb_vec3_axpy(spin, -0.5, torque)));
    store_quat(sb_quat_mul(sb_quat_load(q), (sb_quat){0, w.x, w.y, w.z}), 0.5, of_q);
    return;
  }
  for (int i = 0; i < p->velocities; i++) {
    of_p[i] -= of_q[i];
    of_q[i] = v[i];
  }
}

/** From a change of the coordinates, in of_q, to the way w, in of_p. */
static void to_way(const sb_primitive *p, const double q[], const double m[], const double v[],
                   double of_q[], double of_p[]) {
  (void)m, (void)v;
  if (p->coordinates > p->velocities) {
    const sb_quat back = {q[0], -q[1], -q[2], -q[3]};
    const sb_quat turn = sb_quat_mul(back, sb_quat_load(of_q));
    const double norm = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    sb_vec3_store(of_p, sb_vec3_scale((sb_vec3){turn.x, turn.y, turn.z}, 2 / norm));
    return;
  }
  for (int i = 0; i < p->velocities; i++) {
    of_p[i] = of_q[i];
  }
}

/** What closed loops and constraints need over a step. */
typedef struct closed_step {
  double *end, *change; // (states) x1; q1 - q0 and, in the place of momenta, w
  double *u, *momenta;  // (velocities)
  double *gap;          // (rows) g(q1)
} closed_step;

int sb_linkage_step_numbers(const sb_linkage *l) {
  const int rows = l->closures == NULL ? 0 : sb_closures_rows(l->closures);
  return 2 * (l->coordinates + l->velocities) + 2 * l->velocities + rows;
}

static closed_step step_of(const sb_linkage *l, const sb_at *at) {
  const int states = l->coordinates + l->velocities;
  closed_step s = {.end = at->own + l->scratch.step};
  s.change = s.end + states;
  s.u = s.change + states;
  s.momenta = s.u + l->velocities;
  s.gap = s.momenta + l->velocities;
  return s;
}

static double *beside(const sb_linkage *l, const sb_at *at) {
  return at->own + l->scratch.other;
}

/** Finds g(q1) and the factors of D, and projects u on D u = 0. */
static void hold_together(const void *self, const sb_at *at, const closed_step *s) {
  const sb_linkage *l = sb_linkage_of(self);
  double *closures = at->own + l->scratch.closures;
  sb_tree_place_from(l->tree, s->end, sb_linkage_origin(self), beside(l, at));
  sb_closures_residual(l->closures, s->end, beside(l, at), s->gap);
  (void)sb_closures_factor_over(l->closures, l->rank, s->change + l->coordinates, s->gap,
                                at->own + l->scratch.tree, closures);
  sb_closures_project(l->closures, closures, s->u, NULL, NULL);
}

/** Finds x1, w, and u next to v. */
static closed_step allow(const void *self, const sb_at *at, const sb_gradient_step *step,
                         const double v[]) {
  const sb_linkage *l = sb_linkage_of(self);
  closed_step s = step_of(l, at);
  for (int i = 0; i < l->coordinates + l->velocities; i++) {
    s.end[i] = 2 * at->x[i] - step->before[i];
    s.change[i] = 2 * (at->x[i] - step->before[i]);
  }
  for_each_primitive(l, to_way, at->x, v, s.change);
  memcpy(s.u, v, (size_t)l->velocities * sizeof *v);
  if (l->closures != NULL) {
    hold_together(self, at, &s);
  }
  if (step->push != NULL) {
    const bool pushed = sb_linkage_take_ports(l, at, step->push);
    double *du = at->own + l->scratch.dv;
    sb_linkage_respond(l, at, at->own + l->scratch.tau, pushed, du, NULL);
    for (int i = 0; i < l->velocities; i++) {
      s.u[i] += du[i];
    }
  }
  return s;
}

static double dot(const double a[], const double b[], int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    sum += a[i] * b[i];
  }
  return sum;
}

/** Adds -c M w/(w.M w) to pdot. */
static void balance(const sb_linkage *l, const sb_at *at, const closed_step *s,
                    const double before[], const double v[], double pdot[]) {
  const double *w = s->change + l->coordinates;
  double *scratch = at->own + l->scratch.tree, c = 0;
  for (int i = 0; i < l->velocities; i++) {
    c += (v[i] - s->u[i]) * (s->end[l->coordinates + i] - before[l->coordinates + i]);
  }
  sb_tree_move(l->tree, w, scratch, s->momenta);
  const double square = dot(w, s->momenta, l->velocities);
  for (int i = 0; i < l->velocities && square > 0; i++) {
    pdot[i] -= c / square * s->momenta[i];
  }
  sb_tree_move(l->tree, s->u, scratch, NULL);
}

/** What of p1 the loops do not let through, to s->momenta.  @return 0; < 0: M is singular */
static int find_forbidden(const sb_linkage *l, const sb_at *at, const closed_step *s) {
  double *scratch = beside(l, at), *v = scratch + sb_tree_scratch(l->tree),
         *closures = v + l->velocities;
  const double *p = s->end + l->coordinates;
  if (sb_tree_solve(l->tree, p, scratch, v) != 0) {
    return -1;
  }
  (void)sb_closures_factor(l->closures, l->rank, scratch, closures);
  memcpy(s->momenta, p, (size_t)l->velocities * sizeof *p);
  sb_closures_project(l->closures, closures, v, s->momenta, NULL);
  for (int i = 0; i < l->velocities; i++) {
    s->momenta[i] = p[i] - s->momenta[i];
  }
  return 0;
}

/** Adds D^T lambda to pdot: along D^T the residual of the step, p1 - p0 - h pdot, becomes what of p1 the loops do not let
 *  through, whatever lambda would have been. */
static int hold(const sb_linkage *l, const sb_at *at, const closed_step *s,
                const sb_gradient_step *step, double pdot[]) {
  if (find_forbidden(l, at, s) != 0) {
    return -1;
  }
  double *dv = at->own + l->scratch.dv, *efforts = at->own + l->scratch.efforts;
  for (int i = 0; i < l->velocities; i++) {
    const int state = l->coordinates + i;
    efforts[i] = (s->end[state] - step->before[state] - s->momenta[i]) / step->h - pdot[i];
  }
  sb_tree_response(l->tree, efforts, NULL, at->own + l->scratch.tree, dv, NULL);
  sb_closures_accelerate(l->closures, NULL, at->own + l->scratch.closures, dv, efforts, NULL);
  for (int i = 0; i < l->velocities; i++) {
    pdot[i] -= efforts[i];
  }
  return 0;
}

static int act(const void *self, const sb_at *at, const sb_gradient_step *step, const double by[],
               double y[], double xdot[]) {
  const sb_linkage *l = sb_linkage_of(self);
  double *scratch = at->own + l->scratch.tree;
  const double *v = by + l->coordinates;
  const bool corrected = l->closures != NULL || step->push != NULL;
  closed_step closed = {0};
  if (corrected) {
    closed = allow(self, at, step, v);
    v = closed.u;
  }
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
    if (corrected) {
      balance(l, at, &closed, step->before, by + l->coordinates, xdot + l->coordinates);
    }
    if (l->closures != NULL) {
      return hold(l, at, &closed, step, xdot + l->coordinates);
    }
  }
  return 0;
}

static void respond(const void *self, const sb_at *at, const double dx[], double dy[]) {
  const sb_linkage *l = sb_linkage_of(self);
  double *dv = at->own + l->scratch.dv;
  sb_twist *twists = (sb_twist *)(void *)(at->own + l->scratch.twists);
  sb_linkage_respond(l, at, dx + l->coordinates, false, dv, twists);
  sb_linkage_put_ports(l, at, dv, NULL, twists, dy);
}

const sb_storage_structure sb_linkage_structure = {gradient, act, respond};
