// SPDX-License-Identifier: GPL-3.0-or-later
// The parameters of a contact law.
#include <math.h>
#include <stddef.h>

#include "contact/law.h"

static const char *const tangential_words[] = {
    [SB_TANGENTIAL_MATERIAL] = "material", [SB_TANGENTIAL_MINDLIN] = "mindlin", NULL};

static const char *const stiffness_from_words[] = {"material", "curvature", NULL};

static const char *const stiffness_at_words[] = {
    [SB_AT_POINT] = "point", [SB_AT_TOUCH] = "touch", NULL};

static const char *const impact_words[] = {[SB_IMPACT_NEWTON] = "newton",
                                           [SB_IMPACT_POISSON] = "poisson",
                                           [SB_IMPACT_STRONGE] = "stronge",
                                           NULL};

static const char *const order_words[] = {"simultaneous", "sequential", NULL};

const sb_argument sb_contact_law_arguments[] = {
    [SB_POTENTIAL_X] = {"x", "m", NULL}, [SB_POTENTIAL_Y] = {"y", "m", NULL},
    [SB_POTENTIAL_Z] = {"z", "m", NULL}, [SB_POTENTIAL_THETA] = {"theta", "rad", NULL},
    [SB_POTENTIAL_R] = {"r", "m", NULL}, {0}};

const sb_argument sb_contact_law_motion[] = {{"z", "m", NULL}, {"zd", "m/s", NULL}, {0}};

const sb_param sb_contact_law_params[] = {
    {.name = "exponent",
     .kind = SB_PARAM_REAL,
     .offset = offsetof(sb_contact_law, exponent),
     .range = SB_POSITIVE,
     .fallback = "",
     .help =
         "n of the stored energy k z^(n+1)/(n+1), where the law leaves it open; if not given 1 of "
         "hunt-crossley, else 3/2"},
    {.name = "damping-exponent",
     .kind = SB_PARAM_REAL,
     .offset = offsetof(sb_contact_law, damping_exponent),
     .range = SB_NOT_NEGATIVE,
     .fallback = "",
     .help = "p of the damping b z^p zd^q of the law power; if not given n"},
    {.name = "rate-exponent",
     .kind = SB_PARAM_REAL,
     .offset = offsetof(sb_contact_law, rate_exponent),
     .range = SB_POSITIVE,
     .fallback = "",
     .help = "q of the damping b z^p zd^q of the law power; if not given 1"},
    {.name = "damping",
     .kind = SB_PARAM_REAL,
     .offset = offsetof(sb_contact_law, damping),
     .unit = NULL,
     .fallback = "",
     .help = "b of the pair in N.s^q/m^(p+q), added to the materials' own"},
    {.name = "restitution",
     .kind = SB_PARAM_REAL,
     .offset = offsetof(sb_contact_law, restitution),
     .fallback = "",
     .help = "e of lankarani-nikravesh, flores and gonthier: above 0, at most 1; of rigid: 0 to 1, "
             "0 if not given"},
    {.name = "impact",
     .kind = SB_PARAM_CHOICE,
     .choices = impact_words,
     .offset = offsetof(sb_contact_law, impact),
     .fallback = "newton",
     .help = "what the restitution of rigid is a ratio of: speeds (newton), impulses (poisson), or "
             "its square of works (stronge)"},
    {.name = "impacts",
     .kind = SB_PARAM_CHOICE,
     .choices = order_words,
     .offset = offsetof(sb_contact_law, in_turn),
     .fallback = "simultaneous",
     .help = "of rigid: impacts of several contacts at one instant are simultaneous, or follow "
             "each other (sequential)"},
    {.name = "least-speed",
     .kind = SB_PARAM_REAL,
     .offset = offsetof(sb_contact_law, least_speed),
     .unit = "m/s",
     .range = SB_POSITIVE,
     .fallback = "",
     .help = "a law with a restitution is adapted to the speed of the touch, and at least to this; "
             "if not given 10 um/s"},
    {.name = "damping-factor",
     .kind = SB_PARAM_REAL,
     .offset = offsetof(sb_contact_law, damping_factor),
     .unit = NULL,
     .fallback = "0",
     .help = "B = damping-factor K: in s/m for hunt-crossley, in s for linear"},
    {.name = "stiffness",
     .kind = SB_PARAM_REAL,
     .offset = offsetof(sb_contact_law, stiffness),
     .unit = NULL,
     .fallback = "0",
     .help = "normal stiffness of the pair in N/m^n; 0: from the two materials"},
    {.name = "stiffness-from",
     .kind = SB_PARAM_CHOICE,
     .choices = stiffness_from_words,
     .offset = offsetof(sb_contact_law, hertz),
     .fallback = "material",
     .help = "curvature: k follows from youngs-modulus and poisson-ratio of the materials and the "
             "curvatures "
             "where the bodies touch, by Hertz, as always with the law hertz"},
    {.name = "clamp",
     .kind = SB_PARAM_FLAG,
     .offset = offsetof(sb_contact_law, clamp),
     .fallback = "yes",
     .help =
         "yes: the normal force never pulls, f = max(0, elastic + viscous); no: as the law says"},
    {.name = "recovery",
     .kind = SB_PARAM_FLAG,
     .offset = offsetof(sb_contact_law, recovers),
     .fallback = "no",
     .help = "yes: where the force has come to zero the bodies part, and the surface recovers by "
             "its own spring and "
             "damper; they touch again where they meet it. no: the surface follows the body"},
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
     .help = "coefficient up to which it sticks; as mu or mu-kinetic if not given"},
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
    {.name = "mu-kinetic",
     .kind = SB_PARAM_REAL,
     .offset = offsetof(sb_contact_law, friction.mu_kinetic),
     .fallback = "",
     .help = "coefficient of friction while it slides, of friction by stribeck and bristle-dwell"},
    {.name = "sigma0",
     .kind = SB_PARAM_REAL,
     .offset = offsetof(sb_contact_law, friction.sigma0),
     .unit = "N/m",
     .fallback = "",
     .help = "stiffness of the bristles, of bristle-dwell"},
    {.name = "sigma1",
     .kind = SB_PARAM_REAL,
     .offset = offsetof(sb_contact_law, friction.sigma1),
     .unit = "N.s/m",
     .fallback = "",
     .help = "damping of the bristles, of bristle-dwell"},
    {.name = "sigma2",
     .kind = SB_PARAM_REAL,
     .offset = offsetof(sb_contact_law, friction.sigma2),
     .unit = "N.s/m",
     .fallback = "",
     .help = "viscous part, of a friction law of its own"},
    {.name = "v-stribeck",
     .kind = SB_PARAM_REAL,
     .offset = offsetof(sb_contact_law, friction.v_stribeck),
     .unit = "m/s",
     .fallback = "",
     .help = "speed at which the static peak is over, of stribeck and bristle-dwell, and of "
             "coulomb, where the peak ends with the sticking "
             "if it is not given"},
    {.name = "tau-dwell",
     .kind = SB_PARAM_REAL,
     .offset = offsetof(sb_contact_law, friction.tau_dwell),
     .unit = "s",
     .fallback = "",
     .help = "time in which what sticks gains its strength, of bristle-dwell"},
    {.name = "dwell-at-touch",
     .kind = SB_PARAM_REAL,
     .offset = offsetof(sb_contact_law, friction.dwell_at_touch),
     .fallback = "",
     .help =
         "share of that strength where a contact begins, 0 to 1, of bristle-dwell; if not given 0"},
    {.name = "as-printed",
     .kind = SB_PARAM_FLAG,
     .offset = offsetof(sb_contact_law, friction.as_printed),
     .fallback = "no",
     .help = "of bristle-dwell: no: the bristles take up at most the power that the surfaces give; "
             "yes: as the paper's "
             "equation says, which gives power where kappa is below 1/2"},
    {.name = "rolling-friction",
     .kind = SB_PARAM_REAL,
     .offset = offsetof(sb_contact_law, turning.rolling_friction),
     .unit = "m",
     .fallback = "",
     .help = "the moment against rolling is this times the normal force"},
    {.name = "rolling-viscous",
     .kind = SB_PARAM_REAL,
     .offset = offsetof(sb_contact_law, turning.rolling_viscous),
     .unit = "N.m.s/rad",
     .fallback = "",
     .help = "and this times the rate of rolling"},
    {.name = "spin-friction",
     .kind = SB_PARAM_REAL,
     .offset = offsetof(sb_contact_law, turning.spin_friction),
     .unit = "m",
     .fallback = "",
     .help = "the moment against spinning about the normal is this times the normal force"},
    {.name = "spin-viscous",
     .kind = SB_PARAM_REAL,
     .offset = offsetof(sb_contact_law, turning.spin_viscous),
     .unit = "N.m.s/rad",
     .fallback = "",
     .help = "and this times the rate of spinning"},
    {.name = "turning-speed",
     .kind = SB_PARAM_REAL,
     .offset = offsetof(sb_contact_law, turning.speed),
     .unit = "rad/s",
     .fallback = "",
     .help = "rolling-friction and spin-friction fall to zero below this rate; if not given 0.01 "
             "rad/s"},
    {.name = "turning-stiffness",
     .kind = SB_PARAM_REAL,
     .offset = offsetof(sb_contact_law, turning.stiffness),
     .unit = "N.m/rad",
     .range = SB_POSITIVE,
     .fallback = "",
     .help = "of springs by which rolling-friction and spin-friction hold what rests, without "
             "creep, in place of turning-speed"},
    {.name = "turning-damping",
     .kind = SB_PARAM_REAL,
     .offset = offsetof(sb_contact_law, turning.damping),
     .unit = "s",
     .range = SB_POSITIVE,
     .fallback = "",
     .help = "damping of these springs by their stiffness; if not given 10 ms"},
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
         "the depth z and the turn theta about the normal; of normal=\"expression\": V(z)"},
    {.name = "damping-force",
     .kind = SB_PARAM_EXPRESSION,
     .offset = offsetof(sb_contact_law, damping_force),
     .unit = "N",
     .fallback = "",
     .arguments = sb_contact_law_motion,
     .help = "of normal=\"expression\": the viscous force, of the depth z and its rate zd, above 0 "
             "while the bodies approach and zero at rest; if not given there is none"},
    {.name = "axis",
     .kind = SB_PARAM_VECTOR,
     .count = 3,
     .offset = offsetof(sb_contact_law, potential.axis),
     .range = SB_DIRECTION,
     .fallback = "1 0 0",
     .help =
         "of normal=\"potential\": the axis of the body a along which x runs, as far as it lies in "
         "the tangent plane"},
    {0}};

sb_contact_law sb_contact_law_defaults(void) {
  return (sb_contact_law){.normal = &sb_normal_laws[0],
                          .damping_exponent = -1,
                          .rate_exponent = 1,
                          .restitution = NAN,
                          .least_speed = 1e-5,
                          .clamp = true,
                          .friction_damping = 1e-3,
                          .turning = {.speed = 0.01, .damping = 0.01},
                          .potential = {.axis = {1, 0, 0}}};
}
