// SPDX-License-Identifier: GPL-3.0-or-later
// A small library of materials: typical values, for laws that take their stiffness from moduli and curvatures.
#ifndef SB_CONTACT_MATERIALS_H
#define SB_CONTACT_MATERIALS_H

#include "core/base/export.h"

typedef struct sb_material_kind {
  const char *name, *help; // NULL name ends the list; the help tells the values and the source
  double youngs_modulus;   // [Pa]
  double poisson_ratio;
  double density; // [kg/m^3]
} sb_material_kind;

SB_API const sb_material_kind sb_material_kinds[];
SB_API const sb_material_kind *sb_material_kind_find(const char *name); // NULL: none

#endif
