// SPDX-License-Identifier: GPL-3.0-or-later
// The quantities that a run writes: those of the netlist's outputs, else all states.
#ifndef SB_TOOLS_OUTPUTS_H
#define SB_TOOLS_OUTPUTS_H

#include "netlist/netlist.h"
#include "report/report.h"
#include "report/results.h"

typedef struct outputs {
  sb_results_column *columns; // (count) labels owned
  sb_quantity *quantities;    // (count)
  double *scales;             // (count) SI value of one unit shown
  double *undefined; // (count) [s] when it was read as no finite number first; HUGE_VAL: never
  int count;
  int components;         // of all
  double *values;         // (components)
  sb_final_value *finals; // (components) names owned
} outputs;

/** Finds all quantities and checks the units they are shown in; faults go into `errors`. */
sb_status outputs_init(outputs *out, const sb_netlist *netlist, const sb_model *model,
                       sb_errors *errors);
void outputs_finish(outputs *out);

/** Reads all components, in the units shown. */
const double *outputs_read(outputs *out, const sb_simulation *sim);
/** Notes which of the numbers that were read last are not finite. */
void outputs_note(outputs *out, double t);
/** Warns of those, each with its first time and its place. */
void outputs_warn(const outputs *out, const sb_netlist *netlist, sb_errors *warnings);
/** Reads all components into `finals`, in SI. */
void outputs_read_finals(outputs *out, const sb_simulation *sim);

/** Finds a quantity, with a hint at the one that may be meant where there is no such element. */
sb_status find_quantity(const sb_model *model, const char *name, sb_quantity *quantity,
                        sb_error *err);

/** Puts a place of the netlist into an error and adds it. */
void add_at(sb_errors *errors, sb_error *err, const sb_netlist *netlist, int line, int column);

#endif
