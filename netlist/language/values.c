// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of the XML elements that make no element of the catalog.
#include "netlist/language/values.h"

#define SURFACE(field, kind_, ...)                                                                 \
  {                                                                                                \
    .name = #field, .kind = (kind_), .offset = offsetof(sb_material_values, material.field),       \
    __VA_ARGS__                                                                                    \
  }

static const char *const axes_words[] = {
    [SB_AXES_CONTACT] = "contact", [SB_AXES_BODY] = "body", NULL};

const sb_param sb_material_table[] = {
    SURFACE(axes, SB_PARAM_CHOICE, .choices = axes_words, .fallback = "contact",
            .help =
                "contact: stiffness and damping are along tangent-x, tangent-y, which are equal, "
                "and the normal; body: along x, y, z of the body, which they turn with"),
    SURFACE(stiffness, SB_PARAM_VECTOR, .count = 3, .unit = "N/m", .range = SB_NOT_NEGATIVE,
            .fallback = "0 0 0", .help = "along tangent-x, tangent-y and the normal"),
    SURFACE(stiffness_coupling, SB_PARAM_VECTOR, .count = 3, .unit = "N/m", .fallback = "0 0 0",
            .help = "xy, xz and yz of a stiffness in the axes of the body"),
    SURFACE(damping_coupling, SB_PARAM_VECTOR, .count = 3, .unit = "N.s/m", .fallback = "0 0 0",
            .help = "xy, xz and yz of a damping in the axes of the body"),
    SURFACE(spin_stiffness, SB_PARAM_REAL, .unit = "N.m/rad", .range = SB_NOT_NEGATIVE,
            .fallback = "0", .help = "about the normal"),
    SURFACE(damping, SB_PARAM_VECTOR, .count = 3, .unit = "N.s/m", .range = SB_NOT_NEGATIVE,
            .fallback = "0 0 0", .help = "along tangent-x, tangent-y and the normal"),
    SURFACE(spin_damping, SB_PARAM_REAL, .unit = "N.m.s/rad", .range = SB_NOT_NEGATIVE,
            .fallback = "0", .help = "about the normal"),
    SURFACE(youngs_modulus, SB_PARAM_REAL, .unit = "Pa", .range = SB_POSITIVE, .fallback = "0",
            .help = "for the law hertz"),
    SURFACE(poisson_ratio, SB_PARAM_REAL, .fallback = "0",
            .help = "for the law hertz, required with youngs-modulus: above -1, at most 0.5; if "
                    "not given none"),
    {.name = "normal_stiffness",
     .kind = SB_PARAM_REAL,
     .offset = offsetof(sb_material_values, normal_stiffness),
     .unit = "@",
     .range = SB_POSITIVE,
     .fallback = "0",
     .help = "in place of the third stiffness, in N/m^n with the exponent n of the law"},
    {0}};

const sb_param sb_mechanism_table[] = {SB_PARAM_OF(sb_mechanism_values, gravity, SB_PARAM_VECTOR,
                                                   .count = 3, .unit = "m/s^2", .fallback = "0 0 0",
                                                   .help = "acceleration of free fall"),
                                       {0}};

static const char *const pairs_words[] = {
    [SB_PAIRS_AUTO] = "auto", [SB_PAIRS_ALL] = "all", [SB_PAIRS_NEAR] = "near", NULL};

const sb_param sb_contacts_table[] = {
    SB_PARAM_OF(sb_contacts_values, pairs, SB_PARAM_CHOICE, .choices = pairs_words,
                .fallback = "auto",
                .help = "near: a pair has a contact only while its bodies are near; all: always; "
                        "auto: near if there are more than 100 pairs"),
    SB_PARAM_OF(sb_contacts_values, margin, SB_PARAM_REAL, .unit = "m", .range = SB_NOT_NEGATIVE,
                .fallback = "0",
                .help = "the gap below which bodies are near; 0: 0.3 mean radii, of the balls that "
                        "hold the shapes"),
    {0}};

/** Which kind of shape takes which of these rows is told by its sb_surface_type. */
#define SHAPE(field, kind_, ...)                                                                   \
  {                                                                                                \
    .name = #field, .kind = (kind_), .offset = offsetof(sb_shape_values, surface.field),           \
    __VA_ARGS__                                                                                    \
  }
#define LENGTH(field, help_)                                                                       \
  SHAPE(field, SB_PARAM_REAL, .unit = "m", .range = SB_POSITIVE, .help = (help_))

const sb_param sb_shape_table[] = {
    SHAPE(semi_axes, SB_PARAM_VECTOR, .count = 3, .unit = "m", .range = SB_POSITIVE,
          .help = "of an ellipsoid, along its own axes"),
    SHAPE(size, SB_PARAM_VECTOR, .count = 3, .unit = "m", .range = SB_POSITIVE,
          .help = "of a box, its rounded edges included"),
    SHAPE(exponent, SB_PARAM_REAL, .range = SB_POSITIVE,
          .help = "of a superellipsoid: 2 for an ellipsoid, more for rounder boxes"),
    LENGTH(radius, "of a sphere or cylinder; of a ring, to the middle of its tube"),
    LENGTH(tube_radius, "of the tube that a torus is made of"),
    LENGTH(length, "along the z axis, rounded ends included"),
    SHAPE(edge_radius, SB_PARAM_REAL, .unit = "m", .range = SB_NOT_NEGATIVE, .fallback = "0",
          .help = "of rounded edges and rims; 0: sharp ones, of a solid that has no contact"),
    SHAPE(normal, SB_PARAM_VECTOR, .count = 3, .range = SB_DIRECTION,
          .help = "of a plane, outwards, need not be of length one"),
    SHAPE(offset, SB_PARAM_REAL, .unit = "m", .fallback = "0",
          .help = "of a plane, along its normal"),
    {.name = "at",
     .kind = SB_PARAM_VECTOR,
     .count = 3,
     .offset = offsetof(sb_shape_values, surface.local.position),
     .unit = "m",
     .fallback = "0 0 0",
     .help = "centre of the shape in the frame of its body"},
    SB_PARAM_OF(sb_shape_values, rotation, SB_PARAM_VECTOR, .count = 4, .fallback = "1 0 0 0",
                .help = "of the shape in its body: an angle, 'about', an axis"),
    SB_PARAM_OF(sb_shape_values, mass, SB_PARAM_REAL, .unit = "kg", .range = SB_NOT_NEGATIVE,
                .fallback = "",
                .help =
                    "of the uniform solid; 0: it has none, and is for contacts; if not given its "
                    "share of the body's"),
    SB_PARAM_OF(sb_shape_values, density, SB_PARAM_REAL, .unit = "kg/m^3", .range = SB_POSITIVE,
                .fallback = "0", .help = "of the uniform solid, in place of its mass"),
    {0}};

const sb_param sb_mass_table[] = {SB_PARAM_OF(sb_mass_values, m, SB_PARAM_REAL, .unit = "kg",
                                              .range = SB_POSITIVE, .help = "mass of a point"),
                                  SB_PARAM_OF(sb_mass_values, at, SB_PARAM_VECTOR, .count = 3,
                                              .unit = "m", .fallback = "0 0 0",
                                              .help = "its place in the frame of the body"),
                                  {0}};

#define OPTION(name_, field, ...)                                                                  \
  { .name = name_, .kind = SB_PARAM_REAL, .offset = offsetof(sb_run_values, field), __VA_ARGS__ }

static const char *const inconsistent_words[] = {
    [SB_INCONSISTENT_JUMP] = "jump", [SB_INCONSISTENT_REFUSE] = "refuse", NULL};

const sb_param sb_run_table[] = {
    OPTION("t_end", t_end, .unit = "s", .help = "end of the run"),
    OPTION("t_start", options.t_start, .unit = "s", .fallback = "0", .help = "its start"),
    OPTION("rtol", options.rtol, .range = SB_POSITIVE, .fallback = "1e-8",
           .help = "relative tolerance of a step"),
    OPTION("step", options.step, .unit = "s", .range = SB_POSITIVE, .fallback = "0",
           .help = "fixed step"),
    OPTION("max_step", options.max_step, .unit = "s", .range = SB_POSITIVE, .fallback = "0",
           .help = "largest step"),
    {.name = "max_steps",
     .kind = SB_PARAM_INT,
     .range = SB_POSITIVE,
     .fallback = "100000000",
     .offset = offsetof(sb_run_values, options.max_steps),
     .help = "most steps of a run"},
    {.name = "inconsistent",
     .kind = SB_PARAM_CHOICE,
     .choices = inconsistent_words,
     .fallback = "jump",
     .offset = offsetof(sb_run_values, options.inconsistent),
     .help = "inconsistent initial values: a jump recorded in the ledger makes them consistent, or "
             "an error"},
    OPTION("sample", sample, .unit = "s", .range = SB_POSITIVE, .fallback = "0",
           .help = "time between rows of the results; every step if there is none"),
    {0}};

const sb_param sb_audit_table[] = {
    SB_PARAM_OF(sb_audit_values, residual, SB_PARAM_REAL, .range = SB_POSITIVE, .fallback = "0",
                .help = "largest energy-balance error of a connected part, relative to its energy; "
                        "if not given 100 rtol, no more than 1e-3, and 1e-8 for fixed steps"),
    SB_PARAM_OF(sb_audit_values, structure, SB_PARAM_REAL, .range = SB_POSITIVE,
                .fallback = "1e-12", .help = "largest relative residual of structures and laws"),
    {0}};

const sb_param sb_expect_table[] = {
    SB_PARAM_OF(sb_expect_values, rel_tol, SB_PARAM_REAL, .range = SB_NOT_NEGATIVE, .fallback = "0",
                .help = "tolerance as a fraction of the value"),
    SB_PARAM_OF(sb_expect_values, component, SB_PARAM_INT, .range = SB_NOT_NEGATIVE,
                .fallback = "0", .help = "of a quantity with several, from 0"),
    {0}};
