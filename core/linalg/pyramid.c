// SPDX-License-Identifier: GPL-3.0-or-later
// Rigid contacts with friction as a linear complementarity problem (Stewart and Trinkle, Int. J. Numer. Meth. Eng. 39, 1996; Anitescu
// and Potra, Nonlinear Dynamics 14, 1997): the cone of friction is a pyramid with the edges d_k, p_t = sum beta_k d_k, and
//   u_n >= 0              complementary to  p_n >= 0,
//   d_k . u_t + l >= 0                      beta_k >= 0,
//   mu p_n - sum beta_k >= 0                l >= 0, the speed of the slip.
// Where contacts slide already, forces that act for a short time eps and the impulses of this time satisfy it with u = v + eps b + W P. The
// powers of eps tell both (core/linalg/lemke.h): P of the power zero is an impact without collision, where no forces let the slips go on
// (Painleve); else P/eps is the forces. The matrix is copositive, and with W definite p . W p = 0 leaves nothing but l, for which q . z =
// 0: there is always a solution. W is made definite as by feet that yield by a fraction of it: of redundant contacts equal ones
// press alike.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/linalg/lemke.h"
#include "core/linalg/unilateral_private.h"

enum { N = SB_CONTACT_N, X = SB_CONTACT_X, Y = SB_CONTACT_Y, EDGES = 8 };
static const double yields = SB_UNILATERAL_SOLVED_TO, most_mu = 1e6;
/** Least impulse, of that which ends the fastest slip: what flows are off by rounding, 1e-16, feet that yield make impulses of 1e-7. */
static const double impulse = 1e-6;
/** A mechanism in a plane: its tangents respond along one direction, and nothing else moves them. */
static const double singular = 1e-12, turn = 2 * 3.14159265358979323846;
/** The golden section spreads the numbers that decide between equal ratios, and those that take another path in another trial. */
static const double golden = 0.6180339887498949;

typedef struct pyramid {
  const sb_unilateral_problem *m;
  const double *v;
  int trial, edges, n;
  double W, b, speed; // [.] sizes
  int *first,
      *count; // (contacts) the first unknown, and how many edges; those that part have no unknowns: -1
  double *angle; // (contacts) of the first edge
  double step;   // [rad] between the edges of a cone
} pyramid;

static double response(const pyramid *s, int i, int j) {
  return sb_unilateral_response(s->m, i, j);
}

/** Whether a contact slides without a speed, or with one that nothing changes: its friction is along s whatever it does. */
static bool is_carried(const pyramid *s, int c) {
  const bool still = s->v == NULL || (s->v[3 * c + X] == 0 && s->v[3 * c + Y] == 0);
  return s->m->contacts[c].slides && (still || sb_unilateral_is_imposed(s->m, c));
}

/** The direction in which friction is expected, and how many edges a contact needs. */
static void place_edges(pyramid *s, int c) {
  const sb_unilateral *contact = &s->m->contacts[c];
  const double *b = s->m->b + 3 * c, *p = s->m->p + 3 * c;
  const int x = 3 * c + X, y = 3 * c + Y;
  const double xx = response(s, x, x), yy = response(s, y, y), xy = response(s, x, y);
  const double along = atan2(copysign(sqrt(yy), xy), sqrt(xx)); // of the response in a plane
  const double imposed = fabs(b[Y] * cos(along) - b[X] * sin(along));
  const bool plane = xx * yy - xy * xy <= singular * (xx + yy) * (xx + yy) &&
                     imposed <= SB_UNILATERAL_SOLVED_TO * (fabs(b[N]) + fabs(b[X]) + fabs(b[Y]));
  s->count[c] = !contact->rubs || sb_unilateral_is_imposed(s->m, c) || is_carried(s, c) ? 0
                : plane                                                                 ? 2
                                                                                        : s->edges;
  s->angle[c] = contact->slides         ? atan2(-contact->s[1], -contact->s[0])
                : plane                 ? along
                : hypot(p[X], p[Y]) > 0 ? atan2(p[Y], p[X])
                                        : atan2(-b[Y], -b[X]);
}

/** Lists the unknowns and takes the sizes. */
static void begin(pyramid *s) {
  for (int c = 0; c < s->m->count; c++) {
    s->first[c] = -1;
    if (isinf(s->m->b[3 * c])) {
      continue;
    }
    place_edges(s, c);
    s->first[c] = s->n;
    s->n += 1 + s->count[c] + (s->count[c] > 0);
    for (int k = 0; k < 3; k++) {
      s->W = fmax(s->W, response(s, 3 * c + k, 3 * c + k));
      s->b = fmax(s->b, fabs(s->m->b[3 * c + k]));
      s->speed = fmax(s->speed, s->v != NULL ? fabs(s->v[3 * c + k]) : 0);
    }
  }
}

/** The direction of the flow that unknown k of a contact belongs to: the normal, then the edges. */
static void direction_of(const pyramid *s, int c, int k, double e[3]) {
  const double angle = s->angle[c] + turn * (k - 1) / s->count[c];
  e[N] = k == 0;
  e[X] = k == 0 ? 0 : cos(angle);
  e[Y] = k == 0 ? 0 : sin(angle);
}

/** The force of unknown k: along the same, with the friction of what is carried. */
static void force_of(const pyramid *s, int c, int k, double e[3]) {
  const sb_unilateral *contact = &s->m->contacts[c];
  direction_of(s, c, k, e);
  if (contact->rubs && is_carried(s, c)) {
    e[X] = -contact->mu * contact->s[0];
    e[Y] = -contact->mu * contact->s[1];
  }
}

/** The row of one force: the flow along it. */
static void fill_force(const pyramid *s, int c, int k, double row[]) {
  const bool jams = sb_unilateral_jams(s->m, c) && !is_carried(s, c);
  const double yield[3] = {jams ? -yields : yields, yields,
                           yields}; // feet bear no force that grows beyond all bounds
  double e[3], to[3];
  direction_of(s, c, k, e);
  for (int d = 0; d < s->m->count; d++) {
    for (int j = 0; s->first[d] >= 0 && j <= s->count[d]; j++) {
      double sum = 0;
      force_of(s, d, j, to);
      for (int a = 0; a < 9; a++) {
        sum += e[a / 3] * to[a % 3] * response(s, 3 * c + a / 3, 3 * d + a % 3) / s->W;
      }
      for (int a = 0; a < 3 && c == d; a++) {
        sum += yield[a] * e[a] * to[a];
      }
      row[s->first[d] + j] = sum;
    }
  }
  double *q = row + s->n + 1;
  for (int a = 0; a < 3; a++) {
    q[0] += s->speed > 0 ? e[a] * s->v[3 * c + a] / s->speed : 0;
    q[1] += s->b > 0 ? e[a] * s->m->b[3 * c + a] / s->b : 0;
  }
}

/** The bound of the friction of a contact, and its speed of slip in the rows of its edges. */
static void fill_bound(const pyramid *s, int c, double table[]) {
  const int columns = sb_lemke_columns(s->n), slip = s->first[c] + s->count[c] + 1;
  const double mu = fmin(s->m->contacts[c].mu, most_mu), scale = 1 / fmax(mu, 1);
  table[slip * columns + s->first[c]] = scale * mu;
  for (int k = 1; k <= s->count[c]; k++) {
    table[slip * columns + s->first[c] + k] = -scale;
    table[(s->first[c] + k) * columns + slip] = scale;
  }
}

static void fill(const pyramid *s, double table[]) {
  const int columns = sb_lemke_columns(s->n);
  for (int c = 0; c < s->m->count; c++) {
    for (int k = 0; s->first[c] >= 0 && k <= s->count[c]; k++) {
      fill_force(s, c, k, table + (s->first[c] + k) * columns);
    }
    if (s->first[c] >= 0 && s->count[c] > 0) {
      fill_bound(s, c, table);
    }
  }
  for (int i = 0; i < s->n; i++) {
    table[i * columns + s->n] = 1 + fmod(golden * (i + 1) * s->trial, 1);
    table[i * columns + s->n + SB_LEMKE_POWERS] = 1 + fmod(golden * (i + 1), 1);
  }
}

/** Whether a contact does not slip: its speed l is zero, or no more than feet yield. Edges that are no neighbours may bear it; l is basic
 *  then, and rounding. */
static bool is_held(const pyramid *s, int c, const double z[], int power) {
  double friction = 0;
  for (int k = 1; k <= s->count[c]; k++) {
    friction += z[2 * (s->first[c] + k) + power];
  }
  return !(s->m->contacts[c].slides && power == 1) &&
         (s->count[c] == 0 ||
          z[2 * (s->first[c] + s->count[c] + 1) + power] <= 2 * yields * friction);
}

/** The impulses (power 0) or forces (power 1), and how each contact does. */
static void take(const pyramid *s, const double z[], int power) {
  const double size = (power == 0 ? s->speed : s->b) / s->W;
  double most = 0;
  memset(s->m->p, 0, (size_t)(3 * s->m->count) * sizeof *s->m->p);
  for (int c = 0; c < s->m->count; c++) {
    double *p = s->m->p + 3 * c, e[3];
    for (int k = 0; s->first[c] >= 0 && k <= s->count[c]; k++) {
      force_of(s, c, k, e);
      for (int a = 0; a < 3; a++) {
        p[a] += size * z[2 * (s->first[c] + k) + power] * e[a];
      }
    }
    most = fmax(most, p[N]);
  }
  for (int c = 0; c < s->m->count; c++) {
    sb_unilateral *contact = &s->m->contacts[c];
    const double *p = s->m->p + 3 * c, friction = hypot(p[X], p[Y]);
    contact->acts = p[N] > SB_UNILATERAL_SOLVED_TO * most;
    contact->sticks = contact->acts && contact->rubs && is_held(s, c, z, power);
    if (contact->acts && !contact->slides) { // of what hardly presses friction is nothing
      double u[3], speed;
      sb_unilateral_flow(s->m, c, u);
      speed = hypot(u[X], u[Y]);
      contact->s[0] = friction > 0 ? -p[X] / friction : speed > 0 ? u[X] / speed : 1;
      contact->s[1] = friction > 0 ? -p[Y] / friction : speed > 0 ? u[Y] / speed : 0;
    }
  }
}

sb_unilateral_status sb_unilateral_pyramid(sb_unilateral_problem *m, const double v[], int trial,
                                           bool cancels) {
  const int count = m->count, edges = EDGES << trial / 2, most = count * (edges + 2);
  int *names = sb_zeroed(2 * count + 2 * most + 1, sizeof *names);
  double *numbers = sb_zeroed(count + 2 * most + most * sb_lemke_columns(most), sizeof *numbers);
  sb_unilateral_status status = SB_UNILATERAL_MEMORY;
  if (names != NULL && numbers != NULL) {
    pyramid s = {.m = m,
                 .v = v,
                 .trial = trial,
                 .edges = edges,
                 .first = names,
                 .count = names + count,
                 .angle = numbers};
    double *z = numbers + count, *table = z + 2 * most, struck = 0;
    begin(&s);
    fill(&s, table);
    (void)sb_lemke(table, s.n, cancels, names + 2 * count,
                   z); // the conditions are tested where they are exact
    for (int c = 0; c < count && s.speed > 0; c++) {
      struck = s.first[c] >= 0 ? fmax(struck, z[2 * s.first[c]]) : struck;
    }
    take(&s, z, struck > impulse ? 0 : 1);
    status = struck > impulse ? SB_UNILATERAL_IMPACT : SB_UNILATERAL_SOLVED;
  }
  free(names);
  free(numbers);
  return status;
}
