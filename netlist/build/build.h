// SPDX-License-Identifier: GPL-3.0-or-later
// From items to a graph and the options of a run: one function per section of the language. Each
// returns what it has found, for the later ones that need it.
#ifndef SB_NETLIST_BUILD_H
#define SB_NETLIST_BUILD_H

#include "contact/contact.h"
#include "netlist/reader/state.h"

/** What a section has made of an item. */
typedef struct sb_made {
  sb_element *element; // in the graph; NULL: none
  int entry;           // of a body, ground, material, law or signal: in the list of its section;
                       // of a network: its domain in sb_domains; -1: none
  int part; // of a body, joint or frame in a tree of bodies: its number there; -1: it is in none
  // what it is there; NULL: nothing
  struct sb_mechanism_body *body;
  struct sb_mechanism_joint *joint;
  struct sb_mechanism_frame *frame;
  struct sb_mechanism_coupling *coupling;
  struct sb_mechanism *mechanism; // of the item of that tag
  int ends[2];              // of a joint: the items of its bodies or grounds; 0: the world, or none
  bool reads_part, refused; // of a signal: it reads a part of a tree; that is an error, reported
  bool late;                // it reads what is made after it
} sb_made;

/** The domains of the ports of all elements. */
typedef struct sb_port_domains {
  const char **of_port; // those of the first element, then those of the next; NULL: not known
  int *first_port;      // (elements of the graph)
  bool failed;          // one could not be read: units may be unknown because of it
} sb_port_domains;

typedef struct sb_signals {
  sb_definitions definitions;
  bool circles; // they name each other in a circle with an integral
  bool again;   // they are read once more: the graph has their connections
} sb_signals;

/** What sections share. */
typedef struct sb_build {
  sb_reader *reader;
  sb_graph *graph;
  sb_made *made;                  // (items)
  const sb_port_domains *domains; // NULL: before they are built
  sb_signals *signals;            // NULL: before they are built
} sb_build;

static inline sb_made *sb_made_of(const sb_build *build, const sb_item *item) {
  return &build->made[item - build->reader->tree.items];
}

typedef struct sb_material_entry {
  int item;
  bool good;
  sb_material material;
  const sb_setting *stiffness, *normal; // the settings; NULL: none
  sb_dimension normal_dimension;        // of normal-stiffness, else of stiffness
} sb_material_entry;

typedef struct sb_law_entry {
  bool good;
  sb_contact_law law;
} sb_law_entry;

/** A body or ground: its material and where its shapes stand. */
typedef struct sb_body_entry {
  bool good;        // no error in material or shapes
  int material;     // entry; -1: none
  int first, count; // of its shapes
} sb_body_entry;

typedef struct sb_shape_entry {
  bool good;
  const sb_item *item, *body;
  sb_surface surface;
  bool weighed; // it has a mass of its own, by its density too
  double mass;  // [kg] then
} sb_shape_entry;

typedef struct sb_shapes {
  sb_body_entry *bodies; // (entries of bodies and grounds)
  sb_shape_entry *shapes;
} sb_shapes;

/** Adds the elements of networks and mechanisms, without their parameters. */
void sb_build_elements(const sb_build *build);
/** @return false: the graph has refused one; it may have propagated a domain */
bool sb_build_bonds(const sb_build *build);
/** Finds the domain of every port from attributes, fixed domains, bonds and the networks' defaults.
 *  @param joined  what sb_build_bonds() returned */
sb_port_domains sb_build_domains(const sb_build *build, bool joined);
/** Reads all signals, whatever their order. */
sb_signals sb_build_signals(const sb_build *build);
/** Sets the parameters of all elements of networks. */
void sb_build_values(const sb_build *build);

/** Materials, laws and bodies, and then the contacts between them. Lists are kept by the reader;
 *  NULL or false: out of memory, reported. */
const sb_material_entry *sb_build_materials(const sb_build *build);
sb_law_entry *sb_build_laws(const sb_build *build); // to be finished
void sb_finish_laws(const sb_build *build, sb_law_entry laws[]);
bool sb_build_shapes(const sb_build *build, const sb_material_entry materials[], sb_shapes *all);
void sb_build_bodies(const sb_build *build, const sb_shapes *shapes);
/** Joins elements between bodies, and on them, to these. */
void sb_build_between(const sb_build *build);
void sb_build_contacts(const sb_build *build, const sb_shapes *shapes,
                       const sb_material_entry materials[], const sb_law_entry laws[]);
/** Connects signals to what is made after they are read: contacts, and parts of elements. */
void sb_build_late_readings(const sb_build *build);

/** The options of a run, its outputs and its expected results. `memory` is the netlist's. */
void sb_build_run(const sb_build *build, sb_netlist *netlist, sb_arena *memory);
void sb_build_atol(const sb_build *build, const sb_setting *setting, sb_netlist *netlist,
                   sb_arena *memory);
/** Reads atol in place of what the netlist has, which an error leaves.
 *  @param scope      NULL: no parameters
 *  @param attribute  where it stands; NULL: on the command line
 *  @return as sb_value_parse(), or SB_ERR_RANGE; err->column counts characters of `text` from 1 */
sb_status sb_tolerances_read(sb_netlist *netlist, const char *text, const sb_value_scope *scope,
                             const sb_xml_attribute *attribute, sb_arena *memory, sb_error *err);
void sb_build_outputs(const sb_build *build, sb_netlist *netlist, sb_arena *memory);
void sb_build_audit(const sb_build *build, sb_options *options);
void sb_build_expects(const sb_build *build, sb_netlist *netlist, sb_arena *memory);

#endif
