// SPDX-License-Identifier: GPL-3.0-or-later
// The inside of a compiled model.
//
// The network is a set of *cells*: one pair (effort, flow) per component of every bond, and one per
// component of every shared port. A port's variables are those of its cell up to the sign of the
// flow. The kernel rows of the structures and the constitutive rows of linear elements are linear
// equations over
//   variables 2c, 2c + 1   effort and flow of cell c
//   then                   the states x
//   then                   the values: what hooks give (outputs, signals) and temporaries
#ifndef SB_CORE_MODEL_PRIVATE_H
#define SB_CORE_MODEL_PRIVATE_H

#include "core/graph_private.h"
#include "core/model.h"

typedef struct sb_term {
  int var;
  double factor;
} sb_term;

/** An element of the compiled model. */
typedef struct sb_part {
  const sb_element_type *type;
  char *id;
  void *self;
  sb_layout layout;
  int components;  // of all ports together
  int *cells;      // (components)
  double *signs;   // (components) +1 or -1: the port's flow over the cell's
  int *first;      // (port_count) the port's first component
  int shared;      // its first shared port among the model's
  bool linear;     // folded into the network's rows
  bool hooked;     // evaluated by its hooks
  double *matrix;  // (d x d) K or R of a linear storage or dissipation, row-major
  double *inverse; // (d x d) of a linear storage whose K is singular: M of x = M y; NULL: it is not
  int state;       // first state
  int out, in;     // (components each) port outputs and inputs among the values, if not linear
  int signal;      // own signal outputs among the values
  int signal_count;
  int wire; // first signal input among model->wires
  int wire_count;
  int memo, mode;         // first memo; number among the modes, -1: none
  int input, input_count; // numbers set from outside
  int integral;           // its integral in the ledger, counted from the first; -1: none
  sb_place place;
} sb_part;

/** An implicit junction: any number of bonds meet at a port. */
typedef struct sb_shared_port {
  int part, port;
  int head, tail; // its bonds, linked by `next`; -1: none
} sb_shared_port;

typedef struct sb_shared_bond {
  int cell;    // first cell of the bond
  int next;    // -1: the last
  double sign; // +1: power into the bond's end counts as power into the port
} sb_shared_bond;

/** A bond as it was stated, for drawings. */
typedef struct sb_model_bond {
  int from, from_port, to, to_port; // parts and their ports; power counts towards `to`
  int cell;                         // its first
} sb_model_bond;

/** An effort, flow or state that a signal reads. */
typedef struct sb_sensor {
  int value;   // where it is put
  int var;     // what is read,
  double sign; // times this
  int part;    // whose it is
} sb_sensor;

struct sb_model {
  char *name;
  char *file;      // of the places, NULL: none
  sb_arena memory; // of the parts
  sb_part *parts;
  int part_count;
  sb_names names;
  int cell_count;
  int state_count, integral_count;
  int value_count; // fixed part; programs put their own values behind
  int *wires;      // (wire_count) where signal inputs stand among the values
  int wire_count;
  sb_sensor *sensors;
  int sensor_count, sensor_capacity;
  int memo_count, mode_count, input_count;
  sb_shared_port *shared;
  int shared_count;
  sb_shared_bond *shared_bonds;
  int shared_bond_count;
  sb_model_bond *bonds;
  int bond_count;
  sb_group *groups;
  int group_count;
  struct sb_program *program; // for the initial modes
  int *start_modes;           // (mode_count)
};

/** First variable that is not unknown: the states follow, then the values. */
static inline int sb_known_base(const sb_model *model) {
  return 2 * model->cell_count;
}
static inline int sb_state_var(const sb_model *model, int state) {
  return sb_known_base(model) + state;
}
static inline int sb_value_var(const sb_model *model, int value) {
  return sb_known_base(model) + model->state_count + value;
}
static inline int sb_effort_var(const sb_part *part, int component) {
  return 2 * part->cells[component];
}
static inline int sb_flow_var(const sb_part *part, int component) {
  return 2 * part->cells[component] + 1;
}
/** Whether a storage that is not linear may be tied to others. */
static inline bool sb_part_has_stiffness(const sb_part *part) {
  return part->hooked && part->type->storage != NULL && part->type->storage->stiffness != NULL &&
         part->wire_count == 0 && part->layout.states == part->components &&
         part->components <= SB_STIFFNESS_MAX;
}
/** Storages of several ports have a state for each: q1, p2, ... */
static inline bool sb_part_is_field(const sb_part *part) {
  return part->type->role == SB_STORAGE && part->type->state_names == NULL &&
         part->layout.port_count > 1 && part->layout.states == part->layout.port_count &&
         part->layout.states <= SB_STIFFNESS_MAX;
}
/** Whether each state has a name of its own. */
static inline bool sb_part_names_states(const sb_part *part) {
  return part->type->state_names != NULL || sb_part_is_field(part);
}
/** What a tie has of a state: the state itself, or the output that hooks give. Counted as by
 *  sb_owner_of(). */
static inline int sb_known_of(const sb_model *model, const sb_part *part, int state) {
  return part->hooked ? model->state_count + part->out + state - part->state : state;
}
/** Whether a source knows the rate of what it gives, by those of its signals. */
static inline bool sb_part_has_rate(const sb_part *part) {
  return part->type->source != NULL && part->type->source->rate != NULL;
}
/** Whether a state of a singular storage follows from its others. */
static inline bool sb_part_follows(const sb_part *part, int component) {
  return part->inverse != NULL && part->matrix[component * part->components + component] == 0;
}
/** Whether the states of a part are what the network gives to its ports: xdot = u. */
static inline bool sb_part_integrates(const sb_part *part) {
  return part->type->role == SB_STORAGE
             ? part->linear
             : part->type->role == SB_STRUCTURE && part->layout.states > 0;
}
/** The number of the port that a component belongs to. */
static inline int sb_port_of(const sb_part *part, int component) {
  int port = part->layout.port_count - 1;
  while (part->first[port] > component) {
    port--;
  }
  return port;
}
/** The side of a modulated structure that a component is on. */
static inline char sb_part_side(const sb_part *part, int component) {
  return part->type->ports[part->type->ports[0].many ? 0 : sb_port_of(part, component)].side;
}

/** The part that has a state or gives a value, both counted from the first state; -1: none
 *  (layout.c). */
int sb_owner_of(const sb_model *model, int known);

/** Parts with their ports from a graph (network.c). */
sb_status sb_network_build(const sb_graph *graph, sb_model *model, sb_errors *errors);
/** Cells, and the place of everything that a simulation keeps (layout.c). */
sb_status sb_layout_build(const sb_graph *graph, sb_model *model, sb_errors *errors);

/** The effort, flow or state of one component that a part knows by a name (quantity.c).
 *  @param var  out: the variable, and the factor before it
 *  @return SB_ERR_REFERENCE, SB_ERR_DIMENSION, worded */
sb_status sb_part_sense(const sb_model *model, const sb_part *part, const char *name, int *var,
                        double *sign, sb_error *err);

/** Adds an error that names a part and stands at its place. */
void sb_part_error(const sb_part *part, sb_error *err, sb_errors *errors);

#endif
