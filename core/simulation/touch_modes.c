// SPDX-License-Identifier: GPL-3.0-or-later
// Which contacts go on, and how: with the forces f that hold all of them the rates without forces are -W f; the
// forces that satisfy the conditions of contact and friction (core/linalg/unilateral.h) tell.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/linalg/unilateral.h"
#include "core/simulation/impacts_private.h"

/** Slips slower than this fraction of the speeds of bodies have no direction of their own: it would turn at a rate of the accelerations
 *  over the speed. */
static const double still_fraction = 1e-6;
/** Nor does one take more than the square of this times that fraction of their energy with it, where it ends. */
static const double takes = 1e3;
/** What has just closed, and closes still, does so by more than this fraction of the speeds below which it is no impact. */
static const double closing = 1e-4;

/** A tangential flow by what impulses take that end it (sb_unilateral_speed()). */
static double taking(const sb_touches *all, int c, const double u[2]) {
  const int m = 3 * all->count, x = 3 * c + 1;
  return sb_unilateral_speed(all->W + x * m + x, m, u);
}

/** Whether a contact has no speed of slip that would tell a direction. What has ended may be across its direction so far: up to where friction
 *  follows it that is no slip of its own, which would turn by a right angle over and over. */
static bool is_still(const sb_touches *all, int c) {
  const double *v = all->v + 3 * c;
  const sb_touch *touch = &all->touches[c];
  const double speed = hypot(v[1], v[2]),
               still = touch->still * (touch->ends ? SB_SLIP_FOLLOWS : 1);
  return speed <= still + touch->slow && taking(all, c, v + 1) <= takes * still + touch->slow;
}

/** Whether to end a slip takes so much more than what is as slow elsewhere that it has a direction of its own however slow it is: a wheel whose axis
 *  is off the plane in which it rolls by an angle slips across it by that fraction of its speed. */
static bool hardly_ends(const sb_touches *all, int c) {
  const double *v = all->v + 3 * c;
  return taking(all, c, v + 1) > takes * fmax(hypot(v[1], v[2]), all->touches[c].slow);
}

/** A stop knows no length: an acceleration that gives no speed which counts in a time as that of the whole run so far is rounding. */
static double least_of_stop(const sb_touches *all, const sb_touch *touch) {
  return all->span > 0 ? closing * touch->slow / all->span : 0;
}

/** Takes from the rates across a contact what is in a direction in which nothing moves, and is no more than an axis is off by there: no source
 *  imposes it. */
static void take_nothing(const sb_touches *all, int c, double b[]) {
  const int m = 3 * all->count, x = 3 * c + 1;
  const double *W = all->W + x * m + x, a = W[0], d = W[m + 1], between = W[1];
  const double e[2] = {a >= d ? a : between, a >= d ? between : d},
               square = e[0] * e[0] + e[1] * e[1];
  const double along = square > 0 ? (e[0] * b[1] + e[1] * b[2]) / square : 0;
  const double across = hypot(b[1] - along * e[0], b[2] - along * e[1]);
  const bool one = a * d - between * between <= SB_UNILATERAL_NOTHING * square;
  const double least = sqrt(SB_UNILATERAL_NOTHING) * fmax(fabs(b[0]), hypot(b[1], b[2]));
  if (square > 0 && one && across <= least) {
    b[1] = along * e[0];
    b[2] = along * e[1];
  }
}

/** The rates of the flows without forces; those of what parts are without end, those below rounding zero. @param b  (3 count) out */
static void rates_without_forces(const sb_touches *all, double b[]) {
  const int m = 3 * all->count;
  for (int i = 0; i < m; i++) {
    b[i] = all->touches[i / 3].rate[i % 3];
    for (int j = 0; j < m; j++) {
      b[i] -= all->W[i * m + j] * all->touches[j / 3].held[j % 3];
    }
  }
  for (int c = 0; c < all->count; c++) { // what parts takes no part
    const sb_touch *touch = &all->touches[c];
    const double speeds = sb_touch_speeds(all, c), length = touch->terms.length;
    const double rest = touch->side != 0 ? least_of_stop(all, touch)
                        : length > 0     ? SB_TOUCH_ROUNDING * speeds * speeds / length // of v v/l
                                         : 0;
    for (int k = 1; k < 3; k++) { // an acceleration that is imposed, of all those beside it
      const bool imposed = all->W[(3 * c + k) * m + 3 * c + k] == 0;
      const double least = rest + SB_TOUCH_ROUNDING * fabs(b[3 * c]);
      b[3 * c + k] = imposed && fabs(b[3 * c + k]) <= least ? 0 : b[3 * c + k];
    }
    take_nothing(all, c, b + 3 * c);
    if (touch->strength > 0) {
      b[3 * c] = -all->W[3 * c * m + 3 * c] * touch->strength;
      continue;
    }
    b[3 * c] = all->v[3 * c] > touch->slow ? HUGE_VAL : fabs(b[3 * c]) > rest ? b[3 * c] : 0;
  }
}

void sb_touches_find_still(const sb_simulation *sim, sb_touches *all) {
  const int m = 3 * all->count;
  const int *part = sim->network->part_of;
  for (int c = 0; c < all->count; c++) {
    const sb_touch *touch = &all->touches[c];
    double a = touch->rate[0]; // without forces [m/s^2]
    for (int j = 0; j < m; j++) {
      a -= all->W[3 * c * m + j] * all->touches[j / 3].held[j % 3];
    }
    const double fastest = touch->terms.speed;
    const double speed = fmax(fastest, sqrt(fabs(a) * touch->terms.length));
    for (int d = 0; d < all->count; d++) {
      if (part[all->touches[d].instance] == part[touch->instance]) {
        sb_touch *other = &all->touches[d];
        other->still = fmax(other->still, still_fraction * speed);
        other->slow = fmax(other->slow, SB_TOUCH_ROUNDING * speed);
      }
    }
  }
}

/** Whether a contact that has just closed still closes, at a speed that is no impact: its gap would be found closed again and again. */
static bool closes(const sb_touches *all, int c) {
  const sb_touch *touch = &all->touches[c];
  const double v = all->v[3 * c];
  return touch->mode == SB_APART && v < -closing * touch->slow && v >= -touch->slow;
}

/** Leaves out slips that the impulses found do not take, as the speed by which feet of links in line move apart: it would be shared between
 *  them, and what has come to rest slip again. What had no slip keeps none.
 *  @param ended  (contacts)  @param held  in and out  @return whether there were some */
static bool leave_out(const sb_touches *all, const bool ended[], bool held[]) {
  const int m = 3 * all->count;
  bool any = false;
  for (int c = 0; c < all->count; c++) {
    for (int i = 3 * c + 1; i < 3 * c + 3; i++) {
      double v = all->v[i];
      for (int j = 0; j < m; j++) {
        v += all->W[i * m + j] * all->step[j];
      }
      const double least = closing * all->touches[c].slow;
      if (held[i] && ended[c] && fabs(all->v[i]) > least && fabs(v) > least) {
        held[i] = false;
        any = true;
      }
    }
  }
  return any;
}

/** Takes what is left of slips that have ended, so that they begin anew from rest, whichever way, and of what closes slowly.
 *  @param ended  (contacts) */
static sb_status come_to_rest(sb_simulation *sim, sb_touches *all, const bool ended[],
                              sb_error *err) {
  const int m = 3 * all->count;
  bool *struck = sb_zeroed(all->count + m, sizeof *struck), *held = struck + all->count;
  bool any = false;
  if (struck == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  for (int c = 0; c < all->count; c++) {
    struck[c] = all->touches[c].struck; // this is no impact
  }
  for (int i = 0; i < m;
       i++) { // what else is held stays so, but not what an impact has thrown off or made slip
    const int c = i / 3;
    const sb_touch *touch = &all->touches[c];
    const bool moves =
        i % 3 > 0 ? ended[c] && fabs(all->v[i]) > closing * touch->slow : closes(all, c);
    const bool touches = !(all->v[3 * c] > touch->slow);
    const bool sticks = ended[c] || (touch->mode == SB_STICKS && is_still(all, c));
    held[i] = moves || (touches && (i % 3 == 0 || sticks));
    any = any || moves;
  }
  sb_status status = any ? sb_touches_arrest(all, held, all->v, all->step, err) : SB_OK;
  while (any && status == SB_OK && leave_out(all, ended, held)) {
    status = sb_touches_arrest(all, held, all->v, all->step, err);
  }
  if (any && status == SB_OK) {
    sb_touches_apply(sim, all);
  }
  for (int c = 0; c < all->count; c++) {
    all->touches[c].struck = struck[c];
  }
  free(struck);
  return status;
}

/** Whether slips may end by the event: one has, or something was struck. */
static bool may_end_slips(sb_touches *all, int index, int indicator) {
  bool any = false;
  for (int c = 0; c < all->count; c++) {
    sb_touch *touch = &all->touches[c];
    touch->ends = touch->index == index && indicator == 1 && touch->mode == SB_SLIDES;
    any = any || touch->ends || touch->struck;
  }
  return any;
}

/** What each contact may do: slide on along its slip, or begin anew from rest.
 *  @param ending  slips without a direction of their own end  @param ended  (contacts) out: they have  @param begun  (the same) they go on */
static void pose(const sb_touches *all, bool ending, sb_unilateral contacts[], bool ended[],
                 bool begun[]) {
  for (int c = 0; c < all->count; c++) {
    const sb_touch *touch = &all->touches[c];
    const double *v = all->v + 3 * c, speed = hypot(v[1], v[2]);
    const bool dry = touch->strength > 0; // at rest
    const bool rubs = touch->terms.rubs && !isinf(touch->terms.mu) && !dry,
               still = is_still(all, c);
    const double *slip = touch->terms.slip;
    const bool aimed = slip[0] != 0 || slip[1] != 0; // else it waits
    begun[c] = still && !ending && touch->mode == SB_SLIDES && aimed && !dry;
    ended[c] = rubs && still && !begun[c] && !(v[0] > touch->slow);
    contacts[c] = (sb_unilateral){.rubs = touch->terms.rubs,
                                  .dry = dry,
                                  .mu = touch->terms.mu,
                                  .slides = rubs && (begun[c] || !still),
                                  .ended = touch->ends && still};
    if (contacts[c].slides) {
      contacts[c].s[0] = begun[c] ? touch->terms.slip[0] : v[1] / speed;
      contacts[c].s[1] = begun[c] ? touch->terms.slip[1] : v[2] / speed;
    }
  }
}

/** Slips that no more have the speed that told their direction, as others have come to rest beside them, come to rest, too: what is left
 *  may be against that direction, and friction along it would give power.
 *  @param begun  (contacts) slips of no speed that go on along where they began  @return whether there are some */
static bool end_beside(const sb_touches *all, const bool begun[], sb_unilateral contacts[],
                       bool ended[]) {
  bool any = false;
  for (int c = 0; c < all->count; c++) {
    const bool touches = !(all->v[3 * c] > all->touches[c].slow);
    if (contacts[c].slides && !begun[c] && touches && is_still(all, c)) {
      ended[c] = any = true;
      contacts[c].slides = false;
    }
  }
  return any;
}

/** Slips that have a direction of their own have turned where others have come to rest beside them. */
static void aim(const sb_touches *all, sb_unilateral contacts[]) {
  for (int c = 0; c < all->count; c++) {
    const double *v = all->v + 3 * c, speed = hypot(v[1], v[2]);
    for (int k = 0; k < 2 && contacts[c].slides && !is_still(all, c); k++) {
      contacts[c].s[k] = v[1 + k] / speed;
    }
  }
}

/** The same once what ends has come to rest, and what ends by that. */
static sb_status pose_at_rest(sb_simulation *sim, sb_touches *all, bool ending,
                              sb_unilateral contacts[], bool ended[], bool begun[], sb_error *err) {
  pose(all, ending, contacts, ended, begun);
  do {
    SB_TRY(come_to_rest(sim, all, ended, err));
  } while (end_beside(all, begun, contacts, ended));
  aim(all, contacts);
  return SB_OK;
}

/** The flows of what slides on; below what a speed is known to they are zero. @param flows  (3 contacts) out */
static void read_slips(const sb_touches *all, const sb_unilateral contacts[], double flows[]) {
  for (int c = 0; c < all->count; c++) {
    const double *v = all->v + 3 * c, *s = contacts[c].s, along = v[1] * s[0] + v[2] * s[1];
    const double speed = contacts[c].slides && along > all->touches[c].slow ? along : 0;
    flows[3 * c + 1] = speed * s[0];
    flows[3 * c + 2] = speed * s[1];
  }
}

/** Whether a part has a source of flow that changes with time, which may begin to impose a slip. */
static bool is_driven(const sb_simulation *sim, int part) {
  bool any = false;
  for (int i = 0; i < sim->network->instance_count && !any; i++) {
    const sb_instance *instance = &sim->network->instances[i];
    const sb_source_hooks *source = instance->type->source;
    any = source != NULL && sim->network->part_of[i] == part &&
          instance->type->ports[0].output == SB_FLOW &&
          !(source->steady != NULL && source->steady(instance->self));
  }
  return any;
}

/** Whether a contact at rest is one that no friction holds: its slip stays zero until a source imposes another. */
static bool waits(const sb_simulation *sim, const sb_touches *all, const sb_unilateral *contact,
                  int c) {
  const int m = 3 * all->count, x = 3 * c + 1, y = 3 * c + 2;
  return contact->acts && contact->sticks && !isinf(contact->mu) && all->W[x * m + x] == 0 &&
         all->W[y * m + y] == 0 && is_driven(sim, sim->network->part_of[all->touches[c].instance]);
}

/** How fast the direction s turns in which a slip begins [rad/s]. As the load F that would hold the contact grows from mu N s at its
 *  rate F', the slip accelerates by a = W (F' - (mu N s)') t, W its response. It goes along s, s x a = 0, where with n = (-s_2, s_1)
 *    s' = n (n . F' + (s . F' - mu N') (n . W s)/(n . W n))/(mu N).
 *  What others beside it do at the same time is not in W: there that is a guess, which holds where all slide alike. Across a guide, where
 *  n . W n is nothing but rounding, it cannot turn. */
static double turning_of(const sb_touches *all, const sb_unilateral *contact, int c) {
  const int m = 3 * all->count;
  const double *s = contact->s, n[2] = {-s[1], s[0]}, *rate = all->touches[c].terms.load_rate;
  double s_answers = 0, n_answers = 0, along_answers = 0;
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < 2; k++) {
      const double w = all->W[(3 * c + 1 + i) * m + 3 * c + 1 + k];
      s_answers += n[i] * w * s[k];
      n_answers += n[i] * w * n[k];
      along_answers += s[i] * w * s[k];
    }
  }
  const double along = s[0] * rate[1] + s[1] * rate[2], across = n[0] * rate[1] + n[1] * rate[2];
  const double excess = fmax(along - contact->mu * rate[0], 0);
  const double load = contact->mu * all->touches[c].force[0];
  const bool turns = load > 0 && n_answers > SB_TOUCH_ROUNDING * along_answers;
  return turns ? (across + excess * s_answers / n_answers) / load : 0;
}

/** What waits slides along no direction, without friction. */
static void take_modes(const sb_simulation *sim, sb_touches *all, sb_unilateral contacts[],
                       const double f[]) {
  for (int c = 0; c < all->count; c++) {
    sb_touch *touch = &all->touches[c];
    if (waits(sim, all, &contacts[c], c)) {
      contacts[c].sticks = false;
      contacts[c].s[0] = contacts[c].s[1] = 0;
    }
    // what takes no force is free, though it touches: a constraint would have nothing but rounding to do
    touch->next = !contacts[c].acts ? SB_APART : contacts[c].sticks ? SB_STICKS : SB_SLIDES;
    memcpy(touch->terms.slip, contacts[c].s, sizeof contacts[c].s);
    memcpy(touch->force, f + 3 * c, sizeof touch->force);
    const bool begins = touch->mode == SB_STICKS && touch->next == SB_SLIDES;
    touch->still = touch->next == SB_SLIDES && hardly_ends(all, c) ? touch->slow : touch->still;
    touch->turning = begins ? turning_of(all, &contacts[c], c) : NAN;
  }
}

/** What never slips has no acceleration that is imposed. @param b  (3 count) rates without forces */
static sb_status check_driven(const sb_simulation *sim, const sb_touches *all, const double b[],
                              sb_error *err) {
  const int m = 3 * all->count;
  for (int i = 0; i < m; i++) {
    const sb_touch *touch = &all->touches[i / 3];
    if (i % 3 > 0 && touch->terms.rubs && isinf(touch->terms.mu) && !isinf(b[i - i % 3]) &&
        all->W[i * m + i] == 0 && b[i] != 0) {
      return sb_touch_refuse_driven(sim, touch, err);
    }
  }
  return SB_OK;
}

/** Slips that begin against what is left of a speed that no impulse takes, as that of feet of links in line, end at once again: they go on
 *  near that until it is zero, along a direction that does not turn.  @return whether there are some */
static bool go_on(const sb_touches *all, sb_unilateral contacts[]) {
  bool any = false;
  for (int c = 0; c < all->count; c++) {
    sb_unilateral *contact = &contacts[c];
    const double *v = all->v + 3 * c, speed = hypot(v[1], v[2]);
    const bool begins = contact->acts && contact->rubs && !contact->sticks && !contact->slides;
    if (begins && contact->s[0] * v[1] + contact->s[1] * v[2] < -closing * all->touches[c].slow) {
      contact->fades = any = true;
      contact->s[0] = v[1] / speed;
      contact->s[1] = v[2] / speed;
    }
  }
  return any;
}

/** The forces that satisfy the conditions, as sb_touches_solve(). @param f  (3 count) out */
static sb_status solve(const sb_simulation *sim, const sb_touches *all, sb_unilateral contacts[],
                       const double b[], const double flows[], double f[], bool *impact,
                       sb_error *err) {
  const size_t size = (size_t)all->count * sizeof *contacts;
  SB_TRY(sb_touches_solve(sim, all, contacts, b, flows, f, impact, err));
  sb_unilateral *others = sb_zeroed(all->count, sizeof *others);
  double *forces = sb_zeroed(3 * all->count, sizeof *forces);
  const bool known = others != NULL && forces != NULL;
  if (known && !*impact) {
    memcpy(others, contacts, size);
    memcpy(forces, f, (size_t)(3 * all->count) * sizeof *f);
    if (go_on(all, others) && sb_unilateral_continue(others, all->count, all->W, b, forces)) {
      memcpy(contacts, others, size);
      memcpy(f, forces, (size_t)(3 * all->count) * sizeof *f);
    }
  }
  free(others);
  free(forces);
  return known ? SB_OK : sb_fail(err, SB_ERR_MEMORY, "out of memory");
}

/** Which contacts go on, and how, by the forces that satisfy the conditions. */
sb_status sb_touches_choose(sb_simulation *sim, sb_touches *all, int index, int indicator,
                            bool *impact, sb_error *err) {
  const int m = 3 * all->count;
  sb_unilateral *contacts = sb_zeroed(all->count, sizeof *contacts);
  double *b = sb_zeroed(3 * m, sizeof *b), *f = b + m, *flows = f + m;
  bool *ended = sb_zeroed(2 * all->count, sizeof *ended), *begun = ended + all->count;
  sb_status status = contacts != NULL && b != NULL && ended != NULL
                         ? SB_OK
                         : sb_fail(err, SB_ERR_MEMORY, "out of memory");
  if (status == SB_OK) {
    status =
        pose_at_rest(sim, all, may_end_slips(all, index, indicator), contacts, ended, begun, err);
    rates_without_forces(all, b);
    read_slips(all, contacts, flows);
    status = status == SB_OK ? check_driven(sim, all, b, err) : status;
  }
  status = status == SB_OK ? solve(sim, all, contacts, b, flows, f, impact, err) : status;
  if (status == SB_OK && *impact && all->touches[all->count - 1].strength > 0) {
    status = SB_OK; // friction bears no impulse: it is left out of that
  } else if (status == SB_OK && *impact) {
    memcpy(all->step, f, (size_t)m * sizeof *f);
    sb_touches_apply(sim, all);
    status = sb_touches_settle(sim, all, err);
  } else if (status == SB_OK) {
    take_modes(sim, all, contacts, f);
  }
  free(ended);
  free(contacts);
  free(b);
  return status;
}
