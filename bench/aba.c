// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/aba.h"

#include <stddef.h>

static inline sb_vec3 row(const sb_mat3 *a, int i) {
  return sb_vec3_load(a->m[i]);
}
static inline sb_vec3 times(const double s[6], sb_vec3 x) {
  return (sb_vec3){s[0] * x.x + s[3] * x.y + s[4] * x.z, s[3] * x.x + s[1] * x.y + s[5] * x.z,
                   s[4] * x.x + s[5] * x.y + s[2] * x.z};
}
static inline void less_square(double s[6], double f, sb_vec3 x) {
  s[0] -= f * x.x * x.x;
  s[1] -= f * x.y * x.y;
  s[2] -= f * x.z * x.z;
  s[3] -= f * x.x * x.y;
  s[4] -= f * x.x * x.z;
  s[5] -= f * x.y * x.z;
}
/** E s E^T */
static inline void turn(const sb_mat3 *E, const double s[6], double out[6]) {
  const sb_vec3 x = row(E, 0), y = row(E, 1), z = row(E, 2);
  const sb_vec3 sx = times(s, x), sy = times(s, y), sz = times(s, z);
  out[0] = sb_vec3_dot(x, sx);
  out[1] = sb_vec3_dot(y, sy);
  out[2] = sb_vec3_dot(z, sz);
  out[3] = sb_vec3_dot(x, sy);
  out[4] = sb_vec3_dot(x, sz);
  out[5] = sb_vec3_dot(y, sz);
}

/** Velocities, velocity products and biases, from the root. */
static void outwards(const aba_link *l, const aba_work *parent, double q, double v, aba_work *w) {
  const double c = cos(q), s = sin(q);
  for (int i = 0; i < 3; i++) {
    const double x = l->tree.m[i][0], y = l->tree.m[i][1];
    w->E.m[i][0] = c * x + s * y;
    w->E.m[i][1] = c * y - s * x;
    w->E.m[i][2] = l->tree.m[i][2];
  }
  sb_vec3 angular = {0, 0, v}, linear = {0, 0, 0};
  if (parent != NULL) {
    const sb_vec3 at = sb_twist_at(parent->v, l->at);
    angular = sb_vec3_add(angular, sb_mat3_apply_transposed(w->E, parent->v.angular));
    linear = sb_mat3_apply_transposed(w->E, at);
  }
  w->v = (sb_twist){angular, linear};
  w->c = (sb_twist){{angular.y * v, -angular.x * v, 0}, {linear.y * v, -linear.x * v, 0}};
  const sb_vec3 moment = sb_vec3_add(times(l->second, angular), sb_vec3_cross(l->first, linear));
  const sb_vec3 momentum =
      sb_vec3_sub(sb_vec3_scale(linear, l->mass), sb_vec3_cross(l->first, angular));
  w->p.moment = sb_vec3_add(sb_vec3_cross(angular, moment), sb_vec3_cross(linear, momentum));
  w->p.force = sb_vec3_cross(angular, momentum);
  for (int i = 0; i < 6; i++) {
    w->J[i] = l->second[i];
    w->M[i] = i < 3 ? l->mass : 0;
  }
  w->C = sb_mat3_hat(l->first);
}

/** Without the direction of the joint. */
static void eliminate(aba_work *w) {
  w->U.moment = (sb_vec3){w->J[4], w->J[5], w->J[2]};
  w->U.force = row(&w->C, 2);
  w->D = 1 / w->J[2];
  w->u = -w->p.moment.z;
  less_square(w->J, w->D, w->U.moment);
  less_square(w->M, w->D, w->U.force);
  const double m[3] = {w->D * w->U.moment.x, w->D * w->U.moment.y, w->D * w->U.moment.z};
  for (int i = 0; i < 3; i++) {
    w->C.m[i][0] -= m[i] * w->U.force.x;
    w->C.m[i][1] -= m[i] * w->U.force.y;
    w->C.m[i][2] -= m[i] * w->U.force.z;
  }
  const sb_vec3 moment = sb_vec3_add(times(w->J, w->c.angular), sb_mat3_apply(w->C, w->c.linear));
  const sb_vec3 force =
      sb_vec3_add(sb_mat3_apply_transposed(w->C, w->c.angular), times(w->M, w->c.linear));
  w->p.moment = sb_vec3_add(w->p.moment, sb_vec3_axpy(moment, w->D * w->u, w->U.moment));
  w->p.force = sb_vec3_add(w->p.force, sb_vec3_axpy(force, w->D * w->u, w->U.force));
}

/** Turned into the parent's axes, and shifted to its origin. */
static void pass_on(const aba_link *l, const aba_work *w, aba_work *parent) {
  double J[6], M[6];
  turn(&w->E, w->J, J);
  turn(&w->E, w->M, M);
  const sb_vec3 r = l->at;
  const sb_mat3 C = sb_mat3_mul(w->E, sb_mat3_mul(w->C, sb_mat3_transpose(w->E)));
  const sb_vec3 mx = {M[0], M[3], M[4]}, my = {M[3], M[1], M[5]}, mz = {M[4], M[5], M[2]};
  const sb_vec3 rx = sb_vec3_cross(r, mx), ry = sb_vec3_cross(r, my), rz = sb_vec3_cross(r, mz);
  const sb_mat3 shifted = {{{C.m[0][0] + rx.x, C.m[0][1] + ry.x, C.m[0][2] + rz.x},
                            {C.m[1][0] + rx.y, C.m[1][1] + ry.y, C.m[1][2] + rz.y},
                            {C.m[2][0] + rx.z, C.m[2][1] + ry.z, C.m[2][2] + rz.z}}};
  const sb_vec3 a = sb_vec3_cross(r, row(&C, 0)), b = sb_vec3_cross(r, row(&C, 1)),
                c = sb_vec3_cross(r, row(&C, 2));
  const sb_vec3 d = sb_vec3_cross(r, row(&shifted, 0)), e = sb_vec3_cross(r, row(&shifted, 1)),
                f = sb_vec3_cross(r, row(&shifted, 2));
  parent->J[0] += J[0] + a.x + d.x;
  parent->J[1] += J[1] + b.y + e.y;
  parent->J[2] += J[2] + c.z + f.z;
  parent->J[3] += J[3] + a.y + e.x;
  parent->J[4] += J[4] + a.z + f.x;
  parent->J[5] += J[5] + b.z + f.y;
  for (int i = 0; i < 6; i++) {
    parent->M[i] += M[i];
  }
  parent->C = sb_mat3_add(parent->C, shifted);
  const sb_vec3 force = sb_mat3_apply(w->E, w->p.force);
  parent->p.moment = sb_vec3_add(parent->p.moment, sb_mat3_apply(w->E, w->p.moment));
  parent->p.moment = sb_vec3_add(parent->p.moment, sb_vec3_cross(r, force));
  parent->p.force = sb_vec3_add(parent->p.force, force);
}

void aba_run(const aba_link link[], int count, sb_vec3 g, const double q[], const double v[],
             aba_work work[], double vdot[]) {
  for (int i = 0; i < count; i++) {
    outwards(&link[i], i > 0 ? &work[i - 1] : NULL, q[i], v[i], &work[i]);
  }
  for (int i = count - 1; i >= 0; i--) {
    eliminate(&work[i]);
    if (i > 0) {
      pass_on(&link[i], &work[i], &work[i - 1]);
    }
  }
  sb_twist a = {{0, 0, 0}, sb_vec3_neg(g)}; // gravity as an acceleration of the base
  for (int i = 0; i < count; i++) {
    aba_work *w = &work[i];
    const sb_vec3 linear = sb_twist_at(a, link[i].at);
    a.angular = sb_vec3_add(sb_mat3_apply_transposed(w->E, a.angular), w->c.angular);
    a.linear = sb_vec3_add(sb_mat3_apply_transposed(w->E, linear), w->c.linear);
    vdot[i] = w->D * (w->u - sb_power(w->U, a));
    a.angular.z += vdot[i];
  }
}
