// SPDX-License-Identifier: GPL-3.0-or-later
// The search for an equilibrium, xdot = 0, in coordinates z of the manifold of the states (manifold.c), zdot = f(z):
//   Newton's iteration        A dz = -f, shortened until f is less
//   pseudo-transient steps    (A - 1/h) dz = -f, the implicit Euler method, with h_k = h_0 |f_0| / |f_k|
// (Kelley and Keyes 1998): the latter lose energy as they pass over what is faster than h, so that they end where the energy is
// least, from far away too.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/analysis/equilibrium_private.h"
#include "core/linalg/numbers.h"
#include "core/loop/loop.h"

enum {
  LEAPS_MAX = 60,
  NEWTON_MAX = 60,
  HALVINGS_MAX = 30,
  RELAXATIONS_MAX = 400,
  UNIFORM_MAX = 20,
  SLOW_MAX = 5
};
/** Pseudo-transient steps end where they have reduced the rates to this fraction of the largest so far. */
static const double relaxed = 1e-6;
/** The length of a pseudo-transient step against the last one is at most this. */
static const double growth = 3;
/** Rates that change by less than this fraction in a step let the next be longer, too: what grows would change them by more. As many
 *  steps as UNIFORM_MAX that leave them within the other fraction are those of a motion that goes on for ever. */
static const double steady = 1e-2, uniform = 0.1;
/** The first step, and the shortest, by the fastest rate: shorter than what grows where it starts. */
static const double first = 0.3;
/** Between these the first step is searched for where the slopes tell of no rate [s]. */
static const double briefest = 1e-12, longest = 1e12;

static double rate_size(const double rate[], const double weight[], int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    sum += rate[i] * weight[i] * rate[i] * weight[i];
  }
  return sqrt(sum);
}

/** Size of the rates at p->x, which is moved onto the manifold. */
static double look(sb_search *s) {
  sb_operating_point *p = s->p;
  if (!sb_manifold_enter(p) || !sb_operating_point_evaluate(p, s->rows)) {
    return HUGE_VAL;
  }
  return sb_search_rates(s) ? rate_size(s->rate, s->weight, s->n) : HUGE_VAL;
}

/** The manifold, A, the rates, their weights and their size at l->x. */
static sb_status differentiate(sb_search *s, double *size, bool *finite, sb_error *err) {
  sb_linear *l = s->l;
  memcpy(s->p->x, l->x, (size_t)l->states * sizeof(double));
  if (sb_operating_point_evaluate(s->p, s->rows)) {
    sb_loop_accept(
        s->p->work); // algebraic loops are followed along the way, not searched anew from the start
  }
  sb_arena_finish(&s->memory);
  SB_TRY(sb_manifold_find(s->p, sb_operating_point_is_held(s->p), &s->manifold, &s->memory, err));
  SB_TRY(sb_operating_point_differentiate(s->p, l, NULL, l->exact, err));
  s->n = s->manifold.freedoms;
  sb_manifold_fold(&s->manifold, l->A, s->n, s->manifold.chosen);
  memcpy(s->p->x, l->x, (size_t)l->states * sizeof(double));
  *finite = isfinite(look(s)) != 0;
  sb_search_drop_rounding(s);
  for (int i = 0; i < s->n; i++) {
    s->weight[i] = 1 / sb_search_largest(l->A + i * s->n, s->n, 1);
  }
  *size = *finite ? rate_size(s->rate, s->weight, s->n) : HUGE_VAL;
  return SB_OK;
}

/** Size of the rates at p->x, which is at l->x and a fraction of the step. */
static double follow(sb_search *s, double fraction) {
  sb_manifold_move(&s->manifold, s->step, s->move);
  for (int i = 0; i < s->l->states; i++) {
    s->p->x[i] = s->l->x[i] + fraction * s->move[i];
  }
  return look(s);
}

/** Size of the rates after as much of the step as makes them smaller; p->x is there. */
static double descend(sb_search *s, double before) {
  double after = HUGE_VAL, fraction = 1;
  for (int halving = 0; halving < HALVINGS_MAX && !(after < before); halving++, fraction *= 0.5) {
    after = follow(s, fraction);
  }
  return after;
}

/** Largest rate, relative to the terms that the states make of it: about 1e-16 where it is their rounding. Each by its own states:
 *  where others are large, as momenta that have run away, their rates are, too. */
static double unrest(const sb_search *s) {
  double most = 0;
  for (int i = 0; i < s->n; i++) {
    double terms = 0;
    for (int j = 0; j < s->n; j++) {
      terms += fabs(s->l->A[i * s->n + j]) * (1 + fabs(s->l->x[s->manifold.chosen[j]]));
    }
    most = fmax(most, fabs(s->rate[i]) / (terms > 0 ? terms : 1));
  }
  return most;
}
/** Below this rates are the rounding of states; and below the other if nothing makes them less. */
static const double rests = 1e-12, left = 1e-9;

/** Newton's iteration, damped. */
static sb_status iterate(sb_search *s, bool *found, sb_error *err) {
  sb_linear *l = s->l;
  for (int k = 0, slow = 0; !*found && k < NEWTON_MAX && slow < SLOW_MAX; k++) {
    double before;
    bool finite;
    SB_TRY(differentiate(s, &before, &finite, err));
    if (!finite) {
      break;
    }
    const double start = unrest(s);
    sb_search_step(s, l->A, s->rate, s->n);
    double after = descend(s, before);
    bool nearer = after < before;
    // the residual left: rounding of the states, and nothing that a further step would take away
    *found = nearer ? unrest(s) <= rests : start <= left;
    if (!nearer) {
      break;
    }
    slow = after > (1 - steady) * before ? slow + 1 : 0; // the least of |f|, which is not zero
    memcpy(l->x, s->p->x, (size_t)l->states * sizeof(double));
  }
  return SB_OK;
}

/** The fastest rate at which two states, or one, act on each other [1/s]; units of states cancel. */
static double fastest(const double A[], int n) {
  double most = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) {
      most = fmax(most, i == j ? fabs(A[i * n + i]) : sqrt(fabs(A[i * n + j] * A[j * n + i])));
    }
  }
  return most;
}

/** The length of a step after one of length h, by the sizes of the rates before both. */
static double next_length(double h, double last, double before, double rate) {
  const double shortest = rate > 0 ? first / rate : 0;
  if (h == 0) {
    return shortest;
  }
  const double longer = fabs(before - last) <= steady * last ? growth : fmin(last / before, growth);
  return fmax(h * longer, shortest);
}

/** The first step where A tells of no rate, as of a force c f^3 at rest, where its slope 3 c f^2 is zero: so long that the explicit
 *  step h f changes the rates by the fraction that a step of `first` would have. @return 0: none does */
static double probe(sb_search *s, double before) {
  const size_t size = (size_t)s->n * sizeof *s->rate;
  double found = 0;
  memcpy(s->rate_before, s->rate, size);
  memcpy(s->step, s->rate, size);
  for (double h = briefest; found == 0 && h < longest; h *= 2) {
    if (!isfinite(follow(s, h))) {
      break;
    }
    for (int i = 0; i < s->n; i++) {
      s->rate[i] -= s->rate_before[i];
    }
    found = rate_size(s->rate, s->weight, s->n) > first * before ? h : 0;
  }
  memcpy(s->rate, s->rate_before, size);
  return found;
}

/** Pseudo-transient steps. @param still  whether they may begin where A tells of no rate; out: whether it told of none
 *  @param goes_on  out: they have found a motion that does not come to rest */
static sb_status relax(sb_search *s, bool *still, bool *goes_on, sb_error *err) {
  sb_linear *l = s->l;
  double h = 0, last = 0, most = 0, level = 0;
  for (int k = 0, same = 0; k < RELAXATIONS_MAX && same < UNIFORM_MAX; k++) {
    double before;
    bool finite;
    SB_TRY(differentiate(s, &before, &finite, err));
    if (!finite) {
      return SB_OK;
    }
    most = fmax(most, before);
    same = fabs(before - level) <= uniform * level ? same + 1 : 0;
    level = same == 0 ? before : level;
    *goes_on = same == UNIFORM_MAX;
    const double rate = fastest(l->A, s->n);
    h = rate == 0 && k == 0 && *still ? probe(s, before) : next_length(h, last, before, rate);
    *still = *still || (k == 0 && rate == 0);
    if (!(before > relaxed * most) || !(h > 0) || unrest(s) <= rests) {
      return SB_OK;
    }
    for (int i = 0; i < s->n; i++) {
      l->A[i * s->n + i] -= 1 / h;
    }
    sb_search_step(s, l->A, s->rate, s->n);
    for (double fraction = 1; !isfinite(follow(s, fraction)); fraction *= 0.5) {
      if (fraction < 1e-6) {
        return SB_OK;
      }
    }
    memcpy(l->x, s->p->x, (size_t)l->states * sizeof(double));
    last = before;
  }
  return SB_OK;
}

/** Another start: by the parameter of the state, NAME0, where it has one. */
static void hint_start(const sb_network *network, int state, const char *name, sb_error *err) {
  const char *dot = strrchr(name, '.');
  char parameter[310];
  (void)snprintf(parameter, sizeof parameter, "%s0", dot != NULL ? dot + 1 : name);
  const sb_param *params = network->instances[sb_owner_of(network, state)].type->params;
  const bool set = params != NULL && sb_param_find(params, parameter) != NULL;
  sb_error_hint(err,
                "start nearer to it, for instance at a later time%s%s%s; bodies that fall meet no "
                "contact that is open at that time: start them where they touch",
                set ? ", or a little off, by --set " : "", set ? name : "", set ? "0=..." : "");
}

/** Names the state whose rate is farthest from zero, by its weight. */
static sb_status word_failure(sb_search *s, sb_error *err) {
  const sb_network *network = &s->p->network;
  char name[300];
  sb_quantity quantity = {0};
  int worst = 0;
  memcpy(s->p->x, s->l->x, (size_t)s->l->states * sizeof(double));
  if (!isfinite(look(s))) {
    return sb_operating_point_not_finite(s->p, err);
  }
  for (int k = 1; k < s->n; k++) {
    worst = fabs(s->rate[k]) * s->weight[k] > fabs(s->rate[worst]) * s->weight[worst] ? k : worst;
  }
  const int state = s->manifold.chosen[worst];
  const bool known = sb_network_find(network, sb_network_state_name(network, state, name),
                                     &quantity, NULL) == SB_OK;
  const char *unit = known ? quantity.unit : "";
  (void)sb_fail(err, SB_ERR_SOLVER,
                "no equilibrium of '%s' was found near its state at %s s: '%s' still changes by "
                "%s%s%s per second",
                network->name, sb_number_word(s->p->t).text, name,
                sb_number_word(s->rate[worst]).text, unit[0] != '\0' ? " " : "", unit);
  hint_start(network, state, name, err);
  const int owner = sb_owner_of(network, state);
  sb_place_into(&network->instances[owner].place, err);
  return SB_ERR_SOLVER;
}

/** Where neither finds it, and A told of no rate at the start, steps begin there after all. */
static sb_status find(sb_search *s, bool relaxes, double start[], sb_error *err) {
  bool found = false, goes_on = false, still = false;
  const size_t size = (size_t)s->l->states * sizeof *start;
  memcpy(start, s->l->x, size);
  for (int attempt = 0; attempt < (still ? 3 : 2) && !found; attempt++) {
    memcpy(s->l->x, start, size);
    if (relaxes == (attempt == 0) || attempt == 2) {
      const sb_status status = relax(s, &still, &goes_on, err);
      if (status == SB_ERR_MEMORY) {
        return status;
      }
      goes_on = goes_on || status != SB_OK; // it went to where nothing can be told
    }
    if (!goes_on || attempt == 1) {
      const sb_status status = iterate(s, &found, err);
      if (status == SB_ERR_MEMORY || (status != SB_OK && attempt == 1)) {
        return status;
      }
    }
  }
  return found ? SB_OK : word_failure(s, err);
}

/** For a model of so many states; search->memory is to be finished. @return false: out of memory */
static bool allocate(sb_search *s, sb_arena *memory) {
  const int n = s->p->states;
  double **const of_freedoms[] = {&s->rate,        &s->move,  &s->size,  &s->step,
                                  &s->rate_before, &s->scale, &s->weight};
  for (size_t k = 0; k < sizeof of_freedoms / sizeof *of_freedoms; k++) {
    *of_freedoms[k] = sb_arena_zeroed(memory, n, sizeof(double));
  }
  s->rows = sb_arena_zeroed(memory, s->p->rows, sizeof(double));
  s->terms = sb_arena_zeroed(memory, n, sizeof(double));
  s->system = sb_arena_zeroed(memory, 2 * n * (n + 1), sizeof(double));
  s->left = sb_arena_zeroed(memory, n * (n + 1), sizeof(double));
  s->column = sb_arena_zeroed(memory, 2 * n, sizeof(int));
  return !memory->failed;
}

sb_status sb_operating_point_rest(sb_operating_point *p, sb_linear *l, bool relaxes,
                                  sb_error *err) {
  sb_arena memory = {0};
  sb_search s = {.p = p, .l = l};
  double *start = sb_arena_zeroed(&memory, p->states, sizeof *start);
  s.start = start;
  p->coarse = true; // the iteration corrects itself
  sb_status status = allocate(&s, &memory) ? find(&s, relaxes, start, err)
                                           : sb_fail(err, SB_ERR_MEMORY, "out of memory");
  p->coarse = false;
  sb_arena_finish(&s.memory);
  sb_arena_finish(&memory);
  return status;
}

/** p->x at one implicit Euler step of length h from l->x, (A - 1/h) dz = -f. @param diagonal  (freedoms) of A */
static bool leap(sb_search *s, double h, const double diagonal[]) {
  for (int i = 0; i < s->n; i++) {
    s->l->A[i * s->n + i] = diagonal[i] - 1 / h;
  }
  sb_search_step(s, s->l->A, s->rate, s->n);
  memcpy(s->rate_before, s->rate, (size_t)s->n * sizeof *s->rate);
  const bool finite = isfinite(follow(s, 1)) != 0;
  memcpy(s->rate, s->rate_before, (size_t)s->n * sizeof *s->rate);
  return finite;
}

/** The step is doubled until it is reached, and halved between. */
static bool seek(sb_search *s, double diagonal[], bool (*reached)(void *), void *context) {
  double before = 0, h = briefest;
  for (int i = 0; i < s->n; i++) {
    diagonal[i] = s->l->A[i * s->n + i];
  }
  while (h < longest && !(leap(s, h, diagonal) && reached(context))) {
    before = h;
    h *= 2;
  }
  for (int k = 0; h < longest && k < LEAPS_MAX; k++) {
    const double middle = 0.5 * (before + h);
    *(leap(s, middle, diagonal) && reached(context) ? &h : &before) = middle;
  }
  return h < longest && leap(s, h, diagonal) && reached(context);
}

sb_status sb_operating_point_depart(sb_operating_point *p, sb_linear *l, bool (*reached)(void *),
                                    void *context, bool *found, sb_error *err) {
  sb_arena memory = {0};
  sb_search s = {.p = p, .l = l, .start = l->x};
  double size, *diagonal = sb_arena_zeroed(&memory, p->states, sizeof *diagonal);
  bool finite = false;
  p->coarse = true;
  sb_status status = allocate(&s, &memory) ? differentiate(&s, &size, &finite, err)
                                           : sb_fail(err, SB_ERR_MEMORY, "out of memory");
  p->coarse = false;
  *found = status == SB_OK && finite && seek(&s, diagonal, reached, context);
  sb_arena_finish(&s.memory);
  sb_arena_finish(&memory);
  return status == SB_ERR_MEMORY ? status : SB_OK;
}
