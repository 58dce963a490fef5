// SPDX-License-Identifier: GPL-3.0-or-later
// What no energy tells of a tree's rates, checked body by body and about the world's origin, apart from the recursions:
//   velocities v, as the rates of the coordinates say; twists V = V_parent + sum of S v of each body, which stand at its port
//   poses      the differences of a pose along these rates are what V makes of it
//   momenta    p = S.H with the momentum H of all that the joint carries, and by Newton's and Euler's laws for that
//              pdot = Sdot.H + S.W + tau - dV/dq,  Sdot = ad_T S with the twist T of the frame that S is fixed in
//   loops      stay closed along v and vdot, by second differences of their gaps: J vdot + Jdot v = 0
#include <float.h>
#include <math.h>
#include <string.h>

#include "geometry/quat.h"
#include "mechanism/closure_private.h"
#include "mechanism/dynamics.h"
#include "mechanism/loads.h"
#include "mechanism/mechanism_private.h"

/** Differences of poses, by steps in which nothing moves by more than this, are known to this. */
static const double step = 1e-3, seen = 1e-9;
/** What loops or contacts hold, or turns back as fast as it is carried round, is a difference of rates: it counts as this part of the
 *  fastest. */
static const double still = 1e-2;
/** Below this a difference is the rounding of denormals. */
static const double least = 0x1p-511 / DBL_EPSILON;

typedef struct audit {
  const sb_linkage *l;
  const sb_at *at;
  sb_vec3 origin; // that places count from
  const double *xdot, *scratch;
  double *v;        // (velocities) by the rates of the coordinates
  sb_twist *twists; // (bodies)
  sb_wrench *loads, // (bodies) on all that the joint of each carries,
      *momenta;     // and its momentum
  double (
      *sizes)[4]; // (bodies) of their vectors: moments and forces of the loads, and of the momenta
  double fastest; // [1/s] of the rates of the coordinates, each over its length
  double
      loose; // the rounding of all coordinates, each over its length: what turns for long is known to eps of its angle
  double worst;
} audit;

static void note(audit *a, double error, double size) {
  if (error > least) {
    a->worst = fmax(a->worst, size > 0 ? error / size : 1);
  }
}

/** v of a joint; of a quaternion w = 2 vec(q* qdot)/|q|^2, beside which it is drawn to the length of one (sb_quat_rate()). */
static void read_velocities(audit *a, int k) {
  const sb_tree_joint joint = sb_tree_joint_of(a->l->tree, k);
  const double *q = a->at->x + joint.coordinate, *qdot = a->xdot + joint.coordinate;
  double *v = a->v + joint.velocity;
  for (const sb_joint_step *s = joint.kind->steps; s->primitive != NULL; s++) {
    const sb_primitive *p = s->primitive;
    if (p->coordinates > p->velocities) {
      const sb_quat back = {q[0], -q[1], -q[2], -q[3]}, rate = {qdot[0], qdot[1], qdot[2], qdot[3]};
      const sb_quat turn = sb_quat_mul(back, rate);
      const double norm = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
      const sb_vec3 w = sb_vec3_scale((sb_vec3){turn.x, turn.y, turn.z}, 2 / norm);
      const double pull = sb_vec3_norm(w) * (1 - norm) / 16 * norm; // to the length of one
      sb_vec3_store(v, w);
      note(a, fabs(turn.w - pull), norm * sb_vec3_norm(w));
    } else {
      memcpy(v, qdot, (size_t)p->velocities * sizeof *v);
    }
    q += p->coordinates;
    qdot += p->coordinates;
    v += p->velocities;
  }
}

/** The length that the rounding of places and of moments about the world's origin follows [m]. Where a frame is there, its place and
 *  its velocity are small differences of what is seen from the bodies beside it and from its own centre of mass. */
static double arm_of(const audit *a, int k) {
  return sb_vec3_norm(sb_tree_pose(a->l->tree, a->scratch, k).position) + a->l->size;
}

/** The twist of a body, its momentum and its loads, without what it carries. */
static void start_body(audit *a, int k) {
  const sb_linkage *l = a->l;
  const sb_tree_joint joint = sb_tree_joint_of(l->tree, k);
  const sb_mechanism_body *b = l->mechanism->bodies[l->bodies[k].body];
  const sb_pose pose = sb_tree_pose(l->tree, a->scratch, k);
  sb_twist V =
      l->bodies[k].parent < 0 ? (sb_twist){{0, 0, 0}, {0, 0, 0}} : a->twists[l->bodies[k].parent];
  for (int i = joint.velocity; i < joint.velocity + joint.velocities; i++) {
    V = sb_twist_add(V, sb_twist_scale(sb_tree_column(l->tree, a->scratch, k, i), a->v[i]));
  }
  const sb_vec3 c = sb_pose_point(pose, b->com), p = sb_vec3_scale(sb_twist_at(V, c), b->mass),
                own = sb_mat3_apply_transposed(pose.rotation, V.angular),
                spin = sb_mat3_apply(pose.rotation, sb_mat3_apply(b->inertia, own)),
                weight = sb_vec3_scale(l->mechanism->gravity, b->mass);
  const sb_wrench outer = a->loads[k];
  const double arm = arm_of(a, k), force = sb_vec3_norm(outer.force) + sb_vec3_norm(weight);
  a->twists[k] = V;
  a->momenta[k] = (sb_wrench){sb_vec3_add(sb_vec3_cross(c, p), spin), p};
  a->loads[k] = sb_wrench_add(outer, (sb_wrench){sb_vec3_cross(c, weight), weight});
  // v = M^-1 p is known to eps of the fastest: what contacts hold has no momentum but the rounding of what moves beside it
  const double turn = still * a->fastest,
               speed = fmax(sb_vec3_norm(V.linear) + arm * sb_vec3_norm(V.angular), arm * turn),
               inertia = b->inertia.m[0][0] + b->inertia.m[1][1] + b->inertia.m[2][2];
  const double sizes[] = {sb_vec3_norm(outer.moment) + arm * force, force,
                          b->mass * arm * speed + fmax(sb_vec3_norm(spin), inertia * turn),
                          b->mass * speed};
  memcpy(a->sizes[k], sizes, sizeof sizes);
}

static void hand_over(audit *a, int k) {
  const int parent = a->l->bodies[k].parent;
  if (parent >= 0) {
    a->loads[parent] = sb_wrench_add(a->loads[parent], a->loads[k]);
    a->momenta[parent] = sb_wrench_add(a->momenta[parent], a->momenta[k]);
    for (int i = 0; i < 4; i++) {
      a->sizes[parent][i] += a->sizes[k][i];
    }
  }
}

/** S.w to its rounding. @param sizes  of the moment and the force of w */
static double size_of(sb_twist S, const double sizes[2]) {
  return sb_vec3_norm(S.angular) * sizes[0] + sb_vec3_norm(S.linear) * sizes[1];
}

static double spring_of(const audit *a, int k, int number, double q) {
  const int joint = a->l->bodies[k].joint;
  const sb_mechanism_joint *j = joint < 0 ? NULL : a->l->mechanism->joints[joint];
  return j == NULL || j->stiffness[number] == 0 ? 0 : -j->stiffness[number] * (q - j->rest[number]);
}

static void check_momentum(audit *a, int k, int i, sb_twist S, sb_twist fixed_in, double spring) {
  const double tau = a->at->own[a->l->scratch.tau + i], *p = a->at->x + a->l->coordinates,
               *pdot = a->xdot + a->l->coordinates;
  const double loop = a->l->closures == NULL ? 0 : a->at->own[a->l->scratch.efforts + i];
  const sb_twist Sdot = sb_twist_bracket(fixed_in, S);
  const double momentum = sb_power(a->momenta[k], S),
               rate =
                   sb_power(a->momenta[k], Sdot) + sb_power(a->loads[k], S) + tau + loop + spring,
               size = size_of(S, a->sizes[k] + 2),
               rate_size = size_of(S, a->sizes[k]) + fabs(tau) + fabs(loop) + fabs(spring) +
                           size * (sb_vec3_norm(fixed_in.angular)) +
                           sb_vec3_norm(S.angular) * sb_vec3_norm(fixed_in.linear) * a->sizes[k][3];
  if (a->l->closures ==
      NULL) { // else p has what the closures do not let through, by the error of a step
    note(a, fabs(momentum - p[i]), fmax(size, fabs(p[i])));
  }
  // Where no load acts, the forces of loops are rounding: they count as a part of what would turn the momentum round.
  note(a, fabs(rate - pdot[i]), fmax(fmax(rate_size, fabs(pdot[i])), still * size * a->fastest));
}

/** All rates of a joint, step by step: lines and shifts are fixed in the frame before, free turns in the one behind. */
static void check_joint(audit *a, int k) {
  const sb_linkage *l = a->l;
  const sb_tree_joint joint = sb_tree_joint_of(l->tree, k);
  sb_twist T =
      l->bodies[k].parent < 0 ? (sb_twist){{0, 0, 0}, {0, 0, 0}} : a->twists[l->bodies[k].parent];
  int i = joint.velocity, c = joint.coordinate;
  for (const sb_joint_step *s = joint.kind->steps; s->primitive != NULL; s++) {
    const sb_primitive *p = s->primitive;
    const bool free_turn = p->coordinates > p->velocities;
    sb_twist S[3], behind = T;
    for (int n = 0; n < p->velocities; n++) {
      S[n] = sb_tree_column(l->tree, a->scratch, k, i + n);
      behind = sb_twist_add(behind, sb_twist_scale(S[n], a->v[i + n]));
    }
    for (int n = 0; n < p->velocities; n++) {
      check_momentum(a, k, i + n, S[n], free_turn ? behind : T,
                     free_turn ? 0 : spring_of(a, k, i + n - joint.velocity, a->at->x[c + n]));
    }
    T = behind;
    i += p->velocities;
    c += p->coordinates;
  }
}

static void check_rate(audit *a, const double y[], int port, int component, double v, double size) {
  const int *first = a->at->first;
  if (port >= 0 && first[port + 1] > first[port]) {
    note(a, fabs(y[first[port] + component] - v), size);
  }
}

/** At the ports of a joint: a free turn is known by its length, as a quaternion tells it; what a loop holds moves by the rounding
 *  of what moves beside it. */
static void check_rates(audit *a, const double y[], int k) {
  const sb_tree_joint joint = sb_tree_joint_of(a->l->tree, k);
  double size = 0;
  for (int i = joint.velocity; i < joint.velocity + joint.velocities; i++) {
    size = hypot(size, a->v[i]);
  }
  for (int i = joint.velocity; i < joint.velocity + joint.velocities; i++) {
    const sb_linkage_velocity *own = &a->l->velocity[i];
    const double beside = a->fastest * a->l->length[joint.coordinate + i - joint.velocity],
                 floored = fmax(size, still * beside);
    check_rate(a, y, own->port, own->component, a->v[i], floored);
    check_rate(a, y, own->single, 0, a->v[i], floored);
  }
}

/** What stands at the ports is v, and the twists. */
static void check_ports(audit *a, const double y[]) {
  const sb_linkage *l = a->l;
  const int *first = a->at->first;
  for (int k = 0; k < l->body_count; k++) {
    const int port = l->bodies[k].port;
    sb_twist own;
    check_rates(a, y, k);
    if (first[port + 1] > first[port]) {
      memcpy(&own, y + first[port], sizeof own);
      const double turn = fmax(sb_vec3_norm(a->twists[k].angular), still * a->fastest);
      note(a, sb_vec3_norm(sb_vec3_sub(own.angular, a->twists[k].angular)), turn);
      note(a, sb_vec3_norm(sb_vec3_sub(own.linear, a->twists[k].linear)),
           sb_vec3_norm(own.linear) + arm_of(a, k) * turn);
    }
  }
}

/** The fastest turn or rate. The turns of joints add up along a chain, and quaternions change by half of what they turn. */
static double fastest_turn(const audit *a) {
  double fastest = a->fastest;
  for (int k = 0; k < a->l->body_count; k++) {
    fastest = fmax(fastest, sb_vec3_norm(a->twists[k].angular));
  }
  return fastest;
}

/** Differences of the poses, (8 (f1 - f-1) - (f2 - f-2))/12h, against the twists: off by (w h)^4/30 of a turn at w. */
static void check_poses(audit *a) {
  const sb_linkage *l = a->l;
  double *q = a->at->own + l->scratch.moved, *beside = a->at->own + l->scratch.other,
         (*rate)[12] = (double(*)[12])(void *)(a->at->own + l->scratch.poses);
  const double fastest = fastest_turn(a);
  if (!(fastest > 0) || !isfinite(1 / fastest)) {
    return;
  }
  memset(rate, 0, (size_t)l->body_count * sizeof *rate);
  for (int n = -2; n <= 2; n++) {
    const double weight = (n == 0 ? 0 : n * n == 1 ? 8.0 * n : -n / 2.0) * fastest / (12 * step);
    for (int i = 0; i < l->coordinates && n != 0; i++) {
      q[i] = a->at->x[i] + n * step / fastest * a->xdot[i];
    }
    for (int k = 0; k < l->body_count && n != 0; k++) {
      if (k == 0) {
        sb_tree_place_from(l->tree, q, a->origin, beside);
      }
      const sb_pose pose = sb_tree_pose(l->tree, beside, k);
      const double *numbers = (const double *)(const void *)&pose;
      for (int i = 0; i < 12; i++) {
        rate[k][i] += weight * numbers[i];
      }
    }
  }
  for (int k = 0; k < l->body_count; k++) {
    const sb_pose pose = sb_tree_pose(l->tree, a->scratch, k);
    const sb_vec3 v = sb_twist_at(a->twists[k], pose.position);
    double error = 0, off = 0;
    for (int i = 0; i < 3; i++) {
      const sb_vec3 turned = sb_vec3_cross(
          a->twists[k].angular,
          (sb_vec3){pose.rotation.m[0][i], pose.rotation.m[1][i], pose.rotation.m[2][i]});
      error = fmax(error, sb_vec3_norm(sb_vec3_sub(
                              turned, (sb_vec3){rate[k][i], rate[k][3 + i], rate[k][6 + i]})));
    }
    off = sb_vec3_norm(sb_vec3_sub(v, sb_vec3_load(&rate[k][9])));
    const double size = sb_vec3_norm(v) + fastest * arm_of(a, k);
    const double known =
        seen + a->loose / step; // the weights above add up to 1.5, of half a rounding each
    note(a, error > known * fastest ? error : 0, fastest);
    note(a, off > known * size ? off : 0, size);
  }
}

/** How far apart the second differences of gaps are taken, by the fastest rate; by what remains of them they are known. */
static const double wide = 1e-2, curved = 1e-7;

/** d2g/dt2 = J vdot + Jdot v on a way with these rates, (-g-2 + 16 g-1 - 30 g0 + 16 g1 - g2)/12h^2. vdot is that which the
 *  multipliers gave. */
static void check_closures(audit *a) {
  static const double weights[] = {-1, 16, -30, 16, -1};
  const sb_linkage *l = a->l;
  const closure_parts parts = closure_parts_of(l->closures, a->at->own + l->scratch.closures);
  const double *v = a->at->own + l->scratch.v, *vdot = a->at->own + l->scratch.dv;
  double *q = a->at->own + l->scratch.moved, *beside = a->at->own + l->scratch.other,
         *sum = a->at->own + l->scratch.bias, fastest = a->fastest;
  double *inertia = parts.effort; // of each velocity while all others are held
  const int rows = sb_closures_rows(l->closures);
  sb_tree_place_from(l->tree, a->at->x, a->origin, beside);
  sb_tree_diagonal(l->tree, beside, inertia);
  for (int k = 0; k < l->body_count; k++) {
    const sb_tree_joint joint = sb_tree_joint_of(l->tree, k);
    for (int i = 0; i < joint.velocities; i++) {
      // What the loops' forces leave is rounding of what they would do by themselves.
      const int own = joint.velocity + i;
      const double length = l->length[joint.coordinate + i],
                   held = fabs(a->at->own[l->scratch.efforts + own] / inertia[own]);
      fastest = fmax(fastest, fmax(sqrt(fabs(vdot[own]) / length), still * sqrt(held / length)));
    }
  }
  if (!(fastest > 0) || !isfinite(1 / (fastest * fastest))) {
    return;
  }
  memset(sum, 0, (size_t)rows * sizeof *sum);
  for (int n = 0; n < 5; n++) {
    const double t = (n - 2) * wide / fastest;
    for (int i = 0; i < l->velocities; i++) {
      parts.change[i] = t * (v[i] + t / 2 * vdot[i]);
    }
    memcpy(q, a->at->x, (size_t)l->coordinates * sizeof *q);
    closure_advance(l->tree, parts.change, q);
    sb_tree_place_from(l->tree, q, a->origin, beside);
    sb_closures_residual(l->closures, q, beside, parts.bias);
    for (int i = 0; i < rows; i++) {
      sum[i] += weights[n] * parts.bias[i] / (12 * wide * wide);
    }
  }
  const double error = sb_closures_gap(l->closures, sum), size = closure_reach(l->closures, beside),
               known = curved + 32 * a->loose / (12 * wide * wide); // 64, of half a rounding each
  note(a, error > known * size ? error : 0, size);
}

double sb_linkage_motion(const void *self, const sb_at *at, const double y[], const double xdot[]) {
  const sb_linkage *l = ((const sb_linkage_data *)self)->linkage;
  audit a = {.l = l,
             .at = at,
             .origin = sb_linkage_origin(self),
             .xdot = xdot,
             .scratch = at->own + l->scratch.tree,
             .v = at->own + l->scratch.dv,
             .twists = (sb_twist *)(void *)(at->own + l->scratch.twists),
             .loads = (sb_wrench *)(void *)(at->own + l->scratch.wrenches),
             .momenta = (sb_wrench *)(void *)(at->own + l->scratch.carried),
             .sizes = (double(*)[4])(void *)(at->own + l->scratch.sizes)};
  for (int i = 0; i < l->coordinates; i++) {
    a.fastest = fmax(a.fastest, fabs(xdot[i]) / l->length[i]);
    a.loose += DBL_EPSILON * fabs(at->x[i]) / l->length[i];
  }
  const bool pushed = sb_linkage_take_ports(l, at, at->in);
  if (l->closures != NULL) {
    sb_linkage_accelerate(l, at, pushed, at->own + l->scratch.tree, at->own + l->scratch.closures,
                          NULL);
    check_closures(&a); // before v by the rates takes the place of vdot
  }
  for (int k = 0; k < l->body_count; k++) {
    read_velocities(&a, k);
    start_body(&a, k);
  }
  for (int k = l->body_count - 1; k >= 0; k--) {
    hand_over(&a, k);
  }
  for (int k = 0; k < l->body_count; k++) {
    check_joint(&a, k);
  }
  check_ports(&a, y);
  check_poses(&a);
  return a.worst;
}
