// SPDX-License-Identifier: GPL-3.0-or-later
// What the tests of trees share: random trees of all kinds of joints, poses by exponentials, and M as a sum over the bodies of
// J^T I J with Jacobians by differences of these poses. None of it uses what is tested.
#ifndef SB_TESTS_MECHANISM_SPECIMEN_H
#define SB_TESTS_MECHANISM_SPECIMEN_H

#include <stdlib.h>

#include "tests/near.h"

#include "geometry/se3.h"
#include "mechanism/dynamics.h"

enum { BODIES_MAX = 24, VELOCITIES_MAX = 6 * BODIES_MAX, COORDINATES_MAX = 7 * BODIES_MAX };

/** A tree with a position, a motion and loads. */
typedef struct specimen {
  int count, n, nq; // bodies, velocities, coordinates
  sb_tree_body body[BODIES_MAX];
  sb_vec3 gravity;
  sb_tree *tree;
  double *scratch;
  double q[COORDINATES_MAX], qdot[COORDINATES_MAX];
  double v[VELOCITIES_MAX], p[VELOCITIES_MAX], pdot[VELOCITIES_MAX], tau[VELOCITIES_MAX];
  sb_wrench wrench[BODIES_MAX];
} specimen;

static unsigned long long random_state = 2385;

static inline double uniform(double low, double high) {
  random_state ^= random_state >> 12;
  random_state ^= random_state << 25;
  random_state ^= random_state >> 27;
  return low + (high - low) * (double)((random_state * 2685821657736338717u) >> 11) * 0x1p-53;
}
static inline sb_vec3 uniform_vec3(double size) {
  const double x = uniform(-size, size), y = uniform(-size, size), z = uniform(-size, size);
  return (sb_vec3){x, y, z};
}
static inline sb_quat uniform_quat(void) {
  return sb_quat_from_axis_angle(uniform_vec3(1), uniform(0.2, 3));
}
static inline sb_pose uniform_pose(void) {
  const sb_mat3 r = sb_quat_rotation(uniform_quat());
  return (sb_pose){r, uniform_vec3(0.8)};
}

/** Of a body with random second moments of its mass, turned at random. */
static inline sb_inertia uniform_inertia(double mass) {
  const double a = uniform(0.01, 0.2), b = uniform(0.01, 0.2), c = uniform(0.01, 0.2);
  const sb_mat3 r = sb_quat_rotation(uniform_quat());
  const sb_mat3 central = sb_mat3_diag((sb_vec3){mass * (b + c), mass * (c + a), mass * (a + b)});
  return sb_inertia_make(mass, uniform_vec3(0.3),
                         sb_mat3_mul(r, sb_mat3_mul(central, sb_mat3_transpose(r))));
}

static inline sb_tree_body uniform_body(const char *joint, int parent) {
  sb_tree_body b = {.name = joint,
                    .parent = parent,
                    .joint = sb_joint_find(joint),
                    .in_parent = uniform_pose(),
                    .in_body = uniform_pose(),
                    .axis = uniform_vec3(2),
                    .second = uniform_vec3(2),
                    .pitch = uniform(0.1, 0.3),
                    .inertia = uniform_inertia(uniform(0.3, 3))};
  int k = 0;
  for (const sb_joint_step *step = b.joint->steps; step->primitive != NULL; step++) {
    for (int end = k + step->primitive->velocities; k < end; k++) {
      b.stiffness[k] =
          step->primitive->coordinates == step->primitive->velocities ? uniform(0, 20) : 0;
      b.rest[k] = uniform(-1, 1);
    }
  }
  return b;
}

static inline void specimen_finish(specimen *s) {
  sb_tree_destroy(s->tree);
  free(s->scratch);
}

/** Compiles the bodies, and draws position, motion and loads. */
static inline void specimen_start(specimen *s) {
  sb_error err = {0};
  int faulty;
  ok(sb_tree_create(s->body, s->count, s->gravity, &s->tree, &faulty, &err), &err);
  s->n = sb_tree_velocities(s->tree);
  s->nq = sb_tree_coordinates(s->tree);
  s->scratch = calloc((size_t)sb_tree_scratch(s->tree) + 1, sizeof *s->scratch);
  assert_non_null(s->scratch);
  for (int i = 0; i < s->nq; i++) {
    s->q[i] = uniform(-1, 1);
  }
  for (int i = 0; i < s->count; i++) {
    const sb_tree_joint at = sb_tree_joint_of(s->tree, i);
    if (at.coordinates > at.velocities) { // the quaternion stands last; not quite of length one
      const sb_quat q = uniform_quat();
      const double length = uniform(0.9, 1.1);
      double *x = s->q + at.coordinate + at.coordinates - 4;
      x[0] = length * q.w, x[1] = length * q.x, x[2] = length * q.y, x[3] = length * q.z;
    }
    const sb_vec3 moment = uniform_vec3(3);
    s->wrench[i] = (sb_wrench){moment, uniform_vec3(3)};
  }
  for (int i = 0; i < s->n; i++) {
    s->v[i] = uniform(-2, 2);
    s->tau[i] = uniform(-3, 3);
  }
  sb_tree_place(s->tree, s->q, s->scratch);
  sb_tree_move(s->tree, s->v, s->scratch, s->p);
}

/** A random tree: every kind of joint, carried by any body before it; `kinds` names them, NULL: all. */
static inline void specimen_draw(specimen *s, int count, const char *const kinds[],
                                 int kind_count) {
  static const char *const all[] = {"revolute",  "free",         "universal",   "helical",
                                    "spherical", "fixed",        "cylindrical", "planar",
                                    "prismatic", "translational"};
  if (kinds == NULL) {
    kinds = all;
    kind_count = sizeof all / sizeof *all;
  }
  *s = (specimen){.count = count, .gravity = uniform_vec3(9)};
  for (int i = 0; i < count; i++) {
    const int parent = (int)floor(uniform(i > 3 ? i - 4 : -1, i - 1e-9));
    s->body[i] = uniform_body(kinds[(int)floor(uniform(0, kind_count - 1e-9))], parent);
  }
  // A body without mass, which one with mass moves against.
  for (int i = 0; i + 1 < count; i++) {
    const bool one = sb_joint_velocities(s->body[i].joint) == 1;
    const int next = sb_joint_velocities(s->body[i + 1].joint);
    if (one && next > 0 && next < 3 && s->body[i + 1].parent == i) {
      s->body[i++].inertia = (sb_inertia){0};
    }
  }
  specimen_start(s);
}

/** The motion of a joint's frame by its coordinates. */
static inline sb_pose joint_motion(const sb_tree_body *b, const double q[]) {
  const char *kind = b->joint->name;
  const sb_vec3 z = sb_vec3_normalize(b->axis), none = {0, 0, 0};
  const sb_vec3 x = sb_vec3_normalize(sb_vec3_axpy(b->second, -sb_vec3_dot(z, b->second), z));
  const sb_vec3 y = sb_vec3_cross(z, x);
#define ALONG(axis, s) ((sb_pose){sb_mat3_identity(), sb_vec3_scale((axis), (s))})
#define ABOUT(axis, s) sb_se3_exp((sb_twist){sb_vec3_scale((axis), (s)), none})
#define FREELY(q) ((sb_pose){sb_quat_rotation((sb_quat){(q)[0], (q)[1], (q)[2], (q)[3]}), none})
  if (strcmp(kind, "revolute") == 0) {
    return ABOUT(z, q[0]);
  } else if (strcmp(kind, "prismatic") == 0) {
    return ALONG(z, q[0]);
  } else if (strcmp(kind, "helical") == 0) {
    return sb_se3_exp((sb_twist){sb_vec3_scale(z, q[0]), sb_vec3_scale(z, b->pitch * q[0])});
  } else if (strcmp(kind, "cylindrical") == 0) {
    return sb_pose_compose(ABOUT(z, q[0]), ALONG(z, q[1]));
  } else if (strcmp(kind, "universal") == 0) {
    return sb_pose_compose(ABOUT(z, q[0]), ABOUT(x, q[1]));
  } else if (strcmp(kind, "spherical") == 0) {
    return FREELY(q);
  } else if (strcmp(kind, "planar") == 0) {
    return sb_pose_compose(ALONG(sb_vec3_axpy(sb_vec3_scale(x, q[0]), q[1], y), 1), ABOUT(z, q[2]));
  } else if (strcmp(kind, "translational") == 0) {
    return (sb_pose){sb_mat3_identity(), sb_vec3_load(q)};
  } else if (strcmp(kind, "free") == 0) {
    return sb_pose_compose((sb_pose){sb_mat3_identity(), sb_vec3_load(q)}, FREELY(q + 3));
  }
  assert_string_equal(kind, "fixed");
  return sb_pose_identity();
#undef ALONG
#undef ABOUT
#undef FREELY
}

/** Poses of all bodies at the coordinates q. */
static inline void place_by_exponentials(const specimen *s, const double q[], sb_pose out[]) {
  for (int i = 0; i < s->count; i++) {
    const sb_tree_body *b = &s->body[i];
    const sb_pose moved = joint_motion(b, q + sb_tree_joint_of(s->tree, i).coordinate);
    out[i] = b->parent < 0 ? sb_pose_identity() : out[b->parent];
    out[i] = sb_pose_compose(sb_pose_compose(out[i], b->in_parent),
                             sb_pose_compose(moved, sb_pose_inverse(b->in_body)));
  }
}

/** q moved by the velocity k for a time h; a free turn goes on by an exponential. */
static inline void drift(const specimen *s, int k, double h, double q[]) {
  memcpy(q, s->q, (size_t)s->nq * sizeof *q);
  for (int i = 0; i < s->count; i++) {
    const sb_tree_joint at = sb_tree_joint_of(s->tree, i);
    const int own = k - at.velocity;
    if (own < 0 || own >= at.velocities) {
      continue;
    }
    if (at.coordinates == at.velocities || own < at.velocities - 3) {
      q[at.coordinate + own] += h;
    } else {
      double *x = q + at.coordinate + at.coordinates - 4;
      const int axis = own - (at.velocities - 3);
      const sb_quat turn = sb_quat_from_axis_angle((sb_vec3){axis == 0, axis == 1, axis == 2}, h);
      const sb_quat r = sb_quat_mul(sb_quat_load(x), turn);
      x[0] = r.w, x[1] = r.x, x[2] = r.y, x[3] = r.z;
    }
  }
}

/** The twists of all bodies by a unit of the velocity k, to about 1e-11: differences of the fourth order. */
static inline void twists_by_differences(const specimen *s, int k, sb_twist out[]) {
  static const double at[4] = {-2, -1, 1, 2}, weight[4] = {1. / 12, -2. / 3, 2. / 3, -1. / 12};
  static const double h = 1e-3;
  sb_pose now[BODIES_MAX], then[BODIES_MAX];
  double q[COORDINATES_MAX];
  place_by_exponentials(s, s->q, now);
  memset(out, 0, (size_t)s->count * sizeof *out);
  for (int j = 0; j < 4; j++) {
    drift(s, k, at[j] * h, q);
    place_by_exponentials(s, q, then);
    for (int i = 0; i < s->count; i++) {
      const sb_twist moved = sb_se3_log(sb_pose_compose(then[i], sb_pose_inverse(now[i])));
      out[i] = sb_twist_add(out[i], sb_twist_scale(moved, weight[j] / h));
    }
  }
}

/** M (n x n), the sum over the bodies of J^T I J. */
static inline void dense_mass(const specimen *s, double M[]) {
  static sb_twist J[VELOCITIES_MAX][BODIES_MAX];
  sb_pose poses[BODIES_MAX];
  place_by_exponentials(s, s->q, poses);
  for (int k = 0; k < s->n; k++) {
    twists_by_differences(s, k, J[k]);
  }
  memset(M, 0, (size_t)(s->n * s->n) * sizeof *M);
  for (int i = 0; i < s->count; i++) {
    const sb_inertia I = sb_inertia_transform(poses[i], s->body[i].inertia);
    for (int a = 0; a < s->n; a++) {
      const sb_wrench h = sb_inertia_momentum(&I, J[a][i]);
      for (int b = 0; b < s->n; b++) {
        M[a * s->n + b] += sb_power(h, J[b][i]);
      }
    }
  }
}

/** The greatest absolute value. */
static inline double largest(const double x[], int count) {
  double size = 0;
  for (int i = 0; i < count; i++) {
    size = fmax(size, fabs(x[i]));
  }
  return size;
}

#endif
