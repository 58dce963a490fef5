// SPDX-License-Identifier: GPL-3.0-or-later
// From a netlist's file to a model that is ready to run, for both run and check.
#ifndef SB_TOOLS_LOAD_H
#define SB_TOOLS_LOAD_H

#include "command.h"
#include "expects.h"
#include "outputs.h"

typedef struct loaded {
  sb_netlist *netlist;
  sb_model *model;
  outputs outputs;
  expects expects;
} loaded;

/** Reads, applies the options, compiles, and finds all that is to be written or expected. Faults
 *  are printed.
 *  @return an exit code; loaded_finish() is due in any case */
int loaded_init(loaded *l, const arguments *args);
/** Prints what the steps of a run may miss, to the standard error stream. */
void loaded_warn(const loaded *l);
/** Starts the model as run would, and says what comes of it. @return the exit code that run gives at its start */
int loaded_foresee(const loaded *l, bool json);
void loaded_finish(loaded *l);

#endif
