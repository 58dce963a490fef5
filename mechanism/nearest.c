// SPDX-License-Identifier: GPL-3.0-or-later
// The closed position that is nearest to a stated one. Of the coordinates that are stated, with their deviations d_k in the scale of the closures
// ([m], turns by the length of the mechanism), so that no unit and no frame enters,
//   minimise sum d_k^2 / 2  subject to  g(q) = 0:   d + J^T l = 0,  g = 0
// with the rows J of g. Both equations are solved by Newton's method for q and l (the method of Lagrange and Newton; Nocedal and Wright, Numerical
// Optimization, 2006, section 18.1) from a closed position beside, with the derivatives of the former by central differences: they leave a fraction
// of 1e-9 of a step, and the next one that of its error. What a free turn is off by is the vector of its rotation from the stated attitude:
// half its square has it as gradient.
// Limits. Of several nearest positions it is one beside the position at which the search of assembly.c has ended. What the stated coordinates do not tell stays as
// it is there (the least step). Where a loop is singular there may be no l, and where the deviation is large as against a link the position may be
// no least one: then the position of the search stays.
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/linalg/dense.h"
#include "geometry/quat.h"
#include "mechanism/assembly_private.h"

enum { STEPS = 30 };
/** Of the mechanism's length: of differences; a last step; and what the equations are off by then. Of the largest number of a matrix: what is rounding. */
static const double apart = 1e-5, last = 1e-13, solved = 1e-11, least = 1e-8;

typedef struct nearest {
  assembly *a;
  const double *stated;         // (coordinates)
  const bool *given;            // (velocities)
  int n, m;                     // velocities, rows
  double *l, *d, *ahead, *back; // (m), (n) the others
  double *q, *from;             // (coordinates) both
  double *matrix, *right, *scratch;
  int *order;
} nearest;

/** A free turn's rotation from the stated one, in the axes of what turns. */
static void turned_by(const double stated[4], const double q[4], double d[3]) {
  const sb_quat before = {stated[0], -stated[1], -stated[2], -stated[3]};
  sb_quat turn = sb_quat_mul(before, sb_quat_load(q));
  const double sign = turn.w < 0 ? -1 : 1,
               size = sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
  const double factor = size > 0 ? 2 * atan2(size, fabs(turn.w)) / size : 0;
  sb_vec3_store(d,
                (sb_vec3){sign * factor * turn.x, sign * factor * turn.y, sign * factor * turn.z});
}

/** d, in the scale of the closures; zero of what is not stated.  @return its length */
static double deviate(const nearest *p, const double q[], double d[]) {
  const sb_closures *s = p->a->s;
  double sum = 0;
  for (int body = 0; body < sb_tree_bodies(s->tree); body++) {
    const sb_tree_joint joint = sb_tree_joint_of(s->tree, body);
    int i = joint.coordinate, k = joint.velocity;
    for (const sb_joint_step *step = joint.kind->steps; step->primitive != NULL; step++) {
      const int count = step->primitive->velocities;
      if (step->primitive->coordinates > count) {
        turned_by(p->stated + i, q + i, d + k);
      }
      for (int j = 0; j < count; j++) {
        const double own =
            step->primitive->coordinates > count ? d[k + j] : q[i + j] - p->stated[i + j];
        d[k + j] = p->given[k + j] ? s->unit[k + j] * own : 0;
        sum += d[k + j] * d[k + j];
      }
      i += step->primitive->coordinates;
      k += count;
    }
  }
  return sqrt(sum);
}

/** d + J^T l at q, to out (n). */
static void look_along(nearest *p, const double q[], double out[]) {
  assembly *a = p->a;
  (void)assembly_look(a, q, a->g);
  assembly_take_rows(a, NULL, NULL);
  (void)deviate(p, q, out);
  for (int row = 0; row < p->m; row++) {
    for (int k = 0; k < p->n; k++) {
      out[k] += a->J[row * p->n + k] * p->l[row];
    }
  }
}

/** The column of differences of d + J^T l along a velocity. */
static void differ(nearest *p, const double q[], int k) {
  const int size = p->n + p->m;
  assembly *a = p->a;
  const double h = apart * a->s->length;
  double *side[2] = {p->ahead, p->back};
  for (int i = 0; i < 2; i++) {
    memset(a->dv, 0, (size_t)p->n * sizeof *a->dv);
    a->dv[k] = (i == 0 ? h : -h) / a->s->unit[k];
    memcpy(p->q, q, (size_t)sb_tree_coordinates(a->s->tree) * sizeof *q);
    closure_advance(a->s->tree, a->dv, p->q);
    look_along(p, p->q, side[i]);
  }
  for (int i = 0; i < p->n; i++) {
    p->matrix[i * size + k] = (p->ahead[i] - p->back[i]) / (2 * h);
  }
}

/** l of the least |d + J^T l| at q. */
static void begin_multipliers(nearest *p, const double q[]) {
  assembly *a = p->a;
  (void)assembly_look(a, q, a->g);
  assembly_take_rows(a, NULL, NULL);
  (void)deviate(p, q, p->d);
  for (int k = 0; k < p->n; k++) {
    p->right[k] = -p->d[k];
    for (int row = 0; row < p->m; row++) {
      p->matrix[k * p->m + row] = a->J[row * p->n + k];
    }
  }
  (void)sb_solve_least_norm(p->matrix, p->right, p->n, p->m, least, p->order, p->scratch);
  memcpy(p->l, p->right, (size_t)p->m * sizeof *p->l);
}

/** One step of both from q.  @return the largest change of q, as a fraction of the length of the mechanism */
static double step_on(nearest *p, double q[]) {
  assembly *a = p->a;
  const int n = p->n, m = p->m, size = n + m;
  memset(p->matrix, 0, (size_t)(size * size) * sizeof *p->matrix);
  for (int k = 0; k < n; k++) {
    differ(p, q, k);
  }
  look_along(p, q, p->d);
  for (int row = 0; row < m; row++) {
    p->right[n + row] = -a->g[row];
    for (int k = 0; k < n; k++) {
      p->matrix[(n + row) * size + k] = p->matrix[k * size + n + row] = a->J[row * n + k];
    }
  }
  for (int k = 0; k < n; k++) {
    p->right[k] = -p->d[k];
  }
  (void)sb_solve_least_norm(p->matrix, p->right, size, size, least, p->order, p->scratch);
  double most = 0;
  for (int k = 0; k < n; k++) {
    a->dv[k] = p->right[k] / a->s->unit[k];
    most = fmax(most, fabs(p->right[k]) / a->s->length);
  }
  axpy(1, p->right + n, p->l, m);
  assembly_restrain(a);
  closure_advance(a->s->tree, a->dv, q);
  return most;
}

/** Whether q solves both equations, and is nearer than the position of the search was. */
static bool is_nearest(nearest *p, const double q[], double before) {
  assembly *a = p->a;
  double off = 0;
  look_along(p, q, p->d);
  for (int k = 0; k < p->n; k++) {
    off = fmax(off, fabs(p->d[k]));
  }
  const double gap = assembly_look(a, q, a->g);
  return off <= solved * a->s->length && gap <= ASSEMBLY_CLOSED * assembly_reach(a) &&
         deviate(p, q, p->d) <= before * (1 + solved);
}

static void approach(nearest *p, double q[]) {
  const size_t size = (size_t)sb_tree_coordinates(p->a->s->tree) * sizeof *q;
  const double before = deviate(p, q, p->d);
  memcpy(p->from, q, size);
  begin_multipliers(p, q);
  double way = HUGE_VAL;
  for (int step = 0; step < STEPS && way > last; step++) {
    way = step_on(p, q);
  }
  if (!is_nearest(p, q, before)) {
    memcpy(q, p->from, size);
  }
}

sb_status sb_closures_approach(const sb_closures *s, const bool given[], const double stated[],
                               double q[], sb_vec3 point, sb_error *err) {
  const int n = s->velocities, m = s->rows, size = n + m, count = sb_tree_coordinates(s->tree);
  assembly a;
  nearest p = {.a = &a, .stated = stated, .given = given, .n = n, .m = m};
  SB_TRY(assembly_begin(&a, s, NULL, point, err));
  p.l = sb_zeroed(m + 3 * n + 2 * count + size * size + 2 * size, sizeof *p.l);
  p.order = sb_zeroed(size, sizeof *p.order);
  const bool room = p.l != NULL && p.order != NULL;
  if (room) {
    p.d = p.l + m;
    p.ahead = p.d + n, p.back = p.ahead + n;
    p.q = p.back + n, p.from = p.q + count;
    p.matrix = p.from + count;
    p.right = p.matrix + size * size, p.scratch = p.right + size;
    approach(&p, q);
  }
  free(p.l);
  free(p.order);
  assembly_end(&a);
  return room ? SB_OK : sb_fail(err, SB_ERR_MEMORY, "out of memory");
}
