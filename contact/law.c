// SPDX-License-Identifier: GPL-3.0-or-later
// During a step that runs past the end of a contact the depth is slightly negative: the laws go on there, forces
// as odd functions and factors of damping as even ones, but z itself as it is: a kink there would make the steps towards
// the end as short as it takes not to see it.
#include "contact/law.h"

#include <math.h>
#include <string.h>

#include "contact/impact.h"

/** |z|^n */
static double power(double z, double n) {
  z = fabs(z);
  return n == 1 ? z : n == 0 ? 1 : n == 1.5 ? z * sqrt(z) : n == 0.5 ? sqrt(z) : pow(z, n);
}

double sb_contact_law_energy(const sb_contact_law *law, double k, double z,
                             const sb_branches *branches, double *force) {
  if (law->normal->energy != NULL) {
    return law->normal->energy(law, k, z, branches, force);
  }
  *force = copysign(k * power(z, law->exponent), z);
  return *force * z / (law->exponent + 1);
}

double sb_contact_law_damping(const sb_contact_law *law, double z) {
  const double p = law->damping_exponent;
  return law->normal->damping != NULL ? law->normal->damping(law, z) : p == 1 ? z : power(z, p);
}

double sb_contact_law_rate(const sb_contact_law *law, double zd) {
  return law->rate_exponent == 1 ? zd : copysign(power(zd, law->rate_exponent), zd);
}

double sb_contact_law_viscous(const sb_contact_law *law, double b, double z, double zd,
                              const sb_branches *branches) {
  const double force = sb_contact_law_damping(law, z) * b * sb_contact_law_rate(law, zd);
  return law->normal->viscous != NULL ? force + law->normal->viscous(law, z, zd, branches) : force;
}

/** Of functions: by the sum of their sizes, at a depth that is not zero. */
static double share_of_force(const sb_contact_law *law, double k, double b, double z, double zd) {
  static const double least = 1e-30; // [m]
  const double depth = fmax(fabs(z), least);
  double elastic;
  (void)sb_contact_law_energy(law, k, depth, NULL, &elastic);
  const double viscous = sb_contact_law_viscous(law, b, depth, zd, NULL);
  const double size = fabs(elastic) + fabs(viscous);
  return size > 0 ? (elastic + viscous) / size : 1;
}

double sb_contact_law_pull(const sb_contact_law *law, double k, double b, double z, double zd) {
  const double n = law->exponent, p = law->damping_exponent;
  const double viscous = b * sb_contact_law_rate(law, zd);
  if (law->normal->energy != NULL) {
    return share_of_force(law, k, b, z, zd);
  }
  return p < n ? copysign(k * power(z, n - p), z) + viscous : k + power(z, p - n) * viscous;
}

bool sb_contact_law_damps(const sb_contact_law *law) {
  return law->damping > 0 || law->damping_factor > 0 || law->impact_damping > 0 ||
         law->normal->viscous != NULL;
}

static double expressed_energy(const sb_contact_law *law, double k, double z,
                               const sb_branches *branches, double *force) {
  (void)k;
  const double slots[SB_EXPRESSION_VARIABLES_MAX] = {[SB_POTENTIAL_Z] = fabs(z)};
  const sb_dual V = sb_expression_at(law->potential.energy, slots, NULL, branches, SB_POTENTIAL_Z);
  *force = copysign(1, z) * V.slope;
  return V.value;
}

static double expressed_viscous(const sb_contact_law *law, double z, double zd,
                                const sb_branches *branches) {
  const double slots[SB_EXPRESSION_VARIABLES_MAX] = {fabs(z), zd};
  return law->damping_force != NULL
             ? sb_expression_at(law->damping_force, slots, NULL, branches, -1).value
             : 0;
}

static double lankarani(double e) {
  return 0.75 * (1 - e * e);
}

static double flores(double e) {
  return 1.6 * (1 - e) / e;
}

enum { AS_N = -1 };

const sb_normal_law sb_normal_laws[] = {
    {.name = "linear",
     .passivity = "always",
     .help = "Kelvin-Voigt: f = k z + b zd; damping-factor in s",
     .n = 1},
    {.name = "kelvin-voigt", .passivity = "always", .help = "the same as linear", .n = 1},
    {.name = "hunt-crossley",
     .passivity = "always",
     .help = "f = k z^n + b z^n zd = k z^n (1 + a zd); damping-factor a = b/k in s/m",
     .free = SB_FREE_STIFFNESS_EXPONENT,
     .n = 1,
     .p = AS_N},
    {.name = "hertz",
     .passivity = "always",
     .help =
         "hunt-crossley with n = 3/2 and k from youngs-modulus and poisson-ratio of the materials "
         "and the curvatures of both bodies where they touch",
     .n = 1.5,
     .p = AS_N,
     .hertz = true},
    {.name = "lee-wang", .passivity = "always", .help = "f = k z^(3/2) + b z zd", .n = 1.5, .p = 1},
    {.name = "azad-featherstone",
     .passivity = "always",
     .help = "f = k z^(3/2) + b z^(1/2) zd",
     .n = 1.5,
     .p = 0.5},
    {.name = "lankarani-nikravesh",
     .passivity = "always",
     .help = "f = k z^n (1 + 3 (1 - e^2) zd/(4 v)), v the speed at the touch; right for e near 1",
     .free = SB_FREE_STIFFNESS_EXPONENT,
     .n = 1.5,
     .p = AS_N,
     .restitution = lankarani},
    {.name = "flores",
     .passivity = "always",
     .help = "f = k z^n (1 + 8 (1 - e) zd/(5 e v)), v the speed at the touch; near to any e",
     .free = SB_FREE_STIFFNESS_EXPONENT,
     .n = 1.5,
     .p = AS_N,
     .restitution = flores},
    {.name = "gonthier",
     .passivity = "always",
     .help = "f = k z^n (1 + d zd/(e v)), v the speed at the touch, with d(e) for a restitution of "
             "exactly e",
     .free = SB_FREE_STIFFNESS_EXPONENT,
     .n = 1.5,
     .p = AS_N,
     .restitution = sb_impact_damping},
    {.name = "power",
     .passivity = "always",
     .help = "f = k z^n + b z^p zd^q with exponent n, damping-exponent p and rate-exponent q",
     .free = SB_FREE_EXPONENTS,
     .n = 1.5,
     .p = AS_N},
    {.name = "rigid",
     .passivity = "always",
     .help = "no spring: the force is that of a constraint, and impacts have a restitution",
     .n = 1,
     .rigid = true},
    {.name = "potential",
     .passivity = "lossless",
     .help =
         "all loads are the gradient of a stored energy, an expression of x, y, z (the depth) and "
         "theta",
     .n = 1,
     .potential = true},
    {.name = "expression",
     .passivity = "where g zd >= 0",
     .help = "f = dV/dz + g(z, zd) with a stored energy V(z) and a damping-force g of one's own",
     .n = 1,
     .expressed = true,
     .energy = expressed_energy,
     .viscous = expressed_viscous},
    {0}};

const sb_normal_law *sb_normal_law_find(const char *name) {
  for (const sb_normal_law *law = sb_normal_laws; law->name != NULL; law++) {
    if (strcmp(law->name, name) == 0) {
      return law;
    }
  }
  return NULL;
}
