// SPDX-License-Identifier: GPL-3.0-or-later
// Levenberg and Marquardt's method for g(q) = 0 with a damping in proportion to |g| (Fan and Yuan 2005): it converges
// quadratically also where rows imply each other, and where the position it nears is singular, without
// deciding on a rank. Where it ends in a minimum above zero, as links in line do, it begins again from beside the start.
#include "mechanism/assembly_private.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/linalg/dense.h"

enum { STEPS = 200, STARTS = 12 }; // of a search; searches
/** Of assembly_reach(): closed, and rounding; and by what a loop may violate its rates, of the largest velocity. */
static const double closed = ASSEMBLY_CLOSED, rounding = 1e-15, moving = 1e-9;
/** Of the largest entry of J: what is less is rounding; and an entry of its echelon form by which something moves along. */
static const double implied = 1e-10, follows = 1e-8;
sb_status assembly_begin(assembly *a, const sb_closures *s, const bool fixed[], sb_vec3 point,
                         sb_error *err) {
  const int m = s->rows, n = s->velocities, nq = sb_tree_coordinates(s->tree);
  const int size = sb_tree_scratch(s->tree) + m * n + 2 * m + n + nq + (m + n) * (n + 2);
  *a = (assembly){.s = s,
                  .fixed = fixed,
                  .point = point,
                  .tree_scratch = sb_zeroed(size, sizeof *a->J),
                  .order = sb_zeroed(m + n, sizeof *a->order)};
  if (a->tree_scratch == NULL || a->order == NULL) {
    free(a->tree_scratch);
    free(a->order);
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  a->J = a->tree_scratch + sb_tree_scratch(s->tree);
  a->g = a->J + m * n;
  a->next = a->g + m;
  a->dv = a->next + m;
  a->q = a->dv + n;
  a->matrix = a->q + nq;
  a->right = a->matrix + (m + n) * n;
  a->scratch = a->right + m + n;
  return SB_OK;
}

void assembly_end(assembly *a) {
  free(a->tree_scratch);
  free(a->order);
}

double assembly_look(assembly *a, const double q[], double g[]) {
  double sum = 0;
  sb_tree_place_from(a->s->tree, q, a->point, a->tree_scratch);
  sb_closures_residual(a->s, q, a->tree_scratch, g);
  for (int i = 0; i < a->s->rows; i++) {
    g[i] *= a->s->row_scale[i];
    sum += g[i] * g[i];
  }
  return sqrt(sum);
}

static bool may_move(const assembly *a, int velocity) {
  return a->fixed == NULL || !a->fixed[velocity];
}

void assembly_take_rows(assembly *a, const double v[], double rates[]) {
  const int n = a->s->velocities;
  sb_closures_jacobian(a->s, a->tree_scratch, a->J);
  for (int i = 0; i < a->s->rows * n; i++) {
    const int row = i / n, k = i % n;
    a->J[i] *= a->s->row_scale[row] / a->s->unit[k];
    if (rates != NULL) {
      rates[row] = (k > 0 ? rates[row] : 0) + a->J[i] * a->s->unit[k] * v[k];
    }
    a->J[i] = may_move(a, k) ? a->J[i] : 0;
  }
}

/** dv of the least |J dv + c|^2 + damping |dv|^2, in [m] scaled back to coordinates. */
static void solve(assembly *a, const double c[], double damping, double least) {
  const int m = a->s->rows, n = a->s->velocities;
  memcpy(a->matrix, a->J, (size_t)(m * n) * sizeof *a->J);
  memset(a->matrix + m * n, 0, (size_t)(n * n) * sizeof *a->J);
  for (int k = 0; k < m + n; k++) {
    a->right[k] = k < m ? -c[k] : 0;
  }
  for (int k = 0; k < n; k++) {
    a->matrix[(m + k) * n + k] = sqrt(damping);
  }
  (void)sb_solve_least_norm(a->matrix, a->right, m + n, n, least, a->order, a->scratch);
  for (int k = 0; k < n; k++) {
    a->dv[k] = may_move(a, k) ? a->right[k] / a->s->unit[k] : 0;
  }
}

void assembly_restrain(assembly *a) {
  static const double leap = 0.5; // [rad]
  double most = 0;
  for (int k = 0; k < a->s->velocities; k++) {
    most = fmax(most, fabs(a->dv[k]) * a->s->unit[k] / a->s->length);
  }
  for (int k = 0; k < a->s->velocities && most > leap; k++) {
    a->dv[k] *= leap / most;
  }
}

double assembly_reach(const assembly *a) {
  return closure_reach(a->s, a->tree_scratch) + sb_vec3_norm(a->point);
}

/** From q until g is closed or does not shrink. Returns its length. */
static double search(assembly *a, double q[]) {
  const size_t size = (size_t)sb_tree_coordinates(a->s->tree) * sizeof *q;
  double gap = assembly_look(a, q, a->g), factor = 1;
  for (int step = 0; step < STEPS && gap > 0 && factor < 1e12; step++) {
    (void)assembly_look(a, q, a->g);
    assembly_take_rows(a, NULL, NULL);
    double left = gap;
    for (; factor < 1e12; factor *= 4) {
      solve(a, a->g, factor * gap / a->s->length, 1e-14);
      assembly_restrain(a);
      memcpy(a->q, q, size);
      closure_advance(a->s->tree, a->dv, a->q);
      left = assembly_look(a, a->q, a->next);
      if (left < gap) {
        break;
      }
    }
    if (left < gap) {
      const bool slow = left > (1 - 1e-12) * gap || gap < rounding * assembly_reach(a);
      memcpy(q, a->q, size);
      gap = left;
      factor = fmax(factor / 16, 1e-6);
      if (slow) {
        break;
      }
    }
  }
  return gap;
}

/** Beside the start, the farther the later; the same at each call. */
static void disturb(assembly *a, int start, double q[]) {
  for (int k = 0; k < a->s->velocities; k++) {
    const double far = 0.15 * start * sin(2.385 * (k + 1) * start + start);
    a->dv[k] = may_move(a, k) ? far * a->s->length / a->s->unit[k] : 0;
  }
  closure_advance(a->s->tree, a->dv, q);
}

/** The closure with the largest gap, and its shifts and turns; what is rounding beside that is zero. */
static int find_worst(const sb_closures *s, const double g[], double *shift, double *turn) {
  int row = 0, worst = 0;
  const double slight = 1e-6 * closure_gap(s, g, &row);
  while (sb_closures_first_row(s, worst + 1) <= row) {
    worst++;
  }
  const int first = sb_closures_first_row(s, worst), after = sb_closures_first_row(s, worst + 1),
            turns = worst < s->joints ? s->joint[worst].turns : 0;
  *shift = *turn = 0;
  for (int i = first; i < after; i++) {
    if (s->row_scale[i] * fabs(g[i]) > slight) {
      double *part = i < after - turns ? shift : turn;
      *part = hypot(*part, g[i]);
    }
  }
  return worst;
}

/** Words which closure is violated most, by g in the scale of the rows, or by its rates. */
static sb_status fail(assembly *a, double g[], bool rates, int *worst, sb_error *err) {
  const sb_closures *s = a->s;
  double shift, turn;
  for (int i = 0; i < s->rows; i++) {
    g[i] /= s->row_scale[i];
  }
  const int closure = find_worst(s, g, &shift, &turn);
  const char *name = sb_closures_name(s, closure);
  const sb_number_text far = sb_number_word(shift), turned = sb_number_word(turn);
  if (worst != NULL) {
    *worst = closure;
  }
  if (closure >= s->joints) {
    return sb_fail(err, SB_ERR_UNSOLVED, "the coupling '%s' %s by %s%s", name,
                   rates ? "forbids these velocities: its sum changes"
                         : "is not met: its sum stays off",
                   far.text, rates ? " each second" : "");
  }
  const char *part = rates ? "forbids these velocities: its frames part at "
                           : "does not close: its frames stay ",
             *apart = rates ? " m/s" : " m apart",
             *around = rates ? " rad/s" : " rad turned against each other";
  return sb_fail(err, SB_ERR_UNSOLVED, "the joint '%s' %s%s%s%s%s%s", name, part,
                 shift > 0 ? far.text : "", shift > 0 ? apart : "",
                 shift > 0 && turn > 0 ? " and " : "", turn > 0 ? turned.text : "",
                 turn > 0 ? around : "");
}

/** Searches from q, and then from beside it, until one search ends closed; q: where the gap was least. */
static bool search_around(assembly *a, int starts, double q[], double from[], double at[]) {
  const size_t size = (size_t)sb_tree_coordinates(a->s->tree) * sizeof *q;
  double best = HUGE_VAL, enough = 0;
  memcpy(from, q, size);
  for (int start = 0; start < starts && best > enough; start++) {
    memcpy(at, from, size);
    disturb(a, start, at); // by nothing at first
    const double gap = search(a, at);
    enough = closed * assembly_reach(a);
    if (gap < best) {
      best = gap;
      memcpy(q, at, size);
    }
  }
  return best <= enough;
}

sb_status closure_assemble(const sb_closures *s, const bool fixed[], int starts, double q[],
                           sb_vec3 point, int *worst, sb_error *err) {
  const int count = sb_tree_coordinates(s->tree);
  assembly a;
  SB_TRY(assembly_begin(&a, s, fixed, point, err));
  double *from = sb_zeroed(2 * count, sizeof *from);
  sb_status status = SB_OK;
  if (from == NULL) {
    status = sb_fail(err, SB_ERR_MEMORY, "out of memory");
  } else if (!search_around(&a, starts, q, from, from + count)) {
    (void)assembly_look(&a, q, a.g);
    status = fail(&a, a.g, false, worst, err);
  }
  free(from);
  assembly_end(&a);
  return status;
}

sb_status sb_closures_assemble(const sb_closures *s, const bool fixed[], double q[], sb_vec3 point,
                               int *worst, sb_error *err) {
  return closure_assemble(s, fixed, STARTS, q, point, worst, err);
}

/** How far one coordinate has been moved, in the scale of the velocities; of a free turn, by how its quaternion differs. */
static double moved_by(const sb_closures *s, int velocity, const double from[], const double q[]) {
  const int i = s->coordinate[velocity];
  return i < 0 ? 0 : s->unit[velocity] * fabs(q[i] - from[i]);
}

/** With J in reduced row echelon form over what may move, dv_pivot = -sum of entries times what is left open: each of these
 *  moves the pivots of its column. */
static void mark_open(const assembly *a, const int pivots[], int rank, const double from[],
                      const double q[], double least, bool open[]) {
  const int n = a->s->velocities;
  for (int k = 0; k < n; k++) {
    double moved = moved_by(a->s, k, from, q);
    bool pivot = false;
    for (int r = 0; r < rank; r++) {
      pivot = pivot || pivots[r] == k;
      moved =
          fabs(a->J[r * n + k]) > follows ? fmax(moved, moved_by(a->s, pivots[r], from, q)) : moved;
    }
    open[k] = may_move(a, k) && !pivot && moved > least * a->s->length;
  }
}

sb_status sb_closures_find_open(const sb_closures *s, const bool fixed[], const double from[],
                                const double q[], sb_vec3 point, double least, bool open[],
                                sb_error *err) {
  assembly a;
  SB_TRY(assembly_begin(&a, s, fixed, point, err));
  (void)assembly_look(&a, q, a.g);
  assembly_take_rows(&a, NULL, NULL);
  const int rank = sb_eliminate(a.J, s->rows, s->velocities, s->velocities, implied, a.order);
  mark_open(&a, a.order, rank, from, q, least, open);
  assembly_end(&a);
  return SB_OK;
}

sb_status sb_closures_assemble_velocities(const sb_closures *s, const bool fixed[],
                                          const double q[], sb_vec3 point, double v[], int *worst,
                                          sb_error *err) {
  assembly a;
  SB_TRY(assembly_begin(&a, s, fixed, point, err));
  double largest = 0, left = 0;
  (void)assembly_look(&a, q, a.g);
  assembly_take_rows(&a, v, a.g);
  solve(&a, a.g, 0, 1e-11);
  for (int k = 0; k < s->velocities; k++) {
    v[k] += a.dv[k];
    largest = fmax(largest, s->unit[k] * fabs(v[k]));
  }
  assembly_take_rows(&a, v, a.g);
  for (int i = 0; i < s->rows; i++) {
    left = fmax(left, fabs(a.g[i]));
  }
  const sb_status status = left <= moving * largest ? SB_OK : fail(&a, a.g, true, worst, err);
  assembly_end(&a);
  return status;
}
