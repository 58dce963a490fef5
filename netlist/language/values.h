// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers, flags and choices of the XML elements that make no element of the catalog, and their
// rows. A value without a setting keeps what the struct holds.
#ifndef SB_NETLIST_VALUES_H
#define SB_NETLIST_VALUES_H

#include "contact/contact.h"
#include "core/simulation/simulation.h"

/** A normal stiffness is in N/m^n with the exponent n of the law, so that its unit can only be
 *  checked where a material meets a law. */
typedef struct sb_material_values {
  sb_material material;
  double normal_stiffness; // [N/m^n]; in place of material.stiffness[2]
} sb_material_values;

typedef struct sb_mechanism_values {
  double gravity[3]; // [m/s^2]
} sb_mechanism_values;

/** Which pairs of <contacts> have an element: those that are near where there are many, all, or those near. */
typedef enum sb_pairs { SB_PAIRS_AUTO, SB_PAIRS_ALL, SB_PAIRS_NEAR } sb_pairs;

typedef struct sb_contacts_values {
  int pairs;     // sb_pairs
  double margin; // [m]; 0: chosen
} sb_contacts_values;

typedef struct sb_shape_values {
  sb_surface surface; // attributes and local.position
  double rotation[4]; // of the local pose, as a quaternion
  double mass;        // [kg]
  double density;     // [kg/m^3]
} sb_shape_values;

/** A mass in one point. */
typedef struct sb_mass_values {
  double m, at[3]; // [kg], [m] in the body's frame
} sb_mass_values;

typedef struct sb_run_values {
  sb_options options;
  double t_end, sample; // [s]
} sb_run_values;

typedef struct sb_audit_values {
  double residual, structure; // relative
} sb_audit_values;

typedef struct sb_expect_values {
  double rel_tol;
  int component;
} sb_expect_values;

extern const sb_param sb_material_table[], sb_mechanism_table[], sb_contacts_table[],
    sb_shape_table[], sb_mass_table[];
extern const sb_param sb_run_table[], sb_audit_table[], sb_expect_table[];

#endif
