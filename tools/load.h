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
/** Starts the model as run would, and adds what it tells to the warnings of the netlist.
 *  @param findings  out: why it cannot start, or what the first audit and expectations at the start say against it */
void loaded_start(loaded *l, sb_errors *findings);
/** Prints what is likely to be a mistake, to the standard error stream. */
void loaded_warn(const loaded *l, bool json);
/** The exit code of a start or run that has failed: a method that the netlist names, and that is not for its model, is a fault of
 *  the netlist and no wrong usage of the command. */
int loaded_code(const arguments *args, int code);
void loaded_finish(loaded *l);

#endif
