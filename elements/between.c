// SPDX-License-Identifier: GPL-3.0-or-later
#include "elements/between_private.h"

#include <math.h>
#include <string.h>

#include "geometry/se3.h"

enum { POSES = 2, DIM_MAX = 6 };

sb_status sb_between_init(sb_between *self, sb_between_columns *columns, const sb_layout *layout,
                          sb_error *err) {
  self->columns = columns;
  self->dim = layout->ports[SB_BETWEEN_P].dim;
  return layout->port_count == 1 + POSES
             ? SB_OK
             : sb_fail(err, SB_ERR_MISSING, "its ports body1 and body2 need a body each");
}

static void refer(void *self, const double origin[3]) {
  ((sb_between *)self)->origin = sb_vec3_load(origin);
}

static bool is_body_port(const void *self, int port) {
  (void)self;
  return port != SB_BETWEEN_P;
}

static void effort_in_world(const void *self, int port, double values[]) {
  const sb_between *s = self;
  (void)port;
  sb_wrench_store(values, sb_wrench_from(s->origin, sb_wrench_load(values)));
}

static void flow_in_world(const void *self, int port, double values[]) {
  const sb_between *s = self;
  (void)port;
  sb_twist_store(values, sb_twist_from(s->origin, sb_twist_load(values)));
}

const sb_place_hooks sb_between_place = {
    .refer = refer, .placed = is_body_port, .effort = effort_in_world, .flow = flow_in_world};

static int body_place(const sb_between *s, int body) {
  return s->dim + 6 * body;
}

static sb_twist load_twist(const double in[]) {
  return (sb_twist){sb_vec3_load(in), sb_vec3_load(in + 3)};
}

static sb_between_frames frames_at(const sb_between *s, const sb_at *at) {
  sb_between_frames f;
  for (int i = 0; i < POSES; i++) {
    memcpy(&f.pose[i], at->signals[i], sizeof f.pose[i]);
    f.twist[i] = load_twist(at->in + body_place(s, i));
  }
  return f;
}

/** Its own signals: the displacement, the columns and how they change. */
static sb_wrench *own_columns(const sb_at *at) {
  return (sb_wrench *)(void *)(at->own + 1);
}

/** sum over the columns of e: a wrench. */
static sb_wrench combine(const sb_wrench columns[], const double e[], int count) {
  sb_wrench all = {{0, 0, 0}, {0, 0, 0}};
  for (int c = 0; c < count; c++) {
    all = sb_wrench_add(all, sb_wrench_scale(columns[c], e[c]));
  }
  return all;
}

static void store_pair(const sb_between *s, sb_wrench w, double y[]) {
  for (int i = 0; i < POSES; i++) {
    const sb_wrench own = sb_wrench_scale(w, i == 0 ? 1 : -1);
    sb_vec3_store(y + body_place(s, i), own.moment);
    sb_vec3_store(y + body_place(s, i) + 3, own.force);
  }
}

int sb_between_forward(const void *self, const sb_at *at, double y[]) {
  const sb_between *s = self;
  const sb_between_frames f = frames_at(s, at);
  sb_wrench *A = own_columns(at);
  const sb_twist relative = sb_twist_sub(f.twist[1], f.twist[0]);
  if (!s->columns(self, &f, A, A + s->dim, at->own)) {
    return -1;
  }
  for (int c = 0; c < s->dim; c++) {
    y[c] = sb_power(A[c], relative);
  }
  return 0;
}

int sb_between_adjoint(const void *self, const sb_at *at, double y[]) {
  const sb_between *s = self;
  store_pair(s, combine(own_columns(at), at->in, s->dim), y);
  return 0;
}

int sb_between_forward_rate(const void *self, const sb_at *at, double ydot[]) {
  const sb_between *s = self;
  const sb_between_frames f = frames_at(s, at);
  const double *rate = at->in_rate;
  const sb_twist relative = sb_twist_sub(f.twist[1], f.twist[0]),
                 change = sb_twist_sub(load_twist(rate + body_place(s, 1)),
                                       load_twist(rate + body_place(s, 0)));
  sb_wrench A[DIM_MAX], Adot[DIM_MAX];
  double q;
  if (!s->columns(self, &f, A, Adot, &q)) {
    return -1;
  }
  for (int c = 0; c < s->dim; c++) {
    ydot[c] = sb_power(A[c], change) + sb_power(Adot[c], relative);
  }
  return 0;
}

int sb_between_adjoint_rate(const void *self, const sb_at *at, double ydot[]) {
  const sb_between *s = self;
  const sb_wrench *A = own_columns(at);
  store_pair(s, sb_wrench_add(combine(A, at->in_rate, s->dim), combine(A + s->dim, at->in, s->dim)),
             ydot);
  return 0;
}

/** The frames move with the bodies. */
void sb_between_poses_ahead(const void *self, const sb_at *at, double h, double *const signals[]) {
  const sb_between_frames f = frames_at(self, at);
  for (int i = 0; i < POSES; i++) {
    const sb_pose moved = sb_pose_compose(sb_se3_exp(sb_twist_scale(f.twist[i], h)), f.pose[i]);
    memcpy(signals[i], &moved, sizeof moved);
  }
}

void sb_between_kernel(const void *self, const sb_at *at, const sb_layout *layout,
                       sb_kernel *kernel) {
  const sb_between *s = self;
  const sb_wrench *A = own_columns(at);
  (void)layout;
  for (int i = 0; i < 6 * POSES; i++) {
    sb_kernel_add(kernel, s->dim + i, s->dim + i, SB_EFFORT, 1);
  }
  for (int c = 0; c < s->dim; c++) {
    double a[6];
    sb_vec3_store(a, A[c].moment);
    sb_vec3_store(a + 3, A[c].force);
    sb_kernel_add(kernel, c, c, SB_FLOW, -1);
    for (int i = 0; i < 6 * POSES; i++) {
      const double own = i < 6 ? -a[i] : a[i - 6];
      sb_kernel_add(kernel, s->dim + i, c, SB_EFFORT, own);
      sb_kernel_add(kernel, c, s->dim + i, SB_FLOW, own);
    }
  }
}

double sb_between_displacement(const void *self, const sb_at *at) {
  const sb_between *s = self;
  sb_between_frames f = {.pose = {sb_pose_identity(), sb_pose_identity()}};
  sb_wrench A[DIM_MAX], Adot[DIM_MAX];
  double q;
  for (int i = 0; i < POSES; i++) {
    memcpy(&f.pose[i], at->signals[i], sizeof f.pose[i]);
  }
  return s->columns(self, &f, A, Adot, &q) ? q : NAN;
}

void sb_between_ahead(const void *self, const sb_at *at, double h, double q[]) {
  double moved[POSES][12];
  const double *signals[POSES] = {moved[0], moved[1]};
  double *const place[POSES] = {moved[0], moved[1]};
  sb_at later = *at;
  sb_between_poses_ahead(self, at, h, place);
  later.signals = signals;
  q[0] = sb_between_displacement(self, &later);
}
