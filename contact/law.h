// SPDX-License-Identifier: GPL-3.0-or-later
// Normal laws of a contact, one row each. With d >= 0 the depth, k the stiffness:
//   f = dV/dd + damping(d) * B * ddot,   V and dV/dd from energy().
#ifndef SB_CONTACT_LAW_H
#define SB_CONTACT_LAW_H

#include "contact/potential.h"
#include "core/graph/param.h"

typedef struct sb_contact_law sb_contact_law;

/** Where a stiffness that changes over the surfaces is taken. */
typedef enum sb_stiffness_at {
  SB_AT_POINT, // the present closest points; the energy's derivative by the stiffness is part of the wrench
  SB_AT_TOUCH, // where the contact began
} sb_stiffness_at;

/** Where the tangential and torsional springs of a Hertz contact come from. */
typedef enum sb_tangential {
  SB_TANGENTIAL_MATERIAL, // stiffness and spin-stiffness of the materials
  SB_TANGENTIAL_MINDLIN,  // the moduli and the size of the patch
} sb_tangential;

typedef struct sb_normal_law {
  const char *name, *help; // NULL name ends the list
  double fixed_exponent;   // 0: the law's own parameter
  bool hertz;              // k follows from moduli and curvatures: hertz.h
  bool potential; // all loads follow from an energy: potential.h. The functions are not asked
  /** Stored energy [J] at depth d >= 0 and its derivative, the elastic force [N]. */
  double (*energy)(const sb_contact_law *law, double k, double d, double *force);
  /** Factor of the damping tensor at depth d: B(d) = factor * B; above 0 for d > 0. */
  double (*damping)(const sb_contact_law *law, double d);
  /** The elastic force by that factor [N], with its limit at d = 0: its sum with the damping force by the
   *  same factor tells where f changes its sign, also where both parts of f vanish. */
  double (*ratio)(const sb_contact_law *law, double k, double d);
} sb_normal_law;

struct sb_contact_law {
  const sb_normal_law *normal;
  double exponent;         // n of V = k d^(n+1) / (n+1)
  double damping_factor;   // [s/m] (linear: [s]) B = damping_factor K, added to the materials' own
  double stiffness;        // [N/m^n] normal stiffness of the pair; 0: from the materials
  bool clamp;              // f = max(0, elastic + viscous): never a pull
  int tangential;          // sb_tangential
  int stiffness_at;        // sb_stiffness_at: of a stiffness that changes with the point of contact
  bool slips;              // Coulomb's friction limits the tangential and spin loads, by:
  double mu, mu_static;    // coefficients of friction: sliding; at rest, 0: as mu
  double friction_radius;  // [m] most moment about the normal by most tangential force
  double friction_damping; // [s] B = friction_damping K of what sticks, in place of damping_factor
  sb_potential potential;  // of a law by a potential
};

/** B = factor K of the tangential and torsional springs [s]; of those that never slip times damping() of the law. */
static inline double sb_contact_tangential_factor(const sb_contact_law *law) {
  return law->slips ? law->friction_damping : law->damping_factor;
}

SB_API const sb_normal_law sb_normal_laws[];
SB_API const sb_normal_law *sb_normal_law_find(const char *name); // NULL: none
/** The variables of the energy of a potential: x, y, z, theta, r. */
SB_API const sb_argument sb_contact_law_arguments[];
/** The parameters that a netlist may give a law, offsets into sb_contact_law. */
SB_API const sb_param sb_contact_law_params[];
/** Linear (Kelvin-Voigt), no damping, clamped. */
SB_API sb_contact_law sb_contact_law_defaults(void);

#endif
