// SPDX-License-Identifier: GPL-3.0-or-later
// The netlist language as a table: every XML element, its parents and its attributes.
#include <stddef.h>

#include "contact/contact.h"
#include "contact/rigid.h"
#include "mechanism/mechanism.h"
#include "netlist/language/schema.h"
#include "netlist/language/values.h"

#define ID                                                                                         \
  { "id", SB_ATTRIBUTE_ID, true, "name, unique in the file" }
#define ID_OPTIONAL(help)                                                                          \
  { "id", SB_ATTRIBUTE_ID, false, help }
#define CLASS                                                                                      \
  { "class", SB_ATTRIBUTE_NAME, false, "class of <defaults> to take values from" }
#define DOC                                                                                        \
  { "doc", SB_ATTRIBUTE_TEXT, false, "for people" }
#define REQUIRED(name, kind, help)                                                                 \
  { name, SB_ATTRIBUTE_##kind, true, help }
#define OPTIONAL(name, kind, help)                                                                 \
  { name, SB_ATTRIBUTE_##kind, false, help }

static const sb_attribute root[] = {REQUIRED("version", WORD, "of the language: 1"),
                                    REQUIRED("id", TEXT, "name of the model"),
                                    DOC,
                                    {0}};
static const sb_attribute param[] = {
    ID,
    REQUIRED("value", VALUE, "number with unit, or an expression of other parameters"),
    OPTIONAL("unit", VALUE,
             "unit of the bare numbers of value, min and max; checked where they have one"),
    OPTIONAL("min", VALUE, "least value allowed"),
    OPTIONAL("max", VALUE, "largest value allowed"),
    DOC,
    {0}};
static const sb_attribute none[] = {DOC, {0}};
static const sb_attribute material[] = {
    ID, CLASS, OPTIONAL("kind", WORD, "of the library: screwbond list materials"), DOC, {0}};
static const sb_attribute law[] = {
    ID,
    CLASS,
    REQUIRED("normal", WORD, "normal law"),
    OPTIONAL(
        "friction", WORD,
        "none, coulomb, or a law of its own: viscous, stribeck, bristle-dwell; of rigid contacts "
        "none, coulomb, stuck"),
    DOC,
    {0}};
static const sb_attribute import[] = {
    REQUIRED("href", TEXT, "file of a sub-model, relative to the folder of this file"), DOC, {0}};
static const sb_attribute submodel[] = {
    REQUIRED("id", ID, "name that uses refer to, unique in the netlist and its imports"),
    OPTIONAL("version", WORD, "of the language: 1; required in a file of its own"),
    DOC,
    {0}};
static const sb_attribute port[] = {
    REQUIRED("id", ID, "name of the port, unique among those of the sub-model"),
    REQUIRED("node", NAME, "element or element.port inside that bonds at the port go to"),
    OPTIONAL("domain", WORD, "physical domain of the node"),
    OPTIONAL("open", WORD, "yes: it may stay without a bond"),
    DOC,
    {0}};
static const sb_attribute use[] = {ID, REQUIRED("submodel", NAME, "what it is a use of"), DOC, {0}};
static const sb_attribute set[] = {
    REQUIRED("param", NAME, "parameter of the sub-model"),
    REQUIRED("value", VALUE, "its value here; names are those around the use"),
    DOC,
    {0}};
static const sb_attribute repeat[] = {
    REQUIRED("index", NAME, "name that counts the iterations, for ids such as R[k] and for values"),
    REQUIRED("count", VALUE, "number of iterations: whole numbers and parameters with + - *"),
    OPTIONAL("first", VALUE, "index of the first iteration; 1 by default"),
    DOC,
    {0}};
static const sb_attribute network[] = {
    OPTIONAL("domain", WORD, "where nothing else fixes the domain"), DOC, {0}};
static const sb_attribute element[] = {
    ID, CLASS, OPTIONAL("domain", WORD, "physical domain of its ports"), DOC, {0}};
static const sb_attribute signal[] = {
    REQUIRED("id", ID, "name, used in expressions"),
    OPTIONAL("of", QUANTITIES,
             "effort, flow or state that it reads, such as C1.e or L1.p, or a number of a "
             "mechanism, such as hand.position.x or elbow.q"),
    OPTIONAL("by", QUANTITIES,
             "of a velocity of a mechanism: the part that a joint's rate has in it, the entry of "
             "the Jacobian"),
    OPTIONAL("input", WORD, "yes: of a sub-model, whose uses set it as they do parameters"),
    DOC,
    {0}};
static const sb_attribute block[] = {
    REQUIRED("id", ID, "name, used in expressions"), CLASS, DOC, {0}};
static const sb_attribute bond[] = {
    REQUIRED("from", NAME, "element or element.port that power counts out of"),
    REQUIRED("to", NAME, "element or element.port that power counts into"),
    DOC,
    {0}};
static const sb_attribute body[] = {
    ID,
    CLASS,
    OPTIONAL("material", NAME, "of its surface, for contacts"),
    OPTIONAL("com", VALUE,
             "centre of mass in the body's frame; the frame is then what "
             "position tells, or the joint that carries it"),
    OPTIONAL("point-mass", WORD, "yes: all its mass is at the centre of mass"),
    DOC,
    {0}};
static const sb_attribute ground[] = {
    ID, CLASS, OPTIONAL("material", NAME, "of its surface; rigid if there is none"), DOC, {0}};
static const sb_attribute shape[] = {REQUIRED("kind", WORD, "kind of surface"),
                                     ID_OPTIONAL("name, for contacts of this shape alone"),
                                     DOC,
                                     {0}};
static const sb_attribute joint[] = {
    ID,
    CLASS,
    REQUIRED("kind", WORD, "kind of joint: screwbond list joints"),
    REQUIRED("parent", NAME, "body that carries it, or world"),
    REQUIRED("child", NAME,
             "body that it carries; one that another joint carries already: it closes a loop"),
    OPTIONAL("at", VALUE, "its place in the parent's frame; by default the origin"),
    OPTIONAL("child-at", VALUE, "its place in the child's frame; by default the origin"),
    OPTIONAL("axis", VALUE,
             "along which it turns or slides, in the parent's frame; by default 0 0 1"),
    OPTIONAL("axis2", VALUE,
             "of a universal joint the second axis, of a planar one the first direction"),
    OPTIONAL("rotation", VALUE, "of the child against the parent where its coordinates are zero"),
    OPTIONAL("pitch", VALUE, "of a helical joint: the advance for an angle, in m/rad"),
    OPTIONAL("q0", VALUE, "angles at the start, or what it has slid if it only slides"),
    OPTIONAL("x0", VALUE, "what it has slid at the start"),
    OPTIONAL("rotation0", VALUE, "of a spherical or free joint: the rotation at the start"),
    OPTIONAL("w0", VALUE, "angular velocities at the start, or velocities if it only slides"),
    OPTIONAL("v0", VALUE, "velocities at the start"),
    OPTIONAL("stiffness", VALUE,
             "of springs at its angles, or at what it slides if it only slides"),
    OPTIONAL("rest", VALUE, "where these are relaxed"),
    OPTIONAL("slide-stiffness", VALUE, "of springs at what it slides"),
    OPTIONAL("slide-rest", VALUE, "where these are relaxed"),
    OPTIONAL("damping", VALUE, "viscous, of its angles, or of what it slides if it only slides"),
    OPTIONAL("slide-damping", VALUE, "of what it slides"),
    OPTIONAL("limits", VALUE, "least and largest of every angle, or of what it slides: stops"),
    OPTIONAL("slide-limits", VALUE, "of what it slides"),
    OPTIONAL("restitution", VALUE, "of rigid stops, 0 to 1; by default 0"),
    OPTIONAL("limit-stiffness", VALUE, "of elastic stops in place of rigid ones"),
    OPTIONAL("limit-damping", VALUE,
             "of elastic stops: their damping over their force, in s/rad or s/m"),
    OPTIONAL("slide-limit-stiffness", VALUE, "of what it slides"),
    OPTIONAL("slide-limit-damping", VALUE, "of what it slides"),
    OPTIONAL("locked", WORD,
             "yes: it does not move; or yes and no for each rate, as JOINT.w has them"),
    OPTIONAL("cut", WORD,
             "yes: of a loop this is the joint that closes it, and has no coordinates"),
    DOC,
    {0}};
static const sb_attribute frame[] = {ID,
                                     OPTIONAL("at", VALUE, "its origin in the body's frame"),
                                     OPTIONAL("rotation", VALUE, "against the body's frame"),
                                     DOC,
                                     {0}};
static const sb_attribute coupling[] = {
    ID,
    CLASS,
    REQUIRED("joints", NAMES, "two or more, of one coordinate q each, that carry bodies"),
    REQUIRED("ratios", VALUE, "one for each joint: the sum of ratio q stays"),
    OPTIONAL("value", VALUE, "what the sum is; by default 0"),
    DOC,
    {0}};
static const sb_attribute between[] = {
    ID,
    CLASS,
    REQUIRED("from", NAME, "body, ground or frame, or world"),
    REQUIRED("to", NAME, "another: what it does is counted from the first to this one"),
    DOC,
    {0}};
static const sb_attribute on_body[] = {ID, CLASS, REQUIRED("on", NAME, "body or frame"), DOC, {0}};
static const sb_attribute contact[] = {
    ID_OPTIONAL("name; contact(a,b) if there is none"),
    CLASS,
    REQUIRED("a", NAME, "body 1, or one of its shapes"),
    REQUIRED("b", NAME, "body 2, or one of its shapes"),
    OPTIONAL("law", NAME,
             "id of a contact law, or a normal law; linear without damping if there is none"),
    OPTIONAL("jointed", WORD, "yes: also where a joint joins the two"),
    DOC,
    {0}};
static const sb_attribute contacts[] = {
    CLASS,
    REQUIRED("among", NAMES, "bodies and grounds, each with each; body 1 is named first"),
    OPTIONAL("law", NAME, "id of a contact law, or a normal law"),
    OPTIONAL("except", NAMES, "pairs without a contact: a,b c,d"),
    OPTIONAL("jointed", WORD, "yes: also pairs that a joint joins, which are left out otherwise"),
    DOC,
    {0}};
static const sb_attribute run[] = {
    OPTIONAL("method", WORD, "integration method"),
    OPTIONAL("atol", VALUE,
             "where larger than rtol allows, the error of a step by quantity (1 uV 1 nm), of "
             "states or of "
             "the efforts and flows that storages give; without a unit in SI of every state"),
    DOC,
    {0}};
static const sb_attribute output[] = {
    ID_OPTIONAL("label of the column, where `of` is one quantity"),
    REQUIRED("of", QUANTITIES, "quantities such as C1.e"),
    OPTIONAL("unit", VALUE, "unit to show"),
    DOC,
    {0}};
static const sb_attribute group[] = {
    ID, REQUIRED("members", NAMES, "elements to sum up in the ledger"), DOC, {0}};
static const sb_attribute expect[] = {
    REQUIRED("of", QUANTITIES, "a quantity such as C1.e"),
    REQUIRED("at", VALUE, "time, or end"),
    REQUIRED("value", VALUE, "expected value"),
    OPTIONAL("abs-tol", VALUE, "tolerance in the unit of the quantity"),
    DOC,
    {0}};

enum { BLOCK = SB_TAG_DEFAULTS | SB_TAG_KIND | SB_TAG_SIGNAL };
const sb_tag sb_tags[] = {
    {"screwbond", "", root, NULL, 0, "the root of a netlist"},
    {"parameters", "screwbond submodel", none, NULL, 0, "named values"},
    {"param", "parameters", param, NULL, 0, "a named value"},
    {"defaults", "screwbond submodel", none, NULL, 0,
     "values for all elements of a kind, or of a class"},
    {"materials", "screwbond", none, NULL, 0, "materials of bodies"},
    {"material", "materials", material, sb_material_table, SB_TAG_DEFAULTS,
     "stiffness and damping of a body's surface"},
    {"laws", "screwbond", none, NULL, 0, "contact laws"},
    {"contact-law", "laws", law, sb_contact_law_params, SB_TAG_DEFAULTS, "a law of contact"},
    {"network", "screwbond submodel", network, NULL, 0, "elements and bonds"},
    {"", "network", element, NULL, SB_TAG_DEFAULTS | SB_TAG_KIND, "an element"},
    {"signal", "network", signal, NULL, SB_TAG_KIND | SB_TAG_SIGNAL,
     "what expressions of elements may name"},
    {"Hysteresis", "network", block, NULL, BLOCK, "a signal of two values, by two thresholds"},
    {"SampleHold", "network", block, NULL, BLOCK, "a signal that is held between samples"},
    {"TransferFunction", "network", block, NULL, BLOCK, "a signal by a ratio of polynomials"},
    {"Delay", "network", block, NULL, BLOCK, "a signal as it was some time ago"},
    {"bond", "network", bond, NULL, 0, "joins two ports"},
    {"mechanism", "screwbond submodel", none, sb_mechanism_table, SB_TAG_ONCE,
     "bodies and contacts"},
    {"body", "mechanism", body, NULL, SB_TAG_DEFAULTS | SB_TAG_KIND, "a rigid body"},
    {"ground", "mechanism", ground, NULL, SB_TAG_DEFAULTS | SB_TAG_KIND, "what does not move"},
    {"shape", "body ground", shape, sb_shape_table, 0, "a surface of a body"},
    {"mass", "body", none, sb_mass_table, 0, "a mass in one point of a body"},
    {"joint", "mechanism", joint, NULL, SB_TAG_DEFAULTS, "connects two bodies"},
    {"frame", "body", frame, NULL, 0, "a frame that is fixed in a body"},
    {"coupling", "mechanism", coupling, NULL, SB_TAG_DEFAULTS,
     "of joint coordinates: gear, rack, belt, differential"},
    {"Line", "mechanism", between, NULL, SB_TAG_DEFAULTS | SB_TAG_KIND,
     "a port along the line between two points"},
    {"Axis", "mechanism", between, NULL, SB_TAG_DEFAULTS | SB_TAG_KIND,
     "a port about an axis between two frames"},
    {"Slide", "mechanism", between, NULL, SB_TAG_DEFAULTS | SB_TAG_KIND,
     "a port along an axis between two frames"},
    {"Bushing", "mechanism", between, NULL, SB_TAG_DEFAULTS | SB_TAG_KIND,
     "springs and dampers between two frames, in all six directions"},
    {"Wrench", "mechanism", on_body, NULL, SB_TAG_DEFAULTS | SB_TAG_KIND,
     "a force and a moment from outside"},
    {"contact", "mechanism", contact, NULL, SB_TAG_DEFAULTS, "two bodies that may touch"},
    {"contacts", "mechanism", contacts, sb_contacts_table, 0, "all pairs of several bodies"},
    {"run", "screwbond", run, sb_run_table, SB_TAG_ONCE, "how to integrate"},
    {"output", "screwbond", output, NULL, SB_TAG_LABEL, "columns of the results"},
    {"audit", "screwbond", none, sb_audit_table, SB_TAG_ONCE,
     "limits and sums of the energy ledger"},
    {"group", "audit", group, NULL, SB_TAG_LABEL, "a sum of elements in the ledger"},
    {"expect", "screwbond", expect, sb_expect_table, 0, "a result that the run must reach"},
    {"import", "screwbond submodel", import, NULL, 0, "brings the sub-model of another file"},
    {"submodel", "screwbond", submodel, NULL, SB_TAG_DEFINITION,
     "a network with ports, bodies and joints, to be used several times"},
    {"port", "submodel", port, NULL, SB_TAG_PORT, "where a sub-model is connected"},
    {"use", "network mechanism", use, NULL, SB_TAG_USE, "a sub-model in a network or mechanism"},
    {"set", "use", set, NULL, 0, "gives a parameter of a sub-model its value"},
    {"repeat", "network mechanism", repeat, NULL, SB_TAG_REPEAT, "its contents several times"},
    {0},
};

/** Of an element with parts. */
static const sb_quantity_spec energies[] = {{"energy", 1, "J", "stored in its parts"},
                                            {"power", 1, "W", "given to it"},
                                            {"lost", 1, "J", "dissipated in its parts so far"},
                                            {0}};

const sb_tag_measures sb_measures_of_tags[] = {
    {.tag = "joint", .measures = {.quantities = sb_joint_quantities}},
    {.tag = "frame", .measures = {.quantities = sb_frame_quantities}},
    {"contact",
     {.quantities = sb_contact_quantities, .of_parts = sb_contact_of_parts},
     energies,
     "of soft contacts",
     &sb_kind_contact_rigid,
     "of rigid contacts"},
    {0}};
