// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of mechanisms: reading what bodies, joints and frames have beyond the rows of a kind.
#ifndef SB_NETLIST_BUILD_MECHANISMS_PRIVATE_H
#define SB_NETLIST_BUILD_MECHANISMS_PRIVATE_H

#include "mechanism/joint.h"
#include "netlist/build/build.h"

/** Adds the trees of bodies to the graph (mechanisms.c). */
void sb_build_mechanisms(const sb_build *build);
enum { SB_READING_MAX = 600 };
/** The name in the graph of what an attribute reads, whose paths may have indices (readings.c).
 *  @return false: an error, reported */
bool sb_reading_name(const sb_build *build, const sb_setting *setting, char name[SB_READING_MAX]);
/** The length of the id in "ID.QUANTITY", which may be that of a contact, "contact(A,B)". */
size_t sb_reading_owner(const char *text);
/** Whether an id will be one of these, and of what kind: NULL, not known before. */
bool sb_is_late(const sb_build *build, const char *id, const sb_element_type *kinds[3]);
/** Tells a mechanism, before it is built, what signals read of it (readings.c). */
void sb_list_readings(const sb_build *build, struct sb_mechanism *mechanism);
/** What such a signal (`reads_part`) is called in the graph, and its dimension.  @return false: it has been refused */
bool sb_name_reading(const sb_build *build, const sb_item *item, char name[SB_READING_MAX],
                     sb_dimension *dimension);
/** The <mechanism> of the netlist, else the first of a sub-model; NULL: none. */
const sb_item *sb_find_mechanism(const sb_reader *reader);
/** The joint, coupling or body of an id, else the mechanism itself. @param id  NULL: none */
const sb_item *sb_find_faulty(const sb_build *build, const char *id);
/** Attributes of joints that belong to coordinates, which joints that close loops have not; NULL ends the list (wanted.c). */
extern const char *const sb_coordinate_attributes[];
/** Tells which joints have coordinates that the netlist asks for, before the mechanism is built. */
void sb_find_wanted(const sb_build *build);
/** Fills joints, frames and couplings (joints.c). */
void sb_build_joints(const sb_build *build);
/** Whether a joint takes the attributes that it has, and has those that it needs. @return false: reported (joint_attributes.c) */
bool sb_check_joint_attributes(const sb_build *build, const sb_item *item, const sb_joint *kind);
/** Warns of what is stated of joints, and of bodies that they carry, and does not hold. */
void sb_warn_of_joints(const sb_build *build, const struct sb_mechanism *mechanism);
/** Adds the elements at the ports of joints, once the mechanism is compiled: damping, limits, locks (joint_parts.c). */
void sb_build_joint_parts(const sb_build *build, const struct sb_mechanism *mechanism);
/** Reads mass, centre of mass and inertia of a body (masses.c). @return false: an error, reported */
bool sb_read_mass(const sb_build *build, const sb_shapes *shapes, const sb_item *item,
                  struct sb_mechanism_body *body);
/** Compiles the trees, once bodies and joints are filled, to find faults at their places. */

/** Reads up to `max` numbers of one unit from an attribute.
 *  @param unit   SI, that they must have; NULL: any
 *  @param count  out: how many; 0: there is no such attribute
 *  @return false: an error, reported */
bool sb_read_list(const sb_build *build, const sb_item *item, const char *name, const char *unit,
                  int max, double values[], int *count);
/** Three numbers. @return false: an error, reported; `out` is kept where there is no attribute */
bool sb_read_vector(const sb_build *build, const sb_item *item, const char *name, const char *unit,
                    sb_vec3 *out);
/** "30 deg about 0 0 1" */
bool sb_read_turn(const sb_build *build, const sb_item *item, const char *name, sb_mat3 *out);
/** yes or no; no if there is no attribute. */
bool sb_read_flag(const sb_build *build, const sb_item *item, const char *name, bool *out);

#endif
