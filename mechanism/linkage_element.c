// SPDX-License-Identifier: GPL-3.0-or-later
// A tree of bodies as a port-Hamiltonian storage:
//   state   q, the coordinates of the joints; p = M(q) v, the momenta to their velocities v
//   energy  H = p.M(q)^-1 p / 2 + V(q)
//   ports   of bodies: twist out, wrench in, in the world frame about its origin; of joints: v out, effort in
//   rates   recursion.h: qdot by v, pdot by Newton's and Euler's laws for the part that each joint carries
// All recursions work on scratch memory that is the last signal of the element: output() leaves poses, factors and twists
// there for the hooks that follow it.
#include <float.h>
#include <math.h>
#include <string.h>

#include "mechanism/closure_private.h"
#include "mechanism/dynamics.h"
#include "mechanism/loads.h"
#include "mechanism/mechanism_private.h"

static double *tree_scratch(const sb_linkage *l, const sb_at *at) {
  return at->own + l->scratch.tree;
}

static sb_wrench *wrench_scratch(const sb_linkage *l, const sb_at *at) {
  return (sb_wrench *)(void *)(at->own + l->scratch.wrenches);
}

static sb_twist *twist_scratch(const sb_linkage *l, const sb_at *at) {
  return (sb_twist *)(void *)(at->own + l->scratch.twists);
}

static void start(const void *self, double x[]) {
  const sb_linkage *l = sb_linkage_of(self);
  double o[3];
  memcpy(x, l->start, (size_t)(l->coordinates + l->velocities) * sizeof *x);
  sb_vec3_store(o, sb_vec3_sub(sb_linkage_origin(self), l->point));
  for (int k = 0; k < l->body_count; k++) {
    for (int i = 0; i < 3 && l->bodies[k].joint < 0; i++) {
      x[sb_tree_joint_of(l->tree, k).coordinate + i] -= o[i];
    }
  }
}

/** Poses, the factors of M, v and the twists: with closed loops, what these let through.
 *  @param closures  of whose scratch memory; unused without loops */
static int solve(const void *self, const double x[], double scratch[], double closures[],
                 double v[]) {
  const sb_linkage *l = sb_linkage_of(self);
  const double *p = x + l->coordinates;
  const sb_vec3 origin = sb_linkage_origin(self);
  if (l->closures != NULL) {
    return sb_closures_follow(l->closures, l->rank, x, p, origin, v, scratch, closures) == 0 ? 0
                                                                                             : -1;
  }
  sb_tree_place_from(l->tree, x, origin, scratch);
  return sb_tree_solve(l->tree, p, scratch, v) == 0 ? 0 : -1;
}

double *sb_linkage_solve_beside(const void *self, const sb_at *at) {
  const sb_linkage *l = sb_linkage_of(self);
  double *scratch = at->own + l->scratch.other, *v = scratch + sb_tree_scratch(l->tree);
  return solve(self, at->x, scratch, v + l->velocities, v) == 0 ? v : NULL;
}

static double *closure_scratch(const sb_linkage *l, const sb_at *at) {
  return at->own + l->scratch.closures;
}

static bool has_bond(const sb_at *at, int port) {
  return port >= 0 && at->first[port + 1] > at->first[port];
}

/** Velocities or their rates at the ports of joints, twists or theirs at those of bodies.
 *  @param scratch  of whose twists; NULL: `twists` are theirs */
void sb_linkage_put_ports(const sb_linkage *l, const sb_at *at, const double v[],
                          const double scratch[], const sb_twist twists[], double y[]) {
  for (int i = 0; i < l->velocities; i++) {
    const sb_linkage_velocity *own = &l->velocity[i];
    if (has_bond(at, own->port)) {
      y[at->first[own->port] + own->component] = v[i];
    }
    if (has_bond(at, own->single)) {
      y[at->first[own->single]] = v[i];
    }
  }
  for (int k = 0; k < l->body_count; k++) {
    int port = l->bodies[k].port;
    if (has_bond(at, port)) {
      const sb_twist t = scratch == NULL ? twists[k] : sb_tree_twist(l->tree, scratch, k);
      memcpy(y + at->first[port], &t, sizeof t);
    }
  }
}

/** Efforts and wrenches that stand at the ports, w (components). @return whether any body has a wrench */
bool sb_linkage_take_ports(const sb_linkage *l, const sb_at *at, const double w[]) {
  double *tau = at->own + l->scratch.tau;
  sb_wrench *wrenches = wrench_scratch(l, at);
  bool any = false;
  for (int i = 0; i < l->velocities; i++) {
    const sb_linkage_velocity *own = &l->velocity[i];
    tau[i] = (has_bond(at, own->port) ? w[at->first[own->port] + own->component] : 0) +
             (has_bond(at, own->single) ? w[at->first[own->single]] : 0);
  }
  for (int k = 0; k < l->body_count; k++) {
    int port = l->bodies[k].port;
    bool own = has_bond(at, port);
    wrenches[k] = (sb_wrench){0};
    if (own) {
      memcpy(&wrenches[k], w + at->first[port], sizeof *wrenches);
    }
    any = any || own;
  }
  return any;
}

static int output(const void *self, const sb_at *at, double y[]) {
  const sb_linkage *l = sb_linkage_of(self);
  double *scratch = tree_scratch(l, at), *v = at->own + l->scratch.v;
  if (solve(self, at->x, scratch, closure_scratch(l, at), v) != 0) {
    return -1;
  }
  for (int k = 0; k < l->body_count; k++) {
    const sb_linkage_body *b = &l->bodies[k];
    const sb_pose pose = sb_tree_pose(l->tree, scratch, k);
    memcpy(at->own + b->pose, &pose, sizeof pose);
    if (b->joint_signal >= 0) {
      const sb_tree_joint joint = sb_tree_joint_of(l->tree, k);
      at->own[b->joint_signal] = at->x[joint.coordinate];
      at->own[b->joint_signal + 1] = v[joint.velocity];
    }
  }
  for (int k = 0; k < l->frame_count; k++) {
    const sb_linkage_frame *f = &l->frames[k];
    sb_pose body;
    memcpy(&body, at->own + l->bodies[f->body].pose, sizeof body);
    const sb_pose pose = sb_pose_compose(body, l->mechanism->frames[f->frame]->in_body);
    memcpy(at->own + f->pose, &pose, sizeof pose);
  }
  sb_linkage_put_signals(self, at);
  sb_linkage_put_ports(l, at, v, scratch, NULL, y);
  return 0;
}

void sb_linkage_accelerate(const sb_linkage *l, const sb_at *at, bool pushed, double scratch[],
                           double closures[], double lambda[]) {
  double *tau = at->own + l->scratch.tau, *dv = at->own + l->scratch.dv,
         *efforts = at->own + l->scratch.efforts;
  sb_tree_inverse(l->tree, at->x, NULL, NULL, scratch, efforts);
  for (int i = 0; i < l->velocities; i++) {
    efforts[i] = tau[i] - efforts[i];
  }
  sb_tree_response(l->tree, efforts, pushed ? wrench_scratch(l, at) : NULL, scratch, dv, NULL);
  if (l->closures != NULL) {
    double *bias = at->own + l->scratch.bias;
    sb_closures_bias(l->closures, scratch, closures, bias);
    sb_closures_accelerate(l->closures, bias, closures, dv, efforts, lambda);
  }
}

static void accelerate(const sb_linkage *l, const sb_at *at, bool pushed) {
  sb_linkage_accelerate(l, at, pushed, tree_scratch(l, at), closure_scratch(l, at), NULL);
}

static int rate(const void *self, const sb_at *at, double xdot[]) {
  const sb_linkage *l = sb_linkage_of(self);
  double *tau = at->own + l->scratch.tau;
  bool pushed = sb_linkage_take_ports(l, at, at->in);
  if (l->closures != NULL) {
    accelerate(l, at, pushed);
    for (int i = 0; i < l->velocities; i++) {
      tau[i] += at->own[l->scratch.efforts + i];
    }
  }
  if (l->closures != NULL &&
      l->rank == l->velocities) { // a truss: what the forces leave is their rounding
    memset(xdot, 0, (size_t)(l->coordinates + l->velocities) * sizeof *xdot);
    return 0;
  }
  sb_tree_rates(l->tree, at->x, tau, pushed ? wrench_scratch(l, at) : NULL, tree_scratch(l, at),
                xdot, xdot + l->coordinates);
  return 0;
}

static bool tells_rate(const void *self, int signal) {
  const sb_linkage *l = sb_linkage_of(self);
  for (int k = 0; k < l->body_count; k++) {
    if (l->bodies[k].joint_signal >= 0 && l->bodies[k].joint_signal == signal) {
      return true;
    }
  }
  return false;
}

/** d/dt of "JOINT.q" is "JOINT.w". */
static int signal_rates(const void *self, const sb_at *at, double rates[]) {
  const sb_linkage *l = sb_linkage_of(self);
  for (int k = 0; k < l->body_count; k++) {
    const int q = l->bodies[k].joint_signal;
    if (q >= 0) {
      rates[q] = at->own[q + 1];
    }
  }
  return 0;
}

/** Of the velocities, and of the twists. */
static int acceleration(const void *self, const sb_at *at, double ydot[]) {
  const sb_linkage *l = sb_linkage_of(self);
  double *dv = at->own + l->scratch.dv;
  sb_twist *rates = twist_scratch(l, at);
  accelerate(l, at, sb_linkage_take_ports(l, at, at->in));
  sb_tree_accelerations(l->tree, dv, tree_scratch(l, at), rates);
  sb_linkage_put_ports(l, at, dv, NULL, rates, ydot);
  return 0;
}

void sb_linkage_respond(const sb_linkage *l, const sb_at *at, const double tau[], bool pushed,
                        double dv[], sb_twist twists[]) {
  const sb_wrench *wrenches = pushed ? wrench_scratch(l, at) : NULL;
  if (l->closures == NULL) {
    sb_tree_response(l->tree, tau, wrenches, tree_scratch(l, at), dv, twists);
  } else {
    sb_closures_response(l->closures, tau, wrenches, tree_scratch(l, at), closure_scratch(l, at),
                         dv, twists);
  }
}

/** p moves by tau + J^T W and, where loops are closed, by what keeps them closed; v by the response to that. */
static int impulse(const void *self, const sb_at *at, const double w[], double dx[],
                   double gradient[], double dy[]) {
  const sb_linkage *l = sb_linkage_of(self);
  double *scratch = tree_scratch(l, at), *dv = at->own + l->scratch.dv;
  sb_twist *twists = twist_scratch(l, at);
  const double *tau = at->own + l->scratch.tau;
  const bool pushed = sb_linkage_take_ports(l, at, w);
  const sb_wrench *wrenches = pushed ? wrench_scratch(l, at) : NULL;
  sb_linkage_respond(l, at, tau, pushed, dv, twists);
  if (dx != NULL) {
    double *momenta = dx + l->coordinates;
    memset(dx, 0, (size_t)l->coordinates * sizeof *dx);
    memset(gradient, 0, (size_t)l->coordinates * sizeof *gradient);
    memcpy(gradient + l->coordinates, dv, (size_t)l->velocities * sizeof *dv);
    sb_tree_generalised(l->tree, tau, wrenches, scratch, momenta);
    if (l->closures != NULL) {
      double *unbound = at->own + l->scratch.efforts;
      sb_tree_response(l->tree, tau, wrenches, scratch, unbound, NULL);
      sb_closures_project(l->closures, closure_scratch(l, at), unbound, momenta, NULL);
    }
  }
  if (dy != NULL) {
    sb_linkage_put_ports(l, at, dv, NULL, twists, dy);
  }
  return 0;
}

static double energy(const void *self, const sb_at *at) {
  const sb_linkage *l = sb_linkage_of(self);
  double *scratch = at->own + l->scratch.other, *v = sb_linkage_solve_beside(self, at);
  if (v == NULL) {
    return NAN;
  }
  return sb_tree_kinetic(l->tree, at->x + l->coordinates, v) +
         sb_tree_potential(l->tree, at->x, scratch, NULL, NULL);
}

static double terms(const void *self, const sb_at *at) {
  const sb_linkage *l = sb_linkage_of(self);
  double *scratch = at->own + l->scratch.other, *v = sb_linkage_solve_beside(self, at), sum;
  if (v == NULL) {
    return NAN;
  }
  (void)sb_tree_potential(l->tree, at->x, scratch, NULL, &sum);
  return sb_tree_kinetic_terms(l->tree, at->x + l->coordinates, v, scratch) + sum + l->fall;
}

/** How far a coordinate has moved since, as far as that exchanges energy with the weight: a turn passes through all heights within two radians
 *  of the largest moment, A sin(q) of A (1 - cos(q)), and any further one exchanges no more. */
static double moved_since(const sb_primitive *kind, double q, double q0) {
  const double way = fabs(q - q0);
  return kind->turns && !kind->pitch ? fmin(way, 2) : way;
}

/** The kinetic energy of the momenta that have changed, T(p - p0): what a locked joint takes and gives back does no work, but is exchanged
 *  between the motions that it forces on the bodies, as of a SCARA arm that turns at a constant speed about its locked shoulder.
 *  @param v  (2 velocities) scratch */
static double exchanged_momenta(const sb_linkage *l, const sb_at *at, const double x0[],
                                double *scratch, double *v) {
  double *dp = v + l->velocities;
  for (int i = 0; i < l->velocities; i++) {
    dp[i] = at->x[l->coordinates + i] - x0[l->coordinates + i];
  }
  return sb_tree_solve(l->tree, dp, scratch, v) == 0 ? sb_tree_kinetic(l->tree, dp, v) : 0;
}

/** |v.(p - p0)| + |dV/dq.(q - q0)|, of coordinates whose rate is a velocity; or the energy of the momenta that have changed. */
static double exchanged(const void *self, const sb_at *at, const double x0[]) {
  const sb_linkage *l = sb_linkage_of(self);
  double *scratch = at->own + l->scratch.other, *v = sb_linkage_solve_beside(self, at), sum = 0;
  if (v == NULL) {
    return 0;
  }
  for (int i = 0; i < l->velocities; i++) {
    sum += fabs(v[i] * (at->x[l->coordinates + i] - x0[l->coordinates + i]));
  }
  double *gradient = v;
  (void)sb_tree_potential(l->tree, at->x, scratch, gradient, NULL);
  for (int k = 0; k < l->body_count; k++) {
    const sb_tree_joint joint = sb_tree_joint_of(l->tree, k);
    const sb_joint_step *step = joint.kind->steps;
    int own = 0; // of the primitive
    for (int i = 0; i < joint.velocities && joint.velocities == joint.coordinates; i++, own++) {
      if (own == step->primitive->velocities) {
        step++;
        own = 0;
      }
      int q = joint.coordinate + i;
      sum += fabs(gradient[joint.velocity + i]) * moved_since(step->primitive, at->x[q], x0[q]);
    }
  }
  return fmax(sum, exchanged_momenta(l, at, x0, scratch, v));
}

/** What a closure may have drifted, of the size of the mechanism or its motion, before it is closed again. */
static const double drift = 1e-13;

/** What is open by more of that size has not been closed: at a singular position the gap falls to a fourth in a step, and to 6e-8 in all. */
static const double closed = 1e-6;

/** The gap of the closures at x, where the hooks have been asked, and what of the momenta belongs to no motion that they allow, relative to the sizes of
 *  the mechanism and of its motion. */
static double drift_of(const sb_linkage *l, const sb_at *at, const double x[]) {
  double *allowed = at->own + l->scratch.dv, off = 0, all = 0;
  const double *p = x + l->coordinates;
  const double open =
      sb_closures_open(l->closures, closure_scratch(l, at)) / sb_closures_length(l->closures);
  sb_tree_move(l->tree, at->own + l->scratch.v, tree_scratch(l, at), allowed); // v is projected
  for (int i = 0; i < l->velocities; i++) {
    off = fmax(off, fabs(allowed[i] - p[i]));
    all = fmax(all, fabs(p[i]));
  }
  return fmax(open, all > 0 ? off / all : 0);
}

/** Closes the loops again: coordinates along M^-1 J^T, then momenta. @return what is left open [m] */
static double close_loops(const void *self, const sb_at *at, double x[]) {
  const sb_linkage *l = sb_linkage_of(self);
  return sb_closures_close(l->closures, l->rank, x, x + l->coordinates, sb_linkage_origin(self),
                           at->own + l->scratch.v, tree_scratch(l, at), closure_scratch(l, at));
}

/** Loops drift by the errors of the integrator. */
static bool project(const void *self, const sb_at *at, double x[]) {
  const sb_linkage *l = sb_linkage_of(self);
  const double open = drift_of(l, at, x) > drift ? close_loops(self, at, x) : 0;
  return open <= closed * sb_closures_length(l->closures);
}

static void count(const void *self, const sb_at *at, double error[]) {
  const sb_linkage *l = sb_linkage_of(self);
  if (l->closures != NULL) {
    sb_closures_count(l->closures, error, error + l->coordinates, tree_scratch(l, at),
                      closure_scratch(l, at));
  }
}

/** Along a tangent of what the loops let through, which opens them by its square, and turns their rows from the momenta by itself. */
static void displace(const void *self, const sb_at *at, const double moved[], double x[]) {
  const sb_linkage *l = sb_linkage_of(self);
  closure_advance(l->tree, moved + l->coordinates, x);
  if (l->closures != NULL) {
    (void)close_loops(self, at, x);
  }
}

static const sb_storage_acceleration accelerations = {acceleration, impulse, displace,
                                                      sb_linkage_acceleration_terms};
#define HOOKS                                                                                      \
  .start = start, .output = output, .rate = rate, .energy = energy,                                \
  .sizes = {.nominal = sb_linkage_nominal},                                                        \
  .signals = {.rates = signal_rates, .tells = tells_rate}, .structure = &sb_linkage_structure,     \
  .constraints = {.acceleration = &accelerations},                                                 \
  .audit = {.terms = terms,                                                                        \
            .exchanged = exchanged,                                                                \
            .motion = sb_linkage_motion,                                                           \
            .rate_terms = sb_linkage_rate_terms},                                                  \
  .chart = &sb_linkage_chart
const sb_storage_hooks sb_linkage_hooks = {HOOKS};
const sb_storage_hooks sb_linkage_closed_hooks = {
    HOOKS, .manifold = {.project = project, .count = count, .clearance = sb_linkage_clearance}};
