// SPDX-License-Identifier: GPL-3.0-or-later
// Netlists rewritten as a user could have written them, for tests of what must not change. Each
// rewriting works on the XML tree, guided by the table of the language, so that new elements and
// attributes are known by being in that table.
#ifndef SB_TESTS_REWRITE_REWRITE_H
#define SB_TESTS_REWRITE_REWRITE_H

#include <libxml/tree.h>

#include "netlist/language/schema.h"
#include "netlist/value/unit.h"
#include "screwbond.h"

enum { REWRITE_TEXT = 4096, REWRITE_RESULTS = 64, REWRITE_QUANTITIES = 2000, REWRITE_NAME = 256 };

/** What a quantity of the plain netlist is in the rewritten one. */
typedef struct rewrite_quantity {
  char from[REWRITE_NAME], to[REWRITE_NAME];
  double factor; // from = factor * to
} rewrite_quantity;

/** A netlist, and what its rewriting did to names and numbers. */
typedef struct rewrite {
  xmlDoc *doc;
  const sb_model *model;           // of the netlist as it was
  double number;                   // ratio, factor or seed of the rewriting
  bool dual_C;                     // duals.c: the kind that gives way
  bool ordered;                    // accounts and results have other names, but keep their places
  double energy, time;             // factors of all energies and times
  double base[SB_DIMENSION_BASES]; // factors of the base units
  rewrite_quantity quantities[REWRITE_QUANTITIES];
  int quantity_count;
} rewrite;

/** A netlist that runs. */
typedef struct rewrite_run {
  sb_netlist *netlist;
  sb_model *model;
  sb_simulation *sim;
  double largest[REWRITE_RESULTS]; // magnitude of each result over the run
} rewrite_run;

// run.c: a fault of the netlist, of the run or of its structures fails the test.
void rewrite_start(rewrite_run *r, const char *what, xmlDoc *doc);
void rewrite_start_file(rewrite_run *r, const char *path);
/** @param step       [s] for methods that choose their steps; 0: they do
 *  @param tolerance  factor of rtol and atol
 *  @param fraction   of the time of the run that is run
 *  @param time       factor of all times in the netlist */
void rewrite_finish(rewrite_run *r, const char *what, double step, double tolerance, double time,
                    double fraction);
void rewrite_stop(rewrite_run *r);

/** gap.c: the greatest difference of all energies in total, per element and per group, by the scale
 *  of the ledger. */
double rewrite_energy_gap(const rewrite *r, const sb_ledger *plain, const sb_ledger *other);
/** gap.c: the greatest difference of the results at the end, by the largest values of each. */
double rewrite_result_gap(const rewrite *r, const rewrite_run *plain, const rewrite_run *other);

// Each returns the number of places that it changed; 0: it does not apply.
int rewrite_names(rewrite *r);      // names.c: other ids, in the opposite alphabetical order
int rewrite_order(rewrite *r);      // order.c: siblings at random
int rewrite_flat(rewrite *r);       // flat.c: without sub-models and repeats
int rewrite_reverse(rewrite *r);    // bonds.c: every half arrow, all by themselves
int rewrite_one_ports(rewrite *r);  // bonds.c: half arrows at one-ports, with what they mean
int rewrite_transform(rewrite *r);  // bonds.c: TF n and TF 1/n in every bond
int rewrite_split(rewrite *r);      // bonds.c: junctions in two
int rewrite_contacts(rewrite *r);   // bonds.c: body 1 and body 2 exchanged
int rewrite_duals(rewrite *r);      // duals.c: C as I behind a GY, or I as C
int rewrite_units(rewrite *r);      // units.c: the same values in other units
int rewrite_efforts(rewrite *r);    // units.c: all efforts times k, all flows by k
int rewrite_fault(rewrite *r);      // units.c: values wrong by some millionths, to be noticed
int rewrite_base_units(rewrite *r); // base_units.c: other kilograms, metres, ... by powers of two

/** What a text in a netlist consists of. */
typedef enum rewrite_kind {
  REWRITE_END,
  REWRITE_NUMBER,
  REWRITE_WORD, // a name of any sort
  REWRITE_UNIT, // behind a number: 10 uF, 10uF, 50[ms]
  REWRITE_OTHER // one character
} rewrite_kind;
typedef struct rewrite_token {
  rewrite_kind kind;
  const char *start;
  size_t length;
} rewrite_token;
/** Moves on; start with {0}. Values know units, names do not. */
bool rewrite_next_token(const char *text, bool value, rewrite_token *token);
bool rewrite_is(const rewrite_token *token, const char *word);

/** The unit that holds for a number of a value: the one behind it, or that of its list. */
rewrite_token rewrite_unit_of(const char *text, rewrite_token number);

/** A text that grows; beyond its size the test fails. */
typedef struct rewrite_text {
  char chars[REWRITE_TEXT];
  size_t length;
} rewrite_text;
void rewrite_put(rewrite_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** What an attribute is about. */
typedef enum rewrite_place {
  REWRITE_NOTHING,
  REWRITE_ID,
  REWRITE_NAMES,
  REWRITE_QUANTITY_NAMES,
  REWRITE_VALUE
} rewrite_place;
/** @param row  out: of values that are rows of a table; NULL: none */
rewrite_place rewrite_place_of(const xmlAttr *attribute, const sb_param **row);

/** A netlist with the sub-models of the files that it imports. */
xmlDoc *rewrite_load(const char *path);
/** The next element of the tree after `node`, with its children first; NULL: none. */
xmlNode *rewrite_next(xmlNode *node);
/** The next one of this name after `node`, which may be the root. */
xmlNode *rewrite_find(xmlNode *node, const char *name);
/** Whether a signal reads an effort, flow or state of the element. */
bool rewrite_is_read(const xmlDoc *doc, const char *id);
bool rewrite_named(const xmlNode *node, const char *name);
const char *rewrite_text_of(const xmlAttr *attribute);
const char *rewrite_get(const xmlNode *node, const char *attribute); // NULL: none
void rewrite_set(xmlNode *node, const char *attribute, const char *text);
/** A new element behind a sibling. */
xmlNode *rewrite_add(xmlNode *behind, const char *name, const char *id);
xmlNode *rewrite_join(xmlNode *behind, const char *from, const char *to);

/** The kind of the element that an end of a bond names; NULL: none. */
xmlNode *rewrite_element(const xmlDoc *doc, const char *end);
const sb_element_type *rewrite_type(const xmlNode *node);
/** Whether expressions may name it: a signal, or an element that gives one. */
bool rewrite_gives_signal(const xmlNode *node);
/** The domain of a port, "" for that of a one-port; NULL: none that has units. */
const sb_domain *rewrite_domain(const rewrite *r, const char *id, const char *port);
/** Notes that quantity `name` of element `id` is 1/factor times `to`. */
void rewrite_note(rewrite *r, const char *id, const char *name, const char *to, double factor);
/** By what a number with this unit changes; 1 if it is none. */
double rewrite_base_factor(const rewrite *r, const char *unit, size_t length);
/** The attribute of a row, by whichever of its names; NULL: none. */
xmlAttr *rewrite_row(const xmlNode *node, const char *row);
/** Scales what an element is to efforts and flows: e' = ke e, f' = kf f, so that q' = kf q and
 *  p' = ke p. False: the element has rows of which that is not known; it is then unchanged. */
bool rewrite_scale(rewrite *r, xmlNode *element, double ke, double kf);
/** A value as an operand of an expression: "10 uF" as "10[uF]"; false: it is a list. */
bool rewrite_operand(const char *value, rewrite_text *out);

#endif
