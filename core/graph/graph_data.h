// SPDX-License-Identifier: GPL-3.0-or-later
// The inside of a graph, for compilation.
#ifndef SB_CORE_GRAPH_PRIVATE_H
#define SB_CORE_GRAPH_PRIVATE_H

#include "core/base/arena.h"
#include "core/base/names.h"
#include "core/graph/graph.h"
#include "core/graph/neighbours.h"

typedef struct sb_place {
  const char *file; // borrowed from the graph
  int line, column;
} sb_place;

/** Where the value of a parameter is given. */
typedef struct sb_param_place {
  const char *param; // a row's name
  sb_place place;
} sb_param_place;

struct sb_element {
  const sb_element_type *type;
  char *id;
  void *self;
  int index;
  int *bonds; // (port_count) bond of each port, -1: none; for a shared port: its last bond
  const char **domains; // (port_count) stated ones, NULL: none
  const char *domain;   // of ports to come (junctions)
  int port_count;       // junctions: as many as bonds
  int port_capacity, domain_capacity;
  int wire_count; // that end at its input of any number
  bool failed;    // some of its values could not be read: further faults of it are not reported
  sb_place place;
  sb_param_place *param_places; // of those that are known
  int param_place_count, param_place_capacity;
};

typedef struct sb_bond_end {
  int element, port;
} sb_bond_end;

typedef struct sb_bond {
  sb_bond_end from, to;
  sb_place place;
} sb_bond;

typedef struct sb_wire {
  int from_element, from_signal; // the row of the signal table, -1: a quantity
  char *quantity;                // effort, flow or state, found when the model is compiled
  int to_element, to_signal;
  sb_place place;
} sb_wire;

/** An id of a part of an element. */
typedef struct sb_alias {
  const char *id;
  int element;
} sb_alias;

typedef struct sb_group {
  char *id;
  int *members; // elements
  int count;
} sb_group;

/** See neighbours.h. */
typedef struct sb_neighbours {
  const sb_neighbour_hooks *hooks;
  void *self;
  bool owned;           // self is
  int *elements, *rows; // (count) whom it monitors, and the row of the signal
  int count, width;     // of each signal
  sb_place place;       // of what they call for
} sb_neighbours;

struct sb_graph {
  char *name;
  sb_arena memory; // all but the names and what the parameters own
  sb_element **elements;
  int element_count, element_capacity;
  sb_bond *bonds;
  int bond_count, bond_capacity;
  sb_wire *wires;
  int wire_count, wire_capacity;
  sb_group *groups;
  int group_count, group_capacity;
  sb_neighbours *neighbours;
  int neighbour_count, neighbour_capacity;
  sb_kept *kept;
  int kept_count, kept_capacity;
  sb_names names;
  sb_names alias_names; // index among:
  sb_alias *aliases;
  int alias_count, alias_capacity;
  char **files;
  int file_count, file_capacity;
  sb_place place, whole; // the last that was set, and the first
};

/** sb_graph_bond() for elements that are known; a port is NULL where it has no name. */
sb_status sb_graph_join(sb_graph *graph, sb_element *from, const char *from_port, sb_element *to,
                        const char *to_port, sb_error *err);
/** SB_ERR_MEMORY if there has been too little. */
sb_status sb_graph_check_memory(const sb_graph *graph, sb_error *err);
/** The element that an id stands for, as one of it or as a part; NULL: none. @param part  out: whether it is a part */
sb_element *sb_graph_resolve(const sb_graph *graph, const char *id, size_t length, bool *part);
/** What a user calls a port: the part that it is of, as "elbow.turn", else the element. */
const char *sb_graph_port_words(const sb_graph *graph, sb_bond_end end);
/** With elements in the same order. @param own  what stands for neighbours is copied, else borrowed (monitors.c) */
sb_status sb_graph_copy(const sb_graph *graph, bool own, sb_graph **copy, sb_error *err);
void sb_neighbours_finish(sb_graph *graph);
/** A share more of each. @param memory  of the list */
bool sb_kept_copy(const sb_kept from[], int count, sb_arena *memory, sb_kept **copy);
void sb_kept_finish(const sb_kept kept[], int count);
/** Puts the place of an element or bond into an error. */
void sb_place_into(const sb_place *place, sb_error *err);
/** Puts "R 'R1': " before an error about a parameter, if there is one. @return status */
sb_status sb_element_word(const sb_element *element, sb_status status, sb_error *err);
/** The same of the parameter that the error is about, if its place is known. */
void sb_param_place_into(const sb_element *element, sb_error *err);

#endif
