// SPDX-License-Identifier: GPL-3.0-or-later
// Normal laws of a contact, one row each. With z >= 0 the depth, k the stiffness and b the damping:
//   f = k z^n + b z^p |zd|^q sign(zd)
// for the laws of powers, Azad and Featherstone (2014), eq (1); or f = dV/dz + b g(z) zd, or with a viscous force
// g(z, zd), from functions.
// Laws with a restitution e are f = k z^n (1 + a zd) with a = s(e)/v, v the speed at which the bodies touched.
#ifndef SB_CONTACT_LAW_H
#define SB_CONTACT_LAW_H

#include "contact/friction.h"
#include "contact/potential.h"
#include "contact/turning.h"
#include "core/graph/element.h"
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

/** What of the exponents of a row is a parameter of the law. */
typedef enum sb_free_exponents {
  SB_FIXED_EXPONENTS,
  SB_FREE_STIFFNESS_EXPONENT, // n
  SB_FREE_EXPONENTS           // n, p and q
} sb_free_exponents;

typedef struct sb_normal_law {
  const char *name, *help; // NULL name ends the list
  const char *passivity;   // where its dissipation is never negative
  sb_free_exponents free;
  double n, p; // where not given; p < 0: as n
  /** s = a v of f = k z^n (1 + a zd) after a touch at the speed v, for a restitution 0 < e <= 1; NULL: the
   *  damping is a parameter. */
  double (*restitution)(double e);
  bool hertz;     // k always follows from moduli and curvatures: hertz.h
  bool potential; // all loads follow from an energy: potential.h. The functions are not asked
  bool rigid;     // no spring: forces are those of constraints, rigid.h
  bool expressed; // V and the viscous force are expressions: expressed.h
  /** Of a law that is not one of powers, else NULL: the stored energy [J] at depth z, which is slightly
   *  negative in a step that runs past the end of a contact, and its derivative, the elastic force [N]. */
  double (*energy)(const sb_contact_law *law, double k, double z, const sb_branches *branches,
                   double *force);
  /** g(z), the factor of the damping: above 0 for z > 0. */
  double (*damping)(const sb_contact_law *law, double z);
  /** A viscous force [N] of any form, beside b g(z) zd: of the sign of zd, zero at rest, an even function of z. */
  double (*viscous)(const sb_contact_law *law, double z, double zd, const sb_branches *branches);
} sb_normal_law;

struct sb_contact_law {
  const sb_normal_law *normal;
  double exponent;         // n; 0: of the row
  double damping_exponent; // p; < 0: of the row
  double rate_exponent;    // q
  double stiffness;        // [N/m^n] normal stiffness of the pair; 0: from the materials
  double damping;          // [N s^q/m^(p+q)] b of the pair, added to the materials' own
  double damping_factor;   // [s/m] (linear: [s]) B = damping_factor K, added to the materials' own
  double restitution;      // e of a law that takes it; not-a-number: none
  int impact;              // sb_impact_law, of a rigid contact
  int in_turn;             // 1: impacts of rigid contacts follow each other, 0: they are at once
  bool stuck;              // a rigid contact never slips
  double least_speed;      // [m/s] the least impact speed that such a law is adapted to
  double impact_damping;   // s(e), set with the exponents
  int hertz;               // 1: k follows from moduli and curvatures, for n = 3/2
  bool clamp;              // f = max(0, elastic + viscous): never a pull
  bool recovers;           // behind a release the surface recovers by itself: recovery.h
  int tangential;          // sb_tangential
  int stiffness_at;        // sb_stiffness_at: of a stiffness that changes with the point of contact
  bool slips;              // Coulomb's friction limits the tangential and spin loads, by:
  double mu, mu_static;    // coefficients of friction: sliding; at rest, 0: as mu
  double friction_radius;  // [m] most moment about the normal by most tangential force
  double friction_damping; // [s] B = friction_damping K of what sticks, in place of damping_factor
  sb_friction friction;    // in place of the tangential and torsional springs
  sb_turning turning;      // resistance to rolling and spinning, beside any friction
  sb_potential potential;  // of a law by a potential, or by expression
  sb_expression *
      damping_force; // g(z, zd) [N] of a law by expression; lent as that of the potential; NULL: none
};

/** Whether an energy is stated, so that no stiffness enters. */
static inline bool sb_contact_law_by_energy(const sb_contact_law *law) {
  return law->normal->potential || law->normal->expressed;
}

/** Whether the loads of a contact lie at one 1-junction: that of its parts, or of its skin behind the slip. */
static inline bool sb_contact_law_one_load(const sb_contact_law *law) {
  return law->slips || law->friction.kind != SB_FRICTION_NONE || sb_turning_acts(&law->turning);
}

/** Stored energy [J] at the depth z and its derivative, the elastic force [N].
 *  @param branches  of expressions, that are held between events (sb_at); NULL: by the present arguments */
SB_API double sb_contact_law_energy(const sb_contact_law *law, double k, double z,
                                    const sb_branches *branches, double *force);
/** z^p: of the damping of the normal, and of the tangential springs that never slip. */
SB_API double sb_contact_law_damping(const sb_contact_law *law, double z);
/** |zd|^q sign(zd) [(m/s)^q] */
SB_API double sb_contact_law_rate(const sb_contact_law *law, double zd);
/** The viscous force [N] for the damping b.  @param branches  as above */
SB_API double sb_contact_law_viscous(const sb_contact_law *law, double b, double z, double zd,
                                     const sb_branches *branches);
/** The sign of elastic and viscous force together, without the root that both have at z = 0: f / z^min(n, p), or f by
 *  the sum of their sizes. The end of a contact is a simple root of it. */
SB_API double sb_contact_law_pull(const sb_contact_law *law, double k, double b, double z,
                                  double zd);
/** Whether there is normal damping besides that of the materials. */
SB_API bool sb_contact_law_damps(const sb_contact_law *law);
enum { SB_CONTACT_LAW_UNIT_SIZE = 100 };
/** The unit of "stiffness", "damping" or "damping-factor" under a law that is complete, as people write it. */
SB_API void sb_contact_law_unit(const sb_contact_law *law, const char *name, char unit[],
                                size_t size);
/** Fills in what the row gives and checks ranges.
 *  @return SB_ERR_RANGE, SB_ERR_MISSING or SB_ERR_ATTRIBUTE, worded; `about`: the parameter, or NULL */
SB_API sb_status sb_contact_law_complete(sb_contact_law *law, const char **about, sb_error *err);

/** A moment about the normal that slips needs a limit, as that of an energy of theta; of a function it is not known.
 *  @return SB_ERR_MISSING, worded */
SB_API sb_status sb_contact_law_check_radius(const sb_contact_law *law, sb_error *err);

/** B = factor K of the tangential and torsional springs [s]; of those that never slip times damping() of the law. */
static inline double sb_contact_tangential_factor(const sb_contact_law *law) {
  return law->slips ? law->friction_damping : law->damping_factor;
}

SB_API const sb_normal_law sb_normal_laws[];
SB_API const sb_normal_law *sb_normal_law_find(const char *name); // NULL: none
/** The variables of the energy of a potential: x, y, z, theta, r. */
SB_API const sb_argument sb_contact_law_arguments[];
/** Those of the viscous force of a law by expression: z, zd. */
SB_API const sb_argument sb_contact_law_motion[];
/** The parameters that a netlist may give a law, offsets into sb_contact_law. */
SB_API const sb_param sb_contact_law_params[];
/** Kelvin-Voigt, no damping, clamped. */
SB_API sb_contact_law sb_contact_law_defaults(void);

#endif
