// SPDX-License-Identifier: GPL-3.0-or-later
// Rounded, as alloys, mixtures and the direction of a grain change them by 5 per cent, in cork and rubber by half.
#include "contact/materials.h"

#include <stddef.h>
#include <string.h>

#define ROW(name_, E, E_text, nu, rho, source)                                                     \
  {                                                                                                \
    .name = (name_), .youngs_modulus = (E), .poisson_ratio = (nu), .density = (rho),               \
    .help = "E = " E_text ", nu = " #nu ", " #rho " kg/m^3; " source                               \
  }
#define GERE "Gere, Mechanics of Materials, 5th ed., tables H"

const sb_material_kind sb_material_kinds[] = {
    ROW("steel", 200e9, "200 GPa", 0.3, 7850, GERE),
    ROW("cast-iron", 110e9, "110 GPa", 0.26, 7200, "grey iron; " GERE),
    ROW("brass", 105e9, "105 GPa", 0.34, 8500, GERE),
    ROW("aluminium", 70e9, "70 GPa", 0.33, 2700, GERE),
    ROW("lead", 16e9, "16 GPa", 0.44, 11340, "Kaye and Laby, Tables, 2.2.2"),
    ROW("glass", 70e9, "70 GPa", 0.22, 2500, GERE),
    ROW("rubber", 2e6, "2 MPa", 0.48, 1000, "soft, vulcanised; " GERE),
    ROW("cork", 20e6, "20 MPa", 0.0, 160,
        "radial; Gibson, Easterling and Ashby (1981), Proc. R. Soc. A 377"),
    {0}};

const sb_material_kind *sb_material_kind_find(const char *name) {
  for (const sb_material_kind *kind = sb_material_kinds; kind->name != NULL; kind++) {
    if (strcmp(kind->name, name) == 0) {
      return kind;
    }
  }
  return NULL;
}
