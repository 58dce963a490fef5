// SPDX-License-Identifier: GPL-3.0-or-later
// The kind of a tree of bodies: every tree has tables of ports, signals, states and quantities of its own.
//   ports    of each body "BODY", 6 components, and of each joint "JOINT": its velocities and efforts; where a joint turns
//            and slides, "JOINT.turn" and "JOINT.slide"; where it has several coordinates of one sort, also each of
//            them, "JOINT.turn1", "JOINT.slide2"
//   signals  "JOINT.q" and "JOINT.w" of joints with one velocity, "BODY.pose", "FRAME.pose", those that were asked for
//            (linkage_signals.c), and the scratch memory
//   states   the coordinates q, joint after joint, then the momenta p
#include <stdio.h>
#include <string.h>

#include "mechanism/mechanism_private.h"

enum { NAME_MAX_SIZE = 256 };

/** What is filled while the tables are made. */
typedef struct tables {
  sb_linkage *l;
  sb_arena *memory;
  sb_port_spec *ports;
  sb_signal_spec *signals;
  const char **states, **units;
  int *vectors;
  sb_quantity_spec *quantities;
  int port_count, signal_count, state_count, vector_count, quantity_count, velocity_count, offset;
} tables;

const sb_joint *sb_linkage_joint(const sb_linkage *l, int body) {
  int joint = l->bodies[body].joint;
  return joint < 0 ? sb_joint_find("free") : l->mechanism->joints[joint]->kind;
}

/** The id of what carries a body: its joint or, of a free body, itself. */
static const char *carrier_id(const sb_linkage *l, int body) {
  const sb_linkage_body *b = &l->bodies[body];
  return b->joint < 0 ? l->mechanism->bodies[b->body]->id : l->mechanism->joints[b->joint]->id;
}

static const char *name_of(const tables *t, const char *id, const char *end) {
  char name[NAME_MAX_SIZE];
  int length = snprintf(name, sizeof name, "%.200s%.40s", id, end);
  return sb_arena_copy(t->memory, name, (size_t)length);
}

static int velocities_that(const sb_joint *joint, bool turn) {
  int count = 0;
  for (const sb_joint_step *step = joint->steps; step->primitive != NULL; step++) {
    count += step->primitive->turns == turn ? step->primitive->velocities : 0;
  }
  return count;
}

static void add_port(tables *t, const char *name, int dim, const char *domain) {
  t->ports[t->port_count++] = (sb_port_spec){.name = name,
                                             .dim = dim,
                                             .domain = domain,
                                             .output = SB_FLOW,
                                             .shared = true,
                                             .optional = true};
}

/** Whether each of its velocities is the rate of a coordinate. */
static bool has_coordinate(const sb_primitive *p) {
  return p->coordinates == p->velocities;
}

static void add_joint_ports(tables *t, sb_linkage_body *b, const sb_joint *joint) {
  const char *id = b->joint < 0 ? "" : t->l->mechanism->joints[b->joint]->id;
  int count[2] = {velocities_that(joint, true), velocities_that(joint, false)}, port[2] = {-1, -1};
  bool both = count[0] > 0 && count[1] > 0;
  for (int kind = 0; kind < 2 && b->joint >= 0; kind++) {
    if (count[kind] > 0) {
      port[kind] = t->port_count;
      add_port(t,
               name_of(t, id,
                       !both       ? ""
                       : kind == 0 ? ".turn"
                                   : ".slide"),
               count[kind], kind == 0 ? "rotation" : "translation");
    }
  }
  int number[2] = {0, 0};
  for (const sb_joint_step *step = joint->steps; step->primitive != NULL; step++) {
    for (int i = 0, kind = !step->primitive->turns; i < step->primitive->velocities; i++) {
      sb_linkage_velocity *v = &t->l->velocity[t->velocity_count++];
      *v = (sb_linkage_velocity){port[kind], number[kind]++, -1};
      if (count[kind] > 1 && has_coordinate(step->primitive) && b->joint >= 0) {
        char end[32];
        (void)snprintf(end, sizeof end, kind == 0 ? ".turn%d" : ".slide%d", number[kind]);
        v->single = t->port_count;
        add_port(t, name_of(t, id, end), 1, kind == 0 ? "rotation" : "translation");
      }
    }
  }
}

static int add_signal(tables *t, const char *name, int count) {
  int offset = t->offset;
  t->signals[t->signal_count++] = (sb_signal_spec){.name = name, .count = count};
  t->offset += count;
  return offset;
}

static void add_state(tables *t, const char *name, const char *unit) {
  t->states[t->state_count] = name;
  t->units[t->state_count++] = unit;
}

/** The coordinates, or the momenta, of the joints. */
static void add_states(tables *t, bool momenta) {
  for (int k = 0; k < t->l->body_count; k++) {
    const sb_joint *joint = sb_linkage_joint(t->l, k);
    int all = momenta ? sb_joint_velocities(joint) : sb_joint_coordinates(joint), number = 0;
    for (const sb_joint_step *step = joint->steps; step->primitive != NULL; step++) {
      const sb_primitive *p = step->primitive;
      int count = momenta ? p->velocities : p->coordinates;
      t->vectors[t->vector_count++] = count;
      for (int i = 0; i < count; i++) {
        char end[16];
        (void)snprintf(end, sizeof end, all == 1 ? ".%c" : ".%c%d", momenta ? 'p' : 'q', ++number);
        add_state(t, name_of(t, carrier_id(t->l, k), end),
                  momenta ? (p->turns ? "N.m.s" : "N.s") : (p->turns ? "rad" : "m"));
      }
    }
  }
}

void sb_joint_unit(const sb_joint *joint, bool rate, int number, char unit[64]) {
  unit[0] = '\0';
  for (const sb_joint_step *step = joint->steps; step->primitive != NULL && number >= 0; step++) {
    const sb_primitive *p = step->primitive;
    const bool quaternion = !rate && p->coordinates > p->velocities;
    (void)snprintf(unit, 64, "%s",
                   rate         ? (p->turns ? "rad/s" : "m/s")
                   : quaternion ? ""
                                : (p->turns ? "rad" : "m"));
    number -= rate ? p->velocities : p->coordinates;
  }
}

/** Of the coordinates or rates of a joint: one unit, or that of each, in which 1 is none. */
static const char *joint_units(const tables *t, const sb_joint *joint, bool rate) {
  const int count = rate ? sb_joint_velocities(joint) : sb_joint_coordinates(joint);
  const bool both = velocities_that(joint, true) > 0 && velocities_that(joint, false) > 0;
  char units[64] = "";
  size_t used = 0;
  for (int i = 0; i < (both ? count : 1); i++) {
    char unit[64];
    sb_joint_unit(joint, rate, i, unit);
    used += (size_t)snprintf(units + used, sizeof units - used, "%s%s", i > 0 ? " " : "",
                             both && unit[0] == '\0' ? "1" : unit);
  }
  return sb_arena_copy(t->memory, units, used);
}

/** The rows that a part has, by its id. */
static void add_quantities(tables *t, sb_linkage_part part, int number, const char *id,
                           const sb_joint *joint) {
  const sb_quantity_spec *row = sb_linkage_quantities(part, joint);
  for (int i = 0; row[i].name != NULL; i++) {
    sb_quantity_spec own = row[i];
    char end[64];
    (void)snprintf(end, sizeof end, ".%s", row[i].name);
    own.name = id == NULL ? row[i].name : name_of(t, id, end);
    own.count = own.count == SB_OF_COORDINATES  ? sb_joint_coordinates(joint)
                : own.count == SB_OF_VELOCITIES ? sb_joint_velocities(joint)
                                                : own.count;
    own.unit = own.unit == NULL ? joint_units(t, joint, strcmp(row[i].name, "w") == 0) : own.unit;
    t->l->quantities[t->quantity_count] = (sb_linkage_quantity){part, number, i};
    t->quantities[t->quantity_count++] = own;
  }
}

static void add_all_quantities(tables *t) {
  sb_linkage *l = t->l;
  for (int k = 0; k < l->body_count; k++) {
    add_quantities(t, SB_PART_BODY, k, l->mechanism->bodies[l->bodies[k].body]->id, NULL);
    if (l->bodies[k].joint >= 0) {
      add_quantities(t, SB_PART_JOINT, k, carrier_id(l, k), sb_linkage_joint(l, k));
    }
  }
  for (int k = 0; k < l->frame_count; k++) {
    add_quantities(t, SB_PART_FRAME, k, l->mechanism->frames[l->frames[k].frame]->id, NULL);
  }
  for (int k = 0; k < l->closing_count; k++) {
    const sb_mechanism_joint *joint = l->mechanism->joints[l->closing[k]];
    add_quantities(t, SB_PART_CLOSING, k, joint->id, joint->kind);
  }
  add_quantities(t, SB_PART_TREE, 0, NULL, NULL);
}

static void add_signals(tables *t) {
  sb_linkage *l = t->l;
  for (int k = 0; k < l->body_count; k++) {
    sb_linkage_body *b = &l->bodies[k];
    const char *id = carrier_id(l, k);
    b->joint_signal = -1;
    if (b->joint >= 0 && sb_joint_velocities(sb_linkage_joint(l, k)) == 1) {
      b->joint_signal = add_signal(t, name_of(t, id, ".q"), 1);
      (void)add_signal(t, name_of(t, id, ".w"), 1);
    }
    b->pose = add_signal(t, name_of(t, l->mechanism->bodies[b->body]->id, ".pose"), 12);
  }
  for (int k = 0; k < l->frame_count; k++) {
    const char *id = l->mechanism->frames[l->frames[k].frame]->id;
    l->frames[k].pose = add_signal(t, name_of(t, id, ".pose"), 12);
  }
  for (int k = 0; k < l->signal_count; k++) {
    l->signals[k].place = add_signal(t, l->signals[k].name, 1);
  }
  l->scratch.tree = t->offset;
  l->scratch_row = &t->signals[t->signal_count];
  (void)add_signal(t, "scratch", 0);
}

static void add_ports(tables *t) {
  sb_linkage *l = t->l;
  for (int k = 0; k < l->body_count; k++) {
    sb_linkage_body *b = &l->bodies[k];
    b->port = t->port_count;
    add_port(t, l->mechanism->bodies[b->body]->id, 6, "screw");
    add_joint_ports(t, b, sb_linkage_joint(l, k));
  }
}

/** Room for all rows, each table ended by a zero one. */
static bool make_room(tables *t) {
  enum { QUANTITIES = 16 };
  sb_linkage *l = t->l;
  int bodies = l->body_count, primitives = bodies * SB_JOINT_STEPS;
  int *depth = sb_arena_zeroed(t->memory, bodies, sizeof *depth);
  for (int k = 0; k < bodies && depth != NULL; k++) {
    const int own = sb_joint_velocities(sb_linkage_joint(l, k)), parent = l->bodies[k].parent;
    l->coordinates += sb_joint_coordinates(sb_linkage_joint(l, k));
    l->velocities += own;
    depth[k] = own + (parent < 0 ? 0 : depth[parent]);
    l->depth = depth[k] > l->depth ? depth[k] : l->depth;
  }
  int states = l->coordinates + l->velocities,
      rows = QUANTITIES * (2 * bodies + l->frame_count + l->closing_count + 1);
  t->ports = sb_arena_zeroed(t->memory, 3 * bodies + l->velocities + 1, sizeof *t->ports);
  t->signals = sb_arena_zeroed(t->memory, 3 * bodies + l->frame_count + l->signal_count + 2,
                               sizeof *t->signals);
  t->states = sb_arena_zeroed(t->memory, states + 1, sizeof *t->states);
  t->units = sb_arena_zeroed(t->memory, states + 1, sizeof *t->units);
  t->vectors = sb_arena_zeroed(t->memory, 2 * primitives + 1, sizeof *t->vectors);
  t->quantities = sb_arena_zeroed(t->memory, rows + 1, sizeof *t->quantities);
  l->quantities = sb_arena_zeroed(t->memory, rows, sizeof *l->quantities);
  l->velocity = sb_arena_zeroed(t->memory, l->velocities, sizeof *l->velocity);
  return !t->memory->failed;
}

bool sb_linkage_describe(sb_linkage *l, sb_arena *memory) {
  tables t = {.l = l, .memory = memory};
  if (!sb_linkage_choose_signals(l, memory) || !make_room(&t)) {
    return false;
  }
  add_ports(&t);
  add_signals(&t);
  add_states(&t, false);
  add_states(&t, true);
  add_all_quantities(&t);
  l->type = (sb_element_type){.name = "mechanism",
                              .help = "bodies that joints connect",
                              .role = SB_STORAGE,
                              .size = sizeof(sb_linkage_data),
                              .ports = t.ports,
                              .signals = t.signals,
                              .state_names = t.states,
                              .state_units = t.units,
                              .state_vectors = t.vectors,
                              .init = sb_linkage_init,
                              .storage = l->closing_count + l->coupled_count > 0
                                             ? &sb_linkage_closed_hooks
                                             : &sb_linkage_hooks,
                              .place = &sb_linkage_place,
                              .measures = {.quantities = t.quantities,
                                           .measure = sb_linkage_measure,
                                           .sizes = sb_linkage_sizes,
                                           .signal_sizes = sb_linkage_signal_sizes,
                                           .turn = sb_linkage_turn,
                                           .carries = sb_linkage_carries,
                                           .reads = sb_linkage_carries,
                                           .describe = sb_linkage_report}};
  return !memory->failed;
}
