// SPDX-License-Identifier: GPL-3.0-or-later
// Impulses p that the law of an impact asks for where flows are not linear in the states, as beside a storage with H other than
// p^2/(2 m): the conditions of contact hold for u = v(x- + G^T p) + shift, with the network's other constraints as they were. By
// Newton's iteration for such conditions (Josephy 1979): at each state they are solved with the response there,
//   u = v_k + W_k (p - p_k) + shift,
// with what the other constraints are off by taken out in the same step. A step is halved while it overshoots: along it the slope of
// the potential whose gradient u is, of H on impulses, may not grow to half of what it was with the other sign. Without that
// v = p/sqrt(1 + p^2) diverges.
// The loss is the work -p . v along the straight way from x- to x+, by Simpson's rule.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/simulation/impacts_private.h"
#include "core/simulation/switching_private.h"

enum { ITERATIONS_MAX = 100, HALVINGS_MAX = 60, INTERVALS = 16 };

/** What one strike works with: m = 3 count components, n states, o other constraints. */
typedef struct strike {
  sb_simulation *sim;
  sb_touches *all;
  const sb_impulse_law *law;
  double *from, *x;    // (n) where the strike and the step start
  double *q, *next;    // (m) impulses of this strike, and those that the iteration goes to
  double *b;           // (m) flows without them
  double *told, *size; // (m) flows behind the step, by the response
  double *dx;          // (n) the step
  double *pull;        // (o) impulses of other constraints in it
  double *beside;      // (o x 2) the residuals that those are to have, and what each is the sum of
  double *p, *first;   // (m) impulses before, and those of the linear response
  double *kept;        // (3 m) p, step and v0 over a new response
  sb_touch *touches;   // (count) before
} strike;

/** Reads flows and responses at the state as it is now. Else all->numbers are the last ones; NULL: out of memory. */
static sb_status look(const strike *s) {
  sb_touches *all = s->all;
  const size_t m = (size_t)(3 * all->count), size = m * sizeof(double);
  memcpy(s->kept, all->p, size);
  memcpy(s->kept + m, all->step, size);
  memcpy(s->kept + 2 * m, all->v0, size);
  sb_error err;
  sb_workspace_changed(s->sim->work);
  SB_TRY(sb_touches_evaluate(s->sim, &err));
  const sb_status status = sb_touches_respond(s->sim, all, &err);
  if (all->numbers == NULL) {
    return SB_ERR_MEMORY;
  }
  memcpy(all->p, s->kept, size);
  memcpy(all->step, s->kept + m, size);
  memcpy(all->v0, s->kept + 2 * m, size);
  return status;
}

/** Where the iteration goes from here: next, told, dx and pull.
 *  @param slope  out: of the potential along it, and at its end as told */
static sb_status aim(const strike *s, double slope[2], sb_error *err) {
  const sb_touches *all = s->all;
  const int m = 3 * all->count, n = all->n, others = all->other_count;
  double *free_step = s->dx;
  memset(free_step, 0, (size_t)n * sizeof *free_step);
  for (int j = 0; j < others; j++) {
    s->pull[j] = -all->pending[j];
    for (int k = 0; k < n; k++) {
      free_step[k] -= all->G_others[j * n + k] * all->pending[j];
    }
  }
  for (int i = 0; i < m; i++) {
    s->told[i] = all->v[i];
    for (int k = 0; k < n; k++) {
      s->told[i] += all->C[i * n + k] * free_step[k];
    }
    s->b[i] = s->told[i] + s->law->shift[i];
    for (int j = 0; j < m; j++) {
      s->b[i] -= all->W[i * m + j] * s->q[j];
    }
  }
  memset(s->next, 0, (size_t)m * sizeof *s->next);
  SB_TRY(sb_touches_impulses(s->sim, all, s->law, s->b, s->next, err));
  for (int i = 0; i < m; i++) {
    const double d = s->next[i] - s->q[i];
    for (int j = 0; j < m; j++) {
      s->told[j] += all->W[j * m + i] * d;
    }
    for (int k = 0; k < n; k++) {
      s->dx[k] += all->G[i * n + k] * d;
    }
    for (int j = 0; j < others; j++) {
      s->pull[j] -= all->Z[i * others + j] * d;
    }
  }
  slope[0] = slope[1] = 0;
  for (int i = 0; i < m; i++) {
    const double d = s->next[i] - s->q[i];
    slope[0] += (all->v[i] + s->law->shift[i]) * d;
    slope[1] += (s->told[i] + s->law->shift[i]) * d;
  }
  for (int j = 0; j < others; j++) {
    slope[0] += (all->beside[2 * j] - s->beside[2 * j]) * s->pull[j];
  }
  memcpy(s->size, all->size, (size_t)m * sizeof *s->size);
  return SB_OK;
}

static double slope_now(const strike *s) {
  double slope = 0;
  for (int i = 0; i < 3 * s->all->count; i++) {
    slope += (s->all->v[i] + s->law->shift[i]) * (s->next[i] - s->q[i]);
  }
  for (int j = 0; j < s->all->other_count; j++) {
    slope += (s->all->beside[2 * j] - s->beside[2 * j]) * s->pull[j];
  }
  return slope;
}

/** One step of the iteration. @param whole  whatever slopes are, as at rounding
 *  @param length  out: the part of it that was taken */
static sb_status advance(const strike *s, bool whole, double *length, sb_error *err) {
  double slope[2], a = 1;
  SB_TRY(aim(s, slope, err));
  memcpy(s->x, s->sim->x, (size_t)s->all->n * sizeof *s->x);
  bool over = true;
  for (int i = 0; over && i < HALVINGS_MAX; i++) {
    a = i > 0 ? 0.5 * a : 1;
    for (int k = 0; k < s->all->n; k++) {
      s->sim->x[k] = s->x[k] + a * s->dx[k];
    }
    const sb_status status = look(s);
    if (s->all->numbers == NULL) {
      return sb_fail(err, SB_ERR_MEMORY, "out of memory");
    }
    over =
        status != SB_OK || (!whole && !(slope_now(s) <= 0.5 * fabs(slope[0]) + fmax(slope[1], 0)));
  }
  for (int i = 0; i < 3 * s->all->count; i++) {
    s->q[i] += a * (s->next[i] - s->q[i]);
  }
  *length = a;
  return SB_OK;
}

/** Until flows are what the response told, and once more, as each step squares what it is off by.
 *  @param met  out: whether they are */
static sb_status iterate(const strike *s, bool *met, sb_error *err) {
  int close = 0;
  for (int i = 0; close < 2 && i < ITERATIONS_MAX; i++) {
    double length = 0;
    SB_TRY(advance(s, close > 0, &length, err));
    const double miss = sb_touches_miss(s->all, s->told, s->size, s->beside, NULL);
    close = length == 1 && miss <= sb_touches_tolerance(s->sim) ? close + 1 : 0;
  }
  *met = close == 2;
  return SB_OK;
}

/** The work of the impulses q. */
static sb_status book(const strike *s) {
  sb_touches *all = s->all;
  double *to = s->x;
  memcpy(to, s->sim->x, (size_t)all->n * sizeof *to);
  for (int i = 0; i <= INTERVALS; i++) { // at the end last, whose responses stay
    const double part = (double)i / INTERVALS;
    const double weight = (i % INTERVALS == 0 ? 1 : i % 2 == 1 ? 4 : 2) / (3.0 * INTERVALS);
    for (int k = 0; k < all->n; k++) {
      s->sim->x[k] = i == INTERVALS ? to[k] : s->from[k] + part * (to[k] - s->from[k]);
    }
    SB_TRY(look(s));
    for (int k = 0; k < 3 * all->count; k++) {
      const double work = weight * s->q[k] * all->v[k];
      all->touches[k / 3].loss -= work;
      all->touches[k / 3].turned += fabs(work);
    }
  }
  return SB_OK;
}

static bool make(strike *s) {
  const int m = 3 * s->all->count, n = s->all->n, others = s->all->other_count;
  s->x = sb_zeroed(3 * n + 10 * m + 3 * others + 1, sizeof *s->x);
  s->touches = sb_zeroed(s->all->count, sizeof *s->touches);
  if (s->x == NULL || s->touches == NULL) {
    return false;
  }
  s->from = s->x + n;
  s->dx = s->from + n;
  s->q = s->dx + n;
  s->next = s->q + m;
  s->b = s->next + m;
  s->told = s->b + m;
  s->size = s->told + m;
  s->p = s->size + m;
  s->first = s->p + m;
  s->kept = s->first + m;
  s->pull = s->kept + 3 * m;
  s->beside = s->pull + others;
  return true;
}

/** Whether flows are those that the response told; then all is as it was told, to the last digit.
 *  @param freed  energies may take other branches: the next impulse may meet one */
static bool is_as_told(strike *s, bool freed) {
  sb_touches *all = s->all, saved = *all;
  all->numbers = NULL;
  const bool known = look(s) == SB_OK;
  const bool told = known && sb_touches_miss(all, s->told, s->size, s->beside, NULL) <=
                                 sb_touches_tolerance(s->sim);
  if (told || !known) {
    free(all->numbers);
    *all = saved;
    all->linear = told && !freed;
  } else {
    free(saved.numbers);
  }
  if (!known) { // it has left the domain of a law: from the state before on, by steps that do not
    memcpy(s->sim->x, s->from, (size_t)all->n * sizeof *s->from);
    memcpy(all->v, all->v0, (size_t)(3 * all->count) * sizeof *all->v);
    memset(s->q, 0, (size_t)(3 * all->count) * sizeof *s->q);
  }
  return told;
}

/** The contact that a refusal names. */
static int struck_by(const strike *s) {
  int c = 0;
  while (c < s->all->count - 1 && s->q[3 * c] == 0) {
    c++;
  }
  return c;
}

/** From the state behind the impulses of the linear response on. */
static sb_status correct(strike *s, sb_error *err) {
  sb_touches *all = s->all;
  bool met = false;
  memset(s->beside, 0, (size_t)(2 * all->other_count) * sizeof *s->beside);
  if (s->law != NULL) {
    SB_TRY(iterate(s, &met, err));
  }
  if (!met) {
    return sb_touch_refuse_bent(s->sim, &all->touches[struck_by(s)], err);
  }
  for (int c = 0; c < all->count; c++) {
    all->touches[c].loss = s->touches[c].loss;
    all->touches[c].turned = s->touches[c].turned;
    for (int k = 3 * c; k < 3 * c + 3; k++) {
      all->touches[c].struck = all->touches[c].struck || s->q[k] != 0;
      all->p[k] = s->p[k] + s->q[k];
    }
  }
  for (int i = 0; i < 3 * all->count; i++) {
    s->first[i] = s->q[i] - s->first[i];
  }
  sb_touches_supply(s->sim, all, s->first);
  all->bent = true;
  return book(s) == SB_OK ? SB_OK : sb_fail(err, SB_ERR_MEMORY, "out of memory");
}

/** What other constraints have held against the impulses counts as a size of their flows: one of what stands still, as of a locked joint
 *  that an impact goes through, has no other. */
static void size_others(const sb_touches *all) {
  const int m = 3 * all->count, n = all->n, others = all->other_count;
  for (int o = 0; o < others; o++) {
    double own = 0, held = 0;
    for (int k = 0; k < n; k++) {
      own += all->C[(m + o) * n + k] * all->G_others[o * n + k];
    }
    for (int i = 0; i < m; i++) {
      held += fabs(all->step[i] * all->Z[i * others + o]);
    }
    all->beside[2 * o + 1] += held * fabs(own);
  }
}

sb_status sb_touches_follow(sb_simulation *sim, sb_touches *all, const sb_impulse_law *law,
                            sb_error *err) {
  size_others(all);
  if (all->linear) {
    sb_touches_apply(sim, all);
    return SB_OK;
  }
  const size_t m = (size_t)(3 * all->count) * sizeof(double);
  strike s = {.sim = sim, .all = all, .law = law};
  sb_status status = SB_OK;
  if (make(&s)) {
    memcpy(s.from, sim->x, (size_t)all->n * sizeof *s.from);
    memcpy(s.touches, all->touches, (size_t)all->count * sizeof *s.touches);
    memcpy(s.q, all->step, m);
    memcpy(s.first, all->step, m);
    memcpy(s.p, all->p, m);
    sb_touches_apply(sim, all);
    memcpy(s.told, all->v, m);
    memcpy(s.size, all->size, m);
    memcpy(s.beside, all->beside, (size_t)(2 * all->other_count) * sizeof *s.beside);
    const bool freed = sb_energies_exchange(sim, true);
    status = is_as_told(&s, freed) ? SB_OK : correct(&s, err);
    if (freed) {
      (void)sb_energies_exchange(sim, false);
    }
  } else {
    status = sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  free(s.x);
  free(s.touches);
  return status;
}
