// SPDX-License-Identifier: GPL-3.0-or-later
// Two random ellipsoids around a known pair of closest points, and what the hooks of their contact see: for tests of
// the equations of a contact.
#ifndef SB_TESTS_RANDOM_CONTACT_H
#define SB_TESTS_RANDOM_CONTACT_H

#include <stdlib.h>

#include "catalog.h"
#include "contact/contact.h"
#include "contact/skin_private.h"
#include "contact/structure_private.h"
#include "core/graph/kernel.h"
#include "geometry/quat.h"
#include "tests/dirac_matrices.h"

enum { TRIALS = 300, DISCRETE = 16 };

static inline double random_in(double low, double high) {
  return low + (high - low) * rand() / (double)RAND_MAX;
}

static inline sb_vec3 random_vector(double size) {
  return (sb_vec3){random_in(-size, size), random_in(-size, size), random_in(-size, size)};
}

static inline sb_mat3 random_rotation(void) {
  return sb_quat_rotation(sb_quat_from_axis_angle(random_vector(1), random_in(-3, 3)));
}

/** Two ellipsoids with the common normal n at p1 and p2 = p1 - depth n. */
typedef struct scene {
  sb_contact_data data;
  sb_material material[2];
  sb_pose pose[2];
  sb_vec3 n, p1;
  double depth; // [m]
} scene;

/** R diag(a^2) R^T n / sqrt(n.R diag(a^2) R^T n): from the centre to the point with the normal n. */
static inline sb_vec3 support(sb_vec3 a, sb_mat3 R, sb_vec3 n) {
  sb_vec3 m = sb_mat3_apply_transposed(R, n);
  sb_vec3 x = {a.x * a.x * m.x, a.y * a.y * m.y, a.z * a.z * m.z};
  return sb_vec3_scale(sb_mat3_apply(R, x), 1 / sqrt(sb_vec3_dot(m, x)));
}

/** Isotropic in the tangent plane. */
static inline sb_material random_material(void) {
  return (sb_material){.stiffness = {2110, 2110, random_in(1000, 5000)},
                       .spin_stiffness = 1.9,
                       .damping = {3.1, 3.1, 4.3},
                       .spin_damping = 0.017};
}

/** With tensors in the axes of the body; positive definite, as the coupling is less than the least of the diagonal. */
static inline sb_material random_directed_material(void) {
  sb_material m = {.axes = SB_AXES_BODY,
                   .spin_stiffness = random_in(0.5, 2),
                   .spin_damping = random_in(0.01, 0.03)};
  for (int i = 0; i < 3; i++) {
    m.stiffness[i] = random_in(1000, 4000);
    m.stiffness_coupling[i] = random_in(-400, 400);
    m.damping[i] = random_in(1, 4);
    m.damping_coupling[i] = random_in(-0.4, 0.4);
  }
  return m;
}

static inline scene random_scene(bool slips, bool directed) {
  scene s = {.data = {.law = sb_contact_law_defaults()},
             .n = sb_vec3_normalize(random_vector(1)),
             .p1 = random_vector(1.7),
             .depth = random_in(1e-4, 5e-3)};
  sb_contact_spec spec = {.body = {"a", "b"}};
  sb_error err = {0};
  sb_vec3 point = s.p1;
  for (int i = 0; i < 2; i++) {
    sb_vec3 a = {random_in(0.1, 0.3), random_in(0.1, 0.3), random_in(0.1, 0.3)};
    s.data.surface[i] = sb_surface_ellipsoid(a, sb_pose_identity());
    s.pose[i].rotation = random_rotation();
    s.pose[i].position =
        sb_vec3_sub(point, support(a, s.pose[i].rotation, sb_vec3_scale(s.n, i == 0 ? 1 : -1)));
    point = sb_vec3_axpy(point, -s.depth, s.n);
    s.material[i] = spec.material[i] = directed ? random_directed_material() : random_material();
  }
  s.data.law.slips = slips;
  s.data.law.mu = 0.37;
  ok(sb_contact_law_complete(&s.data.law, NULL, &err), &err);
  ok(sb_contact_skin_combine(&spec, &s.data, &err), &err);
  s.data.load_count = slips ? SB_CONTACT_DIM : 2 * SB_CONTACT_DIM; // in series, or side by side
  return s;
}

/** The distance of the surface of an ellipsoid from the tangent plane at p, at p + t along the normal n. */
static inline double sagitta(const scene *s, int body, sb_vec3 p, sb_vec3 n, sb_vec3 t) {
  sb_vec3 a = s->data.surface[body].semi_axes, start = sb_vec3_add(p, t);
  sb_vec3 x =
      sb_mat3_apply_transposed(s->pose[body].rotation, sb_vec3_sub(start, s->pose[body].position));
  sb_vec3 m = sb_mat3_apply_transposed(s->pose[body].rotation, n);
  double A = 0, B = 0, C = -1;
  const double xs[3] = {x.x / a.x, x.y / a.y, x.z / a.z}, ms[3] = {m.x / a.x, m.y / a.y, m.z / a.z};
  for (int i = 0; i < 3; i++) {
    A += ms[i] * ms[i];
    B += ms[i] * xs[i];
    C += xs[i] * xs[i];
  }
  return C / (B + sqrt(B * B - A * C)); // along -n, without cancellation
}

/** What the hooks of a structure see. */
typedef struct stage {
  double in[20], discrete[DISCRETE], y[20];
  sb_contact_frame frame;
  const double *signals[2];
} stage;

static inline sb_at at_of(stage *g, const scene *s, int mode) {
  *g = (stage){.signals = {(const double *)&s->pose[0], (const double *)&s->pose[1]}};
  for (int i = 0; i < 20; i++) {
    g->in[i] = random_in(-2.385, 2.385);
  }
  return (sb_at){.in = g->in,
                 .signals = g->signals,
                 .own = (double *)(void *)&g->frame,
                 .discrete = g->discrete,
                 .mode = mode};
}

static const char *const kinds[] = {"contact", "contact-slipping"};

static inline void load_kernel(const sb_element_type *kind, const sb_at *at, const int dims[],
                               int ports, sb_dirac *d) {
  sb_port port[4];
  sb_layout layout = {.ports = port, .port_count = ports, .dim = dims[0]};
  sb_kernel kernel = {0};
  int n = 0;
  for (int i = 0; i < ports; i++) {
    port[i] = (sb_port){.dim = dims[i],
                        .sign = i == 0 ? -1 : 1}; // of junctions: power arrives at the first
    n += dims[i];
  }
  kind->structure->kernel(NULL, at, &layout, &kernel);
  dirac_init(d, n);
  sb_dirac_load(d, &kernel);
  sb_kernel_finish(&kernel);
}

#endif
