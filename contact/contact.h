// SPDX-License-Identifier: GPL-3.0-or-later
// The spatial viscoelastic contact of Stramigioli and Duindam as a composite. sb_contact_add()
// expands it into the parts of their figure 1, all visible in the graph and in the ledger:
//   ID          switching, modulated Dirac structure, eqs (13)-(15): two body ports of 6
//               components, a storage and a dissipation port of 4 (x, y, z, theta in the contact frame)
//   ID/elastic  energy of the deformed bodies, springs with memory on SE(2) x T
//   ID/damper   the viscous part
// and where friction limits its loads, the flow that their springs and dampers see less:
//   ID          with one port for all loads, eqs (5)-(7) projected on the contact frame
//   ID/split    0-junction: the flow of the bodies is that of the skin and the slip
//   ID/slip     the slip, a dissipation
//   ID/skin     1-junction of ID/elastic and ID/damper
#ifndef SB_CONTACT_CONTACT_H
#define SB_CONTACT_CONTACT_H

#include "contact/law.h"
#include "core/graph/graph.h"
#include "geometry/surface.h"

/** What the three numbers of a stiffness or damping are along. */
typedef enum sb_material_axes {
  SB_AXES_CONTACT, // tangent-x, tangent-y and the normal: the first two are equal
  SB_AXES_BODY,    // x, y and z of the body: a tensor that turns with it
} sb_material_axes;

/** Stiffness and damping of one body's skin along its axes, and about the normal. Infinite stiffness:
 *  rigid. */
typedef struct sb_material {
  double stiffness[3];          // [N/m], [N/m], [N/m^n] with n the exponent of the law
  double spin_stiffness;        // [N m/rad]
  double damping[3];            // [N s/m] (times |gap|^n for a law that scales it)
  double spin_damping;          // [N m s/rad]
  double youngs_modulus;        // [Pa] for the law "hertz"; 0: not known
  double poisson_ratio;         // above -1, at most 1/2
  int axes;                     // sb_material_axes
  double stiffness_coupling[3]; // [N/m] xy, xz, yz of a stiffness in the body's axes
  double damping_coupling[3];   // [N s/m] xy, xz, yz of a damping in the body's axes
  double normal_stiffness; // [N/m^n] along the normal, whatever stiffness says; 0: as that says
} sb_material;
SB_API sb_material sb_material_rigid(void);
/** @return SB_ERR_RANGE, worded, for a number out of range, directions without axes of the body, or a tensor
 *          that is not positive definite */
SB_API sb_status sb_material_check(const sb_material *material, sb_error *err);

typedef struct sb_contact_spec {
  const char *id;        // for instance "contact(floor,grey)"
  const char *body[2];   // ids of elements with a signal "pose" and a shared 6-port
  sb_surface surface[2]; // in the frame of the body
  sb_material material[2];
  sb_contact_law law;
} sb_contact_spec;

/** @return SB_ERR_RANGE for a pair that is rigid on both sides, a material or a law out of range,
 *          SB_ERR_MISSING for a material without the modulus that the law needs,
 *          SB_ERR_REFERENCE for an unknown body, SB_ERR_DUPLICATE, SB_ERR_CONTACT for a pair of
 *          surfaces that has no closest-point method (two planes) */
SB_API sb_status sb_contact_add(sb_graph *graph, const sb_contact_spec *spec, sb_error *err);

/** What can be read of a contact, and what it has from its parts. */
extern const sb_quantity_spec sb_contact_quantities[];
extern const sb_part_quantity sb_contact_of_parts[];

/** What that checks of the pair by itself, whatever its bodies and its id. */
SB_API sb_status sb_contact_check(const sb_contact_spec *spec, sb_error *err);

#endif
