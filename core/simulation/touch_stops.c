// SPDX-License-Identifier: GPL-3.0-or-later
// Stops, and diodes between velocities, in the parts of rigid contacts that touch. A stop that is closed is a contact without friction: with the sign s of its side
// p = s e >= 0, u = -s f >= 0. What it bears, and what it is hit by, is one problem with them: an impulse or a load may open either.
#include <math.h>
#include <string.h>

#include "core/simulation/impacts_private.h"
#include "core/simulation/switching_private.h"

enum { DISCRETE_MAX = 8 };

/** Whether a diode is one between velocities: impulses of contacts reach no other, as of currents. */
static bool is_ratchet(const sb_instance *instance) {
  const char *domain = instance->layout.ports[0].domain;
  return domain != NULL && (strcmp(domain, "translation") == 0 || strcmp(domain, "rotation") == 0);
}

static bool is_stop(const sb_instance *instance) {
  const sb_switching_hooks *hooks = instance->type->switching;
  return !instance->hooked && instance->components == 1 && hooks->modes.complementary != NULL &&
         hooks->discrete_states <= DISCRETE_MAX &&
         (instance->layout.states > 0 || is_ratchet(instance));
}

/** Takes the event in which a free stop meets a limit, at a speed. @param discrete  in and out  @return the mode in which it is closed, and the restitution */
static sb_transition meet(const sb_simulation *sim, int index, int free, int limit, double side,
                          double speed, double discrete[]) {
  const sb_instance *instance = &sim->network->instances[sim->switches[index].instance];
  const double in[2] = {0, side * speed};
  sb_at at = sb_at_switch(sim, &sim->switches[index], sim->t, sim->x);
  at.mode = free;
  at.in = in;
  sb_transition next = {.mode = free};
  (void)instance->type->switching->fire(instance->self, &at, limit, discrete, &next);
  return next;
}

/** The limit at which a stop is closed in a mode, of those that it has; -1: none. */
static int limit_of(const sb_simulation *sim, int index, const sb_complementary *kind) {
  const sb_instance *instance = &sim->network->instances[sim->switches[index].instance];
  double discrete[DISCRETE_MAX] = {0}, g[SB_INDICATORS_MAX], gdot[SB_INDICATORS_MAX];
  const double in[2] = {0, 0};
  sb_at at = sb_at_switch(sim, &sim->switches[index], sim->t, sim->x);
  at.mode = kind->free;
  at.in = in;
  int limit = instance->type->switching->indicators(instance->self, &at, g, gdot) - 1;
  while (limit >= 0 &&
         (isinf(g[limit]) ||
          meet(sim, index, kind->free, limit, kind->sign, 0, discrete).mode != kind->held)) {
    limit--;
  }
  return limit;
}

/** What a stop is, or comes to be by an event, or where it is at its limit. @param limit  of the event; -1: it has none
 *  @return whether it is closed then */
static bool is_closed(const sb_simulation *sim, int index, int limit, sb_complementary *kind) {
  const sb_instance *instance = &sim->network->instances[sim->switches[index].instance];
  if (sb_instance_is_complementary(instance, sim->work->modes, kind)) {
    const sb_at at = sb_at_switch(sim, &sim->switches[index], sim->t, sim->x);
    return at.mode == kind->held || at.in[1] == 0; // a diode is one in either mode
  }
  double discrete[DISCRETE_MAX] = {0};
  const int now = sim->work->modes[instance->mode];
  limit = limit < 0 ? sb_stop_limit(sim, index) : limit;
  const int held = limit < 0 ? now : meet(sim, index, now, limit, 0, 0, discrete).mode;
  return held != now && instance->type->switching->modes.complementary(instance->self, held, kind);
}

bool sb_stop_touches(const sb_simulation *sim, int index) {
  const int own = sim->switches[index].instance;
  return !sb_is_branch(sim, index) && is_stop(&sim->network->instances[own]) &&
         sb_touches_beside(sim, own);
}

void sb_touches_list_stops(sb_simulation *sim, int struck, int limit, sb_touches *all) {
  const int contacts = all->count;
  bool sized = false;
  for (int i = 0; i < sim->switch_count && contacts > 0; i++) {
    const int own = sim->switches[i].instance;
    sb_complementary kind;
    bool beside = false;
    for (int c = 0; c < contacts && !beside; c++) {
      beside = sim->network->part_of[all->touches[c].instance] == sim->network->part_of[own];
    }
    if (!beside || sb_is_branch(sim, i) || !is_stop(&sim->network->instances[own])) {
      continue;
    }
    if (!sized) {
      sb_stops_size(sim);
      sized = true;
    }
    if (is_closed(sim, i, i == struck ? limit : -1, &kind)) {
      const int now = sim->work->modes[sim->network->instances[own].mode];
      all->touches[all->count++] =
          (sb_touch){.index = i,
                     .instance = own,
                     .mode = now == kind.free ? SB_APART : SB_SLIDES,
                     .side = kind.sign,
                     .limit = limit_of(sim, i, &kind),
                     .stick = kind.held,
                     .free = kind.free,
                     .terms = {.touches = true, .speed = sb_stop_fastest(sim, i)}};
    }
  }
}

double sb_touch_stop_restitution(sb_simulation *sim, const sb_touch *touch, double speed) {
  return meet(sim, touch->index, touch->free, touch->limit, touch->side, speed,
              sim->work->discrete + sim->network->instances[touch->instance].discrete)
      .restitution;
}

void sb_touch_enter_stop(sb_simulation *sim, const sb_touch *touch) {
  if (touch->mode == SB_APART &&
      !touch->struck) { // it closes, or would: from here on its way is measured
    (void)sb_touch_stop_restitution(sim, touch, 0);
  }
  sb_touch_set_mode(sim, touch, touch->next == SB_APART ? touch->free : touch->stick);
}
