// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a netlist into a graph, the options of a run, its outputs and its expected results. It only
// reads and checks; nothing is simulated.
#ifndef SB_NETLIST_NETLIST_H
#define SB_NETLIST_NETLIST_H

#include "core/graph/graph.h"
#include "core/simulation/simulation.h"

/** One column of results: a quantity and how to show it. */
typedef struct sb_netlist_output {
  char *of;     // "C1.e"
  char *label;  // the id, or `of` without one
  char *unit;   // as shown; NULL: SI
  double scale; // SI value of one such unit
  int line, column;
  int unit_line, unit_column;
} sb_netlist_output;

/** One expectation: of at a time within a tolerance, all in SI. */
typedef struct sb_netlist_expect {
  char *of;
  bool at_end;
  double at;     // [s]
  int component; // of a vector quantity, from 0
  double value, abs_tol, rel_tol;
  int line, column;
  char *unit; // dimension of the value in base units, to be compared; NULL: a number without a unit
  int cycles; // the exponent of the Hz in it [1/600]: a turn is an angle beside the dimension
  int value_line, value_column;
} sb_netlist_expect;

/** An absolute tolerance of all states of one dimension, and of all efforts and flows that storages give. */
typedef struct sb_netlist_tolerance {
  double size;      // [SI]
  char *unit;       // dimension in base units
  int line, column; // 0: of the command line
} sb_netlist_tolerance;

typedef struct sb_netlist {
  char *name; // the root's id
  char *file;
  int line, column; // of the root
  sb_graph *graph;
  sb_options options;
  int max_steps_line, max_steps_column; // where the file states max-steps; 0: it does not
  int rtol_line, rtol_column;           // the same of rtol
  int sample_line, sample_column;       // and of sample
  double t_end, sample; // [s]; t_end 0: the netlist has no <run>; sample 0: every step
  sb_netlist_output *outputs;
  int output_count;
  sb_netlist_expect *expects;
  int expect_count;
  sb_netlist_tolerance *tolerances; // for options.tolerances, which refers to the netlist
  int tolerance_count;
  char *source;       // the text, for diagnostics
  sb_errors warnings; // of what is likely to be a mistake, with places
} sb_netlist;

/** One --set: "ID=VALUE" with ID a parameter or a path to an attribute. */
typedef struct sb_override {
  const char *id, *value;
} sb_override;

/** Reads a file. All errors are reported in `errors`; NULL is left in *netlist where there are any.
 *  When sb_model_compile() finds further errors, their places are those of the netlist. */
SB_API sb_status sb_netlist_read(const char *path, const sb_override overrides[],
                                 int override_count, sb_netlist **netlist, sb_errors *errors);
/** The same from memory, under a name for messages. */
SB_API sb_status sb_netlist_parse(const char *name, const char *text, size_t size,
                                  const sb_override overrides[], int override_count,
                                  sb_netlist **netlist, sb_errors *errors);
/** Absolute tolerances as <run atol="1 uV 1 nm"> states them, in place of those that there are. The
 *  simulation finds out whether the model has such quantities.
 *  @return as sb_value_parse(), and SB_ERR_RANGE; the netlist is then unchanged */
SB_API sb_status sb_netlist_set_atol(sb_netlist *netlist, const char *atol, sb_error *err);
SB_API void sb_netlist_destroy(sb_netlist *netlist);

#endif
