// SPDX-License-Identifier: GPL-3.0-or-later
// Where contacts hold one thing several times, and some share of friction comes near its bound, the share in the middle of what is
// admissible: with u = |p_t|/(mu p_n) and N the p_n as they were found and what friction may add to them,
//   sum -log(1 - u^2)/2 + p_n/N - log(p_n/N) -> min,   W p as it was,
// by Newton's method from a share within the bounds, with the diagonal of the Hessian (Dikin's affine scaling, Dokl. Akad. Nauk SSSR 174, 1967).
// What slides takes its friction along, -mu p_n s, and of its flow the normal one stays as it was.
// Each share is as far from its bound as its strength: of a foot that is hardly pressed hardly any friction is asked.
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/linalg/dense.h"
#include "core/linalg/unilateral_private.h"

enum { N = SB_CONTACT_N, X = SB_CONTACT_X, Y = SB_CONTACT_Y };
/** From a bound but for eps the first step is 1/sqrt(eps) of what shares may change. */
enum { STEPS = 100, HALVINGS = DBL_MANT_DIG };
/** The middle is found when no share changes by more than this fraction of its strength. */
static const double found = 1e-6;
typedef struct middle {
  sb_unilateral_problem *m;
  int count;          // unknowns
  int *which;         // (count) of which component each is
  const double *push; // (contacts) what each p_n is compared with
  double *change;     // (count)
  double *scale;      // (count) what it may change
  double *a;          // (count x count)
  int *order;         // (count)
  double *room;       // (count)
} middle;

/** Of what sticks by friction all components change, of what has none, or slides, the normal force. */
static void list_unknowns(middle *s) {
  s->count = 0;
  for (int c = 0; c < s->m->count; c++) {
    const sb_unilateral *contact = &s->m->contacts[c];
    const bool rubs = contact->rubs && contact->mu > 0, sticks = rubs && contact->sticks;
    const bool free = contact->acts && s->push[c] > 0 &&
                      (sticks ? !isinf(contact->mu) : !rubs || contact->slides);
    for (int k = 0; k < (sticks ? 3 : 1) && free; k++) {
      s->which[s->count++] = 3 * c + k;
    }
  }
}

/** How the flow i answers a change of the unknown k. */
static double answer(const middle *s, int i, int k) {
  const int c = s->which[k] / 3;
  const sb_unilateral *contact = &s->m->contacts[c];
  const double along = sb_unilateral_response(s->m, i, s->which[k]);
  return !contact->rubs || contact->sticks
             ? along
             : along - contact->mu * (contact->s[0] * sb_unilateral_response(s->m, i, 3 * c + X) +
                                      contact->s[1] * sb_unilateral_response(s->m, i, 3 * c + Y));
}

/** u^2; infinite: beyond the bound. */
static double use_of(const middle *s, int c) {
  const double *p = s->m->p + 3 * c, mu = s->m->contacts[c].mu, bound = mu * p[N];
  const double t = hypot(p[X], p[Y]);
  return !s->m->contacts[c].sticks || t == 0 ? 0
         : p[N] > 0 && t < bound             ? t / bound * (t / bound)
                                             : HUGE_VAL;
}

static double height(const middle *s) {
  double sum = 0;
  for (int i = 0; i < s->count; i++) {
    const int c = s->which[i] / 3;
    const double ratio = s->m->p[3 * c] / s->push[c], u = use_of(s, c);
    if (s->which[i] % 3 == N) {
      sum += ratio > 0 && u < 1 ? ratio - 1 - log(ratio) - 0.5 * log1p(-u) : HUGE_VAL;
    }
  }
  return sum;
}

/** The step from here. @return the largest change, relative to what it may be; 0: nothing is free */
static double aim(const middle *s) {
  const int n = s->count;
  double *y = s->change, most = 0;
  for (int i = 0; i < n; i++) {
    const int c = s->which[i] / 3, k = s->which[i] % 3;
    const double *p = s->m->p + 3 * c, u = use_of(s, c), strength = s->m->contacts[c].mu * p[N];
    if (k == N) {
      s->scale[i] = p[N] * sqrt(1 - u);
      s->room[i] = s->scale[i] * (1 / s->push[c] - 1 / ((1 - u) * p[N]));
    } else {
      s->scale[i] = strength * sqrt(1 - u);
      s->room[i] = s->scale[i] * p[k] / (strength * strength * (1 - u));
    }
  }
  for (int i = 0; i < n; i++) { // what the constraints leave of it
    y[i] = 0;
    for (int j = 0; j < n; j++) {
      s->a[i * n + j] = answer(s, s->which[i], j) * s->scale[j];
      y[i] += s->a[i * n + j] * s->room[j];
    }
  }
  double *downhill = s->a + n * n;
  memcpy(downhill, s->room, (size_t)n * sizeof *downhill);
  if (sb_solve_least_norm(s->a, y, n, n, s->m->rank, s->order, s->room) == n) {
    return 0;
  }
  for (int i = 0; i < n; i++) {
    most = fmax(most, fabs(y[i] - downhill[i]));
    s->change[i] = s->scale[i] * (y[i] - downhill[i]);
  }
  return most;
}

static void move(const middle *s, double part) {
  for (int i = 0; i < s->count; i++) {
    const int c = s->which[i] / 3;
    const sb_unilateral *contact = &s->m->contacts[c];
    s->m->p[s->which[i]] += part * s->change[i];
    for (int k = X; k <= Y && contact->rubs && !contact->sticks; k++) {
      s->m->p[3 * c + k] = -contact->mu * contact->s[k - X] * s->m->p[3 * c];
    }
  }
}

/** @return whether the middle is found */
static bool descend(middle *s) {
  double now = height(s), most = HUGE_VAL;
  for (int i = 0; i < STEPS && isfinite(now) && most > found; i++) {
    most = aim(s);
    if (most == 0) {
      return false;
    }
    double part = 1, next = (move(s, part), height(s));
    for (int k = 0; k < HALVINGS && !(next <= now); k++) {
      part *= 0.5;
      move(s, -part);
      next = height(s);
    }
    now = next;
  }
  return true;
}

double sb_unilateral_pressed(const sb_unilateral_problem *m, int c) {
  const double own = sb_unilateral_response(m, 3 * c, 3 * c);
  double sum = 0;
  for (int d = 0; d < m->count && own > 0; d++) {
    const double bound = m->contacts[d].sticks ? m->contacts[d].mu * m->p[3 * d] : 0;
    if (d != c && isfinite(bound)) {
      sum += bound / own *
             hypot(sb_unilateral_response(m, 3 * c, 3 * d + X),
                   sb_unilateral_response(m, 3 * c, 3 * d + Y));
    }
  }
  return sum;
}

void sb_unilateral_centre(sb_unilateral_problem *m, double scratch[]) {
  const int m3 = 3 * m->count;
  double *first = scratch, *push = scratch + m3;
  middle s = {.m = m, .push = push, .change = push + m->count, .scale = push + m->count + m3};
  s.room = s.scale + m3;
  s.which = (int *)(void *)(s.room + m3);
  s.order = s.which + m3;
  s.a = s.room + 2 * m3;
  memcpy(first, m->p, (size_t)m3 * sizeof *m->p);
  for (int c = 0; c < m->count; c++) {
    push[c] = m->p[3 * c] > 0 ? m->p[3 * c] + sb_unilateral_pressed(m, c) : 0;
  }
  list_unknowns(&s);
  if (!descend(&s)) {
    return;
  }
  (void)sb_unilateral_balance(m, NULL, s.change); // what rounding has left of W p
  list_unknowns(&s);
  if (!(isfinite(height(&s)) && sb_unilateral_holds(m))) {
    memcpy(m->p, first, (size_t)m3 * sizeof *m->p);
  }
}
