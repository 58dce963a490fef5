// SPDX-License-Identifier: GPL-3.0-or-later
// Impacts of rigid contacts: the impulses by the law of impacts, of one contact or of a group at once.
// The loss of a contact is -p . (c- + c+)/2, whatever the others do.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/linalg/unilateral.h"
#include "core/simulation/impacts_private.h"

/** An impact that gives more than this fraction of the energy that it turns over gives energy. */
static const double gain = 1e-9;
/** The same by Simpson's rule, past a kink of an energy. */
static const double gain_bent = 1e-3;
static const double nothing = 1e-14;
/** Speeds that differ by more than this fraction are told apart, however slow they are. */
static const double nearly = 1e-3;
/** Restitutions that differ by less do so by rounding. */
static const double as_elastic = 1e-9;
/** A response along more than one line has more than this fraction beside it. */
static const double singular = 1e-12;

bool sb_touch_is_struck(const sb_touches *all, int c) {
  return all->group == NULL || all->group[c] == all->striking;
}

bool sb_touch_approaches(const sb_touches *all, int c) {
  return sb_touch_is_struck(all, c) && all->v[3 * c] < -all->touches[c].slow;
}

/** Moves the state by the impulses in all->step, and enters their losses. */
void sb_touches_apply(sb_simulation *sim, sb_touches *all) {
  int m = 3 * all->count;
  double most = 0;
  for (int i = 0; i < m; i++) {
    most = fmax(most, fabs(all->step[i]));
  }
  for (int i = 0; i < m; i++) { // what is nothing but rounding would move what is at rest
    all->step[i] = fabs(all->step[i]) > nothing * most ? all->step[i] : 0;
  }
  sb_touches_supply(sim, all, all->step);
  memcpy(all->v0, all->v, (size_t)m * sizeof *all->v);
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < m; j++) {
      all->v[i] += all->W[i * m + j] * all->step[j];
    }
    for (int k = 0; k < all->n; k++) {
      sim->x[k] += all->G[i * all->n + k] * all->step[i];
    }
  }
  for (int i = 0; i < m; i++) {
    sb_touch *touch = &all->touches[i / 3];
    touch->loss -= 0.5 * all->step[i] * (all->v[i] + all->v0[i]);
    touch->turned += fabs(0.5 * all->step[i]) * (fabs(all->v[i]) + fabs(all->v0[i]));
    touch->struck = touch->struck || all->step[i] != 0;
    all->p[i] += all->step[i];
    all->step[i] = 0;
  }
  sb_workspace_changed(sim->work);
}

static double restitution_of(sb_simulation *sim, const sb_touches *all, int c) {
  const sb_instance *instance = &sim->network->instances[all->touches[c].instance];
  const double speed = fmax(-all->v[3 * c], 0);
  if (all->touches[c].rests) {
    return 0;
  }
  if (all->touches[c].side != 0) {
    return sb_touch_stop_restitution(sim, &all->touches[c], speed);
  }
  sb_at at = sb_touch_at(sim, &all->touches[c]);
  return sb_touch_hooks(sim, all->touches[c].index)
      ->restitution(instance->self, &at, speed, sim->work->discrete + instance->discrete);
}

/** One contact that never slips. @param b  (3) flows without the impulse p */
static sb_status stick_one(const sb_simulation *sim, const sb_touch *touch, const double W[],
                           const double b[], double p[], sb_error *err) {
  sb_unilateral one = {.rubs = true, .mu = HUGE_VAL};
  return sb_unilateral_solve(&one, 1, W, b, NULL, p) == SB_UNILATERAL_SOLVED
             ? SB_OK
             : sb_touch_refuse(sim, touch, "the impact has no impulse that ends the slip",
                               "use friction=\"coulomb\"", err);
}

static void own_response(const sb_touches *all, int c, double W[9]) {
  for (int i = 0; i < 9; i++) {
    W[i] = all->W[(3 * c + i / 3) * 3 * all->count + 3 * c + i % 3];
  }
}

sb_status sb_touches_impulses(sb_simulation *sim, const sb_touches *all, const sb_impulse_law *law,
                              const double b[], double p[], sb_error *err) {
  const int c = law->only;
  double W[9];
  bool impact;
  if (law->given != NULL) {
    memcpy(p, law->given, (size_t)(3 * all->count) * sizeof *p);
    return SB_OK;
  }
  if (law->held != NULL) {
    return sb_touches_arrest(all, law->held, b, p, err);
  }
  if (c < 0) {
    return sb_touches_solve(sim, all, law->contacts, b, NULL, p, &impact, err);
  }
  own_response(all, c, W);
  if (all->touches[c].terms.rubs) {
    return stick_one(sim, &all->touches[c], W, b + 3 * c, p + 3 * c, err);
  }
  p[3 * c] = -b[3 * c] / W[0];
  return SB_OK;
}

/** Gives back e times an impulse, by Poisson's law. @param before  (3 count) all->p, as it was before that impulse */
static sb_status give_back(sb_simulation *sim, sb_touches *all, const double e[],
                           const double before[], sb_error *err) {
  const int m = 3 * all->count;
  double *given = sb_zeroed(2 * m, sizeof *given), *shift = given + m;
  if (given == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  for (int c = 0; c < all->count; c++) {
    given[3 * c] = all->step[3 * c] = e[c] * (all->p[3 * c] - before[3 * c]);
  }
  const sb_impulse_law law = {.only = -1, .given = given, .shift = shift};
  const sb_status status = sb_touches_follow(sim, all, &law, err);
  free(given);
  return status;
}

/** Of one contact: Newton's law. */
static sb_status follow_newton(sb_simulation *sim, sb_touches *all, int c, double e,
                               sb_error *err) {
  double *shift = sb_zeroed(3 * all->count, sizeof *shift);
  if (shift == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  shift[3 * c] = e * all->v[3 * c];
  const sb_impulse_law law = {.only = c, .shift = shift};
  const sb_status status = sb_touches_follow(sim, all, &law, err);
  free(shift);
  return status;
}

/** Of one contact: Poisson's law, with all->step for what ends the approach. */
static sb_status follow_poisson(sb_simulation *sim, sb_touches *all, int c, double e,
                                sb_error *err) {
  const int m = 3 * all->count;
  double *back = sb_zeroed(all->count + m, sizeof *back), *before = back + all->count;
  if (back == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  memcpy(before, all->p, (size_t)m * sizeof *before);
  back[c] = e;
  sb_status status = follow_newton(sim, all, c, 0, err);
  if (status == SB_OK && e > 0) {
    status = give_back(sim, all, back, before, err);
  }
  free(back);
  return status;
}

sb_status sb_touches_strike_one(sb_simulation *sim, sb_touches *all, int c, sb_error *err) {
  const sb_touch *touch = &all->touches[c];
  const double e = restitution_of(sim, all, c);
  const sb_impact_law by = touch->terms.impact;
  double W[9], *p = all->step + 3 * c, *v = all->v + 3 * c;
  own_response(all, c, W);
  if (!touch->terms.rubs) {
    p[0] = -(by == SB_IMPACT_POISSON ? 1 : 1 + e) * v[0] / W[0];
    return by == SB_IMPACT_POISSON ? follow_poisson(sim, all, c, e, err)
           : by == SB_IMPACT_NEWTON || e == 0
               ? follow_newton(sim, all, c, e, err)
               : sb_touches_follow(sim, all, NULL, err); // its work is that of a linear response
  }
  if (!isinf(touch->terms.mu)) {
    if (!sb_routh(W, v, touch->slow, touch->terms.mu, e, (int)touch->terms.impact, p)) {
      return sb_touch_refuse(sim, touch, "the impact does not end by this restitution and friction",
                             "a smaller mu, or impact=\"stronge\"", err);
    }
    return sb_touches_follow(sim, all, NULL, err);
  }
  // by Newton's law
  SB_TRY(stick_one(sim, touch, W, (double[3]){(1 + e) * v[0], v[1], v[2]}, p, err));
  return follow_newton(sim, all, c, e, err);
}

/** Which contacts are struck with the contact c as one: those that approach as fast, as far as steps tell their flows, by the same law.
 *  @param e  of c  @return how many */
static int find_alike(sb_simulation *sim, const sb_touches *all, int c, double e, bool alike[]) {
  const sb_unilateral_terms *own = &all->touches[c].terms;
  int count = 0;
  for (int d = 0; d < all->count; d++) {
    const sb_unilateral_terms *terms = &all->touches[d].terms;
    const double known = fmin(sb_touches_tolerance(sim) * all->touches[d].slow / SB_TOUCH_ROUNDING,
                              nearly * fabs(all->v[3 * c]));
    alike[d] = sb_touch_approaches(all, d) && fabs(all->v[3 * d] - all->v[3 * c]) <= known &&
               terms->impact == own->impact && !(terms->rubs && isinf(terms->mu)) &&
               (d == c || fabs(restitution_of(sim, all, d) - e) <= as_elastic);
    count += alike[d];
  }
  return alike[c] ? count : 1;
}

sb_status sb_touches_strike_alike(sb_simulation *sim, sb_touches *all, int c, sb_error *err) {
  const int count = all->count, discrete = sim->network->discrete_count;
  double *kept = sb_zeroed(discrete + 1, sizeof *kept); // a restitution notes its impact
  sb_unilateral *contacts = sb_zeroed(count, sizeof *contacts);
  double speeds = 0, *v = sb_zeroed(3 * count, sizeof *v);
  bool *alike = sb_zeroed(count, sizeof *alike);
  const bool memory = contacts != NULL && v != NULL && alike != NULL && kept != NULL;
  sb_unilateral_status status = memory ? SB_UNILATERAL_NOT_MET : SB_UNILATERAL_MEMORY;
  if (memory) {
    memcpy(kept, sim->work->discrete, (size_t)discrete * sizeof *kept);
  }
  const double e = restitution_of(sim, all, c);
  if (memory && find_alike(sim, all, c, e, alike) > 1) {
    memcpy(v, all->v, (size_t)(3 * count) * sizeof *v);
    for (int d = 0; d < count; d++) {
      const sb_touch *touch = &all->touches[d];
      speeds = fmax(speeds, touch->slow / SB_TOUCH_ROUNDING);
      const bool slips = hypot(v[3 * d + 1], v[3 * d + 2]) > touch->slow;
      contacts[d] = (sb_unilateral){.rubs = touch->terms.rubs, .mu = touch->terms.mu};
      v[3 * d + 1] *= slips;
      v[3 * d + 2] *= slips;
    }
    status = sb_routh_together(contacts, count, alike, all->W, v, speeds, e,
                               (int)all->touches[c].terms.impact, all->step);
  }
  if (status == SB_UNILATERAL_NOT_MET) {
    memcpy(sim->work->discrete, kept, (size_t)discrete * sizeof *kept);
  }
  free(kept);
  free(contacts);
  free(v);
  free(alike);
  return status == SB_UNILATERAL_MEMORY   ? sb_fail(err, SB_ERR_MEMORY, "out of memory")
         : status == SB_UNILATERAL_SOLVED ? sb_touches_follow(sim, all, NULL, err)
                                          : sb_touches_strike_one(sim, all, c, err);
}

/** Friction wedges what moves along one line w alone, W = w w^T, where mu |w_t| >= w_n: what it stops it holds, as core/linalg/routh.c has it, and nothing
 *  is given back. @param e  (contacts) in and out  @return whether there is such */
static bool take_wedged(const sb_touches *all, double e[]) {
  bool any = false;
  for (int c = 0; c < all->count; c++) {
    const sb_unilateral_terms *terms = &all->touches[c].terms;
    double W[9];
    own_response(all, c, W);
    const double both = W[0] * (W[4] + W[8]), square = W[1] * W[1] + W[2] * W[2];
    const bool wedged = terms->rubs && e[c] > 0 && both - square <= singular * both &&
                        terms->mu * sqrt(square) >= W[0];
    e[c] = wedged ? 0 : e[c];
    any = any || wedged;
  }
  return any;
}

/** What a law of impacts makes a problem of e = 0, with the flows b = v + shift. */
static void pose_law(const sb_touches *all, bool poisson, const double e[],
                     sb_unilateral contacts[], double b[], double shift[]) {
  for (int c = 0; c < all->count; c++) {
    const sb_unilateral_terms *terms = &all->touches[c].terms;
    contacts[c] = (sb_unilateral){.rubs = terms->rubs, .mu = terms->mu};
    memcpy(b + 3 * c, all->v + 3 * c, 3 * sizeof *b);
    b[3 * c] *= poisson ? 1 : 1 + e[c];
    shift[3 * c] = poisson ? 0 : e[c] * all->v[3 * c];
    for (int i = 3 * c; i < 3 * c + 3 && !sb_touch_is_struck(all, c);
         i++) { // of another group: no impulse
      shift[i] = -all->v[i];
      b[i] = 0;
    }
  }
}

/** Whether impulses without friction would give energy, (v- + v+).p/2: Newton's ratios of several may, where one of them parts already, or has another. */
static bool gives_energy(const sb_touches *all, const double p[]) {
  const int m = 3 * all->count;
  double sum = 0, turned = 0;
  bool rubs = false;
  for (int i = 0; i < m; i++) {
    double after = all->v[i];
    for (int j = 0; j < m; j++) {
      after += all->W[i * m + j] * p[j];
    }
    sum += 0.5 * p[i] * (all->v[i] + after);
    turned += 0.5 * fabs(p[i]) * (fabs(all->v[i]) + fabs(after));
    rubs = rubs || (sb_touch_is_struck(all, i / 3) && all->touches[i / 3].terms.rubs);
  }
  return !rubs && sum > gain * turned;
}

sb_status sb_touches_strike_all(sb_simulation *sim, sb_touches *all, sb_error *err) {
  int m = 3 * all->count;
  bool poisson = false;
  sb_unilateral *contacts = sb_zeroed(all->count, sizeof *contacts);
  double *b = sb_zeroed(4 * m, sizeof *b), *e = b + m, *shift = e + m, *before = shift + m;
  if (contacts == NULL || b == NULL) {
    free(contacts);
    free(b);
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  memcpy(before, all->p, (size_t)m * sizeof *before);
  for (int c = 0; c < all->count; c++) {
    const sb_unilateral_terms *terms = &all->touches[c].terms;
    poisson = poisson ||
              terms->impact == SB_IMPACT_POISSON || // without friction works are those of impulses
              (terms->impact == SB_IMPACT_STRONGE && !terms->rubs);
    e[c] = sb_touch_approaches(all, c) ? restitution_of(sim, all, c) : 0;
  }
  pose_law(all, poisson, e, contacts, b, shift);
  const sb_impulse_law law = {.only = -1, .contacts = contacts, .shift = shift};
  sb_status status = sb_touches_impulses(sim, all, &law, b, all->step, err);
  if (status == SB_ERR_SOLVER && take_wedged(all, e)) {
    pose_law(all, poisson, e, contacts, b, shift);
    status = sb_touches_impulses(sim, all, &law, b, all->step, err);
  }
  if (status == SB_OK && !poisson && gives_energy(all, all->step)) {
    poisson = true; // whose impulses never do
    pose_law(all, poisson, e, contacts, b, shift);
    status = sb_touches_impulses(sim, all, &law, b, all->step, err);
  }
  status = status == SB_OK ? sb_touches_follow(sim, all, &law, err) : status;
  if (status == SB_OK && poisson) {
    status = give_back(sim, all, e, before, err);
    for (int i = 0; i < m; i++) {
      b[i] = all->v[i] + shift[i];
    }
    status = status == SB_OK ? sb_touches_impulses(sim, all, &law, b, all->step, err) : status;
    status = status == SB_OK ? sb_touches_follow(sim, all, &law, err) : status;
  }
  free(contacts);
  free(b);
  return status;
}

/** What the energy of the part of a contact is known to [J]: an impact of less, as of what others hold, gives none. */
static double rounding_of_energy(const sb_simulation *sim, const sb_touch *touch) {
  const int part = touch == NULL ? -1 : sim->network->part_of[touch->instance];
  return part < 0 ? 0 : DBL_EPSILON * sb_largest_energy(sim, part);
}

sb_status sb_touches_settle(const sb_simulation *sim, sb_touches *all, sb_error *err) {
  static const char *const laws[] = {"newton", "poisson", "stronge"};
  double turned = 0, sum = 0, positive = 0;
  sb_touch *worst = NULL;
  for (int c = 0; c < all->count; c++) {
    sb_touch *touch = &all->touches[c];
    if (!sb_touch_is_struck(all, c)) {
      continue;
    }
    turned += touch->turned;
    sum += touch->loss;
    positive += fmax(touch->loss, 0);
    worst = worst == NULL || touch->loss < worst->loss ? touch : worst;
  }
  if (sum < -(all->bent ? gain_bent : gain) * turned - rounding_of_energy(sim, worst)) {
    sb_error why;
    (void)sb_fail(&why, SB_ERR_SOLVER, "the impact law '%s' gives energy here, %s J",
                  laws[worst->terms.impact], sb_number_word(-sum).text);
    sb_error_hint(&why, "with friction impact=\"stronge\" never does");
    return sb_refusal_place(&sim->network->instances[worst->instance], sim->t, &why, err);
  }
  for (int c = 0; c < all->count; c++) {
    sb_touch *touch = &all->touches[c];
    const double part = positive > 0 ? fmax(touch->loss, 0) * fmax(sum, 0) / positive : 0;
    touch->loss = sb_touch_is_struck(all, c) ? part : touch->loss;
  }
  return SB_OK;
}
