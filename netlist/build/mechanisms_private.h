// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of mechanisms: reading what bodies, joints and frames have beyond the rows of a kind.
#ifndef SB_NETLIST_BUILD_MECHANISMS_PRIVATE_H
#define SB_NETLIST_BUILD_MECHANISMS_PRIVATE_H

#include "netlist/build/build.h"

/** Adds the trees of bodies to the graph (mechanisms.c). */
void sb_build_mechanisms(const sb_build *build);
/** Fills joints and frames, and adds the elements at their ports: damping, limits, locks (joints.c). */
void sb_build_joints(const sb_build *build);
/** Reads mass, centre of mass and inertia of a body (masses.c). @return false: an error, reported */
bool sb_read_mass(const sb_build *build, const sb_shapes *shapes, const sb_item *item,
                  struct sb_mechanism_body *body);
/** Compiles the trees, once bodies and joints are filled, to find faults at their places. */
void sb_check_mechanism(const sb_build *build);

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
