// SPDX-License-Identifier: GPL-3.0-or-later
// The bond graph as the user states it: elements with parameters, bonds, signal wires, by name.
// Mutable; nothing is simulated from it. sb_model_compile() makes an immutable model of it.
#ifndef SB_CORE_GRAPH_H
#define SB_CORE_GRAPH_H

#include "core/graph/element.h"

typedef struct sb_graph sb_graph;
typedef struct sb_element sb_element;

/** @return SB_ERR_MEMORY */
SB_API sb_status sb_graph_create(const char *name, sb_graph **graph, sb_error *err);
SB_API void sb_graph_destroy(sb_graph *graph);

/** Adds an element with its parameters at their defaults. The type must outlive the graph and all
 *  its models.
 *  @param type     NULL, as a search for an unknown kind gives it, is SB_ERR_REFERENCE
 *  @param element  out; may be NULL
 *  @return SB_ERR_USAGE for an id that cannot be one, SB_ERR_DUPLICATE if it is taken,
 *          SB_ERR_LIMIT, SB_ERR_MEMORY */
SB_API sb_status sb_graph_add(sb_graph *graph, const sb_element_type *type, const char *id,
                              sb_element **element, sb_error *err);
SB_API sb_element *sb_graph_find(const sb_graph *graph, const char *id); // NULL: none
/** Whether an id stands for an element or, as an alias, for a part of one. */
SB_API bool sb_graph_knows(const sb_graph *graph, const char *id);
SB_API const sb_element_type *sb_element_type_of(const sb_element *element);
SB_API const char *sb_element_id(const sb_element *element);

/** Sets a parameter from numbers in SI, or a choice or flag by its word.
 *  @return SB_ERR_ATTRIBUTE for a name that the kind does not have, SB_ERR_DIMENSION for a wrong count,
 *          SB_ERR_RANGE, SB_ERR_CHOICE */
SB_API sb_status sb_element_set(sb_element *element, const char *param, const double values[],
                                int count, sb_error *err);
SB_API sb_status sb_element_choose(sb_element *element, const char *param, const char *word,
                                   sb_error *err);
/** Sets an expression, for instance the law "2.5*f + f^3" of an R, with all numbers in SI. Faults
 *  leave err->column counting characters of `text` from 1.
 *  @return SB_ERR_ATTRIBUTE, SB_ERR_CHOICE, and the faults of sb_expression_compile() */
SB_API sb_status sb_element_express(sb_element *element, const char *param, const char *text,
                                    sb_error *err);
/** States the physical domain of a port (port < 0: of all) where the kind leaves it open. The
 *  units of port variables follow from it; a bond between two domains is refused when the model is
 *  compiled.
 *  @return SB_ERR_REFERENCE for an unknown domain */
SB_API sb_status sb_element_set_domain(sb_element *element, int port, const char *domain,
                                       sb_error *err);
/** Lets an id stand for a part of an element that has several, as a tree of bodies has joints: ID is its port or signal of
 *  that name, ID.x its quantity, signal or port variable "ID.x".
 *  @return SB_ERR_DUPLICATE, SB_ERR_MEMORY */
SB_API sb_status sb_graph_alias(sb_graph *graph, const char *id, sb_element *element,
                                sb_error *err);
/** Something that the types or data of elements point to, and that lives as long as the graph and its models. */
typedef struct sb_kept {
  void *object;
  void (*retain)(void *object); // for another graph or model; from any thread
  void (*release)(void *object);
} sb_kept;
/** Takes over one share of it, also where it fails.  @return SB_ERR_MEMORY */
SB_API sb_status sb_graph_keep(sb_graph *graph, sb_kept kept, sb_error *err);
/** The data of an element (type->size bytes), for builders of composites whose data is no plain table. */
SB_API void *sb_element_data(sb_element *element);

/** Joins two ports; power counts positive from `from` to `to`. A port is written "element" where
 *  only one fits, else "element.port".
 *  @return SB_ERR_REFERENCE, SB_ERR_PORT */
SB_API sb_status sb_graph_bond(sb_graph *graph, const char *from, const char *to, sb_error *err);
/** Connects to a signal input, "element.signal", a signal output or, to an input of one component,
 *  an effort, flow or state: "C1.e", "gear.to.f", "L1.p".
 *  @return SB_ERR_REFERENCE, SB_ERR_DIMENSION */
SB_API sb_status sb_graph_wire(sb_graph *graph, const char *from, const char *to, sb_error *err);

/** Where elements and bonds added from now on come from, for errors found later.
 *  @param file  copied; NULL: no place is known */
SB_API void sb_graph_place(sb_graph *graph, const char *file, int line, int column);

/** Where the value of a parameter comes from: the place set last. */
SB_API void sb_graph_place_param(sb_graph *graph, sb_element *element, const char *param);

/** A named sum of elements in the ledger.
 *  @param members  (count) ids; that of a composite stands for all elements inside it
 *  @return SB_ERR_REFERENCE */
SB_API sb_status sb_graph_group(sb_graph *graph, const char *id, const char *const members[],
                                int count, sb_error *err);

#endif
