// SPDX-License-Identifier: GPL-3.0-or-later
// Which breaks reach the input of a delay, and how smooth they are there.
//
// Between two steps the right-hand side changes by what is held within one alone: modes, discrete states, branches of expressions,
// pieces of delays, kinks in time, and states that an impulse has moved. A break in what an element gives goes on along bonds, in both
// directions, and along signals, in theirs; through a state its lowest derivative that jumps is one higher (Bellen & Zennaro, 2003, 2.2).
// For each delay the least number of states on the ways from all elements to its input is counted once. Where storages depend on
// each other forces follow from accelerations, and states on a way may be passed by: they do not count then.
#include <string.h>

#include "core/model/model_data.h"
#include "core/network/in_time.h"
#include "core/network/roles.h"
#include "core/network/turns.h"
#include "core/simulation/delays_private.h"

enum { FAR = 255 }; // there is no way
/** A state has jumped if it did by more than this fraction of its error in a step. */
static const double known_to = 0.03;

typedef struct sb_delay_ways {
  unsigned char
      *states; // (delays x instances) on the way from an instance to the input; FAR: there is none
  int *modes;  // these and the others at the end of the last step
  double *discrete, *branches, *x;
  bool unknown; // anything may have changed since
} sb_delay_ways;

/** While the ways to one input are found, backwards. Of an instance there are what comes to its ports, 2i, and what it gives, 2i + 1. */
typedef struct search {
  const sb_network *network;
  const int *giver;  // (values)
  const int *sensor; // (values) that gives it; -1: none
  const int *first,
      *beside; // bonds: those that instance i has one with are beside[first[i]] ... beside[first[i + 1] - 1]
  bool *found;      // (2 instances)
  int *near, *next; // (2 instances) found, with as many states behind them, and with one more
  int near_count, next_count;
} search;

static void find(search *s, int node, bool state) {
  if (state) {
    s->next[s->next_count++] = node;
  } else if (!s->found[node]) {
    s->found[node] = true;
    s->near[s->near_count++] = node;
  }
}

/** Whether a signal reads what a storage gives by its states. */
static bool reads_state(const sb_network *network, const sb_sensor *sensor) {
  const sb_instance *instance = &network->instances[sensor->instance];
  if (instance->type->storage == NULL) {
    return false;
  }
  if (sb_sensor_measures(sensor)) {
    const sb_measures *measures = &instance->type->measures;
    return measures->reads != NULL && !measures->reads(instance->self, sensor->quantity.first);
  }
  for (int k = 0; k < instance->components; k++) {
    const bool effort = sb_natural_output(instance, sb_port_of(instance, k)) == SB_EFFORT;
    if (sensor->var == (effort ? sb_effort_var : sb_flow_var)(instance, k)) {
      return true;
    }
  }
  return sensor->var >= sb_known_base(network);
}

static void find_value(search *s, int value, bool state) {
  const int giver = value >= 0 ? s->giver[value] : -1, number = giver >= 0 ? s->sensor[value] : -1;
  if (giver >= 0) {
    find(s, 2 * giver + 1, state);
  }
  if (number >= 0) {
    const sb_sensor *sensor = &s->network->sensors[number];
    if (!reads_state(s->network, sensor)) {
      find(s, 2 * giver, state);
    }
    if (sensor->quantity.axes > 0) {
      find_value(s, sensor->quantity.axes - 1, state);
    }
  }
}

static void find_wires(search *s, const sb_instance *instance, bool state) {
  for (int k = 0; k < instance->wire_count; k++) {
    find_value(s, s->network->wires[instance->wire + k], state);
  }
}

/** What a node depends on. */
static void follow(search *s, int node) {
  const int index = node / 2;
  const sb_instance *instance = &s->network->instances[index];
  const bool states = instance->layout.states > 0;
  if (node % 2 == 0) {
    for (int k = s->first[index]; k < s->first[index + 1]; k++) {
      find(s, 2 * s->beside[k] + 1, false);
    }
  } else if (instance->type->signal != NULL) {
    if (states || sb_instance_feeds_through(instance)) {
      find_wires(s, instance, !sb_instance_feeds_through(instance));
    }
  } else {
    find_wires(s, instance, false);
    if (instance->type->storage == NULL || states) {
      find(s, 2 * index, instance->type->storage != NULL);
    }
  }
}

/** @param states  (instances) out */
static void search_from(search *s, int delay, unsigned char states[]) {
  const int instances = s->network->instance_count;
  memset(s->found, 0, 2 * (size_t)instances * sizeof *s->found);
  memset(states, FAR, (size_t)instances);
  s->near_count = s->next_count = 0;
  find_wires(s, &s->network->instances[delay], false);
  for (int count = 0; s->near_count > 0; count += count + 1 < FAR) {
    while (s->near_count > 0) {
      const int node = s->near[--s->near_count];
      if (node % 2 == 1) {
        states[node / 2] = (unsigned char)count;
      }
      follow(s, node);
    }
    for (; s->next_count > 0; s->next_count--) {
      find(s, s->next[s->next_count - 1], false);
    }
  }
}

/** The bonds of each instance, from both sides. */
static bool list_bonds(const sb_network *network, search *s, sb_arena *memory) {
  const int instances = network->instance_count;
  int *first = sb_arena_zeroed(memory, instances + 2, sizeof(int)),
      *beside = sb_arena_zeroed(memory, 2 * network->bond_count, sizeof(int));
  if (memory->failed) {
    return false;
  }
  for (int i = 0; i < network->bond_count; i++) {
    first[network->bonds[i].from + 2]++;
    first[network->bonds[i].to + 2]++;
  }
  for (int i = 0; i <= instances; i++) {
    first[i + 1] += first[i];
  }
  for (int i = 0; i < network->bond_count; i++) {
    beside[first[network->bonds[i].from + 1]++] = network->bonds[i].to;
    beside[first[network->bonds[i].to + 1]++] = network->bonds[i].from;
  }
  s->first = first;
  s->beside = beside;
  return true;
}

static bool find_ways(const sb_simulation *sim, unsigned char states[], sb_arena *memory) {
  const sb_network *network = sim->network;
  const int instances = network->instance_count, wires = network->wire_count;
  int *sensor = sb_arena_zeroed(memory, network->value_count, sizeof(int));
  search s = {.network = network,
              .giver = sb_network_givers(network, memory),
              .sensor = sensor,
              .found = sb_arena_zeroed(memory, 2 * instances, sizeof(bool)),
              .near = sb_arena_zeroed(memory, 2 * instances, sizeof(int)),
              .next = sb_arena_zeroed(memory, instances + 4 * wires, sizeof(int))};
  if (memory->failed || !list_bonds(network, &s, memory)) {
    return false;
  }
  for (int i = 0; i < network->value_count; i++) {
    sensor[i] = -1;
  }
  for (int i = 0; i < network->sensor_count; i++) {
    sensor[network->sensors[i].value] = i;
  }
  for (int k = 0; k < sim->delays->count; k++) {
    search_from(&s, sim->delays->instance[k], states + (size_t)k * (size_t)instances);
  }
  return true;
}

sb_status sb_delay_ways_create(sb_simulation *sim, sb_error *err) {
  const sb_network *network = sim->network;
  if (sim->delays == NULL) {
    return SB_OK;
  }
  sb_arena *memory = &sim->memory, scratch = {0};
  sb_delay_ways *w = sb_arena_zeroed(memory, 1, sizeof *w);
  sim->delay_ways = w;
  if (w != NULL) {
    w->unknown = true;
    w->states = sb_arena_zeroed(memory, sim->delays->count * network->instance_count, 1);
    w->modes = sb_arena_zeroed(memory, network->mode_count, sizeof(int));
    w->discrete = sb_arena_zeroed(memory, network->discrete_count, sizeof(double));
    w->branches = sb_arena_zeroed(memory, network->branch_count, sizeof(double));
    w->x = sb_arena_zeroed(memory, network->state_count, sizeof(double));
  }
  const bool done = !memory->failed && find_ways(sim, w->states, &scratch);
  sb_arena_finish(&scratch);
  return done ? SB_OK : sb_fail(err, SB_ERR_MEMORY, "out of memory");
}

void sb_delay_ways_unknown(sb_simulation *sim) {
  if (sim->delay_ways != NULL) {
    sim->delay_ways->unknown = true;
  }
}

void sb_delay_ways_keep(sb_simulation *sim, bool jumps) {
  const sb_network *network = sim->network;
  sb_delay_ways *w = sim->delay_ways;
  if (w == NULL) {
    return;
  }
  memcpy(w->modes, sim->work->modes, (size_t)network->mode_count * sizeof *w->modes);
  memcpy(w->discrete, sim->work->discrete, (size_t)network->discrete_count * sizeof *w->discrete);
  memcpy(w->branches, sim->work->branches.held,
         (size_t)network->branch_count * sizeof *w->branches);
  memcpy(w->x, sim->x, (size_t)network->state_count * sizeof *w->x);
  w->unknown = jumps;
}

static bool differ(const double a[], const double b[], int first, int count) {
  return count > 0 && memcmp(a + first, b + first, (size_t)count * sizeof *a) != 0;
}

/** Whether what an element prescribes over the time has a kink right after a time. */
static bool has_kink(const sb_simulation *sim, const sb_instance *instance, double after) {
  const sb_time_hooks *time = instance->type->time;
  double next =
      time != NULL && time->next_break != NULL ? time->next_break(instance->self, after) : HUGE_VAL;
  for (int i = instance->timed; i < instance->timed + instance->timed_count; i++) {
    next = fmin(next, sb_expression_next_kink(sim->network->timed[i].expression, after));
  }
  return next <= sim->t + sb_time_rounding(sim->t);
}

/** Whether an impulse has moved states of an instance, not whether a projection has by what they are known to. */
static bool has_moved(const sb_simulation *sim, const sb_instance *instance) {
  bool moved = false;
  for (int i = instance->state; i < instance->state + instance->layout.states; i++) {
    const double known = known_to * sim->options.rtol * sim->nominal.used[i];
    moved = moved || !(fabs(sim->x[i] - sim->delay_ways->x[i]) <= known);
  }
  return moved;
}

static bool has_changed(const sb_simulation *sim, const sb_instance *instance) {
  const sb_delay_ways *w = sim->delay_ways;
  const sb_workspace *work = sim->work;
  const sb_switching_hooks *switching = instance->type->switching;
  const bool own = switching != NULL && !switching->follows && instance->mode >= 0;
  const int discrete = own ? switching->discrete_states : 0;
  return w->unknown ||
         (instance->mode >= 0 && work->modes[instance->mode] != w->modes[instance->mode]) ||
         differ(work->discrete, w->discrete, instance->discrete, discrete) ||
         differ(work->branches.held, w->branches, instance->branch, instance->branch_count) ||
         has_moved(sim, instance);
}

/** A break in what an instance gives, with the lowest derivative that may jump. */
static void spread(sb_simulation *sim, int instance, int level) {
  const sb_delays *d = sim->delays;
  const sb_causality *c = &sim->work->program->causality;
  const bool independent = c->constraint_count == 0 && c->algebraic_count == 0,
             delayed = sim->network->instances[instance].delay >= 0;
  const int highest = sim->options.method->order + 1;
  for (int k = 0; k < d->count; k++) {
    const int states = sim->delay_ways->states[k * sim->network->instance_count + instance],
              more = independent ? states : 0;
    const int there = level + (delayed && more < 1 ? 1 : more);
    if (states != FAR && there <= highest && there < d->level[k]) {
      d->level[k] = there > 1 ? there : 1;
    }
  }
}

void sb_delays_mark(sb_simulation *sim) {
  sb_delays *d = sim->delays;
  if (d == NULL) {
    return;
  }
  for (int k = 0; k < d->count; k++) {
    d->level[k] = sim->delay_ways->unknown ? 1 : SB_HISTORY_SMOOTH;
  }
  const double before = sim->t - 2 * sb_time_rounding(sim->t);
  for (int i = 0; i < sim->network->instance_count && !sim->delay_ways->unknown; i++) {
    const sb_instance *instance = &sim->network->instances[i];
    const int level = instance->delay >= 0 ? sb_delay_break_now(sim, instance->delay)
                      : has_changed(sim, instance) || has_kink(sim, instance, before)
                          ? 0
                          : SB_HISTORY_SMOOTH;
    if (level < SB_HISTORY_SMOOTH) {
      spread(sim, i, level);
    }
  }
  for (int i = 0; i < sim->composed_count && !sim->delay_ways->unknown; i++) {
    const double kink = sb_expression_next_kink(sim->composed[i]->expression, before);
    if (kink <= sim->t + sb_time_rounding(sim->t)) {
      spread(sim, sim->composed[i]->instance, 0);
    }
  }
}
