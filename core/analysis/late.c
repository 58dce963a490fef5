// SPDX-License-Identifier: GPL-3.0-or-later
// What gives what its input u was some time T ago, a Delay or a SampleHold, gives u itself where all rests. For the search of an equilibrium
// it is y' = (u - y)/T in its place, a state more, with the same places of rest: y = u. So a controller that holds a sum between its
// samples, y = y + K e, rests where e = 0, and what its y is there follows of the rest of the model.
#include <string.h>

#include "core/analysis/operating_point_private.h"

/** Stands in front of the data of the element. */
typedef struct late {
  _Alignas(16) sb_element_type type; // as the original's, with `hooks`
  sb_signal_hooks hooks;
  const sb_delay_hooks *original;
} late;

static const char *const state_names[] = {"value", NULL};

static int late_output(const void *self, const sb_at *at, double own[]) {
  (void)self;
  own[0] = at->x[0];
  return 0;
}

static int late_rate(const void *self, const sb_at *at, double xdot[]) {
  const sb_delay_hooks *original = ((const late *)self - 1)->original;
  xdot[0] = (original->input(self, at) - at->x[0]) / original->lag(self);
  return 0;
}

static bool late_reads(const void *self) {
  (void)self;
  return false;
}

const sb_delay_hooks *sb_late_hooks(const sb_instance *instance) {
  const sb_signal_hooks *signal = instance->type->signal;
  const sb_delay_hooks *delay = signal == NULL ? NULL : signal->delay;
  return signal == NULL || delay != NULL ? delay : signal->samples;
}

bool sb_late_is_replaced(const sb_instance *instance) {
  return instance->type->signal != NULL && instance->type->signal->output == late_output;
}

static void replace(sb_operating_point *p, sb_instance *instance) {
  late *l = sb_arena_zeroed(&p->memory, 1, sizeof *l + instance->type->size);
  if (l == NULL) {
    return;
  }
  memcpy(l + 1, instance->self, instance->type->size);
  *l = (late){.type = *instance->type, .original = sb_late_hooks(instance)};
  l->hooks = (sb_signal_hooks){
      .output = late_output, .rate = late_rate, .output_rate = late_rate, .reads = late_reads};
  l->type.signal = &l->hooks;
  l->type.switching = NULL;
  l->type.state_names = state_names;
  instance->type = &l->type;
  instance->self = l + 1;
  instance->layout.states = 1;
  instance->delay = instance->mode = -1;
}

/** What names states by their numbers: sensors and vectors. @param moved  (states) by how much the number of each has grown */
static void renumber(sb_operating_point *p, const int moved[], int states) {
  sb_network *network = &p->network;
  const int base = sb_known_base(network);
  sb_sensor *sensors = sb_arena_zeroed(&p->memory, network->sensor_count, sizeof *sensors);
  sb_state_vector *vectors = sb_arena_zeroed(&p->memory, network->vectors.count, sizeof *vectors);
  for (int i = 0; i < network->sensor_count && !p->memory.failed; i++) {
    sensors[i] = network->sensors[i];
    const int state = sensors[i].var - base;
    sensors[i].var += state >= 0 && state < states ? moved[state] : 0;
  }
  for (int i = 0; i < network->vectors.count && !p->memory.failed; i++) {
    vectors[i] = network->vectors.items[i];
    vectors[i].first += moved[vectors[i].first];
  }
  network->sensors = sensors;
  network->vectors.items = vectors;
}

void sb_late_replace(sb_operating_point *p, const sb_simulation_point *from) {
  sb_network *network = &p->network;
  const int states = network->state_count;
  int *moved = sb_arena_zeroed(&p->memory, states, sizeof *moved);
  for (int i = 0; i < network->instance_count && !p->memory.failed; i++) {
    sb_instance *instance = &network->instances[i];
    const sb_instance *original = &from->model->network.instances[i];
    const int old = original->state;
    instance->state += p->late_count;
    for (int k = 0; k < instance->layout.states; k++) {
      moved[old + k] = p->late_count;
      p->x[instance->state + k] = from->x[old + k];
    }
    if (sb_late_hooks(instance) != NULL) {
      const sb_at at = sb_at_instance(from->work, original, from->t, from->x);
      (void)instance->type->signal->output(instance->self, &at, &p->x[instance->state]);
      replace(p, instance);
      p->late = p->late_count++ == 0 ? instance->id : p->late;
    }
  }
  network->state_count += p->late_count;
  if (p->late_count > 0 && !p->memory.failed) {
    renumber(p, moved, states);
  }
}
