// SPDX-License-Identifier: GPL-3.0-or-later
// Coordinates and momenta that are off what the loops let through: moved there after a step, by Newton's method in the
// metric of the kinetic energy, and read as if they were there within it.
#include <math.h>
#include <string.h>

#include "geometry/quat.h"
#include "mechanism/closure_private.h"
#include "mechanism/dynamics.h"

enum { STEPS = 12, NEARBY = 3 };
/** Of closure_reach(): what is left of g is rounding. */
static const double closed = 5e-15;

/** q o exp(w/2), at length one. */
static void turn(double q[], const double w[]) {
  const sb_vec3 angle = sb_vec3_load(w);
  const sb_quat by = sb_quat_from_axis_angle(angle, sb_vec3_norm(angle));
  const sb_quat x = sb_quat_mul(sb_quat_load(q), by);
  const double inverse = 1 / sqrt(x.w * x.w + x.x * x.x + x.y * x.y + x.z * x.z);
  q[0] = x.w * inverse;
  q[1] = x.x * inverse;
  q[2] = x.y * inverse;
  q[3] = x.z * inverse;
}

void closure_advance(const sb_tree *tree, const double dv[], double q[]) {
  for (int i = 0; i < sb_tree_bodies(tree); i++) {
    const sb_tree_joint joint = sb_tree_joint_of(tree, i);
    double *x = q + joint.coordinate;
    const double *v = dv + joint.velocity;
    for (const sb_joint_step *step = joint.kind->steps; step->primitive != NULL; step++) {
      const sb_primitive *p = step->primitive;
      if (p->coordinates > p->velocities) {
        turn(x, v);
      }
      for (int k = 0; k < p->velocities && p->coordinates == p->velocities; k++) {
        x[k] += v[k];
      }
      x += p->coordinates;
      v += p->velocities;
    }
  }
}

/** By how much the free turns of q are off length one, at most. */
static double stretch_of(const sb_tree *tree, const double q[]) {
  double most = 0;
  for (int i = 0; i < sb_tree_bodies(tree); i++) {
    const sb_tree_joint joint = sb_tree_joint_of(tree, i);
    const double *x = q + joint.coordinate;
    for (const sb_joint_step *step = joint.kind->steps; step->primitive != NULL; step++) {
      const sb_primitive *p = step->primitive;
      if (p->coordinates > p->velocities) {
        const double square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3];
        most = fmax(most, fabs(sqrt(square) - 1));
      }
      x += p->coordinates;
    }
  }
  return most;
}

/** Of the largest of the pivots of J: below it rows are about to vanish. */
static const double weak = 0.1;

/** Of R, by the largest. @param most  out: that */
static double least_pivot(const closure_parts *p, double *most) {
  const int rank = (int)*p->rank;
  double least = HUGE_VAL;
  *most = 0;
  for (int i = 0; i < rank; i++) {
    least = fmin(least, p->R[i * rank + i]);
    *most = fmax(*most, p->R[i * rank + i]);
  }
  return rank > 0 ? least / *most : 1;
}

/** Whether a singular position is near: x off the closed positions by e there makes velocities that are off by e over the
 *  distance, which make x, and so on through the stages of a step. */
static bool is_nearly_singular(const closure_parts *p) {
  double most;
  return least_pivot(p, &most) < weak;
}

/** Whose rows the combination i of them is of. */
static void add_shares(const sb_closures *s, const closure_parts *p, int i, double shares[]) {
  for (int k = 0, live = (int)*p->live; k < live; k++) {
    int closure = 0;
    while (sb_closures_first_row(s, closure + 1) <= (int)p->order[k]) {
      closure++;
    }
    shares[closure] += p->T[i * live + k] * p->T[i * live + k];
  }
}

double sb_closures_clearance(const sb_closures *s, int most, double scratch[], double shares[],
                             double loose[], int *count) {
  const closure_parts p = closure_parts_of(s, scratch);
  const int rank = (int)*p.rank, n = s->velocities, closures = s->joints + s->couplings;
  double largest;
  const double least = least_pivot(&p, &largest);
  int lost = most - rank;
  for (int c = 0; shares != NULL && c < closures; c++) {
    shares[c] = lost > 0; // which rows have vanished is not known
  }
  for (int k = 0; loose != NULL && k < n; k++) {
    loose[k] = 1;
  }
  for (int i = 0; i < rank; i++) {
    const bool is_weak = p.R[i * rank + i] < weak * largest;
    lost += is_weak;
    if (is_weak && shares != NULL) {
      add_shares(s, &p, i, shares);
    }
    for (int k = 0; k < n && loose != NULL && !is_weak; k++) {
      loose[k] -= p.J[i * n + k] * p.J[i * n + k];
    }
  }
  if (count != NULL) {
    *count = lost;
  }
  return rank < most ? 0 : least;
}

double sb_closures_open(const sb_closures *s, double scratch[]) {
  return *closure_parts_of(s, scratch).open;
}

/** Places the tree at q, and finds velocities, rows and gap. */
static double look(const sb_closures *s, int most, const double q[], const double p[],
                   sb_vec3 point, double v[], double tree_scratch[], double scratch[]) {
  const closure_parts parts = closure_parts_of(s, scratch);
  sb_tree_place_from(s->tree, q, point, tree_scratch);
  if (sb_tree_solve(s->tree, p, tree_scratch, v) != 0) {
    return HUGE_VAL;
  }
  (void)sb_closures_factor(s, most, tree_scratch, scratch);
  sb_closures_residual(s, q, tree_scratch, parts.bias);
  return sb_closures_gap(s, parts.bias);
}

double sb_closures_close(const sb_closures *s, int most, double q[], double p[], sb_vec3 point,
                         double v[], double tree_scratch[], double scratch[]) {
  const closure_parts parts = closure_parts_of(s, scratch);
  const size_t size = (size_t)sb_tree_coordinates(s->tree) * sizeof *q;
  memset(v, 0, (size_t)s->velocities * sizeof *v);
  closure_advance(s->tree, v, q); // free turns at length one
  double gap = look(s, most, q, p, point, v, tree_scratch, scratch);
  const double enough = closed * closure_reach(s, tree_scratch);
  bool shrinks = true;
  for (int step = 0; step < STEPS && shrinks && gap > enough && isfinite(gap); step++) {
    memcpy(parts.before, q, size);
    memset(v, 0, (size_t)s->velocities * sizeof *v);
    sb_closures_accelerate(s, parts.bias, scratch, v, NULL, NULL); // J v = -g
    closure_advance(s->tree, v, q);
    double left = look(s, most, q, p, point, v, tree_scratch, scratch);
    shrinks = left < gap / 2;
    if (!(left < gap)) { // rounding, or a position that Newton's method does not converge to
      memcpy(q, parts.before, size);
      left = look(s, most, q, p, point, v, tree_scratch, scratch);
    }
    gap = left;
  }
  *parts.open = gap;
  if (isfinite(gap)) {
    sb_closures_project(s, scratch, v, p, NULL);
    sb_tree_move(s->tree, v, tree_scratch, NULL);
  }
  return gap;
}

void sb_closures_count(const sb_closures *s, double q[], double p[], double tree_scratch[],
                       double scratch[]) {
  const closure_parts parts = closure_parts_of(s, scratch);
  if (!is_nearly_singular(&parts)) {
    return;
  }
  double *way = parts.before;
  sb_tree_response(s->tree, p, NULL, tree_scratch, way, NULL);
  sb_closures_project(s, scratch, way, p, NULL);
  memset(way, 0, (size_t)s->velocities * sizeof *way);
  for (int i = 0; i < s->velocities; i++) {
    way[i] = s->coordinate[i] < 0 ? 0 : q[s->coordinate[i]];
  }
  sb_closures_project(s, scratch, way, NULL, NULL);
  for (int i = 0; i < s->velocities; i++) {
    if (s->coordinate[i] >= 0) {
      q[s->coordinate[i]] = way[i];
    }
  }
}

int sb_closures_follow(const sb_closures *s, int most, const double q[], const double p[],
                       sb_vec3 point, double v[], double tree_scratch[], double scratch[]) {
  const closure_parts parts = closure_parts_of(s, scratch);
  double gap = look(s, most, q, p, point, v, tree_scratch, scratch), before = HUGE_VAL;
  double *nearby = parts.before;
  *parts.open = fmax(gap, s->length * stretch_of(s->tree, q));
  memcpy(nearby, q, (size_t)sb_tree_coordinates(s->tree) * sizeof *q);
  for (int step = 0; step < NEARBY && gap > 0 && gap < before / 2 && is_nearly_singular(&parts);
       step++) {
    before = gap;
    memset(v, 0, (size_t)s->velocities * sizeof *v);
    sb_closures_accelerate(s, parts.bias, scratch, v, NULL, NULL); // J v = -g
    closure_advance(s->tree, v, nearby);
    gap = look(s, most, nearby, p, point, v, tree_scratch, scratch);
  }
  if (!isfinite(gap)) {
    return 1;
  }
  sb_closures_project(s, scratch, v, NULL, NULL);
  sb_tree_move(s->tree, v, tree_scratch, NULL);
  return 0;
}
