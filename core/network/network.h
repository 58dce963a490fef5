// SPDX-License-Identifier: GPL-3.0-or-later
// The network of a model: its elements flattened to instances, and who shares which variables.
//
// Its bond variables are *pairs* (effort, flow): one for each component of every bond, and one for each
// component of every shared port. A port's variables are those of its pair up to the sign of the
// flow. The kernel rows of the structures and the constitutive rows of linear elements are linear
// equations over
//   variables 2c, 2c + 1   effort and flow of pair c
//   then                   the states x
//   then                   the values: what hooks compute (outputs, signals) and temporaries
#ifndef SB_CORE_MODEL_PRIVATE_H
#define SB_CORE_MODEL_PRIVATE_H

#include "core/base/arena.h"
#include "core/base/names.h"
#include "core/graph/graph_data.h"
#include "core/linalg/term.h"
#include "core/network/quantity.h"

enum { SB_DIM_MAX = 64 }; // components of an element

/** An element of the compiled model. What hooks and accounts of every step read stands first, within the
 *  length of a cache line. */
typedef struct sb_instance {
  const sb_element_type *type;
  void *self;
  int *first; // (ports + 1) the port's first component; behind those that exist: how many there are
  int state;  // first state
  int out, in;        // (components each) port outputs and inputs among the values, if not linear
  int signal;         // own signal outputs among the values
  int wire;           // first signal input among model->wires
  int discrete, mode; // first discrete state; number among the modes, -1: none
  int delay;          // number among the delays, -1: none
  int input;          // first number set from outside
  bool linear;        // folded into the network's rows
  bool hooked;        // evaluated by its hooks
  // behind the first line:
  int components; // of all ports together
  int dim;        // those of its first port; 0: it has none
  int quadrature; // of its power for the ledger, counted from the first; -1: none
  int integral;   // of its kind's own, among the same; -1: none
  sb_layout layout;
  int *pairs;      // (components)
  double *signs;   // (components) +1 or -1: the port's flow over the pair's
  double *matrix;  // (d x d) K or R of a linear storage or dissipation, row-major
  double *inverse; // (d x d) of a linear storage whose K is singular: M of x = M y; NULL: it is not
  const double *factors; // (d x d) of K, and their pivots (d), of a linear storage otherwise
  const int *pivots;
  char *id;
  int shared; // its first shared port among the model's
  int signal_count, wire_count, input_count;
  int branch, branch_count; // of its expressions, that are held between events
  int timed, timed_count;   // its expressions of the time
  int part_count;           // of a composite: instances ID/... right behind it
  sb_place place;
} sb_instance;

/** An implicit junction: any number of bonds meet at a port. */
typedef struct sb_shared_port {
  int instance, port;
  int head, tail; // its bonds, linked by `next`; -1: none
} sb_shared_port;

typedef struct sb_shared_bond {
  int pair;    // first pair of the bond
  int next;    // -1: the last
  double sign; // +1: power into the bond's end counts as power into the port
} sb_shared_bond;

/** A bond as it was stated, for drawings. */
typedef struct sb_network_bond {
  int from, from_port, to, to_port; // instances and their ports; power counts towards `to`
  int pair;                         // its first
} sb_network_bond;

/** What a signal reads of an element: one number. */
typedef struct sb_sensor {
  int value;                // where it is put
  int instance;             // whose it is
  int var;                  // the effort, flow or state that is read,
  double sign;              // times this; -1: none of these, but
  sb_quantity quantity;     // what measure() of its kind tells
  unsigned long long alike; // which of its numbers have the same unit, a bit for each
} sb_sensor;

/** States that are the components of one vector. */
typedef struct sb_state_vector {
  int first, count;
} sb_state_vector;

typedef struct sb_state_vectors {
  sb_state_vector *items; // in the order of the states
  int count;
} sb_state_vectors;

/** How many states belong together from this one on: 1, or the components of the vector that begins here.
 *  @param next  in and out: 0 at the first state */
static inline int sb_state_components(const sb_state_vectors *vectors, int state, int *next) {
  bool begins = *next < vectors->count && vectors->items[*next].first == state;
  return begins ? vectors->items[(*next)++].count : 1;
}

/** Whom it monitors for neighbours, see core/graph/neighbours.h. */
typedef struct sb_monitor {
  const sb_neighbour_hooks *hooks;
  const void *self;        // borrowed from the graph
  int *instances, *values; // (count) and where the signals of each begin among the values
  int count, width;        // of each signal
} sb_monitor;

/** An expression of the time that an element states. */
typedef struct sb_timed {
  int instance;
  const sb_expression *expression; // the element's
} sb_timed;

typedef struct sb_network {
  char *name;
  sb_place place;  // of the whole
  sb_arena memory; // all but the names and what the parameters own
  sb_instance *instances;
  int instance_count;
  sb_kept *kept; // what types or data of the instances point to
  int kept_count;
  sb_names names;
  sb_names aliases; // of parts of instances, with the instance
  int pair_count;
  int state_count, quadrature_count;
  sb_state_vectors vectors;
  int *drifting; // (drifting_count) storages whose states must be projected
  int drifting_count;
  int *integrals; // (integral_count) instances that have one each, one behind the other
  int integral_count;
  int value_count; // without those that programs put behind
  int *wires;      // (wire_count) where signal inputs stand among the values
  int wire_count;
  const double **
      views; // (wire_count) what they read of what does not move, seen from another point than it counts
             // from; NULL: by their values. NULL: all do
  sb_sensor *sensors;
  int sensor_count, sensor_capacity;
  int discrete_count, mode_count, branch_count, input_count, delay_count;
  sb_timed *timed; // in the order of the instances
  int timed_count;
  sb_shared_port *shared;
  int shared_count;
  sb_shared_bond *shared_bonds;
  int shared_bond_count;
  sb_network_bond *bonds;
  int bond_count;
  sb_group *groups;
  int group_count;
  sb_monitor *monitors;
  int monitor_count;
  int monitored_count; // numbers in all signals that are monitored
  int *part_of;   // (instances) the connected part that each is in; -1: no ports, as of signals
  int part_count; // in the order of their first instances
} sb_network;

/** Length of the vector that is integrated: the states, then the ledger's quadratures. */
static inline int sb_vector_count(const sb_network *network) {
  return network->state_count + network->quadrature_count;
}

/** Which of the integrals that of an instance is, from 0. */
static inline int sb_integral_number(const sb_network *network, int instance) {
  return network->instances[instance].integral - network->instances[network->integrals[0]].integral;
}

/** First variable that is not unknown: a state; behind the states are the values. */
static inline int sb_known_base(const sb_network *network) {
  return 2 * network->pair_count;
}
static inline int sb_state_var(const sb_network *network, int state) {
  return sb_known_base(network) + state;
}
static inline int sb_value_var(const sb_network *network, int value) {
  return sb_known_base(network) + network->state_count + value;
}
/** Whether the efforts and flows at a port are about the point that places count from (origin.c). */
static inline bool sb_instance_placed(const sb_instance *instance, int port) {
  const sb_place_hooks *place = instance->type->place;
  return place != NULL && (place->placed == NULL || place->placed(instance->self, port));
}

static inline int sb_effort_var(const sb_instance *instance, int component) {
  return 2 * instance->pairs[component];
}
static inline int sb_flow_var(const sb_instance *instance, int component) {
  return 2 * instance->pairs[component] + 1;
}
/** Whether the Hessian of the energy of a storage that is not linear tells how it may depend on others. */
static inline bool sb_instance_has_hessian(const sb_instance *instance) {
  return instance->hooked && instance->type->storage != NULL &&
         instance->type->storage->constraints.hessian != NULL && instance->wire_count == 0 &&
         instance->layout.states == instance->components && instance->components <= SB_HESSIAN_MAX;
}
/** Whether a storage knows how its output changes by its inputs, though its states do not integrate these. */
static inline bool sb_instance_accelerates(const sb_instance *instance) {
  return instance->hooked && instance->type->storage != NULL &&
         instance->type->storage->constraints.acceleration != NULL && instance->wire_count == 0;
}
/** Whether a storage that is not linear may depend on others, in either way. */
static inline bool sb_instance_may_depend(const sb_instance *instance) {
  return sb_instance_has_hessian(instance) || sb_instance_accelerates(instance);
}
/** Storages of several ports have a state for each: q1, p2, ... */
static inline bool sb_instance_is_field(const sb_instance *instance) {
  return instance->type->storage != NULL && instance->type->state_names == NULL &&
         instance->layout.port_count > 1 &&
         instance->layout.states == instance->layout.port_count &&
         instance->layout.states <= SB_HESSIAN_MAX;
}
/** Whether each state has a name of its own. */
static inline bool sb_instance_names_states(const sb_instance *instance) {
  return instance->type->state_names != NULL || sb_instance_is_field(instance);
}
/** Whether a source knows the rate of its output, by those of its signals. */
static inline bool sb_instance_has_rate(const sb_instance *instance) {
  return instance->type->source != NULL && instance->type->source->rate != NULL;
}
/** Whether a dissipation has modes in which its output does not depend on its input. */
static inline bool sb_instance_may_be_flat(const sb_instance *instance) {
  return instance->mode >= 0 && instance->type->dissipation != NULL &&
         instance->type->dissipation->jumps.flat != NULL;
}
/** Whether that is so in the present modes. */
static inline bool sb_instance_is_flat(const sb_instance *instance, const int modes[]) {
  return sb_instance_may_be_flat(instance) &&
         instance->type->dissipation->jumps.flat(instance->self, modes[instance->mode]);
}
/** Whether a state of a singular storage depends on its others. */
static inline bool sb_instance_depends(const sb_instance *instance, int component) {
  return instance->inverse != NULL &&
         instance->matrix[component * instance->components + component] == 0;
}
/** Whether the states of an instance integrate the inputs of its ports: xdot = u. */
static inline bool sb_instance_integrates(const sb_instance *instance) {
  return instance->type->storage != NULL
             ? instance->linear
             : instance->type->structure != NULL && instance->layout.states > 0;
}
/** Whether a dissipation sticks in the present modes. */
static inline bool sb_instance_sticks(const sb_instance *instance, const int modes[]) {
  return instance->mode >= 0 && instance->type->dissipation != NULL &&
         instance->type->dissipation->jumps.sticks != NULL &&
         instance->type->dissipation->jumps.sticks(instance->self, modes[instance->mode]);
}
/** Whether an instance is a dissipation whose law jumps. */
static inline bool sb_instance_jumps(const sb_instance *instance) {
  const sb_dissipation_hooks *law = instance->type->dissipation;
  return instance->mode >= 0 && law != NULL && law->jumps.mode != NULL &&
         law->jumps.mode(instance->self, 0, 0) >= 0;
}
/** Whether it is a law that jumps and is beside its jump, as what slips. */
static inline bool sb_instance_slips(const sb_instance *instance, const int modes[]) {
  const sb_switching_hooks *hooks = instance->type->switching;
  return sb_instance_jumps(instance) && hooks != NULL && hooks->modes.before != NULL &&
         hooks->modes.before(instance->self, modes[instance->mode], 0);
}
/** Whether it is a law that jumps and is at rest there, as others hold it. */
static inline bool sb_instance_is_held(const sb_instance *instance, const int modes[]) {
  return sb_instance_jumps(instance) &&
         instance->type->dissipation->jumps.held(instance->self, modes[instance->mode]);
}
/** The output variable that a port has unless the network assigns another. */
static inline sb_variable sb_natural_output(const sb_instance *instance, int port) {
  sb_variable output = instance->layout.ports[port].output;
  return output == SB_INDIFFERENT ? instance->layout.preferred : output;
}
/** The input at which it jumps, of the jump that a mode is about. */
static inline double sb_instance_stick_place(const sb_instance *instance, int mode) {
  double (*place)(const void *, int) = instance->type->dissipation->jumps.place;
  return place == NULL ? 0 : place(instance->self, mode);
}
/** Whether it sticks at another input than zero: its law is then that of a source of this. */
static inline bool sb_instance_sticks_apart(const sb_instance *instance, const int modes[]) {
  return sb_instance_sticks(instance, modes) &&
         sb_instance_stick_place(instance, modes[instance->mode]) != 0;
}
/** Whether the modes of an instance change the equations of the network, and with them the program. */
static inline bool sb_instance_commutates(const sb_instance *instance) {
  return instance->mode >= 0 &&
         (!instance->hooked || instance->type->switching->unilateral != NULL ||
          (instance->type->dissipation != NULL &&
           instance->type->dissipation->jumps.sticks != NULL));
}
/** Whether the event indicator of an instance is an expression of signals: of a Switch, a Clutch, a Hysteresis. */
static inline bool sb_instance_has_condition(const sb_instance *instance) {
  return instance->type->switching != NULL && instance->type->switching->condition != NULL;
}
/** What an element is in its present mode. @return whether it is complementary */
static inline bool sb_instance_is_complementary(const sb_instance *instance, const int modes[],
                                                sb_complementary *out) {
  const sb_switching_hooks *hooks = instance->mode < 0 ? NULL : instance->type->switching;
  return hooks != NULL && hooks->modes.complementary != NULL &&
         hooks->modes.complementary(instance->self, modes[instance->mode], out);
}
/** The number of the port that a component belongs to. */
static inline int sb_port_of(const sb_instance *instance, int component) {
  int port = instance->layout.port_count - 1;
  while (instance->first[port] > component) {
    port--;
  }
  return port;
}
/** The variable that it gives at a component, by what it is assigned: what sticks apart from zero gives the other one. */
static inline sb_variable sb_instance_gives(const sb_instance *instance, int component,
                                            sb_variable assigned) {
  const sb_dissipation_hooks *law = instance->type->dissipation;
  const bool jumps =
      component == 0 && instance->mode >= 0 && law != NULL && law->jumps.place != NULL;
  return sb_output_variable(jumps ? SB_INDIFFERENT
                                  : instance->layout.ports[sb_port_of(instance, component)].output,
                            assigned);
}
/** The side of a modulated structure that a component is on. */
static inline char sb_instance_side(const sb_instance *instance, int component) {
  return instance->type->ports[instance->type->ports[0].many ? 0 : sb_port_of(instance, component)]
      .side;
}

/** The instance that has a state or a port output, both counted from the first state; -1: none
 *  (layout.c). */
int sb_owner_of(const sb_network *network, int known);

/** Instances with their ports from a graph (instances.c). */
sb_status sb_network_build(const sb_graph *graph, sb_network *network, sb_errors *errors);
/** The part of sb_network_build() about dimensions and domains of ports (dimensions.c). */
sb_status sb_dimensions_find(const sb_graph *graph, sb_network *network, sb_errors *errors);
/** Asks the hooks for the constant matrix of a linear element, once its dimension is known (instances.c). */
void sb_instance_linear(sb_arena *memory, sb_instance *instance);
/** Pairs, and the place of everything that a simulation has (layout.c). */
sb_status sb_layout_build(const sb_graph *graph, sb_network *network, sb_errors *errors);

/** Gives what is placed a point to count from that is common to what moves together, if that keeps digits (origin.c).
 *  @return SB_ERR_MEMORY, not worded */
sb_status sb_origin_choose(sb_network *network);
/** Sets of instances, as sb_parts_find(), but without the sources (extents.c): what they impose, they impose on each by itself.
 *  @param set  (instances) out: see sets.h */
void sb_movers_join(const sb_network *network, int set[]);
/** Tells contacts the extent of what moves together with their bodies (extents.c).  @return SB_ERR_MEMORY, not worded */
sb_status sb_extents_tell(sb_network *network);

/** Lists the expressions of the time. @return false: out of memory */
bool sb_timed_list(sb_network *network);
/** [s] The first kink after t of what is prescribed over the time, HUGE_VAL: none; and the longest step that misses no
 *  turn. */
double sb_network_next_break(const sb_network *network, double t);
double sb_network_horizon(const sb_network *network);
/** The connected parts, which no bonds join (parts.c).  @return SB_ERR_MEMORY, not worded */
sb_status sb_parts_find(sb_network *network);

/** Where the signals stand that the graph monitors (monitors.c).  @return SB_ERR_MEMORY, not worded */
sb_status sb_monitors_build(const sb_graph *graph, sb_network *network);
/** All that is monitored, list after list. @param out  (network->monitored_count) */
void sb_monitors_read(const sb_network *network, const double values[], double out[]);
/** The same at the start of the states.  @return SB_ERR_USAGE, SB_ERR_MEMORY */
sb_status sb_monitors_start(const sb_network *network, double out[], sb_error *err);
/** Where an output begins among the signals of an element (layout.c). @param signal  its row */
int sb_signal_offset(const sb_element_type *type, int signal);

/** Whether a sensor reads what the element's kind measures, by its hook. */
static inline bool sb_sensor_measures(const sb_sensor *sensor) {
  return sensor->var < 0;
}
/** What a signal reads of an instance by a name, "e", "force.x", "velocity(FRAME).z": one number (sense.c).
 *  @param sensor  out: all but its value
 *  @return SB_ERR_REFERENCE, SB_ERR_DIMENSION, worded */
sb_status sb_instance_sense(const sb_network *network, const sb_instance *instance,
                            const char *name, sb_sensor *sensor, sb_error *err);
/** What such a sensor tells at the values that an instance sees.
 *  @param values  of the network, with the poses of frames
 *  @param size    out: the largest of the numbers in the same unit that it is one of; may be NULL */
double sb_sensor_measure(const sb_network *network, const sb_sensor *sensor, const sb_at *at,
                         const double values[], double *size);

/** The flow that is read over that of the pair: flows are counted into a one-port (out of a source), and
 *  along the half arrow at a structure between bonds, so that f_to = n f_from of a transformer and the
 *  common flow of a junction read as they are written. */
double sb_quantity_flow_sign(const sb_instance *instance, int component);
/** As sb_model_find() and sb_model_state_name() (lookup.c). */
sb_status sb_network_find(const sb_network *network, const char *name, sb_quantity *quantity,
                          sb_error *err);
/** Of "NAME.QUANTITY(FRAME)" where "(FRAME)" begins; NULL: it names none (axes.c). */
const char *sb_quantity_axes(const char *name);
/** Lets a quantity that is found be told in the axes that its name ends with.  @return SB_ERR_REFERENCE, worded */
sb_status sb_quantity_turn(const sb_network *network, const char *name, sb_quantity *quantity,
                           sb_error *err);
const char *sb_network_state_name(const sb_network *network, int state, char name[300]);
/** SI; NULL: not known, as of signals. */
const char *sb_network_state_unit(const sb_network *network, int state);

/** What can be said of a graph that will not be compiled, as its netlist has faults: of elements by
 *  themselves and, where all `bonds` were understood, of ports (instances.c). */
void sb_graph_check(const sb_graph *graph, bool bonds, sb_errors *errors);
/** Frees what the instances own and the network's own arrays. */
void sb_network_finish(sb_network *network);

/** d := K^-1 c of a linear storage, by elimination: K is symmetric positive definite (instances.c). */
void sb_storage_solve(const sb_instance *instance, const double c[], double d[]);

enum { SB_INSTANCES_NAMED = 4, SB_INSTANCES_TEXT = 400 };
/** "'a', 'b' and 'c'", for messages; of more than SB_INSTANCES_NAMED the rest are "others" (instances.c). */
void sb_instances_name(const sb_network *network, const int instances[], int count,
                       char text[SB_INSTANCES_TEXT]);
/** Adds an error that names an instance and stands at its place. */
void sb_instance_error(const sb_instance *instance, sb_error *err, sb_errors *errors);

#endif
