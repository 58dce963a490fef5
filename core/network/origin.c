// SPDX-License-Identifier: GPL-3.0-or-later
// Origins for what is placed in space. A place a kilometre from the origin is known to 1e-13 m, and so is every
// difference of two; a stiff contact follows that rounding. Elements that are placed therefore count from a point near where
// they start, if the world's origin is many times their extent away, and tell by name what they are about the world's
// origin (sb_place_hooks). Near by the point is the world's origin, to the last bit. It is one point for what moves together, as bonds
// tell without the sources: what stands on one ground has nothing to do with each other by that, and sees the ground from its
// own point.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/near_point.h"
#include "core/base/sets.h"
#include "core/network/network.h"

/** Whether a port may be bonded to one of what is placed: of its dimension, and of its domain or of none. */
static bool has_alike(const sb_instance *instance, const sb_port *placed) {
  for (int i = 0; i < instance->layout.port_count; i++) {
    const sb_port *port = &instance->layout.ports[i];
    if (port->dim == placed->dim && (port->domain == NULL || placed->domain == NULL ||
                                     strcmp(port->domain, placed->domain) == 0)) {
      return true;
    }
  }
  return false;
}

/** Whether a signal reads what depends on the point that places count from: a coordinate, or a twist or wrench. What is measured is told in the
 *  world, and what a port of another kind has does not depend on it, as the normal force of a contact, which its friction reads. */
static bool reads_place(const sb_network *network, const sb_sensor *sensor) {
  const sb_instance *instance = &network->instances[sensor->instance];
  const sb_port *ports = instance->layout.ports;
  if (sensor->var < 0) {
    return false;
  }
  for (int i = 0, k = 0; i < instance->layout.port_count; i++) {
    for (const int end = k + ports[i].dim; k < end; k++) {
      if (sensor->var == sb_effort_var(instance, k) || sensor->var == sb_flow_var(instance, k)) {
        return sb_instance_placed(instance, i);
      }
    }
  }
  const sb_place_hooks *place = instance->type->place;
  const int state = sensor->var - sb_state_var(network, instance->state);
  return place != NULL && place->state != NULL && place->state(instance->self, state, NULL);
}

/** What moves together. */
typedef struct scene {
  double low[3], high[3], extent; // [m] of the places at the start
  const sb_port *placed;          // of one of its elements; NULL: nothing is placed
  bool in_world;                  // it is joined with what knows the world's origin alone
  double origin[3];               // [m] that it counts from
} scene;

typedef struct survey {
  sb_network *network;
  int *set;      // (instances) see sets.h
  scene *scenes; // (instances) by what stands for its set
} survey;

static scene *scene_of(const survey *s, int instance) {
  return &s->scenes[sb_set_of(s->set, instance)];
}

/** Whether it does not move, and is nowhere: the ground. */
static bool stands(const sb_instance *instance) {
  return instance->type->place != NULL && instance->type->place->seen != NULL;
}

static bool is_junction(const sb_instance *instance) {
  const sb_port_spec *ports = instance->type->ports;
  return ports != NULL && ports[0].name != NULL && ports[0].many;
}

/** An end of a bond, and the other one with its port. The ground is of the scene that it has to do with by a junction; another source that is
 *  placed, as a wrench, of that of what it acts on. */
static void join_end(const survey *s, int end, int other, int port) {
  const sb_instance *instance = &s->network->instances[end];
  (void)port;
  if (stands(instance) ? s->network->instances[other].type->place == NULL
                       : instance->type->role == SB_SOURCE && instance->type->place != NULL) {
    sb_sets_join(s->set, end, other);
  }
}

/** The places at the start, and what their elements extend to from there. */
static void find_places(const survey *s) {
  for (int i = 0; i < s->network->instance_count; i++) {
    const sb_instance *instance = &s->network->instances[i];
    scene *own = scene_of(s, i);
    double at[3];
    if (instance->type->place == NULL || instance->type->place->start == NULL) {
      continue;
    }
    const double extent = instance->type->place->start(instance->self, at);
    own->extent = fmax(own->extent, extent);
    for (int k = 0; k < 3; k++) {
      own->low[k] = own->placed == NULL ? at[k] : fmin(own->low[k], at[k]);
      own->high[k] = own->placed == NULL ? at[k] : fmax(own->high[k], at[k]);
    }
    own->placed = &instance->layout.ports[0];
  }
}

/** What is bonded to a scene and not placed itself, other than junctions, as a source, which states its wrench about the world's origin. What
 *  is bonded to a port that is not placed, as the spring of a bushing, knows none. */
static void note_stranger(const survey *s, int end, int other, int port) {
  const sb_instance *instance = &s->network->instances[end],
                    *bonded = &s->network->instances[other];
  scene *own = scene_of(s, other);
  const bool known = bonded->type->place != NULL && !sb_instance_placed(bonded, port);
  if (own->placed != NULL && instance->type->place == NULL && !is_junction(instance) && !known &&
      has_alike(instance, own->placed)) {
    own->in_world = true;
  }
}

/** A signal takes what it reads from states and ports themselves; of the ground, what is about the points of all that it bears. */
static void note_sensor(const survey *s, const sb_sensor *sensor) {
  const sb_network *network = s->network;
  scene *own = scene_of(s, sensor->instance);
  own->in_world = own->in_world || (own->placed != NULL && reads_place(network, sensor));
  const bool of_ground = sensor->var >= 0 && stands(&network->instances[sensor->instance]);
  for (int i = 0; i < network->bond_count && of_ground; i++) {
    const sb_network_bond *bond = &network->bonds[i];
    if (bond->from == sensor->instance || bond->to == sensor->instance) {
      scene_of(s, bond->from)->in_world = scene_of(s, bond->to)->in_world = true;
    }
  }
}

/** Near the middle of its places. */
static void choose_point(scene *own) {
  double middle[3], extent = own->extent;
  for (int k = 0; k < 3; k++) {
    middle[k] = 0.5 * own->low[k] + 0.5 * own->high[k];
    extent = fmax(extent, 0.5 * (own->high[k] - own->low[k]));
  }
  if (!own->in_world) {
    sb_near_point(middle, extent, own->origin);
  }
}

/** The ground counts from the point of a scene that it bears, if it is of none. */
static void place_ground(const survey *s, int end, int other, int port) {
  scene *own = scene_of(s, end);
  (void)port;
  if (stands(&s->network->instances[end]) && own->placed == NULL &&
      scene_of(s, other)->placed != NULL) {
    *own = *scene_of(s, other);
  }
}

static void refer_all(const survey *s) {
  static const double world[3] = {0, 0, 0};
  for (int i = 0; i < s->network->instance_count; i++) {
    const sb_instance *instance = &s->network->instances[i];
    const double *origin = scene_of(s, i)->origin;
    if (instance->type->place != NULL && memcmp(origin, world, sizeof world) != 0) {
      instance->type->place->refer(instance->self, origin);
    }
  }
}

/** Lets a wire from the ground show it from the point of who reads it: the world's origin of what is not placed. */
static sb_status show(const survey *s, int ground, int reader, int wire) {
  static const double world[3] = {0, 0, 0};
  sb_network *network = s->network;
  const sb_instance *from = &network->instances[ground];
  const double *origin =
      network->instances[reader].type->place != NULL ? scene_of(s, reader)->origin : world;
  if (memcmp(origin, scene_of(s, ground)->origin, 3 * sizeof *origin) == 0) {
    return SB_OK;
  }
  if (network->views == NULL) {
    network->views = sb_arena_zeroed(&network->memory, network->wire_count, sizeof *network->views);
  }
  double *signals = sb_arena_zeroed(&network->memory, from->signal_count, sizeof *signals);
  if (network->views == NULL || signals == NULL) {
    return SB_ERR_MEMORY;
  }
  from->type->place->seen(origin, signals);
  network->views[wire] = signals + (network->wires[wire] - from->signal);
  return SB_OK;
}

static sb_status show_ground(const survey *s, int ground) {
  const sb_network *network = s->network;
  const sb_instance *from = &network->instances[ground];
  for (int i = 0; i < network->instance_count; i++) {
    const sb_instance *reader = &network->instances[i];
    for (int k = 0; k < reader->wire_count; k++) {
      const int value = network->wires[reader->wire + k] - from->signal;
      if (value >= 0 && value < from->signal_count) {
        SB_TRY(show(s, ground, i, reader->wire + k));
      }
    }
  }
  return SB_OK;
}

/** Both ends of each bond. */
static void visit(const survey *s, void (*end)(const survey *s, int end, int other, int port)) {
  for (int i = 0; i < s->network->bond_count; i++) {
    const sb_network_bond *bond = &s->network->bonds[i];
    end(s, bond->from, bond->to, bond->to_port);
    end(s, bond->to, bond->from, bond->from_port);
  }
}

static sb_status choose(const survey *s) {
  const sb_network *network = s->network;
  sb_movers_join(network, s->set);
  visit(s, join_end);
  find_places(s);
  visit(s, note_stranger);
  for (int i = 0; i < network->sensor_count; i++) {
    note_sensor(s, &network->sensors[i]);
  }
  for (int i = 0; i < network->instance_count; i++) {
    if (s->set[i] == i && s->scenes[i].placed != NULL) {
      choose_point(&s->scenes[i]);
    }
  }
  visit(s, place_ground);
  refer_all(s);
  for (int i = 0; i < network->instance_count; i++) {
    if (stands(&network->instances[i])) {
      SB_TRY(show_ground(s, i));
    }
  }
  return SB_OK;
}

sb_status sb_origin_choose(sb_network *network) {
  survey s = {.network = network,
              .set = sb_zeroed(network->instance_count, sizeof(int)),
              .scenes = sb_zeroed(network->instance_count, sizeof(scene))};
  const sb_status status = s.set == NULL || s.scenes == NULL ? SB_ERR_MEMORY : choose(&s);
  free(s.set);
  free(s.scenes);
  return status;
}
