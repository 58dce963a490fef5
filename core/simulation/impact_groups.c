// SPDX-License-Identifier: GPL-3.0-or-later
// Impacts of rigid contacts: who is struck together, in which order and for how long. Contacts that impulses couple are a group, and a
// group is struck by its laws (impact_laws.c) until none of it approaches; what never slips is stopped then, and what throws itself off
// without end comes to rest.
#include <math.h>
#include <stdlib.h>

#include "core/base/array.h"
#include "core/simulation/impacts_private.h"

/** Contacts are struck in turn as often as those of n balls in line, n^2/2 times, ten times over, but those of a body that comes to rest on
 *  few more often. Bodies that others squeeze, as the balls of a bearing, are struck ever less without end: the rest is struck at once. */
enum { IN_TURN_LEAST = 1000, IN_TURN_OF_A_PAIR = 5, ROUNDS_MAX = 100 };
static const double pulls = 1e-9;

/** Contacts whose responses to each other are below this fraction of their own are not coupled. */
static const double uncoupled = 1e-10;
/** Impulses that hold feet have so many times the energy of what holds each of them at the most. */
static const double most_together = 1e3;

static bool are_coupled(const sb_touches *all, int c, int d) {
  const int m = 3 * all->count;
  double most = 0;
  for (int i = 0; i < 9; i++) {
    const int a = 3 * c + i / 3, b = 3 * d + i % 3;
    const double own = sqrt(fabs(all->W[a * m + a] * all->W[b * m + b]));
    most = own > 0 ? fmax(most, fabs(all->W[a * m + b]) / own) : most;
  }
  return most > uncoupled;
}

/** A group goes by the number of its first contact. An impact has nothing to do with what touches elsewhere. */
static void find_groups(const sb_touches *all) {
  for (int c = 0; c < all->count; c++) {
    all->group[c] = c;
    for (int d = 0; d < c; d++) {
      const int first = all->group[d], own = all->group[c];
      if (first == own || !are_coupled(all, c, d)) {
        continue;
      }
      for (int k = 0; k <= c; k++) {
        const bool joins = all->group[k] == first || all->group[k] == own;
        all->group[k] = joins ? (first < own ? first : own) : all->group[k];
      }
    }
  }
}

/** Whether the contacts of the group that is struck are struck one at a time, as one alone, and where works or impulses with friction
 *  are those of one contact. What rests has no such law to follow: it gives nothing back. */
static bool strikes_in_turn(const sb_touches *all) {
  bool in_turn = false, poisson = false, rubs = false, rest = true;
  int count = 0;
  for (int c = 0; c < all->count; c++) {
    const sb_unilateral_terms *terms = &all->touches[c].terms;
    if (sb_touch_is_struck(all, c)) {
      count++;
      rest = rest && all->touches[c].rests;
      in_turn = in_turn || terms->in_turn || (terms->impact == SB_IMPACT_STRONGE && terms->rubs);
      poisson = poisson || terms->impact == SB_IMPACT_POISSON;
      rubs = rubs || (terms->rubs && !isinf(terms->mu));
    }
  }
  return count == 1 || (!rest && (in_turn || (poisson && rubs)));
}

/** @param held  (3 count) flows that impulses make zero */
static sb_status follow_held(sb_simulation *sim, sb_touches *all, const bool held[],
                             sb_error *err) {
  double *shift = sb_zeroed(3 * all->count, sizeof *shift);
  if (shift == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  const sb_impulse_law law = {.only = -1, .held = held, .shift = shift};
  const sb_status status = sb_touches_follow(sim, all, &law, err);
  free(shift);
  return status;
}

static bool never_slips(const sb_touches *all, int c) {
  const sb_touch *touch = &all->touches[c];
  return touch->terms.rubs && isinf(touch->terms.mu) && !(all->v[3 * c] > touch->slow);
}

/** A contact that never slips may touch while it does, at the start or by an impact beside it: the impulse that ends the slip, while
 *  what touches stays so, as that of an impact of unlimited friction without a speed of approach.
 *  @param any  out: whether there was one */
static sb_status stop_slips(sb_simulation *sim, sb_touches *all, bool *any, sb_error *err) {
  const int m = 3 * all->count;
  bool *held = sb_zeroed(m, sizeof *held);
  *any = false;
  if (held == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  for (int i = 0; i < m; i++) {
    const double *v = all->v + i - i % 3;
    const int c = i / 3;
    const bool stuck = never_slips(all, c);
    held[i] = i % 3 > 0 ? stuck : !(v[0] > all->touches[c].slow);
    *any = *any || (stuck && hypot(v[1], v[2]) > all->touches[c].slow);
  }
  sb_status status = *any ? sb_touches_arrest(all, held, all->v, all->step, err) : SB_OK;
  double most = 0;
  for (int i = 0; i < m && *any; i++) {
    most = fmax(most, fabs(all->step[i]));
  }
  for (int c = 0; c < all->count && *any && status == SB_OK; c++) {
    if (all->step[3 * c] < -pulls * most) {
      status = sb_touch_refuse(sim, &all->touches[c],
                               "the impulse that ends the slip would pull the bodies together",
                               "start without a slip, or use friction=\"coulomb\"", err);
    }
  }
  if (*any && status == SB_OK) {
    status = follow_held(sim, all, held, err);
  }
  free(held);
  return status;
}

/** What never slips, and slips on behind all impulses, is driven. */
static sb_status refuse_driven(const sb_simulation *sim, const sb_touches *all, sb_error *err) {
  for (int c = 0; c < all->count; c++) {
    const sb_touch *touch = &all->touches[c];
    const double slip = hypot(all->v[3 * c + 1], all->v[3 * c + 2]);
    if (never_slips(all, c) && slip > touch->still + touch->slow) {
      return sb_touch_refuse_driven(sim, touch, err);
    }
  }
  return SB_OK;
}

/** Whether the impulses in all->step that make flows zero have an energy of the order of those that make each zero alone. Where feet say nearly the same,
 *  what they contradict each other by is taken by impulses that move something else, as the yaw of a cart on four wheels. */
static bool takes_little(const sb_touches *all, const bool held[]) {
  const int m = 3 * all->count;
  double together = 0, alone = 0;
  for (int i = 0; i < m; i++) {
    const double w = all->W[i * m + i];
    together -= all->step[i] * all->v[i];
    alone += held[i] && w > 0 ? all->v[i] * all->v[i] / w : 0;
  }
  return together <= most_together * alone;
}

/** The contact that parts fastest of those that are held; -1: none does. */
static int fastest_held(const sb_touches *all, const bool held[]) {
  int found = -1;
  for (int c = 0; c < all->count; c++) {
    const bool parts = held[3 * c] && all->v[3 * c] > all->touches[c].slow;
    found = parts && (found < 0 || all->v[3 * c] > all->v[3 * found]) ? c : found;
  }
  return found;
}

/** Contacts of one body may throw each other off in turn without end, as the feet of a box that comes to rest: below the speed at which
 *  impacts have come to rest those that touch stay together, but for the fastest where that would take more than what each has.
 *  @param approach  [m/s] the fastest of the group that is struck, before */
static sb_status come_to_rest(sb_simulation *sim, sb_touches *all, double approach, sb_error *err) {
  const int m = 3 * all->count;
  double rest = 0;
  bool any = false, *held = sb_zeroed(m, sizeof *held);
  if (held == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  for (int c = 0; c < all->count; c++) {
    rest = sb_touch_is_struck(all, c) ? fmax(rest, all->touches[c].terms.rest) : rest;
  }
  for (int c = 0; c < all->count && approach <= rest; c++) {
    held[3 * c] = sb_touch_is_struck(all, c) && all->v[3 * c] <= rest;
    held[3 * c + 1] = held[3 * c + 2] = held[3 * c] && never_slips(all, c);
    any = any || (held[3 * c] && all->v[3 * c] > all->touches[c].slow);
  }
  sb_status status = any ? sb_touches_arrest(all, held, all->v, all->step, err) : SB_OK;
  for (int c = fastest_held(all, held); status == SB_OK && c >= 0 && !takes_little(all, held);
       c = fastest_held(all, held)) {
    held[3 * c] = held[3 * c + 1] = held[3 * c + 2] = false;
    status = sb_touches_arrest(all, held, all->v, all->step, err);
  }
  if (any && status == SB_OK) {
    status = follow_held(sim, all, held, err);
  }
  free(held);
  return status;
}

static int fastest(const sb_touches *all) {
  int chosen = -1;
  for (int c = 0; c < all->count; c++) {
    if (sb_touch_approaches(all, c) && (chosen < 0 || all->v[3 * c] < all->v[3 * chosen])) {
      chosen = c;
    }
  }
  return chosen;
}

/** Impulses until no contact of the group that is struck approaches. @param times  in and out: strikes in turn so far */
static sb_status strike_group(sb_simulation *sim, sb_touches *all, int *times, bool *struck,
                              sb_error *err) {
  const bool in_turn = strikes_in_turn(all);
  const long most = IN_TURN_LEAST + (long)IN_TURN_OF_A_PAIR * all->count * all->count;
  bool at_once = false;
  for (int c = fastest(all); c >= 0 && !at_once; c = fastest(all)) {
    if (sim->interrupted) {
      return sb_interrupt_fail(sim, err);
    }
    at_once = !(in_turn && (*times)++ < most);
    SB_TRY(at_once ? sb_touches_strike_all(sim, all, err)
                   : sb_touches_strike_alike(sim, all, c, err));
    *struck = true;
  }
  return SB_OK;
}

/** Impulses until no contact approaches, and none slips that never does.
 *  @param group, times  (count) scratch and zeros  @param approach  (count) [m/s] zeros */
static sb_status strike_groups(sb_simulation *sim, sb_touches *all, int group[], int times[],
                               double approach[], sb_error *err) {
  bool struck = false, slips = true;
  for (int round = 0; slips && round < ROUNDS_MAX; round++) {
    all->group = group;
    find_groups(all);
    for (int g = all->striking = 0; g < all->count; all->striking = ++g) {
      const int c = fastest(all);
      approach[g] = c >= 0 && round == 0 ? -all->v[3 * c] : approach[g];
      SB_TRY(c >= 0 ? strike_group(sim, all, &times[g], &struck, err) : SB_OK);
    }
    all->group = NULL;
    SB_TRY(stop_slips(sim, all, &slips, err));
    struck = struck || slips;
  }
  SB_TRY(slips ? refuse_driven(sim, all, err) : SB_OK);
  all->group = group;
  for (int g = all->striking = 0; struck && g < all->count; all->striking = ++g) {
    if (group[g] == g) {
      SB_TRY(come_to_rest(sim, all, approach[g], err));
      SB_TRY(sb_touches_settle(sim, all, err));
    }
  }
  return SB_OK;
}

sb_status sb_touches_strike(sb_simulation *sim, sb_touches *all, sb_error *err) {
  int *numbers = sb_zeroed(2 * all->count, sizeof *numbers);
  double *approach = sb_zeroed(all->count, sizeof *approach);
  const sb_status status =
      numbers == NULL || approach == NULL
          ? sb_fail(err, SB_ERR_MEMORY, "out of memory")
          : strike_groups(sim, all, numbers, numbers + all->count, approach, err);
  all->group = NULL;
  free(numbers);
  free(approach);
  return status;
}
