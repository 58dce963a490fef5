// SPDX-License-Identifier: GPL-3.0-or-later
// Normal laws. All are f = k d^n + B d^m ddot: Kelvin-Voigt with n = 1, m = 0, and Hunt-Crossley
// (1975) with m = n; Hertz is the latter with n = 3/2 and k from elliptic integrals. During a step that runs past the end of a contact the depth is slightly
// negative: the laws go on there as odd functions, smooth enough for the event to be located.
#include "contact/law.h"

#include <math.h>
#include <string.h>

static double power(double d, double n) {
  return n == 1 ? d : copysign(pow(fabs(d), n), d);
}

static double energy(const sb_contact_law *law, double k, double d, double *force) {
  *force = k * power(d, law->exponent);
  return *force * d / (law->exponent + 1);
}

static double damping_constant(const sb_contact_law *law, double d) {
  (void)law, (void)d;
  return 1;
}

static double damping_with_depth(const sb_contact_law *law, double d) {
  return fabs(power(d, law->exponent));
}

static double ratio_constant(const sb_contact_law *law, double k, double d) {
  double force;
  (void)energy(law, k, d, &force);
  return force;
}

static double ratio_with_depth(const sb_contact_law *law, double k, double d) {
  (void)law, (void)d;
  return k;
}

const sb_normal_law sb_normal_laws[] = {
    {"linear", "Kelvin-Voigt: f = k d + b ddot; damping-factor in s", 1, false, false, energy,
     damping_constant, ratio_constant},
    {"hunt-crossley", "f = k d^n (1 + a ddot) with a the damping-factor in s/m", 0, false, false,
     energy, damping_with_depth, ratio_with_depth},
    {"hertz",
     "hunt-crossley with n = 3/2 and k from youngs-modulus and poisson-ratio of the materials and "
     "the "
     "curvatures of both bodies where they touch",
     1.5, true, false, energy, damping_with_depth, ratio_with_depth},
    {"potential",
     "all loads are the gradient of a stored energy, an expression of x, y, z (the depth) and "
     "theta",
     1, false, true, energy, damping_constant, ratio_constant},
    {0}};

const sb_normal_law *sb_normal_law_find(const char *name) {
  for (const sb_normal_law *law = sb_normal_laws; law->name != NULL; law++) {
    if (strcmp(law->name, name) == 0) {
      return law;
    }
  }
  return NULL;
}

static const char *const tangential_words[] = {
    [SB_TANGENTIAL_MATERIAL] = "material", [SB_TANGENTIAL_MINDLIN] = "mindlin", NULL};

static const char *const stiffness_at_words[] = {
    [SB_AT_POINT] = "point", [SB_AT_TOUCH] = "touch", NULL};

const sb_argument sb_contact_law_arguments[] = {
    [SB_POTENTIAL_X] = {"x", "m", NULL}, [SB_POTENTIAL_Y] = {"y", "m", NULL},
    [SB_POTENTIAL_Z] = {"z", "m", NULL}, [SB_POTENTIAL_THETA] = {"theta", "rad", NULL},
    [SB_POTENTIAL_R] = {"r", "m", NULL}, {0}};

const sb_param sb_contact_law_params[] = {
    {.name = "exponent",
     .kind = SB_PARAM_REAL,
     .offset = offsetof(sb_contact_law, exponent),
     .range = SB_POSITIVE,
     .fallback = "1",
     .help = "n of the stored energy k d^(n+1)/(n+1); 3/2 = 1.5 for Hertz"},
    {.name = "damping-factor",
     .kind = SB_PARAM_REAL,
     .offset = offsetof(sb_contact_law, damping_factor),
     .unit = NULL,
     .range = SB_NOT_NEGATIVE,
     .fallback = "0",
     .help = "B = damping-factor K: in s/m for hunt-crossley, in s for linear"},
    {.name = "stiffness",
     .kind = SB_PARAM_REAL,
     .offset = offsetof(sb_contact_law, stiffness),
     .unit = NULL,
     .range = SB_NOT_NEGATIVE,
     .fallback = "0",
     .help = "normal stiffness of the pair in N/m^n; 0: from the two materials"},
    {.name = "clamp",
     .kind = SB_PARAM_FLAG,
     .offset = offsetof(sb_contact_law, clamp),
     .fallback = "yes",
     .help =
         "yes: the normal force never pulls, f = max(0, elastic + viscous); no: as the law says"},
    {.name = "tangential",
     .kind = SB_PARAM_CHOICE,
     .choices = tangential_words,
     .offset = offsetof(sb_contact_law, tangential),
     .fallback = "material",
     .help =
         "material: the tangential springs are those of the materials; mindlin: they follow from "
         "the moduli and the patch of contact, for the law hertz"},
    {.name = "mu",
     .kind = SB_PARAM_REAL,
     .offset = offsetof(sb_contact_law, mu),
     .range = SB_NOT_NEGATIVE,
     .fallback = "",
     .help = "coefficient of friction, of friction=\"coulomb\""},
    {.name = "mu-static",
     .kind = SB_PARAM_REAL,
     .offset = offsetof(sb_contact_law, mu_static),
     .range = SB_NOT_NEGATIVE,
     .fallback = "",
     .help = "coefficient up to which it sticks; as mu if not given"},
    {.name = "friction-radius",
     .kind = SB_PARAM_REAL,
     .offset = offsetof(sb_contact_law, friction_radius),
     .unit = "m",
     .range = SB_NOT_NEGATIVE,
     .fallback = "0",
     .help = "the patch bears a moment about the normal of at most this times mu f_n, less where "
             "it bears a "
             "tangential force too; needed where the pair has a spin stiffness"},
    {.name = "friction-damping",
     .kind = SB_PARAM_REAL,
     .offset = offsetof(sb_contact_law, friction_damping),
     .unit = "s",
     .range = SB_POSITIVE,
     .fallback = "1 ms",
     .help = "damping of the tangential and torsional springs by their stiffness, of "
             "friction=\"coulomb\""},
    {.name = "stiffness-at",
     .kind = SB_PARAM_CHOICE,
     .choices = stiffness_at_words,
     .offset = offsetof(sb_contact_law, stiffness_at),
     .fallback = "point",
     .help = "point: a stiffness that changes over the surfaces is that of the present point of "
             "contact; touch: it stays as it was where the contact began"},
    {.name = "energy",
     .kind = SB_PARAM_EXPRESSION,
     .offset = offsetof(sb_contact_law, potential.energy),
     .unit = "J",
     .fallback = "",
     .arguments = sb_contact_law_arguments,
     .help =
         "of normal=\"potential\": V of the tangential displacements x, y (or of their length r), "
         "the depth z and the turn theta about the normal"},
    {.name = "axis",
     .kind = SB_PARAM_VECTOR,
     .count = 3,
     .offset = offsetof(sb_contact_law, potential.axis),
     .fallback = "1 0 0",
     .help =
         "of normal=\"potential\": the axis of the body a along which x runs, as far as it lies in "
         "the tangent plane"},
    {0}};

sb_contact_law sb_contact_law_defaults(void) {
  return (sb_contact_law){.normal = &sb_normal_laws[0],
                          .exponent = 1,
                          .clamp = true,
                          .friction_damping = 1e-3,
                          .potential = {.axis = {1, 0, 0}}};
}
