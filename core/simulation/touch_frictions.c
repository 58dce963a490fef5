// SPDX-License-Identifier: GPL-3.0-or-later
// Dry frictions at rest in the parts of rigid contacts that touch. What they bear and what the contacts bear is one problem: a friction of
// strength F is a contact that is pressed by F. Its normal row is its own, u_n = w (p_n - F), which the conditions of contact make
// p_n = F, and with mu = 1 its tangential force is within F, or at F against its flow.
#include <math.h>
#include <string.h>

#include "core/simulation/impacts_private.h"
#include "core/simulation/switching_private.h"

enum { DISCRETE_MAX = 8 };
/** Frictions are of one motion where W_ij^2 is that of W_ii W_jj to this fraction. */
static const double alike = 1 - 1e-9;
/** Forces are known to this fraction: at their bounds but for it frictions slip. */
static const double at_bound = 1e-9;

static const sb_jumping_law *law_of(const sb_instance *instance) {
  return &instance->type->dissipation->jumps;
}

/** Whether a law jumps at zero alone, and takes a mode for either side. */
static bool is_dry(const sb_instance *instance) {
  if (!instance->hooked || instance->components != 1 || instance->type->dissipation == NULL ||
      instance->type->switching == NULL || instance->type->switching->modes.before == NULL ||
      law_of(instance)->sticks == NULL || law_of(instance)->mode == NULL ||
      sb_natural_output(instance, 0) == SB_FLOW) {
    return false;
  }
  const int stick = law_of(instance)->mode(instance->self, 0, 0);
  return stick >= 0 && law_of(instance)->mode(instance->self, 1, 0) < 0 &&
         sb_instance_stick_place(instance, stick) == 0;
}

/** Whether a slip is at rest but for rounding, whichever way: of a flow and of its opposite neither is against the side of the slip. */
static bool is_at_rest(const sb_instance *instance, sb_at *at, double in[2]) {
  double g[SB_INDICATORS_MAX], gdot[SB_INDICATORS_MAX];
  bool rests = true;
  for (int k = 0; k < 2; k++) {
    in[1] = -in[1];
    at->in = in;
    rests = rests && instance->type->switching->indicators(instance->self, at, g, gdot) == 1 &&
            g[0] >= 0;
  }
  return rests;
}

/** Whether contacts of a part touch. @param contacts  of all, in front */
static bool is_touched(const sb_simulation *sim, const sb_touches *all, int contacts, int part) {
  bool any = false;
  for (int c = 0; c < contacts; c++) {
    any = any || sim->network->part_of[all->touches[c].instance] == part;
  }
  return any;
}

/** The mode in which a friction at rest sticks; -1: it is not at rest, or its law is not the same on both sides.
 *  @param strength  out */
static int stick_of(sb_simulation *sim, int index, double *strength) {
  const sb_switch *element = &sim->switches[index];
  const sb_instance *instance = &sim->network->instances[element->instance];
  double low, high, discrete[DISCRETE_MAX];
  sb_at at = sb_at_event(sim, element, sim->t, sim->x);
  double in[2] = {at.in[0], at.in[1]};
  law_of(instance)->limits(instance->self, &at, &low, &high);
  *strength = high;
  if (!(high > 0) || low != -high) {
    return -1;
  }
  if (sb_instance_sticks(instance, sim->work->modes)) {
    return at.mode;
  }
  if (sb_instance_is_held(instance, sim->work->modes)) {
    return law_of(instance)->mode(instance->self, 0, 0);
  }
  const sb_switching_hooks *hooks = instance->type->switching;
  const bool slips = hooks->modes.before(instance->self, at.mode, 0);
  if (!slips || hooks->discrete_states > DISCRETE_MAX || !is_at_rest(instance, &at, in)) {
    return -1;
  }
  memcpy(discrete, at.discrete, (size_t)hooks->discrete_states * sizeof *discrete);
  sb_transition next = {.mode = at.mode};
  in[1] = 0;
  at.in = in;
  const bool known = hooks->fire(instance->self, &at, 0, discrete, &next) == SB_OK &&
                     law_of(instance)->sticks(instance->self, next.mode);
  return known ? next.mode : -1;
}

bool sb_friction_touches(sb_simulation *sim, int index) {
  const int own = sim->switches[index].instance;
  double strength;
  return !sb_is_branch(sim, index) && sb_touches_beside(sim, own) &&
         is_dry(&sim->network->instances[own]) &&
         sb_instance_sticks(&sim->network->instances[own], sim->work->modes) &&
         stick_of(sim, index, &strength) >= 0;
}

bool sb_touches_join(sb_simulation *sim, sb_touches *all) {
  const int contacts = all->count;
  sb_trace(sim->work, sim->x);
  for (int i = 0; i < sim->switch_count; i++) {
    const sb_instance *instance = &sim->network->instances[sim->switches[i].instance];
    if (sb_is_branch(sim, i) || !is_dry(instance) ||
        !is_touched(sim, all, contacts, sim->network->part_of[sim->switches[i].instance])) {
      continue;
    }
    double strength;
    const int stick = stick_of(sim, i, &strength);
    if (stick >= 0) {
      all->touches[all->count++] =
          (sb_touch){.index = i,
                     .instance = sim->switches[i].instance,
                     .mode = sb_instance_sticks(instance, sim->work->modes) ||
                                     sb_instance_is_held(instance, sim->work->modes)
                                 ? SB_STICKS
                                 : SB_SLIDES,
                     .strength = strength,
                     .stick = stick,
                     .free = law_of(instance)->mode(instance->self, 0, 1),
                     .before = sim->work->modes[instance->mode],
                     .terms = {.touches = true, .rubs = true, .mu = 1}};
    }
  }
  return all->count > contacts;
}

void sb_touches_part(sb_simulation *sim, sb_touches *all) {
  while (all->count > 0 && all->touches[all->count - 1].strength > 0) {
    const sb_touch *touch = &all->touches[--all->count];
    sim->work->modes[sim->network->instances[touch->instance].mode] = touch->before;
  }
  sb_workspace_changed(sim->work);
}

/** Whether what a friction bears acts on another one alike, by a factor. */
static bool moves_with(const sb_touches *all, int c, int d) {
  const int m = 3 * all->count, i = 3 * c + 1, j = 3 * d + 1;
  const double w = all->W[i * m + j];
  return all->touches[c].strength > 0 && all->touches[d].strength > 0 &&
         w * w > alike * all->W[i * m + i] * all->W[j * m + j];
}

/** The strongest friction of a motion. */
static int holder_of(const sb_touches *all, int c) {
  const int m = 3 * all->count;
  int best = c;
  double most = 0;
  for (int d = 0; d < all->count; d++) {
    const double strength = all->touches[d].strength;
    const double own = strength * strength * all->W[(3 * d + 1) * m + 3 * d + 1];
    if (moves_with(all, c, d) && own > most) {
      most = own;
      best = d;
    }
  }
  return best;
}

/** How the force of a friction acts on a stop, as a fraction of the stop's own. */
static double on_stop(const sb_touches *all, int stop, int c) {
  const int m = 3 * all->count, i = 3 * stop;
  return all->W[i * m + 3 * c + 1] / all->W[i * m + i];
}

/** The stop that holds the motion of a friction; -1: none does. */
static int stop_of(const sb_touches *all, int c) {
  const int m = 3 * all->count, i = 3 * c + 1;
  int stop = -1;
  for (int d = 0; d < all->count && all->touches[c].strength > 0; d++) {
    const double w = all->W[3 * d * m + i];
    stop = all->touches[d].side != 0 && w != 0 &&
                   w * w > alike * all->W[i * m + i] * all->W[3 * d * m + 3 * d]
               ? d
               : stop;
  }
  return stop;
}

bool sb_touches_find_loose(sb_touches *all) {
  bool any = false;
  for (int c = 0; c < all->count; c++) {
    all->touches[c].loose = stop_of(all, c) >= 0 || holder_of(all, c) != c;
    any = any || all->touches[c].loose;
  }
  return any;
}

/** What a friction bears, or may bear, of what another one of its motion does. */
static double ratio_of(const sb_touches *all, int holder, int c) {
  const int m = 3 * all->count, i = 3 * holder + 1;
  return all->W[i * m + 3 * c + 1] / all->W[i * m + i];
}

void sb_touches_rate_loose(sb_touches *all) {
  for (int c = 0; c < all->count; c++) {
    const int h = holder_of(all, c), stop = stop_of(all, c);
    if (all->touches[c].loose) {
      all->touches[c].rate[1] = stop >= 0 ? on_stop(all, stop, c) * all->touches[stop].rate[0]
                                          : ratio_of(all, h, c) * all->touches[h].rate[1];
    }
  }
}

/** Whether the motion of a friction that holds is at rest: one of all sticks, and together they are not at their bounds. @param load  out: of it */
static bool rests(const sb_touches *all, int holder, double *load) {
  double most = 0;
  bool sticks = false;
  *load = 0;
  for (int c = 0; c < all->count; c++) {
    const sb_touch *touch = &all->touches[c];
    if (moves_with(all, holder, c)) {
      const double ratio = ratio_of(all, holder, c);
      sticks = sticks || touch->next == SB_STICKS;
      *load += ratio * touch->force[1];
      most += fabs(ratio) * touch->strength;
    }
  }
  return sticks && fabs(*load) < (1 - at_bound) * most;
}

/** @param h  of the one that holds */
static void settle_motion(sb_touches *all, int h) {
  double load;
  const bool at_rest = rests(all, h, &load);
  for (int c = 0; c < all->count; c++) {
    sb_touch *touch = &all->touches[c];
    if (!moves_with(all, h, c)) {
      continue;
    }
    touch->next = at_rest ? SB_STICKS : SB_SLIDES;
    if (!at_rest) {
      touch->terms.slip[0] = load * ratio_of(all, h, c) > 0 ? -1 : 1;
    } else if (c != h) {
      const double ratio = ratio_of(all, h, c);
      touch->force[1] = copysign(touch->strength, load * ratio);
      touch->mode = SB_STICKS;
      load -= ratio * touch->force[1];
    }
  }
  all->touches[h].force[1] = at_rest ? load : all->touches[h].force[1];
}

/** A stop that stays closed holds the motion, and friction has all its strength towards it: so the stop lets go where the load away from it is
 *  that strength. Beside one that opens friction is alone. @return whether it stays closed */
static bool settle_beside_stop(sb_touches *all, int c, int stop) {
  sb_touch *touch = &all->touches[c], *holds = &all->touches[stop];
  const double ratio = on_stop(all, stop, c), before = touch->force[1];
  if (holds->next == SB_APART) {
    touch->loose = holder_of(all, c) != c;
    return false;
  }
  touch->next = touch->mode = SB_STICKS;
  touch->force[1] = -copysign(touch->strength, ratio);
  holds->force[0] += ratio * (before - touch->force[1]);
  return true;
}

void sb_touches_settle_loose(sb_touches *all) {
  for (int h = 0; h < all->count; h++) {
    bool any = false;
    for (int c = 0; c < all->count; c++) {
      const int stop = all->touches[c].loose ? stop_of(all, c) : -1;
      const bool held = stop >= 0 && (h == 0 ? settle_beside_stop(all, c, stop)
                                             : all->touches[stop].next != SB_APART);
      any = any || (all->touches[c].loose && !held && holder_of(all, c) == h);
    }
    if (any) {
      settle_motion(all, h);
    }
  }
}

void sb_touches_give_way(sb_touches *all, int index) {
  for (int c = 0; c < all->count; c++) {
    sb_touch *touch = &all->touches[c];
    const bool bears = touch->strength > 0 && touch->next == SB_STICKS && !touch->loose;
    if (touch->index == index && bears &&
        fabs(touch->force[1]) >= (1 - at_bound) * touch->strength) {
      touch->next = SB_SLIDES;
      touch->terms.slip[0] = touch->force[1] > 0 ? -1 : 1;
    }
  }
}

void sb_touch_enter_friction(sb_simulation *sim, const sb_touch *touch) {
  const sb_instance *instance = &sim->network->instances[touch->instance];
  const double along = touch->terms.slip[0];
  const int mode = touch->next == SB_STICKS && touch->loose
                       ? law_of(instance)->mode(instance->self, 0, touch->force[1] < 0 ? 2 : -2)
                   : touch->next == SB_STICKS
                       ? touch->stick
                       : law_of(instance)->mode(instance->self, 0, along > 0 ? 1 : -1);
  if (mode != touch->before) {
    sb_at at = sb_at_switch(sim, &sim->switches[touch->index], sim->t, sim->x);
    sb_transition next = {.mode = touch->before};
    at.mode = touch->before;
    law_of(instance)->enter(instance->self, &at, mode, sim->work->discrete + instance->discrete,
                            &next);
  }
  sim->work->modes[instance->mode] = mode;
  sb_workspace_changed(sim->work);
}
