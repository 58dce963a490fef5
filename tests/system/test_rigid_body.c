// SPDX-License-Identifier: GPL-3.0-or-later
// Free rigid bodies: what is conserved, precession and free fall in closed form, and inertias that
// no body has.
#include "tests/fixture.h"

#include "geometry/quat.h"

typedef struct body {
  double mass;
  double inertia[6];
  int inertia_count;
  double gravity[3], position[3], velocity[3], spin[3], rotation[4];
} body;

static sb_graph *graph_of(const body *b) {
  sb_graph *graph;
  assert_int_equal(sb_graph_create("free body", &graph, NULL), SB_OK);
  const double unit[4] = {1, 0, 0, 0};
  sb_element *e = add_kind(graph, "body", "b", "mass", b->mass);
  set_values(e, "inertia", b->inertia, b->inertia_count);
  set_values(e, "gravity", b->gravity, 3);
  set_values(e, "position", b->position, 3);
  set_values(e, "rotation", b->rotation[0] == 0 ? unit : b->rotation, 4);
  set_values(e, "velocity", b->velocity, 3);
  set_values(e, "angular-velocity", b->spin, 3);
  return graph;
}

static run start_body(const body *b, const char *method, double rtol) {
  return start_graph(graph_of(b), options_of(method, rtol));
}

static const body asymmetric = {.mass = 2.385,
                                .inertia = {0.31, 0.47, 0.66},
                                .inertia_count = 3,
                                .position = {0.2, -0.7, 1.1},
                                .velocity = {0.31, -0.12, 0.23},
                                .spin = {0.11, 2.9, -0.17}}; // near the unstable axis

/** Kinetic energy, and angular momentum about the world's origin, of a body that tumbles 100 s. */
static void tumbling_conserves(void **state) {
  (void)state;
  const char *const methods[] = {"fehlberg-8", "dormand-prince-5"};
  for (int k = 0; k < 2; k++) {
    run r = start_body(&asymmetric, methods[k], 1e-11);
    double h[2], l[2][3], q[4], v[3];
    read_all(&r, "b.energy", &h[0]);
    read_all(&r, "b.angular-momentum", l[0]);
    const body *b = &asymmetric;
    double want = 0;
    for (int i = 0; i < 3; i++) {
      want += b->mass * b->velocity[i] * b->velocity[i] / 2;
      want += b->inertia[i] * b->spin[i] * b->spin[i] / 2;
      int j = (i + 1) % 3, m = (i + 2) % 3;
      double orbital = b->position[j] * b->velocity[m] - b->position[m] * b->velocity[j];
      assert_near_relative(l[0][i], b->mass * orbital + b->inertia[i] * b->spin[i], 1e-14);
    }
    assert_near_relative(h[0], want, 1e-14);
    for (int step = 1; step <= 20; step++) {
      advance(&r, 5.0 * step);
      read_all(&r, "b.energy", &h[1]);
      read_all(&r, "b.angular-momentum", l[1]);
      read_all(&r, "b.velocity", v);
      double size = sqrt(l[0][0] * l[0][0] + l[0][1] * l[0][1] + l[0][2] * l[0][2]);
      assert_near_relative(h[1], h[0], 1e-9);
      for (int i = 0; i < 3; i++) {
        assert_near(l[1][i], l[0][i], 1e-9 * size);
        assert_near(v[i], b->velocity[i], 1e-15);
      }
    }
    read_all(&r, "b.rotation", q);
    assert_near(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, 1e-14);
    const double *x = sb_simulation_state(r.sim) + 6; // the quaternion itself
    assert_near(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3], 1, 1e-9);
    stop(&r);
  }
}

static sb_vec3 turned(sb_vec3 v, sb_vec3 axis, double angle) { // Rodrigues
  sb_vec3 out = sb_vec3_scale(v, cos(angle));
  out = sb_vec3_axpy(out, sin(angle), sb_vec3_cross(axis, v));
  return sb_vec3_axpy(out, (1 - cos(angle)) * sb_vec3_dot(axis, v), axis);
}

/** The axis of a symmetric body goes round its angular momentum L at the rate |L| / A, and turns
 *  about itself at (1/C - 1/A) L.axis besides. */
static void axisymmetric_precession(void **state) {
  (void)state;
  const double A = 0.83, C = 0.31, t = 11.7;
  body b = {.mass = 1.3, .inertia = {A, A, C}, .inertia_count = 3, .spin = {0.9, -0.4, 2.7}};
  run r = start_body(&b, "fehlberg-8", 1e-11);
  advance(&r, t);
  double q[4];
  read_all(&r, "b.rotation", q);
  sb_mat3 R = sb_quat_rotation(sb_quat_load(q));
  sb_vec3 L = {A * b.spin[0], A * b.spin[1], C * b.spin[2]}, z = {0, 0, 1}, x = {1, 0, 0};
  double size = sb_vec3_norm(L), own = (1 / C - 1 / A) * L.z;
  sb_vec3 along = sb_vec3_scale(L, 1 / size);
  sb_vec3 want_z = turned(z, along, size / A * t);
  sb_vec3 want_x = turned(turned(x, z, own * t), along, size / A * t);
  sb_vec3 off_z = sb_vec3_sub(sb_mat3_apply(R, z), want_z);
  sb_vec3 off_x = sb_vec3_sub(sb_mat3_apply(R, x), want_x);
  assert_near(sb_vec3_norm(off_z), 0, 1e-9);
  assert_near(sb_vec3_norm(off_x), 0, 1e-9);
  stop(&r);
}

/** x = x0 + v0 t + g t^2 / 2 whatever the body does besides; the energy counts the height. */
static void free_fall(void **state) {
  (void)state;
  body b = asymmetric;
  memcpy(b.gravity, (double[3]){0.3, -0.7, -9.81}, sizeof b.gravity);
  run r = start_body(&b, "dormand-prince-5", 1e-10);
  double t = 2.385, x[3], v[3], before, after;
  read_all(&r, "b.energy", &before);
  advance(&r, t);
  read_all(&r, "b.position", x);
  read_all(&r, "b.velocity", v);
  read_all(&r, "b.energy", &after);
  for (int i = 0; i < 3; i++) {
    assert_near(x[i], b.position[i] + b.velocity[i] * t + b.gravity[i] * t * t / 2, 1e-12 * t * t);
    assert_near(v[i], b.velocity[i] + b.gravity[i] * t, 1e-12);
  }
  assert_near_relative(after, before, 1e-9);
  assert_near(ledger_of(&r)->total.supplied, 0, 0);
  stop(&r);
}

/** J' = M J M^T for axes turned by M, with the attitude R M^T: the same motion. */
static void full_inertia(void **state) {
  (void)state;
  sb_quat q = sb_quat_from_axis_angle((sb_vec3){0.3, -0.5, 0.8}, 1.1);
  sb_quat turn = sb_quat_from_axis_angle((sb_vec3){-0.6, 0.2, 0.4}, 0.83);
  sb_mat3 M = sb_quat_rotation(turn);
  body plain = asymmetric, turned_axes = asymmetric;
  memcpy(plain.rotation, (double[4]){q.w, q.x, q.y, q.z}, sizeof plain.rotation);
  sb_quat p = sb_quat_mul(q, (sb_quat){turn.w, -turn.x, -turn.y, -turn.z});
  memcpy(turned_axes.rotation, (double[4]){p.w, p.x, p.y, p.z}, sizeof p);
  sb_vec3 diagonal = sb_vec3_load(asymmetric.inertia);
  sb_mat3 J = sb_mat3_mul(sb_mat3_mul(M, sb_mat3_diag(diagonal)), sb_mat3_transpose(M));
  memcpy(turned_axes.inertia,
         (double[6]){J.m[0][0], J.m[1][1], J.m[2][2], J.m[0][1], J.m[0][2], J.m[1][2]},
         sizeof turned_axes.inertia);
  turned_axes.inertia_count = 6;
  run a = start_body(&plain, "fehlberg-8", 1e-11),
      b = start_body(&turned_axes, "fehlberg-8", 1e-11);
  const char *const names[] = {"b.angular-velocity", "b.spin", "b.position", "b.angular-momentum"};
  for (int k = 0; k < 3; k++) {
    advance(&a, 1.3 * k);
    advance(&b, 1.3 * k);
    for (int i = 0; i < 4; i++) {
      double u[3], v[3];
      read_all(&a, names[i], u);
      read_all(&b, names[i], v);
      for (int c = 0; c < 3; c++) {
        assert_near(v[c], u[c], 1e-9);
      }
    }
  }
  stop(&a);
  stop(&b);
}

static void refuse(body b, sb_status status, const char *text) {
  refuse_graph(graph_of(&b), status, text);
}

static body with_inertia(int count, const double inertia[]) {
  body b = asymmetric;
  b.inertia_count = count;
  memcpy(b.inertia, inertia, (size_t)count * sizeof *inertia);
  return b;
}

static void impossible_inertias(void **state) {
  (void)state;
  const char *triangle = "body 'b': no rigid body has this inertia: a principal moment exceeds the "
                         "sum of the other two";
  refuse(with_inertia(3, (double[]){1.1, 2.2, 3.4}), SB_ERR_RANGE, triangle);
  refuse(with_inertia(3, (double[]){3.4, 1.1, 2.2}), SB_ERR_RANGE, triangle);
  // principal moments 2 +- 1.5 and 2.9, about axes turned by 45 degrees
  refuse(with_inertia(6, (double[]){2, 2, 2.9, 1.5, 0, 0}), SB_ERR_RANGE, triangle);
  refuse(with_inertia(3, (double[]){1.1, -2.2, 1.3}), SB_ERR_RANGE,
         "body 'b': the inertia must be positive definite");
  refuse(with_inertia(6, (double[]){2, 2, 2.9, 2.1, 0, 0}), SB_ERR_RANGE,
         "body 'b': the inertia must be positive definite");
  refuse(with_inertia(4, (double[]){1, 1, 1, 0}), SB_ERR_DIMENSION,
         "body 'b': inertia takes 3 numbers (xx yy zz) or 6 (xx yy zz xy xz yz), got 4");
  body plate = with_inertia(3, (double[]){1.1, 2.2, 3.3}); // just possible: flat
  run r = start_body(&plate, "verner-6", 1e-8);
  advance(&r, 0.1);
  stop(&r);
}

/** A body falls by (0, -5, -5) m/s^2 from a place where its potential is zero, as the terms along y and z cancel each other: what
 *  is audited behind times so short that its place has not changed is known to the rounding of these terms. It falls g t^2/2. */
static void falls_from_the_level_of_zero(void **state) {
  (void)state;
  static const double times[] = {1e-20, 3e-18, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3};
  for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
    body b = with_inertia(3, (double[]){1.1, 2.2, 1.3});
    memcpy(b.gravity, (double[]){0, -5, -5}, sizeof b.gravity);
    memcpy(b.position, (double[]){-0.03, -0.05, 0.05}, sizeof b.position);
    memset(b.velocity, 0, sizeof b.velocity);
    memset(b.spin, 0, sizeof b.spin);
    run r = start_body(&b, "dormand-prince-5", 1e-8);
    advance(&r, times[i]);
    assert_near(component(&r, "b.position", 2), 0.05 - 5 * times[i] * times[i] / 2, 1e-17);
    assert_near(component(&r, "b.velocity", 2), -5 * times[i], 1e-14 * times[i]);
    assert_balanced(&r);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tumbling_conserves),  cmocka_unit_test(axisymmetric_precession),
      cmocka_unit_test(free_fall),           cmocka_unit_test(full_inertia),
      cmocka_unit_test(impossible_inertias), cmocka_unit_test(falls_from_the_level_of_zero),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
